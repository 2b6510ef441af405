// What the splitter `insertion` is made of: the faces it begins with, and parts whose volumes grow with each face.

#pragma once

#include "base/core/vec.h"
#include "base/offline/random.h"
#include "hierarchy/split_insertion.h"

/// Chooses the faces to begin with.
/// @param count   how many, at most the set's faces
/// @param random  state of bvb_random
/// @param place   receives `count` different places of the list
void bvb_insertion_seed( const bvb_face_set* set, bvb_insertion_seeds seeds, uint32_t count, uint64_t* random,
                         uint32_t* place );

/// What encloses some faces, for all types of volume that nodes may have. Relative to bvb_growth.origin.
typedef struct bvb_shape
{
	double low[3];  ///< along the part's axes
	double high[3]; ///< along the part's axes
	double dop_low[BV_KDOP_DIRECTIONS];
	double dop_high[BV_KDOP_DIRECTIONS];
	bv_vec3 support[4]; ///< the points that determine the ball
	uint32_t supports;  ///< how many
	bv_vec3 center;     ///< of the ball
	double radius;      ///< of the ball
} bvb_shape;

/// A part that grows.
typedef struct bvb_growing_part
{
	bvb_shape shape;
	bv_vec3 axis[3]; ///< of its oriented box
	double quality;  ///< of its best volume
	uint32_t faces;  ///< how many it has
	double fitted;   ///< its quality when it was last fitted afresh
} bvb_growing_part;

/// What all parts of a set share.
typedef struct bvb_growth
{
	const bvb_face_list* list;
	bv_vec3 origin;      ///< a point of the set
	bvb_quality quality; ///< with what stands for it where it costs too much
	uint32_t types;      ///< of the options
	uint32_t directions; ///< of the k-DOPs, that are in use
	bool box;            ///< whether oriented boxes are in use
	bool ball;           ///< whether balls are in use
} bvb_growth;

/// Makes ready for a set.
bvb_growth bvb_growth_begin( const bvb_face_set* set );

/// Begins a part with one face.
void bvb_part_begin( const bvb_growth* growth, uint32_t face, bvb_growing_part* part );

/// What a part would be with one more face.
/// @param face  index into list->faces
/// @param out   receives the shape; may not be the part's
/// @return its quality, never less than the part's
double bvb_part_with( const bvb_growth* growth, const bvb_growing_part* part, uint32_t face, bvb_shape* out );

/// Fits a part afresh: its box by the node's method or in the axes it has, whichever is better, its ball exactly.
/// @param faces  all of the part's
/// @param room   for 3 * count + 4 points
void bvb_part_fit( const bvb_growth* growth, bvb_growing_part* part, const uint32_t* faces, uint32_t count,
                   bv_vec3* room );

/// @return the squared distance of a face's midpoint from the middle of a part's volume
double bvb_part_distance( const bvb_growth* growth, const bvb_growing_part* part, uint32_t face );
