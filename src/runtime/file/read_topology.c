// What is in ADJC and HTOP of a .bvh file that check.c has let through.

#include "bv/inspect.h"

#include "runtime/file/local.h"
#include "runtime/file/view.h"

bool bv_file_get_mesh_edge( const bv_file* file, uint32_t index, bv_mesh_edge* edge )
{
	const bvfile_header* header = (const bvfile_header*)file;
	const bvfile_mesh* mesh = (const bvfile_mesh*)bvfile_find( header, bvfile_section_mesh );
	const bvfile_edge* edges = (const bvfile_edge*)bvfile_find( header, bvfile_section_adjacency );
	if ( !edges || index >= mesh->edges )
	{
		return false;
	}
	const bvfile_edge* stored = edges + index;
	*edge = ( bv_mesh_edge ){ { stored->vertex[0], stored->vertex[1] },
		                      { stored->triangle[0], stored->triangle[1] },
		                      (bv_edge_kind)stored->kind };
	return true;
}

// Its counts are 0 when the file has none.
static bvfile_hull_topology_view topology_of( const bv_file* file, uint32_t* vertices )
{
	static const bvfile_hull_topology none = { 0, 0, 0, 0 };
	const bvfile_header* header = (const bvfile_header*)file;
	const char* section = bvfile_find( header, bvfile_section_hull_topology );
	*vertices = 0;
	if ( !section )
	{
		return ( bvfile_hull_topology_view ){ .head = &none };
	}
	*vertices = ( (const bvfile_hull*)bvfile_find( header, bvfile_section_hull ) )->vertices;
	return bvfile_hull_topology_view_of( section, *vertices );
}

bv_hull_topology_info bv_file_get_hull_topology( const bv_file* file )
{
	uint32_t vertices;
	const bvfile_hull_topology* head = topology_of( file, &vertices ).head;
	return ( bv_hull_topology_info ){ head->polygons, head->half_edges, head->loose };
}

bool bvfile_local_hull_facet( const bv_file* file, uint32_t index, bv_hull_facet* facet )
{
	uint32_t vertices;
	bvfile_hull_topology_view v = topology_of( file, &vertices );
	if ( index >= v.head->polygons )
	{
		return false;
	}
	const bvfile_polygon* stored = v.polygons + index;
	const double* n = stored->normal;
	*facet = ( bv_hull_facet ){
		.normal = { n[0], n[1], n[2] },
		.offset = stored->offset,
		.first_edge = stored->first_edge,
		.edge_count = stored->edge_count,
	};
	return true;
}

bool bv_file_get_hull_half_edge( const bv_file* file, uint32_t index, bv_hull_half_edge* edge )
{
	uint32_t vertices;
	bvfile_hull_topology_view v = topology_of( file, &vertices );
	if ( index >= v.head->half_edges )
	{
		return false;
	}
	const bvfile_half_edge* stored = v.half_edges + index;
	*edge = ( bv_hull_half_edge ){ stored->origin, stored->twin, stored->next, stored->polygon };
	return true;
}

uint32_t bv_file_get_hull_neighbors( const bv_file* file, uint32_t vertex, const uint32_t** neighbors )
{
	uint32_t vertices;
	bvfile_hull_topology_view v = topology_of( file, &vertices );
	*neighbors = NULL;
	if ( vertex >= vertices || v.first_neighbor[vertex] == v.first_neighbor[vertex + 1] )
	{
		return 0;
	}
	*neighbors = v.neighbors + v.first_neighbor[vertex];
	return v.first_neighbor[vertex + 1] - v.first_neighbor[vertex];
}

void bv_file_get_hull_loose( const bv_file* file, const uint32_t** vertices )
{
	uint32_t count;
	*vertices = topology_of( file, &count ).loose;
}
