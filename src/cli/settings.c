// The options of bvbuild, as a table, and what they set. See settings.h.

#include "cli/settings.h"

#include "base/offline/error.h"
#include "cli/decompose.h"
#include "cli/hierarchy.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/sections.h"
#include "cli/simplify.h"

#include <stdio.h>
#include <string.h>

static bv_status set_output( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	s->output = value;
	return *value ? bv_ok : bvb_fail( error, bv_error_argument, "--output needs a name" );
}

static bv_status set_path( const char** path, const char* name, const char* value, bvb_error* error )
{
	*path = value;
	return *value ? bv_ok : bvb_fail( error, bv_error_argument, "--%s needs a name", name );
}

static bv_status set_root( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->root, "root", value, error );
}

static bv_status set_config( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->config, "config", value, error );
}

static bv_status set_log( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->log, "log", value, error );
}

static bv_status set_depfile( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->depfile, "depfile", value, error );
}

static bv_status set_cache( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->cache, "cache", value, error );
}

static bv_status set_ninja( void* context, const char* value, bvb_error* error )
{
	return set_path( &( (settings*)context )->ninja, "emit-ninja", value, error );
}

static bv_status set_jobs( void* context, const char* value, bvb_error* error )
{
	return parse_integer( "jobs", value, 1, 1024, &( (settings*)context )->jobs, error );
}

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
	     parse_integer( "shard", value + length + 1, 1, 1 << 30, &s->shards, &ignored ) != bv_ok ||
	     parse_integer( "shard", first, 1, s->shards, &s->shard, &ignored ) != bv_ok )
	{
		return bvb_fail( error, bv_error_argument, "--shard takes I/N, with I from 1 to N, not '%s'", value );
	}
	return bv_ok;
}

static bv_status add_report( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( !has_extension( value, ".json" ) && !has_extension( value, ".html" ) )
	{
		return bvb_fail( error, bv_error_argument,
		                 "--report takes a file that ends in .json or .html, not '%s'", value );
	}
	if ( s->report_count == max_reports )
	{
		return bvb_fail( error, bv_error_argument, "--report can be given %d times", max_reports );
	}
	s->reports[s->report_count++] = value;
	return bv_ok;
}

static bv_status set_gate( void* context, const char* value, bvb_error* error )
{
	return add_gate( &( (settings*)context )->gates, value, error );
}

static bv_status set_box( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_name( "method of --box", value, bvb_obb_method_name, &s->asset.obb.method, error );
}

static bv_status set_box_objective( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t objective = 0;
	bv_status status = parse_word( "box-objective", value, bvb_box_objective_name, &objective, error );
	s->asset.obb.objective = (bvb_box_objective)objective;
	return status;
}

static bv_status set_hausdorff( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	double relative;
	bv_status status = parse_distance( "hausdorff", value, &relative, error );
	if ( status != bv_ok || ( relative != 0 && !( relative >= 1e-6 && relative <= 1 ) ) )
	{
		return bvb_fail( error, bv_error_argument,
		                 "--hausdorff takes 0, or a number from 1e-6 to 1, not '%s'", value );
	}
	bvb_tree_errors_to( &s->asset.errors, relative );
	return bv_ok;
}

static bv_status set_recognize( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bvb_tolerance* tolerance = &s->asset.recognize;
	bv_status status = parse_length( "recognise", value, &tolerance->value, &tolerance->percent, error );
	if ( status == bv_ok && tolerance->percent && tolerance->value > 100 )
	{
		status = bvb_fail( error, bv_error_argument, "--recognise takes at most 100%%, not '%s'", value );
	}
	return status;
}

// Applied before all other options, so that these win wherever they stand.
static bv_status set_preset( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return bvb_preset_options( value, &s->asset )
	           ? bv_ok
	           : bvb_fail( error, bv_error_argument, "--preset takes fast, balanced or best, not '%s'",
	                       value );
}

static bv_status set_threads( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bv_status status = parse_integer( "threads", value, 1, 1024, &s->asset.hierarchy.threads, error );
	s->asset.record.threads = s->asset.hierarchy.threads;
	s->import.threads = s->asset.hierarchy.threads;
	s->asset.errors.threads = s->asset.hierarchy.threads;
	s->asset.decompose.threads = s->asset.hierarchy.threads;
	return status;
}

