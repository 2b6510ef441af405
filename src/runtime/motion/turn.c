// Motions by turns about an axis through a pivot that moves along a line: slerp, nlerp and screws; and no motion.
//
// Slerp and screws turn at constant speed (K. Shoemake, "Animating rotation with quaternion curves", 1985). With half
// the angle as h, nlerp is the projection of ( 1 - t ) ( 1, 0 ) + t ( cos h, sin h ) onto the unit circle. Its squared
// length is m( t ) = 1 - 2 t ( 1 - t ) ( 1 - cos h ), and half the angle grows with the speed sin h / m( t ), which is
// greatest in the middle: 2 tan( h / 2 ). Between two times s and t, sin( half the angle ) is
// ( t - s ) sin h / sqrt( m( s ) m( t ) ), from the cross product.
//
// The pose is computed as the start and a difference, so that at time 0 and for an angle of 0 it is exact:
// R( t ) = R( 0 ) + D R( 0 ), with D = k ( w [V] + V V^T - V.V ), where V is the vector part and w the real part of
// the quaternion, of any length, and k = 2 / ( w^2 + V.V ).
//
// Rounding errors of a pose, with u = 2^-53. Sine and cosine of h err by 6u, and the axis by 8u of its length, so that D is the exact difference of an angle that is off by less than
// 2^-48. Entries of D round by less than 16u, those of D R( 0 ) by 6u and those of the sum by u: as a matrix less than
// 70u. Together less than 2^-46. For a point, this is multiplied by the length of S x, and the translation errs by
// 2^-46 of the length of p, by 30u of it and by less than 4u of the other vectors. BVMOTION_ROUNDING is twice that.

#include "runtime/motion/kinds.h"

#include "runtime/math/angle.h"
#include "runtime/math/matrix.h"
#include "runtime/math/range.h"
#include "runtime/math/wide.h"

#include <math.h>

// The square of an axis is 1 to this.
static const double axis_tolerance = 0x1p-49;

// Greater than the relative error of a handful of operations.
static const double up = 1 + 0x1p-48;

static bool pose_is_valid( const bv_motion* motion )
{
	return bvmotion_pose_is_valid( &motion->start );
}

static bv_status pose_at( const bv_motion* motion, double time, bv_transform* out )
{
	(void)time;
	*out = ( bv_transform ){ motion->start, bvmotion_scale( motion ), motion->mirror };
	return bv_ok;
}

static void pose_reach( const bv_motion* motion, double from, double to, double reference,
                        const bv_transform* at, bvmotion_bound* out )
{
	(void)from;
	(void)to;
	(void)reference;
	(void)at;
	*out = bvmotion_bound_begin( motion );
}

static void pose_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	(void)from;
	(void)to;
	*out = bvmotion_bound_begin( motion );
}

static void pose_rates( const bv_motion* motion, double time, bvmotion_rates* out )
{
	(void)motion;
	(void)time;
	(void)out;
}

const bvmotion_kind bvmotion_kind_pose = { pose_is_valid, pose_at, pose_reach, pose_speed, pose_rates };

static bool turns_within( const bv_motion* motion, double least, double most )
{
	return bvmotion_pose_is_valid( &motion->start ) && bvmath_is_in_range( motion->pivot ) &&
	       bvmath_is_in_range( motion->shift ) && motion->angle >= least && motion->angle <= most &&
	       ( motion->angle == 0 || fabs( bv_dot( motion->axis, motion->axis ) - 1 ) <= axis_tolerance );
}

static bool turn_is_valid( const bv_motion* motion )
{
	return turns_within( motion, -BV_MAX_ANGLE, BV_MAX_ANGLE );
}

static bool nlerp_is_valid( const bv_motion* motion )
{
	return turns_within( motion, 0, 0x1.921fb54442d18p+1 );
}

// The real part and the length of the vector part.
typedef struct half_turn
{
	double real;
	double sine;
} half_turn;

