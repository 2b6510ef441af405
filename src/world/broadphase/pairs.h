// How a broad phase keeps the pairs of an update until the next one, and tells which began and ended.

#pragma once

#include "world/broadphase/phase.h"

/// A way to keep pairs: a row of the table in pairs.c. A pair is reported if it touched at the last update, unless an update that
/// failed has found since that it does not, or one of its objects was removed.
typedef struct bvwphase_keeper
{
	const char* name;
	const char* help;
	uint32_t most_objects; ///< 0: any number

	/// @return size of its own part of the block, bytes; a multiple of 8
	uint64_t ( *bytes )( const bvw_broadphase_options* options );

	/// Makes it empty. The memory is zero.
	void ( *begin )( bvw_broadphase* world );

	/// To be called before the method looks for pairs.
	void ( *prepare )( bvw_broadphase* world, const bvwphase_method* method );

	/// A pair that the method has found, of two objects that may make one.
	/// @param touches  false only for methods with `is_near`
	/// @return false if there is no room for it
	bool ( *keep )( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches );

	/// What bvwphase_room_for_pairs and bvwphase_take_pairs call. Null for stores that methods cannot fill themselves.
	bvw_pair* ( *room )( bvw_broadphase* world );
	void ( *take )( bvw_broadphase* world, uint32_t count );

	/// To be called after the method has found all pairs. Writes the pairs that began into the list of those that began, and adds
	/// those that ended to the list of those that ended, sorted. It may leave pairs of new objects in both.
	/// @param begun_count  receives the number of pairs that began
	/// @return false if there is no room: then `fail` is to be called
	bool ( *finish )( bvw_broadphase* world, const bvwphase_method* method, uint32_t* begun_count );

	/// To be called if the update fails: pairs that no longer touch are added to the list of those that ended. Null if that is done.
	void ( *fail )( bvw_broadphase* world );

	/// To be called before an object is removed: it makes no pairs.
	void ( *drop )( bvw_broadphase* world, uint32_t number );

	/// @return whether two live objects, a < b, are a reported pair
	bool ( *has )( const bvw_broadphase* world, uint32_t a, uint32_t b );

	/// Lists the reported pairs, sorted.
	/// @param out  null to count them
	/// @return how many there are
	uint32_t ( *list )( const bvw_broadphase* world, bvw_pair* out );

	/// Lists the pairs that are to be added to the list of those that ended by the next update, because an object was removed. Null
	/// if they are in that list.
	uint32_t ( *list_dropped )( const bvw_broadphase* world, bvw_pair* out );

	/// Adds reported pairs to an empty one, sorted. There is room for them.
	void ( *restore )( bvw_broadphase* world, const bvw_pair* pairs, uint32_t count );

	/// @return the user data of a pair that `has` is true of. Null if it keeps none
	uint64_t* ( *data )( const bvw_broadphase* world, uint32_t a, uint32_t b );

	/// To be called between updates.
	/// @return the user data of the pairs in the list of ended ones, in its order; 0 if an object was removed. Null if it keeps none
	uint64_t* ( *ended_data )( const bvw_broadphase* world );
} bvwphase_keeper;

/// One row for each bvw_pair_store.
extern const bvwphase_keeper* const bvwphase_keepers[bvw_pair_stores];

extern const bvwphase_keeper bvwphase_keeper_hash;
extern const bvwphase_keeper bvwphase_keeper_list;
extern const bvwphase_keeper bvwphase_keeper_matrix;

static inline const bvwphase_keeper* bvwphase_keeper_of( const bvw_broadphase* world )
{
	return bvwphase_keepers[world->options.store];
}

/// Writes pairs into the list of those that ended. There is room, because they touched at the last update.
static inline void bvwphase_end_pair( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	bvw_pair* ended = bvwphase_at( world, world->ended_at );
	ended[world->ended_count++] = ( bvw_pair ){ a, b };
}

static inline bvw_pair* bvwphase_begun( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->begun_at );
}
