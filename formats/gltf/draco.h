// KHR_draco_mesh_compression: compressed primitives. Private to this folder.

#pragma once

#include "formats/gltf/document.h"

/// A decompressed primitive. It lives as long as the document.
typedef struct bvgltf_draco bvgltf_draco;

/// @return whether the library was built with a decoder
bool bvgltf_draco_is_built_in( void );

/// @return the decoder's version, or "not built in"
const char* bvgltf_draco_version( void );

/// Decompresses a primitive.
/// @param o  the extension's object, for messages
/// @return bv_ok; bv_error_unsupported without a decoder; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_draco_open( bvgltf_document* d, const bvgltf_object* o, const uint8_t* data, uint64_t size,
                             const bvgltf_draco** out );

/// @return number of vertices
uint32_t bvgltf_draco_point_count( const bvgltf_draco* draco );

/// @param count  receives the number of indices, three for each triangle
/// @return indices of vertices, in range
const uint32_t* bvgltf_draco_indices( const bvgltf_draco* draco, uint32_t* count );

/// Copies an attribute of all vertices; integers stay as they are.
/// @param id          its unique id
/// @param components  of a vertex
/// @param out         room for the components of all vertices
/// @return false if there is no such attribute, or it has another number of components
bool bvgltf_draco_copy( const bvgltf_draco* draco, uint32_t id, uint32_t components, double* out );

/// Frees all that bvgltf_draco_open has decompressed.
void bvgltf_draco_close( bvgltf_document* d );
