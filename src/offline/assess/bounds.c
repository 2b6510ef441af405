// What the bounds of a whole mesh could be at the least.

#include "bvbuild/assess.h"
#include "bvbuild/fit.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/fit/sphere.h"
#include "runtime/file/local.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

// The hull's corners, or all vertices where the file has no hull, relative to the first: rounding to the form
// of files is a share of the coordinates, and would be large far from the origin.
static bv_vec3* get_points( const bv_file* file, bvb_arena* scratch, uint32_t* count )
{
	bv_hull_info hull = bv_file_get_hull( file );
	*count = hull.vertices > 0 ? hull.vertices : bv_file_get_mesh( file ).vertices;
	bv_vec3* points = bvb_arena_allocate( scratch, *count, sizeof *points );
	for ( uint32_t i = 0; points && i < *count; ++i )
	{
		points[i] =
			hull.vertices > 0 ? bvfile_local_hull_position( file, i ) : bvfile_local_vertex( file, i );
	}
	for ( uint32_t i = *count; points && i-- > 0; )
	{
		points[i] = bv_sub( points[i], points[0] );
	}
	return points;
}

// Of the vertices themselves, not of the least box that a file can hold.
static double find_least_box( const bv_vec3* corners, uint32_t count )
{
	bv_aabb box = bvmath_box_of_points( corners, count );
	return bv_aabb_volume( &box );
}

static double find_least_ball( const bv_vec3* corners, uint32_t count )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( corners, count, &ball );
	bv_sphere bound = { .radius = bvfit_least_ball_bound( corners, &ball ) };
	return bv_sphere_volume( &bound ) * ( 1 - 0x1p-49 );
}

static bv_status fit_all( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bvb_arena* scratch,
                          bvb_bounds_optimum* out )
{
	bv_file_bounds best;
	bv_vec3* corners = bvb_arena_allocate( scratch, hull->vertex_count, sizeof *corners );
	if ( !corners || bvb_fit_obb( points, count, hull, NULL, scratch, &best.obb ) != bv_ok )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		corners[i] = points[hull->vertices[i]];
	}
	bv_status status = bvb_fit_kdop( corners, hull->vertex_count, 26, &best.kdop );
	status = status == bv_ok ? bvb_fit_capsule( corners, hull->vertex_count, &best.capsule ) : status;
	status = status == bv_ok ? bvb_fit_rss( corners, hull->vertex_count, &best.rss ) : status;
	if ( status == bv_ok )
	{
		*out = ( bvb_bounds_optimum ){
			.aabb = find_least_box( corners, hull->vertex_count ),
			.sphere = find_least_ball( corners, hull->vertex_count ),
			.obb = bv_obb_volume( &best.obb ),
			.kdop = bvb_kdop_volume( &best.kdop ),
			.capsule = bv_capsule_volume( &best.capsule ),
			.rss = bv_rss_volume( &best.rss ),
		};
	}
	return status;
}

static bv_status fit( const bv_file* file, bvb_arena* scratch, bvb_bounds_optimum* out )
{
	uint32_t count;
	bvb_hull hull;
	bv_vec3* points = get_points( file, scratch, &count );
	bv_status status = points ? bvb_hull_compute( points, count, scratch, &hull, NULL ) : bv_error_memory;
	return status == bv_ok ? fit_all( points, count, &hull, scratch, out ) : status;
}

bv_status bvb_assess_bounds( const bv_file* file, bvb_arena* arena, bvb_bounds_optimum* out,
                             bvb_error* error )
{
	bv_file_bounds own;
	bvb_bounds_optimum best = { 0 };
	bool has_points = bv_file_get_hull( file ).vertices > 0 || bv_file_get_mesh( file ).has_triangles;
	*out = ( bvb_bounds_optimum ){ 0 };
	if ( !bvfile_local_bounds( file, &own ) || !has_points )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the file has no bounds, or neither hull nor triangles" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status = scratch ? fit( file, scratch, &best ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		return bvbase_fail_memory( error );
	}
	*out = ( bvb_bounds_optimum ){
		.aabb = bvmath_min( bv_aabb_volume( &own.aabb ), best.aabb ),
		.sphere = bvmath_min( bv_sphere_volume( &own.sphere ), best.sphere ),
		.obb = bvmath_min( bv_obb_volume( &own.obb ), best.obb ),
		.kdop = bvmath_min( bvb_kdop_volume( &own.kdop ), best.kdop ),
		.capsule = bvmath_min( bv_capsule_volume( &own.capsule ), best.capsule ),
		.rss = bvmath_min( bv_rss_volume( &own.rss ), best.rss ),
	};
	return bv_ok;
}
