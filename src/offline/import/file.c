// Files that are read whole. See file.h.

#include "offline/import/file.h"

#include "offline/base/error.h"
#include "offline/base/lfs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bv_status fail_system( const char* shown, int reason, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input, "%s: %s", shown, strerror( reason ) );
}

// A FIFO that nobody writes to would block the opening.
bv_status bvimport_file_open( const char* path, const char* shown, bool may_be_empty, int* file,
                              uint64_t* size, bvb_error* error )
{
	*file = open( path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY );
	if ( *file < 0 )
	{
		// What opening a socket or a device without a driver gives.
		return errno == ENXIO || errno == ENODEV
		           ? bvbase_fail( error, bv_error_input, "%s: is not a regular file", shown )
		           : fail_system( shown, errno, error );
	}
	struct stat info;
	bv_status status = bv_ok;
	if ( fstat( *file, &info ) != 0 )
	{
		status = fail_system( shown, errno, error );
	}
	else if ( S_ISDIR( info.st_mode ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is a directory", shown );
	}
	else if ( !S_ISREG( info.st_mode ) )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is not a regular file", shown );
	}
	else if ( info.st_size == 0 && !may_be_empty )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is empty", shown );
	}
	else
	{
		*size = (uint64_t)info.st_size;
		return bv_ok;
	}
	close( *file );
	return status;
}

// @return bytes read, less than `size` only at the end of the file; -1 with errno
static ssize_t read_fully( int file, char* bytes, size_t size )
{
	size_t done = 0;
	while ( done < size )
	{
		ssize_t count = read( file, bytes + done, size - done );
		if ( count < 0 && errno != EINTR )
		{
			return -1;
		}
		if ( count == 0 )
		{
			break;
		}
		done += count > 0 ? (size_t)count : 0;
	}
	return (ssize_t)done;
}

static void store_hash( XXH128_hash_t hash, uint8_t out[16] )
{
	XXH128_canonical_t canonical;
	XXH128_canonicalFromHash( &canonical, hash );
	memcpy( out, canonical.digest, sizeof canonical.digest );
}

void bvimport_hash( const void* data, size_t size, uint8_t hash[16] )
{
	store_hash( XXH3_128bits( data, size ), hash );
}

bv_status bvimport_file_read( const char* shown, int file, char* data, size_t* size, uint8_t hash[16],
                              bvb_error* error )
{
	ssize_t count = read_fully( file, data, *size );
	if ( count < 0 )
	{
		return fail_system( shown, errno, error );
	}
	*size = (size_t)count;
	bvimport_hash( data, *size, hash );
	return bv_ok;
}

bv_status bvimport_file_hash( const char* shown, int file, uint8_t hash[16], bvb_error* error )
{
	enum
	{
		piece = 1 << 18
	};
	char* bytes = malloc( piece );
	XXH3_state_t* state = XXH3_createState();
	bv_status status = bytes && state ? bv_ok : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		XXH3_128bits_reset( state );
		ssize_t count;
		while ( ( count = read_fully( file, bytes, piece ) ) > 0 )
		{
			XXH3_128bits_update( state, bytes, (size_t)count );
		}
		status = count < 0 ? fail_system( shown, errno, error ) : bv_ok;
		store_hash( XXH3_128bits_digest( state ), hash );
	}
	XXH3_freeState( state );
	free( bytes );
	return status;
}

bool bvimport_file_begins( int file, const char* bytes, size_t size )
{
	char there[64];
	return size <= sizeof there && pread( file, there, size, 0 ) == (ssize_t)size &&
	       memcmp( there, bytes, size ) == 0;
}

bool bvimport_file_is_lfs_pointer( int file )
{
	return bvimport_file_begins( file, BVBASE_LFS_POINTER, strlen( BVBASE_LFS_POINTER ) );
}
