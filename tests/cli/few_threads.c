// A library to be loaded before others: no more than MOST threads besides the first are alive at a time.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct start
{
	void* ( *run )( void* );
	void* argument;
} start;

static atomic_int alive;

static void end( void* given )
{
	free( given );
	--alive;
}

static void* run( void* given )
{
	start s = *(start*)given;
	void* result;
	pthread_cleanup_push( end, given );
	result = s.run( s.argument );
	pthread_cleanup_pop( 1 );
	return result;
}

int pthread_create( pthread_t* thread, const pthread_attr_t* attributes, void* ( *what )(void*),
                    void* argument )
{
	int ( *real )( pthread_t*, const pthread_attr_t*, void* (*)(void*), void* );
	*(void**)&real = dlsym( RTLD_NEXT, "pthread_create" );
	const char* most = getenv( "MOST" );
	start* s = alive < ( most ? atoi( most ) : 0 ) ? malloc( sizeof *s ) : NULL;
	if ( !s )
	{
		return EAGAIN;
	}
	*s = ( start ){ what, argument };
	++alive;
	int failed = real( thread, attributes, run, s );
	if ( failed )
	{
		end( s );
	}
	return failed;
}
