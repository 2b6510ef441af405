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

/// A cluster of triangles, ready for decoding them.
typedef struct bv_leaf_cluster
{
	const bvh_view* view;
	const uint16_t* narrow;   ///< references of 2 bytes; null where they have 4
	const uint32_t* wide;     ///< references of 4 bytes
	uint32_t old;             ///< codes from this on are new vertices
	uint32_t first_new;       ///< what is added to the code of a new vertex
	uint32_t first_reference; ///< what is added to other codes
} bv_leaf_cluster;

/// @return the cluster of a triangle
static inline bv_leaf_cluster bv_leaf_cluster_of( const bvh_view* view, uint32_t triangle )
{
	static const uint32_t none = 0;
	const bvh_triangles_view* v = &view->triangles;
	uint32_t k = triangle / bvh_cluster_triangles;
	uint32_t start = v->clusters[k].first_reference;
	uint32_t end = k + 1 < v->head->clusters ? v->clusters[k + 1].first_reference : v->head->references;
	const void* references = v->head->references > 0 ? v->references : &none;
	return ( bv_leaf_cluster ){
		.view = view,
		.narrow = v->head->width == 2 ? (const uint16_t*)references : NULL,
		.wide = (const uint32_t*)references,
		.old = end - start,
		.first_new = v->clusters[k].first_new - ( end - start ),
		.first_reference = start,
	};
}

// Whether a vertex is new in its cluster is as good as random, so a branch would cost more than a load of
// the first reference that is not needed.
static inline uint32_t bv_leaf_vertex( const bv_leaf_cluster* c, uint32_t code )
{
	uint32_t is_old = 0u - ( code < c->old );
	uint32_t at = ( c->first_reference + code ) & is_old;
	uint32_t reference = c->narrow ? c->narrow[at] : c->wide[at];
	return ( reference & is_old ) | ( ( c->first_new + code ) & ~is_old );
}

/// Decodes a triangle: the same as bvh_triangle, and bvh_position of each corner.
/// @param triangle  of the cluster
static inline void bv_leaf_triangle( const bv_leaf_cluster* c, uint32_t triangle, bv_vec3 corner[3] )
{
	const bvh_view* view = c->view;
	const uint8_t* code = view->triangles.codes + 3 * (size_t)triangle;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t vertex = bv_leaf_vertex( c, code[k] );
		if ( view->mesh->quantized )
		{
			corner[k] = bvh_position( view, vertex );
			continue;
		}
		const float* p = (const float*)view->positions + 3 * (size_t)vertex;
		corner[k] = ( bv_vec3 ){ p[0], p[1], p[2] };
	}
}

/// Decodes consecutive triangles.
/// @param count  1 to bv_leaf_block
static inline void bv_leaf_decode( const bvh_view* view, uint32_t first, uint32_t count,
                                   bv_leaf_corners* out )
{
	bv_leaf_cluster cluster;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( i == 0 || ( first + i ) % bvh_cluster_triangles == 0 )
		{
			cluster = bv_leaf_cluster_of( view, first + i );
		}
		bv_leaf_triangle( &cluster, first + i, out->of[i] );
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
