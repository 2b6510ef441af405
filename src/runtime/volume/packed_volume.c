// Decoding of volumes. See packed_volume.h. An axis-aligned box is stored as its lower and its upper corner,
// a ball as its center and its radius, and a k-DOP as its lower and then its upper bounds, in the order of
// the directions that it uses.

#include "runtime/volume/packed_volume.h"

#include "runtime/math/vec.h"

#include <string.h>

static void unpack_obb( const void* packed, bv_volume* out )
{
	bvvol_packed_obb box;
	memcpy( &box, packed, sizeof box );
	bvvol_obb_unpack_to( &box, &out->obb );
}

static void pack_obb( const bv_volume* volume, void* packed )
{
	bvvol_packed_obb box = bvvol_obb_pack( &volume->obb );
	memcpy( packed, &box, sizeof box );
}

static void unpack_prism( const void* packed, bv_volume* out )
{
	bvvol_packed_obb box;
	memcpy( &box, packed, sizeof box );
	bvvol_obb_unpack_to( &box, &out->prism.box );
}

static void pack_prism( const bv_volume* volume, void* packed )
{
	bvvol_packed_obb box = bvvol_obb_pack( &volume->prism.box );
	memcpy( packed, &box, sizeof box );
}

static void unpack_rss( const void* packed, bv_volume* out )
{
	bvvol_packed_obb box;
	memcpy( &box, packed, sizeof box );
	out->rss = bvvol_rss_unpack( &box );
}

static void pack_rss( const bv_volume* volume, void* packed )
{
	bvvol_packed_obb box = bvvol_rss_pack( &volume->rss );
	memcpy( packed, &box, sizeof box );
}

static void unpack_aabb( const void* packed, bv_volume* out )
{
	const float* f = packed;
	out->aabb = ( bv_aabb ){ { f[0], f[1], f[2] }, { f[3], f[4], f[5] } };
}

static void pack_aabb( const bv_volume* volume, void* packed )
{
	const bv_aabb* box = &volume->aabb;
	float* f = packed;
	f[0] = (float)box->lower.x, f[1] = (float)box->lower.y, f[2] = (float)box->lower.z;
	f[3] = (float)box->upper.x, f[4] = (float)box->upper.y, f[5] = (float)box->upper.z;
}

static void unpack_sphere( const void* packed, bv_volume* out )
{
	const float* f = packed;
	out->sphere = ( bv_sphere ){ { f[0], f[1], f[2] }, f[3] };
}

static void pack_sphere( const bv_volume* volume, void* packed )
{
	const bv_sphere* ball = &volume->sphere;
	float* f = packed;
	f[0] = (float)ball->center.x, f[1] = (float)ball->center.y, f[2] = (float)ball->center.z;
	f[3] = (float)ball->radius;
}

static uint32_t planes_of( bv_volume_type type )
{
	return type == bv_volume_kdop14 ? 14 : type == bv_volume_kdop18 ? 18 : 26;
}

static void unpack_kdop( const void* packed, bv_volume* out )
{
	const float* f = packed;
	uint32_t k = planes_of( out->type );
	out->kdop = ( bv_kdop ){ .k = k };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( k, i ) )
		{
			out->kdop.upper[i] = f[k / 2];
			out->kdop.lower[i] = *f++;
		}
	}
}

static void pack_kdop( const bv_volume* volume, void* packed )
{
	float* f = packed;
	const bv_kdop* kdop = &volume->kdop;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			f[kdop->k / 2] = (float)kdop->upper[i];
			*f++ = (float)kdop->lower[i];
		}
	}
}

// How one type is stored.
typedef struct form
{
	const char* name;
	uint32_t floats;
	void ( *unpack )( const void* packed, bv_volume* out );
	void ( *pack )( const bv_volume* volume, void* packed );
} form;

static const form forms[bv_volume_types] = {
	[bv_volume_obb] = { "obb", 10, unpack_obb, pack_obb },
	[bv_volume_aabb] = { "aabb", 6, unpack_aabb, pack_aabb },
	[bv_volume_sphere] = { "sphere", 4, unpack_sphere, pack_sphere },
	[bv_volume_rss] = { "rss", 10, unpack_rss, pack_rss },
	[bv_volume_kdop14] = { "kdop14", 14, unpack_kdop, pack_kdop },
	[bv_volume_kdop18] = { "kdop18", 18, unpack_kdop, pack_kdop },
	[bv_volume_kdop26] = { "kdop26", 26, unpack_kdop, pack_kdop },
	[bv_volume_prism] = { "prism", 10, unpack_prism, pack_prism },
};

const char* bv_volume_type_name( bv_volume_type type )
{
	return (uint32_t)type < bv_volume_types ? forms[type].name : NULL;
}

uint32_t bvvol_packed_bytes( bv_volume_type type )
{
	return forms[type].floats * (uint32_t)sizeof( float );
}

bv_volume bvvol_unpack( bv_volume_type type, const void* packed )
{
	bv_volume volume = { .type = type };
	forms[type].unpack( packed, &volume );
	return volume;
}

void bvvol_half_lengths( const bv_volume* volume, double half[3] )
{
	const bv_aabb* box = &volume->aabb;
	const bv_rss* rss = &volume->rss;
	const bv_kdop* kdop = &volume->kdop;
	switch ( volume->type )
	{
	case bv_volume_obb: memcpy( half, volume->obb.half_extents, 3 * sizeof *half ); break;
	case bv_volume_aabb:
		half[0] = ( box->upper.x - box->lower.x ) / 2;
		half[1] = ( box->upper.y - box->lower.y ) / 2;
		half[2] = ( box->upper.z - box->lower.z ) / 2;
		break;
	case bv_volume_prism: memcpy( half, volume->prism.box.half_extents, 3 * sizeof *half ); break;
	case bv_volume_sphere: half[0] = half[1] = half[2] = volume->sphere.radius; break;
	case bv_volume_rss:
		half[0] = rss->half_extents[0] + rss->radius;
		half[1] = rss->half_extents[1] + rss->radius;
		half[2] = rss->radius;
		break;
	default:
		for ( int i = 0; i < 3; ++i )
		{
			half[i] = ( kdop->upper[i] - kdop->lower[i] ) / 2;
		}
		break;
	}
}

bv_obb bvvol_aabb_turned( const bv_aabb* box )
{
	bv_vec3 half = bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
	return ( bv_obb ){
		.center = bv_add( box->lower, half ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half.x, half.y, half.z },
		.rotation = { 0, 0, 0, 1 },
	};
}

void bvvol_pack( const bv_volume* volume, void* packed )
{
	forms[volume->type].pack( volume, packed );
}
