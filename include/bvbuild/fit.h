// Fits bounding volumes to points: boxes, spheres, k-DOPs, capsules, rectangle swept spheres and prisms.
//
//     #include <bvbuild/fit.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_vec3 points[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 1 }, { 0, -1, 2 } };
//         bvb_arena* arena = bvb_arena_create();
//         bv_obb box;
//         if ( bvb_fit_obb( points, 4, NULL, NULL, arena, &box ) == bv_ok )   // the box of smallest volume
//             printf( "%g\n", bv_obb_volume( &box ) );
//         bvb_arena_destroy( arena );
//         return 0;
//     }
//
// Each result encloses every point exactly, not only up to rounding. Its numbers are those that its stored
// form in a .bvh file decodes to. Points may be coplanar, collinear or equal. Coordinates are at most
// BVB_MAX_COORDINATE. All functions may be called from several threads at once, with different arenas.

#pragma once

#include "bv/shape.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Fits the smallest axis-aligned box.
/// @param points  at least one
bv_aabb bvb_fit_aabb( const bv_vec3* points, uint32_t count );

/// Fits the smallest enclosing sphere (Welzl 1991, with the farthest-point order of Gaertner 1999), then
/// rounds it outward.
/// @param points  at least one; the corners of the points' hull give the same sphere
/// @return bv_ok; bv_error_argument if `count` is 0
bv_status bvb_fit_sphere( const bv_vec3* points, uint32_t count, bv_sphere* out );

/// Fits a small enclosing sphere in three passes. Extreme points in seven directions give a first sphere
/// (Larsson 2008, EPOS-14), which then grows to enclose all points (Ritter 1990). The last pass measures its
/// radius.
/// @param points  at least one; without points the result is a sphere of radius 0 at the origin
bv_sphere bvb_fit_sphere_fast( const bv_vec3* points, uint32_t count );

/// Fits the smallest k-DOP: lower[i] and upper[i] are the smallest and the largest dot product of a point
/// with bv_kdop_direction( i ).
/// @param points  at least one
/// @param k       6, 14, 18 or 26
/// @return bv_ok; bv_error_argument for another k or if `count` is 0
bv_status bvb_fit_kdop( const bv_vec3* points, uint32_t count, uint32_t k, bv_kdop* out );

/// Computes the volume of a k-DOP that is not empty.
/// @return cubic mesh units
double bvb_kdop_volume( const bv_kdop* kdop );

/// Computes the surface area of a k-DOP. The area of a flat k-DOP is that of both sides.
/// @return square mesh units
double bvb_kdop_area( const bv_kdop* kdop );

/// Computes the diameter of a k-DOP, the largest distance of two corners.
/// @return mesh units
double bvb_kdop_diameter( const bv_kdop* kdop );

/// Fits a capsule of small volume. It is the smallest if the points are collinear. Otherwise it is the best
/// that a search over directions finds. It is never larger than the smallest sphere.
/// @param points  at least one; the corners of the points' hull give an equally good capsule in less time
/// @return bv_ok; bv_error_argument if `count` is 0
bv_status bvb_fit_capsule( const bv_vec3* points, uint32_t count, bv_capsule* out );

/// Fits a rectangle swept sphere of small volume (Larsen, Gottschalk, Lin, Manocha 1999). It is never larger
/// than the capsule of bvb_fit_capsule, except for the rounding of its stored form, which matters far from
/// the origin.
/// @param points  at least one; the corners of the points' hull give an equally good result in less time
/// @return bv_ok; bv_error_argument if `count` is 0
bv_status bvb_fit_rss( const bv_vec3* points, uint32_t count, bv_rss* out );

/// The quantity that is minimized when a box is fitted.
typedef enum bvb_box_objective
{
	bvb_box_volume = 0, ///< volume, the default; for flat boxes the area, for straight ones the length
	bvb_box_area,       ///< surface area
	bvb_box_diameter,   ///< length of the diagonal
} bvb_box_objective;

/// @return the name of a bvb_box_objective, as in --box-objective; null past the last
const char* bvb_box_objective_name( uint32_t objective );

/// Options of bvb_fit_obb.
typedef struct bvb_obb_options
{
	const char* method;          ///< a name of bvb_obb_method_name; default "optimal"
	bvb_box_objective objective; ///< default bvb_box_volume

	/// Limit of the work of "optimal", in hull corners that it looks at, of which it does 5e7 to 1e8 per second.
	/// 0, the default, for no other limit than the one that bvb_obb_method_name describes.
	uint64_t max_work;
} bvb_obb_options;

/// @return the defaults listed in bvb_obb_options
bvb_obb_options bvb_obb_options_default( void );

