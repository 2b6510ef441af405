// ZIP archives. See zip.h; the format is that of PKWARE, "APPNOTE.TXT - .ZIP File Format Specification" 6.3.

#include "offline/import/zip.h"

#include "offline/base/error.h"

#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

enum
{
	end_bytes = 22,
	most_comment = 65535,
	locator_bytes = 20,
	end64_bytes = 56,
	entry_bytes = 46,
	local_bytes = 30,
	most_ratio = 1032, // of what deflate can do
};

static uint32_t load_16( const char* at )
{
	const unsigned char* b = (const unsigned char*)at;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t load_32( const char* at )
{
	return load_16( at ) | load_16( at + 2 ) << 16;
}

static uint64_t load_64( const char* at )
{
	return load_32( at ) | (uint64_t)load_32( at + 4 ) << 32;
}

static bv_status fail_damaged( const bvimport_zip* z, const char* what )
{
	return bvbase_fail( z->error, bv_error_input, "%s: the ZIP archive is damaged: %s", z->file, what );
}

static bool is_inside( const bvimport_zip* z, uint64_t at, uint64_t bytes )
{
	return at <= z->size && bytes <= z->size - at;
}

// The record at the end, behind which there may be a comment.
static const char* find_end( const char* data, size_t size )
{
	size_t most = size < end_bytes + most_comment ? size : (size_t)end_bytes + most_comment;
	for ( size_t back = end_bytes; back <= most; ++back )
	{
		const char* at = data + size - back;
		if ( memcmp( at, "PK\5\6", 4 ) == 0 && load_16( at + 20 ) <= back - end_bytes )
		{
			return at;
		}
	}
	return NULL;
}

// Of archives with more or longer entries than 16 and 32 bits tell, and of those of some programs.
static bv_status take_large( bvimport_zip* z, const char* end )
{
	size_t at = (size_t)( end - z->data );
	if ( at < locator_bytes || memcmp( end - locator_bytes, "PK\6\7", 4 ) != 0 )
	{
		return bv_ok;
	}
	uint64_t record = load_64( end - locator_bytes + 8 );
	if ( !is_inside( z, record, end64_bytes ) || memcmp( z->data + record, "PK\6\6", 4 ) != 0 )
	{
		return fail_damaged( z, "its end is not where it should be" );
	}
	uint64_t directory = load_64( z->data + record + 48 );
	z->entries = load_64( z->data + record + 32 );
	if ( !is_inside( z, directory, 0 ) )
	{
		return fail_damaged( z, "its list is not where it should be" );
	}
	z->directory = (size_t)directory;
	return bv_ok;
}

bv_status bvimport_zip_open( bvimport_zip* z, const char* file, const char* data, size_t size,
                             bvb_error* error )
{
	*z = ( bvimport_zip ){ .file = file, .data = data, .size = size, .error = error };
	const char* end = size >= end_bytes ? find_end( data, size ) : NULL;
	if ( !end )
	{
		return bvbase_fail( error, bv_error_input, "%s: not a ZIP archive, or cut short", file );
	}
	if ( load_16( end + 4 ) != 0 && load_16( end + 4 ) != 0xffff )
	{
		return bvbase_fail( error, bv_error_unsupported,
		                    "%s: ZIP archives in several files are not supported", file );
	}
	z->entries = load_16( end + 10 );
	z->directory = load_32( end + 16 );
	bv_status status = take_large( z, end );
	return status == bv_ok && !is_inside( z, z->directory, 0 )
	           ? fail_damaged( z, "its list is not where it should be" )
	           : status;
}

// Sizes and place that 32 bits do not tell are behind the name, in this order, those that are needed.
static bool take_large_sizes( const char* extra, size_t size, bvimport_zip_entry* e )
{
	uint64_t* values[] = { &e->size, &e->packed, &e->offset };
	bool needed = e->size == UINT32_MAX || e->packed == UINT32_MAX || e->offset == UINT32_MAX;
	while ( needed && size >= 4 )
	{
		size_t length = load_16( extra + 2 );
		if ( length > size - 4 )
		{
			return false;
		}
		if ( load_16( extra ) == 1 )
		{
			const char* at = extra + 4;
			for ( int i = 0; i < 3; ++i )
			{
				if ( *values[i] != UINT32_MAX )
				{
					continue;
				}
				if ( extra + 4 + length - at < 8 )
				{
					return false;
				}
				*values[i] = load_64( at );
				at += 8;
			}
			return true;
		}
		extra += 4 + length;
		size -= 4 + length;
	}
	return true;
}

static bv_status read_entry( const bvimport_zip* z, uint64_t* at, bvimport_zip_entry* e )
{
	const char* head = z->data + *at;
	if ( !is_inside( z, *at, entry_bytes ) || memcmp( head, "PK\1\2", 4 ) != 0 )
	{
		return fail_damaged( z, "its list is not one" );
	}
	size_t extra = load_16( head + 30 );
	size_t comment = load_16( head + 32 );
	*e = ( bvimport_zip_entry ){
		.name = head + entry_bytes,
		.name_length = load_16( head + 28 ),
		.flags = load_16( head + 8 ),
		.method = load_16( head + 10 ),
		.check = load_32( head + 16 ),
		.packed = load_32( head + 20 ),
		.size = load_32( head + 24 ),
		.offset = load_32( head + 42 ),
	};
	if ( !is_inside( z, *at + entry_bytes, e->name_length + extra + comment ) ||
	     !take_large_sizes( e->name + e->name_length, extra, e ) )
	{
		return fail_damaged( z, "an entry of its list ends too early" );
	}
	*at += entry_bytes + e->name_length + extra + comment;
	return bv_ok;
}

static char fold( char c )
{
	return c == '\\' ? '/' : (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
}

static bool is_name( const bvimport_zip_entry* e, const char* name )
{
	const char* own = e->name;
	size_t length = e->name_length;
	if ( length > 0 && fold( *own ) == '/' )
	{
		++own;
		--length;
	}
	name += *name == '/';
	if ( strlen( name ) != length )
	{
		return false;
	}
	for ( size_t i = 0; i < length; ++i )
	{
		if ( fold( own[i] ) != fold( name[i] ) )
		{
			return false;
		}
	}
	return true;
}

bv_status bvimport_zip_find( const bvimport_zip* z, const char* name, bvimport_zip_entry* out, bool* found )
{
	uint64_t at = z->directory;
	bv_status status = bv_ok;
	*found = false;
	for ( uint64_t i = 0; i < z->entries && !*found && status == bv_ok; ++i )
	{
		status = read_entry( z, &at, out );
		*found = status == bv_ok && is_name( out, name );
	}
	return status;
}

// zlib takes 32 bits of a length at a time.
static bool unpack( const char* from, uint64_t packed, char* to, uint64_t size )
{
	const uint64_t piece = 1u << 30;
	z_stream s = { 0 };
	if ( inflateInit2( &s, -MAX_WBITS ) != Z_OK )
	{
		return false;
	}
	int code = Z_OK;
	uint64_t read = 0;
	uint64_t written = 0;
	while ( code == Z_OK )
	{
		uint64_t in = packed - read < piece ? packed - read : piece;
		uint64_t out = size - written < piece ? size - written : piece;
		s.next_in = (const Bytef*)from + read;
		s.avail_in = (uInt)in;
		s.next_out = (Bytef*)to + written;
		s.avail_out = (uInt)out;
		code = inflate( &s, Z_NO_FLUSH );
		read += in - s.avail_in;
		written += out - s.avail_out;
	}
	inflateEnd( &s );
	return code == Z_STREAM_END && written == size;
}

static bool is_right( const char* data, uint64_t size, uint32_t check )
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	(void)data;
	(void)size;
	(void)check;
	return true;
#else
	return crc32_z( 0, (const Bytef*)data, (z_size_t)size ) == check;
#endif
}

static bv_status fail_entry( const bvimport_zip* z, const bvimport_zip_entry* e, bv_status status,
                             const char* what )
{
	int length = (int)( e->name_length < 200 ? e->name_length : 200 );
	return bvbase_fail( z->error, status, "%s: %.*s %s", z->file, length, e->name, what );
}

bv_status bvimport_zip_read( const bvimport_zip* z, const bvimport_zip_entry* entry, uint64_t limit,
                             char** out )
{
	*out = NULL;
	const char* local = z->data + entry->offset;
	if ( entry->flags & 1 )
	{
		return fail_entry( z, entry, bv_error_unsupported, "is encrypted, which is not supported" );
	}
	if ( entry->method != 0 && entry->method != 8 )
	{
		return fail_entry( z, entry, bv_error_unsupported, "is compressed by a method other than deflate" );
	}
	if ( !is_inside( z, entry->offset, local_bytes ) || memcmp( local, "PK\3\4", 4 ) != 0 )
	{
		return fail_entry( z, entry, bv_error_input, "is not where the ZIP archive says" );
	}
	uint64_t begin = entry->offset + local_bytes + load_16( local + 26 ) + load_16( local + 28 );
	if ( !is_inside( z, begin, entry->packed ) || ( entry->method == 0 && entry->packed != entry->size ) )
	{
		return fail_entry( z, entry, bv_error_input, "is cut short" );
	}
	if ( entry->size > limit || entry->size >= SIZE_MAX )
	{
		return fail_entry( z, entry, bv_error_limit, "is larger than the memory limit (--import-memory)" );
	}
	bool good = entry->size / most_ratio <= entry->packed;
	char* data = malloc( good ? (size_t)entry->size + 1 : 1 );
	if ( !data )
	{
		return bvbase_fail_memory( z->error );
	}
	if ( good && entry->method == 0 )
	{
		memcpy( data, z->data + begin, (size_t)entry->size );
	}
	else if ( good )
	{
		good = unpack( z->data + begin, entry->packed, data, entry->size );
	}
	if ( !good || !is_right( data, entry->size, entry->check ) )
	{
		free( data );
		return fail_entry( z, entry, bv_error_input, "is damaged in the ZIP archive" );
	}
	*out = data;
	return bv_ok;
}
