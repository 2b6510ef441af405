// Primitives of meshes as triangles (Khronos, "glTF 2.0 specification", 3.7.2). See primitive.h.

#include "formats/gltf/primitive.h"

#include "formats/gltf/draco.h"

#include <stdio.h>
#include <string.h>

enum
{
	mode_points,
	mode_lines,
	mode_line_loop,
	mode_line_strip,
	mode_triangles,
	mode_triangle_strip,
	mode_triangle_fan,
};

// Corners of a primitive: vertices, or indices of them.
typedef struct corners
{
	const uint32_t* indices; // null: 0, 1, 2 ...
	uint32_t count;
	uint32_t limit; // what indices cannot be
} corners;

bv_status bvgltf_meshes_open( bvgltf_accessors* accessors, bvgltf_meshes* out )
{
	bvgltf_document* d = accessors->buffers->document;
	void* memory;
	bv_status status =
		bvgltf_document_allocate( d, d->lists[bvgltf_mesh_list].count, sizeof *out->meshes, &memory );
	*out = ( bvgltf_meshes ){ accessors, memory };
	return status;
}

// The extension's id of an attribute; BVGLTF_NONE if it is not compressed.
static bv_status find_compressed( const bvgltf_primitive* p, const char* name, uint32_t* id )
{
	bvgltf_object extension;
	bvgltf_object attributes;
	bv_status status = bvgltf_json_extension( &p->object, "KHR_draco_mesh_compression", &extension );
	status = status == bv_ok ? bvgltf_json_object( &extension, "attributes", &attributes ) : status;
	return status == bv_ok ? bvgltf_json_index( &attributes, name, UINT32_MAX, id ) : status;
}

