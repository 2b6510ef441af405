// Names of output files. See outputs.h.

#include "cli/outputs.h"

#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_same_file( const char* a, const char* b )
{
	bvbase_file_state sa;
	bvbase_file_state sb;
	return bvbase_path_get_state( a, &sa ) && bvbase_path_get_state( b, &sb ) && sa.number == sb.number &&
	       sa.device == sb.device;
}

bool is_stdout( const char* output )
{
	return strcmp( output, "-" ) == 0;
}

bool has_extension( const char* path, const char* extension )
{
	size_t length = strlen( path );
	size_t wanted = strlen( extension );
	return length > wanted && strcmp( path + length - wanted, extension ) == 0;
}

char* output_in_folder( const char* folder, const char* input, const char* item, bool full, bvb_arena* arena )
{
	const char* name = bvbase_path_name( input );
	const char* dot = strrchr( name, '.' );
	int length = dot && dot != name && !full ? (int)( dot - name ) : (int)strlen( name );
	size_t size = strlen( folder ) + (size_t)length + ( item ? strlen( item ) : 0 ) + sizeof "/..bvh";
	char* path = bvb_arena_allocate( arena, size, 1 );
	if ( path )
	{
		snprintf( path, size, "%s/%.*s%s%s.bvh", folder, length, name, item ? "." : "", item ? item : "" );
	}
	return path;
}

// The item's name, or its number if it has none, without what file systems do not like.
static char* make_file_name( const bvb_items* items, uint32_t item, bvb_arena* arena )
{
	enum
	{
		longest = 150,
	};
	char* name = bvb_arena_allocate( arena, longest + 32, 1 );
	if ( !name )
	{
		return NULL;
	}
	const char* source = items->items[item].name;
	size_t length = strlen( source );
	if ( length > longest )
	{
		// Not within a character.
		for ( length = longest; length > 0 && ( source[length] & 0xc0 ) == 0x80; --length )
		{
		}
	}
	memcpy( name, source, length );
	for ( char* c = name; *c; ++c )
	{
		*c = *c == '/' || *c == '\\' || (unsigned char)*c < 0x20 || *c == 0x7f ? '_' : *c;
	}
	if ( length == 0 )
	{
		snprintf( name, 32, "%u", item + 1 );
	}
	return name;
}

// An item that becomes a file.
typedef struct named_item
{
	const char* base; // made of the item's name; several may be equal
	char* name;       // of the file; no two are equal
	uint32_t item;
} named_item;

static int compare_named_items( const void* a, const void* b )
{
	const named_item* x = a;
	const named_item* y = b;
	int order = strcmp( x->base, y->base );
	return order ? order : ( x->item > y->item ) - ( x->item < y->item );
}

static bool is_base( const named_item* sorted, uint32_t count, const char* name )
{
	uint32_t first = 0;
	for ( uint32_t end = count; first < end; )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( strcmp( sorted[middle].base, name ) < 0 )
		{
			first = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return first < count && strcmp( sorted[first].base, name ) == 0;
}

// The first of equal names keeps it. Two that get a number are never the same: what stands before their last
// dots differs, or the numbers do.
static bool number_equal_names( named_item* sorted, uint32_t count, bvb_arena* arena )
{
	uint32_t number = 1;
	for ( uint32_t i = 1; i < count; ++i )
	{
		if ( strcmp( sorted[i].base, sorted[i - 1].base ) != 0 )
		{
			number = 1;
			continue;
		}
		size_t size = strlen( sorted[i].base ) + 16;
		sorted[i].name = bvb_arena_allocate( arena, size, 1 );
		if ( !sorted[i].name )
		{
			return false;
		}
		do
		{
			snprintf( sorted[i].name, size, "%s.%u", sorted[i].base, ++number );
		} while ( is_base( sorted, count, sorted[i].name ) );
	}
	return true;
}

bool make_distinct( const char* const* names, uint32_t count, bvb_arena* arena, char** out )
{
	named_item* sorted = bvb_arena_allocate( arena, count, sizeof *sorted );
	for ( uint32_t i = 0; sorted && i < count; ++i )
	{
		char* name = bvb_arena_allocate( arena, strlen( names[i] ) + 1, 1 );
		if ( !name )
		{
			return false;
		}
		sorted[i] = ( named_item ){ names[i], strcpy( name, names[i] ), i };
	}
	if ( !sorted )
	{
		return false;
	}
	qsort( sorted, count, sizeof *sorted, compare_named_items );
	bool complete = number_equal_names( sorted, count, arena );
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[sorted[i].item] = sorted[i].name;
	}
	return complete;
}

// @param names  receives the name of each item's file; null for those that become none
static bool name_items( const bvb_items* items, const bool* wanted, bvb_arena* arena, char** names,
                        uint32_t* count )
{
	named_item* sorted = bvb_arena_allocate( arena, items->count, sizeof *sorted );
	*count = 0;
	for ( uint32_t i = 0; sorted && i < items->count; ++i )
	{
		if ( ( wanted && !wanted[i] ) || items->items[i].triangles == 0 )
		{
			continue;
		}
		char* name = make_file_name( items, i, arena );
		if ( !name )
		{
			return false;
		}
		sorted[( *count )++] = ( named_item ){ name, name, i };
	}
	if ( !sorted )
	{
		return false;
	}
	qsort( sorted, *count, sizeof *sorted, compare_named_items );
	bool complete = number_equal_names( sorted, *count, arena );
	for ( uint32_t i = 0; i < *count; ++i )
	{
		names[sorted[i].item] = sorted[i].name;
	}
	return complete;
}

static int compare_paths( const void* a, const void* b )
{
	return strcmp( *(char* const*)a, *(char* const*)b );
}

// @return the earlier input that has this file, or null
static const char* find_owner( const split_files* before, const char* path )
{
	for ( ; before; before = before->before )
	{
		if ( bsearch( &path, before->sorted, before->count, sizeof *before->sorted, compare_paths ) )
		{
			return before->input;
		}
	}
	return NULL;
}

bv_status name_split_files( const bvb_items* items, const bool* wanted, const char* folder, const char* input,
                            bool full, const split_files* before, bvb_arena* arena, split_files* out,
                            bvb_error* error )
{
	char** names = bvb_arena_allocate( arena, items->count, sizeof *names );
	*out = ( split_files ){
		.input = input,
		.paths = bvb_arena_allocate( arena, items->count, sizeof *out->paths ),
		.sorted = bvb_arena_allocate( arena, items->count, sizeof *out->sorted ),
		.before = before,
	};
	if ( !names || !out->paths || !out->sorted || !name_items( items, wanted, arena, names, &out->count ) )
	{
		return bvbase_fail_memory( error );
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < items->count; ++i )
	{
		if ( !names[i] )
		{
			continue;
		}
		char* path = output_in_folder( folder, input, names[i], full, arena );
		if ( !path )
		{
			return bvbase_fail_memory( error );
		}
		const char* owner = find_owner( before, path );
		if ( owner )
		{
			return bvbase_fail( error, bv_error_argument,
			                    "%s: object '%s' would be written to %s, as would one of %s", input,
			                    items->items[i].name, path, owner );
		}
		out->paths[i] = out->sorted[count++] = path;
	}
	qsort( out->sorted, count, sizeof *out->sorted, compare_paths );
	return bv_ok;
}
