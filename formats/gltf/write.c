// Binary glTF 2.0, written (Khronos, "glTF 2.0 specification", chapters 4 and 5). See write.h.
//
// One buffer holds, for each mesh, its positions and then its indices, each in a buffer view and an accessor
// of its own. Meshes of one color share a material. What else is known of a mesh is in its node's extras. A
// body has nodes of its own: see body.c.

#include "formats/gltf/write.h"

#include "formats/gltf/body.h"
#include "offline/base/error.h"
#include "offline/export/output.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Numbers of the specification.
enum
{
	magic = 0x46546c67, // "glTF"
	container_version = 2,
	chunk_json = 0x4e4f534a,
	chunk_binary = 0x004e4942,
	array_buffer = 34962,
	element_array_buffer = 34963,
	type_unsigned_short = 5123,
	type_unsigned_int = 5125,
	type_float = 5126,
};

// Bytes of an index. The largest number of each width is not allowed.
static uint32_t index_bytes( const bvb_mesh* mesh )
{
	return mesh->vertex_count <= UINT16_MAX ? 2 : 4;
}

static uint64_t position_size( const bvb_mesh* mesh )
{
	return mesh->vertex_count * (uint64_t)( 3 * sizeof( float ) );
}

static uint64_t index_size( const bvb_mesh* mesh )
{
	return 3 * (uint64_t)mesh->triangle_count * index_bytes( mesh );
}

static uint64_t padded( uint64_t bytes )
{
	return ( bytes + 3 ) & ~(uint64_t)3;
}

