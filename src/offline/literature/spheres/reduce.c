// Reductions of a set of spheres: Merge, Burst, Expand and Select. For each set the best result is used.
//
// From the paper: the operations, and the quantity that each of them minimizes. The paper measures the
// protrusion of a sphere at points on it; here it is bounded by the distance of the covered surface minus the
// depth of the center, which is certain.
//
// Differences: merged spheres first become one about either's center, or about the center of the sphere
// around both if that is better. Neighbors are the spheres with the nearest centers. Patches are covered as a
// whole. Finally, each patch is assigned to the remaining sphere with the smallest error for it.
//
// Based on: G. Bradshaw, C. O'Sullivan, "Adaptive medial-axis approximation for sphere-tree construction",
// ACM Transactions on Graphics 23(1), 2004.

#include "offline/literature/spheres/reduce.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	neighbors = 8,   // that a sphere may merge with
	bisections = 24, // of the stand-off
};

#define NONE UINT32_MAX

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return sqrt( bv_dot( d, d ) );
}

static void fill_row( const bvlit_reducible* set, bv_vec3 center, double depth, double* row )
{
	for ( uint32_t p = 0; p < set->patch_count; ++p )
	{
		double square = 0;
		for ( uint32_t i = set->first_point[p]; i < set->first_point[p + 1]; ++i )
		{
			bv_vec3 d = bv_sub( set->points[i], center );
			square = bvmath_max( square, bv_dot( d, d ) );
		}
		row[p] = sqrt( square ) - depth;
	}
}

const double* bvlit_error_table_add( const bvlit_reducible* set, const bvlit_error_table* table,
                                     uint32_t sphere )
{
	double* row = table->error + (size_t)sphere * table->patches;
	fill_row( set, set->center[sphere], set->depth[sphere], row );
	return row;
}

bv_status bvlit_error_table_create( const bvlit_reducible* set, uint32_t more, bvb_arena* arena,
                                    bvlit_error_table* out )
{
	size_t rows = (size_t)set->sphere_count + more;
	out->patches = set->patch_count;
	out->error = bvbase_arena_allocate_unset( arena, rows * set->patch_count, sizeof *out->error );
	for ( uint32_t s = 0; out->error && s < set->sphere_count; ++s )
	{
		bvlit_error_table_add( set, out, s );
	}
	return out->error ? bv_ok : bv_error_memory;
}

static const double* row_of( const bvlit_error_table* table, uint32_t sphere )
{
	return table->error + (size_t)sphere * table->patches;
}

// Of the spheres in a list the one with the least error for a patch.
static uint32_t best_of( const bvlit_error_table* table, const uint32_t* list, uint32_t count, uint32_t patch,
                         uint32_t but )
{
	uint32_t best = NONE;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool better = list[i] != but &&
		              ( best == NONE || row_of( table, list[i] )[patch] < row_of( table, best )[patch] );
		best = better ? list[i] : best;
	}
	return best;
}

static void choose( const bvlit_reducible* set, const bvlit_error_table* table, const uint32_t* list,
                    uint32_t count, bvlit_reduced* out )
{
	*out = ( bvlit_reduced ){ .count = count, .error = -INFINITY };
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->center[i] = set->center[list[i]];
		out->depth[i] = set->depth[list[i]];
	}
	for ( uint32_t p = 0; p < set->patch_count; ++p )
	{
		double error = row_of( table, best_of( table, list, count, p, NONE ) )[p];
		out->error = bvmath_max( out->error, error );
	}
}

// Burst.

typedef struct bursting
{
	const bvlit_error_table* table;
	uint32_t* list; // spheres that are left
	uint32_t count;
	uint32_t* best;   // of each patch
	uint32_t* second; // of each patch
	double* after;    // of each sphere: the greatest error of what it covers when it is gone
} bursting;

static void look_at_patch( bursting* b, uint32_t p )
{
	b->best[p] = best_of( b->table, b->list, b->count, p, NONE );
	b->second[p] = best_of( b->table, b->list, b->count, p, b->best[p] );
}

