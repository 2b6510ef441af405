// The distance of a convex shape from a mesh, by branch and bound with the nearest volumes first. Volumes are
// compared with the box around the shape, triangles with the shape by GJK (hull_gap.h).

#include "bv/mesh.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/convex/shape.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/volume/bound.h"

typedef struct convex_distance_query
{
	const bvfile_view* view;
	const bvconvex_prepared* shape;
	bvvol_similarity placed;
	bvvol_rounded box; // around the shape, in the file's own coordinates
	double unit;       // of a length there, or less
	bv_vec3 corner[3];
	bvconvex_hull_gap gap;
	bv_mesh_convex_result* result;
} convex_distance_query;

// The interval of the distance has what the points of the shape and the triangle may be off by, and the
// radius.
static void measure( convex_distance_query* q, uint32_t triangle )
{
	bv_vec3 corner[3];
	bv_vec3 placed[3];
	bvconvex_hull_gap gap;
	bv_mesh_convex_result* r = q->result;
	bvtree_walk_corners( q->view, triangle, corner );
	double uncertainty = 2 * bvconvex_place_triangle( &q->placed, corner, placed );
	bvconvex_hull_triangle_gap( &q->shape->hull, placed, 0, 0, &gap );
	double radius = q->shape->radius;
	double size = radius;
	for ( int k = 0; k < 3; ++k )
	{
		size += bvmath_norm1( bv_sub( placed[k], gap.point[0] ) ) +
		        bvmath_norm1( bv_sub( placed[k], placed[0] ) );
	}
	double lower = gap.lower - radius * ( 1 + 0x1p-50 ) - uncertainty;
	double upper = gap.upper - radius * ( 1 - 0x1p-50 ) + uncertainty + 0x1p-46 * size;
	upper = !( gap.upper - radius > 0 ) || upper < 0 ? 0 : upper;
	r->triangle_tests += 1;
	r->lower = bvmath_min( r->lower, bvmath_max( 0, lower ) );
	if ( upper < r->upper || ( r->found && upper == r->upper && triangle < r->at.triangle ) )
	{
		r->found = true;
		r->upper = upper;
		r->at.triangle = triangle;
		q->gap = gap;
		memcpy( q->corner, corner, sizeof corner );
	}
}

static bvtree_waiting* open( convex_distance_query* q, uint32_t place, bvtree_waiting* top )
{
	const bvfile_packed_node* node = bvfile_node_at( q->view, place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &q->view->hierarchy->grid );
	bvtree_children children = bvtree_children_begin( node );
	bvtree_waiting* bottom = top;
	q->result->volume_tests += node->children;
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bvvol_bound bound;
			bvfile_lane_unpack( &group, i, &frame, &volume );
			bvvol_bound_of( &volume, &bound );
			double gap =
				q->unit * bvvol_bound_gap( &bound, &q->box, 2 * q->placed.skew, q->result->upper / q->unit );
			bvtree_child child = bvtree_children_next( &children );
			if ( !( gap > q->result->upper ) )
			{
				top = bvtree_push_child( child, gap, bottom, top );
			}
		}
	}
	return top;
}

static void search( convex_distance_query* q )
{
	bvtree_waiting stack[bvtree_descent_stack];
	bvtree_waiting* top = stack;
	*top++ = ( bvtree_waiting ){ 0, bvtree_child_make( 0, q->view->hierarchy->root_triangles ) };
	while ( top > stack )
	{
		const bvtree_waiting next = *--top;
		uint32_t triangles = (uint32_t)( next.child >> 32 );
		if ( next.order > q->result->upper )
		{
			continue;
		}
		for ( uint32_t i = 0; i < triangles; ++i )
		{
			measure( q, (uint32_t)next.child + i );
		}
		top = triangles > 0 ? top : open( q, (uint32_t)next.child, top );
	}
}

// @return the unit vector along it; the zero vector of that
static bv_vec3 unit_of( bv_vec3 v )
{
	double length = sqrt( bv_dot( v, v ) );
	return length > 0 ? bv_scale( 1 / length, v ) : v;
}

static void describe( convex_distance_query* q )
{
	bv_mesh_convex_result* r = q->result;
	bv_vec3 normal = bv_negate( q->gap.along );
	if ( !( bvmath_norm1( normal ) > 0 ) )
	{
		normal = unit_of( bvmath_times( &q->placed.turn, bvtree_normal_of( q->corner ) ) );
	}
	r->at = bvtree_surface_point_of( &q->placed, q->view->offset, r->at.triangle, q->corner, q->gap.weight );
	r->normal = normal;
	r->point = r->upper > 0 ? bv_sub( q->gap.point[0], bv_scale( q->shape->radius, normal ) ) : r->at.point;
}

bv_mesh_convex_options bv_mesh_convex_options_default( void )
{
	return ( bv_mesh_convex_options ){ .limit = 0 };
}

bv_status bv_mesh_distance_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                   const bv_mesh_convex_options* options, bv_mesh_convex_result* result )
{
	bv_mesh_convex_options asked = options ? *options : bv_mesh_convex_options_default();
	bvfile_view view;
	bv_transform storage;
	placement = bvtree_place( NULL, file, placement, &storage );
	bvconvex_prepared prepared;
	if ( !file || !result || !bvtree_is_placement( placement ) || !( asked.limit >= 0 ) ||
	     !bvconvex_shape_prepare( shape, &prepared ) || !bvtree_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	double limit = asked.limit > 0 ? asked.limit : INFINITY;
	*result = ( bv_mesh_convex_result ){ .lower = limit, .upper = limit };
	convex_distance_query q = { .view = &view, .shape = &prepared, .result = result };
	bvvol_similarity_begin( placement, &q.placed );
	bvvol_similarity back = bvvol_similarity_reverse( &q.placed );
	bvvol_rounded box = bvconvex_shape_oriented_box( &prepared );
	bvvol_similarity_move( &back, &box, &q.box );
	q.unit = q.placed.scale * ( 1 - 4 * q.placed.skew ) * ( 1 - 0x1p-50 );
	search( &q );
	if ( result->found )
	{
		describe( &q );
	}
	else
	{
		result->upper = INFINITY;
	}
	return bv_ok;
}
