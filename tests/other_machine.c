// Opens a .bvh file on a machine of either byte order and any word size. Requires only libbv, libbvworld and the C
// library. Files are little-endian: a big-endian machine must reject them as unsupported and never misread
// them. A little-endian machine must reject files marked as big-endian. Where files can be read, the program
// prints their contents and the results of a few queries, so that machines can be compared. Digests of 10,000 convex pairs
// and of as many motions, and of broad phases, are printed on all of them, and of motions and contacts of the file where it can be read.
// Files behind -- are deformed and nothing else.
//
//   other_machine FILE.bvh... [-- FILE.bvh...]

#include "bv/bv.h"

#include "runtime/file/hash.h"
#include "tests/compound_digest.h"
#include "tests/contacts_digest.h"
#include "tests/convex_digest.h"
#include "tests/deform_digest.h"
#include "tests/feature_digest.h"
#include "tests/mesh_contacts_digest.h"
#include "tests/motion_digest.h"
#include "tests/particles_digest.h"
#include "tests/refit_digest.h"
#include "tests/search_digest.h"
#include "tests/world_digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	order_offset = 16, // of the byte-order mark and of what follows it, as formats/bvh/README.md has them
	version_offset = 20,
	size_offset = 24,
	count_offset = 32,
};

// Memory of malloc is aligned as bv_file_open wants it.
static char* load( const char* path, size_t* size )
{
	FILE* stream = fopen( path, "rb" );
	long end = stream && fseek( stream, 0, SEEK_END ) == 0 ? ftell( stream ) : -1;
	char* memory = end > 0 ? malloc( (size_t)end ) : NULL;
	if ( !memory || fseek( stream, 0, SEEK_SET ) != 0 || fread( memory, (size_t)end, 1, stream ) != 1 )
	{
		fprintf( stderr, "%s: cannot be read\n", path );
		exit( 1 );
	}
	fclose( stream );
	*size = (size_t)end;
	return memory;
}

static bool is_big_endian( void )
{
	const uint32_t one = 1;
	return *(const unsigned char*)&one == 0;
}

static void reverse( char* bytes, int count )
{
	for ( int i = 0; i < count / 2; ++i )
	{
		char byte = bytes[i];
		bytes[i] = bytes[count - 1 - i];
		bytes[count - 1 - i] = byte;
	}
}

typedef enum expected
{
	expected_read,
	expected_unsupported,
	expected_refused, ///< for whatever reason
} expected;

static bool opens_as( const char* what, const char* memory, size_t size, expected how )
{
	const bv_file* file;
	const char* reason;
	bv_status status = bv_file_open_explained( memory, size, &file, &reason );
	bool right = how == expected_read          ? status == bv_ok
	             : how == expected_unsupported ? status == bv_error_unsupported
	                                           : status != bv_ok;
	printf( "%s: %s%s\n", what, status == bv_ok ? "read" : reason, right ? "" : ", WRONG" );
	return right;
}

static void query( const bv_file* file )
{
	bv_file_bounds bounds;
	if ( !bv_file_get_bounds( file, &bounds ) )
	{
		return;
	}
	bv_vec3 reach = bounds.aabb.upper;
	for ( int step = 0; step < 4; ++step )
	{
		bv_transform to = bv_transform_identity();
		to.pose.translation = ( bv_vec3 ){ reach.x * step / 2, reach.y * step / 3, 0 };
		bv_collide_result met;
		bv_distance_result apart;
		bv_closest_result nearest;
		bv_contains_result in;
		bv_mesh_depth_result deep;
		bv_mesh_depth_options options = { .factor = 1.2, .most_translations = 200 };
		static uint64_t scratch[BV_MESH_DEPTH_SCRATCH_LEAST / 8];
		if ( bv_mesh_depth( file, file, &to, &options, scratch, sizeof scratch, &deep ) == bv_ok )
		{
			printf( "%d: depth %.17g to %.17g\n", step, deep.lower, deep.upper );
		}
		if ( bv_mesh_collide( file, file, &to, NULL, &met ) == bv_ok &&
		     bv_mesh_distance( file, file, &to, NULL, &apart ) == bv_ok &&
		     bv_mesh_closest_point( file, NULL, to.pose.translation, NULL, &nearest ) == bv_ok &&
		     bv_mesh_contains( file, NULL, to.pose.translation, NULL, &in ) == bv_ok )
		{
			printf( "%d: %" PRIu64 " pairs, %" PRIu64 " and %" PRIu64
			        " tests, apart %.17g, nearest %.17g, side %d\n",
			        step, met.pairs, met.volume_tests, met.triangle_tests, apart.distance, nearest.distance,
			        (int)in.side );
		}
	}
}

