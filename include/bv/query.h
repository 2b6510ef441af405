// Queries on checked files: which triangles of two meshes intersect, how far apart two meshes are, and what of a mesh is nearest
// to a point, hit by a ray, touched by a moving shape, or met by a volume.
//
// Whether two things meet is answered conservatively: they do unless they are certainly apart, with the rounding of the
// arithmetic accounted for; what touches meets. What meshes are, and where: those of record of the files, placed by a pose or by a
// bv_transform, with their triangles' corners in binary64.
//
// Nothing is allocated, and nothing is kept between calls; bv_distance takes 120 kB of the stack, all others less. What a
// query on one file returns does not depend on its hierarchy, but for what ends at any hit and for counts of tests: of triangles that
// are equally near, to the last bit, the one with the least index is returned. What is refused leaves its result as it was.

#pragma once

#include "bv/base.h"
#include "bv/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What queries are given: no coordinate of a point, a direction or a translation, no radius and no half extent is larger. Lengths that
/// results are compared with, such as limits, may be.
#define BV_MAX_LENGTH 0x1p200

/// Called for each intersecting pair of triangles, indices into each file's triangles.
/// @return false to end the query
typedef bool bv_pair_callback( void* context, uint32_t triangle_a, uint32_t triangle_b );

/// How often each step was taken that bv_costs knows the cost of; bv_collide_result has the pairs of triangles.
typedef struct bv_test_counts
{
	uint64_t volumes[bv_volume_types][bv_volume_types]; ///< pairs of volumes compared: [type in a][type in b]
	uint64_t openings;                                  ///< nodes, of a or of b, whose children were compared
	uint64_t leaves;                                    ///< pairs of leaves whose triangles were compared
} bv_test_counts;

/// Which of two overlapping nodes is opened next, if neither is a leaf. Pairs that are found are the same.
typedef enum bv_expansion
{
	bv_expand_larger = 0, ///< the one with the larger volume (one-sided: Eckstein 1998, section 4.3.1)
	bv_expand_both,       ///< both: all pairs of their children (simultaneous: the same)

	/// That one, or both, for which the least product of tests and of what is left is expected (hybrid: section 4.3.2, where a
	/// tie between the two loses the pair; here the first is opened). What is left is the larger volume of what was opened, its worst
	/// child's, plus that of what was not. If both files have the section `node-quality` it goes by that: areas and costs in place
	/// of volumes and counts.
	bv_expand_hybrid,
	bv_expansions, ///< how many there are
} bv_expansion;

/// What bv_collide looks for.
typedef struct bv_collide_options
{
	bv_expansion expansion;     ///< default bv_expand_larger
	bool first;                 ///< end at the first pair; default false: all pairs
	bv_pair_callback* callback; ///< receives each pair; default null
	void* context;              ///< passed to the callback; default null
	bv_test_counts* counts;     ///< what is done is added to it; default null

	/// Give up soon after this many tests, of volumes and of triangles together; default 0, no limit. A result with more tests is
	/// not whole.
	uint64_t most_tests;

	/// With `first`: what was found of the same two files before, in another placement, such as that of the frame before. Its pair
	/// is compared first, and ends the query where it still meets. May be the result that this query fills. Not looked at
	/// without `first`, or where it has no pair; default null.
	const struct bv_collide_result* last;
} bv_collide_options;

/// What bv_collide found and what it cost.
typedef struct bv_collide_result
{
	uint64_t pairs;          ///< intersecting pairs of triangles found
	uint64_t volume_tests;   ///< pairs of volumes compared: the sum of bv_test_counts.volumes
	uint64_t triangle_tests; ///< pairs of triangles compared
	uint32_t triangles[2];   ///< the latest of the pairs: of a, and of b; 0 where there is none
} bv_collide_result;

/// @return the defaults above
bv_collide_options bv_collide_options_default( void );

/// Finds the pairs of triangles of `a` and `b` that intersect. Descends both hierarchies together. Boxes are compared by
/// the 15 separating axes of Gottschalk, Lin and Manocha 1996, balls and rectangle swept spheres by distances, k-DOPs by
/// their intervals along both's directions.
/// Which pairs are found does not depend on the hierarchies, but for triangles that are too near each other, at their
/// distance from the origin, to be told apart: those are found unless volumes show that they are apart.
/// @param b_in_a   takes b's coordinates to a's; null where they are the same
/// @param options  null for the defaults
/// @param result   receives counts, also when the callback ended the query
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves farther than BV_MAX_LENGTH,
///         the expansion is none, a triangle of `last` is none, or a file has no hierarchy
bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result );

