// Oriented boxes of least surface around many small sets at once, a set a lane: the method `dito-area` of
// obb_node.c for hierarchies of millions of nodes.
//
// Of each set there are three boxes to choose from: along the principal axes of its surface (S. Gottschalk,
// M. C. Lin, D. Manocha, "OBBTree", 1996, section 4), the best of DiTO-14 (T. Larsson, L. Kallberg, "Fast
// computation of tight-fitting oriented bounding boxes", 2011), and the axis-aligned one. Of a handful of
// points, all of which DiTO looks at, there are no principal axes, but DiTO tries the mean normal of the
// faces, too. Frames are rounded to what nodes of a file store before they are compared, so that the best one
// is best as it is stored. What a set's faces add up to, the seven pairs of extremal points and the moments,
// is that of its parts put together: so boxes of inner nodes need no other pass over the faces than that
// which measures them.
//
// All is elementwise arithmetic in binary32 that IEEE 754 fixes: the same bits whatever the instruction set,
// see runtime/tree/lanes.h. Axes are no better than that, which they need not be: boxes are measured along
// the rounded axes, with a margin for how much that may err.

#pragma once

#include "offline/fit/directions.h"

#include <stdint.h>

enum
{
	bvfit_box_lanes = 8,      ///< sets at once
	bvfit_box_faces = 8,      ///< of a set, at most
	bvfit_box_directions = 7, ///< of extremal points: the coordinate axes and the cube's diagonals
	bvfit_box_frames = 2,     ///< to be measured: the principal axes, and that of DiTO-14
	bvfit_box_measures = 6,   ///< axes of both
};

/// How far beyond a box a point may be along an axis, if no coordinate is above 1: derived in
/// box_lanes_kernels.h.
static const double bvfit_box_margin = 0x1p-18;

/// A number of each set.
typedef float bvfit_box_lane[bvfit_box_lanes];

/// Sets of faces. Coordinates are relative to a point of the lane's own, in units in which none is above 1.
typedef struct bvfit_box_sets
{
	bvfit_box_lane corner[3 * bvfit_box_faces]
						 [3]; ///< of the first face, of the second, ...; of a lane with fewer
							  ///< than `most` faces any of its own behind
	bvfit_box_lane point[3 * bvfit_box_faces]
						[3]; ///< each of the corners at least once; of a lane with fewer than
							 ///< `points` any of them again behind
	bvfit_box_lane count;    ///< faces of each lane
	uint32_t most;           ///< the greatest of them
	uint32_t points;         ///< at most 3 * most
} bvfit_box_sets;

/// What the faces of sets add up to, in the same coordinates.
typedef struct bvfit_box_sums
{
	bvfit_box_lane lowest[bvfit_box_directions][3];     ///< the point that is least far along each direction
	bvfit_box_lane highest[bvfit_box_directions][3];    ///< and that which is farthest
	bvfit_box_lane lowest_point[bvfit_box_directions];  ///< which of the set's points those are
	bvfit_box_lane highest_point[bvfit_box_directions]; ///< ...
	bvfit_box_lane area;                                ///< of all faces
	bvfit_box_lane first[3];                            ///< first moments
	bvfit_box_lane second[6];                           ///< second moments: xx, xy, xz, yy, yz, zz
} bvfit_box_sums;

/// Rounded frames of sets.
typedef struct bvfit_box_turns
{
	bvfit_box_lane code[bvfit_box_frames][3];   ///< quaternions (code, bvfile_rotation_w), whole numbers
	bvfit_box_lane axis[bvfit_box_measures][3]; ///< unit axes of both
	uint32_t first;                             ///< only frames from this one on are given
} bvfit_box_turns;

/// The chosen boxes.
typedef struct bvfit_box_spans
{
	bvfit_box_lane code[3];   ///< of the frame; 0 of the axis-aligned one
	bvfit_box_lane center[3]; ///< of the box
	bvfit_box_lane half[3];   ///< half its lengths along each axis
} bvfit_box_spans;

/// A level of the instruction set.
typedef struct bvfit_box_level
{
	const char* name; ///< as in bvtree_lanes

	/// Adds up the faces of each set.
	void ( *add )( const bvfit_box_sets* sets, bvfit_box_sums* out );

	/// Finds the two frames. Where points are no more than extremal ones, DiTO-14 goes by all of them; where
	/// they are a handful, it tries the faces' mean normal, and the principal axes are left out.
	/// @param sets  null if their points are not at hand
	void ( *turn )( const bvfit_box_sets* sets, const bvfit_box_sums* sums, bvfit_box_turns* out );

	/// Measures sets along their frames, and chooses a box.
	void ( *choose )( const bvfit_box_sets* sets, const bvfit_box_sums* sums, const bvfit_box_turns* turns,
	                  bvfit_box_spans* out );

	/// Measures points along six axes.
	/// @param points  coordinates x, y and z, an array each
	/// @param count   of points, bvfit_box_lanes at least
	/// @param axes    three parts each
	/// @param lower   receives how far along each axis points are at least, if that is less than it is
	/// @param upper   and at most, if that is more
	void ( *measure )( const float* const points[3], uint32_t count, const float axes[3 * bvfit_box_measures],
	                   float lower[bvfit_box_measures], float upper[bvfit_box_measures] );
} bvfit_box_level;

/// @return the widest level that this machine has
const bvfit_box_level* bvfit_box_level_best( void );

/// @param index  from 0, which is scalar, to wider levels
/// @return null past the last level of this machine
const bvfit_box_level* bvfit_box_level_at( uint32_t index );

/// Single levels.
/// @return null where they are not compiled, or not of this machine
const bvfit_box_level* bvfit_box_level_scalar( void );
const bvfit_box_level* bvfit_box_level_sse2( void );
const bvfit_box_level* bvfit_box_level_neon( void );
const bvfit_box_level* bvfit_box_level_simd128( void );
const bvfit_box_level* bvfit_box_level_avx2( void );
