// Meshes that bend: new positions for the vertices of a file, and the hierarchy refitted to them.
//
//     #include <bvworld/deform.h>
//
//     // Moves all vertices of a mesh, and counts the pairs of triangles that intersect another mesh.
//     bv_status count_pairs( bvw_deform* cloth, const double* positions, uint32_t count, const bv_file* body,
//                            uint64_t* pairs )
//     {
//         bvw_vertices vertices = { .positions = positions, .count = count };
//         bv_status status = bvw_deform_refit( cloth, &vertices, NULL, 0, NULL );
//         bv_transform in_place = bv_transform_identity();
//         bv_collide_result r;
//         status = status ? status : bv_mesh_collide( bvw_deform_file( cloth ), body, &in_place, NULL, &r );
//         *pairs = status ? 0 : r.pairs;
//         return status;
//     }
//
// A deformable mesh is a block of memory of the caller, made from a file. It contains a file of its own, which all queries of libbv and
// libbvworld take: bvw_deform_file. That file has the triangles of the original one. Vertices, triangles and nodes have the same numbers;
// only a rebuild gives other numbers to triangles. A refit moves vertices and makes the volumes of the nodes enclose their triangles
// again. It can be told which vertices moved; what others need is not touched then, and the result is the same.
//
// Positions are stored in binary32, relative to the offset of the file. Queries refer to the stored positions.
//
// Triangles may lose their area. Queries take them as segments and points, except that rays do not hit them.
//
// The vertices are those of the file: bv_file_get_vertex. bvbuild merges and renumbers vertices of the source.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/file.h"
#include "bv/mesh.h"

#include "bvworld/broadphase.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The greatest absolute value of a position's coordinate, relative to the offset of the file: 2^116, so that volumes of all types have
/// codes.
#define BVW_MAX_POSITION 83076749736557242056487941267521536.0

/// What becomes of the axes of volumes that have some: oriented boxes, rectangle swept spheres and prisms.
typedef enum bvw_deform_frames
{
	bvw_deform_keep = 0, ///< they stay as they are in the file
	bvw_deform_turn,     ///< they turn as the vertices of the node have turned, compared with the file
	bvw_deform_rules,    ///< the number of rules
} bvw_deform_frames;

/// Options of a deformable mesh. Zero-initialized options are the defaults.
typedef struct bvw_deform_options
{
	bvw_deform_frames
		frames; ///< default bvw_deform_keep. Turning needs another 12 bytes per vertex, and refits take about seven times as long

	/// Vertices are never listed: each refit moves all of them. Saves about 11 bytes per triangle. Default: lists are possible.
	bool no_lists;

	/// Vertices can move during a step: see bvw_deform_refit_motion. Needs another 12 bytes per vertex.
	bool motion;

	/// The file has certified errors, and so has the image: upper bounds that stay true after each refit. They are those of the file, plus
	/// how far vertices and volumes departed from where a similarity of the node takes them; lower bounds are 0. A refit takes about
	/// 0.15 us more per triangle, five to twenty times as long. A refit of listed vertices takes time linear in the number of nodes.
	/// bvb_hausdorff_file measures errors anew.
	bool errors;

	/// The most triangles that bvw_deform_rebuild may assign anew in a call; more than the file has stands for all. Needs 30 to 45 bytes per
	/// triangle of the file, and 65 per triangle of this number. Such a mesh cannot have a skin (bvworld/skin.h). Default 0: no
	/// rebuilds. Otherwise the file can have up to 2^30 - 1 triangles.
	uint32_t rebuild_triangles;

	uint32_t workers; ///< the most threads of a refit, up to BVW_MAX_WORKERS; default 0: 1
} bvw_deform_options;

/// @return the defaults listed in bvw_deform_options
bvw_deform_options bvw_deform_options_default( void );

/// A mesh that bends: a block of memory of the caller. It must not be moved.
typedef struct bvw_deform bvw_deform;

/// @param file     with a hierarchy
/// @param options  null for the defaults
/// @return the size of the memory that a deformable mesh needs, bytes; 0 if the file is null or has no hierarchy, an option is out of
/// range, or the file has no errors although options.errors is set. Takes time linear in the number of triangles
size_t bvw_deform_bytes( const bv_file* file, const bvw_deform_options* options );

