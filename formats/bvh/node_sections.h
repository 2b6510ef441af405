// What RADI, NQAL and NFAC store of each node. Files are written and verified by the same functions.

#pragma once

#include "bvbuild/mesh.h"

#include "bv/inspect.h"

/// @return a number that is not below the distance of any point of the volume from the origin, and above the
///         largest one by a few units in the last place
double bvfmt_radius_bound( const bv_volume* volume );

/// @return the size of NQAL for so many nodes, bytes
uint64_t bvfmt_quality_bytes( uint32_t nodes );

/// Computes the content of NQAL.
/// @param out  receives bvfmt_quality_bytes
void bvfmt_sum_quality( const bv_file* file, void* out );

/// @return the size of NFAC for so many nodes, bytes
uint64_t bvfmt_faces_bytes( uint32_t nodes );

/// Computes the content of NFAC.
/// @param out  receives bvfmt_faces_bytes
/// @return bv_ok; bv_error_memory
bv_status bvfmt_fit_faces( const bv_file* file, const bvb_mesh* mesh, double share, bvb_arena* arena,
                           void* out, bvb_error* error );
