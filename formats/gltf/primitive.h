// Primitives of meshes as triangles. Private to this folder.

#pragma once

#include "formats/gltf/accessor.h"

/// A primitive.
typedef struct bvgltf_primitive
{
	bvgltf_object object;             ///< of the document
	bvgltf_numbers positions;         ///< of vertices, before morphing
	const bvb_triangle* triangles;    ///< each corner is a vertex
	uint32_t triangle_count;          ///< length of triangles
	uint32_t material;                ///< or BVGLTF_NONE
	uint64_t points;                  ///< number of points, if it has no triangles
	uint64_t lines;                   ///< number of lines, if it has no triangles
	const struct bvgltf_draco* draco; ///< decompressed attributes; null if it is not compressed
} bvgltf_primitive;

/// A mesh.
typedef struct bvgltf_mesh
{
	bool known;                   ///< the rest is read
	bvgltf_primitive* primitives; ///< those with positions
	uint32_t count;               ///< length of primitives
	uint64_t triangle_count;      ///< of all primitives
	uint64_t points;              ///< of all primitives
	uint64_t lines;               ///< of all primitives
} bvgltf_mesh;

/// All meshes.
typedef struct bvgltf_meshes
{
	bvgltf_accessors* accessors;
	bvgltf_mesh* meshes; ///< of the document
} bvgltf_meshes;

/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvgltf_meshes_open( bvgltf_accessors* accessors, bvgltf_meshes* out );

/// Reads a mesh, once.
/// @param index  in range
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_meshes_get( bvgltf_meshes* m, uint32_t index, const bvgltf_mesh** out );

/// Reads an attribute of a primitive's vertices.
/// @param out  its values are null if the primitive does not have it
/// @return as bvgltf_meshes_get; bv_error_input if there is not one for each vertex
bv_status bvgltf_meshes_attribute( bvgltf_meshes* m, const bvgltf_primitive* p, const bvgltf_use* use,
                                   bvgltf_numbers* out );
