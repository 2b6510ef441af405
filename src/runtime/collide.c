// Intersecting triangles of two hierarchies (Gottschalk, Lin, Manocha 1996; expansion: Eckstein 1998, section 4.3). Of two
// overlapping volumes one is opened, and the other is compared with all its children at once.

#include "bv/query.h"

#include "base/core/overlap_volumes.h"
#include "base/core/similarity.h"
#include "runtime/expansion.h"
#include "runtime/leaf_pairs.h"
#include "runtime/levels.h"
#include "runtime/surface.h"

// Every step takes one pair off and puts at most BV_LANES on, one level deeper in one of the two trees.
enum
{
	stack_size = 2 * BV_MAX_DEPTH * ( BV_LANES - 1 ) + 1,
};

typedef struct spot_pair
{
	bv_spot a;
	bv_spot b;
	bool opens_b; // nothing is known of the two yet, but b's children are next
} spot_pair;

// One of the two hierarchies, and what is remembered of its latest volume.
typedef struct side
{
	bvh_view view;
	bv_similarity to_other; // takes its coordinates to the other's
	bool known;             // the rest is that of the node below
	uint32_t parent;
	uint32_t lane;
	bv_volume volume;
	bv_moved_box box; // in the other's coordinates, if it is one
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
} query;

static bool test_leaves( query* q, const bv_spot* a, const bv_spot* b )
{
	if ( q->options.counts )
	{
		q->options.counts->leaves += 1;
	}
	return bv_leaf_pairs_add( &q->pairs, a, b );
}

static void know( side* s, const bv_spot* spot )
{
	if ( !s->known || s->parent != spot->parent || s->lane != spot->lane )
	{
		bv_spot_volume( &s->view, spot, &s->volume );
		if ( s->volume.type <= bv_volume_aabb )
		{
			bv_move_box( &s->volume, &s->to_other, &s->box );
		}
		s->known = true;
		s->parent = spot->parent;
		s->lane = spot->lane;
	}
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
static uint32_t test_singly( const query* q, const side* open, const bv_node_frame* frame,
                             const bv_group* group, const bv_volume* other, float size[BV_LANES] )
{
	uint32_t mask = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bv_lane_unpack( group, i, frame, &volume );
		bool is_a = open == &q->a;
		mask |= (uint32_t)overlap( q, is_a ? &volume : other, is_a ? other : &volume ) << i;
		size[i] = bv_spot_size( &volume );
	}
	return mask;
}

static uint32_t test_group( const query* q, const side* open, const bv_node_frame* frame,
                            const bv_group* group, const side* other, float size[BV_LANES] )
{
	bv_volume_type type = other->volume.type;
	q->result->volume_tests += group->count;
	if ( q->options.counts )
	{
		bv_test_counts* counts = q->options.counts;
		*( open == &q->a ? &counts->volumes[group->type][type] : &counts->volumes[type][group->type] ) +=
			group->count;
	}
	if ( type > bv_volume_aabb || group->type > bv_volume_aabb || !q->fits_lanes )
	{
		return test_singly( q, open, frame, group, &other->volume, size );
	}
	bv_lane_group lanes;
	bv_lane_box box;
	bv_spot_group( group, frame, &lanes );
	bv_place_box( &other->box, frame, &box );
	return group->type == bv_volume_obb ? q->lanes->obb( &lanes, &box, size )
	                                    : q->lanes->aabb( &lanes, &box, size );
}

// Puts the pairs of a node's children with the other that overlap on the stack.
static spot_pair* open_side( query* q, side* open, const bv_spot* spot, side* other, const bv_spot* with,
                             spot_pair* top )
{
	if ( q->options.counts )
	{
		q->options.counts->openings += 1;
	}
	know( other, with );
	const bv_packed_node* node = bvh_node_at( &open->view, spot->at );
	bv_node_frame frame = bv_node_frame_of( node, &open->view.hierarchy->grid );
	bv_children children = bv_children_begin( node );
	bv_spot against = *with;
	for ( bv_group group = bv_group_first( node ); group.count > 0; group = bv_group_next( node, &group ) )
	{
		float size[BV_LANES];
		uint32_t mask = test_group( q, open, &frame, &group, other, size );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_spot child = bv_children_next( &children, spot->at );
			if ( mask >> i & 1 )
			{
				child.size = size[i];
				if ( child.triangles == 0 )
				{
					__builtin_prefetch( bvh_node_at( &open->view, child.at ) );
					__builtin_prefetch( (const char*)bvh_node_at( &open->view, child.at ) + 64 );
				}
				*top++ = open == &q->a ? ( spot_pair ){ child, against, false }
				                       : ( spot_pair ){ against, child, false };
			}
		}
	}
	return top;
}

