// The kernels of one level and their table: included once by each level's file, behind what the level
// defines. See box_lanes.h, and runtime/tree/lanes_kernels.h for the words they are written in.
//
// How far beyond its box a point may be, with u = 2^-24 and coordinates of at most 1, which were rounded
// once: a decoded axis is off by 3u in each part, since all its products of codes are exact and three
// roundings follow; a scalar product adds u for each part's coordinate and 3u for its own five roundings.
// Altogether 7u (|x| + |y| + |z|) <= 21u. The center is the sum of three middles of at most sqrt( 3 ) along
// axes: 3 sqrt( 3 ) ( 3u + 3u ) < 32u. Half lengths are rounded by 2u. 55u < 2^-18, bvfit_box_margin.

#pragma once

#include "offline/fit/box_lanes.h"
#include "runtime/file/node.h"

#include <math.h>
#include <string.h>

// Sines and heights below this, relative to lengths of 1, are mere rounding.
static const float box_flat = 0x1p-14F;

// A sliver's area as a weight is at least this part of the square of its longer side.
static const float box_least_area = 0x1p-40F;

// A point or a direction in each lane.
typedef struct box_vec
{
	lanes x;
	lanes y;
	lanes z;
} box_vec;

LANES_INLINE box_vec box_load( const bvfit_box_lane from[3], uint32_t first )
{
	return ( box_vec ){ lanes_load( from[0] + first ), lanes_load( from[1] + first ),
		                lanes_load( from[2] + first ) };
}

LANES_INLINE void box_store( bvfit_box_lane to[3], uint32_t first, box_vec v )
{
	lanes_store( to[0] + first, v.x );
	lanes_store( to[1] + first, v.y );
	lanes_store( to[2] + first, v.z );
}

