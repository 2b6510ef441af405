// Contacts of many triangles, joined into manifolds by their normals.

#pragma once

#include "bv/contact.h"

/// Normals are of one manifold if their angle has at least this cosine: 3 degrees.
#define BVTREE_NEAR_COSINE 0.998629534754574

/// A contact, and the group that it belongs to.
typedef struct bvtree_touch
{
	bv_mesh_contact contact;
	uint32_t mesh;
	uint32_t group; ///< 0 for none yet
} bvtree_touch;

/// Contacts in memory of the caller.
typedef struct bvtree_touches
{
	bvtree_touch* touch;
	uint32_t count;
	double speculative; ///< contacts are reported up to this separation
	double slack;       ///< lengths that differ by as much are equal
} bvtree_touches;

/// Joins all contacts into manifolds. Changes their order.
/// @param triangles  for the result
void bvtree_touches_join( bvtree_touches* touches, uint32_t triangles, const bv_mesh_contacts_room* room,
                          bv_mesh_contacts_result* result );
