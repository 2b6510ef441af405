// The corners of what a cell holds of the shape that are on no triangle. What is inside is where the
// generalized winding number is at least 1/2 (Jacobson, Kavan, Sorkine-Hornung 2013).
//
// A closed mesh has none but corners of the cell. What is inside of an open one also ends at films over its
// openings: where an edge of the cell passes through a film there is one, and films that are curved have
// more, of which those next to the grid's edges are known.

#include "offline/decompose/inner.h"

#include "offline/base/arena.h"
#include "offline/decompose/search.h" // BVDECOMP_ON_PLANE
#include "runtime/math/vec.h"

#include <math.h>

// An edge of a cell.
typedef struct inner_edge
{
	bv_vec3 from;
	bv_vec3 to;
} inner_edge;

static bv_vec3 point_on( const inner_edge* e, double share )
{
	return bv_add( e->from, bv_scale( share, bv_sub( e->to, e->from ) ) );
}

// Where an edge passes through a film between a place outside and one inside. Returns whether it does.
static bool find_film( const bvdecomp_field* f, const inner_edge* e, double outside, double inside,
                       bv_vec3* out )
{
	enum
	{
		halvings = 10,
	};
	if ( !bvdecomp_field_is_near_film( f, point_on( e, inside ) ) )
	{
		return false;
	}
	for ( int i = 0; i < halvings; ++i )
	{
		double middle = 0.5 * ( outside + inside );
		bool in = bvdecomp_field_at( f, point_on( e, middle ) ) < 0;
		inside = in ? middle : inside;
		outside = in ? outside : middle;
	}
	*out = point_on( e, inside );
	return true;
}

// Looks along an edge in steps as long as the grid's for the first place that is inside.
static bool find_first( const bvdecomp_field* f, const inner_edge* e, bv_vec3* out )
{
	bv_vec3 d = bv_sub( e->to, e->from );
	uint32_t steps = (uint32_t)ceil( sqrt( bv_dot( d, d ) ) / f->step );
	for ( uint32_t i = 0; i <= steps && steps > 0; ++i )
	{
		double share = (double)i / steps;
		if ( bvdecomp_field_at( f, point_on( e, share ) ) < 0 )
		{
			return i > 0 && find_film( f, e, share - 1.0 / steps, share, out );
		}
	}
	return false;
}

static void find_films( const bvdecomp_field* f, bvdecomp_piece* piece )
{
	const bvconvex_polytope* cell = &piece->cell;
	for ( uint32_t face = 0; face < cell->face_count; ++face )
	{
		uint32_t first = cell->first[face];
		uint32_t length = cell->first[face + 1] - first;
		for ( uint32_t k = 0; k < length; ++k )
		{
			// Two faces meet at it, and run along it in opposite directions.
			inner_edge e = { cell->corners[cell->loops[first + k]],
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

// The plane of a face, the cell below it.
static bvdecomp_plane plane_of( const bvconvex_polytope* cell, uint32_t face, bv_vec3 middle )
{
	const uint32_t* loop = cell->loops + cell->first[face];
	uint32_t length = cell->first[face + 1] - cell->first[face];
	bv_vec3 from = cell->corners[loop[0]];
	bv_vec3 normal = { 0, 0, 0 };
	for ( uint32_t k = 2; k < length; ++k )
	{
		normal = bv_add( normal, bv_cross( bv_sub( cell->corners[loop[k - 1]], from ),
		                                   bv_sub( cell->corners[loop[k]], from ) ) );
	}
	double side = bv_dot( normal, bv_sub( middle, from ) ) > 0 ? -1 : 1;
	normal = bv_scale( side, normal );
	return ( bvdecomp_plane ){ normal, bv_dot( normal, from ) };
}

// Those points of films that are in the cell, as far as they are corners of their hull.
static bv_status find_points_of_films( const bvdecomp_field* f, bvdecomp_piece* piece, double roughness,
                                       bvhull_rough* rough, bvb_arena* arena, bv_vec3** out, uint32_t* count )
{
	const bvconvex_polytope* cell = &piece->cell;
	bvdecomp_plane* planes = bvb_arena_allocate( arena, cell->face_count, sizeof *planes );
	if ( !planes )
	{
		return bv_error_memory;
	}
	bv_vec3 middle = bvdecomp_polytope_middle( cell );
	for ( uint32_t face = 0; face < cell->face_count; ++face )
	{
		planes[face] = plane_of( cell, face, middle );
	}
	bvhull_rough_clear( rough );
	for ( uint32_t i = 0; i < f->film_count; ++i )
	{
		bool in = true;
		for ( uint32_t face = 0; face < cell->face_count && in; ++face )
		{
			in = bv_dot( planes[face].normal, f->film[i] ) <= planes[face].offset;
		}
		if ( in )
		{
			bvhull_rough_add( rough, f->film[i] );
		}
	}
	if ( rough->point_count > 0 )
	{
		bvhull_rough_hull( rough, roughness );
		*out = rough->failed ? NULL : bvhull_rough_corners( rough, arena, count );
	}
	return *out || rough->point_count == 0 ? bv_ok : bv_error_memory;
}

bv_status bvdecomp_find_inner_corners( const bvdecomp_field* f, bvdecomp_piece* piece, double roughness,
                                       bvhull_rough* rough, bvb_arena* arena )
{
	const bvconvex_polytope* cell = &piece->cell;
	uint32_t edges = f->film_rings ? cell->first[cell->face_count] : 0;
	bv_vec3* film = NULL;
	uint32_t film_count = 0;
	bv_status status =
		f->film_rings ? find_points_of_films( f, piece, roughness, rough, arena, &film, &film_count ) : bv_ok;
	size_t most = (size_t)cell->corner_count + edges + film_count;
	piece->inner = status == bv_ok ? bvb_arena_allocate( arena, most, sizeof *piece->inner ) : NULL;
	piece->inner_count = piece->film_count = 0;
	if ( !piece->inner )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < cell->corner_count; ++i )
	{
		if ( bvdecomp_field_at( f, bvdecomp_polytope_beside( cell, i, BVDECOMP_ON_PLANE ) ) < 0 )
		{
			piece->inner[piece->inner_count++] = cell->corners[i];
		}
	}
	if ( f->film_rings )
	{
		find_films( f, piece );
	}
	for ( uint32_t i = 0; i < film_count; ++i )
	{
		piece->inner[piece->inner_count++] = film[i];
		++piece->film_count;
	}
	return bv_ok;
}
