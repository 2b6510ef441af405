// Triangles that intersect a ball, a box or a convex shape.
//
// The hierarchy is descended in the order of children. Of each node the triangles of all leaves are tested
// together, before its inner children are descended to; what is found waits for its turn. Triangles in a
// volume that is certainly within the ball or the box intersect it: they are not tested.

#include "bv/mesh.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/convex/shape.h"
#include "runtime/math/rounding.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/block.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/box.h"
#include "runtime/triangle/nearest.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/kinds.h"

// What triangles are compared with. Only one of the three is used.
typedef struct overlap_solid
{
	bv_sphere ball;
	bv_obb box;
	const bvconvex_prepared* shape;
} overlap_solid;

// @return false only if they are certainly apart
typedef bool triangle_test( const overlap_solid* with, const bv_vec3 corner[3], double uncertainty );

typedef struct overlap_query
{
	bvvol_similarity placed;
	const bvtree_lanes* lanes;
	const bvfile_view* view;
	bvvol_rounded box; // round the solid, in the file's own coordinates
	bv_vec3 offset;    // of its center from the origin of the grid of nodes

	// for lanes: by how much points of it may be off. It includes the radius, unless it is a ball
	double slack;

	bvtree_lane_ball ball;  // for lanes, if it is one
	bvtree_lane_box turned; // else the box round it
	bool fits_lanes;        // its axes are orthonormal enough for them
	bvtree_block block;
	bvtree_lane_box target; // the box that triangles in the block are compared with
	double radius;          // that is added to it
	uint32_t owner

		// of each triangle in the block: 32 times the child of the node, plus the number in the leaf
		[BVFILE_LANES];

	uint32_t hits[BVFILE_LANES]; // of each child that is a leaf: which of its triangles intersect the solid
	const overlap_solid* with;
	triangle_test* meets;
	bv_overlap_options options;
	bv_overlap_result* result;
} overlap_query;

// Distances err by less than 2^-48 of what enters them: see nearest.h.
static bool meets_ball( const overlap_solid* with, const bv_vec3 corner[3], double uncertainty )
{
	bvtri_nearest near;
	bvtri_nearest_on_triangle( with->ball.center, corner, &near );
	double extent = 0;
	for ( int k = 0; k < 3; ++k )
	{
		extent = bvmath_max( extent, bvmath_norm1( bv_sub( corner[k], with->ball.center ) ) );
	}
	double slack = 0x1p-46 * ( extent + with->ball.radius ) + 2 * uncertainty;
	return !( sqrt( near.square ) > with->ball.radius + slack );
}

static bool meets_box( const overlap_solid* with, const bv_vec3 corner[3], double uncertainty )
{
	return bvtri_overlaps_box( corner, &with->box, uncertainty );
}

static bool meets_shape( const overlap_solid* with, const bv_vec3 corner[3], double uncertainty )
{
	bvconvex_hull_gap gap;
	double reach = with->shape->radius * ( 1 + 0x1p-50 ) + 2 * uncertainty;
	bvconvex_hull_triangle_gap( &with->shape->hull, corner, reach, 1, &gap );
	return !( gap.lower > reach );
}

static bool meets_exactly( const overlap_query* q, uint32_t triangle )
{
	bv_vec3 corner[3];
	bv_vec3 placed[3];
	bvtree_leaf_triangle( &q->block.source, triangle, corner );
	double uncertainty = bvconvex_place_triangle( &q->placed, corner, placed );
	return q->meets( q->with, placed, uncertainty );
}

// Which triangles of the block may meet the solid, and which ones certainly do. The tolerance is more than
// the exact tests have.
static uint32_t bound_block( const overlap_query* q, uint32_t* certain )
{
	const bvtree_block* b = &q->block;
	*certain = 0;
	if ( !( b->scale > 0 ) )
	{
		return ( 1u << b->count ) - 1;
	}
	if ( q->meets != meets_ball )
	{
		uint32_t near = q->lanes->box_triangles( &b->lanes, b->count, &b->place, &q->target, certain );
		*certain &= q->meets == meets_box ? UINT32_MAX : 0;
		return near;
	}
	float lower[BVFILE_LANES];
	float upper[BVFILE_LANES];
	uint32_t near = 0;
	q->lanes->point_triangles( &b->lanes, b->count, &b->place, lower, upper );
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		near |= ( uint32_t ) !( lower[i] > q->radius ) << i;
		*certain |= (uint32_t)( upper[i] < q->radius ) << i;
	}
	return near;
}

