// A surface whose edges are collapsed. See surface.h.

#include "offline/simplify/surface.h"

#include "offline/base/sets.h"

#include <string.h>

static bool is_gone( const bvsimplify_surface* s, uint32_t face )
{
	return s->faces[face].corner[0] == BVSIMPLIFY_NONE;
}

bool bvsimplify_face_has( const bvsimplify_surface* s, uint32_t face, uint32_t vertex )
{
	const uint32_t* c = s->faces[face].corner;
	return c[0] == vertex || c[1] == vertex || c[2] == vertex;
}

static void find_components( bvsimplify_surface* s )
{
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->component[v] = v;
	}
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		const uint32_t* c = s->faces[f].corner;
		bvbase_join_sets( s->component, c[0], c[1] );
		bvbase_join_sets( s->component, c[0], c[2] );
	}
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		s->component[v] = bvbase_set_of( s->component, v );
	}
}

bvsimplify_edge_use bvsimplify_surface_edge( const bvsimplify_surface* s, uint32_t a, uint32_t b )
{
	bvsimplify_edge_use use = { 0, false };
	uint32_t apex = BVSIMPLIFY_NONE;
	bool several = false;
	for ( uint32_t h = s->first[a]; h != BVSIMPLIFY_NONE; h = s->next[h] )
	{
		const uint32_t* c = s->faces[h / 3].corner;
		uint32_t next = c[( h + 1 ) % 3];
		uint32_t last = c[( h + 2 ) % 3];
		if ( !is_gone( s, h / 3 ) && ( next == b || last == b ) )
		{
			uint32_t here = next == b ? last : next;
			use.net += next == b ? 1 : -1;
			several = several || ( apex != BVSIMPLIFY_NONE && apex != here );
			apex = here;
		}
	}
	use.is_rim = use.net != 0 || ( apex != BVSIMPLIFY_NONE && !several );
	return use;
}

bool bvsimplify_surface_has_twin( const bvsimplify_surface* s, uint32_t face )
{
	const uint32_t* t = s->faces[face].corner;
	for ( uint32_t h = s->has_twins ? s->first[t[0]] : BVSIMPLIFY_NONE; h != BVSIMPLIFY_NONE; h = s->next[h] )
	{
		const uint32_t* c = s->faces[h / 3].corner;
		if ( !is_gone( s, h / 3 ) && c[( h + 1 ) % 3] == t[2] && c[( h + 2 ) % 3] == t[1] )
		{
			return true;
		}
	}
	return false;
}

static void find_rims( bvsimplify_surface* s, const bvb_adjacency* adjacency )
{
	for ( uint32_t e = 0; e < adjacency->edge_count; ++e )
	{
		const uint32_t* v = adjacency->edges[e].vertex;
		bvsimplify_edge_use use = bvsimplify_surface_edge( s, v[0], v[1] );
		for ( int k = 0; k < 2; ++k )
		{
			s->open[v[k]] = s->open[v[k]] || use.net != 0;
			s->rim[v[k]] = s->rim[v[k]] || use.is_rim;
		}
	}
}

static bool allocate( bvsimplify_surface* s, const bvb_mesh* mesh, bvb_arena* arena )
{
	*s = ( bvsimplify_surface ){
		.positions = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *s->positions ),
		.faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *s->faces ),
		.first = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *s->first ),
		.next = bvb_arena_allocate( arena, 3 * (size_t)mesh->triangle_count, sizeof *s->next ),
		.component = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *s->component ),
		.open = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *s->open ),
		.rim = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *s->rim ),
		.vertex_count = mesh->vertex_count,
		.face_count = mesh->triangle_count,
		.faces_left = mesh->triangle_count,
	};
	return s->positions && s->faces && s->first && s->next && s->component && s->open && s->rim;
}

