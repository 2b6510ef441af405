// How triangles hang together: edges and their kinds, components, closedness, manifoldness, double-sided pairs.
//
// Half-edges are put into buckets by the lesser of their vertices and sorted there by the greater one, with a
// radix sort where there are many, so that the time is linear for any mesh, also for one where all triangles
// share a vertex or an edge. Components are the trees of a union-find forest (Tarjan and van Leeuwen 1984, path
// halving). Fans are walked around each vertex.

#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "bvbuild/mesh.h"
#include "mesh/crease.h"

#include <string.h>

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

// The corner that is opposite of a half-edge.
static uint32_t third_vertex( const bvb_mesh* mesh, uint32_t h )
{
	return tail( mesh, previous_half_edge( h ) );
}

// All half-edges in buckets by their lesser vertex. In a bucket they ascend by their greater vertex, which is
// the upper half of an entry, and then by their own number, which is the lower half.
typedef struct sorted_edges
{
	uint64_t* entry;
	uint32_t* first; // per vertex and one more: where its bucket starts
	uint32_t edges;  // how many different pairs of vertices
} sorted_edges;

static uint32_t greater_vertex( uint64_t entry )
{
	return (uint32_t)( entry >> 32 );
}

static uint32_t half_edge_of( uint64_t entry )
{
	return (uint32_t)entry;
}

enum
{
	few_entries = 64, // insertion beats counting
};

static void insertion_sort( uint64_t* entry, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		uint64_t moved = entry[i];
		uint32_t k = i;
		for ( ; k > 0 && entry[k - 1] > moved; --k )
		{
			entry[k] = entry[k - 1];
		}
		entry[k] = moved;
	}
}

// Sorts by one byte of the greater vertex and keeps the order of equal ones.
static void sort_by_byte( const uint64_t* from, uint32_t count, int shift, uint64_t* to )
{
	uint32_t start[257] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		++start[( from[i] >> shift & 255 ) + 1];
	}
	for ( int i = 0; i < 255; ++i )
	{
		start[i + 1] += start[i];
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		to[start[from[i] >> shift & 255]++] = from[i];
	}
}

// Half-edges ascend already.
static void sort_bucket( uint64_t* entry, uint32_t count, uint64_t* buffer )
{
	if ( count <= few_entries )
	{
		insertion_sort( entry, count );
		return;
	}
	sort_by_byte( entry, count, 32, buffer );
	sort_by_byte( buffer, count, 40, entry );
	sort_by_byte( entry, count, 48, buffer );
	sort_by_byte( buffer, count, 56, entry );
}

static void fill_buckets( const bvb_mesh* mesh, sorted_edges* out )
{
	// Counts are two places late: placing an entry advances the start one place late, which ends up in its
	// place.
	uint32_t* start = out->first + 1;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t a = corner[k];
			uint32_t b = corner[( k + 1 ) % 3];
			++start[( a > b ? b : a ) + (size_t)1];
		}
	}
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		start[v + (size_t)1] += start[v];
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t a = corner[k];
			uint32_t b = corner[( k + 1 ) % 3];
			out->entry[start[a > b ? b : a]++] = (uint64_t)( a > b ? a : b ) << 32 | ( 3 * t + k );
		}
	}
}

static bool sort_edges( const bvb_mesh* mesh, bvb_arena* scratch, sorted_edges* out )
{
	*out = ( sorted_edges ){
		.entry = bvb_arena_allocate( scratch, 3 * (size_t)mesh->triangle_count, sizeof *out->entry ),
		.first = bvb_arena_allocate( scratch, mesh->vertex_count + (size_t)2, sizeof *out->first ),
	};
	if ( !out->entry || !out->first )
	{
		return false;
	}
	fill_buckets( mesh, out );

	uint32_t largest = 0;
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		uint32_t count = out->first[v + (size_t)1] - out->first[v];
		largest = count > largest ? count : largest;
	}
	uint64_t* buffer = bvb_arena_allocate( scratch, largest > few_entries ? largest : 0, sizeof *buffer );
	if ( !buffer )
	{
		return false;
	}
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		uint64_t* entry = out->entry + out->first[v];
		uint32_t count = out->first[v + (size_t)1] - out->first[v];
		sort_bucket( entry, count, buffer );
		for ( uint32_t i = 0; i < count; ++i )
		{
			out->edges += i == 0 || greater_vertex( entry[i] ) != greater_vertex( entry[i - 1] );
		}
	}
	return true;
}

