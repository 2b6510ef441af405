// Import through the child process: the resulting scene, and the errors for files that make Assimp hang,
// crash or exceed its limits.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/import.h"
#include "formats/assimp/assimp.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import_options options;
	bvb_import import;
	bvb_error error;
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	f->options = bvb_import_options_default();
	*state = f;
	return f->arena ? 0 : -1;
}

// No test may leave a child behind.
static int tear_down( void** state )
{
	fixture* f = *state;
	bvb_arena_destroy( f->arena );
	free( f );
	return waitpid( -1, NULL, WNOHANG ) == -1 && errno == ECHILD ? 0 : -1;
}

// Assimp reads glTF as well. It makes scenes of nodes and faults that no other format has in so few lines.
static bv_status import_by_assimp( fixture* f, const char* name )
{
	memset( &f->import, 0, sizeof f->import );
	bv_status status = bvb_hash_file( name, f->import.hash, &f->import.format, f->arena, &f->error );
	return status == bv_ok
	           ? bvassimp_read_assimp( name, "gltf", &f->options, f->arena, &f->import, &f->error )
	           : status;
}

static bv_status import_text( fixture* f, const char* name, const char* text )
{
	FILE* file = fopen( name, "wb" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
	f->error.message[0] = 0;
	bv_status status = strstr( name, ".gltf" )
	                       ? import_by_assimp( f, name )
	                       : bvb_import_file( name, &f->options, f->arena, &f->import, &f->error );
	remove( name );
	return status;
}

static void expect_error( fixture* f, const char* name, const char* text, bv_status status,
                          const char* message )
{
	bv_status given = import_text( f, name, text );
	assert_string_equal( f->error.message, message );
	assert_int_equal( given, status );
}

static void expect_ok( fixture* f, const char* name, const char* text )
{
	bv_status status = import_text( f, name, text );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	for ( uint32_t i = 0; i < f->import.scene.mesh.triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( f->import.scene.mesh.triangles[i].corner[k] < f->import.scene.mesh.vertex_count );
		}
	}
}

static double seconds( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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

// The tetrahedron (0,0,0) (1,0,0) (0,1,0) (0,0,1), facing outwards, as floats and 16-bit indices.
#define TETRAHEDRON                                                                                          \
	"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"                       \
	"\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/"                                            \
	"octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAA"                                                  \
	"AAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA\"}],"                                   \
	"\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"                                    \
	"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"                                                   \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0]," \
	"\"max\":[1,1,1]},{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}]}"
#define SCENE "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["

// Nodes: a parent moved by (10, 0, 0) with a mirror in x, a scale of 2, and a mirror in z around a mirror in
// y.
static void instances_are_placed_and_mirrored_ones_keep_their_outside( void** state )
{
	fixture* f = *state;
	expect_ok( f, "t.gltf",
	           SCENE "{\"translation\":[10,0,0],\"children\":[1,2,3]},{\"scale\":[-1,1,1],\"mesh\":0},"
	                 "{\"scale\":[2,2,2],\"mesh\":0},{\"scale\":[1,1,-1],\"children\":[4]},"
	                 "{\"scale\":[1,-1,1],\"translation\":[0,0,5],\"mesh\":0}]," TETRAHEDRON );
	const bvb_mesh* mesh = &f->import.scene.mesh;
	assert_int_equal( mesh->vertex_count, 12 );
	assert_int_equal( mesh->triangle_count, 12 );
	const bv_vec3 expected[12] = {
		{ 10, 0, 0 }, { 9, 0, 0 },  { 10, 1, 0 },  { 10, 0, 1 },  { 10, 0, 0 },   { 12, 0, 0 },
		{ 10, 2, 0 }, { 10, 0, 2 }, { 10, 0, -5 }, { 11, 0, -5 }, { 10, -1, -5 }, { 10, 0, -6 },
	};
	for ( int i = 0; i < 12; ++i )
	{
		assert_true( mesh->positions[i].x == expected[i].x && mesh->positions[i].y == expected[i].y &&
		             mesh->positions[i].z == expected[i].z );
	}
	assert_true( fabs( signed_volume( mesh, 0, 4 ) - 1.0 / 6 ) < 1e-12 );
	assert_true( fabs( signed_volume( mesh, 4, 8 ) - 8.0 / 6 ) < 1e-12 );
	assert_true( fabs( signed_volume( mesh, 8, 12 ) - 1.0 / 6 ) < 1e-12 );
}