static void burst_one( bursting* b )
{
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		b->after[b->list[i]] = -INFINITY;
	}
	for ( uint32_t p = 0; p < b->table->patches; ++p )
	{
		double* after = b->after + b->best[p];
		*after = bvmath_max( *after, row_of( b->table, b->second[p] )[p] );
	}
	uint32_t least = 0;
	for ( uint32_t i = 1; i < b->count; ++i )
	{
		least = b->after[b->list[i]] < b->after[b->list[least]] ? i : least;
	}
	uint32_t gone = b->list[least];
	b->count -= 1;
	memmove( b->list + least, b->list + least + 1, ( b->count - least ) * sizeof *b->list );
	for ( uint32_t p = 0; p < b->table->patches; ++p )
	{
		if ( b->best[p] == gone || b->second[p] == gone )
		{
			look_at_patch( b, p );
		}
	}
}

bv_status bvlit_reduce_burst( const bvlit_reducible* set, const bvlit_error_table* table, uint32_t most,
                              bvb_arena* scratch, bvlit_reduced* out )
{
	bursting b = { .table = table, .count = set->sphere_count };
	b.list = bvb_arena_allocate( scratch, set->sphere_count, sizeof *b.list );
	b.after = bvb_arena_allocate( scratch, set->sphere_count, sizeof *b.after );
	b.best = bvb_arena_allocate( scratch, set->patch_count, sizeof *b.best );
	b.second = bvb_arena_allocate( scratch, set->patch_count, sizeof *b.second );
	if ( !b.list || !b.after || !b.best || !b.second )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < b.count; ++i )
	{
		b.list[i] = i;
	}
	for ( uint32_t p = 0; p < set->patch_count; ++p )
	{
		look_at_patch( &b, p );
	}
	while ( b.count > most )
	{
		burst_one( &b );
	}
	choose( set, table, b.list, b.count, out );
	return bv_ok;
}

// Expand and select.

typedef struct selection
{
	const bvlit_error_table* table;
	uint32_t spheres;
	uint32_t words;    // of a set of patches, a bit for each
	uint64_t* covers;  // of each sphere, the patches that it covers at a stand-off
	uint64_t* missing; // patches that are not covered yet
	uint32_t chosen[bvlit_reduced_most];
	uint32_t count;
} selection;

static void expand( selection* s, double stand_off )
{
	uint32_t patches = s->table->patches;
	for ( uint32_t i = 0; i < s->spheres; ++i )
	{
		const double* row = row_of( s->table, i );
		for ( uint32_t w = 0; w < s->words; ++w )
		{
			uint64_t bits = 0;
			for ( uint32_t p = 64 * w; p < patches && p < 64 * w + 64; ++p )
			{
				bits |= (uint64_t)( row[p] <= stand_off ) << p % 64;
			}
			s->covers[(size_t)i * s->words + w] = bits;
		}
	}
	memset( s->missing, 0xff, s->words * sizeof *s->missing );
	if ( patches % 64 > 0 )
	{
		s->missing[s->words - 1] >>= 64 - patches % 64;
	}
}

// The sphere that covers most of what is not covered yet; the first of several.
// @param most  receives how much it is
static uint32_t covers_most( const selection* s, uint32_t* most )
{
	uint32_t best = 0;
	*most = 0;
	for ( uint32_t i = 0; i < s->spheres; ++i )
	{
		const uint64_t* own = s->covers + (size_t)i * s->words;
		uint32_t count = 0;
		for ( uint32_t w = 0; w < s->words; ++w )
		{
			count += (uint32_t)__builtin_popcountll( own[w] & s->missing[w] );
		}
		best = count > *most ? i : best;
		*most = count > *most ? count : *most;
	}
	return best;
}

