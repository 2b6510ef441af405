// Bounds of displacements and speeds. See kinds.h.

#include "runtime/motion/kinds.h"

#include "runtime/math/angle.h"
#include "runtime/math/matrix.h"
#include "runtime/math/range.h"
#include "runtime/volume/boxes.h"

#include <math.h>

static const double frame_tolerance = 0x1p-48;

bool bvmotion_pose_is_valid( const bv_pose* pose )
{
	return bv_pose_is_rigid( pose ) && bvvol_pose_skew( pose ) <= frame_tolerance &&
	       bvmath_is_in_range( pose->translation );
}

bv_pose bvmotion_orthonormal( const bv_pose* pose )
{
	return bvvol_pose_skew( pose ) <= frame_tolerance ? *pose : bvmath_orthonormal( pose );
}

bvmotion_bound bvmotion_bound_begin( const bv_motion* motion )
{
	return ( bvmotion_bound ){ .pivot = motion->pivot,
		                       .scale = bvmotion_scale( motion ),
		                       .mirror = motion->mirror };
}

// The error of the sine is below 2^-51.
double bvmotion_chord( double half )
{
	if ( half == 0 )
	{
		return 0; // as below: poses of a single time need no sine
	}
	if ( !( half < 1.5 ) )
	{
		return 2;
	}
	double s;
	double c;
	bvmath_sincos( half, &s, &c );
	return 2 * bvmath_min( half, s + 0x1p-51 );
}

// The cross product with the axis errs by less than 2^-46 of the vector: the axis, the rotation that moved it to object
// coordinates, and rounding. Sums and products err by less than 2^-48 of themselves, and the rotation at time 0 makes
// nothing longer by more than 2^-47. Underflow loses less than the last summand.
double bvmotion_bound_of_ball( const bvmotion_bound* b, bv_vec3 center, double radius )
{
	if ( !( b->turn > 0 || b->across > 0 || b->along > 0 || b->slack > 0 ) )
	{
		return 0;
	}
	bv_vec3 y = bvmotion_scaled( b->scale, b->mirror, bv_sub( center, b->pivot ) );
	double rho = bvmath_is_zero( b->axis )
	                 ? bvmath_length_up( y )
	                 : bvmath_length_up( bv_cross( b->axis, y ) ) + 0x1p-45 * bvmath_norm1( y );
	double chord = b->turn * ( rho + b->scale * radius ) + b->across;
	double moved = b->along > 0 ? bvmath_length_up( bv_vec3_make( chord, b->along, 0 ) ) : chord;
	double size = b->scale * ( bvmath_norm1( center ) + radius );
	return ( ( 1 + 0x1p-45 ) * moved + ( b->rounding * size + b->slack ) ) + 0x1p-1000;
}
