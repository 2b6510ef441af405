// Convex hulls of points, their polygons, support points and mass properties, and simplified hulls.
//
//     #include <bvbuild/hull.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_vec3 points[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.1, 0.1, 0.1 } };
//         bvb_arena* arena = bvb_arena_create();
//         bvb_hull hull;
//         if ( bvb_hull_compute( points, 5, arena, &hull, NULL ) == bv_ok )
//             printf( "%u corners, volume %g\n", (unsigned)hull.vertex_count, hull.volume );   // 4 corners
//         bvb_arena_destroy( arena );
//         return 0;
//     }
//
// The points may span any number of dimensions: their hull is a point, a segment, a flat polygon or a
// polyhedron. All decisions are made in exact arithmetic. No point lies outside a face of a polyhedron, and
// no corner lies inside an edge or a face.
//
// Quickhull: Barber, Dobkin, Huhdanpaa 1996.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A convex hull. The arrays live in the arena of the function that made it.
typedef struct bvb_hull
{
	bv_hull_kind kind;     ///< dimension of the hull
	uint32_t* vertices;    ///< indices of input points: in order around a polygon, otherwise ascending
	uint32_t vertex_count; ///< length of vertices
	bvb_triangle* faces;   ///< triangles over `vertices`, counter-clockwise seen from outside; polyhedra only
	uint32_t face_count;   ///< length of faces; 0 unless a polyhedron
	double volume;         ///< cubic mesh units; 0 unless a polyhedron
	double area;           ///< of a polyhedron's surface, or both sides of a polygon; square mesh units
} bvb_hull;

/// Computes the convex hull of points. May be called from several threads at once, with different arenas.
/// @param points  at least one; not kept
/// @param count   number of points
/// @param arena   the result lives here
/// @return bv_ok; bv_error_argument if `count` is 0 or a point is not finite; bv_error_limit for more than
/// 2^31 - 1 points; bv_error_memory
bv_status bvb_hull_compute( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                            bvb_error* error );

/// A directed side of a polygon.
typedef struct bvb_half_edge
{
	uint32_t origin;  ///< hull vertex at its start: an index into bvb_hull.vertices
	uint32_t twin;    ///< the half-edge in the opposite direction
	uint32_t next;    ///< the next half-edge of the polygon, counter-clockwise seen from outside
	uint32_t polygon; ///< the polygon to its left
} bvb_half_edge;

/// A polygon of a polyhedron.
typedef struct bvb_hull_polygon
{
	bv_vec3 normal;      ///< unit vector, outward
	double offset;       ///< dot( normal, x ) <= offset for each vertex x of the hull, evaluated in binary64
	uint32_t first_edge; ///< first half-edge; the others follow it in order
	uint32_t edge_count; ///< number of half-edges, at least 3
} bvb_hull_polygon;

/// The topology of a polyhedron whose coplanar triangles are merged into polygons. The arrays live in the
/// arena of the function that made it.
///
/// Vertices inside polygons and inside straight edges are not corners of any polygon. Euler's formula V - E +
/// F = 2 holds, where V is the number of corners and E = half_edge_count / 2.
typedef struct bvb_hull_polygons
{
	bvb_hull_polygon* polygons; ///< in the order of their first triangles
	uint32_t polygon_count;     ///< length of polygons
	bvb_half_edge* half_edges;  ///< grouped by polygon
	uint32_t half_edge_count;   ///< length of half_edges

	/// The neighbors of hull vertex v are neighbors[first_neighbor[v]] to neighbors[first_neighbor[v + 1] -
	/// 1].
	uint32_t* first_neighbor;

	/// Vertices joined by sides of triangles, including triangles that were merged. Hill climbing along them
	/// therefore does not stop early where merging has flattened the surface.
	uint32_t* neighbors;

	bv_vec3* positions;    ///< positions of the hull's vertices, stored together for fast climbing
	uint32_t vertex_count; ///< length of positions
	uint32_t* loose;       ///< vertices that a climb may miss because of rounding, ascending; usually empty
	uint32_t loose_count;  ///< length of loose
	double reach;          ///< largest absolute value of a coordinate, mesh units
	uint32_t* start;       ///< start vertices of climbs, for 6 start_steps^2 cells of directions
	uint32_t start_steps;  ///< cells along each side of a cube around the origin; 0 for hulls of few vertices
} bvb_hull_polygons;

