// The triangles of an image that can be rebuilt: in the form of the section TRIS of formats/bvh/README.md, but each cluster has room for the
// vertices of 64 triangles, and none is new in it. So clusters can be written one by one.

#include "runtime/tree/leaf.h"
#include "world/deform/deform.h"

#include <string.h>

enum
{
	most_vertices = 3 * bvfile_cluster_triangles,
	slots = 512, // of a hash table of the vertices
};

_Static_assert( most_vertices <= 256, "a code is a byte" );

static uint32_t clusters_of( const bvfile_mesh* mesh )
{
	return ( mesh->triangles + ( bvfile_cluster_triangles - 1 ) ) / bvfile_cluster_triangles;
}

static uint8_t width_of( const bvfile_mesh* mesh )
{
	return mesh->vertices <= 65536 ? 2 : 4;
}

uint64_t bvwdeform_apart_bytes( const bvfile_mesh* mesh )
{
	uint64_t cluster = sizeof( bvfile_cluster ) + (uint64_t)most_vertices * width_of( mesh );
	return sizeof( bvfile_triangles ) + cluster * clusters_of( mesh ) + 3 * (uint64_t)mesh->triangles;
}

// Vertices of a cluster in the order in which they come.
typedef struct cluster_vertices
{
	uint32_t vertex[slots]; // plus 1; 0 in a free slot
	uint8_t code[slots];
	uint32_t listed[most_vertices];
	uint32_t count;
} cluster_vertices;

static uint8_t code_of( cluster_vertices* v, uint32_t vertex )
{
	uint32_t slot = ( vertex * UINT32_C( 2654435761 ) ) >> 23;
	while ( v->vertex[slot] != 0 && v->vertex[slot] != vertex + 1 )
	{
		slot = ( slot + 1 ) % slots;
	}
	if ( v->vertex[slot] == 0 )
	{
		v->vertex[slot] = vertex + 1;
		v->code[slot] = (uint8_t)v->count;
		v->listed[v->count++] = vertex;
	}
	return v->code[slot];
}

static void write_cluster( const bvfile_mesh* mesh, bvfile_triangles* to, uint32_t number,
                           uint32_t ( *const corner )[3] )
{
	bvfile_cluster* clusters = (bvfile_cluster*)( to + 1 );
	char* references = (char*)( clusters + to->clusters );
	uint8_t* code = (uint8_t*)references + (size_t)to->width * to->references;
	uint32_t first = bvfile_cluster_triangles * number;
	uint32_t rest = mesh->triangles - first;
	uint32_t count = rest < bvfile_cluster_triangles ? rest : bvfile_cluster_triangles;
	cluster_vertices vertices;
	memset( vertices.vertex, 0, sizeof vertices.vertex );
	vertices.count = 0;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		code[3 * (size_t)first + i] = code_of( &vertices, corner[i / 3][i % 3] );
	}
	// Nothing is new. Queries load positions from here in advance.
	clusters[number] = ( bvfile_cluster ){ vertices.listed[0], most_vertices * number };
	for ( uint32_t i = 0; i < vertices.count; ++i )
	{
		size_t at = (size_t)most_vertices * number + i;
		if ( to->width == 2 )
		{
			( (uint16_t*)(void*)references )[at] = (uint16_t)vertices.listed[i];
		}
		else
		{
			( (uint32_t*)(void*)references )[at] = vertices.listed[i];
		}
	}
}

// @param replaced  corners of triangles from `first` to `end`
static void write_clusters( const bvtree_leaf_source* from, const bvfile_mesh* mesh, bvfile_triangles* to,
                            uint32_t first, uint32_t end, uint32_t ( *const replaced )[3] )
{
	uint32_t last = ( end - 1 ) / bvfile_cluster_triangles;
	for ( uint32_t number = first / bvfile_cluster_triangles; number <= last; ++number )
	{
		uint32_t corner[bvfile_cluster_triangles][3];
		for ( uint32_t i = 0; i < bvfile_cluster_triangles; ++i )
		{
			uint32_t triangle = bvfile_cluster_triangles * number + i;
			if ( replaced && triangle >= first && triangle < end )
			{
				memcpy( corner[i], replaced[triangle - first], sizeof corner[i] );
			}
			else if ( triangle < mesh->triangles )
			{
				bvtree_leaf_vertices( from, triangle, corner[i] );
			}
		}
		write_cluster( mesh, to, number, corner );
	}
}

void bvwdeform_write_apart( const bvfile_view* view, bvfile_triangles* to )
{
	bvtree_leaf_source from = bvtree_leaf_source_of( view );
	to->clusters = clusters_of( view->mesh );
	to->references = most_vertices * to->clusters;
	to->width = width_of( view->mesh );
	write_clusters( &from, view->mesh, to, 0, view->mesh->triangles, NULL );
}

void bvwdeform_set_triangles( bvw_deform* deform, uint32_t first, uint32_t count,
                              uint32_t ( *const corner )[3] )
{
	bvfile_view view = bvfile_view_of( (const bv_file*)deform->image );
	bvtree_leaf_source from = bvtree_leaf_source_of( &view );
	write_clusters( &from, view.mesh, (bvfile_triangles*)view.triangles.head, first, first + count, corner );
}
