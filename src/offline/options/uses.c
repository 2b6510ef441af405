// Which options were given. See options.h.

#include "offline/options/options.h"
#include "offline/options/rows.h"

#include <string.h>

const bvasset_option* bvopt_find( const char* name, size_t length )
{
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		const bvasset_option* o = bvopt_rows + i;
		const char* const known[] = { o->name, o->old_name };
		for ( int k = 0; k < 2; ++k )
		{
			if ( known[k] && strlen( known[k] ) == length && memcmp( known[k], name, length ) == 0 )
			{
				return o;
			}
		}
	}
	return NULL;
}

bv_status bvopt_apply( const bvasset_option* o, bvb_build_options* options, const char* value,
                       bvb_error* error )
{
	int index = (int)( o - bvopt_rows );
	options->uses[index].order = ++options->use_count;
	options->uses[index].value = value;
	return bvopt_store_value( o, options, value, error );
}

// The index of the option that is stored there.
static int find_use( const bvb_build_options* options, const void* value )
{
	size_t offset = (size_t)( (const char*)value - (const char*)options );
	int index = 0;
	while ( bvopt_rows[index].offset != offset )
	{
		++index;
	}
	return index;
}

bool bvopt_is_given( const bvb_build_options* options, const void* value )
{
	return options->uses[find_use( options, value )].order > 0;
}

const char* bvopt_get_given( const bvb_build_options* options, const void* value )
{
	int use = find_use( options, value );
	return options->uses[use].order > 0 ? options->uses[use].value : NULL;
}

const char* bvopt_get_file( const bvb_build_options* options, int index )
{
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		if ( bvopt_rows[i].reads && options->uses[i].order > 0 && index-- == 0 )
		{
			return options->uses[i].value;
		}
	}
	return NULL;
}
