// Clipping of triangles by a plane (Sutherland, Hodgman 1974), with corners shared.

#include "offline/decompose/piece.h"

#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <string.h>

bv_vec3 bvdecomp_plane_crossing( const bvdecomp_plane* plane, bv_vec3 below, bv_vec3 above )
{
	double low = bv_dot( plane->normal, below ) - plane->offset;
	double high = bv_dot( plane->normal, above ) - plane->offset;
	return bv_add( below, bv_scale( low / ( low - high ), bv_sub( above, below ) ) );
}

// Fills piece->edges, in order.
static bv_status find_edges( bvdecomp_piece* piece, bvb_arena* arena )
{
	uint32_t sides = 3 * piece->triangle_count;
	uint32_t* end = bvb_arena_allocate( arena, (size_t)piece->point_count + 1, sizeof *end );
	uint32_t* greater = bvb_arena_allocate( arena, sides, sizeof *greater );
	if ( !end || !greater )
	{
		return bv_error_memory;
	}
	for ( uint32_t h = 0; h < sides; ++h )
	{
		const uint32_t* corner = piece->triangles[h / 3].corner;
		uint32_t a = corner[h % 3];
		uint32_t b = corner[( h + 1 ) % 3];
		++end[( a < b ? a : b ) + 1];
	}
	for ( uint32_t p = 0; p < piece->point_count; ++p )
	{
		end[p + 1] += end[p];
	}

	// Where a point's edges are moves on to where the next one's are while they are put there.
	for ( uint32_t h = 0; h < sides; ++h )
	{
		const uint32_t* corner = piece->triangles[h / 3].corner;
		uint32_t a = corner[h % 3];
		uint32_t b = corner[( h + 1 ) % 3];
		greater[end[a < b ? a : b]++] = a < b ? b : a;
	}
	uint32_t kept = 0;
	for ( uint32_t p = 0, first = 0; p < piece->point_count; ++p )
	{
		uint32_t last = end[p];
		uint32_t count = bvbase_sort_unique( greater + first, last - first );
		memmove( greater + kept, greater + first, count * sizeof *greater );
		end[p] = kept;
		kept += count;
		first = last;
	}
	piece->edge_count = kept;
	piece->edges = bvb_arena_allocate( arena, kept, sizeof *piece->edges );
	if ( !piece->edges )
	{
		return bv_error_memory;
	}
	for ( uint32_t p = 0; p < piece->point_count; ++p )
	{
		uint32_t next = p + 1 < piece->point_count ? end[p + 1] : kept;
		for ( uint32_t e = end[p]; e < next; ++e )
		{
			piece->edges[e][0] = p;
			piece->edges[e][1] = greater[e];
		}
	}
	return bv_ok;
}

bv_status bvdecomp_piece_of_mesh( const bvb_mesh* mesh, bv_vec3 center, double reach, bvb_arena* arena,
                                  bvdecomp_piece* out )
{
	bv_vec3 wide = { reach, reach, reach };
	*out = ( bvdecomp_piece ){
		.points = mesh->positions,
		.vertex = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *out->vertex ),
		.point_count = mesh->vertex_count,
		.triangles = mesh->triangles,
		.triangle_count = mesh->triangle_count,
		.source = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->source ),
	};
	if ( !out->vertex || !out->source )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		out->vertex[i] = i;
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		out->source[t] = t;
	}
	bv_status status =
		bvdecomp_polytope_of_box( bv_sub( center, wide ), bv_add( center, wide ), arena, &out->cell );
	return status == bv_ok ? find_edges( out, arena ) : status;
}

static bool copy( bvb_arena* arena, const void* from, uint32_t count, size_t size, void* to )
{
	void* made = bvb_arena_allocate( arena, count, size );
	if ( made && count > 0 )
	{
		memcpy( made, from, count * size );
	}
	memcpy( to, &made, sizeof made );
	return made;
}

