// Places that links lead to: "part:3", "node:17", "triangle:9", "edges:boundary", "level:3", "proxy:all", "frame:7". What covers a place is
// hidden until Escape is pressed, and the camera sees it from the side that it faces.

( function( view )
{
	"use strict";

	const surroundings = 2.2; // so much of what is around a node is seen with it, in its radii
	const covered = 0.5;      // of a place; where less is seen from all sides, one sees through the mesh

	// Controls that a link may change.
	const covers = [ "mesh", "volumes", "parts", "proxy", "hull", "primitive" ];

	function valueOf( control )
	{
		return control.type === "checkbox" ? control.checked : control.value;
	}

	function setValue( control, value )
	{
		control[control.type === "checkbox" ? "checked" : "value"] = value;
	}

	// @param host  data, scene, camera, state and functions of the view
	view.createPlaces = function( host )
	{
		const { data, scene, camera, everything, state, element, volumeStyle, chooseVolumes, refresh, pick, setAlone, nodePicked,
			showSample } = host;
		let saved = null; // values of controls that a link has changed

		// Hides all but what is asked for. Escape shows it again.
		// @param values  of the controls that are not to be hidden
		function uncover( values )
		{
			saved = saved || covers.map( function( name )
			{
				return valueOf( element( name ) );
			} );
			for ( const name of covers )
			{
				const control = element( name );
				setValue( control, Object.prototype.hasOwnProperty.call( values, name ) ? values[name]
					: control.type === "checkbox" ? false : "hidden" );
			}
			chooseVolumes();
			refresh();
		}

		// The mesh as it is, or solid if it was hidden or seen through.
		function solidMesh()
		{
			return element( "mesh" ).value === "edges" ? "edges" : "solid";
		}

		function coverOfMesh( first, end )
		{
			return { positions: data.mesh.positions, corners: data.mesh.corners, first: first, end: end };
		}

		// Adds the side from which a place is seen. Where the mesh covers most of it from all sides, the mesh becomes transparent.
		function faced( ball, samples, cover )
		{
			const side = view.faceTo( samples, cover, ball.center, camera.reach( Math.max( ball.radius, 2e-4 ) ), camera.up() );
			if ( side && cover && side.share < covered && data.mesh && cover.positions === data.mesh.positions )
			{
				element( "mesh" ).value = "transparent";
				refresh();
			}
			return { center: ball.center, radius: ball.radius, way: side && side.direction };
		}

		// The triangles of the view that are below a node.
		function trianglesBelow( node )
		{
			const first = data.tree.first[node];
			return [ first, first + data.tree.triangles[node] ].map( function( number )
			{
				return view.triangleIndex( data.mesh, number );
			} );
		}

		// Links into the view: "part:3", "node:17", "triangle:9", "edges:boundary", "level:3", "proxy:all", "frame:7".

		const shows = {
			part: function( text )
			{
				const part = Number( text );
				if ( !data.parts || !( part < data.parts.count ) )
				{
					return null;
				}
				uncover( { parts: element( "parts" ).value === "hidden" ? "each" : element( "parts" ).value } );
				const ball = pick( { kind: "part", number: part, index: part } );
				const first = data.parts.firstFace[part];
				const end = data.parts.firstFace[part + 1];
				setAlone( part, null );
				return faced( ball, view.samplesOfTriangles( scene.parts.positions, data.parts.corners, first, end ),
					{ positions: scene.parts.positions, corners: data.parts.corners, first: first, end: end } );
			},
			node: function( text, alone )
			{
				const place = data.tree ? data.tree.placeOf.get( Number( text ) ) : undefined;
				if ( place === undefined )
				{
					return null;
				}
				if ( alone )
				{
					// A node with its siblings in a mesh that one sees through.
					state.family = place;
					uncover( { mesh: "transparent", volumes: volumeStyle() === "outlines" ? "outlines" : "translucent" } );
				}
				const ball = pick( nodePicked( place ) );
				const wide = { center: ball.center, radius: surroundings * ball.radius };
				if ( !alone || !data.mesh )
				{
					return wide;
				}
				const below = trianglesBelow( place );
				return faced( wide, view.samplesOfTriangles( data.mesh.positions, data.mesh.corners, below[0], below[1] ), null );
			},
			triangle: function( text )
			{
				const number = Number( text );
				if ( !data.mesh || !( number < data.mesh.triangles_in_file ) )
				{
					return null;
				}
				const index = view.triangleIndex( data.mesh, number );
				if ( index < data.mesh.triangles && view.triangleNumber( data.mesh, index ) === number )
				{
					uncover( { mesh: solidMesh() } );
					return faced( pick( { kind: "triangle", number: number, index: index } ),
						view.samplesOfTriangles( data.mesh.positions, data.mesh.corners, index, index + 1 ), coverOfMesh( index, index + 1 ) );
				}

				// Thinning left it out: the last node of the view that holds it is near.
				const chain = data.tree && view.chainOfTriangle( data.tree, number );
				return chain && pick( nodePicked( chain[chain.length - 1] ) );
			},
			edges: function( kind )
			{
				if ( !Object.prototype.hasOwnProperty.call( data.edges, kind ) || data.edges[kind].ends.length === 0 )
				{
					return null;
				}
				element( kind ).checked = true;
				uncover( { mesh: solidMesh() } );
				const ball = pick( { kind: "edges", number: kind, index: kind } );
				setAlone( null, kind );
				return faced( ball, view.samplesOfEdges( data.mesh, data.edges[kind].ends ), data.mesh && coverOfMesh( 0, 0 ) );
			},
			proxy: function()
			{
				if ( !data.proxy )
				{
					return null;
				}
				uncover( { proxy: "solid" } );
				pick( null );
				return { center: everything.center, radius: everything.radius };
			},
			frame: function( text )
			{
				if ( !showSample( Number( text ) ) )
				{
					return null;
				}
				uncover( { mesh: solidMesh() } );
				return { center: everything.center, radius: everything.radius };
			},
			level: function( text )
			{
				const level = Number( text );
				if ( !data.tree || !( level <= view.lastLevel( data.tree ) ) )
				{
					return null;
				}
				state.family = null;
				element( "by-level" ).checked = true;
				element( "level" ).value = level;
				uncover( { mesh: solidMesh(), volumes: volumeStyle() === "hidden" ? "translucent" : volumeStyle() } );
				return { center: everything.center, radius: everything.radius };
			},
		};

		return {
			// @param alone  whether a node is shown by itself, with its siblings
			// @return center and radius of a ball around the place, and the way to the camera if that turns; null if the view does
			// not have the place
			show: function( what, alone )
			{
				const words = /^([a-z]+):([a-z_0-9]+)$/.exec( what );
				return words && Object.prototype.hasOwnProperty.call( shows, words[1] ) ? shows[words[1]]( words[2], alone ) : null;
			},

			// Shows again what was hidden.
			// @return whether something was
			restore: function()
			{
				const values = saved;
				saved = null;
				if ( values )
				{
					covers.forEach( function( name, i )
					{
						setValue( element( name ), values[i] );
					} );
				}
				return values !== null;
			},

			// Leaves the controls as they are.
			forget: function()
			{
				saved = null;
			},
		};
	};
} )( window.bvView );
