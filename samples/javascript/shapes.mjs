// Writes the meshes of this sample: horseshoe.obj, yard.obj, and hills.obj, which is the yard with more triangles. In meters, y up.

import { writeFileSync } from 'node:fs';

// A ring of which a quarter is missing, 0.15 m thick: a chain of quadrilaterals in the plane of x and z, extruded along y.
function horseshoe( segments = 36, inner = 0.3, outer = 0.5, height = 0.15 )
{
	const vertices = [];
	const faces = [];
	for ( let i = 0; i <= segments; ++i )
	{
		const angle = Math.PI * ( 0.75 + 1.5 * i / segments );
		for ( const y of [ 0, height ] )
		{
			vertices.push( [ inner * Math.cos( angle ), y, -inner * Math.sin( angle ) ], [ outer * Math.cos( angle ), y, -outer * Math.sin( angle ) ] );
		}
	}
	const [ inside, outside, insideTop, outsideTop ] = [ 1, 2, 3, 4 ];
	for ( let i = 0; i < segments; ++i )
	{
		const a = 4 * i;
		const b = a + 4;
		faces.push( [ a + inside, b + inside, b + outside, a + outside ], [ a + insideTop, a + outsideTop, b + outsideTop, b + insideTop ] );
		faces.push( [ a + inside, a + insideTop, b + insideTop, b + inside ], [ a + outside, b + outside, b + outsideTop, a + outsideTop ] );
	}
	const last = 4 * segments;
	faces.push( [ inside, outside, outsideTop, insideTop ], [ last + inside, last + insideTop, last + outsideTop, last + outside ] );
	return { vertices, faces };
}

// A square of 16 m, flat at height 0 within 4 m of its middle and hilly around.
function yard( cells, size = 16, flat = 4 )
{
	const vertices = [];
	const faces = [];
	for ( let row = 0; row <= cells; ++row )
	{
		for ( let column = 0; column <= cells; ++column )
		{
			const x = size * ( column / cells - 0.5 );
			const z = size * ( row / cells - 0.5 );
			const out = Math.max( Math.hypot( x, z ) - flat, 0 );
			vertices.push( [ x, 0.25 * out * ( 1.2 + Math.sin( 1.7 * x ) * Math.cos( 1.3 * z ) ), z ] );
		}
	}
	for ( let row = 0; row < cells; ++row )
	{
		for ( let column = 0; column < cells; ++column )
		{
			const a = row * ( cells + 1 ) + column + 1;
			const b = a + cells + 1;
			faces.push( [ a, b, b + 1 ], [ a, b + 1, a + 1 ] );
		}
	}
	return { vertices, faces };
}

function write( path, { vertices, faces } )
{
	const lines = [ ...vertices.map( v => `v ${ v.map( x => +x.toFixed( 9 ) ).join( ' ' ) }` ), ...faces.map( f => `f ${ f.join( ' ' ) }` ) ];
	writeFileSync( path, lines.join( '\n' ) + '\n' );
}

write( 'horseshoe.obj', horseshoe() );
write( 'yard.obj', yard( 48 ) );
write( 'hills.obj', yard( 256 ) );
