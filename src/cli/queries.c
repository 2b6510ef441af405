// Queries between two files. See queries.h.

#include "cli/queries.h"

#include "cli/part_distance.h"
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

// Two files and what is asked of them.
typedef struct queries_call
{
	const char* path[2];
	const bv_file* file[2];
	const query_settings* settings;
	part_distance_waiting* waiting; // for kinds that search parts
} queries_call;

// One query and what it found.
typedef union queries_found
{
	bv_collide_result collision;
	bv_distance_result distance;
	bv_convex_result hulls;
	part_distance parts;
} queries_found;

// A kind of query: what it needs of a file, how it is run and what is printed of it.
typedef struct queries_kind
{
	const char* needed; // as in "has no hull"
	bool ( *has )( const bv_file* file );
	const char* head;
	bv_status ( *run )( const queries_call* call, const bv_transform* b_in_a, queries_found* out );
	void ( *print )( const queries_found* out );
	const char* shapes; // that a method may not compare; null for queries without methods
} queries_kind;

static bool has_hierarchy( const bv_file* file )
{
	return bv_file_get_hierarchy( file ).nodes > 0;
}

static bool has_hull( const bv_file* file )
{
	return bv_file_get_hull( file ).vertices > 0;
}

static bool has_parts( const bv_file* file )
{
	return bv_file_get_decomposition( file ).parts > 0;
}

static bv_status run_collision( const queries_call* call, const bv_transform* b_in_a, queries_found* out )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = call->settings->first;
	return bv_mesh_collide( call->file[0], call->file[1], b_in_a, &options, &out->collision );
}

static void print_collision( const queries_found* out )
{
	const bv_collide_result* r = &out->collision;
	printf( "%llu,%llu,%llu", (unsigned long long)r->pairs, (unsigned long long)r->volume_tests,
	        (unsigned long long)r->triangle_tests );
}

static const queries_kind collisions = {
	"hierarchy",   has_hierarchy,   "pose,pairs,volume_tests,triangle_tests,microseconds",
	run_collision, print_collision, NULL,
};

static bv_status run_distance( const queries_call* call, const bv_transform* b_in_a, queries_found* out )
{
	double scratch[BV_DISTANCE_SCRATCH_AMPLE / sizeof( double )];
	bv_distance_options options = { .scratch = scratch, .scratch_bytes = sizeof scratch };
	return bv_mesh_distance( call->file[0], call->file[1], b_in_a, &options, &out->distance );
}

static void print_vector( bv_vec3 v )
{
	printf( ",%.17g,%.17g,%.17g", v.x, v.y, v.z );
}

static void print_distance( const queries_found* out )
{
	const bv_distance_result* r = &out->distance;
	printf( "%.17g,%u,%u", r->distance, r->a.triangle, r->b.triangle );
	print_vector( r->a.point );
	print_vector( r->b.point );
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->triangle_tests );
}

static bv_status run_hulls( const queries_call* call, const bv_transform* b_in_a, queries_found* out )
{
	bv_convex hull[2] = { bv_convex_hull( call->file[0] ), bv_convex_hull( call->file[1] ) };
	double scratch[BV_CONVEX_SCRATCH_AMPLE / sizeof( double )];
	bv_convex_options options = {
		.method = (bv_convex_method)call->settings->method,
		.scratch = scratch,
		.scratch_bytes = sizeof scratch,
	};
	return bv_convex_distance( hull, hull + 1, b_in_a, &options, &out->hulls );
}

static void print_nearest( const bv_convex_result* r )
{
	print_vector( r->point[0] );
	print_vector( r->point[1] );
	print_vector( r->normal );
}

static void print_hulls( const queries_found* out )
{
	const bv_convex_result* r = &out->hulls;
	printf( "%.17g,%.17g", r->lower, r->upper );
	print_nearest( r );
	printf( ",%u", r->supports );
}

static bv_status run_parts( const queries_call* call, const bv_transform* b_in_a, queries_found* out )
{
	return part_distance_find( call->file[0], call->file[1], b_in_a, (bv_convex_method)call->settings->method,
	                           call->waiting, &out->parts );
}

static void print_parts( const queries_found* out )
{
	const part_distance* r = &out->parts;
	printf( "%.17g,%.17g,%u,%u", r->nearest.lower, r->nearest.upper, r->part[0], r->part[1] );
	print_nearest( &r->nearest );
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->pair_tests );
}

