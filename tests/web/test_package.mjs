// Tests of the npm package in Node.js: what callers get wrong, broken files, memory, workers. That answers are right is tested by
// comparing all bits with native ones (answers.mjs).
//
//   BV_PACKAGE=FOLDER BV_FILE=FILE.bvh BV_BARE=FILE-WITH-MESH-AND-BOUNDS.bvh node --expose-gc test_package.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const folder = resolve( process.env.BV_PACKAGE );
const bytes = await readFile( process.env.BV_FILE );
const bv = await import( `${ folder }/index.js` );

await test( 'before the module is loaded, shapes and scenes say so', () =>
{
	assert.throws( () => bv.BvConvex.sphere( [ 0, 0, 0 ], 1 ), { name: 'BvError', message: /await init\(\)/ } );
	assert.throws( () => new bv.BvScene(), { name: 'BvError', message: /await init\(\)/ } );
} );

await test( 'a module that is not there can be tried again', async () =>
{
	await assert.rejects( bv.init( 'file:///nowhere/bv.wasm' ) );
	await assert.rejects( bv.init( new Uint8Array( [ 1, 2, 3 ] ) ), WebAssembly.CompileError );
	await bv.init( await readFile( `${ folder }/bv.wasm` ) );
} );

const file = await bv.BvFile.open( bytes );

await test( 'wrong types, shapes and NaN are exceptions with one line', () =>
{
	const ball = bv.BvConvex.sphere( [ 0, 0, 0 ], 1 );
	const up = [ 0, 0, 1 ];
	const parts = bv.BvFile.openSync( readFileSync( new URL( '../golden/1.1-parts.bvh', import.meta.url ) ) );
	const wrong = [
		[ TypeError, () => file.castRay() ],
		[ TypeError, () => file.castRay( [ 0, 0 ], up ) ],
		[ TypeError, () => file.castRay( [ 0, 0, '1' ], up ) ],
		[ TypeError, () => file.castRay( { x: 0, y: 0 }, up ) ],
		[ TypeError, () => file.castRay( { x: 0, y: 0, z: '0' }, up ) ],
		[ TypeError, () => file.castRay( up, up, { form: 1 } ) ],
		[ TypeError, () => file.castRay( up, up, 1 ) ],
		[ TypeError, () => file.castRay( up, up, { from: '1' } ) ],
		[ TypeError, () => file.castRay( up, up, { pose: [ 1, 2, 3 ] } ) ],
		[ TypeError, () => file.castRay( up, up, { pose: 1 } ) ],
		[ TypeError, () => file.castRay( up, up, { pose: {} } ) ],
		[ TypeError, () => file.castRay( up, up, { pose: { quaternion: [ 0, 0, 0 ] } } ) ],
		[ TypeError, () => file.castRays( 1 ) ],
		[ TypeError, () => file.castRays( new BigInt64Array( 6 ) ) ],
		[ TypeError, () => file.distance( ball ) ],
		[ TypeError, () => file.overlapConvex( file ) ],
		[ TypeError, () => bv.convexDistance( ball, file ) ],
		[ TypeError, () => bv.timeOfImpact( ball, 1, file, null ) ],
		[ TypeError, () => bv.timeOfImpact( ball, { stat: {} }, file, null ) ],
		[ TypeError, () => bv.timeOfImpact( 1, null, file, null ) ],
		[ TypeError, () => new bv.BvFile() ],
		[ TypeError, () => new bv.BvConvex() ],
		[ TypeError, () => bv.BvFile.openSync( 'rock.bvh' ) ],
		[ TypeError, () => bv.BvFile.openSync( [ 1, 2, 3 ] ) ],
		[ TypeError, () => bv.BvFile.openSync() ],
		[ RangeError, () => file.castRay( [ NaN, 0, 0 ], up ) ],
		[ RangeError, () => file.castRay( new Float32Array( [ 0, Infinity, 0 ] ), up ) ],
		[ RangeError, () => file.castRay( up, up, { from: -1 } ) ],
		[ RangeError, () => file.castRay( up, up, { to: NaN } ) ],
		[ RangeError, () => file.castRays( new Float64Array( 7 ) ) ],
		[ RangeError, () => file.overlapSphere( up, -1 ) ],
		[ RangeError, () => file.source( 1e9 ) ],
		[ RangeError, () => file.source( 0.5 ) ],
		[ RangeError, () => file.mass( 'body parts' ) ],
		[ RangeError, () => bv.BvConvex.part( parts, parts.info.parts ) ],
		[ RangeError, () => bv.BvConvex.points( [ 1, 2 ] ) ],
		[ RangeError, () => bv.timeOfImpact( ball, { kind: 'jump' }, file, null ) ],
		[ RangeError, () => new bv.BvScene( { objects: -1 } ) ],
		[ bv.BvError, () => file.castRay( up, [ 0, 0, 0 ] ) ],
		[ bv.BvError, () => file.castRay( up, up, { pose: new Float64Array( 16 ) } ) ],
		[ bv.BvError, () => file.castRay( up, up, { pose: { scale: 0 } } ) ],
		[ bv.BvError, () => file.castRays( [ 0, 0, 0, 0, 0, 0 ] ) ],
		[ bv.BvError, () => file.castRays( [ 0, 0, 0, 0, 0, 1, NaN, 0, 0, 0, 0, 1 ].map( x => Number.isNaN( x ) ? 1e300 : x ) ) ],
		[ bv.BvError, () => bv.BvConvex.points( [] ) ],
		[ RangeError, () => bv.BvConvex.box( up, [ 1, -1, 1 ] ) ],
		[ RangeError, () => bv.BvConvex.ellipsoid( { center: up, axes: [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ], halfExtents: [ 1, 1, -1 ] } ) ],
		[ RangeError, () => ball.round( Infinity ) ],
		[ bv.BvError, () => file.overlapBox( [ 1, 1, 1 ], [ 0, 0, 0 ] ) ],
		[ bv.BvError, () => new bv.BvScene( { objects: 0 } ) ],
	];
	for ( const [ type, call ] of wrong )
	{
		assert.throws( call, error =>
		{
			assert.ok( error instanceof type, `${ call }: ${ error.stack }` );
			assert.ok( error.message.length > 5 && !error.message.includes( '\n' ), `${ call }: ${ error.message }` );
			return true;
		}, String( call ) );
	}
} );

