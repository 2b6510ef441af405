// Intersecting triangles of two hierarchies (Gottschalk, Lin, Manocha 1996; expansion: Eckstein 1998, section
// 4.3). When two volumes overlap, one is opened, and the other is tested against all of its children at once.

#include "bv/query.h"

#include "base/core/overlap_volumes.h"
#include "base/core/similarity.h"
#include "runtime/expansion.h"
#include "runtime/leaf_pairs.h"
#include "runtime/levels.h"
#include "runtime/surface.h"

// Each node that is opened is one level deeper in one of the two hierarchies than the one before.
enum
{
	stack_size = 2 * BV_MAX_DEPTH,
};

// A node that is opened, the volume of the other hierarchy that its children are compared with, and those of them that overlap
// it and wait for their turn.
typedef struct opened
{
	uint32_t waiting;         // a bit for each of them; the last one comes first
	uint32_t place;           // of the node
	bv_child_sums children;   // of the node
	bool is_a;                // it is of a
	bool opens_other;         // nothing was compared, but the other volume is opened for each child
	bv_volume_type type;      // of the other volume
	bv_spot other;            // where that is
	bv_moved_box box;         // that in the node's coordinates, if it is a box
	bv_node_frame frame;      // of the node
	float size[2 * BV_LANES]; // of the children that wait; kernels write eight of them from any on
} opened;

// One of the two hierarchies, and what is remembered of its latest volume that lanes do not take.
typedef struct side
{
	bvh_view view;
	bv_similarity to_other; // takes its coordinates to the other's
	uint32_t parent;        // where that is
	uint32_t lane;
	bv_volume volume;
} side;

// Everything that lasts for one query.
typedef struct query
{
	side a;
	side b;
	const bv_lanes* lanes;
	bool fits_lanes;        // boxes that are moved are boxes still, as far as the lanes' tests allow
	bv_placement placement; // of b, for volumes that lanes do not take: after the next two
	double scale;
	bool mirror;
	bv_expander expander;
	bv_collide_options options;
	bv_collide_result* result;
	bv_leaf_pairs pairs; // of triangles that may intersect
	opened stack[stack_size];
} query;

static bool test_leaves( query* q, const bv_spot* a, const bv_spot* b )
{
	if ( q->options.counts )
	{
		q->options.counts->leaves += 1;
	}
	return bv_leaf_pairs_add( &q->pairs, a, b );
}

static const bv_volume* know( side* s, const bv_spot* spot )
{
	if ( s->parent != spot->parent || s->lane != spot->lane )
	{
		bv_spot_volume( &s->view, spot, &s->volume );
		s->parent = spot->parent;
		s->lane = spot->lane;
	}
	return &s->volume;
}

static bv_spot know_root( side* s )
{
	s->volume = bvh_root_volume( &s->view );
	s->parent = 0;
	s->lane = BV_ROOT_LANE;
	return bv_spot_root( &s->view, &s->volume );
}

static bool overlap( const query* q, const bv_volume* a, const bv_volume* b )
{
	bv_volume scaled;
	bv_placed_volume placed;
	if ( q->scale != 1 || q->mirror )
	{
		bv_volume_scaled( b, q->scale, q->mirror, &scaled );
		b = &scaled;
	}
	bv_volume_place( b, &q->placement, &placed );
	return bv_volumes_overlap( a, &placed );
}

// Volumes of other types, one by one.
static uint32_t test_singly( query* q, const opened* node, const bv_group* group, float size[BV_LANES] )
{
	const bv_volume* other = know( node->is_a ? &q->b : &q->a, &node->other );
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_lane_unpack( group, i, &node->frame, &volume );
		mask |= (uint32_t)overlap( q, node->is_a ? &volume : other, node->is_a ? other : &volume ) << i;
		size[i] = bv_spot_size( &volume );
	}
	return mask;
}

static uint32_t test_group( query* q, const opened* node, const bv_group* group, float size[BV_LANES] )
{
	bv_volume_type type = node->type;
	q->result->volume_tests += group->count;
	if ( q->options.counts )
	{
		bv_test_counts* counts = q->options.counts;
		*( node->is_a ? &counts->volumes[group->type][type] : &counts->volumes[type][group->type] ) +=
			group->count;
	}
	if ( type > bv_volume_aabb || group->type > bv_volume_aabb || !q->fits_lanes )
	{
		return test_singly( q, node, group, size );
	}
	bv_lane_group lanes;
	bv_spot_group( group, &node->frame, &lanes );
	return group->type == bv_volume_obb ? q->lanes->obb( &lanes, &node->box.lane, size )
	                                    : q->lanes->aabb( &lanes, &node->box.lane, size );
}

