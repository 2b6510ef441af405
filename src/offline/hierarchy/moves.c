// Moves of subtrees: which nodes they change, what they really gain, and making them. See moves.h.

#include "offline/hierarchy/moves.h"

#include "bvbuild/fit.h"
#include "offline/base/arena.h"
#include "offline/hierarchy/exposure.h"
#include "runtime/volume/kinds.h"

#include <omp.h>
#include <string.h>

// Whether a type is allowed that has axes of its own.
static bool has_turned( uint32_t types )
{
	bool turned = false;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		turned = turned || ( types >> i & 1 && bvvol_kind_of( (bv_volume_type)i )->extents > 0 );
	}
	return turned;
}

// What visits to an inner node cost, all in the same unit.
static double cost_of( const bvhier_moves* m, const bv_volume* volume, float exposed )
{
	return bvb_area_of( volume ) * m->build->quality.collision[volume->type] * exposed;
}

static void measure( bvhier_moves* m, uint32_t node )
{
	bv_volume volume = bvorder_volume( &m->volumes, node );
	m->inner[node] = cost_of( m, &volume, m->exposed[node] );
	m->area[node] = bvhier_framed_area( m->framed + node, m->turned );
	double plain = m->area[node] * m->exposed[node];
	m->rate[node] = plain > 0 ? m->inner[node] / plain : 0;
}

static void measure_height( bvhier_moves* m, uint32_t node )
{
	uint8_t a = m->height[m->links.child[node][0]];
	uint8_t b = m->height[m->links.child[node][1]];
	m->height[node] = (uint8_t)( 1 + ( a > b ? a : b ) );
}

static float greater( float a, float b )
{
	return a > b ? a : b;
}

static void merge_framed( bvhier_moves* m, uint32_t node )
{
	const uint32_t* child = m->links.child[node];
	m->exposed[node] = greater( m->exposed[child[0]], m->exposed[child[1]] );
	m->framed[node] = bvhier_framed_merge( m->framed + child[0], m->framed + child[1] );
}

static void load_leaf( bvhier_moves* m, const bvorder_stored_node* from, uint32_t node )
{
	const bvhier_build* build = m->build;
	const uint32_t* face = m->links.order + from->first_triangle;
	m->framed[node] = bvhier_framed_face( build->faces + face[0] );
	m->exposed[node] = m->face_exposed[face[0]];
	for ( uint32_t i = 1; i < from->triangles; ++i )
	{
		bvhier_framed more = bvhier_framed_face( build->faces + face[i] );
		m->framed[node] = bvhier_framed_merge( m->framed + node, &more );
		m->exposed[node] = greater( m->exposed[node], m->face_exposed[face[i]] );
	}
	m->links.child[node][0] = BVHIER_NO_NODE;
	m->links.child[node][1] = BVHIER_NO_NODE;
	m->height[node] = 0;
}

// In canonical order children come behind their parents.
static void load( bvhier_moves* m )
{
	for ( uint32_t i = m->count; i-- > 0; )
	{
		const bvorder_stored_node* from = m->volumes.nodes + i;
		m->links.first[i] = from->first_triangle;
		m->links.count[i] = from->triangles;
		if ( from->children == 0 )
		{
			load_leaf( m, from, i );
		}
		else
		{
			for ( uint32_t k = 0; k < 2; ++k )
			{
				m->links.child[i][k] = from->first_child + k;
				m->parent[from->first_child + k] = i;
			}
			merge_framed( m, i );
			measure_height( m, i );
		}
		measure( m, i );
	}
	m->parent[0] = BVHIER_NO_NODE;
}

