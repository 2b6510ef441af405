// Intersecting triangles of two hierarchies: both are descended with one-sided expansion (Eckstein 1998,
// section 4.3; Gottschalk, Lin, Manocha 1996). Of two overlapping volumes the larger is opened.

#include "bv/query.h"

#include "base/core/overlap_triangle.h"
#include "base/core/overlap_volumes.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "formats/bvh/layout.h"

#include <string.h>

// Every step takes one pair off and puts at most bvh_max_children on, one level deeper in one of the two
// trees.
enum
{
	stack_size = 2 * BV_MAX_DEPTH * ( bvh_max_children - 1 ) + 1,
};

typedef struct node_pair
{
	uint32_t a;
	uint32_t b;
	bool tested; // else only its parents are known to overlap
} node_pair;

// Everything that stays the same during one query.
typedef struct query
{
	bvh_view a;
	bvh_view b;
	bv_placement placement;
	bv_collide_options options;
	bv_collide_result* result;
} query;

static bool is_leaf( const bvh_node* node )
{
	return node->count & BVH_LEAF;
}

static bv_volume_type type_of( const bvh_node* node )
{
	return (bv_volume_type)( node->volume >> BVH_TYPE_SHIFT );
}

static bv_vec3 center_of( const bvh_view* view, const bvh_node* node )
{
	bv_volume_type type;
	const void* packed = bvh_packed_volume( view, node, &type );
	return bv_packed_center( type, packed );
}

// The volume, but flat ones have some, too. Of the sizes that were tried as a reason to open a node (area, diameter,
// what its children leave) none needed fewer tests.
static double size_of( const bvh_view* view, const bvh_node* node )
{
	static const double thickness = 0.01;
	bv_volume_type type;
	float half[3];
	const void* packed = bvh_packed_volume( view, node, &type );
	bv_packed_lengths( type, packed, half );
	double longest = bv_max( half[0], bv_max( half[1], half[2] ) );
	double least = bv_min( half[0], bv_min( half[1], half[2] ) );
	double middle = bv_max( bv_min( half[0], half[1] ), bv_min( bv_max( half[0], half[1] ), half[2] ) );
	return longest * middle * ( least + thickness * middle );
}

static void get_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	uint32_t vertex[3];
	bvh_triangle( view, triangle, vertex );
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = bvh_position( view, vertex[i] );
	}
}

// Corners of a triangle of b, moved. Returns by how much each coordinate can be off: three products, two sums and the
// translation err by less than 8 * 2^-53 of the magnitudes they add.
static double get_moved_corners( const query* q, uint32_t triangle, bv_vec3 corner[3] )
{
	const bv_pose* pose = &q->placement.pose;
	double largest = 0;
	get_corners( &q->b, triangle, corner );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 p = corner[i];
		double moved[3];
		for ( int k = 0; k < 3; ++k )
		{
			const double* row = pose->rotation[k];
			moved[k] =
				( ( row[0] * p.x + row[1] * p.y ) + row[2] * p.z ) + bv_component( pose->translation, k );
		}
		corner[i] = ( bv_vec3 ){ moved[0], moved[1], moved[2] };
		largest = bv_max( largest, bv_norm1( p ) + bv_norm1( pose->translation ) );
	}
	return 0x1p-50 * largest;
}

// Returns false when the query is over.
static bool test_leaves( const query* q, const bvh_node* a, const bvh_node* b )
{
	for ( uint32_t j = 0; j < ( b->count & ~BVH_LEAF ); ++j )
	{
		bv_vec3 moved[3];
		double uncertainty = get_moved_corners( q, b->first + j, moved );
		for ( uint32_t i = 0; i < ( a->count & ~BVH_LEAF ); ++i )
		{
			bv_vec3 corner[3];
			get_corners( &q->a, a->first + i, corner );
			q->result->triangle_tests += 1;
			if ( !bv_triangles_intersect_within( corner, moved, uncertainty ) )
			{
				continue;
			}
			q->result->pairs += 1;
			if ( q->options.callback &&
			     !q->options.callback( q->options.context, a->first + i, b->first + j ) )
			{
				return false;
			}
			if ( q->options.first )
			{
				return false;
			}
		}
	}
	return true;
}

static bool is_box( const bvh_node* node )
{
	return type_of( node ) <= bv_volume_aabb;
}

