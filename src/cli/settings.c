// The options of bvbuild, as a table, and what they set. See settings.h.

#include "cli/settings.h"

#include "cli/outputs.h"
#include "offline/base/error.h"
#include "offline/options/rows.h"

#include <stdio.h>
#include <string.h>

// Of I/N.
static bv_status set_shard( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	char first[16];
	bvb_error ignored;
	size_t length = strcspn( value, "/" );
	snprintf( first, sizeof first, "%.*s", (int)( length < sizeof first ? length : sizeof first - 1 ),
	          value );
	if ( value[length] != '/' ||
	     bvopt_parse_integer( "shard", value + length + 1, 1, 1 << 30, &s->shards, &ignored ) != bv_ok ||
	     bvopt_parse_integer( "shard", first, 1, s->shards, &s->shard, &ignored ) != bv_ok )
	{
		return bvbase_fail( error, bv_error_argument, "--shard takes I/N, with I from 1 to N, not '%s'",
		                    value );
	}
	return bv_ok;
}

static bv_status add_report( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( !has_extension( value, ".json" ) && !has_extension( value, ".html" ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--report takes a file that ends in .json or .html, not '%s'", value );
	}
	if ( s->report_count == max_reports )
	{
		return bvbase_fail( error, bv_error_argument, "--report can be given %d times", max_reports );
	}
	s->reports[s->report_count++] = value;
	return bv_ok;
}

// Of two files, one would count for nothing.
static bv_status set_config( void* context, const char* value, bvb_error* error )
{
	(void)value;
	settings* s = context;
	return s->configs++ == 0 ? bv_ok : bvbase_fail( error, bv_error_argument, "--config can be given once" );
}

static bv_status set_names( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	s->full_names = strcmp( value, "full" ) == 0;
	return s->full_names || strcmp( value, "short" ) == 0
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument, "--names takes short or full, not '%s'", value );
}

static bv_status set_split( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( strcmp( value, "objects" ) != 0 )
	{
		return bvbase_fail( error, bv_error_argument, "--split takes objects, not '%s'", value );
	}
	s->split = true;
	return bv_ok;
}

static bv_status set_threads( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	settings* s = context;
	bvb_build_options_set_threads( &s->build, s->build.asset.hierarchy.threads );
	return bv_ok;
}

static bv_status set_help( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	( (settings*)context )->help = true;
	return bv_ok;
}

