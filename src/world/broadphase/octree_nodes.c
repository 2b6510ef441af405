// The nodes of the octree: where objects belong, dividing, and correcting.

#include "world/broadphase/octree.h"

#include <math.h>
#include <string.h>

#define NONE BVWPHASE_NO_NODE

enum
{
	most_own = 12,     // a node with more objects is divided
	few = 6,           // a node with as many below is one again
	most_depth = 32,   // nodes deeper than this are not divided
	crowded = 32,      // objects of a node that cannot be divided, so that the tree is built anew
	longest_wait = 255 // updates
};

static const bv_aabb everywhere = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
static const bv_aabb nowhere = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static const bv_aabb* box_of( const bvw_broadphase* world, uint32_t number )
{
	return &bvwphase_objects( world )[number].box;
}

// Of infinite boxes, anything.
static bv_vec3 center_of( const bv_aabb* box )
{
	return ( bv_vec3 ){ 0.5 * box->lower.x + 0.5 * box->upper.x, 0.5 * box->lower.y + 0.5 * box->upper.y,
		                0.5 * box->lower.z + 0.5 * box->upper.z };
}

static double longest_side( const bv_aabb* box )
{
	double x = box->upper.x - box->lower.x;
	double y = box->upper.y - box->lower.y;
	double z = box->upper.z - box->lower.z;
	double longest = x > y ? x : y;
	return z > longest ? z : longest;
}

static bool cell_has( const bv_aabb* cell, bv_vec3 c )
{
	return cell->lower.x <= c.x && c.x < cell->upper.x && cell->lower.y <= c.y && c.y < cell->upper.y &&
	       cell->lower.z <= c.z && c.z < cell->upper.z;
}

static uint32_t octant_of( const bvwphase_octree_node* n, bv_vec3 c )
{
	return ( c.x >= n->split[0] ? 1u : 0u ) | ( c.y >= n->split[1] ? 2u : 0u ) |
	       ( c.z >= n->split[2] ? 4u : 0u );
}

static bool encloses( const bv_aabb* outer, const bv_aabb* box )
{
	return outer->lower.x <= box->lower.x && outer->lower.y <= box->lower.y &&
	       outer->lower.z <= box->lower.z && box->upper.x <= outer->upper.x &&
	       box->upper.y <= outer->upper.y && box->upper.z <= outer->upper.z;
}

static void grow( bv_aabb* bounds, const bv_aabb* box )
{
	bounds->lower.x = box->lower.x < bounds->lower.x ? box->lower.x : bounds->lower.x;
	bounds->lower.y = box->lower.y < bounds->lower.y ? box->lower.y : bounds->lower.y;
	bounds->lower.z = box->lower.z < bounds->lower.z ? box->lower.z : bounds->lower.z;
	bounds->upper.x = box->upper.x > bounds->upper.x ? box->upper.x : bounds->upper.x;
	bounds->upper.y = box->upper.y > bounds->upper.y ? box->upper.y : bounds->upper.y;
	bounds->upper.z = box->upper.z > bounds->upper.z ? box->upper.z : bounds->upper.z;
}

// @return a node without objects, or NONE
static uint32_t take_node( bvw_broadphase* world )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	uint32_t node = t->free;
	if ( node != NONE )
	{
		t->free = nodes[node].parent;
	}
	else if ( t->used < t->nodes )
	{
		node = t->used++;
	}
	else
	{
		return NONE;
	}
	nodes[node] = ( bvwphase_octree_node ){
		.bounds = nowhere,
		.child = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE },
		.parent = NONE,
		.first = NONE,
		.cell = everywhere,
	};
	return node;
}

static void free_node( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + node;
	*n = ( bvwphase_octree_node ){ .parent = t->free };
	t->free = node;
}

void bvwphase_octree_clear( bvw_broadphase* world )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	t->used = 0;
	t->dirty = 0;
	t->free = NONE;
	t->root = take_node( world );
}

static void mark( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + node;
	if ( !n->is_dirty )
	{
		n->is_dirty = true;
		n->waits = 0;
		( (uint32_t*)bvwphase_at( world, t->dirty_at ) )[t->dirty++] = node;
	}
}

