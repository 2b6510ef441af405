// What jolt.mjs and rapier.mjs share: the convex pieces of a file in the form that engines take, and libbv's opinion of what engines did.

import { readFile } from 'node:fs/promises';
import { BvConvex, BvFile } from 'bvbuild';

/** Ends the program with one line and exit code 2. */
export function giveUp( message )
{
	console.error( `${ process.argv[1].replace( /.*[/\\]/, '' ) }: ${ message }` );
	process.exit( 2 );
}

/** @return the two .bvh files that are named on the command line */
export async function openFiles( usage )
{
	const paths = process.argv.slice( 2 );
	if ( paths.length !== 2 )
	{
		giveUp( `usage: node ${ usage }` );
	}
	const open = async path =>
	{
		const bytes = await readFile( path ).catch( () => giveUp( `${ path }: cannot be read` ) );
		const file = await BvFile.open( bytes ).catch( error => giveUp( `${ path }: ${ error.message }` ) );
		return Object.assign( file, { path } );
	};
	return [ await open( paths[0] ), await open( paths[1] ) ];
}

// Vectors, and quaternions [ x, y, z, w ].

export const add = ( a, b ) => [ a[0] + b[0], a[1] + b[1], a[2] + b[2] ];
export const times = ( a, s ) => [ a[0] * s, a[1] * s, a[2] * s ];
export const minus = ( a, b ) => add( a, times( b, -1 ) );
export const dot = ( a, b ) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = ( a, b ) => [ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] ];
export const unit = a => times( a, 1 / Math.hypot( ...a ) );

/** Rotates a vector: by q and not by its conjugate. */
export function rotate( q, v )
{
	const t = times( cross( q, v ), 2 );
	return add( add( v, times( t, q[3] ) ), cross( q, t ) );
}

export const conjugate = q => [ -q[0], -q[1], -q[2], q[3] ];

/** @return the rotation whose columns are three orthogonal unit vectors; the last one is ignored and follows from the others */
export function rotationOf( x, y )
{
	const z = cross( x, y );
	const m = [ 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2] ];
	const q = [
		[ m[0], y[0] + x[1], z[0] + x[2], y[2] - z[1] ],
		[ y[0] + x[1], m[1], z[1] + y[2], z[0] - x[2] ],
		[ z[0] + x[2], z[1] + y[2], m[2], x[1] - y[0] ],
		[ y[2] - z[1], z[0] - x[2], x[1] - y[0], m[3] ],
	][m.indexOf( Math.max( ...m ) )];
	const length = Math.hypot( ...q );
	return q.map( each => each / length );
}

// A rotation that takes the y axis, along which engines have their capsules and cylinders, to a unit vector.
function upright( y )
{
	const least = y.map( Math.abs ).indexOf( Math.min( ...y.map( Math.abs ) ) );
	return rotationOf( unit( cross( y, [ 0, 1, 2 ].map( i => +( i === least ) ) ) ), y );
}

/** @return principal moments of a symmetric matrix, and the rotation whose columns are their axes: Jacobi's method */
export function principal( matrix )
{
	const a = matrix.map( row => [ ...row ] );
	const axes = [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ]; // Each of them a column.
	for ( let sweep = 0; sweep < 20; ++sweep )
	{
		for ( const [ p, q ] of [ [ 0, 1 ], [ 0, 2 ], [ 1, 2 ] ] )
		{
			const angle = Math.atan2( 2 * a[p][q], a[q][q] - a[p][p] ) / 2;
			const [ c, s ] = [ Math.cos( angle ), Math.sin( angle ) ];
			const turn = rows => [ rows[p], rows[q] ] = [ minus( times( rows[p], c ), times( rows[q], s ) ), add( times( rows[p], s ), times( rows[q], c ) ) ];
			turn( axes );
			turn( a );
			a.forEach( row => [ row[p], row[q] ] = [ c * row[p] - s * row[q], s * row[p] + c * row[q] ] );
		}
	}
	return { moments: [ a[0][0], a[1][1], a[2][2] ], rotation: rotationOf( axes[0], axes[1] ) };
}

/**
 * What moves: the primitive that the file was recognized as, else its convex parts, else its hull.
 * @return { pieces, volume, shapes, mass, centerOfMass, inertia }. Pieces have a kind: 'hull' has points and triangles; 'box' position, rotation and
 * halfExtents; 'sphere' position and radius; 'capsule' and 'cylinder' position, rotation of the y axis, halfHeight and radius.
 * `shapes` are the same for queries of libbv
 */
