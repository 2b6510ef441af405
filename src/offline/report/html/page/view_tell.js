// The panel's description of a triangle, a node, a part or a kind of edge, its lists of buttons that show a
// node or a part, and the legend of the colors.

( function( view )
{
	"use strict";

	const listed = 5;    // of the worst nodes and parts
	const written = 1.6; // how far numbers can be off as they are written, in how far they are off

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
			value: errors ? view.formatUpper( errors[node] ) + view.unitText( 1 ) : "",
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
		} ).join( ", " ) + view.unitText( 1 );
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
		const about = data.mesh.moved + data.scale / 65535;
		addFacts( to, [ 0, 1, 2 ].map( function( k )
		{
			return [ "Corner " + ( k + 1 ), pointText( data, corners.subarray( 3 * k, 3 * k + 3 ), about ) ];
		} ).concat( [ [ "Accuracy", view.formatUpper( written * about ) + view.unitText( 1 ) ],
			[ "Area", "about " + view.formatNumber( view.areaOf( corners ) * data.scale * data.scale ) +
				view.unitText( 2 ) ] ], tellSource( data.mesh.sources, index ) ) );
		if ( data.tree )
		{
			addChain( to, data.tree, errors, view.chainOfTriangle( data.tree, number ), -1 );
		}
	}

	function tellNode( data, errors, to, node )
	{
		const tree = data.tree;
		const facts = [ [ "Volume", tree.types[tree.type[node]].name + ", level " + tree.level[node] ],
			[ "Children", tree.children[node] === 0 ? "none (leaf)" : view.formatCount( tree.children[node] ) ],
			[ "Triangles", view.formatCount( tree.triangles[node] ) + ", from " + tree.first[node] ] ];
		if ( tree.errors )
		{
			facts.push( [ "Error (all points)", "at most " + view.formatUpperWithShare( tree.errors.solid[node], tree.diagonal ) ] );
			facts.push( [ "Error (surface)", "at most " + view.formatUpperWithShare( tree.errors.surface[node], tree.diagonal ) ] );
		}
		addFacts( to, facts );
		addChain( to, tree, errors, view.chainOfNode( tree, node ), node );
		if ( view.isOpen( tree, node ) )
		{
			addNodes( to, "Children", tree, errors, view.childrenOf( tree, node ), -1 );
		}
	}

	function tellPart( data, errors, to, part )
	{
		const parts = data.parts;
		addFacts( to, [ [ "Vertices", view.formatCount( parts.firstVertex[part + 1] - parts.firstVertex[part] ) ],
			[ "Faces", view.formatCount( parts.firstFace[part + 1] - parts.firstFace[part] ) ],
			[ "Volume", view.formatLength( parts.numbers[3 * part] ) + view.unitText( 3 ) ],
			[ "Stand-off", view.formatLower( parts.numbers[3 * part + 1] ) + " to " +
				view.formatUpper( parts.numbers[3 * part + 2] ) + view.unitText( 1 ) ] ] );
	}

	function tellEdges( data, errors, to, kind )
	{
		const shown = data.edges[kind].ends.length / 6;
		addFacts( to, [ [ "In the file", view.formatCount( data.edges[kind].in_file ) ], [ "Shown", view.formatCount( shown ) ] ] );
	}

	// The largest errors among volumes that are shown, and the parts that stand off most, each with a button that shows it.
	// @param errors  of nodes; null where the file has none
	view.tellWorst = function( data, errors, to, volumes )
	{
		const rows = [];
		const worst = errors ? volumes.slice().sort( function( a, b )
		{
			return errors[b] - errors[a] || a - b;
		} ).slice( 0, listed ) : [];
		to.textContent = "";
		if ( worst.length > 0 )
		{
			view.addHeading( to, "Largest errors among the volumes shown" );
			view.addButtons( to, worst.map( function( node )
			{
				return view.rowOfNode( data.tree, errors, node );
			} ) );
		}
		for ( let i = 0; data.parts && i < data.parts.count; ++i )
		{
			rows.push( i );
		}
		rows.sort( function( a, b )
		{
			return data.parts.numbers[3 * b + 2] - data.parts.numbers[3 * a + 2] || a - b;
		} );
		if ( rows.length > 0 )
		{
			view.addHeading( to, "Parts with the largest stand-off" );
			view.addButtons( to, rows.slice( 0, listed ).map( function( part )
			{
				return { text: "part " + part, value: view.formatUpper( data.parts.numbers[3 * part + 2] ) + view.unitText( 1 ),
					show: { kind: "part", number: part } };
			} ) );
		}
	};

	// Bands of color side by side, and texts below them.
	function tellBands( bar, ticks, colors, texts )
	{
		const stops = colors.map( function( color, i )
		{
			return view.cssColor( color ) + " " + 100 * i / colors.length + "% " + 100 * ( i + 1 ) / colors.length + "%";
		} );
		bar.style.background = "linear-gradient(90deg," + stops.join( "," ) + ")";
		ticks.textContent = "";
		for ( const text of texts )
		{
			const tick = document.createElement( "span" );
			tick.textContent = text;
			ticks.appendChild( tick );
		}
	}

	// The colors of errors, with the limits between them in percent of the diagonal.
	view.tellErrorLegend = function( bar, ticks, errors )
	{
		tellBands( bar, ticks, errors.colors.map( function( color )
		{
			return color.map( function( x )
			{
				return x / 255;
			} );
		} ), [ "" ].concat( errors.limits.map( function( limit )
		{
			return view.formatNumber( 100 * limit );
		} ), [ "" ] ) );
	};

	// The colors of levels 0 to `last`.
	view.tellLevelLegend = function( bar, ticks, last, dark )
	{
		const colors = [];
		for ( let level = 0; level <= last; ++level )
		{
			colors.push( view.oneOfMany( level, dark ) );
		}
		tellBands( bar, ticks, colors, last > 0 ? [ "0", String( last ) ] : [ "0" ] );
	};

	// What the view does not have of the file.
	view.notesOf = function( data )
	{
		const notes = [];
		const mesh = data.mesh;
		const tree = data.tree;
		if ( mesh && mesh.numbers )
		{
			notes.push( "This view shows a mesh simplified from " + view.formatCount( mesh.triangles_in_file ) + " to " +
				view.formatPlural( mesh.triangles, "triangle" ) + "; vertices moved by at most " +
				view.formatUpper( mesh.moved ) + view.unitText( 1 ) + "." );
		}
		if ( data.proxy && data.proxy.triangles < data.proxy.triangles_in_file )
		{
			notes.push( "The proxy mesh is simplified for this view, from " + view.formatCount( data.proxy.triangles_in_file ) + " to " +
				view.formatPlural( data.proxy.triangles, "triangle" ) + "; vertices moved by at most " +
				view.formatUpper( data.proxy.moved ) + view.unitText( 1 ) + "." );
		}
		if ( tree && tree.nodes < tree.nodes_in_file )
		{
			notes.push( "This view has " + view.formatCount( tree.nodes ) + " of " +
				view.formatCount( tree.nodes_in_file ) + " nodes: levels 0 to " + ( tree.whole_levels - 1 ) +
				", and nodes below those with the largest " + ( tree.errors ? "errors" : "volumes" ) +
				( view.lastLevel( tree ) < tree.levels.length - 1 ? ", down to level " + view.lastLevel( tree ) : "" ) + "." );
		}
		return notes;
	};

	// What is said of each kind of thing, to be added to an element.
	view.tellers = { triangle: tellTriangle, node: tellNode, part: tellPart, edges: tellEdges };
} )( window.bvView );
