// Files: what they hold, and queries of their meshes.

import { allocate, atArguments, BvError, check, exchange, init, library, list, maxLength, memory, Owned } from './module.js';
import { begin, bytesOf, featureName, floatsOf, index, optionsOf, putPlacement, putSizes, putVector, size, surfacePoint, surfaceSize, vector, whyNoPlacement, whyNoVectors } from './values.js';
import { shapeAddress, whyNoBounds } from './convex.js';

const secret = Symbol();
const flagFirst = 1, flagNoFronts = 2, flagNoBacks = 4;
const surfaceMesh = 0, surfaceHull = 1, surfaceProxy = 2, surfacePart = 3;
const massOf = [ 'solid', 'surface', 'hull', 'body' ];
const primitiveKinds = [ 'box', 'sphere', 'capsule', 'cylinder' ];
const rayOptions = [ 'from', 'to', 'any', 'noFronts', 'noBacks', 'pose' ];
const none = 0xffffffff;

function rayFlags( o )
{
	return ( o.any ? flagFirst : 0 ) | ( o.noFronts ? flagNoFronts : 0 ) | ( o.noBacks ? flagNoBacks : 0 );
}

function frame( from, at )
{
	return { center: vector( from, at ), axes: [ vector( from, at + 3 ), vector( from, at + 6 ), vector( from, at + 9 ) ], halfExtents: vector( from, at + 12 ) };
}

function ball( from, at )
{
	return { center: vector( from, at ), radius: from[at + 3] };
}

function rod( from, at )
{
	return { ends: [ vector( from, at ), vector( from, at + 3 ) ], radius: from[at + 6] };
}

function massAt( from, at )
{
	return { mass: from[at], centerOfMass: vector( from, at + 1 ), inertia: [ vector( from, at + 4 ), vector( from, at + 7 ), vector( from, at + 10 ) ] };
}

/** A .bvh file in memory: what it holds, and queries of its mesh. Its memory is freed by `free()`, by `using`, or with it. */
export class BvFile extends Owned
{
	#info = null;
	#users = 0;

	/** Made by BvFile.open and BvFile.openSync. */
	constructor( key, at )
	{
		if ( key !== secret )
		{
			throw new TypeError( 'BvFile is made by BvFile.open' );
		}
		super( at, library().free );
	}

	/**
	 * Loads the module if it is not loaded yet, copies the bytes of a file and checks them.
	 * @param bytes  ArrayBuffer or typed array, or a promise of one
	 * @return a promise of the file; BvError if it is not valid
	 */
	static async open( bytes )
	{
		const [ from ] = await Promise.all( [ bytes, init() ] );
		return BvFile.openSync( from );
	}

	/** The same, if the module is loaded. */
	static openSync( bytes )
	{
		const from = bytesOf( bytes, 'bytes' );
		const at = allocate( from.length );
		memory.writeBytes( at, from );
		const status = library().file_open( at, from.length );
		if ( status !== 0 )
		{
			const reason = memory.phrase( exchange()[0] );
			library().free( at );
			check( status, reason || 'not a .bvh file' );
		}
		return new BvFile( secret, at );
	}

	free()
	{
		if ( this.#users > 0 )
		{
			throw new BvError( 'argument', 'the file is in use by a scene: remove its objects or free the scene first' );
		}
		super.free();
	}

	/** For scenes: counts objects made of the file. */
	use( change )
	{
		this.#users += change;
	}

	// What the file holds.

	/** Counts, properties of the mesh, and where the file is from. */
	get info()
	{
		if ( !this.#info )
		{
			library().file_info( this.address );
			const n = exchange().slice();
			this.#info = Object.freeze( {
				vertices: n[0],
				triangles: n[1],
				edges: n[2],
				components: n[3],
				closed: n[4] !== 0,
				manifold: n[5] !== 0,
				oriented: n[6] !== 0,
				area: n[7],
				hasTriangles: n[8] !== 0,
				hullVertices: n[9],
				parts: n[10],
				nodes: n[11],
				depth: n[12],
				version: `${ n[13] }.${ n[14] }`,
				bytes: n[15],
				offset: vector( n, 16 ),
				tool: memory.text( n[19], n[20] ),
				sourceName: memory.text( n[21], n[22] ),
				sourceFormat: memory.text( n[23], n[24] ),
				parameters: memory.text( n[25], n[26] ),
			} );
		}
		return this.#info;
	}

