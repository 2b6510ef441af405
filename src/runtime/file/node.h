// The stored form of an inner node. It has the volumes of all children side by side, in a few bytes each, so
// that a query can test them together. It is the section NODE of formats/bvh/README.md, which fixes this
// arithmetic.
//
// Volumes are integers on a grid of the node's own. A frame of 20 bytes has the origin of the grid and its
// step sizes, which are powers of two. Based on the compressed wide nodes of Ylitie, Karras and Laine 2017,
// section 3, which have only axis-aligned boxes.

#pragma once

#include "bv/shape.h"

#include <string.h>

/// No node has more children.
#define BVFILE_LANES 8

/// Behind the nodes there are so many bytes that eight lanes can be loaded from anywhere among them.
#define BVFILE_LANES_SLACK 32

enum
{
	bvfile_code_bits = 10, ///< of each coordinate of a center, and of each part of a rotation
	bvfile_code_end = 1 << bvfile_code_bits,    ///< codes are below
	bvfile_code_range = 1020,                   ///< no coordinate is farther from the origin, in steps
	bvfile_code_coarse = 4,                     ///< steps that one unit of an 8-bit coordinate has
	bvfile_step_bias = 140,                     ///< a step is 2^(exponent - this)
	bvfile_extent_bias = 148,                   ///< so is the unit of half extents and radii
	bvfile_rotation_bias = bvfile_code_end / 2, ///< parts of a rotation are codes minus this
	bvfile_rotation_w = 1233,                   ///< the fourth part: no box needs more than 511 in the others
	bvfile_kind_shift = 5,                      ///< of the type in a child's kind
	bvfile_kind_counts = 1 << bvfile_kind_shift, ///< below: what is said of its triangles
	bvfile_kind_inner = 0,                       ///< none of its own
	bvfile_kind_linked = bvfile_kind_counts - 1, ///< their number is a link
};

/// The head of a stored node. Behind it: a kind a child, up to a multiple of 4 bytes; the links; a group a
/// type. A kind is type << bvfile_kind_shift | triangles of a leaf, bvfile_kind_inner or bvfile_kind_linked;
/// children are in ascending order of their types. Links are one a child of the last two sorts, in their
/// order: of an inner child the place of its node, in units of 4 bytes from the first, of a large leaf how
/// many triangles it has.
typedef struct bvfile_packed_node
{
	uint32_t first_child;    ///< number of the first child; those of one node follow one another
	uint32_t first_triangle; ///< of the first leaf among the children, or of what is below the first of them
	uint16_t origin[3];      ///< in steps of the grid of all nodes
	uint8_t exponent[3];     ///< of the steps of coordinates
	uint8_t extent;          ///< exponent of the unit of extents
	uint8_t children;        ///< 2 to BVFILE_LANES
	uint8_t links;           ///< how many follow the kinds
} bvfile_packed_node;

_Static_assert( bv_volume_types << bvfile_kind_shift <= 256, "a kind is a byte" );
_Static_assert( sizeof( bvfile_packed_node ) == 20, "a node's head is 20 bytes" );

/// The grid that the origins of all nodes are on. The origin is a multiple of the step, which is a power of
/// two.
typedef struct bvfile_node_grid
{
	double origin[3]; ///< mesh units
	double step;      ///< mesh units
} bvfile_node_grid;

/// What a node's codes are multiplied with.
typedef struct bvfile_node_frame
{
	double origin[3]; ///< mesh units
	double step[3];   ///< of coordinates, powers of two
	double extent;    ///< of squares, a power of two
} bvfile_node_frame;

/// @param exponent  -1022 to 1023
/// @return 2^exponent
static inline double bvfile_power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
	double value;
	memcpy( &value, &bits, sizeof value );
	return value;
}

/// 2^(i - bvfile_extent_bias) in binary32, or 0 below 2^-126.
extern const float bvfile_lane_powers[256 + bvfile_extent_bias - bvfile_step_bias];

/// @param exponent  of a node's coordinates
/// @return its step in binary32, or 0 below 2^-126, which moves no volume by more than 2^-109
static inline float bvfile_lane_step( uint8_t exponent )
{
	return bvfile_lane_powers[exponent + bvfile_extent_bias - bvfile_step_bias];
}

/// @param exponent  of a node's extents
/// @return their unit in binary32, or 0 below 2^-126
static inline float bvfile_lane_extent( uint8_t exponent )
{
	return bvfile_lane_powers[exponent];
}

/// @param x  positive
/// @return the exponent of the least power of two above x; of denormal numbers -1022
static inline int bvfile_exponent_above( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	return (int)( bits >> 52 ) - 1022;
}