static bv_status set_up( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t up = 0;
	bv_status status = parse_word( "up", value, bvb_up_name, &up, error );
	s->asset.record.up = (bvb_up)up;
	return status;
}

static bv_status set_units( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t units = 0;
	bv_status status = parse_word( "units", value, bvb_units_name, &units, error );
	s->asset.record.units = (bvb_units)( units + 1 );
	return status;
}

static bv_status set_density( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_positive( "density", value, &s->asset.density, error );
}

static bv_status set_mass( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_positive( "mass", value, &s->asset.mass, error );
}

static bv_status set_scale( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_positive( "scale", value, &s->asset.record.scale, error );
}

static bv_status set_weld( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_distance( "weld", value, &s->asset.record.weld, error );
}

static bv_status add_object( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( s->object_count == max_objects )
	{
		return bvb_fail( error, bv_error_argument, "--object can be given %d times", max_objects );
	}
	s->objects[s->object_count++] = value;
	return bv_ok;
}

static bv_status set_split( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( strcmp( value, "objects" ) != 0 )
	{
		return bvb_fail( error, bv_error_argument, "--split takes objects, not '%s'", value );
	}
	s->split = true;
	return bv_ok;
}

static bv_status set_proxies( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t use = 0;
	bv_status status = parse_word( "proxies", value, bvb_proxy_use_name, &use, error );
	s->asset.proxies = (bvb_proxy_use)use;
	return status;
}

static bv_status set_positions( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t form = 0;
	bv_status status = parse_word( "positions", value, bvb_position_form_name, &form, error );
	s->asset.record.positions = (bvb_position_form)form;
	return status;
}

static bv_status set_timeout( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bv_status status = parse_positive( "import-timeout", value, &s->import.timeout, error );
	if ( status == bv_ok && s->import.timeout > 1e6 )
	{
		return bvb_fail( error, bv_error_argument, "--import-timeout takes a million seconds at most" );
	}
	return status;
}

static bv_status set_memory( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t mebibytes;
	bv_status status = parse_integer( "import-memory", value, 1, 1 << 30, &mebibytes, error );
	if ( status == bv_ok )
	{
		s->import.memory_bytes = (uint64_t)mebibytes << 20;
	}
	return status;
}

