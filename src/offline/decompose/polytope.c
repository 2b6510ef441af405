// See polytope.h, and runtime/convex/clip.h for how cells are cut.

#include "offline/decompose/polytope.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

bv_status bvdecomp_polytope_of_box( bv_vec3 low, bv_vec3 high, bvb_arena* arena, bvconvex_polytope* out )
{
	static const uint32_t loops[24] = {
		0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6
	};
	out->corners = bvb_arena_allocate( arena, 8, sizeof *out->corners );
	out->loops = bvb_arena_allocate( arena, 24, sizeof *out->loops );
	out->first = bvb_arena_allocate( arena, 7, sizeof *out->first );
	if ( !out->corners || !out->loops || !out->first )
	{
		return bv_error_memory;
	}
	out->corner_count = 8;
	out->face_count = 6;
	memcpy( out->loops, loops, sizeof loops );
	for ( uint32_t i = 0; i < 7; ++i )
	{
		out->first[i] = 4 * i;
	}
	for ( uint32_t i = 0; i < 8; ++i )
	{
		out->corners[i] =
			( bv_vec3 ){ i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z };
	}
	return bv_ok;
}

static bool allocate_half( const bvconvex_polytope_room* room, bvb_arena* arena, bvconvex_polytope* out )
{
	out->corners = bvb_arena_allocate( arena, room->corners, sizeof *out->corners );
	out->loops = bvb_arena_allocate( arena, room->sides, sizeof *out->loops );
	out->first = bvb_arena_allocate( arena, (size_t)room->faces + 1, sizeof *out->first );
	return out->corners && out->loops && out->first;
}

bv_status bvdecomp_polytope_cut( const bvconvex_polytope* cell, const bvdecomp_plane* plane,
                                 bvb_arena* below_arena, bvb_arena* above_arena, bvconvex_polytope* below,
                                 bvconvex_polytope* above, bool* parted )
{
	uint32_t sides = cell->first[cell->face_count];
	double* height = bvb_arena_allocate( below_arena, cell->corner_count, sizeof *height );
	bvconvex_clip clip = {
		.order = bvconvex_clip_as_before,
		.crossing = bvb_arena_allocate( below_arena, sides, sizeof *clip.crossing ),
		.most = sides,
		.number = bvb_arena_allocate( below_arena, cell->corner_count, sizeof *clip.number ),
	};
	*parted = false;
	if ( !height || !clip.crossing || !clip.number )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		height[i] = bv_dot( plane->normal, cell->corners[i] ) - plane->offset;
	}
	if ( !bvconvex_clip_find( cell, height, &clip ) || !clip.plain )
	{
		return bv_ok;
	}
	const bvconvex_polytope_room room = { cell->corner_count + clip.count, sides + 3 * clip.count,
		                                  cell->face_count + 1 };
	if ( !allocate_half( &room, below_arena, below ) || !allocate_half( &room, above_arena, above ) )
	{
		return bv_error_memory;
	}
	*parted = bvconvex_clip_half( cell, height, &clip, false, &room, below ) &&
	          bvconvex_clip_half( cell, height, &clip, true, &room, above );
	return bv_ok;
}

bv_vec3 bvdecomp_polytope_middle( const bvconvex_polytope* cell )
{
	bv_vec3 middle = { 0 };
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		middle = bv_add( middle, bv_scale( 1.0 / cell->corner_count, cell->corners[i] ) );
	}
	return middle;
}

bv_vec3 bvdecomp_polytope_beside( const bvconvex_polytope* cell, uint32_t corner, double way )
{
	bv_vec3 middle = bvdecomp_polytope_middle( cell );
	bv_vec3 d = bv_sub( middle, cell->corners[corner] );
	double length = sqrt( bv_dot( d, d ) );
	return length > way ? bv_add( cell->corners[corner], bv_scale( way / length, d ) ) : middle;
}
