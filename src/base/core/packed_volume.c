// Decoding of volumes. See packed_volume.h. An axis-aligned box is its lower and its upper corner, a ball its centre and
// its radius, a k-DOP its lower and then its upper bounds in the order of the directions that it uses.

#include "base/core/packed_volume.h"

#include "base/core/vec.h"

#include <string.h>

static void unpack_obb( const void* packed, bv_volume* out )
{
	bv_packed_obb box;
	memcpy( &box, packed, sizeof box );
	bv_obb_unpack_to( &box, &out->obb );
}

static void pack_obb( const bv_volume* volume, void* packed )
{
	bv_packed_obb box = bv_obb_pack( &volume->obb );
	memcpy( packed, &box, sizeof box );
}

static void unpack_rss( const void* packed, bv_volume* out )
{
	bv_packed_obb box;
	memcpy( &box, packed, sizeof box );
	out->rss = bv_rss_unpack( &box );
}

static void pack_rss( const bv_volume* volume, void* packed )
{
	bv_packed_obb box = bv_rss_pack( &volume->rss );
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

static void obb_lengths( const float* f, float half[3] )
{
	memcpy( half, f + 3, 3 * sizeof *half );
}

// The third number is the radius.
static void rss_lengths( const float* f, float half[3] )
{
	half[0] = f[3] + f[5];
	half[1] = f[4] + f[5];
	half[2] = f[5];
}

static void sphere_lengths( const float* f, float half[3] )
{
	half[0] = half[1] = half[2] = f[3];
}

static void slab_lengths( const float* lower, const float* upper, float half[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = ( upper[i] - lower[i] ) / 2;
	}
}

static void aabb_lengths( const float* f, float half[3] )
{
	slab_lengths( f, f + 3, half );
}

static void kdop14_lengths( const float* f, float half[3] )
{
	slab_lengths( f, f + 7, half );
}

static void kdop18_lengths( const float* f, float half[3] )
{
	slab_lengths( f, f + 9, half );
}

static void kdop26_lengths( const float* f, float half[3] )
{
	slab_lengths( f, f + 13, half );
}

// How one type is stored.
typedef struct form
{
	const char* name;
	uint32_t floats;
	uint32_t
		upper; // where upper bounds along x, y, z begin, lower ones being first; 0 if the centre is first
	void ( *lengths )( const float* packed, float half[3] );
	void ( *unpack )( const void* packed, bv_volume* out );
	void ( *pack )( const bv_volume* volume, void* packed );
} form;

static const form forms[bv_volume_types] = {
	[bv_volume_obb] = { "obb", 10, 0, obb_lengths, unpack_obb, pack_obb },
	[bv_volume_aabb] = { "aabb", 6, 3, aabb_lengths, unpack_aabb, pack_aabb },
	[bv_volume_sphere] = { "sphere", 4, 0, sphere_lengths, unpack_sphere, pack_sphere },
	[bv_volume_rss] = { "rss", 10, 0, rss_lengths, unpack_rss, pack_rss },
	[bv_volume_kdop14] = { "kdop14", 14, 7, kdop14_lengths, unpack_kdop, pack_kdop },
	[bv_volume_kdop18] = { "kdop18", 18, 9, kdop18_lengths, unpack_kdop, pack_kdop },
	[bv_volume_kdop26] = { "kdop26", 26, 13, kdop26_lengths, unpack_kdop, pack_kdop },
};

const char* bv_volume_type_name( bv_volume_type type )
{
	return (uint32_t)type < bv_volume_types ? forms[type].name : NULL;
}

uint32_t bv_packed_bytes( bv_volume_type type )
{
	return forms[type].floats * (uint32_t)sizeof( float );
}

bv_volume bv_volume_unpack( bv_volume_type type, const void* packed )
{
	bv_volume volume = { .type = type };
	forms[type].unpack( packed, &volume );
	return volume;
}

void bv_volume_unpack_to( bv_volume_type type, const void* packed, bv_volume* out )
{
	out->type = type;
	forms[type].unpack( packed, out );
}

void bv_packed_lengths( bv_volume_type type, const void* packed, float half[3] )
{
	forms[type].lengths( packed, half );
}

bv_vec3 bv_packed_center( bv_volume_type type, const void* packed )
{
	const float* lower = packed;
	const float* upper = lower + forms[type].upper;
	return bv_scale( 0.5, ( bv_vec3 ){ (double)lower[0] + upper[0], (double)lower[1] + upper[1],
	                                   (double)lower[2] + upper[2] } );
}

bv_obb bv_aabb_turned( const bv_aabb* box )
{
	bv_vec3 half = bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
	return ( bv_obb ){
		.center = bv_add( box->lower, half ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half.x, half.y, half.z },
		.rotation = { 0, 0, 0, 1 },
	};
}

void bv_volume_pack( const bv_volume* volume, void* packed )
{
	forms[volume->type].pack( volume, packed );
}
