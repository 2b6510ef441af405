// First contacts of moving features with integers. See moving_exact.h.

#include "tests/reference/moving_exact.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum
{
	most_degree = 8,
	most_chain = most_degree + 1,
	most_candidates = 32,
	fine_bits = 60,
};

// Integer coefficients; degree -1 is the zero polynomial.
typedef struct poly
{
	int degree;
	mpz_t c[most_degree + 1];
} poly;

typedef struct poly3
{
	poly x[3];
} poly3;

// A polynomial without multiple roots and its Sturm chain.
typedef struct chain
{
	int count;
	poly of[most_chain];
} chain;

// The only root of a polynomial in ( low, high ] * 2^-bits; time 0 if `start`.
typedef struct root
{
	bool start;
	chain own;
	mpz_t low;
	mpz_t high;
	unsigned bits;
} root;

struct moving_exact
{
	poly3 at[4]; // the points
	poly3 a;     // differences and products of them
	poly3 b;
	poly3 r;
	poly3 n;
	poly3 m;
	poly candidate[most_candidates]; // those whose signs decide about contact
	int candidates;
	int normal; // the first of three candidates
	int segment
		[12]; // the first of four: three products that vanish on the line, and one that is at most 0 between
	int segments;
	int normals;
	root now;
	chain other;
	poly temporary[6];
	mpz_t value;
	mpz_t power;
	mpz_t middle;
};

static void poly_init( poly* p )
{
	p->degree = -1;
	for ( int i = 0; i <= most_degree; ++i )
	{
		mpz_init( p->c[i] );
	}
}

static void poly_clear( poly* p )
{
	for ( int i = 0; i <= most_degree; ++i )
	{
		mpz_clear( p->c[i] );
	}
}

static void poly3_init( poly3* p )
{
	for ( int k = 0; k < 3; ++k )
	{
		poly_init( p->x + k );
	}
}

static void poly3_clear( poly3* p )
{
	for ( int k = 0; k < 3; ++k )
	{
		poly_clear( p->x + k );
	}
}

static void poly_trim( poly* p )
{
	while ( p->degree >= 0 && mpz_sgn( p->c[p->degree] ) == 0 )
	{
		--p->degree;
	}
}

static void poly_set( poly* out, const poly* p )
{
	out->degree = p->degree;
	for ( int i = 0; i <= p->degree; ++i )
	{
		mpz_set( out->c[i], p->c[i] );
	}
}

// out may be a or b.
static void poly_subtract( poly* out, const poly* a, const poly* b )
{
	int degree = a->degree > b->degree ? a->degree : b->degree;
	int of_a = a->degree;
	int of_b = b->degree;
	for ( int i = 0; i <= degree; ++i )
	{
		if ( i > of_a )
		{
			mpz_neg( out->c[i], b->c[i] );
		}
		else if ( i > of_b )
		{
			mpz_set( out->c[i], a->c[i] );
		}
		else
		{
			mpz_sub( out->c[i], a->c[i], b->c[i] );
		}
	}
	out->degree = degree;
	poly_trim( out );
}

// Adds sign * a * b; out is neither.
static void poly_add_product( poly* out, const poly* a, const poly* b, int sign )
{
	int degree = a->degree < 0 || b->degree < 0 ? -1 : a->degree + b->degree;
	for ( int i = out->degree + 1; i <= degree; ++i )
	{
		mpz_set_ui( out->c[i], 0 );
	}
	for ( int i = 0; i <= a->degree; ++i )
	{
		for ( int j = 0; j <= b->degree; ++j )
		{
			if ( sign > 0 )
			{
				mpz_addmul( out->c[i + j], a->c[i], b->c[j] );
			}
			else
			{
				mpz_submul( out->c[i + j], a->c[i], b->c[j] );
			}
		}
	}
	out->degree = out->degree > degree ? out->degree : degree;
	poly_trim( out );
}

static void poly3_subtract( poly3* out, const poly3* a, const poly3* b )
{
	for ( int k = 0; k < 3; ++k )
	{
		poly_subtract( out->x + k, a->x + k, b->x + k );
	}
}

static void poly3_cross( poly3* out, const poly3* a, const poly3* b )
{
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3;
		int j = ( k + 2 ) % 3;
		out->x[k].degree = -1;
		poly_add_product( out->x + k, a->x + i, b->x + j, 1 );
		poly_add_product( out->x + k, a->x + j, b->x + i, -1 );
	}
}

