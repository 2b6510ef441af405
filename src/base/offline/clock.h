// Wall-clock time, for reports only: nothing that is written into a file may depend on it.

#pragma once

/// @return seconds since some fixed moment
double bvb_clock( void );
