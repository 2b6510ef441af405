// Intersecting triangles of two hierarchies (Gottschalk, Lin, Manocha 1996; expansion: Eckstein 1998, section
// 4.3). When two volumes overlap, one is opened, and the other is tested against all of its children at once.
//
// Of the path to where the descent is only the last levels are ready for use. Levels above them are kept in
// few bytes, and made ready again when the descent comes back to them.

#include "runtime/tree/collide.h"

#include "runtime/math/rounding.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/volume/similarity.h"

static void count_leaves( bvtree_collide_query* q )
{
	if ( q->options.counts )
	{
		q->options.counts->leaves += 1;
	}
}

static const bv_volume* volume_of( bvtree_collide_side* s, const bvtree_spot* spot )
{
	if ( s->parent != spot->parent || s->lane != spot->lane )
	{
		bvtree_spot_volume( &s->view, spot, &s->volume );
		s->parent = spot->parent;
		s->lane = spot->lane;
	}
	return &s->volume;
}

static bvtree_spot root_of( bvtree_collide_side* s )
{
	s->volume = bvfile_root_volume( &s->view );
	s->parent = 0;
	s->lane = BVTREE_ROOT_LANE;
	return bvtree_spot_root( &s->view, &s->volume );
}

static bool overlap( const bvtree_collide_query* q, const bv_volume* a, const bv_volume* b )
{
	bv_volume scaled;
	if ( q->scale != 1 || q->mirror )
	{
		bvvol_kind_of( b->type )->scaled( b, q->scale, q->mirror, &scaled );
		b = &scaled;
	}
	return bvvol_overlap( a, b, &q->placement );
}

// Volumes of other types, one by one.
static uint32_t test_singly( bvtree_collide_query* q, const bvtree_opened* node, const bvfile_group* group,
                             float size[BVFILE_LANES] )
{
	const bv_volume* other = volume_of( node->is_a ? &q->b : &q->a, &node->other );
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bvfile_lane_unpack( group, i, &node->frame, &volume );
		mask |= (uint32_t)overlap( q, node->is_a ? &volume : other, node->is_a ? other : &volume ) << i;
		size[i] = bvtree_spot_size( &volume );
	}
	return mask;
}

// Boxes of one type that lanes take.
static uint32_t test_boxes( const bvtree_collide_query* q, bv_volume_type type,
                            const bvtree_lane_group* group, const bvtree_lane_box* box,
                            float size[BVFILE_LANES] )
{
	const bvtree_lanes* lanes = q->lanes;
	if ( q->is_moving )
	{
		return type == bv_volume_obb ? lanes->obb_moving( group, box, size )
		                             : lanes->aabb_moving( group, box, size );
	}
	return type == bv_volume_obb ? lanes->obb( group, box, size ) : lanes->aabb( group, box, size );
}

static uint32_t test_group( bvtree_collide_query* q, const bvtree_opened* node, const bvfile_group* group,
                            float size[BVFILE_LANES] )
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
	bvtree_lane_group lanes;
	bvtree_spot_group( group, &node->frame, &lanes );
	return test_boxes( q, group->type, &lanes, &node->box.lane, size );
}

static const bvfile_view* view_of( const bvtree_collide_query* q, bool is_a )
{
	return is_a ? &q->a.view : &q->b.view;
}

// Compares a node's children with the other volume.
static void compare( bvtree_collide_query* q, bvtree_opened* node )
{
	const bvfile_view* view = view_of( q, node->is_a );
	const bvfile_packed_node* packed = bvfile_node_at( view, node->place );
	if ( q->options.counts )
	{
		q->options.counts->openings += 1;
	}
	node->opens_other = false;
	node->frame = bvfile_node_frame_of( packed, &view->hierarchy->grid );
	bvtree_place_box( &node->box, &node->frame );
	uint32_t waiting = 0;
	for ( bvfile_group group = bvfile_group_first( packed ); group.count > 0;
	      group = bvfile_group_next( packed, &group ) )
	{
		waiting |= test_group( q, node, &group, node->size + group.first ) << group.first;
	}
	node->waiting = waiting;
	if ( waiting == 0 )
	{
		return;
	}
	node->children = bvtree_child_sums_of( packed );
	for ( ; waiting > 0; waiting &= waiting - 1 )
	{
		uint32_t lane = bvsimd_lowest_bit( waiting );
		if ( ( node->children.triangles >> 8 * lane & 255 ) == 0 )
		{
			uint32_t place = (uint32_t)bvtree_child_at( &node->children, lane );
			bvsimd_prefetch( bvfile_node_at( view, place ) );
			bvsimd_prefetch( (const char*)bvfile_node_at( view, place ) + 64 );
		}
	}
}

