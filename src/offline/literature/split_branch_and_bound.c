// Branch and bound: the optimal division of a small set into 2 to `degree` parts.
//
// A problem is a partition of some of the faces. Its branches put one more face into each part in turn; among
// empty parts only the first is used, so that each division is visited once. The lower bound of a problem is
// in lower_bound.c. An upper bound comes from completing it heuristically (complete.h). Problems that cannot
// beat the best known division are dropped. Variants of the splitter differ in the face that is branched on
// and in the order of open problems (open_problems.c).
//
// The quality of a division is that of its non-empty parts, so with the mean a division into fewer parts can
// be optimal. Let s be the sum of the bounds of a problem's k parts. Its lower bound is the minimum, over the
// possible numbers of parts n, of (s + the n - k smallest bounds of single free faces) / n. Faces within a
// part's volume, where bvlit_inner_faces_are_free, are placed there without branching only if that cannot
// reduce the number of parts: with the mean if no part is empty, with the maximum if two are not empty.
//
// Eckstein does not report results, and never ran the method on a real case. Here sets have few faces; the
// limit is lower for types with weaker bounds and more expensive fits (branch_and_bound_faces). Subsets
// are therefore bits of a number, and the quality and the bound of each are computed once (subsets.c). Larger
// sets, and the rest after options->search_budget problems, are left to the heuristic without intermediate
// optimization, whose division is the start of the search. If the heuristic does not separate any faces, as
// with equal midpoints, the search starts with the first face apart. The result is optimal up to a billionth.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.1, figures 3.3 and 3.4.

#include "offline/literature/split_branch_and_bound.h"

#include "offline/base/random.h"
#include "offline/hierarchy/complete.h"
#include "offline/literature/open_problems.h"
#include "offline/literature/subsets.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>
#include <string.h>

enum
{
	faces_most = bvlit_branch_and_bound_most,
};

// Of a quality. What is no better than by this is not looked for: far below the rounding of stored volumes,
// above that of sums.
static const double negligible = 0x1p-30;

// One search.
typedef struct branch_and_bound_search
{
	const bvhier_face_set* set;
	const bvlit_branch_and_bound_how* how;
	uint32_t count; // of faces
	uint32_t degree;
	bvlit_subsets subsets;
	bvlit_open_problems open;
	uint32_t made; // problems so far

	double best;
	uint16_t best_part[BVB_MAX_DEGREE];
} branch_and_bound_search;

// Of a whole division. One part is none.
static double quality_of_parts( const branch_and_bound_search* s, const uint16_t* part )
{
	double each[BVB_MAX_DEGREE];
	uint32_t count = 0;
	for ( uint32_t k = 0; k < s->degree; ++k )
	{
		if ( part[k] )
		{
			each[count++] = bvlit_subset_quality( &s->subsets, part[k] );
		}
	}
	return count < 2 ? INFINITY : bvhier_quality_together( &s->set->build->quality, each, count );
}

static void take_if_better( branch_and_bound_search* s, const uint16_t* part, double quality )
{
	if ( quality < s->best )
	{
		s->best = quality;
		memcpy( s->best_part, part, sizeof s->best_part );
	}
}

// The bounds of the free faces by themselves, ascending. Returns how many there are.
static uint32_t sort_single_bounds( const branch_and_bound_search* s, uint32_t free,
                                    double single[faces_most] )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( free >> i & 1 )
		{
			double bound = bvlit_subset_bound( &s->subsets, 1u << i );
			uint32_t place = count++;
			for ( ; place > 0 && single[place - 1] > bound; --place )
			{
				single[place] = single[place - 1];
			}
			single[place] = bound;
		}
	}
	return count;
}

