// Side files: which ones an import lists, what it records about them, what a .bvh file stores, and that
// invalid lists from the child process are rejected.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/bvbuild.h"
#include "formats/assimp/assimp.h"
#include "formats/assimp/transport.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	char folder[64];
	char before[4096];
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	strcpy( f->folder, "/tmp/side-files-XXXXXX" );
	*state = f;
	return f->arena && getcwd( f->before, sizeof f->before ) && mkdtemp( f->folder ) &&
	               chdir( f->folder ) == 0 && mkdir( "in", 0777 ) == 0
	           ? 0
	           : -1;
}

static int tear_down( void** state )
{
	fixture* f = *state;
	char command[128];
	snprintf( command, sizeof command, "rm -rf %s", f->folder );
	int result = chdir( f->before ) == 0 && system( command ) == 0 ? 0 : -1;
	bvb_arena_destroy( f->arena );
	free( f );
	return result;
}

static void write_bytes( const char* path, const void* bytes, size_t size )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, size, file ), size );
	assert_int_equal( fclose( file ), 0 );
}

static bv_status import( fixture* f, const char* path )
{
	bvb_import_options options = bvb_import_options_default();
	f->error.message[0] = 0;
	return bvb_import_file( path, &options, f->arena, &f->import, &f->error );
}

// The extension gives glTF to the reader of this library; Assimp reads it in its child process.
static bv_status import_by_assimp( fixture* f, const char* path )
{
	bvb_import_options options = bvb_import_options_default();
	f->error.message[0] = 0;
	memset( &f->import, 0, sizeof f->import );
	bv_status status = bvb_hash_file( path, f->import.hash, &f->import.format, f->arena, &f->error );
	return status == bv_ok ? bvassimp_read_assimp( path, "gltf", &options, f->arena, &f->import, &f->error )
	                       : status;
}

// A triangle of height `z`, 3 positions in binary32 and 3 indices.
static void make_buffer( float z, uint8_t out[44] )
{
	const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 0, z };
	const uint16_t indices[3] = { 0, 1, 2 };
	memset( out, 0, 44 );
	memcpy( out, positions, sizeof positions );
	memcpy( out + 36, indices, sizeof indices );
}

static void write_gltf( const char* path, const char* buffer )
{
	char text[1024];
	int length = snprintf(
		text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
		"\"buffers\":[{\"byteLength\":44,\"uri\":\"%s\"}],\"images\":[{\"uri\":\"wood.png\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}]"
		","
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
		"{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}]}",
		buffer );
	write_bytes( path, text, (size_t)length );
}

static void hash_of( const void* bytes, size_t size, uint8_t out[16] )
{
	XXH128_canonical_t canonical;
	XXH128_canonicalFromHash( &canonical, XXH3_128bits( bytes, size ) );
	memcpy( out, canonical.digest, 16 );
}

static void expect_file( const fixture* f, uint32_t index, const char* name, bvb_side_file_use use,
                         const void* bytes, size_t size )
{
	assert_true( index < f->import.side_files.count );
	const bvb_side_file* file = &f->import.side_files.files[index];
	uint8_t hash[16] = { 0 };
	if ( use == bvb_side_file_read )
	{
		hash_of( bytes, size, hash );
	}
	assert_string_equal( file->name, name );
	assert_int_equal( file->use, use );
	assert_memory_equal( file->hash, hash, sizeof hash );
}

// The texture is named and not read.
static void a_buffer_that_is_read_is_named_from_the_inputs_folder( void** state )
{
	fixture* f = *state;
	uint8_t buffer[44];
	char absolute[4200];
	make_buffer( 1, buffer );
	write_bytes( "in/box b.bin", buffer, sizeof buffer );
	write_bytes( "in/wood.png", "x", 1 );
	write_gltf( "in/t.gltf", "box b.bin" );
	snprintf( absolute, sizeof absolute, "%s/in/t.gltf", f->folder );
	const char* const spellings[] = { "in/t.gltf",       "./in//t.gltf", absolute,
		                              "in/../in/t.gltf", "t.gltf",       "./t.gltf" };
	for ( int i = 0; i < 6; ++i )
	{
		assert_int_equal( chdir( i < 4 ? f->folder : "in" ), 0 );
		assert_int_equal( import( f, spellings[i] ), bv_ok );
		assert_int_equal( f->import.side_files.count, 1 );
		expect_file( f, 0, "box b.bin", bvb_side_file_read, buffer, sizeof buffer );
		assert_int_equal( chdir( f->folder ), 0 );
	}
}

