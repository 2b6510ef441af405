// Unions of compounds: items of all members, and a balanced tree of boxes over them. See compound.h.
//
// A node's items are divided in halves at the median of their centers, along the axis on which these are farthest apart. Nodes are made
// in preorder, and a node without children yet has the range of its items in place of what it will have.

#include "runtime/compound/compound.h"

#include "runtime/math/range.h"
#include "runtime/simd/bits.h"

// @return 0 if the compound is invalid
static uint64_t items_of( const bv_compound* c )
{
	const bvcomp_union* joined = c->joined;
	return c->leaves == 0 ? 0 : joined ? joined->items : ( c->file || c->shape ) ? 1 : 0;
}

typedef struct join_sizes
{
	uint64_t items;
	uint64_t leaves;
} join_sizes;

// @return false if a member is invalid
static bool measure( const bv_compound* members, uint32_t count, join_sizes* out )
{
	*out = ( join_sizes ){ 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t items = items_of( members + i );
		if ( items == 0 )
		{
			return false;
		}
		out->items += items;
		out->leaves += members[i].leaves;
	}
	return count > 0;
}

static uint64_t bytes_of( uint64_t items )
{
	return sizeof( bvcomp_union ) + items * sizeof( bvcomp_item ) +
	       ( 2 * items - 1 ) * sizeof( bvcomp_node ) + items * sizeof( uint32_t ) + 4;
}

