// Reads XML by expat, one event at a time: the start of an element with its attributes, or its end. Text between
// elements is skipped. Document types are ignored, so the only entities are the five of XML and numeric
// character references.

#pragma once

#include "offline/import/text.h"

enum
{
	bvimport_xml_depth = 256, ///< elements in each other; more are an error
};

/// What was found.
typedef enum bvimport_xml_event
{
	bvimport_xml_begin, ///< an element begins
	bvimport_xml_end,   ///< one ends; also where it is empty: <a/>
	bvimport_xml_done,  ///< the document has ended
} bvimport_xml_event;

/// Text in UTF-8 until the next event, terminated. Entities are resolved.
typedef struct bvimport_xml_span
{
	const char* data; ///< null for an attribute that is not there
	size_t length;    ///< in bytes
} bvimport_xml_span;

/// A place in a document.
typedef struct bvimport_xml
{
	bvimport_text text;           ///< for messages: file and line of the tag
	bvimport_xml_span prefix;     ///< of the element, before the colon; empty without a colon
	bvimport_xml_span name;       ///< of the element, behind the colon
	bvimport_xml_span attributes; ///< of an element that begins: NAME 0 VALUE 0 NAME 0 ...
	bvimport_xml_span tag; ///< as it is written in the document; of an empty element that ends: its begin
	uint32_t depth;        ///< how many elements have begun and not ended
	bool any_type;         ///< a document type is skipped, if it declares no entities
	struct bvimport_xml_parser* parser;
} bvimport_xml;

/// Begins at the first byte.
/// @param file  for messages; kept, as are data and error
/// @param x     is to be ended, unless this fails
/// @return bv_ok; bv_error_memory
bv_status bvimport_xml_start( bvimport_xml* x, const char* file, const char* data, size_t size,
                              bvb_error* error );

/// Frees the parser.
void bvimport_xml_stop( bvimport_xml* x );

/// Goes to the next event.
/// @return bv_ok; bv_error_input; bv_error_limit for too many elements in each other, or too long a tag;
///         bv_error_unsupported for a document type, entities or an encoding; bv_error_memory
bv_status bvimport_xml_next( bvimport_xml* x, bvimport_xml_event* out );

/// Goes to the end of the element that has begun.
/// @return as bvimport_xml_next
bv_status bvimport_xml_skip( bvimport_xml* x );

/// @param name  of an attribute, with its prefix, if it has one
/// @return its value; data is null if the attribute is missing
bvimport_xml_span bvimport_xml_find( const bvimport_xml* x, const char* name );

/// The next attribute of the element.
/// @param rest  begins as x->attributes; receives what is behind the attribute
/// @return whether there was one
bool bvimport_xml_next_attribute( bvimport_xml_span* rest, bvimport_xml_span* name,
                                  bvimport_xml_span* value );

/// @return whether this is the text
static inline bool bvimport_xml_is( bvimport_xml_span s, const char* text )
{
	return s.data && bvimport_text_is( s.data, s.length, text );
}
