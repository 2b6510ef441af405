// Messages of errors: one line, whatever is in it.

#include "support.h"

#include "offline/base/error.h"

#include <string.h>

static void a_message_is_one_line( void** state )
{
	(void)state;
	bvb_error error;
	assert_int_equal( bvbase_fail( &error, bv_error_input, "%s: %d", "a\nb\x1b[1m", 7 ), bv_error_input );
	assert_string_equal( error.message, "a?b?[1m: 7" );
	assert_int_equal( bvbase_fail( NULL, bv_error_limit, "unheard" ), bv_error_limit );
}

static void long_words_keep_their_beginning_and_their_end( void** state )
{
	(void)state;
	bvb_error error;
	char word[3001];
	for ( size_t i = 0; i < sizeof word - 1; ++i )
	{
		word[i] = (char)( 'a' + i % 26 );
	}
	word[sizeof word - 1] = 0;
	bvbase_fail( &error, bv_error_input, "one  %s two %s", word, word );
	const char* first = strchr( error.message, 'a' );
	assert_int_equal( strlen( error.message ), strlen( "one   two " ) + 200 + 200 );
	assert_int_equal( strspn( first, "abcdefghijklmnopqrstuvwxyz." ), 200 );
	assert_memory_equal( first, word, 137 );
	assert_memory_equal( first + 137, "...", 3 );
	assert_memory_equal( first + 140, word + sizeof word - 1 - 60, 60 );
	assert_memory_equal( first + 200, " two ", 5 );

	word[200] = 0;
	bvbase_fail( &error, bv_error_input, "%s", word );
	assert_string_equal( error.message, word );
}

// What is in quotes, and what is in front of the first colon, is input, also with blanks.
static void long_input_with_blanks_is_shortened( void** state )
{
	(void)state;
	bvb_error error;
	char blanks[1001] = "";
	while ( strlen( blanks ) < 1000 )
	{
		strcat( blanks, "a b, " );
	}
	bvbase_fail( &error, bv_error_input, "--%s takes '%s' (or 'x')", "name", blanks );
	assert_int_equal( strlen( error.message ), strlen( "--name takes  (or 'x')" ) + 200 );
	assert_memory_equal( error.message, "--name takes 'a b, a b,", 23 );
	assert_string_equal( error.message + strlen( error.message ) - 14, " a b, ' (or 'x')" + 2 );

	bvbase_fail( &error, bv_error_input, "%s: line 1", blanks );
	assert_int_equal( strlen( error.message ), strlen( ": line 1" ) + 200 );

	// A list of what there is may be long.
	bvbase_fail( &error, bv_error_input, "a.obj: has no 'key' (it has %s)", blanks );
	assert_int_equal( strlen( error.message ), strlen( "a.obj: has no 'key' (it has )" ) + 1000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_message_is_one_line ),
		cmocka_unit_test( long_words_keep_their_beginning_and_their_end ),
		cmocka_unit_test( long_input_with_blanks_is_shortened ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
