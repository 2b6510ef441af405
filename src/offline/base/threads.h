// Number of threads that a stage may use.

#pragma once

#include "bvbuild/base.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/// The OpenMP runtime ends the process when it can't start a thread, so it must not be asked for more than
/// there can be: they are tried first.
/// @param wanted  0 means as many as there are processors, or fewer if OMP_NUM_THREADS says so
/// @return at least 1
int bvbase_thread_team( uint32_t wanted );

/// @param text  as OMP_STACKSIZE has it: 512 or 512k, 8M
/// @return bytes; 0 if it is no size
size_t bvbase_read_stack_size( const char* text );

/// @return whether bvbase_thread_team is trying threads of the calling one, which is to fail at once then
bool bvbase_is_trying_threads( void );

/// What bvbase_thread_team found for whom; zeros for nothing.
typedef struct bvbase_team
{
	uint32_t wanted;  ///< what was asked for
	int threads;      ///< how many there were
	pthread_t caller; ///< whose threads these are: OpenMP keeps them for it
} bvbase_team;

/// As bvbase_thread_team, but what the calling thread has tried with this arena, or with the one that it is
/// scratch of, is not tried again. To start a thread and to wait for its end takes some 50 microseconds, and
/// milliseconds beside other programs.
int bvbase_thread_team_in( bvb_arena* arena, uint32_t wanted );

/// As bvbase_thread_team_in, but only one where none are wanted and there is not much to do. Others would be
/// started for less than that takes, and then wait for more in a loop, which takes longer than all the work
/// and is in the way of other programs.
/// @param work    triangles, nodes or whatever the stage goes through
/// @param enough  so many of them are worth another thread
int bvbase_thread_team_for( bvb_arena* arena, uint32_t wanted, uint64_t work, uint64_t enough );

/// @return how many processors this process may use
int bvbase_processor_count( void );

/// What bvbase_thread_team takes for all there are, from now on, where none are wanted. For a process that
/// shares them with others.
void bvbase_limit_threads( int most );
