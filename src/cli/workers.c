// Several inputs at once. See workers.h.
//
// Each process is forked once and given the number of an input after the other. It answers with a byte; what
// else there is to say stands in memory that it shares, and what it prints goes to a file in memory that is
// its standard error. So nothing that a process leaves half done when it dies can be taken for something
// else.

#include "cli/workers.h"

#include "cli/fatal.h"
#include "cli/progress.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

enum
{
	ending_count = sizeof ending_signals / sizeof *ending_signals,
	nothing = -1,
};

// A signal handler can tell the program nothing but through such a variable.
static volatile sig_atomic_t ended_by;

static void note_end( int number )
{
	ended_by = number;
}

typedef struct cli_worker
{
	pid_t pid;            // 0: none is running
	int channel;          // to it: numbers of inputs; from it: a byte each
	int printed;          // what it printed about its input
	int index;            // of its input, or nothing
	asset_result* result; // shared with it
} cli_worker;

// Of an input that is done, until all before it are told of.
typedef struct told_later
{
	bool done;
	asset_result* result;
	char* text; // what was printed about it
	size_t size;
} told_later;

typedef struct team
{
	const work* w;
	int jobs; // processes at most
	cli_worker* workers;
	asset_result* results; // of the workers, shared with them
	struct pollfd* polled;
	told_later* inputs;
	int next;   // input to be begun
	int told;   // inputs that were told of
	int done;   // inputs that are done
	int failed; // of these
	sigset_t before;
	struct sigaction dispositions[ending_count];
} team;

static void close_worker( cli_worker* v )
{
	close( v->channel );
	v->pid = 0;
}

// What the process does that is one of the team.
static _Noreturn void serve( team* t, cli_worker* v, int channel, pid_t parent )
{
	for ( int i = 0; i < t->jobs; ++i )
	{
		cli_worker* other = t->workers + i;
		if ( other != v && other->pid )
		{
			close_worker( other );
		}
	}
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], &t->dispositions[i], NULL );
	}
	sigprocmask( SIG_SETMASK, &t->before, NULL );
	prctl( PR_SET_PDEATHSIG, SIGTERM );
	if ( getppid() != parent || dup2( v->printed, STDERR_FILENO ) < 0 )
	{
		_exit( exit_bug );
	}
	run_state own = { .plan = t->w->run->plan, .arena = t->w->run->arena };
	int index;
	bvbase_limit_threads( t->w->threads );
	end_without_words();
	while ( recv( channel, &index, sizeof index, 0 ) == sizeof index )
	{
		build_input( &own, index, v->result );
		fflush( NULL );
		char answer = 0;
		if ( send( channel, &answer, 1, MSG_NOSIGNAL ) != 1 )
		{
			break;
		}
	}
	_exit( exit_done );
}

static bool start( team* t, cli_worker* v )
{
	int ends[2];
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
		serve( t, v, ends[1], parent );
	}
	int reason = errno;
	close( ends[1] );
	*v = ( cli_worker ){ pid, ends[0], v->printed, nothing, v->result };
	if ( pid < 0 )
	{
		close_worker( v );
		errno = reason;
	}
	return pid > 0;
}

// Takes over what a process printed about its input.
static void take_text( cli_worker* v, told_later* input )
{
	off_t size = lseek( v->printed, 0, SEEK_END );
	input->text = size > 0 ? malloc( (size_t)size ) : NULL;
	ssize_t count = input->text ? pread( v->printed, input->text, (size_t)size, 0 ) : 0;
	input->size = count > 0 ? (size_t)count : 0;
	bool emptied = ftruncate( v->printed, 0 ) == 0;
	(void)emptied; // files in memory can be made shorter
}

static void tell_in_order( team* t )
{
	const work* w = t->w;
	while ( t->told < w->run->plan->count && t->inputs[t->told].done )
	{
		told_later* input = t->inputs + t->told;
		if ( input->size > 0 )
		{
			hide_progress( w->run->told );
			fwrite( input->text, 1, input->size, stderr );
		}
		w->done( w->context, t->told, input->result );
		free( input->text );
		free( input->result );
		*input = ( told_later ){ .done = true };
		t->told += 1;
	}
}

