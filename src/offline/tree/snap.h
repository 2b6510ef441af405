// What rounding volumes of every type has in common with rounding boxes alone. See snap.c, snap_grid.c.

#pragma once

#include "offline/base/prisms.h"
#include "offline/tree/tree.h"

enum
{
	bvorder_snap_extent_range = 255, ///< of codes of extents
};

/// The coordinates that volumes need a grid for.
typedef struct bvorder_snap_range
{
	double lower[3]; ///< least of each axis
	double upper[3]; ///< greatest of each axis
} bvorder_snap_range;

/// @return the least exponent with count * 2^exponent >= size, and not below `least`
int bvorder_snap_exponent( double size, double count, int least );

/// The finest frame on the tree's grid that reaches over its children.
/// @param finest  no step has a lower exponent
void bvorder_snap_make_frame( const bvfile_node_grid* grid, const bvorder_snap_range* children, int finest,
                              bvorder_node_frame* out );

/// @param team  how many threads there may be
/// @param all   receives the coordinates of all nodes but the root, of which there is at least one
/// @return whether all of them are axis-aligned boxes; if not `all` is not filled
bool bvorder_snap_range_of_boxes( const bvb_tree* tree, int team, bvorder_snap_range* all );

/// @param all  of all nodes but the root
/// @return whether bvorder_snap_boxes can round boxes with these coordinates
bool bvorder_snap_boxes_can( const bvorder_snap_range* all, int finest );

/// Rounds the children of a node, axis-aligned boxes, as snap.c would: to the last bit.
/// @param index  of an inner node
void bvorder_snap_boxes( bvb_tree* tree, uint32_t index, int finest );

/// The frame that is a box's but for the order and the directions of its axes, and turned so little that a
/// rotation of a node can hold it.
/// @param turned    receives it
/// @param rotation  receives the nearest of those rotations
void bvorder_snap_turn( const bv_vec3 axis[3], bv_vec3 turned[3], float rotation[4] );

/// @return how many turns of the axes in a cycle, 0 to 2, make that the third one which is nearest to a
///         direction
uint32_t bvorder_snap_cycles( const bv_vec3 turned[3], bv_vec3 third );

/// @return the nearest point that a frame has a code of
bv_vec3 bvorder_snap_center( bv_vec3 p, const bvfile_node_frame* frame );

/// @return the least value of a code, which may be above bvorder_snap_extent_range, that is not below the
///         extent
double bvorder_snap_extent( double extent, double unit );

/// Puts a prism's axes and center on their grids, and finds what its extents must be then.
/// @param extents  receives half base, half height and half length
void bvorder_snap_prism( bv_prism* prism, const bvbase_point_list* points, const bvfile_node_frame* frame,
                         double extents[3] );

/// @return what bvorder_snap_extent_range^2 units must reach for a prism's extents to have codes
double bvorder_snap_prism_largest( const bv_prism* prism, const bvbase_point_list* points,
                                   const double extents[3] );

/// Gives a prism extents that have codes, and with which it encloses the points.
/// @param unit  with codes that reach bvorder_snap_prism_largest
void bvorder_snap_prism_extents( bv_prism* prism, const bvbase_point_list* points, const double extents[3],
                                 double unit );
