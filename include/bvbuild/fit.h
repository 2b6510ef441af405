// Bounding volumes fitted to points: boxes, spheres, capsules, rectangle swept spheres, k-DOPs and prisms.
//
// Results are binary32 numbers, exactly as decoded from a file. They enclose every point exactly, without a
// rounding tolerance. Planar, collinear and single-point sets are valid input.

#pragma once

#include "bv/volume.h"
#include "bvbuild/base.h"
#include "bvbuild/hull.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The minimum axis-aligned box.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE
bv_aabb bvb_fit_aabb( const bv_vec3* points, uint32_t count );

/// The minimum enclosing sphere: Welzl 1991 with the farthest points next (Gaertner 1999), then rounded outwards.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE; a hull's corners give the same
///                 ball as all points
/// @return bv_ok; bv_error_argument when count is 0
bv_status bvb_fit_sphere( const bv_vec3* points, uint32_t count, bv_sphere* out );

/// A small enclosing ball in three passes over the points: extremal points along seven directions give a
/// first ball, which then grows (Larsson 2008, EPOS-14; the second pass is Ritter's, 1990) and is measured.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE; the ball of none is the origin
bv_sphere bvb_fit_sphere_fast( const bv_vec3* points, uint32_t count );

/// The least polytope with sides at right angles to fixed directions: dop->lower[i] and dop->upper[i] are
/// the least and the greatest dot product of bv_kdop_direction( i ) with a point.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE
/// @param k       6, 14, 18 or 26
/// @return bv_ok; bv_error_argument for another k or when count is 0
bv_status bvb_fit_kdop( const bv_vec3* points, uint32_t count, uint32_t k, bv_kdop* out );

/// The volume of a k-DOP that encloses something: the box of the first three directions, cut by all others.
/// @return cubic mesh units
double bvb_kdop_volume( const bv_kdop* kdop );

/// The surface area of a k-DOP; of a flat one that of both sides.
/// @return square mesh units
double bvb_kdop_area( const bv_kdop* kdop );

/// The largest distance of two corners of a k-DOP.
/// @return mesh units
double bvb_kdop_diameter( const bv_kdop* kdop );

/// A small enclosing capsule. It is the minimum if the points are on a line; otherwise the smallest by volume that a search
/// over directions finds. It is never larger than the minimum enclosing sphere.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE; a hull's corners give as good a one as
///                 all points, sooner
/// @return bv_ok; bv_error_argument when count is 0
bv_status bvb_fit_capsule( const bv_vec3* points, uint32_t count, bv_capsule* out );

/// A rectangle swept sphere of small volume (Larsen, Gottschalk, Lin, Manocha 1999). It is never larger than the result of
/// bvb_fit_capsule, except for the rounding of the stored form, which is noticeable far from the origin.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE; a hull's corners give as good a one as
///                 all points, sooner
/// @return bv_ok; bv_error_argument when count is 0
bv_status bvb_fit_rss( const bv_vec3* points, uint32_t count, bv_rss* out );

/// The measure that a box fit minimizes.
typedef enum bvb_box_objective
{
	bvb_box_volume = 0, ///< the default; for boxes without volume the area, then the length
	bvb_box_area,       ///< surface area
	bvb_box_diameter,   ///< length of the diagonal
} bvb_box_objective;

/// @return the word for a bvb_box_objective, as in --box-objective; null past the last
const char* bvb_box_objective_name( uint32_t objective );

/// How to fit a box.
typedef struct bvb_obb_options
{
	const char* method;          ///< a name of bvb_obb_method_name; default "optimal"
	bvb_box_objective objective; ///< default bvb_box_volume
} bvb_obb_options;

/// @return the defaults above
bvb_obb_options bvb_obb_options_default( void );

