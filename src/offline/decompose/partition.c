// The parts: cutting and merging them for good.

#include "offline/decompose/cap.h"
#include "offline/decompose/inner.h"
#include "offline/decompose/piece_tree.h"
#include "offline/decompose/search.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Doubles an array of the search.
static bool grow( bvdecomp_search* s, void** array, uint32_t count, uint32_t* room, size_t size )
{
	uint32_t wider = *room ? 2 * *room : 64;
	void* copy = bvb_arena_allocate( s->lasting, wider, size );
	if ( copy && count > 0 )
	{
		memcpy( copy, *array, count * size );
	}
	if ( copy )
	{
		*array = copy;
		*room = wider;
	}
	return copy;
}

// Makes room for one more cut of one leaf, so that arrays stay where they are.
// @return false when out of memory
static bool reserve_parts( bvdecomp_search* s )
{
	void* nodes = s->nodes;
	void* leaves = s->leaves;
	void* parts = s->parts;
	bool good = ( s->node_count + 2 <= s->node_room ||
	              grow( s, &nodes, s->node_count, &s->node_room, sizeof *s->nodes ) ) &&
	            ( s->leaf_count + 2 <= s->leaf_room ||
	              grow( s, &leaves, s->leaf_count, &s->leaf_room, sizeof *s->leaves ) ) &&
	            ( s->part_count + 1 <= s->part_room ||
	              grow( s, &parts, s->part_count, &s->part_room, sizeof *s->parts ) );
	s->nodes = nodes;
	s->leaves = leaves;
	s->parts = parts;
	return good;
}

bv_status bvdecomp_prepare_piece( const bvdecomp_search* s, bvdecomp_piece* piece )
{
	static const double share = 0.5; // of the roughness, to be less than what hulls of the corners add to it
	double roughness = share * s->fine.roughness;
	bvhull_rough* rough = &s->workers[0].half[0];
	bv_status status = bvdecomp_find_inner_corners( &s->field, piece, roughness, rough, s->arena );
	return status == bv_ok
	           ? bvdecomp_grow_piece_tree( piece, roughness, share * s->coarse.roughness, rough, s->arena )
	           : status;
}

// The hull of all that its leaves have, or of corners that are known to have the same.
static bv_status finish_part( bvdecomp_search* s, bvdecomp_search_part* part,
                              const bvdecomp_search_part* other )
{
	bvhull_rough* rough = &s->workers[0].half[0];
	bvhull_rough_clear( rough );
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE && !other; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		const bvdecomp_node_corners* corners = &piece->tree->nodes[0].fine;
		bvhull_rough_add_all( rough, corners->points, corners->count );
		bvhull_rough_add_all( rough, piece->inner, piece->inner_count );
	}
	if ( other )
	{
		bvhull_rough_add_all( rough, part->corners, part->corner_count );
		bvhull_rough_add_all( rough, other->corners, other->corner_count );
	}
	part->cost = bvdecomp_cost_of_points( s, rough, &s->fine );
	part->corners = rough->failed ? NULL : bvhull_rough_corners( rough, s->arena, &part->corner_count );
	if ( !part->corners )
	{
		return bv_error_memory;
	}
	part->low = part->corner_count ? part->corners[0] : ( bv_vec3 ){ 0 };
	part->high = part->low;
	for ( uint32_t i = 1; i < part->corner_count; ++i )
	{
		part->low = bvmath_least( part->low, part->corners[i] );
		part->high = bvmath_greatest( part->high, part->corners[i] );
	}
	part->version = ++s->versions;
	part->final = false;
	part->certified = INFINITY;
	part->excess = 0;
	part->capped = BVDECOMP_NOT_ESTIMATED;
	return bv_ok;
}

bv_status bvdecomp_fit_part( bvdecomp_search* s, uint32_t part )
{
	return finish_part( s, s->parts + part, NULL );
}

bv_status bvdecomp_start_parts( bvdecomp_search* s, const bvb_mesh* mesh )
{
	if ( !reserve_parts( s ) )
	{
		return bv_error_memory;
	}
	s->node_count = s->leaf_count = s->part_count = s->live = 1;
	s->nodes[0] = ( bvdecomp_cut_node ){ .child = { BVDECOMP_NONE, BVDECOMP_NONE }, .leaf = 0 };
	s->leaves[0] = ( bvdecomp_leaf ){ .node = 0, .next = BVDECOMP_NONE };
	s->parts[0] = ( bvdecomp_search_part ){ .leaf = 0 };
	bv_status status =
		bvdecomp_piece_of_mesh( mesh, ( bv_vec3 ){ 0 }, BVDECOMP_CELL_REACH, s->arena, &s->leaves[0].piece );
	status = status == bv_ok ? bvdecomp_prepare_piece( s, &s->leaves[0].piece ) : status;
	return status == bv_ok ? finish_part( s, &s->parts[0], NULL ) : status;
}

