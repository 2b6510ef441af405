// ADJC and HTOP: how the mesh and its hull hang together.

#include "formats/bvh/write.h"

#include <string.h>

bvfile_edge bvfmt_stored_edge( const bvb_edge* edge )
{
	bool two = edge->half_edge[1] < BVB_MANY_HALF_EDGES;
	return ( bvfile_edge ){ { edge->vertex[0], edge->vertex[1] },
		                    { edge->half_edge[0] / 3, two ? edge->half_edge[1] / 3 : BV_NO_TRIANGLE },
		                    (uint32_t)edge->kind };
}

uint64_t bvfmt_size_adjacency( const bvfmt_writing* w )
{
	return w->asset->adjacency ? sizeof( bvfile_edge ) * (uint64_t)w->mesh.edges : 0;
}

bv_status bvfmt_write_adjacency( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	bvfile_edge* to = out;
	for ( uint32_t i = 0; i < w->mesh.edges; ++i )
	{
		to[i] = bvfmt_stored_edge( w->asset->adjacency + i );
	}
	return bv_ok;
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

void bvfmt_encode_hull_topology( const bvb_hull_polygons* p, void* out )
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

uint64_t bvfmt_size_hull_topology( const bvfmt_writing* w )
{
	const bvb_hull_polygons* p = &w->asset->hull_polygons;
	return p->polygon_count ? bvfmt_hull_topology_bytes( p ) : 0;
}

bv_status bvfmt_write_hull_topology( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	bvfmt_encode_hull_topology( &w->asset->hull_polygons, out );
	return bv_ok;
}
