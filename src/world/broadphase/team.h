// The threads of an update, which belong to the caller.

#pragma once

#include "bvworld/broadphase.h"

/// Threads that run a task each at the same time.
typedef struct bvwphase_team
{
	const bvw_tasks* tasks; ///< null: the thread of the caller only
	uint32_t workers;       ///< at least 1
} bvwphase_team;

/// Runs task( data, k ) for all k below the number of workers, and returns when all have returned.
static inline void bvwphase_run( const bvwphase_team* team, void ( *task )( void* data, uint32_t worker ),
                                 void* data )
{
	if ( team->workers == 1 )
	{
		task( data, 0 );
		return;
	}
	void* started = team->tasks->start( team->tasks->context, task, data, team->workers );
	team->tasks->finish( team->tasks->context, started );
}

/// @return where the share of a worker begins, of a number of things; that of the next one begins where it ends
static inline uint32_t bvwphase_share( uint32_t count, uint32_t workers, uint32_t worker )
{
	return (uint32_t)( (uint64_t)count * worker / workers );
}
