// The option --gate. See gate.h.

#include "cli/gate.h"

#include "offline/base/error.h"

// Errors name the option, or the file.
static bv_status name( const char* what, bv_status status, bvb_error* error )
{
	bvb_error inner = *error;
	return bvbase_fail( error, status, "%s%s", what, inner.message );
}

bv_status add_gate( gate_settings* s, const char* value, bvb_error* error )
{
	if ( s->count == max_gates )
	{
		return bvbase_fail( error, bv_error_argument, "--gate can be given %d times", max_gates );
	}
	bvb_arena* scratch = bvb_arena_create();
	bv_status status = scratch ? bvb_expression_check( value, scratch, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	s->conditions[s->count++] = value;
	return status == bv_error_argument ? name( "--gate ", status, error ) : status;
}

static int check_gate( const tool* t, const char* condition, const char* path, const bvb_report* report,
                       bvb_arena* arena, bvb_error* reason )
{
	bool holds;
	bv_status status = bvb_report_gate( report, condition, arena, &holds, reason );
	if ( status == bv_ok && holds )
	{
		return exit_done;
	}
	bvb_error inner = *reason;
	bvbase_fail( reason, status, "%s: %s%s", path, status == bv_error_argument ? "--gate " : "",
	             inner.message );
	return complain( t, reason, status == bv_ok ? exit_gate : exit_code( status ) );
}

int check_gates( const tool* t, const gate_settings* s, const char* path, const char* json, bvb_arena* arena,
                 bvb_error* first )
{
	bvb_error error;
	bvb_report* report;
	if ( s->count == 0 )
	{
		return exit_done;
	}
	bv_status status = bvb_report_read( json, &report, &error );
	if ( status != bv_ok )
	{
		name( "the report: ", status, &error );
		*first = error;
		return complain( t, &error, exit_code( status ) );
	}
	int code = exit_done;
	for ( int i = 0; i < s->count; ++i )
	{
		int one = check_gate( t, s->conditions[i], path, report, arena, &error );
		*first = one != exit_done && code == exit_done ? error : *first;
		code = one > code ? one : code;
	}
	bvb_report_free( report );
	return code;
}
