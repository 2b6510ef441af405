// Checks of the conditions of --gate. See gate.h.

#include "cli/gate.h"

#include "offline/base/error.h"
#include "offline/job/job.h"

int check_gates( const tool* t, const bvb_gates* gates, const char* path, const char* json, bvb_arena* arena,
                 bvb_error* first )
{
	bvb_error line;
	const bvjob_gate_failure* failures;
	uint32_t count = 0;
	if ( gates->count == 0 )
	{
		return exit_done;
	}
	bv_status status = bvjob_check_gates( gates, json, arena, &failures, &count, &line );
	if ( status != bv_ok )
	{
		bvb_error inner = line;
		bvbase_fail( &line, status, "the report: %s", inner.message );
		*first = line;
		return complain( t, &line, exit_code( status ) );
	}
	int code = exit_done;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvjob_gate_failure* f = failures + i;
		bvbase_fail( &line, f->status, "%s: %s%s", path, f->status == bv_error_argument ? "--gate " : "",
		             f->reason );
		*first = i == 0 ? line : *first;
		int one = complain( t, &line, f->status == bv_ok ? exit_gate : exit_code( f->status ) );
		code = one > code ? one : code;
	}
	return code;
}
