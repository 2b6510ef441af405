// One budget for many searches. See bvworld/pool.h.
//
// The widest item gets the next tests. To make the widest answer narrower, no other item can be given any: so this rule is optimal for
// the greatest width, up to a slice of tests for each item.

#include "bvworld/pool.h"

#include <math.h>

enum
{
	// Of tests. An answer after each slice takes as long as a few tests.
	least_slice = 8,
	usual_slice = 32,
	most_slice = 64,
	slices_of_item = 4, // that each item could get, if the budget has not many more tests
};

// As of scales of transforms, so that products and sums stay in range.
static const double least_weight = 0x1p-100;
static const double greatest_weight = 0x1p100;

// A run, and a heap of items that are open: none is wider than the one at half its index, from 1 on.
typedef struct pool
{
	bvw_pool_item* item;
	uint32_t* heap; // indices; the first one is not used
	uint32_t count;
	const bv_budget* budget;
	double enough;
	uint32_t slice;
	uint64_t tests;
} pool;

bvw_pool_options bvw_pool_options_default( void )
{
	return ( bvw_pool_options ){ 0 };
}

size_t bvw_pool_bytes( uint32_t count )
{
	return ( (size_t)count + 1 ) * sizeof( uint32_t );
}

static double weight_of( const bvw_pool_item* item )
{
	return item->weight > 0 ? item->weight : 1;
}

static void set_width( bvw_pool_item* item, double width, bool is_done )
{
	item->is_known = true;
	item->is_done = is_done;
	item->width = is_done ? 0 : weight_of( item ) * width;
}

// Runs an item.
// @param budget  null to learn what is known
// @return the number of tests that it took
static uint64_t run_item( bvw_pool_item* item, const bv_budget* budget )
{
	uint64_t before = item->tests;
	if ( item->search )
	{
		bv_search_answer a = { .done = true };
		(void)( budget ? bv_search_run( item->search, budget, &a ) : bv_search_look( item->search, &a ) );
		set_width( item, a.upper - a.lower, a.done );
		item->tests = a.volume_tests + a.triangle_tests;
		return item->tests - before;
	}
	bv_sweep_result r = { .lower = 0 };
	bool is_done = true;
	bv_status status = budget ? bv_sweep_run( item->sweep, budget, &is_done, &r )
	                          : bv_sweep_look( item->sweep, &is_done, &r );
	set_width( item, ( r.upper < 1 ? r.upper : 1 ) - r.lower, is_done || status != bv_ok );
	item->tests = status == bv_ok ? r.volume_tests + r.triangle_tests + r.steps : before;
	return item->tests - before;
}

static bool is_open( const pool* p, uint32_t index )
{
	const bvw_pool_item* item = p->item + index;
	return !item->is_done && item->width > p->enough;
}

// Of equally wide items the first one.
static bool comes_before( const pool* p, uint32_t x, uint32_t y )
{
	const bvw_pool_item* item = p->item;
	return item[x].width > item[y].width || ( item[x].width == item[y].width && x < y );
}

static void sink( pool* p, uint32_t at )
{
	uint32_t index = p->heap[at];
	for ( uint32_t next = 2 * at; next <= p->count; next = 2 * at )
	{
		next += next < p->count && comes_before( p, p->heap[next + 1], p->heap[next] );
		if ( !comes_before( p, p->heap[next], index ) )
		{
			break;
		}
		p->heap[at] = p->heap[next];
		at = next;
	}
	p->heap[at] = index;
}

static double time_of( const bv_budget* budget )
{
	return budget->now( budget->context );
}

// @return what is left of the budget, at most a slice; null if it is spent
static const bv_budget* next_slice( const pool* p, bv_budget* out )
{
	const bv_budget* b = p->budget;
	*out = b ? *b : ( bv_budget ){ .now = NULL };
	uint64_t left = out->tests > 0 ? out->tests - p->tests : UINT64_MAX;
	bool is_spent =
		( out->tests > 0 && p->tests >= out->tests ) || ( out->now && time_of( out ) >= out->until );
	out->tests = left < p->slice ? left : p->slice;
	return is_spent ? NULL : out;
}

