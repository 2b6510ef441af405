// Octree: nodes with many objects are divided into eight cells, and each object is in one node.
//
// Based on: J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 6.1.2 (a box that
// contains all objects is divided into eight by halving its edges or the number of its objects, until few are left; only nodes
// with objects are made); T. Ulrich, "Loose octrees", 2000 (each object is in one node: that of its center, whose cells are not
// shorter than the object).
//
// What is divided is the box of the centers of a node's objects, in the middle of its edges, so that cells adapt to where objects
// are and outliers cost one node. Halving the numbers of objects did not take less time (docs/experiments/world_claims.md).
// Objects that are longer than half of that box, and infinite ones, stay in the node. A node knows the bounds of
// all objects of it and below, which queries prune by, so that nothing depends on how cells are rounded.
//
// An object that moves within its cell enlarges bounds at most. One that leaves its cell is placed anew, from the lowest node above
// whose cell has its center. The next update makes bounds tight, divides nodes with many objects, and removes empty ones. There are
// three nodes for four objects. If they are used up, objects stay in nodes above, where finding them takes more time, and the tree is
// built anew at times.
//
// Changed objects of a node are searched for together, with the bounds of all of them.

#include "world/broadphase/octree.h"
#include "world/broadphase/query.h"

#include <math.h>

#define NONE BVWPHASE_NO_NODE

enum
{
	together = 32, // objects that are searched for at a time
	least_nodes = 16,
};

static uint32_t nodes_for( const bvw_broadphase_options* options )
{
	return (uint32_t)( options->objects * UINT64_C( 3 ) / 4 ) + least_nodes;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t nodes = nodes_for( options );
	return sizeof( bvwphase_octree_state ) + nodes * sizeof( bvwphase_octree_node ) +
	       options->objects * (uint64_t)sizeof( bvwphase_octree_entry ) + bvwphase_aligned( 4 * nodes );
}

static void begin( bvw_broadphase* world )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	t->nodes = nodes_for( &world->options );
	t->nodes_at = world->method_at + sizeof( bvwphase_octree_state );
	t->entries_at = t->nodes_at + t->nodes * (uint64_t)sizeof( bvwphase_octree_node );
	t->dirty_at = t->entries_at + world->options.objects * (uint64_t)sizeof( bvwphase_octree_entry );
	bvwphase_octree_clear( world );
}

static void add( bvw_broadphase* world, uint32_t number )
{
	bvwphase_octree_place( world, number, bvwphase_octree_of( world )->root );
}

static void move( bvw_broadphase* world, uint32_t number, const bv_aabb* from )
{
	(void)from;
	if ( bvwphase_octree_is_home( world, number ) )
	{
		bvwphase_octree_enclose( world, number );
		return;
	}
	uint32_t above = bvwphase_octree_above( world, number );
	bvwphase_octree_take_out( world, number );
	bvwphase_octree_place( world, number, above );
}

static void remove_object( bvw_broadphase* world, uint32_t number )
{
	bvwphase_octree_take_out( world, number );
	bvwphase_octree_entries( world )[number] = ( bvwphase_octree_entry ){ .node = 0 };
}

// A walk through the nodes whose bounds touch a box. The root is not compared.
typedef struct octree_walk
{
	bv_aabb box;
	uint64_t categories; // nodes without any of them are left out
	uint64_t tests;
} octree_walk;

// The next node in the order of a walk that goes down where it can.
// @return NONE at the end
static uint32_t next_node( const bvw_broadphase* world, octree_walk* w, uint32_t node )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	uint32_t octant = nodes[node].is_divided ? 0 : 8;
	for ( ;; )
	{
		for ( ; octant < 8; ++octant )
		{
			uint32_t child = nodes[node].child[octant];
			if ( child == NONE || ( nodes[child].categories & w->categories ) == 0 )
			{
				continue;
			}
			++w->tests;
			if ( bvwphase_boxes_touch( &nodes[child].bounds, &w->box ) )
			{
				return child;
			}
		}
		if ( nodes[node].parent == NONE )
		{
			return NONE;
		}
		octant = nodes[node].octant + 1;
		node = nodes[node].parent;
	}
}

// Changed objects of a node, and their bounds.
typedef struct octree_group
{
	bv_aabb bounds;
	uint64_t masks;
	uint32_t count;
	uint32_t number[together];
	bv_aabb box[together];
} octree_group;

