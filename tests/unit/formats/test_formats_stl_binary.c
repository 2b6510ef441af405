// The STL reader on binary files: floats by IEEE 754, what tells the two kinds of files apart, sizes that are
// wrong, every truncation and every change of one byte of a small file.

#include "every_value.h"
#include "import_stl.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
	two_size = 84 + 2 * 50,
};

// Two triangles, (1, 2, 3) (-1, 0.5, -0) (0, 256, 0.1f) and (0, 0, 0) (1, 0, 0) (0, 1, 0), with normals of
// nonsense.
static const unsigned char two[two_size] =
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	"\x02\0\0\0"
	"\x01\x02\x03\x04\0\0\xc0\x7f\xff\xff\xff\xff"
	"\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40"
	"\0\0\x80\xbf\0\0\0\x3f\0\0\0\x80"
	"\0\0\0\0\0\0\x80\x43\xcd\xcc\xcc\x3d"
	"\0\0"
	"\0\0\0\0\0\0\0\0\0\0\x80\xbf"
	"\0\0\0\0\0\0\0\0\0\0\0\0"
	"\0\0\x80\x3f\0\0\0\0\0\0\0\0"
	"\0\0\0\0\0\0\x80\x3f\0\0\0\0"
	"\0";

static void expect_two( fixture* f, const void* bytes, size_t size )
{
	expect_scene( f, bytes, size, 2 );
	expect_position( f, 0, 1, 2, 3 );
	expect_position( f, 1, -1, 0.5, 0 );
	expect_position( f, 2, 0, 256, 0x1.99999ap-4 );
	expect_position( f, 3, 0, 0, 0 );
	expect_position( f, 4, 1, 0, 0 );
	expect_position( f, 5, 0, 1, 0 );
	assert_true( signbit( f->import.scene.mesh.positions[1].z ) );
	assert_int_equal( f->import.scene.segment_count, 1 );
	assert_int_equal( f->import.scene.object_count, 1 );
	expect_object( f, 0, 0, "" );
}

static void a_binary_file_is_read_as_written( void** state )
{
	expect_two( *state, two, two_size );
}

static void the_header_of_a_binary_file_may_say_anything( void** state )
{
	const char* const headers[] = {
		"solid part",
		"SOLID",
		"\xef\xbb\xbfsolid",
		"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n",
		"solid\nendsolid\n",
		"COLOR=\x80\x80\x80\xff,MATERIAL=\x01\x02\x03\x04",
		"facet",
	};
	for ( size_t i = 0; i < sizeof headers / sizeof headers[0]; ++i )
	{
		unsigned char bytes[two_size];
		memcpy( bytes, two, two_size );
		memcpy( bytes, headers[i], strlen( headers[i] ) );
		expect_two( *state, bytes, two_size );

		// As with blanks in place of zeros.
		memset( bytes + strlen( headers[i] ), ' ', 80 - strlen( headers[i] ) );
		expect_two( *state, bytes, two_size );
	}
}

// VisCAM and Magics keep colors there.
static void attributes_change_nothing( void** state )
{
	unsigned char bytes[two_size];
	memcpy( bytes, two, two_size );
	memcpy( bytes + 84 + 48, "\x1f\x80", 2 );
	memcpy( bytes + two_size - 2, "\xff\xff", 2 );
	expect_two( *state, bytes, two_size );
}

// All text but the number of triangles: a solid of one facet in the header, the rest of one behind it.
static void a_binary_file_of_letters_is_no_text( void** state )
{
	fixture* f = *state;
	const char rest[] = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
						"endfacet\nendsolid\n";
	char bytes[84 + 50 * 10];
	memset( bytes, ' ', sizeof bytes );
	memcpy( bytes, "solid\n", 6 );
	memcpy( bytes + 80, "\x0a\0\0\0", 4 );
	memcpy( bytes + 84, rest, strlen( rest ) );
	expect_scene( f, bytes, 84 + 50 * 10, 10 );

	// Four blanks, 0x20202020, are a float of exponent 64 - 127 and fraction 0x202020 of 2^23.
	expect_position( f, 29, ldexp( 0xa02020, -86 ), ldexp( 0xa02020, -86 ), ldexp( 0xa02020, -86 ) );
}

