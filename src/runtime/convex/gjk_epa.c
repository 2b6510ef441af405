// GJK for shapes that are apart, EPA for those that overlap, exact arithmetic for polytopes between both.
//
// The interval of a signed distance is the intersection of what the two algorithms prove. Radii are added in the end:
// the signed distance of two rounded shapes is that of the shapes without their radii, less both.

#include "runtime/convex/distance.h"
#include "runtime/convex/epa.h"
#include "runtime/convex/exact.h"
#include "runtime/convex/near.h"
#include "runtime/convex/proof.h"
#include "runtime/convex/resume.h"

#include <math.h>

// Where a search begins: with the points that the last one of the pair ended with, or with those that face each
// other.
static void begin( const bvconvex_pair* pair, const bv_convex_cache* cache, bvconvex_gjk_result* out )
{
	out->lower = 0;
	out->along = ( bv_vec3 ){ 0, 0, 0 };
	bvconvex_pair_start( pair, cache ? cache->name[0] : NULL, cache ? cache->count : 0, out->room );
}

static void remember( bv_convex_cache* cache, const bvconvex_gjk_simplex* nearest, bv_vec3 axis )
{
	if ( cache )
	{
		cache->axis[0] = axis.x;
		cache->axis[1] = axis.y;
		cache->axis[2] = axis.z;
		cache->count = (uint32_t)nearest->count;
		cache->faces = 0;
		for ( int i = 0; i < nearest->count; ++i )
		{
			memcpy( cache->name[i], nearest->vertex[i].name, sizeof cache->name[i] );
		}
	}
}

// The exact distance of polytopes, and the points where it is.
static void take_exact( const bvconvex_pair* pair, const bvconvex_exact_gap* gap, bv_convex_result* out )
{
	out->lower = gap->lower;
	out->upper = gap->upper;
	out->normal = gap->along;
	bvconvex_exact_describe( pair, gap, out->point );
}

static void take_nearest( const bvconvex_pair* pair, const bvconvex_gjk_result* found, bv_convex_result* out )
{
	const bvconvex_gjk_simplex* s = found->nearest;
	out->lower = found->lower;
	out->upper = sqrt( s->square ) + pair->rounding;
	out->normal = found->along;
	bvconvex_gjk_describe( s, out->point );
}

static bool is_wide( const bvconvex_pair* pair, const bvconvex_asked* asked, const bv_convex_result* out )
{
	return out->upper - out->lower >
	       asked->relative * fabs( out->lower - pair->radius ) + 0x1p-8 * pair->rounding;
}

// @param certain  the shapes without their radii meet, beyond doubt
// @return whether the shapes meet is certain now
BVSIMD_NOINLINE bool take_depth( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                 const bvconvex_gjk_simplex* start, bool certain, bv_convex_result* out )
{
	bvconvex_depth depth;
	bvconvex_epa( pair, start, asked->relative, asked->cache, &depth );
	if ( depth.lower > 0 || certain )
	{
		out->upper = bvmath_min( 0, -depth.lower );
		out->lower = bvmath_min( -depth.upper, out->upper );
	}
	else
	{
		out->lower = bvmath_max( out->lower, -depth.upper );
	}
	out->normal = depth.normal;
	out->point[0] = depth.point[0];
	out->point[1] = depth.point[1];
	return depth.lower > 0 || certain;
}

// Two polytopes that are as near as rounding errors.
// @return false if they may meet
BVSIMD_NOINLINE bool separate( const bvconvex_pair* pair, const bvconvex_asked* asked,
                               const bvconvex_gjk_simplex* nearest, bv_convex_result* out )
{
	bvconvex_gjk_simplex s = *nearest;
	bvconvex_near_gap gap;
	bvconvex_near_distance( pair, &s, &gap );
	if ( !( gap.lower > 0 || out->lower > 0 ) )
	{
		return false;
	}
	if ( gap.lower > out->lower )
	{
		out->lower = gap.lower;
		out->upper = gap.upper;
		out->normal = gap.along;
		bvconvex_gjk_describe( &s, out->point );
	}
	if ( is_wide( pair, asked, out ) )
	{
		bvconvex_exact_gap exact;
		bvconvex_exact_distance( pair, nearest, NULL, &exact );
		if ( exact.known )
		{
			take_exact( pair, &exact, out );
		}
	}
	return true;
}

BVSIMD_NOINLINE void measure_exactly( const bvconvex_pair* pair, const bvconvex_gjk_simplex* nearest,
                                      bv_convex_result* out )
{
	bvconvex_exact_gap gap;
	bvconvex_exact_distance( pair, nearest, NULL, &gap );
	if ( gap.known && gap.meets )
	{
		out->upper = 0;
		out->lower = bvmath_min( out->lower, 0 );
	}
	else if ( gap.known )
	{
		take_exact( pair, &gap, out );
	}
}

