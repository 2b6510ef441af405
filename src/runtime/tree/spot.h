// A position in a descent: a node, identified by its parent and its index among the children, and the node
// data that queries need.

#pragma once

#include "runtime/file/node.h"
#include "runtime/file/view.h"
#include "runtime/tree/descent.h"
#include "runtime/tree/lanes.h"
#include "runtime/volume/similarity.h"

/// In place of a lane: the root, which has no parent.
#define BVTREE_ROOT_LANE 255u

/// A node on its way through a query.
typedef struct bvtree_spot
{
	uint32_t parent;    ///< place of the node that holds its volume
	uint32_t lane;      ///< which child of that it is; BVTREE_ROOT_LANE for the root
	uint32_t at;        ///< of an inner node its place, of a leaf the first triangle
	uint32_t triangles; ///< of a leaf; 0 for an inner node
	float size;         ///< bvtree_spot_size of its volume
} bvtree_spot;

/// A box in the coordinates of another mesh.
typedef struct bvtree_moved_box
{
	bv_vec3 center;       ///< mesh units
	double slack;         ///< by how much any of its points may be off
	bvtree_lane_box lane; ///< its axes and half extents; bvtree_place_box sets the rest
} bvtree_moved_box;

/// An axis in binary32.
static inline void bvtree_lane_axis( bv_vec3 axis, float out[3] )
{
	out[0] = (float)axis.x;
	out[1] = (float)axis.y;
	out[2] = (float)axis.z;
}

/// @param place  of the node
/// @param lane   of the child
/// @return the child; its size is still to be set
static inline bvtree_spot bvtree_spot_of_child( uint32_t place, uint32_t lane, bvtree_child child )
{
	return ( bvtree_spot ){
		.parent = place,
		.lane = lane,
		.at = (uint32_t)child,
		.triangles = (uint32_t)( child >> 32 ),
	};
}

/// @param lane  of a child of the node
/// @return the type of its volume
static inline bv_volume_type bvtree_child_type( const bvfile_packed_node* node, uint32_t lane )
{
	return (bv_volume_type)( bvfile_node_kinds( node )[lane] >> bvfile_kind_shift );
}

/// @param half  half the lengths of a box
/// @return what decides which of two volumes is opened: of boxes the volume, but flat ones have some, too.
///         lanes_measure (lanes_boxes.h) is the same of boxes in lanes
float bvtree_size_of( const double half[3] );

/// @return the same of a volume's box
float bvtree_spot_size( const bv_volume* volume );

/// @param volume  of the root
/// @return the root
bvtree_spot bvtree_spot_root( const bvfile_view* view, const bv_volume* volume );

/// Decodes the volume of a node.
void bvtree_spot_volume( const bvfile_view* view, const bvtree_spot* spot, bv_volume* out );

/// Moves a box into another mesh's coordinates.
/// @param volume  an oriented or aligned box
void bvtree_move_box( const bv_volume* volume, const bvvol_similarity* to, bvtree_moved_box* out );

/// Moves a child's box into another mesh's coordinates: bvtree_move_box of what bvfile_lane_unpack makes of
/// it.
/// @param lane   of a child that is an oriented or an aligned box
/// @param frame  of the node
void bvtree_move_child( const bvfile_packed_node* node, const bvfile_node_frame* frame, uint32_t lane,
                        const bvvol_similarity* to, bvtree_moved_box* out );

/// Makes a moved box ready for being compared with a node's children.
static inline void bvtree_place_box( bvtree_moved_box* box, const bvfile_node_frame* frame )
{
	const double center[3] = { box->center.x - frame->origin[0], box->center.y - frame->origin[1],
		                       box->center.z - frame->origin[2] };
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		box->lane.center[i] = (float)center[i];
		size += fabs( center[i] );
	}
	// The center's rounding, and the slack's own.
	box->lane.slack = (float)( ( box->slack + 0x1p-23 * size ) * ( 1 + 0x1p-22 ) );
}

/// Whether lanes can tell how far a node's children are from something: they err by some 2^-17 of the way
/// (lanes_boxes.h), which from far away is more than what is to be told apart.
/// @param extents  the sum of that one's half extents
static inline bool bvtree_lanes_reach( const bvfile_node_frame* frame, bv_vec3 center, double extents )
{
	const double way[3] = { center.x - frame->origin[0], center.y - frame->origin[1],
		                    center.z - frame->origin[2] };
	double away = 0;
	double size = extents;
	for ( int i = 0; i < 3; ++i )
	{
		away += fabs( way[i] );
		size += bvfile_code_end * frame->step[i];
	}
	return away <= 0x1p13 * size;
}

/// A group as the lanes' tests take it, straight from its node.
static inline bvtree_lane_group bvtree_spot_lanes( const bvfile_packed_node* node, const bvfile_group* group )
{
	return ( bvtree_lane_group ){
		.data = group->data,
		.count = group->count,
		.step = { bvfile_lane_step( node->exponent[0] ), bvfile_lane_step( node->exponent[1] ),
		          bvfile_lane_step( node->exponent[2] ) },
		.extent = bvfile_lane_extent( node->extent ),
	};
}

/// A group as the lanes' tests take it.
static inline void bvtree_spot_group( const bvfile_group* group, const bvfile_node_frame* frame,
                                      bvtree_lane_group* out )
{
	out->data = group->data;
	out->count = group->count;
	out->extent = (float)frame->extent;
	for ( int i = 0; i < 3; ++i )
	{
		out->step[i] = (float)frame->step[i];
	}
}
