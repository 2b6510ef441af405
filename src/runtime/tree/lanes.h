// Tests of eight volumes or pairs of triangles at once. The results have the same bits on every SIMD level.
//
// Kernels are elementwise binary32 arithmetic. IEEE 754 fixes each result, the order of operations is fixed,
// and there are no fused operations. A SIMD level only determines how many lanes an instruction processes.
// Decisions in binary32 are conservative: volumes count as apart only if the exact volumes are apart. The
// error bounds are derived in the files of the kernels.

#pragma once

#include "runtime/file/node.h"
#include "runtime/tree/descent.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The volumes of one type of a node's children as they are stored: arrays of `count` numbers, one after
/// another.
///
/// Oriented boxes: u32 center[count] (10 bits each for x, y, z from bit 0: q, for step[i] * q), u32
/// rotation[count] (10 bits each for a, b, c: the quaternion (a - 512, b - 512, c - 512, 1233), decoded as
/// bvvol_obb_unpack does), u8 half[3][count] (q, for extent * q * q). Aligned boxes: u8 lower[3][count], u8
/// upper[3][count] (q, for 4 * step[i] * q). All are relative to the node's origin.
typedef struct bvtree_lane_group
{
	/// of any alignment, with BVFILE_LANES_SLACK readable bytes behind; their values do not matter
	const uint8_t* data;

	uint32_t count; ///< 1 to BVFILE_LANES
	float step[3];  ///< of the grid of centers and corners, powers of two
	float extent;   ///< unit of half extents, a power of two; aligned boxes have none: 0
} bvtree_lane_group;

/// One oriented box to be compared with those of a group. Its axes are unit and orthogonal to 2^-20: no
/// scalar product of two of them is farther from 1 or 0. Numbers that are infinite or none make nothing
/// certain.
typedef struct bvtree_lane_box
{
	float center[3];  ///< relative to the node's origin
	float axis[3][3]; ///< rows
	float half[3];    ///< half extents, not negative
	float slack; ///< no point of the box is really farther away from where these numbers put it; not negative
	float way[3]; ///< the box moves by up to this in both directions; only kernels for moving boxes use it
} bvtree_lane_box;

/// A slower motion along an axis counts as this one.
static const float bvtree_lane_least_speed = 0x1p-24f;

/// More than the sum of three stored half extents, in units.
static const float bvtree_lane_extents = 200000;

/// A ray to be compared with the boxes of nodes. The largest coordinate of its direction is from 0.5 to 1, or
/// the direction is 0.
typedef struct bvtree_lane_ray
{
	float origin[3];    ///< at time 0, relative to the origin of the grid of nodes, or of the node itself
	float step;         ///< of the grid of nodes; 0 if the origin is relative to the node
	float direction[3]; ///< the way in one unit of time
	float inverse[3];   ///< of the direction, as bvtree_lane_ray_invert sets it; only for aligned boxes
	uint32_t far[3];    ///< of aligned boxes: 3 if the ray leaves them at their upper planes, else 0
	float slack;        ///< boxes are enlarged by this, and by 2^-18 of their node's size; see lanes_rays.h
	float from;         ///< start of the time range
	float to;           ///< its end
	float least_size;   ///< of nodes that it is compared with: see lanes_rays.h
	double base;        ///< the order of time 0
} bvtree_lane_ray;

/// Sets what aligned boxes need.
static inline void bvtree_lane_ray_invert( bvtree_lane_ray* ray )
{
	for ( int i = 0; i < 3; ++i )
	{
		float size = fabsf( ray->direction[i] );
		bool is_back = ray->direction[i] < 0;
		float inverse = 1 / ( size > bvtree_lane_least_speed ? size : bvtree_lane_least_speed );
		ray->inverse[i] = is_back ? -inverse : inverse;
		ray->far[i] = is_back ? 0 : 3;
	}
}