LANES_INLINE box_vec box_sub( box_vec a, box_vec b )
{
	return ( box_vec ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

LANES_INLINE box_vec box_scale( lanes s, box_vec a )
{
	return ( box_vec ){ s * a.x, s * a.y, s * a.z };
}

LANES_INLINE lanes box_dot( box_vec a, box_vec b )
{
	return ( a.x * b.x + a.y * b.y ) + a.z * b.z;
}

LANES_INLINE box_vec box_cross( box_vec a, box_vec b )
{
	return ( box_vec ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

LANES_INLINE box_vec box_select( lanes_mask which, box_vec a, box_vec b )
{
	return ( box_vec ){ lanes_select( which, a.x, b.x ), lanes_select( which, a.y, b.y ),
		                lanes_select( which, a.z, b.z ) };
}

// The null vector for one that is none.
LANES_INLINE box_vec box_unit( box_vec v )
{
	lanes square = box_dot( v, v );
	lanes one = lanes_all( 1 );
	lanes_mask some = lanes_less( lanes_all( 0x1p-100F ), square );
	lanes scale = one / lanes_sqrt( lanes_select( some, square, one ) );
	return box_scale( lanes_select( some, scale, lanes_all( 0 ) ), v );
}

// An axis measured so far.
typedef struct box_interval
{
	lanes lower;
	lanes upper;
} box_interval;

LANES_INLINE box_interval box_nothing( void )
{
	return ( box_interval ){ lanes_all( INFINITY ), lanes_all( -INFINITY ) };
}

LANES_INLINE void box_reach( box_interval* i, lanes along )
{
	i->lower = lanes_min( along, i->lower );
	i->upper = lanes_max( along, i->upper );
}

LANES_INLINE lanes box_length( box_interval i )
{
	return i.upper - i.lower;
}

// A quarter of the surface of a box.
LANES_INLINE lanes box_area( lanes a, lanes b, lanes c )
{
	return ( a * b + b * c ) + c * a;
}

// The seven directions of bvvol_project.
LANES_INLINE void box_project( box_vec p, lanes out[bvfit_box_directions] )
{
	lanes sum = p.x + p.y;
	lanes difference = p.x - p.y;
	out[0] = p.x;
	out[1] = p.y;
	out[2] = p.z;
	out[3] = sum + p.z;
	out[4] = sum - p.z;
	out[5] = difference + p.z;
	out[6] = difference - p.z;
}

// One extremal point with how far it is.
typedef struct box_extreme
{
	lanes along;
	box_vec point;
	lanes index; // of the point
} box_extreme;

LANES_INLINE void box_keep( box_extreme* e, lanes_mask which, lanes along, box_vec p, lanes index )
{
	e->index = lanes_select( which, index, e->index );
	e->along = lanes_select( which, along, e->along );
	e->point = box_select( which, p, e->point );
}

LANES_INLINE void box_add_corner( box_extreme lowest[bvfit_box_directions],
                                  box_extreme highest[bvfit_box_directions], box_vec p, lanes index )
{
	lanes along[bvfit_box_directions];
	box_project( p, along );
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		box_keep( lowest + i, lanes_less( along[i], lowest[i].along ), along[i], p, index );
		box_keep( highest + i, lanes_less( highest[i].along, along[i] ), along[i], p, index );
	}
}

// Moments of the faces so far.
typedef struct box_moments
{
	lanes area;
	box_vec first;
	lanes second[6];
} box_moments;

// A face's second moments about the origin are A / 12 (sum p p^T + 9 m m^T), with the midpoint m of its
// corners p.
LANES_INLINE void box_add_face( box_moments* s, lanes_mask counts, box_vec a, box_vec b, box_vec c )
{
	box_vec u = box_sub( b, a );
	box_vec v = box_sub( c, a );
	box_vec n = box_cross( u, v );
	lanes longest = lanes_max( box_dot( u, u ), box_dot( v, v ) );
	lanes area =
		lanes_max( lanes_all( 0.5F ) * lanes_sqrt( box_dot( n, n ) ), lanes_all( box_least_area ) * longest );
	area = lanes_select( counts, area, lanes_all( 0 ) );
	box_vec m = { ( a.x + b.x ) + c.x, ( a.y + b.y ) + c.y, ( a.z + b.z ) + c.z }; // three times the midpoint
	lanes third = area * lanes_all( 1.0F / 3 );
	lanes twelfth = area * lanes_all( 1.0F / 12 );
	s->area = s->area + area;
	s->first = ( box_vec ){ s->first.x + third * m.x, s->first.y + third * m.y, s->first.z + third * m.z };
	s->second[0] = s->second[0] + twelfth * ( ( a.x * a.x + b.x * b.x ) + ( c.x * c.x + m.x * m.x ) );
	s->second[1] = s->second[1] + twelfth * ( ( a.x * a.y + b.x * b.y ) + ( c.x * c.y + m.x * m.y ) );
	s->second[2] = s->second[2] + twelfth * ( ( a.x * a.z + b.x * b.z ) + ( c.x * c.z + m.x * m.z ) );
	s->second[3] = s->second[3] + twelfth * ( ( a.y * a.y + b.y * b.y ) + ( c.y * c.y + m.y * m.y ) );
	s->second[4] = s->second[4] + twelfth * ( ( a.y * a.z + b.y * b.z ) + ( c.y * c.z + m.y * m.z ) );
	s->second[5] = s->second[5] + twelfth * ( ( a.z * a.z + b.z * b.z ) + ( c.z * c.z + m.z * m.z ) );
}

LANES_INLINE void box_add_lanes( const bvfit_box_sets* sets, uint32_t at, bvfit_box_sums* out )
{
	box_vec origin = box_load( sets->point[0], at );
	lanes along[bvfit_box_directions];
	box_extreme lowest[bvfit_box_directions];
	box_extreme highest[bvfit_box_directions];
	box_project( origin, along );
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		lowest[i] = highest[i] = ( box_extreme ){ along[i], origin, lanes_all( 0 ) };
	}
	lanes none = lanes_all( 0 );
	box_moments s = { none, { none, none, none }, { none, none, none, none, none, none } };
	lanes count = lanes_load( sets->count + at );
	for ( uint32_t i = 1; i < sets->points; ++i )
	{
		box_add_corner( lowest, highest, box_load( sets->point[i], at ), lanes_all( (float)i ) );
	}
	for ( uint32_t i = 0; i < sets->most; ++i )
	{
		box_vec a = box_load( sets->corner[3 * i], at );
		box_vec b = box_load( sets->corner[3 * i + 1], at );
		box_vec c = box_load( sets->corner[3 * i + 2], at );
		box_add_face( &s, lanes_less( lanes_all( (float)i ), count ), a, b, c );
	}
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		box_store( out->lowest[i], at, lowest[i].point );
		box_store( out->highest[i], at, highest[i].point );
		lanes_store( out->lowest_point[i] + at, lowest[i].index );
		lanes_store( out->highest_point[i] + at, highest[i].index );
	}
	lanes_store( out->area + at, s.area );
	box_store( out->first, at, s.first );
	for ( int i = 0; i < 6; ++i )
	{
		lanes_store( out->second[i] + at, s.second[i] );
	}
}

static void box_add( const bvfit_box_sets* sets, bvfit_box_sums* out )
{
	for ( uint32_t at = 0; at < bvfit_box_lanes; at += lanes_width )
	{
		box_add_lanes( sets, at, out );
	}
}

// One rotation of Jacobi's method: makes a_pq 0. `k` is the third index.
LANES_INLINE void box_rotate( lanes* app, lanes* aqq, lanes* apq, lanes* akp, lanes* akq, box_vec* vp,
                              box_vec* vq )
{
	lanes none = lanes_all( 0 );
	lanes one = lanes_all( 1 );
	lanes twice = *apq + *apq;
	lanes d = *aqq - *app;
	lanes below = lanes_abs( d ) + lanes_sqrt( d * d + twice * twice );
	lanes_mask some = lanes_less( none, below );
	lanes t = lanes_select( some, twice / lanes_select( some, below, one ), none );
	t = lanes_select( lanes_less( d, none ), none - t, t );
	lanes c = one / lanes_sqrt( t * t + one );
	lanes s = t * c;
	*app = *app - t * *apq;
	*aqq = *aqq + t * *apq;
	*apq = none;
	lanes kp = *akp;
	*akp = c * kp - s * *akq;
	*akq = s * kp + c * *akq;
	box_vec p = *vp;
	*vp = ( box_vec ){ c * p.x - s * vq->x, c * p.y - s * vq->y, c * p.z - s * vq->z };
	*vq = ( box_vec ){ s * p.x + c * vq->x, s * p.y + c * vq->y, s * p.z + c * vq->z };
}

// Convergence is quadratic: off the diagonal nothing is left that rounded frames show.
LANES_INLINE void box_principal_axes( const box_moments* s, box_vec axis[3] )
{
	enum
	{
		sweeps = 3,
	};
	lanes none = lanes_all( 0 );
	lanes one = lanes_all( 1 );
	lanes_mask some = lanes_less( none, s->area );
	lanes scale = lanes_select( some, one / lanes_select( some, s->area, one ), none );
	box_vec m = box_scale( scale, s->first );
	lanes xx = scale * s->second[0] - m.x * m.x;
	lanes xy = scale * s->second[1] - m.x * m.y;
	lanes xz = scale * s->second[2] - m.x * m.z;
	lanes yy = scale * s->second[3] - m.y * m.y;
	lanes yz = scale * s->second[4] - m.y * m.z;
	lanes zz = scale * s->second[5] - m.z * m.z;
	axis[0] = ( box_vec ){ one, none, none };
	axis[1] = ( box_vec ){ none, one, none };
	axis[2] = ( box_vec ){ none, none, one };
	for ( int i = 0; i < sweeps; ++i )
	{
		box_rotate( &xx, &yy, &xy, &xz, &yz, axis + 0, axis + 1 );
		box_rotate( &xx, &zz, &xz, &xy, &yz, axis + 0, axis + 2 );
		box_rotate( &yy, &zz, &yz, &xy, &xz, axis + 1, axis + 2 );
	}
	axis[2] = box_cross( axis[0], axis[1] );
}

enum
{
	box_selected = 2 * bvfit_box_directions,
	box_few =

		// points: around no more of them DiTO-14 with the mean normal finds smaller boxes than principal axes
		8,
};

// DiTO-14 so far: the selected points, and the best frame.
typedef struct box_search
{
	box_vec point[box_selected];
	uint32_t count; // of points
	lanes least;
	box_vec edge;
	box_vec normal;
} box_search;

LANES_INLINE lanes box_length_along( const box_search* s, box_vec axis )
{
	box_interval i = box_nothing();
	for ( uint32_t k = 0; k < s->count; ++k )
	{
		box_reach( &i, box_dot( axis, s->point[k] ) );
	}
	return box_length( i );
}

// A unit edge, and how long the points are along it.
typedef struct box_edge
{
	box_vec along;
	lanes length;
} box_edge;

LANES_INLINE box_edge box_edge_of( const box_search* s, box_vec from, box_vec to )
{
	box_vec along = box_unit( box_sub( to, from ) );
	return ( box_edge ){ along, box_length_along( s, along ) };
}

LANES_INLINE void box_try_edge( box_search* s, lanes_mask valid, const box_edge* edge, box_vec normal,
                                lanes height )
{
	lanes across = box_length_along( s, box_cross( normal, edge->along ) );
	lanes area = box_area( edge->length, across, height );
	lanes_mask better = lanes_both( valid, lanes_less( area, s->least ) );
	s->least = lanes_select( better, area, s->least );
	s->edge = box_select( better, edge->along, s->edge );
	s->normal = box_select( better, normal, s->normal );
}

// A side of one of the tetrahedra. Not inline: it is called seven times, and long.
static void box_try_side( box_search* s, lanes_mask valid, const box_edge* a, const box_edge* b,
                          const box_edge* c )
{
	box_vec normal = box_cross( a->along, b->along );
	valid = lanes_both( valid, lanes_less( lanes_all( box_flat * box_flat ), box_dot( normal, normal ) ) );
	normal = box_unit( normal );
	lanes height = box_length_along( s, normal );
	box_try_edge( s, valid, a, normal, height );
	box_try_edge( s, valid, b, normal, height );
	box_try_edge( s, valid, c, normal, height );
}

LANES_INLINE void box_find_base( const box_search* s, const bvfit_box_sums* sums, uint32_t at, box_vec origin,
                                 box_vec corner[3], lanes* length )
{
	lanes farthest = lanes_all( -1 );
	corner[0] = corner[1] = s->point[0];
	for ( int i = 0; i < bvfit_box_directions; ++i )
	{
		box_vec lowest = box_sub( box_load( sums->lowest[i], at ), origin );
		box_vec highest = box_sub( box_load( sums->highest[i], at ), origin );
		box_vec d = box_sub( highest, lowest );
		lanes square = box_dot( d, d );
		lanes_mask more = lanes_less( farthest, square );
		farthest = lanes_select( more, square, farthest );
		corner[0] = box_select( more, lowest, corner[0] );
		corner[1] = box_select( more, highest, corner[1] );
	}
	*length = lanes_sqrt( farthest );
	box_vec edge = box_unit( box_sub( corner[1], corner[0] ) );
	farthest = lanes_all( -1 );
	corner[2] = corner[1];
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		box_vec across = box_cross( edge, box_sub( s->point[i], corner[0] ) );
		lanes square = box_dot( across, across );
		lanes_mask more = lanes_less( farthest, square );
		farthest = lanes_select( more, square, farthest );
		corner[2] = box_select( more, s->point[i], corner[2] );
	}
}

