// Compares BvMesh of samples/javascript with Mesh of three.js: node check_bvmesh.mjs FILE.bvh, in a folder with bvmesh.js and the packages.
// Sides of materials, near and far, transforms, and everything of an intersection, for many rays; a ray that hits a given triangle of the
// parts must be found in the group, too.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const here = name => import( pathToFileURL( `${ process.cwd() }/${ name }` ).href );
const { BvMesh, geometryOf, partsOf } = await here( 'bvmesh.js' );
const THREE = await here( 'node_modules/three/build/three.module.js' );
const { BvFile } = await here( 'node_modules/bvbuild/index.js' );
const { raysAt } = await here( 'shared.mjs' );

const file = await BvFile.open( await readFile( process.argv[2] ) );
const rays = raysAt( file.bounds.box, 400 );
const near = ( a, b, what ) => assert.ok( Math.abs( a - b ) < 1e-4 * ( 1 + Math.abs( b ) ), `${ what }: ${ a } and not ${ b }` );
const nearVectors = ( a, b, what ) => [ 'x', 'y', 'z' ].forEach( axis => near( a[axis], b[axis], what ) );

let hits = 0;
let edges = 0;
for ( const side of [ THREE.FrontSide, THREE.BackSide, THREE.DoubleSide ] )
{
	for ( const scale of [ [ 1, 1, 1 ], [ 2, 0.5, 1.5 ], [ -1, 1, 1 ], [ -2, -2, -2 ] ] )
	{
		for ( const [ from, to ] of [ [ 0, Infinity ], [ 1.2, Infinity ], [ 0, 1.5 ], [ 1.2, 1.5 ] ] )
		{
			const material = new THREE.MeshBasicMaterial( { side } );
			const [ plain, ours ] = [ new THREE.Mesh( geometryOf( file.mesh ), material ), new BvMesh( file, material ) ];
			for ( const each of [ plain, ours ] )
			{
				each.position.set( -0.3, 0.2, 0.7 );
				each.rotation.set( 1, 2, 3 );
				each.scale.set( ...scale );
				each.updateMatrixWorld();
			}
			for ( const { origin, direction } of rays )
			{
				const start = new THREE.Vector3( ...origin ).applyMatrix4( plain.matrixWorld );
				const along = new THREE.Vector3( ...origin ).add( new THREE.Vector3( ...direction ) ).applyMatrix4( plain.matrixWorld ).sub( start ).normalize();
				const raycaster = new THREE.Raycaster( start, along, from, to );
				const [ a ] = raycaster.intersectObject( plain );
				const found = raycaster.intersectObject( ours );
				assert.ok( found.length <= 1 );
				const [ b ] = found;
				assert.equal( a === undefined, b === undefined, `${ side } ${ scale } ${ from } ${ to }: ${ origin } ${ direction }` );
				if ( a === undefined )
				{
					continue;
				}
				++hits;
				assert.equal( b.object, ours );
				near( b.distance, a.distance, 'distance' );
				nearVectors( b.point, a.point, 'point' );
				if ( a.faceIndex !== b.faceIndex )
				{
					++edges; // Of triangles that meet there, three.js has another one.
					assert.ok( Math.min( ...b.barycoord ) < 1e-4, 'inside of another triangle' );
					continue;
				}
				assert.deepEqual( [ b.face.a, b.face.b, b.face.c, b.face.materialIndex ], [ a.face.a, a.face.b, a.face.c, a.face.materialIndex ] );
				nearVectors( b.face.normal, a.face.normal, 'normal' );
				nearVectors( b.barycoord, a.barycoord, 'barycentric coordinates' );
			}
		}
	}
}
assert.ok( hits > 5000 && edges < hits / 100, `${ hits } hits, ${ edges } at edges` );

// Ranges without anything in them.
const raycaster = new THREE.Raycaster( new THREE.Vector3( 0, 9, 0 ), new THREE.Vector3( 0, -1, 0 ), 5, 5 );
assert.equal( raycaster.intersectObject( new BvMesh( file, new THREE.MeshBasicMaterial() ) ).length, 0 );

// Each part is there with its triangles and a color of its own.
const parts = partsOf( file );
const surfaces = file.parts;
assert.equal( parts.children.length, surfaces.length );
assert.equal( new Set( parts.children.map( part => part.material.color.getHex() ) ).size, surfaces.length );
parts.children.forEach( ( part, i ) =>
{
	assert.deepEqual( [ ...part.geometry.index.array ], [ ...surfaces[i].triangles ] );
	const center = new THREE.Vector3( ...surfaces[i].centerOfMass );
	const inside = new THREE.Raycaster( center, new THREE.Vector3( 0.3, 0.8, 0.5 ).normalize() );
	part.material.side = THREE.BackSide;
	assert.equal( inside.intersectObject( part ).length, 1, 'a ray from the center of mass leaves the part once' );
} );
console.log( `check_bvmesh: ${ hits } intersections are those of three.js` );