// What is made of one input: what a configuration can set.
static const option options[] = {
	{ "up", 0, "y|z|y-to-z",
	  "the axis that points up in the source: z is turned to y first; y-to-z turns y to z\n"
	  "instead (y: nothing is turned)",
	  set_up, 0 },
	{ "units", 0, "mm|cm|m|in|ft", "what the source's coordinates count: then they become metres", set_units,
	  0 },
	{ "scale", 0, "S", "then multiply all positions by S", set_scale, 0 },
	{ "weld", 0, "DIST", "then merge vertices at most DIST apart (0: equal ones only)", set_weld, 0 },
	{ "normalize", 0, NULL, "then move the bounding box's centre to 0 and its half diagonal to 1", NULL,
	  offsetof( settings, asset.record.normalize ) },
	{ "density", 0, "D",
	  "give the body a mass: D a cubic unit of the solid or, where the surface is open,\n"
	  "of the convex hull; with --units, kilograms a cubic metre",
	  set_density, 0 },
	{ "mass", 0, "M", "or this mass, which what is flat has too, as a sheet", set_mass, 0 },
	{ "positions", 0, "float|quantized", "float (12 bytes, the default) or quantized (8 bytes) vertices",
	  set_positions, 0 },
	{ "drop-non-finite", 0, NULL, "drop triangles with a nan or infinite coordinate instead of failing", NULL,
	  offsetof( settings, asset.record.drop_non_finite ) },
	{ "object", 0, "GLOB", "take the objects that match only; can be given several times", add_object, 0 },
	{ "proxies", 0, "use|ignore|drop",
	  "collision proxies by name (UCX_ UBX_ USP_ UCP_, -col -convcol): use them as\n"
	  "what they say and in place of what they stand for (use, the default),\n"
	  "take their names for nothing (ignore), or leave them out (drop)",
	  set_proxies, 0 },
	{ "sections", 0, "NAME,...",
	  "what is in the file: names listed below with commas between, added to what is\n"
	  "there by default; -NAME leaves one out with all that need it; none begins from\n"
	  "nothing, as in none,hull",
	  set_sections, 0 },
	{ "preset", 0, "NAME", "fast, balanced (the default) or best; listed below", set_preset, 0 },
	{ "builder", 0, "NAME", "how the hierarchy is built; listed below", set_builder, 0 },
	{ "splitter", 0, "NAME", "how topdown divides a node's triangles; listed below", set_splitter, 0 },
	{ "volume", 0, "TYPE,...", "volumes of the nodes; listed below", set_volume, 0 },
	{ "hit-tests", 0, "N",
	  "of several volumes: how many tests of the mean cost follow when one is hit,\n"
	  "which makes tight ones worth their own test; 0: only that counts (2)",
	  set_hit_tests, 0 },
	{ "degree", 0, "N", "children of each node, 2 to 6 (2)", set_degree, 0 },
	{ "improvement", 0, "A",
	  "instead of a fixed degree: the least number of children whose quality is at\n"
	  "most A times the node's, above 0 and at most 1",
	  set_improvement, 0 },
	{ "max-degree", 0, "N", "with --improvement: children at most, 2 to 6 (6)", set_max_degree, 0 },
	{ "min-faces", 0, "N",
	  "with --improvement: nodes with fewer triangles are leaves if no division\n"
	  "improves enough (2)",
	  set_min_faces, 0 },
	{ "quality", 0, "area|volume|diameter|hausdorff",
	  "what nodes are to have little of: area (the default), volume, diameter or\n"
	  "hausdorff, the certified distance of points to the triangles",
	  set_quality, 0 },
	{ "aggregate", 0, "mean|max", "how several nodes count together: mean (the default) or max",
	  set_aggregate, 0 },
	{ "cost-matrix", 0, "FILE", "what tests cost, in place of what is shipped", set_cost_matrix, 0 },
	{ "search-budget", 0, "N", "open problems that branch-and-bound looks at in a node (100000)",
	  set_search_budget, 0 },
	{ "seed", 0, "N", "of splitters that choose at random (0)", set_seed, 0 },
	{ "node-box", 0, "METHOD", "how boxes of nodes are fitted; listed below", set_node_box, 0 },
	{ "box", 0, "METHOD", "how the box of the whole mesh is fitted; listed below", set_box, 0 },
	{ "box-objective", 0, "volume|area|diameter",
	  "what that box has least of: volume (the default), area or diameter", set_box_objective, 0 },
	{ "hausdorff", 0, "REL",
	  "certify how far points of each node's box can be from its triangles, to the\n"
	  "relative tolerance REL (1e-6 to 1), or 0: do not",
	  set_hausdorff, 0 },
	{ "recognise", 0, "TOLERANCE",
	  "tell whether it is a box, sphere, capsule or cylinder to within so many mesh\n"
	  "units, or N% of the bounding box's diagonal, or 0: do not",
	  set_recognize, 0 },
	{ "simplify", 0, "TOLERANCE",
	  "make a proxy with few triangles, so many mesh units from the mesh at most, or\n"
	  "N% of the bounding box's diagonal; what is closed and faces outwards it\n"
	  "encloses",
	  set_simplify, 0 },
	{ "decompose", 0, "[=TOLERANCE]",
	  "cover the mesh with convex parts that stand off it by so many mesh units, or\n"
	  "N% of the bounding box's diagonal (1%); 0: as near as --max-parts allows",
	  set_decompose, 0 },
	{ "max-parts", 0, "N", "of --decompose: parts at most, up to 4096 (64)", set_max_parts, 0 },
	{ "max-part-vertices", 0, "N", "of --decompose: corners of each part at most, 4 to 255 (64)",
	  set_max_part_vertices, 0 },
	{ "min-thickness", 0, "L", "of --decompose: make thinner parts L thick, mesh units (0)",
	  set_min_thickness, 0 },
	{ "probe-radius", 0, "L", "of --decompose: gaps that no ball of radius L enters may be filled (0)",
	  set_probe_radius, 0 },
	{ "decompose-mode", 0, "automatic|solid|surface",
	  "of --decompose: solid fills the inside, surface makes shells, automatic decides\n"
	  "by whether there is an inside (automatic)",
	  set_decompose_mode, 0 },
	{ "decomposer", 0, "NAME", "of --decompose: how parts are made; listed below", set_decomposer, 0 },
	{ "decompose-effort", 0, "N", "of --decompose: how much is tried for better parts, 0 to 2 (1)",
	  set_decompose_effort, 0 },
	{ "time-budget", 0, "SECONDS", "of --decompose: finish what there is after so long; 0: take all time (0)",
	  set_time_budget, 0 },
	{ "optimise", 0, "N", "rounds of reinsertion that improve the finished tree (0)", set_optimize, 0 },
	{ "refit", 0, "METHOD|none",
	  "fit boxes of nodes once more in the finished tree, by another METHOD of\n"
	  "--node-box, which in turn leaves out the one of a preset; or none",
	  set_refit, 0 },
	{ "collapse", 0, "N",
	  "leave out nodes that cost more than they save, up to N children (2 to 8), and\n"
	  "merge leaves up to --leaf-triangles; 0: do not (8)",
	  set_collapse, 0 },
	{ "byte-price", 0, "N",
	  "of --collapse: what a byte of the tree is worth, a triangle, in the unit of the\n"
	  "costs (100)",
	  set_byte_price, 0 },
	{ "leaf-triangles", 0, "N", "stop dividing at N triangles (8 with --collapse, else 1)",
	  set_leaf_triangles, 0 },
	{ "max-depth", 0, "N", "stop dividing at level N, at most 64 (64)", set_max_depth, 0 },
	{ "gate", 0, "CONDITION",
	  "write no output and exit 6 unless it holds of the report, as in\n"
	  "'hierarchy.hausdorff.solid.max.relative.upper < 20%'; can be given several times;\n"
	  "formats/report/README.md has the language",
	  set_gate, 0 },
	{ "import-timeout", 0, "SECONDS", "give up on a foreign format's importer after so long (60)",
	  set_timeout, 0 },
	{ "import-memory", 0, "MIB", "and when it takes more memory than this (8192)", set_memory, 0 },
};

