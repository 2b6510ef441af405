// Windows: tasks in child processes with limits, and workers. See system.h.
//
// Both are this program, started anew: with an argument that people do not type. A task finds its request in the
// file that its result goes to. A worker is started with all arguments of this process, so that it finds the
// same work; orders and answers stand in memory that both map, beside two events. The files that a process gets
// are listed when it is started: it gets no other ones.

#include "offline/base/system_windows.h"

#include "offline/base/clock.h"

#include <psapi.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

enum
{
	exit_unable = 3, // a child cannot find what it is to do
	most_handles = 4,
	longest_command = 32767,
	look_again = 10,      // milliseconds
	end_patience = 10000, // milliseconds that a worker has to end
};

// ---- Starting this program ----

typedef struct windows_command
{
	wchar_t* text;
	size_t length;
	size_t room;
} windows_command;

static bool put_character( windows_command* c, wchar_t character )
{
	if ( c->length + 1 >= c->room )
	{
		size_t room = c->room ? 2 * c->room : 256;
		wchar_t* text = realloc( c->text, room * sizeof *text );
		if ( !text )
		{
			return false;
		}
		c->text = text;
		c->room = room;
	}
	c->text[c->length++] = character;
	c->text[c->length] = 0;
	return true;
}

// Quoted as CommandLineToArgvW undoes it: only before a quote do backslashes mean themselves twice.
static bool put_argument( windows_command* c, const wchar_t* argument )
{
	bool good = ( c->length == 0 || put_character( c, ' ' ) ) && put_character( c, '"' );
	size_t backslashes = 0;
	for ( const wchar_t* at = argument; good; ++at )
	{
		bool is_end = *at == 0;
		if ( is_end || *at == '"' )
		{
			size_t more = is_end ? backslashes : backslashes + 1;
			for ( size_t i = 0; i < more && good; ++i )
			{
				good = put_character( c, '\\' );
			}
		}
		if ( is_end )
		{
			break;
		}
		backslashes = *at == '\\' ? backslashes + 1 : 0;
		good = good && put_character( c, *at );
	}
	return good && put_character( c, '"' );
}

