// Numbers in text against strtod of the C locale, which rounds correctly: random ones of every kind, and those
// where rounding is hardest.

#include "support.h"

#include "offline/base/number.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>

// Reads from a block that ends where the text ends, so that AddressSanitizer sees every byte too many.
// @return bytes read, or -1 when there is no number
static ptrdiff_t read_exactly( const char* text, size_t size, double* out )
{
	char* exact = malloc( size ? size : 1 );
	assert_non_null( exact );
	memcpy( exact, text, size );
	const char* end = bvbase_read_number( exact, exact + size, out );
	ptrdiff_t length = end ? end - exact : -1;
	free( exact );
	return length;
}

// The whole text is a number: alone, and with something behind it.
static void expect_same_bits_as_strtod( const char* text )
{
	static const char behind[] = " \n/:,;#x\x80\xff";
	static size_t turn;
	double expected = strtod( text, NULL );
	size_t length = strlen( text );
	double alone;
	assert_int_equal( read_exactly( text, length, &alone ), length );
	if ( memcmp( &expected, &alone, sizeof alone ) != 0 )
	{
		fail_msg( "%s: %a instead of %a", text, alone, expected );
	}

	char longer[2100];
	double followed;
	assert_true( length + 2 < sizeof longer );
	memcpy( longer, text, length );
	longer[length] = behind[turn++ % ( sizeof behind - 1 )];
	assert_int_equal( read_exactly( longer, length + 1, &followed ), length );
	assert_memory_equal( &followed, &alone, sizeof alone );
}

static char* write_digits( fixture* f, char* end, unsigned count )
{
	static const char* const blocks[] = { "00000000", "99999999", "00000001",
		                                  "10000000", "49999999", "50000000" };
	while ( count > 0 )
	{
		if ( count >= 8 && random_bits( f ) % 4 == 0 )
		{
			memcpy( end, blocks[random_bits( f ) % 6], 8 );
			end += 8;
			count -= 8;
			continue;
		}
		*end++ = (char)( '0' + random_bits( f ) % 10 );
		--count;
	}
	return end;
}

static char* write_sign( fixture* f, char* end )
{
	uint64_t kind = random_bits( f ) % 4;
	if ( kind < 2 )
	{
		*end++ = kind ? '-' : '+';
	}
	return end;
}

static char* write_exponent( fixture* f, char* end, int least, int largest )
{
	static const char* const forms[] = { "e%d", "E%d", "e%+d", "e%03d" };
	int value = least + (int)( random_bits( f ) % (uint64_t)( largest - least + 1 ) );
	return end + sprintf( end, forms[random_bits( f ) % 4], value );
}

static double random_double( fixture* f )
{
	for ( ;; )
	{
		uint64_t bits = random_bits( f );
		double x;
		memcpy( &x, &bits, sizeof x );
		if ( isfinite( x ) )
		{
			return x;
		}
	}
}

static void digits_of_any_number_with_any_exponent( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100000; ++round )
	{
		char text[200];
		char* end = write_sign( f, text );
		unsigned before = (unsigned)( random_bits( f ) % 41 );
		unsigned behind = (unsigned)( random_bits( f ) % 41 );
		end = write_digits( f, end, before );
		if ( before == 0 || random_bits( f ) % 2 )
		{
			*end++ = '.';
			end = write_digits( f, end, before + behind ? behind : 1 );
		}
		if ( random_bits( f ) % 2 )
		{
			end = write_exponent( f, end, -330, 310 );
		}
		*end = 0;
		expect_same_bits_as_strtod( text );
	}
}

// The ways that need no arithmetic of more than 128 bits: up to 19 digits, 10^-27 to 10^27 and just beyond.
static void few_digits_with_small_exponents( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100000; ++round )
	{
		char text[200];
		char* end = write_sign( f, text );
		unsigned digits = 1 + (unsigned)( random_bits( f ) % 20 );
		unsigned point = (unsigned)( random_bits( f ) % ( digits + 1 ) );
		end = write_digits( f, end, point );
		*end++ = '.';
		end = write_digits( f, end, digits - point );
		end = write_exponent( f, end, -29, 29 );
		*end = 0;
		expect_same_bits_as_strtod( text );
	}
}

