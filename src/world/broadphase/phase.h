// A broad phase in memory: what all methods share. See bvworld/broadphase.h.
//
// The block begins with struct bvw_broadphase. Arrays follow, at offsets from its begin, so that it can be copied.
//
// Objects whose box changed since the last update are in the list of changed ones. An update has the method look for pairs of these
// objects. All other pairs remain. How pairs are kept is in pairs.h.

#pragma once

#include "bvworld/broadphase.h"

#include "world/team/team.h"

#include "runtime/simd/bits.h"

#include <stdbool.h>

enum
{
	bvwphase_is_live = 1,    ///< the number is in use
	bvwphase_is_changed = 2, ///< in the list of changed ones
	bvwphase_is_new = 4,     ///< added since the last update
	bvwphase_is_loose = 8, ///< of methods with `is_near`: it is to be asked again about pairs of this object
};

/// An object.
typedef struct bvwphase_object
{
	bv_aabb box;
	uint64_t category; ///< not 0
	uint64_t mask;     ///< not 0
	uint32_t group;    ///< 0: none
	uint32_t state;    ///< bits
} bvwphase_object;

/// The head of the block.
struct bvw_broadphase
{
	uint64_t magic;
	uint64_t bytes;                 ///< of the whole block
	bvw_broadphase_options options; ///< with all defaults replaced
	uint32_t live;                  ///< number of objects
	uint32_t highest;               ///< numbers in use are below this
	uint32_t changed_count; ///< of live objects, or of objects that were removed after they had changed
	uint32_t ended_count;   ///< pairs that ended and were not reported yet
	uint32_t has_failed;    ///< the last update did: pairs that it found can be lost
	uint32_t has_new;       ///< objects were added since the last update
	uint64_t tests;         ///< pairs of boxes compared since the last update
	uint64_t objects_at;    ///< bvwphase_object[options.objects]
	uint64_t changed_at;    ///< uint32_t[options.objects]
	uint64_t begun_at;      ///< bvw_pair[options.pairs]
	uint64_t ended_at;      ///< bvw_pair[options.pairs]
	uint64_t sorting_at;    ///< bvw_pair[options.pairs]; the hash table has user data there
	uint64_t pairs_at;      ///< what the way to keep pairs needs
	uint64_t method_at;     ///< what the method needs
};

/// @return an array of the block
static inline void* bvwphase_at( const bvw_broadphase* world, uint64_t offset )
{
	return (char*)world + offset;
}

static inline bvwphase_object* bvwphase_objects( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->objects_at );
}

/// @return whether a number is in use
static inline bool bvwphase_has_object( const bvw_broadphase* world, uint32_t number )
{
	return number < world->highest && ( bvwphase_objects( world )[number].state & bvwphase_is_live );
}

static inline uint32_t* bvwphase_changed( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->changed_at );
}