static bv_status read_compressed_attribute( bvgltf_meshes* m, const bvgltf_primitive* p, uint32_t accessor,
                                            uint32_t id, const bvgltf_use* use, bvgltf_numbers* out )
{
	bvgltf_document* d = m->accessors->buffers->document;
	unsigned type;
	bv_status status = bvgltf_accessors_type( m->accessors, accessor, use, &type );
	uint32_t components = strcmp( use->type, "VEC3" ) == 0 ? 3 : 4;
	uint32_t count = bvgltf_draco_point_count( p->draco );
	void* memory = NULL;
	if ( status == bv_ok )
	{
		status = bvgltf_document_allocate( d, (uint64_t)count * components, sizeof( double ), &memory );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	if ( !bvgltf_draco_copy( p->draco, id, components, memory ) )
	{
		return bvgltf_json_fail( &p->object, bv_error_input, "the compressed %s are missing or are not %s",
		                         use->name, use->type );
	}
	bvgltf_accessors_normalize( type, memory, (size_t)count * components );
	*out = ( bvgltf_numbers ){ memory, count, components, type };
	return bv_ok;
}

bv_status bvgltf_meshes_attribute( bvgltf_meshes* m, const bvgltf_primitive* p, const bvgltf_use* use,
                                   bvgltf_numbers* out )
{
	bvgltf_document* d = m->accessors->buffers->document;
	bvgltf_object attributes;
	uint32_t accessor = BVGLTF_NONE;
	uint32_t id = BVGLTF_NONE;
	*out = ( bvgltf_numbers ){ .values = NULL };
	bv_status status = bvgltf_json_object( &p->object, "attributes", &attributes );
	if ( status == bv_ok )
	{
		status = bvgltf_json_index( &attributes, use->name, d->lists[bvgltf_accessor_list].count, &accessor );
	}
	status = status == bv_ok && p->draco ? find_compressed( p, use->name, &id ) : status;
	if ( status != bv_ok || accessor == BVGLTF_NONE )
	{
		return status;
	}
	status = id != BVGLTF_NONE ? read_compressed_attribute( m, p, accessor, id, use, out )
	                           : bvgltf_accessors_numbers( m->accessors, accessor, use, out );
	if ( status == bv_ok && p->positions.values && out->count != p->positions.count )
	{
		return bvgltf_json_fail( &p->object, bv_error_input, "has %u %s and %u POSITION", out->count,
		                         use->name, p->positions.count );
	}
	return status;
}

static bv_status check_corners( const bvgltf_primitive* p, const corners* c )
{
	for ( uint32_t i = 0; i < c->count && c->indices; ++i )
	{
		uint32_t index = c->indices[i];
		if ( index >= p->positions.count || index == c->limit )
		{
			return index == c->limit
			           ? bvgltf_json_fail( &p->object, bv_error_input,
			                               "index %u is %u, which restarts primitives and is not allowed", i,
			                               index )
			           : bvgltf_json_fail( &p->object, bv_error_input, "index %u refers to vertex %u of %u",
			                               i, index, p->positions.count );
		}
	}
	return bv_ok;
}

static uint32_t corner_at( const corners* c, uint32_t i )
{
	return c->indices ? c->indices[i] : i;
}

// The triangle that corner i of a strip or a fan ends. Every second one of a strip is the other way round.
static bvb_triangle triangle_at( const corners* c, uint64_t mode, uint32_t i )
{
	if ( mode == mode_triangle_fan )
	{
		return ( bvb_triangle ){ { corner_at( c, i - 1 ), corner_at( c, i ), corner_at( c, 0 ) } };
	}
	uint32_t odd = i % 2;
	return (
		bvb_triangle ){ { corner_at( c, i - 2 ), corner_at( c, i - 1 + odd ), corner_at( c, i - odd ) } };
}

static bv_status cut_triangles( bvgltf_document* d, bvgltf_primitive* p, const corners* c, uint64_t mode )
{
	bool separate = mode == mode_triangles;
	if ( separate ? c->count % 3 != 0 || c->count == 0 : c->count < 3 )
	{
		return bvgltf_json_fail( &p->object, bv_error_input, "%u corners do not make whole %s", c->count,
		                         separate ? "triangles" : "strips or fans" );
	}
	bv_status status = check_corners( p, c );
	uint32_t count = separate ? c->count / 3 : c->count - 2;
	void* memory = NULL;
	if ( status == bv_ok && separate && c->indices )
	{
		// Three numbers in a row are a triangle.
		_Static_assert( sizeof( bvb_triangle ) == 3 * sizeof( uint32_t ), "only corners" );
		p->triangles = (const bvb_triangle*)(const void*)c->indices;
		p->triangle_count = count;
		return bv_ok;
	}
	status = status == bv_ok ? bvgltf_document_allocate( d, count, sizeof *p->triangles, &memory ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvb_triangle* out = memory;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] =
			separate ? ( bvb_triangle ){ { 3 * i, 3 * i + 1, 3 * i + 2 } } : triangle_at( c, mode, i + 2 );
	}
	p->triangles = out;
	p->triangle_count = count;
	return bv_ok;
}

static bv_status read_corners( bvgltf_meshes* m, const bvgltf_primitive* p, corners* out )
{
	bvgltf_document* d = m->accessors->buffers->document;
	uint32_t accessor;
	*out = ( corners ){ NULL, p->positions.count, UINT32_MAX };
	if ( p->draco )
	{
		out->indices = bvgltf_draco_indices( p->draco, &out->count );
		return bv_ok;
	}
	bv_status status =
		bvgltf_json_index( &p->object, "indices", d->lists[bvgltf_accessor_list].count, &accessor );
	return status == bv_ok && accessor != BVGLTF_NONE
	           ? bvgltf_accessors_indices( m->accessors, accessor, &out->indices, &out->count, &out->limit )
	           : status;
}

static bv_status open_compressed( bvgltf_meshes* m, bvgltf_primitive* p )
{
	bvgltf_document* d = m->accessors->buffers->document;
	static const char name[] = "KHR_draco_mesh_compression";
	bvgltf_object extension;
	bvgltf_view view;
	uint32_t index = BVGLTF_NONE;
	bv_status status = bvgltf_json_extension( &p->object, name, &extension );

	// What a reader without the decoder is to use is there unless the file requires the extension.
	if ( status != bv_ok || !extension.json ||
	     ( !bvgltf_draco_is_built_in() && !bvgltf_document_requires( d, name ) ) )
	{
		return status;
	}
	status = bvgltf_json_index( &extension, "bufferView", d->lists[bvgltf_view_list].count, &index );
	if ( status == bv_ok && index == BVGLTF_NONE )
	{
		return bvgltf_json_fail( &extension, bv_error_input, "bufferView is missing" );
	}
	status = status == bv_ok ? bvgltf_buffers_view( m->accessors->buffers, index, &view ) : status;
	return status == bv_ok ? bvgltf_draco_open( d, &extension, view.data, view.size, &p->draco ) : status;
}

