// Real roots. See roots.h.
//
// Let the coefficients of p have N bits and those of q M bits. The remainder of a cubic p by a quadratic q has N + 2 M
// bits, and q at its zero, as a numerator, 2 N + 5 M. The simple root of a cubic that has a double one, too, is a
// fraction of 3 N bits, and q there has 6 N + M. For features, N is 3 S and M is 2 S, so that these are 16 S and 20 S.

#include "runtime/math/roots.h"

#include "runtime/math/exact.h"

#include <math.h>
#include <stddef.h>

void bvmath_polynomial_trim( bvmath_polynomial* p, int most )
{
	while ( most >= 0 && p->coefficient[most].sign == 0 )
	{
		--most;
	}
	p->degree = most;
}

void bvmath_polynomial_keep( bvmath_pool* pool, uint32_t used, int most, bvmath_polynomial* p )
{
	for ( int k = 0; k <= most; ++k )
	{
		p->coefficient[k] = bvmath_integer_keep( pool, used, p->coefficient[k] );
		used = pool->used;
	}
	bvmath_polynomial_trim( p, most );
}

static void differentiate( bvmath_pool* pool, const bvmath_polynomial* p, bvmath_polynomial* out )
{
	out->degree = p->degree - 1;
	for ( int k = 1; k <= p->degree; ++k )
	{
		out->coefficient[k - 1] = bvmath_integer_times( pool, p->coefficient[k], k );
	}
}

static bvmath_fraction fraction_of( bvmath_integer numerator, bvmath_integer denominator )
{
	return ( bvmath_fraction ){ bvmath_integer_signed( numerator, denominator ),
		                        bvmath_integer_signed( denominator, denominator ) };
}

static int sign_at_fraction( bvmath_pool* pool, bvmath_fraction x, const bvmath_polynomial* q )
{
	if ( q->degree < 1 )
	{
		return q->degree < 0 ? 0 : q->coefficient[0].sign;
	}
	uint32_t used = pool->used;
	bvmath_integer sum = q->coefficient[q->degree];
	bvmath_integer power = x.denominator;
	for ( int k = q->degree - 1; k >= 0; --k )
	{
		bvmath_integer product = bvmath_integer_multiply( pool, sum, x.numerator );
		bvmath_integer next = bvmath_integer_multiply( pool, q->coefficient[k], power );
		sum = bvmath_integer_add( pool, product, next );
		power = k > 0 ? bvmath_integer_multiply( pool, power, x.denominator ) : power;
	}
	pool->used = used;
	return sum.sign;
}

static int compare_fractions( bvmath_pool* pool, bvmath_fraction a, bvmath_fraction b )
{
	uint32_t used = pool->used;
	int sign = bvmath_integer_cross( pool, a.numerator, a.denominator, b.numerator, b.denominator ).sign;
	pool->used = used;
	return sign;
}

// b^2 - 4 a c
static bvmath_integer discriminant_of_quadratic( bvmath_pool* pool, const bvmath_polynomial* p )
{
	uint32_t used = pool->used;
	const bvmath_integer* c = p->coefficient;
	bvmath_integer four = bvmath_integer_shift( pool, c[2], 2 );
	return bvmath_integer_keep( pool, used, bvmath_integer_cross( pool, c[1], four, c[0], c[1] ) );
}

// The root of a linear polynomial.
static bvmath_fraction zero_of( const bvmath_polynomial* q )
{
	return fraction_of( bvmath_integer_negate( q->coefficient[0] ), q->coefficient[1] );
}

// Both roots of a quadratic that are the same.
static bvmath_fraction double_zero_of( bvmath_pool* pool, const bvmath_polynomial* q )
{
	return fraction_of( bvmath_integer_negate( q->coefficient[1] ),
	                    bvmath_integer_shift( pool, q->coefficient[2], 1 ) );
}

static void quadratic_roots( bvmath_pool* pool, const bvmath_polynomial* p, bvmath_roots* out )
{
	uint32_t used = pool->used;
	int sign = discriminant_of_quadratic( pool, p ).sign;
	pool->used = used;
	out->fractions = sign == 0;
	out->count = 1 + sign;
	if ( sign == 0 )
	{
		out->fraction[0] = double_zero_of( pool, p );
	}
}

