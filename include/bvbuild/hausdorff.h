// Directed Hausdorff distance from a bounding volume, or from another mesh, to triangles: how far a point of the one
// can be from the nearest point of the other. The result is an interval that always contains the true value.
//
// After J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, sections 3.5 and 3.8.2, whose estimate is a sample plus
// a correction term. Here regions of the volume are refined best first, and each is bounded by convexity: no point of a
// region is farther from a triangle, or from a convex combination of several distances, than one of its corners. See
// src/hausdorff/README.md for the bounds and why they hold.

#pragma once

#include "bv/file.h"
#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/hierarchy.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which points of the volume are measured, and the distance to what.
typedef enum bvb_hausdorff_measure
{
	bvb_hausdorff_solid, ///< all points of the volume, to the triangles: bounds the gap of two overlapping volumes
	bvb_hausdorff_surface, ///< the points of its boundary, to the triangles: Eckstein's quality measure
	bvb_hausdorff_outside, ///< all points of the volume, to the shape: the triangles and everything inside of them, which
		///< is where the winding number is at least 1/2. Where edges are open that ends between triangles too, 2^-10 of
		///< the triangles' diagonal is always tolerated, and up to a tenth of the distance from such an end
} bvb_hausdorff_measure;

/// What to measure and when to stop. The interval is valid wherever it stops.
typedef struct bvb_hausdorff_options
{
	bvb_hausdorff_measure measure; ///< default bvb_hausdorff_solid
	double relative;               ///< stop at upper <= lower * (1 + relative); default 0.01
	double absolute;               ///< or at upper <= lower + absolute, mesh units; default 0
	double sufficient;             ///< or at upper <= sufficient, mesh units; default 0
	uint64_t
		max_regions; ///< or after so many regions, but not before each side of a volume was looked at once; 0,
					 ///< the default, is no limit
	const bvb_winding* inside; ///< of the target's mesh; for bvb_hausdorff_outside only, else may be null
} bvb_hausdorff_options;

/// @return the defaults above
bvb_hausdorff_options bvb_hausdorff_options_default( void );

/// The true distance lies in [lower, upper], mesh units.
typedef struct bvb_hausdorff
{
	double lower;     ///< the distance of `witness`, rounded down
	double upper;     ///< no point that counts is farther away
	bv_vec3 witness;  ///< a point that counts: of the volume, to the rounding of its coordinates
	uint64_t regions; ///< how many regions were looked at, or single points of what needs no regions
} bvb_hausdorff;

/// Triangles with an index for finding the nearest ones, and memory for measuring: one at a time. Lives in the arena it was
/// made in, from which measuring may take some more, up to 6 MB in all; without it intervals stay wider.
typedef struct bvb_hausdorff_target bvb_hausdorff_target;

/// Prepares a mesh, or some of its triangles. Takes n steps for n triangles; n log n more are spread over the first
/// measurements, as far as they come.
/// @param mesh   without degenerate triangles; not kept
/// @param which  indices of the triangles that count; null for all
/// @param count  length of which; ignored when that is null
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument when there are no triangles; bv_error_memory
bv_status bvb_hausdorff_target_create( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                       bvb_arena* arena, bvb_hausdorff_target** out, bvb_error* error );

/// Replaces the triangles of a target, to measure many small sets in turn. Memory is allocated only if there are more
/// triangles than ever before.
/// @param mesh   as for bvb_hausdorff_target_create, also `which` and `count`
/// @return bv_ok; bv_error_argument when there are no triangles; bv_error_memory; on error the target is unchanged
bv_status bvb_hausdorff_target_reset( bvb_hausdorff_target* target, const bvb_mesh* mesh,
                                      const uint32_t* which, uint32_t count, bvb_error* error );

