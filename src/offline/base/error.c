// One-line errors. See error.h.

#include "offline/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
	longest_word = 200, // of a message
	kept_at_end = 60,
};

// What is input, with its blanks: what is in quotes, and what is in front of the first colon. Else a word.
static size_t span_of( const char* message, const char* word )
{
	const char* colon = word == message ? strstr( word, ": " ) : NULL;
	if ( colon && colon - word > longest_word )
	{
		return (size_t)( colon - word );
	}
	const char* end = *word == '\'' || *word == '"' ? word : NULL;
	do
	{
		end = end ? strchr( end + 1, *word ) : NULL;
	} while ( end && end[1] && !strchr( " ,.:;?)", end[1] ) );
	return end && end - word > longest_word ? (size_t)( end + 1 - word ) : strcspn( word, " " );
}

// Names and input may be very long. Of a long word the beginning and the end are kept.
static void shorten_words( char* message )
{
	char* to = message;
	for ( const char* word = message; *word; )
	{
		size_t length = span_of( message, word );
		if ( length > longest_word )
		{
			size_t begin = longest_word - kept_at_end - 3;
			memmove( to, word, begin );
			memcpy( to + begin, "...", 3 );
			memmove( to + begin + 3, word + length - kept_at_end, kept_at_end );
			to += longest_word;
		}
		else
		{
			memmove( to, word, length );
			to += length;
		}
		word += length;
		while ( *word == ' ' )
		{
			*to++ = *word++;
		}
	}
	*to = 0;
}

bv_status bvbase_fail( bvb_error* error, bv_status status, const char* format, ... )
{
	if ( error )
	{
		va_list arguments;
		va_start( arguments, format );
		vsnprintf( error->message, sizeof error->message, format, arguments );
		va_end( arguments );

		shorten_words( error->message );

		// File names and input may carry line breaks and escapes; the message is one line all the same.
		for ( char* c = error->message; *c; ++c )
		{
			if ( (unsigned char)*c < 0x20 || *c == 0x7f )
			{
				*c = '?';
			}
		}
	}
	return status;
}

bv_status bvbase_fail_memory( bvb_error* error )
{
	return bvbase_fail( error, bv_error_memory, "out of memory" );
}
