// What is in CLIP of a .bvh file that check.c has let through.

#include "bv/inspect.h"

#include "runtime/file/local.h"
#include "runtime/file/view.h"

static uint32_t node_count( const bv_file* file )
{
	const bvfile_hierarchy* head =
		(const bvfile_hierarchy*)bvfile_find( (const bvfile_header*)file, bvfile_section_nodes );
	return head ? head->nodes : 0;
}

static bvfile_clip_view view_of( const bv_file* file )
{
	const bvfile_header* header = (const bvfile_header*)file;
	const bvfile_mesh* mesh = (const bvfile_mesh*)bvfile_find( header, bvfile_section_mesh );
	return bvfile_clip_view_of( bvfile_find( header, bvfile_section_clip ), node_count( file ),
	                            mesh->vertices );
}

bool bv_file_get_clip( const bv_file* file, bv_clip* clip )
{
	bvfile_clip_view v = view_of( file );
	if ( v.head )
	{
		*clip = ( bv_clip ){
			.name = { v.name, v.head->name_bytes },
			.start = v.head->start,
			.end = v.head->end,
			.samples = v.head->samples,
			.segments = v.head->segments,
			.record = v.head->record,
			.moves = v.head->moves,
			.frames = v.head->has_frames,
			.step = v.head->step,
			.candidates = v.head->candidates,
			.chosen = v.head->chosen,
		};
	}
	return v.head;
}

bool bvfile_local_clip_box( const bv_file* file, uint32_t node, uint32_t segment, bv_clip_box* box )
{
	bvfile_clip_view v = view_of( file );
	uint32_t nodes = node_count( file );
	bool whole = segment == BV_CLIP_WHOLE;
	if ( !v.head || node >= nodes || ( !whole && segment >= v.head->segments ) )
	{
		return false;
	}
	size_t set = whole || v.head->segments == 1 ? 0 : 1 + (size_t)segment;
	const bvfile_clip_box* stored = v.boxes + set * nodes + node;
	box->box.lower = bvfile_clip_point( v.head, stored->lower );
	box->box.upper = bvfile_clip_point( v.head, stored->upper );
	box->error = stored->error;
	return true;
}

bool bv_file_get_clip_sample( const bv_file* file, uint32_t sample, bv_clip_sample* out )
{
	bvfile_clip_view v = view_of( file );
	bool known = v.head && sample < v.head->samples;
	if ( known )
	{
		double length = v.head->end - v.head->start;
		bool last = sample + 1 == v.head->samples && sample > 0;
		out->time = last         ? v.head->end
		            : sample > 0 ? v.head->start + length * sample / ( v.head->samples - 1 )
		                         : v.head->start;
		out->cost = v.samples[sample].cost;
		out->rebuilt = v.samples[sample].rebuilt;
	}
	return known;
}

bool bv_file_get_clip_candidate( const bv_file* file, uint32_t index, bv_clip_candidate* out )
{
	bvfile_clip_view v = view_of( file );
	bool known = v.head && index < v.head->candidates;
	if ( known )
	{
		const bvfile_clip_candidate* c = v.candidates + index;
		*out = ( bv_clip_candidate ){ c->sample, c->nodes, c->cost };
	}
	return known;
}

bool bvfile_local_clip_position( const bv_file* file, uint32_t sample, uint32_t vertex, bv_vec3* out )
{
	bvfile_clip_view v = view_of( file );
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	bool known = v.head && v.head->has_frames && sample < v.head->samples && vertex < vertices;
	if ( known )
	{
		*out = bvfile_clip_point( v.head, v.frames[(size_t)sample * vertices + vertex] );
	}
	return known;
}
