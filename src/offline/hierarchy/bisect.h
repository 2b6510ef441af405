// What rules share that cut a set by a plane: order statistics, and how more than two parts come of two.

#pragma once

#include "offline/hierarchy/split.h"

/// A rule that divides a set in two.
/// @param set   its volume is that of the node or of a set this is part of: only the type is of use
/// @param how   the row's settings
/// @param part  receives 0 or 1 for each face; all the same when the rule can't separate them
typedef void bvhier_bisect_function( const bvhier_face_set* set, const void* how, uint8_t* part );

/// Divides a set in two, then again the part with the most faces, of equal ones the first, until there are
/// `degree` parts or none can be divided any more.
/// @return false when out of memory
bool bvhier_bisect( const bvhier_face_set* set, uint32_t degree, bvhier_bisect_function* rule,
                    const void* how, uint8_t* part );

/// Projects the faces' midpoints on a coordinate axis, relative to the midpoint of the list's first face.
/// @param keys  receives them
void bvhier_project_midpoints( const bvfit_face_list* list, int axis, double* keys );

/// Faces with a key below `cut` are part 0, those above are part 1, those on it all go to the part that is
/// smaller without them, to part 0 when neither is.
/// @return how many are in part 0
uint32_t bvhier_cut_at( const double* keys, uint32_t count, double cut, uint8_t* part );

/// Quickselect (Hoare 1961) with pivots at random: in linear time for any input, and which are chosen shows
/// in nothing.
/// @param values  are reordered
/// @param rank    below count
/// @return the value that has `rank` others before it in ascending order
double bvhier_select( double* values, uint64_t count, uint64_t rank );

/// @param values  are reordered
/// @return the middle value, of an even number the mean of the two in the middle
double bvhier_median( double* values, uint64_t count );
