// Indices over triangles. See index.h.

#include "offline/hausdorff/index.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"

#include <math.h>

enum
{
	leaf_triangles = 4, // so few triangles need no box each
};

static double diagonal_of( const bv_aabb* box )
{
	bv_vec3 e = bv_sub( box->upper, box->lower );
	return sqrt( bv_dot( e, e ) );
}

// Room for an index over `count` triangles: each of them and each node is a child at most once.
static bool make_room( bvhaus_index* index, uint32_t count, uint32_t nodes, bvb_arena* arena )
{
	index->room = count;
	index->nodes = bvb_arena_allocate( arena, nodes, sizeof *index->nodes );
	index->children = bvb_arena_allocate( arena, (size_t)count + nodes, sizeof *index->children );
	return index->nodes && index->children;
}

typedef struct index_builder
{
	const bvb_mesh* mesh;

	// triangles of the mesh where they are ordered anew or boxes are made round them; or null
	bvhaus_placed_triangle* placed;

	bool has_placed_all;
	bvhaus_index* index;
	uint32_t child_count;
} index_builder;

static bvhaus_index_ref add_node( index_builder* b, const bvhaus_index_node* node,
                                  const bvhaus_solid_box* box, const bvhaus_index_ref* children )
{
	bvhaus_index* index = b->index;
	index->nodes[index->node_count] = *node;
	index->nodes[index->node_count].first_child = b->child_count;
	index->solid_boxes[index->node_count] = *box;
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		index->children[b->child_count++] = children[i];
	}
	return index->node_count++;
}

static bvhaus_solid_box solid_box_of( const bv_obb* box )
{
	return ( bvhaus_solid_box ){
		.center = box->center,
		.axis = { box->axis[0], box->axis[1], box->axis[2] },
		.half_extents = { box->half_extents[0], box->half_extents[1], box->half_extents[2] },
	};
}

static bvhaus_solid_box solid_box_of_aligned( const bv_aabb* box )
{
	bv_obb turned = bvvol_aabb_turned( box );
	return solid_box_of( &turned );
}

// What is below a leaf of the tree. No side has more than seven eighths, which keeps the recursion shallow.
static bvhaus_index_ref add_leaf( index_builder* b, uint32_t first, uint32_t count )
{
	if ( count == 1 )
	{
		return first | BVHAUS_REF_TRIANGLE;
	}
	bv_aabb box = bvhaus_box_of_triangles( b->placed + first, count );
	bvhaus_solid_box solid = solid_box_of_aligned( &box );
	bvhaus_index_node node = { .error = diagonal_of( &box ), .first_triangle = first, .triangles = count };
	bvhaus_index_ref children[leaf_triangles];
	if ( count <= leaf_triangles )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			children[node.child_count++] = ( first + i ) | BVHAUS_REF_TRIANGLE;
		}
	}
	else
	{
		uint32_t below = bvhaus_split_triangles( b->placed + first, count );
		children[node.child_count++] = add_leaf( b, first, below );
		children[node.child_count++] = add_leaf( b, first + below, count - below );
	}
	return add_node( b, &node, &solid, children );
}

bool bvhaus_volume_is_box( const bv_volume* volume, bv_obb* box )
{
	if ( volume->type == bv_volume_obb )
	{
		*box = volume->obb;
		return true;
	}
	if ( volume->type == bv_volume_aabb )
	{
		*box = bvvol_aabb_turned( &volume->aabb );
		return true;
	}
	return false;
}

static void place_triangles( index_builder* b, uint32_t first, uint32_t count )
{
	for ( uint32_t i = first; i < first + count; ++i )
	{
		b->placed[i] = bvhaus_place_triangle( b->mesh, i, i );
	}
}

static void frame_triangles( index_builder* b, uint32_t first, uint32_t count )
{
	for ( uint32_t i = first; i < first + count; ++i )
	{
		b->index->triangles[i] = bvhaus_frame_triangle( b->placed[i].corner );
	}
}

static bvhaus_index_ref add_large_leaf( index_builder* b, uint32_t first, uint32_t count )
{
	if ( !b->has_placed_all )
	{
		place_triangles( b, first, count );
	}
	bvhaus_index_ref ref = add_leaf( b, first, count );
	frame_triangles( b, first, count );
	return ref;
}

static bvhaus_index_ref add_small_leaf( index_builder* b, uint32_t first, uint32_t count,
                                        const bvhaus_solid_box* box )
{
	bvhaus_index_node node = { .child_count = count, .first_triangle = first, .triangles = count };
	bvhaus_index_ref children[leaf_triangles];
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvhaus_placed_triangle t = bvhaus_place_triangle( b->mesh, first + i, 0 );
		b->index->triangles[first + i] = bvhaus_frame_triangle( t.corner );
		children[i] = ( first + i ) | BVHAUS_REF_TRIANGLE;
	}
	return count == 1 ? children[0] : add_node( b, &node, box, children );
}

