// Conversion of decimal numbers to binary64, correctly rounded in any locale. See number.h.
//
// Numbers with up to 19 digits are rounded by one exact operation (Clinger 1990, "How to read floating point
// numbers accurately") or by one 128-bit division. All others are converted by strtod.

#include "offline/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

static bool is_digit( char c )
{
	return (unsigned char)( c - '0' ) < 10;
}

static double power_of_ten( int exponent )
{
	static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	return power[exponent];
}

static int bits( uint128 x )
{
	uint64_t high = (uint64_t)( x >> 64 );
	return high ? 128 - __builtin_clzll( high ) : 64 - __builtin_clzll( (uint64_t)x );
}

// mantissa * 10^exponent for |exponent| <= 27: 5^27 has 63 bits, so a product has at most 127 and is exact,
// and a quotient has at least 64, of which a remainder only has to be seen in the last.
static double scale_exactly( uint64_t mantissa, int exponent )
{
	uint64_t five = 1;
	for ( int i = exponent < 0 ? -exponent : exponent; i > 0; --i )
	{
		five *= 5;
	}
	uint128 value = mantissa;
	if ( exponent >= 0 )
	{
		value *= five;
	}
	else
	{
		int shift = 128 - bits( value );
		value <<= shift;
		exponent -= shift;
		uint128 remainder = value % five;
		value = value / five | ( remainder != 0 );
	}

	int excess = bits( value ) - 53;
	if ( excess > 0 )
	{
		uint128 half = (uint128)1 << ( excess - 1 );
		uint128 rest = value & ( ( half << 1 ) - 1 );
		value >>= excess;
		value += rest > half || ( rest == half && ( value & 1 ) );
		exponent += excess;
	}
	return ldexp( (double)(uint64_t)value, exponent );
}

// Any number of digits. The first 800 decide, with one more that stands for all others: the longest decimal
// that lies exactly between two doubles has 767 digits. What strtod is given has no decimal point, which a
// locale could change.
static double convert_slowly( const char* first, const char* last, int64_t exponent )
{
	enum
	{
		kept_limit = 800
	};
	char text[kept_limit + 40];
	int kept = 0;
	bool more = false;
	bool fraction = false;
	for ( const char* s = first; s < last; ++s )
	{
		if ( *s == '.' )
		{
			fraction = true;
			continue;
		}
		exponent -= fraction;
		if ( kept < kept_limit )
		{
			text[kept] = *s;
			kept += kept > 0 || *s != '0';
		}
		else
		{
			++exponent;
			more |= *s != '0';
		}
	}
	if ( kept == 0 )
	{
		return 0;
	}
	if ( more )
	{
		text[kept++] = '1';
		--exponent;
	}
	snprintf( text + kept, 40, "e%lld", (long long)exponent );
	return strtod( text, NULL );
}

// `word` in any case at `s`.
static bool starts_with( const char* s, const char* end, const char* word )
{
	for ( ; *word; ++s, ++word )
	{
		if ( s == end || ( *s | 0x20 ) != *word )
		{
			return false;
		}
	}
	return true;
}

// What printf writes: inf, infinity, nan, nan(ind).
static const char* read_word( const char* s, const char* end, double* out )
{
	if ( starts_with( s, end, "inf" ) )
	{
		*out = INFINITY;
		return s + ( starts_with( s, end, "infinity" ) ? 8 : 3 );
	}
	if ( !starts_with( s, end, "nan" ) )
	{
		return NULL;
	}
	*out = NAN;
	s += 3;
	if ( s < end && *s == '(' )
	{
		while ( s < end && *s != ')' && *s != '\n' )
		{
			++s;
		}
		s += s < end && *s == ')';
	}
	return s;
}

// Eight characters at once, the first in the lowest byte. Digits are 0x30 to 0x39, and adding 6 to one of
// those stays below 0x40.
static bool are_digits( uint64_t eight )
{
	const uint64_t high = UINT64_C( 0xf0f0f0f0f0f0f0f0 );
	const uint64_t six = UINT64_C( 0x0606060606060606 );
	return ( ( eight & high ) | ( ( ( eight + six ) & high ) >> 4 ) ) == UINT64_C( 0x3333333333333333 );
}

// Pairs of digits, then of pairs, then of fours.
static uint64_t value_of_digits( uint64_t eight )
{
	eight = ( eight & UINT64_C( 0x0f0f0f0f0f0f0f0f ) ) * ( 10 * 256 + 1 ) >> 8;
	eight = ( eight & UINT64_C( 0x00ff00ff00ff00ff ) ) * ( 100 * 65536 + 1 ) >> 16;
	return ( eight & UINT64_C( 0x0000ffff0000ffff ) ) * ( 10000 * UINT64_C( 4294967296 ) + 1 ) >> 32;
}

// The digits at `s`, appended to *mantissa modulo 2^64.
static const char* read_digits( const char* s, const char* end, uint64_t* mantissa )
{
	uint64_t value = *mantissa;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for ( uint64_t eight; end - s >= 8; s += 8 )
	{
		memcpy( &eight, s, sizeof eight );
		if ( !are_digits( eight ) )
		{
			break;
		}
		value = 100000000 * value + value_of_digits( eight );
	}
#endif
	while ( s < end && is_digit( *s ) )
	{
		value = 10 * value + (uint64_t)( *s++ - '0' );
	}
	*mantissa = value;
	return s;
}

