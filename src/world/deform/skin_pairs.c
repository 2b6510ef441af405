// Bones and weights that a caller gives, and which bones the nodes of a hierarchy have. See skin.h.

#include "world/deform/skin.h"

#include <string.h>

static uint32_t bone_at( const bvw_influences* set, uint32_t number, uint32_t i )
{
	size_t stride = set->bones_stride > 0 ? set->bones_stride : (size_t)set->bone_bytes * set->count;
	const char* from = (const char*)set->bones + stride * number;
	return set->bone_bytes == 1   ? ( (const uint8_t*)from )[i]
	       : set->bone_bytes == 2 ? ( (const uint16_t*)(const void*)from )[i]
	                              : ( (const uint32_t*)(const void*)from )[i];
}

static float weight_at( const bvw_influences* set, uint32_t number, uint32_t i )
{
	size_t stride = set->weights_stride > 0 ? set->weights_stride : sizeof( float ) * set->count;
	return ( (const float*)(const void*)( (const char*)set->weights + stride * number ) )[i];
}

// Written so that a NaN fails.
static bool is_weight( float weight )
{
	return weight >= 0 && weight <= 0x1.fffffep127f;
}

// @param count  of pairs before; how many there are then
static bool read_set( const bvw_weights* weights, const bvw_influences* set, uint32_t number, uint32_t* count,
                      uint16_t bone[bvwdeform_most_pairs], float weight[bvwdeform_most_pairs] )
{
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		float w = weight_at( set, number, i );
		uint32_t of = bone_at( set, number, i );
		if ( !is_weight( w ) || ( w > 0 && of >= weights->bones ) )
		{
			return false;
		}
		if ( w > 0 )
		{
			bone[*count] = (uint16_t)of;
			weight[*count] = w;
			*count += 1;
		}
	}
	return true;
}

uint32_t bvwdeform_read_pairs( const bvw_weights* weights, uint32_t vertex,
                               uint16_t bone[bvwdeform_most_pairs], float weight[bvwdeform_most_pairs] )
{
	uint32_t number = weights->index ? weights->index[vertex] : vertex;
	uint32_t count = 0;
	bool reads = number < weights->vertices &&
	             read_set( weights, &weights->set, number, &count, bone, weight ) &&
	             read_set( weights, &weights->more, number, &count, bone, weight );
	return reads ? count : 0;
}

static void add_bones( const bvw_weights* weights, uint32_t vertex, uint64_t* set )
{
	uint16_t bone[bvwdeform_most_pairs];
	float weight[bvwdeform_most_pairs];
	uint32_t count = bvwdeform_read_pairs( weights, vertex, bone, weight );
	for ( uint32_t i = 0; i < count; ++i )
	{
		set[bone[i] / 64] |= UINT64_C( 1 ) << bone[i] % 64;
	}
}

void bvwdeform_find_bones( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
                           uint64_t* set )
{
	const bvtree_refit* r = &deform->refit;
	uint32_t first = r->first_leaf[number];
	uint32_t end = r->end_leaf[number];
	memset( set, 0, ( weights->bones + 63 ) / 64 * sizeof *set );
	for ( uint32_t i = r->leaf_begin[first]; i < r->leaf_begin[end]; ++i )
	{
		add_bones( weights, r->vertices[i], set );
	}
}
