// The stored form of volumes of every type as binary32 numbers, used for the root of a hierarchy and for
// bounds.

#pragma once

#include "runtime/volume/packed_obb.h"

enum
{
	bvvol_packed_most = 2 * BV_KDOP_DIRECTIONS * sizeof( float ), ///< no stored form is larger
};

/// @return the size of a type's stored form, bytes, a multiple of 4
uint32_t bvvol_packed_bytes( bv_volume_type type );

/// Decodes with the arithmetic that the format's specification fixes.
/// @param packed  bvvol_packed_bytes( type ), 4-byte aligned
bv_volume bvvol_unpack( bv_volume_type type, const void* packed );

/// Half the lengths of a box round a volume in its own frame; of a k-DOP along the mesh's axes.
void bvvol_half_lengths( const bv_volume* volume, double half[3] );

/// An axis-aligned box as an oriented one: to rounding the same points.
bv_obb bvvol_aabb_turned( const bv_aabb* box );

/// @param volume  was decoded from a stored form, or fitted
/// @param packed  receives bvvol_packed_bytes( volume->type ), 4-byte aligned
void bvvol_pack( const bv_volume* volume, void* packed );
