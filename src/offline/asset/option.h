// A row of the tables of options: all that the parser, --help, configuration files, completion and the
// parameters recorded in a file need to know of one option. What bvbuild takes for each input is listed in
// option_rows.h.

#pragma once

#include "bvbuild/asset.h"

#include <stddef.h>

/// Where --help lists an option.
typedef enum help_group
{
	help_rarely = 0, ///< only --help=all does
	help_input,
	help_content,
	help_quality,
	help_parts,
	help_show,
	help_check,
	help_query,
	help_many,
	help_general,
	help_groups, ///< how many there are
} help_group;

/// What the value of an option is, and as what it is stored.
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

/// Where the options of a build are left out of texts that are made from their values.
typedef enum bvasset_option_omission
{
	bvasset_default_not_recorded = 1, ///< of a file's parameters, if the value is the default
	bvasset_default_not_shown = 2,    ///< of a preset's text, if the value is the default
	bvasset_idle_recorded = 4, ///< not of a file's parameters, although `in_use` says that it changes nothing
} bvasset_option_omission;

enum
{
	bvasset_option_value_bytes = 24 * bvb_section_count, ///< that any value fits into as text, with its end
	bvasset_option_word_bytes = 32,                      ///< the same of one of a few words
	bvasset_preset_text_bytes = 512,
};

/// One option.
typedef struct bvasset_option
{
	const char* name; ///< without the dashes
	char letter;      ///< of the short form, or 0

	/// The value's name in the help text: null when the option takes none, or for words, which stand for
	/// themselves. As in [=N] where it may be left out, which makes the value null, and else follows an
	/// equals sign. Words in small letters with | between are values themselves, as in METHOD|none, and ,...
	/// stands for more of them: completion is made of that.
	const char* argument;

	const char* help; ///< one line, or several separated by newlines; the first stands alone in --help
	bvasset_option_type type; ///< how the value is checked and stored
	size_t offset;            ///< where, in the settings

	double least;       ///< of a number; 0 for none
	double most;        ///< of a number; 0 for none, except of counts
	const char* unit;   ///< in which that is, in messages; null for none
	uint64_t factor;    ///< what a bvasset_option_count64 is multiplied by; 0 for 1
	uint32_t first;     ///< value of the first word
	bool may_be_none;   ///< a name may be "none", which is stored as null
	const char* called; ///< what names are, in messages; null for the option's name

	/// Words by index; null past the last. Null for those of `argument`.
	const char* ( *words )( uint32_t index );

	/// Names by index, which are or make up the value, and what each means; null past the last.
	const char* ( *names )( uint32_t index, const char** summary );

	const char* title; ///< of the list of `names` in the help text; null where there is none

	/// Called when the value is stored, for what else is to be done or checked; of bvasset_option_other
	/// instead of that. May be null otherwise.
	bv_status ( *apply )( void* settings, const char* value, bvb_error* error );

	help_group group;     ///< where --help lists it
	const char* see;      ///< options that go with it; null for none
	const char* example;  ///< a command line that uses it
	const char* old_name; ///< an earlier spelling, which is accepted and not listed; or null
	bool reads;           ///< its value is a file that outputs depend on
	bool kept_by_ninja;   ///< of options about the whole run: each command of a Ninja file has it too

	/// Whether it can change anything; null if it always can.
	bool ( *in_use )( const bvb_asset_options* options );

	const char* needs;       ///< option without which it is an error, as `in_use` says; null where it is none
	int record;              ///< orders the parameters of a file, from 1; 0: the value is not among them
	int preset;              ///< orders the options in a preset's text, from 1; 0: it is not among them
	unsigned omitted;        ///< bits of bvasset_option_omission
	const char* recorded_as; ///< its name among the parameters; null for `name`

	/// Prints the value for both; null to print it as its type says.
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

/// Print values of types that only one option has.
void bvasset_print_non_finite( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_volumes( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_costs( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );
void bvasset_print_sections( const bvb_asset_options* options, char out[bvasset_option_value_bytes] );

/// Writes the options that make up a preset: those of parts last, behind a semicolon.
void bvasset_preset_describe( const bvb_asset_options* preset, char out[bvasset_preset_text_bytes] );
