// Decoding of oriented boxes. See packed_obb.h.

#include "runtime/volume/packed_obb.h"

#include <string.h>

void bvvol_rotation_axes( const float rotation[4], bv_vec3 axis[3] )
{
	double x = rotation[0];
	double y = rotation[1];
	double z = rotation[2];
	double w = rotation[3];
	double s = 2.0 / ( ( x * x + y * y ) + ( z * z + w * w ) );
	axis[0] = ( bv_vec3 ){ 1.0 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1.0 - s * ( x * x + y * y ) };
}

void bvvol_obb_unpack_to( const bvvol_packed_obb* packed, bv_obb* out )
{
	bvvol_rotation_axes( packed->rotation, out->axis );
	out->center = ( bv_vec3 ){ packed->center[0], packed->center[1], packed->center[2] };
	for ( int i = 0; i < 3; ++i )
	{
		out->half_extents[i] = packed->half_extents[i];
	}
	memcpy( out->rotation, packed->rotation, sizeof out->rotation );
}

bv_obb bvvol_obb_unpack( const bvvol_packed_obb* packed )
{
	bv_obb box;
	bvvol_obb_unpack_to( packed, &box );
	return box;
}

bvvol_packed_obb bvvol_obb_pack( const bv_obb* box )
{
	bvvol_packed_obb packed = {
		.center = { (float)box->center.x, (float)box->center.y, (float)box->center.z },
		.half_extents = { (float)box->half_extents[0], (float)box->half_extents[1],
		                  (float)box->half_extents[2] },
	};
	memcpy( packed.rotation, box->rotation, sizeof packed.rotation );
	return packed;
}
