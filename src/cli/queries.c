// Queries between two files. See queries.h.

#include "cli/queries.h"

#include "cli/queries_kind.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/report/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles( const void* a, const void* b )
{
	double x = *(const double*)a;
	double y = *(const double*)b;
	return ( x > y ) - ( x < y );
}

bool query_has_hierarchy( const bv_file* file )
{
	return bv_file_get_hierarchy( file ).nodes > 0;
}

bool query_has_hull( const bv_file* file )
{
	return bv_file_get_hull( file ).vertices > 0;
}

bool query_has_parts( const bv_file* file )
{
	return bv_file_get_decomposition( file ).parts > 0;
}

static bv_status run_collision( const queries_call* call, const queries_place* at, queries_found* out )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = call->settings->first;
	return bv_mesh_collide( call->file[0], call->file[1], &at->b_in_a, &options, &out->collision );
}

static void print_collision( const queries_found* out, uint32_t row )
{
	(void)row;
	const bv_collide_result* r = &out->collision;
	printf( "%llu,%llu,%llu", (unsigned long long)r->pairs, (unsigned long long)r->volume_tests,
	        (unsigned long long)r->triangle_tests );
}

static const queries_kind collisions = {
	"hierarchy",   query_has_hierarchy, "pose,pairs,volume_tests,triangle_tests,microseconds",
	run_collision, print_collision,     NULL,
	NULL,
};

static bv_status run_distance( const queries_call* call, const queries_place* at, queries_found* out )
{
	double scratch[BV_DISTANCE_SCRATCH_AMPLE / sizeof( double )];
	bv_distance_options options = { .scratch = scratch, .scratch_bytes = sizeof scratch };
	return bv_mesh_distance( call->file[0], call->file[1], &at->b_in_a, &options, &out->distance );
}

void query_print_vector( bv_vec3 v )
{
	printf( ",%.17g,%.17g,%.17g", v.x, v.y, v.z );
}

static void print_distance( const queries_found* out, uint32_t row )
{
	(void)row;
	const bv_distance_result* r = &out->distance;
	printf( "%.17g,%u,%u", r->distance, r->a.triangle, r->b.triangle );
	query_print_vector( r->a.point );
	query_print_vector( r->b.point );
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->triangle_tests );
}

static bv_status run_hulls( const queries_call* call, const queries_place* at, queries_found* out )
{
	bv_convex hull[2] = { bv_convex_hull( call->file[0] ), bv_convex_hull( call->file[1] ) };
	double scratch[BV_CONVEX_SCRATCH_AMPLE / sizeof( double )];
	bv_convex_options options = {
		.method = (bv_convex_method)call->settings->method,
		.scratch = scratch,
		.scratch_bytes = sizeof scratch,
	};
	return bv_convex_distance( hull, hull + 1, &at->b_in_a, &options, &out->hulls );
}

static void print_nearest( const bv_convex_result* r )
{
	query_print_vector( r->point[0] );
	query_print_vector( r->point[1] );
	query_print_vector( r->normal );
}

static void print_hulls( const queries_found* out, uint32_t row )
{
	(void)row;
	const bv_convex_result* r = &out->hulls;
	printf( "%.17g,%.17g", r->lower, r->upper );
	print_nearest( r );
	printf( ",%u", r->supports );
}

static bv_status run_parts( const queries_call* call, const queries_place* at, queries_found* out )
{
	bv_compound a = bv_compound_of_parts( call->file[0] );
	bv_compound b = bv_compound_of_parts( call->file[1] );
	double scratch[BV_CONVEX_SCRATCH_AMPLE / sizeof( double )];
	bv_convex_options options = {
		.method = (bv_convex_method)call->settings->method,
		.scratch = scratch,
		.scratch_bytes = sizeof scratch,
	};
	return bv_compound_distance( &a, &b, &at->b_in_a, &options, call->memory, call->bytes, &out->parts );
}

static void print_parts( const queries_found* out, uint32_t row )
{
	(void)row;
	const bv_compound_distance_result* r = &out->parts;
	printf( "%.17g,%.17g,%u,%u", r->nearest.lower, r->nearest.upper, r->leaf[0], r->leaf[1] );
	print_nearest( &r->nearest );
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->pair_tests );
}

static bv_status run_sweep( const queries_call* call, const queries_place* at, queries_found* out )
{
	return bv_sweep_meshes( call->file[0], at->motion, call->file[1], at->motion + 1, NULL, &out->sweep );
}

// A feature of a triangle, as in "edge 1", and its type, as in "edge-face".
typedef struct feature_names
{
	const char* name;
	const char* type;
} feature_names;

static const feature_names features[bv_features] = {
	[bv_feature_corner_0] = { "corner 0", "vertex" }, [bv_feature_corner_1] = { "corner 1", "vertex" },
	[bv_feature_corner_2] = { "corner 2", "vertex" }, [bv_feature_edge_0] = { "edge 0", "edge" },
	[bv_feature_edge_1] = { "edge 1", "edge" },       [bv_feature_edge_2] = { "edge 2", "edge" },
	[bv_feature_face] = { "face", "face" },
};

