// Faces and edges of placed polytopes as half-edges: of boxes, triangles, segments and points from tables, of a file's
// hull from its half-edges, of a file's part from its faces, of a graph from the order of its neighbors.

#pragma once

#include "runtime/convex/pair.h"

enum
{
	bvconvex_most_part_sides = 3 * ( 2 * 255 - 4 ), ///< of the faces of a file's part
};

#define BVCONVEX_NO_EDGE UINT32_MAX

/// A directed side of a face, which is to its left as seen from outside.
typedef struct bvconvex_half_edge
{
	uint32_t from; ///< corner
	uint32_t to;   ///< corner
	uint32_t id;   ///< BVCONVEX_NO_EDGE for none
} bvconvex_half_edge;

/// A placed polytope with its faces and edges. Must not be copied.
typedef struct bvconvex_polyhedron
{
	const bvconvex_pair* pair;
	int which;       ///< of the pair
	uint32_t begin;  ///< number of the first half-edge
	uint32_t count;  ///< number after that of the last one; `begin` for a point
	double turned;   ///< -1 if the placement reflects, otherwise 1
	bv_vec3 axis[3]; ///< of a box, placed

	const uint8_t* origin; ///< of the sides of all faces one after another; null for other lists
	const uint16_t* twin;  ///< of each side
	uint32_t sides;        ///< of each of these faces

	const bvfile_half_edge* half_edges;       ///< of a file's hull; null for others
	const uint32_t* first_neighbor;           ///< of a graph
	const uint32_t* neighbors;                ///< of a graph
	uint16_t twins[bvconvex_most_part_sides]; ///< of a file's part
} bvconvex_polyhedron;

/// @return whether faces and edges of both shapes are known
bool bvconvex_topology_is_known( const bvconvex_pair* pair );

/// @param pair  whose topology is known
void bvconvex_polyhedron_begin( const bvconvex_pair* pair, int which, bvconvex_polyhedron* out );

/// @param id  from `begin`, below `count`
/// @return the half-edge of a number; none if it leads out of a graph
bvconvex_half_edge bvconvex_half_edge_at( const bvconvex_polyhedron* p, uint32_t id );

/// @return the next side of the same face; none if the neighbors of a graph do not belong together
bvconvex_half_edge bvconvex_half_edge_next( const bvconvex_polyhedron* p, bvconvex_half_edge e );

/// @return the same edge in the other direction; none if the neighbors of a graph do not belong together
bvconvex_half_edge bvconvex_half_edge_twin( const bvconvex_polyhedron* p, bvconvex_half_edge e );

/// @return a half-edge that begins at a corner. Its id is BVCONVEX_NO_EDGE if the corner has no edge
bvconvex_half_edge bvconvex_half_edge_of( const bvconvex_polyhedron* p, uint32_t corner );

/// @return whether the half-edge is the one that stands for its face
bool bvconvex_half_edge_leads( const bvconvex_polyhedron* p, bvconvex_half_edge e );

/// @return the direction of an edge, of any length; 0 if it has no direction
bv_vec3 bvconvex_half_edge_direction( const bvconvex_polyhedron* p, bvconvex_half_edge e );

/// @return the unit normal of the face of a half-edge, outwards; 0 if it has none
bv_vec3 bvconvex_face_normal( const bvconvex_polyhedron* p, bvconvex_half_edge e );

static inline bv_vec3 bvconvex_polyhedron_corner( const bvconvex_polyhedron* p, uint32_t name )
{
	return bvconvex_pair_corner( p->pair, p->which, name );
}