static void a_file_above_the_folder_is_named_as_the_input_has_it( void** state )
{
	fixture* f = *state;
	uint8_t buffer[44];
	make_buffer( 1, buffer );
	write_bytes( "shared.bin", buffer, sizeof buffer );
	write_gltf( "in/t.gltf", "../shared.bin" );
	assert_int_equal( import( f, "in/t.gltf" ), bv_ok );
	assert_int_equal( f->import.side_files.count, 1 );
	expect_file( f, 0, "../shared.bin", bvb_side_file_read, buffer, sizeof buffer );
}

static void a_file_in_the_working_folder_is_not_looked_at( void** state )
{
	fixture* f = *state;
	uint8_t buffer[44];
	uint8_t other[44];
	make_buffer( 1, buffer );
	make_buffer( 2, other );
	write_bytes( "box.bin", buffer, sizeof buffer );
	write_bytes( "in/box.bin", other, sizeof other );
	write_gltf( "in/t.gltf", "box.bin" );
	assert_int_equal( import( f, "in/t.gltf" ), bv_ok );
	assert_true( f->import.scene.mesh.positions[2].z == 2 );
	expect_file( f, 0, "box.bin", bvb_side_file_read, other, sizeof other );

	// Assimp looks there first.
	assert_int_equal( import_by_assimp( f, "in/t.gltf" ), bv_ok );
	bool working = f->import.scene.mesh.positions[2].z == 1;
	expect_file( f, 0, working ? "../box.bin" : "box.bin", bvb_side_file_read, working ? buffer : other, 44 );
}

static void a_buffer_that_is_missing_is_listed( void** state )
{
	fixture* f = *state;
	remove( "in/box.bin" );
	write_gltf( "in/t.gltf", "./box.bin" );
	assert_int_equal( import( f, "in/t.gltf" ), bv_error_input );
	assert_string_equal( f->error.message, "in/t.gltf: buffers[0]: box.bin: No such file or directory" );
	assert_int_equal( f->import.side_files.count, 1 );
	expect_file( f, 0, "box.bin", bvb_side_file_missing, NULL, 0 );
}

// The reader of SMD looks for a list of animations, which are none of the mesh's business but are read.
static void a_file_that_is_looked_for_in_vain_is_missing( void** state )
{
	fixture* f = *state;
	static const char smd[] =
		"version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\nm.bmp\n"
		"0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 0 0\n0 0 1 0 0 0 1 0 0\nend\n";
	write_bytes( "in/t.smd", smd, sizeof smd - 1 );
	assert_int_equal( import( f, "in/t.smd" ), bv_ok );
	assert_int_equal( f->import.side_files.count, 1 );
	expect_file( f, 0, "t_animation.txt", bvb_side_file_missing, NULL, 0 );

	write_bytes( "in/t_animation.txt", "idle t.smd\n", 11 );
	assert_int_equal( import( f, "in/t.smd" ), bv_ok );
	expect_file( f, 0, "t_animation.txt", bvb_side_file_read, "idle t.smd\n", 11 );
}

static void material_libraries_are_named( void** state )
{
	fixture* f = *state;
	static const char obj[] =
		"mtllib b.mtl\r\nmtllib  a.mtl # of two\nmtllib b.mtl\nmtllib old rock.mtl\nmtllib\n"
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	write_bytes( "t.obj", obj, sizeof obj - 1 );
	assert_int_equal( import( f, "t.obj" ), bv_ok );
	const char* const names[] = { "a.mtl", "b.mtl", "old", "old rock.mtl", "rock.mtl" };
	assert_int_equal( f->import.side_files.count, 5 );
	for ( uint32_t i = 0; i < 5; ++i )
	{
		expect_file( f, i, names[i], bvb_side_file_named, NULL, 0 );
	}
}

