// How far a point of a mesh can be from the surface of a shape: an interval that always contains the true
// value.

#pragma once

#include "offline/recognize/cloud.h"
#include "offline/recognize/shape.h"

enum
{
	bvrecog_witnesses = 16,
};

/// When to stop.
typedef struct bvrecog_measure_options
{
	double relative; ///< at upper <= lower * (1 + relative)

	/// or at upper <= lower + absolute, in units of the place; less than 2^-30 counts as that
	double absolute;

	double limit; ///< or as soon as lower is above this
	double known; ///< a distance that is reached: where to start from
} bvrecog_measure_options;

/// The result, in units of the place.
typedef struct bvrecog_reach
{
	double lower; ///< reached
	double upper; ///< never exceeded

	/// points of the mesh that are far from the surface, in different places
	bv_vec3 witness[bvrecog_witnesses];

	double distance[bvrecog_witnesses]; ///< of these; 0 where there is none
} bvrecog_reach;

/// Measures all of a mesh.
bvrecog_reach bvrecog_measure_mesh( const bvb_mesh* mesh, const bvrecog_place* place,
                                    const bvrecog_shape* shape, const bvrecog_measure_options* options );

/// The same from the corners of the hull and the points of the cloud only: cheap and wide.
/// @param hull  of the vertices of the mesh
bvrecog_reach bvrecog_measure_cloud( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                                     const bvrecog_shape* shape );

/// @return no point of the shape's surface is farther from the nearest point of the cloud
double bvrecog_farthest_from_cloud( const bvrecog_cloud* cloud, const bvrecog_shape* shape );
