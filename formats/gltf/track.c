// Interpolation of keys (Khronos, "glTF 2.0 specification", appendix C). See track.h.
//
// Bounds of derivatives. Between two keys, D apart:
//
//   - Linear values have a constant first derivative, and none of second order.
//   - A cubic spline has a second derivative that is linear in time, so its largest absolute value is at an end of
//     the interval. With that, C2, and the values at both ends of a part of length h, the value differs from its
//     linear interpolation by at most C2 h^2 / 8, and the first derivative from that of the nearer end by at most
//     C2 h / 2.
//   - A rotation by slerp turns at a constant angular speed w = 2 theta / D, where theta is the angle between the
//     quaternions. With the skew matrix W of the angular velocity, R' = W R and R'' = W^2 R, whose norms are w and
//     w^2.
//   - A rotation by a cubic spline is that of n = c / |c|. With r = |c|, r' = n . c', P = I - n n^T:
//     n' = P c' / r, P n'' = ( P c'' - 2 r' n' ) / r, and 2 |r'| |P c'| <= |c'|^2. Let |c| >= L, |c'| <= C1 and
//     |c''| <= C2. The angular velocity is 2 n' n*, so its length is at most 2 C1 / L. Its derivative is the vector
//     part of 2 n'' n*, as n' n'* has none, so its length is 2 |P n''| <= 2 ( C2 / L + C1^2 / L^2 ). From
//     R'' = ( W' + W^2 ) R follows |R''| <= 2 C2 / L + 2 C1^2 / L^2 + 4 C1^2 / L^2.
//     L: for a unit vector d, |c| >= d . c, whose second derivative is at most C2.

#include "formats/gltf/track.h"

#include "runtime/math/angle.h"

#include <math.h>
#include <string.h>

// Of the numbers that a bound is made of, relative to their absolute values: some twenty roundings.
static const double rounding = 0x1p-46;

// For bounds that are sums and products of numbers that are not negative.
static const double outward = 1 + 0x1p-40;

