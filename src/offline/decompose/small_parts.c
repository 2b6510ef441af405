// Parts are neighbors when their boxes nearly meet. Where there are no neighbors left, as of a mesh in
// several pieces, those a little farther away count as such, and so on, so that parts can always become
// fewer.

#include "offline/decompose/small_parts.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>

// There are so many small parts for each part that is wanted, but no fewer and no more than this.
enum
{
	smalls_a_part = 16,
	least_smalls = 256,
	most_smalls = 1024,
};

// Boxes in the unit frame that are nearer are neighbors.
static const double first_reach = 0.01;

static bool is_live( const bvdecomp_search* s, uint32_t part )
{
	return s->parts[part].leaf != BVDECOMP_NONE;
}

static double square_diagonal( const bvdecomp_search_part* part )
{
	bv_vec3 size = bv_sub( part->high, part->low );
	return bv_dot( size, size );
}

static uint32_t largest_part( const bvdecomp_search* s )
{
	uint32_t best = BVDECOMP_NONE;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		if ( is_live( s, i ) && !s->parts[i].final &&
		     ( best == BVDECOMP_NONE ||
		       square_diagonal( s->parts + i ) > square_diagonal( s->parts + best ) ) )
		{
			best = i;
		}
	}
	return best;
}

static uint32_t wanted_parts( const bvdecomp_search* s )
{
	if ( s->max_parts == 1 )
	{
		return 1;
	}
	if ( s->max_parts > most_smalls )
	{
		return s->max_parts;
	}
	uint32_t many = s->max_parts * smalls_a_part;
	return many < least_smalls ? least_smalls : many > most_smalls ? most_smalls : many;
}

bv_status bvdecomp_cut_small( bvdecomp_search* s, bvdecomp_small_rule* rule )
{
	uint32_t wanted = wanted_parts( s );
	while ( s->live < wanted && !s->stopped )
	{
		uint32_t part = largest_part( s );
		if ( part == BVDECOMP_NONE )
		{
			break;
		}
		bool done = false;
		for ( int attempt = 0; attempt < 3 && !done && s->parts[part].corner_count > 0; ++attempt )
		{
			bvdecomp_plane plane;
			bv_status status = rule( s, s->parts + part, attempt, &plane );
			status = status == bv_ok ? bvdecomp_cut_part( s, part, &plane, &done ) : status;
			if ( status != bv_ok )
			{
				return status;
			}
			++s->steps;
		}
		s->parts[part].final = !done;
	}
	return bv_ok;
}

static double box_gap( const bvdecomp_search_part* a, const bvdecomp_search_part* b )
{
	double x = bvmath_max( a->low.x - b->high.x, b->low.x - a->high.x );
	double y = bvmath_max( a->low.y - b->high.y, b->low.y - a->high.y );
	double z = bvmath_max( a->low.z - b->high.z, b->low.z - a->high.z );
	return bvmath_max( x, bvmath_max( y, z ) );
}

// Returns how many there are, of which as many are listed as there is room for.
static uint32_t list_pairs( const bvdecomp_search* s, double reach, bvdecomp_pairs* pairs )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < s->part_count; ++a )
	{
		for ( uint32_t b = a + 1; b < s->part_count && is_live( s, a ); ++b )
		{
			if ( is_live( s, b ) && box_gap( s->parts + a, s->parts + b ) < reach )
			{
				if ( count < pairs->room )
				{
					pairs->items[count] = ( bvdecomp_pair ){ a, b, NAN };
				}
				++count;
			}
		}
	}
	return count;
}

static bv_status measure_new( const bvdecomp_search* s, bvdecomp_pair_measure* measure, const void* context,
                              bvdecomp_pairs* pairs )
{
#pragma omp parallel for num_threads( s->team ) schedule( dynamic, 16 )
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		bvdecomp_pair* p = pairs->items + i;
		if ( isnan( p->value ) )
		{
			p->value = measure( s, s->workers + omp_get_thread_num(), context, p->a, p->b );
		}
	}
	for ( int k = 0; k < s->team; ++k )
	{
		if ( s->workers[k].failed )
		{
			return bv_error_memory;
		}
	}
	return bv_ok;
}

bv_status bvdecomp_pairs_find( const bvdecomp_search* s, bvdecomp_pair_measure* measure, const void* context,
                               bvdecomp_pairs* out )
{
	*out = ( bvdecomp_pairs ){ .seen = bvb_arena_allocate( s->arena, s->part_count, sizeof *out->seen ) };
	if ( !out->seen )
	{
		return bv_error_memory;
	}
	double reach = first_reach / 2;
	while ( out->room == 0 && s->live > 1 )
	{
		reach *= 2;
		out->room = list_pairs( s, reach, out );
	}
	out->items = bvb_arena_allocate( s->arena, out->room, sizeof *out->items );
	if ( !out->items )
	{
		return bv_error_memory;
	}
	out->count = list_pairs( s, reach, out );
	return measure_new( s, measure, context, out );
}

bv_status bvdecomp_pairs_merged( const bvdecomp_search* s, bvdecomp_pair_measure* measure,
                                 const void* context, uint32_t a, uint32_t b, bvdecomp_pairs* pairs )
{
	uint32_t kept = 0;
	++pairs->merges;
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		bvdecomp_pair p = pairs->items[i];
		p.a = p.a == b ? a : p.a;
		p.b = p.b == b ? a : p.b;
		if ( p.a == p.b )
		{
			continue;
		}
		if ( p.a == a || p.b == a )
		{
			uint32_t other = p.a == a ? p.b : p.a;
			if ( pairs->seen[other] == pairs->merges )
			{
				continue;
			}
			pairs->seen[other] = pairs->merges;
			p = ( bvdecomp_pair ){ a < other ? a : other, a < other ? other : a, NAN };
		}
		pairs->items[kept++] = p;
	}
	pairs->count = kept;
	return kept == 0 && s->live > 1 ? bvdecomp_pairs_find( s, measure, context, pairs )
	                                : measure_new( s, measure, context, pairs );
}
