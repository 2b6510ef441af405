// What the faces of a set add up to as far as the boxes of box_lanes.h depend on it, in the mesh's own coordinates: extremal points
// and moments. Those of a node are its children's put together.

#pragma once

#include "bvbuild/mesh.h"
#include "fit/box_lanes.h"

#include <float.h>
#include <string.h>

/// Coordinates for lanes: ( p - origin ) * scale, none of them above 1.
typedef struct bvb_fit_units
{
	bv_vec3 origin; ///< mesh units
	double scale;   ///< a power of two
	double back;    ///< 1 over that
} bvb_fit_units;

/// @return 2^exponent, of an exponent that leaves its inverse a normal number, too
static inline double bvb_fit_power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( DBL_MAX_EXP - 1 + exponent ) << ( DBL_MANT_DIG - 1 );
	double power;
	memcpy( &power, &bits, sizeof power );
	return power;
}

/// @param size  no coordinate is farther from the origin
static inline bvb_fit_units bvb_fit_units_of( bv_vec3 origin, double size )
{
	// Far below what coordinates can be, so that the scale is a number.
	enum
	{
		least_exponent = -900,
	};
	uint64_t bits;
	memcpy( &bits, &size, sizeof bits );
	int exponent = size > 0 ? (int)( bits >> ( DBL_MANT_DIG - 1 ) ) - ( DBL_MAX_EXP - 2 ) : least_exponent;
	exponent = exponent > least_exponent ? exponent : least_exponent;
	return ( bvb_fit_units ){ origin, bvb_fit_power_of_two( -exponent ), bvb_fit_power_of_two( exponent ) };
}

/// Where a lane's points are from.
typedef struct bvb_fit_lane
{
	bvb_fit_units units;                ///< of the lane
	uint32_t vertex[3 * bvb_box_faces]; ///< of each point of bvb_box_sets
} bvb_fit_lane;

/// Brings a point into a lane.
static inline void bvb_fit_put( bv_vec3 p, const bvb_fit_units* u, bvb_box_lane to[3], int lane )
{
	to[0][lane] = (float)( u->scale * ( p.x - u->origin.x ) );
	to[1][lane] = (float)( u->scale * ( p.y - u->origin.y ) );
	to[2][lane] = (float)( u->scale * ( p.z - u->origin.z ) );
}

/// Of one set.
typedef struct bvb_fit_sums
{
	double lower[bvb_box_directions];     ///< how far along each direction the set is at least
	double upper[bvb_box_directions];     ///< and at most, both but for what lanes round
	uint32_t lowest[bvb_box_directions];  ///< the mesh's vertices that are there
	uint32_t highest[bvb_box_directions]; ///< ...
	bv_vec3 origin;                       ///< a vertex of the set; moments are about it
	double area;                          ///< square mesh units
	double first[3];                      ///< first moments
	double second[6];                     ///< second moments: xx, xy, xz, yy, yz, zz
} bvb_fit_sums;

/// @return the longest side of the axis-aligned box
double bvb_fit_size( const bvb_fit_sums* s );

/// Sums of a lane.
/// @param of  the lane
void bvb_fit_sums_get( const bvb_box_sums* from, int lane, const bvb_fit_lane* of, const bvb_mesh* mesh,
                       bvb_fit_sums* to );

/// The reverse, about the origin of the units. Which points are extremal is left out.
void bvb_fit_sums_put( const bvb_fit_sums* from, const bvb_fit_units* u, const bvb_mesh* mesh,
                       bvb_box_sums* to, int lane );

/// Puts sets together.
/// @param count  at least 1
/// @param to     none of them
void bvb_fit_sums_join( const bvb_fit_sums* from, uint32_t count, bvb_fit_sums* to );
