// Queries on the meshes of checked files: collision and distance of two meshes; closest point, ray, moving
// shape, overlap and distance of one mesh and something else. Rays and points can be queried in batches.
//
//     #include <bv/mesh.h>
//
//     // Returns whether two meshes intersect when mesh b is moved by (x, y, z).
//     bool touch( const bv_file* a, const bv_file* b, double x, double y, double z )
//     {
//         bv_transform b_in_a = bv_transform_translation( x, y, z );
//         bv_collide_options options = { .first = true };         // the first pair of triangles is enough
//         bv_collide_result result;
//         return bv_mesh_collide( a, b, &b_in_a, &options, &result ) == bv_ok && result.pairs > 0;
//     }
//
// All queries have the form ( files, placement, what to look for, options, result ). Options that are
// zero-initialized are the defaults: `..._default()` returns the same, and null stands for them. On error
// `*result` is unchanged.
//
// The placement of two meshes is from coordinates of `b` to those of `a`; results are in coordinates of `a`.
// The placement of one mesh is from coordinates of its file to those in which the rest of the query and the
// results are: with the mesh's transform to the world, rays, points and hits are in the world. A shape that
// belongs to another object can stay in the coordinates of that object: the placement is then
// bv_transform_between( &object_in_world, &mesh_in_world ).
//
// Files need a hierarchy, which bvbuild writes unless it is told otherwise; without one queries return
// bv_error_argument. Lengths have the unit of the mesh, times the scale of the placement.
//
// Intersection tests are conservative. They report an intersection unless the objects are certainly apart,
// with the rounding errors of the arithmetic taken into account. Objects that touch intersect. The meshes are
// the meshes of record of the files, placed by a transform, with the corners of their triangles in binary64.
// Triangles without area, which meshes that bend can have, are segments and points. Rays do not hit them.
//
// Queries compare surfaces, not solids: an object inside a closed mesh that does not touch its triangles does
// not meet it.
//
// Queries allocate no memory, keep no state between calls and take at most 16 kB of the stack. The result
// of a query against one file does not depend on its hierarchy, except for queries that end at any hit and
// for the numbers of tests. If several triangles are equally near, to the last bit, such a query returns the
// one with the smallest index.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called for each intersecting pair of triangles. The indices refer to the triangles of each file.
/// @return false to end the query
typedef bool bv_pair_callback( void* context, uint32_t triangle_a, uint32_t triangle_b );

/// An array of the caller's for pairs of triangles. Zero-initialized it only counts.
typedef struct bv_pair_list
{
	size_t most; ///< end the query after so many pairs; default 0, no limit
	uint32_t ( *pairs )
		[2]; ///< room for `capacity` pairs: triangle of a, triangle of b; may be null without capacity
	size_t capacity; ///< the most pairs that are stored
	size_t count;    ///< pairs received, also those without room
} bv_pair_list;

/// A bv_pair_callback that stores pairs. If `count` exceeds `capacity` after the query, a second one with more room gets all.
/// @param list  a bv_pair_list
/// @return false if `most` pairs were received
bool bv_pair_list_add( void* list, uint32_t triangle_a, uint32_t triangle_b );

/// The number of times that each step of bv_costs was taken. The number of triangle pairs is in
/// bv_collide_result.
typedef struct bv_test_counts
{
	uint64_t volumes[bv_volume_types][bv_volume_types]; ///< pairs of volumes tested: [type in a][type in b]
	uint64_t openings;                                  ///< nodes, of a or of b, whose children were tested
	uint64_t leaves;                                    ///< pairs of leaves whose triangles were tested
} bv_test_counts;

