// The picture: three.js shows a mesh, a second one, and marks on both.

function makeView( canvas )
{
	const renderer = new THREE.WebGLRenderer( { canvas, antialias: true } );
	const scene = new THREE.Scene();
	const camera = new THREE.PerspectiveCamera( 35, 1, 0.01, 100 );
	const controls = new THREE.OrbitControls( camera, canvas );
	const all = new THREE.Group(); // In units of the mesh, scaled to a size of 1.
	const light = new THREE.DirectionalLight( 0xffffff, 0.5 );
	renderer.setClearColor( 0x14171c );
	light.position.set( 2, 4, 3 );
	camera.add( new THREE.DirectionalLight( 0xbcd7ff, 0.2 ) );
	scene.add( new THREE.HemisphereLight( 0xdfe6f2, 0x3a3632, 0.55 ), light, camera, all );

	const solid = color => new THREE.MeshStandardMaterial( { color, roughness: 0.62, metalness: 0.05, flatShading: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } );
	const over = ( color, through = false ) => new THREE.MeshBasicMaterial( { color, depthTest: !through, transparent: through, opacity: through ? 0.9 : 1, side: THREE.DoubleSide } );
	const line = color => new THREE.LineBasicMaterial( { color } );
	const empty = () => new THREE.BufferGeometry();
	const body = new THREE.Mesh( empty(), solid( 0x9fb0c6 ) );
	const other = new THREE.Mesh( empty(), solid( 0x3fae9c ) );
	const marks = new THREE.Mesh( empty(), over( 0xffb454 ) );
	const struck = new THREE.Mesh( empty(), over( 0xff4d3d, true ) );
	const struckOther = new THREE.Mesh( empty(), over( 0xff8a5c, true ) );
	const arrow = new THREE.ArrowHelper( new THREE.Vector3( 0, 0, 1 ), new THREE.Vector3(), 1, 0xffb454 );
	const gap = new THREE.LineSegments( empty(), line( 0x5cb6ff ) );
	const shells = new THREE.Group(); // Convex parts.
	for ( const each of [ body, other, marks, struck, struckOther, arrow, gap, shells ] )
	{
		each.frustumCulled = false;
		all.add( each );
	}
	for ( const each of [ other, struckOther ] )
	{
		each.matrixAutoUpdate = false;
	}

	const geometry = positions =>
	{
		const out = new THREE.BufferGeometry();
		out.setAttribute( 'position', new THREE.BufferAttribute( Float32Array.from( positions ), 3 ) );
		return out;
	};
	const replace = ( object, positions ) =>
	{
		object.geometry.dispose();
		object.geometry = geometry( positions );
	};
	// The corners of triangles, three by three.
	const soup = ( { positions, triangles }, which = null ) =>
	{
		const count = which ? which.length : triangles.length / 3;
		const out = new Float32Array( 9 * count );
		for ( let i = 0; i < count; ++i )
		{
			const first = 3 * ( which ? which[i] : i );
			for ( let k = 0; k < 3; ++k )
			{
				const v = 3 * triangles[first + k];
				out.set( [ positions[v], positions[v + 1], positions[v + 2] ], 9 * i + 3 * k );
			}
		}
		return out;
	};

	let mesh = null;
	let size = 1;
	let wanted = false;
	const draw = () =>
	{
		wanted = false;
		const { clientWidth, clientHeight } = canvas;
		if ( canvas.width !== Math.round( clientWidth * devicePixelRatio ) || canvas.height !== Math.round( clientHeight * devicePixelRatio ) )
		{
			renderer.setPixelRatio( devicePixelRatio );
			renderer.setSize( clientWidth, clientHeight, false );
			camera.aspect = clientWidth / Math.max( clientHeight, 1 );
			camera.updateProjectionMatrix();
		}
		renderer.render( scene, camera );
	};
	const redraw = () =>
	{
		if ( !wanted )
		{
			wanted = true;
			requestAnimationFrame( draw );
		}
	};
	controls.addEventListener( 'change', redraw );
	addEventListener( 'resize', redraw );

	return {
		redraw,
		camera,
		/** Shows another mesh, whole. */
		show( surface, bounds, parts )
		{
			mesh = surface;
			size = 2 * bounds.sphere.radius || 1;
			all.scale.setScalar( 1 / size );
			all.position.set( ...bounds.sphere.center.map( x => -x / size ) );
			all.updateMatrixWorld( true );
			replace( body, soup( mesh ) );
			replace( other, soup( mesh ) );
			shells.children.slice().forEach( each =>
			{
				each.geometry.dispose();
				shells.remove( each );
			} );
			parts.forEach( ( part, i ) =>
			{
				const color = new THREE.Color().setHSL( ( i * 0.381966 ) % 1, 0.55, 0.6 );
				shells.add( new THREE.Mesh( geometry( soup( part ) ), solid( color ) ) );
			} );
			body.visible = parts.length === 0;
			camera.position.set( 1.05, 0.7, 1.55 );
			controls.target.set( 0, 0, 0 );
			controls.update();
			this.clear();
		},
		/** Hides all marks. */
		clear()
		{
			for ( const each of [ marks, struck, struckOther, arrow, gap, other ] )
			{
				each.visible = false;
			}
			redraw();
		},
		/** The ray of the pointer in coordinates of the mesh. */
		ray( x, y )
		{
			const caster = new THREE.Raycaster();
			const box = canvas.getBoundingClientRect();
			caster.setFromCamera( new THREE.Vector2( 2 * ( x - box.left ) / box.width - 1, 1 - 2 * ( y - box.top ) / box.height ), camera );
			const back = new THREE.Matrix4().getInverse( all.matrixWorld );
			const origin = caster.ray.origin.clone().applyMatrix4( back );
			const end = caster.ray.origin.clone().add( caster.ray.direction ).applyMatrix4( back );
			return { origin: origin.toArray(), direction: end.sub( origin ).toArray() };
		},
		/** Where the pointer is on the plane through a point that faces the camera, in coordinates of the mesh. */
		onPlane( x, y, point )
		{
			const { origin, direction } = this.ray( x, y );
			const normal = camera.getWorldDirection( new THREE.Vector3() );
			const from = new THREE.Vector3( ...origin );
			const way = new THREE.Vector3( ...direction );
			return from.addScaledVector( way, new THREE.Vector3( ...point ).sub( from ).dot( normal ) / way.dot( normal ) ).toArray();
		},
		/** Marks a triangle and its normal. */
		mark( hit )
		{
			replace( marks, soup( mesh, [ hit.triangle ] ) );
			arrow.position.set( ...hit.point );
			arrow.setDirection( new THREE.Vector3( ...hit.normal ) );
			arrow.setLength( 0.16 * size, 0.045 * size, 0.024 * size );
			marks.visible = arrow.visible = true;
			redraw();
		},
		/** Places the second mesh and marks triangles of both. */
		place( matrix, mine, its, nearest )
		{
			other.matrix.copy( matrix );
			struckOther.matrix.copy( matrix );
			replace( struck, soup( mesh, mine ) );
			replace( struckOther, soup( mesh, its ) );
			replace( gap, nearest.flat() );
			other.visible = true;
			struck.visible = struckOther.visible = mine.length > 0;
			gap.visible = nearest.length > 0;
			redraw();
		},
	};
}
