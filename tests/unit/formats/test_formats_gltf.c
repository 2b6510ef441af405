// The glTF reader: every layout of accessors, names and instances, damaged files. Expected values are those
// that the test stores. tests/cli/test_gltf.sh reads files with more of the specification's features.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/import.h"
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ( (uint64_t)1 << 30 )

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	uint8_t file[16384]; // binary glTF
	size_t size;
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	*state = f;
	return f->arena ? 0 : -1;
}

static int tear_down( void** state )
{
	fixture* f = *state;
	bvb_arena_destroy( f->arena );
	free( f );
	return 0;
}

static bv_status read_within( fixture* f, const void* bytes, size_t size, uint64_t memory_bytes )
{
	// A copy without anything behind it, so that AddressSanitizer sees every byte too many.
	char* exact = malloc( size ? size : 1 );
	assert_non_null( exact );
	memcpy( exact, bytes, size );
	memset( &f->import, 0, sizeof f->import );
	f->error.message[0] = 0;
	bv_status status =
		bvgltf_read_gltf( "rock.glb", exact, size, memory_bytes, f->arena, &f->import, &f->error );
	free( exact );
	assert_true( ( status == bv_ok ) == ( f->error.message[0] == 0 ) );
	return status;
}

static void put_word( fixture* f, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		f->file[f->size++] = (uint8_t)( word >> 8 * i );
	}
}

// Writes a container: the text of a document, and the bytes of its buffer.
static void write_file( fixture* f, const char* text, const uint8_t* bytes, size_t size )
{
	size_t length = strlen( text );
	size_t padded = ( length + 3 ) & ~(size_t)3;
	assert_true( 28 + padded + size <= sizeof f->file && size % 4 == 0 );
	f->size = 0;
	put_word( f, 0x46546c67 );
	put_word( f, 2 );
	put_word( f, (uint32_t)( 28 + padded + size ) );
	put_word( f, (uint32_t)padded );
	put_word( f, 0x4e4f534a );
	memset( f->file + f->size, ' ', padded );
	memcpy( f->file + f->size, text, length );
	f->size += padded;
	put_word( f, (uint32_t)size );
	put_word( f, 0x004e4942 );
	memcpy( f->file + f->size, bytes, size );
	f->size += size;
}

static void expect_ok( fixture* f )
{
	bv_status status = read_within( f, f->file, f->size, MEMORY_LIMIT );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
}

static void expect_error( fixture* f, bv_status status, const char* message )
{
	bv_status given = read_within( f, f->file, f->size, MEMORY_LIMIT );
	assert_string_equal( f->error.message, message );
	assert_int_equal( given, status );
}

typedef struct component
{
	int type;
	uint32_t bytes;
	double largest; // 0: a float
	bool is_signed;
} component;

static const component components[] = {
	{ 5120, 1, 127, true },    { 5121, 1, 255, false }, { 5122, 2, 32767, true },
	{ 5123, 2, 65535, false }, { 5126, 4, 0, true },
};

enum
{
	component_count = sizeof components / sizeof components[0],
	vertex_count = 5,
};

// How positions are stored.
typedef struct layout
{
	const component* component;
	bool normalized;
	uint32_t stride; // 0: none
	uint32_t offset;
	bool sparse; // vertices 1 and 3
} layout;

// Numbers that every type has.
static int stored_value( const component* c, uint32_t vertex, uint32_t k )
{
	int value = (int)( ( 37 * vertex + 11 * k + 5 ) % 127 );
	return c->is_signed && ( vertex + k ) % 2 ? -value : value;
}

static void store( const component* c, int value, uint8_t* out )
{
	uint32_t bits = (uint32_t)value;
	if ( c->largest == 0 )
	{
		float number = (float)value;
		memcpy( &bits, &number, sizeof bits );
	}
	for ( uint32_t i = 0; i < c->bytes; ++i )
	{
		out[i] = (uint8_t)( bits >> 8 * i );
	}
}

