// Reads the clip of a scene that the child process has left: the animated scene is binary glTF, which the
// strict reader of this library reads. Triangles are those of the flattened scene, in the same order, so that
// its names, materials and faces stay.

#include "formats/assimp/transport.h"
#include "formats/gltf/gltf.h"
#include "offline/base/error.h"

#include <stdlib.h>

static bv_status fail_damaged( const char* path, bvb_error* error )
{
	return bvbase_fail( error, bv_error_input, "%s: the importer crashed (damaged result)", path );
}

static bv_status read_clip( const char* path, const char* data, size_t size,
                            const bvb_import_options* options, bvb_arena* arena, bvb_import* out,
                            bvb_error* error )
{
	bvb_import animated = { .points = 0 };
	bv_status status =
		bvgltf_read_clip( path, data, size, options->memory_bytes, &options->clip, arena, &animated, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( animated.scene.mesh.triangle_count != out->scene.mesh.triangle_count ||
	     animated.side_files.count > 0 )
	{
		return fail_damaged( path, error );
	}
	out->scene.mesh = animated.scene.mesh;
	out->scene.clip = animated.scene.clip;
	return bv_ok;
}

bv_status bvassimp_take_clip( const char* path, int result, const bvb_import_options* options,
                              bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	bvassimp_report r;
	bvbase_file_state state;
	if ( !bvassimp_read_bytes( result, &r, sizeof r, 0 ) || !bvbase_file_get_state( result, &state ) ||
	     r.animated_bytes == 0 || r.animated_bytes > state.size || r.animated_bytes > UINT32_MAX )
	{
		return fail_damaged( path, error );
	}
	size_t size = (size_t)r.animated_bytes;
	char* data = malloc( size );
	if ( !data )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvassimp_read_bytes( result, data, size, state.size - size )
	                       ? read_clip( path, data, size, options, arena, out, error )
	                       : fail_damaged( path, error );
	free( data );
	return status;
}
