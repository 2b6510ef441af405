// Windows: fma with one rounding, in place of the C library's.
//
// mingw-w64's fma rounds twice. Exact predicates and certified bounds take it as what IEEE 754 says. The
// product is exact in 128 bits; the sum keeps a bit for whatever was shifted out of them.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 bvbase_wide;

double fma( double a, double b, double c );

enum
{
	top = 124, // bit at which terms begin; sums need one more
	digits = 53,
	least_exponent = -1074,
};

// A number as an integer and an exponent, the integer's highest bit at `top`.
typedef struct term
{
	bvbase_wide digits;
	int exponent;
	bool negative;
} term;

static void move_to_top( term* t )
{
	while ( !( t->digits >> top ) )
	{
		uint64_t high = (uint64_t)( t->digits >> 64 );
		int shift = high ? __builtin_clzll( high ) - ( 127 - top ) : 63;
		t->digits <<= shift;
		t->exponent -= shift;
	}
}

static term split( double x )
{
	int exponent;
	double fraction = frexp( fabs( x ), &exponent );
	return ( term ){ (uint64_t)ldexp( fraction, digits ), exponent - digits, signbit( x ) };
}

// What is shifted out leaves a one behind.
static bvbase_wide shift_right( bvbase_wide x, int count )
{
	if ( count == 0 )
	{
		return x;
	}
	return count > top + 1 ? x != 0 : x >> count | ( ( x & ( ( (bvbase_wide)1 << count ) - 1 ) ) != 0 );
}

static double round_to_even( term t )
{
	move_to_top( &t );
	int cut = top + 1 - digits;
	int missing = least_exponent - ( t.exponent + cut );
	cut += missing > 0 ? missing : 0;
	if ( cut > top + 2 )
	{
		return t.negative ? -0.0 : 0.0;
	}
	bvbase_wide kept = t.digits >> cut;
	bvbase_wide rest = t.digits & ( ( (bvbase_wide)1 << cut ) - 1 );
	bvbase_wide half = (bvbase_wide)1 << ( cut - 1 );
	kept += rest > half || ( rest == half && ( kept & 1 ) );
	double size = ldexp( (double)(uint64_t)kept, t.exponent + cut );
	return t.negative ? -size : size;
}

static double add_exactly( double a, double b, double c )
{
	if ( !isfinite( a ) || !isfinite( b ) || a == 0 || b == 0 )
	{
		return a * b + c;
	}
	if ( !isfinite( c ) )
	{
		return c; // the product, which may overflow, is less
	}
	term x = split( a );
	term y = split( b );
	term p = { x.digits * y.digits, x.exponent + y.exponent, x.negative != y.negative };
	if ( c == 0 )
	{
		return round_to_even( p );
	}
	term z = split( c );
	move_to_top( &p );
	move_to_top( &z );
	term* large = p.exponent > z.exponent || ( p.exponent == z.exponent && p.digits >= z.digits ) ? &p : &z;
	const term* small = large == &p ? &z : &p;
	bvbase_wide less = shift_right( small->digits, large->exponent - small->exponent );
	if ( large->negative == small->negative )
	{
		// One bit more, so that the sum begins at the top again.
		bvbase_wide sum = large->digits + less;
		int carry = (int)( sum >> ( top + 1 ) );
		large->digits = shift_right( sum, carry );
		large->exponent += carry;
	}
	else
	{
		large->digits -= less;
	}
	return large->digits ? round_to_even( *large ) : 0;
}

__attribute__( ( target( "fma" ) ) ) static double add_by_instruction( double a, double b, double c )
{
	return __builtin_fma( a, b, c );
}

double fma( double a, double b, double c )
{
	static int known;
	if ( known == 0 )
	{
		__builtin_cpu_init();
		known = __builtin_cpu_supports( "fma" ) ? 1 : 2;
	}
	return known == 1 ? add_by_instruction( a, b, c ) : add_exactly( a, b, c );
}
