// Jolt or Rapier, from npm, about things that fly through walls: node sweeps.mjs PEER HOW FOLDER PASSAGES prints one line per passage,
// as bench_sweeps reads them: whether there is a contact, when, and microseconds. The packages are in FOLDER/node_modules.
//
// Both calculate in single precision. HOW is "cast", a cast of a shape: it translates, so things keep the orientation of the start. Or
// "step", one step of a world without gravity, in which the thing is a body with continuous collision detection (for Jolt
// LinearCast) that flies and turns: it is through the wall if its center is on the other side after the step. Then the time is
// where the center is.

import { readFileSync } from "node:fs";

import { begin_jolt, loader_of, quaternion, upright } from "./npm_peers.mjs";

const [peer, method, folder, file] = process.argv.slice( 2 );
const load = loader_of( folder );

const passages = readFileSync( file, "utf8" ).trim().split( "\n" ).map( line => {
	const n = line.split( " " ).map( Number ), is_round = n[3] === 1, turn = n.slice( 8, 17 );
	return {
		wall: n.slice( 0, 3 ), is_round, half: n.slice( 4, 7 ), radius: n[7], segment: n[6] - n[7],
		turn: quaternion( is_round ? upright( turn ) : turn ), start: n.slice( 17, 20 ), fall: n[20], spin: n.slice( 21, 24 ),
	};
} );

// Prepares a passage and returns what is timed: [whether there is a contact, when].
async function jolt()
{
	const { Jolt, world, system, bodies, all } = await begin_jolt( load );
	const one = new Jolt.Vec3( 1, 1, 1 ), zero = new Jolt.RVec3( 0, 0, 0 ), still = new Jolt.Quat( 0, 0, 0, 1 );
	const how = new Jolt.ShapeCastSettings();
	how.mBackFaceModeConvex = how.mBackFaceModeTriangles = Jolt.EBackFaceMode_CollideWithBackFaces;
	how.mCollisionTolerance = how.mPenetrationTolerance = 1e-5;
	return p => {
		const wall = new Jolt.BoxShape( new Jolt.Vec3( ...p.wall ), 0 );
		const thing = p.is_round ? new Jolt.CapsuleShape( p.segment, p.radius ) : new Jolt.BoxShape( new Jolt.Vec3( ...p.half ), 0 );
		const made = new Jolt.BodyCreationSettings( wall, zero, still, Jolt.EMotionType_Static, 0 );
		const body = bodies.CreateBody( made );
		bodies.AddBody( body.GetID(), Jolt.EActivation_DontActivate );
		const [w, x, y, z] = p.turn;
		if ( method === "step" )
		{
			const at = new Jolt.RVec3( ...p.start ), turn = new Jolt.Quat( x, y, z, w );
			const how = new Jolt.BodyCreationSettings( thing, at, turn, Jolt.EMotionType_Dynamic, 0 );
			how.mMotionQuality = Jolt.EMotionQuality_LinearCast;
			how.mGravityFactor = how.mLinearDamping = how.mAngularDamping = 0;
			how.mLinearVelocity = new Jolt.Vec3( 0, 0, p.fall );
			how.mAngularVelocity = new Jolt.Vec3( ...p.spin );
			how.mAllowSleeping = false;
			const flier = bodies.CreateBody( how );
			bodies.AddBody( flier.GetID(), Jolt.EActivation_Activate );
			return {
				ask: () => {
					world.Step( 1, 1 );
					return answer_of( p, flier.GetPosition().GetZ() );
				},
				end: () => [flier, body].forEach( item => {
					bodies.RemoveBody( item.GetID() );
					bodies.DestroyBody( item.GetID() );
				} ),
			};
		}
		const turn = new Jolt.Quat( x, y, z, w ), place = new Jolt.RVec3( ...p.start );
		const from = Jolt.RMat44.prototype.sRotationTranslation( turn, place ), way = new Jolt.Vec3( 0, 0, p.fall );
		const cast = new Jolt.RShapeCast( thing, one, from, way ), collector = new Jolt.CastShapeClosestHitCollisionCollector();
		return {
			ask: () => {
				system.GetNarrowPhaseQuery().CastShape( cast, how, zero, collector, ...all );
				return collector.HadHit() ? [true, collector.mHit.mFraction] : [false, 1];
			},
			end: () => {
				bodies.RemoveBody( body.GetID() );
				bodies.DestroyBody( body.GetID() );
				[made, turn, place, way, cast, collector].forEach( item => Jolt.destroy( item ) );
			},
		};
	};
}

async function rapier()
{
	const R = await load( "@dimforge/rapier3d-compat/dist/rapier.mjs" );
	await R.init();
	const zero = { x: 0, y: 0, z: 0 }, still = { w: 1, x: 0, y: 0, z: 0 };
	return p => {
		const wall = new R.Cuboid( ...p.wall ), thing = p.is_round ? new R.Capsule( p.segment, p.radius ) : new R.Cuboid( ...p.half );
		const [w, x, y, z] = p.turn, at = { x: p.start[0], y: p.start[1], z: p.start[2] }, way = { x: 0, y: 0, z: p.fall };
		if ( method === "step" )
		{
			const world = new R.World( zero ), v = i => ( { x: i[0], y: i[1], z: i[2] } );
			world.timestep = 1;
			const rest = world.createRigidBody( R.RigidBodyDesc.fixed() );
			world.createCollider( R.ColliderDesc.cuboid( ...p.wall ), rest );
			const how = R.RigidBodyDesc.dynamic().setTranslation( ...p.start ).setRotation( { w, x, y, z } ).setCcdEnabled( true );
			const flier = world.createRigidBody( how.setLinvel( 0, 0, p.fall ).setAngvel( v( p.spin ) ) );
			world.createCollider( p.is_round ? R.ColliderDesc.capsule( p.segment, p.radius ) : R.ColliderDesc.cuboid( ...p.half ), flier );
			return {
				ask: () => {
					world.step();
					return answer_of( p, flier.translation().z );
				},
				end: () => world.free(),
			};
		}
		return {
			ask: () => {
				const hit = wall.castShape( zero, still, zero, thing, at, { w, x, y, z }, way, 0, 1, true );
				return hit ? [true, hit.time_of_impact] : [false, 1];
			},
			end: () => {},
		};
	};
}

// The center's height after a step says whether the thing was stopped.
const answer_of = ( p, z ) => z > -p.wall[2] ? [true, ( z - p.start[2] ) / p.fall] : [false, 1];

const prepare = await { Jolt: jolt, Rapier: rapier }[peer]();
const first = prepare( passages[0] ); // not timed: everything is compiled
first.ask();
first.end();
for ( const p of passages )
{
	const prepared = prepare( p ), start = performance.now(), [found, time] = prepared.ask(), ms = performance.now() - start;
	prepared.end();
	console.log( `${found ? 1 : 0} ${time} ${1000 * ms}` );
}