static void poly3_dot( poly* out, const poly3* a, const poly3* b )
{
	out->degree = -1;
	for ( int k = 0; k < 3; ++k )
	{
		poly_add_product( out, a->x + k, b->x + k, 1 );
	}
}

// Divides by what all coefficients have in common, which leaves the signs.
static void poly_reduce( moving_exact* m, poly* p )
{
	if ( p->degree < 0 )
	{
		return;
	}
	mpz_abs( m->value, p->c[p->degree] );
	for ( int i = 0; i < p->degree; ++i )
	{
		mpz_gcd( m->value, m->value, p->c[i] );
	}
	for ( int i = 0; i <= p->degree; ++i )
	{
		mpz_divexact( p->c[i], p->c[i], m->value );
	}
}

// a becomes a positive multiple of the remainder of a divided by b. The quotient is optional, and a multiple of it.
static void poly_remainder( moving_exact* m, poly* a, const poly* b, poly* quotient )
{
	if ( quotient )
	{
		quotient->degree = a->degree - b->degree;
		for ( int i = 0; i <= quotient->degree; ++i )
		{
			mpz_set_ui( quotient->c[i], 0 );
		}
	}
	while ( a->degree >= b->degree && a->degree >= 0 )
	{
		int shift = a->degree - b->degree;
		mpz_set( m->power, a->c[a->degree] );
		if ( mpz_sgn( b->c[b->degree] ) < 0 )
		{
			mpz_neg( m->power, m->power );
		}
		mpz_abs( m->value, b->c[b->degree] );
		for ( int i = 0; i <= a->degree; ++i )
		{
			mpz_mul( a->c[i], a->c[i], m->value );
		}
		for ( int i = 0; quotient && i <= quotient->degree; ++i )
		{
			mpz_mul( quotient->c[i], quotient->c[i], m->value );
		}
		if ( quotient )
		{
			mpz_add( quotient->c[shift], quotient->c[shift], m->power );
		}
		for ( int i = 0; i <= b->degree; ++i )
		{
			mpz_submul( a->c[i + shift], m->power, b->c[i] );
		}
		poly_trim( a );
	}
}

static void poly_derive( poly* out, const poly* p )
{
	out->degree = p->degree - 1;
	for ( int i = 1; i <= p->degree; ++i )
	{
		mpz_mul_ui( out->c[i - 1], p->c[i], (unsigned long)i );
	}
}

// out is the greatest common divisor of two polynomials that are not both zero; it is neither.
static void poly_common( moving_exact* m, poly* out, const poly* a, const poly* b )
{
	poly* rest = m->temporary + 4;
	poly_set( out, a );
	poly_set( rest, b );
	poly_reduce( m, out );
	poly_reduce( m, rest );
	while ( rest->degree >= 0 )
	{
		poly* next = m->temporary + 5;
		poly_set( next, out );
		poly_set( out, rest );
		if ( out->degree == 0 )
		{
			return;
		}
		poly_remainder( m, next, out, NULL );
		poly_reduce( m, next );
		poly_set( rest, next );
	}
}

// @param p  not zero
static void chain_make( moving_exact* m, chain* s, const poly* p )
{
	poly* derived = m->temporary;
	poly* common = m->temporary + 1;
	poly_set( s->of, p );
	poly_reduce( m, s->of );
	s->count = 1;
	if ( p->degree < 1 )
	{
		return;
	}
	poly_derive( derived, p );
	poly_common( m, common, p, derived );
	if ( common->degree > 0 )
	{
		poly* rest = m->temporary + 2;
		poly_set( rest, s->of );
		poly_remainder( m, rest, common, s->of );
		poly_trim( s->of );
		poly_reduce( m, s->of );
	}
	poly_derive( s->of + 1, s->of );
	s->count = 2;
	while ( s->of[s->count - 1].degree > 0 )
	{
		poly* next = s->of + s->count;
		poly_set( next, s->of + s->count - 2 );
		poly_remainder( m, next, s->of + s->count - 1, NULL );
		poly_reduce( m, next );
		for ( int i = 0; i <= next->degree; ++i )
		{
			mpz_neg( next->c[i], next->c[i] );
		}
		if ( next->degree < 0 )
		{
			return;
		}
		++s->count;
	}
}

