// Command lines as tables of options, one row per option. The parser, --help, man pages and completion use the same rows.

#pragma once

#include "bvbuild/base.h"
#include "cli/suggest.h"

/// Exit codes of both tools.
enum
{
	exit_done = 0,
	exit_usage = 1,
	exit_input = 2,
	exit_unsupported = 3,
	exit_output = 4,
	exit_memory = 5,
	exit_gate = 6,
	exit_bug = 70,
};

/// @return the exit code for a status
int exit_code( bv_status status );

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

/// One option.
typedef struct option
{
	const char* name; ///< without the dashes
	char letter;      ///< of the short form, or 0
	const char*
		argument;     ///< its name in the help text, or null when the option takes none; as in [=N] where it
					  ///< may be left out, which makes the value null, and else follows an equals sign. Words
					  ///< in small letters with | between are values themselves, as in METHOD|none, and ,...
					  ///< stands for more of them: completion is made of that
	const char* help; ///< one line, or several separated by newlines; the first stands alone in --help

	/// Takes the value over. Null for a plain switch: then the bool at `flag` is set.
	bv_status ( *apply )( void* settings, const char* value, bvb_error* error );
	size_t flag; ///< offset of that bool in the settings

	help_group group;     ///< where --help lists it
	const char* see;      ///< options that go with it; null for none
	const char* example;  ///< a command line that uses it
	const char* old_name; ///< an earlier spelling, which is accepted and not listed; or null
} option;

/// A tool's command line: --name VALUE, --name=VALUE, -xVALUE, -x VALUE, -xyz of options without a value, and --, in
/// any order.
typedef struct command_line
{
	const option* options; ///< in a tool that works on several inputs, those that may be different for each
	int option_count;      ///< length of options
	const option* run_options; ///< those about the whole run; null for none
	int run_option_count;      ///< length of run_options

	/// Called for each argument that is no option.
	bv_status ( *positional )( void* settings, char* argument, bvb_error* error );
	const char* first; ///< name of an option that is applied before all others, wherever it stands; or null
} command_line;

/// Arguments that come from one place.
typedef struct argument_list
{
	char** arguments; ///< without the program's name
	int count;        ///< length of arguments
	const char*
		origin; ///< begins messages about them, as in "assets.json: assets[1]"; null for the command line
} argument_list;

/// Applies arguments, the later ones last, but the option `line->first` of all of them before everything else.
/// @param settings  what the options change
/// @return bv_ok; bv_error_argument with what is wrong
bv_status apply_arguments( const command_line* line, const argument_list* lists, int list_count,
                           void* settings, bvb_error* error );

/// Called with each option of a command line, in order.
/// @param value  null where there is none
typedef bv_status option_visitor( void* context, const option* o, const char* value, bvb_error* error );

/// Calls that for all options, and applies nothing.
/// @return as the visitor, or bv_error_argument with what is wrong
bv_status visit_options( const command_line* line, const argument_list* list, option_visitor* visit,
                         void* context, bvb_error* error );

/// @return the option of a name, or null
const option* find_option( const command_line* line, const char* name );

/// @return whether an option of a command line is about the whole run
bool is_run_option( const command_line* line, const option* o );

/// @return the option at an index, those about the whole run first; null past the last
const option* get_option( const command_line* line, int index );

/// Considers the names of all options.
void suggest_options( suggestion* s, const command_line* line );

/// Reports an unknown name, with the nearest known one if there is one that may be meant.
/// @param what  kind of name, as in "builder"
/// @return bv_error_argument
bv_status fail_unknown( bvb_error* error, const char* what, const char* name, int length,
                        const suggestion* s );

/// @return whether an option may stand without a value
bool may_lack_value( const option* o );

/// Names that are kept as they come.
typedef struct name_list
{
	char** names; ///< freed by free()
	int count;    ///< length of names
	int capacity; ///< how many have room
} name_list;

/// @return bv_ok; bv_error_memory
bv_status add_name( name_list* list, char* name, bvb_error* error );

/// What a tool was called with.
typedef struct invocation
{
	argument_list given; ///< as the shell gave them, without the program's name
	argument_list all;   ///< the same with the arguments of response files in their place
	name_list responses; ///< those files
} invocation;

/// A tool: what its main function needs.
typedef struct tool
{
	const char* name;             ///< begins every message
	command_line line;            ///< how its arguments are read
	void* settings;               ///< what they change
	const bool* help;             ///< set by --help
	const char* const* topic;     ///< set by --help=TOPIC
	const bool* version;          ///< set by --version
	const struct help_text* text; ///< what --help prints

	/// Does the work.
	/// @return the exit code
	int ( *run )( void* settings, const invocation* call );
} tool;

/// Reads the arguments and does what they ask for. Standard output that could not be written is an error too.
/// @param count      of arguments, the program's name among them
/// @return the exit code
int run_tool( const tool* t, int count, char** arguments );

/// Prints an error as one line.
/// @return `code`
int complain( const tool* t, const bvb_error* error, int code );

/// Finds a name in a table.
/// @param what      kind of name, for the message
/// @param get_name  names by index; null past the last
/// @return bv_ok, or bv_error_argument for a name that is not there
bv_status parse_name( const char* what, const char* text,
                      const char* ( *get_name )( uint32_t index, const char** summary ), const char** out,
                      bvb_error* error );

/// Finds one of a few words.
/// @param get_word  words by index; null past the last
/// @return bv_ok, or bv_error_argument with a message that lists them
bv_status parse_word( const char* name, const char* text, const char* ( *get_word )( uint32_t index ),
                      uint32_t* out, bvb_error* error );

/// Parses a whole decimal number in a range.
/// @return bv_ok, or bv_error_argument with a message that says what is allowed
bv_status parse_integer( const char* name, const char* text, uint32_t least, uint32_t most, uint32_t* out,
                         bvb_error* error );

/// Parses a finite decimal number above zero, in any locale.
bv_status parse_positive( const char* name, const char* text, double* out, bvb_error* error );

/// Parses a finite decimal number that is not below zero, in any locale.
bv_status parse_distance( const char* name, const char* text, double* out, bvb_error* error );

/// Parses such a number that may be followed by a percent sign.
bv_status parse_length( const char* name, const char* text, double* out, bool* percent, bvb_error* error );
