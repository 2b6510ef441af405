// Atomic output: writes a temporary file beside the target, calls fsync, and renames it.
//
// The name of the temporary file is fixed, so at most one file is ever left behind, and the next run reuses
// it. A lock on the file separates two writers of the same target. The second writer waits, finds that the
// name now is the target, and starts again.

#include "offline/base/output.h"

#include "offline/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void hold_signals( dispositions* old )
{
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

static void deliver_signals( const dispositions* old )
{
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

// Opens and locks the temporary. Returns a descriptor, or -1 with errno: EWOULDBLOCK when another writer has
// it.
static int open_temporary( const char* path )
{
	const int how = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = open( path, how | O_EXCL, 0666 );
	bool created = fd >= 0;
	if ( !created && errno == EEXIST )
	{
		fd = open( path, how, 0666 );
	}
	if ( fd < 0 )
	{
		return -1;
	}
	struct stat by_fd;
	struct stat by_path;
	int reason = 0;
	if ( fstat( fd, &by_fd ) != 0 || flock( fd, LOCK_EX | LOCK_NB ) != 0 )
	{
		reason = errno == EINTR ? EWOULDBLOCK : errno;
	}
	else if ( !S_ISREG( by_fd.st_mode ) )
	{
		reason = EEXIST;
	}
	else if ( lstat( path, &by_path ) != 0 || by_fd.st_ino != by_path.st_ino ||
	          by_fd.st_dev != by_path.st_dev )
	{
		// Whoever held the lock has renamed or removed this very file.
		reason = EWOULDBLOCK;
	}
	if ( reason )
	{
		// Where there are no locks. A writer that came between and has the lock has the file, too.
		if ( created && reason != EWOULDBLOCK )
		{
			unlink( path );
		}
		close( fd );
		errno = reason;
		return -1;
	}
	return fd;
}

static bool write_all( int fd, const char* data, size_t size )
{
	while ( size > 0 )
	{
		ssize_t written = write( fd, data, size < 1 << 30 ? size : 1 << 30 );
		if ( written < 0 && errno == EINTR )
		{
			continue;
		}
		if ( written <= 0 )
		{
			return false;
		}
		data += written;
		size -= (size_t)written;
	}
	return true;
}

static bool sync_file( int fd )
{
	int result;
	do
	{
		result = fsync( fd );
	} while ( result != 0 && errno == EINTR );
	return result == 0;
}

// The rename itself must reach the disk too; a file system that can't do that is no reason to fail.
static void sync_folder( const char* path )
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

static bv_status fail( bvb_error* error, const char* path, int reason )
{
	return bvbase_fail( error, bv_error_output, "%s: cannot be written: %s", path, strerror( reason ) );
}

// PATH.bvtmp, or less of PATH where a file system's limit of 255 bytes for a name leaves no room. Two targets
// may then share a temporary, one after the other.
static char* name_temporary( const char* path )
{
	static const char suffix[] = ".bvtmp";
	const size_t longest = 255 - ( sizeof suffix - 1 );
	const char* slash = strrchr( path, '/' );
	size_t folder = slash ? (size_t)( slash + 1 - path ) : 0;
	size_t name = strlen( path ) - folder;
	size_t kept = folder + ( name < longest ? name : longest );
	char* temporary = malloc( kept + sizeof suffix );
	if ( temporary )
	{
		memcpy( temporary, path, kept );
		memcpy( temporary + kept, suffix, sizeof suffix );
	}
	return temporary;
}

static bv_status check_target( const char* path, bvb_error* error )
{
	struct stat target;
	if ( stat( path, &target ) == 0 && !S_ISREG( target.st_mode ) )
	{
		return bvbase_fail( error, bv_error_output, "%s: %s", path,
		                    S_ISDIR( target.st_mode ) ? "is a directory" : "is not a regular file" );
	}

	// Renaming would not ask. Version control makes files read-only that nobody has taken out to change.
	if ( access( path, W_OK ) != 0 && errno != ENOENT )
	{
		return fail( error, path, errno );
	}
	return bv_ok;
}

// A temporary on its way to a target. The lock that its descriptor holds keeps it ours until it is renamed.
typedef struct draft
{
	char* temporary; // its name
	int fd;          // -1 until it is open
} draft;

static void take_back( draft* drafts, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( drafts[i].fd >= 0 )
		{
			unlink( drafts[i].temporary );
			close( drafts[i].fd );
			drafts[i].fd = -1;
		}
	}
}

// @return the errno of what went wrong with the file *failed, EWOULDBLOCK where another writer has its
//         temporary, or 0
static int write_temporaries( const bvb_file_bytes* files, draft* drafts, uint32_t count, bool durable,
                              uint32_t* failed )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		*failed = i;
		int fd = drafts[i].fd = open_temporary( drafts[i].temporary );
		if ( fd < 0 || ftruncate( fd, 0 ) != 0 || !write_all( fd, files[i].data, files[i].size ) ||
		     ( durable && !sync_file( fd ) ) )
		{
			return errno;
		}
	}
	return 0;
}

