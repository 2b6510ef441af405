// Conversion of Assimp's scenes: objects, materials, faces and poses. Results that the child process damaged
// are rejected.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/import.h"
#include "formats/assimp/assimp.h"
#include "formats/assimp/transport.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	char* text; // of a file to write
	size_t size;
	FILE* stream;
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	f->stream = open_memstream( &f->text, &f->size );
	*state = f;
	return f->arena && f->stream ? 0 : -1;
}

static int tear_down( void** state )
{
	fixture* f = *state;
	fclose( f->stream );
	free( f->text );
	bvb_arena_destroy( f->arena );
	free( f );
	return 0;
}

// Assimp reads glTF as well. It makes scenes of nodes that no other format has in so few lines.
static bv_status import_by_assimp( fixture* f, const char* name )
{
	bvb_import_options options = bvb_import_options_default();
	memset( &f->import, 0, sizeof f->import );
	bv_status status = bvb_hash_file( name, f->import.hash, &f->import.format, f->arena, &f->error );
	return status == bv_ok ? bvassimp_read_assimp( name, "gltf", &options, f->arena, &f->import, &f->error )
	                       : status;
}

static bv_status import_written( fixture* f, const char* name )
{
	fflush( f->stream );
	FILE* file = fopen( name, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( f->text, 1, f->size, file ), f->size );
	assert_int_equal( fclose( file ), 0 );
	f->error.message[0] = 0;
	bvb_import_options options = bvb_import_options_default();
	bv_status status = strstr( name, ".gltf" )
	                       ? import_by_assimp( f, name )
	                       : bvb_import_file( name, &options, f->arena, &f->import, &f->error );
	remove( name );
	rewind( f->stream );
	return status;
}

static const bvb_scene* expect_scene( fixture* f, const char* name )
{
	bv_status status = import_written( f, name );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	return &f->import.scene;
}

static void expect_positions( const bvb_scene* s, uint32_t first, const bv_vec3* expected, uint32_t count )
{
	assert_true( first + count <= s->mesh.vertex_count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_vec3* x = &s->mesh.positions[first + i];
		assert_true( x->x == expected[i].x && x->y == expected[i].y && x->z == expected[i].z );
	}
}

static void expect_segments( const bvb_scene* s, const bvb_segment* expected, uint32_t count )
{
	assert_int_equal( s->segment_count, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_int_equal( s->segments[i].first_triangle, expected[i].first_triangle );
		assert_int_equal( s->segments[i].object, expected[i].object );
		assert_int_equal( s->segments[i].material, expected[i].material );
		assert_int_equal( s->segments[i].group, expected[i].group );
	}
}

static void expect_names( const char** names, uint32_t count, const char* const* expected,
                          uint32_t expected_count )
{
	assert_int_equal( count, expected_count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_string_equal( names[i], expected[i] );
	}
}

// Of the tetrahedra that triangles first .. last - 1 span with the origin.
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

// glTF with one embedded buffer. Its accessors, in their order:
enum
{
	tetrahedron_positions, // (0,0,0) (1,0,0) (0,1,0) (0,0,1)
	first_half,            // two of its triangles, facing outwards
	second_half,           // the other two
	square_positions,      // (0,0,0) (1,0,0) (0,1,0) (1,1,0)
	joints,                // 0 0 1 1
	weights,               // 1 each
	inverse_bind,          // two matrices
};

typedef struct buffer
{
	float tetrahedron[4][3];
	float square[4][3];
	float weights[4][4];
	float inverse_bind[2][16]; // columns
	uint16_t halves[2][6];
	uint8_t joints[4][4];
} buffer;

static const buffer common_buffer = {
	.tetrahedron = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	.square = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } },
	.weights = { { 1 }, { 1 }, { 1 }, { 1 } },
	.inverse_bind = { { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 2, -1, -1.5f, 1 },
	                  { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 2, -2, -1.5f, 1 } },
	.halves = { { 0, 2, 1, 0, 1, 3 }, { 0, 3, 2, 1, 2, 3 } },
	.joints = { { 0 }, { 0 }, { 1 }, { 1 } },
};

static void write_base64( FILE* out, const void* data, size_t size )
{
	const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t* bytes = data;
	for ( size_t i = 0; i < size; i += 3 )
	{
		uint32_t word = 0;
		for ( size_t k = 0; k < 3; ++k )
		{
			word = word << 8 | ( i + k < size ? bytes[i + k] : 0u );
		}
		for ( size_t k = 0; k < 4; ++k )
		{
			fputc( i + k <= size ? digits[word >> ( 18 - 6 * k ) & 63] : '=', out );
		}
	}
}

