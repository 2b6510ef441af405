// The corners of what a cell holds of the shape that are on no triangle.

#pragma once

#include "offline/decompose/field.h"
#include "offline/decompose/piece.h"
#include "offline/hull/rough.h"

/// Finds them for a piece: what `inner` of bvdecomp_piece has.
/// @param roughness  points of films may be missed by so much
/// @param rough      to work with
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_inner_corners( const bvdecomp_field* field, bvdecomp_piece* piece, double roughness,
                                       bvhull_rough* rough, bvb_arena* arena );