/// Measures a volume of each type against all triangles of the target. The volume need not enclose them.
/// @param options  null for the defaults
/// @return bv_ok; bv_error_argument for a volume that is empty or not finite, for tolerances that are negative or
///         NaN, for bvb_hausdorff_outside without `inside`, for coordinates beyond 2^500, or where all are below
///         2^-400; bv_error_memory
bv_status bvb_hausdorff_aabb( bvb_hausdorff_target* target, const bv_aabb* box,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_obb( bvb_hausdorff_target* target, const bv_obb* box,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_sphere( bvb_hausdorff_target* target, const bv_sphere* ball,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_prism( bvb_hausdorff_target* target, const bv_prism* prism,
                               const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_kdop( bvb_hausdorff_target* target, const bv_kdop* kdop,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_capsule( bvb_hausdorff_target* target, const bv_capsule* capsule,
                                 const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_cylinder( bvb_hausdorff_target* target, const bv_cylinder* cylinder,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_rss( bvb_hausdorff_target* target, const bv_rss* rss,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a volume of any type.
/// @copydoc bvb_hausdorff_aabb
bv_status bvb_hausdorff_volume( bvb_hausdorff_target* target, const bv_volume* volume,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// @copydoc bvb_hausdorff_aabb
/// @param points  what the hull was computed from
/// @param hull    of any kind; the surface of a point, a segment or a polygon is all of it
bv_status bvb_hausdorff_hull( bvb_hausdorff_target* target, const bv_vec3* points, const bvb_hull* hull,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures the triangles of another mesh: how far a point of `from` can be from the target. Of bvb_hausdorff_solid and
/// bvb_hausdorff_surface, which are the same here, or bvb_hausdorff_outside.
/// @param from  without degenerate triangles, at least one
bv_status bvb_hausdorff_mesh( bvb_hausdorff_target* target, const bvb_mesh* from,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Told about long work, by one thread at a time.
/// @param done  0 .. 1, the part of the nodes that is measured, never less than before
typedef void bvb_tree_errors_progress( void* context, double done );

/// How to measure a whole tree.
typedef struct bvb_tree_errors_options
{
	double relative; ///< for every node: stop at upper <= lower * (1 + relative), above 0; default 0.1
	double
		floor; ///< or at upper <= lower + floor * the diagonal of the node's box; default 0.01. A search also stops
			   ///< after 2^18 regions: then its interval is wider, and as certain as all others
	uint32_t threads; ///< 0, the default, means all processors; the result is the same for any number
	bool
		regions_only; ///< measure as it was done before boxes were cut into prisms: slower, other numbers, as certain;
					  ///< files of that time are verified so; default false
	bvb_tree_errors_progress* progress; ///< null, the default, for none
	void* progress_context;             ///< passed on
} bvb_tree_errors_options;

/// @return the defaults above
bvb_tree_errors_options bvb_tree_errors_options_default( void );

/// Sets the relative tolerance, and the floor to a tenth of it: where triangles cover a volume no relative tolerance is ever
/// met.
void bvb_tree_errors_to( bvb_tree_errors_options* options, double relative );

/// Surface and solid error of one node: from its decoded volume to the triangles of its subtree. Intervals are rounded outwards
/// to binary32.
typedef struct bvb_node_error
{
	float surface_lower; ///< mesh units
	float surface_upper; ///< mesh units
	float solid_lower;   ///< mesh units
	float solid_upper;   ///< mesh units
} bvb_node_error;

/// The errors of a tree. Lives in the arena it was made in.
typedef struct bvb_tree_errors
{
	double relative;         ///< as in the options
	double floor;            ///< as in the options
	bvb_node_error* nodes;   ///< by node
	uint32_t node_count;     ///< length of nodes
	bv_level_errors* levels; ///< by level
	uint32_t level_count;    ///< length of levels: the depth + 1
	bv_errors_of all;        ///< all nodes
	bv_interval surface;     ///< the root
	bv_interval solid;       ///< the root
	uint64_t regions;        ///< how many regions were looked at, all nodes together
} bvb_tree_errors;

/// Measures the surface and the solid error of every node of a tree, bottom up: finished nodes bound the regions of
/// those above.
/// @param mesh   in the order of the tree
/// @param arena  the result lives here; scratch memory is taken from elsewhere and returned
/// @return bv_ok; bv_error_argument for a relative tolerance that is not above 0, a negative floor, or more than 1024
///         threads; bv_error_memory
bv_status bvb_hausdorff_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                              const bvb_tree_errors_options* options, bvb_arena* arena, bvb_tree_errors* out,
                              bvb_error* error );

/// Prepares a mesh that has a measured tree: cheaper than bvb_hausdorff_target_create.
/// @param mesh    in the order of the tree; not kept
/// @param errors  of the tree's nodes
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_hausdorff_target_of_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                                        const bvb_tree_errors* errors, bvb_arena* arena,
                                        bvb_hausdorff_target** out, bvb_error* error );

#ifdef __cplusplus
}
#endif
