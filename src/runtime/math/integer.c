// Integers in a pool. See integer.h.

#include "runtime/math/integer.h"

#include "runtime/simd/bits.h"

#include <string.h>

enum
{
	mantissa_bits = 52,
	least_exponent = -1074,
};

static const bvmath_integer zero = { 0 };

void bvmath_pool_begin( bvmath_pool* pool )
{
	pool->used = 0;
	pool->full = false;
}

// Room for the limbs of a result, which are taken by `take`. Null if there is none.
static uint64_t* room_for( bvmath_pool* pool, uint32_t count )
{
	if ( pool->full || count > bvmath_pool_limbs - pool->used )
	{
		pool->full = true;
		return NULL;
	}
	return pool->limb + pool->used;
}

// The limbs that a result has, without zeros on top.
static bvmath_integer take( bvmath_pool* pool, const uint64_t* limb, uint32_t count, int32_t sign )
{
	while ( count > 0 && limb[count - 1] == 0 )
	{
		--count;
	}
	pool->used += count;
	return ( bvmath_integer ){ limb, count, count > 0 ? sign : 0 };
}

bvmath_integer bvmath_integer_keep( bvmath_pool* pool, uint32_t used, bvmath_integer x )
{
	if ( pool->full || x.count == 0 )
	{
		pool->used = used;
		return zero;
	}
	if ( x.limb < pool->limb + used )
	{
		pool->used = used;
		return x;
	}
	uint64_t* to = pool->limb + used;
	memmove( to, x.limb, x.count * sizeof *to );
	x.limb = to;
	pool->used = used + x.count;
	return x;
}

// Sign aside, x is the result times 2^exponent.
static uint64_t mantissa_of( double x, int* exponent )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int biased = (int)( bits >> mantissa_bits & 0x7ff );
	uint64_t mantissa = bits & ( ( UINT64_C( 1 ) << mantissa_bits ) - 1 );
	*exponent = ( biased > 0 ? biased - 1 : 0 ) + least_exponent;
	return biased > 0 ? mantissa | UINT64_C( 1 ) << mantissa_bits : mantissa;
}

static uint32_t zeros_below( uint64_t x )
{
	uint32_t low = (uint32_t)x;
	return low != 0 ? bvsimd_lowest_bit( low ) : 32 + bvsimd_lowest_bit( (uint32_t)( x >> 32 ) );
}

static uint32_t bits_of( uint64_t x )
{
	uint32_t high = (uint32_t)( x >> 32 );
	return high != 0 ? 33 + bvsimd_highest_bit( high ) : 1 + bvsimd_highest_bit( (uint32_t)x );
}

int bvmath_last_place( double x )
{
	int exponent;
	uint64_t mantissa = mantissa_of( x, &exponent );
	return mantissa == 0 ? INT32_MAX : exponent + (int)zeros_below( mantissa );
}

int bvmath_first_place( double x )
{
	int exponent;
	uint64_t mantissa = mantissa_of( x, &exponent );
	return mantissa == 0 ? INT32_MIN : exponent + (int)bits_of( mantissa );
}

static bvmath_integer shift_left( bvmath_pool* pool, const uint64_t* limb, uint32_t count, uint32_t shift,
                                  int32_t sign )
{
	uint32_t whole = shift / 64;
	uint32_t part = shift % 64;
	uint64_t* out = room_for( pool, count + whole + 1 );
	if ( out == NULL )
	{
		return zero;
	}
	memset( out, 0, whole * sizeof *out );
	uint64_t carry = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t x = limb[i];
		out[whole + i] = x << part | carry;
		carry = part > 0 ? x >> ( 64 - part ) : 0;
	}
	out[whole + count] = carry;
	return take( pool, out, whole + count + 1, sign );
}

bvmath_integer bvmath_integer_of( bvmath_pool* pool, double x, int place )
{
	int exponent;
	uint64_t mantissa = mantissa_of( x, &exponent );
	if ( mantissa == 0 )
	{
		return zero;
	}
	uint32_t zeros = zeros_below( mantissa );
	mantissa >>= zeros;
	uint32_t shift = (uint32_t)( exponent + (int)zeros - place );
	return shift_left( pool, &mantissa, 1, shift, x < 0 ? -1 : 1 );
}

bvmath_integer bvmath_integer_shift( bvmath_pool* pool, bvmath_integer x, uint32_t shift )
{
	return x.sign == 0 || shift == 0 ? x : shift_left( pool, x.limb, x.count, shift, x.sign );
}

