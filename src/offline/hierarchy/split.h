// Splitters: rules that divide a node's faces into parts. The table of them is in splitters.c.

#pragma once

#include "offline/hierarchy/build.h"

/// A node's faces, to be divided.
typedef struct bvhier_face_set
{
	const bvhier_build* build; ///< what all nodes of one build share
	bvhier_worker* worker;     ///< of the calling thread
	bvfit_face_list list;      ///< the faces; its corners are room for whatever the splitter likes
	const bv_volume* volume;   ///< of the node
	double* keys;              ///< room for list.count numbers
	uint64_t seed;             ///< for choices at random: of the options and of the node's place in the tree
} bvhier_face_set;

/// Divides a set.
/// @param degree  how many parts are wanted, 2 .. BVB_MAX_DEGREE
/// @param how     the row's settings
/// @param part    receives for each face of the list, by its place there, the number of its part, below
///                `degree`. Parts may be empty; when all faces are in one the rule can't separate the set
/// @return false when out of memory
typedef bool bvhier_split_function( const bvhier_face_set* set, uint32_t degree, const void* how,
                                    uint8_t* part );

/// As many faces in each part. Halves what other rules can't.
bvhier_split_function bvhier_split_median;

/// By the surface area heuristic. The builder of that name divides by it what its own arithmetic can't.
bvhier_split_function bvhier_split_sah;

/// @return the node's oriented box: its volume if that is one, else one that is fitted now
bv_obb bvhier_set_obb( const bvhier_face_set* set );

/// @return the indices of the box's axes, the longest first
void bvhier_longest_axes( const double half_extents[3], int order[3] );

/// Sorts places of the list by set->keys, equal keys by the faces' indices. n log n for any input, in place.
/// @param place  receives 0 .. list.count - 1 in ascending order of their keys; the keys are in that order
///               then, too
void bvhier_sort_places( const bvhier_face_set* set, uint32_t* place );