	#surface( which )
	{
		library().surface_size( this.address, which );
		const [ vertices, triangles ] = exchange();
		if ( vertices === 0 )
		{
			return null;
		}
		const at = allocate( 24 * vertices + 12 * triangles );
		const corners = at + 24 * vertices;
		library().surface_copy( this.address, which, vertices, triangles, at, corners );
		const out = { positions: memory.floats( at, 3 * vertices ), triangles: memory.words( corners, 3 * triangles ) };
		library().free( at );
		return out;
	}

	/** The mesh of record: { positions, triangles }, copied at each call; null if the file has none. */
	get mesh()
	{
		return this.#surface( surfaceMesh );
	}

	/** The convex hull likewise. Flat ones have no triangles. */
	get hull()
	{
		return this.#surface( surfaceHull );
	}

	/** The proxy mesh likewise. */
	get proxy()
	{
		return this.#surface( surfaceProxy );
	}

	/** The convex parts, each with positions, triangles, mass properties, concavity and neighbors. */
	get parts()
	{
		return Array.from( { length: this.info.parts }, ( _, i ) =>
		{
			const surface = this.#surface( surfacePart + i );
			library().part_info( this.address, i );
			const n = exchange();
			return { ...surface, concavity: { lower: n[0], upper: n[1] }, ...massAt( n, 2 ), neighbors: list() };
		} );
	}

	/** Volumes that enclose the mesh; null if the file has none. */
	get bounds()
	{
		if ( !library().file_bounds( this.address ) )
		{
			return null;
		}
		const n = exchange();
		return { box: { lower: vector( n, 0 ), upper: vector( n, 3 ) }, sphere: ball( n, 6 ), orientedBox: frame( n, 10 ), capsule: rod( n, 25 ) };
	}

	/** Fitted primitives with their errors, and the best of them if one is within the tolerance; null if the file has none. */
	get primitives()
	{
		if ( !library().file_recognized( this.address ) )
		{
			return null;
		}
		const [ tolerance, best ] = exchange();
		const out = { tolerance, best: primitiveKinds[best] ?? null };
		primitiveKinds.forEach( ( kind, i ) =>
		{
			if ( library().file_primitive( this.address, i ) )
			{
				const n = exchange();
				const shape = kind === 'box' ? frame( n, 6 ) : kind === 'sphere' ? ball( n, 6 ) : rod( n, 6 );
				out[kind] = { ...shape, error: { lower: n[0], upper: n[1] } };
			}
		} );
		return out;
	}

	/** The body that a simulation moves, if the file was built with a density or a mass; otherwise null. */
	get body()
	{
		if ( !library().file_body( this.address ) )
		{
			return null;
		}
		const n = exchange();
		return { ...massAt( n, 0 ), of: massOf[n[13]], density: n[14], fromMass: n[15] !== 0 };
	}

	/** Mass properties at density 1 of the 'solid', 'surface' or 'hull'; null if the file does not have them. */
	mass( of = 'solid' )
	{
		if ( !massOf.includes( of ) )
		{
			throw new RangeError( `of: "${ of }" is invalid, use one of ${ massOf.join( ', ' ) }` );
		}
		return library().file_mass( this.address, massOf.indexOf( of ) ) ? massAt( exchange(), 0 ) : null;
	}

	/** Where a triangle is from: { face, object, group, material }; null if the file does not say. */
	source( triangle )
	{
		index( triangle, this.info.triangles, 'triangle' );
		if ( !library().file_source( this.address, triangle ) )
		{
			return null;
		}
		const n = exchange().slice( 0, 7 );
		return { face: n[0], object: memory.text( n[1], n[2] ), group: memory.text( n[3], n[4] ), material: memory.text( n[5], n[6] ) };
	}

	// Why a query was rejected. The first ones read what was written, the last one writes.
	#why( kind, vectors = 0, shape = undefined )
	{
		return whyNoPlacement( 0, kind ) ?? whyNoVectors( vectors ) ?? whyNoBounds( shape ? [ shape ] : [] ) ?? whyNoTree( this );
	}

	// Queries. `pose` places the mesh: from coordinates of the file to those of the query.

