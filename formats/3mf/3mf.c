// 3MF files. See 3mf.h. All models are read first, because several places may use one part. Then the items of
// the build are placed, with an explicit stack for nested components.

#include "formats/3mf/3mf.h"

#include "bvbuild/scene.h"
#include "formats/3mf/model.h"
#include "offline/base/error.h"
#include "offline/import/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	deepest = 128,        // components in components
	most_visits = 1 << 20 // of objects: files are small that place very many
};

// An object that is being placed.
typedef struct placed_object
{
	bv3mf_object* object;
	uint64_t next; // component
	bv3mf_transform transform;
} placed_object;

typedef struct placement
{
	bv3mf_models* models;
	bvimport_builder scene;
	uint64_t memory_left;
	uint64_t visits;
	uint32_t depth;
	placed_object stack[deepest];
} placement;

// First `inner`, then `outer`.
static bv3mf_transform compose( const bv3mf_transform* inner, const bv3mf_transform* outer )
{
	bv3mf_transform out;
	for ( int i = 0; i < 4; ++i )
	{
		const double* row = inner->m + 3 * i;
		for ( int k = 0; k < 3; ++k )
		{
			out.m[3 * i + k] = row[0] * outer->m[k] + row[1] * outer->m[3 + k] + row[2] * outer->m[6 + k] +
			                   ( i == 3 ? outer->m[9 + k] : 0 );
		}
	}
	return out;
}

static bv_vec3 move( const bv3mf_transform* t, bv_vec3 p )
{
	const double* m = t->m;
	return ( bv_vec3 ){ p.x * m[0] + p.y * m[3] + p.z * m[6] + m[9],
		                p.x * m[1] + p.y * m[4] + p.z * m[7] + m[10],
		                p.x * m[2] + p.y * m[5] + p.z * m[8] + m[11] };
}

static bool is_mirror( const bv3mf_transform* t )
{
	const double* m = t->m;
	return m[0] * ( m[4] * m[8] - m[5] * m[7] ) - m[1] * ( m[3] * m[8] - m[5] * m[6] ) +
	           m[2] * ( m[3] * m[7] - m[4] * m[6] ) <
	       0;
}

static bv_status fail_memory( const placement* p )
{
	return bvbase_fail( p->models->error, bv_error_limit,
	                    "%s: the scene needs too much memory (raise the limit with --import-memory)",
	                    p->models->file );
}

static bv_status take_memory( placement* p, const bv3mf_object* o )
{
	uint64_t bytes = o->vertex_count * sizeof( bv_vec3 ) +
	                 o->triangle_count * ( sizeof( bvb_triangle ) + sizeof( uint32_t ) );
	if ( bytes > p->memory_left )
	{
		return fail_memory( p );
	}
	p->memory_left -= bytes;
	return bv_ok;
}

static bv_status set_material( placement* p, uint32_t material )
{
	const char* name = material != BVB_NO_NAME ? ( (char**)p->models->materials.items )[material] : NULL;
	return bvimport_builder_set( &p->scene, bvimport_builder_material, name, name ? strlen( name ) : 0 );
}

static bv_status add_mesh( placement* p, const bv3mf_object* o, const bv3mf_transform* t )
{
	const bv_vec3* vertices = p->models->vertices.items;
	const bv3mf_triangle* triangles = p->models->triangles.items;
	char made_up[32];
	snprintf( made_up, sizeof made_up, "Object_%u", o->id );
	const char* name = o->name && *o->name ? o->name : made_up;
	bv_status status = take_memory( p, o );
	status = status == bv_ok ? bvimport_builder_begin_object( &p->scene, name, strlen( name ) ) : status;
	status = status == bv_ok ? bvimport_builder_reserve_vertices( &p->scene, o->vertex_count ) : status;
	status = status == bv_ok ? bvimport_builder_reserve_triangles( &p->scene, o->triangle_count ) : status;
	uint32_t base = p->scene.position_count;
	bool mirrored = is_mirror( t );
	for ( uint64_t i = 0; i < o->vertex_count && status == bv_ok; ++i )
	{
		status = bvimport_builder_add_vertex( &p->scene, move( t, vertices[o->first_vertex + i] ) );
	}
	for ( uint64_t i = 0; i < o->triangle_count && status == bv_ok; ++i )
	{
		const bv3mf_triangle* from = &triangles[o->first_triangle + i];
		if ( i == 0 || from->material != from[-1].material )
		{
			status = set_material( p, from->material );
		}
		bvb_triangle to = { { base + from->corner[0], base + from->corner[mirrored ? 2 : 1],
			                  base + from->corner[mirrored ? 1 : 2] } };
		status = status == bv_ok ? bvimport_builder_add_triangle( &p->scene, to ) : status;
	}
	return status;
}

