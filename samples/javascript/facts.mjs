// Measures what jolt.md and rapier.md say of the engines: node facts.mjs. All lengths are meters.

import RAPIER from '@dimforge/rapier3d-compat';
import initJolt from 'jolt-physics';
import { Vector3 } from 'three';
import { ConvexHull } from 'three/addons/math/ConvexHull.js';
import { makeWorld } from './jolt_world.mjs';
import { raysAt } from './shared.mjs';

await RAPIER.init();
const Jolt = await initJolt();
const vec3 = ( ...v ) => new Jolt.Vec3( ...v );
const rvec3 = ( ...v ) => new Jolt.RVec3( ...v );
const upright = new Jolt.Quat( 0, 0, 0, 1 );

// The corners of a box around the origin, and points of a sphere of radius 1, of which no four are in one plane.
const box = ( x, y, z ) => [ 0, 1, 2, 3, 4, 5, 6, 7 ].map( i => [ i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, i & 4 ? z / 2 : -z / 2 ] );
const cube = box( 1, 1, 1 );
const ball = count => Array.from( { length: count }, ( _, i ) =>
{
	const height = 1 - 2 * ( i + 0.5 ) / count;
	const round = Math.sqrt( 1 - height * height );
	return [ round * Math.cos( 2.399963 * i ), height, round * Math.sin( 2.399963 * i ) ];
} );

// A piece of a shell as parts of round objects are, 20 cm wide and 1 cm thick: neighboring faces are nearly in one plane.
const shell = Array.from( { length: 60 }, ( _, i ) =>
{
	const out = 0.1 * Math.sqrt( ( i % 30 + 0.5 ) / 30 );
	return [ out * Math.cos( 2.399963 * i ), ( i < 30 ? 0.01 : 0 ) - 2 * out * out, out * Math.sin( 2.399963 * i ) ];
} );

function joltHull( points, convexRadius = 0 )
{
	const settings = new Jolt.ConvexHullShapeSettings();
	settings.mMaxConvexRadius = convexRadius;
	points.forEach( point => settings.mPoints.push_back( vec3( ...point ) ) );
	const result = settings.Create();
	if ( result.HasError() )
	{
		throw new Error( result.GetError().c_str() );
	}
	return result.Get();
}

const rapierHull = points => RAPIER.ColliderDesc.convexHull( new Float32Array( points.flat() ) );

// A world takes some of the memory of Jolt's module, which does not grow.
function inJolt( use )
{
	const world = makeWorld( Jolt );
	const result = use( world );
	Jolt.destroy( world );
	return result;
}

function joltBody( world, shape, height, motion )
{
	const bodies = world.GetPhysicsSystem().GetBodyInterface();
	const body = bodies.CreateBody( new Jolt.BodyCreationSettings( shape, rvec3( 0, height, 0 ), upright, motion, 0 ) );
	bodies.AddBody( body.GetID(), Jolt.EActivation_Activate );
	return body;
}

// How far inside of the corner of a cube a tiny ball ends that moves towards it along the diagonal.
function cornerOfJolt( world, convexRadius )
{
	const tiny = 1e-3;
	const body = joltBody( world, joltHull( cube, convexRadius ), 0, Jolt.EMotionType_Static );
	const settings = new Jolt.ShapeCastSettings();
	settings.mCollisionTolerance = 1e-6;
	settings.mUseShrunkenShapeAndConvexRadius = true; // As contacts do.
	const start = Jolt.RMat44.prototype.sTranslation( rvec3( 1, 1, 1 ) );
	const hit = new Jolt.CastShapeClosestHitCollisionCollector();
	body.GetTransformedShape().CastShape( new Jolt.RShapeCast( new Jolt.SphereShape( tiny ), vec3( 1, 1, 1 ), start, vec3( -1, -1, -1 ) ),
		settings, rvec3( 0, 0, 0 ), hit, new Jolt.ShapeFilter() );
	return Math.sqrt( 3 ) * ( 0.5 - ( 1 - hit.mHit.mFraction ) ) + tiny;
}

// How deep a cube is in the ground when it is at rest; the ground ends at height 0.
function sinkingOfJolt( world, slop )
{
	const system = world.GetPhysicsSystem();
	const physics = system.GetPhysicsSettings();
	physics.mPenetrationSlop = slop ?? physics.mPenetrationSlop;
	system.SetPhysicsSettings( physics );
	joltBody( world, joltHull( box( 10, 1, 10 ) ), -0.5, Jolt.EMotionType_Static );
	const body = joltBody( world, joltHull( cube ), 1, Jolt.EMotionType_Dynamic );
	for ( let i = 0; i < 1200 && body.IsActive(); ++i )
	{
		world.Step( 1 / 60, 1 );
	}
	return 0.5 - body.GetPosition().GetY();
}