/// Merges the triangles of a polyhedron into polygons. Starts with the largest triangles and adds neighbors
/// whose corners are within `tolerance` of the plane. The corners of each polygon are within `tolerance` of a
/// plane and of a convex polygon. Vertices removed from straight edges are within `tolerance` of these edges.
/// A hull thinner than the tolerance may become two polygons back to back.
/// @param points     the points that the hull was computed from
/// @param hull       a polyhedron
/// @param tolerance  mesh units; 0 merges triangles that are coplanar up to binary64 rounding, 2^-44 of the
///                   largest coordinate
/// @param arena      the result lives here
/// @return bv_ok; bv_error_argument if the hull is not a polyhedron, or the tolerance is negative or NaN;
/// bv_error_limit for more than 7e8 triangles; bv_error_memory
bv_status bvb_hull_merge( const bv_vec3* points, const bvb_hull* hull, double tolerance, bvb_arena* arena,
                          bvb_hull_polygons* out, bvb_error* error );

/// Sentinel for an unspecified start vertex of bvb_hull_support.
#define BVB_ANY_VERTEX UINT32_MAX

/// Finds the vertex that is farthest in a direction, by hill climbing along neighbors.
/// @param direction  finite; need not have unit length
/// @param start      hull vertex to start from, ideally near the answer, such as the answer for a similar
///                   direction; or BVB_ANY_VERTEX
/// @return the hull vertex with the largest dot product with the direction, evaluated in binary64; if several
/// are equal, the one with the lowest index
uint32_t bvb_hull_support( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start );

/// Computes mass properties of a filled polyhedron at density 1, as bvb_mass_of_solid does for a mesh.
/// @param points   the points that the hull was computed from
/// @param scratch  for a copy of the hull's vertices
/// @return bv_ok; bv_error_argument if the hull is not a polyhedron or its volume is not finite, and then
/// `out` is all 0; bv_error_memory
bv_status bvb_hull_mass( const bv_vec3* points, const bvb_hull* hull, bvb_arena* scratch, bv_mass* out,
                         bvb_error* error );

/// A simplified hull that encloses the exact hull. It has its own points.
typedef struct bvb_simple_hull
{
	bv_vec3* points; ///< its corners, binary32 numbers
	bvb_hull hull;   ///< hull of `points`
	double error;    ///< upper bound of the distance from its points to the exact hull, mesh units
} bvb_simple_hull;

/// Simplifies a polyhedron outward. The corners are chosen to minimize the squared distance from the exact
/// hull, integrated over its surface. All vertices of the exact hull are enclosed exactly, also after
/// rounding.
///
/// A hull with at most `max_vertices` corners keeps its corners. If they are binary32 numbers, the error is
/// 0. Otherwise they are rounded outward, with an error of about 1e-7 of the largest coordinate, unless the
/// hull is thinner than that or has sharp spikes.
/// @param points        the points that the hull was computed from, with coordinates up to BVB_MAX_COORDINATE
/// @param max_vertices  maximum number of corners, at least 4
/// @param arena         the result lives here
/// @return bv_ok; bv_error_argument if the hull is not a polyhedron, `max_vertices` is too small or a
/// coordinate is too large; bv_error_memory
bv_status bvb_hull_simplify( const bv_vec3* points, const bvb_hull* hull, uint32_t max_vertices,
                             bvb_arena* arena, bvb_simple_hull* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