static void write_layout( fixture* f, const layout* l )
{
	enum
	{
		sparse_places = 512,
		sparse_values = 516,
	};
	uint8_t bytes[640] = { 0 };
	char text[1400];
	const component* c = l->component;
	uint32_t row = 3 * c->bytes;
	uint32_t step = l->stride ? l->stride : row;
	for ( uint32_t i = 0; i < vertex_count; ++i )
	{
		bool elsewhere = l->sparse && ( i == 1 || i == 3 );
		uint8_t* to = elsewhere ? bytes + sparse_values + ( i == 3 ? row : 0 ) : bytes + l->offset + i * step;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			store( c, stored_value( c, i, k ), to + k * c->bytes );
		}
	}
	bytes[sparse_places] = 1;
	bytes[sparse_places + 1] = 3;
	char stride[32] = "";
	if ( l->stride )
	{
		snprintf( stride, sizeof stride, ",\"byteStride\":%u", l->stride );
	}
	int length = snprintf(
		text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_mesh_quantization\"],\"nodes\":[{"
		"\"mesh\":0}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}],\"buffers\":[{"
		"\"byteLength\":640}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":512%s},{\"buffer\":0,\"byteOffset\":512,"
		"\"byteLength\":2},"
		"{\"buffer\":0,\"byteOffset\":516,\"byteLength\":%u}],\"accessors\":[{\"bufferView\":0,"
		"\"byteOffset\":%u,"
		"\"componentType\":%d,\"type\":\"VEC3\",\"count\":%d,\"normalized\":%s%s}]}",
		stride, 2 * row, l->offset, c->type, vertex_count, l->normalized ? "true" : "false",
		l->sparse ? ",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,\"componentType\":5121},"
					"\"values\":{\"bufferView\":2}}"
				  : "" );
	assert_true( length > 0 && length < (int)sizeof text );
	write_file( f, text, bytes, sizeof bytes );
}

static void every_layout_of_positions_gives_what_is_stored( void** state )
{
	fixture* f = *state;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < component_count * 2 * 4 * 2 * 2; ++i )
	{
		const component* c = &components[i % component_count];
		uint32_t rest = i / component_count;
		layout l = { .component = c,
			         .normalized = rest % 2,
			         .stride = ( uint32_t[] ){ 0, 12, 16, 76 }[rest / 2 % 4],
			         .offset = rest / 8 % 2 ? 4 : 0,
			         .sparse = rest / 16 % 2 };
		bool aligned = l.stride > 0 || c->bytes == 4;
		if ( !aligned || ( l.normalized && c->largest == 0 ) )
		{
			continue;
		}
		write_layout( f, &l );
		expect_ok( f );
		const bvb_mesh* mesh = &f->import.scene.mesh;
		assert_int_equal( mesh->vertex_count, vertex_count );
		for ( uint32_t v = 0; v < vertex_count; ++v )
		{
			const double got[3] = { mesh->positions[v].x, mesh->positions[v].y, mesh->positions[v].z };
			for ( uint32_t k = 0; k < 3; ++k )
			{
				double value = stored_value( c, v, k );
				assert_true( got[k] == ( l.normalized ? value / c->largest : value ) );
			}
		}
		++count;
	}
	assert_int_equal( count, 4 * 2 * 3 * 2 * 2 + 4 * 2 * 2 );
}

#define HEAD "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,"

// A buffer of 88 bytes: the tetrahedron (0,0,0) (1,0,0) (0,1,0) (0,0,1) facing outwards, two halves of its
// 12 indices; views and accessors 0, 1 and 2 are these.
#define TETRAHEDRON                                                                                          \
	"\"buffers\":[{\"byteLength\":72}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"                   \
	"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":60,\"byteLength\":12}]" \
	","                                                                                                      \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                \
	"{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"                             \
	"{\"bufferView\":2,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]}"