/// Selects the node that is opened next when two inner nodes overlap. The set of pairs found is the same for
/// all.
typedef enum bv_expansion
{
	bv_expand_larger = 0, ///< the node with the larger volume (one-sided: Eckstein 1998, section 4.3.1)
	bv_expand_both,       ///< both nodes: all pairs of their children (simultaneous: section 4.3.1)

	/// One of the nodes or both, whichever minimizes the product of the number of tests and the expected
	/// remaining volume (hybrid: section 4.3.2). The remaining volume is the sum, over both nodes, of the
	/// largest child's volume if the node would be opened, and otherwise of its own volume. If both files
	/// have the section `node-quality`, its areas and costs are used instead of volumes and numbers of tests.
	/// In a tie, opening both nodes is preferred, and then opening the node of the first file.
	bv_expand_hybrid,

	bv_expansions, ///< the number of strategies
} bv_expansion;

/// Options of bv_mesh_collide.
typedef struct bv_collide_options
{
	bool first;                 ///< end at the first pair; default false: find all pairs
	bv_expansion expansion;     ///< default bv_expand_larger
	bv_pair_callback* callback; ///< receives each pair; default null
	void* context;              ///< passed to the callback; default null
	bv_test_counts* counts;     ///< the steps taken are added to it; default null

	/// Give up soon after this many tests of volumes and triangles; default 0, no limit. If the result
	/// reports more tests than this, it is incomplete.
	uint64_t most_tests;

	/// Used only with `first`: a previous result for the same two files in another placement, such as that of
	/// the previous frame. Its pair is tested first and ends the query if it still intersects. A result
	/// without a pair is ignored. May point to the result that this query fills. Default null.
	const struct bv_collide_result* last;
} bv_collide_options;

/// Result of bv_mesh_collide.
typedef struct bv_collide_result
{
	uint64_t pairs;          ///< intersecting pairs of triangles found
	uint64_t volume_tests;   ///< pairs of volumes tested: the sum of bv_test_counts.volumes
	uint64_t triangle_tests; ///< pairs of triangles tested
	uint32_t triangles[2];   ///< the last pair found: triangle of a, triangle of b; 0 before the first
} bv_collide_result;

/// @return the defaults listed in bv_collide_options
bv_collide_options bv_collide_options_default( void );

/// Finds the intersecting pairs of triangles of two meshes by descending both hierarchies together. Boxes are
/// tested with the 15 separating axes of Gottschalk, Lin, Manocha 1996, balls and rectangle swept spheres by
/// their distance, and k-DOPs by their intervals along the directions of both.
///
/// The pairs found do not depend on the hierarchies, except for pairs of triangles that are too close to be
/// separated at their distance from the origin. Such a pair is reported unless bounding volumes separate it.
/// @param b_in_a   from coordinates of `b` to coordinates of `a`; null for the identity
/// @param options  null for the defaults
/// @param result   receives the counts, also if the callback ended the query
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, the expansion is invalid, `last` names a triangle that is out of range, or a file
/// has no hierarchy
bv_status bv_mesh_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                           const bv_collide_options* options, bv_collide_result* result );

/// A point on the surface of a mesh.
typedef struct bv_surface_point
{
	uint32_t triangle;  ///< index of a triangle of the file
	bv_feature feature; ///< of the triangle: the corners whose weights are above 0
	double weight[3];   ///< barycentric coordinates; sum 1, not negative except for rounding
	bv_vec3 point;      ///< in coordinates of the query
	bv_vec3 local;      ///< in coordinates of the file

	/// Unit normal of the triangle's front, in coordinates of the query: the front is where the corners run
	/// counterclockwise in the file, also if the placement mirrors. Negate it for hits of the back. Zero if
	/// the triangle has no area.
	bv_vec3 normal;
} bv_surface_point;

/// The least size of bv_distance_options.scratch, and a size that is enough for nearly all queries, bytes.
#define BV_DISTANCE_SCRATCH_LEAST 512
#define BV_DISTANCE_SCRATCH_AMPLE 131072

