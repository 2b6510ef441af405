// Checks and conversions of what callers pass: numbers, vectors, placements. One line says what is wrong.

import { atArguments, exchange, library, maxLength } from './module.js';

/** @return the number; TypeError if it is none, RangeError for NaN */
export function number( value, name )
{
	if ( typeof value !== 'number' )
	{
		throw new TypeError( `${ name }: expected a number, got ${ describe( value ) }` );
	}
	if ( Number.isNaN( value ) )
	{
		throw new RangeError( `${ name }: NaN` );
	}
	return value;
}

/** @return the number, which must not be negative; infinity is allowed */
export function size( value, name )
{
	if ( number( value, name ) < 0 )
	{
		throw new RangeError( `${ name }: ${ value } is negative` );
	}
	return value;
}

/** @return the whole number from 0 to `end` - 1 */
export function index( value, end, name )
{
	if ( !Number.isInteger( number( value, name ) ) || value < 0 || value >= end )
	{
		throw new RangeError( `${ name }: ${ value } is not a whole number from 0 to ${ end - 1 }` );
	}
	return value;
}

function describe( value )
{
	return value === null ? 'null' : Array.isArray( value ) ? `an array of ${ value.length }` : typeof value === 'object' ? value.constructor?.name ?? 'an object' : typeof value;
}

function isArray( value )
{
	return Array.isArray( value ) || ArrayBuffer.isView( value ) && typeof value.length === 'number';
}

// Writes numbers, which must be finite.
function write( to, at, from, count, name )
{
	for ( let i = 0; i < count; ++i )
	{
		const x = from[i];
		if ( typeof x !== 'number' )
		{
			throw new TypeError( `${ name }[${ i }]: expected a number, got ${ describe( x ) }` );
		}
		if ( !Number.isFinite( x ) )
		{
			throw new RangeError( `${ name }[${ i }]: ${ x }` );
		}
		to[at + i] = x;
	}
}

/** Writes a vector: [ x, y, z ], a typed array, or { x, y, z } as three.js has them. */
export function putVector( to, at, value, name )
{
	if ( Array.isArray( value ) && value.length === 3 )
	{
		const x = value[0], y = value[1], z = value[2];
		if ( Number.isFinite( x ) && Number.isFinite( y ) && Number.isFinite( z ) )
		{
			to[at] = x;
			to[at + 1] = y;
			to[at + 2] = z;
			return;
		}
	}
	if ( isArray( value ) && value.length === 3 )
	{
		write( to, at, value, 3, name );
	}
	else if ( value !== null && typeof value === 'object' && 'x' in value && 'y' in value && 'z' in value )
	{
		write( to, at, [ value.x, value.y, value.z ], 3, name );
	}
	else
	{
		throw new TypeError( `${ name }: expected [ x, y, z ], got ${ describe( value ) }` );
	}
}

/** The kinds of placements, as in glue.c. */
const none = 0, matrix = 1, parts = 2;

/**
 * Writes a placement, which takes 16 numbers: nothing for the identity; a column-major matrix of 16 numbers, or an object that has one as
 * `elements`, as three.js's Matrix4; or { position, quaternion, scale }, each of which can be missing.
 * @return its kind
 */
export function putPlacement( to, at, value, name = 'pose' )
{
	if ( value === undefined || value === null )
	{
		return none;
	}
	const elements = isArray( value ) ? value : value.elements;
	if ( elements !== undefined )
	{
		if ( !isArray( elements ) || elements.length !== 16 )
		{
			throw new TypeError( `${ name }: expected a matrix of 16 numbers, got ${ describe( elements ) }` );
		}
		write( to, at, elements, 16, name );
		return matrix;
	}
	if ( typeof value !== 'object' )
	{
		throw new TypeError( `${ name }: expected a matrix or { position, quaternion, scale }, got ${ describe( value ) }` );
	}
	const known = [ 'position', 'quaternion', 'scale' ];
	if ( !known.some( key => key in value ) )
	{
		throw new TypeError( `${ name }: expected a matrix or { position, quaternion, scale }, got ${ describe( value ) }` );
	}
	putVector( to, at, value.position ?? [ 0, 0, 0 ], `${ name }.position` );
	const q = value.quaternion ?? [ 0, 0, 0, 1 ];
	const four = isArray( q ) ? q : [ q.x, q.y, q.z, q.w ];
	if ( four.length !== 4 )
	{
		throw new TypeError( `${ name }.quaternion: expected [ x, y, z, w ], got ${ describe( q ) }` );
	}
	write( to, at + 3, four, 4, `${ name }.quaternion` );
	to[at + 7] = number( value.scale ?? 1, `${ name }.scale` );
	return parts;
}