static void finish_input( team* t, cli_worker* v )
{
	told_later* input = t->inputs + v->index;
	*input->result = *v->result;
	take_text( v, input );
	input->done = true;
	t->done += 1;
	t->failed += input->result->code != exit_done;
	v->index = nothing;
}

// A signal that waits to be noticed.
static void find_pending( const team* t )
{
	sigset_t pending;
	sigpending( &pending );
	for ( int i = 0; i < ending_count; ++i )
	{
		if ( t->dispositions[i].sa_handler != SIG_IGN && sigismember( &pending, ending_signals[i] ) )
		{
			ended_by = ending_signals[i];
		}
	}
}

// The process has died: by itself, or something has killed it.
static void bury( team* t, cli_worker* v )
{
	int how = 0;
	while ( waitpid( v->pid, &how, 0 ) < 0 && errno == EINTR )
	{
	}
	close_worker( v );

	// A terminal's signal goes to all, and the process may have heard of it first.
	find_pending( t );
	if ( v->index == nothing || ended_by )
	{
		v->index = nothing;
		return;
	}
	const char* input = t->w->run->plan->assets[v->index].input;
	asset_result* r = v->result;
	*r = ( asset_result ){ .what = outcome_failed, .code = exit_bug };
	if ( WIFSIGNALED( how ) && WTERMSIG( how ) == SIGKILL )
	{
		r->code = exit_memory;
		bvbase_fail( &r->error, bv_error_memory,
		             "%s: the worker process was killed, probably because memory ran out", input );
	}
	else if ( WIFEXITED( how ) && WEXITSTATUS( how ) == exit_memory )
	{
		r->code = exit_memory;
		bvbase_fail( &r->error, bv_error_memory, "%s: out of memory or threads", input );
	}
	else if ( WIFSIGNALED( how ) )
	{
		bvbase_fail( &r->error, bv_error_internal, "%s: the worker process died of signal %d (%s)", input,
		             WTERMSIG( how ), strsignal( WTERMSIG( how ) ) );
	}
	else
	{
		bvbase_fail( &r->error, bv_error_internal, "%s: the worker process ended early, with code %d", input,
		             WEXITSTATUS( how ) );
	}
	char line[sizeof r->error.message + 64];
	int length = snprintf( line, sizeof line, "%s: %s\n", t->w->run->plan->assets[v->index].s->tool->name,
	                       r->error.message );
	ssize_t written = write( v->printed, line, (size_t)length );
	(void)written; // the result says it too
	finish_input( t, v );
}

static bool may_begin( const team* t )
{
	return t->next < t->w->run->plan->count && ( t->w->keep_going || t->failed == 0 );
}

// @return false when there is no process, and can be none
static bool begin_inputs( team* t )
{
	bool any = false;
	for ( int i = 0; i < t->jobs; ++i )
	{
		cli_worker* v = t->workers + i;
		if ( may_begin( t ) && v->index == nothing && ( v->pid || start( t, v ) ) )
		{
			t->inputs[t->next].result = calloc( 1, sizeof( asset_result ) );
			if ( !t->inputs[t->next].result )
			{
				return false;
			}
			v->index = t->next++;
			*v->result = ( asset_result ){ .what = outcome_failed };
			if ( send( v->channel, &v->index, sizeof v->index, MSG_NOSIGNAL ) != sizeof v->index )
			{
				bury( t, v );
			}
		}
		any = any || v->index != nothing;
	}
	return any || !may_begin( t );
}

static bool is_working( const team* t )
{
	for ( int i = 0; i < t->jobs; ++i )
	{
		if ( t->workers[i].index != nothing )
		{
			return true;
		}
	}
	return false;
}

// Waits for one of the processes, or for a signal.
static void wait_for_some( team* t )
{
	for ( int i = 0; i < t->jobs; ++i )
	{
		t->polled[i] = ( struct pollfd ){ t->workers[i].pid ? t->workers[i].channel : -1, POLLIN, 0 };
	}
	if ( ppoll( t->polled, (nfds_t)t->jobs, NULL, &t->before ) <= 0 )
	{
		return;
	}
	for ( int i = 0; i < t->jobs; ++i )
	{
		char answer;
		cli_worker* v = t->workers + i;
		if ( t->polled[i].revents == 0 )
		{
			continue;
		}
		if ( recv( v->channel, &answer, 1, 0 ) == 1 )
		{
			finish_input( t, v );
		}
		else
		{
			bury( t, v );
		}
	}
}

