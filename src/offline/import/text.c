// What all text readers do. See text.h.

#include "offline/import/text.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "runtime/file/utf8.h"

#include <stdarg.h>
#include <stdio.h>

size_t bvimport_text_unfilled( const char* data, size_t size )
{
	bool filled = false;
	size_t length = size;
	for ( ; length > 0; --length )
	{
		char last = data[length - 1];
		bool fills = last == 0 || last == 0x1a;
		if ( !fills && last != '\n' && !bvimport_text_is_blank( last ) )
		{
			break;
		}
		filled = filled || fills;
	}

	// The newline belongs to the last line.
	while ( filled && length < size && data[length] != 0 && data[length] != 0x1a )
	{
		++length;
	}
	return filled && length > 0 ? length : size;
}

bvimport_text bvimport_text_begin( const char* file, const char* data, size_t size, const char* format,
                                   bvb_error* error )
{
	size_t length = format ? bvimport_text_unfilled( data, size ) : size;
	const char* nul = format && length ? memchr( data, 0, length ) : NULL;
	bvimport_text t = {
		.file = file,
		.cursor = data,
		.end = nul ? nul : data + length,
		.line = 1,
		.format = format,
		.cut = nul != NULL,
		.filled = length < size,
		.error = error,
	};
	t.cursor += t.end - data >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0;
	return t;
}

bv_status bvimport_text_fail( const bvimport_text* t, bv_status status, const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	if ( t->cut && !memchr( t->cursor, '\n', (size_t)( t->end - t->cursor ) ) )
	{
		return bvimport_text_fail_binary( t );
	}
	return bvbase_fail( t->error, status, "%s:%llu: %s", t->file, (unsigned long long)t->line, text );
}

bv_status bvimport_text_fail_binary( const bvimport_text* t )
{
	return bvbase_fail( t->error, bv_error_input, "%s:%llu: binary data, not %s text", t->file,
	                    (unsigned long long)t->line, t->format );
}

static bool at_word_end( const bvimport_text* t, const char* s )
{
	return s == t->end || *s == '\n' || bvimport_text_is_blank( *s );
}

bv_status bvimport_text_fail_keyword( const bvimport_text* t, const char* word, const char* what )
{
	for ( const char* s = word; !at_word_end( t, s ); )
	{
		size_t length = bvfile_utf8_character( s, (size_t)( t->end - s ) );
		if ( length == 0 || bvfile_utf8_is_control( s ) )
		{
			return bvimport_text_fail_binary( t );
		}
		s += length;
	}
	return bvimport_text_fail_token( t, word, what );
}

// Writes what stands for the character at `s`.
// @return that character's length in the text
static size_t quote_character( const char* s, size_t size, char quoted[12] )
{
	const unsigned char* c = (const unsigned char*)s;
	size_t length = bvfile_utf8_character( s, size );
	unsigned code = length > 0 ? c[0] & ( 0xffu >> ( length + 1 ) ) : 0;
	for ( size_t i = 1; i < length; ++i )
	{
		code = code << 6 | ( c[i] & 0x3f );
	}
	if ( length > 1 )
	{
		snprintf( quoted, 12, "<U+%04X>", code );
		return length;
	}
	quoted[0] = *s >= 0x20 && *s < 0x7f ? *s : '?';
	quoted[1] = 0;
	return 1;
}

bv_status bvimport_text_fail_token( const bvimport_text* t, const char* token, const char* what )
{
	char text[40];
	size_t length = 0;
	text[0] = 0;
	for ( const char* s = token; !at_word_end( t, s ); )
	{
		char quoted[12];
		s += quote_character( s, (size_t)( t->end - s ), quoted );
		if ( length + strlen( quoted ) > sizeof text - 4 )
		{
			memcpy( text + length, "...", 4 );
			break;
		}
		memcpy( text + length, quoted, strlen( quoted ) + 1 );
		length += strlen( quoted );
	}
	return bvimport_text_fail( t, bv_error_input, "'%s' %s", text, what );
}

bvimport_written bvimport_text_written( const bvimport_text* t, const char* number )
{
	bvimport_written out;
	const size_t most = sizeof out.text - 4;
	size_t length = 0;
	const char* s = number;
	if ( s < t->end && ( *s == '-' || *s == '+' ) )
	{
		out.text[0] = '-';
		length = *s++ == '-';
	}
	for ( ; s < t->end && bvimport_text_is_digit( *s ) && length < most; ++s )
	{
		out.text[length++] = *s;
	}
	strcpy( out.text + length, s < t->end && bvimport_text_is_digit( *s ) ? "..." : "" );
	return out;
}

void bvimport_text_skip_space( bvimport_text* t, char comment )
{
	for ( ;; )
	{
		bvimport_text_skip_blanks( t );
		if ( t->cursor == t->end )
		{
			return;
		}
		if ( comment && *t->cursor == comment )
		{
			bvimport_text_skip_line( t );
		}
		else if ( *t->cursor == '\n' )
		{
			++t->cursor;
			++t->line;
		}
		else
		{
			return;
		}
	}
}

bool bvimport_text_is_any_case( const char* word, size_t length, const char* expected )
{
	if ( strlen( expected ) != length )
	{
		return false;
	}
	for ( size_t i = 0; i < length; ++i )
	{
		char c = word[i];
		c = (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
		if ( c != expected[i] )
		{
			return false;
		}
	}
	return true;
}

static bool at_separator( const bvimport_text* t )
{
	return bvimport_text_at_line_end( t ) || bvimport_text_is_blank( *t->cursor );
}

bv_status bvimport_text_read_number( bvimport_text* t, double* out )
{
	const char* token = t->cursor;
	const char* after = bvbase_read_number( token, t->end, out );
	if ( after )
	{
		t->cursor = after;
	}
	return after && at_separator( t ) ? bv_ok : bvimport_text_fail_token( t, token, "is not a number" );
}

bv_status bvimport_text_read_integer( bvimport_text* t, int64_t* out )
{
	const char* token = t->cursor;
	const char* s = token;
	bool negative = s < t->end && *s == '-';
	s += s < t->end && ( *s == '-' || *s == '+' );
	const char* first = s;
	uint64_t value = 0;
	bool fits = true;
	while ( s < t->end && bvimport_text_is_digit( *s ) )
	{
		uint64_t digit = (uint64_t)( *s++ - '0' );
		fits = fits && value <= ( INT64_MAX - digit ) / 10;
		value = fits ? 10 * value + digit : value;
	}
	t->cursor = s;
	bool whole = s > first && at_separator( t );
	if ( !whole || !fits )
	{
		t->cursor = token;
		return bvimport_text_fail_token( t, token, whole ? "is too large" : "is not a whole number" );
	}
	*out = negative ? -(int64_t)value : (int64_t)value;
	return bv_ok;
}