// A single triangle is the least volume round itself: better than the box that stands for it.
static bool is_triangle( const bvh_node* node )
{
	return node->count == ( BVH_LEAF | 1 );
}

static void count_volumes( const query* q, const bvh_node* a, const bvh_node* b )
{
	q->result->volume_tests += 1;
	if ( q->options.counts )
	{
		q->options.counts->volumes[type_of( a )][type_of( b )] += 1;
	}
}

static void count_triangle( const query* q, const bvh_node* box )
{
	q->result->volume_tests += 1;
	bv_test_counts* counts = q->options.counts;
	if ( counts )
	{
		*( type_of( box ) == bv_volume_obb ? &counts->triangle_obb : &counts->triangle_aabb ) += 1;
	}
}

// What is known of one node of a pair: its volume and, of a leaf of one triangle, that. Each is made when it is needed, and
// lasts while the other node changes.
typedef struct side
{
	const bvh_node* node;
	bool has_volume;
	bool has_corners;
	bv_volume volume;
	bv_placed_volume placed; // of b
	bv_vec3 corner[3];       // of b they are moved
	double uncertainty;      // of the corners
} side;

static void begin_side( side* s, const bvh_view* view, uint32_t node )
{
	s->node = view->nodes + node;
	s->has_volume = false;
	s->has_corners = false;
}

static void decode( const bvh_view* view, const bvh_node* node, bv_volume* out )
{
	bv_volume_type type;
	const void* packed = bvh_packed_volume( view, node, &type );
	bv_volume_unpack_to( type, packed, out );
}

static const bv_volume* volume_of_a( const query* q, side* a )
{
	if ( !a->has_volume )
	{
		decode( &q->a, a->node, &a->volume );
		a->has_volume = true;
	}
	return &a->volume;
}

static const bv_placed_volume* volume_of_b( const query* q, side* b )
{
	if ( !b->has_volume )
	{
		decode( &q->b, b->node, &b->volume );
		bv_volume_place( &b->volume, &q->placement, &b->placed );
		b->has_volume = true;
	}
	return &b->placed;
}

static bool triangle_of_a_meets_b( const query* q, side* a, side* b )
{
	if ( !a->has_corners )
	{
		get_corners( &q->a, a->node->first, a->corner );
		a->has_corners = true;
	}
	const bv_placed_obb* box = &volume_of_b( q, b )->box;
	count_triangle( q, b->node );
	return bv_triangle_overlaps_box( a->corner, &box->box, box->slack );
}

static bool triangle_of_b_meets_a( const query* q, side* a, side* b )
{
	if ( !b->has_corners )
	{
		b->uncertainty = get_moved_corners( q, b->node->first, b->corner );
		b->has_corners = true;
	}
	const bv_volume* volume = volume_of_a( q, a );
	bv_obb box = volume->type == bv_volume_aabb ? bv_aabb_turned( &volume->aabb ) : volume->obb;
	count_triangle( q, a->node );
	return bv_triangle_overlaps_box( b->corner, &box, b->uncertainty );
}

// Of a leaf in a box it is its triangle that is compared with the other's box. Two triangles are left to their own test: more
// than half of them meet each other's boxes, and finding that out costs more than it saves.
static bool overlap( const query* q, side* a, side* b )
{
	bool boxes = is_box( a->node ) && is_box( b->node );
	bool triangle_a = boxes && is_triangle( a->node );
	bool triangle_b = boxes && is_triangle( b->node );
	if ( triangle_a && triangle_b )
	{
		return true;
	}
	if ( triangle_a || triangle_b )
	{
		return triangle_a ? triangle_of_a_meets_b( q, a, b ) : triangle_of_b_meets_a( q, a, b );
	}
	count_volumes( q, a->node, b->node );
	return bv_volumes_overlap( volume_of_a( q, a ), volume_of_b( q, b ) );
}

static bool opens_a( const query* q, const bvh_node* a, const bvh_node* b )
{
	return is_leaf( b ) || ( !is_leaf( a ) && size_of( &q->a, a ) >= size_of( &q->b, b ) );
}

// When two volumes overlap, but none of the one's children so far meets the other, the last one very likely does: two times out
// of three with two children. Its own children will be tested; that it need not be saves more than it costs.
static bool may_go_untested( const query* q, const bvh_node* a, const bvh_node* b )
{
	if ( is_leaf( a ) && is_leaf( b ) )
	{
		return false;
	}
	return ( opens_a( q, a, b ) ? a : b )->count == 2;
}

