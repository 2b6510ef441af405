// URDF, the robot description of ROS: a writer of bodies.

#pragma once

#include "bvbuild/export.h"

/// Writes a robot of one link, called "body", with its mass, what collides, and the mesh to look at. Boxes,
/// balls and cylinders are URDF's own, a capsule is a cylinder and two balls, and everything else is in an
/// OBJ file each beside the robot's, by a relative name: PATH without its extension, an underscore, and the
/// object's name. The robot is called as the file is.
/// @return bv_ok; bv_error_argument for what is no body, or a path whose name no XML can hold;
///         bv_error_memory
bv_status bvurdf_write_urdf( const bvb_export* from, const char* path, bvb_arena* arena,
                             bvb_export_files* out, bvb_error* error );
