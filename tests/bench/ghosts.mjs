// Jolt or Rapier, from npm, about shapes that slide over flat meshes: node ghosts.mjs PEER HOW FOLDER RUNS prints a line per run of
// bench_mesh_contacts --export: ghosts, steps with ghosts, steps without contacts. The packages are in FOLDER/node_modules.
//
// Both calculate in single precision. A contact of depth 0 or more is a ghost if its normal is more than 0.1 degree off that of the plane.
//
// Jolt: HOW is "all", CollideShape with contacts of all edges; "active", with those of active edges only, the default; "moving", the same with
// the way of the step as the direction of movement, as its simulation has it: then normals that do not slow the shape down remain; or
// "removal", CollideShapeWithInternalEdgeRemoval, which begins with all edges. Convex radius 0.
//
// Rapier: steps of a world in which the shape is a kinematic body, so that contacts do not move it. HOW is "plain", or "fix", with
// TriMeshFlags.FIX_INTERNAL_EDGES.

import { readFileSync } from "node:fs";

import { begin_jolt, loader_of, quaternion, upright } from "./npm_peers.mjs";

const [peer, how, folder, file] = process.argv.slice( 2 );
const load = loader_of( folder );
const { steps, flats, runs } = JSON.parse( readFileSync( file, "utf8" ) );
const least_sine = 0.0017453;
const is_ghost = ( x, y, z ) => !( z > 0 && Math.hypot( x, y ) <= least_sine * Math.hypot( x, y, z ) );
const groups = ( numbers, size ) => Array.from( { length: numbers.length / size }, ( _, i ) => numbers.slice( size * i, size * i + size ) );
const turned = ( r, v ) => [0, 3, 6].map( i => r[i] * v[0] + r[i + 1] * v[1] + r[i + 2] * v[2] );

const rotation_of = ( run, r ) => quaternion( run.shape === "capsule" ? upright( r ) : r );

// Makes a flat mesh and returns [open, close]. open( run ) returns ask( turn, [w, x, y, z], position, way ), which returns the normals
// of contacts, from the mesh to the shape.
async function jolt()
{
	const { Jolt, system, bodies, all } = await begin_jolt( load );
	const numbers = v => [v.GetX(), v.GetY(), v.GetZ()];
	const one = new Jolt.Vec3( 1, 1, 1 ), zero = new Jolt.RVec3( 0, 0, 0 ), still = new Jolt.Quat( 0, 0, 0, 1 );
	const place = new Jolt.RVec3( 0, 0, 0 ), turn = new Jolt.Quat( 0, 0, 0, 1 ), direction = new Jolt.Vec3( 0, 0, 0 );
	const collide = new Jolt.CollideShapeSettings(), collector = new Jolt.CollideShapeAllHitCollisionCollector();
	collide.mActiveEdgeMode = how === "all" ? Jolt.EActiveEdgeMode_CollideWithAll : Jolt.EActiveEdgeMode_CollideOnlyWithActive;
	const query = system.GetNarrowPhaseQuery(), name = how === "removal" ? "CollideShapeWithInternalEdgeRemoval" : "CollideShape";

	function body_of( { positions, corners } )
	{
		const triangles = new Jolt.TriangleList(), vertices = groups( positions, 3 );
		groups( corners, 3 ).forEach( c => triangles.push_back( new Jolt.Triangle( ...c.map( i => new Jolt.Vec3( ...vertices[i] ) ) ) ) );
		const shape = new Jolt.MeshShapeSettings( triangles ).Create().Get();
		const body = bodies.CreateBody( new Jolt.BodyCreationSettings( shape, zero, still, Jolt.EMotionType_Static, 0 ) );
		bodies.AddBody( body.GetID(), Jolt.EActivation_DontActivate );
		return body;
	}

	function shape_of( { shape, size, points } )
	{
		switch ( shape )
		{
		case "sphere": return new Jolt.SphereShape( size );
		case "capsule": return new Jolt.CapsuleShape( 0.8 * size, 0.6 * size );
		case "box": return new Jolt.BoxShape( new Jolt.Vec3( size, 0.8 * size, 0.6 * size ), 0 );
		}
		const hull = new Jolt.ConvexHullShapeSettings();
		groups( points, 3 ).forEach( p => hull.mPoints.push_back( new Jolt.Vec3( ...p ) ) );
		hull.mMaxConvexRadius = 0;
		return hull.Create().Get();
	}

	return flat => {
		const made = flat.map( body_of );
		const open = run => {
			const shape = shape_of( run ), center = numbers( shape.GetCenterOfMass() );
			return ( rotation, [w, x, y, z], at, way ) => {
				place.Set( ...turned( rotation, center ).map( ( c, i ) => c + at[i] ) );
				turn.Set( x, y, z, w );
				direction.Set( ...( how === "moving" ? way : [0, 0] ), 0 );
				collide.mActiveEdgeMovementDirection = direction;
				collector.Reset();
				query[name]( shape, one, Jolt.RMat44.prototype.sRotationTranslation( turn, place ), collide, zero, collector, ...all );
				const hits = collector.mHits;
				return Array.from( { length: hits.size() }, ( _, i ) => hits.at( i ) ).filter( h => h.mPenetrationDepth >= 0 )
					.map( h => numbers( h.mPenetrationAxis ).map( c => -c ) );
			};
		};
		const close = () => made.forEach( body => {
			bodies.RemoveBody( body.GetID() );
			bodies.DestroyBody( body.GetID() );
		} );
		return [open, close];
	};
}