static bv_status fail_reference( const placement* p, uint32_t part, const bv3mf_component* c,
                                 const char* what )
{
	const bv3mf_models* m = p->models;
	return bvbase_fail( m->error, bv_error_input, "%s: %.200s:%llu: object %u of %.200s %s", m->file,
	                    bv3mf_part_name( m, part ), (unsigned long long)c->line, c->object,
	                    bv3mf_part_name( m, c->part ), what );
}

// Begins to place an object.
// @param part  where it is referred to
static bv_status push( placement* p, uint32_t part, const bv3mf_component* c, const bv3mf_transform* outer )
{
	bv3mf_object* o = bv3mf_find_object( p->models, c->part, c->object );
	if ( !o )
	{
		return fail_reference( p, part, c, "does not exist" );
	}
	if ( o->is_open )
	{
		return fail_reference( p, part, c, "contains itself" );
	}
	if ( p->depth == deepest || p->visits == most_visits )
	{
		return bvbase_fail( p->models->error, bv_error_limit,
		                    p->depth == deepest ? "%s: more than %d components in each other"
		                                        : "%s: more than %d components",
		                    p->models->file, p->depth == deepest ? deepest : most_visits );
	}
	placed_object* at = &p->stack[p->depth++];
	*at =
		( placed_object ){ .object = o, .transform = outer ? compose( &c->transform, outer ) : c->transform };
	o->is_open = true;
	++p->visits;
	return o->triangle_count > 0 ? add_mesh( p, o, &at->transform ) : bv_ok;
}

static bv_status place_item( placement* p, const bv3mf_component* item )
{
	const bv3mf_component* components = p->models->components.items;
	bv_status status = push( p, 0, item, NULL );
	while ( status == bv_ok && p->depth > 0 )
	{
		placed_object* top = &p->stack[p->depth - 1];
		if ( top->next == top->object->component_count )
		{
			top->object->is_open = false;
			--p->depth;
			continue;
		}
		const bv3mf_component* c = &components[top->object->first_component + top->next++];
		status = push( p, top->object->part, c, &top->transform );
	}
	return status;
}

static bv_status place_all( placement* p, bvb_arena* arena, bvb_import* out )
{
	const bv3mf_models* m = p->models;
	const bv3mf_component* items = m->items.items;
	bv_status status = bv_ok;
	for ( size_t i = 0; i < m->items.count && status == bv_ok; ++i )
	{
		status = place_item( p, &items[i] );
	}
	if ( status == bv_ok && p->scene.triangle_count == 0 )
	{
		return bvimport_builder_fail_empty( &p->scene, 0, 0, &m->notes );
	}
	status = status == bv_ok ? bvimport_notes_deliver( &m->notes, arena, out, m->error ) : status;
	return status == bv_ok ? bvimport_builder_finish( &p->scene, arena, &out->scene ) : status;
}

bv_status bv3mf_read_3mf( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                          bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	bv3mf_models models = { .file = path, .error = error, .memory_left = memory_bytes };
	bv_status status = bvimport_zip_open( &models.zip, path, data, size, error );
	status = status == bv_ok ? bv3mf_read_models( &models ) : status;
	placement* p = status == bv_ok ? calloc( 1, sizeof *p ) : NULL;
	if ( p )
	{
		p->models = &models;
		p->memory_left = models.memory_left;
		bvimport_builder_begin( &p->scene, path, error );
		status = place_all( p, arena, out );
		bvimport_builder_end( &p->scene );
	}
	else if ( status == bv_ok )
	{
		status = bvbase_fail_memory( error );
	}
	free( p );
	bv3mf_free_models( &models );
	bvimport_zip_close( &models.zip );
	return status;
}
