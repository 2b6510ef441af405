// Repair of surfaces that are convex up to rounding. See convex.h.
//
// A closed surface is convex if a point sees the inner side of all its triangles and it has no reflex edge.
// Reflex edges are flipped (Lawson 1977). A vertex with three edges that lies below its neighbors is removed.
// Each of these steps adds a tetrahedron to the solid, so that no step is ever undone. All signs are computed
// in exact arithmetic.

#include "offline/hull/convex.h"

#include "offline/base/exact.h"

#include <math.h>

// A point inside, if the mean of the vertices is: decisions about it are exact, so it may be anywhere.
static bv_vec3 find_center( const bvhull_surface* s )
{
	bv_vec3 sum = { 0 };
	for ( uint32_t v = 0; v < s->vertex_count; ++v )
	{
		sum = bv_add( sum, s->at[v] );
	}
	double at[3] = { sum.x, sum.y, sum.z };
	for ( int k = 0; k < 3; ++k )
	{
		at[k] /= s->vertex_count;
		at[k] = fabs( at[k] ) < 0x1p-280 ? 0 : at[k];
	}
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

static bool sees( const bvhull_surface* s, uint32_t a, uint32_t b, uint32_t c, bv_vec3 center )
{
	return bvbase_orient3d( s->at[a], s->at[b], s->at[c], center ) < 0;
}

static bool is_reflex( const bvhull_surface* s, uint32_t side )
{
	const uint32_t* c = s->face[side / 3].corner;
	uint32_t apex = bvhull_side_origin( s, bvhull_previous_side( s->twin[side] ) );
	return bvbase_orient3d( s->at[c[0]], s->at[c[1]], s->at[c[2]], s->at[apex] ) > 0;
}

static bool is_seen( const bvhull_surface* s, bv_vec3 center )
{
	bool seen = true;
	for ( uint32_t f = 0; f < s->face_count && seen; ++f )
	{
		seen = sees( s, s->face[f].corner[0], s->face[f].corner[1], s->face[f].corner[2], center );
	}
	return seen;
}

static bool has_reflex( const bvhull_surface* s )
{
	bool reflex = false;
	for ( uint32_t side = 0; side < 3 * s->face_count && !reflex; ++side )
	{
		reflex = side < s->twin[side] && is_reflex( s, side );
	}
	return reflex;
}

bool bvhull_is_convex( const bvhull_surface* surface )
{
	return is_seen( surface, find_center( surface ) ) && !has_reflex( surface );
}

// A surface that is worked on. Faces that went have no corners.
typedef struct mender
{
	bvhull_surface* surface;
	bv_vec3 center;
	uint32_t* pending; // sides to look at
	uint32_t count;    // of pending
	bool* is_pending;  // of each side
	uint64_t steps;    // that may still be taken
} mender;

static void push( mender* m, uint32_t side )
{
	uint32_t twin = m->surface->twin[side];
	side = side < twin ? side : twin;
	if ( !m->is_pending[side] )
	{
		m->is_pending[side] = true;
		m->pending[m->count++] = side;
	}
}

static void pair( bvhull_surface* s, uint32_t a, uint32_t b )
{
	s->twin[a] = b;
	s->twin[b] = a;
}

static void set_face( bvhull_surface* s, uint32_t face, uint32_t a, uint32_t b, uint32_t c )
{
	s->face[face] = ( bvb_triangle ){ { a, b, c } };
}

// Whether an edge joins the vertex where a side starts with `other`.
static bool is_joined( const bvhull_surface* s, uint32_t side, uint32_t other )
{
	uint32_t around = side;
	do
	{
		if ( bvhull_side_end( s, around ) == other )
		{
			return true;
		}
		around = s->twin[bvhull_previous_side( around )];
	} while ( around != side );
	return false;
}

// Turns the edge between two triangles round, if what comes out can still be seen from the center.
static bool flip( mender* m, uint32_t side )
{
	bvhull_surface* s = m->surface;
	uint32_t other = s->twin[side];
	uint32_t u = bvhull_side_origin( s, side );
	uint32_t v = bvhull_side_origin( s, other );
	uint32_t c = bvhull_side_origin( s, bvhull_previous_side( side ) );
	uint32_t d = bvhull_side_origin( s, bvhull_previous_side( other ) );
	if ( is_joined( s, bvhull_previous_side( side ), d ) || !sees( s, u, d, c, m->center ) ||
	     !sees( s, d, v, c, m->center ) )
	{
		return false;
	}
	uint32_t vc = s->twin[bvhull_next_side( side )];
	uint32_t cu = s->twin[bvhull_previous_side( side )];
	uint32_t ud = s->twin[bvhull_next_side( other )];
	uint32_t dv = s->twin[bvhull_previous_side( other )];
	uint32_t f = 3 * ( side / 3 );
	uint32_t g = 3 * ( other / 3 );
	set_face( s, side / 3, u, d, c );
	set_face( s, other / 3, d, v, c );
	pair( s, f, ud );
	pair( s, f + 1, g + 2 );
	pair( s, f + 2, cu );
	pair( s, g, dv );
	pair( s, g + 1, vc );
	push( m, ud );
	push( m, cu );
	push( m, dv );
	push( m, vc );
	return true;
}

// Takes out the vertex where `side` starts, if it has three edges.
static bool take_out( mender* m, uint32_t side )
{
	bvhull_surface* s = m->surface;
	uint32_t second = s->twin[bvhull_previous_side( side )];
	uint32_t third = s->twin[bvhull_previous_side( second )];
	if ( s->twin[bvhull_previous_side( third )] != side )
	{
		return false;
	}
	uint32_t a = bvhull_side_end( s, side );
	uint32_t b = bvhull_side_end( s, second );
	uint32_t c = bvhull_side_end( s, third );
	uint32_t ab = s->twin[bvhull_next_side( side )];
	uint32_t bc = s->twin[bvhull_next_side( second )];
	uint32_t ca = s->twin[bvhull_next_side( third )];
	if ( !sees( s, a, b, c, m->center ) )
	{
		return false;
	}
	uint32_t f = 3 * ( side / 3 );
	set_face( s, second / 3, BVHULL_NONE, BVHULL_NONE, BVHULL_NONE );
	set_face( s, third / 3, BVHULL_NONE, BVHULL_NONE, BVHULL_NONE );
	set_face( s, side / 3, a, b, c );
	pair( s, f, ab );
	pair( s, f + 1, bc );
	pair( s, f + 2, ca );
	push( m, ab );
	push( m, bc );
	push( m, ca );
	return true;
}

static bool is_gone( const bvhull_surface* s, uint32_t face )
{
	return s->face[face].corner[0] == BVHULL_NONE;
}

static void mend( mender* m )
{
	bvhull_surface* s = m->surface;
	while ( m->count > 0 && m->steps > 0 )
	{
		uint32_t side = m->pending[--m->count];
		m->is_pending[side] = false;
		if ( !is_gone( s, side / 3 ) && is_reflex( s, side ) )
		{
			m->steps -= 1;
			if ( !flip( m, side ) && !take_out( m, side ) )
			{
				take_out( m, s->twin[side] );
			}
		}
	}
}

// Moves the faces that are left together.
static bool close_gaps( bvhull_surface* s, bvb_arena* arena )
{
	uint32_t* number = bvb_arena_allocate( arena, s->face_count, sizeof *number );
	if ( !number )
	{
		return false;
	}
	uint32_t count = 0;
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		number[f] = is_gone( s, f ) ? BVHULL_NONE : count++;
	}
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		for ( uint32_t k = 0; k < 3 && number[f] != BVHULL_NONE; ++k )
		{
			uint32_t twin = s->twin[3 * f + k];
			s->face[number[f]].corner[k] = s->face[f].corner[k];
			s->twin[3 * number[f] + k] = 3 * number[twin / 3] + twin % 3;
		}
	}
	s->face_count = count;
	bvhull_sort_sides( s );
	return true;
}

bool bvhull_make_convex( bvhull_surface* surface, bvb_arena* arena, bool* convex )
{
	mender m = { .surface = surface, .center = find_center( surface ) };
	uint32_t sides = 3 * surface->face_count;
	m.pending = bvb_arena_allocate( arena, sides, sizeof *m.pending );
	m.is_pending = bvb_arena_allocate( arena, sides, sizeof *m.is_pending );
	m.steps = 16 * (uint64_t)surface->face_count;
	if ( !m.pending || !m.is_pending )
	{
		return false;
	}
	*convex = is_seen( surface, m.center );
	if ( !*convex )
	{
		return true;
	}
	for ( uint32_t side = 0; side < sides; ++side )
	{
		if ( side < surface->twin[side] && is_reflex( surface, side ) )
		{
			push( &m, side );
		}
	}
	mend( &m );
	if ( !close_gaps( surface, arena ) )
	{
		return false;
	}
	*convex = !has_reflex( surface );
	return true;
}