static void approach_box( const bvtree_collide_query* q, const bvtree_collide_side* from,
                          bvtree_moved_box* box )
{
	if ( q->is_moving )
	{
		const bvtree_approach* approach = q->pairs.approach;
		bvtree_approach_box( from == &q->a ? &q->from_b : approach, approach->until, box );
	}
	else
	{
		box->slack += from->reach;
	}
}

// Both: a's children are not compared with b, but each of them with all of b's.
static void open_both( const bvtree_collide_query* q, const bvtree_spot* a, const bvtree_spot* b,
                       bvtree_opened* out )
{
	const bvfile_packed_node* packed = bvfile_node_at( &q->a.view, a->at );
	out->waiting = ( 1u << packed->children ) - 1;
	out->place = a->at;
	out->children = bvtree_child_sums_of( packed );
	out->is_a = true;
	out->opens_other = true;
	out->type = bv_volume_obb; // of nothing that is compared
	out->other = *b;
	out->frame = bvfile_node_frame_of( packed, &q->a.view.hierarchy->grid );
	for ( uint32_t i = 0; i < packed->children; ++i )
	{
		bv_volume volume;
		bvtree_spot_volume( &q->a.view, &( bvtree_spot ){ .parent = a->at, .lane = i }, &volume );
		out->size[i] = bvtree_spot_size( &volume );
	}
}

// Opens one of two volumes that overlap, or both: the next on the stack.
// @param node   where the first of them is a child
// @param child  that one
static void open( bvtree_collide_query* q, const bvtree_opened* node, const bvtree_spot* child,
                  bvtree_opened* out )
{
	const bvtree_spot* other = &node->other;
	const bvtree_spot* a = node->is_a ? child : other;
	const bvtree_spot* b = node->is_a ? other : child;
	bvtree_opening opening =
		node->opens_other ? bvtree_opening_b : bvtree_choose_opening( &q->expander, a, b );
	if ( opening == bvtree_opening_both )
	{
		open_both( q, a, b, out );
		return;
	}
	out->is_a = opening == bvtree_opening_a;
	if ( out->is_a == node->is_a )
	{
		out->place = child->at;
		out->other = *other;
		out->type = node->type;
		out->box = node->box;
	}
	else
	{
		const bvtree_collide_side* from = node->is_a ? &q->a : &q->b;
		const bvfile_packed_node* packed = bvfile_node_at( &from->view, node->place );
		out->place = other->at;
		out->other = *child;
		out->type = bvtree_child_type( packed, child->lane );
		if ( out->type <= bv_volume_aabb )
		{
			bvtree_move_child( packed, &node->frame, child->lane, &from->to_other, &out->box );
			approach_box( q, from, &out->box );
		}
	}
	compare( q, out );
}

static bool roots_overlap( bvtree_collide_query* q )
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

static void open_root( bvtree_collide_query* q, const bvtree_spot* a, const bvtree_spot* b,
                       bvtree_opened* out )
{
	bvtree_opening opening = bvtree_choose_opening( &q->expander, a, b );
	if ( opening == bvtree_opening_both )
	{
		open_both( q, a, b, out );
		return;
	}
	out->is_a = opening == bvtree_opening_a;
	const bvtree_collide_side* other = out->is_a ? &q->b : &q->a;
	out->place = 0;
	out->other = out->is_a ? *b : *a;
	out->type = other->volume.type;
	if ( out->type <= bv_volume_aabb )
	{
		bvtree_move_box( &other->volume, &other->to_other, &out->box );
		approach_box( q, other, &out->box );
	}
	compare( q, out );
}

