// A polytope that grows by one vertex at a time: the hull of vertices of the difference of two shapes, with triangles for faces.
//
// Which faces a new vertex sees is decided by exact signs. The polytope therefore is the convex hull of its vertices as
// computed, its border is one loop, and no step can fail. A polytope of the last query need not be convex: where its border
// is not one loop, it does not grow. Vertices and faces that are not on it any more make room for others.
//
// Vertices, faces and blocks are in memory of the caller, which need not be initialized.

#pragma once

#include "runtime/convex/difference.h"

enum
{
	bvconvex_surface_block_size = 32,  ///< faces in a block
	bvconvex_surface_most = 32767,     ///< vertices, so that numbers of faces have 16 bits
	bvconvex_surface_none = UINT16_MAX ///< instead of a number
};

#define BVCONVEX_SURFACE_FACES( vertices ) ( 2 * (vertices)-4 )
#define BVCONVEX_SURFACE_BLOCKS( vertices ) \
	( ( BVCONVEX_SURFACE_FACES( vertices ) - 1 ) / bvconvex_surface_block_size + 1 )

typedef struct bvconvex_surface_vertex
{
	bvconvex_gjk_vertex of; ///< of the difference
	uint16_t faces;         ///< how many it has

	/// Of a vertex of the border, the new face that begins there. Otherwise bvconvex_surface_none.
	uint16_t begins;

	/// Entry of a list of edges of the border, which has nothing to do with this vertex: where it begins, and the face that is
	/// kept. From there it leads to the vertex that comes before in that face.
	uint16_t from;
	uint16_t beyond;
} bvconvex_surface_vertex;

typedef struct bvconvex_surface_face
{
	double height;        ///< of its lowest corner along its normal; infinite if it is not used
	uint16_t vertex[3];   ///< counterclockwise as seen from outside
	uint16_t neighbor[3]; ///< across the edge from that vertex to the next
	uint16_t seen;        ///< entry of a list of faces that a new vertex sees
	bool visible;         ///< it is in the list
} bvconvex_surface_face;

/// What is known of faces with consecutive numbers.
typedef struct bvconvex_surface_block
{
	double least;   ///< height of their lowest
	int32_t lowest; ///< its number, the first one if there are several; below 0 if it has to be found again
	uint32_t used;  ///< a bit for each
} bvconvex_surface_block;

typedef struct bvconvex_surface
{
	bvconvex_difference difference;
	bvconvex_surface_vertex* vertex;
	bvconvex_surface_face* face;
	bvconvex_surface_block* block;
	int most_vertices; ///< that there is room for, and for the faces that a convex polytope has then
	int vertices;      ///< that were ever used
	int faces;
	int used;       ///< of the faces
	int free_block; ///< blocks before have no unused face
} bvconvex_surface;

static inline const bvconvex_gjk_vertex* bvconvex_surface_corner( const bvconvex_surface* p,
                                                                  const bvconvex_surface_face* f, int i )
{
	return &p->vertex[f->vertex[i]].of;
}

static inline bool bvconvex_surface_is_used( const bvconvex_surface* p, int face )
{
	return p->block[face / bvconvex_surface_block_size].used >> face % bvconvex_surface_block_size & 1;
}

/// @return whether a point is in front of a face
static inline bool bvconvex_surface_sees( const bvconvex_surface* p, const bvconvex_gjk_vertex* from,
                                          const bvconvex_surface_face* f )
{
	return bvconvex_difference_side( &p->difference, bvconvex_surface_corner( p, f, 0 ),
	                                 bvconvex_surface_corner( p, f, 1 ), bvconvex_surface_corner( p, f, 2 ),
	                                 from ) > 0;
}

/// @return the normal of a face, of any length
static inline bv_vec3 bvconvex_surface_normal( const bvconvex_surface* p, const bvconvex_surface_face* f )
{
	return bvconvex_difference_normal( &p->difference, bvconvex_surface_corner( p, f, 0 ),
	                                   bvconvex_surface_corner( p, f, 1 ),
	                                   bvconvex_surface_corner( p, f, 2 ) );
}

/// @param memory  8-byte aligned, room for four vertices at least
/// @param p       receives room for as many vertices as there fit
void bvconvex_surface_use( void* memory, size_t bytes, bvconvex_surface* p );

/// Makes it empty.
void bvconvex_surface_clear( bvconvex_surface* p );

/// @return the number of a vertex that is not in use, which is to be set; bvconvex_surface_none if there is no room
int bvconvex_surface_free_vertex( bvconvex_surface* p );

/// Adds a face whose neighbors are not known yet. There must be room.
/// @return its number
int bvconvex_surface_add_face( bvconvex_surface* p, const uint16_t vertex[3] );

/// Makes the faces of the tetrahedron of the first four vertices, which is not flat.
void bvconvex_surface_begin( bvconvex_surface* p );

/// @return the number of the face of the least height, the first one of several
int bvconvex_surface_lowest( bvconvex_surface* p );

/// Replaces the faces that a new vertex sees by those between it and their border.
/// @param seen  one of these faces
/// @return false, and the polytope remains as it is, if that is not possible
bool bvconvex_surface_insert( bvconvex_surface* p, int seen, int vertex );
