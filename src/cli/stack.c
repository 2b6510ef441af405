// Runs the program with enough stack, whatever `ulimit -s` is. See stack.h.
//
// Builds have stack frames of about 100 kB, and some shells and services limit stacks to 128 kB. The kernel
// kills a program whose stack exceeds the limit, without a message. The same happens if address space is
// limited and the stack must grow when none is left. The stack of a thread reserves its address space at the
// start.

#include "cli/stack.h"

#include "cli/options.h"
#include "offline/base/error.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

enum
{
	stack_bytes = 8 << 20,
	least_stack_bytes = 2 << 20, // where address space is limited
};

typedef struct stack_call
{
	stack_run* run;
	void* context;
	sigset_t signals;
	int result;
} stack_call;

static void* run_call( void* context )
{
	stack_call* call = context;
	pthread_sigmask( SIG_SETMASK, &call->signals, NULL );
	call->result = call->run( call->context );
	return NULL;
}

int run_on_large_stack( const char* name, stack_run* run, void* context )
{
	struct rlimit limit;
	bool small = getrlimit( RLIMIT_STACK, &limit ) == 0 && limit.rlim_cur < stack_bytes;
	bool tight = getrlimit( RLIMIT_AS, &limit ) == 0 && limit.rlim_cur != RLIM_INFINITY;
	if ( !small && !tight )
	{
		return run( context );
	}
	size_t bytes = tight ? least_stack_bytes : stack_bytes;
	if ( tight )
	{
		// Each further arena of malloc would take 64 MiB of it.
		mallopt( M_ARENA_MAX, 1 );
	}
	stack_call call = { .run = run, .context = context, .result = exit_memory };
	pthread_t thread;
	pthread_attr_t attributes;
	sigset_t all;
	int failed = pthread_attr_init( &attributes );
	failed = failed ? failed : pthread_attr_setstacksize( &attributes, bytes );
	failed = failed ? failed : pthread_setattr_default_np( &attributes );
	if ( !failed )
	{
		// This thread only waits: signals are the other one's, as if it were the only one.
		sigfillset( &all );
		pthread_sigmask( SIG_BLOCK, &all, &call.signals );
		failed = pthread_create( &thread, &attributes, run_call, &call );
	}
	if ( failed )
	{
		fprintf( stderr, "%s: out of memory: no stack of %zu MiB\n", name, bytes >> 20 );
		return exit_memory;
	}
	pthread_join( thread, NULL );
	return call.result;
}
