// A mesh from standard input. See standard_input.h.

#include "cli/standard_input.h"

#include "offline/base/error.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool is_stdin( const char* input )
{
	return strcmp( input, "-" ) == 0;
}

bv_status read_stdin( char** data, size_t* size, bvb_error* error )
{
	size_t room = 1 << 16;
	char* bytes = malloc( room );
	int64_t count = 1;
	*data = NULL;
	*size = 0;
	while ( bytes && count != 0 )
	{
		count = bvbase_file_read( 0, bytes + *size, room - *size );
		if ( count < 0 && errno != EINTR )
		{
			free( bytes );
			return bvbase_fail( error, bv_error_input, "standard input: %s", strerror( errno ) );
		}
		*size += count > 0 ? (size_t)count : 0;
		if ( *size == room )
		{
			room *= 2;
			char* larger = realloc( bytes, room );
			free( larger ? NULL : bytes );
			bytes = larger;
		}
	}
	*data = bytes;
	return bytes ? bv_ok : bvbase_fail_memory( error );
}
