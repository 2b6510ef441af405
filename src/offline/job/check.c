// What is to be said of a finished file. See job.h.

#include "offline/base/error.h"
#include "offline/job/job.h"

#include <stdio.h>
#include <string.h>

const char* bvjob_copy_line( const char* text, bvb_arena* arena )
{
	bvb_error line;
	bvbase_fail( &line, bv_ok, "%s", text );
	size_t size = strlen( line.message ) + 1;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	return copy ? memcpy( copy, line.message, size ) : NULL;
}

bv_status bvjob_check_gates( const bvb_gates* gates, const char* json, bvb_arena* arena,
                             const bvjob_gate_failure** failures, uint32_t* count, bvb_error* error )
{
	bvb_report* report = NULL;
	bvjob_gate_failure* found = bvb_arena_allocate( arena, gates->count, sizeof *found );
	bv_status status = found ? bvb_report_read( json, &report, error ) : bvbase_fail_memory( error );
	*failures = found;
	*count = 0;
	for ( uint32_t i = 0; i < gates->count && status == bv_ok; ++i )
	{
		bvb_error reason;
		bool holds = false;
		bv_status own = bvb_report_gate( report, gates->conditions[i], arena, &holds, &reason );
		if ( own != bv_ok || !holds )
		{
			const char* text = bvjob_copy_line( reason.message, arena );
			status = text ? bv_ok : bvbase_fail_memory( error );
			found[( *count )++] = ( bvjob_gate_failure ){ own, text };
		}
	}
	bvb_report_free( report );
	return status;
}

const char* bvjob_lost_text( const bvjob_lost_object* lost, bvb_arena* arena )
{
	char text[400];
	bool one = lost->triangles == 1;
	snprintf( text, sizeof text,
	          "nothing is left of object '%.200s': %s without an area, equal to %s, or not finite",
	          lost->name, one ? "its triangle is" : "all of its triangles are", one ? "another" : "others" );
	return bvjob_copy_line( text, arena );
}
