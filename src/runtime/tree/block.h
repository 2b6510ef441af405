// Triangles of several leaves in one block of lanes. Leaves have one or two triangles, which alone would
// leave most lanes empty.

#pragma once

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/lanes.h"
#include "runtime/tree/leaf.h"
#include "runtime/tree/spot.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/similarity.h"

#include <math.h>

/// Triangles that wait to be compared.
typedef struct bvtree_block
{
	bvtree_leaf_source source;
	bv_vec3 center;                 ///< that corners are relative to: of the file, or placed
	const bvvol_similarity* placed; ///< null for corners in the file's coordinates
	double scale;   ///< a power of two that brings lengths to about 1 at most; 0 if lengths are out of range
	bool is_stored; ///< corners go into lanes as they are stored
	bvtree_lane_place place; ///< of the corners in lanes
	bvtree_lane_triangles lanes;
	uint32_t triangle[BVFILE_LANES]; ///< their numbers
	uint32_t count;                  ///< how many there are
} bvtree_block;

/// Begins with no triangles.
/// @param center   that distances are measured from
/// @param placed   moves corners to the center's coordinates; null for the file's own
/// @param extents  at least as large as all other lengths that corners are compared with
/// @param away     with these, and the sizes of coordinates, decisions in binary64 err by less than 2^-44
static inline void bvtree_block_begin( const bvfile_view* view, bv_vec3 center,
                                       const bvvol_similarity* placed, double extents, double away,
                                       bvtree_block* out )
{
	const bvfile_node_grid* grid = &view->hierarchy->grid;
	const bv_vec3 origin = { grid->origin[0], grid->origin[1], grid->origin[2] };
	double reach = 3 * 0x1p16 * grid->step;
	double size = bvmath_norm1( bv_sub( origin, center ) ) + reach;
	if ( placed )
	{
		size = bvmath_norm1( center ) + bvmath_norm1( placed->translation ) +
		       placed->scale * ( reach + bvmath_norm1( origin ) );
	}
	size += extents;
	out->source = bvtree_leaf_source_of( view );
	out->center = center;
	out->placed = placed;
	out->count = 0;
	out->scale = 0;
	out->place = ( bvtree_lane_place ){ .scale = 1 };
	out->is_stored = false;
	if ( !( size >= 0x1p-500 && size <= 0x1p500 ) )
	{
		return;
	}
	int exponent = bvfile_exponent_above( size );
	out->scale = bvfile_power_of_two( -exponent );
	out->place.tolerance =
		(float)bvmath_min( 0x1p-42 * ( out->scale * ( away + bvmath_norm1( center ) ) + 1 ), 0x1p100 );
	out->is_stored = !view->mesh->quantized && !placed && exponent >= -40 && exponent <= 100;
	if ( out->is_stored )
	{
		const double c[3] = { center.x, center.y, center.z };
		for ( int i = 0; i < 3; ++i )
		{
			out->place.origin[i] = (float)c[i];
			out->place.rest[i] = (float)( c[i] - out->place.origin[i] );
		}
		out->place.scale = (float)out->scale;
	}
}

/// @return the radius of a bvtree_lane_ball
static inline float bvtree_lane_radius( double radius )
{
	return radius < 0x1p120 ? (float)radius * ( 1 + 0x1p-22f ) + 0x1p-120f : INFINITY;
}

/// A ball as lanes compare it with a node's children, without its radius.
/// @param center  relative to the origin of the grid of nodes
/// @param slack   by how much that may be off
/// @return false if lanes do not take the node: it is too large, or too far away for its size to be told (see
/// bvtree_lanes_reach)
static inline bool bvtree_lane_ball_at( bv_vec3 center, double slack, const bvfile_packed_node* node,
                                        double step, const bvtree_lane_group* group, bvtree_lane_ball* out )
{
	const double at[3] = { center.x - step * node->origin[0], center.y - step * node->origin[1],
		                   center.z - step * node->origin[2] };
	double size = ( fabs( at[0] ) + fabs( at[1] ) ) + fabs( at[2] );
	for ( int i = 0; i < 3; ++i )
	{
		out->center[i] = (float)at[i];
	}
	// The center's rounding, and the slack's own.
	out->slack = (float)( slack + 0x1.001p-23 * size );
	float own = bvfile_code_end * ( group->step[0] + group->step[1] + group->step[2] );
	return size <= 0x1p13f * own && own + 0x1p18f * group->extent < 0x1p46f;
}

/// Loads what decoding a triangle begins with.
static inline void bvtree_block_prefetch( const bvtree_block* block, uint32_t triangle )
{
	bvsimd_prefetch( block->source.codes + 3 * (size_t)triangle );
	bvsimd_prefetch( block->source.clusters + triangle / bvfile_cluster_triangles );
}

/// Loads a node of common size.
static inline void bvtree_node_prefetch( const bvfile_packed_node* node )
{
	bvsimd_prefetch( node );
	bvsimd_prefetch( (const char*)node + 64 );
	bvsimd_prefetch( (const char*)node + 128 );
}

/// Corners that do not go into lanes as they are stored.
static inline void bvtree_block_move( bvtree_block* block, uint32_t lane, const uint32_t vertex[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = bvfile_position_of( block->source.mesh, block->source.positions, vertex[k] );
		p = block->placed ? bvvol_similarity_apply( block->placed, p ) : p;
		bv_vec3 d = bv_scale( block->scale, bv_sub( p, block->center ) );
		block->lanes.corner[k][0][lane] = (float)d.x;
		block->lanes.corner[k][1][lane] = (float)d.y;
		block->lanes.corner[k][2][lane] = (float)d.z;
	}
}

/// Puts triangles into a block.
/// @param count  not more than there is room for
static inline void bvtree_block_add( bvtree_block* block, uint32_t first, uint32_t count )
{
	uint32_t lane = block->count;
	block->count += count;
	for ( uint32_t end = lane + count; lane < end; ++lane, ++first )
	{
		uint32_t vertex[3];
		block->triangle[lane] = first;
		bvtree_leaf_vertices( &block->source, first, vertex );
		if ( !block->is_stored )
		{
			bvtree_block_move( block, lane, vertex );
			continue;
		}
		const float* p = (const float*)block->source.positions;
		const float* corner[3] = { p + 3 * (size_t)vertex[0], p + 3 * (size_t)vertex[1],
			                       p + 3 * (size_t)vertex[2] };
		for ( int k = 0; k < 3; ++k )
		{
			for ( int i = 0; i < 3; ++i )
			{
				block->lanes.corner[k][i][lane] = corner[k][i];
			}
		}
	}
}
