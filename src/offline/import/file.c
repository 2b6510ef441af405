// Files that are read whole. See file.h.

#include "offline/import/file.h"

#include "offline/base/error.h"
#include "offline/base/lfs.h"
#include "offline/base/system.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bv_status fail_system( const char* shown, int reason, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input, "%s: %s", shown, strerror( reason ) );
}

bv_status bvimport_file_open( const char* path, const char* shown, bool may_be_empty, int* file,
                              uint64_t* size, bvb_error* error )
{
	*file = bvbase_file_open( path );
	if ( *file < 0 )
	{
		// What opening a socket or a device without a driver gives.
		return errno == ENXIO || errno == ENODEV
		           ? bvbase_fail( error, bv_error_input, "%s: is not a regular file", shown )
		           : fail_system( shown, errno, error );
	}
	bvbase_file_state state;
	bv_status status = bv_ok;
	if ( !bvbase_file_get_state( *file, &state ) )
	{
		status = fail_system( shown, errno, error );
	}
	else if ( state.kind == bvbase_file_folder )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is a directory", shown );
	}
	else if ( state.kind != bvbase_file_regular )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is not a regular file", shown );
	}
	else if ( state.size == 0 && !may_be_empty )
	{
		status = bvbase_fail( error, bv_error_input, "%s: is empty", shown );
	}
	else
	{
		*size = state.size;
		return bv_ok;
	}
	bvbase_file_close( *file );
	return status;
}

// @return bytes read, less than `size` only at the end of the file; -1 with errno
static int64_t read_fully( int file, char* bytes, size_t size )
{
	size_t done = 0;
	while ( done < size )
	{
		int64_t count = bvbase_file_read( file, bytes + done, size - done );
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
	return (int64_t)done;
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
	int64_t count = read_fully( file, data, *size );
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
		int64_t count;
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
	return size <= sizeof there && bvbase_file_read_at( file, there, size, 0 ) == (int64_t)size &&
	       memcmp( there, bytes, size ) == 0;
}

bool bvimport_file_is_lfs_pointer( int file )
{
	return bvimport_file_begins( file, BVBASE_LFS_POINTER, strlen( BVBASE_LFS_POINTER ) );
}