static bool allocate( bvhier_moves* m )
{
	bvb_arena* arena = m->build->scratch;
	uint32_t n = m->count;
	m->links.child = bvb_arena_allocate( arena, n, sizeof *m->links.child );
	m->links.first = bvb_arena_allocate( arena, n, sizeof *m->links.first );
	m->links.count = bvb_arena_allocate( arena, n, sizeof *m->links.count );
	uint32_t* order = bvb_arena_allocate( arena, m->build->count, sizeof *order );
	m->parent = bvb_arena_allocate( arena, n, sizeof *m->parent );
	m->height = bvb_arena_allocate( arena, n, sizeof *m->height );
	m->level = bvb_arena_allocate( arena, n, sizeof *m->level );
	m->framed = bvb_arena_allocate( arena, n, sizeof *m->framed );
	m->area = bvb_arena_allocate( arena, n, sizeof *m->area );
	m->exposed = bvb_arena_allocate( arena, n, sizeof *m->exposed );
	m->next_exposed = bvb_arena_allocate( arena, n, sizeof *m->next_exposed );
	m->face_exposed = bvb_arena_allocate( arena, m->build->count, sizeof *m->face_exposed );
	m->inner = bvb_arena_allocate( arena, n, sizeof *m->inner );
	m->rate = bvb_arena_allocate( arena, n, sizeof *m->rate );
	m->next.nodes = bvb_arena_allocate( arena, n, sizeof *m->next.nodes );
	m->next.volumes = bvb_arena_allocate( arena, n, m->volumes.stride );
	m->next.stride = m->volumes.stride;
	m->owner = bvb_arena_allocate( arena, n, sizeof *m->owner );
	m->locked = bvb_arena_allocate( arena, n, sizeof *m->locked );
	m->changed = bvb_arena_allocate( arena, n, sizeof *m->changed );
	m->taken = bvb_arena_allocate( arena, n, sizeof *m->taken );
	m->refused = bvb_arena_allocate( arena, n, sizeof *m->refused );
	m->best = bvb_arena_allocate( arena, n, sizeof *m->best );
	m->entries = bvb_arena_allocate( arena, 2 * (size_t)n, sizeof *m->entries );
	m->room = bvb_arena_allocate( arena, (size_t)m->build->team, sizeof *m->room );
	if ( order )
	{
		memcpy( order, m->build->order, m->build->count * sizeof *order );
	}
	m->links.order = order;
	return m->links.child && m->links.first && m->links.count && order && m->parent && m->height &&
	       m->level && m->framed && m->area && m->exposed && m->next_exposed && m->face_exposed && m->inner &&
	       m->rate && m->next.nodes && m->next.volumes && m->owner && m->locked && m->changed && m->taken &&
	       m->refused && m->best && m->entries && m->room;
}

bvhier_moves* bvhier_moves_create( const bvhier_build* build )
{
	bvhier_moves* m = bvb_arena_allocate( build->scratch, 1, sizeof *m );
	bvb_tree* tree = bvorder_create( build->tree, build->scratch );
	if ( !m || !tree )
	{
		return NULL;
	}
	m->build = build;
	m->volumes = *tree;
	m->count = tree->node_count;
	m->turned = has_turned( build->options->volume_types );
	if ( !allocate( m ) )
	{
		return NULL;
	}
	bvhier_expose( build->faces, build->count, m->face_exposed );
	load( m );
	return m;
}

static void measure_levels( bvhier_moves* m )
{
	uint32_t stack[BV_MAX_DEPTH + 1];
	int top = 0;
	stack[top++] = m->links.root;
	m->level[m->links.root] = 0;
	while ( top > 0 )
	{
		uint32_t node = stack[--top];
		for ( int k = 0; k < 2 && m->links.child[node][0] != BVHIER_NO_NODE; ++k )
		{
			uint32_t child = m->links.child[node][k];
			m->level[child] = (uint8_t)( m->level[node] + 1 );
			stack[top++] = child;
		}
	}
}

void bvhier_moves_begin_round( bvhier_moves* m )
{
	measure_levels( m );
	memset( m->owner, 0xff, m->count * sizeof *m->owner );
	memset( m->locked, 0, m->count * sizeof *m->locked );
	m->changes = 0;
}

// The children of a node once the move is made.
static uint32_t child_after( const bvhier_moves* m, const bvhier_move* move, uint32_t node, int k )
{
	uint32_t child = m->links.child[node][k];
	if ( move->kind == bvhier_move_exchange )
	{
		return child == move->node ? move->to : child == move->to ? move->node : child;
	}
	uint32_t parent = m->parent[move->node];
	if ( node == parent )
	{
		return k == 0 ? move->to : move->node;
	}
	return child == parent ? bvhier_moves_sibling( m, move->node ) : child == move->to ? parent : child;
}

static uint32_t common_ancestor( const bvhier_moves* m, uint32_t a, uint32_t b )
{
	while ( a != b )
	{
		uint32_t* deeper = m->level[a] >= m->level[b] ? &a : &b;
		*deeper = m->parent[*deeper];
	}
	return a;
}

// Where the two paths begin whose nodes lose and receive faces.
static void find_ends( const bvhier_moves* m, const bvhier_move* move, uint32_t end[2] )
{
	uint32_t parent = m->parent[move->node];
	end[0] = move->kind == bvhier_move_insert ? m->parent[parent] : parent;
	end[1] = m->parent[move->to];
}

