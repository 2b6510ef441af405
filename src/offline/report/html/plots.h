// What the HTML report plots.

#pragma once

#include "offline/report/html/html.h"

/// Certified errors of nodes, and of the cut, against the level: surface and solid.
void bvhtml_plot_errors( const bvhtml_page* page );

/// How many nodes levels have.
void bvhtml_plot_hierarchy( const bvhtml_page* page );

/// What the hierarchy costs at each sample of a clip, relative to the pose of the mesh, and what others cost that were built
/// for some samples.
void bvhtml_plot_clip( const bvhtml_page* page );

/// How far parts stand off, in descending order.
/// @param lower  bounds from below, mesh units
/// @param upper  and from above, descending
/// @param count  from 1 to 100
/// @param more   there are others that stand off less
void bvhtml_plot_parts( const bvhtml_page* page, const double* lower, const double* upper, int count,
                        bool more );