// @return whether a triangle intersects the solid
static bool test_block( overlap_query* q )
{
	uint32_t certain;
	uint32_t found = bound_block( q, &certain );
	bool any = q->options.first && !q->options.callback;
	for ( uint32_t open = any && certain ? 0 : found & ~certain; open > 0; open &= open - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( open );
		found &= ~( (uint32_t)!meets_exactly( q, q->block.triangle[i] ) << i );
	}
	q->result->triangle_tests += q->block.count;
	q->block.count = 0;
	if ( !q->options.callback )
	{
		q->result->triangles += bvsimd_count_bits( found );
		return found != 0;
	}
	for ( ; found > 0; found &= found - 1 )
	{
		uint32_t owner = q->owner[bvsimd_lowest_bit( found )];
		q->hits[owner / 32] |= 1u << owner % 32;
	}
	return true;
}

// Tests the block, unless it is empty.
// @return the same
static bool flush( overlap_query* q )
{
	return q->block.count > 0 && test_block( q );
}

// Puts triangles into the block, and tests it each time it is full. Where one hit is enough it ends with
// that.
// @return whether any of them intersects the solid
static bool add_triangles( overlap_query* q, uint32_t child, uint32_t first, uint32_t count )
{
	bool found = false;
	for ( uint32_t done = 0; done < count; )
	{
		uint32_t at = q->block.count;
		uint32_t next = count - done < BVFILE_LANES - at ? count - done : BVFILE_LANES - at;
		bvtree_block_add( &q->block, first + done, next );
		for ( uint32_t i = 0; i < next; ++i )
		{
			q->owner[at + i] = 32 * child + ( done + i ) % 32;
		}
		done += next;
		if ( q->block.count == BVFILE_LANES )
		{
			found |= test_block( q );
		}
		if ( found && q->options.first && !q->options.callback )
		{
			return true;
		}
	}
	return found;
}

// @return false to end the query
static bool report( overlap_query* q, uint32_t triangle )
{
	q->result->triangles += 1;
	return q->options.callback( q->options.context, triangle ) && !q->options.first;
}

// Volumes that lanes do not compare.
static uint32_t look_at_each( const overlap_query* q, const bvfile_group* group,
                              const bvfile_node_frame* frame )
{
	static const double any = 0x1p-1000;
	uint32_t near = 0;
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bvvol_bound bound;
		bvfile_lane_unpack( group, i, frame, &volume );
		bvvol_bound_of( &volume, &bound );
		near |= ( uint32_t ) !( bvvol_bound_gap( &bound, &q->box, 2 * q->placed.skew, any ) > 0 ) << i;
	}
	return near;
}

static uint32_t look_at_ball( const overlap_query* q, const bvtree_lane_group* stored, bool is_obb,
                              uint32_t* inside )
{
	float least[BVFILE_LANES];
	float most[BVFILE_LANES];
	uint32_t near = ( is_obb ? q->lanes->obb_ball : q->lanes->aabb_ball )( stored, &q->ball, least, most );
	for ( uint32_t i = 0; i < BVFILE_LANES; ++i )
	{
		*inside |= (uint32_t)( most[i] < q->box.radius ) << i;
	}
	*inside &= near;
	return near;
}

// Balls by their distance, other solids by the axes of the box round them.
// @param inside  receives those that are certainly within the solid
// @return the volumes that are not certainly apart
static uint32_t look_at_group( overlap_query* q, const bvfile_packed_node* node, const bvfile_group* group,
                               uint32_t* inside )
{
	const bvfile_node_grid* grid = &q->view->hierarchy->grid;
	bool is_ball = q->meets == meets_ball;
	bool is_obb = group->type == bv_volume_obb;
	bvtree_lane_group stored = bvtree_spot_lanes( node, group );
	*inside = 0;
	if ( group->type > bv_volume_aabb || !q->fits_lanes ||
	     ( !bvtree_lane_ball_at( q->offset, q->slack, node, grid->step, &stored, &q->ball ) && is_ball ) )
	{
		bvfile_node_frame frame = bvfile_node_frame_of( node, grid );
		return look_at_each( q, group, &frame );
	}
	if ( is_ball )
	{
		return look_at_ball( q, &stored, is_obb, inside );
	}
	memcpy( q->turned.center, q->ball.center, sizeof q->turned.center );
	q->turned.slack = q->ball.slack;
	uint32_t near = ( is_obb ? q->lanes->obb_faces : q->lanes->aabb_faces )( &stored, &q->turned, inside );
	*inside &= q->meets == meets_box ? near : 0;
	return near;
}