static const queries_kind distances[query_subjects] = {
	[query_of_mesh] = {
		"hierarchy",
		has_hierarchy,
		"pose,distance,triangle_a,triangle_b,ax,ay,az,bx,by,bz,volume_tests,triangle_tests,microseconds",
		run_distance,
		print_distance,
		NULL,
	},
	[query_of_hull] = {
		"hull",
		has_hull,
		"pose,lower,upper,ax,ay,az,bx,by,bz,nx,ny,nz,supports,microseconds",
		run_hulls,
		print_hulls,
		"hulls",
	},
	[query_of_parts] = {
		"convex parts (bvbuild --decompose)",
		has_parts,
		"pose,lower,upper,part_a,part_b,ax,ay,az,bx,by,bz,nx,ny,nz,volume_tests,pair_tests,microseconds",
		run_parts,
		print_parts,
		"parts",
	},
};

const char* query_subject_name( uint32_t subject )
{
	static const char* const names[query_subjects] = { "mesh", "hull", "parts" };
	return subject < query_subjects ? names[subject] : NULL;
}

const char* query_method_name( uint32_t method, const char** summary )
{
	if ( summary && method < bv_convex_methods )
	{
		*summary = bv_convex_method_help( (bv_convex_method)method );
	}
	return bv_convex_method_name( (bv_convex_method)method );
}

// @param times  receives the duration of each run, ascending
static bv_status run_often( const queries_kind* k, const queries_call* call, const bv_pose* pose,
                            double* times, queries_found* out )
{
	bv_transform b_in_a = bv_transform_of_pose( pose );
	for ( uint32_t n = 0; n < call->settings->repeat; ++n )
	{
		double start = bvbase_clock();
		bv_status status = k->run( call, &b_in_a, out );
		times[n] = bvbase_clock() - start;
		if ( status != bv_ok )
		{
			return status;
		}
	}
	qsort( times, call->settings->repeat, sizeof *times, compare_doubles );
	return bv_ok;
}

static bv_status fail_method( const queries_kind* k, const queries_call* call, bvb_error* error )
{
	bv_convex_method method = (bv_convex_method)call->settings->method;
	bool needs_faces = method == bv_convex_method_sat || method == bv_convex_method_vclip;
	return bvbase_fail( error, bv_error_unsupported, "%s and %s: --method %s does not compare these %s%s",
	                    call->path[0], call->path[1], bv_convex_method_name( method ), k->shapes,
	                    needs_faces ? " without their faces (bvbuild --sections hull-topology)" : "" );
}

static bv_status print_all( const queries_kind* k, const queries_call* call, bvb_arena* arena,
                            bvb_error* error )
{
	const query_settings* settings = call->settings;
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
	for ( uint32_t i = 0; i < count; ++i )
	{
		queries_found out;
		status = run_often( k, call, poses + i, times, &out );
		if ( status == bv_error_unsupported && k->shapes )
		{
			return fail_method( k, call, error );
		}
		if ( status != bv_ok )
		{
			return bvbase_fail( error, bv_error_internal, "pose %u: %s", i, bv_status_text( status ) );
		}
		if ( i == 0 )
		{
			printf( "%s\n", k->head );
		}
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

static bv_status check_content( const queries_kind* k, const char* path, const bv_file* file,
                                bvb_error* error )
{
	return k->has( file ) ? bv_ok : bvbase_fail( error, bv_error_input, "%s: has no %s", path, k->needed );
}

static bv_status print_between( const queries_kind* k, queries_call* call, bvb_arena* arena,
                                bvb_error* error )
{
	const bv_file* const* file = call->file;
	bv_status status = check_content( k, call->path[1], file[1], error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( k->run == run_parts )
	{
		call->waiting = bvb_arena_allocate( arena, part_distance_most_waiting( file[0], file[1] ),
		                                    sizeof *call->waiting );
		status = call->waiting ? bv_ok : bvbase_fail_memory( error );
	}
	if ( status == bv_ok && !call->settings->quiet )
	{
		print_units( call->path[0], file[0], call->path[1], file[1] );
	}
	return status == bv_ok ? print_all( k, call, arena, error ) : status;
}

static bv_status print_with( const queries_kind* k, const char* path, const bv_file* file, const char* other,
                             const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	bvb_mapping mapping;
	bv_status status = check_content( k, path, file, error );
	status = status == bv_ok ? bvb_file_map( other, &mapping, error ) : status;
	if ( status == bv_ok )
	{
		queries_call call = { .path = { path, other }, .file = { file, mapping.file }, .settings = settings };
		status = print_between( k, &call, arena, error );
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
	return print_with( distances + settings->of, path, file, other, settings, arena, error );
}