/// A descent through a hierarchy.
typedef struct bvtree_lane_descent
{
	const uint32_t* nodes;        ///< words of the inner nodes
	uint32_t root_triangles;      ///< 0 if the root is an inner node
	const bvtree_lane_ray* ray;   ///< its end may change while a leaf is visited
	const bvtree_lane_box* mover; ///< its axes and half extents; null for a ray
	const double* limit;          ///< what has a greater order when its turn comes is skipped
	uint64_t volume_tests;        ///< volumes tested so far
	void* context;                ///< passed on

	/// Visits a leaf.
	/// @return false to end the search
	bool ( *leaf )( void* context, uint32_t first, uint32_t count );

	/// Visits a node that has volumes of other types, or for which binary32 is not precise enough.
	/// @return the new top of the stack
	bvtree_waiting* ( *node )( void* context, const bvfile_packed_node* node, bvtree_waiting* top );
} bvtree_lane_descent;

/// Eight triangles. Narrower stores than a kernel's loads, just before them, are slow to come through.
typedef struct bvtree_lane_triangles
{
	float corner[3][3][8]; ///< by corner, coordinate and lane, relative to any point, best one near by
} bvtree_lane_triangles;

/// Where triangles are compared: each corner becomes (corner - origin - rest) * scale.
typedef struct bvtree_lane_place
{
	float origin[3]; ///< in the units of the corners
	float rest[3];   ///< what binary32 leaves of the true origin, so that nothing is lost near it
	float scale;     ///< a power of two; 2^40 at most, unless corners are 0 or above 2^-80
	float tolerance; ///< after that no coordinate is farther off than this and 2.1 * 2^-24 of itself
} bvtree_lane_place;

/// A ball to be compared with the boxes of a group. No coordinate of the center and no coordinate or sum of
/// half extents in the group is above 2^60.
typedef struct bvtree_lane_ball
{
	float center[3]; ///< relative to the node's origin
	float radius;    ///< not negative; may be infinity
	float slack;     ///< by how much the center may be off, in all; not negative
} bvtree_lane_ball;

/// Axis-aligned bounds of eight things.
typedef struct bvtree_lane_bounds
{
	float lower[3][8]; ///< by coordinate and lane
	float upper[3][8];
} bvtree_lane_bounds;

/// The grid of a node that is refitted, in binary32 without rounding.
typedef struct bvtree_lane_frame
{
	float origin[3];  ///< mesh units
	float step[3];    ///< of centers, powers of two
	float inverse[3]; ///< 1 / step
} bvtree_lane_frame;

/// Eight oriented boxes on the way to their codes. Lengths of a lane are in its own unit, except where mesh units are named.
typedef struct bvtree_lane_refit
{
	float center[3][8];  ///< that measures are relative to, mesh units
	float inverse[8];    ///< the unit: measures are differences from the center divided by this power of two
	float reach[8];      ///< bound of the sum of the absolute values of a vertex's coordinates
	float axis[3][3][8]; ///< by axis and coordinate, each within 2^-23
	float lower[3][8];   ///< along each axis, within 2^-20 of the reach
	float upper[3][8];
	float middle[3][8];  ///< mesh units
	uint32_t code[3][8]; ///< of the center
	float extent[3][8];  ///< half extents about it, mesh units, rounded up
} bvtree_lane_refit;

