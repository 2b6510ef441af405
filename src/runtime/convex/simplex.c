// The nearest point of a simplex by the regions of its features. See simplex.h.
//
// Based on: Ericson 2005, sections 5.1.5 and 5.1.6.

#include "runtime/convex/simplex.h"

typedef struct region
{
	int count;
	int corner[3]; // ascending
	double weight[3];
} region;

static region of_corner( int i )
{
	return ( region ){ 1, { i }, { 1 } };
}

// @param t  of the way from i to j
static region of_edge( int i, int j, double t )
{
	return ( region ){ 2, { i, j }, { 1 - t, t } };
}

static region nearest_on_edge( const bvconvex_gjk_vertex* v, int i, int j )
{
	bv_vec3 ab = bv_sub( v[j].at, v[i].at );
	double along = -bv_dot( ab, v[i].at );
	double square = bv_dot( ab, ab );
	return along <= 0 ? of_corner( i ) : along >= square ? of_corner( j ) : of_edge( i, j, along / square );
}

static region nearest_on_face( const bvconvex_gjk_vertex* v, int i, int j, int k )
{
	bv_vec3 a = v[i].at;
	bv_vec3 b = v[j].at;
	bv_vec3 c = v[k].at;
	bv_vec3 ab = bv_sub( b, a );
	bv_vec3 ac = bv_sub( c, a );
	double d1 = -bv_dot( ab, a );
	double d2 = -bv_dot( ac, a );
	if ( d1 <= 0 && d2 <= 0 )
	{
		return of_corner( i );
	}
	double d3 = -bv_dot( ab, b );
	double d4 = -bv_dot( ac, b );
	if ( d3 >= 0 && d4 <= d3 )
	{
		return of_corner( j );
	}
	double d5 = -bv_dot( ab, c );
	double d6 = -bv_dot( ac, c );
	if ( d6 >= 0 && d5 <= d6 )
	{
		return of_corner( k );
	}
	bv_vec3 normal = bv_cross( ab, ac );
	double of_c = bv_dot( normal, bv_cross( a, b ) );
	double of_b = bv_dot( normal, bv_cross( c, a ) );
	double of_a = bv_dot( normal, bv_cross( b, c ) );
	if ( of_c <= 0 && d1 >= 0 && d3 <= 0 )
	{
		return of_edge( i, j, d1 / ( d1 - d3 ) );
	}
	if ( of_b <= 0 && d2 >= 0 && d6 <= 0 )
	{
		return of_edge( i, k, d2 / ( d2 - d6 ) );
	}
	if ( of_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0 )
	{
		return of_edge( j, k, ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) ) );
	}
	double sum = ( of_a + of_b ) + of_c;
	if ( !( of_a > 0 && of_b > 0 && of_c > 0 ) )
	{
		return nearest_on_edge( v, i, j );
	}
	return ( region ){ 3, { i, j, k }, { of_a / sum, of_b / sum, of_c / sum } };
}

static bv_vec3 point_of( const bvconvex_gjk_vertex* v, const region* r )
{
	bv_vec3 p = bv_scale( r->weight[0], v[r->corner[0]].at );
	for ( int i = 1; i < r->count; ++i )
	{
		p = bv_add( p, bv_scale( r->weight[i], v[r->corner[i]].at ) );
	}
	return p;
}

static void keep( bvconvex_gjk_simplex* s, const region* r )
{
	s->nearest = point_of( s->vertex, r );
	s->square = bv_dot( s->nearest, s->nearest );
	for ( int i = 0; i < r->count; ++i )
	{
		s->weight[i] = r->weight[i];
		if ( r->corner[i] != i )
		{
			s->vertex[i] = s->vertex[r->corner[i]];
		}
	}
	s->count = r->count;
}

// @return false if the tetrahedron is too flat
static bool solve_tetrahedron( bvconvex_gjk_simplex* s )
{
	const bvconvex_gjk_vertex* v = s->vertex;
	bv_vec3 d = v[3].at;
	bv_vec3 a = bv_sub( v[0].at, d );
	bv_vec3 b = bv_sub( v[1].at, d );
	bv_vec3 c = bv_sub( v[2].at, d );
	bv_vec3 bc = bv_cross( b, c );
	bv_vec3 ca = bv_cross( c, a );
	bv_vec3 ab = bv_cross( a, b );
	double volume = bv_dot( a, bc );
	double size = bvmath_norm1( a ) * bvmath_norm1( b ) * bvmath_norm1( c );
	if ( fabs( volume ) <= 0x1p-30 * size )
	{
		return false;
	}
	double side = volume > 0 ? 1 : -1;
	double of_a = -side * bv_dot( bc, d );
	double of_b = -side * bv_dot( ca, d );
	double of_c = -side * bv_dot( ab, d );
	double of_d = fabs( volume ) - ( ( of_a + of_b ) + of_c );
	if ( of_a > 0 && of_b > 0 && of_c > 0 && of_d > 0 )
	{
		double sum = fabs( volume );
		s->weight[0] = of_a / sum;
		s->weight[1] = of_b / sum;
		s->weight[2] = of_c / sum;
		s->weight[3] = of_d / sum;
		s->nearest = ( bv_vec3 ){ 0, 0, 0 };
		s->square = 0;
		return true;
	}
	region best = of_corner( 3 );
	double least = bv_dot( d, d );
	static const int face[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
	const double beyond[4] = { of_a, of_b, of_c, of_d };
	for ( int i = 0; i < 4; ++i )
	{
		if ( beyond[i] <= 0 )
		{
			region r = nearest_on_face( v, face[i][0], face[i][1], face[i][2] );
			bv_vec3 p = point_of( v, &r );
			double square = bv_dot( p, p );
			best = square < least ? r : best;
			least = square < least ? square : least;
		}
	}
	keep( s, &best );
	return true;
}

void bvconvex_simplex_solve( bvconvex_gjk_simplex* s )
{
	region r;
	switch ( s->count )
	{
	case 1: r = of_corner( 0 ); break;
	case 2: r = nearest_on_edge( s->vertex, 0, 1 ); break;
	case 3: r = nearest_on_face( s->vertex, 0, 1, 2 ); break;
	default:
		if ( !solve_tetrahedron( s ) )
		{
			bvconvex_gjk_solve( s );
		}
		return;
	}
	keep( s, &r );
}
