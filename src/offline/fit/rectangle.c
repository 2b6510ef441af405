// Least rectangles. A least rectangle has a side on an edge of the hull (Freeman, Shapira 1975); rotating
// calipers (Toussaint 1983) find the points on the other three sides for all edges in one turn. The hull is
// found by Andrew's monotone chain (1979) with exact decisions, so that its edges turn one way only and the
// calipers never go back.
//
// Of a triangle's edges it is the longest.

#include "offline/fit/rectangle.h"

#include "offline/base/arena.h"
#include "offline/fit/obb.h"

#include <math.h>
#include <string.h>

enum
{
	short_run = 8, // sorted by insertion
};

static bool before( bvbase_vec2 a, bvbase_vec2 b )
{
	return a.u < b.u || ( a.u == b.u && a.v < b.v );
}

static void sort_run( bvbase_vec2* at, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvbase_vec2 p = at[i];
		uint32_t k = i;
		for ( ; k > 0 && before( p, at[k - 1] ); --k )
		{
			at[k] = at[k - 1];
		}
		at[k] = p;
	}
}

static void merge( const bvbase_vec2* left, uint32_t left_count, const bvbase_vec2* right,
                   uint32_t right_count, bvbase_vec2* out )
{
	uint32_t i = 0;
	uint32_t k = 0;
	while ( i < left_count && k < right_count )
	{
		*out++ = before( right[k], left[i] ) ? right[k++] : left[i++];
	}
	memcpy( out, left + i, ( left_count - i ) * sizeof *out );
	memcpy( out + ( left_count - i ), right + k, ( right_count - k ) * sizeof *out );
}

// Merge sort from short runs up; qsort may allocate.
static void sort( bvbase_vec2* at, uint32_t count, bvbase_vec2* work )
{
	for ( uint32_t i = 0; i < count; i += short_run )
	{
		sort_run( at + i, count - i < short_run ? count - i : short_run );
	}
	bvbase_vec2* from = at;
	bvbase_vec2* to = work;
	for ( uint64_t run = short_run; run < count; run *= 2 )
	{
		for ( uint64_t i = 0; i < count; i += 2 * run )
		{
			uint64_t middle = i + run < count ? i + run : count;
			uint64_t end = i + 2 * run < count ? i + 2 * run : count;
			merge( from + i, (uint32_t)( middle - i ), from + middle, (uint32_t)( end - middle ), to + i );
		}
		bvbase_vec2* other = from;
		from = to;
		to = other;
	}
	if ( from != at )
	{
		memcpy( at, from, count * sizeof *at );
	}
}

// Extends a convex chain from `chain[base]` by `p`, which comes after all of it in order.
static uint32_t extend_chain( bvbase_vec2* chain, uint32_t base, uint32_t length, bvbase_vec2 p )
{
	while ( length >= base + 2 && bvbase_orient2d( chain[length - 2], chain[length - 1], p ) <= 0 )
	{
		--length;
	}
	chain[length] = p;
	return length + 1;
}

uint32_t bvfit_convex_ring( bvbase_vec2* at, uint32_t count, bvbase_vec2* chain )
{
	sort( at, count, chain );
	uint32_t corners = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		// Equal points would end a chain in an edge without direction.
		if ( i == 0 || at[i].u != at[i - 1].u || at[i].v != at[i - 1].v )
		{
			corners = extend_chain( chain, 0, corners, at[i] );
		}
	}
	uint32_t turning_point = corners - 1;
	for ( uint32_t i = count - 1; i-- > 0; )
	{
		if ( at[i].u != at[i + 1].u || at[i].v != at[i + 1].v )
		{
			corners = extend_chain( chain, turning_point, corners, at[i] );
		}
	}
	return corners > 1 ? corners - 1 : 1;
}

static bvbase_vec2 subtract( bvbase_vec2 a, bvbase_vec2 b )
{
	return ( bvbase_vec2 ){ a.u - b.u, a.v - b.v };
}

