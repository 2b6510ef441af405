// Nearest point of a polyhedron: GJK (Gilbert, Johnson, Keerthi 1988). The nearest point of the simplex is
// found through the Voronoi regions of its triangles (Ericson 2005, section 9.5.2).
//
// The result is always a convex combination of vertices. Its distance is therefore an upper bound, wherever
// the search ends.

#include "offline/hull/nearest.h"

#include "runtime/math/vec.h"

#include <math.h>

// Up to four vertices, seen from the point that something is to be nearest to.
typedef struct simplex
{
	bv_vec3 at[4];
	uint32_t vertex[4];
	double weight[4];
	int count;
} simplex;

static bv_vec3 combine( const simplex* s )
{
	bv_vec3 sum = { 0 };
	for ( int i = 0; i < s->count; ++i )
	{
		sum = bv_add( sum, bv_scale( s->weight[i], s->at[i] ) );
	}
	return sum;
}

// Keeps the vertices i and j of `s` with weights.
static simplex segment_of( const simplex* s, int i, int j, double weight_of_j )
{
	if ( !( weight_of_j > 0 ) )
	{
		return ( simplex ){ { s->at[i] }, { s->vertex[i] }, { 1 }, 1 };
	}
	if ( weight_of_j >= 1 )
	{
		return ( simplex ){ { s->at[j] }, { s->vertex[j] }, { 1 }, 1 };
	}
	return ( simplex ){
		{ s->at[i], s->at[j] }, { s->vertex[i], s->vertex[j] }, { 1 - weight_of_j, weight_of_j }, 2
	};
}

static simplex nearest_on_segment( const simplex* s, int i, int j )
{
	bv_vec3 d = bv_sub( s->at[j], s->at[i] );
	return segment_of( s, i, j, -bv_dot( s->at[i], d ) / bv_dot( d, d ) );
}

static simplex nearest_on_triangle( const simplex* s, int i, int j, int k )
{
	bv_vec3 a = s->at[i];
	bv_vec3 b = s->at[j];
	bv_vec3 c = s->at[k];
	bv_vec3 ab = bv_sub( b, a );
	bv_vec3 ac = bv_sub( c, a );
	bv_vec3 normal = bv_cross( ab, ac );
	double weight_a = bv_dot( bv_cross( b, c ), normal );
	double weight_b = bv_dot( bv_cross( c, a ), normal );
	double weight_c = bv_dot( bv_cross( a, b ), normal );
	double total = weight_a + weight_b + weight_c;
	if ( weight_a > 0 && weight_b > 0 && weight_c > 0 && total < INFINITY )
	{
		return ( simplex ){ { a, b, c },
			                { s->vertex[i], s->vertex[j], s->vertex[k] },
			                { weight_a / total, weight_b / total, weight_c / total },
			                3 };
	}
	const simplex sides[3] = { nearest_on_segment( s, i, j ), nearest_on_segment( s, j, k ),
		                       nearest_on_segment( s, k, i ) };
	int best = 0;
	double least = INFINITY;
	for ( int side = 0; side < 3; ++side )
	{
		bv_vec3 p = combine( &sides[side] );
		double square = bv_dot( p, p );
		best = square < least ? side : best;
		least = bv_min( square, least );
	}
	return sides[best];
}

// @return a simplex without vertices when the origin is certainly inside
static simplex nearest_on_tetrahedron( const simplex* s )
{
	static const int face[4][4] = { { 0, 1, 2, 3 }, { 0, 3, 1, 2 }, { 0, 2, 3, 1 }, { 1, 3, 2, 0 } };
	simplex best = { .count = 0 };
	double least = INFINITY;
	for ( int f = 0; f < 4; ++f )
	{
		const int* v = face[f];
		bv_vec3 a = s->at[v[0]];
		bv_vec3 ab = bv_sub( s->at[v[1]], a );
		bv_vec3 ac = bv_sub( s->at[v[2]], a );
		bv_vec3 ad = bv_sub( s->at[v[3]], a );
		bv_vec3 normal = bv_cross( ab, ac );
		double apex = bv_dot( normal, ad );
		double origin = -bv_dot( normal, a );

		// Some 16 units of 2^-53 of this product are what rounding may do to either.
		double doubt = 0x1p-45 * bv_norm1( ab ) * bv_norm1( ac ) * ( bv_norm1( ad ) + bv_norm1( a ) );
		if ( ( apex > doubt && origin > doubt ) || ( apex < -doubt && origin < -doubt ) )
		{
			continue;
		}
		simplex triangle = nearest_on_triangle( s, v[0], v[1], v[2] );
		bv_vec3 p = combine( &triangle );
		double square = bv_dot( p, p );
		if ( square < least )
		{
			least = square;
			best = triangle;
		}
	}
	return best;
}

static simplex reduce( const simplex* s )
{
	switch ( s->count )
	{
	case 1: return ( simplex ){ { s->at[0] }, { s->vertex[0] }, { 1 }, 1 };
	case 2: return nearest_on_segment( s, 0, 1 );
	case 3: return nearest_on_triangle( s, 0, 1, 2 );
	default: return nearest_on_tetrahedron( s );
	}
}

static bool has_vertex( const simplex* s, uint32_t vertex )
{
	bool found = false;
	for ( int i = 0; i < s->count; ++i )
	{
		found = found || s->vertex[i] == vertex;
	}
	return found;
}

// The differences, the weights' sum and the combination err by 12 units of 2^-53 of the largest coordinate, the length
// by 4 of itself.
static double bound_distance( const simplex* s, bv_vec3 p )
{
	double largest = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		largest = bv_max( bv_norm1( s->at[i] ), largest );
	}
	return sqrt( bv_dot( p, p ) ) * ( 1 + 0x1p-50 ) + 0x1p-48 * largest;
}

bvhull_nearest bvhull_find_nearest( const bvb_hull_polygons* hull, bv_vec3 from, uint32_t start )
{
	enum
	{
		most_steps = 100,
	};
	simplex s = { .count = 1, .weight = { 1 } };
	s.vertex[0] = start < hull->vertex_count ? start : bvb_hull_support( hull, from, start );
	s.at[0] = bv_sub( hull->positions[s.vertex[0]], from );
	bv_vec3 p = s.at[0];
	for ( int step = 0; step < most_steps; ++step )
	{
		uint32_t vertex = bvb_hull_support( hull, bv_scale( -1, p ), s.vertex[s.count - 1] );
		bv_vec3 at = bv_sub( hull->positions[vertex], from );
		double square = bv_dot( p, p );
		if ( has_vertex( &s, vertex ) || square - bv_dot( p, at ) <= 0x1p-48 * square )
		{
			break;
		}
		simplex grown = s;
		grown.at[s.count] = at;
		grown.vertex[s.count] = vertex;
		grown.count += 1;
		simplex reduced = reduce( &grown );
		if ( reduced.count == 0 )
		{
			return ( bvhull_nearest ){ from, 0, vertex };
		}

		// Nothing but rounding keeps the distance from becoming less.
		bv_vec3 nearer = combine( &reduced );
		if ( !( bv_dot( nearer, nearer ) < square ) )
		{
			break;
		}
		s = reduced;
		p = nearer;
	}
	return ( bvhull_nearest ){ bv_add( from, p ), bound_distance( &s, p ), s.vertex[s.count - 1] };
}
