// From which side the camera sees a place: the one that most of the place faces, and where nothing is before it.

( function( view )
{
	"use strict";

	const directions = 80; // that are compared
	const tried = 10;      // the best of them, for what covers the place
	const rays = 10;       // per direction
	const most = 60;       // samples of a place
	const near = 2e-3;     // a ray that comes so near to a point meets it
	const steep = 0.2;     // how much worse a view from straight above or below is

	function dot( a, b )
	{
		return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	}

	// Unit vectors all around, on a spiral.
	function spread( count )
	{
		const out = [];
		for ( let i = 0; i < count; ++i )
		{
			const y = 1 - ( 2 * i + 1 ) / count;
			const flat = Math.sqrt( 1 - y * y );
			const angle = i * Math.PI * ( 3 - Math.sqrt( 5 ) );
			out.push( [ flat * Math.cos( angle ), y, flat * Math.sin( angle ) ] );
		}
		return out;
	}

	// A point of a triangle, its normal, and its area as weight.
	function sampleOf( positions, corners, triangle )
	{
		const p = [ 0, 1, 2 ].map( function( k )
		{
			return positions.subarray( 3 * corners[3 * triangle + k], 3 * corners[3 * triangle + k] + 3 );
		} );
		const u = [ p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2] ];
		const v = [ p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2] ];
		const normal = [ u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] ];
		const length = Math.hypot( normal[0], normal[1], normal[2] );
		return { point: [ 0, 1, 2 ].map( function( i )
		{
			return ( p[0][i] + p[1][i] + p[2][i] ) / 3;
		} ), normal: normal.map( function( x )
		{
			return length > 0 ? x / length : 0;
		} ), weight: length };
	}

	// Samples of triangles `first` to `end`, less one.
	view.samplesOfTriangles = function( positions, corners, first, end )
	{
		const samples = [];
		const step = Math.max( 1, ( end - first ) / most );
		for ( let i = 0; Math.floor( first + i * step ) < end; ++i )
		{
			samples.push( sampleOf( positions, corners, Math.floor( first + i * step ) ) );
		}
		return samples;
	};

	// Samples of edges: their middles, with the sum of the normals of the triangles around their ends.
	view.samplesOfEdges = function( mesh, ends )
	{
		const keyOf = function( positions, at )
		{
			return positions[at] + "," + positions[at + 1] + "," + positions[at + 2];
		};
		const count = ends.length / 6;
		const step = Math.max( 1, count / most );
		const normals = new Map();
		const chosen = [];
		for ( let i = 0; Math.floor( i * step ) < count; ++i )
		{
			chosen.push( 6 * Math.floor( i * step ) );
			normals.set( keyOf( ends, chosen[i] ), [ 0, 0, 0 ] );
			normals.set( keyOf( ends, chosen[i] + 3 ), [ 0, 0, 0 ] );
		}
		for ( let i = 0; mesh && i < mesh.corners.length; ++i )
		{
			const sum = normals.get( keyOf( mesh.positions, 3 * mesh.corners[i] ) );
			if ( sum )
			{
				const sample = sampleOf( mesh.positions, mesh.corners, Math.floor( i / 3 ) );
				sample.normal.forEach( function( x, k )
				{
					sum[k] += x;
				} );
			}
		}
		return chosen.map( function( at )
		{
			const a = normals.get( keyOf( ends, at ) );
			const b = normals.get( keyOf( ends, at + 3 ) );
			const sum = [ a[0] + b[0], a[1] + b[1], a[2] + b[2] ];
			const length = Math.hypot( sum[0], sum[1], sum[2] );
			return { point: [ 0, 1, 2 ].map( function( i )
			{
				return ( ends[at + i] + ends[at + 3 + i] ) / 2;
			} ), normal: sum.map( function( x )
			{
				return length > 1e-6 ? x / length : 0;
			} ), weight: 1 };
		} );
	};

	// How much a sample faces a direction; one without a normal faces all of them.
	function facing( sample, direction )
	{
		const normal = sample.normal;
		return normal[0] === 0 && normal[1] === 0 && normal[2] === 0 ? 0.5 : Math.max( dot( normal, direction ), 0 );
	}

	function isSeen( sample, eye, cover )
	{
		const way = [ sample.point[0] - eye[0], sample.point[1] - eye[1], sample.point[2] - eye[2] ];
		const length = Math.hypot( way[0], way[1], way[2] );
		const hit = view.pickTriangle( eye, way.map( function( x )
		{
			return x / length;
		} ), cover.positions, cover.corners );
		return !hit || hit.distance > length - near || ( hit.triangle >= cover.first && hit.triangle < cover.end );
	}

	// @param samples   of the place
	// @param cover     triangles that may be before it, of which `first` to `end`, less one, are the place itself; null for none
	// @param center    what the camera looks at
	// @param distance  from there to the camera
	// @param up        the axis that is up, 1 or 2
	// @return the unit vector to the camera, and which share of what faces it is seen; null for no samples
	view.faceTo = function( samples, cover, center, distance, up )
	{
		if ( samples.length === 0 )
		{
			return null;
		}
		const mean = [ 0, 0, 0 ];
		for ( const sample of samples )
		{
			sample.normal.forEach( function( x, i )
			{
				mean[i] += sample.weight * x;
			} );
		}
		const length = Math.hypot( mean[0], mean[1], mean[2] );
		const all = spread( directions ).concat( length > 0 ? [ mean.map( function( x )
		{
			return x / length;
		} ) ] : [] ).map( function( direction )
		{
			let score = 0;
			for ( const sample of samples )
			{
				score += sample.weight * facing( sample, direction );
			}
			return { direction: direction, score: score * ( 1 - steep * Math.pow( direction[up], 4 ) ) };
		} );
		all.sort( function( a, b )
		{
			return b.score - a.score;
		} );
		let best = { direction: all[0].direction, score: -1, share: cover ? 0 : 1 };
		for ( const candidate of cover ? all.slice( 0, tried ) : [] )
		{
			const eye = candidate.direction.map( function( x, i )
			{
				return center[i] + distance * x;
			} );
			const step = Math.max( 1, samples.length / rays );
			let faces = 0;
			let seen = 0;
			for ( let i = 0; Math.floor( i * step ) < samples.length; ++i )
			{
				const sample = samples[Math.floor( i * step )];
				const weight = sample.weight * facing( sample, candidate.direction );
				faces += weight;
				seen += weight > 0 && isSeen( sample, eye, cover ) ? weight : 0;
			}
			const share = faces > 0 ? seen / faces : 0;
			if ( share * candidate.score > best.score )
			{
				best = { direction: candidate.direction, score: share * candidate.score, share: share };
			}
		}
		return best;
	};
} )( window.bvView );