/// @return the frame of a node
static inline bvfile_node_frame bvfile_node_frame_of( const bvfile_packed_node* node,
                                                      const bvfile_node_grid* grid )
{
	bvfile_node_frame frame;
	for ( int i = 0; i < 3; ++i )
	{
		frame.origin[i] = grid->origin[i] + grid->step * node->origin[i];
		frame.step[i] = bvfile_power_of_two( node->exponent[i] - bvfile_step_bias );
	}
	frame.extent = bvfile_power_of_two( node->extent - bvfile_extent_bias );
	return frame;
}

/// @return the kinds of the children
static inline const uint8_t* bvfile_node_kinds( const bvfile_packed_node* node )
{
	return (const uint8_t*)( node + 1 );
}

/// @return the links
static inline const uint32_t* bvfile_node_links( const bvfile_packed_node* node )
{
	return (const uint32_t*)( bvfile_node_kinds( node ) + ( ( node->children + 3u ) & ~3u ) );
}

/// @return where the groups begin
static inline const uint8_t* bvfile_node_groups( const bvfile_packed_node* node )
{
	return (const uint8_t*)( bvfile_node_links( node ) + node->links );
}

/// @param count  of volumes, up to BVFILE_LANES
/// @return bytes of a group, a multiple of 4
uint32_t bvfile_group_bytes( bv_volume_type type, uint32_t count );

/// Children of one type.
typedef struct bvfile_group
{
	bv_volume_type type; ///< of all their volumes
	uint32_t first;      ///< the first child of them
	uint32_t count;      ///< how many there are; 0 past the last group
	const uint8_t* data; ///< their volumes
} bvfile_group;

/// @param first  child of the group, or their number for the group past the last
/// @param data   where its volumes are
static inline bvfile_group bvfile_group_at( const bvfile_packed_node* node, uint32_t first,
                                            const uint8_t* data )
{
	const uint8_t* kind = bvfile_node_kinds( node );
	bvfile_group group = { .first = first, .data = data };
	if ( first == node->children )
	{
		return group;
	}
	group.type = (bv_volume_type)( kind[first] >> bvfile_kind_shift );
	group.count = node->children - first;
	while ( kind[first + group.count - 1] >> bvfile_kind_shift != (int)group.type )
	{
		group.count -= 1;
	}
	return group;
}

/// @return the first group of a node
static inline bvfile_group bvfile_group_first( const bvfile_packed_node* node )
{
	return bvfile_group_at( node, 0, bvfile_node_groups( node ) );
}

/// @return the group behind another one; of no children past the last
static inline bvfile_group bvfile_group_next( const bvfile_packed_node* node, const bvfile_group* group )
{
	return bvfile_group_at( node, group->first + group->count,
	                        group->data + bvfile_group_bytes( group->type, group->count ) );
}

/// @return bytes of a node whose head and kinds are there
uint32_t bvfile_node_bytes( const bvfile_packed_node* node );

/// Decodes one volume.
/// @param lane  below group->count
void bvfile_lane_unpack( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                         bv_volume* out );

/// As bvvol_half_lengths of each volume of a group, up to rounding.
/// @param half  receives those of each lane
void bvfile_group_half_lengths( const bvfile_group* group, const bvfile_node_frame* frame,
                                double half[BVFILE_LANES][3] );

/// The reverse, of a volume that came from bvfile_lane_unpack with the same frame.
/// @param data  the group's, to write into
void bvfile_lane_pack( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                       const bv_volume* volume, uint8_t* data );

/// How bounds of a bounded volume along one direction are stored: as lowest + unit * code.
typedef struct bvfile_slab_scale
{
	double lowest; ///< of code 0
	double unit;   ///< of one more
} bvfile_slab_scale;

/// @param planes     of the volume's kind
/// @param direction  see bv_kdop_direction
/// @return the scale of a direction. Of an axis-aligned box, which has 6 planes, it is that of the frame. Of a
///         k-DOP it reaches over a cube of bvfile_code_range of the widest steps from the frame's origin
bvfile_slab_scale bvfile_slab_scale_of( const bvfile_node_frame* frame, uint32_t planes, uint32_t direction );

/// The quaternion of a rectangle swept sphere whose normal is another axis than the third of (a, b, c,
/// bvfile_rotation_w): its axes change places in a cycle.
/// @param turns  0, 1 or 2
void bvfile_rotation_cycled( const float from[4], uint32_t turns, float to[4] );

/// The quaternion of a prism whose first two axes are others of those that are normal to the third: they turn
/// about it by right angles.
/// @param quarters  0 to 3
void bvfile_rotation_quartered( const float from[4], uint32_t quarters, float to[4] );

/// @return whether the codes of a group are volumes: no reserved bits, no lower bound above its upper one
bool bvfile_group_is_valid( const bvfile_group* group );
