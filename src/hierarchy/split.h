// Splitters: rules that divide a node's faces into parts.

#pragma once

#include "hierarchy/build.h"

/// A node's faces, to be divided.
typedef struct bvb_face_set
{
	const bvb_build* build;  ///< what all nodes of one build share
	bvb_worker* worker;      ///< of the calling thread
	bvb_face_list list;      ///< the faces; its corners are room for whatever the splitter likes
	const bv_volume* volume; ///< of the node
	double* keys;            ///< room for list.count numbers
	uint64_t seed;           ///< for choices at random: of the options and of the node's place in the tree
} bvb_face_set;

/// Divides a set.
/// @param degree  how many parts are wanted, 2 .. BVB_MAX_DEGREE
/// @param how     the row's settings
/// @param part    receives for each face of the list, by its place there, the number of its part, below `degree`. Parts may be
///                empty; when all faces are in one the rule can't separate the set
/// @return false when out of memory
typedef bool bvb_split_function( const bvb_face_set* set, uint32_t degree, const void* how, uint8_t* part );

/// One row of the table of splitters.
typedef struct bvb_splitter
{
	const char* name;          ///< value of --splitter
	const char* summary;       ///< one line for --help, with the source
	bvb_split_function* split; ///< the rule
	const void* how;           ///< its settings, of the type that the rule's own header declares; may be null
} bvb_splitter;

bvb_split_function bvb_split_branch_and_bound; ///< how: see split_branch_and_bound.h
bvb_split_function bvb_split_kcenter;
bvb_split_function bvb_split_kmeans;
bvb_split_function bvb_split_insertion; ///< how: see split_insertion.h
bvb_split_function bvb_split_gottschalk;
bvb_split_function bvb_split_regions; ///< how: see split_regions.h
bvb_split_function bvb_split_felger;
bvb_split_function bvb_split_klosowski; ///< how: see split_klosowski.h
bvb_split_function bvb_split_median;
bvb_split_function bvb_split_sah;

/// @return the table's row of that name, or null
const bvb_splitter* bvb_splitter_find( const char* name );

/// @return the node's oriented box: its volume if that is one, else one that is fitted now
bv_obb bvb_set_obb( const bvb_face_set* set );

/// @return the indices of the box's axes, the longest first
void bvb_longest_axes( const double half_extents[3], int order[3] );

/// Sorts places of the list by set->keys, equal keys by the faces' indices. n log n for any input, in place.
/// @param place  receives 0 .. list.count - 1 in ascending order of their keys; the keys are in that order then, too
void bvb_sort_places( const bvb_face_set* set, uint32_t* place );