// @return the sign of p at x * 2^-bits
static int poly_sign( moving_exact* m, const poly* p, const mpz_t x, unsigned bits )
{
	if ( p->degree < 0 )
	{
		return 0;
	}
	mpz_set( m->value, p->c[p->degree] );
	for ( int i = p->degree - 1; i >= 0; --i )
	{
		mpz_mul( m->value, m->value, x );
		mpz_mul_2exp( m->power, p->c[i], (mp_bitcnt_t)bits * (mp_bitcnt_t)( p->degree - i ) );
		mpz_add( m->value, m->value, m->power );
	}
	return mpz_sgn( m->value );
}

static int chain_changes( moving_exact* m, const chain* s, const mpz_t x, unsigned bits )
{
	int changes = 0;
	int last = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		int sign = poly_sign( m, s->of + i, x, bits );
		changes += sign * last < 0;
		last = sign != 0 ? sign : last;
	}
	return changes;
}

// @return the number of roots in ( low, high ]
static int chain_roots( moving_exact* m, const chain* s, const mpz_t low, const mpz_t high, unsigned bits )
{
	return chain_changes( m, s, low, bits ) - chain_changes( m, s, high, bits );
}

// Halves the interval of a root.
static void root_halve( moving_exact* m, root* r )
{
	mpz_add( m->middle, r->low, r->high );
	mpz_mul_2exp( r->low, r->low, 1 );
	mpz_mul_2exp( r->high, r->high, 1 );
	++r->bits;
	if ( chain_roots( m, &r->own, r->low, m->middle, r->bits ) > 0 )
	{
		mpz_set( r->high, m->middle );
	}
	else
	{
		mpz_set( r->low, m->middle );
	}
}

// @return the sign of q at a root
static int sign_at( moving_exact* m, const poly* q )
{
	root* r = &m->now;
	if ( q->degree < 1 || r->start )
	{
		return q->degree < 0 ? 0 : mpz_sgn( q->c[0] );
	}
	poly* common = m->temporary + 3;
	poly_common( m, common, r->own.of, q );
	if ( common->degree > 0 )
	{
		chain_make( m, &m->other, common );
		if ( chain_roots( m, &m->other, r->low, r->high, r->bits ) > 0 )
		{
			return 0;
		}
	}
	chain_make( m, &m->other, q );
	while ( poly_sign( m, q, r->low, r->bits ) == 0 ||
	        chain_roots( m, &m->other, r->low, r->high, r->bits ) > 0 )
	{
		root_halve( m, r );
	}
	return poly_sign( m, q, r->high, r->bits );
}

// Whether the features touch at the root, where the four points are in one plane.
static bool touches( moving_exact* m )
{
	bool flat = true;
	for ( int k = 0; k < 3 && flat; ++k )
	{
		flat = sign_at( m, m->candidate + m->normal + k ) == 0;
	}
	for ( int i = 0; !flat && i < m->normals; ++i )
	{
		if ( sign_at( m, m->candidate + m->normal + 3 + i ) < 0 )
		{
			return false;
		}
	}
	for ( int i = 0; flat && i < m->segments; ++i )
	{
		const poly* on = m->candidate + m->segment[i];
		if ( sign_at( m, on ) == 0 && sign_at( m, on + 1 ) == 0 && sign_at( m, on + 2 ) == 0 &&
		     sign_at( m, on + 3 ) <= 0 )
		{
			return true;
		}
	}
	return !flat;
}

// The interval of the root, in doubles.
static void refine( moving_exact* m, moving_exact_time* out )
{
	root* r = &m->now;
	out->found = true;
	out->lower = out->upper = 0;
	if ( !r->start )
	{
		while ( r->bits < fine_bits )
		{
			root_halve( m, r );
		}
		// Both are rounded towards 0.
		long exponent[2];
		double low = mpz_get_d_2exp( &exponent[0], r->low );
		double high = mpz_get_d_2exp( &exponent[1], r->high );
		out->lower = ldexp( low, (int)( exponent[0] - (long)r->bits ) );
		out->upper = nextafter( ldexp( high, (int)( exponent[1] - (long)r->bits ) ), INFINITY );
	}
}

