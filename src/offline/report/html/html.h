// A page of HTML being written: text, numbers, and what every part of the report needs to know.

#pragma once

#include "bv/file.h"
#include "offline/export/output.h"

#include <stddef.h>

#include <cjson/cJSON.h>

/// What the parts of a page are written from. Numbers come from the JSON report, so that the two cannot
/// disagree.
typedef struct bvhtml_page
{
	bvexport_output* out; ///< the page so far
	const cJSON* report;  ///< the JSON report, parsed
	const bv_file* file;  ///< what it is about
	bvb_arena* arena;     ///< for what is needed meanwhile
	double diagonal;      ///< of the least axis-aligned box, mesh units; NAN when that is not known or 0
	const char* unit;     ///< of lengths, as bvreport_name_unit returns it
} bvhtml_page;

/// @param power  1 for lengths, 2 for areas, 3 for volumes
/// @return the unit for headings: such as "m", "m²" or "m³"; "mesh units", "square units" or "cubic units"
const char* bvhtml_unit_of( const bvhtml_page* page, int power );

/// @param power  as above
/// @return what follows a number in a sentence, such as " m", " m²" or " m³"; empty for mesh units
const char* bvhtml_suffix( const bvhtml_page* page, int power );

/// @param path  keys joined by dots; numbers index arrays
/// @return the value there; null when it is missing or null
const cJSON* bvhtml_at( const cJSON* from, const char* path );

/// @return the number there, or NAN
double bvhtml_number( const cJSON* from, const char* path );

/// @return the string there, or an empty one
const char* bvhtml_string( const cJSON* from, const char* path );

/// @return whether there is a true there
bool bvhtml_true( const cJSON* from, const char* path );

/// Bytes that any number of bvhtml_print_number fits into.
#define BVHTML_NUMBER_BYTES 64

/// Writes a number for people, in any locale: 0, 12,345, 0.01234, 1.234×10⁻⁶. NAN becomes a dash.
/// @param digits  significant digits, up to 17; those before the point are all kept
void bvhtml_print_number( char out[BVHTML_NUMBER_BYTES], double value, int digits );

/// Writes a count for people, with all its digits: 12,345.
void bvhtml_print_count( char out[BVHTML_NUMBER_BYTES], double value );

/// Writes a number of bytes for people: 512 B, 13.2 kB, 4.1 MB.
void bvhtml_print_bytes( char out[BVHTML_NUMBER_BYTES], double bytes );

/// Adds text to a page, with all in it that HTML gives a meaning escaped. What is no valid character, and
/// what turns the direction of text that follows, is replaced.
void bvhtml_escape( bvexport_output* out, const char* text, size_t length );

/// Adds HTML by a template. What stands in the place of
///   $s is a const char*, escaped
///   $r is a const char*, taken as it is
///   $n is a double, of four significant digits
///   $l is the same of a lower bound: rounded down
///   $u is the same of an upper bound: rounded up
///   $c is a double, a count
///   $i is a double, a count as programs write it
///   $p is a double, a fraction, as percentage
///   $q is the same of an upper bound: rounded up
///   $b is a double, bytes for people
///   $v is a const cJSON* that may be null: as $n, with its exact value in a data element; a dash for null. What
///      the JSON report gives as a bound is rounded outwards
///   $k is the same of a count
/// and $$ is a dollar. NAN is a dash.
void bvhtml_put( const bvhtml_page* page, const char* format, ... );
