// Welding of vertices that also need the same label. See weld.h.

#include "offline/mesh/weld.h"

#include "offline/base/error.h"

#include <math.h>
#include <stdlib.h>

// A used vertex, by which it is sorted.
typedef struct labeled_vertex
{
	bv_vec3 position;
	uint32_t label;
	uint32_t vertex;
} labeled_vertex;

// Vertices while they are welded.
typedef struct labeled_welder
{
	const bvb_mesh* source;
	const uint32_t* labels;
	labeled_vertex* entries;
	uint32_t* twin; // of each vertex, the first one that is equal to it; UINT32_MAX if unused
	uint32_t used;
} labeled_welder;

static int compare_values( const labeled_vertex* a, const labeled_vertex* b )
{
	bv_vec3 p = a->position;
	bv_vec3 q = b->position;
	int order = p.x != q.x   ? ( p.x > q.x ) - ( p.x < q.x )
	            : p.y != q.y ? ( p.y > q.y ) - ( p.y < q.y )
	                         : ( p.z > q.z ) - ( p.z < q.z );
	return order ? order : ( a->label > b->label ) - ( a->label < b->label );
}

static int compare_vertices( const void* left, const void* right )
{
	const labeled_vertex* a = left;
	const labeled_vertex* b = right;
	int order = compare_values( a, b );
	return order ? order : ( a->vertex > b->vertex ) - ( a->vertex < b->vertex );
}

static bv_status place_used( labeled_welder* w, const bvmesh_placing* placing, bvb_error* error )
{
	const bvb_mesh* m = w->source;
	for ( uint32_t v = 0; v < m->vertex_count; ++v )
	{
		w->twin[v] = UINT32_MAX;
	}
	for ( size_t i = 0; i < 3 * (size_t)m->triangle_count; ++i )
	{
		uint32_t v = m->triangles[i / 3].corner[i % 3];
		if ( v >= m->vertex_count )
		{
			return bvbase_fail( error, bv_error_input, "triangle %u refers to vertex %u of %u",
			                    (uint32_t)( i / 3 ), v, m->vertex_count );
		}
		if ( w->twin[v] != UINT32_MAX )
		{
			continue;
		}
		bv_vec3 p = placing ? bvmesh_place( placing, m->positions[v] ) : m->positions[v];
		if ( !isfinite( p.x ) || !isfinite( p.y ) || !isfinite( p.z ) )
		{
			return bvbase_fail( error, bv_error_input, "a coordinate of vertex %u is not finite", v + 1 );
		}
		w->twin[v] = v;
		w->entries[w->used++] = ( labeled_vertex ){ p, w->labels[v], v };
	}
	return bv_ok;
}

static void find_twins( labeled_welder* w )
{
	qsort( w->entries, w->used, sizeof *w->entries, compare_vertices );
	for ( uint32_t i = 1; i < w->used; ++i )
	{
		bool same = compare_values( w->entries + i - 1, w->entries + i ) == 0;
		w->twin[w->entries[i].vertex] = same ? w->twin[w->entries[i - 1].vertex] : w->entries[i].vertex;
	}
}

bv_status bvmesh_weld_labeled( const bvb_mesh* source, const bvmesh_placing* placing, const uint32_t* labels,
                               bvb_arena* arena, bvb_mesh* out, uint32_t** out_labels,
                               bvmesh_weld_counts* counts, bvb_error* error )
{
	labeled_welder w = { .source = source, .labels = labels };
	uint32_t vertices = source->vertex_count;
	w.entries = bvb_arena_allocate( arena, vertices, sizeof *w.entries );
	w.twin = bvb_arena_allocate( arena, vertices, sizeof *w.twin );
	bv_vec3* placed = bvb_arena_allocate( arena, vertices, sizeof *placed );
	uint32_t* number = bvb_arena_allocate( arena, vertices, sizeof *number );
	bv_vec3* positions = bvb_arena_allocate( arena, vertices, sizeof *positions );
	*out_labels = bvb_arena_allocate( arena, vertices, sizeof **out_labels );
	if ( !w.entries || !w.twin || !placed || !number || !positions || !*out_labels )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = place_used( &w, placing, error );
	if ( status != bv_ok )
	{
		return status;
	}
	find_twins( &w );
	for ( uint32_t i = 0; i < w.used; ++i )
	{
		placed[w.entries[i].vertex] = w.entries[i].position;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < source->triangle_count; ++i )
	{
		bvb_triangle triangle = source->triangles[i];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = w.twin[triangle.corner[k]];
			if ( number[v] == 0 )
			{
				positions[count] = placed[v];
				( *out_labels )[count] = labels[v];
				number[v] = ++count;
			}
			triangle.corner[k] = number[v] - 1;
		}
		out->triangles[i] = triangle;
		if ( out->origin )
		{
			out->origin[i] = i;
		}
	}
	out->positions = positions;
	out->vertex_count = count;
	out->triangle_count = source->triangle_count;
	*counts = ( bvmesh_weld_counts ){ 0, vertices - w.used, w.used };
	return bv_ok;
}
