// The check of CLIP. See check.h.

#include "runtime/file/check.h"
#include "runtime/file/utf8.h"

#include <math.h>

static bool is_counted( const bvfile_clip* h )
{
	return h->samples >= 1 && h->samples <= bvfile_max_clip_samples && h->segments >= 1 &&
	       ( h->segments < h->samples || h->segments == 1 ) && h->record < h->samples && h->candidates >= 1 &&
	       h->candidates <= bvfile_max_clip_candidates && h->chosen < h->candidates && h->moves <= 1 &&
	       h->has_frames <= 1 && bvfile_all_zero( h->reserved, sizeof h->reserved );
}

static bool is_power_of_two( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	return x > 0 && ( bits & ( ( UINT64_C( 1 ) << 52 ) - 1 ) ) == 0;
}

// Whether all points of the grid are within the range of binary32, and exact in binary64.
static bool is_grid( const bvfile_clip* h )
{
	bool good = bvfile_all_finite_double( &h->start, 6 ) && h->start >= 0 && h->start <= h->end &&
	            ( h->start < h->end || h->samples == 1 ) && h->step >= 0x1p-140 && h->step <= 0x1p120 &&
	            is_power_of_two( h->step );
	for ( int k = 0; k < 3 && good; ++k )
	{
		double steps = h->origin[k] / h->step;
		good = fabs( h->origin[k] ) <= 0x1p121 && fabs( steps ) <= 0x1p52 && (double)(int64_t)steps == steps;
	}
	return good;
}

static bool are_costs( const bvfile_clip_view* v )
{
	bool good = true;
	for ( uint32_t i = 0; i < v->head->candidates; ++i )
	{
		const bvfile_clip_candidate* c = v->candidates + i;
		good = good && c->cost >= 0 && isfinite( c->cost ) && c->sample < v->head->samples && c->nodes > 0;
	}
	for ( uint32_t i = 0; i < v->head->samples; ++i )
	{
		const bvfile_clip_sample* s = v->samples + i;
		good = good && s->cost >= 0 && isfinite( s->cost ) && s->rebuilt >= 0 && isfinite( s->rebuilt );
	}
	return good;
}

static bool are_boxes( const bvfile_clip_view* v, uint64_t count )
{
	bool good = true;
	for ( uint64_t i = 0; i < count; ++i )
	{
		const bvfile_clip_box* b = v->boxes + i;
		good = good && b->lower[0] <= b->upper[0] && b->lower[1] <= b->upper[1] &&
		       b->lower[2] <= b->upper[2] && b->error >= 0 && isfinite( b->error );
	}
	return good;
}

static bool is_name( const char* text, size_t size )
{
	for ( size_t i = 0; i < size; )
	{
		size_t length = bvfile_utf8_character( text + i, size - i );
		if ( length == 0 || bvfile_utf8_is_control( text + i ) )
		{
			return false;
		}
		i += length;
	}
	return true;
}

const char* bvfile_check_clip( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_clip* head = (const bvfile_clip*)section;
	if ( bytes < sizeof *head )
	{
		return "the clip section has the wrong size";
	}
	if ( !is_counted( head ) )
	{
		return "a count or a flag of the clip section is out of range";
	}
	uint32_t vertices = content->mesh->vertices;
	uint64_t boxes = (uint64_t)bvfile_clip_sets( head ) * content->hierarchy->nodes;
	uint64_t frames = head->has_frames ? (uint64_t)head->samples * vertices : 0;
	if ( bytes != sizeof *head + head->candidates * sizeof( bvfile_clip_candidate ) +
	                  head->samples * sizeof( bvfile_clip_sample ) + boxes * sizeof( bvfile_clip_box ) +
	                  frames * 3 * sizeof( uint16_t ) + head->name_bytes )
	{
		return "the clip section has the wrong size";
	}
	if ( !is_grid( head ) )
	{
		return "the time or the grid of the clip section is out of range";
	}
	bvfile_clip_view v = bvfile_clip_view_of( section, content->hierarchy->nodes, vertices );
	if ( !are_costs( &v ) )
	{
		return "a cost of the clip section is out of range";
	}
	if ( !are_boxes( &v, boxes ) )
	{
		return "a box of the clip section is invalid";
	}
	return is_name( v.name, head->name_bytes )
	           ? NULL
	           : "the name of the clip is not valid UTF-8 or has control characters";
}
