// A few hundred points that stand for a mesh while primitives are fitted to it: some spread evenly over its surface, some
// of its vertices, some of its hull's corners, and those that the fits so far missed most.

#pragma once

#include "bvbuild/hull.h"
#include "bvbuild/mesh.h"
#include "recognize/place.h"

enum
{
	bvb_cloud_surface = 384,
	bvb_cloud_vertices = 160,
	bvb_cloud_corners = 160,
	bvb_cloud_added = 320,
	bvb_cloud_directions = 128,
	bvb_cloud_directions_most = bvb_cloud_directions + 96,
	bvb_cloud_most = bvb_cloud_surface + bvb_cloud_vertices + bvb_cloud_corners + bvb_cloud_added,
};

/// Points of a mesh, in coordinates of its place.
typedef struct bvb_cloud
{
	bvb_place place;
	bv_vec3 point[bvb_cloud_most];
	uint32_t count;
	bv_vec3 normal[bvb_cloud_surface]; ///< unit, of the first of them, which are spread evenly by area
	uint32_t surface;                  ///< how many these are
	bv_vec3 direction[bvb_cloud_directions_most]; ///< unit; the first of them are spread evenly
	double support[bvb_cloud_directions_most];    ///< how far the hull's corners reach along them
	uint32_t directions;                          ///< how many these are
	bool exact_support; ///< whether all corners count: not at first where there are many
} bvb_cloud;

/// Chooses the points.
/// @param mesh  with at least one triangle, no degenerate ones and no unused vertices
/// @param hull  of its vertices
/// @return false when the mesh's size is no number or 0
bool bvb_cloud_create( const bvb_mesh* mesh, const bvb_hull* hull, bvb_cloud* out );

/// Adds a point as long as there is room.
void bvb_cloud_add( bvb_cloud* cloud, bv_vec3 point );

/// Makes the support exact.
/// @param mesh, hull  what the cloud was chosen from
void bvb_cloud_find_support( bvb_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull );

/// Adds a direction as long as there is room.
/// @param support  how far the hull reaches along it
void bvb_cloud_add_direction( bvb_cloud* cloud, bv_vec3 direction, double support );

/// @return how far the hull's corners reach along a direction: their largest dot product with it
double bvb_hull_reach( const bvb_place* place, const bvb_mesh* mesh, const bvb_hull* hull,
                       bv_vec3 direction );

/// @return index `i` of 2^32 of an even spread over `count` things that keeps in step with no pattern in their order
static inline uint32_t bvb_spread( uint32_t i, uint32_t count )
{
	// Multiples of the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
	uint64_t share = i * UINT64_C( 2654435769 ) & UINT32_MAX;
	return (uint32_t)( share * count >> 32 );
}
