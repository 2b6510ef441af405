// Convex shapes. See shape.h.

#include "runtime/convex/shape.h"

#include "runtime/math/box.h"

bool bvconvex_is_shape( const bv_shape* shape )
{
	bool good = shape && shape->points && shape->count > 0 && bvtree_is_length( shape->radius );
	for ( uint32_t i = 0; good && i < shape->count; ++i )
	{
		good = bvtree_is_in_range( shape->points[i] );
	}
	return good;
}

bvvol_rounded bvconvex_shape_box( const bv_shape* shape )
{
	bv_volume box = { .type = bv_volume_aabb, .aabb = bvmath_box_of_points( shape->points, shape->count ) };
	bvvol_bound bound;
	bvvol_bound_of( &box, &bound );
	bound.box.radius = shape->radius;
	bound.box.slack += BVMATH_OVERLAP_ROUNDING * shape->radius;
	return bound.box;
}

// The direction from the first point to another one, without its part along a direction. Of all points the
// nearest one counts that is not on the line.
// @param without  of length 1, or null for no direction
// @return false if all points are on the line
static bool nearest_direction( const bv_shape* shape, const bv_vec3* without, double least, bv_vec3* out )
{
	double nearest = INFINITY;
	for ( uint32_t i = 1; i < shape->count; ++i )
	{
		bv_vec3 d = bv_sub( shape->points[i], shape->points[0] );
		d = without ? bv_sub( d, bv_scale( bv_dot( d, *without ), *without ) ) : d;
		double square = bv_dot( d, d );
		if ( square > least * least && square > 0x1p-900 && square < nearest )
		{
			nearest = square;
			*out = d;
		}
	}
	*out = nearest < INFINITY ? bv_scale( 1 / sqrt( nearest ), *out ) : *out;
	return nearest < INFINITY;
}

// A box along any axes of length 1 that encloses all points, up to rounding.
static bvvol_rounded box_along( const bv_shape* shape, const bv_vec3 axis[3] )
{
	bvvol_rounded box = { .axis = { axis[0], axis[1], axis[2] }, .radius = shape->radius };
	bv_vec3 first = shape->points[0];
	double farthest = 0;
	box.center = first;
	for ( int k = 0; k < 3; ++k )
	{
		double lower = 0;
		double upper = 0;
		for ( uint32_t i = 1; i < shape->count; ++i )
		{
			double at = bv_dot( axis[k], bv_sub( shape->points[i], first ) );
			lower = bv_min( lower, at );
			upper = bv_max( upper, at );
			farthest = bv_max( farthest, fabs( at ) );
		}
		box.half_extents[k] = 0.5 * ( upper - lower );
		box.center = bv_add( box.center, bv_scale( 0.5 * ( upper + lower ), axis[k] ) );
	}
	box.slack = BVMATH_OVERLAP_ROUNDING * ( ( bv_norm1( first ) + 3 * farthest ) + shape->radius );
	return box;
}

bvvol_rounded bvconvex_shape_oriented_box( const bv_shape* shape )
{
	bvvol_rounded aligned = bvconvex_shape_box( shape );
	double least = 0x1p-20 * bvvol_rounded_extent( &aligned );
	bv_vec3 axis[3];
	if ( !nearest_direction( shape, NULL, least, axis ) ||
	     !nearest_direction( shape, axis, least, axis + 1 ) )
	{
		return aligned;
	}
	axis[2] = bv_cross( axis[0], axis[1] );
	axis[1] = bv_cross( axis[2], axis[0] );
	for ( int k = 1; k < 3; ++k )
	{
		axis[k] = bv_scale( 1 / sqrt( bv_dot( axis[k], axis[k] ) ), axis[k] );
	}
	bvvol_rounded box = box_along( shape, axis );
	return bvvol_rounded_extent( &box ) < bvvol_rounded_extent( &aligned ) ? box : aligned;
}

double bvconvex_place_triangle( const bvvol_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] )
{
	double largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bvvol_similarity_apply( placed, corner[k] );
		largest = bv_max( largest, placed->scale * bv_norm1( corner[k] ) );
	}
	return placed->is_identity ? 0 : 0x1p-50 * ( largest + bv_norm1( placed->translation ) );
}
