// XML documents. See xml.h. Expat calls where a tag begins or ends; it is stopped there and resumed for the next
// event.

#include "offline/import/xml.h"

#include "offline/base/error.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum
{
	first_piece = 1 << 16, // bytes that expat gets at once
	most_piece = 1 << 30,
};

typedef struct bvimport_xml_parser
{
	XML_Parser expat;
	const char* document;
	const char* data; // what expat has not got
	size_t left;
	size_t piece;    // of it, next time
	bool is_started; // expat has got a piece
	bool is_quiet;   // no tag has ended in the last piece
	bool is_stopped; // in the middle of one
	bool is_empty;   // the element that begins has ended
	bool has_event;  // since it was resumed
	bvimport_xml_event event;
	char* words; // the name of the element and its attributes, which expat keeps for the call only
	size_t room;
	bv_status status; // why a call has ended the document
} bvimport_xml_parser;

static void end_with( bvimport_xml* x, bv_status status )
{
	x->parser->status = status;
	XML_StopParser( x->parser->expat, XML_FALSE );
}

static bv_status fail( const bvimport_xml* x, bv_status status, const char* what )
{
	return bvimport_text_fail( &x->text, status, "%s", what );
}

static void find_line( bvimport_xml* x )
{
	x->text.line = XML_GetCurrentLineNumber( x->parser->expat );
}

static void stop_at( bvimport_xml* x, bvimport_xml_event event )
{
	bvimport_xml_parser* p = x->parser;
	p->event = event;
	p->has_event = true;
	p->is_quiet = false;
	find_line( x );
	x->tag = ( bvimport_xml_span ){ p->document + XML_GetCurrentByteIndex( p->expat ),
		                            (size_t)XML_GetCurrentByteCount( p->expat ) };
	XML_StopParser( p->expat, XML_TRUE );
}

static bool make_room( bvimport_xml* x, size_t size )
{
	bvimport_xml_parser* p = x->parser;
	if ( size <= p->room )
	{
		return true;
	}
	char* larger = realloc( p->words, 2 * size );
	if ( !larger )
	{
		end_with( x, bvbase_fail_memory( x->text.error ) );
		return false;
	}
	p->words = larger;
	p->room = 2 * size;
	return true;
}

static void split_name( bvimport_xml* x, const char* whole, size_t length )
{
	const char* colon = memchr( whole, ':', length );
	size_t prefix = colon ? (size_t)( colon - whole ) : 0;
	size_t skipped = colon ? prefix + 1 : 0;
	x->prefix = ( bvimport_xml_span ){ whole, prefix };
	x->name = ( bvimport_xml_span ){ whole + skipped, length - skipped };
}

// @return how many bytes all have, with a 0 behind each
static size_t copy_words( const char* name, const char** attributes, char* to )
{
	size_t size = 0;
	for ( const char* word = name; word; word = *attributes++ )
	{
		size_t length = strlen( word ) + 1;
		if ( to )
		{
			memcpy( to + size, word, length );
		}
		size += length;
	}
	return size;
}

static void XMLCALL on_begin( void* context, const char* name, const char** attributes )
{
	bvimport_xml* x = context;
	size_t size = copy_words( name, attributes, NULL );
	if ( x->depth == bvimport_xml_depth )
	{
		find_line( x );
		end_with( x, bvimport_text_fail( &x->text, bv_error_limit, "more than %d elements in each other",
		                                 bvimport_xml_depth ) );
		return;
	}
	if ( !make_room( x, size ) )
	{
		return;
	}
	char* words = x->parser->words;
	copy_words( name, attributes, words );
	size_t length = strlen( words );
	split_name( x, words, length );
	x->attributes = ( bvimport_xml_span ){ words + length + 1, size - length - 1 };
	++x->depth;
	stop_at( x, bvimport_xml_begin );
}

// An empty element ends in the same call of expat in which it has begun.
static void XMLCALL on_end( void* context, const char* name )
{
	bvimport_xml* x = context;
	if ( x->parser->has_event )
	{
		x->parser->is_empty = true;
		return;
	}
	size_t length = strlen( name );
	if ( make_room( x, length + 1 ) )
	{
		memcpy( x->parser->words, name, length + 1 );
		split_name( x, x->parser->words, length );
		--x->depth;
		stop_at( x, bvimport_xml_end );
	}
}

static void XMLCALL on_type( void* context, const char* name, const char* system, const char* public,
                             int has_declarations )
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_declarations;
	bvimport_xml* x = context;
	if ( !x->any_type )
	{
		find_line( x );
		end_with( x, fail( x, bv_error_unsupported, "document types are not supported" ) );
	}
}