bool bvsimplify_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvsimplify_surface* out )
{
	bvb_topology topology;
	bvb_adjacency adjacency;
	if ( !allocate( out, mesh, arena ) ||
	     bvb_mesh_topology( mesh, arena, &topology, &adjacency, NULL ) != bv_ok )
	{
		return false;
	}
	memcpy( out->positions, mesh->positions, mesh->vertex_count * sizeof *out->positions );
	memcpy( out->faces, mesh->triangles, mesh->triangle_count * sizeof *out->faces );
	memset( out->first, 0xff, mesh->vertex_count * sizeof *out->first );
	for ( uint32_t h = 3 * mesh->triangle_count; h-- > 0; )
	{
		uint32_t v = out->faces[h / 3].corner[h % 3];
		out->next[h] = out->first[v];
		out->first[v] = h;
	}
	out->has_twins = topology.double_sided > 0;
	find_components( out );
	find_rims( out, &adjacency );
	return true;
}

bool bvsimplify_surface_star( const bvsimplify_surface* s, uint32_t a, uint32_t b, bvsimplify_star* out )
{
	out->count = 0;
	for ( int end = 0; end < 2; ++end )
	{
		uint32_t at = end == 0 ? a : b;
		for ( uint32_t h = at == BVSIMPLIFY_NONE ? BVSIMPLIFY_NONE : s->first[at]; h != BVSIMPLIFY_NONE;
		      h = s->next[h] )
		{
			uint32_t f = h / 3;
			if ( is_gone( s, f ) || ( end == 1 && bvsimplify_face_has( s, f, a ) ) )
			{
				continue;
			}
			if ( out->count == bvsimplify_star_faces )
			{
				return false;
			}
			out->face[out->count++] = f;
		}
	}
	return true;
}

// The two other corners of a face.
static void others( const bvsimplify_surface* s, uint32_t face, uint32_t vertex, uint32_t out[2] )
{
	const uint32_t* c = s->faces[face].corner;
	int k = c[0] == vertex ? 0 : c[1] == vertex ? 1 : 2;
	out[0] = c[( k + 1 ) % 3];
	out[1] = c[( k + 2 ) % 3];
}

static bool is_apex( const bvsimplify_surface* s, uint32_t a, uint32_t b, const bvsimplify_star* star,
                     uint32_t vertex )
{
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		uint32_t f = star->face[i];
		if ( bvsimplify_face_has( s, f, a ) && bvsimplify_face_has( s, f, b ) &&
		     bvsimplify_face_has( s, f, vertex ) )
		{
			return true;
		}
	}
	return false;
}

bool bvsimplify_surface_may_collapse( const bvsimplify_surface* s, uint32_t a, uint32_t b,
                                      const bvsimplify_star* star )
{
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		uint32_t f = star->face[i];
		uint32_t x[2];
		if ( bvsimplify_face_has( s, f, b ) || !bvsimplify_face_has( s, f, a ) )
		{
			continue;
		}
		others( s, f, a, x );
		for ( uint32_t k = 0; k < star->count; ++k )
		{
			uint32_t g = star->face[k];
			uint32_t y[2];
			if ( bvsimplify_face_has( s, g, a ) )
			{
				continue;
			}
			others( s, g, b, y );
			bool first = x[0] == y[0] || x[0] == y[1];
			bool second = x[1] == y[0] || x[1] == y[1];
			if ( ( first && second ) || ( first && !is_apex( s, a, b, star, x[0] ) ) ||
			     ( second && !is_apex( s, a, b, star, x[1] ) ) )
			{
				return false;
			}
		}
	}
	return true;
}

void bvsimplify_surface_collapse( bvsimplify_surface* s, uint32_t a, uint32_t b, bv_vec3 position,
                                  const bvsimplify_star* star )
{
	uint32_t first = BVSIMPLIFY_NONE;
	for ( uint32_t i = star->count; i-- > 0; )
	{
		uint32_t f = star->face[i];
		uint32_t* c = s->faces[f].corner;
		if ( bvsimplify_face_has( s, f, a ) && bvsimplify_face_has( s, f, b ) )
		{
			c[0] = BVSIMPLIFY_NONE;
			s->faces_left -= 1;
			continue;
		}
		int k = c[0] == a || c[0] == b ? 0 : c[1] == a || c[1] == b ? 1 : 2;
		c[k] = a;
		s->next[3 * f + (uint32_t)k] = first;
		first = 3 * f + (uint32_t)k;
	}
	s->first[a] = first;
	s->first[b] = BVSIMPLIFY_NONE;
	s->positions[a] = position;
	s->rim[a] = s->rim[a] || s->rim[b];
}
