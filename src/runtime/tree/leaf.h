// The triangles of a leaf, decoded together.

#pragma once

#include "runtime/file/view.h"
#include "runtime/math/vec.h"
#include "runtime/tree/lanes.h"

enum
{
	bvtree_leaf_block = 8, ///< triangles of a leaf that are decoded together
};

/// Corners of consecutive triangles.
typedef struct bvtree_leaf_corners
{
	bv_vec3 of[bvtree_leaf_block][3];
} bvtree_leaf_corners;

/// Where triangles are decoded from.
typedef struct bvtree_leaf_source
{
	const bvfile_mesh* mesh;
	const void* positions; ///< as bvfile_view has them
	const bvfile_cluster* clusters;
	const bvfile_cluster* last;
	uint32_t references;    ///< how many there are in all clusters
	const uint8_t* codes;   ///< three a triangle
	const uint16_t* narrow; ///< references of 2 bytes; null where they have 4
	const uint32_t* wide;   ///< references of 4 bytes
} bvtree_leaf_source;

/// @param view  of a file that has triangles
static inline bvtree_leaf_source bvtree_leaf_source_of( const bvfile_view* view )
{
	static const uint32_t none = 0;
	const bvfile_triangles_view* v = &view->triangles;
	const void* references = v->head->references > 0 ? v->references : &none;
	return ( bvtree_leaf_source ){
		.mesh = view->mesh,
		.positions = view->positions,
		.clusters = v->clusters,
		.last = v->clusters + ( v->head->clusters - 1 ),
		.references = v->head->references,
		.codes = v->codes,
		.narrow = v->head->width == 2 ? (const uint16_t*)references : NULL,
		.wide = (const uint32_t*)references,
	};
}

/// The vertices of a triangle: the same as bvfile_triangle. Whether a vertex is new in its cluster is as good
/// as random, so a branch would cost more than a load of the first reference that is not needed.
static inline void bvtree_leaf_vertices( const bvtree_leaf_source* s, uint32_t triangle, uint32_t vertex[3] )
{
	const bvfile_cluster* cluster = s->clusters + triangle / bvfile_cluster_triangles;
	const uint8_t* code = s->codes + 3 * (size_t)triangle;
	uint32_t start = cluster->first_reference;
	uint32_t old = ( cluster == s->last ? s->references : cluster[1].first_reference ) - start;
	uint32_t first_new = cluster->first_new - old;
	const uint32_t is_old[3] = { 0u - ( code[0] < old ), 0u - ( code[1] < old ), 0u - ( code[2] < old ) };
	const uint32_t at[3] = { ( start + code[0] ) & is_old[0], ( start + code[1] ) & is_old[1],
		                     ( start + code[2] ) & is_old[2] };
	uint32_t reference[3];
	if ( s->narrow )
	{
		reference[0] = s->narrow[at[0]];
		reference[1] = s->narrow[at[1]];
		reference[2] = s->narrow[at[2]];
	}
	else
	{
		reference[0] = s->wide[at[0]];
		reference[1] = s->wide[at[1]];
		reference[2] = s->wide[at[2]];
	}
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t is_new = first_new + code[k];
		vertex[k] = is_new ^ ( ( reference[k] ^ is_new ) & is_old[k] );
	}
}

/// Decodes a triangle.
static inline void bvtree_leaf_triangle( const bvtree_leaf_source* s, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t vertex[3];
	bvtree_leaf_vertices( s, triangle, vertex );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvfile_position_of( s->mesh, s->positions, vertex[k] );
	}
}

/// Decodes a triangle with its coordinates in another order.
/// @param axis  which coordinates take the place of x, y and z
static inline void bvtree_leaf_turned( const bvtree_leaf_source* s, uint32_t triangle, const int axis[3],
                                       double corner[9] )
{
	if ( s->mesh->quantized )
	{
		bv_vec3 plain[3];
		bvtree_leaf_triangle( s, triangle, plain );
		for ( int k = 0; k < 9; ++k )
		{
			corner[k] = bvmath_component( plain[k / 3], axis[k % 3] );
		}
		return;
	}
	uint32_t vertex[3];
	bvtree_leaf_vertices( s, triangle, vertex );
	for ( int k = 0; k < 3; ++k )
	{
		const float* p = (const float*)s->positions + 3 * (size_t)vertex[k];
		corner[3 * k] = p[axis[0]];
		corner[3 * k + 1] = p[axis[1]];
		corner[3 * k + 2] = p[axis[2]];
	}
}

/// Decodes consecutive triangles.
/// @param count  1 to bvtree_leaf_block
static inline void bvtree_leaf_decode( const bvtree_leaf_source* s, uint32_t first, uint32_t count,
                                       bvtree_leaf_corners* out )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvtree_leaf_triangle( s, first + i, out->of[i] );
	}
}

/// Puts triangles into lanes, divided by a power of two so that no coordinate is above 1: then no product
/// overflows. A coordinate is off by 2^-24 at most.
/// @param corners  relative to a point near by
/// @param extents  at least as large as other lengths that are divided by the same unit
/// @return the unit; 0 if lengths are too large or too small for one, and then nothing is set
static inline double bvtree_leaf_lanes( const bvtree_leaf_corners* corners, uint32_t count, double extents,
                                        bvtree_lane_triangles* out )
{
	double largest = 0;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		largest = bvmath_max( largest, bvmath_norm1( corners->of[i / 3][i % 3] ) );
	}
	double size = largest + extents;
	if ( !( size >= 0x1p-500 && size <= 0x1p500 ) )
	{
		return 0;
	}
	int exponent = bvfile_exponent_above( size );
	double scale = bvfile_power_of_two( -exponent );
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
	return bvfile_power_of_two( exponent );
}
