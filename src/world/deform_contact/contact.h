// What queries of contacts of meshes that bend share: a mesh with its boxes and positions, the descent of two hierarchies, and decoded
// triangles. See bvworld/deform_contact.h.

#pragma once

#include "bvworld/deform_contact.h"
#include "runtime/simd/floats.h"
#include "runtime/tree/leaf.h"
#include "runtime/volume/similarity.h"
#include "world/deform/deform.h"

struct bvw_owners
{
	uint64_t magic;
	uint32_t triangles;
	uint32_t mark; ///< of the triangles: see bvwtouch_mark_of
};

enum
{
	bvwtouch_owns_vertex = 1, ///< 1 << corner
	bvwtouch_owns_edge = 8,   ///< 8 << corner: from that corner to the next
};

/// @return a byte per triangle, see above
static inline const uint8_t* bvwtouch_owned( const bvw_owners* owners )
{
	return (const uint8_t*)( owners + 1 );
}

/// @return a number that other triangles, or triangles in another order, are unlikely to have
static inline uint32_t bvwtouch_mark_of( const bvfile_view* view )
{
	uint64_t hash = bvfile_entry_of( view->header, bvfile_section_triangles )->hash;
	return (uint32_t)( hash ^ hash >> 32 );
}

/// @return whether these are the owners of a file's triangles
bool bvwtouch_are_owners( const bvw_owners* owners, const bvfile_view* view );

/// One of two meshes that are compared.
typedef struct bvwtouch_side
{
	bvfile_view view;
	bvtree_leaf_source source;
	float ( *from )[3];            ///< positions at time 0; null of a file
	float ( *to )[3];              ///< and at time 1; null if nothing moves
	const bvtree_refit_box* boxes; ///< by number of a node; null if boxes have to be made
	const uint8_t* owned;          ///< null without owners
	const bvvol_similarity*
		placed; ///< at both ends of the step; null if the coordinates are those of the first mesh
} bvwtouch_side;

/// A mesh in its own coordinates.
/// @param owners  null if none are needed
void bvwtouch_side_of( const bvw_deform* deform, const bvw_owners* owners, bool moves, bvwtouch_side* out );

/// The other one of two meshes.
/// @param placed  receives its placement at both ends of the step, if it has one
/// @return false if it is invalid
bool bvwtouch_side_of_other( const bvw_deform* deform, const bvw_deform_other* other,
                             bvvol_similarity placed[2], bvwtouch_side* out );

/// @param at_end  at time 1
/// @return the position of a vertex in the coordinates of the first mesh
static inline bv_vec3 bvwtouch_position( const bvwtouch_side* s, uint32_t vertex, bool at_end )
{
	float( *positions )[3] = at_end && s->to ? s->to : s->from;
	bv_vec3 p = positions ? ( bv_vec3 ){ positions[vertex][0], positions[vertex][1], positions[vertex][2] }
	                      : bvfile_position( &s->view, vertex );
	return s->placed ? bvvol_similarity_apply( s->placed + at_end, p ) : p;
}

/// Makes the boxes of the children of a node, which enclose them at all times.
/// @param packed  the node; null for the root
void bvwtouch_make_boxes( const bvwtouch_side* s, const bvfile_packed_node* packed, bvtree_refit_box* out );

/// Encloses a position at both ends of the step.
void bvwtouch_make_point_box( const bvwtouch_side* s, uint32_t vertex, bvtree_refit_box* out );

/// A triangle of a leaf, without owners.
typedef struct bvwtouch_triangle
{
	bvtree_refit_box box;       ///< at all times
	bvtree_refit_box corner[3]; ///< likewise
	uint32_t number;
	uint32_t vertex[3];
} bvwtouch_triangle;

void bvwtouch_load_triangle( const bvwtouch_side* s, uint32_t number, bvwtouch_triangle* out );

