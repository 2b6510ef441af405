// How many threads a stage may use. See threads.h.

#include "base/offline/threads.h"

#include <omp.h>
#include <pthread.h>

enum
{
	most_threads = 1024,
};

// Held closed until all threads that can be started have been.
typedef struct gate
{
	pthread_mutex_t lock;
} gate;

static void* pass_gate( void* context )
{
	gate* g = context;
	pthread_mutex_lock( &g->lock );
	pthread_mutex_unlock( &g->lock );
	return NULL;
}

// Starts up to `count` threads that are alive at the same time. Returns how many there were.
static int try_threads( int count )
{
	pthread_t thread[most_threads];
	gate g;
	int started = 0;
	if ( pthread_mutex_init( &g.lock, NULL ) != 0 )
	{
		return 0;
	}
	pthread_mutex_lock( &g.lock );
	while ( started < count && pthread_create( &thread[started], NULL, pass_gate, &g ) == 0 )
	{
		started += 1;
	}
	pthread_mutex_unlock( &g.lock );
	for ( int i = 0; i < started; ++i )
	{
		pthread_join( thread[i], NULL );
	}
	pthread_mutex_destroy( &g.lock );
	return started;
}

int bvb_thread_team( uint32_t wanted )
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
