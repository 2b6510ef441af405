// Checked access to the members of JSON objects. Private to this folder.
//
// A message names the object as JavaScript would: accessors[3].sparse. What is in the file twice is an error:
// parsers differ in which of the two they take.

#pragma once

#include "bvbuild/base.h"

#include <cjson/cJSON.h>

/// Sentinel for an index that is not there.
#define BVGLTF_NONE UINT32_MAX

/// In place of a default: the member must be there.
#define BVGLTF_REQUIRED UINT64_MAX

/// Largest whole number that JSON has for sure: 2^53 - 1.
#define BVGLTF_MOST ( ( (uint64_t)1 << 53 ) - 1 )

/// An object of the document.
typedef struct bvgltf_object
{
	const char* file;  ///< name of the file, for messages
	bvb_error* error;  ///< receives what is wrong
	const cJSON* json; ///< the object; null if the member is missing
	char where[128];   ///< its place in the document, for messages
} bvgltf_object;

/// Says what is wrong with an object: FILE: WHERE: text.
/// @return `status`
__attribute__( ( format( printf, 3, 4 ) ) ) bv_status
bvgltf_json_fail( const bvgltf_object* o, bv_status status, const char* format, ... );

/// @param out  receives null if there is no such member
/// @return bv_ok; bv_error_input if it is there twice
bv_status bvgltf_json_find( const bvgltf_object* o, const char* name, const cJSON** out );

/// Reads a whole number from 0 to `most`.
/// @param fallback  if there is no such member; or BVGLTF_REQUIRED
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_whole( const bvgltf_object* o, const char* name, uint64_t most, uint64_t fallback,
                             uint64_t* out );

/// Reads an index into a list of so many items.
/// @param out  receives BVGLTF_NONE if there is no such member
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_index( const bvgltf_object* o, const char* name, uint32_t count, uint32_t* out );

/// Checks an item of a list of indices.
/// @param name  of the list, for messages
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_item( const bvgltf_object* o, const char* name, const cJSON* item, uint32_t count,
                            uint32_t* out );

/// Reads so many finite numbers.
/// @param there  receives whether there is such a member
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_numbers( const bvgltf_object* o, const char* name, uint32_t count, double* out,
                               bool* there );

/// @param out  lives with the document; null if there is no such member
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_text( const bvgltf_object* o, const char* name, const char** out );

/// @param out  receives false if there is no such member
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_flag( const bvgltf_object* o, const char* name, bool* out );

/// @param out  its `json` receives null if there is no such member
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_object( const bvgltf_object* o, const char* name, bvgltf_object* out );

/// @param name  of the extension
/// @param out   its `json` receives null if the object does not have it
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_extension( const bvgltf_object* o, const char* name, bvgltf_object* out );

/// @param out    receives the list, whose items are linked; null if there is no such member
/// @param count  receives the number of its items
/// @return bv_ok; bv_error_input
bv_status bvgltf_json_list( const bvgltf_object* o, const char* name, const cJSON** out, uint32_t* count );
