// The options of bvbuild, as a table, and what they set. See settings.h.

#include "cli/settings.h"

#include "cli/decompose.h"
#include "cli/hierarchy.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/sections.h"
#include "cli/simplify.h"
#include "offline/base/error.h"

#include <stdio.h>
#include <string.h>

static bv_status set_output( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	s->output = value;
	return *value ? bv_ok : bvbase_fail( error, bv_error_argument, "--output needs a name" );
}

static bv_status set_path( const char** path, const char* name, const char* value, bvb_error* error )
{
	*path = value;
	return *value ? bv_ok : bvbase_fail( error, bv_error_argument, "--%s needs a name", name );
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
		return bvbase_fail( error, bv_error_argument,
		                    "--hausdorff takes 0, or a number from 1e-6 to 1, not '%s'", value );
	}
	bvb_tree_errors_to( &s->asset.errors, relative );
	return bv_ok;
}

static bv_status set_recognize( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bvb_tolerance* tolerance = &s->asset.recognize;
	bv_status status = parse_length( "recognize", value, &tolerance->value, &tolerance->percent, error );
	if ( status == bv_ok && tolerance->percent && tolerance->value > 100 )
	{
		status = bvbase_fail( error, bv_error_argument, "--recognize takes at most 100%%, not '%s'", value );
	}
	return status;
}

static const char* get_preset_word( uint32_t index )
{
	return bvb_preset_name( index, NULL );
}

// Applied before all other options, so that these take precedence in any order.
static bv_status set_preset( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t index = 0;
	bv_status status = parse_word( "preset", value, get_preset_word, &index, error );
	return status == bv_ok && !bvb_preset_options( value, &s->asset )
	           ? bvbase_fail( error, bv_error_internal, "--preset %s has no options", value )
	           : status;
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
		return bvbase_fail( error, bv_error_argument, "--object can be given %d times", max_objects );
	}
	s->objects[s->object_count++] = value;
	return bv_ok;
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
		return bvbase_fail( error, bv_error_argument, "--import-timeout takes at most 1000000 seconds" );
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

static bv_status set_help( void* context, const char* value, bvb_error* error )
{
	(void)error;
	( (settings*)context )->help = true;
	( (settings*)context )->topic = value;
	return bv_ok;
}