// One process writes one of two buffers again and again. What is imported is the one whose hash is recorded, or nothing.
static void expect_what_was_read( fixture* f, bv_status ( *read )( fixture* f, const char* path ),
                                  bool may_change )
{
	uint8_t buffers[2][44];
	make_buffer( 1, buffers[0] );
	make_buffer( 2, buffers[1] );
	write_bytes( "in/box.bin", buffers[0], 44 );
	write_gltf( "in/t.gltf", "box.bin" );
	pid_t writer = fork();
	if ( writer == 0 )
	{
		int file = open( "in/box.bin", O_WRONLY );
		for ( uint32_t i = 0; pwrite( file, buffers[i & 1], 44, 0 ) == 44; ++i )
		{
			usleep( i % 7 * 1000 );
		}
		_exit( 1 );
	}
	int good = 0;
	int tried = 0;

	// The writer need not get its turn at the right time in the first hundred.
	while ( tried < 100 || ( may_change && good == tried && tried < 5000 ) )
	{
		++tried;
		bv_status status = read( f, "in/t.gltf" );
		if ( status == bv_ok )
		{
			bool second = f->import.scene.mesh.positions[2].z == 2;
			expect_file( f, 0, "box.bin", bvb_side_file_read, buffers[second], 44 );
			++good;
		}
		else
		{
			assert_string_equal( f->error.message, "in/t.gltf: box.bin changed while it was read" );
			assert_int_equal( status, bv_error_input );
		}
	}
	kill( writer, SIGKILL );
	waitpid( writer, NULL, 0 );
	assert_int_equal( read( f, "in/t.gltf" ), bv_ok );
	assert_true( may_change ? good < tried : good == tried );
}

// Assimp opens files when it likes. The reader of this library reads each once.
static void what_is_recorded_is_what_was_read( void** state )
{
	expect_what_was_read( *state, import_by_assimp, true );
	expect_what_was_read( *state, import, false );
}

// What a child leaves: a triangle, and two side files.
typedef struct transport
{
	bvassimp_report report;
	bv_vec3 positions[3];
	bvb_triangle triangle;
	uint32_t face;
	bvb_segment segment;
	char names[2];
	char files[2 * sizeof( bvassimp_file )];
	char file_names[6];
} transport;

static const transport good = {
	.report = { .outcome = bvassimp_scene,
	            .vertex_count = 3,
	            .triangle_count = 1,
	            .segment_count = 1,
	            .object_count = 1,
	            .file_count = 2,
	            .name_bytes = 2,
	            .file_name_bytes = 6 },
	.triangle = { { 0, 1, 2 } },
	.segment = { 0, 0, BVB_NO_NAME, BVB_NO_NAME },
	.names = { 'a', 0 },
	.file_names = { 'b', 0, 'b', 'c', 'd', 0 },
};

static bv_status take( fixture* f, const transport* t )
{
	int file = memfd_create( "test", 0 );
	size_t size = offsetof( transport, file_names ) + sizeof t->file_names;
	assert_int_equal( write( file, t, size ), (ssize_t)size );
	f->import = ( bvb_import ){ 0 };
	bv_status status = bvassimp_take( "t.fbx", "fbx", file, f->arena, &f->import, &f->error );
	close( file );
	return status;
}

