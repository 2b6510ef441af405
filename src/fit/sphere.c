// The least enclosing ball, rounded outwards to binary32.
//
// Welzl 1991, "Smallest enclosing disks (balls and ellipsoids)": the ball is that of at most four of the
// points, its support, and a point outside of it belongs to the support of the larger set. The next such
// point is the farthest (Gärtner 1999, "Fast and robust smallest enclosing balls", section 3) and moves to
// the front. Of the support and that point, at most five, the ball is found by trying all their subsets,
// which is what Welzl's recursion does in another order: here the best candidate is the centre whose farthest
// point is nearest. That needs no test for degenerate sets and no tolerance, since a centre spoilt by
// rounding only loses.

#include "base/core/reach.h"
#include "base/core/round.h"
#include "base/core/vec.h"
#include "base/offline/error.h"
#include "bvbuild/fit.h"

#include <math.h>

enum
{
	support_most = 4,
	patience = 16,      // rounds without progress, which only rounding causes
	most_rounds = 1000, // far beyond what occurs; stopping early costs size, not enclosure
};

// Points that a ball is the least one of, and its centre.
typedef struct ball
{
	bv_vec3 support[support_most];
	int count;
	bv_vec3 center;
	double squared; // radius
} ball;

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

// The point that is equally far from all `count` points and in their affine hull, as the solution of dot(
// e_i, x ) = |e_i|^2 / 2 with e_i = p_i - p_0 by Cramer's rule. Not finite when they are not independent.
static bv_vec3 circumcenter( const bv_vec3* p, int count )
{
	if ( count == 1 )
	{
		return p[0];
	}
	bv_vec3 u = bv_sub( p[1], p[0] );
	if ( count == 2 )
	{
		return bv_add( p[0], bv_scale( 0.5, u ) );
	}
	bv_vec3 v = bv_sub( p[2], p[0] );
	bv_vec3 n = bv_cross( u, v );
	double uu = bv_dot( u, u );
	double vv = bv_dot( v, v );
	if ( count == 3 )
	{
		bv_vec3 sum = bv_add( bv_scale( uu, bv_cross( v, n ) ), bv_scale( vv, bv_cross( n, u ) ) );
		return bv_add( p[0], bv_scale( 0.5 / bv_dot( n, n ), sum ) );
	}
	bv_vec3 w = bv_sub( p[3], p[0] );
	bv_vec3 sum = bv_add( bv_add( bv_scale( uu, bv_cross( v, w ) ), bv_scale( vv, bv_cross( w, u ) ) ),
	                      bv_scale( bv_dot( w, w ), n ) );
	return bv_add( p[0], bv_scale( 0.5 / bv_dot( n, w ), sum ) );
}

// The least ball of a support and one point outside of it, which is on the new ball.
static ball least_ball( const ball* old, bv_vec3 pivot )
{
	ball best = { .count = 0 };
	for ( unsigned subset = 0; subset < 1u << old->count; ++subset )
	{
		// Five points are one too many: the ball of some four of them is the least one of all.
		if ( subset == ( 1u << support_most ) - 1 )
		{
			continue;
		}
		ball candidate = { .support = { pivot }, .count = 1 };
		for ( int i = 0; i < old->count; ++i )
		{
			if ( subset >> i & 1 )
			{
				candidate.support[candidate.count++] = old->support[i];
			}
		}
		candidate.center = circumcenter( candidate.support, candidate.count );
		candidate.squared = squared_distance( pivot, candidate.center );
		for ( int i = 0; i < old->count; ++i )
		{
			candidate.squared =
				fmax( candidate.squared, squared_distance( old->support[i], candidate.center ) );
		}

		// fmax hides a NaN, but never that of the centre itself.
		if ( isfinite( bv_norm1( candidate.center ) ) &&
		     ( best.count == 0 || candidate.squared < best.squared ) )
		{
			best = candidate;
		}
	}
	return best;
}

// @return the index of the farthest point; the first in order of several
static uint32_t find_farthest( const bv_vec3* point, uint32_t count, bv_vec3 center, double* squared )
{
	uint32_t farthest = 0;
	*squared = -1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double s = squared_distance( point[i], center );
		if ( s > *squared )
		{
			*squared = s;
			farthest = i;
		}
	}
	return farthest;
}

// @return the best centre met: the one whose farthest point is nearest
static bv_vec3 find_center( bv_vec3* point, uint32_t count )
{
	ball current = { .support = { point[0] }, .count = 1, .center = point[0] };
	bv_vec3 best = point[0];
	double best_squared = INFINITY;
	double largest_squared = 0;

	// The radius grows from round to round, except where the growth is below rounding: a point that is
	// outside by a share e of the radius makes it grow by as little as e^2 / 2.
	int stalled = 0;
	for ( int round = 0; round < most_rounds && stalled < patience; ++round )
	{
		double squared;
		uint32_t pivot = find_farthest( point, count, current.center, &squared );
		bool progress = squared < best_squared || current.squared > largest_squared;
		stalled = progress ? 0 : stalled + 1;
		largest_squared = fmax( largest_squared, current.squared );
		if ( squared < best_squared )
		{
			best_squared = squared;
			best = current.center;
		}
		if ( squared <= current.squared )
		{
			break;
		}
		bv_vec3 p = point[pivot];
		point[pivot] = point[0];
		point[0] = p;
		current = least_ball( &current, p );
	}
	return best;
}

// A copy around the first point, with the largest coordinate near 1.
static void localise( const bv_vec3* points, uint32_t count, bv_vec3* out, int* exponent )
{
	double largest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = bv_sub( points[i], points[0] );
		largest = fmax( largest, fmax( fabs( out[i].x ), fmax( fabs( out[i].y ), fabs( out[i].z ) ) ) );
	}
	frexp( largest, exponent );
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = ( bv_vec3 ){ ldexp( out[i].x, -*exponent ), ldexp( out[i].y, -*exponent ),
			                  ldexp( out[i].z, -*exponent ) };
	}
}

bv_status bvb_fit_sphere( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bv_sphere* out )
{
	*out = ( bv_sphere ){ 0 };
	if ( count == 0 )
	{
		return bv_error_argument;
	}
	bv_vec3* point = bvb_arena_allocate( scratch, count, sizeof *point );
	if ( !point )
	{
		return bv_error_memory;
	}
	int exponent;
	localise( points, count, point, &exponent );
	bv_vec3 center = find_center( point, count );
	out->center = ( bv_vec3 ){ (float)( points[0].x + ldexp( center.x, exponent ) ) + 0.0f,
		                       (float)( points[0].y + ldexp( center.y, exponent ) ) + 0.0f,
		                       (float)( points[0].z + ldexp( center.z, exponent ) ) + 0.0f };

	double radius = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		radius = bv_max( radius, bv_distance_bound( points[i], out->center ) );
	}
	out->radius = bv_float_up( radius );
	return bv_ok;
}