static bvtree_kept_level keep( const bvtree_opened* node )
{
	return ( bvtree_kept_level ){
		.place = node->place,
		.parent = node->other.parent,
		.size = node->other.size,
		.lane = (uint8_t)node->other.lane,
		.waiting = (uint8_t)node->waiting,
		.type = (uint8_t)node->type,
		.is_a = node->is_a,
		.opens_other = node->opens_other,
	};
}

static bvtree_spot spot_of( const bvfile_view* view, const bvtree_kept_level* from )
{
	bvtree_spot spot = { .parent = from->parent, .lane = from->lane, .size = from->size };
	bvtree_child child = bvtree_child_make( 0, view->hierarchy->root_triangles );
	if ( spot.lane != BVTREE_ROOT_LANE )
	{
		bvtree_child_sums children = bvtree_child_sums_of( bvfile_node_at( view, spot.parent ) );
		child = bvtree_child_at( &children, spot.lane );
	}
	spot.at = (uint32_t)child;
	spot.triangles = (uint32_t)( child >> 32 );
	return spot;
}

static void move_other( const bvtree_collide_query* q, bvtree_opened* node )
{
	const bvtree_collide_side* from = node->is_a ? &q->b : &q->a;
	if ( node->other.lane == BVTREE_ROOT_LANE )
	{
		bv_volume root = bvfile_root_volume( &from->view );
		bvtree_move_box( &root, &from->to_other, &node->box );
		approach_box( q, from, &node->box );
		return;
	}
	const bvfile_packed_node* packed = bvfile_node_at( &from->view, node->other.parent );
	bvfile_node_frame frame = bvfile_node_frame_of( packed, &from->view.hierarchy->grid );
	bvtree_move_child( packed, &frame, node->other.lane, &from->to_other, &node->box );
	approach_box( q, from, &node->box );
}

// The sizes as compare and open_both set them.
static void set_sizes( const bvtree_collide_query* q, bvtree_opened* node, const bvfile_packed_node* packed )
{
	bool by_lanes = !node->opens_other && node->type <= bv_volume_aabb && q->fits_lanes;
	for ( bvfile_group group = bvfile_group_first( packed ); group.count > 0;
	      group = bvfile_group_next( packed, &group ) )
	{
		float* size = node->size + group.first;
		if ( by_lanes && group.type <= bv_volume_aabb )
		{
			bvtree_lane_group lanes;
			bvtree_spot_group( &group, &node->frame, &lanes );
			test_boxes( q, group.type, &lanes, &node->box.lane, size );
			continue;
		}
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bvfile_lane_unpack( &group, i, &node->frame, &volume );
			size[i] = bvtree_spot_size( &volume );
		}
	}
}

static void restore( bvtree_collide_query* q, const bvtree_kept_level* from, bvtree_opened* out )
{
	const bvfile_view* view = view_of( q, from->is_a );
	const bvfile_packed_node* packed = bvfile_node_at( view, from->place );
	out->waiting = from->waiting;
	out->place = from->place;
	out->children = bvtree_child_sums_of( packed );
	out->is_a = from->is_a;
	out->opens_other = from->opens_other;
	out->type = (bv_volume_type)from->type;
	out->other = spot_of( view_of( q, !from->is_a ), from );
	out->frame = bvfile_node_frame_of( packed, &view->hierarchy->grid );
	if ( !out->opens_other && out->type <= bv_volume_aabb )
	{
		move_other( q, out );
		bvtree_place_box( &out->box, &out->frame );
	}
	set_sizes( q, out, packed );
}

// @return room for one more level
static bvtree_opened* add_level( bvtree_collide_query* q )
{
	uint32_t level = q->depth++;
	bvtree_opened* out = q->ready + level % bvtree_collide_ready;
	if ( level - q->first_ready == bvtree_collide_ready )
	{
		q->kept[q->first_ready++] = keep( out );
	}
	q->deepest = out;
	return out;
}

