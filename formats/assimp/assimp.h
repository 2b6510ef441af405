// Every mesh format that Assimp reads, in a child process with limits.
//
// Objects: a node with triangles is one, its meshes are the pieces that differ in material, and each instance
// counts. It has the node's name; where that is empty or was made up by Assimp, like <DXF_ROOT> or nodes[3],
// the name of its first mesh, if there is one. FBX numbers equal names, and glTF numbers the pieces of a mesh.
// Materials are those that triangles have. Groups are not delivered.
//
// Poses: nodes stand as the file stores them, no animation and no morph target is applied, and of vertex
// animation the first frame is taken. A skinned mesh is at bind pose. As glTF and X files mean it, the
// placement of its own node does not count: a joint's placement times its offset matrix is what places the
// mesh. At bind pose that is the same for all joints. Where the file's skeleton stands in another pose, the
// topmost joint with a weight decides, and the mesh still has the shape it was modeled in. Without a joint
// that can be found by its name the node's placement counts.
//
// Faces that Assimp leaves out, such as those with an index out of range, show in nothing but its log: warnings
// are counted, and those that tell of lost geometry apart from the rest, by their words.

#pragma once

#include "bvbuild/import.h"

/// Reads a file that nobody trusts with a library that nobody trusts. Node transforms are applied, every
/// instance of a mesh becomes triangles of its own, mirrored instances keep their outside, polygons are cut
/// into triangles, and so are strips. Faces are counted from 0 through all instances; each polygon and each
/// triangle of a strip is one.
/// @param extension  of the path, without the dot, in lower case
/// @param arena      the scene lives here
/// @param out        its hash is what the input's bytes must have; receives scene, points, lines, warnings and side files;
///                   the other fields are left alone
/// @return bv_ok; bv_error_unsupported when Assimp does not know the extension; bv_error_input when it
///         refuses the file, finds no triangles, crashes or exceeds a limit, or when a file changes meanwhile; bv_error_limit; bv_error_memory
bv_status bvb_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                           bvb_arena* arena, bvb_import* out, bvb_error* error );

/// @return whether bvb_import_options.memory_bytes has an effect: not under AddressSanitizer, which reserves terabytes of
///         address space for its shadow and dies without them
bool bvb_assimp_limits_memory( void );
