// Frames along principal axes: of the points, of the hull's corners, of the hull's surface, whose moments are
// integrated in closed form (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", 1996, section 4). Axes of
// points depend on how densely a surface is sampled, those of a hull's surface do not.
//
// One principal axis is often better than three: with a side of the box normal to it, the other four are
// those of the smallest rectangle round what is seen along it (G. Barequet, B. Chazelle, L. J. Guibas, J. S.
// B. Mitchell, A. Tal, "BOXTREE: A hierarchical representation for surfaces in 3D", 1996).

#include "offline/base/arena.h"
#include "offline/fit/obb.h"
#include "offline/fit/rectangle.h"
#include "offline/fit/surface.h"
#include "runtime/math/eigen.h"

#include <string.h>

// In the table of obb_methods.c.
bvfit_obb_method_function bvfit_obb_pca_points;
bvfit_obb_method_function bvfit_obb_pca_vertices;
bvfit_obb_method_function bvfit_obb_pca_min;
bvfit_obb_method_function bvfit_obb_pca_max;

static uint32_t hull_triangle_count( const bvb_hull* hull )
{
	return hull->kind == bv_hull_polyhedron ? hull->face_count
	       : hull->kind == bv_hull_polygon  ? hull->vertex_count - 2
	                                        : 0;
}

static bvfit_face hull_face( const bv_vec3* points, const bvb_hull* hull, uint32_t index )
{
	uint32_t fan[3] = { 0, index + 1, index + 2 };
	const uint32_t* c = hull->kind == bv_hull_polyhedron ? hull->faces[index].corner : fan;
	bv_vec3 corner[3];
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = points[hull->vertices[c[i]]];
	}
	return bvfit_face_of( corner );
}

static void surface_axes( const bv_vec3* points, const bvb_hull* hull, bv_vec3 axis[3] )
{
	uint32_t count = hull_triangle_count( hull );
	if ( count == 0 )
	{
		// A segment or a point: a triangle without width.
		bv_vec3 first = points[hull->vertices[0]];
		bv_vec3 last = points[hull->vertices[hull->vertex_count - 1]];
		bvfit_triangle_axes( ( bv_vec3[3] ){ first, last, last }, axis );
		return;
	}
	bvfit_surface s = bvfit_surface_begin( points[hull->vertices[0]] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_face face = hull_face( points, hull, i );
		bvfit_surface_add_mean( &s, &face );
	}
	bvfit_surface_end_mean( &s );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_face face = hull_face( points, hull, i );
		bvfit_surface_add_moments( &s, &face );
	}
	bvfit_surface_axes( &s, axis );
}

static bv_vec3 point_at( const bv_vec3* points, const uint32_t* index, uint32_t i )
{
	return points[index ? index[i] : i];
}

void bvfit_point_axes( const bv_vec3* points, const uint32_t* index, uint32_t count, bv_vec3 axis[3] )
{
	// Relative to one of them, so that a small set far from the origin keeps its digits.
	bv_vec3 origin = point_at( points, index, 0 );
	bv_vec3 mean = { 0, 0, 0 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		mean = bv_add( mean, bv_sub( point_at( points, index, i ), origin ) );
	}
	mean = bv_scale( 1.0 / count, mean );

	double m[3][3] = { { 0 } };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_sub( bv_sub( point_at( points, index, i ), origin ), mean );
		m[0][0] += p.x * p.x;
		m[0][1] += p.x * p.y;
		m[0][2] += p.x * p.z;
		m[1][1] += p.y * p.y;
		m[1][2] += p.y * p.z;
		m[2][2] += p.z * p.z;
	}
	m[1][0] = m[0][1];
	m[2][0] = m[0][2];
	m[2][1] = m[1][2];
	bvmath_eigen_symmetric( m, axis );
}

bv_status bvfit_obb_pca_points( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	bvfit_point_axes( problem->points, NULL, problem->count, axis );
	return bv_ok;
}

bv_status bvfit_obb_pca_vertices( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	bvfit_point_axes( problem->points, problem->hull->vertices, problem->hull->vertex_count, axis );
	return bv_ok;
}

bv_status bvfit_obb_pca_hull( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	surface_axes( problem->points, problem->hull, axis );
	return bv_ok;
}

// The best of the boxes with a side normal to one of the principal axes first ... last.
static bv_status best_turn( const bvfit_box_problem* problem, int first, int last, bv_vec3 axis[3] )
{
	const bvb_hull* hull = problem->hull;
	uint32_t count = hull->vertex_count;
	bv_vec3* corners = bvb_arena_allocate( problem->scratch, count, sizeof *corners );
	bvbase_vec2* work = bvb_arena_allocate( problem->scratch, 2 * (size_t)count + 1, sizeof *work );
	if ( !corners || !work )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		corners[i] = problem->points[hull->vertices[i]];
	}

	bv_vec3 principal[3];
	surface_axes( problem->points, hull, principal );
	bvfit_box_cost least = { 0, 0, 0 };
	for ( int i = first; i <= last; ++i )
	{
		bv_vec3 turned[3] = { [2] = principal[i] };
		bvfit_box_cost cost = bvfit_rectangle_turn( corners, count, work, problem->objective, turned );
		if ( i == first || bvfit_box_cost_less( cost, least ) )
		{
			least = cost;
			memcpy( axis, turned, sizeof turned );
		}
	}
	return bv_ok;
}

bv_status bvfit_obb_pca_min( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	return best_turn( problem, 2, 2, axis );
}

bv_status bvfit_obb_pca_max( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	return best_turn( problem, 0, 0, axis );
}

bv_status bvfit_obb_pca_all( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	return best_turn( problem, 0, 2, axis );
}
