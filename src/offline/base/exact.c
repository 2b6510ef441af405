// Exact predicates of orientation and distance. See exact.h.
//
// A rounded value decides if its error bound allows. Otherwise numbers are computed as expansions, sums of
// non-overlapping binary64 numbers, with the operations of Shewchuk 1997, section 2.

#include "offline/base/exact.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	longest_expansion = 192,
};

// An exact number: the sum of its terms, which do not overlap and grow in magnitude. Zero has no terms.
typedef struct exact_expansion
{
	int count;
	double term[longest_expansion];
} exact_expansion;

static void append( exact_expansion* e, double term )
{
	if ( term != 0 )
	{
		e->term[e->count++] = term;
	}
}

// a + b = sum + *tail exactly (Knuth).
static double two_sum( double a, double b, double* tail )
{
	double sum = a + b;
	double b_part = sum - a;
	double a_part = sum - b_part;
	*tail = ( a - a_part ) + ( b - b_part );
	return sum;
}

static void difference( double a, double b, exact_expansion* out )
{
	double tail;
	double sum = two_sum( a, -b, &tail );
	out->count = 0;
	append( out, tail );
	append( out, sum );
}

// Shewchuk's fast-expansion-sum with zero elimination, figure 8.
static void add( const exact_expansion* a, const exact_expansion* b, exact_expansion* out )
{
	out->count = 0;
	int i = 0;
	int j = 0;
	double sum = 0;
	while ( i < a->count || j < b->count )
	{
		bool from_a = j == b->count || ( i < a->count && fabs( a->term[i] ) < fabs( b->term[j] ) );
		double tail;
		sum = two_sum( sum, from_a ? a->term[i++] : b->term[j++], &tail );
		append( out, tail );
	}
	append( out, sum );
}

// Shewchuk's scale-expansion with zero elimination, figure 13.
static void scale( const exact_expansion* a, double factor, exact_expansion* out )
{
	out->count = 0;
	double sum = 0;
	for ( int i = 0; i < a->count; ++i )
	{
		double product = a->term[i] * factor;
		double tail;
		sum = two_sum( sum, fma( a->term[i], factor, -product ), &tail );
		append( out, tail );
		sum = two_sum( product, sum, &tail );
		append( out, tail );
	}
	append( out, sum );
}

// `b` has at most two terms.
static void multiply( const exact_expansion* a, const exact_expansion* b, exact_expansion* out )
{
	exact_expansion low;
	exact_expansion high;
	scale( a, b->count > 0 ? b->term[0] : 0, &low );
	scale( a, b->count > 1 ? b->term[1] : 0, &high );
	add( &low, &high, out );
}

// a b - c d
static void cross_term( const exact_expansion* a, const exact_expansion* b, const exact_expansion* c,
                        const exact_expansion* d, exact_expansion* out )
{
	exact_expansion first;
	exact_expansion second;
	multiply( a, b, &first );
	multiply( c, d, &second );
	for ( int i = 0; i < second.count; ++i )
	{
		second.term[i] = -second.term[i];
	}
	add( &first, &second, out );
}

// The terms do not overlap, so their rounded sum has the sign of the exact one.
static double estimate( const exact_expansion* e )
{
	double sum = 0;
	for ( int i = 0; i < e->count; ++i )
	{
		sum += e->term[i];
	}
	return sum;
}

// Adds `x` to an expansion of any length: Shewchuk's grow-expansion with zero elimination, figure 6. The last
// term has the sign of the sum.
static int grow( double* term, int count, double x )
{
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		double tail;
		x = two_sum( x, term[i], &tail );
		if ( tail != 0 )
		{
			term[kept++] = tail;
		}
	}
	if ( x != 0 || kept == 0 )
	{
		term[kept++] = x;
	}
	return kept;
}