static double lower_bound_of_parts( const branch_and_bound_search* s, const uint16_t* part, uint32_t used,
                                    uint32_t free )
{
	double single[faces_most];
	uint32_t singles = sort_single_bounds( s, free, single );
	double sum = 0;
	double greatest = singles ? single[singles - 1] : 0;
	for ( uint32_t k = 0; k < used; ++k )
	{
		double bound = bvlit_subset_bound( &s->subsets, part[k] );
		sum += bound;
		greatest = bvmath_max( greatest, bound );
	}
	if ( s->set->build->quality.aggregate == bvb_aggregate_max )
	{
		return greatest;
	}
	double least = used < 2 ? INFINITY : sum / used;
	for ( uint32_t n = used; n < s->degree && n - used < singles; )
	{
		sum += single[n - used];
		n += 1;
		least = n < 2 ? least : bvmath_min( least, sum / n );
	}
	return least;
}

static bool is_hopeless( const branch_and_bound_search* s, double lower )
{
	return lower >= s->best * ( 1 - negligible );
}

// Puts faces within the parts' volumes where they are.
static void place_inner_faces( const branch_and_bound_search* s, bvlit_problem* p )
{
	uint32_t needed = s->set->build->quality.aggregate == bvb_aggregate_max ? 2 : s->degree;
	if ( !s->subsets.inner_are_free || p->used < needed )
	{
		return;
	}
	for ( uint32_t k = 0; k < p->used && p->free; ++k )
	{
		uint16_t inner = (uint16_t)bvlit_subset_inner( &s->subsets, p->part[k] ) & p->free;
		p->part[k] |= inner;
		p->free &= (uint16_t)~inner;
	}
}

static uint32_t bits_in( uint32_t x )
{
	uint32_t count = 0;
	for ( ; x; x &= x - 1 )
	{
		count += 1;
	}
	return count;
}

// Finishes a problem heuristically.
static double complete( branch_and_bound_search* s, const bvlit_problem* p, uint16_t* part )
{
	uint8_t name[faces_most];
	double room[faces_most];
	memset( name, BVHIER_UNPLACED, sizeof name );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = 0; k < p->used; ++k )
		{
			name[i] = p->part[k] >> i & 1 ? (uint8_t)k : name[i];
		}
	}
	bvhier_complete_kmeans( &s->set->list, s->degree, room, name );
	memset( part, 0, BVB_MAX_DEGREE * sizeof *part );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		part[name[i]] |= (uint16_t)( 1u << i );
	}
	return quality_of_parts( s, part );
}

// How many parts a face may go to: all that are used, and one of the empty ones.
static uint32_t branches_of( const branch_and_bound_search* s, const bvlit_problem* p )
{
	return p->used < s->degree ? p->used + 1u : p->used;
}

static bvlit_problem branch( const branch_and_bound_search* s, const bvlit_problem* p, uint32_t face,
                             uint32_t to )
{
	bvlit_problem next = *p;
	next.free &= ( uint16_t ) ~( 1u << face );
	next.part[to] |= (uint16_t)( 1u << face );
	next.used = (uint8_t)( to == p->used ? p->used + 1 : p->used );
	next.lower = bvmath_max( p->lower, lower_bound_of_parts( s, next.part, next.used, next.free ) );
	return next;
}

static uint32_t random_face( const branch_and_bound_search* s, const bvlit_problem* p )
{
	uint32_t skip = (uint32_t)( bvbase_mix( s->set->seed ^ bvbase_mix( p->serial ) ) % bits_in( p->free ) );
	uint32_t free = p->free;
	for ( ; skip > 0; --skip )
	{
		free &= free - 1;
	}
	return bits_in( ( free & ( 0 - free ) ) - 1 );
}

// The face whose best branch has the greatest lower bound.
static uint32_t raising_face( const branch_and_bound_search* s, const bvlit_problem* p )
{
	uint32_t best = 0;
	double highest = -1;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double least = INFINITY;
		for ( uint32_t k = 0; p->free >> i & 1 && k < branches_of( s, p ); ++k )
		{
			bvlit_problem next = branch( s, p, i, k );
			least = bvmath_min( least, next.lower );
		}
		if ( p->free >> i & 1 && least > highest )
		{
			highest = least;
			best = i;
		}
	}
	return best;
}

