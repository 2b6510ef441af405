// bvb_build: the bytes are those of the stages called one by one, whatever the triangles come from, and what
// should be fixed is said.

#include "support.h"

#include "bvbuild/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two objects, of which the second one has no area.
static const char two_objects[] =
	"o rock\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
	"o line\nf 1 2 2\n";
// A closed tetrahedron that faces inward.
static const char inside_out[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";

static bvb_build_input text_input( const char* text )
{
	return (
		bvb_build_input ){ .name = "models/rock.obj", .data = text, .size = strlen( text ), .format = "OBJ" };
}

// The recipe in bvbuild/asset.h.
static bvb_bytes build_by_stages( fixture* f, const bvb_build_input* in, const bvb_asset_options* how )
{
	bvb_error error;
	bvb_import import = { 0 };
	bvb_asset asset;
	bvb_bytes bytes = { NULL, 0 };
	bvb_import_options limits = bvb_import_options_default();
	assert_int_equal(
		bvb_import_bytes( in->data, in->size, "obj", in->name, &limits, f->arena, &import, &error ), bv_ok );
	bvb_source source = { .name = "rock.obj", .format = "obj", .side_files = import.side_files };
	memcpy( source.hash, import.hash, sizeof source.hash );
	assert_int_equal( bvb_asset_build( &import.scene, &source, how, f->arena, &asset, &error ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	return bytes;
}

static void bytes_are_those_of_the_stages( void** state )
{
	fixture* f = *state;
	const bvb_named_option named[] = { { "decompose", "2%" }, { "hausdorff", "0.05" }, { "volume", "obb" } };
	bvb_build_options options;
	bvb_build_result built;
	bvb_build_input in = text_input( two_objects );
	assert_int_equal( bvb_build_options_read( named, 3, &options, NULL ), bv_ok );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, NULL ), bv_ok );
	bvb_bytes expected = build_by_stages( f, &in, &options.asset );
	assert_int_equal( built.bytes.size, expected.size );
	assert_memory_equal( built.bytes.data, expected.data, expected.size );
	assert_int_equal( bv_file_get_mesh( built.file ).triangles, 4 );
	assert_true( built.build.total_seconds > 0 && built.build.peak_memory > 0 );
}

static void a_file_gives_what_its_bytes_give( void** state )
{
	fixture* f = *state;
	char path[] = "/tmp/bvb-test-build-XXXXXX.obj";
	int handle = mkstemps( path, 4 );
	FILE* file = fdopen( handle, "wb" );
	fwrite( two_objects, 1, strlen( two_objects ), file );
	fclose( file );
	bvb_build_result by_path;
	bvb_build_result by_bytes;
	bvb_build_input in = { .name = path };
	bv_status status = bvb_build( &in, NULL, f->arena, &by_path, NULL );
	remove( path );
	assert_int_equal( status, bv_ok );
	in.data = two_objects;
	in.size = strlen( two_objects );
	assert_int_equal( bvb_build( &in, NULL, f->arena, &by_bytes, NULL ), bv_ok );
	assert_int_equal( by_bytes.bytes.size, by_path.bytes.size );
	assert_memory_equal( by_bytes.bytes.data, by_path.bytes.data, by_path.bytes.size );
}

// Triangles in memory keep their positions and their order of faces, and equal ones have equal files.
static void triangles_in_memory_are_a_source( void** state )
{
	fixture* f = *state;
	bvb_scene scene = { .mesh = box_mesh( f, 1, 2, 3 ) };
	bvb_build_input in = { .name = "crate", .scene = &scene };
	bvb_build_result built;
	bvb_build_result again;
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, NULL ), bv_ok );
	bv_file_origin origin = bv_file_get_origin( built.file );
	assert_memory_equal( origin.source_name.data, "crate", 5 );
	assert_int_equal( built.message_count, 0 );
	assert_true( built.passes );
	scene.mesh = box_mesh( f, 1, 2, 3 );
	assert_int_equal( bvb_build( &in, NULL, f->arena, &again, NULL ), bv_ok );
	assert_int_equal( again.bytes.size, built.bytes.size );
	assert_memory_equal( again.bytes.data, built.bytes.data, built.bytes.size );
	scene.mesh.positions[0].x = 0.25; // another mesh has another hash
	assert_int_equal( bvb_build( &in, NULL, f->arena, &again, NULL ), bv_ok );
	bv_file_origin other = bv_file_get_origin( again.file );
	assert_memory_not_equal( other.source_hash, origin.source_hash, sizeof origin.source_hash );
}

