// The checks of ADJC and HTOP. See check.h.

#include "runtime/file/check.h"

static bool has_two_triangles( uint32_t kind )
{
	return kind <= bv_edge_flat || kind == bv_edge_flipped;
}

static bool is_edge( const bvfile_edge* e, const bvfile_mesh* mesh )
{
	bool two = has_two_triangles( e->kind );
	return e->kind < bv_edge_kinds && e->vertex[0] < e->vertex[1] && e->vertex[1] < mesh->vertices &&
	       e->triangle[0] < mesh->triangles &&
	       ( two ? e->triangle[1] < mesh->triangles : e->triangle[1] == BV_NO_TRIANGLE );
}

static bool ascend( const bvfile_edge* a, const bvfile_edge* b )
{
	return a->vertex[0] < b->vertex[0] || ( a->vertex[0] == b->vertex[0] && a->vertex[1] < b->vertex[1] );
}

const char* bvfile_check_adjacency( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = content->mesh;
	const bvfile_edge* edge = (const bvfile_edge*)section;
	if ( bytes != sizeof *edge * (uint64_t)mesh->edges )
	{
		return "the adjacency section has the wrong size";
	}
	uint32_t of_kind[bv_edge_kinds] = { 0 };
	for ( uint32_t i = 0; i < mesh->edges; ++i )
	{
		if ( !is_edge( edge + i, mesh ) )
		{
			return "an edge of the adjacency section is invalid";
		}
		if ( i > 0 && !ascend( edge + i - 1, edge + i ) )
		{
			return "the edges of the adjacency section are not in ascending order";
		}
		of_kind[edge[i].kind] += 1;
	}
	return memcmp( of_kind, mesh->edges_of_kind, sizeof of_kind ) == 0
	           ? NULL
	           : "the edge kinds of the adjacency section differ from the mesh section's counts";
}

// Polygons take the half-edges one after another; each runs through its own in order and back to the first.
static bool are_polygons( const bvfile_hull_topology_view* v )
{
	uint32_t placed = 0;
	for ( uint32_t i = 0; i < v->head->polygons; ++i )
	{
		const bvfile_polygon* polygon = v->polygons + i;
		uint32_t count = polygon->edge_count;
		if ( !bvfile_all_finite_double( polygon->normal, 4 ) || polygon->first_edge != placed || count < 3 ||
		     count > v->head->half_edges - placed )
		{
			return false;
		}
		for ( uint32_t k = 0; k < count; ++k )
		{
			const bvfile_half_edge* edge = v->half_edges + placed + k;
			if ( edge->polygon != i || edge->next != placed + ( k + 1 == count ? 0 : k + 1 ) )
			{
				return false;
			}
		}
		placed += count;
	}
	return placed == v->head->half_edges;
}

static bool are_half_edges( const bvfile_hull_topology_view* v, uint32_t vertices )
{
	for ( uint32_t i = 0; i < v->head->half_edges; ++i )
	{
		const bvfile_half_edge* edge = v->half_edges + i;
		if ( edge->origin >= vertices || edge->twin >= v->head->half_edges || edge->twin == i ||
		     v->half_edges[edge->twin].twin != i ||
		     v->half_edges[edge->twin].origin != v->half_edges[edge->next].origin )
		{
			return false;
		}
	}
	return true;
}

static bool are_neighbors( const bvfile_hull_topology_view* v, uint32_t vertices )
{
	bool good = v->first_neighbor[0] == 0 && v->first_neighbor[vertices] == v->head->neighbors;
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		good = good && v->first_neighbor[i] <= v->first_neighbor[i + 1];
	}
	for ( uint32_t i = 1; i < v->head->loose; ++i )
	{
		good = good && v->loose[i - 1] < v->loose[i];
	}
	return good && bvfile_all_below( v->neighbors, v->head->neighbors, vertices ) &&
	       bvfile_all_below( v->loose, v->head->loose, vertices );
}

const char* bvfile_check_hull_topology( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_hull_topology* head = (const bvfile_hull_topology*)section;
	uint32_t vertices = content->hull->vertices;
	if ( bytes < sizeof *head || content->hull->kind != bv_hull_polyhedron ||
	     bytes != sizeof *head + sizeof( bvfile_polygon ) * (uint64_t)head->polygons +
	                  sizeof( bvfile_half_edge ) * (uint64_t)head->half_edges +
	                  sizeof( uint32_t ) * ( (uint64_t)vertices + 1 + head->neighbors + head->loose ) )
	{
		return "the section of the hull's topology has the wrong size";
	}
	bvfile_hull_topology_view v = bvfile_hull_topology_view_of( section, vertices );
	if ( head->polygons == 0 || !are_polygons( &v ) )
	{
		return "a polygon of the hull is invalid";
	}
	if ( !are_half_edges( &v, vertices ) )
	{
		return "a half-edge of the hull is invalid";
	}
	return are_neighbors( &v, vertices ) ? NULL : "the neighbors of the hull's vertices are invalid";
}
