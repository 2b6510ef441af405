// The table of volume types and their stored forms. See kinds.h.

#include "runtime/volume/kinds.h"

#include <string.h>

#define BVVOL_ROW( name ) [bv_volume_##name] = &bvvol_kind_##name,
const bvvol_kind* const bvvol_kinds[bv_volume_types] = { BVVOL_KINDS( BVVOL_ROW ) };
#undef BVVOL_ROW

#define BVVOL_ONE( name ) +1
_Static_assert( 0 BVVOL_KINDS( BVVOL_ONE ) == bv_volume_types, "each type has a row" );
#undef BVVOL_ONE

const char* bv_volume_type_name( bv_volume_type type )
{
	return (uint32_t)type < bv_volume_types ? bvvol_kind_of( type )->name : NULL;
}

uint32_t bvvol_packed_bytes( bv_volume_type type )
{
	return bvvol_kind_of( type )->floats * (uint32_t)sizeof( float );
}

static void unpack_parts( const bvvol_kind* kind, const float* f, bv_volume* out )
{
	bvvol_parts parts = { .center = { f[0], f[1], f[2] } };
	f += 3;
	for ( uint32_t i = 0; i < kind->extents; ++i )
	{
		parts.extents[i] = *f++;
	}
	if ( kind->has_radius )
	{
		parts.radius = *f++;
	}
	if ( kind->extents > 0 )
	{
		memcpy( parts.rotation, f, sizeof parts.rotation );
	}
	kind->join( &parts, out );
}

static void unpack_bounds( const bvvol_kind* kind, const float* f, bv_volume* out )
{
	kind->begin( out );
	bvvol_bounds bounds = kind->bounds( out );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kind->planes, i ) )
		{
			bounds.upper[i] = f[kind->planes / 2];
			bounds.lower[i] = *f++;
		}
	}
}

bv_volume bvvol_unpack( bv_volume_type type, const void* packed )
{
	const bvvol_kind* kind = bvvol_kind_of( type );
	bv_volume volume = { .type = type };
	if ( kind->planes > 0 )
	{
		unpack_bounds( kind, packed, &volume );
	}
	else
	{
		unpack_parts( kind, packed, &volume );
	}
	return volume;
}

static void pack_parts( const bvvol_kind* kind, const bv_volume* volume, float* f )
{
	bvvol_parts parts = { .radius = 0 };
	kind->part( volume, &parts );
	*f++ = (float)parts.center.x;
	*f++ = (float)parts.center.y;
	*f++ = (float)parts.center.z;
	for ( uint32_t i = 0; i < kind->extents; ++i )
	{
		*f++ = (float)parts.extents[i];
	}
	if ( kind->has_radius )
	{
		*f++ = (float)parts.radius;
	}
	if ( kind->extents > 0 )
	{
		memcpy( f, parts.rotation, sizeof parts.rotation );
	}
}

static void pack_bounds( const bvvol_kind* kind, const bv_volume* volume, float* f )
{
	bv_volume copy = *volume;
	bvvol_bounds bounds = kind->bounds( &copy );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kind->planes, i ) )
		{
			f[kind->planes / 2] = (float)bounds.upper[i];
			*f++ = (float)bounds.lower[i];
		}
	}
}

void bvvol_pack( const bv_volume* volume, void* packed )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	if ( kind->planes > 0 )
	{
		pack_bounds( kind, volume, packed );
	}
	else
	{
		pack_parts( kind, volume, packed );
	}
}
