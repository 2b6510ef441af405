// libFuzzer target: any bytes as glTF, text or binary, and the first clip in it.

#include "formats/gltf/gltf.h"
#include "reader.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_bytes = 1 << 26,
};

static bv_status read_small( const char* name, const char* data, size_t size, bvb_arena* arena,
                             bvb_import* out, bvb_error* error )
{
	return bvgltf_read_gltf( name, data, size, most_bytes, arena, out, error );
}

static bool contains( const bv_aabb* box, bv_vec3 p )
{
	return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y && p.y <= box->upper.y &&
	       p.z >= box->lower.z && p.z <= box->upper.z;
}

// Each vertex is where the boxes say, at the start and at the end.
static bv_status read_clip( const char* name, const char* data, size_t size, bvb_arena* arena,
                            bvb_import* out, bvb_error* error )
{
	const bvb_clip_options options = { .name = "0", .samples = 3, .segments = 2 };
	bv_status status = bvgltf_read_clip( name, data, size, most_bytes, &options, arena, out, error );
	const bvb_clip* clip = out->scene.clip;
	for ( uint32_t v = 0; status == bv_ok && v < clip->vertex_count; ++v )
	{
		size_t last = (size_t)( clip->segments - 1 ) * clip->vertex_count + v;
		size_t end = (size_t)( clip->samples - 1 ) * clip->vertex_count + v;
		if ( !contains( clip->swept + v, clip->frames[v] ) ||
		     !contains( clip->swept + last, clip->frames[end] ) )
		{
			__builtin_trap();
		}
	}
	return status;
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	fuzz_reader( read_small, data, size );
	return fuzz_reader( read_clip, data, size );
}
