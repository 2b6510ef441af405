// The table of splitters, and what they share.

#include "offline/hierarchy/split.h"

#include "bvbuild/fit.h"
#include "bvbuild/hierarchy.h"
#include "offline/hierarchy/split_regions.h"
#include "offline/literature/split_branch_and_bound.h"
#include "offline/literature/split_insertion.h"
#include "offline/literature/split_klosowski.h"
#include "runtime/math/vec.h"

#include <string.h>

// Eckstein's six in the order of his section 3.7, then those he surveys, then what came since.
static const bvhier_splitter splitters[] = {
	{ "branch-and-bound", "optimal split of small sets, lowest bound first (Eckstein 1998, 3.7.1)",
	  bvlit_split_branch_and_bound, &( bvlit_branch_and_bound_how ){ .order = bvlit_order_lower } },
	{ "branch-and-bound-random", "the same, branching on random faces", bvlit_split_branch_and_bound,
	  &( bvlit_branch_and_bound_how ){ .order = bvlit_order_lower, .at_random = true } },
	{ "branch-and-bound-estimate", "branch and bound, lowest estimate of the optimum first",
	  bvlit_split_branch_and_bound, &( bvlit_branch_and_bound_how ){ .order = bvlit_order_estimate } },
	{ "branch-and-bound-estimate-random", "the same, branching on random faces", bvlit_split_branch_and_bound,
	  &( bvlit_branch_and_bound_how ){ .order = bvlit_order_estimate, .at_random = true } },
	{ "branch-and-bound-gain", "branch and bound, largest possible gain first", bvlit_split_branch_and_bound,
	  &( bvlit_branch_and_bound_how ){ .order = bvlit_order_gain } },
	{ "branch-and-bound-gain-random", "the same, branching on random faces", bvlit_split_branch_and_bound,
	  &( bvlit_branch_and_bound_how ){ .order = bvlit_order_gain, .at_random = true } },
	{ "kcenter", "nearest of several far-apart vertices (Hochbaum-Shmoys; Eckstein 1998, 3.7.2)",
	  bvhier_split_kcenter, NULL },
	{ "kmeans", "centroids moved until no face changes sides (Eckstein 1998, 3.7.3)", bvhier_split_kmeans,
	  NULL },
	{ "insertion", "each face in turn goes where it costs least (Eckstein 1998, 3.7.4)",
	  bvlit_split_insertion, &( bvlit_insertion_how ){ .seeds = bvlit_seeds_sphere } },
	{ "insertion-best", "the same, cheapest face first", bvlit_split_insertion,
	  &( bvlit_insertion_how ){ .seeds = bvlit_seeds_sphere, .best_first = true } },
	{ "insertion-icosahedron", "insertion from the faces nearest to an icosahedron's corners",
	  bvlit_split_insertion, &( bvlit_insertion_how ){ .seeds = bvlit_seeds_icosahedron } },
	{ "insertion-icosahedron-best", "the same, cheapest face first", bvlit_split_insertion,
	  &( bvlit_insertion_how ){ .seeds = bvlit_seeds_icosahedron, .best_first = true } },
	{ "insertion-points", "insertion from the faces nearest to points of the oriented box",
	  bvlit_split_insertion, &( bvlit_insertion_how ){ .seeds = bvlit_seeds_points } },
	{ "insertion-points-best", "the same, cheapest face first", bvlit_split_insertion,
	  &( bvlit_insertion_how ){ .seeds = bvlit_seeds_points, .best_first = true } },
	{ "insertion-random", "insertion from random faces", bvlit_split_insertion,
	  &( bvlit_insertion_how ){ .seeds = bvlit_seeds_random } },
	{ "insertion-random-best", "the same, cheapest face first", bvlit_split_insertion,
	  &( bvlit_insertion_how ){ .seeds = bvlit_seeds_random, .best_first = true } },
	{ "gottschalk-points", "regions of the node's oriented box (Gottschalk 1996; Eckstein 1998, 3.7.5)",
	  bvhier_split_regions, &( bvhier_regions_how ){ .oriented = true } },
	{ "zachmann", "regions of the node's axis-aligned box (Eckstein 1998, 3.7.6)", bvhier_split_regions,
	  &( bvhier_regions_how ){ .oriented = false } },
	{ "felger-zachmann", "the coordinate plane that halves the faces best (Felger, Zachmann 1995)",
	  bvlit_split_felger, NULL },
	{ "gottschalk", "mean of the centroids on the oriented box's longest axis (Gottschalk 1996)",
	  bvhier_split_gottschalk, NULL },
	{ "klosowski-sum-mean", "smallest sum of child volumes, cut at the mean (Klosowski 1998)",
	  bvlit_split_klosowski, &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_sum } },
	{ "klosowski-sum-median", "the same, cut at the median", bvlit_split_klosowski,
	  &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_sum, .median = true } },
	{ "klosowski-max-mean", "smallest larger child volume, cut at the mean (Klosowski 1998)",
	  bvlit_split_klosowski, &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_max } },
	{ "klosowski-max-median", "the same, cut at the median", bvlit_split_klosowski,
	  &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_max, .median = true } },
	{ "klosowski-splatter-mean", "greatest variance of the centroids, cut at the mean (Klosowski 1998)",
	  bvlit_split_klosowski, &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_splatter } },
	{ "klosowski-splatter-median", "the same, cut at the median", bvlit_split_klosowski,
	  &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_splatter, .median = true } },
	{ "klosowski-longest-mean", "longest coordinate axis, cut at the mean (Klosowski 1998)",
	  bvlit_split_klosowski, &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_longest } },
	{ "klosowski-longest-median", "the same, cut at the median", bvlit_split_klosowski,
	  &( bvlit_klosowski_how ){ .axis = bvlit_klosowski_longest, .median = true } },
	{ "median", "equal halves along the longest axis of the volume's box", bvhier_split_median, NULL },
	{ "sah", "surface area heuristic, cut between bins (Wald 2007)", bvhier_split_sah, NULL },
};

enum
{
	splitter_count = sizeof splitters / sizeof splitters[0],
};

const bvhier_splitter* bvhier_splitter_find( const char* name )
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

bv_obb bvhier_set_obb( const bvhier_face_set* set )
{
	return set->volume->type == bv_volume_obb ? set->volume->obb
	                                          : bvfit_volume_fit_type( bv_volume_obb, &set->list ).obb;
}

void bvhier_longest_axes( const double half_extents[3], int order[3] )
{
	const double* h = half_extents;
	order[0] = h[0] >= h[1] ? ( h[0] >= h[2] ? 0 : 2 ) : ( h[1] >= h[2] ? 1 : 2 );
	int rest = order[0] == 0 ? 1 : 0;
	int last = 3 - order[0] - rest;
	order[1] = h[rest] >= h[last] ? rest : last;
	order[2] = 3 - order[0] - order[1];
}

// The order is total, so that the result does not depend on how it is reached.
static bool before( const bvhier_face_set* set, const uint32_t* place, uint32_t i, double key,
                    uint32_t other )
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
static void sift_down( const bvhier_face_set* set, uint32_t* place, uint32_t i, uint32_t count )
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
void bvhier_sort_places( const bvhier_face_set* set, uint32_t* place )
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