// The first root of a polynomial in [0, 1] at which the features touch, if it is before the result.
static void search( moving_exact* m, const poly* p, moving_exact_time* out )
{
	root* r = &m->now;
	if ( p->degree < 0 )
	{
		return;
	}
	moving_exact_time found;
	r->start = mpz_sgn( p->c[0] ) == 0;
	if ( r->start && touches( m ) )
	{
		refine( m, out );
		return;
	}
	r->start = false;
	if ( p->degree < 1 )
	{
		return;
	}
	chain_make( m, &r->own, p );
	// The intervals that remain are those to the right of this one, at each of its sizes.
	mpz_set_ui( r->low, 0 );
	mpz_set_ui( r->high, 1 );
	r->bits = 0;
	for ( ;; )
	{
		int count = chain_roots( m, &r->own, r->low, r->high, r->bits );
		if ( count > 1 )
		{
			mpz_mul_2exp( r->low, r->low, 1 );
			++r->bits;
			mpz_add_ui( r->high, r->low, 1 );
			continue;
		}
		if ( count == 1 )
		{
			mpz_t low;
			unsigned bits = r->bits;
			mpz_init_set( low, r->low );
			if ( touches( m ) )
			{
				refine( m, &found );
				mpz_clear( low );
				if ( !out->found || found.lower < out->lower )
				{
					*out = found;
				}
				return;
			}
			mpz_set( r->low, low );
			mpz_clear( low );
			r->bits = bits;
		}
		// On to the next interval.
		mpz_add_ui( r->low, r->low, 1 );
		while ( r->bits > 0 && mpz_even_p( r->low ) )
		{
			mpz_fdiv_q_2exp( r->low, r->low, 1 );
			--r->bits;
		}
		if ( r->bits == 0 )
		{
			return;
		}
		mpz_add_ui( r->high, r->low, 1 );
	}
}

