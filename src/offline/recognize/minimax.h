// The primitive whose surface is nearest to a mesh, as far as a cloud shows it.
//
// Terms are the distances of the cloud's points to the surface, and for each of its directions how much
// farther the primitive reaches than the hull. No pair of surfaces is nearer than any of these: a convex set
// is as far from the mesh's hull as their supports differ somewhere, and no farther from the mesh.

#pragma once

#include "offline/recognize/cloud.h"
#include "offline/recognize/shape.h"

/// @return the largest magnitude of a term
double bvrecog_cloud_error( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// @return the largest distance of a point of the cloud to the shape's surface
double bvrecog_cloud_distance( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// @return how far the shape certainly reaches beyond the hull, and so some point of its surface from the
///         mesh
double bvrecog_cloud_excess( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// @return how far the hull certainly reaches beyond the shape, and so some point of the mesh
double bvrecog_cloud_shortfall( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// @return the root of the mean square of all terms
double bvrecog_cloud_spread( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// @return by how much the shape must swell for the largest terms of both signs to be as large
double bvrecog_cloud_offset( const bvrecog_cloud* cloud, const bvrecog_shape* shape );

/// Makes the sum of the squared terms small, from where the shape is: K. Levenberg 1944, D. W. Marquardt
/// 1963.
/// @param rounds  at most
/// @param step    every so many of the terms count
bvrecog_shape bvrecog_fit_squares( const bvrecog_cloud* cloud, const bvrecog_shape* shape, int rounds,
                                   uint32_t step );

/// Makes the largest term small: the limit of sums of ever higher powers, each made small from where the one
/// before ended (G. Polya 1913; L. A. Karlovitz, "Construction of nearest points in the L^p, p even, and
/// L^infinity norms", 1970). Within some percents of the least there is nearby.
/// @param limit  the search ends when the largest term can't come down to it
bvrecog_shape bvrecog_fit_largest( const bvrecog_cloud* cloud, const bvrecog_shape* shape, double limit );
