// The hierarchy's section: every inner node with its children's volumes, depth first. See write.h.

#include "formats/bvh/write.h"

#include "offline/base/error.h"
#include "offline/tree/tree.h"

#include <string.h>

// Whether a child of so many triangles, 0 for an inner one, has a link.
static bool is_linked( uint32_t triangles )
{
	return triangles == 0 || triangles >= bvfile_kind_linked;
}

static uint32_t leaf_triangles( const bvorder_stored_node* node )
{
	return node->children == 0 ? node->triangles : 0;
}

static uint32_t words_of( const bvb_tree* tree, const bvorder_stored_node* node )
{
	const bvorder_stored_node* child = tree->nodes + node->first_child;
	uint32_t bytes = sizeof( bvfile_packed_node ) + ( ( node->children + 3 ) & ~3u );
	uint32_t same = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bytes += is_linked( leaf_triangles( child + i ) ) ? 4 : 0;
		same += 1;
		if ( i + 1 == node->children || child[i + 1].type != child[i].type )
		{
			bytes += bvfile_group_bytes( child[i].type, same );
			same = 0;
		}
	}
	return bytes / 4;
}

static uint64_t words_of_all( const bvb_tree* tree )
{
	uint64_t words = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		words += tree->nodes[i].children ? words_of( tree, tree->nodes + i ) : 0;
	}
	return words;
}

// Then NODE is of version 2.
static bool has_prisms( const bvb_tree* tree )
{
	bool found = false;
	for ( uint32_t i = 0; i < tree->node_count && !found; ++i )
	{
		found = tree->nodes[i].type == bv_volume_prism;
	}
	return found;
}

uint32_t bvfmt_node_count( const bvfmt_writing* w )
{
	return w->asset->tree ? bvb_tree_node_count( w->asset->tree ) : 0;
}

bv_status bvfmt_prepare_nodes( bvfmt_writing* w, bvb_error* error )
{
	const bvb_tree* tree = w->asset->tree;
	if ( tree && has_prisms( tree ) )
	{
		w->version[bvfile_section_nodes] = 2;
		w->minor[bvfile_section_nodes] = bvfile_minor_of_prisms;
	}
	return tree && !tree->frames
	           ? bvbase_fail( error, bv_error_argument, "the hierarchy's volumes are not snapped" )
	           : bv_ok;
}

uint64_t bvfmt_size_nodes( const bvfmt_writing* w )
{
	const bvb_tree* tree = w->asset->tree;
	if ( !tree )
	{
		return 0;
	}
	size_t more = has_prisms( tree ) ? sizeof( bvfile_prism_costs ) : 0;
	return sizeof( bvfile_hierarchy ) + more + 4 * words_of_all( tree ) + BVFILE_LANES_SLACK;
}

// What is written where.
typedef struct nodes_writer
{
	const bvb_tree* tree;
	bvfile_hierarchy* head;
	uint32_t* words;
} nodes_writer;

static void write_head( const bvb_tree* tree, uint32_t index, bvfile_packed_node* out )
{
	const bvorder_stored_node* node = tree->nodes + index;
	const bvfile_frame_codes* frame = tree->frames + index;
	out->first_child = node->first_child;
	out->first_triangle = node->first_triangle;
	memcpy( out->origin, frame->origin, sizeof out->origin );
	memcpy( out->exponent, frame->exponent, sizeof out->exponent );
	out->extent = frame->extent;
	out->children = (uint8_t)node->children;
	uint8_t* kind = (uint8_t*)( out + 1 );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		const bvorder_stored_node* child = tree->nodes + node->first_child + i;
		uint32_t triangles = leaf_triangles( child );
		kind[i] = (uint8_t)( child->type << bvfile_kind_shift |
		                     ( triangles < bvfile_kind_linked ? triangles : bvfile_kind_linked ) );
		out->links += is_linked( triangles );
	}
}

static void write_volumes( const bvb_tree* tree, uint32_t index, const bvfile_packed_node* node )
{
	bvfile_node_frame frame = bvorder_frame( tree, index );
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume = bvorder_volume( tree, node->first_child + group.first + i );
			bvfile_lane_pack( &group, i, &frame, &volume, (uint8_t*)group.data );
		}
	}
}

static void write_node( nodes_writer* w, uint32_t index, uint32_t level )
{
	const bvb_tree* tree = w->tree;
	const bvorder_stored_node* node = tree->nodes + index;
	bvfile_packed_node* out = (bvfile_packed_node*)( w->words + w->head->node_words );
	write_head( tree, index, out );
	write_volumes( tree, index, out );
	w->head->node_words += words_of( tree, node );
	w->head->depth = level + 1 > w->head->depth ? level + 1 : w->head->depth;
	uint32_t* link = (uint32_t*)bvfile_node_links( out );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		const bvorder_stored_node* child = tree->nodes + node->first_child + i;
		uint32_t triangles = leaf_triangles( child );
		if ( is_linked( triangles ) )
		{
			*link++ = triangles ? triangles : w->head->node_words;
		}
		if ( triangles == 0 )
		{
			write_node( w, node->first_child + i, level + 1 );
		}
	}
}

bvfile_costs bvfmt_stored_costs( const bv_costs* costs )
{
	bvfile_costs out = { .triangles = costs->triangles, .opening = costs->opening, .leaf = costs->leaf };
	for ( int i = 0; i < bvfile_first_types; ++i )
	{
		memcpy( out.volumes[i], costs->volumes[i], sizeof out.volumes[i] );
	}
	return out;
}

bv_status bvfmt_write_nodes( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bvb_tree* tree = w->asset->tree;
	const bv_costs* costs = &w->asset->options.hierarchy.costs;
	bvfile_hierarchy* out = section;
	out->nodes = tree->node_count;
	out->costs = bvfmt_stored_costs( costs );
	out->grid = tree->grid;
	out->root_type = tree->nodes[0].type;
	bv_volume root = bvorder_volume( tree, 0 );
	bvvol_pack( &root, out->root );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		out->leaves += tree->nodes[i].children == 0;
		uint32_t type = tree->nodes[i].type;
		*( type < bvfile_first_types ? out->of_type + type : &out->prisms ) += 1;
	}
	if ( out->prisms > 0 )
	{
		memcpy( out + 1, costs->volumes[bv_volume_prism], sizeof( bvfile_prism_costs ) );
	}
	out->root_triangles = leaf_triangles( tree->nodes );
	if ( out->root_triangles == 0 )
	{
		write_node( &( nodes_writer ){ tree, out, (uint32_t*)bvfile_node_words( out ) }, 0, 0 );
	}
	return bv_ok;
}
