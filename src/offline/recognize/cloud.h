// A few hundred points that stand for a mesh while primitives are fitted to it: some spread evenly over its
// surface, some of its vertices, some of its hull's corners, and those that the fits so far missed most.

#pragma once

#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"
#include "offline/recognize/place.h"

enum
{
	bvrecog_cloud_surface = 384,
	bvrecog_cloud_vertices = 160,
	bvrecog_cloud_corners = 160,
	bvrecog_cloud_added = 320,
	bvrecog_cloud_directions = 128,
	bvrecog_cloud_directions_most = bvrecog_cloud_directions + 96,
	bvrecog_cloud_most =
		bvrecog_cloud_surface + bvrecog_cloud_vertices + bvrecog_cloud_corners + bvrecog_cloud_added,
};

/// Points of a mesh, in coordinates of its place.
typedef struct bvrecog_cloud
{
	bvrecog_place place;
	bv_vec3 point[bvrecog_cloud_most];
	uint32_t count;
	bv_vec3 normal[bvrecog_cloud_surface]; ///< unit, of the first of them, which are spread evenly by area
	uint32_t surface;                      ///< how many these are
	bv_vec3 direction[bvrecog_cloud_directions_most]; ///< unit; the first of them are spread evenly
	double support[bvrecog_cloud_directions_most];    ///< how far the hull's corners reach along them
	uint32_t directions;                              ///< how many these are
	bool exact_support; ///< whether all corners count: not at first where there are many
} bvrecog_cloud;

/// Chooses the points.
/// @param mesh  with at least one triangle, no degenerate ones and no unused vertices
/// @param hull  of its vertices
/// @return false when the mesh's size is no number or 0
bool bvrecog_cloud_create( const bvb_mesh* mesh, const bvb_hull* hull, bvrecog_cloud* out );

/// Adds a point as long as there is room.
void bvrecog_cloud_add( bvrecog_cloud* cloud, bv_vec3 point );

/// Makes the support exact.
/// @param mesh, hull  what the cloud was chosen from
void bvrecog_cloud_find_support( bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull );

/// Adds a direction as long as there is room.
/// @param support  how far the hull reaches along it
void bvrecog_cloud_add_direction( bvrecog_cloud* cloud, bv_vec3 direction, double support );

/// @return how far the hull's corners reach along a direction: their largest dot product with it
double bvrecog_hull_reach( const bvrecog_place* place, const bvb_mesh* mesh, const bvb_hull* hull,
                           bv_vec3 direction );

/// @return index `i` of 2^32 of an even spread over `count` things that keeps in step with no pattern in
///         their order
static inline uint32_t bvrecog_spread( uint32_t i, uint32_t count )
{
	// Multiples of the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
	uint64_t share = i * UINT64_C( 2654435769 ) & UINT32_MAX;
	return (uint32_t)( share * count >> 32 );
}
