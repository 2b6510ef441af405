// What two volumes have in common.

#pragma once

#include "bv/shape.h"

/// A volume and how large it is, which takes longer to find out for k-DOPs than what two of them have in
/// common.
typedef struct bvassess_sized_volume
{
	bv_volume volume; ///< of any type
	double size;      ///< its volume; 0 of a flat one
} bvassess_sized_volume;

/// @return the volume's size
double bvassess_size_of( const bv_volume* volume );

/// bvb_overlap_of for volumes whose sizes are known.
double bvassess_overlap_of_sized( const bvassess_sized_volume* a, const bvassess_sized_volume* b );
