// Boxes of placed and of moving meshes. See bvworld/scene.h.
//
// A file has an axis-aligned and an oriented box of its mesh. Both are placed, and the intersection of their boxes contains all
// vertices: the oriented one is better for turned objects.
//
// A point c + sum( a[i] * x[i] ) with |x[i]| <= h[i] is placed by the linear map L and the translation T, along each axis of the
// world at ( L c + T ) +- sum( h[i] * |L a[i]| ). Each product and sum rounds by 2^-53 of the magnitudes that enter, and there are
// less than 32 of them in a row. The axes of an oriented box are orthonormal to 4e-15 < 2^-47: a point between its planes is off
// the sum above by less than three times that and the extents.

#include "world/scene/scene.h"

#include "runtime/math/range.h"
#include "runtime/math/vec.h"
#include "runtime/math/wide.h"

#include <math.h>

static bool box_of_vertices( const bv_file* file, bv_aabb* out )
{
	bv_mesh_info mesh = bv_file_get_mesh( file );
	bv_vec3 first = bv_file_get_vertex( file, 0 );
	*out = ( bv_aabb ){ first, first };
	for ( uint32_t i = 1; mesh.has_triangles && i < mesh.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		*out = ( bv_aabb ){ bvmath_least( out->lower, p ), bvmath_greatest( out->upper, p ) };
	}
	return mesh.has_triangles && mesh.vertices > 0;
}

// @return the number of boxes; 0 if the file has none
static int get_boxes( const bv_file* file, bv_volume out[2] )
{
	bv_file_bounds bounds;
	out[0].type = bv_volume_aabb;
	out[1].type = bv_volume_obb;
	if ( !bv_file_get_bounds( file, &bounds ) )
	{
		return box_of_vertices( file, &out[0].aabb ) ? 1 : 0;
	}
	out[0].aabb = bounds.aabb;
	out[1].obb = bounds.obb;
	return 2;
}

static bv_obb upright( const bv_aabb* box )
{
	bv_vec3 half = { bvmath_sum_up( box->upper.x, -box->lower.x ) / 2,
		             bvmath_sum_up( box->upper.y, -box->lower.y ) / 2,
		             bvmath_sum_up( box->upper.z, -box->lower.z ) / 2 };
	return ( bv_obb ){ .center = bv_add( box->lower, half ),
		               .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		               .half_extents = { half.x, half.y, half.z } };
}

// Sums with the translation come last and are rounded outward: also the rounded results of bv_transform_point are in the box.
static bv_aabb place( const bv_obb* box, const bv_transform* t )
{
	const double turn = t->mirror ? -1 : 1;
	const double* h = box->half_extents;
	double size = t->scale * ( bvmath_norm1( box->center ) + ( h[0] + h[1] + h[2] ) );
	double lower[3];
	double upper[3];
	for ( int k = 0; k < 3; ++k )
	{
		const double* r = t->pose.rotation[k];
		bv_vec3 row = { t->scale * turn * r[0], t->scale * r[1], t->scale * r[2] };
		double to = bvmath_component( t->pose.translation, k );
		double half = 0x1p-44 * size + 0x1p-1060;
		for ( int i = 0; i < 3; ++i )
		{
			half += h[i] * fabs( bv_dot( row, box->axis[i] ) );
		}
		double middle = bv_dot( row, box->center );
		lower[k] = bvmath_sum_down( to, middle - half );
		upper[k] = bvmath_sum_up( to, middle + half );
	}
	return ( bv_aabb ){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

static bv_aabb everywhere( void )
{
	return ( bv_aabb ){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
}

static bv_aabb common( const bv_aabb* a, const bv_aabb* b )
{
	return ( bv_aabb ){ bvmath_greatest( a->lower, b->lower ), bvmath_least( a->upper, b->upper ) };
}

static bv_status give( const bv_aabb* box, bv_aabb* out )
{
	if ( !bvmath_is_in_range( box->lower ) || !bvmath_is_in_range( box->upper ) )
	{
		return bv_error_argument;
	}
	*out = *box;
	return bv_ok;
}

bv_status bvw_file_box( const bv_file* file, const bv_transform* placement, bv_aabb* out )
{
	bv_volume volume[2];
	bv_transform t = placement ? *placement : bv_transform_identity();
	int count = file ? get_boxes( file, volume ) : 0;
	if ( count == 0 || !out || !bv_transform_is_valid( &t ) || !bvmath_is_in_range( t.pose.translation ) )
	{
		return bv_error_argument;
	}
	bv_aabb box = everywhere();
	for ( int i = 0; i < count; ++i )
	{
		bv_obb turned = volume[i].type == bv_volume_obb ? volume[i].obb : upright( &volume[i].aabb );
		bv_aabb placed = place( &turned, &t );
		box = common( &box, &placed );
	}
	return give( &box, out );
}

bv_status bvw_file_swept_box( const bv_file* file, const bv_motion* motion, double from, double to,
                              bv_aabb* out )
{
	bv_volume volume[2];
	int count = file ? get_boxes( file, volume ) : 0;
	if ( count == 0 || !out )
	{
		return bv_error_argument;
	}
	bv_aabb box = everywhere();
	for ( int i = 0; i < 2 * count; ++i )
	{
		bv_volume swept;
		bv_swept_rule rule = i < count ? bv_swept_by_ends : bv_swept_by_reach;
		bv_status status =
			bv_motion_swept_volume( motion, from, to, volume + i % count, bv_volume_aabb, rule, &swept );
		if ( status != bv_ok )
		{
			return status;
		}
		box = common( &box, &swept.aabb );
	}
	return give( &box, out );
}