static void remove_level( bvtree_collide_query* q )
{
	q->depth -= 1;
	if ( q->depth == 0 )
	{
		return;
	}
	uint32_t level = q->depth - 1;
	q->deepest = q->ready + level % bvtree_collide_ready;
	if ( level < q->first_ready )
	{
		q->first_ready = level;
		restore( q, q->kept + level, q->deepest );
	}
}

// Compares the pair that was found before, if there is one. Returns whether it ends the query.
static bool test_last_pair( bvtree_collide_query* q, const bv_collide_result* last )
{
	if ( last->pairs == 0 )
	{
		return false;
	}
	bvtree_spot a = { .at = last->triangles[0], .triangles = 1 };
	bvtree_spot b = { .at = last->triangles[1], .triangles = 1 };
	bvtree_leaf_pairs_first( &q->pairs, &a, &b, &q->leaves );
	bvtree_leaf_pairs_end( &q->pairs );
	return q->result->pairs > 0;
}

// The first level, unless the roots are apart or leaves, which the first step compares.
static void begin_at_roots( bvtree_collide_query* q )
{
	bvtree_spot a = root_of( &q->a );
	bvtree_spot b = root_of( &q->b );
	q->is_over = !roots_overlap( q );
	if ( q->is_over )
	{
		return;
	}
	if ( a.triangles == 0 || b.triangles == 0 )
	{
		open_root( q, &a, &b, add_level( q ) );
	}
	else
	{
		count_leaves( q );
		q->leaves = bvtree_leaf_cursor_begin( &a, &b );
	}
}

// @return false if the query is over
static bool step( bvtree_collide_query* q )
{
	if ( bvtree_leaf_pairs_are_left( &q->pairs ) )
	{
		return bvtree_leaf_pairs_continue( &q->pairs );
	}
	if ( bvtree_leaf_cursor_is_active( &q->leaves ) )
	{
		return bvtree_leaf_pairs_step( &q->pairs, &q->leaves );
	}
	if ( q->depth == 0 )
	{
		return q->pairs.count > 0 && bvtree_leaf_pairs_test_waiting( &q->pairs );
	}
	bvtree_opened* node = q->deepest;
	if ( node->waiting == 0 )
	{
		remove_level( q );
		return true;
	}
	uint32_t lane = bvsimd_highest_bit( node->waiting );
	node->waiting ^= 1u << lane;
	bvtree_spot child = bvtree_spot_of_child( node->place, lane, bvtree_child_at( &node->children, lane ) );
	child.size = node->size[lane];
	const bvtree_spot* a = node->is_a ? &child : &node->other;
	const bvtree_spot* b = node->is_a ? &node->other : &child;
	if ( q->upper )
	{
		bvtree_upper_remember( q->upper, a, b );
	}
	if ( child.triangles == 0 || node->other.triangles == 0 )
	{
		open( q, node, &child, add_level( q ) );
		return true;
	}
	count_leaves( q );
	return bvtree_leaf_pairs_first( &q->pairs, a, b, &q->leaves );
}

void bvtree_collide_run( bvtree_collide_query* q, const bv_budget* budget )
{
	const bv_collide_result* r = q->result;
	// A limit of 0 is no limit.
	uint64_t end = q->options.most_tests > 0 && q->options.most_tests < UINT64_MAX ? q->options.most_tests + 1
	                                                                               : UINT64_MAX;
	bvtree_budget left = bvtree_budget_begin( budget, r->volume_tests + r->triangle_tests, end );
	uint64_t steps = q->steps_of_run;
	while ( !q->is_over && steps > 0 && bvtree_budget_allows( &left, r->volume_tests + r->triangle_tests ) )
	{
		q->is_over = !step( q );
		--steps;
	}
	if ( !q->is_over && bvtree_leaf_pairs_too_many( &q->options, r ) )
	{
		bvtree_leaf_pairs_end( &q->pairs );
		q->is_over = true;
	}
}

