// Bottom-up: neighbors along a space-filling curve are merged where each is the other's best. D. Meister, J.
// Bittner, "Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018; the curve
// is Morton's (Lauterbach and others 2009).
//
// The best partner is the one with the least area of the axis-aligned box round both, whatever the nodes'
// volumes are: of oriented boxes the least of four frames, and boxes round the partners' own oriented boxes,
// gave trees that cost more.
//
// Three rules are added. Of equal areas the nearer neighbor counts, then the pair that begins at an even
// place, so that equal faces halve their number in each round. Where few pairs agree, as in a row of ever
// smaller gaps, those that don't merge too, each with its choice if that is still free: a fixed share is gone
// after each round, whatever the input. And a round makes the tree one level higher at most, so that the
// depth is bounded by going over to merging side by side, which halves the number, as soon as the levels left
// would not do otherwise.

#include "offline/base/arena.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/builders.h"
#include "offline/hierarchy/curve.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// In the table of builders.c.
bvhier_build_function bvhier_build_ploc;

enum
{
	search_radius = 16, // places to either side
	chunk_places = 1024,
	few_pairs = 16, // fewer than one of so many clusters: others merge too
};

// The roots of the trees that are to be merged, in the order of the curve.
typedef struct clusters
{
	uint32_t count;
	uint32_t* node;    // of the links
	float* upper[3];   // of the box of each, along each axis; the mesh is as long as 1
	float* under[3];   // minus the lower side of that box
	uint32_t* partner; // the place of the best neighbor
	uint32_t* merged;  // nodes of the last round, by place; BVHIER_NO_NODE where nothing was merged
} clusters;

// The work on one tree.
typedef struct ploc_work
{
	const bvhier_build* build;
	bvhier_binary links;
	uint8_t* height;  // of each node: levels below
	uint32_t nodes;   // how many there are
	uint32_t highest; // of the heights
	clusters c;
} ploc_work;

static float greater( float a, float b )
{
	return a > b ? a : b;
}

// Half the areas of the boxes round cluster `i` and each of `count` others from `k` on.
static void measure_areas( const clusters* c, uint32_t i, uint32_t k, uint32_t count, float* out )
{
	float side[3][search_radius + 1];
	for ( int d = 0; d < 3; ++d )
	{
		float upper = c->upper[d][i];
		float under = c->under[d][i];
		const float* uppers = c->upper[d] + k;
		const float* unders = c->under[d] + k;
		for ( uint32_t n = 0; n < count; ++n )
		{
			side[d][n] = greater( uppers[n], upper ) + greater( unders[n], under );
		}
	}
	for ( uint32_t n = 0; n < count; ++n )
	{
		out[n] = side[0][n] * ( side[1][n] + side[2][n] ) + side[1][n] * side[2][n];
	}
}

// A pair of neighbors; pairs are in a total order, so that the first of all is the best of both its members.
typedef struct ploc_pair
{
	float area;
	uint32_t low; // the places
	uint32_t high;
} ploc_pair;

static bool is_before( const ploc_pair* a, const ploc_pair* b )
{
	if ( a->area != b->area )
	{
		return a->area < b->area;
	}
	if ( a->high - a->low != b->high - b->low )
	{
		return a->high - a->low < b->high - b->low;
	}
	return ( a->low & 1 ) != ( b->low & 1 ) ? !( a->low & 1 ) : a->low < b->low;
}

// The best neighbors of a chunk's clusters. Those outside take part, but are left as they are.
static void choose_in_chunk( const clusters* c, uint32_t begin )
{
	uint32_t end = c->count - begin < chunk_places ? c->count : begin + chunk_places;
	ploc_pair best[chunk_places];
	for ( uint32_t i = begin; i < end; ++i )
	{
		best[i - begin] = ( ploc_pair ){ INFINITY, 0, UINT32_MAX };
	}
	for ( uint32_t i = begin < search_radius ? 0 : begin - search_radius; i < end; ++i )
	{
		uint32_t last = c->count - i <= search_radius ? c->count - 1 : i + search_radius;
		uint32_t first = i < begin ? begin : i + 1;
		float areas[search_radius + 1];
		measure_areas( c, i, first, last + 1 - first, areas );
		for ( uint32_t k = first; k <= last; ++k )
		{
			ploc_pair p = { areas[k - first], i, k };
			if ( i >= begin && is_before( &p, best + ( i - begin ) ) )
			{
				best[i - begin] = p;
			}
			if ( k < end && is_before( &p, best + ( k - begin ) ) )
			{
				best[k - begin] = p;
			}
		}
	}
	for ( uint32_t i = begin; i < end; ++i )
	{
		c->partner[i] = best[i - begin].low + best[i - begin].high - i;
	}
}

