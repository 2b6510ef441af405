// A point or a box that moves along a line, against the volumes of nodes.
//
// Boxes are compared in lanes: in binary32, with a mover whose motion is scaled by a power of two and which
// begins near the boxes, where binary32 is precise. The base is the place of the mover that is nearest to the
// middle of the mesh or of its grid of nodes. All nodes use it, except those that are so small that its slack
// would enlarge them: for these the mover begins near the node. Orders are scaled times from the base.

#pragma once

#include "runtime/tree/walk.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/boxes.h"

/// What moves. Everything is in the file's coordinates.
typedef struct bvtree_sweep
{
	const bvtree_lanes* lanes;
	const bvfile_node_grid* grid;
	const bvvol_rounded* mover; ///< at time 0; null for a point
	bv_vec3 center;             ///< of the mover
	double slack;               ///< of a point, as bvvol_rounded has it
	bv_vec3 motion;             ///< in a unit of time
	double from;                ///< start of the time range
	double to;                  ///< its end, as bvtree_sweep_until sets it
	double limit;               ///< the order of the end

	double unit;           ///< a scaled time is a time times this
	double scaled[3];      ///< the motion divided by it
	double inverse_square; ///< of the scaled motion's length
	double base;           ///< scaled time
	double far_slack;      ///< for the distance of the mover and of the mesh from 0
	bvtree_lane_ray ray;   ///< from the base, relative to the grid's origin
	bvtree_lane_box box;   ///< axes and half extents of the mover
	bool is_round;         ///< a point or a ball, which has no box
	uint64_t volume_tests; ///< volumes tested so far
} bvtree_sweep;

/// @return a number that is not above x and differs by no more than rounding, of what is within 2^100 of 0
static inline float bvtree_time_down( double x )
{
	float rounded = (float)bvmath_max( -0x1p100, bvmath_min( x, 0x1p100 ) );
	return ( rounded - 0x1p-22f * fabsf( rounded ) ) - 0x1p-120f;
}

/// @return the same, not below x
static inline float bvtree_time_up( double x )
{
	float rounded = (float)bvmath_max( -0x1p100, bvmath_min( x, 0x1p100 ) );
	return ( rounded + 0x1p-22f * fabsf( rounded ) ) + 0x1p-120f;
}

/// Sets the end of the time range.
static inline void bvtree_sweep_until( bvtree_sweep* s, double to )
{
	// A little more than it is, for what orders are rounded by. Without motion all times are the same.
	double end = to * s->unit;
	double limit = ( end - s->base ) + 0x1p-48 * ( fabs( end ) + fabs( s->base ) );
	s->to = to;
	s->limit = s->inverse_square > 0 ? limit : 0;
	s->ray.to = bvtree_time_up( s->limit );
}

// The place of the mover that is nearest to a point.
// @param offset  from the point to the mover at time 0
// @return its scaled time, not negative
static inline double bvtree_sweep_nearest( const bvtree_sweep* s, bv_vec3 offset )
{
	double way = ( offset.x * s->scaled[0] + offset.y * s->scaled[1] ) + offset.z * s->scaled[2];
	return bvmath_max( -way * s->inverse_square, 0 );
}

// @param at      the scaled time of the place where the mover begins
// @param offset  from the origin of a grid to the mover at time 0
// @return the sum of the coordinates of that place, relative to the grid
static inline double bvtree_sweep_set_origin( const bvtree_sweep* s, double at, bv_vec3 offset,
                                              bvtree_lane_ray* ray )
{
	double x = offset.x + at * s->scaled[0];
	double y = offset.y + at * s->scaled[1];
	double z = offset.z + at * s->scaled[2];
	ray->origin[0] = (float)x;
	ray->origin[1] = (float)y;
	ray->origin[2] = (float)z;
	return ( fabs( x ) + fabs( y ) ) + fabs( z );
}

