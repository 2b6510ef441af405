// Decoding of oriented boxes. See packed_obb.h.

#include "base/core/packed_obb.h"

#include <string.h>

bv_obb bv_obb_unpack( const bv_packed_obb* packed )
{
	double x = packed->rotation[0];
	double y = packed->rotation[1];
	double z = packed->rotation[2];
	double w = packed->rotation[3];
	double s = 2.0 / ( ( x * x + y * y ) + ( z * z + w * w ) );

	bv_obb box;
	box.center = ( bv_vec3 ){ packed->center[0], packed->center[1], packed->center[2] };
	box.axis[0] = ( bv_vec3 ){ 1.0 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	box.axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	box.axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1.0 - s * ( x * x + y * y ) };
	for ( int i = 0; i < 3; ++i )
	{
		box.half_extents[i] = packed->half_extents[i];
	}
	memcpy( box.rotation, packed->rotation, sizeof box.rotation );
	return box;
}

bv_packed_obb bv_obb_pack( const bv_obb* box )
{
	bv_packed_obb packed = {
		.center = { (float)box->center.x, (float)box->center.y, (float)box->center.z },
		.half_extents = { (float)box->half_extents[0], (float)box->half_extents[1],
		                  (float)box->half_extents[2] },
	};
	memcpy( packed.rotation, box->rotation, sizeof packed.rotation );
	return packed;
}

bv_rss bv_rss_unpack( const bv_packed_obb* packed )
{
	bv_obb box = bv_obb_unpack( packed );
	bv_rss rss = {
		.center = box.center,
		.axis = { box.axis[0], box.axis[1], box.axis[2] },
		.half_extents = { box.half_extents[0], box.half_extents[1] },
		.radius = box.half_extents[2],
	};
	memcpy( rss.rotation, packed->rotation, sizeof rss.rotation );
	return rss;
}

bv_packed_obb bv_rss_pack( const bv_rss* rss )
{
	bv_packed_obb packed = {
		.center = { (float)rss->center.x, (float)rss->center.y, (float)rss->center.z },
		.half_extents = { (float)rss->half_extents[0], (float)rss->half_extents[1], (float)rss->radius },
	};
	memcpy( packed.rotation, rss->rotation, sizeof packed.rotation );
	return packed;
}
