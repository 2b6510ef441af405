// Buffers and their views (Khronos, "glTF 2.0 specification", 3.6.1). See buffers.h.

#include "formats/gltf/buffers.h"

#include "formats/gltf/meshopt.h"
#include "formats/gltf/uri.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/import/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bv_status bvgltf_buffers_open( bvgltf_document* d, bvgltf_buffers* out )
{
	*out = ( bvgltf_buffers ){ .document = d };
	void* memory[2];
	uint32_t count = d->lists[bvgltf_buffer_list].count;
	bv_status status = bvgltf_document_allocate( d, count, sizeof *out->buffers, &memory[0] );
	if ( status == bv_ok )
	{
		status =
			bvgltf_document_allocate( d, d->lists[bvgltf_view_list].count, sizeof *out->views, &memory[1] );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	out->buffers = memory[0];
	out->views = memory[1];
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		bvgltf_object o = bvgltf_document_item( d, bvgltf_buffer_list, i );
		const char* uri;
		status = bvgltf_json_text( &o, "uri", &uri );
		if ( status == bv_ok && uri && !bvgltf_uri_is_data( uri ) )
		{
			status = bvgltf_uri_name( d, &o, uri, &out->buffers[i].name );
			out->buffers[i].file =
				( bvb_side_file ){ .name = out->buffers[i].name, .use = bvb_side_file_named };
		}
	}
	return status;
}

static bv_status read_opened( bvgltf_document* d, const char* shown, int file, uint64_t size,
                              bvgltf_buffer* to, uint64_t* read )
{
	void* data;
	bv_status status = bvgltf_document_allocate( d, size, 1, &data );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( bvimport_file_is_lfs_pointer( file ) )
	{
		return bvbase_fail( d->error, bv_error_input,
		                    "%s: a Git LFS pointer, not the buffer (run: git lfs pull)", shown );
	}
	size_t bytes = (size_t)size;
	status = bvimport_file_read( shown, file, data, &bytes, to->file.hash, d->error );
	if ( status == bv_ok )
	{
		to->file.use = bvb_side_file_read;
		to->data = data;
		*read = bytes;
	}
	return status;
}

