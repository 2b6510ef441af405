// What the builder has instead of Assimp and of functions that Emscripten's C library lacks.

#include "formats/assimp/assimp.h"

#include "offline/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool bvassimp_limits_memory( void )
{
	return false;
}

bv_status bvassimp_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                                bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	(void)options, (void)arena, (void)out;
	return bvbase_fail( error, bv_error_unsupported, "%s: .%s files are not supported in WebAssembly", path,
	                    extension );
}

void* reallocarray( void* memory, size_t count, size_t size )
{
	return size > 0 && count > SIZE_MAX / size ? NULL : realloc( memory, count * size );
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
void qsort_r( void* base, size_t count, size_t size, comparison* compare, void* context )
{
	char* of = base;
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
