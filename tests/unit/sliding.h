// Motions along lines without a turn, for tests of sweeps.

#pragma once

#include "support.h"

#include "bv/motion.h"

static inline bv_transform at( double x, double y, double z )
{
	return bv_transform_translation( x, y, z );
}

static inline bv_motion slide( bv_vec3 from, bv_vec3 to )
{
	bv_motion out;
	bv_transform start = at( from.x, from.y, from.z );
	bv_transform end = at( to.x, to.y, to.z );
	assert_int_equal( bv_motion_slerp( &start, &end, ( bv_vec3 ){ 0, 0, 0 }, &out ), bv_ok );
	return out;
}

static inline bv_motion stay( bv_vec3 where )
{
	return slide( where, where );
}
