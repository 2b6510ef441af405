// Prints what the npm package answers for files, as answers.c does what the libraries answer, in Node.js and in browsers.
//
//   node answers.mjs PACKAGE FILE.bvh...

const shapeKinds = 8, objectCount = 200, none = 4294967295;

/**
 * @param bv     the package
 * @param files  [ { name, bytes } ]
 * @return text
 */
export async function answers( bv, files )
{
	const out = [];
	let line = '';
	let state = 0;
	let sum = 0n;
	let lower, upper;
	const bits = new DataView( new ArrayBuffer( 8 ) );

	const bitsOf = x =>
	{
		bits.setFloat64( 0, Number( x ) );
		return bits.getBigUint64( 0 );
	};
	const put = ( ...all ) => all.flat( 2 ).forEach( x => { line += ' ' + bitsOf( Number.isNaN( x ) ? 0.5 : x ).toString( 16 ); } );
	const end = what =>
	{
		out.push( `${ line } ${ what }` );
		line = '';
	};
	// Errors are part of the answer: the status.
	const attempt = ( what, query, show ) =>
	{
		try
		{
			show( query() );
			end( what );
		}
		catch ( error )
		{
			if ( !( error instanceof bv.BvError ) )
			{
				throw error;
			}
			end( `${ what }: ${ error.status }` );
		}
	};
	const beginSum = () => { sum = 0n; };
	const add = x => { sum = ( sum * 31n + bitsOf( x ) ) & 0xffffffffffffn; };
	const endSum = () => { line += ' ' + sum.toString( 16 ); };
	const sumOf = list =>
	{
		beginSum();
		list.forEach( add );
		endSum();
	};

	const unit = () =>
	{
		state = ( Math.imul( state, 1664525 ) + 1013904223 ) >>> 0;
		return ( state >>> 8 ) / 16777216;
	};
	const somewhere = () => [ 0, 1, 2 ].map( i => lower[i] + ( upper[i] - lower[i] ) * ( 2 * unit() - 0.5 ) );
	const minus = ( a, b ) => a.map( ( x, i ) => x - b[i] );
	const way = () =>
	{
		const from = somewhere();
		return minus( somewhere(), from );
	};
	const times = ( s, a ) => a.map( x => s * x );
	const extent = () => ( ( upper[0] - lower[0] ) + ( upper[1] - lower[1] ) ) + ( upper[2] - lower[2] );
	const pose = () =>
	{
		const s = [ 0, 1, 2, 3 ].map( () => unit() < 0.5 ? -0.2 : 0.2 );
		const quaternion = [ 1 * s[0], 2 * s[1], 2 * s[2], 4 * s[3] ];
		const scale = unit() < 0.3 ? 1 : 0.5 + unit();
		const position = [ 0, 1, 2 ].map( i => ( upper[i] - lower[i] ) * ( unit() - 0.5 ) );
		return { position, quaternion, scale };
	};
	const shape = ( kind, file ) =>
	{
		const a = somewhere();
		const b = somewhere();
		const r = extent() * 0.05 * ( 1 + unit() );
		const half = [ r, 2 * r, 0.5 * r ];
		return kind === 0   ? bv.BvConvex.sphere( a, r )
		       : kind === 1 ? bv.BvConvex.capsule( a, b, r )
		       : kind === 2 ? bv.BvConvex.box( a, half )
		       : kind === 3 ? bv.BvConvex.cylinder( a, b, r )
		       : kind === 4 ? bv.BvConvex.cone( a, b, r )
		       : kind === 5 ? bv.BvConvex.triangle( a, b, somewhere() )
		       : kind === 6 ? bv.BvConvex.segment( a, b )
		       : kind === 7 ? bv.BvConvex.points( Array.from( { length: 6 }, somewhere ).flat(), 0.25 * r )
		                    : bv.BvConvex.hull( file );
	};
	const features = [ 'corner 0', 'corner 1', 'corner 2', 'edge 0', 'edge 1', 'edge 2', 'face' ];
	const putSurface = p => put( p.triangle, features.indexOf( p.feature ), p.weights, p.point, p.local, p.normal );
	const putMass = m => put( m.mass, m.centerOfMass, m.inertia );

	const describeSurface = ( name, s ) =>
	{
		if ( s )
		{
			beginSum();
			s.positions.forEach( add );
			s.triangles.forEach( add );
			put( s.positions.length / 3, s.triangles.length / 3 );
			endSum();
			end( name );
		}
	};
	const describe = file =>
	{
		const i = file.info;
		put( i.vertices, i.triangles, i.edges, i.components, i.closed, i.manifold, i.oriented, i.area, i.nodes, i.depth );
		line += ' ' + i.tool;
		end( 'info' );
		describeSurface( 'mesh', file.mesh );
		describeSurface( 'hull', file.hull );
		describeSurface( 'proxy', file.proxy );
		for ( const part of file.parts )
		{
			beginSum();
			part.positions.forEach( add );
			part.triangles.forEach( add );
			part.neighbors.forEach( add );
			endSum();
			put( part.concavity.lower, part.concavity.upper );
			putMass( part );
			end( 'part' );
		}
		const b = file.bounds;
		if ( b )
		{
			put( b.box.lower, b.box.upper, b.sphere.center, b.sphere.radius, b.orientedBox.center, b.orientedBox.axes, b.orientedBox.halfExtents, b.capsule.ends, b.capsule.radius );
			end( 'bounds' );
		}
		const p = file.primitives;
		if ( p )
		{
			const kinds = [ 'box', 'sphere', 'capsule', 'cylinder' ];
			put( p.tolerance, p.best === null ? kinds.length : kinds.indexOf( p.best ) );
			kinds.forEach( kind => { p[kind] && put( p[kind].error.lower, p[kind].error.upper ); } );
			end( 'primitives' );
		}
		for ( const of of [ 'solid', 'surface', 'hull' ] )
		{
			const mass = file.mass( of );
			if ( mass )
			{
				putMass( mass );
				end( 'mass' );
			}
		}
		if ( file.body )
		{
			putMass( file.body );
			put( [ 'solid', 'surface', 'hull' ].indexOf( file.body.of ), file.body.density );
			end( 'body' );
		}
		const source = file.source( 0 );
		if ( source )
		{
			line += ` ${ source.face } ${ source.object }|${ source.group }|${ source.material }`;
			end( 'source' );
		}
	};

	const castRays = file =>
	{
		const rays = [];
		for ( let i = 0; i < 60; ++i )
		{
			const from = somewhere();
			const direction = minus( somewhere(), from );
			const placement = pose();
			const options = { from: i % 3 === 0 ? 0.125 : 0, to: i % 5 === 0 ? 1 : 0, noFronts: i % 7 === 1, noBacks: i % 7 === 2 };
			if ( i % 2 )
			{
				options.pose = placement;
			}
			attempt( 'ray', () => file.castRay( from, direction, options ), r => { r && ( put( r.time, r.back ), putSurface( r ) ); } );
			rays.push( ...from, ...direction );
		}
		beginSum();
		attempt( 'rays', () => file.castRays( new Float64Array( rays ) ), r =>
		{
			r.time.forEach( ( _, i ) => [ r.time[i], r.triangle[i], r.point[3 * i + 1], r.normal[3 * i + 2], r.back[i] ].forEach( add ) );
		} );
		const last = out.pop().slice( 1 ); // The sum comes first, also after an error.
		out.push( ` ${ sum.toString( 16 ) } ${ last }` );
	};
	const summed = ( what, query ) =>
	{
		let list = [];
		let error = null;
		try
		{
			list = query();
		}
		catch ( e )
		{
			error = e;
		}
		sumOf( list );
		attempt( what, () => { if ( error ) throw error; }, () => {} );
	};
	const askPoints = file =>
	{
		for ( let i = 0; i < 30; ++i )
		{
			const p = somewhere();
			const placement = pose();
			const options = i % 2 ? { pose: placement } : {};
			attempt( 'closest', () => file.closestPoint( p, { ...options, limit: i % 4 === 0 ? extent() * 0.1 : 0 } ), r => { r && ( put( r.distance, r.back ), putSurface( r ) ); } );
			const sides = [ undefined, false, true ];
			let side = 0;
			let error = null;
			try
			{
				side = sides.indexOf( file.contains( p, options ) );
			}
			catch ( e )
			{
				error = e;
			}
			put( side );
			attempt( 'contains', () => { if ( error ) throw error; }, () => {} );
		}
	};
	const askPairs = ( file, other ) =>
	{
		for ( let i = 0; i < 10; ++i )
		{
			const to = pose();
			summed( 'collide', () => file.collide( other, to ) );
			const options = { limit: i % 3 === 0 ? extent() * 0.2 : 0, relative: i % 5 === 0 ? 0.01 : 0 };
			attempt( 'distance', () => file.distance( other, to, options ), r => { r && ( put( r.distance ), putSurface( r.a ), putSurface( r.b ) ); } );
		}
	};
	const askShapes = file =>
	{
		for ( let i = 0; i < 3 * shapeKinds; ++i )
		{
			const s = shape( i % shapeKinds, file );
			const placement = pose();
			const options = i % 2 ? { pose: placement } : {};
			summed( 'overlap', () => file.overlapConvex( s, options ) );
			attempt( 'shape distance', () => file.distanceConvex( s, options ), d => { d && ( put( d.lower, d.upper, d.point, d.normal ), putSurface( d.surface ) ); } );
			const motion = way();
			attempt( 'shape cast', () => file.castConvex( s, motion, options ), c => { c && ( put( c.atStart, c.time, c.back, c.normal ), putSurface( c.surface ) ); } );
			const center = somewhere();
			const radius = extent() * 0.2 * unit();
			summed( 'overlap ball', () => file.overlapSphere( center, radius, options ) );
			const p = somewhere();
			summed( 'overlap box', () => file.overlapBox( p, [ p[0] + radius, p[1] + 2 * radius, p[2] + 0.5 * radius ], options ) );
			s.free();
		}
	};
	const sweep = ( file, other ) =>
	{
		const show = r => put( r.found, r.certain, r.complete, r.lower, r.upper, r.triangles, r.points, r.normal );
		for ( let i = 0; i < 6; ++i )
		{
			const start = pose();
			const to = pose();
			to.scale = start.scale;
			const a = i % 3 === 0   ? { start, end: to }
			          : i % 3 === 1 ? { start, end: to, kind: 'screwBetween' }
			                        : { start, point: somewhere(), axis: [ 1, 2, 3 ], angle: 2, shift: 0.5 };
			const b = { start: pose() };
			const options = { separation: i % 2 ? extent() * 0.01 : 0 };
			attempt( 'sweep', () => bv.timeOfImpact( file, a, other, b, options ), show );
			const s = shape( i, file );
			attempt( 'sweep', () => bv.timeOfImpact( s, a, other, b, options ), show );
			s.free();
		}
	};
	const askConvex = file =>
	{
		const hasHull = file.info.hullVertices > 0;
		for ( let i = 0; i < 64; ++i )
		{
			const a = shape( i % shapeKinds, file );
			const kind = Math.floor( i / shapeKinds );
			const b = kind === 7 && hasHull ? shape( shapeKinds, file ) : shape( kind % 7, file );
			const to = pose();
			attempt( 'convex overlap', () => bv.convexOverlap( a, b, to ), o => put( o ) );
			attempt( 'convex distance', () => bv.convexDistance( a, b, to ), d => put( d.lower, d.upper, d.points, d.normal ) );
			const motion = way();
			attempt( 'convex cast', () => bv.convexCast( a, b, to, motion, [ 0, 0, 0 ] ), c => { c && put( c.lower, c.upper, c.points, c.normal ); } );
			attempt( 'contacts', () => bv.convexContacts( a, b, to, { speculative: extent() * 0.1 } ), m =>
			{
				put( m.lower, m.upper, m.normal );
				m.contacts.forEach( c => put( c.position, c.points, c.separation, c.identity ) );
			} );
			a.free();
			b.free();
		}
	};
	const askScene = file =>
	{
		if ( !file.bounds && !file.info.hasTriangles )
		{
			return; // There is no box for it.
		}
		const scene = new bv.BvScene( { objects: objectCount, pairs: 20000 } );
		const place = () =>
		{
			const to = pose();
			to.position = times( 8, to.position );
			return to;
		};
		for ( let i = 0; i < objectCount; ++i )
		{
			scene.add( file, place() );
		}
		for ( let step = 0; step < 4; ++step )
		{
			for ( let i = 0; i < objectCount / 4; ++i )
			{
				const k = Math.floor( unit() * objectCount );
				scene.move( k, place() );
			}
			attempt( 'update', () => scene.update(), changes => sumOf( [ ...changes.begun, ...changes.ended ] ) );
			for ( let i = 0; i < 20; ++i )
			{
				const from = times( 4, somewhere() );
				const direction = minus( times( 4, somewhere() ), from );
				attempt( 'scene ray', () => scene.castRay( from, direction ), r => { r && ( put( r.number, r.time ), putSurface( r ) ); } );
				const ball = bv.BvConvex.sphere( from, extent() * 0.02 );
				attempt( 'scene cast', () => scene.castConvex( ball, direction ), c => { c && put( c.number, c.time, c.normal ); } );
				ball.free();
			}
		}
		scene.free();
	};

	let before = null;
	for ( const [ i, { name, bytes } ] of files.entries() )
	{
		const file = await bv.BvFile.open( bytes );
		const box = file.bounds?.box;
		state = i + 1;
		lower = box?.lower ?? [ -1, -1, -1 ];
		upper = box?.upper ?? [ 1, 1, 1 ];
		out.push( name );
		describe( file );
		castRays( file );
		askPoints( file );
		askPairs( file, file );
		askPairs( file, before ?? file );
		askShapes( file );
		sweep( file, before ?? file );
		askConvex( file );
		askScene( file );
		before?.free();
		before = file;
	}
	return out.join( '\n' ) + '\n';
}

if ( typeof process === 'object' && process.argv[1] && import.meta.url.endsWith( process.argv[1].split( '/' ).pop() ) )
{
	const { readFile } = await import( 'node:fs/promises' );
	const { basename, resolve } = await import( 'node:path' );
	const bv = await import( resolve( process.argv[2] ) );
	const files = await Promise.all( process.argv.slice( 3 ).map( async path => ( { name: basename( path ), bytes: await readFile( path ) } ) ) );
	process.stdout.write( await answers( bv, files ) );
}
