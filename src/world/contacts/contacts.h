// Contacts in memory. See bvworld/contacts.h.
//
// The block begins with struct bvw_contacts. Arrays follow, at offsets from its begin, so that it can be copied. Entries do not move.
// A short row for each is kept sorted by key, so that pairs asleep cost a look at their rows.

#pragma once

#include "bvworld/contacts.h"

#include <stdbool.h>

/// No slot.
#define BVWCONTACT_NONE UINT32_MAX

enum
{
	bvwcontact_is_listed = 1,   ///< the broad phase has the pair
	bvwcontact_is_due = 2,      ///< to be computed even if both objects are asleep
	bvwcontact_touches = 4,     ///< has contacts
	bvwcontact_has_begun = 8,   ///< in this step
	bvwcontact_has_ended = 16,  ///< likewise
	bvwcontact_is_refused = 32, ///< likewise
	bvwcontact_of_step = bvwcontact_has_begun | bvwcontact_has_ended | bvwcontact_is_refused,
};

/// An entry's place in the order of keys.
typedef struct bvwcontact_row
{
	bvw_contact_key key;
	uint32_t slot;  ///< index of the entry
	uint32_t state; ///< bits
} bvwcontact_row;

/// What a thread works with. Not on the stack, most of which convex queries take.
typedef struct bvwcontact_query
{
	bv_transform b_in_a;
	bv_manifold_options options;
	bv_manifold manifold;
	uint64_t supports; ///< of all pairs of the thread in this step
} bvwcontact_query;

/// The head of the block.
struct bvw_contacts
{
	uint64_t magic;
	uint64_t bytes;               ///< of the whole block
	bvw_contacts_options options; ///< with all defaults replaced
	uint64_t step;                ///< number of the last one
	uint32_t count;               ///< entries in use
	uint32_t used;                ///< slots that were ever in use
	uint32_t free;                ///< first free one below `used`, linked by key.a
	uint32_t begun_count;
	uint32_t touching_count;
	uint32_t ended_count;
	uint32_t refused_count;
	uint32_t work_count;
	uint64_t pairs_at;    ///< bvw_contact_pair[options.pairs]
	uint64_t rows_at;     ///< bvwcontact_row[options.pairs]
	uint64_t ended_at;    ///< bvw_contact_end[options.pairs]
	uint64_t touching_at; ///< uint32_t[options.pairs], and the next three
	uint64_t begun_at;
	uint64_t refused_at;
	uint64_t work_at;  ///< indices of rows to compute
	uint64_t query_at; ///< bvwcontact_query[options.workers]
	uint64_t kept_at;  ///< bvw_kept_points[options.pairs] if options.keep
};

static inline void* bvwcontact_at( const bvw_contacts* contacts, uint64_t offset )
{
	return (char*)contacts + offset;
}

static inline bvw_contact_pair* bvwcontact_pairs( const bvw_contacts* contacts )
{
	return bvwcontact_at( contacts, contacts->pairs_at );
}

static inline bvwcontact_row* bvwcontact_rows( const bvw_contacts* contacts )
{
	return bvwcontact_at( contacts, contacts->rows_at );
}

/// @return the points of former steps of an entry; null if they are not kept
static inline bvw_kept_points* bvwcontact_kept( const bvw_contacts* contacts, uint32_t slot )
{
	return contacts->options.keep ? (bvw_kept_points*)bvwcontact_at( contacts, contacts->kept_at ) + slot
	                              : NULL;
}

/// @return negative, 0 or positive
static inline int bvwcontact_compare( const bvw_contact_key* x, const bvw_contact_key* y )
{
	uint64_t objects[2] = { (uint64_t)x->a << 32 | x->b, (uint64_t)y->a << 32 | y->b };
	uint64_t parts[2] = { (uint64_t)x->part[0] << 32 | x->part[1], (uint64_t)y->part[0] << 32 | y->part[1] };
	int by_objects = ( objects[0] > objects[1] ) - ( objects[0] < objects[1] );
	return by_objects != 0 ? by_objects : ( parts[0] > parts[1] ) - ( parts[0] < parts[1] );
}

/// @return the index of the first row whose key is not below
uint32_t bvwcontact_lower_bound( const bvw_contacts* contacts, const bvw_contact_key* key );

/// @return a slot whose entry has no contacts; there is one if count < options.pairs
uint32_t bvwcontact_take_slot( bvw_contacts* contacts, const bvw_contact_key* key );

void bvwcontact_free_slot( bvw_contacts* contacts, uint32_t slot );

/// @return whether it has not too many points, and all of its numbers are in range
bool bvwcontact_is_valid_manifold( const bv_manifold* m );

/// Replaces the manifold of an entry, and carries over what belongs to points that remain.
/// @param kept       of the entry; null if points are not kept
/// @param placement  valid
/// @param tolerance  in coordinates of a
void bvwcontact_replace( bvw_contact_pair* pair, bvw_kept_points* kept, const bv_manifold* manifold,
                         const bv_transform* placement, double tolerance, uint64_t step );

/// Takes the data of kept points that the manifold has again, and keeps those that are near.
/// @param begun  a bit for each point of the manifold that is new
/// @param ended  points that the manifold no longer has
void bvwcontact_keep( bvw_contact_pair* pair, uint32_t begun, bvw_kept_points* kept,
                      const bvw_kept_point* ended, uint32_t count, const bv_transform* placement,
                      double tolerance );

/// Records all points of an entry as ended.
void bvwcontact_end_of( const bvw_contact_pair* pair, bvw_contact_end* out );
