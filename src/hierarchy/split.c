// The table of splitters, and what they share.

#include "hierarchy/split.h"

#include "base/core/vec.h"
#include "bvbuild/fit.h"
#include "bvbuild/hierarchy.h"
#include "hierarchy/split_branch_and_bound.h"
#include "hierarchy/split_insertion.h"
#include "hierarchy/split_klosowski.h"
#include "hierarchy/split_regions.h"

#include <string.h>

// Eckstein's six in the order of his section 3.7, then those he surveys, then what came since.
static const bvb_splitter splitters[] = {
	{ "branch-and-bound", "optimal split of small sets, lowest bound first (Eckstein 1998, 3.7.1)",
	  bvb_split_branch_and_bound, &( bvb_branch_and_bound_how ){ .order = bvb_order_lower } },
	{ "branch-and-bound-random", "the same, branching on random faces", bvb_split_branch_and_bound,
	  &( bvb_branch_and_bound_how ){ .order = bvb_order_lower, .at_random = true } },
	{ "branch-and-bound-estimate", "branch and bound, lowest estimate of the optimum first",
	  bvb_split_branch_and_bound, &( bvb_branch_and_bound_how ){ .order = bvb_order_estimate } },
	{ "branch-and-bound-estimate-random", "the same, branching on random faces", bvb_split_branch_and_bound,
	  &( bvb_branch_and_bound_how ){ .order = bvb_order_estimate, .at_random = true } },
	{ "branch-and-bound-gain", "branch and bound, largest possible gain first", bvb_split_branch_and_bound,
	  &( bvb_branch_and_bound_how ){ .order = bvb_order_gain } },
	{ "branch-and-bound-gain-random", "the same, branching on random faces", bvb_split_branch_and_bound,
	  &( bvb_branch_and_bound_how ){ .order = bvb_order_gain, .at_random = true } },
	{ "kcenter", "nearest of several far-apart vertices (Hochbaum-Shmoys; Eckstein 1998, 3.7.2)",
	  bvb_split_kcenter, NULL },
	{ "kmeans", "centroids moved until no face changes sides (Eckstein 1998, 3.7.3)", bvb_split_kmeans,
	  NULL },
	{ "insertion", "each face in turn goes where it costs least (Eckstein 1998, 3.7.4)", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_sphere } },
	{ "insertion-best", "the same, cheapest face first", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_sphere, .best_first = true } },
	{ "insertion-icosahedron", "insertion from the faces nearest to an icosahedron's corners",
	  bvb_split_insertion, &( bvb_insertion_how ){ .seeds = bvb_seeds_icosahedron } },
	{ "insertion-icosahedron-best", "the same, cheapest face first", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_icosahedron, .best_first = true } },
	{ "insertion-points", "insertion from the faces nearest to points of the oriented box",
	  bvb_split_insertion, &( bvb_insertion_how ){ .seeds = bvb_seeds_points } },
	{ "insertion-points-best", "the same, cheapest face first", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_points, .best_first = true } },
	{ "insertion-random", "insertion from random faces", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_random } },
	{ "insertion-random-best", "the same, cheapest face first", bvb_split_insertion,
	  &( bvb_insertion_how ){ .seeds = bvb_seeds_random, .best_first = true } },
	{ "gottschalk-points", "regions of the node's oriented box (Gottschalk 1996; Eckstein 1998, 3.7.5)",
	  bvb_split_regions, &( bvb_regions_how ){ .oriented = true } },
	{ "zachmann", "regions of the node's axis-aligned box (Eckstein 1998, 3.7.6)", bvb_split_regions,
	  &( bvb_regions_how ){ .oriented = false } },
	{ "felger-zachmann", "the coordinate plane that halves the faces best (Felger, Zachmann 1995)",
	  bvb_split_felger, NULL },
	{ "gottschalk", "mean of the centroids on the oriented box's longest axis (Gottschalk 1996)",
	  bvb_split_gottschalk, NULL },
	{ "klosowski-sum-mean", "smallest sum of child volumes, cut at the mean (Klosowski 1998)",
	  bvb_split_klosowski, &( bvb_klosowski_how ){ .axis = bvb_klosowski_sum } },
	{ "klosowski-sum-median", "the same, cut at the median", bvb_split_klosowski,
	  &( bvb_klosowski_how ){ .axis = bvb_klosowski_sum, .median = true } },
	{ "klosowski-max-mean", "smallest larger child volume, cut at the mean (Klosowski 1998)",
	  bvb_split_klosowski, &( bvb_klosowski_how ){ .axis = bvb_klosowski_max } },
	{ "klosowski-max-median", "the same, cut at the median", bvb_split_klosowski,
	  &( bvb_klosowski_how ){ .axis = bvb_klosowski_max, .median = true } },
	{ "klosowski-splatter-mean", "greatest variance of the centroids, cut at the mean (Klosowski 1998)",
	  bvb_split_klosowski, &( bvb_klosowski_how ){ .axis = bvb_klosowski_splatter } },
	{ "klosowski-splatter-median", "the same, cut at the median", bvb_split_klosowski,
	  &( bvb_klosowski_how ){ .axis = bvb_klosowski_splatter, .median = true } },
	{ "klosowski-longest-mean", "longest coordinate axis, cut at the mean (Klosowski 1998)",
	  bvb_split_klosowski, &( bvb_klosowski_how ){ .axis = bvb_klosowski_longest } },
	{ "klosowski-longest-median", "the same, cut at the median", bvb_split_klosowski,
	  &( bvb_klosowski_how ){ .axis = bvb_klosowski_longest, .median = true } },
	{ "median", "equal halves along the longest axis of the volume's box", bvb_split_median, NULL },
	{ "sah", "surface area heuristic, cut between bins (Wald 2007)", bvb_split_sah, NULL },
};

