// What all text readers do. See text.h.

#include "formats/text.h"

#include "base/offline/error.h"
#include "base/offline/number.h"

#include <stdarg.h>
#include <stdio.h>

bvb_text bvb_text_begin( const char* file, const char* data, size_t size, const char* format,
                         bvb_error* error )
{
	const char* nul = format && size ? memchr( data, 0, size ) : NULL;
	bvb_text t = {
		.file = file,
		.cursor = data,
		.end = nul ? nul : data + size,
		.line = 1,
		.format = format,
		.cut = nul != NULL,
		.error = error,
	};
	t.cursor += t.end - data >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0;
	return t;
}

bv_status bvb_text_fail( const bvb_text* t, bv_status status, const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	if ( t->cut && !memchr( t->cursor, '\n', (size_t)( t->end - t->cursor ) ) )
	{
		return bvb_text_fail_binary( t );
	}
	return bvb_fail( t->error, status, "%s:%llu: %s", t->file, (unsigned long long)t->line, text );
}

bv_status bvb_text_fail_binary( const bvb_text* t )
{
	return bvb_fail( t->error, bv_error_input, "%s:%llu: binary data, not %s text", t->file,
	                 (unsigned long long)t->line, t->format );
}

bv_status bvb_text_fail_keyword( const bvb_text* t, const char* word, const char* what )
{
	for ( const char* s = word; s < t->end && *s != '\n' && !bvb_text_is_blank( *s ); ++s )
	{
		if ( *s < 0x20 || *s >= 0x7f )
		{
			return bvb_text_fail_binary( t );
		}
	}
	return bvb_text_fail_token( t, word, what );
}

bv_status bvb_text_fail_token( const bvb_text* t, const char* token, const char* what )
{
	char text[40];
	size_t length = 0;
	for ( const char* s = token; s < t->end && *s != '\n' && !bvb_text_is_blank( *s ); ++s )
	{
		if ( length == sizeof text - 4 )
		{
			memcpy( text + length, "...", 3 );
			length += 3;
			break;
		}
		text[length++] = *s >= 0x20 && *s < 0x7f ? *s : '?';
	}
	text[length] = 0;
	return bvb_text_fail( t, bv_error_input, "'%s' %s", text, what );
}

void bvb_text_skip_space( bvb_text* t, char comment )
{
	for ( ;; )
	{
		bvb_text_skip_blanks( t );
		if ( t->cursor == t->end )
		{
			return;
		}
		if ( comment && *t->cursor == comment )
		{
			bvb_text_skip_line( t );
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

bool bvb_text_is_any_case( const char* word, size_t length, const char* expected )
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

static bool at_separator( const bvb_text* t )
{
	return bvb_text_at_line_end( t ) || bvb_text_is_blank( *t->cursor );
}

bv_status bvb_text_read_number( bvb_text* t, double* out )
{
	const char* token = t->cursor;
	const char* after = bvb_read_number( token, t->end, out );
	if ( after )
	{
		t->cursor = after;
	}
	return after && at_separator( t ) ? bv_ok : bvb_text_fail_token( t, token, "is not a number" );
}

bv_status bvb_text_read_integer( bvb_text* t, int64_t* out )
{
	const char* token = t->cursor;
	const char* s = token;
	bool negative = s < t->end && *s == '-';
	s += s < t->end && ( *s == '-' || *s == '+' );
	const char* first = s;
	uint64_t value = 0;
	bool fits = true;
	while ( s < t->end && bvb_text_is_digit( *s ) )
	{
		uint64_t digit = (uint64_t)( *s++ - '0' );
		fits = fits && value <= ( INT64_MAX - digit ) / 10;
		value = fits ? 10 * value + digit : value;
	}
	t->cursor = s;
	if ( s == first || !fits || !at_separator( t ) )
	{
		t->cursor = token;
		return bvb_text_fail_token( t, token, "is not a whole number" );
	}
	*out = negative ? -(int64_t)value : (int64_t)value;
	return bv_ok;
}
