// Jolt, Rapier or PhysX, from npm, about the battery: node battery.mjs PEER FOLDER FROM prints one line per pair of
// FOLDER/pairs.json, from the pair FROM on, as bench_battery reads them. The packages are in FOLDER/node_modules.
//
// All calculate in single precision. Shapes are made and asked without a world, except for Jolt, which collides a shape with a
// body. The best of several settings is used where they matter: for Jolt no convex radius, and smaller tolerances of casts.

import { readFileSync, writeSync } from "node:fs";

import { begin_jolt, loader_of, quaternion } from "./npm_peers.mjs";

const [peer, folder, from] = process.argv.slice( 2 );
const pairs = JSON.parse( readFileSync( folder + "/pairs.json", "utf8" ) );
const load = loader_of( folder );

const unknown = [NaN, NaN, NaN];
const add = ( a, b ) => a.map( ( x, i ) => x + b[i] );
const scale = ( s, a ) => a.map( x => s * x );
const dot = ( a, b ) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = a => scale( -1, a );
const list = v => [v.x, v.y, v.z];
const turned = ( r, v ) => [0, 3, 6].map( i => r[i] * v[0] + r[i + 1] * v[1] + r[i + 2] * v[2] );
const product = ( a, b ) => [0, 3, 6].flatMap( i => [0, 1, 2].map( k => a[i] * b[k] + a[i + 1] * b[k + 3] + a[i + 2] * b[k + 6] ) );
const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

// Where the axis of capsules, cylinders and cones is x or y instead of z.
const axes = { x: [0, 1, 0, 0, 0, 1, 1, 0, 0], y: [1, 0, 0, 0, 0, -1, 0, 1, 0] };
const is_round = shape => ["capsule", "cylinder", "cone"].includes( shape.kind );
const rotation_of = ( shape, axis ) => is_round( shape ) ? product( shape.rotation, axes[axis] ) : shape.rotation;

function quaternion_of( r )
{
	const [w, x, y, z] = quaternion( r );
	return { w, x, y, z };
}

function is_flat( points )
{
	const [a, b, c] = points, u = add( b, minus( a ) ), v = add( c, minus( a ) );
	const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
	return points.every( p => dot( n, add( p, minus( a ) ) ) === 0 );
}

