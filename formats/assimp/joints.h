// Bones as joints of glTF. Private to the child process.

#pragma once

#include "formats/assimp/animate.h"
#include "formats/assimp/tree.h"

/// The joints of a node, which all of its meshes share.
typedef struct bvassimp_skin
{
	uint32_t number;  ///< of the skin
	bool bound;       ///< whether there is one
	uint32_t* firsts; ///< of each instance, the joint of its first bone
} bvassimp_skin;

/// What was wrong with bones.
typedef struct bvassimp_bone_faults
{
	uint64_t bones;   ///< with weights, without a node of their own
	uint64_t weights; ///< negative, not finite, or of vertices that do not exist
} bvassimp_bone_faults;

/// Adds a skin for the instances of a node, if any has bones.
/// @param instances  `count`, all of the node
bvassimp_skin bvassimp_joints_add_skin( bvassimp_container* c, const struct aiScene* source,
                                        const bvassimp_tree* tree, const bvassimp_instance* instances,
                                        uint32_t count, bvassimp_bone_faults* faults );

/// Adds the joints and weights of an instance to the attributes of a primitive. Vertices without weights
/// follow what has placed the instance.
/// @param index  of the instance
/// @param to     receives text that begins with a comma
void bvassimp_joints_add_weights( bvassimp_container* c, const struct aiMesh* mesh,
                                  const bvassimp_instance* instance, const bvassimp_skin* skin,
                                  uint32_t index, const bvassimp_tree* tree, bvassimp_bone_faults* faults,
                                  bvassimp_bytes* to );
