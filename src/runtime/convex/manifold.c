// Contact points of pairs of convex shapes. See bv/contact.h, and manifold.h for how they are found.
//
// The normal is that of the distance. Where a face or two sides are within a tenth of a degree of it, theirs is tried, too: the
// signed distance is the maximum of the widths of all slabs, so that the direction of the wider slab is the better one.

#include "runtime/convex/manifold.h"

#include "runtime/convex/closed.h"
#include "runtime/convex/distance.h"
#include "runtime/convex/manifold_along.h"

static const double most_turn = 2e-3; // the sine

// A distance that is known to a part t can have a direction that is off by the root of 2 t. Polytopes have features, which are
// found or not: they take no more time for it.
static const double polytopes_tolerance = 0x1p-40;
static const double curved_tolerance = 0x1p-30;

bv_manifold_options bv_manifold_options_default( void )
{
	return ( bv_manifold_options ){ .speculative = 0 };
}

// What is known of the normal.
typedef struct contact_normal
{
	bv_vec3 normal;
	double slab; // without the radii
	bool measured;
} contact_normal;

static void find_features( const bvconvex_pair* pair, bv_vec3 normal, const uint32_t near[2],
                           const bv_vec3 core[2], bvconvex_contact_feature out[2] )
{
	bvconvex_feature_find( pair, 0, normal, near[0], core[0], out );
	bvconvex_feature_find( pair, 1, bv_negate( normal ), near[1], core[1], out + 1 );
}

