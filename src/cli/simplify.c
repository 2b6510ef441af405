// The option --simplify. See simplify.h.

#include "cli/simplify.h"

#include "offline/base/error.h"

bv_status set_simplify( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bvb_tolerance* tolerance = &s->asset.simplify;
	s->has_simplify = true;
	bv_status status = parse_length( "simplify", value, &tolerance->value, &tolerance->percent, error );
	return status == bv_ok && tolerance->percent && tolerance->value > 100
	           ? bvbase_fail( error, bv_error_argument, "--simplify takes at most 100%%, not '%s'", value )
	           : status;
}

bv_status settle_simplify( settings* s, bvb_error* error )
{
	bvb_sections proxy = 1u << bvb_section_proxy;
	if ( s->has_simplify && ( s->left_out_sections & proxy ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--simplify adds the section that --sections -proxy removes" );
	}
	s->asset.sections |= s->has_simplify ? proxy : 0;
	return bv_ok;
}
