// Branch and bound: the division of a small set into 2 to `degree` parts with the best quality there is. J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.1, figures 3.3 and 3.4.
//
// A problem is a partition of some of the faces; its branches put one more face into each part in turn, of the empty parts
// into the first only, so that no division is met by two names. What a problem cannot do better than is in lower_bound.c; what
// it can do is found by completing it heuristically (complete.h). Problems that cannot beat the best division known are
// dropped. Rows differ in which face is branched on, and in which open problem is next:
//  - lower: the least lower bound;
//  - estimate: the least lower bound * placed faces + upper bound * free ones, where the optimum is presumed;
//  - gain: the greatest (upper bound - lower bound) * free faces.
//
// The quality of a division is that of its parts which are not empty, so that with the mean a division into fewer parts can
// be the best. Hence the lower bound of a problem with s the sum of the bounds of its k parts: the least, over the numbers of
// parts n that are still possible, of (s + the n - k least bounds of single free faces) / n. And faces within a part's volume,
// where bvb_inner_faces_are_free, are placed there without branching only when that cannot make the parts fewer: with the mean
// when no part is empty, with the maximum when two are not.
//
// Eckstein gives no numbers and never ran it on a real case. Here sets have few faces, the fewer the weaker the bounds and the
// dearer the fits of the types in use are (bvb_branch_and_bound_faces), so that subsets are bits of a number, and the quality and the bound of each are computed once. Larger sets, and all that remains
// when options->search_budget problems have been looked at, are left to the heuristic without intermediate optimisation, whose
// division is where the search starts. When that leaves all faces together, as it does of equal midpoints, the search starts
// with the first face apart. The result is the best up to a billionth.

#include "hierarchy/split_branch_and_bound.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "hierarchy/complete.h"
#include "hierarchy/lower_bound.h"
#include "hierarchy/random.h"

#include <math.h>
#include <string.h>

enum
{
	faces_most = bvb_branch_and_bound_most,
	subsets_on_stack = 1 << 6,
	problems_on_stack = 64,
};

// Of a quality. What is no better than by this is not looked for: far below the rounding of stored volumes, above that of sums.
static const double negligible = 0x1p-30;

// A partition of some of the faces, and what is known of its completions.
typedef struct open_problem
{
	double lower;    // no completion is better
	double upper;    // some completion is that good; infinite when none was found
	uint32_t placed; // how many faces are
	uint32_t free;   // and how many are not
} open_problem;

// The least is looked at first.
typedef double order_function( const open_problem* p );

static double lower_order( const open_problem* p )
{
	return p->lower;
}

static double estimate_order( const open_problem* p )
{
	return p->lower * p->placed + p->upper * p->free;
}

static double gain_order( const open_problem* p )
{
	return -( p->upper - p->lower ) * p->free;
}

static order_function* const orders[] = {
	[bvb_order_lower] = lower_order,
	[bvb_order_estimate] = estimate_order,
	[bvb_order_gain] = gain_order,
};

// A problem in the heap.
typedef struct problem
{
	open_problem known;
	double key;
	uint32_t serial; // problems of equal keys are looked at in the order they came
	uint16_t free;   // a bit for each face that is not placed
	uint16_t part[BVB_MAX_DEGREE];
	uint8_t used; // parts that are not empty, the first ones
} problem;

// One search.
typedef struct search
{
	const bvb_face_set* set;
	const bvb_branch_and_bound_how* how;
	uint32_t count; // of faces
	uint32_t degree;
	bool inner_are_free; // so that qualities are bounds
	double rounding;     // of qualities then

	double* quality; // by subset; negative where it is not known yet
	double* bound;   // the same

	problem* heap;
	uint32_t open;
	uint32_t room;
	uint32_t made;    // problems so far
	bvb_arena* arena; // null before memory is needed
	bool failed;

	double best;
	uint16_t best_part[BVB_MAX_DEGREE];
} search;

// A subset's faces in the order of the set.
typedef struct subset
{
	uint32_t order[faces_most];
	bv_vec3 corners[3 * faces_most];
	bvb_face_list list;
} subset;

static void list_subset( const search* s, uint32_t faces, subset* out )
{
	out->list = s->set->list;
	out->list.order = out->order;
	out->list.corners = out->corners;
	out->list.count = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( faces >> i & 1 )
		{
			out->order[out->list.count++] = s->set->list.order[i];
		}
	}
}

static double quality_of( const search* s, uint32_t faces )
{
	if ( s->quality[faces] < 0 )
	{
		subset sub;
		list_subset( s, faces, &sub );
		bvb_build_fit( s->set->build, s->set->worker, &sub.list, &s->quality[faces] );
	}
	return s->quality[faces];
}

static double bound_of( const search* s, uint32_t faces )
{
	if ( s->inner_are_free )
	{
		return bv_max( quality_of( s, faces ) - s->rounding, 0 );
	}
	if ( s->bound[faces] < 0 )
	{
		subset sub;
		list_subset( s, faces, &sub );
		s->bound[faces] = bvb_lower_bound( s->set->build, &sub.list );
	}
	return s->bound[faces];
}

