// POSIX: tasks in forked children with limits, and workers. See system.h.
//
// A worker is forked once and given one number after the other. It answers with a byte; what else there is to
// say stands in memory that it shares, and what it prints goes to a file in memory that is its standard error.
// So nothing that a process leaves half done when it dies can be taken for something else.

#include "offline/base/clock.h"
#include "offline/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
	exit_unable = 3, // a child cannot limit itself
};

// ---- Tasks ----

static void lower_limit( __rlimit_resource_t which, rlim_t soft, rlim_t hard )
{
	struct rlimit limit;
	if ( getrlimit( which, &limit ) == 0 )
	{
		limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
		limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
		setrlimit( which, &limit );
	}
}

static void limit_memory( uint64_t bytes )
{
	if ( bytes == UINT64_MAX )
	{
		return;
	}
	unsigned long long pages = 0;
	FILE* file = fopen( "/proc/self/statm", "re" );
	if ( file )
	{
		if ( fscanf( file, "%llu", &pages ) != 1 )
		{
			pages = 0;
		}
		fclose( file );
	}
	uint64_t mapped = pages * (uint64_t)sysconf( _SC_PAGESIZE );
	if ( bytes < RLIM_INFINITY - mapped )
	{
		lower_limit( RLIMIT_AS, mapped + bytes, mapped + bytes );
	}
}

// Other threads' files and pipes stay open as long as any process holds them, so the child keeps only its own
// two.
static int keep_only( int result, int alive )
{
	int first = fcntl( result, F_DUPFD_CLOEXEC, 3 );
	int second = fcntl( alive, F_DUPFD_CLOEXEC, 3 );
	int quiet = open( "/dev/null", O_RDWR );
	if ( first < 0 || second < 0 || quiet < 0 )
	{
		_exit( exit_unable );
	}
	for ( int i = 0; i < 3; ++i )
	{
		dup2( quiet, i );
	}
	unsigned low = (unsigned)( first < second ? first : second );
	unsigned high = (unsigned)( first < second ? second : first );
	if ( low > 3 )
	{
		close_range( 3, low - 1, 0 );
	}
	if ( high > low + 1 )
	{
		close_range( low + 1, high - 1, 0 );
	}
	close_range( high + 1, ~0u, 0 );
	return first;
}

// Called with all signals blocked, so that no handler of the parent runs in the child.
static void isolate( const bvbase_limits* limits, pid_t parent )
{
	for ( int i = 1; i < NSIG; ++i )
	{
		signal( i, SIG_DFL );
	}
	sigset_t none;
	sigemptyset( &none );
	sigprocmask( SIG_SETMASK, &none, NULL );

	prctl( PR_SET_PDEATHSIG, SIGKILL );
	if ( getppid() != parent )
	{
		_exit( exit_unable );
	}

	rlim_t seconds = (rlim_t)ceil( fmin( limits->seconds, 1e9 ) );
	lower_limit( RLIMIT_CPU, seconds, seconds + 1 );
	lower_limit( RLIMIT_CORE, 0, 0 );
	limit_memory( limits->memory_bytes );

	// A core pattern that is a pipe ignores the limit.
	prctl( PR_SET_DUMPABLE, 0 );
}

void bvbase_task_serve( int count, char** arguments, const bvbase_task* const* tasks, size_t task_count )
{
	(void)count;
	(void)arguments;
	(void)tasks;
	(void)task_count;
}

bool bvbase_child_start( const bvbase_task* task, const void* request, size_t size,
                         const bvbase_limits* limits, bvbase_child* out )
{
	int ends[2] = { -1, -1 };
	*out = ( bvbase_child ){ .process = -1, .result = memfd_create( "bvbuild-import", MFD_CLOEXEC ) };
	if ( out->result >= 0 && pipe2( ends, O_CLOEXEC ) == 0 )
	{
		pid_t parent = getpid();
		sigset_t all;
		sigset_t before;
		sigfillset( &all );
		pthread_sigmask( SIG_SETMASK, &all, &before );
		out->process = fork();
		if ( out->process == 0 )
		{
			int result = keep_only( out->result, ends[1] );
			isolate( limits, parent );
			task->run( request, size, result );
			_exit( exit_unable );
		}
		int reason = errno;
		pthread_sigmask( SIG_SETMASK, &before, NULL );
		errno = reason;
	}
	int reason = errno;
	bvbase_file_close( ends[1] );
	out->alive = ends[0];
	if ( out->process <= 0 )
	{
		bvbase_file_close( ends[0] );
		bvbase_file_close( out->result );
		errno = reason;
	}
	return out->process > 0;
}

static void kill_and_reap( pid_t pid )
{
	kill( pid, SIGKILL );
	while ( waitpid( pid, NULL, 0 ) < 0 && errno == EINTR )
	{
	}
}

// @param status  of waitpid
static bvbase_ending tell_ending( int status, int* code )
{
	*code = WIFSIGNALED( status ) ? WTERMSIG( status ) : WEXITSTATUS( status );
	return WIFSIGNALED( status ) ? bvbase_ending_crash : bvbase_ending_exit;
}

