// Number of threads of a stage. See threads.h.

#include "offline/base/threads.h"

#include "offline/base/arena.h"
#include "offline/base/system.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_threads = 1024,
};

static _Thread_local bool is_trying;

bool bvbase_is_trying_threads( void )
{
	return is_trying;
}

size_t bvbase_read_stack_size( const char* text )
{
	char* end;
	unsigned long long value = strtoull( text, &end, 10 );
	end += strspn( end, " \t" );
	char unit = (char)( *end | 0x20 );
	int shift = unit == 'b' ? 0 : unit == 'm' ? 20 : unit == 'g' ? 30 : 10;
	return value <= SIZE_MAX >> shift ? (size_t)value << shift : SIZE_MAX;
}

// Bytes that OpenMP gives to the stack of a thread.
static size_t find_stack_size( const pthread_attr_t* defaults )
{
	static const char* const names[] = { "OMP_STACKSIZE", "GOMP_STACKSIZE" };
	size_t size = 0;
	pthread_attr_getstacksize( defaults, &size );
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		const char* text = getenv( names[i] );
		size_t given = text ? bvbase_read_stack_size( text ) : 0;
		if ( given > 0 )
		{
			return given;
		}
	}
	return size;
}

// The most threads whose stacks take no more than a quarter of the address space that is left, where that is
// limited: the other memory grows once they are there, and they may be started anew then.
static int limit_by_memory( int count, size_t stack )
{
	enum
	{
		share = 4,
	};
	uint64_t left = bvbase_memory_left();
	if ( left == UINT64_MAX )
	{
		return count;
	}
	uint64_t most = left / share / ( stack > 0 ? stack : 1 );
	return most < (uint64_t)count ? (int)most : count;
}

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
	pthread_attr_t attributes;
	if ( count == 0 || pthread_attr_init( &attributes ) != 0 )
	{
		return 0;
	}
	size_t stack = find_stack_size( &attributes );
	count = limit_by_memory( count, stack );
	if ( pthread_attr_setstacksize( &attributes, stack ) != 0 )
	{
		pthread_attr_destroy( &attributes );
		pthread_attr_init( &attributes ); // OpenMP does not use what is too small either
	}
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	int started = 0;
	pthread_mutex_lock( &gate );
	is_trying = true;
	while ( started < count && pthread_create( &thread[started], &attributes, pass_gate, &gate ) == 0 )
	{
		started += 1;
	}
	is_trying = false;
	pthread_mutex_unlock( &gate );
	for ( int i = 0; i < started; ++i )
	{
		pthread_join( thread[i], NULL );
	}
	pthread_mutex_destroy( &gate );
	pthread_attr_destroy( &attributes );
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
