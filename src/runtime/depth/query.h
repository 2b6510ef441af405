// What the parts of a query of depth share. Everything that takes room is in the caller's memory, because the queries that
// are called take most of the stack.

#pragma once

#include "bv/depth.h"
#include "bv/motion.h"
#include "runtime/depth/solid.h"
#include "runtime/motion/sweep.h"

/// A ball of translations after each of which the meshes overlap: that of all differences of points of two balls, each of them inside
/// of one mesh. One of these balls can be a point of a surface.
typedef struct bvdepth_cover
{
	bv_vec3 center; ///< of the translations
	double radius;
	bv_vec3 point[2]; ///< the centers of both balls, in stored coordinates of each file
	double inside[2]; ///< their radii, in stored coordinates of a
} bvdepth_cover;

/// The translations after which two boxes, one inside of each mesh, have a common point.
typedef struct bvdepth_zonotope
{
	bv_vec3 center;
	uint32_t count;     ///< of pairs of faces
	bv_vec3 normal[15]; ///< unit vectors
	double reach[15];   ///< of the pair of faces, from the center
} bvdepth_zonotope;

/// A cube of translations. Its side is that of the first one, divided by 2^level.
typedef struct bvdepth_cell
{
	double order;   ///< no translation of it is shorter
	uint32_t at[3]; ///< which of the cubes of this level
	uint32_t level;
} bvdepth_cell;

/// What a placement was found to be.
typedef enum bvdepth_verdict
{
	bvdepth_meet = 0, ///< surfaces meet, or that is not known
	bvdepth_inside,   ///< a point of one mesh is inside of the other
	bvdepth_apart,    ///< proven
} bvdepth_verdict;

enum
{
	bvdepth_sweep_bytes = 4096,
	bvdepth_pairs = 16,
	bvdepth_zonotopes = 8,
	bvdepth_planes = 6, // the most planes of contact that a local search keeps
};

/// One query.
typedef struct bvdepth_query
{
	bvdepth_solid solid[2];
	bvvol_similarity placed; ///< from stored positions of b to those of a, before any translation
	bv_transform given;      ///< from coordinates of b to those of a
	bv_mesh_depth_options options;
	bv_vec3 lower; ///< of a box around b, where it is given, in stored coordinates of a
	bv_vec3 upper; ///< likewise
	double keep;   ///< a length of 1 in coordinates of b is not less than this in those of a
	double error;  ///< by how much points that are placed may be off, in coordinates of a
	double size;   ///< the sum of the sides of the smaller one of both boxes

	bvdepth_tests tests;
	bv_mesh_depth_result best;

	/// After bvdepth_judge: the triangles that meet, or a point, in stored coordinates of a, in both meshes.
	uint32_t pair[2];
	bv_vec3 shared;
	uint32_t pairs[bvdepth_pairs][2]; ///< after bvdepth_sum_push: some of the pairs that meet
	uint64_t pair_count;              ///< how many there are in all
	bv_vec3 push;                     ///< where areas of triangles that meet push b
	bv_collide_result last;           ///< of the last placement

	bvdepth_cover* covers;
	uint32_t cover_capacity;
	uint32_t cover_count;
	uint32_t cover_next; ///< the one that is replaced next
	bvdepth_zonotope zonotopes[bvdepth_zonotopes];
	uint32_t zonotope_count;
	bvdepth_cell* cells; ///< a heap
	uint32_t cell_capacity;
	uint32_t cell_count;
	double half;        ///< half of the side of the first cell
	bv_vec3 candidate;  ///< a translation that separates, to begin a local search from
	bool has_candidate; ///< the search has found it
	double dropped;     ///< no translation that was given up is shorter

	uint32_t triangle[2]; ///< that were near the last point

	// Of the local search of the upper bound.
	bv_transform place[3]; ///< of a, and of b at the start and at the end
	bv_motion still;
	bv_motion way;
	bv_sweep_result sweep;
	bv_vec3 normal[bvdepth_planes];
	double height
		[bvdepth_planes]; ///< translations t with dot( normal, t ) above are free, as far as this contact goes
	uint32_t planes;
	uint32_t cut_sweeps; ///< that took too many tests

	/// Aligned as sweeps need it, also where integers of 8 bytes are aligned to 4.
	_Alignas( 8 ) uint64_t sweep_state[bvmotion_sweep_words];
	_Alignas( 8 ) uint64_t sweep_memory[bvdepth_sweep_bytes / 8];
} bvdepth_query;

/// @return whether the tests are used up
static inline bool bvdepth_is_over( const bvdepth_query* q )
{
	return q->options.most_tests > 0 && q->tests.volumes + q->tests.triangles >= q->options.most_tests;
}

