// Options that say how the hierarchy is built. See setters.h.

#include "offline/options/setters.h"

#include "offline/base/error.h"
#include "offline/base/text_file.h"
#include "offline/fit/volume.h"
#include "offline/options/options.h"

#include <string.h>

enum
{
	most_cost_bytes = 1 << 16, // a matrix has a line for each pair of types
};

static bvb_hierarchy_options* options_of( void* context )
{
	return &( (bvb_build_options*)context )->asset.hierarchy;
}

// Returns bv_volume_types when none has the name.
static int find_type( const char* name, size_t length )
{
	int type = 0;
	while ( type < bv_volume_types )
	{
		const char* known = bv_volume_type_name( (bv_volume_type)type );
		if ( strlen( known ) == length && strncmp( known, name, length ) == 0 )
		{
			break;
		}
		type += 1;
	}
	return type;
}

// One type, several with commas between, or mixed for those that every reader of the format knows.
bv_status bvopt_set_volume( void* context, const char* value, bvb_error* error )
{
	uint32_t* types = &options_of( context )->volume_types;
	*types = 0;
	if ( strcmp( value, "mixed" ) == 0 )
	{
		for ( uint32_t i = 0; i < bv_volume_types; ++i )
		{
			*types |= bvfit_volume_row_of( (bv_volume_type)i )->mixed ? 1u << i : 0;
		}
		return bv_ok;
	}
	for ( const char* name = value;; )
	{
		size_t length = strcspn( name, "," );
		int type = find_type( name, length );
		if ( type == bv_volume_types )
		{
			bvbase_suggestion near = bvbase_suggestion_for( name, length );
			for ( uint32_t i = 0; bvopt_volume_name( i, NULL ); ++i )
			{
				bvbase_suggest( &near, bvopt_volume_name( i, NULL ) );
			}
			return bvopt_fail_unknown( error, "volume", name, (int)length, &near );
		}
		*types |= 1u << type;
		if ( name[length] == 0 )
		{
			return bv_ok;
		}
		name += length + 1;
	}
}

bv_status bvopt_set_cost_matrix( void* context, const char* value, bvb_error* error )
{
	char* text;
	bvb_arena* scratch = bvb_arena_create();
	bv_status status =
		scratch ? bvbase_read_text_file( value, scratch, &text, error ) : bvbase_fail_memory( error );
	size_t size = status == bv_ok ? strlen( text ) : 0;
	if ( size > most_cost_bytes )
	{
		status = bvbase_fail( error, bv_error_input, "%s: too long for a cost matrix", value );
	}
	else if ( status == bv_ok )
	{
		bvb_error wrong;
		status = bvb_costs_parse( text, size, &options_of( context )->costs, &wrong );
		if ( status != bv_ok )
		{
			bvbase_fail( error, status, "%s: %s", value, wrong.message );
		}
	}
	bvb_arena_destroy( scratch );
	return status;
}

bv_status bvopt_set_improvement( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	options_of( context )->degree = 0;
	return bv_ok;
}

bv_status bvopt_check_collapse( void* context, const char* value, bvb_error* error )
{
	(void)value;
	return options_of( context )->collapse == 1
	           ? bvbase_fail( error, bv_error_argument,
	                          "--collapse takes 0, or a whole number from 2 to 8, not 1" )
	           : bv_ok;
}

static const char* summarize_mixed( void )
{
	static _Thread_local char text[160];
	strcpy( text, "all except" );
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		if ( !bvfit_volume_row_of( (bv_volume_type)i )->mixed )
		{
			strcat( strcat( text, " " ), bv_volume_type_name( (bv_volume_type)i ) );
		}
	}
	return strcat( text, "; each node takes the best" );
}

const char* bvopt_volume_name( uint32_t index, const char** summary )
{
	if ( index > bv_volume_types )
	{
		return NULL;
	}
	const char* unused;
	*( summary ? summary : &unused ) =
		index < bv_volume_types ? bvfit_volume_row_of( (bv_volume_type)index )->summary : summarize_mixed();
	return index < bv_volume_types ? bv_volume_type_name( (bv_volume_type)index ) : "mixed";
}