// 64 u of all magnitudes (lanes_rays.h), and what comes from the mover itself.
static inline float bvtree_sweep_slack( const bvtree_sweep* s, double size )
{
	return (float)( 0x1p-18 * size + s->far_slack ) * ( 1 + 0x1p-22f );
}

/// Sets the box of the mover and whether it is round.
/// @return how far it and its rounding reach beyond that box
double bvtree_sweep_set_box( bvtree_sweep* s );

/// More than the codes of a node's origin.
static const double bvtree_sweep_codes = 0x1p16;

/// @return the middle of the grid of nodes
static inline bv_vec3 bvtree_sweep_middle( const bvfile_node_grid* grid )
{
	double half = bvtree_sweep_codes / 2 * grid->step;
	return ( bv_vec3 ){ grid->origin[0] + half, grid->origin[1] + half, grid->origin[2] + half };
}

/// Sets what follows from the members from `lanes` to `from`: the scale, the base, the slack and the ray. The
/// end of the time range is for bvtree_sweep_until to set, the box for bvtree_sweep_set_box.
/// @param middle  of the mesh: the base is the place of the mover that is nearest to it
/// @param reach   of a point its slack, of a mover what bvtree_sweep_set_box returns
/// @return the square of the distance of the base from the middle; that distance errs by less than far_slack
static inline double bvtree_sweep_begin( bvtree_sweep* s, bv_vec3 middle, double reach )
{
	const bvfile_node_grid* grid = s->grid;
	const bv_vec3 m = s->motion;
	int exponent = bvfile_exponent_above( bvmath_largest( m ) );
	double inverse_unit = bvfile_power_of_two( -exponent );
	const bv_vec3 scaled = bv_scale( inverse_unit, m );
	double square = bv_dot( scaled, scaled );
	const bv_vec3 origin = { grid->origin[0], grid->origin[1], grid->origin[2] };
	bv_vec3 offset = bv_sub( s->center, origin );
	s->unit = bvfile_power_of_two( exponent );
	s->scaled[0] = scaled.x;
	s->scaled[1] = scaled.y;
	s->scaled[2] = scaled.z;
	s->ray.direction[0] = (float)scaled.x;
	s->ray.direction[1] = (float)scaled.y;
	s->ray.direction[2] = (float)scaled.z;
	s->inverse_square = square > 0 ? 1 / square : 0;
	bv_vec3 apart = bv_sub( s->center, middle );
	s->base = bvtree_sweep_nearest( s, apart );
	double size =
		bvtree_sweep_set_origin( s, s->base, offset, &s->ray ) + 3 * bvtree_sweep_codes * grid->step;
	s->far_slack =
		4 * BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( s->center ) + ( bvmath_norm1( origin ) + size ) ) +
		reach * ( 1 + 0x1p-20 );
	// A motion of denormal numbers is not scaled to 0.5 or more, which lanes rely on. It takes no mover far.
	s->far_slack = square >= 0.25 || square == 0 ? s->far_slack : INFINITY;
	s->ray.slack = bvtree_sweep_slack( s, size );
	s->ray.step = (float)grid->step;
	s->ray.least_size = (float)( size / 256 );
	s->ray.base = 0;
	s->ray.from = bvtree_time_down( s->from * s->unit - s->base );
	bv_vec3 way = bv_add( apart, bv_scale( s->base, scaled ) );
	return bv_dot( way, way );
}

/// A visit of a leaf. It receives the sweep, which is the first member of the query.
/// @return false to end the search
typedef bool bvtree_sweep_leaf( void* sweep, uint32_t first, uint32_t count );

/// @return what visits what the mover meets, the nearest first
bvtree_lane_descent bvtree_sweep_descent( bvtree_sweep* s, const bvfile_view* view, bvtree_sweep_leaf* leaf );

/// Visits what the mover meets, the nearest first.
/// @param view  of a file that has a hierarchy
void bvtree_sweep_visit( bvtree_sweep* s, const bvfile_view* view, bvtree_sweep_leaf* leaf );
