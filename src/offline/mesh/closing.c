// Strips across cracks, and fans over loops of open edges. See closing.h.

#include "offline/mesh/closing.h"

#include "offline/base/arena.h"
#include "offline/base/system.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_looked_back = 4096, // vertices that may be near another one
};

// A run along an edge, directed.
typedef struct closing_run
{
	uint32_t from;
	uint32_t to;
	uint32_t edge[2]; // the open edge that it was before strips moved it
} closing_run;

typedef struct closing_builder
{
	const bvb_mesh* mesh;
	bvmesh_closing* out;
	uint32_t* place;   // per vertex: the first one at its place
	uint32_t* target;  // per vertex: where strips lead from there
	closing_run* runs; // open edges, one for each run; first of the mesh, then of the strips' other side
	uint32_t run_count;
} closing_builder;

static int compare_places( const void* first, const void* second, void* positions )
{
	const bv_vec3* p = positions;
	uint32_t a = *(const uint32_t*)first;
	uint32_t b = *(const uint32_t*)second;
	int order = bvmath_compare( p[a], p[b] );
	return order != 0 ? order : ( a > b ) - ( a < b );
}

static uint32_t lesser_of( const closing_run* r )
{
	return r->from < r->to ? r->from : r->to;
}

static uint32_t greater_of( const closing_run* r )
{
	return r->from < r->to ? r->to : r->from;
}

static int compare_runs( const void* first, const void* second )
{
	const closing_run* a = first;
	const closing_run* b = second;
	uint32_t low[2] = { lesser_of( a ), lesser_of( b ) };
	uint32_t high[2] = { greater_of( a ), greater_of( b ) };
	return low[0] != low[1]           ? ( low[0] < low[1] ? -1 : 1 )
	       : high[0] != high[1]       ? ( high[0] < high[1] ? -1 : 1 )
	       : a->from != b->from       ? ( a->from < b->from ? -1 : 1 )
	       : a->edge[0] != b->edge[0] ? ( a->edge[0] < b->edge[0] ? -1 : 1 )
	                                  : ( a->edge[1] > b->edge[1] ) - ( a->edge[1] < b->edge[1] );
}

// Leaves the runs that no opposite one cancels, sorted.
static void cancel_runs( closing_builder* b )
{
	qsort( b->runs, b->run_count, sizeof *b->runs, compare_runs );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < b->run_count; )
	{
		// Those with the lesser vertex first come first.
		closing_run run[2] = { b->runs[i], b->runs[i] };
		uint32_t low = lesser_of( run );
		uint32_t high = greater_of( run );
		uint32_t count[2] = { 0, 0 };
		for ( ; i < b->run_count && lesser_of( b->runs + i ) == low && greater_of( b->runs + i ) == high;
		      ++i )
		{
			bool back = b->runs[i].from != low;
			run[back] = b->runs[i];
			count[back] += 1;
		}
		bool more = count[1] > count[0];
		uint32_t net = more ? count[1] - count[0] : count[0] - count[1];
		for ( uint32_t k = 0; k < net && low != high; ++k )
		{
			b->runs[kept++] = run[more];
		}
	}
	b->run_count = kept;
}

// Vertices at one place become the first of them.
static bool find_places( closing_builder* b, bvb_arena* scratch )
{
	uint32_t count = b->mesh->vertex_count;
	uint32_t* order = bvb_arena_allocate( scratch, count, sizeof *order );
	if ( !order )
	{
		return false;
	}
	for ( uint32_t v = 0; v < count; ++v )
	{
		order[v] = v;
	}
	bvbase_sort_with( order, count, sizeof *order, compare_places, b->mesh->positions );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool same =
			i > 0 && bvmath_compare( b->mesh->positions[order[i - 1]], b->mesh->positions[order[i]] ) == 0;
		b->place[order[i]] = same ? b->place[order[i - 1]] : order[i];
	}
	return true;
}

static bool find_open_edges( closing_builder* b, bvb_arena* scratch )
{
	b->runs = bvb_arena_allocate( scratch, 3 * (size_t)b->mesh->triangle_count, sizeof *b->runs );
	if ( !b->runs )
	{
		return false;
	}
	for ( uint32_t t = 0; t < b->mesh->triangle_count; ++t )
	{
		const uint32_t* c = b->mesh->triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t from = b->place[c[k]];
			uint32_t to = b->place[c[( k + 1 ) % 3]];
			b->runs[b->run_count++] = ( closing_run ){ from, to, { from, to } };
		}
	}
	cancel_runs( b );
	return true;
}