// The last of the twelve indices is 9 in place of 3, of 4 vertices.
static void faces_that_assimp_drops_are_told_of( void** state )
{
	fixture* f = *state;
	expect_ok( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	assert_int_equal( f->import.warnings, 0 );
	assert_null( f->import.warning );

	char text[] = SCENE "{\"mesh\":0}]," TETRAHEDRON;
	char* index = strstr( text, "AMA\"}]" );
	assert_non_null( index );
	index[1] = 'k';
	expect_ok( f, "t.gltf", text );
	assert_int_equal( f->import.scene.mesh.triangle_count, 3 );
	assert_int_equal( f->import.losses, 1 );
	assert_string_equal( f->import.warning,
	                     "Some faces had out-of-range indices. Those faces were dropped." );
}

// The determinant of the product is -1e-114, which is 0 as a float.
static void tiny_mirrors_are_mirrors( void** state )
{
	fixture* f = *state;
	expect_ok( f, "t.gltf",
	           SCENE "{\"scale\":[-1e-30,1e-30,1e-30],\"children\":[1]},{\"scale\":[1e-8,1e-8,1e-8],\"mesh\":"
	                 "0}]," TETRAHEDRON );
	for ( uint32_t i = 0; i < f->import.scene.mesh.vertex_count; ++i )
	{
		bv_vec3* x = &f->import.scene.mesh.positions[i];
		*x = ( bv_vec3 ){ 1e38 * x->x, 1e38 * x->y, 1e38 * x->z };
	}
	assert_true( fabs( signed_volume( &f->import.scene.mesh, 0, 4 ) - 1.0 / 6 ) < 1e-6 );
}

static char* chain_of_nodes( int depth )
{
	char* text = malloc( 32 * (size_t)depth + 4096 );
	char* end = text + sprintf( text, SCENE );
	for ( int i = 1; i < depth; ++i )
	{
		end += sprintf( end, "{\"children\":[%d]},", i );
	}
	sprintf( end, "{\"mesh\":0}]," TETRAHEDRON );
	return text;
}

static void deep_node_trees_are_flattened( void** state )
{
	fixture* f = *state;
	char* text = chain_of_nodes( 2000 );
	expect_ok( f, "t.gltf", text );
	free( text );
	assert_int_equal( f->import.scene.mesh.triangle_count, 4 );
}

// Assimp itself recurses until its stack is full.
static void a_crash_of_the_importer_is_a_message( void** state )
{
	fixture* f = *state;
	struct rlimit before;
	getrlimit( RLIMIT_STACK, &before );
	struct rlimit small = { 1 << 20, before.rlim_max };
	setrlimit( RLIMIT_STACK, &small );
	char* text = chain_of_nodes( 100000 );
	bv_status status = import_text( f, "t.gltf", text );
	free( text );
	setrlimit( RLIMIT_STACK, &before );
	assert_string_equal( f->error.message, "t.gltf: the importer crashed (signal 11)" );
	assert_int_equal( status, bv_error_input );
}

// A glTF 1.0 triangle with the indices 0, 1, 9: Assimp aborts, after a word on standard error.
static void an_abort_of_the_importer_is_a_message_and_a_quiet_one( void** state )
{
	fixture* f = *state;
	fflush( stderr );
	int keep = dup( STDERR_FILENO );
	FILE* capture = tmpfile();
	assert_non_null( capture );
	dup2( fileno( capture ), STDERR_FILENO );
	bv_status status = import_text(
		f, "i.gltf",
		"{\"asset\":{\"version\":\"1.0\"},\"accessors\":{\"a\":{\"bufferView\":\"v\",\"byteOffset\":0,"
		"\"byteStride\":0,"
		"\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\"i\":{\"bufferView\":\"w\",\"byteOffset\":0,"
		"\"byteStride\":0,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}},\"buffers\":{\"b\":{"
		"\"byteLength\":42,\"type\":\"arraybuffer\",\"uri\":\"data:application/octet-stream;base64,"
		"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAkA\"}},\"bufferViews\":{\"v\":{\"buffer\":"
		"\"b\","
		"\"byteOffset\":0,\"byteLength\":36,\"target\":34962},\"w\":{\"buffer\":\"b\",\"byteOffset\":36,"
		"\"byteLength\":6,\"target\":34963}},\"meshes\":{\"m\":{\"primitives\":[{\"mode\":4,\"indices\":"
		"\"i\","
		"\"attributes\":{\"POSITION\":\"a\"}}]}},\"nodes\":{\"n\":{\"meshes\":[\"m\"]}},"
		"\"scenes\":{\"s\":{\"nodes\":[\"n\"]}},\"scene\":\"s\"}" );
	off_t size = lseek( fileno( capture ), 0, SEEK_END );
	dup2( keep, STDERR_FILENO );
	close( keep );
	fclose( capture );
	assert_string_equal( f->error.message, "i.gltf: the importer crashed (signal 6)" );
	assert_int_equal( status, bv_error_input );
	assert_int_equal( size, 0 );
}

static void polygons_become_triangles_and_lines_and_points_are_counted( void** state )
{
	fixture* f = *state;
	expect_ok(
		f, "m.OFF",
		"OFF\n5 6 0\n0 0 0\n4 3 0\n1 0 0\n4 -3 0\n0 0 5\n4 0 1 2 3\n1 4\n2 0 1\n3 0 1 4\n2 1 2\n1 1\n" );
	assert_string_equal( f->import.format, "off" );
	assert_int_equal( f->import.points, 2 );
	assert_int_equal( f->import.lines, 2 );
	assert_int_equal( f->import.scene.mesh.triangle_count, 3 );

	// The quad is an arrow head of area 3: 2 triangles of 1.5 each when cut inside.
	for ( int i = 0; i < 2; ++i )
	{
		const uint32_t* c = f->import.scene.mesh.triangles[i].corner;
		const bv_vec3* x = f->import.scene.mesh.positions;
		double area = ( ( x[c[1]].x - x[c[0]].x ) * ( x[c[2]].y - x[c[0]].y ) -
		                ( x[c[1]].y - x[c[0]].y ) * ( x[c[2]].x - x[c[0]].x ) ) /
		              2;
		assert_true( fabs( fabs( area ) - 1.5 ) < 1e-12 );
	}
}

// The floats 0 0 nan, 1 0 inf, 0 1 0.
static void non_finite_coordinates_are_passed_on( void** state )
{
	fixture* f = *state;
	expect_ok( f, "n.gltf",
	           SCENE
	           "{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
	           "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
	           "AAAAAAAAAAAAAMB/AACAPwAAAAAAAIB/AAAAAAAAgD8AAAAA\"}],"
	           "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],"
	           "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}" );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( x[0].x == 0 && x[0].y == 0 && isnan( x[0].z ) );
	assert_true( x[1].x == 1 && x[1].y == 0 && isinf( x[1].z ) );
}

// A glTF mesh of the primitive type "points".
static void a_point_cloud_has_no_triangles( void** state )
{
	expect_error(
		*state, "cloud.gltf",
		SCENE "{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0}}]}],"
			  "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
			  "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
			  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
			  "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}",
		bv_error_input, "cloud.gltf: no triangles (3 points, 0 lines)" );
}

static void a_refusal_says_why( void** state )
{
	fixture* f = *state;
	assert_int_equal( import_text( f, "x.ac", "not a mesh at all, but long enough to be looked at\n" ),
	                  bv_error_input );
	assert_int_equal( strncmp( f->error.message, "x.ac: the importer rejected the file: ", 38 ), 0 );
	assert_true( strlen( f->error.message ) > 40 );
}

static void an_index_out_of_range_is_an_error( void** state )
{
	fixture* f = *state;
	const char* const indices[] = { "3", "200000000", "-1", "4294967295" };
	for ( int i = 0; i < 4; ++i )
	{
		char text[512];
		snprintf( text, sizeof text,
		          "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n"
		          "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"a\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\n"
		          "vert 1 ( 0 0 ) 1 1\nvert 2 ( 0 0 ) 2 1\nnumtris 1\ntri 0 0 1 %s\nnumweights 3\n"
		          "weight 0 0 1 ( 0 0 0 )\nweight 1 0 1 ( 1 0 0 )\nweight 2 0 1 ( 0 1 0 )\n}\n",
		          indices[i] );
		assert_int_equal( import_text( f, "range.md5mesh", text ), bv_error_input );
		assert_int_equal( strncmp( f->error.message, "range.md5mesh: the importer ", 28 ), 0 );
	}
}

// The text ends in the middle of a name.
#define HANG "version 1\nnodes\n0 \"a"

static void an_importer_that_hangs_is_stopped( void** state )
{
	fixture* f = *state;
	f->options.timeout = 1;
	double start = seconds();
	expect_error( f, "hang.smd", HANG, bv_error_input,
	              "hang.smd: the importer exceeded the time limit of 1 s (raise it with --import-timeout)" );
	assert_true( seconds() - start > 0.9 && seconds() - start < 2.5 );
}

static void a_timeout_may_be_a_fraction_of_a_second( void** state )
{
	fixture* f = *state;
	f->options.timeout = 0.25;
	double start = seconds();
	expect_error(
		f, "hang.smd", HANG, bv_error_input,
		"hang.smd: the importer exceeded the time limit of 0.25 s (raise it with --import-timeout)" );
	assert_true( seconds() - start < 1 );
}

static void on_signal( int signal_number )
{
	(void)signal_number;
}

// Signals interrupt every wait of the parent, whose handlers do not run in the child.
static void signals_do_not_disturb_an_import( void** state )
{
	fixture* f = *state;
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;
	sigaction( SIGALRM, &action, &before );
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	setitimer( ITIMER_REAL, &often, NULL );
	for ( int i = 0; i < 20; ++i )
	{
		expect_ok( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	}
	f->options.timeout = 0.25;
	expect_error(
		f, "hang.smd", HANG, bv_error_input,
		"hang.smd: the importer exceeded the time limit of 0.25 s (raise it with --import-timeout)" );
	setitimer( ITIMER_REAL, &( struct itimerval ){ 0 }, NULL );
	sigaction( SIGALRM, &before, NULL );
}

// The kernel reaps the child itself then, and its exit status is lost.
static void a_program_that_ignores_its_children_can_import( void** state )
{
	fixture* f = *state;
	signal( SIGCHLD, SIG_IGN );
	expect_ok( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	signal( SIGCHLD, SIG_DFL );
}

// 2 billion vertices of 12 bytes announced by a text of 130 bytes.
static void an_importer_that_wants_too_much_memory_is_stopped( void** state )
{
	fixture* f = *state;
	if ( !bvassimp_limits_memory() )
	{
		skip();
	}
	f->options.memory_bytes = (uint64_t)512 << 20;
	expect_error( f, "huge.ase",
	              "*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n*MESH {\n*MESH_NUMVERTEX 2000000000\n"
	              "*MESH_VERTEX_LIST {\n*MESH_VERTEX 0 0 0 0\n",
	              bv_error_input, "huge.ase: the importer ran out of memory (limit 512 MiB)" );
}

static void every_truncation_of_a_file_ends_in_a_mesh_or_a_message( void** state )
{
	fixture* f = *state;
	f->options.timeout = 0.25;
	const char whole[] = "xof 0303txt 0032\nMesh m {\n3;\n0;0;1e1;,\n1;0;2;,\n0;1;0;;\n1;\n3;0,1,2;;\n}\n";
	char text[sizeof whole];
	for ( size_t size = 1; size < sizeof whole; ++size )
	{
		memcpy( text, whole, size );
		text[size] = 0;
		bv_status status = import_text( f, "t.x", text );
		assert_true( status == bv_ok || ( status == bv_error_input && f->error.message[0] ) );
	}
	assert_int_equal( f->import.scene.mesh.triangle_count, 1 );
}

static void an_unknown_extension_is_not_supported( void** state )
{
	expect_error( *state, "x.foo", "foo\n", bv_error_unsupported, "x.foo: no reader for .foo files" );
	expect_error( *state, "x.", "foo\n", bv_error_unsupported,
	              "x.: cannot tell the format: the name has no extension" );
}

static void bvh_files_are_told_from_motion_capture( void** state )
{
	expect_error( *state, "walk.bvh", "HIERARCHY\nROOT Hips\n", bv_error_unsupported,
	              "walk.bvh: is motion capture and has no mesh" );
	expect_error( *state, "rock.BVH",
	              "\x89"
	              "BVH\r\n",
	              bv_error_unsupported, "rock.BVH: is already a built .bvh file" );
	expect_error( *state, "short.bvh",
	              "\x89"
	              "BV",
	              bv_error_unsupported, "short.bvh: is motion capture and has no mesh" );
}

// Fewer bytes than the 12 positions take.
static void an_arena_that_is_full_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_arena* whole = f->arena;
	f->arena = bvb_arena_create_limited( 70000 );
	static char text[100000];
	char* end = text;
	for ( int i = 0; i < 1000; ++i )
	{
		end += sprintf( end, "%d 0 %d %d 1 0 0 0 2\n", i, i % 7, i + 1 );
	}
	bv_status status = import_text( f, "m.raw", text );
	bvb_arena_destroy( f->arena );
	f->arena = whole;
	assert_string_equal( f->error.message, "out of memory" );
	assert_int_equal( status, bv_error_memory );
}

static int open_files( void )
{
	int count = 0;
	for ( int i = 0; i < 1024; ++i )
	{
		count += fcntl( i, F_GETFD ) >= 0;
	}
	return count;
}

static void no_file_stays_open( void** state )
{
	fixture* f = *state;
	int before = open_files();
	expect_ok( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	import_text( f, "x.foo", "foo\n" );
	import_text( f, "x.ac", "nonsense that is long enough\n" );
	import_text( f, "x.bvh", "HIERARCHY\n" );
	import_text( f, "x.obj", "f\n" );
	assert_int_equal( open_files(), before );
}

// What is left in a buffer at the time of the fork would otherwise be written twice, and Assimp likes to
// talk.
static void nothing_is_written_to_standard_output( void** state )
{
	fixture* f = *state;
	fflush( stdout );
	int keep = dup( STDOUT_FILENO );
	FILE* capture = tmpfile();
	assert_non_null( capture );
	dup2( fileno( capture ), STDOUT_FILENO );
	fputs( "buffered", stdout );
	bv_status status = import_text( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	import_text( f, "x.ac", "nonsense that is long enough\n" );
	fflush( stdout );
	off_t size = lseek( fileno( capture ), 0, SEEK_END );
	dup2( keep, STDOUT_FILENO );
	close( keep );
	fclose( capture );
	assert_int_equal( status, bv_ok );
	assert_int_equal( size, 8 );
}

static pid_t test_process;

static void leave_mark( void )
{
	if ( getpid() != test_process )
	{
		creat( "mark", 0600 );
	}
}

static void exit_handlers_do_not_run_in_the_child( void** state )
{
	fixture* f = *state;
	test_process = getpid();
	assert_int_equal( atexit( leave_mark ), 0 );
	expect_ok( f, "t.gltf", SCENE "{\"mesh\":0}]," TETRAHEDRON );
	import_text( f, "x.ac", "nonsense that is long enough\n" );
	assert_int_equal( access( "mark", F_OK ), -1 );
}

static char folder[] = "/tmp/bvb-test-assimp-XXXXXX";

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
		TEST( instances_are_placed_and_mirrored_ones_keep_their_outside ),
		TEST( faces_that_assimp_drops_are_told_of ),
		TEST( tiny_mirrors_are_mirrors ),
		TEST( deep_node_trees_are_flattened ),
		TEST( a_crash_of_the_importer_is_a_message ),
		TEST( an_abort_of_the_importer_is_a_message_and_a_quiet_one ),
		TEST( polygons_become_triangles_and_lines_and_points_are_counted ),
		TEST( non_finite_coordinates_are_passed_on ),
		TEST( a_point_cloud_has_no_triangles ),
		TEST( a_refusal_says_why ),
		TEST( an_index_out_of_range_is_an_error ),
		TEST( an_importer_that_hangs_is_stopped ),
		TEST( a_timeout_may_be_a_fraction_of_a_second ),
		TEST( signals_do_not_disturb_an_import ),
		TEST( a_program_that_ignores_its_children_can_import ),
		TEST( an_importer_that_wants_too_much_memory_is_stopped ),
		TEST( every_truncation_of_a_file_ends_in_a_mesh_or_a_message ),
		TEST( an_unknown_extension_is_not_supported ),
		TEST( bvh_files_are_told_from_motion_capture ),
		TEST( an_arena_that_is_full_is_an_error ),
		TEST( no_file_stays_open ),
		TEST( nothing_is_written_to_standard_output ),
		TEST( exit_handlers_do_not_run_in_the_child ),
	};
	return cmocka_run_group_tests( tests, enter_scratch_folder, leave_scratch_folder );
}
