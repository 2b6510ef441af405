// What is called of libdraco, for C. See draco_decode.h. No exception leaves this file.

#include "formats/gltf/draco_decode.h"

#include <draco/compression/decode.h>
#include <draco/core/draco_version.h>

#include <cstring>
#include <exception>
#include <memory>

struct bvgltf_decoded
{
	std::unique_ptr<draco::Mesh> mesh;
};

const char* bvgltf_decoded_version( void )
{
	return draco::kDracoVersion;
}

bvgltf_decoded* bvgltf_decode_draco( const uint8_t* data, size_t size )
{
	try
	{
		draco::DecoderBuffer buffer;
		buffer.Init( reinterpret_cast<const char*>( data ), size );
		draco::Decoder decoder;
		auto result = decoder.DecodeMeshFromBuffer( &buffer );
		if ( !result.ok() )
		{
			return nullptr;
		}
		return new bvgltf_decoded{ std::move( result ).value() };
	} catch ( const std::exception& )
	{
		return nullptr;
	}
}

void bvgltf_decoded_free( bvgltf_decoded* mesh )
{
	delete mesh;
}

uint32_t bvgltf_decoded_points( const bvgltf_decoded* mesh )
{
	return mesh->mesh->num_points();
}

uint32_t bvgltf_decoded_faces( const bvgltf_decoded* mesh )
{
	return mesh->mesh->num_faces();
}

void bvgltf_decoded_corners( const bvgltf_decoded* mesh, uint32_t* out )
{
	for ( uint32_t i = 0; i < mesh->mesh->num_faces(); ++i )
	{
		const auto& face = mesh->mesh->face( draco::FaceIndex( i ) );
		for ( int k = 0; k < 3; ++k )
		{
			*out++ = face[k].value();
		}
	}
}

template <typename T> static double value_of( const uint8_t* bytes, uint32_t index )
{
	T value;
	std::memcpy( &value, bytes + index * sizeof value, sizeof value );
	return static_cast<double>( value );
}

static double value_of( draco::DataType type, const uint8_t* bytes, uint32_t index )
{
	switch ( type )
	{
	case draco::DT_INT8: return value_of<int8_t>( bytes, index );
	case draco::DT_UINT8: return value_of<uint8_t>( bytes, index );
	case draco::DT_INT16: return value_of<int16_t>( bytes, index );
	case draco::DT_UINT16: return value_of<uint16_t>( bytes, index );
	case draco::DT_INT32: return value_of<int32_t>( bytes, index );
	case draco::DT_UINT32: return value_of<uint32_t>( bytes, index );
	default: return value_of<float>( bytes, index );
	}
}

static bool is_read( draco::DataType type )
{
	return ( type >= draco::DT_INT8 && type <= draco::DT_UINT32 ) || type == draco::DT_FLOAT32;
}

bool bvgltf_decoded_attribute( const bvgltf_decoded* mesh, uint32_t id, uint32_t components, double* out )
{
	const draco::PointAttribute* attribute = mesh->mesh->GetAttributeByUniqueId( id );
	if ( !attribute || attribute->num_components() != components || !is_read( attribute->data_type() ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < mesh->mesh->num_points(); ++i )
	{
		draco::AttributeValueIndex index = attribute->mapped_index( draco::PointIndex( i ) );
		if ( index.value() >= attribute->size() )
		{
			return false;
		}
		const uint8_t* bytes = attribute->GetAddress( index );
		for ( uint32_t k = 0; k < components; ++k )
		{
			*out++ = value_of( attribute->data_type(), bytes, k );
		}
	}
	return true;
}
