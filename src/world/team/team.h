// Threads of the caller that share the work of a call.

#pragma once

#include "bvworld/broadphase.h"

/// Threads that run a task each at the same time.
typedef struct bvwteam_team
{
	const bvw_tasks* tasks; ///< null: the thread of the caller only
	uint32_t workers;       ///< at least 1
} bvwteam_team;

/// @param most  options.workers
/// @return whether tasks can be used; null can
static inline bool bvwteam_is_valid( const bvw_tasks* tasks, uint32_t most )
{
	return !tasks || ( tasks->start && tasks->finish && tasks->workers > 0 && tasks->workers <= most );
}

/// @param tasks  null: the thread of the caller only
static inline bvwteam_team bvwteam_of( const bvw_tasks* tasks )
{
	return ( bvwteam_team ){ tasks, tasks ? tasks->workers : 1 };
}

/// Runs task( data, k ) for all k below the number of workers, and returns when all have returned.
static inline void bvwteam_run( const bvwteam_team* team, void ( *task )( void* data, uint32_t worker ),
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
static inline uint32_t bvwteam_share( uint32_t count, uint32_t workers, uint32_t worker )
{
	return (uint32_t)( (uint64_t)count * worker / workers );
}
