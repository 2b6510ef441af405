// A mesh in the order of a tree, and its vertices in that of their first use.
//
// One thread numbers vertices as it meets them. Several take parts of the triangles: first the least place of each vertex
// is found, then how many vertices each part is the first to use, and so the number that each part's begin with.

#include "tree/tree.h"

#include "base/offline/arena.h"

#include <string.h>

enum
{
	parts_of_thread = 8,
	enough_threads = 4, // fewer have more to do together than one alone in as much time
};

// What is read while the mesh is written.
typedef struct work
{
	bvb_mesh* mesh;
	const uint32_t* order;
	bvb_triangle* triangles; // in the new order, with old vertices
	bv_vec3* positions;      // in the old order
	uint32_t* origin;        // in the old order; null if there is none
	uint32_t*
		place; // of each vertex, of several threads: UINT32_MAX - its first place among all corners, 0 for none
	uint32_t* number; // of each vertex, the new one; of one thread, one more, 0 for none yet
	uint32_t* starts; // of each part, the number of its first new vertex
	int parts;
} work;

static void order_alone( const work* w )
{
	bvb_mesh* mesh = w->mesh;
	uint32_t used = 0;
	memcpy( w->triangles, mesh->triangles, mesh->triangle_count * sizeof *w->triangles );
	memcpy( w->positions, mesh->positions, mesh->vertex_count * sizeof *w->positions );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t old = w->triangles[w->order[i]].corner[k];
			if ( w->number[old] == 0 )
			{
				mesh->positions[used++] = w->positions[old];
				w->number[old] = used;
			}
			mesh->triangles[i].corner[k] = w->number[old] - 1;
		}
	}
	mesh->vertex_count = used;
}

// One of the equal parts that threads take, so many that none waits long for another one that the system has stopped.
typedef struct part
{
	uint32_t begin;
	uint32_t end;
} part;

static part part_of( const work* w, uint32_t count, int index )
{
	uint64_t all = (uint64_t)w->parts;
	uint64_t i = (uint64_t)index;
	return ( part ){ (uint32_t)( i * count / all ), (uint32_t)( ( i + 1 ) * count / all ) };
}

static void raise_to( uint32_t* place, uint32_t value )
{
	uint32_t old = __atomic_load_n( place, __ATOMIC_RELAXED );
	while ( old < value &&
	        !__atomic_compare_exchange_n( place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED ) )
	{
	}
}

static void find_places( const work* w, part p )
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

static bool is_first( const work* w, uint32_t triangle, uint32_t k )
{
	return w->place[w->triangles[triangle].corner[k]] == UINT32_MAX - ( 3 * triangle + k );
}

static uint32_t count_first( const work* w, part p )
{
	uint32_t count = 0;
	for ( uint32_t i = p.begin; i < p.end; ++i )
	{
		count += is_first( w, i, 0 ) + is_first( w, i, 1 ) + is_first( w, i, 2 );
	}
	return count;
}

static void add_up( const work* w )
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

static void number_first( const work* w, part p, uint32_t next )
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

static void rename_corners( const work* w, part p )
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
static void order_together( const work* w, uint32_t vertex_count )
{
	uint32_t count = w->mesh->triangle_count;
#pragma omp for schedule( dynamic )
	for ( int i = 0; i < w->parts; ++i )
	{
		part vertices = part_of( w, vertex_count, i );
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

static void order_origins( const work* w )
{
	bvb_mesh* mesh = w->mesh;
	memcpy( w->origin, mesh->origin, mesh->triangle_count * sizeof *w->origin );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mesh->origin[i] = w->origin[w->order[i]];
	}
}

bool bvb_tree_order_mesh( bvb_mesh* mesh, const uint32_t* order, int team, bvb_arena* scratch )
{
	uint32_t triangle_count = mesh->triangle_count;
	uint32_t vertex_count = mesh->vertex_count;
	bool alone = team < enough_threads;
	work w = { .mesh = mesh, .order = order, .parts = parts_of_thread * team };
	w.triangles = bvb_arena_allocate_raw( scratch, triangle_count, sizeof *w.triangles );
	w.positions = bvb_arena_allocate_raw( scratch, vertex_count, sizeof *w.positions );
	w.number = bvb_arena_allocate( scratch, vertex_count, sizeof *w.number );
	w.origin = mesh->origin ? bvb_arena_allocate_raw( scratch, triangle_count, sizeof *w.origin ) : NULL;
	w.place = !alone ? bvb_arena_allocate( scratch, vertex_count, sizeof *w.place ) : NULL;
	w.starts = bvb_arena_allocate_raw( scratch, (size_t)w.parts, sizeof *w.starts );
	if ( !w.triangles || !w.positions || !w.number || !w.starts || ( mesh->origin && !w.origin ) ||
	     ( !alone && !w.place ) )
	{
		return false;
	}
	if ( w.origin )
	{
		order_origins( &w );
	}
	if ( alone )
	{
		order_alone( &w );
		return true;
	}
#pragma omp parallel num_threads( team )
	order_together( &w, vertex_count );
	return true;
}