size_t bv_compound_bytes( const bv_compound* members, uint32_t count )
{
	join_sizes sizes;
	bool is_valid = members && measure( members, count, &sizes ) && sizes.leaves <= BV_COMPOUND_MAX_LEAVES;
	uint64_t bytes = is_valid ? bytes_of( sizes.items ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// Where items are added.
typedef struct join_items
{
	bvcomp_item* items;
	uint32_t count;
	uint32_t leaves;
} join_items;

// @param within  where the item is in the member; its number of leaves before it there
static bool place( bvcomp_item* item, const bv_transform* placement, uint32_t member, join_items* to )
{
	if ( placement )
	{
		item->placement =
			item->is_identity ? *placement : bv_transform_compose( placement, &item->placement );
		item->is_identity = false;
	}
	if ( !bv_transform_is_valid( &item->placement ) ||
	     !bvmath_is_in_range( item->placement.pose.translation ) )
	{
		return false;
	}
	bvvol_similarity_begin( item->is_identity ? NULL : &item->placement, &item->placed );
	item->member = member;
	item->in_member = item->first;
	item->first = to->leaves;
	to->leaves += item->leaves;
	to->count += 1;
	return true;
}

static bool add_member( const bv_compound* c, const bv_transform* placement, uint32_t member, join_items* to )
{
	const bvcomp_union* joined = c->joined;
	if ( !joined )
	{
		bvcomp_item* item = to->items + to->count;
		return bvcomp_item_begin( c, item ) && place( item, placement, member, to );
	}
	// `first` of an item is its place in the member.
	uint32_t before = to->leaves;
	bool is_valid = true;
	for ( uint32_t i = 0; i < joined->items && is_valid; ++i )
	{
		bvcomp_item* item = to->items + to->count;
		*item = bvcomp_union_items( joined )[i];
		is_valid = place( item, placement, member, to );
	}
	return is_valid && to->leaves - before == c->leaves;
}

// In coordinates of the union. Numbers of an unbounded item are infinite.
static void find_bounds( const bvcomp_side* side, bvcomp_item* item )
{
	bvvol_rounded box;
	if ( item->is_unbounded )
	{
		item->upper = ( bv_vec3 ){ INFINITY, INFINITY, INFINITY };
		item->lower = bv_negate( item->upper );
		return;
	}
	bvcomp_box_of( side, ( bvcomp_at ){ (uint32_t)( item - side->items ), 0 }, &box );
	double half[3];
	for ( int k = 0; k < 3; ++k )
	{
		half[k] = ( box.half_extents[0] * fabs( bvmath_component( box.axis[0], k ) ) +
		            box.half_extents[1] * fabs( bvmath_component( box.axis[1], k ) ) ) +
		          box.half_extents[2] * fabs( bvmath_component( box.axis[2], k ) ) + box.radius +
		          2 * box.slack;
	}
	bv_vec3 reach = { half[0], half[1], half[2] };
	item->lower = bv_sub( box.center, reach );
	item->upper = bv_add( box.center, reach );
}

// Twice that.
static bv_vec3 center_of( bv_vec3 lower, bv_vec3 upper )
{
	bv_vec3 sum = bv_add( lower, upper );
	bool is_bounded = bvmath_is_in_range( bv_scale( 0.25, sum ) );
	return is_bounded ? sum : ( bv_vec3 ){ 0, 0, 0 };
}

// A tree while it is made.
typedef struct join_tree
{
	bvcomp_side side;
	bvcomp_item* items;
	bvcomp_node* nodes;
	uint32_t* order; // items
} join_tree;

static double key_of( const join_tree* t, uint32_t item, int axis )
{
	const bvcomp_item* i = t->side.items + item;
	return bvmath_component( center_of( i->lower, i->upper ), axis );
}

static bool is_before( const join_tree* t, uint32_t a, uint32_t b, int axis )
{
	double x = key_of( t, a, axis );
	double y = key_of( t, b, axis );
	return x < y || ( !( y < x ) && a < b );
}

static void sift( const join_tree* t, uint32_t* order, uint32_t count, uint32_t at, int axis )
{
	uint32_t moved = order[at];
	for ( uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && is_before( t, order[child], order[child + 1], axis );
		if ( !is_before( t, moved, order[child], axis ) )
		{
			break;
		}
		order[at] = order[child];
		at = child;
	}
	order[at] = moved;
}

// Heapsort: neither recursion nor an order that takes long.
static void sort( const join_tree* t, uint32_t* order, uint32_t count, int axis )
{
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sift( t, order, count, i - 1, axis );
	}
	for ( uint32_t last = count; last > 1; --last )
	{
		uint32_t most = order[0];
		order[0] = order[last - 1];
		order[last - 1] = most;
		sift( t, order, last - 1, 0, axis );
	}
}

static int longest_axis( bv_vec3 v )
{
	return v.x >= v.y && v.x >= v.z ? 0 : v.y >= v.z ? 1 : 2;
}

// @param first, count  range of `order`
static void make_node( join_tree* t, uint32_t index, uint32_t first, uint32_t count )
{
	bvcomp_node* node = t->nodes + index;
	const bvcomp_item* item = t->side.items + t->order[first];
	bv_vec3 least = center_of( item->lower, item->upper );
	bv_vec3 most = least;
	node->lower = item->lower;
	node->upper = item->upper;
	for ( uint32_t i = 1; i < count; ++i )
	{
		item = t->side.items + t->order[first + i];
		bv_vec3 center = center_of( item->lower, item->upper );
		least = bvmath_least( least, center );
		most = bvmath_greatest( most, center );
		node->lower = bvmath_least( node->lower, item->lower );
		node->upper = bvmath_greatest( node->upper, item->upper );
	}
	node->next = index + 2 * count - 1;
	node->item = count == 1 ? t->order[first] : BVCOMP_NONE;
	if ( count == 1 )
	{
		return;
	}
	sort( t, t->order + first, count, longest_axis( bv_sub( most, least ) ) );
	uint32_t left = count / 2;
	bvcomp_node* child = node + 1;
	child->item = first;
	child->next = left;
	child = node + 2 * left;
	child->item = first + left;
	child->next = count - left;
}

static void make_tree( join_tree* t )
{
	uint32_t items = t->side.count;
	for ( uint32_t i = 0; i < items; ++i )
	{
		t->order[i] = i;
		find_bounds( &t->side, t->items + i );
	}
	t->nodes[0].item = 0;
	t->nodes[0].next = items;
	for ( uint32_t i = 0; i < 2 * items - 1; ++i )
	{
		make_node( t, i, t->nodes[i].item, t->nodes[i].next );
	}
}

bv_status bv_compound_join( const bv_compound* members, const bv_transform* placements, uint32_t count,
                            void* memory, size_t bytes, bv_compound* out )
{
	join_sizes sizes;
	if ( !members || !memory || !out || (uintptr_t)memory % 8 != 0 || !measure( members, count, &sizes ) )
	{
		return bv_error_argument;
	}
	if ( sizes.leaves > BV_COMPOUND_MAX_LEAVES )
	{
		return bv_error_limit;
	}
	if ( bytes < bytes_of( sizes.items ) )
	{
		return bv_error_memory;
	}
	bvcomp_union* joined = memory;
	joined->items = (uint32_t)sizes.items;
	joined->leaves = (uint32_t)sizes.leaves;
	join_items to = { .items = (bvcomp_item*)( joined + 1 ) };
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !add_member( members + i, placements ? placements + i : NULL, i, &to ) )
		{
			return bv_error_argument;
		}
	}
	if ( to.leaves != sizes.leaves )
	{
		return bv_error_argument;
	}
	join_tree t = { .side = {
						.items = to.items, .count = to.count, .leaves = to.leaves, .is_identity = true } };
	t.items = to.items;
	t.nodes = (bvcomp_node*)( to.items + to.count );
	t.order = (uint32_t*)( t.nodes + ( 2 * (size_t)to.count - 1 ) );
	make_tree( &t );
	*out = ( bv_compound ){ .joined = joined, .leaves = to.leaves };
	return bv_ok;
}
