// Channels of Assimp's animations as those of glTF. Private to the child process.

#pragma once

#include "formats/assimp/animate.h"
#include "formats/assimp/keys.h"
#include "formats/assimp/tree.h"

/// Assimp's ticks as seconds.
typedef struct bvassimp_clock
{
	double ticks; ///< per second
	double shift; ///< added to all times, seconds, so that none is negative
} bvassimp_clock;

/// An animation that is being written. All zero in the beginning.
typedef struct bvassimp_animation
{
	bvassimp_bytes samplers;
	bvassimp_bytes channels;
	uint32_t count; ///< of both
	bvassimp_faults faults;
	uint64_t missing;   ///< channels of nodes that are missing or not the only ones of their name
	uint64_t duplicate; ///< channels of nodes that have one
	uint64_t outside;   ///< channels that do not stay at their first and last key
} bvassimp_animation;

/// A place for a node that an animation moves.
typedef struct bvassimp_rest
{
	double translation[3];
	double rotation[4]; ///< x, y, z, w
	double scale[3];
	bool sheared; ///< it has no such parts; these are near
} bvassimp_rest;

/// @return how times of an animation become seconds, of which none is negative
bvassimp_clock bvassimp_channels_clock( const struct aiAnimation* a );

/// @return a time in seconds
static inline double bvassimp_clock_seconds( const bvassimp_clock* k, double ticks )
{
	return ticks / k->ticks + k->shift;
}

/// Adds a channel with its sampler.
/// @param times   number of an accessor
/// @param values  number of an accessor
void bvassimp_animation_add( bvassimp_animation* to, uint32_t node, const char* path, uint32_t times,
                             uint32_t values );

/// Adds what moves nodes.
/// @param moved  of each node, receives how many of translation, rotation and scale are animated
void bvassimp_channels_add( bvassimp_container* c, const struct aiAnimation* a, const bvassimp_clock* clock,
                            const bvassimp_tree* tree, uint8_t* moved, bvassimp_animation* to );

/// Takes a matrix apart.
/// @param m  finite
bvassimp_rest bvassimp_channels_rest( const struct aiMatrix4x4* m );