static void nan_and_inf_of_a_binary_file_are_passed_on( void** state )
{
	fixture* f = *state;
	unsigned char bytes[two_size];
	memcpy( bytes, two, two_size );
	memcpy( bytes + 84 + 12, "\0\0\xc0\x7f\0\0\x80\x7f\0\0\x80\xff", 12 );
	expect_scene( f, bytes, two_size, 2 );
	const bv_vec3* x = f->import.scene.mesh.positions;
	assert_true( isnan( x[0].x ) && x[0].y == INFINITY && x[0].z == -INFINITY );
}

static void a_binary_file_of_another_size_is_refused( void** state )
{
	fixture* f = *state;
	char bytes[84 + 50 * 12] = "solid part";
	bytes[80] = 12;
	bytes[84 + 48] = 1;
	expect_refusal(
		f, bytes, 600,
		"part.stl: binary STL with 12 triangles needs 84 + 50 * 12 = 684 bytes, the file has 600" );
	bytes[84 + 48] = 0;
	memcpy( bytes + 84 + 20, "\0\0\x80\x7f", 4 ); // infinite
	expect_refusal(
		f, bytes, 600,
		"part.stl: binary STL with 12 triangles needs 84 + 50 * 12 = 684 bytes, the file has 600" );
	expect_refusal(
		f, bytes, 84,
		"part.stl: binary STL with 12 triangles needs 84 + 50 * 12 = 684 bytes, the file has 84" );
	memcpy( bytes + 80, "\x01\xff\xff\xff", 4 );
	expect_refusal(
		f, bytes, 684,
		"part.stl: binary STL with 4294967041 triangles needs 84 + 50 * 4294967041 = 214748352134 bytes, "
		"the file has 684" );
	memset( bytes, 0, 84 );
	bytes[300] = 1;
	expect_refusal( f, bytes, 684,
	                "part.stl: binary STL with 0 triangles needs 84 + 50 * 0 = 84 bytes, the file has 684" );
}

static void a_binary_file_without_triangles_is_refused( void** state )
{
	const char bytes[100] = "no triangles";
	expect_refusal( *state, bytes, 84, "part.stl: no triangles" );
	expect_refusal( *state, bytes, 100, "part.stl: no triangles" );
}

static void zeros_may_follow_the_triangles( void** state )
{
	fixture* f = *state;
	unsigned char bytes[two_size + 100] = { 0 };
	memcpy( bytes, two, two_size );
	for ( size_t size = two_size; size <= sizeof bytes; ++size )
	{
		expect_two( f, bytes, size );
	}
}

// The triangles that are counted and there are read, the others are losses.
static void counts_that_disagree_with_the_size_are_losses( void** state )
{
	fixture* f = *state;
	unsigned char bytes[two_size + 100] = { 0 };
	memcpy( bytes, two, two_size );
	bytes[two_size + 60] = 1;
	expect_noted( f, bytes, sizeof bytes, 2, 1, 1, "100 bytes follow the 2 triangles of the header" );
	expect_noted( f, bytes, two_size + 61, 2, 1, 1, "61 bytes follow the 2 triangles of the header" );
	bytes[80] = 1;
	expect_noted( f, bytes, two_size, 1, 1, 1, "50 bytes follow the 1 triangles of the header" );
	bytes[80] = 5;
	expect_noted( f, bytes, two_size, 2, 1, 1, "the file ends after 2 of the 5 triangles of its header" );
	expect_noted( f, bytes, two_size + 49, 2, 1, 1,
	              "the file ends after 2 of the 5 triangles of its header" );
	memset( bytes + 80, 0xff, 4 );
	expect_noted( f, bytes, two_size, 2, 1, 1,
	              "the file ends after 2 of the 4294967295 triangles of its header" );
}

// As the format once meant it: the first triangle has an attribute of 2 bytes, which follow it. Read with 50
// bytes a triangle, the second would be another one, with two zeros behind it.
static void attributes_that_may_be_lengths_allow_no_bytes_behind_the_triangles( void** state )
{
	unsigned char bytes[two_size + 2] = { 0 };
	memcpy( bytes, two, 84 + 50 );
	memcpy( bytes + 84 + 50 + 2, two + 84 + 50, 50 );
	bytes[84 + 48] = 2;
	assert_true( bytes[two_size] == 0 && bytes[two_size + 1] == 0 );
	expect_refusal( *state, bytes, sizeof bytes,
	                "part.stl: binary STL with 2 triangles needs 84 + 50 * 2 = 184 bytes, the file has 186" );
}

