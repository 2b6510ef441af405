// Angles. See angle.h.
//
// Argument reduction by a table, as in Tang 1991, "Table-lookup algorithms for elementary functions and their
// error analysis". With t = rise / run in [0, 1] and c = k / 16 closest to t,
// atan t = atan c + atan( ( rise - c run ) / ( run + c rise ) ). A few terms of the Taylor series give the
// last summand. Each constant of the table is a sum of two numbers, computed in rational arithmetic with 260
// bits.
//
// Error: the reduced quotient s is rounded in its numerator, in its denominator and itself, by 1.5 ulps of s
// in total. |s| is less than 0.35 of the angle. With the half ulp of the last sum, the error is less than 1.4
// ulps. Below t = 3/32, the quotient is rounded to half an ulp of t. This is one ulp of the angle if a power
// of two lies between the two, so the error is 1.5 ulps with the last sum. The rounding and the truncation of
// the series add less than 0.05.

#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdbool.h>

// high + low is the constant, to 2^-106 or so of it.
typedef struct constant
{
	double high;
	double low;
} constant;

// Multiples of a right angle.
static const constant quarters[3] = {
	{ 0, 0 },
	{ 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54 },
	{ 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53 },
};

// Of k / 16. Near 0 the quotient itself is small enough, so that k = 1 is never used.
static const constant arctangents[17] = {
	{ 0, 0 },
	{ 0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60 },
	{ 0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59 },
	{ 0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58 },
	{ 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
	{ 0x1.362773707ebccp-2, -0x1.963a544b672d8p-57 },
	{ 0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56 },
	{ 0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56 },
	{ 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 },
	{ 0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56 },
	{ 0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58 },
	{ 0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55 },
	{ 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56 },
	{ 0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57 },
	{ 0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56 },
	{ 0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56 },
	{ 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 },
};

// ( rise - c run ) / ( run + c rise ) for c = k / 16 near rise / run, k >= 2.
static double reduce( double rise, double run, int k )
{
	// Neither sums nor products may overflow, nor the split's tail underflow; a power of two changes no
	// digit.
	double scale = run > 0x1p900 ? 0x1p-200 : run < 0x1p-900 ? 0x1p200 : 1;
	rise *= scale;
	run *= scale;

	// The two halves of run (Veltkamp's split, Dekker 1971) times c are exact, and so is the first
	// difference, of numbers that are near each other (Sterbenz).
	double c = k * 0.0625;
	double shifted = 0x1.0000002p27 * run;
	double head = shifted - ( shifted - run );
	double tail = run - head;
	return ( ( rise - c * head ) - c * tail ) / ( run + c * rise );
}

// atan s / s - 1 for |s| < 0.1, by Taylor's series.
static double series( double s )
{
	double z = s * s;
	return z * ( -1.0 / 3 +
	             z * ( 1.0 / 5 +
	                   z * ( -1.0 / 7 +
	                         z * ( 1.0 / 9 + z * ( -1.0 / 11 + z * ( 1.0 / 13 + z * ( -1.0 / 15 ) ) ) ) ) ) );
}

double bvmath_atan2( double y, double x )
{
	double along = fabs( x );
	double across = fabs( y );
	if ( isnan( x ) || isnan( y ) )
	{
		return x + y;
	}
	if ( isinf( x ) && isinf( y ) )
	{
		along = 1;
		across = 1;
	}
	bool steep = across > along;
	bool backward = signbit( x );
	double run = steep ? across : along;
	double rise = steep ? along : across;
	double t = run > 0 ? rise / run : 0;
	int k = (int)( 16 * t + 0.5 );
	k = k < 2 ? 0 : k;
	double s = k == 0 ? t : reduce( rise, run, k );

	// The angle is measured from the nearest axis, to one or the other side. The sum of the high parts is
	// exact with its tail (Knuth).
	constant axis = quarters[steep ? 1 : backward ? 2 : 0];
	double side = steep == backward ? 1 : -1;
	double a = side * arctangents[k].high;
	double head = axis.high + a;
	double a_part = head - axis.high;
	double tail = ( axis.high - ( head - a_part ) ) + ( a - a_part );
	double low = axis.low + side * arctangents[k].low;
	double angle = head + ( side * s + ( side * s * series( s ) + ( tail + low ) ) );
	return signbit( y ) ? -fabs( angle ) : fabs( angle );
}

// Taylor's series up to 45 degrees: the terms left out are below 2^-60.
static double sine_of( double x )
{
	double z = x * x;
	double sum = 0;
	for ( int i = 17; i > 1; i -= 2 )
	{
		sum = ( 1 + sum ) * ( -z / ( i * ( i - 1 ) ) );
	}
	return x + x * sum;
}

static double cosine_of( double x )
{
	double z = x * x;
	double sum = 0;
	for ( int i = 18; i > 2; i -= 2 )
	{
		sum = ( 1 + sum ) * ( -z / ( i * ( i - 1 ) ) );
	}
	return 1 - 0.5 * z * ( 1 + sum );
}

// The multiple of a right angle is taken off in three parts, of which two have few enough digits for the
// products to be exact (Cody and Waite 1980).
//
// Error, with u = 2^-53, for angles up to 2^20. The multiple has 20 bits and the first two parts 33 bits each, so
// that both products are exact. The first difference is exact: it is below 1 and a multiple of 2^-53, or the
// multiple is 0. The other two differences err by u / 2 each and the last product and the rest of pi by less than
// 2^-100, so the reduced angle errs by u and its sine and cosine by no more. The series:
//   - A step multiplies 1 + sum, which errs by u and by the error of the inner sum, by a quotient that errs by 2u,
//     and rounds: sums of the sine, up to z / 6 = 0.103, err by 4.2u of themselves, and so do those of the cosine,
//     up to z / 12 = 0.052.
//   - Sine: x sum, up to 0.081, errs by 5.2u of itself; the last sum, up to 0.71, is rounded by u / 2. Less than u.
//   - Cosine: the product, up to 0.31, errs by 3.3u of itself, the difference by u / 2. Less than 1.6u.
// Together less than 2.6u, and less than 2^-51 with the terms that are left out.
void bvmath_sincos( double angle, double* sine, double* cosine )
{
	const double first = 0x1.921fb544p+0;
	const double second = 0x1.0b4611a6p-34;
	const double third = 0x1.3198a2e037073p-69;
	double turns = bvmath_floor( angle * 0x1.45f306dc9c883p-1 + 0.5 );
	double rest = ( ( angle - turns * first ) - turns * second ) - turns * third;
	double s = sine_of( rest );
	double c = cosine_of( rest );
	double quarter = turns - 4 * bvmath_floor( turns / 4 );
	*sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
	*cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}