async function jolt()
{
	const { Jolt, system, bodies, all } = await begin_jolt( load );
	const numbers = v => [v.GetX(), v.GetY(), v.GetZ()];
	const vec = v => new Jolt.Vec3( ...v ), one = vec( [1, 1, 1] ), zero = new Jolt.RVec3( 0, 0, 0 );

	function settings_of( s, as_mesh )
	{
		switch ( s.kind )
		{
		case "ball": return new Jolt.SphereShapeSettings( s.radius );
		case "box": return new Jolt.BoxShapeSettings( vec( s.half ), 0 );
		case "capsule": return new Jolt.CapsuleShapeSettings( s.half[2], s.radius );
		case "cylinder": return new Jolt.CylinderShapeSettings( s.half[2], s.radius, 0 );
		case "cone": return new Jolt.TaperedCylinderShapeSettings( s.half[2], 0, s.radius, 0 );
		}
		if ( s.points.length === 1 )
		{
			return new Jolt.SphereShapeSettings( 1e-6 ); // 0 is an error
		}
		if ( as_mesh && is_flat( s.points ) )
		{
			const triangles = new Jolt.TriangleList();
			for ( let i = 2; i < s.points.length; ++i )
			{
				triangles.push_back( new Jolt.Triangle( ...[0, i - 1, i].map( k => vec( s.points[k] ) ) ) );
			}
			return new Jolt.MeshShapeSettings( triangles );
		}
		const hull = new Jolt.ConvexHullShapeSettings();
		s.points.forEach( p => hull.mPoints.push_back( vec( p ) ) );
		hull.mMaxConvexRadius = 0;
		return hull;
	}

	// With the place of its center of mass.
	function make( s, as_mesh )
	{
		const result = settings_of( s, as_mesh ).Create();
		if ( !result.IsValid() )
		{
			return null;
		}
		const shape = result.Get(), q = quaternion_of( rotation_of( s, "y" ) );
		const center = turned( rotation_of( s, "y" ), numbers( shape.GetCenterOfMass() ) ), middle = add( s.position, center );
		const origin = s.points.length === 1 ? add( s.position, s.points[0] ) : s.position;
		return { shape, q: new Jolt.Quat( q.x, q.y, q.z, q.w ), at: s.points.length === 1 ? origin : middle, origin };
	}

	const is_mesh = s => s.kind === "hull" && s.points.length === 3;
	return ( pair, answer ) => {
		// A mesh is the body: it cannot be collided or cast.
		const swap = !pair.cast && is_mesh( pair.shapes[0] );
		const [first, second] = swap ? [1, 0] : [0, 1];
		// Casts move the second shape, relative to the first one.
		const a = make( pair.shapes[pair.cast ? 1 : first], false ), b = make( pair.shapes[pair.cast ? 0 : second], !pair.cast );
		if ( !a || !b )
		{
			return;
		}
		answer.given = true;
		const body = bodies.CreateBody(
			new Jolt.BodyCreationSettings( b.shape, new Jolt.RVec3( ...b.origin ), b.q, Jolt.EMotionType_Static, 0 ) );
		bodies.AddBody( body.GetID(), Jolt.EActivation_DontActivate );
		const start = Jolt.RMat44.prototype.sRotationTranslation( a.q, new Jolt.RVec3( ...a.at ) );
		let collector;
		if ( pair.cast )
		{
			const way = scale( pair.limit, add( pair.motion_b, minus( pair.motion_a ) ) );
			const how = new Jolt.ShapeCastSettings();
			how.mBackFaceModeConvex = how.mBackFaceModeTriangles = Jolt.EBackFaceMode_CollideWithBackFaces;
			how.mReturnDeepestPoint = true;
			how.mCollisionTolerance = how.mPenetrationTolerance = 1e-5; // of 1e-4 by default, one issue is wrong
			collector = new Jolt.CastShapeClosestHitCollisionCollector();
			system.GetNarrowPhaseQuery().CastShape( new Jolt.RShapeCast( a.shape, one, start, vec( way ) ), how, zero, collector, ...all );
		}
		else
		{
			const how = new Jolt.CollideShapeSettings();
			how.mMaxSeparationDistance = 1;
			how.mBackFaceMode = Jolt.EBackFaceMode_CollideWithBackFaces;
			how.mActiveEdgeMode = Jolt.EActiveEdgeMode_CollideWithAll;
			collector = new Jolt.CollideShapeClosestHitCollisionCollector();
			system.GetNarrowPhaseQuery().CollideShape( a.shape, one, start, how, zero, collector, ...all );
		}
		answer.meets = 0;
		if ( collector.HadHit() )
		{
			const hit = collector.mHit, axis = numbers( hit.mPenetrationAxis ), n = scale( 1 / Math.hypot( ...axis ), axis );
			const points = [numbers( hit.mContactPointOn1 ), numbers( hit.mContactPointOn2 )];
			if ( pair.cast )
			{
				answer.meets = 1;
				answer.value = hit.mFraction * pair.limit;
				answer.normal = minus( n );
				answer.contact = add( points[1], scale( answer.value, pair.motion_a ) );
			}
			else
			{
				answer.value = -hit.mPenetrationDepth;
				answer.meets = hit.mPenetrationDepth >= 0 ? 1 : 0;
				answer.normal = swap ? minus( n ) : n;
				answer.points = swap ? [points[1], points[0]] : points;
			}
		}
		bodies.RemoveBody( body.GetID() );
		bodies.DestroyBody( body.GetID() );
	};
}