static void put_in( bvw_broadphase* world, uint32_t number, uint32_t node )
{
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + node;
	bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	entries[number] = ( bvwphase_octree_entry ){ .node = node, .next = n->first, .previous = NONE };
	if ( n->first != NONE )
	{
		entries[n->first].previous = number;
	}
	n->first = number;
	++n->own;
}

static void take_from( bvw_broadphase* world, uint32_t number )
{
	bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	bvwphase_octree_entry e = entries[number];
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + e.node;
	if ( e.previous == NONE )
	{
		n->first = e.next;
	}
	else
	{
		entries[e.previous].next = e.next;
	}
	if ( e.next != NONE )
	{
		entries[e.next].previous = e.previous;
	}
	--n->own;
}

void bvwphase_octree_take_out( bvw_broadphase* world, uint32_t number )
{
	mark( world, bvwphase_octree_entries( world )[number].node );
	take_from( world, number );
}

// @return a child; NONE if there are no more nodes
static uint32_t child_for( bvw_broadphase* world, uint32_t node, uint32_t octant )
{
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + node;
	uint32_t child = n->child[octant];
	if ( child != NONE )
	{
		return child;
	}
	child = take_node( world );
	if ( child == NONE )
	{
		return NONE;
	}
	bvwphase_octree_node* c = bvwphase_octree_nodes( world ) + child;
	c->parent = node;
	c->octant = octant;
	c->cell = n->cell;
	*( octant & 1 ? &c->cell.lower.x : &c->cell.upper.x ) = n->split[0];
	*( octant & 2 ? &c->cell.lower.y : &c->cell.upper.y ) = n->split[1];
	*( octant & 4 ? &c->cell.lower.z : &c->cell.upper.z ) = n->split[2];
	n->child[octant] = child;
	return child;
}

void bvwphase_octree_enclose( bvw_broadphase* world, uint32_t number )
{
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_object* o = bvwphase_objects( world ) + number;
	uint32_t at = bvwphase_octree_entries( world )[number].node;
	mark( world, at );
	for ( ; at != NONE; at = nodes[at].parent )
	{
		bvwphase_octree_node* n = nodes + at;
		if ( encloses( &n->bounds, &o->box ) && ( n->categories & o->category ) == o->category )
		{
			return;
		}
		grow( &n->bounds, &o->box );
		n->categories |= o->category;
	}
}

void bvwphase_octree_place( bvw_broadphase* world, uint32_t number, uint32_t at )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bv_aabb* box = box_of( world, number );
	double longest = longest_side( box );
	while ( nodes[at].is_divided && longest <= nodes[at].longest )
	{
		uint32_t child = child_for( world, at, octant_of( nodes + at, center_of( box ) ) );
		if ( child == NONE )
		{
			break;
		}
		at = child;
	}
	put_in( world, number, at );
	bvwphase_octree_enclose( world, number );
}

bool bvwphase_octree_is_home( const bvw_broadphase* world, uint32_t number )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_octree_node* n = nodes + bvwphase_octree_entries( world )[number].node;
	const bv_aabb* box = box_of( world, number );
	double longest = longest_side( box );
	bool is_too_deep = n->parent != NONE &&
	                   !( longest <= nodes[n->parent].longest && cell_has( &n->cell, center_of( box ) ) );
	return !is_too_deep && !( n->is_divided && longest <= n->longest );
}

uint32_t bvwphase_octree_above( const bvw_broadphase* world, uint32_t number )
{
	const bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bv_aabb* box = box_of( world, number );
	double longest = longest_side( box );
	bv_vec3 center = center_of( box );
	uint32_t at = bvwphase_octree_entries( world )[number].node;
	while ( nodes[at].parent != NONE &&
	        !( longest <= nodes[nodes[at].parent].longest && cell_has( &nodes[at].cell, center ) ) )
	{
		at = nodes[at].parent;
	}
	return at;
}

static uint32_t depth_of( const bvwphase_octree_node* nodes, uint32_t node )
{
	uint32_t depth = 0;
	for ( ; nodes[node].parent != NONE; node = nodes[node].parent )
	{
		++depth;
	}
	return depth;
}

// The middle of an interval, such that one of its ends is below and the other one is not.
static double middle_of( double lower, double upper )
{
	double middle = 0.5 * lower + 0.5 * upper;
	return middle > lower ? middle : upper;
}

