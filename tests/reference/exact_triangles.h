// Whether two triangles meet, decided with integers of any length. Triangles may be on a line or on one point.
//
// Shares nothing with src. Of two triangles that meet, an extreme point of the common part is on an edge of one of them: they meet if and
// only if an edge of one meets the other. A triangle without area is the union of its edges.

#pragma once

#include "bv/base.h"

/// Numbers that are used for many pairs, one after another.
typedef struct exact_triangles exact_triangles;

exact_triangles* exact_triangles_create( void );
void exact_triangles_destroy( exact_triangles* t );

/// @param a, b  finite coordinates that differ by a factor of at most 2^900 unless they are 0
/// @return whether the closed triangles have a point in common
bool exact_triangles_meet( exact_triangles* t, const bv_vec3 a[3], const bv_vec3 b[3] );