async function rapier()
{
	const R = await load( "@dimforge/rapier3d-compat/dist/rapier.mjs" );
	await R.init();
	const vec = v => new R.Vector3( ...v );

	function make( s )
	{
		switch ( s.kind )
		{
		case "ball": return new R.Ball( s.radius );
		case "box": return new R.Cuboid( ...s.half );
		case "capsule": return new R.Capsule( s.half[2], s.radius );
		case "cylinder": return new R.Cylinder( s.half[2], s.radius );
		case "cone": return new R.Cone( s.half[2], s.radius );
		}
		if ( s.points.length === 1 )
		{
			return new R.Ball( 0 );
		}
		if ( s.points.length === 3 )
		{
			return new R.Triangle( ...s.points.map( vec ) );
		}
		const flat = new Float32Array( s.points.flat() );
		return is_flat( s.points ) ? new R.TriMesh( flat, new Uint32Array( [0, 1, 2, 0, 2, 3] ) )
		                           : new R.ConvexPolyhedron( flat, null );
	}

	return ( pair, answer ) => {
		const shapes = pair.shapes.map( make ), turns = pair.shapes.map( s => rotation_of( s, "y" ) );
		const places = pair.shapes.map( s => s.kind === "hull" && s.points.length === 1 ? add( s.position, s.points[0] ) : s.position );
		const [p, q] = places.map( vec ), [u, v] = turns.map( quaternion );
		answer.given = true;
		if ( pair.cast )
		{
			const hit = shapes[0].castShape( p, u, vec( pair.motion_a ), shapes[1], q, v, vec( pair.motion_b ), 0, pair.limit, true );
			answer.meets = hit ? 1 : 0;
			if ( hit )
			{
				answer.value = hit.time_of_impact;
				answer.normal = turned( turns[0], list( hit.normal1 ) );
				const local = turned( turns[0], list( hit.witness1 ) );
				answer.contact = add( add( places[0], local ), scale( answer.value, pair.motion_a ) );
			}
			return;
		}
		answer.meets = shapes[0].intersectsShape( p, u, shapes[1], q, v ) ? 1 : 0;
		const contact = shapes[0].contactShape( p, u, shapes[1], q, v, 1 );
		if ( contact )
		{
			answer.value = contact.distance;
			answer.normal = list( contact.normal1 );
			answer.points = [list( contact.point1 ), list( contact.point2 )];
		}
	};
}