// Checksums of all lengths up to 2048 in one number, which the xxHash library gave on x86-64.
static bool hashes_are_right( void )
{
	unsigned char bytes[2048];
	uint32_t x = 1;
	for ( size_t i = 0; i < sizeof bytes; ++i )
	{
		x = x * 1664525u + 1013904223u;
		bytes[i] = (unsigned char)( x >> 24 );
	}
	uint64_t sum = 0;
	for ( size_t i = 0; i <= sizeof bytes; ++i )
	{
		sum = 31 * sum + bvfile_hash( bytes, i );
	}
	bool right = sum == 0x3781b1a2194dbe13u;
	printf( "checksums%s\n", right ? "" : ": WRONG" );
	return right;
}

static bool check_file( const char* path )
{
	size_t size;
	char* memory = load( path, &size );
	bool big = is_big_endian();
	expected other = big ? expected_refused : expected_unsupported;
	bool right = opens_as( "the file as it is", memory, size, big ? expected_unsupported : expected_read );
	if ( !big && right )
	{
		query( (const bv_file*)memory );
		print_convex_digests( "file", (const bv_file*)memory, digest_pairs / 10 );
		print_mesh_motion_digests( (const bv_file*)memory );
		print_mesh_contacts_digests( (const bv_file*)memory );
		print_deform_digest( (const bv_file*)memory );
		print_search_digests( (const bv_file*)memory );
	}

	// Hashes need not be put right: the mark is looked at before them, and here they are a second reason to refuse.
	reverse( memory + order_offset, 4 );
	right &= opens_as( "with the other mark", memory, size, other );
	reverse( memory + version_offset, 2 );
	reverse( memory + version_offset + 2, 2 );
	right &= opens_as( "with the other mark and version", memory, size, other );
	reverse( memory + size_offset, 8 );
	reverse( memory + count_offset, 4 );
	right &= opens_as( "with a header of the other order", memory, size, other );
	free( memory );
	return right;
}

static bool deform_file( const char* path )
{
	size_t size;
	char* memory = load( path, &size );
	bool right = opens_as( path, memory, size, is_big_endian() ? expected_unsupported : expected_read );
	if ( !is_big_endian() && right )
	{
		print_refit_digests( (const bv_file*)memory );
	}
	free( memory );
	return right;
}

int main( int count, char** arguments )
{
	if ( count < 2 )
	{
		fprintf( stderr, "usage: other_machine FILE.bvh... [-- FILE.bvh...]\n" );
		return 1;
	}
	bool right = hashes_are_right();
	bool deforms = false;
	for ( int i = 1; i < count; ++i )
	{
		bool is_mark = strcmp( arguments[i], "--" ) == 0;
		deforms = deforms || is_mark;
		right &= is_mark || ( deforms ? deform_file( arguments[i] ) : check_file( arguments[i] ) );
	}
	print_convex_digests( "convex", NULL, digest_pairs );
	print_feature_digests();
	print_motion_digests();
	print_world_digests();
	print_particles_digests();
	print_contacts_digest();
	print_compound_digest();
	return right ? 0 : 1;
}
