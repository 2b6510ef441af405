// libFuzzer target: any bytes as a .bvh file. What opens must be safe for every accessor and query. Checksums
// are not compared in this build, or nothing would ever open.

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"
#include "tests/use_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static void use( const bv_file* file )
{
	// One triangle may be all a thousand leaves' worth: sizes and numbers of answers are bounded, so that time is.
	int step = 1 + (int)( bv_file_get_info( file ).bytes % use_steps );
	if ( bv_file_get_mesh( file ).triangles < 200 && !use_file( file, 1000, step, NULL ) )
	{
		abort();
	}

	bvb_arena* arena = bvb_arena_create_limited( 64 << 20 );
	bvb_error error;
	bvb_verify_result proved;
	char* text;
	bvb_file_verify( file, arena, &proved, &error );
	bvb_report_json( file, NULL, arena, &text, &error );
	bvb_arena_destroy( arena );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	// A block of exactly this size, aligned: a read behind its end is seen.
	void* memory = malloc( size ? size : 1 );
	const bv_file* file;
	memcpy( memory, data, size );
	if ( bv_file_open( memory, size, &file ) == bv_ok )
	{
		use( file );
	}
	free( memory );
	return 0;
}