// The run as a whole.
static const option run_options[] = {
	{ "output", 'o', "PATH",
	  "The .bvh file to write, or a folder for several inputs.\n"
	  "A path that ends in / is a folder and is created if it does not exist.\n"
	  "- is stdout.",
	  bvasset_option_path, offsetof( settings, output ), .group = bvasset_help_input,
	  .see = "--root, --split", .example = "bvbuild rock.obj -o rock.bvh" },
	{ "format", 0, "EXTENSION",
	  "The format of the input -, which is stdin.\n"
	  "EXTENSION is obj, stl, ply, off, gltf, glb, 3mf, wrl, wrz or vrml. Files\n"
	  "that the mesh refers to are looked for in the working folder.",
	  bvasset_option_text, offsetof( settings, format ), .group = bvasset_help_rarely, .see = "--output",
	  .example = "bvbuild - --format obj -o rock.bvh" },
	{ "root", 0, "DIR",
	  "Keep the inputs' folders below DIR in the output folder.\n"
	  "The input DIR/A/B.obj becomes OUTPUT/A/B.bvh.",
	  bvasset_option_path, offsetof( settings, root ), .group = bvasset_help_many, .see = "--output",
	  .example = "bvbuild meshes/props/a.obj -o out/ --root meshes" },
	{ "split", 0, "objects",
	  "Write one file per object: OUTPUT/INPUT.OBJECT.bvh.\n"
	  "OUTPUT is a folder. --depfile and --emit-ninja exclude it.",
	  bvasset_option_other, offsetof( settings, split ), .apply = set_split, .group = bvasset_help_input,
	  .see = "--output, --object", .example = "bvbuild level.glb -o assets/ --split objects" },
	{ "list-objects", 0, NULL,
	  "List the objects of the inputs and their use; build nothing.\n"
	  "Prints one line per object: triangles, collision name, name, and the\n"
	  "object that it stands for.",
	  bvasset_option_flag, offsetof( settings, list_objects ), .group = bvasset_help_input,
	  .see = "--object, --proxies", .example = "bvbuild level.glb --list-objects" },
	{ "config", 0, "FILE",
	  "Read options per input from a JSON file.\n"
	  "Options on the command line take precedence. Patterns are relative to\n"
	  "the folder of the file.",
	  bvasset_option_path, offsetof( settings, config ), .apply = set_config, .reads = true,
	  .kept_by_ninja = true, .group = bvasset_help_many, .see = "--explain-config, --allow-unmatched",
	  .example = "bvbuild meshes/a.obj -o out/ --config assets.json" },
	{ "allow-unmatched", 0, NULL,
	  "Allow entries of --config that match no input and no file.\n"
	  "They are an error otherwise. The key of that name in the file allows it\n"
	  "for one entry, or for all.",
	  bvasset_option_flag, offsetof( settings, allow_unmatched ), .group = bvasset_help_rarely,
	  .see = "--config, --explain-config",
	  .example = "bvbuild meshes/a.obj -o out/ --config assets.json --allow-unmatched" },
	{ "explain-config", 0, NULL,
	  "Print which options an input has, and from where; build nothing.\n"
	  "Lists the entries of --config that match and that do not, in their\n"
	  "order, and the final value of each option. The input need not exist.",
	  bvasset_option_flag, offsetof( settings, explain ), .group = bvasset_help_rarely, .see = "--config",
	  .example = "bvbuild meshes/a.obj --config assets.json --explain-config" },
	{ "jobs", 'j', "N",
	  "Build N inputs at once (default: the number of processors).\n"
	  "Each input is built in a process of its own.",
	  bvasset_option_count, offsetof( settings, jobs ), .least = 1, .most = 1024, .group = bvasset_help_many,
	  .see = "--threads, --keep-going, --shard", .example = "bvbuild a.obj b.obj -o out/ -j 4" },
	{ "threads", 0, "N",
	  "Use N threads (default: all); the result is the same for any N.\n"
	  "N is 1 to 1024.",
	  bvasset_option_count, offsetof( settings, build.asset.hierarchy.threads ), .least = 1, .most = 1024,
	  .apply = set_threads, .kept_by_ninja = true, .group = bvasset_help_quality, .see = "--jobs",
	  .example = "bvbuild rock.obj -o rock.bvh --threads 1" },
	{ "keep-going", 'k', NULL,
	  "Continue with other inputs after one has failed.\n"
	  "The exit code is the highest of all inputs.",
	  bvasset_option_flag, offsetof( settings, keep_going ), .group = bvasset_help_many,
	  .see = "--jobs, --log", .example = "bvbuild a.obj b.obj -o out/ --keep-going" },
	{ "shard", 0, "I/N",
	  "Build only the I-th of N parts of the inputs.\n"
	  "For builds that are distributed over N machines.",
	  bvasset_option_other, offsetof( settings, shard ), .apply = set_shard, .group = bvasset_help_rarely,
	  .see = "--jobs, --cache", .example = "bvbuild a.obj b.obj -o out/ --shard 2/8" },
	{ "depfile", 0, "FILE",
	  "Write the dependencies of the outputs for Make and Ninja.\n"
	  "Read it with -include in Make, or with deps = gcc in Ninja.",
	  bvasset_option_path, offsetof( settings, depfile ), .group = bvasset_help_many,
	  .see = "--emit-ninja, --no-touch", .example = "bvbuild rock.obj -o rock.bvh --depfile rock.d" },
	{ "cache", 0, "DIR",
	  "Keep results in DIR and reuse them.\n"
	  "Any number of processes may share it.",
	  bvasset_option_path, offsetof( settings, cache ), .kept_by_ninja = true, .group = bvasset_help_many,
	  .see = "--force, --jobs", .example = "bvbuild rock.obj -o rock.bvh --cache ~/.cache/bvbuild" },
	{ "force", 0, NULL,
	  "Build outputs that are up to date, or in the cache, as well.\n"
	  "Without it, an output that was made from the same input with the same\n"
	  "options is skipped.",
	  bvasset_option_flag, offsetof( settings, force ), .kept_by_ninja = true, .group = bvasset_help_many,
	  .see = "--cache", .example = "bvbuild rock.obj -o rock.bvh --force" },
	{ "force-output", 0, NULL,
	  "Replace any existing file, and take any name for an output.\n"
	  "By default only files of the same kind are replaced, and an output\n"
	  "ends in .bvh. An input is never replaced.",
	  bvasset_option_flag, offsetof( settings, force_output ), .kept_by_ninja = true,
	  .group = bvasset_help_rarely, .see = "--output",
	  .example = "bvbuild rock.obj -o rock.bin --force-output" },
	{ "names", 0, "short|full",
	  "Name outputs in a folder after the inputs (default short).\n"
	  "rock.obj becomes rock.bvh, or rock.obj.bvh with full. Two inputs with\n"
	  "one short name are an error, or with --keep-going get full names.",
	  bvasset_option_other, offsetof( settings, full_names ), .apply = set_names,
	  .group = bvasset_help_rarely, .see = "--root, --split",
	  .example = "bvbuild a.obj a.stl -o out/ --names full" },
	{ "no-touch", 0, NULL,
	  "Keep the time of an output that is up to date.\n"
	  "By default it is made newer than its dependencies, for Make. Ninja's\n"
	  "restat needs the old time.",
	  bvasset_option_flag, offsetof( settings, no_touch ), .group = bvasset_help_rarely,
	  .see = "--depfile, --emit-ninja", .example = "bvbuild rock.obj -o rock.bvh --no-touch" },
	{ "log", 0, "FILE",
	  "Write one line of JSON per input; - is stdout.\n"
	  "Each line has the input, the output, the result, the exit code, the\n"
	  "error, the time and the size. The last line is a summary.",
	  bvasset_option_path, offsetof( settings, log ), .group = bvasset_help_many,
	  .see = "--keep-going, --jobs", .example = "bvbuild a.obj b.obj -o out/ --log log.jsonl" },
	{ "report", 0, "FILE",
	  "Write a report: FILE.html for people, FILE.json for programs.\n"
	  "Repeatable. The page is one file that needs no network.",
	  bvasset_option_other, offsetof( settings, reports ), .apply = add_report, .group = bvasset_help_check,
	  .see = "--gate", .example = "bvbuild rock.obj -o rock.bvh --report rock.html" },
	{ "emit-ninja", 0, "FILE",
	  "Write a Ninja file that builds each input; build nothing.\n"
	  "Ninja builds an input again when it or its options have changed.",
	  bvasset_option_path, offsetof( settings, ninja ), .group = bvasset_help_rarely,
	  .see = "--depfile, --root", .example = "bvbuild a.obj b.obj -o out/ --emit-ninja build.ninja" },
	{ "progress", 0, "auto|always|never",
	  "Show progress on stderr (default auto).\n"
	  "auto shows it on a terminal, for work that takes half a second or\n"
	  "more.",
	  bvasset_option_word, offsetof( settings, progress ), .group = bvasset_help_rarely,
	  .see = "--quiet, --verbose", .example = "bvbuild rock.obj -o rock.bvh --progress never" },
	{ "quiet", 'q', NULL,
	  "Print only errors.\n"
	  "Warnings, results and progress are not printed.",
	  bvasset_option_flag, offsetof( settings, quiet ), .group = bvasset_help_general, .see = "--progress",
	  .example = "bvbuild -q rock.obj -o rock.bvh" },
	{ "verbose", 'v', NULL,
	  "Print what was cleaned, and time and memory per stage.\n"
	  "The lines go to stderr.",
	  bvasset_option_flag, offsetof( settings, verbose ), .group = bvasset_help_general, .see = "--progress",
	  .example = "bvbuild -v rock.obj -o rock.bvh" },
	{ "help", 'h', "[=all|NAME]",
	  "Show daily options, all of them, or one with an example.\n"
	  "NAME is the long name of an option, or a value such as binned.",
	  bvasset_option_text, offsetof( settings, topic ), .apply = set_help, .group = bvasset_help_general,
	  .example = "bvbuild --help decompose" },
	{ "version", 0, NULL, "Print the version, and what the program was built with.", bvasset_option_flag,
	  offsetof( settings, version ), .group = bvasset_help_general, .example = "bvbuild --version" },
};

