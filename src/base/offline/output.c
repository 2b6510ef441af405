// Atomic output: write beside the target, fsync, rename.
//
// The temporary's name is fixed, so that at most one is ever left behind and the next run takes it over. A
// lock on it keeps two writers of one target apart: the second waits, finds that the name has become the
// target, and begins anew.

#include "base/offline/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const int held_signals[] = { SIGINT, SIGTERM, SIGHUP };

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

static void hold_signals( struct sigaction old[held_count] )
{
	struct sigaction hold = { .sa_handler = note_signal, .sa_flags = SA_RESTART };
	sigfillset( &hold.sa_mask );
	for ( int i = 0; i < held_count; ++i )
	{
		sigaction( held_signals[i], NULL, &old[i] );
		// A signal that the parent told us to ignore stays ignored.
		if ( old[i].sa_handler != SIG_IGN )
		{
			sigaction( held_signals[i], &hold, NULL );
		}
	}
}

static void deliver_signals( const struct sigaction old[held_count] )
{
	for ( int i = 0; i < held_count; ++i )
	{
		sigaction( held_signals[i], &old[i], NULL );
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

// Opens the temporary and locks it. Returns a descriptor, or -1 with errno.
static int open_temporary( const char* path )
{
	for ( ;; )
	{
		int fd = open( path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666 );
		if ( fd < 0 )
		{
			return -1;
		}
		struct stat by_fd;
		struct stat by_path;
		int locked;
		do
		{
			locked = flock( fd, LOCK_EX );
		} while ( locked != 0 && errno == EINTR );
		// Whoever held the lock may have renamed or removed this very file.
		if ( fstat( fd, &by_fd ) == 0 && lstat( path, &by_path ) == 0 && by_fd.st_ino == by_path.st_ino &&
		     by_fd.st_dev == by_path.st_dev )
		{
			return fd;
		}
		close( fd );
	}
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

static bv_status replace( const char* path, const char* temporary, const void* data, size_t size,
                          bvb_error* error )
{
	struct stat target;
	if ( stat( path, &target ) == 0 && !S_ISREG( target.st_mode ) )
	{
		return bvb_fail( error, bv_error_output, "%s: %s", path,
		                 S_ISDIR( target.st_mode ) ? "is a directory" : "is not a regular file" );
	}
	int fd = open_temporary( temporary );
	if ( fd < 0 )
	{
		return bvb_fail( error, bv_error_output, "%s: cannot be written: %s", path, strerror( errno ) );
	}
	bool done = ftruncate( fd, 0 ) == 0 && write_all( fd, data, size ) && fsync( fd ) == 0 &&
	            rename( temporary, path ) == 0;
	int reason = errno;
	if ( !done )
	{
		unlink( temporary );
	}
	close( fd );
	if ( !done )
	{
		return bvb_fail( error, bv_error_output, "%s: cannot be written: %s", path, strerror( reason ) );
	}
	sync_folder( path );
	return bv_ok;
}

bv_status bvb_write_file( const char* path, const void* data, size_t size, bvb_error* error )
{
	static const char suffix[] = ".bvtmp";
	char* temporary = malloc( strlen( path ) + sizeof suffix );
	if ( !temporary )
	{
		return bvb_fail_memory( error );
	}
	strcpy( temporary, path );
	strcat( temporary, suffix );

	struct sigaction old[held_count];
	hold_signals( old );
	bv_status status = replace( path, temporary, data, size, error );
	free( temporary );
	deliver_signals( old );
	return status;
}
