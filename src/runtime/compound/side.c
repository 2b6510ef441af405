// Subtrees and leaves of a compound in coordinates of a query. See compound.h.

#include "runtime/compound/compound.h"

#include "runtime/math/range.h"

static bool begin_items( const bv_compound* compound, bvcomp_side* out )
{
	const bvcomp_union* joined = compound->joined;
	if ( joined )
	{
		out->items = bvcomp_union_items( joined );
		out->nodes = bvcomp_union_nodes( joined );
		out->count = joined->items;
		out->leaves = joined->leaves;
		return true;
	}
	out->items = &out->own;
	out->nodes = NULL;
	out->count = 1;
	bool is_valid = bvcomp_item_begin( compound, &out->own );
	out->leaves = out->own.leaves;
	return is_valid;
}

bool bvcomp_side_begin( const bv_compound* compound, const bv_transform* placement, bvcomp_side* out )
{
	if ( placement &&
	     !( bv_transform_is_valid( placement ) && bvmath_is_in_range( placement->pose.translation ) ) )
	{
		return false;
	}
	out->is_identity = !placement;
	out->placement = placement ? *placement : bv_transform_identity();
	bvvol_similarity_begin( placement, &out->placed );
	return compound->leaves > 0 && begin_items( compound, out );
}

void bvcomp_open( const bvcomp_side* side, bvcomp_at at, bvcomp_at child[2] )
{
	uint32_t first = at.node + 1;
	if ( at.item == BVCOMP_NONE )
	{
		child[0] = bvcomp_at_node( side, first );
		child[1] = bvcomp_at_node( side, side->nodes[first].next );
		return;
	}
	child[0] = ( bvcomp_at ){ at.item, first };
	child[1] = ( bvcomp_at ){ at.item, side->items[at.item].parts.nodes[first].next };
}

const bvcomp_item* bvcomp_item_of( const bvcomp_side* side, uint32_t leaf )
{
	uint32_t low = 0;
	uint32_t high = side->count;
	while ( high - low > 1 )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( side->items[middle].first <= leaf )
		{
			low = middle;
		}
		else
		{
			high = middle;
		}
	}
	return side->items + low;
}

bv_convex bvcomp_shape_of( const bvcomp_item* item, uint32_t leaf )
{
	return item->shape ? *item->shape : bv_convex_part( item->file, leaf - item->first );
}

bv_transform bvcomp_placement_of( const bvcomp_side* side, const bvcomp_item* item )
{
	return side->is_identity   ? item->placement
	       : item->is_identity ? side->placement
	                           : bv_transform_compose( &side->placement, &item->placement );
}

// The sum with the offset is rounded.
static void box_of_part_node( const bvcomp_item* item, uint32_t index, bvvol_rounded* out )
{
	const bvfile_part_node* node = item->parts.nodes + index;
	bv_vec3 lower = { (double)node->lower[0], (double)node->lower[1], (double)node->lower[2] };
	bv_vec3 upper = { (double)node->upper[0], (double)node->upper[1], (double)node->upper[2] };
	bvvol_upright_rounded( lower, upper, out );
	if ( item->offset )
	{
		out->center = bv_add( out->center, *item->offset );
		bvvol_rounded_set_slack( out );
		out->slack +=
			0x1p-50 * ( bvmath_norm1( *item->offset ) + bvmath_norm1( lower ) + bvmath_norm1( upper ) );
	}
}

void bvcomp_own_box( const bvcomp_side* side, bvcomp_at at, bvvol_rounded* out )
{
	const bvcomp_item* item = side->items + at.item;
	if ( at.item == BVCOMP_NONE )
	{
		bvvol_upright_rounded( side->nodes[at.node].lower, side->nodes[at.node].upper, out );
	}
	else if ( item->is_unbounded )
	{
		bv_vec3 most = { INFINITY, INFINITY, INFINITY };
		bvvol_upright_rounded( bv_negate( most ), most, out );
	}
	else if ( item->shape )
	{
		*out = item->box;
	}
	else
	{
		box_of_part_node( item, at.node, out );
	}
}

void bvcomp_box_of( const bvcomp_side* side, bvcomp_at at, bvvol_rounded* out )
{
	bvcomp_own_box( side, at, out );
	if ( at.item != BVCOMP_NONE && !side->items[at.item].is_identity )
	{
		bvvol_similarity_move( &side->items[at.item].placed, out, out );
	}
	if ( !side->is_identity )
	{
		bvvol_similarity_move( &side->placed, out, out );
	}
}

