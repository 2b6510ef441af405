// Arithmetic of vectors for the references, which share nothing with src.

#pragma once

#include "bv/base.h"

#include <math.h>

static inline bv_vec3 sub( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

/// a + s b
static inline bv_vec3 along( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double length_of( bv_vec3 a )
{
	return sqrt( dot( a, a ) );
}
