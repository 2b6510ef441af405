// Pairs of convex shapes: do they overlap, how far apart are they, how deep do they overlap, when do they meet.
//
//     #include <bv/convex.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), 0.5 );
//         bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
//         bv_transform at = bv_transform_translation( 0, 1.25, 0 ); // the crate's coordinates to the ball's
//         bv_convex_result r;
//         bv_convex_distance( &ball, &crate, &at, NULL, &r );
//         printf( "%g\n", r.upper ); // prints -0.25
//         return r.lower <= -0.25 && -0.25 <= r.upper ? 0 : 1;
//     }
//
// The shapes overlap by 0.25. A shape is a bv_convex, see bv/shape.h. Its constructors check nothing; queries check what they read.
//
// Every number that is computed by iteration is an interval that contains the true value. No query fails to
// converge: a wide interval says how much is not known. Pairs of polytopes (points, triangles, boxes, hulls) are
// decided exactly, touching included: their true shape is that of the given binary64 numbers, moved by the given
// matrix in exact arithmetic.
//
// GJK: Gilbert, Johnson, Keerthi 1988. EPA: van den Bergen 2001. Casts: van den Bergen 2004.

#pragma once

#include "bv/base.h"
#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a pair of shapes is compared. Methods other than the default exist to be compared with it.
///
/// There are closed forms for all pairs of points, spheres, segments, capsules, triangles and boxes, rounded or not, and
/// for half-spaces with any shape.
typedef enum bv_convex_method
{
	/// A closed form where there is one and its interval is narrow enough, otherwise GJK and EPA.
	bv_convex_method_default = 0,

	bv_convex_method_gjk,        ///< GJK, and EPA for shapes that overlap
	bv_convex_method_closed,     ///< as the default, but only pairs for which there is a closed form
	bv_convex_method_sat,        ///< all separating axes of shapes whose faces are known
	bv_convex_method_vclip,      ///< V-Clip between shapes whose faces are known, and EPA if they overlap
	bv_convex_method_mpr,        ///< Minkowski portal refinement
	bv_convex_method_chung_wang, ///< a separating vector, by reflections
	bv_convex_method_margin, ///< GJK, and EPA between enlarged shapes for those that are next to each other
	bv_convex_method_shell,  ///< GJK, and EPA that guesses spheres
	bv_convex_methods,       ///< the number of methods
} bv_convex_method;

/// @return "default", "gjk", "closed", "sat", "vclip", "mpr", "chung_wang", "margin", "shell"; null for an invalid method
const char* bv_convex_method_name( bv_convex_method method );

/// @return what a method finds, and where it finds less than the default; null for an invalid method
const char* bv_convex_method_help( bv_convex_method method );

/// What one query finds out and the next one of the same pair can begin with: one per pair of shapes, owned by
/// the caller. Zero-initialized it is empty. It never changes which answers are right, only how long they take
/// and, within the interval, their last bits. Its members are not for callers.
typedef struct bv_convex_cache
{
	double axis[3]; ///< direction that separated the shapes, or 0
	uint32_t
		name[24]
			[2];    ///< points of both shapes: of the simplex or the polytope that the last search ended with
	uint32_t count; ///< of these
	uint32_t faces; ///< of that polytope; 0 for a simplex
	uint8_t face[44][3]; ///< each face's points, counterclockwise
} bv_convex_cache;

/// The least size of bv_convex_options.scratch, and a size that is enough for hulls of 1,000 corners, bytes.
#define BV_CONVEX_SCRATCH_LEAST 8192
#define BV_CONVEX_SCRATCH_AMPLE 262144

/// Options of bv_convex_overlap and bv_convex_distance. Zero-initialized options are the defaults.
typedef struct bv_convex_options
{
	bv_convex_method method; ///< default bv_convex_method_default
	double tolerance;        ///< relative width of the interval that ends the search; default 0: 1e-6
	bv_convex_cache* cache;  ///< of this pair of shapes, read and written; default null

	/// Memory of the caller for the polytope that EPA expands where shapes overlap, 8-byte aligned: about 113 bytes per vertex. It
	/// need not be initialized, and holds nothing afterwards. With more vertices the depths of shapes of many corners have
	/// narrower intervals. Default null: 69 vertices on the stack.
	void* scratch;

	size_t scratch_bytes; ///< size of `scratch`, at least BV_CONVEX_SCRATCH_LEAST; ignored without it
} bv_convex_options;

/// @return the defaults listed in bv_convex_options
bv_convex_options bv_convex_options_default( void );

/// Result of bv_convex_overlap.
typedef struct bv_convex_overlap_result
{
	bool overlaps; ///< the shapes have a point in common; touching counts. In doubt true

	/// The answer is proven. Always so for polytopes whose coordinates differ by at most 2^500 in size and are not all below
	/// 2^-255; for shapes
	/// with curved surfaces unless their distance or depth is within rounding errors.
	bool certain;

	bv_vec3 axis;      ///< unit vector from a to b, normal to a plane between them; 0 if they overlap
	uint32_t supports; ///< support points evaluated, of each shape
} bv_convex_overlap_result;

/// Result of bv_convex_distance: a signed distance and where it is attained. Negative when the shapes overlap: then
/// it is minus the penetration depth, the length of the shortest translation that separates them. Two half-spaces that do
/// not face away from each other cannot be separated: both bounds are -infinity, and points and normal are 0.
typedef struct bv_convex_result
{
	double lower;     ///< the true signed distance is not below this
	double upper;     ///< and not above this
	bv_vec3 point[2]; ///< nearest or deepest points, on a and on b, in a's coordinates

	/// Unit vector from a to b. If the shapes overlap, moving b by -lower along it separates them. If they are
	/// apart, the slab between two planes normal to it is at least `lower` wide.
	bv_vec3 normal;

	uint32_t supports; ///< support points evaluated, of each shape
} bv_convex_result;

