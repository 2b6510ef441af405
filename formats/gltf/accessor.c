// Accessors (Khronos, "glTF 2.0 specification", 3.6.2). See accessor.h.
//
// Everything is checked before memory is taken: a count is believed only as far as the buffer view has bytes
// for it. An accessor without a view, which is all zeros but for sparse elements, has a limit of its own.

#include "formats/gltf/accessor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	most_zeros = 1 << 22, // elements without a buffer view
	first_type = 5120,    // BYTE
	type_float = 6,       // less first_type
	type_count = 7,
};

static const uint8_t type_bytes[type_count] = { 1, 1, 2, 2, 0, 4, 4 };
static const char* const type_names[type_count] = { "BYTE", "UNSIGNED_BYTE", "SHORT", "UNSIGNED_SHORT",
	                                                "",     "UNSIGNED_INT",  "FLOAT" };

// Components in a row in the file.
typedef struct accessor_layout
{
	bvgltf_object object;
	const uint8_t* data; // null: zeros
	uint32_t count;
	uint32_t components;
	uint32_t stride;
	unsigned type; // less first_type
	bool normalized;
	bool has_stride; // the view has one

	uint32_t sparse_count; // 0: dense
	const uint8_t* places; // of sparse elements
	unsigned place_type;   // less first_type
	const uint8_t* values; // of sparse elements, without gaps
} accessor_layout;

static uint32_t load_16( const uint8_t* s )
{
	return (uint32_t)s[1] << 8 | s[0];
}

static uint32_t load_32( const uint8_t* s )
{
	return (uint32_t)s[3] << 24 | (uint32_t)s[2] << 16 | (uint32_t)s[1] << 8 | s[0];
}

static inline double load( const uint8_t* s, unsigned type )
{
	switch ( type )
	{
	case 0: return (int8_t)s[0];
	case 1: return s[0];
	case 2: return (int16_t)load_16( s );
	case 3: return load_16( s );
	case 5: return load_32( s );
	default:
	{
		uint32_t bits = load_32( s );
		float value;
		memcpy( &value, &bits, sizeof value );
		return value;
	}
	}
}

static uint32_t load_whole( const uint8_t* s, unsigned type )
{
	return type == 1 ? s[0] : type == 3 ? load_16( s ) : load_32( s );
}

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

static bv_status read_type( const bvgltf_object* o, unsigned* out )
{
	uint64_t type;
	bv_status status = bvgltf_json_whole( o, "componentType", UINT32_MAX, BVGLTF_REQUIRED, &type );
	*out = 0;
	if ( status == bv_ok &&
	     ( type < first_type || type >= first_type + type_count || type_bytes[type - first_type] == 0 ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "componentType %llu is none of the specification's",
		                         (unsigned long long)type );
	}
	*out = status == bv_ok ? (unsigned)type - first_type : 0;
	return status;
}

static uint32_t components_of( const char* type )
{
	return strcmp( type, "MAT4" ) == 0 ? 16 : strcmp( type, "SCALAR" ) == 0 ? 1 : (uint32_t)( type[3] - '0' );
}

