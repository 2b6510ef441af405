// What a .bvh file says in words: where it came from, how it was made, which can be taken apart again, and
// the names of objects, groups and materials.

#include "formats/bvh/write.h"
#include "offline/base/arena.h"
#include "offline/base/clean.h"
#include "offline/base/error.h"

#include <stdio.h>
#include <string.h>

static bool clean_text( const char* source, bvb_arena* arena, bvfmt_text* out )
{
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, 3 * strlen( source ), 1 ), 0 };
	out->length = out->data ? bvbase_clean_text( source, out->data ) : 0;
	return out->data;
}

// "skipped=3 line 7: face has 2 corners" and a line feed; nothing without losses.
static bool collect_losses( const bvb_source* source, bvb_arena* arena, bvfmt_text* out )
{
	bvfmt_text first;
	if ( !clean_text( source->warning ? source->warning : "", arena, &first ) )
	{
		return false;
	}
	size_t room = first.length + 48;
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, room, 1 ), 0 };
	if ( out->data && source->losses > 0 )
	{
		out->length = (size_t)snprintf( out->data, room, BVB_SKIPPED_PARAMETER "=%llu %.*s\n",
		                                (unsigned long long)source->losses, (int)first.length, first.data );
	}
	return out->data;
}

static char* append( char* to, bvfmt_text t )
{
	memcpy( to, t.data, t.length );
	return to + t.length;
}

// The parameters of a file: the options, what the import skipped, then the side files.
static bool collect_parameters( const bvb_asset* asset, bvb_arena* arena, bvfmt_text* out )
{
	bv_text options;
	bv_text files;
	bvfmt_text losses;
	if ( bvb_asset_parameters( &asset->options, arena, &options ) != bv_ok ||
	     bvb_side_files_text( &asset->source.side_files, arena, &files ) != bv_ok ||
	     !collect_losses( &asset->source, arena, &losses ) )
	{
		return false;
	}
	*out = ( bvfmt_text ){ bvb_arena_allocate( arena, options.length + losses.length + files.length, 1 ), 0 };
	if ( !out->data )
	{
		return false;
	}
	memcpy( out->data, options.data, options.length );
	memcpy( append( out->data + options.length, losses ), files.data, files.length );
	out->length = options.length + losses.length + files.length;
	return true;
}

static bool collect_names( const bvb_source_map* origin, bvb_arena* arena, bvfmt_texts* out )
{
	out->name_bytes = 0;
	out->names = bvb_arena_allocate( arena, origin->name_count, sizeof *out->names );
	for ( uint32_t i = 0; out->names && i < origin->name_count; ++i )
	{
		if ( !clean_text( origin->names[i], arena, &out->names[i] ) )
		{
			return false;
		}
		out->name_bytes += out->names[i].length;
	}
	return out->names;
}

bv_status bvfmt_prepare_origin( bvfmt_writing* w, bvb_error* error )
{
	const bvb_asset* asset = w->asset;
	bvfmt_texts* out = &w->texts;
	return collect_names( &asset->origin, w->arena, out ) &&
	               clean_text( "bvbuild " BV_VERSION, w->arena, &out->tool ) &&
	               clean_text( asset->source.name, w->arena, &out->name ) &&
	               clean_text( asset->source.format, w->arena, &out->format ) &&
	               collect_parameters( asset, w->arena, &out->parameters )
	           ? bv_ok
	           : bvbase_fail_memory( error );
}

bv_status bvfmt_prepare_source( bvfmt_writing* w, bvb_error* error )
{
	return w->texts.name_bytes > UINT32_MAX
	           ? bvbase_fail( error, bv_error_limit,
	                          "the names of objects, groups and materials are too long" )
	           : bv_ok;
}

uint64_t bvfmt_size_source( const bvfmt_writing* w )
{
	const bvb_source_map* origin = &w->asset->origin;
	return origin->faces
	           ? sizeof( bvfile_source ) +
	                 sizeof( uint32_t ) * ( origin->name_count + 3 * (uint64_t)origin->combination_count +
	                                        2 * (uint64_t)w->mesh.triangles ) +
	                 w->texts.name_bytes
	           : 0;
}

uint64_t bvfmt_size_origin( const bvfmt_writing* w )
{
	const bvfmt_texts* t = &w->texts;
	return sizeof( bvfile_origin ) + t->tool.length + t->name.length + t->format.length +
	       t->parameters.length;
}

bv_status bvfmt_write_origin( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bvfmt_texts* t = &w->texts;
	bvfile_origin* out = section;
	memcpy( out->source_hash, w->asset->source.hash, sizeof out->source_hash );
	out->tool_bytes = (uint32_t)t->tool.length;
	out->name_bytes = (uint32_t)t->name.length;
	out->format_bytes = (uint32_t)t->format.length;
	out->parameter_bytes = (uint32_t)t->parameters.length;
	char* to = (char*)( out + 1 );
	append( append( append( append( to, t->tool ), t->name ), t->format ), t->parameters );
	return bv_ok;
}

bv_status bvfmt_write_source( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bvfmt_texts* t = &w->texts;
	const bvb_source_map* origin = &w->asset->origin;
	uint32_t triangles = w->mesh.triangles;
	bvfile_source* head = section;
	*head = ( bvfile_source ){ origin->name_count, origin->combination_count, (uint32_t)t->name_bytes, 0 };
	uint32_t* to = (uint32_t*)( head + 1 );
	uint32_t end = 0;
	for ( uint32_t i = 0; i < origin->name_count; ++i )
	{
		end += (uint32_t)t->names[i].length;
		*to++ = end;
	}
	memcpy( to, origin->combinations, origin->combination_count * sizeof *origin->combinations );
	to += 3 * (size_t)origin->combination_count;
	memcpy( to, origin->faces, triangles * sizeof *to );
	to += triangles;
	memcpy( to, origin->combination, triangles * sizeof *to );
	char* names = (char*)( to + triangles );
	for ( uint32_t i = 0; i < origin->name_count; ++i )
	{
		names = append( names, t->names[i] );
	}
	return bv_ok;
}
