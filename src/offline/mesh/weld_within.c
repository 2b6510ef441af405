// Welding within a distance.
//
// Positions are visited in lexicographic order, and a position is kept if no kept position is within the
// distance. Kept positions are stored in a grid whose cells are two to four times as wide as the distance.
// Because kept positions are farther apart than the distance, a cell holds a bounded number of them.
// Comparisons of distances that rounding leaves undecided are decided exactly.

#include "offline/mesh/weld.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/base/sort.h"
#include "offline/mesh/hash.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	batch = 32,             // positions whose memory is asked for at a time
	most_cells = 2 * 3 * 3, // that a position reaches into
};

// The kept positions in cells of a grid, in a hash table with open addressing. All of one cell follow the
// same slot. A slot holds the lower half of its cell's hash above the position's number + 1; 0 is free.
typedef struct weld_within_grid
{
	const bv_vec3* positions;
	double factor[2]; // from mesh units to cells, in two powers of two where one is no binary64 number
	double distance;  // in cells: from a quarter to a half
	uint64_t* slots;
	uint64_t slot_count;
	bvmesh_hash hash;
	bool impatient; // a search was longer than the hash's patience
} weld_within_grid;

static bv_vec3 in_cells( const weld_within_grid* g, bv_vec3 p )
{
	return bv_scale( g->factor[1], bv_scale( g->factor[0], p ) );
}

// The cell's number along one axis, below 2^50 in magnitude: floor without a call.
static int64_t cell_of( double x )
{
	int64_t whole = (int64_t)x;
	return whole - ( x < (double)whole );
}

static uint64_t hash_of_cell( const weld_within_grid* g, int64_t x, int64_t y, int64_t z )
{
	return bvmesh_hash_of( &g->hash, (uint64_t)x, (uint64_t)y, (uint64_t)z );
}

static uint64_t* first_slot_of_cell( const weld_within_grid* g, uint64_t hash )
{
	return g->slots + bvmesh_hash_place( hash, g->slot_count );
}

static uint64_t* next_slot( const weld_within_grid* g, uint64_t* slot )
{
	return slot + 1 == g->slots + g->slot_count ? g->slots : slot + 1;
}

static void enter( weld_within_grid* g, uint32_t i )
{
	bv_vec3 p = in_cells( g, g->positions[i] );
	uint64_t hash = hash_of_cell( g, cell_of( p.x ), cell_of( p.y ), cell_of( p.z ) );
	uint64_t* slot = first_slot_of_cell( g, hash );
	uint64_t steps = 0;
	for ( ; *slot; slot = next_slot( g, slot ) )
	{
		steps += 1;
	}
	g->impatient = g->impatient || steps > g->hash.patience;
	*slot = hash << 32 | ( i + 1 );
}

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

// Rounding makes five errors of at most 2^-53 each.
static const double surely = 1 + 0x1p-48;

static bool is_near( const weld_within_grid* g, bv_vec3 a, bv_vec3 p, double squared )
{
	double limit = g->distance * g->distance;
	if ( squared * surely < limit || squared > limit * surely )
	{
		return squared < limit;
	}
	const bv_vec3 from = { 0, 0, 0 };
	const bv_vec3 to = { g->distance, 0, 0 };
	return bvbase_compare_distances( a, p, from, to ) <= 0;
}

// A kept position that is looked at, or the best of them.
typedef struct weld_within_candidate
{
	uint32_t number; // + 1; 0 while there is none
	bv_vec3 place;   // in cells
	double squared;  // its distance, about
} weld_within_candidate;

static bool is_better( const weld_within_candidate* a, const weld_within_candidate* b, bv_vec3 p )
{
	if ( b->number == 0 || a->squared * surely < b->squared )
	{
		return true;
	}
	if ( a->squared > b->squared * surely )
	{
		return false;
	}
	double sign = bvbase_compare_distances( a->place, p, b->place, p );
	return sign < 0 || ( sign == 0 && bvmath_compare( a->place, b->place ) < 0 );
}

// A position on its way to be kept or moved.
typedef struct visitor
{
	bv_vec3 place; // in cells
	int count;     // of cells that it reaches into
	uint64_t hashes[most_cells];
} visitor;

