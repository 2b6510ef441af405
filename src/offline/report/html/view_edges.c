// Edges at which the mesh is not as a solid's surface would be, in the 3D view's data. See view_data.h.
//
// Half-edges sorted by their two vertices: those of one triangle are open, two that run in one direction
// belong to triangles of which one is flipped, and where there are three or more the surface is no manifold.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "offline/base/sort.h"
#include "runtime/file/local.h"

enum
{
	most_edges = 20000, // of each kind
};

// The kinds that are defects.
static const struct
{
	const char* name;
	bv_edge_kind kind;
} kinds[] = {
	{ "boundary", bv_edge_boundary },
	{ "flipped", bv_edge_flipped },
	{ "non_manifold", bv_edge_non_manifold },
};

enum
{
	kind_count = sizeof kinds / sizeof *kinds,
};

static bv_status sort_half_edges( const bvhtml_view_data* v, uint32_t triangles, bvbase_sort_entry** out )
{
	uint32_t count = 3 * triangles;
	bvbase_sort_entry* entries = bvb_arena_allocate( v->arena, count, sizeof *entries );
	bvbase_sort_entry* other = bvb_arena_allocate( v->arena, count, sizeof *other );
	if ( !entries || !other )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( v->file, i, corner );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t from = corner[k];
			uint32_t to = corner[( k + 1 ) % 3];
			uint64_t key = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
			entries[3 * i + k] = ( bvbase_sort_entry ){ key, 2 * ( 3 * i + k ) + ( from < to ) };
		}
	}
	bvbase_sort( entries, other, count );
	*out = entries;
	return bv_ok;
}

static bv_edge_kind kind_of( const bvbase_sort_entry* entries, uint32_t count )
{
	bool same_direction = count == 2 && ( entries[0].value & 1 ) == ( entries[1].value & 1 );
	return count == 1       ? bv_edge_boundary
	       : same_direction ? bv_edge_flipped
	       : count == 2     ? bv_edge_flat
	                        : bv_edge_non_manifold;
}

static void put_edge( const bvhtml_view_data* v, uint64_t key, uint16_t out[6] )
{
	bvhtml_view_grid_point( v, bvfile_local_vertex( v->file, (uint32_t)( key >> 32 ) ), out );
	bvhtml_view_grid_point( v, bvfile_local_vertex( v->file, (uint32_t)key ), out + 3 );
}

bv_status bvhtml_view_put_edges( bvhtml_view_data* v )
{
	bv_mesh_info info = bv_file_get_mesh( v->file );
	uint64_t defects = 0;
	for ( int i = 0; i < kind_count; ++i )
	{
		defects += info.edges_of_kind[kinds[i].kind];
	}

	// Twice the number of a half-edge must be one of 32 bits.
	bool known = info.has_triangles && defects > 0 && info.triangles < UINT32_MAX / 6;
	bvbase_sort_entry* entries = NULL;
	uint16_t* ends[kind_count] = { NULL };
	uint32_t counts[kind_count] = { 0 };
	bv_status status = known ? sort_half_edges( v, info.triangles, &entries ) : bv_ok;
	for ( int k = 0; known && status == bv_ok && k < kind_count; ++k )
	{
		ends[k] = bvb_arena_allocate( v->arena, most_edges, 6 * sizeof **ends );
		status = ends[k] ? bv_ok : bvbase_fail_memory( v->error );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	for ( uint32_t i = 0, next; known && i < 3 * info.triangles; i = next )
	{
		for ( next = i + 1; next < 3 * info.triangles && entries[next].key == entries[i].key; ++next )
		{
		}
		bv_edge_kind kind = kind_of( entries + i, next - i );
		for ( int k = 0; k < kind_count; ++k )
		{
			if ( kind == kinds[k].kind && counts[k] < most_edges )
			{
				put_edge( v, entries[i].key, ends[k] + 6 * (size_t)counts[k]++ );
			}
		}
	}
	bvhtml_view_open( v, "edges", '{' );
	for ( int k = 0; k < kind_count; ++k )
	{
		bvhtml_view_open( v, kinds[k].name, '{' );
		bvhtml_view_count( v, "in_file", info.edges_of_kind[kinds[k].kind] );
		bvhtml_view_array( v, "ends", "u16", ends[k], counts[k] * 6 * sizeof **ends );
		bvhtml_view_close( v, '}' );
	}
	bvhtml_view_close( v, '}' );
	return bv_ok;
}
