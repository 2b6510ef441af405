// libFuzzer target: any bytes as 3MF, or as the root model in one, which is much more likely to be read.

#include "formats/3mf/3mf.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static void put( char** to, unsigned bytes, uint64_t value )
{
	for ( unsigned i = 0; i < bytes; ++i )
	{
		*( *to )++ = (char)( value >> 8 * i );
	}
}

static void put_text( char** to, const void* text, size_t size )
{
	memcpy( *to, text, size );
	*to += size;
}

typedef struct entry
{
	const char* name;
	const void* data;
	size_t size;
	size_t offset;
} entry;

// Stored entries, without checksums: the fuzzer's build does not check them.
static size_t wrap( const void* data, size_t size, char* out )
{
	static const char relations[] =
		"<R><Relationship Target='m' Type='http://schemas.microsoft.com/3dmanufacturing/"
		"2013/01/3dmodel'/></R>";
	entry entries[] = { { "_rels/.rels", relations, sizeof relations - 1, 0 }, { "m", data, size, 0 } };
	char* to = out;
	for ( int i = 0; i < 2; ++i )
	{
		entry* e = &entries[i];
		e->offset = (size_t)( to - out );
		put_text( &to, "PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0", 18 );
		put( &to, 4, e->size );
		put( &to, 4, e->size );
		put( &to, 4, strlen( e->name ) );
		put_text( &to, e->name, strlen( e->name ) );
		put_text( &to, e->data, e->size );
	}
	size_t directory = (size_t)( to - out );
	for ( int i = 0; i < 2; ++i )
	{
		const entry* e = &entries[i];
		put_text( &to, "PK\1\2\24\0\24\0\0\0\0\0\0\0\0\0\0\0\0\0", 20 );
		put( &to, 4, e->size );
		put( &to, 4, e->size );
		put( &to, 2, strlen( e->name ) );
		put( &to, 8, 0 );
		put( &to, 4, 0 );
		put( &to, 4, e->offset );
		put_text( &to, e->name, strlen( e->name ) );
	}
	size_t end = (size_t)( to - out );
	put_text( &to, "PK\5\6\0\0\0\0\2\0\2\0", 12 );
	put( &to, 4, end - directory );
	put( &to, 4, directory );
	put( &to, 2, 0 );
	return (size_t)( to - out );
}

static bv_status read_small( const char* name, const char* data, size_t size, bvb_arena* arena,
                             bvb_import* out, bvb_error* error )
{
	return bv3mf_read_3mf( name, data, size, (uint64_t)1 << 26, arena, out, error );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	if ( size > 1 && data[0] == 'P' && data[1] == 'K' )
	{
		return fuzz_reader( read_small, data, size );
	}
	char* whole = malloc( size + 1024 );
	if ( whole )
	{
		fuzz_reader( read_small, (const uint8_t*)whole, wrap( data, size, whole ) );
	}
	free( whole );
	return 0;
}
