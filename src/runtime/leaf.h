// The triangles of a leaf, decoded together.

#pragma once

#include "base/core/lanes.h"
#include "base/core/vec.h"
#include "formats/bvh/view.h"

enum
{
	bv_leaf_block = 8, ///< triangles of a leaf that are decoded together
};

/// Corners of consecutive triangles.
typedef struct bv_leaf_corners
{
	bv_vec3 of[bv_leaf_block][3];
} bv_leaf_corners;

// Whether a vertex is new in its cluster is as good as random, so a branch would cost more than a load of
// the first reference that is not needed.
static inline uint32_t bv_leaf_vertex( uint32_t code, uint32_t old, uint32_t first_new, uint32_t start,
                                       const uint16_t* narrow, const uint32_t* wide )
{
	uint32_t is_old = 0u - ( code < old );
	uint32_t at = ( start + code ) & is_old;
	uint32_t reference = narrow ? narrow[at] : wide[at];
	return ( reference & is_old ) | ( ( first_new + code ) & ~is_old );
}

// Decodes triangles of one cluster.
static inline void bv_leaf_decode_cluster( const bvh_view* view, uint32_t first, uint32_t count,
                                           bv_vec3* out )
{
	const bvh_triangles_view* v = &view->triangles;
	const uint8_t* code = v->codes + 3 * (size_t)first;
	uint32_t k = first / bvh_cluster_triangles;
	uint32_t start = v->clusters[k].first_reference;
	uint32_t end = k + 1 < v->head->clusters ? v->clusters[k + 1].first_reference : v->head->references;
	uint32_t old = end - start;
	uint32_t first_new = v->clusters[k].first_new - old;
	static const uint32_t none = 0;
	const void* references = v->head->references > 0 ? v->references : &none;
	const uint16_t* narrow = v->head->width == 2 ? (const uint16_t*)references : NULL;
	const uint32_t* wide = (const uint32_t*)references;
	if ( view->mesh->quantized )
	{
		for ( uint32_t i = 0; i < 3 * count; ++i )
		{
			out[i] = bvh_position( view, bv_leaf_vertex( code[i], old, first_new, start, narrow, wide ) );
		}
		return;
	}
	const float* positions = (const float*)view->positions;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		const float* p =
			positions + 3 * (size_t)bv_leaf_vertex( code[i], old, first_new, start, narrow, wide );
		out[i] = ( bv_vec3 ){ p[0], p[1], p[2] };
	}
}

/// Decodes consecutive triangles: the same as bvh_triangle and bvh_position of each.
/// @param count   1 to bv_leaf_block
static inline void bv_leaf_decode( const bvh_view* view, uint32_t first, uint32_t count,
                                   bv_leaf_corners* out )
{
	uint32_t rest = bvh_cluster_triangles - first % bvh_cluster_triangles;
	uint32_t here = rest < count ? rest : count;
	bv_leaf_decode_cluster( view, first, here, out->of[0] );
	if ( here < count )
	{
		bv_leaf_decode_cluster( view, first + here, count - here, out->of[here] );
	}
}

/// Puts triangles into lanes, divided by a power of two so that no coordinate is above 1: then no product
/// overflows. A coordinate is off by 2^-24 at most.
/// @param corners  relative to a point near by
/// @param extents  at least as large as other lengths that are divided by the same unit
/// @return the unit; 0 if lengths are too large or too small for one, and then nothing is set
static inline double bv_leaf_lanes( const bv_leaf_corners* corners, uint32_t count, double extents,
                                    bv_lane_triangles* out )
{
	double largest = 0;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		largest = bv_max( largest, bv_norm1( corners->of[i / 3][i % 3] ) );
	}
	double size = largest + extents;
	if ( !( size >= 0x1p-500 && size <= 0x1p500 ) )
	{
		return 0;
	}
	int exponent = bv_exponent_above( size );
	double scale = bv_power_of_two( -exponent );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = corners->of[i][k];
			out->corner[k][0][i] = (float)( scale * p.x );
			out->corner[k][1][i] = (float)( scale * p.y );
			out->corner[k][2][i] = (float)( scale * p.z );
		}
	}
	return bv_power_of_two( exponent );
}
