// Shapes: boxes, balls, capsules, cylinders; bv_convex, any convex shape that queries take; mass properties;
// and the other bounding volumes of a .bvh file.
//
//     #include <bv/shape.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_aabb box = { { 0, 0, 0 }, { 1, 2, 3 } };
//         bv_sphere ball = { { 0.5, 1, 1.5 }, 1.9 };
//         printf( "%g %.2f\n", bv_aabb_volume( &box ), bv_sphere_volume( &ball ) ); // prints 6 28.73
//
//         // A wheel with rounded edges, as bv_mesh_overlap_convex and others take it.
//         bv_convex wheel = bv_convex_cylinder( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0, 0.2, 0 ), 0.35 );
//         wheel.radius = 0.02;
//         return wheel.radius > 0 ? 0 : 1;
//     }
//
// All are plain structs: copy them freely, there is nothing to free. Lengths are in mesh units. Those that
// are read from a file are finite. To fit volumes to points, see bvbuild/fit.h.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An axis-aligned box: lower <= x <= upper in each coordinate.
typedef struct bv_aabb
{
	bv_vec3 lower; ///< smallest coordinates, mesh units
	bv_vec3 upper; ///< largest coordinates, mesh units
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
	bv_vec3 center; ///< mesh units
	/// Unit vectors of a right-handed frame. Files have them orthonormal to 4e-15; queries accept 1e-4.
	bv_vec3 axis[3];

	double half_extents[3]; ///< along each axis, mesh units, not negative
	float rotation[4];      ///< the same frame as stored: a quaternion x, y, z, w; ignored by queries
} bv_obb;

/// A capsule: all points within `radius` of a segment.
typedef struct bv_capsule
{
	bv_vec3 ends[2]; ///< ends of the segment, mesh units; equal for a ball
	double radius;   ///< mesh units, not negative
} bv_capsule;

/// A cylinder with flat ends: all points within `radius` of the line through `ends`, between the planes
/// through the ends that are normal to that line.
typedef struct bv_cylinder
{
	bv_vec3 ends[2]; ///< centers of the two discs, mesh units; not equal
	double radius;   ///< mesh units, positive
} bv_cylinder;

/// @return the volume of the axis-aligned box, cubic mesh units
double bv_aabb_volume( const bv_aabb* box );

/// @return the volume of the ball, cubic mesh units
double bv_sphere_volume( const bv_sphere* ball );

/// @return the volume of the oriented box, cubic mesh units
double bv_obb_volume( const bv_obb* box );

/// @return the volume of the capsule, cubic mesh units
double bv_capsule_volume( const bv_capsule* capsule );

/// @return the volume of the cylinder, cubic mesh units
double bv_cylinder_volume( const bv_cylinder* cylinder );

/// What a convex shape is made of.
typedef enum bv_convex_kind
{
	bv_convex_of_points = 0, ///< the convex hull of `points`
	bv_convex_of_corners,    ///< the convex hull of the first `count` of `corner`
	bv_convex_of_box,        ///< `box`
	bv_convex_of_cylinder,   ///< between two discs of radius `disc` around corner[0] and corner[1]
	bv_convex_of_cone,       ///< from a disc of radius `disc` around corner[0] to the apex corner[1]
	bv_convex_of_ellipsoid,  ///< with the center and the axes of `box`, whose half extents are its semi-axes
	bv_convex_of_hull,       ///< the convex hull of `file`
	bv_convex_of_part,       ///< the convex part `part` of `file`
	bv_convex_of_support,    ///< what the callback `support` describes
	bv_convex_of_graph,      ///< the convex hull of `points`, which are its corners, with their neighbors
	bv_convex_of_half_space, ///< all points x with dot( normal, x ) <= offset; queries of pairs only
	bv_convex_kinds,         ///< the number of kinds
} bv_convex_kind;

/// Returns the point of a convex shape that is farthest along a direction: no point x of the shape has a dot(
/// x, direction ) that exceeds that of the result, except for rounding errors of 2^-50 of the coordinates.
/// Called many times per query.
/// @param context    that of the shape
/// @param direction  not the zero vector; of any length
typedef bv_vec3 bv_support_callback( const void* context, bv_vec3 direction );

/// A checked .bvh file. See bv_file in bv/file.h.
struct bv_file;

