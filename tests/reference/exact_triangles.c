// Triangles that meet, by integers. See exact_triangles.h.

#include "tests/reference/exact_triangles.h"

#include "tests/reference/exact_corners.h"

#include <math.h>
#include <stdlib.h>

enum
{
	work_vectors = 5,
};

struct exact_triangles
{
	exact_vec corner[2][3];
	exact_vec normal[2];
	bool has_area[2];
	exact_vec work[work_vectors];
	mpz_t scratch;
	mpz_t value;
	mpz_t most;
};

exact_triangles* exact_triangles_create( void )
{
	exact_triangles* t = calloc( 1, sizeof *t );
	for ( int i = 0; i < 6; ++i )
	{
		exact_init( t->corner[i / 3] + i % 3 );
	}
	for ( int i = 0; i < work_vectors; ++i )
	{
		exact_init( t->work + i );
	}
	exact_init( t->normal );
	exact_init( t->normal + 1 );
	mpz_inits( t->scratch, t->value, t->most, (mpz_ptr)NULL );
	return t;
}

void exact_triangles_destroy( exact_triangles* t )
{
	for ( int i = 0; i < 6; ++i )
	{
		exact_clear( t->corner[i / 3] + i % 3 );
	}
	for ( int i = 0; i < work_vectors; ++i )
	{
		exact_clear( t->work + i );
	}
	exact_clear( t->normal );
	exact_clear( t->normal + 1 );
	mpz_clears( t->scratch, t->value, t->most, (mpz_ptr)NULL );
	free( t );
}

static int exponent_of( double x )
{
	int exponent;
	frexp( x, &exponent );
	return exponent;
}

// Multiplies all coordinates by the power of two that makes them integers.
static void set_corners( exact_triangles* t, const bv_vec3 a[3], const bv_vec3 b[3] )
{
	double at[18];
	int least = 1024;
	for ( int i = 0; i < 6; ++i )
	{
		bv_vec3 p = i < 3 ? a[i] : b[i - 3];
		at[3 * i] = p.x;
		at[3 * i + 1] = p.y;
		at[3 * i + 2] = p.z;
	}
	for ( int i = 0; i < 18; ++i )
	{
		int exponent = exponent_of( at[i] );
		least = at[i] != 0 && exponent < least ? exponent : least;
	}
	for ( int i = 0; i < 18; ++i )
	{
		mpz_set_d( t->corner[i / 9][i / 3 % 3].at[i % 3], at[i] == 0 ? 0 : ldexp( at[i], 53 - least ) );
	}
	for ( int i = 0; i < 2; ++i )
	{
		const exact_vec* corner = t->corner[i];
		exact_sub( t->work, corner + 1, corner );
		exact_sub( t->work + 1, corner + 2, corner );
		exact_cross( t->normal + i, t->work, t->work + 1, t->scratch );
		t->has_area[i] = !exact_is_zero( t->normal + i );
	}
}

static int sign_of_dot( exact_triangles* t, const exact_vec* a, const exact_vec* b )
{
	exact_dot( t->value, a, b );
	return mpz_sgn( t->value );
}

// The ends may be equal.
static bool is_on_segment( exact_triangles* t, const exact_vec* x, const exact_vec* p, const exact_vec* q )
{
	exact_vec* w = t->work;
	exact_sub( w, p, x );
	exact_sub( w + 1, q, x );
	exact_cross( w + 2, w, w + 1, t->scratch );
	return exact_is_zero( w + 2 ) && sign_of_dot( t, w, w + 1 ) <= 0;
}

// Whether the dot product of the cross product of a and b with n is from 0 to t->most.
static bool is_within( exact_triangles* t, const exact_vec* a, const exact_vec* b, const exact_vec* n )
{
	exact_vec* w = t->work + 4;
	exact_cross( w, a, b, t->scratch );
	return sign_of_dot( t, w, n ) >= 0 && mpz_cmp( t->value, t->most ) <= 0;
}

