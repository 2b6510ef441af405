// Queries of a broad phase: what methods get, and what they call. See bvworld/broadphase.h.

#pragma once

#include "world/broadphase/phase.h"
#include "world/broadphase/shape.h"

/// What a query looks for.
struct bvwphase_query
{
	const bvwphase_object* objects;
	bv_aabb box;
	const bvwphase_shape* shape; ///< in the box; null for the box itself
	uint64_t category;           ///< of the query; all bits if masks of objects are ignored
	uint64_t mask;
	uint32_t* numbers; ///< receives the objects
	uint32_t most;     ///< length of that array
	uint32_t count;    ///< objects found, also beyond `most`
	uint64_t tests;    ///< boxes tested
};

/// Tests an object that may touch the box of a query, and keeps it if it does. To be called once for each object at most.
static inline void bvwphase_look_at( bvwphase_query* q, uint32_t number )
{
	const bvwphase_object* o = q->objects + number;
	++q->tests;
	if ( ( o->category & q->mask ) != 0 && ( o->mask & q->category ) != 0 &&
	     bvwphase_boxes_touch( &o->box, &q->box ) &&
	     ( !q->shape || bvwphase_shape_meets( q->shape, &o->box, &( bv_interval ){ 0, 0 } ) ) )
	{
		if ( q->count < q->most )
		{
			q->numbers[q->count] = number;
		}
		++q->count;
	}
}

/// The `overlap` of methods that keep nothing between updates: looks at all objects.
void bvwphase_look_at_all( const bvw_broadphase* world, bvwphase_query* query );
