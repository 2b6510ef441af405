// Versions and features of this build and of the machine, as printed by `bvbuild --version`.
//
//     #include <bvbuild/features.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bvb_feature feature;
//         for ( uint32_t i = 0; bvb_get_feature( i, &feature ); ++i )
//             printf( "%s: %s\n", feature.name, feature.value );
//         return 0;
//     }

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// As bv_version of bv/base.h, of this library.
/// @return BV_VERSION of the library; static storage
const char* bvb_version( void );

/// A feature of the library or the machine.
typedef struct bvb_feature
{
	const char* name; ///< topic: "formats", "Assimp", "SIMD" or another; static storage
	char value[96];   ///< text such as a version; zero-terminated
} bvb_feature;

/// Returns a feature. Library versions are those found at run time, which may differ from those at build
/// time.
/// @param index  counted from 0
/// @return whether there is such a feature; if not, `out` is unchanged
bool bvb_get_feature( uint32_t index, bvb_feature* out );

#ifdef __cplusplus
}
#endif
