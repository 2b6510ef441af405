// A system without files: what the builder asks of it in WebAssembly. Meshes come as bytes. See offline/base/system.h.

#include "offline/base/system.h"

#include "offline/base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int bvbase_file_open( const char* path )
{
	(void)path;
	errno = ENOENT;
	return -1;
}

void bvbase_file_close( int file )
{
	(void)file;
}

int64_t bvbase_file_read( int file, void* to, size_t size )
{
	(void)file, (void)to, (void)size;
	errno = EBADF;
	return -1;
}

int64_t bvbase_file_read_at( int file, void* to, size_t size, uint64_t offset )
{
	(void)offset;
	return bvbase_file_read( file, to, size );
}

bool bvbase_file_get_state( int file, bvbase_file_state* out )
{
	(void)file, (void)out;
	errno = EBADF;
	return false;
}

FILE* bvbase_stream_open( const char* path, const char* mode )
{
	(void)path, (void)mode;
	errno = ENOENT;
	return NULL;
}

FILE* bvbase_stream_nowhere( void )
{
	return fmemopen( NULL, 1, "w" );
}

void bvbase_memory_use_large_pages( void* memory, size_t size )
{
	(void)memory, (void)size;
}

uint64_t bvbase_memory_left( void )
{
	return UINT64_MAX;
}

// All memory that the module has is its own: it never shrinks.
uint64_t bvbase_peak_memory( void )
{
	return (uint64_t)__builtin_wasm_memory_size( 0 ) * 65536;
}

double bvbase_clock( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void* bvbase_memory_resize( void* items, size_t count, size_t size )
{
	return size > 0 && count > SIZE_MAX / size ? NULL : realloc( items, count * size );
}

void* bvbase_memory_find( const void* bytes, size_t size, const void* wanted, size_t wanted_size )
{
	const char* from = bytes;
	for ( size_t i = 0; wanted_size <= size && i <= size - wanted_size; ++i )
	{
		if ( memcmp( from + i, wanted, wanted_size ) == 0 )
		{
			return (void*)( from + i );
		}
	}
	return NULL;
}

void* bvbase_memory_find_last( const void* bytes, char wanted, size_t size )
{
	const char* from = bytes;
	while ( size > 0 && from[size - 1] != wanted )
	{
		--size;
	}
	return size > 0 ? (void*)( from + size - 1 ) : NULL;
}

typedef int comparison( const void*, const void*, void* );

static void swap( char* a, char* b, size_t size )
{
	for ( size_t i = 0; i < size; ++i )
	{
		char c = a[i];
		a[i] = b[i];
		b[i] = c;
	}
}

static void sift( char* of, size_t root, size_t count, size_t size, comparison* compare, void* context )
{
	for ( size_t child; ( child = 2 * root + 1 ) < count; root = child )
	{
		child += child + 1 < count && compare( of + child * size, of + ( child + 1 ) * size, context ) < 0;
		if ( compare( of + root * size, of + child * size, context ) >= 0 )
		{
			return;
		}
		swap( of + root * size, of + child * size, size );
	}
}

// Heapsort: the orders of its callers are total, so that any method gives the same result.
void bvbase_sort_with( void* items, size_t count, size_t size, comparison* compare, void* context )
{
	char* of = items;
	for ( size_t i = count / 2; i-- > 0; )
	{
		sift( of, i, count, size, compare, context );
	}
	for ( size_t end = count; end > 1; --end )
	{
		swap( of, of + ( end - 1 ) * size, size );
		sift( of, 0, end - 1, size, compare, context );
	}
}