// Those of a cubic that has a multiple root. With D = b^2 - 3 a c, the double one is (9 a d - b c) / (2 D), and the simple
// one (4 a b c - 9 a^2 d - b^3) / (a D); if D is 0, the only one is -b / (3 a).
static void multiple_roots( bvmath_pool* pool, const bvmath_polynomial* p, bvmath_roots* out )
{
	bvmath_integer a = p->coefficient[3];
	bvmath_integer b = p->coefficient[2];
	bvmath_integer c = p->coefficient[1];
	bvmath_integer d = p->coefficient[0];
	bvmath_integer three = bvmath_integer_times( pool, a, 3 );
	out->fractions = true;
	bvmath_integer part = bvmath_integer_cross( pool, b, three, c, b );
	if ( part.sign == 0 )
	{
		out->count = 1;
		out->fraction[0] = fraction_of( bvmath_integer_negate( b ), three );
		return;
	}
	bvmath_integer nine = bvmath_integer_times( pool, a, 9 );
	bvmath_integer twice = bvmath_integer_cross( pool, nine, b, c, d );
	bvmath_fraction multiple = fraction_of( twice, bvmath_integer_shift( pool, part, 1 ) );

	uint32_t used = pool->used;
	bvmath_integer bc = bvmath_integer_multiply( pool, b, c );
	bvmath_integer inner = bvmath_integer_subtract( pool, bvmath_integer_shift( pool, bc, 2 ),
	                                                bvmath_integer_multiply( pool, nine, d ) );
	bvmath_integer square = bvmath_integer_multiply( pool, b, b );
	bvmath_integer numerator =
		bvmath_integer_keep( pool, used, bvmath_integer_cross( pool, a, b, square, inner ) );
	bvmath_fraction simple = fraction_of( numerator, bvmath_integer_multiply( pool, a, part ) );
	int order = compare_fractions( pool, multiple, simple );
	out->count = 2;
	out->fraction[order > 0] = multiple;
	out->fraction[order <= 0] = simple;
}

// 18 a b c d - 4 b^3 d + b^2 c^2 - 4 a c^3 - 27 a^2 d^2, from the differences b^2 - 3 a c, 9 a d - b c and c^2 - 3 b d:
// 3 times it is 4 (b^2 - 3 a c) (c^2 - 3 b d) - (9 a d - b c)^2.
static int sign_of_cubic_discriminant( bvmath_pool* pool, const bvmath_polynomial* p )
{
	uint32_t used = pool->used;
	bvmath_integer a = p->coefficient[3];
	bvmath_integer b = p->coefficient[2];
	bvmath_integer c = p->coefficient[1];
	bvmath_integer d = p->coefficient[0];
	bvmath_integer three = bvmath_integer_times( pool, a, 3 );
	bvmath_integer first = bvmath_integer_cross( pool, b, three, c, b );
	bvmath_integer last = bvmath_integer_cross( pool, c, bvmath_integer_times( pool, b, 3 ), d, c );
	bvmath_integer middle = bvmath_integer_cross( pool, bvmath_integer_times( pool, a, 9 ), b, c, d );
	bvmath_integer four = bvmath_integer_shift( pool, first, 2 );
	int sign = bvmath_integer_cross( pool, four, middle, middle, last ).sign;
	pool->used = used;
	return sign;
}

void bvmath_roots_of( bvmath_pool* pool, const bvmath_polynomial* p, bvmath_roots* out )
{
	out->count = 0;
	out->fractions = true;
	out->polynomial = *p;
	if ( p->degree < 1 )
	{
		return;
	}
	if ( p->degree == 1 )
	{
		out->count = 1;
		out->fraction[0] = zero_of( p );
		return;
	}
	differentiate( pool, p, &out->first );
	if ( p->degree == 2 )
	{
		quadratic_roots( pool, p, out );
		return;
	}
	int sign = sign_of_cubic_discriminant( pool, p );
	if ( sign == 0 )
	{
		multiple_roots( pool, p, out );
		return;
	}
	differentiate( pool, &out->first, &out->second );
	out->fractions = false;
	out->count = 2 + sign;
}

void bvmath_roots_of_zero( bvmath_pool* pool, bvmath_roots* out )
{
	out->count = 1;
	out->fractions = true;
	out->fraction[0] = ( bvmath_fraction ){ { 0 }, bvmath_integer_of( pool, 1, 0 ) };
}

// What is known of a number among roots: 2 k if k of them are below, and none is equal; 2 k + 1 if root k is.
static int compare_with_place( int index, int place )
{
	int own = 2 * index + 1;
	return ( own > place ) - ( own < place );
}

