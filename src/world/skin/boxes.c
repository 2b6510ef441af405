// Boxes of the vertices of each node by bone, and weights of the vertices of leaves that are blended. See skin.h.

#include "world/skin/skin.h"

#include "runtime/math/round.h"
#include "runtime/math/vec.h"

#include <math.h>

// Weights err by less than 2^-48 if they are divided by their sum, for up to 16 pairs. This also covers the rounding of their middle.
static const double weight_rounding = 0x1p-40;

static void grow( bvwskin_bone_box* box, const float lower[3], const float upper[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		box->lower[i] = lower[i] < box->lower[i] ? lower[i] : box->lower[i];
		box->upper[i] = upper[i] > box->upper[i] ? upper[i] : box->upper[i];
	}
}

// @return the number of a bone among the entries of a node
static uint32_t entry_of( const bvw_skin* s, uint32_t number, uint32_t bone )
{
	uint32_t i = 0;
	while ( s->entry_bone[s->first_entry[number] + i] != bone )
	{
		++i;
	}
	return i;
}

static void add_vertex( const bvw_skin* s, uint32_t number, uint32_t vertex )
{
	for ( uint32_t i = s->first_pair[vertex]; i < s->first_pair[vertex + 1]; ++i )
	{
		uint32_t entry = entry_of( s, number, s->pair_bone[i] );
		grow( bvwskin_box_at( s, number, entry ), s->rest[vertex], s->rest[vertex] );
	}
}

static void fill_weights( const bvw_skin* s, const bvw_weights* weights, uint32_t number )
{
	bvwskin_leaf_weights w;
	if ( !bvwskin_find_weights( s->deform, weights, number, &w ) )
	{
		return;
	}
	for ( uint32_t i = 0; i < w.bones; ++i )
	{
		uint32_t k = s->first_entry[number] + entry_of( s, number, w.bone[i] );
		float middle = (float)( ( w.least[i] + w.most[i] ) / 2 );
		s->entry_weight[k] = middle;
		s->entry_spread[k] =
			bvmath_float_up( bvmath_max( w.most[i] - middle, middle - w.least[i] ) + weight_rounding );
	}
}

static void fill_leaf( const bvw_skin* s, const bvw_weights* weights, uint32_t leaf )
{
	const bvtree_refit* r = &s->deform->refit;
	uint32_t number = s->leaf_node[leaf];
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[leaf + 1]; ++i )
	{
		add_vertex( s, number, r->vertices[i] );
	}
	fill_weights( s, weights, number );
}

static void fill_inner( const bvw_skin* s, const bvtree_refit_inner* inner )
{
	const bvfile_packed_node* node = (const bvfile_packed_node*)( s->deform->refit.words + inner->place );
	for ( uint32_t i = node->first_child; i < node->first_child + node->children; ++i )
	{
		uint32_t first = s->first_entry[i];
		for ( uint32_t k = first; k < s->first_entry[i + 1]; ++k )
		{
			const bvwskin_bone_box* box = bvwskin_box_at( s, i, k - first );
			uint32_t entry = entry_of( s, inner->number, s->entry_bone[k] );
			grow( bvwskin_box_at( s, inner->number, entry ), box->lower, box->upper );
		}
	}
}

void bvwskin_fill_boxes( bvw_skin* skin, const bvw_weights* weights )
{
	const bvtree_refit* r = &skin->deform->refit;
	for ( uint64_t i = 0; i < skin->counts.boxes; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			skin->boxes[i].lower[k] = INFINITY;
			skin->boxes[i].upper[k] = -INFINITY;
		}
	}
	for ( uint32_t leaf = 0; leaf < skin->deform->counts.leaves; ++leaf )
	{
		fill_leaf( skin, weights, leaf );
	}
	for ( uint32_t i = r->inner_count; i-- > 0; )
	{
		fill_inner( skin, r->inner + i );
	}
}