static void put_key( bvexport_output* o, const char* key, uint64_t value )
{
	bvexport_output_text( o, "\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":" );
	bvexport_output_count( o, value );
}

// What stands in a list of JSON for each mesh.
typedef void put_item( bvexport_output* o, const bvb_export* from, uint32_t index );

static void put_list( bvexport_output* o, const char* key, const bvb_export* from, put_item* put )
{
	bvexport_output_text( o, ",\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":[" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		bvexport_output_text( o, i ? "," : "" );
		put( o, from, i );
	}
	bvexport_output_text( o, "]" );
}

static void put_number_of( bvexport_output* o, const bvb_export* from, uint32_t index )
{
	(void)from;
	bvexport_output_count( o, index );
}

// Behind the node of their parent.
static void put_number_of_child( bvexport_output* o, const bvb_export* from, uint32_t index )
{
	(void)from;
	bvexport_output_count( o, index + 1 );
}

static void put_error( bvexport_output* o, const char* key, double value )
{
	bvexport_output_text( o, ",\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":" );
	bvexport_output_number( o, value );
}

static void put_extras( bvexport_output* o, const bvb_export_object* object )
{
	const bvb_export_node* node = object->node;
	bvexport_output_text( o, ",\"extras\":{" );
	if ( node )
	{
		put_key( o, "node", node->index );
		bvexport_output_text( o, "," );
		put_key( o, "level", node->level );
		bvexport_output_text( o, "," );
		put_key( o, "triangles", node->triangles );
		bvexport_output_text( o, ",\"volume\":\"" );
		bvexport_output_text( o, bv_volume_type_name( node->type ) );
		bvexport_output_text( o, "\"" );
		if ( node->has_errors )
		{
			put_error( o, "surface_upper", node->surface_upper );
			put_error( o, "solid_upper", node->solid_upper );
		}
		bvexport_output_text( o, "," );
	}
	bvexport_output_text( o, "\"standoff\":" );
	bvexport_output_number( o, object->standoff );
	bvexport_output_text( o, "}" );
}

static void put_node( bvexport_output* o, const bvb_export* from, uint32_t index )
{
	const bvb_export_object* object = from->objects + index;
	bvexport_output_text( o, "{\"name\":\"" );
	bvexport_output_text( o, object->name );
	bvexport_output_text( o, "\"," );
	put_key( o, "mesh", index );
	if ( !bvmath_is_zero( from->offset ) )
	{
		bvexport_output_text( o, "," );
		bvgltf_put_vector( o, "translation", from->offset );
	}
	if ( object->node || object->standoff > 0 )
	{
		put_extras( o, object );
	}
	bvexport_output_text( o, "}" );
}

static void put_meshes( bvexport_output* o, const bvb_export* from, const uint32_t* material )
{
	bvexport_output_text( o, ",\"meshes\":[" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		bvexport_output_text( o, i ? ",{\"name\":\"" : "{\"name\":\"" );
		bvexport_output_text( o, from->objects[i].name );
		bvexport_output_text( o, "\",\"primitives\":[{\"attributes\":{" );
		put_key( o, "POSITION", 2 * (uint64_t)i );
		bvexport_output_text( o, "}," );
		put_key( o, "indices", 2 * (uint64_t)i + 1 );
		bvexport_output_text( o, "," );
		put_key( o, "material", material[i] );
		bvexport_output_text( o, "}]}" );
	}
	bvexport_output_text( o, "]" );
}

// Colors of materials are linear, those of screens nearly the root of that.
static void put_material( bvexport_output* o, const bvb_export_object* object )
{
	bvexport_output_text( o, "{\"name\":\"" );
	bvexport_output_text( o, object->color_name );
	bvexport_output_text( o, "\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[" );
	for ( int k = 0; k < 3; ++k )
	{
		double part = object->color[k] / 255.0;
		bvexport_output_number( o, rint( 10000 * part * part ) / 10000 );
		bvexport_output_text( o, "," );
	}
	bvexport_output_text( o, "1],\"metallicFactor\":0,\"roughnessFactor\":0.8},\"doubleSided\":true}" );
}

// Of each object, the first one with its color.
typedef struct palette
{
	uint32_t* material; // of each object
	uint32_t* first;    // of each material, the first object that has it
	uint32_t count;     // materials
} palette;

// @return whether there was memory
static bool find_materials( const bvb_export* from, bvb_arena* arena, palette* out )
{
	*out = ( palette ){
		.material = bvb_arena_allocate( arena, from->object_count, sizeof *out->material ),
		.first = bvb_arena_allocate( arena, from->object_count, sizeof *out->first ),
	};
	for ( uint32_t i = 0; out->material && out->first && i < from->object_count; ++i )
	{
		uint32_t* found = out->material + i;
		while ( *found < out->count &&
		        memcmp( from->objects[i].color, from->objects[out->first[*found]].color, 3 ) != 0 )
		{
			++*found;
		}
		if ( *found == out->count )
		{
			out->first[out->count++] = i;
		}
	}
	return out->material && out->first;
}

static void put_materials( bvexport_output* o, const bvb_export* from, const palette* colors )
{
	bvexport_output_text( o, ",\"materials\":[" );
	for ( uint32_t i = 0; i < colors->count; ++i )
	{
		bvexport_output_text( o, i ? "," : "" );
		put_material( o, from->objects + colors->first[i] );
	}
	bvexport_output_text( o, "]" );
}

static void put_corner( bvexport_output* o, const char* key, const float corner[3] )
{
	bvexport_output_text( o, ",\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":[" );
	for ( int k = 0; k < 3; ++k )
	{
		bvexport_output_text( o, k ? "," : "" );
		bvexport_output_float( o, corner[k] );
	}
	bvexport_output_text( o, "]" );
}

static void get_position( const bvb_mesh* mesh, uint32_t vertex, float out[3] )
{
	bv_vec3 p = mesh->positions[vertex];
	out[0] = (float)p.x;
	out[1] = (float)p.y;
	out[2] = (float)p.z;
}

static void put_accessors( bvexport_output* o, const bvb_export* from, uint32_t index )
{
	const bvb_export_object* object = from->objects + index;
	const bvb_mesh* mesh = &object->mesh;
	float lower[3];
	float upper[3];
	get_position( mesh, 0, lower );
	get_position( mesh, 0, upper );
	for ( uint32_t i = 1; i < mesh->vertex_count; ++i )
	{
		float p[3];
		get_position( mesh, i, p );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = p[k] < lower[k] ? p[k] : lower[k];
			upper[k] = p[k] > upper[k] ? p[k] : upper[k];
		}
	}
	bvexport_output_text( o, "{" );
	put_key( o, "bufferView", 2 * (uint64_t)index );
	bvexport_output_text( o, "," );
	put_key( o, "componentType", type_float );
	bvexport_output_text( o, ",\"type\":\"VEC3\"," );
	put_key( o, "count", mesh->vertex_count );
	put_corner( o, "min", lower );
	put_corner( o, "max", upper );
	bvexport_output_text( o, "},{" );
	put_key( o, "bufferView", 2 * (uint64_t)index + 1 );
	bvexport_output_text( o, "," );
	put_key( o, "componentType", index_bytes( mesh ) == 2 ? type_unsigned_short : type_unsigned_int );
	bvexport_output_text( o, ",\"type\":\"SCALAR\"," );
	put_key( o, "count", 3 * (uint64_t)mesh->triangle_count );
	bvexport_output_text( o, "}" );
}

static void put_view( bvexport_output* o, uint64_t offset, uint64_t bytes, uint32_t target )
{
	bvexport_output_text( o, "{\"buffer\":0," );
	put_key( o, "byteOffset", offset );
	bvexport_output_text( o, "," );
	put_key( o, "byteLength", bytes );
	bvexport_output_text( o, "," );
	put_key( o, "target", target );
	bvexport_output_text( o, "}" );
}

static void put_views( bvexport_output* o, const bvb_export* from )
{
	uint64_t offset = 0;
	bvexport_output_text( o, ",\"bufferViews\":[" );
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		const bvb_mesh* mesh = &from->objects[i].mesh;
		bvexport_output_text( o, i ? "," : "" );
		put_view( o, offset, position_size( mesh ), array_buffer );
		offset += position_size( mesh );
		bvexport_output_text( o, "," );
		put_view( o, offset, index_size( mesh ), element_array_buffer );
		offset += padded( index_size( mesh ) );
	}
	bvexport_output_text( o, "]" );
}

// What is in the file, and what of it becomes meshes.
typedef struct write_content
{
	const bvb_export* all;
	bvb_export stored; // objects with a mesh of their own
	uint32_t* mesh;    // of all objects, the number of that mesh, or BVGLTF_NO_MESH
	palette colors;    // of stored ones
	uint64_t buffer;   // bytes of the meshes
} write_content;

// A primitive needs no triangles.
// @return whether there was memory
static bool find_content( const bvb_export* from, bvb_arena* arena, write_content* out )
{
	*out = ( write_content ){ .all = from };
	out->mesh = bvb_arena_allocate( arena, from->object_count, sizeof *out->mesh );
	out->stored.objects = bvb_arena_allocate( arena, from->object_count, sizeof *out->stored.objects );
	for ( uint32_t i = 0; out->mesh && out->stored.objects && i < from->object_count; ++i )
	{
		const bvb_export_object* object = from->objects + i;
		out->mesh[i] = BVGLTF_NO_MESH;
		if ( !from->body || object->collider != bvb_collider_primitive )
		{
			out->mesh[i] = out->stored.object_count;
			out->stored.objects[out->stored.object_count++] = *object;
			out->buffer += position_size( &object->mesh ) + padded( index_size( &object->mesh ) );
		}
	}
	return out->mesh && out->stored.objects && find_materials( &out->stored, arena, &out->colors );
}

static void put_scene( bvexport_output* o, const write_content* c )
{
	bvexport_output_text( o, ",\"scene\":0,\"scenes\":[{\"name\":\"bvbuild\"" );
	if ( c->all->body )
	{
		bvexport_output_text( o, ",\"nodes\":[0]}],\"nodes\":[" );
		bvgltf_put_body( o, c->all, c->mesh );
		bvexport_output_text( o, "]" );
	}
	else if ( c->all->parent )
	{
		bvexport_output_text( o, ",\"nodes\":[0]}],\"nodes\":[{\"name\":\"" );
		bvexport_output_text( o, c->all->parent );
		bvexport_output_text( o, "\"" );
		put_list( o, "children", c->all, put_number_of_child );
		bvexport_output_text( o, "}" );
		for ( uint32_t i = 0; i < c->all->object_count; ++i )
		{
			bvexport_output_text( o, "," );
			put_node( o, c->all, i );
		}
		bvexport_output_text( o, "]" );
	}
	else
	{
		put_list( o, "nodes", c->all, put_number_of );
		bvexport_output_text( o, "}]" );
		put_list( o, "nodes", c->all, put_node );
	}
}

static void put_json( bvexport_output* o, const write_content* c )
{
	bvexport_output_text( o, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"bvbuild " BV_VERSION "\"}" );
	if ( c->all->body )
	{
		bvgltf_put_extensions( o, c->all );
	}
	put_scene( o, c );
	// Empty lists are not allowed.
	if ( c->stored.object_count > 0 )
	{
		put_meshes( o, &c->stored, c->colors.material );
		put_materials( o, &c->stored, &c->colors );
		put_list( o, "accessors", &c->stored, put_accessors );
		put_views( o, &c->stored );
		bvexport_output_text( o, ",\"buffers\":[{" );
		put_key( o, "byteLength", c->buffer );
		bvexport_output_text( o, "}]" );
	}
	bvexport_output_text( o, "}" );
	bvexport_output_pad( o, ' ' );
}

static void put_word( bvexport_output* o, uint32_t word )
{
	const uint8_t bytes[4] = { (uint8_t)word, (uint8_t)( word >> 8 ), (uint8_t)( word >> 16 ),
		                       (uint8_t)( word >> 24 ) };
	bvexport_output_bytes( o, bytes, sizeof bytes );
}

static void put_buffer( bvexport_output* o, const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		float p[3];
		get_position( mesh, i, p );
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t bits;
			memcpy( &bits, p + k, sizeof bits );
			put_word( o, bits );
		}
	}
	uint32_t width = index_bytes( mesh );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t corner = mesh->triangles[i].corner[k];
			const uint8_t bytes[4] = { (uint8_t)corner, (uint8_t)( corner >> 8 ), (uint8_t)( corner >> 16 ),
				                       (uint8_t)( corner >> 24 ) };
			bvexport_output_bytes( o, bytes, width );
		}
	}
	bvexport_output_pad( o, 0 );
}