static bvbase_ending wait_for( const bvbase_child* c, double timeout, int* code )
{
	double deadline = bvbase_clock() + timeout;
	struct pollfd alive = { .fd = c->alive, .events = POLLIN };
	for ( ;; )
	{
		int status;
		pid_t pid = waitpid( (pid_t)c->process, &status, WNOHANG );
		if ( pid == c->process )
		{
			bvbase_ending how = tell_ending( status, code );
			return how == bvbase_ending_crash && *code == SIGXCPU ? bvbase_ending_timeout : how;
		}
		if ( pid < 0 && errno != EINTR )
		{
			return bvbase_ending_unknown;
		}
		double left = deadline - bvbase_clock();
		if ( !( left > 0 ) )
		{
			kill_and_reap( (pid_t)c->process );
			return bvbase_ending_timeout;
		}

		// Its end of the pipe closes a moment before the child can be reaped.
		int milliseconds = alive.fd < 0 ? 1 : (int)fmin( ceil( 1e3 * left ), 1e6 );
		if ( poll( &alive, 1, milliseconds ) > 0 )
		{
			alive.fd = -1;
		}
	}
}

bvbase_ending bvbase_child_wait( bvbase_child* child, double timeout, int* code )
{
	*code = 0;
	bvbase_ending how = wait_for( child, timeout, code );
	close( child->alive );
	return how;
}

void bvbase_child_close( bvbase_child* child )
{
	close( child->result );
}

const char* bvbase_ending_describe( int code, char out[80] )
{
	snprintf( out, 80, "signal %d", code );
	return out;
}

const char* bvbase_ending_name( int code )
{
	return strsignal( code );
}

// ---- Workers ----

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

enum
{
	ending_count = sizeof ending_signals / sizeof *ending_signals,
};

// A signal handler can tell the program nothing but through such a variable.
static volatile sig_atomic_t ended_by;

static void note_end( int number )
{
	ended_by = number;
}

// Of a crew.
typedef struct crew_state
{
	sigset_t before;
	struct sigaction dispositions[ending_count];
	struct pollfd polled[];
} crew_state;

bvbase_post* bvbase_post_of_this_process( void )
{
	return NULL;
}

bool bvbase_post_next( bvbase_post* post, int* order )
{
	return recv( (int)post->channel, order, sizeof *order, 0 ) == sizeof *order;
}

bool bvbase_post_answer( bvbase_post* post )
{
	char answer = 0;
	return send( (int)post->channel, &answer, 1, MSG_NOSIGNAL ) == 1;
}

static void close_worker( bvbase_worker* v )
{
	close( (int)v->channel );
	v->process = 0;
}

// From here to restore_signals those that end this process are only noticed while it waits.
static void hold_signals( crew_state* s )
{
	sigset_t held;
	struct sigaction note = { .sa_handler = note_end };
	sigemptyset( &held );
	sigemptyset( &note.sa_mask );
	ended_by = 0;
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaddset( &held, ending_signals[i] );
	}
	sigprocmask( SIG_BLOCK, &held, &s->before );
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], NULL, &s->dispositions[i] );
		if ( s->dispositions[i].sa_handler != SIG_IGN )
		{
			sigaction( ending_signals[i], &note, NULL );
		}
	}
}

static void restore_signals( const crew_state* s )
{
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], &s->dispositions[i], NULL );
	}
	if ( ended_by )
	{
		raise( ended_by );
	}
	sigprocmask( SIG_SETMASK, &s->before, NULL );
}

static bool make_workers( bvbase_crew* crew )
{
	size_t count = (size_t)crew->count;
	void* shared =
		mmap( NULL, count * crew->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0 );
	if ( shared == MAP_FAILED )
	{
		crew->count = 0;
		return false;
	}
	for ( int i = 0; i < crew->room; ++i )
	{
		crew->workers[i] =
			( bvbase_worker ){ .printed = -1, .shared = (char*)shared + (size_t)i * crew->bytes };
	}
	for ( int i = 0; i < crew->count; ++i )
	{
		int file = memfd_create( "bvbuild", MFD_CLOEXEC );
		crew->workers[i].printed = file;
		if ( file < 0 || fcntl( file, F_SETFL, O_APPEND ) != 0 )
		{
			// With fewer open files than that wants, fewer processes do it, too.
			bvbase_file_close( file );
			crew->workers[i].printed = -1;
			crew->count = i / 2;
		}
	}
	return true;
}

bool bvbase_crew_begin( bvbase_crew* crew, int count, size_t bytes )
{
	crew_state* s = calloc( 1, sizeof *s + (size_t)count * sizeof *s->polled );
	*crew = ( bvbase_crew ){ .workers = calloc( (size_t)count, sizeof *crew->workers ),
		                     .count = count,
		                     .room = count,
		                     .bytes = bytes,
		                     .state = s };
	if ( !s || !crew->workers || !make_workers( crew ) )
	{
		bvbase_crew_free( crew );
		return false;
	}
	hold_signals( s );
	return true;
}

