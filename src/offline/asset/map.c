// Mapping a .bvh file from disk, or reading it. Loading is opening: nothing is parsed.

#include "bvbuild/asset.h"

#include "offline/base/error.h"
#include "offline/base/lfs.h"
#include "offline/base/system.h"

#include <errno.h>
#include <string.h>

static bv_status fail_with_errno( bvb_error* error, const char* path )
{
	return bvbase_fail( error, errno == ENOMEM ? bv_error_memory : bv_error_input, "%s: %s", path,
	                    strerror( errno ) );
}

// Of a regular file that is not empty.
static bv_status open_file( const char* path, int* fd, size_t* size, bvb_error* error )
{
	*fd = bvbase_file_open( path );
	bvbase_file_state state;
	if ( *fd < 0 || !bvbase_file_get_state( *fd, &state ) )
	{
		return fail_with_errno( error, path );
	}
	if ( state.kind != bvbase_file_regular )
	{
		return bvbase_fail( error, bv_error_input, "%s: %s", path,
		                    state.kind == bvbase_file_folder ? "is a directory" : "is not a regular file" );
	}
	*size = (size_t)state.size;
	return *size > 0 ? bv_ok : bvbase_fail( error, bv_error_damaged, "%s: is empty", path );
}

static bv_status check( const char* path, const void* data, size_t size, const bv_file** out,
                        bvb_error* error )
{
	const char* reason;
	bv_status status = bv_file_open_explained( data, size, out, &reason );
	size_t length = strlen( BVBASE_LFS_POINTER );
	if ( status != bv_ok && size > length && memcmp( data, BVBASE_LFS_POINTER, length ) == 0 )
	{
		reason = "a Git LFS pointer, not the file (run: git lfs pull)";
	}
	return status == bv_ok ? bv_ok : bvbase_fail( error, status, "%s: %s", path, reason );
}

bv_status bvb_file_map( const char* path, bvb_mapping* out, bvb_error* error )
{
	*out = ( bvb_mapping ){ 0 };
	int fd;
	size_t size;
	bv_status status = open_file( path, &fd, &size, error );
	const void* data = status == bv_ok ? bvbase_file_map( fd, size ) : NULL;
	if ( status == bv_ok && !data )
	{
		status = fail_with_errno( error, path );
	}
	bvbase_file_close( fd );
	if ( status != bv_ok )
	{
		return status;
	}
	*out = ( bvb_mapping ){ .data = data, .size = size };
	status = check( path, data, size, &out->file, error );
	if ( status != bv_ok )
	{
		bvb_file_unmap( out );
	}
	return status;
}

static bv_status read_all( const char* path, int fd, char* to, size_t size, bvb_error* error )
{
	while ( size > 0 )
	{
		int64_t count = bvbase_file_read( fd, to, size );
		if ( count == 0 )
		{
			return bvbase_fail( error, bv_error_damaged, "%s: the file became shorter while it was read",
			                    path );
		}
		if ( count < 0 && errno != EINTR )
		{
			return fail_with_errno( error, path );
		}
		to += count > 0 ? count : 0;
		size -= count > 0 ? (size_t)count : 0;
	}
	return bv_ok;
}

bv_status bvb_file_read( const char* path, bvb_arena* arena, const bv_file** out, bvb_error* error )
{
	*out = NULL;
	int fd;
	size_t size;
	bv_status status = open_file( path, &fd, &size, error );
	char* data = status == bv_ok ? bvb_arena_allocate( arena, size, 1 ) : NULL;
	if ( status == bv_ok )
	{
		status = data ? read_all( path, fd, data, size, error ) : bvbase_fail_memory( error );
	}
	bvbase_file_close( fd );
	return status == bv_ok ? check( path, data, size, out, error ) : status;
}

void bvb_file_unmap( bvb_mapping* mapping )
{
	if ( mapping->data )
	{
		bvbase_file_unmap( mapping->data, mapping->size );
	}
	*mapping = ( bvb_mapping ){ 0 };
}
