// Bounding volumes as polyhedra that can be drawn.
//
// Boxes have six faces, prisms five; balls, capsules and rectangle swept spheres are rings of points that lie on them; k-DOPs are boxes from
// which planes cut off what is outside. All volumes that are shown become one list of vertices, triangles and edges.

( function( view )
{
	"use strict";

	const boxTriangles = [ 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
		5 ];
	const boxEdges = [ 0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7 ];

	function add( a, b, factor )
	{
		return [ a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2] ];
	}

	function dot( a, b )
	{
		return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	}

	function cross( a, b )
	{
		return [ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] ];
	}

	function normalized( a )
	{
		const length = Math.hypot( a[0], a[1], a[2] );
		return length > 0 ? [ a[0] / length, a[1] / length, a[2] / length ] : null;
	}

	// A box by its centre and three half axes.
	view.boxPolyhedron = function( center, axes )
	{
		const points = [];
		for ( let i = 0; i < 8; ++i )
		{
			let p = add( center, axes[0], i & 1 ? 1 : -1 );
			p = add( p, axes[1], i & 2 ? 1 : -1 );
			points.push( add( p, axes[2], i & 4 ? 1 : -1 ) );
		}
		return { points: points, triangles: boxTriangles, edges: boxEdges };
	};

	// A prism by the centre and the half axes of the box round it: the triangle's base, its height, the prism's length.
	view.prismPolyhedron = function( center, axes )
	{
		const points = [];
		for ( let i = 0; i < 6; ++i )
		{
			let p = add( center, axes[2], i < 3 ? -1 : 1 );
			p = add( p, axes[1], i % 3 === 2 ? 1 : -1 );
			points.push( add( p, axes[0], [ -1, 1, 0 ][i % 3] ) );
		}
		return { points: points, triangles: [ 0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5 ],
			edges: [ 0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 0, 3, 1, 4, 2, 5 ] };
	};

	// A right-handed frame whose first two axes go along two vectors at right angles, each of which may vanish.
	function frameOf( first, second )
	{
		const least = function( a )
		{
			const size = a.map( Math.abs );
			const axis = [ 0, 0, 0 ];
			axis[size.indexOf( Math.min( size[0], size[1], size[2] ) )] = 1;
			return axis;
		};
		const u = normalized( first );
		const v = normalized( second );
		const x = u || ( v ? normalized( cross( v, least( v ) ) ) : [ 1, 0, 0 ] );
		const y = v || normalized( cross( least( x ), x ) );
		return [ x, y, cross( x, y ) ];
	}

	// All points no farther than `radius` from the rectangle center + s * first + t * second, |s|, |t| <= 1, with `steps` to a
	// quarter of a circle. Its outline is that of its flat faces, of its middle and of its round edges.
	view.roundPolyhedron = function( center, first, second, radius, steps )
	{
		const frame = frameOf( first, second );
		const ring = 4 * ( steps + 1 );
		const rings = 2 * steps + 1;
		const points = [];
		const triangles = [];
		const edges = [];
		for ( let i = 0; i < rings; ++i )
		{
			const latitude = ( i / steps - 1 ) * Math.PI / 2;
			for ( let k = 0; k < ring; ++k )
			{
				const quadrant = Math.floor( k / ( steps + 1 ) );
				const longitude = ( quadrant + ( k % ( steps + 1 ) ) / steps ) * Math.PI / 2;
				let p = add( center, first, quadrant === 0 || quadrant === 3 ? 1 : -1 );
				p = add( p, second, quadrant < 2 ? 1 : -1 );
				p = add( p, frame[0], radius * Math.cos( latitude ) * Math.cos( longitude ) );
				p = add( p, frame[1], radius * Math.cos( latitude ) * Math.sin( longitude ) );
				points.push( add( p, frame[2], radius * Math.sin( latitude ) ) );

				const at = i * ring + k;
				const next = i * ring + ( k + 1 ) % ring;
				if ( i + 1 < rings )
				{
					triangles.push( at, next, at + ring, next, next + ring, at + ring );
				}
				if ( i % steps === 0 )
				{
					edges.push( at, next );
				}
				if ( i + 1 < rings && k % ( steps + 1 ) === 0 )
				{
					edges.push( at, at + ring );
				}
			}
		}
		const corner = steps + 1;
		const top = ( rings - 1 ) * ring;
		triangles.push( 0, 2 * corner, corner, 0, 3 * corner, 2 * corner );
		triangles.push( top, top + corner, top + 2 * corner, top, top + 2 * corner, top + 3 * corner );
		return { points: points, triangles: triangles, edges: edges };
	};

	// A cylinder by the centres of its two discs.
	view.cylinderPolyhedron = function( ends, radius, steps )
	{
		const frame = frameOf( add( ends[1], ends[0], -1 ), [ 0, 0, 0 ] );
		const around = 4 * steps;
		const points = [];
		const triangles = [];
		const edges = [];
		for ( let k = 0; k < around; ++k )
		{
			const angle = k * 2 * Math.PI / around;
			const next = ( k + 1 ) % around;
			for ( let i = 0; i < 2; ++i )
			{
				const p = add( ends[i], frame[1], radius * Math.cos( angle ) );
				points.push( add( p, frame[2], radius * Math.sin( angle ) ) );
				edges.push( 2 * k + i, 2 * next + i );
			}
			triangles.push( 2 * k, 2 * k + 1, 2 * next, 2 * next, 2 * k + 1, 2 * next + 1 );
			if ( k > 1 )
			{
				triangles.push( 0, 2 * k, 2 * k - 2, 1, 2 * k - 1, 2 * k + 1 );
			}
			if ( k % steps === 0 )
			{
				edges.push( 2 * k, 2 * k + 1 );
			}
		}
		return { points: points, triangles: triangles, edges: edges };
	};

	// Puts the points of a convex polygon into order around its normal, each once.
	function orderAround( points, normal, near )
	{
		const center = points.reduce( function( sum, p )
		{
			return add( sum, p, 1 / points.length );
		}, [ 0, 0, 0 ] );
		let first = null;
		for ( let i = 0; i < points.length && !first; ++i )
		{
			first = normalized( add( points[i], center, -1 ) );
		}
		if ( !first )
		{
			return [];
		}
		const second = cross( normalized( normal ), first );
		const angled = points.map( function( p )
		{
			const way = add( p, center, -1 );
			return { point: p, angle: Math.atan2( dot( way, second ), dot( way, first ) ) };
		} );
		angled.sort( function( a, b )
		{
			return a.angle - b.angle;
		} );
		const ordered = [];
		for ( const entry of angled )
		{
			const last = ordered[ordered.length - 1];
			if ( !last || Math.hypot.apply( null, add( entry.point, last, -1 ) ) > near )
			{
				ordered.push( entry.point );
			}
		}
		return ordered;
	}

	// Cuts off what lies beyond dot( normal, x ) = bound.
	function clip( polygons, normal, bound, near )
	{
		const kept = [];
		const cut = [];
		for ( const polygon of polygons )
		{
			const inside = [];
			for ( let i = 0; i < polygon.length; ++i )
			{
				const from = polygon[i];
				const to = polygon[( i + 1 ) % polygon.length];
				const a = dot( normal, from ) - bound;
				const b = dot( normal, to ) - bound;
				if ( a <= near )
				{
					inside.push( from );
				}
				if ( ( a > near ) !== ( b > near ) )
				{
					const crossing = add( from, add( to, from, -1 ), a / ( a - b ) );
					inside.push( crossing );
					cut.push( crossing );
				}
			}
			if ( inside.length > 2 )
			{
				kept.push( inside );
			}
		}
		const face = cut.length > 2 ? orderAround( cut, normal, near ) : [];
		if ( face.length > 2 )
		{
			kept.push( face );
		}
		return kept;
	}

	// Between pairs of planes: lower, upper for each direction, of which the first three are the axes.
	view.kdopPolyhedron = function( directions, bounds )
	{
		const middle = [ 0, 1, 2 ].map( function( i )
		{
			return ( bounds[2 * i] + bounds[2 * i + 1] ) / 2;
		} );
		const half = [ 0, 1, 2 ].map( function( i )
		{
			return ( bounds[2 * i + 1] - bounds[2 * i] ) / 2;
		} );
		const near = 1e-6 * Math.max( half[0], half[1], half[2] );
		const box = view.boxPolyhedron( middle, [ [ half[0], 0, 0 ], [ 0, half[1], 0 ], [ 0, 0, half[2] ] ] );
		let polygons = [ [ 0, 2, 3, 1 ], [ 4, 5, 7, 6 ], [ 0, 1, 5, 4 ], [ 2, 6, 7, 3 ], [ 0, 4, 6, 2 ], [ 1, 3, 7, 5 ] ]
			.map( function( corners )
			{
				return corners.map( function( corner )
				{
					return box.points[corner];
				} );
			} );
		for ( let i = 3; i < directions.length; ++i )
		{
			const against = directions[i].map( function( x )
			{
				return -x;
			} );
			polygons = clip( polygons, directions[i], bounds[2 * i + 1], near );
			polygons = clip( polygons, against, -bounds[2 * i], near );
		}
		const out = { points: [], triangles: [], edges: [] };
		for ( const polygon of polygons )
		{
			const first = out.points.length;
			polygon.forEach( function( p, i )
			{
				out.points.push( p );
				out.edges.push( first + i, first + ( i + 1 ) % polygon.length );
				if ( i > 1 )
				{
					out.triangles.push( first, first + i - 1, first + i );
				}
			} );
		}
		return out;
	};

	// The volume of a node; round ones with `steps` to a quarter of a circle.
	view.volumePolyhedron = function( tree, node, steps )
	{
		const type = tree.types[tree.type[node]];
		const numbers = tree.shapes.subarray( tree.firstShape[node], tree.firstShape[node] + type.numbers );
		const vector = function( at )
		{
			return [ numbers[at], numbers[at + 1], numbers[at + 2] ];
		};
		if ( type.directions.length > 0 )
		{
			return view.kdopPolyhedron( type.directions.map( function( i )
			{
				return tree.directions[i];
			} ), numbers );
		}

		// Half axes behind the center, and the radius of what is round.
		const axes = [ 3, 6, 9 ].map( function( at )
		{
			return at + 3 <= type.numbers ? vector( at ) : [ 0, 0, 0 ];
		} );
		if ( type.numbers % 3 === 1 )
		{
			return view.roundPolyhedron( vector( 0 ), axes[0], axes[1], numbers[type.numbers - 1], steps );
		}
		return type.name === "prism" ? view.prismPolyhedron( vector( 0 ), axes ) : view.boxPolyhedron( vector( 0 ), axes );
	};

	// Many polyhedra as one.
	// owner[i] is the index of the polyhedron that triangle i belongs to, firstPoint[i] where the points of polyhedron i begin.
	view.joinPolyhedra = function( polyhedra )
	{
		const sum = function( key )
		{
			return polyhedra.reduce( function( total, p )
			{
				return total + p[key].length;
			}, 0 );
		};
		const out = { positions: new Float32Array( 3 * sum( "points" ) ), triangles: new Uint32Array( sum( "triangles" ) ),
			edges: new Uint32Array( sum( "edges" ) ), owner: new Uint32Array( sum( "triangles" ) / 3 ),
			firstPoint: new Uint32Array( polyhedra.length + 1 ) };
		let points = 0;
		let corners = 0;
		let ends = 0;
		polyhedra.forEach( function( p, index )
		{
			out.firstPoint[index] = points;
			for ( let i = 0; i < p.triangles.length; ++i )
			{
				out.triangles[corners + i] = points + p.triangles[i];
			}
			out.owner.fill( index, corners / 3, ( corners + p.triangles.length ) / 3 );
			corners += p.triangles.length;
			for ( let i = 0; i < p.edges.length; ++i )
			{
				out.edges[ends + i] = points + p.edges[i];
			}
			ends += p.edges.length;
			for ( let i = 0; i < p.points.length; ++i, ++points )
			{
				out.positions.set( p.points[i], 3 * points );
			}
		} );
		out.firstPoint[polyhedra.length] = points;
		return out;
	};
} )( window.bvView );
