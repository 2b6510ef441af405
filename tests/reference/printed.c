// Algorithms as printed. See printed.h.

#include "tests/reference/printed.h"

#include "tests/reference/vectors.h"

#include <math.h>

static bv_vec3 times( double s, bv_vec3 v )
{
	return ( bv_vec3 ){ s * v.x, s * v.y, s * v.z };
}

static bv_vec3 plus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

bv_vec3 printed_plane_contact( bv_vec3 n, double offset, bv_vec3 s, bool fixed )
{
	double p = dot( s, n ) - offset;
	return plus( s, times( 0.5 * ( fixed ? -p : p ), n ) );
}

static bv_vec3 nearest_on_side( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 ab = sub( b, a );
	double t = dot( sub( c, a ), ab ) / dot( ab, ab );
	return t <= 0 ? a : t >= 1 ? b : plus( a, times( t, ab ) );
}

bv_vec3 printed_nearest_on_triangle( const bv_vec3 corner[3], bv_vec3 point, bool fixed )
{
	bv_vec3 a = corner[0];
	bv_vec3 b = corner[1];
	bv_vec3 c = corner[2];
	bv_vec3 bc = sub( c, b );
	bv_vec3 ba = sub( a, b );
	bv_vec3 ac = sub( c, a );
	bv_vec3 abc = cross( bc, ba );
	bv_vec3 q = sub( point, times( dot( abc, sub( point, a ) ) / dot( abc, abc ), abc ) );
	bool beyond[3] = { dot( cross( bc, abc ), sub( q, b ) ) >= 0, dot( cross( abc, ba ), sub( q, b ) ) >= 0,
		               dot( cross( abc, ac ), sub( q, a ) ) >= 0 };
	const bv_vec3 on[3] = { nearest_on_side( b, c, q ), nearest_on_side( b, a, q ),
		                    nearest_on_side( a, c, q ) };
	int best = -1;
	for ( int i = 0; i < 3; ++i )
	{
		bool takes = beyond[i] && best < 0;
		if ( fixed && best >= 0 )
		{
			takes = beyond[i] && length_of( sub( q, on[i] ) ) < length_of( sub( q, on[best] ) );
		}
		best = takes ? i : best;
	}
	return best < 0 ? q : on[best];
}

printed_answer printed_separating_face( printed_hull a, const uint32_t ( *face )[3], uint32_t faces,
                                        printed_hull b )
{
	for ( uint32_t i = 0; i < faces; ++i )
	{
		bv_vec3 p = a.points[face[i][0]];
		bv_vec3 n = cross( sub( a.points[face[i][1]], p ), sub( a.points[face[i][2]], p ) );
		bool separates = true;
		for ( uint32_t k = 0; k < b.count && separates; ++k )
		{
			separates = dot( n, sub( b.points[k], p ) ) > 0;
		}
		if ( separates )
		{
			return printed_apart;
		}
	}
	return printed_collides;
}

static bv_vec3 farthest( printed_hull h, bv_vec3 d )
{
	uint32_t best = 0;
	for ( uint32_t i = 1; i < h.count; ++i )
	{
		best = dot( d, h.points[i] ) > dot( d, h.points[best] ) ? i : best;
	}
	return h.points[best];
}

typedef struct simplex
{
	bv_vec3 at[4];
	int count;
	bv_vec3 d; // where to search next
} simplex;

static void drop( simplex* s, int index )
{
	for ( int i = index; i + 1 < s->count; ++i )
	{
		s->at[i] = s->at[i + 1];
	}
	--s->count;
}

static void handle_triangle( simplex* s )
{
	bv_vec3 a = s->at[2];
	bv_vec3 b = s->at[1];
	bv_vec3 c = s->at[0];
	bv_vec3 ao = times( -1, a );
	bv_vec3 ab = sub( b, a );
	bv_vec3 ac = sub( c, a );
	bv_vec3 abc = cross( ab, ac );
	if ( dot( cross( abc, ac ), ao ) > 0 )
	{
		drop( s, 1 );
		s->d = cross( cross( ac, ao ), ac );
	}
	else if ( dot( cross( ab, abc ), ao ) > 0 )
	{
		drop( s, 0 );
		s->d = cross( cross( ab, ao ), ab );
	}
	else if ( dot( abc, ao ) > 0 )
	{
		s->at[0] = b;
		s->at[1] = c;
		s->d = abc;
	}
	else
	{
		s->d = times( -1, abc );
	}
}

static bool sees_origin( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	return dot( cross( sub( b, a ), sub( c, a ) ), times( -1, a ) ) > 0;
}

// @return whether the origin is inside
static bool handle_tetrahedron( simplex* s )
{
	bv_vec3 a = s->at[3];
	bv_vec3 b = s->at[2];
	bv_vec3 c = s->at[1];
	bv_vec3 d = s->at[0];
	int dropped = sees_origin( b, a, c ) ? 0 : sees_origin( c, a, d ) ? 2 : sees_origin( d, a, b ) ? 1 : -1;
	if ( dropped >= 0 )
	{
		drop( s, dropped );
		handle_triangle( s );
	}
	return dropped < 0;
}