static inline bool bvwphase_boxes_touch( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

/// @return whether a box is one that objects may have
bool bvwphase_box_is_valid( const bv_aabb* box );

/// @return whether two objects may make a pair, whatever their boxes
static inline bool bvwphase_may_pair( const bvwphase_object* a, const bvwphase_object* b )
{
	return ( a->category & b->mask ) != 0 && ( b->category & a->mask ) != 0 &&
	       ( a->group == 0 || a->group != b->group );
}

/// What a query looks for. See query.h.
typedef struct bvwphase_query bvwphase_query;

/// What moves, and meets objects. See cast.h.
typedef struct bvwphase_cast bvwphase_cast;

/// @return null if pairs are not kept in a list; else an array of options.pairs pairs, which a method can fill instead of reporting
/// pairs
bvw_pair* bvwphase_room_for_pairs( bvw_broadphase* world );

/// Ends the filling of that array.
/// @param count  pairs at its begin, sorted, each once, that touch and that objects may make
void bvwphase_take_pairs( bvw_broadphase* world, uint32_t count );

/// Reports two objects that may touch to the update. Both are live and not the same. They are compared, and kept if they
/// touch. A pair may be reported more than once, in any order.
/// @return false if there is no room for the pair: then the method returns false at once
bool bvwphase_report( bvw_broadphase* world, uint32_t a, uint32_t b );

/// Likewise, of a method with `is_near`, which is true of the two objects: the pair is kept even if they do not touch.
bool bvwphase_report_near( bvw_broadphase* world, uint32_t a, uint32_t b );

/// Likewise, of two objects that touch and may make a pair.
bool bvwphase_keep( bvw_broadphase* world, uint32_t a, uint32_t b );

/// A method: a row of the table in methods.c. Functions get a world whose objects are up to date, except for `remove`.
typedef struct bvwphase_method
{
	const char* name;
	const char* help;

	/// @return size of the method's own part of the block, bytes; a multiple of 8. Null for methods that have none
	uint64_t ( *bytes )( const bvw_broadphase_options* options );

	/// Makes it empty. The memory is zero. Null if that is empty.
	void ( *begin )( bvw_broadphase* world );

	/// The object is new. This and the next two are null for methods that keep nothing between updates.
	void ( *add )( bvw_broadphase* world, uint32_t number );

	/// The box of the object has changed.
	/// @param from  the box that it had
	void ( *move )( bvw_broadphase* world, uint32_t number, const bv_aabb* from );

	/// The object is removed; its box is still there.
	void ( *remove )( bvw_broadphase* world, uint32_t number );

	/// Reports pairs: at least those in which one object is in the list of changed ones and touches the other. Pairs that
	/// touched at the last update may be left out if that did not fail.
	/// @return false if bvwphase_report or bvwphase_report_near did
	bool ( *find )( bvw_broadphase* world );

	/// Does what `find` does, with several threads, and is called instead of it. Null for methods that use one thread.
	bool ( *find_on )( bvw_broadphase* world, const bvwteam_team* team );

	/// Calls bvwphase_look_at for at least the objects whose boxes touch that of the query.
	void ( *overlap )( const bvw_broadphase* world, bvwphase_query* query );

	/// Whether `find` reports all pairs of changed objects that touch, also those that touched before.
	bool finds_known;

	/// Calls bvwphase_meet for at least the objects whose boxes are met up to bvwphase_cast_end, which bvwphase_meet reduces, the nearest
	/// ones first if that is easy, until cast->is_done. Null for methods that look at all objects.
	void ( *cast )( const bvw_broadphase* world, bvwphase_cast* cast );

	/// Whether pairs are kept, as long as this is true of their objects. It may change only for objects that the
	/// method marks with bvwphase_is_loose. Null if pairs are kept as long as they touch.
	bool ( *is_near )( const bvw_broadphase* world, uint32_t a, uint32_t b );
} bvwphase_method;

/// One row for each bvw_method.
extern const bvwphase_method* const bvwphase_methods[bvw_methods];

extern const bvwphase_method bvwphase_all_pairs;
extern const bvwphase_method bvwphase_sort;
extern const bvwphase_method bvwphase_rows;
extern const bvwphase_method bvwphase_sweep;
extern const bvwphase_method bvwphase_linked;
extern const bvwphase_method bvwphase_interval;
extern const bvwphase_method bvwphase_octree;
extern const bvwphase_method bvwphase_tree;
extern const bvwphase_method bvwphase_uniform;
extern const bvwphase_method bvwphase_levels;
extern const bvwphase_method bvwphase_hashgrids;
extern const bvwphase_method bvwphase_spatialhash;

/// @return a multiple of 8 that is not below
static inline uint64_t bvwphase_aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}

/// @param bits  not 0
/// @return the index of the lowest one that is set
static inline uint32_t bvwphase_lowest_bit( uint64_t bits )
{
	uint32_t low = (uint32_t)bits;
	return low != 0 ? bvsimd_lowest_bit( low ) : 32 + bvsimd_lowest_bit( (uint32_t)( bits >> 32 ) );
}
