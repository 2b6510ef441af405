// Assimp in a child process: its crashes, endless loops and appetite for memory end there. See assimp.h.
//
// The child imports within its limits, flattens the scene and leaves it in an anonymous file. The parent waits
// as long as it may, and believes nothing of what it finds there. Of Assimp only what its library does when it
// is loaded runs in the parent: once, where each forked child would do it again.

#include "formats/assimp/assimp.h"

#include "formats/assimp/transport.h"
#include "offline/base/error.h"
#include "offline/base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bv_status start( const char* path, const char* extension, const bvb_import_options* options,
                        bvbase_child* out, bvb_error* error )
{
	size_t size = sizeof( bvassimp_request ) + strlen( path ) + 1;
	bvassimp_request* request = calloc( size, 1 );
	if ( !request )
	{
		return bvbase_fail_memory( error );
	}
	snprintf( request->extension, sizeof request->extension, "%s", extension );
	request->animated = options->clip.name;
	snprintf( request->clip, sizeof request->clip, "%s", options->clip.name ? options->clip.name : "" );
	strcpy( (char*)( request + 1 ), path );
	const bvbase_limits limits = {
		.seconds = options->timeout,
		.memory_bytes = bvassimp_limits_memory() ? options->memory_bytes : UINT64_MAX,
	};
	bool started = bvbase_child_start( &bvassimp_task, request, size, &limits, out );
	int reason = errno;
	free( request );
	return started ? bv_ok
	               : bvbase_fail( error, bv_error_memory, "%s: cannot start the importer: %s", path,
	                              strerror( reason ) );
}

static bv_status fail_timeout( const char* path, double timeout, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input,
	                    "%s: the importer exceeded the time limit of %g s (raise it with --import-timeout)",
	                    path, timeout );
}

bv_status bvassimp_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                                bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	bvbase_child c;
	bvassimp_library library;
	if ( !bvassimp_load( &library ) )
	{
		return bvbase_fail( error, bv_error_unsupported,
		                    "%s: .%s is read by Assimp, which cannot be loaded: %s", path, extension,
		                    bvassimp_load_error() );
	}
	bv_status status = start( path, extension, options, &c, error );
	if ( status != bv_ok )
	{
		return status;
	}
	int code;
	char text[80];
	bvbase_ending end = bvbase_child_wait( &c, options->timeout, &code );
	if ( end == bvbase_ending_timeout )
	{
		status = fail_timeout( path, options->timeout, error );
	}
	else if ( end == bvbase_ending_unknown ||
	          ( end == bvbase_ending_exit && code == bvassimp_exit_reported ) )
	{
		status = bvassimp_take( path, extension, c.result, arena, out, error );
		if ( status == bv_ok && options->clip.name )
		{
			status = bvassimp_take_clip( path, c.result, options, arena, out, error );
		}
	}
	else if ( end == bvbase_ending_crash )
	{
		status = bvbase_fail( error, bv_error_input, "%s: the importer crashed (%s)", path,
		                      bvbase_ending_describe( code, text ) );
	}
	else if ( end == bvbase_ending_memory || code == bvassimp_exit_out_of_memory )
	{
		status = bvbase_fail( error, bv_error_input, "%s: the importer ran out of memory (limit %g MiB)",
		                      path, (double)options->memory_bytes / 1048576 );
	}
	else
	{
		status =
			bvbase_fail( error, bv_error_input, "%s: the importer crashed (exit status %d)", path, code );
	}
	bvbase_child_close( &c );
	return status;
}
