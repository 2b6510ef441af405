// The top of a glTF document (Khronos, "glTF 2.0 specification", 3.2 and 3.12). See document.h.

#include "formats/gltf/document.h"

#include "offline/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const list_names[bvgltf_kinds] = {
	[bvgltf_accessor_list] = "accessors", [bvgltf_buffer_list] = "buffers",
	[bvgltf_view_list] = "bufferViews",   [bvgltf_material_list] = "materials",
	[bvgltf_mesh_list] = "meshes",        [bvgltf_node_list] = "nodes",
	[bvgltf_scene_list] = "scenes",       [bvgltf_skin_list] = "skins",
};

// Extensions that a file may require: those that this folder implements, and those ratified by Khronos that
// change neither triangles nor where they are.
static const char* const known_extensions[] = {
	"EXT_mesh_gpu_instancing",
	"EXT_meshopt_compression",
	"KHR_draco_mesh_compression",
	"KHR_mesh_quantization",

	"EXT_texture_webp",
	"KHR_animation_pointer",
	"KHR_lights_punctual",
	"KHR_materials_anisotropy",
	"KHR_materials_clearcoat",
	"KHR_materials_dispersion",
	"KHR_materials_emissive_strength",
	"KHR_materials_ior",
	"KHR_materials_iridescence",
	"KHR_materials_pbrSpecularGlossiness",
	"KHR_materials_sheen",
	"KHR_materials_specular",
	"KHR_materials_transmission",
	"KHR_materials_unlit",
	"KHR_materials_variants",
	"KHR_materials_volume",
	"KHR_node_hoverability",
	"KHR_node_selectability",
	"KHR_techniques_webgl",
	"KHR_texture_basisu",
	"KHR_texture_transform",
	"KHR_xmp",
	"KHR_xmp_json_ld",
};

bvgltf_object bvgltf_document_root( const bvgltf_document* d )
{
	return ( bvgltf_object ){ .file = d->file, .error = d->error, .json = d->root };
}

bvgltf_object bvgltf_document_item( const bvgltf_document* d, bvgltf_kind kind, uint32_t index )
{
	bvgltf_object item = bvgltf_document_root( d );
	item.json = d->lists[kind].items[index];
	snprintf( item.where, sizeof item.where, "%s[%u]", list_names[kind], index );
	return item;
}

static bv_status fail_limit( const bvgltf_document* d )
{
	return bvbase_fail( d->error, bv_error_limit,
	                    "%s: the scene needs more than %g MiB (raise the limit with --import-memory)",
	                    d->file, (double)d->memory_bytes / 1048576 );
}

bv_status bvgltf_document_check_bytes( const bvgltf_document* d, uint64_t bytes )
{
	return bytes <= d->memory_bytes - d->taken_bytes ? bv_ok : fail_limit( d );
}

bv_status bvgltf_document_allocate( bvgltf_document* d, uint64_t count, size_t size, void** out )
{
	*out = NULL;
	uint64_t left = d->memory_bytes - d->taken_bytes;
	if ( count > left / size )
	{
		return fail_limit( d );
	}
	*out = bvb_arena_allocate( d->scratch, (size_t)count, size );
	d->taken_bytes += *out ? count * size : 0;
	return *out ? bv_ok : bvbase_fail_memory( d->error );
}

// cJSON takes whatever is not above a blank as one. Behind the document, binary glTF is padded by blanks;
// zeros are what some writers pad with.
static bv_status parse( bvgltf_document* d )
{
	const char* end = NULL;
	const bvgltf_container* c = &d->container;
	d->root = cJSON_ParseWithLengthOpts( c->json, c->json_bytes, &end, false );
	bvgltf_object root = bvgltf_document_root( d );
	size_t at = end ? (size_t)( end - c->json ) : 0;
	bool zeros = false;
	for ( size_t i = at; d->root && i < c->json_bytes; ++i )
	{
		char byte = c->json[i];
		if ( byte == 0 ? !d->container.binary_format : !strchr( " \t\r\n", byte ) )
		{
			return bvgltf_json_fail( &root, bv_error_input, "JSON goes on after its end, byte %llu",
			                         (unsigned long long)i );
		}
		zeros = zeros || byte == 0;
	}
	if ( zeros )
	{
		bvimport_notes_add( &d->notes, 0, "the JSON is padded by zeros" );
	}
	if ( !d->root )
	{
		return bvgltf_json_fail( &root, bv_error_input, "not valid JSON, or nested too deeply: byte %llu",
		                         (unsigned long long)at );
	}
	return cJSON_IsObject( d->root ) ? bv_ok
	                                 : bvgltf_json_fail( &root, bv_error_input, "the JSON is not an object" );
}

// "2.0" as 2 and 0.
static bool read_version( const char* text, unsigned out[2] )
{
	for ( int i = 0; i < 2; ++i )
	{
		size_t digits = strspn( text, "0123456789" );
		if ( digits == 0 || digits > 6 || text[digits] != ( i == 0 ? '.' : 0 ) )
		{
			return false;
		}
		out[i] = (unsigned)strtoul( text, NULL, 10 );
		text += digits + 1;
	}
	return true;
}

