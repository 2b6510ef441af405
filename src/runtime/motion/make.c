// Constructors of motions. See bv/motion.h.
//
// Screws between two poses: M. Chasles 1830. The relative motion turns by an angle about an axis and shifts along it. With
// d as the part across the axis of how far a point moves, the axis passes through that point plus
// ( d + cot( angle / 2 ) axis x d ) / 2.

#include "runtime/motion/kinds.h"

#include "runtime/math/angle.h"
#include "runtime/math/matrix.h"
#include "runtime/math/range.h"

#include <math.h>

static bool placement_is_valid( const bv_transform* t )
{
	return t && bv_transform_is_valid( t ) && bvmath_is_in_range( t->pose.translation );
}

static bv_motion begin_at( const bv_transform* start, bv_motion_kind kind )
{
	return ( bv_motion ){
		.kind = kind,
		.start = bvmotion_orthonormal( &start->pose ),
		.scale = start->scale,
		.mirror = start->mirror,
		.axis = { 1, 0, 0 },
	};
}

bv_status bv_motion_still( const bv_transform* pose, bv_motion* out )
{
	if ( !out || !placement_is_valid( pose ) )
	{
		return bv_error_argument;
	}
	*out = begin_at( pose, bv_motion_of_pose );
	return bv_ok;
}

static bool is_same_rotation( const bv_pose* a, const bv_pose* b )
{
	bool same = true;
	for ( int i = 0; i < 9; ++i )
	{
		same = same && a->rotation[i / 3][i % 3] == b->rotation[i / 3][i % 3];
	}
	return same;
}

// Axis and angle of the rotation from the start to the end. Angles that are rounding errors are 0.
static void turn_to( const bv_pose* end, bv_motion* motion )
{
	if ( is_same_rotation( &motion->start, end ) )
	{
		return;
	}
	bv_transform relative = bv_transform_identity();
	for ( int i = 0; i < 9; ++i )
	{
		const double* a = end->rotation[i / 3];
		const double* b = motion->start.rotation[i % 3];
		relative.pose.rotation[i / 3][i % 3] = ( a[0] * b[0] + a[1] * b[1] ) + a[2] * b[2];
	}
	bv_vec3 axis;
	double angle;
	if ( bv_transform_to_axis_angle( &relative, &axis, &angle ) == bv_ok && angle > 0x1p-49 )
	{
		motion->axis = axis;
		motion->angle = angle;
	}
}

// Begins a motion that turns from one pose to another.
static bool begin_between( const bv_transform* start, const bv_transform* end, bv_motion_kind kind,
                           bv_motion* out, bv_pose* to )
{
	if ( !placement_is_valid( start ) || !placement_is_valid( end ) || start->mirror != end->mirror ||
	     !( fabs( end->scale - start->scale ) <= 1e-4 * start->scale ) )
	{
		return false;
	}
	*out = begin_at( start, kind );
	*to = bvmotion_orthonormal( &end->pose );
	turn_to( to, out );
	return true;
}

static bv_status make_between( const bv_transform* start, const bv_transform* end, bv_vec3 pivot,
                               bv_motion_kind kind, bv_motion* out )
{
	bv_motion made;
	bv_pose to;
	if ( !out || !bvmath_is_in_range( pivot ) || !begin_between( start, end, kind, &made, &to ) )
	{
		return bv_error_argument;
	}
	made.pivot = pivot;
	made.shift = bvmotion_turn_shift( &made, bv_sub( to.translation, made.start.translation ) );
	if ( !bv_motion_is_valid( &made ) )
	{
		return bv_error_argument;
	}
	*out = made;
	return bv_ok;
}

bv_status bv_motion_slerp( const bv_transform* start, const bv_transform* end, bv_vec3 pivot, bv_motion* out )
{
	return make_between( start, end, pivot, bv_motion_of_turn, out );
}

bv_status bv_motion_nlerp( const bv_transform* start, const bv_transform* end, bv_vec3 pivot, bv_motion* out )
{
	return make_between( start, end, pivot, bv_motion_of_nlerp, out );
}

// The point of the object that is at a point of the world at time 0.
static bv_vec3 object_point( const bv_motion* motion, bv_vec3 point )
{
	bv_vec3 p = bvmath_rotate_back( &motion->start, bv_sub( point, motion->start.translation ) );
	return bvmotion_scaled( 1 / motion->scale, motion->mirror, p );
}

bv_status bv_motion_screw( const bv_transform* start, bv_vec3 point, bv_vec3 axis, double angle, double shift,
                           bv_motion* out )
{
	bv_quaternion q;
	const double right = 0x1.921fb54442d18p+0;
	// Half a turn has the axis as its quaternion, to rounding.
	if ( !out || !placement_is_valid( start ) || !bvmath_is_in_range( point ) ||
	     bv_quaternion_from_axis_angle( axis, 2 * right, &q ) != bv_ok )
	{
		return bv_error_argument;
	}
	bv_motion made = begin_at( start, bv_motion_of_turn );
	made.axis = bv_normalize( bv_vec3_make( q.x, q.y, q.z ) );
	made.angle = angle;
	made.shift = bv_scale( shift, made.axis );
	made.pivot = object_point( &made, point );
	if ( !bv_motion_is_valid( &made ) )
	{
		return bv_error_argument;
	}
	*out = made;
	return bv_ok;
}

bv_status bv_motion_screw_between( const bv_transform* start, const bv_transform* end, bv_motion* out )
{
	// Below, the axis is too far away, and the arc is a line to this part of its length.
	const double least_angle = 0x1p-20;
	bv_motion made;
	bv_pose to;
	if ( !out || !begin_between( start, end, bv_motion_of_turn, &made, &to ) )
	{
		return bv_error_argument;
	}
	if ( made.angle >= least_angle )
	{
		double s;
		double c;
		bvmath_sincos( made.angle / 2, &s, &c );
		bv_vec3 moved = bv_sub( to.translation, made.start.translation );
		bv_vec3 across = bv_sub( moved, bv_scale( bv_dot( moved, made.axis ), made.axis ) );
		bv_vec3 arm = bv_add( across, bv_scale( c / s, bv_cross( made.axis, across ) ) );
		made.pivot = object_point( &made, bv_add( made.start.translation, bv_scale( 0.5, arm ) ) );
	}
	return make_between( start, end, made.pivot, bv_motion_of_turn, out );
}

bv_motion bv_motion_callback( bv_pose_callback* callback, const void* context, bv_vec3 pivot, double speed,
                              double spin )
{
	return ( bv_motion ){
		.kind = bv_motion_of_callback,
		.callback = callback,
		.context = context,
		.pivot = pivot,
		.speed = speed,
		.spin = spin,
	};
}

bv_motion bv_motion_sequence( const bv_motion* parts, const double* ends, uint32_t count )
{
	bool any = parts && count > 0;
	return ( bv_motion ){
		.kind = bv_motion_of_sequence,
		.parts = parts,
		.ends = ends,
		.count = count,
		.scale = any ? parts[0].scale : 0,
		.mirror = any && parts[0].mirror,
	};
}