static void doubles_as_printf_writes_them( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50000; ++round )
	{
		static const char* const forms[] = { "%.*g", "%.*e", "%+.*g", "%.*G" };
		char text[200];
		int digits = 1 + (int)( random_bits( f ) % 25 );
		snprintf( text, sizeof text, forms[random_bits( f ) % 4], digits, random_double( f ) );
		expect_same_bits_as_strtod( text );
		snprintf( text, sizeof text, "%.9g", (double)(float)( random_unit( f ) * 1000 - 500 ) );
		expect_same_bits_as_strtod( text );
		snprintf( text, sizeof text, "%.6f", random_unit( f ) * 2e6 - 1e6 );
		expect_same_bits_as_strtod( text );
	}
}

static void numbers_too_small_for_all_their_bits( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 30000; ++round )
	{
		char text[200];
		double x = ldexp( (double)( random_bits( f ) >> 11 ), -1075 - 53 + (int)( random_bits( f ) % 56 ) );
		snprintf( text, sizeof text, "%.*e", (int)( random_bits( f ) % 30 ), x );
		expect_same_bits_as_strtod( text );
		char* end = write_digits( f, text, 1 + (unsigned)( random_bits( f ) % 30 ) );
		end = write_exponent( f, end, -355, -300 );
		*end = 0;
		expect_same_bits_as_strtod( text );
	}
}

static void zeros_in_front( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 30000; ++round )
	{
		char text[900];
		char* end = write_sign( f, text );
		unsigned zeros = (unsigned)( random_bits( f ) % ( round % 2 ? 40 : 350 ) );
		memset( end, '0', zeros );
		end += zeros;
		if ( zeros == 0 || random_bits( f ) % 2 )
		{
			*end++ = '.';
			zeros = (unsigned)( random_bits( f ) % 350 );
			memset( end, '0', zeros );
			end += zeros;
		}
		end = write_digits( f, end, 1 + (unsigned)( random_bits( f ) % 30 ) );
		if ( random_bits( f ) % 2 )
		{
			end = write_exponent( f, end, -20, 350 );
		}
		*end = 0;
		expect_same_bits_as_strtod( text );
	}
}

// Exactly half way between two neighbors with all of up to 768 digits, and a hair above and below. It has one
// bit more than a double: long doubles of most machines have that, and a printf that is exact writes all of it.
static void halfway_cases_of_any_length_are_rounded_to_even( void** state )
{
	fixture* f = *state;
	if ( LDBL_MANT_DIG < DBL_MANT_DIG + 1 || LDBL_MAX_EXP == DBL_MAX_EXP )
	{
		skip();
	}
	for ( int round = 0; round < 10000; ++round )
	{
		char text[2000];
		double x = fabs( random_double( f ) );
		if ( round % 4 == 0 )
		{
			x = ldexp( (double)( random_bits( f ) >> ( 11 + random_bits( f ) % 53 ) ), -1074 );
		}
		double next = nextafter( x, INFINITY );
		next = isfinite( next ) ? next : x;
		long double half = ( (long double)x + (long double)next ) / 2;
		int length = snprintf( text, sizeof text, "%.*Le", 770, half );
		expect_same_bits_as_strtod( text );

		// The mantissa without its zeros, to be lengthened.
		char* exponent = strchr( text, 'e' );
		assert_true( exponent && length < (int)sizeof text );
		char tail[16];
		strcpy( tail, exponent );
		char* end = exponent;
		while ( end[-1] == '0' )
		{
			--end;
		}
		if ( end[-1] == '.' )
		{
			continue;
		}
		static const char* const more[] = { "", "0", "00000000000000001", "1" };
		for ( int i = 0; i < 4; ++i )
		{
			sprintf( end, "%s%s", more[i], tail );
			expect_same_bits_as_strtod( text );
		}
		sprintf( end, "%0*d1%s", 850, 0, tail );
		expect_same_bits_as_strtod( text );
		--end[-1];
		sprintf( end, "9999999999999999999%s", tail );
		expect_same_bits_as_strtod( text );
	}
}

