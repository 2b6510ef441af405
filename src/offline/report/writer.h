// Items of a JSON text, built with cJSON and printed at the end.
//
// Every step may run out of memory: a failed step gives a null item, all later steps on it fail too, and the
// flag is looked at once, at the end.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"
#include "offline/base/number.h"

#include <cjson/cJSON.h>

/// Items being added, and whether one of them could not be.
typedef struct bvreport_json_writer
{
	bvb_arena* arena; ///< for copies of texts
	bool failed;      ///< an allocation failed
	bv_vec3 offset;   ///< of the file, for bvreport_json_place; zero elsewhere
} bvreport_json_writer;

/// Bytes that any number fits into.
enum
{
	bvreport_json_number_bytes = BVBASE_NUMBER_BYTES,
};

/// @return the item, after taking note of it if it is null
cJSON* bvreport_json_checked( bvreport_json_writer* w, cJSON* item );

/// @return an empty object that was added to the object `to`
cJSON* bvreport_json_put_object( bvreport_json_writer* w, cJSON* to, const char* key );

/// @return an empty array that was added to the object `to`
cJSON* bvreport_json_put_array( bvreport_json_writer* w, cJSON* to, const char* key );

/// Appends to an array, which owns the item then.
/// @return the item
cJSON* bvreport_json_append( bvreport_json_writer* w, cJSON* array, cJSON* item );

/// Adds a null.
void bvreport_json_put_null( bvreport_json_writer* w, cJSON* to, const char* key );

/// Adds true or false.
void bvreport_json_put_bool( bvreport_json_writer* w, cJSON* to, const char* key, bool value );

/// Adds a string, which is copied.
void bvreport_json_put_string( bvreport_json_writer* w, cJSON* to, const char* key, const char* value );

/// Adds a string, or a null for a null pointer.
void bvreport_json_put_string_or_null( bvreport_json_writer* w, cJSON* to, const char* key,
                                       const char* value );

/// The same of a text in a file.
void bvreport_json_put_text( bvreport_json_writer* w, cJSON* to, const char* key, bv_text text );

/// Prints all digits of a count.
void bvreport_json_print_count( char text[bvreport_json_number_bytes], uint64_t value );

/// Adds a count with all its digits.
void bvreport_json_put_count( bvreport_json_writer* w, cJSON* to, const char* key, uint64_t value );

/// Adds a count, or a null where it is not known.
void bvreport_json_put_count_or_null( bvreport_json_writer* w, cJSON* to, const char* key, bool known,
                                      uint64_t value );

/// Adds a number, with as many digits as it takes to read it back; a null in place of an infinite one.
void bvreport_json_put_number( bvreport_json_writer* w, cJSON* to, const char* key, double value );

/// Adds a number, or a null for a null pointer.
void bvreport_json_put_number_or_null( bvreport_json_writer* w, cJSON* to, const char* key,
                                       const double* value );

/// Appends numbers to an array.
void bvreport_json_append_numbers( bvreport_json_writer* w, cJSON* array, const double* value, int count );

/// Adds a point or a direction as an array of three numbers.
void bvreport_json_put_vec3( bvreport_json_writer* w, cJSON* to, const char* key, bv_vec3 v );

/// @return a stored position as a place: with the offset of the file, rounded to binary64
bv_vec3 bvreport_json_place( const bvreport_json_writer* w, bv_vec3 position );

/// Appends a row of three numbers to an array of rows.
void bvreport_json_append_row( bvreport_json_writer* w, cJSON* rows, const double row[3] );

/// Adds `lower` and `upper`; nulls without an interval.
void bvreport_json_put_bounds_of( bvreport_json_writer* w, cJSON* to, const bv_interval* interval );

/// Adds an object of the two.
void bvreport_json_put_interval( bvreport_json_writer* w, cJSON* to, const char* key,
                                 const bv_interval* interval );

/// @return a distance as a part of a length, rounded outwards
bv_interval bvreport_json_part_of( const bv_interval* distance, double length );

/// Prints the document, and deletes it.
/// @param text  receives a terminated string in the writer's arena, ending in a newline; null on failure
/// @return bv_ok; bv_error_memory, also for what has failed before
bv_status bvreport_json_finish( bvreport_json_writer* w, cJSON* document, char** text, bvb_error* error );
