// Is a point in the solid that a mesh bounds? The sign of the distance, from the feature of the mesh that is
// nearest: for faces and edges as J. A. Baerentzen, H. Aanaes, "Signed distance computation using the angle
// weighted pseudonormal", 2005. At corners no angles are needed, nor anywhere that the point found is exactly
// the nearest one.
//
// Cones. Let v be a corner of the mesh, and let no other triangles than those of its fan come near to it. If
// nothing of the mesh is between p and the vicinity of v, then p is on the side of the mesh on which it is of
// the fan extended to infinity: a cone with apex v, whose sides do not change along half lines from v. The
// same holds for an edge and the wedge of its two triangles, and for a face and its plane. Whether p is on
// the inner side of a cone is a question of the sphere of directions, on which the fan is a closed polygon of
// arcs, or several if there are more fans. The shortest path from the direction of p to the polygon crosses
// it nowhere, so it arrives from the side on which p is:
//   - inside of an arc: the side is that of the plane of its triangle;
//   - at a corner of the polygon, which is an edge of the mesh: the path arrives between the two triangles of the
//     edge. The shorter way around the edge to one of them crosses nothing either, so the side is that of the plane of
//     the triangle that is closer, in angle, to p. Edges of more than two triangles are left undecided.
// All of this compares cosines, and the decision is the sign of one scalar product. Whatever comes close
// enough to being the nearest, within rounding errors, must agree with it.
//
// Near. Let e bound by how much the distance that was found may be too large, by how much the point that was
// found is off the mesh, and by how much p is off through the placement. The ball about p with that distance
// less 2 e is free. So the segment from p to a point within 64 e, 8 e or 0 of what was found is free except
// for its last 67 e, 11 e or 3 e. The triangles are known that come as near to that as 256 e, 32 e and 4 e. A
// point that is not farther than 4 e from the mesh is on it as far as this is concerned.

#include "bv/mesh.h"

#include "runtime/math/rounding.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/batch.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/nearest.h"
#include "runtime/volume/bound.h"

// A triangle, from one of its corners on.
typedef struct wing
{
	uint32_t vertex[3];
	bv_vec3 corner[3];
} wing;

// What was found next to the mesh, and what may be near it, in the file's own coordinates.
typedef struct contains_query
{
	const bvfile_view* view;
	bv_vec3 point;
	bv_vec3 near;   // on the mesh
	double error;   // e above
	double radius;  // of the ball about `near` that all relevant triangles come into
	uint32_t pivot; // the vertex that those triangles share
	bv_vec3 apex;   // its position
	bv_vec3 from;   // the way from there to the point
	bv_contains_result* result;
} contains_query;

// The triangles that come into the ball of a query, and maybe some that come close to it. What is nested
// takes two walks, not recursion.
typedef struct contains_walk
{
	bvtree_child stack[bvtree_descent_stack];
	bvtree_child* top;
	uint32_t next; // triangle of a leaf
	uint32_t end;  // of it
} contains_walk;

static bvtree_child* open( contains_query* q, uint32_t place, bvtree_child* top )
{
	const bvfile_packed_node* node = bvfile_node_at( q->view, place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &q->view->hierarchy->grid );
	bvtree_children children = bvtree_children_begin( node );
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
			bvtree_child child = bvtree_children_next( &children );
			if ( !( bvvol_bound_gap_of_point( &bound, q->near ) > q->radius ) )
			{
				*top++ = child;
			}
		}
	}
	return top;
}

static bool is_near( const contains_query* q, const bv_vec3 corner[3] )
{
	bvtri_nearest nearest;
	bvtri_nearest_on_triangle( q->near, corner, &nearest );
	return !( sqrt( nearest.square ) > q->radius + q->error );
}

static void get_wing( const contains_query* q, uint32_t triangle, wing* w )
{
	bvfile_triangle( q->view, triangle, w->vertex );
	for ( int k = 0; k < 3; ++k )
	{
		w->corner[k] = bvfile_position( q->view, w->vertex[k] );
	}
}

static void begin_walk( const contains_query* q, contains_walk* w )
{
	w->stack[0] = bvtree_child_make( 0, q->view->hierarchy->root_triangles );
	w->top = w->stack + 1;
	w->next = 0;
	w->end = 0;
}