static void write_gltf( fixture* f, const char* nodes_and_meshes )
{
	typedef struct accessor
	{
		size_t offset;
		int component;
		int count;
		const char* type;
		size_t bytes;
	} accessor;
	const accessor accessors[] = {
		{ offsetof( buffer, tetrahedron ), 5126, 4, "VEC3", 48 },
		{ offsetof( buffer, halves[0] ), 5123, 6, "SCALAR", 12 },
		{ offsetof( buffer, halves[1] ), 5123, 6, "SCALAR", 12 },
		{ offsetof( buffer, square ), 5126, 4, "VEC3", 48 },
		{ offsetof( buffer, joints ), 5121, 4, "VEC4", 16 },
		{ offsetof( buffer, weights ), 5126, 4, "VEC4", 64 },
		{ offsetof( buffer, inverse_bind ), 5126, 2, "MAT4", 128 },
	};
	fprintf( f->stream, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,%s,\"accessors\":[", nodes_and_meshes );
	for ( int i = 0; i < 7; ++i )
	{
		fprintf( f->stream, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"}",
		         i ? "," : "", i, accessors[i].component, accessors[i].count, accessors[i].type );
	}
	fprintf( f->stream, "],\"bufferViews\":[" );
	for ( int i = 0; i < 7; ++i )
	{
		fprintf( f->stream, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : "",
		         accessors[i].offset, accessors[i].bytes );
	}
	fprintf( f->stream, "],\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,",
	         sizeof common_buffer );
	write_base64( f->stream, &common_buffer, sizeof common_buffer );
	fprintf( f->stream, "\"}]}" );
}

// "Wurzel" moves its children by (10, 0, 0); "Spiegel" mirrors x, its child without a name moves by (0, 0, 4).
// The tetrahedron's two halves are pieces of one mesh.
static void instances_of_a_mesh_are_objects_of_their_own( void** state )
{
	fixture* f = *state;
	write_gltf( f, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
	               "{\"name\":\"Wurzel\",\"translation\":[10,0,0],\"children\":[1,2]},"
	               "{\"name\":\"Fels \xc3\xa4 \xe4\xb8\xad\",\"scale\":[2,2,2],\"mesh\":0},"
	               "{\"name\":\"Spiegel\",\"scale\":[-1,1,1],\"mesh\":0,\"children\":[3]},"
	               "{\"translation\":[0,0,4],\"mesh\":1}],"
	               "\"materials\":[{\"name\":\"unused\"},{\"name\":\"Gr\xc3\xbcn\"},{\"name\":\"Holz\"}],"
	               "\"meshes\":[{\"name\":\"Stein\",\"primitives\":["
	               "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":2},"
	               "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"material\":1}]},"
	               "{\"name\":\"Halb\",\"primitives\":["
	               "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}]}]" );
	const bvb_scene* s = expect_scene( f, "t.gltf" );

	const char* const objects[] = { "Fels \xc3\xa4 \xe4\xb8\xad", "Spiegel", "Halb" };
	expect_names( s->objects, s->object_count, objects, 3 );
	const char* const materials[] = { "Holz", "Gr\xc3\xbcn" };
	expect_names( s->materials, s->material_count, materials, 2 );
	assert_int_equal( s->group_count, 0 );
	const bvb_segment segments[] = {
		{ 0, 0, 0, BVB_NO_NAME }, { 2, 0, 1, BVB_NO_NAME }, { 4, 1, 0, BVB_NO_NAME },
		{ 6, 1, 1, BVB_NO_NAME }, { 8, 2, 1, BVB_NO_NAME },
	};
	expect_segments( s, segments, 5 );

	assert_int_equal( s->mesh.triangle_count, 10 );
	for ( uint32_t i = 0; i < 10; ++i )
	{
		assert_int_equal( s->faces[i], i );
	}
	const bv_vec3 rock[] = { { 10, 0, 0 }, { 12, 0, 0 }, { 10, 2, 0 }, { 10, 0, 2 } };
	expect_positions( s, 0, rock, 4 );
	const bv_vec3 mirrored[] = { { 10, 0, 0 }, { 9, 0, 0 }, { 10, 1, 0 }, { 10, 0, 1 } };
	expect_positions( s, 8, mirrored, 4 );
	const bv_vec3 half[] = { { 10, 0, 4 }, { 9, 0, 4 }, { 10, 1, 4 }, { 10, 0, 5 } };
	expect_positions( s, 16, half, 4 );
	assert_true( fabs( signed_volume( &s->mesh, 0, 4 ) - 8.0 / 6 ) < 1e-12 );
	assert_true( fabs( signed_volume( &s->mesh, 4, 8 ) - 1.0 / 6 ) < 1e-12 );
}