// The product of time and angle is taken to twice the precision: many turns lose no digits.
static half_turn turn_of( const bv_motion* motion, double time )
{
	bvmath_wide half = bvmath_wide_product( time, motion->angle / 2 );
	half_turn out;
	double s;
	double c;
	bvmath_sincos( half.high, &s, &c );
	out.sine = s + half.low * c;
	out.real = c - half.low * s;
	return out;
}

static half_turn nlerp_of( const bv_motion* motion, double time )
{
	double s;
	double c;
	bvmath_sincos( motion->angle / 2, &s, &c );
	return ( half_turn ){ ( 1 - time ) + time * c, time * s };
}

// D.
static bvmath_matrix difference_of( half_turn h, bv_vec3 axis )
{
	bv_vec3 v = bv_scale( h.sine, axis );
	double k = 2 / ( h.real * h.real + bv_dot( v, v ) );
	bv_vec3 w = bv_scale( h.real, v );
	return ( bvmath_matrix ){ {
		{ -k * ( v.y * v.y + v.z * v.z ), k * ( v.x * v.y - w.z ), k * ( v.x * v.z + w.y ) },
		{ k * ( v.x * v.y + w.z ), -k * ( v.x * v.x + v.z * v.z ), k * ( v.y * v.z - w.x ) },
		{ k * ( v.x * v.z - w.y ), k * ( v.y * v.z + w.x ), -k * ( v.x * v.x + v.y * v.y ) },
	} };
}

// How far the turn moves the object's origin away from the pivot.
static bv_vec3 moved_by_turn( const bv_motion* motion, const bvmath_matrix* difference )
{
	bv_vec3 p = bvmotion_scaled( bvmotion_scale( motion ), motion->mirror, motion->pivot );
	return bv_negate( bvmath_times( difference, bvmath_rotate( &motion->start, p ) ) );
}

static bv_status turned( const bv_motion* motion, double time, half_turn h, bv_transform* out )
{
	*out = ( bv_transform ){ motion->start, bvmotion_scale( motion ), motion->mirror };
	bv_vec3 place = bv_add( motion->start.translation, bv_scale( time, motion->shift ) );
	if ( motion->angle != 0 && h.sine != 0 )
	{
		bvmath_matrix difference = difference_of( h, motion->axis );
		const double( *r )[3] = motion->start.rotation;
		for ( int i = 0; i < 9; ++i )
		{
			int j = i % 3;
			out->pose.rotation[i / 3][j] +=
				bv_dot( difference.row[i / 3], bv_vec3_make( r[0][j], r[1][j], r[2][j] ) );
		}
		place = bv_add( place, moved_by_turn( motion, &difference ) );
	}
	out->pose.translation = place;
	return bv_ok;
}

bv_vec3 bvmotion_turn_shift( const bv_motion* motion, bv_vec3 moved )
{
	if ( motion->angle == 0 )
	{
		return moved;
	}
	bvmath_matrix difference = difference_of( turn_of( motion, 1 ), motion->axis );
	return bv_sub( moved, moved_by_turn( motion, &difference ) );
}

static bv_status turn_at( const bv_motion* motion, double time, bv_transform* out )
{
	return turned( motion, time, motion->angle == 0 ? ( half_turn ){ 1, 0 } : turn_of( motion, time ), out );
}

static bv_status nlerp_at( const bv_motion* motion, double time, bv_transform* out )
{
	return turned( motion, time, motion->angle == 0 ? ( half_turn ){ 1, 0 } : nlerp_of( motion, time ), out );
}

// The shift, in parts along the axis and across it, and rounding errors.
static void bound_shift( const bv_motion* motion, double duration, bvmotion_bound* out )
{
	bv_vec3 shift = motion->shift;
	*out = bvmotion_bound_begin( motion );
	if ( motion->angle == 0 )
	{
		out->across = duration * up * bvmath_length_up( shift );
		return;
	}
	const double error = 0x1p-48 * bvmath_norm1( shift );
	double along = bv_dot( shift, motion->axis );
	bv_vec3 across = bv_sub( shift, bv_scale( along, motion->axis ) );
	out->along = duration * up * ( fabs( along ) + error );
	out->across = duration * up * ( bvmath_length_up( across ) + error );
	out->axis = bvmath_rotate_back( &motion->start, motion->axis );
}

