// XML, as far as files with meshes need it: elements and their attributes, one after the other. Text between
// elements is skipped. Strict about tags, which must nest; there are no document types, so that entities are
// the five of XML and characters by number.

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

/// Bytes of the document.
typedef struct bvimport_xml_span
{
	const char* data; ///< null for an attribute that is not there
	size_t length;    ///< in bytes
} bvimport_xml_span;

/// A place in a document.
typedef struct bvimport_xml
{
	bvimport_text text;           ///< after the last tag; its line is that of the tag's end
	bvimport_xml_span prefix;     ///< of the element, in front of the colon; empty if there is none
	bvimport_xml_span name;       ///< of the element, behind the colon
	bvimport_xml_span attributes; ///< of an element that begins
	uint32_t depth;               ///< how many elements have begun and not ended
	bool is_empty;                ///< the end of the element follows at once
	bool has_root;                ///< there was an element
	bvimport_xml_span open[bvimport_xml_depth]; ///< their names with prefixes
} bvimport_xml;

/// Begins at the first byte.
/// @param file  for messages; kept
void bvimport_xml_start( bvimport_xml* x, const char* file, const char* data, size_t size, bvb_error* error );

/// Goes to the next event. The attributes are checked for their form.
/// @return bv_ok; bv_error_input; bv_error_limit for too many elements in each other; bv_error_unsupported for
///         a document type
bv_status bvimport_xml_next( bvimport_xml* x, bvimport_xml_event* out );

/// Goes to the end of the element that has begun.
/// @return as bvimport_xml_next
bv_status bvimport_xml_skip( bvimport_xml* x );

/// @param name  of an attribute, with its prefix, if it has one
/// @return its value as it is written, with entities; data is null if there is none
bvimport_xml_span bvimport_xml_find( const bvimport_xml* x, const char* name );

/// The next attribute of the element.
/// @param rest  begins as x->attributes; receives what is behind the attribute
/// @return whether there was one
bool bvimport_xml_next_attribute( bvimport_xml_span* rest, bvimport_xml_span* name,
                                  bvimport_xml_span* value );

/// @return whether these bytes are the text
static inline bool bvimport_xml_is( bvimport_xml_span s, const char* text )
{
	return s.data && bvimport_text_is( s.data, s.length, text );
}

/// Writes a value with its entities resolved. What cannot be is kept as it is written.
/// @param out  room for value.length + 1 bytes; terminated
void bvimport_xml_decode( bvimport_xml_span value, char* out );
