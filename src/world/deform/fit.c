// The passes of a refit over the nodes, by several threads or only where vertices moved. See runtime/tree/refit.h.

#include "runtime/simd/bits.h"
#include "world/deform/deform.h"
#include "world/team/team.h"

#include <string.h>

void bvwdeform_box_node( const bvtree_refit* r, uint32_t index, uint32_t lanes )
{
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	const uint8_t* kind = bvfile_node_kinds( node );
	for ( uint32_t left = lanes & ( ( 1u << node->children ) - 1 ); left > 0; left &= left - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( left );
		if ( kind[i] % bvfile_kind_counts != bvfile_kind_inner )
		{
			bvtree_refit_leaf_box( r, node->first_child + i );
		}
	}
	bvtree_refit_join_boxes( r, index );
}

// A refit of all nodes, by several workers.
typedef struct whole_fit
{
	bvw_deform* deform;
	const bvw_vertices* from;
	const bvw_vertices* later;
	bvwteam_team team;
	bool are_in_range[BVW_MAX_WORKERS]; // of each share
} whole_fit;

static void check_share( void* data, uint32_t worker )
{
	whole_fit* fit = data;
	bvw_deform* d = fit->deform;
	uint32_t first = bvwteam_share( d->counts.vertices, fit->team.workers, worker );
	uint32_t end = bvwteam_share( d->counts.vertices, fit->team.workers, worker + 1 );
	fit->are_in_range[worker] = bvwdeform_are_in_range( d, fit->from, NULL, first, end ) &&
	                            ( !fit->later || bvwdeform_are_in_range( d, fit->later, NULL, first, end ) );
}

static void store_share( void* data, uint32_t worker )
{
	const whole_fit* fit = data;
	bvw_deform* d = fit->deform;
	uint32_t first = bvwteam_share( d->counts.vertices, fit->team.workers, worker );
	uint32_t end = bvwteam_share( d->counts.vertices, fit->team.workers, worker + 1 );
	bvwdeform_store( d, fit->from, first, end, d->positions );
	if ( fit->later )
	{
		bvwdeform_store( d, fit->later, first, end, d->later );
	}
}

// Boxes of the subtrees that are in the share as a whole. The nodes above them wait: see join_rest.
static void box_share( void* data, uint32_t worker )
{
	const whole_fit* fit = data;
	const bvtree_refit* r = &fit->deform->refit;
	uint32_t first = bvwteam_share( r->inner_count, fit->team.workers, worker );
	uint32_t end = bvwteam_share( r->inner_count, fit->team.workers, worker + 1 );
	for ( uint32_t i = end; i-- > first; )
	{
		if ( r->inner[i].end <= end )
		{
			bvwdeform_box_node( r, i, UINT32_MAX );
		}
	}
}

// Those whose subtrees end in the share of another worker: the ancestors of the nodes where shares begin.
static void join_rest( const whole_fit* fit )
{
	const bvtree_refit* r = &fit->deform->refit;
	for ( uint32_t worker = fit->team.workers; worker-- > 0; )
	{
		uint32_t first = bvwteam_share( r->inner_count, fit->team.workers, worker );
		uint32_t end = bvwteam_share( r->inner_count, fit->team.workers, worker + 1 );
		if ( end == r->inner_count )
		{
			continue;
		}
		for ( uint32_t i = end; i > 0 && r->inner[i].parent >= first; )
		{
			i = r->inner[i].parent;
			bvwdeform_box_node( r, i, UINT32_MAX );
			if ( i == 0 )
			{
				break;
			}
		}
	}
}

void bvwdeform_fit_children( bvw_deform* deform, uint32_t index, bvtree_refit_what what )
{
	bvtree_refit_node( &deform->refit, index, deform->finest, what );
	if ( deform->errors.head && !deform->refit.by_boxes )
	{
		bvwdeform_set_errors( deform, index, what.all ? UINT32_MAX : what.moved );
	}
}

