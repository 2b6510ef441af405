// Two convex shapes in common coordinates: those of the first, with the origin moved to one of its points so that
// coordinates are small where shapes are.

#pragma once

#include "runtime/convex/columns.h"
#include "runtime/convex/gjk.h"
#include "runtime/convex/shape.h"

/// How the second shape moves as seen from the first, between two times: its points are those of the convex hull of the
/// shape at both.
typedef struct bvconvex_motion
{
	bv_vec3 of[2];  ///< displacement of each shape per unit of time
	double time[2]; ///< not descending
	bv_vec3 way[2]; ///< displacement at each time, to 2^-51 of itself
} bvconvex_motion;

/// A placed shape.
typedef struct bvconvex_body
{
	bvconvex_prepared own;
	const bvvol_similarity* placed; ///< null for none
	bv_vec3 shift;                  ///< added to its points, or instead of the translation
	const bvconvex_motion* motion;  ///< null for none
	uint32_t* supports;             ///< how many of its support points were evaluated

	bvconvex_support_function* support; ///< in the pair's coordinates, without motion
	union
	{
		bv_vec3 center;                  ///< of a box, in the pair's coordinates
		const bvconvex_columns* columns; ///< of the points of any other shape; null for none
	};
	bv_vec3 half[3]; ///< of a box, from the center to the middles of three faces
} bvconvex_body;

/// @param own  a point in the shape's coordinates
/// @return where it is in the pair's, without motion
BVSIMD_INLINE bv_vec3 bvconvex_body_point( const bvconvex_body* body, bv_vec3 own )
{
	return body->placed ? bv_add( bvmath_times( &body->placed->turn, bv_scale( body->placed->scale, own ) ),
	                              body->shift )
	                    : bv_add( own, body->shift );
}

/// @param along  in the pair's coordinates
/// @return the direction in the shape's own coordinates
BVSIMD_INLINE bv_vec3 bvconvex_body_direction( const bvconvex_body* body, bv_vec3 along )
{
	if ( !body->placed )
	{
		return along;
	}
	const bv_vec3* row = body->placed->turn.row;
	return bv_add( bv_add( bv_scale( along.x, row[0] ), bv_scale( along.y, row[1] ) ),
	               bv_scale( along.z, row[2] ) );
}

/// @param own  a direction in the shape's own coordinates
/// @return the same in the pair's
BVSIMD_INLINE bv_vec3 bvconvex_body_placed( const bvconvex_body* body, bv_vec3 own )
{
	return body->placed ? bvmath_times( &body->placed->turn, own ) : own;
}

/// What a pair refers to. Must not be moved.
typedef struct bvconvex_pair_room
{
	bvconvex_body body[2];
	bvvol_similarity placed; ///< of the second, without `back`, `skew` and `is_identity`
	uint32_t supports[2];    ///< evaluated, of each
} bvconvex_pair_room;

/// A pair, ready for queries.
typedef struct bvconvex_pair
{
	bvconvex_body* body;      ///< two of them
	bv_vec3 origin;           ///< of the pair's coordinates, in those of the first
	double rounding;          ///< bounds the error of what is computed along a unit vector
	double still;             ///< the same while nothing moves
	double radius;            ///< both together, in the pair's coordinates
	double one_radius[2];     ///< of each
	bool polytopes;           ///< both are, without their radius
	bool closed_is_enough;    ///< a closed form is, whose interval is as narrow as the default tolerance
	void* scratch;            ///< memory of the caller for EPA; null for none
	size_t scratch_bytes;     ///< its size
	bvconvex_gjk_pair search; ///< how GJK sees them, without their radius
} bvconvex_pair;

/// @param placement  from coordinates of b to those of a; null for the identity
/// @param room       must remain valid while the pair is used
/// @return false, and `out` is then not to be used, if a shape or the placement is invalid
bool bvconvex_pair_begin( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                          bvconvex_pair_room* room, bvconvex_pair* out );

/// The same without what only searches need. Then only bvconvex_pair_slab and what is stored can be used.
bool bvconvex_pair_read( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                         bvconvex_pair_room* room, bvconvex_pair* out );

/// The first half of bvconvex_pair_begin, for pairs that are placed more than once.
/// @return false, and `room` is then not to be used, if a shape is invalid
bool bvconvex_pair_read_shapes( const bv_convex* a, const bv_convex* b, bvconvex_pair_room* room );

