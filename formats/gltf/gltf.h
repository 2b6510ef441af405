// A reader of glTF 2.0, as text and as binary glTF.
//
// Objects: each node with triangles is an object, and so is each of its instances (EXT_mesh_gpu_instancing).
// An object has the name of its node, or of its mesh if the node has none. Materials have their names.
//
// Poses: nodes have the placement that is in the file, morph targets have the weights of the node or else of
// the mesh, and skinned meshes follow their joints as these are in the file. With a clip, an animation is sampled,
// and the scene has the pose of its first sample. Mirrored instances keep their outside.
//
// Extensions that change triangles and are read: KHR_mesh_quantization, EXT_mesh_gpu_instancing and, if the
// library was built with them, EXT_meshopt_compression and KHR_draco_mesh_compression.
//
// The reader is strict: what the specification says must be so is checked for all that triangles depend on.
// Buffers that no triangle depends on are not read.

#pragma once

#include "bvbuild/import.h"

/// Reads .gltf and .glb; the content tells which. Buffers in other files are looked for from the folder of the
/// path.
/// @param path          of the file, for messages and for files beside it
/// @param data          its bytes
/// @param memory_bytes  what the reader may take, and the scene that it makes
/// @param arena         the scene lives here
/// @param out           receives scene, points, lines, warnings and side files, the last also on error; the
///                      other fields are left alone
/// @return bv_ok; bv_error_unsupported for other versions, extensions that are required and not known, and
///         URIs that lead elsewhere; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_read_gltf( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            bvb_arena* arena, bvb_import* out, bvb_error* error );

/// The same, and reads a clip of an animation into the scene.
/// @param clip  with a name; its numbers are in range
/// @return as bvgltf_read_gltf; bv_error_input also if there is no such clip
bv_status bvgltf_read_clip( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            const bvb_clip_options* clip, bvb_arena* arena, bvb_import* out,
                            bvb_error* error );
