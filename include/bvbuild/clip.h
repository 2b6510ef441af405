// Clips: how the vertices of a scene move while an animation plays. glTF has them, and so have FBX and other formats.
//
//     #include <bvbuild/import.h>
//
//     // Reads the clip "Walk" of a glTF file at 60 times from its start to its end.
//     bv_status read_walk( const char* path, bvb_arena* arena, bvb_import* out, bvb_error* error )
//     {
//         bvb_import_options options = bvb_import_options_default();
//         options.clip = ( bvb_clip_options ){ .name = "Walk", .samples = 60 };
//         return bvb_import_file( path, &options, arena, out, error );   // out->scene.clip
//     }
//
// A clip has the position of every vertex at each sample, and boxes that enclose each vertex at every time of the
// clip, also between samples.

#pragma once

#include "bv/shape.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
	BVB_MAX_CLIP_SAMPLES = 4096,  ///< samples of a clip
	BVB_MAX_CLIP_SEGMENTS = 1024, ///< segments of a clip
	BVB_MAX_CLIP_NAME = 120,      ///< bytes of the name of a clip that is read
};

/// Which clip to read, and how finely.
typedef struct bvb_clip_options
{
	/// Name of the clip, of at most BVB_MAX_CLIP_NAME bytes, or its number in the file, counted from 0, or "*" for the only one. Null, the default: no
	/// clip, and the pose of the file.
	const char* name;

	uint32_t
		samples; ///< times at which the clip is sampled, 2 to BVB_MAX_CLIP_SAMPLES; 0, the default, for 60
	uint32_t segments; ///< segments of time with boxes of their own, less than samples; 0, the default, for 1

	/// Whether the file stores the vertices of all samples, 6 bytes each. Default false.
	bool frames;
} bvb_clip_options;

/// @return the number of samples: that of the options, or the default
uint32_t bvb_clip_sample_count( const bvb_clip_options* options );

/// @return the number of segments: that of the options, or the default
uint32_t bvb_clip_segment_count( const bvb_clip_options* options );

/// A clip of a scene. Coordinates are those of the scene. The arrays live in the arena of the function that made
/// them.
typedef struct bvb_clip
{
	const char* name;      ///< as in the file; may be empty
	double start;          ///< time of the first key, seconds
	double end;            ///< time of the last key, seconds; not less than start
	uint32_t samples;      ///< evenly spaced times from start to end, at least 1; exactly 1 if both are equal
	uint32_t segments;     ///< intervals of equal length from start to end, at least 1
	uint32_t vertex_count; ///< vertices of the scene
	bv_vec3* frames;       ///< position of vertex v at sample s: frames[s * vertex_count + v]

	/// Box that encloses vertex v at every time of segment s, both ends included: swept[s * vertex_count + v].
	bv_aabb* swept;
} bvb_clip;

/// @param sample  less than clip->samples
/// @return the time of a sample, seconds
double bvb_clip_time( const bvb_clip* clip, uint32_t sample );

#ifdef __cplusplus
}
#endif
