// Caps: triangles that close an open surface. Each connected part of the boundary is closed by a fan from one
// vertex to all of its edges.
//
// The winding number of the closed surface is an integer, which a ray determines. Subtracting the solid
// angles of the caps gives the winding number of the open surface. It is exact except for the rounding of
// these few angles.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

/// An edge with its net count: how often triangles run through it from the lesser vertex to the greater one,
/// less how often the other way.
typedef struct bvmesh_net_edge
{
	uint32_t lesser;
	uint32_t greater;
	int32_t net;
} bvmesh_net_edge;

/// A cap.
typedef struct bvmesh_cap
{
	bv_vec3 corner[3]; ///< what is seen of it is what is seen of the open surface
	double times;      ///< it counts so many times
	bv_vec3 normal;    ///< of length 1; 0 where it is too thin for one
	double margin;     ///< what is nearer to its plane needs care
	bv_vec3 lower;     ///< of its box, with the margin
	bv_vec3 upper;     ///< of its box, with the margin
} bvmesh_cap;

/// The caps of a surface.
typedef struct bvmesh_caps
{
	bvmesh_cap* cap; ///< all of them
	uint32_t count;  ///< length of cap
} bvmesh_caps;

/// Makes caps for a boundary.
/// @param positions  of the vertices, coordinates up to 1; several of them may be at one place
/// @param boundary   at each place as many edges end as begin
/// @param arena      the result lives here
/// @return false when out of memory
bool bvmesh_caps_create( const bv_vec3* positions, uint32_t vertex_count, const bvmesh_net_edge* boundary,
                         uint32_t count, bvb_arena* arena, bvb_arena* scratch, bvmesh_caps* out );

/// What is to be added to how often a ray leaves the open surface for its winding number.
/// @return false next to the sides of a cap, and in its plane, where that is not certain
bool bvmesh_caps_winding( const bvmesh_caps* caps, bv_vec3 point, double* winding );