// Of a whole division. One part is none.
static double quality_of_parts( const search* s, const uint16_t* part )
{
	double each[BVB_MAX_DEGREE];
	uint32_t count = 0;
	for ( uint32_t k = 0; k < s->degree; ++k )
	{
		if ( part[k] )
		{
			each[count++] = quality_of( s, part[k] );
		}
	}
	return count < 2 ? INFINITY : bvb_quality_together( &s->set->build->quality, each, count );
}

static void take_if_better( search* s, const uint16_t* part, double quality )
{
	if ( quality < s->best )
	{
		s->best = quality;
		memcpy( s->best_part, part, sizeof s->best_part );
	}
}

// The bounds of the free faces by themselves, ascending. Returns how many there are.
static uint32_t sort_single_bounds( const search* s, uint32_t free, double single[faces_most] )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( free >> i & 1 )
		{
			double bound = bound_of( s, 1u << i );
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

static double lower_bound_of_parts( const search* s, const uint16_t* part, uint32_t used, uint32_t free )
{
	double single[faces_most];
	uint32_t singles = sort_single_bounds( s, free, single );
	double sum = 0;
	double greatest = singles ? single[singles - 1] : 0;
	for ( uint32_t k = 0; k < used; ++k )
	{
		double bound = bound_of( s, part[k] );
		sum += bound;
		greatest = bv_max( greatest, bound );
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
		least = n < 2 ? least : bv_min( least, sum / n );
	}
	return least;
}

static bool is_hopeless( const search* s, double lower )
{
	return lower >= s->best * ( 1 - negligible );
}

// Puts faces within the parts' volumes where they are.
static void place_inner_faces( const search* s, problem* p )
{
	uint32_t needed = s->set->build->quality.aggregate == bvb_aggregate_max ? 2 : s->degree;
	if ( !s->inner_are_free || p->used < needed )
	{
		return;
	}
	for ( uint32_t k = 0; k < p->used && p->free; ++k )
	{
		subset sub;
		list_subset( s, p->part[k], &sub );
		uint16_t inner =
			(uint16_t)bvb_inner_faces( s->set->build, &sub.list, s->set->list.order, s->count ) & p->free;
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
static double complete( search* s, const problem* p, uint16_t* part )
{
	uint8_t name[faces_most];
	double room[faces_most];
	memset( name, BVB_UNPLACED, sizeof name );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = 0; k < p->used; ++k )
		{
			name[i] = p->part[k] >> i & 1 ? (uint8_t)k : name[i];
		}
	}
	bvb_complete_kmeans( &s->set->list, s->degree, room, name );
	memset( part, 0, BVB_MAX_DEGREE * sizeof *part );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		part[name[i]] |= (uint16_t)( 1u << i );
	}
	return quality_of_parts( s, part );
}

static bool before( const problem* a, const problem* b )
{
	return a->key < b->key || ( a->key == b->key && a->serial < b->serial );
}

static bool make_room( search* s )
{
	if ( s->open < s->room )
	{
		return true;
	}
	if ( !s->arena )
	{
		s->arena = bvb_arena_create_scratch( s->set->worker->arena );
	}
	problem* heap = s->arena ? bvb_arena_allocate( s->arena, 2 * (size_t)s->room, sizeof *heap ) : NULL;
	if ( !heap )
	{
		s->failed = true;
		return false;
	}
	memcpy( heap, s->heap, s->open * sizeof *heap );
	s->heap = heap;
	s->room *= 2;
	return true;
}

static void push( search* s, const problem* p )
{
	if ( !make_room( s ) )
	{
		return;
	}
	uint32_t i = s->open++;
	for ( ; i > 0 && before( p, &s->heap[( i - 1 ) / 2] ); i = ( i - 1 ) / 2 )
	{
		s->heap[i] = s->heap[( i - 1 ) / 2];
	}
	s->heap[i] = *p;
}

