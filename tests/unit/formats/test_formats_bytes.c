// Meshes in memory: each is that of a file with the same bytes, and so are its hash, its warnings and its errors.

#include "imports.h"

#include <stdio.h>
#include <unistd.h>

static bv_status read_bytes( fixture* f, const void* bytes, size_t size )
{
	const bvb_import_options options = bvb_import_options_default();
	memset( &f->import, 0, sizeof f->import );
	f->error.message[0] = 0;
	return bvb_import_bytes( bytes, size, "obj", "stdin", &options, f->arena, &f->import, &f->error );
}

typedef struct example
{
	const char* format;
	const char* text;
} example;

// The last ones are damaged.
static const example examples[] = {
	{ "obj", "# c\no a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\no b\nf 1 2 4\np 1\n" },
	{ "obj", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r" },
	{ "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n\x1a" },
	{ "off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n" },
	{ "stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
	         "0\nendloop\nendfacet\nendsolid\n" },
	{ "ply",
	  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
	  "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n" },
	{ "gltf",
	  "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
	  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
	  "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
	  "\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
	  "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
	  "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}" },
	{ "wrl",
	  "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } "
	  "coordIndex [ 0 1 2 -1 ] } }\n" },
	{ "obj", "v 0 0\n" },
	{ "obj", "v 0 0 0\r" },
	{ "3mf", "no archive" },
	{ "glb", "glTF" },
};

static void bytes_give_what_a_file_gives( void** state )
{
	fixture* f = *state;
	const bvb_import_options options = bvb_import_options_default();
	int good = 0;
	for ( size_t i = 0; i < sizeof examples / sizeof *examples; ++i )
	{
		const example* e = examples + i;
		size_t size = strlen( e->text );
		char path[] = "/tmp/bvb-test-bytes-XXXXXX.abcd";
		snprintf( strrchr( path, '.' ), 6, ".%s", e->format );
		int handle = mkstemps( path, (int)strlen( e->format ) + 1 );
		assert_true( handle >= 0 && write( handle, e->text, size ) == (ssize_t)size );
		close( handle );
		bvb_import of_file;
		bvb_error error = { "" };
		bv_status status = bvb_import_file( path, &options, f->arena, &of_file, &error );
		unlink( path );

		// A copy without anything behind it, so that AddressSanitizer sees every byte too many.
		char* exact = malloc( size );
		assert_non_null( exact );
		memcpy( exact, e->text, size );
		f->error.message[0] = 0;
		assert_int_equal(
			bvb_import_bytes( exact, size, e->format, path, &options, f->arena, &f->import, &f->error ),
			status );
		assert_memory_equal( exact, e->text, size );
		free( exact );
		assert_string_equal( f->error.message, error.message );
		if ( status != bv_ok )
		{
			continue;
		}
		const bvb_mesh* a = &of_file.scene.mesh;
		const bvb_mesh* b = &f->import.scene.mesh;
		++good;
		assert_true( a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count );
		assert_true( a->triangle_count > 0 );
		assert_memory_equal( a->positions, b->positions, a->vertex_count * sizeof *a->positions );
		assert_memory_equal( a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles );
		assert_memory_equal( of_file.hash, f->import.hash, sizeof of_file.hash );
		assert_string_equal( of_file.format, f->import.format );
		assert_true( of_file.scene.object_count == f->import.scene.object_count );
		assert_true( of_file.points == f->import.points && of_file.warnings == f->import.warnings );
	}
	assert_int_equal( good, 8 );
}

static void what_cannot_be_read_says_so( void** state )
{
	fixture* f = *state;
	bvb_import_options options = bvb_import_options_default();
	const char* mesh = examples[0].text;
	assert_int_equal( read_bytes( f, "", 0 ), bv_error_input );
	assert_string_equal( f->error.message, "stdin: is empty" );
	assert_int_equal( read_bytes( f, "\xff\xfev\0 \0", 6 ), bv_error_input );
	assert_non_null( strstr( f->error.message, "is UTF-16 text" ) );
	static const char* const others[] = { "fbx", "bvh", "", "blend" };
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvb_import_bytes( mesh, strlen( mesh ), others[i], "stdin", &options, f->arena,
		                                    &f->import, &f->error ),
		                  bv_error_unsupported );
		assert_non_null( strstr( f->error.message, "is no format that is read from memory (obj, stl, " ) );
	}
	// Upper case is as good as lower case.
	assert_int_equal(
		bvb_import_bytes( mesh, strlen( mesh ), "OBJ", "stdin", &options, f->arena, &f->import, &f->error ),
		bv_ok );
	assert_string_equal( f->import.format, "obj" );
	options.timeout = 0;
	assert_int_equal(
		bvb_import_bytes( mesh, strlen( mesh ), "obj", "stdin", &options, f->arena, &f->import, &f->error ),
		bv_error_argument );
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( bytes_give_what_a_file_gives ),
		TEST( what_cannot_be_read_says_so ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
