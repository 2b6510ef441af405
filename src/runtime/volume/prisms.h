// The size that a prism needs to enclose points. Shared by fitting prisms and by rounding them to their
// stored form.

#pragma once

#include "bv/shape.h"

/// Points, wherever they are.
typedef struct bvvol_point_list
{
	const void* context;
	bv_vec3 ( *at )( const void* context, uint32_t index );
	uint32_t count; ///< at least 1
} bvvol_point_list;

/// The least half base with which a prism of a half height encloses the points: bvvol_prism_encloses, if it
/// is rounded up.
/// @param box          the center and the axes of the prism
/// @param half_height  0, or above what bvvol_obb_reach gives of any of them along the second axis
double bvvol_prism_half_base( const bv_obb* box, const bvvol_point_list* points, double half_height );

/// The half base, half height and half length of a small prism with a given center that encloses the points
/// in that sense.
/// @param half_height  of one that would be the least were its center not rounded
/// @param extents      receives them; any greater half base and half length will do as well, but not any
///                     greater half height
void bvvol_prism_extents( const bv_obb* box, const bvvol_point_list* points, double half_height,
                          double extents[3] );

/// Makes a prism enclose the points in that sense: it grows about its center.
void bvvol_prism_grow( bv_prism* prism, const bvvol_point_list* points );

/// By which of two triangles of one base's length and height the lesser is preferred: its area, and its size
/// where the points are so flat that rounding is all their height.
static inline double bvvol_prism_cost( double half_base, double half_height )
{
	double size = half_base + half_height;
	return half_base * half_height + 0x1p-10 * ( size * size );
}
