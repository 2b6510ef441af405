// What is inside of the shape: how far points are from it at least, and all points of a region at most. For
// the measure of what is outside.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/hausdorff/region.h"

enum
{
	bvhaus_known_balls = 64,
	bvhaus_known_points = 512,
};

/// A ball that no triangle enters.
typedef struct bvhaus_known_ball
{
	bv_vec3 center; ///< its center
	double radius;  ///< its radius
	double winding; ///< the least winding number in it; at least 1/2
} bvhaus_known_ball;

/// A point whose distance was asked for. Regions share their corners.
typedef struct bvhaus_known_point
{
	bv_vec3 point;
	double most;     ///< its distance from the shape is no larger, or how far it is cannot be found out
	double distance; ///< its distance from the shape or less; below 0 when it is inside
} bvhaus_known_point;

/// The inside of a shape, with what was found of it last.
typedef struct bvhaus_inside
{
	const bvb_winding* winding; ///< null when nothing is inside
	bool closed;                ///< whether it ends at triangles only
	const bvhaus_index* index;  ///< the triangles, below `root`
	bvhaus_index_ref root;
	double slack;        ///< what rounding may hide
	double largest_ball; ///< no larger one fits into the shape

	/// Of an open mesh balls that were found, the oldest making way: winding numbers take long.
	bvhaus_known_ball known[bvhaus_known_balls];
	uint32_t known_count; ///< how many were ever found

	bvhaus_known_point point[bvhaus_known_points]; ///< the last ones, each at a place of its coordinates

	uint64_t work; ///< open edges and nodes above them that were looked at

	bool ( *stop )( void* ); ///< when this says so, an open mesh is not looked at any more; may be null
	void* stop_context;      ///< passed to `stop`
} bvhaus_inside;

/// Begins with nothing found.
/// @param winding  null when nothing is inside
/// @param stop     as in bvhaus_inside
void bvhaus_inside_begin( bvhaus_inside* inside, const bvb_winding* winding, const bvhaus_index* index,
                          bvhaus_index_ref root, double slack, bool ( *stop )( void* ), void* stop_context );

/// @param to_triangles  the point's distance from the nearest triangle
/// @param least         any result will do that is no larger, where the shape ends between triangles
/// @return the point's distance from the shape or less; below 0 when it is inside, or not looked at any more
double bvhaus_inside_distance( bvhaus_inside* inside, bv_vec3 point, double to_triangles, double least );

/// @return whether a region that no triangle passes through is inside of the shape
bool bvhaus_inside_holds( bvhaus_inside* inside, bvhaus_region* region );

/// What more there is to know of a region.
typedef enum bvhaus_inside_rest
{
	bvhaus_inside_rest_corners, ///< how far corners are from triangles

	/// only what parts say: its middle is too far from all triangles on their inner side
	bvhaus_inside_rest_parts,

	/// next to nothing: it is small beside its distance from where an open mesh's inside ends
	bvhaus_inside_rest_none,
} bvhaus_inside_rest;

/// Bounds a region by what is inside of the shape and holds it, or nearly so.
/// @param enough  no bound need be smaller
bvhaus_inside_rest bvhaus_inside_bound( bvhaus_inside* inside, bvhaus_region* region, double enough );