// The same with 256 bytes, which only the attribute's second byte tells of.
static void long_attributes_allow_no_bytes_behind_the_triangles( void** state )
{
	unsigned char bytes[two_size + 256] = { 0 };
	memcpy( bytes, two, 84 + 50 );
	memcpy( bytes + 84 + 50 + 256, two + 84 + 50, 50 );
	memcpy( bytes + 84 + 48, "\0\1", 2 );
	memset( bytes + two_size, 0, 256 );
	expect_refusal( *state, bytes, sizeof bytes,
	                "part.stl: binary STL with 2 triangles needs 84 + 50 * 2 = 184 bytes, the file has 440" );
}

static void every_truncation_of_a_binary_file_is_refused_or_a_loss( void** state )
{
	fixture* f = *state;
	unsigned char solid[two_size];
	memcpy( solid, two, two_size );
	memset( solid, ' ', 80 );
	memcpy( solid, "solid x\nendsolid", 16 );
	for ( size_t size = 0; size < two_size; ++size )
	{
		const unsigned char* const files[] = { two, solid };
		for ( int i = 0; i < 2; ++i )
		{
			bv_status status = read_bytes( f, files[i], size );
			assert_int_equal( status, size < 84 + 50 ? bv_error_input : bv_ok );
			if ( status == bv_ok )
			{
				assert_int_equal( f->import.losses, 1 );
				assert_int_equal( f->import.scene.mesh.triangle_count, 1 );
				continue;
			}
			assert_int_equal( strncmp( f->error.message, "part.stl:", 9 ), 0 );
			assert_null( strchr( f->error.message, '\n' ) );
		}
	}
	expect_refusal(
		f, two, 83,
		"part.stl: not an STL file: neither text that begins with 'solid' nor the 84-byte header of "
		"binary STL" );
}

// Any other number of triangles is wrong for this size; all else is free to be anything.
static void a_binary_file_with_one_byte_changed_is_read_whole_unless_it_is_the_count( void** state )
{
	fixture* f = *state;
	char changed[two_size];
	for ( size_t i = 0; i < two_size; ++i )
	{
		for ( int c = 0; c < 256; ++c )
		{
			if ( !is_tried_here( i, (size_t)c ) )
			{
				continue;
			}
			memcpy( changed, two, two_size );
			changed[i] = (char)c;
			expect_scene_or_line( f, changed, two_size );
			bool same_count = i < 80 || i >= 84 || changed[i] == (char)two[i];
			assert_true( same_count == ( f->error.message[0] == 0 && f->import.losses == 0 ) );
		}
	}
}

static void random_floats_keep_their_bits( void** state )
{
	fixture* f = *state;
	enum
	{
		triangles = 1000,
		size = 84 + 50 * triangles
	};
	unsigned char* bytes = calloc( 1, size );
	memcpy( bytes, "solid random", 12 );
	bytes[80] = triangles & 255;
	bytes[81] = triangles >> 8;
	for ( size_t i = 84; i < size; ++i )
	{
		bytes[i] = (unsigned char)( random_bits( f ) >> 56 );
	}
	expect_scene( f, bytes, size, triangles );
	const double* given = &f->import.scene.mesh.positions[0].x;
	for ( size_t i = 0; i < 9 * triangles; ++i )
	{
		// Sign, exponent and fraction by IEEE 754, low byte first.
		const unsigned char* b = bytes + 84 + 50 * ( i / 9 ) + 12 + 4 * ( i % 9 );
		int exponent = ( b[3] & 127 ) << 1 | b[2] >> 7;
		double fraction = ( b[2] & 127 ) * 65536.0 + b[1] * 256.0 + b[0];
		double expected =
			exponent == 0 ? ldexp( fraction, -149 ) : ldexp( fraction + 0x1p23, exponent - 150 );
		expected = b[3] & 128 ? -expected : expected;
		if ( exponent == 255 )
		{
			assert_true( fraction > 0 ? isnan( given[i] )
			                          : given[i] == ( b[3] & 128 ? -INFINITY : INFINITY ) );
			continue;
		}
		assert_memory_equal( &given[i], &expected, sizeof expected );
	}
	free( bytes );
}

