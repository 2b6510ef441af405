// Where the elements of an accessor are (Khronos, "glTF 2.0 specification", 3.6.2). See layout.h.
//
// A count is believed only as far as the buffer view has bytes for it. An accessor without a view, which is
// all zeros except for sparse elements, has a limit of its own.

#include "formats/gltf/layout.h"

enum
{
	most_zeros = 1 << 22, // elements without a buffer view
	first_type = 5120,    // BYTE
	type_count = 7,
};

static const uint8_t type_bytes[type_count] = { 1, 1, 2, 2, 0, 4, 4 };
static const char* const type_names[type_count] = { "BYTE", "UNSIGNED_BYTE", "SHORT", "UNSIGNED_SHORT",
	                                                "",     "UNSIGNED_INT",  "FLOAT" };

uint32_t bvgltf_layout_bytes( unsigned type )
{
	return type_bytes[type];
}

static bv_status read_type( const bvgltf_object* o, unsigned* out )
{
	uint64_t type;
	bv_status status = bvgltf_json_whole( o, "componentType", UINT32_MAX, BVGLTF_REQUIRED, &type );
	*out = 0;
	if ( status == bv_ok &&
	     ( type < first_type || type >= first_type + type_count || type_bytes[type - first_type] == 0 ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "componentType %llu is invalid",
		                         (unsigned long long)type );
	}
	*out = status == bv_ok ? (unsigned)type - first_type : 0;
	return status;
}

uint32_t bvgltf_layout_components( const char* type )
{
	return strcmp( type, "MAT4" ) == 0 ? 16 : strcmp( type, "SCALAR" ) == 0 ? 1 : (uint32_t)( type[3] - '0' );
}

// Finds the bytes of elements: `count` of `bytes` each, `stride` apart.
// @param stride   0: that of the view, or else none
static bv_status find_bytes( bvgltf_buffers* b, const bvgltf_object* o, uint32_t view_index, uint64_t count,
                             uint32_t bytes, unsigned type, uint32_t* stride, bool* has_stride,
                             const uint8_t** out )
{
	bvgltf_view view;
	uint64_t offset = 0;
	bv_status status = bvgltf_json_whole( o, "byteOffset", BVGLTF_MOST, 0, &offset );
	status = status == bv_ok ? bvgltf_buffers_view( b, view_index, &view ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvgltf_object v = bvgltf_document_item( b->document, bvgltf_view_list, view_index );
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

static bv_status find_view( bvgltf_buffers* b, const bvgltf_object* o, uint32_t* out )
{
	return bvgltf_json_index( o, "bufferView", b->document->lists[bvgltf_view_list].count, out );
}

// A part of a sparse accessor: its elements follow each other without gaps.
static bv_status find_part( bvgltf_buffers* b, const bvgltf_object* sparse, const char* name, uint32_t count,
                            uint32_t components, unsigned type, bool typed, bvgltf_layout* l,
                            const uint8_t** out )
{
	bvgltf_object part;
	uint32_t view = BVGLTF_NONE;
	bv_status status = bvgltf_json_object( sparse, name, &part );
	if ( status == bv_ok && part.json && typed )
	{
		status = read_type( &part, &type );
		l->place_type = type;
	}
	status = status == bv_ok && part.json ? find_view( b, &part, &view ) : status;
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
		status = find_bytes( b, &part, view, count, components * type_bytes[type], type, &stride, &has_stride,
		                     out );
	}
	return status == bv_ok && has_stride
	           ? bvgltf_json_fail( &part, bv_error_input, "its buffer view has a byteStride" )
	           : status;
}

static bv_status find_sparse( bvgltf_buffers* b, bvgltf_layout* l )
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
		status = find_part( b, &sparse, "indices", l->sparse_count, 1, 0, true, l, &l->places );
	}
	if ( status == bv_ok )
	{
		status =
			find_part( b, &sparse, "values", l->sparse_count, l->components, l->type, false, l, &l->values );
	}
	uint32_t bytes = type_bytes[l->place_type];
	for ( uint32_t i = 0; i < l->sparse_count && status == bv_ok; ++i )
	{
		uint32_t place = bvgltf_layout_load_index( l->places + (size_t)i * bytes, l->place_type );
		if ( place >= l->count ||
		     ( i > 0 &&
		       place <= bvgltf_layout_load_index( l->places + (size_t)( i - 1 ) * bytes, l->place_type ) ) )
		{
			return bvgltf_json_fail( &sparse, bv_error_input,
			                         "indices[%u] is %u, out of range or not above the one before", i,
			                         place );
		}
	}
	return status;
}

static bv_status check_use( const bvgltf_layout* l, const bvgltf_use* use )
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
bv_status bvgltf_layout_kind( const bvgltf_document* d, uint32_t index, const bvgltf_use* use,
                              bvgltf_layout* l )
{
	*l = ( bvgltf_layout ){ .object = bvgltf_document_item( d, bvgltf_accessor_list, index ) };
	bv_status status = read_type( &l->object, &l->type );
	status = status == bv_ok ? bvgltf_json_flag( &l->object, "normalized", &l->normalized ) : status;
	return status == bv_ok ? check_use( l, use ) : status;
}

bv_status bvgltf_layout_find( bvgltf_buffers* b, uint32_t index, const bvgltf_use* use, bvgltf_layout* l )
{
	uint64_t count = 0;
	uint32_t view = BVGLTF_NONE;
	bv_status status = bvgltf_layout_kind( b->document, index, use, l );
	status = status == bv_ok ? bvgltf_json_whole( &l->object, "count", UINT32_MAX, BVGLTF_REQUIRED, &count )
	                         : status;
	status = status == bv_ok ? find_view( b, &l->object, &view ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	l->count = (uint32_t)count;
	l->components = bvgltf_layout_components( use->type );
	if ( count == 0 )
	{
		return bvgltf_json_fail( &l->object, bv_error_input, "count is 0" );
	}
	uint32_t bytes = l->components * type_bytes[l->type];
	if ( view != BVGLTF_NONE )
	{
		status =
			find_bytes( b, &l->object, view, count, bytes, l->type, &l->stride, &l->has_stride, &l->data );
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
	return status == bv_ok ? find_sparse( b, l ) : status;
}
