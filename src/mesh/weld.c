// Vertices that share a position, or nearly one, become one.
//
// Equal positions meet in a hash table. It is larger than any cache, and its slots lie anywhere in it: a batch
// of triangles asks for the memory of all its corners first and looks at it later, so that the waits for
// memory overlap (Chen, Ailamaki, Gibbons, Mowry 2004, "Improving hash join performance through
// prefetching").
//
// Positions within a distance meet in a grid of cells, two to four times the distance wide. In lexicographic
// order a position is kept when no kept one is near. The kept ones are farther apart than the distance, so
// that a cell holds a bounded number of them. Where rounding leaves a comparison of distances open it is
// decided exactly.

#include "mesh/weld.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "base/offline/exact.h"
#include "mesh/sort.h"
#include "mesh/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
	batch = 16, // triangles whose memory is asked for at a time
	corners = 3 * batch,
};

static uint64_t bits( double x )
{
	uint64_t u;
	memcpy( &u, &x, sizeof u );
	return u;
}

static bool same_position( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Distinct positions, in the order in which they came.
typedef struct position_set
{
	bv_vec3* positions;
	uint32_t count;
	uint32_t room;
	bool impatient;    // a search was longer than the table's patience
	bvb_table table;   // of positions
	bvb_arena* memory; // all of it; a larger set gets another one
} position_set;

static uint64_t start_of( const position_set* s, bv_vec3 p )
{
	return bvb_table_start( &s->table, bits( p.x ), bits( p.y ), bits( p.z ) );
}

// The slot of a position that equals `p`, or the free one where it belongs.
static uint32_t* find( position_set* s, bv_vec3 p, uint64_t start )
{
	uint64_t slot = start;
	uint64_t steps = 0;
	while ( s->table.slots[slot] && !same_position( s->positions[s->table.slots[slot] - 1], p ) )
	{
		slot = slot + 1 == s->table.size ? 0 : slot + 1;
		steps += 1;
	}
	s->impatient = s->impatient || steps > s->table.patience;
	return s->table.slots + slot;
}

// Enters all positions again, under another hash.
static void renew( position_set* s )
{
	do
	{
		bvb_table_renew( &s->table );
		s->impatient = false;
		for ( uint32_t i = 0; i < s->count && !s->impatient; ++i )
		{
			*find( s, s->positions[i], start_of( s, s->positions[i] ) ) = i + 1;
		}
	} while ( s->impatient );
}

static bool make_room( position_set* s, uint64_t room, const bvb_arena* owner )
{
	position_set larger = { .count = s->count, .room = (uint32_t)room };
	larger.table.size = 2 * room < UINT32_MAX ? 2 * room : UINT32_MAX;
	larger.memory = bvb_arena_create_scratch( owner );
	if ( !larger.memory )
	{
		return false;
	}
	larger.positions = bvb_arena_allocate( larger.memory, room, sizeof *larger.positions );
	larger.table.slots = bvb_arena_allocate( larger.memory, larger.table.size, sizeof *larger.table.slots );
	if ( !larger.positions || !larger.table.slots )
	{
		bvb_arena_destroy( larger.memory );
		return false;
	}
	if ( s->count )
	{
		memcpy( larger.positions, s->positions, s->count * sizeof *s->positions );
	}
	bvb_arena_destroy( s->memory );
	*s = larger;
	renew( s );
	return true;
}

// The words for what is wrong with a source, in the order in which people should learn of it.
static bv_status refuse( const bvb_mesh* source, bool* seen, bool finite, bvb_error* error )
{
	for ( uint32_t i = 0; i < source->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = source->triangles[i].corner[k];
			if ( v >= source->vertex_count )
			{
				return bvb_fail( error, bv_error_input, "triangle %u refers to vertex %u of %u", i, v,
				                 source->vertex_count );
			}
		}
	}

	uint64_t bad = 0;
	uint32_t first_bad = 0;
	for ( uint64_t i = 0; i < 3 * (uint64_t)source->triangle_count && finite; ++i )
	{
		uint32_t v = source->triangles[i / 3].corner[i % 3];
		for ( int k = 0; k < 3 && !seen[v]; ++k )
		{
			if ( !isfinite( bv_component( source->positions[v], k ) ) )
			{
				first_bad = bad == 0 || v < first_bad ? v : first_bad;
				bad += 1;
			}
		}
		seen[v] = true;
	}
	if ( bad == 1 )
	{
		return bvb_fail( error, bv_error_input, "1 coordinate is not finite (vertex %u)", first_bad + 1 );
	}
	if ( bad )
	{
		return bvb_fail( error, bv_error_input, "%llu coordinates are not finite (first: vertex %u)",
		                 (unsigned long long)bad, first_bad + 1 );
	}
	return bv_ok;
}

