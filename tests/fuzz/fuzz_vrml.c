// libFuzzer target: any bytes as VRML, behind its first line unless they have one, or compressed.

#include "formats/vrml/vrml.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static bv_status read_small( const char* name, const char* data, size_t size, bvb_arena* arena,
                             bvb_import* out, bvb_error* error )
{
	return bvvrml_read_vrml( name, data, size, (uint64_t)1 << 26, arena, out, error );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	static const char header[] = "#VRML V2.0 utf8\n";
	const size_t length = sizeof header - 1;
	if ( size >= 2 && ( data[0] == '#' || data[0] == 0x1f ) )
	{
		return fuzz_reader( read_small, data, size );
	}
	uint8_t* whole = malloc( length + size );
	if ( whole )
	{
		memcpy( whole, header, length );
		memcpy( whole + length, data, size );
		fuzz_reader( read_small, whole, length + size );
	}
	free( whole );
	return 0;
}
