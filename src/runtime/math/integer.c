// Integers in a pool. See integer.h.

#include "runtime/math/integer.h"

#include "runtime/math/exact.h"
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

bvmath_integer bvmath_integer_keep( bvmath_pool* pool, uint32_t used, bvmath_integer x )
{
	if ( pool->full || x.count == 0 )
	{
		pool->used = used;
		return zero;
	}
	if ( x.first > used )
	{
		for ( uint32_t i = 0; i < x.count; ++i )
		{
			pool->digit[used + i] = pool->digit[x.first + i];
			pool->place[used + i] = pool->place[x.first + i];
		}
		x.first = used;
	}
	used += x.first == used ? x.count : 0;
	pool->used = used;
	return x;
}

// Whether there is room for digits behind those that are used, up to a place.
static bool has_room( bvmath_pool* pool, uint32_t count, uint32_t place )
{
	pool->full = pool->full || count > bvmath_pool_digits - pool->used || place > UINT16_MAX;
	return !pool->full;
}

// Takes a digit, unless it is 0. There is room.
static inline void push( bvmath_pool* pool, int64_t digit, uint32_t place )
{
	pool->digit[pool->used] = digit;
	pool->place[pool->used] = (uint16_t)place;
	pool->used += digit != 0;
}

// The digits from `first` on.
static bvmath_integer taken( bvmath_pool* pool, uint32_t first, int32_t sign )
{
	if ( pool->full || pool->used == first )
	{
		return zero;
	}
	return ( bvmath_integer ){ first, pool->used - first, sign };
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

bvmath_integer bvmath_integer_of( bvmath_pool* pool, double x, int place )
{
	int exponent;
	uint64_t mantissa = mantissa_of( x, &exponent );
	if ( mantissa == 0 )
	{
		return zero;
	}
	uint32_t zeros = zeros_below( mantissa );
	uint32_t shift = (uint32_t)( exponent + (int)zeros - place );
	if ( !has_room( pool, 2, shift / 64 + 1 ) )
	{
		return zero;
	}
	uint32_t part = shift % 64;
	uint32_t last = part == 63; // 2^63 is no digit
	uint32_t first = pool->used;
	int64_t carry;
	int64_t digit = bvsimd_multiply_add( (int64_t)( mantissa >> zeros << last ),
	                                     INT64_C( 1 ) << ( part - last ), 0, 0, &carry );
	push( pool, digit, shift / 64 );
	push( pool, carry, shift / 64 + 1 );
	return taken( pool, first, x < 0 ? -1 : 1 );
}

bvmath_integer bvmath_integer_shift( bvmath_pool* pool, bvmath_integer x, uint32_t shift )
{
	uint32_t used = pool->used;
	bool last = shift % 64 == 63;
	if ( !has_room( pool, 2, shift / 64 + 1 ) )
	{
		return zero;
	}
	push( pool, last ? INT64_MIN : INT64_C( 1 ) << shift % 64, shift / 64 );
	push( pool, last, shift / 64 + 1 );
	bvmath_integer power = taken( pool, used, 1 );
	return bvmath_integer_keep( pool, used, bvmath_integer_multiply( pool, x, power ) );
}

// a + b or a - b of absolute values, as digits behind those that are used.
static void combine( bvmath_pool* pool, bvmath_integer a, bvmath_integer b, bool subtracts )
{
	uint32_t i = a.first;
	uint32_t j = b.first;
	uint32_t end_a = a.first + a.count;
	uint32_t end_b = b.first + b.count;
	const int64_t factor = subtracts ? -1 : 1;
	if ( !has_room( pool, a.count + b.count + 1, 0 ) )
	{
		return;
	}
	int64_t carry = 0;
	uint32_t place = 0; // of the carry
	while ( i < end_a || j < end_b || carry != 0 )
	{
		uint32_t place_a = i < end_a ? pool->place[i] : UINT32_MAX;
		uint32_t place_b = j < end_b ? pool->place[j] : UINT32_MAX;
		place = carry != 0 ? place : place_a < place_b ? place_a : place_b;
		int64_t x = place_a == place ? pool->digit[i++] : 0;
		int64_t y = place_b == place ? pool->digit[j++] : 0;
		int64_t sum = bvsimd_multiply_add( y, factor, x, carry, &carry );
		push( pool, sum, place );
		++place;
	}
}

bvmath_integer bvmath_integer_add( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	if ( pool->full || a.sign == 0 || b.sign == 0 )
	{
		return pool->full ? zero : a.sign == 0 ? b : a;
	}
	uint32_t first = pool->used;
	bool subtracts = a.sign != b.sign;
	int32_t sign = a.sign;
	combine( pool, a, b, subtracts );
	if ( !pool->full && pool->used > first && pool->digit[pool->used - 1] < 0 )
	{
		pool->used = first;
		combine( pool, b, a, subtracts );
		sign = b.sign;
	}
	return taken( pool, first, sign );
}

// Adds a carry to digits of all places.
static void add_carry( int64_t* to, int64_t carry )
{
	while ( carry != 0 )
	{
		*to = bvsimd_multiply_add( carry, 1, *to, 0, &carry );
		++to;
	}
}

// Adds x times a number to another one of all places.
static void add_products( int64_t* row, int64_t x, const int64_t* digit, uint32_t count )
{
	int64_t carry = 0;
	for ( uint32_t j = 0; j < count; ++j )
	{
		row[j] = bvsimd_multiply_add( x, digit[j], row[j], carry, &carry );
	}
	add_carry( row + count, carry );
}

static void add_products_with_gaps( int64_t* row, int64_t x, const int64_t* digit, const uint16_t* place,
                                    uint32_t count )
{
	int64_t carry = 0;
	uint32_t next = 0;
	for ( uint32_t j = 0; j < count; ++j )
	{
		uint32_t at = place[j] - place[0];
		if ( at != next )
		{
			add_carry( row + next, carry );
			carry = 0;
		}
		row[at] = bvsimd_multiply_add( x, digit[j], row[at], carry, &carry );
		next = at + 1;
	}
	add_carry( row + next, carry );
}

bvmath_integer bvmath_integer_multiply( bvmath_pool* pool, bvmath_integer a, bvmath_integer b )
{
	if ( pool->full || a.sign == 0 || b.sign == 0 )
	{
		return zero;
	}
	const uint16_t* place_a = pool->place + a.first;
	const uint16_t* place_b = pool->place + b.first;
	uint32_t least = place_a[0] + place_b[0];
	uint32_t span = place_a[a.count - 1] + place_b[b.count - 1] - least + 2;
	uint32_t first = pool->used;
	if ( !has_room( pool, span, least + span ) )
	{
		return zero;
	}
	int64_t* sum = pool->digit + first; // with digits of all places
	for ( uint32_t k = 0; k < span; ++k )
	{
		sum[k] = 0;
	}
	bool has_gaps = place_b[b.count - 1] - place_b[0] + 1u > b.count;
	for ( uint32_t i = 0; i < a.count; ++i )
	{
		int64_t x = pool->digit[a.first + i];
		int64_t* row = sum + ( place_a[i] - place_a[0] );
		if ( has_gaps )
		{
			add_products_with_gaps( row, x, pool->digit + b.first, place_b, b.count );
		}
		else
		{
			add_products( row, x, pool->digit + b.first, b.count );
		}
	}
	for ( uint32_t k = 0; k < span; ++k )
	{
		push( pool, sum[k], least + k );
	}
	return taken( pool, first, a.sign * b.sign );
}

bvmath_integer bvmath_integer_times( bvmath_pool* pool, bvmath_integer x, int32_t factor )
{
	uint32_t used = pool->used;
	if ( !has_room( pool, 1, 0 ) )
	{
		return zero;
	}
	push( pool, factor < 0 ? -(int64_t)factor : factor, 0 );
	bvmath_integer by = taken( pool, used, factor < 0 ? -1 : 1 );
	return bvmath_integer_keep( pool, used, bvmath_integer_multiply( pool, x, by ) );
}

bvmath_integer bvmath_integer_cross( bvmath_pool* pool, bvmath_integer a, bvmath_integer b, bvmath_integer c,
                                     bvmath_integer d )
{
	uint32_t used = pool->used;
	bvmath_integer first = bvmath_integer_multiply( pool, a, d );
	bvmath_integer second = bvmath_integer_multiply( pool, b, c );
	return bvmath_integer_keep( pool, used, bvmath_integer_subtract( pool, first, second ) );
}

double bvmath_integer_split( const bvmath_pool* pool, bvmath_integer x, int* exponent )
{
	*exponent = 0;
	if ( x.sign == 0 || pool->full )
	{
		return 0;
	}
	static const double powers[] = { 1, 0x1p-64, 0x1p-128 };
	uint32_t last = x.first + x.count - 1;
	uint32_t place = pool->place[last];

	// The last digit is above 0: with those of the next two places the sum has at least 63 bits.
	double sum = 0;
	for ( uint32_t k = 0; k < x.count && place - pool->place[last - k] < 3; ++k )
	{
		sum += powers[place - pool->place[last - k]] * (double)pool->digit[last - k];
	}
	int first = bvmath_first_place( sum );
	*exponent = (int)( 64 * place ) + first;
	return x.sign * bvmath_scale_by( sum, -first );
}
