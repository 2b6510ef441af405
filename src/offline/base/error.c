// One-line errors. See error.h.

#include "offline/base/error.h"

#include <stdarg.h>
#include <stdio.h>

bv_status bvbase_fail( bvb_error* error, bv_status status, const char* format, ... )
{
	if ( error )
	{
		va_list arguments;
		va_start( arguments, format );
		vsnprintf( error->message, sizeof error->message, format, arguments );
		va_end( arguments );

		// File names and input may carry line breaks and escapes; the message is one line all the same.
		for ( char* c = error->message; *c; ++c )
		{
			if ( (unsigned char)*c < 0x20 || *c == 0x7f )
			{
				*c = '?';
			}
		}
	}
	return status;
}

bv_status bvbase_fail_memory( bvb_error* error )
{
	return bvbase_fail( error, bv_error_memory, "out of memory" );
}