/// Makes a deformable mesh with the positions of a file.
/// @param file     with a hierarchy; must remain valid and unchanged
/// @param options  null for the defaults
/// @param memory   8-byte aligned; remains the caller's
/// @param bytes    its size, at least bvw_deform_bytes( file, options )
/// @param out      receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if another pointer is null, the memory is not aligned, bvw_deform_bytes is 0, or a coordinate of the file
/// exceeds BVW_MAX_POSITION; bv_error_memory if the memory is too small. `*out` is unchanged on errors
bv_status bvw_deform_begin( const bv_file* file, const bvw_deform_options* options, void* memory,
                            size_t bytes, bvw_deform** out );

/// Returns the mesh as it is now. It changes with each refit; the pointer remains the same. No refit may run during a query.
///
/// It has positions, triangles and the hierarchy. Functions that read other sections find none; of bv_mesh_info, `area`, the kinds of
/// edges and `largest_displacement` are those of the original file. Its bytes are not a file to be stored: they have no checksums.
/// @return null for null
const bv_file* bvw_deform_file( const bvw_deform* deform );

/// Positions of vertices, in arrays of the caller. Set one of the two pointers.
typedef struct bvw_vertices
{
	const double* positions; ///< x, y, z of each, mesh units
	const float* floats;     ///< the same in binary32
	uint32_t
		stride; ///< bytes from a position to the next, a multiple of the size of a number; default 0: 24 or 12
	uint32_t count; ///< number of positions

	/// Of each vertex of the file, the number of its position. Null: the same number. For example, bvbuild merges vertices of a source;
	/// with an index, positions can stay in the order of the source.
	const uint32_t* index;
} bvw_vertices;

/// What a refit did.
typedef struct bvw_deform_report
{
	uint32_t vertices; ///< that were set
	uint32_t nodes;    ///< whose volumes were fitted anew
	bool whole;        ///< the grid that volumes are stored on had to change, so that all nodes were written
} bvw_deform_report;

/// Moves vertices, and refits the hierarchy. Afterwards the vertices do not move: see bvw_deform_refit_motion.
///
/// The result depends only on the positions of all vertices and on rebuilds, not on which vertices were listed or on earlier refits. Each
/// volume is the smallest of its kind with the axes and the center that it has, up to the rounding of the file format.
/// @param vertices  coordinates up to BVW_MAX_POSITION from the offset of the file. Unless vertices are listed, and without an index, as
///                  many as the file has. With an index, or a list, those that it names must be there
/// @param moved     numbers of vertices of the file that moved, in any order; null for all. Others keep their positions, and theirs are not
///                  read
/// @param count     length of `moved`
/// @param report    null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if another pointer is null, a number is out of range, a coordinate is NaN,
/// infinite or out of range, or vertices are listed although options.no_lists is set
bv_status bvw_deform_refit( bvw_deform* deform, const bvw_vertices* vertices, const uint32_t* moved,
                            uint32_t count, bvw_deform_report* report );

/// As bvw_deform_refit for all vertices, by several threads. The result is the same for any number of them.
/// @param tasks  at most options.workers at a time; null for the calling thread only
/// @return as bvw_deform_refit; also bv_error_argument if `tasks` has a null function, or `workers` is out of range
bv_status bvw_deform_refit_on( bvw_deform* deform, const bvw_vertices* vertices, const bvw_tasks* tasks,
                               bvw_deform_report* report );

/// Refits the hierarchy to vertices that move along lines at constant speed, from time 0 to 1. Volumes enclose their triangles at all times
/// in between. The file has the positions of time 0.
/// @param from   positions at time 0
/// @param to     positions at time 1
/// @param tasks  as of bvw_deform_refit_on
/// @return as bvw_deform_refit and bvw_deform_refit_on; also bv_error_argument if options.motion is not set
bv_status bvw_deform_refit_motion( bvw_deform* deform, const bvw_vertices* from, const bvw_vertices* to,
                                   const bvw_tasks* tasks, bvw_deform_report* report );

/// Stores errors that were measured for the present positions, as bvb_hausdorff_file measures them. They last until the next refit or
/// rebuild.
/// @param surface  upper bound of each node's surface error, by number, mesh units
/// @param solid    likewise of all points of its volume
/// @param stride   bytes from one to the next of both, a multiple of 4; default 0: 4
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null or not aligned, a number is negative or NaN, or options.errors
/// is not set, or a skin posed the mesh by its bones
bv_status bvw_deform_set_errors( bvw_deform* deform, const float* surface, const float* solid,
                                 uint32_t stride );

/// The most subtrees that bvw_deform_quality lists.
#define BVW_DEFORM_WORST 8

