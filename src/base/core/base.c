// Status texts, poses and the volumes of volumes.

#include "bv/base.h"
#include "base/core/vec.h"
#include "bv/volume.h"

#include <math.h>

const char* bv_status_text( bv_status status )
{
	switch ( status )
	{
	case bv_ok: return "no error";
	case bv_error_argument: return "invalid argument";
	case bv_error_input: return "invalid input";
	case bv_error_unsupported: return "not supported";
	case bv_error_output: return "cannot write output";
	case bv_error_memory: return "out of memory";
	case bv_error_limit: return "limit exceeded";
	case bv_error_damaged: return "damaged file";
	case bv_error_internal: return "internal error";
	}
	return "unknown status";
}

bv_pose bv_pose_identity( void )
{
	return ( bv_pose ){ .rotation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

bool bv_pose_is_rigid( const bv_pose* pose )
{
	bv_vec3 row[3];
	for ( int i = 0; i < 3; ++i )
	{
		row[i] = ( bv_vec3 ){ pose->rotation[i][0], pose->rotation[i][1], pose->rotation[i][2] };
	}

	// Written so that a NaN anywhere fails.
	const double tolerance = 1e-4;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = i; j < 3; ++j )
		{
			if ( !( fabs( bv_dot( row[i], row[j] ) - ( i == j ) ) <= tolerance ) )
			{
				return false;
			}
		}
	}
	return bv_dot( bv_cross( row[0], row[1] ), row[2] ) > 0 && isfinite( bv_norm1( pose->translation ) );
}

double bv_aabb_volume( const bv_aabb* box )
{
	bv_vec3 size = bv_sub( box->upper, box->lower );
	return size.x * size.y * size.z;
}

double bv_sphere_volume( const bv_sphere* ball )
{
	const double pi = 3.14159265358979323846;
	return 4.0 / 3.0 * pi * ball->radius * ball->radius * ball->radius;
}

double bv_obb_volume( const bv_obb* box )
{
	return 8.0 * box->half_extents[0] * box->half_extents[1] * box->half_extents[2];
}