// Shares of nodes with about as many vertices to measure.
static void fit_share( void* data, uint32_t worker )
{
	const whole_fit* fit = data;
	const bvtree_refit* r = &fit->deform->refit;
	uint32_t first = bvwteam_share( r->inner_count, fit->team.workers, worker );
	uint32_t end = bvwteam_share( r->inner_count, fit->team.workers, worker + 1 );
	for ( uint32_t i = first; i < end; ++i )
	{
		bvwdeform_fit_children( fit->deform, i, ( bvtree_refit_what ){ .all = true } );
	}
}

void bvwdeform_fit_root( bvw_deform* deform, bool resized )
{
	bvtree_refit_root( &deform->refit, resized );
	if ( deform->errors.head && !deform->refit.by_boxes )
	{
		bvwdeform_set_root_error( deform );
		bvwdeform_sum_errors( deform );
	}
}

static void write_report( bvw_deform_report* report, uint32_t vertices, uint32_t nodes, bool whole )
{
	if ( report )
	{
		*report = ( bvw_deform_report ){ .vertices = vertices, .nodes = nodes, .whole = whole };
	}
}

// @return false, and nothing is stored, if positions are out of range
static bool take_positions( whole_fit* fit )
{
	bvwteam_run( &fit->team, check_share, fit );
	for ( uint32_t i = 0; i < fit->team.workers; ++i )
	{
		if ( !fit->are_in_range[i] )
		{
			return false;
		}
	}
	bvwteam_run( &fit->team, store_share, fit );
	return true;
}

// Errors are the last section. Where triangles are is not known while nodes follow boxes.
static void show_errors( bvw_deform* deform, bool shown )
{
	if ( deform->errors.head )
	{
		deform->image->section_count = BVWDEFORM_SECTIONS - !shown;
	}
}

bool bvwdeform_fit_all( bvw_deform* deform, const bvw_vertices* from, const bvw_vertices* later,
                        const bvw_tasks* tasks, bvw_deform_report* report )
{
	bvtree_refit* r = &deform->refit;
	whole_fit fit = { .deform = deform, .from = from, .later = later, .team = bvwteam_of( tasks ) };
	if ( from && !take_positions( &fit ) )
	{
		return false;
	}
	r->later = later ? deform->later : NULL;
	r->by_boxes = false;
	deform->posed_by = NULL;
	show_errors( deform, true );
	if ( r->inner_count == 0 )
	{
		bvtree_refit_leaf_box( r, 0 );
	}
	else
	{
		bvwteam_run( &fit.team, box_share, &fit );
		join_rest( &fit );
	}
	bvtree_refit_grid( r, &r->head->grid, &deform->finest );
	r->is_common = bvtree_refit_is_common( r, deform->finest );
	bvwteam_run( &fit.team, fit_share, &fit );
	bvwdeform_fit_root( deform, true );
	write_report( report, from ? deform->counts.vertices : 0, deform->counts.nodes, true );
	return true;
}

void bvwdeform_begin_boxes( bvw_deform* deform )
{
	bvtree_refit* r = &deform->refit;
	r->later = NULL;
	r->by_boxes = true;
	show_errors( deform, false );
	bvtree_refit_grid( r, &r->head->grid, &deform->finest );
	r->is_common = bvtree_refit_is_common( r, deform->finest );
}

void bvwdeform_fit_boxes( bvw_deform* deform, bvw_deform_report* report )
{
	const bvtree_refit* r = &deform->refit;
	whole_fit fit = { .deform = deform, .team = bvwteam_of( NULL ) };
	for ( uint32_t i = r->inner_count; i-- > 0; )
	{
		bvtree_refit_join_boxes( r, i );
	}
	bvwdeform_begin_boxes( deform );
	fit_share( &fit, 0 );
	bvwdeform_fit_root( deform, true );
	write_report( report, 0, deform->counts.nodes, true );
}

static void mark( const bvwdeform_lists* lists, uint32_t index, uint32_t lanes )
{
	lists->lanes[index].moved |= (uint8_t)lanes;
	lists->waiting[index / 64] |= UINT64_C( 1 ) << index % 64;
}

// Marks an inner node among the children of its parent.
static void mark_above( const bvw_deform* deform, uint32_t index, bool resized )
{
	const bvtree_refit* r = &deform->refit;
	uint32_t parent = r->inner[index].parent;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, parent );
	uint32_t lane = r->inner[index].number - node->first_child;
	mark( &deform->lists, parent, 1u << lane );
	deform->lists.lanes[parent].resized |= (uint8_t)( (uint32_t)resized << lane );
}