static double dot( bvbase_vec2 a, bvbase_vec2 b )
{
	return a.u * b.u + a.v * b.v;
}

static bvbase_vec2 turn_left( bvbase_vec2 a )
{
	return ( bvbase_vec2 ){ -a.v, a.u };
}

// Corners past the end are those at the beginning again.
static uint32_t wrap( uint32_t i, uint32_t count )
{
	return i < count ? i : i - count;
}

// Goes on from corner `i` while the next one is farther in a direction, but not past `last`.
static uint32_t climb( const bvbase_vec2* corner, uint32_t count, uint32_t i, uint32_t last,
                       bvbase_vec2 direction )
{
	while ( i < last &&
	        dot( direction, subtract( corner[wrap( i + 1, count )], corner[wrap( i, count )] ) ) > 0 )
	{
		++i;
	}
	return i;
}

static void measure( const bvbase_vec2* corner, uint32_t count, bvfit_rectangle* r )
{
	bvbase_vec2 up = turn_left( r->side );
	double lower[2] = { 0, 0 };
	double upper[2] = { 0, 0 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvbase_vec2 d = subtract( corner[i], corner[0] );
		double along = dot( r->side, d );
		double across = dot( up, d );
		lower[0] = bvmath_min( lower[0], along );
		upper[0] = bvmath_max( upper[0], along );
		lower[1] = bvmath_min( lower[1], across );
		upper[1] = bvmath_max( upper[1], across );
	}
	r->size[0] = upper[0] - lower[0];
	r->size[1] = upper[1] - lower[1];
}

// The best rectangle with a side on an edge of the points' hull, which is the least one in area.
// @param at      at least one point; on return they are sorted
// @param work    room for count + 1 more
// @param height  a box of this height over the rectangle is what the objective is asked of
static bvfit_rectangle rectangle_fit( bvbase_vec2* at, uint32_t count, bvbase_vec2* work, double height,
                                      bvb_box_objective objective )
{
	const bvbase_vec2* corner = work;
	uint32_t corners = bvfit_convex_ring( at, count, work );
	bvfit_rectangle best = { .side = { 1, 0 } };
	bvfit_box_cost least = { 0, 0, 0 };
	uint32_t right = 0;
	uint32_t top = 0;
	uint32_t left = 0;
	for ( uint32_t i = 0; corners > 1 && i < corners; ++i )
	{
		bvbase_vec2 edge = subtract( corner[wrap( i + 1, corners )], corner[i] );
		double scale = 1 / sqrt( dot( edge, edge ) );
		bvbase_vec2 side = { scale * edge.u, scale * edge.v };
		bvbase_vec2 up = turn_left( side );
		uint32_t last = i + corners;
		right = climb( corner, corners, right > i ? right : i, last, side );
		top = climb( corner, corners, top > right ? top : right, last, up );
		left = climb( corner, corners, left > top ? left : top, last, ( bvbase_vec2 ){ -side.u, -side.v } );
		double length[3] = {
			dot( side, subtract( corner[wrap( right, corners )], corner[wrap( left, corners )] ) ),
			dot( up, subtract( corner[wrap( top, corners )], corner[i] ) ),
			height,
		};
		bvfit_box_cost cost = bvfit_box_cost_of( length, objective );
		if ( i == 0 || bvfit_box_cost_less( cost, least ) )
		{
			least = cost;
			best.side = side;
		}
	}
	measure( corner, corners, &best );
	return best;
}

// Any unit vector at right angles to a unit vector.
static bv_vec3 perpendicular( bv_vec3 v )
{
	// Crossed with the coordinate axis it is farthest from, so that the product is not small.
	double x = fabs( v.x );
	double y = fabs( v.y );
	double z = fabs( v.z );
	bv_vec3 axis = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
	bv_vec3 p = bv_cross( v, axis );
	return bv_scale( 1 / sqrt( bv_dot( p, p ) ), p );
}

