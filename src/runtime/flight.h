// Several searches of one hierarchy in turns, so that none waits for memory: when a search knows what it reads
// next, it prefetches that, and the others take their steps meanwhile (Kocberber, Falsafi, Grot 2015,
// "Asynchronous memory access chaining").
//
// Each search visits the same nodes in the same order as by itself (walk.h).

#pragma once

#include "runtime/walk.h"

enum
{
	/// Nodes that wait, of one search. A search that needs more of them is finished by itself.
	bv_flight_stack = 64,
};

/// The step that a search takes at its next turn.
typedef enum bv_flight_stage
{
	bv_flight_visit = 0,  ///< visit what is next
	bv_flight_references, ///< prefetch the references of the next leaf
	bv_flight_positions,  ///< prefetch the positions of the next leaf
} bv_flight_stage;

/// A search between two steps.
typedef struct bv_flight
{
	bv_waiting next;        ///< what it visits next
	bv_flight_stage stage;  ///< how it goes on with that
	uint32_t waiting_count; ///< nodes and leaves that wait for their turn
	bv_waiting waiting[bv_flight_stack];
} bv_flight;

// These are inline by force: gcc 12 takes a function that does nothing but prefetch for one without effects and
// drops its calls.
WALK_INLINE void bv_prefetch( const void* base, size_t offset )
{
	__builtin_prefetch( (const void*)( (uintptr_t)base + offset ) );
}

// Most nodes lie on three lines of 64 bytes or less.
WALK_INLINE void bv_prefetch_waiting( const bvh_view* view, const bv_waiting* next )
{
	if ( next->triangles == 0 )
	{
		size_t at = 4 * (size_t)next->at;
		bv_prefetch( view->nodes, at );
		bv_prefetch( view->nodes, at + 64 );
		bv_prefetch( view->nodes, at + 128 );
		return;
	}
	bv_prefetch( view->triangles.codes, 3 * (size_t)next->at );
	bv_prefetch( view->triangles.clusters, next->at / bvh_cluster_triangles * sizeof( bvh_cluster ) );
}

WALK_INLINE void bv_prefetch_references( const bvh_view* view, const bv_waiting* next )
{
	const bvh_triangles_view* v = &view->triangles;
	const bvh_cluster* cluster = v->clusters + next->at / bvh_cluster_triangles;
	size_t position = bvh_position_bytes( view->mesh );
	bv_prefetch( v->references, (size_t)v->head->width * cluster->first_reference );
	bv_prefetch( v->references, (size_t)v->head->width * cluster->first_reference + 64 );
	bv_prefetch( view->positions, position * cluster->first_new );
	bv_prefetch( view->positions, position * cluster->first_new + 64 );
}

WALK_INLINE void bv_prefetch_positions( const bvh_view* view, const bv_waiting* next )
{
	size_t position = bvh_position_bytes( view->mesh );
	uint32_t count = next->triangles < bv_leaf_block ? next->triangles : bv_leaf_block;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[3];
		bvh_triangle( view, next->at + i, corner );
		bv_prefetch( view->positions, position * corner[0] );
		bv_prefetch( view->positions, position * corner[1] );
		bv_prefetch( view->positions, position * corner[2] );
	}
}

/// Begins at the root.
WALK_INLINE void bv_flight_begin( const bvh_view* view, bv_flight* f )
{
	f->next = ( bv_waiting ){ -INFINITY, 0, view->hierarchy->root_triangles };
	f->stage = bv_flight_visit;
	f->waiting_count = 0;
}

// Takes the next one from the stack and prefetches it.
// @return false if there is none
WALK_INLINE bool bv_flight_take( const bvh_view* view, const bv_visitor* visitor, bv_flight* f )
{
	while ( f->waiting_count > 0 )
	{
		f->next = f->waiting[--f->waiting_count];
		if ( !( f->next.order > *visitor->limit ) )
		{
			f->stage = f->next.triangles > 0 ? bv_flight_references : bv_flight_visit;
			bv_prefetch_waiting( view, &f->next );
			return true;
		}
	}
	return false;
}

/// Takes one step of a search.
/// @param visitor  as for bv_walk_visit
/// @param finish   finishes a search whose stack is too small, by bv_walk_from
/// @return false if the search has ended
WALK_INLINE bool bv_flight_step( const bvh_view* view, const bv_visitor* visitor, bv_flight* f,
                                 void ( *finish )( const bvh_view* view, void* context, const bv_flight* f ) )
{
	if ( f->stage == bv_flight_references )
	{
		bv_prefetch_references( view, &f->next );
		f->stage = bv_flight_positions;
		return true;
	}
	if ( f->stage == bv_flight_positions )
	{
		bv_prefetch_positions( view, &f->next );
		f->stage = bv_flight_visit;
		return true;
	}
	if ( f->next.triangles > 0 )
	{
		return bv_visit_leaf( view, visitor, f->next.at, f->next.triangles ) &&
		       bv_flight_take( view, visitor, f );
	}
	if ( f->waiting_count + BV_LANES > bv_flight_stack )
	{
		finish( view, visitor->context, f );
		return false;
	}
	bv_waiting* top = bv_visit_children( view, visitor, f->next.at, f->waiting + f->waiting_count );
	f->waiting_count = (uint32_t)( top - f->waiting );
	return bv_flight_take( view, visitor, f );
}

/// Finishes a search by itself.
WALK_INLINE void bv_flight_finish( const bvh_view* view, const bv_visitor* visitor, const bv_flight* f )
{
	bv_waiting stack[bv_walk_stack];
	memcpy( stack, f->waiting, f->waiting_count * sizeof *stack );
	stack[f->waiting_count] = f->next;
	bv_walk_from( view, visitor, stack, f->waiting_count + 1 );
}
