// The descent of two hierarchies, or of one and itself, for pairs of leaves that are near each other. See contact.h.
//
// Both nodes of a pair are opened at once, and all pairs of their children compared: up to 64, of which those that are near are bits of
// one word. So the path to where the descent is has one level per level of the hierarchies: while both nodes are inner ones, each level
// is one deeper in both, and then in one.

#include "world/deform_contact/contact.h"

// A node in its hierarchy.
typedef struct node_place
{
	uint32_t at;        // place of an inner node, first triangle of a leaf
	uint32_t triangles; // 0 for an inner node
	uint32_t number;    // of a leaf
} node_place;

// A pair of nodes that is opened.
typedef struct open_pair
{
	uint64_t
		waiting; // bit 8 * i + j of child i of the first node and child j of the second; a leaf is its own only child
	uint32_t at[2]; // of inner nodes
} open_pair;

typedef struct pair_descent
{
	const bvwtouch_side* side[2];
	bool is_self;
	bvsimd_floats reach;
	uint64_t tests;
	uint32_t depth;
	uint32_t first_leaf
		[2]; // the level from which on the node of a side is a leaf: below a leaf, all levels have it
	node_place leaf[2]; // that one
	open_pair levels[BV_MAX_DEPTH + 1];
} pair_descent;

static const bvfile_packed_node* packed_of( const pair_descent* d, int side, uint32_t at )
{
	return bvfile_node_at( &d->side[side]->view, at );
}

// Of a leaf whose boxes are not stored.
static void join_leaf( const bvwtouch_side* from, const node_place* leaf, bvtree_refit_box* out )
{
	bvwtouch_triangle t;
	bvwtouch_load_triangle( from, leaf->at, &t );
	*out = t.box;
	for ( uint32_t i = 1; i < leaf->triangles; ++i )
	{
		bvwtouch_load_triangle( from, leaf->at + i, &t );
		bvwtouch_join( out, &t.box, out );
	}
}

// @return the boxes of the children of the node on a side of the last level, or that of the leaf
static const bvtree_refit_box* boxes_of( const pair_descent* d, int side, bvtree_refit_box* storage,
                                         uint32_t* count )
{
	const bvwtouch_side* from = d->side[side];
	if ( d->first_leaf[side] < d->depth )
	{
		*count = 1;
		if ( from->boxes )
		{
			return from->boxes + d->leaf[side].number;
		}
		join_leaf( from, d->leaf + side, storage );
		return storage;
	}
	const bvfile_packed_node* packed = packed_of( d, side, d->levels[d->depth - 1].at[side] );
	*count = packed->children;
	if ( from->boxes )
	{
		return from->boxes + packed->first_child;
	}
	bvwtouch_make_boxes( from, packed, storage );
	return storage;
}

// A node with itself: each pair of children once, and each child with itself.
static uint64_t compare_one( pair_descent* d )
{
	uint32_t count;
	uint64_t near = 0;
	const bvtree_refit_box* box = boxes_of( d, 0, NULL, &count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		near |= UINT64_C( 1 ) << 9 * i;
		for ( uint32_t j = i + 1; j < count; ++j )
		{
			near |= (uint64_t)bvwtouch_are_near( box + i, box + j, d->reach ) << ( 8 * i + j );
		}
	}
	d->tests += count * ( count - 1 ) / 2;
	return near;
}

static uint64_t compare_boxes( pair_descent* d, const bvtree_refit_box* a, uint32_t count_a,
                               const bvtree_refit_box* b, uint32_t count_b )
{
	uint64_t all = 0;
	for ( uint32_t i = 0; i < count_a; ++i )
	{
		uint64_t near = 0;
		for ( uint32_t j = 0; j < count_b; ++j )
		{
			near |= (uint64_t)bvwtouch_are_near( a + i, b + j, d->reach ) << j;
		}
		all |= near << 8 * i;
	}
	d->tests += count_a * count_b;
	return all;
}

// The first mesh has boxes. Those of the other one may have to be made.
static uint64_t compare( pair_descent* d )
{
	uint32_t count[2];
	bvtree_refit_box storage[BVFILE_LANES];
	const bvtree_refit_box* a = boxes_of( d, 0, NULL, count );
	const bvtree_refit_box* b = boxes_of( d, 1, storage, count + 1 );
	return compare_boxes( d, a, count[0], b, count[1] );
}

