// A ray or a moving box against the boxes of a group. Part of lanes_kernels.h. Names are those of
// lanes_boxes.h.
//
// Slabs: T. L. Kay, J. T. Kajiya, "Ray tracing complex scenes", 1986. A box is met in the times in which the
// ray is between the planes of all three pairs of opposite faces. The axes of an oriented box are not
// divided by n: both sides of a comparison are n times as large.
//
// Rounding. Let o be the origin of the ray relative to the node, d its direction, c the center of a box, h
// its half extents, and m the sum of the largest coordinates of o and c and of the largest extents. While the
// ray is in the box, the sum of |c - o| and h is at most m, and so is the way that the ray takes. Let u be
// 2^-24. The following errors are lengths along an axis of the box, divided by n.
//   - Oriented boxes: 1 for o, 1 for T, 3 for T along n B_j, 1 for d and 3 for d along n B_j, each in units
//     of u m; 3 for n times the half extent, 3 each for the two quotients, whose divisor and product are
//     rounded, and 2 for their sum. Total: less than 20.
//   - Aligned boxes: 2 for the inverse of d, 1 for the product with the code's step, 3 for the product with
//     o - slack, and 2 for the sum. Total: less than 8.
//   - A speed along an axis is at least 2^-24. The direction is normalized to a largest coordinate of 0.5 to
//     1, so that the way is at least half of the time, and this changes the way along the axis by at most
//     2 u m. With a speed of the other sign it is twice that.
// 32 u m is therefore enough, higher-order terms included. The slack has three parts: 64 u of the coordinates
// of the ray, 64 u of the size of the node, and what the caller adds for the mover. The size of a node is the
// sum of its largest coordinates and extents. A slack of more than some 2^-10 of that size would meet too
// many boxes, which `least_size` excludes. A slack in [2^-80, 2^40] keeps products from underflow and
// overflow, because no coordinate or extent is larger than 2^18 times the slack.
//
// A moving box is compared along its own axes, too, but not along products of edges: that can only let more
// boxes pass. Its half extents count in m, and its extent along an axis is the sum of three products, 6 u
// times these. The axes of the mover need not be orthonormal if the slack covers what they deviate by.

#pragma once

#include "runtime/simd/bits.h"
#include "runtime/tree/lanes_aabb.h"
#include "runtime/tree/lanes_obb.h"

#include <stddef.h>

// Narrows the times to those between two planes: |mid - time * speed| <= reach, with a speed that is not
// negative.
LANES_INLINE void lanes_between( lanes mid, lanes reach, lanes inverse, lanes* from, lanes* to )
{
	lanes center = mid * inverse;
	lanes half = reach * inverse;
	*from = lanes_max( center - half, *from );
	*to = lanes_min( center + half, *to );
}

// A ray or a mover, and what it is for one node.
typedef struct lanes_moved
{
	const bvtree_lane_ray* ray;

	// its axes and half extents; its center is the origin of the ray, relative to the node
	bvtree_lane_box mover;

	float slack;
} lanes_moved;

// Compares boxes of a node.
// @param is_round  there is no mover
// @param time      of each lane that may be met
// @return the lanes that are not certainly missed
LANES_INLINE uint32_t lanes_obb_moved( const bvtree_lane_group* group, const lanes_moved* m, bool is_round,
                                       float time[8] )
{
	const bvtree_lane_box* mover = &m->mover;
	const float* d = m->ray->direction;
	uint32_t met = 0;
	for ( uint32_t first = 0; lanes_in( first, group->count ); first += lanes_width )
	{
		lanes_pair p;
		lanes_obb_decode( group, first, &m->mover, &p );
		lanes from = lanes_all( m->ray->from );
		lanes to = lanes_all( m->ray->to );
		lanes slack = lanes_all( m->slack );
		lanes least = p.scale * lanes_all( bvtree_lane_least_speed );
		for ( int i = 0; !is_round && i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				p.size[i][j] = lanes_abs( lanes_dot( mover->axis[i], p.axis[j] ) );
			}
		}
		for ( int j = 0; j < 3; ++j )
		{
			lanes along = lanes_obb_along( &p, j );
			lanes speed = lanes_dot( d, p.axis[j] );
			lanes reach = p.scale * ( p.half[j] + slack );
			if ( !is_round )
			{
				const lanes size[3] = { p.size[0][j], p.size[1][j], p.size[2][j] };
				reach = reach + lanes_dot( mover->half, size );
			}
			lanes_between( lanes_flip( along, speed ), reach,
			               lanes_all( 1 ) / lanes_max( lanes_abs( speed ), least ), &from, &to );
		}
		for ( int i = 0; !is_round && i < 3; ++i )
		{
			const float* axis = mover->axis[i];
			float speed = ( axis[0] * d[0] + axis[1] * d[1] ) + axis[2] * d[2];
			float size = fabsf( speed ) > bvtree_lane_least_speed ? fabsf( speed ) : bvtree_lane_least_speed;
			lanes width =
				lanes_sum( p.half[0] * p.size[i][0], p.half[1] * p.size[i][1], p.half[2] * p.size[i][2] );
			lanes reach = p.scale * ( lanes_all( mover->half[i] ) + slack ) + width;
			lanes along = p.scale * lanes_dot( axis, p.t );
			lanes_between( speed < 0 ? -along : along, reach,
			               lanes_all( 1 ) / ( p.scale * lanes_all( size ) ), &from, &to );
		}
		met |= ( lanes_asked( first, group->count ) & ~lanes_above( from, to ) ) << first;
		lanes_store( time + first, from );
	}
	return met;
}

