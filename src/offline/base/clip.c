// Times and defaults of clips. See bvbuild/clip.h.

#include "bvbuild/clip.h"

static const uint32_t default_samples = 60;

uint32_t bvb_clip_sample_count( const bvb_clip_options* options )
{
	return options->samples ? options->samples : default_samples;
}

uint32_t bvb_clip_segment_count( const bvb_clip_options* options )
{
	return options->segments ? options->segments : 1;
}

double bvb_clip_time( const bvb_clip* clip, uint32_t sample )
{
	return sample + 1 >= clip->samples
	           ? sample == 0 ? clip->start : clip->end
	           : clip->start + ( clip->end - clip->start ) * sample / ( clip->samples - 1 );
}
