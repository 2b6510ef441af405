// A world of Jolt in which all objects are in one layer and collide.

/** @param Jolt  what the function of the package jolt-physics returned */
export function makeWorld( Jolt )
{
	const settings = new Jolt.JoltSettings();
	const pairs = new Jolt.ObjectLayerPairFilterTable( 1 );
	pairs.EnableCollision( 0, 0 );
	const layers = new Jolt.BroadPhaseLayerInterfaceTable( 1, 1 );
	layers.MapObjectToBroadPhaseLayer( 0, new Jolt.BroadPhaseLayer( 0 ) );
	settings.mObjectLayerPairFilter = pairs;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable( layers, 1, pairs, 1 );
	return new Jolt.JoltInterface( settings );
}