// What decides how a node is divided.
typedef struct octree_census
{
	bv_aabb centers;
	double sides[3]; // sums
	double longest;  // of all sides
	double count;
} octree_census;

// Of the objects of a node that are finite.
static octree_census count_objects( const bvw_broadphase* world, const bvwphase_octree_node* n )
{
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	octree_census all = { .centers = nowhere };
	for ( uint32_t i = n->first; i != NONE; i = entries[i].next )
	{
		const bv_aabb* box = box_of( world, i );
		double side = longest_side( box );
		if ( side < (double)INFINITY )
		{
			bv_vec3 c = center_of( box );
			grow( &all.centers, &( bv_aabb ){ c, c } );
			all.longest = side > all.longest ? side : all.longest;
			all.sides[0] += box->upper.x - box->lower.x;
			all.sides[1] += box->upper.y - box->lower.y;
			all.sides[2] += box->upper.z - box->lower.z;
			all.count += 1;
		}
	}
	return all;
}

// @return whether objects are on average at most half as long as the box of their centers, along some axis
static bool can_be_parted( const octree_census* all )
{
	const bv_aabb* c = &all->centers;
	return all->sides[0] <= 0.5 * ( c->upper.x - c->lower.x ) * all->count ||
	       all->sides[1] <= 0.5 * ( c->upper.y - c->lower.y ) * all->count ||
	       all->sides[2] <= 0.5 * ( c->upper.z - c->lower.z ) * all->count;
}

// Chooses where the cells of children meet: in the middle of the box of the centers of its objects. That separates any that
// differ, however far outliers are. Where most objects are too long, as needles and slabs can be, all go down if that parts them.
// @return false if no object would go into a child
static bool choose_split( const bvw_broadphase* world, bvwphase_octree_node* n )
{
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	octree_census all = count_objects( world, n );
	double longest = 0.5 * longest_side( &all.centers );
	double fit = 0;
	for ( uint32_t i = n->first; i != NONE; i = entries[i].next )
	{
		fit += longest_side( box_of( world, i ) ) <= longest ? 1 : 0;
	}
	if ( !( longest > 0 ) )
	{
		return false;
	}
	if ( fit < 0.5 * all.count && can_be_parted( &all ) )
	{
		longest = all.longest > longest ? all.longest : longest;
		fit = all.count;
	}
	n->split[0] = middle_of( all.centers.lower.x, all.centers.upper.x );
	n->split[1] = middle_of( all.centers.lower.y, all.centers.upper.y );
	n->split[2] = middle_of( all.centers.lower.z, all.centers.upper.z );
	n->longest = longest;
	return fit > 0;
}

// Moves objects of a node into children, which are divided later. Bounds are corrected later.
static void divide( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* n = bvwphase_octree_nodes( world ) + node;
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	if ( n->is_divided || n->own <= most_own || !choose_split( world, n ) )
	{
		return;
	}
	if ( depth_of( bvwphase_octree_nodes( world ), node ) >= most_depth )
	{
		t->must_rebuild |= n->own > crowded;
		return;
	}
	n->is_divided = true;
	uint32_t next = NONE;
	for ( uint32_t i = n->first; i != NONE; i = next )
	{
		next = entries[i].next;
		const bv_aabb* box = box_of( world, i );
		if ( longest_side( box ) <= n->longest )
		{
			uint32_t child = child_for( world, node, octant_of( n, center_of( box ) ) );
			t->must_rebuild |= child == NONE;
			if ( child != NONE )
			{
				take_from( world, i );
				put_in( world, i, child );
				mark( world, child );
			}
		}
	}
}

// Replaces the children of a node with few objects by these.
static void absorb( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	for ( int k = 0; k < 8; ++k )
	{
		uint32_t child = nodes[node].child[k];
		if ( child != NONE && nodes[child].is_divided )
		{
			return;
		}
	}
	for ( int k = 0; k < 8; ++k )
	{
		uint32_t child = nodes[node].child[k];
		uint32_t next = NONE;
		for ( uint32_t i = child != NONE ? nodes[child].first : NONE; i != NONE; i = next )
		{
			next = entries[i].next;
			put_in( world, i, node );
		}
		if ( child != NONE )
		{
			free_node( world, child );
			nodes[node].child[k] = NONE;
		}
	}
	nodes[node].is_divided = false;
}

