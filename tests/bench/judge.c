// Hierarchies in memory and queries on them. See judge.h.

#include "tests/bench/judge.h"

#include "offline/base/error.h"

#include <glob.h>
#include <math.h>

static bv_status collect( const char* path, judge_mesh* mesh, bvb_import* import,
                          const bvb_record_options* record, bvb_scene* scene, bvb_error* error )
{
	bvb_import_options options = bvb_import_options_default();
	bvb_items items;
	bv_status status = bvb_import_file( path, &options, mesh->arena, import, error );
	if ( status == bv_ok )
	{
		mesh->source = import->scene.mesh;
		status = bvb_scene_sort_out( &import->scene, bvb_proxies_use, mesh->arena, &items, error );
	}
	return status == bv_ok
	           ? bvb_scene_collect( &import->scene, &items, NULL, record, mesh->arena, scene, error )
	           : status;
}

bv_status judge_load( const char* path, bvb_position_form positions, judge_mesh* out, bvb_error* error )
{
	*out = ( judge_mesh ){ .arena = bvb_arena_create() };
	if ( !out->arena )
	{
		return bvbase_fail_memory( error );
	}
	bvb_asset_options options = bvb_asset_options_default();
	options.record.normalize = true;
	options.record.positions = positions;
	options.hierarchy.max_depth = 0;
	options.hierarchy.threads = 1;
	options.errors.relative = 0;
	bvb_import import;
	bvb_scene scene;
	bv_status status = collect( path, out, &import, &options.record, &scene, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvb_source source = { .name = name_of( path ), .format = import.format };
	return bvb_asset_build( &scene, &source, &options, out->arena, &out->asset, error );
}

void judge_unload( judge_mesh* mesh )
{
	bvb_arena_destroy( mesh->arena );
	mesh->arena = NULL;
}

static void* copy( bvb_arena* arena, const void* from, size_t count, size_t size )
{
	void* to = bvb_arena_allocate( arena, count, size );
	return to ? memcpy( to, from, count * size ) : NULL;
}

// The tree orders its mesh, so each has its own.
static bool copy_mesh( const bvb_mesh* from, bvb_arena* arena, bvb_mesh* to )
{
	*to = *from;
	to->positions = copy( arena, from->positions, from->vertex_count, sizeof *to->positions );
	to->triangles = copy( arena, from->triangles, from->triangle_count, sizeof *to->triangles );
	if ( from->origin )
	{
		to->origin = copy( arena, from->origin, from->triangle_count, sizeof *to->origin );
	}
	return to->positions && to->triangles && ( to->origin || !from->origin );
}

static uint32_t depth_of( const bvb_tree* tree, bvb_arena* arena, bool* done )
{
	uint32_t count = bvb_tree_node_count( tree );
	uint8_t* level = bvb_arena_allocate( arena, count, sizeof *level );
	uint32_t depth = 0;
	for ( uint32_t i = 0; level && i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		depth = level[i] > depth ? level[i] : depth;
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			level[node.first_child + k] = (uint8_t)( level[i] + 1 );
		}
	}
	*done = level;
	return depth;
}

// 0 if there is none.
static size_t section_bytes( const bv_file* file, const char* name )
{
	size_t bytes = 0;
	for ( uint32_t i = 0; i < bv_file_get_info( file ).section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		bytes += memcmp( section.name, name, 4 ) == 0 ? (size_t)section.bytes : 0;
	}
	return bytes;
}

