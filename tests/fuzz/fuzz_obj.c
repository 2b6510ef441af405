// Fuzzes the OBJ reader: no input may make it read outside its bytes, overflow, loop or deliver a broken
// mesh.
//
//   clang -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Iinclude -Isrc -I. tests/fuzz/fuzz_obj.c
//       formats/obj/obj.c src/mesh/triangulate.c src/base/offline/arena.c src/base/offline/error.c -lm

#include "formats/obj/obj.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static void check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	bvb_arena* arena = bvb_arena_create_limited( (size_t)1 << 28 );
	if ( !arena )
	{
		return 0;
	}

	bvb_import import = { 0 };
	bvb_error error = { .message = "" };
	bv_status status = bvb_read_obj( "fuzz.obj", (const char*)data, size, arena, &import, &error );
	if ( status == bv_ok )
	{
		check( import.scene.mesh.triangle_count > 0 );
		for ( uint32_t i = 0; i < import.scene.mesh.triangle_count; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				check( import.scene.mesh.triangles[i].corner[k] < import.scene.mesh.vertex_count );
			}
		}
	}
	else
	{
		check( status == bv_error_input || status == bv_error_unsupported || status == bv_error_limit ||
		       status == bv_error_memory );
		check( strncmp( error.message, "fuzz.obj", 8 ) == 0 || status == bv_error_memory );
	}
	bvb_arena_destroy( arena );
	return 0;
}
