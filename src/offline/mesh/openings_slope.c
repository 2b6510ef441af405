// How fast the winding number of an open surface changes. See openings.h.

#include "offline/mesh/openings.h"

#include "runtime/math/vec.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// How an edge is seen from the origin.
typedef struct edge_view
{
	double from; // distance of its ends
	double to;
	double nearest; // of its nearest point
	double squares; // the integral of 1 / d^2 along it, d the distance of its points, or a little more
	double cubes;   // that of 1 / d^3

	// the product of its ends' distances, and the scalar product of them: 0 at a straight angle
	double opening;
} edge_view;

static edge_view view_edge( bv_vec3 a, bv_vec3 b )
{
	static const double half_pi = 1.57079632679489662;
	bv_vec3 side = bv_sub( b, a );
	double long_side = bvmath_length( side );
	double area = bvmath_length( bv_cross( a, b ) );
	double from = bvmath_length( a );
	double to = bvmath_length( b );
	double far = from * to;
	double cosine = bv_dot( a, b );
	double begin = bv_dot( a, side ) / long_side;
	double end = bv_dot( b, side ) / long_side;
	double height = area / long_side;
	double nearest = begin >= 0 || end <= 0 ? bvmath_min( from, to ) : height;

	// The angle it is seen at over its line's distance. asin( s ) <= s + ( pi / 2 - 1 ) s^3: no coefficient
	// of its series is negative, and they add up to pi / 2.
	double sine = area / far;
	double squares = cosine >= 0 ? long_side / far * ( 1 + ( half_pi - 1 ) * sine * sine )
	                             : ( 2 * half_pi - sine ) / height;

	// With what rounding may make of the difference, unless that is more than what follows from the squares.
	double cubes = ( end / to - begin / from + 0x1p-50 ) / ( height * height );
	cubes = cubes < squares / nearest ? cubes : squares / nearest;
	return ( edge_view ){ from, to, nearest, squares, cubes, far + cosine };
}

// What an edge does to the winding number near the origin, times 4 pi.
//
// The gradient is the field of a current along the edge (Biot and Savart): each piece adds no more than its
// length over its distance's square, and that changes, as the origin moves, by no more than twice that over
// its distance. Along a line, u from 0 to r, what is at d is no nearer than d - u. The integral of 1 / ( d -
// u )^2 over u is r / ( d ( d - r ) ), that of 2 ( r - u ) / ( d - u )^3 is r^2 / ( d^2 ( d - r ) ), and d /
// ( d - r ) is largest at the nearest point.
bvb_winding_slope bvmesh_slope_by_edge( bv_vec3 a, bv_vec3 b, double r )
{
	edge_view view = view_edge( a, b );
	double left = view.nearest - r;
	if ( !( left > 0 && view.opening > 0 ) )
	{
		return ( bvb_winding_slope ){ INFINITY, INFINITY, { 0, 0, 0 } };
	}
	double nearness = view.nearest / left;
	double far = view.from * view.to;

	// Rounding loses digits of the gradient where the edge is seen at nearly a straight angle, and of the
	// cross product where it is short.
	double lost = 0x1p-48 * r * ( far * view.squares + view.from + view.to ) / view.opening;
	return ( bvb_winding_slope ){
		.change = r * nearness * view.squares,
		.curvature = r * r * nearness * view.cubes + lost,
		.gradient = bv_scale( ( view.from + view.to ) / ( far * view.opening ), bv_cross( a, b ) ),
	};
}

static void add_slope( bvb_winding_slope* sum, double times, const bvb_winding_slope* slope )
{
	sum->change += times * slope->change;
	sum->curvature += times * slope->curvature;
	sum->gradient = bv_add( sum->gradient, bv_scale( times, slope->gradient ) );
}

// The field of a node's edges as their sum and its moments have it.
// @param y  the node's center, from where it is seen
static bv_vec3 field_of_moments( const bvmesh_opening* n, bv_vec3 y, double d )
{
	double cube = 1 / ( d * d * d );
	bv_vec3 turned = { n->moment[1].z - n->moment[2].y, n->moment[2].x - n->moment[0].z,
		               n->moment[0].y - n->moment[1].x };
	bv_vec3 along = bv_add( bv_scale( y.x, n->moment[0] ),
	                        bv_add( bv_scale( y.y, n->moment[1] ), bv_scale( y.z, n->moment[2] ) ) );
	bv_vec3 first = bv_add( bv_cross( y, n->current ), turned );
	return bv_scale( cube, bv_sub( first, bv_scale( 3 / ( d * d ), bv_cross( y, along ) ) ) );
}

// What a node's edges do, from far away. The integrals of 1 / d^2 and 1 / d^3 are those about the center: what
// their second derivatives, at most 6 / d^4 and 12 / d^5, may add to them counts too. Returns false where that
// is too rough: then its parts are looked at.
static bool slope_of_far( const bvmesh_opening* n, bv_vec3 y, double r, bvb_winding_slope* out )
{
	static const double of_gradient = 0x1p-8;
	double d = bvmath_length( y );
	double nearest = d - n->radius;
	double left = nearest - r;
	if ( !( left > 0 ) )
	{
		return false;
	}
	double near_square = nearest * nearest;
	double rest = 3 * n->length_spread / ( near_square * near_square );
	double square = d * d;
	double squares = n->length / square + 2 * n->length_moment / ( square * d ) + rest;
	double cubes =
		n->length / ( square * d ) + 3 * n->length_moment / ( square * square ) + 2 * rest / nearest;
	double nearness = nearest / left;
	if ( rest > bvmath_max( of_gradient * squares, 0.25 * r * cubes ) || nearness > 1.25 * d / ( d - r ) )
	{
		return false;
	}
	*out = ( bvb_winding_slope ){
		.change = r * nearness * squares,
		.curvature = r * r * nearness * cubes + r * ( rest + 0x1p-44 * squares ),
		.gradient = field_of_moments( n, y, d ),
	};
	return true;
}

bvb_winding_slope bvmesh_openings_slope( const bvmesh_openings* o, bv_vec3 p, double r, uint64_t* work )
{
	bvb_winding_slope sum = { 0 };
	for ( uint32_t i = 0; i < o->node_count && sum.change < INFINITY; )
	{
		const bvmesh_opening* n = o->nodes + i;
		bvb_winding_slope slope;
		*work += 1 + n->edge_count;
		if ( slope_of_far( n, bv_sub( n->center, p ), r, &slope ) )
		{
			add_slope( &sum, 1, &slope );
			i = n->next;
			continue;
		}
		for ( uint32_t k = n->first_edge; k < n->first_edge + n->edge_count; ++k )
		{
			const bvmesh_open_edge* e = o->edges + k;
			slope = bvmesh_slope_by_edge( bv_sub( e->from, p ), bv_sub( e->to, p ), r );
			add_slope( &sum, e->times, &slope );
		}
		++i;
	}
	if ( !( sum.curvature < INFINITY ) )
	{
		return ( bvb_winding_slope ){ INFINITY, INFINITY, { 0, 0, 0 } };
	}
	return ( bvb_winding_slope ){
		.change = sum.change / ( 4 * pi ) * ( 1 + 0x1p-20 ),
		.curvature = sum.curvature / ( 4 * pi ) * ( 1 + 0x1p-20 ),
		.gradient = bv_scale( 1 / ( 4 * pi ), sum.gradient ),
	};
}