static void pieces_of_one_material_are_one_segment( void** state )
{
	fixture* f = *state;
	write_gltf( f, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"one\",\"mesh\":0}],"
	               "\"materials\":[{\"name\":\"m\"}],\"meshes\":[{\"primitives\":["
	               "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0},"
	               "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"material\":0}]}]" );
	const bvb_scene* s = expect_scene( f, "t.gltf" );
	const bvb_segment segment = { 0, 0, 0, BVB_NO_NAME };
	expect_segments( s, &segment, 1 );
	assert_int_equal( s->object_count, 1 );
	assert_int_equal( s->mesh.triangle_count, 4 );
}

// Modes 0, 1 and 5: 4 points, 2 lines, and a strip that makes the square (0, 1)^2 of two triangles.
static void strips_are_triangles_and_points_and_lines_are_counted( void** state )
{
	fixture* f = *state;
	write_gltf( f, "\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":[{\"name\":\"points\",\"mesh\":0},"
	               "{\"name\":\"lines\",\"mesh\":1},{\"name\":\"strip\",\"mesh\":2}],\"meshes\":["
	               "{\"primitives\":[{\"attributes\":{\"POSITION\":3},\"mode\":0}]},"
	               "{\"primitives\":[{\"attributes\":{\"POSITION\":3},\"mode\":1}]},"
	               "{\"primitives\":[{\"attributes\":{\"POSITION\":3},\"mode\":5}]}]" );
	const bvb_scene* s = expect_scene( f, "t.gltf" );
	assert_int_equal( f->import.points, 4 );
	assert_int_equal( f->import.lines, 2 );
	const char* const objects[] = { "strip" };
	expect_names( s->objects, s->object_count, objects, 1 );
	assert_int_equal( s->mesh.triangle_count, 2 );
	assert_int_equal( s->faces[0], 0 );
	assert_int_equal( s->faces[1], 1 );
	for ( uint32_t i = 0; i < 2; ++i )
	{
		const uint32_t* c = s->mesh.triangles[i].corner;
		const bv_vec3* x = s->mesh.positions;
		double area = ( ( x[c[1]].x - x[c[0]].x ) * ( x[c[2]].y - x[c[0]].y ) -
		                ( x[c[1]].y - x[c[0]].y ) * ( x[c[2]].x - x[c[0]].x ) ) /
		              2;
		assert_true( area == 0.5 );
	}
}

#define COLLADA_HEAD                                                                          \
	"<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" " \
	"version=\"1.4.1\"><asset><up_axis>Y_UP</up_axis></asset>"

// A square with a point in the middle of one side, a triangle and a line.
static void polygons_are_faces_and_nodes_have_the_names_that_people_gave( void** state )
{
	fixture* f = *state;
	fputs( COLLADA_HEAD
	       "<library_geometries><geometry id=\"g-lib\" name=\"shape\"><mesh>"
	       "<source id=\"p\"><float_array id=\"pa\" count=\"18\">0 0 0 1 0 0 2 0 0 2 2 0 0 2 0 0 0 2"
	       "</float_array><technique_common><accessor source=\"#pa\" count=\"6\" stride=\"3\">"
	       "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
	       "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
	       "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
	       "<polylist count=\"2\" material=\"m\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
	       "<vcount>5 3</vcount><p>0 1 2 3 4 0 2 5</p></polylist>"
	       "<lines count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 5</p></lines>"
	       "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
	       "<node id=\"node-7\" name=\"UCX_Kiste\"><translate>0 0 5</translate>"
	       "<instance_geometry url=\"#g-lib\"/></node></visual_scene></library_visual_scenes>"
	       "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
	       f->stream );
	const bvb_scene* s = expect_scene( f, "t.dae" );
	const char* const objects[] = { "UCX_Kiste" };
	expect_names( s->objects, s->object_count, objects, 1 );
	assert_int_equal( f->import.lines, 1 );
	assert_int_equal( s->mesh.triangle_count, 4 );
	const uint32_t faces[] = { 0, 0, 0, 1 };
	assert_memory_equal( s->faces, faces, sizeof faces );
	double area = 0;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		const uint32_t* c = s->mesh.triangles[i].corner;
		const bv_vec3* x = s->mesh.positions;
		assert_true( x[c[0]].z == 5 );
		area += ( ( x[c[1]].x - x[c[0]].x ) * ( x[c[2]].y - x[c[0]].y ) -
		          ( x[c[1]].y - x[c[0]].y ) * ( x[c[2]].x - x[c[0]].x ) ) /
		        2;
	}
	assert_true( area == 4 );
}

// Assimp would make up a mesh in the skeleton's shape.
static void a_skeleton_alone_has_no_triangles( void** state )
{
	fixture* f = *state;
	fputs( COLLADA_HEAD
	       "<library_visual_scenes><visual_scene id=\"s\"><node id=\"a\" type=\"JOINT\"><node "
	       "id=\"b\" type=\"JOINT\"><translate>0 0 5</translate></node></node></visual_scene>"
	       "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
	       f->stream );
	assert_int_equal( import_written( f, "t.dae" ), bv_error_input );
	assert_string_equal( f->error.message, "t.dae: no triangles" );
}

// DXF has no nodes; Assimp's root is called <DXF_ROOT>, and its mesh is the layer.
static void names_that_assimp_made_up_give_way( void** state )
{
	fixture* f = *state;
	fputs( "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\nMauer\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n"
	       "12\n1\n22\n1\n32\n0\n13\n0\n23\n1\n33\n0\n0\nENDSEC\n0\nEOF\n",
	       f->stream );
	const bvb_scene* s = expect_scene( f, "t.dxf" );
	const char* const objects[] = { "Mauer" };
	expect_names( s->objects, s->object_count, objects, 1 );
	assert_int_equal( s->mesh.triangle_count, 2 );
	assert_int_equal( s->faces[1], 0 );
}

// Assimp's own validation refuses its RAW reader's scenes for a node that is null.
static void faults_beside_the_meshes_do_no_harm( void** state )
{
	fixture* f = *state;
	fputs( "Dreieck\n0.5 0.5 0.5 0 0 0 0 1 0 1 0 0\n", f->stream );
	const bvb_scene* s = expect_scene( f, "t.raw" );
	const char* const objects[] = { "Dreieck" };
	expect_names( s->objects, s->object_count, objects, 1 );
	assert_int_equal( s->mesh.triangle_count, 1 );
}

// The mesh node's own translation by 100 does not count. The hip scales by 2 and moves by (1, 2, 3); the arm
// is at (0, 1, 0) in it. Their inverse bind matrices scale by 1/2, then move by (2, -1, -1.5) and (2, -2, -1.5):
// 2 (x/2 + (2, -1, -1.5)) + (1, 2, 3) = x + (5, 0, 0), and the same for the arm, which adds 2 (0, 1, 0).
static void import_skinned( fixture* f, const char* hip, const char* arm )
{
	char text[2048];
	snprintf( text, sizeof text,
	          "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":["
	          "{\"name\":\"body\",\"mesh\":0,\"skin\":0,\"translation\":[100,0,0]},"
	          "{%s,\"children\":[2]},{%s}],"
	          "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":6}],\"meshes\":[{\"primitives\":["
	          "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":4,\"WEIGHTS_0\":5},\"indices\":1}]}]",
	          hip, arm );
	write_gltf( f, text );
	expect_scene( f, "t.gltf" );
}

