// Intersecting triangles of two hierarchies: both are descended with one-sided expansion (Eckstein 1998,
// section 4.3; Gottschalk, Lin, Manocha 1996). Of two overlapping volumes that of the larger diameter is opened.

#include "bv/query.h"

#include "base/core/overlap_volumes.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "formats/bvh/layout.h"

#include <math.h>

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
	bv_placement placement;
	bv_collide_options options;
	bv_collide_result* result;
} query;

static bool is_leaf( const bvh_node* node )
{
	return node->count & BVH_LEAF;
}

static double square_of( bv_vec3 v )
{
	return bv_dot( v, v );
}

static double obb_size( const bv_volume* volume )
{
	const double* h = volume->obb.half_extents;
	return 4 * ( ( h[0] * h[0] + h[1] * h[1] ) + h[2] * h[2] );
}

static double aabb_size( const bv_volume* volume )
{
	return square_of( bv_sub( volume->aabb.upper, volume->aabb.lower ) );
}

static double sphere_size( const bv_volume* volume )
{
	return 4 * ( volume->sphere.radius * volume->sphere.radius );
}

static double rss_size( const bv_volume* volume )
{
	const double* h = volume->rss.half_extents;
	double half = sqrt( h[0] * h[0] + h[1] * h[1] ) + volume->rss.radius;
	return 4 * ( half * half );
}

// Of the box of the first three directions.
static double kdop_size( const bv_volume* volume )
{
	const bv_kdop* kdop = &volume->kdop;
	bv_vec3 d = { kdop->upper[0] - kdop->lower[0], kdop->upper[1] - kdop->lower[1],
		          kdop->upper[2] - kdop->lower[2] };
	return square_of( d );
}

// Squared diameters, or nearly.
static double ( *const sizes[bv_volume_types] )( const bv_volume* volume ) = {
	[bv_volume_obb] = obb_size,     [bv_volume_aabb] = aabb_size,   [bv_volume_sphere] = sphere_size,
	[bv_volume_rss] = rss_size,     [bv_volume_kdop14] = kdop_size, [bv_volume_kdop18] = kdop_size,
	[bv_volume_kdop26] = kdop_size,
};

static double size_of( const bvh_view* view, const bvh_node* node )
{
	bv_volume volume = bvh_volume( view, node );
	return sizes[volume.type]( &volume );
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
		double uncertainty = 0x1p-50 * move_corners( &q->placement.pose, moved );

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

static bool overlap( const query* q, const bv_volume* a, const bv_placed_volume* b )
{
	q->result->volume_tests += 1;
	return bv_volumes_overlap( a, b );
}

// Puts the overlapping pairs of a's children with b on the stack.
static node_pair* open_a( const query* q, node_pair pair, node_pair* top )
{
	const bvh_node* a = q->a.nodes + pair.a;
	bv_volume volume_b = bvh_volume( &q->b, q->b.nodes + pair.b );
	bv_placed_volume placed;
	bv_volume_place( &volume_b, &q->placement, &placed );
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		bv_volume volume_a = bvh_volume( &q->a, q->a.nodes + a->first + i );
		if ( overlap( q, &volume_a, &placed ) )
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
	bv_volume volume_a = bvh_volume( &q->a, q->a.nodes + pair.a );
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		bv_volume volume_b = bvh_volume( &q->b, q->b.nodes + b->first + i );
		bv_placed_volume placed;
		bv_volume_place( &volume_b, &q->placement, &placed );
		if ( overlap( q, &volume_a, &placed ) )
		{
			*top++ = ( node_pair ){ pair.a, b->first + i };
		}
	}
	return top;
}

static bool roots_overlap( const query* q )
{
	bv_volume a = bvh_volume( &q->a, q->a.nodes );
	bv_volume b = bvh_volume( &q->b, q->b.nodes );
	bv_placed_volume placed;
	bv_volume_place( &b, &q->placement, &placed );
	return overlap( q, &a, &placed );
}

static void traverse( const query* q )
{
	node_pair stack[stack_size];
	node_pair* top = stack;

	if ( roots_overlap( q ) )
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
		else if ( is_leaf( b ) || ( !is_leaf( a ) && size_of( &q->a, a ) >= size_of( &q->b, b ) ) )
		{
			top = open_a( q, pair, top );
		}
		else
		{
			top = open_b( q, pair, top );
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
	bv_placement_begin( b_in_a, types_of( &q.a ), types_of( &q.b ), &q.placement );
	traverse( &q );
	return bv_ok;
}
