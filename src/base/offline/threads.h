// How many threads a stage may use.

#pragma once

#include <stdint.h>

/// The OpenMP runtime ends the process when it can't start a thread, so it must not be asked for more than
/// there can be: they are tried first.
/// @param wanted  0 means as many as there are processors, or fewer if OMP_NUM_THREADS says so
/// @return at least 1
int bvb_thread_team( uint32_t wanted );
