// Windows: the program, memory, terminals and endings. See system.h.

#include "offline/base/system_windows.h"

#include "offline/base/arena.h"
#include "offline/base/clock.h"

#include <psapi.h>
#include <shellapi.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

bvbase_windows_start bvbase_windows_started;

// ---- Memory and time ----

void bvbase_memory_use_large_pages( void* memory, size_t size )
{
	(void)memory;
	(void)size;
}

void bvbase_memory_ahead( size_t bytes )
{
	(void)bytes;
}

uint64_t bvbase_memory_left( void )
{
	return UINT64_MAX;
}

void bvbase_memory_keep( void )
{
}

typedef struct sort_order
{
	int ( *compare )( const void* a, const void* b, void* context );
	void* context;
} sort_order;

static int compare_by( void* order, const void* a, const void* b )
{
	const sort_order* o = order;
	return o->compare( a, b, o->context );
}

void bvbase_sort_with( void* items, size_t count, size_t size,
                       int ( *compare )( const void* a, const void* b, void* context ), void* context )
{
	sort_order order = { compare, context };
	qsort_s( items, count, size, compare_by, &order );
}

void* bvbase_memory_resize( void* items, size_t count, size_t size )
{
	if ( size && count > SIZE_MAX / size )
	{
		errno = ENOMEM;
		return NULL;
	}
	return realloc( items, count * size );
}

void* bvbase_memory_find( const void* bytes, size_t size, const void* wanted, size_t wanted_size )
{
	const char* at = bytes;
	const char* first = wanted;
	while ( wanted_size > 0 && size >= wanted_size )
	{
		const char* found = memchr( at, *first, size - wanted_size + 1 );
		if ( !found || memcmp( found, wanted, wanted_size ) == 0 )
		{
			return (void*)found;
		}
		size -= (size_t)( found + 1 - at );
		at = found + 1;
	}
	return wanted_size == 0 ? (void*)bytes : NULL;
}

void* bvbase_memory_find_last( const void* bytes, char wanted, size_t size )
{
	const char* from = bytes;
	while ( size > 0 && from[size - 1] != wanted )
	{
		--size;
	}
	return size > 0 ? (void*)( from + size - 1 ) : NULL;
}

void bvbase_sleep( double seconds )
{
	Sleep( (DWORD)( 1e3 * seconds + 0.999 ) );
}

struct timespec bvbase_time( void )
{
	struct timespec now;
	clock_gettime( CLOCK_REALTIME, &now );
	return now;
}

double bvbase_clock( void )
{
	LARGE_INTEGER frequency;
	LARGE_INTEGER now;
	QueryPerformanceFrequency( &frequency );
	QueryPerformanceCounter( &now );
	return (double)now.QuadPart / (double)frequency.QuadPart;
}

// What the system knows of the processor's time has steps of 16 ms. Queries that are measured take microseconds, and
// the least of many times counts.
double bvbase_cpu_clock( void )
{
	return bvbase_clock();
}

uint64_t bvbase_peak_memory( void )
{
	PROCESS_MEMORY_COUNTERS counters;
	return GetProcessMemoryInfo( GetCurrentProcess(), &counters, sizeof counters )
	           ? counters.PeakWorkingSetSize
	           : 0;
}

// ---- What ends the process ----
//
// The system calls handlers in a thread of their own. The lock is kept when the process ends, so that no
// output is begun then.

static SRWLOCK endings_lock = SRWLOCK_INIT;
static bool is_handling;
static bool is_pending;
static int held;
static HANDLE noted;

enum
{
	patience = 5000, // milliseconds that the system gives a program whose window is closed
};

static void leave_as_interrupted( void )
{
	TerminateProcess( GetCurrentProcess(), (UINT)STATUS_CONTROL_C_EXIT );
}

void bvbase_windows_end( void )
{
	AcquireSRWLockExclusive( &endings_lock );
	if ( noted )
	{
		SetEvent( noted );
	}
	else if ( held > 0 )
	{
		is_pending = true;
	}
	else
	{
		leave_as_interrupted();
	}
	ReleaseSRWLockExclusive( &endings_lock );
}

static BOOL WINAPI handle_ending( DWORD type )
{
	bvbase_windows_end();
	if ( type != CTRL_C_EVENT && type != CTRL_BREAK_EVENT )
	{
		Sleep( patience ); // the system ends the process when this returns
	}
	return TRUE;
}

static void handle_endings( void )
{
	if ( !is_handling )
	{
		is_handling = SetConsoleCtrlHandler( handle_ending, TRUE );
	}
}

void bvbase_windows_note_endings( HANDLE event )
{
	AcquireSRWLockExclusive( &endings_lock );
	handle_endings();
	noted = event;
	ReleaseSRWLockExclusive( &endings_lock );
}

void bvbase_endings_hold( bvbase_endings* old )
{
	(void)old;
	AcquireSRWLockExclusive( &endings_lock );
	handle_endings();
	held += 1;
	ReleaseSRWLockExclusive( &endings_lock );
}

void bvbase_endings_release( const bvbase_endings* old )
{
	(void)old;
	AcquireSRWLockExclusive( &endings_lock );
	held -= 1;
	if ( held == 0 && is_pending )
	{
		leave_as_interrupted();
	}
	ReleaseSRWLockExclusive( &endings_lock );
}

// ---- The program ----

// As CommandLineToArgvW undoes it, which Ninja leaves alone.
const char* bvbase_shell_get_quote( void )
{
	return "\"";
}

const char* bvbase_shell_get_quoted_quote( void )
{
	return "\\\"";
}

