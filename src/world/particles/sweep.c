// The algorithm of Stratbuecker's, in a form that finds all neighbors: particles are sorted by their lower ends along an axis, and go into the
// cells of a grid on the two other axes. Each is compared with the active ones in the nine cells around it, those that
// end before it begins are unlinked on the way, and then it is active itself. A pair is seen once, when its second particle comes.
//
// Based on: S. Stratbuecker, "Collision detection in large particle systems", 2003. There particles look into up to three cells more that they
// overlap, and only forward, so that pairs are missed: tests/reference/stratbuecker.h. Here cells are found by a hash.

#include "world/particles/cells.h"
#include "world/particles/order.h"

#include "runtime/math/wide.h"

#include <string.h>

enum
{
	around = 9,
};

static const uint32_t no_number = UINT32_MAX;

// Particles of both sets: those that get lists come first.
typedef struct sweep_search
{
	bvwnear_frame frame;
	bvwnear_job* job;
	int axis[3];       // the sorted one comes first
	uint32_t total;    // particles
	uint32_t buckets;  // a power of two
	double* low;       // for merging
	uint64_t* entries; // for digits, in the memory of `low`
	uint32_t* head;    // of each bucket, in the same memory
	uint32_t* next;    // of each particle
	uint32_t* number;  // sorted
} sweep_search;

static uint64_t aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}

static uint64_t bytes( uint32_t of, uint32_t among )
{
	return aligned( sizeof( sweep_search ) ) + 16 * ( (uint64_t)of + among ) + 8;
}

static const double* position_of( const sweep_search* s, uint32_t i )
{
	uint32_t of = s->job->of.count;
	return i < of ? bvwnear_position( &s->job->of, i ) : bvwnear_position( &s->job->among, i - of );
}

static double radius_of( const sweep_search* s, uint32_t i )
{
	uint32_t of = s->job->of.count;
	return i < of ? bvwnear_radius( &s->job->of, i ) : bvwnear_radius( &s->job->among, i - of );
}

static double low_of( const sweep_search* s, uint32_t i )
{
	return bvmath_sum_down( position_of( s, i )[s->axis[0]], -radius_of( s, i ) );
}

// Whatever begins behind is no neighbor.
static double up_of( const sweep_search* s, uint32_t i )
{
	double up = bvmath_sum_up( position_of( s, i )[s->axis[0]], radius_of( s, i ) );
	return bvmath_sum_up( up, s->job->options.distance );
}

// In the order of the numbers. Neither zero is below the other.
static uint64_t bits_of( double x )
{
	uint64_t bits;
	x += 0.0;
	memcpy( &bits, &x, sizeof bits );
	return bits >> 63 ? ~bits : bits | UINT64_C( 1 ) << 63;
}

static void sort_by_digits( sweep_search* s )
{
	uint64_t* room = (uint64_t*)(void*)s->next;
	uint64_t* sorted = s->entries;
	for ( uint32_t i = 0; i < s->total; ++i )
	{
		sorted[i] = i;
	}
	for ( int shift = 0; shift < 64; shift += 32 )
	{
		for ( uint32_t i = 0; i < s->total; ++i )
		{
			uint32_t number = (uint32_t)sorted[i];
			sorted[i] = ( bits_of( low_of( s, number ) ) >> shift & UINT32_MAX ) << 32 | number;
		}
		sorted = bvwnear_sort_entries( sorted, sorted == s->entries ? room : s->entries, s->total,
		                               &s->job->steps );
	}
	if ( sorted != s->entries && s->total > 0 )
	{
		memcpy( s->entries, sorted, s->total * sizeof *sorted );
	}
	for ( uint32_t i = 0; i < s->total; ++i )
	{
		s->number[i] = (uint32_t)s->entries[i];
	}
}

// Takes the order of the caller if it is a permutation.
static void begin_order( sweep_search* s )
{
	const uint32_t* order = s->job->options.order;
	uint32_t first = s->job->is_self ? 0 : s->job->of.count;
	uint32_t count = s->job->among.count;
	bool is_permutation = order != NULL;
	memset( s->next, 0, s->total * sizeof *s->next );
	for ( uint32_t i = 0; is_permutation && i < count; ++i )
	{
		is_permutation = order[i] < count && s->next[order[i]] == 0;
		if ( is_permutation )
		{
			s->next[order[i]] = 1;
		}
	}
	for ( uint32_t i = 0; i < s->total; ++i )
	{
		s->number[i] = is_permutation && i >= first ? first + order[i - first] : i;
	}
}

static void sort_by_merging( sweep_search* s )
{
	if ( s->total == 0 )
	{
		s->job->depth = 1;
		return;
	}
	begin_order( s );
	for ( uint32_t i = 0; i < s->total; ++i )
	{
		s->low[i] = low_of( s, i );
	}
	for ( uint32_t i = 0; i < s->total; ++i )
	{
		s->next[s->number[i]] = i + 1 < s->total ? s->number[i + 1] : no_number;
	}
	bvwnear_list sorting = { .key = s->low, .next = s->next };
	uint32_t at = bvwnear_try_merge_sort( &sorting, s->number[0] );
	for ( uint32_t i = 0; at != no_number; at = s->next[at] )
	{
		s->number[i++] = at;
	}
	s->job->steps += sorting.comparisons;
	s->job->depth = sorting.depth;
}

