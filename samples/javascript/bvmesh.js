// three.js objects made of .bvh files. A BvMesh is a Mesh whose raycast asks the file: its hierarchy is there already, and one castRay
// takes the place of a test of all triangles. For Node.js and browsers.

import { BufferAttribute, BufferGeometry, Color, FrontSide, BackSide, Group, Matrix4, Mesh, MeshStandardMaterial, Vector3 } from 'three';

/**
 * @param surface  of a BvFile: its mesh, hull, proxy or one of its parts. Triangles keep their order
 * @return a geometry of it
 */
export function geometryOf( { positions, triangles } )
{
	const geometry = new BufferGeometry();
	geometry.setAttribute( 'position', new BufferAttribute( new Float32Array( positions ), 3 ) );
	geometry.setIndex( new BufferAttribute( triangles, 1 ) );
	geometry.computeVertexNormals();
	return geometry;
}

/** @return a group of a mesh per convex part, each with a color of its own */
export function partsOf( file )
{
	const group = new Group();
	file.parts.forEach( ( part, i ) =>
	{
		const material = new MeshStandardMaterial( { color: new Color().setHSL( ( 0.618034 * i ) % 1, 0.6, 0.55 ), flatShading: true } );
		const mesh = new Mesh( geometryOf( part ), material );
		mesh.name = `part ${ i }`;
		group.add( mesh );
	} );
	return group;
}

const inverse = new Matrix4();
const end = new Vector3();

/** The mesh of a file. Raycaster gets the first hit of it, not all. */
export class BvMesh extends Mesh
{
	/** @param file  a BvFile with a mesh and a hierarchy, which must not be freed before the object is gone */
	constructor( file, material )
	{
		super( geometryOf( file.mesh ), material );
		this.file = file;
	}

	raycast( { ray, near, far }, intersections )
	{
		if ( !( far > 0 && near < far ) )
		{
			return;
		}
		// In coordinates of the file; the direction is not made a unit vector, so that times are lengths in the world.
		inverse.copy( this.matrixWorld ).invert();
		const origin = ray.origin.clone().applyMatrix4( inverse );
		const direction = end.addVectors( ray.origin, ray.direction ).applyMatrix4( inverse ).sub( origin );
		const hit = this.file.castRay( origin, direction, {
			from: near,
			to: far === Infinity ? 0 : far,
			noBacks: this.material.side === FrontSide,
			noFronts: this.material.side === BackSide,
		} );
		if ( hit === null )
		{
			return;
		}
		const index = this.geometry.index;
		const [ a, b, c ] = [ 0, 1, 2 ].map( i => index.getX( 3 * hit.triangle + i ) );
		intersections.push( {
			object: this,
			distance: hit.time,
			point: ray.at( hit.time, new Vector3() ),
			faceIndex: hit.triangle,
			face: { a, b, c, normal: new Vector3( ...hit.normal ), materialIndex: 0 },
			barycoord: new Vector3( ...hit.weights ),
		} );
	}
}
