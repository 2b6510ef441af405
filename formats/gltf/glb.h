// The container of binary glTF. Private to this folder.

#pragma once

#include "bvbuild/base.h"

/// What is in a container. It refers to the file's bytes.
typedef struct bvgltf_container
{
	const char* json;      ///< the chunk with the document
	size_t json_bytes;     ///< its length
	const uint8_t* binary; ///< the BIN chunk, which is the first buffer; null if the file has no such chunk
	uint64_t binary_bytes; ///< its length
	bool binary_format;    ///< it is a container, not a document by itself
	bool unpadded;         ///< a chunk is not padded to 4 bytes, against the specification
} bvgltf_container;

/// @return whether a file begins as a container does
bool bvgltf_glb_is( const char* data, size_t size );

/// Takes a container apart. Chunks of other types are skipped.
/// @param file  name of the file, for messages
/// @param data  begins as bvgltf_glb_is says
/// @return bv_ok; bv_error_unsupported for another version than 2; bv_error_input
bv_status bvgltf_glb_open( const char* file, const char* data, size_t size, bvgltf_container* out,
                           bvb_error* error );
