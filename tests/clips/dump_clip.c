// Prints the clip of a file for check_clips.py: its times, triangles, nodes and their boxes.

#include "bv/file.h"
#include "bv/inspect.h"

#include <stdio.h>
#include <stdlib.h>

static bool print_node( void* context, const bv_node_info* node )
{
	const bv_file* file = context;
	bv_clip clip;
	bv_file_get_clip( file, &clip );
	printf( "node %u %u %u %u\n", node->index, node->children, node->first_triangle, node->triangles );
	for ( uint32_t s = 0; s <= clip.segments; ++s )
	{
		bv_clip_box b;
		if ( !bv_file_get_clip_box( file, node->index, s < clip.segments ? s : BV_CLIP_WHOLE, &b ) )
		{
			return false;
		}
		printf( "box %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.box.lower.x, b.box.lower.y,
		        b.box.lower.z, b.box.upper.x, b.box.upper.y, b.box.upper.z, b.error );
	}
	return true;
}

int main( int count, char** arguments )
{
	FILE* in = count == 2 ? fopen( arguments[1], "rb" ) : NULL;
	if ( !in || fseek( in, 0, SEEK_END ) != 0 )
	{
		return 2;
	}
	size_t size = (size_t)ftell( in );
	rewind( in );
	void* data = aligned_alloc( 64, ( size + 63 ) / 64 * 64 );
	const bv_file* file;
	bv_clip clip;
	if ( !data || fread( data, 1, size, in ) != size || bv_file_open( data, size, &file ) != bv_ok ||
	     !bv_file_get_clip( file, &clip ) )
	{
		return 2;
	}
	printf( "clip %.17g %.17g %u %u %u %d %.17g %.*s\n", clip.start, clip.end, clip.samples, clip.segments,
	        clip.record, clip.moves, clip.step, (int)clip.name.length, clip.name.data );
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_triangle_source source;
		uint32_t corner[3];
		if ( !bv_file_get_source( file, i, &source ) )
		{
			return 2;
		}
		bv_file_get_triangle( file, i, corner );
		printf( "triangle %u", source.face );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = bv_file_get_vertex( file, corner[k] );
			printf( " %.17g %.17g %.17g", p.x, p.y, p.z );
		}
		printf( "\n" );
		for ( uint32_t s = 0; s < clip.samples && clip.frames; ++s )
		{
			printf( "frame" );
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p;
				bv_file_get_clip_position( file, s, corner[k], &p );
				printf( " %.17g %.17g %.17g", p.x, p.y, p.z );
			}
			printf( "\n" );
		}
	}
	bool visited = bv_file_visit_nodes( file, print_node, (void*)file );
	fclose( in );
	free( data );
	return visited ? 0 : 2;
}