static void give_order( const sweep_search* s )
{
	uint32_t first = s->job->is_self ? 0 : s->job->of.count;
	uint32_t* order = s->job->options.order;
	for ( uint32_t i = 0; order && i < s->total; ++i )
	{
		if ( s->number[i] >= first )
		{
			*order++ = s->number[i] - first;
		}
	}
}

static void prepare( bvwnear_job* job )
{
	sweep_search* s = (sweep_search*)(void*)job->memory;
	memset( s, 0, sizeof *s );
	s->job = job;
	s->total = job->of.count + ( job->is_self ? 0 : job->among.count );
	bvwnear_make_frame( job, &s->frame );
	int longest = 0;
	for ( int k = 1; k < 3; ++k )
	{
		bool is_longer = job->upper[k] - job->lower[k] > job->upper[longest] - job->lower[longest];
		longest = is_longer ? k : longest;
	}
	for ( int k = 0; k < 3; ++k )
	{
		s->axis[k] = ( longest + k ) % 3;
	}
	char* memory = job->memory + aligned( sizeof *s );
	s->low = (double*)(void*)memory;
	s->entries = (uint64_t*)(void*)memory;
	s->head = (uint32_t*)(void*)memory;
	s->next = (uint32_t*)(void*)( memory + 8 * (size_t)s->total );
	s->number = s->next + s->total;
	for ( s->buckets = 1; 2 * s->buckets <= s->total; s->buckets *= 2 )
	{
	}
	if ( job->options.sort == bvw_neighbors_merge )
	{
		sort_by_merging( s );
	}
	else
	{
		sort_by_digits( s );
	}
	give_order( s );
}

// After S. Vigna's splitmix64.
static uint32_t bucket_of( const sweep_search* s, int64_t u, int64_t v )
{
	uint64_t z = (uint64_t)u * UINT64_C( 0x9e3779b97f4a7c15 ) + (uint64_t)v;
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (uint32_t)( z ^ z >> 31 ) & ( s->buckets - 1 );
}

static void look_at_pair( sweep_search* s, uint32_t i, uint32_t k )
{
	bvwnear_job* job = s->job;
	uint32_t of = job->of.count;
	uint32_t a = i < k ? i : k;
	uint32_t b = i < k ? k : i;
	if ( job->is_self )
	{
		++job->tests;
		if ( bvwnear_decide( job, a, b ) )
		{
			bvwnear_keep_pair( job, a, b );
		}
	}
	else if ( a < of && b >= of )
	{
		++job->tests;
		if ( bvwnear_decide( job, a, b - of ) )
		{
			bvwnear_keep( job, a, b - of );
		}
	}
}

// Compares a particle with the active ones in a bucket, and unlinks those that end before it begins.
static void look_into( sweep_search* s, uint32_t bucket, uint32_t i, double low )
{
	uint32_t* link = &s->head[bucket];
	while ( *link != no_number )
	{
		uint32_t k = *link;
		++s->job->steps;
		if ( up_of( s, k ) < low )
		{
			*link = s->next[k];
			continue;
		}
		look_at_pair( s, i, k );
		link = &s->next[k];
	}
}

// Several of the nine cells can be in the same bucket.
static void look_around( sweep_search* s, uint32_t i, int64_t u, int64_t v )
{
	uint32_t seen[around];
	double low = low_of( s, i );
	for ( int cell = 0; cell < around; ++cell )
	{
		seen[cell] = bucket_of( s, u + cell / 3 - 1, v + cell % 3 - 1 );
		bool is_new = true;
		for ( int k = 0; k < cell; ++k )
		{
			is_new = is_new && seen[k] != seen[cell];
		}
		if ( is_new )
		{
			look_into( s, seen[cell], i, low );
		}
	}
}

static void visit( bvwnear_job* job )
{
	sweep_search* s = (sweep_search*)(void*)job->memory;
	for ( uint32_t i = 0; i < s->buckets && s->total > 0; ++i )
	{
		s->head[i] = no_number;
	}
	for ( uint32_t r = 0; r < s->total; ++r )
	{
		uint32_t i = s->number[r];
		const double* p = position_of( s, i );
		int64_t u = bvwnear_cell_along( &s->frame, s->axis[1], p[s->axis[1]] );
		int64_t v = bvwnear_cell_along( &s->frame, s->axis[2], p[s->axis[2]] );
		look_around( s, i, u, v );
		uint32_t own = bucket_of( s, u, v );
		s->next[i] = s->head[own];
		s->head[own] = i;
	}
}

const bvwnear_method bvwnear_sweep = {
	.name = "sweep",
	.help = "sorted along an axis, with active lists in cells of the two others (Stratbuecker 2003)",
	.bytes = bytes,
	.prepare = prepare,
	.visit = visit,
};
