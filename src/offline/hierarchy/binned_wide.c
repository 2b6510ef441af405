// A binary tree of boxes made wide as it is built: each node knows what it costs least as one, two, ... eight
// subtrees, once both of its children do. Dynamic programming after I. Wald, C. Benthin, S. Boulos, "Getting
// Rid of Packets", 2008, and H. Ylitie, T. Karras, S. Laine, "Efficient Incoherent Ray Traversal on GPUs
// Through Compressed Wide BVHs", 2017, section 3.1, as in collapse.c; but with the boxes' surfaces whatever
// volumes the nodes will have, and without another walk.
//
// A choice has 3 bits for each number of subtrees from 2 on: one less than how many of them are the first
// child's. Above these it has how many children the node itself is best given, 0 for a leaf.

#include "offline/hierarchy/binned.h"
#include "offline/hierarchy/expected.h"
#include "runtime/file/node.h"

#include <string.h>

enum
{
	bits_of_share = 3,
	best_shift = bits_of_share * ( BVB_MAX_CHILDREN - 1 ),
	task_faces = 4096,  // below this a subtree is not worth a task of its own
	team_faces = 32768, // below this another thread is not worth to be woken
};

// Of several types the first counts: what it is is not known before the volumes are fitted.
static bv_volume_type type_of( const bvb_hierarchy_options* options )
{
	int type = 0;
	while ( !( options->volume_types >> type & 1 ) )
	{
		type += 1;
	}
	return (bv_volume_type)type;
}

bvhier_binned_prices bvhier_binned_prices_make( const bvhier_build* build, const bvhier_binned_bounds* root )
{
	const bvb_hierarchy_options* options = build->options;
	bv_volume nothing = { .type = bv_volume_aabb };
	bvhier_expected e = bvhier_expected_make( options, &nothing );
	bv_volume_type type = type_of( options );
	float byte = (float)( options->byte_price / build->count );
	float volume = (float)bvfile_group_bytes( type, 4 ) / 4 + 3;
	bvbase_float4 size = root->upper - root->lower;
	float side = size[0] > size[1] ? size[0] : size[1];
	side = side > size[2] ? side : size[2];
	bvhier_binned_prices p = {
		.inverse = side > 0x1p-120f ? 1 / side : 0x1p120f,
		.chance = 1,
		.opening = (float)e.opening,
		.child = (float)e.volume[type],
		.leaf = (float)e.leaf,
		.triangles = (float)e.triangles,
		.inner_bytes = byte * ( volume + (float)sizeof( bvfile_packed_node ) + 4 ),
		.leaf_bytes = byte * volume,
		.most = options->collapse ? options->collapse : 2,
		.leaf_most = options->leaf_triangles,
		.fixed = options->collapse == 0,
	};
	float whole = bvhier_binned_chance( &p, root );
	p.chance = whole > 0 ? 1 / whole : 1;
	return p;
}

void bvhier_binned_set_leaf( bvhier_binned_node* node, float cost, bvhier_binned_least* out )
{
	node->child = 0;
	node->choice = 0;
	node->below = 0;
	for ( int k = 0; k <= BVB_MAX_CHILDREN; ++k )
	{
		out->cost[k] = INFINITY;
		out->nodes[k] = 0;
	}
	out->cost[1] = cost;
	out->nodes[1] = 1;
	out->most = 1;
}

void bvhier_binned_choose( const bvhier_binned_prices* p, bvhier_binned_node* node, float chance, float leaf,
                           const bvhier_binned_least below[2], bvhier_binned_least* out )
{
	float inner = INFINITY;
	uint32_t best = 0;
	uint32_t choice = 0;
	uint32_t most = below[0].most + below[1].most;
	most = most < p->most ? most : p->most;
	for ( uint32_t k = 2; k <= most; ++k )
	{
		float least = INFINITY;
		uint32_t left = 1;
		for ( uint32_t i = 1; i < k; ++i )
		{
			float sum = below[0].cost[i] + below[1].cost[k - i];
			left = sum < least ? i : left;
			least = sum < least ? sum : least;
		}
		out->cost[k] = least;
		out->nodes[k] = below[0].nodes[left] + below[1].nodes[k - left];
		choice |= ( left - 1 ) << bits_of_share * ( k - 2 );
		float sum = chance * ( p->opening + p->child * (float)k ) + least;
		best = sum < inner ? k : best;
		inner = sum < inner ? sum : inner;
	}
	for ( uint32_t k = most + 1; k <= BVB_MAX_CHILDREN; ++k )
	{
		out->cost[k] = INFINITY;
		out->nodes[k] = 0;
	}
	out->most = most;
	inner += p->inner_bytes;
	bool stays = p->fixed || inner < leaf;
	best = stays ? best : 0;
	out->cost[1] = stays ? inner : leaf;
	node->below = stays ? out->nodes[best] : 0;
	out->nodes[1] = 1 + node->below;
	node->choice = choice | best << best_shift;
}

