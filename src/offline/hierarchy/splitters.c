// The table of splitters. To add one: a file with the function, which declares it, and here its declaration
// and its row.

#include "offline/hierarchy/splitters.h"

#include "offline/hierarchy/split_regions.h"
#include "offline/literature/split_branch_and_bound.h"
#include "offline/literature/split_felger.h"
#include "offline/literature/split_insertion.h"
#include "offline/literature/split_klosowski.h"

#include <string.h>

bvhier_split_function bvhier_split_kcenter;
bvhier_split_function bvhier_split_kmeans;
bvhier_split_function bvhier_split_gottschalk;

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
