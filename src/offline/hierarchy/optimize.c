// A binary tree made better by moving subtrees: each node looks for the place in the tree, or the other node
// to change places with, that lowers the expected cost most; moves that don't touch each other are made
// together, the best first. After D. Meister, J. Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy
// Optimization", 2017, and J. Bittner, M. Hapala, V. Havran, "Fast Insertion-Based Optimization of Bounding
// Volume Hierarchies", 2013; a rotation (A. Kensler, "Tree Rotations for Improving Bounding Volume
// Hierarchies", 2008) of a child and a grandchild is an insertion beside the other grandchild, the one of two
// grandchildren is an exchange.
//
// A node costs its area, times what a test of its type and the tests after a hit cost (quality.h), times the
// weight of its most exposed face (exposure.h): what is deep inside is hardly ever looked at. What that costs
// queries from anywhere is more than made up for near contact.
//
// Volumes of any type make that more than a search. It goes by estimates: the intervals of a changed set,
// times what the node's real volume costs for each unit of its present intervals' area. What it finds is made
// sure of: all volumes that a move changes are fitted to their new faces, and it is made only if their cost
// is less than before. Moves of one round change different nodes and each leaves the sets above its two paths
// as they were, so that their gains add up and the cost never rises. Locked paths also bound the work: a
// round fits each node once at most.

#include "offline/hierarchy/moves.h"

#include "offline/base/arena.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <omp.h>
#include <string.h>

enum
{
	most_visits = 300, // places that a search looks at
	search_chunk = 64, // nodes
};

// What a search must gain to be worth a fit, of the cost of the node that is taken out.
static const double least_gain = 1e-6;

// An estimate of the cost of an inner node over two sets together.
static double cost_together( const bvhier_moves* m, const bvhier_framed* both, uint32_t a, uint32_t b )
{
	double rate = m->area[a] * m->exposed[a] >= m->area[b] * m->exposed[b] ? m->rate[a] : m->rate[b];
	float exposed = m->exposed[a] >= m->exposed[b] ? m->exposed[a] : m->exposed[b];
	return rate * exposed * bvhier_framed_area( both, m->turned );
}

// A place to look at: what would be gained if no new node were needed there.
typedef struct optimize_place
{
	uint32_t node;
	double gain;
} optimize_place;

// One node's search.
typedef struct optimize_search
{
	const bvhier_moves* m;
	uint32_t node;
	uint32_t visits;
	bvhier_move best;
} optimize_search;

static void offer( optimize_search* s, bvhier_move_kind kind, uint32_t to, double gain )
{
	if ( gain > s->best.gain )
	{
		s->best = ( bvhier_move ){ kind, s->node, to, gain };
	}
}

static bool has_levels( const optimize_search* s, uint32_t to )
{
	const bvhier_moves* m = s->m;
	uint32_t below = m->height[to] > m->height[s->node] ? m->height[to] : m->height[s->node];
	return (uint32_t)m->level[to] + 1 + below <= m->build->options->max_depth;
}

// All places at and below a node; `gain` is what there is before the node itself grows.
// @param skip_first  the node itself is no place
static void search_below( optimize_search* s, uint32_t top, double gain, bool skip_first )
{
	const bvhier_moves* m = s->m;
	optimize_place stack[BV_MAX_DEPTH + 2];
	int count = 0;
	stack[count++] = ( optimize_place ){ top, gain };
	while ( count > 0 && s->visits < most_visits )
	{
		optimize_place p = stack[--count];

		// The new node has at least the moved one's faces.
		if ( p.gain - m->inner[s->node] <= s->best.gain )
		{
			continue;
		}
		s->visits += 1;
		bvhier_framed both = bvhier_framed_merge( m->framed + p.node, m->framed + s->node );
		double grown = cost_together( m, &both, p.node, s->node );
		if ( !( skip_first && p.node == top ) && has_levels( s, p.node ) )
		{
			offer( s, bvhier_move_insert, p.node, p.gain - grown );
		}
		if ( m->links.child[p.node][0] != BVHIER_NO_NODE )
		{
			double left = p.gain - ( grown - m->inner[p.node] );
			stack[count++] = ( optimize_place ){ m->links.child[p.node][1], left };
			stack[count++] = ( optimize_place ){ m->links.child[p.node][0], left };
		}
	}
}