static void run_widest( pool* p )
{
	bv_budget slice;
	for ( uint32_t i = p->count / 2; i > 0; --i )
	{
		sink( p, i );
	}
	while ( p->count > 0 && next_slice( p, &slice ) )
	{
		uint32_t index = p->heap[1];
		p->tests += run_item( p->item + index, &slice );
		p->heap[1] = is_open( p, index ) ? index : p->heap[p->count--];
		if ( p->count > 0 )
		{
			sink( p, 1 );
		}
	}
}

// @param part  of all weights, 0 to 1
static uint64_t share_of_tests( uint64_t tests, double part )
{
	double share = (double)tests * part;
	return share < 0x1p63 ? (uint64_t)share : tests;
}

// Shares of tests are rounded down, so that the sum is not above the budget. Time that an item does not need is left to the others,
// because each share ends at a time.
static void run_shares( pool* p )
{
	double all = 0;
	double sum = 0;
	const bv_budget* b = p->budget;
	double begin = b && b->now ? time_of( b ) : 0;
	for ( uint32_t i = 1; i <= p->count; ++i )
	{
		all += weight_of( p->item + p->heap[i] );
	}
	for ( uint32_t i = 1; i <= p->count; ++i )
	{
		bvw_pool_item* item = p->item + p->heap[i];
		bv_budget share = b ? *b : ( bv_budget ){ .now = NULL };
		double time = share.until - begin;
		sum += weight_of( item );
		share.until = time > -INFINITY && time < INFINITY ? begin + time * ( sum / all ) : share.until;
		share.tests = share_of_tests( share.tests, weight_of( item ) / all );
		if ( !b || b->tests == 0 || share.tests > 0 )
		{
			p->tests += run_item( item, &share );
		}
	}
}

// If there are few tests for each item, slices are short, so that none takes away what others need more.
static uint32_t choose_slice( const bv_budget* budget, uint32_t count )
{
	if ( !budget || budget->tests == 0 || count == 0 )
	{
		return usual_slice;
	}
	uint64_t part = budget->tests / count / slices_of_item;
	return part < least_slice ? least_slice : part > most_slice ? most_slice : (uint32_t)part;
}

static bool is_valid( const bvw_pool_item* item )
{
	bool has_weight = item->weight >= least_weight && item->weight <= greatest_weight;
	return ( item->search != NULL ) != ( item->sweep != NULL ) && ( item->weight == 0 || has_weight );
}

static bool are_valid( const bvw_pool_item* items, uint32_t count, const bvw_pool_options* o,
                       const bv_budget* budget )
{
	bool valid = (unsigned)o->rule < bvw_pool_rules && o->enough >= 0 &&
	             !( budget && budget->now && isnan( budget->until ) );
	for ( uint32_t i = 0; i < count && valid; ++i )
	{
		valid = is_valid( items + i );
	}
	return valid;
}

static void describe( const pool* p, uint32_t count, bvw_pool_report* out )
{
	*out = ( bvw_pool_report ){ .tests = p->tests };
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->index = p->item[i].width > out->widest ? i : out->index;
		out->widest = p->item[i].width > out->widest ? p->item[i].width : out->widest;
		out->open += is_open( p, i );
	}
}

bv_status bvw_pool_run( bvw_pool_item* items, uint32_t count, const bvw_pool_options* options,
                        const bv_budget* budget, void* scratch, size_t bytes, bvw_pool_report* report )
{
	bvw_pool_options o = options ? *options : bvw_pool_options_default();
	if ( ( count > 0 && ( !items || !scratch ) ) || (uintptr_t)scratch % sizeof( uint32_t ) != 0 ||
	     !are_valid( items, count, &o, budget ) )
	{
		return bv_error_argument;
	}
	if ( count > 0 && bytes < bvw_pool_bytes( count ) )
	{
		return bv_error_memory;
	}
	pool p = { .item = items,
		       .heap = scratch,
		       .budget = budget,
		       .enough = o.enough,
		       .slice = o.slice > 0 ? o.slice : choose_slice( budget, count ) };
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !items[i].is_known )
		{
			(void)run_item( items + i, NULL );
		}
		if ( is_open( &p, i ) )
		{
			p.heap[++p.count] = i;
		}
	}
	if ( o.rule == bvw_pool_shares )
	{
		run_shares( &p );
	}
	else
	{
		run_widest( &p );
	}
	if ( report )
	{
		describe( &p, count, report );
	}
	return bv_ok;
}