void bvtree_collide_divide( bvtree_collide_query* q, uint32_t pairs )
{
	q->steps_of_run = 1;
	q->pairs.hits_of_step = pairs;
}

// A bit, 1 << type, for each type that nodes have.
static uint32_t types_of( const bvfile_view* view )
{
	uint32_t types = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		types |= bvfile_count_of_type( view->hierarchy, (uint32_t)i ) > 0 ? 1u << i : 0;
	}
	return types;
}

bv_collide_options bv_collide_options_default( void )
{
	return ( bv_collide_options ){ .expansion = bv_expand_larger };
}

bv_status bvtree_collide_begin( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                const bv_transform* b_in_a, const bvtree_approach* approach,
                                const bv_collide_options* options, bv_collide_result* result,
                                bvtree_collide_query* out )
{
	bvtree_collide_query* q = out;
	bv_transform transform = b_in_a ? *b_in_a : bv_transform_identity();
	if ( !a || !b || !result || !bvtree_is_placement( &transform ) )
	{
		return bv_error_argument;
	}
	q->a.view = bvfile_view_of( a );
	q->b.view = bvfile_view_of( b );
	q->options = options ? *options : bv_collide_options_default();

	// This may be the result itself.
	bv_collide_result last = { 0 };
	if ( q->options.first && q->options.last )
	{
		last = *q->options.last;
	}
	if ( !q->a.view.hierarchy || !q->b.view.hierarchy || (unsigned)q->options.expansion >= bv_expansions ||
	     ( last.pairs > 0 && ( last.triangles[0] >= q->a.view.mesh->triangles ||
	                           last.triangles[1] >= q->b.view.mesh->triangles ) ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_collide_result ){ 0 };
	bvvol_similarity_begin( &transform, &q->b.to_other );
	q->a.to_other = bvvol_similarity_reverse( &q->b.to_other );
	q->fits_lanes = bvmath_skew_fits_lanes( q->a.to_other.skew ); // twice that of the other way
	q->lanes = lanes;
	q->result = result;
	q->upper = NULL;
	q->leaves = ( bvtree_leaf_cursor ){ 0 };
	q->depth = 0;
	q->first_ready = 0;
	q->steps_of_run = UINT64_MAX;
	q->scale = transform.scale;
	q->mirror = transform.mirror;
	q->is_moving = approach->is_directed;
	q->b.reach = approach->reach;
	q->a.reach = approach->reach / transform.scale;
	if ( q->is_moving )
	{
		q->from_b = bvtree_approach_reversed( approach, &transform );
	}
	bvtree_expander_begin( q->options.expansion, &q->a.view, &q->b.view, q->scale, &q->expander );
	bvtree_leaf_pairs_begin( lanes, &q->a.view, &q->b.view, &q->b.to_other, approach, &q->options, result,
	                         &q->pairs );
	bvvol_placement_begin( &transform.pose, types_of( &q->a.view ), types_of( &q->b.view ), approach->reach,
	                       &q->placement );
	q->is_over = test_last_pair( q, &last );
	if ( !q->is_over )
	{
		begin_at_roots( q );
	}
	return bv_ok;
}

bv_status bvtree_collide_within( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                 const bv_transform* b_in_a, const bvtree_approach* approach,
                                 const bv_collide_options* options, bv_collide_result* result )
{
	bvtree_collide_query q;
	bv_status status = bvtree_collide_begin( lanes, a, b, b_in_a, approach, options, result, &q );
	if ( status == bv_ok )
	{
		bvtree_collide_run( &q, NULL );
	}
	return status;
}

bv_status bvtree_collide_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                             const bv_transform* b_in_a, const bv_collide_options* options,
                             bv_collide_result* result )
{
	const bvtree_approach none = bvtree_approach_within( 0 );
	return bvtree_collide_within( lanes, a, b, b_in_a, &none, options, result );
}

bv_status bv_mesh_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                           const bv_collide_options* options, bv_collide_result* result )
{
	bv_transform storage;
	return bvtree_collide_in( bvtree_lanes_best(), a, b, bvtree_place( a, b, b_in_a, &storage ), options,
	                          result );
}