static bool is_finite( bv_vec3 p )
{
	return fabs( p.x ) <= DBL_MAX && fabs( p.y ) <= DBL_MAX && fabs( p.z ) <= DBL_MAX;
}

// A vertex that has no number yet.
typedef struct newcomer
{
	bv_vec3 position;
	uint64_t start; // of its search
	uint32_t vertex;
} newcomer;

// What passes from batch to batch.
typedef struct welder
{
	const bvb_mesh* source;
	double scale;
	bool drop_non_finite;
	bvb_mesh* out;
	uint32_t* number; // of each vertex of the source, its position's number + 1; 0 while it has none
	uint32_t used;    // vertices that have one
	position_set set;
} welder;

typedef enum verdict
{
	good,
	not_finite,
	wrong,
} verdict;

// Scales the corners that have no number and asks for their slots.
static verdict inspect( const welder* w, const bvb_triangle* triangle, newcomer* newcomers, int* count )
{
	bool finite = true;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t v = triangle->corner[k];
		if ( v >= w->source->vertex_count )
		{
			return wrong;
		}
		if ( w->number[v] )
		{
			continue;
		}
		// Adding 0 makes +0 of -0, so that equal positions have equal bits.
		bv_vec3 p = bv_scale( w->scale, w->source->positions[v] );
		p = ( bv_vec3 ){ p.x + 0.0, p.y + 0.0, p.z + 0.0 };
		finite = finite && ( is_finite( p ) || is_finite( w->source->positions[v] ) );
		newcomer* n = newcomers + ( *count )++;
		*n = ( newcomer ){ p, start_of( &w->set, p ), v };
		__builtin_prefetch( w->set.table.slots + n->start );
	}
	return finite ? good : w->drop_non_finite ? not_finite : wrong;
}

// Gives numbers to vertices in the order in which they come.
static void admit( welder* w, const newcomer* newcomers, int count )
{
	position_set* s = &w->set;
	for ( int i = 0; i < count; ++i )
	{
		uint32_t slot = s->table.slots[newcomers[i].start];
		if ( slot )
		{
			__builtin_prefetch( s->positions + slot - 1 );
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		const newcomer* n = newcomers + i;
		if ( w->number[n->vertex] == 0 )
		{
			uint32_t* slot = find( s, n->position, n->start );
			if ( *slot == 0 )
			{
				s->positions[s->count++] = n->position;
				*slot = s->count;
			}
			w->number[n->vertex] = *slot;
			w->used += 1;
		}
	}
}

// @return whether all triangles from `first` up to `end` are either kept or to be left out
static bool weld_batch( welder* w, uint32_t first, uint32_t end )
{
	newcomer newcomers[corners];
	int count = 0;
	uint32_t begin = w->out->triangle_count;
	uint32_t kept = begin;
	for ( uint32_t i = first; i < end; ++i )
	{
		int before = count;
		bvb_triangle triangle = w->source->triangles[i];
		switch ( inspect( w, &triangle, newcomers, &count ) )
		{
		case good:
			if ( w->out->origin )
			{
				w->out->origin[kept] = i;
			}
			w->out->triangles[kept++] = triangle;
			break;
		case not_finite: count = before; break;
		case wrong: return false;
		}
	}
	admit( w, newcomers, count );
	for ( uint32_t i = begin; i < kept; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* corner = w->out->triangles[i].corner + k;
			*corner = w->number[*corner] - 1;
		}
	}
	w->out->triangle_count = kept;
	return true;
}

