// Simplifies a mesh to a proxy mesh with few triangles, within a certified distance. A closed mesh only
// grows: its proxy mesh encloses it.
//
//     #include <bvbuild/simplify.h>
//     #include <stdio.h>
//
//     // Simplifies a mesh of record by at most 0.05 mesh units.
//     bv_status make_proxy( const bvb_mesh* mesh, bvb_arena* arena, bvb_simplified* proxy, bvb_error* error )
//     {
//         bvb_simplify_options options = bvb_simplify_options_default();
//         options.tolerance = 0.05;
//         bv_status status = bvb_simplify( mesh, &options, arena, proxy, error );
//         if ( status == bv_ok )
//             printf( "%u triangles, %u of the mesh enclosed\n", (unsigned)proxy->mesh.triangle_count,
//                     (unsigned)proxy->enclosed );
//         return status;
//     }
//
// Based on: P. Sander, X. Gu, S. Gortler, H. Hoppe, J. Snyder, "Silhouette Clipping", SIGGRAPH 2000, section
// 4: progressive hulls. The vertex that replaces an edge is in front of the planes of all faces around that
// edge, so that the mesh grows by tetrahedra. In this implementation the vertex minimizes the squared
// distances from these planes, its position is rounded and then tested in exact arithmetic, and all distances
// are bounded rather than sampled. See src/offline/simplify/README.md.

#pragma once

#include "bv/base.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Receives the progress of bvb_simplify. Called by one thread.
/// @param done  0 to 1, never decreasing
typedef void bvb_simplify_progress( void* context, double done );

/// Options of bvb_simplify.
typedef struct bvb_simplify_options
{
	/// Maximum distance between the mesh and the proxy mesh, mesh units. 0 removes only vertices whose
	/// removal does not change the surface.
	double tolerance;

	uint32_t threads;                ///< 0, the default, for all processors; same result for any number
	bvb_simplify_progress* progress; ///< receives the progress; default null
	void* progress_context;          ///< passed to `progress`
} bvb_simplify_options;

/// @return the defaults listed in bvb_simplify_options
bvb_simplify_options bvb_simplify_options_default( void );

/// A proxy mesh. Lives in the arena of the function that made it.
typedef struct bvb_simplified
{
	bvb_mesh mesh;          ///< vertices numbered by first use; `origin` is null
	double tolerance;       ///< as in the options
	bv_interval from_proxy; ///< maximum distance from a point of the proxy mesh to the mesh, mesh units
	bv_interval from_mesh;  ///< maximum distance from a point of the mesh to the proxy mesh, mesh units
	uint32_t enclosed;      ///< triangles of the mesh that are proved to be inside the proxy mesh or on it
} bvb_simplified;

/// Returns a bound of the rounding errors of distances between a mesh and its proxy mesh. The errors grow
/// with the distance of the mesh from the origin. The distances of a proxy mesh are below the maximum of this
/// bound and the tolerance.
/// @return 2^-35 of the diagonal of the mesh's box plus 2^-32 of its largest coordinate
double bvb_simplify_rounding( const bvb_mesh* mesh );

/// Simplifies a mesh by collapsing edges, as long as both meshes stay within the tolerance of each other.
///
/// Closed components only grow, or only shrink if they face inward. In open components, boundary vertices are
/// removed or stay where they are, and other vertices move only to the front.
/// @param mesh   without degenerate or duplicate triangles
/// @param arena  the result lives here; scratch memory is allocated elsewhere and freed
/// @return bv_ok; bv_error_argument if the tolerance is negative or not finite; bv_error_memory
bv_status bvb_simplify( const bvb_mesh* mesh, const bvb_simplify_options* options, bvb_arena* arena,
                        bvb_simplified* out, bvb_error* error );

/// Counts the triangles of a mesh that are proved to be inside a proxy mesh or on it.
///
/// A triangle is enclosed if a closed component of the proxy mesh does not reach behind it, and has a winding
/// number of at least 1 just behind it. This is decided in exact arithmetic. Triangles that rounding leaves
/// undecided are not counted.
/// @param proxy    any soup without degenerate triangles
/// @param threads  0 for all processors
/// @param arena    for scratch memory
/// @param count    receives the number of triangles
/// @return bv_ok; bv_error_memory
bv_status bvb_count_enclosed( const bvb_mesh* mesh, const bvb_mesh* proxy, uint32_t threads, bvb_arena* arena,
                              uint32_t* count, bvb_error* error );

#ifdef __cplusplus
}
#endif