/// A point of a mesh's surface.
typedef struct bv_surface_point
{
	uint32_t triangle; ///< index into the file's triangles
	double weight
		[3]; ///< barycentric coordinates: of the triangle's corners, none below 0 but for rounding, with the sum 1
	bv_vec3 point; ///< in the coordinates of the query
	bv_vec3 local; ///< in the file's own
} bv_surface_point;

/// How far bv_distance looks, and how exactly.
typedef struct bv_distance_options
{
	double limit;    ///< only distances below this are looked for; default infinity
	double relative; ///< the distance may be too great by this part of it; default 0
	double absolute; ///< or by this, in coordinates of `a`; default 0

	/// Give up soon after this many tests, of volumes and of triangles together; default 0, no limit. Of a result with more tests
	/// the distance may be far too great.
	uint64_t most_tests;

	/// What was found of the same two files before, in another placement, such as that of the frame before. Its triangles are
	/// measured first, so that what is farther apart is left out from the start. The distance is the same, where `relative`
	/// and `absolute` are 0; of pairs that are equally near that one is returned. May be the result that this query fills. Not
	/// looked at where nothing was found; default null.
	const struct bv_distance_result* last;
} bv_distance_options;

/// The nearest points of two meshes.
typedef struct bv_distance_result
{
	bool found;              ///< whether the distance is below the limit
	double distance;         ///< in coordinates of `a`; 0 when the meshes meet; infinity where not found
	bv_surface_point a;      ///< where it is on `a`; a common point when they meet
	bv_surface_point b;      ///< where it is on `b`; its point is in coordinates of `a`
	uint64_t volume_tests;   ///< pairs of bounding volumes compared
	uint64_t triangle_tests; ///< pairs of triangles compared
} bv_distance_result;

/// @return the defaults above
bv_distance_options bv_distance_options_default( void );

/// Finds the distance of two meshes and where they are nearest. Surfaces, not solids, are compared: a mesh inside of another one
/// is not at distance 0. Descends both hierarchies together, the nearest volumes first, always into the larger volume,
/// and leaves out what is farther apart than what was found (Larsen, Gottschalk, Lin and Manocha 1999).
/// @param b_in_a   takes b's coordinates to a's; null where they are the same
/// @param options  null for the defaults
/// @param result   receives the nearest points where found, and counts
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves too far, an option is
///         not a number or below 0, a triangle of `last` is none, or a file has no hierarchy
bv_status bv_distance( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                       const bv_distance_options* options, bv_distance_result* result );

/// The nearest point of a mesh.
typedef struct bv_closest_result
{
	bool found;          ///< whether the distance is below the limit
	double distance;     ///< in the coordinates of the query; infinity where not found
	bv_surface_point at; ///< where it is
	bool back;           ///< the point of the query is behind the triangle
	int feature; ///< of the triangle: 0 to 2 a corner, 3 to 5 the side from corner 0 to 2 to the next, 6 its face
	uint64_t volume_tests;   ///< bounding volumes looked at
	uint64_t triangle_tests; ///< triangles looked at
} bv_closest_result;

/// Finds the point of a mesh that is nearest to a point.
/// @param placement  takes the file's coordinates to those of the query; null where they are the same
/// @param point      no coordinate above BV_MAX_LENGTH
/// @param limit      only distances below this are looked for, 0 or more; infinity for no limit
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves too far, the point is too far
///         away, the limit is no number or below 0, or the file has no hierarchy
bv_status bv_closest_point( const bv_file* file, const bv_transform* placement, bv_vec3 point, double limit,
                            bv_closest_result* result );

/// A half line, or a part of it.
typedef struct bv_ray
{
	bv_vec3 origin; ///< where it starts
	bv_vec3
		direction; ///< the unit of its times; of any length from 1 / BV_MAX_LENGTH, the sum of its coordinates' magnitudes
	double from; ///< the first time that counts, 0 or more and finite
	double to;   ///< the last time that counts, 0 or more; infinity for a half line
} bv_ray;

/// Called for each triangle that is found.
/// @return false to end the query
typedef bool bv_triangle_callback( void* context, uint32_t triangle );

/// Which hits of a ray count.
typedef struct bv_ray_options
{
	bool any;    ///< end at any hit, not the first one on the way; default false
	bool fronts; ///< triangles seen from the front count; default true
	bool backs;  ///< triangles seen from behind count; default true
} bv_ray_options;

/// Where a ray meets a mesh.
typedef struct bv_ray_result
{
	bool found;              ///< whether it does
	double time;             ///< the point is at origin + time * direction
	bv_surface_point at;     ///< where it is
	bool back;               ///< the ray comes from behind the triangle
	uint64_t volume_tests;   ///< bounding volumes looked at
	uint64_t triangle_tests; ///< triangles looked at
} bv_ray_result;