static void what_a_child_leaves_is_checked( void** state )
{
	fixture* f = *state;
	transport t = good;
	const bvassimp_file missing = { .missing = 7 };
	memset( t.files, 0xab, sizeof( bvassimp_file ) - sizeof( uint32_t ) );
	memcpy( t.files + sizeof missing, &missing, sizeof missing );
	assert_int_equal( take( f, &t ), bv_ok );
	assert_int_equal( f->import.side_files.count, 2 );
	assert_string_equal( f->import.side_files.files[0].name, "b" );
	assert_int_equal( f->import.side_files.files[0].use, bvb_side_file_read );
	assert_int_equal( f->import.side_files.files[0].hash[15], 0xab );
	assert_string_equal( f->import.side_files.files[1].name, "bcd" );
	assert_int_equal( f->import.side_files.files[1].use, bvb_side_file_missing );

	static const char names[][6] = { { 'b', 'b', 'b', 'c', 'd', 0 }, { 'b', 0, 'b', 'c', 'd', 'e' },
		                             { 'b', 0, 'b', 0, 'd', 0 },     { 'c', 0, 'b', 'c', 'd', 0 },
		                             { 0, 'b', 'b', 'c', 'd', 0 },   { 0, 0, 0, 0, 0, 0 } };
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		t = good;
		memcpy( t.file_names, names[i], sizeof t.file_names );
		assert_int_equal( take( f, &t ), bv_error_input );
		assert_string_equal( f->error.message, "t.fbx: the importer crashed (damaged result)" );
	}
	const uint64_t sizes[] = { 0, 5, 7, UINT64_MAX, UINT64_MAX - 39, (uint64_t)1 << 63 };
	for ( int i = 0; i < 6; ++i )
	{
		t = good;
		t.report.file_name_bytes = sizes[i];
		assert_int_equal( take( f, &t ), bv_error_input );
	}
	const uint32_t counts[] = { 0, 1, 3, UINT32_MAX };
	for ( int i = 0; i < 4; ++i )
	{
		t = good;
		t.report.file_count = counts[i];
		assert_int_equal( take( f, &t ), bv_error_input );
	}
	t = good;
	t.report.input_hash[3] = 1;
	assert_int_equal( take( f, &t ), bv_error_input );
	assert_string_equal( f->error.message, "t.fbx: changed while it was read" );
}

static void expect_text( fixture* f, const bvb_side_files* files, const char* expected )
{
	bv_text text;
	assert_int_equal( bvb_side_files_text( files, f->arena, &text ), bv_ok );
	assert_int_equal( text.length, strlen( expected ) );
	assert_memory_equal( text.data, expected, text.length );
}

static void names_are_written_so_that_nothing_is_lost( void** state )
{
	fixture* f = *state;
	const bvb_side_file files[] = {
		{ "\x01\n=%", bvb_side_file_missing, { 0 } },
		{ "box ü.bin", bvb_side_file_read, { 0x01, 0x23, [15] = 0xef } },
		{ "\xc2\x85\xff", bvb_side_file_named, { 0 } },
	};
	const bvb_side_files all = { files, 3 };
	expect_text( f, &all,
	             "side-file:%01%0a%3d%25=missing\nside-file:box ü.bin=012300000000000000000000000000ef\n"
	             "side-file:%c2%85%ff=named\n" );

	// Names of all bytes but zero, one and two each.
	enum
	{
		count = 255 * 256
	};
	char( *names )[3] = calloc( count, sizeof *names );
	bvb_side_file* many = calloc( count, sizeof *many );
	uint32_t n = 0;
	for ( int a = 1; a < 256; ++a )
	{
		for ( int b = 0; b < 256; ++b )
		{
			names[n][0] = (char)a;
			names[n][1] = (char)b;
			many[n] = ( bvb_side_file ){ names[n], (bvb_side_file_use)( n % 3 ), { 0 } };
			if ( n % 3 == 0 )
			{
				hash_of( names[n], 2, many[n].hash );
			}
			++n;
		}
	}
	bv_text text;
	bvb_side_files found;
	assert_int_equal( bvb_side_files_text( &( bvb_side_files ){ many, n }, f->arena, &text ), bv_ok );
	assert_int_equal( bvb_side_files_find( text, f->arena, &found ), bv_ok );
	assert_int_equal( found.count, n );
	for ( uint32_t i = 0; i < n; ++i )
	{
		assert_string_equal( found.files[i].name, many[i].name );
		assert_int_equal( found.files[i].use, many[i].use );
		assert_memory_equal( found.files[i].hash, many[i].hash, 16 );
	}
	free( many );
	free( names );
}

