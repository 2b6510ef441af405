// The quality of nodes, and of several together: small is good. J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.5: G = G_geometry * G_collision. To the collision cost of a type,
// which is that of its own test, comes here what the tests cost that follow a hit; without these his rule is
// left.

#pragma once

#include "bvbuild/hausdorff.h"
#include "offline/fit/volume.h"

/// What is measured.
typedef struct bvhier_quality
{
	bvb_quality_measure measure; ///< of one node
	bvb_aggregate aggregate;     ///< of several
	double collision
		[bv_volume_types]; ///< by type: what a test of such a volume costs in the mean or at most, as
						   ///< `aggregate` says, and the tests after a hit; 1 when only one type is used
	const bvb_mesh* mesh;  ///< whose triangles the faces are, by the same index; for bvb_quality_hausdorff
} bvhier_quality;

/// @param types  a bit, 1 << type, for each type that is used
bvhier_quality bvhier_quality_make( const bvb_hierarchy_options* options, const bvb_mesh* mesh );

/// @param target  for bvb_quality_hausdorff: reused between calls, may point to null at first; it lives in
///                `arena`. Else ignored
/// @param good    receives the quality of a volume and the faces in it, not negative; infinite when a
///                distance could not be measured
/// @return false when out of memory
bool bvhier_quality_of( const bvhier_quality* quality, const bvfit_face_list* list, const bv_volume* volume,
                        bvb_hausdorff_target** target, bvb_arena* arena, double* good );

/// @param count  at least 1
/// @return the quality of several nodes, the root of whose values is the order of `each`
double bvhier_quality_together( const bvhier_quality* quality, const double* each, uint32_t count );