// Asks for the slots of all cells it reaches into.
static void announce( const weld_within_grid* g, bv_vec3 position, visitor* v )
{
	// The distance is at least 2^-50 of any coordinate: in cells those are below 2^49, so that a bound within
	// their range is off by 2^-5 at most.
	bv_vec3 p = in_cells( g, position );
	double reach = g->distance + 0x1p-5;
	int64_t x_last = cell_of( p.x );
	int64_t y_last = cell_of( p.y + reach );
	int64_t z_last = cell_of( p.z + reach );
	v->place = p;
	v->count = 0;

	// Kept ones have come earlier in lexicographic order: none has a larger x.
	for ( int64_t x = cell_of( p.x - reach ); x <= x_last; ++x )
	{
		for ( int64_t y = cell_of( p.y - reach ); y <= y_last; ++y )
		{
			for ( int64_t z = cell_of( p.z - reach ); z <= z_last; ++z )
			{
				uint64_t hash = hash_of_cell( g, x, y, z );
				v->hashes[v->count++] = hash;
				__builtin_prefetch( first_slot_of_cell( g, hash ) );
			}
		}
	}
}

// The number + 1 of the nearest kept position within the distance, or 0.
static uint32_t nearest( weld_within_grid* g, const visitor* v )
{
	weld_within_candidate best = { 0 };
	for ( int i = 0; i < v->count; ++i )
	{
		uint64_t steps = 0;
		for ( uint64_t* slot = first_slot_of_cell( g, v->hashes[i] ); *slot; slot = next_slot( g, slot ) )
		{
			steps += 1;
			if ( *slot >> 32 == (uint32_t)v->hashes[i] )
			{
				weld_within_candidate c = { .number = (uint32_t)*slot };
				c.place = in_cells( g, g->positions[c.number - 1] );
				c.squared = squared_distance( c.place, v->place );
				if ( is_near( g, c.place, v->place, c.squared ) && is_better( &c, &best, v->place ) )
				{
					best = c;
				}
			}
		}
		g->impatient = g->impatient || steps > g->hash.patience;
	}
	return best.number;
}

// Orders as the numbers do. There is no -0 and no NaN.
static uint64_t ordered( double x )
{
	uint64_t u = bvmesh_hash_bits( x );
	return u >> 63 ? ~u : u | UINT64_C( 1 ) << 63;
}

// Sorts by coordinate `axis` and, among equals, by the later ones.
static void sort_positions( const bv_vec3* positions, bvbase_sort_entry* entries, bvbase_sort_entry* other,
                            uint32_t count, int axis )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		entries[i].key = ordered( bvmath_component( positions[entries[i].value], axis ) );
	}
	bvbase_sort( entries, other, count );
	for ( uint32_t first = 0, end; first < count; first = end )
	{
		for ( end = first + 1; end < count && entries[end].key == entries[first].key; ++end )
		{
		}
		if ( end - first > 1 && axis < 2 )
		{
			sort_positions( positions, entries + first, other, end - first, axis + 1 );
		}
	}
}

// The numbers of all positions in lexicographic order.
static bool put_in_order( const bvb_mesh* mesh, uint32_t* order, bvb_arena* scratch )
{
	bvbase_sort_entry* entries = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *entries );
	bvbase_sort_entry* other = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *other );
	if ( !entries || !other )
	{
		return false;
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		entries[i].value = i;
	}
	sort_positions( mesh->positions, entries, other, mesh->vertex_count, 0 );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		order[i] = entries[i].value;
	}
	return true;
}

static bool grid_create( weld_within_grid* g, const bvb_mesh* mesh, double distance, bvb_arena* scratch )
{
	int exponent;
	frexp( distance, &exponent );
	int power = -1 - exponent;
	*g = ( weld_within_grid ){ .positions = mesh->positions };
	g->factor[0] = ldexp( 1, power / 2 );
	g->factor[1] = ldexp( 1, power - power / 2 );
	g->distance = distance * g->factor[0] * g->factor[1];
	g->slot_count = 2 * (uint64_t)mesh->vertex_count;
	g->slot_count = g->slot_count < BVMESH_HASH_MAX_SIZE ? g->slot_count : BVMESH_HASH_MAX_SIZE;
	g->slots = bvb_arena_allocate( scratch, g->slot_count, sizeof *g->slots );
	return g->slots != NULL;
}