/// Options of bv_mesh_distance.
typedef struct bv_distance_options
{
	double limit;    ///< find only distances smaller than this; default 0, no limit
	double relative; ///< allowed overestimate as a fraction of the distance; default 0
	double absolute; ///< allowed overestimate in coordinates of `a`; default 0

	/// Give up soon after this many tests of volumes and triangles; default 0, no limit. If the result
	/// reports more tests than this, its distance may be far too large.
	uint64_t most_tests;

	/// A previous result for the same two files in another placement, such as that of the previous frame. Its
	/// triangles are measured first, so that pairs that are farther apart are pruned from the start. If
	/// `relative` and `absolute` are 0, the distance found is the same as without it. If several pairs are
	/// equally near, this pair is returned. A result in which nothing was found is ignored. May point to the
	/// result that this query fills. Default null.
	const struct bv_distance_result* last;

	/// Memory of the caller for pairs of nodes that wait, 8-byte aligned. If pairs do not fit into it, the
	/// query takes more tests, and can return another one of several pairs of triangles that are equally
	/// near. The distance does not depend on it. Default null: 10 kB of the stack.
	void* scratch;

	size_t scratch_bytes; ///< size of `scratch`, at least BV_DISTANCE_SCRATCH_LEAST; ignored without it
} bv_distance_options;

/// Result of bv_mesh_distance.
typedef struct bv_distance_result
{
	bool found;              ///< the distance is smaller than the limit
	double distance;         ///< in coordinates of `a`; 0 if the meshes intersect; infinity if not found
	bv_surface_point a;      ///< nearest point on `a`; a common point if the meshes intersect
	bv_surface_point b;      ///< nearest point on `b`, with `point` and `normal` in coordinates of `a`
	uint64_t volume_tests;   ///< pairs of bounding volumes tested
	uint64_t triangle_tests; ///< pairs of triangles tested
} bv_distance_result;

/// @return the defaults listed in bv_distance_options
bv_distance_options bv_distance_options_default( void );

/// Finds the distance of two meshes and their nearest points. The distance is that of the surfaces: a mesh
/// inside another mesh does not have distance 0. Both hierarchies are descended together. The nearest pair of
/// volumes comes first, the larger volume of a pair is opened, and pairs farther apart than the best distance
/// so far are pruned (Larsen, Gottschalk, Lin, Manocha 1999).
/// @param b_in_a   from coordinates of `b` to coordinates of `a`; null for the identity
/// @param options  null for the defaults
/// @param result   receives the nearest points, if found, and the counts
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, an option is NaN or negative, `last` names a triangle that is out of range, the
/// scratch memory is misaligned or too small, or a file has no hierarchy
bv_status bv_mesh_distance( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                            const bv_distance_options* options, bv_distance_result* result );

/// Options of bv_mesh_closest_point and bv_mesh_closest_points.
typedef struct bv_closest_options
{
	double limit; ///< find only distances smaller than this; default 0, no limit
} bv_closest_options;