// What is gathered while the edges are gone through.
typedef struct survey
{
	const bvb_mesh* mesh;
	uint32_t* partner;        // as in bvb_adjacency
	uint32_t* faces;          // per vertex, all 0 between edges: forward triangles with that third vertex
	bvb_adjacency* adjacency; // null when not wanted
	bvb_topology* topology;   // its edges, closed and double_sided grow
} survey;

// Pairs of triangles of opposite winding over the same three vertices, counted at the edge between the lesser
// two.
static uint32_t count_double_sided( const survey* s, const uint64_t* e, uint32_t count, uint32_t lesser )
{
	uint32_t pairs = 0;
	for ( int pass = 0; pass < 3; ++pass )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool forward = tail( s->mesh, half_edge_of( e[i] ) ) == lesser;
			uint32_t third = third_vertex( s->mesh, half_edge_of( e[i] ) );
			if ( third > greater_vertex( e[i] ) )
			{
				if ( pass == 0 && forward )
				{
					++s->faces[third];
				}
				if ( pass == 1 && !forward && s->faces[third] > 0 )
				{
					--s->faces[third];
					++pairs;
				}
				if ( pass == 2 )
				{
					s->faces[third] = 0;
				}
			}
		}
	}
	return pairs;
}

static bv_edge_kind visit_pair( const survey* s, const uint64_t* e, uint32_t lesser )
{
	uint32_t h[2] = { half_edge_of( e[0] ), half_edge_of( e[1] ) };
	uint32_t greater = greater_vertex( e[0] );
	s->partner[h[0]] = h[1];
	s->partner[h[1]] = h[0];
	bool forward = tail( s->mesh, h[0] ) == lesser;
	if ( forward == ( tail( s->mesh, h[1] ) == lesser ) )
	{
		s->topology->closed = false;
		return bv_edge_flipped;
	}
	uint32_t third[2] = { third_vertex( s->mesh, h[0] ), third_vertex( s->mesh, h[1] ) };
	s->topology->double_sided += third[0] == third[1] && third[0] > greater;
	const bv_vec3* p = s->mesh->positions;
	return bvb_crease_kind( p[lesser], p[greater], p[third[!forward]], p[third[forward]] );
}

static bv_edge_kind visit_bundle( const survey* s, const uint64_t* e, uint32_t count, uint32_t lesser )
{
	uint32_t forward = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		forward += tail( s->mesh, half_edge_of( e[i] ) ) == lesser;
		s->partner[half_edge_of( e[i] )] = BVB_MANY_HALF_EDGES;
	}
	s->topology->closed = s->topology->closed && forward == count - forward;
	s->topology->double_sided +=
		forward > 0 && forward < count ? count_double_sided( s, e, count, lesser ) : 0;
	return bv_edge_non_manifold;
}

// All half-edges between two vertices.
static void visit_edge( const survey* s, const uint64_t* e, uint32_t count, uint32_t lesser )
{
	bv_edge_kind kind = bv_edge_boundary;
	if ( count == 1 )
	{
		s->partner[half_edge_of( e[0] )] = BVB_NO_HALF_EDGE;
		s->topology->closed = false;
	}
	else
	{
		kind = count == 2 ? visit_pair( s, e, lesser ) : visit_bundle( s, e, count, lesser );
	}
	if ( s->adjacency )
	{
		uint32_t first = half_edge_of( e[0] );
		s->adjacency->edges[s->topology->edges] =
			( bvb_edge ){ { lesser, greater_vertex( e[0] ) }, { first, s->partner[first] }, kind };
		for ( uint32_t i = 0; i < count; ++i )
		{
			s->adjacency->edge[half_edge_of( e[i] )] = s->topology->edges;
		}
	}
	++s->topology->edges;
	++s->topology->edges_of_kind[kind];
}

static void visit_edges( const survey* s, const sorted_edges* sorted )
{
	for ( uint32_t v = 0; v < s->mesh->vertex_count; ++v )
	{
		uint32_t end = sorted->first[v + (size_t)1];
		for ( uint32_t i = sorted->first[v], next; i < end; i = next )
		{
			next = i + 1;
			while ( next < end &&
			        greater_vertex( sorted->entry[next] ) == greater_vertex( sorted->entry[i] ) )
			{
				++next;
			}
			visit_edge( s, sorted->entry + i, next - i, v );
		}
	}
}

