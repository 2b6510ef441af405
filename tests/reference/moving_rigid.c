// Bisection of time in arithmetic of 113 bits. See moving_rigid.h.

#include "tests/reference/moving_rigid.h"

#include "tests/reference/quad.h"

static quad3 plus( quad3 a, quad3 b )
{
	return ( quad3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static quad3 minus( quad3 a, quad3 b )
{
	return ( quad3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static quad3 times( quad s, quad3 a )
{
	return ( quad3 ){ s * a.x, s * a.y, s * a.z };
}

static quad3 of( bv_vec3 a )
{
	return ( quad3 ){ a.x, a.y, a.z };
}

static quad root( quad x )
{
	if ( !( x > 0 ) )
	{
		return 0;
	}
	// Newton's method from a binary64 start; numbers are of usual sizes.
	quad r = 1;
	double y = (double)x;
	double guess = 1;
	for ( int i = 0; i < 60; ++i )
	{
		guess = 0.5 * ( guess + y / guess );
	}
	r = guess;
	for ( int i = 0; i < 3; ++i )
	{
		r = ( r + x / r ) / 2;
	}
	return r;
}

// Taylor's series of a small angle, and double angles.
static void sine_and_cosine( quad angle, quad* sine, quad* cosine )
{
	enum
	{
		halvings = 12,
	};
	quad x = angle / ( 1 << halvings );
	quad s = 0;
	quad c = 0;
	quad term = 1;
	for ( int i = 0; i < 24; ++i )
	{
		quad sign = i / 2 % 2 == 0 ? 1 : -1;
		if ( i % 2 == 0 )
		{
			c += sign * term;
		}
		else
		{
			s += sign * term;
		}
		term = term * x / ( i + 1 );
	}
	for ( int i = 0; i < halvings; ++i )
	{
		quad doubled = 2 * s * c;
		c = 1 - 2 * s * s;
		s = doubled;
	}
	*sine = s;
	*cosine = c;
}

static quad3 placed( const rigid_motion* m, bv_vec3 point, quad t )
{
	quad3 x = quad_difference( point, m->pivot );
	const double( *r )[3] = m->rotation;
	quad3 v = { r[0][0] * x.x + r[0][1] * x.y + r[0][2] * x.z, r[1][0] * x.x + r[1][1] * x.y + r[1][2] * x.z,
		        r[2][0] * x.x + r[2][1] * x.y + r[2][2] * x.z };
	quad s;
	quad c;
	if ( m->nlerp )
	{
		// Half the angle is that of ( 1 - t ) ( 1, 0 ) + t ( cos h, sin h ).
		sine_and_cosine( (quad)m->angle / 2, &s, &c );
		quad real = 1 - t + t * c;
		quad part = t * s;
		quad square = real * real + part * part;
		s = 2 * real * part / square;
		c = ( real * real - part * part ) / square;
	}
	else
	{
		sine_and_cosine( t * (quad)m->angle, &s, &c );
	}
	// Rodrigues' formula.
	quad3 axis = of( m->axis );
	quad3 turned = plus( plus( times( c, v ), times( s, quad_cross( axis, v ) ) ),
	                     times( ( 1 - c ) * quad_dot( axis, v ), axis ) );
	return plus( plus( turned, of( m->place ) ), times( t, of( m->shift ) ) );
}

static quad square_to_segment( quad3 p, quad3 a, quad3 b )
{
	quad3 along = minus( b, a );
	quad square = quad_dot( along, along );
	quad t = square > 0 ? quad_dot( along, minus( p, a ) ) / square : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	quad3 d = minus( p, plus( a, times( t, along ) ) );
	return quad_dot( d, d );
}

static quad least( quad a, quad b )
{
	return a < b ? a : b;
}

static quad square_to_triangle( quad3 p, const quad3 c[3] )
{
	quad3 n = quad_cross( minus( c[1], c[0] ), minus( c[2], c[0] ) );
	quad out = least( square_to_segment( p, c[0], c[1] ),
	                  least( square_to_segment( p, c[1], c[2] ), square_to_segment( p, c[2], c[0] ) ) );
	quad square = quad_dot( n, n );
	bool inside = square > 0;
	for ( int i = 0; i < 3; ++i )
	{
		quad3 side = quad_cross( n, minus( c[( i + 1 ) % 3], c[i] ) );
		inside = inside && quad_dot( side, minus( p, c[i] ) ) >= 0;
	}
	quad height = quad_dot( n, minus( p, c[0] ) );
	return inside ? least( out, height * height / square ) : out;
}

static quad square_of_segments( const quad3 p[4] )
{
	quad out = least( least( square_to_segment( p[0], p[2], p[3] ), square_to_segment( p[1], p[2], p[3] ) ),
	                  least( square_to_segment( p[2], p[0], p[1] ), square_to_segment( p[3], p[0], p[1] ) ) );
	quad3 a = minus( p[1], p[0] );
	quad3 b = minus( p[3], p[2] );
	quad3 r = minus( p[2], p[0] );
	quad3 n = quad_cross( a, b );
	quad square = quad_dot( n, n );
	if ( square > 0 )
	{
		quad s = quad_dot( b, quad_cross( n, r ) ) / square;
		quad t = quad_dot( a, quad_cross( n, r ) ) / square;
		quad height = quad_dot( n, r );
		out = s >= 0 && s <= 1 && t >= 0 && t <= 1 ? least( out, height * height / square ) : out;
	}
	return out;
}

static quad distance_at( const rigid_motion motion[2], bool is_edges, const bv_vec3 point[4], quad t )
{
	quad3 p[4];
	for ( int i = 0; i < 4; ++i )
	{
		bool first = is_edges ? i < 2 : i < 1;
		p[i] = placed( motion + ( first ? 0 : 1 ), point[i], t );
	}
	return root( is_edges ? square_of_segments( p ) : square_to_triangle( p[0], p + 1 ) );
}

// More than any two points of the objects approach each other in a unit of time.
static quad speed_of( const rigid_motion motion[2], bool is_edges, const bv_vec3 point[4] )
{
	quad out = 0;
	for ( int i = 0; i < 2; ++i )
	{
		const rigid_motion* m = motion + i;
		quad arm = 0;
		for ( int k = 0; k < 4; ++k )
		{
			bool first = is_edges ? k < 2 : k < 1;
			quad3 d = quad_difference( point[k], m->pivot );
			quad length = root( quad_dot( d, d ) );
			arm = first == ( i == 0 ) && length > arm ? length : arm;
		}
		// Half the angle h of an nlerp grows by at most 2 tan( h / 2 ), h up to a right angle, which is below 4 h / pi.
		quad turn = m->angle < 0 ? -m->angle : m->angle;
		quad3 shift = of( m->shift );
		out += root( quad_dot( shift, shift ) ) + ( m->nlerp ? 2 : 1 ) * turn * arm;
	}
	return out * (quad)1.0001;
}

bool rigid_contact( const rigid_motion motion[2], bool is_edges, const bv_vec3 point[4], double* time )
{
	enum
	{
		most_level = 44,
	};
	quad speed = speed_of( motion, is_edges, point );
	// The interval number * 2^-level; what follows are its right neighbors, on each level.
	uint64_t number = 0;
	int level = 0;
	for ( ;; )
	{
		quad width = (quad)1 / ( UINT64_C( 1 ) << level );
		quad middle = ( number + (quad)0.5 ) * width;
		bool free = distance_at( motion, is_edges, point, middle ) > speed * width / 2;
		if ( !free && level < most_level )
		{
			number *= 2;
			++level;
			continue;
		}
		if ( !free )
		{
			*time = (double)( number * width );
			return true;
		}
		++number;
		while ( level > 0 && number % 2 == 0 )
		{
			number /= 2;
			--level;
		}
		if ( level == 0 )
		{
			return false;
		}
	}
}
