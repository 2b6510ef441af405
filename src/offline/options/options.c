// Options of a build by name. See bvbuild/options.h and options.h.

#include "offline/options/options.h"

#include "offline/base/error.h"
#include "offline/options/rows.h"
#include "offline/options/settle.h"

#include <string.h>

bv_status bvopt_settle( bvb_build_options* options, bvb_error* error )
{
	bv_status status = bvopt_settle_hierarchy( options, error );
	status = status == bv_ok ? bvopt_add_sections( options, error ) : status;
	if ( status == bv_ok && options->asset.density != 0 && options->asset.mass != 0 )
	{
		status = bvbase_fail( error, bv_error_argument, "--density and --mass exclude each other" );
	}
	status = status == bv_ok ? bvopt_settle_clip( options, error ) : status;
	return status == bv_ok ? bvopt_settle_sections( options, error ) : status;
}

bvb_build_options bvb_build_options_default( void )
{
	return ( bvb_build_options ){ .asset = bvb_asset_options_default(),
		                          .import = bvb_import_options_default() };
}

static bv_status find_row( const char* name, const bvasset_option** out, bvb_error* error )
{
	size_t length = strlen( name );
	*out = bvopt_find( name, length );
	if ( *out )
	{
		return bv_ok;
	}
	bvbase_suggestion near = bvbase_suggestion_for( name, length );
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		bvbase_suggest( &near, bvopt_rows[i].name );
	}
	return bvopt_fail_unknown( error, "option", name, length < 200 ? (int)length : 200, &near );
}

// A command line has checked this before.
static bv_status check_value( const bvasset_option* o, const char* value, bvb_error* error )
{
	if ( value && !bvopt_takes_value( o ) )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes no value", o->name );
	}
	if ( !value && !bvopt_may_lack_value( o ) )
	{
		char argument[bvasset_option_argument_bytes];
		bvopt_get_argument( o, argument, sizeof argument );
		return bvbase_fail( error, bv_error_argument, "--%s needs a value: %s", o->name, argument );
	}
	return bv_ok;
}

// Explicit options win over those of the preset, in any order.
bv_status bvb_build_options_read( const bvb_named_option* options, uint32_t count, bvb_build_options* out,
                                  bvb_error* error )
{
	bvb_build_options read = bvb_build_options_default();
	bv_status status = bv_ok;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
		{
			const bvasset_option* o;
			bool first = strcmp( options[i].name, "preset" ) == 0;
			status = find_row( options[i].name, &o, error );
			status = status == bv_ok ? check_value( o, options[i].value, error ) : status;
			if ( status == bv_ok && first == ( pass == 0 ) )
			{
				status = bvopt_apply( o, &read, options[i].value, error );
			}
		}
	}
	status = status == bv_ok ? bvopt_settle( &read, error ) : status;
	if ( status == bv_ok )
	{
		*out = read;
	}
	return status;
}

void bvb_build_options_set_threads( bvb_build_options* options, uint32_t threads )
{
	options->asset.hierarchy.threads = options->asset.record.threads = options->import.threads = threads;
	options->asset.errors.threads = options->asset.decompose.threads = threads;
}

const char* bvb_build_option_name( uint32_t index, const char** value, const char** help )
{
	static _Thread_local char argument[bvasset_option_argument_bytes];
	if ( index >= (uint32_t)bvopt_row_count )
	{
		return NULL;
	}
	if ( value )
	{
		bvopt_get_argument( bvopt_rows + index, argument, sizeof argument );
		*value = argument;
	}
	if ( help )
	{
		*help = bvopt_rows[index].help;
	}
	return bvopt_rows[index].name;
}