await test( 'errors of the library have the name of their status', () =>
{
	assert.throws( () => file.castRay( [ 0, 0, 0 ], [ 0, 0, 0 ] ), { name: 'BvError', status: 'argument', message: 'castRay: the direction is 0' } );
	assert.throws( () => file.castRays( [ 0, 0, 0, 0, 0, 1, 1e300, 0, 0, 0, 0, 1 ] ), { status: 'argument', message: /ray 1/ } );
} );

// A file without hierarchy, hull and primitives.
const bare = bv.BvFile.openSync( await readFile( process.env.BV_BARE ) );

await test( 'queries say why they are rejected', () =>
{
	const ball = bv.BvConvex.sphere( [ 0, 0, 0 ], 1 );
	const half = bv.BvConvex.halfSpace( [ 0, 0, 1 ], 0 );
	const up = [ 0, 0, 1 ];
	const far = [ 0, 0, 1e200 ];
	const shear = [ 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 ];
	const scene = new bv.BvScene( { objects: 2 } );
	scene.add( bare );
	for ( const [ message, call ] of [
		[ 'castRay: the file has no hierarchy', () => bare.castRay( up, up ) ],
		[ 'castRays: the file has no hierarchy', () => bare.castRays( [ 0, 0, 0, 0, 0, 1 ] ) ],
		[ 'closestPoint: the file has no hierarchy', () => bare.closestPoint( up ) ],
		[ 'contains: the file has no hierarchy', () => bare.contains( up ) ],
		[ 'distance: the file has no hierarchy', () => bare.distance( file ) ],
		[ 'distance: the file has no hierarchy', () => file.distance( bare ) ],
		[ 'collide: the file has no hierarchy', () => file.collide( bare ) ],
		[ 'overlapSphere: the file has no hierarchy', () => bare.overlapSphere( up, 1 ) ],
		[ 'overlapBox: the file has no hierarchy', () => bare.overlapBox( up, up ) ],
		[ 'overlapConvex: the file has no hierarchy', () => bare.overlapConvex( ball ) ],
		[ 'distanceConvex: the file has no hierarchy', () => bare.distanceConvex( ball ) ],
		[ 'castConvex: the file has no hierarchy', () => bare.castConvex( ball, up ) ],
		[ 'timeOfImpact: the file has no hierarchy', () => bv.timeOfImpact( bare, null, file, { end: { position: up } } ) ],
		[ 'timeOfImpact: the file has no hierarchy', () => bv.timeOfImpact( bare, null, ball, { end: { position: up } } ) ],
		[ 'castRay: object 0: the file has no hierarchy', () => scene.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] ) ],
		[ 'castRay: pose is not a rotation, a translation and one scale, or is out of range', () => file.castRay( up, up, { pose: shear } ) ],
		[ 'castRays: pose is not a rotation, a translation and one scale, or is out of range', () => file.castRays( [ 0, 0, 0, 0, 0, 1 ], { pose: shear } ) ],
		[ 'collide: pose has a quaternion whose length is not 1, or a position or scale out of range', () => file.collide( file, { scale: 0 } ) ],
		[ 'contains: pose has a quaternion whose length is not 1, or a position or scale out of range', () => file.contains( up, { pose: { position: far } } ) ],
		[ 'convexDistance: pose is not a rotation, a translation and one scale, or is out of range', () => bv.convexDistance( ball, ball, shear ) ],
		[ 'add: pose is not a rotation, a translation and one scale, or is out of range', () => scene.add( file, shear ) ],
		[ 'castRay: a number exceeds 2^200', () => file.castRay( far, up ) ],
		[ 'castRay: the direction is 0', () => scene.castRay( up, [ 0, 0, 0 ] ) ],
		[ 'overlapBox: lower exceeds upper', () => file.overlapBox( up, [ 0, 0, 0 ] ) ],
		[ 'overlapBox: lower exceeds upper', () => scene.overlapBox( up, [ 0, 0, 0 ] ) ],
		[ 'overlapConvex: a half-space is only for distances, overlaps and contacts of two shapes', () => file.overlapConvex( half ) ],
		[ 'castConvex: a half-space is only for distances, overlaps and contacts of two shapes', () => scene.castConvex( half, up ) ],
		[ 'timeOfImpact: motionB.end is not a rotation, a translation and one scale, or is out of range', () => bv.timeOfImpact( file, null, ball, { end: shear } ) ],
		[ 'timeOfImpact: motionA.start has a quaternion whose length is not 1, or a position or scale out of range', () => bv.timeOfImpact( ball, { start: { scale: 0 } }, file, null ) ],
		[ 'timeOfImpact: motionA has axis 0, or a number out of range', () => bv.timeOfImpact( file, { axis: [ 0, 0, 0 ], angle: 1 }, ball, null ) ],
		[ 'timeOfImpact: motionB changes the scale or reflects, or has a number out of range', () => bv.timeOfImpact( file, null, file, { end: { scale: 2 } } ) ],
		[ 'BvScene: options.objects is 0', () => new bv.BvScene( { objects: 0 } ) ],
	] )
	{
		assert.throws( call, { name: 'BvError', status: 'argument', message }, String( call ) );
	}
	scene.free();
} );

