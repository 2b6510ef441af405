// A surface whose edges are collapsed: triangles that know who is at their corners, of any soup.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

/// In place of a face's or corner's number: there is none.
#define BVSIMPLIFY_NONE UINT32_MAX

enum
{
	bvsimplify_star_faces = 200, ///< edges with more faces round their ends stay as they are
};

/// Triangles and, of each vertex, a list of the corners there. Corner 3 f + k is that of face f.
typedef struct bvsimplify_surface
{
	bv_vec3* positions;  ///< of all vertices
	bvb_triangle* faces; ///< of those that are gone the first corner is BVSIMPLIFY_NONE
	uint32_t* first;     ///< of each vertex, a corner there; BVSIMPLIFY_NONE of those that are gone
	uint32_t* next; ///< of each corner, the next one there; corners of faces that are gone may be in between
	uint32_t* component; ///< of each vertex, the least vertex of what hangs together
	bool* open; ///< of each vertex, whether an edge there is run through more often one way than the other
	bool* rim;  ///< of each vertex, whether an edge there is one of the rim
	bool has_twins;        ///< there are triangles that differ only in winding
	uint32_t vertex_count; ///< length of positions
	uint32_t face_count;   ///< length of faces
	uint32_t faces_left;   ///< that are not gone
} bvsimplify_surface;

/// The faces round one vertex or both ends of an edge.
typedef struct bvsimplify_star
{
	uint32_t face[bvsimplify_star_faces]; ///< each once
	uint32_t count;                       ///< length of face
} bvsimplify_star;

/// @param positions  of the mesh's vertices, copied
/// @return false when out of memory
bool bvsimplify_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvsimplify_surface* out );

/// Finds the faces at `a` or at `b`.
/// @param b  BVSIMPLIFY_NONE for those at `a` alone
/// @return false when there are too many
bool bvsimplify_surface_star( const bvsimplify_surface* s, uint32_t a, uint32_t b, bvsimplify_star* out );

/// @return whether a face has this vertex
bool bvsimplify_face_has( const bvsimplify_surface* s, uint32_t face, uint32_t vertex );

/// Whether `a` and `b` may become one vertex: who is a neighbor of both is so by a face that vanishes, and no
/// two faces become one (the link condition, Dey, Edelsbrunner, Guha, Nekhayev 1999).
/// @param star  of both
bool bvsimplify_surface_may_collapse( const bvsimplify_surface* s, uint32_t a, uint32_t b,
                                      const bvsimplify_star* star );

/// What faces do at an edge.
typedef struct bvsimplify_edge_use
{
	int net; ///< how often they run from `a` to `b` less how often from `b` to `a`

	/// that is not 0, or all of them have the same corners: there a sheet ends, whether it has two sides or
	/// one
	bool is_rim;
} bvsimplify_edge_use;

/// @return what faces do between `a` and `b`; no rim where there are none
bvsimplify_edge_use bvsimplify_surface_edge( const bvsimplify_surface* s, uint32_t a, uint32_t b );

/// @return whether another face differs from this one in its winding only. Together they bound nothing
bool bvsimplify_surface_has_twin( const bvsimplify_surface* s, uint32_t face );

/// Makes `b` the same vertex as `a`. Faces that have both are gone then.
/// @param star  of both
void bvsimplify_surface_collapse( bvsimplify_surface* s, uint32_t a, uint32_t b, bv_vec3 position,
                                  const bvsimplify_star* star );
