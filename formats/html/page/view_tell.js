// What the panel says of a triangle, a node, a part or a kind of edges, and its lists of buttons that show a node or a part.

( function( view )
{
	"use strict";

	view.addHeading = function( to, text )
	{
		const heading = document.createElement( "h3" );
		heading.textContent = text;
		to.appendChild( heading );
	};

	// @param rows  what stands in each: text, value, what it shows, and whether that is picked
	view.addButtons = function( to, rows )
	{
		const list = document.createElement( "ol" );
		for ( const row of rows )
		{
			const item = document.createElement( "li" );
			const button = document.createElement( "button" );
			button.type = "button";
			button.dataset.show = row.show.kind + ":" + row.show.number;
			for ( const text of [ row.text, row.value ] )
			{
				const span = document.createElement( "span" );
				span.textContent = text;
				button.appendChild( span );
			}
			if ( row.current )
			{
				button.setAttribute( "aria-current", "true" );
			}
			item.appendChild( button );
			list.appendChild( item );
		}
		to.appendChild( list );
	};

	// @param errors  of nodes; null where the file has none
	view.rowOfNode = function( tree, errors, node )
	{
		return { text: "node " + tree.number[node] + ", level " + tree.level[node] +
			( tree.children[node] === 0 ? ", leaf" : "" ),
			value: errors ? view.formatLength( errors[node] ) : "",
			show: { kind: "node", number: tree.number[node] } };
	};

	function addFacts( to, facts )
	{
		const list = document.createElement( "dl" );
		for ( const fact of facts )
		{
			const term = document.createElement( "dt" );
			const text = document.createElement( "dd" );
			term.textContent = fact[0];
			text.textContent = fact[1];
			list.appendChild( term );
			list.appendChild( text );
		}
		to.appendChild( list );
	}

	function addNodes( to, title, tree, errors, nodes, current )
	{
		view.addHeading( to, title );
		view.addButtons( to, nodes.map( function( node )
		{
			return Object.assign( view.rowOfNode( tree, errors, node ), { current: node === current } );
		} ) );
	}

	function addChain( to, tree, errors, chain, current )
	{
		addNodes( to, "Nodes from the root" + ( errors ? ", with their errors" : "" ), tree, errors, chain, current );
	}

	function pointText( data, point, error )
	{
		return Array.from( point, function( x, i )
		{
			const value = x * data.scale + data.center[i];
			return error > 0 ? view.formatWithin( value, error ) : view.formatLength( value );
		} ).join( ", " );
	}

	function tellSource( sources, index )
	{
		if ( !sources )
		{
			return [];
		}
		const names = sources.segments[sources.segment[index]];
		return [ [ "Source face, from 0", view.formatCount( sources.faces[index] ) ], [ "Object", names[0] ], [ "Group", names[1] ],
			[ "Material", names[2] ] ].filter( function( fact )
		{
			return fact[1] !== "";
		} );
	}

	function tellTriangle( data, errors, to, index )
	{
		const corners = view.cornersOf( data.mesh, index );
		const number = view.triangleNumber( data.mesh, index );
		const step = data.scale / 65535;
		const about = Math.max( data.mesh.moved, step );
		addFacts( to, [ 0, 1, 2 ].map( function( k )
		{
			return [ "Corner " + ( k + 1 ), pointText( data, corners.subarray( 3 * k, 3 * k + 3 ), about ) ];
		} ).concat( [ [ "Corners to", view.formatLength( about ) ],
			[ "Area", "about " + view.formatNumber( view.areaOf( corners ) * data.scale * data.scale ) ] ], tellSource( data.mesh.sources, index ) ) );
		if ( data.tree )
		{
			addChain( to, data.tree, errors, view.chainOfTriangle( data.tree, number ), -1 );
		}
	}

	function tellNode( data, errors, to, node )
	{
		const tree = data.tree;
		const facts = [ [ "Volume", tree.types[tree.type[node]].name + ", level " + tree.level[node] ],
			[ "Children", tree.children[node] === 0 ? "none, a leaf" : view.formatCount( tree.children[node] ) ],
			[ "Triangles", view.formatCount( tree.triangles[node] ) + ", from " + tree.first[node] ] ];
		if ( tree.errors )
		{
			facts.push( [ "Error, all points", "at most " + view.formatWithShare( tree.errors.solid[node], tree.diagonal ) ] );
			facts.push( [ "Error, surface", "at most " + view.formatWithShare( tree.errors.surface[node], tree.diagonal ) ] );
		}
		addFacts( to, facts );
		addChain( to, tree, errors, view.chainOfNode( tree, node ), node );
		if ( view.isOpen( tree, node ) )
		{
			const children = Array.from( { length: tree.children[node] }, function( unused, i )
			{
				return tree.first_child[node] + i;
			} );
			addNodes( to, "Children", tree, errors, children, -1 );
		}
	}

	function tellPart( data, errors, to, part )
	{
		const parts = data.parts;
		addFacts( to, [ [ "Corners", view.formatCount( parts.firstVertex[part + 1] - parts.firstVertex[part] ) ],
			[ "Faces", view.formatCount( parts.firstFace[part + 1] - parts.firstFace[part] ) ],
			[ "Volume", view.formatLength( parts.numbers[3 * part] ) ],
			[ "Stands off", view.formatLength( parts.numbers[3 * part + 1] ) + " to " +
				view.formatLength( parts.numbers[3 * part + 2] ) ] ] );
	}

	function tellEdges( data, errors, to, kind )
	{
		const shown = data.edges[kind].ends.length / 6;
		addFacts( to, [ [ "In the file", view.formatCount( data.edges[kind].in_file ) ], [ "Shown", view.formatCount( shown ) ] ] );
	}

	// What is said of each kind of thing, to be added to an element.
	view.tellers = { triangle: tellTriangle, node: tellNode, part: tellPart, edges: tellEdges };
} )( window.bvView );