async function rapier()
{
	const R = await load( "@dimforge/rapier3d-compat/dist/rapier.mjs" );
	await R.init();

	function shape_of( { shape, size, points } )
	{
		switch ( shape )
		{
		case "sphere": return R.ColliderDesc.ball( size );
		case "capsule": return R.ColliderDesc.capsule( 0.8 * size, 0.6 * size );
		case "box": return R.ColliderDesc.cuboid( size, 0.8 * size, 0.6 * size );
		}
		return R.ColliderDesc.convexHull( new Float32Array( points ) );
	}

	return flat => {
		const world = new R.World( { x: 0, y: 0, z: 0 } ), rest = world.createRigidBody( R.RigidBodyDesc.fixed() );
		const meshes = flat.map( m => world.createCollider( R.ColliderDesc.trimesh( new Float32Array( m.positions ),
			new Uint32Array( m.corners ), how === "fix" ? R.TriMeshFlags.FIX_INTERNAL_EDGES : 0 ), rest ) );
		let body = null;
		const open = run => {
			if ( body )
			{
				world.removeRigidBody( body );
			}
			body = world.createRigidBody( R.RigidBodyDesc.kinematicPositionBased() );
			const collider = world.createCollider( shape_of( run ).setActiveCollisionTypes( R.ActiveCollisionTypes.ALL ), body );
			return ( rotation, [w, x, y, z], at ) => {
				body.setTranslation( { x: at[0], y: at[1], z: at[2] }, true );
				body.setRotation( { w, x, y, z }, true );
				world.step();
				const normals = [];
				meshes.forEach( mesh => world.contactPair( mesh, collider, ( manifold, flipped ) => {
					const n = manifold.normal(), sign = flipped ? -1 : 1;
					for ( let i = 0; i < manifold.numContacts(); ++i )
					{
						if ( manifold.contactDist( i ) <= 0 )
						{
							normals.push( [sign * n.x, sign * n.y, sign * n.z] );
						}
					}
				} ) );
				return normals;
			};
		};
		return [open, () => world.free()];
	};
}

const prepare = await { Jolt: jolt, Rapier: rapier }[peer](), prepared = flats.map( () => null );
runs.forEach( ( run, k ) => {
	prepared[run.flat] ??= prepare( flats[run.flat] );
	const ask = prepared[run.flat][0]( run );
	let ghosts = 0, with_ghosts = 0, missed = 0;
	for ( const slide of groups( run.slides, 14 ) )
	{
		const rotation = slide.slice( 0, 9 ), turn = rotation_of( run, rotation ), at = slide.slice( 9, 12 ), way = slide.slice( 12 );
		for ( let i = 0; i < steps; ++i )
		{
			at[0] += way[0];
			at[1] += way[1];
			const normals = ask( rotation, turn, at, way ), here = normals.filter( n => is_ghost( ...n ) ).length;
			ghosts += here;
			with_ghosts += here > 0 ? 1 : 0;
			missed += normals.length === 0 ? 1 : 0;
		}
	}
	console.log( `${ghosts} ${with_ghosts} ${missed}` );
	if ( k + 1 === runs.length || runs[k + 1].flat !== run.flat )
	{
		prepared[run.flat][1]();
	}
} );
