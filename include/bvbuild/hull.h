// Convex hulls of point sets of any dimension: a point, a segment, a flat polygon or a polyhedron, each
// handled as what it is. All decisions are exact: no point lies outside of a polyhedron's faces, none of its corners
// within an edge or a face of it. Quickhull (Barber, Dobkin, Huhdanpaa 1996).

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A convex hull. The arrays live in the arena they were made in.
typedef struct bvb_hull
{
	bv_hull_kind kind;     ///< decides what the fields below hold
	uint32_t* vertices;    ///< input points that are corners; of a polygon in order around it, else ascending
	uint32_t vertex_count; ///< length of vertices
	bvb_triangle* faces; ///< of a polyhedron: triangles over `vertices`, counter-clockwise seen from outside
	uint32_t face_count; ///< length of faces; 0 unless a polyhedron
	double volume;       ///< cubic mesh units; 0 unless a polyhedron
	double area;         ///< of the polyhedron's surface, of both sides of a polygon; square mesh units
} bvb_hull;

/// Computes the hull of `points`. May be called from several threads at once.
/// @param points  at least one; not kept
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument when count is 0 or a point is not finite; bv_error_limit for more
///         than 2^31 - 1 points; bv_error_memory
bv_status bvb_hull_compute( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                            bvb_error* error );

/// A directed side of a polygon.
typedef struct bvb_half_edge
{
	uint32_t origin;  ///< the hull vertex (an index into bvb_hull.vertices) where it starts
	uint32_t twin;    ///< the half-edge that runs the other way
	uint32_t next;    ///< the next one counter-clockwise round its polygon, seen from outside
	uint32_t polygon; ///< its polygon
} bvb_half_edge;

/// A polygon of a polyhedron.
typedef struct bvb_hull_polygon
{
	bv_vec3 normal; ///< unit, outward
	double offset;  ///< dot( normal, x ) <= offset for every vertex x of the hull, in binary64 arithmetic
	uint32_t first_edge; ///< one of its half-edges; the others follow it in order
	uint32_t edge_count; ///< how many it has, at least 3
} bvb_hull_polygon;

/// How the parts of a polyhedron hang together: coplanar triangles merged into polygons. The arrays live in the
/// arena they were made in. Vertices within polygons, and in the middle of straight edges, are no polygon's corner;
/// V - E + F = 2 holds with V the number of corners and E = half_edge_count / 2.
typedef struct bvb_hull_polygons
{
	bvb_hull_polygon* polygons; ///< ordered by their first triangles
	uint32_t polygon_count;     ///< length of polygons
	bvb_half_edge* half_edges;  ///< polygon by polygon
	uint32_t half_edge_count;   ///< length of half_edges
	uint32_t*
		first_neighbor;  ///< of hull vertex v: neighbors[first_neighbor[v]] ... [first_neighbor[v + 1] - 1]
	uint32_t* neighbors; ///< vertices joined by sides of triangles, whether these were merged or not, so that
						 ///< climbing along them is never stopped short by what merging has smoothed
	bv_vec3* positions;  ///< of the hull's vertices, so that climbing reads neighboring memory
	uint32_t vertex_count; ///< length of positions
	uint32_t* loose;       ///< vertices that a climb may miss for rounding's sake, ascending; mostly none
	uint32_t loose_count;  ///< length of loose
	double reach;          ///< largest absolute value of a coordinate, mesh units
	uint32_t* start;       ///< vertices to start climbing from, for 6 start_steps^2 cells of directions
	uint32_t start_steps;  ///< cells along each side of a cube round the origin; 0 for hulls of few vertices
} bvb_hull_polygons;

/// Merges a polyhedron's triangles into polygons: the largest ones first, each with the neighbors whose corners are
/// within `tolerance` of its plane. The corners of each polygon are within `tolerance` of one plane, and of a convex
/// polygon; the corners taken out of straight edges are within it of these. A hull thinner than the tolerance
/// may end up with two polygons back to back.
/// @param points     what the hull was computed from
/// @param hull       a polyhedron
/// @param tolerance  mesh units; 0 merges what is coplanar up to the rounding of binary64: 2^-44 of the largest
///                   coordinate
/// @return bv_ok; bv_error_argument if the hull is not a polyhedron, or the tolerance is negative or NaN;
///         bv_error_limit for more than 7e8 triangles; bv_error_memory
bv_status bvb_hull_merge( const bv_vec3* points, const bvb_hull* hull, double tolerance, bvb_arena* arena,
                          bvb_hull_polygons* out, bvb_error* error );

/// In place of a vertex to start from: whichever is best.
#define BVB_ANY_VERTEX UINT32_MAX

/// The vertex that is farthest in a direction, by hill climbing over the neighbors.
/// @param direction  finite; of any length
/// @param start      a hull vertex to start from, or BVB_ANY_VERTEX; fastest near the result, such as the result for a
///                   similar direction
/// @return a hull vertex whose dot product with the direction, in binary64 arithmetic, no other exceeds; of several
///         the lowest index
uint32_t bvb_hull_support( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start );

/// Mass properties of a polyhedron, filled, at density 1: volume, centroid and inertia as bvb_mass_of_solid has them.
/// @param points   what the hull was computed from
/// @param scratch  for a copy of the hull's vertices
/// @return bv_ok; bv_error_argument, with `out` all zero, if the hull is not a polyhedron or its volume is NaN;
///         bv_error_memory
bv_status bvb_hull_mass( const bv_vec3* points, const bvb_hull* hull, bvb_arena* scratch, bv_mass* out,
                         bvb_error* error );

/// A hull with few corners that encloses another, not over input points but over points of its own.
typedef struct bvb_simple_hull
{
	bv_vec3* points; ///< its corners, binary32 numbers
	bvb_hull hull;   ///< over them
	double error;    ///< no point of it is farther from the exact hull, mesh units, rounded up
} bvb_simple_hull;

/// Simplifies a polyhedron outwards: corners are chosen so that the hull of few of them stands off it as little as can be, by the
/// square of the distance over its surface. All of its vertices are enclosed exactly, after rounding too. A hull of no more than
/// `max_vertices` corners keeps them: as they are, with an error of 0, when they are binary32 numbers, else rounded
/// outwards, with an error of some 1e-7 of the largest coordinate unless it is thinner than that or has sharp spikes.
/// @param points        what the hull was computed from, coordinates up to BVB_MAX_COORDINATE
/// @param max_vertices  at least 4
/// @return bv_ok; bv_error_argument for a hull of another kind, too few vertices or a larger coordinate;
///         bv_error_memory
bv_status bvb_hull_simplify( const bv_vec3* points, const bvb_hull* hull, uint32_t max_vertices,
                             bvb_arena* arena, bvb_simple_hull* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