await test( 'shapes that queries would reject cannot be made', () =>
{
	const before = bv.memoryBytes();
	const zero = [ 0, 0, 0 ];
	const axes = [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ];
	const left = [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, -1 ] ];
	const long = [ [ 2, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ];
	const halfExtents = [ 1, 1, 1 ];
	for ( const [ message, call ] of [
		[ 'hull: the file has no convex hull', () => bv.BvConvex.hull( bare ) ],
		[ 'primitive: the file has no primitives', () => bv.BvConvex.primitive( bare ) ],
		[ 'primitive: no primitive of the file is within the tolerance', () => bv.BvConvex.primitive( file ) ],
		[ 'part: the file has no convex parts', () => bv.BvConvex.part( bare, 0 ) ],
		[ 'orientedBox: axes are not three unit vectors of a right-handed frame', () => bv.BvConvex.orientedBox( { center: zero, axes: left, halfExtents } ) ],
		[ 'orientedBox: axes are not three unit vectors of a right-handed frame', () => bv.BvConvex.orientedBox( { center: zero, axes: long, halfExtents } ) ],
		[ 'ellipsoid: axes are not three unit vectors of a right-handed frame', () => bv.BvConvex.ellipsoid( { center: zero, axes: [ zero, zero, zero ], halfExtents } ) ],
		[ 'ellipsoid: a number exceeds 2^200', () => bv.BvConvex.ellipsoid( { center: [ 1e300, 0, 0 ], axes, halfExtents } ) ],
		[ 'cylinder: from and to are equal', () => bv.BvConvex.cylinder( zero, zero, 1 ) ],
		[ 'cone: base and apex are equal', () => bv.BvConvex.cone( zero, zero, 1 ) ],
		[ 'sphere: a number exceeds 2^200', () => bv.BvConvex.sphere( zero, Infinity ) ],
		[ 'halfSpace: the length of normal is not between 2^-100 and 2^100, or the plane is more than 2^200 from the origin', () => bv.BvConvex.halfSpace( zero, 1 ) ],
		[ 'points: no points', () => bv.BvConvex.hull( [] ) ],
		[ 'points: a number is NaN or exceeds 2^200', () => bv.BvConvex.points( new Float64Array( [ 0, NaN, 0 ] ) ) ],
	] )
	{
		assert.throws( call, { name: 'BvError', status: 'argument', message: `BvConvex.${ message }` }, String( call ) );
		for ( let i = 0; i < 2000; ++i )
		{
			assert.throws( call );
		}
	}
	assert.ok( bv.memoryBytes() <= before + 65536 );
	// What is at the edge of being valid.
	for ( const shape of [ bv.BvConvex.box( zero, zero ), bv.BvConvex.orientedBox( { center: zero, axes, halfExtents: zero } ), bv.BvConvex.segment( zero, zero ), bv.BvConvex.capsule( zero, zero, 0 ), bv.BvConvex.triangle( zero, zero, zero ), bv.BvConvex.cone( zero, [ 0, 0, 1e-300 ], 0 ), bv.BvConvex.halfSpace( [ 0, 0, 5 ], -1 ), bv.BvConvex.hull( file ) ] )
	{
		bv.convexDistance( shape, bv.BvConvex.point( [ 3, 4, 5 ] ) );
	}
} );

