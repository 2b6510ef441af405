// Closes an open mesh by caps, and bounds how far that moves its surface.
//
// The caps are added to the mesh, which then has no open edges. Edges of vertices that are near each other are
// joined by strips first: they close cracks. The other open edges form loops, which fans close.
//
// Let w be the winding number of the mesh, v that of the closed one, and s = v - w that of the caps. The solid is
// where w is at least 1/2. Where |s| < 1/2, a point with v >= 1 is in it, and one with v <= 0 is not. So both
// solids differ only where |s| >= 1/2. Away from the caps s is a harmonic function that vanishes at infinity. So if
// |s| < 1/2 at all points at the distance r from the caps, then also at all points that are farther away: the
// solids differ only within r of the caps.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

enum
{
	bvmesh_most_caps = 1 << 12, // all pairs of them are looked at
};

/// A closed mesh.
typedef struct bvmesh_closing
{
	bvb_mesh mesh;         ///< the open mesh's vertices and triangles, then those of the caps
	uint32_t vertex_count; ///< of the open mesh
	uint32_t first_cap;    ///< index of the first cap; the triangle count of the open mesh

	uint32_t ( *edge )[2]; ///< per cap: an open edge of the mesh that it was made for
} bvmesh_closing;

/// Makes caps. They may intersect each other and the mesh, and thin ones may be on a line.
/// @param width  strips join vertices that are no farther apart
/// @param arena  the result lives here
/// @return bv_ok; bv_error_limit if there are more than bvmesh_most_caps open edges, or would be too many triangles;
/// bv_error_memory
bv_status bvmesh_close( const bvb_mesh* mesh, double width, bvb_arena* arena, bvmesh_closing* out );

/// Bounds the distance of points of a cap from the open mesh by that from an open edge. This is a convex function,
/// whose maximum is at a corner.
/// @param cap  counted from the first one
double bvmesh_cap_distance( const bvmesh_closing* closing, uint32_t cap );

/// Whether the winding number of the caps is between -1/2 and 1/2 at all points that are at least so far away from
/// all of them. The answer is no if that takes too long to prove.
/// @param closing  coordinates up to 1
/// @param reach    positive
/// @param stop     asked for each cap; true ends the proof; may be null
/// @param context  passed to `stop`
/// @param within   receives the answer
/// @return bv_ok; bv_error_memory
bv_status bvmesh_caps_reach_within( const bvmesh_closing* closing, double reach,
                                    bool ( *stop )( void* context ), void* context, const bvb_arena* arena,
                                    bool* within );
