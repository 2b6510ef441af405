// When two moving objects first touch.

import { check, exchange, library } from './module.js';
import { featureName, number, optionsOf, putPlacement, putVector, size, vector, whyNoPlacement } from './values.js';
import { BvConvex, shapeAddress, whyNoBounds } from './convex.js';
import { fileAddress, whyNoTree } from './file.js';

// As in glue.c.
const atMotions = 64, motionSize = 64, atEnd = 16, atPivot = 32, atSweep = 256;
const kinds = [ 'still', 'slerp', 'nlerp', 'screwBetween', 'screw' ];

// Writes a motion. @return its kinds as `sweep` in glue.c takes them
function putMotion( to, place, motion, name )
{
	const at = atMotions + place * motionSize;
	const m = motion ?? {};
	if ( typeof m !== 'object' )
	{
		throw new TypeError( `${ name }: expected { start, end, kind }` );
	}
	for ( const key in m )
	{
		if ( ![ 'kind', 'start', 'end', 'pivot', 'point', 'axis', 'angle', 'shift' ].includes( key ) )
		{
			throw new TypeError( `${ name }: there is no "${ key }"` );
		}
	}
	const kind = m.kind ?? ( m.end === undefined ? m.axis === undefined ? 'still' : 'screw' : 'slerp' );
	if ( !kinds.includes( kind ) )
	{
		throw new RangeError( `${ name }.kind: "${ kind }" is invalid, use one of ${ kinds.join( ', ' ) }` );
	}
	const start = putPlacement( to, at, m.start, `${ name }.start` );
	let end = 0;
	if ( kind === 'screw' )
	{
		putVector( to, at + atEnd, m.point ?? [ 0, 0, 0 ], `${ name }.point` );
		putVector( to, at + atEnd + 3, m.axis, `${ name }.axis` );
		to[at + atEnd + 6] = number( m.angle ?? 0, `${ name }.angle` );
		to[at + atEnd + 7] = number( m.shift ?? 0, `${ name }.shift` );
	}
	else if ( kind !== 'still' )
	{
		end = putPlacement( to, at + atEnd, m.end, `${ name }.end` );
		putVector( to, at + atPivot, m.pivot ?? [ 0, 0, 0 ], `${ name }.pivot` );
	}
	return kinds.indexOf( kind ) | start << 3 | end << 6;
}

// What is wrong with a motion that was written; undefined if nothing is.
function whyNoMotion( place, motion, name )
{
	const at = atMotions + place * motionSize;
	const kind = kinds[motion & 7];
	if ( library().motion_check( place, motion ) === 0 )
	{
		return undefined;
	}
	const end = kind === 'still' || kind === 'screw' ? undefined : whyNoPlacement( at + atEnd, motion >> 6, `${ name }.end` );
	return whyNoPlacement( at, motion >> 3 & 7, `${ name }.start` ) ?? end ??
		( kind === 'screw' ? `${ name } has axis 0, or a number out of range` : `${ name } changes the scale or reflects, or has a number out of range` );
}

/**
 * Brackets the time at which two moving objects first touch. No contact is missed or found too late.
 * @param a, b              files or convex shapes
 * @param motionA, motionB  { start, end, pivot, kind: 'slerp', 'nlerp' or 'screwBetween' }, { start, point, axis, angle, shift }, or
 *                          { start } or nothing for what stays
 * @param options           from, limit, tolerance, separation
 * @return what is known: { found, certain, complete, atStart, lower, upper, triangles, features, points, normal }
 */
export function timeOfImpact( a, motionA, b, motionB, options )
{
	const o = optionsOf( options, [ 'from', 'limit', 'tolerance', 'separation' ] );
	const isShape = [ a instanceof BvConvex, b instanceof BvConvex ];
	const shapes = isShape[0] + isShape[1];
	const swapped = !isShape[0] && isShape[1]; // A shape is first.
	const addresses = [ isShape[0] ? shapeAddress( a, 'a' ) : fileAddress( a, 'a' ), isShape[1] ? shapeAddress( b, 'b' ) : fileAddress( b, 'b' ) ];
	const to = exchange();
	const motions = [ putMotion( to, swapped ? 1 : 0, motionA, 'motionA' ), putMotion( to, swapped ? 0 : 1, motionB, 'motionB' ) ];
	[ 'from', 'limit', 'tolerance', 'separation' ].forEach( ( name, i ) =>
	{
		to[atSweep + i] = size( o[name] ?? 0, `options.${ name }` );
	} );
	if ( swapped )
	{
		addresses.reverse();
		motions.reverse();
	}
	check( library().sweep( ...addresses, shapes, ...motions ), 'timeOfImpact', () =>
	{
		const names = swapped ? [ 'motionB', 'motionA' ] : [ 'motionA', 'motionB' ];
		const files = [ a, b ].filter( ( _, i ) => !isShape[i] );
		return motions.map( ( kind, i ) => whyNoMotion( i, kind, names[i] ) ).find( why => why ) ?? whyNoBounds( [ a, b ] ) ?? files.map( whyNoTree ).find( why => why );
	} );
	const n = exchange();
	const out = {
		found: n[0] !== 0,
		certain: n[1] !== 0,
		complete: n[2] !== 0,
		atStart: n[3] !== 0,
		lower: n[4],
		upper: n[5],
		triangles: [ n[6], n[7] ],
		features: [ featureName( n[8] ), featureName( n[9] ) ],
		points: [ vector( n, 10 ), vector( n, 13 ) ],
		normal: vector( n, 16 ),
	};
	if ( swapped )
	{
		out.triangles.reverse();
		out.features.reverse();
		out.points.reverse();
		out.normal = out.normal.map( x => -x );
	}
	return out;
}
