// Exact numbers. See exact.h.

#include "runtime/math/exact.h"

#include "runtime/simd/bits.h"

#include <math.h>
#include <string.h>

static void trim( bvmath_exact* x )
{
	int count = x->count;
	int zeros = 0;
	while ( count > 0 && x->limb[count - 1] == 0 )
	{
		--count;
	}
	while ( zeros < count && x->limb[zeros] == 0 )
	{
		++zeros;
	}
	if ( zeros > 0 && count > 0 )
	{
		memmove( x->limb, x->limb + zeros, (size_t)( count - zeros ) * sizeof *x->limb );
	}
	x->count = (uint8_t)( count - zeros );
	x->low += zeros;
	x->sign = x->count > 0 ? x->sign : 0;
}

void bvmath_exact_set( double x, bvmath_exact* out )
{
	enum
	{
		mantissa_bits = 52,
		least_exponent = -1074,
		before = 64 * 17, // makes the exponent positive, so that it divides downwards
	};
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int exponent = (int)( bits >> mantissa_bits & 0x7ff );
	uint64_t mantissa = bits & ( ( UINT64_C( 1 ) << mantissa_bits ) - 1 );
	mantissa |= exponent > 0 ? UINT64_C( 1 ) << mantissa_bits : 0;
	exponent = ( exponent > 0 ? exponent - 1 : 0 ) + least_exponent;
	int place = exponent + before;
	int shift = place % 64;
	out->lost = false;
	out->sign = x < 0 ? -1 : 1;
	out->low = place / 64 - before / 64;
	out->limb[0] = mantissa << shift;
	out->limb[1] = shift > 0 ? mantissa >> ( 64 - shift ) : 0;
	out->count = 2;
	trim( out );
}

static inline uint64_t limb_at( const bvmath_exact* x, int32_t place )
{
	int32_t i = place - x->low;
	return i >= 0 && i < x->count ? x->limb[i] : 0;
}

static int compare_magnitudes( const bvmath_exact* a, const bvmath_exact* b )
{
	int32_t high_a = a->low + a->count;
	int32_t high_b = b->low + b->count;
	if ( high_a != high_b )
	{
		return high_a < high_b ? -1 : 1;
	}
	int32_t low = a->low < b->low ? a->low : b->low;
	for ( int32_t place = high_a - 1; place >= low; --place )
	{
		uint64_t x = limb_at( a, place );
		uint64_t y = limb_at( b, place );
		if ( x != y )
		{
			return x < y ? -1 : 1;
		}
	}
	return 0;
}

static void lose( bvmath_exact* out )
{
	*out = ( bvmath_exact ){ .lost = true };
}

// @param sign_b  taken instead of that of b
static void add_signed( const bvmath_exact* a, const bvmath_exact* b, int8_t sign_b, bvmath_exact* out )
{
	if ( a->lost || b->lost )
	{
		lose( out );
		return;
	}
	if ( a->sign == 0 || b->sign == 0 )
	{
		int8_t sign = a->sign == 0 ? sign_b : a->sign;
		const bvmath_exact* from = a->sign == 0 ? b : a;
		if ( from != out )
		{
			memcpy( out->limb, from->limb, from->count * sizeof *from->limb );
			out->low = from->low;
			out->count = from->count;
		}
		out->sign = sign;
		out->lost = false;
		return;
	}
	bool subtracts = a->sign != sign_b;
	int order = subtracts ? compare_magnitudes( a, b ) : 1;
	const bvmath_exact* large = order >= 0 ? a : b;
	const bvmath_exact* small = order >= 0 ? b : a;
	int8_t sign = order == 0 ? 0 : order > 0 ? a->sign : sign_b;
	int32_t high_a = a->low + a->count;
	int32_t high_b = b->low + b->count;
	int32_t low = a->low < b->low ? a->low : b->low;
	int32_t count = ( high_a > high_b ? high_a : high_b ) - low;
	if ( count >= bvmath_exact_limbs )
	{
		lose( out );
		return;
	}
	uint64_t sum[bvmath_exact_limbs];
	uint64_t carry = 0;
	for ( int32_t i = 0; i < count; ++i )
	{
		uint64_t x = limb_at( large, low + i );
		uint64_t y = limb_at( small, low + i );
		if ( subtracts )
		{
			uint64_t first = x - y;
			sum[i] = first - carry;
			carry = ( x < y ) | ( first < carry );
		}
		else
		{
			uint64_t first = x + y;
			sum[i] = first + carry;
			carry = ( first < x ) | ( sum[i] < carry );
		}
	}
	sum[count] = carry;
	memcpy( out->limb, sum, (size_t)( count + 1 ) * sizeof *sum );
	out->count = (uint8_t)( count + 1 );
	out->low = low;
	out->sign = sign;
	out->lost = false;
	trim( out );
}

void bvmath_exact_add( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out )
{
	add_signed( a, b, b->sign, out );
}

void bvmath_exact_subtract( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out )
{
	add_signed( a, b, (int8_t)-b->sign, out );
}

