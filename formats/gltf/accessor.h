// Accessors: vectors and indices of any component type, dense and sparse. Private to this folder.

#pragma once

#include "formats/gltf/layout.h"

/// Numbers of an accessor.
typedef struct bvgltf_numbers
{
	const double* values; ///< components of all elements
	uint32_t count;       ///< of elements
	uint32_t components;  ///< of an element
	unsigned type;        ///< component type, as a set of one
} bvgltf_numbers;

/// Accessors that were read.
typedef struct bvgltf_accessors
{
	bvgltf_buffers* buffers;
	bvgltf_numbers* numbers;  ///< of each accessor; values is null until they are read
	const uint32_t** indices; ///< of each accessor; null until they are read
	uint32_t* index_counts;   ///< their length
	uint32_t* index_limits;   ///< the value that restarts primitives
} bvgltf_accessors;

/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvgltf_accessors_open( bvgltf_buffers* buffers, bvgltf_accessors* out );

/// Reads vectors as doubles; normalized integers become 0 to 1 or -1 to 1. They are kept.
/// @param index  in range
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_accessors_numbers( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use,
                                    bvgltf_numbers* out );

/// Reads indices of vertices. They are kept.
/// @param index  in range
/// @param limit  receives the largest number of the component type, which must not occur
/// @return as bvgltf_accessors_numbers
bv_status bvgltf_accessors_indices( bvgltf_accessors* a, uint32_t index, const uint32_t** indices,
                                    uint32_t* count, uint32_t* limit );

/// Finds the component type of an accessor whose numbers are somewhere else.
/// @param index  in range
/// @param out    receives the type as a set of one
/// @return bv_ok; bv_error_input
bv_status bvgltf_accessors_type( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use, unsigned* out );

/// Divides whole numbers as the component type says; leaves those of other types alone.
void bvgltf_accessors_normalize( unsigned type, double* values, size_t count );