#define HIP "\"name\":\"hip\",\"translation\":[1,2,3],\"scale\":[2,2,2]"
#define ARM "\"name\":\"arm\",\"translation\":[0,1,0]"

static void expect_moved_by( const fixture* f, double x )
{
	const bv_vec3 expected[] = { { x, 0, 0 }, { x + 1, 0, 0 }, { x, 1, 0 }, { x, 0, 1 } };
	expect_positions( &f->import.scene, 0, expected, 4 );
}

static void joints_place_a_skinned_mesh( void** state )
{
	import_skinned( *state, HIP, ARM );
	expect_moved_by( *state, 5 );
}

static void a_skinned_mesh_in_another_pose_keeps_its_shape( void** state )
{
	import_skinned( *state, HIP, "\"name\":\"arm\",\"translation\":[7,8,9],\"rotation\":[0,1,0,0]" );
	expect_moved_by( *state, 5 );
}

// 2 (x/2 + 2) becomes -2 (x/2 + 2), so that x becomes -x - 3.
static void a_mirrored_skeleton_keeps_the_outside( void** state )
{
	fixture* f = *state;
	import_skinned( f, "\"name\":\"hip\",\"translation\":[1,2,3],\"scale\":[-2,2,2]", ARM );
	const bv_vec3 expected[] = { { -3, 0, 0 }, { -4, 0, 0 }, { -3, 1, 0 }, { -3, 0, 1 } };
	expect_positions( &f->import.scene, 0, expected, 4 );

	// Vertices 0, 2, 1 of the tetrahedron: their triangle faces down the z axis, and x alone is mirrored.
	const bvb_mesh* mesh = &f->import.scene.mesh;
	const uint32_t* c = mesh->triangles[0].corner;
	const bv_vec3* x = mesh->positions;
	double z = ( x[c[1]].x - x[c[0]].x ) * ( x[c[2]].y - x[c[0]].y ) -
	           ( x[c[1]].y - x[c[0]].y ) * ( x[c[2]].x - x[c[0]].x );
	assert_true( z == -1 );
}

