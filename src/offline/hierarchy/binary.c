// From links to a tree. See binary.h.

#include "offline/hierarchy/binary.h"

#include "runtime/math/vec.h"

#include <string.h>

enum
{
	task_faces = 512, // below this a set is not worth a task of its own
};

// Lists the faces below a node, from left to right.
// @param out  room for them
static void binary_gather( const bvhier_binary* links, uint32_t node, uint32_t* out )
{
	uint32_t stack[BV_MAX_DEPTH + 1];
	int top = 0;
	stack[top++] = node;
	while ( top > 0 )
	{
		uint32_t i = stack[--top];
		if ( links->child[i][0] == BVHIER_NO_NODE )
		{
			memcpy( out, links->order + links->first[i], links->count[i] * sizeof *out );
			out += links->count[i];
		}
		else
		{
			stack[top++] = links->child[i][1];
			stack[top++] = links->child[i][0];
		}
	}
}

void bvhier_binary_store( const bvhier_build* build, const bvhier_binary* links, uint32_t leaf_most,
                          uint32_t* source )
{
	bvorder_stored_node* nodes = build->tree->nodes;
	nodes[0] = ( bvorder_stored_node ){ .triangles = links->count[links->root] };
	source[0] = links->root;
	uint32_t placed = 1;
	for ( uint32_t i = 0; i < placed; ++i )
	{
		bvorder_stored_node* node = nodes + i;
		const uint32_t* child = links->child[source[i]];
		if ( child[0] == BVHIER_NO_NODE || node->triangles <= leaf_most )
		{
			binary_gather( links, source[i], build->order + node->first_triangle );
			continue;
		}
		node->first_child = placed;
		node->children = 2;
		uint32_t first = node->first_triangle;
		for ( int k = 0; k < 2; ++k )
		{
			uint32_t count = links->count[child[k]];
			source[placed] = child[k];
			nodes[placed++] = ( bvorder_stored_node ){ .first_triangle = first, .triangles = count };
			first += count;
		}
	}
	build->tree->node_count = placed;
}

static void merge_aabbs( const bv_aabb* a, const bv_aabb* b, bv_aabb* out )
{
	out->lower = bvmath_least( a->lower, b->lower );
	out->upper = bvmath_greatest( a->upper, b->upper );
}

static void merge_kdops( const bv_kdop* a, const bv_kdop* b, bv_kdop* out )
{
	out->k = a->k;
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out->lower[i] = bvmath_min( a->lower[i], b->lower[i] );
		out->upper[i] = bvmath_max( a->upper[i], b->upper[i] );
	}
}

// Rounding outwards is monotone, so that the least stored bound of all is the least of the stored bounds.
bool bvhier_merge_exactly( const bvb_hierarchy_options* options, const bv_volume* a, const bv_volume* b,
                           bv_volume* out )
{
	*out = ( bv_volume ){ .type = a->type };
	switch ( options->volume_types )
	{
	case 1u << bv_volume_aabb: merge_aabbs( &a->aabb, &b->aabb, &out->aabb ); return true;
	case 1u << bv_volume_kdop14:
	case 1u << bv_volume_kdop18:
	case 1u << bv_volume_kdop26: merge_kdops( &a->kdop, &b->kdop, &out->kdop ); return true;
	default: return false;
	}
}

// The children first: their points have the same room as their parent's.
static void fit_below( const bvhier_build* build, uint32_t index )
{
	bvb_tree* tree = build->tree;
	const bvorder_stored_node* node = tree->nodes + index;
	for ( uint32_t k = 0; k < node->children; ++k )
	{
		uint32_t child = node->first_child + k;
#pragma omp task if ( k + 1 < node->children && tree->nodes[child].triangles >= task_faces )
		fit_below( build, child );
	}
#pragma omp taskwait
	bv_volume volume;
	if ( node->children == 2 )
	{
		bv_volume a = bvorder_volume( tree, node->first_child );
		bv_volume b = bvorder_volume( tree, node->first_child + 1 );
		if ( bvhier_merge_exactly( build->options, &a, &b, &volume ) )
		{
			bvorder_set_volume( tree, index, &volume );
			return;
		}
	}
	bvfit_face_list list = bvhier_build_list( build, node->first_triangle, node->triangles );
	volume = bvhier_build_fit( build, bvhier_build_worker( build ), &list, NULL );
	bvorder_set_volume( tree, index, &volume );
}

void bvhier_fit_nodes( const bvhier_build* build )
{
#pragma omp parallel num_threads( build->team ) if ( build->team > 1 )
#pragma omp single
	fit_below( build, 0 );
}
