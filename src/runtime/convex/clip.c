// Cuts convex polyhedra by planes. See clip.h.

#include "runtime/convex/clip.h"

#include "runtime/math/vec.h"

static const uint32_t none = UINT32_MAX;

static uint32_t find_crossing( const bvconvex_clip* c, uint32_t below, uint32_t above )
{
	uint32_t i = 0;
	while ( i < c->count && ( c->crossing[i].below != below || c->crossing[i].above != above ) )
	{
		++i;
	}
	return i;
}

static bool is_above( const double* height, uint32_t corner )
{
	return height[corner] > 0;
}

// @return where the walk round a face begins: at its first corner, or at the first that is on a side of the
//         plane
static uint32_t start_of( const bvconvex_clip* c, const uint32_t* loop, uint32_t length, const double* height,
                          bool above )
{
	uint32_t start = 0;
	while ( c->order == bvconvex_clip_with_old && start < length && is_above( height, loop[start] ) != above )
	{
		++start;
	}
	return start;
}

static bool add_crossing( bvconvex_clip* c, const bvconvex_polytope* whole, const double* height,
                          uint32_t below, uint32_t above, uint32_t* index )
{
	*index = find_crossing( c, below, above );
	if ( *index == c->count )
	{
		if ( c->count == c->most )
		{
			return false;
		}
		double t = height[below] / ( height[below] - height[above] );
		bv_vec3 from = whole->corners[below];
		bv_vec3 at = bv_add( from, bv_scale( t, bv_sub( whole->corners[above], from ) ) );
		c->crossing[c->count++] =
			( bvconvex_crossing ){ .at = at, .below = below, .above = above, .next = none };
	}
	return true;
}

// Where the face goes up through the plane and where it comes down again it has a new side, which the new
// face has the other way round.
// @param up  receives the last crossing upwards, if there is one
static bool cross_face( bvconvex_clip* c, const bvconvex_polytope* whole, const double* height, uint32_t face,
                        uint32_t* up )
{
	const uint32_t* loop = whole->loops + whole->first[face];
	uint32_t length = whole->first[face + 1] - whole->first[face];
	uint32_t start = start_of( c, loop, length, height, false );
	uint32_t first_down = none;
	uint32_t changes = 0;
	*up = none;
	for ( uint32_t k = 0; k < length && start < length; ++k )
	{
		uint32_t a = loop[( start + k ) % length];
		uint32_t b = loop[( start + k + 1 ) % length];
		bool rises = is_above( height, b );
		uint32_t index;
		if ( is_above( height, a ) == rises )
		{
			continue;
		}
		if ( !add_crossing( c, whole, height, rises ? a : b, rises ? b : a, &index ) )
		{
			return false;
		}
		changes += 1;
		if ( rises )
		{
			*up = index;
		}
		else if ( *up != none )
		{
			c->crossing[index].next = *up;
		}
		else
		{
			first_down = index;
		}
	}
	if ( first_down != none )
	{
		c->crossing[first_down].next = *up;
	}
	c->plain = c->plain && changes <= 2;
	return true;
}

// Lists a new face. Each crossing has one successor, so that they are loops.
// @return how many crossings are listed then
static uint32_t list_ring( bvconvex_clip* c, uint32_t start, uint32_t listed )
{
	uint32_t begun = listed;
	for ( uint32_t at = start; at != none && c->crossing[at].next != none; )
	{
		uint32_t next = c->crossing[at].next;
		c->crossing[listed].ring = at;
		c->crossing[listed++].ends = false;
		c->crossing[at].next = none;
		at = next;
	}
	if ( listed > begun )
	{
		c->crossing[listed - 1].ends = true;
	}
	return listed;
}

bool bvconvex_clip_find( const bvconvex_polytope* whole, const double* height, bvconvex_clip* c )
{
	uint32_t first_up = none;
	c->count = 0;
	c->plain = true;
	for ( uint32_t face = 0; face < whole->face_count; ++face )
	{
		uint32_t up;
		if ( !cross_face( c, whole, height, face, &up ) )
		{
			return false;
		}
		first_up = first_up == none ? up : first_up;
	}
	uint32_t listed = 0;
	if ( c->count > 0 && c->order == bvconvex_clip_as_before )
	{
		listed = list_ring( c, c->crossing[first_up].next, listed );
	}
	else if ( c->count > 0 )
	{
		listed = list_ring( c, 0, listed );
	}
	c->plain = c->plain && c->count >= 3 && listed == c->count;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		listed = list_ring( c, i, listed );
	}
	c->listed = listed;
	return true;
}

// A half while it is being made.
typedef struct clip_maker
{
	bvconvex_polytope* half;
	const bvconvex_polytope_room* room;
	uint32_t sides; // so far
	bool full;
} clip_maker;

static void add_side( clip_maker* m, uint32_t corner )
{
	m->full = m->full || m->sides == m->room->sides;
	if ( !m->full )
	{
		m->half->loops[m->sides++] = corner;
	}
}

static void end_face( clip_maker* m )
{
	bvconvex_polytope* half = m->half;
	if ( m->sides == half->first[half->face_count] )
	{
		return;
	}
	m->full = m->full || half->face_count == m->room->faces;
	if ( !m->full )
	{
		half->first[++half->face_count] = m->sides;
	}
}

static void add_corner( clip_maker* m, bv_vec3 at )
{
	m->full = m->full || m->half->corner_count == m->room->corners;
	if ( !m->full )
	{
		m->half->corners[m->half->corner_count++] = at;
	}
}

static void add_new_faces( clip_maker* m, const bvconvex_clip* c, bool above, uint32_t first_new )
{
	uint32_t begin = 0;
	for ( uint32_t end = 0; end < c->listed; ++end )
	{
		if ( !c->crossing[end].ends )
		{
			continue;
		}
		// Faces of both halves run around them in one sense, so that what closes them must, too.
		for ( uint32_t k = 0; k <= end - begin; ++k )
		{
			add_side( m, first_new + c->crossing[above ? end - k : begin + k].ring );
		}
		end_face( m );
		begin = end + 1;
	}
}

bool bvconvex_clip_half( const bvconvex_polytope* whole, const double* height, const bvconvex_clip* c,
                         bool above, const bvconvex_polytope_room* room, bvconvex_polytope* half )
{
	clip_maker m = { .half = half, .room = room };
	half->corner_count = 0;
	half->face_count = 0;
	half->first[0] = 0;
	for ( uint32_t i = 0; i < whole->corner_count; ++i )
	{
		c->number[i] = half->corner_count;
		if ( is_above( height, i ) == above )
		{
			add_corner( &m, whole->corners[i] );
		}
	}
	uint32_t first_new = half->corner_count;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		add_corner( &m, c->crossing[i].at );
	}
	for ( uint32_t face = 0; face < whole->face_count && !m.full; ++face )
	{
		const uint32_t* loop = whole->loops + whole->first[face];
		uint32_t length = whole->first[face + 1] - whole->first[face];
		uint32_t start = start_of( c, loop, length, height, above );
		for ( uint32_t k = 0; k < length && start < length; ++k )
		{
			uint32_t a = loop[( start + k ) % length];
			uint32_t b = loop[( start + k + 1 ) % length];
			bool rises = is_above( height, b );
			if ( is_above( height, a ) == above )
			{
				add_side( &m, c->number[a] );
			}
			if ( is_above( height, a ) != rises )
			{
				add_side( &m, first_new + find_crossing( c, rises ? a : b, rises ? b : a ) );
			}
		}
		end_face( &m );
	}
	add_new_faces( &m, c, above, first_new );
	return !m.full;
}
