// libFuzzer target: any bytes as OFF.

#include "formats/off/off.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	return fuzz_reader( bvoff_read_off, data, size );
}