// Those that only triangles left out refer to are used, too.
static void count_vertices( const welder* w, bvb_weld_counts* counts )
{
	const bvb_mesh* source = w->source;
	*counts = ( bvb_weld_counts ){ source->triangle_count - w->out->triangle_count,
		                           source->vertex_count - w->used, w->used };
	for ( uint32_t i = 0; i < source->triangle_count && counts->non_finite; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* number = w->number + source->triangles[i].corner[k];
			counts->unused -= *number == 0;
			*number = *number ? *number : 1;
		}
	}
}

// Closed meshes have half as many vertices as triangles: what a soup is tried with first.
static uint64_t expected_vertices( const bvb_mesh* source )
{
	uint64_t triangles = source->triangle_count;
	uint64_t expected =
		source->vertex_count <= triangles ? source->vertex_count : triangles / 2 + triangles / 16;
	return expected + corners;
}

static bv_status weld_all( welder* w, bvb_arena* arena, bvb_arena* scratch, bvb_weld_counts* counts,
                           bvb_error* error )
{
	const bvb_mesh* source = w->source;
	w->number = bvb_arena_allocate( scratch, source->vertex_count, sizeof *w->number );
	if ( !w->number || !make_room( &w->set, expected_vertices( source ), scratch ) )
	{
		return bvb_fail_memory( error );
	}
	for ( uint32_t first = 0; first < source->triangle_count; first += batch )
	{
		uint32_t left = source->triangle_count - first;
		if ( w->set.room - w->set.count < corners &&
		     !make_room( &w->set, 2 * (uint64_t)w->set.room, scratch ) )
		{
			return bvb_fail_memory( error );
		}
		if ( w->set.impatient )
		{
			renew( &w->set );
		}
		if ( !weld_batch( w, first, first + ( left < batch ? left : batch ) ) )
		{
			bool* seen = bvb_arena_allocate( scratch, source->vertex_count, sizeof *seen );
			return seen ? refuse( source, seen, !w->drop_non_finite, error ) : bvb_fail_memory( error );
		}
	}
	if ( counts )
	{
		count_vertices( w, counts );
	}
	w->out->vertex_count = w->set.count;
	w->out->positions = bvb_arena_allocate( arena, w->set.count, sizeof *w->out->positions );
	if ( !w->out->positions )
	{
		return bvb_fail_memory( error );
	}
	memcpy( w->out->positions, w->set.positions, w->set.count * sizeof *w->set.positions );
	return bv_ok;
}

bv_status bvb_weld_equal( const bvb_mesh* source, double scale, bool drop_non_finite, bvb_arena* arena,
                          bvb_mesh* out, bvb_weld_counts* counts, bvb_error* error )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}
	welder w = { .source = source, .scale = scale, .drop_non_finite = drop_non_finite, .out = out };
	out->triangle_count = 0;
	bv_status status = weld_all( &w, arena, scratch, counts, error );
	bvb_arena_destroy( w.set.memory );
	bvb_arena_destroy( scratch );
	return status;
}

// Cells of the grid, in hashed buckets. What lies near a position is looked for in all cells it reaches into;
// a bucket that holds other cells as well costs time only.
typedef struct grid
{
	const bv_vec3* positions;
	double factor[2]; // from mesh units to cells, in two powers of two where one is no binary64 number
	double distance;  // in cells: from a quarter to a half
	uint32_t* next;   // of each kept one, the next + 1 in its bucket
	bool impatient;   // a bucket was longer than the table's patience
	bvb_table table;  // of the buckets' first ones
} grid;

static bv_vec3 in_cells( const grid* g, bv_vec3 p )
{
	return bv_scale( g->factor[1], bv_scale( g->factor[0], p ) );
}

// Without a call. Cell numbers are below 2^50 in magnitude.
static int64_t cell_of( double x )
{
	int64_t whole = (int64_t)x;
	return whole - ( x < (double)whole );
}

static uint32_t* bucket_of( const grid* g, int64_t x, int64_t y, int64_t z )
{
	return g->table.slots + bvb_table_start( &g->table, (uint64_t)x, (uint64_t)y, (uint64_t)z );
}

