// Connectivity of triangles: edges and their kinds, components, closed and manifold meshes, double-sided
// pairs.
//
// Half-edges are put into buckets by their smaller vertex. Most buckets have few entries; large ones are
// sorted by radix sort. The time is therefore linear for any mesh, even if all triangles share a vertex or an
// edge. Components are found by union-find (Tarjan, van Leeuwen 1984, path halving). Fans are found by
// walking around each vertex.

#include "bvbuild/mesh.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/sets.h"
#include "offline/base/sort.h"
#include "offline/mesh/crease.h"

#include <string.h>

enum
{
	few = 24, // entries of a bucket that are sorted by insertion
};

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

// A half-edge in the bucket of one of its vertices.
typedef struct topology_entry
{
	uint32_t other; // vertex
	uint32_t half_edge;
} topology_entry;

// All half-edges in buckets by their lesser vertex, in each ascending by their greater one, then by number.
typedef struct sorted_edges
{
	topology_entry* entry;
	uint32_t* first; // per vertex and one more: where its bucket starts
} sorted_edges;

// Turns counts, stored one place late, into starts.
static void accumulate( uint32_t* start, uint32_t vertices )
{
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		start[v + (size_t)1] += start[v];
	}
}

// Ascending by the greater vertex; those of equal ones keep their order.
static void sort_few( topology_entry* e, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		topology_entry moved = e[i];
		uint32_t place = i;
		for ( ; place > 0 && e[place - 1].other > moved.other; --place )
		{
			e[place] = e[place - 1];
		}
		e[place] = moved;
	}
}

static void sort_many( topology_entry* e, uint32_t count, bvbase_sort_entry* room )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		room[i] = ( bvbase_sort_entry ){ e[i].other, e[i].half_edge };
	}
	bvbase_sort( room, room + count, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		e[i] = ( topology_entry ){ (uint32_t)room[i].key, room[i].value };
	}
}

// @return the room that sorting the largest bucket takes; null when out of memory, or when none is needed
static bvbase_sort_entry* make_room( const uint32_t* first, uint32_t vertices, bvb_arena* arena, bool* good )
{
	uint32_t largest = 0;
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		uint32_t count = first[v + (size_t)1] - first[v];
		largest = count > largest ? count : largest;
	}
	bvbase_sort_entry* room =
		largest > few ? bvb_arena_allocate( arena, 2 * (size_t)largest, sizeof *room ) : NULL;
	*good = room || largest <= few;
	return room;
}

static bool sort_edges( const bvb_mesh* mesh, bvb_arena* scratch, sorted_edges* out )
{
	topology_entry* entries =
		bvb_arena_allocate( scratch, 3 * (size_t)mesh->triangle_count, sizeof *entries );
	uint32_t* first = bvb_arena_allocate( scratch, (size_t)mesh->vertex_count + 2, sizeof *first );
	if ( !entries || !first )
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
			++first[( a > b ? b : a ) + (size_t)2];
		}
	}
	accumulate( first + 1, mesh->vertex_count );
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t a = corner[k];
			uint32_t b = corner[( k + 1 ) % 3];
			entries[first[( a > b ? b : a ) + (size_t)1]++] = ( topology_entry ){ a > b ? a : b, 3 * t + k };
		}
	}
	bool good;
	bvbase_sort_entry* room = make_room( first, mesh->vertex_count, scratch, &good );
	for ( uint32_t v = 0; v < mesh->vertex_count && good; ++v )
	{
		uint32_t count = first[v + (size_t)1] - first[v];
		if ( count > few )
		{
			sort_many( entries + first[v], count, room );
		}
		else
		{
			sort_few( entries + first[v], count );
		}
	}
	*out = ( sorted_edges ){ entries, first };
	return good;
}

static uint32_t count_edges( const sorted_edges* sorted, uint32_t vertices )
{
	uint32_t count = 0;
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		for ( uint32_t i = sorted->first[v]; i < sorted->first[v + (size_t)1]; ++i )
		{
			count += i == sorted->first[v] || sorted->entry[i].other != sorted->entry[i - 1].other;
		}
	}
	return count;
}

// An edge of two triangles that waits for its kind. Its corners are the edge's, the lesser one first, and the
// third ones of the triangle that runs through it in that direction and of the other one.
typedef struct topology_pair
{
	uint32_t edge;
	uint32_t half_edge[2]; // ascending
	uint32_t vertex[4];
	bool flipped;
} topology_pair;

// What is gathered while the edges are gone through. Pairs are classified many at a time: fetching the
// corners of all first lets the waits for memory overlap.
typedef struct topology_survey
{
	const bvb_mesh* mesh;
	uint32_t* partner;        // as in bvb_adjacency
	uint32_t* faces;          // per vertex, all 0 between edges: forward triangles with that third vertex
	bvb_adjacency* adjacency; // null when not wanted
	bvb_topology* topology;   // all but its components, and manifold, as far as edges have been visited
	topology_pair waiting[64];
	uint32_t waits;
} topology_survey;

