// See huotari.h. Names are those of pseudocode 9 to 12: the point x is on the ray, d is the search direction, and p the
// point of the simplex that is nearest to x. The last vertex of the simplex is the newest.

#include "tests/reference/huotari.h"

#include "tests/reference/vectors.h"

static const double default_eps = 1e-12;
static const int most_steps = 1000;

typedef struct simplex
{
	bv_vec3 at[4];
	int count;
	bv_vec3 p;
} simplex;

static bv_vec3 farthest( const bv_vec3* points, int count, bv_vec3 d )
{
	int best = 0;
	for ( int i = 1; i < count; ++i )
	{
		best = dot( points[i], d ) > dot( points[best], d ) ? i : best;
	}
	return points[best];
}

static bv_vec3 opposite( bv_vec3 v )
{
	return ( bv_vec3 ){ -v.x, -v.y, -v.z };
}

static bv_vec3 support( const huotari_pair* pair, bv_vec3 d )
{
	return sub( farthest( pair->a, pair->of_a, d ), farthest( pair->b, pair->of_b, opposite( d ) ) );
}

bv_vec3 huotari_nearest_on_line( bv_vec3 a, bv_vec3 b, bv_vec3 x, bool fixed )
{
	bv_vec3 ab = sub( b, a );
	double t = dot( sub( x, a ), ab ) / dot( ab, ab );
	return t > 1 ? ( fixed ? b : a ) : along( a, t, ab );
}

static void handle_line( simplex* s, bv_vec3 x, bool fixed )
{
	bv_vec3 a = s->at[1];
	bv_vec3 b = s->at[0];
	s->p = huotari_nearest_on_line( a, b, x, fixed );
	if ( dot( sub( x, a ), sub( b, a ) ) > dot( sub( b, a ), sub( b, a ) ) )
	{
		s->at[0] = fixed ? b : a;
		s->count = 1;
	}
}

static void keep_line( simplex* s, bv_vec3 older, bv_vec3 newer, bv_vec3 x, bool fixed )
{
	s->at[0] = older;
	s->at[1] = newer;
	s->count = 2;
	handle_line( s, x, fixed );
}

static void handle_triangle( simplex* s, bv_vec3 x, bool fixed )
{
	bv_vec3 a = s->at[2];
	bv_vec3 b = s->at[1];
	bv_vec3 c = s->at[0];
	bv_vec3 ab = sub( b, a );
	bv_vec3 ac = sub( c, a );
	bv_vec3 ax = sub( x, a );
	bv_vec3 abc = cross( ab, ac );
	if ( dot( cross( abc, ac ), ax ) > 0 )
	{
		keep_line( s, c, a, x, fixed );
		return;
	}
	if ( dot( cross( ab, abc ), ax ) > 0 )
	{
		keep_line( s, b, a, x, fixed );
		return;
	}
	if ( dot( abc, ax ) > 0 )
	{
		s->at[0] = b;
		s->at[1] = c;
	}
	s->p = along( x, -dot( abc, ax ) / dot( abc, abc ), abc );
}

static void keep_triangle( simplex* s, bv_vec3 oldest, bv_vec3 older, bv_vec3 newer, bv_vec3 x, bool fixed )
{
	s->at[0] = oldest;
	s->at[1] = older;
	s->at[2] = newer;
	s->count = 3;
	handle_triangle( s, x, fixed );
}

static void handle_tetrahedron( simplex* s, bv_vec3 x, bool fixed )
{
	bv_vec3 a = s->at[3];
	bv_vec3 b = s->at[2];
	bv_vec3 c = s->at[1];
	bv_vec3 d = s->at[0];
	bv_vec3 ax = sub( x, a );
	if ( dot( cross( sub( a, b ), sub( c, b ) ), ax ) > 0 )
	{
		keep_triangle( s, c, b, a, x, fixed );
	}
	else if ( dot( cross( sub( a, c ), sub( d, c ) ), ax ) > 0 )
	{
		keep_triangle( s, d, c, a, x, fixed );
	}
	else if ( dot( cross( sub( a, d ), sub( b, d ) ), ax ) > 0 )
	{
		keep_triangle( s, b, d, a, x, fixed );
	}
	else
	{
		s->p = x;
	}
}

static void do_simplex( simplex* s, bv_vec3 x, bool fixed )
{
	switch ( s->count )
	{
	case 1: s->p = s->at[0]; break;
	case 2: handle_line( s, x, fixed ); break;
	case 3: handle_triangle( s, x, fixed ); break;
	default: handle_tetrahedron( s, x, fixed ); break;
	}
}

static double largest_square( const simplex* s, bv_vec3 x )
{
	double largest = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		bv_vec3 d = sub( x, s->at[i] );
		largest = fmax( largest, dot( d, d ) );
	}
	return largest;
}

double huotari_cast( const huotari_pair* pair, const huotari_fixes* fixes, int* steps )
{
	simplex s = { .count = 0 };
	bv_vec3 r = pair->motion;
	bv_vec3 x = { 0, 0, 0 };
	bv_vec3 d = sub( x, sub( pair->a[0], pair->b[0] ) );
	double lambda = 0;
	*steps = 0;
	double eps = fixes->eps > 0 ? fixes->eps : default_eps;
	double size = fixes->relative ? 0 : 1;
	while ( ( fixes->loop ? dot( d, d ) > eps * size : dot( d, d ) < eps * size ) && *steps < most_steps )
	{
		bv_vec3 w = support( pair, d );
		++*steps;
		if ( fixes->plane ? dot( d, sub( x, w ) ) > 0 : dot( w, sub( x, d ) ) > 0 )
		{
			lambda = dot( d, w ) / dot( d, r );
			if ( dot( d, r ) >= 0 || lambda > 1 )
			{
				return 2;
			}
			x = along( ( bv_vec3 ){ 0, 0, 0 }, lambda, r );
			s.count = 0;
		}
		s.at[s.count++] = w;
		do_simplex( &s, x, fixes->beyond );
		d = sub( x, s.p );
		size = fixes->relative ? largest_square( &s, x ) : 1;
	}
	return lambda;
}

bool huotari_sweep( const huotari_pair* pair, const huotari_fixes* fixes )
{
	// Seen from B, A moves by the opposite of B's motion as seen from A.
	bv_vec3 sweep = fixes->direction ? opposite( pair->motion ) : pair->motion;
	bv_vec3 both[32];
	for ( int i = 0; i < pair->of_a; ++i )
	{
		both[i] = pair->a[i];
		both[pair->of_a + i] = along( pair->a[i], 1, sweep );
	}
	huotari_pair swept = { both, 2 * pair->of_a, pair->b, pair->of_b, { 0, 0, 0 } };
	huotari_fixes all = { .loop = true, .plane = true, .beyond = true, .direction = true };
	int steps;
	return huotari_cast( &swept, &all, &steps ) <= 1;
}