// @return false at the end
static bool take_next( contains_query* q, contains_walk* w, wing* out )
{
	while ( w->next < w->end || w->top > w->stack )
	{
		if ( w->next < w->end )
		{
			get_wing( q, w->next++, out );
			q->result->triangle_tests += 1;
			if ( is_near( q, out->corner ) )
			{
				return true;
			}
			continue;
		}
		const bvtree_child child = *--w->top;
		uint32_t triangles = (uint32_t)( child >> 32 );
		w->next = triangles > 0 ? (uint32_t)child : 0;
		w->end = triangles > 0 ? (uint32_t)child + triangles : 0;
		w->top = triangles > 0 ? w->top : open( q, (uint32_t)child, w->top );
	}
	return false;
}

// A bound of the absolute values of all coordinates, in sum.
static double magnitude_of( const bvfile_view* view )
{
	double most = 0;
	bv_vec3 corner[3];
	for ( uint32_t i = 0; i < view->hierarchy->root_triangles; ++i )
	{
		bvtree_walk_corners( view, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			most = bvmath_max( most, bvmath_norm1( corner[k] ) );
		}
	}
	if ( view->hierarchy->root_triangles > 0 )
	{
		return most;
	}
	const bvfile_packed_node* root = bvfile_node_at( view, 0 );
	bvfile_node_frame frame = bvfile_node_frame_of( root, &view->hierarchy->grid );
	for ( bvfile_group group = bvfile_group_first( root ); group.count > 0;
	      group = bvfile_group_next( root, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bvvol_bound bound;
			bvfile_lane_unpack( &group, i, &frame, &volume );
			bvvol_bound_of( &volume, &bound );
			double extent = 2 * bvvol_rounded_extent( &bound.box ) + bound.box.slack;
			most = bvmath_max( most, bvmath_norm1( bound.box.center ) + extent );
		}
	}
	return most;
}

static int place_in( const wing* w, uint32_t vertex )
{
	return w->vertex[0] == vertex ? 0 : w->vertex[1] == vertex ? 1 : w->vertex[2] == vertex ? 2 : -1;
}

// @return the same triangle, beginning with a corner
static wing begun_at( const wing* w, int k )
{
	wing out;
	for ( int i = 0; i < 3; ++i )
	{
		out.vertex[i] = w->vertex[( k + i ) % 3];
		out.corner[i] = w->corner[( k + i ) % 3];
	}
	return out;
}

// A value and by how much it may be off.
typedef struct estimate
{
	double value;
	double error;
} estimate;

// What all that may be nearest says.
typedef struct contains_verdict
{
	bv_side side;
	bool is_uncertain;
} contains_verdict;

// @param height  above a triangle's plane
static void vote( contains_verdict* v, estimate height )
{
	bv_side side = height.value > height.error    ? bv_side_outside
	               : height.value < -height.error ? bv_side_inside
	                                              : bv_side_unknown;
	v->is_uncertain |= side == bv_side_unknown || ( v->side != bv_side_unknown && v->side != side );
	v->side = side;
}

// The normal of a triangle errs by less than 2^-51 of the sides' lengths in the sum norm, and by twice as
// much of its own length once that is 1. All else together errs by less than 2^-50. A square must not
// underflow.
static bool normal_at( const wing* w, bv_vec3* normal, double* error )
{
	bv_vec3 a = bv_sub( w->corner[1], w->corner[0] );
	bv_vec3 b = bv_sub( w->corner[2], w->corner[0] );
	bv_vec3 n = bv_cross( a, b );
	double square = bv_dot( n, n );
	if ( !( square > 0x1p-900 && square < 0x1p1000 ) )
	{
		return false;
	}
	*normal = bv_scale( 1 / sqrt( square ), n );
	*error = 0x1p-48 * ( 1 + bvmath_norm1( a ) * bvmath_norm1( b ) / sqrt( square ) );
	return true;
}

// What a triangle is for the point, seen from the edge that leaves its first corner.
typedef struct leaf_of_edge
{
	estimate toward; // how far the point is from the edge, into the triangle's direction
	estimate height;
} leaf_of_edge;

