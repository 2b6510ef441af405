// A whole build in one call. See bvbuild/build.h.

#include "bvbuild/build.h"

#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/job/job.h"
#include "offline/job/objects.h"

#include <stdio.h>
#include <string.h>

const char* bvb_message_kind_name( bvb_message_kind kind )
{
	static const char* const names[] = { "skipped", "gate", "problem", "lost object" };
	return (uint32_t)kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

// Conditions that do not hold.
typedef struct failure_list
{
	const bvjob_gate_failure* failures;
	uint32_t count;
} failure_list;

static bv_status check_gates( const bvb_build_input* input, const bvb_gates* gates,
                              const bvb_build_result* built, bvb_arena* arena, failure_list* out,
                              bvb_error* error )
{
	char* json;
	*out = ( failure_list ){ NULL, 0 };
	if ( gates->count == 0 )
	{
		return bv_ok;
	}
	bv_status status = bvb_report_json_for( built->file, &built->build, gates->conditions, gates->count,
	                                        arena, &json, error );
	status = status == bv_ok ? bvjob_check_gates( gates, json, arena, &out->failures, &out->count, error )
	                         : status;
	for ( uint32_t i = 0; i < out->count && status == bv_ok; ++i )
	{
		const bvjob_gate_failure* f = out->failures + i;
		if ( f->status != bv_ok )
		{
			status = bvbase_fail( error, f->status, "%s: %s%s", input->name,
			                      f->status == bv_error_argument ? "--gate " : "", f->reason );
		}
	}
	return status;
}

static bvb_message_kind kind_of( const bvb_problem* problem )
{
	return strcmp( problem->key, "mesh.skipped" ) == 0 ? bvb_message_skipped : bvb_message_problem;
}

static bv_status list_messages( const bvjob_made* made, const failure_list* gates, bvb_arena* arena,
                                bvb_build_result* out, bvb_error* error )
{
	const bvb_problem* problems = NULL;
	uint32_t problem_count = 0;
	bv_status status = bvb_find_problems( made->file, arena, &problems, &problem_count, error );
	if ( status != bv_ok )
	{
		return status;
	}
	size_t most = (size_t)gates->count + problem_count + made->lost.count;
	bvb_message* messages = bvb_arena_allocate( arena, most, sizeof *messages );
	if ( !messages )
	{
		return bvbase_fail_memory( error );
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < gates->count; ++i )
	{
		messages[count++] = ( bvb_message ){ bvb_message_gate, gates->failures[i].reason, NULL };
	}
	for ( uint32_t i = 0; i < problem_count; ++i )
	{
		const bvb_problem* p = problems + i;
		const char* text = bvjob_copy_line( p->text, arena );
		const char* advice = p->advice ? bvjob_copy_line( p->advice, arena ) : NULL;
		if ( !text || ( p->advice && !advice ) )
		{
			return bvbase_fail_memory( error );
		}
		messages[count++] = ( bvb_message ){ kind_of( p ), text, advice };
	}
	for ( uint32_t i = 0; i < made->lost.count; ++i )
	{
		const char* text = bvjob_lost_text( made->lost.objects + i, arena );
		if ( !text )
		{
			return bvbase_fail_memory( error );
		}
		messages[count++] = ( bvb_message ){ bvb_message_lost_object, text, NULL };
	}
	out->messages = messages;
	out->message_count = count;
	return bv_ok;
}

static void take_time( double start, double before_write, bvb_report_build* build )
{
	build->stages[bvb_stage_write] = ( bvb_stage_use ){ bvbase_clock() - before_write, bvbase_peak_memory() };
	build->total_seconds = bvbase_clock() - start;
	build->peak_memory = build->stages[bvb_stage_write].memory;
}

static bv_status make( const bvjob_source* source, const bvb_build_options* options, double start,
                       bvb_arena* arena, bvjob_made* made, bvb_build_result* out, bvb_error* error )
{
	bvb_asset_options asset = options->asset;
	bv_status status = bvjob_join_patterns( options, arena, &asset.objects, error );
	asset.scene_owner = source->owns_scene ? arena : NULL;
	status =
		status == bv_ok ? bvjob_make( source, &asset, NULL, source->wanted, arena, made, error ) : status;
	if ( status == bv_ok )
	{
		out->bytes = made->bytes;
		out->file = made->file;
		bvjob_take_stages( made, &out->build );
		take_time( start, made->encoding_began, &out->build );
	}
	return status;
}

bv_status bvb_build( const bvb_build_input* input, const bvb_build_options* options, bvb_arena* arena,
                     bvb_build_result* out, bvb_error* error )
{
	double start = bvbase_clock();
	bvb_build_options defaults = bvb_build_options_default();
	options = options ? options : &defaults;
	bvjob_source source;
	bvjob_made made;
	failure_list gates;
	bvb_build_result built = { .passes = true };
	if ( options->asset.progress )
	{
		options->asset.progress( options->asset.progress_context, bvb_stage_import, -1 );
	}
	bv_status status = bvjob_read( input, options, arena, &source, error );
	built.build.stages[bvb_stage_import] = ( bvb_stage_use ){ bvbase_clock() - start, bvbase_peak_memory() };
	status = status == bv_ok ? bvjob_sort_out( &source, options, arena, error ) : status;
	status = status == bv_ok ? make( &source, options, start, arena, &made, &built, error ) : status;
	status = status == bv_ok ? check_gates( input, &options->gates, &built, arena, &gates, error ) : status;
	status = status == bv_ok ? list_messages( &made, &gates, arena, &built, error ) : status;
	if ( status == bv_ok )
	{
		built.passes = gates.count == 0 && !( options->strict && built.message_count > 0 );
		*out = built;
	}
	return status;
}
