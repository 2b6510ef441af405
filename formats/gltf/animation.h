// Animations: channels of node properties and their keys. Private to this folder.

#pragma once

#include "formats/gltf/scene.h"

/// The property of a node that a channel animates.
typedef enum bvgltf_path
{
	bvgltf_path_translation,
	bvgltf_path_rotation,
	bvgltf_path_scale,
	bvgltf_path_weights,
	bvgltf_paths,
} bvgltf_path;

/// How values between keys are found.
typedef enum bvgltf_interpolation
{
	bvgltf_interpolation_linear,
	bvgltf_interpolation_step,
	bvgltf_interpolation_cubic,
} bvgltf_interpolation;

/// A channel with its sampler. Times ascend, and all numbers are finite.
typedef struct bvgltf_track
{
	uint32_t node; ///< that it animates
	bvgltf_path path;
	bvgltf_interpolation interpolation;
	const double* times; ///< of each key, seconds
	uint32_t keys;       ///< length of times, at least 1
	uint32_t width;      ///< numbers of a value: 3, 4, or one for each morph target

	/// Values of each key. For cubic splines each key has an in-tangent, a value and an out-tangent. Rotations
	/// are unit quaternions, except for those of cubic splines.
	const double* values;
} bvgltf_track;

/// An animation.
typedef struct bvgltf_animation
{
	const char* name;     ///< empty without one
	bvgltf_track* tracks; ///< at most one for a property of a node
	uint32_t count;       ///< length of tracks
	double start;         ///< first key of all tracks, seconds
	double end;           ///< last key of all tracks, seconds
} bvgltf_animation;

/// Finds an animation by name, by number, or the only one, and reads it.
/// @param name  as bvb_clip_options has it
/// @return bv_ok; bv_error_unsupported for properties of KHR_animation_pointer; bv_error_input; bv_error_limit;
///         bv_error_memory
bv_status bvgltf_animation_read( const bvgltf_shapes* s, const char* name, bvgltf_animation* out );