// What the process does that is one of the crew.
static _Noreturn void be_worker( bvbase_crew* crew, int own, int channel, pid_t parent, bvbase_serve* serve,
                                 void* context )
{
	const crew_state* s = crew->state;
	for ( int i = 0; i < crew->count; ++i )
	{
		if ( i != own && crew->workers[i].process )
		{
			close_worker( crew->workers + i );
		}
	}
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], &s->dispositions[i], NULL );
	}
	sigprocmask( SIG_SETMASK, &s->before, NULL );
	prctl( PR_SET_PDEATHSIG, SIGTERM );
	if ( getppid() != parent || dup2( crew->workers[own].printed, STDERR_FILENO ) < 0 )
	{
		_exit( 70 );
	}
	serve( context, &( bvbase_post ){ .channel = channel, .shared = crew->workers[own].shared } );
	_exit( 0 );
}

bool bvbase_crew_start( bvbase_crew* crew, int worker, bvbase_serve* serve, void* context )
{
	int ends[2];
	bvbase_worker* v = crew->workers + worker;
	pid_t parent = getpid();
	if ( socketpair( AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends ) != 0 )
	{
		return false;
	}
	fflush( NULL );
	pid_t pid = fork();
	if ( pid == 0 )
	{
		close( ends[0] );
		be_worker( crew, worker, ends[1], parent, serve, context );
	}
	int reason = errno;
	close( ends[1] );
	v->process = pid;
	v->channel = ends[0];
	if ( pid < 0 )
	{
		close_worker( v );
		errno = reason;
	}
	return pid > 0;
}

bool bvbase_crew_order( bvbase_crew* crew, int worker, int order )
{
	return send( (int)crew->workers[worker].channel, &order, sizeof order, MSG_NOSIGNAL ) == sizeof order;
}

void bvbase_crew_wait( bvbase_crew* crew, bool* heard )
{
	crew_state* s = crew->state;
	for ( int i = 0; i < crew->count; ++i )
	{
		const bvbase_worker* v = crew->workers + i;
		s->polled[i] = ( struct pollfd ){ v->process ? (int)v->channel : -1, POLLIN, 0 };
	}
	bool any = ppoll( s->polled, (nfds_t)crew->count, NULL, &s->before ) > 0;
	for ( int i = 0; i < crew->count; ++i )
	{
		heard[i] = any && s->polled[i].revents != 0;
	}
}

bool bvbase_crew_take_answer( bvbase_crew* crew, int worker )
{
	char answer;
	return recv( (int)crew->workers[worker].channel, &answer, 1, 0 ) == 1;
}

// A signal that waits to be noticed.
static void find_pending( const crew_state* s )
{
	sigset_t pending;
	sigpending( &pending );
	for ( int i = 0; i < ending_count; ++i )
	{
		if ( s->dispositions[i].sa_handler != SIG_IGN && sigismember( &pending, ending_signals[i] ) )
		{
			ended_by = ending_signals[i];
		}
	}
}

bvbase_ending bvbase_crew_bury( bvbase_crew* crew, int worker, int* code )
{
	int how = 0;
	bvbase_worker* v = crew->workers + worker;
	while ( waitpid( (pid_t)v->process, &how, 0 ) < 0 && errno == EINTR )
	{
	}
	close_worker( v );

	// A terminal's signal goes to all, and the process may have heard of it first.
	find_pending( crew->state );
	bvbase_ending ending = tell_ending( how, code );
	return ending == bvbase_ending_crash && *code == SIGKILL ? bvbase_ending_memory : ending;
}

bool bvbase_crew_is_ended( const bvbase_crew* crew )
{
	(void)crew;
	return ended_by;
}

void bvbase_crew_dismiss( bvbase_crew* crew, bool hurry )
{
	for ( int i = 0; i < crew->count; ++i )
	{
		bvbase_worker* v = crew->workers + i;
		if ( v->process && hurry )
		{
			// One that is stopped gets the signal only once it goes on.
			kill( (pid_t)v->process, SIGTERM );
			kill( (pid_t)v->process, SIGCONT );
		}
		if ( v->process )
		{
			close( (int)v->channel );
		}
	}

	// This process may have children that are not ours.
	for ( int i = 0; i < crew->count; ++i )
	{
		bvbase_worker* v = crew->workers + i;
		while ( v->process && waitpid( (pid_t)v->process, NULL, 0 ) < 0 && errno == EINTR )
		{
		}
		v->process = 0;
	}
}

void bvbase_crew_end( bvbase_crew* crew )
{
	restore_signals( crew->state );
}

void bvbase_crew_free( bvbase_crew* crew )
{
	for ( int i = 0; crew->workers && i < crew->room; ++i )
	{
		bvbase_file_close( crew->workers[i].shared ? crew->workers[i].printed : -1 );
	}
	if ( crew->workers && crew->workers[0].shared )
	{
		munmap( crew->workers[0].shared, (size_t)crew->room * crew->bytes );
	}
	free( crew->workers );
	free( crew->state );
	*crew = ( bvbase_crew ){ 0 };
}
