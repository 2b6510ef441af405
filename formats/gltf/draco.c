// KHR_draco_mesh_compression by libdraco (Google). See draco.h. What is called of the library is in
// draco_decode.cpp.
//
// The library believes the counts in its data, and takes memory for them. They are looked at before.

#include "formats/gltf/draco.h"

#include "formats/gltf/draco_decode.h"

#include <string.h>

#ifndef BVB_DRACO

bool bvgltf_draco_is_built_in( void )
{
	return false;
}

const char* bvgltf_draco_version( void )
{
	return "not built in";
}

// In place of the file that needs the library. Nothing is decoded, so that nothing else is called.
bvgltf_decoded* bvgltf_decode_draco( const uint8_t* data, size_t size )
{
	(void)data;
	(void)size;
	return NULL;
}

void bvgltf_decoded_free( bvgltf_decoded* mesh )
{
	(void)mesh;
}

uint32_t bvgltf_decoded_points( const bvgltf_decoded* mesh )
{
	(void)mesh;
	return 0;
}

uint32_t bvgltf_decoded_faces( const bvgltf_decoded* mesh )
{
	(void)mesh;
	return 0;
}

void bvgltf_decoded_corners( const bvgltf_decoded* mesh, uint32_t* out )
{
	(void)mesh;
	(void)out;
}

bool bvgltf_decoded_attribute( const bvgltf_decoded* mesh, uint32_t id, uint32_t components, double* out )
{
	(void)mesh;
	(void)id;
	(void)components;
	(void)out;
	return false;
}

#else

bool bvgltf_draco_is_built_in( void )
{
	return true;
}

const char* bvgltf_draco_version( void )
{
	return bvgltf_decoded_version();
}

#endif

// A primitive, in a list of the document's.
struct bvgltf_draco
{
	bvgltf_decoded* mesh;
	uint32_t* indices;
	struct bvgltf_draco* next;
};

uint32_t bvgltf_draco_point_count( const bvgltf_draco* draco )
{
	return bvgltf_decoded_points( draco->mesh );
}

const uint32_t* bvgltf_draco_indices( const bvgltf_draco* draco, uint32_t* count )
{
	*count = 3 * bvgltf_decoded_faces( draco->mesh );
	return draco->indices;
}

bool bvgltf_draco_copy( const bvgltf_draco* draco, uint32_t id, uint32_t components, double* out )
{
	return bvgltf_decoded_attribute( draco->mesh, id, components, out );
}

void bvgltf_draco_close( bvgltf_document* d )
{
	for ( bvgltf_draco* draco = d->decoded; draco; draco = draco->next )
	{
		bvgltf_decoded_free( draco->mesh );
	}
	d->decoded = NULL;
}

// LEB128.
static bool read_count( const uint8_t** at, const uint8_t* end, uint64_t* out )
{
	*out = 0;
	for ( unsigned shift = 0; shift < 35 && *at < end; shift += 7 )
	{
		uint8_t byte = *( *at )++;
		*out |= (uint64_t)( byte & 127 ) << shift;
		if ( byte < 128 )
		{
			return true;
		}
	}
	return false;
}

// Draco bitstream specification 2.2, "Conventions" to "Edgebreaker": DRACO, version, type, method, flags, and
// then either faces and points, or the kind of traversal, vertices and faces.
static bv_status check_counts( const bvgltf_document* d, const bvgltf_object* o, const uint8_t* data,
                               uint64_t size )
{
	enum
	{
		header_bytes = 11,
		bytes_of_face = 128,  // what the library and this reader take of memory, and more
		bytes_of_point = 256, // the same
		metadata = 0x80,      // in the second byte of the flags
	};
	bool known = size > header_bytes && memcmp( data, "DRACO", 5 ) == 0 && data[5] == 2 && data[6] == 2 &&
	             data[7] == 1 && data[8] < 2;
	if ( !known )
	{
		return bvgltf_json_fail( o, bv_error_input, "the compressed data is not a mesh of Draco 2.2" );
	}
	if ( data[10] & metadata )
	{
		return bvgltf_json_fail( o, bv_error_unsupported, "compressed data with metadata is not supported" );
	}
	const uint8_t* at = data + header_bytes + data[8];
	uint64_t counts[2];
	if ( !read_count( &at, data + size, &counts[0] ) || !read_count( &at, data + size, &counts[1] ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "the compressed data is damaged" );
	}
	uint64_t faces = counts[data[8]];
	uint64_t points = counts[1 - data[8]];
	return bvgltf_document_check_bytes( d, faces * bytes_of_face + points * bytes_of_point );
}

static bv_status take_indices( bvgltf_document* d, const bvgltf_object* o, bvgltf_draco* draco )
{
	uint64_t count = 3 * (uint64_t)bvgltf_decoded_faces( draco->mesh );
	void* memory;
	if ( count > UINT32_MAX )
	{
		return bvgltf_json_fail( o, bv_error_limit, "more than 1431655765 triangles" );
	}
	bv_status status = bvgltf_document_allocate( d, count, sizeof *draco->indices, &memory );
	if ( status == bv_ok )
	{
		draco->indices = memory;
		bvgltf_decoded_corners( draco->mesh, memory );
	}
	return status;
}

bv_status bvgltf_draco_open( bvgltf_document* d, const bvgltf_object* o, const uint8_t* data, uint64_t size,
                             const bvgltf_draco** out )
{
	if ( !bvgltf_draco_is_built_in() )
	{
		return bvgltf_json_fail( o, bv_error_unsupported,
		                         "KHR_draco_mesh_compression is not supported: built without libdraco" );
	}
	void* memory = NULL;
	bv_status status = check_counts( d, o, data, size );
	status = status == bv_ok ? bvgltf_document_allocate( d, 1, sizeof( bvgltf_draco ), &memory ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvgltf_draco* draco = memory;
	draco->mesh = bvgltf_decode_draco( data, size );
	if ( !draco->mesh )
	{
		return bvgltf_json_fail( o, bv_error_input, "the compressed data is damaged" );
	}
	draco->next = d->decoded;
	d->decoded = draco;
	*out = draco;
	return take_indices( d, o, draco );
}
