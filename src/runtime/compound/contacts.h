// Contacts of two compounds, in three steps: gather the pairs of leaves that are near (contacts.c), find the contacts of each and keep
// those whose normal both surfaces have (contacts_allow.c), and find other normals for the rest (contacts_turn.c).
//
// Everything but local variables is in memory of the caller, because convex queries need nearly all of the stack that a query may take.

#pragma once

#include "runtime/compound/compound.h"
#include "runtime/convex/shape.h"
#include "runtime/simd/bits.h"

enum
{
	bvcomp_most_exits = 32, ///< normals that are remembered
};

/// A direction that contacts push b in, and how far.
typedef struct bvcomp_exit
{
	bv_vec3 normal;
	double depth;
} bvcomp_exit;

/// A point of a leaf, and the plane through it that is normal to a contact there.
typedef struct bvcomp_plane_point
{
	int which;
	uint32_t owner; ///< the leaf
	bv_vec3 point;
	bv_vec3 normal; ///< away from the leaf
	double reach;   ///< leaves that are no farther are at the point
} bvcomp_plane_point;

/// Other normals of a pair, in the order of depths.
typedef struct bvcomp_turn
{
	uint32_t exits;    ///< normals of contacts
	uint32_t faces[2]; ///< of both leaves
	uint32_t index;    ///< of the one that is tried
	double depth;      ///< along it
	bv_vec3 normal;
	bv_vec3 end[2]; ///< points of both leaves that are farthest along it
} bvcomp_turn;

/// A query. Must not be moved.
typedef struct bvcomp_contacts
{
	bvcomp_side side[2];
	double speculative;
	double tolerance; ///< 0 for the default
	bool tests_ghosts;
	bv_manifold_options options;
	bv_compound_cache_callback* cache_callback;
	void* context;
	const bv_compound_room* room;
	bv_compound_contacts_result found;

	// The pair that is looked at.
	uint32_t leaf[2];
	const bvcomp_item* item[2];
	bv_convex shape[2];
	bv_transform first;     ///< of the first shape in coordinates of a
	bv_transform placement; ///< of the second shape in coordinates of the first
	bool is_moved;          ///< the first shape has other coordinates than a
	double size;            ///< half of the diagonal of the smaller box
	double slack;           ///< lengths that differ by as much are equal
	bv_manifold manifold;   ///< in coordinates of a

	// Of other leaves.
	bvconvex_prepared prepared;
	bv_convex other;
	bv_convex point;
	bv_transform other_placement;
	bv_convex_result measured;
	bvcomp_plane_point at;
	bvcomp_cursor cursor;
	bv_vec3 way;     ///< the sum of ways from that point to leaves
	bool is_covered; ///< the point is so deep in another leaf that no step leads out of it
	bvcomp_turn turn;

	bvcomp_exit exit[bvcomp_most_exits];
	uint32_t exit_count;

	uint64_t* pairs;    ///< numbers of both leaves, sorted
	double* separation; ///< of pairs that overlap along a normal that is not allowed; otherwise infinite
	uint32_t pair_count;
	uint32_t pair_most;
	uint32_t pair_at;    ///< behind the one that is looked at
	uint32_t late_count; ///< pairs that are looked at again when others have contacts
	bool is_last;        ///< these are looked at
	uint32_t failures;   ///< pairs for which no other normal was found
} bvcomp_contacts;

/// Makes a pair the one that is looked at.
void bvcomp_contacts_place( bvcomp_contacts* q, uint64_t pair );

/// A point of a leaf.
typedef struct bvcomp_height
{
	double height; ///< its product with the direction
	bv_vec3 point;
} bvcomp_height;

/// @param along  unit vector
/// @return the point of a leaf that is farthest along a direction; infinite for a half-space that has none
bvcomp_height bvcomp_contacts_highest( bvcomp_contacts* q, int which, uint32_t leaf, bv_vec3 along );

/// @param point  of both leaves
/// @return whether both surfaces have a normal, from a to b
bool bvcomp_contacts_allow_at( bvcomp_contacts* q, const bv_vec3 point[2], const bv_vec3* normal );

/// @return whether both surfaces have the normal of the manifold at one of its contacts at least
bool bvcomp_contacts_allow( bvcomp_contacts* q );

/// Finds the contacts of the pair, in coordinates of a.
bv_status bvcomp_contacts_find( bvcomp_contacts* q, bv_convex_cache* cache );

/// Makes the manifold that of the pair along another normal.
void bvcomp_contacts_find_along( bvcomp_contacts* q, bv_vec3 normal );

/// Remembers how far the manifold pushes b.
void bvcomp_contacts_add_exit( bvcomp_contacts* q );

/// Keeps the manifold, if there is room or another one with a larger separation.
void bvcomp_contacts_keep( bvcomp_contacts* q );

/// Finds contacts of all pairs that overlap along a normal that is not allowed.
bv_status bvcomp_contacts_turn( bvcomp_contacts* q );

/// @return the least separation of its contacts, of which there is one at least
static inline double bvcomp_contacts_separation( const bv_manifold* m )
{
	double least = m->contact[0].separation;
	for ( uint32_t i = 1; i < m->count; ++i )
	{
		least = bvmath_min( least, m->contact[i].separation );
	}
	return least;
}