void bvmath_exact_multiply( const bvmath_exact* a, const bvmath_exact* b, bvmath_exact* out )
{
	int count = a->count + b->count;
	if ( a->lost || b->lost || ( a->sign * b->sign != 0 && count > bvmath_exact_limbs ) )
	{
		lose( out );
		return;
	}
	out->sign = (int8_t)( a->sign * b->sign );
	out->lost = false;
	out->count = 0;
	out->low = 0;
	if ( out->sign == 0 )
	{
		return;
	}
	memset( out->limb, 0, (size_t)count * sizeof *out->limb );
	for ( int i = 0; i < a->count; ++i )
	{
		uint64_t carry = 0;
		for ( int j = 0; j < b->count; ++j )
		{
			uint64_t high;
			uint64_t low = bvsimd_multiply( a->limb[i], b->limb[j], &high );
			low += carry;
			high += low < carry;
			uint64_t sum = out->limb[i + j] + low;
			carry = high + ( sum < low );
			out->limb[i + j] = sum;
		}
		out->limb[i + b->count] = carry;
	}
	out->count = (uint8_t)count;
	out->low = a->low + b->low;
	trim( out );
}

double bvmath_exact_split( const bvmath_exact* x, int* exponent )
{
	*exponent = 0;
	if ( x->sign == 0 )
	{
		return 0;
	}
	uint64_t top = x->limb[x->count - 1];
	uint64_t next = x->count > 1 ? x->limb[x->count - 2] : 0;
	int shift = 0;
	while ( !( top >> 63 ) )
	{
		top = top << 1 | next >> 63;
		next <<= 1;
		++shift;
	}
	*exponent = 64 * ( x->low + x->count ) - shift;
	return x->sign * ( (double)( top >> 11 ) * 0x1p-53 );
}

double bvmath_scale_by( double x, int exponent )
{
	if ( exponent <= -1000 || x == 0 )
	{
		return 0;
	}
	double power = exponent < 0 ? 0.5 : 2;
	for ( uint32_t rest = (uint32_t)( exponent < 0 ? -exponent : exponent ); rest > 0; rest >>= 1 )
	{
		x = rest & 1 ? x * power : x;
		power *= power;
	}
	return x;
}

double bvmath_exact_root_of_ratio( const bvmath_exact* a, const bvmath_exact* b )
{
	int exponent_a;
	int exponent_b;
	double ratio = bvmath_exact_split( a, &exponent_a ) / bvmath_exact_split( b, &exponent_b );
	int exponent = exponent_a - exponent_b;
	bool odd = exponent % 2 != 0;
	return bvmath_scale_by( sqrt( odd ? 2 * ratio : ratio ), ( exponent - odd ) / 2 );
}

double bvmath_exact_over_root( const bvmath_exact* a, const bvmath_exact* b )
{
	int exponent_a;
	int exponent_b;
	double fraction = bvmath_exact_split( a, &exponent_a );
	double square = bvmath_exact_split( b, &exponent_b );
	bool odd = exponent_b % 2 != 0;
	return bvmath_scale_by( fraction / sqrt( odd ? 2 * square : square ),
	                        exponent_a - ( exponent_b - odd ) / 2 );
}

void bvmath_exact3_set( bv_vec3 v, bvmath_exact3* out )
{
	bvmath_exact_set( v.x, out->x );
	bvmath_exact_set( v.y, out->x + 1 );
	bvmath_exact_set( v.z, out->x + 2 );
}

void bvmath_exact3_subtract( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact3* out )
{
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_subtract( &a->x[k], &b->x[k], &out->x[k] );
	}
}

void bvmath_exact3_cross( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact3* out )
{
	bvmath_exact product;
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3;
		int j = ( k + 2 ) % 3;
		bvmath_exact_multiply( &a->x[i], &b->x[j], &out->x[k] );
		bvmath_exact_multiply( &a->x[j], &b->x[i], &product );
		bvmath_exact_subtract( &out->x[k], &product, &out->x[k] );
	}
}

void bvmath_exact3_dot( const bvmath_exact3* a, const bvmath_exact3* b, bvmath_exact* out )
{
	bvmath_exact product;
	bvmath_exact_multiply( &a->x[0], &b->x[0], out );
	for ( int k = 1; k < 3; ++k )
	{
		bvmath_exact_multiply( &a->x[k], &b->x[k], &product );
		bvmath_exact_add( out, &product, out );
	}
}

void bvmath_exact3_scale( const bvmath_exact* s, const bvmath_exact3* v, bvmath_exact3* out )
{
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_multiply( s, &v->x[k], &out->x[k] );
	}
}

bv_vec3 bvmath_exact3_direction( const bvmath_exact3* v )
{
	double fraction[3];
	int exponent[3];
	int most = INT32_MIN;
	for ( int k = 0; k < 3; ++k )
	{
		fraction[k] = bvmath_exact_split( &v->x[k], &exponent[k] );
		most = v->x[k].sign != 0 && exponent[k] > most ? exponent[k] : most;
	}
	for ( int k = 0; k < 3; ++k )
	{
		fraction[k] = v->x[k].sign != 0 ? bvmath_scale_by( fraction[k], exponent[k] - most ) : 0;
	}
	return ( bv_vec3 ){ fraction[0], fraction[1], fraction[2] };
}
