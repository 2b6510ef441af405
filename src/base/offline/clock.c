// Wall-clock time. See clock.h.

#include "base/offline/clock.h"

#include <time.h>

double bvb_clock( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
