// libFuzzer target: any bytes as PLY.

#include "formats/ply/ply.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	return fuzz_reader( bvply_read_ply, data, size );
}