static UINT code_page_before;

static void restore_console( void )
{
	SetConsoleOutputCP( code_page_before );
}

// Takes what is meant for bvbase_post_of_this_process out of the arguments.
static void take_internal( bvbase_windows_start* s )
{
	static const wchar_t mark[] = L"--internal-worker=";
	size_t length = sizeof mark / sizeof *mark - 1;
	if ( s->count > 1 && wcsncmp( s->arguments[1], mark, length ) == 0 )
	{
		s->worker = s->arguments[1] + length;
		memmove( s->arguments + 1, s->arguments + 2, (size_t)( s->count - 1 ) * sizeof *s->arguments );
		s->count -= 1;
	}
}

static char* narrow_argument( const wchar_t* from )
{
	int size = WideCharToMultiByte( CP_UTF8, 0, from, -1, NULL, 0, NULL, NULL );
	char* to = size > 0 ? malloc( (size_t)size ) : NULL;
	return to && WideCharToMultiByte( CP_UTF8, 0, from, -1, to, size, NULL, NULL ) == size ? to : NULL;
}

void bvbase_program_begin( int* count, char*** arguments )
{
	// Faults end the program, and no window asks what to do about them.
	SetErrorMode( SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX );
	for ( int file = 0; file < 3; ++file )
	{
		_setmode( file, _O_BINARY );
	}
	if ( bvbase_terminal_is( 1 ) || bvbase_terminal_is( 2 ) )
	{
		code_page_before = GetConsoleOutputCP();
		SetConsoleOutputCP( CP_UTF8 );
		atexit( restore_console );
	}
	AcquireSRWLockExclusive( &endings_lock );
	handle_endings();
	ReleaseSRWLockExclusive( &endings_lock );
	bvbase_windows_start* s = &bvbase_windows_started;
	s->arguments = CommandLineToArgvW( GetCommandLineW(), &s->count );
	char** all = s->arguments ? calloc( (size_t)s->count + 1, sizeof *all ) : NULL;
	if ( all )
	{
		take_internal( s );
	}
	for ( int i = 0; all && i < s->count; ++i )
	{
		all[i] = narrow_argument( s->arguments[i] );
		if ( !all[i] )
		{
			all = NULL;
		}
	}
	if ( !all )
	{
		fputs( "out of memory\n", stderr );
		exit( 5 );
	}
	*count = s->count;
	*arguments = all;
}

const char* bvbase_program_name( void )
{
	static char name[64];
	char path[bvbase_path_bytes];
	if ( !*name && bvbase_path_get_program( path ) )
	{
		const char* slash = strrchr( path, '/' );
		snprintf( name, sizeof name, "%s", slash ? slash + 1 : path );
		char* dot = strrchr( name, '.' );
		if ( dot )
		{
			*dot = 0;
		}
	}
	return name;
}

_Noreturn void bvbase_program_leave( int code )
{
	TerminateProcess( GetCurrentProcess(), (UINT)code );
	abort(); // never reached
}

void bvbase_environment_set( const char* name, const char* value )
{
	_putenv_s( name, value ? value : "" );
}

// The program's header asks for a stack that is large enough, which threads get as well.
bool bvbase_run_on_large_stack( int ( *run )( void* context ), void* context, int* result, size_t* wanted )
{
	*wanted = 8 << 20;
	*result = run( context );
	return true;
}

bool bvbase_thread_start_deaf( pthread_t* thread, void* ( *run )( void* context ), void* context )
{
	return pthread_create( thread, NULL, run, context ) == 0;
}

void bvbase_condition_begin( pthread_cond_t* condition )
{
	pthread_cond_init( condition, NULL );
}

void bvbase_condition_wait( pthread_cond_t* condition, pthread_mutex_t* lock, double seconds )
{
	struct timespec at = bvbase_time();
	at.tv_nsec += (long)( 1e9 * seconds );
	at.tv_sec += at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	pthread_cond_timedwait( condition, lock, &at );
}

// All libraries are part of the program, which exports what is looked for.
void* bvbase_library_open( const char* name )
{
	(void)name;
	return GetModuleHandleW( NULL );
}

void* bvbase_library_find( void* library, const char* name )
{
	FARPROC function = GetProcAddress( library, name );
	void* found;
	memcpy( &found, &function, sizeof found );
	return found;
}

const char* bvbase_library_get_error( void )
{
	return "it is not part of this program";
}

// ---- Terminals ----

static HANDLE get_console( int file, DWORD* mode )
{
	HANDLE handle = (HANDLE)_get_osfhandle( file );
	return handle != INVALID_HANDLE_VALUE && GetFileType( handle ) == FILE_TYPE_CHAR &&
	               GetConsoleMode( handle, mode )
	           ? handle
	           : NULL;
}

// Escape codes must be asked for.
static bool use_escapes( int file )
{
	DWORD mode;
	HANDLE console = get_console( file, &mode );
	return console && ( ( mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING ) ||
	                    SetConsoleMode( console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING ) );
}

bool bvbase_terminal_is( int file )
{
	DWORD mode;
	bool is = get_console( file, &mode );
	return is && ( file == 0 || use_escapes( file ) );
}

int bvbase_terminal_get_columns( int file )
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	HANDLE handle = (HANDLE)_get_osfhandle( file );
	return GetConsoleScreenBufferInfo( handle, &info ) ? info.srWindow.Right - info.srWindow.Left + 1 : 0;
}

bool bvbase_terminal_has_colors( FILE* file )
{
	return use_escapes( _fileno( file ) );
}
