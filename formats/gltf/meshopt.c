// EXT_meshopt_compression by libmeshoptimizer (A. Kapoulkine). See meshopt.h.
//
// The library asserts the rules of the extension for counts and strides; all of them are checked here. It is loaded
// on demand: it needs that of C++, and loading both takes 3 ms.

#include "formats/gltf/meshopt.h"

#include "offline/base/system.h"

#ifdef BVB_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

#include <string.h>

#ifndef BVB_MESHOPTIMIZER

bool bvgltf_meshopt_is_built_in( void )
{
	return false;
}

const char* bvgltf_meshopt_version( void )
{
	return "not built in";
}

bv_status bvgltf_meshopt_read( const bvgltf_object* o, uint64_t size, bvgltf_packing* out )
{
	(void)size;
	(void)out;
	return bvgltf_json_fail( o, bv_error_unsupported,
	                         "EXT_meshopt_compression is not supported: built without libmeshoptimizer" );
}

bv_status bvgltf_meshopt_decode( const bvgltf_object* o, const bvgltf_packing* packing, const uint8_t* packed,
                                 uint64_t size, void* out )
{
	(void)packing;
	(void)packed;
	return bvgltf_meshopt_read( o, size, out );
}

#else

bool bvgltf_meshopt_is_built_in( void )
{
	return true;
}

const char* bvgltf_meshopt_version( void )
{
	static const char version[] = { '0' + MESHOPTIMIZER_VERSION / 1000, '.',
		                            '0' + MESHOPTIMIZER_VERSION / 100 % 10,
		                            '0' + MESHOPTIMIZER_VERSION / 10 % 10, 0 };
	return version;
}

// @param fallback  if there is no such member; null if there must be one
static bv_status read_word( const bvgltf_object* o, const char* name, const char* const* words, int count,
                            int fallback, int* out )
{
	const char* text;
	bv_status status = bvgltf_json_text( o, name, &text );
	*out = fallback;
	if ( status != bv_ok || ( !text && fallback >= 0 ) )
	{
		return status;
	}
	for ( int i = 0; i < count && text; ++i )
	{
		if ( strcmp( text, words[i] ) == 0 )
		{
			*out = i;
			return bv_ok;
		}
	}
	return bvgltf_json_fail( o, bv_error_input, "%s is missing or none of the extension's", name );
}

static bool fits( const bvgltf_packing* p )
{
	if ( p->mode != bvgltf_packed_attributes )
	{
		return ( p->stride == 2 || p->stride == 4 ) && p->filter == bvgltf_filter_none &&
		       ( p->mode == bvgltf_packed_indices || p->count % 3 == 0 );
	}
	bool fits = p->stride > 0 && p->stride <= 256 && p->stride % 4 == 0;
	switch ( p->filter )
	{
	case bvgltf_filter_octahedral: return p->stride == 4 || p->stride == 8;
	case bvgltf_filter_quaternion: return p->stride == 8;
	default: return fits;
	}
}

bv_status bvgltf_meshopt_read( const bvgltf_object* o, uint64_t size, bvgltf_packing* out )
{
	static const char* const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES" };
	static const char* const filters[] = { "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL" };
	int mode = 0;
	int filter = 0;
	uint64_t count = 0;
	uint64_t stride = 0;
	bv_status status = read_word( o, "mode", modes, 3, -1, &mode );
	status = status == bv_ok ? read_word( o, "filter", filters, 4, 0, &filter ) : status;
	status = status == bv_ok ? bvgltf_json_whole( o, "count", UINT32_MAX, BVGLTF_REQUIRED, &count ) : status;
	status = status == bv_ok ? bvgltf_json_whole( o, "byteStride", 256, BVGLTF_REQUIRED, &stride ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	*out = ( bvgltf_packing ){ (bvgltf_packing_mode)mode, (bvgltf_packing_filter)filter, (size_t)count,
		                       (size_t)stride };
	if ( count == 0 || !fits( out ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "mode, filter, count and byteStride do not go together" );
	}
	return count * stride == size
	           ? bv_ok
	           : bvgltf_json_fail( o, bv_error_input,
	                               "count and byteStride make %llu bytes, the view has %llu",
	                               (unsigned long long)( count * stride ), (unsigned long long)size );
}

// The header's ABI: to be given with CPPFLAGS where a system has another.
#ifndef BVB_MESHOPTIMIZER_LIBRARY
#define BVB_MESHOPTIMIZER_LIBRARY "libmeshoptimizer.so.2d"
#endif

// What is called of the library, each as its header declares it.
typedef struct meshopt_library
{
	__typeof__( meshopt_decodeVertexBuffer )* decode[3]; // by mode; the three have one type
	__typeof__( meshopt_decodeFilterOct )* filter[4];    // by filter, also of one type
} meshopt_library;

static bool load_library( meshopt_library* out )
{
	static const char* const decoders[3] = { "meshopt_decodeVertexBuffer", "meshopt_decodeIndexBuffer",
		                                     "meshopt_decodeIndexSequence" };
	static const char* const filters[4] = { NULL, "meshopt_decodeFilterOct", "meshopt_decodeFilterQuat",
		                                    "meshopt_decodeFilterExp" };
	void* handle = bvbase_library_open( BVB_MESHOPTIMIZER_LIBRARY );
	bool good = handle;
	*out = ( meshopt_library ){ .filter = { NULL } };
	for ( int i = 0; i < 4 && good; ++i )
	{
		void* decoder = i < 3 ? bvbase_library_find( handle, decoders[i] ) : NULL;
		void* filter = filters[i] ? bvbase_library_find( handle, filters[i] ) : NULL;
		good = ( i == 3 || decoder ) && ( i == 0 || filter );
		if ( i < 3 )
		{
			memcpy( &out->decode[i], &decoder, sizeof decoder );
		}
		memcpy( &out->filter[i], &filter, sizeof filter );
	}
	return good;
}

bv_status bvgltf_meshopt_decode( const bvgltf_object* o, const bvgltf_packing* packing, const uint8_t* packed,
                                 uint64_t size, void* out )
{
	meshopt_library library;
	if ( !load_library( &library ) )
	{
		return bvgltf_json_fail( o, bv_error_unsupported,
		                         "EXT_meshopt_compression is not supported: " BVB_MESHOPTIMIZER_LIBRARY
		                         " cannot be loaded" );
	}
	if ( library.decode[packing->mode]( out, packing->count, packing->stride, packed, size ) != 0 )
	{
		return bvgltf_json_fail( o, bv_error_input, "the compressed data is damaged" );
	}
	if ( packing->filter != bvgltf_filter_none )
	{
		library.filter[packing->filter]( out, packing->count, packing->stride );
	}
	return bv_ok;
}

#endif
