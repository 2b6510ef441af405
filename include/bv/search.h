// Distance and collision of two meshes within a budget: searches that can be stopped at any moment and continued later. The answer
// is proven whenever a search is stopped.
//
//     #include <bv/search.h>
//     #include <stdio.h>
//
//     // Prints an interval of the distance of two meshes that takes 1,000 tests.
//     void look( const bv_file* a, const bv_file* b, const bv_transform* b_in_a )
//     {
//         static double memory[BV_SEARCH_AMPLE / sizeof( double )];
//         bv_search* search;
//         bv_search_answer answer;
//         const bv_budget budget = { .tests = 1000 };
//         if ( bv_search_begin( a, b, b_in_a, NULL, memory, sizeof memory, &search ) == bv_ok &&
//              bv_search_run( search, &budget, &answer ) == bv_ok )
//         {
//             printf( "%g to %g apart\n", answer.lower, answer.upper );
//         }
//     }
//
// The search compares pairs of nodes of both hierarchies. Before it reaches any triangle, upper bounds of the distance follow from
// the certified errors of nodes: if two volumes have a point in common, the surfaces are no farther apart than the sum of the errors
// of both. Files without errors have wider intervals.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, chapter 8, with two corrections: the
// bound is the minimum over pairs of volumes that were found to overlap, instead of a maximum over those that were not compared yet.
// Order by gap: G. R. Hjaltason, H. Samet, "Distance browsing in spatial databases", 1999.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bv/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The least size of the memory of a search, and a size that is enough for nearly all searches, bytes.
#define BV_SEARCH_LEAST 16384
#define BV_SEARCH_AMPLE 65536

/// A search: a block of memory of the caller. It must not be moved.
typedef struct bv_search bv_search;

/// What a search is for.
typedef enum bv_search_goal
{
	bv_search_distance = 0, ///< the distance of the surfaces
	bv_search_collision,    ///< whether they meet: any pair of triangles
	bv_search_goals,        ///< the number of goals
} bv_search_goal;

/// Which pair of nodes is compared next. The final answer is the same for all orders.
typedef enum bv_search_order
{
	bv_search_order_default = 0, ///< distances: bv_search_by_gap; collisions: bv_search_last_in
	bv_search_by_gap,     ///< the pair with the least gap; of overlapping ones that with the nearest centers
	bv_search_by_quality, ///< the pair with the least sum of errors
	bv_search_first_in,   ///< the pair that has waited longest (queue)
	bv_search_last_in, ///< the pair that has waited for the shortest time (stack): for collisions the order of bv_mesh_collide
	bv_search_orders, ///< the number of orders
} bv_search_order;

/// Options of bv_search_begin. Zero-initialized options are the defaults.
typedef struct bv_search_options
{
	bv_search_goal goal;   ///< default bv_search_distance
	bv_search_order order; ///< default bv_search_order_default

	/// Of distances: find only distances smaller than this; default 0, no limit.
	double limit;

	double relative; ///< of distances: allowed overestimate as a fraction of the distance; default 0
	double absolute; ///< of distances: allowed overestimate in coordinates of `a`; default 0

	/// Two triangles, of a and of b, that are compared first, such as those of a previous answer. Default null.
	const uint32_t* last;
} bv_search_options;

/// @return the defaults listed in bv_search_options
bv_search_options bv_search_options_default( void );

/// What is known.
typedef enum bv_search_verdict
{
	bv_search_open =
		0, ///< neither of the two below: also at the end of searches with a tolerance, if `lower` is 0
	bv_search_apart,    ///< the meshes do not meet
	bv_search_meets,    ///< a pair of triangles that meet is known
	bv_search_verdicts, ///< the number of verdicts
} bv_search_verdict;

/// What is known when a search is stopped. Later answers are never wider. Bounds hold except for the rounding of the placement and of the
/// distance of two triangles, about 2^-48 of the coordinates. Where a search was stopped does not change later answers, except upper bounds
/// by errors of nodes.
typedef struct bv_search_answer
{
	bv_search_verdict verdict; ///< whether the meshes meet
	bool done;                 ///< the search is finished: running it again changes nothing

	/// The distance of the surfaces is not below this, in coordinates of `a`. In a search for collisions 0. If the distance was
	/// found to be no less than the limit, that.
	double lower;

	/// Nor above this. If the distance was found to be no less than the limit, infinity, unless an earlier answer had a bound.
	double upper;

	/// A pair of triangles is known that are `upper` or farther apart; `triangle` and `point` are those of the nearest known pair.
	/// Otherwise they are 0, and `node` represents the pair.
	bool found;
	uint32_t triangle[2]; ///< of a and of b
	bv_vec3 point[2];     ///< nearest points on them, in coordinates of `a`; of collisions 0

	/// The pair of nodes from which the least upper bound of the distance follows, by number: see bv_file_get_node_faces.
	uint32_t node[2];

	uint64_t volume_tests;   ///< pairs of bounding volumes tested
	uint64_t triangle_tests; ///< pairs of triangles tested
} bv_search_answer;

/// Begins a search, and compares the root volumes.
/// @param b_in_a   from coordinates of `b` to coordinates of `a`; null for the identity; not used after the call
/// @param options  null for the defaults; not used after the call
/// @param memory   8-byte aligned; remains the caller's, and must remain unchanged during the search, as must the files
/// @param bytes    its size, at least BV_SEARCH_LEAST. If pairs of nodes that wait do not fit, the search takes more tests
/// @param out      receives `memory` as what it now is; unchanged on errors, but the memory is not
/// @return bv_ok; bv_error_argument if another pointer is null, the memory is misaligned, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, an option is out of range, NaN or negative, or a file has no hierarchy; bv_error_memory if the memory is
/// too small
bv_status bv_search_begin( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                           const bv_search_options* options, void* memory, size_t bytes, bv_search** out );

/// Continues a search until it is done or the budget is spent.
/// @param budget  null for no limit
/// @param answer  receives what is known; null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if `search` is null, or `until` is NaN with `now`
bv_status bv_search_run( bv_search* search, const bv_budget* budget, bv_search_answer* answer );

/// Reports what is known without searching.
/// @return bv_ok; bv_error_argument if a pointer is null
bv_status bv_search_look( bv_search* search, bv_search_answer* answer );

/// Where two meshes probably touch or are nearest to each other, for a response to a search that was stopped.
typedef struct bv_search_indication
{
	/// `point` and `normal` are of the nearest known pair of triangles. Otherwise faces stand for the triangles of the nodes
	/// `bv_search_answer.node`: those of bv_file_get_node_faces, or of files without them the faces of the box of each node's volume.
	/// They can be as far from the true ones as the errors of both nodes.
	bool is_exact;
	bv_vec3
		point[2]; ///< nearest points on a and on b, in coordinates of `a`; a common point if the faces meet
	bv_vec3
		normal; ///< unit vector from a to b; of faces that meet, the normal of the front of that of a; 0 if it has no area
} bv_search_indication;

/// Finds what stands for the contact of two meshes (Eckstein 1998, section 8.2). Takes up to 25 us if no triangles are known.
/// @return bv_ok; bv_error_argument, with `*out` unchanged, if a pointer is null
bv_status bv_search_indicate( bv_search* search, bv_search_indication* out );

#ifdef __cplusplus
}
#endif