// Of two children the one whose center is farther from that of the volume they are compared with comes first: it is the
// likelier one to be apart from that and to leave the other untested.
// @param other    the volume they are compared with
// @param to_node  takes its coordinates to theirs
// @return 1 where the second comes first
static uint32_t choose_turn( const bvh_view* view, const bvh_node* node, const bvh_view* other_view,
                             const bvh_node* other, const bv_pose* to_node )
{
	if ( node->count != 2 )
	{
		return 0;
	}
	bv_vec3 center = bv_add( bv_rotate( to_node, center_of( other_view, other ) ), to_node->translation );
	double distance[2];
	for ( int k = 0; k < 2; ++k )
	{
		bv_vec3 d = bv_sub( center_of( view, view->nodes + node->first + k ), center );
		distance[k] = bv_dot( d, d );
	}
	return distance[1] > distance[0];
}

// Puts the overlapping pairs of a's children with b on the stack.
static node_pair* open_a( const query* q, node_pair pair, node_pair* top )
{
	const bvh_node* a = q->a.nodes + pair.a;
	const node_pair* bottom = top;
	side b;
	begin_side( &b, &q->b, pair.b );
	uint32_t turn = choose_turn( &q->a, a, &q->b, b.node, &q->placement.pose );
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		side child;
		begin_side( &child, &q->a, a->first + ( i ^ turn ) );
		bool untested =
			pair.tested && i + 1 == a->count && top == bottom && may_go_untested( q, child.node, b.node );
		if ( untested || overlap( q, &child, &b ) )
		{
			*top++ = ( node_pair ){ a->first + ( i ^ turn ), pair.b, !untested };
		}
	}
	return top;
}

// Puts the overlapping pairs of a with b's children on the stack.
static node_pair* open_b( const query* q, node_pair pair, node_pair* top )
{
	const bvh_node* b = q->b.nodes + pair.b;
	const node_pair* bottom = top;
	side a;
	begin_side( &a, &q->a, pair.a );
	uint32_t turn = choose_turn( &q->b, b, &q->a, a.node, &q->placement.back );
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		side child;
		begin_side( &child, &q->b, b->first + ( i ^ turn ) );
		bool untested =
			pair.tested && i + 1 == b->count && top == bottom && may_go_untested( q, a.node, child.node );
		if ( untested || overlap( q, &a, &child ) )
		{
			*top++ = ( node_pair ){ pair.a, b->first + ( i ^ turn ), !untested };
		}
	}
	return top;
}

static bool roots_overlap( const query* q )
{
	side a;
	side b;
	begin_side( &a, &q->a, 0 );
	begin_side( &b, &q->b, 0 );
	return overlap( q, &a, &b );
}

static void traverse( const query* q )
{
	node_pair stack[stack_size];
	node_pair* top = stack;

	if ( roots_overlap( q ) )
	{
		*top++ = ( node_pair ){ 0, 0, true };
	}

	while ( top > stack )
	{
		node_pair pair = *--top;
		const bvh_node* a = q->a.nodes + pair.a;
		const bvh_node* b = q->b.nodes + pair.b;
		if ( is_leaf( a ) && is_leaf( b ) )
		{
			if ( !test_leaves( q, a, b ) )
			{
				return;
			}
		}
		else
		{
			top = opens_a( q, a, b ) ? open_a( q, pair, top ) : open_b( q, pair, top );
		}
	}
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
	return ( bv_collide_options ){ .first = false };
}

bv_status bv_collide( const bv_file* a, const bv_file* b, const bv_pose* b_in_a,
                      const bv_collide_options* options, bv_collide_result* result )
{
	if ( !a || !b || !b_in_a || !result || !bv_pose_is_rigid( b_in_a ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_collide_result ){ 0 };
	query q = {
		.a = bvh_view_of( a ),
		.b = bvh_view_of( b ),
		.options = options ? *options : bv_collide_options_default(),
		.result = result,
	};
	if ( !q.a.hierarchy || !q.b.hierarchy )
	{
		return bv_error_argument;
	}
	bv_placement_begin( b_in_a, types_of( &q.a ), types_of( &q.b ), &q.placement );
	traverse( &q );
	return bv_ok;
}