LANES_INLINE void box_find_apexes( const box_search* s, box_vec start, box_vec normal, lanes height[2],
                                   box_vec apex[2] )
{
	height[0] = height[1] = lanes_all( 0 );
	apex[0] = apex[1] = start;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		lanes h = box_dot( normal, box_sub( s->point[i], start ) );
		lanes_mask below = lanes_less( h, height[0] );
		lanes_mask above = lanes_less( height[1], h );
		height[0] = lanes_select( below, h, height[0] );
		height[1] = lanes_select( above, h, height[1] );
		apex[0] = box_select( below, s->point[i], apex[0] );
		apex[1] = box_select( above, s->point[i], apex[1] );
	}
}

LANES_INLINE bool box_are_few( const bvfit_box_sets* sets )
{
	return sets && sets->points <= box_few;
}

LANES_INLINE void box_select_points( const bvfit_box_sets* sets, const bvfit_box_sums* sums, uint32_t at,
                                     box_vec origin, box_search* s )
{
	bool all = sets && sets->points <= box_selected;
	s->count = all ? sets->points : box_selected;
	for ( uint32_t i = 0; all && i < s->count; ++i )
	{
		s->point[i] = box_sub( box_load( sets->point[i], at ), origin );
	}
	for ( uint32_t i = 0; !all && i < bvfit_box_directions; ++i )
	{
		s->point[2 * i] = box_sub( box_load( sums->lowest[i], at ), origin );
		s->point[2 * i + 1] = box_sub( box_load( sums->highest[i], at ), origin );
	}
}