// Completes a problem, and keeps it if there may be better completions.
static void add_problem( branch_and_bound_search* s, bvlit_problem* p )
{
	place_inner_faces( s, p );
	uint16_t part[BVB_MAX_DEGREE];
	if ( p->free == 0 )
	{
		take_if_better( s, p->part, quality_of_parts( s, p->part ) );
		return;
	}
	p->upper = complete( s, p, part );
	take_if_better( s, part, p->upper );
	if ( !is_hopeless( s, p->lower ) )
	{
		p->unplaced = bits_in( p->free );
		p->placed = s->count - p->unplaced;
		p->serial = s->made++;
		bvlit_problems_push( &s->open, p );
	}
}

static void run( branch_and_bound_search* s )
{
	bvlit_problem root = { .free = (uint16_t)( ( 1u << s->count ) - 1 ) };
	s->best = INFINITY;
	uint16_t apart[BVB_MAX_DEGREE] = { 1, root.free & (uint16_t)~1 };
	memcpy( s->best_part, apart, sizeof apart );
	add_problem( s, &root );
	take_if_better( s, apart, quality_of_parts( s, apart ) );
	uint64_t budget = s->set->build->options->search_budget;
	for ( uint64_t i = 0; i < budget && s->open.count > 0 && !s->open.failed; ++i )
	{
		bvlit_problem p = bvlit_problems_pop( &s->open );
		if ( is_hopeless( s, p.lower ) )
		{
			continue;
		}
		uint32_t face = s->how->at_random ? random_face( s, &p ) : raising_face( s, &p );
		for ( uint32_t k = 0; k < branches_of( s, &p ); ++k )
		{
			bvlit_problem next = branch( s, &p, face, k );
			if ( !is_hopeless( s, next.lower ) )
			{
				add_problem( s, &next );
			}
		}
	}
}

static bool divide_small( const bvhier_face_set* set, uint32_t degree, const bvlit_branch_and_bound_how* how,
                          uint8_t* part )
{
	branch_and_bound_search s = { .set = set, .how = how, .count = set->list.count, .degree = degree };
	bool done = bvlit_subsets_begin( set, &s.subsets );
	if ( done )
	{
		bvlit_problems_begin( set->worker->arena, how->order, &s.open );
		run( &s );
		for ( uint32_t i = 0; i < s.count; ++i )
		{
			for ( uint32_t k = 0; k < degree; ++k )
			{
				part[i] = s.best_part[k] >> i & 1 ? (uint8_t)k : part[i];
			}
		}
		done = !s.open.failed;
		bvlit_problems_end( &s.open );
	}
	bvlit_subsets_end( &s.subsets );
	return done;
}

// By form. Bounds that are tight leave few problems; those of oriented boxes leave a third of all subsets or
// so to be fitted.
static const uint32_t faces_by_form[bvvol_forms] = {
	[bvvol_form_rounded] = 6, [bvvol_form_box] = 12,   [bvvol_form_upright] = 16,
	[bvvol_form_ball] = 16,   [bvvol_form_slabs] = 16,
};
static const uint32_t hausdorff_faces = 6; // all partitions are looked at

// @return up to how many faces of such a build a set is searched; larger ones are divided by the heuristic
//         alone
static uint32_t branch_and_bound_faces( const bvhier_build* build )
{
	uint32_t most = build->quality.measure == bvb_quality_hausdorff ? hausdorff_faces : faces_most;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		bool used = build->options->volume_types >> i & 1;
		uint32_t faces = faces_by_form[bvvol_kind_of( (bv_volume_type)i )->form];
		most = used && faces < most ? faces : most;
	}
	return most;
}

bool bvlit_split_branch_and_bound( const bvhier_face_set* set, uint32_t degree, const void* how,
                                   uint8_t* part )
{
	uint32_t count = set->list.count;
	if ( count > branch_and_bound_faces( set->build ) || count < 2 )
	{
		memset( part, BVHIER_UNPLACED, count );
		bvhier_complete_kmeans( &set->list, degree, set->keys, part );
		return true;
	}
	return divide_small( set, degree, how, part );
}
