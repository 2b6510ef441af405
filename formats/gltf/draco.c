// KHR_draco_mesh_compression by libdraco (Google). See draco.h.

#include "formats/gltf/draco.h"

bool bvgltf_draco_is_built_in( void )
{
	return false;
}

const char* bvgltf_draco_version( void )
{
	return "not built in";
}

bv_status bvgltf_draco_open( bvgltf_document* d, const bvgltf_object* o, const uint8_t* data, uint64_t size,
                             const bvgltf_draco** out )
{
	(void)d;
	(void)data;
	(void)size;
	*out = NULL;
	return bvgltf_json_fail( o, bv_error_unsupported,
	                         "KHR_draco_mesh_compression is not supported: built without libdraco" );
}

uint32_t bvgltf_draco_point_count( const bvgltf_draco* draco )
{
	(void)draco;
	return 0;
}

const uint32_t* bvgltf_draco_indices( const bvgltf_draco* draco, uint32_t* count )
{
	(void)draco;
	*count = 0;
	return NULL;
}

bool bvgltf_draco_copy( const bvgltf_draco* draco, uint32_t id, uint32_t components, double* out )
{
	(void)draco;
	(void)id;
	(void)components;
	(void)out;
	return false;
}

void bvgltf_draco_close( bvgltf_document* d )
{
	(void)d;
}