static bool do_segments_meet( exact_triangles* t, const exact_vec* p, const exact_vec* p_end,
                              const exact_vec* q, const exact_vec* q_end )
{
	exact_vec* u = t->work;
	exact_vec* v = t->work + 1;
	exact_vec* r = t->work + 2;
	exact_vec* n = t->work + 3;
	exact_sub( u, p_end, p );
	exact_sub( v, q_end, q );
	exact_sub( r, q, p );
	exact_cross( n, u, v, t->scratch );
	if ( exact_is_zero( n ) )
	{
		return is_on_segment( t, p, q, q_end ) || is_on_segment( t, p_end, q, q_end ) ||
		       is_on_segment( t, q, p, p_end ) || is_on_segment( t, q_end, p, p_end );
	}
	if ( sign_of_dot( t, r, n ) != 0 )
	{
		return false;
	}
	exact_dot( t->most, n, n );
	return is_within( t, r, v, n ) && is_within( t, r, u, n );
}

// @param x  a point of the triangle's plane
static bool is_in_face( exact_triangles* t, const exact_vec* x, int of )
{
	const exact_vec* corner = t->corner[of];
	for ( int k = 0; k < 3; ++k )
	{
		exact_vec* w = t->work;
		exact_sub( w, corner + ( k + 1 ) % 3, corner + k );
		exact_sub( w + 1, x, corner + k );
		exact_cross( w + 2, w, w + 1, t->scratch );
		if ( sign_of_dot( t, w + 2, t->normal + of ) < 0 )
		{
			return false;
		}
	}
	return true;
}

// @return whether the line through two points that are not both in the plane of the triangle meets it
static bool does_line_meet( exact_triangles* t, const exact_vec* p, const exact_vec* p_end, int of )
{
	const exact_vec* corner = t->corner[of];
	exact_vec* w = t->work;
	bool left = false;
	bool right = false;
	exact_sub( w, p_end, p );
	for ( int k = 0; k < 3; ++k )
	{
		exact_sub( w + 1, corner + k, p );
		exact_sub( w + 2, corner + ( k + 1 ) % 3, p );
		exact_cross( w + 3, w + 1, w + 2, t->scratch );
		int sign = sign_of_dot( t, w, w + 3 );
		left |= sign > 0;
		right |= sign < 0;
	}
	return !( left && right );
}

static bool does_segment_meet( exact_triangles* t, const exact_vec* p, const exact_vec* p_end, int of )
{
	const exact_vec* corner = t->corner[of];
	int side[2] = { 0, 0 };
	if ( t->has_area[of] )
	{
		exact_sub( t->work, p, corner );
		side[0] = sign_of_dot( t, t->work, t->normal + of );
		exact_sub( t->work, p_end, corner );
		side[1] = sign_of_dot( t, t->work, t->normal + of );
		if ( side[0] != 0 || side[1] != 0 )
		{
			return side[0] * side[1] <= 0 && does_line_meet( t, p, p_end, of );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		if ( do_segments_meet( t, p, p_end, corner + k, corner + ( k + 1 ) % 3 ) )
		{
			return true;
		}
	}
	return t->has_area[of] && is_in_face( t, p, of );
}

static bool do_ranges_meet( double a, double b, double c, double d, double e, double f )
{
	return fmin( fmin( a, b ), c ) <= fmax( fmax( d, e ), f ) &&
	       fmin( fmin( d, e ), f ) <= fmax( fmax( a, b ), c );
}

static bool do_boxes_meet( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	return do_ranges_meet( a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x ) &&
	       do_ranges_meet( a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y ) &&
	       do_ranges_meet( a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z );
}

bool exact_triangles_meet( exact_triangles* t, const bv_vec3 a[3], const bv_vec3 b[3] )
{
	if ( !do_boxes_meet( a, b ) )
	{
		return false;
	}
	set_corners( t, a, b );
	for ( int i = 0; i < 6; ++i )
	{
		const exact_vec* corner = t->corner[i / 3];
		if ( does_segment_meet( t, corner + i % 3, corner + ( i + 1 ) % 3, 1 - i / 3 ) )
		{
			return true;
		}
	}
	return false;
}
