// Command lines as tables of options, one row per option. The parser, --help, man pages and completion use
// the same rows.

#pragma once

#include "offline/asset/option.h"
#include "offline/base/suggest.h"

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

/// One option.
typedef bvasset_option option;

enum
{
	max_options = 128, ///< that a tool has
};

/// Which options were given.
typedef struct option_uses
{
	unsigned count; ///< of options, repetitions included
	struct
	{
		unsigned order;    ///< value of `count` when the option was given last; 0 where it was not
		const char* value; ///< that it then had; null for none
	} of[max_options];     ///< by the index of get_option
} option_uses;

/// A tool's command line: --name VALUE, --name=VALUE, -xVALUE, -x VALUE, -xyz of options without a value, and
/// --, in any order.
typedef struct command_line
{
	const option* options; ///< in a tool that works on several inputs, those that may be different for each
	int option_count;      ///< length of options
	const option* run_options; ///< those about the whole run; null for none
	int run_option_count;      ///< length of run_options

	/// Called for each argument that is no option.
	bv_status ( *positional )( void* settings, char* argument, bvb_error* error );
	const char* first; ///< name of an option that is applied before all others, wherever it stands; or null
	bool has_uses;     ///< the settings have
	size_t uses;       ///< at this offset, option_uses
} command_line;

/// Arguments that come from one place.
typedef struct argument_list
{
	char** arguments; ///< without the program's name
	int count;        ///< length of arguments

	/// begins messages about them, as in "assets.json: assets[1]"; null for the command line
	const char* origin;
} argument_list;

/// Applies arguments, the later ones last, but the option `line->first` of all of them before everything
/// else.
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
void suggest_options( bvbase_suggestion* s, const command_line* line );

/// Reports an unknown name, with the nearest known one if there is one that may be meant.
/// @param what  kind of name, as in "builder"
/// @return bv_error_argument
bv_status fail_unknown( bvb_error* error, const char* what, const char* name, int length,
                        const bvbase_suggestion* s );

/// @return whether an option can have a value
bool takes_value( const option* o );

/// @return whether an option may stand without a value
bool may_lack_value( const option* o );

enum
{
	argument_bytes = 64,
};

/// Writes what the value of an option is called in the help text; empty where it takes none.
void get_argument( const option* o, char out[argument_bytes] );

/// Checks a value and stores it as the option says; calls its `apply`.
/// @param value  null where there is none
/// @return bv_ok; bv_error_argument with a message that says what is allowed; as `apply`
bv_status store_value( const option* o, void* settings, const char* value, bvb_error* error );

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

/// Parses a whole decimal number in a range.
/// @return bv_ok, or bv_error_argument with a message that says what is allowed
bv_status parse_integer( const char* name, const char* text, uint32_t least, uint32_t most, uint32_t* out,
                         bvb_error* error );