// @param nearest  receives the last simplex if the distance is not found
// @param inside   the origin is in it, beyond doubt
// @return whether the shapes are apart
BVSIMD_NOINLINE bool find_distance( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                    bvconvex_gjk_simplex* nearest, bool* inside, bv_convex_result* out )
{
	bvconvex_gjk_result found;
	begin( pair, asked->cache, &found );
	bvconvex_gjk_continue( &pair->search, 0, 0.5 * asked->relative, &found );
	take_nearest( pair, &found, out );
	if ( pair->radius > 0 && is_wide( pair, asked, out ) )
	{
		// Radii can make a distance small that the relative width refers to.
		found.room[0] = *found.nearest;
		bvconvex_gjk_continue( &pair->search, 0, 0, &found );
		take_nearest( pair, &found, out );
	}
	remember( asked->cache, found.nearest, found.along );
	*inside = bvconvex_gjk_is_inside( pair->rounding, found.nearest );
	if ( !*inside &&
	     ( ( out->lower > 0 && !is_wide( pair, asked, out ) ) ||
	       ( pair->polytopes && found.nearest->count < 4 && separate( pair, asked, found.nearest, out ) ) ||
	       out->lower > 0 ) )
	{
		return true;
	}
	*nearest = *found.nearest;
	return false;
}

// Of the shapes without their radii.
static void find_gap( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_gjk_simplex nearest;
	bool inside;
	if ( find_distance( pair, asked, &nearest, &inside, out ) )
	{
		return;
	}
	out->lower = -INFINITY;
	if ( !take_depth( pair, asked, &nearest, inside, out ) && pair->polytopes )
	{
		measure_exactly( pair, &nearest, out );
	}
}

static void add_radii( const bvconvex_pair* pair, bv_convex_result* out )
{
	double doubt = 0x1p-51 * pair->radius;
	out->lower -= pair->radius + doubt;
	out->upper -= pair->radius - doubt;
	out->point[0] = bv_add( out->point[0], bv_scale( pair->one_radius[0], out->normal ) );
	out->point[1] = bv_sub( out->point[1], bv_scale( pair->one_radius[1], out->normal ) );
}

bool bvconvex_gjk_epa_resumes( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bool found = bvconvex_resume_distance( pair, asked->relative, asked->cache, out );
	if ( found )
	{
		add_radii( pair, out );
	}
	return found;
}

void bvconvex_gjk_epa_distance( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                bv_convex_result* out )
{
	if ( !bvconvex_gjk_epa_resumes( pair, asked, out ) )
	{
		find_gap( pair, asked, out );
		add_radii( pair, out );
	}
}

// @param lower, upper  of the distance without radii
static void decide( double lower, double upper, double radius, bv_convex_overlap_result* out )
{
	out->overlaps = !( lower > radius );
	out->certain = lower > radius || upper <= radius;
}

// Two polytopes that are as near as rounding errors.
BVSIMD_NOINLINE void decide_nearby( const bvconvex_pair* pair, const bvconvex_gjk_simplex* nearest,
                                    double radius, bv_convex_overlap_result* out )
{
	if ( nearest->count < 4 )
	{
		bvconvex_gjk_simplex s = *nearest;
		bvconvex_near_gap gap;
		bvconvex_near_distance( pair, &s, &gap );
		decide( gap.lower, gap.upper, radius, out );
		out->axis = gap.lower > radius ? gap.along : out->axis;
	}
	if ( !out->certain )
	{
		bvconvex_exact_gap gap;
		bvconvex_exact_distance( pair, nearest, NULL, &gap );
		if ( gap.known )
		{
			decide( gap.lower, gap.upper, radius, out );
			out->overlaps = gap.meets || out->overlaps;
			out->certain = gap.meets || out->certain;
			out->axis = out->overlaps ? ( bv_vec3 ){ 0, 0, 0 } : gap.along;
		}
	}
}

// Two shapes of which one is no polytope, that may meet.
BVSIMD_NOINLINE void decide_by_depth( const bvconvex_pair* pair, const bvconvex_gjk_simplex* nearest,
                                      double relative, double radius, bv_convex_overlap_result* out )
{
	bvconvex_depth depth;
	bvconvex_epa( pair, nearest, relative, NULL, &depth );
	decide( -depth.upper, depth.lower > 0 ? -depth.lower : INFINITY, radius, out );
	out->axis = out->overlaps ? ( bv_vec3 ){ 0, 0, 0 } : depth.normal;
}

// @param nearest  receives the last simplex if the answer is not certain
BVSIMD_NOINLINE void compare( const bvconvex_pair* pair, bv_convex_cache* cache, double radius,
                              bvconvex_gjk_simplex* nearest, bv_convex_overlap_result* out )
{
	bvconvex_gjk_result found;
	begin( pair, cache, &found );
	bvconvex_gjk_continue( &pair->search, radius, 1, &found );
	bool inside = bvconvex_gjk_is_inside( pair->rounding, found.nearest );
	if ( !inside || !cache || cache->faces == 0 ) // a polytope is more than a tetrahedron
	{
		remember( cache, found.nearest, found.along );
	}
	out->axis = found.lower > radius ? found.along : ( bv_vec3 ){ 0, 0, 0 };
	decide( found.lower, inside ? 0 : sqrt( found.nearest->square ) + pair->rounding, radius, out );
	if ( !out->certain )
	{
		*nearest = *found.nearest;
	}
}

void bvconvex_gjk_epa_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                               bv_convex_overlap_result* out )
{
	bvconvex_gjk_simplex nearest;
	double radius = pair->radius * ( 1 + 0x1p-51 );
	compare( pair, asked->cache, radius, &nearest, out );
	if ( !out->certain && pair->polytopes )
	{
		decide_nearby( pair, &nearest, radius, out );
	}
	else if ( !out->certain )
	{
		decide_by_depth( pair, &nearest, asked->relative, radius, out );
	}
}