bvcomp_plane bvcomp_plane_of( const bvcomp_side* side, const bvcomp_item* item )
{
	const bv_convex* shape = item->shape;
	double size = bv_length( shape->normal );
	bv_vec3 normal = bv_scale( 1 / size, shape->normal );
	return ( bvcomp_plane ){
		.normal = bvcomp_placed_direction( side, item, normal ),
		.point = bvcomp_placed_point( side, item, bv_scale( shape->offset / size, normal ) ),
		.radius = shape->radius * bvcomp_scale_of( side, item ),
	};
}

static bv_vec3 undo_turn( const bvmath_matrix* turn, bv_vec3 v )
{
	return bv_add( bv_add( bv_scale( v.x, turn->row[0] ), bv_scale( v.y, turn->row[1] ) ),
	               bv_scale( v.z, turn->row[2] ) );
}

bv_vec3 bvcomp_own_direction( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 along )
{
	return undo_turn( &item->placed.turn, undo_turn( &side->placed.turn, along ) );
}

bv_vec3 bvcomp_placed_point( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 own )
{
	return bvvol_similarity_apply( &side->placed, bvvol_similarity_apply( &item->placed, own ) );
}

bv_vec3 bvcomp_placed_direction( const bvcomp_side* side, const bvcomp_item* item, bv_vec3 own )
{
	return bvmath_times( &side->placed.turn, bvmath_times( &item->placed.turn, own ) );
}

double bvcomp_scale_of( const bvcomp_side* side, const bvcomp_item* item )
{
	return side->placed.scale * item->placed.scale;
}

void bvcomp_cursor_begin( const bvcomp_side* side, bv_vec3 point, double reach, bvcomp_cursor* out )
{
	out->side = side;
	out->point = bvvol_similarity_undo( &side->placed, point );
	out->reach = reach / side->placed.scale;
	out->node = 0;
	out->item = BVCOMP_NONE;
}

static bool is_in_box( bv_vec3 point, bv_vec3 lower, bv_vec3 upper, double reach )
{
	return !( point.x < lower.x - reach || point.x > upper.x + reach || point.y < lower.y - reach ||
	          point.y > upper.y + reach || point.z < lower.z - reach || point.z > upper.z + reach );
}

// @return a leaf of the item; BVCOMP_NONE behind the last
static uint32_t next_part( bvcomp_cursor* c )
{
	const bvcomp_item* item = c->side->items + c->item;
	uint32_t end = item->shape ? 1 : item->parts.nodes[0].next;
	while ( c->part < end )
	{
		if ( item->shape )
		{
			c->part = end;
			return item->first;
		}
		const bvfile_part_node* node = item->parts.nodes + c->part;
		bv_vec3 lower = { (double)node->lower[0], (double)node->lower[1], (double)node->lower[2] };
		bv_vec3 upper = { (double)node->upper[0], (double)node->upper[1], (double)node->upper[2] };
		bool is_near = is_in_box( c->own_point, lower, upper, c->own_reach );
		c->part = is_near ? c->part + 1 : node->next;
		if ( is_near && node->part != BVFILE_NO_PART )
		{
			return item->first + node->part;
		}
	}
	return BVCOMP_NONE;
}

static void enter( bvcomp_cursor* c, uint32_t index )
{
	const bvcomp_item* item = c->side->items + index;
	c->item = index;
	c->part = 0;
	c->own_reach = c->reach / item->placed.scale;
	c->own_point = bvvol_similarity_undo( &item->placed, c->point );
	if ( item->offset )
	{
		c->own_point = bv_sub( c->own_point, *item->offset );
	}
}

// @return false behind the last
static bool next_item( bvcomp_cursor* c )
{
	const bvcomp_side* side = c->side;
	uint32_t end = side->nodes ? side->nodes[0].next : 1;
	while ( c->node < end )
	{
		const bvcomp_node* node = side->nodes ? side->nodes + c->node : NULL;
		bool is_near = !node || is_in_box( c->point, node->lower, node->upper, c->reach );
		c->node = is_near ? c->node + 1 : node->next;
		if ( is_near && ( !node || node->item != BVCOMP_NONE ) )
		{
			enter( c, node ? node->item : 0 );
			return true;
		}
	}
	return false;
}

uint32_t bvcomp_cursor_next( bvcomp_cursor* c )
{
	uint32_t found = c->item == BVCOMP_NONE ? BVCOMP_NONE : next_part( c );
	while ( found == BVCOMP_NONE && next_item( c ) )
	{
		found = next_part( c );
	}
	return found;
}
