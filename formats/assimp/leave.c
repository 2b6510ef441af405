// The ends of the child process. See transport.h.

#include "formats/assimp/transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Noreturn void bvassimp_leave( int result, const bvassimp_report* r )
{
	const char* bytes = (const char*)r;
	for ( size_t done = 0; done < sizeof *r; )
	{
		ssize_t count = pwrite( result, bytes + done, sizeof *r - done, (off_t)done );
		if ( count < 0 && errno != EINTR )
		{
			_exit( errno == ENOSPC || errno == ENOMEM ? bvassimp_exit_out_of_memory : bvassimp_exit_unable );
		}
		done += count > 0 ? (size_t)count : 0;
	}

	// Neither the parent's exit handlers nor Assimp's destructors are to run.
	_exit( bvassimp_exit_reported );
}

_Noreturn void bvassimp_leave_text( int result, bvassimp_outcome outcome, const char* text )
{
	bvassimp_report r = { .outcome = outcome };
	snprintf( r.text, sizeof r.text, "%s", text );
	for ( size_t length = strlen( r.text ); length > 0 && (unsigned char)r.text[length - 1] <= ' '; )
	{
		r.text[--length] = 0;
	}
	bvassimp_leave( result, &r );
}

_Noreturn void bvassimp_leave_out_of_memory( void )
{
	_exit( bvassimp_exit_out_of_memory );
}
