// The stored form of an oriented box, and the one way to decode it.
//
// The frame is a quaternion of four binary32 numbers of any length but zero. Decoding divides by its squared
// length, so that the decoded axes are orthonormal to the rounding of binary64 although the quaternion is
// not.

#pragma once

#include "bv/shape.h"

/// 40 bytes, as a file has boxes that are no node's children.
typedef struct bvvol_packed_obb
{
	float center[3];       ///< mesh units
	float half_extents[3]; ///< mesh units, not negative
	float rotation[4];     ///< x, y, z, w; the image of the unit vector i is axis i
} bvvol_packed_obb;

/// Decodes a frame with the arithmetic that the format's specification fixes.
/// @param rotation  x, y, z, w, of any length but 0
void bvvol_rotation_axes( const float rotation[4], bv_vec3 axis[3] );

/// Decodes with the arithmetic that the format's specification fixes.
bv_obb bvvol_obb_unpack( const bvvol_packed_obb* packed );

/// The same, straight to where it is wanted: a copy of a structure of numbers that were just stored takes as
/// long as decoding.
void bvvol_obb_unpack_to( const bvvol_packed_obb* packed, bv_obb* out );

/// @return the stored form of a box that was decoded from one
bvvol_packed_obb bvvol_obb_pack( const bv_obb* box );
