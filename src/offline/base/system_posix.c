// POSIX: files, paths, memory, terminals and signals. See system.h.

#include "offline/base/system.h"

#include "offline/base/arena.h"
#include "offline/base/clock.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert( PATH_MAX <= bvbase_path_bytes, "realpath fills that" );

// ---- Files ----

int bvbase_file_open( const char* path )
{
	return open( path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY );
}

int bvbase_file_create( const char* path, bool* created )
{
	const int how = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int file = open( path, how | O_EXCL, 0666 );
	*created = file >= 0;
	return *created || errno != EEXIST ? file : open( path, how, 0666 );
}

int bvbase_file_anonymous( const char* name )
{
	return memfd_create( name, MFD_CLOEXEC );
}

void bvbase_file_close( int file )
{
	if ( file >= 0 )
	{
		close( file );
	}
}

int64_t bvbase_file_read( int file, void* to, size_t size )
{
	return read( file, to, size );
}

int64_t bvbase_file_read_at( int file, void* to, size_t size, uint64_t offset )
{
	return pread( file, to, size, (off_t)offset );
}

int64_t bvbase_file_write( int file, const void* from, size_t size )
{
	return write( file, from, size );
}

int64_t bvbase_file_write_at( int file, const void* from, size_t size, uint64_t offset )
{
	return pwrite( file, from, size, (off_t)offset );
}

bool bvbase_file_resize( int file, uint64_t size )
{
	return ftruncate( file, (off_t)size ) == 0;
}

bool bvbase_file_sync( int file )
{
	int result;
	do
	{
		result = fsync( file );
	} while ( result != 0 && errno == EINTR );
	return result == 0;
}

bool bvbase_file_lock( int file )
{
	return flock( file, LOCK_EX | LOCK_NB ) == 0;
}

int bvbase_file_copy( int file )
{
	return dup( file );
}

static bool take_state( int result, const struct stat* from, bvbase_file_state* out )
{
	if ( result == 0 )
	{
		*out = ( bvbase_file_state ){
			.kind = S_ISREG( from->st_mode )   ? bvbase_file_regular
			        : S_ISDIR( from->st_mode ) ? bvbase_file_folder
			                                   : bvbase_file_other,
			.size = from->st_size > 0 ? (uint64_t)from->st_size : 0,
			.device = from->st_dev,
			.number = from->st_ino,
			.modified = from->st_mtim,
			.changed = from->st_ctim,
		};
	}
	return result == 0;
}

bool bvbase_file_get_state( int file, bvbase_file_state* out )
{
	struct stat info;
	return take_state( fstat( file, &info ), &info, out );
}

const void* bvbase_file_map( int file, size_t size )
{
	void* memory = mmap( NULL, size, PROT_READ, MAP_PRIVATE, file, 0 );
	return memory == MAP_FAILED ? NULL : memory;
}

void* bvbase_file_map_writable( int file, size_t size )
{
	void* memory = mmap( NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0 );
	return memory == MAP_FAILED ? NULL : memory;
}

void bvbase_file_unmap( const void* memory, size_t size )
{
	munmap( (void*)memory, size );
}

FILE* bvbase_stream_open( const char* path, const char* mode )
{
	return fopen( path, *mode == 'r' ? "re" : "we" );
}

FILE* bvbase_stream_of( int file, const char* mode )
{
	return fdopen( file, mode );
}

FILE* bvbase_stream_nowhere( void )
{
	return fmemopen( NULL, 1, "w" );
}

// ---- Paths ----

bool bvbase_path_get_state( const char* path, bvbase_file_state* out )
{
	struct stat info;
	return take_state( stat( path, &info ), &info, out );
}

bool bvbase_path_get_own_state( const char* path, bvbase_file_state* out )
{
	struct stat info;
	return take_state( lstat( path, &info ), &info, out );
}

bool bvbase_path_exists( const char* path )
{
	return access( path, F_OK ) == 0;
}

bool bvbase_path_is_writable( const char* path )
{
	return access( path, W_OK ) == 0;
}

bool bvbase_path_rename( const char* from, const char* to )
{
	return rename( from, to ) == 0;
}

bool bvbase_path_remove( const char* path )
{
	return unlink( path ) == 0;
}

bool bvbase_path_make_folder( const char* path )
{
	return mkdir( path, 0777 ) == 0;
}