// Vertices of open edges go to an earlier one that is near, and goes nowhere itself.
static bool find_targets( closing_builder* b, double width, bvb_arena* scratch )
{
	const bv_vec3* p = b->mesh->positions;
	uint32_t* order = bvb_arena_allocate( scratch, 2 * (size_t)b->run_count, sizeof *order );
	uint32_t count = 0;
	if ( !order )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b->run_count; ++i )
	{
		order[count++] = b->runs[i].from;
		order[count++] = b->runs[i].to;
	}
	bvbase_sort_with( order, count, sizeof *order, compare_places, b->mesh->positions );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t v = order[i];
		if ( i > 0 && v == order[i - 1] )
		{
			continue;
		}
		b->target[v] = v;
		for ( uint32_t k = kept; k > 0 && kept - k < most_looked_back && p[v].x - p[order[k - 1]].x <= width;
		      --k )
		{
			bv_vec3 d = bv_sub( p[v], p[order[k - 1]] );
			if ( bv_dot( d, d ) <= width * width )
			{
				b->target[v] = order[k - 1];
				break;
			}
		}

		// In place: no more are kept than were looked at.
		if ( b->target[v] == v )
		{
			order[kept++] = v;
		}
	}
	return true;
}

static void put_cap( closing_builder* b, const closing_run* edge, uint32_t first, uint32_t second,
                     uint32_t third )
{
	bvb_mesh* m = &b->out->mesh;
	const bv_vec3* p = m->positions;
	bool flat = bvmath_compare( p[first], p[second] ) == 0 || bvmath_compare( p[second], p[third] ) == 0 ||
	            bvmath_compare( p[third], p[first] ) == 0;
	if ( !flat )
	{
		memcpy( b->out->edge[m->triangle_count - b->out->first_cap], edge->edge, sizeof edge->edge );
		m->triangles[m->triangle_count++] = ( bvb_triangle ){ { first, second, third } };
	}
}

// Strips from all open edges to where their ends go, which become the open edges.
static void put_strips( closing_builder* b )
{
	for ( uint32_t i = 0; i < b->run_count; ++i )
	{
		closing_run* r = b->runs + i;
		uint32_t from = b->target[r->from];
		uint32_t to = b->target[r->to];
		put_cap( b, r, r->to, r->from, to );
		put_cap( b, r, to, r->from, from );
		r->from = from;
		r->to = to;
	}
	cancel_runs( b );
}

static double distance_from_edge( const bvmesh_closing* c, const uint32_t corner[3], const uint32_t edge[2] )
{
	bv_vec3 a = c->mesh.positions[edge[0]];
	bv_vec3 side = bv_sub( c->mesh.positions[edge[1]], a );
	double square = bv_dot( side, side );
	double farthest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 d = bv_sub( c->mesh.positions[corner[k]], a );
		double along = square > 0 ? bvmath_max( 0, bvmath_min( bv_dot( d, side ) / square, 1 ) ) : 0;
		bv_vec3 off = bv_sub( d, bv_scale( along, side ) );
		farthest = bvmath_max( farthest, bv_dot( off, off ) );
	}
	return sqrt( farthest );
}

double bvmesh_cap_distance( const bvmesh_closing* c, uint32_t cap )
{
	return distance_from_edge( c, c->mesh.triangles[c->first_cap + cap].corner, c->edge[cap] );
}

// @param by  per vertex of the loop: the run from there to the next one, backwards
static void put_fan( closing_builder* b, const uint32_t* loop, const uint32_t* by, uint32_t count )
{
	bvb_mesh* m = &b->out->mesh;
	if ( count == 3 )
	{
		uint32_t nearest = by[0];
		double least = INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			double distance = distance_from_edge( b->out, loop, b->runs[by[k]].edge );
			nearest = distance < least ? by[k] : nearest;
			least = bvmath_min( least, distance );
		}
		put_cap( b, b->runs + nearest, loop[0], loop[1], loop[2] );
		return;
	}
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum = bv_add( sum, m->positions[loop[i]] );
	}
	uint32_t center = m->vertex_count++;
	m->positions[center] = bv_scale( 1.0 / count, sum );
	for ( uint32_t i = 0; i < count; ++i )
	{
		put_cap( b, b->runs + by[i], loop[i], loop[( i + 1 ) % count], center );
	}
}

// Where open edges begin and end while loops are found.
typedef struct loop_finder
{
	uint32_t* first; // per vertex and one more: where the list of runs that end there starts
	uint32_t* left;  // per vertex: how many of them are not used yet
	uint32_t* runs;  // the lists
	uint32_t* way;   // vertices
	uint32_t* by;    // the run from each of them to the next, backwards
	uint32_t* step;  // per vertex: its place on the way, from 1
} loop_finder;

