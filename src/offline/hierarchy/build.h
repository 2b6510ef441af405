// What all builders share: the faces of one mesh, how their volumes are fitted, the nodes to fill, and memory
// for each thread. The table of builders is in builders.c.

#pragma once

#include "offline/hierarchy/quality.h"
#include "offline/tree/tree.h"

/// What each thread has for itself.
typedef struct bvhier_worker
{
	bvb_arena* arena;             ///< for small and lasting things, such as the target
	bvb_hausdorff_target* target; ///< of the last set that was measured; null before the first
} bvhier_worker;

/// One build.
typedef struct bvhier_build
{
	const bvb_hierarchy_options* options;   ///< checked
	const struct bvhier_builder* builder;   ///< the row that the options name, see builders.h
	const struct bvhier_splitter* splitter; ///< the row that the options name, see splitters.h
	const bvb_mesh* mesh;                   ///< not yet in the tree's order
	bool bare;                      ///< whether the builder needs neither faces, corners nor room for nodes
	const bvfit_face* faces;        ///< of the mesh's triangles; null for a bare builder
	uint32_t count;                 ///< of faces, at least 1
	const bvfit_node_box* node_box; ///< that of the options
	bvhier_quality quality;         ///< that of the options
	bvb_arena* scratch;     ///< for whatever does not outlive the build; not for several threads at once
	bvhier_worker* workers; ///< by omp_get_thread_num()
	int team;               ///< how many threads there may be
	bv_vec3* corners; ///< room for 3 points a face: [3 * first, 3 * (first + n)) belongs to whoever works on
					  ///< the range of n from `first` of the order; null for a bare builder
	bool* failed;     ///< set by whoever runs out of memory, with an atomic write

	/// result: the faces in the order of the leaves; at first 0, 1, 2, ..., except for a bare builder
	uint32_t* order;

	/// result: nodes[0] is the root; room for 2 * count - 1 nodes, children neighbors, any order. A bare
	/// builder makes that room itself: in `scratch`; or in `keep` and in canonical order, and sets node_count
	bvb_tree* tree;

	bvb_arena* keep; ///< where the tree will live
} bvhier_build;

/// Checks all options, and whether the mesh can have a tree.
/// @return bv_ok; bv_error_argument, with the reason
bv_status bvhier_check_options( const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                bvb_error* error );

/// What comes after the builder: each takes build->tree and build->order and leaves another tree there, of
/// the same faces.
/// @param build  its tree is binary
/// @return bv_ok; bv_error_memory
bv_status bvhier_optimize( const bvhier_build* build );
bv_status bvhier_collapse( const bvhier_build* build );

/// Takes a tree of any degree, and gives it the order of files: children of one type side by side, and of the
/// triangles below a node first those of its leaves.
bv_status bvhier_arrange( const bvhier_build* build );

/// @param first  of a range of build->order
/// @param count  of the range, at least 1
/// @return the range as a list
static inline bvfit_face_list bvhier_build_list( const bvhier_build* build, uint32_t first, uint32_t count )
{
	return ( bvfit_face_list ){ build->faces, build->order + first, count, build->corners + 3 * (size_t)first,
		                        build->node_box };
}

/// Fits a volume to a set: of the only type there is, or of that with the best quality.
/// @param quality  receives it, unless null
bv_volume bvhier_build_fit( const bvhier_build* build, bvhier_worker* worker, const bvfit_face_list* list,
                            double* quality );

/// For bare builders: allocates room for the tree's nodes and volumes.
/// @return false when out of memory
bool bvhier_build_make_room( const bvhier_build* build, bvb_arena* arena );

/// @return the worker of the calling thread
bvhier_worker* bvhier_build_worker( const bvhier_build* build );

/// Makes a build ready, but for the builder's work: what bvb_hierarchy_build begins with.
/// @param options  not copied
/// @param owner    whose share of memory the build may take
/// @param out      whatever the status is, bvhier_build_end must follow
/// @return bv_ok; bv_error_argument; bv_error_memory
bv_status bvhier_build_begin( const bvb_mesh* mesh, const bvb_hierarchy_options* options, bvb_arena* owner,
                              bvhier_build* out, bvb_error* error );

/// Returns all memory.
void bvhier_build_end( bvhier_build* build );
