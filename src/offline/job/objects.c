// Selection of objects by patterns. See objects.h.

#include "offline/job/objects.h"

#include "offline/base/error.h"
#include "offline/base/match.h"

#include <string.h>

static bool matches_any( const bvb_build_options* options, const char* name, bool* used )
{
	bool any = false;
	for ( uint32_t i = 0; i < options->object_count; ++i )
	{
		bool match = bvbase_match( options->objects[i], name, false );
		used[i] = used[i] || match;
		any = any || match;
	}
	return any;
}

bv_status bvjob_select_objects( const bvb_scene* scene, const bvb_items* items,
                                const bvb_build_options* options, const char* name, bvb_arena* arena,
                                bool** wanted, bvb_error* error )
{
	*wanted = NULL;
	if ( options->object_count == 0 )
	{
		return bv_ok;
	}
	*wanted = bvb_arena_allocate( arena, items->count, sizeof **wanted );
	if ( !*wanted )
	{
		return bvbase_fail_memory( error );
	}
	bool used[BVB_MAX_OBJECT_PATTERNS] = { false };
	for ( uint32_t i = 0; i < items->count; ++i )
	{
		( *wanted )[i] = matches_any( options, items->items[i].name, used );
	}
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		uint32_t item = items->item[i];
		if ( item != BVB_NO_NAME && matches_any( options, scene->objects[i], used ) )
		{
			( *wanted )[item] = true;
		}
	}
	for ( uint32_t i = 0; i < options->object_count; ++i )
	{
		if ( !used[i] )
		{
			return bvbase_fail( error, bv_error_input,
			                    "%s: no object matches '%s' (--list-objects lists all)", name,
			                    options->objects[i] );
		}
	}
	return bv_ok;
}

static char* put_pattern( char* to, const char* pattern )
{
	bool escaped = false;
	for ( ; *pattern; ++pattern )
	{
		if ( *pattern == ',' && !escaped )
		{
			*to++ = '\\';
		}
		escaped = *pattern == '\\' && !escaped;
		*to++ = *pattern;
	}
	return to;
}

bv_status bvjob_join_patterns( const bvb_build_options* options, bvb_arena* arena, const char** out,
                               bvb_error* error )
{
	size_t size = 1;
	*out = NULL;
	if ( options->object_count == 0 )
	{
		return bv_ok;
	}
	for ( uint32_t i = 0; i < options->object_count; ++i )
	{
		size += 2 * strlen( options->objects[i] ) + 1;
	}
	char* text = bvb_arena_allocate( arena, size, 1 );
	if ( !text )
	{
		return bvbase_fail_memory( error );
	}
	char* to = text;
	for ( uint32_t i = 0; i < options->object_count; ++i )
	{
		if ( i > 0 )
		{
			*to++ = ',';
		}
		to = put_pattern( to, options->objects[i] );
	}
	*out = text;
	return bv_ok;
}