// Coordinates as integers: all times the same power of two.
static void read_points( moving_exact* m, const bv_vec3 start[4], const bv_vec3 end[4] )
{
	int least = 2000;
	for ( int i = 0; i < 8; ++i )
	{
		const bv_vec3* p = i < 4 ? start + i : end + i - 4;
		const double x[3] = { p->x, p->y, p->z };
		for ( int k = 0; k < 3; ++k )
		{
			int exponent;
			frexp( x[k], &exponent );
			least = x[k] != 0 && exponent < least ? exponent : least;
		}
	}
	for ( int i = 0; i < 4; ++i )
	{
		const double from[3] = { start[i].x, start[i].y, start[i].z };
		const double to[3] = { end[i].x, end[i].y, end[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			poly* p = m->at[i].x + k;
			const double value[2] = { from[k], to[k] };
			for ( int j = 0; j < 2; ++j )
			{
				int exponent;
				double fraction = frexp( value[j], &exponent );
				mpz_set_d( p->c[j], ldexp( fraction, 53 ) );
				if ( value[j] != 0 )
				{
					mpz_mul_2exp( p->c[j], p->c[j], (mp_bitcnt_t)( exponent - least ) );
				}
			}
			mpz_sub( p->c[1], p->c[1], p->c[0] );
			p->degree = 1;
			poly_trim( p );
		}
	}
}

static poly* add_candidate( moving_exact* m )
{
	return m->candidate + m->candidates++;
}

static void add_normal( moving_exact* m )
{
	m->normal = m->candidates;
	for ( int k = 0; k < 3; ++k )
	{
		poly_set( add_candidate( m ), m->n.x + k );
	}
}

// The signs that tell whether a point is on a segment.
static void add_segment( moving_exact* m, int point, int from, int to )
{
	m->segment[m->segments++] = m->candidates;
	poly3_subtract( &m->a, m->at + from, m->at + point );
	poly3_subtract( &m->b, m->at + to, m->at + point );
	poly3_cross( &m->m, &m->a, &m->b );
	for ( int k = 0; k < 3; ++k )
	{
		poly_set( add_candidate( m ), m->m.x + k );
	}
	poly3_dot( add_candidate( m ), &m->a, &m->b );
}

// @param plane  vanishes when all points are in one plane
static void find( moving_exact* m, const poly* plane, moving_exact_time* out )
{
	out->found = false;
	out->lower = out->upper = INFINITY;
	if ( plane->degree >= 0 )
	{
		search( m, plane, out );
		return;
	}
	m->now.start = true;
	if ( touches( m ) )
	{
		refine( m, out );
		return;
	}
	for ( int i = 0; i < m->candidates; ++i )
	{
		search( m, m->candidate + i, out );
	}
}

moving_exact* moving_exact_create( void )
{
	moving_exact* m = calloc( 1, sizeof *m );
	for ( int i = 0; i < 4; ++i )
	{
		poly3_init( m->at + i );
	}
	poly3_init( &m->a );
	poly3_init( &m->b );
	poly3_init( &m->r );
	poly3_init( &m->n );
	poly3_init( &m->m );
	for ( int i = 0; i < most_candidates; ++i )
	{
		poly_init( m->candidate + i );
	}
	for ( int i = 0; i < most_chain; ++i )
	{
		poly_init( m->now.own.of + i );
		poly_init( m->other.of + i );
	}
	for ( int i = 0; i < 6; ++i )
	{
		poly_init( m->temporary + i );
	}
	mpz_inits( m->now.low, m->now.high, m->value, m->power, m->middle, NULL );
	return m;
}

void moving_exact_destroy( moving_exact* m )
{
	if ( !m )
	{
		return;
	}
	for ( int i = 0; i < 4; ++i )
	{
		poly3_clear( m->at + i );
	}
	poly3_clear( &m->a );
	poly3_clear( &m->b );
	poly3_clear( &m->r );
	poly3_clear( &m->n );
	poly3_clear( &m->m );
	for ( int i = 0; i < most_candidates; ++i )
	{
		poly_clear( m->candidate + i );
	}
	for ( int i = 0; i < most_chain; ++i )
	{
		poly_clear( m->now.own.of + i );
		poly_clear( m->other.of + i );
	}
	for ( int i = 0; i < 6; ++i )
	{
		poly_clear( m->temporary + i );
	}
	mpz_clears( m->now.low, m->now.high, m->value, m->power, m->middle, NULL );
	free( m );
}

void moving_exact_vertex_face( moving_exact* m, const bv_vec3 start[4], const bv_vec3 end[4],
                               moving_exact_time* result )
{
	poly plane;
	poly_init( &plane );
	read_points( m, start, end );
	m->candidates = m->segments = 0;
	poly3_subtract( &m->a, m->at + 2, m->at + 1 );
	poly3_subtract( &m->b, m->at + 3, m->at + 1 );
	poly3_subtract( &m->r, m->at + 0, m->at + 1 );
	poly3_cross( &m->n, &m->a, &m->b );
	poly3_dot( &plane, &m->n, &m->r );
	add_normal( m );
	for ( int i = 0; i < 3; ++i )
	{
		int from = 1 + i;
		int to = 1 + ( i + 1 ) % 3;
		poly3_subtract( &m->a, m->at + to, m->at + from );
		poly3_subtract( &m->b, m->at + 0, m->at + from );
		poly3_cross( &m->m, &m->a, &m->b );
		poly3_dot( add_candidate( m ), &m->n, &m->m );
	}
	m->normals = 3;
	for ( int i = 0; i < 3; ++i )
	{
		add_segment( m, 0, 1 + i, 1 + ( i + 1 ) % 3 );
	}
	find( m, &plane, result );
	poly_clear( &plane );
}

void moving_exact_edge_edge( moving_exact* m, const bv_vec3 start[4], const bv_vec3 end[4],
                             moving_exact_time* result )
{
	poly plane;
	poly_init( &plane );
	read_points( m, start, end );
	m->candidates = m->segments = 0;
	poly3_subtract( &m->a, m->at + 1, m->at + 0 );
	poly3_subtract( &m->b, m->at + 3, m->at + 2 );
	poly3_subtract( &m->r, m->at + 2, m->at + 0 );
	poly3_cross( &m->n, &m->a, &m->b );
	poly3_dot( &plane, &m->n, &m->r );
	add_normal( m );
	poly3_cross( &m->m, &m->n, &m->r );
	const poly3* along[2] = { &m->b, &m->a };
	for ( int i = 0; i < 2; ++i )
	{
		// The place on the edge, times the square of the normal, and what is left of it to the end.
		poly* place = add_candidate( m );
		poly3_dot( place, along[i], &m->m );
		poly* rest = add_candidate( m );
		poly3_dot( rest, &m->n, &m->n );
		poly_subtract( rest, rest, place );
	}
	m->normals = 4;
	for ( int i = 0; i < 2; ++i )
	{
		add_segment( m, i, 2, 3 );
		add_segment( m, 2 + i, 0, 1 );
	}
	find( m, &plane, result );
	poly_clear( &plane );
}
