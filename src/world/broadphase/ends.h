// End points of boxes along an axis, which sweeps sort.

#pragma once

#include "world/broadphase/phase.h"

/// Of keys of upper end points.
#define BVWPHASE_UPPER UINT32_C( 0x80000000 )

/// An end of the box of an object along an axis.
typedef struct bvwphase_end_point
{
	double value;        ///< world units
	uint32_t key;        ///< the number of the object; BVWPHASE_UPPER is added to it at upper end points
	uint32_t is_changed; ///< 1 if the object is; for methods that use it, otherwise 0
} bvwphase_end_point;

/// @return a bound; 0 instead of -0
static inline double bvwphase_lower_of( const bv_aabb* box, int axis )
{
	return ( axis == 0 ? box->lower.x : axis == 1 ? box->lower.y : box->lower.z ) + 0.0;
}

/// @return a bound; 0 instead of -0
static inline double bvwphase_upper_of( const bv_aabb* box, int axis )
{
	return ( axis == 0 ? box->upper.x : axis == 1 ? box->upper.y : box->upper.z ) + 0.0;
}

static inline uint32_t bvwphase_end_number( const bvwphase_end_point* e )
{
	return e->key & ~BVWPHASE_UPPER;
}

static inline bool bvwphase_end_is_upper( const bvwphase_end_point* e )
{
	return ( e->key & BVWPHASE_UPPER ) != 0;
}

/// @return whether an end point of this value and key comes before another one. Values are compared, then keys: lower end points come
/// before upper ones
static inline bool bvwphase_end_is_below( double value, uint32_t key, const bvwphase_end_point* b )
{
	return value < b->value || ( value == b->value && key < b->key );
}

/// @param ends  sorted by value, then by key
/// @return how many come before an end point of this value and key
uint32_t bvwphase_place_of_end( const bvwphase_end_point* ends, uint32_t count, double value, uint32_t key );

/// Sorts by value. Equal values keep their order: lower end points come before upper ones if they do so before.
/// @param room  as long as the array
void bvwphase_sort_ends( bvwphase_end_point* ends, uint32_t count, bvwphase_end_point* room );