static void try_normal( const bvconvex_pair* pair, bv_vec3 normal, contact_normal* best )
{
	bv_vec3 turn = bv_cross( normal, best->normal );
	double square = bv_dot( turn, turn );
	if ( !( square > 0x1p-80 && square < most_turn * most_turn && bv_dot( normal, best->normal ) > 0 ) )
	{
		return;
	}
	uint32_t name[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	if ( !best->measured )
	{
		best->slab = bvconvex_pair_slab( pair, &best->normal, name );
		best->measured = true;
	}
	double slab = bvconvex_pair_slab( pair, &normal, name );
	if ( slab > best->slab )
	{
		best->normal = normal;
		best->slab = slab;
	}
}

static bv_vec3 side_of( const bvconvex_contact_feature* f )
{
	return bv_sub( f->corner[1], f->corner[0] );
}

// @return whether the normal is another one now
static bool improve_normal( const bvconvex_pair* pair, const bvconvex_contact_feature feature[2],
                            contact_normal* best )
{
	bv_vec3 before = best->normal;
	if ( feature[0].count > 2 )
	{
		try_normal( pair, feature[0].normal, best );
	}
	if ( feature[1].count > 2 )
	{
		try_normal( pair, bv_negate( feature[1].normal ), best );
	}
	if ( feature[0].count == 2 && feature[1].count == 2 )
	{
		bv_vec3 across = bv_cross( side_of( feature ), side_of( feature + 1 ) );
		double length = bv_length( across );
		double sign = bv_dot( across, before ) < 0 ? -1 : 1;
		bool is_known = length > 1e-3 * bv_length( side_of( feature ) ) * bv_length( side_of( feature + 1 ) );
		if ( is_known )
		{
			try_normal( pair, bv_scale( sign / length, across ), best );
		}
	}
	return memcmp( &before, &best->normal, sizeof before ) != 0;
}

bvconvex_frame bvconvex_frame_of( bv_vec3 normal, const bv_vec3 core[2] )
{
	bvconvex_frame out = { .origin = bv_scale( 0.5, bv_add( core[0], core[1] ) ) };
	out.axis[2] = normal;
	out.axis[0] = bvconvex_any_normal( normal );
	out.axis[1] = bv_cross( normal, out.axis[0] );
	return out;
}

static bv_vec3 placed_point( const bvconvex_frame* frame, double x, double y, double height )
{
	bv_vec3 beside = bv_add( bv_scale( x, frame->axis[0] ), bv_scale( y, frame->axis[1] ) );
	return bv_add( bv_add( frame->origin, beside ), bv_scale( height, frame->axis[2] ) );
}

void bvconvex_touch_describe( const bvconvex_touches* touches, const bvconvex_touch* t,
                              const bvconvex_frame* frame, bv_vec3 origin, bv_contact* out )
{
	bool is_witness = t->feature[0] == touches->witness[0] && t->feature[1] == touches->witness[1];
	double x = is_witness ? touches->aside[0] : 0;
	double y = is_witness ? touches->aside[1] : 0;
	double middle = 0.5 * ( t->height[0] + t->height[1] );
	out->point[0] = bv_add( placed_point( frame, t->x - x, t->y - y, t->height[0] ), origin );
	out->point[1] = bv_add( placed_point( frame, t->x + x, t->y + y, t->height[1] ), origin );
	out->position = bv_add( placed_point( frame, t->x, t->y, middle ), origin );
	out->separation = t->separation;
	out->identity = (uint64_t)t->feature[0] << 32 | t->feature[1];
}

BVSIMD_NOINLINE void find_contacts( const bvconvex_pair* pair, const bv_convex_result* found,
                                    double speculative, const bv_convex_cache* cache, bv_manifold* out )
{
	const bv_vec3 core[2] = { bv_sub( found->point[0], bv_scale( pair->one_radius[0], found->normal ) ),
		                      bv_add( found->point[1], bv_scale( pair->one_radius[1], found->normal ) ) };
	bvconvex_contact_feature feature[2];
	contact_normal best = { .normal = found->normal };
	uint32_t near[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	if ( cache && cache->count > 0 )
	{
		near[0] = cache->name[0][0];
		near[1] = cache->name[0][1];
	}
	find_features( pair, best.normal, near, core, feature );
	if ( bvconvex_pair_is_bounded( pair ) && improve_normal( pair, feature, &best ) )
	{
		find_features( pair, best.normal, near, core, feature );
		double lower = best.slab - pair->radius;
		out->lower = bvmath_max( out->lower, lower - 0x1p-51 * ( pair->radius + fabs( lower ) ) );
		out->lower = bvmath_min( out->lower, out->upper );
		out->normal = best.normal;
	}
	bvconvex_frame frame = bvconvex_frame_of( best.normal, core );
	bvconvex_touches touches;
	bvconvex_features_meet( feature, &frame, core, found->upper, pair->rounding, &touches );
	double slack = 0x1p-30 * ( touches.size + pair->radius ) + 4 * pair->rounding;
	double merged = pair->polytopes ? 0 : 1e-4 * touches.size;
	bvconvex_touches_choose( &touches, speculative + slack, merged );
	out->count = touches.count;
	for ( uint32_t i = 0; i < touches.count; ++i )
	{
		bvconvex_touch_describe( &touches, touches.at + i, &frame, pair->origin, out->contact + i );
	}
}

static bool is_known( const bv_convex_result* r )
{
	return r->upper > -INFINITY && r->upper < INFINITY;
}

bv_status bv_convex_manifold( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              const bv_manifold_options* options, bv_manifold* result )
{
	static const bv_manifold_options defaults = { .speculative = 0 };
	const bv_manifold_options* o = options ? options : &defaults;
	if ( !result || !( o->speculative >= 0 && o->speculative <= BV_MAX_LENGTH ) )
	{
		return bv_error_argument;
	}
	bvconvex_query query;
	bv_status status = bvconvex_query_begin( a, b, placement, &o->distance, &query );
	if ( status != bv_ok )
	{
		return status;
	}
	double slack = 4 * query.pair.rounding;
	bv_vec3 normal;
	double lower;
	if ( o->distance.tolerance == 0 && !bvconvex_pair_is_tiny( &query.pair ) &&
	     bvconvex_query_is_apart( &query, o->speculative + slack, &normal, &lower ) )
	{
		uint32_t supports = bvconvex_pair_supports( &query.room );
		*result =
			( bv_manifold ){ .lower = lower, .upper = INFINITY, .normal = normal, .supports = supports };
		return bv_ok;
	}
	if ( o->distance.tolerance == 0 )
	{
		query.asked.relative = query.pair.polytopes ? polytopes_tolerance : curved_tolerance;
		query.pair.closed_is_enough = true;
	}
	bv_convex_result found;
	bvconvex_query_distance( &query, &found );
	// In place, because the stack of the methods for distances is nearly all that a query may take.
	*result = ( bv_manifold ){ .lower = found.lower, .upper = found.upper, .normal = found.normal };
	// Shapes that touch can be apart by rounding.
	if ( is_known( &found ) && found.lower <= o->speculative + slack )
	{
		find_contacts( &query.pair, &found, o->speculative, o->distance.cache, result );
	}
	result->supports = bvconvex_pair_supports( &query.room );
	return bv_ok;
}

BVSIMD_NOINLINE void find_along( const bvconvex_pair* pair, bv_vec3 normal, double speculative,
                                 bv_manifold* out )
{
	const uint32_t near[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bv_vec3 against = bv_negate( normal );
	bv_vec3 far[2];
	far[0] = pair->search.support[0]( pair->search.shape[0], &normal, BVCONVEX_NO_POINT ).at;
	far[1] = pair->search.support[1]( pair->search.shape[1], &against, BVCONVEX_NO_POINT ).at;
	out->lower = out->upper = bv_dot( normal, bv_sub( far[1], far[0] ) ) - pair->radius;
	bvconvex_contact_feature feature[2];
	find_features( pair, normal, near, far, feature );
	// No deepest points are known that could be a contact: only where features face each other there are some.
	const bv_vec3 core[2] = { far[1], far[1] };
	bvconvex_frame frame = bvconvex_frame_of( normal, core );
	bvconvex_touches touches;
	bvconvex_features_meet( feature, &frame, core, INFINITY, pair->rounding, &touches );
	double slack = 0x1p-30 * ( touches.size + pair->radius ) + 4 * pair->rounding;
	double merged = pair->polytopes ? 0 : 1e-4 * touches.size;
	if ( touches.count > 0 )
	{
		bvconvex_touches_choose( &touches, speculative + slack, merged );
	}
	for ( uint32_t i = 0; i < touches.count; ++i )
	{
		if ( touches.at[i].separation <= speculative + slack )
		{
			bvconvex_touch_describe( &touches, touches.at + i, &frame, pair->origin,
			                         out->contact + out->count++ );
		}
	}
}

void bvconvex_manifold_along( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              bv_vec3 normal, double speculative, bv_manifold* result )
{
	bvconvex_query query;
	*result = ( bv_manifold ){ .normal = normal };
	if ( bvconvex_query_begin( a, b, placement, NULL, &query ) == bv_ok &&
	     bvconvex_pair_is_bounded( &query.pair ) )
	{
		bvconvex_pair_place( &query.pair );
		find_along( &query.pair, normal, speculative, result );
		result->supports = bvconvex_pair_supports( &query.room );
	}
}