// @param value, slope  signs at the number of the quadratic and its derivative, times that of the leading coefficient
static int place_among_two( int value, int slope )
{
	return value < 0 ? 2 : value > 0 ? ( slope > 0 ? 4 : 0 ) : ( slope > 0 ? 3 : 1 );
}

// @param value, slope, bend  the same of a cubic and its two derivatives
static int place_among_three( int value, int slope, int bend )
{
	if ( value == 0 )
	{
		return slope <= 0 ? 3 : bend < 0 ? 1 : 5;
	}
	return value < 0 ? ( slope > 0 && bend < 0 ? 0 : 4 ) : ( slope > 0 && bend > 0 ? 6 : 2 );
}

// A quadratic without multiple roots, and its derivative.
typedef struct parabola
{
	const bvmath_polynomial* polynomial;
	const bvmath_polynomial* derivative;
} parabola;

static int place_in_quadratic( bvmath_pool* pool, parabola p, bvmath_fraction x )
{
	int lead = p.polynomial->coefficient[2].sign;
	int value = lead * sign_at_fraction( pool, x, p.polynomial );
	return place_among_two( value, value < 0 ? 0 : lead * sign_at_fraction( pool, x, p.derivative ) );
}

// The remainder of q by a quadratic p, times a positive number.
static bvmath_polynomial remainder_by( bvmath_pool* pool, const bvmath_polynomial* q,
                                       const bvmath_polynomial* p )
{
	uint32_t used = pool->used;
	bvmath_polynomial rest = *q;
	bvmath_integer lead = bvmath_integer_signed( p->coefficient[2], p->coefficient[2] );
	while ( rest.degree >= 2 )
	{
		int top = rest.degree;
		bvmath_integer factor = bvmath_integer_signed( rest.coefficient[top], p->coefficient[2] );
		for ( int k = 0; k < top; ++k )
		{
			bvmath_integer* c = &rest.coefficient[k];
			*c = k < top - 2 ? bvmath_integer_multiply( pool, lead, *c )
			                 : bvmath_integer_cross( pool, lead, factor, p->coefficient[k - top + 2], *c );
		}
		bvmath_polynomial_keep( pool, used, top - 1, &rest );
	}
	return rest;
}

// Of a polynomial at a root of a quadratic, from the remainder.
static int sign_of_remainder( bvmath_pool* pool, parabola p, int index, const bvmath_polynomial* rest )
{
	int sign = rest->degree < 0 ? 0 : rest->coefficient[rest->degree].sign;
	if ( rest->degree == 1 )
	{
		sign *= compare_with_place( index, place_in_quadratic( pool, p, zero_of( rest ) ) );
	}
	return sign;
}

static int sign_at_quadratic( bvmath_pool* pool, parabola p, int index, const bvmath_polynomial* q )
{
	uint32_t used = pool->used;
	bvmath_polynomial rest = remainder_by( pool, q, p.polynomial );
	int sign = sign_of_remainder( pool, p, index, &rest );
	pool->used = used;
	return sign;
}

static int place_in_cubic( int count, int lead, int value, int slope, int bend )
{
	value *= lead;
	return count == 1 ? 1 + value : place_among_three( value, slope * lead, bend * lead );
}

static int place_of_fraction( bvmath_pool* pool, const bvmath_roots* roots, bvmath_fraction x )
{
	if ( roots->polynomial.degree == 2 )
	{
		return place_in_quadratic( pool, ( parabola ){ &roots->polynomial, &roots->first }, x );
	}
	int lead = roots->polynomial.coefficient[3].sign;
	int value = sign_at_fraction( pool, x, &roots->polynomial );
	int slope = roots->count == 1 ? 0 : sign_at_fraction( pool, x, &roots->first );
	int bend = roots->count == 1 ? 0 : sign_at_fraction( pool, x, &roots->second );
	return place_in_cubic( roots->count, lead, value, slope, bend );
}

// Where the root of a cubic is among those of a quadratic: the product of the two comparisons.
static int compare_with_both( bvmath_pool* pool, const bvmath_roots* roots, int index, parabola q )
{
	int lead = roots->polynomial.coefficient[3].sign;
	bvmath_polynomial value = remainder_by( pool, &roots->polynomial, q.polynomial );
	bvmath_polynomial slope = { .degree = -1 };
	bvmath_polynomial bend = { .degree = -1 };
	if ( roots->count > 1 )
	{
		slope = remainder_by( pool, &roots->first, q.polynomial );
		bend = roots->second;
	}
	int product = 1;
	for ( int k = 0; k < 2; ++k )
	{
		int place =
			place_in_cubic( roots->count, lead, sign_of_remainder( pool, q, k, &value ),
		                    sign_of_remainder( pool, q, k, &slope ), sign_of_remainder( pool, q, k, &bend ) );
		product *= compare_with_place( index, place );
	}
	return product;
}