static bvhaus_index_ref add_tree_node( index_builder* b, const bvb_tree* tree, uint32_t at,
                                       const bvhaus_index_ref* refs )
{
	const bvorder_stored_node* node = tree->nodes + at;
	bv_volume volume = bvorder_volume( tree, at );
	bv_obb own;
	bool is_box = bvhaus_volume_is_box( &volume, &own );
	bv_aabb around = { 0 };
	if ( !is_box )
	{
		around = bvhaus_box_of_triangles( b->placed + node->first_triangle, node->triangles );
		own = bvvol_aabb_turned( &around );
	}
	double error = is_box ? INFINITY : diagonal_of( &around );
	bvhaus_solid_box box = solid_box_of( &own );
	if ( node->children == 0 )
	{
		// The leaf's own node has its box, as others have, so that its error can be measured.
		uint32_t first = node->first_triangle;
		bvhaus_index_ref leaf = node->triangles > leaf_triangles
		                            ? add_large_leaf( b, first, node->triangles )
		                            : add_small_leaf( b, first, node->triangles, &box );
		if ( !bvhaus_ref_is_triangle( leaf ) )
		{
			b->index->nodes[leaf].error = error;
			b->index->solid_boxes[leaf] = box;
		}
		return leaf;
	}
	bvhaus_index_node n = {
		.error = error,
		.child_count = node->children,
		.first_triangle = node->first_triangle,
		.triangles = node->triangles,
	};
	return add_node( b, &n, &box, refs + node->first_child );
}

// Whether boxes are made round what nodes hold, whose volumes are none.
static bool needs_boxes( const bvb_tree* tree )
{
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		bv_volume_type type = tree->nodes[i].type;
		if ( type != bv_volume_obb && type != bv_volume_aabb )
		{
			return true;
		}
	}
	return false;
}

static bool has_large_leaves( const bvb_tree* tree )
{
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		if ( tree->nodes[i].children == 0 && tree->nodes[i].triangles > leaf_triangles )
		{
			return true;
		}
	}
	return false;
}

// Makes room for triangles that are placed, all of them or those of large leaves.
static bool prepare_triangles( index_builder* b, const bvb_tree* tree, bvb_arena* scratch )
{
	b->has_placed_all = needs_boxes( tree );
	if ( !b->has_placed_all && !has_large_leaves( tree ) )
	{
		return true;
	}
	uint32_t count = b->mesh->triangle_count;
	b->placed = bvb_arena_allocate( scratch, count, sizeof *b->placed );
	if ( b->placed && b->has_placed_all )
	{
		place_triangles( b, 0, count );
	}
	return b->placed;
}

// How many nodes there can be: no node has fewer than two children.
static uint32_t count_nodes( const bvb_tree* tree )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		uint32_t triangles = tree->nodes[i].triangles;
		bool is_single = tree->nodes[i].children > 0 || ( triangles > 1 && triangles <= leaf_triangles );
		count += is_single ? 1 : triangles - 1;
	}
	return count;
}

static bvhaus_index* create_for_tree( uint32_t count, uint32_t nodes, bvb_arena* arena )
{
	bvhaus_index* index = bvb_arena_allocate( arena, 1, sizeof *index );
	if ( !index )
	{
		return NULL;
	}
	index->triangles = bvb_arena_allocate( arena, count, sizeof *index->triangles );
	index->solid_boxes = bvb_arena_allocate( arena, nodes, sizeof *index->solid_boxes );
	return index->triangles && index->solid_boxes && make_room( index, count, nodes, arena ) ? index : NULL;
}

bvhaus_index* bvhaus_index_of_tree( const bvb_mesh* mesh, const bvb_tree* tree, bvb_arena* arena )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return NULL;
	}
	index_builder b = { .mesh = mesh,
		                .index = create_for_tree( mesh->triangle_count, count_nodes( tree ), arena ) };
	bvhaus_index_ref* refs = bvb_arena_allocate( arena, tree->node_count, sizeof *refs );
	bool good = b.index && refs && prepare_triangles( &b, tree, scratch );
	if ( good )
	{
		// A child's place is behind its parent's.
		for ( uint32_t i = tree->node_count; i-- > 0; )
		{
			refs[i] = add_tree_node( &b, tree, i, refs );
		}
		b.index->triangle_count = mesh->triangle_count;
		b.index->tree = refs;
		b.index->root = refs[0];
	}
	bvb_arena_destroy( scratch );
	return good ? b.index : NULL;
}

