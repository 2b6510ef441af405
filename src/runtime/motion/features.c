// Queries of moving features: options, and the table of finders.

#include "runtime/motion/features.h"

#include "runtime/math/range.h"

#include <math.h>

enum
{
	most_samples = 65536,
	default_samples = 5, // Eckstein 1998, 10.3
};

static bvmotion_finder* const finders[bv_finders] = {
	[bv_finder_certified] = bvmotion_find_certified,
	[bv_finder_linear] = bvmotion_find_linear,
	[bv_finder_regula_falsi] = bvmotion_find_regula_falsi,
	[bv_finder_quadratic] = bvmotion_find_quadratic,
	[bv_finder_sampling] = bvmotion_find_sampled,
	[bv_finder_sampled_regula_falsi] = bvmotion_find_sampled_regula_falsi,
};

bv_feature_options bv_feature_options_default( void )
{
	return ( bv_feature_options ){ 0 };
}

static bool are_valid( const bv_feature_options* o )
{
	return (unsigned)o->finder < bv_finders && (unsigned)o->inside < bv_inside_tests && o->limit >= 0 &&
	       o->limit <= 1 && bvmath_is_length( o->separation ) &&
	       ( o->separation == 0 || o->finder == bv_finder_certified ) && o->tolerance >= 0 &&
	       o->tolerance <= 1 && o->samples != 1 && o->samples <= most_samples;
}

void bvmotion_find_certified( const bvmotion_search* search, bv_feature_time* out )
{
	*out = ( bv_feature_time ){ 0 };
	bool decided = search->separation == 0 && bvmotion_filter( &search->features, search->limit, out );
	if ( !decided && search->separation == 0 )
	{
		bvmotion_find_exactly( &search->features, search->limit, out );
		decided = out->certain;
	}

	// Exact numbers that have no room do not decide. A lower bound, or that the features are apart, may be proven yet.
	if ( !decided )
	{
		bvmotion_find_near( search, out );
	}
}

static bv_status find( const bv_vec3 start[4], const bv_vec3 end[4], bool edges,
                       const bv_feature_options* options, bv_feature_time* result )
{
	bv_feature_options o = options != NULL ? *options : bv_feature_options_default();
	if ( start == NULL || end == NULL || result == NULL || !are_valid( &o ) )
	{
		return bv_error_argument;
	}
	for ( int i = 0; i < 4; ++i )
	{
		if ( !bvmath_is_in_range( start[i] ) || !bvmath_is_in_range( end[i] ) )
		{
			return bv_error_argument;
		}
	}
	bvmotion_search search = {
		.features = { start, end, edges },
		.inside = o.inside,
		.limit = o.limit > 0 ? o.limit : 1,
		.separation = o.separation,
		.tolerance = o.tolerance > 0 ? o.tolerance : 1e-6,
		.samples = o.samples > 0 ? o.samples : default_samples,
	};
	bv_feature_time found;
	finders[o.finder]( &search, &found );
	*result = found;
	return bv_ok;
}

bv_status bv_moving_vertex_face( const bv_vec3 start[4], const bv_vec3 end[4],
                                 const bv_feature_options* options, bv_feature_time* result )
{
	return find( start, end, false, options, result );
}

bv_status bv_moving_edge_edge( const bv_vec3 start[4], const bv_vec3 end[4],
                               const bv_feature_options* options, bv_feature_time* result )
{
	return find( start, end, true, options, result );
}
