// What --help prints: the daily options, or every option (--help=all), or one option with an example (--help
// NAME).

#pragma once

#include "cli/options.h"

/// Names that an option takes, with what each means.
typedef struct name_table
{
	const char* title;                                                 ///< as in "Builders (--builder)"
	const char* option;                                                ///< that takes them
	const char* ( *get_name )( uint32_t index, const char** summary ); ///< names by index; null past the last
} name_table;

/// The texts of a tool's help.
typedef struct help_text
{
	const char* tool;         ///< name of the program
	const char* begin;        ///< usage and purpose
	const char* asset_title;  ///< heading of the options that are not about the whole run; null for none
	const name_table* tables; ///< names besides those that rows of options have, which are printed first
	int table_count;          ///< length of tables
	const char* more;         ///< further facts, after the tables of --help=all; null for none
	const char* end;          ///< inputs and exit codes
} help_text;

/// Prints help.
/// @param topic  null for the daily options; "all"; or a name of an option, with or without dashes, or of a
///               value
/// @return bv_ok; bv_error_argument for a topic that is unknown, with the nearest one
bv_status print_help( const command_line* line, const help_text* text, const char* topic, bvb_error* error );
