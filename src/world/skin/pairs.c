// Bones and weights that a caller gives, and which bones the nodes of a hierarchy have. See skin.h.

#include "world/skin/skin.h"

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
                      uint16_t bone[bvwskin_most_pairs], float weight[bvwskin_most_pairs] )
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

uint32_t bvwskin_read_pairs( const bvw_weights* weights, uint32_t vertex, uint16_t bone[bvwskin_most_pairs],
                             float weight[bvwskin_most_pairs] )
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
	uint16_t bone[bvwskin_most_pairs];
	float weight[bvwskin_most_pairs];
	uint32_t count = bvwskin_read_pairs( weights, vertex, bone, weight );
	for ( uint32_t i = 0; i < count; ++i )
	{
		set[bone[i] / 64] |= UINT64_C( 1 ) << bone[i] % 64;
	}
}

void bvwskin_find_bones( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
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

static void add_weights( const bvw_weights* weights, uint32_t vertex, bool is_first,
                         bvwskin_leaf_weights* out )
{
	uint16_t bone[bvwskin_most_pairs];
	float weight[bvwskin_most_pairs];
	double part[bvwskin_most_blended] = { 0 };
	uint32_t count = bvwskin_read_pairs( weights, vertex, bone, weight );
	double sum = 0;
	for ( uint32_t i = 0; i < count && out->bones <= bvwskin_most_blended; ++i )
	{
		uint32_t k = 0;
		while ( k < out->bones && out->bone[k] != bone[i] )
		{
			++k;
		}
		if ( k == bvwskin_most_blended )
		{
			out->bones = k + 1;
			return;
		}
		if ( k == out->bones )
		{
			// Vertices before have the weight 0.
			out->bone[k] = bone[i];
			out->least[k] = is_first ? 1 : 0;
			out->most[k] = 0;
			out->bones += 1;
		}
		part[k] += weight[i];
		sum += weight[i];
	}
	for ( uint32_t k = 0; k < out->bones && k < bvwskin_most_blended; ++k )
	{
		double w = part[k] / sum;
		out->least[k] = w < out->least[k] ? w : out->least[k];
		out->most[k] = w > out->most[k] ? w : out->most[k];
	}
}

bool bvwskin_find_weights( const bvw_deform* deform, const bvw_weights* weights, uint32_t number,
                           bvwskin_leaf_weights* out )
{
	// If weights differ by more, boxes by bone are better.
	const double most_spread = 0.5;
	const bvtree_refit* r = &deform->refit;
	uint32_t leaf = r->first_leaf[number];
	out->bones = 0;
	if ( r->end_leaf[number] - leaf > 1 )
	{
		return false;
	}
	uint32_t first = r->leaf_begin[leaf];
	for ( uint32_t i = first; i < r->leaf_begin[leaf + 1] && out->bones <= bvwskin_most_blended; ++i )
	{
		add_weights( weights, r->vertices[i], i == first, out );
	}
	double spread = 0;
	for ( uint32_t i = 0; i < out->bones && i < bvwskin_most_blended; ++i )
	{
		spread += ( out->most[i] - out->least[i] ) / 2;
	}
	return out->bones > 1 && out->bones <= bvwskin_most_blended && spread <= most_spread;
}
