// Balls of translations that certainly do not separate two solids.
//
// Let a ball around c of radius r be inside of a, and one around d of radius s inside of b. The two have a common point after each
// translation of b that is closer to c - d than r + s. So has a point of a surface with a ball: its radius is 0. For a given
// translation the largest such ball is where the sum of both depths of a point is largest. This sum is climbed by steps along
// its gradient. A step that does not get higher is halved, and the direction of the next one is the shortest vector between the last
// direction and the gradient where the step ended: near a ridge, where the nearest point of a surface changes, this
// leads along the ridge (P. Wolfe, "A method of conjugate subgradients for minimizing nondifferentiable functions", 1975).

#include "runtime/depth/query.h"

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/walk.h"

enum
{
	most_steps = 24,
};

// A point, and how deep it is in both solids.
typedef struct spot
{
	bv_vec3 x;        // in stored coordinates of a
	bv_vec3 point[2]; // the same in those of each mesh
	bvdepth_look look[2];
	double inside[2]; // radii of free balls inside, in coordinates of a
	bool is_valid;    // it is inside of both
	double value;     // the sum of these radii; unless it is valid, less than 0: how far it is outside
	bv_vec3 gradient;
} spot;

// In coordinates of a, not quite of unit length.
static bv_vec3 gradient_of( const bvdepth_query* q, int which, const spot* s )
{
	bv_vec3 away = bv_normalize( bv_sub( s->point[which], s->look[which].nearest ) );
	away = which == 0 ? away : bvmath_times( &q->placed.turn, away );
	return s->look[which].side == bv_side_inside ? away : bv_scale( -1, away );
}

static void measure( bvdepth_query* q, int which, spot* s )
{
	bvdepth_measure( q->solid + which, s->point[which], q->triangle[which], bvdepth_own_error( q, which ),
	                 s->look + which, &q->tests );
	q->triangle[which] = s->look[which].triangle;
}

// A surface without an inside keeps the point on it.
static void project( bvdepth_query* q, int which, bv_vec3 by, spot* s )
{
	s->point[which] = bvdepth_to_own( q, which, by, s->x );
	measure( q, which, s );
	s->point[which] = s->look[which].nearest;
	s->x = bvdepth_from_own( q, which, by, s->point[which] );
}

// @param before  a point nearby, which tells the side if its ball contains this one; null for none
static void look_inside( bvdepth_query* q, int which, bv_vec3 by, const spot* before, spot* s )
{
	bvdepth_look* look = s->look + which;
	s->point[which] = bvdepth_to_own( q, which, by, s->x );
	measure( q, which, s );
	const bvdepth_look* known = before ? before->look + which : NULL;
	if ( known && known->side == bv_side_inside && look->distance > look->error &&
	     bvmath_length_up( bv_sub( s->point[which], before->point[which] ) ) <
	         known->distance - 2 * known->error )
	{
		look->side = bv_side_inside;
		return;
	}
	bvdepth_find_side( q->solid + which, s->point[which], look, &q->tests );
}

static void look_at( bvdepth_query* q, bv_vec3 by, bv_vec3 x, const spot* before, spot* out )
{
	double deepest = -INFINITY; // how far outside, of the mesh that it is farthest outside of
	double unit[2] = { 1, q->keep };
	out->x = x;
	out->is_valid = true;
	out->value = 0;
	out->gradient = ( bv_vec3 ){ 0, 0, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		out->inside[i] = 0;
		if ( !q->solid[i].closed )
		{
			project( q, i, by, out );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		if ( !q->solid[i].closed )
		{
			continue;
		}
		look_inside( q, i, by, before, out );
		const bvdepth_look* look = out->look + i;
		bv_vec3 gradient = gradient_of( q, i, out );
		if ( look->side == bv_side_inside && look->distance > look->error )
		{
			out->inside[i] = ( look->distance - look->error ) * unit[i];
			out->value += out->is_valid ? out->inside[i] : 0;
			out->gradient = out->is_valid ? bv_add( out->gradient, gradient ) : out->gradient;
			continue;
		}
		double away = ( look->distance + look->error ) * q->placed.scale;
		away = i == 0 ? look->distance + look->error : away;
		if ( away > deepest )
		{
			deepest = away;
			out->value = -away;
			out->gradient = gradient;
		}
		out->is_valid = false;
	}
}

// The vector nearest to 0 between two.
static bv_vec3 shortest_between( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( b, a );
	double square = bv_dot( d, d );
	double at = square > 0 ? -bv_dot( a, d ) / square : 0;
	at = bvmath_max( 0, bvmath_min( 1, at ) );
	return bv_add( a, bv_scale( at, d ) );
}

static void make_cover( const bvdepth_query* q, const spot* s, bvdepth_cover* out )
{
	bv_vec3 b = bvdepth_from_own( q, 1, ( bv_vec3 ){ 0, 0, 0 }, s->point[1] );
	out->center = bv_sub( s->point[0], b );
	double sum = ( s->inside[0] + s->inside[1] ) * ( 1 - 0x1p-48 ) - 2 * q->error;
	out->radius = s->is_valid && sum > 0 ? sum : 0;
	for ( int i = 0; i < 2; ++i )
	{
		out->point[i] = s->point[i];
		out->inside[i] = s->inside[i];
	}
}

// The points where edges of a triangle cross another one, added to a segment that contains all of them.
static void add_crossings( const bv_vec3 edges[3], const bv_vec3 face[3], bv_vec3 segment[2], int* count )
{
	bv_vec3 n = bvtree_normal_of( face );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 from = edges[i];
		bv_vec3 to = edges[( i + 1 ) % 3];
		double d = bv_dot( n, bv_sub( from, face[0] ) );
		double e = bv_dot( n, bv_sub( to, face[0] ) );
		if ( !( ( d <= 0 && e > 0 ) || ( e <= 0 && d > 0 ) ) )
		{
			continue;
		}
		bv_vec3 x = bv_add( from, bv_scale( d / ( d - e ), bv_sub( to, from ) ) );
		bool is_in = true;
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 side = bv_sub( face[( k + 1 ) % 3], face[k] );
			is_in = is_in && bv_dot( bv_cross( side, bv_sub( x, face[k] ) ), n ) >= 0;
		}
		if ( is_in )
		{
			segment[*count > 0] = x;
			*count += 1;
		}
	}
}