static void lines_that_no_writer_makes_are_refused( void** state )
{
	fixture* f = *state;
	bvb_side_files found;
	const char* const wrong[] = {
		"side-file:a\n",
		"side-file:=missing\n",
		"side-file:a=\n",
		"side-file:a=Missing\n",
		"side-file:%=named\n",
		"side-file:%4=named\n",
		"side-file:%zz=named\n",
		"side-file:%00=named\n",
		"side-file:%0A=named\n",
		"side-file:a=0123\n",
		"side-file:b=named\nside-file:a=named\n",
		"side-file:a=named\nside-file:a=missing\n",
		"side-file:a=0123456789abcdef0123456789abcdeg\n",
		"side-file:a=0123456789abcdef0123456789abcdef0\n",
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal(
			bvb_side_files_find( ( bv_text ){ wrong[i], strlen( wrong[i] ) }, f->arena, &found ),
			bv_error_damaged );
	}
	static const char other[] = "scale=1\nside-fil:a=b\nside-file\nside-file:a=named\nx\n";
	assert_int_equal( bvb_side_files_find( ( bv_text ){ other, sizeof other - 1 }, f->arena, &found ),
	                  bv_ok );
	assert_int_equal( found.count, 1 );
}

// Of the file that is written, the parameters are the options, then the side files.
static void a_file_says_what_was_read( void** state )
{
	fixture* f = *state;
	bv_vec3 positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	bvb_triangle triangle = { { 0, 1, 2 } };
	bvb_scene scene = { .mesh = { positions, &triangle, 3, 1 } };
	const bvb_side_file files[] = { { "a.bin", bvb_side_file_missing, { 0 } } };
	bvb_source source = { .name = "t.gltf", .format = "gltf", .side_files = { files, 1 } };
	bvb_asset_options options = bvb_asset_options_default();
	options.objects = "x";
	bvb_asset asset;
	bvb_bytes bytes;
	const bv_file* file;
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &f->error ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &f->error ), bv_ok );
	assert_int_equal( bv_file_open( bytes.data, bytes.size, &file ), bv_ok );
	bv_text all = bv_file_get_origin( file ).parameters;
	bv_text begin;
	assert_int_equal( bvb_asset_parameters( &options, f->arena, &begin ), bv_ok );
	assert_memory_equal( all.data, begin.data, begin.length );
	static const char end[] = "side-file:a.bin=missing\n";
	assert_int_equal( all.length, begin.length + sizeof end - 1 );
	assert_memory_equal( all.data + begin.length, end, sizeof end - 1 );
}

// Costs that are not the shipped ones shape the tree, so they are in the parameters.
static void other_costs_are_written_down( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bv_text text;
	bv_text value;
	const bv_text name = { "cost-matrix", strlen( "cost-matrix" ) };
	assert_int_equal( bvb_asset_parameters( &options, f->arena, &text ), bv_ok );
	assert_false( bvb_find_parameter( text, name, &value ) );
	options.hierarchy.costs.leaf += 1;
	assert_int_equal( bvb_asset_parameters( &options, f->arena, &text ), bv_ok );
	assert_true( bvb_find_parameter( text, name, &value ) );
	uint8_t hash[16];
	char expected[33];
	const bv_costs* costs = &options.hierarchy.costs;
	double
		stored[52]; // as the specification has NODE: seven rows of seven, then triangles, openings and leaves
	for ( int i = 0; i < 49; ++i )
	{
		stored[i] = costs->volumes[i / 7][i % 7];
	}
	stored[49] = costs->triangles;
	stored[50] = costs->opening;
	stored[51] = costs->leaf;
	hash_of( stored, sizeof stored, hash );
	for ( int i = 0; i < 16; ++i )
	{
		snprintf( expected + 2 * i, 3, "%02x", hash[i] );
	}
	assert_int_equal( value.length, 32 );
	assert_memory_equal( value.data, expected, 32 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( a_buffer_that_is_read_is_named_from_the_inputs_folder, set_up,
		                                 tear_down ),
		cmocka_unit_test_setup_teardown( a_file_above_the_folder_is_named_as_the_input_has_it, set_up,
		                                 tear_down ),
		cmocka_unit_test_setup_teardown( a_file_in_the_working_folder_is_not_looked_at, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( a_buffer_that_is_missing_is_listed, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( a_file_that_is_looked_for_in_vain_is_missing, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( material_libraries_are_named, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( what_is_recorded_is_what_was_read, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( what_a_child_leaves_is_checked, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( names_are_written_so_that_nothing_is_lost, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( lines_that_no_writer_makes_are_refused, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( a_file_says_what_was_read, set_up, tear_down ),
		cmocka_unit_test_setup_teardown( other_costs_are_written_down, set_up, tear_down ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
