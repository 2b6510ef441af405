// A mesh in the order of a tree, and its vertices in that of their first use.
//
// Few threads number vertices as they meet them: of two, each those of one half of the triangles, and then
// those that the second half shares with the first get their numbers there. Several take parts of the
// triangles: first the least place of each vertex is found, then how many vertices each part is the first to
// use, and so the number that each part's begin with.

#include "offline/tree/tree.h"

#include "offline/base/arena.h"

#include <string.h>

enum
{
	parts_of_thread = 8,
	ahead = 16,            // triangles are asked for so early
	enough_threads = 4,    // fewer have more to do with parts than with halves in as much time
	half_triangles = 8192, // of fewer a half is not worth to wake another thread
};

// What is read while the mesh is written.
typedef struct order_mesh_work
{
	bvb_mesh* mesh;
	const uint32_t* order;
	bvb_triangle* triangles; // in the new order, with old vertices; of halves, with the half's numbers
	bv_vec3* positions;      // in the old order
	uint32_t* origin;        // in the old order; null if there is none

	// of each vertex, of several threads: UINT32_MAX - its first place among all corners, 0 for none
	uint32_t* place;

	uint32_t* number; // of each vertex, the new one, of several threads
	uint32_t* starts; // of each part, the number of its first new vertex
	int parts;
} order_mesh_work;

// One of the equal parts that threads take, so many that none waits long for another one that the system has
// stopped.
typedef struct order_mesh_part
{
	uint32_t begin;
	uint32_t end;
} order_mesh_part;

static order_mesh_part part_of( const order_mesh_work* w, uint32_t count, int index )
{
	uint64_t all = (uint64_t)w->parts;
	uint64_t i = (uint64_t)index;
	return ( order_mesh_part ){ (uint32_t)( i * count / all ), (uint32_t)( ( i + 1 ) * count / all ) };
}

// One of the halves of the triangles, or all of them.
typedef struct order_mesh_half
{
	uint32_t begin;
	uint32_t end;
	uint32_t* number; // of each vertex, one more than its number in this half; 0 for none
	uint32_t* used;   // the vertices by these numbers; of the second half at last their new numbers
	uint32_t count;   // of vertices that are used
} order_mesh_half;

static void number_half( const order_mesh_work* w, uint32_t vertex_count, order_mesh_half* h )
{
	uint32_t count = 0;
	memset( h->number, 0, vertex_count * sizeof *h->number );
	for ( uint32_t i = h->begin; i < h->end; ++i )
	{
		uint32_t later = i + ahead < h->end ? i + ahead : i;
		__builtin_prefetch( w->mesh->triangles + w->order[later] );
		bvb_triangle t = w->mesh->triangles[w->order[i]];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t old = t.corner[k];
			if ( h->number[old] == 0 )
			{
				h->used[count++] = old;
				h->number[old] = count;
			}
			t.corner[k] = h->number[old] - 1;
		}
		w->triangles[i] = t;
	}
	h->count = count;
}

static void copy_positions( const order_mesh_work* w, uint32_t vertex_count, int index )
{
	order_mesh_part p = part_of( w, vertex_count, index );
	memcpy( w->positions + p.begin, w->mesh->positions + p.begin,
	        ( p.end - p.begin ) * sizeof *w->positions );
}

// A part of it. Its numbers are the new ones.
static void place_first_half( const order_mesh_work* w, const order_mesh_half* h, int index )
{
	order_mesh_part vertices = part_of( w, h->count, index );
	for ( uint32_t i = vertices.begin; i < vertices.end; ++i )
	{
		w->mesh->positions[i] = w->positions[h->used[i]];
	}
	order_mesh_part triangles = part_of( w, h->end, index );
	memcpy( w->mesh->triangles + triangles.begin, w->triangles + triangles.begin,
	        ( triangles.end - triangles.begin ) * sizeof *w->triangles );
}

// Finds the new numbers of its vertices.
static void place_second_half( const order_mesh_work* w, const order_mesh_half* first, order_mesh_half* h )
{
	uint32_t next = first->count;
	for ( uint32_t i = 0; i < h->count; ++i )
	{
		uint32_t old = h->used[i];
		uint32_t number = first->number[old];
		if ( number == 0 )
		{
			w->mesh->positions[next] = w->positions[old];
			number = ++next;
		}
		h->used[i] = number - 1;
	}
	w->mesh->vertex_count = next;
}

static void rename_second_half( const order_mesh_work* w, const order_mesh_half* h, int index )
{
	order_mesh_part p = part_of( w, h->end - h->begin, index );
	for ( uint32_t i = h->begin + p.begin; i < h->begin + p.end; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			w->mesh->triangles[i].corner[k] = h->used[w->triangles[i].corner[k]];
		}
	}
}

// What each of two threads does.
static void order_halves( const order_mesh_work* w, order_mesh_half h[2], uint32_t vertex_count )
{
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < 2 + w->parts; ++i )
	{
		if ( i < 2 )
		{
			number_half( w, vertex_count, h + i );
		}
		else
		{
			copy_positions( w, vertex_count, i - 2 );
		}
	}
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < 1 + w->parts; ++i )
	{
		if ( i == 0 )
		{
			place_second_half( w, h, h + 1 );
		}
		else
		{
			place_first_half( w, h, i - 1 );
		}
	}
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		rename_second_half( w, h + 1, i );
	}
}

