// A broad phase in memory: what all methods share. See bvworld/broadphase.h.
//
// The block begins with struct bvw_broadphase. Arrays follow, at offsets from its begin, so that it can be copied.
//
// Objects whose box changed since the last update are in the list of changed ones. An update goes through the pairs of these
// objects first, which are linked, and then has the method look for new pairs of these objects. All other pairs remain.

#pragma once

#include "bvworld/broadphase.h"

#include "world/pairs/store.h"

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
	uint32_t differing_count;
	uint32_t unused;
	uint64_t tests;      ///< pairs of boxes compared since the last update
	uint64_t objects_at; ///< bvwphase_object[options.objects]
	uint64_t changed_at; ///< uint32_t[options.objects]
	uint64_t store_at;   ///< bvwpairs_store
	uint64_t
		differing_at; ///< uint32_t[options.pairs]: entries of the store that may differ from what was reported
	uint64_t begun_at;   ///< bvw_pair[options.pairs]
	uint64_t ended_at;   ///< bvw_pair[options.pairs]
	uint64_t sorting_at; ///< bvw_pair[options.pairs]
	uint64_t method_at;  ///< what the method needs
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

static inline bvwpairs_store* bvwphase_store( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->store_at );
}

static inline bool bvwphase_boxes_touch( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

/// @return whether two objects may make a pair, whatever their boxes
static inline bool bvwphase_may_pair( const bvwphase_object* a, const bvwphase_object* b )
{
	return ( a->category & b->mask ) != 0 && ( b->category & a->mask ) != 0 &&
	       ( a->group == 0 || a->group != b->group );
}

/// What a query looks for.
typedef struct bvwphase_query
{
	const bvwphase_object* objects;
	bv_aabb box;
	uint64_t category; ///< of the query; all bits if masks of objects are ignored
	uint64_t mask;
	uint32_t* numbers; ///< receives the objects
	uint32_t most;     ///< length of that array
	uint32_t count;    ///< objects found, also beyond `most`
	uint64_t tests;    ///< boxes tested
} bvwphase_query;

/// Tests an object that may touch the box of a query, and keeps it if it does. To be called once for each object at most.
static inline void bvwphase_look_at( bvwphase_query* q, uint32_t number )
{
	const bvwphase_object* o = q->objects + number;
	++q->tests;
	if ( ( o->category & q->mask ) != 0 && ( o->mask & q->category ) != 0 &&
	     bvwphase_boxes_touch( &o->box, &q->box ) )
	{
		if ( q->count < q->most )
		{
			q->numbers[q->count] = number;
		}
		++q->count;
	}
}

/// Reports two objects that may touch to the update. Both are live and not the same. They are compared, and kept if they
/// touch. A pair may be reported more than once, in any order.
/// @return false if there is no room for the pair: then the method returns false at once
bool bvwphase_report( bvw_broadphase* world, uint32_t a, uint32_t b );

/// Likewise, of a method with `is_near`, which is true of the two objects: the pair is kept even if they do not touch.
bool bvwphase_report_near( bvw_broadphase* world, uint32_t a, uint32_t b );

/// Notes whether the objects of a pair of the store touch now.
/// @param index  of the pair
void bvwphase_set_touching( bvw_broadphase* world, uint32_t index, bool touches );

/// The `overlap` of methods that keep nothing between updates: looks at all objects.
void bvwphase_look_at_all( const bvw_broadphase* world, bvwphase_query* query );

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
	/// touched before may be left out.
	/// @return false if bvwphase_report or bvwphase_report_near did
	bool ( *find )( bvw_broadphase* world );

	/// Calls bvwphase_look_at for at least the objects whose boxes touch that of the query.
	void ( *overlap )( const bvw_broadphase* world, bvwphase_query* query );

	/// Whether pairs of the store are kept, as long as this is true of their objects. It may change only for objects that the
	/// method marks with bvwphase_is_loose. Null if pairs are kept as long as they touch.
	bool ( *is_near )( const bvw_broadphase* world, uint32_t a, uint32_t b );
} bvwphase_method;

/// One row for each bvw_method.
extern const bvwphase_method* const bvwphase_methods[bvw_methods];

extern const bvwphase_method bvwphase_all_pairs;
extern const bvwphase_method bvwphase_sort;
extern const bvwphase_method bvwphase_sweep;
extern const bvwphase_method bvwphase_linked;
extern const bvwphase_method bvwphase_interval;
extern const bvwphase_method bvwphase_grid;
extern const bvwphase_method bvwphase_octree;
extern const bvwphase_method bvwphase_tree;

/// @return a multiple of 8 that is not below
static inline uint64_t bvwphase_aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}
