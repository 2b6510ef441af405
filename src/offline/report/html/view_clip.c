// A clip in the 3D view's data: positions of the mesh at all samples. See view_data.h.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "runtime/file/local.h"

enum
{
	most_bytes = 1 << 26, // of all samples: half of them, or a third, are shown if there are more
};

// Every how many samples one is in the page.
static uint32_t choose_stride( const bv_clip* clip, uint32_t vertices )
{
	uint64_t bytes = 3 * sizeof( uint16_t ) * (uint64_t)vertices;
	uint64_t most = most_bytes / bytes > 2 ? most_bytes / bytes : 2;
	return (uint32_t)( ( clip->samples + most - 1 ) / most );
}

static bv_status put_frames( bvhtml_view_data* v, const bv_clip* clip, uint32_t vertices )
{
	uint32_t stride = choose_stride( clip, vertices );
	uint16_t* steps = bvb_arena_allocate( v->arena, vertices, 3 * sizeof *steps );
	if ( !steps )
	{
		return bvbase_fail_memory( v->error );
	}
	bvhtml_view_count( v, "stride", stride );
	bvhtml_view_open( v, "frames", '[' );
	for ( uint32_t s = 0; s < clip->samples; s += stride )
	{
		for ( uint32_t i = 0; i < vertices; ++i )
		{
			bv_vec3 p;
			bvfile_local_clip_position( v->file, s, i, &p );
			bvhtml_view_grid_point( v, p, steps + 3 * (size_t)i );
		}
		bvhtml_view_array( v, NULL, "u16", steps, 3 * (size_t)vertices * sizeof *steps );
	}
	bvhtml_view_close( v, ']' );
	return bv_ok;
}

bv_status bvhtml_view_put_clip( bvhtml_view_data* v )
{
	bv_clip clip;
	bv_mesh_info mesh = bv_file_get_mesh( v->file );
	if ( !v->whole || !bv_file_get_clip( v->file, &clip ) || !clip.frames || clip.samples < 2 )
	{
		bvhtml_view_null( v, "clip" );
		return bv_ok;
	}
	bvhtml_view_open( v, "clip", '{' );
	bvhtml_view_text( v, "name", clip.name.data, clip.name.length );
	bvhtml_view_number( v, "start", clip.start );
	bvhtml_view_number( v, "end", clip.end );
	bvhtml_view_count( v, "samples", clip.samples );
	bvhtml_view_count( v, "record", clip.record );
	bv_status status = put_frames( v, &clip, mesh.vertices );
	bvhtml_view_close( v, '}' );
	return status;
}