static void enter( grid* g, uint32_t i )
{
	bv_vec3 p = in_cells( g, g->positions[i] );
	uint32_t* bucket = bucket_of( g, cell_of( p.x ), cell_of( p.y ), cell_of( p.z ) );
	g->next[i] = *bucket;
	*bucket = i + 1;
}

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

// Rounding makes five errors of at most 2^-53 each.
static const double surely = 1 + 0x1p-48;

static bool is_near( const grid* g, bv_vec3 a, bv_vec3 p, double squared )
{
	double limit = g->distance * g->distance;
	if ( squared * surely < limit || squared > limit * surely )
	{
		return squared < limit;
	}
	const bv_vec3 from = { 0, 0, 0 };
	const bv_vec3 to = { g->distance, 0, 0 };
	return bvb_compare_distances( a, p, from, to ) <= 0;
}

static bool precedes( bv_vec3 a, bv_vec3 b )
{
	return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// A kept position that is looked at, or the best of them.
typedef struct candidate
{
	uint32_t number; // + 1; 0 while there is none
	bv_vec3 place;   // in cells
	double squared;  // its distance, about
} candidate;

static bool is_better( const candidate* a, const candidate* b, bv_vec3 p )
{
	if ( b->number == 0 || a->squared * surely < b->squared )
	{
		return true;
	}
	if ( a->squared > b->squared * surely )
	{
		return false;
	}
	double sign = bvb_compare_distances( a->place, p, b->place, p );
	return sign < 0 || ( sign == 0 && precedes( a->place, b->place ) );
}

// The nearest kept position within the distance + 1, or 0.
static uint32_t nearest( grid* g, bv_vec3 position )
{
	// Rounding moves a bound by an eighth of the distance at most, as no cell has a larger number than 2^50.
	bv_vec3 p = in_cells( g, position );
	double reach = g->distance * 1.25;
	int64_t y_end = cell_of( p.y + reach );
	int64_t z_end = cell_of( p.z + reach );

	// Kept ones have come earlier in lexicographic order: none has a larger x.
	candidate best = { 0 };
	for ( int64_t x = cell_of( p.x - reach ), x_end = cell_of( p.x ); x <= x_end; ++x )
	{
		for ( int64_t y = cell_of( p.y - reach ); y <= y_end; ++y )
		{
			for ( int64_t z = cell_of( p.z - reach ); z <= z_end; ++z )
			{
				uint64_t steps = 0;
				for ( uint32_t k = *bucket_of( g, x, y, z ); k; k = g->next[k - 1] )
				{
					candidate c = { .number = k, .place = in_cells( g, g->positions[k - 1] ) };
					c.squared = squared_distance( c.place, p );
					if ( is_near( g, c.place, p, c.squared ) && is_better( &c, &best, p ) )
					{
						best = c;
					}
					steps += 1;
				}
				g->impatient = g->impatient || steps > g->table.patience;
			}
		}
	}
	return best.number;
}

// Orders as the numbers do. There is no -0 and no NaN.
static uint64_t ordered( double x )
{
	uint64_t u = bits( x );
	return u >> 63 ? ~u : u | UINT64_C( 1 ) << 63;
}

// Sorts by coordinate `axis` and, among equals, by the later ones.
static void sort_positions( const bv_vec3* positions, bvb_sort_entry* entries, bvb_sort_entry* other,
                            uint32_t count, int axis )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		entries[i].key = ordered( bv_component( positions[entries[i].value], axis ) );
	}
	bvb_sort( entries, other, count );
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
	bvb_sort_entry* entries = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *entries );
	bvb_sort_entry* other = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *other );
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

static bool grid_create( grid* g, const bvb_mesh* mesh, double distance, bvb_arena* scratch )
{
	int exponent;
	frexp( distance, &exponent );
	int power = -1 - exponent;
	*g = ( grid ){ .positions = mesh->positions };
	g->factor[0] = ldexp( 1, power / 2 );
	g->factor[1] = ldexp( 1, power - power / 2 );
	g->distance = distance * g->factor[0] * g->factor[1];
	g->table.size = mesh->vertex_count;
	g->table.slots = bvb_arena_allocate( scratch, g->table.size, sizeof *g->table.slots );
	g->next = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *g->next );
	if ( !g->table.slots || !g->next )
	{
		return false;
	}
	bvb_table_renew( &g->table );
	return true;
}