static void hard_numbers_of_the_literature( void** state )
{
	(void)state;
	const char* const hard[] = {
		"9007199254740993",
		"9007199254740992.99999999999999999999999999999999999",
		"9007199254740993.00000000000000000000000000000000001",
		"1.00000000000000011102230246251565404236316680908203125",
		"1.00000000000000011102230246251565404236316680908203124",
		"1.00000000000000011102230246251565404236316680908203126",
		"2.2250738585072011e-308",
		"2.2250738585072014e-308",
		"4.9406564584124654e-324",
		"2.4703282292062327e-324",
		"2.4703282292062328e-324",
		"1.7976931348623157e308",
		"1.7976931348623158e308",
		"1.7976931348623159e308",
		"179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587",
		"8.41e21",
		"9.5e22",
		"1e23",
		"1e27",
		"1e-27",
		"18446744073709551615",
		"1844674407370955161e1",
		"9999999999999999999",
		"9999999999999999999e-27",
		"9999999999999999999e27",
		"5708990770823839207320493820740630171355185152001e-3",
		"0.000000000000000000000000000000000000000000000000000000000001",
		"0.1e-999999999999999999999",
		"0e999999999999999999999",
		"1e999999999999999999999",
		"-1e-99999999999999999999",
		"1000000000000000000000000e-24",
		"0.3",
		"-0",
		"-.0e5",
		"6.0221409e+23",
	};
	for ( size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i )
	{
		expect_same_bits_as_strtod( hard[i] );
	}
}

static void words_for_what_is_no_finite_number( void** state )
{
	(void)state;
	const struct
	{
		const char* text;
		int length;
		double value;
	} cases[] = {
		{ "inf", 3, INFINITY },      { "-INF", 4, -INFINITY },
		{ "Infinity", 8, INFINITY }, { "+iNfInItY", 9, INFINITY },
		{ "infinit", 3, INFINITY },  { "inf1", 3, INFINITY },
		{ "nan", 3, NAN },           { "-NaN", 4, NAN },
		{ "nan(ind)", 8, NAN },      { "NAN()", 5, NAN },
		{ "nanx", 3, NAN },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		double value;
		assert_int_equal( read_exactly( cases[i].text, strlen( cases[i].text ), &value ), cases[i].length );
		assert_true( isnan( cases[i].value ) ? isnan( value ) : value == cases[i].value );
	}
}

static void what_is_no_number_is_told( void** state )
{
	(void)state;
	const char* const words[] = { "",    "+",   "-",  ".", "+.", "e5", ".e5", "-.e5", "1e", "1e+",  "1.5E-",
		                          "--1", "+-1", " 1", "x", "in", "na", "-i",  "/",    ":",  "1e 5", ",5" };
	for ( size_t i = 0; i < sizeof words / sizeof words[0]; ++i )
	{
		double value;
		assert_int_equal( read_exactly( words[i], strlen( words[i] ), &value ), -1 );
	}
}

