// First contact of moving features in binary64, where errors of rounding leave no doubt.
//
// Three tests end most queries. Along an axis, the points of one feature are on one side of the other's at both ends of
// the motion, and so always. Or the cubic that is 0 when the four points are in one plane has Bernstein coefficients of
// one sign. Or the features are apart in a projection along an axis, by signs of quadratics in Bernstein form. Otherwise,
// if the cubic's coefficients change sign once, it has one root, which is bounded by two times between which orientations
// have one sign, or not.
//
// Errors. u is 2^-53. Coordinates are differences of two given ones, (1 + u) off. Let A, B and C be the largest absolute
// values of coordinates of three vectors at both ends.
//   - Ends of a part of the time: (1 - t) a0 + t a1 is off by 4.1 u A.
//   - A coordinate of a cross product has two terms, each off by (2 * 4.1 + 2) u A B: less than 24 u A B, also of the
//     average of two. (Bernstein coefficients of a quadratic.)
//   - A coefficient of the cubic, times 3, has 18 terms of three vectors. Differences, products and sums make 10 factors
//     (1 + u) of each: 181 u A B C, and a third of that of the coefficient. Its value at a time from 0 to 1 is an average
//     of the four, whose evaluation adds less than 12 u of the greatest, which is at most 6 A B C. Together less than 160 u A B C.
// What underflows is less than 2^-1074 times a length. It is covered as well if the product of all magnitudes is at least
// 2^-700. Otherwise nothing is decided.

#include "runtime/motion/features.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <stddef.h>

enum
{
	vectors = 5,
	triples = 4,
};

static const double least_product = 0x1p-700;
static const double error_of_area = 24 * 0x1p-53;
static const double error_of_volume = 160 * 0x1p-53;
static const double widest = 0x1p-36; // of a root's bounds; otherwise they are computed exactly

// Differences of points that the orientations of three points are cross products of, and the cubic the determinant of the
// first three.
static const uint8_t differences[2][vectors][2] = {
	{ { 1, 2 }, { 1, 3 }, { 1, 0 }, { 2, 3 }, { 2, 0 } },
	{ { 0, 1 }, { 2, 3 }, { 0, 2 }, { 0, 3 }, { 1, 2 } },
};

// Which ones: of the triples in which point 0, 1, 2 and 3 is left out.
static const uint8_t factors[2][triples][2] = {
	{ { 0, 1 }, { 3, 4 }, { 1, 2 }, { 0, 2 } },
	{ { 4, 1 }, { 2, 1 }, { 0, 3 }, { 0, 2 } },
};

// The vectors at both ends of a part of the time.
typedef struct stretch
{
	bv_vec3 from[vectors];
	bv_vec3 to[vectors];
	double most[vectors]; // the largest absolute value of a coordinate, in the whole time
} stretch;

// A cubic in Bernstein form.
typedef struct cubic
{
	double coefficient[4];
	double error; // of a coefficient, and of a value at a time from 0 to 1
} cubic;

static void subtract_points( const bvmotion_features* features, stretch* out )
{
	for ( int i = 0; i < vectors; ++i )
	{
		const uint8_t* d = differences[features->edges][i];
		out->from[i] = bv_sub( features->start[d[1]], features->start[d[0]] );
		out->to[i] = bv_sub( features->end[d[1]], features->end[d[0]] );
		out->most[i] = bvmath_max( bvmath_largest( out->from[i] ), bvmath_largest( out->to[i] ) );
	}
}

// The range of a feature's points along the axes.
static void bound( const bv_vec3* point, int count, bv_vec3* lower, bv_vec3* upper )
{
	*lower = point[0];
	*upper = point[0];
	for ( int i = 1; i < count; ++i )
	{
		*lower = bvmath_least( *lower, point[i] );
		*upper = bvmath_greatest( *upper, point[i] );
	}
}

