// Boxes inside of both solids, beside balls.
//
// A box that no triangle meets, around a point inside, is inside of the solid. Let one box be inside of a, and one inside of b. The
// translations after which both have a point in common are a zonotope: the sum of six segments, the edges of both boxes. Its faces are
// normal to the cross products of two of these edges: three axes of each box and nine products, the fifteen axes of
// S. Gottschalk, "Separating axis theorem", TR96-024, 1996. So they say exactly how far it reaches. Of plates, beams and crates
// it is far larger than what a ball in each of them proves.
//
// A box grows from the cube in the ball around its point: each of its faces moves outwards, by the width of the box, as long as no
// triangle is met, and then by bisection.

#include "runtime/depth/query.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/tree/walk.h"

#include <string.h>

enum
{
	most_doublings = 12,
	halvings = 7,
};

// Edges that are parallel but for this have no face in common.
static const double least_sine = 1e-9;

// A box about a point, in stored coordinates of its mesh.
typedef struct growing
{
	const bvdepth_solid* solid;
	bv_vec3 point;
	bv_vec3 axis[3];
	double reach[6]; // from the point, along each axis and against it
} growing;

static bv_vec3 middle_of( const growing* g, const double reach[6], double half[3] )
{
	bv_vec3 at = g->point;
	for ( int k = 0; k < 3; ++k )
	{
		half[k] = 0.5 * ( reach[2 * k] + reach[2 * k + 1] );
		at = bv_add( at, bv_scale( 0.5 * ( reach[2 * k] - reach[2 * k + 1] ), g->axis[k] ) );
	}
	return at;
}

static bool is_free( bvdepth_query* q, const growing* g, const double reach[6] )
{
	const bv_vec3* offset = g->solid->batch.view.offset;
	const bv_overlap_options first = { .first = true };
	bv_overlap_result result;
	bv_obb box = { .axis = { g->axis[0], g->axis[1], g->axis[2] } };
	box.center = middle_of( g, reach, box.half_extents );
	box.center = offset ? bv_add( box.center, *offset ) : box.center;
	if ( bv_mesh_overlap_obb( g->solid->file, NULL, &box, &first, &result ) != bv_ok )
	{
		return false;
	}
	q->tests.volumes += result.volume_tests;
	q->tests.triangles += result.triangle_tests;
	return result.triangles == 0;
}

// @return whether the box is free with this reach, which it then has
static bool try_reach( bvdepth_query* q, growing* g, int side, double reach )
{
	double all[6];
	memcpy( all, g->reach, sizeof all );
	all[side] = reach;
	if ( bvdepth_is_over( q ) || !is_free( q, g, all ) )
	{
		return false;
	}
	g->reach[side] = reach;
	return true;
}

static void grow( bvdepth_query* q, growing* g )
{
	double blocked[6] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
	for ( int i = 0; i < most_doublings; ++i )
	{
		for ( int side = 0; side < 6; ++side )
		{
			double width = g->reach[side] + g->reach[side ^ 1];
			double next = g->reach[side] + width;
			if ( blocked[side] == INFINITY && !try_reach( q, g, side, next ) )
			{
				blocked[side] = next;
			}
		}
	}
	for ( int i = 0; i < halvings; ++i )
	{
		for ( int side = 0; side < 6; ++side )
		{
			double next = 0.5 * ( g->reach[side] + blocked[side] );
			if ( blocked[side] < INFINITY && !try_reach( q, g, side, next ) )
			{
				blocked[side] = next;
			}
		}
	}
}

// Along the normal of the nearest triangle, and along a side at the corner that is nearest to a right angle: of boxes, plates and
// beams these are the edges of the solid.
static bool set_axes( growing* g, uint32_t triangle )
{
	bv_vec3 corner[3];
	double least = INFINITY;
	bvtree_walk_corners( &g->solid->batch.view, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 u = bv_normalize( bv_sub( corner[( k + 1 ) % 3], corner[k] ) );
		bv_vec3 v = bv_normalize( bv_sub( corner[( k + 2 ) % 3], corner[k] ) );
		double cosine = fabs( bv_dot( u, v ) );
		if ( cosine < least )
		{
			least = cosine;
			g->axis[0] = u;
		}
	}
	g->axis[2] = bv_normalize( bvtree_normal_of( corner ) );
	g->axis[1] = bv_cross( g->axis[2], g->axis[0] );
	return least < INFINITY && fabs( bv_dot( g->axis[1], g->axis[1] ) - 1 ) < 1e-9;
}

static bool begin_box( bvdepth_query* q, int which, bv_vec3 point, growing* g )
{
	bvdepth_look look;
	g->solid = q->solid + which;
	g->point = point;
	bvdepth_measure( g->solid, point, q->triangle[which], 0, &look, &q->tests );
	double half = 0.57 * ( look.distance - look.error );
	for ( int side = 0; side < 6; ++side )
	{
		g->reach[side] = half;
	}
	return half > 0 && set_axes( g, look.triangle ) && is_free( q, g, g->reach );
}