// The middle of what the boxes of both triangles have in common, where none of their edges crosses the other one.
static bv_vec3 middle_of_boxes( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	bv_vec3 lower = bvmath_greatest( bvmath_least( a[0], bvmath_least( a[1], a[2] ) ),
	                                 bvmath_least( b[0], bvmath_least( b[1], b[2] ) ) );
	bv_vec3 upper = bvmath_least( bvmath_greatest( a[0], bvmath_greatest( a[1], a[2] ) ),
	                              bvmath_greatest( b[0], bvmath_greatest( b[1], b[2] ) ) );
	return bv_scale( 0.5, bv_add( lower, upper ) );
}

// Behind the fronts of both triangles, or in front of them: nearer and nearer to where they cross.
static bool begin_inside( bvdepth_query* q, bv_vec3 by, const uint32_t pair[2], spot* out )
{
	bv_vec3 corner[2][3];
	bv_vec3 normal[2];
	bv_vec3 segment[2];
	int count = 0;
	for ( int i = 0; i < 2; ++i )
	{
		bvtree_walk_corners( &q->solid[i].batch.view, pair[i], corner[i] );
		for ( int k = 0; k < 3; ++k )
		{
			corner[i][k] = bvdepth_from_own( q, i, by, corner[i][k] );
		}
		normal[i] = bv_normalize( bvtree_normal_of( corner[i] ) );
	}
	normal[1] = q->given.mirror ? bv_scale( -1, normal[1] ) : normal[1];
	add_crossings( corner[0], corner[1], segment, &count );
	add_crossings( corner[1], corner[0], segment, &count );
	bv_vec3 middle = count > 1 ? bv_scale( 0.5, bv_add( segment[0], segment[1] ) )
	                           : middle_of_boxes( corner[0], corner[1] );
	bv_vec3 along = bv_scale( -1, bv_add( normal[0], normal[1] ) );
	double length = bvmath_length( along );
	double step = count > 1 ? bvmath_length( bv_sub( segment[1], segment[0] ) ) : 0;
	step = step > 0 ? 0.5 * step : 0x1p-4 * q->size;
	for ( int i = 0; i < 8 && length > 0x1p-10 && !bvdepth_is_over( q ); ++i )
	{
		double at = ( i % 2 == 0 ? step : -step ) / length;
		look_at( q, by, bv_add( middle, bv_scale( at, along ) ), NULL, out );
		if ( out->is_valid )
		{
			return true;
		}
		step *= i % 2 == 0 ? 1 : 0.125;
	}
	return false;
}

BVSIMD_NOINLINE bool climb_from( bvdepth_query* q, bv_vec3 by, double enough, const spot* begin,
                                 bvdepth_cover* out )
{
	spot now = *begin;
	spot next;
	bv_vec3 along = now.gradient;
	double least = 0x1p-24 * q->size;
	double step = now.is_valid ? bvmath_max( 0.5 * now.value, bvmath_max( 0.1 * enough, least ) )
	                           : 1.25 * -now.value + least;
	for ( int i = 0; i < most_steps && !bvdepth_is_over( q ); ++i )
	{
		double length = bvmath_length( along );
		if ( ( now.is_valid && now.value - 2 * q->error >= enough ) || !( length > 0x1p-5 ) ||
		     !( step > 0x1p-6 * fabs( now.value ) ) )
		{
			break;
		}
		look_at( q, by, bv_add( now.x, bv_scale( step / length, along ) ), &now, &next );
		if ( next.value > now.value )
		{
			step = now.is_valid    ? 1.5 * step
			       : next.is_valid ? bvmath_max( step, 0.1 * enough )
			                       : 1.25 * -next.value + least;
			now = next;
			along = now.gradient;
		}
		else
		{
			step *= 0.5;
			along = shortest_between( along, next.gradient );
		}
	}
	make_cover( q, &now, out );
	return out->radius > 0;
}

bool bvdepth_climb( bvdepth_query* q, bv_vec3 by, bv_vec3 from, double enough, bvdepth_cover* out )
{
	spot begin;
	look_at( q, by, from, NULL, &begin );
	return climb_from( q, by, enough, &begin, out );
}

bool bvdepth_climb_from_pair( bvdepth_query* q, bv_vec3 by, const uint32_t pair[2], double enough,
                              bvdepth_cover* out )
{
	spot begin;
	return begin_inside( q, by, pair, &begin ) && climb_from( q, by, enough, &begin, out );
}
