// Two moving convex shapes at a time, placed and ready for queries.

#pragma once

#include "bv/convex.h"
#include "bv/motion.h"

#include "runtime/convex/pair.h"

/// Two moving shapes and a range of time.
typedef struct bvmotion_shapes
{
	const bv_convex* shape[2];
	const bv_motion* motion[2]; ///< valid
	bv_sphere ball[2];          ///< contains a shape without its radius, in its coordinates
	double separation;          ///< shapes no farther apart than this touch; world units
	double from;                ///< start of the range
	double to;                  ///< its end; not before `from`
	double proof;               ///< not before `to`: a contact until this time may be proven
	double width;               ///< of the interval of time that ends a search
	uint32_t most_steps;        ///< that a search may take; 0 for many
	int most_small;             ///< steps that hardly take any time, one after another; 0 for many
} bvmotion_shapes;

/// The shapes at one time after the other. Must not be moved, because the pair refers to the room.
typedef struct bvmotion_moment
{
	const bvmotion_shapes* shapes;
	double time;
	bv_transform placed[2]; ///< from coordinates of each object to the world
	bv_transform between;   ///< from coordinates of the second object to those of the first
	double margin;      ///< radii and separation: shapes without their radii that are no farther apart touch
	double rounding;    ///< by how much what is computed along a unit vector can be off
	bvconvex_pair pair; ///< in coordinates of the first object, as are the two numbers above
	bvconvex_pair_room room;
	bvconvex_columns columns[2];
} bvmotion_moment;

/// @param shapes  must remain valid while the moment is used
/// @return bv_ok; bv_error_argument if a shape is invalid
bv_status bvmotion_moment_begin( const bvmotion_shapes* shapes, bvmotion_moment* out );

/// Places the shapes where they are at a time.
/// @return bv_ok; bv_error_argument if a callback returned a pose that is not valid, or the ratio of the scales is not
bv_status bvmotion_moment_set( bvmotion_moment* m, double time );

/// @param along  in the world
/// @return the same direction in coordinates of the first object
bv_vec3 bvmotion_moment_direction( const bvmotion_moment* m, bv_vec3 along );
