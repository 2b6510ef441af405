// The parts of a glTF file that make a body of it.

#pragma once

#include "bvbuild/export.h"
#include "offline/export/output.h"

/// In place of a mesh's number: it is not in the file.
#define BVGLTF_NO_MESH 0xffffffffu

/// Writes a member that is a list of three numbers.
void bvgltf_put_vector( bvexport_output* o, const char* key, bv_vec3 v );

/// Writes the names of the extensions, and what they keep at the top, as members that follow others.
void bvgltf_put_extensions( bvexport_output* o, const bvb_export* from );

/// Writes the members of a list of nodes: the body first, then its colliders.
/// @param mesh  of each object, the number of its mesh, or BVGLTF_NO_MESH
void bvgltf_put_body( bvexport_output* o, const bvb_export* from, const uint32_t* mesh );