// 71 and 81 GB, of which only the head is ever touched.
static void more_vertices_than_indices_can_tell_apart_are_over_the_limit( void** state )
{
	fixture* f = *state;
	const uint32_t counts[] = { 0x55555555, 0x60606060 };
	for ( int i = 0; i < 2; ++i )
	{
		size_t size = 84 + (size_t)50 * counts[i];
		char* bytes =
			mmap( NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0 );
		if ( bytes == MAP_FAILED )
		{
			skip();
		}
		memcpy( bytes + 80, &counts[i], 4 ); // of four equal bytes
		assert_int_equal( bvstl_read_stl( "part.stl", bytes, size, f->arena, &f->import, &f->error ),
		                  bv_error_limit );
		assert_string_equal( f->error.message, "part.stl: more than 4294967294 vertices" );
		munmap( bytes, size );
	}
}

// The last byte of the file is the last of a page, and the next page cannot be read.
static void nothing_behind_the_file_is_read( void** state )
{
	fixture* f = *state;
	size_t page = (size_t)sysconf( _SC_PAGESIZE );
	char* pages = mmap( NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
	assert_true( pages != MAP_FAILED );
	assert_int_equal( mprotect( pages + page, page, PROT_NONE ), 0 );
	for ( size_t size = 0; size <= two_size; ++size )
	{
		char* file = pages + page - size;
		memcpy( file, two, size );
		bvstl_read_stl( "part.stl", file, size, f->arena, &f->import, &f->error );
	}
	munmap( pages, 2 * page );
}

static void an_arena_that_is_full_is_an_error( void** state )
{
	(void)state;
	fixture f = { .arena = bvb_arena_create_limited( 1 << 17 ) };
	enum
	{
		triangles = 3000,
		size = 84 + 50 * triangles
	};
	char* bytes = calloc( 1, size );
	bytes[80] = (char)( triangles & 255 );
	bytes[81] = triangles >> 8;
	assert_int_equal( read_bytes( &f, bytes, size ), bv_error_memory );
	assert_string_equal( f.error.message, "out of memory" );
	free( bytes );
	bvb_arena_destroy( f.arena );
}

static void a_file_of_either_kind_is_read_by_its_name( void** state )
{
	fixture* f = *state;
	char path[] = "/tmp/bvb-test-stl-XXXXXX.Stl";
	int file = mkstemps( path, 4 );
	assert_true( file >= 0 );
	bvb_import_options options = bvb_import_options_default();
	const char text[] = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
						"endloop\nendfacet\nendsolid\n";
	const void* const contents[] = { two, text };
	const size_t sizes[] = { two_size, sizeof text - 1 };
	for ( int i = 0; i < 2; ++i )
	{
		assert_int_equal( pwrite( file, contents[i], sizes[i], 0 ), sizes[i] );
		assert_int_equal( ftruncate( file, (off_t)sizes[i] ), 0 );
		assert_int_equal( bvb_import_file( path, &options, f->arena, &f->import, &f->error ), bv_ok );
		assert_string_equal( f->import.format, "stl" );
		assert_int_equal( f->import.scene.mesh.triangle_count, i == 0 ? 2 : 1 );
	}
	close( file );
	remove( path );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( a_binary_file_is_read_as_written ),
		TEST( the_header_of_a_binary_file_may_say_anything ),
		TEST( attributes_change_nothing ),
		TEST( a_binary_file_of_letters_is_no_text ),
		TEST( nan_and_inf_of_a_binary_file_are_passed_on ),
		TEST( a_binary_file_of_another_size_is_refused ),
		TEST( a_binary_file_without_triangles_is_refused ),
		TEST( zeros_may_follow_the_triangles ),
		TEST( counts_that_disagree_with_the_size_are_losses ),
		TEST( long_attributes_allow_no_bytes_behind_the_triangles ),
		TEST( attributes_that_may_be_lengths_allow_no_bytes_behind_the_triangles ),
		TEST( every_truncation_of_a_binary_file_is_refused_or_a_loss ),
		TEST( a_binary_file_with_one_byte_changed_is_read_whole_unless_it_is_the_count ),
		TEST( random_floats_keep_their_bits ),
		TEST( more_vertices_than_indices_can_tell_apart_are_over_the_limit ),
		TEST( nothing_behind_the_file_is_read ),
		TEST( an_arena_that_is_full_is_an_error ),
		TEST( a_file_of_either_kind_is_read_by_its_name ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
