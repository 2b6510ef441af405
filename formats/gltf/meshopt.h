// EXT_meshopt_compression: compressed buffer views. Private to this folder.

#pragma once

#include "formats/gltf/json.h"

/// How a view is compressed.
typedef enum bvgltf_packing_mode
{
	bvgltf_packed_attributes,
	bvgltf_packed_triangles,
	bvgltf_packed_indices,
} bvgltf_packing_mode;

/// What is to be done after decompression.
typedef enum bvgltf_packing_filter
{
	bvgltf_filter_none,
	bvgltf_filter_octahedral,
	bvgltf_filter_quaternion,
	bvgltf_filter_exponential,
} bvgltf_packing_filter;

/// The members of the extension, without its range of a buffer.
typedef struct bvgltf_packing
{
	bvgltf_packing_mode mode;
	bvgltf_packing_filter filter;
	size_t count;  ///< of elements
	size_t stride; ///< bytes of an element
} bvgltf_packing;

/// @return whether the library was built with a decoder
bool bvgltf_meshopt_is_built_in( void );

/// @return the decoder's version, or "not built in"
const char* bvgltf_meshopt_version( void );

/// Reads and checks the members.
/// @param size  of the view: what all elements take
/// @return bv_ok; bv_error_unsupported without a decoder; bv_error_input
bv_status bvgltf_meshopt_read( const bvgltf_object* o, uint64_t size, bvgltf_packing* out );

/// Decompresses a view.
/// @param o    for messages
/// @param out  room for all elements
/// @return bv_ok; bv_error_input
bv_status bvgltf_meshopt_decode( const bvgltf_object* o, const bvgltf_packing* packing, const uint8_t* packed,
                                 uint64_t size, void* out );
