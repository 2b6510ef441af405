// Writes binary glTF 2.0. See glb.h.
//
// Based on: Khronos Group, "glTF 2.0 Specification", 2021.

#include "glb.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Numbers of glTF 2.0.
	bytes_array = 34962,
	bytes_indices = 34963,
	type_int16 = 5122,
	type_uint32 = 5125,
	type_float = 5126,
};

static void* checked( void* memory )
{
	if ( !memory )
	{
		fprintf( stderr, "glb: out of memory\n" );
		exit( 1 );
	}
	return memory;
}

void* glb_allocate( size_t count, size_t size )
{
	return checked( calloc( count, size ) );
}

static void grow( char** data, size_t* capacity, size_t needed )
{
	if ( needed > *capacity )
	{
		*capacity = 2 * needed;
		*data = checked( realloc( *data, *capacity ) );
	}
}

void glb_append( glb_text* text, const char* format, ... )
{
	va_list list;
	va_start( list, format );
	int added = vsnprintf( NULL, 0, format, list );
	va_end( list );
	size_t needed = text->length + (size_t)added + 1;
	grow( &text->data, &text->capacity, needed );
	va_start( list, format );
	vsnprintf( text->data + text->length, (size_t)added + 1, format, list );
	va_end( list );
	text->length += (size_t)added;
}

// Arrays for animations that follow each other are in one view: there can be thousands of them.
static void describe_view( glb* g, glb_use use, size_t bytes, bool is_continued )
{
	static const int targets[] = { bytes_array, bytes_indices, 0, 0, 0 };
	if ( is_continued )
	{
		// The last view gets another size.
		g->views.length = (size_t)( strrchr( g->views.data, ':' ) - g->views.data );
		glb_append( &g->views, ":%zu}", g->size + bytes - g->view_begin );
		return;
	}
	g->view_begin = g->size;
	g->view_use = use;
	glb_append( &g->views, "%s{\"buffer\":0", g->view_count++ ? "," : "" );
	if ( targets[use] )
	{
		glb_append( &g->views, ",\"target\":%d", targets[use] );
	}
	glb_append( &g->views, ",\"byteOffset\":%zu,\"byteLength\":%zu}", g->size, bytes );
}

static void describe_extremes( glb* g, const float* value, size_t count, int components )
{
	for ( int end = 0; end < 2; ++end )
	{
		glb_append( &g->accessors, ",\"%s\":[", end ? "max" : "min" );
		for ( int c = 0; c < components; ++c )
		{
			float extreme = value[c];
			for ( size_t i = 1; i < count; ++i )
			{
				float v = value[i * (size_t)components + (size_t)c];
				extreme = end ? fmaxf( extreme, v ) : fminf( extreme, v );
			}
			glb_append( &g->accessors, "%s%.9g", c ? "," : "", (double)extreme );
		}
		glb_append( &g->accessors, "]" );
	}
}

int glb_add( glb* g, glb_use use, const void* data, size_t count, int components )
{
	static const char* const types[] = { "", "SCALAR", "", "VEC3", "VEC4" };
	size_t bytes = ( use == glb_rotations ? 2 : 4 ) * count * (size_t)components;
	bool is_value = use == glb_values || use == glb_rotations;
	bool is_continued =
		g->view_count > 0 && is_value && ( g->view_use == glb_values || g->view_use == glb_rotations );
	describe_view( g, use, bytes, is_continued );
	glb_append( &g->accessors, "%s{\"bufferView\":%d", g->accessor_count ? "," : "", g->view_count - 1 );
	if ( g->size > g->view_begin )
	{
		glb_append( &g->accessors, ",\"byteOffset\":%zu", g->size - g->view_begin );
	}
	glb_append( &g->accessors, ",\"componentType\":%d%s,\"count\":%zu,\"type\":\"%s\"",
	            use == glb_indices     ? type_uint32
	            : use == glb_rotations ? type_int16
	                                   : type_float,
	            use == glb_rotations ? ",\"normalized\":true" : "", count, types[components] );
	if ( use == glb_positions || use == glb_times )
	{
		describe_extremes( g, data, count, components );
	}
	glb_append( &g->accessors, "}" );
	grow( &g->bytes, &g->capacity, g->size + bytes );
	memcpy( g->bytes + g->size, data, bytes );
	g->size += bytes;
	return g->accessor_count++;
}

int glb_add_mesh( glb* g, const bv_file* file )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	float( *position )[3] = glb_allocate( info.vertices, sizeof *position );
	uint32_t( *corner )[3] = glb_allocate( info.triangles, sizeof *corner );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		position[i][0] = (float)p.x;
		position[i][1] = (float)p.y;
		position[i][2] = (float)p.z;
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, corner[i] );
	}
	int first = glb_add( g, glb_positions, position, info.vertices, 3 );
	glb_add( g, glb_indices, corner, 3 * (size_t)info.triangles, 1 );
	free( position );
	free( corner );
	return first;
}

bool glb_write( glb* g, const char* path )
{
	glb_append( &g->json, ",\"bufferViews\":[%s],\"accessors\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
	            g->views.data, g->accessors.data, g->size );
	// Chunks are multiples of 4 bytes; blanks fill the text. Arrays are of such a size already.
	while ( g->json.length % 4 )
	{
		glb_append( &g->json, " " );
	}
	size_t length = g->json.length;
	const size_t numbers[] = { 12 + 8 + length + 8 + g->size, length, g->size };
	uint8_t little[3][4];
	for ( int i = 0; i < 12; ++i )
	{
		little[i / 4][i % 4] = (uint8_t)( numbers[i / 4] >> 8 * ( i % 4 ) );
	}
	FILE* out = fopen( path, "wb" );
	bool written = out && fwrite( "glTF\2\0\0\0", 8, 1, out ) && fwrite( little[0], 4, 1, out ) &&
	               fwrite( little[1], 4, 1, out ) && fwrite( "JSON", 4, 1, out ) &&
	               fwrite( g->json.data, length, 1, out ) && fwrite( little[2], 4, 1, out ) &&
	               fwrite( "BIN\0", 4, 1, out ) && fwrite( g->bytes, g->size, 1, out );
	written = ( !out || !fclose( out ) ) && written;
	if ( !written )
	{
		perror( path );
	}
	free( g->bytes );
	free( g->views.data );
	free( g->accessors.data );
	free( g->json.data );
	return written;
}