static void join( octree_group* g, uint32_t number, const bvwphase_object* o )
{
	bv_aabb* all = &g->bounds;
	g->number[g->count] = number;
	g->box[g->count] = o->box;
	g->masks = g->count > 0 ? g->masks | o->mask : o->mask;
	if ( g->count++ == 0 )
	{
		*all = o->box;
		return;
	}
	all->lower.x = o->box.lower.x < all->lower.x ? o->box.lower.x : all->lower.x;
	all->lower.y = o->box.lower.y < all->lower.y ? o->box.lower.y : all->lower.y;
	all->lower.z = o->box.lower.z < all->lower.z ? o->box.lower.z : all->lower.z;
	all->upper.x = o->box.upper.x > all->upper.x ? o->box.upper.x : all->upper.x;
	all->upper.y = o->box.upper.y > all->upper.y ? o->box.upper.y : all->upper.y;
	all->upper.z = o->box.upper.z > all->upper.z ? o->box.upper.z : all->upper.z;
}

// Of two changed objects, the one with the greater number reports.
// @return false if there is no room
static bool compare( bvw_broadphase* world, const octree_group* g, uint32_t other )
{
	const bvwphase_object* o = bvwphase_objects( world ) + other;
	uint32_t least = o->state & bvwphase_is_changed ? other + 1 : 0;
	++world->tests;
	if ( !bvwphase_boxes_touch( &o->box, &g->bounds ) )
	{
		return true;
	}
	for ( uint32_t i = 0; i < g->count; ++i )
	{
		if ( g->number[i] < least )
		{
			continue;
		}
		if ( !bvwphase_boxes_touch( &o->box, g->box + i ) )
		{
			++world->tests;
		}
		else if ( !bvwphase_report( world, g->number[i], other ) )
		{
			return false;
		}
	}
	return true;
}

static bool search( bvw_broadphase* world, const octree_group* g )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	octree_walk w = { .box = g->bounds, .categories = g->masks };
	for ( uint32_t node = bvwphase_octree_of( world )->root; node != NONE;
	      node = next_node( world, &w, node ) )
	{
		for ( uint32_t i = nodes[node].first; i != NONE; i = entries[i].next )
		{
			if ( !compare( world, g, i ) )
			{
				return false;
			}
		}
	}
	world->tests += w.tests;
	return true;
}

// Searches for the pairs of all changed objects of a node.
static bool search_for( bvw_broadphase* world, uint32_t node )
{
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	octree_group g;
	g.count = 0;
	for ( uint32_t i = bvwphase_octree_nodes( world )[node].first; i != NONE; i = entries[i].next )
	{
		if ( objects[i].state & bvwphase_is_changed )
		{
			join( &g, i, objects + i );
		}
		if ( g.count == together || ( g.count > 0 && entries[i].next == NONE ) )
		{
			if ( !search( world, &g ) )
			{
				return false;
			}
			g.count = 0;
		}
	}
	return true;
}

static bool find( bvw_broadphase* world )
{
	bvwphase_octree_settle( world );
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	const uint32_t* changed = bvwphase_changed( world );
	bool is_done = true;
	for ( uint32_t i = 0; i < world->changed_count && is_done; ++i )
	{
		uint32_t node = entries[changed[i]].node;
		if ( bvwphase_has_object( world, changed[i] ) && !nodes[node].is_done )
		{
			nodes[node].is_done = true;
			is_done = search_for( world, node );
		}
	}
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		nodes[entries[changed[i]].node].is_done = false;
	}
	return is_done;
}

static void overlap( const bvw_broadphase* world, bvwphase_query* query )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	octree_walk w = { .box = query->box, .categories = query->mask };
	for ( uint32_t node = bvwphase_octree_of( world )->root; node != NONE;
	      node = next_node( world, &w, node ) )
	{
		for ( uint32_t i = nodes[node].first; i != NONE; i = entries[i].next )
		{
			bvwphase_look_at( query, i );
		}
	}
	query->tests += w.tests;
}

const bvwphase_method bvwphase_octree = {
	.name = "octree",
	.help = "an octree whose nodes know the bounds of their objects (Eckstein 1998; Ulrich 2000)",
	.bytes = bytes,
	.begin = begin,
	.add = add,
	.move = move,
	.remove = remove_object,
	.find = find,
	.finds_known = true,
	.overlap = overlap,
};