/// Returns the names of the methods, from the fastest to the one with the smallest boxes:
///  - pca-points, pca-vertices, pca-hull: principal axes of the points, of the hull's corners, or of the
///    hull's surface.
///  - pca-min, pca-max, pca-all: one side of the box is normal to the principal axis of the hull's surface
///    with the smallest moment, with the largest, or the best of all three. The other sides are those of the
///    smallest rectangle of the projection along it (Barequet, Chazelle, Guibas, Mitchell, Tal 1996).
///  - dito: DiTO-14 (Larsson, Kallberg 2011).
///  - refined: the best of several of these, improved by small rotations (Nelder, Mead 1965).
///  - optimal: the box of smallest volume, to a relative error of 1e-9 (O'Rourke 1985), found by a search
///    based on J. Jylanki, "An exact algorithm for finding minimum oriented bounding boxes", 2015.
///
/// The work of "optimal" is limited in proportion to the number of hull corners. Round hulls, such as
/// spheres, or cones and cylinders with hundreds of sides, can reach the limit and get the best box found so
/// far. For sets thinner than 1e-4 of their length, the result is the better one of the search and "refined".
/// For objectives other than volume, it is the better one of "refined" and the refined result of the search.
/// @param index    counted from 0
/// @param summary  receives a description of the method; may be null
/// @return the name; null past the last
const char* bvb_obb_method_name( uint32_t index, const char** summary );

/// Fits an oriented box. Its center and axes are rounded to binary32. If the points are L times as long as
/// they are thick, or L times their size away from the origin, this enlarges the box by about 1e-7 L times
/// that thickness or size.
/// @param points   at least one
/// @param hull     hull of the points; null to compute it if the method needs it
/// @param options  null for the defaults
/// @param scratch  scratch memory
/// @return bv_ok; bv_error_argument if `count` is 0, or the method or objective is unknown; bv_error_memory
bv_status bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                       const bvb_obb_options* options, bvb_arena* scratch, bv_obb* out );

/// Fits a small prism over an isosceles triangle, the "pie slice" of Barequet et al. 1996. Its direction is
/// the principal axis with the smallest eigenvalue. Its base is the smallest such triangle around the
/// projection along that axis.
/// @param points  at least one
/// @return bv_ok; bv_error_argument if `count` is 0
bv_status bvb_fit_prism( const bv_vec3* points, uint32_t count, bv_prism* out );

/// Fits an oriented box with a given direction. Its other sides are those of the rectangle of smallest area
/// around the projection of the points along that direction. If the projection is straight, the length of the
/// rectangle is minimized.
/// @param points     at least one
/// @param direction  unit vector; becomes the third axis of the box, except for the rounding of its stored
///                   form
/// @param scratch    scratch memory
/// @return bv_ok; bv_error_argument if `count` is 0; bv_error_memory
bv_status bvb_fit_obb_along( const bv_vec3* points, uint32_t count, bv_vec3 direction, bvb_arena* scratch,
                             bv_obb* out );

/// A growing set of points with bounding volumes that are updated when points are added. Each update starts
/// from the previous volumes and is cheap if they change little. Used to insert faces one by one (Eckstein
/// 1998, sections 3.6.5 and 3.7).
typedef struct bvb_growing_fit
{
	bv_aabb aabb;      ///< smallest box, equal to that of bvb_fit_aabb
	bv_sphere sphere;  ///< smallest sphere, up to rounding equal to that of bvb_fit_sphere
	bv_obb obb;        ///< a small box; its axes are updated when its sides have grown by a few percent
	uint32_t count;    ///< number of points
	uint32_t capacity; ///< number of points that fit into `points`
	bv_vec3* points;   ///< all points, those that determine the sphere first
	bvb_arena* arena;  ///< the points live here
	uint32_t support;  ///< number of points that determine the sphere
	uint32_t searched; ///< number of points at the last search for axes from scratch
	double settled[3]; ///< half extents when the axes were last updated
} bvb_growing_fit;

/// Creates an empty set.
/// @param arena  holds the points; when they outgrow their array, a larger one is allocated from it
bvb_growing_fit bvb_growing_fit_begin( bvb_arena* arena );

/// Adds points and updates all volumes.
/// @param points  copied
/// @param count   number of points; may be 0
/// @return bv_ok; bv_error_memory, and then nothing is changed
bv_status bvb_growing_fit_add( bvb_growing_fit* fit, const bv_vec3* points, uint32_t count );

/// @return volume of a bounding volume of any type, cubic mesh units
double bvb_volume_of( const bv_volume* volume );

/// @return surface area of a bounding volume of any type, square mesh units; for flat volumes that of both
/// sides
double bvb_area_of( const bv_volume* volume );

/// @return diameter of a bounding volume of any type, the largest distance of two of its points, mesh units
double bvb_diameter_of( const bv_volume* volume );

#ifdef __cplusplus
}
#endif