static void hidden_joints_place_nothing( void** state )
{
	import_skinned( *state, "\"name\":\"hip\",\"scale\":[0,0,0]", ARM );
	expect_moved_by( *state, 100 );
}

static void joints_that_cannot_be_told_apart_place_nothing( void** state )
{
	import_skinned( *state, "\"name\":\"joint\"", "\"name\":\"joint\",\"translation\":[1,0,0]" );
	expect_moved_by( *state, 100 );
}

static void a_hundred_thousand_nodes_are_as_many_objects( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 100000
	};
	char* text = malloc( 80 * (size_t)count + 1000 );
	char* end = text + sprintf( text, "\"scenes\":[{\"nodes\":[0" );
	for ( int i = 1; i < count; ++i )
	{
		end += sprintf( end, ",%d", i );
	}
	end += sprintf( end, "]}],\"nodes\":[" );
	for ( int i = 0; i < count; ++i )
	{
		end += sprintf( end, "%s{\"name\":\"n%d\",\"mesh\":0,\"translation\":[%d,0,0]}", i ? "," : "", i, i );
	}
	sprintf( end, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]" );
	write_gltf( f, text );
	free( text );
	const bvb_scene* s = expect_scene( f, "t.gltf" );
	assert_int_equal( s->object_count, count );
	assert_int_equal( s->segment_count, count );
	assert_int_equal( s->mesh.triangle_count, 2 * count );
	assert_string_equal( s->objects[count - 1], "n99999" );
	assert_int_equal( s->segments[count - 1].object, count - 1 );
	assert_true( s->mesh.positions[4 * ( count - 1 )].x == count - 1 );
}

// What a child leaves: a square of two triangles, one face and one object each, a material for the second.
typedef struct transport
{
	bvassimp_report report;
	bv_vec3 positions[4];
	bvb_triangle triangles[2];
	uint32_t faces[2];
	bvb_segment segments[2];
	char names[8];
} transport;
_Static_assert( offsetof( transport, positions ) == sizeof( bvassimp_report ), "no gap" );

static const transport good = {
	.report = { .outcome = bvassimp_scene,
	            .vertex_count = 4,
	            .triangle_count = 2,
	            .segment_count = 2,
	            .object_count = 2,
	            .material_count = 1,
	            .name_bytes = 8,
	            .points = 5,
	            .lines = 6,
	            .warnings = { 7, 2, "Faces \x1b\n were\xff ü dropped" } },
	.positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
	.triangles = { { { 0, 1, 2 } }, { { 0, 2, 3 } } },
	.faces = { 0, 1 },
	.segments = { { 0, 0, BVB_NO_NAME, BVB_NO_NAME }, { 1, 1, 0, BVB_NO_NAME } },
	.names = { 'a', 'b', 0, 'c', 0, 'w', 'd', 0 },
};

static bv_status take( fixture* f, const transport* t, size_t size )
{
	int file = memfd_create( "test", 0 );
	assert_true( file >= 0 );
	assert_int_equal( ftruncate( file, (off_t)size ), 0 );
	size_t written = size < sizeof *t ? size : sizeof *t;
	assert_int_equal( pwrite( file, t, written, 0 ), (ssize_t)written );
	f->import = ( bvb_import ){ 0 };
	f->error.message[0] = 0;
	bv_status status = bvassimp_take( "t.fbx", "fbx", file, f->arena, &f->import, &f->error );
	close( file );
	return status;
}

static void an_undamaged_result_is_taken( void** state )
{
	fixture* f = *state;
	transport t = good;
	assert_int_equal( take( f, &t, sizeof t ), bv_ok );
	const bvb_scene* s = &f->import.scene;
	const char* const objects[] = { "ab", "c" };
	expect_names( s->objects, s->object_count, objects, 2 );
	const char* const materials[] = { "wd" };
	expect_names( s->materials, s->material_count, materials, 1 );
	expect_segments( s, good.segments, 2 );
	expect_positions( s, 0, good.positions, 4 );
	assert_memory_equal( s->mesh.triangles, good.triangles, sizeof good.triangles );
	assert_memory_equal( s->faces, good.faces, sizeof good.faces );
	assert_int_equal( f->import.points, 5 );
	assert_int_equal( f->import.lines, 6 );
	assert_int_equal( f->import.warnings, 7 );
	assert_int_equal( f->import.losses, 2 );
	assert_string_equal( f->import.warning, "Faces ?? were? ü dropped" );
}

static void a_warning_without_an_end_is_taken( void** state )
{
	fixture* f = *state;
	transport t = good;
	memset( t.report.warnings.text, 'x', sizeof t.report.warnings.text );
	assert_int_equal( take( f, &t, sizeof t ), bv_ok );
	assert_int_equal( strlen( f->import.warning ), sizeof t.report.warnings.text );
}

