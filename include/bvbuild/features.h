// What this library is made of and what it found on the machine that it runs on, as `bvbuild --version` prints it.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One fact for people.
typedef struct bvb_feature
{
	const char* name; ///< what it is about: "formats", "Assimp", "SIMD"; static storage
	char value[96];   ///< the fact, such as a version; terminated
} bvb_feature;

/// Versions of libraries are those that are there at run time, which need not be those that were there at build time.
/// @param index  counts from 0
/// @return whether there is a fact with that index; if not, `out` is unchanged
bool bvb_get_feature( uint32_t index, bvb_feature* out );

#ifdef __cplusplus
}
#endif
