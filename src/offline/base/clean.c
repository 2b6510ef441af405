// Text of any bytes as clean UTF-8. See clean.h.

#include "offline/base/clean.h"

#include "runtime/file/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t bvbase_clean_text( const char* source, char* out )
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t size = strlen( source );
	size_t length = 0;
	for ( size_t i = 0; i < size; )
	{
		size_t whole = bvfile_utf8_character( source + i, size - i );
		bool good = whole > 0 && !bvfile_utf8_is_control( source + i );
		size_t copied = good ? whole : 3;
		memcpy( out + length, good ? source + i : replacement, copied );
		length += copied;
		i += whole > 0 ? whole : 1;
	}
	return length;
}
