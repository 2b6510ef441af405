// Side files in words, and back. See bvbuild/side_files.h.

#include "bvbuild/side_files.h"

#include "bvbuild/asset.h"
#include "runtime/file/utf8.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";
static const char key[] = "side-file:";
static const char missing[] = "missing";
static const char named[] = "named";

enum
{
	key_bytes = sizeof key - 1,
	hash_bytes = 16,
};

static char* put_escaped( char* to, unsigned char byte )
{
	*to++ = '%';
	*to++ = digits[byte >> 4];
	*to++ = digits[byte & 15];
	return to;
}

static char* put_name( char* to, const char* name )
{
	size_t size = strlen( name );
	for ( size_t i = 0; i < size; )
	{
		size_t length = bvfile_utf8_character( name + i, size - i );
		bool plain = length > 0 && !bvfile_utf8_is_control( name + i ) && name[i] != '%' && name[i] != '=';
		length = length > 0 ? length : 1;
		for ( size_t k = i; k < i + length; ++k )
		{
			if ( plain )
			{
				*to++ = name[k];
			}
			else
			{
				to = put_escaped( to, (unsigned char)name[k] );
			}
		}
		i += length;
	}
	return to;
}

static char* put_use( char* to, const bvb_side_file* file )
{
	if ( file->use != bvb_side_file_read )
	{
		const char* word = file->use == bvb_side_file_missing ? missing : named;
		size_t length = strlen( word );
		memcpy( to, word, length );
		return to + length;
	}
	for ( int i = 0; i < hash_bytes; ++i )
	{
		*to++ = digits[file->hash[i] >> 4];
		*to++ = digits[file->hash[i] & 15];
	}
	return to;
}

bv_status bvb_side_files_text( const bvb_side_files* files, bvb_arena* arena, bv_text* out )
{
	size_t size = 0;
	for ( uint32_t i = 0; i < files->count; ++i )
	{
		size += key_bytes + 3 * strlen( files->files[i].name ) + 2 * hash_bytes + sizeof "=\n" - 1;
	}
	char* text = bvb_arena_allocate( arena, size, 1 );
	*out = ( bv_text ){ text, 0 };
	if ( !text )
	{
		return bv_error_memory;
	}
	char* to = text;
	for ( uint32_t i = 0; i < files->count; ++i )
	{
		memcpy( to, key, key_bytes );
		to = put_name( to + key_bytes, files->files[i].name );
		*to++ = '=';
		to = put_use( to, &files->files[i] );
		*to++ = '\n';
	}
	out->length = (size_t)( to - text );
	return bv_ok;
}

// @return the value of a hexadecimal digit as it is written, or -1
static int read_digit( char c )
{
	const char* digit = c ? strchr( digits, c ) : NULL;
	return digit ? (int)( digit - digits ) : -1;
}

static bool read_byte( const char* text, unsigned char* out )
{
	int high = read_digit( text[0] );
	int low = high < 0 ? -1 : read_digit( text[1] );
	*out = (unsigned char)( low < 0 ? 0 : 16 * high + low );
	return low >= 0;
}

// @return false for an escape that is none, or that stands for the end of a text
static bool read_name( bv_text text, char* out )
{
	for ( size_t i = 0; i < text.length; ++i )
	{
		unsigned char byte = (unsigned char)text.data[i];
		if ( byte == '%' )
		{
			if ( text.length - i < 3 || !read_byte( text.data + i + 1, &byte ) || byte == 0 )
			{
				return false;
			}
			i += 2;
		}
		*out++ = (char)byte;
	}
	return text.length > 0;
}

static bool is_word( bv_text text, const char* word )
{
	return text.length == strlen( word ) && memcmp( text.data, word, text.length ) == 0;
}

static bool read_use( bv_text text, bvb_side_file* out )
{
	if ( is_word( text, missing ) || is_word( text, named ) )
	{
		out->use = is_word( text, named ) ? bvb_side_file_named : bvb_side_file_missing;
		return true;
	}
	out->use = bvb_side_file_read;
	bool good = text.length == 2 * hash_bytes;
	for ( int i = 0; i < hash_bytes && good; ++i )
	{
		good = read_byte( text.data + 2 * i, &out->hash[i] );
	}
	return good;
}

static bool is_side_file( bv_text name )
{
	return name.length >= key_bytes && memcmp( name.data, key, key_bytes ) == 0;
}

static uint32_t count_lines( bv_text parameters )
{
	uint32_t count = 0;
	bv_text name;
	bv_text value;
	while ( bvb_next_parameter( &parameters, &name, &value ) )
	{
		count += is_side_file( name );
	}
	return count;
}

bv_status bvb_side_files_find( bv_text parameters, bvb_arena* arena, bvb_side_files* out )
{
	uint32_t count = count_lines( parameters );
	bvb_side_file* files = bvb_arena_allocate( arena, count, sizeof *files );
	*out = ( bvb_side_files ){ files, 0 };
	if ( !files )
	{
		return bv_error_memory;
	}
	bv_text name;
	bv_text value;
	while ( bvb_next_parameter( &parameters, &name, &value ) )
	{
		if ( !is_side_file( name ) )
		{
			continue;
		}
		bv_text text = { name.data + key_bytes, name.length - key_bytes };
		char* own = bvb_arena_allocate( arena, text.length + 1, 1 );
		if ( !own )
		{
			return bv_error_memory;
		}
		bvb_side_file* file = &files[out->count];
		file->name = own;
		if ( !read_name( text, own ) || !read_use( value, file ) ||
		     ( out->count > 0 && strcmp( file[-1].name, own ) >= 0 ) )
		{
			return bv_error_damaged;
		}
		++out->count;
	}
	return bv_ok;
}
