// Gives Jolt what is in two .bvh files, lets the first one fall onto the second, and compares what it does with libbv.
//
//   node jolt.mjs BODY.bvh GROUND.bvh
//
// Exit code 0: at rest where it has to be, 1: not so, 2: usage, or a file that lacks something. jolt.md explains it.

import initJolt from 'jolt-physics';
import { makeWorld } from './jolt_world.mjs';
import { bodyOf, compareRays, giveUp, groundOf, minus, openFiles, report, startAbove } from './shared.mjs';

const [ bodyFile, groundFile ] = await openFiles( 'jolt.mjs BODY.bvh GROUND.bvh' );
const Jolt = await initJolt();

// Arguments are copied by what they are given to, so that one object of each type is enough. What is created and not owned by Jolt
// would have to be destroyed.
const [ aVec3, aRVec3, aQuat, aVec4 ] = [ new Jolt.Vec3(), new Jolt.RVec3(), new Jolt.Quat(), new Jolt.Vec4() ];
const set = object => numbers => ( object.Set( ...numbers ), object );
const [ vec3, rvec3, quat, vec4 ] = [ aVec3, aRVec3, aQuat, aVec4 ].map( set );
const numbersOf = v => [ v.GetX(), v.GetY(), v.GetZ() ];
const quaternionOf = q => [ q.GetX(), q.GetY(), q.GetZ(), q.GetW() ];

function append( list, item )
{
	list.push_back( item );
	Jolt.destroy( item );
}

function created( settings )
{
	const result = settings.Create();
	return result.HasError() ? giveUp( `Jolt: ${ result.GetError().c_str() }` ) : result.Get();
}

// The convex radius is that of the corners: 0 keeps the shape as it is in the file. Boxes and cylinders have 0.05 m unless told.
const convexRadius = 0;

function settingsOf( piece )
{
	switch ( piece.kind )
	{
	case 'box':
		return new Jolt.BoxShapeSettings( vec3( piece.halfExtents ), convexRadius );
	case 'sphere':
		return new Jolt.SphereShapeSettings( piece.radius );
	case 'capsule':
		return new Jolt.CapsuleShapeSettings( piece.halfHeight, piece.radius );
	case 'cylinder':
		return new Jolt.CylinderShapeSettings( piece.halfHeight, piece.radius, convexRadius );
	default:
		const hull = new Jolt.ConvexHullShapeSettings();
		hull.mMaxConvexRadius = convexRadius;
		for ( let i = 0; i < piece.points.length; i += 3 )
		{
			hull.mPoints.push_back( vec3( piece.points.subarray( i, i + 3 ) ) );
		}
		return hull;
	}
}

// A body that moves: a compound whose center of mass is moved to that of the file.
function shapeOf( { pieces, centerOfMass } )
{
	const settings = new Jolt.StaticCompoundShapeSettings();
	for ( const piece of pieces )
	{
		const { position = [ 0, 0, 0 ], rotation = [ 0, 0, 0, 1 ] } = piece;
		const child = settingsOf( piece );
		settings.AddShapeShapeSettings( vec3( position ), quat( rotation ), child, 0 );
	}
	const compound = created( settings );
	const offset = minus( centerOfMass, numbersOf( compound.GetCenterOfMass() ) );
	console.log( `of its own the shape would have ${ compound.GetMassProperties().mMass.toFixed( 2 ) } kg, ` +
		`and its center of mass ${ ( 1000 * Math.hypot( ...offset ) ).toFixed( 2 ) } mm away` );
	return new Jolt.OffsetCenterOfMassShape( compound, vec3( offset ) );
}

function meshShapeOf( { positions, triangles } )
{
	const vertices = new Jolt.VertexList();
	const indices = new Jolt.IndexedTriangleList();
	for ( let i = 0; i < positions.length; i += 3 )
	{
		append( vertices, new Jolt.Float3( ...positions.subarray( i, i + 3 ) ) );
	}
	for ( let i = 0; i < triangles.length; i += 3 )
	{
		append( indices, new Jolt.IndexedTriangle( ...triangles.subarray( i, i + 3 ), 0 ) );
	}
	return created( new Jolt.MeshShapeSettings( vertices, indices, new Jolt.PhysicsMaterialList() ) );
}

const world = makeWorld( Jolt );
const system = world.GetPhysicsSystem();
const bodies = system.GetBodyInterface();

// Bodies sink in by this much, 2 cm unless told, before Jolt moves them out.
const physics = system.GetPhysicsSettings();
physics.mPenetrationSlop = 0.001;
system.SetPhysicsSettings( physics );

const from = bodyOf( bodyFile );
const shape = shapeOf( from );
const start = startAbove( bodyFile, groundFile );
const settings = new Jolt.BodyCreationSettings( shape, rvec3( start.position ), quat( start.rotation ), Jolt.EMotionType_Dynamic, 0 );
// The mass and the inertia about the center of mass, not those of the shape at 1000 kg/m3.
settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
settings.mMassPropertiesOverride.mMass = from.mass;
from.inertia.forEach( ( row, i ) => settings.mMassPropertiesOverride.mInertia.SetColumn4( i, vec4( [ ...row, 0 ] ) ) );
settings.mFriction = 0.8;
settings.mLinearDamping = 0.1;
settings.mAngularDamping = 0.4;
const body = bodies.CreateBody( settings );
bodies.AddBody( body.GetID(), Jolt.EActivation_Activate );

const groundSettings = new Jolt.BodyCreationSettings( meshShapeOf( groundOf( groundFile ) ), rvec3( [ 0, 0, 0 ] ), quat( [ 0, 0, 0, 1 ] ), Jolt.EMotionType_Static, 0 );
groundSettings.mFriction = 0.8;
const ground = bodies.CreateBody( groundSettings );
bodies.AddBody( ground.GetID(), Jolt.EActivation_DontActivate );

let steps = 0;
while ( steps < 1200 && body.IsActive() )
{
	world.Step( 1 / 60, 1 );
	++steps;
}

// The position of a body is where the origin of its file is.
const motion = body.GetMotionProperties();
const [ ray, hit, placed ] = [ new Jolt.RRayCast(), new Jolt.RayCastResult(), ground.GetTransformedShape() ];
report( bodyFile, groundFile, from, {
	volume: shape.GetVolume(),
	mass: 1 / motion.GetInverseMass(),
	centerOfMass: numbersOf( shape.GetCenterOfMass() ),
	moments: numbersOf( motion.GetInverseInertiaDiagonal() ).map( x => 1 / x ),
	frame: quaternionOf( motion.GetInertiaRotation() ),
	rests: !body.IsActive(),
	seconds: steps / 60,
	position: numbersOf( body.GetPosition() ),
	rotation: quaternionOf( body.GetRotation() ),
	rays: compareRays( groundFile, ( origin, direction ) =>
	{
		ray.mOrigin = rvec3( origin );
		ray.mDirection = vec3( direction );
		hit.Reset();
		placed.CastRay( ray, hit );
		return hit.mFraction <= 1 ? hit.mFraction : null;
	} ),
} );
