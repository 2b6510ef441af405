// What the parts of a .bvh file's check share.

#pragma once

#include "base/core/packed_obb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool all_finite( const float* value, size_t count )
{
	// The sum of zero multiples is zero unless one of them is not finite.
	float sum = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		sum += 0 * value[i];
	}
	return sum == 0;
}

static inline bool all_finite_double( const double* value, size_t count )
{
	double sum = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		sum += 0 * value[i];
	}
	return sum == 0;
}

static inline bool all_zero( const char* bytes, uint64_t count )
{
	for ( uint64_t i = 0; i < count; ++i )
	{
		if ( bytes[i] )
		{
			return false;
		}
	}
	return true;
}

static inline bool is_box( const bv_packed_obb* box )
{
	const float* h = box->half_extents;
	const float* q = box->rotation;
	float length = ( q[0] * q[0] + q[1] * q[1] ) + ( q[2] * q[2] + q[3] * q[3] );
	return all_finite( box->center, 3 ) && all_finite( h, 3 ) && h[0] >= 0 && h[1] >= 0 && h[2] >= 0 &&
	       length >= 0.5f && length <= 2.0f;
}

/// The section of the hierarchy.
/// @param triangles  of the mesh
/// @return null when all is well, else what is wrong
const char* bvh_check_nodes( const char* section, uint64_t bytes, uint32_t triangles );
