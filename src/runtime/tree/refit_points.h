// The vertices of a node that is refitted, and what they measure along directions. See refit.h.
//
// Measures are in binary32, relative to the middle of the node's box and in units of about its size, so that nothing overflows.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/tree/refit.h"
#include "runtime/volume/prisms.h"

/// The vertices of a node: new ones by their numbers, and those of a list that are before these.
typedef struct bvtree_refit_points
{
	float ( *positions )[3];
	float ( *later )[3]; ///< null if there is none
	uint32_t first;      ///< new vertex
	uint32_t end;        ///< behind the new vertices
	const uint32_t* old;
	uint32_t old_count; ///< of the list, those that are not before `first` included
} bvtree_refit_points;

/// @param number  of a node
bvtree_refit_points bvtree_refit_points_of( const bvtree_refit* r, uint32_t number );

/// Where measures are relative to.
typedef struct bvtree_refit_unit
{
	float center[4]; ///< mesh units; the fourth is 0
	float scale;     ///< a power of two; measures are differences from the center times this
	float inverse;   ///< 1 / scale

	/// Bound of the sum of the coordinates' absolute values of any vertex, in the unit.
	float reach;
} bvtree_refit_unit;

/// By how much measures along directions of length up to 2 and coordinates up to 1 err, in the unit, for a reach of 1.
///
/// With u = 2^-24: the difference errs by u of itself, a product by u and by u of the direction's own rounding, the two sums by 2u; all of
/// these are relative to the sum of the coordinates' absolute values, together less than 6u. Twice 2^-20 covers sums of two rows, too.
#define BVTREE_REFIT_ROUNDING 0x1p-20

/// @param box  of the node, smaller than 2^125
static inline bvtree_refit_unit bvtree_refit_unit_of( const bvtree_refit_box* box )
{
	bvtree_refit_unit unit;
	float size = 0;
	float reach = 0;
	for ( int i = 0; i < 3; ++i )
	{
		float center = 0.5f * box->lower[i] + 0.5f * box->upper[i];
		float lower = center - box->lower[i];
		float upper = box->upper[i] - center;
		float length = box->upper[i] - box->lower[i];
		size = length > size ? length : size;
		reach += lower > upper ? lower : upper;
		unit.center[i] = center;
	}
	unit.center[3] = 0;
	// The exponent of a power of two above the size, or of 1 for a point: sizes below 2^-100 count as that.
	uint32_t bits;
	memcpy( &bits, &size, sizeof bits );
	uint32_t exponent = bits == 0 ? 126 : bits >> 23 > 26 ? bits >> 23 : 26;
	bits = ( 253 - exponent ) << 23;
	memcpy( &unit.scale, &bits, sizeof bits );
	bits = ( exponent + 1 ) << 23;
	memcpy( &unit.inverse, &bits, sizeof bits );
	unit.reach = reach * unit.scale * ( 1 + 0x1p-20f );
	return unit;
}

/// Measures the vertices along four directions.
/// @param columns  the x coordinates of bvtree_refit_rows directions, then the y and the z coordinates
void bvtree_refit_measure_along( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                                 const float* columns, bvtree_refit_measure* out );

/// Measures how far the vertices are from a point, a segment or a rectangle.
/// @param axis    orthonormal
/// @param center  mesh units, within a few sizes of the box
/// @param half    half extents along the first two axes, mesh units; 0 for the point
/// @return a number that is not below the greatest distance, mesh units
double bvtree_refit_radius( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                            const bv_vec3 axis[3], bv_vec3 center, const double half[2] );

/// The vertices as fitting of prisms takes them. Some may be there twice.
/// @param points  is kept
bvvol_point_list bvtree_refit_list( const bvtree_refit_points* points );