// How long the file is does not depend on what the errors are: zeros do.
static bv_status count_bytes( judge_tree* tree, bvb_error* error )
{
	bvb_asset asset = tree->asset;
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	asset.options.errors = options;
	bvb_tree_errors* errors = &asset.errors;
	*errors = ( bvb_tree_errors ){ .relative = options.relative, .floor = options.floor };
	errors->node_count = bvb_tree_node_count( tree->asset.tree );
	errors->level_count = tree->depth + 1;
	errors->nodes = bvb_arena_allocate( tree->arena, errors->node_count, sizeof *errors->nodes );
	errors->levels = bvb_arena_allocate( tree->arena, errors->level_count, sizeof *errors->levels );
	if ( !errors->nodes || !errors->levels )
	{
		return bvbase_fail_memory( error );
	}
	bvb_bytes bytes;
	bv_status status = bvb_asset_encode( &asset, tree->arena, &bytes, error );
	const bv_file* file;
	if ( status == bv_ok && bv_file_open( bytes.data, bytes.size, &file ) != bv_ok )
	{
		status = bvbase_fail( error, bv_error_internal, "the file with errors is not valid" );
	}
	if ( status == bv_ok )
	{
		tree->bytes = bytes.size;
		tree->tree_bytes = section_bytes( file, "NODE" ) + section_bytes( file, "ERRS" );
	}
	return status;
}

static bv_status open( judge_tree* tree, bvb_error* error )
{
	bvb_bytes bytes;
	bv_status status = bvb_asset_encode( &tree->asset, tree->arena, &bytes, error );
	const char* reason = NULL;
	if ( status == bv_ok && bv_file_open_explained( bytes.data, bytes.size, &tree->file, &reason ) != bv_ok )
	{
		status = bvbase_fail( error, bv_error_internal, "the file just made is not valid: %s", reason );
	}
	return status;
}

bv_status judge_build( const judge_mesh* mesh, const bvb_hierarchy_options* options, judge_tree* out,
                       bvb_error* error )
{
	*out = ( judge_tree ){ .arena = bvb_arena_create(), .asset = mesh->asset };
	bvb_asset* asset = &out->asset;
	asset->options.hierarchy = *options;
	asset->options.hierarchy.threads = 1;
	if ( !out->arena || !copy_mesh( &mesh->asset.record.mesh, out->arena, &asset->record.mesh ) )
	{
		return bvbase_fail_memory( error );
	}
	double start = core_now();
	bv_status status = bvb_hierarchy_build( &asset->record.mesh, &asset->options.hierarchy, out->arena,
	                                        &asset->tree, error );
	status =
		status == bv_ok ? bvb_tree_snap( asset->tree, &asset->record.mesh, 1, out->arena, error ) : status;
	out->seconds = core_now() - start;
	if ( status == bv_ok )
	{
		// Again, because vertices have other numbers now.
		status = bvb_hull_compute( asset->record.mesh.positions, asset->record.mesh.vertex_count, out->arena,
		                           &asset->hull, error );
	}
	if ( status == bv_ok )
	{
		bool done;
		bvb_tree_improve_root( asset->tree, options->volume_types, &asset->bounds.obb );
		out->depth = depth_of( asset->tree, out->arena, &done );
		status = done ? open( out, error ) : bvbase_fail_memory( error );
	}
	return status == bv_ok ? count_bytes( out, error ) : status;
}

void judge_fell( judge_tree* tree )
{
	bvb_arena_destroy( tree->arena );
	tree->arena = NULL;
}

static bool name_meshes( const char* path, judge_poses* out )
{
	const char* name = name_of( path );
	const char* middle = strstr( name, "__" );
	const char* end = strrchr( name, '.' );
	if ( !middle || !end || end < middle + 2 )
	{
		return false;
	}
	int a = snprintf( out->a, sizeof out->a, "%.*s", (int)( middle - name ), name );
	int b = snprintf( out->b, sizeof out->b, "%.*s", (int)( end - middle - 2 ), middle + 2 );
	return a > 0 && b > 0 && a < (int)sizeof out->a && b < (int)sizeof out->b;
}

static bool parse_pose( const char* line, judge_pose* out )
{
	double value[14];
	char* at = (char*)line;
	for ( int i = 0; i < 14; ++i )
	{
		const char* start = at;
		value[i] = strtod( start, &at );
		if ( at == start || ( *at != ',' && i < 13 ) )
		{
			return false;
		}
		at += *at == ',';
	}
	out->offset = value[0];
	memcpy( out->pose.rotation, value + 1, sizeof out->pose.rotation );
	out->pose.translation = ( bv_vec3 ){ value[10], value[11], value[12] };
	out->pairs = (uint64_t)value[13];
	return bv_pose_is_rigid( &out->pose );
}

