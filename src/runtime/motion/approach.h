// How two moving objects approach each other in a span of time, for descents of their hierarchies.

#pragma once

#include "runtime/motion/moment.h"
#include "runtime/motion/motion.h"
#include "runtime/tree/approach.h"
#include "runtime/volume/rounded.h"

/// @param out  receives a box around the mesh, in coordinates of its file
/// @return false if the file has no hierarchy
bool bvmotion_root_box( const bv_file* file, bvvol_rounded* out );

/// @param out  receives a ball around the mesh, likewise
/// @return false if the file is null or has no hierarchy
bool bvmotion_mesh_ball( const bv_file* file, bv_sphere* out );

/// Finds by what displacements objects can come to touch.
/// @param shapes           their balls contain the objects
/// @param file             of each object; has a hierarchy
/// @param span             of each motion, from `from` to `to`
/// @param from, reference, to  in this order
/// @param reach            no points that touch in the span are farther apart at the time of reference; in coordinates of the
///                         first object
/// @param out              receives the approach at the time of reference, in coordinates of the first object
void bvmotion_approach( const bvmotion_shapes* shapes, const bv_file* const file[2],
                        const bvmotion_span span[2], double from, double to, double reference, double reach,
                        bvtree_approach* out );