async function physx()
{
	// It only starts where it finds a browser.
	const here = globalThis.process, file = resolve( folder, "node_modules/physx-js-webidl/physx-js-webidl.wasm" );
	const factory = ( await load( "physx-js-webidl/physx-js-webidl.mjs" ) ).default;
	globalThis.process = undefined;
	globalThis.window = globalThis;
	const P = await factory( { wasmBinary: readFileSync( file ) } );
	globalThis.process = here;
	const top = P.PxTopLevelFunctions.prototype, version = P.PHYSICS_VERSION;
	const foundation = top.CreateFoundation( version, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback() );
	const tolerances = new P.PxTolerancesScale();
	const physics = top.CreatePhysics( version, foundation, tolerances );
	const cooking = new P.PxCookingParams( tolerances );
	const vec = v => new P.PxVec3( ...v ), unit_scale = new P.PxMeshScale( vec( [1, 1, 1] ), new P.PxQuat( 0, 0, 0, 1 ) );

	// Only the library's own callbacks know triangles, flat hulls and points.
	function custom( support )
	{
		const out = new P.CustomSupportImpl();
		out.getCustomMargin = () => 0;
		out.getCustomSupportLocal = ( d, result ) => {
			const direction = P.wrapPointer( d, P.PxVec3 ), p = support( list( direction ) ), r = P.wrapPointer( result, P.PxVec3 );
			[r.x, r.y, r.z] = p;
		};
		return out;
	}

	function cook( points )
	{
		const room = new P.PxArray_PxVec3( points.length );
		points.forEach( ( p, i ) => room.set( i, vec( p ) ) );
		const desc = new P.PxConvexMeshDesc();
		desc.flags.raise( P.PxConvexFlagEnum.eCOMPUTE_CONVEX );
		desc.points.count = points.length;
		desc.points.stride = 12;
		desc.points.data = room.begin();
		return top.CreateConvexMesh( cooking, desc );
	}

	// The geometry of its own queries, if there is one, and the support of PxGjkQuery.
	function make( s )
	{
		switch ( s.kind )
		{
		case "ball": return { geometry: new P.PxSphereGeometry( s.radius ), support: new P.SphereSupport( s.radius ) };
		case "box": return { geometry: new P.PxBoxGeometry( ...s.half ), support: new P.BoxSupport( vec( s.half ), 0 ) };
		case "capsule":
			return { geometry: new P.PxCapsuleGeometry( s.radius, s.half[2] ), support: new P.CapsuleSupport( s.radius, s.half[2] ) };
		case "cylinder":
		case "cone":
		{
			const core = s.kind === "cone" ? "Cone" : "Cylinder", factory = P.PxConvexCoreGeometryFactory.prototype;
			const shape = new P["PxConvexCore" + core]( 2 * s.half[2], s.radius );
			const geometry = factory["createFrom" + core]( shape, 0 );
			return { geometry: null, support: new P.ConvexGeomSupport( geometry, 0 ) };
		}
		}
		if ( s.points.length > 3 && !is_flat( s.points ) )
		{
			const mesh = cook( s.points );
			return { geometry: new P.PxConvexMeshGeometry( mesh, unit_scale ),
				support: new P.ConvexMeshSupport( mesh, vec( [1, 1, 1] ), new P.PxQuat( 0, 0, 0, 1 ), 0 ) };
		}
		const support = d => s.points.reduce( ( best, p ) => dot( d, p ) > dot( d, best ) ? p : best );
		return { geometry: null, support: custom( support ) };
	}

	function pose( s )
	{
		const q = quaternion_of( rotation_of( s, "x" ) );
		return new P.PxTransform( vec( s.position ), new P.PxQuat( q.x, q.y, q.z, q.w ) );
	}

	function cast( pair, a, b, answer )
	{
		const way = add( pair.motion_b, minus( pair.motion_a ) ), speed = Math.hypot( ...way ), unit = vec( scale( 1 / speed, way ) );
		const length = speed * pair.limit, poses = pair.shapes.map( pose );
		let hit;
		if ( a.geometry && b.geometry )
		{
			hit = new P.PxSweepHit();
			const flags = P.PxHitFlagEnum, wanted = new P.PxHitFlags( flags.ePOSITION | flags.eNORMAL | flags.ePRECISE_SWEEP | flags.eMTD );
			answer.meets = P.PxGeometryQuery.prototype.sweep( unit, length, b.geometry, poses[1], a.geometry, poses[0], hit, wanted ) ? 1 : 0;
			const has_position = hit.flags.isSet( flags.ePOSITION );
			hit = { t: Math.max( hit.distance, 0 ), n: hit.normal, p: has_position ? hit.position : null };
		}
		else
		{
			hit = new P.PxGjkQuerySweepResult();
			P.PxGjkQuery.prototype.sweep( a.support, b.support, poses[0], poses[1], unit, length, hit );
			answer.meets = hit.success ? 1 : 0;
		}
		if ( answer.meets )
		{
			answer.value = hit.t / speed;
			answer.normal = list( hit.n );
			answer.contact = hit.p ? add( list( hit.p ), scale( answer.value, pair.motion_a ) ) : unknown;
		}
	}

	return ( pair, answer ) => {
		const [a, b] = pair.shapes.map( make );
		answer.given = true;
		if ( pair.cast )
		{
			cast( pair, a, b, answer );
			return;
		}
		const result = new P.PxGjkQueryProximityInfoResult();
		P.PxGjkQuery.prototype.proximityInfo( a.support, b.support, pose( pair.shapes[0] ), pose( pair.shapes[1] ), 1, 1, result );
		answer.meets = result.success && result.separation <= 0 ? 1 : 0;
		if ( result.success )
		{
			answer.value = result.separation;
			answer.normal = minus( list( result.separatingAxis ) );
			answer.points = [list( result.pointA ), list( result.pointB )];
		}
	};
}

const ask = await { Jolt: jolt, Rapier: rapier, PhysX: physx }[peer]();
for ( let item = Number( from ); item < pairs.length; ++item )
{
	const answer = { given: false, failure: "", meets: -1, value: NaN, normal: unknown, points: [unknown, unknown], contact: unknown };
	try
	{
		ask( pairs[item], answer );
	}
	catch ( error )
	{
		if ( process.env.BATTERY_DEBUG )
		{
			console.error( item, error );
		}
		answer.given = true;
		answer.failure = "throws";
	}
	const status = answer.failure || ( answer.given ? "ok" : "none" );
	const numbers = [answer.value, ...answer.normal, ...answer.points.flat(), ...answer.contact];
	writeSync( 1, [item, status, answer.meets, ...numbers.map( x => Number.isNaN( x ) ? "nan" : x )].join( " " ) + "\n" );
}
process.exit( 0 );
