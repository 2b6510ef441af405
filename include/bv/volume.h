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

/// How many directions the k-DOPs know together: a 26-DOP uses them all.
#define BV_KDOP_DIRECTIONS 13

/// A polytope between pairs of parallel planes: lower[i] <= dot( bv_kdop_direction( i ), x ) <= upper[i] for
/// every direction i of k.
typedef struct bv_kdop
{
	uint32_t k; ///< number of planes: 6, 14, 18 or 26
	double lower
		[BV_KDOP_DIRECTIONS]; ///< mesh units times the direction's length; 0 if bv_kdop_uses( k, i ) is false
	double upper[BV_KDOP_DIRECTIONS]; ///< as lower
} bv_kdop;

/// All points no farther than `radius` from a segment.
typedef struct bv_capsule
{
	bv_vec3 ends[2]; ///< of the segment, mesh units; equal for a ball
	double radius;   ///< mesh units, not negative
} bv_capsule;

/// A cylinder with flat ends: all points no farther than `radius` from the line through `ends`, between the planes
/// normal to it through them.
typedef struct bv_cylinder
{
	bv_vec3 ends[2]; ///< centers of its two discs, mesh units; not equal
	double radius;   ///< mesh units, above 0
} bv_cylinder;

/// A rectangle swept sphere: all points no farther than `radius` from the rectangle
/// center + s * axis[0] + t * axis[1], |s| <= half_extents[0], |t| <= half_extents[1].
typedef struct bv_rss
{
	bv_vec3 center;  ///< of the rectangle, mesh units
	bv_vec3 axis[3]; ///< unit rows of a right-handed frame, orthonormal to 4e-15; the third is normal to it
	double half_extents[2]; ///< along the first two axes, mesh units, not negative
	double radius;          ///< mesh units, not negative
	float rotation[4];      ///< the same frame as stored: a quaternion x, y, z, w; queries ignore it
} bv_rss;

/// A prism over an isosceles triangle, Barequet's "pie slice": the part of an oriented box in which |s| <= half_extents[0] *
/// (half_extents[1] - t) / (2 half_extents[1]), where s and t are the coordinates along the first two axes from the center. The
/// triangle's base lies where t is least and is as long as the box, its tip where t is greatest; the third axis is the prism's
/// own. Of no height, the rectangle that the box then is.
typedef struct bv_prism
{
	bv_obb box; ///< the least box with these axes
} bv_prism;

/// The types of volume that a hierarchy's nodes can have.
typedef enum bv_volume_type
{
	bv_volume_obb = 0, ///< bv_obb
	bv_volume_aabb,    ///< bv_aabb
	bv_volume_sphere,  ///< bv_sphere
	bv_volume_rss,     ///< bv_rss
	bv_volume_kdop14,  ///< bv_kdop with 14 planes
	bv_volume_kdop18,  ///< bv_kdop with 18 planes
	bv_volume_kdop26,  ///< bv_kdop with 26 planes
	bv_volume_prism,   ///< bv_prism
	bv_volume_types,   ///< how many types there are
} bv_volume_type;

/// A volume of one of the types.
typedef struct bv_volume
{
	bv_volume_type type; ///< which of the others holds
	union
	{
		bv_obb obb;       ///< of bv_volume_obb
		bv_aabb aabb;     ///< of bv_volume_aabb
		bv_sphere sphere; ///< of bv_volume_sphere
		bv_rss rss;       ///< of bv_volume_rss
		bv_kdop kdop;     ///< of the three k-DOPs, whose k is that of the type
		bv_prism prism;   ///< of bv_volume_prism
	};
} bv_volume;

/// What the steps of a query cost, each besides the others. Only ratios matter.
typedef struct bv_costs
{
	double volumes[bv_volume_types][bv_volume_types]; ///< to compare two volumes, by type; symmetric, above 0
	double triangles;                                 ///< to compare two triangles, above 0
	double opening; ///< to get at the children of a node, however many they are, above 0
	double leaf;    ///< to get at the triangles of two leaves, however many they are, above 0
} bv_costs;

/// @return "obb", "aabb", "sphere", "rss", "kdop14", "kdop18", "kdop26" or "prism"; null for another value
const char* bv_volume_type_name( bv_volume_type type );

/// @return the volume of the box, cubic mesh units
double bv_aabb_volume( const bv_aabb* box );

/// @return the volume of the ball, cubic mesh units
double bv_sphere_volume( const bv_sphere* ball );

/// @return the volume of the box, cubic mesh units
double bv_obb_volume( const bv_obb* box );

/// @return the volume of the prism, cubic mesh units
double bv_prism_volume( const bv_prism* prism );

/// The one table of directions, not of unit length (Klosowski 1998, section 4.3): 0 to 2 the coordinate axes, 3
/// to 6 (1, 1, 1), (1, 1, -1), (1, -1, 1) and (1, -1, -1), 7 to 12 (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, -1, 0),
/// (1, 0, -1) and (0, 1, -1).
/// @param index  below BV_KDOP_DIRECTIONS; the null vector otherwise
bv_vec3 bv_kdop_direction( uint32_t index );

/// @return whether a k-DOP has planes normal to the direction `index`: 6 the first three, 14 the first seven, 18 the
///         first three and the last six, 26 all
bool bv_kdop_uses( uint32_t k, uint32_t index );

/// @return the volume of the capsule, cubic mesh units
double bv_capsule_volume( const bv_capsule* capsule );

/// @return the volume of the cylinder, cubic mesh units
double bv_cylinder_volume( const bv_cylinder* cylinder );

/// @return the volume of the rectangle swept sphere, cubic mesh units
double bv_rss_volume( const bv_rss* rss );

/// Mass properties of a body, of density 1 where nothing else is said.
typedef struct bv_mass
{
	double mass;            ///< at density 1 the volume of a solid, the area of a surface; mesh units^3 or ^2
	bv_vec3 center_of_mass; ///< mesh units
	double inertia[3][3];   ///< about the center of mass, along the mesh's axes; mass times mesh units^2
} bv_mass;

#ifdef __cplusplus
}
#endif
