// The vertices of a node's mesh: morphed and skinned. Private to this folder.

#pragma once

#include "formats/gltf/nodes.h"
#include "formats/gltf/primitive.h"

/// A skin.
typedef struct bvgltf_skin
{
	const uint32_t* nodes;     ///< of each joint
	const bvgltf_place* binds; ///< from the mesh to each joint
	bvgltf_place* places;      ///< from the mesh to the world, of each joint at the pose of the file
	uint32_t count;            ///< of joints; 0 until the skin is read
} bvgltf_skin;

/// Joints and weights of vertices, four each.
typedef struct bvgltf_influences
{
	const double* joints;  ///< 4 for each vertex, in range
	const double* weights; ///< 4 for each vertex, not negative
} bvgltf_influences;

/// What moves the vertices of a primitive of a node. Everything has been checked.
typedef struct bvgltf_rig
{
	const bvgltf_primitive* primitive; ///< with the positions before morphing
	const double** targets;        ///< of each target, moves of all vertices; null for one without positions
	double* weights;               ///< of each target, at the pose of the file
	uint32_t target_count;         ///< length of targets; 0 if the primitive is not morphed
	const bvgltf_skin* skin;       ///< null without joints
	bvgltf_influences* influences; ///< of the vertices, several sets
	uint32_t influence_count;      ///< length of influences; 0 without joints
} bvgltf_rig;

/// Vertices of a primitive of a node.
typedef struct bvgltf_shape
{
	const double* positions; ///< x, y, z of each vertex of the primitive
	const bool* mirrored;    ///< of each vertex, whether its joints mirror it; null without joints
	bvgltf_rig rig;          ///< what the vertices follow
} bvgltf_shape;

/// What shapes are made of.
typedef struct bvgltf_shapes
{
	bvgltf_meshes* meshes;
	const bvgltf_nodes* nodes;
	bvgltf_skin* skins; ///< of the document

	/// Morph targets are read even if the file has no weights for them, because a clip has.
	bool animated;
} bvgltf_shapes;

/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvgltf_shapes_open( bvgltf_meshes* meshes, const bvgltf_nodes* nodes, bvgltf_shapes* out );

/// Makes the shape of a primitive at the pose of the file. With joints its coordinates are those of the world,
/// otherwise those of the node.
/// @param node   has a mesh
/// @param mesh   of the node
/// @param index  of the primitive in the mesh
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_shapes_make( bvgltf_shapes* s, uint32_t node, const bvgltf_mesh* mesh, uint32_t index,
                              bvgltf_shape* out );

/// Adds morph targets to the positions of a primitive.
/// @param weights  of each target
/// @param out      receives x, y, z of each vertex
void bvgltf_rig_morph( const bvgltf_rig* rig, const double* weights, double* out );

/// Memory for bvgltf_rig_skin.
typedef struct bvgltf_skinning
{
	bvgltf_place* sums; ///< of each vertex; their mirrored is not used
	double* totals;     ///< of each vertex, the sum of its weights
} bvgltf_skinning;

/// Moves vertices with their joints.
/// @param places     of each joint, from the mesh to the world
/// @param positions  x, y, z of each vertex; may be `out`
/// @param room       for each vertex; receives sums of matrices and weights
/// @param out        receives x, y, z of each vertex
void bvgltf_rig_skin( const bvgltf_rig* rig, const bvgltf_place* places, const double* positions,
                      const bvgltf_skinning* room, double* out );
