// libFuzzer target: any bytes as a .bvh file that is proved and reported by the offline library. Checksums are not compared in
// this build.

#include "bvbuild/bvbuild.h"
#include "mutate_bvh.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	size_t length = file_length( data, size );
	length = length > 0 ? length : size;
	void* memory = malloc( length ? length : 1 );
	const bv_file* file;
	memcpy( memory, data, length );
	if ( bv_file_open( memory, length, &file ) == bv_ok )
	{
		bvb_arena* arena = bvb_arena_create_limited( 64 << 20 );
		bvb_error error;
		bvb_verify_result proved;
		char* text;
		bvb_file_verify( file, arena, &proved, &error );
		bvb_report_json( file, NULL, arena, &text, &error );
		bvb_arena_destroy( arena );
	}
	free( memory );
	return 0;
}