/// A subtree with larger volumes than its triangles need.
typedef struct bvw_deform_subtree
{
	uint32_t node;           ///< number of its root
	uint32_t first_triangle; ///< its triangles are consecutive in the file
	uint32_t triangles;      ///< how many
	/// How much its cost has grown, over how much the area of its triangles has grown: since bvw_deform_begin, or since a rebuild of it if
	/// it is not much less now than it was then.
	double ratio;

	double excess; ///< the cost that this adds, as a part of that of the hierarchy
} bvw_deform_subtree;

/// How well a hierarchy fits its triangles after refits.
typedef struct bvw_deform_quality_result
{
	/// The sum over all nodes of the surface of the volume, times the tests that follow when it is hit (triangles of a leaf, children of
	/// another node), over what a new hierarchy is expected to have: a multiple that is not known, and is the same in `cost_at_begin`. The
	/// surface is that of a box around the volume along its axes.
	double cost;

	double cost_at_begin; ///< the cost after bvw_deform_begin
	double ratio;         ///< cost / cost_at_begin; infinity if the triangles have no area any more

	/// The ratio from which on a new hierarchy pays: 1.2 if volumes have axes that stay, 1.3 if axes turn, 1.5 if volumes have none. On ten
	/// recorded deformations it was reached before bv_mesh_collide took twice as many tests as with a new hierarchy:
	/// docs/experiments/deform.md.
	double limit;

	/// The ratio is at least the limit: it is time to build a new hierarchy.
	bool rebuild;

	/// The subtrees whose volumes have grown most beyond their triangles, from the worst one. They have at most a sixteenth of the
	/// triangles each, none has triangles of another one, and all have a ratio above 1.
	bvw_deform_subtree worst[BVW_DEFORM_WORST];
	uint32_t worst_count; ///< length of worst
} bvw_deform_quality_result;

/// Measures how much worse a hierarchy has become by refits. Takes time linear in the number of nodes. It can be left out in most frames.
///
/// A mesh that moves, turns or grows as a whole keeps its quality, except that axis-aligned boxes, k-DOPs and volumes with axes that stay
/// change a little when it turns. After bvw_deform_refit_motion, motion counts, too, because volumes are larger.
/// @param deform  memory of it is used; no other call may use it at the same time
/// @param result  receives the quality, which depends only on the positions of the vertices and on rebuilds
/// @return bv_ok; bv_error_argument if a pointer is null, or a skin has posed the mesh without its vertices
bv_status bvw_deform_quality( bvw_deform* deform, bvw_deform_quality_result* result );

/// What bvw_deform_rebuild did.
typedef struct bvw_deform_rebuild_report
{
	uint32_t subtrees;  ///< that were tried, the worst ones first
	uint32_t triangles; ///< in these
	uint32_t
		assigned; ///< subtrees whose triangles are in other leaves, and whose volumes have new axes if they have some
	uint32_t
		turned; ///< subtrees whose volumes have new axes only. Of the rest, nothing was better than what they had
	double
		gain; ///< the part of the hierarchy's cost that is gone: 0.25 if it is three quarters of what it was; see bvw_deform_quality_result
} bvw_deform_rebuild_report;

/// Rebuilds the subtrees whose volumes have grown most beyond their triangles, within a budget. Nodes keep their numbers, their children and
/// how many triangles they have. Triangles are assigned to leaves anew, by the surface area heuristic, and volumes with axes get new ones. What
/// makes a subtree no better is undone, and it is not tried again before it has another cost. With a budget of all triangles, the whole
/// hierarchy is rebuilt.
///
/// Positions and the surface remain as they are. Triangles change their numbers: bvw_deform_triangle has those of the file. What depends on
/// the numbers, such as bvw_owners, has to be made again. Later refits depend on the rebuilds before them. Certified errors of nodes with
/// other triangles are those of their diameter, until bvw_deform_set_errors and again after the next refit.
///
/// Takes about 0.4 us per triangle of the subtrees; 2.2 us if volumes have axes, and 2.6 us if these turn. To this adds a time that is linear
/// in the number of triangles of the file: less than that of two refits with axis-aligned boxes.
/// @param triangles  the budget, triangles; 0 for options.rebuild_triangles
/// @param report     null if not wanted
/// @return bv_ok; bv_error_argument if `deform` is null or options.rebuild_triangles is 0, or less than the budget
bv_status bvw_deform_rebuild( bvw_deform* deform, uint32_t triangles, bvw_deform_rebuild_report* report );

/// @param triangle  of bvw_deform_file
/// @return its number in the file that the deformable mesh was made from: the same without rebuilds; UINT32_MAX if it is out of range
uint32_t bvw_deform_triangle( const bvw_deform* deform, uint32_t triangle );

#ifdef __cplusplus
}
#endif
