// Rays and moving boxes: what methods get, and what they call. See bvworld/queries.h.
//
// A ray is a box without size. A moving convex shape is its box, and when that meets the box of an object, the shape is tested.

#pragma once

#include "bvworld/queries.h"

#include "world/broadphase/phase.h"
#include "world/broadphase/shape.h"

/// What moves, and the hits so far.
struct bvwphase_cast
{
	const bvwphase_object* objects;
	double lower[3]; ///< of the box at time 0
	double upper[3]; ///< likewise
	double motion[3];
	double from;       ///< of the range of time, which is not empty
	double to;         ///< likewise
	double end;        ///< what is met later is no hit; at most `to`, and becomes less as hits are found
	uint64_t category; ///< of the query; all bits if masks of objects are ignored
	uint64_t mask;
	const bvwphase_shape* shape;     ///< null for a box
	const bvw_cast_options* options; ///< of the caller
	bvw_hit* hits;  ///< the first ones so far, as a heap: the last one of these is the first of the array
	uint32_t most;  ///< length of that array
	uint32_t count; ///< of hits in it
	bool is_done;   ///< a hit was found, and any is enough
	uint64_t tests; ///< boxes tested
};

/// @return a time: objects that are met later are no hits. Their times are compared by lower bounds, which are a little earlier than
/// the true ones
static inline double bvwphase_cast_end( const bvwphase_cast* cast )
{
	double end = cast->end * ( 1 + 0x1p-40 ) + 0x1p-1000;
	return end < cast->to ? end : cast->to;
}

/// Tests an object that may be met, and keeps it if it is one of the first. To be called once for each object at most.
void bvwphase_meet( bvwphase_cast* cast, uint32_t number );

/// The same for all objects, of methods without a faster `cast`.
void bvwphase_meet_all( const bvw_broadphase* world, bvwphase_cast* cast );

/// @param from  not negative and finite
/// @param to    not below; can be infinite
/// @return a box that the moving box stays in between two times
bv_aabb bvwphase_cast_reach( const bvwphase_cast* cast, double from, double to );

/// Sorts the hits.
void bvwphase_cast_sort( bvwphase_cast* cast );
