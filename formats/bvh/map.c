// Mapping a .bvh file from disk. Loading is opening: nothing is parsed or copied.

#include "bvbuild/asset.h"

#include "base/offline/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bv_status map( const char* path, int fd, bvb_mapping* out, bvb_error* error )
{
	struct stat info;
	if ( fstat( fd, &info ) != 0 )
	{
		return bvb_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	if ( !S_ISREG( info.st_mode ) )
	{
		return bvb_fail( error, bv_error_input, "%s: %s", path,
		                 S_ISDIR( info.st_mode ) ? "is a directory" : "is not a regular file" );
	}
	if ( info.st_size == 0 )
	{
		return bvb_fail( error, bv_error_damaged, "%s: is empty", path );
	}
	void* data = mmap( NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0 );
	if ( data == MAP_FAILED )
	{
		return bvb_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	*out = ( bvb_mapping ){ .data = data, .size = (size_t)info.st_size };

	const char* reason;
	bv_status status = bv_file_open_explained( data, out->size, &out->file, &reason );
	if ( status != bv_ok )
	{
		bvb_file_unmap( out );
		return bvb_fail( error, status, "%s: %s", path, reason );
	}
	return bv_ok;
}

bv_status bvb_file_map( const char* path, bvb_mapping* out, bvb_error* error )
{
	*out = ( bvb_mapping ){ 0 };
	// O_NONBLOCK, so that a named pipe is refused and not waited for.
	int fd = open( path, O_RDONLY | O_CLOEXEC | O_NONBLOCK );
	if ( fd < 0 )
	{
		return bvb_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	bv_status status = map( path, fd, out, error );
	close( fd );
	return status;
}

void bvb_file_unmap( bvb_mapping* mapping )
{
	if ( mapping->data )
	{
		munmap( (void*)mapping->data, mapping->size );
	}
	*mapping = ( bvb_mapping ){ 0 };
}
