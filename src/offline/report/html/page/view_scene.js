// What is drawn: mesh, volumes, hull, parts, proxy mesh, primitive, edges and what is picked, each in three.js objects of its own.

( function( view )
{
	"use strict";

	const THREE = window.THREE;
	const roundSteps = [ [ 300, 6 ], [ 3000, 3 ], [ Infinity, 2 ] ]; // up to so many volumes, steps to a quarter of a circle
	const thin = 2;                                                  // pixels of edges that are shown with the rest
	const thick = 5;                                                 // and of those that are shown as a place
	const medium = 3;                                                // of bodies with many edges that are shown as a place

	function geometryOf( positions, corners )
	{
		const geometry = new THREE.BufferGeometry();
		geometry.setAttribute( "position", new THREE.BufferAttribute( positions, 3 ) );
		if ( corners )
		{
			geometry.setIndex( new THREE.BufferAttribute( corners, 1 ) );
		}
		return geometry;
	}

	// Lines over the vertices of another geometry.
	function linesOver( geometry, ends )
	{
		const lines = new THREE.BufferGeometry();
		lines.attributes = geometry.attributes;
		lines.setIndex( new THREE.BufferAttribute( ends, 1 ) );
		return lines;
	}

	// Nothing is culled: geometry moves, and most of it is always in sight.
	function shown( object, order )
	{
		object.frustumCulled = false;
		object.renderOrder = order;
		return object;
	}

	function faceMaterial( options )
	{
		return new THREE.MeshPhongMaterial( Object.assign( { flatShading: true, shininess: 0, specular: 0x000000,
			polygonOffset: true, polygonOffsetFactor: 0.6, polygonOffsetUnits: 2 }, options ) );
	}

	// Sides that should not be seen have a color of their own.
	function createMesh( scene, mesh )
	{
		const geometry = geometryOf( mesh.positions, mesh.corners );
		const backColor = new THREE.Color();
		const material = faceMaterial( { side: THREE.DoubleSide } );
		const faces = shown( new THREE.Mesh( geometry, material ), 0 );
		material.onBeforeCompile = function( shader )
		{
			shader.uniforms.backColor = { value: backColor };
			shader.fragmentShader = "uniform vec3 backColor;\n" + shader.fragmentShader.replace( "vec4( diffuse, opacity )",
				"vec4( gl_FrontFacing ? diffuse : backColor, opacity )" );
		};
		const wires = shown( new THREE.Mesh( geometry, new THREE.MeshBasicMaterial( { wireframe: true, transparent: true } ) ), 1 );
		const below = shown( new THREE.Mesh( geometryOf( mesh.positions, mesh.corners ), faceMaterial( { side: THREE.DoubleSide,
			polygonOffsetFactor: 0.3, polygonOffsetUnits: 1 } ) ), 1 );
		below.geometry.attributes = geometry.attributes;
		below.visible = false;
		scene.add( faces, wires, below );
		return {
			geometry: geometry,
			faces: faces,
			wires: wires,
			below: below,
			setTheme: function( theme )
			{
				material.color.setHex( theme.mesh );
				backColor.setHex( theme.back );
				wires.material.color.setHex( theme.line );
				below.material.color.setHex( theme.picked );
			},
			setStyle: function( style )
			{
				faces.visible = style === "solid" || style === "edges" || style === "transparent";
				material.transparent = style === "transparent";
				material.opacity = style === "transparent" ? 0.3 : 1;
				material.depthWrite = style !== "transparent";
				wires.visible = style === "edges" || style === "wireframe";
				wires.material.opacity = style === "edges" ? 0.22 : 0.6;
			},

			// Draws other positions of the vertices, which are in the array of the mesh.
			moved: function()
			{
				geometry.attributes.position.needsUpdate = true;
			},

			// Draws triangles `first` to `end`, less one, in another color.
			setBelow: function( first, end )
			{
				below.visible = end > first;
				below.geometry.setDrawRange( 3 * first, 3 * ( end - first ) );
			},
		};
	}

	// Of bodies, whose vertices have colors.
	function bodyMaterials( opacity )
	{
		return {
			faces: faceMaterial( { vertexColors: THREE.VertexColors, side: THREE.DoubleSide, transparent: opacity < 1,
				opacity: opacity, depthWrite: opacity === 1, polygonOffsetFactor: opacity < 1 ? 0.3 : 0.6,
				polygonOffsetUnits: opacity < 1 ? 1 : 2 } ),
			lines: new THREE.LineBasicMaterial( { vertexColors: opacity < 1 ? THREE.VertexColors : THREE.NoColors,
				transparent: true } ),
		};
	}

	// Triangles with colors of their vertices, and lines.
	function createBodies( scene, positions, corners, ends, materials, order )
	{
		const geometry = geometryOf( positions, corners );
		geometry.setAttribute( "color", new THREE.BufferAttribute( new Uint8Array( positions.length ), 3, true ) );
		const faces = shown( new THREE.Mesh( geometry, materials.faces ), order );
		const lines = shown( new THREE.LineSegments( linesOver( geometry, ends ), materials.lines ), order );
		scene.add( faces, lines );
		return {
			faces: faces,
			lines: lines,
			setVisible: function( visible )
			{
				faces.visible = visible;
				lines.visible = visible;
			},

			// @param color  array of three, from 0 to 1
			paint: function( first, end, color )
			{
				const array = geometry.attributes.color.array;
				for ( let i = 3 * first; i < 3 * end; ++i )
				{
					array[i] = Math.round( 255 * color[i % 3] );
				}
				geometry.attributes.color.needsUpdate = true;
			},
			moved: function()
			{
				geometry.attributes.position.needsUpdate = true;
			},

			// The materials stay.
			dispose: function()
			{
				scene.remove( faces, lines );
				faces.geometry.dispose();
				lines.geometry.dispose();
			},
		};
	}

	// The hull, whose faces move along their normals.
	function createHull( scene, hull )
	{
		const positions = new Float32Array( 3 * hull.corners.length );
		hull.corners.forEach( function( corner, i )
		{
			positions.set( hull.positions.subarray( 3 * corner, 3 * corner + 3 ), 3 * i );
		} );
		const rest = positions.slice();
		const corners = Uint32Array.from( hull.corners, function( corner, i )
		{
			return i;
		} );
		const bodies = createBodies( scene, positions, corners, hull.outline, bodyMaterials( 0.2 ), 2 );
		bodies.setVisible( false );
		return {
			bodies: bodies,
			setTheme: function( theme )
			{
				const color = new THREE.Color( theme.hull );
				bodies.paint( 0, corners.length, color.toArray() );
			},
			explode: function( share )
			{
				const a = new THREE.Vector3();
				const b = new THREE.Vector3();
				const c = new THREE.Vector3();
				for ( let i = 0; i < corners.length; i += 3 )
				{
					a.fromArray( rest, 3 * i );
					b.fromArray( rest, 3 * i + 3 ).sub( a );
					c.fromArray( rest, 3 * i + 6 ).sub( a );
					b.cross( c ).normalize().multiplyScalar( 0.5 * share );
					for ( let k = 0; k < 3; ++k )
					{
						c.fromArray( rest, 3 * ( i + k ) ).add( b ).toArray( positions, 3 * ( i + k ) );
					}
				}
				bodies.moved();
			},
		};
	}

	// The parts, which move away from the middle of all of them.
	function createParts( scene, parts )
	{
		const positions = parts.positions.slice();
		const ends = parts.outline.map( function( at )
		{
			return parts.corners[at];
		} );
		const materials = bodyMaterials( 1 );
		const pale = bodyMaterials( 0.12 ).faces;
		const bodies = createBodies( scene, positions, parts.corners, ends, { faces: [ materials.faces, pale ], lines: materials.lines }, 0 );
		const balls = [];
		const middle = new THREE.Vector3();
		for ( let i = 0; i < parts.count; ++i )
		{
			balls.push( view.ballAround( parts.positions, parts.firstVertex[i], parts.firstVertex[i + 1] ) );
			middle.addScaledVector( new THREE.Vector3().fromArray( balls[i].center ), 1 / parts.count );
		}
		bodies.setVisible( false );

		// Draws all parts but one pale.
		// @param part  the one; null to draw all of them as they are
		function setAlone( part )
		{
			const geometry = bodies.faces.geometry;
			const first = part === null ? 0 : 3 * parts.firstFace[part];
			const end = part === null ? parts.corners.length : 3 * parts.firstFace[part + 1];
			geometry.clearGroups();
			geometry.addGroup( 0, first, 1 );
			geometry.addGroup( first, end - first, 0 );
			geometry.addGroup( end, parts.corners.length - end, 1 );
			bodies.lines.material.opacity = part === null ? 0.7 : 0.1;
		}
		setAlone( null );
		function ballOf( part, share )
		{
			const center = new THREE.Vector3().fromArray( balls[part].center );
			center.addScaledVector( center.clone().sub( middle ), 1.2 * share );
			return { center: center.toArray(), radius: balls[part].radius };
		}
		return {
			bodies: bodies,
			positions: positions,
			ballOf: ballOf,
			setAlone: setAlone,
			explode: function( share )
			{
				for ( let part = 0; part < parts.count; ++part )
				{
					const to = ballOf( part, share ).center;
					for ( let i = 3 * parts.firstVertex[part]; i < 3 * parts.firstVertex[part + 1]; ++i )
					{
						positions[i] = parts.positions[i] + to[i % 3] - balls[part].center[i % 3];
					}
				}
				bodies.moved();
			},
		};
	}

	function primitivePolyhedron( primitive )
	{
		const none = [ 0, 0, 0 ];
		if ( primitive.kind === "box" )
		{
			return view.boxPolyhedron( primitive.center, primitive.axes );
		}
		if ( primitive.kind === "sphere" )
		{
			return view.roundPolyhedron( primitive.center, none, none, primitive.radius, 12 );
		}
		if ( primitive.kind === "cylinder" )
		{
			return view.cylinderPolyhedron( primitive.ends, primitive.radius, 12 );
		}
		const ends = primitive.ends;
		const center = none.map( function( zero, i )
		{
			return ( ends[0][i] + ends[1][i] ) / 2;
		} );
		const half = none.map( function( zero, i )
		{
			return ( ends[1][i] - ends[0][i] ) / 2;
		} );
		return view.roundPolyhedron( center, half, none, primitive.radius, 12 );
	}

	function createPrimitive( scene, primitive )
	{
		const joined = view.joinPolyhedra( [ primitivePolyhedron( primitive ) ] );
		const bodies = createBodies( scene, joined.positions, joined.triangles, joined.edges, bodyMaterials( 0.25 ), 2 );
		bodies.setVisible( false );
		return {
			bodies: bodies,
			setTheme: function( theme )
			{
				bodies.paint( 0, joined.positions.length / 3, new THREE.Color( theme.primitive ).toArray() );
			},
		};
	}

	// The proxy mesh, with all its edges, so that one sees how few triangles it has.
	function createProxy( scene, proxy )
	{
		const geometry = geometryOf( proxy.positions, proxy.corners );
		const faces = shown( new THREE.Mesh( geometry, faceMaterial( { side: THREE.DoubleSide } ) ), 2 );
		const wires = shown( new THREE.Mesh( geometry, new THREE.MeshBasicMaterial( { wireframe: true, transparent: true } ) ), 2 );
		scene.add( faces, wires );
		return {
			faces: faces,
			wires: wires,
			setTheme: function( theme )
			{
				faces.material.color.setHex( theme.proxy );
				wires.material.color.setHex( theme.line );
			},
			setStyle: function( style )
			{
				faces.visible = style === "solid" || style === "transparent";
				faces.material.transparent = style === "transparent";
				faces.material.opacity = style === "transparent" ? 0.35 : 1;
				faces.material.depthWrite = style !== "transparent";
				wires.visible = style !== "hidden";
				wires.material.opacity = style === "wireframe" ? 0.9 : 0.55;
			},
		};
	}

	// What is picked: outlined, with a dot where it is so that it can be found however small it is.
	function createPicked( scene )
	{
		const lines = view.createLines( scene, thick );
		const fill = shown( new THREE.Mesh( new THREE.BufferGeometry(), new THREE.MeshBasicMaterial( { side: THREE.DoubleSide,
			transparent: true, opacity: 0.4, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1,
			polygonOffsetUnits: -2 } ) ), 4 );
		const dot = shown( new THREE.Points( geometryOf( new Float32Array( 3 ) ), new THREE.PointsMaterial( { size: 9,
			sizeAttenuation: false, depthTest: false, transparent: true } ) ), 6 );
		scene.add( fill, dot );
		function clear()
		{
			lines.group.visible = false;
			fill.visible = false;
			dot.visible = false;
		}
		clear();
		return {
			clear: clear,
			lines: lines,

			// Positions of what is outlined, or null.
			outlined: function()
			{
				return lines.group.visible ? Array.from( fill.geometry.attributes.position.array ) : null;
			},
			setTheme: function( theme )
			{
				lines.setColor( theme.picked );
				fill.material.color.setHex( theme.picked );
				dot.material.color.setHex( theme.picked );
			},

			// @param triangles  null for lines alone
			// @param width      pixels of the lines
			set: function( positions, triangles, ends, opacity, width )
			{
				lines.setWidth( width );
				const geometry = geometryOf( positions, triangles );
				lines.setSegments( view.segmentsOf( positions, ends ) );
				lines.group.visible = true;
				fill.geometry.dispose();
				fill.geometry = geometry;
				fill.visible = triangles !== null;
				fill.material.opacity = opacity;
			},
			setDot: function( point )
			{
				dot.geometry.attributes.position.array.set( point );
				dot.geometry.attributes.position.needsUpdate = true;
				dot.visible = true;
			},
		};
	}

	// @param context  of WebGL
	view.createScene = function( canvas, context, data, camera )
	{
		const renderer = new THREE.WebGLRenderer( { canvas: canvas, context: context, antialias: true } );
		const scene = new THREE.Scene();
		const sun = new THREE.DirectionalLight( 0xffffff, 0.5 );
		const edges = {};
		const mesh = data.mesh && createMesh( scene, data.mesh );
		const hull = data.hull && createHull( scene, data.hull );
		const parts = data.parts && createParts( scene, data.parts );
		const proxy = data.proxy && createProxy( scene, data.proxy );
		const primitive = data.primitive && createPrimitive( scene, data.primitive );
		const picked = createPicked( scene );

		// One pair for whatever volumes are shown, since a new material may need a program of the graphics card compiled.
		const volumeMaterials = bodyMaterials( 0.16 );
		let volumes = null;
		let theme = null;

		scene.background = new THREE.Color();
		sun.position.set( -0.45, 0.7, 1 );
		camera.add( sun, sun.target );
		scene.add( camera, new THREE.HemisphereLight( 0xffffff, 0xb8bcc4, 0.62 ) );
		for ( const kind of Object.keys( data.edges ) )
		{
			edges[kind] = view.createLines( scene, thin );
			edges[kind].setSegments( data.edges[kind].ends );
		}
		return {
			mesh: mesh,
			hull: hull,
			parts: parts,
			proxy: proxy,
			primitive: primitive,
			edges: edges,
			picked: picked,
			volumes: function()
			{
				return volumes;
			},
			setTheme: function( dark )
			{
				theme = view.theme( dark );
				scene.background.setHex( theme.background );
				for ( const body of [ mesh, hull, proxy, primitive, picked ] )
				{
					if ( body )
					{
						body.setTheme( theme );
					}
				}
				if ( parts )
				{
					parts.bodies.lines.material.color.setHex( dark ? 0x0c0f12 : 0x2a3340 );
				}
				for ( const kind of Object.keys( edges ) )
				{
					edges[kind].setColor( theme[kind] );
				}
			},

			// @param colorOf  of a node, array of three
			setVolumes: function( nodes, style, colorOf )
			{
				if ( volumes )
				{
					volumes.bodies.dispose();
					volumes = null;
				}
				if ( style === "hidden" || nodes.length === 0 )
				{
					return;
				}
				const steps = roundSteps.find( function( row )
				{
					return nodes.length <= row[0];
				} )[1];
				const joined = view.joinPolyhedra( nodes.map( function( node )
				{
					return view.volumePolyhedron( data.tree, node, steps );
				} ) );
				const bodies = createBodies( scene, joined.positions, joined.triangles, joined.edges, volumeMaterials, 3 );
				bodies.faces.visible = style !== "outlines";
				bodies.faces.material.opacity = style === "solid" ? 0.999 : nodes.length > 2000 ? 0.1 : 0.16;
				bodies.faces.material.depthWrite = style === "solid";
				bodies.lines.material.opacity = nodes.length > 2000 ? 0.6 : 0.9;
				bodies.lines.visible = style !== "solid";
				nodes.forEach( function( node, i )
				{
					bodies.paint( joined.firstPoint[i], joined.firstPoint[i + 1], colorOf( node ) );
				} );
				volumes = { bodies: bodies, nodes: nodes, positions: joined.positions, corners: joined.triangles,
					owner: joined.owner, firstPoint: joined.firstPoint };
			},

			// What the objects hold, for those who judge the view.
			drawn: function()
			{
				const below = mesh && mesh.below.visible ? mesh.below.geometry.drawRange : null;
				return { nodes: volumes ? volumes.nodes.map( function( node )
				{
					return data.tree.number[node];
				} ) : [], outlined: picked.outlined(), below: below && [ below.start / 3, below.count / 3 ] };
			},

			// @return positions and color, from 0 to 255, of a node's volume; null where it is not drawn
			drawnVolume: function( node )
			{
				const at = volumes ? volumes.nodes.indexOf( node ) : -1;
				if ( at < 0 )
				{
					return null;
				}
				const attributes = volumes.bodies.faces.geometry.attributes;
				const first = 3 * volumes.firstPoint[at];
				return { points: Array.from( attributes.position.array.subarray( first, 3 * volumes.firstPoint[at + 1] ) ),
					color: Array.from( attributes.color.array.subarray( first, first + 3 ) ) };
			},

			// @param name  "mesh", "hull", "proxy", "primitive" or a kind of edges
			// @return positions as drawn; null where it is hidden or there is none
			drawnBody: function( name )
			{
				const body = { hull: hull, primitive: primitive }[name];
				const lines = edges[name] && edges[name].group.visible && edges[name];
				const faces = name === "proxy" ? proxy && proxy.wires : body && body.bodies.faces;
				if ( name === "mesh" )
				{
					return mesh && mesh.faces.visible ? Array.from( mesh.geometry.attributes.position.array ) : null;
				}
				return lines ? Array.from( lines.segments() )
					: faces && faces.visible ? Array.from( faces.geometry.attributes.position.array ) : null;
			},

			// @param name  "hull" or "parts"
			// @return the lines of its outline, six numbers each; null where it is hidden or there is none
			drawnOutline: function( name )
			{
				const body = { hull: hull, parts: parts }[name];
				const lines = body && body.bodies.lines;
				return lines && lines.visible
					? Array.from( view.segmentsOf( lines.geometry.attributes.position.array, lines.geometry.index.array ) ) : null;
			},

			// Draws one kind of edges thick, the others thin.
			setThick: function( kind )
			{
				for ( const name of Object.keys( edges ) )
				{
					edges[name].setWidth( name === kind ? thick : thin );
				}
			},

			// @return positions and color, from 0 to 255, of a part; null where parts are hidden
			drawnPart: function( part )
			{
				if ( !parts || !parts.bodies.faces.visible )
				{
					return null;
				}
				const attributes = parts.bodies.faces.geometry.attributes;
				const first = 3 * data.parts.firstVertex[part];
				return { points: Array.from( attributes.position.array.subarray( first, 3 * data.parts.firstVertex[part + 1] ) ),
					color: Array.from( attributes.color.array.subarray( first, first + 3 ) ) };
			},
			resize: function( width, height, ratio )
			{
				renderer.setPixelRatio( ratio );
				renderer.setSize( width, height, false );
				for ( const lines of Object.values( edges ).concat( picked.lines ) )
				{
					lines.resize( width, height );
				}
			},
			render: function()
			{
				renderer.render( scene, camera );
			},
		};
	};

	// Positions of some frames of a clip, one after another: the first and the last among them.
	view.joinPositions = function( frames )
	{
		const most = 9;
		const count = Math.min( frames.length, most );
		const length = frames[0].length;
		const out = new Float32Array( count * length );
		for ( let i = 0; i < count; ++i )
		{
			out.set( frames[Math.round( i * ( frames.length - 1 ) / Math.max( count - 1, 1 ) )], i * length );
		}
		return out;
	};

	// The ball around all there is; null where that is nothing.
	view.ballOfAll = function( data )
	{
		const sets = [ data.mesh, data.hull, data.parts, data.proxy ].filter( Boolean ).map( function( set )
		{
			return set.positions;
		} );
		if ( data.clip )
		{
			sets.push( view.joinPositions( data.clip.frames ) );
		}
		if ( sets.length === 0 && data.tree )
		{
			sets.push( view.joinPolyhedra( [ view.volumePolyhedron( data.tree, 0, 4 ) ] ).positions );
		}
		const balls = sets.map( function( positions )
		{
			return view.ballAround( positions, 0, positions.length / 3 );
		} );
		return balls.reduce( function( largest, ball )
		{
			return !largest || ball.radius > largest.radius ? ball : largest;
		}, null );
	};

	// Outlines what is picked in a scene.
	// @param picked   null for nothing
	// @param explode  how far the parts are from each other
	// @return the ball around it, or null
	view.outline = function( scene, data, picked, explode )
	{
		scene.picked.clear();
		if ( scene.mesh )
		{
			scene.mesh.setBelow( 0, 0 );
		}
		if ( !picked )
		{
			return null;
		}
		if ( picked.kind === "triangle" )
		{
			const corners = view.cornersOf( data.mesh, picked.index );
			const ball = view.ballAround( corners, 0, 3 );
			scene.picked.set( corners, Uint32Array.of( 0, 1, 2 ), Uint32Array.of( 0, 1, 1, 2, 2, 0 ), 0.8, thick );
			scene.picked.setDot( [ 0, 1, 2 ].map( function( i )
			{
				return ( corners[i] + corners[3 + i] + corners[6 + i] ) / 3;
			} ) );
			return { center: ball.center, radius: 8 * ball.radius };
		}
		if ( picked.kind === "node" )
		{
			const tree = data.tree;
			const joined = view.joinPolyhedra( [ view.volumePolyhedron( tree, picked.index, 8 ) ] );
			scene.picked.set( joined.positions, joined.triangles, joined.edges, 0.1, thick );
			if ( scene.mesh )
			{
				scene.mesh.setBelow( view.triangleIndex( data.mesh, tree.first[picked.index] ),
					view.triangleIndex( data.mesh, tree.first[picked.index] + tree.triangles[picked.index] ) );
			}
			return view.ballAround( joined.positions, 0, joined.positions.length / 3 );
		}
		if ( picked.kind === "part" )
		{
			const parts = data.parts;
			const first = parts.firstVertex[picked.index];
			const corners = parts.corners.subarray( 3 * parts.firstFace[picked.index], 3 * parts.firstFace[picked.index + 1] );
			const local = corners.map( function( corner )
			{
				return corner - first;
			} );
			const positions = scene.parts.positions.slice( 3 * first, 3 * parts.firstVertex[picked.index + 1] );
			const ends = parts.outline.filter( function( at )
			{
				return at >= 3 * parts.firstFace[picked.index] && at < 3 * parts.firstFace[picked.index + 1];
			} ).map( function( at )
			{
				return parts.corners[at] - first;
			} );
			scene.picked.set( positions, local, ends, 0.2, medium );
			return scene.parts.ballOf( picked.index, explode );
		}
		const ends = data.edges[picked.number].ends;
		return view.ballAround( ends, 0, ends.length / 3 );
	};
} )( window.bvView );
