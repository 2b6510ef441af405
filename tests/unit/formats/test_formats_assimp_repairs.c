// What is done about faults of Assimp 5.2: COLLADA and X3D documents that it misreads, objects of Blender files that it
// loses, and files that it cannot read.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/import.h"
#include "formats/assimp/blend.h"
#include "formats/assimp/collada.h"
#include "formats/assimp/x3d.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	char path[64];
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

static void write_file( fixture* f, const char* extension, const void* bytes, size_t size )
{
	snprintf( f->path, sizeof f->path, "/tmp/bvb-test-repairs-XXXXXX.%s", extension );
	int file = mkstemps( f->path, (int)strlen( extension ) + 1 );
	assert_true( file >= 0 );
	assert_int_equal( write( file, bytes, size ), (ssize_t)size );
	close( file );
}

static bv_status read_as( fixture* f, const char* extension, const void* bytes, size_t size )
{
	write_file( f, extension, bytes, size );
	bvb_import_options options = bvb_import_options_default();
	memset( &f->import, 0, sizeof f->import );
	f->error.message[0] = 0;
	bv_status status = bvb_import_file( f->path, &options, f->arena, &f->import, &f->error );
	unlink( f->path );
	return status;
}

#define POSITIONS "0 0 0 1 0 0 1 2 0 0 2 0 0 0 3 1 0 3 1 2 3 0 2 3"
#define QUADS     "3 2 1 0 4 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7"
#define INPUT     "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"

// What differs between the documents of a box of 1 x 2 x 3, with a skin.
typedef struct box
{
	const char* count;     // of the positions
	const char* positions; // with what is around them
	const char* accessor;  // its count
	const char* primitives;
	const char* weights; // in <v>
	const char* comment; // in front of the mesh
} box;

static const box plain_box = {
	"24",
	POSITIONS,
	"8",
	"<polylist count=\"6\">" INPUT "<vcount>4 4 4 4 4 4</vcount><p>" QUADS "</p></polylist>",
	"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
	"",
};

static bv_status read_box( fixture* f, const box* b )
{
	char text[8000];
	int size = snprintf(
		text, sizeof text,
		"<?xml version=\"1.0\"?>\n"
		"<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
		"<asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n"
		"<library_geometries><geometry id=\"g\">%s<mesh>\n"
		"<source id=\"s\"><float_array id=\"a\" count=\"%s\">%s</float_array><technique_common>"
		"<accessor source=\"#a\" count=\"%s\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
		"<param name=\"Y\" type=\"float\"/><param name=\"Z\" "
		"type=\"float\"/></accessor></technique_common></source>\n"
		"<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\n%s\n"
		"</mesh></geometry></library_geometries>\n"
		"<library_controllers><controller id=\"c\"><skin source=\"#g\">\n"
		"<source id=\"j\"><Name_array id=\"ja\" count=\"1\">A</Name_array><technique_common><accessor "
		"source=\"#ja\" count=\"1\"><param name=\"JOINT\" "
		"type=\"name\"/></accessor></technique_common></source>\n"
		"<source id=\"m\"><float_array id=\"ma\" count=\"16\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array>"
		"<technique_common><accessor source=\"#ma\" count=\"1\" stride=\"16\"><param name=\"TRANSFORM\" "
		"type=\"float4x4\"/></accessor></technique_common></source>\n"
		"<source id=\"w\"><float_array id=\"wa\" count=\"1\">1</float_array><technique_common><accessor "
		"source=\"#wa\" count=\"1\"><param name=\"WEIGHT\" "
		"type=\"float\"/></accessor></technique_common></source>\n"
		"<joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" "
		"source=\"#m\"/></joints>\n"
		"<vertex_weights count=\"8\"><input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/><input "
		"semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>1 1 1 1 1 1 1 "
		"1</vcount><v>%s</v></vertex_weights>\n"
		"</skin></controller></library_controllers>\n"
		"<library_visual_scenes><visual_scene id=\"x\"><node id=\"n\"><instance_controller url=\"#c\">"
		"<skeleton>#A</skeleton></instance_controller></node><node id=\"A\" sid=\"A\" name=\"A\" "
		"type=\"JOINT\"/></visual_scene></library_visual_scenes>\n"
		"<scene><instance_visual_scene url=\"#x\"/></scene></COLLADA>\n",
		b->comment, b->count, b->positions, b->accessor, b->primitives, b->weights );
	assert_in_range( size, 1, sizeof text - 1 );
	return read_as( f, "dae", text, (size_t)size );
}