export function bodyOf( file )
{
	const { body } = file;
	if ( !body )
	{
		giveUp( `${ file.path }: has no mass (bvbuild --density or --mass)` );
	}
	const { primitives, parts } = file;
	const kind = primitives?.best;
	let pieces, shapes, volume;
	if ( kind )
	{
		const p = primitives[kind];
		shapes = [ BvConvex.primitive( file ) ];
		if ( kind === 'box' )
		{
			pieces = [ { kind, position: p.center, rotation: rotationOf( p.axes[0], p.axes[1] ), halfExtents: p.halfExtents } ];
			volume = 8 * p.halfExtents[0] * p.halfExtents[1] * p.halfExtents[2];
		}
		else if ( kind === 'sphere' )
		{
			pieces = [ { kind, position: p.center, radius: p.radius } ];
			volume = 4 / 3 * Math.PI * p.radius ** 3;
		}
		else
		{
			const along = minus( p.ends[1], p.ends[0] );
			const length = Math.hypot( ...along );
			pieces = [ { kind, position: times( add( ...p.ends ), 0.5 ), rotation: upright( unit( along ) ), halfHeight: length / 2, radius: p.radius } ];
			volume = Math.PI * p.radius ** 2 * ( length + ( kind === 'capsule' ? 4 / 3 * p.radius : 0 ) );
		}
	}
	else if ( parts.length > 0 )
	{
		pieces = parts.map( part => ( { kind: 'hull', points: part.positions, triangles: part.triangles } ) );
		shapes = parts.map( ( _, i ) => BvConvex.part( file, i ) );
		volume = parts.reduce( ( sum, part ) => sum + part.mass, 0 );
	}
	else if ( file.hull )
	{
		pieces = [ { kind: 'hull', points: file.hull.positions, triangles: file.hull.triangles } ];
		shapes = [ BvConvex.hull( file ) ];
		volume = file.mass( 'hull' ).mass;
	}
	else
	{
		giveUp( `${ file.path }: has no primitive, parts or hull` );
	}
	return { pieces, shapes, volume, ...body };
}

/** What stays where it is. @return the mesh of a file, with positions in binary32 */
export function groundOf( file )
{
	const { mesh } = file;
	if ( !mesh )
	{
		giveUp( `${ file.path }: has no mesh` );
	}
	return { positions: new Float32Array( mesh.positions ), triangles: mesh.triangles };
}

/** A tilted start above the middle of the ground, for the origin of the body's file. */
export function startAbove( bodyFile, groundFile )
{
	const [ body, ground ] = [ bodyFile, groundFile ].map( file => file.bounds.box );
	const middle = times( add( ground.lower, ground.upper ), 0.5 );
	const reach = Math.hypot( ...body.lower.map( ( x, i ) => Math.max( Math.abs( x ), Math.abs( body.upper[i] ) ) ) );
	const surface = groundFile.castRay( [ middle[0], ground.upper[1] + 1, middle[2] ], [ 0, -1, 0 ] ) ?? giveUp( 'the ground has a hole in its middle' );
	return { position: add( surface.point, [ 0, 1.2 * reach, 0 ] ), rotation: [ 0.15, 0.1, 0.05, Math.sqrt( 1 - 0.035 ) ] };
}

/**
 * How far above the ground a body is, by libbv; negative if it is in it. The shapes are lifted by 1 m and moved down again.
 * @param shapes  in coordinates of the body's file, which are at `position` with `rotation`
 */
export function gap( shapes, { position, rotation }, groundFile )
{
	const back = conjugate( rotation );
	const lifted = add( position, [ 0, 1, 0 ] );
	// The queries are in coordinates of the body.
	const pose = { quaternion: back, position: times( rotate( back, lifted ), -1 ) };
	const down = rotate( back, [ 0, -2, 0 ] );
	const hits = shapes.map( shape => groundFile.castConvex( shape, down, { pose, tolerance: 1e-7 } ) ).filter( hit => hit !== null );
	return hits.length === 0 ? Infinity : 2 * Math.min( ...hits.map( hit => hit.time ) ) - 1;
}

/** Rays at a mesh from all sides, the same ones in each run; numbers are of binary32, as engines have them. */
export function raysAt( { lower, upper }, count )
{
	let state = 1;
	const random = () => ( state = ( state * 48271 ) % 2147483647 ) / 2147483647;
	const center = times( add( lower, upper ), 0.5 );
	const half = times( minus( upper, lower ), 0.5 );
	return Array.from( { length: count }, () =>
	{
		// Points of a sphere around the mesh: those in its ball are moved outward.
		let out;
		do
		{
			out = [ 2 * random() - 1, 2 * random() - 1, 2 * random() - 1 ];
		} while ( !( dot( out, out ) < 1 && dot( out, out ) > 0.01 ) );
		const origin = add( center, times( out, 1.5 * Math.sqrt( dot( half, half ) / dot( out, out ) ) ) ).map( Math.fround );
		const target = center.map( ( x, i ) => x + half[i] * ( 2 * random() - 1 ) );
		return { origin, direction: times( minus( target, origin ), 3 ).map( Math.fround ) };
	} );
}