/// Makes support points faster, for queries that need many. To be called between both halves.
/// @param columns  one for each shape; must remain valid while the pair is used
void bvconvex_pair_use_columns( bvconvex_pair_room* room, bvconvex_columns columns[2] );

/// The second half.
/// @param room  of bvconvex_pair_read_shapes
/// @return false, and `out` is then not to be used, if the placement is invalid
bool bvconvex_pair_place_shapes( const bv_transform* placement, bvconvex_pair_room* room,
                                 bvconvex_pair* out );

/// Adds what only searches need.
void bvconvex_pair_place( bvconvex_pair* pair );

/// @param along  unit vector from the first to the second
/// @param name   names of points that are not far from the support points, which are put there; BVCONVEX_NO_POINT for
///               none
/// @return the width of a slab between the shapes, without their radii and less what it may err; negative where they
///         overlap along the vector. No shape is a half-space
double bvconvex_pair_slab( const bvconvex_pair* pair, const bv_vec3* along, uint32_t name[2] );

/// @return whether coordinates are so small that products nearly vanish, of six of them, or of three of polytopes without a
///         radius, and no radius is large beside them. What algorithms find of such shapes is not certain. They are
///         smaller than 2^-145
static inline bool bvconvex_pair_is_tiny( const bvconvex_pair* pair )
{
	double least = pair->polytopes && pair->radius == 0 ? 0x1p-300 : 0x1p-195;
	return pair->rounding < least && pair->rounding > 0 && pair->radius < 0x1p-90;
}

/// @return how many support points of a shape were evaluated, whichever had more
static inline uint32_t bvconvex_pair_supports( const bvconvex_pair_room* room )
{
	return room->supports[0] > room->supports[1] ? room->supports[0] : room->supports[1];
}

/// Replaces the second body by all of its places between two times. What is found then is true of them together.
/// @param motion  `of` is set; must remain valid until bvconvex_pair_stop
/// @param to      not below `from`, which is not below 0
void bvconvex_pair_move( bvconvex_pair* pair, bvconvex_motion* motion, double from, double to );

/// Puts it back to where it was placed.
void bvconvex_pair_stop( bvconvex_pair* pair );

/// As bvconvex_shape_highest, in the pair's coordinates and without motion.
uint32_t bvconvex_body_highest( const bvconvex_body* body, bv_vec3 along, uint32_t near, double doubt,
                                uint32_t* out, uint32_t most );

/// @return a point in or next to the difference
bv_vec3 bvconvex_pair_middle( const bvconvex_pair* pair );

/// Begins a search with vertices of the difference, or with points that face each other.
/// @param name  two names of each of up to 4 vertices, one pair behind the other; those that the pair does not have, and all of shapes that are no polytopes, are ignored
/// @param out   receives the solved simplex
void bvconvex_pair_start( const bvconvex_pair* pair, const uint32_t* name, uint32_t count,
                          bvconvex_gjk_simplex* out );

/// @return a vertex of the difference by the names of its points; of polytopes only
bvconvex_gjk_vertex bvconvex_pair_vertex( const bvconvex_pair* pair, const uint32_t name[2] );

/// @return the name of the same point of one of the bodies at the last time instead of at the first, if it is farther along
/// a vector or, if the sign is below 0, against it; of polytopes only
uint32_t bvconvex_pair_exact_place( const bvconvex_pair* pair, int which, uint32_t name,
                                    const bvmath_exact3* along, int sign );

/// @return where a point of one of the bodies is, by its name; of polytopes only
bv_vec3 bvconvex_pair_corner( const bvconvex_pair* pair, int which, uint32_t name );

/// @param out  receives the place of a point of one of the bodies exactly, in coordinates of the first shape
void bvconvex_pair_exact_corner( const bvconvex_pair* pair, int which, uint32_t name, bvmath_exact3* out );

/// @param out  receives a vertex of the difference exactly
void bvconvex_pair_exact_vertex( const bvconvex_pair* pair, const uint32_t name[2], bvmath_exact3* out );

/// @param out  receives the way from one vertex of the difference to another exactly
void bvconvex_pair_exact_edge( const bvconvex_pair* pair, const uint32_t from[2], const uint32_t to[2],
                               bvmath_exact3* out );
