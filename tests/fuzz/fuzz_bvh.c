// libFuzzer target: any bytes as a .bvh file. What opens must be safe for every accessor and every query. Checksums are not
// compared in this build, or nothing would ever open.
//
// An input is a file, as long as its header says; where another one follows, that is the second of queries on two; what is
// behind decides what is asked.

#include "mutate_bvh.h"
#include "query_all.h"
#include "read_all.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

// A block of exactly this size, aligned: a read behind its end is seen.
static void* block_of( const uint8_t* data, size_t size )
{
	void* memory = malloc( size ? size : 1 );
	expect( memory );
	if ( size > 0 )
	{
		memcpy( memory, data, size );
	}
	return memory;
}

// As far as the header's length, if there is so much.
static size_t split( const uint8_t* data, size_t size )
{
	uint64_t length = size;
	if ( size >= sizeof( bvfile_header ) )
	{
		memcpy( &length, data + offsetof( bvfile_header, file_bytes ), sizeof length );
	}
	return length < size ? (size_t)length : size;
}

static const bv_file* open_file( void* memory, size_t size )
{
	const bv_file* file;
	const char* reason;
	bv_status status = bv_file_open_explained( memory, size, &file, &reason );
	expect( ( status == bv_ok ) == ( file != NULL ) && ( status == bv_ok ) == ( reason == NULL ) );
	expect( status == bv_ok || status == bv_error_damaged || status == bv_error_unsupported );
	return file;
}

static void open_nothing( char* memory, size_t size )
{
	const bv_file* file;
	const char* reason;
	expect( bv_file_open( NULL, size, &file ) == bv_error_argument );
	expect( bv_file_open( memory, size, NULL ) == bv_error_argument );
	expect( bv_file_open_explained( memory, size, &file, NULL ) == bv_error_argument );
	expect( bv_file_open_explained( memory + 4, size, NULL, &reason ) == bv_error_argument );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	size_t first = split( data, size );
	size_t second = split( data + first, size - first );
	bool are_two = second > 0 && second >= sizeof( bvfile_header ) &&
	               memcmp( data + first, BVFILE_MAGIC, bvfile_magic_bytes ) == 0;
	numbers n = numbers_begin( data + first, size - first );
	void* memory_a = block_of( data, first );
	void* memory_b = are_two ? block_of( data + first, second ) : NULL;
	void* longer = size > first ? block_of( data, size ) : NULL;
	const bv_file* a = open_file( memory_a, first );
	const bv_file* b = are_two ? open_file( memory_b, second ) : NULL;
	open_nothing( (char*)memory_a, first );
	expect( !longer || !open_file( longer, size ) );
	free( longer );
	if ( b )
	{
		n = numbers_begin( data + first + second, size - first - second );
	}
	if ( a )
	{
		subject of_a = subject_of( a );
		subject of_b = b ? subject_of( b ) : of_a;
		read_all( a );
		query_all( &n, &of_a, &of_b );
	}
	free( memory_a );
	free( memory_b );
	return 0;
}