uint32_t bvgltf_track_interval( const bvgltf_track* track, double time )
{
	uint32_t first = 0;
	uint32_t end = track->keys;
	while ( first < end )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( track->times[middle] <= time )
		{
			first = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return first;
}

static bool is_cubic( const bvgltf_track* track )
{
	return track->interpolation == bvgltf_interpolation_cubic;
}

static bool is_between( const bvgltf_track* track, uint32_t interval )
{
	return interval > 0 && interval < track->keys;
}

static const double* value_of_key( const bvgltf_track* track, uint32_t key )
{
	return track->values + (size_t)track->width * ( is_cubic( track ) ? 3 * (size_t)key + 1 : key );
}

// One number between two keys of a cubic spline.
typedef struct track_cubic
{
	double value[2];
	double tangent[2]; // times the length of the interval
} track_cubic;

static track_cubic cubic_of( const bvgltf_track* track, uint32_t interval, uint32_t number )
{
	double length = track->times[interval] - track->times[interval - 1];
	const double* first = value_of_key( track, interval - 1 );
	const double* second = value_of_key( track, interval );
	return ( track_cubic ){ { first[number], second[number] },
		                    { length * first[track->width + number],
		                      length * ( second - track->width )[number] } };
}

static double cubic_value( const track_cubic* c, double s )
{
	double u = 1 - s;
	return u * u * ( 1 + 2 * s ) * c->value[0] + s * u * u * c->tangent[0] +
	       s * s * ( 3 - 2 * s ) * c->value[1] - s * s * u * c->tangent[1];
}

static double cubic_slope( const track_cubic* c, double s )
{
	return 6 * s * ( 1 - s ) * ( c->value[1] - c->value[0] ) + ( 1 - s ) * ( 1 - 3 * s ) * c->tangent[0] +
	       s * ( 3 * s - 2 ) * c->tangent[1];
}

static double cubic_curvature( const track_cubic* c, double s )
{
	return 6 * ( 1 - 2 * s ) * ( c->value[1] - c->value[0] ) + ( 6 * s - 4 ) * c->tangent[0] +
	       ( 6 * s - 2 ) * c->tangent[1];
}

// The share of the interval that is over.
static double share_of( const bvgltf_track* track, uint32_t interval, double time )
{
	double from = track->times[interval - 1];
	double to = track->times[interval];
	double share = ( time - from ) / ( to - from );
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double dot4( const double a[4], const double b[4] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// The angle between unit quaternions, up to a right angle, by the half angles of the rhombus of both: accurate
// also where the cosine is not.
// @param end  receives `b`, or -b, which is the same rotation, if that is nearer to a
static double angle_between( const double a[4], const double b[4], double end[4] )
{
	double sign = dot4( a, b ) < 0 ? -1 : 1;
	double apart = 0;
	double together = 0;
	for ( int k = 0; k < 4; ++k )
	{
		end[k] = sign * b[k];
		apart += ( end[k] - a[k] ) * ( end[k] - a[k] );
		together += ( end[k] + a[k] ) * ( end[k] + a[k] );
	}
	return 2 * bvmath_atan2( sqrt( apart ), sqrt( together ) );
}

// Along the great circle: cos( s theta ) a + sin( s theta ) e, where e is normal to a. Unlike a quotient of sines
// this does not lose digits for small angles.
static void slerp( const double a[4], const double b[4], double s, double out[4] )
{
	double end[4];
	double normal[4];
	double theta = angle_between( a, b, end );
	double along = dot4( a, end );
	for ( int k = 0; k < 4; ++k )
	{
		normal[k] = end[k] - along * a[k];
	}
	double length = sqrt( dot4( normal, normal ) );
	double sine;
	double cosine;
	bvmath_sincos( s * theta, &sine, &cosine );
	for ( int k = 0; k < 4; ++k )
	{
		out[k] = cosine * a[k] + ( length > 0 ? sine * ( normal[k] / length ) : 0 );
	}
}

static void normalize( double q[4] )
{
	double length = sqrt( dot4( q, q ) );
	for ( int k = 0; k < 4; ++k )
	{
		q[k] = length > 0 ? q[k] / length : k == 3;
	}
}

void bvgltf_track_value( const bvgltf_track* track, uint32_t interval, double time, double* out )
{
	bool rotation = track->path == bvgltf_path_rotation;
	bool between = is_between( track, interval );
	if ( !between || track->interpolation == bvgltf_interpolation_step )
	{
		memcpy( out, value_of_key( track, interval > 0 ? interval - 1 : 0 ), track->width * sizeof *out );
	}
	else
	{
		double s = share_of( track, interval, time );
		const double* a = value_of_key( track, interval - 1 );
		const double* b = value_of_key( track, interval );
		if ( rotation && !is_cubic( track ) )
		{
			slerp( a, b, s, out );
			return;
		}
		for ( uint32_t k = 0; k < track->width; ++k )
		{
			track_cubic c =
				is_cubic( track ) ? cubic_of( track, interval, k ) : ( track_cubic ){ { 0 }, { 0 } };
			out[k] = is_cubic( track ) ? cubic_value( &c, s ) : ( 1 - s ) * a[k] + s * b[k];
		}
	}
	if ( rotation )
	{
		normalize( out );
	}
}

static double larger_of( double a, double b )
{
	return fabs( a ) > fabs( b ) ? fabs( a ) : fabs( b );
}

static bvgltf_rates cubic_rates( const bvgltf_track* track, uint32_t interval, uint32_t number, double from,
                                 double to )
{
	double length = track->times[interval] - track->times[interval - 1];
	double a = share_of( track, interval, from );
	double b = share_of( track, interval, to );
	track_cubic c = cubic_of( track, interval, number );
	double size = fabs( c.value[0] ) + fabs( c.value[1] ) + fabs( c.tangent[0] ) + fabs( c.tangent[1] );
	double error = 16 * rounding * size;
	double h = b - a + rounding;
	double second = larger_of( cubic_curvature( &c, a ), cubic_curvature( &c, b ) ) + error;
	double first = larger_of( cubic_slope( &c, a ), cubic_slope( &c, b ) ) + second * h / 2 + error;
	double value = larger_of( cubic_value( &c, a ), cubic_value( &c, b ) ) + second * h * h / 8 + error;
	return ( bvgltf_rates ){ { value * outward, first / length * outward,
		                       second / ( length * length ) * outward } };
}

static bvgltf_rates linear_rates( const bvgltf_track* track, uint32_t interval, uint32_t number )
{
	double length = track->times[interval] - track->times[interval - 1];
	double a = value_of_key( track, interval - 1 )[number];
	double b = value_of_key( track, interval )[number];
	return ( bvgltf_rates ){ { larger_of( a, b ) * outward, fabs( b - a ) / length * outward, 0 } };
}

void bvgltf_track_rates( const bvgltf_track* track, uint32_t interval, double from, double to,
                         bvgltf_rates* out )
{
	for ( uint32_t k = 0; k < track->width; ++k )
	{
		if ( !is_between( track, interval ) || track->interpolation == bvgltf_interpolation_step )
		{
			out[k] =
				( bvgltf_rates ){ { fabs( value_of_key( track, interval > 0 ? interval - 1 : 0 )[k] ) } };
		}
		else
		{
			out[k] = is_cubic( track ) ? cubic_rates( track, interval, k, from, to )
			                           : linear_rates( track, interval, k );
		}
	}
}

// A bound of |c| from below, see above; d is the direction at the middle.
static double least_length( const bvgltf_track* track, uint32_t interval, double from, double to,
                            const double rates[3] )
{
	double at[3][4];
	double h = to - from;
	double s[3] = { share_of( track, interval, from ), 0, share_of( track, interval, to ) };
	s[1] = ( s[0] + s[2] ) / 2;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		track_cubic c = cubic_of( track, interval, k );
		for ( int i = 0; i < 3; ++i )
		{
			at[i][k] = cubic_value( &c, s[i] );
		}
	}
	double length = sqrt( dot4( at[1], at[1] ) );
	normalize( at[1] );
	double a = dot4( at[1], at[0] );
	double b = dot4( at[1], at[2] );
	double least = ( a < b ? a : b ) - rates[2] * h * h / 8 - 256 * rounding * rates[0];
	return least > length / 4 ? least : 0;
}

bool bvgltf_track_turning( const bvgltf_track* track, uint32_t interval, double from, double to,
                           bvgltf_rates* out )
{
	*out = ( bvgltf_rates ){ { 1, 0, 0 } };
	if ( !is_between( track, interval ) || track->interpolation == bvgltf_interpolation_step )
	{
		return true;
	}
	if ( !is_cubic( track ) )
	{
		double end[4];
		double length = track->times[interval] - track->times[interval - 1];
		double angle =
			angle_between( value_of_key( track, interval - 1 ), value_of_key( track, interval ), end );
		double speed = 2 * ( angle + ( angle > 0 ? 4 * rounding : 0 ) ) / length * outward;
		*out = ( bvgltf_rates ){ { 1, speed, speed * speed * outward } };
		return true;
	}
	double sum[3] = { 0, 0, 0 };
	bvgltf_rates each[4];
	bvgltf_track_rates( track, interval, from, to, each );
	for ( int i = 0; i < 12; ++i )
	{
		double x = each[i / 3].bound[i % 3];
		sum[i % 3] += x * x;
	}
	const double rates[3] = { sqrt( sum[0] ) * outward, sqrt( sum[1] ) * outward, sqrt( sum[2] ) * outward };
	double least = least_length( track, interval, from, to, rates );
	if ( !( least > 0 ) )
	{
		return false;
	}
	double first = rates[1] / least;
	*out = ( bvgltf_rates ){ { 1, 2 * first * outward,
		                       ( 2 * rates[2] / least + 6 * first * first ) * outward } };
	return true;
}
