// How far a point of a primitive's surface can be from the mesh.

#pragma once

#include "bvbuild/hausdorff.h"
#include "offline/recognize/cover.h"
#include "offline/recognize/measure.h"

/// What is known before.
typedef struct bvrecog_surface_question
{
	const bvb_mesh* mesh;
	bvb_hausdorff_target** target; ///< of the mesh; made in scratch when it is needed and null
	const bvrecog_place* place;
	bvrecog_edges_known* edges; ///< of the mesh; found out when it is needed
	bvb_arena* scratch;
	bool ( *stop )( void* context ); ///< as in bvb_recognize
	void* context;
	double tolerance;        ///< in units of the place, as all else here
	double to_surface_lower; ///< some point of the mesh is as far from the surface
	double to_surface_upper; ///< none is farther
	double lower;            ///< some point of the surface is as far from the mesh
} bvrecog_surface_question;

/// Answers from how near the mesh is to the surface, if it covers that, and else by a search of the surface.
/// @param primitive  as stored
/// @param shape      the same in the place
/// @param out        receives mesh units: an interval as wide as a tenth of the tolerance at most, or above
///                   the tolerance, or not above what is known of the other direction, unless the search
///                   takes too long
/// @return bv_ok; bv_error_memory
bv_status bvrecog_measure_surface( const bvrecog_surface_question* question, const bv_primitive* primitive,
                                   const bvrecog_shape* shape, bv_interval* out );
