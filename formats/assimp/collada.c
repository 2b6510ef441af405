// COLLADA documents before Assimp sees them. See collada.h.
//
// This is not an XML parser. Assimp reports documents that are not well-formed.

#include "formats/assimp/collada.h"

#include "offline/base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct collada_span
{
	char* begin;
	char* end;
} collada_span;

// The state of the pass over the document.
typedef struct collada_state
{
	char* reason;
	collada_span array;    // id of the last array of numbers
	uint64_t array_values; // its length
	uint64_t offset;       // of the vertices among the inputs of the primitives that are read
	uint64_t stride;       // of those inputs
	bool has_offset;
} collada_state;

// An element's begin.
typedef struct collada_tag
{
	collada_span name;
	collada_span inside; // attributes
	collada_span text;   // up to the next tag
} collada_tag;

static bool begins( const char* at, const char* end, const char* word )
{
	size_t length = strlen( word );
	return (size_t)( end - at ) >= length && memcmp( at, word, length ) == 0;
}

// @return behind the word, or the end
static char* find_end( char* at, char* end, const char* word )
{
	char* found = bvbase_memory_find( at, (size_t)( end - at ), word, strlen( word ) );
	return found ? found + strlen( word ) : end;
}

static bool is_space( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void blank_comments( char* at, char* end )
{
	while ( ( at = memchr( at, '<', (size_t)( end - at ) ) ) != NULL )
	{
		if ( begins( at, end, "<![CDATA[" ) )
		{
			at = find_end( at, end, "]]>" );
			continue;
		}
		if ( !begins( at, end, "<!--" ) )
		{
			++at;
			continue;
		}
		for ( char* after = find_end( at + 4, end, "-->" ); at < after; ++at )
		{
			*at = *at == '\n' ? '\n' : ' ';
		}
	}
}

// @return at the '>' that ends a tag, or the end
static char* find_tag_end( char* at, char* end )
{
	for ( char quote = 0; at < end && ( quote || *at != '>' ); ++at )
	{
		if ( quote ? *at == quote : *at == '"' || *at == '\'' )
		{
			quote = quote ? 0 : *at;
		}
	}
	return at;
}

static bool is( collada_span s, const char* word )
{
	return (size_t)( s.end - s.begin ) == strlen( word ) && begins( s.begin, s.end, word );
}

// @return the value; `begin` is null if the attribute is missing
static collada_span find_attribute( const collada_tag* t, const char* name )
{
	size_t length = strlen( name );
	for ( char* at = t->inside.begin; at < t->inside.end; )
	{
		char* quote = at;
		while ( quote < t->inside.end && *quote != '"' && *quote != '\'' )
		{
			++quote;
		}
		char* close =
			quote < t->inside.end ? memchr( quote + 1, *quote, (size_t)( t->inside.end - quote - 1 ) ) : NULL;
		if ( !close )
		{
			break;
		}
		while ( at < quote && is_space( *at ) )
		{
			++at;
		}
		if ( begins( at, quote, name ) && ( at[length] == '=' || is_space( at[length] ) ) )
		{
			return ( collada_span ){ quote + 1, close };
		}
		at = close + 1;
	}
	return ( collada_span ){ NULL, NULL };
}

// @return the number; `otherwise` if the attribute is missing
static uint64_t read_whole( collada_span s, uint64_t otherwise )
{
	if ( !s.begin )
	{
		return otherwise;
	}
	while ( s.begin < s.end && is_space( *s.begin ) )
	{
		++s.begin;
	}
	uint64_t value = 0;
	for ( ; s.begin < s.end && *s.begin >= '0' && *s.begin <= '9' && value < UINT64_MAX / 16; ++s.begin )
	{
		value = 10 * value + (uint64_t)( *s.begin - '0' );
	}
	return value;
}

static uint64_t count_words( collada_span s )
{
	uint64_t count = 0;
	for ( char* at = s.begin; at < s.end; ++at )
	{
		count += !is_space( *at ) && ( at == s.begin || is_space( at[-1] ) );
	}
	return count;
}

// Assimp allocates for the numbers that exist, and reads as many as the count says.
static bool check_array( collada_state* c, const collada_tag* t )
{
	uint64_t counted = read_whole( find_attribute( t, "count" ), 0 );
	uint64_t there = count_words( t->text );
	c->array = find_attribute( t, "id" );
	c->array_values = counted;
	if ( counted < there )
	{
		snprintf( c->reason, 200, "float_array '%.*s' has %llu values, its count says %llu",
		          (int)( c->array.end - c->array.begin < 60 ? c->array.end - c->array.begin : 60 ),
		          c->array.begin ? c->array.begin : "", (unsigned long long)there,
		          (unsigned long long)counted );
	}
	return counted >= there;
}

static bool check_accessor( collada_state* c, const collada_tag* t )
{
	collada_span source = find_attribute( t, "source" );
	uint64_t count = read_whole( find_attribute( t, "count" ), 0 );
	uint64_t stride = read_whole( find_attribute( t, "stride" ), 1 );
	uint64_t offset = read_whole( find_attribute( t, "offset" ), 0 );
	size_t length = c->array.begin ? (size_t)( c->array.end - c->array.begin ) : 0;
	bool same = length > 0 && source.begin && (size_t)( source.end - source.begin ) == length + 1 &&
	            memcmp( source.begin + 1, c->array.begin, length ) == 0;
	if ( !same || count == 0 ||
	     ( offset <= c->array_values && stride <= c->array_values &&
	       count - 1 <= ( c->array_values - offset ) / ( stride > 0 ? stride : 1 ) &&
	       ( count - 1 ) * stride + stride <= c->array_values - offset ) )
	{
		return true;
	}
	snprintf( c->reason, 200, "an accessor of float_array '%.*s' needs more than its %llu values",
	          (int)( length < 60 ? length : 60 ), c->array.begin, (unsigned long long)c->array_values );
	return false;
}

static void take_input( collada_state* c, const collada_tag* t )
{
	uint64_t offset = read_whole( find_attribute( t, "offset" ), 0 );
	c->stride = offset + 1 > c->stride ? offset + 1 : c->stride;
	if ( is( find_attribute( t, "semantic" ), "VERTEX" ) )
	{
		c->offset = offset;
		c->has_offset = true;
	}
}

// Assimp takes vertex 0 for all that are below.
static bool check_indices( const collada_state* c, const collada_tag* t )
{
	uint64_t place = 0;
	for ( char* at = t->text.begin; at < t->text.end && c->has_offset; ++at )
	{
		if ( is_space( *at ) || ( at > t->text.begin && !is_space( at[-1] ) ) )
		{
			continue;
		}
		if ( *at == '-' && place % c->stride == c->offset )
		{
			snprintf( c->reason, 200, "a primitive refers to a vertex with a number below 0" );
			return false;
		}
		++place;
	}
	return true;
}

static bool look_at( collada_state* c, const collada_tag* t )
{
	static const char* const primitives[] = { "triangles", "polylist", "polygons",  "tristrips",
		                                      "trifans",   "lines",    "linestrips" };
	for ( size_t i = 0; i < sizeof primitives / sizeof *primitives; ++i )
	{
		if ( is( t->name, primitives[i] ) )
		{
			c->stride = 1;
			c->has_offset = false;
		}
	}
	if ( is( t->name, "input" ) )
	{
		take_input( c, t );
	}
	return is( t->name, "float_array" ) ? check_array( c, t )
	       : is( t->name, "accessor" )  ? check_accessor( c, t )
	       : is( t->name, "p" )         ? check_indices( c, t )
	                                    : true;
}

// White space in front of a text moves into the tag.
// @param close  its '>'
// @return where that is then
static char* move_space( char* close, char* end )
{
	char* text = close + 1;
	while ( text < end && is_space( *text ) )
	{
		++text;
	}
	if ( text == end || *text == '<' || close[-1] == '/' )
	{
		return close;
	}
	memmove( close, close + 1, (size_t)( text - close - 1 ) );
	text[-1] = '>';
	return text - 1;
}

bool bvassimp_prepare_collada( char* data, size_t size, bvimport_notes* lost, char reason[200] )
{
	(void)lost;
	char* end = data + size;
	collada_state c = { .reason = reason };
	blank_comments( data, end );
	for ( char* at = data; ( at = memchr( at, '<', (size_t)( end - at ) ) ) != NULL; )
	{
		if ( begins( at, end, "<![CDATA[" ) || begins( at, end, "<?" ) )
		{
			at = find_end( at, end, at[1] == '?' ? "?>" : "]]>" );
			continue;
		}
		char* close = find_tag_end( at, end );
		if ( close == end )
		{
			break;
		}
		if ( at[1] != '/' && at[1] != '!' )
		{
			collada_tag t = { .name = { at + 1, at + 1 } };
			while ( t.name.end < close && !is_space( *t.name.end ) && *t.name.end != '/' )
			{
				++t.name.end;
			}
			t.inside = ( collada_span ){ t.name.end, close };
			close = move_space( close, end );
			char* next = memchr( close, '<', (size_t)( end - close ) );
			t.text = ( collada_span ){ close + 1, next ? next : end };
			if ( !look_at( &c, &t ) )
			{
				return false;
			}
		}
		at = close + 1;
	}
	return true;
}