// Places beside the path to the root, and on it.
static void search_insertions( optimize_search* s )
{
	const bvhier_moves* m = s->m;
	uint32_t parent = m->parent[s->node];
	uint32_t sibling = bvhier_moves_sibling( m, s->node );
	if ( m->parent[parent] == BVHIER_NO_NODE )
	{
		return;
	}
	double gain = m->inner[parent];
	search_below( s, sibling, gain, true );
	bvhier_framed rest = m->framed[sibling];
	float exposed = m->exposed[sibling];
	for ( uint32_t at = parent; m->parent[at] != BVHIER_NO_NODE && s->visits < most_visits; )
	{
		uint32_t other = bvhier_moves_sibling( m, at );
		search_below( s, other, gain, false );
		at = m->parent[at];
		rest = bvhier_framed_merge( &rest, m->framed + other );
		exposed = m->exposed[other] > exposed ? m->exposed[other] : exposed;
		gain += m->inner[at] - m->rate[at] * exposed * bvhier_framed_area( &rest, m->turned );
		if ( m->parent[at] != BVHIER_NO_NODE && has_levels( s, at ) )
		{
			offer( s, bvhier_move_insert, at, gain - m->inner[at] );
		}
	}
}

// What a node costs with one child kept and the other replaced.
static double cost_with( const bvhier_moves* m, uint32_t kept, uint32_t in )
{
	bvhier_framed both = bvhier_framed_merge( m->framed + kept, m->framed + in );
	return cost_together( m, &both, kept, in );
}

static bool may_exchange( const optimize_search* s, uint32_t other )
{
	const bvhier_moves* m = s->m;
	uint32_t depth = m->build->options->max_depth;
	return (uint32_t)m->level[other] + m->height[s->node] <= depth &&
	       (uint32_t)m->level[s->node] + m->height[other] <= depth;
}

// With a cousin; and with a child of the sibling, which is an insertion unless the parent is the root.
static void search_exchanges( optimize_search* s )
{
	const bvhier_moves* m = s->m;
	uint32_t parent = m->parent[s->node];
	uint32_t sibling = bvhier_moves_sibling( m, s->node );
	bool root = m->parent[parent] == BVHIER_NO_NODE;
	uint32_t house = root ? sibling : bvhier_moves_sibling( m, parent );
	for ( int k = 0; k < 2; ++k )
	{
		uint32_t other = m->links.child[house][k];
		if ( other == BVHIER_NO_NODE || !may_exchange( s, other ) )
		{
			continue;
		}
		double gain = m->inner[house] - cost_with( m, m->links.child[house][1 - k], s->node );
		gain += root ? 0 : m->inner[parent] - cost_with( m, sibling, other );
		offer( s, bvhier_move_exchange, other, gain );
	}
}

static bvhier_move best_move( const bvhier_moves* m, uint32_t node )
{
	optimize_search s = { .m = m, .node = node };
	if ( m->parent[node] != BVHIER_NO_NODE )
	{
		s.best.gain = least_gain * m->inner[m->parent[node]];
		s.best.kind = bvhier_move_none;
		search_exchanges( &s );
		search_insertions( &s );
	}
	return s.best;
}

static void search_all( bvhier_moves* m, uint32_t round )
{
#pragma omp parallel for schedule( dynamic, search_chunk ) \
	num_threads( m->build->team ) if ( m->build->team > 1 )
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		// Who was refused waits, the longer the more often.
		m->best[i] = round % ( m->refused[i] + 1u ) == 0 ? best_move( m, i )
		                                                 : ( bvhier_move ){ .kind = bvhier_move_none };
	}
}

// Greatest gain first, then the least index: positive binary64 numbers are in the order of their bits.
static uint32_t sort_moves( bvhier_moves* m )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		if ( m->best[i].kind != bvhier_move_none )
		{
			uint64_t bits;
			memcpy( &bits, &m->best[i].gain, sizeof bits );
			m->entries[count++] = ( bvbase_sort_entry ){ ~bits, i };
		}
	}
	bvbase_sort( m->entries, m->entries + m->count, count );
	return count;
}

// @return whether anything was moved
static bool run_round( bvhier_moves* m, uint32_t round )
{
	bvhier_moves_begin_round( m );
	search_all( m, round );
	uint32_t found = sort_moves( m );
	uint32_t taken = 0;
	for ( uint32_t i = 0; i < found; ++i )
	{
		uint32_t node = m->entries[i].value;
		taken += bvhier_moves_take( m, m->best + node, taken );
	}
#pragma omp parallel for schedule( dynamic ) num_threads( m->build->team ) if ( m->build->team > 1 )
	for ( uint32_t i = 0; i < taken; ++i )
	{
		bvhier_moves_prove( m, i );
	}
	uint32_t made = 0;
	for ( uint32_t i = 0; i < taken; ++i )
	{
		made += bvhier_moves_make( m, i );
	}
	return made > 0;
}

bv_status bvhier_optimize( const bvhier_build* build )
{
	bvhier_moves* m = bvhier_moves_create( build );
	if ( !m )
	{
		return bv_error_memory;
	}
	uint32_t idle = 0;
	for ( uint32_t round = 0; round < build->options->optimize && idle < 2 && !*build->failed; ++round )
	{
		idle = run_round( m, round ) ? 0 : idle + 1;
	}
	return !*build->failed && bvhier_moves_end( m ) ? bv_ok : bv_error_memory;
}
