// Vertices of a scene at any time of an animation, and bounds of how fast they move. Private to this folder.

#pragma once

#include "formats/gltf/track.h"

/// An animated scene.
typedef struct bvgltf_posing
{
	bvgltf_document* document;
	const bvgltf_nodes* nodes;
	const bvgltf_shapes* shapes;
	const bvgltf_patches*
		patches; ///< all vertices of the scene; their rigs have no vertices that are not used
	const bvgltf_animation* animation;
	uint32_t vertex_count;       ///< of the scene
	const bvgltf_track** tracks; ///< of each property of each node; null for one that is not animated
	uint32_t* depths;            ///< of each node, the number of nodes from its root on
	bvgltf_place* places;        ///< of each node at the last pose, to the world
	bvgltf_place** joints;    ///< of each skin at the last pose, from the mesh to the world; null if unused
	double** norms;           ///< of each skin, the norms of its bind matrices; null if unused
	bvgltf_skinning skinning; ///< room for the largest patch
	double* positions;        ///< room for the largest patch, x, y, z
	double* weights;          ///< room for morph targets of a patch
	struct pose_bounds* motions; ///< room for each node
} bvgltf_posing;

/// Prepares poses.
/// @param patches   their rigs are reduced to the vertices that are used
/// @return bv_ok; bv_error_input if an animation does not fit the morph targets; bv_error_limit; bv_error_memory
bv_status bvgltf_posing_open( const bvgltf_shapes* shapes, bvgltf_patches* patches,
                              const bvgltf_animation* animation, uint32_t vertex_count, bvgltf_posing* out );

/// Computes the positions of all vertices of the scene.
/// @param inside  a time in the interval between keys that is meant, where values jump
/// @param time    in that interval, or one of its ends
/// @param out     receives a position for each vertex
void bvgltf_posing_at( bvgltf_posing* p, double inside, double time, bv_vec3* out );

/// Bounds how far vertices are from where linear interpolation between the ends of an interval has them: at no
/// time of the interval farther than the square of its length times `bend` / 8, plus `error`, which bounds the
/// rounding errors of bvgltf_posing_at.
/// @param from   start of the interval, in which there are no keys
/// @param to     its end
/// @param bend   receives a bound of the length of the second derivative, for each vertex
/// @param error  receives a distance for each vertex
/// @return false if there is no bound for so long an interval
bool bvgltf_posing_bends( bvgltf_posing* p, double from, double to, double* bend, double* error );