static uint32_t look_at_volumes( overlap_query* q, const bvfile_packed_node* node, uint32_t* inside )
{
	uint32_t near = 0;
	*inside = 0;
	q->result->volume_tests += node->children;
	for ( bvfile_group group = bvfile_group_first( node );; group = bvfile_group_next( node, &group ) )
	{
		uint32_t within;
		near |= look_at_group( q, node, &group, &within ) << group.first;
		*inside |= within << group.first;
		if ( group.first + group.count == node->children )
		{
			return near;
		}
	}
}

// The triangles of a node are one range that ends with those of its last inner child, unless all are leaves.
static uint32_t count_of_node( const bvfile_view* view, uint32_t place )
{
	const bvfile_packed_node* node = bvfile_node_at( view, place );
	uint32_t first = node->first_triangle;
	for ( ;; )
	{
		bvtree_children children = bvtree_children_begin( node );
		const bvfile_packed_node* last = NULL;
		while ( children.lane < node->children )
		{
			bvtree_child child = bvtree_children_next( &children );
			last = child >> 32 == 0 ? bvfile_node_at( view, (uint32_t)child ) : last;
		}
		if ( !last )
		{
			return children.first_triangle - first;
		}
		node = last;
	}
}

// Nodes, and leaves whose triangles are known, that wait for their turn, the next one last.
typedef struct overlap_waiting
{
	bvtree_child child[bvtree_descent_stack];
	uint32_t known
		[bvtree_descent_stack]; // of a node whether it is within the solid; of a leaf the triangles to report
	uint32_t count;
} overlap_waiting;

// Of leaves with more triangles than these it is only known whether they are within the solid.
enum
{
	most_hits = bvfile_kind_linked - 1,
};

static uint32_t low_bits( uint32_t count )
{
	return ( 1u << count ) - 1;
}

static void push( overlap_waiting* w, bvtree_child child, uint32_t known )
{
	w->child[w->count] = child;
	w->known[w->count++] = known;
}

// Without a callback only the number of triangles counts, in any order.
// @return false to end the query
static bool count_children( overlap_query* q, uint32_t place, overlap_waiting* w )
{
	const bvfile_packed_node* node = bvfile_node_at( q->view, place );
	bvtree_child_sums sums = bvtree_child_sums_of( node );
	uint32_t inside;
	bool found = false;
	for ( uint32_t near = look_at_volumes( q, node, &inside ); near > 0; near &= near - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( near );
		bvtree_child child = bvtree_child_at( &sums, i );
		uint32_t triangles = (uint32_t)( child >> 32 );
		if ( inside >> i & 1 )
		{
			q->result->triangles += triangles > 0 ? triangles : count_of_node( q->view, (uint32_t)child );
			found = true;
		}
		else if ( triangles > 0 )
		{
			found |= add_triangles( q, i, (uint32_t)child, triangles );
		}
		else
		{
			push( w, child, 0 );
		}
		if ( found && q->options.first )
		{
			return false;
		}
	}
	return !( q->options.first && flush( q ) );
}

// Puts what is to be reported, and what is to be descended to, on the stack, the last child first.
static void order_children( overlap_query* q, uint32_t place, bool is_inside, overlap_waiting* w )
{
	const bvfile_packed_node* node = bvfile_node_at( q->view, place );
	bvtree_child_sums sums = bvtree_child_sums_of( node );
	uint32_t inside = UINT32_MAX;
	uint32_t near = is_inside ? ( 1u << node->children ) - 1 : look_at_volumes( q, node, &inside );
	bvtree_child child[BVFILE_LANES];
	for ( uint32_t left = near; left > 0; left &= left - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( left );
		child[i] = bvtree_child_at( &sums, i );
		uint32_t triangles = (uint32_t)( child[i] >> 32 );
		q->hits[i] = inside >> i & 1 ? UINT32_MAX : 0;
		if ( triangles > 0 && triangles <= most_hits && q->hits[i] == 0 )
		{
			add_triangles( q, i, (uint32_t)child[i], triangles );
		}
	}
	flush( q );
	for ( uint32_t i = BVFILE_LANES; i-- > 0; )
	{
		uint32_t triangles = near >> i & 1 ? (uint32_t)( child[i] >> 32 ) : 1;
		if ( near >> i & 1 && ( triangles == 0 || triangles > most_hits || q->hits[i] != 0 ) )
		{
			push( w, child[i], q->hits[i] );
		}
	}
}