// Triangles first ... first + count - 1, whose nodes, one less than they are, have the numbers from `base`
// on: those below a node before it, so that each knows its place without the others.
static bvhaus_index_ref add_range( const bvhaus_index* index, uint32_t first, uint32_t count, uint32_t base )
{
	if ( count == 1 )
	{
		if ( index->triangles )
		{
			index->triangles[first] = bvhaus_frame_triangle( index->placed[first].corner );
		}
		return first | BVHAUS_REF_TRIANGLE;
	}
	bvhaus_index_ref ref = base + count - 2;
	index->aligned_boxes[ref] = bvhaus_box_of_triangles( index->placed + first, count );
	index->nodes[ref] = ( bvhaus_index_node ){
		.error = diagonal_of( &index->aligned_boxes[ref] ),
		.first_triangle = first,
		.triangles = count,
	};
	return ref;
}

void bvhaus_index_open( const bvhaus_index* index, bvhaus_index_ref ref )
{
	bvhaus_index_node* node = index->nodes + ref;
	uint32_t first = node->first_triangle;
	uint32_t count = node->triangles;
	uint32_t base = ref + 2 - count;
	if ( count <= leaf_triangles )
	{
		node->first_child = 2 * base;
		for ( uint32_t i = 0; i < count; ++i )
		{
			index->children[node->first_child + i] = add_range( index, first + i, 1, 0 );
		}
		node->child_count = count;
		return;
	}
	uint32_t below = bvhaus_split_triangles( index->placed + first, count );
	node->first_child = 2 * ref;
	index->children[2 * ref] = add_range( index, first, below, base );
	index->children[2 * ref + 1] = add_range( index, first + below, count - below, base + below - 1 );
	node->child_count = 2;
}

static void open_below( const bvhaus_index* index, bvhaus_index_ref ref )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		return;
	}
	const bvhaus_index_node* node = bvhaus_index_opened( index, ref );
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		open_below( index, index->children[node->first_child + i] );
	}
}

void bvhaus_index_open_all( const bvhaus_index* index )
{
	open_below( index, index->root );
}

static double reach_of( const bv_aabb* box )
{
	return bvmath_max( fabs( box->lower.x ), fabs( box->upper.x ) ) +
	       bvmath_max( fabs( box->lower.y ), fabs( box->upper.y ) ) +
	       bvmath_max( fabs( box->lower.z ), fabs( box->upper.z ) );
}

static bvhaus_index* create_for_triangles( uint32_t room, bool framed, bvb_arena* arena )
{
	bvhaus_index* index = bvb_arena_allocate( arena, 1, sizeof *index );
	if ( !index )
	{
		return NULL;
	}
	index->placed = bvb_arena_allocate( arena, room, sizeof *index->placed );
	index->aligned_boxes = bvb_arena_allocate( arena, room - 1, sizeof *index->aligned_boxes );
	index->triangles = framed ? bvb_arena_allocate( arena, room, sizeof *index->triangles ) : NULL;
	bool good = index->placed && index->aligned_boxes && ( !framed || index->triangles );
	return good && make_room( index, room, room - 1, arena ) ? index : NULL;
}

static void fill( bvhaus_index* index, const bvb_mesh* mesh, const uint32_t* which, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		index->placed[i] = bvhaus_place_triangle( mesh, which ? which[i] : i, i );
	}
	index->triangle_count = count;
	index->node_count = count - 1;
	index->root = add_range( index, 0, count, 0 );
	bv_aabb box = count > 1 ? index->aligned_boxes[index->root] : bvhaus_box_of_triangles( index->placed, 1 );
	index->reach = reach_of( &box );
	if ( count <= bvhaus_direct_triangles )
	{
		bvhaus_index_open_all( index );
	}
}

bvhaus_index* bvhaus_index_of_triangles( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                         bool framed, bvb_arena* arena )
{
	bvhaus_index* index = create_for_triangles( count, framed, arena );
	if ( index )
	{
		fill( index, mesh, which, count );
	}
	return index;
}

bvhaus_index* bvhaus_index_refill( bvhaus_index* index, const bvb_mesh* mesh, const uint32_t* which,
                                   uint32_t count, bvb_arena* arena )
{
	if ( !index->aligned_boxes || index->room < count )
	{
		// Twice as much at least, so that what is left behind is no more than what is used.
		uint32_t twice = index->aligned_boxes ? 2 * index->room : 0;
		index = create_for_triangles( count > twice ? count : twice, true, arena );
	}
	if ( index )
	{
		fill( index, mesh, which, count );
	}
	return index;
}

