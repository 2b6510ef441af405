// Time and memory. See clock.h.

#include "offline/base/clock.h"

#include <sys/resource.h>
#include <time.h>

static double read_clock( clockid_t id )
{
	struct timespec now;
	clock_gettime( id, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bvbase_clock( void )
{
	return read_clock( CLOCK_MONOTONIC );
}

double bvbase_cpu_clock( void )
{
	return read_clock( CLOCK_PROCESS_CPUTIME_ID );
}

uint64_t bvbase_peak_memory( void )
{
	struct rusage usage;
	getrusage( RUSAGE_SELF, &usage );
	return (uint64_t)usage.ru_maxrss * 1024;
}