// Walks around the tail of `start` both ways.
// @return how many triangles are met; never more than `most`
static uint32_t fan_size( const uint32_t* partner, uint32_t start, uint32_t most )
{
	uint32_t size = 1;
	uint32_t h = partner[previous_half_edge( start )];
	for ( ; h != BVB_NO_HALF_EDGE && h != start && size < most; h = partner[previous_half_edge( h )] )
	{
		++size;
	}
	if ( h == BVB_NO_HALF_EDGE )
	{
		for ( h = partner[start]; h != BVB_NO_HALF_EDGE && size < most; h = partner[next_half_edge( h )] )
		{
			++size;
		}
	}
	return size;
}

// Whether the triangles at each vertex form one fan, in a mesh whose edges have two triangles at most, of
// opposite directions.
static bool has_single_fans( const bvb_mesh* mesh, const uint32_t* partner, uint32_t* size )
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
			if ( fan_size( partner, h, size[v] ) < size[v] )
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
static uint32_t join_components( const bvb_mesh* mesh, uint32_t* parent )
{
	const uint32_t unused = UINT32_MAX;
	memset( parent, 0xff, mesh->vertex_count * sizeof *parent );
	uint32_t components = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			if ( parent[corner[k]] == unused )
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

static void number_components( const bvb_mesh* mesh, uint32_t* parent, uint32_t* number, uint32_t* component )
{
	const uint32_t unknown = UINT32_MAX;
	memset( number, 0xff, mesh->vertex_count * sizeof *number );
	uint32_t components = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		uint32_t root = find_root( parent, mesh->triangles[t].corner[0] );
		if ( number[root] == unknown )
		{
			number[root] = components++;
		}
		component[t] = number[root];
	}
}

static bool allocate_adjacency( const bvb_mesh* mesh, uint32_t edges, bvb_arena* arena, bvb_adjacency* out )
{
	size_t half_edges = 3 * (size_t)mesh->triangle_count;
	*out = ( bvb_adjacency ){
		.edges = bvb_arena_allocate( arena, edges, sizeof *out->edges ),
		.edge_count = edges,
		.edge = bvb_arena_allocate( arena, half_edges, sizeof *out->edge ),
		.partner = bvb_arena_allocate( arena, half_edges, sizeof *out->partner ),
		.component = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->component ),
	};
	return out->edges && out->edge && out->partner && out->component;
}

static bool describe( const bvb_mesh* mesh, bvb_arena* scratch, bvb_arena* arena, bvb_topology* out,
                      bvb_adjacency* adjacency )
{
	sorted_edges sorted;
	if ( !sort_edges( mesh, scratch, &sorted ) ||
	     ( adjacency && !allocate_adjacency( mesh, sorted.edges, arena, adjacency ) ) )
	{
		return false;
	}
	survey s = { .mesh = mesh, .adjacency = adjacency, .topology = out };
	s.partner = adjacency
	                ? adjacency->partner
	                : bvb_arena_allocate( scratch, 3 * (size_t)mesh->triangle_count, sizeof *s.partner );
	s.faces = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *s.faces );
	uint32_t* parent = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *parent );
	if ( !s.partner || !s.faces || !parent )
	{
		return false;
	}
	out->closed = true;
	visit_edges( &s, &sorted );
	out->oriented = out->edges_of_kind[bv_edge_flipped] == 0;
	out->manifold = out->oriented && out->edges_of_kind[bv_edge_non_manifold] == 0 &&
	                has_single_fans( mesh, s.partner, s.faces );
	out->components = join_components( mesh, parent );
	if ( adjacency )
	{
		number_components( mesh, parent, s.faces, adjacency->component );
	}
	return true;
}

bv_status bvb_mesh_topology( const bvb_mesh* mesh, bvb_arena* arena, bvb_topology* out,
                             bvb_adjacency* adjacency, bvb_error* error )
{
	*out = ( bvb_topology ){ 0 };
	if ( adjacency )
	{
		*adjacency = ( bvb_adjacency ){ 0 };
	}
	if ( mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvb_fail( error, bv_error_limit, "%u triangles are more than %u", mesh->triangle_count,
		                 BVB_MAX_TRIANGLES );
	}
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	bool done = scratch && describe( mesh, scratch, arena, out, adjacency );
	bvb_arena_destroy( scratch );
	return done ? bv_ok : bvb_fail_memory( error );
}
