// What is in RADI, NQAL and NFAC of a .bvh file that check.c has let through.

#include "bv/file.h"

#include "formats/bvh/view.h"

// Null when the file does not have the section or such a node. What is of nodes is there only with them.
static const char* find_for( const bv_file* file, bvh_section section, uint32_t node, uint32_t* nodes )
{
	const bvh_header* header = (const bvh_header*)file;
	const char* found = bvh_find( header, section );
	*nodes = found ? ( (const bvh_hierarchy*)bvh_find( header, bvh_section_nodes ) )->nodes : 0;
	return node < *nodes ? found : NULL;
}

bool bv_file_get_node_radius( const bv_file* file, uint32_t node, double* radius )
{
	uint32_t nodes;
	const char* section = find_for( file, bvh_section_radius, node, &nodes );
	if ( section )
	{
		*radius = ( (const float*)section )[node];
	}
	return section;
}

bool bv_file_get_node_quality( const bv_file* file, uint32_t node, bv_node_quality* quality )
{
	uint32_t nodes;
	const char* section = find_for( file, bvh_section_node_quality, node, &nodes );
	if ( section )
	{
		double unit = ( (const bvh_qualities*)section )->unit;
		const bvh_node_quality* stored = bvh_node_qualities( section ) + node;
		*quality = ( bv_node_quality ){ unit * stored->quality, unit * stored->worst, stored->cost };
	}
	return section;
}

bool bv_file_get_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces )
{
	uint32_t nodes;
	const char* section = find_for( file, bvh_section_node_faces, node, &nodes );
	if ( section )
	{
		bvh_faces_view v = bvh_faces_view_of( section, nodes );
		faces->two = v.two[node];
		bv_obb_unpack_to( v.boxes + node, &faces->box );
	}
	return section;
}
