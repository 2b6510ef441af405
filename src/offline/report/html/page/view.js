// The 3D view of the report: its panel, what is picked, the links of the page that lead into it, and window.bvReport.
//
// Nothing is drawn unless something has changed. Where WebGL is missing or is lost, the page's picture stays and a line says why.

( function( view )
{
	"use strict";

	const kinds = [ "boundary", "flipped", "non_manifold" ];
	const kindNames = { boundary: "open", flipped: "flipped", non_manifold: "non-manifold" };
	const touching = 1e-4;    // distances that are not told apart
	const element = function( name )
	{
		return document.getElementById( "view-" + name );
	};

	// What is asked for: the panel's controls say it, and bvReport shows it.
	const state = { mode: "level", level: 0, cutError: 0, volumes: [], explode: 0, picked: null, family: null };
	const report = { ready: false, message: null };
	const wantsDark = window.matchMedia( "(prefers-color-scheme: dark)" );
	const wantsStill = window.matchMedia( "(prefers-reduced-motion: reduce)" );
	let data = null;
	let scene = null;
	let camera = null;
	let scale = null; // of errors, to colors
	let rule = null;  // the scale bar
	let places = null; // that links lead to
	let clip = null;   // that plays; null without one
	let everything = null;
	let dirty = false;
	let volumesChanged = true;

	// Read only: what the view shows. See formats/html/README.md.
	window.bvReport = Object.freeze( {
		get ready()
		{
			return report.ready;
		},
		get message()
		{
			return report.message;
		},
		get shown()
		{
			return scene && {
				triangles: data.mesh && element( "mesh" ).value !== "hidden" ? data.mesh.triangles : 0,
				volumes: volumeStyle() === "hidden" ? 0 : state.volumes.length,
				parts: data.parts && element( "parts" ).value !== "hidden" ? data.parts.count : 0,
				proxy: data.proxy && element( "proxy" ).value !== "hidden" ? data.proxy.triangles : 0,
				hull: element( "hull" ).checked,
				primitive: element( "primitive" ).checked,
				boundary: countOfEdges( "boundary" ),
				flipped: countOfEdges( "flipped" ),
				non_manifold: countOfEdges( "non_manifold" ),
			};
		},
		get mode()
		{
			return state.mode;
		},
		get level()
		{
			return state.level;
		},
		get cutError()
		{
			return state.cutError;
		},
		get explode()
		{
			return state.explode;
		},

		// The sample of the clip that is shown, with a fraction; null for the pose of the file.
		get sample()
		{
			return clip && clip.sample();
		},
		get picked()
		{
			return state.picked && Object.assign( {}, state.picked );
		},

		// What the objects of the scene hold, not what was asked for.
		get drawn()
		{
			return scene && scene.drawn();
		},

		// @param number  of a node in the file
		drawnVolume: function( number )
		{
			return scene ? scene.drawnVolume( data.tree.placeOf.get( number ) ) : null;
		},
		drawnPart: function( number )
		{
			return scene ? scene.drawnPart( number ) : null;
		},

		// @param name  "mesh", "hull", "proxy", "primitive", or a kind of edges
		drawnBody: function( name )
		{
			return scene ? scene.drawnBody( name ) : null;
		},

		// @param name  "hull" or "parts"
		drawnOutline: function( name )
		{
			return scene ? scene.drawnOutline( name ) : null;
		},
		get rule()
		{
			return rule && Object.assign( {}, rule );
		},
		get camera()
		{
			return camera && {
				position: camera.camera.position.toArray(),
				target: camera.target.toArray(),
				view: camera.camera.matrixWorldInverse.toArray(),
				projection: camera.camera.projectionMatrix.toArray(),
			};
		},
	} );

	function atRest()
	{
		return !clip || clip.atRest();
	}

	function volumeStyle()
	{
		return data.tree && atRest() ? element( "volumes" ).value : "hidden";
	}

	function countOfEdges( kind )
	{
		return element( kind ).checked ? data.edges[kind].ends.length / 6 : 0;
	}

	function errors()
	{
		return data.tree && data.tree.errors && data.tree.errors[element( "measure" ).value];
	}

	function isDark()
	{
		return wantsDark.matches;
	}

	function update()
	{
		if ( !dirty )
		{
			dirty = true;
			requestAnimationFrame( draw );
		}
	}

	function draw( now )
	{
		dirty = false;
		if ( camera.advance( now ) )
		{
			update();
		}
		if ( volumesChanged && scene && data.tree )
		{
			volumesChanged = false;
			scene.setVolumes( state.volumes, volumeStyle(), colorOfNode );
		}
		showRule();
		scene.render();
	}

	function showRule()
	{
		const height = 2 * camera.distance() * Math.tan( camera.camera.fov * Math.PI / 360 ) * data.scale;
		const axes = document.querySelector( ".view-axes" );
		rule = view.setRule( element( "rule-bar" ), element( "rule-text" ), height / Math.max( element( "stage" ).clientHeight, 1 ) );
		view.setAxes( axes.querySelectorAll( "line" ), axes.querySelectorAll( "text" ), camera.camera.matrixWorldInverse.elements );
	}

	function colorOfNode( node )
	{
		return element( "color" ).value === "error" && errors() ? scale.colorOf( errors()[node] )
			: view.oneOfMany( data.tree.level[node], isDark() );
	}

	function say( text )
	{
		if ( element( "status" ).textContent !== text )
		{
			element( "status" ).textContent = text;
		}
	}

	// Panel

	function showLegend()
	{
		const parts = data.parts && element( "parts" ).value === "error";
		const volumes = volumeStyle() !== "hidden";
		const byError = parts || ( volumes && element( "color" ).value === "error" && errors() );
		const what = [ volumes && element( "color" ).value === "error" && errors() ? "error" : "", parts ? "stand-off" : "" ]
			.filter( Boolean ).join( " and " );
		element( "legend" ).hidden = !parts && !volumes;
		element( "legend-title" ).textContent = byError ? "Certified " + what + ", upper bound, % of the diagonal (" +
			view.formatLength( data.errors.diagonal ) + " " + data.unit + ")" : "Level";
		if ( byError )
		{
			view.tellErrorLegend( element( "legend-bar" ), element( "legend-ticks" ), data.errors );
		}
		else if ( volumes )
		{
			view.tellLevelLegend( element( "legend-bar" ), element( "legend-ticks" ), data.tree.levels.length - 1, isDark() );
		}
	}

	function describeVolumes()
	{
		const tree = data.tree;
		const all = tree.levels[state.level];
		const shown = state.volumes.length;
		if ( volumeStyle() === "hidden" )
		{
			return "";
		}
		if ( state.family !== null )
		{
			return "Node " + tree.number[state.family] + ( shown > 1 ? " and its " + view.formatPlural( shown - 1, "sibling" ) : "" ) + ". ";
		}
		if ( state.mode === "cut" )
		{
			const least = view.leastExactError( tree, errors() );
			return view.formatPlural( shown, "volume" ) + " with no error above " + view.formatUpperWithShare( state.cutError, tree.diagonal ) +
				( state.cutError < least ? "; this view omits some of those below " + view.formatUpper( least ) + view.unitText( 1 ) : "" ) + ". ";
		}
		const onLevel = state.volumes.filter( function( node )
		{
			return tree.level[node] === state.level;
		} ).length;
		return ( onLevel < all.nodes ? view.formatCount( onLevel ) + " of " : "" ) +
			view.formatPlural( all.nodes, "volume" ) + " of level " + state.level +
			( shown > onLevel ? " and " + view.formatPlural( shown - onLevel, "leaf", "leaves" ) + " above it" : "" ) + ". ";
	}

	function describe()
	{
		const mesh = data.mesh && element( "mesh" ).value !== "hidden"
			? view.formatPlural( data.mesh.triangles, "triangle" ) + ". " : "";
		const parts = data.parts && element( "parts" ).value !== "hidden"
			? view.formatPlural( data.parts.count, "part" ) + ". " : "";
		const proxy = data.proxy && element( "proxy" ).value !== "hidden"
			? "Proxy mesh of " + view.formatPlural( data.proxy.triangles, "triangle" ) + ". " : "";
		const pose = atRest() ? "" : "Another pose than that of the file, without volumes, edges and bodies. ";
		say( mesh + pose + ( data.tree ? describeVolumes() : "" ) + parts + proxy );
	}

	// Which volumes the controls ask for.
	function chooseVolumes()
	{
		const tree = data.tree;
		if ( !tree )
		{
			return;
		}
		state.mode = errors() && element( "by-cut" ).checked ? "cut" : "level";
		state.level = Number( element( "level" ).value );
		element( "level-row" ).hidden = state.mode !== "level";
		element( "cut-row" ).hidden = state.mode !== "cut";
		if ( errors() )
		{
			const least = view.leastExactError( tree, errors() );
			const top = errors()[0];
			const cuts = view.logScale( Math.max( least, Math.min( view.scaleOf( errors() ).low, top ) ) || 1, top || 1 );
			const share = Number( element( "cut" ).value ) / 1000;
			state.cutError = share === 0 ? least : top === 0 ? 0 : cuts.value( share );
			element( "cut-text" ).textContent = view.formatUpperWithShare( state.cutError, tree.diagonal );
			element( "cut" ).setAttribute( "aria-valuetext", element( "cut-text" ).textContent );
		}
		state.volumes = state.mode === "cut" ? view.nodesOfCut( tree, errors(), state.cutError )
			: view.nodesOfLevel( tree, state.level, element( "leaves" ).checked );
		if ( state.family !== null )
		{
			const parent = tree.parent[state.family];
			state.volumes = state.family === 0 ? [ 0 ] : view.childrenOf( tree, parent );
		}
		element( "level-text" ).textContent = state.level + " of " + ( tree.levels.length - 1 );
		volumesChanged = true;
		listWorst();
	}

	function paintParts()
	{
		const style = atRest() ? element( "parts" ).value : "hidden";
		const parts = data.parts;
		if ( !parts )
		{
			return;
		}
		for ( let i = 0; i < parts.count; ++i )
		{
			const color = style === "error" ? scale.colorOf( parts.numbers[3 * i + 2] ) : view.oneOfMany( i, isDark() );
			scene.parts.bodies.paint( parts.firstVertex[i], parts.firstVertex[i + 1], color );
		}
		scene.parts.bodies.setVisible( style !== "hidden" );
	}

	function applyShown()
	{
		if ( scene.mesh )
		{
			scene.mesh.setStyle( element( "mesh" ).value );
		}
		if ( scene.hull )
		{
			scene.hull.bodies.setVisible( element( "hull" ).checked && atRest() );
		}
		if ( scene.proxy )
		{
			scene.proxy.setStyle( atRest() ? element( "proxy" ).value : "hidden" );
		}
		if ( scene.primitive )
		{
			scene.primitive.bodies.setVisible( element( "primitive" ).checked && atRest() );
		}
		for ( const kind of kinds )
		{
			scene.edges[kind].group.visible = element( kind ).checked && atRest();
		}
		paintParts();
		volumesChanged = true;
	}

	function applyExplode()
	{
		state.explode = Number( element( "explode" ).value ) / 100;
		element( "explode-text" ).textContent = element( "explode" ).value + " %";
		if ( scene.hull )
		{
			scene.hull.explode( state.explode );
		}
		if ( scene.parts )
		{
			scene.parts.explode( state.explode );
		}
		showPicked();
	}

	function refresh()
	{
		applyShown();
		showLegend();
		describe();
		update();
	}

	function listWorst()
	{
		view.tellWorst( data, errors(), element( "worst" ), volumeStyle() === "hidden" ? [] : state.volumes );
	}

	// What is picked

	const titles = { triangle: "Triangle ", node: "Node ", part: "Part ", edges: "" };

	function showPicked()
	{
		const picked = state.picked;
		const ball = view.outline( scene, data, picked, state.explode );
		element( "picked" ).textContent = "";
		element( "picked-title" ).textContent = !picked ? "Nothing selected"
			: picked.kind === "edges" ? "Edges that are " + kindNames[picked.number] : titles[picked.kind] + picked.number;
		if ( picked )
		{
			view.tellers[picked.kind]( data, errors(), element( "picked" ), picked.index );
		}
		else
		{
			const hint = document.createElement( "p" );
			hint.textContent = "Click a triangle, a part or a volume to select it.";
			element( "picked" ).appendChild( hint );
		}
		update();
		return ball;
	}

	function pick( picked )
	{
		state.picked = picked;
		setAlone( null, null );
		return showPicked();
	}

	// What is shown as a place: a part with all others pale, or a kind of edges with thick lines.
	function setAlone( part, kind )
	{
		if ( scene.parts )
		{
			scene.parts.setAlone( part );
		}
		scene.setThick( kind );
	}

	// What lies under a place of the canvas, in parts of its width and height from its upper left corner.
	function find( x, y )
	{
		const THREE = window.THREE;
		const origin = camera.camera.position;
		const direction = new THREE.Vector3( 2 * x - 1, 1 - 2 * y, 0.5 ).unproject( camera.camera ).sub( origin ).normalize();
		const hit = function( positions, corners )
		{
			return view.pickTriangle( origin.toArray(), direction.toArray(), positions, corners );
		};
		const mesh = data.mesh && element( "mesh" ).value !== "hidden" && hit( data.mesh.positions, data.mesh.corners );
		const part = data.parts && element( "parts" ).value !== "hidden" && hit( scene.parts.positions, data.parts.corners );
		const volumes = scene.volumes();
		const volume = volumes && hit( volumes.positions, volumes.corners );

		const body = part && !( mesh && mesh.distance < part.distance ) ? part : mesh;

		// Volumes that are seen through give way to what is in them.
		if ( volume && ( !body || ( volumeStyle() === "solid" && volume.distance < body.distance + touching ) ) )
		{
			return nodePicked( volumes.nodes[volumes.owner[volume.triangle]] );
		}
		if ( body && body === part )
		{
			let index = 0;
			while ( data.parts.firstFace[index + 1] <= part.triangle )
			{
				++index;
			}
			return { kind: "part", number: index, index: index };
		}
		return mesh ? { kind: "triangle", number: view.triangleNumber( data.mesh, mesh.triangle ), index: mesh.triangle } : null;
	}

	function nodePicked( place )
	{
		return { kind: "node", number: data.tree.number[place], index: place };
	}

	// @param alone  whether a node is shown by itself, with its siblings
	// @return whether the view has it
	function show( what, focus, alone )
	{
		if ( clip && !what.startsWith( "frame:" ) )
		{
			clip.rest();
		}
		const ball = places.show( what, alone );
		element( "live" ).scrollIntoView( { block: "nearest", behavior: wantsStill.matches ? "auto" : "smooth" } );
		if ( focus )
		{
			element( "canvas" ).focus( { preventScroll: true } );
		}
		if ( !ball )
		{
			say( "This view does not have " + what.replace( ":", " " ).replace( "_", "-" ) +
				( data.tree && data.tree.nodes < data.tree.nodes_in_file ? ", which was omitted" : "" ) + "." );
			return false;
		}
		camera.flyTo( new window.THREE.Vector3().fromArray( ball.center ), Math.max( ball.radius, 2e-4 ),
			!wantsStill.matches && report.ready, ball.way );
		return true;
	}

	function showSample( sample )
	{
		return clip !== null && clip.show( sample );
	}

	// @param toggled  from the pose of the file to another one, or back
	function poseChanged( toggled )
	{
		if ( toggled )
		{
			pick( null );
			chooseVolumes();
			refresh();
		}
		describe();
		update();
	}

	function remember( what )
	{
		try
		{
			history.replaceState( null, "", "#view=" + what );
		}
		catch ( error )
		{
			// A page without an address of its own, as in a sandboxed frame: links work all the same.
		}
	}

	function clear()
	{
		pick( null );
		const changed = places.restore();
		if ( changed || state.family !== null )
		{
			state.family = null;
			chooseVolumes();
			refresh();
		}
		describe();
	}

	function fit( slowly )
	{
		camera.flyTo( new window.THREE.Vector3().fromArray( everything.center ), everything.radius * ( 1.08 + 0.7 * state.explode ),
			slowly && !wantsStill.matches, null );
	}

	function onKey( event )
	{
		if ( camera.key( event ) )
		{
			event.preventDefault();
		}
		else if ( event.key === "Enter" )
		{
			event.preventDefault();
			pick( find( 0.5, 0.5 ) );
		}
		else if ( event.key === "Home" )
		{
			event.preventDefault();
			fit( true );
		}
	}

	function listen()
	{
		const canvas = element( "canvas" );
		const panel = element( "panel" );
		canvas.addEventListener( "keydown", onKey );
		canvas.addEventListener( "pointerup", function( event )
		{
			if ( camera.wasClick() && event.button === 0 )
			{
				const box = canvas.getBoundingClientRect();
				canvas.focus( { preventScroll: true } );
				pick( find( ( event.clientX - box.left ) / box.width, ( event.clientY - box.top ) / box.height ) );
			}
		} );
		document.addEventListener( "keydown", function( event )
		{
			if ( event.key === "Escape" )
			{
				clear();
			}
		} );
		panel.addEventListener( "submit", function( event )
		{
			event.preventDefault();
		} );
		panel.addEventListener( "input", function( event )
		{
			if ( event.target === element( "explode" ) )
			{
				applyExplode();
			}
			else if ( event.target === element( "up" ) )
			{
				camera.setUp( event.target.value );
			}
			else
			{
				places.forget();
				if ( event.target.closest( "[data-chooses]" ) )
				{
					state.family = null;
				}
				chooseVolumes();
				refresh();
				showPicked();
			}
		} );
		element( "explode" ).addEventListener( "change", function()
		{
			fit( true );
		} );
		element( "fit" ).addEventListener( "click", function()
		{
			fit( true );
		} );
		document.addEventListener( "click", function( event )
		{
			const link = event.target.closest( "[data-show]" );
			if ( link )
			{
				const inPanel = element( "picked" ).contains( link );
				event.preventDefault();
				if ( show( link.dataset.show, link.tagName === "A", link.tagName === "A" ) )
				{
					remember( link.dataset.show );
				}

				// The panel's list is a new one now.
				const same = inPanel && element( "picked" ).querySelector( "[data-show='" + link.dataset.show + "']" );
				if ( same )
				{
					same.focus( { preventScroll: true } );
				}
			}
		} );
		window.addEventListener( "hashchange", showHash );
		wantsDark.addEventListener( "change", applyTheme );
		new ResizeObserver( resize ).observe( element( "stage" ) );
		canvas.addEventListener( "webglcontextlost", function( event )
		{
			event.preventDefault();
			giveUp( "The 3D view lost its graphics context. This picture replaces it." );
		} );
		canvas.addEventListener( "webglcontextrestored", function()
		{
			report.message = null;
			setLive( true );
			resize();
		} );
	}

	function showHash()
	{
		if ( location.hash.startsWith( "#view=" ) )
		{
			show( location.hash.slice( 6 ), false, true );
		}
	}

	function applyTheme()
	{
		scene.setTheme( isDark() );
		refresh();
	}

	function resize()
	{
		const stage = element( "stage" );
		const width = Math.max( stage.clientWidth, 1 );
		const height = Math.max( stage.clientHeight, 1 );
		scene.resize( width, height, Math.min( window.devicePixelRatio || 1, 2 ) );
		camera.camera.aspect = width / height;
		camera.place();
		update();
	}

	// Either the view is there, or the picture with a line about it.
	function setLive( live )
	{
		element( "live" ).hidden = !live;
		element( "live" ).parentNode.classList.toggle( "view-on", live );
		element( "message" ).hidden = live;
		element( "message" ).textContent = report.message || "";
	}

	function giveUp( message )
	{
		report.message = message;
		setLive( false );
	}

	// Hides the controls of what the file does not have, and says how much there is of the rest.
	function preparePanel()
	{
		const has = { mesh: data.mesh, tree: data.tree, parts: data.parts, proxy: data.proxy, hull: data.hull, primitive: data.primitive,
			errors: data.tree && data.tree.errors, bodies: data.parts || data.hull, clip: data.clip };
		for ( const kind of kinds )
		{
			const edges = data.edges[kind];
			const shown = edges.ends.length / 6;
			has[kind] = shown > 0;
			element( kind + "-count" ).textContent = "(" + ( shown < edges.in_file ? view.formatCount( shown ) + " of " : "" ) +
				view.formatCount( edges.in_file ) + ")";
		}
		for ( const control of document.querySelectorAll( "#view-panel [data-needs]" ) )
		{
			control.hidden = !has[control.dataset.needs];
		}
		if ( data.primitive )
		{
			element( "primitive-name" ).textContent = ( data.primitive.recognised ? "Recognized as: " : "Nearest primitive: " ) +
				data.primitive.kind + ", within " + view.formatUpper( data.primitive.error ) + view.unitText( 1 );
		}
		openOnRequested();
		element( "hull" ).checked = !data.mesh && !data.parts && !data.proxy && !data.tree && !!data.hull;
		prepareTree();
		element( "note" ).textContent = view.notesOf( data ).join( " " );
		element( "note" ).hidden = element( "note" ).textContent === "";
	}

	// Parts and a proxy mesh are in a file only if they were asked for: then they are what one wants to see first.
	function openOnRequested()
	{
		if ( data.parts || data.proxy )
		{
			element( "mesh" ).value = "hidden";
			element( "volumes" ).value = "hidden";
			element( data.parts ? "parts" : "proxy" ).value = data.parts ? "each" : "solid";
		}
	}

	// Begins with a level of which one still sees the mesh.
	function prepareTree()
	{
		const tree = data.tree;
		if ( !tree )
		{
			return;
		}
		let level = 0;
		while ( level < view.lastLevel( tree ) && view.nodesOfLevel( tree, level + 1, true ).length <= 24 )
		{
			++level;
		}
		element( "level" ).max = view.lastLevel( tree );
		element( "level" ).value = level;
		element( "cut" ).value = 700;
		if ( !tree.errors )
		{
			element( "color" ).value = "level";
			element( "color" ).parentNode.hidden = true;
		}
	}

	function start()
	{
		const canvas = element( "canvas" );
		data = view.readData( element( "data" ).textContent );
		everything = view.ballOfAll( data );
		if ( !everything )
		{
			giveUp( "The file has nothing to draw." );
			return;
		}
		const options = { antialias: true, powerPreference: "high-performance" };
		const context = canvas.getContext( "webgl2", options ) || canvas.getContext( "webgl", options );
		if ( !context )
		{
			giveUp( "The 3D view needs WebGL, which is not available here. This picture replaces it." );
			return;
		}
		setLive( true );
		scale = view.errorScale( data.errors );
		view.setUnit( data.unit );
		preparePanel();
		camera = view.createCamera( canvas, update );
		scene = view.createScene( canvas, context, data, camera.camera );
		places = view.createPlaces( { data: data, scene: scene, camera: camera, everything: everything, state: state, element: element,
			volumeStyle: volumeStyle, chooseVolumes: chooseVolumes, refresh: refresh, pick: pick, setAlone: setAlone,
			nodePicked: nodePicked, showSample: showSample } );
		if ( data.clip )
		{
			clip = view.createClip( { data: data, scene: scene, element: element, changed: poseChanged } );
		}
		listen();
		resize();
		fit( false );
		chooseVolumes();
		applyExplode();
		applyTheme();
		showHash();
		requestAnimationFrame( function()
		{
			draw( performance.now() );
			report.ready = true;
		} );
	}

	if ( document.readyState === "loading" )
	{
		document.addEventListener( "DOMContentLoaded", start );
	}
	else
	{
		start();
	}
} )( window.bvView );