/// Finds out whether two convex shapes have a point in common.
/// @param placement  from coordinates of b to those of a; null for the identity
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, a shape is invalid, the
/// transform is invalid or its translation exceeds BV_MAX_LENGTH, or an option is out of range;
/// bv_error_unsupported, also with `*result` unchanged, if the method does not compare such shapes. Half-spaces need the
/// default or bv_convex_method_closed. bv_convex_method_sat and bv_convex_method_vclip need shapes whose faces are known:
/// boxes, triangles, segments, points (of bv_convex_point), graphs, parts of files, and hulls of files with section HTOP
bv_status bv_convex_overlap( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                             const bv_convex_options* options, bv_convex_overlap_result* result );

/// Finds the signed distance of two convex shapes. Parameters and errors are as for bv_convex_overlap.
///
/// The interval is at most 1e-6 of a distance wide (or the tolerance), or 1e-5 of a depth, plus four units in the last
/// place of the coordinates. The depth of a hull of more than 80 corners can need a polytope of more vertices than
/// there is room for on the stack, most often where one shape is deep inside of the other: then the interval is up to some percent
/// wide, unless the options have scratch memory. Shapes with curved surfaces and support callbacks can leave wider intervals, and so do pairs whose
/// coordinates all are below 2^-255, or 2^-150 unless they are polytopes without a radius, and radii below 2^-90:
/// bv_convex_overlap does not decide these.
bv_status bv_convex_distance( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              const bv_convex_options* options, bv_convex_result* result );

/// How the first contact of two moving shapes is found. Methods other than the default exist to be compared with it.
typedef enum bv_convex_cast_method
{
	bv_convex_cast_method_default = 0, ///< closed form of balls and capsules, GJK ray cast of others
	bv_convex_cast_method_gjk,         ///< GJK ray cast

	/// Closed form for balls and capsules. Other pairs, and those without a radius, are unsupported.
	bv_convex_cast_method_balls,

	bv_convex_cast_method_advancement, ///< conservative advancement: Newton's method with the distance
	bv_convex_cast_method_swept,       ///< overlap tests of swept shapes, and bisection of time

	/// Overlap tests at 33 times. It misses contacts between these times: then `certain` is false.
	bv_convex_cast_method_sampled,

	bv_convex_cast_methods, ///< the number of methods
} bv_convex_cast_method;

/// @return "default", "gjk", "balls", "advancement", "swept", "sampled"; null for an invalid method
const char* bv_convex_cast_method_name( bv_convex_cast_method method );

/// Options of bv_convex_cast. Zero-initialized options are the defaults.
typedef struct bv_convex_cast_options
{
	bv_convex_cast_method method; ///< default bv_convex_cast_method_default
	double limit; ///< end of the time range; default 0, which stands for 1; infinity for no end

	/// Width of the interval of time that ends the search, relative to the time range, or to the time that the shapes
	/// take to pass each other if that is shorter; default 0: 1e-6.
	double tolerance;

	bv_convex_cache* cache; ///< of this pair of shapes, read and written; default null
} bv_convex_cast_options;

/// @return the defaults listed in bv_convex_cast_options
bv_convex_cast_options bv_convex_cast_options_default( void );

/// Result of bv_convex_cast.
typedef struct bv_convex_cast_result
{
	bool found; ///< the shapes meet at a time in the range; touching counts. In doubt true

	/// `found` is proven. Always so for polytopes whose coordinates and motions do not differ by more than 2^300 in size,
	/// or 2^150 if they have a radius, and are not all below 2^-255, or 2^-150 with a radius; for other shapes unless they
	/// pass each other within rounding errors. Not for
	/// bv_convex_cast_method_sampled, unless it finds a contact.
	bool certain;

	bool at_start; ///< they meet at time 0: then `lower` and `upper` are 0
	double lower; ///< the shapes do not meet before this time; if not found and certain, the end of the range
	double upper; ///< they meet at this time or before; infinite if that is not proven, and if not found
	bv_vec3 point[2]; ///< nearest points at time `lower`, on a and on b, in a's coordinates; 0 if not found

	/// Unit vector from a to b at time `lower`. At the start, that of bv_convex_distance. 0 if not found.
	bv_vec3 normal;

	uint32_t supports; ///< support points evaluated, of each shape
} bv_convex_cast_result;

/// Finds the first contact of two convex shapes that move along lines. Both are given at time 0, and all coordinates
/// are those of a at time 0. Shapes that do not move relative to each other meet at time 0 or never.
///
/// No contact is missed, and none is found too late: before `lower` a plane separates the shapes at each time. The
/// interval is at most as wide as the tolerance says, or as wide as rounding errors of coordinates allow at the speed
/// with which the shapes approach each other.
/// @param placement           from coordinates of b to those of a; null for the identity
/// @param motion_a, motion_b  displacement of each shape per unit of time; may be the zero vector
/// @param options             null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, as for bv_convex_overlap or if a motion exceeds
/// BV_MAX_LENGTH; bv_error_unsupported, with `*result` unchanged, if the method does not take such shapes
bv_status bv_convex_cast( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                          bv_vec3 motion_a, bv_vec3 motion_b, const bv_convex_cast_options* options,
                          bv_convex_cast_result* result );

#ifdef __cplusplus
}
#endif
