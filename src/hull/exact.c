// Determinants of points with the sign of exact arithmetic. See exact.h.
//
// Numbers are expansions, sums of non-overlapping binary64 numbers, with the operations of Shewchuk 1997,
// "Adaptive precision floating-point arithmetic and fast robust geometric predicates", section 2.

#include "hull/exact.h"

#include <math.h>

enum
{
	longest_expansion = 192,
};

// An exact number: the sum of its terms, which do not overlap and grow in magnitude. Zero has no terms.
typedef struct expansion
{
	int count;
	double term[longest_expansion];
} expansion;

static void append( expansion* e, double term )
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

static void difference( double a, double b, expansion* out )
{
	double tail;
	double sum = two_sum( a, -b, &tail );
	out->count = 0;
	append( out, tail );
	append( out, sum );
}

// Shewchuk's fast-expansion-sum with zero elimination, figure 8.
static void add( const expansion* a, const expansion* b, expansion* out )
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
static void scale( const expansion* a, double factor, expansion* out )
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
static void multiply( const expansion* a, const expansion* b, expansion* out )
{
	expansion low;
	expansion high;
	scale( a, b->count > 0 ? b->term[0] : 0, &low );
	scale( a, b->count > 1 ? b->term[1] : 0, &high );
	add( &low, &high, out );
}

// a b - c d
static void cross_term( const expansion* a, const expansion* b, const expansion* c, const expansion* d,
                        expansion* out )
{
	expansion first;
	expansion second;
	multiply( a, b, &first );
	multiply( c, d, &second );
	for ( int i = 0; i < second.count; ++i )
	{
		second.term[i] = -second.term[i];
	}
	add( &first, &second, out );
}

// The terms do not overlap, so their rounded sum has the sign of the exact one.
static double estimate( const expansion* e )
{
	double sum = 0;
	for ( int i = 0; i < e->count; ++i )
	{
		sum += e->term[i];
	}
	return sum;
}

double bvb_exact_turn( const double a[2], const double b[2], const double c[2] )
{
	double left = ( b[0] - a[0] ) * ( c[1] - a[1] );
	double right = ( b[1] - a[1] ) * ( c[0] - a[0] );
	double area = left - right;
	// Each product errs by 3 units of 2^-53, their difference by one: the bound has a factor of two to spare.
	if ( fabs( area ) > 0x1p-50 * ( fabs( left ) + fabs( right ) ) )
	{
		return area;
	}
	expansion bu, bv, cu, cv, exact;
	difference( b[0], a[0], &bu );
	difference( b[1], a[1], &bv );
	difference( c[0], a[0], &cu );
	difference( c[1], a[1], &cv );
	cross_term( &bu, &cv, &bv, &cu, &exact );
	return estimate( &exact );
}

double bvb_exact_volume( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	expansion bx, by, bz, cx, cy, cz, dx, dy, dz;
	difference( b.x, a.x, &bx );
	difference( b.y, a.y, &by );
	difference( b.z, a.z, &bz );
	difference( c.x, a.x, &cx );
	difference( c.y, a.y, &cy );
	difference( c.z, a.z, &cz );
	difference( d.x, a.x, &dx );
	difference( d.y, a.y, &dy );
	difference( d.z, a.z, &dz );

	expansion minor, x, y, z, sum;
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