// A frame for a set on a line, until there is a better one; of a single point the coordinate axes.
LANES_INLINE void box_begin_search( box_search* s, box_vec along )
{
	lanes none = lanes_all( 0 );
	lanes one = lanes_all( 1 );
	box_vec x = { one, none, none };
	box_vec y = { none, one, none };
	box_vec z = { none, none, one };
	lanes_mask some = lanes_less( none, box_dot( along, along ) );
	lanes_mask upright = lanes_less( lanes_all( 0.5F ), lanes_abs( along.x ) );
	s->least = lanes_all( INFINITY );
	s->edge = box_select( some, along, x );
	s->normal = box_select( some, box_cross( along, box_select( upright, y, x ) ), z );
}

// Boxes that lie along the faces' mean normal, which no side of a tetrahedron has: thin ones around faces
// that are nearly flat.
LANES_INLINE void box_try_mean( box_search* s, const bvfit_box_sets* sets, uint32_t at,
                                const box_edge edge[3] )
{
	lanes none = lanes_all( 0 );
	lanes count = lanes_load( sets->count + at );
	box_vec sum = { none, none, none };
	for ( uint32_t i = 0; i < sets->most; ++i )
	{
		box_vec a = box_load( sets->corner[3 * i], at );
		box_vec u = box_sub( box_load( sets->corner[3 * i + 1], at ), a );
		box_vec v = box_sub( box_load( sets->corner[3 * i + 2], at ), a );
		box_vec n = box_cross( u, v );
		lanes_mask counts = lanes_less( lanes_all( (float)i ), count );
		sum = box_select( counts, ( box_vec ){ sum.x + n.x, sum.y + n.y, sum.z + n.z }, sum );
	}
	box_vec normal = box_unit( sum );
	lanes_mask valid = lanes_less( none, box_dot( normal, normal ) );
	lanes height = box_length_along( s, normal );
	for ( int i = 0; i < 3; ++i )
	{
		box_vec along = edge[i].along;
		along = box_unit( box_sub( along, box_scale( box_dot( along, normal ), normal ) ) );
		lanes_mask some = lanes_both( valid, lanes_less( none, box_dot( along, along ) ) );
		box_edge flat = { along, box_length_along( s, along ) };
		box_try_edge( s, some, &flat, normal, height );
	}
}

