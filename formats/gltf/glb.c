// The container of binary glTF (Khronos, "glTF 2.0 specification", chapter 4): a header of 12 bytes, then
// chunks with a length and a type each. See glb.h.

#include "formats/gltf/glb.h"

#include "offline/base/error.h"

#include <string.h>

enum
{
	header_bytes = 12,
	head_bytes = 8, // of a chunk
	type_json = 0x4e4f534a,
	type_binary = 0x004e4942,
	version = 2,
};

static uint32_t load( const char* from )
{
	const unsigned char* s = (const unsigned char*)from;
	return (uint32_t)s[3] << 24 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | s[0];
}

bool bvgltf_glb_is( const char* data, size_t size )
{
	return size >= 4 && memcmp( data, "glTF", 4 ) == 0;
}

static bv_status check_header( const char* file, const char* data, size_t size, bvb_error* error )
{
	if ( size < header_bytes + head_bytes )
	{
		return bvbase_fail( error, bv_error_input, "%s: the header of binary glTF is cut off", file );
	}
	if ( load( data + 4 ) != version )
	{
		return bvbase_fail( error, bv_error_unsupported,
		                    "%s: byte 4: binary glTF of version %u is not supported", file,
		                    load( data + 4 ) );
	}
	if ( load( data + 8 ) != size )
	{
		return bvbase_fail( error, bv_error_input, "%s: byte 8: the header says %u bytes, the file has %llu",
		                    file, load( data + 8 ), (unsigned long long)size );
	}
	return bv_ok;
}

// Writers that do not pad either go on right behind the chunk, or pad without counting that.
static size_t find_next( const char* data, size_t size, size_t end )
{
	size_t padded = ( end + 3 ) & ~(size_t)3;
	bool here = size - end >= head_bytes && load( data + end ) <= size - end - head_bytes &&
	            load( data + end + 4 ) == type_binary;
	return here ? end : padded < size ? padded : size;
}

bv_status bvgltf_glb_open( const char* file, const char* data, size_t size, bvgltf_container* out,
                           bvb_error* error )
{
	*out = ( bvgltf_container ){ .binary_format = true };
	bv_status status = check_header( file, data, size, error );
	size_t at = header_bytes;
	for ( uint32_t chunk = 0; status == bv_ok && at < size; ++chunk )
	{
		if ( size - at < head_bytes || load( data + at ) > size - at - head_bytes )
		{
			return bvbase_fail( error, bv_error_input, "%s: byte %llu: chunk %u is longer than the file",
			                    file, (unsigned long long)at, chunk );
		}
		uint32_t length = load( data + at );
		uint32_t type = load( data + at + 4 );
		const char* content = data + at + head_bytes;
		if ( ( type == type_json ) != ( chunk == 0 ) )
		{
			return bvbase_fail( error, bv_error_input,
			                    chunk == 0 ? "%s: byte %llu: the first chunk is not JSON"
			                               : "%s: byte %llu: there is a second chunk of JSON",
			                    file, (unsigned long long)at );
		}
		if ( type == type_binary && chunk != 1 )
		{
			return bvbase_fail( error, bv_error_input,
			                    out->binary ? "%s: byte %llu: there is a second chunk of type BIN"
			                                : "%s: byte %llu: the chunk of type BIN is not the second one",
			                    file, (unsigned long long)at );
		}
		if ( type == type_json )
		{
			out->json = content;
			out->json_bytes = length;
		}
		else if ( type == type_binary )
		{
			out->binary = (const uint8_t*)content;
			out->binary_bytes = length;
		}
		at += head_bytes + length;
		if ( length % 4 != 0 )
		{
			out->unpadded = true;
			at = find_next( data, size, at );
		}
	}
	return status;
}