static void print_contact( const bv_sweep_result* r )
{
	const feature_names* a = features + r->feature[0];
	const feature_names* b = features + r->feature[1];
	printf( "%s,%.17g,", r->certain ? "1" : "unproven", r->lower );
	if ( isfinite( r->upper ) )
	{
		printf( "%.17g", r->upper );
	}
	if ( r->at_start )
	{
		printf( ",overlap" );
	}
	else
	{
		printf( ",%s-%s", a->type, b->type );
	}
	printf( ",%u,%s,%u,%s", r->triangle[0], a->name, r->triangle[1], b->name );
	query_print_vector( r->point[0] );
	query_print_vector( r->normal );
}

static void print_sweep( const queries_found* out, uint32_t row )
{
	(void)row;
	const bv_sweep_result* r = &out->sweep;
	if ( r->found )
	{
		print_contact( r );
	}
	else
	{
		printf( "0,,,,,,,,,,,,," );
	}
	printf( ",%llu,%llu", (unsigned long long)r->volume_tests, (unsigned long long)r->steps );
}

static const queries_kind sweeps = {
	"hierarchy",
	query_has_hierarchy,
	"motion,hit,t_lower,t_upper,kind,triangle_a,feature_a,triangle_b,feature_b,x,y,z,nx,ny,nz,volume_tests,"
	"feature_tests,microseconds",
	run_sweep,
	print_sweep,
	NULL,
	NULL,
};

static const queries_kind distances[query_subjects] = {
	[query_of_mesh] = {
		"hierarchy",
		query_has_hierarchy,
		"pose,distance,triangle_a,triangle_b,ax,ay,az,bx,by,bz,volume_tests,triangle_tests,microseconds",
		run_distance,
		print_distance,
		NULL,
		NULL,
	},
	[query_of_hull] = {
		"hull",
		query_has_hull,
		"pose,lower,upper,ax,ay,az,bx,by,bz,nx,ny,nz,supports,microseconds",
		run_hulls,
		print_hulls,
		"hulls",
		NULL,
	},
	[query_of_parts] = {
		"convex parts (bvbuild --decompose)",
		query_has_parts,
		"pose,lower,upper,part_a,part_b,ax,ay,az,bx,by,bz,nx,ny,nz,volume_tests,pair_tests,microseconds",
		run_parts,
		print_parts,
		"parts",
		NULL,
	},
};

const char* query_subject_name( uint32_t subject )
{
	static const char* const names[query_subjects] = { "mesh", "hull", "parts" };
	return subject < query_subjects ? names[subject] : NULL;
}