LANES_INLINE void box_dito_axes( const bvfit_box_sets* sets, const bvfit_box_sums* sums, uint32_t at,
                                 box_vec axis[3] )
{
	box_search s;
	box_vec origin = box_load( sums->lowest[0], at );
	box_select_points( sets, sums, at, origin, &s );
	box_vec corner[3];
	lanes length;
	box_find_base( &s, sums, at, origin, corner, &length );
	box_edge edge[3];
	for ( int i = 0; i < 3; ++i )
	{
		edge[i] = box_edge_of( &s, corner[i], corner[( i + 1 ) % 3] );
	}
	box_begin_search( &s, edge[0].along );
	box_try_side( &s, lanes_less( lanes_all( 0 ), length ), edge + 0, edge + 1, edge + 2 );
	if ( box_are_few( sets ) )
	{
		box_try_mean( &s, sets, at, edge );
	}
	lanes height[2];
	box_vec apex[2];
	box_find_apexes( &s, corner[0], box_unit( box_cross( edge[0].along, edge[1].along ) ), height, apex );
	for ( int i = 0; i < 2; ++i )
	{
		lanes least = lanes_all( box_flat ) * length;
		lanes_mask valid = lanes_less( least, lanes_abs( height[i] ) );
		if ( lanes_above( lanes_abs( height[i] ), least ) == 0 )
		{
			continue;
		}
		box_edge side[3];
		for ( int k = 0; k < 3; ++k )
		{
			side[k] = box_edge_of( &s, corner[k], apex[i] );
		}
		box_try_side( &s, valid, edge + 0, side + 0, side + 1 );
		box_try_side( &s, valid, edge + 1, side + 1, side + 2 );
		box_try_side( &s, valid, edge + 2, side + 2, side + 0 );
	}

	// At right angles up to the rounding of the normal, which is much for a sliver.
	axis[0] = s.edge;
	axis[2] = box_unit( box_sub( s.normal, box_scale( box_dot( s.edge, s.normal ), s.edge ) ) );
	axis[1] = box_cross( axis[2], axis[0] );
}