/** @return what is wrong with a placement that was written; undefined if nothing is */
export function whyNoPlacement( at, kind, name = 'pose' )
{
	if ( library().placement_check( at, kind ) === 0 )
	{
		return undefined;
	}
	return kind === matrix
		? `${ name } is not a rotation, a translation and one scale, or is out of range`
		: `${ name } has a quaternion whose length is not 1, or a position or scale out of range`;
}

/** @return what is wrong with vectors that were written as the first arguments; undefined if nothing is */
export function whyNoVectors( count )
{
	const from = exchange().subarray( atArguments, atArguments + 3 * count );
	return from.every( x => Math.abs( x ) <= maxLength ) ? undefined : 'a number exceeds 2^200';
}

/** @return the options; TypeError if they are no object or have a member that does not exist, which is often a misspelling */
export function optionsOf( value, known, name = 'options' )
{
	if ( value === undefined )
	{
		return {};
	}
	if ( value === null || typeof value !== 'object' || isArray( value ) )
	{
		throw new TypeError( `${ name }: expected an object, got ${ describe( value ) }` );
	}
	for ( const key in value )
	{
		if ( !known.includes( key ) )
		{
			throw new TypeError( `${ name }: there is no "${ key }" (there are ${ known.join( ', ' ) })` );
		}
	}
	return value;
}

/** Writes numbers that options have at the place of arguments. */
export function putSizes( to, offset, options, names )
{
	names.forEach( ( name, i ) =>
	{
		to[atArguments + offset + i] = size( options[name] ?? 0, `options.${ name }` );
	} );
}

/** Begins the arguments of a query: its placement. @return [ numbers, kind ] */
export function begin( placement, name )
{
	const to = exchange();
	return [ to, putPlacement( to, 0, placement, name ) ];
}

/** @return three numbers */
export function vector( from, at )
{
	return [ from[at], from[at + 1], from[at + 2] ];
}

const features = [ 'corner 0', 'corner 1', 'corner 2', 'edge 0', 'edge 1', 'edge 2', 'face' ];

/** @return the name of a feature of a triangle */
export function featureName( code )
{
	return features[code];
}

/** The numbers of a surface point. */
export const surfaceSize = 14;

/** @return a point on the surface of a mesh */
export function surfacePoint( from, at )
{
	return {
		triangle: from[at],
		feature: features[from[at + 1]],
		weights: vector( from, at + 2 ),
		point: vector( from, at + 5 ),
		local: vector( from, at + 8 ),
		normal: vector( from, at + 11 ),
	};
}

/** @return the bytes of an ArrayBuffer or of a view of one */
export function bytesOf( value, name )
{
	if ( ArrayBuffer.isView( value ) )
	{
		return new Uint8Array( value.buffer, value.byteOffset, value.byteLength );
	}
	if ( value instanceof ArrayBuffer || typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer )
	{
		return new Uint8Array( value );
	}
	throw new TypeError( `${ name }: expected an ArrayBuffer or a typed array, got ${ describe( value ) }` );
}

/** @return numbers as a Float64Array, whose length is a multiple of `group` */
export function floatsOf( value, group, name )
{
	if ( !isArray( value ) || value instanceof BigInt64Array || value instanceof BigUint64Array )
	{
		throw new TypeError( `${ name }: expected an array of numbers, got ${ describe( value ) }` );
	}
	if ( value.length % group !== 0 )
	{
		throw new RangeError( `${ name }: ${ value.length } numbers, which is no multiple of ${ group }` );
	}
	if ( value instanceof Float64Array )
	{
		return value;
	}
	const out = new Float64Array( value.length );
	for ( let i = 0; i < value.length; ++i )
	{
		out[i] = number( value[i], `${ name }[${ i }]` );
	}
	return out;
}
