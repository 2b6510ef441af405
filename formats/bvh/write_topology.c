// ADJC and HTOP: how the mesh and its hull hang together.

#include "formats/bvh/write.h"

#include <string.h>

void bvfmt_write_adjacency( const bvb_edge* edges, uint32_t count, void* out )
{
	bvfile_edge* to = out;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvb_edge* e = edges + i;
		bool two = e->half_edge[1] < BVB_MANY_HALF_EDGES;
		to[i] = ( bvfile_edge ){ { e->vertex[0], e->vertex[1] },
			                     { e->half_edge[0] / 3, two ? e->half_edge[1] / 3 : BV_NO_TRIANGLE },
			                     (uint32_t)e->kind };
	}
}

static bvfile_hull_topology head_of( const bvb_hull_polygons* p )
{
	return ( bvfile_hull_topology ){ p->polygon_count, p->half_edge_count, p->first_neighbor[p->vertex_count],
		                             p->loose_count };
}

uint64_t bvfmt_hull_topology_bytes( const bvb_hull_polygons* p )
{
	bvfile_hull_topology head = head_of( p );
	return sizeof head + sizeof( bvfile_polygon ) * (uint64_t)head.polygons +
	       sizeof( bvfile_half_edge ) * (uint64_t)head.half_edges +
	       sizeof( uint32_t ) * ( (uint64_t)p->vertex_count + 1 + head.neighbors + head.loose );
}

void bvfmt_write_hull_topology( const bvb_hull_polygons* p, void* out )
{
	bvfile_hull_topology* head = out;
	*head = head_of( p );
	bvfile_polygon* polygon = (bvfile_polygon*)( head + 1 );
	for ( uint32_t i = 0; i < p->polygon_count; ++i )
	{
		const bvb_hull_polygon* from = p->polygons + i;
		*polygon++ = ( bvfile_polygon ){ { from->normal.x, from->normal.y, from->normal.z },
			                             from->offset,
			                             from->first_edge,
			                             from->edge_count };
	}
	bvfile_half_edge* edge = (bvfile_half_edge*)polygon;
	for ( uint32_t i = 0; i < p->half_edge_count; ++i )
	{
		const bvb_half_edge* from = p->half_edges + i;
		*edge++ = ( bvfile_half_edge ){ from->origin, from->twin, from->next, from->polygon };
	}
	uint32_t* to = (uint32_t*)edge;
	memcpy( to, p->first_neighbor, ( (size_t)p->vertex_count + 1 ) * sizeof *to );
	to += (size_t)p->vertex_count + 1;
	memcpy( to, p->neighbors, head->neighbors * sizeof *to );
	if ( head->loose > 0 )
	{
		memcpy( to + head->neighbors, p->loose, head->loose * sizeof *to );
	}
}
