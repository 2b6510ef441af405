// Imports every mesh format that Assimp reads, in a child process with limits.
//
// Objects: each node with triangles is an object, and each instance is an object of its own. The meshes of a
// node are the pieces that differ in material. An object has the name of its node. If that name is empty or
// was made up by Assimp, like <DXF_ROOT> or nodes[3], the name of its first mesh is used, if any. FBX numbers
// equal names, and glTF numbers the pieces of a mesh. Only materials that triangles use are imported. Groups
// are not.
//
// Poses: without a clip, nodes have the placement stored in the file, animations and morph targets are not
// applied, and the first frame of a vertex animation is used. A skinned mesh is at bind pose. As glTF and X files define it,
// the placement of its own node is ignored: the mesh is placed by a joint's placement times its offset
// matrix, which at bind pose is the same for all joints. If the file's skeleton is in another pose, the
// topmost joint with a weight decides, and the mesh keeps the shape it was modeled in. If no joint can be
// found by name, the node's placement applies.
//
// Clips: channels replace the placements of nodes, and joints move skinned meshes as in glTF. Vertices without
// weights follow what places their mesh without a clip. Keys are linear, and those before the first and behind
// the last one are equal to these. A clip begins at its first key, or at 0 if that is negative. Names, materials
// and faces are those without a clip.
//
// Faces that Assimp omits, such as those with an index out of range, appear only in its log. Warnings are
// counted, and those whose words indicate lost geometry are counted separately.

#pragma once

#include "bvbuild/import.h"
#include "offline/base/system.h"

/// Reads a file that nobody trusts with a library that nobody trusts. Node transforms are applied, every
/// instance of a mesh becomes triangles of its own, mirrored instances keep their outside, polygons are cut
/// into triangles, and so are strips. Faces are counted from 0 through all instances; each polygon and each
/// triangle of a strip is one.
/// @param extension  of the path, without the dot, in lower case
/// @param arena      the scene lives here
/// @param out        its hash is what the input's bytes must have; receives scene, points, lines, warnings
///                   and side files; the other fields are left alone
/// @return bv_ok; bv_error_unsupported when Assimp does not know the extension; bv_error_input when it
///         refuses the file, finds no triangles, crashes or exceeds a limit, or when a file changes
///         meanwhile; bv_error_limit; bv_error_memory
bv_status bvassimp_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                                bvb_arena* arena, bvb_import* out, bvb_error* error );

/// What the child process does: imports, flattens the scene, leaves its result and exits.
extern const bvbase_task bvassimp_task;

/// @return whether bvb_import_options.memory_bytes has an effect: not under AddressSanitizer, which reserves
///         terabytes of address space for its shadow and dies without them
bool bvassimp_limits_memory( void );
