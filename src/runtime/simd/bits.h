// What compilers have different names for: bits, prefetching, byte order, wide products, inlining,
// instruction sets.
//
// The only file of libbv with names of a compiler's own, besides the pragmas of level_avx2.h. gcc and clang
// are tested, for Linux and for Windows (MinGW), and clang for WebAssembly. The branch for MSVC has only been checked by clang, as
// `clang --target=x86_64-pc-windows-msvc -fsyntax-only`. It has not been compiled by MSVC, and was never run.

#pragma once

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
#endif

// Results are to be those of IEEE 754, each rounded to its type.
#if defined( __FAST_MATH__ ) || defined( _M_FP_FAST ) || FLT_EVAL_METHOD == 2
#error "libbv needs exact arithmetic: no -ffast-math, no /fp:fast; on 32-bit x86 -msse2 -mfpmath=sse"
#endif

// SIMD levels. Lanes need vectors with operators, which those of MSVC lack: there lanes are scalar. GCC for
// Windows does not align the stack for 32-byte spills (GCC bug 54412). NEON of 32-bit Arm divides
// approximately and flushes denormal numbers to zero.
#if defined( __SSE2__ ) || defined( _M_X64 )
#define BVSIMD_SSE2 1
#endif
#if defined( __aarch64__ ) && defined( __ARM_NEON ) && !defined( __AARCH64EB__ )
#define BVSIMD_NEON 1
#endif
#if defined( __wasm_simd128__ )
#define BVSIMD_SIMD128 1
// The vectors of its intrinsics, v128_t, have the operators of integers.
typedef float bvsimd_four_floats __attribute__( ( vector_size( 16 ) ) );
#endif
#if defined( BVSIMD_SSE2 ) && ( defined( __GNUC__ ) || defined( __clang__ ) )
#define BVSIMD_LANES_SSE2 1
#endif
#if defined( __x86_64__ ) && defined( __GNUC__ ) && ( defined( __clang__ ) || !defined( _WIN32 ) )
#define BVSIMD_LANES_AVX2 1
#endif

// For functions that have to be inline.
#ifdef _MSC_VER
#define BVSIMD_INLINE   static __forceinline
#define BVSIMD_NOINLINE static __declspec( noinline )
#else
#define BVSIMD_INLINE   static inline __attribute__( ( always_inline ) )
#define BVSIMD_NOINLINE static __attribute__( ( noinline ) )
#endif

#ifdef BVSIMD_LANES_AVX2
/// @return whether this processor and its system have AVX2
static inline bool bvsimd_has_avx2( void )
{
	return __builtin_cpu_supports( "avx2" );
}
#endif

/// @param x  not 0
/// @return the index of its lowest bit that is set
BVSIMD_INLINE uint32_t bvsimd_lowest_bit( uint32_t x )
{
#ifdef _MSC_VER
	unsigned long index;
	_BitScanForward( &index, x );
	return (uint32_t)index;
#else
	return (uint32_t)__builtin_ctz( x );
#endif
}

/// @param x  not 0
/// @return the index of its lowest bit that is set
BVSIMD_INLINE uint32_t bvsimd_lowest_bit64( uint64_t x )
{
#if defined( _MSC_VER ) && defined( _M_X64 )
	unsigned long index;
	_BitScanForward64( &index, x );
	return (uint32_t)index;
#elif defined( _MSC_VER )
	return (uint32_t)x ? bvsimd_lowest_bit( (uint32_t)x ) : 32 + bvsimd_lowest_bit( (uint32_t)( x >> 32 ) );
#else
	return (uint32_t)__builtin_ctzll( x );
#endif
}

/// @param x  not 0
/// @return the index of its highest bit that is set
BVSIMD_INLINE uint32_t bvsimd_highest_bit( uint32_t x )
{
#ifdef _MSC_VER
	unsigned long index;
	_BitScanReverse( &index, x );
	return (uint32_t)index;
#else
	return 31 - (uint32_t)__builtin_clz( x );
#endif
}

/// @return how many bits are set. That of the compiler is a call where the processor need not have an
///         instruction.
BVSIMD_INLINE uint32_t bvsimd_count_bits( uint32_t x )
{
	x = x - ( x >> 1 & 0x55555555u );
	x = ( x & 0x33333333u ) + ( x >> 2 & 0x33333333u );
	return ( ( ( x + ( x >> 4 ) ) & 0x0f0f0f0fu ) * 0x01010101u ) >> 24;
}

