// glTF 2.0 (Khronos, "glTF 2.0 specification", 2.0.1), read. See gltf.h.

#include "formats/gltf/gltf.h"

#include "formats/gltf/clip.h"
#include "formats/gltf/draco.h"
#include "formats/gltf/scene.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <string.h>

// What the reader holds.
typedef struct gltf_reader
{
	bvgltf_document document;
	bvgltf_buffers buffers;
	bvgltf_accessors accessors;
	bvgltf_meshes meshes;
	bvgltf_nodes nodes;
	bvgltf_shapes shapes;
	bvimport_builder scene;
	bvgltf_counts counts;
	bvgltf_patches patches;
	const bvb_clip* clip; // null if none is read
} gltf_reader;

static bv_status open_container( gltf_reader* r, const char* data, size_t size )
{
	bvgltf_document* d = &r->document;
	if ( bvgltf_glb_is( data, size ) )
	{
		bv_status status = bvgltf_glb_open( d->file, data, size, &d->container, d->error );
		if ( status == bv_ok && d->container.unpadded )
		{
			bvimport_notes_add( &d->notes, 0, "a chunk of binary glTF is not padded to 4 bytes" );
		}
		return status;
	}
	const char* first = data;
	size_t mark = size >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0;
	for ( first += mark; first < data + size && strchr( " \t\r\n", *first ) && *first; ++first )
	{
	}
	d->container = ( bvgltf_container ){ .json = data + mark, .json_bytes = size - mark };
	return first < data + size && *first == '{'
	           ? bv_ok
	           : bvbase_fail( d->error, bv_error_input, "%s: neither JSON nor binary glTF", d->file );
}

static bv_status read_scene( gltf_reader* r, const char* data, size_t size, bool animated )
{
	bv_status status = open_container( r, data, size );
	status = status == bv_ok ? bvgltf_document_open( &r->document ) : status;
	status = status == bv_ok ? bvgltf_buffers_open( &r->document, &r->buffers ) : status;
	status = status == bv_ok ? bvgltf_accessors_open( &r->buffers, &r->accessors ) : status;
	status = status == bv_ok ? bvgltf_meshes_open( &r->accessors, &r->meshes ) : status;
	status = status == bv_ok ? bvgltf_nodes_read( &r->document, &r->nodes ) : status;
	status = status == bv_ok ? bvgltf_shapes_open( &r->meshes, &r->nodes, &r->shapes ) : status;
	r->shapes.animated = animated;
	status = status == bv_ok
	             ? bvgltf_scene_add( &r->shapes, &r->scene, &r->counts, animated ? &r->patches : NULL )
	             : status;
	return status == bv_ok && r->scene.triangle_count == 0
	           ? bvimport_builder_fail_empty( &r->scene, r->counts.points, r->counts.lines,
	                                          &r->document.notes )
	           : status;
}

// The scene has the pose of the first sample.
static void take_clip( const bvb_clip* clip, bvb_scene* scene )
{
	scene->clip = clip;
	memcpy( scene->mesh.positions, clip->frames, clip->vertex_count * sizeof *clip->frames );
}

bv_status bvgltf_read_clip( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            const bvb_clip_options* clip, bvb_arena* arena, bvb_import* out,
                            bvb_error* error )
{
	gltf_reader r = { .document = { .file = path, .error = error, .memory_bytes = memory_bytes } };
	r.document.scratch = bvbase_arena_create_scratch( arena );
	if ( !r.document.scratch )
	{
		return bvbase_fail_memory( error );
	}
	r.buffers.document = &r.document;
	bvimport_builder_begin( &r.scene, path, error );
	bv_status status = read_scene( &r, data, size, clip );
	if ( status == bv_ok && clip )
	{
		status = bvgltf_clip_read( &r.shapes, &r.patches, r.scene.position_count, clip, arena, &r.clip );
	}
	bvb_error ignored;
	r.document.error = status == bv_ok ? error : &ignored;
	bv_status listed = bvgltf_buffers_list( &r.buffers, arena, &out->side_files );
	status = status == bv_ok ? listed : status;
	r.document.error = error;
	status = status == bv_ok ? bvimport_notes_deliver( &r.document.notes, arena, out, error ) : status;
	if ( status == bv_ok )
	{
		out->points = r.counts.points;
		out->lines = r.counts.lines;
		status = bvimport_builder_finish( &r.scene, arena, &out->scene );
	}
	if ( status == bv_ok && r.clip )
	{
		take_clip( r.clip, &out->scene );
	}
	bvimport_builder_end( &r.scene );
	bvgltf_draco_close( &r.document );
	bvgltf_document_close( &r.document );
	bvb_arena_destroy( r.document.scratch );
	return status;
}

bv_status bvgltf_read_gltf( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	return bvgltf_read_clip( path, data, size, memory_bytes, NULL, arena, out, error );
}