static void dismiss( team* t, int how )
{
	for ( int i = 0; i < t->jobs; ++i )
	{
		cli_worker* v = t->workers + i;
		if ( v->pid && how )
		{
			// One that is stopped gets the signal only once it goes on.
			kill( v->pid, how );
			kill( v->pid, SIGCONT );
		}
		if ( v->pid )
		{
			close( v->channel );
		}
	}

	// This process may have children that are not ours.
	for ( int i = 0; i < t->jobs; ++i )
	{
		cli_worker* v = t->workers + i;
		while ( v->pid && waitpid( v->pid, NULL, 0 ) < 0 && errno == EINTR )
		{
		}
		v->pid = 0;
	}
}

// From here to restore_signals those that end this process are only noticed while it waits.
static void hold_signals( team* t )
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
	sigprocmask( SIG_BLOCK, &held, &t->before );
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], NULL, &t->dispositions[i] );
		if ( t->dispositions[i].sa_handler != SIG_IGN )
		{
			sigaction( ending_signals[i], &note, NULL );
		}
	}
}

static void restore_signals( const team* t )
{
	for ( int i = 0; i < ending_count; ++i )
	{
		sigaction( ending_signals[i], &t->dispositions[i], NULL );
	}
	if ( ended_by )
	{
		raise( ended_by );
	}
	sigprocmask( SIG_SETMASK, &t->before, NULL );
}

static bv_status run_team( team* t, bvb_error* error )
{
	bv_status status = bv_ok;
	while ( !ended_by && status == bv_ok && ( may_begin( t ) || is_working( t ) ) )
	{
		if ( !begin_inputs( t ) )
		{
			status = bvbase_fail( error, bv_error_limit, "cannot start a process: %s (try --jobs 1)",
			                      strerror( errno ) );
		}
		else if ( is_working( t ) )
		{
			tell_count( t->w->run->told, t->done, t->failed );
			wait_for_some( t );
		}
		tell_in_order( t );
	}
	return status;
}

static bool make_team( team* t, bvb_arena* arena )
{
	size_t jobs = (size_t)t->jobs;
	t->results =
		mmap( NULL, jobs * sizeof *t->results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0 );
	t->workers = bvb_arena_allocate( arena, jobs, sizeof *t->workers );
	t->polled = bvb_arena_allocate( arena, jobs, sizeof *t->polled );
	t->inputs = bvb_arena_allocate( arena, (size_t)t->w->run->plan->count, sizeof *t->inputs );
	if ( t->results == MAP_FAILED || !t->workers || !t->polled || !t->inputs )
	{
		return false;
	}
	for ( size_t i = 0; i < jobs; ++i )
	{
		int file = memfd_create( "bvbuild", MFD_CLOEXEC );
		t->workers[i] = ( cli_worker ){ .printed = file, .index = nothing, .result = t->results + i };
		if ( file < 0 || fcntl( file, F_SETFL, O_APPEND ) != 0 )
		{
			// With fewer open files than that wants, fewer processes do it, too.
			close( file );
			t->jobs = (int)( i / 2 );
			break;
		}
	}
	return true;
}

static void disband( team* t )
{
	for ( int i = 0; t->workers && i < t->w->jobs && t->workers[i].result; ++i )
	{
		close( t->workers[i].printed );
	}
	if ( t->results != MAP_FAILED )
	{
		munmap( t->results, (size_t)t->w->jobs * sizeof *t->results );
	}
}

bv_status work_in_processes( const work* w, bvb_error* error )
{
	team t = { .w = w, .jobs = w->jobs };
	if ( !make_team( &t, w->run->arena ) )
	{
		disband( &t );
		return bvbase_fail_memory( error );
	}
	hold_signals( &t );
	bv_status status = run_team( &t, error );
	dismiss( &t, ended_by || status != bv_ok ? SIGTERM : 0 );
	hide_progress( w->run->told );
	restore_signals( &t );
	disband( &t );
	for ( int i = t.told; status == bv_ok && i < w->run->plan->count; ++i )
	{
		static const asset_result not_begun = { .what = outcome_not_begun };
		w->done( w->context, i, t.inputs[i].done ? t.inputs[i].result : &not_begun );
	}
	return status;
}
