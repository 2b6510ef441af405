// A row of the tables of options. It holds all that the parser, --help, configuration files, completion and
// the parameters recorded in a file need to know about one option. offline/options/rows.c lists the
// options that bvbuild takes for each input.

#pragma once

#include "bvbuild/asset.h"

#include <stddef.h>

/// Where --help lists an option.
typedef enum bvasset_help_group
{
	bvasset_help_rarely = 0, ///< only --help=all does
	bvasset_help_input,
	bvasset_help_content,
	bvasset_help_quality,
	bvasset_help_parts,
	bvasset_help_show,
	bvasset_help_check,
	bvasset_help_query,
	bvasset_help_many,
	bvasset_help_general,
	bvasset_help_groups, ///< how many there are
} bvasset_help_group;

/// The type of an option's value, and how it is stored.
typedef enum bvasset_option_type
{
	bvasset_option_flag = 0, ///< no value: a bool becomes true
	bvasset_option_other,    ///< whatever `apply` takes
	bvasset_option_text,     ///< const char*, as given
	bvasset_option_path,     ///< the same, not empty
	bvasset_option_count,    ///< uint32_t from `least` to `most`
	bvasset_option_count64,  ///< uint64_t: a number from `least` to `most`, times `factor`
	bvasset_option_positive, ///< double above 0, up to `most`
	bvasset_option_real,     ///< double from 0 to `most`, or 0 or from `least` on where that is not 0
	bvasset_option_length,   ///< bvb_tolerance
	bvasset_option_word,     ///< enum: the index of one of `words`, counted from `first`
	bvasset_option_name,     ///< const char*: one of `names`
} bvasset_option_type;

/// When an option is left out of the parameters of a file, or of the text of a preset.
typedef enum bvasset_option_omission
{
	bvasset_default_not_recorded = 1, ///< out of the parameters of a file, if the value is the default
	bvasset_default_not_shown = 2,    ///< out of the text of a preset, if the value is the default

	/// Not out of the parameters of a file, even if `in_use` says that the option changes nothing.
	bvasset_idle_recorded = 4,
} bvasset_option_omission;

enum
{
	bvasset_option_value_bytes = 24 * bvb_section_count, ///< enough for any value as text, with its zero
	bvasset_option_word_bytes = 32,                      ///< the same for one of a few words
	bvasset_option_argument_bytes = 64,                  ///< for the name of a value in the help text
	bvasset_preset_text_bytes = 512,
};

/// One option.
typedef struct bvasset_option
{
	const char* name; ///< without the dashes
	char letter;      ///< of the short form, or 0

	/// The name of the value in the help text. Null if the option takes no value, or if it takes words, which
	/// the help text lists themselves. In [=N] the value is optional: it follows an equals sign, or a blank if
	/// it is a number or a percentage and no file has that name. It is null if it is missing. Lower-case words separated by | are values themselves, as in METHOD|none. A list
	/// ends with ,... Completion is made from this text.
	const char* argument;

	const char* help; ///< one line, or several separated by newlines; --help prints the first line only
	bvasset_option_type type; ///< how the value is checked and stored
	size_t offset;            ///< of the value in the settings

	double least;     ///< smallest valid number; 0 for no limit
	double most;      ///< largest valid number; 0 for no limit, except for counts
	const char* unit; ///< of `least` and `most`, in messages; null for none
	uint64_t factor;  ///< what a bvasset_option_count64 is multiplied by; 0 for 1
	uint32_t first;   ///< value of the first word
	bool may_be_none; ///< a name may be "none", which is stored as null

	/// What a name is called in messages; null for the name of the option.
	const char* called;

	/// Returns a word by its index, and null after the last one. Null if `argument` has the words.
	const char* ( *words )( uint32_t index );

	/// Returns a name by its index, with its meaning, and null after the last one. The value is such a name,
	/// or is made up of several.
	const char* ( *names )( uint32_t index, const char** summary );

	const char* title; ///< heading of the list of `names` in the help text; null if it is not listed

	/// Called after the value is stored, for further checks and effects; may be null. An option of the type
	/// bvasset_option_other is stored by this function.
	bv_status ( *apply )( void* settings, const char* value, bvb_error* error );

	bvasset_help_group group; ///< where --help lists the option
	const char* see;          ///< related options; null for none
	const char* example;      ///< a command line that uses the option
	const char* old_name;     ///< an earlier spelling, which is accepted but not listed; or null
	bool repeats;             ///< each use adds a value
	bool reads;               ///< the value is a file that outputs depend on
	bool kept_by_ninja;       ///< for options of the whole run: each command of a Ninja file gets it, too

	/// Returns whether the option can change anything; null if it always can.
	bool ( *in_use )( const bvb_asset_options* options );

	const char* needs;       ///< it is an error to give this option without that one; null for none
	int record;              ///< position among the parameters of a file, from 1; 0: not recorded
	int preset;              ///< position in the text of a preset, from 1; 0: not listed
	unsigned omitted;        ///< bits of bvasset_option_omission
	const char* recorded_as; ///< name among the parameters of a file; null for `name`

	/// Prints the value for a file and for a preset; null to print it as its type says.
	void ( *print )( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
} bvasset_option;

/// Finds one of the words that an option takes.
/// @param index  counted from 0
/// @return whether there is one
bool bvasset_option_get_word( const bvasset_option* o, uint32_t index, char out[bvasset_option_word_bytes] );

/// Whether options of that kind change anything.
bool bvasset_needs_builder( const bvb_asset_options* options );
bool bvasset_uses_splitter( const bvb_asset_options* options );
bool bvasset_uses_several_volumes( const bvb_asset_options* options );
bool bvasset_uses_oriented_boxes( const bvb_asset_options* options );
bool bvasset_uses_fixed_degree( const bvb_asset_options* options );
bool bvasset_uses_own_degrees( const bvb_asset_options* options );
bool bvasset_uses_own_costs( const bvb_asset_options* options );
bool bvasset_uses_collapse( const bvb_asset_options* options );
bool bvasset_uses_parts( const bvb_asset_options* options );
bool bvasset_uses_proxy( const bvb_asset_options* options );
bool bvasset_uses_clip( const bvb_asset_options* options );

/// Print values of types that only one option has.
void bvasset_print_non_finite( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_volumes( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_costs( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_clip( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_sections( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