static void lost_objects_and_bad_findings_are_said( void** state )
{
	fixture* f = *state;
	bvb_build_result built;
	bvb_build_options options = bvb_build_options_default();
	bvb_build_input in = text_input( two_objects );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, NULL ), bv_ok );
	assert_int_equal( built.message_count, 2 );
	assert_int_equal( built.messages[0].kind, bvb_message_problem );
	assert_non_null( strstr( built.messages[0].text, "1 triangle of the source was dropped" ) );
	assert_non_null( strstr( built.messages[0].advice, "without an area" ) );
	assert_int_equal( built.messages[1].kind, bvb_message_lost_object );
	assert_non_null( strstr( built.messages[1].text, "'line'" ) );
	assert_true( built.passes );
	options.strict = true;
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, NULL ), bv_ok );
	assert_false( built.passes );

	in = text_input( inside_out );
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, NULL ), bv_ok );
	assert_int_equal( built.message_count, 1 );
	assert_int_equal( built.messages[0].kind, bvb_message_problem );
	assert_non_null( strstr( built.messages[0].text, "inward" ) );
}

// A glTF node can have any name; bindings split texts at line breaks.
static void messages_have_one_line( void** state )
{
	fixture* f = *state;
	bvb_build_result built;
	const char* names[] = { "rock", "line 1\nline 2\tend" };
	bvb_segment segments[] = { { 0, 0, BVB_NO_NAME, BVB_NO_NAME }, { 12, 1, BVB_NO_NAME, BVB_NO_NAME } };
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	bvb_scene scene = { .segments = segments, .segment_count = 2, .objects = names, .object_count = 2 };
	uint32_t faces[13];
	bvb_triangle triangles[13];
	for ( uint32_t i = 0; i < 13; ++i )
	{
		faces[i] = i;
		triangles[i] = i < 12 ? box.triangles[i] : ( bvb_triangle ){ { 0, 1, 1 } };
	}
	scene.mesh = ( bvb_mesh ){ box.positions, triangles, box.vertex_count, 13, NULL };
	scene.faces = faces;
	bvb_build_input in = { .name = "crate", .scene = &scene };
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, NULL ), bv_ok );
	assert_int_equal( built.message_count, 1 );
	assert_int_equal( built.messages[0].kind, bvb_message_lost_object );
	assert_non_null( strstr( built.messages[0].text, "'line 1?line 2?end'" ) );
}

static void gates_are_checked( void** state )
{
	fixture* f = *state;
	bvb_build_result built;
	bvb_build_options options;
	bvb_error error;
	bvb_build_input in = text_input( two_objects );
	const bvb_named_option some[] = { { "gate", "mesh.closed" },
		                              { "gate", "mesh.triangles > 4" },
		                              { "object", "rock" } };
	assert_int_equal( bvb_build_options_read( some, 3, &options, NULL ), bv_ok );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, NULL ), bv_ok );
	assert_false( built.passes );
	assert_int_equal( built.message_count, 1 );
	assert_int_equal( built.messages[0].kind, bvb_message_gate );
	assert_non_null( strstr( built.messages[0].text, "mesh.triangles > 4" ) );

	const bvb_named_option unknown[] = { { "gate", "mesh.colour == 1" } };
	assert_int_equal( bvb_build_options_read( unknown, 1, &options, NULL ), bv_ok );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, &error ), bv_error_argument );
	assert_non_null( strstr( error.message, "mesh.colour" ) );
}