// @param known  which ones intersect the solid
// @return false to end the query
static bool report_triangles( overlap_query* q, uint32_t first, uint32_t known )
{
	for ( ; known > 0; known &= known - 1 )
	{
		if ( !report( q, first + bvsimd_lowest_bit( known ) ) )
		{
			return false;
		}
	}
	return true;
}

// @param is_inside  all triangles intersect the solid; else it is not known which ones do
// @return false to end the query
static bool report_large_leaf( overlap_query* q, uint32_t first, uint32_t count, bool is_inside )
{
	for ( uint32_t end = first + count; first < end; first += BVFILE_LANES )
	{
		uint32_t next = end - first < BVFILE_LANES ? end - first : BVFILE_LANES;
		q->hits[0] = is_inside ? ( 1u << next ) - 1 : 0;
		if ( !is_inside )
		{
			add_triangles( q, 0, first, next );
			flush( q );
		}
		if ( !report_triangles( q, first, q->hits[0] ) )
		{
			return false;
		}
	}
	return true;
}

static void search_in_order( overlap_query* q, overlap_waiting* w )
{
	bool goes_on = true;
	while ( w->count > 0 && goes_on )
	{
		w->count -= 1;
		uint32_t at = (uint32_t)w->child[w->count];
		uint32_t triangles = (uint32_t)( w->child[w->count] >> 32 );
		uint32_t known = w->known[w->count];
		if ( triangles == 0 )
		{
			order_children( q, at, known != 0, w );
		}
		else
		{
			goes_on = triangles > most_hits ? report_large_leaf( q, at, triangles, known != 0 )
			                                : report_triangles( q, at, low_bits( triangles ) & known );
		}
	}
}

static void search_any_order( overlap_query* q, overlap_waiting* w )
{
	bool goes_on = true;
	while ( w->count > 0 && goes_on )
	{
		w->count -= 1;
		goes_on = count_children( q, (uint32_t)w->child[w->count], w );
	}
	flush( q );
	q->result->triangles = q->options.first && q->result->triangles > 1 ? 1 : q->result->triangles;
}

static void search( overlap_query* q )
{
	overlap_waiting w;
	uint32_t triangles = q->view->hierarchy->root_triangles;
	w.count = 0;
	if ( triangles == 0 )
	{
		push( &w, 0, 0 );
	}
	if ( q->options.callback )
	{
		report_large_leaf( q, 0, triangles, false );
		search_in_order( q, &w );
	}
	else
	{
		add_triangles( q, 0, 0, triangles );
		search_any_order( q, &w );
	}
}

static void prepare_lanes( overlap_query* q, double skew )
{
	const bvvol_rounded* box = &q->box;
	const bvfile_node_grid* grid = &q->view->hierarchy->grid;
	bool is_ball = q->meets == meets_ball;
	q->fits_lanes = bvmath_skew_fits_lanes( q->placed.skew + skew );
	q->offset = bv_sub( box->center, ( bv_vec3 ){ grid->origin[0], grid->origin[1], grid->origin[2] } );
	q->slack =
		( box->slack + BVMATH_LANE_ROUNDING * bvvol_rounded_extent( box ) + ( is_ball ? 0 : box->radius ) ) +
		BVMATH_OVERLAP_ROUNDING * bvmath_norm1( q->offset );
	q->ball.radius = bvtree_lane_radius( box->radius );
	for ( int i = 0; i < 3; ++i )
	{
		q->turned.half[i] = (float)box->half_extents[i];
		bvtree_lane_axis( box->axis[i], q->turned.axis[i] );
	}
}

// Triangles are compared in the file's own coordinates, unless lengths there differ by more than the scale.
// @param around  the box round the solid, in the coordinates of the query
static void prepare_block( overlap_query* q, const bvvol_rounded* around )
{
	bool is_rigid = bvmath_skew_is_rigid( q->placed.skew );
	const bvvol_rounded* box = is_rigid ? &q->box : around;
	double away = bvmath_norm1( around->center ) + bvmath_norm1( q->placed.translation );
	bvtree_block_begin( q->view, box->center, is_rigid ? NULL : &q->placed, bvvol_rounded_extent( box ),
	                    is_rigid ? away / q->placed.scale : away, &q->block );
	double scale = q->block.scale;
	q->radius = scale * box->radius;
	for ( int i = 0; i < 3; ++i )
	{
		q->target.half[i] = (float)( scale * ( box->half_extents[i] + box->radius ) );
		bvtree_lane_axis( box->axis[i], q->target.axis[i] );
	}
}

