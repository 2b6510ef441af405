// What pages of the HTML report are made of: escaped text, numbers for people, digests of scripts.

#include "support.h"

#include "offline/report/html/html.h"
#include "offline/report/html/sha256.h"

#include <stdio.h>

static void what_html_gives_a_meaning_is_escaped( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		const char* escaped;
	} cases[] = {
		{ "plain", "plain" },
		{ "a<b>&\"'`", "a&lt;b&gt;&amp;&quot;&#39;&#96;" },
		{ "\u2028 \u2029", "&#x2028; &#x2029;" },
		{ "ä€\U0001F600", "ä€\U0001F600" },
		{ "\x80|\xc0\xaf|\xed\xa0\x80|\xf5", "\uFFFD|\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD|\uFFFD" }, // not UTF-8
		{ "\x01\x1f\x7f\xc2\x85", "\uFFFD\uFFFD\uFFFD\uFFFD" },                                 // controls
		{ "\uFFFE\uFFFF\uFDD0\uFDEF\U0001FFFE\U0010FFFF", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD" },
		{ "\uFDCF\uFDF0\uFFFD\uFFFC", "\uFDCF\uFDF0\uFFFD\uFFFC" },
		{ "\t\n", "\t\n" },
		{ "\u202a\u202e\u2066\u2069", "\uFFFD\uFFFD\uFFFD\uFFFD" }, // turn what follows
		{ "\u2029\u202f\u2065\u206a", "&#x2029;\u202f\u2065\u206a" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvexport_output out = { 0 };
		bvhtml_escape( &out, cases[i].text, strlen( cases[i].text ) );
		bvexport_output_bytes( &out, "", 1 );
		assert_string_equal( out.data, cases[i].escaped );
		free( out.data );
	}
}

static void numbers_are_written_for_people( void** state )
{
	(void)state;
	static const struct
	{
		double value;
		int digits;
		const char* text;
	} cases[] = {
		{ 0, 4, "0" },
		{ 1, 4, "1" },
		{ -0.5, 4, "−0.5" },
		{ 12345.678, 4, "12,346" },
		{ 999.96, 4, "1,000" },
		{ 9999999, 4, "9,999,999" },
		{ 1e7, 4, "1×10⁷" },
		{ 123456789, 4, "1.235×10⁸" },
		{ 0.0012345, 4, "0.001234" }, // the binary64 number is below the decimal one
		{ 0.00099999, 4, "1×10⁻³" },
		{ 1.5e-300, 4, "1.5×10⁻³⁰⁰" },
		{ 2.0 / 3, 3, "0.667" },
		{ 100, 3, "100" },
		{ 1.7976931348623157e308, 17, "1.7976931348623157×10³⁰⁸" },
	};
	char text[BVHTML_NUMBER_BYTES];
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvhtml_print_number( text, cases[i].value, cases[i].digits );
		assert_string_equal( text, cases[i].text );
	}
	bvhtml_print_number( text, NAN, 4 );
	assert_string_equal( text, "–" );
	bvhtml_print_count( text, 18446744073709.0 );
	assert_string_equal( text, "18,446,744,073,709" );
	bvhtml_print_bytes( text, 132032 );
	assert_string_equal( text, "132 kB" );
	bvhtml_print_bytes( text, 999 );
	assert_string_equal( text, "999 B" );
}

// The examples that NIST gives for FIPS 180-4, and lengths about where padding takes one more block, from sha256sum.
static void digests_are_those_of_the_standard( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		int length;
		const char* digest;
	} cases[] = {
		{ "", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ NULL, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ NULL, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ NULL, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	};
	char* many = malloc( 1000000 );
	memset( many, 'a', 1000000 );
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		uint8_t digest[32];
		char text[65];
		bvhtml_sha256( cases[i].text ? cases[i].text : many, (size_t)cases[i].length, digest );
		for ( int k = 0; k < 32; ++k )
		{
			snprintf( text + 2 * k, 3, "%02x", digest[k] );
		}
		assert_string_equal( text, cases[i].digest );
	}
	free( many );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( what_html_gives_a_meaning_is_escaped ),
		cmocka_unit_test( numbers_are_written_for_people ),
		cmocka_unit_test( digests_are_those_of_the_standard ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
