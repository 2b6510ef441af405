// Completing a partition of which some faces are placed already, as branch and bound does for an upper bound:
// J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, sections 3.7.2 and 3.7.3. With no face placed
// these are the splitters `kcenter` and `kmeans`.

#pragma once

#include "offline/fit/volume.h"

/// The part of a face that is not placed yet.
#define BVHIER_UNPLACED 255

/// The rest goes to the nearest center, by the face's farthest corner (modified Hochbaum-Shmoys). Parts that
/// are empty get their center at the corner, of the faces that were not placed, which is farthest from all
/// centers so far, those with the least number first. With no face placed the first center is the corner
/// farthest from the middle of the least ball; only then all corners are put into list->corners, else that is
/// left alone and may be null.
/// @param list    the faces, placed and unplaced; its order breaks no ties, the faces' indices do
/// @param degree  how many parts there are, 1 .. BVB_MAX_DEGREE
/// @param center  by part, of the volume of its faces (bvhier_volume_center); what is said of empty parts is
///                ignored. Null when no face is placed
/// @param room    for list->count numbers
/// @param part    for each face of the list, by its place there: the number of its part, below `degree`,
///                which it keeps, or BVHIER_UNPLACED, which is replaced by such a number. Parts may stay
///                empty
void bvhier_complete_kcenter( const bvfit_face_list* list, uint32_t degree, const bv_vec3* center,
                              double* room, uint8_t* part );

/// The rest goes to the nearest center, by the faces' midpoints; centers are the means of their parts'
/// midpoints and follow until no face moves, or for some rounds (heuristic without intermediate
/// optimization). Then a part that is empty gets its center at the unplaced face farthest from its own
/// center, and so on, those with the least number first. Placed faces never move. All as above.
void bvhier_complete_kmeans( const bvfit_face_list* list, uint32_t degree, double* room, uint8_t* part );

/// @return the middle of a volume of any type: of its box, ball or rectangle; of a k-DOP, of its first three
///         slabs
bv_vec3 bvhier_volume_center( const bv_volume* volume );