// The run as a whole.
static const option run_options[] = {
	{ "output", 'o', "PATH", "the .bvh file to write; a folder when there are several inputs", set_output,
	  0 },
	{ "root", 0, "DIR",
	  "with a folder as output: an input DIR/A/B.obj becomes OUTPUT/A/B.bvh; folders are\n"
	  "made as needed",
	  set_root, 0 },
	{ "split", 0, "objects", "write FOLDER/INPUT.OBJECT.bvh for each object", set_split, 0 },
	{ "list-objects", 0, NULL, "print the objects and what they are used as, and build nothing", NULL,
	  offsetof( settings, list_objects ) },
	{ "config", 0, "FILE",
	  "options of inputs by patterns, in JSON; what stands on the command line counts\n"
	  "more",
	  set_config, 0 },
	{ "jobs", 'j', "N", "work on N inputs at once, in processes of their own (as there are processors)",
	  set_jobs, 0 },
	{ "threads", 0, "N", "use N threads (all processors); the result is the same for any N", set_threads, 0 },
	{ "keep-going", 'k', NULL, "go on with other inputs after one has failed", NULL,
	  offsetof( settings, keep_going ) },
	{ "shard", 0, "I/N", "take every Nth input only, from the Ith on: one of N machines' parts", set_shard,
	  0 },
	{ "depfile", 0, "FILE", "write what the outputs depend on, as Make and Ninja read it", set_depfile, 0 },
	{ "cache", 0, "DIR",
	  "keep results in DIR, and take from there what has been built before; any number\n"
	  "of processes may share it",
	  set_cache, 0 },
	{ "force", 0, NULL, "build also what is up to date, or in the cache", NULL, offsetof( settings, force ) },
	{ "no-touch", 0, NULL,
	  "leave the time of an output that is up to date as it is, for Ninja's restat,\n"
	  "instead of making it newer than what it depends on",
	  NULL, offsetof( settings, no_touch ) },
	{ "log", 0, "FILE", "tell programs what became of each input: one line of JSON each; - is stdout",
	  set_log, 0 },
	{ "report", 0, "FILE",
	  "write a report of the result: FILE.json for programs, FILE.html for people;\ncan be given several "
	  "times",
	  add_report, 0 },
	{ "emit-ninja", 0, "FILE",
	  "build nothing, but write a Ninja file that builds each input by itself, when it\nor its settings "
	  "have changed",
	  set_ninja, 0 },
	{ "progress", 0, "auto|always|never",
	  "tell of work on stderr: always, never, or on a terminal of what takes half a\n"
	  "second or more (auto)",
	  set_progress, 0 },
	{ "quiet", 'q', NULL, "print nothing but errors", NULL, offsetof( settings, quiet ) },
	{ "verbose", 'v', NULL, "print what was cleaned, and how long each stage took and how much memory", NULL,
	  offsetof( settings, verbose ) },
	{ "help", 'h', NULL, "print this text", NULL, offsetof( settings, help ) },
	{ "version", 0, NULL, "print the version, and what the program is made of", NULL,
	  offsetof( settings, version ) },
};

