// Checks of arguments and construction of results, shared by the queries.

#pragma once

#include "bv/mesh.h"
#include "runtime/math/vec.h"
#include "runtime/volume/similarity.h"

#include <math.h>

/// @return whether it is a length that queries take
static inline bool bvtree_is_length( double x )
{
	return x >= 0 && x <= BV_MAX_LENGTH;
}

/// @return whether it is a point, a direction or a motion that queries take
static inline bool bvtree_is_in_range( bv_vec3 v )
{
	return fabs( v.x ) <= BV_MAX_LENGTH && fabs( v.y ) <= BV_MAX_LENGTH && fabs( v.z ) <= BV_MAX_LENGTH;
}

/// @return a limit of the caller: 0 is none
static inline double bvtree_limit_of( double limit )
{
	return limit > 0 ? limit : INFINITY;
}

/// @return a point of a triangle with these weights of its corners
static inline bv_surface_point bvtree_surface_point_of( const bvvol_similarity* placement, uint32_t triangle,
                                                        const bv_vec3 corner[3], const double weight[3] )
{
	bv_surface_point out = { .triangle = triangle };
	for ( int k = 0; k < 3; ++k )
	{
		out.weight[k] = weight[k];
		out.local = bv_add( out.local, bv_scale( weight[k], corner[k] ) );
	}
	out.point = bvvol_similarity_apply( placement, out.local );
	return out;
}

/// @return the triangle's normal, of the length of twice its area
static inline bv_vec3 bvtree_normal_of( const bv_vec3 corner[3] )
{
	return bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
}

/// @return whether it is one: valid, and not too far away
static inline bool bvtree_is_placement( const bv_transform* placement )
{
	return !placement ||
	       ( bv_transform_is_valid( placement ) && bvtree_is_in_range( placement->pose.translation ) );
}