// @param from  to the point, from either end of the edge
static bool leaf_of( const wing* w, bv_vec3 from, leaf_of_edge* out )
{
	bv_vec3 normal;
	double error;
	if ( !normal_at( w, &normal, &error ) )
	{
		return false;
	}
	bv_vec3 along = bv_normalize( bv_sub( w->corner[1], w->corner[0] ) );
	error *= bvmath_norm1( from );
	out->toward = ( estimate ){ bv_dot( bv_cross( normal, along ), from ), 2 * error };
	out->height = ( estimate ){ bv_dot( normal, from ), error };
	return true;
}

static void vote_of_leaves( contains_verdict* v, const leaf_of_edge leaf[2] )
{
	double least = bvmath_max( leaf[0].toward.value - leaf[0].toward.error,
	                           leaf[1].toward.value - leaf[1].toward.error );
	for ( int k = 0; k < 2; ++k )
	{
		if ( !( leaf[k].toward.value + leaf[k].toward.error < least ) )
		{
			vote( v, leaf[k].height );
		}
	}
}

// Finds the triangle that runs along an edge in a direction.
// @param out  begins with that edge
// @return whether there is exactly one
static bool find_twin( contains_query* q, uint32_t from, uint32_t to, wing* out )
{
	contains_walk all;
	wing w;
	uint32_t count = 0;
	begin_walk( q, &all );
	while ( take_next( q, &all, &w ) )
	{
		int k = place_in( &w, from );
		if ( k >= 0 && w.vertex[( k + 1 ) % 3] == to )
		{
			*out = begun_at( &w, k );
			count += 1;
		}
	}
	return count == 1;
}

// @param w     begins with the pivot, and then the other end of the edge
static void vote_of_edge( contains_query* q, contains_verdict* v, const wing* w )
{
	wing other;
	leaf_of_edge leaf[2];
	if ( !find_twin( q, w->vertex[1], w->vertex[0], &other ) || !leaf_of( w, q->from, leaf ) ||
	     !leaf_of( &other, q->from, leaf + 1 ) )
	{
		v->is_uncertain = true;
		return;
	}
	vote_of_leaves( v, leaf );
}

// The fan of the pivot, and which of its edges and triangles may be the nearest to the point in angle.
typedef struct fan
{
	double least; // the cosine of the nearest one, times the distance, is not less
	contains_verdict verdict;
} fan;

static estimate cosine_of_edge( const contains_query* q, bv_vec3 end )
{
	bv_vec3 along = bv_normalize( bv_sub( end, q->apex ) );
	return ( estimate ){ bv_dot( along, q->from ), 0x1p-48 * bvmath_norm1( q->from ) };
}

// @return false if an edge is nearer than any point inside of the triangle's angle
static bool cosine_of_inside( const contains_query* q, const wing* w, estimate* cosine, estimate* height )
{
	bv_vec3 normal;
	double error;
	if ( !normal_at( w, &normal, &error ) )
	{
		*cosine = ( estimate ){ NAN, NAN };
		*height = ( estimate ){ 0, 0 };
		return true;
	}
	error *= 2 * bvmath_norm1( q->from );
	bv_vec3 a = bv_normalize( bv_sub( w->corner[1], q->apex ) );
	bv_vec3 b = bv_normalize( bv_sub( w->corner[2], q->apex ) );
	double above = bv_dot( normal, q->from );
	*height = ( estimate ){ above, error };
	*cosine = ( estimate ){ bv_length( bv_sub( q->from, bv_scale( above, normal ) ) ), 2 * error };
	return bvmath_max( bv_dot( a, q->from ), bv_dot( b, q->from ) ) > -error &&
	       bv_dot( bv_cross( normal, a ), q->from ) > -error &&
	       bv_dot( bv_cross( b, normal ), q->from ) > -error;
}

static void bound_cosines( contains_query* q, fan* f )
{
	contains_walk all;
	wing given;
	begin_walk( q, &all );
	while ( take_next( q, &all, &given ) )
	{
		wing w = begun_at( &given, place_in( &given, q->pivot ) );
		estimate edge = cosine_of_edge( q, w.corner[1] );
		estimate inside;
		estimate height;
		f->least = bvmath_max( f->least, edge.value - edge.error );
		if ( cosine_of_inside( q, &w, &inside, &height ) )
		{
			f->verdict.is_uncertain |= !( inside.error >= 0 );
			f->least = bvmath_max( f->least, inside.value - inside.error );
		}
	}
}

