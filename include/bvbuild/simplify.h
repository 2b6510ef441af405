// A proxy with few triangles for engines that want one: the mesh with edges collapsed as long as both stay within a tolerance
// of each other. What is closed and faces outwards only grows: every point of it is inside of the proxy or on it.
//
// After P. Sander, X. Gu, S. Gortler, H. Hoppe, J. Snyder, "Silhouette Clipping", SIGGRAPH 2000, section 4: progressive hulls.
// There, here too, the vertex that an edge becomes is in front of all planes of the faces round that edge, so that what is
// added is tetrahedra. Here it is where the squared distances from these planes are least, its place is rounded before it is
// tested with exact arithmetic, and all distances are bounded, not sampled. See src/simplify/README.md.

#pragma once

#include "bv/base.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Told about long work, by one thread.
/// @param done  0 .. 1, never less than before
typedef void bvb_simplify_progress( void* context, double done );

/// How to simplify.
typedef struct bvb_simplify_options
{
	double
		tolerance; ///< how far mesh and proxy may be from each other, mesh units; 0 leaves out what changes no place
	uint32_t threads; ///< 0, the default, means all processors; the result is the same for any number
	bvb_simplify_progress* progress; ///< null, the default, for none
	void* progress_context;          ///< passed on
} bvb_simplify_options;

/// @return the defaults above
bvb_simplify_options bvb_simplify_options_default( void );

/// The proxy, in the arena it was made in.
typedef struct bvb_simplified
{
	bvb_mesh mesh;          ///< vertices numbered by first use; its origin is null
	double tolerance;       ///< as in the options
	bv_interval from_proxy; ///< how far a point of the proxy can be from the mesh's triangles, mesh units
	bv_interval
		from_mesh;     ///< how far a point of the mesh's triangles can be from those of the proxy, mesh units
	uint32_t enclosed; ///< triangles of the mesh that are proved to be inside of the proxy or on it
} bvb_simplified;

/// What rounding may add to distances between a mesh and its proxy: they are bounded where the mesh is, so that this grows with
/// how far it is from the origin.
/// @return 2^-35 of the diagonal of its box plus 2^-32 of its largest coordinate: distances are below this or the tolerance
double bvb_simplify_rounding( const bvb_mesh* mesh );

/// Simplifies a mesh.
///
/// Closed components that face outwards only grow; those that face inwards only shrink. On open components boundary vertices
/// are kept or removed but never moved, and other vertices move only toward the front.
/// @param mesh   without degenerate or duplicate triangles
/// @param arena  the result lives here; scratch memory is taken from elsewhere and returned
/// @return bv_ok; bv_error_argument for a tolerance that is negative or not finite; bv_error_memory
bv_status bvb_simplify( const bvb_mesh* mesh, const bvb_simplify_options* options, bvb_arena* arena,
                        bvb_simplified* out, bvb_error* error );

/// Counts triangles of a mesh that are proved to be inside of a proxy or on it.
///
/// A triangle is, if a part of the proxy that hangs together and is closed reaches nowhere behind it and winds round what is just
/// behind it at least once. That is decided in exact arithmetic; what rounding leaves undecided does not count.
/// @param proxy    any soup without degenerate triangles
/// @param threads  0 means all processors
/// @param arena    scratch
/// @return bv_ok; bv_error_memory
bv_status bvb_count_enclosed( const bvb_mesh* mesh, const bvb_mesh* proxy, uint32_t threads, bvb_arena* arena,
                              uint32_t* count, bvb_error* error );

#ifdef __cplusplus
}
#endif
