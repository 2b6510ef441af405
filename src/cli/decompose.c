// Options that say how convex parts are made. See decompose.h.

#include "cli/decompose.h"

#include "offline/base/error.h"

static bvb_decompose_options* options_of( void* context, const char* name )
{
	( (settings*)context )->decompose_option = name;
	return &( (settings*)context )->asset.decompose;
}

bv_status set_decompose( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bvb_tolerance* tolerance = &s->asset.stand_off;
	s->has_decompose = true;
	if ( !value )
	{
		*tolerance = bvb_asset_options_default().stand_off;
		return bv_ok;
	}
	bv_status status = parse_length( "decompose", value, &tolerance->value, &tolerance->percent, error );
	if ( status == bv_ok && tolerance->percent && tolerance->value > 100 )
	{
		status = bvbase_fail( error, bv_error_argument, "--decompose takes at most 100%%, not '%s'", value );
	}
	return status;
}

bv_status set_decomposer( void* context, const char* value, bvb_error* error )
{
	return parse_name( "decomposer", value, bvb_decomposer_name, &options_of( context, "decomposer" )->method,
	                   error );
}

bv_status set_decompose_mode( void* context, const char* value, bvb_error* error )
{
	uint32_t mode = 0;
	bv_status status = parse_word( "decompose-mode", value, bvb_decompose_mode_name, &mode, error );
	options_of( context, "decompose-mode" )->mode = (bvb_decompose_mode)mode;
	return status;
}

bv_status set_max_parts( void* context, const char* value, bvb_error* error )
{
	return parse_integer( "max-parts", value, 1, BVB_MAX_PARTS,
	                      &options_of( context, "max-parts" )->max_parts, error );
}

bv_status set_max_part_vertices( void* context, const char* value, bvb_error* error )
{
	return parse_integer( "max-part-vertices", value, 4, BVB_MAX_PART_VERTICES,
	                      &options_of( context, "max-part-vertices" )->max_vertices, error );
}

bv_status set_min_thickness( void* context, const char* value, bvb_error* error )
{
	return parse_distance( "min-thickness", value, &options_of( context, "min-thickness" )->min_thickness,
	                       error );
}

bv_status set_probe_radius( void* context, const char* value, bvb_error* error )
{
	return parse_distance( "probe-radius", value, &options_of( context, "probe-radius" )->probe_radius,
	                       error );
}

bv_status set_decompose_effort( void* context, const char* value, bvb_error* error )
{
	return parse_integer( "decompose-effort", value, 0, BVB_MAX_DECOMPOSE_EFFORT,
	                      &options_of( context, "decompose-effort" )->effort, error );
}

bv_status set_time_budget( void* context, const char* value, bvb_error* error )
{
	double* budget = &options_of( context, "time-budget" )->time_budget;
	bv_status status = parse_distance( "time-budget", value, budget, error );
	return status == bv_ok && *budget > 1e6
	           ? bvbase_fail( error, bv_error_argument, "--time-budget takes at most 1000000 seconds" )
	           : status;
}

bv_status settle_decompose( settings* s, bvb_error* error )
{
	bvb_sections parts = 1u << bvb_section_parts;
	if ( s->has_decompose && ( s->left_out_sections & parts ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--decompose adds the section that --sections -parts removes" );
	}
	s->asset.sections |= s->has_decompose ? parts : 0;
	if ( s->decompose_option && !( s->asset.sections & parts ) )
	{
		return bvbase_fail( error, bv_error_argument, "--%s needs --decompose", s->decompose_option );
	}
	return bv_ok;
}
