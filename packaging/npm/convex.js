// Convex shapes and queries of pairs of them.

import { allocate, atArguments, check, exchange, library, maxLength, memory, Owned, BvError } from './module.js';
import { begin, floatsOf, index, number, optionsOf, putSizes, putVector, size, vector, whyNoPlacement, whyNoVectors } from './values.js';

// In the order of convex_make in glue.c.
const kinds = [ 'point', 'sphere', 'segment', 'capsule', 'triangle', 'box', 'orientedBox', 'cylinder', 'cone', 'ellipsoid', 'halfSpace' ];
const mostNumbers = 15; // Of a shape.
const secret = Symbol();
const halfSpaces = new WeakSet();

// What is wrong with a shape whose numbers are in range.
const reasons = {
	orientedBox: 'axes are not three unit vectors of a right-handed frame',
	ellipsoid: 'axes are not three unit vectors of a right-handed frame',
	cylinder: 'from and to are equal',
	cone: 'base and apex are equal',
	halfSpace: 'the length of normal is not between 2^-100 and 2^100, or the plane is more than 2^200 from the origin',
};

// Throws if queries would not take a shape. It is freed then. `why` says what is wrong.
function checkShape( at, what, why )
{
	const status = at === 0 ? 0 : library().convex_check( at );
	if ( status !== 0 )
	{
		library().free( at );
		check( status, `BvConvex.${ what }`, why );
	}
	return at;
}

/** @return a new shape; `put` writes what it is made of */
function make( kind, put )
{
	const to = exchange().fill( 0, 0, mostNumbers );
	put( to );
	const at = checkShape( library().convex_make( kinds.indexOf( kind ) ), kind, () =>
	{
		const within = exchange().subarray( 0, mostNumbers ).every( x => Math.abs( x ) <= maxLength );
		return within || kind === 'halfSpace' ? reasons[kind] : 'a number exceeds 2^200';
	} );
	return new BvConvex( secret, at );
}

// Half extents or semi-axes.
function putExtents( to, at, value )
{
	putVector( to, at, value, 'halfExtents' );
	for ( let i = 0; i < 3; ++i )
	{
		size( to[at + i], `halfExtents[${ i }]` );
	}
}

function putFrame( to, { center, axes, halfExtents } )
{
	if ( !Array.isArray( axes ) || axes.length !== 3 )
	{
		throw new TypeError( 'axes: expected three vectors' );
	}
	putVector( to, 0, center, 'center' );
	axes.forEach( ( axis, i ) => putVector( to, 3 + 3 * i, axis, `axes[${ i }]` ) );
	putExtents( to, 12, halfExtents );
}

/** A convex shape: all points within a radius of a sphere, box, hull and so on. Its memory is freed by `free()`, by `using`, or with it. */
export class BvConvex extends Owned
{
	#file = null;

	/** Made by the functions below. */
	constructor( key, at, file = null )
	{
		if ( key !== secret )
		{
			throw new TypeError( 'BvConvex is made by BvConvex.sphere, BvConvex.box and so on' );
		}
		if ( at === 0 )
		{
			throw new BvError( 'memory', 'no memory for a shape' );
		}
		super( at, library().free );
		this.#file = file;
	}

	/** Its address; an exception if it or its file was freed. */
	get address()
	{
		this.#file?.address;
		return super.address;
	}

	static point( point )
	{
		return make( 'point', to => putVector( to, 0, point, 'point' ) );
	}

	static sphere( center, radius )
	{
		return make( 'sphere', to =>
		{
			putVector( to, 0, center, 'center' );
			to[3] = size( radius, 'radius' );
		} );
	}

	static segment( from, end )
	{
		return make( 'segment', to =>
		{
			putVector( to, 0, from, 'from' );
			putVector( to, 3, end, 'to' );
		} );
	}

