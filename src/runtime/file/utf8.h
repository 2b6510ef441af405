// One step through UTF-8 text (RFC 3629).

#pragma once

#include <stddef.h>

/// @param text  at least `size` bytes, size at least 1
/// @return the length of the well-formed character that `text` begins with, or 0 when there is none
static inline size_t bvfile_utf8_character( const char* text, size_t size )
{
	const unsigned char* c = (const unsigned char*)text;
	size_t length = c[0] < 0x80   ? 1
	                : c[0] < 0xc2 ? 0
	                : c[0] < 0xe0 ? 2
	                : c[0] < 0xf0 ? 3
	                : c[0] < 0xf5 ? 4
	                              : 0;
	if ( length > size )
	{
		return 0;
	}
	for ( size_t i = 1; i < length; ++i )
	{
		if ( ( c[i] & 0xc0 ) != 0x80 )
		{
			return 0;
		}
	}

	// Overlong forms, surrogates and code points above U+10FFFF show in the second byte.
	if ( ( c[0] == 0xe0 && c[1] < 0xa0 ) || ( c[0] == 0xed && c[1] > 0x9f ) ||
	     ( c[0] == 0xf0 && c[1] < 0x90 ) || ( c[0] == 0xf4 && c[1] > 0x8f ) )
	{
		return 0;
	}
	return length;
}

/// @param text  begins with a well-formed character
/// @return whether that is a control character: C0, delete or C1
static inline int bvfile_utf8_is_control( const char* text )
{
	const unsigned char* c = (const unsigned char*)text;
	return c[0] < 0x20 || c[0] == 0x7f || ( c[0] == 0xc2 && c[1] < 0xa0 );
}
