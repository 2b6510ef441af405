// The vertices of a node that is refitted, and what they measure along directions. See refit.h.
//
// Measures are in binary32, relative to the middle of the node's box and in units of about its size, so that nothing overflows.
//
// Of large subtrees, parts are skipped whose boxes do not reach beyond what was measured already. Where few vertices have moved, what the
// others measure is known from before, unless one of those was the outermost. Volumes are the same.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/simd/floats.h"
#include "runtime/tree/refit.h"
#include "runtime/volume/prisms.h"

/// In place of the index of an inner node: a leaf.
#define BVTREE_REFIT_LEAF UINT32_MAX

/// The vertices of a node: its leaves' lists.
typedef struct bvtree_refit_points
{
	const bvtree_refit* refit;
	const bvtree_refit_box* box; ///< of the node
	uint32_t inner;              ///< index of the node; BVTREE_REFIT_LEAF for a leaf
	uint32_t count;              ///< length of the list, even
	const uint32_t* list;
	bool by_box; ///< the box stands for them

	/// Those that have moved since they were measured along the same directions, with the same box. Null if they were not.
	const bvtree_refit_moved* moved;
} bvtree_refit_points;

/// @param number  of a node
/// @param inner   index of the node; BVTREE_REFIT_LEAF for a leaf
bvtree_refit_points bvtree_refit_points_of( const bvtree_refit* r, uint32_t number, uint32_t inner );

/// Finds the inner nodes among the children of a node, from the first one on.
/// @param lane   of a child
/// @param inner  index of the next child that is an inner node: at first that of the node and 1
/// @return the index of the child; BVTREE_REFIT_LEAF for a leaf
static inline uint32_t bvtree_refit_next_inner( const bvtree_refit* r, const bvfile_packed_node* node,
                                                uint32_t lane, uint32_t* inner )
{
	uint32_t index = *inner;
	if ( bvfile_node_kinds( node )[lane] % bvfile_kind_counts != bvfile_kind_inner )
	{
		return BVTREE_REFIT_LEAF;
	}
	*inner = r->inner[index].end;
	return index;
}

/// Where measures are relative to.
typedef struct bvtree_refit_unit
{
	bvsimd_floats middle; ///< the center as a vector
	float center[4];      ///< mesh units; the fourth does not matter
	float scale;          ///< a power of two; measures are differences from the center times this
	float inverse;        ///< 1 / scale

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
	bvsimd_floats lower = bvsimd_floats_load( box->lower );
	bvsimd_floats upper = bvsimd_floats_load( box->upper );
	// Of a point, it is the point itself, of denormal numbers, too.
	unit.middle = bvsimd_floats_add(
		lower, bvsimd_floats_multiply( bvsimd_floats_all( 0.5f ), bvsimd_floats_subtract( upper, lower ) ) );
	float length[4];
	float ends[4];
	bvsimd_floats_store( unit.center, unit.middle );
	bvsimd_floats_store( length, bvsimd_floats_subtract( upper, lower ) );
	bvsimd_floats_store( ends, bvsimd_floats_max( bvsimd_floats_subtract( unit.middle, lower ),
	                                              bvsimd_floats_subtract( upper, unit.middle ) ) );
	float size = length[0] > length[1] ? length[0] : length[1];
	size = size > length[2] ? size : length[2];
	// The exponent of a power of two above the size, or of 1 for a point: sizes below 2^-100 count as that.
	uint32_t bits;
	memcpy( &bits, &size, sizeof bits );
	uint32_t exponent = bits == 0 ? 126 : bits >> 23 > 26 ? bits >> 23 : 26;
	bits = ( 253 - exponent ) << 23;
	memcpy( &unit.scale, &bits, sizeof bits );
	bits = ( exponent + 1 ) << 23;
	memcpy( &unit.inverse, &bits, sizeof bits );
	unit.reach = ( ( ends[0] + ends[1] ) + ends[2] ) * unit.scale * ( 1 + 0x1p-20f );
	return unit;
}

/// Up to four directions, by coordinate; 0 for those that are not used.
typedef struct bvtree_refit_columns
{
	bvsimd_floats x;
	bvsimd_floats y;
	bvsimd_floats z;
} bvtree_refit_columns;

/// @param from  three or more directions: 12 numbers, those of a coordinate together
static inline bvtree_refit_columns bvtree_refit_columns_of( float ( *from )[bvtree_refit_rows] )
{
	return ( bvtree_refit_columns ){ bvsimd_floats_load( from[0] ), bvsimd_floats_load( from[1] ),
		                             bvsimd_floats_load( from[2] ) };
}

/// Measures the vertices along up to four directions.
/// @param rows  how many are used, 1 to bvtree_refit_rows
/// @param out   has what was measured before if points->moved is not null
void bvtree_refit_measure_along( const bvtree_refit_points* points, const bvtree_refit_unit* unit,
                                 const bvtree_refit_columns* columns, uint32_t rows,
                                 bvtree_refit_measure* out );

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
