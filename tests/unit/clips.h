// A clip of a mesh. Each vertex oscillates along x; its amplitude is its distance from the plane z = 0.

#pragma once

#include "support.h"

// Vertex v at time t, from 0 to 2: x + z * ( t - t^2 / 2 ), a parabola with its top at t = 1.
static inline bv_vec3 swaying( bv_vec3 p, double t )
{
	return ( bv_vec3 ){ p.x + p.z * ( t - t * t / 2 ), p.y, p.z };
}

// @param segments  2 or 1, so that the top of the parabola is at an end
static inline bvb_clip* swaying_clip( fixture* f, const bvb_mesh* mesh, uint32_t samples, uint32_t segments )
{
	bvb_clip* clip = bvb_arena_allocate( f->arena, 1, sizeof *clip );
	uint32_t count = mesh->vertex_count;
	*clip = ( bvb_clip ){ "sw\xc3\xa1y", 0, 2, samples, segments, count, NULL, NULL };
	clip->frames = bvb_arena_allocate( f->arena, (size_t)samples * count, sizeof *clip->frames );
	clip->swept = bvb_arena_allocate( f->arena, (size_t)segments * count, sizeof *clip->swept );
	for ( uint32_t v = 0; v < count; ++v )
	{
		bv_vec3 p = mesh->positions[v];
		for ( uint32_t s = 0; s < samples; ++s )
		{
			clip->frames[s * count + v] = swaying( p, bvb_clip_time( clip, s ) );
		}
		for ( uint32_t s = 0; s < segments; ++s )
		{
			bv_vec3 a = swaying( p, 0 );
			bv_vec3 b = swaying( p, 1 );
			clip->swept[s * count + v] =
				( bv_aabb ){ { a.x < b.x ? a.x : b.x, p.y, p.z }, { a.x < b.x ? b.x : a.x, p.y, p.z } };
		}
	}
	return clip;
}
