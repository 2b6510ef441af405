// libFuzzer target: any bytes as glTF, text or binary.

#include "formats/gltf/gltf.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static bv_status read_small( const char* name, const char* data, size_t size, bvb_arena* arena,
                             bvb_import* out, bvb_error* error )
{
	return bvgltf_read_gltf( name, data, size, (uint64_t)1 << 26, arena, out, error );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	return fuzz_reader( read_small, data, size );
}
