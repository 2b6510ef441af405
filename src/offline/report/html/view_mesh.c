// The mesh and the proxy mesh in the 3D view's data: triangles, thinned if there are too many, and where they come from. See
// view_data.h.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "offline/export/export.h"
#include "offline/report/html/thin.h"
#include "runtime/math/vec.h"

#include <string.h>

enum
{
	most_triangles = 200000,
};

// What is written: a mesh or what thinning left of it.
typedef struct drawn
{
	bvb_mesh mesh;
	const uint32_t* numbers; // of triangles in the file; null when they are the same
	double moved;            // mesh units
} drawn;

static bv_status get_mesh( const bvhtml_view_data* v, bvexport_gather_function* gather, bvb_mesh* out )
{
	bvb_export gathered;
	bv_status status = gather( v->file, NULL, v->arena, &gathered, v->error );
	if ( status == bv_ok )
	{
		*out = gathered.objects->mesh;
	}
	return status;
}

// Leaves no more triangles than the view can draw.
static bv_status limit( const bvhtml_view_data* v, drawn* d )
{
	bvhtml_thinned thinned;
	if ( d->mesh.triangle_count <= most_triangles )
	{
		return bv_ok;
	}
	bvb_mesh whole = d->mesh;
	bv_status status = bvhtml_thin( &whole, most_triangles, v->arena, &thinned, v->error );
	if ( status == bv_ok )
	{
		*d = ( drawn ){ thinned.mesh, thinned.numbers, thinned.moved };
	}
	return status;
}

static uint32_t number_of( const drawn* d, uint32_t triangle )
{
	return d->numbers ? d->numbers[triangle] : triangle;
}

static bv_status put_geometry( bvhtml_view_data* v, const drawn* d )
{
	const bvb_mesh* mesh = &d->mesh;
	uint16_t* positions = bvb_arena_allocate( v->arena, mesh->vertex_count, 3 * sizeof *positions );
	if ( !positions )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bvhtml_view_grid_point( v, mesh->positions[i], positions + 3 * (size_t)i );
	}
	bvhtml_view_array( v, "positions", "u16", positions, mesh->vertex_count * 3 * sizeof *positions );
	return bvhtml_view_corners( v, "corners", mesh->triangles ? mesh->triangles[0].corner : NULL,
	                            3 * (size_t)mesh->triangle_count, mesh->vertex_count );
}

// Distinct triples of object, group and material, by where their texts are in the file: equal names are one
// text there.
typedef struct segments
{
	bv_triangle_source* source;
	uint32_t count;
	uint32_t* slots; // hash table of index + 1
	uint32_t mask;   // slots less one
} segments;

static bool is_same_text( bv_text a, bv_text b )
{
	return a.length == b.length && ( a.length == 0 || memcmp( a.data, b.data, a.length ) == 0 );
}

static uint64_t hash_text( uint64_t hash, bv_text text )
{
	for ( size_t i = 0; i < text.length; ++i )
	{
		hash = ( hash ^ (unsigned char)text.data[i] ) * 0x100000001b3u;
	}
	return ( hash ^ 0x100 ) * 0x100000001b3u;
}

static uint32_t find_segment( segments* s, const bv_triangle_source* source )
{
	uint64_t hash = hash_text( 0xcbf29ce484222325u, source->object );
	hash = hash_text( hash_text( hash, source->group ), source->material );
	uint32_t slot = (uint32_t)( hash ^ hash >> 32 ) & s->mask;
	while ( s->slots[slot] != 0 )
	{
		const bv_triangle_source* other = s->source + s->slots[slot] - 1;
		if ( is_same_text( other->object, source->object ) && is_same_text( other->group, source->group ) &&
		     is_same_text( other->material, source->material ) )
		{
			return s->slots[slot] - 1;
		}
		slot = ( slot + 1 ) & s->mask;
	}
	s->source[s->count] = *source;
	s->slots[slot] = s->count + 1;
	return s->count++;
}