// @return as write_temporaries
static int rename_temporaries( const bvb_file_bytes* files, draft* drafts, uint32_t count, bool durable,
                               uint32_t* failed )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		*failed = i;
		if ( rename( drafts[i].temporary, files[i].path ) != 0 )
		{
			return errno;
		}
		close( drafts[i].fd );
		drafts[i].fd = -1;
	}
	for ( uint32_t i = 0; durable && i < count; ++i )
	{
		sync_folder( files[i].path );
	}
	return 0;
}

// Signals are held only while temporaries of ours exist, not while another writer is waited for.
static bv_status write_drafts( const bvb_file_bytes* files, draft* drafts, uint32_t count, bool durable,
                               bvb_error* error )
{
	int reason;
	bool waiting;
	uint32_t failed = 0;
	do
	{
		dispositions old;
		hold_signals( &old );
		reason = write_temporaries( files, drafts, count, durable, &failed );
		waiting = reason == EWOULDBLOCK && drafts[failed].fd < 0;
		reason = reason ? reason : rename_temporaries( files, drafts, count, durable, &failed );
		take_back( drafts, count );
		deliver_signals( &old );
		if ( waiting )
		{
			usleep( 2000 );
		}
	} while ( waiting );
	return reason ? fail( error, files[failed].path, reason ) : bv_ok;
}

static bv_status write_files( const bvb_file_bytes* files, uint32_t count, bool durable, bvb_error* error )
{
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		status = check_target( files[i].path, error );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	draft* drafts = calloc( count + (size_t)1, sizeof *drafts );
	bool good = drafts;
	for ( uint32_t i = 0; good && i < count; ++i )
	{
		drafts[i] = ( draft ){ name_temporary( files[i].path ), -1 };
		good = drafts[i].temporary;
		// Two of them must not share a temporary: the second would wait for the first.
		if ( good && count > 1 &&
		     strncmp( drafts[i].temporary, files[i].path, strlen( files[i].path ) ) != 0 )
		{
			status = fail( error, files[i].path, ENAMETOOLONG );
		}
	}
	status = status != bv_ok ? status
	         : good          ? write_drafts( files, drafts, count, durable, error )
	                         : bvbase_fail_memory( error );
	for ( uint32_t i = 0; drafts && i < count; ++i )
	{
		free( drafts[i].temporary );
	}
	free( drafts );
	return status;
}

bv_status bvb_write_files( const bvb_file_bytes* files, uint32_t count, bvb_error* error )
{
	return write_files( files, count, true, error );
}

bv_status bvb_write_file( const char* path, const void* data, size_t size, bvb_error* error )
{
	return write_files( &( bvb_file_bytes ){ path, data, size }, 1, true, error );
}

bv_status bvbase_write_file_soon( const char* path, const void* data, size_t size, bvb_error* error )
{
	return write_files( &( bvb_file_bytes ){ path, data, size }, 1, false, error );
}

void bvb_discard_temporary( const char* path )
{
	struct stat info;
	char* temporary = name_temporary( path );
	if ( temporary && lstat( temporary, &info ) == 0 )
	{
		dispositions old;
		hold_signals( &old );
		int fd = open_temporary( temporary );
		if ( fd >= 0 )
		{
			unlink( temporary );
			close( fd );
		}
		deliver_signals( &old );
	}
	free( temporary );
}