static void write_tetrahedron( fixture* f, const char* nodes_and_meshes )
{
	static const float positions[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	static const uint16_t indices[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
	uint8_t bytes[72];
	char text[4096];
	memcpy( bytes, positions, sizeof positions );
	memcpy( bytes + 48, indices, sizeof indices );
	int length = snprintf( text, sizeof text, HEAD "%s," TETRAHEDRON, nodes_and_meshes );
	assert_true( length > 0 && length < (int)sizeof text );
	write_file( f, text, bytes, sizeof bytes );
}

#define ONE_MESH                                                                          \
	"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[" \
	"{\"attributes\":{\"POSITION\":0},\"indices\":1},{\"attributes\":{\"POSITION\":0},\"indices\":2}]}]"

static double signed_volume( const bvb_mesh* mesh, uint32_t first, uint32_t last )
{
	double sum = 0;
	for ( uint32_t i = first; i < last; ++i )
	{
		bv_vec3 a = mesh->positions[mesh->triangles[i].corner[0]];
		bv_vec3 b = mesh->positions[mesh->triangles[i].corner[1]];
		bv_vec3 c = mesh->positions[mesh->triangles[i].corner[2]];
		sum += a.x * ( b.y * c.z - b.z * c.y ) + a.y * ( b.z * c.x - b.x * c.z ) +
		       a.z * ( b.x * c.y - b.y * c.x );
	}
	return sum / 6;
}

static void expect_name( const char* const* names, uint32_t count, uint32_t index, const char* expected )
{
	assert_true( index < count );
	assert_string_equal( names[index], expected );
}

// Two nodes are called the same, and stay two objects; a node without a name has that of its mesh.
static void nodes_are_objects_of_their_own( void** state )
{
	fixture* f = *state;
	write_tetrahedron( f, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
	                      "{\"name\":\"root\",\"translation\":[10,0,0],\"children\":[1,2]},"
	                      "{\"name\":\"rock \xc3\xa4\",\"scale\":[2,2,2],\"mesh\":0},"
	                      "{\"name\":\"rock \xc3\xa4\",\"scale\":[-1,1,1],\"mesh\":0,\"children\":[3]},"
	                      "{\"translation\":[0,0,4],\"mesh\":1}],"
	                      "\"materials\":[{\"name\":\"unused\"},{\"name\":\"green\"},{\"name\":\"wood\"}],"
	                      "\"meshes\":[{\"name\":\"stone\",\"primitives\":["
	                      "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":2},"
	                      "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"material\":1}]},"
	                      "{\"name\":\"half\",\"primitives\":["
	                      "{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]" );
	expect_ok( f );
	const bvb_scene* s = &f->import.scene;
	assert_int_equal( s->object_count, 3 );
	expect_name( s->objects, s->object_count, 0, "rock \xc3\xa4" );
	expect_name( s->objects, s->object_count, 1, "rock \xc3\xa4" );
	expect_name( s->objects, s->object_count, 2, "half" );
	assert_int_equal( s->material_count, 2 );
	expect_name( s->materials, s->material_count, 0, "wood" );
	expect_name( s->materials, s->material_count, 1, "green" );
	assert_int_equal( s->group_count, 0 );

	const bvb_segment segments[] = {
		{ 0, 0, 0, BVB_NO_NAME }, { 2, 0, 1, BVB_NO_NAME },           { 4, 1, 0, BVB_NO_NAME },
		{ 6, 1, 1, BVB_NO_NAME }, { 8, 2, BVB_NO_NAME, BVB_NO_NAME },
	};
	assert_int_equal( s->segment_count, 5 );
	assert_memory_equal( s->segments, segments, sizeof segments );
	assert_int_equal( s->mesh.triangle_count, 10 );
	for ( uint32_t i = 0; i < 10; ++i )
	{
		assert_int_equal( s->faces[i], i );
	}
	assert_true( fabs( signed_volume( &s->mesh, 0, 4 ) - 8.0 / 6 ) < 1e-12 );
	assert_true( fabs( signed_volume( &s->mesh, 4, 8 ) - 1.0 / 6 ) < 1e-12 );
	bv_vec3 moved = s->mesh.positions[16 + 1];
	assert_true( moved.x == 9 && moved.y == 0 && moved.z == 4 );
}

// The determinant of the product is -1e-114, which is 0 as a float.
static void tiny_mirrors_are_mirrors( void** state )
{
	fixture* f = *state;
	write_tetrahedron(
		f, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"scale\":[-1e-30,1e-30,1e-30],\"children\":[1]},"
		   "{\"scale\":[1e-8,1e-8,1e-8],\"mesh\":0}],\"meshes\":[{\"primitives\":["
		   "{\"attributes\":{\"POSITION\":0},\"indices\":1},"
		   "{\"attributes\":{\"POSITION\":0},\"indices\":2}]}]" );
	expect_ok( f );
	for ( uint32_t i = 0; i < f->import.scene.mesh.vertex_count; ++i )
	{
		bv_vec3* x = &f->import.scene.mesh.positions[i];
		*x = ( bv_vec3 ){ 1e38 * x->x, 1e38 * x->y, 1e38 * x->z };
	}
	assert_true( fabs( signed_volume( &f->import.scene.mesh, 0, 4 ) - 1.0 / 6 ) < 1e-6 );
}

static void non_finite_coordinates_are_passed_on( void** state )
{
	fixture* f = *state;
	write_tetrahedron( f, ONE_MESH );
	const float odd[2] = { NAN, INFINITY };
	memcpy( f->file + f->size - 72 + 8, odd, sizeof odd );
	expect_ok( f );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( x[0].x == 0 && x[0].y == 0 && isnan( x[0].z ) );
	assert_true( isinf( x[1].x ) && x[1].y == 0 );
}

static void buffers_that_are_not_needed_are_named( void** state )
{
	fixture* f = *state;
	static const char text[] =
		"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
		"\"attributes\":"
		"{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":36},{\"byteLength\":9,\"uri\":\"b%20c//./d\"},"
		"{\"byteLength\":9,\"uri\":\"../a\"},{\"byteLength\":9,\"uri\":\"b "
		"c/d\"}],\"images\":[{\"uri\":\"wood.png\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
	const uint8_t zeros[36] = { 0 };
	write_file( f, text, zeros, sizeof zeros );
	expect_ok( f );
	const bvb_side_files* files = &f->import.side_files;
	assert_int_equal( files->count, 2 );
	assert_string_equal( files->files[0].name, "../a" );
	assert_string_equal( files->files[1].name, "b c/d" );
	assert_int_equal( files->files[0].use, bvb_side_file_named );
	assert_int_equal( files->files[1].use, bvb_side_file_named );
}

static void what_is_skipped_is_counted( void** state )
{
	fixture* f = *state;
	write_tetrahedron(
		f, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
		   "{\"attributes\":{\"NORMAL\":0}},{\"attributes\":{\"POSITION\":0},\"indices\":1},"
		   "{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{\"POSITION\":0},\"mode\":2}]}]" );
	expect_ok( f );
	assert_int_equal( f->import.scene.mesh.triangle_count, 2 );
	assert_int_equal( f->import.points, 4 );
	assert_int_equal( f->import.lines, 4 );
	assert_int_equal( f->import.losses, 1 );
	assert_int_equal( f->import.warnings, 1 );
	assert_string_equal( f->import.warning, "meshes[0].primitives[0] has no POSITION" );
}

static void a_scene_larger_than_the_limit_is_an_error( void** state )
{
	fixture* f = *state;
	write_tetrahedron( f, ONE_MESH );
	assert_int_equal( read_within( f, f->file, f->size, 1024 ), bv_error_limit );
	assert_string_equal(
		f->error.message,
		"rock.glb: the scene needs more than 0.000976562 MiB (raise the limit with --import-memory)" );
	bvb_arena* whole = f->arena;
	for ( size_t bytes = 0; bytes < 100000; bytes += 997 )
	{
		f->arena = bvb_arena_create_limited( bytes );
		bv_status status = read_within( f, f->file, f->size, MEMORY_LIMIT );
		assert_true( status == bv_ok || status == bv_error_memory );
		bvb_arena_destroy( f->arena );
	}
	f->arena = whole;
}

static void every_truncation_is_an_error( void** state )
{
	fixture* f = *state;
	write_tetrahedron( f, ONE_MESH );
	expect_ok( f );
	for ( size_t size = 0; size < f->size; ++size )
	{
		assert_int_equal( read_within( f, f->file, size, MEMORY_LIMIT ), bv_error_input );

		// The header says as much as there is.
		uint8_t copy[sizeof f->file];
		memcpy( copy, f->file, size );
		for ( size_t i = 0; i < 4 && size >= 12; ++i )
		{
			copy[8 + i] = (uint8_t)( size >> 8 * i );
		}
		assert_int_equal( read_within( f, copy, size, MEMORY_LIMIT ), bv_error_input );
	}
}

static void every_changed_byte_gives_a_mesh_or_a_message( void** state )
{
	fixture* f = *state;
	static const uint8_t others[] = { 0, '0', '9', '"', '{', '}', ',', 'x', 0x7f, 0x80, 0xff };
	write_tetrahedron( f, ONE_MESH );
	for ( size_t i = 0; i < f->size; ++i )
	{
		uint8_t before = f->file[i];
		for ( size_t k = 0; k < sizeof others; ++k )
		{
			f->file[i] = others[k];
			bv_status status = read_within( f, f->file, f->size, MEMORY_LIMIT );
			assert_true( status == bv_ok || status == bv_error_input || status == bv_error_unsupported ||
			             status == bv_error_limit );
			const bvb_mesh* mesh = &f->import.scene.mesh;
			for ( uint32_t t = 0; t < mesh->triangle_count && status == bv_ok; ++t )
			{
				for ( int corner = 0; corner < 3; ++corner )
				{
					assert_true( mesh->triangles[t].corner[corner] < mesh->vertex_count );
				}
			}
		}
		f->file[i] = before;
	}
}

static void messages_name_the_place( void** state )
{
	fixture* f = *state;
	write_tetrahedron( f,
	                   "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
	                   "{\"attributes\":{\"POSITION\":0},\"indices\":7}]}]" );
	expect_error( f, bv_error_input,
	              "rock.glb: meshes[0].primitives[0]: indices refers to number 7, but there are only 3" );
	write_tetrahedron( f, ONE_MESH );
	f->file[f->size - 2] = 4;
	expect_error( f, bv_error_input, "rock.glb: meshes[0].primitives[1]: index 5 refers to vertex 4 of 4" );
	write_tetrahedron( f, ONE_MESH ",\"extensionsRequired\":[\"XYZ_cubes\"]" );
	expect_error( f, bv_error_unsupported,
	              "rock.glb: requires the extension XYZ_cubes, which is not supported" );
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( every_layout_of_positions_gives_what_is_stored ),
		TEST( nodes_are_objects_of_their_own ),
		TEST( tiny_mirrors_are_mirrors ),
		TEST( non_finite_coordinates_are_passed_on ),
		TEST( buffers_that_are_not_needed_are_named ),
		TEST( what_is_skipped_is_counted ),
		TEST( a_scene_larger_than_the_limit_is_an_error ),
		TEST( every_truncation_is_an_error ),
		TEST( every_changed_byte_gives_a_mesh_or_a_message ),
		TEST( messages_name_the_place ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