// @return whether so many spheres are enough
static bool select_spheres( selection* s, double stand_off, uint32_t most )
{
	uint32_t left = s->table->patches;
	expand( s, stand_off );
	for ( s->count = 0; s->count < most && left > 0; ++s->count )
	{
		uint32_t covered;
		uint32_t sphere = covers_most( s, &covered );
		if ( covered == 0 )
		{
			return false;
		}
		for ( uint32_t w = 0; w < s->words; ++w )
		{
			s->missing[w] &= ~s->covers[(size_t)sphere * s->words + w];
		}
		left -= covered;
		s->chosen[s->count] = sphere;
	}
	return left == 0;
}

// What any choice must stand off by, and what one sphere alone has to.
static void bound_stand_off( const bvlit_error_table* table, uint32_t spheres, double* lower, double* upper )
{
	*lower = -INFINITY;
	*upper = INFINITY;
	for ( uint32_t p = 0; p < table->patches; ++p )
	{
		double least = INFINITY;
		for ( uint32_t i = 0; i < spheres; ++i )
		{
			least = bvmath_min( least, row_of( table, i )[p] );
		}
		*lower = bvmath_max( *lower, least );
	}
	for ( uint32_t i = 0; i < spheres; ++i )
	{
		double greatest = -INFINITY;
		for ( uint32_t p = 0; p < table->patches; ++p )
		{
			greatest = bvmath_max( greatest, row_of( table, i )[p] );
		}
		*upper = bvmath_min( *upper, greatest );
	}
}

bv_status bvlit_reduce_expand( const bvlit_reducible* set, const bvlit_error_table* table, uint32_t most,
                               bvb_arena* scratch, bvlit_reduced* out )
{
	selection s = { .table = table, .spheres = set->sphere_count, .words = ( set->patch_count + 63 ) / 64 };
	s.covers = bvbase_arena_allocate_unset( scratch, (size_t)s.spheres * s.words, sizeof *s.covers );
	s.missing = bvb_arena_allocate( scratch, s.words, sizeof *s.missing );
	if ( !s.covers || !s.missing )
	{
		return bv_error_memory;
	}
	double lower;
	double upper;
	bound_stand_off( table, set->sphere_count, &lower, &upper );
	select_spheres( &s, upper, most );
	selection best = s;
	for ( int i = 0; i < bisections && lower < upper; ++i )
	{
		double middle = i == 0 ? lower : lower + 0.5 * ( upper - lower );
		bool enough = select_spheres( &s, middle, most );
		best = enough ? s : best;
		upper = enough ? middle : upper;
		lower = enough ? lower : middle;
	}
	choose( set, table, best.chosen, best.count, out );
	return bv_ok;
}

// Merge.

typedef struct merged
{
	bv_vec3 center;
	double depth;
	double* row;    // errors
	double error;   // with what it covers
	uint32_t first; // patches that it covers: a list through merging.next
	uint32_t last;
	uint32_t partner; // that it merges with at the least cost, NONE for none
	double cost;      // of that
	bool alive;
} merged;

typedef struct reduce_merging
{
	const bvlit_reducible* set;
	merged* spheres;
	uint32_t count;
	uint32_t alive;
	uint32_t* next; // of each patch
	double* row;    // of a sphere that is tried
} reduce_merging;

static void cover( reduce_merging* m, merged* s, uint32_t patch )
{
	if ( s->first == NONE )
	{
		s->first = patch;
	}
	else
	{
		m->next[s->last] = patch;
	}
	s->last = patch;
	m->next[patch] = NONE;
	s->error = bvmath_max( s->error, s->row[patch] );
}

// The error of a row with what a sphere covers, or some error that is not less than `enough`.
static double error_with( const reduce_merging* m, const double* row, const merged* s, double enough )
{
	double error = -INFINITY;
	for ( uint32_t p = s->first; p != NONE && error < enough; p = m->next[p] )
	{
		error = bvmath_max( error, row[p] );
	}
	return error;
}