LANES_INLINE uint32_t lanes_aabb_moved( const bvtree_lane_group* group, const lanes_moved* m, bool is_round,
                                        float time[8] )
{
	const bvtree_lane_box* mover = &m->mover;
	const bvtree_lane_ray* ray = m->ray;
	uint32_t n = group->count;
	uint32_t met = 0;
	const uint8_t* near[3];
	const uint8_t* far[3];
	float step[3];
	float enter[3];
	float leave[3];
	for ( uint32_t i = 0; i < 3; ++i )
	{
		float reach = m->slack;
		for ( int k = 0; !is_round && k < 3; ++k )
		{
			reach += mover->half[k] * fabsf( mover->axis[k][i] );
		}
		float start = m->mover.center[i] * ray->inverse[i];
		float width = reach * fabsf( ray->inverse[i] );
		near[i] = group->data + ( 3 + i - ray->far[i] ) * n;
		far[i] = group->data + ( i + ray->far[i] ) * n;
		step[i] = bvfile_code_coarse * group->step[i] * ray->inverse[i];
		enter[i] = -start - width;
		leave[i] = width - start;
	}
	for ( uint32_t first = 0; lanes_in( first, n ); first += lanes_width )
	{
		lanes from = lanes_all( ray->from );
		lanes to = lanes_all( ray->to );
		for ( int i = 0; i < 3; ++i )
		{
			lanes in = lanes_all( step[i] ) * lanes_bytes( near[i] + first ) + lanes_all( enter[i] );
			lanes out = lanes_all( step[i] ) * lanes_bytes( far[i] + first ) + lanes_all( leave[i] );
			from = lanes_max( in, from );
			to = lanes_min( out, to );
		}
		if ( !is_round )
		{
			lanes_pair p;
			lanes_aabb_decode( group, first, &m->mover, &p );
			for ( int i = 0; i < 3; ++i )
			{
				const float* axis = mover->axis[i];
				const float* d = ray->direction;
				const float size[3] = { fabsf( axis[0] ), fabsf( axis[1] ), fabsf( axis[2] ) };
				float speed = ( axis[0] * d[0] + axis[1] * d[1] ) + axis[2] * d[2];
				float least =
					fabsf( speed ) > bvtree_lane_least_speed ? fabsf( speed ) : bvtree_lane_least_speed;
				lanes reach = lanes_all( mover->half[i] + m->slack ) + lanes_dot( size, p.half );
				lanes along = lanes_dot( axis, p.t );
				lanes_between( speed < 0 ? -along : along, reach, lanes_all( 1 / least ), &from, &to );
			}
		}
		met |= ( lanes_asked( first, n ) & ~lanes_above( from, to ) ) << first;
		lanes_store( time + first, from );
	}
	return met;
}

// Compares boxes of a node and puts those that may be met on the stack.
// @param group  null for all children of the node
// @param nodes  from which children are prefetched; not used for a group
// @return null if binary32 is not precise enough for the node
LANES_INLINE bvtree_waiting* lanes_visit( const bvfile_packed_node* node, const bvfile_group* group,
                                          bool is_obb, bool is_round, lanes_moved* m, const uint32_t* nodes,
                                          bvtree_waiting* bottom, bvtree_waiting* top )
{
	bvtree_lane_group boxes = {
		.data = group ? group->data : bvfile_node_groups( node ),
		.count = group ? group->count : node->children,
		.step = { bvfile_lane_step( node->exponent[0] ), bvfile_lane_step( node->exponent[1] ),
		          bvfile_lane_step( node->exponent[2] ) },
		.extent = bvfile_lane_extent( node->extent ),
	};
	float size = bvfile_code_end * ( ( boxes.step[0] + boxes.step[1] ) + boxes.step[2] ) +
	             bvtree_lane_extents * boxes.extent;
	m->slack = m->ray->slack + 0x1p-18f * size;
	if ( !( size >= m->ray->least_size && m->slack >= 0x1p-80f && m->slack <= 0x1p40f ) )
	{
		return NULL;
	}
	for ( int i = 0; i < 3; ++i )
	{
		m->mover.center[i] = m->ray->origin[i] - m->ray->step * (float)node->origin[i];
	}
	float time[8];
	uint32_t met =
		is_obb ? lanes_obb_moved( &boxes, m, is_round, time ) : lanes_aabb_moved( &boxes, m, is_round, time );
	if ( met == 0 )
	{
		return top;
	}
	bvtree_child_sums sums = bvtree_child_sums_of( node );
	uint32_t first = group ? group->first : 0;
	do
	{
		uint32_t i = bvsimd_lowest_bit( met );
		bvtree_child child = bvtree_child_at( &sums, first + i );
		if ( !group )
		{
			// A leaf has no node. A branch would cost more than to fetch the root.
			uint32_t is_node = 0u - ( child >> 32 == 0 );
			const char* at = (const char*)( nodes + ( (uint32_t)child & is_node ) );
			bvsimd_prefetch( at );
			bvsimd_prefetch( at + 64 );
		}
		top = bvtree_push_child( child, m->ray->base + time[i], bottom, top );
		met &= met - 1;
	} while ( met > 0 );
	return top;
}

