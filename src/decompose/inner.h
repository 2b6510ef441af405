// The corners of what a cell holds of the shape that are on no triangle.

#pragma once

#include "decompose/field.h"
#include "decompose/piece.h"

/// Finds them for a piece: what `inner` of bvb_piece has.
/// @return bv_ok; bv_error_memory
bv_status bvb_find_inner_corners( const bvb_field* field, bvb_piece* piece, bvb_arena* arena );