static void objects_are_selected( void** state )
{
	fixture* f = *state;
	bvb_build_result built;
	bvb_build_options options;
	bvb_error error;
	bvb_build_input in = text_input( two_objects );
	const bvb_named_option missing[] = { { "object", "tree*" } };
	assert_int_equal( bvb_build_options_read( missing, 1, &options, NULL ), bv_ok );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, &error ), bv_error_input );
	assert_string_equal( error.message,
	                     "models/rock.obj: no object matches 'tree*' (--list-objects lists all)" );
	const bvb_named_option there[] = { { "object", "r?ck" } };
	assert_int_equal( bvb_build_options_read( there, 1, &options, NULL ), bv_ok );
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, &error ), bv_ok );
	assert_int_equal( built.message_count, 0 );
}

static void bad_triangles_are_errors( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_build_result built;
	bvb_scene scene = { .mesh = box_mesh( f, 1, 1, 1 ) };
	bvb_build_input in = { .name = "crate", .scene = &scene };
	scene.mesh.triangles[5].corner[2] = 8;
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_input );
	assert_string_equal( error.message, "crate: triangle 5 refers to vertex 8 of 8" );
	scene.mesh.triangles[5].corner[2] = 0;
	scene.mesh.positions[3].y = NAN;
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "crate: " ) );
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, NULL ), bv_error_input );
	scene.mesh.triangle_count = 0;
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_input );
	assert_string_equal( error.message, "crate: no triangles" );
	in = text_input( "v 0 0\n" );
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_input );
	in = ( bvb_build_input ){ .name = "rock", .data = two_objects, .size = strlen( two_objects ) };
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_unsupported );
	in = ( bvb_build_input ){ .name = "/nowhere/rock.obj" };
	assert_int_equal( bvb_build( &in, NULL, f->arena, &built, &error ), bv_error_input );
	assert_string_equal( error.message, "/nowhere/rock.obj: No such file or directory" );
}

static void note_stage( void* context, bvb_stage stage, double done )
{
	(void)done;
	*(unsigned*)context |= 1u << stage;
}

static void progress_names_all_stages( void** state )
{
	fixture* f = *state;
	unsigned stages = 0;
	bvb_build_result built;
	bvb_build_options options = bvb_build_options_default();
	bvb_build_input in = text_input( inside_out );
	options.asset.progress = note_stage;
	options.asset.progress_context = &stages;
	assert_int_equal( bvb_build( &in, &options, f->arena, &built, NULL ), bv_ok );
	const unsigned expected = 1u << bvb_stage_import | 1u << bvb_stage_record | 1u << bvb_stage_hierarchy |
	                          1u << bvb_stage_hull | 1u << bvb_stage_write;
	assert_int_equal( stages & expected, expected );
}

// An arena that is too small for a step gives the error of that step, whichever it is.
static void memory_may_run_out_anywhere( void** state )
{
	(void)state;
	bvb_build_input in = text_input( two_objects );
	int failures = 0;
	bv_status status = bv_error_memory;
	for ( size_t limit = 1 << 10; status != bv_ok; limit += limit / 4 )
	{
		bvb_build_result built;
		bvb_error error;
		bvb_arena* arena = bvb_arena_create_limited( limit );
		status = bvb_build( &in, NULL, arena, &built, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		failures += status != bv_ok;
		bvb_arena_destroy( arena );
		assert_in_range( limit, 0, 1 << 30 );
	}
	assert_in_range( failures, 5, 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bytes_are_those_of_the_stages ),
		fixture_test( a_file_gives_what_its_bytes_give ),
		fixture_test( triangles_in_memory_are_a_source ),
		fixture_test( lost_objects_and_bad_findings_are_said ),
		fixture_test( messages_have_one_line ),
		fixture_test( gates_are_checked ),
		fixture_test( objects_are_selected ),
		fixture_test( bad_triangles_are_errors ),
		fixture_test( progress_names_all_stages ),
		fixture_test( memory_may_run_out_anywhere ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
