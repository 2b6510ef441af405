// What the splitter `insertion` is made of: the faces it begins with, and parts whose volumes grow with each
// face.

#pragma once

#include "offline/base/random.h"
#include "offline/literature/split_insertion.h"
#include "runtime/math/vec.h"

/// Chooses the faces to begin with.
/// @param count   how many, at most the set's faces
/// @param random  state of bvbase_random
/// @param place   receives `count` different places of the list
void bvlit_insertion_seed( const bvhier_face_set* set, bvlit_insertion_seeds seeds, uint32_t count,
                           uint64_t* random, uint32_t* place );

/// What encloses some faces, for all types of volume that nodes may have. Relative to bvlit_growth.origin.
typedef struct bvlit_shape
{
	double low[3];  ///< along the part's axes
	double high[3]; ///< along the part's axes
	double dop_low[BV_KDOP_DIRECTIONS];
	double dop_high[BV_KDOP_DIRECTIONS];
	bv_vec3 support[4]; ///< the points that determine the ball
	uint32_t supports;  ///< how many
	bv_vec3 center;     ///< of the ball
	double radius;      ///< of the ball
} bvlit_shape;

/// A part that grows.
typedef struct bvlit_growing_part
{
	bvlit_shape shape;
	bv_vec3 axis[3]; ///< of its oriented box
	double quality;  ///< of its best volume
	uint32_t faces;  ///< how many it has
	double fitted;   ///< its quality when it was last fitted afresh
} bvlit_growing_part;

/// What all parts of a set share.
typedef struct bvlit_growth
{
	const bvfit_face_list* list;
	bv_vec3 origin;         ///< a point of the set
	bvhier_quality quality; ///< with what stands for it where it costs too much
	uint32_t types;         ///< of the options
	uint32_t directions;    ///< of the k-DOPs, that are in use
	bool box;               ///< whether oriented boxes are in use
	bool ball;              ///< whether balls are in use
} bvlit_growth;

/// Makes ready for a set.
bvlit_growth bvlit_growth_begin( const bvhier_face_set* set );

/// Begins a part with one face.
void bvlit_part_begin( const bvlit_growth* growth, uint32_t face, bvlit_growing_part* part );

/// What a part would be with one more face.
/// @param face  index into list->faces
/// @param out   receives the shape; may not be the part's
/// @return its quality, never less than the part's
double bvlit_part_with( const bvlit_growth* growth, const bvlit_growing_part* part, uint32_t face,
                        bvlit_shape* out );

/// Fits a part afresh: its box by the node's method or in the axes it has, whichever is better, its ball
/// exactly.
/// @param faces  all of the part's
/// @param room   for 3 * count + 4 points
void bvlit_part_fit( const bvlit_growth* growth, bvlit_growing_part* part, const uint32_t* faces,
                     uint32_t count, bv_vec3* room );

/// @return the squared distance of a face's midpoint from the middle of a part's volume
double bvlit_part_distance( const bvlit_growth* growth, const bvlit_growing_part* part, uint32_t face );
