// Accessors (Khronos, "glTF 2.0 specification", 3.6.2). See accessor.h.

#include "formats/gltf/accessor.h"

#include <math.h>

enum
{
	float_type = 6, // less 5120
};

// The least number has no counterpart, and becomes -1 as well.
static double normalize( double value, unsigned type )
{
	static const double largest[] = { 127, 255, 32767, 65535 };
	return fmax( value / largest[type], -1 );
}

bv_status bvgltf_accessors_open( bvgltf_buffers* buffers, bvgltf_accessors* out )
{
	bvgltf_document* d = buffers->document;
	uint64_t count = d->lists[bvgltf_accessor_list].count;
	*out = ( bvgltf_accessors ){ .buffers = buffers };
	void* memory[4] = { NULL, NULL, NULL, NULL };
	const size_t sizes[4] = { sizeof *out->numbers, sizeof *out->indices, sizeof *out->index_counts,
		                      sizeof *out->index_limits };
	bv_status status = bv_ok;
	for ( int i = 0; i < 4 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, count, sizes[i], &memory[i] );
	}
	out->numbers = memory[0];
	out->indices = memory[1];
	out->index_counts = memory[2];
	out->index_limits = memory[3];
	return status;
}

bv_status bvgltf_accessors_type( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use, unsigned* out )
{
	bvgltf_layout l;
	bv_status status = bvgltf_layout_kind( a->buffers->document, index, use, &l );
	*out = bvgltf_layout_set( &l );
	return status;
}

void bvgltf_accessors_normalize( unsigned type, double* values, size_t count )
{
	unsigned shift = 0;
	while ( type > 1u << 8 << shift )
	{
		++shift;
	}
	for ( size_t i = 0; i < count && type >= 1u << 8; ++i )
	{
		values[i] = normalize( values[i], shift );
	}
}

static void copy_element( const bvgltf_layout* l, const uint8_t* from, double* to )
{
	for ( uint32_t k = 0; k < l->components; ++k )
	{
		double value = bvgltf_layout_load( from + k * bvgltf_layout_bytes( l->type ), l->type );
		to[k] = l->normalized ? normalize( value, l->type ) : value;
	}
}

// As almost all positions are stored; compilers do the rest.
static void copy_floats( const bvgltf_layout* l, double* to )
{
	const uint8_t* from = l->data;
	for ( uint32_t i = 0; i < l->count; ++i, from += l->stride, to += 3 )
	{
		to[0] = bvgltf_layout_load( from, float_type );
		to[1] = bvgltf_layout_load( from + 4, float_type );
		to[2] = bvgltf_layout_load( from + 8, float_type );
	}
}

static void copy_numbers( const bvgltf_layout* l, double* out )
{
	if ( l->data && l->type == float_type && l->components == 3 )
	{
		copy_floats( l, out );
	}
	else
	{
		for ( uint32_t i = 0; i < l->count && l->data; ++i )
		{
			copy_element( l, l->data + (size_t)i * l->stride, out + (size_t)i * l->components );
		}
	}
	for ( uint32_t i = 0; i < l->sparse_count; ++i )
	{
		size_t place = bvgltf_layout_load_index( l->places + (size_t)i * bvgltf_layout_bytes( l->place_type ),
		                                         l->place_type );
		copy_element( l, l->values + (size_t)i * l->components * bvgltf_layout_bytes( l->type ),
		              out + place * l->components );
	}
}

bv_status bvgltf_accessors_numbers( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use,
                                    bvgltf_numbers* out )
{
	bvgltf_numbers* kept = &a->numbers[index];
	if ( !kept->values || !( kept->type & use->allowed ) ||
	     kept->components != bvgltf_layout_components( use->type ) )
	{
		bvgltf_layout l;
		void* memory = NULL;
		bv_status status = bvgltf_layout_find( a->buffers, index, use, &l );
		if ( status == bv_ok )
		{
			status = bvgltf_document_allocate( a->buffers->document, (uint64_t)l.count * l.components,
			                                   sizeof( double ), &memory );
		}
		if ( status != bv_ok )
		{
			return status;
		}
		copy_numbers( &l, memory );
		*kept = ( bvgltf_numbers ){ memory, l.count, l.components, bvgltf_layout_set( &l ) };
	}
	*out = *kept;
	return bv_ok;
}

bv_status bvgltf_accessors_indices( bvgltf_accessors* a, uint32_t index, const uint32_t** indices,
                                    uint32_t* count, uint32_t* limit )
{
	static const bvgltf_use use = { "indices", "SCALAR", bvgltf_uint8 | bvgltf_uint16 | bvgltf_uint32,
		                            false };
	if ( !a->indices[index] )
	{
		bvgltf_layout l;
		void* memory = NULL;
		bv_status status = bvgltf_layout_find( a->buffers, index, &use, &l );
		if ( status == bv_ok && l.has_stride )
		{
			return bvgltf_json_fail( &l.object, bv_error_input,
			                         "the buffer view of indices has a byteStride" );
		}
		if ( status == bv_ok )
		{
			status = bvgltf_document_allocate( a->buffers->document, l.count, sizeof( uint32_t ), &memory );
		}
		if ( status != bv_ok )
		{
			return status;
		}
		uint32_t* out = memory;
		for ( uint32_t i = 0; i < l.count && l.data; ++i )
		{
			out[i] = bvgltf_layout_load_index( l.data + (size_t)i * l.stride, l.type );
		}
		for ( uint32_t i = 0; i < l.sparse_count; ++i )
		{
			out[bvgltf_layout_load_index( l.places + (size_t)i * bvgltf_layout_bytes( l.place_type ),
			                              l.place_type )] =
				bvgltf_layout_load_index( l.values + (size_t)i * bvgltf_layout_bytes( l.type ), l.type );
		}
		a->indices[index] = out;
		a->index_counts[index] = l.count;
		a->index_limits[index] = l.type == 1 ? UINT8_MAX : l.type == 3 ? UINT16_MAX : UINT32_MAX;
	}
	*indices = a->indices[index];
	*count = a->index_counts[index];
	*limit = a->index_limits[index];
	return bv_ok;
}
