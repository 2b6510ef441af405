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

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_message_is_one_line ),
		cmocka_unit_test( long_words_keep_their_beginning_and_their_end ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
