// Times castRay in a loop and castRays, as bench.c does natively: nanoseconds per ray of both, and the number of hits.
//
//   node bench.mjs PACKAGE FILE.bvh RAYS

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const { BvFile } = await import( resolve( process.argv[2] ) );
const file = await BvFile.open( await readFile( process.argv[3] ) );
const count = Number( process.argv[4] );
let state = 1;

// Time of the processor, ms: others may be working.
function now()
{
	const { user, system } = process.cpuUsage();
	return ( user + system ) / 1000;
}


function unit()
{
	state = ( Math.imul( state, 1664525 ) + 1013904223 ) >>> 0;
	return ( state >>> 8 ) / 16777216;
}

const { lower, upper } = file.bounds.box;
const rays = new Float64Array( 6 * count );
for ( let i = 0; i < 6 * count; i += 6 )
{
	for ( let k = 0; k < 3; ++k )
	{
		rays[i + k] = lower[k] + ( upper[k] - lower[k] ) * ( 4 * unit() - 1.5 );
	}
	for ( let k = 0; k < 3; ++k )
	{
		rays[i + 3 + k] = lower[k] + ( upper[k] - lower[k] ) * unit() - rays[i + k];
	}
}
const origin = [ 0, 0, 0 ];
const direction = [ 0, 0, 0 ];
for ( let warm = 5; warm >= 0; --warm )
{
	const start = now();
	let found = 0;
	for ( let i = 0; i < 6 * count; i += 6 )
	{
		for ( let k = 0; k < 3; ++k )
		{
			origin[k] = rays[i + k];
			direction[k] = rays[i + 3 + k];
		}
		found += file.castRay( origin, direction ) !== null;
	}
	const middle = now();
	const hits = file.castRays( rays );
	const last = now();
	if ( hits.time.reduce( ( n, t ) => n + Number.isFinite( t ), 0 ) !== found )
	{
		throw new Error( 'castRay and castRays differ' );
	}
	if ( !warm )
	{
		console.log( 1e6 * ( middle - start ) / count, 1e6 * ( last - middle ) / count, found );
	}
}
