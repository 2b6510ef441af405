// Threads that wait for others do so asleep, and have enough stack.
//
// OpenMP's threads wait for their next task in a loop for some milliseconds, as on a machine of their own;
// beside other programs, or more threads than processors, they take these from those that work. Its runtimes
// read what they are to do from the environment: libgomp when it is initialized, so that the tools link it as
// an archive, whose constructors come behind this one; LLVM's when it is first used. What the user has set
// stays, except a stack that is too small: it would end the program with a signal.

#include "offline/base/system.h"
#include "offline/base/threads.h"

#include <stdlib.h>

enum
{
	least_stack = 2 << 20,
};

__attribute__( ( constructor( 101 ) ) ) static void wait_asleep( void )
{
	if ( !getenv( "OMP_WAIT_POLICY" ) && !getenv( "GOMP_SPINCOUNT" ) && !getenv( "KMP_BLOCKTIME" ) )
	{
		bvbase_environment_set( "OMP_WAIT_POLICY", "passive" );

		// Between two loops it is not worth to fall asleep: some 20 microseconds of pauses.
		bvbase_environment_set( "GOMP_SPINCOUNT", "1000" );
	}
	static const char* const stacks[] = { "OMP_STACKSIZE", "GOMP_STACKSIZE" };
	for ( size_t i = 0; i < sizeof stacks / sizeof *stacks; ++i )
	{
		const char* set = getenv( stacks[i] );
		if ( set && bvbase_read_stack_size( set ) < least_stack )
		{
			bvbase_environment_set( stacks[i], NULL );
		}
	}
}