	static #rod( kind, names, a, b, radius )
	{
		return make( kind, to =>
		{
			putVector( to, 0, a, names[0] );
			putVector( to, 3, b, names[1] );
			to[6] = size( radius, 'radius' );
		} );
	}

	static capsule( from, to, radius )
	{
		return BvConvex.#rod( 'capsule', [ 'from', 'to' ], from, to, radius );
	}

	static cylinder( from, to, radius )
	{
		return BvConvex.#rod( 'cylinder', [ 'from', 'to' ], from, to, radius );
	}

	static cone( base, apex, radius )
	{
		return BvConvex.#rod( 'cone', [ 'base', 'apex' ], base, apex, radius );
	}

	static triangle( a, b, c )
	{
		return make( 'triangle', to => [ a, b, c ].forEach( ( corner, i ) => putVector( to, 3 * i, corner, 'abc'[i] ) ) );
	}

	static box( center, halfExtents )
	{
		return make( 'box', to =>
		{
			putVector( to, 0, center, 'center' );
			putExtents( to, 3, halfExtents );
		} );
	}

	/** @param box  { center, axes: three unit vectors of a right-handed frame, halfExtents } */
	static orientedBox( box )
	{
		return make( 'orientedBox', to => putFrame( to, box ) );
	}

	/** @param frame  as for orientedBox; its half extents are the semi-axes */
	static ellipsoid( frame )
	{
		return make( 'ellipsoid', to => putFrame( to, frame ) );
	}

	/** All points x with dot( normal, x ) <= offset: only for pairs of shapes. */
	static halfSpace( normal, offset )
	{
		const shape = make( 'halfSpace', to =>
		{
			putVector( to, 0, normal, 'normal' );
			to[3] = number( offset, 'offset' );
		} );
		halfSpaces.add( shape );
		return shape;
	}

	/** The convex hull of points, which are copied: x, y, z of each. */
	static points( points, radius = 0 )
	{
		const from = floatsOf( points, 3, 'points' );
		const at = allocate( 8 * from.length );
		memory.writeFloats( at, from );
		const shape = library().convex_points( at, from.length / 3, size( radius, 'radius' ) );
		library().free( at );
		checkShape( shape, 'points', () => from.length === 0 ? 'no points' : 'a number is NaN or exceeds 2^200' );
		return new BvConvex( secret, shape );
	}

	/** The convex hull of a file, or of points. */
	static hull( of )
	{
		return isFile( of ) ? BvConvex.#ofFile( of, 0, 'hull', whyNoHull ) : BvConvex.points( of );
	}

	/** One of the convex parts of a file. */
	static part( file, part )
	{
		checkFile( file );
		if ( file.info.parts === 0 )
		{
			throw new BvError( 'argument', 'BvConvex.part: the file has no convex parts' );
		}
		return BvConvex.#ofFile( file, 2 + index( part, file.info.parts, 'part' ), 'part' );
	}

	/** The primitive that a file was recognized as. */
	static primitive( file )
	{
		return BvConvex.#ofFile( file, 1, 'primitive', whyNoPrimitive );
	}

	static #ofFile( file, which, what, why )
	{
		checkFile( file );
		return new BvConvex( secret, checkShape( library().convex_of_file( file.address, which ), what, () => why?.( file ) ), file );
	}

	/** Rounds the edges: all points within this distance of the shape. @return the shape */
	round( radius )
	{
		if ( size( radius, 'radius' ) > maxLength )
		{
			throw new RangeError( 'radius: exceeds 2^200' );
		}
		library().convex_round( this.address, radius );
		return this;
	}
}

// A file is known by what it has, since file.js needs this file.
function isFile( value )
{
	return value instanceof Owned && 'castRays' in value;
}

function checkFile( value )
{
	if ( !isFile( value ) )
	{
		throw new TypeError( 'file: expected a BvFile' );
	}
}

function whyNoHull( file )
{
	return file.info.hullVertices === 0 ? 'the file has no convex hull' : 'the file has no vertices of its convex hull';
}