static inline void bvwtouch_join( const bvtree_refit_box* a, const bvtree_refit_box* b,
                                  bvtree_refit_box* out )
{
	bvsimd_floats_store(
		out->lower, bvsimd_floats_min( bvsimd_floats_load( a->lower ), bvsimd_floats_load( b->lower ) ) );
	bvsimd_floats_store(
		out->upper, bvsimd_floats_max( bvsimd_floats_load( a->upper ), bvsimd_floats_load( b->upper ) ) );
}

/// @param reach  a binary32 number that is not below the distance in question
/// @return false only if the boxes are farther apart than that along an axis. Rounding is monotonic: if a difference is not above the
/// reach, neither is what it is rounded to
static inline bool bvwtouch_are_near( const bvtree_refit_box* a, const bvtree_refit_box* b,
                                      bvsimd_floats reach )
{
	bvsimd_floats before =
		bvsimd_floats_subtract( bvsimd_floats_load( a->lower ), bvsimd_floats_load( b->upper ) );
	bvsimd_floats behind =
		bvsimd_floats_subtract( bvsimd_floats_load( b->lower ), bvsimd_floats_load( a->upper ) );
	return ( bvsimd_floats_bits( bvsimd_floats_not_above( bvsimd_floats_max( before, behind ), reach ) ) &
	         7 ) == 7;
}

/// @return the reach for a distance
float bvwtouch_reach( double distance );

/// How much a block has room for. Any triangle fits into one for 1 face, 3 edges and 3 vertices.
typedef struct bvwtouch_room
{
	uint8_t faces;
	uint8_t edges;
	uint8_t vertices;
} bvwtouch_room;

/// @return the size of the arrays of a block, bytes, a multiple of 8
static inline size_t bvwtouch_room_bytes( bvwtouch_room room )
{
	size_t boxes = sizeof( bvtree_refit_box ) * ( (size_t)room.faces + room.edges + room.vertices );
	size_t bytes = boxes + 12 * (size_t)room.faces + 9 * (size_t)room.edges + 5 * (size_t)room.vertices;
	return ( bytes + 7 ) & ~(size_t)7;
}

/// Consecutive triangles of a leaf, and the edges and vertices that they own, with boxes that enclose them at all times.
typedef struct bvwtouch_block
{
	uint32_t first; ///< triangle
	uint32_t side;  ///< which of two meshes
	uint32_t faces; ///< number of triangles; 0 for none
	uint32_t edges;
	uint32_t vertices;
	bvwtouch_room room;
	bvtree_refit_box box; ///< of all triangles
	bvtree_refit_box* face_box;
	bvtree_refit_box* edge_box;
	bvtree_refit_box* vertex_box;
	uint32_t ( *corner )[3];
	uint32_t ( *edge )[2]; ///< the lower number first
	uint32_t* vertex;
	uint8_t* edge_face; ///< which of the triangles owns it
	uint8_t* vertex_face;
} bvwtouch_block;

/// Makes an empty block.
/// @param memory  8-byte aligned, bvwtouch_room_bytes( room )
void bvwtouch_begin_block( void* memory, bvwtouch_room room, bvwtouch_block* out );

/// Loads as many triangles as there is room for.
/// @param most  at least 1
void bvwtouch_load_block( const bvwtouch_side* s, uint32_t first, uint32_t most, bvwtouch_block* out );

/// Receives two leaves that are near each other.
/// @param first   of their triangles
/// @param count   likewise
/// @param is_one  both are the same leaf of one mesh
/// @return false to end the descent
typedef bool bvwtouch_leaves( void* data, const uint32_t first[2], const uint32_t count[2], bool is_one );

/// Visits all pairs of leaves whose boxes are no farther apart than the reach.
/// @param b      null for a and itself: then each pair is visited once, with the first one in front
/// @param tests  counted up by the pairs of boxes tested
/// @return false if the descent was ended
bool bvwtouch_descend( const bvwtouch_side* a, const bvwtouch_side* b, float reach, bvwtouch_leaves* leaves,
                       void* data, uint64_t* tests );