await test( 'a scene with too many pairs says the limit', () =>
{
	const scene = new bv.BvScene( { objects: 3, pairs: 1 } );
	const numbers = [ 0, 1, 2 ].map( () => scene.add( file ) );
	assert.throws( () => scene.update(), { name: 'BvError', status: 'limit', message: 'update: there are more than 1 pairs, the limit of options.pairs' } );
	scene.remove( numbers[2] );
	assert.deepEqual( [ ...scene.update().begun ], [ 0, 1 ] );
	scene.free();
} );

await test( 'vectors and poses are what three.js has, too', () =>
{
	const box = file.bounds.box;
	const top = box.upper[2] + 1;
	const first = file.castRay( [ 0, 0, top ], [ 0, 0, -1 ] );
	assert.ok( first );
	assert.deepEqual( file.castRay( { x: 0, y: 0, z: top }, new Float64Array( [ 0, 0, -1 ] ) ), first );
	const matrix = [ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1 ];
	const moved = file.castRay( [ 5, 0, top ], [ 0, 0, -1 ], { pose: matrix } );
	assert.equal( moved.triangle, first.triangle );
	assert.deepEqual( file.castRay( [ 5, 0, top ], [ 0, 0, -1 ], { pose: { elements: new Float64Array( matrix ) } } ), moved );
	assert.deepEqual( file.castRay( [ 5, 0, top ], [ 0, 0, -1 ], { pose: { position: { x: 5, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } } } ), moved );
} );

await test( 'every truncated file and each of 2000 damaged ones is an exception or opens', () =>
{
	for ( let length = 0; length < bytes.length; length += 37 )
	{
		assert.throws( () => bv.BvFile.openSync( bytes.subarray( 0, length ) ), { name: 'BvError', status: /damaged|unsupported|argument/ } );
	}
	let seed = 1;
	for ( let i = 0; i < 2000; ++i )
	{
		const damaged = new Uint8Array( bytes );
		seed = ( Math.imul( seed, 1664525 ) + 1013904223 ) >>> 0;
		damaged[seed % damaged.length] ^= 1 + ( seed >>> 24 ) % 255;
		try
		{
			bv.BvFile.openSync( damaged ).free();
		}
		catch ( error )
		{
			assert.ok( error instanceof bv.BvError, error.stack );
		}
	}
} );

