// URIs of buffers. See uri.h.

#include "formats/gltf/uri.h"

#include "runtime/file/utf8.h"

#include <string.h>
#include <strings.h>

bool bvgltf_uri_is_data( const char* uri )
{
	return strncasecmp( uri, "data:", 5 ) == 0;
}

// @return the value of a digit in base64; 64 for any other character
static unsigned digit_of( char c )
{
	return c >= 'A' && c <= 'Z'   ? (unsigned)( c - 'A' )
	       : c >= 'a' && c <= 'z' ? (unsigned)( c - 'a' ) + 26
	       : c >= '0' && c <= '9' ? (unsigned)( c - '0' ) + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
	                              : 64;
}

bv_status bvgltf_uri_decode( bvgltf_document* d, const bvgltf_object* o, const char* uri,
                             const uint8_t** data, uint64_t* size )
{
	static const char mark[] = ";base64";
	const char* comma = strchr( uri, ',' );
	size_t head = comma ? (size_t)( comma - uri ) : 0;
	if ( head < sizeof mark - 1 || strncasecmp( comma - ( sizeof mark - 1 ), mark, sizeof mark - 1 ) != 0 )
	{
		return bvgltf_json_fail( o, bv_error_input, "the data URI is not in base64" );
	}
	const char* text = comma + 1;
	size_t length = strlen( text );
	size_t padding = 0;
	while ( padding < 2 && padding < length && text[length - 1 - padding] == '=' )
	{
		++padding;
	}
	if ( length % 4 != 0 )
	{
		return bvgltf_json_fail( o, bv_error_input, "broken base64: %llu characters, not a multiple of 4",
		                         (unsigned long long)length );
	}
	void* memory;
	bv_status status = bvgltf_document_allocate( d, length / 4 * 3, 1, &memory );
	if ( status != bv_ok )
	{
		return status;
	}
	uint8_t* bytes = memory;
	for ( size_t i = 0; i < length; i += 4 )
	{
		uint32_t word = 0;
		for ( size_t k = i; k < i + 4; ++k )
		{
			unsigned digit = k < length - padding ? digit_of( text[k] ) : 0;
			if ( digit > 63 )
			{
				return bvgltf_json_fail( o, bv_error_input, "broken base64: character %llu of the data",
				                         (unsigned long long)k );
			}
			word = word << 6 | digit;
		}
		*bytes++ = (uint8_t)( word >> 16 );
		*bytes++ = (uint8_t)( word >> 8 );
		*bytes++ = (uint8_t)word;
	}
	*data = memory;
	*size = length / 4 * 3 - padding;
	return bv_ok;
}

// RFC 3986, 3.1: a letter, then letters, digits, + - . up to a colon.
static bool has_scheme( const char* uri )
{
	const char* s = uri;
	while ( ( ( *s | 32 ) >= 'a' && ( *s | 32 ) <= 'z' ) ||
	        ( s > uri && *s && strchr( "0123456789+-.", *s ) ) )
	{
		++s;
	}
	return s > uri && *s == ':';
}

static int hex_digit( char c )
{
	return c >= '0' && c <= '9'                     ? c - '0'
	       : ( c | 32 ) >= 'a' && ( c | 32 ) <= 'f' ? ( c | 32 ) - 'a' + 10
	                                                : -1;
}

// Unreserved and reserved characters alike: none of those that stand for something else is left.
static bool decode_percent( const char* from, char* to )
{
	for ( ; *from; ++from )
	{
		char c = *from;
		if ( c == '%' )
		{
			int high = hex_digit( from[1] );
			int low = high >= 0 ? hex_digit( from[2] ) : -1;
			if ( low < 0 || high + low == 0 )
			{
				return false;
			}
			c = (char)( 16 * high + low );
			from += 2;
		}
		*to++ = c;
	}
	*to = 0;
	return true;
}

static bool is_utf8( const char* text )
{
	size_t left = strlen( text );
	while ( left > 0 )
	{
		size_t length = bvfile_utf8_character( text, left );
		if ( length == 0 )
		{
			return false;
		}
		text += length;
		left -= length;
	}
	return true;
}

// In place. Two dots stay: what they lead to depends on links.
static void remove_empty_parts( char* name )
{
	char* to = name;
	for ( const char* part = name; *part; )
	{
		size_t length = strcspn( part, "/" );
		const char* next = part + length + ( part[length] == '/' );
		if ( length > 0 && !( length == 1 && *part == '.' ) )
		{
			if ( to > name )
			{
				*to++ = '/';
			}
			memmove( to, part, length );
			to += length;
		}
		part = next;
	}
	*to = 0;
}

bv_status bvgltf_uri_name( bvgltf_document* d, const bvgltf_object* o, const char* uri, const char** name )
{
	if ( has_scheme( uri ) || *uri == '/' || strpbrk( uri, "?#" ) )
	{
		return bvgltf_json_fail( o, bv_error_unsupported, "the URI %.200s is not a relative path", uri );
	}
	void* memory;
	bv_status status = bvgltf_document_allocate( d, strlen( uri ) + 1, 1, &memory );
	if ( status != bv_ok )
	{
		return status;
	}
	char* decoded = memory;
	if ( !decode_percent( uri, decoded ) || !is_utf8( decoded ) || *decoded == '/' )
	{
		return bvgltf_json_fail( o, bv_error_input, "the URI %.200s cannot be decoded", uri );
	}
	remove_empty_parts( decoded );
	*name = decoded;
	return *decoded ? bv_ok : bvgltf_json_fail( o, bv_error_input, "the URI names no file" );
}
