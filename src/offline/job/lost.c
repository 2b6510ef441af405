// Objects that lost all their triangles. See lost.h.

#include "offline/job/lost.h"

#include "offline/base/error.h"

// The segment that a triangle is in, by bisection.
static const bvb_segment* find_segment( const bvb_scene* scene, uint32_t triangle )
{
	uint32_t first = 0;
	for ( uint32_t end = scene->segment_count; end - first > 1; )
	{
		uint32_t middle = first + ( end - first ) / 2;
		bool before = scene->segments[middle].first_triangle <= triangle;
		first = before ? middle : first;
		end = before ? end : middle;
	}
	return scene->segments + first;
}

bv_status bvjob_find_lost_objects( const bvb_scene* scene, const bvb_mesh* record, bvb_arena* arena,
                                   bvjob_lost_objects* out, bvb_error* error )
{
	*out = ( bvjob_lost_objects ){ NULL, 0 };
	if ( scene->object_count < 2 )
	{
		return bv_ok; // of the only one something is left
	}
	uint64_t* had = bvb_arena_allocate( arena, scene->object_count, sizeof *had );
	bool* is_left = bvb_arena_allocate( arena, scene->object_count, sizeof *is_left );
	bvjob_lost_object* lost = bvb_arena_allocate( arena, scene->object_count, sizeof *lost );
	if ( !had || !is_left || !lost )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		const bvb_segment* s = scene->segments + i;
		uint32_t end = i + 1 < scene->segment_count ? s[1].first_triangle : scene->mesh.triangle_count;
		had[s->object] += end - s->first_triangle;
	}
	for ( uint32_t i = 0; i < record->triangle_count; ++i )
	{
		is_left[find_segment( scene, record->origin[i] )->object] = true;
	}
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		if ( had[i] > 0 && !is_left[i] )
		{
			lost[out->count++] = ( bvjob_lost_object ){ scene->objects[i], had[i] };
		}
	}
	out->objects = lost;
	return bv_ok;
}