// The nodes whose sets the move changes, children before parents as they will be. The parent that is moved
// comes between the path that loses the node and the one that receives it.
static uint32_t list_changed( const bvhier_moves* m, const bvhier_move* move, uint32_t* out )
{
	uint32_t end[2];
	find_ends( m, move, end );
	uint32_t top = common_ancestor( m, end[0], end[1] );
	uint32_t parent = m->parent[move->node];
	uint32_t count = 0;
	for ( int path = 0; path < 2; ++path )
	{
		if ( path == 1 && move->kind == bvhier_move_insert )
		{
			out[count++] = parent;
		}
		for ( uint32_t i = end[path]; i != top; i = m->parent[i] )
		{
			if ( move->kind == bvhier_move_exchange || i != parent )
			{
				out[count++] = i;
			}
		}
	}
	return count;
}

// The nodes whose links the move changes.
static uint32_t list_linked( const bvhier_moves* m, const bvhier_move* move, uint32_t out[6] )
{
	out[0] = move->node;
	out[1] = move->to;
	find_ends( m, move, out + 2 );
	out[4] = m->parent[move->node];
	out[5] = bvhier_moves_sibling( m, move->node );
	return move->kind == bvhier_move_insert ? 6 : 4;
}

bool bvhier_moves_take( bvhier_moves* m, const bvhier_move* move, uint32_t number )
{
	uint32_t node[2 * BV_MAX_DEPTH + 8];
	uint32_t changed = list_changed( m, move, node );
	uint32_t count = changed + list_linked( m, move, node + changed );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( m->locked[node[i]] )
		{
			return false;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		m->locked[node[i]] = true;
	}
	m->taken[number] = ( bvhier_taken ){ *move, m->changes, changed, false };
	for ( uint32_t i = 0; i < changed; ++i )
	{
		m->owner[node[i]] = number;
		m->changed[m->changes++] = node[i];
	}
	return true;
}

// The faces below a node once the move is made.
static uint32_t gather_after( const bvhier_moves* m, const bvhier_move* move, uint32_t node, uint32_t* out )
{
	uint32_t stack[BV_MAX_DEPTH + 4]; // a move may make the tree a level deeper
	uint32_t count = 0;
	int top = 0;
	stack[top++] = node;
	while ( top > 0 )
	{
		uint32_t i = stack[--top];
		if ( m->links.child[i][0] == BVHIER_NO_NODE )
		{
			memcpy( out + count, m->links.order + m->links.first[i], m->links.count[i] * sizeof *out );
			count += m->links.count[i];
		}
		else
		{
			stack[top++] = child_after( m, move, i, 1 );
			stack[top++] = child_after( m, move, i, 0 );
		}
	}
	return count;
}

// Of the new tree if the move changes it, else of the old.
static bv_volume volume_after( const bvhier_moves* m, uint32_t number, uint32_t node )
{
	return bvorder_volume( m->owner[node] == number ? &m->next : &m->volumes, node );
}

static uint32_t count_after( const bvhier_moves* m, uint32_t number, uint32_t node )
{
	return m->owner[node] == number ? m->next.nodes[node].triangles : m->links.count[node];
}

static bool make_room( const bvhier_moves* m, bvhier_worker* worker, bvhier_moves_room* room, uint32_t faces )
{
	if ( room->faces >= faces )
	{
		return true;
	}
	uint32_t wanted = faces > m->build->count / 2 ? m->build->count : 2 * faces;
	room->order = bvb_arena_allocate( worker->arena, wanted, sizeof *room->order );

	// Boxes are fitted without.
	bool plain = m->build->options->volume_types == 1u << bv_volume_obb;
	room->corners =
		plain ? NULL : bvb_arena_allocate( worker->arena, 3 * (size_t)wanted, sizeof *room->corners );
	room->faces = room->order && ( plain || room->corners ) ? wanted : 0;
	return room->faces > 0;
}

static float exposed_after( const bvhier_moves* m, uint32_t number, uint32_t node )
{
	return ( m->owner[node] == number ? m->next_exposed : m->exposed )[node];
}

