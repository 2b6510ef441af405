// Rounding volumes to the codes of stored nodes. Used where files are written, and where hierarchies are refitted at run time.
//
// First the frame of a node and the turns and centers of its children's volumes are put on their grids. Then extents are
// measured from where the grids left them, and rounded up.

#pragma once

#include "runtime/file/node.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/prisms.h"

enum
{
	bvfile_snap_extent_range = 255, ///< of codes of extents, and of bounds
};

/// The frame of a node, as bvfile_packed_node has it.
typedef struct bvfile_frame_codes
{
	uint16_t origin[3];  ///< on the grid of all nodes
	uint8_t exponent[3]; ///< of the steps of coordinates
	uint8_t extent;      ///< exponent of the unit of extents
} bvfile_frame_codes;

/// The coordinates that volumes need a grid for.
typedef struct bvfile_snap_range
{
	double lower[3]; ///< least of each axis
	double upper[3]; ///< greatest of each axis
} bvfile_snap_range;

/// @return the least exponent with count * 2^exponent >= size, and not less than `least`
int bvfile_snap_exponent( double size, double count, int least );

/// Returns the exponent of the finest steps. With finer ones, sums of the grid and a node's steps would not be binary32 numbers any
/// more; no position near the largest one is known better.
/// @param all   of all nodes
/// @param sums  of coordinates there are bounds, too: those of k-DOPs, which are up to three times as large
int bvfile_snap_finest( const bvfile_snap_range* all, bool sums );

/// The finest grid for the origins of all nodes.
/// @param spare  steps that are left free, so that the origin can be a multiple of that many and one steps
bvfile_node_grid bvfile_snap_grid( const bvfile_snap_range* all, int finest, uint32_t spare );

/// The finest frame on the grid of all nodes that reaches over its children.
/// @param finest  no step has a lower exponent
/// @param out     its `extent` is unchanged
void bvfile_snap_make_frame( const bvfile_node_grid* grid, const bvfile_snap_range* children, int finest,
                             bvfile_frame_codes* out );

/// Sets the unit of extents.
/// @param largest  of the extents
/// @return the unit
double bvfile_snap_unit( double largest, bvfile_frame_codes* out );

/// @return the frame, decoded
bvfile_node_frame bvfile_snap_frame_of( const bvfile_frame_codes* codes, const bvfile_node_grid* grid );

/// The frame that is a box's except for the order and the directions of its axes, and turned so little that a
/// rotation of a node can hold it.
/// @param turned    receives it
/// @param rotation  receives the nearest of those rotations
void bvfile_snap_turn( const bv_vec3 axis[3], bv_vec3 turned[3], float rotation[4] );

/// @return how many turns of the axes in a cycle, 0 to 2, make that the third one which is nearest to a
///         direction
uint32_t bvfile_snap_cycles( const bv_vec3 turned[3], bv_vec3 third );

/// The rotation for axes of a volume that has some, other than a prism.
/// @param kind      its row
/// @param rotation  receives a quaternion that a node can hold, whose axes are near those given except for their order and directions. The
///                  axis that keeps its place does so
void bvfile_snap_axes( const bvvol_kind* kind, const bv_vec3 axis[3], float rotation[4] );

/// @return the nearest point that a frame has a code of
bv_vec3 bvfile_snap_center( bv_vec3 p, const bvfile_node_frame* frame );

/// @return the least value of a code, which may be above bvfile_snap_extent_range, that is at least the
///         extent
double bvfile_snap_extent( double extent, double unit );

/// @param scale  of a bound, see bvfile_slab_scale_of
/// @param up     of an upper bound
/// @return the nearest value of a code outside of x
double bvfile_snap_bound( double x, const bvfile_slab_scale* scale, bool up );

/// Puts a prism's axes on the grid of rotations.
void bvfile_snap_prism_turn( bv_prism* prism );

/// Moves the center of a prism, whose axes are on their grid, to that of the smallest one with the same slope. It can be far from the points.
/// @return the half height of that prism
double bvfile_snap_prism_recenter( bv_prism* prism, const bvvol_point_list* points );

/// Puts the center of a prism on its grid, and finds what its extents must be then.
/// @param half_height  see bvfile_snap_prism_recenter
/// @param frame, extents  as of bvfile_snap_prism
void bvfile_snap_prism_place( bv_prism* prism, const bvvol_point_list* points, const bvfile_node_frame* frame,
                              double half_height, double extents[3] );

/// Both: bvfile_snap_prism_recenter, and then bvfile_snap_prism_place.
/// @param prism    with extents that have the slope of its legs
/// @param frame    null to round the center to binary32
/// @param extents  receives half base, half height and half length
void bvfile_snap_prism( bv_prism* prism, const bvvol_point_list* points, const bvfile_node_frame* frame,
                        double extents[3] );

/// @return what bvfile_snap_extent_range^2 units must reach for a prism's extents to have codes
double bvfile_snap_prism_largest( const bv_prism* prism, const bvvol_point_list* points,
                                  const double extents[3] );

/// Gives a prism extents that have codes, and with which it encloses the points.
/// @param unit  with codes that reach bvfile_snap_prism_largest
void bvfile_snap_prism_extents( bv_prism* prism, const bvvol_point_list* points, const double extents[3],
                                double unit );