// Before 2.0, lists were objects, the version could be a number, and the asset could be missing.
static bool is_version_1( const bvgltf_document* d )
{
	const cJSON* asset = cJSON_GetObjectItemCaseSensitive( d->root, "asset" );
	const cJSON* version = asset ? cJSON_GetObjectItemCaseSensitive( asset, "version" ) : NULL;
	return cJSON_IsNumber( version )
	           ? version->valuedouble >= 0 && version->valuedouble < 2
	           : !version && cJSON_IsObject( cJSON_GetObjectItemCaseSensitive( d->root, "meshes" ) );
}

static bv_status check_version( const bvgltf_document* d )
{
	bvgltf_object root = bvgltf_document_root( d );
	bvgltf_object asset;
	const char* text[2] = { NULL, NULL };
	if ( is_version_1( d ) )
	{
		return bvgltf_json_fail( &root, bv_error_unsupported, "glTF 1.0 is not supported, only 2.0" );
	}
	bv_status status = bvgltf_json_object( &root, "asset", &asset );
	if ( status == bv_ok && !asset.json )
	{
		return bvgltf_json_fail( &root, bv_error_input, "asset is missing" );
	}
	status = status == bv_ok ? bvgltf_json_text( &asset, "version", &text[0] ) : status;
	status = status == bv_ok ? bvgltf_json_text( &asset, "minVersion", &text[1] ) : status;
	if ( status == bv_ok && !text[0] )
	{
		return bvgltf_json_fail( &asset, bv_error_input, "version is missing" );
	}
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		unsigned version[2] = { 2, 0 };
		if ( text[i] && !read_version( text[i], version ) )
		{
			return bvgltf_json_fail( &asset, bv_error_input, "%s is not two numbers, as in 2.0",
			                         i ? "minVersion" : "version" );
		}
		if ( version[0] != 2 || ( i == 1 && version[1] > 0 ) )
		{
			return bvgltf_json_fail( &asset, bv_error_unsupported,
			                         i ? "a reader of glTF %u.%u is required, this one reads 2.0"
			                           : "glTF %u.%u is not supported, only 2.0",
			                         version[0], version[1] );
		}
	}
	return status;
}

bool bvgltf_document_requires( const bvgltf_document* d, const char* extension )
{
	const cJSON* list = cJSON_GetObjectItemCaseSensitive( d->root, "extensionsRequired" );
	for ( const cJSON* item = list ? list->child : NULL; item; item = item->next )
	{
		if ( cJSON_IsString( item ) && strcmp( item->valuestring, extension ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static bool is_known( const char* extension )
{
	for ( size_t i = 0; i < sizeof known_extensions / sizeof known_extensions[0]; ++i )
	{
		if ( strcmp( extension, known_extensions[i] ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static bv_status check_extensions( bvgltf_document* d )
{
	static const char* const members[2] = { "extensionsUsed", "extensionsRequired" };
	bvgltf_object root = bvgltf_document_root( d );
	for ( int i = 0; i < 2; ++i )
	{
		const cJSON* list;
		uint32_t count;
		bv_status status = bvgltf_json_list( &root, members[i], &list, &count );
		if ( status != bv_ok )
		{
			return status;
		}
		for ( const cJSON* item = list ? list->child : NULL; item; item = item->next )
		{
			if ( !cJSON_IsString( item ) )
			{
				return bvgltf_json_fail( &root, bv_error_input, "%s has something that is not a string",
				                         members[i] );
			}
			d->quantized = d->quantized || strcmp( item->valuestring, "KHR_mesh_quantization" ) == 0;
			if ( i == 1 && !is_known( item->valuestring ) )
			{
				return bvgltf_json_fail( &root, bv_error_unsupported,
				                         "requires the extension %.100s, which is not supported",
				                         item->valuestring );
			}
		}
	}
	return bv_ok;
}

static bv_status find_list( bvgltf_document* d, bvgltf_kind kind )
{
	bvgltf_object root = bvgltf_document_root( d );
	bvgltf_list* list = &d->lists[kind];
	const cJSON* array;
	bv_status status = bvgltf_json_list( &root, list_names[kind], &array, &list->count );
	void* items = NULL;
	if ( status == bv_ok )
	{
		status = bvgltf_document_allocate( d, list->count, sizeof *list->items, &items );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	list->items = items;
	uint32_t i = 0;
	for ( const cJSON* item = array ? array->child : NULL; item; item = item->next, ++i )
	{
		if ( !cJSON_IsObject( item ) )
		{
			return bvgltf_json_fail( &root, bv_error_input, "%s[%u] is not an object", list_names[kind], i );
		}
		list->items[i] = item;
	}
	return bv_ok;
}

bv_status bvgltf_document_open( bvgltf_document* d )
{
	bv_status status = parse( d );
	status = status == bv_ok ? check_version( d ) : status;
	status = status == bv_ok ? check_extensions( d ) : status;
	for ( int kind = 0; kind < bvgltf_kinds && status == bv_ok; ++kind )
	{
		status = find_list( d, (bvgltf_kind)kind );
	}
	return status;
}

void bvgltf_document_close( bvgltf_document* d )
{
	cJSON_Delete( d->root );
	d->root = NULL;
}