// The rename itself must reach the disk too; a file system that can't do that is no reason to fail.
void bvbase_path_sync_name( const char* path )
{
	char* folder = strdup( path );
	if ( folder )
	{
		char* slash = strrchr( folder, '/' );
		if ( slash )
		{
			slash[slash == folder] = 0;
		}
		int fd = open( slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC );
		if ( fd >= 0 )
		{
			fsync( fd );
			close( fd );
		}
		free( folder );
	}
}

void bvbase_path_touch( const char* path, const struct timespec* modified )
{
	const struct timespec now = { .tv_nsec = UTIME_NOW };
	const struct timespec same = { .tv_nsec = UTIME_OMIT };
	const struct timespec times[2] = { modified ? same : now, modified ? *modified : now };
	utimensat( AT_FDCWD, path, times, 0 );
}

bool bvbase_path_get_working_folder( char out[bvbase_path_bytes] )
{
	return getcwd( out, bvbase_path_bytes );
}

bool bvbase_path_get_real( const char* path, char out[bvbase_path_bytes] )
{
	return realpath( path, out );
}

bool bvbase_path_get_program( char out[bvbase_path_bytes] )
{
	ssize_t length = readlink( "/proc/self/exe", out, bvbase_path_bytes - 1 );
	if ( length > 0 )
	{
		out[length] = 0;
	}
	return length > 0;
}

bool bvbase_path_is_absolute( const char* path )
{
	return *path == '/';
}

size_t bvbase_path_root( const char* path )
{
	(void)path;
	return 0;
}

char* bvbase_path_use_slashes( char* path )
{
	return path;
}

size_t bvbase_path_expand( const char* pattern, char*** names )
{
	(void)pattern;
	*names = NULL;
	return 0;
}

bool bvbase_path_has_backslashes( void )
{
	return false;
}

bool bvbase_path_matches_others( const char* path )
{
	glob_t found;
	bool others = false;
	if ( glob( path, 0, NULL, &found ) == 0 )
	{
		for ( size_t i = 0; i < found.gl_pathc; ++i )
		{
			others = others || strcmp( found.gl_pathv[i], path ) != 0;
		}
		globfree( &found );
	}
	return others;
}

bvbase_folder* bvbase_folder_open( const char* path )
{
	return (bvbase_folder*)opendir( path );
}

const char* bvbase_folder_next( bvbase_folder* folder )
{
	struct dirent* item = readdir( (DIR*)folder );
	return item ? item->d_name : NULL;
}

void bvbase_folder_close( bvbase_folder* folder )
{
	closedir( (DIR*)folder );
}

// ---- Memory and time ----

enum
{
	small_page = 1 << 12,
	huge_page = 1 << 21,
};

// Fresh memory costs a fault a page. Of huge pages, where the kernel has them, there are 512 times fewer.
void bvbase_memory_use_large_pages( void* memory, size_t size )
{
	uintptr_t page = huge_page;
	uintptr_t first = ( (uintptr_t)memory + page - 1 ) & ~( page - 1 );
	uintptr_t end = ( (uintptr_t)memory + size ) & ~( page - 1 );
	if ( first < end )
	{
		madvise( (void*)first, end - first, MADV_HUGEPAGE );
	}
}

void bvbase_memory_ahead( size_t bytes )
{
	struct rlimit limit;
	if ( getrlimit( RLIMIT_AS, &limit ) != 0 || limit.rlim_cur != RLIM_INFINITY )
	{
		return; // what is skipped counts
	}

	// The heap begins a page before a huge one: its first block's head would make small pages of that. What
	// is skipped is not touched.
	intptr_t skipped = ( -(intptr_t)(uintptr_t)sbrk( 0 ) - small_page ) & ( huge_page - 1 );
	char* memory = sbrk( skipped ) != (void*)-1 ? malloc( bytes ) : NULL;
	if ( memory )
	{
		bvbase_memory_use_large_pages( memory, bytes );
	}
	free( memory );
}

