// Boxes of the vertices of each node by bone: of leaves from their vertices, of inner nodes from their children. See skin.h.

#include "world/deform/skin.h"

#include <math.h>

static bvwdeform_bone_box* entry_of( const bvw_skin* s, uint32_t number, uint32_t bone )
{
	uint32_t i = s->first_entry[number];
	while ( s->entry_bone[i] != bone )
	{
		++i;
	}
	return s->entry_box + i;
}

static void grow( bvwdeform_bone_box* box, const float lower[3], const float upper[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		box->lower[i] = lower[i] < box->lower[i] ? lower[i] : box->lower[i];
		box->upper[i] = upper[i] > box->upper[i] ? upper[i] : box->upper[i];
	}
}

static void add_vertex( const bvw_skin* s, uint32_t number, uint32_t vertex )
{
	for ( uint32_t i = s->first_pair[vertex]; i < s->first_pair[vertex + 1]; ++i )
	{
		grow( entry_of( s, number, s->pair_bone[i] ), s->rest[vertex], s->rest[vertex] );
	}
}

static void fill_leaf( const bvw_skin* s, uint32_t leaf )
{
	const bvtree_refit* r = &s->deform->refit;
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[leaf + 1]; ++i )
	{
		add_vertex( s, s->leaf_node[leaf], r->vertices[i] );
	}
}

static void fill_inner( const bvw_skin* s, const bvtree_refit_inner* inner )
{
	const bvfile_packed_node* node = (const bvfile_packed_node*)( s->deform->refit.words + inner->place );
	uint32_t first = s->first_entry[node->first_child];
	uint32_t end = s->first_entry[node->first_child + node->children];
	for ( uint32_t i = first; i < end; ++i )
	{
		grow( entry_of( s, inner->number, s->entry_bone[i] ), s->entry_box[i].lower, s->entry_box[i].upper );
	}
}

void bvwdeform_fill_boxes( bvw_skin* skin )
{
	const bvtree_refit* r = &skin->deform->refit;
	for ( uint64_t i = 0; i < skin->counts.entries; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			skin->entry_box[i].lower[k] = INFINITY;
			skin->entry_box[i].upper[k] = -INFINITY;
		}
	}
	for ( uint32_t leaf = 0; leaf < skin->deform->counts.leaves; ++leaf )
	{
		fill_leaf( skin, leaf );
	}
	for ( uint32_t i = r->inner_count; i-- > 0; )
	{
		fill_inner( skin, r->inner + i );
	}
}