enum
{
	option_count = sizeof options / sizeof options[0],
	run_option_count = sizeof run_options / sizeof run_options[0],
};

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

const command_line build_line = { options, option_count, run_options, run_option_count, add_input, "preset" };
const command_line asset_line = {
	options, option_count, run_options, run_option_count, pass_input, "preset"
};

settings settings_default( const tool* t )
{
	return ( settings ){
		.tool = t,
		.asset = bvb_asset_options_default(),
		.import = bvb_import_options_default(),
	};
}

static void print_names( const char* title,
                         const char* ( *get_name )( uint32_t index, const char** summary ) )
{
	printf( "\n%s:\n", title );
	const char* summary;
	for ( uint32_t i = 0; get_name( i, &summary ); ++i )
	{
		printf( "  %-32s %s\n", get_name( i, NULL ), summary );
	}
}

void print_build_help( void )
{
	printf( "Usage: bvbuild [options] INPUT... -o OUTPUT\n"
	        "Turns triangle meshes into .bvh files of collision data.\n\n" );
	print_options( run_options, run_option_count );
	printf( "\nWhat is made of each input:\n" );
	print_options( options, option_count );
	print_names( "Sections (--sections)", bvb_section_name );
	print_names( "Builders (--builder)", bvb_builder_name );
	print_names( "Splitters (--splitter), of the builder topdown", bvb_splitter_name );
	print_volumes();
	print_names( "Boxes of nodes (--node-box, --refit)", bvb_node_box_name );
	print_names( "Boxes of the whole mesh (--box)", bvb_obb_method_name );
	print_names( "Decomposers (--decomposer)", bvb_decomposer_name );
	print_names(
		"Presets (--preset), which options given explicitly override; of --decompose behind a semicolon",
		bvb_preset_name );
	printf(
		"\nInputs: OBJ, STL, PLY and OFF by readers of our own; others (glTF, FBX, Collada, ...) by Assimp "
		"in a\n"
		"child process. Exit codes: 0 done, 1 usage, 2 input missing or invalid, 3 format not supported,\n"
		"4 output could not be written, 5 out of memory or over a limit,\n"
		"6 a --gate that does not hold, 70 a bug; of several inputs the highest.\n" );
}

const char* get_settings_file( const settings* s, int index )
{
	const char* first[] = { s->config, s->cost_matrix };
	for ( int i = 0; i < 2; ++i )
	{
		if ( first[i] && index-- == 0 )
		{
			return first[i];
		}
	}
	return s->responses && index < s->responses->count ? s->responses->names[index] : NULL;
}

bv_status settle_settings( settings* s, bvb_error* error )
{
	bv_status status = settle_hierarchy( s, error );
	status = status == bv_ok ? settle_decompose( s, error ) : status;
	status = status == bv_ok ? settle_simplify( s, error ) : status;
	if ( status == bv_ok && s->asset.density != 0 && s->asset.mass != 0 )
	{
		status = bvb_fail( error, bv_error_argument, "--density and --mass exclude each other" );
	}
	return status == bv_ok ? settle_sections( s, error ) : status;
}
