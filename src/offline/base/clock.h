// Time and memory use, for reports only. The content of files must not depend on them.

#pragma once

#include <stdint.h>

/// @return seconds since some fixed moment
double bvbase_clock( void );

/// @return seconds of the processor's time that this process has taken
double bvbase_cpu_clock( void );

/// @return most bytes of memory that this process has had resident so far
uint64_t bvbase_peak_memory( void );