// @param box   round the solid, in the coordinates of the query
// @param skew  how far its axes are from orthonormal
static bv_status find( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                       const bv_overlap_options* options, const bvvol_rounded* box, double skew,
                       const overlap_solid* with, triangle_test* meets, bv_overlap_result* result )
{
	bvfile_view view;
	bv_transform storage;
	placement = bvtree_place( NULL, file, placement, &storage );
	if ( !bvtree_is_placement( placement ) || !bvtree_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_overlap_result ){ 0 };
	overlap_query q;
	q.lanes = lanes;
	q.view = &view;
	q.with = with;
	q.meets = meets;
	q.options = options ? *options : bv_overlap_options_default();
	q.result = result;
	bvvol_similarity_begin( placement, &q.placed );
	q.box = *box;
	if ( !q.placed.is_identity )
	{
		bvvol_similarity back = bvvol_similarity_reverse( &q.placed );
		bvvol_similarity_move( &back, box, &q.box );
	}
	prepare_lanes( &q, skew );
	prepare_block( &q, box );
	search( &q );
	return bv_ok;
}

bv_overlap_options bv_overlap_options_default( void )
{
	return ( bv_overlap_options ){ .first = false };
}

bv_status bv_mesh_overlap_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                  const bv_overlap_options* options, bv_overlap_result* result )
{
	bvconvex_prepared prepared;
	if ( !file || !result || !bvconvex_shape_prepare( shape, &prepared ) )
	{
		return bv_error_argument;
	}
	bvvol_rounded box = bvconvex_shape_oriented_box( &prepared );
	overlap_solid s = { .shape = &prepared };
	return find( bvtree_lanes_best(), file, placement, options, &box, 0, &s, meets_shape, result );
}

bv_status bv_mesh_overlap_sphere( const bv_file* file, const bv_transform* placement, const bv_sphere* ball,
                                  const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !file || !result || !ball )
	{
		return bv_error_argument;
	}
	bv_convex shape = bv_convex_points( &ball->center, 1, ball->radius );
	bvconvex_prepared prepared;
	if ( !bvconvex_shape_prepare( &shape, &prepared ) )
	{
		return bv_error_argument;
	}
	bvvol_rounded box = bvconvex_shape_box( &prepared );
	overlap_solid s = { .ball = *ball };
	return find( bvtree_lanes_best(), file, placement, options, &box, 0, &s, meets_ball, result );
}

// The frame is right to 1e-4, as that of a pose; a little more of the box round it makes up for that.
bv_status bv_mesh_overlap_obb( const bv_file* file, const bv_transform* placement, const bv_obb* box,
                               const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !file || !result || !box )
	{
		return bv_error_argument;
	}
	bv_pose frame = { .translation = box->center };
	bool good = true;
	for ( int i = 0; i < 3; ++i )
	{
		frame.rotation[i][0] = box->axis[i].x;
		frame.rotation[i][1] = box->axis[i].y;
		frame.rotation[i][2] = box->axis[i].z;
		good = good && bvmath_is_length( box->half_extents[i] );
	}
	if ( !good || !bvmath_is_in_range( box->center ) || !bv_pose_is_rigid( &frame ) )
	{
		return bv_error_argument;
	}
	bv_volume volume = { .type = bv_volume_obb, .obb = *box };
	bvvol_rounded round = bvvol_volume_rounded( &volume );
	double skew = bvvol_pose_skew( &frame );
	round.slack += bvmath_skew_of_extent( skew, bvvol_rounded_extent( &round ) );
	overlap_solid s = { .box = *box };
	return find( bvtree_lanes_best(), file, placement, options, &round, skew, &s, meets_box, result );
}

bv_status bv_mesh_overlap_aabb( const bv_file* file, const bv_transform* placement, const bv_aabb* box,
                                const bv_overlap_options* options, bv_overlap_result* result )
{
	if ( !box ||
	     !( box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z ) )
	{
		return bv_error_argument;
	}
	bv_obb turned = bvvol_aabb_turned( box );
	return bv_mesh_overlap_obb( file, placement, &turned, options, result );
}
