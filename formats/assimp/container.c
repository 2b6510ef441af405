// Binary glTF of an animated scene (Khronos, "glTF 2.0 specification", chapters 4 and 5). See container.h.
//
// Each accessor has a view of its own, whose bytes start at a multiple of 4.

#include "formats/assimp/container.h"

#include "formats/assimp/transport.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers of the specification.
enum
{
	container_magic = 0x46546c67, // "glTF"
	container_version = 2,
	container_json = 0x4e4f534a,
	container_binary = 0x004e4942,
	container_head = 12,
	chunk_head = 8,
	type_unsigned_short = 5123,
	type_unsigned_int = 5125,
	type_float = 5126,
};

static const char* const list_names[bvassimp_lists] = {
	[bvassimp_list_accessors] = "accessors", [bvassimp_list_views] = "bufferViews",
	[bvassimp_list_meshes] = "meshes",       [bvassimp_list_nodes] = "nodes",
	[bvassimp_list_skins] = "skins",         [bvassimp_list_animations] = "animations",
};

typedef struct container_element
{
	int component;
	const char* type;
	uint32_t bytes;
} container_element;

static const container_element elements[] = {
	[bvassimp_element_index] = { type_unsigned_int, "SCALAR", 4 },
	[bvassimp_element_number] = { type_float, "SCALAR", 4 },
	[bvassimp_element_vector] = { type_float, "VEC3", 12 },
	[bvassimp_element_four] = { type_float, "VEC4", 16 },
	[bvassimp_element_matrix] = { type_float, "MAT4", 64 },
	[bvassimp_element_joints] = { type_unsigned_short, "VEC4", 8 },
};

static uint8_t* grow( bvassimp_bytes* b, size_t size )
{
	if ( size > b->room - b->size )
	{
		size_t room = b->size + size > SIZE_MAX / 2 ? b->size + size : 2 * ( b->size + size );
		uint8_t* data = bvbase_memory_resize( b->data, room, 1 );
		if ( !data )
		{
			bvassimp_leave_out_of_memory();
		}
		b->data = data;
		b->room = room;
	}
	uint8_t* at = b->data + b->size;
	b->size += size;
	return at;
}

void bvassimp_put( bvassimp_bytes* to, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	va_list again;
	va_copy( again, arguments );
	int length = vsnprintf( NULL, 0, format, arguments );
	va_end( arguments );
	size_t room = length > 0 ? (size_t)length + 1 : 1;
	vsnprintf( (char*)grow( to, room ), room, format, again );
	va_end( again );
	to->size -= 1; // its end
}

void bvassimp_put_bytes( bvassimp_bytes* to, const bvassimp_bytes* from )
{
	uint8_t* at = grow( to, from->size );
	if ( from->size > 0 )
	{
		memcpy( at, from->data, from->size );
	}
}

void bvassimp_put_numbers( bvassimp_bytes* to, const double* values, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvassimp_put( to, "%s%.17g", i ? "," : "[", values[i] );
	}
	bvassimp_put( to, "]" );
}

uint32_t bvassimp_container_add( bvassimp_container* c, bvassimp_list list )
{
	if ( c->counts[list] > 0 )
	{
		bvassimp_put( &c->lists[list], "," );
	}
	return c->counts[list]++;
}

_Noreturn static void fail_size( const bvassimp_container* c )
{
	bvassimp_leave_text( c->result, bvassimp_limit, "the animated scene needs more than 4 GiB" );
}

uint32_t bvassimp_container_accessor( bvassimp_container* c, bvassimp_element element, uint64_t count,
                                      uint8_t** out )
{
	const container_element* e = &elements[element];
	size_t offset = c->binary.size;
	if ( count > UINT32_MAX || count * e->bytes > UINT32_MAX - offset )
	{
		fail_size( c );
	}
	size_t size = (size_t)count * e->bytes;
	*out = grow( &c->binary, size );
	memset( *out, 0, size );
	uint32_t view = bvassimp_container_add( c, bvassimp_list_views );
	bvassimp_put( &c->lists[bvassimp_list_views], "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
	              offset, size );
	uint32_t accessor = bvassimp_container_add( c, bvassimp_list_accessors );
	bvassimp_put( &c->lists[bvassimp_list_accessors],
	              "{\"bufferView\":%u,\"componentType\":%d,\"count\":%llu,\"type\":\"%s\"}", view,
	              e->component, (unsigned long long)count, e->type );
	return accessor;
}

void bvassimp_store_16( uint8_t* to, uint32_t value )
{
	to[0] = (uint8_t)value;
	to[1] = (uint8_t)( value >> 8 );
}

void bvassimp_store_32( uint8_t* to, uint32_t value )
{
	bvassimp_store_16( to, value );
	bvassimp_store_16( to + 2, value >> 16 );
}

void bvassimp_store_float( uint8_t* to, float value )
{
	uint32_t bits;
	memcpy( &bits, &value, sizeof bits );
	bvassimp_store_32( to, bits );
}

static void put_chunk( bvassimp_bytes* to, uint32_t type, const bvassimp_bytes* content, char padding )
{
	size_t padded = ( content->size + 3 ) & ~(size_t)3;
	uint8_t* head = grow( to, chunk_head );
	bvassimp_store_32( head, (uint32_t)padded );
	bvassimp_store_32( head + 4, type );
	bvassimp_put_bytes( to, content );
	size_t left = padded - content->size;
	memset( grow( to, left ), padding, left );
}

bvassimp_bytes bvassimp_container_finish( bvassimp_container* c, const bvassimp_bytes* roots )
{
	bvassimp_bytes json = { .size = 0 };
	bvassimp_bytes out = { .size = 0 };
	bvassimp_put( &json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[" );
	bvassimp_put_bytes( &json, roots );
	bvassimp_put( &json, "]}]" );
	if ( c->binary.size > 0 )
	{
		bvassimp_put( &json, ",\"buffers\":[{\"byteLength\":%zu}]", c->binary.size );
	}
	for ( int i = 0; i < bvassimp_lists; ++i )
	{
		if ( c->counts[i] > 0 )
		{
			bvassimp_put( &json, ",\"%s\":[", list_names[i] );
			bvassimp_put_bytes( &json, &c->lists[i] );
			bvassimp_put( &json, "]" );
		}
	}
	bvassimp_put( &json, "}" );
	uint64_t size = container_head + 2 * (uint64_t)chunk_head + json.size + c->binary.size + 6;
	if ( size > UINT32_MAX )
	{
		fail_size( c );
	}
	grow( &out, container_head );
	put_chunk( &out, container_json, &json, ' ' );
	if ( c->binary.size > 0 )
	{
		put_chunk( &out, container_binary, &c->binary, 0 );
	}
	bvassimp_store_32( out.data, container_magic );
	bvassimp_store_32( out.data + 4, container_version );
	bvassimp_store_32( out.data + 8, (uint32_t)out.size );
	for ( int i = 0; i < bvassimp_lists; ++i )
	{
		free( c->lists[i].data );
	}
	free( c->binary.data );
	free( json.data );
	return out;
}