// Texts of Assimp 5.2.4.
static void losses_are_told_from_other_warnings( void** state )
{
	(void)state;
	const struct
	{
		const char* line;
		uint64_t count;
		uint64_t losses;
	} cases[] = {
		{ "Warn,  T0: Some faces had out-of-range indices. Those faces were dropped.\n", 1, 1 },
		{ "Warn,  T7: The number of vertices was not compatible with the TRIANGLES mode. Some vertices were "
		  "dropped.",
		  1, 1 },
		{ "Error, T0: Vertex index is out of range\n", 1, 1 },
		{ "Error, T0: Failed to triangulate polygon (no ear found). Probably not a simple polygon?\n", 1, 1 },
		{ "Info,  T0: Skipping one or more faces\n", 0, 0 },
		{ "Skipping one or more lines with the same contents\n", 0, 0 },
		{ "Debug, T0: Some faces were dropped\n", 0, 0 },
		{ "Warn,  T0: 3DS: Skipping TCB animation info\n", 1, 0 },
		{ "Warn,  T0: Collada: No material specified for subgroup <> in geometry <Box001-lib>.\n", 1, 0 },
		{ "Error, T0: [SMD/VTA] Bone index overflow. The bone index will be ignored, the weight will be "
		  "assigned to the "
		  "vertex' parent node\n",
		  1, 0 },
		{ "Error, T0: LWO2: Unable to find source surface: test\n", 1, 0 },
		{ "Warn,  T0: Collada: Unable to find geometry for ID \"bone-normal\". Skipping.\n", 1, 1 },
		{ "Error, T0: Collada: Unable to resolve reference to instanced node light_pole\n", 1, 1 },
		{ "Warn,", 1, 0 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvimport_notes warnings = { 0 };
		bvassimp_take_line( cases[i].line, &warnings );
		assert_int_equal( warnings.warnings, cases[i].count );
		assert_int_equal( warnings.losses, cases[i].losses );
	}
}

// Of several the first that tells of a loss is kept, in one line and as far as there is room.
static void the_first_loss_is_kept( void** state )
{
	(void)state;
	bvimport_notes warnings = { 0 };
	bvassimp_take_line( "Warn,  T0: first\nsecond line\n", &warnings );
	assert_string_equal( warnings.text, "first" );
	bvassimp_take_line( "Warn,  T0: other\n", &warnings );
	assert_string_equal( warnings.text, "first" );
	bvassimp_take_line( "Error, T0: Mesh is empty, skipping.\n", &warnings );
	bvassimp_take_line( "Error, T0: Invalid vertex index\n", &warnings );
	assert_string_equal( warnings.text, "Mesh is empty, skipping." );
	assert_int_equal( warnings.warnings, 4 );
	assert_int_equal( warnings.losses, 2 );

	char line[4096];
	memset( line, 'x', sizeof line );
	memcpy( line, "Warn,  T0: ", 11 );
	line[sizeof line - 1] = 0;
	warnings = ( bvimport_notes ){ 0 };
	bvassimp_take_line( line, &warnings );
	assert_int_equal( strlen( warnings.text ), sizeof warnings.text - 1 );
}

// What says nothing is kept only as long as nothing else is said.
static void placeholders_are_not_kept( void** state )
{
	(void)state;
	bvimport_notes warnings = { 0 };
	bvassimp_take_line( "Warn,  T0: <add reason>\n", &warnings );
	assert_string_equal( warnings.text, "<add reason>" );
	bvassimp_take_line( "Warn,  T0: BlendDNA: Did not find a field named `uid` in structure `CustomData`\n",
	                    &warnings );
	bvassimp_take_line( "Warn,  T0: Object `Camera` has no parent\n", &warnings );
	bvassimp_take_line( "Warn,  T0: something else\n", &warnings );
	assert_string_equal( warnings.text, "Object `Camera` has no parent" );
	bvassimp_take_line( "Warn,  T0: Object `Bend` - type is unsupported: `Curve`, skipping\n", &warnings );
	assert_string_equal( warnings.text, "Object `Bend` - type is unsupported: `Curve`, skipping" );
	assert_int_equal( warnings.warnings, 5 );
	assert_int_equal( warnings.losses, 1 );
}

static void expect_damaged( fixture* f, const transport* t, size_t size )
{
	assert_int_equal( take( f, t, size ), bv_error_input );
	assert_string_equal( f->error.message, "t.fbx: the importer crashed (damaged result)" );
	assert_null( f->import.scene.mesh.triangles );
}

static void counts_that_do_not_fit_the_file_are_noticed( void** state )
{
	fixture* f = *state;
	const size_t counts[] = {
		offsetof( bvassimp_report, vertex_count ),   offsetof( bvassimp_report, triangle_count ),
		offsetof( bvassimp_report, segment_count ),  offsetof( bvassimp_report, object_count ),
		offsetof( bvassimp_report, material_count ),
	};
	for ( int i = 0; i < 5; ++i )
	{
		uint32_t right;
		transport t = good;
		memcpy( &right, (char*)&t.report + counts[i], sizeof right );
		const uint32_t wrong[] = { right + 1, right - 1, 0x7fffffff, 0x80000000u, UINT32_MAX };
		for ( int k = 0; k < 5; ++k )
		{
			memcpy( (char*)&t.report + counts[i], &wrong[k], sizeof right );
			expect_damaged( f, &t, sizeof t );
		}
	}
	const uint64_t wrong[] = { 0, 7, 9, UINT64_MAX, UINT64_MAX - 511, (uint64_t)1 << 63 };
	for ( int k = 0; k < 6; ++k )
	{
		transport t = good;
		t.report.name_bytes = wrong[k];
		expect_damaged( f, &t, sizeof t );
	}
	for ( size_t size = sizeof( bvassimp_report ); size < sizeof( transport ); size += 3 )
	{
		transport t = good;
		expect_damaged( f, &t, size );
	}
	transport t = good;
	expect_damaged( f, &t, sizeof t + 1 );
}

static void indices_out_of_range_are_noticed( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3; ++i )
	{
		transport t = good;
		t.triangles[1].corner[i] = 4;
		expect_damaged( f, &t, sizeof t );
	}
	const bvb_segment segments[] = {
		{ 1, 2, 0, BVB_NO_NAME }, { 1, BVB_NO_NAME, 0, BVB_NO_NAME }, { 1, 1, 1, BVB_NO_NAME },
		{ 1, 1, 0, 0 },           { 0, 1, 0, BVB_NO_NAME },           { 2, 1, 0, BVB_NO_NAME },
	};
	for ( int i = 0; i < 6; ++i )
	{
		transport t = good;
		t.segments[1] = segments[i];
		expect_damaged( f, &t, sizeof t );
	}
	transport t = good;
	t.segments[0].first_triangle = 1;
	t.segments[1].first_triangle = 2;
	expect_damaged( f, &t, sizeof t );
}

