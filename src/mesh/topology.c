// How triangles hang together: edges, components, closedness, manifoldness, double-sided pairs.
//
// Half-edges are sorted by their two vertices with two counting passes (a radix sort whose digits are
// vertices), so that the time is linear for any mesh, also for one where all triangles share a vertex or an
// edge. Components are the trees of a union-find forest (Tarjan and van Leeuwen 1984, path halving). Fans are
// walked around each vertex.

#include "base/offline/error.h"
#include "bvbuild/mesh.h"

#include <string.h>

static const uint32_t none = UINT32_MAX;

// Half-edge 3 t + k runs from corner k of triangle t to the next.
static uint32_t next_half_edge( uint32_t h )
{
	return h % 3 == 2 ? h - 2 : h + 1;
}

static uint32_t previous_half_edge( uint32_t h )
{
	return h % 3 == 0 ? h + 2 : h - 1;
}

static uint32_t tail( const bvb_mesh* mesh, uint32_t h )
{
	return mesh->triangles[h / 3].corner[h % 3];
}

// A half-edge in the bucket of one of its vertices.
typedef struct entry
{
	uint32_t other; // vertex
	uint32_t half_edge;
} entry;

// All half-edges in buckets by their lesser vertex, in each by their greater one.
typedef struct sorted_edges
{
	entry* entry;
	uint32_t* first; // per vertex and one more: where its bucket starts
} sorted_edges;

// Turns counts, stored one place late, into starts.
static void accumulate( uint32_t* start, uint32_t vertices )
{
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		start[v + 1] += start[v];
	}
}

static bool sort_edges( const bvb_mesh* mesh, bvb_arena* arena, sorted_edges* out )
{
	size_t vertices = mesh->vertex_count;
	uint32_t half_edges = 3 * mesh->triangle_count;
	entry* by_greater = bvb_arena_allocate( arena, half_edges, sizeof *by_greater );
	entry* by_lesser = bvb_arena_allocate( arena, half_edges, sizeof *by_lesser );
	uint32_t* greater = bvb_arena_allocate( arena, vertices + 2, sizeof *greater );
	uint32_t* lesser = bvb_arena_allocate( arena, vertices + 2, sizeof *lesser );
	if ( !by_greater || !by_lesser || !greater || !lesser )
	{
		return false;
	}

	// Counts are two places late: placing an entry advances the start one place late, which ends up in its
	// place.
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t a = corner[k];
			uint32_t b = corner[( k + 1 ) % 3];
			++greater[( a > b ? a : b ) + (size_t)2];
			++lesser[( a > b ? b : a ) + (size_t)2];
		}
	}
	accumulate( greater + 1, mesh->vertex_count );
	accumulate( lesser + 1, mesh->vertex_count );
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t a = corner[k];
			uint32_t b = corner[( k + 1 ) % 3];
			by_greater[greater[( a > b ? a : b ) + (size_t)1]++] = ( entry ){ a > b ? b : a, 3 * t + k };
		}
	}
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		for ( uint32_t i = greater[v]; i < greater[v + (size_t)1]; ++i )
		{
			by_lesser[lesser[by_greater[i].other + (size_t)1]++] = ( entry ){ v, by_greater[i].half_edge };
		}
	}
	*out = ( sorted_edges ){ by_lesser, lesser };
	return true;
}

// What is gathered while the edges are gone through.
typedef struct edge_facts
{
	uint32_t* twin;  // per half-edge: the one of opposite direction on an edge of two triangles, else none
	uint32_t* faces; // per vertex, all 0 between edges: forward triangles of this edge with that third vertex
	uint64_t edges;
	uint64_t double_sided;
	bool closed;
	bool manifold; // as far as edges decide it
} edge_facts;

// Pairs of triangles of opposite winding over the same three vertices, counted at the edge between the lesser
// two.
static uint64_t count_double_sided( const bvb_mesh* mesh, const entry* e, uint32_t count, uint32_t lesser,
                                    uint32_t* faces )
{
	uint64_t pairs = 0;
	for ( int pass = 0; pass < 3; ++pass )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool forward = tail( mesh, e[i].half_edge ) == lesser;
			uint32_t third = tail( mesh, previous_half_edge( e[i].half_edge ) );
			if ( third > e[i].other )
			{
				if ( pass == 0 && forward )
				{
					++faces[third];
				}
				if ( pass == 1 && !forward && faces[third] > 0 )
				{
					--faces[third];
					++pairs;
				}
				if ( pass == 2 )
				{
					faces[third] = 0;
				}
			}
		}
	}
	return pairs;
}

