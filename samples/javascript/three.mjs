// Casts the same rays at the meshes of .bvh files by three.js, by three-mesh-bvh and by the files, and compares answers and times.
//
//   node three.mjs FILE.bvh...
//
// Exit code 0: the answers are the same, 1: they are not, 2: usage, or a file without a mesh. three.md explains it.

import { readFile } from 'node:fs/promises';
import { BvFile, init } from 'bvbuild';
import { Mesh, MeshBasicMaterial, Raycaster, Vector3 } from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { BvMesh, geometryOf, partsOf } from './bvmesh.js';
import { giveUp, groundOf, raysAt } from './shared.mjs';

const paths = process.argv.slice( 2 );
if ( paths.length === 0 )
{
	giveUp( 'usage: node three.mjs FILE.bvh...' );
}

async function timed( work )
{
	const start = performance.now();
	const result = await work();
	return [ result, performance.now() - start ];
}

// The first hit of each ray, and microseconds per ray: the fastest of the runs that fit into half a second.
async function pick( object, rays )
{
	const raycaster = new Raycaster();
	raycaster.firstHitOnly = true; // Which three-mesh-bvh reads.
	const run = () => rays.map( ( { origin, direction } ) =>
	{
		raycaster.set( origin, direction );
		return raycaster.intersectObject( object )[0] ?? null;
	} );
	let [ hits, fastest ] = await timed( run );
	for ( let spent = fastest; spent < 500; )
	{
		const [ , time ] = await timed( run );
		fastest = Math.min( fastest, time );
		spent += time;
	}
	return { hits, each: 1000 * fastest / rays.length };
}

// The same place, of any triangle: where triangles meet, each of them is right.
const same = ( a, b ) => a === null || b === null ? a === b : Math.abs( a.distance - b.distance ) <= 1e-4 * b.distance;

await init();
let good = true;
console.log( 'file              parts triangles  rays  hits others |  open   BVH ms |  three.js  mesh-bvh   bvbuild us per ray' );
for ( const path of paths )
{
	const bytes = await readFile( path ).catch( () => giveUp( `${ path }: cannot be read` ) );
	const [ file, open ] = await timed( () => BvFile.open( bytes ).catch( error => giveUp( `${ path }: ${ error.message }` ) ) );
	file.path = path;
	groundOf( file );
	const material = new MeshBasicMaterial();
	const plain = new Mesh( geometryOf( file.mesh ), material );
	const accelerated = new Mesh( geometryOf( file.mesh ), material );
	const [ tree, build ] = await timed( () => new MeshBVH( accelerated.geometry ) );
	accelerated.geometry.boundsTree = tree;
	accelerated.raycast = acceleratedRaycast;
	const ours = new BvMesh( file, material );
	// All of them are turned, stretched and mirrored, so that matrices have something to do.
	for ( const each of [ plain, accelerated, ours ] )
	{
		each.position.set( 1, 2, 3 );
		each.rotation.set( 0.3, 0.2, 0.1 );
		each.scale.set( 1, 1.5, -2 );
		each.updateMatrixWorld();
	}
	// Fewer of them at large meshes, of which three.js tests all triangles.
	const count = Math.max( 100, Math.min( 1000, Math.round( 4e6 / file.info.triangles ) ) );
	const rays = raysAt( file.bounds.box, count ).map( ( { origin, direction } ) =>
	{
		const from = new Vector3( ...origin ).applyMatrix4( plain.matrixWorld );
		return { origin: from, direction: new Vector3( ...origin ).add( new Vector3( ...direction ) ).applyMatrix4( plain.matrixWorld ).sub( from ).normalize() };
	} );
	const [ a, b, c ] = [ await pick( plain, rays ), await pick( accelerated, rays ), await pick( ours, rays ) ];
	const others = rays.filter( ( _, i ) => !same( a.hits[i], c.hits[i] ) || !same( b.hits[i], c.hits[i] ) ).length;
	const hits = c.hits.filter( hit => hit !== null ).length;
	good &&= others === 0;
	const cells = [ partsOf( file ).children.length, file.info.triangles, rays.length, hits, others ].map( ( x, i ) => String( x ).padStart( [ 5, 9, 5, 5, 6 ][i] ) );
	const times = [ a.each, b.each, c.each ].map( x => x.toFixed( 1 ).padStart( 9 ) );
	console.log( `${ path.replace( /.*[/\\]/, '' ).padEnd( 17 ) } ${ cells.join( ' ' ) } | ${ open.toFixed( 1 ).padStart( 5 ) } ${ build.toFixed( 1 ).padStart( 8 ) } | ${ times.join( ' ' ) }` );
}
console.log( good ? 'the same hits' : 'other hits' );
process.exitCode = good ? 0 : 1;