static void a_number_ends_at_the_first_byte_that_cannot_belong_to_it( void** state )
{
	(void)state;
	const struct
	{
		const char* text;
		int length;
		double value;
	} cases[] = {
		{ "0x10", 1, 0 },
		{ "1.2.3", 3, 1.2 },
		{ "1,5", 1, 1 },
		{ "1e5.0", 3, 1e5 },
		{ "1_0", 1, 1 },
		{ "12345678:", 8, 12345678 },
		{ "5.", 2, 5 },
		{ "1234567/12345678", 7, 1234567 },
		{ "1-2", 1, 1 },
		{ "1e5e5", 3, 1e5 },
		{ "12345678\xb0", 8, 12345678 },
		{ "1.5f", 3, 1.5 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		double value;
		assert_int_equal( read_exactly( cases[i].text, strlen( cases[i].text ), &value ), cases[i].length );
		assert_true( value == cases[i].value );
	}
}

// What is cut off must not show: each prefix reads as it would alone, wherever in the block it ends.
static void nothing_behind_the_end_is_read( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 3000; ++round )
	{
		char text[200];
		char* end = write_digits( f, text, 1 + (unsigned)( random_bits( f ) % 30 ) );
		*end++ = '.';
		end = write_digits( f, end, (unsigned)( random_bits( f ) % 30 ) );
		end = write_exponent( f, end, -330, 310 );
		*end = 0;
		for ( size_t size = 0; text[size]; ++size )
		{
			double within = -1;
			double alone = -1;
			const char* stop = bvbase_read_number( text, text + size, &within );
			ptrdiff_t length = read_exactly( text, size, &alone );
			assert_int_equal( stop ? stop - text : -1, length );
			assert_true( length <= (ptrdiff_t)size );
			assert_memory_equal( &within, &alone, sizeof alone );
			assert_true( length == (ptrdiff_t)size || size == 0 || strchr( "eE+-", text[size - 1] ) );
		}
	}
}

// Without such a locale installed this shows nothing.
static void a_locale_with_a_decimal_comma_changes_nothing( void** state )
{
	(void)state;
	if ( !setlocale( LC_ALL, "de_DE.UTF-8" ) && !setlocale( LC_ALL, "fr_FR.UTF-8" ) )
	{
		skip();
	}
	double value = 0;
	ptrdiff_t length = read_exactly( "0.12345678901234567890123", 25, &value );
	bvbase_short_number written = bvbase_shorten( 0.125, 2 );
	setlocale( LC_ALL, "C" );
	assert_string_equal( written.text, "0.12" );
	assert_int_equal( length, 25 );
	assert_true( value == 0.12345678901234567890123 );
}

// Fifteen digits are kept by every binary64 number, so what was written with as many comes back as it was written.
static void printed_numbers_read_back_equal_and_are_short( void** state )
{
	fixture* f = *state;
	static const char* const given[] = { "0", "0.1", "-2.5", "1e-06", "0.3", "123456789.012345", "1e+300" };
	char text[BVBASE_NUMBER_BYTES];
	for ( size_t i = 0; i < sizeof given / sizeof *given; ++i )
	{
		bvbase_print_number( text, strtod( given[i], NULL ) );
		assert_string_equal( text, given[i] );
	}
	bvbase_print_number( text, -0.0 );
	assert_string_equal( text, "0" );
	for ( int i = 0; i < 100000; ++i )
	{
		double value;
		uint64_t bits = random_bits( f );
		memcpy( &value, &bits, sizeof value );
		if ( isfinite( value ) )
		{
			bvbase_print_number( text, value );
			assert_true( strtod( text, NULL ) == value );
		}
	}
}

// The shortest decimal of each, and the greatest, the least normal and the least of all binary32 numbers.
static void printed_floats_read_back_equal_and_are_short( void** state )
{
	fixture* f = *state;
	static const char* const given[] = { "0",          "1",     "-2.5",     "0.1",           "1e+20",
		                                 "0.33333334", "1e-10", "16777216", "3.4028235e+38", "1.1754944e-38",
		                                 "1.4013e-45" };
	char text[BVBASE_NUMBER_BYTES];
	for ( size_t i = 0; i < sizeof given / sizeof *given; ++i )
	{
		bvbase_print_float( text, strtof( given[i], NULL ) );
		assert_string_equal( text, given[i] );
	}
	bvbase_print_float( text, -0.0f );
	assert_string_equal( text, "0" );
	for ( int i = 0; i < 100000; ++i )
	{
		float value;
		uint32_t bits = (uint32_t)random_bits( f );
		memcpy( &value, &bits, sizeof value );
		if ( isfinite( value ) )
		{
			bvbase_print_float( text, value );
			assert_true( strtof( text, NULL ) == value );
		}
	}
}