// For each position the kept one to which it moves; its own number if it stays.
static void choose_kept( grid* g, const uint32_t* order, uint32_t count, uint32_t* kept )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t near = nearest( g, g->positions[order[i]] );
		kept[order[i]] = near ? near - 1 : order[i];
		if ( near == 0 )
		{
			enter( g, order[i] );
		}
		if ( g->impatient )
		{
			bvb_table_renew( &g->table );
			g->impatient = false;
			for ( uint32_t k = 0; k <= i; ++k )
			{
				if ( kept[order[k]] == order[k] )
				{
					enter( g, order[k] );
				}
			}
		}
	}
}

// Vertices are numbered by first use before, so that going through them in their order numbers the kept ones by
// first use, too.
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
		largest = bv_max( largest, bv_max( bv_max( fabs( p.x ), fabs( p.y ) ), fabs( p.z ) ) );
	}
	if ( distance * 0x1p50 < largest )
	{
		return bvb_fail( error, bv_error_limit,
		                 "the welding distance %.3g is too small for coordinates of %.3g (at least %.3g)",
		                 distance, largest, largest * 0x1p-50 );
	}
	return bv_ok;
}

bv_status bvb_weld_within( bvb_mesh* mesh, double distance, bvb_arena* arena, uint32_t* place,
                           bvb_error* error )
{
	bv_status status = check_against_coordinates( mesh, distance, error );
	if ( status != bv_ok )
	{
		return status;
	}

	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	bvb_arena* sorting = bvb_arena_create_scratch( arena );
	uint32_t* order = scratch ? bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *order ) : NULL;
	bool done = order && sorting && put_in_order( mesh, order, sorting );
	bvb_arena_destroy( sorting );
	grid g;
	done = done && grid_create( &g, mesh, distance, scratch );
	if ( done )
	{
		uint32_t* kept = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *kept );
		done = kept != NULL;
		if ( done )
		{
			choose_kept( &g, order, mesh->vertex_count, kept );
			done = gather( mesh, kept, arena, place );
		}
	}
	bvb_arena_destroy( scratch );
	return done ? bv_ok : bvb_fail_memory( error );
}

bv_status bvb_weld_check( const bvb_mesh* source, double distance, bvb_error* error )
{
	if ( !( distance >= 0 && distance <= DBL_MAX ) )
	{
		return bvb_fail( error, bv_error_argument, "the welding distance is not a number of 0 or more" );
	}
	if ( source->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvb_fail( error, bv_error_limit, "%u triangles are more than %u", source->triangle_count,
		                 BVB_MAX_TRIANGLES );
	}
	return bv_ok;
}

// All triangles stay and keep their order, so that the source's numbers of them stay valid and are shared.
bv_status bvb_mesh_weld( const bvb_mesh* source, double distance, bvb_arena* arena, bvb_mesh* out,
                         bvb_error* error )
{
	*out = ( bvb_mesh ){ .origin = NULL };
	bv_status status = bvb_weld_check( source, distance, error );
	if ( status != bv_ok )
	{
		return status;
	}
	out->triangles = bvb_arena_allocate( arena, source->triangle_count, sizeof *out->triangles );
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	status = out->triangles && scratch ? bv_ok : bvb_fail_memory( error );
	if ( status == bv_ok )
	{
		status = bvb_weld_equal( source, 1, false, distance > 0 ? scratch : arena, out, NULL, error );
	}
	if ( status == bv_ok && distance > 0 )
	{
		uint32_t* place = bvb_arena_allocate( scratch, out->vertex_count, sizeof *place );
		status = place ? bvb_weld_within( out, distance, arena, place, error ) : bvb_fail_memory( error );
	}
	out->origin = source->origin;
	bvb_arena_destroy( scratch );
	return status;
}
