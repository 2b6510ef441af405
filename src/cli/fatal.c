// Ends the program if the OpenMP runtime runs out of threads or memory. See fatal.h.
//
// bvbase_thread_team tries to start threads before OpenMP does, but other programs may take the last ones in
// between, and memory can run out at any time. GCC's runtime then prints two lines and exits with 1, which is
// the code of a usage error. The tools are linked with the runtime as an archive and with --wrap, so that
// it calls the functions here instead.

#include "cli/fatal.h"

#include "cli/options.h"
#include "offline/base/system.h"
#include "offline/base/threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool wordless;

void end_without_words( void )
{
	wordless = true;
}

_Noreturn void __wrap_gomp_fatal( const char* format, ... );
int __real_pthread_create( pthread_t* thread, const pthread_attr_t* attributes, void* ( *run )(void*),
                           void* argument );
int __wrap_pthread_create( pthread_t* thread, const pthread_attr_t* attributes, void* ( *run )(void*),
                           void* argument );

// Threads that OpenMP has just ended may still count.
int __wrap_pthread_create( pthread_t* thread, const pthread_attr_t* attributes, void* ( *run )(void*),
                           void* argument )
{
	enum
	{
		most_tries = 100,
	};
	int result = __real_pthread_create( thread, attributes, run, argument );
	for ( int i = 0; result == EAGAIN && i < most_tries && !bvbase_is_trying_threads(); ++i )
	{
		bvbase_sleep( 0.001 );
		result = __real_pthread_create( thread, attributes, run, argument );
	}
	return result;
}

_Noreturn void __wrap_gomp_fatal( const char* format, ... )
{
	char reason[160];
	char line[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( reason, sizeof reason, format, arguments );
	va_end( arguments );
	int length = snprintf( line, sizeof line, "%s: out of memory or threads (OpenMP: %s)\n",
	                       bvbase_program_name(), reason );

	// Other threads may hold locks of stdio.
	bool written = wordless || bvbase_file_write( 2, line, (size_t)length ) == length;
	(void)written;
	bvbase_program_leave( exit_memory );
}