static void vote_of_nearest( contains_query* q, fan* f )
{
	contains_walk all;
	wing given;
	begin_walk( q, &all );
	while ( !f->verdict.is_uncertain && take_next( q, &all, &given ) )
	{
		wing w = begun_at( &given, place_in( &given, q->pivot ) );
		estimate edge = cosine_of_edge( q, w.corner[1] );
		estimate inside;
		estimate height;
		if ( !( edge.value + edge.error < f->least ) )
		{
			vote_of_edge( q, &f->verdict, &w );
		}
		if ( cosine_of_inside( q, &w, &inside, &height ) && !( inside.value + inside.error < f->least ) )
		{
			vote( &f->verdict, height );
		}
	}
}

// The triangles in the ball.
typedef struct gathering
{
	bool shared[3]; // which corners of the triangle that was found all have
	uint32_t count; // of triangles
} gathering;

static gathering gather_within( contains_query* q, const wing* found, double radius )
{
	gathering g = { .shared = { true, true, true } };
	contains_walk all;
	wing w;
	q->radius = radius;
	begin_walk( q, &all );
	while ( take_next( q, &all, &w ) )
	{
		for ( int k = 0; k < 3; ++k )
		{
			g.shared[k] &= place_in( &w, found->vertex[k] ) >= 0;
		}
		g.count += 1;
	}
	return g;
}

static void begin_at( contains_query* q, const wing* w, int k )
{
	q->pivot = w->vertex[k];
	q->apex = w->corner[k];
	q->from = bv_sub( q->point, q->apex );
}

static bv_side side_of( contains_verdict v )
{
	return v.is_uncertain ? bv_side_unknown : v.side;
}

// Not inlined: its walk would take stack while the closest point is searched.
BVSIMD_NOINLINE bv_side side_of_corner( contains_query* q, const wing* w, int k )
{
	gathering g = gather_within( q, w, 256 * q->error );
	fan f = { .least = -INFINITY };
	begin_at( q, w, k );
	if ( !g.shared[k] )
	{
		return bv_side_unknown;
	}
	bound_cosines( q, &f );
	vote_of_nearest( q, &f );
	return side_of( f.verdict );
}

static bv_side side_of_edge( contains_query* q, const wing* w, int k )
{
	gathering g = gather_within( q, w, 32 * q->error );
	wing first = begun_at( w, k );
	contains_verdict v = { .side = bv_side_unknown };
	begin_at( q, w, k );
	if ( !g.shared[k] || !g.shared[( k + 1 ) % 3] )
	{
		return bv_side_unknown;
	}
	vote_of_edge( q, &v, &first );
	return side_of( v );
}

// The last 3 e of the way must not pass through the plane, from which the point that was found is off by less
// than e: so p is farther away from the plane than half of the distance.
static bv_side side_of_face( contains_query* q, const wing* w, double distance )
{
	gathering g = gather_within( q, w, 4 * q->error );
	contains_verdict v = { .side = bv_side_unknown };
	bv_vec3 normal;
	double error;
	begin_at( q, w, 0 );
	if ( g.count != 1 || !normal_at( w, &normal, &error ) )
	{
		return bv_side_unknown;
	}
	vote( &v, ( estimate ){ bv_dot( normal, q->from ), error * bvmath_norm1( q->from ) + distance / 2 } );
	return side_of( v );
}

static bv_side side_of_nearest( contains_query* q, uint32_t triangle, double distance )
{
	wing w;
	get_wing( q, triangle, &w );
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( bv_length( bv_sub( q->near, w.corner[k] ) ) > 64 * q->error ) )
		{
			return side_of_corner( q, &w, k );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		const bv_vec3 edge[3] = { w.corner[k], w.corner[( k + 1 ) % 3], w.corner[k] };
		bvtri_nearest nearest;
		bvtri_nearest_on_triangle( q->near, edge, &nearest );
		if ( !( sqrt( nearest.square ) > 8 * q->error ) )
		{
			return side_of_edge( q, &w, k );
		}
	}
	return side_of_face( q, &w, distance );
}

