// Runs qhull. See run_qhull.h.

#include "offline/hull/run_qhull.h"

#include "offline/base/system.h"

#include <stdio.h>

static bv_status run( const bv_vec3* points, uint32_t count, const char* command, bvhull_qhull_reader* reader,
                      void* context, bvb_arena* scratch )
{
	// qhull writes what it finds wrong to a stream and can't be told not to.
	FILE* nowhere = bvbase_stream_nowhere();
	qhT* qh = bvb_arena_allocate( scratch, 1, sizeof *qh );
	if ( !nowhere || !qh )
	{
		if ( nowhere )
		{
			fclose( nowhere );
		}
		return bv_error_memory;
	}
	char writable[48];
	snprintf( writable, sizeof writable, "%s", command );
	qh_zero( qh, nowhere );
	int result = qh_new_qhull( qh, 3, (int)count, (coordT*)points, False, writable, NULL, nowhere );
	bv_status status = result == qh_ERRnone ? bv_ok : result == qh_ERRmem ? bv_error_memory : bv_error_limit;
	status = status == bv_ok ? reader( qh, context ) : status;
	int long_count;
	int long_total;
	qh_freeqhull( qh, !qh_ALL );
	qh_memfreeshort( qh, &long_count, &long_total );
	fclose( nowhere );
	return status;
}

bv_status bvhull_run_qhull( const bv_vec3* points, uint32_t count,
                            const char* const commands[bvhull_qhull_commands], bvhull_qhull_reader* reader,
                            void* context, bvb_arena* scratch )
{
	bv_status status = bv_error_limit;
	for ( int i = 0; i < bvhull_qhull_commands && status == bv_error_limit; ++i )
	{
		status = run( points, count, commands[i], reader, context, scratch );
	}
	return status;
}
