// When a moving vertex meets a moving triangle, and a moving edge another one, in exact arithmetic. Points move along lines
// at constant speed between times 0 and 1, from and to the given binary64 numbers.
//
// Everything is a sign of a polynomial of time with integer coefficients. Points in one plane: det( t ) = 0. A point in a
// triangle with the normal n: dot( n, cross( edge, point - corner ) ) >= 0 for all three edges. Edges that cross:
// Cramer's rule. Without a normal: a point is on a segment. If the four points are in one plane at all times, the first
// contact is at time 0 or at a root of one of the other polynomials.
//
// Roots are isolated by Sturm's chain and bisection. A polynomial vanishes at a root of another if their greatest common
// divisor does; otherwise the interval of the root is halved until the polynomial has no root in it.

#pragma once

#include "bv/base.h"

/// Memory for comparisons, of one thread.
typedef struct moving_exact moving_exact;

/// The first contact.
typedef struct moving_exact_time
{
	bool found;
	double lower; ///< of the time, rounded down
	double upper; ///< rounded up, less than 1e-15 above
} moving_exact_time;

moving_exact* moving_exact_create( void );
void moving_exact_destroy( moving_exact* memory );

/// @param start, end  vertex and three corners of the triangle, finite
void moving_exact_vertex_face( moving_exact* memory, const bv_vec3 start[4], const bv_vec3 end[4],
                               moving_exact_time* result );

/// @param start, end  both ends of an edge, and of another, finite
void moving_exact_edge_edge( moving_exact* memory, const bv_vec3 start[4], const bv_vec3 end[4],
                             moving_exact_time* result );
