// What the builder has instead of Assimp, which is not part of it.

#include "formats/assimp/assimp.h"
#include "formats/assimp/blend.h"

#include "offline/base/error.h"

bool bvassimp_limits_memory( void )
{
	return false;
}

bv_status bvassimp_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                                bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	(void)options, (void)arena, (void)out;
	return bvbase_fail( error, bv_error_unsupported, "%s: .%s files are not supported in WebAssembly", path,
	                    extension );
}

// Such files are not supported anyway.
bv_status bvassimp_check_blend( const char* path, int file, bvb_error* error )
{
	(void)path, (void)file, (void)error;
	return bv_ok;
}
