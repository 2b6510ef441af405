// Several rays that descend one hierarchy in turns, so that none waits for memory: when a ray knows what it
// reads next, it prefetches that, and the others take their steps meanwhile (Kocberber, Falsafi, Grot 2015,
// "Asynchronous memory access chaining").
//
// Each ray visits the same nodes in the same order as by itself (bvtree_sweep_visit).

#pragma once

#include "runtime/simd/bits.h"
#include "runtime/tree/sweep.h"

enum
{
	/// Nodes that wait, of one ray. A ray that needs more of them is cast by itself, from its start.
	bvtree_flight_stack = 32,
};

/// The step that a ray takes at its next turn.
typedef enum bvtree_flight_stage
{
	bvtree_flight_visit = 0,  ///< visit what is next
	bvtree_flight_references, ///< prefetch the references of the next leaf
	bvtree_flight_positions,  ///< prefetch the positions of the next leaf
	bvtree_flight_stuck,      ///< none: more nodes wait than there is room for
} bvtree_flight_stage;

/// A ray between two steps. Must not be copied.
typedef struct bvtree_flight
{
	bvtree_lane_descent descent;
	uint32_t at;        ///< what it visits next: of an inner node the place, of a leaf the first triangle
	uint32_t triangles; ///< of a leaf; 0 for an inner node
	bvtree_flight_stage stage; ///< how it goes on with that
	uint32_t waiting_count;    ///< nodes and leaves that wait for their turn
	bvtree_waiting waiting[bvtree_flight_stack];
} bvtree_flight;

// These are inline by force: see bvsimd_prefetch.
BVSIMD_INLINE void bvtree_prefetch( const void* base, size_t offset )
{
	bvsimd_prefetch( (const void*)( (uintptr_t)base + offset ) );
}

// Most nodes lie on three lines of 64 bytes or less.
BVSIMD_INLINE void bvtree_prefetch_next( const bvfile_view* view, const bvtree_flight* f )
{
	if ( f->triangles == 0 )
	{
		size_t at = 4 * (size_t)f->at;
		bvtree_prefetch( view->nodes, at );
		bvtree_prefetch( view->nodes, at + 64 );
		bvtree_prefetch( view->nodes, at + 128 );
		return;
	}
	bvtree_prefetch( view->triangles.codes, 3 * (size_t)f->at );
	bvtree_prefetch( view->triangles.clusters, f->at / bvfile_cluster_triangles * sizeof( bvfile_cluster ) );
}

BVSIMD_INLINE void bvtree_prefetch_references( const bvfile_view* view, const bvtree_flight* f )
{
	const bvfile_triangles_view* v = &view->triangles;
	const bvfile_cluster* cluster = v->clusters + f->at / bvfile_cluster_triangles;
	size_t position = bvfile_position_bytes( view->mesh );
	bvtree_prefetch( v->references, (size_t)v->head->width * cluster->first_reference );
	bvtree_prefetch( v->references, (size_t)v->head->width * cluster->first_reference + 64 );
	bvtree_prefetch( view->positions, position * cluster->first_new );
	bvtree_prefetch( view->positions, position * cluster->first_new + 64 );
}

BVSIMD_INLINE void bvtree_prefetch_positions( const bvfile_view* view, const bvtree_flight* f )
{
	size_t position = bvfile_position_bytes( view->mesh );
	uint32_t count = f->triangles < bvtree_leaf_block ? f->triangles : bvtree_leaf_block;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[3];
		bvfile_triangle( view, f->at + i, corner );
		bvtree_prefetch( view->positions, position * corner[0] );
		bvtree_prefetch( view->positions, position * corner[1] );
		bvtree_prefetch( view->positions, position * corner[2] );
	}
}

/// Begins at the root.
BVSIMD_INLINE void bvtree_flight_begin( bvtree_flight* f, bvtree_sweep* s, const bvfile_view* view,
                                        bvtree_sweep_leaf* leaf )
{
	f->descent = bvtree_sweep_descent( s, view, leaf );
	f->at = 0;
	f->triangles = view->hierarchy->root_triangles;
	f->stage = bvtree_flight_visit;
	f->waiting_count = 0;
}

// Takes the next one from a stack.
// @return false if nothing waits
BVSIMD_INLINE bool bvtree_flight_take( bvtree_flight* f, bvtree_waiting* stack )
{
	while ( f->waiting_count > 0 )
	{
		const bvtree_waiting* next = stack + --f->waiting_count;
		if ( !( next->order > *f->descent.limit ) )
		{
			f->at = (uint32_t)next->child;
			f->triangles = (uint32_t)( next->child >> 32 );
			return true;
		}
	}
	return false;
}

// Visits what is next.
// @return false to end the search
BVSIMD_INLINE bool bvtree_flight_visit_next( const bvtree_lanes* lanes, const bvfile_view* view,
                                             bvtree_flight* f, bvtree_waiting* stack )
{
	if ( f->triangles > 0 )
	{
		return f->descent.leaf( f->descent.context, f->at, f->triangles );
	}
	bvtree_waiting* top =
		lanes->visit( &f->descent, bvfile_node_at( view, f->at ), stack + f->waiting_count );
	f->waiting_count = (uint32_t)( top - stack );
	return true;
}

/// Takes one step of a ray.
/// @return false if the search has ended, or if the ray is stuck
BVSIMD_INLINE bool bvtree_flight_step( const bvtree_lanes* lanes, const bvfile_view* view, bvtree_flight* f )
{
	if ( f->stage == bvtree_flight_references )
	{
		bvtree_prefetch_references( view, f );
		f->stage = bvtree_flight_positions;
		return true;
	}
	if ( f->stage == bvtree_flight_positions )
	{
		bvtree_prefetch_positions( view, f );
		f->stage = bvtree_flight_visit;
		return true;
	}
	if ( f->triangles == 0 && f->waiting_count + BVFILE_LANES > bvtree_flight_stack )
	{
		f->stage = bvtree_flight_stuck;
		return false;
	}
	if ( !bvtree_flight_visit_next( lanes, view, f, f->waiting ) || !bvtree_flight_take( f, f->waiting ) )
	{
		return false;
	}
	f->stage = f->triangles > 0 ? bvtree_flight_references : bvtree_flight_visit;
	bvtree_prefetch_next( view, f );
	return true;
}