function sinkingOfRapier()
{
	const world = new RAPIER.World( { x: 0, y: -9.81, z: 0 } );
	world.createCollider( rapierHull( box( 10, 1, 10 ) ).setTranslation( 0, -0.5, 0 ) );
	const body = world.createRigidBody( RAPIER.RigidBodyDesc.dynamic().setTranslation( 0, 1, 0 ) );
	world.createCollider( rapierHull( cube ), body );
	for ( let i = 0; i < 1200 && !body.isSleeping(); ++i )
	{
		world.step();
	}
	return 0.5 - body.translation().y;
}

// The mass of a cube in a body that was given 500 kg, or nothing.
function massOfRapier( given )
{
	const world = new RAPIER.World( { x: 0, y: 0, z: 0 } );
	const body = world.createRigidBody( RAPIER.RigidBodyDesc.dynamic().setAdditionalMass( given ) );
	world.createCollider( rapierHull( cube ), body );
	world.step();
	return body.mass();
}

const volumeInRapier = points => new RAPIER.World( { x: 0, y: 0, z: 0 } ).createCollider( rapierHull( points ) ).volume();

// In doubles, by the triangles of three.js's hull.
function volumeOf( points )
{
	let volume = 0;
	for ( const face of new ConvexHull().setFromPoints( points.map( point => new Vector3( ...point ) ) ).faces )
	{
		for ( let edge = face.edge.next; edge.next !== face.edge; edge = edge.next )
		{
			const [ a, b, c ] = [ face.edge, edge, edge.next ].map( each => each.head().point );
			volume += a.clone().cross( b ).dot( c ) / 6;
		}
	}
	return volume;
}

// How many of 1000 rays have an error of more than 0.1 %, or hit where there is nothing to hit, and the other way around.
function errorsOfRays( world, points )
{
	const { faces } = new ConvexHull().setFromPoints( points.map( point => new Vector3( ...point ) ) );
	const right = ( origin, direction ) =>
	{
		let [ first, last ] = [ 0, 1 ];
		for ( const { normal, midpoint } of faces )
		{
			const ahead = normal.dot( midpoint.clone().sub( new Vector3( ...origin ) ) );
			const speed = normal.dot( new Vector3( ...direction ) );
			[ first, last ] = speed < 0 ? [ Math.max( first, ahead / speed ), last ] : [ first, Math.min( last, ahead / speed ) ];
		}
		return first <= last ? first : null;
	};
	const placed = joltBody( world, joltHull( points ), 0, Jolt.EMotionType_Static ).GetTransformedShape();
	const collider = new RAPIER.World( { x: 0, y: 0, z: 0 } ).createCollider( rapierHull( points ) );
	const errors = [ 0, 0 ];
	for ( const { origin, direction } of raysAt( { lower: [ -0.1, -0.02, -0.1 ], upper: [ 0.1, 0.01, 0.1 ] }, 1000 ) )
	{
		const expected = right( origin, direction );
		const hit = new Jolt.RayCastResult();
		placed.CastRay( new Jolt.RRayCast( rvec3( ...origin ), vec3( ...direction ) ), hit );
		const [ from, along ] = [ origin, direction ].map( ( [ x, y, z ] ) => ( { x, y, z } ) );
		[ hit.mFraction, collider.castRay( new RAPIER.Ray( from, along ), 1, true ) ].forEach( ( time, i ) =>
		{
			const found = time >= 0 && time <= 1 ? time : null;
			errors[i] += +( found === null || expected === null ? found !== expected : Math.abs( found / expected - 1 ) > 1e-3 );
		} );
		Jolt.destroy( hit );
	}
	return errors;
}

