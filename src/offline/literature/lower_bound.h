// How good the volume of a growing set can still be: what branch and bound prunes by. See lower_bound.c.

#pragma once

#include "offline/hierarchy/build.h"

/// @param list  its corners are overwritten
/// @return a number that the quality of the build's volume (bvhier_build_fit) of no set of faces which
///         contains the list's falls short of, but for rounding of a trillionth part; not negative
double bvlit_lower_bound( const bvhier_build* build, const bvfit_face_list* list );

/// @return whether a face within a set's volumes, of all types in use, never changes the quality of a set
///         that contains that set
bool bvlit_inner_faces_are_free( const bvhier_build* build );

/// Where that holds the quality of a set, which is known anyway, is its lower bound but for rounding.
/// @param whole  a volume of all faces there are
/// @return what to deduct from the quality, so that it is not above that of any larger set
double bvlit_quality_rounding( const bvhier_build* build, const bv_volume* whole );

/// @param list   of a build of which bvlit_inner_faces_are_free; its corners are overwritten
/// @param faces  indices of faces
/// @param count  of them, at most 64
/// @return a bit for each of the faces that is within the volumes, of all types in use, of the list's
uint64_t bvlit_inner_faces( const bvhier_build* build, const bvfit_face_list* list, const uint32_t* faces,
                            uint32_t count );