// Whether one feature is on one side of the other along an axis, at both ends.
static bool are_apart_along_axis( const bvmotion_features* features )
{
	int own = features->edges ? 2 : 1;
	bv_vec3 a[2][2];
	bv_vec3 b[2][2];
	bound( features->start, own, &a[0][0], &a[0][1] );
	bound( features->end, own, &a[1][0], &a[1][1] );
	bound( features->start + own, 4 - own, &b[0][0], &b[0][1] );
	bound( features->end + own, 4 - own, &b[1][0], &b[1][1] );
	return ( a[0][1].x < b[0][0].x && a[1][1].x < b[1][0].x ) ||
	       ( a[0][1].y < b[0][0].y && a[1][1].y < b[1][0].y ) ||
	       ( a[0][1].z < b[0][0].z && a[1][1].z < b[1][0].z ) ||
	       ( b[0][1].x < a[0][0].x && b[1][1].x < a[1][0].x ) ||
	       ( b[0][1].y < a[0][0].y && b[1][1].y < a[1][0].y ) ||
	       ( b[0][1].z < a[0][0].z && b[1][1].z < a[1][0].z );
}

static cubic cubic_of( const stretch* s )
{
	bv_vec3 first = bv_cross( s->from[0], s->from[1] );
	bv_vec3 last = bv_cross( s->to[0], s->to[1] );
	bv_vec3 middle = bv_add( bv_cross( s->from[0], s->to[1] ), bv_cross( s->to[0], s->from[1] ) );
	cubic out = { .coefficient = {
					  bv_dot( first, s->from[2] ),
					  ( bv_dot( middle, s->from[2] ) + bv_dot( first, s->to[2] ) ) / 3,
					  ( bv_dot( last, s->from[2] ) + bv_dot( middle, s->to[2] ) ) / 3,
					  bv_dot( last, s->to[2] ),
				  } };
	double product = s->most[0] * s->most[1] * s->most[2];
	out.error = product >= least_product ? error_of_volume * product : INFINITY;
	return out;
}

static int clear_sign( double x, double error )
{
	return ( x > error ) - ( x < -error );
}

// -1 or 1 if all three are clear and have that sign.
static int sign_of_quadratic( double first, double middle, double last, double error )
{
	int sign = clear_sign( first, error );
	return sign == clear_sign( middle, error ) && sign == clear_sign( last, error ) ? sign : 0;
}

typedef enum verdict
{
	unclear = 0,
	apart,    // at no time of the stretch do the features touch
	touching, // at every time of the stretch at which the points are in one plane, they do
} verdict;

// @param side  signs of the orientations of the triples, in a projection
static verdict judge( bool edges, const int side[triples] )
{
	if ( edges )
	{
		return side[2] * side[3] > 0 || side[0] * side[1] > 0   ? apart
		       : side[2] * side[3] < 0 && side[0] * side[1] < 0 ? touching
		                                                        : unclear;
	}
	int a = side[0] * side[3];
	int b = side[0] * side[1];
	int c = -side[0] * side[2];
	return a < 0 || b < 0 || c < 0 ? apart : a > 0 && b > 0 && c > 0 ? touching : unclear;
}

static verdict compare_in_projections( const stretch* s, bool edges )
{
	int side[3][triples];
	for ( int i = 0; i < triples; ++i )
	{
		const uint8_t* f = factors[edges][i];
		double product = s->most[f[0]] * s->most[f[1]];
		double error = product >= least_product ? error_of_area * product : INFINITY;
		bv_vec3 first = bv_cross( s->from[f[0]], s->from[f[1]] );
		bv_vec3 last = bv_cross( s->to[f[0]], s->to[f[1]] );
		bv_vec3 middle = bv_scale(
			0.5, bv_add( bv_cross( s->from[f[0]], s->to[f[1]] ), bv_cross( s->to[f[0]], s->from[f[1]] ) ) );
		side[0][i] = sign_of_quadratic( first.x, middle.x, last.x, error );
		side[1][i] = sign_of_quadratic( first.y, middle.y, last.y, error );
		side[2][i] = sign_of_quadratic( first.z, middle.z, last.z, error );
	}
	verdict out = unclear;
	for ( int axis = 0; axis < 3; ++axis )
	{
		verdict v = judge( edges, side[axis] );
		if ( v == apart )
		{
			return apart;
		}
		out = v == touching ? v : out;
	}
	return out;
}

