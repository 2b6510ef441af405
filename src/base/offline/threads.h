// How many threads a stage may use.

#pragma once

#include <stdint.h>

/// The OpenMP runtime ends the process when it can't start a thread, so it must not be asked for more than
/// there can be: they are tried first.
/// @param wanted  0 means as many as there are processors, or fewer if OMP_NUM_THREADS says so
/// @return at least 1
int bvb_thread_team( uint32_t wanted );

/// A team that was tried; zeros for none.
typedef struct bvb_team
{
	uint32_t wanted; ///< what bvb_thread_team was asked for
	int threads;     ///< what it found
} bvb_team;

/// As bvb_thread_team, but what was tried for as many is not tried again: to start a thread and to wait for its end takes some 50
/// microseconds, as long as to build a tree of 500 triangles.
int bvb_thread_team_again( const bvb_team* tried, uint32_t wanted );

/// As bvb_thread_team, but only one where none are wanted and there is not much to do. Others would be started for less than that takes,
/// and then wait for more in a loop, which takes longer than all the work and is in the way of other programs.
/// @param work    triangles, nodes or whatever the stage goes through
/// @param enough  so many of them are worth another thread
int bvb_thread_team_for( uint32_t wanted, uint64_t work, uint64_t enough );

/// @return how many processors this process may use
int bvb_processor_count( void );

/// What bvb_thread_team takes for all there are, from now on, where none are wanted. For a process that shares them with others.
void bvb_limit_threads( int most );
