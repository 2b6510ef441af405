// The parts of a glTF file that make a body of it.

#pragma once

#include "bvbuild/export.h"
#include "formats/output.h"

/// In place of a mesh's number: it is not in the file.
#define GLTF_NO_MESH 0xffffffffu

/// Writes the names of the extensions, and what they keep at the top, as members that follow others.
void bvb_gltf_put_extensions( bvb_output* o, const bvb_export* from );

/// Writes the members of a list of nodes: the body first, then its colliders.
/// @param mesh  of each object, the number of its mesh, or GLTF_NO_MESH
void bvb_gltf_put_body( bvb_output* o, const bvb_export* from, const uint32_t* mesh );