static bool fit_after( bvhier_moves* m, uint32_t number, uint32_t node )
{
	const bvhier_build* build = m->build;
	const bvhier_move* move = &m->taken[number].move;
	uint32_t a = child_after( m, move, node, 0 );
	uint32_t b = child_after( m, move, node, 1 );
	uint32_t count = count_after( m, number, a ) + count_after( m, number, b );
	bv_volume volume_a = volume_after( m, number, a );
	bv_volume volume_b = volume_after( m, number, b );
	bv_volume volume;
	m->next.nodes[node].triangles = count;
	m->next_exposed[node] = greater( exposed_after( m, number, a ), exposed_after( m, number, b ) );
	if ( !bvhier_merge_exactly( build->options, &volume_a, &volume_b, &volume ) )
	{
		bvhier_worker* worker = bvhier_build_worker( build );
		bvhier_moves_room* room = m->room + omp_get_thread_num();
		if ( !make_room( m, worker, room, count ) )
		{
			return false;
		}
		gather_after( m, move, node, room->order );
		bvfit_face_list list = { build->faces, room->order, count, room->corners, build->node_box };
		volume = bvhier_build_fit( build, worker, &list, NULL );
	}
	bvorder_set_volume( &m->next, node, &volume );
	return true;
}

void bvhier_moves_prove( bvhier_moves* m, uint32_t number )
{
	bvhier_taken* t = m->taken + number;
	double before = 0;
	double after = 0;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		uint32_t node = m->changed[t->first + i];
		if ( !fit_after( m, number, node ) )
		{
#pragma omp atomic write
			*m->build->failed = true;
			return;
		}
		bv_volume volume = bvorder_volume( &m->next, node );
		before += m->inner[node];
		after += cost_of( m, &volume, m->next_exposed[node] );
	}
	t->proved = after < before;
}

static uint32_t level_of( const bvhier_moves* m, uint32_t node )
{
	uint32_t level = 0;
	for ( ; m->parent[node] != BVHIER_NO_NODE; node = m->parent[node] )
	{
		level += 1;
	}
	return level;
}

// Moves made before in the round may have taken levels that were free when the search looked.
static bool fits( const bvhier_moves* m, const bvhier_move* move )
{
	uint32_t most = m->build->options->max_depth;
	uint32_t a = m->height[move->node];
	uint32_t b = m->height[move->to];
	if ( move->kind == bvhier_move_insert )
	{
		return level_of( m, move->to ) + 1 + ( a > b ? a : b ) <= most;
	}
	return level_of( m, move->to ) + a <= most && level_of( m, move->node ) + b <= most;
}

static void relink( bvhier_moves* m, uint32_t node, const uint32_t child[2] )
{
	for ( int k = 0; k < 2; ++k )
	{
		m->links.child[node][k] = child[k];
		m->parent[child[k]] = node;
	}
}

static void change_links( bvhier_moves* m, const bvhier_move* move )
{
	uint32_t node[3];
	uint32_t child[3][2];
	find_ends( m, move, node );
	node[2] = m->parent[move->node];
	for ( int i = 0; i < 3; ++i )
	{
		child[i][0] = child_after( m, move, node[i], 0 );
		child[i][1] = child_after( m, move, node[i], 1 );
	}
	for ( int i = 0; i < 3; ++i )
	{
		relink( m, node[i], child[i] );
	}
}

static void update( bvhier_moves* m, uint32_t node )
{
	bv_volume volume = bvorder_volume( &m->next, node );
	bvorder_set_volume( &m->volumes, node, &volume );
	m->links.count[node] = m->next.nodes[node].triangles;
	merge_framed( m, node );
	measure( m, node );
}

bool bvhier_moves_make( bvhier_moves* m, uint32_t number )
{
	const bvhier_taken* t = m->taken + number;
	const bvhier_move* move = &t->move;
	if ( !t->proved || !fits( m, move ) )
	{
		m->refused[move->node] = (uint8_t)( m->refused[move->node] + ( m->refused[move->node] < UINT8_MAX ) );
		return false;
	}
	uint32_t end[2];
	find_ends( m, move, end );
	change_links( m, move );
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		update( m, m->changed[t->first + i] );
	}
	const uint32_t from[3] = { m->parent[move->node], end[0], end[1] };
	for ( int i = 0; i < 3; ++i )
	{
		for ( uint32_t node = from[i]; node != BVHIER_NO_NODE; node = m->parent[node] )
		{
			measure_height( m, node );
		}
	}
	return true;
}

bool bvhier_moves_end( bvhier_moves* m )
{
	uint32_t* source = bvb_arena_allocate( m->build->scratch, m->count, sizeof *source );
	if ( !source )
	{
		return false;
	}
	bvb_tree* tree = m->build->tree;
	bvhier_binary_store( m->build, &m->links, 0, source );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		bv_volume volume = bvorder_volume( &m->volumes, source[i] );
		bvorder_set_volume( tree, i, &volume );
	}
	return true;
}