static void XMLCALL on_entity( void* context, const char* name, int is_parameter, const char* value,
                               int length, const char* base, const char* system, const char* public,
                               const char* notation )
{
	(void)name;
	(void)is_parameter;
	(void)value;
	(void)length;
	(void)base;
	(void)system;
	(void)public;
	(void)notation;
	bvimport_xml* x = context;
	find_line( x );
	end_with( x, fail( x, bv_error_unsupported, "entities are not supported" ) );
}

static bool is_utf16( const char* data, size_t size )
{
	return size >= 2 && ( data[0] == 0 || data[1] == 0 || memcmp( data, "\xff\xfe", 2 ) == 0 ||
	                      memcmp( data, "\xfe\xff", 2 ) == 0 );
}

bv_status bvimport_xml_start( bvimport_xml* x, const char* file, const char* data, size_t size,
                              bvb_error* error )
{
	size_t length = is_utf16( data, size ) ? size : bvimport_text_unfilled( data, size );
	bvimport_xml_parser* p = calloc( 1, sizeof *p );
	XML_Parser expat = XML_ParserCreate( NULL );
	if ( !p || !expat )
	{
		free( p );
		XML_ParserFree( expat );
		return bvbase_fail_memory( error );
	}
	*p = ( bvimport_xml_parser ){
		.expat = expat, .document = data, .data = data, .left = length, .piece = first_piece
	};
	*x = ( bvimport_xml ){ .text = { .file = file, .line = 1, .error = error }, .parser = p };
	XML_SetUserData( expat, x );
	XML_SetElementHandler( expat, on_begin, on_end );
	XML_SetStartDoctypeDeclHandler( expat, on_type );
	XML_SetEntityDeclHandler( expat, on_entity );
	return bv_ok;
}

void bvimport_xml_stop( bvimport_xml* x )
{
	XML_ParserFree( x->parser->expat );
	free( x->parser->words );
	free( x->parser );
}

static bv_status fail_document( bvimport_xml* x )
{
	bvimport_xml_parser* p = x->parser;
	if ( p->status != bv_ok )
	{
		return p->status;
	}
	enum XML_Error code = XML_GetErrorCode( p->expat );
	find_line( x );
	switch ( code )
	{
	case XML_ERROR_NO_MEMORY:
		return p->piece == most_piece ? fail( x, bv_error_limit, "a tag is too long" )
		                              : bvbase_fail_memory( x->text.error );
	case XML_ERROR_UNKNOWN_ENCODING: return fail( x, bv_error_unsupported, "the encoding is not supported" );
	case XML_ERROR_NO_ELEMENTS: return fail( x, bv_error_input, "the document ends within an element" );
	case XML_ERROR_TAG_MISMATCH: return fail( x, bv_error_input, "an element ends that has not begun" );
	default: return fail( x, bv_error_input, XML_ErrorString( code ) );
	}
}

// Expat scans an unfinished tag again with each piece. Pieces therefore grow as long as no tag ends; otherwise a
// long tag would take quadratic time.
static enum XML_Status give_piece( bvimport_xml_parser* p )
{
	if ( p->is_quiet && p->piece < most_piece )
	{
		p->piece *= 2;
	}
	size_t size = p->left < p->piece ? p->left : p->piece;
	const char* from = p->data;
	p->is_started = true;
	p->is_quiet = true;
	p->data += size;
	p->left -= size;
	return XML_Parse( p->expat, from, (int)size, p->left == 0 );
}

bv_status bvimport_xml_next( bvimport_xml* x, bvimport_xml_event* out )
{
	bvimport_xml_parser* p = x->parser;
	if ( p->is_empty )
	{
		p->is_empty = false;
		--x->depth;
		*out = bvimport_xml_end;
		return bv_ok;
	}
	p->has_event = false;
	enum XML_Status status = XML_STATUS_OK;
	if ( p->is_stopped )
	{
		status = XML_ResumeParser( p->expat );
	}
	while ( status == XML_STATUS_OK && ( p->left > 0 || !p->is_started ) )
	{
		status = give_piece( p );
	}
	p->is_stopped = status == XML_STATUS_SUSPENDED;
	if ( status == XML_STATUS_ERROR )
	{
		return fail_document( x );
	}
	*out = p->is_stopped ? p->event : bvimport_xml_done;
	return bv_ok;
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

bool bvimport_xml_next_attribute( bvimport_xml_span* rest, bvimport_xml_span* name, bvimport_xml_span* value )
{
	if ( rest->length == 0 )
	{
		return false;
	}
	*name = ( bvimport_xml_span ){ rest->data, strlen( rest->data ) };
	const char* text = rest->data + name->length + 1;
	*value = ( bvimport_xml_span ){ text, strlen( text ) };
	size_t used = name->length + value->length + 2;
	*rest = ( bvimport_xml_span ){ rest->data + used, rest->length - used };
	return true;
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
