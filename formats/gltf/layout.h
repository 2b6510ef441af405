// Where the elements of an accessor are, and of what type. Private to this folder.

#pragma once

#include "formats/gltf/buffers.h"

#include <string.h>

/// Component types, as bits of a set: what may be in an accessor. The second row is of normalized integers.
enum
{
	bvgltf_int8 = 1 << 0,
	bvgltf_uint8 = 1 << 1,
	bvgltf_int16 = 1 << 2,
	bvgltf_uint16 = 1 << 3,
	bvgltf_uint32 = 1 << 5,
	bvgltf_float = 1 << 6,

	bvgltf_normal_int8 = bvgltf_int8 << 8,
	bvgltf_normal_uint8 = bvgltf_uint8 << 8,
	bvgltf_normal_int16 = bvgltf_int16 << 8,
	bvgltf_normal_uint16 = bvgltf_uint16 << 8,

	/// What KHR_mesh_quantization allows for positions.
	bvgltf_quantized = bvgltf_int8 | bvgltf_uint8 | bvgltf_int16 | bvgltf_uint16 | bvgltf_normal_int8 |
	                   bvgltf_normal_uint8 | bvgltf_normal_int16 | bvgltf_normal_uint16,
};

/// What an accessor is read for.
typedef struct bvgltf_use
{
	const char* name; ///< for messages: "POSITION"
	const char* type; ///< "SCALAR", "VEC3", "VEC4" or "MAT4"
	unsigned allowed; ///< a set of component types
	bool attribute;   ///< of vertices, which are aligned to 4 bytes
} bvgltf_use;

/// Elements in the file.
typedef struct bvgltf_layout
{
	bvgltf_object object;  ///< of the document
	const uint8_t* data;   ///< null: all are zero
	uint32_t count;        ///< of elements
	uint32_t components;   ///< of an element
	uint32_t stride;       ///< bytes from one element to the next
	unsigned type;         ///< componentType, less 5120
	bool normalized;       ///< integers stand for 0 to 1 or -1 to 1
	bool has_stride;       ///< the buffer view has a byteStride
	uint32_t sparse_count; ///< of elements that are somewhere else; 0 if it is dense
	const uint8_t* places; ///< numbers of sparse elements, ascending and in range
	unsigned place_type;   ///< their componentType, less 5120
	const uint8_t* values; ///< sparse elements, without gaps
} bvgltf_layout;

/// Reads type and component type, and checks that the accessor can be used so.
/// @param index  in range
/// @param out    the rest is left 0
/// @return bv_ok; bv_error_input
bv_status bvgltf_layout_kind( const bvgltf_document* d, uint32_t index, const bvgltf_use* use,
                              bvgltf_layout* out );

/// Finds all elements, and checks that the file has them. Takes no memory for them.
/// @param index  in range
/// @return bv_ok; bv_error_unsupported; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_layout_find( bvgltf_buffers* b, uint32_t index, const bvgltf_use* use, bvgltf_layout* out );

/// @return number of components of a type
uint32_t bvgltf_layout_components( const char* type );

/// @return bytes of a component
uint32_t bvgltf_layout_bytes( unsigned type );

/// @return the component type as a set of one
static inline unsigned bvgltf_layout_set( const bvgltf_layout* l )
{
	return 1u << l->type << ( l->normalized ? 8 : 0 );
}

static inline uint32_t bvgltf_layout_load_16( const uint8_t* s )
{
	return (uint32_t)s[1] << 8 | s[0];
}

static inline uint32_t bvgltf_layout_load_32( const uint8_t* s )
{
	return (uint32_t)s[3] << 24 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | s[0];
}

/// @return a component, whatever its type
static inline double bvgltf_layout_load( const uint8_t* s, unsigned type )
{
	switch ( type )
	{
	case 0: return (int8_t)s[0];
	case 1: return s[0];
	case 2: return (int16_t)bvgltf_layout_load_16( s );
	case 3: return bvgltf_layout_load_16( s );
	case 5: return bvgltf_layout_load_32( s );
	default:
	{
		uint32_t bits = bvgltf_layout_load_32( s );
		float value;
		memcpy( &value, &bits, sizeof value );
		return value;
	}
	}
}

/// @return an index, of a type of indices
static inline uint32_t bvgltf_layout_load_index( const uint8_t* s, unsigned type )
{
	return type == 1 ? s[0] : type == 3 ? bvgltf_layout_load_16( s ) : bvgltf_layout_load_32( s );
}
