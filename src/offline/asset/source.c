// Where the triangles of record come from. See source.h.

#include "offline/asset/source.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <stdlib.h>
#include <string.h>

// A segment's names, and which segment it is.
typedef struct source_entry
{
	uint32_t name[3]; // object, group, material
	uint32_t segment;
} source_entry;

static int compare( const void* a, const void* b )
{
	const source_entry* x = a;
	const source_entry* y = b;
	for ( int k = 0; k < 3; ++k )
	{
		if ( x->name[k] != y->name[k] )
		{
			return x->name[k] < y->name[k] ? -1 : 1;
		}
	}
	return ( x->segment > y->segment ) - ( x->segment < y->segment );
}

// Gives a combination's names their numbers among those that are used, in the order of first use.
static void take_names( const bvb_scene* scene, const source_entry* e, uint32_t* const number[3],
                        bvb_source_map* out )
{
	const char** const names[3] = { scene->objects, scene->groups, scene->materials };
	uint32_t* combination = out->combinations[out->combination_count++];
	for ( int k = 0; k < 3; ++k )
	{
		combination[k] = BVB_NO_NAME;
		if ( e->name[k] != BVB_NO_NAME )
		{
			uint32_t* n = &number[k][e->name[k]];
			if ( *n == 0 )
			{
				out->names[out->name_count] = names[k][e->name[k]];
				*n = ++out->name_count;
			}
			combination[k] = *n - 1;
		}
	}
}

static bool combine( const bvb_scene* scene, bvb_arena* scratch, uint32_t* combination_of_segment,
                     bvb_source_map* out )
{
	uint32_t count = scene->segment_count;
	source_entry* entries = bvb_arena_allocate( scratch, count, sizeof *entries );
	uint32_t* const number[3] = {
		bvb_arena_allocate( scratch, scene->object_count, sizeof( uint32_t ) ),
		bvb_arena_allocate( scratch, scene->group_count, sizeof( uint32_t ) ),
		bvb_arena_allocate( scratch, scene->material_count, sizeof( uint32_t ) ),
	};
	if ( !entries || !number[0] || !number[1] || !number[2] )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvb_segment* s = &scene->segments[i];
		entries[i] = ( source_entry ){ { s->object, s->group, s->material }, i };
	}
	qsort( entries, count, sizeof *entries, compare );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( i == 0 || memcmp( entries[i].name, entries[i - 1].name, sizeof entries[i].name ) != 0 )
		{
			take_names( scene, &entries[i], number, out );
		}
		combination_of_segment[entries[i].segment] = out->combination_count - 1;
	}
	return true;
}

// A scene without segments is one without names.
static void name_nothing( bvb_source_map* out )
{
	memset( out->combinations[0], 0xff, sizeof *out->combinations );
	out->combination_count = 1;
}

static uint32_t segment_of( const bvb_scene* scene, uint32_t triangle )
{
	uint32_t first = 0;
	uint32_t end = scene->segment_count;
	while ( end - first > 1 )
	{
		uint32_t middle = first + ( end - first ) / 2;
		*( scene->segments[middle].first_triangle <= triangle ? &first : &end ) = middle;
	}
	return first;
}

bv_status bvasset_map_source( const bvb_scene* scene, const bvb_mesh* mesh, bvb_arena* arena,
                              bvb_source_map* out, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	size_t names = scene->object_count + (size_t)scene->group_count + scene->material_count;
	uint32_t* combination_of_segment =
		bvb_arena_allocate( scratch, scene->segment_count, sizeof *combination_of_segment );
	*out = ( bvb_source_map ){
		.names = bvb_arena_allocate( arena, names, sizeof *out->names ),
		.combinations =
			bvb_arena_allocate( arena, scene->segment_count + (size_t)1, sizeof *out->combinations ),
		.faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->faces ),
		.combination = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->combination ),
	};
	bool complete =
		combination_of_segment && out->names && out->combinations && out->faces && out->combination;
	if ( complete && scene->segment_count > 0 )
	{
		complete = combine( scene, scratch, combination_of_segment, out );
	}
	else if ( complete )
	{
		name_nothing( out );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count && complete; ++i )
	{
		uint32_t t = mesh->origin ? mesh->origin[i] : i;
		out->faces[i] = scene->faces ? scene->faces[t] : t;
		if ( scene->segment_count > 0 )
		{
			out->combination[i] = combination_of_segment[segment_of( scene, t )];
		}
	}
	bvb_arena_destroy( scratch );
	return complete ? bv_ok : bvbase_fail_memory( error );
}
