// Time, for reports only: nothing that is written into a file may depend on it.

#pragma once

/// @return seconds since some fixed moment
double bvb_clock( void );

/// @return seconds of the processor's time that this process has taken
double bvb_cpu_clock( void );
