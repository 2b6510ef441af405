// What is in RADI, NQAL and NFAC of a .bvh file that check.c has let through.

#include "bv/inspect.h"

#include "runtime/file/local.h"
#include "runtime/file/view.h"

// Null when the file does not have the section or such a node. What is of nodes is there only with them.
static const char* find_for( const bv_file* file, bvfile_section section, uint32_t node, uint32_t* nodes )
{
	const bvfile_header* header = (const bvfile_header*)file;
	const char* found = bvfile_find( header, section );
	*nodes = found ? ( (const bvfile_hierarchy*)bvfile_find( header, bvfile_section_nodes ) )->nodes : 0;
	return node < *nodes ? found : NULL;
}

bool bvfile_local_node_radius( const bv_file* file, uint32_t node, double* radius )
{
	uint32_t nodes;
	const char* section = find_for( file, bvfile_section_radius, node, &nodes );
	if ( section )
	{
		*radius = ( (const float*)section )[node];
	}
	return section;
}

bool bv_file_get_node_quality( const bv_file* file, uint32_t node, bv_node_quality* quality )
{
	uint32_t nodes;
	const char* section = find_for( file, bvfile_section_node_quality, node, &nodes );
	if ( section )
	{
		double unit = ( (const bvfile_qualities*)section )->unit;
		const bvfile_node_quality* stored = bvfile_node_qualities( section ) + node;
		*quality = ( bv_node_quality ){ unit * stored->quality, unit * stored->worst, stored->cost };
	}
	return section;
}

bool bvfile_local_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces )
{
	uint32_t nodes;
	const char* section = find_for( file, bvfile_section_node_faces, node, &nodes );
	if ( section )
	{
		bvfile_faces_view v = bvfile_faces_view_of( section, nodes );
		faces->two = v.two[node];
		bvvol_obb_unpack_to( v.boxes + node, &faces->box );
	}
	return section;
}