static void bound_rounding( const bv_motion* motion, bvmotion_bound* out )
{
	if ( motion->angle != 0 || !bvmath_is_zero( motion->shift ) )
	{
		double size = bvmath_norm1( motion->start.translation ) + bvmath_norm1( motion->shift );
		// More than underflow loses.
		out->slack = 0x1p-50 * size + 0x1p-1000;
	}
	if ( motion->angle != 0 )
	{
		out->rounding = BVMOTION_ROUNDING;
		out->slack += BVMOTION_ROUNDING * out->scale * bvmath_norm1( motion->pivot );
	}
}

static double longest( double from, double to, double reference )
{
	return bvmath_max( reference - from, to - reference );
}

static void turn_reach( const bv_motion* motion, double from, double to, double reference,
                        const bv_transform* at, bvmotion_bound* out )
{
	(void)at;
	double duration = longest( from, to, reference );
	bound_shift( motion, duration, out );
	bound_rounding( motion, out );
	out->turn = bvmotion_chord( up * ( fabs( motion->angle / 2 ) * duration ) );
}

// Square of the length of the chord at a time: at least 1/2. Sums of numbers that are not negative.
static double nlerp_square( half_turn h )
{
	return h.real * h.real + h.sine * h.sine;
}

// The sine of the second is its time times sin h. The relative error is below 2^-49.
static double nlerp_chord( const bv_motion* motion, double from, double to )
{
	double s;
	double c;
	bvmath_sincos( motion->angle / 2, &s, &c );
	double lengths =
		sqrt( nlerp_square( nlerp_of( motion, from ) ) * nlerp_square( nlerp_of( motion, to ) ) );
	return bvmath_min( 2 * up * ( s * ( to - from ) / lengths ), 2 );
}

static void nlerp_reach( const bv_motion* motion, double from, double to, double reference,
                         const bv_transform* at, bvmotion_bound* out )
{
	(void)at;
	bound_shift( motion, longest( from, to, reference ), out );
	bound_rounding( motion, out );
	out->turn = bvmath_max( nlerp_chord( motion, from, reference ), nlerp_chord( motion, reference, to ) );
}

static void turn_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	(void)from;
	(void)to;
	bound_shift( motion, 1, out );
	out->turn = fabs( motion->angle );
}

static void nlerp_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	double s;
	double c;
	double fastest = bvmath_max( from, bvmath_min( 0.5, to ) );
	bvmath_sincos( motion->angle / 2, &s, &c );
	bound_shift( motion, 1, out );
	out->turn = 2 * up * ( s / nlerp_square( nlerp_of( motion, fastest ) ) );
}

// A turn at constant speed has the acceleration angle^2.
static void turn_rates( const bv_motion* motion, double time, bvmotion_rates* out )
{
	(void)time;
	out->pivot = motion->pivot;
	out->velocity = motion->shift;
	out->spin = bv_scale( motion->angle, motion->axis );
	out->curl = motion->angle * motion->angle;
}

// The angular speed is 2 sin h / m( t ). m is at least ( 1 + cos h ) / 2, and |m'| is at most 2 ( 1 - cos h ).
static void nlerp_rates( const bv_motion* motion, double time, bvmotion_rates* out )
{
	double s;
	double c;
	bvmath_sincos( motion->angle / 2, &s, &c );
	double square = 1 - 2 * time * ( 1 - time ) * ( 1 - c );
	double least = 0.5 * ( 1 + c ) - 0x1p-50;
	double fastest = 2 * s / least;
	out->pivot = motion->pivot;
	out->velocity = motion->shift;
	out->spin = bv_scale( 2 * s / square, motion->axis );
	out->curl = fastest * fastest + fastest * 2 * ( 1 - c ) / least;
}

const bvmotion_kind bvmotion_kind_turn = { turn_is_valid, turn_at, turn_reach, turn_speed, turn_rates };
const bvmotion_kind bvmotion_kind_nlerp = { nlerp_is_valid, nlerp_at, nlerp_reach, nlerp_speed, nlerp_rates };
