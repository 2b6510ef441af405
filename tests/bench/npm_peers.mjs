// What programs for Jolt, Rapier and PhysX from npm have in common: how packages are loaded, rotations, and an empty world of Jolt.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

// @return a function that loads a file of a package in FOLDER/node_modules
export const loader_of = folder => path => import( pathToFileURL( resolve( folder, "node_modules", path ) ).href );

// @param r  a rotation matrix, by rows
// @return [w, x, y, z]
export function quaternion( r )
{
	const w = r[0] + r[4] + r[8], parts = [w, r[0] - r[4] - r[8], r[4] - r[0] - r[8], r[8] - r[0] - r[4]];
	const most = parts.indexOf( Math.max( ...parts ) ), root = Math.sqrt( 1 + parts[most] ), s = 0.5 / root;
	return [
		[0.5 * root, s * ( r[7] - r[5] ), s * ( r[2] - r[6] ), s * ( r[3] - r[1] )],
		[s * ( r[7] - r[5] ), 0.5 * root, s * ( r[1] + r[3] ), s * ( r[2] + r[6] )],
		[s * ( r[2] - r[6] ), s * ( r[1] + r[3] ), 0.5 * root, s * ( r[5] + r[7] )],
		[s * ( r[3] - r[1] ), s * ( r[2] + r[6] ), s * ( r[5] + r[7] ), 0.5 * root],
	][most];
}

// Axes of capsules are z here and y in Jolt and Rapier: columns x, z, -y.
export const upright = r => [0, 3, 6].flatMap( i => [r[i], r[i + 2], -r[i + 1]] );

// A world of Jolt with one layer, and filters that let everything through.
export async function begin_jolt( load )
{
	const Jolt = await ( await load( "jolt-physics/dist/jolt-physics.wasm-compat.js" ) ).default();
	const settings = new Jolt.JoltSettings();
	const filter = new Jolt.ObjectLayerPairFilterTable( 1 );
	const layers = new Jolt.BroadPhaseLayerInterfaceTable( 1, 1 );
	filter.EnableCollision( 0, 0 );
	layers.MapObjectToBroadPhaseLayer( 0, new Jolt.BroadPhaseLayer( 0 ) );
	settings.mObjectLayerPairFilter = filter;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable( layers, 1, filter, 1 );
	const world = new Jolt.JoltInterface( settings ), system = world.GetPhysicsSystem(), bodies = system.GetBodyInterface();
	const all = [new Jolt.BroadPhaseLayerFilter(), new Jolt.ObjectLayerFilter(), new Jolt.BodyFilter(), new Jolt.ShapeFilter()];
	return { Jolt, world, system, bodies, all };
}
