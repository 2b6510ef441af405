// Atomic output: writes a temporary file beside the target, calls fsync, and renames it.
//
// The name of the temporary file is fixed, so at most one file is ever left behind, and the next run reuses
// it. A lock on the file separates two writers of the same target. The second writer waits, finds that the
// name now is the target, and starts again.

#include "offline/base/output.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Opens and locks the temporary. Returns a descriptor, or -1 with errno: EWOULDBLOCK when another writer has
// it.
static int open_temporary( const char* path )
{
	bool created;
	int fd = bvbase_file_create( path, &created );
	if ( fd < 0 )
	{
		return -1;
	}
	bvbase_file_state by_fd;
	bvbase_file_state by_path;
	int reason = 0;
	if ( !bvbase_file_get_state( fd, &by_fd ) || !bvbase_file_lock( fd ) )
	{
		reason = errno == EINTR ? EWOULDBLOCK : errno;
	}
	else if ( by_fd.kind != bvbase_file_regular )
	{
		reason = EEXIST;
	}
	else if ( !bvbase_path_get_own_state( path, &by_path ) || by_fd.number != by_path.number ||
	          by_fd.device != by_path.device )
	{
		// Whoever held the lock has renamed or removed this very file.
		reason = EWOULDBLOCK;
	}
	if ( reason )
	{
		// Where there are no locks. A writer that came between and has the lock has the file, too.
		if ( created && reason != EWOULDBLOCK )
		{
			bvbase_path_remove( path );
		}
		bvbase_file_close( fd );
		errno = reason;
		return -1;
	}
	return fd;
}

static bool write_all( int fd, const char* data, size_t size )
{
	while ( size > 0 )
	{
		int64_t written = bvbase_file_write( fd, data, size < 1 << 30 ? size : 1 << 30 );
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
	bvbase_file_state target;
	if ( bvbase_path_get_state( path, &target ) && target.kind != bvbase_file_regular )
	{
		return bvbase_fail( error, bv_error_output, "%s: %s", path,
		                    target.kind == bvbase_file_folder ? "is a directory" : "is not a regular file" );
	}

	// Renaming would not ask. Version control makes files read-only that nobody has taken out to change.
	if ( !bvbase_path_is_writable( path ) && errno != ENOENT )
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
			bvbase_path_remove( drafts[i].temporary );
			bvbase_file_close( drafts[i].fd );
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
		if ( fd < 0 || !bvbase_file_resize( fd, 0 ) || !write_all( fd, files[i].data, files[i].size ) ||
		     ( durable && !bvbase_file_sync( fd ) ) )
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
		if ( !bvbase_path_rename( drafts[i].temporary, files[i].path ) )
		{
			return errno;
		}
		bvbase_file_close( drafts[i].fd );
		drafts[i].fd = -1;
	}
	for ( uint32_t i = 0; durable && i < count; ++i )
	{
		bvbase_path_sync_name( files[i].path );
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
		bvbase_endings old;
		bvbase_endings_hold( &old );
		reason = write_temporaries( files, drafts, count, durable, &failed );
		waiting = reason == EWOULDBLOCK && drafts[failed].fd < 0;
		reason = reason ? reason : rename_temporaries( files, drafts, count, durable, &failed );
		take_back( drafts, count );
		bvbase_endings_release( &old );
		if ( waiting )
		{
			bvbase_sleep( 0.002 );
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
	bvbase_file_state state;
	char* temporary = name_temporary( path );
	if ( temporary && bvbase_path_get_own_state( temporary, &state ) )
	{
		bvbase_endings old;
		bvbase_endings_hold( &old );
		int fd = open_temporary( temporary );
		if ( fd >= 0 )
		{
			bvbase_path_remove( temporary );
			bvbase_file_close( fd );
		}
		bvbase_endings_release( &old );
	}
	free( temporary );
}
