// The geometry in the page, read into typed arrays.
//
// Arrays of numbers stand in the JSON as {"u16":"base64"}. Positions are steps of a grid over a cube that becomes the one from -1
// to 1; a length in mesh units is one of the view times `scale`.

( function( view )
{
	"use strict";

	const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

	function readArray( object )
	{
		const type = Object.keys( object )[0];
		const text = atob( object[type] );
		const bytes = new Uint8Array( text.length );
		for ( let i = 0; i < text.length; ++i )
		{
			bytes[i] = text.charCodeAt( i );
		}
		return new types[type]( bytes.buffer );
	}

	// From steps of the grid to the view's coordinates.
	function readPositions( object )
	{
		const steps = readArray( object );
		const out = new Float32Array( steps.length );
		for ( let i = 0; i < steps.length; ++i )
		{
			out[i] = steps[i] / 32767.5 - 1;
		}
		return out;
	}

	function readMesh( mesh )
	{
		mesh.positions = readPositions( mesh.positions );
		mesh.corners = readArray( mesh.corners );
		mesh.numbers = mesh.numbers && readArray( mesh.numbers );
		if ( mesh.sources )
		{
			mesh.sources.faces = readArray( mesh.sources.faces );
			mesh.sources.segment = readArray( mesh.sources.segment );
		}
	}

	// Parts have their vertices and faces one after another: where those of each begin.
	function firsts( counts )
	{
		const first = new Uint32Array( counts.length + 1 );
		for ( let i = 0; i < counts.length; ++i )
		{
			first[i + 1] = first[i] + counts[i];
		}
		return first;
	}

	// Pairs of places in `corners`: where the sides of triangles are edges. Bit k of a triangle's number is that of the side from
	// corner k to the next one.
	function readOutline( object )
	{
		const bits = readArray( object );
		const out = [];
		for ( let i = 0; i < bits.length; ++i )
		{
			for ( let k = 0; k < 3; ++k )
			{
				if ( bits[i] >> k & 1 )
				{
					out.push( 3 * i + k, 3 * i + ( k + 1 ) % 3 );
				}
			}
		}
		return Uint32Array.from( out );
	}

	function readParts( parts )
	{
		parts.firstVertex = firsts( readArray( parts.vertices ) );
		parts.firstFace = firsts( readArray( parts.faces ) );
		parts.numbers = readArray( parts.numbers );
		parts.positions = readPositions( parts.positions );
		const local = readArray( parts.corners );
		parts.corners = new Uint32Array( local.length );
		for ( let part = 0; part < parts.count; ++part )
		{
			for ( let i = 3 * parts.firstFace[part]; i < 3 * parts.firstFace[part + 1]; ++i )
			{
				parts.corners[i] = parts.firstVertex[part] + local[i];
			}
		}
		parts.outline = readOutline( parts.outline );
	}

	function readTree( tree )
	{
		for ( const key of [ "number", "parent", "first_child", "children", "first", "triangles", "level", "type",
			"shapes" ] )
		{
			tree[key] = readArray( tree[key] );
		}
		tree.errors = tree.solid && { solid: readArray( tree.solid ), surface: readArray( tree.surface ) };
		tree.firstShape = new Uint32Array( tree.nodes );
		for ( let i = 0, at = 0; i < tree.nodes; ++i )
		{
			tree.firstShape[i] = at;
			at += tree.types[tree.type[i]].numbers;
		}
		tree.placeOf = new Map();
		tree.number.forEach( function( number, place )
		{
			tree.placeOf.set( number, place );
		} );
	}

	view.readData = function( text )
	{
		const data = JSON.parse( text );
		if ( data.mesh )
		{
			readMesh( data.mesh );
		}
		if ( data.clip )
		{
			data.clip.frames = data.clip.frames.map( readPositions );
			data.clip.rest = data.mesh.positions.slice();
		}
		for ( const kind of Object.keys( data.edges ) )
		{
			data.edges[kind].ends = readPositions( data.edges[kind].ends );
		}
		if ( data.hull )
		{
			data.hull.positions = readPositions( data.hull.positions );
			data.hull.corners = readArray( data.hull.corners );
			data.hull.outline = readOutline( data.hull.outline );
		}
		if ( data.parts )
		{
			readParts( data.parts );
		}
		if ( data.proxy )
		{
			data.proxy.positions = readPositions( data.proxy.positions );
			data.proxy.corners = readArray( data.proxy.corners );
		}
		if ( data.tree )
		{
			readTree( data.tree );
		}
		return data;
	};

	// Whether node's children are among the nodes of the view; leaves have none.
	view.isOpen = function( tree, node )
	{
		return tree.first_child[node] !== 0xffffffff;
	};

	// Nodes stand level by level.
	view.lastLevel = function( tree )
	{
		return tree.level[tree.nodes - 1];
	};

	// Of a node whose children are there.
	view.childrenOf = function( tree, node )
	{
		return Array.from( { length: tree.children[node] }, function( unused, i )
		{
			return tree.first_child[node] + i;
		} );
	};

	// The number in the file of a triangle of the view.
	view.triangleNumber = function( mesh, index )
	{
		return mesh.numbers ? mesh.numbers[index] : index;
	};

	// The first triangle of the view whose number in the file is not below `number`.
	view.triangleIndex = function( mesh, number )
	{
		if ( !mesh.numbers )
		{
			return Math.min( number, mesh.triangles );
		}
		let low = 0;
		let high = mesh.triangles;
		while ( low < high )
		{
			const middle = ( low + high ) >> 1;
			if ( mesh.numbers[middle] < number )
			{
				low = middle + 1;
			}
			else
			{
				high = middle;
			}
		}
		return low;
	};

	// Nodes from the root down to the last one of the view that has the triangle below it.
	view.chainOfTriangle = function( tree, number )
	{
		const chain = [ 0 ];
		for ( let node = 0; view.isOpen( tree, node ); )
		{
			let child = tree.first_child[node];
			while ( number < tree.first[child] || number >= tree.first[child] + tree.triangles[child] )
			{
				++child;
			}
			chain.push( child );
			node = child;
		}
		return chain;
	};

	// Nodes from the root down to this one.
	view.chainOfNode = function( tree, node )
	{
		const chain = [ node ];
		while ( chain[0] !== 0 )
		{
			chain.unshift( tree.parent[chain[0]] );
		}
		return chain;
	};

	// The nodes of a level, and with `leaves` the leaves above it, which together hold every triangle.
	view.nodesOfLevel = function( tree, level, leaves )
	{
		const nodes = [];
		for ( let i = 0; i < tree.nodes && tree.level[i] <= level; ++i )
		{
			if ( tree.level[i] === level || ( leaves && tree.children[i] === 0 ) )
			{
				nodes.push( i );
			}
		}
		return nodes;
	};

	// The first nodes on the ways down from the root whose error is at most `most`; where there is none the last.
	view.nodesOfCut = function( tree, errors, most )
	{
		const nodes = [];
		const stack = [ 0 ];
		while ( stack.length > 0 )
		{
			const node = stack.pop();
			if ( errors[node] <= most || !view.isOpen( tree, node ) )
			{
				nodes.push( node );
				continue;
			}
			for ( let i = tree.children[node] - 1; i >= 0; --i )
			{
				stack.push( tree.first_child[node] + i );
			}
		}
		return nodes;
	};

	// Down to this error cuts are the file's: the largest of nodes whose children were left out.
	view.leastExactError = function( tree, errors )
	{
		let least = 0;
		for ( let i = 0; i < tree.nodes; ++i )
		{
			if ( tree.children[i] > 0 && !view.isOpen( tree, i ) )
			{
				least = Math.max( least, errors[i] );
			}
		}
		return least;
	};
} )( window.bvView );