// @param handles  that it gets; made inheritable, which matters only to a list like this
// @param input    its standard streams
static bool start( wchar_t* text, HANDLE* handles, size_t count, HANDLE input, HANDLE output, HANDLE errors,
                   DWORD flags, PROCESS_INFORMATION* out )
{
	wchar_t program[bvbase_windows_path];
	STARTUPINFOEXW info = { .StartupInfo = { .cb = sizeof info,
		                                     .dwFlags = STARTF_USESTDHANDLES,
		                                     .hStdInput = input,
		                                     .hStdOutput = output,
		                                     .hStdError = errors } };
	SIZE_T size = 0;
	InitializeProcThreadAttributeList( NULL, 1, 0, &size );
	info.lpAttributeList = malloc( size );
	DWORD length = GetModuleFileNameW( NULL, program, bvbase_windows_path );
	bool good = info.lpAttributeList && length > 0 && length < bvbase_windows_path &&
	            InitializeProcThreadAttributeList( info.lpAttributeList, 1, 0, &size );
	for ( size_t i = 0; i < count && good; ++i )
	{
		good = SetHandleInformation( handles[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT );
	}
	good = good &&
	       UpdateProcThreadAttribute( info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
	                                  count * sizeof *handles, NULL, NULL ) &&
	       CreateProcessW( program, text, NULL, NULL, TRUE, flags | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
	                       &info.StartupInfo, out );
	DWORD error = GetLastError();
	free( info.lpAttributeList );
	if ( !good )
	{
		bvbase_windows_set_errno( error );
	}
	return good;
}

static HANDLE open_nothing( void )
{
	SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
	return CreateFileW( L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
	                    OPEN_EXISTING, 0, NULL );
}

// ---- Tasks ----

static const char task_mark[] = "--internal-task";

void bvbase_task_serve( int count, char** arguments, const bvbase_task* const* tasks, size_t task_count )
{
	if ( count != 4 || strcmp( arguments[1], task_mark ) != 0 )
	{
		return;
	}
	HANDLE handle = (HANDLE)(uintptr_t)strtoull( arguments[3], NULL, 16 );
	bvbase_file_state state;
	int result = GetFileType( handle ) == FILE_TYPE_DISK
	                 ? _open_osfhandle( (intptr_t)handle, _O_RDWR | _O_BINARY )
	                 : -1;
	if ( result < 0 || !bvbase_file_get_state( result, &state ) || state.size > 1 << 20 )
	{
		bvbase_program_leave( exit_unable );
	}
	size_t size = (size_t)state.size;
	void* request = malloc( size + 1 );
	if ( !request || bvbase_file_read_at( result, request, size, 0 ) != (int64_t)size ||
	     !bvbase_file_resize( result, 0 ) )
	{
		bvbase_program_leave( exit_unable );
	}
	for ( size_t i = 0; i < task_count; ++i )
	{
		if ( strcmp( tasks[i]->name, arguments[2] ) == 0 )
		{
			tasks[i]->run( request, size, result );
		}
	}
	bvbase_program_leave( exit_unable );
}

// With limits that the system keeps, and an end when this process ends.
static HANDLE make_group( const bvbase_limits* limits )
{
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION wanted = {
		.BasicLimitInformation = { .LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
		                                         JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
		                                         JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
		                           .ActiveProcessLimit = 1 },
	};
	if ( limits->memory_bytes < SIZE_MAX )
	{
		wanted.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
		wanted.ProcessMemoryLimit = (SIZE_T)limits->memory_bytes;
	}
	HANDLE group = CreateJobObjectW( NULL, NULL );
	if ( group &&
	     !SetInformationJobObject( group, JobObjectExtendedLimitInformation, &wanted, sizeof wanted ) )
	{
		CloseHandle( group );
		group = NULL;
	}
	return group;
}

static bool start_task( const bvbase_task* task, const bvbase_limits* limits, bvbase_child* out )
{
	wchar_t text[256];
	HANDLE file = bvbase_windows_handle( out->result );
	HANDLE nothing = open_nothing();
	HANDLE handles[most_handles] = { file, nothing };
	PROCESS_INFORMATION process;
	swprintf( text, sizeof text / sizeof *text, L"bvbuild %hs %hs %llx", task_mark, task->name,
	          (unsigned long long)(uintptr_t)file );
	out->group = make_group( limits );
	bool good =
		out->group && nothing != INVALID_HANDLE_VALUE &&
		start( text, handles, 2, nothing, nothing, nothing, CREATE_SUSPENDED | CREATE_NO_WINDOW, &process );
	if ( good )
	{
		out->process = (int64_t)(intptr_t)process.hProcess;
		good = AssignProcessToJobObject( out->group, process.hProcess ) &&
		       ResumeThread( process.hThread ) != (DWORD)-1;
		bvbase_windows_set_errno( GetLastError() );
		CloseHandle( process.hThread );
		if ( !good )
		{
			TerminateProcess( process.hProcess, exit_unable );
			CloseHandle( process.hProcess );
		}
	}
	CloseHandle( nothing );
	return good;
}

bool bvbase_child_start( const bvbase_task* task, const void* request, size_t size,
                         const bvbase_limits* limits, bvbase_child* out )
{
	*out = ( bvbase_child ){ .result = bvbase_file_anonymous( "bvbuild-import" ),
		                     .alive = -1,
		                     .memory_bytes = limits->memory_bytes };
	if ( out->result >= 0 && bvbase_file_write_at( out->result, request, size, 0 ) == (int64_t)size &&
	     start_task( task, limits, out ) )
	{
		return true;
	}
	int reason = errno;
	if ( out->group )
	{
		CloseHandle( out->group );
	}
	bvbase_file_close( out->result );
	errno = reason;
	return false;
}

// Wine does not limit memory.
static bool exceeds( HANDLE process, uint64_t bytes )
{
	PROCESS_MEMORY_COUNTERS counters;
	return bytes < UINT64_MAX && GetProcessMemoryInfo( process, &counters, sizeof counters ) &&
	       counters.PagefileUsage > bytes;
}

static bvbase_ending get_ending( HANDLE process, int* code )
{
	enum
	{
		severe = 3, // of the highest two bits of a status
	};
	DWORD status = 0;
	GetExitCodeProcess( process, &status );
	*code = (int)status;
	return status >> 30 == severe ? bvbase_ending_crash : bvbase_ending_exit;
}

bvbase_ending bvbase_child_wait( bvbase_child* child, double timeout, int* code )
{
	HANDLE process = (HANDLE)(intptr_t)child->process;
	double deadline = bvbase_clock() + timeout;
	bvbase_ending how = bvbase_ending_unknown;
	*code = 0;
	while ( how == bvbase_ending_unknown )
	{
		if ( WaitForSingleObject( process, look_again ) == WAIT_OBJECT_0 )
		{
			how = get_ending( process, code );
		}
		else if ( bvbase_clock() > deadline )
		{
			how = bvbase_ending_timeout;
		}
		else if ( exceeds( process, child->memory_bytes ) )
		{
			how = bvbase_ending_memory;
		}
	}
	TerminateJobObject( child->group, exit_unable );
	WaitForSingleObject( process, INFINITE );
	CloseHandle( process );
	CloseHandle( child->group );
	return how;
}

void bvbase_child_close( bvbase_child* child )
{
	bvbase_file_close( child->result );
}

const char* bvbase_ending_describe( int code, char out[80] )
{
	snprintf( out, 80, "exception 0x%08x", (unsigned)code );
	return out;
}

const char* bvbase_ending_name( int code )
{
	switch ( (DWORD)code )
	{
	case STATUS_ACCESS_VIOLATION: return "access violation";
	case STATUS_STACK_OVERFLOW: return "stack overflow";
	case STATUS_ILLEGAL_INSTRUCTION: return "illegal instruction";
	case STATUS_INTEGER_DIVIDE_BY_ZERO: return "division by zero";
	case STATUS_CONTROL_C_EXIT: return "interrupted";
	default: return "unknown";
	}
}

// ---- Workers ----

typedef enum post_state
{
	post_idle,
	post_ordered,
	post_answered,
	post_dismissed,
} post_state;

// In memory that both map, before what the program has there.
typedef struct post_head
{
	volatile LONG state;
	int order;
	uint64_t bytes; // behind it
	max_align_t shared[];
} post_head;

typedef struct windows_crew
{
	HANDLE heard; // some worker has answered, or this process is to end
	HANDLE stop;  // set for all workers to end
	HANDLE ended; // this process is to end
} windows_crew;

static post_head* head_of( const void* shared )
{
	return (post_head*)( (char*)shared - offsetof( post_head, shared ) );
}

// What a worker waits for besides orders.
typedef struct lookout
{
	HANDLE what[2]; // the parent, and its wish
} lookout;

static void* look_out( void* context )
{
	const lookout* l = context;
	WaitForMultipleObjects( 2, l->what, FALSE, INFINITE );
	bvbase_windows_end();
	return NULL;
}

bvbase_post* bvbase_post_of_this_process( void )
{
	static bvbase_post post;
	static lookout l;
	unsigned long long value[5];
	pthread_t thread;
	const wchar_t* text = bvbase_windows_started.worker;
	if ( !text )
	{
		return NULL;
	}
	if ( swscanf( text, L"%llx,%llx,%llx,%llx,%llx", value, value + 1, value + 2, value + 3, value + 4 ) !=
	     5 )
	{
		bvbase_program_leave( exit_unable );
	}
	post_head* head = MapViewOfFile( (HANDLE)(uintptr_t)value[2], FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, 0 );
	l = ( lookout ){ { (HANDLE)(uintptr_t)value[3], (HANDLE)(uintptr_t)value[4] } };
	if ( !head || pthread_create( &thread, NULL, look_out, &l ) != 0 )
	{
		bvbase_program_leave( exit_unable );
	}
	post = ( bvbase_post ){ .channel = (int64_t)value[0],
		                    .answers = (int64_t)value[1],
		                    .parent = (int64_t)value[3],
		                    .shared = head->shared };
	return &post;
}

bool bvbase_post_next( bvbase_post* post, int* order )
{
	post_head* head = head_of( post->shared );
	while ( WaitForSingleObject( (HANDLE)(intptr_t)post->channel, INFINITE ) == WAIT_OBJECT_0 )
	{
		if ( head->state == post_dismissed )
		{
			return false;
		}
		if ( head->state == post_ordered )
		{
			*order = head->order;
			return true;
		}
	}
	return false;
}

bool bvbase_post_answer( bvbase_post* post )
{
	InterlockedExchange( &head_of( post->shared )->state, post_answered );
	return SetEvent( (HANDLE)(intptr_t)post->answers );
}

static bool make_worker( bvbase_worker* v, size_t bytes )
{
	size_t size = offsetof( post_head, shared ) + bytes;
	HANDLE go = CreateEventW( NULL, FALSE, FALSE, NULL );
	HANDLE section = CreateFileMappingW( INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, (DWORD)size, NULL );
	post_head* head = section ? MapViewOfFile( section, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, size ) : NULL;
	v->channel = (int64_t)(intptr_t)go;
	v->section = section;
	v->printed = bvbase_file_anonymous( "bvbuild-text" );
	v->shared = head ? head->shared : NULL;
	return go && head && v->printed >= 0;
}

bool bvbase_crew_begin( bvbase_crew* crew, int count, size_t bytes )
{
	windows_crew* s = calloc( 1, sizeof *s );
	*crew = ( bvbase_crew ){ .workers = calloc( (size_t)count, sizeof *crew->workers ),
		                     .count = count,
		                     .room = count,
		                     .bytes = bytes,
		                     .state = s };
	for ( int i = 0; crew->workers && i < count; ++i )
	{
		crew->workers[i].printed = -1;
	}
	bool good = s && crew->workers;
	if ( good )
	{
		s->heard = CreateEventW( NULL, FALSE, FALSE, NULL );
		s->stop = CreateEventW( NULL, TRUE, FALSE, NULL );
		s->ended = CreateEventW( NULL, TRUE, FALSE, NULL );
		good = s->heard && s->stop && s->ended;
	}
	for ( int i = 0; good && i < crew->count; ++i )
	{
		if ( !make_worker( crew->workers + i, bytes ) )
		{
			crew->count = i / 2;
		}
	}
	if ( !good )
	{
		bvbase_crew_free( crew );
		return false;
	}
	bvbase_windows_note_endings( s->ended );
	return true;
}

static bool make_command( windows_command* c, const bvbase_worker* v, const windows_crew* s, HANDLE self )
{
	wchar_t mark[160];
	const bvbase_windows_start* own = &bvbase_windows_started;
	swprintf( mark, sizeof mark / sizeof *mark, L"--internal-worker=%llx,%llx,%llx,%llx,%llx",
	          (unsigned long long)v->channel, (unsigned long long)(uintptr_t)s->heard,
	          (unsigned long long)(uintptr_t)v->section, (unsigned long long)(uintptr_t)self,
	          (unsigned long long)(uintptr_t)s->stop );
	bool good = own->count > 0 && put_argument( c, own->arguments[0] ) && put_argument( c, mark );
	for ( int i = 1; i < own->count && good; ++i )
	{
		good = put_argument( c, own->arguments[i] );
	}
	return good;
}

bool bvbase_crew_start( bvbase_crew* crew, int worker, bvbase_serve* serve, void* context )
{
	(void)serve;
	(void)context;
	windows_crew* s = crew->state;
	bvbase_worker* v = crew->workers + worker;
	windows_command c = { 0 };
	HANDLE self = NULL;
	HANDLE nothing = open_nothing();
	HANDLE printed = bvbase_windows_handle( v->printed );
	PROCESS_INFORMATION process;
	bool good = nothing != INVALID_HANDLE_VALUE &&
	            DuplicateHandle( GetCurrentProcess(), GetCurrentProcess(), GetCurrentProcess(), &self,
	                             SYNCHRONIZE, TRUE, 0 ) &&
	            make_command( &c, v, s, self );
	errno = ENOMEM;
	if ( good && c.length >= longest_command )
	{
		errno = E2BIG;
		good = false;
	}
	if ( good )
	{
		HANDLE handles[] = {
			(HANDLE)(intptr_t)v->channel, s->heard, v->section, self, s->stop, nothing, printed
		};
		fflush( NULL );
		head_of( v->shared )->state = post_idle;
		good = start( c.text, handles, sizeof handles / sizeof *handles, nothing, nothing, printed, 0,
		              &process );
	}
	if ( good )
	{
		v->process = (int64_t)(intptr_t)process.hProcess;
		CloseHandle( process.hThread );
	}
	int reason = errno;
	free( c.text );
	CloseHandle( nothing );
	if ( self )
	{
		CloseHandle( self );
	}
	errno = reason;
	return good;
}

static bool is_gone( const bvbase_worker* v )
{
	return WaitForSingleObject( (HANDLE)(intptr_t)v->process, 0 ) == WAIT_OBJECT_0;
}

bool bvbase_crew_order( bvbase_crew* crew, int worker, int order )
{
	bvbase_worker* v = crew->workers + worker;
	post_head* head = head_of( v->shared );
	head->order = order;
	InterlockedExchange( &head->state, post_ordered );
	return SetEvent( (HANDLE)(intptr_t)v->channel ) && !is_gone( v );
}

void bvbase_crew_wait( bvbase_crew* crew, bool* heard )
{
	const windows_crew* s = crew->state;
	HANDLE what[] = { s->heard, s->ended };
	bool any = false;
	while ( !any )
	{
		bool ended = WaitForMultipleObjects( 2, what, FALSE, look_again ) == WAIT_OBJECT_0 + 1;
		any = ended;
		for ( int i = 0; i < crew->count; ++i )
		{
			const bvbase_worker* v = crew->workers + i;
			heard[i] =
				!ended && v->process && ( head_of( v->shared )->state == post_answered || is_gone( v ) );
			any = any || heard[i];
		}
	}
}

bool bvbase_crew_take_answer( bvbase_crew* crew, int worker )
{
	post_head* head = head_of( crew->workers[worker].shared );
	return InterlockedCompareExchange( &head->state, post_idle, post_answered ) == post_answered;
}

bvbase_ending bvbase_crew_bury( bvbase_crew* crew, int worker, int* code )
{
	bvbase_worker* v = crew->workers + worker;
	HANDLE process = (HANDLE)(intptr_t)v->process;
	WaitForSingleObject( process, INFINITE );
	bvbase_ending how = get_ending( process, code );
	CloseHandle( process );
	v->process = 0;

	// Ctrl-C goes to all, and the process may have heard of it first.
	const windows_crew* s = crew->state;
	if ( (DWORD)*code == (DWORD)STATUS_CONTROL_C_EXIT )
	{
		SetEvent( s->ended );
	}
	return how;
}

bool bvbase_crew_is_ended( const bvbase_crew* crew )
{
	const windows_crew* s = crew->state;
	return WaitForSingleObject( s->ended, 0 ) == WAIT_OBJECT_0;
}

void bvbase_crew_dismiss( bvbase_crew* crew, bool hurry )
{
	const windows_crew* s = crew->state;
	if ( hurry )
	{
		SetEvent( s->stop );
	}
	for ( int i = 0; i < crew->count; ++i )
	{
		const bvbase_worker* v = crew->workers + i;
		if ( v->process )
		{
			InterlockedExchange( &head_of( v->shared )->state, post_dismissed );
			SetEvent( (HANDLE)(intptr_t)v->channel );
		}
	}
	for ( int i = 0; i < crew->count; ++i )
	{
		bvbase_worker* v = crew->workers + i;
		HANDLE process = (HANDLE)(intptr_t)v->process;
		if ( v->process )
		{
			if ( WaitForSingleObject( process, hurry ? end_patience : INFINITE ) != WAIT_OBJECT_0 )
			{
				TerminateProcess( process, exit_unable );
				WaitForSingleObject( process, INFINITE );
			}
			CloseHandle( process );
			v->process = 0;
		}
	}
}

void bvbase_crew_end( bvbase_crew* crew )
{
	bool ended = bvbase_crew_is_ended( crew );
	bvbase_windows_note_endings( NULL );
	if ( ended )
	{
		bvbase_windows_end();
	}
}

static void close_handle( HANDLE handle )
{
	if ( handle )
	{
		CloseHandle( handle );
	}
}

void bvbase_crew_free( bvbase_crew* crew )
{
	for ( int i = 0; crew->workers && i < crew->room; ++i )
	{
		bvbase_worker* v = crew->workers + i;
		if ( v->shared )
		{
			UnmapViewOfFile( head_of( v->shared ) );
		}
		close_handle( v->section );
		close_handle( (HANDLE)(intptr_t)v->channel );
		bvbase_file_close( v->printed );
	}
	windows_crew* s = crew->state;
	if ( s )
	{
		close_handle( s->heard );
		close_handle( s->stop );
		close_handle( s->ended );
	}
	free( crew->workers );
	free( s );
	*crew = ( bvbase_crew ){ 0 };
}