/// The methods, from the fastest to the one with the smallest boxes:
///  - pca-points, pca-vertices, pca-hull: principal axes of the points, of the hull's corners, of the hull's surface;
///  - pca-min, pca-max, pca-all: one axis is the hull surface's principal axis of smallest moment, of largest moment, or
///    the best of all three; the base is the minimum rectangle around the projection along it
///    (Barequet, Chazelle, Guibas, Mitchell, Tal 1996);
///  - dito: DiTO-14 (Larsson, Kallberg 2011);
///  - refined: the best of several of these, turned until no small turn makes it less (Nelder, Mead 1965);
///  - optimal: the minimum-volume box to a relative 1e-9 (O'Rourke 1985), searched as in J. Jylanki's "An exact
///    algorithm for finding minimum oriented bounding boxes", 2015. The work is limited in proportion to the hull's
///    corners. Round hulls, such as spheres and cones or cylinders of hundreds of sides, can reach the limit; the result is
///    then the best box so far. For sets thinner than 1e-4 of their length the result is the better of this box and
///    `refined`; for other objectives it is the better of `refined` and this box after refinement.
/// @return the name of the method `index`, with what it does in `summary` unless that is null; null past
///         the last
const char* bvb_obb_method_name( uint32_t index, const char** summary );

/// Fits an oriented box. Its center and frame are binary32 numbers: of a needle of L : 1, and of a set that is L times its
/// size away from the origin, sides grow by some 1e-7 L.
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE; all of them are enclosed
/// @param hull     the hull of the points; null: computed when the method needs it
/// @param options  null: the defaults
/// @param scratch  for the work
/// @return bv_ok; bv_error_argument when count is 0, or no method or objective is the one wanted; bv_error_memory
bv_status bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                       const bvb_obb_options* options, bvb_arena* scratch, bv_obb* out );

/// A small prism over an isosceles triangle. Its axis is the principal axis of the smallest eigenvalue; its base is the smallest such
/// triangle around the points projected along that axis (Barequet and others 1996, "pie slice").
/// @param points  at least one, coordinates up to BVB_MAX_COORDINATE
/// @return bv_ok; bv_error_argument when count is 0
bv_status bvb_fit_prism( const bv_vec3* points, uint32_t count, bv_prism* out );

/// An oriented box with a given third axis. Its base is the minimum-area rectangle around the points projected along that axis;
/// if the area is zero, the shortest one.
/// @param points     at least one, coordinates up to BVB_MAX_COORDINATE; all of them are enclosed
/// @param direction  unit vector; the box's third axis, except for the rounding of the stored form
/// @param scratch    for the work
/// @return bv_ok; bv_error_argument when count is 0; bv_error_memory
bv_status bvb_fit_obb_along( const bv_vec3* points, uint32_t count, bv_vec3 direction, bvb_arena* scratch,
                             bv_obb* out );

/// A set of points that grows, with volumes that follow it. Each is fitted again from where it was, which costs little
/// when the new points change little: what inserting faces one by one needs (Eckstein 1998, sections 3.6.5 and 3.7).
typedef struct bvb_growing_fit
{
	bv_aabb aabb;      ///< the least, exactly that of bvb_fit_aabb
	bv_sphere sphere;  ///< the least, to rounding that of bvb_fit_sphere
	bv_obb obb;        ///< a small one: its frame turns when its sides have grown by some percents
	uint32_t count;    ///< points so far
	uint32_t capacity; ///< of points
	bv_vec3* points;   ///< all of them, the sphere's support first
	bvb_arena* arena;  ///< where points live
	uint32_t support;  ///< how many of the points determine the sphere
	uint32_t searched; ///< points when the frame was last searched without regard to the one before
	double settled[3]; ///< half extents when the frame was last turned
} bvb_growing_fit;

/// Begins with no points.
/// @param arena  holds the points; when they outgrow their place a larger one is taken from it
bvb_growing_fit bvb_growing_fit_begin( bvb_arena* arena );

/// F -> F + f: adds points and fits all volumes again.
/// @param points  coordinates up to BVB_MAX_COORDINATE; copied; may be none
/// @return bv_ok; bv_error_memory, with nothing changed
bv_status bvb_growing_fit_add( bvb_growing_fit* fit, const bv_vec3* points, uint32_t count );

/// @return the volume of a volume of any type, cubic mesh units
double bvb_volume_of( const bv_volume* volume );

/// @return the surface area of a volume, square mesh units; for a flat volume the area of both sides
double bvb_area_of( const bv_volume* volume );

/// @return the largest distance between two points of a volume, mesh units
double bvb_diameter_of( const bv_volume* volume );

#ifdef __cplusplus
}
#endif