/// A convex shape: all points within `radius` of what its kind says. Only the members of its kind are used.
/// The functions below make one; change its members afterwards as you like, for instance `radius` to round
/// the edges.
///
/// A shape refers to points, files and contexts of the caller, which must remain valid and unchanged while it
/// is in use. The constructors check nothing: a query returns bv_error_argument if the shape is invalid, for
/// instance if a length is negative or NaN, or the file has no such part. Experimental: may change until the
/// next minor version.
typedef struct bv_convex
{
	/// Of kind bv_convex_of_points: `count` points, not copied. Interior points are allowed but cost time. Of kind
	/// bv_convex_of_graph: the corners of a polyhedron.
	const bv_vec3* points;

	uint32_t count;      ///< of `points`, at least 1; or of `corner`, 1 to 3
	double radius;       ///< 0 to BV_MAX_LENGTH; of any kind
	bv_convex_kind kind; ///< default bv_convex_of_points
	bv_vec3 corner[3];   ///< corners, ends of a cylinder, or base and apex of a cone; the ends are not equal
	double disc;         ///< radius of the discs of a cylinder or a cone; 0 to BV_MAX_LENGTH
	bv_obb box;          ///< of kinds bv_convex_of_box and bv_convex_of_ellipsoid
	const struct bv_file* file;   ///< of kinds bv_convex_of_hull and bv_convex_of_part
	uint32_t part;                ///< index of a convex part
	bv_support_callback* support; ///< of kind bv_convex_of_support
	const void* context;          ///< passed to the callback
	const uint32_t* neighbors; ///< of kind bv_convex_of_graph: of all corners one after another; not copied

	/// Of kind bv_convex_of_graph: `count` + 1 numbers, where the neighbors of each corner begin and, last, end.
	const uint32_t* first_neighbor;

	/// Of kind bv_convex_of_graph: the largest absolute value of a coordinate of `points`. Default 0: each query looks
	/// at all points to find it.
	double reach;
	bv_vec3 normal; ///< of a half-space; length from 2^-100 to 2^100
	double offset;  ///< of a half-space; its plane is at most BV_MAX_LENGTH from the origin
} bv_convex;

/// @param points  `count` points, at least 1; not copied
/// @return all points within `radius` of the convex hull of these points
bv_convex bv_convex_points( const bv_vec3* points, uint32_t count, double radius );

/// @return one point
bv_convex bv_convex_point( bv_vec3 point );

/// @return a ball
bv_convex bv_convex_sphere( bv_vec3 center, double radius );

/// @return a segment
bv_convex bv_convex_segment( bv_vec3 from, bv_vec3 to );

/// @return the points within `radius` of a segment
bv_convex bv_convex_capsule( bv_vec3 from, bv_vec3 to, double radius );

/// @return a triangle
bv_convex bv_convex_triangle( bv_vec3 a, bv_vec3 b, bv_vec3 c );

/// @return an axis-aligned box around a center
bv_convex bv_convex_box( bv_vec3 center, bv_vec3 half_extents );

/// @return an oriented box
bv_convex bv_convex_obb( const bv_obb* box );

/// @param from, to  centers of the two discs; not equal
/// @return a cylinder with flat ends
bv_convex bv_convex_cylinder( bv_vec3 from, bv_vec3 to, double radius );

/// @param base  center of the disc
/// @param apex  not equal to `base`
/// @return a cone
bv_convex bv_convex_cone( bv_vec3 base, bv_vec3 apex, double radius );

/// @param box  its half extents are the semi-axes
/// @return an ellipsoid
bv_convex bv_convex_ellipsoid( const bv_obb* box );

/// @param file  must have a hull: bv_file_get_hull( file ).vertices > 0; read in place, not copied
/// @return the convex hull of the mesh, in coordinates of the file
bv_convex bv_convex_hull( const struct bv_file* file );

/// @param file  read in place, not copied
/// @param part  less than bv_file_get_decomposition( file ).parts
/// @return a convex part, in coordinates of the file
bv_convex bv_convex_part( const struct bv_file* file, uint32_t part );

/// @param file  must have primitives; at least one must be within the tolerance
/// @return the box, sphere, capsule or cylinder that bv_recognized.best names, in coordinates of the file;
/// without one an invalid shape
bv_convex bv_convex_primitive( const struct bv_file* file );

/// @param context  passed to the callback; not copied
/// @return the shape that a callback describes
bv_convex bv_convex_support( bv_support_callback* support, const void* context );

/// Hulls of many points answer much faster with neighbors: the time of a query hardly depends on their number.
/// @param points          `count` corners of a polyhedron, at least 1; not copied
/// @param first_neighbor  `count` + 1 numbers that do not descend: the neighbors of corner i are neighbors[first_neighbor[i]]
///                        to neighbors[first_neighbor[i + 1] - 1]; not copied
/// @param neighbors       corners joined by an edge, including the edges of some triangulation of each face, in
///                        counterclockwise order as seen from outside; not copied
/// @return the convex hull of the points, which must be that of the graph: from every corner that is not the farthest
/// one in a direction an edge leads to one that is farther. Without that, a query can return a wrong result.
bv_convex bv_convex_graph( const bv_vec3* points, uint32_t count, const uint32_t* first_neighbor,
                           const uint32_t* neighbors );

