// GJK with integers. See convex_exact.h.

#include "tests/reference/convex_exact.h"

#include "tests/reference/exact_corners.h"
#include "tests/reference/exact_depth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Vertices of b - a, and the point of their affine hull that is nearest to the origin.
typedef struct simplex
{
	uint32_t vertex[4];
	uint32_t count;
	exact_vec nearest; // the point times a positive number; zero if it is the origin
} simplex;

struct convex_exact
{
	exact_pair* pair;
	exact_depth* depth;
	mpz_t numerator;
	mpz_t denominator;
	uint32_t supports;
	simplex now;
	simplex other;
	exact_vec edge[3];
	exact_vec normal;
	exact_vec cross;
	mpz_t product[4];
	mpz_t scratch;
};

convex_exact* convex_exact_create( void )
{
	convex_exact* m = calloc( 1, sizeof *m );
	m->pair = exact_pair_create();
	m->depth = exact_depth_create();
	mpz_inits( m->numerator, m->denominator, m->product[0], m->product[1], m->product[2], m->product[3],
	           m->scratch, NULL );
	exact_init( &m->now.nearest );
	exact_init( &m->other.nearest );
	exact_init( &m->normal );
	exact_init( &m->cross );
	for ( int k = 0; k < 3; ++k )
	{
		exact_init( &m->edge[k] );
	}
	return m;
}

void convex_exact_destroy( convex_exact* m )
{
	if ( !m )
	{
		return;
	}
	exact_pair_destroy( m->pair );
	exact_depth_destroy( m->depth );
	mpz_clears( m->numerator, m->denominator, m->product[0], m->product[1], m->product[2], m->product[3],
	            m->scratch, NULL );
	exact_clear( &m->now.nearest );
	exact_clear( &m->other.nearest );
	exact_clear( &m->normal );
	exact_clear( &m->cross );
	for ( int k = 0; k < 3; ++k )
	{
		exact_clear( &m->edge[k] );
	}
	free( m );
}

static const exact_vec* at( const convex_exact* m, const simplex* s, uint32_t k )
{
	return &m->pair->at[s->vertex[k]].at;
}

// Each of these finds the point of the affine hull that is nearest to the origin.
// @return whether it is in the simplex and on none of its sides

static bool nearest_of_vertex( convex_exact* m, simplex* s )
{
	for ( int k = 0; k < 3; ++k )
	{
		mpz_set( s->nearest.at[k], at( m, s, 0 )->at[k] );
	}
	return true;
}

static bool nearest_of_edge( convex_exact* m, simplex* s )
{
	const exact_vec* a = at( m, s, 0 );
	exact_sub( &m->edge[0], at( m, s, 1 ), a );
	exact_dot( m->product[0], &m->edge[0], a );
	mpz_neg( m->product[0], m->product[0] );
	exact_dot( m->product[1], &m->edge[0], &m->edge[0] );
	if ( mpz_sgn( m->product[0] ) <= 0 || mpz_cmp( m->product[0], m->product[1] ) >= 0 )
	{
		return false;
	}
	for ( int k = 0; k < 3; ++k )
	{
		mpz_mul( s->nearest.at[k], a->at[k], m->product[1] );
		mpz_addmul( s->nearest.at[k], m->edge[0].at[k], m->product[0] );
	}
	return true;
}

static bool nearest_of_triangle( convex_exact* m, simplex* s )
{
	const exact_vec* a = at( m, s, 0 );
	exact_sub( &m->edge[0], at( m, s, 1 ), a );
	exact_sub( &m->edge[1], at( m, s, 2 ), a );
	exact_cross( &m->normal, &m->edge[0], &m->edge[1], m->scratch );
	// Barycentric coordinates of the foot of the origin are volumes over the sides.
	for ( uint32_t k = 0; k < 3; ++k )
	{
		exact_cross( &m->cross, at( m, s, k ), at( m, s, ( k + 1 ) % 3 ), m->scratch );
		exact_dot( m->product[0], &m->cross, &m->normal );
		if ( mpz_sgn( m->product[0] ) <= 0 )
		{
			return false;
		}
	}
	exact_dot( m->product[0], &m->normal, a );
	int side = mpz_sgn( m->product[0] );
	for ( int k = 0; k < 3; ++k )
	{
		mpz_mul_si( s->nearest.at[k], m->normal.at[k], side );
	}
	return true;
}

