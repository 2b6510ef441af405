// The checksum of files against that of the xxHash library.

#include "runtime/file/hash.h"
#include "support.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum
{
	longest = 2048,
	large = 1 << 20,
	alignments = 16,
};

static char* random_bytes( fixture* f, size_t count )
{
	char* bytes = malloc( count );
	assert_non_null( bytes );
	for ( size_t i = 0; i < count; ++i )
	{
		bytes[i] = (char)( random_bits( f ) >> 32 );
	}
	return bytes;
}

static void hash_of_every_length_at_every_alignment_is_xxh3( void** state )
{
	char* bytes = random_bytes( *state, longest + alignments );
	for ( size_t count = 0; count <= longest; ++count )
	{
		for ( size_t at = 0; at < alignments; ++at )
		{
			assert_int_equal( bvfile_hash( bytes + at, count ), XXH3_64bits( bytes + at, count ) );
		}
	}
	free( bytes );
}

static void hash_of_many_bytes_is_xxh3( void** state )
{
	char* bytes = random_bytes( *state, large );
	for ( size_t i = 0; i < 200; ++i )
	{
		size_t at = random_bits( *state ) % ( large / 2 );
		size_t count =
			i % 2 ? random_bits( *state ) % ( large - at ) : ( large - at ) / 1024 * 1024 + i % 5 - 2;
		count = count < large - at ? count : large - at;
		assert_int_equal( bvfile_hash( bytes + at, count ), XXH3_64bits( bytes + at, count ) );
	}
	free( bytes );
}

// Bytes of equal bits take each sum to where a carry is lost.
static void hash_of_equal_bytes_is_xxh3( void** state )
{
	(void)state;
	static const int values[] = { 0x00, 0x7f, 0x80, 0xff };
	static char bytes[large];
	for ( size_t i = 0; i < sizeof values / sizeof *values; ++i )
	{
		memset( bytes, values[i], large );
		for ( size_t count = 0; count <= large; count = count * 3 / 2 + 1 )
		{
			assert_int_equal( bvfile_hash( bytes, count ), XXH3_64bits( bytes, count ) );
		}
	}
}

static void hash_of_nothing_needs_no_address( void** state )
{
	(void)state;
	assert_int_equal( bvfile_hash( NULL, 0 ), XXH3_64bits( NULL, 0 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( hash_of_every_length_at_every_alignment_is_xxh3 ),
		fixture_test( hash_of_many_bytes_is_xxh3 ),
		cmocka_unit_test( hash_of_equal_bytes_is_xxh3 ),
		cmocka_unit_test( hash_of_nothing_needs_no_address ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
