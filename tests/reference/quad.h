// Vectors of binary128: sums of products of a few binary32 numbers are exact in its 113 bits, unless these are of very different
// size.

#pragma once

#include "bv/base.h"

__extension__ typedef __float128 quad;

typedef struct quad3
{
	quad x;
	quad y;
	quad z;
} quad3;

static inline quad3 quad_difference( bv_vec3 a, bv_vec3 b )
{
	return ( quad3 ){ (quad)a.x - b.x, (quad)a.y - b.y, (quad)a.z - b.z };
}

static inline quad quad_dot( quad3 a, quad3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline quad3 quad_cross( quad3 a, quad3 b )
{
	return ( quad3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