// Marks the leaves that have some vertices. A list visits memory in no order: what marking needs for the vertices that follow is loaded ahead.
static void mark_vertices( const bvwdeform_lists* lists, const uint32_t* listed, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( count - i > 16 )
		{
			bvsimd_prefetch( lists->first + listed[i + 16] );
		}
		if ( count - i > 8 )
		{
			uint32_t at = lists->first[listed[i + 8]];
			bvsimd_prefetch( lists->node + at );
			bvsimd_prefetch( lists->node_lanes + at );
		}
		for ( uint32_t k = lists->first[listed[i]]; k < lists->first[listed[i] + 1]; ++k )
		{
			mark( lists, lists->node[k], lists->node_lanes[k] );
		}
	}
}

// @return the greatest index of an inner node that waits, at most `from`; UINT32_MAX if there is none
static uint32_t next_waiting( const bvwdeform_lists* lists, uint32_t from )
{
	uint32_t word = from / 64;
	uint64_t bits = lists->waiting[word] & ~UINT64_C( 0 ) >> ( 63 - from % 64 );
	while ( bits == 0 && word > 0 )
	{
		bits = lists->waiting[--word];
	}
	uint32_t high = (uint32_t)( bits >> 32 );
	return bits == 0 ? UINT32_MAX
	                 : 64 * word +
	                       ( high ? 32 + bvsimd_highest_bit( high ) : bvsimd_highest_bit( (uint32_t)bits ) );
}

// @return the next node that waits after one; UINT32_MAX if there is none
static uint32_t waiting_below( const bvwdeform_lists* lists, uint32_t index )
{
	return index == 0 || index == UINT32_MAX ? UINT32_MAX : next_waiting( lists, index - 1 );
}

// Loads what setting boxes and measuring need of the node that is next, and of the one after that.
BVSIMD_INLINE void load_ahead( const bvw_deform* deform, uint32_t next, uint32_t second )
{
	const bvtree_refit* r = &deform->refit;
	if ( second != UINT32_MAX )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, second );
		bvsimd_prefetch( node );
		bvsimd_prefetch( (const char*)node + 64 );
	}
	if ( next != UINT32_MAX )
	{
		uint32_t child = bvtree_refit_inner_at( r, next )->first_child;
		bvsimd_prefetch( r->first_leaf + child );
		const uint32_t* list = r->vertices + r->leaf_begin[r->first_leaf[r->inner[next].number]];
		bvsimd_prefetch( list );
		bvsimd_prefetch( list + 16 );
		for ( uint32_t i = 0; i < BVFILE_LANES; i += 64 / sizeof *r->boxes )
		{
			bvsimd_prefetch( r->boxes + child + i );
		}
		if ( !deform->counts.measured )
		{
			return;
		}
		bvsimd_prefetch( r->end_leaf + child );
		bvsimd_prefetch( r->distinct + next );
		for ( uint32_t i = 0; i < BVFILE_LANES && r->blocks > 0; i += 64 / sizeof *r->measures )
		{
			bvsimd_prefetch( r->measures + (size_t)r->blocks * child + i );
		}
	}
}

// Sets the boxes of the nodes that wait, and marks those above them.
// @return whether that of the root is another one
static bool box_waiting( bvw_deform* deform )
{
	const bvtree_refit* r = &deform->refit;
	const bvwdeform_lists* lists = &deform->lists;
	bool is_resized = false;
	for ( uint32_t i = next_waiting( lists, r->inner_count - 1 ); i != UINT32_MAX;
	      i = waiting_below( lists, i ) )
	{
		uint32_t next = waiting_below( lists, i );
		load_ahead( deform, next, waiting_below( lists, next ) );
		const bvtree_refit_box* box = r->boxes + r->inner[i].number;
		bvtree_refit_box before = *box;
		bvwdeform_box_node( r, i, lists->lanes[i].moved );
		is_resized = deform->counts.measured && memcmp( &before, box, sizeof before ) != 0;
		if ( i > 0 )
		{
			mark_above( deform, i, is_resized );
		}
	}
	return is_resized;
}

