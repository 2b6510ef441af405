// The descent of two hierarchies, or of one and itself, for pairs of leaves that are near each other. See contact.h.
//
// Both nodes of a pair are opened at once, and all pairs of their children compared: up to 64, of which those that are near are bits of
// one word. So the path to where the descent is has one level per level of the hierarchies: while both nodes are inner ones, each level
// is one deeper in both, and then in one.

#include "world/deform/contact.h"

// A node in its hierarchy.
typedef struct node_place
{
	uint32_t number;
	uint32_t at;        // place of an inner node, first triangle of a leaf
	uint32_t triangles; // 0 for an inner node
} node_place;

// A pair of nodes that is opened.
typedef struct open_pair
{
	uint64_t
		waiting; // bit 8 * i + j of child i of the first node and child j of the second; a leaf is its own only child
	node_place node[2];
	bool is_one; // both nodes are the same
} open_pair;

typedef struct pair_descent
{
	const bvwdeform_side* side[2];
	bvsimd_floats reach;
	bvwdeform_leaves* leaves;
	void* data;
	uint64_t tests;
	uint32_t depth;
	open_pair levels[BV_MAX_DEPTH + 1];
} pair_descent;

static const bvfile_packed_node* packed_of( const pair_descent* d, int side, const node_place* s )
{
	return bvfile_node_at( &d->side[side]->view, s->at );
}

// @return the boxes of the children, or that of a leaf
static const bvtree_refit_box* boxes_of( const pair_descent* d, int side, const node_place* s,
                                         bvtree_refit_box* storage, uint32_t* count )
{
	const bvwdeform_side* from = d->side[side];
	if ( s->triangles > 0 )
	{
		*count = 1;
		if ( from->boxes )
		{
			return from->boxes + s->number;
		}
		bvwdeform_triangle t;
		bvwdeform_load_triangle( from, s->at, &t );
		*storage = t.box;
		for ( uint32_t i = 1; i < s->triangles; ++i )
		{
			bvwdeform_load_triangle( from, s->at + i, &t );
			bvwdeform_join( storage, &t.box, storage );
		}
		return storage;
	}
	const bvfile_packed_node* packed = packed_of( d, side, s );
	*count = packed->children;
	if ( from->boxes )
	{
		return from->boxes + packed->first_child;
	}
	bvwdeform_make_boxes( from, packed, storage );
	return storage;
}

// A node with itself: each pair of children once, and each child with itself.
static void compare_one( pair_descent* d, open_pair* l )
{
	uint32_t count;
	bvtree_refit_box storage[BVFILE_LANES];
	const bvtree_refit_box* box = boxes_of( d, 0, l->node, storage, &count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		l->waiting |= UINT64_C( 1 ) << 9 * i;
		for ( uint32_t j = i + 1; j < count; ++j )
		{
			l->waiting |= (uint64_t)bvwdeform_are_near( box + i, box + j, d->reach ) << ( 8 * i + j );
		}
	}
	d->tests += count * ( count - 1 ) / 2;
}

static void compare( pair_descent* d, open_pair* l )
{
	uint32_t count[2];
	bvtree_refit_box storage[2][BVFILE_LANES];
	const bvtree_refit_box* a = boxes_of( d, 0, l->node, storage[0], count );
	const bvtree_refit_box* b = boxes_of( d, 1, l->node + 1, storage[1], count + 1 );
	for ( uint32_t i = 0; i < count[0]; ++i )
	{
		uint64_t near = 0;
		for ( uint32_t j = 0; j < count[1]; ++j )
		{
			near |= (uint64_t)bvwdeform_are_near( a + i, b + j, d->reach ) << j;
		}
		l->waiting |= near << 8 * i;
	}
	d->tests += count[0] * count[1];
}

// @return false to end the descent
static bool visit( pair_descent* d, const node_place* a, const node_place* b, bool is_one )
{
	if ( a->triangles > 0 && b->triangles > 0 )
	{
		return d->leaves( d->data, ( const uint32_t[2] ){ a->at, b->at },
		                  ( const uint32_t[2] ){ a->triangles, b->triangles }, is_one );
	}
	open_pair* l = d->levels + d->depth++;
	*l = ( open_pair ){ .node = { *a, *b }, .is_one = is_one };
	if ( is_one )
	{
		compare_one( d, l );
	}
	else
	{
		compare( d, l );
	}
	return true;
}

static node_place child_of( const pair_descent* d, int side, const node_place* s, uint32_t lane )
{
	if ( s->triangles > 0 )
	{
		return *s;
	}
	const bvfile_packed_node* packed = packed_of( d, side, s );
	bvtree_child_sums sums = bvtree_child_sums_of( packed );
	bvtree_child child = bvtree_child_at( &sums, lane );
	return ( node_place ){ packed->first_child + lane, (uint32_t)child, (uint32_t)( child >> 32 ) };
}

static uint32_t lowest_bit( uint64_t bits )
{
	uint32_t low = (uint32_t)bits;
	return low ? bvsimd_lowest_bit( low ) : 32 + bvsimd_lowest_bit( (uint32_t)( bits >> 32 ) );
}

bool bvwdeform_descend( const bvwdeform_side* a, const bvwdeform_side* b, float reach,
                        bvwdeform_leaves* leaves, void* data, uint64_t* tests )
{
	pair_descent d = { .side = { a, b ? b : a }, .leaves = leaves, .data = data };
	d.reach = bvsimd_floats_all( reach );
	const node_place roots[2] = { { .triangles = a->view.hierarchy->root_triangles },
		                          { .triangles = d.side[1]->view.hierarchy->root_triangles } };
	bool goes_on = visit( &d, roots, roots + 1, !b );
	while ( goes_on && d.depth > 0 )
	{
		open_pair* l = d.levels + ( d.depth - 1 );
		if ( l->waiting == 0 )
		{
			d.depth -= 1;
			continue;
		}
		uint32_t bit = lowest_bit( l->waiting );
		l->waiting &= l->waiting - 1;
		node_place child[2] = { child_of( &d, 0, l->node, bit / 8 ),
			                    child_of( &d, 1, l->node + 1, bit % 8 ) };
		goes_on = visit( &d, child, child + 1, l->is_one && bit % 9 == 0 );
	}
	*tests += d.tests;
	return goes_on;
}