LANES_INLINE lanes box_part( box_vec v, int i )
{
	return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

// A box's frame is as good with its axes exchanged or reversed: of all these the one that is turned least.
// See least_turn in tree/snap_grid.c.
LANES_INLINE lanes box_least_turn( const box_vec axis[3], box_vec out[3] )
{
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
		                              { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	lanes none = lanes_all( 0 );
	lanes one = lanes_all( 1 );
	lanes minus = lanes_all( -1 );
	lanes most = lanes_all( -INFINITY );
	out[0] = axis[0];
	out[1] = axis[1];
	out[2] = axis[2];
	for ( int k = 0; k < 6; ++k )
	{
		const int* order = orders[k];
		lanes sign[3];
		lanes size[3];
		for ( int i = 0; i < 3; ++i )
		{
			lanes on = box_part( axis[order[i]], i );
			sign[i] = lanes_select( lanes_less( on, none ), minus, one );
			size[i] = lanes_abs( on );
		}
		lanes determinant = lanes_all( k < 3 ? 1 : -1 ) * ( sign[0] * sign[1] * sign[2] );
		lanes weakest = lanes_min( size[0], lanes_min( size[1], size[2] ) );
		lanes_mask odd = lanes_less( determinant, none );
		lanes trace = ( size[0] + size[1] ) + size[2];
		trace = lanes_select( odd, trace - ( weakest + weakest ), trace );
		lanes flip = lanes_select( odd, minus, one );
		lanes_mask third = lanes_less( size[2], lanes_min( size[0], size[1] ) );
		lanes_mask second = lanes_less( size[1], size[0] );
		lanes f2 = lanes_select( third, flip, one );
		lanes f1 = lanes_select( third, one, lanes_select( second, flip, one ) );
		lanes f0 = lanes_select( third, one, lanes_select( second, one, flip ) );
		lanes_mask better = lanes_less( most, trace );
		most = lanes_select( better, trace, most );
		out[0] = box_select( better, box_scale( sign[0] * f0, axis[order[0]] ), out[0] );
		out[1] = box_select( better, box_scale( sign[1] * f1, axis[order[1]] ), out[1] );
		out[2] = box_select( better, box_scale( sign[2] * f2, axis[order[2]] ), out[2] );
	}
	return most;
}

// To the nearest whole number, ties to even: of numbers below 2^22.
LANES_INLINE lanes box_round( lanes x )
{
	lanes magic = lanes_all( 0x1.8p23F );
	return ( x + magic ) - magic;
}

LANES_INLINE lanes box_code( lanes part, lanes scale )
{
	lanes code = box_round( part * scale );
	lanes most = lanes_all( bvfile_rotation_bias - 1 );
	return lanes_max( lanes_min( code, most ), lanes_all( 1 - bvfile_rotation_bias ) ) + lanes_all( 0 );
}

// The rounded rotation that is nearest to a frame, and the axes that it decodes to, as bvvol_obb_unpack_to
// does.
LANES_INLINE void box_settle( const box_vec axis[3], uint32_t at, bvfit_box_lane code[3],
                              bvfit_box_lane ( *decoded )[3] )
{
	box_vec a[3];
	lanes trace = box_least_turn( axis, a );
	lanes one = lanes_all( 1 );
	lanes w = lanes_all( bvfile_rotation_w );
	lanes scale = w / ( one + trace );
	lanes x = box_code( a[1].z - a[2].y, scale );
	lanes y = box_code( a[2].x - a[0].z, scale );
	lanes z = box_code( a[0].y - a[1].x, scale );
	lanes s = lanes_all( 2 ) / ( ( x * x + y * y ) + ( z * z + w * w ) );
	box_store( code, at, ( box_vec ){ x, y, z } );
	box_store( decoded[0], at,
	           ( box_vec ){ one - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) } );
	box_store( decoded[1], at,
	           ( box_vec ){ s * ( x * y - w * z ), one - s * ( x * x + z * z ), s * ( y * z + w * x ) } );
	box_store( decoded[2], at,
	           ( box_vec ){ s * ( x * z + w * y ), s * ( y * z - w * x ), one - s * ( x * x + y * y ) } );
}

LANES_INLINE void box_load_moments( const bvfit_box_sums* sums, uint32_t at, box_moments* out )
{
	out->area = lanes_load( sums->area + at );
	out->first = box_load( sums->first, at );
	for ( int i = 0; i < 6; ++i )
	{
		out->second[i] = lanes_load( sums->second[i] + at );
	}
}

static void box_turn( const bvfit_box_sets* sets, const bvfit_box_sums* sums, bvfit_box_turns* out )
{
	out->first = box_are_few( sets ) ? 1 : 0;
	for ( uint32_t at = 0; at < bvfit_box_lanes; at += lanes_width )
	{
		box_vec axis[3];
		if ( out->first == 0 )
		{
			box_moments s;
			box_load_moments( sums, at, &s );
			box_principal_axes( &s, axis );
			box_settle( axis, at, out->code[0], out->axis );
		}
		box_dito_axes( sets, sums, at, axis );
		box_settle( axis, at, out->code[1], out->axis + 3 );
	}
}

LANES_INLINE void box_choose_lanes( const bvfit_box_sets* sets, const bvfit_box_sums* sums,
                                    const bvfit_box_turns* turns, uint32_t at, bvfit_box_spans* out )
{
	box_interval best[3];
	lanes none = lanes_all( 0 );
	lanes one = lanes_all( 1 );
	box_vec code = { none, none, none };
	box_vec axis[3] = { { one, none, none }, { none, one, none }, { none, none, one } };
	for ( int i = 0; i < 3; ++i )
	{
		best[i] =
			( box_interval ){ lanes_load( sums->lowest[i][i] + at ), lanes_load( sums->highest[i][i] + at ) };
	}
	lanes least = box_area( box_length( best[0] ), box_length( best[1] ), box_length( best[2] ) );
	for ( uint32_t f = turns->first; f < bvfit_box_frames; ++f )
	{
		box_interval found[3];
		for ( uint32_t i = 0; i < 3; ++i )
		{
			box_vec along = box_load( turns->axis[3 * f + i], at );
			found[i] = box_nothing();
			for ( uint32_t k = 0; k < sets->points; ++k )
			{
				box_reach( found + i, box_dot( along, box_load( sets->point[k], at ) ) );
			}
		}
		lanes area = box_area( box_length( found[0] ), box_length( found[1] ), box_length( found[2] ) );
		lanes_mask better = lanes_less( area, least );
		least = lanes_select( better, area, least );
		code = box_select( better, box_load( turns->code[f], at ), code );
		for ( uint32_t i = 0; i < 3; ++i )
		{
			best[i].lower = lanes_select( better, found[i].lower, best[i].lower );
			best[i].upper = lanes_select( better, found[i].upper, best[i].upper );
			axis[i] = box_select( better, box_load( turns->axis[3 * f + i], at ), axis[i] );
		}
	}
	lanes half = lanes_all( 0.5F );
	box_vec center = { none, none, none };
	for ( int i = 0; i < 3; ++i )
	{
		box_vec along = box_scale( half * ( best[i].lower + best[i].upper ), axis[i] );
		center = ( box_vec ){ center.x + along.x, center.y + along.y, center.z + along.z };
		lanes_store( out->half[i] + at, half * ( best[i].upper - best[i].lower ) );
	}
	box_store( out->center, at, center );
	box_store( out->code, at, code );
}

static void box_choose( const bvfit_box_sets* sets, const bvfit_box_sums* sums, const bvfit_box_turns* turns,
                        bvfit_box_spans* out )
{
	for ( uint32_t at = 0; at < bvfit_box_lanes; at += lanes_width )
	{
		box_choose_lanes( sets, sums, turns, at, out );
	}
}

// The least and the greatest of all lanes are the same in whatever order they are asked.
LANES_INLINE void box_reach_all( box_interval i, float* lower, float* upper )
{
	float all[2][lanes_width];
	lanes_store( all[0], i.lower );
	lanes_store( all[1], i.upper );
	for ( uint32_t k = 0; k < lanes_width; ++k )
	{
		*lower = all[0][k] < *lower ? all[0][k] : *lower;
		*upper = all[1][k] > *upper ? all[1][k] : *upper;
	}
}

// Along the three axes of a frame at once, so that each point is loaded but once for them.
LANES_INLINE void box_measure_frame( const float* const points[3], uint32_t count, const float axes[9],
                                     float lower[3], float upper[3] )
{
	box_interval found[3] = { box_nothing(), box_nothing(), box_nothing() };
	for ( uint32_t k = 0; k < count; k += lanes_width )
	{
		// The last lanes may look at points for the second time.
		uint32_t at = k + lanes_width <= count ? k : count - lanes_width;
		box_vec p = { lanes_load( points[0] + at ), lanes_load( points[1] + at ),
			          lanes_load( points[2] + at ) };
		for ( int i = 0; i < 3; ++i )
		{
			box_vec axis = { lanes_all( axes[3 * i] ), lanes_all( axes[3 * i + 1] ),
				             lanes_all( axes[3 * i + 2] ) };
			box_reach( found + i, box_dot( axis, p ) );
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		box_reach_all( found[i], lower + i, upper + i );
	}
}

static void box_measure( const float* const points[3], uint32_t count,
                         const float axes[3 * bvfit_box_measures], float lower[bvfit_box_measures],
                         float upper[bvfit_box_measures] )
{
	for ( int f = 0; f < bvfit_box_frames; ++f )
	{
		box_measure_frame( points, count, axes + 9 * f, lower + 3 * f, upper + 3 * f );
	}
}

static const bvfit_box_level box_level = {
	.name = LANES_LEVEL,
	.add = box_add,
	.turn = box_turn,
	.choose = box_choose,
	.measure = box_measure,
};
