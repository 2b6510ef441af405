// Keys of animations, made such that glTF allows them. Private to the child process.

#pragma once

#include "formats/assimp/container.h"

/// A value at a time.
typedef struct bvassimp_key
{
	double time;     ///< seconds
	float value[4];  ///< as many as the width says
	uint32_t number; ///< in the file, for keys at the same time
} bvassimp_key;

/// What was wrong with keys.
typedef struct bvassimp_faults
{
	uint64_t not_finite; ///< keys that were left out
	uint64_t unsorted;   ///< lists of keys that were sorted
	uint64_t zero;       ///< rotations that are no rotations
} bvassimp_faults;

/// Leaves out keys that are not finite, and sorts the others. Of keys at the same time the first and the last
/// count: the value jumps there.
/// @param keys      become `count` keys at ascending times, rounded to float
/// @param width     numbers of a value
/// @param rotation  values are quaternions x, y, z, w, which become unit quaternions
/// @return how many are left; may be 0
uint32_t bvassimp_keys_clean( bvassimp_key* keys, uint32_t count, uint32_t width, bool rotation,
                              bvassimp_faults* faults );

/// Adds clean keys to a document.
/// @param count  at least 1
/// @return numbers of the accessors of times and of values; the latter is the former plus 1
uint32_t bvassimp_keys_add( bvassimp_container* c, const bvassimp_key* keys, uint32_t count, uint32_t width );
