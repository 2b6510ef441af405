// The iteration of Gilbert, Johnson and Keerthi between two convex shapes: how far they are apart, or only
// whether they are farther apart than a limit, with the direction that proves it.
//
// A shape is its support function, which may be any. The names of support points tell one from another: a
// point that comes a second time ends the search, and a caller can look up by name what it knows of a point.
//
// GJK: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, 1988, with a relative termination criterion (van den
// Bergen 2003, section 4.3). The nearest point of a simplex is found by examining all its features, as
// robustly as the nearest point of a triangle (nearest.h). Each support point gives a slab between the two
// shapes. The result is therefore an interval with a certain lower bound.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"

#include <math.h>
#include <stdbool.h>

enum
{
	bvconvex_gjk_steps = 96, ///< at most; it takes 5 to 20
};

/// A point of a convex shape.
typedef struct bvconvex_support
{
	bv_vec3 at;
	uint32_t name; ///< different for different points
} bvconvex_support;

/// Of two different points of a curved surface no two have the same name, except by chance, and then a search ends early
/// with bounds that hold.
/// @return a name that is made of the coordinates
static inline uint32_t bvconvex_name_of( bv_vec3 p )
{
	uint64_t bits[3];
	memcpy( bits, &p, sizeof bits );
	uint64_t mixed = 0;
	for ( int i = 0; i < 3; ++i )
	{
		mixed = ( mixed ^ bits[i] ) * UINT64_C( 0x9E3779B97F4A7C15 );
		mixed ^= mixed >> 32;
	}
	return (uint32_t)mixed;
}

/// What a support function gets when no point is known yet.
#define BVCONVEX_NO_POINT UINT32_MAX

/// The vector is not passed by value: what was just computed would be copied from one part of the stack to another, which
/// takes longer than to compute it.
/// @param along  of any length
/// @param near   name of a point that is not far from the answer, where a climb can begin, or
///               BVCONVEX_NO_POINT
/// @return the point of the shape that is farthest along the vector
typedef bvconvex_support bvconvex_support_function( const void* shape, const bv_vec3* along, uint32_t near );

/// A point of the first shape minus one of the second.
typedef struct bvconvex_gjk_vertex
{
	bv_vec3 at;
	uint32_t name[2]; ///< of both points
	bv_vec3 first;    ///< the point of the first shape
} bvconvex_gjk_vertex;

/// Some of them, and the point of their hull that is nearest to the origin.
typedef struct bvconvex_gjk_simplex
{
	bvconvex_gjk_vertex vertex[4];
	double weight[4]; ///< of the vertices in the nearest point: above 0, with the sum 1 to rounding
	int count;        ///< 1 to 4
	bv_vec3 nearest;
	double square; ///< of its length
} bvconvex_gjk_simplex;

/// Finds the nearest point of the hull of 1 to 4 vertices, and drops the vertices that it does not need.
typedef void bvconvex_gjk_solver( bvconvex_gjk_simplex* s );

/// Two convex shapes, in coordinates in which neither is far from the origin.
typedef struct bvconvex_gjk_pair
{
	bvconvex_support_function* support[2];
	const void* shape[2]; ///< what each function is given

	/// bounds what is computed along a unit vector: 2^-48 of both shapes' largest coordinates
	double rounding;

	bvconvex_gjk_solver* solve; ///< bvconvex_gjk_solve
} bvconvex_gjk_pair;

/// The distance of the shapes is not below `lower`, nor, to rounding, above the length of the nearest point.
typedef struct bvconvex_gjk_result
{
	const bvconvex_gjk_simplex* nearest; ///< one of the two in `room`
	double lower;                        ///< certain; 0 where they may touch

	/// unit vector from the first to the second, normal to a slab `lower` wide; null where lower is 0
	bv_vec3 along;

	bvconvex_gjk_simplex room[2];
} bvconvex_gjk_result;

/// The solver that keeps its precision next to the origin and with simplices that are nearly flat.
void bvconvex_gjk_solve( bvconvex_gjk_simplex* s );

/// @param point  receives the points of both shapes that the nearest point is the difference of
void bvconvex_gjk_describe( const bvconvex_gjk_simplex* nearest, bv_vec3 point[2] );

