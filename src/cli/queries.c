// Queries between two files. See queries.h.

#include "cli/queries.h"

#include "cli/poses.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/report/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles( const void* a, const void* b )
{
	double x = *(const double*)a;
	double y = *(const double*)b;
	return ( x > y ) - ( x < y );
}

// One query and what it found.
typedef union queries_found
{
	bv_collide_result collision;
	bv_distance_result distance;
} queries_found;

// A kind of query: how it is run and what is printed of it.
typedef struct queries_kind
{
	const char* head;
	bv_status ( *run )( const bv_file* a, const bv_file* b, const bv_pose* pose, bool first,
	                    queries_found* out );
	void ( *print )( const queries_found* out );
} queries_kind;

static bv_status run_collision( const bv_file* a, const bv_file* b, const bv_pose* pose, bool first,
                                queries_found* out )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = first;
	bv_transform b_in_a = bv_transform_of_pose( pose );
	return bv_mesh_collide( a, b, &b_in_a, &options, &out->collision );
}

static void print_collision( const queries_found* out )
{
	const bv_collide_result* r = &out->collision;
	printf( "%llu,%llu,%llu", (unsigned long long)r->pairs, (unsigned long long)r->volume_tests,
	        (unsigned long long)r->triangle_tests );
}

static const queries_kind collisions = { "pose,pairs,volume_tests,triangle_tests,microseconds", run_collision,
	                                     print_collision };

static bv_status run_distance( const bv_file* a, const bv_file* b, const bv_pose* pose, bool first,
                               queries_found* out )
{
	(void)first;
	double scratch[BV_DISTANCE_SCRATCH_AMPLE / sizeof( double )];
	bv_distance_options options = { .scratch = scratch, .scratch_bytes = sizeof scratch };
	bv_transform b_in_a = bv_transform_of_pose( pose );
	return bv_mesh_distance( a, b, &b_in_a, &options, &out->distance );
}

static void print_distance( const queries_found* out )
{
	const bv_distance_result* r = &out->distance;
	printf( "%.17g,%u,%u", r->distance, r->a.triangle, r->b.triangle );
	printf( ",%.17g,%.17g,%.17g", r->a.point.x, r->a.point.y, r->a.point.z );
	printf( ",%.17g,%.17g,%.17g", r->b.point.x, r->b.point.y, r->b.point.z );
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->triangle_tests );
}

static const queries_kind distances = {
	"pose,distance,triangle_a,triangle_b,ax,ay,az,bx,by,bz,volume_tests,triangle_tests,microseconds",
	run_distance, print_distance
};

static bv_status print_all( const queries_kind* k, const bv_file* a, const bv_file* b,
                            const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	bv_pose identity = bv_pose_identity();
	bv_pose* poses = &identity;
	uint32_t count = 1;
	bv_status status = bv_ok;
	if ( settings->poses )
	{
		status = read_poses( settings->poses, settings->quiet, arena, &poses, &count, error );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	double* times = bvb_arena_allocate( arena, settings->repeat, sizeof *times );
	if ( !times )
	{
		return bvbase_fail_memory( error );
	}
	printf( "%s\n", k->head );
	for ( uint32_t i = 0; i < count; ++i )
	{
		queries_found out;
		for ( uint32_t n = 0; n < settings->repeat; ++n )
		{
			double start = bvbase_clock();
			status = k->run( a, b, &poses[i], settings->first, &out );
			times[n] = bvbase_clock() - start;
			if ( status != bv_ok )
			{
				return bvbase_fail( error, bv_error_internal, "pose %u: %s", i, bv_status_text( status ) );
			}
		}
		qsort( times, settings->repeat, sizeof *times, compare_doubles );
		printf( "%u,", i );
		k->print( &out );
		printf( ",%.3f\n", 1e6 * times[settings->repeat / 2] );
	}
	return bv_ok;
}

// Lengths of the two are taken as they are.
static void print_units( const char* path, const bv_file* file, const char* other, const bv_file* moved )
{
	const char* unit = bvreport_name_unit( file );
	const char* of_other = bvreport_name_unit( moved );
	if ( strcmp( unit, of_other ) != 0 )
	{
		fprintf( stderr, "bvinspect: different units of length: %s has %s, %s has %s\n", path, unit, other,
		         of_other );
	}
}

static bv_status print_with( const queries_kind* k, const char* path, const bv_file* file, const char* other,
                             const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	bvb_mapping mapping;
	if ( bv_file_get_hierarchy( file ).nodes == 0 )
	{
		return bvbase_fail( error, bv_error_input, "%s: has no hierarchy", path );
	}
	bv_status status = bvb_file_map( other, &mapping, error );
	if ( status == bv_ok && bv_file_get_hierarchy( mapping.file ).nodes == 0 )
	{
		bvb_file_unmap( &mapping );
		return bvbase_fail( error, bv_error_input, "%s: has no hierarchy", other );
	}
	if ( status == bv_ok && !settings->quiet )
	{
		print_units( path, file, other, mapping.file );
	}
	if ( status == bv_ok )
	{
		status = print_all( k, file, mapping.file, settings, arena, error );
		bvb_file_unmap( &mapping );
	}
	return status;
}

bv_status print_collisions( const char* path, const bv_file* file, const char* other,
                            const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	return print_with( &collisions, path, file, other, settings, arena, error );
}

bv_status print_distances( const char* path, const bv_file* file, const char* other,
                           const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	return print_with( &distances, path, file, other, settings, arena, error );
}
