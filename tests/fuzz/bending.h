// What fuzz targets of meshes that bend share: the mesh of an input, memory, the bytes of a file, and whether nodes enclose triangles.

#pragma once

#include "expect.h"
#include "mutate_bvh.h"
#include "numbers.h"

#include "bvworld/deform.h"
#include "runtime/file/local.h"
#include "runtime/volume/kinds.h"

static inline void* take_memory( size_t bytes )
{
	void* memory = malloc( bytes );
	expect( memory );
	return memory;
}

// Many numbers from a few bytes of the input, so that others are left for what comes later.
static inline numbers take_stream( numbers* n )
{
	uint64_t seed = take_bits( n, 3 );
	return ( numbers ){ .state = ( seed + 1 ) * UINT64_C( 0x9e3779b97f4a7c15 ) };
}

// A file of an input, in a block of exactly its size.
typedef struct input_mesh
{
	const bv_file* file; // may be null
	void* memory;
	subject of;
} input_mesh;

// @return bytes that it takes of the input
static inline size_t open_mesh( const uint8_t* data, size_t size, input_mesh* out )
{
	size_t length = file_length( data, size );
	*out = ( input_mesh ){ .memory = take_memory( length ? length : 1 ) };
	memcpy( out->memory, data, length );
	if ( length > 0 && bv_file_open( out->memory, length, &out->file ) == bv_ok )
	{
		out->of = subject_of( out->file );
	}
	return length;
}

// Positions that triangles are enclosed with.
typedef struct enclosing
{
	const bv_file* file;
	const float* positions; // as stored, x, y, z of each vertex; null for those of the file
} enclosing;

static inline bv_vec3 enclosed_position( const enclosing* e, uint32_t vertex )
{
	if ( !e->positions )
	{
		return bvfile_local_vertex( e->file, vertex );
	}
	const float* at = e->positions + 3 * (size_t)vertex;
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

static inline bool encloses_triangles( void* context, const bv_node_info* node )
{
	const enclosing* e = (const enclosing*)context;
	const bvvol_kind* kind = bvvol_kind_of( node->volume.type );
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( e->file, node->first_triangle + i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			expect( kind->encloses( &node->volume, enclosed_position( e, corner[k] ) ) );
		}
	}
	return true;
}

// The nodes of a file enclose their triangles.
// @param positions  of all vertices; null for those of the file
static inline void expect_enclosed( const bv_file* file, const float* positions )
{
	enclosing e = { .file = file, .positions = positions };
	expect( bvfile_local_visit_nodes( file, encloses_triangles, &e ) );
}

// The size of the file of a deformable mesh.
static inline size_t image_bytes( const bv_file* image )
{
	uint64_t bytes;
	memcpy( &bytes, (const unsigned char*)image + offsetof( bvfile_header, file_bytes ), sizeof bytes );
	return (size_t)bytes;
}