/// @return the defaults above
bv_ray_options bv_ray_options_default( void );

/// Finds where a ray first meets a mesh. Watertight: no ray passes between triangles with common corners (Woop, Benthin, Wald 2013).
/// Triangles that it runs along are not met.
/// @param placement  takes the file's coordinates to those of the ray; null where they are the same
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves too far, a number of the ray
///         is not as bv_ray says, or the file has no hierarchy
bv_status bv_cast_ray( const bv_file* file, const bv_transform* placement, const bv_ray* ray,
                       const bv_ray_options* options, bv_ray_result* result );

/// All points no farther than `radius` from the convex hull of some points: a ball is one point, a capsule its two ends, a box its
/// eight corners.
typedef struct bv_shape
{
	const bv_vec3* points; ///< count of them; those within the hull do no harm but take time
	uint32_t count;        ///< at least 1
	double radius;         ///< 0 to BV_MAX_LENGTH
} bv_shape;

/// Which hits of a moving shape count.
typedef struct bv_cast_options
{
	double limit; ///< the last time that counts, 0 or more; default 1
	double
		tolerance; ///< what passes the shape no farther away than this may count as met, and the shape is no farther from what it
	///< meets; 0 to BV_MAX_LENGTH, default 0. At least 2^-44 of what shape and triangle and the way from one to
	///< the other at the start measure together is taken
} bv_cast_options;

/// Where a moving shape first meets a mesh.
typedef struct bv_cast_result
{
	bool found;            ///< whether it does
	bool at_start;         ///< it does before it moves
	double time;           ///< not later than the first contact, but for rounding; 0 at the start
	bv_surface_point at;   ///< the point of the mesh that is nearest to the shape at that time
	bv_vec3 normal;        ///< unit vector from there to the shape; null where their hulls meet at the start
	bool back;             ///< the shape moves the way the triangle faces
	uint64_t volume_tests; ///< bounding volumes looked at
	uint64_t triangle_tests; ///< triangles looked at
} bv_cast_result;

/// @return the defaults above
bv_cast_options bv_cast_options_default( void );

/// Finds when a shape that moves along a line first meets a mesh. The time is never later than that of the true contact but for
/// rounding, and no contact deeper than the tolerance is missed.
/// @param placement  takes the file's coordinates to those of the shape; null where they are the same
/// @param motion     by which the shape moves in a unit of time; may be null
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves too far, shape and options are not as
///         said above, the motion is no number or too far, or the file has no hierarchy
bv_status bv_cast_shape( const bv_file* file, const bv_transform* placement, const bv_shape* shape,
                         bv_vec3 motion, const bv_cast_options* options, bv_cast_result* result );

/// What an overlap query looks for.
typedef struct bv_overlap_options
{
	bool first;                     ///< end at the first triangle; default false: all of them
	bv_triangle_callback* callback; ///< receives each triangle; default null
	void* context;                  ///< passed to the callback; default null
} bv_overlap_options;

/// What an overlap query found.
typedef struct bv_overlap_result
{
	uint64_t triangles;      ///< that the volume meets
	uint64_t volume_tests;   ///< bounding volumes looked at
	uint64_t triangle_tests; ///< triangles looked at
} bv_overlap_result;

/// @return the defaults above
bv_overlap_options bv_overlap_options_default( void );

/// Finds the triangles of a mesh that meet a solid ball. Surfaces, not solids, are compared, here and below.
/// @param placement  takes the file's coordinates to those of the ball; null where they are the same
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument when another pointer is null, the transform is not valid or moves too far, a number of the ball
///         is below 0, none or above BV_MAX_LENGTH, or the file has no hierarchy
bv_status bv_overlap_sphere( const bv_file* file, const bv_transform* placement, const bv_sphere* ball,
                             const bv_overlap_options* options, bv_overlap_result* result );

/// The same of a solid axis-aligned box; bv_error_argument where its lower corner is above its upper one.
bv_status bv_overlap_aabb( const bv_file* file, const bv_transform* placement, const bv_aabb* box,
                           const bv_overlap_options* options, bv_overlap_result* result );

/// The same of a solid oriented box; bv_error_argument where its axes are no right-handed orthonormal frame to 1e-4.
bv_status bv_overlap_obb( const bv_file* file, const bv_transform* placement, const bv_obb* box,
                          const bv_overlap_options* options, bv_overlap_result* result );

/// The same of a solid convex shape.
bv_status bv_overlap_shape( const bv_file* file, const bv_transform* placement, const bv_shape* shape,
                            const bv_overlap_options* options, bv_overlap_result* result );

#ifdef __cplusplus
}
#endif
