// The hierarchy over parts: halved at the median along the longest axis, written depth first so that a query
// needs no stack.

#include "offline/decompose/parts.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include <stdlib.h>
#include <string.h>

// A part on its way to its place.
typedef struct item
{
	uint32_t part;
	bv_aabb box;
	double at; // its middle, along the axis that is being halved
} item;

static int compare( const void* left, const void* right )
{
	const item* a = left;
	const item* b = right;
	if ( a->at != b->at )
	{
		return a->at < b->at ? -1 : 1;
	}
	return ( a->part > b->part ) - ( a->part < b->part );
}

static void sort_along_longest( item* items, uint32_t count, const bv_aabb* box )
{
	bv_vec3 size = bv_sub( box->upper, box->lower );
	int axis = size.x >= size.y ? 0 : 1;
	axis = size.z > bvmath_component( size, axis ) ? 2 : axis;
	for ( uint32_t i = 0; i < count; ++i )
	{
		items[i].at = 0.5 * bvmath_component( items[i].box.lower, axis ) +
		              0.5 * bvmath_component( items[i].box.upper, axis );
	}
	qsort( items, count, sizeof *items, compare );
}

// Halving at the median makes it no deeper than the logarithm of the count.
static void build( item* items, uint32_t count, bvb_decomposition* d )
{
	bvb_part_node* node = d->nodes + d->node_count++;
	node->part = BVB_NO_PART;
	node->box = items[0].box;
	for ( uint32_t i = 1; i < count; ++i )
	{
		node->box.lower = bvmath_least( node->box.lower, items[i].box.lower );
		node->box.upper = bvmath_greatest( node->box.upper, items[i].box.upper );
	}
	if ( count == 1 )
	{
		node->part = items[0].part;
	}
	else
	{
		sort_along_longest( items, count, &node->box );
		build( items, count / 2, d );
		build( items + count / 2, count - count / 2, d );
	}
	node->next = d->node_count;
}

bv_status bvdecomp_arrange_parts( bvb_arena* arena, bvb_decomposition* d )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	item* items = scratch ? bvb_arena_allocate( scratch, d->part_count, sizeof *items ) : NULL;
	bvb_part* parts = scratch ? bvb_arena_allocate( scratch, d->part_count, sizeof *parts ) : NULL;
	d->nodes = bvb_arena_allocate( arena, 2 * (size_t)d->part_count - 1, sizeof *d->nodes );
	if ( !items || !parts || !d->nodes )
	{
		bvb_arena_destroy( scratch );
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		items[i] = ( item ){ .part = i, .box = d->parts[i].box };
	}
	d->node_count = 0;
	build( items, d->part_count, d );
	memcpy( parts, d->parts, d->part_count * sizeof *parts );
	uint32_t next = 0;
	for ( uint32_t n = 0; n < d->node_count; ++n )
	{
		if ( d->nodes[n].part != BVB_NO_PART )
		{
			d->parts[next] = parts[d->nodes[n].part];
			d->nodes[n].part = next++;
		}
	}
	bvb_arena_destroy( scratch );
	return bv_ok;
}
