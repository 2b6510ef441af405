// What stands for a contact when a search is stopped. See bv_search_indicate.
//
// If no triangles are known, the pair of nodes with the least upper bound stands for the contact, and faces stand for the triangles
// of each node: two rectangles or a box of the section NFAC, or the box of its volume (Eckstein 1998, section 8.2). All pairs of
// faces are compared as two triangles each.

#include "bv/search.h"

#include "runtime/file/local.h"
#include "runtime/math/vec.h"
#include "runtime/tree/search.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/gap.h"
#include "runtime/volume/bound.h"

#include <math.h>

enum
{
	most_faces = 6,
};

// Faces that stand for one of the meshes, in stored coordinates of a.
typedef struct stand_in
{
	bv_vec3 corner[2 * most_faces][3]; // triangles: two for each rectangle
	bv_vec3 normal[2 * most_faces];
	uint32_t count; // of triangles
} stand_in;

static void add_triangle( stand_in* out, const bvvol_similarity* placed, const bv_vec3 corner[3] )
{
	out->normal[out->count] = bvtree_placed_normal_of( placed, corner );
	for ( int i = 0; i < 3; ++i )
	{
		out->corner[out->count][i] = bvvol_similarity_apply( placed, corner[i] );
	}
	out->count += 1;
}

// The face of a box in the direction of an axis, or against it, counterclockwise from outside.
static void add_face( stand_in* out, const bvvol_similarity* placed, const bv_obb* box, int axis,
                      double sign )
{
	const double* half = box->half_extents;
	int next = ( axis + 1 ) % 3;
	int third = ( axis + 2 ) % 3;
	bv_vec3 middle = bv_add( box->center, bv_scale( sign * half[axis], box->axis[axis] ) );
	bv_vec3 u = bv_scale( half[next], box->axis[next] );
	bv_vec3 v = bv_scale( sign * half[third], box->axis[third] );
	const bv_vec3 corner[4] = { bv_sub( bv_sub( middle, u ), v ), bv_sub( bv_add( middle, u ), v ),
		                        bv_add( bv_add( middle, u ), v ), bv_add( bv_sub( middle, u ), v ) };
	add_triangle( out, placed, ( const bv_vec3[3] ){ corner[0], corner[1], corner[2] } );
	add_triangle( out, placed, ( const bv_vec3[3] ){ corner[0], corner[2], corner[3] } );
}

// Finds the box that a node's volume is in.
static void get_box( const bvfile_view* view, const bvtree_spot* spot, bv_node_faces* out )
{
	bv_volume volume;
	bvvol_bound bound;
	bvtree_spot_volume( view, spot, &volume );
	bvvol_bound_of( &volume, &bound );
	*out = ( bv_node_faces ){ .box = { .center = bound.box.center } };
	for ( int i = 0; i < 3; ++i )
	{
		out->box.axis[i] = bound.box.axis[i];
		out->box.half_extents[i] = bound.box.half_extents[i] + bound.box.radius;
	}
}

static void add_node( const bvtree_upper* u, int side, const bvvol_similarity* placed, stand_in* out )
{
	bv_node_faces faces;
	const bv_file* file = (const bv_file*)u->view[side]->header;
	const bvtree_spot spot = { .parent = u->best_parent[side], .lane = u->best_lane[side] };
	if ( !bvfile_local_node_faces( file, u->node[side], &faces ) )
	{
		get_box( u->view[side], &spot, &faces );
	}
	for ( int axis = faces.two ? 2 : 0; axis < 3; ++axis )
	{
		add_face( out, placed, &faces.box, axis, 1 );
		add_face( out, placed, &faces.box, axis, -1 );
	}
}

static void add_side( const bvtree_search_state* s, int side, stand_in* out )
{
	const bvvol_similarity* placed = side == 0 ? &bvvol_similarity_identity : s->upper->to_a;
	out->count = 0;
	if ( s->found )
	{
		bv_vec3 corner[3];
		bvtree_walk_corners( s->upper->view[side], s->triangle[side], corner );
		add_triangle( out, placed, corner );
		return;
	}
	add_node( s->upper, side, placed, out );
}

bv_status bv_search_indicate( bv_search* search, bv_search_indication* out )
{
	if ( !search || !out )
	{
		return bv_error_argument;
	}
	bvtree_search_state s = bvtree_search_state_of( search );
	stand_in a;
	stand_in b;
	bvtri_gap best = { .square = INFINITY };
	uint32_t of_a = 0;
	add_side( &s, 0, &a );
	add_side( &s, 1, &b );
	for ( uint32_t i = 0; i < a.count; ++i )
	{
		for ( uint32_t k = 0; k < b.count; ++k )
		{
			bvtri_gap gap;
			if ( bvtri_triangles_gap( a.corner[i], b.corner[k], sqrt( best.square ), &gap ) )
			{
				best = gap;
				of_a = i;
			}
		}
	}
	*out = ( bv_search_indication ){ .is_exact = s.found, .normal = a.normal[of_a] };
	if ( best.square > 0 )
	{
		out->normal = bv_normalize( bv_sub( best.point[1], best.point[0] ) );
	}
	for ( int i = 0; i < 2; ++i )
	{
		out->point[i] = bv_add( best.point[i], s.offset );
	}
	return bv_ok;
}
