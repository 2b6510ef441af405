// libFuzzer target: any bytes as OBJ.

#include "formats/obj/obj.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	return fuzz_reader( bvobj_read_obj, data, size );
}