static void choose_partners( const ploc_work* w )
{
	const clusters* c = &w->c;
	uint32_t chunks = ( c->count - 1 ) / chunk_places + 1;
#pragma omp parallel for schedule( dynamic ) num_threads( w->build->team ) if ( chunks > 1 )
	for ( uint32_t i = 0; i < chunks; ++i )
	{
		choose_in_chunk( c, i * chunk_places );
	}
}

static void merge( ploc_work* w, uint32_t low, uint32_t high )
{
	uint32_t a = w->c.node[low];
	uint32_t b = w->c.node[high];
	uint32_t n = w->nodes++;
	w->links.child[n][0] = a;
	w->links.child[n][1] = b;
	w->links.count[n] = w->links.count[a] + w->links.count[b];
	w->height[n] = (uint8_t)( 1 + ( w->height[a] > w->height[b] ? w->height[a] : w->height[b] ) );
	w->highest = w->height[n] > w->highest ? w->height[n] : w->highest;
	w->c.merged[low] = n;
	w->c.merged[high] = n;
	w->c.partner[low] = high;
}

// Merges the pairs that agree, or with `all` each cluster with its choice that is still free.
static uint32_t merge_pairs( ploc_work* w, bool all )
{
	clusters* c = &w->c;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		uint32_t k = c->partner[i];
		if ( c->merged[i] == BVHIER_NO_NODE && c->merged[k] == BVHIER_NO_NODE &&
		     ( all || c->partner[k] == i ) )
		{
			merge( w, i < k ? i : k, i < k ? k : i );
			count += 1;
		}
	}
	return count;
}

// Whether a round that leaves `count` clusters leaves levels enough to merge them side by side.
static bool is_low_enough( const ploc_work* w, uint32_t highest, uint32_t count )
{
	return highest + bvhier_ceil_log2( count ) <= w->build->options->max_depth;
}

static void merge_some( ploc_work* w )
{
	clusters* c = &w->c;
	uint32_t nodes = w->nodes;
	uint32_t highest = w->highest;
	memset( c->merged, 0xff, c->count * sizeof *c->merged );
	choose_partners( w );
	uint32_t count = merge_pairs( w, false );
	if ( count < c->count / few_pairs )
	{
		count += merge_pairs( w, true );
	}
	if ( is_low_enough( w, w->highest, c->count - count ) )
	{
		return;
	}
	w->nodes = nodes;
	w->highest = highest;
	memset( c->merged, 0xff, c->count * sizeof *c->merged );
	for ( uint32_t i = 0; i + 1 < c->count; i += 2 )
	{
		merge( w, i, i + 1 );
	}
}

// Closes the gaps that merging left. What is read of a cluster stands at its place or behind.
static void close_ranks( ploc_work* w )
{
	clusters* c = &w->c;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		uint32_t n = c->merged[i];
		if ( n != BVHIER_NO_NODE && w->links.child[n][1] == c->node[i] )
		{
			continue;
		}
		uint32_t k = n == BVHIER_NO_NODE ? i : c->partner[i];
		for ( int d = 0; d < 3; ++d )
		{
			c->upper[d][kept] = greater( c->upper[d][i], c->upper[d][k] );
			c->under[d][kept] = greater( c->under[d][i], c->under[d][k] );
		}
		c->node[kept++] = n == BVHIER_NO_NODE ? c->node[i] : n;
	}
	c->count = kept;
}