static bool same_grid( const bvfile_node_grid* a, const bvfile_node_grid* b )
{
	return a->step == b->step && a->origin[0] == b->origin[0] && a->origin[1] == b->origin[1] &&
	       a->origin[2] == b->origin[2];
}

// Fits the nodes that wait, or all, and clears what was marked.
// @param whole  the grid is another one
// @param all    likewise, and all nodes are measured
// @return how many nodes, children of those, were fitted
static uint32_t fit_marked( bvw_deform* deform, bool whole, bool all )
{
	const bvtree_refit* r = &deform->refit;
	bvwdeform_lists* lists = &deform->lists;
	uint32_t nodes = 1;
	uint32_t last = r->inner_count - 1;
	for ( uint32_t i = whole ? last : next_waiting( lists, last ); i != UINT32_MAX;
	      i = i == 0  ? UINT32_MAX
	          : whole ? i - 1
	                  : next_waiting( lists, i - 1 ) )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		bvwdeform_lanes lanes = lists->lanes[i];
		bvtree_refit_what what = {
			.moved = lanes.moved, .resized = lanes.resized, .regrid = whole, .all = all
		};
		bvwdeform_fit_children( deform, i, what );
		nodes += whole ? node->children : bvsimd_count_bits( lanes.moved );
		lists->lanes[i] = ( bvwdeform_lanes ){ .moved = 0 };
		lists->waiting[i / 64] &= ~( UINT64_C( 1 ) << i % 64 );
	}
	return nodes;
}

static uint32_t greatest( const uint32_t* numbers, uint32_t count )
{
	uint32_t most = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		most = numbers[i] > most ? numbers[i] : most;
	}
	return most;
}

void bvwdeform_fit_ancestors( bvw_deform* deform, const uint32_t* index, uint32_t count )
{
	const bvtree_refit* r = &deform->refit;
	uint32_t next[BVW_DEFORM_WORST];
	for ( uint32_t i = 0; i < count; ++i )
	{
		next[i] = r->inner[index[i]].parent;
	}
	// Paths that have met go on as one.
	for ( uint32_t at = greatest( next, count ); at > 0; at = greatest( next, count ) )
	{
		uint32_t parent = r->inner[at].parent;
		uint32_t lane = r->inner[at].number - bvtree_refit_inner_at( r, parent )->first_child;
		bvwdeform_fit_children( deform, parent, ( bvtree_refit_what ){ .moved = 1u << lane } );
		for ( uint32_t i = 0; i < count; ++i )
		{
			next[i] = next[i] == at ? parent : next[i];
		}
	}
	bvwdeform_fit_root( deform, true );
}

void bvwdeform_fit_listed( bvw_deform* deform, const uint32_t* listed, uint32_t count,
                           bvw_deform_report* report )
{
	bvtree_refit* r = &deform->refit;
	bvwdeform_lists* lists = &deform->lists;
	deform->posed_by = NULL;
	if ( r->inner_count == 0 || count == 0 )
	{
		if ( count > 0 )
		{
			bvwdeform_fit_all( deform, NULL, NULL, NULL, report );
		}
		write_report( report, count, count > 0, false );
		return;
	}
	mark_vertices( lists, listed, count );
	bool is_resized = box_waiting( deform );
	bvfile_node_grid grid;
	int finest;
	bvtree_refit_grid( r, &grid, &finest );
	bool is_common = bvtree_refit_is_common( r, finest );
	bool all = is_common != r->is_common;
	bool whole = all || finest != deform->finest || !same_grid( &grid, &r->head->grid );
	r->head->grid = grid;
	r->is_common = is_common;
	deform->finest = finest;
	const bvtree_refit_moved moved = { .vertex = listed, .count = count, .before = lists->before };
	r->moved = count <= lists->most_before && !bvtree_refit_turns( r ) ? &moved : NULL;
	uint32_t nodes = fit_marked( deform, whole, all );
	bvwdeform_fit_root( deform, all || is_resized );
	r->moved = NULL;
	write_report( report, count, nodes, whole );
}
