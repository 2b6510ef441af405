// A triangle as seen from a point: its solid angle, and whether it intersects a ray.

#pragma once

#include "bv/base.h"

/// Half the solid angle of a triangle seen from the origin, positive when the origin is behind it: the angle
/// of van Oosterom and Strackee 1983, "The solid angle of a plane triangle", equation 8. Coordinates up to
/// some 1.
/// @return no more than pi; 0 for a triangle that is a point, or has a corner there
double bvmesh_half_solid_angle( bv_vec3 first, bv_vec3 second, bv_vec3 third );

/// Whether the ray from `p` along the first axis meets a triangle, decided exactly (Shewchuk 1997) for a ray
/// that is moved aside by less than any number (Edelsbrunner and Muecke 1990), so that it never meets an
/// edge.
/// @return 1 where it leaves by the triangle, -1 where it enters, 0 where it misses, and also when p is in
///         the triangle's plane
int bvmesh_ray_crossing( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 p );