static double value_of( const cubic* c, double t )
{
	double s = 1 - t;
	return ( c->coefficient[0] * s + 3 * c->coefficient[1] * t ) * ( s * s ) +
	       ( 3 * c->coefficient[2] * s + c->coefficient[3] * t ) * ( t * t );
}

static double slope_of( const cubic* c, double t )
{
	double s = 1 - t;
	const double* b = c->coefficient;
	return 3 * ( ( ( b[1] - b[0] ) * s + 2 * ( b[2] - b[1] ) * t ) * s + ( b[3] - b[2] ) * ( t * t ) );
}

// The root of a cubic of one change of sign, to rounding. The error of the result is not bounded.
static double approximate_root( const cubic* c, int sign )
{
	double low = 0;
	double high = 1;
	double t = c->coefficient[0] / ( c->coefficient[0] - c->coefficient[3] );
	for ( int step = 0; step < 40; ++step )
	{
		double value = value_of( c, t );
		( value * sign > 0 ) ? ( low = t ) : ( high = t );
		double slope = slope_of( c, t );
		double next = slope != 0 ? t - value / slope : low;
		next = next >= low && next <= high && step % 4 != 3 ? next : low + 0.5 * ( high - low );
		if ( fabs( next - t ) <= 0x1p-50 )
		{
			return next;
		}
		t = next;
	}
	return t;
}

// Bounds of the only root, which are between 0 and 1.
static bool bound_root( const cubic* c, int sign, double* lower, double* upper )
{
	double t = approximate_root( c, sign );
	double slope = fabs( slope_of( c, t ) );
	double width = 0x1p-50 + 3 * ( slope > 0 ? c->error / slope : 1 );
	*lower = t - width;
	*upper = t + width < 1 ? t + width : 1;
	return width <= widest / 2 && *lower > 0 && clear_sign( value_of( c, *lower ), c->error ) == sign &&
	       clear_sign( value_of( c, *upper ), c->error ) == -sign;
}

static bv_vec3 between( bv_vec3 a, bv_vec3 b, double t )
{
	return bv_add( bv_scale( 1 - t, a ), bv_scale( t, b ) );
}

static void shorten( const stretch* s, double lower, double upper, stretch* out )
{
	for ( int i = 0; i < vectors; ++i )
	{
		out->from[i] = between( s->from[i], s->to[i], lower );
		out->to[i] = between( s->from[i], s->to[i], upper );
		out->most[i] = s->most[i];
	}
}

bool bvmotion_filter( const bvmotion_features* features, double limit, bv_feature_time* out )
{
	const bv_feature_time none = {
		.certain = true, .lower = limit, .upper = INFINITY, .tests = out->tests + 1
	};
	if ( are_apart_along_axis( features ) )
	{
		*out = none;
		return true;
	}
	stretch s;
	subtract_points( features, &s );
	cubic c = cubic_of( &s );
	int sign[4];
	int changes = 0;
	int unknown = 0;
	for ( int k = 0; k < 4; ++k )
	{
		sign[k] = clear_sign( c.coefficient[k], c.error );
		unknown += sign[k] == 0;
		changes += k > 0 && sign[k] != sign[k - 1];
	}
	if ( ( unknown == 0 && changes == 0 ) || compare_in_projections( &s, features->edges ) == apart )
	{
		*out = none;
		return true;
	}
	double lower;
	double upper;
	if ( unknown > 0 || changes > 1 || !bound_root( &c, sign[0], &lower, &upper ) )
	{
		return false;
	}
	stretch part;
	shorten( &s, lower, upper, &part );
	verdict v = lower > limit ? apart : compare_in_projections( &part, features->edges );
	if ( v == unclear || ( v == touching && upper > limit ) )
	{
		return false;
	}
	*out = none;
	out->tests += 2;
	out->found = v == touching;
	out->lower = out->found ? lower : limit;
	out->upper = out->found ? upper : INFINITY;
	return true;
}