uint64_t bvbase_memory_left( void )
{
	struct rlimit limit;
	unsigned long long pages = 0;
	FILE* file = getrlimit( RLIMIT_AS, &limit ) == 0 && limit.rlim_cur != RLIM_INFINITY
	                 ? fopen( "/proc/self/statm", "re" )
	                 : NULL;
	if ( !file )
	{
		return UINT64_MAX;
	}
	bool known = fscanf( file, "%llu", &pages ) == 1;
	fclose( file );
	uint64_t used = pages * (uint64_t)sysconf( _SC_PAGESIZE );
	return known && used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

// The memory that one stage returns is the next one's. Given back to the system, each of its pages would
// cost a fault and a clearing once more.
void bvbase_memory_keep( void )
{
	mallopt( M_MMAP_MAX, 0 );
	mallopt( M_TRIM_THRESHOLD, -1 );

	// What one thread returns is any other's. They ask for little: large blocks, and few of them.
	mallopt( M_ARENA_MAX, 1 );
}

void bvbase_sort_with( void* items, size_t count, size_t size,
                       int ( *compare )( const void* a, const void* b, void* context ), void* context )
{
	qsort_r( items, count, size, compare, context );
}

void* bvbase_memory_resize( void* items, size_t count, size_t size )
{
	return reallocarray( items, count, size );
}

void* bvbase_memory_find( const void* bytes, size_t size, const void* wanted, size_t wanted_size )
{
	return memmem( bytes, size, wanted, wanted_size );
}

void* bvbase_memory_find_last( const void* bytes, char wanted, size_t size )
{
	return (void*)memrchr( bytes, wanted, size );
}

void bvbase_sleep( double seconds )
{
	const struct timespec pause = { (time_t)seconds, (long)( 1e9 * ( seconds - (double)(time_t)seconds ) ) };
	nanosleep( &pause, NULL );
}

struct timespec bvbase_time( void )
{
	struct timespec now;
	clock_gettime( CLOCK_REALTIME, &now );
	return now;
}

static double read_clock( clockid_t id )
{
	struct timespec now;
	clock_gettime( id, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bvbase_clock( void )
{
	return read_clock( CLOCK_MONOTONIC );
}

double bvbase_cpu_clock( void )
{
	return read_clock( CLOCK_PROCESS_CPUTIME_ID );
}

uint64_t bvbase_peak_memory( void )
{
	struct rusage usage;
	getrusage( RUSAGE_SELF, &usage );
	return (uint64_t)usage.ru_maxrss * 1024;
}

// ---- The program ----

const char* bvbase_shell_get_quote( void )
{
	return "'";
}

const char* bvbase_shell_get_quoted_quote( void )
{
	return "'\\''";
}

void bvbase_program_begin( int* count, char*** arguments )
{
	(void)count;
	(void)arguments;
}

const char* bvbase_program_name( void )
{
	return program_invocation_short_name;
}

_Noreturn void bvbase_program_leave( int code )
{
	_exit( code );
}

void bvbase_environment_set( const char* name, const char* value )
{
	if ( value )
	{
		setenv( name, value, 1 );
	}
	else
	{
		unsetenv( name );
	}
}

enum
{
	stack_bytes = 8 << 20,
	least_stack_bytes = 2 << 20, // where address space is limited
};

typedef struct stack_call
{
	int ( *run )( void* context );
	void* context;
	sigset_t signals;
	int* result;
} stack_call;

static void* run_call( void* context )
{
	stack_call* call = context;
	pthread_sigmask( SIG_SETMASK, &call->signals, NULL );
	*call->result = call->run( call->context );
	return NULL;
}

// The kernel kills a program whose stack exceeds the limit, without a message. The same happens if address
// space is limited and the stack must grow when none is left. The stack of a thread reserves its address
// space at the start.
bool bvbase_run_on_large_stack( int ( *run )( void* context ), void* context, int* result, size_t* wanted )
{
	struct rlimit limit;
	bool small = getrlimit( RLIMIT_STACK, &limit ) == 0 && limit.rlim_cur < stack_bytes;
	bool tight = getrlimit( RLIMIT_AS, &limit ) == 0 && limit.rlim_cur != RLIM_INFINITY;
	*wanted = tight ? least_stack_bytes : stack_bytes;
	if ( !small && !tight )
	{
		*result = run( context );
		return true;
	}
	if ( tight )
	{
		// Each further arena of malloc would take 64 MiB of it.
		mallopt( M_ARENA_MAX, 1 );
	}
	stack_call call = { .run = run, .context = context, .result = result };
	pthread_t thread;
	pthread_attr_t attributes;
	sigset_t all;
	int failed = pthread_attr_init( &attributes );
	failed = failed ? failed : pthread_attr_setstacksize( &attributes, *wanted );
	failed = failed ? failed : pthread_setattr_default_np( &attributes );
	if ( !failed )
	{
		// This thread only waits: signals are the other one's, as if it were the only one.
		sigfillset( &all );
		pthread_sigmask( SIG_BLOCK, &all, &call.signals );
		failed = pthread_create( &thread, &attributes, run_call, &call );
	}
	if ( !failed )
	{
		pthread_join( thread, NULL );
	}
	return !failed;
}

bool bvbase_thread_start_deaf( pthread_t* thread, void* ( *run )( void* context ), void* context )
{
	sigset_t all;
	sigset_t before;
	sigfillset( &all );
	pthread_sigmask( SIG_SETMASK, &all, &before );
	bool started = pthread_create( thread, NULL, run, context ) == 0;
	pthread_sigmask( SIG_SETMASK, &before, NULL );
	return started;
}

void bvbase_condition_begin( pthread_cond_t* condition )
{
	pthread_condattr_t attributes;
	pthread_condattr_init( &attributes );
	pthread_condattr_setclock( &attributes, CLOCK_MONOTONIC );
	pthread_cond_init( condition, &attributes );
	pthread_condattr_destroy( &attributes );
}

void bvbase_condition_wait( pthread_cond_t* condition, pthread_mutex_t* lock, double seconds )
{
	struct timespec at;
	clock_gettime( CLOCK_MONOTONIC, &at );
	at.tv_nsec += (long)( 1e9 * seconds );
	at.tv_sec += at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	pthread_cond_timedwait( condition, lock, &at );
}

void* bvbase_library_open( const char* name )
{
	return dlopen( name, RTLD_NOW | RTLD_LOCAL );
}

void* bvbase_library_find( void* library, const char* name )
{
	return dlsym( library, name );
}

const char* bvbase_library_get_error( void )
{
	const char* text = dlerror();
	return text ? text : "unknown reason";
}

// ---- Terminals ----

bool bvbase_terminal_is( int file )
{
	return isatty( file );
}

int bvbase_terminal_get_columns( int file )
{
	struct winsize size;
	return ioctl( file, TIOCGWINSZ, &size ) == 0 ? size.ws_col : 0;
}

bool bvbase_terminal_has_colors( FILE* file )
{
	const char* terminal = getenv( "TERM" );
	return isatty( fileno( file ) ) && terminal && *terminal && strcmp( terminal, "dumb" ) != 0;
}

// ---- Signals that end the process ----

static const int held_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

enum
{
	held_count = sizeof held_signals / sizeof held_signals[0],
};

// A signal handler can tell the program nothing but through such a variable.
static volatile sig_atomic_t pending[held_count];

static void note_signal( int number )
{
	for ( int i = 0; i < held_count; ++i )
	{
		if ( held_signals[i] == number )
		{
			pending[i] = 1;
		}
	}
}

// What the caller had before.
typedef struct dispositions
{
	struct sigaction held[held_count];
	struct sigaction file_size;
} dispositions;

_Static_assert( sizeof( dispositions ) <= sizeof( bvbase_endings ), "they are kept there" );

void bvbase_endings_hold( bvbase_endings* endings )
{
	dispositions* old = (dispositions*)endings;
	struct sigaction hold = { .sa_handler = note_signal, .sa_flags = SA_RESTART };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigfillset( &hold.sa_mask );
	for ( int i = 0; i < held_count; ++i )
	{
		sigaction( held_signals[i], NULL, &old->held[i] );
		// A signal that the parent told us to ignore stays ignored.
		if ( old->held[i].sa_handler != SIG_IGN )
		{
			sigaction( held_signals[i], &hold, NULL );
		}
	}

	// A file above the limit is an error that write reports, not a reason to die.
	sigaction( SIGXFSZ, &ignore, &old->file_size );
}

void bvbase_endings_release( const bvbase_endings* endings )
{
	const dispositions* old = (const dispositions*)endings;
	sigaction( SIGXFSZ, &old->file_size, NULL );
	for ( int i = 0; i < held_count; ++i )
	{
		sigaction( held_signals[i], &old->held[i], NULL );
	}
	for ( int i = 0; i < held_count; ++i )
	{
		if ( pending[i] )
		{
			pending[i] = 0;
			raise( held_signals[i] );
		}
	}
}