// The origin itself, if it is inside.
static bool nearest_of_tetrahedron( convex_exact* m, simplex* s )
{
	int sign[5];
	for ( uint32_t k = 0; k <= 4; ++k )
	{
		// The volume of all four vertices, then with vertex k - 1 replaced by the origin.
		for ( uint32_t i = 0; i < 3; ++i )
		{
			const exact_vec* corner = at( m, s, i + 1 );
			if ( k == i + 2 )
			{
				for ( int axis = 0; axis < 3; ++axis )
				{
					mpz_set_si( m->edge[i].at[axis], 0 );
				}
			}
			else
			{
				for ( int axis = 0; axis < 3; ++axis )
				{
					mpz_set( m->edge[i].at[axis], corner->at[axis] );
				}
			}
			if ( k != 1 )
			{
				exact_sub( &m->edge[i], &m->edge[i], at( m, s, 0 ) );
			}
		}
		exact_cross( &m->cross, &m->edge[1], &m->edge[2], m->scratch );
		exact_dot( m->product[0], &m->edge[0], &m->cross );
		sign[k] = mpz_sgn( m->product[0] );
		if ( k > 0 && ( sign[k] == 0 || sign[k] != sign[0] ) )
		{
			return false;
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		mpz_set_si( s->nearest.at[k], 0 );
	}
	return true;
}

static bool nearest_of( convex_exact* m, simplex* s )
{
	switch ( s->count )
	{
	case 1: return nearest_of_vertex( m, s );
	case 2: return nearest_of_edge( m, s );
	case 3: return nearest_of_triangle( m, s );
	default: return nearest_of_tetrahedron( m, s );
	}
}

// Whether a vertex is nearer than the plane through the nearest point.
static bool is_nearer( convex_exact* m, const simplex* s, uint32_t vertex )
{
	exact_dot( m->product[2], &s->nearest, &m->pair->at[vertex].at );
	exact_dot( m->product[3], &s->nearest, at( m, s, 0 ) );
	return mpz_cmp( m->product[2], m->product[3] ) < 0;
}

// Adds a vertex to the simplex, which then becomes the smallest part of it that has the point nearest to the origin.
// There is one part with the nearest point inside, and no vertex beyond the plane through that.
static void add_vertex( convex_exact* m, uint32_t added )
{
	simplex all = m->now;
	all.vertex[all.count++] = added;
	uint32_t others = all.count - 1;
	for ( uint32_t parts = 0; parts < 1u << others; ++parts )
	{
		simplex* s = &m->other;
		s->count = 0;
		for ( uint32_t k = 0; k < others; ++k )
		{
			if ( parts >> k & 1 )
			{
				s->vertex[s->count++] = all.vertex[k];
			}
		}
		s->vertex[s->count++] = added;
		bool is_best = nearest_of( m, s );
		for ( uint32_t k = 0; k < others && is_best; ++k )
		{
			is_best = parts >> k & 1 || !is_nearer( m, s, all.vertex[k] );
		}
		if ( is_best )
		{
			memcpy( m->now.vertex, s->vertex, sizeof s->vertex );
			m->now.count = s->count;
			for ( int k = 0; k < 3; ++k )
			{
				mpz_swap( m->now.nearest.at[k], s->nearest.at[k] );
			}
			return;
		}
	}
	abort(); // impossible: a point nearest to the origin exists
}

// The square of the distance of the simplex.
static void set_square( convex_exact* m )
{
	const simplex* s = &m->now;
	const exact_vec* a = at( m, s, 0 );
	mpz_set_si( m->denominator, 1 );
	if ( s->count == 1 )
	{
		exact_dot( m->numerator, a, a );
		return;
	}
	exact_sub( &m->edge[0], at( m, s, 1 ), a );
	if ( s->count == 2 )
	{
		exact_cross( &m->cross, a, at( m, s, 1 ), m->scratch );
		exact_dot( m->numerator, &m->cross, &m->cross );
		exact_dot( m->denominator, &m->edge[0], &m->edge[0] );
		return;
	}
	exact_dot( m->scratch, &s->nearest, a );
	mpz_mul( m->numerator, m->scratch, m->scratch );
	exact_dot( m->denominator, &s->nearest, &s->nearest );
}

// The square root of the fraction, between binary64 numbers.
static void bracket( convex_exact* m, double* lower, double* upper )
{
	*lower = *upper = 0;
	if ( mpz_sgn( m->numerator ) == 0 )
	{
		return;
	}
	// root^2 <= numerator 4^shift / denominator < ( root + 1 )^2, with a root of 70 digits or more.
	long have = (long)mpz_sizeinbase( m->numerator, 2 ) - (long)mpz_sizeinbase( m->denominator, 2 );
	long shift = have < 144 ? ( 145 - have ) / 2 : 0;
	mpz_mul_2exp( m->product[0], m->numerator, 2 * (mp_bitcnt_t)shift );
	mpz_fdiv_qr( m->product[0], m->product[1], m->product[0], m->denominator );
	bool is_exact = mpz_sgn( m->product[1] ) == 0;
	mpz_sqrtrem( m->product[0], m->product[1], m->product[0] );
	is_exact = is_exact && mpz_sgn( m->product[1] ) == 0;
	long digits = (long)mpz_sizeinbase( m->product[0], 2 );
	long exponent = -shift - m->pair->bits; // of the last digit
	long kept = digits + exponent + 1074;   // of digits, as far as binary64 numbers have them
	kept = kept > 53 ? 53 : kept;
	if ( kept <= 0 )
	{
		*upper = 0x1p-1074;
		return;
	}
	long dropped = digits - kept;
	is_exact = is_exact && mpz_divisible_2exp_p( m->product[0], (mp_bitcnt_t)dropped );
	mpz_tdiv_q_2exp( m->product[0], m->product[0], (mp_bitcnt_t)dropped );
	*lower = ldexp( mpz_get_d( m->product[0] ), (int)( exponent + dropped ) );
	*upper = is_exact ? *lower : nextafter( *lower, INFINITY );
}

bool convex_exact_compare( convex_exact* m, const bv_convex* a, const bv_transform* placement_a,
                           const bv_convex* b, const bv_transform* placement_b, convex_exact_result* result )
{
	const bv_convex* convex[2] = { a, b };
	const bv_transform* placement[2] = { placement_a, placement_b };
	if ( !exact_pair_set( m->pair, convex, placement ) )
	{
		return false;
	}
	m->now.count = 0;
	uint32_t vertex = exact_pair_vertex( m->pair, 0, 0 );
	do
	{
		add_vertex( m, vertex );
		if ( exact_is_zero( &m->now.nearest ) )
		{
			break;
		}
		vertex = exact_pair_support( m->pair, &m->now.nearest, -1 );
	} while ( is_nearer( m, &m->now, vertex ) );

	bool is_apart = !exact_is_zero( &m->now.nearest );
	if ( is_apart )
	{
		set_square( m );
	}
	else
	{
		exact_depth_find( m->depth, m->pair, m->now.vertex, m->now.count, m->numerator, m->denominator );
	}
	m->supports = m->pair->count;
	double lower;
	double upper;
	bracket( m, &lower, &upper );
	result->sign = is_apart ? 1 : mpz_sgn( m->numerator ) == 0 ? 0 : -1;
	result->lower = is_apart ? lower : 0 - upper; // not -0
	result->upper = is_apart ? upper : 0 - lower;
	result->size = m->pair->size;
	return true;
}

void convex_exact_square( const convex_exact* m, mpq_t square )
{
	mpz_set( mpq_numref( square ), m->numerator );
	mpz_set( mpq_denref( square ), m->denominator );
	mpq_canonicalize( square );
	if ( m->pair->bits > 0 )
	{
		mpq_div_2exp( square, square, 2 * (mp_bitcnt_t)m->pair->bits );
	}
	else
	{
		mpq_mul_2exp( square, square, 2 * (mp_bitcnt_t)-m->pair->bits );
	}
}

uint32_t convex_exact_supports( const convex_exact* m )
{
	return m->supports;
}