/// @param normal  outwards, of any length from 2^-100 to 2^100
/// @return all points x with dot( normal, x ) <= offset. It has no bounds: bv_convex_overlap, bv_convex_distance and
/// bv_convex_manifold take it, queries of meshes return bv_error_argument
bv_convex bv_convex_half_space( bv_vec3 normal, double offset );

/// Mass properties of a body. The density is 1 unless stated otherwise.
typedef struct bv_mass
{
	double mass;            ///< at density 1: volume in mesh units^3, or area of a surface in mesh units^2
	bv_vec3 center_of_mass; ///< mesh units
	double inertia[3][3];   ///< about the center of mass, along the axes of the mesh; mass times mesh units^2
} bv_mass;

/// A rectangle swept sphere: all points within `radius` of the rectangle center + s * axis[0] + t * axis[1],
/// where |s| <= half_extents[0] and |t| <= half_extents[1].
typedef struct bv_rss
{
	bv_vec3 center; ///< center of the rectangle, mesh units

	/// Right-handed orthonormal frame, to 4e-15; the third axis is normal to the rectangle.
	bv_vec3 axis[3];

	double half_extents[2]; ///< along the first two axes, mesh units, not negative
	double radius;          ///< mesh units, not negative
	float rotation[4];      ///< the same frame as stored: a quaternion x, y, z, w; ignored by queries
} bv_rss;

/// @return the volume of the rectangle swept sphere, cubic mesh units
double bv_rss_volume( const bv_rss* rss );

/// The number of directions of all k-DOPs together. A 26-DOP uses all of them.
#define BV_KDOP_DIRECTIONS 13

/// A k-DOP, the intersection of slabs: lower[i] <= dot( bv_kdop_direction( i ), x ) <= upper[i] for each
/// direction i that bv_kdop_uses( k, i ). The bounds are in mesh units times the length of the direction.
typedef struct bv_kdop
{
	uint32_t k;                       ///< number of planes: 6, 14, 18 or 26
	double lower[BV_KDOP_DIRECTIONS]; ///< lower bound per direction; 0 for unused directions
	double upper[BV_KDOP_DIRECTIONS]; ///< upper bound per direction; 0 for unused directions
} bv_kdop;

/// Returns a direction of the k-DOPs (Klosowski 1998, section 4.3). The directions do not have unit length:
///   -  0 to  2: the coordinate axes
///   -  3 to  6: (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)
///   -  7 to 12: (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)
/// @param index  less than BV_KDOP_DIRECTIONS
/// @return the direction; the zero vector if `index` is out of range
bv_vec3 bv_kdop_direction( uint32_t index );

/// A 6-DOP uses the first three directions, a 14-DOP the first seven, an 18-DOP the first three and the last
/// six, and a 26-DOP all.
/// @return whether a k-DOP has planes normal to the direction `index`
bool bv_kdop_uses( uint32_t k, uint32_t index );

/// A prism over an isosceles triangle, called "pie slice" by Barequet et al. 1996. Let s and t be the
/// coordinates along the first two axes of the box, from its center. The prism is the part of the box in
/// which |s| <= half_extents[0] * ( half_extents[1] - t ) / ( 2 * half_extents[1] ). The base of the triangle
/// is at t = -half_extents[1] and as long as the box. The apex is at t = half_extents[1]. The third axis is
/// the direction of extrusion. If half_extents[1] is 0, the prism is the box, which is then a rectangle.
typedef struct bv_prism
{
	bv_obb box; ///< the smallest box with these axes
} bv_prism;

/// @return the volume of the prism, cubic mesh units
double bv_prism_volume( const bv_prism* prism );

/// The types of volume that nodes of a hierarchy can have.
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
	bv_volume_types,   ///< the number of types
} bv_volume_type;

/// A volume of any of the types.
typedef struct bv_volume
{
	bv_volume_type type; ///< selects the valid member of the union
	union
	{
		bv_obb obb;       ///< for bv_volume_obb
		bv_aabb aabb;     ///< for bv_volume_aabb
		bv_sphere sphere; ///< for bv_volume_sphere
		bv_rss rss;       ///< for bv_volume_rss
		bv_kdop kdop;     ///< for bv_volume_kdop14, bv_volume_kdop18 and bv_volume_kdop26
		bv_prism prism;   ///< for bv_volume_prism
	};
} bv_volume;

/// @return "obb", "aabb", "sphere", "rss", "kdop14", "kdop18", "kdop26" or "prism"; null for an invalid type
const char* bv_volume_type_name( bv_volume_type type );

#ifdef __cplusplus
}
#endif
