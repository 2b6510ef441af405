// The polytope of the last query, at the places where its vertices are now, while it grows. See resume.h.

#pragma once

#include "bv/convex.h"
#include "runtime/convex/pair.h"
#include "runtime/simd/bits.h"

enum
{
	bvconvex_resumed_kept = sizeof( (bv_convex_cache*)NULL )->name / sizeof *( (bv_convex_cache*)NULL )->name,
	bvconvex_resumed_faces_kept =
		sizeof( (bv_convex_cache*)NULL )->face / sizeof *( (bv_convex_cache*)NULL )->face,
	bvconvex_resumed_rounds = 12, ///< of a search
	bvconvex_resumed_vertices = bvconvex_resumed_kept + bvconvex_resumed_rounds,
	bvconvex_resumed_faces = bvconvex_resumed_faces_kept + 2 * bvconvex_resumed_rounds,
};

/// A closed surface of triangles. Coordinates of vertices are in columns.
typedef struct bvconvex_resumed
{
	const bvconvex_pair* pair;
	uint32_t vertices; ///< in use or not any more
	uint32_t faces;
	double size; ///< no vertex is farther from the origin
	bool grown;  ///< it is not what the cache has
	double x[bvconvex_resumed_vertices];
	double y[bvconvex_resumed_vertices];
	double z[bvconvex_resumed_vertices];
	uint32_t name[bvconvex_resumed_vertices][2];
	uint8_t corner[bvconvex_resumed_faces][3]; ///< counterclockwise as seen from outside
	bv_vec3 normal[bvconvex_resumed_faces];    ///< of any length
	double least[bvconvex_resumed_faces];      ///< products of the normal and the lowest corner
	double square[bvconvex_resumed_faces];     ///< of the height of that corner, with the height's sign
} bvconvex_resumed;

static inline bv_vec3 bvconvex_resumed_vertex( const bvconvex_resumed* p, uint32_t i )
{
	return ( bv_vec3 ){ p->x[i], p->y[i], p->z[i] };
}

/// @return products of a normal and a vertex that differ by less are equal, to rounding
static inline double bvconvex_resumed_doubt( const bvconvex_resumed* p )
{
	return 0x1p-46 * ( p->size * p->size * p->size );
}

/// As bvconvex_pair_corner of shapes that do not move, faster for most of them.
static inline bv_vec3 bvconvex_resumed_corner( const bvconvex_pair* pair, int which, uint32_t name )
{
	const bvconvex_body* body = pair->body + which;
	return body->own.hull.points ? bvconvex_body_point( body, body->own.hull.points[name] )
	                             : bvconvex_pair_corner( pair, which, name );
}

/// @return false, and `p` is not to be used then, if no closed surface of the pair is stored
bool bvconvex_resumed_restore( const bvconvex_pair* pair, const bv_convex_cache* cache, bvconvex_resumed* p );

/// @return the lowest face
uint32_t bvconvex_resumed_lowest( const bvconvex_resumed* p );

/// Replaces a face, and those that the vertex sees beyond doubt, by faces between their border and the vertex.
/// @param next  its place and its names count
/// @return false, and the polytope is not to be used then, if there is no room
bool bvconvex_resumed_insert( bvconvex_resumed* p, uint32_t seen, const bvconvex_gjk_vertex* next );

/// Stores it, if it is small enough. The next search and what is done with the result begin with the names that come first: those of
/// one of the faces.
void bvconvex_resumed_store( const bvconvex_resumed* p, uint32_t first, bv_convex_cache* cache );
