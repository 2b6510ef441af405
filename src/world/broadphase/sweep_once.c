// One sweep over all boxes, whose end points are sorted, for incremental sweep and prune.
//
// Boxes that overlap along the most selective axis are compared. Strips along the second axis keep apart those that are far from
// each other.
//
// Based on: A. Zomorodian, H. Edelsbrunner, "Fast software for box intersections", 2000, without its segment tree: strips take its
// place.

#include "world/broadphase/sweep.h"

#include <math.h>
#include <string.h>

// @return the number of pairs that overlap along an axis
static uint64_t overlaps_along( const bvw_broadphase* world, const bvwphase_sweep_state* s, int axis )
{
	const bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
	uint64_t pairs = 0;
	uint32_t open = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( bvwphase_end_is_upper( ends + i ) )
		{
			--open;
		}
		else
		{
			pairs += open++;
		}
	}
	return pairs;
}

// Sorts the axes: the one with the fewest pairs is the first.
static void choose_axes( const bvw_broadphase* world, const bvwphase_sweep_state* s, int axes[3] )
{
	uint64_t pairs[3];
	for ( int k = 0; k < 3; ++k )
	{
		uint64_t of_axis = overlaps_along( world, s, k );
		int at = k;
		for ( ; at > 0 && pairs[at - 1] > of_axis; --at )
		{
			pairs[at] = pairs[at - 1];
			axes[at] = axes[at - 1];
		}
		pairs[at] = of_axis;
		axes[at] = k;
	}
}

// Strips of equal width, into which the finite bounds are put. Boxes in at most two of them are small. strip_of never
// decreases, however it is rounded. Hence two small boxes that touch have lower bounds in the same strip or in neighbors.
typedef struct sweep_strips
{
	double first;
	double scale;
	uint32_t count;
} sweep_strips;

static uint32_t strip_of( const sweep_strips* all, double x )
{
	double q = ( x - all->first ) * all->scale;
	if ( !( q > 0 ) )
	{
		return 0;
	}
	return q < all->count - 1 ? (uint32_t)q : all->count - 1;
}

// Wider than the boxes are on average, so that most are small.
static sweep_strips make_strips( const bvw_broadphase* world, const bvwphase_sweep_state* s, int axis )
{
	const bvwphase_end_point* ends = bvwphase_sweep_ends( world, axis );
	const bv_aabb* sorted = bvwphase_sweep_sorted( world );
	double sum = 0;
	double first = INFINITY;
	double last = -INFINITY;
	uint32_t finite = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double length = bvwphase_end_is_upper( ends + i )
		                    ? INFINITY
		                    : bvwphase_upper_of( sorted + ends[i].key, axis ) - ends[i].value;
		if ( length < (double)INFINITY )
		{
			first = ends[i].value < first ? ends[i].value : first;
			last = ends[i].value;
			sum += length;
			++finite;
		}
	}
	if ( finite == 0 )
	{
		return ( sweep_strips ){ 0, 0, 1 };
	}
	uint32_t count = finite / 4 + 1;
	double width = ( last - first ) / count;
	double usual = 1.5 * sum / finite;
	width = usual > width ? usual : width;
	return ( sweep_strips ){ first, width > 0x1p-1000 ? 1 / width : 0, count };
}

// Copies the boxes to entries: those of each strip, then the large ones, all in the order of their lower bounds along the first
// axis. `order` has the entry of each rank.
static void list_boxes( const bvw_broadphase* world, const bvwphase_sweep_state* s, const int axes[3],
                        const sweep_strips* all )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	const bvwphase_end_point* ends = bvwphase_sweep_ends( world, axes[0] );
	bvwphase_sweep_entry* entries = bvwphase_sweep_entries( world );
	uint32_t* strip = bvwphase_sweep_strips( world );
	uint32_t* starts = bvwphase_sweep_starts( world );
	uint32_t* order = bvwphase_sweep_order( world );
	memset( starts, 0, ( all->count + 2 ) * sizeof *starts );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( bvwphase_has_object( world, i ) )
		{
			strip[i] = strip_of( all, bvwphase_lower_of( &objects[i].box, axes[1] ) );
			bool is_large = strip_of( all, bvwphase_upper_of( &objects[i].box, axes[1] ) ) > strip[i] + 1;
			strip[i] = is_large ? all->count : strip[i];
			++starts[strip[i] + 1];
		}
	}
	for ( uint32_t k = 0; k <= all->count; ++k )
	{
		starts[k + 1] += starts[k];
	}
	// Fills each strip, whose start becomes its end, which is the start of the next one.
	uint32_t rank = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( bvwphase_end_is_upper( ends + i ) )
		{
			continue;
		}
		uint32_t number = bvwphase_end_number( ends + i );
		const bvwphase_object* o = objects + number;
		order[rank] = starts[strip[number]]++;
		bvwphase_sweep_entry* e = entries + order[rank];
		for ( int k = 0; k < 3; ++k )
		{
			e->lower[k] = bvwphase_lower_of( &o->box, axes[k] );
			e->upper[k] = bvwphase_upper_of( &o->box, axes[k] );
		}
		e->number = number;
		e->is_changed = ( o->state & bvwphase_is_changed ) != 0;
		e->rank = rank++;
		e->unused = 0;
	}
	memmove( starts + 1, starts, ( all->count + 1 ) * sizeof *starts );
	starts[0] = 0;
}