/// @return how many tests are left, for an option that ends a search; 0 for any number
static inline uint64_t bvdepth_tests_left( const bvdepth_query* q )
{
	uint64_t done = q->tests.volumes + q->tests.triangles;
	return q->options.most_tests == 0 ? 0 : q->options.most_tests > done ? q->options.most_tests - done : 1;
}

/// @return the length that all translations must be proven to overlap up to
static inline double bvdepth_needed( const bvdepth_query* q )
{
	double needed = ( q->best.upper - q->options.absolute ) / q->options.factor;
	return needed > 0 ? needed * ( 1 + 0x1p-44 ) : 0;
}

/// @return whether the interval is narrow enough
static inline bool bvdepth_is_reached( const bvdepth_query* q )
{
	return q->best.upper <= q->options.factor * q->best.lower + q->options.absolute;
}

/// @return a placement after a translation
static inline bv_transform bvdepth_moved( const bvdepth_query* q, bv_vec3 by )
{
	bv_transform t = q->given;
	t.pose.translation = bv_add( t.pose.translation, by );
	return t;
}

/// @return a point in stored coordinates of a mesh
/// @param by  the translation of b
static inline bv_vec3 bvdepth_to_own( const bvdepth_query* q, int which, bv_vec3 by, bv_vec3 x )
{
	return which == 0 ? x : bvvol_similarity_undo( &q->placed, bv_sub( x, by ) );
}

/// @return the reverse
static inline bv_vec3 bvdepth_from_own( const bvdepth_query* q, int which, bv_vec3 by, bv_vec3 p )
{
	return which == 0 ? p : bv_add( bvvol_similarity_apply( &q->placed, p ), by );
}

/// @return by how much such a point may be off, in stored coordinates of the mesh
static inline double bvdepth_own_error( const bvdepth_query* q, int which )
{
	return which == 0 ? q->error : q->error / q->placed.scale;
}

/// Finds out about a placement.
/// @param by  a translation of b from where it is given
bvdepth_verdict bvdepth_judge( bvdepth_query* q, bv_vec3 by );

/// Sums up where the triangles that meet push b, into q->push, and keeps some of them.
void bvdepth_sum_push( bvdepth_query* q );

/// Finds a large ball of translations around one, by moving a point to where it is deep inside of both meshes.
/// @param by      the translation in the middle
/// @param from    where to begin, in stored coordinates of a
/// @param enough  ends the search: a distance from `by` that the ball reaches
/// @param out     receives the ball
/// @return whether there is one
bool bvdepth_climb( bvdepth_query* q, bv_vec3 by, bv_vec3 from, double enough, bvdepth_cover* out );

/// The same from where two triangles cross: beside them, inside of both meshes.
bool bvdepth_climb_from_pair( bvdepth_query* q, bv_vec3 by, const uint32_t pair[2], double enough,
                              bvdepth_cover* out );

/// Grows boxes about the centers of both balls, and keeps the translations and the lower bound that they prove.
void bvdepth_grow_boxes( bvdepth_query* q, const bvdepth_cover* cover );

/// @return whether a cube of translations is in one of the zonotopes
bool bvdepth_is_in_zonotope( const bvdepth_query* q, bv_vec3 middle, double half );

/// Takes a translation as the best one so far, if it is shorter, in range, and proven to separate.
/// @return whether it separates
bool bvdepth_accept( bvdepth_query* q, bv_vec3 way );

/// Takes the shortest translation along an axis that separates the boxes around the meshes.
void bvdepth_separate_boxes( bvdepth_query* q );

/// Finds a translation along a direction that separates the boxes.
/// @return false if none is in range
bool bvdepth_leave_along( const bvdepth_query* q, bv_vec3 direction, bv_vec3* way );

/// Shortens a translation that separates, q->candidate: local search from there.
void bvdepth_improve( bvdepth_query* q );

/// Prepares bvdepth_search.
void bvdepth_begin_search( bvdepth_query* q );

/// Widens `lower` until the factor is reached or something is used up, or until there is a new candidate for `upper`.
/// @return whether there is: it goes on after the local search from there, which has to be called from where more of the stack is left
bool bvdepth_search( bvdepth_query* q );

/// Keeps a ball, and the lower bound that it proves.
void bvdepth_keep( bvdepth_query* q, const bvdepth_cover* cover );

_Static_assert( sizeof( bvdepth_query ) + 2048 <= BV_MESH_DEPTH_SCRATCH_LEAST, "room for balls and cubes" );