enum
{
	splitter_count = sizeof splitters / sizeof splitters[0],
};

const bvb_splitter* bvb_splitter_find( const char* name )
{
	for ( int i = 0; i < splitter_count; ++i )
	{
		if ( strcmp( splitters[i].name, name ) == 0 )
		{
			return splitters + i;
		}
	}
	return NULL;
}

const char* bvb_splitter_name( uint32_t index, const char** summary )
{
	if ( index >= splitter_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = splitters[index].summary;
	}
	return splitters[index].name;
}

bv_obb bvb_set_obb( const bvb_face_set* set )
{
	return set->volume->type == bv_volume_obb ? set->volume->obb
	                                          : bvb_volume_fit_type( bv_volume_obb, &set->list ).obb;
}

void bvb_longest_axes( const double half_extents[3], int order[3] )
{
	const double* h = half_extents;
	order[0] = h[0] >= h[1] ? ( h[0] >= h[2] ? 0 : 2 ) : ( h[1] >= h[2] ? 1 : 2 );
	int rest = order[0] == 0 ? 1 : 0;
	int last = 3 - order[0] - rest;
	order[1] = h[rest] >= h[last] ? rest : last;
	order[2] = 3 - order[0] - order[1];
}

// The order is total, so that the result does not depend on how it is reached.
static bool before( const bvb_face_set* set, const uint32_t* place, uint32_t i, double key, uint32_t other )
{
	const uint32_t* face = set->list.order;
	return set->keys[i] < key || ( set->keys[i] == key && face[place[i]] < face[other] );
}

static void swap( double* keys, uint32_t* place, uint32_t i, uint32_t j )
{
	double key = keys[i];
	uint32_t p = place[i];
	keys[i] = keys[j];
	place[i] = place[j];
	keys[j] = key;
	place[j] = p;
}

// Restores the heap below `i`, greatest on top.
static void sift_down( const bvb_face_set* set, uint32_t* place, uint32_t i, uint32_t count )
{
	double* keys = set->keys;
	for ( ;; )
	{
		uint32_t child = 2 * i + 1;
		if ( child >= count )
		{
			return;
		}
		if ( child + 1 < count && before( set, place, child, keys[child + 1], place[child + 1] ) )
		{
			child += 1;
		}
		if ( !before( set, place, i, keys[child], place[child] ) )
		{
			return;
		}
		swap( keys, place, i, child );
		i = child;
	}
}

// Heapsort (Williams 1964): in place, and n log n for any input.
void bvb_sort_places( const bvb_face_set* set, uint32_t* place )
{
	uint32_t count = set->list.count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		place[i] = i;
	}
	for ( uint32_t i = count / 2; i-- > 0; )
	{
		sift_down( set, place, i, count );
	}
	for ( uint32_t end = count; end-- > 1; )
	{
		swap( set->keys, place, 0, end );
		sift_down( set, place, 0, end );
	}
}