// Null when no digit follows the sign.
static const char* read_exponent( const char* s, const char* end, int64_t* out )
{
	bool below = s < end && *s == '-';
	s += s < end && ( *s == '-' || *s == '+' );
	if ( s == end || !is_digit( *s ) )
	{
		return NULL;
	}
	int64_t value = 0;
	while ( s < end && is_digit( *s ) )
	{
		int digit = *s++ - '0';
		value = value < INT64_MAX / 100 ? 10 * value + digit : value;
	}
	*out = below ? -value : value;
	return s;
}

const char* bvbase_read_number( const char* s, const char* end, double* out )
{
	bool negative = s < end && *s == '-';
	s += s < end && ( *s == '-' || *s == '+' );

	const char* first = s;
	uint64_t mantissa = 0;
	s = read_digits( s, end, &mantissa );
	int64_t digits = s - first;
	int64_t exponent = 0;
	if ( s < end && *s == '.' )
	{
		const char* fraction = s + 1;
		s = read_digits( fraction, end, &mantissa );
		exponent = fraction - s;
		digits -= exponent;
	}

	double value;
	if ( digits == 0 )
	{
		s = s == first ? read_word( s, end, &value ) : NULL;
		*out = s && negative ? -value : s ? value : 0;
		return s;
	}
	const char* last = s;
	int64_t written = 0;
	if ( s < end && ( *s == 'e' || *s == 'E' ) )
	{
		s = read_exponent( s + 1, end, &written );
		if ( !s )
		{
			return NULL;
		}
		exponent += written;
	}

	if ( digits > 19 || exponent < -27 || exponent > 27 )
	{
		value = convert_slowly( first, last, written );
	}
	else if ( mantissa >> 53 || exponent < -22 || exponent > 22 )
	{
		value = mantissa ? scale_exactly( mantissa, (int)exponent ) : 0;
	}
	else
	{
		value = exponent < 0 ? (double)mantissa / power_of_ten( (int)-exponent )
		                     : (double)mantissa * power_of_ten( (int)exponent );
	}
	*out = negative ? -value : value;
	return s;
}

// With a point in place of the locale's, which may be several bytes long.
static void copy_number( const char* local, char* out )
{
	bool in_point = false;
	for ( const char* c = local; *c; ++c )
	{
		bool part = strchr( "+-0123456789e", *c ) != NULL;
		if ( part || !in_point )
		{
			*out++ = part ? *c : '.';
		}
		in_point = !part;
	}
	*out = 0;
}

void bvbase_print_number( char out[BVBASE_NUMBER_BYTES], double value )
{
	char local[BVBASE_NUMBER_BYTES];
	for ( int digits = 15; digits <= 17; ++digits )
	{
		snprintf( local, sizeof local, "%.*g", digits, value + 0.0 );
		if ( strtod( local, NULL ) == value )
		{
			break;
		}
	}
	copy_number( local, out );
}

void bvbase_print_float( char out[BVBASE_NUMBER_BYTES], float value )
{
	char local[BVBASE_NUMBER_BYTES];
	for ( int digits = 6; digits <= 9; ++digits )
	{
		snprintf( local, sizeof local, "%.*g", digits, (double)value + 0.0 );
		if ( strtof( local, NULL ) == value )
		{
			break;
		}
	}
	copy_number( local, out );
}

double bvbase_round_up( double value, int digits )
{
	char text[BVBASE_NUMBER_BYTES];
	if ( !isfinite( value ) )
	{
		return value;
	}
	snprintf( text, sizeof text, "%.*e", digits - 1, value );
	double nearest = strtod( text, NULL );
	if ( nearest >= value )
	{
		return nearest;
	}
	// The next one: its digits as a whole number, one more, and the exponent that goes with that. Above a
	// negative power of ten numbers are ten times as dense.
	const char* mark = strchr( text, 'e' );
	int exponent = atoi( mark + 1 ) - ( digits - 1 );
	long long whole = 0;
	long long power = 0;
	for ( const char* c = text; c < mark; ++c )
	{
		bool digit = *c >= '0' && *c <= '9';
		whole = digit ? 10 * whole + ( *c - '0' ) : whole;
		power = !digit ? power : power ? 10 * power : 1;
	}
	whole = text[0] == '-' ? -whole : whole;
	if ( whole == -power )
	{
		whole *= 10;
		--exponent;
	}
	char next[BVBASE_NUMBER_BYTES];
	snprintf( next, sizeof next, "%llde%d", whole + 1, exponent );
	return strtod( next, NULL );
}

double bvbase_round_down( double value, int digits )
{
	return -bvbase_round_up( -value, digits );
}

bvbase_short_number bvbase_group( uint64_t value )
{
	bvbase_short_number out;
	char plain[24];
	int length = snprintf( plain, sizeof plain, "%" PRIu64, value );
	char* to = out.text;
	for ( int i = 0; i < length; ++i )
	{
		if ( i > 0 && ( length - i ) % 3 == 0 )
		{
			*to++ = ',';
		}
		*to++ = plain[i];
	}
	*to = 0;
	return out;
}

bvbase_short_number bvbase_shorten( double value, int digits )
{
	bvbase_short_number out;
	if ( value == rint( value ) && fabs( value ) < 1e15 )
	{
		strcpy( out.text, value < 0 ? "-" : "" );
		strcat( out.text, bvbase_group( (uint64_t)fabs( value ) ).text );
		return out;
	}
	char local[BVBASE_NUMBER_BYTES];
	snprintf( local, sizeof local, "%.*g", digits, value );
	if ( isfinite( value ) )
	{
		copy_number( local, out.text );
	}
	else
	{
		strcpy( out.text, local );
	}
	return out;
}

const char* bvbase_plural( uint64_t count )
{
	return count == 1 ? "" : "s";
}
