// Whether a mesh that is near a shape's surface covers it: without measuring from the surface.
//
// Let no point of the mesh be farther than t from the surface of the convex body K, and let L be K moved in
// by t, with some inside. The mesh lies outside of L, where the nearest point of L is a continuous function.
// If every edge has an even number of triangles and a ray from the inside of L crosses an odd number of them,
// the mesh surrounds L, so that every point y of L's surface is the nearest one of a point x of the mesh (the
// degree modulo 2). What lies on the same normal of L as y, a point z of K's surface among it, is no farther
// from x than t. At an edge of L normals are many: there x and z are in the same quarter of a plane, and x -
// z no longer than sqrt( 5 ) t; at a corner, in the same octant, sqrt( 4 + sqrt( 8 ) ) t.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/recognize/place.h"
#include "offline/recognize/shape.h"

/// What is known of a mesh's edges.
typedef enum bvrecog_edges_known
{
	bvrecog_edges_unknown = 0,
	bvrecog_edges_even, ///< every edge has an even number of triangles
	bvrecog_edges_odd,  ///< some edge has not
} bvrecog_edges_known;

/// Counts the triangles of each edge.
/// @param scratch  holds 16 bytes for each triangle, and 4 for each vertex
/// @return bvrecog_edges_unknown when out of memory
bvrecog_edges_known bvrecog_find_edges( const bvb_mesh* mesh, bvb_arena* scratch );

/// Whether a mesh with even edges surrounds the inside of a shape an odd number of times, decided exactly.
/// @param middle  a point inside of the shape, mesh units, and deeper than any point of the mesh
bool bvrecog_surrounds( const bvb_mesh* mesh, const bvrecog_place* place, bv_vec3 middle );

/// @return by how much the bound of distances from the surface is greater than that of distances to it
double bvrecog_cover_factor( bv_primitive_kind kind );