/// A level of the instruction set: one kernel for each task.
///
/// Masks have bit i for lane i. A lane that is not in a mask is certainly apart. Of numbers that come out per
/// lane those of other lanes than were asked for are undefined.
typedef struct bvtree_lanes
{
	/// As in a report: "scalar", "sse2", "neon", "simd128", "avx2".
	const char* name;

	/// An oriented box against oriented boxes by fifteen axes.
	/// @param size  of each lane that is not apart: a measure of its box, which grows with its half extents
	/// @return the lanes that are not certainly apart
	uint32_t ( *obb )( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] );

	/// An oriented box against aligned boxes: the same.
	uint32_t ( *aabb )( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] );

	/// As `obb`, for a box that moves by up to its way in both directions.
	/// @return the lanes that are not certainly apart from the box at all of its places
	uint32_t ( *obb_moving )( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] );

	/// The same against aligned boxes.
	uint32_t ( *aabb_moving )( const bvtree_lane_group* group, const bvtree_lane_box* box, float size[8] );

	/// How far an oriented box is from oriented boxes at least.
	/// @param gap  of each lane: not above the distance of its box from the one; 0 if they may touch
	void ( *obb_gap )( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] );

	/// How far an oriented box is from aligned boxes at least.
	void ( *aabb_gap )( const bvtree_lane_group* group, const bvtree_lane_box* box, float gap[8] );

	/// A ball against oriented boxes.
	/// @param least  of all eight lanes: not above the distance of its box from the center, not negative;
	///               infinity where there is no box, and where it is certainly apart
	/// @param most   of all eight lanes: not below the distance of any point of its box; infinity where there
	///               is no box; may be null
	/// @return the lanes that are not certainly apart from the ball
	uint32_t ( *obb_ball )( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
	                        float most[8] );

	/// The same against aligned boxes.
	uint32_t ( *aabb_ball )( const bvtree_lane_group* group, const bvtree_lane_ball* ball, float least[8],
	                         float most[8] );

	/// An oriented box against oriented boxes by the axes of both, which leaves more lanes than all fifteen
	/// axes do.
	/// @param inside  receives the lanes whose boxes are certainly in the one
	/// @return the lanes that are not certainly apart
	uint32_t ( *obb_faces )( const bvtree_lane_group* group, const bvtree_lane_box* box, uint32_t* inside );

	/// The same against aligned boxes.
	uint32_t ( *aabb_faces )( const bvtree_lane_group* group, const bvtree_lane_box* box, uint32_t* inside );

	/// Visits what a ray or a mover meets, the nearest first. Functions of the caller visit leaves, nodes
	/// whose children do not all have oriented or all have aligned boxes, and nodes for which binary32 is not
	/// precise enough.
	void ( *descend )( bvtree_lane_descent* descent );

	/// One step of the descent of a ray: visits the children of a node.
	/// @param top  of the stack, which has room for all children
	/// @return the new top
	bvtree_waiting* ( *visit )( bvtree_lane_descent* descent, const bvfile_packed_node* node,
	                            bvtree_waiting* top );

	/// Compares a ray or a mover with some children of a node.
	/// @param group   of oriented or of aligned boxes
	/// @param mover   null for a ray
	/// @param bottom  of the node's children in the stack: its top, before any of them is on it
	/// @param top     of the stack, which has room for all children. It receives those that are not certainly
	///                missed, the nearest one last. The order is not later than the box is met
	/// @return the new top; null if binary32 is not precise enough for the node, and then nothing is done
	bvtree_waiting* ( *sweep )( const bvfile_packed_node* node, const bvfile_group* group,
	                            const bvtree_lane_box* mover, const bvtree_lane_ray* ray,
	                            bvtree_waiting* bottom, bvtree_waiting* top );

	/// Bounds against bounds.
	/// @param lanes      count of them matter, 1 to 8
	/// @param each       so many that are compared with all lanes, one after another; 1 to 8
	/// @param tolerance  no coordinate is really farther off than this, which is 2^-24 of each at least
	/// @param near       receives, of each, the lanes that are not certainly apart from it
	void ( *bounds )( const bvtree_lane_bounds* lanes, uint32_t count, const bvtree_lane_bounds* each,
	                  uint32_t each_count, float tolerance, uint8_t near[8] );

	/// How far triangles are from the origin of their place.
	/// @param triangles  once placed, no coordinate is above 1; where any is above 2^20, nothing is certain
	/// @param count      how many lanes matter, 1 to 8
	/// @param lower      receives a bound that is not above the distance, not negative
	/// @param upper      receives a bound that is not below it; infinity for all other lanes
	void ( *point_triangles )( const bvtree_lane_triangles* triangles, uint32_t count,
	                           const bvtree_lane_place* place, float lower[8], float upper[8] );

	/// A box about the origin of their place against triangles by thirteen axes.
	/// @param triangles  as above
	/// @param count      how many lanes matter, 1 to 8
	/// @param box        its axes and half extents; no half extent is really farther off than the tolerance
	///                   and 2^-24 of itself, and is above 1. The rest is not used
	/// @param certain    the lanes that certainly meet, with a point of the triangle in the box
	/// @return the lanes that are not certainly apart
	uint32_t ( *box_triangles )( const bvtree_lane_triangles* triangles, uint32_t count,
	                             const bvtree_lane_place* place, const bvtree_lane_box* box,
	                             uint32_t* certain );

	/// A moving box against triangles.
	/// @param triangles  in the box's coordinates, relative to its center at time 0; no coordinate above 1
	/// @param count      how many lanes matter, 1 to 8
	/// @param half       half extents of the box
	/// @param ray        its motion, along the box's axes, of a length from 0.25 to 1; the slack includes the
	///                   box's radius; only direction, slack, from and to are used
	/// @param time       of each lane that the box may meet: not later than the box meets the triangle
	/// @return the lanes that the box does not certainly miss
	uint32_t ( *moved_triangles )( const bvtree_lane_triangles* triangles, uint32_t count,
	                               const float half[3], const bvtree_lane_ray* ray, float time[8] );

	/// Pairs of triangles by their normals and the products of their edges. Pairs that lie in one plane come
	/// out as not apart unless an edge's product separates them.
	/// @param a, b       relative to the same point; all eight lanes are read
	/// @param count      how many lanes matter, 1 to 8
	/// @param tolerance  no coordinate is really farther off than this
	/// @param certain    the lanes that certainly meet, an edge of the one passing through the other
	/// @return the lanes that are not certainly apart
	uint32_t ( *triangles )( const bvtree_lane_triangles* a, const bvtree_lane_triangles* b, uint32_t count,
	                         float tolerance, uint32_t* certain );

	/// The same, if each triangle of `b` moves by up to its way in both directions.
	/// @param way  by coordinate and lane
	/// @return the lanes whose triangles are not certainly apart at all of their places
	uint32_t ( *moving_triangles )( const bvtree_lane_triangles* a, const bvtree_lane_triangles* b,
	                                float way[3][8], uint32_t count, float tolerance );

	/// Decodes the rotations of oriented boxes.
	/// @param group  its steps and its extent can be anything
	/// @param out    its axes are set
	void ( *refit_axes )( const bvtree_lane_group* group, bvtree_lane_refit* out );

	/// Sets the middles of boxes by their measures.
	void ( *refit_centers )( bvtree_lane_refit* r, uint32_t count );

	/// Moves boxes to codes of their middles, and sets the extents that they need there.
	void ( *refit_settle )( bvtree_lane_refit* r, uint32_t count, const bvtree_lane_frame* frame );

	/// Rounds extents up to codes.
	/// @param unit  a power of two; no code is above 255
	/// @param code  by axis; all eight lanes are written
	void ( *refit_extents )( const bvtree_lane_refit* r, uint32_t count, float unit, uint8_t code[3][8] );
} bvtree_lanes;

/// @return the widest level that this machine has
const bvtree_lanes* bvtree_lanes_best( void );

/// @param index  from 0, which is scalar, to wider levels
/// @return null past the last level of this machine
const bvtree_lanes* bvtree_lanes_level( uint32_t index );

/// Single levels.
/// @return null where they are not compiled, or not of this machine
const bvtree_lanes* bvtree_lanes_scalar( void );
const bvtree_lanes* bvtree_lanes_sse2( void );
const bvtree_lanes* bvtree_lanes_neon( void );
const bvtree_lanes* bvtree_lanes_simd128( void );
const bvtree_lanes* bvtree_lanes_avx2( void );

#ifdef __cplusplus
}
#endif
