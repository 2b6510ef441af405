// Coordinates for fitting: relative to the middle of a mesh and scaled by a power of two, so that no product
// of lengths leaves the range and what is rounded is rounded relative to the mesh's size.

#pragma once

#include "runtime/math/vec.h"

/// x = origin + unit * p for a point p of the place, whose coordinates are up to 1/2 for those of the mesh.
typedef struct bvrecog_place
{
	bv_vec3 origin; ///< mesh units
	double unit;    ///< mesh units, a power of two
	double inverse; ///< of the unit
} bvrecog_place;

/// @return the point of the mesh as one of the place; what is rounded is below 2^-53 of its coordinates
static inline bv_vec3 bvrecog_place_in( const bvrecog_place* place, bv_vec3 x )
{
	return bv_scale( place->inverse, bv_sub( x, place->origin ) );
}

/// @return the point of the place as one of the mesh
static inline bv_vec3 bvrecog_place_out( const bvrecog_place* place, bv_vec3 p )
{
	return bv_add( place->origin, bv_scale( place->unit, p ) );
}