static bvtree_waiting* lanes_sweep( const bvfile_packed_node* node, const bvfile_group* group,
                                    const bvtree_lane_box* mover, const bvtree_lane_ray* ray,
                                    bvtree_waiting* bottom, bvtree_waiting* top )
{
	bool is_obb = group->type == bv_volume_obb;
	lanes_moved m = { .ray = ray };
	if ( mover )
	{
		m.mover = *mover;
	}
	if ( mover )
	{
		return is_obb ? lanes_visit( node, group, true, false, &m, NULL, bottom, top )
		              : lanes_visit( node, group, false, false, &m, NULL, bottom, top );
	}
	return is_obb ? lanes_visit( node, group, true, true, &m, NULL, bottom, top )
	              : lanes_visit( node, group, false, true, &m, NULL, bottom, top );
}

// Visits a node whose children all have boxes of one type.
// @return null for other nodes
LANES_INLINE bvtree_waiting* lanes_visit_all( const bvfile_packed_node* node, bool is_round, lanes_moved* m,
                                              const uint32_t* nodes, bvtree_waiting* top )
{
	const uint8_t* kinds = bvfile_node_kinds( node );
	uint32_t type = kinds[0] >> bvfile_kind_shift;
	if ( type > bv_volume_aabb || kinds[node->children - 1u] >> bvfile_kind_shift != (int)type )
	{
		return NULL;
	}
	return type == bv_volume_obb ? lanes_visit( node, NULL, true, is_round, m, nodes, top, top )
	                             : lanes_visit( node, NULL, false, is_round, m, nodes, top, top );
}

LANES_INLINE void lanes_descend_by( bvtree_lane_descent* d, bool is_round )
{
	bvtree_waiting stack[bvtree_descent_stack];
	bvtree_waiting* top = stack;
	// A copy that no other function knows, so that its numbers stay in registers. The ray was stored number
	// by number just before, and wider loads would wait for that.
	bvtree_lane_ray ray;
	for ( int i = 0; i < 3; ++i )
	{
		ray.origin[i] = d->ray->origin[i];
		ray.direction[i] = d->ray->direction[i];
		ray.inverse[i] = d->ray->inverse[i];
		ray.far[i] = d->ray->far[i];
	}
	ray.step = d->ray->step;
	ray.slack = d->ray->slack;
	ray.from = d->ray->from;
	ray.to = d->ray->to;
	ray.least_size = d->ray->least_size;
	ray.base = d->ray->base;
	lanes_moved m = { .ray = &ray };
	if ( !is_round )
	{
		m.mover = *d->mover;
	}
	*top++ = ( bvtree_waiting ){ -INFINITY, bvtree_child_make( 0, d->root_triangles ) };
	while ( top > stack )
	{
		--top;
		bvtree_child child = top->child;
		uint32_t triangles = (uint32_t)( child >> 32 );
		if ( top->order > *d->limit )
		{
			continue;
		}
		if ( triangles > 0 )
		{
			if ( !d->leaf( d->context, (uint32_t)child, triangles ) )
			{
				return;
			}
			ray.to = d->ray->to;
			continue;
		}
		const bvfile_packed_node* node = (const bvfile_packed_node*)( d->nodes + (uint32_t)child );
		bvtree_waiting* next = lanes_visit_all( node, is_round, &m, d->nodes, top );
		top = next ? next : d->node( d->context, node, top );
		d->volume_tests += node->children;
	}
}

static void lanes_descend( bvtree_lane_descent* d )
{
	if ( d->mover )
	{
		lanes_descend_by( d, false );
	}
	else
	{
		lanes_descend_by( d, true );
	}
}

static bvtree_waiting* lanes_descend_once( bvtree_lane_descent* d, const bvfile_packed_node* node,
                                           bvtree_waiting* top )
{
	lanes_moved m = { .ray = d->ray };
	bvtree_waiting* next = lanes_visit_all( node, true, &m, d->nodes, top );
	d->volume_tests += node->children;
	return next ? next : d->node( d->context, node, top );
}
