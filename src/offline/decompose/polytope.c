// A face is cut where its corners change sides, which each happens once or not at all; the new corners of all faces, joined up,
// are the face that both halves get.

#include "offline/decompose/polytope.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

bv_status bvdecomp_polytope_of_box( bv_vec3 low, bv_vec3 high, bvb_arena* arena, bvdecomp_polytope* out )
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

// One half while it is being made. Corners keep the order of the whole's, new ones follow.
typedef struct half
{
	bvdecomp_polytope* cell;
	uint32_t* number; // of the whole's corners; UINT32_MAX for those on the other side
	uint32_t length;  // of cell->loops
} half;

// The sides that are cut, each with the number of its new corner.
typedef struct cuts
{
	uint32_t ( *side )[2]; // corner below, corner above
	bv_vec3* at;
	uint32_t count;
	uint32_t ( *link )[2]; // in each cut face: from where it comes up to where it goes down
	uint32_t link_count;
} cuts;

static uint32_t find_cut( cuts* c, const bvdecomp_polytope* cell, const double* height, uint32_t below,
                          uint32_t above )
{
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		if ( c->side[i][0] == below && c->side[i][1] == above )
		{
			return i;
		}
	}
	c->side[c->count][0] = below;
	c->side[c->count][1] = above;
	double t = height[below] / ( height[below] - height[above] );
	bv_vec3 from = cell->corners[below];
	c->at[c->count] = bv_add( from, bv_scale( t, bv_sub( cell->corners[above], from ) ) );
	return c->count++;
}

static bool find_cuts( cuts* c, const bvdecomp_polytope* cell, const double* height )
{
	for ( uint32_t f = 0; f < cell->face_count; ++f )
	{
		uint32_t first = cell->first[f];
		uint32_t length = cell->first[f + 1] - first;
		uint32_t up = UINT32_MAX;
		uint32_t down = UINT32_MAX;
		for ( uint32_t k = 0; k < length; ++k )
		{
			uint32_t a = cell->loops[first + k];
			uint32_t b = cell->loops[first + ( k + 1 ) % length];
			if ( ( height[a] > 0 ) == ( height[b] > 0 ) )
			{
				continue;
			}
			bool rises = height[b] > 0;
			uint32_t* end = rises ? &up : &down;
			if ( *end != UINT32_MAX )
			{
				return false;
			}
			*end = rises ? find_cut( c, cell, height, a, b ) : find_cut( c, cell, height, b, a );
		}
		if ( up != UINT32_MAX )
		{
			c->link[c->link_count][0] = up;
			c->link[c->link_count++][1] = down;
		}
	}
	return c->link_count == c->count && c->count >= 3;
}

// The new face, as numbers of cuts: each cut is where one link begins and another ends.
static bool order_cuts( const cuts* c, uint32_t* loop )
{
	uint32_t at = 0;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		loop[i] = c->link[at][0];
		uint32_t end = c->link[at][1];
		at = UINT32_MAX;
		for ( uint32_t k = 0; k < c->link_count; ++k )
		{
			at = c->link[k][0] == end ? k : at;
		}
		if ( at == UINT32_MAX || ( at == 0 ) != ( i + 1 == c->count ) )
		{
			return false;
		}
	}
	return true;
}

static bool prepare_half( half* h, const bvdecomp_polytope* cell, uint32_t new_count, bvb_arena* arena )
{
	uint32_t corners = cell->corner_count + new_count;
	uint32_t length = cell->first[cell->face_count] + 3 * new_count;
	h->number = bvb_arena_allocate( arena, cell->corner_count, sizeof *h->number );
	h->cell->corners = bvb_arena_allocate( arena, corners, sizeof *h->cell->corners );
	h->cell->loops = bvb_arena_allocate( arena, length, sizeof *h->cell->loops );
	h->cell->first = bvb_arena_allocate( arena, cell->face_count + 2, sizeof *h->cell->first );
	h->cell->corner_count = 0;
	h->cell->face_count = 0;
	return h->number && h->cell->corners && h->cell->loops && h->cell->first;
}

