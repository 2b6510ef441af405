// A closed mesh has none but corners of the cell. What is inside of an open one also ends at films over its openings, and where
// an edge of the cell passes through a film there is one.

#include "decompose/inner.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "decompose/search.h"

#include <math.h>

// An edge of a cell.
typedef struct edge
{
	bv_vec3 from;
	bv_vec3 to;
} edge;

static bv_vec3 point_on( const edge* e, double share )
{
	return bv_add( e->from, bv_scale( share, bv_sub( e->to, e->from ) ) );
}

// Where an edge passes through a film between a place outside and one inside. Returns whether it does.
static bool find_film( const bvb_field* f, const edge* e, double outside, double inside, bv_vec3* out )
{
	enum
	{
		halvings = 10,
	};
	if ( !bvb_field_is_near_film( f, point_on( e, inside ) ) )
	{
		return false;
	}
	for ( int i = 0; i < halvings; ++i )
	{
		double middle = 0.5 * ( outside + inside );
		bool in = bvb_field_at( f, point_on( e, middle ) ) < 0;
		inside = in ? middle : inside;
		outside = in ? outside : middle;
	}
	*out = point_on( e, inside );
	return true;
}

// Looks along an edge in steps as long as the grid's for the first place that is inside.
static bool find_first( const bvb_field* f, const edge* e, bv_vec3* out )
{
	bv_vec3 d = bv_sub( e->to, e->from );
	uint32_t steps = (uint32_t)ceil( sqrt( bv_dot( d, d ) ) / f->step );
	for ( uint32_t i = 0; i <= steps && steps > 0; ++i )
	{
		double share = (double)i / steps;
		if ( bvb_field_at( f, point_on( e, share ) ) < 0 )
		{
			return i > 0 && find_film( f, e, share - 1.0 / steps, share, out );
		}
	}
	return false;
}

static void find_films( const bvb_field* f, bvb_piece* piece )
{
	const bvb_polytope* cell = &piece->cell;
	for ( uint32_t face = 0; face < cell->face_count; ++face )
	{
		uint32_t first = cell->first[face];
		uint32_t length = cell->first[face + 1] - first;
		for ( uint32_t k = 0; k < length; ++k )
		{
			// Two faces meet at it, and run along it in opposite directions.
			edge e = { cell->corners[cell->loops[first + k]],
				       cell->corners[cell->loops[first + ( k + 1 ) % length]] };
			bv_vec3 at;
			if ( find_first( f, &e, &at ) )
			{
				piece->inner[piece->inner_count++] = at;
				++piece->film_count;
			}
		}
	}
}

bv_status bvb_find_inner_corners( const bvb_field* f, bvb_piece* piece, bvb_arena* arena )
{
	const bvb_polytope* cell = &piece->cell;
	uint32_t edges = f->near_film ? cell->first[cell->face_count] : 0;
	piece->inner = bvb_arena_allocate( arena, (size_t)cell->corner_count + edges, sizeof *piece->inner );
	piece->inner_count = piece->film_count = 0;
	if ( !piece->inner )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		if ( bvb_field_at( f, bvb_polytope_beside( cell, i, BVB_ON_PLANE ) ) < 0 )
		{
			piece->inner[piece->inner_count++] = cell->corners[i];
		}
	}
	if ( f->near_film )
	{
		find_films( f, piece );
	}
	return bv_ok;
}