static int compare_magnitudes( bvmath_integer a, bvmath_integer b )
{
	if ( a.count != b.count )
	{
		return a.count < b.count ? -1 : 1;
	}
	for ( uint32_t i = a.count; i-- > 0; )
	{
		if ( a.limb[i] != b.limb[i] )
		{
			return a.limb[i] < b.limb[i] ? -1 : 1;
		}
	}
	return 0;
}

// @param a  has at least as many limbs as b
static bvmath_integer add_magnitudes( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	uint64_t* out = room_for( pool, a.count + 1 );
	if ( out == NULL )
	{
		return zero;
	}
	uint64_t carry = 0;
	for ( uint32_t i = 0; i < a.count; ++i )
	{
		uint64_t y = i < b.count ? b.limb[i] : 0;
		uint64_t first = a.limb[i] + y;
		out[i] = first + carry;
		carry = ( first < y ) | ( out[i] < carry );
	}
	out[a.count] = carry;
	return take( pool, out, a.count + 1, a.sign );
}

// @param a  its absolute value is the larger one
static bvmath_integer subtract_magnitudes( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	uint64_t* out = room_for( pool, a.count );
	if ( out == NULL )
	{
		return zero;
	}
	uint64_t carry = 0;
	for ( uint32_t i = 0; i < a.count; ++i )
	{
		uint64_t x = a.limb[i];
		uint64_t y = i < b.count ? b.limb[i] : 0;
		uint64_t first = x - y;
		out[i] = first - carry;
		carry = ( x < y ) | ( first < carry );
	}
	return take( pool, out, a.count, a.sign );
}

bvmath_integer bvmath_integer_add( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	if ( a.sign == 0 || b.sign == 0 )
	{
		return a.sign == 0 ? b : a;
	}
	if ( a.sign == b.sign )
	{
		return a.count >= b.count ? add_magnitudes( pool, a, b ) : add_magnitudes( pool, b, a );
	}
	int order = compare_magnitudes( a, b );
	return order == 0  ? zero
	       : order > 0 ? subtract_magnitudes( pool, a, b )
	                   : subtract_magnitudes( pool, b, a );
}

bvmath_integer bvmath_integer_multiply( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	if ( a.sign == 0 || b.sign == 0 )
	{
		return zero;
	}
	uint64_t* out = room_for( pool, a.count + b.count );
	if ( out == NULL )
	{
		return zero;
	}
	memset( out, 0, b.count * sizeof *out );
	for ( uint32_t i = 0; i < a.count; ++i )
	{
		uint64_t carry = 0;
		uint64_t x = a.limb[i];
		for ( uint32_t j = 0; j < b.count; ++j )
		{
			uint64_t high;
			uint64_t low = bvsimd_multiply( x, b.limb[j], &high );
			low += carry;
			high += low < carry;
			uint64_t sum = out[i + j] + low;
			carry = high + ( sum < low );
			out[i + j] = sum;
		}
		out[i + b.count] = carry;
	}
	return take( pool, out, a.count + b.count, a.sign * b.sign );
}

bvmath_integer bvmath_integer_times( bvmath_pool* pool, bvmath_integer x, int32_t factor )
{
	uint64_t magnitude = (uint64_t)( factor < 0 ? -(int64_t)factor : factor );
	return bvmath_integer_multiply( pool, x,
	                                ( bvmath_integer ){ &magnitude, 1, ( factor > 0 ) - ( factor < 0 ) } );
}

bvmath_integer bvmath_integer_cross( bvmath_pool* pool, bvmath_integer a, bvmath_integer b, bvmath_integer c,
                                     bvmath_integer d )
{
	uint32_t used = pool->used;
	bvmath_integer first = bvmath_integer_multiply( pool, a, d );
	bvmath_integer second = bvmath_integer_multiply( pool, b, c );
	return bvmath_integer_keep( pool, used, bvmath_integer_subtract( pool, first, second ) );
}

double bvmath_integer_split( bvmath_integer x, int* exponent )
{
	*exponent = 0;
	if ( x.sign == 0 )
	{
		return 0;
	}
	uint64_t top = x.limb[x.count - 1];
	uint64_t next = x.count > 1 ? x.limb[x.count - 2] : 0;
	uint32_t shift = 64 - bits_of( top );
	top = shift > 0 ? top << shift | next >> ( 64 - shift ) : top;
	*exponent = (int)( 64 * x.count - shift );
	return x.sign * ( (double)( top >> 11 ) * 0x1p-53 );
}
