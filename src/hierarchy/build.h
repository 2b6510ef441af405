// What all builders share: the faces of one mesh, how their volumes are fitted, the nodes to fill, and memory for
// each thread. The table of builders is in build.c.

#pragma once

#include "hierarchy/quality.h"
#include "spheres/sphere_tree.h"
#include "tree/tree.h"

/// What each thread has for itself.
typedef struct bvb_worker
{
	bvb_arena* arena;             ///< for small and lasting things, such as the target
	bvb_hausdorff_target* target; ///< of the last set that was measured; null before the first
} bvb_worker;

/// One build.
typedef struct bvb_build
{
	const bvb_hierarchy_options* options; ///< checked
	const bvb_mesh* mesh;                 ///< not yet in the tree's order
	bool bare;                    ///< whether the builder needs neither faces, corners nor room for nodes
	const bvb_face* faces;        ///< of the mesh's triangles; null for a bare builder
	uint32_t count;               ///< of faces, at least 1
	const bvb_node_box* node_box; ///< that of the options
	bvb_quality quality;          ///< that of the options
	bvb_arena* scratch;  ///< for whatever does not outlive the build; not for several threads at once
	bvb_worker* workers; ///< by omp_get_thread_num()
	int team;            ///< how many threads there may be
	bv_vec3* corners; ///< room for 3 points a face: [3 * first, 3 * (first + n)) belongs to whoever works on
					  ///< the range of n from `first` of the order; null for a bare builder
	bool* failed;     ///< set by whoever runs out of memory, with an atomic write

	uint32_t*
		order; ///< result: the faces in the order of the leaves; at first 0, 1, 2, ..., but for a bare builder
	bvb_tree*
		tree; ///< result: nodes[0] is the root; room for 2 * count - 1 nodes, children neighbors, any order. A bare
	///< builder makes that room itself: in `scratch`; or in `keep` and in canonical order, and sets node_count
	bvb_arena* keep; ///< where the tree will live
} bvb_build;

/// Fills build->order and build->tree.
/// @return bv_ok; bv_error_memory
typedef bv_status bvb_build_function( const bvb_build* build );

/// @return whether the builder can do without all that takes time to prepare, see bvb_build
typedef bool bvb_bare_function( const bvb_mesh* mesh, const bvb_hierarchy_options* options );

/// One row of the table of builders.
typedef struct bvb_builder
{
	const char* name;          ///< value of --builder
	const char* summary;       ///< one line for --help, with the source
	bvb_build_function* build; ///< the algorithm
	bvb_bare_function* bare;   ///< null: never
	bool upright;              ///< whether it goes by axis-aligned boxes, whatever volumes nodes are to have
	bool
		collapses; ///< whether its trees are collapsed as it makes them, and but for the types of volumes in the order of files
	bvb_builder_traits traits;   ///< what goes with it
	bvb_sphere_builder* spheres; ///< of bvb_build_spheres: what makes the spheres
} bvb_builder;

bvb_build_function bvb_build_topdown;
bvb_build_function bvb_build_sah;
bvb_bare_function bvb_build_sah_is_bare;
bvb_build_function bvb_build_ploc;
bvb_build_function bvb_build_binned;
bvb_bare_function bvb_build_binned_is_bare;
bvb_build_function bvb_build_boxtree;
bvb_build_function bvb_build_boxtree_max;
bvb_build_function bvb_build_boxtree_min;
bvb_build_function bvb_build_boxtree_pie_max;
bvb_build_function bvb_build_boxtree_pie_min;
bvb_build_function bvb_build_spheres;

/// What comes after the builder: each takes build->tree and build->order and leaves another tree there, of the same faces.
/// @param build  its tree is binary
/// @return bv_ok; bv_error_memory
bv_status bvb_optimize( const bvb_build* build );
bv_status bvb_collapse( const bvb_build* build );

/// Takes a tree of any degree, and gives it the order of files: children of one type side by side, and of the triangles below a
/// node first those of its leaves.
bv_status bvb_arrange( const bvb_build* build );

/// @return the table's row of that name, or null
const bvb_builder* bvb_builder_find( const char* name );

/// @param first  of a range of build->order
/// @param count  of the range, at least 1
/// @return the range as a list
static inline bvb_face_list bvb_build_list( const bvb_build* build, uint32_t first, uint32_t count )
{
	return ( bvb_face_list ){ build->faces, build->order + first, count, build->corners + 3 * (size_t)first,
		                      build->node_box };
}

/// Fits a volume to a set: of the only type there is, or of that with the best quality.
/// @param quality  receives it, unless null
bv_volume bvb_build_fit( const bvb_build* build, bvb_worker* worker, const bvb_face_list* list,
                         double* quality );

/// For bare builders: allocates room for the tree's nodes and volumes.
/// @return false when out of memory
bool bvb_build_make_room( const bvb_build* build, bvb_arena* arena );

/// @return the worker of the calling thread
bvb_worker* bvb_build_worker( const bvb_build* build );

/// Makes a build ready, but for the builder's work: what bvb_hierarchy_build begins with.
/// @param options  not copied
/// @param owner    whose share of memory the build may take
/// @param out      whatever the status is, bvb_build_end must follow
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status bvb_build_begin( const bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* owner,
                           bvb_build* out, bvb_error* error );

/// Returns all memory.
void bvb_build_end( bvb_build* build );
