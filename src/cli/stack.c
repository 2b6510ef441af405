// Runs the program with enough stack, whatever `ulimit -s` is. See stack.h.
//
// Builds have stack frames of about 100 kB, and some shells and services limit stacks to 128 kB.

#include "cli/stack.h"

#include "cli/options.h"
#include "offline/base/system.h"

#include <stdio.h>

int run_on_large_stack( const char* name, stack_run* run, void* context )
{
	int result = exit_memory;
	size_t bytes;
	if ( !bvbase_run_on_large_stack( run, context, &result, &bytes ) )
	{
		fprintf( stderr, "%s: out of memory: no stack of %zu MiB\n", name, bytes >> 20 );
		return exit_memory;
	}
	return result;
}