await test( 'use after free is an exception; freeing again is none', () =>
{
	const other = bv.BvFile.openSync( bytes );
	const hull = bv.BvConvex.hull( other );
	const ball = bv.BvConvex.sphere( [ 0, 0, 0 ], 1 );
	other.free();
	other.free();
	assert.throws( () => other.castRay( [ 0, 0, 0 ], [ 0, 0, 1 ] ), { name: 'BvError', message: 'BvFile was freed' } );
	assert.throws( () => other.mesh, { message: 'BvFile was freed' } );
	assert.throws( () => file.distance( other ), { message: 'BvFile was freed' } );
	assert.throws( () => bv.convexDistance( hull, ball ), { message: 'BvFile was freed' } );
	ball[Symbol.dispose]();
	assert.throws( () => file.overlapConvex( ball ), { message: 'BvConvex was freed' } );
} );

await test( 'a file of a scene cannot be freed before its objects are removed', () =>
{
	const other = bv.BvFile.openSync( bytes );
	const scene = new bv.BvScene( { objects: 2 } );
	const number = scene.add( other );
	assert.throws( () => other.free(), { name: 'BvError', message: /in use by a scene/ } );
	scene.add( other );
	assert.throws( () => scene.add( other ), { status: 'limit' } );
	assert.deepEqual( [ ...scene.update().begun ], [ 0, 1 ] );
	assert.deepEqual( [ ...scene.pairs ], [ 0, 1 ] );
	scene.remove( number );
	assert.deepEqual( [ ...scene.update().ended ], [ 0, 1 ] );
	assert.throws( () => scene.move( number ), RangeError );
	assert.deepEqual( [ ...scene.overlapBox( [ -1e3, -1e3, -1e3 ], [ 1e3, 1e3, 1e3 ] ) ], [ 1 ] );
	scene.free();
	assert.throws( () => scene.update(), { message: 'BvScene was freed' } );
	other.free();
} );

await test( 'memory does not grow over 10,000 files, shapes and scenes', () =>
{
	const round = () =>
	{
		const other = bv.BvFile.openSync( bytes );
		const hull = bv.BvConvex.hull( other );
		const points = bv.BvConvex.points( new Float64Array( 300 ) );
		const scene = new bv.BvScene( { objects: 10 } );
		scene.add( other );
		scene.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] );
		other.castRays( new Float64Array( [ 0, 0, 50, 0, 0, -1 ] ) );
		other.mesh;
		[ scene, points, hull, other ].forEach( each => each.free() );
	};
	round();
	const before = bv.memoryBytes();
	for ( let i = 0; i < 10000; ++i )
	{
		round();
	}
	assert.equal( bv.memoryBytes(), before );
} );

await test( 'what nothing refers to is freed', async () =>
{
	const round = () =>
	{
		for ( let i = 0; i < 200; ++i )
		{
			bv.BvFile.openSync( bytes );
		}
	};
	const collect = async () =>
	{
		for ( let i = 0; i < 5; ++i )
		{
			globalThis.gc();
			await new Promise( resolve => setTimeout( resolve, 20 ) );
		}
	};
	round();
	await collect();
	const before = bv.memoryBytes();
	for ( let i = 0; i < 5; ++i )
	{
		round();
		await collect();
	}
	assert.equal( bv.memoryBytes(), before );
} );

await test( 'queries are right after memory has grown', () =>
{
	const before = file.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] );
	const size = bv.memoryBytes();
	const many = [];
	while ( bv.memoryBytes() === size )
	{
		many.push( bv.BvFile.openSync( bytes ) );
	}
	assert.deepEqual( file.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] ), before );
	many.forEach( each => each.free() );
} );

await test( 'the package works in a worker', async () =>
{
	const code = `
		import { parentPort, workerData } from 'node:worker_threads';
		const { BvFile } = await import( workerData.index );
		const file = await BvFile.open( workerData.bytes );
		parentPort.postMessage( file.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] ) );`;
	const worker = new Worker( new URL( `data:text/javascript,${ encodeURIComponent( code ) }` ), { workerData: { index: `file://${ folder }/index.js`, bytes } } );
	const [ hit ] = await new Promise( ( done, fail ) =>
	{
		worker.once( 'message', message => done( [ message ] ) );
		worker.once( 'error', fail );
	} );
	assert.deepEqual( hit, file.castRay( [ 0, 0, 50 ], [ 0, 0, -1 ] ) );
} );