// Does a ray from below hit a triangle that faces upward?
const triangle = { vertices: [ [ -1, 0, 1 ], [ 1, 0, 1 ], [ 0, 0, -1 ] ], ray: [ [ 0, -1, 0 ], [ 0, 2, 0 ] ] };
function backInJolt( world )
{
	const [ vertices, indices ] = [ new Jolt.VertexList(), new Jolt.IndexedTriangleList() ];
	triangle.vertices.forEach( v => vertices.push_back( new Jolt.Float3( ...v ) ) );
	indices.push_back( new Jolt.IndexedTriangle( 0, 1, 2, 0 ) );
	const mesh = new Jolt.MeshShapeSettings( vertices, indices, new Jolt.PhysicsMaterialList() ).Create().Get();
	const placed = joltBody( world, mesh, 0, Jolt.EMotionType_Static ).GetTransformedShape();
	const ray = new Jolt.RRayCast( rvec3( ...triangle.ray[0] ), vec3( ...triangle.ray[1] ) );
	const hit = new Jolt.RayCastResult();
	placed.CastRay( ray, hit );
	const collector = new Jolt.CastRayClosestHitCollisionCollector();
	placed.CastRay( ray, new Jolt.RayCastSettings(), collector, new Jolt.ShapeFilter() );
	return [ hit.mFraction <= 1, collector.HadHit() ];
}

function backInRapier()
{
	const world = new RAPIER.World( { x: 0, y: 0, z: 0 } );
	const [ origin, direction ] = triangle.ray.map( ( [ x, y, z ] ) => ( { x, y, z } ) );
	return world.createCollider( RAPIER.ColliderDesc.trimesh( new Float32Array( triangle.vertices.flat() ), new Uint32Array( [ 0, 1, 2 ] ) ) )
		.castRay( new RAPIER.Ray( origin, direction ), 1, false ) >= 0;
}

const line = ( what, jolt, rapier, right = '' ) =>
	console.log( `${ what.padEnd( 50 ) } ${ [ jolt, rapier, right ].map( x => String( x ).padStart( 8 ) ).join( ' ' ) }`.trimEnd() );
const millimeters = x => ( 1000 * x ).toFixed( 2 );
const yes = x => ( x ? 'yes' : 'no' );
line( '', 'Jolt', 'Rapier', 'right' );
line( 'mass of a cube of 1 m if nothing is said, kg', joltHull( cube ).GetMassProperties().mMass.toFixed( 1 ), massOfRapier( 0 ).toFixed( 1 ) );
line( 'and if the body is given 500 kg as well', '-', massOfRapier( 500 ).toFixed( 1 ) );
line( 'depth at rest of that cube in the ground, mm', millimeters( inJolt( sinkingOfJolt ) ), millimeters( sinkingOfRapier() ), '0.00' );
line( 'with mPenetrationSlop = 0.001', millimeters( inJolt( world => sinkingOfJolt( world, 0.001 ) ) ), '-' );
line( 'convex radius of boxes unless told, mm', millimeters( new Jolt.BoxShapeSettings( vec3( 1, 1, 1 ) ).mConvexRadius ), '-' );
line( 'convex radius of hulls unless told, mm', millimeters( new Jolt.ConvexHullShapeSettings().mMaxConvexRadius ), '-' );
for ( const radius of [ 0.01, 0.05, 0.2 ] )
{
	line( `cut off a corner of it with the radius ${ 1000 * radius }, mm`, millimeters( inJolt( world => cornerOfJolt( world, radius ) ) ), '-' );
}
for ( const count of [ 100, 256, 1000 ] )
{
	const points = ball( count );
	line( `volume of the hull of ${ count } points of a sphere`, ...[ joltHull( points ).GetVolume(), volumeInRapier( points ), volumeOf( points ) ].map( x => x.toFixed( 4 ) ) );
}
line( 'volume of a piece of a shell with 60 corners, cm3', ...[ joltHull( shell ).GetVolume(), volumeInRapier( shell ), volumeOf( shell ) ].map( x => ( 1e6 * x ).toFixed( 2 ) ) );
const errors = inJolt( world => errorsOfRays( world, shell ) );
line( 'of 1000 rays at it are more than 0.1 % off', ...errors, 0 );
for ( const thickness of [ 0.002, 0.001, 0.0005, 0.0002 ] )
{
	const plate = box( 1, thickness, 1 );
	const part = volume => `${ ( 100 * volume / thickness ).toFixed( 0 ) } %`;
	line( `volume left of a plate of 1 m, thick ${ 1000 * thickness } mm`, part( joltHull( plate ).GetVolume() ), part( volumeInRapier( plate ) ), '100 %' );
}
const backs = inJolt( backInJolt );
line( 'a ray hits the back of a triangle: CastRay, castRay', yes( backs[0] ), yes( backInRapier() ) );
line( 'CastRay with RayCastSettings and a collector', yes( backs[1] ), '-' );
