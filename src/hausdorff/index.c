// Indices over triangles. See index.h.

#include "hausdorff/index.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "fit/obb_node.h"

#include <math.h>
#include <stdlib.h>

typedef struct builder
{
	const bvb_mesh* mesh;
	const uint32_t* which; // triangles of the mesh that count; null for all
	bvb_face* faces;       // of those that count; null while no box is fitted
	uint32_t* order;       // those that count in the index's order
	double* key;           // of each place in that order, where it lies along the axis
	const bvb_node_box* node_box;
	bvb_index* index;
	uint32_t child_count;
} builder;

static void corners_of( const builder* b, uint32_t i, bv_vec3 corner[3] )
{
	const uint32_t* c = b->mesh->triangles[b->which ? b->which[i] : i].corner;
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = b->mesh->positions[c[k]];
	}
}

static bvb_index_ref add_node( builder* b, const bvb_index_node* node, const bvb_index_ref* children )
{
	bvb_index* index = b->index;
	index->nodes[index->node_count] = *node;
	index->nodes[index->node_count].first_child = b->child_count;
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		index->children[b->child_count++] = children[i];
	}
	return index->node_count++;
}

static bvb_solid_box solid_box_of( const bv_packed_obb* packed )
{
	bv_obb box = bv_obb_unpack( packed );
	return ( bvb_solid_box ){
		.center = box.center,
		.axis = { box.axis[0], box.axis[1], box.axis[2] },
		.half_extents = { box.half_extents[0], box.half_extents[1], box.half_extents[2] },
	};
}

// Orders two places along the axis, and by triangle where they are the same.
static bool is_before( const builder* b, uint32_t i, uint32_t j )
{
	return b->key[i] < b->key[j] || ( b->key[i] == b->key[j] && b->order[i] < b->order[j] );
}

static void swap_places( builder* b, uint32_t i, uint32_t j )
{
	uint32_t triangle = b->order[i];
	b->order[i] = b->order[j];
	b->order[j] = triangle;
	double key = b->key[i];
	b->key[i] = b->key[j];
	b->key[j] = key;
}

// Brings the first `wanted` places of the range in front (Hoare 1961, "Find").
static void part( builder* b, uint32_t first, uint32_t count, uint32_t wanted )
{
	uint32_t end = first + count;
	uint32_t goal = first + wanted;
	while ( end - first > 1 )
	{
		swap_places( b, first + ( end - first ) / 2, end - 1 );
		uint32_t kept = first;
		for ( uint32_t i = first; i < end - 1; ++i )
		{
			if ( is_before( b, i, end - 1 ) )
			{
				swap_places( b, i, kept++ );
			}
		}
		swap_places( b, kept, end - 1 );
		if ( kept == goal )
		{
			return;
		}
		first = kept < goal ? kept + 1 : first;
		end = kept < goal ? end : kept;
	}
}

// Halving keeps the recursion shallow.
static bvb_index_ref build( builder* b, uint32_t first, uint32_t count )
{
	if ( count == 1 )
	{
		return first | BVB_REF_TRIANGLE;
	}
	bv_packed_obb packed = b->node_box->fit( b->faces, b->order + first, count );
	bvb_index_node node = { .box = solid_box_of( &packed ),
		                    .error = INFINITY,
		                    .child_count = 2,
		                    .first_triangle = first,
		                    .triangles = count };
	const double* half = node.box.half_extents;
	bv_vec3 axis = node.box.axis[half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2];
	for ( uint32_t i = first; i < first + count; ++i )
	{
		b->key[i] = bv_dot( axis, bv_sub( b->faces[b->order[i]].midpoint, node.box.center ) );
	}
	part( b, first, count, count / 2 );
	bvb_index_ref children[2];
	children[0] = build( b, first, count / 2 );
	children[1] = build( b, first + count / 2, count - count / 2 );
	return add_node( b, &node, children );
}

// Room for an index over `count` triangles: no node has fewer than two children.
static bvb_index* create( builder* b, uint32_t count, bvb_arena* arena, bvb_arena* scratch )
{
	bvb_index* index = bvb_arena_allocate( arena, 1, sizeof *index );
	b->node_box = bvb_node_box_find( "pca" );
	b->order = bvb_arena_allocate( scratch, count, sizeof *b->order );
	if ( !index || !b->order )
	{
		return NULL;
	}
	index->triangle_count = count;
	index->triangles = bvb_arena_allocate( arena, count, sizeof *index->triangles );
	index->nodes = bvb_arena_allocate( arena, count - 1, sizeof *index->nodes );
	index->children = bvb_arena_allocate( arena, 2 * (size_t)count - 2, sizeof *index->children );
	return index->triangles && index->nodes && index->children ? index : NULL;
}

// What fitting boxes takes.
static bool make_faces( builder* b, uint32_t count, bvb_arena* scratch )
{
	b->faces = bvb_arena_allocate( scratch, count, sizeof *b->faces );
	b->key = bvb_arena_allocate( scratch, count, sizeof *b->key );
	for ( uint32_t i = 0; b->faces && b->key && i < count; ++i )
	{
		bv_vec3 corner[3];
		corners_of( b, i, corner );
		b->faces[i] = bvb_face_of( corner );
	}
	return b->faces && b->key;
}

