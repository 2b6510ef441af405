// The two steps of welding, as needed for the mesh of record.

#pragma once

#include "bvbuild/mesh.h"

/// What was found on the way.
typedef struct bvmesh_weld_counts
{
	uint64_t non_finite; ///< triangles left out
	uint32_t unused;     ///< vertices that no triangle refers to
	uint32_t used;       ///< vertices that the remaining triangles refer to
} bvmesh_weld_counts;

/// What happens to positions before anything else.
typedef struct bvmesh_placing
{
	bvb_up up;    ///< they are turned
	double scale; ///< and multiplied by it
} bvmesh_placing;

/// Permutes coordinates and changes signs, which rounds nothing, scales, and makes +0 of -0, so that equal
/// positions have equal bits.
static inline bv_vec3 bvmesh_place( const bvmesh_placing* placing, bv_vec3 p )
{
	p = placing->up == bvb_up_z        ? ( bv_vec3 ){ p.x, p.z, -p.y }
	    : placing->up == bvb_up_y_to_z ? ( bv_vec3 ){ p.x, -p.z, p.y }
	                                   : p;
	return ( bv_vec3 ){ placing->scale * p.x + 0.0, placing->scale * p.y + 0.0, placing->scale * p.z + 0.0 };
}

/// Makes vertices with equal positions one, numbered by first use, without any that is not used.
/// @param source  any soup
/// @param placing  of its positions; null for none
/// @param drop_non_finite  triangles with a coordinate that is no number are left out instead of refused
/// @param arena   the positions live here
/// @param out     its triangles have room for the source's, and may be the source's own if nothing is wrong
///                with that; its origin has room for a number of each, or is null
/// @param counts  may be null
/// @return bv_ok; bv_error_input when an index is out of range or a coordinate is no number; bv_error_memory
bv_status bvmesh_weld_equal( const bvb_mesh* source, const bvmesh_placing* placing, bool drop_non_finite,
                             bvb_arena* arena, bvb_mesh* out, bvmesh_weld_counts* counts, bvb_error* error );

/// The same as bvmesh_weld_equal, but vertices become one only if their labels are equal, too.
/// @param labels      of each vertex of the source
/// @param arena       the positions live here, and scratch memory
/// @param out_labels  receives the label of each vertex of `out`
/// @param counts      receives what was found
/// @return bv_ok; bv_error_input; bv_error_memory
bv_status bvmesh_weld_labeled( const bvb_mesh* source, const bvmesh_placing* placing, const uint32_t* labels,
                               bvb_arena* arena, bvb_mesh* out, uint32_t** out_labels,
                               bvmesh_weld_counts* counts, bvb_error* error );

/// Makes the mesh of record as bvb_mesh_record does, but merges only vertices with equal labels.
/// @param labels  of each vertex of the source
/// @param options without a welding distance, and non-finite triangles are not dropped
/// @return as bvb_mesh_record
bv_status bvmesh_record_labeled( const bvb_mesh* source, const uint32_t* labels,
                                 const bvb_record_options* options, bvb_arena* arena, bvb_record* out,
                                 bvb_error* error );

/// Moves vertices together as bvb_mesh_weld does with a distance above 0.
/// @param mesh   as bvmesh_weld_equal leaves it; gets new positions and keeps its triangles, numbered anew
/// @param arena  the new positions live here
/// @param place  receives for each vertex of old its new number
/// @return bv_ok; bv_error_limit when the distance is too small for the coordinates; bv_error_memory
bv_status bvmesh_weld_within( bvb_mesh* mesh, double distance, bvb_arena* arena, uint32_t* place,
                              bvb_error* error );

/// @return bv_ok; bv_error_argument unless the distance is finite and not negative; bv_error_limit for too
///         many triangles
bv_status bvmesh_weld_check( const bvb_mesh* source, double distance, bvb_error* error );
