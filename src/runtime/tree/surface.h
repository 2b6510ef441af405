// Checks of arguments and construction of results, shared by the queries.

#pragma once

#include "bv/mesh.h"
#include "runtime/file/view.h"
#include "runtime/math/range.h"
#include "runtime/math/vec.h"
#include "runtime/volume/similarity.h"

#include <math.h>
#include <string.h>

/// @return the triangle's normal, of the length of twice its area
static inline bv_vec3 bvtree_normal_of( const bv_vec3 corner[3] )
{
	return bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
}

/// @return the unit normal of the placed triangle on its front; 0 if it has no area. The transposed inverse
///         is exact also for a rotation that is not quite orthonormal.
static inline bv_vec3 bvtree_placed_normal_of( const bvvol_similarity* placement, const bv_vec3 corner[3] )
{
	bv_vec3 n = bvtree_normal_of( corner );
	if ( !placement->is_identity )
	{
		const bv_vec3* row = placement->back.row;
		n = bv_add( bv_add( bv_scale( n.x, row[0] ), bv_scale( n.y, row[1] ) ), bv_scale( n.z, row[2] ) );
	}
	return bv_normalize( n );
}

/// @return the feature of the corners whose weights are above 0
static inline bv_feature bvtree_feature_of( const double weight[3] )
{
	static const uint8_t features[8] = {
		bv_feature_face,     bv_feature_corner_0, bv_feature_corner_1, bv_feature_edge_0,
		bv_feature_corner_2, bv_feature_edge_2,   bv_feature_edge_1,   bv_feature_face,
	};
	return (bv_feature)features[( weight[0] > 0 ) + 2 * ( weight[1] > 0 ) + 4 * ( weight[2] > 0 )];
}

/// @return the point of a triangle with these weights of its corners
static inline bv_vec3 bvtree_weighted( const bv_vec3 corner[3], const double weight[3] )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		sum = bv_add( sum, bv_scale( weight[k], corner[k] ) );
	}
	return sum;
}

/// Sets a point of a triangle with these weights of its corners.
/// @param placement  of stored positions
/// @param offset     of the file; null for none
static inline void bvtree_set_surface_point( const bvvol_similarity* placement, const bv_vec3* offset,
                                             uint32_t triangle, const bv_vec3 corner[3],
                                             const double weight[3], bv_surface_point* out )
{
	bv_vec3 local = bvtree_weighted( corner, weight );
	out->triangle = triangle;
	out->feature = bvtree_feature_of( weight );
	memcpy( out->weight, weight, sizeof out->weight );
	out->point = bvvol_similarity_apply( placement, local );
	out->local = bvfile_with_offset( local, offset );
	out->normal = bvtree_placed_normal_of( placement, corner );
}

/// The same, returned.
static inline bv_surface_point bvtree_surface_point_of( const bvvol_similarity* placement,
                                                        const bv_vec3* offset, uint32_t triangle,
                                                        const bv_vec3 corner[3], const double weight[3] )
{
	bv_surface_point out;
	bvtree_set_surface_point( placement, offset, triangle, corner, weight, &out );
	return out;
}

/// @return whether it is one: valid, and not too far away
static inline bool bvtree_is_placement( const bv_transform* placement )
{
	return !placement ||
	       ( bv_transform_is_valid( placement ) && bvmath_is_in_range( placement->pose.translation ) );
}
