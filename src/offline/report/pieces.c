// Pieces of a closed mesh that face inward. See pieces.h.
//
// The winding number of the other pieces, at a corner of a piece, says whether they enclose it. Just below the
// corner with the least x the piece itself winds around nothing, so that the winding number of the whole mesh
// is that of the others.

#include "offline/report/pieces.h"

#include "bvbuild/mesh.h"
#include "offline/base/arena.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <math.h>

// A set of triangles.
typedef struct mesh_piece
{
	double volume;
	bv_vec3 first; // corner with the least x
	bv_vec3 lower; // of its box
	bv_vec3 upper;
	bool begun;
} mesh_piece;

static bool read_mesh( const bv_file* file, bvb_arena* arena, bvb_mesh* out )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, info.vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, info.triangles, sizeof *out->triangles ),
		.vertex_count = info.vertices,
		.triangle_count = info.triangles,
	};
	for ( uint32_t i = 0; out->positions && i < info.vertices; ++i )
	{
		out->positions[i] = bvfile_local_vertex( file, i );
	}
	for ( uint32_t i = 0; out->triangles && i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, out->triangles[i].corner );
	}
	return out->positions && out->triangles;
}

// Of a forest whose roots stand for pieces. In the end each vertex's parent is its root.
static uint32_t find_root( uint32_t* parent, uint32_t vertex )
{
	while ( parent[vertex] != vertex )
	{
		parent[vertex] = parent[parent[vertex]];
		vertex = parent[vertex];
	}
	return vertex;
}

static void join_corners( uint32_t* parent, const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		parent[i] = i;
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* corner = mesh->triangles[t].corner;
		parent[find_root( parent, corner[0] )] = find_root( parent, corner[1] );
		parent[find_root( parent, corner[1] )] = find_root( parent, corner[2] );
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		parent[i] = find_root( parent, i );
	}
}

static void add_triangle( mesh_piece* piece, const bv_vec3 corner[3] )
{
	if ( !piece->begun )
	{
		*piece = ( mesh_piece ){ 0, corner[0], corner[0], corner[0], true };
	}
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = corner[k];
		piece->first = p.x < piece->first.x ? p : piece->first;
		piece->lower = ( bv_vec3 ){ bvmath_min( piece->lower.x, p.x ), bvmath_min( piece->lower.y, p.y ),
			                        bvmath_min( piece->lower.z, p.z ) };
		piece->upper = ( bv_vec3 ){ bvmath_max( piece->upper.x, p.x ), bvmath_max( piece->upper.y, p.y ),
			                        bvmath_max( piece->upper.z, p.z ) };
	}
}

// Of the tetrahedron with a corner of the piece.
static double signed_volume( const bvb_mesh* mesh, const bvb_triangle* t, bv_vec3 origin )
{
	bv_vec3 a = bv_sub( mesh->positions[t->corner[0]], origin );
	bv_vec3 b = bv_sub( mesh->positions[t->corner[1]], origin );
	bv_vec3 c = bv_sub( mesh->positions[t->corner[2]], origin );
	return bv_dot( a, bv_cross( b, c ) ) / 6;
}

// Indexed by the roots of their vertices.
static void measure_pieces( const bvb_mesh* mesh, const uint32_t* root, mesh_piece* pieces )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* index = mesh->triangles[t].corner;
		bv_vec3 corner[3] = { mesh->positions[index[0]], mesh->positions[index[1]],
			                  mesh->positions[index[2]] };
		add_triangle( pieces + root[index[0]], corner );
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		mesh_piece* piece = pieces + root[mesh->triangles[t].corner[0]];
		piece->volume += signed_volume( mesh, mesh->triangles + t, piece->first );
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 size = bv_sub( pieces[i].upper, pieces[i].lower );
		double most = bvmath_max( bvmath_max( size.x, size.y ), size.z );
		bool flat = fabs( pieces[i].volume ) <= 0x1p-40 * ( most * most * most );
		pieces[i].volume = flat ? 0 : pieces[i].volume;
	}
}

static bool has_both( const mesh_piece* pieces, uint32_t count )
{
	bool inward = false;
	bool outward = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		inward = inward || pieces[i].volume < 0;
		outward = outward || pieces[i].volume > 0;
	}
	return inward && outward;
}

static void count_free( const mesh_piece* pieces, uint32_t count, const bvb_winding* winding,
                        bvreport_pieces* out )
{
	bvreport_pieces found = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const mesh_piece* p = pieces + i;
		bv_vec3 beside = { p->first.x - 0x1p-20 * ( p->upper.x - p->lower.x ), p->first.y, p->first.z };
		if ( p->volume != 0 && fabs( bvb_winding_number( winding, beside ) ) < 0.5 )
		{
			found.inward += p->volume < 0;
			found.outward += p->volume > 0;
		}
	}
	*out = found.inward > 0 && found.outward > 0 ? found : ( bvreport_pieces ){ 0, 0 };
}

static bv_status count_pieces( const bv_file* file, bvb_arena* arena, bvreport_pieces* out )
{
	bvb_mesh mesh;
	bvb_winding* winding;
	bvb_error ignored;
	if ( !read_mesh( file, arena, &mesh ) )
	{
		return bv_error_memory;
	}
	uint32_t* parent = bvb_arena_allocate( arena, mesh.vertex_count, sizeof *parent );
	mesh_piece* pieces = bvb_arena_allocate( arena, mesh.vertex_count, sizeof *pieces );
	if ( !parent || !pieces )
	{
		return bv_error_memory;
	}
	join_corners( parent, &mesh );
	measure_pieces( &mesh, parent, pieces );
	if ( !has_both( pieces, mesh.vertex_count ) )
	{
		return bv_ok;
	}
	bv_status status = bvb_winding_create( &mesh, arena, &winding, &ignored );
	if ( status == bv_ok )
	{
		count_free( pieces, mesh.vertex_count, winding, out );
	}
	return status;
}

bv_status bvreport_count_pieces( const bv_file* file, bvb_arena* arena, bvreport_pieces* out )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	*out = ( bvreport_pieces ){ 0, 0 };
	if ( !info.closed || info.components < 2 || !info.has_triangles )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status = scratch ? count_pieces( file, scratch, out ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	return status;
}