// Half of the edges, in coordinates of a.
// @return the middle of the box
static bv_vec3 set_edges( const bvdepth_query* q, int which, const growing* g, bv_vec3 edge[3] )
{
	double half[3];
	bv_vec3 middle = middle_of( g, g->reach, half );
	for ( int k = 0; k < 3; ++k )
	{
		edge[k] = bv_scale( half[k], g->axis[k] );
		edge[k] =
			which == 0 ? edge[k] : bv_scale( q->placed.scale, bvmath_times( &q->placed.turn, edge[k] ) );
	}
	return bvdepth_from_own( q, which, ( bv_vec3 ){ 0, 0, 0 }, middle );
}

// The sines of the angles between edges of different boxes: the largest one below `least_sine`, and the least one above it.
static void find_sines( const bv_vec3 edge[6], double* parallel, double* least )
{
	*parallel = 0;
	*least = 1;
	for ( int i = 0; i < 9; ++i )
	{
		bv_vec3 u = bv_normalize( edge[i / 3] );
		bv_vec3 v = bv_normalize( edge[3 + i % 3] );
		double sine = bvmath_length( bv_cross( u, v ) );
		if ( sine > least_sine )
		{
			*least = bvmath_min( *least, sine );
		}
		else
		{
			*parallel = bvmath_max( *parallel, sine );
		}
	}
}

// How far the sum of all edges reaches along each axis.
//
// Faces of edges that are nearly parallel are left out. If one box is turned until these edges are parallel, by at most twice
// their angle, and made smaller so that it is within the original, they have none. That moves its points by this angle times the sum of the edges,
// and turns the other normals by this angle divided by the least of the other sines. So does rounding. Sixteen times that is more than all
// of these together.
static void set_faces( const bvdepth_query* q, const bv_vec3 edge[6], bvdepth_zonotope* z )
{
	double sum = 0;
	double parallel;
	double least;
	find_sines( edge, &parallel, &least );
	for ( int i = 0; i < 6; ++i )
	{
		sum += bvmath_norm1( edge[i] );
	}
	double loss = 16 * ( parallel + 0x1p-49 ) / least * sum + 4 * q->error;
	z->count = 0;
	for ( int i = 0; i < 6; ++i )
	{
		for ( int k = i + 1; k < 6; ++k )
		{
			bv_vec3 n = bv_cross( bv_normalize( edge[i] ), bv_normalize( edge[k] ) );
			double length = bvmath_length( n );
			if ( !( length > least_sine ) )
			{
				continue;
			}
			n = bv_scale( 1 / length, n );
			double reach = 0;
			for ( int m = 0; m < 6; ++m )
			{
				reach += m == i || m == k ? 0 : fabs( bv_dot( n, edge[m] ) );
			}
			z->normal[z->count] = n;
			z->reach[z->count++] = reach - loss;
		}
	}
}

void bvdepth_grow_boxes( bvdepth_query* q, const bvdepth_cover* cover )
{
	growing g;
	bv_vec3 edge[6];
	bv_vec3 middle[2];
	if ( q->zonotope_count == bvdepth_zonotopes || !q->solid[0].closed || !q->solid[1].closed ||
	     !bvmath_skew_is_rigid( q->placed.skew ) )
	{
		return;
	}
	for ( int i = 0; i < 2; ++i )
	{
		if ( bvdepth_is_over( q ) || !( cover->inside[i] > 0 ) || !begin_box( q, i, cover->point[i], &g ) )
		{
			return;
		}
		grow( q, &g );
		middle[i] = set_edges( q, i, &g, edge + 3 * i );
	}
	bvdepth_zonotope* z = q->zonotopes + q->zonotope_count++;
	z->center = bv_sub( middle[0], middle[1] );
	set_faces( q, edge, z );
	double lower = INFINITY;
	for ( uint32_t i = 0; i < z->count; ++i )
	{
		lower = bvmath_min( lower, z->reach[i] - fabs( bv_dot( z->normal[i], z->center ) ) );
	}
	q->best.lower = bvmath_max( q->best.lower, lower * ( 1 - 0x1p-40 ) );
}

bool bvdepth_is_in_zonotope( const bvdepth_query* q, bv_vec3 middle, double half )
{
	for ( uint32_t i = 0; i < q->zonotope_count; ++i )
	{
		const bvdepth_zonotope* z = q->zonotopes + i;
		bv_vec3 d = bv_sub( middle, z->center );
		bool is_inside = true;
		for ( uint32_t k = 0; k < z->count && is_inside; ++k )
		{
			double far = fabs( bv_dot( z->normal[k], d ) ) + half * bvmath_norm1( z->normal[k] );
			is_inside = far * ( 1 + 0x1p-40 ) < z->reach[k];
		}
		if ( is_inside )
		{
			return true;
		}
	}
	return false;
}
