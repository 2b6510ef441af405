// Number of threads of a stage. See threads.h.

#include "offline/base/threads.h"

#include "offline/base/arena.h"

#include <omp.h>

enum
{
	most_threads = 1024,
};

// The lock is held until all threads that can be started have been.
static void* pass_gate( void* gate )
{
	pthread_mutex_lock( gate );
	pthread_mutex_unlock( gate );
	return NULL;
}

// Starts up to `count` threads that are alive at the same time. Returns how many there were.
static int try_threads( int count )
{
	pthread_t thread[most_threads];
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	int started = 0;
	pthread_mutex_lock( &gate );
	while ( started < count && pthread_create( &thread[started], NULL, pass_gate, &gate ) == 0 )
	{
		started += 1;
	}
	pthread_mutex_unlock( &gate );
	for ( int i = 0; i < started; ++i )
	{
		pthread_join( thread[i], NULL );
	}
	pthread_mutex_destroy( &gate );
	return started;
}

int bvbase_thread_team( uint32_t wanted )
{
	int processors = omp_get_num_procs();
	int allowed = omp_get_max_threads();
	int team = wanted > 0 ? (int)( wanted < most_threads ? wanted : most_threads )
	                      : ( processors < allowed ? processors : allowed );
	team = team < 1 ? 1 : team < most_threads ? team : most_threads;

	// Some of what was free a moment ago may be gone, so a team that had to be cut keeps a reserve.
	int started = 1 + try_threads( team - 1 );
	return started < team ? ( started + 1 ) / 2 : team;
}

int bvbase_thread_team_in( bvb_arena* arena, uint32_t wanted )
{
	bvbase_team* tried = bvbase_arena_team( arena );
	if ( tried->threads == 0 || tried->wanted != wanted || !pthread_equal( tried->caller, pthread_self() ) )
	{
		*tried = ( bvbase_team ){ wanted, bvbase_thread_team( wanted ), pthread_self() };
	}
	return tried->threads;
}

int bvbase_thread_team_for( bvb_arena* arena, uint32_t wanted, uint64_t work, uint64_t enough )
{
	return wanted == 0 && work < enough ? 1 : bvbase_thread_team_in( arena, wanted );
}

int bvbase_processor_count( void )
{
	return omp_get_num_procs();
}

void bvbase_limit_threads( int most )
{
	omp_set_num_threads( most );
}