/**
 * Compares an engine's rays with castRay.
 * @param cast  returns the time of a hit, in lengths of the direction, or null
 */
export function compareRays( file, cast )
{
	const rays = raysAt( file.bounds.box, 1000 );
	let hits = 0;
	let others = 0;
	let most = 0;
	for ( const { origin, direction } of rays )
	{
		const ours = file.castRay( origin, direction, { to: 1 } )?.time ?? null;
		const theirs = cast( origin, direction );
		const difference = ours === null || theirs === null ? +( ours !== theirs ) : Math.abs( theirs / ours - 1 );
		hits += +( ours !== null );
		others += +( difference > 1e-4 );
		most = difference > 1e-4 ? most : Math.max( most, difference );
	}
	return { rays: rays.length, hits, others, worst: most };
}

const worst = numbers => Math.max( ...numbers.map( Math.abs ) );
const signed = ( x, digits ) => `${ x < 0 ? '-' : '+' }${ Math.abs( x ).toFixed( digits ) }`;

/**
 * Prints what an engine made of the files, and ends with exit code 1 if that is wrong.
 * @param from    as of bodyOf
 * @param engine  volume, mass, centerOfMass, moments, frame, rests, seconds, position, rotation, rays: what the engine has
 */
export function report( bodyFile, groundFile, from, { volume, mass, centerOfMass, moments, frame, rests, seconds, position, rotation, rays } )
{
	const axes = [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ].map( axis => rotate( frame, axis ) );
	const inertia = from.inertia.map( ( row, i ) => row.map( ( _, k ) => axes.reduce( ( sum, axis, n ) => sum + moments[n] * axis[i] * axis[k], 0 ) ) );
	const apart = {
		volume: volume / from.volume - 1,
		mass: mass / from.mass - 1,
		center: Math.hypot( ...minus( centerOfMass, from.centerOfMass ) ),
		inertia: worst( inertia.flatMap( ( row, i ) => minus( row, from.inertia[i] ) ) ) / worst( from.inertia.flat() ),
		gap: gap( from.shapes, { position, rotation }, groundFile ),
	};
	const size = Math.hypot( ...minus( bodyFile.bounds.box.upper, bodyFile.bounds.box.lower ) );
	const wrong = Object.entries( {
		volume: Math.abs( apart.volume ) > 1e-3,
		mass: Math.abs( apart.mass ) > 1e-6,
		'center of mass': apart.center > 1e-6 * size,
		inertia: apart.inertia > 1e-3,
		motion: !rests,
		depth: !( Math.abs( apart.gap ) < 0.002 * size ),
		rays: rays.others > 0,
	} ).filter( ( [ , is ] ) => is ).map( ( [ name ] ) => name );

	const solid = bodyFile.mass( 'solid' );
	const kinds = `${ from.pieces.length } ${ from.pieces[0].kind }${ from.pieces.length === 1 ? '' : 's' }`;
	const center = add( position, rotate( rotation, from.centerOfMass ) );
	console.log( `${ kinds }, volume ${ volume.toFixed( 6 ) } m3: ${ signed( 100 * apart.volume, 3 ) } % of the file's` +
		( solid ? `, ${ signed( 100 * ( volume / solid.mass - 1 ), 3 ) } % of the solid` : '' ) );
	console.log( `mass ${ mass.toFixed( 3 ) } kg, off by ${ ( Math.abs( apart.mass ) * 1e6 ).toFixed( 2 ) } ppm; ` +
		`center of mass by ${ ( 1e6 * apart.center ).toFixed( 2 ) } um; inertia by ${ ( 1e6 * apart.inertia ).toFixed( 2 ) } ppm` );
	console.log( `${ rests ? 'at rest' : 'still moving' } after ${ seconds.toFixed( 2 ) } s, center of mass at height ${ center[1].toFixed( 4 ) } m, ` +
		( apart.gap === Infinity ? 'not over the ground' : `${ Math.abs( 1000 * apart.gap ).toFixed( 2 ) } mm ${ apart.gap < 0 ? 'in' : 'above' } the ground` ) );
	console.log( `${ rays.rays } rays: ${ rays.hits } hit the ground, distances differ by at most ${ rays.worst.toExponential( 1 ) }, ${ rays.others } have another answer` );
	console.log( wrong.length === 0 ? 'good' : `wrong: ${ wrong.join( ', ' ) }` );
	process.exitCode = wrong.length === 0 ? 0 : 1;
}
