// Compiled, not run: the types say what the package takes and gives. Lines after @ts-expect-error must be errors.

import { BvConvex, BvError, BvFile, BvScene, convexCast, convexContacts, convexDistance, convexOverlap, init, memoryBytes, NO_TRIANGLE, timeOfImpact } from 'bvbuild';
import { build } from 'bvbuild/builder';
import type { RayHit, Vector3 } from 'bvbuild';

await init( new URL( 'https://example.org/bv.wasm' ) );
await init( fetch( 'bv.wasm' ) );
using file: BvFile = await BvFile.open( new Uint8Array( 3 ) );
const same = BvFile.openSync( new ArrayBuffer( 8 ) );

const hit: RayHit | null = file.castRay( [ 0, 0, 1 ], { x: 0, y: 0, z: -1 }, { to: 5, any: true, pose: { position: [ 1, 2, 3 ] } } );
const point: Vector3 | undefined = hit?.point;
// @ts-expect-error: it can be null
hit.time;
// @ts-expect-error: a misspelled option
file.castRay( [ 0, 0, 1 ], [ 0, 0, 1 ], { form: 1 } );
// @ts-expect-error: no vector
file.castRay( 'up', [ 0, 0, 1 ] );
// @ts-expect-error: ranges are not for batches
file.castRays( new Float64Array( 6 ), { from: 1 } );
const hits = file.castRays( new Float64Array( 6 ), { noBacks: true } );
const first: boolean = hits.triangle[0] === NO_TRIANGLE;
const inside: boolean | undefined = file.contains( [ 0, 0, 0 ] );
const apart: number | undefined = file.distance( same, { elements: new Float32Array( 16 ) }, { limit: 3 } )?.distance;
const pairs: Uint32Array = file.collide( same, null, { first: true } );
const triangles: Uint32Array = file.overlapBox( [ 0, 0, 0 ], [ 1, 1, 1 ] );
const volumes: number[] = file.parts.map( part => part.mass );
const name: string | undefined = file.source( 0 )?.object;
const best = file.primitives?.best;
if ( best === 'sphere' )
{
	const radius: number | undefined = file.primitives?.sphere?.radius;
}
// @ts-expect-error: there is no such primitive
best === 'torus';
// @ts-expect-error: read-only
file.info.vertices = 3;
// @ts-expect-error: made by open
new BvFile();

const ball = BvConvex.sphere( [ 0, 0, 0 ], 1 ).round( 0.5 );
const hull = BvConvex.hull( file );
const distance: number = convexDistance( ball, hull, [ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 ] ).lower;
const touching: boolean = convexOverlap( ball, hull );
const when: number | undefined = convexCast( ball, hull, undefined, [ 0, 0, 1 ], [ 0, 0, 0 ] )?.lower;
const depths: number[] = convexContacts( ball, hull ).contacts.map( contact => contact.separation );
const impact = timeOfImpact( file, { end: { position: [ 1, 0, 0 ] } }, ball, { axis: [ 0, 0, 1 ], angle: 3 }, { separation: 1 } );
const certain: boolean = impact.certain;
// @ts-expect-error: a screw needs an axis
timeOfImpact( file, { kind: 'screw' }, ball, null );

const scene = new BvScene( { objects: 10 } );
const number: number = scene.add( file, null, { group: 1 } );
const begun: Uint32Array = scene.update().begun;
const struck: number | undefined = scene.castRay( [ 0, 0, 0 ], [ 1, 0, 0 ] )?.number;
try
{
	scene.free();
}
catch ( error )
{
	if ( error instanceof BvError && error.status === 'damaged' )
	{
		console.log( memoryBytes(), point, first, inside, apart, pairs, triangles, volumes, name, distance, touching, when, depths, certain, number, begun, struck );
	}
}

const built = await build( new Uint8Array( 3 ), { format: 'obj', decompose: '1%', maxParts: 8 }, { onProgress: ( stage, done ) => console.log( stage.length, done ) } );
const bytes: Uint8Array = built.file;
const advice: string[] = built.warnings.map( warning => warning.advice ?? 'none' );
await build( bytes, { format: 'obj', sections: [ 'none', 'hull' ], object: [ 'a', 'b' ], gate: 'mesh.closed' } );
// @ts-expect-error: a list of texts
await build( bytes, { format: 'obj', sections: [ 1 ] } );
// @ts-expect-error: misspelled
await build( bytes, { format: 'obj' }, { onprogress: () => {} } );
// @ts-expect-error: there may be none
const always: string = built.warnings[0].advice;
console.log( advice, always );
// @ts-expect-error: the format is missing
await build( bytes, { decompose: '1%' } );
