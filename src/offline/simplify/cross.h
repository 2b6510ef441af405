// Whether triangles cross, with the signs of exact arithmetic.

#pragma once

#include "bv/base.h"

/// Whether a triangle reaches behind another one: into points that are as little behind the open triangle t,
/// without its sides, as one likes. What touches t from the front, lies in its plane or meets it at its sides
/// only does not.
/// @param t  not degenerate; coordinates as bvbase_orient3d demands
/// @param q  not degenerate
bool bvsimplify_reaches_behind( const bv_vec3 t[3], const bv_vec3 q[3] );