static double exact_orient2d( bvbase_vec2 a, bvbase_vec2 b, bvbase_vec2 c )
{
	const double factor[6][2] = {
		{ a.u, b.v }, { -a.v, b.u }, { b.u, c.v }, { -b.v, c.u }, { c.u, a.v }, { -c.v, a.u },
	};
	double term[12];
	int count = 0;
	for ( int i = 0; i < 6; ++i )
	{
		double product = factor[i][0] * factor[i][1];
		count = grow( term, count, fma( factor[i][0], factor[i][1], -product ) );
		count = grow( term, count, product );
	}
	return term[count - 1];
}

double bvbase_orient2d( bvbase_vec2 a, bvbase_vec2 b, bvbase_vec2 c )
{
	double left = ( a.u - c.u ) * ( b.v - c.v );
	double right = ( a.v - c.v ) * ( b.u - c.u );
	double sum = fabs( left ) + fabs( right );
	if ( sum == 0 )
	{
		return 0;
	}

	// ccwerrboundA: (3 + 16 epsilon) epsilon, epsilon = 2^-53.
	return fabs( left - right ) > 3.3306690738754716e-16 * sum ? left - right : exact_orient2d( a, b, c );
}

static double exact_orient3d( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	exact_expansion bx, by, bz, cx, cy, cz, dx, dy, dz;
	difference( b.x, a.x, &bx );
	difference( b.y, a.y, &by );
	difference( b.z, a.z, &bz );
	difference( c.x, a.x, &cx );
	difference( c.y, a.y, &cy );
	difference( c.z, a.z, &cz );
	difference( d.x, a.x, &dx );
	difference( d.y, a.y, &dy );
	difference( d.z, a.z, &dz );

	exact_expansion minor, x, y, z, sum;
	cross_term( &by, &cz, &bz, &cy, &minor );
	multiply( &minor, &dx, &x );
	cross_term( &bz, &cx, &bx, &cz, &minor );
	multiply( &minor, &dy, &y );
	cross_term( &bx, &cy, &by, &cx, &minor );
	multiply( &minor, &dz, &z );
	add( &x, &y, &sum );
	add( &sum, &z, &minor );
	return estimate( &minor );
}

double bvbase_orient3d( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	bv_vec3 u = bv_sub( b, a );
	bv_vec3 v = bv_sub( c, a );
	bv_vec3 w = bv_sub( d, a );
	double value = bv_dot( bv_cross( u, v ), w );
	double sum = ( ( fabs( u.y * v.z ) + fabs( u.z * v.y ) ) * fabs( w.x ) +
	               ( fabs( u.z * v.x ) + fabs( u.x * v.z ) ) * fabs( w.y ) ) +
	             ( fabs( u.x * v.y ) + fabs( u.y * v.x ) ) * fabs( w.z );

	// With e = 2^-53 a component of the cross product errs by 4e of its terms, the difference, the product
	// and the two sums add 4e: 8e of the sum, which the bound doubles. Where the sum is 0 every product is 0
	// exactly.
	return fabs( value ) > 0x1p-49 * sum || sum == 0 ? value : exact_orient3d( a, b, c, d );
}

// Adds the square of a - b, times 1 or -1, to an expansion of any length.
static int grow_by_square( double* term, int count, double a, double b, double sign )
{
	double tail;
	double head = two_sum( a, -b, &tail );
	const double factor[3][2] = { { tail, tail }, { 2 * head, tail }, { head, head } };
	for ( int i = 0; i < 3; ++i )
	{
		double product = factor[i][0] * factor[i][1];
		count = grow( term, count, sign * fma( factor[i][0], factor[i][1], -product ) );
		count = grow( term, count, sign * product );
	}
	return count;
}

double bvbase_compare_distances( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	double term[36];
	int count = grow_by_square( term, 0, a.x, b.x, 1 );
	count = grow_by_square( term, count, a.y, b.y, 1 );
	count = grow_by_square( term, count, a.z, b.z, 1 );
	count = grow_by_square( term, count, c.x, d.x, -1 );
	count = grow_by_square( term, count, c.y, d.y, -1 );
	count = grow_by_square( term, count, c.z, d.z, -1 );
	return term[count - 1];
}
