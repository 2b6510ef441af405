// What the faces of a set add up to as far as the boxes of box_lanes.h depend on it, in the mesh's own
// coordinates: extremal points and moments. Those of a node are its children's put together.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/fit/box_lanes.h"

#include <float.h>
#include <string.h>

/// Coordinates for lanes: ( p - origin ) * scale, none of them above 1.
typedef struct bvhier_fit_units
{
	bv_vec3 origin; ///< mesh units
	double scale;   ///< a power of two
	double back;    ///< 1 over that
} bvhier_fit_units;

/// @return 2^exponent, of an exponent that leaves its inverse a normal number, too
static inline double bvhier_fit_power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( DBL_MAX_EXP - 1 + exponent ) << ( DBL_MANT_DIG - 1 );
	double power;
	memcpy( &power, &bits, sizeof power );
	return power;
}

/// @param size  no coordinate is farther from the origin
static inline bvhier_fit_units bvhier_fit_units_of( bv_vec3 origin, double size )
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
	return ( bvhier_fit_units ){ origin, bvhier_fit_power_of_two( -exponent ),
		                         bvhier_fit_power_of_two( exponent ) };
}

/// Where a lane's points are from.
typedef struct bvhier_fit_lane
{
	bvhier_fit_units units;               ///< of the lane
	uint32_t vertex[3 * bvfit_box_faces]; ///< of each point of bvfit_box_sets
} bvhier_fit_lane;

/// Brings a point into a lane.
static inline void bvhier_fit_put( bv_vec3 p, const bvhier_fit_units* u, bvfit_box_lane to[3], int lane )
{
	to[0][lane] = (float)( u->scale * ( p.x - u->origin.x ) );
	to[1][lane] = (float)( u->scale * ( p.y - u->origin.y ) );
	to[2][lane] = (float)( u->scale * ( p.z - u->origin.z ) );
}

/// Of one set.
typedef struct bvhier_fit_sums
{
	double lower[bvfit_box_directions];     ///< how far along each direction the set is at least
	double upper[bvfit_box_directions];     ///< and at most, both but for what lanes round
	uint32_t lowest[bvfit_box_directions];  ///< the mesh's vertices that are there
	uint32_t highest[bvfit_box_directions]; ///< ...
	bv_vec3 origin;                         ///< a vertex of the set; moments are about it
	double area;                            ///< square mesh units
	double first[3];                        ///< first moments
	double second[6];                       ///< second moments: xx, xy, xz, yy, yz, zz
} bvhier_fit_sums;

/// @return the longest side of the axis-aligned box
double bvhier_fit_size( const bvhier_fit_sums* s );

/// Sums of a lane.
/// @param of  the lane
void bvhier_fit_sums_get( const bvfit_box_sums* from, int lane, const bvhier_fit_lane* of,
                          const bvb_mesh* mesh, bvhier_fit_sums* to );

/// The reverse, about the origin of the units. Which points are extremal is left out.
void bvhier_fit_sums_put( const bvhier_fit_sums* from, const bvhier_fit_units* u, const bvb_mesh* mesh,
                          bvfit_box_sums* to, int lane );

/// Puts sets together.
/// @param count  at least 1
/// @param to     none of them
void bvhier_fit_sums_join( const bvhier_fit_sums* from, uint32_t count, bvhier_fit_sums* to );
