// Nearest point of a polyhedron: GJK (runtime/convex/gjk.h) between it and a point, with hill climbing as its
// support function. The nearest point of the simplex is found through the Voronoi regions of its triangles
// (Ericson 2005, section 9.5.2).
//
// The result is always a convex combination of vertices. Its distance is therefore an upper bound, wherever
// the search ends.

#include "offline/hull/nearest.h"

#include "runtime/convex/gjk.h"

#include <math.h>

static bv_vec3 combine( const bvconvex_gjk_simplex* s )
{
	bv_vec3 sum = { 0 };
	for ( int i = 0; i < s->count; ++i )
	{
		sum = bv_add( sum, bv_scale( s->weight[i], s->vertex[i].at ) );
	}
	return sum;
}

// A simplex with its nearest point, which the weights say.
static bvconvex_gjk_simplex solved( bvconvex_gjk_simplex s )
{
	s.nearest = combine( &s );
	s.square = bv_dot( s.nearest, s.nearest );
	return s;
}

static bvconvex_gjk_simplex nearest_on_segment( const bvconvex_gjk_simplex* s, int i, int j )
{
	const bvconvex_gjk_vertex a = s->vertex[i];
	const bvconvex_gjk_vertex b = s->vertex[j];
	bv_vec3 d = bv_sub( b.at, a.at );
	double weight_of_b = -bv_dot( a.at, d ) / bv_dot( d, d );
	if ( !( weight_of_b > 0 ) )
	{
		return solved( ( bvconvex_gjk_simplex ){ .vertex = { a }, .weight = { 1 }, .count = 1 } );
	}
	if ( weight_of_b >= 1 )
	{
		return solved( ( bvconvex_gjk_simplex ){ .vertex = { b }, .weight = { 1 }, .count = 1 } );
	}
	return solved( ( bvconvex_gjk_simplex ){
		.vertex = { a, b }, .weight = { 1 - weight_of_b, weight_of_b }, .count = 2 } );
}

static bvconvex_gjk_simplex nearest_on_triangle( const bvconvex_gjk_simplex* s, int i, int j, int k )
{
	bv_vec3 a = s->vertex[i].at;
	bv_vec3 b = s->vertex[j].at;
	bv_vec3 c = s->vertex[k].at;
	bv_vec3 ab = bv_sub( b, a );
	bv_vec3 ac = bv_sub( c, a );
	bv_vec3 normal = bv_cross( ab, ac );
	double weight_a = bv_dot( bv_cross( b, c ), normal );
	double weight_b = bv_dot( bv_cross( c, a ), normal );
	double weight_c = bv_dot( bv_cross( a, b ), normal );
	double total = weight_a + weight_b + weight_c;
	if ( weight_a > 0 && weight_b > 0 && weight_c > 0 && total < INFINITY )
	{
		return solved(
			( bvconvex_gjk_simplex ){ .vertex = { s->vertex[i], s->vertex[j], s->vertex[k] },
		                              .weight = { weight_a / total, weight_b / total, weight_c / total },
		                              .count = 3 } );
	}
	const bvconvex_gjk_simplex sides[3] = { nearest_on_segment( s, i, j ), nearest_on_segment( s, j, k ),
		                                    nearest_on_segment( s, k, i ) };
	int best = 0;
	for ( int side = 1; side < 3; ++side )
	{
		best = sides[side].square < sides[best].square ? side : best;
	}
	return sides[best];
}

// Where the origin is certainly inside, all four vertices stay.
static bvconvex_gjk_simplex nearest_on_tetrahedron( const bvconvex_gjk_simplex* s )
{
	static const int face[4][4] = { { 0, 1, 2, 3 }, { 0, 3, 1, 2 }, { 0, 2, 3, 1 }, { 1, 3, 2, 0 } };
	bvconvex_gjk_simplex best = *s;
	best.nearest = ( bv_vec3 ){ 0, 0, 0 };
	best.square = 0;
	for ( int f = 0; f < 4; ++f )
	{
		const int* v = face[f];
		bv_vec3 a = s->vertex[v[0]].at;
		bv_vec3 ab = bv_sub( s->vertex[v[1]].at, a );
		bv_vec3 ac = bv_sub( s->vertex[v[2]].at, a );
		bv_vec3 ad = bv_sub( s->vertex[v[3]].at, a );
		bv_vec3 normal = bv_cross( ab, ac );
		double apex = bv_dot( normal, ad );
		double origin = -bv_dot( normal, a );

		// Some 16 units of 2^-53 of this product are what rounding may do to either.
		double doubt =
			0x1p-45 * bvmath_norm1( ab ) * bvmath_norm1( ac ) * ( bvmath_norm1( ad ) + bvmath_norm1( a ) );
		if ( ( apex > doubt && origin > doubt ) || ( apex < -doubt && origin < -doubt ) )
		{
			continue;
		}
		bvconvex_gjk_simplex triangle = nearest_on_triangle( s, v[0], v[1], v[2] );
		if ( best.count == 4 || triangle.square < best.square )
		{
			best = triangle;
		}
	}
	return best;
}

static void solve( bvconvex_gjk_simplex* s )
{
	switch ( s->count )
	{
	case 1:
		s->weight[0] = 1;
		*s = solved( *s );
		break;
	case 2: *s = nearest_on_segment( s, 0, 1 ); break;
	case 3: *s = nearest_on_triangle( s, 0, 1, 2 ); break;
	default: *s = nearest_on_tetrahedron( s ); break;
	}
}

// A polyhedron seen from a point, which is the origin then.
typedef struct nearest_seen
{
	const bvb_hull_polygons* hull;
	bv_vec3 from;
} nearest_seen;

static bvconvex_support hull_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const nearest_seen* s = shape;
	uint32_t vertex = bvb_hull_support( s->hull, *along, near );
	return ( bvconvex_support ){ bv_sub( s->hull->positions[vertex], s->from ), vertex };
}

static bvconvex_support origin_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)shape;
	(void)along;
	(void)near;
	return ( bvconvex_support ){ { 0, 0, 0 }, 0 };
}

// The differences, the weights' sum and the combination err by 12 units of 2^-53 of the largest coordinate,
// the length by 4 of itself.
static double bound_distance( const bvconvex_gjk_simplex* s )
{
	double largest = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		largest = bvmath_max( bvmath_norm1( s->vertex[i].at ), largest );
	}
	return sqrt( s->square ) * ( 1 + 0x1p-50 ) + 0x1p-48 * largest;
}

bvhull_nearest bvhull_find_nearest( const bvb_hull_polygons* hull, bv_vec3 from, uint32_t start )
{
	// Rounding is not subtracted from the lower bound, which only ends the search here.
	const nearest_seen s = { hull, from };
	const bvconvex_gjk_pair pair = { { hull_support, origin_support }, { &s, NULL }, 0, solve };
	uint32_t vertex = start < hull->vertex_count ? start : bvb_hull_support( hull, from, start );
	const bvconvex_gjk_vertex first = { .at = bv_sub( hull->positions[vertex], from ),
		                                .name = { vertex, 0 } };
	bvconvex_gjk_result found;
	bvconvex_gjk_distance( &pair, &first, 0, 0x1p-48, &found );
	const bvconvex_gjk_simplex* nearest = found.nearest;
	vertex = nearest->vertex[nearest->count - 1].name[0];
	if ( nearest->count == 4 )
	{
		return ( bvhull_nearest ){ from, 0, vertex };
	}
	return ( bvhull_nearest ){ bv_add( from, nearest->nearest ), bound_distance( nearest ), vertex };
}
