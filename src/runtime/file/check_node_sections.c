// The checks of RADI, NQAL and NFAC. See check.h.

#include "runtime/file/check.h"

const char* bvfile_check_radius( const char* section, uint64_t bytes, const bvfile_content* content )
{
	uint32_t nodes = content->hierarchy->nodes;
	const float* radius = (const float*)section;
	if ( bytes != sizeof *radius * (uint64_t)nodes )
	{
		return "the radius section has the wrong size";
	}
	float least = 0;
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		least = radius[i] < least ? radius[i] : least;
	}
	return least >= 0 && bvfile_all_finite( radius, nodes ) ? NULL
	                                                        : "a node's radius is negative or not finite";
}

const char* bvfile_check_node_quality( const char* section, uint64_t bytes, const bvfile_content* content )
{
	uint32_t nodes = content->hierarchy->nodes;
	const bvfile_qualities* head = (const bvfile_qualities*)section;
	if ( bytes != sizeof *head + sizeof( bvfile_node_quality ) * (uint64_t)nodes )
	{
		return "the section of the nodes' quality has the wrong size";
	}
	size_t count = 3 * (size_t)nodes;
	const float* value = &bvfile_node_qualities( section )->quality;
	float least = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		least = value[i] < least ? value[i] : least;
	}
	bool good = bvfile_all_finite_double( &head->unit, 1 ) && head->unit >= 0 && least >= 0 &&
	            bvfile_all_finite( value, count );
	return good ? NULL : "a node's quality value is negative or not finite";
}

const char* bvfile_check_node_faces( const char* section, uint64_t bytes, const bvfile_content* content )
{
	uint32_t nodes = content->hierarchy->nodes;
	const bvfile_faces* head = (const bvfile_faces*)section;
	if ( bytes != sizeof *head + ( sizeof( bvvol_packed_obb ) + 1 ) * (uint64_t)nodes )
	{
		return "the section of the nodes' faces has the wrong size";
	}
	if ( !( head->share > 0 && head->share <= 1 ) )
	{
		return "the share of the nodes' faces is out of range";
	}
	bvfile_faces_view v = bvfile_faces_view_of( section, nodes );
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		if ( !bvfile_is_box( v.boxes + i ) )
		{
			return "a box in the section of the nodes' faces is invalid";
		}
		if ( v.two[i] > 1 || ( v.two[i] && !bvfile_is_thin( v.boxes + i, head->share ) ) )
		{
			return "a node that is not thin is represented by two faces";
		}
	}
	return NULL;
}