// Header and chunks: the container. Without meshes there is one chunk only.
static void put_container( bvexport_output* o, const write_content* c, const bvexport_output* json )
{
	const bvb_export* from = &c->stored;
	enum
	{
		header_bytes = 12,
		chunk_bytes = 8,
	};
	put_word( o, magic );
	put_word( o, container_version );
	bool has_meshes = from->object_count > 0;
	put_word( o,
	          (uint32_t)( header_bytes + ( has_meshes ? 2 : 1 ) * chunk_bytes + json->length + c->buffer ) );
	put_word( o, (uint32_t)json->length );
	put_word( o, chunk_json );
	bvexport_output_bytes( o, json->data, json->length );
	if ( has_meshes )
	{
		put_word( o, (uint32_t)c->buffer );
		put_word( o, chunk_binary );
	}
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		put_buffer( o, &from->objects[i].mesh );
	}
}

bv_status bvgltf_write_glb( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
                            bvb_error* error )
{
	bvexport_output json = { 0 };
	write_content c;
	const void* text;
	size_t length;
	if ( !find_content( from, arena, &c ) )
	{
		return bvbase_fail_memory( error );
	}
	put_json( &json, &c );
	bvexport_output written = json;
	bv_status status = bvexport_output_finish( &json, arena, &text, &length, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( c.buffer + length > UINT32_MAX - 64 )
	{
		return bvbase_fail( error, bv_error_limit, "too large for binary glTF (limit: 4 GB)" );
	}
	bvexport_output o = { 0 };
	put_container( &o, &c, &written );
	return bvexport_output_finish( &o, arena, data, size, error );
}