static int sign_at_cubic( bvmath_pool* pool, const bvmath_roots* roots, int index,
                          const bvmath_polynomial* q )
{
	int lead = q->coefficient[q->degree].sign;
	if ( q->degree == 1 )
	{
		return lead * compare_with_place( index, place_of_fraction( pool, roots, zero_of( q ) ) );
	}
	uint32_t used = pool->used;
	int discriminant = discriminant_of_quadratic( pool, q ).sign;
	pool->used = used;
	if ( discriminant == 0 )
	{
		int place = place_of_fraction( pool, roots, double_zero_of( pool, q ) );
		lead *= compare_with_place( index, place ) != 0;
	}
	else if ( discriminant > 0 )
	{
		bvmath_polynomial derivative;
		differentiate( pool, q, &derivative );
		lead *= compare_with_both( pool, roots, index, ( parabola ){ q, &derivative } );
	}
	pool->used = used;
	return lead;
}

// Coefficients times a common power of 2, rounded.
static void approximate( const bvmath_pool* pool, const bvmath_polynomial* p,
                         double out[bvmath_most_roots + 1] )
{
	int exponent[bvmath_most_roots + 1];
	int most = INT32_MIN;
	for ( int k = 0; k <= p->degree; ++k )
	{
		out[k] = bvmath_integer_split( pool, p->coefficient[k], &exponent[k] );
		most = out[k] != 0 && exponent[k] > most ? exponent[k] : most;
	}
	for ( int k = 0; k <= p->degree; ++k )
	{
		// Nothing is known of an exponent where all coefficients are 0, as of integers that had no room.
		out[k] = out[k] != 0 ? bvmath_scale_by( out[k], exponent[k] - most ) : 0;
	}
}

static double value_at( const double* c, int degree, double t )
{
	double sum = c[degree];
	for ( int k = degree - 1; k >= 0; --k )
	{
		sum = sum * t + c[k];
	}
	return sum;
}

// The sign of q between two times from 0 to 1, or 0 if that is not clear. With S for the sum of the absolute values of the
// coefficients, the rounding of these and of the value is less than 2^-48 S, and q changes by less than 2 S times the length
// of the interval.
static int sign_between( const bvmath_pool* pool, const bvmath_polynomial* q, double lower, double upper )
{
	double c[bvmath_most_roots + 1];
	approximate( pool, q, c );
	double sum = 0;
	for ( int k = 0; k <= q->degree; ++k )
	{
		sum += fabs( c[k] );
	}
	double value = value_at( c, q->degree, lower );
	double error = sum * ( 0x1p-47 + 2 * ( upper - lower ) );
	return ( value > error ) - ( value < -error );
}

int bvmath_sign_at_root( bvmath_pool* pool, const bvmath_root* root, const bvmath_polynomial* q )
{
	if ( q->degree < 1 )
	{
		return q->degree < 0 ? 0 : q->coefficient[0].sign;
	}
	int sign = sign_between( pool, q, root->lower, root->upper );
	const bvmath_roots* roots = root->roots;
	return sign != 0          ? sign
	       : roots->fractions ? sign_at_fraction( pool, roots->fraction[root->index], q )
	       : roots->polynomial.degree == 2
	           ? sign_at_quadratic( pool, ( parabola ){ &roots->polynomial, &roots->first }, root->index, q )
	           : sign_at_cubic( pool, roots, root->index, q );
}

int bvmath_compare_root( bvmath_pool* pool, const bvmath_roots* roots, int index, double x )
{
	uint32_t used = pool->used;
	int place = x == 0 ? 0 : bvmath_last_place( x );
	place = place < 0 ? place : 0;
	bvmath_integer one = bvmath_integer_of( pool, 1, 0 );
	bvmath_fraction at = { bvmath_integer_of( pool, x, place ),
		                   bvmath_integer_shift( pool, one, (uint32_t)-place ) };
	int order = roots->fractions ? compare_fractions( pool, roots->fraction[index], at )
	                             : compare_with_place( index, place_of_fraction( pool, roots, at ) );
	pool->used = used;
	return order;
}

