// The options of a build by name: those that bvbuild takes for each input, with the same values and the same
// errors.
//
//     #include <bvbuild/options.h>
//
//     // As bvbuild --units mm --decompose=0.5% --max-parts 16.
//     bv_status read( bvb_build_options* out, bvb_error* error )
//     {
//         const bvb_named_option named[] = { { "units", "mm" }, { "decompose", "0.5%" }, { "max-parts", "16" } };
//         return bvb_build_options_read( named, 3, out, error );
//     }
//
// bvb_build in build.h takes the result. `bvbuild --help=all` explains each option.

#pragma once

#include "bvbuild/asset.h"
#include "bvbuild/import.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
	BVB_MAX_OPTIONS = 64,         ///< options of an input
	BVB_MAX_OBJECT_PATTERNS = 64, ///< uses of the option object
	BVB_MAX_GATES = 256,          ///< uses of the option gate
};

/// An option and its value as text.
typedef struct bvb_named_option
{
	const char* name;  ///< without dashes, such as "max-parts"; old spellings are allowed
	const char* value; ///< null for an option without a value, such as "normalize"
} bvb_named_option;

/// Conditions that the report of a file must meet.
typedef struct bvb_gates
{
	const char* conditions[BVB_MAX_GATES]; ///< as given, with valid syntax
	uint32_t count;                        ///< length of conditions
} bvb_gates;

/// What one input is built with. Strings are those that were given: they are not copied.
typedef struct bvb_build_options
{
	bvb_asset_options asset;   ///< the stages
	bvb_import_options import; ///< limits of the import; its clip is replaced by asset.clip

	/// Patterns of the names of objects that are used; without patterns, all objects are used.
	const char* objects[BVB_MAX_OBJECT_PATTERNS];

	uint32_t object_count; ///< length of objects
	bvb_gates gates;       ///< conditions on the result
	bool strict;           ///< bad findings about the result are failures
	uint32_t preset;       ///< index of the preset, as in bvb_preset_name

	/// Private: the uses of each option, which decide what options mean together.
	struct
	{
		uint32_t order;    ///< position of the last use among all uses, from 1; 0 for an unused option
		const char* value; ///< value of the last use; null for none
	} uses[BVB_MAX_OPTIONS];

	uint32_t use_count; ///< private: number of uses, repetitions included
} bvb_build_options;

/// @return what bvbuild uses without options
bvb_build_options bvb_build_options_default( void );

/// Reads options in their order: "preset" first, wherever it stands, then the others. A later value of an
/// option replaces an earlier one; "object" and "gate" add up. Then checks that the options go together, as
/// bvbuild does.
/// @param options  `count` options; may be null if that is 0. Names and values are kept, not copied.
/// @param out      receives the options, on success only
/// @return bv_ok; bv_error_argument for an unknown name, an invalid value, or options that exclude each other;
/// bv_error_input for a file that cannot be read, of the option "cost-matrix"; bv_error_memory
bv_status bvb_build_options_read( const bvb_named_option* options, uint32_t count, bvb_build_options* out,
                                  bvb_error* error );

/// Sets the number of threads of all stages, which does not change the result.
/// @param threads  0 for all processors
void bvb_build_options_set_threads( bvb_build_options* options, uint32_t threads );

/// Lists the options.
/// @param index  counted from 0
/// @param value  receives the name of the value in the help text, such as "N", empty for an option without a
///               value, or the allowed words with | between; valid until the next call by this thread; may be
///               null
/// @param help   receives the explanation: the first line is a summary; may be null
/// @return the name, without dashes; null past the last
const char* bvb_build_option_name( uint32_t index, const char** value, const char** help );

#ifdef __cplusplus
}
#endif