// What is made of one input: what a configuration can set. The first line of each text stands alone in --help.
static const option options[] = {
	{ "up", 0, "y|z|y-to-z",
	  "The source's up axis (default y).\n"
	  "z rotates the mesh so that its z axis becomes y; y-to-z rotates y to\n"
	  "z. The mesh is rotated, never mirrored.",
	  set_up, 0, .group = help_input, .see = "--units, --scale",
	  .example = "bvbuild part.stl -o part.bvh --units mm --up z" },
	{ "units", 0, "mm|cm|m|in|ft",
	  "The source's unit of length; positions are converted to meters.\n"
	  "By default positions keep their unit.",
	  set_units, 0, .group = help_input, .see = "--up, --scale, --density",
	  .example = "bvbuild part.stl -o part.bvh --units mm" },
	{ "scale", 0, "S",
	  "Multiply all positions by S, after --up and --units.\n"
	  "S is above 0. --weld and --normalize come after it.",
	  set_scale, 0, .group = help_input, .see = "--units, --normalize",
	  .example = "bvbuild rock.obj -o rock.bvh --scale 0.01" },
	{ "weld", 0, "DIST",
	  "Merge vertices at most DIST apart (default 0: equal ones only).\n"
	  "The result does not depend on the order of the vertices, and no\n"
	  "vertex moves farther than DIST.",
	  set_weld, 0, .group = help_input, .see = "--drop-non-finite, --scale",
	  .example = "bvbuild scan.ply -o scan.bvh --weld 0.001" },
	{ "normalize", 0, NULL,
	  "Move the center of the bounding box to 0 and scale its half\n"
	  "diagonal to 1, after --scale and --weld.",
	  NULL, offsetof( settings, asset.record.normalize ), .group = help_rarely, .see = "--scale, --units",
	  .example = "bvbuild rock.obj -o rock.bvh --normalize" },
	{ "density", 0, "D",
	  "Give the body a mass of D per cubic unit of its volume.\n"
	  "With --units, D is in kilograms per cubic meter. An open mesh takes\n"
	  "the volume of its convex hull. Excludes --mass.",
	  set_density, 0, .group = help_content, .see = "--mass, --units, --sections mass",
	  .example = "bvbuild part.stl -o part.bvh --units mm --density 7850" },
	{ "mass", 0, "M",
	  "Give the body the mass M, for any volume.\n"
	  "A flat mesh takes it as a sheet. Excludes --density.",
	  set_mass, 0, .group = help_content, .see = "--density, --units",
	  .example = "bvbuild cart.glb -o cart.bvh --mass 120" },
	{ "positions", 0, "float|quantized",
	  "Vertices as float (12 bytes, the default) or quantized (8 bytes).\n"
	  "Quantized positions have 21 bits per axis.",
	  set_positions, 0, .group = help_content, .see = "--sections",
	  .example = "bvbuild rock.obj -o rock.bvh --positions quantized" },
	{ "drop-non-finite", 0, NULL,
	  "Drop triangles with a NaN or infinite coordinate.\n"
	  "By default such a mesh is an error.",
	  NULL, offsetof( settings, asset.record.drop_non_finite ), .group = help_rarely, .see = "--weld",
	  .example = "bvbuild scan.ply -o scan.bvh --drop-non-finite" },
	{ "object", 0, "GLOB",
	  "Use only objects whose name matches GLOB; repeatable.\n"
	  "GLOB may contain *, ? and [...]. --list-objects prints the names.",
	  add_object, 0, .group = help_input, .see = "--list-objects, --split, --proxies",
	  .example = "bvbuild level.glb -o walls.bvh --object 'Wall*'" },
	{ "proxies", 0, "use|ignore|drop",
	  "What collision names such as UCX_ROCK_01 mean (default use).\n"
	  "use: UCX_, UBX_, USP_, UCP_, -col and -convcol objects replace the\n"
	  "objects that they are named after. ignore: they are ordinary\n"
	  "objects. drop: they are skipped.",
	  set_proxies, 0, .group = help_input, .see = "--list-objects, --object",
	  .example = "bvbuild level.fbx -o level.bvh --proxies ignore" },
	{ "sections", 0, "NAME,...",
	  "What is in the file: NAME adds a section, -NAME removes it.\n"
	  "Sections that need a removed one are removed too. none removes all,\n"
	  "as in none,hull. The names are listed below.",
	  set_sections, 0, .group = help_content, .see = "--decompose, --simplify, --hausdorff",
	  .example = "bvbuild rock.obj -o rock.bvh --sections none,hull" },
	{ "preset", 0, "NAME",
	  "Speed against tightness: fast, balanced (the default) or best.\n"
	  "Options given explicitly take precedence over the preset.",
	  set_preset, 0, .group = help_quality, .see = "--builder, --volume, --hausdorff, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --preset best" },
	{ "builder", 0, "NAME",
	  "How the hierarchy is built; the names are listed below.\n"
	  "Builders differ in build time and in the cost of queries. The names are\n"
	  "listed by --help=all.",
	  set_builder, 0, .group = help_rarely, .see = "--splitter, --volume, --preset, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder ploc" },
	{ "splitter", 0, "NAME", "How the builder topdown divides a node's triangles; listed below.",
	  set_splitter, 0, .group = help_rarely, .see = "--builder topdown, --quality, --seed",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --splitter gottschalk" },
	{ "volume", 0, "TYPE,...",
	  "Type of the nodes' bounding volumes; listed below.\n"
	  "With several types each node takes the best one.",
	  set_volume, 0, .group = help_rarely, .see = "--node-box, --hit-tests, --builder",
	  .example = "bvbuild rock.obj -o rock.bvh --volume obb,sphere" },
	{ "hit-tests", 0, "N",
	  "How to weigh tightness where nodes choose between types (default 2).\n"
	  "N is the number of tests of average cost that follow when a volume\n"
	  "is hit. With 0 only the volume's own test counts.",
	  set_hit_tests, 0, .group = help_rarely, .see = "--volume, --cost-matrix",
	  .example = "bvbuild rock.obj -o rock.bvh --volume obb,sphere --hit-tests 4" },
	{ "degree", 0, "N", "Number of children per node, 2 to 6 (default 2).", set_degree, 0,
	  .group = help_rarely, .see = "--builder, --improvement, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --degree 4" },
	{ "improvement", 0, "A",
	  "Choose the number of children per node instead of --degree.\n"
	  "Each node has the fewest children whose quality is at most A times\n"
	  "its own. A is above 0 and at most 1.",
	  set_improvement, 0, .group = help_rarely, .see = "--degree, --max-degree, --min-faces, --quality",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5" },
	{ "max-degree", 0, "N", "With --improvement: at most N children, 2 to 6 (default 6).", set_max_degree, 0,
	  .group = help_rarely, .see = "--improvement",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5 --max-degree 4" },
	{ "min-faces", 0, "N",
	  "With --improvement: smaller nodes may become leaves (default 2).\n"
	  "A node with fewer than N triangles is a leaf if no division improves\n"
	  "it enough.",
	  set_min_faces, 0, .group = help_rarely, .see = "--improvement",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5 --min-faces 8" },
	{ "quality", 0, "area|volume|diameter|hausdorff",
	  "What builders minimize in a node (default area).\n"
	  "hausdorff is the certified distance from points of the volume to the\n"
	  "triangles.",
	  set_quality, 0, .group = help_rarely, .see = "--aggregate, --splitter, --improvement, --volume",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --quality volume" },
	{ "aggregate", 0, "mean|max",
	  "How the quality of several nodes is combined (default mean).\n"
	  "max minimizes the worst node, mean the average.",
	  set_aggregate, 0, .group = help_rarely, .see = "--quality",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --aggregate max" },
	{ "cost-matrix", 0, "FILE",
	  "Costs of tests, as bvinspect --measure-costs prints them.\n"
	  "By default a table that is the same on every machine is used.",
	  set_cost_matrix, 0, .group = help_rarely, .see = "--collapse, --hit-tests",
	  .example = "bvbuild rock.obj -o rock.bvh --cost-matrix costs.txt" },
	{ "search-budget", 0, "N",
	  "Open problems per node of branch-and-bound (default 100000).\n"
	  "When it is used up, the best division found so far is taken.",
	  set_search_budget, 0, .group = help_rarely, .see = "--splitter branch-and-bound",
	  .example = "bvbuild crate.obj -o crate.bvh --builder topdown --splitter branch-and-bound "
	             "--search-budget 1000" },
	{ "seed", 0, "N",
	  "Seed of splitters that choose at random (default 0).\n"
	  "The same seed gives the same tree. N is 0 to 4294967295.",
	  set_seed, 0, .group = help_rarely, .see = "--builder, --splitter",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --splitter insertion-random --seed 7" },
	{ "node-box", 0, "METHOD", "How oriented boxes of nodes are fitted; listed below.", set_node_box, 0,
	  .group = help_rarely, .see = "--volume obb, --refit",
	  .example = "bvbuild rock.obj -o rock.bvh --node-box pca" },
	{ "box", 0, "METHOD", "How the oriented box of the whole mesh is fitted; listed below.", set_box, 0,
	  .group = help_rarely, .see = "--box-objective, --sections bounds",
	  .example = "bvbuild rock.obj -o rock.bvh --box pca-hull" },
	{ "box-objective", 0, "volume|area|diameter",
	  "What the box of the whole mesh minimizes (default volume).\n"
	  "The methods of --box look for the box of least volume, surface area or\n"
	  "diameter.",
	  set_box_objective, 0, .group = help_rarely, .see = "--box",
	  .example = "bvbuild rock.obj -o rock.bvh --box-objective area" },
	{ "hausdorff", 0, "REL",
	  "Certify node errors to the relative tolerance REL; 0: do not.\n"
	  "The error is the largest distance from a point of the node's volume\n"
	  "to its triangles. REL is 1e-6 to 1.",
	  set_hausdorff, 0, .group = help_quality, .see = "--sections errors, --gate",
	  .example = "bvbuild rock.obj -o rock.bvh --hausdorff 0.01" },
	{ "recognize", 0, "TOLERANCE",
	  "Find a box, sphere, capsule or cylinder within TOLERANCE, or 0.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal. 0 finds none.",
	  set_recognize, 0, .group = help_parts, .see = "--sections primitives, --decompose",
	  .example = "bvbuild rock.obj -o rock.bvh --recognize 2%", .old_name = "recognise" },
	{ "simplify", 0, "TOLERANCE",
	  "Add a proxy mesh: few triangles, within TOLERANCE of the mesh.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal. The proxy encloses a mesh that is closed and faces\n"
	  "outward.",
	  set_simplify, 0, .group = help_parts, .see = "--decompose, --sections proxy",
	  .example = "bvbuild rock.obj -o rock.bvh --simplify 2%" },
	{ "decompose", 0, "[=TOLERANCE]",
	  "Add convex parts that stand off the mesh by at most TOLERANCE.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal (default 1%). 0: as close as --max-parts allows.",
	  set_decompose, 0, .group = help_parts,
	  .see = "--max-parts, --max-part-vertices, --decompose-effort, --simplify",
	  .example = "bvbuild cup.obj -o cup.bvh --units mm --decompose=0.005" },
	{ "max-parts", 0, "N",
	  "With --decompose: at most N parts, up to 4096 (default 64).\n"
	  "If N parts are too few for the tolerance, the stand-off is larger.",
	  set_max_parts, 0, .group = help_parts, .see = "--decompose",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --max-parts 16" },
	{ "max-part-vertices", 0, "N",
	  "With --decompose: vertices per part, 4 to 255 (default 64).\n"
	  "Use the limit that your engine has for convex shapes.",
	  set_max_part_vertices, 0, .group = help_parts, .see = "--decompose",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --max-part-vertices 32" },
	{ "min-thickness", 0, "L",
	  "With --decompose: thicken thinner parts to L mesh units (default 0).\n"
	  "Thin parts make solvers unstable.",
	  set_min_thickness, 0, .group = help_rarely, .see = "--decompose, --decompose-mode",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --min-thickness 0.01" },
	{ "probe-radius", 0, "L",
	  "With --decompose: gaps narrower than a ball of radius L may be\n"
	  "filled (default 0).",
	  set_probe_radius, 0, .group = help_rarely, .see = "--decompose",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --probe-radius 0.02" },
	{ "decompose-mode", 0, "automatic|solid|surface",
	  "With --decompose: fill the inside or not (default automatic).\n"
	  "solid fills the inside, surface makes thin shells, automatic fills\n"
	  "the inside where there is one.",
	  set_decompose_mode, 0, .group = help_rarely, .see = "--decompose, --min-thickness",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decompose-mode surface" },
	{ "decomposer", 0, "NAME", "With --decompose: the method; listed below.", set_decomposer, 0,
	  .group = help_rarely, .see = "--decompose, --decompose-effort",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decomposer notch" },
	{ "decompose-effort", 0, "N",
	  "With --decompose: time spent on better parts, 0 to 2 (default 1).\n"
	  "A higher effort takes more time and gives fewer or closer parts.",
	  set_decompose_effort, 0, .group = help_rarely, .see = "--decompose, --time-budget",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decompose-effort 2" },
	{ "time-budget", 0, "SECONDS",
	  "With --decompose: finish after SECONDS; 0: no limit (default).\n"
	  "The result is valid, but depends on the speed of the machine.",
	  set_time_budget, 0, .group = help_rarely, .see = "--decompose, --decompose-effort",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --time-budget 10" },
	{ "optimize", 0, "N",
	  "Improve the finished tree by N rounds of reinsertion (default 0).\n"
	  "Each round removes subtrees and inserts them where the cost is least.",
	  set_optimize, 0, .group = help_rarely, .see = "--builder, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --optimize 20", .old_name = "optimise" },
	{ "refit", 0, "METHOD|none",
	  "Fit boxes of nodes again in the finished tree, by METHOD.\n"
	  "METHOD is one of --node-box. none removes the one of a preset.",
	  set_refit, 0, .group = help_rarely, .see = "--node-box, --volume obb",
	  .example = "bvbuild rock.obj -o rock.bvh --refit refined" },
	{ "collapse", 0, "N",
	  "Make the tree wide: up to N children, 2 to 8; 0: no (default 8).\n"
	  "Nodes that cost more than they save are removed, and leaves are\n"
	  "merged up to --leaf-triangles.",
	  set_collapse, 0, .group = help_rarely, .see = "--byte-price, --leaf-triangles, --degree",
	  .example = "bvbuild rock.obj -o rock.bvh --collapse 4" },
	{ "byte-price", 0, "N",
	  "With --collapse: the cost of one byte of the tree per triangle, in\n"
	  "the unit of the costs of tests (default: that of --preset, or 200).",
	  set_byte_price, 0, .group = help_rarely, .see = "--collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --byte-price 500" },
	{ "leaf-triangles", 0, "N",
	  "At most N triangles per leaf (default 8 with --collapse, else 1).\n"
	  "N is 1 to 1048576.",
	  set_leaf_triangles, 0, .group = help_rarely, .see = "--collapse, --max-depth",
	  .example = "bvbuild rock.obj -o rock.bvh --leaf-triangles 4" },
	{ "max-depth", 0, "N",
	  "Stop dividing at level N, 0 to 64 (default 64); the root is level 0.\n"
	  "Nodes on this level are leaves, however many triangles they have.",
	  set_max_depth, 0, .group = help_rarely, .see = "--leaf-triangles",
	  .example = "bvbuild rock.obj -o rock.bvh --max-depth 20" },
	{ "gate", 0, "CONDITION",
	  "Exit with 6 and write nothing unless CONDITION holds; repeatable.\n"
	  "CONDITION is an expression of keys of the report. The language is\n"
	  "described in gates.md, which is in share/doc/bvbuild.",
	  set_gate, 0, .group = help_check, .see = "--report, --hausdorff",
	  .example = "bvbuild rock.obj -o rock.bvh --gate 'mesh.closed and file.bytes < 100e3'" },
	{ "import-timeout", 0, "SECONDS",
	  "Stop the importer of a foreign format after SECONDS (default 60).\n"
	  "glTF, FBX, Collada and other formats are read by Assimp in a child\n"
	  "process. Exit code 2 if it runs out of time.",
	  set_timeout, 0, .group = help_rarely, .see = "--import-memory",
	  .example = "bvbuild level.fbx -o level.bvh --import-timeout 300" },
	{ "import-memory", 0, "MIB",
	  "Stop the importer at this much memory, in MiB (default 8192).\n"
	  "The limit applies to the child process that runs Assimp.",
	  set_memory, 0, .group = help_rarely, .see = "--import-timeout",
	  .example = "bvbuild level.fbx -o level.bvh --import-memory 16000" },
};

// The run as a whole.
static const option run_options[] = {
	{ "output", 'o', "PATH",
	  "The .bvh file to write, or a folder for several inputs.\n"
	  "A path that ends in / is a folder and is created if it does not exist.",
	  set_output, 0, .group = help_input, .see = "--root, --split",
	  .example = "bvbuild rock.obj -o rock.bvh" },
	{ "root", 0, "DIR",
	  "Keep the inputs' folders below DIR in the output folder.\n"
	  "The input DIR/A/B.obj becomes OUTPUT/A/B.bvh.",
	  set_root, 0, .group = help_many, .see = "--output",
	  .example = "bvbuild meshes/props/a.obj -o out/ --root meshes" },
	{ "split", 0, "objects",
	  "Write one file per object: OUTPUT/INPUT.OBJECT.bvh.\n"
	  "OUTPUT is a folder. --depfile and --emit-ninja exclude it.",
	  set_split, 0, .group = help_input, .see = "--output, --object",
	  .example = "bvbuild level.glb -o assets/ --split objects" },
	{ "list-objects", 0, NULL,
	  "List the objects of the inputs and their use; build nothing.\n"
	  "Prints one line per object: triangles, collision name, name, and the\n"
	  "object that it stands for.",
	  NULL, offsetof( settings, list_objects ), .group = help_input, .see = "--object, --proxies",
	  .example = "bvbuild level.glb --list-objects" },
	{ "config", 0, "FILE",
	  "Read options per input from a JSON file.\n"
	  "Options on the command line take precedence.",
	  set_config, 0, .group = help_many, .see = "--root, --jobs",
	  .example = "bvbuild meshes/a.obj -o out/ --config assets.json" },
	{ "jobs", 'j', "N",
	  "Build N inputs at once (default: the number of processors).\n"
	  "Each input is built in a process of its own.",
	  set_jobs, 0, .group = help_many, .see = "--threads, --keep-going, --shard",
	  .example = "bvbuild a.obj b.obj -o out/ -j 4" },
	{ "threads", 0, "N",
	  "Use N threads (default: all); the result is the same for any N.\n"
	  "N is 1 to 1024.",
	  set_threads, 0, .group = help_quality, .see = "--jobs",
	  .example = "bvbuild rock.obj -o rock.bvh --threads 1" },
	{ "keep-going", 'k', NULL,
	  "Continue with other inputs after one has failed.\n"
	  "The exit code is the highest of all inputs.",
	  NULL, offsetof( settings, keep_going ), .group = help_many, .see = "--jobs, --log",
	  .example = "bvbuild a.obj b.obj -o out/ --keep-going" },
	{ "shard", 0, "I/N",
	  "Build only the I-th of N parts of the inputs.\n"
	  "For builds that are distributed over N machines.",
	  set_shard, 0, .group = help_rarely, .see = "--jobs, --cache",
	  .example = "bvbuild a.obj b.obj -o out/ --shard 2/8" },
	{ "depfile", 0, "FILE",
	  "Write the dependencies of the outputs for Make and Ninja.\n"
	  "Read it with -include in Make, or with deps = gcc in Ninja.",
	  set_depfile, 0, .group = help_many, .see = "--emit-ninja, --no-touch",
	  .example = "bvbuild rock.obj -o rock.bvh --depfile rock.d" },
	{ "cache", 0, "DIR",
	  "Keep results in DIR and reuse them.\n"
	  "Any number of processes may share it.",
	  set_cache, 0, .group = help_many, .see = "--force, --jobs",
	  .example = "bvbuild rock.obj -o rock.bvh --cache ~/.cache/bvbuild" },
	{ "force", 0, NULL,
	  "Build outputs that are up to date, or in the cache, as well.\n"
	  "Without it, an output that was made from the same input with the same\n"
	  "options is skipped.",
	  NULL, offsetof( settings, force ), .group = help_many, .see = "--cache",
	  .example = "bvbuild rock.obj -o rock.bvh --force" },
	{ "no-touch", 0, NULL,
	  "Keep the time of an output that is up to date.\n"
	  "By default it is made newer than its dependencies, for Make. Ninja's\n"
	  "restat needs the old time.",
	  NULL, offsetof( settings, no_touch ), .group = help_rarely, .see = "--depfile, --emit-ninja",
	  .example = "bvbuild rock.obj -o rock.bvh --no-touch" },
	{ "log", 0, "FILE",
	  "Write one line of JSON per input; - is stdout.\n"
	  "Each line has the input, the output, the result, the exit code, the\n"
	  "error, the time and the size. The last line is a summary.",
	  set_log, 0, .group = help_many, .see = "--keep-going, --jobs",
	  .example = "bvbuild a.obj b.obj -o out/ --log log.jsonl" },
	{ "report", 0, "FILE",
	  "Write a report: FILE.html for people, FILE.json for programs.\n"
	  "Repeatable. The page is one file that needs no network.",
	  add_report, 0, .group = help_check, .see = "--gate",
	  .example = "bvbuild rock.obj -o rock.bvh --report rock.html" },
	{ "emit-ninja", 0, "FILE",
	  "Write a Ninja file that builds each input; build nothing.\n"
	  "Ninja builds an input again when it or its options have changed.",
	  set_ninja, 0, .group = help_rarely, .see = "--depfile, --root",
	  .example = "bvbuild a.obj b.obj -o out/ --emit-ninja build.ninja" },
	{ "progress", 0, "auto|always|never",
	  "Show progress on stderr (default auto).\n"
	  "auto shows it on a terminal, for work that takes half a second or\n"
	  "more.",
	  set_progress, 0, .group = help_rarely, .see = "--quiet, --verbose",
	  .example = "bvbuild rock.obj -o rock.bvh --progress never" },
	{ "quiet", 'q', NULL,
	  "Print only errors.\n"
	  "Warnings, results and progress are not printed.",
	  NULL, offsetof( settings, quiet ), .group = help_general, .see = "--progress",
	  .example = "bvbuild -q rock.obj -o rock.bvh" },
	{ "verbose", 'v', NULL,
	  "Print what was cleaned, and time and memory per stage.\n"
	  "The lines go to stderr.",
	  NULL, offsetof( settings, verbose ), .group = help_general, .see = "--progress",
	  .example = "bvbuild -v rock.obj -o rock.bvh" },
	{ "help", 'h', "[=all|NAME]",
	  "Show daily options, all of them, or one with an example.\n"
	  "NAME is the long name of an option, or a value such as binned.",
	  set_help, 0, .group = help_general, .example = "bvbuild --help decompose" },
	{ "version", 0, NULL, "Print the version, and what the program was built with.", NULL,
	  offsetof( settings, version ), .group = help_general, .example = "bvbuild --version" },
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

static const name_table tables[] = {
	{ "Sections (--sections)", "sections", bvb_section_name },
	{ "Builders (--builder)", "builder", bvb_builder_name },
	{ "Splitters (--splitter), of the builder topdown", "splitter", bvb_splitter_name },
	{ "Volumes (--volume)", "volume", volume_name },
	{ "Boxes of nodes (--node-box, --refit)", "node-box", bvb_node_box_name },
	{ "Boxes of the whole mesh (--box)", "box", bvb_obb_method_name },
	{ "Decomposers (--decomposer)", "decomposer", bvb_decomposer_name },
	{ "Presets (--preset); after the semicolon: with --decompose", "preset", bvb_preset_name },
};

const help_text build_help = {
	.tool = "bvbuild",
	.begin = "Usage: bvbuild [options] INPUT... -o OUTPUT\n"
			 "Turns triangle meshes into .bvh files of collision data.\n",
	.asset_title = "For each input",
	.tables = tables,
	.table_count = sizeof tables / sizeof tables[0],
	.end = "Inputs: OBJ, STL, PLY and OFF; glTF, FBX, Collada and others through Assimp.\n"
		   "Exit codes: 0 done, 1 usage, 2 input missing or invalid, 3 format not supported, 4 output could\n"
		   "not be written, 5 out of memory or over a limit, 6 a --gate does not hold, 70 a bug in bvbuild.\n"
		   "With several inputs the highest code counts.\n",
};

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
		status = bvbase_fail( error, bv_error_argument, "--density and --mass exclude each other" );
	}
	return status == bv_ok ? settle_sections( s, error ) : status;
}