// With fewer threads than are worth parts.
static bool order_by_few( order_mesh_work* w, int team, bvb_arena* scratch )
{
	uint32_t count = w->mesh->triangle_count;
	uint32_t vertex_count = w->mesh->vertex_count;
	bool both = team > 1 && count >= 2 * half_triangles;
	uint32_t middle = both ? count / 2 : count;
	order_mesh_half h[2] = { { .end = middle }, { .begin = middle, .end = count } };
	for ( int i = 0; i < 1 + both; ++i )
	{
		h[i].number = bvbase_arena_allocate_unset( scratch, vertex_count, sizeof *h[i].number );
		h[i].used = bvbase_arena_allocate_unset( scratch, vertex_count, sizeof *h[i].used );
		if ( !h[i].number || !h[i].used )
		{
			return false;
		}
	}
	if ( both )
	{
#pragma omp parallel num_threads( 2 )
		order_halves( w, h, vertex_count );
		return true;
	}
	number_half( w, vertex_count, h );
	memcpy( w->positions, w->mesh->positions, vertex_count * sizeof *w->positions );
	w->parts = 1;
	place_first_half( w, h, 0 );
	w->mesh->vertex_count = h[0].count;
	return true;
}

static void raise_to( uint32_t* place, uint32_t value )
{
	uint32_t old = __atomic_load_n( place, __ATOMIC_RELAXED );
	while ( old < value &&
	        !__atomic_compare_exchange_n( place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED ) )
	{
	}
}

static void find_places( const order_mesh_work* w, order_mesh_part p )
{
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		bvb_triangle t = w->mesh->triangles[w->order[i]];
		w->triangles[i] = t;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			raise_to( w->place + t.corner[k], UINT32_MAX - ( 3 * i + k ) );
		}
	}
}

static bool is_first( const order_mesh_work* w, uint32_t triangle, uint32_t k )
{
	return w->place[w->triangles[triangle].corner[k]] == UINT32_MAX - ( 3 * triangle + k );
}

static uint32_t count_first( const order_mesh_work* w, order_mesh_part p )
{
	uint32_t count = 0;
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		count += is_first( w, i, 0 ) + is_first( w, i, 1 ) + is_first( w, i, 2 );
	}
	return count;
}

static void add_up( const order_mesh_work* w )
{
	uint32_t sum = 0;
	for ( int i = 0; i < w->parts; ++i )
	{
		uint32_t here = w->starts[i];
		w->starts[i] = sum;
		sum += here;
	}
	w->mesh->vertex_count = sum;
}

static void number_first( const order_mesh_work* w, order_mesh_part p, uint32_t next )
{
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t old = w->triangles[i].corner[k];
			if ( is_first( w, i, k ) )
			{
				w->mesh->positions[next] = w->positions[old];
				w->number[old] = next++;
			}
		}
	}
}

static void rename_corners( const order_mesh_work* w, order_mesh_part p )
{
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			w->mesh->triangles[i].corner[k] = w->number[w->triangles[i].corner[k]];
		}
	}
}

// What each of several threads does.
static void order_together( const order_mesh_work* w, uint32_t vertex_count )
{
	uint32_t count = w->mesh->triangle_count;
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		order_mesh_part vertices = part_of( w, vertex_count, i );
		memcpy( w->positions + vertices.begin, w->mesh->positions + vertices.begin,
		        ( vertices.end - vertices.begin ) * sizeof *w->positions );
		find_places( w, part_of( w, count, i ) );
	}
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		w->starts[i] = count_first( w, part_of( w, count, i ) );
	}
#pragma omp single
	add_up( w );
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		number_first( w, part_of( w, count, i ), w->starts[i] );
	}
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		rename_corners( w, part_of( w, count, i ) );
	}
}

static void order_origins( const order_mesh_work* w )
{
	bvb_mesh* mesh = w->mesh;
	memcpy( w->origin, mesh->origin, mesh->triangle_count * sizeof *w->origin );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mesh->origin[i] = w->origin[w->order[i]];
	}
}

static bool order_by_parts( order_mesh_work* w, int team, bvb_arena* scratch )
{
	uint32_t vertex_count = w->mesh->vertex_count;
	w->number = bvbase_arena_allocate_unset( scratch, vertex_count, sizeof *w->number );
	w->place = bvb_arena_allocate( scratch, vertex_count, sizeof *w->place );
	w->starts = bvbase_arena_allocate_unset( scratch, (size_t)w->parts, sizeof *w->starts );
	if ( !w->number || !w->place || !w->starts )
	{
		return false;
	}
#pragma omp parallel num_threads( team )
	order_together( w, vertex_count );
	return true;
}

bool bvorder_order_mesh( bvb_mesh* mesh, const uint32_t* order, int team, bvb_arena* scratch )
{
	order_mesh_work w = { .mesh = mesh, .order = order, .parts = parts_of_thread * team };
	w.triangles = bvbase_arena_allocate_unset( scratch, mesh->triangle_count, sizeof *w.triangles );
	w.positions = bvbase_arena_allocate_unset( scratch, mesh->vertex_count, sizeof *w.positions );
	w.origin =
		mesh->origin ? bvbase_arena_allocate_unset( scratch, mesh->triangle_count, sizeof *w.origin ) : NULL;
	if ( !w.triangles || !w.positions || ( mesh->origin && !w.origin ) )
	{
		return false;
	}
	if ( w.origin )
	{
		order_origins( &w );
	}
	return team < enough_threads ? order_by_few( &w, team, scratch ) : order_by_parts( &w, team, scratch );
}