	/** The first hit of a ray, or null. Options: from, to, any, noFronts, noBacks, pose. */
	castRay( origin, direction, options )
	{
		const to = exchange();
		let kind = 0;
		let flags = 0;
		to[atArguments + 6] = 0;
		to[atArguments + 7] = 0;
		if ( options !== undefined )
		{
			const o = optionsOf( options, rayOptions );
			kind = putPlacement( to, 0, o.pose );
			flags = rayFlags( o );
			putSizes( to, 6, o, [ 'from', 'to' ] );
		}
		putVector( to, atArguments, origin, 'origin' );
		putVector( to, atArguments + 3, direction, 'direction' );
		const status = library().cast_ray( this.address, kind, flags );
		if ( status !== 0 )
		{
			check( status, 'castRay', () => this.#why( kind, 2 ) ?? whyNoRay() );
		}
		const n = exchange();
		return n[0] === 0 ? null : {
			triangle: n[5],
			feature: featureName( n[6] ),
			weights: [ n[7], n[8], n[9] ],
			point: [ n[10], n[11], n[12] ],
			local: [ n[13], n[14], n[15] ],
			normal: [ n[16], n[17], n[18] ],
			time: n[1],
			back: n[2] !== 0,
		};
	}

	/**
	 * Casts many rays: origin and direction of each, six numbers. Options: any, noFronts, noBacks, pose.
	 * @return arrays: time (Infinity where nothing is hit), triangle (4294967295 there), point, normal, back
	 */
	castRays( rays, options )
	{
		const o = optionsOf( options, [ 'any', 'noFronts', 'noBacks', 'pose' ] );
		const from = floatsOf( rays, 6, 'rays' );
		const count = from.length / 6;
		const sizes = [ 48, 8, 24, 24, 4, 1 ].map( each => each * count );
		const at = allocate( sizes.reduce( ( a, b ) => a + b, 0 ) );
		try
		{
			const [ rayAt, timeAt, pointAt, normalAt, triangleAt, backAt ] = sizes.map( ( _, i ) => at + sizes.slice( 0, i ).reduce( ( a, b ) => a + b, 0 ) );
			memory.writeFloats( rayAt, from );
			const [ , kind ] = begin( o.pose );
			const status = library().cast_rays( this.address, kind, rayFlags( o ), count, rayAt, timeAt, triangleAt, pointAt, normalAt, backAt );
			const bad = exchange()[0];
			check( status, 'castRays', () => bad >= 0 ? `ray ${ bad } has direction 0, or a number that is NaN or exceeds 2^200` : this.#why( kind ) );
			return {
				time: memory.floats( timeAt, count ),
				triangle: memory.words( triangleAt, count ),
				point: memory.floats( pointAt, 3 * count ),
				normal: memory.floats( normalAt, 3 * count ),
				back: memory.bytes( backAt, count ),
			};
		}
		finally
		{
			library().free( at );
		}
	}

	/** The point of the mesh that is closest to a point. Options: limit, pose. @return null if none is nearer than the limit */
	closestPoint( point, options )
	{
		const o = optionsOf( options, [ 'limit', 'pose' ] );
		const [ to, kind ] = begin( o.pose );
		putVector( to, atArguments, point, 'point' );
		putSizes( to, 3, o, [ 'limit' ] );
		check( library().closest_point( this.address, kind ), 'closestPoint', () => this.#why( kind, 1 ) );
		const n = exchange();
		return n[0] === 0 ? null : { ...surfacePoint( n, 5 ), distance: n[1], back: n[2] !== 0 };
	}

	/** Whether a point is in the solid that the mesh bounds; undefined if that is not known. Options: limit, pose. */
	contains( point, options )
	{
		const o = optionsOf( options, [ 'limit', 'pose' ] );
		const [ to, kind ] = begin( o.pose );
		putVector( to, atArguments, point, 'point' );
		putSizes( to, 3, o, [ 'limit' ] );
		check( library().contains( this.address, kind ), 'contains', () => this.#why( kind, 1 ) );
		return [ undefined, false, true ][exchange()[0]];
	}

	/**
	 * The distance of two meshes and their nearest points. `pose`: from coordinates of `other` to those of this file.
	 * Options: limit, relative, absolute.
	 * @return null if it is not smaller than the limit
	 */
	distance( other, pose, options )
	{
		const o = optionsOf( options, [ 'limit', 'relative', 'absolute' ] );
		const b = fileAddress( other, 'other' );
		const [ to, kind ] = begin( pose );
		putSizes( to, 0, o, [ 'limit', 'relative', 'absolute' ] );
		check( library().distance( this.address, b, kind ), 'distance', () => this.#why( kind ) ?? whyNoTree( other ) );
		const n = exchange();
		return n[0] === 0 ? null : { distance: n[1], a: surfacePoint( n, 4 ), b: surfacePoint( n, 4 + surfaceSize ) };
	}

	/**
	 * The pairs of triangles that intersect: of this file and of `other`, one after the other. Options: first, which ends at any pair.
	 * @return a Uint32Array, empty if the meshes are apart
	 */
	collide( other, pose, options )
	{
		const o = optionsOf( options, [ 'first' ] );
		const b = fileAddress( other, 'other' );
		const [ , kind ] = begin( pose );
		check( library().collide( this.address, b, kind, o.first ? flagFirst : 0 ), 'collide', () => this.#why( kind ) ?? whyNoTree( other ) );
		return list();
	}

	/** The triangles that intersect a solid ball. Options: first, pose. */
	overlapSphere( center, radius, options )
	{
		const o = optionsOf( options, [ 'first', 'pose' ] );
		const [ to, kind ] = begin( o.pose );
		putVector( to, atArguments, center, 'center' );
		to[atArguments + 3] = size( radius, 'radius' );
		check( library().overlap_sphere( this.address, kind, o.first ? flagFirst : 0 ), 'overlapSphere', () => this.#why( kind, 1 ) );
		return list();
	}

	/** The triangles that intersect a solid axis-aligned box. Options: first, pose. */
	overlapBox( lower, upper, options )
	{
		const o = optionsOf( options, [ 'first', 'pose' ] );
		const [ to, kind ] = begin( o.pose );
		putVector( to, atArguments, lower, 'lower' );
		putVector( to, atArguments + 3, upper, 'upper' );
		check( library().overlap_box( this.address, kind, o.first ? flagFirst : 0 ), 'overlapBox', () => this.#why( kind, 2 ) ?? 'lower exceeds upper' );
		return list();
	}

	/** The triangles that intersect a convex shape. Options: first, pose. */
	overlapConvex( shape, options )
	{
		const o = optionsOf( options, [ 'first', 'pose' ] );
		const at = shapeAddress( shape, 'shape' );
		const [ , kind ] = begin( o.pose );
		check( library().overlap_convex( this.address, at, kind, o.first ? flagFirst : 0 ), 'overlapConvex', () => this.#why( kind, 0, shape ) );
		return list();
	}

	/** The distance of a convex shape from the surface, as an interval. Options: limit, pose. @return null if it is not smaller than the limit */
	distanceConvex( shape, options )
	{
		const o = optionsOf( options, [ 'limit', 'pose' ] );
		const at = shapeAddress( shape, 'shape' );
		const [ to, kind ] = begin( o.pose );
		putSizes( to, 0, o, [ 'limit' ] );
		check( library().distance_convex( this.address, at, kind ), 'distanceConvex', () => this.#why( kind, 0, shape ) );
		const n = exchange();
		return n[0] === 0 ? null : { lower: n[1], upper: n[2], point: vector( n, 3 ), normal: vector( n, 6 ), surface: surfacePoint( n, 9 ) };
	}

	/** The first contact with a convex shape that moves along a line. Options: limit, tolerance, pose. @return null if they do not meet */
	castConvex( shape, motion, options )
	{
		const o = optionsOf( options, [ 'limit', 'tolerance', 'pose' ] );
		const at = shapeAddress( shape, 'shape' );
		const [ to, kind ] = begin( o.pose );
		putVector( to, atArguments, motion, 'motion' );
		putSizes( to, 3, o, [ 'limit', 'tolerance' ] );
		check( library().cast_convex( this.address, at, kind ), 'castConvex', () => this.#why( kind, 1, shape ) );
		const n = exchange();
		return n[0] === 0 ? null : { atStart: n[1] !== 0, time: n[2], back: n[3] !== 0, normal: vector( n, 4 ), surface: surfacePoint( n, 7 ) };
	}
}

/** @return what queries have against a file; undefined if nothing */
export function whyNoTree( file )
{
	return file.info.nodes === 0 ? 'the file has no hierarchy' : undefined;
}

/** @return what is wrong with a ray that was written */
export function whyNoRay()
{
	const [ x, y, z ] = vector( exchange(), atArguments + 3 );
	return Math.abs( x ) + Math.abs( y ) + Math.abs( z ) < 1 / maxLength ? 'the direction is 0' : undefined;
}

/** The number of a triangle in the arrays of castRays where a ray hits nothing. */
export const NO_TRIANGLE = none;

/** @return the address of a file; TypeError if it is none */
export function fileAddress( value, name )
{
	if ( !( value instanceof BvFile ) )
	{
		throw new TypeError( `${ name }: expected a BvFile` );
	}
	return value.address;
}