const char* query_motion_name( uint32_t motion )
{
	static const char* const names[query_motions] = { "slerp", "nlerp", "screw" };
	return motion < query_motions ? names[motion] : NULL;
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
static bv_status run_often( const queries_kind* k, const queries_call* call, const queries_place* at,
                            double* times, queries_found* out )
{
	for ( uint32_t n = 0; n < call->settings->repeat; ++n )
	{
		double start = bvbase_clock();
		bv_status status = k->run( call, at, out );
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

// The center of mass of the body that bvbuild --density would choose; without one, the center of the axis-aligned box.
static bv_vec3 choose_pivot( const bv_file* file )
{
	bv_body body;
	bv_mass mass;
	if ( bv_file_get_body( file, &body ) )
	{
		return body.mass.center_of_mass;
	}
	if ( bv_file_get_mass( file, bv_mass_of_solid, &mass ) ||
	     bv_file_get_mass( file, bv_mass_of_hull, &mass ) )
	{
		return mass.center_of_mass;
	}
	bv_vec3 least = bv_file_get_vertex( file, 0 );
	bv_vec3 most = least;
	for ( uint32_t i = 1; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		bv_vec3 v = bv_file_get_vertex( file, i );
		least = ( bv_vec3 ){ fmin( least.x, v.x ), fmin( least.y, v.y ), fmin( least.z, v.z ) };
		most = ( bv_vec3 ){ fmax( most.x, v.x ), fmax( most.y, v.y ), fmax( most.z, v.z ) };
	}
	return bv_scale( 0.5, bv_add( least, most ) );
}

static bv_status make_motion( query_motion how, const bv_pose* start, const bv_pose* end, bv_vec3 pivot,
                              bv_motion* out )
{
	bv_transform from = bv_transform_of_pose( start );
	bv_transform to = bv_transform_of_pose( end );
	switch ( how )
	{
	case query_motion_nlerp: return bv_motion_nlerp( &from, &to, pivot, out );
	case query_motion_screw: return bv_motion_screw_between( &from, &to, out );
	case query_motion_slerp:
	case query_motions: break;
	}
	return bv_motion_slerp( &from, &to, pivot, out );
}

static bv_status make_place( const queries_call* call, uint32_t row, queries_place* out, bvb_error* error )
{
	if ( !call->motions )
	{
		out->b_in_a = bv_transform_of_pose( call->poses + row );
		return bv_ok;
	}
	const pose_motion* m = call->motions + row;
	for ( int i = 0; i < 2; ++i )
	{
		bv_status status = make_motion( call->settings->motion_of, m->start + i, m->end + i, call->pivot[i],
		                                out->motion + i );
		if ( status != bv_ok )
		{
			return bvbase_fail( error, bv_error_input, "%s:%u: the motion is out of range",
			                    call->settings->motions, m->line );
		}
	}
	return bv_ok;
}

static bv_status read_places( queries_call* call, bvb_arena* arena, bvb_error* error )
{
	const query_settings* settings = call->settings;
	bv_pose* poses = NULL;
	pose_motion* motions = NULL;
	bv_status status =
		settings->motions
			? read_motions( settings->motions, settings->quiet, arena, &motions, &call->count, error )
			: read_poses( settings->poses, settings->quiet, arena, &poses, &call->count, error );
	call->poses = poses;
	call->motions = motions;
	for ( int i = 0; i < 2 && motions; ++i )
	{
		call->pivot[i] = choose_pivot( call->file[i] );
	}

	// All of them before the first query, so that nothing is printed of a file that is wrong.
	for ( uint32_t i = 0; i < call->count && status == bv_ok; ++i )
	{
		queries_place at;
		status = make_place( call, i, &at, error );
	}
	return status;
}

// @param found  receives how many rows were printed
static bv_status print_row( const queries_kind* k, const queries_call* call, uint32_t row, double* times,
                            uint32_t* rows, bvb_error* error )
{
	queries_place at;
	queries_found out;
	bv_status status = make_place( call, row, &at, error );
	if ( status != bv_ok )
	{
		return status;
	}
	status = run_often( k, call, &at, times, &out );
	if ( status == bv_error_unsupported && k->shapes )
	{
		return fail_method( k, call, error );
	}
	if ( status == bv_error_memory )
	{
		return bvbase_fail_memory( error );
	}
	if ( status == bv_error_argument && call->motions )
	{
		return bvbase_fail( error, bv_error_input, "%s:%u: the files are too far apart",
		                    call->settings->motions, call->motions[row].line );
	}
	if ( status != bv_ok )
	{
		return bvbase_fail( error, bv_error_internal, "%s %u: %s", call->motions ? "motion" : "pose", row,
		                    bv_status_text( status ) );
	}
	if ( row == 0 )
	{
		printf( "%s\n", k->head );
	}
	*rows = k->rows ? k->rows( &out ) : 1;
	for ( uint32_t i = 0; i < *rows; ++i )
	{
		printf( "%u,", row );
		k->print( &out, i );
		printf( ",%.3f\n", 1e6 * times[call->settings->repeat / 2] );
	}
	return bv_ok;
}

static bv_status print_all( const queries_kind* k, queries_call* call, bvb_arena* arena, bvb_error* error )
{
	const query_settings* settings = call->settings;
	bv_pose identity = bv_pose_identity();
	bv_status status = bv_ok;
	call->poses = &identity;
	call->count = 1;
	if ( settings->poses || settings->motions )
	{
		status = read_places( call, arena, error );
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
	uint32_t without = 0;
	uint32_t unresolved = 0;
	for ( uint32_t i = 0; i < call->count && status == bv_ok; ++i )
	{
		uint32_t rows = 0;
		status = print_row( k, call, i, times, &rows, error );
		without += rows == 0;
		unresolved += call->room->unresolved;
	}
	if ( without > 0 && status == bv_ok && !settings->quiet )
	{
		fprintf( stderr, "bvinspect: no contacts in %u of %u poses, which have no rows\n", without,
		         call->count );
	}
	if ( unresolved > 0 && status == bv_ok && !settings->quiet )
	{
		fprintf( stderr, "bvinspect: meshes are deeper in each other than contacts say in %u of %u poses\n",
		         unresolved, call->count );
	}
	return status;
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
		bv_compound a = bv_compound_of_parts( file[0] );
		bv_compound b = bv_compound_of_parts( file[1] );
		call->bytes = bv_compound_distance_bytes( &a, &b );
		call->memory = bvb_arena_allocate( arena, call->bytes, 1 );
		status = call->memory ? bv_ok : bvbase_fail_memory( error );
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
		queries_room room = { .arena = arena };
		queries_call call = {
			.path = { path, other }, .file = { file, mapping.file }, .settings = settings, .room = &room
		};
		status = print_between( k, &call, arena, error );
		bvb_file_unmap( &mapping );
	}
	return status;
}

bv_status print_collisions( const char* path, const bv_file* file, const char* other,
                            const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	return print_with( settings->motions ? &sweeps : &collisions, path, file, other, settings, arena, error );
}

bv_status print_distances( const char* path, const bv_file* file, const char* other,
                           const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	return print_with( distances + settings->of, path, file, other, settings, arena, error );
}

bv_status print_contacts( const char* path, const bv_file* file, const char* other,
                          const query_settings* settings, bvb_arena* arena, bvb_error* error )
{
	return print_with( query_contact_kinds + settings->of, path, file, other, settings, arena, error );
}