static inline double beside( double coordinate, double lower, double upper )
{
	return coordinate - bvmath_min( bvmath_max( coordinate, lower ), upper );
}

static inline double square_to_box( const bv_aabb* box, bv_vec3 p )
{
	double x = beside( p.x, box->lower.x, box->upper.x );
	double y = beside( p.y, box->lower.y, box->upper.y );
	double z = beside( p.z, box->lower.z, box->upper.z );
	return ( x * x + y * y ) + z * z;
}

static double distance_to_box( const bvhaus_index* index, bvhaus_index_ref ref, bv_vec3 point )
{
	return index->solid_boxes ? bvhaus_box_distance( &index->solid_boxes[ref], point )
	                          : sqrt( square_to_box( &index->aligned_boxes[ref], point ) );
}

double bvhaus_index_distance( const bvhaus_index* index, bvhaus_index_ref ref, bv_vec3 point )
{
	return bvhaus_ref_is_triangle( ref )
	           ? bvhaus_triangle_distance( bvhaus_ref_triangle( index, ref ), point )
	           : distance_to_box( index, ref, point );
}

void bvhaus_index_node_row( const bvhaus_index* index, bvhaus_index_ref ref, const bvhaus_points* points,
                            int first, int count, double row[bvhaus_row] )
{
	if ( index->solid_boxes )
	{
		bvhaus_box_row( &index->solid_boxes[ref], points, first, count, row );
	}
	else
	{
		bvhaus_solid_box box = solid_box_of_aligned( &index->aligned_boxes[ref] );
		bvhaus_box_row( &box, points, first, count, row );
	}
	int end = first + bvhaus_whole_groups( count );
	for ( int i = first; i < end; ++i )
	{
		row[i] += index->nodes[ref].error;
	}
}

enum
{
	// More than the depth of a tree and of halvings below its leaves, and of splits that leave each side an
	// eighth.
	deep = 160,
};

// What is left to visit, nearest on top.
typedef struct index_visit
{
	bvhaus_index_ref ref;
	double square; // of its distance
} index_visit;

// Puts one more reference below those that are nearer.
static int push( index_visit* stack, int base, int top, index_visit v )
{
	int at = top;
	while ( at > base && stack[at - 1].square < v.square )
	{
		stack[at] = stack[at - 1];
		at -= 1;
	}
	stack[at] = v;
	return top + 1;
}

static double square_to_node( const bvhaus_index* index, bvhaus_index_ref ref, bv_vec3 point )
{
	return index->solid_boxes ? bvhaus_box_square( &index->solid_boxes[ref], point )
	                          : square_to_box( &index->aligned_boxes[ref], point );
}

// Takes a triangle that is nearer than the one that is known.
static void take_nearer( const bvhaus_index* index, bvhaus_index_ref triangle, bv_vec3 point,
                         bvhaus_nearest* known, double* square )
{
	double here = bvhaus_triangle_square( bvhaus_ref_triangle( index, triangle ), point );
	if ( here < *square )
	{
		*known = ( bvhaus_nearest ){ sqrt( here ), triangle };
		*square = here;
	}
}

bvhaus_nearest bvhaus_index_within( const bvhaus_index* index, bvhaus_index_ref from, bv_vec3 point,
                                    double within, bvhaus_nearest known )
{
	double square = known.distance * known.distance;
	if ( bvhaus_ref_is_triangle( from ) )
	{
		take_nearer( index, from, point, &known, &square );
		return known;
	}
	index_visit stack[8 * deep];
	int top = 1;
	stack[0] = ( index_visit ){ from, square_to_node( index, from, point ) };
	while ( top > 0 && known.distance > within )
	{
		index_visit v = stack[--top];
		if ( v.square >= square )
		{
			continue;
		}
		const bvhaus_index_node* node = bvhaus_index_opened( index, v.ref );
		int base = top;
		for ( uint32_t i = 0; i < node->child_count; ++i )
		{
			bvhaus_index_ref child = index->children[node->first_child + i];
			if ( bvhaus_ref_is_triangle( child ) )
			{
				take_nearer( index, child, point, &known, &square );
				continue;
			}
			double d = square_to_node( index, child, point );
			if ( d < square )
			{
				top = push( stack, base, top, ( index_visit ){ child, d } );
			}
		}
	}
	return known;
}

bvhaus_nearest bvhaus_index_nearest( const bvhaus_index* index, bvhaus_index_ref from, bv_vec3 point,
                                     bvhaus_nearest known )
{
	return bvhaus_index_within( index, from, point, -1, known );
}
