// XML documents. See xml.h; the format is that of the W3C, "Extensible Markup Language (XML) 1.0", fifth
// edition.

#include "offline/import/xml.h"

#include "offline/base/error.h"

#include <string.h>

static bool is_space( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t bytes_left( const bvimport_xml* x )
{
	return (size_t)( x->text.end - x->text.cursor );
}

static bool begins( const bvimport_xml* x, const char* word )
{
	size_t length = strlen( word );
	return bytes_left( x ) >= length && memcmp( x->text.cursor, word, length ) == 0;
}

static void count_lines( bvimport_xml* x, const char* to )
{
	for ( const char* at = x->text.cursor; ( at = memchr( at, '\n', (size_t)( to - at ) ) ) != NULL; ++at )
	{
		++x->text.line;
	}
	x->text.cursor = to;
}

// Behind the next of these words.
static bv_status skip_to( bvimport_xml* x, const char* word, const char* what )
{
	const char* found = memmem( x->text.cursor, bytes_left( x ), word, strlen( word ) );
	if ( !found )
	{
		return bvimport_text_fail( &x->text, bv_error_input, "%s does not end", what );
	}
	count_lines( x, found + strlen( word ) );
	return bv_ok;
}

// Goes over everything that is no tag of an element.
static bv_status skip_between( bvimport_xml* x )
{
	for ( ;; )
	{
		const char* tag = memchr( x->text.cursor, '<', bytes_left( x ) );
		for ( const char* s = x->text.cursor; x->depth == 0 && s < ( tag ? tag : x->text.end ); ++s )
		{
			if ( !is_space( *s ) )
			{
				count_lines( x, s );
				return bvimport_text_fail( &x->text, bv_error_input, "text outside of the root element" );
			}
		}
		count_lines( x, tag ? tag : x->text.end );
		bv_status status = bv_ok;
		if ( begins( x, "<!--" ) )
		{
			status = skip_to( x, "-->", "a comment" );
		}
		else if ( begins( x, "<![CDATA[" ) && x->depth > 0 )
		{
			status = skip_to( x, "]]>", "a section of CDATA" );
		}
		else if ( begins( x, "<?" ) )
		{
			status = skip_to( x, "?>", "a processing instruction" );
		}
		else if ( begins( x, "<!DOCTYPE" ) )
		{
			status = bvimport_text_fail( &x->text, bv_error_unsupported, "document types are not supported" );
		}
		else
		{
			return bv_ok;
		}
		if ( status != bv_ok )
		{
			return status;
		}
	}
}

static bool ends_name( char c )
{
	return is_space( c ) || c == '/' || c == '>' || c == '=' || c == '<' || c == '"' || c == '\'' || c == '&';
}

static bvimport_xml_span read_name( const char* at, const char* end )
{
	const char* s = at;
	while ( s < end && !ends_name( *s ) )
	{
		++s;
	}
	return ( bvimport_xml_span ){ at, (size_t)( s - at ) };
}

static void split_name( bvimport_xml* x, bvimport_xml_span whole )
{
	const char* colon = memchr( whole.data, ':', whole.length );
	size_t prefix = colon ? (size_t)( colon - whole.data ) : 0;
	size_t skipped = colon ? prefix + 1 : 0;
	x->prefix = ( bvimport_xml_span ){ whole.data, prefix };
	x->name = ( bvimport_xml_span ){ whole.data + skipped, whole.length - skipped };
}

static const char* skip_space( const char* at, const char* end )
{
	while ( at < end && is_space( *at ) )
	{
		++at;
	}
	return at;
}

bool bvimport_xml_next_attribute( bvimport_xml_span* rest, bvimport_xml_span* name, bvimport_xml_span* value )
{
	const char* end = rest->data + rest->length;
	const char* at = skip_space( rest->data, end );
	*name = read_name( at, end );
	at = skip_space( at + name->length, end );
	if ( name->length == 0 || at == end || *at != '=' )
	{
		return false;
	}
	at = skip_space( at + 1, end );
	const char* close =
		at < end && ( *at == '"' || *at == '\'' ) ? memchr( at + 1, *at, (size_t)( end - at - 1 ) ) : NULL;
	if ( !close )
	{
		return false;
	}
	*value = ( bvimport_xml_span ){ at + 1, (size_t)( close - at - 1 ) };
	*rest = ( bvimport_xml_span ){ close + 1, (size_t)( end - close - 1 ) };
	return true;
}

// The '>' of a tag: quotes may hold others.
static const char* find_close( const bvimport_xml* x )
{
	char quote = 0;
	for ( const char* s = x->text.cursor; s < x->text.end; ++s )
	{
		if ( quote ? *s == quote : *s == '"' || *s == '\'' )
		{
			quote = quote ? 0 : *s;
		}
		else if ( !quote && *s == '>' )
		{
			return s;
		}
	}
	return NULL;
}

static bv_status fail_tag( const bvimport_xml* x, const char* what )
{
	return bvimport_text_fail( &x->text, bv_error_input, "%s", what );
}

static bv_status read_end( bvimport_xml* x )
{
	x->text.cursor += 2;
	bvimport_xml_span whole = read_name( x->text.cursor, x->text.end );
	const char* close = skip_space( whole.data + whole.length, x->text.end );
	bvimport_xml_span open = x->depth > 0 ? x->open[x->depth - 1] : ( bvimport_xml_span ){ NULL, 0 };
	if ( x->depth == 0 || open.length != whole.length || memcmp( open.data, whole.data, whole.length ) != 0 )
	{
		return fail_tag( x, "an element ends that has not begun" );
	}
	if ( close == x->text.end || *close != '>' )
	{
		return fail_tag( x, "the end of an element is not a tag" );
	}
	--x->depth;
	split_name( x, whole );
	count_lines( x, close + 1 );
	return bv_ok;
}

static bv_status check_attributes( const bvimport_xml* x )
{
	bvimport_xml_span rest = x->attributes;
	bvimport_xml_span name;
	bvimport_xml_span value;
	while ( bvimport_xml_next_attribute( &rest, &name, &value ) )
	{
		if ( memchr( value.data, '<', value.length ) )
		{
			return fail_tag( x, "an attribute has a '<' in its value" );
		}
		if ( rest.length > 0 && !is_space( *rest.data ) )
		{
			return fail_tag( x, "attributes without a blank between" );
		}
	}
	return skip_space( rest.data, rest.data + rest.length ) == rest.data + rest.length
	           ? bv_ok
	           : fail_tag( x, "an attribute is not NAME=\"VALUE\"" );
}

static bv_status read_begin( bvimport_xml* x )
{
	const char* close = find_close( x );
	bvimport_xml_span whole = read_name( x->text.cursor + 1, x->text.end );
	if ( !close || whole.length == 0 )
	{
		return fail_tag( x, close ? "a tag without a name" : "a tag does not end" );
	}
	if ( x->depth == 0 && x->has_root )
	{
		return fail_tag( x, "a second root element" );
	}
	if ( x->depth == bvimport_xml_depth )
	{
		return bvimport_text_fail( &x->text, bv_error_limit, "more than %d elements in each other",
		                           bvimport_xml_depth );
	}
	x->is_empty = close[-1] == '/' && close - 1 >= whole.data + whole.length;
	const char* end = x->is_empty ? close - 1 : close;
	x->attributes =
		( bvimport_xml_span ){ whole.data + whole.length, (size_t)( end - whole.data ) - whole.length };
	bv_status status = check_attributes( x );
	split_name( x, whole );
	x->open[x->depth++] = whole;
	x->has_root = true;
	count_lines( x, close + 1 );
	return status;
}

void bvimport_xml_start( bvimport_xml* x, const char* file, const char* data, size_t size, bvb_error* error )
{
	memset( x, 0, sizeof *x );
	x->text = bvimport_text_begin( file, data, size, "XML", error );
}

bv_status bvimport_xml_next( bvimport_xml* x, bvimport_xml_event* out )
{
	if ( x->is_empty )
	{
		x->is_empty = false;
		--x->depth;
		split_name( x, x->open[x->depth] );
		*out = bvimport_xml_end;
		return bv_ok;
	}
	bv_status status = skip_between( x );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( x->text.cursor == x->text.end )
	{
		*out = bvimport_xml_done;
		return x->text.cut                    ? bvimport_text_fail_binary( &x->text )
		       : x->depth > 0 || !x->has_root ? fail_tag( x, "the document ends within an element" )
		                                      : bv_ok;
	}
	*out = begins( x, "</" ) ? bvimport_xml_end : bvimport_xml_begin;
	return *out == bvimport_xml_end ? read_end( x ) : read_begin( x );
}

bv_status bvimport_xml_skip( bvimport_xml* x )
{
	uint32_t outer = x->depth - 1;
	bv_status status = bv_ok;
	while ( status == bv_ok && x->depth > outer )
	{
		bvimport_xml_event event;
		status = bvimport_xml_next( x, &event );
	}
	return status;
}

bvimport_xml_span bvimport_xml_find( const bvimport_xml* x, const char* name )
{
	bvimport_xml_span rest = x->attributes;
	bvimport_xml_span own;
	bvimport_xml_span value;
	while ( bvimport_xml_next_attribute( &rest, &own, &value ) )
	{
		if ( bvimport_text_is( own.data, own.length, name ) )
		{
			return value;
		}
	}
	return ( bvimport_xml_span ){ NULL, 0 };
}

// As UTF-8.
// @return its length, 0 for what is no character
static size_t put_character( uint32_t code, char* out )
{
	if ( code == 0 || code > 0x10ffff || ( code >= 0xd800 && code < 0xe000 ) )
	{
		return 0;
	}
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for ( size_t i = length; i-- > 1; code >>= 6 )
	{
		out[i] = (char)( 0x80 | ( code & 0x3f ) );
	}
	out[0] = (char)( first[length] | code );
	return length;
}

static uint32_t read_code( const char* at, const char* end )
{
	uint32_t base = *at == 'x' ? 16 : 10;
	uint32_t code = 0;
	for ( at += *at == 'x'; at < end; ++at )
	{
		uint32_t digit = *at >= '0' && *at <= '9'   ? (uint32_t)( *at - '0' )
		                 : *at >= 'a' && *at <= 'f' ? (uint32_t)( *at - 'a' + 10 )
		                 : *at >= 'A' && *at <= 'F' ? (uint32_t)( *at - 'A' + 10 )
		                                            : base;
		code = digit < base && code <= 0x10ffff ? base * code + digit : UINT32_MAX;
	}
	return code;
}

// @param at  behind the '&'
// @return how many bytes are written, 0 for what is none
static size_t put_entity( const char* at, const char* end, char* out )
{
	static const struct
	{
		const char* name;
		char character;
	} entities[] = { { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' }, { "apos", '\'' } };
	if ( end - at > 1 && *at == '#' )
	{
		return put_character( read_code( at + 1, end ), out );
	}
	for ( size_t i = 0; i < sizeof entities / sizeof *entities; ++i )
	{
		if ( bvimport_text_is( at, (size_t)( end - at ), entities[i].name ) )
		{
			*out = entities[i].character;
			return 1;
		}
	}
	return 0;
}

void bvimport_xml_decode( bvimport_xml_span value, char* out )
{
	const char* end = value.data + value.length;
	for ( const char* at = value.data; at < end; )
	{
		const char* close = *at == '&' ? memchr( at, ';', (size_t)( end - at ) ) : NULL;
		size_t length = close ? put_entity( at + 1, close, out ) : 0;
		if ( length == 0 )
		{
			*out++ = *at++;
			continue;
		}
		out += length;
		at = close + 1;
	}
	*out = 0;
}