/// Result of bv_mesh_closest_point.
typedef struct bv_closest_result
{
	bool found;              ///< the distance is smaller than the limit
	double distance;         ///< in coordinates of the query; infinity if not found
	bv_surface_point at;     ///< the closest point of the mesh
	bool back;               ///< the query point is behind the triangle
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_closest_result;

/// @return the defaults listed in bv_closest_options
bv_closest_options bv_closest_options_default( void );

/// Finds the point of a mesh that is closest to a given point.
/// @param placement  from coordinates of the file to those of the query; null for the identity
/// @param point      coordinates up to BV_MAX_LENGTH
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, the point is out of range, the limit is NaN or negative, or the file has no
/// hierarchy
bv_status bv_mesh_closest_point( const bv_file* file, const bv_transform* placement, bv_vec3 point,
                                 const bv_closest_options* options, bv_closest_result* result );

/// On which side of a closed mesh a point is.
typedef enum bv_side
{
	bv_side_unknown = 0, ///< the mesh bounds no solid there, or rounding errors leave it open
	bv_side_outside,     ///< in front of the surface that is nearest
	bv_side_inside,      ///< behind it
	bv_sides,            ///< the number of sides
} bv_side;

/// Options of bv_mesh_contains. Zero-initialized options are the defaults.
typedef struct bv_contains_options
{
	double limit; ///< the side is unknown of points that are not nearer than this; default 0, no limit
} bv_contains_options;

/// Result of bv_mesh_contains.
typedef struct bv_contains_result
{
	bool found;              ///< the distance is smaller than the limit
	bv_side side;            ///< whether the point is inside
	double distance;         ///< of the surface, in coordinates of the query; infinity if not found
	bv_surface_point at;     ///< the closest point of the mesh
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_contains_result;

/// @return the defaults listed in bv_contains_options
bv_contains_options bv_contains_options_default( void );

/// Finds out whether a point is in the solid that a mesh bounds, by the side of the surface that is nearest
/// to it. `distance` and `at` are those of bv_mesh_closest_point. Experimental: may change until the next
/// minor version.
///
/// The side is certain, with rounding errors taken into account, if the mesh is closed and oriented, its
/// triangles intersect only along common edges and corners, and all of it faces outward: out of the solid.
/// The side is unknown:
/// - for all points, if bv_mesh_info.closed or .oriented is false
/// - if the nearest point is on an edge of more than two triangles, or on triangles that coincide
/// - if the point is closer to the surface than about 2^-45 of the coordinates of mesh and point; with a
///   placement 2^-42. A point far away, from some 10^10 mesh sizes on, is close in this sense.
/// - if rounding errors leave open which triangles are nearest. This happens in strips about as thin as that
///   beside the edges of acute corners and beside needles, at any distance from the surface.
///
/// The rule is local, unlike winding numbers. If components are nested and face the same way, points between
/// them are outside if the inner one is nearer. If all triangles face inward, inside and outside are
/// exchanged. If the mesh intersects itself, the answer is for the surface that is nearest.
/// @param placement  from coordinates of the file to those of the query; null for the identity
/// @param point      coordinates up to BV_MAX_LENGTH
/// @param options    null for the defaults
/// @return bv_ok, also if the side is unknown; bv_error_argument if another pointer is null, the transform is
/// invalid or its translation exceeds BV_MAX_LENGTH, the point is out of range, the limit is NaN or negative,
/// or the file has no hierarchy
bv_status bv_mesh_contains( const bv_file* file, const bv_transform* placement, bv_vec3 point,
                            const bv_contains_options* options, bv_contains_result* result );

/// A ray, or a segment of it: the points origin + time * direction, where from <= time <= to. If `to` is 0,
/// the ray has no end. The sum of the absolute values of the direction's coordinates is at least 1 /
/// BV_MAX_LENGTH. The direction need not have unit length.
typedef struct bv_ray
{
	bv_vec3 origin;    ///< the point at time 0
	bv_vec3 direction; ///< velocity: the distance traveled in one unit of time
	double from;       ///< start of the time range, not negative and finite
	double to;         ///< end of the time range, not negative; 0 or infinity for a half line
} bv_ray;

/// Types of the numbers in an array.
typedef enum bv_number
{
	bv_number_float = 0, ///< IEEE 754 binary32
	bv_number_double,    ///< IEEE 754 binary64
	bv_numbers,          ///< the number of types
} bv_number;

/// An array of numbers or vectors in memory of the caller, such as a vertex buffer or an array of NumPy. The
/// element i begins at the address `data` + i * `stride`. A vector is three numbers, one behind the other.
/// Elements may have any alignment and may overlap.
typedef struct bv_array
{
	const void* data; ///< the element 0; null if the array is optional and missing
	ptrdiff_t stride; ///< bytes to the next element; may be negative; 0 repeats one element
	bv_number type;   ///< of the numbers; must be valid even if the array is missing
} bv_array;

/// Called for each triangle that is found.
/// @return false to end the query
typedef bool bv_triangle_callback( void* context, uint32_t triangle );

/// An array of the caller's for triangles. Zero-initialized it only counts.
typedef struct bv_triangle_list
{
	size_t most;         ///< end the query after so many triangles; default 0, no limit
	uint32_t* triangles; ///< room for `capacity` of them; may be null without capacity
	size_t capacity;     ///< the most triangles that are stored
	size_t count;        ///< triangles received, also those without room
} bv_triangle_list;

/// A bv_triangle_callback that stores triangles, as bv_pair_list_add stores pairs.
/// @param list  a bv_triangle_list
/// @return false if `most` triangles were received
bool bv_triangle_list_add( void* list, uint32_t triangle );

/// Result of bv_mesh_cast_ray.
typedef struct bv_ray_result
{
	bool found;              ///< the ray hits the mesh
	double time;             ///< the hit is at origin + time * direction
	bv_surface_point at;     ///< the hit
	bool back;               ///< the ray hits the back of the triangle
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_ray_result;

/// Called for each hit of a ray.
/// @param ray  its index in the batch; 0 for bv_mesh_cast_ray
/// @param hit  as a result with this hit alone; its numbers of tests are 0. Valid during the call
/// @return false to end the query of this ray
typedef bool bv_ray_callback( void* context, size_t ray, const bv_ray_result* hit );

/// Options of bv_mesh_cast_ray.
typedef struct bv_ray_options
{
	bool any;       ///< end at any hit instead of the first one along the ray; default false
	bool no_fronts; ///< ignore front faces; default false
	bool no_backs;  ///< ignore back faces; default false

	/// Receives all hits, not only the first one: each triangle that the ray hits once, in an order that
	/// depends on the hierarchy, not on time. A ray exactly through an edge or corner can hit several
	/// triangles there. The result is the first along the ray of the hits that were reported. With `any` the
	/// query ends after one report. Default null.
	bv_ray_callback* callback;
	void* context; ///< passed to the callback; default null
} bv_ray_options;

/// @return the defaults listed in bv_ray_options
bv_ray_options bv_ray_options_default( void );

/// Finds the first hit of a ray. The test is watertight: no ray passes between triangles with common corners
/// (Woop, Benthin, Wald 2013). Triangles that are parallel to the ray and contain it are not hit.
/// @param placement  from coordinates of the file to those of the ray; null for the identity
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, a member of the ray is out of the range given in bv_ray, or the file has no
/// hierarchy
bv_status bv_mesh_cast_ray( const bv_file* file, const bv_transform* placement, const bv_ray* ray,
                            const bv_ray_options* options, bv_ray_result* result );

/// Rays of a batch. The members have the units and ranges of those of bv_ray.
typedef struct bv_rays
{
	size_t count;       ///< number of rays; 0 is allowed
	bv_array origin;    ///< vectors
	bv_array direction; ///< vectors
	bv_array from;      ///< numbers; if missing, 0 for all rays
	bv_array to;        ///< numbers; if missing, 0 for all rays, which are half lines
} bv_rays;

/// Casts many rays. On large meshes this takes less time than single calls. The result of each ray is that of
/// bv_mesh_cast_ray, to the last bit, except that the numbers of tests may differ, and that with `any`
/// another hit of the ray may be reported. The results do not depend on the other rays of the batch or on
/// their order.
///
/// All rays are checked before the first one is cast. If one of them is out of range, the whole batch fails
/// and all results are unchanged.
/// @param placement  from coordinates of the file to those of the rays; null for the identity
/// @param options    of all rays; null for the defaults
/// @param results    receives one result per ray; must not overlap the arrays; may be null if there are no
///                   rays
/// @param invalid    receives the index of the first ray that is out of range; SIZE_MAX on success and on
///                   other errors; may be null
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, an array has an invalid type, a ray is out of range, or the file has no hierarchy
bv_status bv_mesh_cast_rays( const bv_file* file, const bv_transform* placement, const bv_rays* rays,
                             const bv_ray_options* options, bv_ray_result* results, size_t* invalid );

/// Points of a batch.
typedef struct bv_points
{
	size_t count;   ///< number of points; 0 is allowed
	bv_array point; ///< vectors; coordinates up to BV_MAX_LENGTH

	/// numbers: a limit of each point, beside that of the options; if missing, 0 for all points
	bv_array limit;
} bv_points;

/// Finds the points of a mesh that are closest to many given points. On large meshes this takes less time
/// than single calls, most of all if many of the points are close to each other. Their order does not matter.
/// The result of each point is that of bv_mesh_closest_point, to the last bit, except that the numbers of
/// tests may differ. Errors are as for bv_mesh_cast_rays: if one point or limit is out of range, the whole
/// batch fails and all results are unchanged.
/// @param placement  from coordinates of the file to those of the points; null for the identity
/// @param options    of all points; null for the defaults
/// @param results    receives one result per point; must not overlap the arrays; may be null if there are no
///                   points
/// @param invalid    receives the index of the first point that is out of range or has such a limit; SIZE_MAX
///                   on success and on other errors; may be null
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, an array has an invalid type, a point or a limit is out of range, or the file has
/// no hierarchy
bv_status bv_mesh_closest_points( const bv_file* file, const bv_transform* placement, const bv_points* points,
                                  const bv_closest_options* options, bv_closest_result* results,
                                  size_t* invalid );

/// Finds out of many points whether they are in the solid that a mesh bounds. The result of each point is that of
/// bv_mesh_contains, to the last bit. Errors are as for bv_mesh_closest_points. Experimental: may change until the next
/// minor version.
/// @param placement  from coordinates of the file to those of the points; null for the identity
/// @param options    of all points; null for the defaults
/// @param results    receives one result per point; must not overlap the arrays; may be null if there are no
///                   points
/// @param invalid    as for bv_mesh_closest_points
/// @return as bv_mesh_closest_points
bv_status bv_mesh_contains_points( const bv_file* file, const bv_transform* placement,
                                   const bv_points* points, const bv_contains_options* options,
                                   bv_contains_result* results, size_t* invalid );

/// Options of bv_mesh_cast_convex.
typedef struct bv_cast_options
{
	/// End of the time range, not negative. The default is 0, which stands for 1: the motion once. Infinity
	/// for no end.
	double limit;

	/// Triangles that pass the shape within this distance may be reported as hit, and at a hit the shape is
	/// at most this far from the triangle. From 0 to BV_MAX_LENGTH, default 0. The tolerance used is at least
	/// 2^-44, for a shape that is not made of points, corners or a box 2^-42, of the combined size of the
	/// shape, the triangle and the distance between them at the start.
	double tolerance;
} bv_cast_options;

/// Result of bv_mesh_cast_convex.
typedef struct bv_cast_result
{
	bool found;          ///< the shape hits the mesh at a finite time
	bool at_start;       ///< the shape meets the mesh before it moves
	double time;         ///< not later than the first contact, except for rounding; 0 if at_start
	bv_surface_point at; ///< point of the mesh that is closest to the shape at that time

	/// Unit vector from that point to the shape; 0 if the convex hull of the shape's points touches the
	/// triangle at the start. At edges and corners it is not the normal of the triangle, at.normal.
	bv_vec3 normal;

	bool back;               ///< the shape moves in the direction that the triangle faces
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_cast_result;

/// @return the defaults listed in bv_cast_options
bv_cast_options bv_cast_options_default( void );

/// Finds the first contact of a mesh with a convex shape that moves along a line. The time found is not later
/// than that of the true contact, except for rounding. No contact deeper than the tolerance is missed.
/// @param placement  from coordinates of the file to those of the shape; null for the identity
/// @param motion     displacement of the shape per unit of time; may be the zero vector
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, the shape, the motion or an option is out of range, or the file has no hierarchy
bv_status bv_mesh_cast_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                               bv_vec3 motion, const bv_cast_options* options, bv_cast_result* result );

/// Options of the overlap queries.
typedef struct bv_overlap_options
{
	bool first;                     ///< end at the first triangle; default false: find all
	bv_triangle_callback* callback; ///< receives each triangle; default null
	void* context;                  ///< passed to the callback; default null
} bv_overlap_options;

/// Result of the overlap queries.
typedef struct bv_overlap_result
{
	uint64_t triangles;      ///< triangles found that intersect the volume
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_overlap_result;

/// @return the defaults listed in bv_overlap_options
bv_overlap_options bv_overlap_options_default( void );

/// Finds the triangles of a mesh that intersect a solid ball. A triangle inside the volume intersects it.
/// @param placement  from coordinates of the file to those of the ball; null for the identity
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, a member of the ball is NaN or above BV_MAX_LENGTH, the radius is negative, or the
/// file has no hierarchy
bv_status bv_mesh_overlap_sphere( const bv_file* file, const bv_transform* placement, const bv_sphere* ball,
                                  const bv_overlap_options* options, bv_overlap_result* result );

/// Finds the triangles of a mesh that intersect a solid axis-aligned box. Parameters and errors are as for
/// bv_mesh_overlap_sphere; also bv_error_argument if a lower coordinate is above the upper one.
bv_status bv_mesh_overlap_aabb( const bv_file* file, const bv_transform* placement, const bv_aabb* box,
                                const bv_overlap_options* options, bv_overlap_result* result );

/// Finds the triangles of a mesh that intersect a solid oriented box. Parameters and errors are as for
/// bv_mesh_overlap_sphere; also bv_error_argument if the axes are not a right-handed frame that is
/// orthonormal to 1e-4.
bv_status bv_mesh_overlap_obb( const bv_file* file, const bv_transform* placement, const bv_obb* box,
                               const bv_overlap_options* options, bv_overlap_result* result );

/// Finds the triangles of a mesh that intersect a solid convex shape. Parameters and errors are as for
/// bv_mesh_overlap_sphere; also bv_error_argument if the shape is invalid.
bv_status bv_mesh_overlap_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                  const bv_overlap_options* options, bv_overlap_result* result );

/// Options of bv_mesh_distance_convex. Zero-initialized options are the defaults.
typedef struct bv_mesh_convex_options
{
	double limit; ///< find only distances smaller than this; default 0, no limit
} bv_mesh_convex_options;

/// Result of bv_mesh_distance_convex.
typedef struct bv_mesh_convex_result
{
	bool found; ///< the distance is smaller than the limit; otherwise only `lower` and the counts are set

	/// The distance of the shape from the surface of the mesh is not smaller. If nothing was found, the limit
	/// or a little less.
	double lower;

	double upper;        ///< and not larger; infinity if nothing was found; 0 if the shape meets the mesh
	bv_surface_point at; ///< nearest point of the mesh; a point next to both if they meet
	bv_vec3 point;       ///< nearest point of the shape
	bv_vec3 normal; ///< unit vector from the mesh to the shape; if they meet, it may be that of the triangle
	uint64_t volume_tests;   ///< bounding volumes tested
	uint64_t triangle_tests; ///< triangles tested
} bv_mesh_convex_result;

/// @return the defaults listed in bv_mesh_convex_options
bv_mesh_convex_options bv_mesh_convex_options_default( void );

/// Finds the distance of a convex shape from the surface of a mesh, as an interval that contains the true
/// value, and the nearest points. A shape inside a closed mesh that does not meet its triangles has a
/// positive distance. Experimental: may change until the next minor version.
/// @param placement  from coordinates of the file to those of the shape; null for the identity
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument if another pointer is null, the transform is invalid or its translation
/// exceeds BV_MAX_LENGTH, the shape is invalid, the limit is negative or NaN, or the file has no hierarchy
bv_status bv_mesh_distance_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                   const bv_mesh_convex_options* options, bv_mesh_convex_result* result );

#ifdef __cplusplus
}
#endif