static bv_status read_primitive( bvgltf_meshes* m, bvgltf_primitive* p, uint64_t mode )
{
	bvgltf_document* d = m->accessors->buffers->document;
	bvgltf_use use = { "POSITION", "VEC3", bvgltf_float | ( d->quantized ? bvgltf_quantized : 0 ), true };
	corners c;
	bv_status status = open_compressed( m, p );
	status = status == bv_ok ? bvgltf_meshes_attribute( m, p, &use, &p->positions ) : status;
	if ( status != bv_ok || !p->positions.values )
	{
		return status;
	}
	status = read_corners( m, p, &c );
	if ( status == bv_ok )
	{
		status =
			bvgltf_json_index( &p->object, "material", d->lists[bvgltf_material_list].count, &p->material );
	}
	if ( status != bv_ok || mode >= mode_triangles )
	{
		return status == bv_ok ? cut_triangles( d, p, &c, mode ) : status;
	}
	p->points = mode == mode_points ? c.count : 0;
	p->lines = mode == mode_lines        ? c.count / 2
	           : mode == mode_line_loop  ? c.count
	           : mode == mode_line_strip ? c.count - 1
	                                     : 0;
	return bv_ok;
}

static bv_status read_primitives( bvgltf_meshes* m, const bvgltf_object* o, const cJSON* list,
                                  bvgltf_mesh* mesh )
{
	bvgltf_document* d = m->accessors->buffers->document;
	uint32_t number = 0;
	for ( const cJSON* item = list->child; item; item = item->next, ++number )
	{
		bvgltf_primitive* p = &mesh->primitives[mesh->count];
		*p = ( bvgltf_primitive ){ .object = *o, .material = BVGLTF_NONE };
		p->object.json = item;
		snprintf( p->object.where, sizeof p->object.where, "%.40s.primitives[%u]", o->where, number );
		if ( !cJSON_IsObject( item ) )
		{
			return bvgltf_json_fail( &p->object, bv_error_input, "is not an object" );
		}
		uint64_t mode;
		bv_status status = bvgltf_json_whole( &p->object, "mode", mode_triangle_fan, mode_triangles, &mode );
		status = status == bv_ok ? read_primitive( m, p, mode ) : status;
		if ( status != bv_ok )
		{
			return status;
		}
		if ( !p->positions.values )
		{
			bvimport_notes_add( &d->notes, 1, "%.80s has no POSITION", p->object.where );
			continue;
		}
		mesh->triangle_count += p->triangle_count;
		mesh->points += p->points;
		mesh->lines += p->lines;
		++mesh->count;
	}
	return bv_ok;
}

bv_status bvgltf_meshes_get( bvgltf_meshes* m, uint32_t index, const bvgltf_mesh** out )
{
	bvgltf_document* d = m->accessors->buffers->document;
	bvgltf_mesh* mesh = &m->meshes[index];
	*out = mesh;
	if ( mesh->known )
	{
		return bv_ok;
	}
	bvgltf_object o = bvgltf_document_item( d, bvgltf_mesh_list, index );
	const cJSON* list;
	uint32_t count;
	void* memory = NULL;
	bv_status status = bvgltf_json_list( &o, "primitives", &list, &count );
	if ( status == bv_ok && count == 0 )
	{
		return bvgltf_json_fail( &o, bv_error_input, "has no primitives" );
	}
	status =
		status == bv_ok ? bvgltf_document_allocate( d, count, sizeof *mesh->primitives, &memory ) : status;
	mesh->primitives = memory;
	status = status == bv_ok ? read_primitives( m, &o, list, mesh ) : status;
	mesh->known = status == bv_ok;
	return status;
}