// Six times the volume over the triangles: that of a closed box is known.
static double six_volumes( const bvb_mesh* m )
{
	double sum = 0;
	for ( uint32_t i = 0; i < m->triangle_count; ++i )
	{
		bv_vec3 a = m->positions[m->triangles[i].corner[0]];
		bv_vec3 b = m->positions[m->triangles[i].corner[1]];
		bv_vec3 c = m->positions[m->triangles[i].corner[2]];
		sum += a.x * ( b.y * c.z - b.z * c.y ) - a.y * ( b.x * c.z - b.z * c.x ) +
		       a.z * ( b.x * c.y - b.y * c.x );
	}
	return sum;
}

static void expect_box( fixture* f, const box* b )
{
	bv_status status = read_box( f, b );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	assert_int_equal( f->import.scene.mesh.triangle_count, 12 );
	assert_int_equal( f->import.losses, 0 );
	assert_true( six_volumes( &f->import.scene.mesh ) == 36 );
}

// Whatever the white space, and comments.
static void lists_of_numbers_may_have_any_space( void** state )
{
	expect_box( *state, &plain_box );
	static const char* const spaces[] = { " ", "\n", "\t\t", "\r\n   ", "<!-- c -->", " <!-- 1 <p>\n-->\n" };
	for ( size_t i = 0; i < sizeof spaces / sizeof *spaces; ++i )
	{
		char positions[300];
		char primitives[500];
		char weights[200];
		const char* s = spaces[i];
		snprintf( positions, sizeof positions, "%s0 0 0 1 0 0 %s 1 2 0 0 2 0 0 0 3 1 0 3 1 2 3 0 2 3%s", s, s,
		          s );
		snprintf( primitives, sizeof primitives,
		          "<polylist count=\"6\">" INPUT "<vcount>%s4 4 %s 4 4 4 4%s</vcount><p>%s3 2 1 0 4 %s"
		          " 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7%s</p></polylist>",
		          s, s, s, s, s, s );
		snprintf( weights, sizeof weights, "%s0 0 0 0 0 0 0 %s 0 0 0 0 0 0 0 0 0%s", s, s, s );
		box b = plain_box;
		b.positions = positions;
		expect_box( *state, &b );
		b.primitives = primitives;
		expect_box( *state, &b );
		b.weights = weights;
		b.comment = "<!-- <mesh> \" -->";
		expect_box( *state, &b );
	}
}

static void expect_refused_box( fixture* f, const box* b, const char* message )
{
	assert_int_equal( read_box( f, b ), bv_error_input );
	const char* end = strstr( f->error.message, "the file: " );
	assert_non_null( end );
	assert_string_equal( end + strlen( "the file: " ), message );
}

// Assimp takes what is in memory there, or vertex 0.
static void what_assimp_would_read_wrong_is_refused( void** state )
{
	box b = plain_box;
	b.count = "23";
	expect_refused_box( *state, &b, "float_array 'a' has 24 values, its count says 23" );
	b = plain_box;
	b.accessor = "9";
	expect_refused_box( *state, &b, "an accessor of float_array 'a' needs more than its 24 values" );
	b.accessor = "18446744073709551615";
	expect_refused_box( *state, &b, "an accessor of float_array 'a' needs more than its 24 values" );
	b = plain_box;
	b.primitives = "<triangles count=\"1\">" INPUT "<input semantic=\"NORMAL\" source=\"#s\" offset=\"1\"/>"
				   "<p>0 0 1 0 -1 0</p></triangles>";
	expect_refused_box( *state, &b, "a primitive refers to a vertex with a number below 0" );
}

// No document makes it read or write outside of it, which AddressSanitizer sees.
static void any_bytes_are_prepared( void** state )
{
	(void)state;
	static const char whole[] = "<a><!-- x --><p>  1 -2</p><float_array id=\"a\" count=\"3\"> 1 2 "
								"3</float_array><?y ?><![CDATA[<p> ]]>"
								"<accessor source=\"#a\" count=\"1\" stride='3'/><triangles><input "
								"semantic=\"VERTEX\" offset=\"1\"/>";
	for ( size_t first = 0; first < sizeof whole; ++first )
	{
		for ( size_t end = first; end < sizeof whole; ++end )
		{
			char* bytes = malloc( end - first + 1 );
			assert_non_null( bytes );
			char* exact = bytes + 1; // so that what is in front is not of the block's alignment
			memcpy( exact, whole + first, end - first );
			char reason[200];
			bvimport_notes lost = { 0 };
			bvassimp_prepare_collada( exact, end - first, &lost, reason );
			free( bytes );
		}
	}
}