static void faces_that_are_not_counted_one_by_one_are_noticed( void** state )
{
	fixture* f = *state;
	const uint32_t faces[][2] = {
		{ 1, 1 }, { 1, 2 }, { 0, 2 }, { 1, 0 }, { 0, UINT32_MAX }, { UINT32_MAX, 0 }
	};
	for ( int i = 0; i < 6; ++i )
	{
		transport t = good;
		memcpy( t.faces, faces[i], sizeof t.faces );
		expect_damaged( f, &t, sizeof t );
	}
	transport t = good;
	t.faces[1] = 0;
	assert_int_equal( take( f, &t, sizeof t ), bv_ok );
}

static void names_must_end_and_be_as_many_as_announced( void** state )
{
	fixture* f = *state;
	transport t = good;
	t.names[7] = 'x';
	expect_damaged( f, &t, sizeof t );
	t = good;
	t.names[0] = 0;
	expect_damaged( f, &t, sizeof t );
	t = good;
	t.names[2] = 'x';
	expect_damaged( f, &t, sizeof t );
	memset( t.names, 'x', sizeof t.names );
	expect_damaged( f, &t, sizeof t );
}

static void a_result_without_segments_is_damaged( void** state )
{
	transport t = good;
	t.report.segment_count = 0;
	memcpy( t.segments, t.names, sizeof t.names );
	expect_damaged( *state, &t, sizeof t - sizeof t.segments );
}

static void an_outcome_that_nobody_knows_is_a_crash( void** state )
{
	fixture* f = *state;
	const uint32_t outcomes[] = { bvassimp_none, bvassimp_unsupported + 1, UINT32_MAX };
	for ( int i = 0; i < 3; ++i )
	{
		transport t = good;
		t.report.outcome = outcomes[i];
		assert_int_equal( take( f, &t, sizeof t ), bv_error_input );
		assert_string_equal( f->error.message, "t.fbx: the importer crashed (no result)" );
	}
	transport t = good;
	assert_int_equal( take( f, &t, 0 ), bv_error_input );
	assert_string_equal( f->error.message, "t.fbx: the importer crashed (no result)" );
}

static void a_text_without_an_end_is_cut( void** state )
{
	fixture* f = *state;
	transport t = good;
	t.report.outcome = bvassimp_refused;
	for ( size_t i = 0; i < sizeof t.report.text; ++i )
	{
		t.report.text[i] = i % 2 ? ' ' : 'x'; // a long word would be shortened
	}
	assert_int_equal( take( f, &t, sizeof t ), bv_error_input );
	assert_int_equal( strlen( f->error.message ), strlen( "t.fbx: the importer rejected the file: " ) + 255 );
}

