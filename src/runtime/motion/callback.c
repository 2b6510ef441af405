// Motions that a callback of the caller describes, with speeds that the caller states.
//
// Between two times, the rotation turns by at most the angular speed times the duration: the angle between two
// rotations is the length of the shortest path in SO(3). The axis is not known, so that the distance from the pivot
// takes the place of that from the axis.

#include "runtime/motion/kinds.h"

#include "runtime/math/range.h"

static bool callback_is_valid( const bv_motion* motion )
{
	return motion->callback && bvmath_is_in_range( motion->pivot ) && bvmath_is_length( motion->speed ) &&
	       bvmath_is_length( motion->spin );
}

// What rounding leaves of a rotation that is not orthonormal would look like a jump to bounds of displacements.
static bv_status callback_at( const bv_motion* motion, double time, bv_transform* out )
{
	bv_pose pose = { .rotation = { { 0 } } };
	bv_pose_callback* callback = motion->callback;
	callback( motion->context, time, &pose );
	if ( !bv_pose_is_rigid( &pose ) || !bvmath_is_in_range( pose.translation ) )
	{
		return bv_error_argument;
	}
	*out = ( bv_transform ){ bvmotion_orthonormal( &pose ), bvmotion_scale( motion ), motion->mirror };
	return bv_ok;
}

static void callback_reach( const bv_motion* motion, double from, double to, double reference,
                            const bv_transform* at, bvmotion_bound* out )
{
	double duration = bvmath_max( reference - from, to - reference );
	*out = bvmotion_bound_begin( motion );
	out->turn = bvmotion_chord( ( 1 + 0x1p-50 ) * ( motion->spin * duration / 2 ) );
	out->across = ( 1 + 0x1p-50 ) * ( motion->speed * duration );
	// Poses of the callback are rounded, too.
	out->rounding = BVMOTION_ROUNDING;
	out->slack = BVMOTION_ROUNDING *
	             ( ( out->scale * bvmath_norm1( motion->pivot ) + bvmath_norm1( at->pose.translation ) ) +
	               out->across );
}

static void callback_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	(void)from;
	(void)to;
	*out = bvmotion_bound_begin( motion );
	out->turn = motion->spin;
	out->across = motion->speed;
}

static void callback_rates( const bv_motion* motion, double time, bvmotion_rates* out )
{
	(void)time;
	out->pivot = motion->pivot;
	out->speed = motion->speed;
	out->turn = motion->spin;
}

const bvmotion_kind bvmotion_kind_callback = { callback_is_valid, callback_at, callback_reach, callback_speed,
	                                           callback_rates };