// Enters all kept ones again, under another hash.
static void renew_grid( weld_within_grid* g, const uint32_t* order, uint32_t count, const uint32_t* kept )
{
	do
	{
		memset( g->slots, 0, g->slot_count * sizeof *g->slots );
		bvmesh_hash_renew( &g->hash );
		g->impatient = false;
		for ( uint32_t i = 0; i < count && !g->impatient; ++i )
		{
			if ( kept[order[i]] == order[i] )
			{
				enter( g, order[i] );
			}
		}
	} while ( g->impatient );
}

// For each position the kept one to which it moves; its own number if it stays.
static void choose_kept( weld_within_grid* g, const uint32_t* order, uint32_t count, uint32_t* kept )
{
	renew_grid( g, order, 0, kept );
	for ( uint32_t first = 0, end; first < count; first = end )
	{
		visitor visitors[batch];
		end = count - first < batch ? count : first + batch;
		for ( uint32_t i = first; i < end; ++i )
		{
			if ( count - i > batch )
			{
				__builtin_prefetch( g->positions + order[i + batch] );
			}
			announce( g, g->positions[order[i]], visitors + ( i - first ) );
		}
		for ( uint32_t i = first; i < end; ++i )
		{
			uint32_t near = nearest( g, visitors + ( i - first ) );
			kept[order[i]] = near ? near - 1 : order[i];
			if ( near == 0 )
			{
				enter( g, order[i] );
			}
		}
		if ( g->impatient )
		{
			renew_grid( g, order, end, kept );
		}
	}
}

// Vertices are numbered by first use before, so that going through them in their order numbers the kept ones
// by first use, too.
static bool gather( bvb_mesh* mesh, const uint32_t* kept, bvb_arena* arena, uint32_t* place )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		count += kept[i] == i;
		place[i] = UINT32_MAX;
	}
	bv_vec3* positions = bvb_arena_allocate( arena, count, sizeof *positions );
	if ( !positions )
	{
		return false;
	}

	uint32_t used = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		uint32_t k = kept[i];
		if ( place[k] == UINT32_MAX )
		{
			positions[used] = mesh->positions[k];
			place[k] = used++;
		}
		place[i] = place[k];
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* corner = mesh->triangles[i].corner + k;
			*corner = place[*corner];
		}
	}
	mesh->positions = positions;
	mesh->vertex_count = count;
	return true;
}

static bv_status check_against_coordinates( const bvb_mesh* mesh, double distance, bvb_error* error )
{
	double largest = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		largest = bvmath_max( largest, bvmath_max( bvmath_max( fabs( p.x ), fabs( p.y ) ), fabs( p.z ) ) );
	}
	if ( distance * 0x1p50 < largest )
	{
		return bvbase_fail( error, bv_error_limit,
		                    "the welding distance %.3g is too small for coordinates of %.3g", distance,
		                    largest );
	}
	return bv_ok;
}

static bool find_kept( const bvb_mesh* mesh, double distance, bvb_arena* scratch, uint32_t* kept )
{
	bvb_arena* sorting = bvbase_arena_create_scratch( scratch );
	uint32_t* order = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *order );
	bool sorted = sorting && order && put_in_order( mesh, order, sorting );
	bvb_arena_destroy( sorting );
	weld_within_grid g;
	if ( !sorted || !grid_create( &g, mesh, distance, scratch ) )
	{
		return false;
	}
	choose_kept( &g, order, mesh->vertex_count, kept );
	return true;
}

bv_status bvmesh_weld_within( bvb_mesh* mesh, double distance, bvb_arena* arena, uint32_t* place,
                              bvb_error* error )
{
	bv_status status = check_against_coordinates( mesh, distance, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	uint32_t* kept = scratch ? bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *kept ) : NULL;
	bool done = kept && find_kept( mesh, distance, scratch, kept ) && gather( mesh, kept, arena, place );
	bvb_arena_destroy( scratch );
	return done ? bv_ok : bvbase_fail_memory( error );
}
