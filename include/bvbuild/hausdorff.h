// Certified distances: how far a point of a bounding volume, or of a mesh, can be from the nearest triangle
// of a mesh.
//
//     #include <bvbuild/hausdorff.h>
//
//     // Bounds the distance from points of a ball to a mesh. The true distance is in [lower, upper].
//     bv_status measure( const bvb_mesh* mesh, const bv_sphere* ball, bvb_hausdorff* out, bvb_error* error )
//     {
//         bvb_arena* arena = bvb_arena_create();
//         bvb_hausdorff_target* target;
//         bv_status status = bvb_hausdorff_target_create( mesh, NULL, 0, arena, &target, error );
//         if ( status == bv_ok )
//             status = bvb_hausdorff_sphere( target, ball, NULL, out );
//         bvb_arena_destroy( arena );
//         return status;
//     }
//
// The distance is the directed Hausdorff distance. Each result is an interval that always contains the true
// value.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, sections 3.5 and 3.8.2, which estimate
// the distance from samples and a correction term. This implementation subdivides the volume into regions,
// best first, and bounds each region by convexity: the distance to a triangle is a convex function, so its
// maximum over a region is at a corner. The bounds and their proofs are in src/offline/hausdorff/README.md.

#pragma once

#include "bv/inspect.h"
#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/hierarchy.h"
#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Selects the points that are measured, and what they are measured to.
typedef enum bvb_hausdorff_measure
{
	/// From all points of the volume to the triangles. Bounds the gap of two overlapping volumes.
	bvb_hausdorff_solid,

	/// From the points of the volume's boundary to the triangles: the quality measure of Eckstein 1998.
	bvb_hausdorff_surface,

	/// From all points of the volume to the shape: the triangles and their inside, where the winding number
	/// is at least 1/2. If the mesh has open edges, the inside also ends between triangles. The following
	/// errors are then tolerated: 2^-10 of the diagonal of the triangles, and up to a tenth of the distance
	/// from such an end.
	bvb_hausdorff_outside,
} bvb_hausdorff_measure;

/// What to measure, and when to stop. Measuring stops as soon as one of the conditions holds. The interval is
/// valid in any case.
typedef struct bvb_hausdorff_options
{
	bvb_hausdorff_measure measure; ///< default bvb_hausdorff_solid
	double relative;               ///< stop at upper <= lower * (1 + relative); default 0.01
	double absolute;               ///< stop at upper <= lower + absolute, mesh units; default 0
	double sufficient;             ///< stop at upper <= sufficient, mesh units; default 0

	/// Stop after this many regions, but not before each side of the volume was examined once. If the mesh
	/// has open edges, examining 128 of them counts as a region. 0, the default, for no limit.
	uint64_t max_regions;

	/// Asked between regions; true ends the measurement with the interval so far. Default null.
	bool ( *stop )( void* context );

	void* stop_context; ///< passed to `stop`

	/// Winding number of the target's mesh. Required for bvb_hausdorff_outside, otherwise ignored; may be
	/// null.
	const bvb_winding* inside;
} bvb_hausdorff_options;

/// @return the defaults listed in bvb_hausdorff_options
bvb_hausdorff_options bvb_hausdorff_options_default( void );

/// A measured distance. The true distance is in [lower, upper], mesh units.
typedef struct bvb_hausdorff
{
	double lower;    ///< distance of `witness`, rounded down
	double upper;    ///< upper bound over all measured points
	bv_vec3 witness; ///< a point of the volume, up to the rounding of its coordinates

	/// Number of regions examined, counted as for max_regions, or of points if no regions are needed.
	uint64_t regions;
} bvb_hausdorff;

/// Triangles with a spatial index, and memory for measuring. A target must not be used by two threads at the
/// same time. It lives in the arena of the function that made it. Measuring may allocate more from that
/// arena, up to 6 MB in total. If that fails, intervals are wider.
typedef struct bvb_hausdorff_target bvb_hausdorff_target;

/// Creates a target from a mesh or from some of its triangles. Takes O(n) time for n triangles. The index,
/// O(n log n), is built during the first measurements, as far as they need it.
/// @param mesh   without degenerate triangles; not kept
/// @param which  indices of the triangles to use; null for all
/// @param count  length of `which`; ignored if `which` is null
/// @param arena  the result lives here
/// @return bv_ok; bv_error_argument if there are no triangles; bv_error_memory
bv_status bvb_hausdorff_target_create( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                       bvb_arena* arena, bvb_hausdorff_target** out, bvb_error* error );

/// Replaces the triangles of a target, for measuring many small sets one after another. Allocates memory only
/// if there are more triangles than ever before. Parameters are as for bvb_hausdorff_target_create.
/// @return bv_ok; bv_error_argument if there are no triangles; bv_error_memory; on error the target is
/// unchanged
bv_status bvb_hausdorff_target_reset( bvb_hausdorff_target* target, const bvb_mesh* mesh,
                                      const uint32_t* which, uint32_t count, bvb_error* error );