// X3D.

#define X3D_HEAD                                                                                       \
	"<?xml version=\"1.0\"?>\n<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 3.2//EN\" \"x3d-3.2.dtd\">\n" \
	"<X3D version=\"3.2\"><Scene>\n<Shape><Box size=\"1,2,3\"/></Shape>\n"
#define X3D_POINTS "<Coordinate point=\"5 0 0 6 0 0 6 1 0 5 1 0\"/>"
#define X3D_FACE   "<Shape><IndexedFaceSet coordIndex=\"0 1 2 3 -1\">" X3D_POINTS "</IndexedFaceSet></Shape>"

static bv_status read_x3d( fixture* f, const char* node )
{
	char text[2000];
	int size = snprintf( text, sizeof text, X3D_HEAD "%s\n</Scene></X3D>\n", node );
	return read_as( f, "x3d", text, (size_t)size );
}

static void geometry_of_x3d_that_assimp_ignores_is_counted( void** state )
{
	fixture* f = *state;
	static const struct
	{
		const char* node;
		uint32_t triangles; // beside the 12 of the box
		uint64_t losses;
		const char* text;
	} cases[] = {
		{ X3D_FACE, 2, 0, NULL },
		{ "<Shape><Text string='\"a\"'/></Shape>", 0, 1, "line 5: Text is not read by Assimp" },
		{ "<Shape><QuadSet>" X3D_POINTS "</QuadSet></Shape><Shape><Text/></Shape>", 0, 2,
		  "line 5: QuadSet is not read by Assimp" },
		{ "<Shape><IndexedFaceSet coordIndex='0 1 2'><CoordinateDouble point='0 0 "
		  "0'/></IndexedFaceSet></Shape>",
		  0, 1, "line 5: CoordinateDouble is not read by Assimp" },
		{ "<Shape><MetadataString/><Appearance/>\n</Shape><Viewpoint/><Transform/>", 0, 0, NULL },
		{ "<Group>\n<LOD>" X3D_FACE X3D_FACE "</LOD></Group>", 0, 1,
		  "line 6: LOD and what is in it are not read by Assimp" },
		{ "<Anchor><Viewpoint/></Anchor>", 0, 0, NULL },
		{ "<ProtoDeclare name='p'><ProtoBody>" X3D_FACE "</ProtoBody></ProtoDeclare>", 0, 0, NULL },
		{ "<ProtoDeclare name='p'><ProtoBody>" X3D_FACE
		  "</ProtoBody></ProtoDeclare><ProtoInstance name='p'/>",
		  0, 1, "line 5: ProtoInstance and what is in it are not read by Assimp" },
		{ "<Switch>" X3D_FACE "<LOD>" X3D_FACE "</LOD></Switch>", 0, 0, NULL },
		{ "<Switch whichChoice='1'>" X3D_FACE "<LOD>" X3D_FACE "</LOD></Switch>", 0, 1,
		  "line 5: LOD and what is in it are not read by Assimp" },
		{ "<Switch whichChoice='0'><MetadataString/>" X3D_FACE "</Switch>", 0, 1,
		  "line 5: MetadataString makes Assimp read another child of the Switch" },
		{ "<Inline url='\"http://example.com/a.x3d\"'/>", 0, 1,
		  "line 5: the included file http://example.com/a.x3d is not read" },
		{ "<Inline url='\"a.wrl\" \"b.x3d\"'/>", 0, 1, "line 5: the included file a.wrl is not read" },
		{ "<WorldInfo title='a & b'/>" X3D_FACE, 2, 1,
		  "line 5: not well-formed (invalid token); what Assimp does not read behind it is not known" },

		// Lines are no loss, and no faces.
		{ "<Shape><LineSet vertexCount='4'>" X3D_POINTS "</LineSet></Shape>", 0, 0, NULL },

		// Commas are blanks.
		{ "<Shape><IndexedFaceSet coordIndex='0,1, 2,3,-1'><Coordinate point='0,0,0,1,0,0,1,1,0,0,1,0'/>"
		  "</IndexedFaceSet></Shape>",
		  2, 0, NULL },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		assert_int_equal( read_x3d( f, cases[i].node ), bv_ok );
		assert_int_equal( f->import.scene.mesh.triangle_count, 12 + cases[i].triangles );
		assert_int_equal( f->import.losses, cases[i].losses );
		if ( cases[i].text )
		{
			assert_string_equal( f->import.warning, cases[i].text );
		}
	}
}

