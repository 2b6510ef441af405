// Buffers and their views. Private to this folder.

#pragma once

#include "formats/gltf/document.h"

/// A buffer.
typedef struct bvgltf_buffer
{
	const uint8_t* data; ///< null until it is read
	uint64_t size;       ///< its byteLength
	const char* name;    ///< of its file, relative to the document; null if it is not in another file
	bvb_side_file file;  ///< of that file
} bvgltf_buffer;

/// A buffer view, decompressed.
typedef struct bvgltf_view
{
	const uint8_t* data; ///< null until it is read
	uint64_t size;       ///< its byteLength
	uint32_t stride;     ///< its byteStride; 0 without
} bvgltf_view;

/// All buffers and views. The arrays live in the scratch arena.
typedef struct bvgltf_buffers
{
	bvgltf_document* document;
	bvgltf_buffer* buffers; ///< of the document
	bvgltf_view* views;     ///< of the document
} bvgltf_buffers;

/// Finds the files that buffers are in; reads none.
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_buffers_open( bvgltf_document* d, bvgltf_buffers* out );

/// Reads a view, and what it needs for that: a file, decoding, decompression.
/// @param index  in range
/// @return bv_ok; bv_error_unsupported for a compression that the library was built without; bv_error_input;
///         bv_error_limit; bv_error_memory
bv_status bvgltf_buffers_view( bvgltf_buffers* b, uint32_t index, bvgltf_view* out );

/// Lists all files of buffers.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input if a file has changed between two buffers; bv_error_memory
bv_status bvgltf_buffers_list( const bvgltf_buffers* b, bvb_arena* arena, bvb_side_files* out );