/// Loads the line of memory at an address, which need not be a valid one. Inline by force: gcc 12 takes a
/// function that does nothing but prefetch for one without effects and drops its calls.
BVSIMD_INLINE void bvsimd_prefetch( const void* at )
{
#if !defined( _MSC_VER )
	__builtin_prefetch( at );
#elif defined( _M_X64 )
	_mm_prefetch( (const char*)at, _MM_HINT_T0 );
#else
	(void)at;
#endif
}

/// @return a little-endian u32 at any address
BVSIMD_INLINE uint32_t bvsimd_load_u32( const void* from )
{
	uint32_t x;
	memcpy( &x, from, sizeof x );
#if !defined( _MSC_VER ) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32( x );
#else
	return x;
#endif
}

/// @return a little-endian u64 at any address
BVSIMD_INLINE uint64_t bvsimd_load_u64( const void* from )
{
	uint64_t x;
	memcpy( &x, from, sizeof x );
#if !defined( _MSC_VER ) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64( x );
#else
	return x;
#endif
}

/// @return the bytes of x from last to first
BVSIMD_INLINE uint64_t bvsimd_reverse_bytes( uint64_t x )
{
	x = ( x & 0x00ff00ff00ff00ffu ) << 8 | ( x >> 8 & 0x00ff00ff00ff00ffu );
	x = ( x & 0x0000ffff0000ffffu ) << 16 | ( x >> 16 & 0x0000ffff0000ffffu );
	return x << 32 | x >> 32;
}

/// Multiplies to 128 bits.
/// @param high  receives the upper half of the product
/// @return the lower half
BVSIMD_INLINE uint64_t bvsimd_multiply( uint64_t a, uint64_t b, uint64_t* high )
{
#if defined( __SIZEOF_INT128__ )
	__extension__ typedef unsigned __int128 product;
	product both = (product)a * b;
	*high = (uint64_t)( both >> 64 );
	return (uint64_t)both;
#elif defined( _MSC_VER ) && defined( _M_X64 )
	return _umul128( a, b, high );
#else
	uint64_t low = ( a & 0xffffffffu ) * ( b & 0xffffffffu );
	uint64_t middle = ( a >> 32 ) * ( b & 0xffffffffu ) + ( low >> 32 );
	uint64_t other = ( a & 0xffffffffu ) * ( b >> 32 ) + ( middle & 0xffffffffu );
	*high = ( a >> 32 ) * ( b >> 32 ) + ( middle >> 32 ) + ( other >> 32 );
	return other << 32 | ( low & 0xffffffffu );
#endif
}

/// Computes a b + c + d in 128 bits, as the digit that is returned, from -2^63 to 2^63 - 1, and 2^64 times the carry.
/// @param a, b  not both -2^63
BVSIMD_INLINE int64_t bvsimd_multiply_add( int64_t a, int64_t b, int64_t c, int64_t d, int64_t* carry )
{
#if defined( __SIZEOF_INT128__ )
	__extension__ typedef __int128 sum;
	sum all = (sum)a * b + c + d;
	int64_t digit = (int64_t)(uint64_t)all;
	*carry = (int64_t)( ( all - digit ) >> 64 );
	return digit;
#else
	uint64_t high;
	uint64_t low = bvsimd_multiply( (uint64_t)a, (uint64_t)b, &high );
	high -= ( a < 0 ? (uint64_t)b : 0 ) + ( b < 0 ? (uint64_t)a : 0 );
	low += (uint64_t)c;
	high += ( low < (uint64_t)c ) - (uint64_t)( c < 0 );
	low += (uint64_t)d;
	high += ( low < (uint64_t)d ) - (uint64_t)( d < 0 );
	*carry = (int64_t)( high + ( low >> 63 ) );
	return (int64_t)low;
#endif
}

/// @return the exclusive or of the two halves of the product, which has 128 bits
BVSIMD_INLINE uint64_t bvsimd_fold_product( uint64_t a, uint64_t b )
{
	uint64_t high;
	uint64_t low = bvsimd_multiply( a, b, &high );
	return low ^ high;
}