// Of both as one, about the better of the two centers.
static double cost_of( const reduce_merging* m, const merged* a, const merged* b, double enough )
{
	double about_a = a->error < enough ? bvmath_max( a->error, error_with( m, a->row, b, enough ) ) : enough;
	double most = bvmath_min( enough, about_a );
	double about_b = b->error < most ? bvmath_max( b->error, error_with( m, b->row, a, most ) ) : most;
	return bvmath_min( about_a, about_b );
}

static bool consider( const reduce_merging* m, uint32_t sphere, uint32_t other )
{
	merged* s = m->spheres + sphere;
	double cost = cost_of( m, s, m->spheres + other, s->cost );
	bool better = s->partner == NONE || cost < s->cost;
	s->partner = better ? other : s->partner;
	s->cost = better ? cost : s->cost;
	return better;
}

// @param out  receives spheres with the nearest centers
static uint32_t find_neighbors( const reduce_merging* m, uint32_t sphere, uint32_t out[neighbors] )
{
	double far[neighbors];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		if ( i == sphere || !m->spheres[i].alive )
		{
			continue;
		}
		double d = distance( m->spheres[i].center, m->spheres[sphere].center );
		uint32_t at = count < neighbors ? count++ : neighbors;
		for ( ; at > 0 && far[at - 1] > d; --at )
		{
			if ( at < neighbors )
			{
				far[at] = far[at - 1];
				out[at] = out[at - 1];
			}
		}
		if ( at < neighbors )
		{
			far[at] = d;
			out[at] = i;
		}
	}
	return count;
}

static void find_partner( const reduce_merging* m, uint32_t sphere )
{
	uint32_t near[neighbors];
	uint32_t count = find_neighbors( m, sphere, near );
	m->spheres[sphere].partner = NONE;
	m->spheres[sphere].cost = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		consider( m, sphere, near[i] );
	}
}

// The center of the sphere round two, as they cover.
static bv_vec3 center_round( const merged* a, const merged* b )
{
	double far = distance( a->center, b->center );
	double a_radius = a->error + a->depth;
	double b_radius = b->error + b->depth;
	double share = far > 0 ? 0.5 + 0.5 * ( b_radius - a_radius ) / far : 0;
	share = bvmath_max( 0, bvmath_min( share, 1 ) );
	return bv_add( a->center, bv_scale( share, bv_sub( b->center, a->center ) ) );
}

static void unite( reduce_merging* m, merged* a, merged* b )
{
	bv_vec3 center = center_round( a, b );
	double about_a = bvmath_max( a->error, error_with( m, a->row, b, INFINITY ) );
	double about_b = bvmath_max( b->error, error_with( m, b->row, a, INFINITY ) );
	// With a depth of 0, errors are how far it reaches.
	fill_row( m->set, center, 0, m->row );
	double reach = bvmath_max( error_with( m, m->row, a, INFINITY ), error_with( m, m->row, b, INFINITY ) );
	double least = bvmath_min( about_a, about_b );
	double depth = m->set->depth_of( m->set->context, center, reach - least );
	if ( reach - depth < least )
	{
		for ( uint32_t p = 0; p < m->set->patch_count; ++p )
		{
			m->row[p] -= depth;
		}
		double* row = a->row;
		a->row = m->row;
		m->row = row;
		a->center = center;
		a->depth = depth;
	}
	else if ( about_b < about_a )
	{
		double* row = a->row;
		a->row = b->row;
		b->row = row;
		a->center = b->center;
		a->depth = b->depth;
	}
	a->error = bvmath_min( reach - depth, least );
	m->next[a->last] = b->first;
	a->last = b->last;
	b->alive = false;
	m->alive -= 1;
}

static void merge_one( reduce_merging* m )
{
	uint32_t best = NONE;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const merged* s = m->spheres + i;
		bool better = s->alive && ( best == NONE || s->cost < m->spheres[best].cost );
		best = better ? i : best;
	}
	uint32_t other = m->spheres[best].partner;
	unite( m, m->spheres + best, m->spheres + other );
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const merged* s = m->spheres + i;
		if ( s->alive && ( i == best || s->partner == best || s->partner == other ) )
		{
			find_partner( m, i );
		}
	}
}