// All half-edges between two vertices.
static void visit_edge( const bvb_mesh* mesh, const entry* e, uint32_t count, uint32_t lesser,
                        edge_facts* facts )
{
	uint32_t forward = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		forward += tail( mesh, e[i].half_edge ) == lesser;
	}
	uint32_t backward = count - forward;
	++facts->edges;
	facts->closed = facts->closed && forward == backward;
	facts->manifold = facts->manifold && forward <= 1 && backward <= 1;
	if ( forward == 1 && backward == 1 )
	{
		uint32_t third[2] = { tail( mesh, previous_half_edge( e[0].half_edge ) ),
			                  tail( mesh, previous_half_edge( e[1].half_edge ) ) };
		facts->twin[e[0].half_edge] = e[1].half_edge;
		facts->twin[e[1].half_edge] = e[0].half_edge;
		facts->double_sided += third[0] == third[1] && third[0] > e[0].other;
	}
	else if ( forward > 0 && backward > 0 )
	{
		facts->double_sided += count_double_sided( mesh, e, count, lesser, facts->faces );
	}
}

static void visit_edges( const bvb_mesh* mesh, const sorted_edges* sorted, edge_facts* facts )
{
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		uint32_t end = sorted->first[v + (size_t)1];
		for ( uint32_t i = sorted->first[v], next; i < end; i = next )
		{
			next = i + 1;
			while ( next < end && sorted->entry[next].other == sorted->entry[i].other )
			{
				++next;
			}
			visit_edge( mesh, sorted->entry + i, next - i, v, facts );
		}
	}
}

// Walks around the tail of `start` both ways.
// @return how many triangles are met; never more than `most`
static uint32_t fan_size( const uint32_t* twin, uint32_t start, uint32_t most )
{
	uint32_t size = 1;
	uint32_t h = twin[previous_half_edge( start )];
	for ( ; h != none && h != start && size < most; h = twin[previous_half_edge( h )] )
	{
		++size;
	}
	if ( h == none )
	{
		for ( h = twin[start]; h != none && size < most; h = twin[next_half_edge( h )] )
		{
			++size;
		}
	}
	return size;
}

// Whether the triangles at each vertex form one fan, in a mesh whose edges have two triangles at most.
static bool has_single_fans( const bvb_mesh* mesh, const uint32_t* twin, uint32_t* size )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			++size[mesh->triangles[t].corner[k]];
		}
	}
	for ( uint32_t h = 0; h < 3 * mesh->triangle_count; ++h )
	{
		uint32_t v = tail( mesh, h );
		if ( size[v] > 0 )
		{
			if ( fan_size( twin, h, size[v] ) < size[v] )
			{
				return false;
			}
			size[v] = 0;
		}
	}
	return true;
}

static uint32_t find_root( uint32_t* parent, uint32_t v )
{
	while ( parent[v] != v )
	{
		parent[v] = parent[parent[v]];
		v = parent[v];
	}
	return v;
}

// Every vertex that a triangle uses starts as a component, and each union takes one away.
static uint32_t count_components( const bvb_mesh* mesh, uint32_t* parent )
{
	memset( parent, 0xff, mesh->vertex_count * sizeof *parent );
	uint32_t components = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			if ( parent[corner[k]] == none )
			{
				parent[corner[k]] = corner[k];
				++components;
			}
		}
		for ( int k = 1; k < 3; ++k )
		{
			uint32_t a = find_root( parent, corner[0] );
			uint32_t b = find_root( parent, corner[k] );
			parent[a > b ? a : b] = a > b ? b : a;
			components -= a != b;
		}
	}
	return components;
}

bv_status bvb_mesh_topology( const bvb_mesh* mesh, bvb_arena* arena, bvb_topology* out,
                             bvb_adjacency* adjacency, bvb_error* error )
{
	(void)adjacency;
	*out = ( bvb_topology ){ 0 };
	if ( mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvb_fail( error, bv_error_limit, "%u triangles are more than %u", mesh->triangle_count,
		                 BVB_MAX_TRIANGLES );
	}
	uint32_t half_edges = 3 * mesh->triangle_count;
	sorted_edges sorted;
	edge_facts facts = { .closed = true, .manifold = true };
	facts.twin = bvb_arena_allocate( arena, half_edges, sizeof *facts.twin );
	facts.faces = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *facts.faces );
	uint32_t* parent = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *parent );
	if ( !facts.twin || !facts.faces || !parent || !sort_edges( mesh, arena, &sorted ) )
	{
		return bvb_fail_memory( error );
	}
	memset( facts.twin, 0xff, half_edges * sizeof *facts.twin );
	visit_edges( mesh, &sorted, &facts );

	*out = ( bvb_topology ){
		.edges = (uint32_t)facts.edges,
		.components = count_components( mesh, parent ),
		.closed = facts.closed,
		.manifold = facts.manifold && has_single_fans( mesh, facts.twin, facts.faces ),
		.double_sided = (uint32_t)facts.double_sided,
	};
	return bv_ok;
}
