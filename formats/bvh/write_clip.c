// CLIP: boxes of nodes over an animation.

#include "formats/bvh/write.h"
#include "offline/base/clean.h"
#include "offline/base/error.h"

#include <string.h>

_Static_assert( sizeof( bvb_clip_box ) == sizeof( bvfile_clip_box ), "boxes are stored as they are" );
_Static_assert( BVB_MAX_CLIP_CANDIDATES == bvfile_max_clip_candidates &&
                    (int)BVB_MAX_CLIP_SAMPLES == (int)bvfile_max_clip_samples,
                "the format has room for any clip" );

bv_status bvfmt_prepare_clip( bvfmt_writing* w, bvb_error* error )
{
	const bvb_clip_asset* clip = &w->asset->clip;
	if ( clip->samples == 0 )
	{
		return bv_ok;
	}
	w->clip_name.data = bvb_arena_allocate( w->arena, 3 * strlen( clip->name ) + 1, 1 );
	if ( !w->clip_name.data )
	{
		return bvbase_fail_memory( error );
	}
	w->clip_name.length = bvbase_clean_text( clip->name, w->clip_name.data );
	return bv_ok;
}

uint64_t bvfmt_size_clip( const bvfmt_writing* w )
{
	const bvb_clip_asset* clip = &w->asset->clip;
	uint64_t vertices = clip->frames ? w->asset->record.mesh.vertex_count : 0;
	return clip->samples > 0
	           ? sizeof( bvfile_clip ) + clip->candidate_count * sizeof( bvfile_clip_candidate ) +
	                 clip->samples * sizeof( bvfile_clip_sample ) +
	                 (uint64_t)clip->sets * bvfmt_node_count( w ) * sizeof( bvfile_clip_box ) +
	                 clip->samples * vertices * sizeof *clip->frames + w->clip_name.length
	           : 0;
}

static void write_costs( const bvb_clip_asset* clip, bvfile_clip_candidate* candidates,
                         bvfile_clip_sample* samples )
{
	for ( uint32_t i = 0; i < clip->candidate_count; ++i )
	{
		const bvb_clip_candidate* c = clip->candidates + i;
		candidates[i] = ( bvfile_clip_candidate ){ c->cost, c->sample, c->nodes };
	}
	for ( uint32_t i = 0; i < clip->samples; ++i )
	{
		samples[i] = ( bvfile_clip_sample ){ clip->costs[i], clip->rebuilt[i] };
	}
}

bv_status bvfmt_write_clip( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvb_clip_asset* clip = &w->asset->clip;
	uint32_t nodes = bvfmt_node_count( w );
	uint32_t vertices = w->asset->record.mesh.vertex_count;
	bvfile_clip* head = out;
	*head = ( bvfile_clip ){
		.start = clip->start,
		.end = clip->end,
		.origin = { clip->origin.x, clip->origin.y, clip->origin.z },
		.step = clip->step,
		.samples = clip->samples,
		.segments = clip->segments,
		.record = clip->record,
		.candidates = clip->candidate_count,
		.chosen = clip->chosen,
		.name_bytes = (uint32_t)w->clip_name.length,
		.moves = clip->moves,
		.has_frames = clip->frames != NULL,
	};
	bvfile_clip_candidate* candidates = (bvfile_clip_candidate*)( head + 1 );
	bvfile_clip_sample* samples = (bvfile_clip_sample*)( candidates + clip->candidate_count );
	write_costs( clip, candidates, samples );
	char* to = (char*)( samples + clip->samples );
	size_t size = (size_t)clip->sets * nodes * sizeof *clip->boxes;
	memcpy( to, clip->boxes, size );
	to += size;
	size = clip->frames ? (size_t)clip->samples * vertices * sizeof *clip->frames : 0;
	if ( size > 0 )
	{
		memcpy( to, clip->frames, size );
	}
	if ( w->clip_name.length > 0 )
	{
		memcpy( to + size, w->clip_name.data, w->clip_name.length );
	}
	return bv_ok;
}
