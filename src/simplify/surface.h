// A surface whose edges are collapsed: triangles that know who is at their corners, of any soup.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

/// In place of a face's or corner's number: there is none.
#define BVB_NONE UINT32_MAX

enum
{
	bvb_star_faces = 200, ///< edges with more faces round their ends stay as they are
};

/// Triangles and, of each vertex, a list of the corners there. Corner 3 f + k is that of face f.
typedef struct bvb_surface
{
	bv_vec3* positions;  ///< of all vertices
	bvb_triangle* faces; ///< of those that are gone the first corner is BVB_NONE
	uint32_t* first;     ///< of each vertex, a corner there; BVB_NONE of those that are gone
	uint32_t* next; ///< of each corner, the next one there; corners of faces that are gone may be in between
	uint32_t* component; ///< of each vertex, the least vertex of what hangs together
	bool* open; ///< of each vertex, whether an edge there is run through more often one way than the other
	bool* rim;  ///< of each vertex, whether an edge there is one of the rim
	bool has_twins;        ///< there are triangles that differ only in winding
	uint32_t vertex_count; ///< length of positions
	uint32_t face_count;   ///< length of faces
	uint32_t faces_left;   ///< that are not gone
} bvb_surface;

/// The faces round one vertex or both ends of an edge.
typedef struct bvb_star
{
	uint32_t face[bvb_star_faces]; ///< each once
	uint32_t count;                ///< length of face
} bvb_star;

/// @param positions  of the mesh's vertices, copied
/// @return false when out of memory
bool bvb_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_surface* out );

/// Finds the faces at `a` or at `b`.
/// @param b  BVB_NONE for those at `a` alone
/// @return false when there are too many
bool bvb_surface_star( const bvb_surface* s, uint32_t a, uint32_t b, bvb_star* out );

/// @return whether a face has this vertex
bool bvb_face_has( const bvb_surface* s, uint32_t face, uint32_t vertex );

/// Whether `a` and `b` may become one vertex: who is a neighbor of both is so by a face that vanishes, and no two faces
/// become one (the link condition, Dey, Edelsbrunner, Guha, Nekhayev 1999).
/// @param star  of both
bool bvb_surface_may_collapse( const bvb_surface* s, uint32_t a, uint32_t b, const bvb_star* star );

/// What faces do at an edge.
typedef struct bvb_edge_use
{
	int net; ///< how often they run from `a` to `b` less how often from `b` to `a`
	bool
		is_rim; ///< that is not 0, or all of them have the same corners: there a sheet ends, whether it has two sides or one
} bvb_edge_use;

/// @return what faces do between `a` and `b`; no rim where there are none
bvb_edge_use bvb_surface_edge( const bvb_surface* s, uint32_t a, uint32_t b );

/// @return whether another face differs from this one in its winding only. Together they bound nothing
bool bvb_surface_has_twin( const bvb_surface* s, uint32_t face );

/// Makes `b` the same vertex as `a`. Faces that have both are gone then.
/// @param star  of both
void bvb_surface_collapse( bvb_surface* s, uint32_t a, uint32_t b, bv_vec3 position, const bvb_star* star );
