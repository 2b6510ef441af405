// A place in a text file, and what all text readers do there: blanks, words, numbers, errors that name the
// line.

#pragma once

#include "bvbuild/base.h"

#include <string.h>

/// Where a reader is. Nothing at or beyond `end` is read.
typedef struct bvimport_text
{
	const char* file;   ///< its name, for messages
	const char* cursor; ///< the next character
	const char* end;    ///< of the text
	uint64_t line;      ///< of the cursor, from 1
	const char* format; ///< what the text is of, "OBJ"; null where NUL bytes are no error
	bool cut;           ///< the text ends where the file has a NUL byte
	bool filled;        ///< behind the text the file is filled up
	bvb_error* error;   ///< receives what is wrong
} bvimport_text;

/// Some programs fill a text up with NUL bytes, or end it as DOS did: with Ctrl-Z (0x1a).
/// @return the length without these bytes and the white space among them; `size` without such bytes
size_t bvimport_text_unfilled( const char* data, size_t size );

/// What readers note of such a text.
#define BVIMPORT_TEXT_FILLED "NUL or Ctrl-Z bytes follow the text"

/// Begins at the first byte of a file, behind a UTF-8 mark.
/// @param format  kept; unless it is null the text ends where the file is filled up, or else at its first NUL
///                byte
bvimport_text bvimport_text_begin( const char* file, const char* data, size_t size, const char* format,
                                   bvb_error* error );

/// Fails with "FILE:LINE: " before the message. Whatever is wrong in a line that holds a NUL byte, that byte
/// is the cause: "binary data, not OBJ text".
/// @return status, or bv_error_input for that byte
__attribute__( ( format( printf, 3, 4 ) ) ) bv_status
bvimport_text_fail( const bvimport_text* t, bv_status status, const char* format, ... );

/// Fails with "binary data, not OBJ text".
/// @return bv_error_input
bv_status bvimport_text_fail_binary( const bvimport_text* t );

/// Fails with "FILE:LINE: 'TOKEN' " before `what`, such as "is not a number". The token ends at a blank and
/// is cut when it is long; what is not printable ASCII becomes a question mark, or <U+00A0> where it is a
/// character of UTF-8.
/// @return bv_error_input
bv_status bvimport_text_fail_token( const bvimport_text* t, const char* token, const char* what );

/// The same for a word that should have been a keyword; binary data if it holds what is no UTF-8, or control
/// characters.
/// @return bv_error_input
bv_status bvimport_text_fail_keyword( const bvimport_text* t, const char* word, const char* what );

/// A whole number as it is written, for messages: some can't be told from others once they are read.
typedef struct bvimport_written
{
	char text[32]; ///< terminated; ends with "..." where there were more digits
} bvimport_written;

/// @param number  digits, perhaps behind a sign, of which only the minus is kept
bvimport_written bvimport_text_written( const bvimport_text* t, const char* number );

/// @return whether `c` is a space, tab, carriage return, vertical tab or form feed
static inline bool bvimport_text_is_blank( char c )
{
	return c == ' ' || ( c >= '\t' && c <= '\r' && c != '\n' );
}

/// @return whether `c` is one of 0 to 9
static inline bool bvimport_text_is_digit( char c )
{
	return (unsigned char)( c - '0' ) < 10;
}

/// Skips blanks within the line.
static inline void bvimport_text_skip_blanks( bvimport_text* t )
{
	while ( t->cursor < t->end && bvimport_text_is_blank( *t->cursor ) )
	{
		++t->cursor;
	}
}

/// @return whether the cursor is at a newline or at the end of the text
static inline bool bvimport_text_at_line_end( const bvimport_text* t )
{
	return t->cursor == t->end || *t->cursor == '\n';
}

/// Goes to the newline, which is left.
static inline void bvimport_text_skip_line( bvimport_text* t )
{
	const char* newline = memchr( t->cursor, '\n', (size_t)( t->end - t->cursor ) );
	t->cursor = newline ? newline : t->end;
}

/// Skips blanks and newlines, and with `comment` also from that character to the end of its line.
/// @param comment  a character, or 0 for none
void bvimport_text_skip_space( bvimport_text* t, char comment );

/// Goes over the word at the cursor: all up to a blank, a newline or the end.
/// @return its length, 0 when there is none
static inline size_t bvimport_text_read_word( bvimport_text* t, const char** word )
{
	*word = t->cursor;
	while ( !bvimport_text_at_line_end( t ) && !bvimport_text_is_blank( *t->cursor ) )
	{
		++t->cursor;
	}
	return (size_t)( t->cursor - *word );
}

/// @return whether the `length` bytes at `word` are the text `expected`
static inline bool bvimport_text_is( const char* word, size_t length, const char* expected )
{
	return strlen( expected ) == length && memcmp( expected, word, length ) == 0;
}

/// The same, whatever the case of the ASCII letters in `word`.
/// @param expected  lower case
bool bvimport_text_is_any_case( const char* word, size_t length, const char* expected );

/// Reads a number that a blank, a newline or the end follows. nan and inf are numbers here.
/// @return bv_ok; bv_error_input, naming the token
bv_status bvimport_text_read_number( bvimport_text* t, double* out );

/// Reads digits, after which a blank, a newline or the end follows; a sign is allowed.
/// @return bv_ok; bv_error_input when it is no whole number or beyond 2^63 - 1, naming the token
bv_status bvimport_text_read_integer( bvimport_text* t, int64_t* out );
