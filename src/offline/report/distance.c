// How far the meshes of two files are from each other. See distance.h.

#include "offline/report/distance.h"

#include "bvbuild/export.h"
#include "bvbuild/hausdorff.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A triangle by its positions, the least corner first.
typedef struct placed
{
	double at[9];
} placed;

static int compare_numbers( const double* a, const double* b, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( a[i] != b[i] )
		{
			return a[i] < b[i] ? -1 : 1;
		}
	}
	return 0;
}

static int compare_placed( const void* a, const void* b )
{
	return compare_numbers( ( (const placed*)a )->at, ( (const placed*)b )->at, 9 );
}

static placed place( const bvb_mesh* mesh, uint32_t triangle )
{
	double corner[3][3];
	placed out;
	int first = 0;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[triangle].corner[k]];
		memcpy( corner[k], ( const double[3] ){ p.x, p.y, p.z }, sizeof corner[k] );
		first = compare_numbers( corner[k], corner[first], 3 ) < 0 ? k : first;
	}
	for ( int k = 0; k < 3; ++k )
	{
		memcpy( out.at + 3 * k, corner[( first + k ) % 3], sizeof corner[0] );
	}
	return out;
}

static placed* place_all( const bvb_mesh* mesh, bvb_arena* scratch )
{
	placed* all = bvb_arena_allocate( scratch, mesh->triangle_count, sizeof *all );
	for ( uint32_t i = 0; all && i < mesh->triangle_count; ++i )
	{
		all[i] = place( mesh, i );
	}
	if ( all )
	{
		qsort( all, mesh->triangle_count, sizeof *all, compare_placed );
	}
	return all;
}

// Order does not count: builders put triangles into that of their trees.
static bv_status find_equal( const bvb_mesh* a, const bvb_mesh* b, bvb_arena* arena, bool* equal,
                             bvb_error* error )
{
	*equal = false;
	if ( a->triangle_count != b->triangle_count )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	placed* of_a = scratch ? place_all( a, scratch ) : NULL;
	placed* of_b = of_a ? place_all( b, scratch ) : NULL;
	*equal = of_b && memcmp( of_a, of_b, a->triangle_count * sizeof *of_a ) == 0;
	bvb_arena_destroy( scratch );
	return of_b ? bv_ok : bvbase_fail_memory( error );
}

static void grow( const bvb_mesh* mesh, double lower[3], double upper[3] )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		const double p[3] = { mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = fmin( lower[k], p[k] );
			upper[k] = fmax( upper[k], p[k] );
		}
	}
}

static double diagonal_of( const bvb_mesh* a, const bvb_mesh* b )
{
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	grow( a, lower, upper );
	grow( b, lower, upper );
	double x = upper[0] - lower[0];
	double y = upper[1] - lower[1];
	double z = upper[2] - lower[2];
	return sqrt( x * x + y * y + z * z );
}

static bv_status measure( const bvb_mesh* from, const bvb_mesh* to, const bvb_hausdorff_options* options,
                          bvb_arena* arena, bv_interval* out, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvb_hausdorff_target* target;
	bvb_hausdorff found;
	bv_status status = scratch ? bvb_hausdorff_target_create( to, NULL, 0, scratch, &target, error )
	                           : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		status = bvb_hausdorff_mesh( target, from, options, &found );
		status = status == bv_error_memory ? bvbase_fail_memory( error )
		         : status != bv_ok
		             ? bvbase_fail( error, status,
		                            "the distance of the meshes cannot be measured to a tolerance of %g",
		                            options->relative )
		             : bv_ok;
	}
	bvb_arena_destroy( scratch );
	if ( status == bv_ok )
	{
		*out = ( bv_interval ){ found.lower, found.upper };
	}
	return status;
}

// From the offset of its file to that of another.
static void move( bvb_mesh* mesh, bv_vec3 by )
{
	if ( by.x == 0 && by.y == 0 && by.z == 0 )
	{
		return;
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		mesh->positions[i] = bv_add( mesh->positions[i], by );
	}
}

bv_status bvreport_measure_mesh_distance( const bv_file* before, const bv_file* after,
                                          const bvb_compare_options* options, bvb_arena* arena,
                                          bvreport_mesh_distance* out, bvb_error* error )
{
	bvb_export meshes[2];
	*out = ( bvreport_mesh_distance ){ .known = false };
	if ( !bv_file_get_mesh( before ).has_triangles || !bv_file_get_mesh( after ).has_triangles )
	{
		return bv_ok;
	}
	bv_status status = bvb_export_gather( before, "mesh", arena, meshes, error );
	status = status == bv_ok ? bvb_export_gather( after, "mesh", arena, meshes + 1, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	move( &meshes[1].objects->mesh, bv_sub( meshes[1].offset, meshes[0].offset ) );
	const bvb_mesh* a = &meshes[0].objects->mesh;
	const bvb_mesh* b = &meshes[1].objects->mesh;
	out->known = true;
	out->diagonal = diagonal_of( a, b );
	status = find_equal( a, b, arena, &out->equal, error );
	if ( status != bv_ok || out->equal )
	{
		return status;
	}
	bvb_hausdorff_options how = bvb_hausdorff_options_default();
	how.relative = options->relative;
	how.absolute = options->floor * out->diagonal;
	how.max_regions = options->max_regions;
	status = measure( a, b, &how, arena, &out->from_before, error );
	status = status == bv_ok ? measure( b, a, &how, arena, &out->from_after, error ) : status;
	out->hausdorff = ( bv_interval ){ fmax( out->from_before.lower, out->from_after.lower ),
		                              fmax( out->from_before.upper, out->from_after.upper ) };
	return status;
}
