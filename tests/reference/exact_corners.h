// The corners of two polytopes in exact arithmetic, and support points of their Minkowski difference.
//
// All coordinates are binary64 numbers, or sums of products of them, and therefore integers after a multiplication by
// a power of two that both shapes have in common. Binary64 approximations with a bound of their error decide most
// comparisons; integers decide those that are closer than the bound.
//
// Shares nothing with src, except functions that read files. Their corners are sums of a stored number and an offset.

#pragma once

#include "bv/shape.h"

#include <gmp.h>

/// A vector of integers, which stand for these numbers times 2^-bits of the pair.
typedef struct exact_vec
{
	mpz_t at[3];
} exact_vec;

void exact_init( exact_vec* v );
void exact_clear( exact_vec* v );
void exact_cross( exact_vec* out, const exact_vec* a, const exact_vec* b, mpz_t scratch );
void exact_dot( mpz_t out, const exact_vec* a, const exact_vec* b );
void exact_sub( exact_vec* out, const exact_vec* a, const exact_vec* b );
bool exact_is_zero( const exact_vec* v );

/// @return the vector divided by a power of two, so that the largest coordinate is from 1/2 to 1; each coordinate has
/// an error of at most 2^-52. The zero vector if it is zero.
bv_vec3 exact_direction( const exact_vec* v );

/// A convex shape with its placement, prepared.
typedef struct exact_shape
{
	const bv_convex* convex;
	const bv_transform* placement; ///< null for the identity
	uint32_t count;                ///< corners: as given, the hull may have fewer
	long source_bits;              ///< of the corners before they are placed
	long matrix_bits;              ///< of matrix
	exact_vec matrix[3];           ///< rows: the rotation times the scale
	exact_vec moved;               ///< translation
	bv_vec3 origin;                ///< part of the position of all corners that is stored separately
	double* near[3];               ///< corners minus one point of the shape, placed and rounded
	double error;                  ///< bound of the error of each coordinate of these
	double reach;                  ///< their largest coordinate
	exact_vec* corner;             ///< placed corners
	uint32_t* known;               ///< for which pair the corner is up to date
	uint32_t room;                 ///< of these arrays
} exact_shape;

/// Two shapes, a and b, and vertices of b - a, found so far. An instance is used for many pairs, one after another.
typedef struct exact_pair
{
	exact_shape shape[2];
	long bits;               ///< integers are coordinates times 2^bits
	double size;             ///< largest coordinate, before and after placement, and of translations
	double error;            ///< of the value dot( exact_direction, x - y ) for vertices x and y, in binary64
	uint32_t number;         ///< of the pair
	struct exact_vertex* at; ///< vertices of b - a
	uint32_t count;          ///< of these
	uint32_t room;           ///< of at
	uint32_t ready;          ///< of at, how many are initialized
	double* value;           ///< for supports: products of one shape
	uint32_t values;         ///< room of value
	exact_vec work[2];
	mpz_t scratch[4];
} exact_pair;

/// A corner of b minus one of a.
typedef struct exact_vertex
{
	uint32_t name[2]; ///< corners of a and b
	exact_vec at;
	double near[3]; ///< the same from a point that all vertices have in common, rounded
} exact_vertex;

exact_pair* exact_pair_create( void );
void exact_pair_destroy( exact_pair* pair );

/// Prepares two shapes.
/// @param placement  of a and of b, each null for the identity
/// @return false unless both are polytopes of finite coordinates with radius 0
bool exact_pair_set( exact_pair* pair, const bv_convex* const convex[2],
                     const bv_transform* const placement[2] );

/// @return the index of a vertex of b - a, which is appended
uint32_t exact_pair_vertex( exact_pair* pair, uint32_t a, uint32_t b );

/// Appends a vertex of b - a that no other exceeds along a direction.
/// @param direction  not zero
/// @param sign       1 for the farthest along it, -1 for the farthest against it
/// @return its index
uint32_t exact_pair_support( exact_pair* pair, const exact_vec* direction, int sign );