static const bvh_view* view_of( const query* q, bool is_a )
{
	return is_a ? &q->a.view : &q->b.view;
}

// Compares a node's children with the other volume.
static void compare( query* q, opened* node )
{
	const bvh_view* view = view_of( q, node->is_a );
	const bv_packed_node* packed = bvh_node_at( view, node->place );
	if ( q->options.counts )
	{
		q->options.counts->openings += 1;
	}
	node->opens_other = false;
	node->frame = bv_node_frame_of( packed, &view->hierarchy->grid );
	bv_place_box( &node->box, &node->frame );
	uint32_t waiting = 0;
	for ( bv_group group = bv_group_first( packed ); group.count > 0;
	      group = bv_group_next( packed, &group ) )
	{
		waiting |= test_group( q, node, &group, node->size + group.first ) << group.first;
	}
	node->waiting = waiting;
	if ( waiting == 0 )
	{
		return;
	}
	node->children = bv_child_sums_of( packed );
	for ( ; waiting > 0; waiting &= waiting - 1 )
	{
		uint32_t lane = (uint32_t)__builtin_ctz( waiting );
		if ( ( node->children.triangles >> 8 * lane & 255 ) == 0 )
		{
			uint32_t place = (uint32_t)bv_child_at( &node->children, lane );
			__builtin_prefetch( bvh_node_at( view, place ) );
			__builtin_prefetch( (const char*)bvh_node_at( view, place ) + 64 );
		}
	}
}

// Both: a's children are not compared with b, but each of them with all of b's.
static void open_both( const query* q, const bv_spot* a, const bv_spot* b, opened* out )
{
	const bv_packed_node* packed = bvh_node_at( &q->a.view, a->at );
	out->waiting = ( 1u << packed->children ) - 1;
	out->place = a->at;
	out->children = bv_child_sums_of( packed );
	out->is_a = true;
	out->opens_other = true;
	out->other = *b;
	out->frame = bv_node_frame_of( packed, &q->a.view.hierarchy->grid );
	for ( uint32_t i = 0; i < packed->children; ++i )
	{
		bv_volume volume;
		bv_spot_volume( &q->a.view, &( bv_spot ){ .parent = a->at, .lane = i }, &volume );
		out->size[i] = bv_spot_size( &volume );
	}
}

// Opens one of two volumes that overlap, or both: the next on the stack.
// @param node   where the first of them is a child
// @param child  that one
static void open( query* q, const opened* node, const bv_spot* child, opened* out )
{
	const bv_spot* other = &node->other;
	const bv_spot* a = node->is_a ? child : other;
	const bv_spot* b = node->is_a ? other : child;
	bv_opening opening = node->opens_other ? bv_opening_b : bv_choose_opening( &q->expander, a, b );
	if ( opening == bv_opening_both )
	{
		open_both( q, a, b, out );
		return;
	}
	out->is_a = opening == bv_opening_a;
	if ( out->is_a == node->is_a )
	{
		out->place = child->at;
		out->other = *other;
		out->type = node->type;
		out->box = node->box;
	}
	else
	{
		const side* from = node->is_a ? &q->a : &q->b;
		const bv_packed_node* packed = bvh_node_at( &from->view, node->place );
		out->place = other->at;
		out->other = *child;
		out->type = bv_child_type( packed, child->lane );
		if ( out->type <= bv_volume_aabb )
		{
			bv_move_child( packed, &node->frame, child->lane, &from->to_other, &out->box );
		}
	}
	compare( q, out );
}

static bool roots_overlap( query* q )
{
	const bv_volume* a = &q->a.volume;
	const bv_volume* b = &q->b.volume;
	q->result->volume_tests += 1;
	if ( q->options.counts )
	{
		q->options.counts->volumes[a->type][b->type] += 1;
	}
	return overlap( q, a, b );
}

static void open_root( query* q, const bv_spot* a, const bv_spot* b, opened* out )
{
	bv_opening opening = bv_choose_opening( &q->expander, a, b );
	if ( opening == bv_opening_both )
	{
		open_both( q, a, b, out );
		return;
	}
	out->is_a = opening == bv_opening_a;
	const side* other = out->is_a ? &q->b : &q->a;
	out->place = 0;
	out->other = out->is_a ? *b : *a;
	out->type = other->volume.type;
	if ( out->type <= bv_volume_aabb )
	{
		bv_move_box( &other->volume, &other->to_other, &out->box );
	}
	compare( q, out );
}