function whyNoPrimitive( file )
{
	return file.primitives === null ? 'the file has no primitives' : 'no primitive of the file is within the tolerance';
}

/** @return what queries of meshes have against shapes; undefined if nothing */
export function whyNoBounds( shapes )
{
	return shapes.some( shape => halfSpaces.has( shape ) ) ? 'a half-space is only for distances, overlaps and contacts of two shapes' : undefined;
}

/** @return the address of a shape; TypeError if it is none */
export function shapeAddress( value, name )
{
	if ( !( value instanceof BvConvex ) )
	{
		throw new TypeError( `${ name }: expected a BvConvex` );
	}
	return value.address;
}

/** @return whether two shapes have a point in common; in doubt true */
export function convexOverlap( a, b, pose )
{
	const addresses = [ shapeAddress( a, 'a' ), shapeAddress( b, 'b' ) ];
	const [ , kind ] = begin( pose );
	check( library().convex_overlap( ...addresses, kind ), 'convexOverlap', () => whyNoPlacement( 0, kind ) );
	return exchange()[0] !== 0;
}

/** The signed distance of two shapes, as an interval that contains it, and where it is attained. `pose`: from b's coordinates to a's. */
export function convexDistance( a, b, pose, options )
{
	const o = optionsOf( options, [ 'tolerance' ] );
	const addresses = [ shapeAddress( a, 'a' ), shapeAddress( b, 'b' ) ];
	const [ to, kind ] = begin( pose );
	putSizes( to, 0, o, [ 'tolerance' ] );
	check( library().convex_distance( ...addresses, kind ), 'convexDistance', () => whyNoPlacement( 0, kind ) );
	const out = exchange();
	return { lower: out[0], upper: out[1], points: [ vector( out, 2 ), vector( out, 5 ) ], normal: vector( out, 8 ) };
}

/** The first contact of two shapes that move along lines. @return null if they do not meet */
export function convexCast( a, b, pose, motionA, motionB, options )
{
	const o = optionsOf( options, [ 'limit', 'tolerance' ] );
	const addresses = [ shapeAddress( a, 'a' ), shapeAddress( b, 'b' ) ];
	const [ to, kind ] = begin( pose );
	putVector( to, atArguments, motionA, 'motionA' );
	putVector( to, atArguments + 3, motionB, 'motionB' );
	putSizes( to, 6, o, [ 'limit', 'tolerance' ] );
	check( library().convex_cast( ...addresses, kind ), 'convexCast', () => whyNoPlacement( 0, kind ) ?? whyNoVectors( 2 ) ?? whyNoBounds( [ a, b ] ) );
	const out = exchange();
	return out[0] === 0 ? null : {
		certain: out[1] !== 0,
		atStart: out[2] !== 0,
		lower: out[3],
		upper: out[4],
		points: [ vector( out, 5 ), vector( out, 8 ) ],
		normal: vector( out, 11 ),
	};
}

/** At most four contact points of two shapes. */
export function convexContacts( a, b, pose, options )
{
	const o = optionsOf( options, [ 'speculative' ] );
	const addresses = [ shapeAddress( a, 'a' ), shapeAddress( b, 'b' ) ];
	const [ to, kind ] = begin( pose );
	putSizes( to, 0, o, [ 'speculative' ] );
	check( library().convex_contacts( ...addresses, kind ), 'convexContacts', () => whyNoPlacement( 0, kind ) );
	const out = exchange();
	const contacts = [];
	for ( let i = 0; i < out[0]; ++i )
	{
		const at = 6 + 12 * i;
		contacts.push( {
			position: vector( out, at ),
			points: [ vector( out, at + 3 ), vector( out, at + 6 ) ],
			separation: out[at + 9],
			identity: [ out[at + 10], out[at + 11] ],
		} );
	}
	return { lower: out[1], upper: out[2], normal: vector( out, 3 ), contacts };
}