enum
{
	run_option_count = sizeof run_options / sizeof run_options[0],
};

// Offsets of rows of bvopt_rows are also offsets of the settings.
_Static_assert( offsetof( settings, build ) == 0, "options of an input come first" );

static bv_status add_input( void* context, char* argument, bvb_error* error )
{
	return add_name( &( (settings*)context )->inputs, argument, error );
}

static bv_status pass_input( void* context, char* argument, bvb_error* error )
{
	(void)context;
	(void)argument;
	(void)error;
	return bv_ok;
}

#define BUILD_LINE( take_input )                                                                 \
	{                                                                                            \
		.options = bvopt_rows, .run_options = run_options, .run_option_count = run_option_count, \
		.positional = take_input, .first = "preset", .of_build = true                            \
	}
const command_line build_line = BUILD_LINE( add_input );
const command_line asset_line = BUILD_LINE( pass_input );

settings settings_default( const tool* t )
{
	return ( settings ){
		.tool = t,
		.build = bvb_build_options_default(),
	};
}

static const name_table tables[] = {
	{ "Presets (--preset); after the semicolon: with --decompose", "preset", bvb_preset_name },
};

const help_text build_help = {
	.tool = "bvbuild",
	.begin = "Usage: bvbuild [options] INPUT... -o OUTPUT\n"
			 "Turns triangle meshes into .bvh files of collision data.\n",
	.asset_title = "For each input",
	.tables = tables,
	.table_count = sizeof tables / sizeof tables[0],
	.end = "Inputs: OBJ, STL, PLY, OFF, glTF, 3MF and VRML; FBX, Collada and others through Assimp. - is "
		   "stdin.\n"
		   "Exit codes: 0 done, 1 usage, 2 input missing or invalid, 3 format not supported, 4 output could\n"
		   "not be written, 5 out of memory or over a limit, 6 a --gate does not hold or a bad finding with\n"
		   "--strict, 70 a bug in bvbuild. With several inputs the highest code counts.\n",
};

const char* get_settings_file( const settings* s, int index )
{
	if ( s->config && index-- == 0 )
	{
		return s->config;
	}
	for ( int i = 0;; ++i )
	{
		const char* file = bvopt_get_file( &s->build, i );
		if ( !file )
		{
			break;
		}
		if ( index-- == 0 )
		{
			return file;
		}
	}
	return s->responses && index < s->responses->count ? s->responses->names[index] : NULL;
}
