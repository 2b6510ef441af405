// The ends of the child process. See transport.h.

#include "formats/assimp/transport.h"

#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Noreturn void bvassimp_leave( int result, const bvassimp_report* r )
{
	const char* bytes = (const char*)r;
	for ( size_t done = 0; done < sizeof *r; )
	{
		int64_t count = bvbase_file_write_at( result, bytes + done, sizeof *r - done, done );
		if ( count < 0 && errno != EINTR )
		{
			bvbase_program_leave( errno == ENOSPC || errno == ENOMEM ? bvassimp_exit_out_of_memory
			                                                         : bvassimp_exit_unable );
		}
		done += count > 0 ? (size_t)count : 0;
	}

	// Neither the parent's exit handlers nor Assimp's destructors are to run.
	bvbase_program_leave( bvassimp_exit_reported );
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
	bvbase_program_leave( bvassimp_exit_out_of_memory );
}
