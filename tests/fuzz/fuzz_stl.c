// libFuzzer target: any bytes as STL.

#include "formats/stl/stl.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	return fuzz_reader( bvstl_read_stl, data, size );
}