// What is seen along axis[2], in the plane of axis[0] and axis[1].
static void project( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], bvbase_vec2* out )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], points[0] );
		double u = bv_dot( axis[0], d );
		double v = bv_dot( axis[1], d );

		// So small beside the largest it is nothing, and products of the lowest bits must not underflow.
		out[i] = ( bvbase_vec2 ){ fabs( u ) < 0x1p-300 ? 0 : u, fabs( v ) < 0x1p-300 ? 0 : v };
	}
}

static double extent_along( const bv_vec3* points, uint32_t count, bv_vec3 direction )
{
	double lower = 0;
	double upper = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		double p = bv_dot( direction, bv_sub( points[i], points[0] ) );
		lower = bvmath_min( lower, p );
		upper = bvmath_max( upper, p );
	}
	return upper - lower;
}

static bvfit_rectangle turn( const bv_vec3* points, uint32_t count, bvbase_vec2* work, double height,
                             bvb_box_objective objective, bv_vec3 axis[3] )
{
	axis[0] = perpendicular( axis[2] );
	axis[1] = bv_cross( axis[2], axis[0] );
	project( points, count, axis, work );
	bvfit_rectangle r = rectangle_fit( work, count, work + count, height, objective );
	axis[0] = bv_add( bv_scale( r.side.u, axis[0] ), bv_scale( r.side.v, axis[1] ) );
	axis[1] = bv_cross( axis[2], axis[0] );
	return r;
}

bvfit_box_cost bvfit_rectangle_turn( const bv_vec3* points, uint32_t count, bvbase_vec2* work,
                                     bvb_box_objective objective, bv_vec3 axis[3] )
{
	double height = extent_along( points, count, axis[2] );
	bvfit_rectangle r = turn( points, count, work, height, objective, axis );
	return bvfit_box_cost_of( ( double[3] ){ r.size[0], r.size[1], height }, objective );
}

bv_status bvfit_fit_rectangle( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_vec3 axis[3],
                               double size[2] )
{
	bvbase_vec2* work = bvb_arena_allocate( scratch, 2 * (size_t)count + 1, sizeof *work );
	if ( !work )
	{
		return bv_error_memory;
	}
	// The box of no height has the rectangle's area.
	bvfit_rectangle r = turn( points, count, work, 0, bvb_box_volume, axis );
	size[0] = r.size[0];
	size[1] = r.size[1];
	return bv_ok;
}

void bvfit_triangle_axes( const bv_vec3 corner[3], bv_vec3 axis[3] )
{
	bv_vec3 edge[3];
	double length[3];
	int longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		edge[i] = bv_sub( corner[( i + 1 ) % 3], corner[i] );
		length[i] = bv_dot( edge[i], edge[i] );
		longest = length[i] > length[longest] ? i : longest;
	}
	if ( length[longest] == 0 )
	{
		axis[0] = ( bv_vec3 ){ 1, 0, 0 };
		axis[1] = ( bv_vec3 ){ 0, 1, 0 };
		axis[2] = ( bv_vec3 ){ 0, 0, 1 };
		return;
	}
	axis[0] = bv_scale( 1 / sqrt( length[longest] ), edge[longest] );
	bv_vec3 normal = bv_cross( axis[0], edge[( longest + 1 ) % 3] );
	double height = sqrt( bv_dot( normal, normal ) );

	// A sliver's normal may be mere rounding and lie along the edge: what is at right angles to the edge
	// counts.
	axis[2] = height > 0 ? bv_scale( 1 / height, normal ) : axis[0];
	axis[2] = bv_sub( axis[2], bv_scale( bv_dot( axis[0], axis[2] ), axis[0] ) );
	double rest = sqrt( bv_dot( axis[2], axis[2] ) );
	axis[2] = rest > 0.5 ? bv_scale( 1 / rest, axis[2] ) : perpendicular( axis[0] );
	axis[1] = bv_cross( axis[2], axis[0] );
}
