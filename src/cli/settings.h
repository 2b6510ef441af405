// What bvbuild's command line asks for, and the table of its options.

#pragma once

#include "bvbuild/bvbuild.h"
#include "cli/help.h"
#include "cli/options.h"

enum
{
	max_reports = 16,
};

/// When long work is told of.
typedef enum progress_use
{
	progress_auto = 0, ///< on a terminal; the default
	progress_always,
	progress_never,
} progress_use;

/// What the command line asks for.
typedef struct settings
{
	bvb_build_options build;          ///< of each input; first, for the offsets of its rows
	const tool* tool;                 ///< for messages
	name_list inputs;                 ///< files
	const char* format;               ///< of the mesh on stdin; null when missing
	const char* output;               ///< file or folder; null when missing
	const char* root;                 ///< folder below which outputs are named as inputs; null for none
	const char* config;               ///< file with settings by patterns; null for none
	int configs;                      ///< how many such files were given
	const name_list* responses;       ///< response files of the command line
	const char* depfile;              ///< where to write what outputs depend on; null for nowhere
	const char* cache;                ///< folder of results; null for none
	bool force;                       ///< build also what is up to date
	bool force_output;                ///< any name, and replace any file
	bool full_names;                  ///< of outputs: with the extensions of the inputs
	bool no_touch;                    ///< leave the time of an output that is up to date alone
	const char* log;                  ///< where to tell programs what became of each input; null for nowhere
	const char* ninja;                ///< where to write a Ninja file, instead of building; null for nowhere
	uint32_t jobs;                    ///< inputs at once; 0: as many as there are processors
	uint32_t shard;                   ///< which of `shards` parts of the inputs, from 1
	uint32_t shards;                  ///< 0 for all inputs
	bool keep_going;                  ///< also after a failure
	const char* reports[max_reports]; ///< files
	int report_count;                 ///< length of reports
	progress_use progress;            ///< when long work is told of
	bool split;                       ///< one file for each object
	bool list_objects;                ///< only list them
	bool explain;                     ///< only say which options inputs have, and why
	bool allow_unmatched;             ///< entries of the configuration may match nothing
	bool quiet;                       ///< errors only
	bool verbose;                     ///< what was cleaned, and times
	bool help;                        ///< print help
	const char* topic;                ///< on what; null for the daily options
	bool version;                     ///< print the version
} settings;

/// How bvbuild's arguments are read. They change a settings.
extern const command_line build_line;

/// The same of arguments whose inputs are known already and count for nothing.
extern const command_line asset_line;

/// @return what no option has changed
settings settings_default( const tool* t );

/// @return the file `index` that settings come from besides the command line itself: the configuration, the
///         costs, response files; null past the last
const char* get_settings_file( const settings* s, int index );

/// What bvbuild --help prints.
extern const help_text build_help;