/// Measures an axis-aligned box against all triangles of the target. The volume need not enclose them.
/// @param options  null for the defaults
/// @return bv_ok; bv_error_argument if the volume is empty or not finite, a tolerance is negative or NaN,
/// `inside` is missing for bvb_hausdorff_outside, a coordinate exceeds 2^500, or all coordinates are below
/// 2^-400; bv_error_memory
bv_status bvb_hausdorff_aabb( bvb_hausdorff_target* target, const bv_aabb* box,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures an oriented box.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_obb( bvb_hausdorff_target* target, const bv_obb* box,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a ball.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_sphere( bvb_hausdorff_target* target, const bv_sphere* ball,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a prism.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_prism( bvb_hausdorff_target* target, const bv_prism* prism,
                               const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a k-DOP.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_kdop( bvb_hausdorff_target* target, const bv_kdop* kdop,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a capsule.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_capsule( bvb_hausdorff_target* target, const bv_capsule* capsule,
                                 const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a cylinder.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_cylinder( bvb_hausdorff_target* target, const bv_cylinder* cylinder,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a rectangle swept sphere.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_rss( bvb_hausdorff_target* target, const bv_rss* rss,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a volume of any type.
/// @copydetails bvb_hausdorff_aabb
bv_status bvb_hausdorff_volume( bvb_hausdorff_target* target, const bv_volume* volume,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures a convex hull.
/// @copydetails bvb_hausdorff_aabb
/// @param points  the points that the hull was computed from
/// @param hull    of any kind; the surface of a point, a segment or a polygon is the whole set
bv_status bvb_hausdorff_hull( bvb_hausdorff_target* target, const bv_vec3* points, const bvb_hull* hull,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Measures the triangles of another mesh: how far a point of `from` can be from the target.
/// bvb_hausdorff_solid and bvb_hausdorff_surface give the same result.
/// @param from     at least one triangle; without degenerate triangles
/// @param options  null for the defaults
/// @return as bvb_hausdorff_aabb
bv_status bvb_hausdorff_mesh( bvb_hausdorff_target* target, const bvb_mesh* from,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out );

/// Receives the progress of bvb_hausdorff_tree. Called by one thread at a time.
/// @param done  fraction of the nodes that are measured, 0 to 1, never decreasing
typedef void bvb_tree_errors_progress( void* context, double done );

/// Options of bvb_hausdorff_tree.
typedef struct bvb_tree_errors_options
{
	double relative; ///< per node: stop at upper <= lower * (1 + relative), positive; default 0.1

	/// Per node: stop at upper <= lower + floor * (diameter of the node's volume); default 0.01. A node's
	/// search also stops after 2^18 regions. Its interval is then wider, but still certified.
	double floor;

	uint32_t threads; ///< 0, the default, for all processors; same result for any number

	/// Use the method of older versions, which did not cut boxes into prisms. It is slower and gives
	/// different numbers, which are also certified. Needed to verify files of these versions. Default false.
	bool regions_only;

	bvb_tree_errors_progress* progress; ///< receives the progress; default null
	void* progress_context;             ///< passed to `progress`
} bvb_tree_errors_options;

/// @return the defaults listed in bvb_tree_errors_options
bvb_tree_errors_options bvb_tree_errors_options_default( void );

/// Sets the relative tolerance, and sets the floor to a tenth of it. The floor is needed because no relative
/// tolerance can be reached if the triangles fill a volume and the distance is zero.
void bvb_tree_errors_to( bvb_tree_errors_options* options, double relative );

/// The surface error and the solid error of a node: from its decoded volume to the triangles of its subtree,
/// in mesh units. Bounds are rounded outward to binary32.
typedef struct bvb_node_error
{
	float surface_lower; ///< lower bound of the surface error
	float surface_upper; ///< upper bound of the surface error
	float solid_lower;   ///< lower bound of the solid error
	float solid_upper;   ///< upper bound of the solid error
} bvb_node_error;

/// The errors of a tree. Lives in the arena of the function that made it.
typedef struct bvb_tree_errors
{
	double relative;         ///< as in the options
	double floor;            ///< as in the options
	bvb_node_error* nodes;   ///< errors of each node
	uint32_t node_count;     ///< length of nodes
	bv_level_errors* levels; ///< errors of each level
	uint32_t level_count;    ///< length of levels: depth + 1
	bv_errors_of all;        ///< errors of all nodes
	bv_interval surface;     ///< surface error of the root
	bv_interval solid;       ///< solid error of the root
	uint64_t regions;        ///< total number of regions examined
} bvb_tree_errors;

/// Measures the surface error and the solid error of every node of a tree, bottom up. Finished nodes are used
/// to bound the regions of their ancestors.
/// @param mesh   in the order of the tree
/// @param arena  the result lives here; scratch memory is allocated elsewhere and freed
/// @return bv_ok; bv_error_argument if the relative tolerance is not positive, the floor is negative, or
/// there are more than 1024 threads; bv_error_memory
bv_status bvb_hausdorff_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                              const bvb_tree_errors_options* options, bvb_arena* arena, bvb_tree_errors* out,
                              bvb_error* error );

/// Measures the errors of every node of an open file, for example of a mesh that was deformed: bvw_deform_file, bvw_deform_set_errors.
/// @param file     with a hierarchy
/// @param options  null for the defaults
/// @param arena    the result lives here
/// @return as bvb_hausdorff_tree; also bv_error_argument if the file has no hierarchy, and bv_error_damaged if a triangle has a vertex twice
/// or no triangle uses a vertex
bv_status bvb_hausdorff_file( const bv_file* file, const bvb_tree_errors_options* options, bvb_arena* arena,
                              bvb_tree_errors* out, bvb_error* error );

/// Creates a target from a mesh with a measured tree. Faster than bvb_hausdorff_target_create.
/// @param mesh    in the order of the tree; not kept
/// @param errors  errors of the tree's nodes
/// @param arena   the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvb_hausdorff_target_of_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                                        const bvb_tree_errors* errors, bvb_arena* arena,
                                        bvb_hausdorff_target** out, bvb_error* error );

#ifdef __cplusplus
}
#endif