bv_status bvdecomp_piece_copy( const bvdecomp_piece* piece, bvb_arena* arena, bvdecomp_piece* out )
{
	*out = *piece;
	const bvconvex_polytope* cell = &piece->cell;
	bool good =
		copy( arena, piece->points, piece->point_count, sizeof *piece->points, &out->points ) &&
		copy( arena, piece->vertex, piece->point_count, sizeof *piece->vertex, &out->vertex ) &&
		copy( arena, piece->triangles, piece->triangle_count, sizeof *piece->triangles, &out->triangles ) &&
		copy( arena, piece->source, piece->triangle_count, sizeof *piece->source, &out->source ) &&
		copy( arena, piece->edges, piece->edge_count, sizeof *piece->edges, &out->edges ) &&
		copy( arena, cell->corners, cell->corner_count, sizeof *cell->corners, &out->cell.corners ) &&
		copy( arena, cell->loops, cell->first[cell->face_count], sizeof *cell->loops, &out->cell.loops ) &&
		copy( arena, cell->first, cell->face_count + 1, sizeof *cell->first, &out->cell.first );
	return good ? bv_ok : bv_error_memory;
}

// One half while it is being made.
typedef struct piece_half
{
	bvdecomp_piece* piece;
	bvdecomp_side side;
	uint32_t* number;  // of the whole's points, plus 1; 0 for those that are not in it yet
	uint32_t* crossed; // of the whole's edges: the new point on it, plus 1
} piece_half;

// The edges of the whole, to be found by their ends: those from the lesser point are in order.
typedef struct edge_finder
{
	const bvdecomp_piece* piece;
	uint32_t* first; // of each point, its first edge as the lesser one
} edge_finder;

static bool make_finder( edge_finder* f, const bvdecomp_piece* piece, bvb_arena* arena )
{
	f->piece = piece;
	f->first = bvb_arena_allocate( arena, (size_t)piece->point_count + 1, sizeof *f->first );
	uint32_t edge = 0;
	for ( uint32_t p = 0; f->first && p <= piece->point_count; ++p )
	{
		while ( edge < piece->edge_count && piece->edges[edge][0] < p )
		{
			++edge;
		}
		f->first[p] = edge;
	}
	return f->first;
}

static uint32_t find_edge( const edge_finder* f, uint32_t a, uint32_t b )
{
	uint32_t low = a < b ? a : b;
	uint32_t high = a < b ? b : a;
	uint32_t edge = f->first[low];
	while ( f->piece->edges[edge][1] != high )
	{
		++edge;
	}
	return edge;
}

static uint32_t take_point( piece_half* h, uint32_t* number, bv_vec3 at, uint32_t vertex )
{
	if ( *number == 0 )
	{
		h->piece->vertex[h->piece->point_count] = vertex;
		h->piece->points[h->piece->point_count++] = at;
		*number = h->piece->point_count;
	}
	return *number - 1;
}

static void add_triangle( piece_half* h, uint32_t a, uint32_t b, uint32_t c, uint32_t source )
{
	h->piece->triangles[h->piece->triangle_count] = ( bvb_triangle ){ { a, b, c } };
	h->piece->source[h->piece->triangle_count++] = source;
}

static void clip_triangle( piece_half* h, const edge_finder* f, const bvdecomp_plane* plane,
                           const uint8_t* side, uint32_t triangle )
{
	const bvdecomp_piece* whole = f->piece;
	const uint32_t* corner = whole->triangles[triangle].corner;
	uint32_t polygon[4];
	uint32_t count = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t a = corner[k];
		uint32_t b = corner[( k + 1 ) % 3];
		if ( side[a] & h->side )
		{
			polygon[count++] = take_point( h, &h->number[a], whole->points[a], whole->vertex[a] );
		}
		if ( ( side[a] | side[b] ) == bvdecomp_side_on && side[a] != bvdecomp_side_on &&
		     side[b] != bvdecomp_side_on )
		{
			uint32_t below = side[a] == bvdecomp_side_below ? a : b;
			uint32_t above = side[a] == bvdecomp_side_below ? b : a;
			bv_vec3 at = bvdecomp_plane_crossing( plane, whole->points[below], whole->points[above] );
			polygon[count++] = take_point( h, &h->crossed[find_edge( f, a, b )], at, UINT32_MAX );
		}
	}
	for ( uint32_t k = 2; k < count; ++k )
	{
		add_triangle( h, polygon[0], polygon[k - 1], polygon[k], whole->source[triangle] );
	}
}

