// Morton's curve through points. See zorder.h.

#include "offline/base/zorder.h"

#include "runtime/math/vec.h"

enum
{
	code_bits = 21,
};

static uint64_t code_of( bv_vec3 p )
{
	uint64_t x = (uint64_t)p.x;
	uint64_t y = (uint64_t)p.y;
	uint64_t z = (uint64_t)p.z;
	uint64_t code = 0;
	for ( int bit = code_bits - 1; bit >= 0; --bit )
	{
		code = code << 3 | ( x >> bit & 1 ) << 2 | ( y >> bit & 1 ) << 1 | ( z >> bit & 1 );
	}
	return code;
}

void bvbase_sort_in_space( const bv_vec3* points, uint32_t count, bvbase_sort_entry* entries,
                           bvbase_sort_entry* other )
{
	bv_vec3 lower = points[0];
	bv_vec3 upper = points[0];
	for ( uint32_t i = 1; i < count; ++i )
	{
		lower = bvmath_least( lower, points[i] );
		upper = bvmath_greatest( upper, points[i] );
	}
	bv_vec3 size = bv_sub( upper, lower );
	double longest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	double scale = longest > 0 ? ( ( 1 << code_bits ) - 1 ) / longest : 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		entries[i] = ( bvbase_sort_entry ){ code_of( bv_scale( scale, bv_sub( points[i], lower ) ) ), i };
	}
	bvbase_sort( entries, other, count );
}