// Finds the bytes of elements: `count` of `bytes` each, `stride` apart.
// @param stride   0: that of the view, or else none
static bv_status find_bytes( bvgltf_accessors* a, const bvgltf_object* o, uint32_t view_index, uint64_t count,
                             uint32_t bytes, unsigned type, uint32_t* stride, bool* has_stride,
                             const uint8_t** out )
{
	bvgltf_view view;
	uint64_t offset = 0;
	bv_status status = bvgltf_json_whole( o, "byteOffset", BVGLTF_MOST, 0, &offset );
	status = status == bv_ok ? bvgltf_buffers_view( a->buffers, view_index, &view ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvgltf_object v = bvgltf_document_item( a->buffers->document, bvgltf_view_list, view_index );
	uint64_t view_offset;
	status = bvgltf_json_whole( &v, "byteOffset", BVGLTF_MOST, 0, &view_offset );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( offset % type_bytes[type] != 0 || view_offset % type_bytes[type] != 0 )
	{
		return bvgltf_json_fail( o, bv_error_input, "byteOffset is not aligned to %u bytes",
		                         type_bytes[type] );
	}
	*has_stride = view.stride > 0;
	*stride = view.stride > 0 ? view.stride : bytes;
	if ( *stride < bytes )
	{
		return bvgltf_json_fail( o, bv_error_input,
		                         "elements have %u bytes, bufferViews[%u] has a stride of %u", bytes,
		                         view_index, *stride );
	}
	if ( offset > view.size || view.size - offset < bytes ||
	     ( view.size - offset - bytes ) / *stride + 1 < count )
	{
		return bvgltf_json_fail( o, bv_error_input,
		                         "%llu elements are not in bufferViews[%u], which has %llu bytes",
		                         (unsigned long long)count, view_index, (unsigned long long)view.size );
	}
	*out = view.data + offset;
	return bv_ok;
}

static bv_status find_view( bvgltf_accessors* a, const bvgltf_object* o, uint32_t* out )
{
	return bvgltf_json_index( o, "bufferView", a->buffers->document->lists[bvgltf_view_list].count, out );
}

// A part of a sparse accessor: its elements follow each other without gaps.
static bv_status find_part( bvgltf_accessors* a, const bvgltf_object* sparse, const char* name,
                            uint32_t count, uint32_t components, unsigned type, bool typed,
                            accessor_layout* l, const uint8_t** out )
{
	bvgltf_object part;
	uint32_t view = BVGLTF_NONE;
	bv_status status = bvgltf_json_object( sparse, name, &part );
	if ( status == bv_ok && part.json && typed )
	{
		status = read_type( &part, &type );
		l->place_type = type;
	}
	status = status == bv_ok && part.json ? find_view( a, &part, &view ) : status;
	if ( status == bv_ok && view == BVGLTF_NONE )
	{
		return bvgltf_json_fail( sparse, bv_error_input, "%s has no bufferView", name );
	}
	if ( status == bv_ok && typed && !( ( bvgltf_uint8 | bvgltf_uint16 | bvgltf_uint32 ) >> type & 1 ) )
	{
		return bvgltf_json_fail( &part, bv_error_input, "componentType is not of indices" );
	}
	uint32_t stride;
	bool has_stride = false;
	if ( status == bv_ok )
	{
		status = find_bytes( a, &part, view, count, components * type_bytes[type], type, &stride, &has_stride,
		                     out );
	}
	return status == bv_ok && has_stride
	           ? bvgltf_json_fail( &part, bv_error_input, "its buffer view has a byteStride" )
	           : status;
}

static bv_status find_sparse( bvgltf_accessors* a, accessor_layout* l )
{
	bvgltf_object sparse;
	uint64_t count = 0;
	bv_status status = bvgltf_json_object( &l->object, "sparse", &sparse );
	if ( status != bv_ok || !sparse.json )
	{
		return status;
	}
	status = bvgltf_json_whole( &sparse, "count", l->count, BVGLTF_REQUIRED, &count );
	if ( status == bv_ok && count == 0 )
	{
		return bvgltf_json_fail( &sparse, bv_error_input, "count is 0" );
	}
	l->sparse_count = (uint32_t)count;
	if ( status == bv_ok )
	{
		status = find_part( a, &sparse, "indices", l->sparse_count, 1, 0, true, l, &l->places );
	}
	if ( status == bv_ok )
	{
		status =
			find_part( a, &sparse, "values", l->sparse_count, l->components, l->type, false, l, &l->values );
	}
	uint32_t bytes = type_bytes[l->place_type];
	for ( uint32_t i = 0; i < l->sparse_count && status == bv_ok; ++i )
	{
		uint32_t place = load_whole( l->places + (size_t)i * bytes, l->place_type );
		if ( place >= l->count ||
		     ( i > 0 && place <= load_whole( l->places + (size_t)( i - 1 ) * bytes, l->place_type ) ) )
		{
			return bvgltf_json_fail( &sparse, bv_error_input,
			                         "indices[%u] is %u, out of range or not above the one before", i,
			                         place );
		}
	}
	return status;
}

static bv_status check_use( const accessor_layout* l, const bvgltf_use* use )
{
	const char* type;
	bv_status status = bvgltf_json_text( &l->object, "type", &type );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( !type || strcmp( type, use->type ) != 0 )
	{
		return bvgltf_json_fail( &l->object, bv_error_input, "%s must have the type %s", use->name,
		                         use->type );
	}
	unsigned set = 1u << l->type << ( l->normalized ? 8 : 0 );
	if ( !( use->allowed & set ) )
	{
		bool positions = strcmp( use->name, "POSITION" ) == 0 && ( bvgltf_quantized & set );
		return bvgltf_json_fail( &l->object, bv_error_input, "%s cannot have the component type %s%s%s",
		                         use->name, l->normalized ? "normalized " : "", type_names[l->type],
		                         positions ? " without KHR_mesh_quantization" : "" );
	}
	return bv_ok;
}

// What it is of, not where.
static bv_status read_kind( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use, accessor_layout* l )
{
	*l = ( accessor_layout ){ .object =
		                          bvgltf_document_item( a->buffers->document, bvgltf_accessor_list, index ) };
	bv_status status = read_type( &l->object, &l->type );
	status = status == bv_ok ? bvgltf_json_flag( &l->object, "normalized", &l->normalized ) : status;
	return status == bv_ok ? check_use( l, use ) : status;
}

static unsigned set_of( const accessor_layout* l )
{
	return 1u << l->type << ( l->normalized ? 8 : 0 );
}

bv_status bvgltf_accessors_type( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use, unsigned* out )
{
	accessor_layout l;
	bv_status status = read_kind( a, index, use, &l );
	*out = set_of( &l );
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

static bv_status lay_out( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use, accessor_layout* l )
{
	uint64_t count = 0;
	uint32_t view = BVGLTF_NONE;
	bv_status status = read_kind( a, index, use, l );
	status = status == bv_ok ? bvgltf_json_whole( &l->object, "count", UINT32_MAX, BVGLTF_REQUIRED, &count )
	                         : status;
	status = status == bv_ok ? find_view( a, &l->object, &view ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	l->count = (uint32_t)count;
	l->components = components_of( use->type );
	if ( count == 0 )
	{
		return bvgltf_json_fail( &l->object, bv_error_input, "count is 0" );
	}
	uint32_t bytes = l->components * type_bytes[l->type];
	if ( view != BVGLTF_NONE )
	{
		status =
			find_bytes( a, &l->object, view, count, bytes, l->type, &l->stride, &l->has_stride, &l->data );
	}
	else if ( count > most_zeros )
	{
		return bvgltf_json_fail( &l->object, bv_error_limit, "more than %d elements without a buffer view",
		                         most_zeros );
	}
	uint64_t offset = 0;
	status =
		status == bv_ok ? bvgltf_json_whole( &l->object, "byteOffset", BVGLTF_MOST, 0, &offset ) : status;
	if ( status == bv_ok && use->attribute && l->data && ( offset % 4 != 0 || l->stride % 4 != 0 ) )
	{
		return bvgltf_json_fail( &l->object, bv_error_input,
		                         "%s of %u bytes each is not aligned to 4 bytes (byteOffset %llu)", use->name,
		                         l->stride, (unsigned long long)offset );
	}
	return status == bv_ok ? find_sparse( a, l ) : status;
}

static void copy_element( const accessor_layout* l, const uint8_t* from, double* to )
{
	for ( uint32_t k = 0; k < l->components; ++k )
	{
		double value = load( from + k * type_bytes[l->type], l->type );
		to[k] = l->normalized ? normalize( value, l->type ) : value;
	}
}

// As almost all positions are stored; compilers do the rest.
static void copy_floats( const accessor_layout* l, double* to )
{
	const uint8_t* from = l->data;
	for ( uint32_t i = 0; i < l->count; ++i, from += l->stride, to += 3 )
	{
		to[0] = load( from, type_float );
		to[1] = load( from + 4, type_float );
		to[2] = load( from + 8, type_float );
	}
}

static void copy_numbers( const accessor_layout* l, double* out )
{
	if ( l->data && l->type == type_float && l->components == 3 )
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
		size_t place = load_whole( l->places + (size_t)i * type_bytes[l->place_type], l->place_type );
		copy_element( l, l->values + (size_t)i * l->components * type_bytes[l->type],
		              out + place * l->components );
	}
}

bv_status bvgltf_accessors_numbers( bvgltf_accessors* a, uint32_t index, const bvgltf_use* use,
                                    bvgltf_numbers* out )
{
	bvgltf_numbers* kept = &a->numbers[index];
	if ( !kept->values || !( kept->type & use->allowed ) || kept->components != components_of( use->type ) )
	{
		accessor_layout l;
		void* memory = NULL;
		bv_status status = lay_out( a, index, use, &l );
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
		*kept = ( bvgltf_numbers ){ memory, l.count, l.components, set_of( &l ) };
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
		accessor_layout l;
		void* memory = NULL;
		bv_status status = lay_out( a, index, &use, &l );
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
			out[i] = load_whole( l.data + (size_t)i * l.stride, l.type );
		}
		for ( uint32_t i = 0; i < l.sparse_count; ++i )
		{
			out[load_whole( l.places + (size_t)i * type_bytes[l.place_type], l.place_type )] =
				load_whole( l.values + (size_t)i * type_bytes[l.type], l.type );
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
