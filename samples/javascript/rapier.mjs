// Gives Rapier what is in two .bvh files, lets the first one fall onto the second, and compares what it does with libbv.
//
//   node rapier.mjs BODY.bvh GROUND.bvh
//
// Exit code 0: at rest where it has to be, 1: not so, 2: usage, or a file that lacks something. rapier.md explains it.

import RAPIER from '@dimforge/rapier3d-compat';
import { bodyOf, compareRays, giveUp, groundOf, openFiles, principal, report, startAbove } from './shared.mjs';

const [ bodyFile, groundFile ] = await openFiles( 'rapier.mjs BODY.bvh GROUND.bvh' );
await RAPIER.init();

const vector = ( [ x, y, z ] ) => ( { x, y, z } );
const quaternion = ( [ x, y, z, w ] ) => ( { x, y, z, w } );
const numbers = ( { x, y, z } ) => [ x, y, z ];
const quaternionNumbers = ( { x, y, z, w } ) => [ x, y, z, w ];

function colliderOf( piece )
{
	const { kind, position = [ 0, 0, 0 ], rotation = [ 0, 0, 0, 1 ] } = piece;
	const collider = {
		// The triangles are those of the hull already. convexHull would compute it again, in three times the time.
		hull: () => RAPIER.ColliderDesc.convexMesh( new Float32Array( piece.points ), piece.triangles ),
		box: () => RAPIER.ColliderDesc.cuboid( ...piece.halfExtents ),
		sphere: () => RAPIER.ColliderDesc.ball( piece.radius ),
		capsule: () => RAPIER.ColliderDesc.capsule( piece.halfHeight, piece.radius ),
		cylinder: () => RAPIER.ColliderDesc.cylinder( piece.halfHeight, piece.radius ),
	}[kind]();
	// Density 0: the mass is that of the file, and colliders would add theirs to it.
	if ( collider === null )
	{
		giveUp( `${ bodyFile.path }: Rapier rejects a hull` );
	}
	return collider.setTranslation( ...position ).setRotation( quaternion( rotation ) ).setDensity( 0 ).setFriction( 0.8 );
}

// The first file, as a body that moves.
const world = new RAPIER.World( { x: 0, y: -9.81, z: 0 } );
const from = bodyOf( bodyFile );
const start = startAbove( bodyFile, groundFile );
const { moments, rotation } = principal( from.inertia );
const body = world.createRigidBody( RAPIER.RigidBodyDesc.dynamic()
	.setTranslation( ...start.position )
	.setRotation( quaternion( start.rotation ) )
	.setLinearDamping( 0.1 )
	.setAngularDamping( 0.4 )
	.setAdditionalMassProperties( from.mass, vector( from.centerOfMass ), vector( moments ), quaternion( rotation ) ) );
const colliders = from.pieces.map( piece => world.createCollider( colliderOf( piece ), body ) );

// The second one, which stays where it is.
const mesh = groundOf( groundFile );
const ground = world.createCollider( RAPIER.ColliderDesc.trimesh( mesh.positions, mesh.triangles ).setFriction( 0.8 ) );

let seconds = 0;
for ( ; seconds < 20 && !body.isSleeping(); seconds += world.timestep )
{
	world.step();
}

report( bodyFile, groundFile, from, {
	volume: colliders.reduce( ( sum, collider ) => sum + collider.volume(), 0 ),
	mass: body.mass(),
	centerOfMass: numbers( body.localCom() ),
	moments: numbers( body.principalInertia() ),
	frame: quaternionNumbers( body.principalInertiaLocalFrame() ),
	rests: body.isSleeping(),
	seconds,
	position: numbers( body.translation() ),
	rotation: quaternionNumbers( body.rotation() ),
	rays: compareRays( groundFile, ( origin, direction ) =>
	{
		const time = ground.castRay( new RAPIER.Ray( vector( origin ), vector( direction ) ), 1, false );
		return time >= 0 ? time : null;
	} ),
} );
