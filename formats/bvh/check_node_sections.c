// The checks of RADI, NQAL and NFAC. See check.h.

#include "formats/bvh/check.h"

const char* bvh_check_radius( const char* section, uint64_t bytes, const bvh_content* content )
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
	return least >= 0 && bvh_all_finite( radius, nodes ) ? NULL : "a node's radius is negative or not finite";
}

const char* bvh_check_node_quality( const char* section, uint64_t bytes, const bvh_content* content )
{
	uint32_t nodes = content->hierarchy->nodes;
	const bvh_qualities* head = (const bvh_qualities*)section;
	if ( bytes != sizeof *head + sizeof( bvh_node_quality ) * (uint64_t)nodes )
	{
		return "the section of the nodes' quality has the wrong size";
	}
	size_t count = 3 * (size_t)nodes;
	const float* value = &bvh_node_qualities( section )->quality;
	float least = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		least = value[i] < least ? value[i] : least;
	}
	bool good = bvh_all_finite_double( &head->unit, 1 ) && head->unit >= 0 && least >= 0 &&
	            bvh_all_finite( value, count );
	return good ? NULL : "a node's quality value is negative or not finite";
}

const char* bvh_check_node_faces( const char* section, uint64_t bytes, const bvh_content* content )
{
	uint32_t nodes = content->hierarchy->nodes;
	const bvh_faces* head = (const bvh_faces*)section;
	if ( bytes != sizeof *head + ( sizeof( bv_packed_obb ) + 1 ) * (uint64_t)nodes )
	{
		return "the section of the nodes' faces has the wrong size";
	}
	if ( !( head->share > 0 && head->share <= 1 ) )
	{
		return "the share of the nodes' faces is out of range";
	}
	bvh_faces_view v = bvh_faces_view_of( section, nodes );
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		if ( !bvh_is_box( v.boxes + i ) )
		{
			return "a box in the section of the nodes' faces is invalid";
		}
		if ( v.two[i] > 1 || ( v.two[i] && !bvh_is_thin( v.boxes + i, head->share ) ) )
		{
			return "a node that is not thin is represented by two faces";
		}
	}
	return NULL;
}
