// Reading options: values are checked and stored as the row of the option says, uses are counted, and options
// are settled together.

#pragma once

#include "bvbuild/options.h"
#include "offline/asset/option.h"
#include "offline/base/suggest.h"

/// Checks a value and stores it as the row says; calls its `apply`.
/// @param settings  what the row's offset refers to
/// @param value     null for none
/// @return bv_ok; bv_error_argument with a message that says what is allowed; as `apply`
bv_status bvopt_store_value( const bvasset_option* o, void* settings, const char* value, bvb_error* error );

/// Parses a whole decimal number in a range.
/// @param name  of the option
/// @return bv_ok; bv_error_argument with a message that says what is allowed
bv_status bvopt_parse_integer( const char* name, const char* text, uint32_t least, uint32_t most,
                               uint32_t* out, bvb_error* error );

/// Reports an unknown name, with the nearest known one if it may be meant.
/// @param what  kind of name, as in "builder"
/// @return bv_error_argument
bv_status bvopt_fail_unknown( bvb_error* error, const char* what, const char* name, int length,
                              const bvbase_suggestion* s );

/// Finds a row by the option's name or its old name.
/// @return the row; null for an unknown name
const bvasset_option* bvopt_find( const char* name, size_t length );

/// Writes the value's name in the help text, or the words with | between; empty for an option without a value.
void bvopt_get_argument( const bvasset_option* o, char* out, size_t size );

/// @return whether an option can have a value
bool bvopt_takes_value( const bvasset_option* o );

/// @return whether an option may stand without a value
bool bvopt_may_lack_value( const bvasset_option* o );

/// Stores a value as bvopt_store_value, and counts the use.
/// @param o  row of bvopt_rows
bv_status bvopt_apply( const bvasset_option* o, bvb_build_options* options, const char* value,
                       bvb_error* error );

/// @param value  where an option is stored in `options`, such as &options->asset.hierarchy.degree
/// @return whether that option was used
bool bvopt_is_given( const bvb_build_options* options, const void* value );

/// @param value  as for bvopt_is_given
/// @return the value of the last use; null for none
const char* bvopt_get_given( const bvb_build_options* options, const void* value );

/// Returns the files that options name, other than meshes.
/// @param index  counted from 0
/// @return the path; null past the last
const char* bvopt_get_file( const bvb_build_options* options, int index );

/// Adds a condition, whose syntax is checked.
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status bvopt_take_gate( bvb_gates* gates, const char* value, bvb_error* error );

/// Decides what options mean together, once all are stored.
/// @return bv_ok; bv_error_argument for options that do not go together
bv_status bvopt_settle( bvb_build_options* options, bvb_error* error );
