// The options that bvbuild takes for each input, one row per option. --help prints only the first line of a help
// text. The parser, configurations, bvb_build_options_read, the parameters that a file records and the descriptions
// of presets use the same rows.

#include "offline/options/rows.h"

#include "offline/asset/presets.h"
#include "offline/options/setters.h"

// The asset's options come first, so that offsets are also valid in those alone.
_Static_assert( offsetof( bvb_build_options, asset ) == 0,
                "rows that are recorded refer to bvb_asset_options" );

#define BVOPT_AT( member ) offsetof( bvb_build_options, member )

const bvasset_option bvopt_rows[] = {
	{ "up", 0, NULL,
	  "The source's up axis (default y).\n"
	  "z rotates the mesh so that its z axis becomes y; y-to-z rotates y to\n"
	  "z. The mesh is rotated, never mirrored.",
	  bvasset_option_word, BVOPT_AT( asset.record.up ), .words = bvb_up_name, .group = bvasset_help_input,
	  .see = "--units, --scale", .example = "bvbuild part.stl -o part.bvh --units mm --up z", .record = 10,
	  .omitted = bvasset_default_not_recorded },
	{ "units", 0, NULL,
	  "The source's unit of length; positions are converted to meters.\n"
	  "By default positions keep their unit.",
	  bvasset_option_word, BVOPT_AT( asset.record.units ), .words = bvb_units_name, .first = 1,
	  .group = bvasset_help_input, .see = "--up, --scale, --density",
	  .example = "bvbuild part.stl -o part.bvh --units mm", .record = 20,
	  .omitted = bvasset_default_not_recorded },
	{ "scale", 0, "S",
	  "Multiply all positions by S, after --up and --units.\n"
	  "S is above 0. --weld and --normalize come after it.",
	  bvasset_option_positive, BVOPT_AT( asset.record.scale ), .group = bvasset_help_input,
	  .see = "--units, --normalize", .example = "bvbuild rock.obj -o rock.bvh --scale 0.01", .record = 30 },
	{ "weld", 0, "DIST",
	  "Merge vertices at most DIST apart (default 0: equal ones only).\n"
	  "The result does not depend on the order of the vertices, and no\n"
	  "vertex moves farther than DIST.",
	  bvasset_option_real, BVOPT_AT( asset.record.weld ), .group = bvasset_help_input,
	  .see = "--drop-non-finite, --scale", .example = "bvbuild scan.ply -o scan.bvh --weld 0.001",
	  .record = 40 },
	{ "normalize", 0, NULL,
	  "Move the center of the bounding box to 0 and scale its half\n"
	  "diagonal to 1, after --scale and --weld.",
	  bvasset_option_flag, BVOPT_AT( asset.record.normalize ), .group = bvasset_help_rarely,
	  .see = "--scale, --units", .example = "bvbuild rock.obj -o rock.bvh --normalize", .record = 50 },
	{ "density", 0, "D",
	  "Give the body a mass of D per cubic unit of its volume.\n"
	  "With --units, D is in kilograms per cubic meter. An open mesh takes\n"
	  "the volume of its convex hull. Excludes --mass.",
	  bvasset_option_positive, BVOPT_AT( asset.density ), .group = bvasset_help_content,
	  .see = "--mass, --units, --sections mass",
	  .example = "bvbuild part.stl -o part.bvh --units mm --density 7850", .record = 430,
	  .omitted = bvasset_default_not_recorded },
	{ "mass", 0, "M",
	  "Give the body the mass M, for any volume.\n"
	  "A flat mesh takes it as a sheet. Excludes --density.",
	  bvasset_option_positive, BVOPT_AT( asset.mass ), .group = bvasset_help_content,
	  .see = "--density, --units", .example = "bvbuild cart.glb -o cart.bvh --mass 120", .record = 420,
	  .omitted = bvasset_default_not_recorded },
	{ "positions", 0, NULL,
	  "Vertices as float (12 bytes, the default) or quantized (8 bytes).\n"
	  "Quantized positions have 21 bits per axis.",
	  bvasset_option_word, BVOPT_AT( asset.record.positions ), .words = bvb_position_form_name,
	  .group = bvasset_help_content, .see = "--sections",
	  .example = "bvbuild rock.obj -o rock.bvh --positions quantized", .record = 70 },
	{ "drop-non-finite", 0, NULL,
	  "Drop triangles with a NaN or infinite coordinate.\n"
	  "By default such a mesh is an error.",
	  bvasset_option_flag, BVOPT_AT( asset.record.drop_non_finite ), .group = bvasset_help_rarely,
	  .see = "--weld", .example = "bvbuild scan.ply -o scan.bvh --drop-non-finite", .record = 60,
	  .recorded_as = "non-finite", .print = bvasset_print_non_finite },
	{ "object", 0, "GLOB",
	  "Use only objects whose name matches GLOB; repeatable.\n"
	  "GLOB may contain *, ? and [...]. --list-objects prints the names.",
	  bvasset_option_other, BVOPT_AT( objects ), .apply = bvopt_add_object, .repeats = true,
	  .group = bvasset_help_input, .see = "--list-objects, --split, --proxies",
	  .example = "bvbuild level.glb -o walls.bvh --object 'Wall*'" },
	{ "clip", 0, "NAME",
	  "Build for an animation of the file, between samples too.\n"
	  "NAME is the name of a clip, its number, or * for the only one. glTF\n"
	  "has clips, and so have formats that Assimp imports with animations,\n"
	  "such as FBX, Collada and X. The mesh is the pose of the first sample\n"
	  "that has all triangles. The hierarchy is the best one over all samples.",
	  bvasset_option_text, BVOPT_AT( asset.clip.name ), .apply = bvopt_check_clip,
	  .group = bvasset_help_input, .see = "--samples, --clip-segments, --clip-frames",
	  .example = "bvbuild walk.glb -o walk.bvh --clip Walk", .record = 460,
	  .omitted = bvasset_default_not_recorded, .print = bvasset_print_clip },
	{ "samples", 0, "N",
	  "With --clip: sample it at N times, 2 to 4096 (default 60).\n"
	  "The hierarchy is judged at these times. Boxes enclose what is between\n"
	  "them, whatever N is.",
	  bvasset_option_count, BVOPT_AT( asset.clip.samples ), .least = 2, .most = BVB_MAX_CLIP_SAMPLES,
	  .group = bvasset_help_rarely, .see = "--clip",
	  .example = "bvbuild walk.glb -o walk.bvh --clip Walk --samples 120", .record = 470,
	  .omitted = bvasset_default_not_recorded, .in_use = bvasset_uses_clip, .needs = "--clip" },
	{ "clip-segments", 0, "N",
	  "With --clip: boxes for each of N parts of the time, too (default 1).\n"
	  "N is less than the number of samples, and at most 1024. Each segment\n"
	  "takes 16 bytes per node.",
	  bvasset_option_count, BVOPT_AT( asset.clip.segments ), .least = 1, .most = BVB_MAX_CLIP_SEGMENTS,
	  .group = bvasset_help_rarely, .see = "--clip, --samples",
	  .example = "bvbuild walk.glb -o walk.bvh --clip Walk --clip-segments 8", .record = 480,
	  .omitted = bvasset_default_not_recorded, .in_use = bvasset_uses_clip, .needs = "--clip" },
	{ "clip-frames", 0, NULL,
	  "With --clip: store the vertices at all samples, 6 bytes each.\n"
	  "An HTML report plays the clip, and bvinspect --verify checks the boxes\n"
	  "at all samples.",
	  bvasset_option_flag, BVOPT_AT( asset.clip.frames ), .group = bvasset_help_rarely,
	  .see = "--clip, --samples, --report",
	  .example = "bvbuild walk.glb -o walk.bvh --clip Walk --clip-frames", .record = 490,
	  .omitted = bvasset_default_not_recorded, .in_use = bvasset_uses_clip, .needs = "--clip" },
	{ "proxies", 0, NULL,
	  "What collision names such as UCX_ROCK_01 mean (default use).\n"
	  "use: UCX_, UBX_, USP_, UCP_, -col and -convcol objects replace the\n"
	  "objects that they are named after. ignore: they are ordinary\n"
	  "objects. drop: they are skipped.",
	  bvasset_option_word, BVOPT_AT( asset.proxies ), .words = bvb_proxy_use_name,
	  .group = bvasset_help_input, .see = "--list-objects, --object",
	  .example = "bvbuild level.fbx -o level.bvh --proxies ignore", .record = 450 },
	{ "sections", 0, "NAME,...",
	  "What is in the file: NAME adds a section, -NAME removes it.\n"
	  "Sections that need a removed one are removed too. none removes all,\n"
	  "as in none,hull. The names are listed below.",
	  bvasset_option_other, BVOPT_AT( asset.sections ), .apply = bvopt_set_sections,
	  .names = bvb_section_name, .title = "Sections (--sections)", .group = bvasset_help_content,
	  .see = "--decompose, --simplify, --hausdorff",
	  .example = "bvbuild rock.obj -o rock.bvh --sections none,hull", .record = 440,
	  .print = bvasset_print_sections },
	{ "preset", 0, "NAME",
	  "Speed against tightness: fast, balanced (the default) or best.\n"
	  "Options given explicitly take precedence over the preset.",
	  bvasset_option_word, BVOPT_AT( preset ), .words = bvasset_preset_word, .apply = bvopt_set_preset,
	  .group = bvasset_help_quality, .see = "--builder, --volume, --hausdorff, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --preset best" },
	{ "builder", 0, "NAME",
	  "How the hierarchy is built; the names are listed below.\n"
	  "Builders differ in build time and in the cost of queries. The names are\n"
	  "listed by --help=all.",
	  bvasset_option_name, BVOPT_AT( asset.hierarchy.builder ), .names = bvb_builder_name,
	  .title = "Builders (--builder)", .group = bvasset_help_rarely,
	  .see = "--splitter, --volume, --preset, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder ploc", .record = 80, .preset = 10,
	  .in_use = bvasset_needs_builder, .omitted = bvasset_idle_recorded },
	{ "splitter", 0, "NAME", "How the builder topdown divides a node's triangles; listed below.",
	  bvasset_option_name, BVOPT_AT( asset.hierarchy.splitter ), .names = bvb_splitter_name,
	  .title = "Splitters (--splitter), of the builder topdown", .group = bvasset_help_rarely,
	  .see = "--builder topdown, --quality, --seed",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --splitter gottschalk", .record = 90,
	  .preset = 20, .in_use = bvasset_uses_splitter },
	{ "volume", 0, "TYPE,...",
	  "Type of the nodes' bounding volumes; listed below.\n"
	  "With several types each node takes the best one.",
	  bvasset_option_other, BVOPT_AT( asset.hierarchy.volume_types ), .apply = bvopt_set_volume,
	  .names = bvopt_volume_name, .title = "Volumes (--volume)", .group = bvasset_help_rarely,
	  .see = "--node-box, --hit-tests, --builder",
	  .example = "bvbuild rock.obj -o rock.bvh --volume obb,sphere", .record = 100, .preset = 30,
	  .print = bvasset_print_volumes },
	{ "hit-tests", 0, "N",
	  "How to weigh tightness where nodes choose between types (default 2).\n"
	  "N is the number of tests of average cost that follow when a volume\n"
	  "is hit. With 0 only the volume's own test counts.",
	  bvasset_option_real, BVOPT_AT( asset.hierarchy.hit_tests ), .most = BVB_MAX_HIT_TESTS,
	  .group = bvasset_help_rarely, .see = "--volume, --cost-matrix",
	  .example = "bvbuild rock.obj -o rock.bvh --volume obb,sphere --hit-tests 4", .record = 110,
	  .in_use = bvasset_uses_several_volumes },
	{ "degree", 0, "N", "Number of children per node, 2 to 6 (default 2).", bvasset_option_count,
	  BVOPT_AT( asset.hierarchy.degree ), .least = 2, .most = BVB_MAX_DEGREE, .group = bvasset_help_rarely,
	  .see = "--builder, --improvement, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --degree 4", .record = 160,
	  .in_use = bvasset_uses_fixed_degree },
	{ "improvement", 0, "A",
	  "Choose the number of children per node instead of --degree.\n"
	  "Each node has the fewest children whose quality is at most A times\n"
	  "its own. A is above 0 and at most 1.",
	  bvasset_option_positive, BVOPT_AT( asset.hierarchy.improvement ), .most = 1,
	  .apply = bvopt_set_improvement, .group = bvasset_help_rarely,
	  .see = "--degree, --max-degree, --min-faces, --quality",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5", .record = 130,
	  .in_use = bvasset_uses_own_degrees },
	{ "max-degree", 0, "N", "With --improvement: at most N children, 2 to 6 (default 6).",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.max_degree ), .least = 2, .most = BVB_MAX_DEGREE,
	  .group = bvasset_help_rarely, .see = "--improvement",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5 --max-degree 4",
	  .record = 140, .in_use = bvasset_uses_own_degrees },
	{ "min-faces", 0, "N",
	  "With --improvement: smaller nodes may become leaves (default 2).\n"
	  "A node with fewer than N triangles is a leaf if no division improves\n"
	  "it enough.",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.min_faces ), .least = 2, .most = 1 << 20,
	  .group = bvasset_help_rarely, .see = "--improvement",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --improvement 0.5 --min-faces 8",
	  .record = 150, .in_use = bvasset_uses_own_degrees },
	{ "quality", 0, NULL,
	  "What builders minimize in a node (default area).\n"
	  "hausdorff is the certified distance from points of the volume to the\n"
	  "triangles.",
	  bvasset_option_word, BVOPT_AT( asset.hierarchy.quality ), .words = bvb_quality_name,
	  .group = bvasset_help_rarely, .see = "--aggregate, --splitter, --improvement, --volume",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --quality volume", .record = 170 },
	{ "aggregate", 0, NULL,
	  "How the quality of several nodes is combined (default mean).\n"
	  "max minimizes the worst node, mean the average.",
	  bvasset_option_word, BVOPT_AT( asset.hierarchy.aggregate ), .words = bvb_aggregate_name,
	  .group = bvasset_help_rarely, .see = "--quality",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --aggregate max", .record = 180 },
	{ "cost-matrix", 0, "FILE",
	  "Costs of tests, as bvinspect --measure-costs prints them.\n"
	  "By default a table that is the same on every machine is used.",
	  bvasset_option_other, BVOPT_AT( asset.hierarchy.costs ), .apply = bvopt_set_cost_matrix, .reads = true,
	  .group = bvasset_help_rarely, .see = "--collapse, --hit-tests",
	  .example = "bvbuild rock.obj -o rock.bvh --cost-matrix costs.txt", .record = 190,
	  .in_use = bvasset_uses_own_costs, .print = bvasset_print_costs },
	{ "search-budget", 0, "N",
	  "Open problems per node of branch-and-bound (default 100000).\n"
	  "When it is used up, the best division found so far is taken.",
	  bvasset_option_count64, BVOPT_AT( asset.hierarchy.search_budget ), .least = 1, .most = 1 << 30,
	  .group = bvasset_help_rarely, .see = "--splitter branch-and-bound",
	  .example = "bvbuild crate.obj -o crate.bvh --builder topdown --splitter branch-and-bound "
	             "--search-budget 1000",
	  .record = 200 },
	{ "seed", 0, "N",
	  "Seed of splitters that choose at random (default 0).\n"
	  "The same seed gives the same tree. N is 0 to 4294967295.",
	  bvasset_option_count64, BVOPT_AT( asset.hierarchy.seed ), .most = UINT32_MAX,
	  .group = bvasset_help_rarely, .see = "--builder, --splitter",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --splitter insertion-random --seed 7",
	  .record = 210 },
	{ "node-box", 0, "METHOD", "How oriented boxes of nodes are fitted; listed below.", bvasset_option_name,
	  BVOPT_AT( asset.hierarchy.node_box ), .names = bvb_node_box_name, .called = "method of --node-box",
	  .title = "Boxes of nodes (--node-box, --refit)", .group = bvasset_help_rarely,
	  .see = "--volume obb, --refit", .example = "bvbuild rock.obj -o rock.bvh --node-box pca", .record = 120,
	  .preset = 40, .in_use = bvasset_uses_oriented_boxes, .omitted = bvasset_idle_recorded },
	{ "box", 0, "METHOD", "How the oriented box of the whole mesh is fitted; listed below.",
	  bvasset_option_name, BVOPT_AT( asset.obb.method ), .names = bvb_obb_method_name,
	  .called = "method of --box", .title = "Boxes of the whole mesh (--box)", .group = bvasset_help_rarely,
	  .see = "--box-objective, --sections bounds", .example = "bvbuild rock.obj -o rock.bvh --box pca-hull",
	  .record = 280, .preset = 90, .omitted = bvasset_default_not_shown },
	{ "box-objective", 0, NULL,
	  "What the box of the whole mesh minimizes (default volume).\n"
	  "The methods of --box look for the box of least volume, surface area or\n"
	  "diameter.",
	  bvasset_option_word, BVOPT_AT( asset.obb.objective ), .words = bvb_box_objective_name,
	  .group = bvasset_help_rarely, .see = "--box",
	  .example = "bvbuild rock.obj -o rock.bvh --box-objective area", .record = 290 },
	{ "hausdorff", 0, "REL",
	  "Certify node errors to the relative tolerance REL; 0: do not.\n"
	  "The error is the largest distance from a point of the node's volume\n"
	  "to its triangles. REL is 1e-6 to 1.",
	  bvasset_option_real, BVOPT_AT( asset.errors.relative ), .least = 1e-6, .most = 1,
	  .apply = bvopt_set_floor, .group = bvasset_help_quality, .see = "--sections errors, --gate",
	  .example = "bvbuild rock.obj -o rock.bvh --hausdorff 0.01", .record = 300, .preset = 100 },
	{ "recognize", 0, "TOLERANCE",
	  "Find a box, sphere, capsule or cylinder within TOLERANCE, or 0.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal. 0 finds none.",
	  bvasset_option_length, BVOPT_AT( asset.recognize ), .group = bvasset_help_parts,
	  .see = "--sections primitives, --decompose", .example = "bvbuild rock.obj -o rock.bvh --recognize 2%",
	  .old_name = "recognise", .record = 310, .recorded_as = "recognise", .preset = 110 },
	{ "simplify", 0, "TOLERANCE",
	  "Add a proxy mesh: few triangles, within TOLERANCE of the mesh.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal. The proxy encloses a mesh that is closed and faces\n"
	  "outward.",
	  bvasset_option_length, BVOPT_AT( asset.simplify ), .group = bvasset_help_parts,
	  .see = "--decompose, --sections proxy", .example = "bvbuild rock.obj -o rock.bvh --simplify 2%",
	  .record = 410, .in_use = bvasset_uses_proxy },
	{ "decompose", 0, "[=TOLERANCE]",
	  "Add convex parts that stand off the mesh by at most TOLERANCE.\n"
	  "TOLERANCE is a length in mesh units, or N% of the bounding box's\n"
	  "diagonal (default 1%). 0: as close as --max-parts allows.",
	  bvasset_option_length, BVOPT_AT( asset.stand_off ), .apply = bvopt_set_decompose,
	  .group = bvasset_help_parts, .see = "--max-parts, --max-part-vertices, --decompose-effort, --simplify",
	  .example = "bvbuild cup.obj -o cup.bvh --units mm --decompose=0.005", .record = 320,
	  .in_use = bvasset_uses_parts },
	{ "max-parts", 0, "N",
	  "With --decompose: at most N parts, up to 4096 (default 64).\n"
	  "If N parts are too few for the tolerance, the stand-off is larger.",
	  bvasset_option_count, BVOPT_AT( asset.decompose.max_parts ), .least = 1, .most = BVB_MAX_PARTS,
	  .group = bvasset_help_parts, .see = "--decompose",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --max-parts 16", .record = 330,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "max-part-vertices", 0, "N",
	  "With --decompose: vertices per part, 4 to 255 (default 64).\n"
	  "Use the limit that your engine has for convex shapes.",
	  bvasset_option_count, BVOPT_AT( asset.decompose.max_vertices ), .least = 4,
	  .most = BVB_MAX_PART_VERTICES, .group = bvasset_help_parts, .see = "--decompose",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --max-part-vertices 32", .record = 340,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "min-thickness", 0, "L",
	  "With --decompose: thicken thinner parts to L mesh units (default 0).\n"
	  "Thin parts make solvers unstable.",
	  bvasset_option_real, BVOPT_AT( asset.decompose.min_thickness ), .group = bvasset_help_rarely,
	  .see = "--decompose, --decompose-mode",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --min-thickness 0.01", .record = 350,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "probe-radius", 0, "L",
	  "With --decompose: gaps narrower than a ball of radius L may be\n"
	  "filled (default 0).",
	  bvasset_option_real, BVOPT_AT( asset.decompose.probe_radius ), .group = bvasset_help_rarely,
	  .see = "--decompose", .example = "bvbuild cup.obj -o cup.bvh --decompose --probe-radius 0.02",
	  .record = 360, .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "decompose-mode", 0, NULL,
	  "With --decompose: fill the inside or not (default automatic).\n"
	  "solid fills the inside, surface makes thin shells, automatic fills\n"
	  "the inside where there is one.",
	  bvasset_option_word, BVOPT_AT( asset.decompose.mode ), .words = bvb_decompose_mode_name,
	  .group = bvasset_help_rarely, .see = "--decompose, --min-thickness",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decompose-mode surface", .record = 370,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "decomposer", 0, "NAME", "With --decompose: the method; listed below.", bvasset_option_name,
	  BVOPT_AT( asset.decompose.method ), .names = bvb_decomposer_name, .title = "Decomposers (--decomposer)",
	  .group = bvasset_help_rarely, .see = "--decompose, --decompose-effort",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decomposer notch", .record = 380,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "decompose-effort", 0, "N",
	  "With --decompose: time spent on better parts, 0 to 2 (default 1).\n"
	  "A higher effort takes more time and gives fewer or closer parts.",
	  bvasset_option_count, BVOPT_AT( asset.decompose.effort ), .most = BVB_MAX_DECOMPOSE_EFFORT,
	  .group = bvasset_help_rarely, .see = "--decompose, --time-budget",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --decompose-effort 2", .record = 390, .preset = 120,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "time-budget", 0, "SECONDS",
	  "With --decompose: finish after SECONDS; 0: no limit (default).\n"
	  "The result is valid, but depends on the speed of the machine.",
	  bvasset_option_real, BVOPT_AT( asset.decompose.time_budget ), .most = 1e6, .unit = "seconds",
	  .group = bvasset_help_rarely, .see = "--decompose, --decompose-effort",
	  .example = "bvbuild cup.obj -o cup.bvh --decompose --time-budget 10", .record = 400,
	  .in_use = bvasset_uses_parts, .needs = "--decompose" },
	{ "optimize", 0, "N",
	  "Improve the finished tree by N rounds of reinsertion (default 0).\n"
	  "Each round removes subtrees and inserts them where the cost is least.",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.optimize ), .most = 1000, .group = bvasset_help_rarely,
	  .see = "--builder, --collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --builder topdown --optimize 20", .old_name = "optimise",
	  .record = 220, .recorded_as = "optimise", .preset = 50, .omitted = bvasset_default_not_shown },
	{ "refit", 0, "METHOD|none",
	  "Fit boxes of nodes again in the finished tree, by METHOD.\n"
	  "METHOD is one of --node-box. none removes the one of a preset.",
	  bvasset_option_name, BVOPT_AT( asset.hierarchy.refit ), .names = bvb_node_box_name, .may_be_none = true,
	  .called = "method of --node-box for --refit", .group = bvasset_help_rarely,
	  .see = "--node-box, --volume obb", .example = "bvbuild rock.obj -o rock.bvh --refit refined",
	  .record = 230, .preset = 80, .omitted = bvasset_default_not_recorded | bvasset_default_not_shown },
	{ "collapse", 0, "N",
	  "Make the tree wide: up to N children, 2 to 8; 0: no (default 8).\n"
	  "Nodes that cost more than they save are removed, and leaves are\n"
	  "merged up to --leaf-triangles.",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.collapse ), .most = BVB_MAX_CHILDREN,
	  .apply = bvopt_check_collapse, .group = bvasset_help_rarely,
	  .see = "--byte-price, --leaf-triangles, --degree",
	  .example = "bvbuild rock.obj -o rock.bvh --collapse 4", .record = 240, .preset = 60 },
	{ "byte-price", 0, "N",
	  "With --collapse: the cost of one byte of the tree per triangle, in\n"
	  "the unit of the costs of tests (default: that of --preset, or 200).",
	  bvasset_option_real, BVOPT_AT( asset.hierarchy.byte_price ), .most = BVB_MAX_BYTE_PRICE,
	  .group = bvasset_help_rarely, .see = "--collapse",
	  .example = "bvbuild rock.obj -o rock.bvh --byte-price 500", .record = 250, .preset = 70,
	  .in_use = bvasset_uses_collapse },
	{ "leaf-triangles", 0, "N",
	  "At most N triangles per leaf (default 8 with --collapse, else 1).\n"
	  "N is 1 to 1048576.",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.leaf_triangles ), .least = 1, .most = 1 << 20,
	  .group = bvasset_help_rarely, .see = "--collapse, --max-depth",
	  .example = "bvbuild rock.obj -o rock.bvh --leaf-triangles 4", .record = 260 },
	{ "max-depth", 0, "N",
	  "Stop dividing at level N, 0 to 64 (default 64); the root is level 0.\n"
	  "Nodes on this level are leaves, however many triangles they have.",
	  bvasset_option_count, BVOPT_AT( asset.hierarchy.max_depth ), .most = BV_MAX_DEPTH,
	  .group = bvasset_help_rarely, .see = "--leaf-triangles",
	  .example = "bvbuild rock.obj -o rock.bvh --max-depth 20", .record = 270 },
	{ "gate", 0, "CONDITION",
	  "Exit with 6 and write nothing unless CONDITION holds; repeatable.\n"
	  "CONDITION is an expression of keys of the report. The language is\n"
	  "described in gates.md, which is in share/doc/bvbuild.",
	  bvasset_option_other, BVOPT_AT( gates ), .apply = bvopt_add_gate, .repeats = true,
	  .group = bvasset_help_check, .see = "--report, --hausdorff",
	  .example = "bvbuild rock.obj -o rock.bvh --gate 'mesh.closed and file.bytes < 100e3'" },
	{ "strict", 0, NULL,
	  "Exit with 6 and write nothing if there is a bad finding.\n"
	  "Bad findings are printed in any case, unless --quiet is given: a surface\n"
	  "that faces inward, a tolerance that is missed, triangles that are lost.",
	  bvasset_option_flag, BVOPT_AT( strict ), .group = bvasset_help_check, .see = "--gate, --quiet",
	  .example = "bvbuild rock.obj -o rock.bvh --strict" },
	{ "import-timeout", 0, "SECONDS",
	  "Stop the importer of a foreign format after SECONDS (default 60).\n"
	  "FBX, Collada and other formats are read by Assimp in a child\n"
	  "process. Exit code 2 if it runs out of time.",
	  bvasset_option_positive, BVOPT_AT( import.timeout ), .most = 1e6, .unit = "seconds",
	  .group = bvasset_help_rarely, .see = "--import-memory",
	  .example = "bvbuild level.fbx -o level.bvh --import-timeout 300" },
	{ "import-memory", 0, "MIB",
	  "Stop the importer at this much memory, in MiB (default 8192).\n"
	  "The limit applies to the child process that runs Assimp, and to scenes\n"
	  "of glTF, whose instances can be much larger than the file.",
	  bvasset_option_count64, BVOPT_AT( import.memory_bytes ), .least = 1, .most = 1 << 30, .factor = 1 << 20,
	  .group = bvasset_help_rarely, .see = "--import-timeout",
	  .example = "bvbuild level.fbx -o level.bvh --import-memory 16000" },
	{ .name = NULL },
};

const int bvopt_row_count = sizeof bvopt_rows / sizeof bvopt_rows[0] - 1;
_Static_assert( sizeof bvopt_rows / sizeof bvopt_rows[0] - 1 <= BVB_MAX_OPTIONS,
                "room for the uses of each" );