static const char pose_columns[] = "offset,r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz,triangle_pairs";

bv_status judge_read_poses( const char* path, bvb_arena* arena, judge_poses* out, bvb_error* error )
{
	*out = ( judge_poses ){ .poses = NULL };
	if ( !name_meshes( path, out ) )
	{
		return bvbase_fail( error, bv_error_input, "%s: is not called A__B.csv", path );
	}
	FILE* file = fopen( path, "r" );
	char line[1024];
	if ( !file || !fgets( line, sizeof line, file ) ||
	     strncmp( line, pose_columns, sizeof pose_columns - 1 ) != 0 )
	{
		if ( file )
		{
			fclose( file );
		}
		return bvbase_fail( error, bv_error_input, "%s: is no pose file", path );
	}
	uint32_t room = 0;
	bv_status status = bv_ok;
	while ( status == bv_ok && fgets( line, sizeof line, file ) )
	{
		if ( out->count == room )
		{
			judge_pose* old = out->poses;
			room = room ? 2 * room : 512;
			out->poses = bvb_arena_allocate( arena, room, sizeof *out->poses );
			if ( out->poses && old )
			{
				memcpy( out->poses, old, out->count * sizeof *old );
			}
		}
		status = !out->poses ? bvbase_fail_memory( error )
		         : parse_pose( line, out->poses + out->count )
		             ? bv_ok
		             : bvbase_fail( error, bv_error_input, "%s:%u: is no pose", path, out->count + 2 );
		out->count += 1;
	}
	fclose( file );
	return status == bv_ok && out->count == 0 ? bvbase_fail( error, bv_error_input, "%s: has no poses", path )
	                                          : status;
}

bool judge_find_mesh( const char* folder, const char* name, char* path, size_t size )
{
	char pattern[4096];
	snprintf( pattern, sizeof pattern, "%s/%s.*", folder, name );
	glob_t found;
	bool any = glob( pattern, 0, NULL, &found ) == 0 && found.gl_pathc > 0;
	if ( any )
	{
		snprintf( path, size, "%s", found.gl_pathv[0] );
	}
	globfree( &found );
	return any;
}

double judge_time( const judge_tree* a, const judge_tree* b, const judge_poses* poses, double offset,
                   bool first )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = first;
	double start = core_now();
	for ( uint32_t i = 0; i < poses->count; ++i )
	{
		bv_collide_result result;
		if ( offset == judge_all_offsets || poses->poses[i].offset == offset )
		{
			bv_transform there = bv_transform_of_pose( &poses->poses[i].pose );
			bv_mesh_collide( a->file, b->file, &there, &options, &result );
		}
	}
	return core_now() - start;
}

judge_counts judge_collide( const judge_tree* a, const judge_tree* b, const judge_poses* poses, int repeats )
{
	judge_counts counts = { .seconds = INFINITY };
	bv_collide_options options = bv_collide_options_default();
	options.counts = &counts.tests;
	for ( uint32_t i = 0; i < poses->count; ++i )
	{
		bv_collide_result result = { 0 };
		bv_transform b_in_a = bv_transform_of_pose( &poses->poses[i].pose );
		bv_status status = bv_mesh_collide( a->file, b->file, &b_in_a, &options, &result );
		counts.volume_tests += result.volume_tests;
		counts.triangle_tests += result.triangle_tests;
		counts.wrong += status != bv_ok || result.pairs != poses->poses[i].pairs;
	}
	for ( int i = 0; i < repeats; ++i )
	{
		counts.seconds = fmin( counts.seconds, judge_time( a, b, poses, judge_all_offsets, false ) );
	}
	return counts;
}

double judge_cost( const judge_counts* counts, const bv_costs* costs )
{
	const bv_test_counts* tests = &counts->tests;
	double sum = costs->triangles * (double)counts->triangle_tests +
	             costs->opening * (double)tests->openings + costs->leaf * (double)tests->leaves;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			sum += costs->volumes[i][k] * (double)tests->volumes[i][k];
		}
	}
	return sum;
}
