// Closes an open shape by caps where that moves its surface by little. A closed shape is decomposed and certified
// many times faster.

#pragma once

#include "offline/decompose/shape.h"

/// Closes the shape if its openings are such that points of the closed one are near the open one, and the reverse.
/// Then `shape->moved` says how near. Otherwise nothing changes.
/// @param tolerance  of the decomposition, mesh units; 0 for none
/// @param deadline   of bvbase_clock; the shape stays open if closing it takes longer
/// @param arena      the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_close_shape( bvdecomp_shape* shape, double tolerance, double deadline, bvb_arena* arena,
                                bvb_error* error );