printed_answer printed_gjk( printed_hull a, printed_hull b )
{
	simplex s = { .at = { sub( a.points[0], b.points[0] ) }, .count = 1 };
	if ( dot( s.at[0], s.at[0] ) == 0 )
	{
		return printed_collides;
	}
	s.d = times( -1, s.at[0] );
	for ( int round = 0; round < printed_rounds; ++round )
	{
		bv_vec3 w = sub( farthest( a, s.d ), farthest( b, times( -1, s.d ) ) );
		if ( dot( w, w ) == 0 )
		{
			return printed_collides;
		}
		if ( dot( w, s.d ) < 0 )
		{
			return printed_apart;
		}
		s.at[s.count++] = w;
		if ( s.count == 2 )
		{
			bv_vec3 ab = sub( s.at[0], s.at[1] );
			s.d = cross( cross( ab, times( -1, s.at[1] ) ), ab );
		}
		else if ( s.count == 3 )
		{
			handle_triangle( &s );
		}
		else if ( handle_tetrahedron( &s ) )
		{
			return printed_collides;
		}
	}
	return printed_endless;
}

// For row vectors: the result has the coordinates dot( v, column ).
typedef struct matrix
{
	bv_vec3 column[3];
} matrix;

static bv_vec3 transform( const matrix* m, bv_vec3 v )
{
	return ( bv_vec3 ){ dot( v, m->column[0] ), dot( v, m->column[1] ), dot( v, m->column[2] ) };
}

static matrix matrix_to_z( bv_vec3 v )
{
	double scale = 1 / length_of( v );
	return ( matrix ){ { { scale * v.x * v.z, scale * v.y * v.z, -scale * ( v.x * v.x + v.y * v.y ) },
		                 { -scale * v.y, scale * v.x, 0 },
		                 v } };
}

static matrix inverse_of( const matrix* m )
{
	const bv_vec3* c = m->column;
	bv_vec3 row[3] = { cross( c[1], c[2] ), cross( c[2], c[0] ), cross( c[0], c[1] ) };
	double scale = 1 / dot( c[0], row[0] );
	return ( matrix ){ { times( scale, ( bv_vec3 ){ row[0].x, row[1].x, row[2].x } ),
		                 times( scale, ( bv_vec3 ){ row[0].y, row[1].y, row[2].y } ),
		                 times( scale, ( bv_vec3 ){ row[0].z, row[1].z, row[2].z } ) } };
}

static double turn( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.y - a.y * b.x;
}

static bv_vec3 unit( bv_vec3 v )
{
	return times( 1 / length_of( v ), v );
}

static bool on_same_hemisphere( const bv_vec3* r, int count, bv_vec3* w )
{
	*w = count == 3 ? unit( plus( r[0], r[1] ) ) : *w;
	if ( dot( *w, r[count - 1] ) >= 0 )
	{
		return true;
	}
	matrix m = matrix_to_z( r[count - 1] );
	bv_vec3 ra = transform( &m, r[0] );
	bv_vec3 rb = transform( &m, r[1] );
	if ( turn( ra, rb ) > 0 )
	{
		bv_vec3 kept = ra;
		ra = rb;
		rb = kept;
	}
	for ( int i = 2; i < count - 2; ++i )
	{
		bv_vec3 rj = transform( &m, r[i] );
		double from_a = turn( ra, rj );
		double from_b = turn( rb, rj );
		if ( from_a < 0 && from_b > 0 )
		{
			continue;
		}
		if ( from_a > 0 && from_b > 0 )
		{
			ra = rj;
		}
		else if ( from_a < 0 && from_b < 0 )
		{
			rb = rj;
		}
		else
		{
			return false;
		}
	}
	matrix back = inverse_of( &m );
	*w = transform( &back, unit( plus( ra, rb ) ) );
	return true;
}

printed_answer printed_chung_wang( printed_hull a, printed_hull b )
{
	enum
	{
		until_pole = 20,
	};
	bv_vec3 r[printed_rounds];
	int count = 0;
	bv_vec3 w = { 0, 0, 0 };
	bv_vec3 s = { 1, 0, 0 };
	bv_vec3 last = { 0, 0, 0 };
	uint64_t most = (uint64_t)a.count * b.count;
	for ( uint64_t i = 0; i < most && count < printed_rounds; ++i )
	{
		bv_vec3 p = farthest( a, s );
		bv_vec3 q = farthest( b, times( -1, s ) );
		bv_vec3 way = unit( sub( q, p ) );
		if ( dot( s, way ) >= 0 || ( i > 1 && length_of( sub( way, last ) ) == 0 ) )
		{
			return printed_apart;
		}
		bool repeated = false;
		for ( int k = 0; k < count; ++k )
		{
			repeated = repeated || length_of( sub( way, r[k] ) ) == 0;
		}
		if ( count > until_pole && repeated )
		{
			s = w;
		}
		else
		{
			if ( count > 2 && !on_same_hemisphere( r, count, &w ) )
			{
				return printed_collides;
			}
			s = sub( s, times( 2 * dot( way, s ), way ) );
			r[count++] = way;
		}
		last = way;
	}
	return printed_collides;
}