static void what_assimp_would_take_for_numbers_is_refused( void** state )
{
	fixture* f = *state;
	assert_int_equal( read_x3d( f, "<Transform translation='1 x 2'>" X3D_FACE "</Transform>" ),
	                  bv_error_input );
	assert_non_null( strstr( f->error.message, "line 5: Transform: translation is not all numbers" ) );
	static const char text[] = "<X3D><Scene><Shape><Text/></Shape></Scene></X3D>";
	assert_int_equal( read_as( f, "x3d", text, sizeof text - 1 ), bv_error_input );
	assert_non_null( strstr( f->error.message, ": no triangles (line 1: Text is not read by Assimp)" ) );
}

// Of an included file the losses are counted once, and its commas are blanks, too.
static void included_files_of_x3d_are_prepared( void** state )
{
	fixture* f = *state;
	static const char inner[] =
		"<X3D><Scene><Shape><Text/></Shape><Shape><IndexedTriangleSet index='0,1,2'>" X3D_POINTS
		"</IndexedTriangleSet></Shape></Scene></X3D>";
	write_file( f, "x3d", inner, sizeof inner - 1 );
	char path[sizeof f->path];
	strcpy( path, f->path );
	char node[200];
	snprintf( node, sizeof node, "<Inline url='\"%s\" \"http://example.com/a.x3d\"'/>",
	          strrchr( path, '/' ) + 1 );
	bv_status status = read_x3d( f, node );
	unlink( path );
	assert_int_equal( status, bv_ok );
	assert_int_equal( f->import.scene.mesh.triangle_count, 13 );
	assert_int_equal( f->import.losses, 1 );
	assert_int_equal( f->import.side_files.count, 1 );
}

static void any_bytes_of_x3d_are_prepared( void** state )
{
	(void)state;
	static const char whole[] =
		"<X3D><Switch whichChoice='1'><LineSet a='1,2'/><Inline url = '\"a.x3d\" \"b\"' "
		"/><Inline url=\"&quot;c.x3d&quot;\"></Inline></Switch></X3D>";
	for ( size_t end = 0; end < sizeof whole; ++end )
	{
		for ( size_t first = 0; first < end; ++first )
		{
			char* bytes = malloc( end - first );
			assert_non_null( bytes );
			memcpy( bytes, whole + first, end - first );
			char reason[200];
			bvimport_notes lost = { 0 };
			assert_true( bvassimp_prepare_x3d( bytes, end - first, &lost, reason ) );
			free( bytes );
		}
	}
}

// CAD in STEP, which has the extension of IFC.
static void steps_other_than_ifc_are_not_supported( void** state )
{
	fixture* f = *state;
	static const char text[] =
		"ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
		"FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\nENDSEC;\n"
		"END-ISO-10303-21;\n";
	assert_int_equal( read_as( f, "step", text, sizeof text - 1 ), bv_error_unsupported );
	assert_non_null( strstr( f->error.message, ": a STEP file with another schema than IFC has is not" ) );
}

// Blender files.

static void expect_refused_blend( fixture* f, const void* bytes, size_t size, const char* what )
{
	assert_int_equal( read_as( f, "blend", bytes, size ), bv_error_unsupported );
	assert_non_null( strstr( f->error.message, what ) );
	assert_non_null( strstr( f->error.message, "(export it from Blender as glTF 2.0)" ) );
}

