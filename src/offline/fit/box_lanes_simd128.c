// Four lanes at a time, in WebAssembly that is compiled with SIMD128. See box_lanes.h.

#include "offline/fit/box_lanes.h"

#ifdef __wasm_simd128__

#include "runtime/simd/level_simd128.h"

#include "offline/fit/box_lanes_kernels.h"

const bvfit_box_level* bvfit_box_level_simd128( void )
{
	return &box_level;
}

#else

const bvfit_box_level* bvfit_box_level_simd128( void )
{
	return 0;
}

#endif
