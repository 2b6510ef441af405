// Points of a mesh that lie so deep in its hull that it can be no primitive.

#pragma once

#include "offline/recognize/cloud.h"

/// A convex body K whose surface is no farther than t from a mesh, nor any point of the mesh from that
/// surface, is no farther than t from the hull of the mesh. So if a ball of more than 2 t round a point of
/// the mesh is in the hull, one of more than t is in K, and the point is farther than t from the surface of
/// K.
/// @param tolerance  t, in units of the place
/// @return whether one of the cloud's points is so deep, up to rounding; those near the middle are tried, and
///         hulls of many faces not at all
bool bvrecog_has_recess( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                         double tolerance );
