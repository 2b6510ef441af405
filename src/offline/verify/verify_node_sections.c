// What is computed of each node is computed again: RADI, NQAL and NFAC. See verify.h.

#include "formats/bvh/node_sections.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/verify/verify.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/volume/reach.h"

#include <string.h>

// What the visit of the nodes needs and finds.
typedef struct radius_check
{
	const bv_file* file;
	uint32_t node;
	uint64_t checked;
} radius_check;

static bool check_radius( void* context, const bv_node_info* node )
{
	radius_check* check = context;
	double stored;
	check->node = node->index;
	check->checked += 1;
	return bvfile_local_node_radius( check->file, node->index, &stored ) &&
	       stored >= bvfmt_radius_bound( &node->volume );
}

// No node's volume reaches farther from the origin than its radius.
bv_status bvverify_section_radius( bvverify_verification* v, bvb_error* error )
{
	radius_check check = { .file = v->file };
	if ( !bvfile_find( (const bvfile_header*)v->file, bvfile_section_radius ) )
	{
		return bv_ok;
	}
	if ( !bvfile_local_visit_nodes( v->file, check_radius, &check ) )
	{
		return bvbase_fail( error, bv_error_damaged, "the volume of node %u extends beyond its stored radius",
		                    check.node );
	}
	v->result->enclosures += check.checked;
	return bv_ok;
}

// The quality of each node is what its volume and those of its children give.
bv_status bvverify_section_node_quality( bvverify_verification* v, bvb_error* error )
{
	const char* stored = bvfile_find( (const bvfile_header*)v->file, bvfile_section_node_quality );
	if ( !stored )
	{
		return bv_ok;
	}
	uint32_t nodes = bv_file_get_hierarchy( v->file ).nodes;
	char* found = bvb_arena_allocate( v->scratch, bvfmt_quality_bytes( nodes ), 1 );
	if ( !found )
	{
		return bvbase_fail_memory( error );
	}
	bvfmt_sum_quality( v->file, found );
	if ( memcmp( stored, found, sizeof( bvfile_qualities ) ) != 0 )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the unit of the nodes' quality differs from the root's area" );
	}
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		if ( memcmp( bvfile_node_qualities( stored ) + i, bvfile_node_qualities( found ) + i,
		             sizeof( bvfile_node_quality ) ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "the stored quality of node %u differs from that of its volumes", i );
		}
	}
	return bv_ok;
}

// What the visit of the nodes needs and finds.
typedef struct node_sections_enclosure
{
	const bvb_mesh* mesh;
	bvfile_faces_view faces;
	uint32_t node;
	uint32_t open_triangle;
	uint64_t enclosures;
} node_sections_enclosure;

static bool encloses( const bv_obb* box, bv_vec3 point )
{
	bv_vec3 reach = bvvol_obb_reach( box, point );
	return reach.x <= box->half_extents[0] && reach.y <= box->half_extents[1] &&
	       reach.z <= box->half_extents[2];
}

static bool check_enclosure( void* context, const bv_node_info* node )
{
	node_sections_enclosure* e = context;
	bv_obb box = bvvol_obb_unpack( e->faces.boxes + node->index );
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			if ( !encloses( &box, e->mesh->positions[e->mesh->triangles[i].corner[k]] ) )
			{
				e->node = node->index;
				e->open_triangle = i;
				return false;
			}
		}
	}
	e->enclosures += 3 * (uint64_t)node->triangles;
	return true;
}

// The same fit to the same triangles gives the same bits.
static bv_status fit_again( const bv_file* file, const bvb_mesh* mesh, const bvfile_faces_view* stored,
                            uint32_t nodes, bvb_arena* scratch, bvb_error* error )
{
	char* found = bvb_arena_allocate( scratch, bvfmt_faces_bytes( nodes ), 1 );
	bv_status status = found ? bvfmt_fit_faces( file, mesh, stored->head->share, scratch, found, error )
	                         : bvbase_fail_memory( error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvfile_faces_view v = bvfile_faces_view_of( found, nodes );
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		if ( v.two[i] != stored->two[i] || memcmp( v.boxes + i, stored->boxes + i, sizeof *v.boxes ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "the stored faces of node %u differ from those of its triangles", i );
		}
	}
	return bv_ok;
}

// The boxes of the approximating faces enclose the subtree of each node, and are what fitting them again
// gives.
bv_status bvverify_section_node_faces( bvverify_verification* v, bvb_error* error )
{
	const bv_file* file = v->file;
	const char* section = bvfile_find( (const bvfile_header*)file, bvfile_section_node_faces );
	if ( !section )
	{
		return bv_ok;
	}
	uint32_t nodes = bv_file_get_hierarchy( file ).nodes;
	node_sections_enclosure e = { .mesh = v->mesh, .faces = bvfile_faces_view_of( section, nodes ) };
	if ( !bvfile_local_visit_nodes( file, check_enclosure, &e ) )
	{
		return bvbase_fail( error, bv_error_damaged, "the faces of node %u do not enclose triangle %u",
		                    e.node, e.open_triangle );
	}
	v->result->enclosures += e.enclosures;
	return fit_again( file, v->mesh, &e.faces, nodes, v->scratch, error );
}