/// @return the way from the origin to the nearest point, of any length
bv_vec3 bvconvex_gjk_direction( double rounding, const bvconvex_gjk_simplex* nearest );

/// @return whether the origin is in a tetrahedron, farther from its faces than vertices are off
bool bvconvex_gjk_is_inside( double rounding, const bvconvex_gjk_simplex* s );

// A simplex with one more vertex. The rest of it is for the solver to set: a copy of all would take as long
// as that.
static inline void bvconvex_gjk_grow( const bvconvex_gjk_simplex* s, const bvconvex_gjk_vertex* more,
                                      bvconvex_gjk_simplex* out )
{
	out->vertex[0] = s->vertex[0];
	if ( s->count > 1 )
	{
		out->vertex[1] = s->vertex[1];
	}
	if ( s->count > 2 )
	{
		out->vertex[2] = s->vertex[2];
	}
	out->vertex[s->count] = *more;
	out->count = s->count + 1;
}

static inline bool bvconvex_gjk_has( const bvconvex_gjk_simplex* s, const bvconvex_gjk_vertex* v )
{
	bool found = false;
	for ( int i = 0; i < s->count; ++i )
	{
		found = found || ( s->vertex[i].name[0] == v->name[0] && s->vertex[i].name[1] == v->name[1] );
	}
	return found;
}

/// @param near  names of points that are not far from it
/// @return the vertex that is least along a vector
BVSIMD_INLINE bvconvex_gjk_vertex bvconvex_gjk_support( const bvconvex_gjk_pair* pair, bv_vec3 along,
                                                        const uint32_t near[2] )
{
	bv_vec3 against = bv_negate( along );
	bvconvex_support a = pair->support[0]( pair->shape[0], &against, near[0] );
	bvconvex_support b = pair->support[1]( pair->shape[1], &along, near[1] );
	return ( bvconvex_gjk_vertex ){ bv_sub( a.at, b.at ), { a.name, b.name }, a.at };
}

/// Goes on with a search.
/// @param enough    only whether the distance is above this, and how much, is of interest
/// @param relative  the search ends with upper <= enough, or with lower > enough and upper - lower <=
///                  relative * ( upper - enough ): 1 for the decision alone, 0 for the distance to rounding
/// @param out       has a solved simplex in the first room and what is known of `lower` and `along`
BVSIMD_INLINE void bvconvex_gjk_continue( const bvconvex_gjk_pair* pair, double enough, double relative,
                                          bvconvex_gjk_result* out )
{
	bvconvex_gjk_simplex* now = out->room;
	for ( int step = 0; step < bvconvex_gjk_steps; ++step )
	{
		double upper = sqrt( now->square );
		if ( !( upper > pair->rounding && upper > enough ) )
		{
			break;
		}
		bv_vec3 along = bvconvex_gjk_direction( pair->rounding, now );
		double length = sqrt( bv_dot( along, along ) );
		bvconvex_gjk_vertex next = bvconvex_gjk_support( pair, along, now->vertex[now->count - 1].name );
		double lower = bv_dot( along, next.at ) / length - pair->rounding;
		if ( lower > out->lower )
		{
			out->lower = lower;
			out->along = bv_scale( -1 / length, along );
		}
		if ( ( out->lower > enough && upper - out->lower <= relative * ( upper - enough ) ) ||
		     bvconvex_gjk_has( now, &next ) )
		{
			break;
		}
		bvconvex_gjk_simplex* grown = now == out->room ? out->room + 1 : out->room;
		bvconvex_gjk_grow( now, &next, grown );
		pair->solve( grown );
		if ( !( grown->square < now->square ) )
		{
			break;
		}
		now = grown;
	}
	out->nearest = now;
}

/// @param first     where the search begins: any vertex
/// @param enough, relative  as for bvconvex_gjk_continue
BVSIMD_INLINE void bvconvex_gjk_distance( const bvconvex_gjk_pair* pair, const bvconvex_gjk_vertex* first,
                                          double enough, double relative, bvconvex_gjk_result* out )
{
	out->room->count = 1;
	out->room->vertex[0] = *first;
	pair->solve( out->room );
	out->lower = 0;
	out->along = ( bv_vec3 ){ 0, 0, 0 };
	bvconvex_gjk_continue( pair, enough, relative, out );
}