// Bounds, categories and the number of objects, from those of children, which are right.
static void correct( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	bvwphase_octree_node* n = nodes + node;
	const bvwphase_octree_entry* entries = bvwphase_octree_entries( world );
	const bvwphase_object* objects = bvwphase_objects( world );
	bv_aabb bounds = nowhere;
	uint64_t categories = 0;
	uint32_t total = n->own;
	for ( uint32_t i = n->first; i != NONE; i = entries[i].next )
	{
		grow( &bounds, &objects[i].box );
		categories |= objects[i].category;
	}
	for ( int k = 0; k < 8 && n->is_divided; ++k )
	{
		if ( n->child[k] != NONE )
		{
			const bvwphase_octree_node* c = nodes + n->child[k];
			grow( &bounds, &c->bounds );
			categories |= c->categories;
			total += c->total;
		}
	}
	n->bounds = bounds;
	n->categories = categories;
	n->total = total;
	if ( n->is_divided && total <= few )
	{
		absorb( world, node );
	}
}

// @return the only child of a node without objects of its own, or NONE
static uint32_t only_child( const bvwphase_octree_node* n )
{
	uint32_t only = NONE;
	for ( int k = 0; k < 8; ++k )
	{
		if ( n->child[k] != NONE )
		{
			if ( only != NONE )
			{
				return NONE;
			}
			only = n->child[k];
		}
	}
	return n->own == 0 ? only : NONE;
}

// Removes a node that has become useless: an empty one, or one with a single child, which takes its place.
static void simplify( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	bvwphase_octree_node* n = nodes + node;
	uint32_t instead = n->total > 0 ? only_child( n ) : NONE;
	bool is_root = node == t->root;
	if ( ( n->total > 0 && instead == NONE ) || ( is_root && instead == NONE ) )
	{
		return;
	}
	if ( instead != NONE )
	{
		nodes[instead].parent = n->parent;
		nodes[instead].octant = n->octant;
		nodes[instead].cell = n->cell;
	}
	if ( is_root )
	{
		t->root = instead;
	}
	else
	{
		nodes[n->parent].child[n->octant] = instead;
	}
	free_node( world, node );
}

// Corrects a node whose children are right, and those above that wait for it only.
static void correct_upward( bvw_broadphase* world, uint32_t node )
{
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	while ( node != NONE && nodes[node].is_dirty && nodes[node].waits == 0 )
	{
		uint32_t parent = nodes[node].parent;
		nodes[node].is_dirty = false;
		correct( world, node );
		simplify( world, node );
		if ( parent != NONE )
		{
			--nodes[parent].waits;
		}
		node = parent;
	}
}

// Puts all objects into the root, which is divided then.
static void rebuild( bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_clear( world );
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			put_in( world, i, t->root );
		}
	}
	mark( world, t->root );
	t->must_rebuild = false;
	t->last_wait = 2 * t->last_wait + 1 < longest_wait ? 2 * t->last_wait + 1 : longest_wait;
	t->wait = t->last_wait;
}

void bvwphase_octree_settle( bvw_broadphase* world )
{
	bvwphase_octree_state* t = bvwphase_octree_of( world );
	bvwphase_octree_node* nodes = bvwphase_octree_nodes( world );
	const uint32_t* dirty = bvwphase_at( world, t->dirty_at );
	if ( t->wait > 0 )
	{
		--t->wait;
	}
	else if ( t->must_rebuild )
	{
		rebuild( world );
	}
	else
	{
		t->last_wait = 0;
	}
	for ( uint32_t i = 0; i < t->dirty; ++i )
	{
		divide( world, dirty[i] );
	}
	for ( uint32_t i = 0; i < t->dirty; ++i )
	{
		uint32_t parent = nodes[dirty[i]].parent;
		if ( parent != NONE )
		{
			mark( world, parent );
			++nodes[parent].waits;
		}
	}
	for ( uint32_t i = 0; i < t->dirty; ++i )
	{
		correct_upward( world, dirty[i] );
	}
	t->dirty = 0;
}
