// What is called of libdraco, for C. Private to draco.c.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A decoded mesh.
typedef struct bvgltf_decoded bvgltf_decoded;

/// @return the version of the library: "1.5.5"
const char* bvgltf_decoded_version( void );

/// @return a mesh, which the caller frees; null if the data is no mesh, damaged, or memory is short
bvgltf_decoded* bvgltf_decode_draco( const uint8_t* data, size_t size );

/// Frees a mesh. Null is allowed.
void bvgltf_decoded_free( bvgltf_decoded* mesh );

/// @return number of vertices
uint32_t bvgltf_decoded_points( const bvgltf_decoded* mesh );

/// @return number of triangles
uint32_t bvgltf_decoded_faces( const bvgltf_decoded* mesh );

/// Copies the corners of all triangles. They may be out of range.
void bvgltf_decoded_corners( const bvgltf_decoded* mesh, uint32_t* out );

/// Copies an attribute of all vertices; integers stay as they are.
/// @return false if there is no attribute with this unique id, if it has another number of components, or if
///         it has no value for a vertex
bool bvgltf_decoded_attribute( const bvgltf_decoded* mesh, uint32_t id, uint32_t components, double* out );

#ifdef __cplusplus
}
#endif
