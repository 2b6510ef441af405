// Clips: animations sampled over time, with boxes that enclose each vertex between samples. Private to this folder.

#pragma once

#include "bvbuild/clip.h"
#include "formats/gltf/scene.h"

/// Reads a clip.
/// @param shapes   of the scene; `animated` was set before the scene was made
/// @param patches  all vertices of the scene
/// @param options  with a name
/// @param arena    the clip lives here
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_clip_read( const bvgltf_shapes* shapes, bvgltf_patches* patches, uint32_t vertex_count,
                            const bvb_clip_options* options, bvb_arena* arena, const bvb_clip** out );