// Opens a pair of which at least one is an inner node. Not inline: its boxes would stay on the stack.
BVSIMD_NOINLINE void add_level( pair_descent* d, const node_place node[2], bool is_one )
{
	open_pair* l = d->levels + d->depth++;
	for ( int side = 0; side < 2; ++side )
	{
		l->at[side] = node[side].at;
		if ( node[side].triangles > 0 && d->first_leaf[side] >= d->depth )
		{
			d->first_leaf[side] = d->depth - 1;
			d->leaf[side] = node[side];
		}
	}
	l->waiting = is_one ? compare_one( d ) : compare( d );
}

static void remove_level( pair_descent* d )
{
	d->depth -= 1;
	for ( int side = 0; side < 2; ++side )
	{
		d->first_leaf[side] = d->first_leaf[side] < d->depth ? d->first_leaf[side] : UINT32_MAX;
	}
}

// @param lane  of a child of the node on a side of the last level
static node_place child_of( const pair_descent* d, int side, uint32_t lane )
{
	if ( d->first_leaf[side] < d->depth )
	{
		return d->leaf[side];
	}
	const bvfile_packed_node* packed = packed_of( d, side, d->levels[d->depth - 1].at[side] );
	bvtree_child_sums sums = bvtree_child_sums_of( packed );
	bvtree_child child = bvtree_child_at( &sums, lane );
	return ( node_place ){ (uint32_t)child, (uint32_t)( child >> 32 ), packed->first_child + lane };
}

static uint32_t lowest_bit( uint64_t bits )
{
	uint32_t low = (uint32_t)bits;
	return low ? bvsimd_lowest_bit( low ) : 32 + bvsimd_lowest_bit( (uint32_t)( bits >> 32 ) );
}

// Goes on until a pair of leaves.
// @param is_one  receives whether both are the same
// @return false at the end
static bool next_leaves( pair_descent* d, node_place node[2], bool* is_one )
{
	while ( d->depth > 0 )
	{
		open_pair* l = d->levels + ( d->depth - 1 );
		if ( l->waiting == 0 )
		{
			remove_level( d );
			continue;
		}
		bool was_one = d->is_self && l->at[0] == l->at[1] && d->first_leaf[0] >= d->depth &&
		               d->first_leaf[1] >= d->depth;
		uint32_t bit = lowest_bit( l->waiting );
		l->waiting &= l->waiting - 1;
		node[0] = child_of( d, 0, bit / 8 );
		node[1] = child_of( d, 1, bit % 8 );
		*is_one = was_one && bit % 9 == 0;
		if ( node[0].triangles > 0 && node[1].triangles > 0 )
		{
			return true;
		}
		add_level( d, node, *is_one );
	}
	return false;
}

bool bvwtouch_descend( const bvwtouch_side* a, const bvwtouch_side* b, float reach, bvwtouch_leaves* leaves,
                       void* data, uint64_t* tests )
{
	pair_descent d = { .side = { a, b ? b : a }, .is_self = !b, .first_leaf = { UINT32_MAX, UINT32_MAX } };
	d.reach = bvsimd_floats_all( reach );
	node_place node[2] = { { .triangles = a->view.hierarchy->root_triangles },
		                   { .triangles = d.side[1]->view.hierarchy->root_triangles } };
	bool is_one = !b;
	bool has_leaves = node[0].triangles > 0 && node[1].triangles > 0;
	if ( !has_leaves )
	{
		add_level( &d, node, is_one );
		has_leaves = next_leaves( &d, node, &is_one );
	}
	bool goes_on = true;
	while ( has_leaves && goes_on )
	{
		goes_on = leaves( data, ( const uint32_t[2] ){ node[0].at, node[1].at },
		                  ( const uint32_t[2] ){ node[0].triangles, node[1].triangles }, is_one );
		has_leaves = goes_on && next_leaves( &d, node, &is_one );
	}
	*tests += d.tests;
	return goes_on;
}
