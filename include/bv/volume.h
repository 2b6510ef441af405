// Bounding volumes and mass properties, as a file's stored form decodes to. All members are finite.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An axis-aligned box: lower <= x <= upper in each coordinate.
typedef struct bv_aabb
{
	bv_vec3 lower; ///< least coordinates
	bv_vec3 upper; ///< greatest coordinates
} bv_aabb;

/// A ball: |x - center| <= radius.
typedef struct bv_sphere
{
	bv_vec3 center; ///< mesh units
	double radius;  ///< mesh units, not negative
} bv_sphere;

/// An oriented box: |dot( axis[i], x - center )| <= half_extents[i] for i = 0, 1, 2.
typedef struct bv_obb
{
	bv_vec3 center;         ///< mesh units
	bv_vec3 axis[3];        ///< unit rows of a right-handed frame, orthonormal to 4e-15
	double half_extents[3]; ///< along each axis, mesh units, not negative
	float rotation[4];      ///< the same frame as stored: a quaternion x, y, z, w; queries ignore it
} bv_obb;

/// @return the volume of the box, cubic mesh units
double bv_aabb_volume( const bv_aabb* box );

/// @return the volume of the ball, cubic mesh units
double bv_sphere_volume( const bv_sphere* ball );

/// @return the volume of the box, cubic mesh units
double bv_obb_volume( const bv_obb* box );

/// Mass properties of a body of density 1.
typedef struct bv_mass
{
	double mass;            ///< the volume of a solid, the area of a surface; mesh units^3 or ^2
	bv_vec3 center_of_mass; ///< mesh units
	double inertia[3][3];   ///< about the centre of mass, along the mesh's axes; mass times mesh units^2
} bv_mass;

#ifdef __cplusplus
}
#endif