static bool begin_loops( const closing_builder* b, bvb_arena* scratch, loop_finder* f )
{
	uint32_t vertices = b->mesh->vertex_count;
	f->first = bvb_arena_allocate( scratch, (size_t)vertices + 1, sizeof *f->first );
	f->left = bvb_arena_allocate( scratch, vertices, sizeof *f->left );
	f->step = bvb_arena_allocate( scratch, vertices, sizeof *f->step );
	f->runs = bvb_arena_allocate( scratch, b->run_count, sizeof *f->runs );
	f->by = bvb_arena_allocate( scratch, (size_t)b->run_count + 1, sizeof *f->by );
	f->way = bvb_arena_allocate( scratch, (size_t)b->run_count + 1, sizeof *f->way );
	if ( !f->first || !f->left || !f->step || !f->runs || !f->by || !f->way )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b->run_count; ++i )
	{
		f->first[b->runs[i].to + 1] += 1;
	}
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		f->first[v + 1] += f->first[v];
	}
	for ( uint32_t i = 0; i < b->run_count; ++i )
	{
		uint32_t v = b->runs[i].to;
		f->runs[f->first[v] + f->left[v]++] = i;
	}
	return true;
}

// Follows open edges backwards from a vertex until none is left there. Where a vertex is met again, what lies
// between is a loop. At each vertex as many runs end as begin, so no way ends anywhere else.
static void put_fans_from( closing_builder* b, loop_finder* f, uint32_t start )
{
	uint32_t length = 1;
	f->way[0] = start;
	f->step[start] = 1;
	while ( length > 1 || f->left[start] > 0 )
	{
		uint32_t at = f->way[length - 1];
		uint32_t run = f->runs[f->first[at] + --f->left[at]];
		uint32_t v = b->runs[run].from;
		f->by[length - 1] = run;
		if ( f->step[v] == 0 )
		{
			f->way[length++] = v;
			f->step[v] = length;
			continue;
		}
		uint32_t from = f->step[v] - 1;
		put_fan( b, f->way + from, f->by + from, length - from );
		while ( length > from + 1 )
		{
			f->step[f->way[--length]] = 0;
		}
	}
	f->step[start] = 0;
}

static bool put_fans( closing_builder* b, bvb_arena* scratch )
{
	loop_finder finder;
	if ( !begin_loops( b, scratch, &finder ) )
	{
		return false;
	}
	for ( uint32_t v = 0; v < b->mesh->vertex_count; ++v )
	{
		put_fans_from( b, &finder, v );
	}
	return true;
}

static bv_status close_in( closing_builder* b, double width, bvb_arena* arena, bvb_arena* scratch )
{
	const bvb_mesh* mesh = b->mesh;
	b->place = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *b->place );
	b->target = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *b->target );
	if ( !b->place || !b->target || !find_places( b, scratch ) || !find_open_edges( b, scratch ) )
	{
		return bv_error_memory;
	}
	if ( b->run_count > bvmesh_most_caps )
	{
		return bv_error_limit;
	}
	if ( !find_targets( b, width, scratch ) )
	{
		return bv_error_memory;
	}

	// Two for each strip, and one for each edge that is left.
	size_t triangles = (size_t)mesh->triangle_count + 3 * (size_t)b->run_count;
	size_t vertices = (size_t)mesh->vertex_count + b->run_count / 4;
	if ( triangles > BVB_MAX_TRIANGLES )
	{
		return bv_error_limit;
	}
	bvb_mesh* m = &b->out->mesh;
	m->positions = bvb_arena_allocate( arena, vertices, sizeof *m->positions );
	m->triangles = bvb_arena_allocate( arena, triangles, sizeof *m->triangles );
	b->out->edge = bvb_arena_allocate( arena, 3 * (size_t)b->run_count, sizeof *b->out->edge );
	if ( !m->positions || !m->triangles || !b->out->edge )
	{
		return bv_error_memory;
	}
	m->origin = NULL;
	memcpy( m->positions, mesh->positions, mesh->vertex_count * sizeof *m->positions );
	memcpy( m->triangles, mesh->triangles, mesh->triangle_count * sizeof *m->triangles );
	m->vertex_count = b->out->vertex_count = mesh->vertex_count;
	m->triangle_count = b->out->first_cap = mesh->triangle_count;
	put_strips( b );
	return put_fans( b, scratch ) ? bv_ok : bv_error_memory;
}

bv_status bvmesh_close( const bvb_mesh* mesh, double width, bvb_arena* arena, bvmesh_closing* out )
{
	*out = ( bvmesh_closing ){ .mesh = *mesh };
	closing_builder b = { .mesh = mesh, .out = out };
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status = scratch ? close_in( &b, width, arena, scratch ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	return status;
}
