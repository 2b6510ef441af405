// URIs of buffers. Private to this folder.

#pragma once

#include "formats/gltf/document.h"

/// @return whether a URI is data by itself
bool bvgltf_uri_is_data( const char* uri );

/// Decodes data in base64 (RFC 2397, RFC 4648).
/// @param o    the buffer, for messages
/// @param uri  bvgltf_uri_is_data
/// @return bv_ok; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_uri_decode( bvgltf_document* d, const bvgltf_object* o, const char* uri,
                             const uint8_t** data, uint64_t* size );

/// Decodes a relative reference into the name of a file (RFC 3986): %20 is a blank. Empty parts and parts that
/// are one dot are removed, so that a file has one name.
/// @param o     the buffer, for messages
/// @param name  receives the name, relative to the folder of the document
/// @return bv_ok; bv_error_unsupported for a URI that is not relative or has a query; bv_error_input;
///         bv_error_limit; bv_error_memory
bv_status bvgltf_uri_name( bvgltf_document* d, const bvgltf_object* o, const char* uri, const char** name );