// The roots of a t^2 + b t + c, in ascending order. Both are where the parabola turns if there is none.
static void solve_quadratic( double a, double b, double c, double out[2] )
{
	double square = b * b - 4 * ( a * c );
	double root = square > 0 ? sqrt( square ) : 0;
	double sum = -0.5 * ( b < 0 ? b - root : b + root );
	double one = a != 0 ? sum / a : 0;
	double other = sum != 0 ? c / sum : one;
	other = square > 0 ? other : one;
	out[0] = one < other ? one : other;
	out[1] = one < other ? other : one;
}

// Near the root, where rounding allows. Between two places where the cubic turns it has one sign to the left of the root.
static double guess_in_cubic( const bvmath_pool* pool, const bvmath_roots* roots, int index, double limit )
{
	double c[bvmath_most_roots + 1];
	approximate( pool, &roots->polynomial, c );
	double low = 0;
	double high = limit;
	if ( roots->count == 3 )
	{
		double turn[2];
		solve_quadratic( 3 * c[3], 2 * c[2], c[1], turn );
		low = index > 0 && turn[index - 1] > low ? turn[index - 1] : low;
		high = index < 2 && turn[index] < high ? turn[index] : high;
	}
	bool falls = ( c[3] < 0 ) != ( index == 1 );
	double t = low + 0.5 * ( high - low );
	for ( int step = 0; step < 64 && low < high; ++step )
	{
		double value = value_at( c, 3, t );
		if ( value == 0 )
		{
			break;
		}
		( ( value < 0 ) != falls ) ? ( low = t ) : ( high = t );
		double slope = ( 3 * c[3] * t + 2 * c[2] ) * t + c[1];
		double next = slope != 0 ? t - value / slope : low;

		// Newton's step, unless it leaves what is left; in turns with halving, so that that gets shorter.
		next = next >= low && next <= high && step % 4 != 3 ? next : low + 0.5 * ( high - low );
		if ( next == t || fabs( next - t ) <= 0x1p-53 * t )
		{
			return next;
		}
		t = next;
	}
	return t;
}

static double guess( const bvmath_pool* pool, const bvmath_roots* roots, int index, double limit )
{
	if ( roots->fractions )
	{
		int above;
		int below;
		double numerator = bvmath_integer_split( pool, roots->fraction[index].numerator, &above );
		double denominator = bvmath_integer_split( pool, roots->fraction[index].denominator, &below );
		return denominator > 0 ? bvmath_scale_by( numerator / denominator, above - below ) : 0;
	}
	if ( roots->polynomial.degree == 3 )
	{
		return guess_in_cubic( pool, roots, index, limit );
	}
	double c[bvmath_most_roots + 1];
	double root[2];
	approximate( pool, &roots->polynomial, c );
	solve_quadratic( c[2], c[1], c[0], root );
	return root[index];
}

// What is known of where the root is.
typedef struct bracket
{
	double lower;
	double upper;
} bracket;

// Takes a part of the bracket.
static void divide( bvmath_pool* pool, const bvmath_roots* roots, int index, double at, bracket* io )
{
	if ( at > io->lower && at < io->upper )
	{
		int order = bvmath_compare_root( pool, roots, index, at );
		io->lower = order >= 0 ? at : io->lower;
		io->upper = order <= 0 ? at : io->upper;
	}
}

void bvmath_bound_root( bvmath_pool* pool, double limit, bvmath_root* io )
{
	enum
	{
		most_steps = 64,
		largest_exponent = 512,
	};
	const bvmath_roots* roots = io->roots;
	int index = io->index;
	bracket b = { 0, limit };
	if ( bvmath_compare_root( pool, roots, index, 0 ) == 0 )
	{
		b.upper = 0;
	}
	else if ( bvmath_compare_root( pool, roots, index, limit ) == 0 )
	{
		b.lower = limit;
	}
	double at = guess( pool, roots, index, limit );
	for ( double width = 0x1p-51; width < 1 && b.upper - b.lower > width * b.upper; width *= 64 )
	{
		divide( pool, roots, index, at - width * at, &b );
		divide( pool, roots, index, at + width * at, &b );
	}
	for ( int exponent = largest_exponent; b.lower == 0 && b.upper > 0 && exponent > 0; exponent /= 2 )
	{
		divide( pool, roots, index, bvmath_scale_by( b.upper, -exponent ), &b );
	}
	for ( int step = 0; step < most_steps && b.upper - b.lower > 0x1p-48 * b.upper; ++step )
	{
		divide( pool, roots, index, b.lower + 0.5 * ( b.upper - b.lower ), &b );
	}
	io->lower = b.lower;
	io->upper = b.upper;
}
