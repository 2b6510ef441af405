// Morph targets that an animation moves. Private to the child process.

#pragma once

#include "formats/assimp/channels.h"

/// The targets of a node, which all of its meshes have.
typedef struct bvassimp_morphs
{
	uint32_t count;   ///< of targets
	uint32_t* firsts; ///< of each instance, its first target; BVASSIMP_NONE for one that is not moved
} bvassimp_morphs;

/// Finds what moves the meshes of a node, and adds it to an animation.
/// @param instances  `count`, all of the node
bvassimp_morphs bvassimp_morphs_add( bvassimp_container* c, const struct aiScene* source,
                                     const struct aiAnimation* a, const bvassimp_clock* clock,
                                     const bvassimp_tree* tree, const bvassimp_instance* instances,
                                     uint32_t count, bvassimp_animation* to );

/// Adds accessors for the targets of a mesh, with consecutive numbers.
/// @param unfit  counts targets that have not as many vertices as the mesh, and move none
/// @return the number of the first
uint32_t bvassimp_morphs_add_targets( bvassimp_container* c, const struct aiMesh* mesh, uint64_t* unfit );
