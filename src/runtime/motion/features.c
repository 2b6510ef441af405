// Queries of moving features: options, and the table of finders.

#include "runtime/motion/features.h"

#include "runtime/math/range.h"

#include <math.h>

bv_feature_options bv_feature_options_default( void )
{
	return ( bv_feature_options ){ 0 };
}

static bool are_valid( const bv_feature_options* o )
{
	return (unsigned)o->finder < bv_finders && (unsigned)o->inside < bv_inside_tests && o->limit >= 0 &&
	       o->limit <= 1 && bvmath_is_length( o->separation ) && o->tolerance >= 0 && o->tolerance <= 1 &&
	       o->samples != 1;
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
	bvmotion_pair pair = { start, end, edges };
	bv_feature_time found = { 0 };
	double limit = o.limit > 0 ? o.limit : 1;
	if ( !bvmotion_filter( &pair, limit, &found ) )
	{
		bvmotion_find_exactly( &pair, limit, &found );
	}
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