static bool is_behind( const bvdecomp_piece* piece, uint32_t triangle, const bvdecomp_plane* plane,
                       bvdecomp_side side )
{
	const uint32_t* c = piece->triangles[triangle].corner;
	bv_vec3 a = piece->points[c[0]];
	bv_vec3 normal = bv_cross( bv_sub( piece->points[c[1]], a ), bv_sub( piece->points[c[2]], a ) );
	return ( bv_dot( normal, plane->normal ) > 0 ) == ( side == bvdecomp_side_below );
}

static bool has_strictly( const uint8_t* side, const bvb_triangle* triangle, bvdecomp_side wanted )
{
	return side[triangle->corner[0]] == wanted || side[triangle->corner[1]] == wanted ||
	       side[triangle->corner[2]] == wanted;
}

static bool is_on( const uint8_t* side, const bvb_triangle* triangle )
{
	return ( side[triangle->corner[0]] & side[triangle->corner[1]] & side[triangle->corner[2]] ) ==
	       bvdecomp_side_on;
}

static bv_status make_half( piece_half* h, const edge_finder* f, const bvdecomp_plane* plane,
                            const uint8_t* side, bvb_arena* arena )
{
	const bvdecomp_piece* whole = f->piece;
	uint32_t triangles = 0;
	for ( uint32_t t = 0; t < whole->triangle_count; ++t )
	{
		triangles +=
			has_strictly( side, &whole->triangles[t], h->side ) || is_on( side, &whole->triangles[t] );
	}
	size_t points = 3 * (size_t)triangles < whole->point_count + (size_t)whole->edge_count
	                    ? 4 * (size_t)triangles
	                    : whole->point_count + (size_t)whole->edge_count;
	h->number = bvb_arena_allocate( arena, whole->point_count, sizeof *h->number );
	h->crossed = bvb_arena_allocate( arena, whole->edge_count, sizeof *h->crossed );
	h->piece->points = bvb_arena_allocate( arena, points, sizeof *h->piece->points );
	h->piece->vertex = bvb_arena_allocate( arena, points, sizeof *h->piece->vertex );
	h->piece->triangles = bvb_arena_allocate( arena, 2 * (size_t)triangles, sizeof *h->piece->triangles );
	h->piece->source = bvb_arena_allocate( arena, 2 * (size_t)triangles, sizeof *h->piece->source );
	if ( !h->number || !h->crossed || !h->piece->points || !h->piece->vertex || !h->piece->triangles ||
	     !h->piece->source )
	{
		return bv_error_memory;
	}
	for ( uint32_t t = 0; t < whole->triangle_count; ++t )
	{
		const bvb_triangle* triangle = whole->triangles + t;
		if ( has_strictly( side, triangle, h->side ) ||
		     ( is_on( side, triangle ) && is_behind( whole, t, plane, h->side ) ) )
		{
			clip_triangle( h, f, plane, side, t );
		}
	}
	return find_edges( h->piece, arena );
}

bv_status bvdecomp_piece_cut( const bvdecomp_piece* piece, const bvdecomp_plane* plane, double tolerance,
                              bvb_arena* below_arena, bvb_arena* above_arena, bvdecomp_piece* below,
                              bvdecomp_piece* above, bool* parted )
{
	*below = ( bvdecomp_piece ){ 0 };
	*above = ( bvdecomp_piece ){ 0 };
	bv_status status = bvdecomp_polytope_cut( &piece->cell, plane, below_arena, above_arena, &below->cell,
	                                          &above->cell, parted );
	if ( status != bv_ok || !*parted )
	{
		return status;
	}
	edge_finder finder;
	uint8_t* side = bvb_arena_allocate( below_arena, piece->point_count, sizeof *side );
	if ( !side || !make_finder( &finder, piece, below_arena ) )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < piece->point_count; ++i )
	{
		side[i] = (uint8_t)bvdecomp_side_of( plane, piece->points[i], tolerance );
	}
	piece_half low = { .piece = below, .side = bvdecomp_side_below };
	piece_half high = { .piece = above, .side = bvdecomp_side_above };
	status = make_half( &low, &finder, plane, side, below_arena );
	return status == bv_ok ? make_half( &high, &finder, plane, side, above_arena ) : status;
}