// Rows of the table are copied, as those of merged spheres change.
static bool begin_merging( reduce_merging* m, const bvlit_error_table* table, bvb_arena* scratch )
{
	const bvlit_reducible* set = m->set;
	size_t patches = set->patch_count;
	uint32_t* best = bvb_arena_allocate( scratch, patches, sizeof *best );
	uint32_t* all = bvb_arena_allocate( scratch, set->sphere_count, sizeof *all );
	m->spheres = bvb_arena_allocate( scratch, set->sphere_count, sizeof *m->spheres );
	m->next = bvb_arena_allocate( scratch, patches, sizeof *m->next );
	m->row = bvb_arena_allocate( scratch, patches, sizeof *m->row );
	if ( !best || !all || !m->spheres || !m->next || !m->row )
	{
		return false;
	}
	for ( uint32_t i = 0; i < set->sphere_count; ++i )
	{
		all[i] = i;
	}
	for ( uint32_t p = 0; p < patches; ++p )
	{
		best[p] = best_of( table, all, set->sphere_count, p, NONE );
		m->spheres[best[p]].alive = true;
	}

	// Those that nothing is left to are not merged.
	for ( uint32_t i = 0; i < set->sphere_count; ++i )
	{
		if ( m->spheres[i].alive )
		{
			double* row = bvbase_arena_allocate_unset( scratch, patches, sizeof *row );
			if ( !row )
			{
				return false;
			}
			memcpy( row, row_of( table, i ), patches * sizeof *row );
			all[i] = m->count;
			m->spheres[m->count++] =
				( merged ){ set->center[i], set->depth[i], row, -INFINITY, NONE, NONE, NONE, 0, true };
		}
	}
	for ( uint32_t p = 0; p < patches; ++p )
	{
		cover( m, m->spheres + all[best[p]], p );
	}
	m->alive = m->count;
	return true;
}

bv_status bvlit_reduce_merge( const bvlit_reducible* set, const bvlit_error_table* table, uint32_t most,
                              bvb_arena* scratch, bvlit_reduced* out )
{
	reduce_merging m = { .set = set };
	if ( !begin_merging( &m, table, scratch ) )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < m.count && m.alive > most; ++i )
	{
		find_partner( &m, i );
	}
	while ( m.alive > most )
	{
		merge_one( &m );
	}
	*out = ( bvlit_reduced ){ .error = -INFINITY };
	const double* row[bvlit_reduced_most];
	for ( uint32_t i = 0; i < m.count; ++i )
	{
		if ( m.spheres[i].alive )
		{
			row[out->count] = m.spheres[i].row;
			out->center[out->count] = m.spheres[i].center;
			out->depth[out->count++] = m.spheres[i].depth;
		}
	}
	for ( uint32_t p = 0; p < set->patch_count; ++p )
	{
		double least = INFINITY;
		for ( uint32_t i = 0; i < out->count; ++i )
		{
			least = bvmath_min( least, row[i][p] );
		}
		out->error = bvmath_max( out->error, least );
	}
	return bv_ok;
}

bv_status bvlit_reduce_best( const bvlit_reducible* set, const bvlit_error_table* table, uint32_t most,
                             bvb_arena* scratch, bvlit_reduced* out )
{
	static bvlit_reduction* const reductions[] = { bvlit_reduce_merge, bvlit_reduce_burst,
		                                           bvlit_reduce_expand };
	bv_status status = bv_ok;
	for ( int i = 0; i < 3 && status == bv_ok; ++i )
	{
		bvlit_reduced other;
		status = reductions[i]( set, table, most, scratch, &other );
		if ( status == bv_ok && ( i == 0 || other.error < out->error ) )
		{
			*out = other;
		}
	}
	return status;
}
