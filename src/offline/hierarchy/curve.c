// Morton's curve through the faces' midpoints (Lauterbach and others 2009). See curve.h.

#include "offline/hierarchy/curve.h"

#include "offline/base/arena.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"

enum
{
	code_bits = 21, // of each coordinate
};

// Each bit three places from the next.
static uint64_t spread( uint64_t x )
{
	x = ( x | x << 32 ) & UINT64_C( 0x001f00000000ffff );
	x = ( x | x << 16 ) & UINT64_C( 0x001f0000ff0000ff );
	x = ( x | x << 8 ) & UINT64_C( 0x100f00f00f00f00f );
	x = ( x | x << 4 ) & UINT64_C( 0x10c30c30c30c30c3 );
	return ( x | x << 2 ) & UINT64_C( 0x1249249249249249 );
}

static bv_aabb box_of_midpoints( const bvhier_build* build )
{
	bv_aabb box = { build->faces[0].midpoint, build->faces[0].midpoint };
	for ( uint32_t i = 1; i < build->count; ++i )
	{
		bv_vec3 p = build->faces[i].midpoint;
		box.lower = bvmath_least( box.lower, p );
		box.upper = bvmath_greatest( box.upper, p );
	}
	return box;
}

// Cells are cubes: the longest side has 2^21 of them.
bool bvhier_sort_along_curve( const bvhier_build* build, uint32_t* order )
{
	bvbase_sort_entry* entries = bvb_arena_allocate( build->scratch, build->count, sizeof *entries );
	bvbase_sort_entry* other = bvb_arena_allocate( build->scratch, build->count, sizeof *other );
	if ( !entries || !other )
	{
		return false;
	}
	bv_aabb box = box_of_midpoints( build );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	double longest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	double cells = ( 1 << code_bits ) - 1;
	for ( uint32_t i = 0; i < build->count; ++i )
	{
		bv_vec3 p = bv_sub( build->faces[i].midpoint, box.lower );
		uint64_t code = 0;
		if ( longest > 0 )
		{
			code = spread( (uint64_t)( p.x / longest * cells ) ) << 2 |
			       spread( (uint64_t)( p.y / longest * cells ) ) << 1 |
			       spread( (uint64_t)( p.z / longest * cells ) );
		}
		entries[i] = ( bvbase_sort_entry ){ code, i };
	}
	bvbase_sort( entries, other, build->count );
	for ( uint32_t i = 0; i < build->count; ++i )
	{
		order[i] = entries[i].value;
	}
	return true;
}

uint32_t bvhier_ceil_log2( uint32_t x )
{
	uint32_t levels = 0;
	while ( x > 1 )
	{
		x = x / 2 + x % 2;
		levels += 1;
	}
	return levels;
}