// A hole of 24 GB, as announced.
static void a_result_larger_than_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_arena* whole = f->arena;
	f->arena = bvb_arena_create_limited( 1 << 20 );
	transport t = good;
	t.report.vertex_count = 1000000000;
	bv_status status = take( f, &t, bvassimp_lay_out( &t.report ).size );
	bvb_arena_destroy( f->arena );
	f->arena = whole;
	assert_int_equal( status, bv_error_memory );
	assert_string_equal( f->error.message, "out of memory" );
}

// Whatever bytes are wrong, what is taken is a scene.
static void random_damage_is_noticed_or_harmless( void** state )
{
	fixture* f = *state;
	uint32_t random = 1;
	int taken = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		transport t = good;
		uint32_t changes = 1 + i % 3;
		for ( uint32_t k = 0; k < changes; ++k )
		{
			random = random * 1664525u + 1013904223u;
			size_t where = ( random >> 8 ) % ( sizeof t - 256 );
			where += where >= 64 ? 256 : 0;
			random = random * 1664525u + 1013904223u;
			( (unsigned char*)&t )[where] = (unsigned char)( i % 2 ? random >> 24 : random >> 30 );
		}
		if ( take( f, &t, sizeof t ) != bv_ok )
		{
			assert_true( f->error.message[0] != 0 );
			continue;
		}
		++taken;
		const bvb_scene* s = &f->import.scene;
		for ( uint32_t k = 0; k < s->mesh.triangle_count; ++k )
		{
			const uint32_t* c = s->mesh.triangles[k].corner;
			assert_true( c[0] < s->mesh.vertex_count && c[1] < s->mesh.vertex_count &&
			             c[2] < s->mesh.vertex_count && s->faces[k] <= k );
		}
		for ( uint32_t k = 0; k < s->segment_count; ++k )
		{
			const bvb_segment* segment = &s->segments[k];
			assert_true( segment->first_triangle >= k && segment->first_triangle < s->mesh.triangle_count );
			assert_true( strlen( s->objects[segment->object] ) < 8 );
			assert_true( segment->material == BVB_NO_NAME || strlen( s->materials[segment->material] ) < 8 );
		}
	}
	assert_true( taken > 100 && taken < 19900 );
}

static char folder[] = "/tmp/bvb-test-assimp-scene-XXXXXX";

static int enter_scratch_folder( void** state )
{
	(void)state;
	return mkdtemp( folder ) && chdir( folder ) == 0 ? 0 : -1;
}

static int leave_scratch_folder( void** state )
{
	(void)state;
	return chdir( "/" ) == 0 ? rmdir( folder ) : -1;
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( instances_of_a_mesh_are_objects_of_their_own ),
		TEST( pieces_of_one_material_are_one_segment ),
		TEST( strips_are_triangles_and_points_and_lines_are_counted ),
		TEST( polygons_are_faces_and_nodes_have_the_names_that_people_gave ),
		TEST( a_skeleton_alone_has_no_triangles ),
		TEST( names_that_assimp_made_up_give_way ),
		TEST( faults_beside_the_meshes_do_no_harm ),
		TEST( joints_place_a_skinned_mesh ),
		TEST( a_skinned_mesh_in_another_pose_keeps_its_shape ),
		TEST( a_mirrored_skeleton_keeps_the_outside ),
		TEST( hidden_joints_place_nothing ),
		TEST( joints_that_cannot_be_told_apart_place_nothing ),
		TEST( a_hundred_thousand_nodes_are_as_many_objects ),
		TEST( an_undamaged_result_is_taken ),
		TEST( a_warning_without_an_end_is_taken ),
		TEST( losses_are_told_from_other_warnings ),
		TEST( the_first_loss_is_kept ),
		TEST( placeholders_are_not_kept ),
		TEST( counts_that_do_not_fit_the_file_are_noticed ),
		TEST( indices_out_of_range_are_noticed ),
		TEST( faces_that_are_not_counted_one_by_one_are_noticed ),
		TEST( names_must_end_and_be_as_many_as_announced ),
		TEST( a_result_without_segments_is_damaged ),
		TEST( an_outcome_that_nobody_knows_is_a_crash ),
		TEST( a_text_without_an_end_is_cut ),
		TEST( a_result_larger_than_memory_is_an_error ),
		TEST( random_damage_is_noticed_or_harmless ),
	};
	return cmocka_run_group_tests( tests, enter_scratch_folder, leave_scratch_folder );
}
