// Motions that turn, of all kinds with a constructor, for tests of sweeps. Motions along lines are in sliding.h.

#pragma once

#include "queries.h"
#include "sliding.h"

// @param kind  any number: modulo 4, the constructor
// @param far   size of the cube of the ways
static inline bv_motion turning( fixture* f, int kind, double far, double scale, bool mirror )
{
	bv_motion out;
	bv_vec3 from = random_around( f );
	bv_vec3 to = random_around( f );
	bv_transform start =
		random_transform( f, scale, mirror, ( bv_vec3 ){ far * from.x, far * from.y, far * from.z } );
	bv_transform end =
		random_transform( f, scale, mirror, ( bv_vec3 ){ far * to.x, far * to.y, far * to.z } );
	bv_status status = bv_error_internal;
	switch ( kind % 4 )
	{
	case 0: status = bv_motion_slerp( &start, &end, random_around( f ), &out ); break;
	case 1: status = bv_motion_nlerp( &start, &end, random_around( f ), &out ); break;
	case 2:
		status = bv_motion_screw( &start, random_around( f ), random_around( f ), 6 * random_unit( f ),
		                          far * random_unit( f ), &out );
		break;
	default: status = bv_motion_screw_between( &start, &end, &out ); break;
	}
	assert_int_equal( status, bv_ok );
	return out;
}
