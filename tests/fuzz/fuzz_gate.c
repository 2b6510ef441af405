// libFuzzer target: any text as a condition on a report, and any text as the report. Up to the first line break stands the
// condition; what follows is the report, or, if that is empty, a fixed one.

#include "bvbuild/report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static const char fixed[] =
	"{\"a\":{\"b\":[{\"c\":1,\"d\":null},{\"c\":2,\"d\":\"x\"}],\"e\":[]},\"n\":-0.5,\"s\":\"t\",\"t\":true,"
	"\"z\":null,\"degrees\":{\"2\":3},\"l\":[[1,2],null,[3]]}";

static void check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

static void ask( const bvb_report* report, const char* condition, size_t memory )
{
	bvb_arena* arena = bvb_arena_create_limited( memory );
	bvb_error error = { "" };
	bvb_error reason = { "" };
	bool holds = false;
	if ( !arena )
	{
		return;
	}
	bv_status syntax = bvb_expression_check( condition, arena, &error );
	bv_status gate = bvb_report_gate( report, condition, arena, &holds, &reason );
	check( syntax == bv_ok || syntax == bv_error_argument || syntax == bv_error_memory );
	check( gate == bv_ok || gate == bv_error_argument || gate == bv_error_memory );

	// What is no expression is none with any report, and what does not hold has a reason, in one line.
	check( syntax != bv_error_argument || gate != bv_ok );
	check( !holds || gate == bv_ok );
	check( ( gate == bv_ok && holds ) || reason.message[0] );
	check( !strchr( reason.message, '\n' ) );

	bvb_value value;
	bv_status status = bvb_report_evaluate( report, condition, arena, &value, &error );
	check( gate != bv_ok || status != bv_error_argument );
	if ( status == bv_ok && gate == bv_ok )
	{
		check( value.kind == bvb_value_null || value.kind == bvb_value_truth );
		check( holds == ( value.kind == bvb_value_truth && value.number != 0 ) );
	}
	bvb_arena_destroy( arena );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	char* text = malloc( size + 1 );
	memcpy( text, data, size );
	text[size] = 0;
	char* document = strchr( text, '\n' );
	if ( document )
	{
		*document++ = 0;
	}
	bvb_report* report;
	bvb_error error;
	if ( bvb_report_read( document && *document ? document : fixed, &report, &error ) == bv_ok )
	{
		ask( report, text, (size_t)1 << 24 );
		ask( report, text, 1000 );
	}
	bvb_report_free( report );
	free( text );
	return 0;
}