// Both: a's children are not compared with b, but each of them with all of b's.
static spot_pair* open_both( const query* q, const spot_pair* pair, spot_pair* top )
{
	const bv_packed_node* node = bvh_node_at( &q->a.view, pair->a.at );
	bv_children children = bv_children_begin( node );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bv_spot child = bv_children_next( &children, pair->a.at );
		bv_volume volume;
		bv_spot_volume( &q->a.view, &child, &volume );
		child.size = bv_spot_size( &volume );
		*top++ = ( spot_pair ){ child, pair->b, true };
	}
	return top;
}

static bool roots_overlap( query* q )
{
	bv_volume_type a = q->a.volume.type;
	bv_volume_type b = q->b.volume.type;
	q->result->volume_tests += 1;
	if ( q->options.counts )
	{
		q->options.counts->volumes[a][b] += 1;
	}
	return overlap( q, &q->a.volume, &q->b.volume );
}

static void traverse( query* q )
{
	spot_pair stack[stack_size];
	spot_pair* top = stack;
	spot_pair roots = { bv_spot_root( &q->a.view ), bv_spot_root( &q->b.view ), false };
	know( &q->a, &roots.a );
	know( &q->b, &roots.b );
	if ( roots_overlap( q ) )
	{
		*top++ = roots;
	}
	while ( top > stack && !bv_leaf_pairs_too_many( &q->options, q->result ) )
	{
		spot_pair pair = *--top;
		if ( pair.a.triangles > 0 && pair.b.triangles > 0 )
		{
			if ( !test_leaves( q, &pair.a, &pair.b ) )
			{
				return;
			}
			continue;
		}
		bool opens_b = pair.opens_b && pair.b.triangles == 0;
		switch ( opens_b ? bv_opening_b : bv_choose_opening( &q->expander, &pair.a, &pair.b ) )
		{
		case bv_opening_a: top = open_side( q, &q->a, &pair.a, &q->b, &pair.b, top ); break;
		case bv_opening_b: top = open_side( q, &q->b, &pair.b, &q->a, &pair.a, top ); break;
		default: top = open_both( q, &pair, top ); break;
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
		types |= view->hierarchy->of_type[i] > 0 ? 1u << i : 0;
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
	*result = ( bv_collide_result ){ 0 };
	query q;
	q.a.view = bvh_view_of( a );
	q.b.view = bvh_view_of( b );
	q.options = options ? *options : bv_collide_options_default();
	if ( !q.a.view.hierarchy || !q.b.view.hierarchy || (unsigned)q.options.expansion >= bv_expansions )
	{
		return bv_error_argument;
	}
	bv_similarity_begin( &transform, &q.b.to_other );
	q.a.to_other = bv_similarity_reverse( &q.b.to_other );
	q.fits_lanes = q.a.to_other.skew < 0x1p-22; // twice that of the other way
	q.a.known = q.b.known = false;
	q.lanes = lanes;
	q.result = result;
	q.scale = transform.scale;
	q.mirror = transform.mirror;
	bv_expander_begin( q.options.expansion, &q.a.view, &q.b.view, q.scale, &q.expander );
	bv_leaf_pairs_begin( lanes, &q.a.view, &q.b.view, &q.b.to_other, &q.options, result, &q.pairs );
	bv_placement_begin( &transform.pose, types_of( &q.a.view ), types_of( &q.b.view ), &q.placement );
	traverse( &q );
	return bv_ok;
}

bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result )
{
	return bv_collide_in( bv_lanes_best(), a, b, b_in_a, options, result );
}