// Compares boxes, one of which begins within the other one along the first axis.
// @return false if the store is full
static inline bool compare( bvw_broadphase* world, const bvwphase_sweep_entry* a,
                            const bvwphase_sweep_entry* b )
{
	bool touch = ( a->lower[1] <= b->upper[1] ) & ( b->lower[1] <= a->upper[1] ) &
	             ( a->lower[2] <= b->upper[2] ) & ( b->lower[2] <= a->upper[2] );
	if ( touch && ( a->is_changed | b->is_changed ) )
	{
		return bvwphase_report( world, a->number, b->number );
	}
	++world->tests;
	return true;
}

// Compares a box with those of a list, in order, that begin within it.
static inline bool compare_with_list( bvw_broadphase* world, const bvwphase_sweep_entry* a,
                                      const bvwphase_sweep_entry* list, const bvwphase_sweep_entry* end )
{
	for ( const bvwphase_sweep_entry* b = list; b < end && b->lower[0] <= a->upper[0]; ++b )
	{
		if ( !compare( world, a, b ) )
		{
			return false;
		}
	}
	return true;
}

// Boxes of a strip, and with those of the next one.
static bool sweep_strip( bvw_broadphase* world, const bvwphase_sweep_entry* list,
                         const bvwphase_sweep_entry* end, const bvwphase_sweep_entry* next_end )
{
	const bvwphase_sweep_entry* b = end;
	for ( const bvwphase_sweep_entry* a = list; a < end; ++a )
	{
		for ( ; b < next_end && b->rank < a->rank; ++b )
		{
			if ( !compare_with_list( world, b, a, end ) )
			{
				return false;
			}
		}
		if ( !compare_with_list( world, a, a + 1, end ) || !compare_with_list( world, a, b, next_end ) )
		{
			return false;
		}
	}
	return true;
}

// Large boxes with all others.
static bool sweep_large( bvw_broadphase* world, const bvwphase_sweep_entry* large,
                         const bvwphase_sweep_entry* end, const uint32_t* order, uint32_t count )
{
	const bvwphase_sweep_entry* entries = bvwphase_sweep_entries( world );
	for ( uint32_t i = 0; i < count && large < end; ++i )
	{
		const bvwphase_sweep_entry* a = entries + order[i];
		if ( a != large )
		{
			if ( !compare_with_list( world, a, large, end ) )
			{
				return false;
			}
			continue;
		}
		++large;
		for ( uint32_t k = i + 1; k < count && entries[order[k]].lower[0] <= a->upper[0]; ++k )
		{
			if ( !compare( world, a, entries + order[k] ) )
			{
				return false;
			}
		}
	}
	return true;
}

bool bvwphase_sweep_once( bvw_broadphase* world, const bvwphase_sweep_state* s )
{
	int axes[3] = { 0, 1, 2 };
	choose_axes( world, s, axes );
	sweep_strips all = make_strips( world, s, axes[1] );
	list_boxes( world, s, axes, &all );
	const bvwphase_sweep_entry* entries = bvwphase_sweep_entries( world );
	const uint32_t* starts = bvwphase_sweep_starts( world );
	for ( uint32_t k = 0; k < all.count; ++k )
	{
		const bvwphase_sweep_entry* next_end = entries + starts[k + 1 < all.count ? k + 2 : k + 1];
		if ( !sweep_strip( world, entries + starts[k], entries + starts[k + 1], next_end ) )
		{
			return false;
		}
	}
	return sweep_large( world, entries + starts[all.count], entries + starts[all.count + 1],
	                    bvwphase_sweep_order( world ), s->count / 2 );
}

// Merges the end points of new objects, whose numbers are sorted, into those of an axis, from the end.