static void end_face( half* h )
{
	h->cell->first[h->cell->face_count] = h->length;
}

static void fill_half( half* h, const bvdecomp_polytope* cell, const double* height, bool is_above, cuts* c,
                       const uint32_t* loop )
{
	bvdecomp_polytope* out = h->cell;
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		bool mine = ( height[i] > 0 ) == is_above;
		h->number[i] = mine ? out->corner_count : UINT32_MAX;
		if ( mine )
		{
			out->corners[out->corner_count++] = cell->corners[i];
		}
	}
	uint32_t first_new = out->corner_count;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		out->corners[out->corner_count++] = c->at[i];
	}
	for ( uint32_t f = 0; f < cell->face_count; ++f )
	{
		uint32_t first = cell->first[f];
		uint32_t length = cell->first[f + 1] - first;
		uint32_t before = h->length;
		for ( uint32_t k = 0; k < length; ++k )
		{
			uint32_t a = cell->loops[first + k];
			uint32_t b = cell->loops[first + ( k + 1 ) % length];
			if ( h->number[a] != UINT32_MAX )
			{
				out->loops[h->length++] = h->number[a];
			}
			if ( ( h->number[a] == UINT32_MAX ) != ( h->number[b] == UINT32_MAX ) )
			{
				uint32_t below = height[a] > 0 ? b : a;
				uint32_t above = height[a] > 0 ? a : b;
				out->loops[h->length++] = first_new + find_cut( c, cell, height, below, above );
			}
		}
		if ( h->length > before )
		{
			++out->face_count;
			end_face( h );
		}
	}
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		// Faces of both halves run around them in one sense, so that what closes them must, too.
		out->loops[h->length++] = first_new + loop[is_above ? i : c->count - 1 - i];
	}
	++out->face_count;
	end_face( h );
}

bv_status bvdecomp_polytope_cut( const bvdecomp_polytope* cell, const bvdecomp_plane* plane,
                                 bvb_arena* below_arena, bvb_arena* above_arena, bvdecomp_polytope* below,
                                 bvdecomp_polytope* above, bool* parted )
{
	uint32_t sides = cell->first[cell->face_count];
	double* height = bvb_arena_allocate( below_arena, cell->corner_count, sizeof *height );
	uint32_t* loop = bvb_arena_allocate( below_arena, sides, sizeof *loop );
	cuts c = {
		.side = bvb_arena_allocate( below_arena, sides, sizeof *c.side ),
		.at = bvb_arena_allocate( below_arena, sides, sizeof *c.at ),
		.link = bvb_arena_allocate( below_arena, cell->face_count, sizeof *c.link ),
	};
	*parted = false;
	if ( !height || !loop || !c.side || !c.at || !c.link )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		height[i] = bv_dot( plane->normal, cell->corners[i] ) - plane->offset;
	}
	if ( !find_cuts( &c, cell, height ) || !order_cuts( &c, loop ) )
	{
		return bv_ok;
	}
	half low = { .cell = below };
	half high = { .cell = above };
	if ( !prepare_half( &low, cell, c.count, below_arena ) ||
	     !prepare_half( &high, cell, c.count, above_arena ) )
	{
		return bv_error_memory;
	}
	fill_half( &low, cell, height, false, &c, loop );
	fill_half( &high, cell, height, true, &c, loop );
	*parted = true;
	return bv_ok;
}

bv_vec3 bvdecomp_polytope_middle( const bvdecomp_polytope* cell )
{
	bv_vec3 middle = { 0 };
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		middle = bv_add( middle, bv_scale( 1.0 / cell->corner_count, cell->corners[i] ) );
	}
	return middle;
}

bv_vec3 bvdecomp_polytope_beside( const bvdecomp_polytope* cell, uint32_t corner, double way )
{
	bv_vec3 middle = bvdecomp_polytope_middle( cell );
	bv_vec3 d = bv_sub( middle, cell->corners[corner] );
	double length = sqrt( bv_dot( d, d ) );
	return length > way ? bv_add( cell->corners[corner], bv_scale( way / length, d ) ) : middle;
}
