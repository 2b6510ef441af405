// How fast objects move. See rates.h.
//
// A turn by the angle a at constant speed has the acceleration a^2. Of nlerp, with h as half the angle, the angular speed is
// 2 sin h / m( t ) with m( t ) = 1 - 2 t ( 1 - t ) ( 1 - cos h ), see turn.c: m is at least ( 1 + cos h ) / 2, and |m'| is at
// most 2 ( 1 - cos h ).

#include "runtime/motion/rates.h"

#include "runtime/math/angle.h"
#include "runtime/math/vec.h"
#include "runtime/motion/sequence.h"

static void rates_of_turn( const bv_motion* motion, bvmotion_rates* out )
{
	out->velocity = motion->shift;
	out->spin = bv_scale( motion->angle, motion->axis );
	out->curl = motion->angle * motion->angle;
}

static void rates_of_nlerp( const bv_motion* motion, double time, bvmotion_rates* out )
{
	double s;
	double c;
	bvmath_sincos( motion->angle / 2, &s, &c );
	double square = 1 - 2 * time * ( 1 - time ) * ( 1 - c );
	double least = 0.5 * ( 1 + c ) - 0x1p-50;
	double fastest = 2 * s / least;
	out->velocity = motion->shift;
	out->spin = bv_scale( 2 * s / square, motion->axis );
	out->curl = fastest * fastest + fastest * 2 * ( 1 - c ) / least;
}

// What does not move does not in a part that is too short for its rate to be finite, either.
static double times( double rate, double x )
{
	return x == 0 ? 0 : rate * x;
}

void bvmotion_rates_at( const bv_motion* motion, double time, double* until, bvmotion_rates* out )
{
	bvmotion_part part = bvmotion_part_at( motion, time );
	const bv_motion* m = part.motion;
	*out = ( bvmotion_rates ){ .pivot = m->pivot };
	*until = bvmath_min( *until, part.end );
	switch ( m->kind )
	{
	case bv_motion_of_turn: rates_of_turn( m, out ); break;
	case bv_motion_of_nlerp: rates_of_nlerp( m, part.time, out ); break;
	case bv_motion_of_callback:
		out->speed = m->speed;
		out->turn = m->spin;
		break;
	default: break;
	}
	double rate = part.rate;
	out->velocity = ( bv_vec3 ){ times( rate, out->velocity.x ), times( rate, out->velocity.y ),
		                         times( rate, out->velocity.z ) };
	out->spin =
		( bv_vec3 ){ times( rate, out->spin.x ), times( rate, out->spin.y ), times( rate, out->spin.z ) };
	out->speed = times( rate, out->speed );
	out->turn = times( rate, out->turn );
	out->bend = times( rate, times( rate, out->bend ) );
	out->curl = times( rate, times( rate, out->curl ) );
}