// Which sides of the plane a piece has points on.
static unsigned sides_of( const bvdecomp_piece* piece, const bvdecomp_plane* plane )
{
	unsigned sides = 0;
	for ( uint32_t i = 0; i < piece->point_count && sides != bvdecomp_side_on; ++i )
	{
		bvdecomp_side side = bvdecomp_side_of( plane, piece->points[i], BVDECOMP_ON_PLANE );
		sides |= side == bvdecomp_side_on ? 0 : side;
	}
	for ( uint32_t i = 0; i < piece->inner_count && sides != bvdecomp_side_on; ++i )
	{
		bvdecomp_side side = bvdecomp_side_of( plane, piece->inner[i], BVDECOMP_ON_PLANE );
		sides |= side == bvdecomp_side_on ? 0 : side;
	}
	return sides;
}

static void push_leaf( bvdecomp_search* s, uint32_t* list, uint32_t leaf )
{
	s->leaves[leaf].next = *list;
	*list = leaf;
}

static bv_status cut_leaf( bvdecomp_search* s, uint32_t leaf, const bvdecomp_plane* plane, uint32_t lists[2] )
{
	bvdecomp_piece half[2];
	bool parted;
	unsigned sides = sides_of( &s->leaves[leaf].piece, plane );
	bv_status status = bv_ok;
	if ( sides == bvdecomp_side_on )
	{
		status = bvdecomp_piece_cut( &s->leaves[leaf].piece, plane, BVDECOMP_ON_PLANE, s->arena, s->arena,
		                             &half[0], &half[1], &parted );
	}
	if ( sides != bvdecomp_side_on || status != bv_ok || !parted )
	{
		push_leaf( s, &lists[sides == bvdecomp_side_above], leaf );
		return status;
	}
	if ( !reserve_parts( s ) )
	{
		return bv_error_memory;
	}
	bvdecomp_cut_node* node = s->nodes + s->leaves[leaf].node;
	node->plane = *plane;
	node->leaf = BVDECOMP_NONE;
	for ( int k = 0; k < 2 && status == bv_ok; ++k )
	{
		status = bvdecomp_prepare_piece( s, &half[k] );
		uint32_t at = k == 0 ? leaf : s->leaf_count++;
		node->child[k] = s->node_count++;
		s->nodes[node->child[k]] =
			( bvdecomp_cut_node ){ .child = { BVDECOMP_NONE, BVDECOMP_NONE }, .leaf = at };
		s->leaves[at] = ( bvdecomp_leaf ){ .piece = half[k], .node = node->child[k] };
		push_leaf( s, &lists[k], at );
	}
	return status;
}

bv_status bvdecomp_cut_part( bvdecomp_search* s, uint32_t part, const bvdecomp_plane* plane, bool* done )
{
	uint32_t lists[2] = { BVDECOMP_NONE, BVDECOMP_NONE };
	bv_status status = reserve_parts( s ) ? bv_ok : bv_error_memory;
	for ( uint32_t leaf = s->parts[part].leaf; leaf != BVDECOMP_NONE && status == bv_ok; )
	{
		uint32_t after = s->leaves[leaf].next;
		status = cut_leaf( s, leaf, plane, lists );
		leaf = after;
	}
	if ( status != bv_ok )
	{
		return status;
	}
	*done = lists[0] != BVDECOMP_NONE && lists[1] != BVDECOMP_NONE;
	if ( !*done )
	{
		s->parts[part].leaf = lists[0] != BVDECOMP_NONE ? lists[0] : lists[1];

		// Its leaves may be in another order.
		s->parts[part].version = ++s->versions;
		return bv_ok;
	}
	if ( s->part_count == s->part_room && !reserve_parts( s ) )
	{
		return bv_error_memory;
	}
	uint32_t other = s->part_count++;
	s->parts[part] = ( bvdecomp_search_part ){ .leaf = lists[0] };
	s->parts[other] = ( bvdecomp_search_part ){ .leaf = lists[1] };
	++s->live;
	status = finish_part( s, s->parts + part, NULL );
	return status == bv_ok ? finish_part( s, s->parts + other, NULL ) : status;
}

bv_status bvdecomp_merge_parts( bvdecomp_search* s, uint32_t a, uint32_t b )
{
	uint32_t* end = &s->parts[a].leaf;
	while ( *end != BVDECOMP_NONE )
	{
		end = &s->leaves[*end].next;
	}
	*end = s->parts[b].leaf;
	s->parts[b].leaf = BVDECOMP_NONE;
	--s->live;
	return finish_part( s, s->parts + a, s->parts + b );
}
