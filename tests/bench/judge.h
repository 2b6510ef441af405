// Evaluates hierarchies: loads a mesh as bvbuild does, builds a tree over it in memory, and runs queries
// with the poses of a file. Counts are those of bv_mesh_collide; times are CPU times of this thread. In C and in
// C++.

#pragma once

#include "bv/mesh.h"
#include "tests/bench/measure.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh with all that a file holds but its hierarchy.
typedef struct judge_mesh
{
	bvb_arena* arena; ///< everything lives here
	bvb_mesh source;  ///< as it was read
	bvb_asset asset;  ///< normalized; its tree is a single leaf
} judge_mesh;

/// Loads a mesh as `bvbuild --normalize` does, and does all that is not its hierarchy.
/// @return bv_ok, or what failed; judge_unload must follow either way
bv_status judge_load( const char* path, bvb_position_form positions, judge_mesh* out, bvb_error* error );

/// Frees all of it.
void judge_unload( judge_mesh* mesh );

/// A hierarchy and its file in memory.
typedef struct judge_tree
{
	bvb_arena* arena;    ///< everything lives here
	bvb_asset asset;     ///< that of the mesh, with the tree
	const bv_file* file; ///< without errors of the nodes
	size_t bytes;        ///< of a file as bvbuild writes it, with errors of the nodes
	size_t tree_bytes;   ///< of these those of the hierarchy and its errors
	uint32_t depth;      ///< of the deepest leaf
	double seconds;      ///< that building the hierarchy took, on one thread
} judge_tree;

/// Builds a tree on one thread.
/// @param mesh  must outlive the tree
/// @return bv_ok, or what failed; judge_fell must follow either way
bv_status judge_build( const judge_mesh* mesh, const bvb_hierarchy_options* options, judge_tree* out,
                       bvb_error* error );

/// Frees all of it.
void judge_fell( judge_tree* tree );

/// One line of a pose file.
typedef struct judge_pose
{
	double offset;  ///< from touching, along the direction it came from
	bv_pose pose;   ///< of the second mesh in the first one's coordinates
	uint64_t pairs; ///< of triangles that intersect, as the file says
} judge_pose;

/// A pose file. Its name is A__B.csv: of the meshes called A and B.
typedef struct judge_poses
{
	judge_pose* poses; ///< count of them
	uint32_t count;    ///< length of poses
	char a[64];        ///< name of the first mesh, without its extension
	char b[64];        ///< name of the second one
} judge_poses;

/// Reads a pose file.
/// @param arena  the poses live here
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status judge_read_poses( const char* path, bvb_arena* arena, judge_poses* out, bvb_error* error );

/// Finds the file of a mesh by its name.
/// @param folder  where it is
/// @param path    receives it
/// @return whether there is one
bool judge_find_mesh( const char* folder, const char* name, char* path, size_t size );

/// In place of an offset: poses of any.
#define judge_all_offsets INFINITY

/// What the queries of a pose file took together.
typedef struct judge_counts
{
	bv_test_counts tests;    ///< pairs of volumes by kind, openings and pairs of leaves
	uint64_t volume_tests;   ///< pairs of volumes
	uint64_t triangle_tests; ///< pairs of triangles
	uint32_t wrong;          ///< poses whose pairs are not as many as the file says
	double seconds;          ///< the least of the repeats
} judge_counts;

/// Runs the queries of one offset, for all pairs or for the first.
/// @return seconds they took
double judge_time( const judge_tree* a, const judge_tree* b, const judge_poses* poses, double offset,
                   bool first );

/// Counts what all queries do, for all pairs, and then times them.
/// @param repeats  how often they are timed, at least 1
judge_counts judge_collide( const judge_tree* a, const judge_tree* b, const judge_poses* poses, int repeats );

/// @return the weighted cost of the queries: the sum over kinds of steps of their count times the cost of one
double judge_cost( const judge_counts* counts, const bv_costs* costs );

#ifdef __cplusplus
}
#endif