static void put_segments( bvhtml_view_data* v, const segments* s )
{
	bvhtml_view_open( v, "segments", '[' );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const bv_triangle_source* source = s->source + i;
		bvhtml_view_open( v, NULL, '[' );
		bvhtml_view_text( v, NULL, source->object.data, source->object.length );
		bvhtml_view_text( v, NULL, source->group.data, source->group.length );
		bvhtml_view_text( v, NULL, source->material.data, source->material.length );
		bvhtml_view_close( v, ']' );
	}
	bvhtml_view_close( v, ']' );
}

static bv_status put_sources( bvhtml_view_data* v, const drawn* d )
{
	bv_triangle_source source;
	uint32_t count = d->mesh.triangle_count;
	if ( !bv_file_get_source( v->file, 0, &source ) )
	{
		bvhtml_view_null( v, "sources" );
		return bv_ok;
	}
	uint32_t slots = 16;
	while ( slots / 2 < count )
	{
		slots *= 2;
	}
	segments s = {
		.source = bvb_arena_allocate( v->arena, count, sizeof *s.source ),
		.slots = bvb_arena_allocate( v->arena, slots, sizeof *s.slots ),
		.mask = slots - 1,
	};
	uint32_t* faces = bvb_arena_allocate( v->arena, count, sizeof *faces );
	uint32_t* segment = bvb_arena_allocate( v->arena, count, sizeof *segment );
	if ( !s.source || !s.slots || !faces || !segment )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_file_get_source( v->file, number_of( d, i ), &source );
		faces[i] = source.face;
		segment[i] = find_segment( &s, &source );
	}
	bvhtml_view_open( v, "sources", '{' );
	bvhtml_view_array( v, "faces", "u32", faces, count * sizeof *faces );
	put_segments( v, &s );
	bv_status status = bvhtml_view_corners( v, "segment", segment, count, s.count );
	bvhtml_view_close( v, '}' );
	return status;
}

bv_status bvhtml_view_put_mesh( bvhtml_view_data* v )
{
	bv_mesh_info info = bv_file_get_mesh( v->file );
	if ( !info.has_triangles || info.triangles == 0 )
	{
		bvhtml_view_null( v, "mesh" );
		return bv_ok;
	}
	drawn d = { .numbers = NULL };
	bv_status status = get_mesh( v, bvexport_gather_mesh, &d.mesh );
	status = status == bv_ok ? limit( v, &d ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvhtml_view_open( v, "mesh", '{' );
	bvhtml_view_count( v, "triangles_in_file", info.triangles );
	bvhtml_view_count( v, "triangles", d.mesh.triangle_count );
	bvhtml_view_count( v, "vertices", d.mesh.vertex_count );
	bvhtml_view_number( v, "moved", d.moved );
	status = put_geometry( v, &d );
	v->whole = !d.numbers && d.mesh.vertex_count == info.vertices;
	if ( d.numbers )
	{
		bvhtml_view_array( v, "numbers", "u32", d.numbers, d.mesh.triangle_count * sizeof *d.numbers );
	}
	else
	{
		bvhtml_view_null( v, "numbers" );
	}
	status = status == bv_ok ? put_sources( v, &d ) : status;
	bvhtml_view_close( v, '}' );
	return status;
}

bv_status bvhtml_view_put_proxy( bvhtml_view_data* v )
{
	bv_proxy proxy;
	if ( !bv_file_get_proxy( v->file, &proxy ) )
	{
		bvhtml_view_null( v, "proxy" );
		return bv_ok;
	}
	drawn d = { .numbers = NULL };
	bv_status status = get_mesh( v, bvexport_gather_proxy, &d.mesh );
	status = status == bv_ok ? limit( v, &d ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvhtml_view_open( v, "proxy", '{' );
	bvhtml_view_count( v, "triangles_in_file", proxy.triangles );
	bvhtml_view_count( v, "triangles", d.mesh.triangle_count );
	bvhtml_view_number( v, "error", bvmath_max( proxy.from_proxy.upper, proxy.from_mesh.upper ) );
	bvhtml_view_number( v, "moved", d.moved );
	status = put_geometry( v, &d );
	bvhtml_view_close( v, '}' );
	return status;
}
