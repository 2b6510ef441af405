// Pairs of convex shapes that users of other libraries reported as wrong, with what is right.
//
// Each case is an issue of another library. Its shapes are made from the numbers of the issue where those are public, and
// from its description otherwise; `what` says which. Most cases are one pair, some are several: positions, sizes or random
// poses. The unit tests compare this library with them, and bench_battery other libraries.

#pragma once

#include "bv/shape.h"

enum
{
	battery_most_points = 24,
};

/// What a shape is. Axes are those of z.
typedef enum battery_kind
{
	battery_ball,
	battery_box,
	battery_capsule,
	battery_cylinder, ///< with flat ends
	battery_cone,     ///< with the apex at z = half.z and the disc at z = -half.z
	battery_hull,     ///< of `points`
} battery_kind;

/// A shape and where it is.
typedef struct battery_shape
{
	battery_kind kind;
	double radius; ///< of a ball, capsule, cylinder, or of a cone's disc
	bv_vec3
		half; ///< half extents of a box; half.z is half the length of an axis: of a capsule without the half balls
	uint32_t count; ///< of `points`
	bv_vec3 points[battery_most_points];
	double rotation[3][3]; ///< of rows; its coordinates to those of both shapes
	bv_vec3 position;
} battery_shape;

/// One pair.
typedef struct battery_pair
{
	battery_shape shape[2];
	bool is_cast;
	bv_vec3 motion[2]; ///< of a cast
	double limit;      ///< of a cast: end of the time range

	/// The signed distance; for a cast the first time, or infinity if they do not meet. NaN: that of tests/reference/
	/// convex_exact.h, for a pair of polytopes.
	double value;

	double doubt;   ///< that `value` has from rounding
	bv_vec3 normal; ///< from shape[0] to shape[1]; 0 if there are several, or none in closed form
} battery_pair;

/// An issue.
typedef struct battery_case
{
	const char* issue; ///< the repository and the number
	const char* what;  ///< the shapes, what was wrong, and where the numbers are from
	uint32_t count;    ///< of pairs
	void ( *make )( uint32_t index, battery_pair* pair );
} battery_case;

/// All issues: first of distances and depths, then of casts.
extern const battery_case battery_cases[];
extern const uint32_t battery_case_count;

/// Makes a pair. Its members that `make` does not mention are those of a pair at rest: identity, no motion.
void battery_make( const battery_case* of, uint32_t index, battery_pair* pair );

/// @return the case of this issue; null for an unknown issue
const battery_case* battery_find( const char* issue );

/// @param room  receives the points of a hull; the result points to it
/// @return the shape in the coordinates of both, with rounding if it is rotated
bv_convex battery_convex( const battery_shape* shape, bv_vec3 room[battery_most_points] );

/// @param points  of battery_convex, for a hull; otherwise ignored
/// @param normal  a unit vector
/// @return the largest dot( normal, x ) of all points x of the shape
double battery_extent( const battery_shape* shape, const bv_vec3* points, bv_vec3 normal );

/// @return how far a point is outside of a shape that is no hull, or less, but above 0; at most 0 inside
double battery_outside( const battery_shape* shape, bv_vec3 point );
