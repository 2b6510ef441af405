// Scenes of many objects made of files: which touch, rays and shapes through all of them.

import { atArguments, BvError, check, exchange, library, list, Owned, statusNames } from './module.js';
import { begin, index, optionsOf, putVector, size, surfacePoint, vector, whyNoPlacement, whyNoVectors } from './values.js';
import { fileAddress, whyNoRay, whyNoTree } from './file.js';
import { shapeAddress, whyNoBounds } from './convex.js';

/** Objects made of files. Its memory is freed by `free()`, by `using`, or with it. */
export class BvScene extends Owned
{
	#files; // Of each object.
	#next = 0;
	#pairs; // The most of them.

	/** @param options  objects: the most of them, default 1024; pairs: the most that touch, default 4 * objects + 64; margin */
	constructor( options )
	{
		const o = optionsOf( options, [ 'objects', 'pairs', 'margin' ] );
		const objects = index( o.objects ?? 1024, 2 ** 24 + 1, 'options.objects' );
		const pairs = index( o.pairs ?? 0, 2 ** 28 + 1, 'options.pairs' );
		exchange()[atArguments] = size( o.margin ?? 0, 'options.margin' );
		check( library().scene_new( objects, pairs ), 'BvScene', () => objects === 0 ? 'options.objects is 0' : undefined );
		const files = new Array( objects ).fill( null );
		super( exchange()[0], at =>
		{
			library().scene_free( at );
			files.forEach( file => file?.use( -1 ) );
		} );
		this.#files = files;
		this.#pairs = pairs > 0 ? pairs : 4 * objects + 64;
	}

	#whyNoTree()
	{
		const number = this.#files.findIndex( file => file && whyNoTree( file ) );
		return number >= 0 ? `object ${ number }: ${ whyNoTree( this.#files[number] ) }` : undefined;
	}

	#number( value )
	{
		if ( this.#files[index( value, this.#files.length, 'number' )] === null )
		{
			throw new RangeError( `number: there is no object ${ value }` );
		}
		return value;
	}

	/**
	 * Adds an object. Pairs are found by the next update.
	 * @param pose     from coordinates of the file to those of the world
	 * @param options  category and mask: bits up to 2^52; group: objects of the same one make no pairs
	 * @return its number
	 */
	add( file, pose, options )
	{
		const o = optionsOf( options, [ 'category', 'mask', 'group' ] );
		const at = fileAddress( file, 'file' );
		const count = this.#files.length;
		let free = this.#next;
		for ( let i = 0; i < count && this.#files[free] !== null; ++i )
		{
			free = ( free + 1 ) % count;
		}
		if ( this.#files[free] !== null )
		{
			throw new BvError( 'limit', `the scene has room for ${ count } objects` );
		}
		const [ to, kind ] = begin( pose );
		to[atArguments] = index( o.category ?? 0, 2 ** 53, 'options.category' );
		to[atArguments + 1] = index( o.mask ?? 0, 2 ** 53, 'options.mask' );
		to[atArguments + 2] = index( o.group ?? 0, 2 ** 32, 'options.group' );
		check( library().scene_add( this.address, free, at, kind ), 'add', () => whyNoPlacement( 0, kind ) ?? ( file.bounds ? 'it would be too large or too far away' : 'the file has neither a hierarchy nor bounds' ) );
		this.#files[free] = file;
		this.#next = ( free + 1 ) % count;
		file.use( 1 );
		return free;
	}

	/** Moves an object. */
	move( number, pose )
	{
		this.#number( number );
		const [ , kind ] = begin( pose );
		check( library().scene_move( this.address, number, kind ), 'move', () => whyNoPlacement( 0, kind ) ?? 'it would be too large or too far away' );
	}

	/** Removes an object. Its number can be used again. */
	remove( number )
	{
		this.#number( number );
		check( library().scene_remove( this.address, number ), 'remove' );
		this.#files[number].use( -1 );
		this.#files[number] = null;
	}

	/** The file of an object. */
	file( number )
	{
		return this.#files[this.#number( number )];
	}

	/** Finds which boxes begin and end to touch since the last update: two numbers of objects for each pair, sorted. */
	update()
	{
		const status = library().scene_update( this.address );
		if ( statusNames[status] === 'limit' )
		{
			throw new BvError( 'limit', `update: there are more than ${ this.#pairs } pairs, the limit of options.pairs` );
		}
		check( status, 'update' );
		const begun = 2 * exchange()[0];
		const all = list();
		return { begun: all.slice( 0, begun ), ended: all.slice( begun ) };
	}

	/** The pairs whose boxes touched at the last update. */
	get pairs()
	{
		check( library().scene_pairs( this.address ), 'pairs' );
		return list();
	}

	/** The numbers of objects whose boxes touch a box. */
	overlapBox( lower, upper )
	{
		const to = exchange();
		putVector( to, atArguments, lower, 'lower' );
		putVector( to, atArguments + 3, upper, 'upper' );
		check( library().scene_overlap( this.address ), 'overlapBox', () => whyNoVectors( 2 ) ?? 'lower exceeds upper' );
		return list();
	}

	/** The first object whose mesh a ray hits, with the hit; null if there is none. Options: from, to, any. */
	castRay( origin, direction, options )
	{
		const o = optionsOf( options, [ 'from', 'to', 'any' ] );
		const to = exchange();
		putVector( to, atArguments, origin, 'origin' );
		putVector( to, atArguments + 3, direction, 'direction' );
		to[atArguments + 6] = size( o.from ?? 0, 'options.from' );
		to[atArguments + 7] = size( o.to ?? 0, 'options.to' );
		check( library().scene_cast_ray( this.address, o.any ? 1 : 0 ), 'castRay', () => whyNoVectors( 2 ) ?? whyNoRay() ?? this.#whyNoTree() );
		const n = exchange();
		return n[0] === 0 ? null : { number: n[3], time: n[1], back: n[2] !== 0, ...surfacePoint( n, 5 ) };
	}

	/** The first object that a convex shape meets, which moves along a line; null if there is none. */
	castConvex( shape, motion )
	{
		const at = shapeAddress( shape, 'shape' );
		putVector( exchange(), atArguments, motion, 'motion' );
		check( library().scene_cast_convex( this.address, at ), 'castConvex', () => whyNoVectors( 1 ) ?? whyNoBounds( [ shape ] ) ?? this.#whyNoTree() );
		const n = exchange();
		return n[0] === 0 ? null : { number: n[3], time: n[2], atStart: n[1] !== 0, normal: vector( n, 4 ), surface: surfacePoint( n, 7 ) };
	}
}
