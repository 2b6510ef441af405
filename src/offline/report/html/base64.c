// Base64. See base64.h.

#include "offline/report/html/base64.h"

#include <stdint.h>

void bvhtml_base64( bvexport_output* out, const void* data, size_t size )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t* bytes = data;
	for ( size_t i = 0; i < size; i += 3 )
	{
		size_t left = size - i;
		uint32_t three = (uint32_t)bytes[i] << 16 | ( left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0 ) |
		                 ( left > 2 ? bytes[i + 2] : 0 );
		const char four[4] = { digits[three >> 18], digits[three >> 12 & 63],
			                   left > 1 ? digits[three >> 6 & 63] : '=',
			                   left > 2 ? digits[three & 63] : '=' };
		bvexport_output_bytes( out, four, sizeof four );
	}
}