// Where the wide tree is written.
typedef struct binned_wide_writer
{
	const bvhier_build* build;
	const bvhier_binned_node* nodes;
	const uint32_t* faces;
} binned_wide_writer;

// The roots that represent a node's subtree where there are to be `count`, from left to right.
static uint32_t* list_roots( const binned_wide_writer* w, uint32_t node, uint32_t count, uint32_t* out )
{
	if ( count == 1 )
	{
		*out = node;
		return out + 1;
	}
	const bvhier_binned_node* n = w->nodes + node;
	uint32_t left = ( n->choice >> bits_of_share * ( count - 2 ) & 7 ) + 1;
	return list_roots( w, n->child + 1, count - left, list_roots( w, n->child, left, out ) );
}

static void write_leaf( const binned_wide_writer* w, const bvhier_binned_node* from, bvorder_stored_node* to,
                        uint32_t placed )
{
	to->first_triangle = placed;
	memcpy( w->build->order + placed, w->faces + from->first, from->count * sizeof *w->faces );
}

// Writes what is below a node: its descendants to `free` and on, its triangles to `placed` and on.
static void write_below( const binned_wide_writer* w, uint32_t from, uint32_t to, uint32_t free,
                         uint32_t placed );

static void write_node( const binned_wide_writer* w, const bvhier_binned_node* from, uint32_t to )
{
	bvb_tree* tree = w->build->tree;
	tree->nodes[to] = ( bvorder_stored_node ){ .triangles = from->count, .type = bv_volume_aabb };
	if ( tree->volumes && w->build->bare )
	{
		float* volume = (float*)( tree->volumes + (size_t)tree->stride * to );
		memcpy( volume, from->lower, sizeof from->lower );
		memcpy( volume + 3, from->upper, sizeof from->upper );
	}
}

static void write_below( const binned_wide_writer* w, uint32_t from, uint32_t to, uint32_t free,
                         uint32_t placed )
{
	const bvhier_binned_node* nodes = w->nodes;
	bvorder_stored_node* out = w->build->tree->nodes;
	uint32_t count = nodes[from].choice >> best_shift;
	if ( count == 0 )
	{
		write_leaf( w, nodes + from, out + to, placed );
		return;
	}
	uint32_t roots[BVB_MAX_CHILDREN];
	list_roots( w, from, count, roots );
	out[to].first_triangle = placed;
	out[to].first_child = free;
	out[to].children = count;
	for ( uint32_t k = 0; k < count; ++k )
	{
		const bvhier_binned_node* root = nodes + roots[k];
		write_node( w, root, free + k );
		if ( root->choice >> best_shift == 0 )
		{
			write_leaf( w, root, out + free + k, placed );
			placed += root->count;
		}
	}
	uint32_t next = free + count;
	for ( uint32_t k = 0; k < count; ++k )
	{
		const bvhier_binned_node* root = nodes + roots[k];
		if ( root->choice >> best_shift )
		{
			uint32_t child = roots[k];
			uint32_t at = free + k;
#pragma omp task firstprivate( child, at, next, placed ) if ( root->count >= task_faces )
			write_below( w, child, at, next, placed );
			next += root->below;
			placed += root->count;
		}
	}
}

void bvhier_binned_emit( const bvhier_build* build, const bvhier_binned_node* nodes, const uint32_t* faces )
{
	binned_wide_writer w = { build, nodes, faces };
	write_node( &w, nodes, 0 );
#pragma omp parallel num_threads( build->team ) if ( build->team > 1 && build->count >= team_faces )
#pragma omp single
	write_below( &w, 0, 0, 1, 0 );
}