static bool allocate( ploc_work* w, uint32_t leaves )
{
	bvb_arena* arena = w->build->scratch;
	size_t nodes = 2 * (size_t)leaves - 1;
	w->links.child = bvb_arena_allocate( arena, nodes, sizeof *w->links.child );
	w->links.first = bvb_arena_allocate( arena, leaves, sizeof *w->links.first );
	w->links.count = bvb_arena_allocate( arena, nodes, sizeof *w->links.count );
	w->height = bvb_arena_allocate( arena, nodes, sizeof *w->height );
	w->c.node = bvb_arena_allocate( arena, leaves, sizeof *w->c.node );
	w->c.partner = bvb_arena_allocate( arena, leaves, sizeof *w->c.partner );
	w->c.merged = bvb_arena_allocate( arena, leaves, sizeof *w->c.merged );
	bool done = w->links.child && w->links.first && w->links.count && w->height && w->c.node &&
	            w->c.partner && w->c.merged;
	for ( int d = 0; d < 3; ++d )
	{
		w->c.upper[d] = bvb_arena_allocate( arena, leaves, sizeof *w->c.upper[d] );
		w->c.under[d] = bvb_arena_allocate( arena, leaves, sizeof *w->c.under[d] );
		done = done && w->c.upper[d] && w->c.under[d];
	}
	return done;
}

static bv_aabb box_of_all( const bvhier_build* build )
{
	bvfit_face_list list = bvhier_build_list( build, 0, build->count );
	return bvfit_volume_fit_type( bv_volume_aabb, &list ).aabb;
}

// A leaf's box in units of the whole one.
static void measure_leaf( ploc_work* w, uint32_t i, const bv_aabb* whole, double longest )
{
	bvfit_face_list list = bvhier_build_list( w->build, w->links.first[i], w->links.count[i] );
	list.order = w->links.order + w->links.first[i];
	bv_aabb box = bvfit_volume_fit_type( bv_volume_aabb, &list ).aabb;
	double scale = longest > 0 ? longest : 1;
	bv_vec3 lower = bv_sub( box.lower, whole->lower );
	bv_vec3 upper = bv_sub( box.upper, whole->lower );
	const double from[3] = { lower.x, lower.y, lower.z };
	const double to[3] = { upper.x, upper.y, upper.z };
	for ( int d = 0; d < 3; ++d )
	{
		w->c.upper[d][i] = (float)( to[d] / scale );
		w->c.under[d][i] = (float)( -from[d] / scale );
	}
}

// @param size  of leaves, faces
static void make_leaves( ploc_work* w, uint32_t leaves, uint32_t size )
{
	bv_aabb whole = box_of_all( w->build );
	bv_vec3 sides = bv_sub( whole.upper, whole.lower );
	double longest = bvmath_max( sides.x, bvmath_max( sides.y, sides.z ) );
#pragma omp parallel for schedule( static ) num_threads( w->build->team ) if ( w->build->team > 1 )
	for ( uint32_t i = 0; i < leaves; ++i )
	{
		uint32_t first = i * size;
		w->links.child[i][0] = BVHIER_NO_NODE;
		w->links.child[i][1] = BVHIER_NO_NODE;
		w->links.first[i] = first;
		w->links.count[i] = w->build->count - first < size ? w->build->count - first : size;
		w->c.node[i] = i;
		measure_leaf( w, i, &whole, longest );
	}
	w->nodes = leaves;
	w->c.count = leaves;
}

bv_status bvhier_build_ploc( const bvhier_build* build )
{
	// Runs of the curve, so long that a balanced tree over them is as deep as it may be.
	uint32_t levels = build->options->max_depth;
	uint32_t size = levels >= 32 ? 1 : (uint32_t)( ( build->count - 1 ) >> levels ) + 1;
	uint32_t leaves = ( build->count - 1 ) / size + 1;
	uint32_t* order = bvb_arena_allocate( build->scratch, build->count, sizeof *order );
	uint32_t* source = bvb_arena_allocate( build->scratch, 2 * (size_t)leaves - 1, sizeof *source );
	ploc_work w = { .build = build, .links.order = order };
	if ( !order || !source || !allocate( &w, leaves ) || !bvhier_sort_along_curve( build, order ) )
	{
		return bv_error_memory;
	}
	make_leaves( &w, leaves, size );
	while ( w.c.count > 1 )
	{
		merge_some( &w );
		close_ranks( &w );
	}
	w.links.root = w.c.node[0];
	bvhier_binary_store( build, &w.links, build->options->leaf_triangles, source );
	bvhier_fit_nodes( build );
	return bv_ok;
}
