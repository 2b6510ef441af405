// Runs work that may never end in a process of its own with a limit on its CPU time. In C and in C++.

#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// How work in a child ended.
typedef enum outcome
{
	outcome_done,
	outcome_out_of_time,
	outcome_failed,
} outcome;

// Runs `work`, which finds its input where it is now.
// @param seconds  of processor time
// @param result   receives what the child wrote to its own
static inline outcome run_in_child( unsigned seconds, void ( *work )( const void* input, void* result ),
                                    const void* input, void* result, size_t size )
{
	int end[2];
	fflush( NULL );
	if ( pipe( end ) != 0 )
	{
		return outcome_failed;
	}
	pid_t child = fork();
	if ( child == 0 )
	{
		struct rlimit time = { seconds, seconds + 1 };
		struct rlimit core = { 0, 0 };
		setrlimit( RLIMIT_CPU, &time );
		setrlimit( RLIMIT_CORE, &core );
		work( input, result );
		_exit( write( end[1], result, size ) == (ssize_t)size ? 0 : 1 );
	}
	close( end[1] );
	bool whole = child > 0 && read( end[0], result, size ) == (ssize_t)size;
	close( end[0] );
	int status = 0;
	bool ended = child > 0 && waitpid( child, &status, 0 ) == child;
	if ( ended && WIFSIGNALED( status ) && WTERMSIG( status ) == SIGXCPU )
	{
		return outcome_out_of_time;
	}
	return ended && whole && status == 0 ? outcome_done : outcome_failed;
}
