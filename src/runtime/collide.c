// Intersecting triangles of two hierarchies: both are descended with one-sided expansion (Eckstein 1998,
// section 4.3; Gottschalk, Lin, Manocha 1996). Of two overlapping boxes the larger is opened.

#include "bv/query.h"

#include "base/core/overlap.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "formats/bvh/layout.h"

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
} node_pair;

// Everything that stays the same during one query.
typedef struct query
{
	bvh_view a;
	bvh_view b;
	bv_pose pose;
	double skew;
	bv_collide_options options;
	bv_collide_result* result;
} query;

static bool as_box( const bv_volume* volume, bv_obb* box )
{
	if ( volume->type == bv_volume_aabb )
	{
		*box = bv_aabb_turned( &volume->aabb );
		return true;
	}
	*box = volume->obb;
	return volume->type == bv_volume_obb;
}

static bool overlap( const query* q, uint32_t at_a, uint32_t at_b )
{
	bv_volume a = bvh_volume( &q->a, q->a.nodes + at_a );
	bv_volume b = bvh_volume( &q->b, q->b.nodes + at_b );
	bv_obb box_a;
	bv_obb box_b;
	q->result->volume_tests += 1;
	if ( !as_box( &a, &box_a ) || !as_box( &b, &box_b ) )
	{
		return true;
	}
	bv_placed_obb placed = bv_obb_place( &box_b, &q->pose, q->skew );
	return bv_obb_overlaps_placed( &box_a, &placed );
}

static bool is_leaf( const bvh_node* node )
{
	return node->count & BVH_LEAF;
}

static double squared_diagonal( const bvh_view* view, const bvh_node* node )
{
	bv_volume volume = bvh_volume( view, node );
	bv_obb box;
	if ( !as_box( &volume, &box ) )
	{
		return 0;
	}
	const double* h = box.half_extents;
	return ( h[0] * h[0] + h[1] * h[1] ) + h[2] * h[2];
}

static void get_corners( const bvh_view* view, uint32_t triangle, bv_vec3 corner[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = bvh_position( view, view->triangles[triangle][i] );
	}
}

// Returns the largest sum of absolute coordinates that entered a moved corner.
static double move_corners( const bv_pose* pose, bv_vec3 corner[3] )
{
	double largest = 0;
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
	return largest;
}

// Returns false when the query is over.
static bool test_leaves( const query* q, const bvh_node* a, const bvh_node* b )
{
	for ( uint32_t j = 0; j < ( b->count & ~BVH_LEAF ); ++j )
	{
		bv_vec3 moved[3];
		get_corners( &q->b, b->first + j, moved );
		// Three products, two sums and the translation err by less than 8 * 2^-53 of the magnitudes they add.
		double uncertainty = 0x1p-50 * move_corners( &q->pose, moved );

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

// Puts the overlapping pairs of a's children with b on the stack.
static node_pair* open_a( const query* q, node_pair pair, node_pair* top )
{
	const bvh_node* a = q->a.nodes + pair.a;
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		if ( overlap( q, a->first + i, pair.b ) )
		{
			*top++ = ( node_pair ){ a->first + i, pair.b };
		}
	}
	return top;
}

// Puts the overlapping pairs of a with b's children on the stack.
static node_pair* open_b( const query* q, node_pair pair, node_pair* top )
{
	const bvh_node* b = q->b.nodes + pair.b;
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		if ( overlap( q, pair.a, b->first + i ) )
		{
			*top++ = ( node_pair ){ pair.a, b->first + i };
		}
	}
	return top;
}

static void traverse( const query* q )
{
	node_pair stack[stack_size];
	node_pair* top = stack;

	if ( overlap( q, 0, 0 ) )
	{
		*top++ = ( node_pair ){ 0, 0 };
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
		else if ( is_leaf( b ) ||
		          ( !is_leaf( a ) && squared_diagonal( &q->a, a ) >= squared_diagonal( &q->b, b ) ) )
		{
			top = open_a( q, pair, top );
		}
		else
		{
			top = open_b( q, pair, top );
		}
	}
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
		.pose = *b_in_a,
		.skew = bv_pose_skew( b_in_a ),
		.options = options ? *options : bv_collide_options_default(),
		.result = result,
	};
	traverse( &q );
	return bv_ok;
}
