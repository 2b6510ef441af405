// What options of a clip mean together. See settle.h.

#include "offline/base/error.h"
#include "offline/options/settle.h"

bv_status bvopt_settle_clip( const bvb_build_options* s, bvb_error* error )
{
	const bvb_clip_options* o = &s->asset.clip;
	const char* wrong = NULL;
	if ( o->name && s->asset.record.weld > 0 )
	{
		wrong =
			"--clip and --weld exclude each other: only vertices that are equal at all samples are merged";
	}
	else if ( o->name && s->asset.record.drop_non_finite )
	{
		wrong = "--clip and --drop-non-finite exclude each other";
	}
	else if ( o->name && !( s->asset.sections >> bvb_section_tree & 1 ) )
	{
		wrong = "--clip needs the hierarchy, which --sections removes";
	}
	else if ( o->name && bvb_clip_segment_count( o ) >= bvb_clip_sample_count( o ) )
	{
		wrong = "--clip-segments must be less than --samples (60 by default)";
	}
	return wrong ? bvbase_fail( error, bv_error_argument, "%s", wrong ) : bv_ok;
}
