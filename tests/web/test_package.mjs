// Tests of the npm package in Node.js: what callers get wrong, broken files, memory, workers. That answers are right is tested by
// comparing all bits with native ones (answers.mjs).
//
//   BV_PACKAGE=FOLDER BV_FILE=FILE.bvh node --expose-gc test_package.mjs

import assert from 'node:assert/strict';
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
		[ RangeError, () => bv.BvConvex.part( file, 1e6 ) ],
		[ RangeError, () => bv.BvConvex.points( [ 1, 2 ] ) ],
		[ RangeError, () => bv.timeOfImpact( ball, { kind: 'jump' }, file, null ) ],
		[ RangeError, () => new bv.BvScene( { objects: -1 } ) ],
		[ bv.BvError, () => file.castRay( up, [ 0, 0, 0 ] ) ],
		[ bv.BvError, () => file.castRay( up, up, { pose: new Float64Array( 16 ) } ) ],
		[ bv.BvError, () => file.castRay( up, up, { pose: { scale: 0 } } ) ],
		[ bv.BvError, () => file.castRays( [ 0, 0, 0, 0, 0, 0 ] ) ],
		[ bv.BvError, () => file.castRays( [ 0, 0, 0, 0, 0, 1, NaN, 0, 0, 0, 0, 1 ].map( x => Number.isNaN( x ) ? 1e300 : x ) ) ],
		[ bv.BvError, () => bv.convexDistance( bv.BvConvex.points( [] ), ball ) ],
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
	assert.throws( () => file.castRay( [ 0, 0, 0 ], [ 0, 0, 0 ] ), { name: 'BvError', status: 'argument', message: 'castRay: invalid argument' } );
	assert.throws( () => file.castRays( [ 0, 0, 0, 0, 0, 1, 1e300, 0, 0, 0, 0, 1 ] ), { status: 'argument', message: /ray 1/ } );
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