static void files_of_later_blenders_are_not_supported( void** state )
{
	static const char* const headers[][2] = {
		{ "BLENDER-v300 and more", "is a file of Blender 3.0;" },
		{ "BLENDER_V302 and more", "is a file of Blender 3.2;" },
		{ "BLENDER-v405 and more", "is a file of Blender 4.5;" },
		{ "BLENDER17-01v0500 more", "is a file of Blender 5.0;" },
	};
	for ( size_t i = 0; i < sizeof headers / sizeof *headers; ++i )
	{
		const char* text = headers[i][0];
		expect_refused_blend( *state, text, strlen( text ), headers[i][1] );
		char packed[200];
		char path[] = "/tmp/bvb-test-repairs-XXXXXX";
		int file = mkstemp( path );
		gzFile out = gzdopen( dup( file ), "wb" );
		gzputs( out, text );
		gzclose( out );
		ssize_t size = pread( file, packed, sizeof packed, 0 );
		close( file );
		unlink( path );
		expect_refused_blend( *state, packed, (size_t)size, headers[i][1] );
	}
	expect_refused_blend( *state, "\x28\xb5\x2f\xfd and some more", 18, "is compressed by Zstandard" );
	assert_int_equal( read_as( *state, "blend", "BLENDER-v299 and more", 21 ), bv_error_input );
	assert_int_equal( read_as( *state, "blend", "\x1f\x8b", 2 ), bv_error_input );
	assert_int_equal( read_as( *state, "blend", "BLENDER", 7 ), bv_error_input );
}

static size_t put_block( char* to, const char* code, const char* name, bool big )
{
	memset( to, 0, 24 + 160 );
	memcpy( to, code, strlen( code ) );
	to[big ? 7 : 4] = name ? (char)160 : 0;
	if ( name )
	{
		strcpy( to + 24 + 40, name );
	}
	return name ? 24 + 160 : 24;
}

// With the nodes that Assimp makes of objects beside those that it loses.
static void objects_that_assimp_loses_are_named( void** state )
{
	fixture* f = *state;
	struct aiNode nodes[3] = { 0 };
	struct aiNode* children[2] = { &nodes[1], &nodes[2] };
	strcpy( nodes[0].mName.data, "<BlenderRoot>" );
	strcpy( nodes[1].mName.data, "Cube" );
	strcpy( nodes[2].mName.data, "Cube.002" );
	nodes[0].mNumChildren = 1;
	nodes[0].mChildren = &children[0];
	nodes[1].mNumChildren = 1;
	nodes[1].mChildren = &children[1];
	nodes[1].mParent = &nodes[0];
	nodes[2].mParent = &nodes[1];
	struct aiScene scene = { .mRootNode = &nodes[0] };
	for ( int big = 0; big < 2; ++big )
	{
		char bytes[4000];
		size_t size = (size_t)sprintf( bytes, "BLENDER-%c279", big ? 'V' : 'v' );
		size += put_block( bytes + size, "OB", "OBCube", big );
		size += put_block( bytes + size, "ME", "MECube.001", big );
		size += put_block( bytes + size, "OB", "OBCube.001", big );
		size += put_block( bytes + size, "DATA", "OBCube.003", big );
		size += put_block( bytes + size, "OB", "OBCube.002", big );
		size += put_block( bytes + size, "OB", "OBOB", big );
		size_t without_end = size;
		size += put_block( bytes + size, "ENDB", NULL, big );
		size += put_block( bytes + size, "OB", "OBbehind", big );
		bvimport_notes notes = { 0 };
		write_file( f, "blend", bytes, size );
		bvassimp_count_lost_objects( f->path, &scene, &notes );
		unlink( f->path );
		assert_int_equal( notes.losses, 2 );
		assert_string_equal( notes.text, "the importer loses 'Cube.001', 'OB'" );
		for ( size_t cut = 0; cut < without_end; cut += 7 )
		{
			write_file( f, "blend", bytes, cut );
			notes = ( bvimport_notes ){ 0 };
			bvassimp_count_lost_objects( f->path, &scene, &notes );
			unlink( f->path );
			assert_in_range( notes.losses, 0, 2 );
		}
	}
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( lists_of_numbers_may_have_any_space ),
		TEST( what_assimp_would_read_wrong_is_refused ),
		TEST( any_bytes_are_prepared ),
		TEST( geometry_of_x3d_that_assimp_ignores_is_counted ),
		TEST( what_assimp_would_take_for_numbers_is_refused ),
		TEST( included_files_of_x3d_are_prepared ),
		TEST( any_bytes_of_x3d_are_prepared ),
		TEST( steps_other_than_ifc_are_not_supported ),
		TEST( files_of_later_blenders_are_not_supported ),
		TEST( objects_that_assimp_loses_are_named ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