// The two are neighbors among numbers of so many digits, with the value between them: printf's nearest is one of the two.
static void rounded_outwards_numbers_enclose_and_are_neighbors( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 100000; ++i )
	{
		char text[64];
		double value = ldexp( random_unit( f ) - 0.5, (int)( random_bits( f ) % 200 ) - 100 );
		int digits = 1 + (int)( random_bits( f ) % 9 );
		double up = bvbase_round_up( value, digits );
		double down = bvbase_round_down( value, digits );
		assert_true( down <= value && value <= up );
		snprintf( text, sizeof text, "%.*e", digits - 1, value );
		double nearest = strtod( text, NULL );
		assert_true( nearest == up || nearest == down );
		snprintf( text, sizeof text, "%.*e", digits - 1, up );
		assert_true( strtod( text, NULL ) == up );
		snprintf( text, sizeof text, "%.*e", digits - 1, 0.5 * up + 0.5 * down );
		nearest = strtod( text, NULL );
		assert_true( nearest == up || nearest == down );
	}
	assert_true( bvbase_round_up( 9.9991, 4 ) == 10 && bvbase_round_down( 9.9991, 4 ) == 9.999 );
	assert_true( bvbase_round_up( -9.9991, 4 ) == -9.999 && bvbase_round_down( -9.9991, 4 ) == -10 );
	assert_true( bvbase_round_up( 0.25, 2 ) == 0.25 && bvbase_round_up( 0, 3 ) == 0 );
	assert_true( isinf( bvbase_round_up( INFINITY, 3 ) ) );
}

static void groups_and_short_numbers( void** state )
{
	(void)state;
	assert_string_equal( bvbase_group( 0 ).text, "0" );
	assert_string_equal( bvbase_group( 999 ).text, "999" );
	assert_string_equal( bvbase_group( 1000 ).text, "1,000" );
	assert_string_equal( bvbase_group( 1234567 ).text, "1,234,567" );
	assert_string_equal( bvbase_group( UINT64_MAX ).text, "18,446,744,073,709,551,615" );
	assert_string_equal( bvbase_shorten( 1234567, 3 ).text, "1,234,567" );
	assert_string_equal( bvbase_shorten( -1234567, 3 ).text, "-1,234,567" );
	assert_string_equal( bvbase_shorten( -0.0, 3 ).text, "0" );
	assert_string_equal( bvbase_shorten( 12.345, 3 ).text, "12.3" );
	assert_string_equal( bvbase_shorten( -0.0012345, 4 ).text, "-0.001234" );
	assert_string_equal( bvbase_shorten( 1e15, 3 ).text, "1e+15" );
	assert_string_equal( bvbase_shorten( -DBL_MAX, 17 ).text, "-1.7976931348623157e+308" );
	assert_string_equal( bvbase_shorten( INFINITY, 3 ).text, "inf" );
	assert_string_equal( bvbase_plural( 0 ), "s" );
	assert_string_equal( bvbase_plural( 1 ), "" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( digits_of_any_number_with_any_exponent ),
		fixture_test( few_digits_with_small_exponents ),
		fixture_test( doubles_as_printf_writes_them ),
		fixture_test( numbers_too_small_for_all_their_bits ),
		fixture_test( zeros_in_front ),
		fixture_test( halfway_cases_of_any_length_are_rounded_to_even ),
		fixture_test( hard_numbers_of_the_literature ),
		fixture_test( words_for_what_is_no_finite_number ),
		fixture_test( what_is_no_number_is_told ),
		fixture_test( a_number_ends_at_the_first_byte_that_cannot_belong_to_it ),
		fixture_test( nothing_behind_the_end_is_read ),
		fixture_test( a_locale_with_a_decimal_comma_changes_nothing ),
		fixture_test( printed_numbers_read_back_equal_and_are_short ),
		fixture_test( printed_floats_read_back_equal_and_are_short ),
		fixture_test( groups_and_short_numbers ),
		fixture_test( rounded_outwards_numbers_enclose_and_are_neighbors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
