// The corners of what a cell holds of the shape that are on no triangle.

#pragma once

#include "decompose/field.h"
#include "decompose/piece.h"
#include "hull/rough.h"

/// Finds them for a piece: what `inner` of bvb_piece has.
/// @param roughness  points of films may be missed by so much
/// @param rough      to work with
/// @return bv_ok; bv_error_memory
bv_status bvb_find_inner_corners( const bvb_field* field, bvb_piece* piece, double roughness,
                                  bvb_rough* rough, bvb_arena* arena );
