// When what crosses at the end of a motion first touched. See bv_sweep_mode_mixed.

#pragma once

#include "runtime/motion/near.h"
#include "runtime/motion/sweep.h"

/// Two moving meshes, and what is known of their first contact.
typedef struct bvmotion_mixed
{
	const bv_file* file[2];     ///< with a hierarchy
	const bv_motion* motion[2]; ///< valid
	const bv_transform*
		between;  ///< stored positions of the second mesh as seen from the first, at the end of the range
	double from;  ///< start of the range of time
	double limit; ///< end of it, after the start
	double width; ///< of the interval of time that ends a search
	uint64_t most_tests;      ///< of volumes and triangles, and steps; 0 for no limit
	bvmotion_near_pair* room; ///< for pairs of triangles
	uint32_t most_pairs;      ///< that there is room for

	/// That of the end pose; becomes the first one of features, if any of them touch. Corners are those of the triangles.
	bvmotion_contact* contact;

	uint32_t* triangle;      ///< two, of the contact
	bool complete;           ///< becomes false when tests end before everything is seen
	uint64_t volume_tests;   ///< these three are added to
	uint64_t triangle_tests; ///< pairs of triangles and of features
	uint64_t steps;
} bvmotion_mixed;

/// @return as bvmotion_moment_begin
bv_status bvmotion_look_mixed( bvmotion_mixed* m );