// Pairs of triangles of opposite winding over the same three vertices, counted at the edge between the lesser
// two.
static uint32_t count_double_sided( const topology_survey* s, const topology_entry* e, uint32_t count,
                                    uint32_t lesser )
{
	uint32_t pairs = 0;
	for ( int pass = 0; pass < 3; ++pass )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool forward = tail( s->mesh, e[i].half_edge ) == lesser;
			uint32_t third = third_vertex( s->mesh, e[i].half_edge );
			if ( third > e[i].other )
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

static void find_corners( const bvb_mesh* mesh, topology_pair* p )
{
	uint32_t tails[2];
	uint32_t thirds[2];
	for ( int i = 0; i < 2; ++i )
	{
		const uint32_t* corner = mesh->triangles[p->half_edge[i] / 3].corner;
		uint32_t k = p->half_edge[i] % 3;
		tails[i] = corner[k];
		thirds[i] = corner[k == 0 ? 2 : k - 1];
	}
	bool forward = tails[0] == p->vertex[0];
	p->flipped = tails[0] == tails[1];
	p->vertex[2] = forward ? thirds[0] : thirds[1];
	p->vertex[3] = forward ? thirds[1] : thirds[0];
}

static void count_kind( topology_survey* s, uint32_t edge, bv_edge_kind kind )
{
	++s->topology->edges_of_kind[kind];
	if ( s->adjacency )
	{
		s->adjacency->edges[edge].kind = kind;
	}
}

static void classify_waiting( topology_survey* s )
{
	for ( uint32_t i = 0; i < s->waits; ++i )
	{
		find_corners( s->mesh, &s->waiting[i] );
	}
	for ( uint32_t i = 0; i < s->waits; ++i )
	{
		const topology_pair* p = &s->waiting[i];
		s->topology->closed = s->topology->closed && !p->flipped;
		s->topology->double_sided +=
			!p->flipped && p->vertex[2] == p->vertex[3] && p->vertex[2] > p->vertex[1];
		count_kind( s, p->edge,
		            p->flipped ? bv_edge_flipped : bvmesh_crease_kind( s->mesh->positions, p->vertex ) );
	}
	s->waits = 0;
}

static void visit_bundle( topology_survey* s, const topology_entry* e, uint32_t count, uint32_t lesser )
{
	uint32_t forward = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		forward += tail( s->mesh, e[i].half_edge ) == lesser;
		s->partner[e[i].half_edge] = BVB_MANY_HALF_EDGES;
	}
	s->topology->closed = s->topology->closed && forward == count - forward;
	if ( forward > 0 && forward < count )
	{
		s->topology->double_sided += count_double_sided( s, e, count, lesser );
	}
}

// All half-edges between two vertices.
static void visit_edge( topology_survey* s, const topology_entry* e, uint32_t count, uint32_t lesser )
{
	uint32_t edge = s->topology->edges++;
	uint32_t greater = e[0].other;
	uint32_t first = e[0].half_edge;
	uint32_t second = count == 1 ? BVB_NO_HALF_EDGE : count == 2 ? e[1].half_edge : BVB_MANY_HALF_EDGES;
	s->partner[first] = second;
	if ( s->adjacency )
	{
		s->adjacency->edges[edge] = ( bvb_edge ){ { lesser, greater }, { first, second }, bv_edge_boundary };
		for ( uint32_t i = 0; i < count; ++i )
		{
			s->adjacency->edge[e[i].half_edge] = edge;
		}
	}
	if ( count == 1 )
	{
		s->topology->closed = false;
		count_kind( s, edge, bv_edge_boundary );
	}
	else if ( count == 2 )
	{
		s->partner[second] = first;
		s->waiting[s->waits++] =
			( topology_pair ){ edge, { first, second }, { lesser, greater, 0, 0 }, false };
		if ( s->waits == sizeof s->waiting / sizeof *s->waiting )
		{
			classify_waiting( s );
		}
	}
	else
	{
		visit_bundle( s, e, count, lesser );
		count_kind( s, edge, bv_edge_non_manifold );
	}
}

static void visit_edges( topology_survey* s, const sorted_edges* sorted )
{
	for ( uint32_t v = 0; v < s->mesh->vertex_count; ++v )
	{
		uint32_t end = sorted->first[v + (size_t)1];
		for ( uint32_t i = sorted->first[v], next; i < end; i = next )
		{
			next = i + 1;
			while ( next < end && sorted->entry[next].other == sorted->entry[i].other )
			{
				++next;
			}
			visit_edge( s, sorted->entry + i, next - i, v );
		}
	}
	classify_waiting( s );
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
			components -= bvbase_join_sets( parent, corner[0], corner[k] );
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
		uint32_t root = bvbase_set_of( parent, mesh->triangles[t].corner[0] );
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
	     ( adjacency &&
	       !allocate_adjacency( mesh, count_edges( &sorted, mesh->vertex_count ), arena, adjacency ) ) )
	{
		return false;
	}
	topology_survey s = { .mesh = mesh, .adjacency = adjacency, .topology = out };
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
		return bvbase_fail( error, bv_error_limit, "%u triangles exceed the limit of %u",
		                    mesh->triangle_count, BVB_MAX_TRIANGLES );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bool done = scratch && describe( mesh, scratch, arena, out, adjacency );
	bvb_arena_destroy( scratch );
	return done ? bv_ok : bvbase_fail_memory( error );
}
