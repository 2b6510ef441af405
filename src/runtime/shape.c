// Convex shapes. See shape.h.

#include "runtime/shape.h"

#include "base/core/box.h"

bool bv_is_shape( const bv_shape* shape )
{
	bool good = shape && shape->points && shape->count > 0 && bv_is_length( shape->radius );
	for ( uint32_t i = 0; good && i < shape->count; ++i )
	{
		good = bv_is_in_range( shape->points[i] );
	}
	return good;
}

bv_rounded bv_shape_box( const bv_shape* shape )
{
	bv_volume box = { .type = bv_volume_aabb, .aabb = bv_box_of_points( shape->points, shape->count ) };
	bv_bound bound;
	bv_bound_of( &box, &bound );
	bound.box.radius = shape->radius;
	bound.box.slack += BV_OVERLAP_ROUNDING * shape->radius;
	return bound.box;
}

double bv_place_triangle( const bv_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] )
{
	double largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bv_similarity_apply( placed, corner[k] );
		largest = bv_max( largest, placed->scale * bv_norm1( corner[k] ) );
	}
	return placed->is_identity ? 0 : 0x1p-50 * ( largest + bv_norm1( placed->translation ) );
}
