// Options of an input that are more than a stored value. See setters.h.

#include "offline/options/setters.h"

#include "bvbuild/report.h"
#include "offline/base/error.h"
#include "offline/options/options.h"

#include <string.h>

bv_status bvopt_add_object( void* context, const char* value, bvb_error* error )
{
	bvb_build_options* o = context;
	if ( o->object_count == BVB_MAX_OBJECT_PATTERNS )
	{
		return bvbase_fail( error, bv_error_argument, "--object can be given %d times",
		                    BVB_MAX_OBJECT_PATTERNS );
	}
	o->objects[o->object_count++] = value;
	return bv_ok;
}

bv_status bvopt_take_gate( bvb_gates* gates, const char* value, bvb_error* error )
{
	bvb_error inner;
	if ( gates->count == BVB_MAX_GATES )
	{
		return bvbase_fail( error, bv_error_argument, "--gate can be given %d times", BVB_MAX_GATES );
	}
	bvb_arena* scratch = bvb_arena_create();
	bv_status status =
		scratch ? bvb_expression_check( value, scratch, &inner ) : bvbase_fail_memory( &inner );
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		return bvbase_fail( error, status, "%s%s", status == bv_error_argument ? "--gate " : "",
		                    inner.message );
	}
	gates->conditions[gates->count++] = value;
	return bv_ok;
}

bv_status bvopt_add_gate( void* context, const char* value, bvb_error* error )
{
	return bvopt_take_gate( &( (bvb_build_options*)context )->gates, value, error );
}

bv_status bvopt_set_preset( void* context, const char* value, bvb_error* error )
{
	return bvb_preset_options( value, &( (bvb_build_options*)context )->asset )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_internal, "--preset %s has no options", value );
}

// The floor of the errors depends on their tolerance.
bv_status bvopt_set_floor( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	bvb_build_options* o = context;
	bvb_tree_errors_to( &o->asset.errors, o->asset.errors.relative );
	return bv_ok;
}

// Without a value, the default.
bv_status bvopt_set_decompose( void* context, const char* value, bvb_error* error )
{
	(void)error;
	bvb_build_options* o = context;
	o->asset.stand_off = value ? o->asset.stand_off : bvb_asset_options_default().stand_off;
	return bv_ok;
}

bv_status bvopt_check_clip( void* context, const char* value, bvb_error* error )
{
	(void)context;
	size_t length = strlen( value );
	return length > 0 && length <= BVB_MAX_CLIP_NAME
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument, "--clip takes a name of 1 to %d bytes, a number or *",
	                          BVB_MAX_CLIP_NAME );
}
