// Assimp in a forked child: its crashes, endless loops and appetite for memory end there. See assimp.h.
//
// The child applies its limits to itself, imports, flattens the scene and leaves it in an anonymous file. The
// parent waits as long as it may, and believes nothing of what it finds there. Of Assimp only what its
// library does when it is loaded runs in the parent: once, where each child would do it again.

#include "formats/assimp/assimp.h"

#include "formats/assimp/transport.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct assimp_child
{
	pid_t pid;
	int result; // anonymous file
	int alive;  // reads end-of-file when the child is gone
} assimp_child;

static bv_status start( const bvassimp_library* library, const char* path, const char* extension,
                        const bvb_import_options* options, assimp_child* out, bvb_error* error )
{
	int ends[2] = { -1, -1 };
	*out = ( assimp_child ){ .pid = -1, .result = memfd_create( "bvbuild-import", MFD_CLOEXEC ) };
	if ( out->result >= 0 && pipe2( ends, O_CLOEXEC ) == 0 )
	{
		pid_t parent = getpid();
		sigset_t all;
		sigset_t before;
		sigfillset( &all );
		pthread_sigmask( SIG_SETMASK, &all, &before );
		out->pid = fork();
		if ( out->pid == 0 )
		{
			bvassimp_child( library, path, extension, options, out->result, ends[1], parent );
		}
		int reason = errno;
		pthread_sigmask( SIG_SETMASK, &before, NULL );
		errno = reason;
	}
	int reason = errno;
	if ( ends[1] >= 0 )
	{
		close( ends[1] );
	}
	out->alive = ends[0];
	if ( out->pid > 0 )
	{
		return bv_ok;
	}
	if ( ends[0] >= 0 )
	{
		close( ends[0] );
	}
	if ( out->result >= 0 )
	{
		close( out->result );
	}
	return bvbase_fail( error, bv_error_memory, "%s: cannot start the importer: %s", path,
	                    strerror( reason ) );
}

static void kill_and_reap( pid_t pid )
{
	kill( pid, SIGKILL );
	while ( waitpid( pid, NULL, 0 ) < 0 && errno == EINTR )
	{
	}
}

typedef enum ending
{
	ending_known,
	ending_unknown, // somebody else reaped the child
	ending_timeout,
} ending;

static ending wait_for( const assimp_child* c, double timeout, int* status )
{
	double deadline = bvbase_clock() + timeout;
	struct pollfd alive = { .fd = c->alive, .events = POLLIN };
	for ( ;; )
	{
		pid_t pid = waitpid( c->pid, status, WNOHANG );
		if ( pid == c->pid )
		{
			return ending_known;
		}
		if ( pid < 0 && errno != EINTR )
		{
			return ending_unknown;
		}
		double left = deadline - bvbase_clock();
		if ( !( left > 0 ) )
		{
			kill_and_reap( c->pid );
			return ending_timeout;
		}

		// Its end of the pipe closes a moment before the child can be reaped.
		int milliseconds = alive.fd < 0 ? 1 : (int)fmin( ceil( 1e3 * left ), 1e6 );
		if ( poll( &alive, 1, milliseconds ) > 0 )
		{
			alive.fd = -1;
		}
	}
}

static bv_status fail_timeout( const char* path, double timeout, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input,
	                    "%s: the importer exceeded the time limit of %g s (raise it with --import-timeout)",
	                    path, timeout );
}

bv_status bvassimp_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                                bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	assimp_child c;
	bvassimp_library library;
	if ( !bvassimp_load( &library ) )
	{
		return bvbase_fail( error, bv_error_unsupported,
		                    "%s: .%s is read by Assimp, which cannot be loaded: %s", path, extension,
		                    bvassimp_load_error() );
	}
	bv_status status = start( &library, path, extension, options, &c, error );
	if ( status != bv_ok )
	{
		return status;
	}
	int how = 0;
	ending end = wait_for( &c, options->timeout, &how );
	close( c.alive );

	if ( end == ending_timeout ||
	     ( end == ending_known && WIFSIGNALED( how ) && WTERMSIG( how ) == SIGXCPU ) )
	{
		status = fail_timeout( path, options->timeout, error );
	}
	else if ( end == ending_unknown || ( WIFEXITED( how ) && WEXITSTATUS( how ) == bvassimp_exit_reported ) )
	{
		status = bvassimp_take( path, extension, c.result, arena, out, error );
	}
	else if ( WIFSIGNALED( how ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: the importer crashed (signal %d)", path,
		                      WTERMSIG( how ) );
	}
	else if ( WEXITSTATUS( how ) == bvassimp_exit_out_of_memory )
	{
		status = bvbase_fail( error, bv_error_input, "%s: the importer ran out of memory (limit %g MiB)",
		                      path, (double)options->memory_bytes / 1048576 );
	}
	else
	{
		status = bvbase_fail( error, bv_error_input, "%s: the importer crashed (exit status %d)", path,
		                      WEXITSTATUS( how ) );
	}
	close( c.result );
	return status;
}
