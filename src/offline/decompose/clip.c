// Depth first through the planes, each half in an arena of its own, so that no more is held at a time than
// one way down.

#include "offline/decompose/clip.h"

#include "offline/base/arena.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <string.h>

// Something to be cut, or put into its leaf.
typedef struct clip_task
{
	bvdecomp_piece piece;
	uint32_t node;
	bvb_arena* arena; // owns the piece
} clip_task;

typedef struct clipper
{
	bvdecomp_search* search;
	bvb_arena* arena; // of the stack
	clip_task* stack;
	uint32_t height;
	uint32_t room;
} clipper;

static bv_status push( clipper* c, const bvdecomp_piece* piece, uint32_t node, bvb_arena* arena )
{
	if ( c->height == c->room )
	{
		uint32_t room = c->room ? 2 * c->room : 64;
		clip_task* wider = bvb_arena_allocate( c->arena, room, sizeof *wider );
		if ( !wider )
		{
			return bv_error_memory;
		}
		if ( c->height > 0 )
		{
			memcpy( wider, c->stack, c->height * sizeof *wider );
		}
		c->stack = wider;
		c->room = room;
	}
	c->stack[c->height++] = ( clip_task ){ *piece, node, arena };
	return bv_ok;
}

// What the task holds is gone unless this fails.
static bv_status cut( clipper* c, const clip_task* t, const bvdecomp_cut_node* node )
{
	bvb_arena* low = bvbase_arena_create_scratch( c->arena );
	bvb_arena* high = bvbase_arena_create_scratch( c->arena );
	bvdecomp_piece half[2];
	bool parted = false;
	bv_status status = low && high ? bvdecomp_piece_cut( &t->piece, &node->plane, BVDECOMP_ON_PLANE, low,
	                                                     high, &half[0], &half[1], &parted )
	                               : bv_error_memory;
	if ( status == bv_ok && !parted )
	{
		// The search cut the same cell. Should it not be so, whichever side gets all covers it.
		bvb_arena_destroy( low );
		bvb_arena_destroy( high );
		return push( c, &t->piece, node->child[0], t->arena );
	}
	status = status == bv_ok ? push( c, &half[0], node->child[0], low ) : status;
	low = status == bv_ok ? NULL : low;
	status = status == bv_ok ? push( c, &half[1], node->child[1], high ) : status;
	high = status == bv_ok ? NULL : high;
	bvb_arena_destroy( low );
	bvb_arena_destroy( high );
	if ( status == bv_ok )
	{
		bvb_arena_destroy( t->arena );
	}
	return status;
}

static bv_status clip( clipper* c, const bvb_mesh* mesh )
{
	bvb_arena* first = bvbase_arena_create_scratch( c->arena );
	bvdecomp_piece whole;
	bv_status status =
		first ? bvdecomp_piece_of_mesh( mesh, ( bv_vec3 ){ 0 }, BVDECOMP_CELL_REACH, first, &whole )
			  : bv_error_memory;
	status = status == bv_ok ? push( c, &whole, 0, first ) : status;
	if ( status != bv_ok )
	{
		bvb_arena_destroy( first );
	}
	while ( c->height > 0 )
	{
		clip_task t = c->stack[--c->height];
		const bvdecomp_cut_node* node = c->search->nodes + t.node;
		if ( status == bv_ok && node->leaf == BVDECOMP_NONE )
		{
			status = cut( c, &t, node );
			if ( status == bv_ok )
			{
				continue;
			}
		}
		else if ( status == bv_ok )
		{
			bvdecomp_leaf* leaf = c->search->leaves + node->leaf;
			status = bvdecomp_piece_copy( &t.piece, c->search->arena, &leaf->piece );
			status = status == bv_ok ? bvdecomp_prepare_piece( c->search, &leaf->piece ) : status;
		}
		bvb_arena_destroy( t.arena );
	}
	return status;
}

bv_status bvdecomp_fill_leaves( bvdecomp_search* search, const bvb_mesh* mesh )
{
	clipper c = { .search = search, .arena = bvbase_arena_create_scratch( search->lasting ) };
	bv_status status = c.arena ? clip( &c, mesh ) : bv_error_memory;
	bvb_arena_destroy( c.arena );
	for ( uint32_t i = 0; i < search->part_count && status == bv_ok; ++i )
	{
		status = search->parts[i].leaf != BVDECOMP_NONE ? bvdecomp_fit_part( search, i ) : bv_ok;
	}
	return status;
}

static void put( const bvdecomp_piece* piece, const bvdecomp_shape* shape, bvdecomp_part_points* to )
{
	for ( uint32_t i = 0; i < piece->point_count; ++i )
	{
		// The mesh's own vertices exactly.
		uint32_t vertex = piece->vertex[i];
		to->points[to->count++] = vertex == UINT32_MAX
		                              ? bvdecomp_point_in_mesh( &shape->frame, piece->points[i] )
		                              : shape->mesh.positions[vertex];
	}
	for ( uint32_t i = 0; i < piece->cell.corner_count && shape->inside; ++i )
	{
		bv_vec3 beside = bvdecomp_polytope_beside( &piece->cell, i, BVDECOMP_ON_PLANE );
		if ( bvdecomp_is_inside( shape, beside ) )
		{
			to->points[to->count++] = bvdecomp_point_in_mesh( &shape->frame, piece->cell.corners[i] );
		}
	}
	for ( uint32_t i = piece->inner_count - piece->film_count; i < piece->inner_count; ++i )
	{
		to->points[to->count++] = bvdecomp_point_in_mesh( &shape->frame, piece->inner[i] );
	}
	for ( uint32_t t = 0; t < piece->triangle_count; ++t )
	{
		to->triangles[to->triangle_count++] = piece->source[t];
	}
}

bv_status bvdecomp_gather_points( const bvdecomp_search* s, uint32_t part, const bvdecomp_shape* shape,
                                  bvb_arena* arena, bvdecomp_part_points* out )
{
	size_t points = 0;
	size_t triangles = 0;
	for ( uint32_t leaf = s->parts[part].leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		points += piece->point_count + piece->cell.corner_count + piece->film_count;
		triangles += piece->triangle_count;
	}
	*out = ( bvdecomp_part_points ){
		.points = bvb_arena_allocate( arena, points, sizeof *out->points ),
		.triangles = bvb_arena_allocate( arena, triangles, sizeof *out->triangles ),
	};
	if ( !out->points || !out->triangles )
	{
		return bv_error_memory;
	}
	for ( uint32_t leaf = s->parts[part].leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		put( &s->leaves[leaf].piece, shape, out );
	}
	out->triangle_count = bvbase_sort_unique( out->triangles, out->triangle_count );
	return bv_ok;
}