static problem pop( search* s )
{
	problem first = s->heap[0];
	problem last = s->heap[--s->open];
	uint32_t i = 0;
	for ( uint32_t child = 1; child < s->open; child = 2 * i + 1 )
	{
		child += child + 1 < s->open && before( &s->heap[child + 1], &s->heap[child] );
		if ( !before( &s->heap[child], &last ) )
		{
			break;
		}
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return first;
}

// How many parts a face may go to: all that are used, and one of the empty ones.
static uint32_t branches_of( const search* s, const problem* p )
{
	return p->used < s->degree ? p->used + 1u : p->used;
}

static problem branch( const search* s, const problem* p, uint32_t face, uint32_t to )
{
	problem next = *p;
	next.free &= ( uint16_t ) ~( 1u << face );
	next.part[to] |= (uint16_t)( 1u << face );
	next.used = (uint8_t)( to == p->used ? p->used + 1 : p->used );
	next.known.lower = bv_max( p->known.lower, lower_bound_of_parts( s, next.part, next.used, next.free ) );
	return next;
}

static uint32_t random_face( const search* s, const problem* p )
{
	uint32_t skip = (uint32_t)( bvb_mix( s->set->seed ^ bvb_mix( p->serial ) ) % bits_in( p->free ) );
	uint32_t free = p->free;
	for ( ; skip > 0; --skip )
	{
		free &= free - 1;
	}
	return bits_in( ( free & ( 0 - free ) ) - 1 );
}

// The face whose best branch has the greatest lower bound.
static uint32_t raising_face( const search* s, const problem* p )
{
	uint32_t best = 0;
	double highest = -1;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double least = INFINITY;
		for ( uint32_t k = 0; p->free >> i & 1 && k < branches_of( s, p ); ++k )
		{
			problem next = branch( s, p, i, k );
			least = bv_min( least, next.known.lower );
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
static void add_problem( search* s, problem* p )
{
	place_inner_faces( s, p );
	uint16_t part[BVB_MAX_DEGREE];
	if ( p->free == 0 )
	{
		take_if_better( s, p->part, quality_of_parts( s, p->part ) );
		return;
	}
	p->known.upper = complete( s, p, part );
	take_if_better( s, part, p->known.upper );
	if ( !is_hopeless( s, p->known.lower ) )
	{
		p->known.free = bits_in( p->free );
		p->known.placed = s->count - p->known.free;
		p->key = orders[s->how->order]( &p->known );
		p->serial = s->made++;
		push( s, p );
	}
}

static void run( search* s )
{
	problem root = { .free = (uint16_t)( ( 1u << s->count ) - 1 ) };
	s->best = INFINITY;
	uint16_t apart[BVB_MAX_DEGREE] = { 1, root.free & (uint16_t)~1 };
	memcpy( s->best_part, apart, sizeof apart );
	add_problem( s, &root );
	take_if_better( s, apart, quality_of_parts( s, apart ) );
	uint64_t budget = s->set->build->options->search_budget;
	for ( uint64_t i = 0; i < budget && s->open > 0 && !s->failed; ++i )
	{
		problem p = pop( s );
		if ( is_hopeless( s, p.known.lower ) )
		{
			continue;
		}
		uint32_t face = s->how->at_random ? random_face( s, &p ) : raising_face( s, &p );
		for ( uint32_t k = 0; k < branches_of( s, &p ); ++k )
		{
			problem next = branch( s, &p, face, k );
			if ( !is_hopeless( s, next.known.lower ) )
			{
				add_problem( s, &next );
			}
		}
	}
}

static bool has_subsets( search* s, double* on_stack )
{
	size_t count = (size_t)1 << s->count;
	s->quality = on_stack;
	if ( count > subsets_on_stack )
	{
		s->arena = bvb_arena_create_scratch( s->set->worker->arena );
		s->quality = s->arena ? bvb_arena_allocate( s->arena, 2 * count, sizeof *s->quality ) : NULL;
	}
	if ( !s->quality )
	{
		return false;
	}
	s->bound = s->quality + count;
	for ( size_t i = 0; i < 2 * count; ++i )
	{
		s->quality[i] = -1;
	}
	return true;
}

static bool divide_small( const bvb_face_set* set, uint32_t degree, const bvb_branch_and_bound_how* how,
                          uint8_t* part )
{
	double subsets[2 * subsets_on_stack];
	problem problems[problems_on_stack];
	search s = { .set = set,
		         .how = how,
		         .count = set->list.count,
		         .degree = degree,
		         .inner_are_free = bvb_inner_faces_are_free( set->build ),
		         .heap = problems,
		         .room = problems_on_stack };
	s.rounding = s.inner_are_free ? bvb_quality_rounding( set->build, set->volume ) : 0;
	bool done = has_subsets( &s, subsets );
	if ( done )
	{
		run( &s );
		for ( uint32_t i = 0; i < s.count; ++i )
		{
			for ( uint32_t k = 0; k < degree; ++k )
			{
				part[i] = s.best_part[k] >> i & 1 ? (uint8_t)k : part[i];
			}
		}
		done = !s.failed;
	}
	bvb_arena_destroy( s.arena );
	return done;
}

// By type. Bounds that are tight leave few problems; those of oriented boxes leave a third of all subsets or so to be fitted.
static const uint32_t faces_by_type[bv_volume_types] = {
	[bv_volume_obb] = 12,    [bv_volume_aabb] = 16,   [bv_volume_sphere] = 16, [bv_volume_rss] = 6,
	[bv_volume_kdop14] = 16, [bv_volume_kdop18] = 16, [bv_volume_kdop26] = 16,
};
static const uint32_t hausdorff_faces = 6; // all partitions are looked at

uint32_t bvb_branch_and_bound_faces( const bvb_build* build )
{
	uint32_t most = build->quality.measure == bvb_quality_hausdorff ? hausdorff_faces : faces_most;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		bool used = build->options->volume_types >> i & 1;
		most = used && faces_by_type[i] < most ? faces_by_type[i] : most;
	}
	return most;
}

bool bvb_split_branch_and_bound( const bvb_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	uint32_t count = set->list.count;
	if ( count > bvb_branch_and_bound_faces( set->build ) || count < 2 )
	{
		memset( part, BVB_UNPLACED, count );
		bvb_complete_kmeans( &set->list, degree, set->keys, part );
		return true;
	}
	return divide_small( set, degree, how, part );
}