// The name is relative to the folder of the document.
static bv_status read_file( bvgltf_document* d, const bvgltf_object* o, bvgltf_buffer* to, uint64_t* size )
{
	const char* slash = strrchr( d->file, '/' );
	size_t folder = slash ? (size_t)( slash + 1 - d->file ) : 0;
	size_t room = folder + strlen( to->name ) + 1;
	size_t shown_room = strlen( d->file ) + sizeof o->where + strlen( to->name ) + 8;
	void* memory[2];
	bv_status status = bvgltf_document_allocate( d, room, 1, &memory[0] );
	status = status == bv_ok ? bvgltf_document_allocate( d, shown_room, 1, &memory[1] ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	char* path = memory[0];
	char* shown = memory[1];
	memcpy( path, d->file, folder );
	memcpy( path + folder, to->name, room - folder );
	snprintf( shown, shown_room, "%s: %s: %s", d->file, o->where, to->name );
	int file;
	to->file.use = bvb_side_file_missing;
	status = bvimport_file_open( path, shown, false, &file, size, d->error );
	if ( status == bv_ok )
	{
		status = read_opened( d, shown, file, *size, to, size );
		bvbase_file_close( file );
	}
	return status;
}

static bv_status read_buffer( bvgltf_buffers* b, uint32_t index )
{
	bvgltf_document* d = b->document;
	bvgltf_buffer* buffer = &b->buffers[index];
	bvgltf_object o = bvgltf_document_item( d, bvgltf_buffer_list, index );
	uint64_t size = 0;
	const char* uri;
	bv_status status = bvgltf_json_whole( &o, "byteLength", BVGLTF_MOST, BVGLTF_REQUIRED, &buffer->size );
	status = status == bv_ok ? bvgltf_json_text( &o, "uri", &uri ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	if ( buffer->name )
	{
		status = read_file( d, &o, buffer, &size );
	}
	else if ( uri )
	{
		status = bvgltf_uri_decode( d, &o, uri, &buffer->data, &size );
	}
	else if ( index > 0 || !d->container.binary )
	{
		return bvgltf_json_fail( &o, bv_error_input,
		                         index > 0 ? "uri is missing" : "uri is missing, and there is no BIN chunk" );
	}
	else
	{
		buffer->data = d->container.binary;
		size = d->container.binary_bytes;
	}
	if ( status == bv_ok && size < buffer->size )
	{
		buffer->data = NULL;
		return bvgltf_json_fail( &o, bv_error_input, "byteLength is %llu, but there are only %llu bytes",
		                         (unsigned long long)buffer->size, (unsigned long long)size );
	}
	return status;
}

// @param o   has the members buffer, byteOffset and byteLength
static bv_status read_range( bvgltf_buffers* b, const bvgltf_object* o, const uint8_t** data, uint64_t* size )
{
	uint32_t index;
	uint64_t offset;
	bv_status status = bvgltf_json_index( o, "buffer", b->document->lists[bvgltf_buffer_list].count, &index );
	if ( status == bv_ok && index == BVGLTF_NONE )
	{
		return bvgltf_json_fail( o, bv_error_input, "buffer is missing" );
	}
	status = status == bv_ok ? bvgltf_json_whole( o, "byteOffset", BVGLTF_MOST, 0, &offset ) : status;
	status =
		status == bv_ok ? bvgltf_json_whole( o, "byteLength", BVGLTF_MOST, BVGLTF_REQUIRED, size ) : status;
	if ( status == bv_ok && !b->buffers[index].data )
	{
		status = read_buffer( b, index );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	uint64_t whole = b->buffers[index].size;
	if ( *size == 0 || offset > whole || *size > whole - offset )
	{
		return bvgltf_json_fail(
			o, bv_error_input, "%llu bytes from byte %llu are not in the buffer of %llu bytes",
			(unsigned long long)*size, (unsigned long long)offset, (unsigned long long)whole );
	}
	*data = b->buffers[index].data + offset;
	return bv_ok;
}

// The specification allows strides of 4 to 252 that are multiples of 4.
static bv_status read_stride( const bvgltf_object* o, uint32_t* out )
{
	uint64_t stride;
	bv_status status = bvgltf_json_whole( o, "byteStride", 252, 0, &stride );
	const cJSON* there;
	status = status == bv_ok ? bvgltf_json_find( o, "byteStride", &there ) : status;
	if ( status == bv_ok && there && ( stride < 4 || stride % 4 != 0 ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "byteStride is %llu, not a multiple of 4 from 4 to 252",
		                         (unsigned long long)stride );
	}
	*out = (uint32_t)stride;
	return status;
}

static bv_status read_compressed( bvgltf_buffers* b, const bvgltf_object* extension, bvgltf_view* view )
{
	const uint8_t* packed = NULL;
	uint64_t size = 0;
	void* data = NULL;
	bvgltf_packing packing;
	bv_status status = bvgltf_meshopt_read( extension, view->size, &packing );
	status = status == bv_ok ? read_range( b, extension, &packed, &size ) : status;
	status = status == bv_ok ? bvgltf_document_allocate( b->document, view->size, 1, &data ) : status;
	status = status == bv_ok ? bvgltf_meshopt_decode( extension, &packing, packed, size, data ) : status;
	view->data = status == bv_ok ? data : NULL;
	return status;
}

bv_status bvgltf_buffers_view( bvgltf_buffers* b, uint32_t index, bvgltf_view* out )
{
	bvgltf_view* view = &b->views[index];
	bv_status status = bv_ok;
	if ( !view->data )
	{
		static const char name[] = "EXT_meshopt_compression";
		bvgltf_object o = bvgltf_document_item( b->document, bvgltf_view_list, index );
		bvgltf_object extension;
		status = bvgltf_json_extension( &o, name, &extension );
		status = status == bv_ok ? read_stride( &o, &view->stride ) : status;

		// What a reader without the decoder is to use is there unless the file requires the extension.
		if ( !bvgltf_meshopt_is_built_in() && !bvgltf_document_requires( b->document, name ) )
		{
			extension.json = NULL;
		}
		if ( status == bv_ok && extension.json )
		{
			status = bvgltf_json_whole( &o, "byteLength", BVGLTF_MOST, BVGLTF_REQUIRED, &view->size );
			status = status == bv_ok ? read_compressed( b, &extension, view ) : status;
		}
		else if ( status == bv_ok )
		{
			status = read_range( b, &o, &view->data, &view->size );
		}
	}
	*out = *view;
	return status;
}

static int compare_files( const void* a, const void* b )
{
	return strcmp( ( (const bvb_side_file*)a )->name, ( (const bvb_side_file*)b )->name );
}

bv_status bvgltf_buffers_list( const bvgltf_buffers* b, bvb_arena* arena, bvb_side_files* out )
{
	uint32_t count = b->buffers ? b->document->lists[bvgltf_buffer_list].count : 0;
	bvb_side_file* files = bvb_arena_allocate( arena, count, sizeof *files );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count && files; ++i )
	{
		if ( b->buffers[i].name )
		{
			files[kept++] = b->buffers[i].file;
		}
	}
	if ( !files )
	{
		return bvbase_fail_memory( b->document->error );
	}
	qsort( files, kept, sizeof *files, compare_files );
	out->files = files;
	out->count = 0;

	for ( uint32_t i = 0; i < kept; ++i )
	{
		bvb_side_file* last = files + out->count - 1;
		if ( out->count > 0 && strcmp( last->name, files[i].name ) == 0 )
		{
			if ( last->use == bvb_side_file_read && files[i].use == bvb_side_file_read &&
			     memcmp( last->hash, files[i].hash, sizeof last->hash ) != 0 )
			{
				return bvbase_fail( b->document->error, bv_error_input, "%s: %s changed while it was read",
				                    b->document->file, last->name );
			}

			// Of one name that several buffers have, what was read counts.
			bool named = last->use == bvb_side_file_named;
			bool better = files[i].use == bvb_side_file_read || ( named && files[i].use != last->use );
			const char* name = last->name;
			*last = better ? files[i] : *last;
			last->name = name;
			continue;
		}
		size_t size = strlen( files[i].name ) + 1;
		char* name = bvb_arena_allocate( arena, size, 1 );
		if ( !name )
		{
			return bvbase_fail_memory( b->document->error );
		}
		memcpy( name, files[i].name, size );
		files[out->count] = files[i];
		files[out->count++].name = name;
	}
	return bv_ok;
}
