// Command lines as tables: one row an option, walked by the parser and by --help alike.

#pragma once

#include "bvbuild/base.h"

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
typedef struct option
{
	const char* name; ///< without the dashes
	char letter;      ///< of the short form, or 0
	const char*
		argument;     ///< its name in the help text, or null when the option takes none; as in [=N] where it
					  ///< may be left out, which makes the value null, and else follows an equals sign
	const char* help; ///< one line, or several separated by newlines

	/// Takes the value over. Null for a plain switch: then the bool at `flag` is set.
	bv_status ( *apply )( void* settings, const char* value, bvb_error* error );
	size_t flag; ///< offset of that bool in the settings
} option;

/// A tool's command line: --name VALUE, --name=VALUE, -xVALUE, -x VALUE, -xyz of options without a value, and --, in
/// any order.
typedef struct command_line
{
	const option* options;
	int option_count;
	void* settings;                                         ///< what the options change
	void ( *positional )( void* settings, char* argument ); ///< called for each argument that is no option
	const char* first; ///< name of an option that is applied before all others, wherever it stands; or null
} command_line;

/// Prints the table as help text.
void print_options( const option* options, int count );

/// A tool: what its main function needs.
typedef struct tool
{
	const char* name;               ///< begins every message
	command_line line;              ///< how its arguments are read
	const bool* help;               ///< set by --help
	const bool* version;            ///< set by --version
	void ( *print_help )( void );   ///< prints the help text
	int ( *run )( void* settings ); ///< does the work and returns the exit code
} tool;

/// Reads the arguments and does what they ask for. Standard output that could not be written is an error too.
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
