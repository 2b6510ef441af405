// Faces cut into pieces by the leaves of an octree, and spheres round them. See face_pieces.h.

#include "offline/literature/spheres/face_pieces.h"

#include "offline/fit/sphere.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	cells_at_least = 1024,
	cells_at_most = 1 << 14,
};

// What rounding may take from a sphere, in units of its radius and of coordinates.
static const double slack = 0x1p-48;

bv_sphere bvlit_grown_sphere( bv_vec3 center, double radius )
{
	return ( bv_sphere ){ center, radius + slack * ( radius + bvmath_norm1( center ) ) };
}

double bvlit_reach_of( const bv_vec3* points, uint32_t count, bv_vec3 center )
{
	double square = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], center );
		square = bvmath_max( square, bv_dot( d, d ) );
	}
	return sqrt( square );
}

bv_sphere bvlit_least_sphere( const bv_vec3* points, uint32_t count )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( points, count, &ball );
	bv_vec3 center = bv_add( ball.origin, ball.center );
	return bvlit_grown_sphere( center, bvlit_reach_of( points, count, center ) );
}

static bool make_room( const bvb_mesh* mesh, uint32_t more, bvb_arena* arena, bvlit_face_pieces* out )
{
	const bvlit_octree* o = &out->octree;
	size_t most = 0;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		most += o->cells[i].children == 0 ? o->cells[i].faces : 0;
	}
	if ( most > UINT32_MAX / 16 - mesh->vertex_count )
	{
		return false;
	}
	out->corners = bvbase_arena_allocate_unset( arena, bvlit_piece_corners * most, sizeof *out->corners );
	out->first_corner = bvb_arena_allocate( arena, most + 1, sizeof *out->first_corner );
	out->face = bvb_arena_allocate( arena, most, sizeof *out->face );
	out->middle = bvb_arena_allocate( arena, most + more, sizeof *out->middle );
	out->first_piece = bvb_arena_allocate( arena, o->cell_count, sizeof *out->first_piece );
	return out->corners && out->first_corner && out->face && out->middle && out->first_piece;
}

static void add_piece( const bvb_mesh* mesh, uint32_t face, const bv_aabb* box, bvlit_face_pieces* out )
{
	bvlit_piece piece;
	bvlit_piece_of_face( mesh, face, box, &piece );
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t c = 0; c < piece.count; ++c )
	{
		out->corners[out->first_corner[out->count] + c] = piece.corner[c];
		sum = bv_add( sum, bv_scale( 1.0 / piece.count, piece.corner[c] ) );
	}
	out->face[out->count] = face;
	out->middle[out->count++] = sum;
	out->first_corner[out->count] = out->first_corner[out->count - 1] + piece.count;
}

bv_status bvlit_cut_faces( const bvb_mesh* mesh, uint32_t more, bvb_arena* arena, bvlit_face_pieces* out )
{
	uint32_t most = mesh->triangle_count < cells_at_least  ? cells_at_least
	                : mesh->triangle_count > cells_at_most ? cells_at_most
	                                                       : mesh->triangle_count;
	*out = ( bvlit_face_pieces ){ .count = 0 };
	bv_status status = bvlit_octree_create_even( mesh, BV_MAX_DEPTH, most, arena, &out->octree );
	if ( status != bv_ok || !make_room( mesh, more, arena, out ) )
	{
		return status != bv_ok ? status : bv_error_memory;
	}
	for ( uint32_t i = 0; i < out->octree.cell_count; ++i )
	{
		const bvlit_octree_cell* cell = out->octree.cells + i;
		out->first_piece[i] = out->count;
		for ( uint32_t k = 0; cell->children == 0 && k < cell->faces; ++k )
		{
			add_piece( mesh, out->octree.face[cell->first_face + k], &cell->box, out );
		}
	}
	return bv_ok;
}

static double square_from_box( const bv_aabb* box, bv_vec3 p )
{
	bv_vec3 to = bv_sub( bvmath_greatest( box->lower, bvmath_least( box->upper, p ) ), p );
	return bv_dot( to, to );
}

uint32_t bvlit_piece_near( const bvlit_face_pieces* pieces, bv_vec3 point )
{
	const bvlit_octree_cell* cells = pieces->octree.cells;
	uint32_t at = 0;
	while ( cells[at].children > 0 )
	{
		uint32_t best = cells[at].first_child;
		for ( uint32_t k = 1; k < cells[at].children; ++k )
		{
			uint32_t other = cells[at].first_child + k;
			bool nearer =
				square_from_box( &cells[other].box, point ) < square_from_box( &cells[best].box, point );
			best = nearer ? other : best;
		}
		at = best;
	}
	uint32_t nearest = pieces->first_piece[at];
	double square = INFINITY;
	for ( uint32_t i = 0; i < cells[at].faces; ++i )
	{
		bv_vec3 d = bv_sub( pieces->middle[pieces->first_piece[at] + i], point );
		bool nearer = bv_dot( d, d ) < square;
		nearest = nearer ? pieces->first_piece[at] + i : nearest;
		square = nearer ? bv_dot( d, d ) : square;
	}
	return nearest;
}
