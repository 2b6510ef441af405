// The methods that compare pairs of convex shapes: one row each.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/pair.h"

/// What a method is asked.
typedef struct bvconvex_asked
{
	double relative;        ///< width of the interval
	bv_convex_cache* cache; ///< null for none
} bvconvex_asked;

/// Finds the signed distance of a pair. Points are in the pair's coordinates.
typedef void bvconvex_find_distance( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                     bv_convex_result* out );

/// Finds out whether a pair has a point in common.
typedef void bvconvex_find_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                    bv_convex_overlap_result* out );

/// @return whether the method can compare a pair
typedef bool bvconvex_takes( const bvconvex_pair* pair );

/// A method.
typedef struct bvconvex_method
{
	const char* name;
	const char* help;
	bvconvex_takes* takes; ///< null for any pair
	bvconvex_find_distance* distance;
	bvconvex_find_overlap* overlap;
	bool
		tries_last; ///< overlaps are looked for only where the slab of the last query does not separate the shapes
} bvconvex_method;

/// A query. Must not be moved.
typedef struct bvconvex_query
{
	const bvconvex_method* method;
	bvconvex_asked asked;
	bvconvex_pair_room room;
	bvconvex_pair pair;
} bvconvex_query;

/// Checks shapes, placement and options.
/// @param options  null for the defaults
/// @return bv_ok, bv_error_argument or bv_error_unsupported, as bv_convex_distance does. What is not bv_ok is not to be used
bv_status bvconvex_query_begin( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                                const bv_convex_options* options, bvconvex_query* out );

/// Makes the interval and the normal what bv_convex_distance promises, and counts support points.
void bvconvex_query_finish( const bvconvex_query* query, bv_convex_result* out );

/// Tries the slab along the axis of the last query, before the pair is placed.
/// @param beyond  not negative
/// @param normal  receives the axis, from a to b
/// @param lower   receives a bound of the signed distance, at least `beyond`
/// @return whether the shapes are certainly farther apart than `beyond`; if not, nothing is received
bool bvconvex_query_is_apart( const bvconvex_query* query, double beyond, bv_vec3* normal, double* lower );

/// Finds the signed distance. Inline, because methods need nearly all of the stack that a query may take.
/// @param query  that begins
/// @param out    receives what bv_convex_distance returns, but with points in the pair's coordinates
BVSIMD_INLINE void bvconvex_query_distance( bvconvex_query* query, bv_convex_result* out )
{
	*out = ( bv_convex_result ){ .lower = -INFINITY, .upper = INFINITY };
	bvconvex_pair_place( &query->pair );
	query->method->distance( &query->pair, &query->asked, out );
	bvconvex_query_finish( query, out );
}

/// By bv_convex_method.
extern const bvconvex_method bvconvex_methods[bv_convex_methods];

bvconvex_find_distance bvconvex_gjk_epa_distance;
bvconvex_find_overlap bvconvex_gjk_epa_overlap;

/// As bvconvex_gjk_epa_distance, only with the polytope of the last query.
/// @return false, with `out` unchanged, if that does not tell the distance
bool bvconvex_gjk_epa_resumes( const bvconvex_pair* pair, const bvconvex_asked* asked,
                               bv_convex_result* out );

bvconvex_takes bvconvex_pair_is_bounded; ///< no half-space

/// Closed forms. Pairs without one, and those for which its interval is too wide, go on to GJK and EPA.
bvconvex_find_distance bvconvex_closed_distance;
bvconvex_find_overlap bvconvex_closed_overlap;
bvconvex_takes bvconvex_has_closed_form;

bvconvex_find_distance bvconvex_sat_distance;
bvconvex_find_overlap bvconvex_sat_overlap;
bvconvex_find_distance bvconvex_vclip_distance;
bvconvex_find_overlap bvconvex_vclip_overlap;
bvconvex_find_distance bvconvex_mpr_distance;
bvconvex_find_overlap bvconvex_mpr_overlap;
bvconvex_find_distance bvconvex_chung_wang_distance;
bvconvex_find_overlap bvconvex_chung_wang_overlap;
bvconvex_find_distance bvconvex_margin_distance;
bvconvex_find_overlap bvconvex_margin_overlap;
bvconvex_find_distance bvconvex_shell_distance;
bvconvex_find_overlap bvconvex_shell_overlap;