// Everything is decided in the file's own coordinates. Where the rotation is not rigid, another point may be
// nearest there.
static void find_side( const bvtree_batch* batch, bv_vec3 point, const bv_closest_result* closest,
                       bv_contains_result* result )
{
	const bvfile_view* view = &batch->view;
	const bvvol_similarity* placed = batch->placed;
	bv_closest_result own = *closest;
	contains_query q = { .view = view, .result = result };
	q.point = placed->is_identity ? point : bvvol_similarity_undo( placed, point );
	if ( !bvmath_skew_is_rigid( placed->skew ) )
	{
		if ( !bvmath_is_in_range( q.point ) )
		{
			return;
		}
		bvtree_batch stored = { .lanes = batch->lanes, .view = *view, .placed = &bvvol_similarity_identity };
		bvtree_find_closest_point( &stored, q.point, INFINITY, NULL, &own );
		result->volume_tests += own.volume_tests;
		result->triangle_tests += own.triangle_tests;
	}
	bv_vec3 corner[3];
	bvtree_walk_corners( view, own.at.triangle, corner );
	double moved = bvmath_norm1( point ) + bvmath_norm1( placed->translation );
	q.near = bvtree_weighted( corner, own.at.weight );
	q.error = 0x1p-47 * ( bvmath_norm1( q.point ) + magnitude_of( view ) ) +
	          ( placed->is_identity ? 0 : BVMATH_OVERLAP_ROUNDING * moved / placed->scale );
	double distance = bv_length( bv_sub( q.point, q.near ) );
	if ( own.found && distance > 4 * q.error )
	{
		result->side = side_of_nearest( &q, own.at.triangle, distance );
	}
}

bv_contains_options bv_contains_options_default( void )
{
	return ( bv_contains_options ){ 0 };
}

// @param limit  above 0; infinity for none
static void find_contains( const bvtree_batch* batch, bv_vec3 point, double limit,
                           bv_contains_result* result )
{
	bv_closest_result closest;
	bvtree_find_closest_point( batch, point, limit, NULL, &closest );
	*result = ( bv_contains_result ){
		.found = closest.found,
		.distance = closest.distance,
		.at = closest.at,
		.volume_tests = closest.volume_tests,
		.triangle_tests = closest.triangle_tests,
	};
	if ( closest.found && batch->view.mesh->closed && batch->view.mesh->oriented )
	{
		find_side( batch, point, &closest, result );
	}
}

bv_status bv_mesh_contains( const bv_file* file, const bv_transform* placement, bv_vec3 point,
                            const bv_contains_options* options, bv_contains_result* result )
{
	double limit = options ? options->limit : 0;
	bvtree_batch batch;
	bv_transform storage;
	if ( !result || !bvmath_is_in_range( point ) || !( limit >= 0 ) ||
	     !bvtree_batch_begin( bvtree_lanes_best(), file, bvtree_place( NULL, file, placement, &storage ),
	                          &batch ) )
	{
		return bv_error_argument;
	}
	find_contains( &batch, point, bvmath_limit_of( limit ), result );
	return bv_ok;
}

bv_status bv_mesh_contains_points( const bv_file* file, const bv_transform* placement,
                                   const bv_points* points, const bv_contains_options* options,
                                   bv_contains_result* results, size_t* invalid )
{
	double limit = options ? options->limit : 0;
	bvtree_batch batch;
	bv_transform storage;
	size_t ignored;
	invalid = invalid ? invalid : &ignored;
	*invalid = SIZE_MAX;
	if ( !points || ( points->count > 0 && !results ) || !( limit >= 0 ) ||
	     !bvtree_batch_begin( bvtree_lanes_best(), file, bvtree_place( NULL, file, placement, &storage ),
	                          &batch ) ||
	     !bvtree_are_points( points, invalid ) )
	{
		return bv_error_argument;
	}
	for ( size_t i = 0; i < points->count; ++i )
	{
		find_contains( &batch, bvtree_point_at( points, i ), bvtree_limit_at( points, i, limit ),
		               results + i );
	}
	return bv_ok;
}
