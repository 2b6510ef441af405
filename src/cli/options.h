// Command lines as tables of options, one row per option. The parser, --help, man pages and completion use
// the same rows.

#pragma once

#include "offline/asset/option.h"
#include "offline/base/suggest.h"
#include "offline/options/options.h"

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

/// A tool's command line: --name VALUE, --name=VALUE, -xVALUE, -x VALUE, -xyz of options without a value, and
/// --, in any order.
typedef struct command_line
{
	/// Up to one without a name. In a tool that works on several inputs, those that may differ between inputs.
	const option* options;

	const option* run_options; ///< those about the whole run; null for none
	int run_option_count;      ///< length of run_options

	/// Called for each argument that is no option.
	bv_status ( *positional )( void* settings, char* argument, bvb_error* error );
	const char* first; ///< name of an option that is applied before all others, wherever it stands; or null

	/// The settings begin with a bvb_build_options, and `options` are its rows.
	bool of_build;
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

/// @param index  at most the number of options
/// @return the option at an index, those about the whole run first; null past the last
const option* get_option( const command_line* line, int index );

/// Considers the names of all options.
void suggest_options( bvbase_suggestion* s, const command_line* line );

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

/// To be called first. Where a process is started as this program anew, it may be one that only does a task.
void begin_tool( int* count, char*** arguments );

/// Reads the arguments and does what they ask for. Standard output that could not be written is an error too.
/// @param count      of arguments, the program's name among them
/// @return the exit code
int run_tool( const tool* t, int count, char** arguments );

/// Prints an error as one line.
/// @return `code`
int complain( const tool* t, const bvb_error* error, int code );
