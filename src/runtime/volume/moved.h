// Volumes moved by the offset of a file.

#pragma once

#include "runtime/volume/kinds.h"

/// Bounds the rounding errors of adding an offset to the points of a volume and to its own numbers.
/// @param center  of the positions
/// @param extent  no position is farther from the center along an axis
/// @param by      the offset
/// @return a length that is above twice the rounding errors of all sums, along any direction of length 1
double bvvol_moved_slack( bv_vec3 center, double extent, bv_vec3 by );

/// Moves a volume of a file. The result encloses each point of the volume, moved exactly, and each point of
/// the volume, moved with its coordinates rounded to binary64. Bounds of an axis-aligned box are the tightest
/// ones, all other volumes are larger by bvvol_moved_slack or a few times that.
bv_volume bvvol_moved( const bv_volume* volume, bv_vec3 by );
