// Which triangle stands for each vertex and each edge. See bvworld/deform_contact.h.
//
// The owner of a vertex is the first triangle in its list. For an edge, the lists of both ends would have to be compared, which can be
// long. Instead, the edges of each vertex to higher numbers are visited in the order of its triangles, and their other ends are marked: an
// edge whose end has a mark has an owner already. That takes linear time.

#include "world/deform_contact/contact.h"

#include <string.h>

static const uint64_t magic = UINT64_C( 0x31736e776f646562 ); // "bedowns1"

bool bvwtouch_are_owners( const bvw_owners* owners, const bvfile_view* view )
{
	return owners && owners->magic == magic && owners->triangles == view->mesh->triangles &&
	       owners->mark == bvwtouch_mark_of( view );
}

static bool see( const bv_file* file, bvfile_view* view )
{
	*view = file ? bvfile_view_of( file ) : ( bvfile_view ){ .header = NULL };
	return view->hierarchy;
}

size_t bvw_owners_bytes( const bv_file* file )
{
	bvfile_view view;
	return see( file, &view ) ? ( sizeof( bvw_owners ) + (size_t)view.mesh->triangles + 7 ) & ~(size_t)7 : 0;
}

static uint64_t words_of( const bvfile_view* view )
{
	return 3 * (uint64_t)view->mesh->triangles + 2 * (uint64_t)view->mesh->vertices + 1;
}

size_t bvw_owners_scratch_bytes( const bv_file* file )
{
	bvfile_view view;
	uint64_t bytes = see( file, &view ) ? sizeof( uint32_t ) * words_of( &view ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// The triangles of each vertex.
typedef struct vertex_lists
{
	uint32_t* first;    // by vertex, and one more
	uint32_t* triangle; // ascending for each vertex; twice if a triangle has a vertex twice
	uint32_t* mark;     // by vertex: 1 + the vertex whose edge to it was there
} vertex_lists;

static void list_triangles( const bvtree_leaf_source* source, const bvfile_mesh* mesh,
                            const vertex_lists* lists )
{
	uint32_t* first = lists->first;
	memset( first, 0, ( (size_t)mesh->vertices + 1 ) * sizeof *first );
	memset( lists->mark, 0, (size_t)mesh->vertices * sizeof *lists->mark );
	uint32_t vertex[3];
	for ( uint32_t i = 0; i < mesh->triangles; ++i )
	{
		bvtree_leaf_vertices( source, i, vertex );
		for ( int k = 0; k < 3; ++k )
		{
			first[vertex[k]] += 1;
		}
	}
	for ( uint32_t i = 0; i < mesh->vertices; ++i )
	{
		first[i + 1] += first[i];
	}
	for ( uint32_t i = mesh->triangles; i-- > 0; )
	{
		bvtree_leaf_vertices( source, i, vertex );
		for ( int k = 0; k < 3; ++k )
		{
			lists->triangle[--first[vertex[k]]] = i;
		}
	}
}

// What the triangles of a vertex own of it: the vertex, and edges to higher numbers.
static void own( const bvtree_leaf_source* source, const vertex_lists* lists, uint32_t of, uint8_t* owned )
{
	bool has_owner = false;
	for ( uint32_t i = lists->first[of]; i < lists->first[of + 1]; ++i )
	{
		uint32_t vertex[3];
		uint32_t triangle = lists->triangle[i];
		bvtree_leaf_vertices( source, triangle, vertex );
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t from = vertex[k];
			uint32_t to = vertex[( k + 1 ) % 3];
			if ( from == of && !has_owner )
			{
				owned[triangle] |= (uint8_t)( bvwtouch_owns_vertex << k );
				has_owner = true;
			}
			uint32_t higher = from > to ? from : to;
			if ( ( from == of || to == of ) && higher > of && lists->mark[higher] != of + 1 )
			{
				owned[triangle] |= (uint8_t)( bvwtouch_owns_edge << k );
				lists->mark[higher] = of + 1;
			}
		}
	}
}

bv_status bvw_owners_begin( const bv_file* file, void* scratch, size_t scratch_bytes, void* memory,
                            size_t bytes, bvw_owners** out )
{
	bvfile_view view;
	if ( !out || !scratch || !memory || (uintptr_t)scratch % 4 != 0 || (uintptr_t)memory % 8 != 0 ||
	     !see( file, &view ) )
	{
		return bv_error_argument;
	}
	if ( bytes < bvw_owners_bytes( file ) || scratch_bytes < sizeof( uint32_t ) * words_of( &view ) )
	{
		return bv_error_memory;
	}
	uint32_t* words = scratch;
	const vertex_lists lists = {
		.first = words,
		.triangle = words + view.mesh->vertices + 1,
		.mark = words + view.mesh->vertices + 1 + 3 * (size_t)view.mesh->triangles,
	};
	bvtree_leaf_source source = bvtree_leaf_source_of( &view );
	bvw_owners* owners = memory;
	memset( owners, 0, bvw_owners_bytes( file ) );
	owners->magic = magic;
	owners->triangles = view.mesh->triangles;
	owners->mark = bvwtouch_mark_of( &view );
	list_triangles( &source, view.mesh, &lists );
	for ( uint32_t i = 0; i < view.mesh->vertices; ++i )
	{
		own( &source, &lists, i, (uint8_t*)( owners + 1 ) );
	}
	*out = owners;
	return bv_ok;
}