static void frame_triangles( const builder* b )
{
	for ( uint32_t i = 0; i < b->index->triangle_count; ++i )
	{
		bv_vec3 corner[3];
		corners_of( b, b->order[i], corner );
		b->index->triangles[i] = bvb_frame_triangle( corner );
	}
}

static bvb_index_ref add_tree_node( builder* b, const bvb_stored_node* node, const bvb_index_ref* refs )
{
	if ( node->children == 0 )
	{
		return build( b, node->first_triangle, node->triangles );
	}
	bvb_index_node n = {
		.box = solid_box_of( &node->box ),
		.error = INFINITY,
		.child_count = node->children,
		.first_triangle = node->first_triangle,
		.triangles = node->triangles,
	};
	return add_node( b, &n, refs + node->first_child );
}

static bool has_large_leaves( const bvb_tree* tree )
{
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		if ( tree->nodes[i].children == 0 && tree->nodes[i].triangles > 1 )
		{
			return true;
		}
	}
	return false;
}

bvb_index* bvb_index_of_tree( const bvb_mesh* mesh, const bvb_tree* tree, bvb_arena* arena )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return NULL;
	}
	builder b = { .mesh = mesh };
	b.index = create( &b, mesh->triangle_count, arena, scratch );
	bvb_index_ref* refs = bvb_arena_allocate( arena, tree->node_count, sizeof *refs );
	bool good = b.index && refs;
	for ( uint32_t i = 0; good && i < mesh->triangle_count; ++i )
	{
		b.order[i] = i;
	}
	good = good && ( !has_large_leaves( tree ) || make_faces( &b, mesh->triangle_count, scratch ) );
	if ( good )
	{
		// A child's place is behind its parent's.
		for ( uint32_t i = tree->node_count; i-- > 0; )
		{
			refs[i] = add_tree_node( &b, tree->nodes + i, refs );
		}
		frame_triangles( &b );
		b.index->tree = refs;
		b.index->root = refs[0];
	}
	bvb_arena_destroy( scratch );
	return good ? b.index : NULL;
}

bvb_index* bvb_index_of_triangles( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                   bvb_arena* arena )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return NULL;
	}
	builder b = { .mesh = mesh, .which = which };
	b.index = create( &b, count, arena, scratch );
	bool good = b.index;
	for ( uint32_t i = 0; good && i < count; ++i )
	{
		b.order[i] = i;
	}
	good = good && make_faces( &b, count, scratch );
	if ( good )
	{
		b.index->root = build( &b, 0, count );
		frame_triangles( &b );
	}
	bvb_arena_destroy( scratch );
	return good ? b.index : NULL;
}

enum
{
	// More than the depth of a tree and of halvings below its leaves.
	deep = 128,
};

// What is left to visit, nearest on top.
typedef struct visit
{
	bvb_index_ref ref;
	double distance;
} visit;

double bvb_index_distance( const bvb_index* index, bvb_index_ref ref, bv_vec3 point )
{
	return bvb_ref_is_triangle( ref ) ? bvb_triangle_distance( bvb_ref_triangle( index, ref ), point )
	                                  : bvb_box_distance( &index->nodes[ref].box, point );
}

void bvb_index_row( const bvb_index* index, bvb_index_ref ref, const bvb_points* points, double row[bvb_row] )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		bvb_triangle_row( bvb_ref_triangle( index, ref ), points, row );
		return;
	}
	const bvb_index_node* node = index->nodes + ref;
	bvb_box_row( &node->box, points, row );
	for ( int i = 0; i < points->count; ++i )
	{
		row[i] += node->error;
	}
}

// Puts one more reference below those that are nearer.
static int push( visit* stack, int base, int top, visit v )
{
	int at = top;
	while ( at > base && stack[at - 1].distance < v.distance )
	{
		stack[at] = stack[at - 1];
		at -= 1;
	}
	stack[at] = v;
	return top + 1;
}

bvb_nearest bvb_index_within( const bvb_index* index, bvb_index_ref from, bv_vec3 point, double within,
                              bvb_nearest known )
{
	visit stack[8 * deep];
	int top = 1;
	stack[0] = ( visit ){ from, bvb_index_distance( index, from, point ) };
	while ( top > 0 && known.distance > within )
	{
		visit v = stack[--top];
		if ( v.distance >= known.distance )
		{
			continue;
		}
		if ( bvb_ref_is_triangle( v.ref ) )
		{
			known = ( bvb_nearest ){ v.distance, v.ref };
			continue;
		}
		const bvb_index_node* node = index->nodes + v.ref;
		int base = top;
		for ( uint32_t i = 0; i < node->child_count; ++i )
		{
			bvb_index_ref child = index->children[node->first_child + i];
			double d = bvb_index_distance( index, child, point );
			if ( d < known.distance )
			{
				top = push( stack, base, top, ( visit ){ child, d } );
			}
		}
	}
	return known;
}

bvb_nearest bvb_index_nearest( const bvb_index* index, bvb_index_ref from, bv_vec3 point, bvb_nearest known )
{
	return bvb_index_within( index, from, point, -1, known );
}