// Compares the pair that was found before, if there is one. Returns whether it ends the query.
static bool meets_as_before( query* q, const bv_collide_result* last )
{
	if ( last->pairs == 0 )
	{
		return false;
	}
	bv_spot a = { .at = last->triangles[0], .triangles = 1 };
	bv_spot b = { .at = last->triangles[1], .triangles = 1 };
	bv_leaf_pairs_add( &q->pairs, &a, &b );
	bv_leaf_pairs_end( &q->pairs );
	return q->result->pairs > 0;
}

static void traverse( query* q )
{
	bv_spot a = know_root( &q->a );
	bv_spot b = know_root( &q->b );
	if ( !roots_overlap( q ) )
	{
		return;
	}
	uint32_t depth = 0;
	if ( a.triangles == 0 || b.triangles == 0 )
	{
		open_root( q, &a, &b, q->stack + depth++ );
	}
	else if ( !test_leaves( q, &a, &b ) )
	{
		return;
	}
	while ( depth > 0 && !bv_leaf_pairs_too_many( &q->options, q->result ) )
	{
		opened* node = q->stack + depth - 1;
		if ( node->waiting == 0 )
		{
			depth -= 1;
			continue;
		}
		uint32_t lane = 31 - (uint32_t)__builtin_clz( node->waiting );
		node->waiting ^= 1u << lane;
		bv_spot child = bv_spot_of_child( node->place, lane, bv_child_at( &node->children, lane ) );
		child.size = node->size[lane];
		if ( child.triangles == 0 || node->other.triangles == 0 )
		{
			open( q, node, &child, q->stack + depth++ );
		}
		else if ( !test_leaves( q, node->is_a ? &child : &node->other, node->is_a ? &node->other : &child ) )
		{
			return;
		}
	}
	bv_leaf_pairs_end( &q->pairs );
}

// A bit, 1 << type, for each type that nodes have.
static uint32_t types_of( const bvh_view* view )
{
	uint32_t types = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		types |= bvh_count_of_type( view->hierarchy, (uint32_t)i ) > 0 ? 1u << i : 0;
	}
	return types;
}

bv_collide_options bv_collide_options_default( void )
{
	return ( bv_collide_options ){ .expansion = bv_expand_larger };
}

bv_status bv_collide_in( const bv_lanes* lanes, const bv_file* a, const bv_file* b,
                         const bv_transform* b_in_a, const bv_collide_options* options,
                         bv_collide_result* result )
{
	bv_transform transform = b_in_a ? *b_in_a : bv_transform_identity();
	if ( !a || !b || !result || !bv_is_placement( &transform ) )
	{
		return bv_error_argument;
	}
	query q;
	q.a.view = bvh_view_of( a );
	q.b.view = bvh_view_of( b );
	q.options = options ? *options : bv_collide_options_default();

	// This may be the result itself.
	bv_collide_result last = { 0 };
	if ( q.options.first && q.options.last )
	{
		last = *q.options.last;
	}
	if ( !q.a.view.hierarchy || !q.b.view.hierarchy || (unsigned)q.options.expansion >= bv_expansions ||
	     ( last.pairs > 0 && ( last.triangles[0] >= q.a.view.mesh->triangles ||
	                           last.triangles[1] >= q.b.view.mesh->triangles ) ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_collide_result ){ 0 };
	bv_similarity_begin( &transform, &q.b.to_other );
	q.a.to_other = bv_similarity_reverse( &q.b.to_other );
	q.fits_lanes = q.a.to_other.skew < 0x1p-22; // twice that of the other way
	q.lanes = lanes;
	q.result = result;
	q.scale = transform.scale;
	q.mirror = transform.mirror;
	bv_expander_begin( q.options.expansion, &q.a.view, &q.b.view, q.scale, &q.expander );
	bv_leaf_pairs_begin( lanes, &q.a.view, &q.b.view, &q.b.to_other, &q.options, result, &q.pairs );
	bv_placement_begin( &transform.pose, types_of( &q.a.view ), types_of( &q.b.view ), &q.placement );
	if ( !meets_as_before( &q, &last ) )
	{
		traverse( &q );
	}
	return bv_ok;
}

bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result )
{
	return bv_collide_in( bv_lanes_best(), a, b, b_in_a, options, result );
}
