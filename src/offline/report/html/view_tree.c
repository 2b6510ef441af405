// The hierarchy in the 3D view's data: nodes, errors and volumes. See view_data.h.
//
// Where there are too many nodes, whole levels come first, as many as fit into half of the room, then what
// the page's links lead to with all above it, and then, again and again, the children of the node with the
// largest certified error of all points, or, where the file has none, the largest diameter. So of each node
// either all children are there or none, and a cut by error is exact down to the largest error of those whose
// children were left out.

#include "offline/report/html/view_data.h"

#include "bvbuild/fit.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <string.h>

enum
{
	most_nodes = 20000,
	not_there = -1,
};

// What is known of every node of the file before some are chosen.
typedef struct tree_node
{
	double priority; // how badly its children are wanted
	uint32_t parent; // 0 for the root
	uint32_t first_child;
	uint32_t children;
	uint32_t level;
	int32_t place; // in the list, or not_there
	bool opened;   // its children are wanted
} tree_node;

// Those that may be opened next: a heap with the node of highest priority on top.
typedef struct frontier
{
	uint32_t* heap;
	uint32_t count;
} frontier;

// All about the choice.
typedef struct tree_choice
{
	const bvhtml_view_data* view;
	const bv_hierarchy_info* info;
	tree_node* nodes;     // of the file
	uint32_t* level_size; // of each level
	uint32_t* level_leaves;
	frontier frontier;
	uint32_t* order; // the chosen ones, parents first, siblings together
	uint32_t count;  // length of order
	uint32_t whole;  // so many levels are there completely
} tree_choice;

// Of the chosen nodes, in their order.
typedef struct tree_columns
{
	uint32_t* number;
	uint32_t* parent;      // place in the list; UINT32_MAX for the root
	uint32_t* first_child; // place in the list; UINT32_MAX when the children are not there
	uint32_t* first;       // triangle
	uint32_t* triangles;
	uint32_t* children; // in the file
	uint8_t* level;
	uint8_t* type;
	double* surface; // mesh units
	double* solid;
	float* shape; // most_floats each, of which the type uses some
	bool has_errors;
	double diagonal; // of the root
} tree_columns;

enum
{
	most_floats = 2 * BV_KDOP_DIRECTIONS,
};

static bool gather_node( void* context, const bv_node_info* info )
{
	tree_choice* c = context;
	tree_node* n = c->nodes + info->index;
	n->priority = info->has_errors ? info->solid_upper : bvb_diameter_of( &info->volume );
	n->first_child = info->first_child;
	n->children = info->children;
	n->level = info->level;
	n->place = not_there;
	for ( uint32_t i = 0; i < info->children; ++i )
	{
		c->nodes[info->first_child + i].parent = info->index;
	}
	++c->level_size[info->level];
	c->level_leaves[info->level] += info->children == 0;
	return true;
}

// Of equal ones the one of lesser number goes first.
static bool is_before( const tree_choice* c, uint32_t a, uint32_t b )
{
	double pa = c->nodes[a].priority;
	double pb = c->nodes[b].priority;
	return pa > pb || ( pa == pb && a < b );
}

static void push( tree_choice* c, uint32_t number )
{
	uint32_t* heap = c->frontier.heap;
	uint32_t at = c->frontier.count++;
	while ( at > 0 && is_before( c, number, heap[( at - 1 ) / 2] ) )
	{
		heap[at] = heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	heap[at] = number;
}

static uint32_t pop( tree_choice* c )
{
	uint32_t* heap = c->frontier.heap;
	uint32_t top = heap[0];
	uint32_t last = heap[--c->frontier.count];
	uint32_t at = 0;
	for ( uint32_t child; ( child = 2 * at + 1 ) < c->frontier.count; at = child )
	{
		child += child + 1 < c->frontier.count && is_before( c, heap[child + 1], heap[child] );
		if ( is_before( c, last, heap[child] ) )
		{
			break;
		}
		heap[at] = heap[child];
	}
	heap[at] = last;
	return top;
}

// Opens what is above a node, unless there is no room for all of it.
// @return how many nodes there are now, of `count` before
static uint32_t open_above( tree_choice* c, uint32_t number, uint32_t count )
{
	uint32_t more = count;
	for ( uint32_t at = number; at != 0 && !c->nodes[c->nodes[at].parent].opened; at = c->nodes[at].parent )
	{
		more += c->nodes[c->nodes[at].parent].children;
	}
	if ( more > most_nodes )
	{
		return count;
	}
	for ( uint32_t at = number; at != 0 && !c->nodes[c->nodes[at].parent].opened; at = c->nodes[at].parent )
	{
		c->nodes[c->nodes[at].parent].opened = true;
	}
	return more;
}

// The nodes that the page's links lead to.
static uint32_t open_linked( tree_choice* c, uint32_t count )
{
	static const char link[] = "data-show=\"node:";
	const bvexport_output* body = c->view->body;
	const char* at = body ? body->data : NULL;
	const char* end = body ? body->data + body->length : NULL;
	while ( at && ( at = bvbase_memory_find( at, (size_t)( end - at ), link, strlen( link ) ) ) )
	{
		uint64_t number = 0;
		for ( at += strlen( link ); at < end && *at >= '0' && *at <= '9' && number <= UINT32_MAX; ++at )
		{
			number = 10 * number + (uint64_t)( *at - '0' );
		}
		count = number < c->info->nodes ? open_above( c, (uint32_t)number, count ) : count;
	}
	return count;
}

// Decides which nodes are opened.
static void choose( tree_choice* c )
{
	uint32_t count = 1;
	c->whole = 1;
	bool all = c->info->nodes <= most_nodes;
	while ( c->whole <= c->info->depth && ( all || count + c->level_size[c->whole] <= most_nodes / 2 ) )
	{
		count += c->level_size[c->whole++];
	}
	for ( uint32_t i = 0; i < c->info->nodes; ++i )
	{
		c->nodes[i].opened = c->nodes[i].children > 0 && c->nodes[i].level + 1 < c->whole;
	}
	count = open_linked( c, count );
	for ( uint32_t i = 0; i < c->info->nodes; ++i )
	{
		const tree_node* n = c->nodes + i;
		if ( n->children > 0 && !n->opened && ( i == 0 || c->nodes[n->parent].opened ) )
		{
			push( c, i );
		}
	}
	while ( c->frontier.count > 0 )
	{
		tree_node* n = c->nodes + pop( c );
		if ( count + n->children > most_nodes )
		{
			return;
		}
		n->opened = true;
		count += n->children;
		for ( uint32_t k = 0; k < n->children; ++k )
		{
			if ( c->nodes[n->first_child + k].children > 0 )
			{
				push( c, n->first_child + k );
			}
		}
	}
}

// Puts the chosen ones into order, level by level.
static void line_up( tree_choice* c )
{
	c->order[0] = 0;
	c->nodes[0].place = 0;
	c->count = 1;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		const tree_node* n = c->nodes + c->order[i];
		for ( uint32_t k = 0; n->opened && k < n->children; ++k )
		{
			c->nodes[n->first_child + k].place = (int32_t)c->count;
			c->order[c->count++] = n->first_child + k;
		}
	}
}

static float* add_point( float* out, const bvhtml_view_data* v, bv_vec3 p )
{
	bvhtml_view_float_point( v, p, out );
	return out + 3;
}

static float* add_vector( float* out, const bvhtml_view_data* v, double length, bv_vec3 axis )
{
	out[0] = (float)( length / v->scale * axis.x );
	out[1] = (float)( length / v->scale * axis.y );
	out[2] = (float)( length / v->scale * axis.z );
	return out + 3;
}

static void add_kdop( float* out, const bvhtml_view_data* v, const bv_kdop* kdop )
{
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			double middle = bv_dot( bv_kdop_direction( i ), v->center );
			*out++ = (float)( ( kdop->lower[i] - middle ) / v->scale );
			*out++ = (float)( ( kdop->upper[i] - middle ) / v->scale );
		}
	}
}

// How many half axes the numbers of a volume have.
static uint32_t half_axes_of( const bvvol_kind* kind )
{
	return kind->form == bvvol_form_upright ? 3 : kind->extents;
}

// The numbers of a volume: its center, its half axes, and its radius if it is round. A prism has those of the
// box around it, a k-DOP pairs of bounds.
static void add_shape( float* out, const bvhtml_view_data* v, const bv_volume* volume )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	if ( kind->form == bvvol_form_slabs )
	{
		add_kdop( out, v, &volume->kdop );
		return;
	}
	bvvol_rounded r = bvvol_volume_rounded( volume );
	out = add_point( out, v, r.center );
	for ( uint32_t i = 0; i < half_axes_of( kind ); ++i )
	{
		out = add_vector( out, v, r.half_extents[i], r.axis[i] );
	}
	if ( kind->has_radius )
	{
		*out = (float)( r.radius / v->scale );
	}
}

static uint32_t floats_of( bv_volume_type type )
{
	const bvvol_kind* kind = bvvol_kind_of( type );
	return kind->form == bvvol_form_slabs ? kind->planes : 3 + 3 * half_axes_of( kind ) + kind->has_radius;
}

// What the second visit needs.
typedef struct tree_filling
{
	const tree_choice* choice;
	tree_columns* columns;
} tree_filling;

static bool fill_node( void* context, const bv_node_info* info )
{
	const tree_filling* f = context;
	const tree_choice* c = f->choice;
	tree_columns* o = f->columns;
	const tree_node* n = c->nodes + info->index;
	if ( n->place == not_there )
	{
		return true;
	}
	uint32_t at = (uint32_t)n->place;
	o->number[at] = info->index;
	o->first_child[at] = n->opened ? (uint32_t)c->nodes[n->first_child].place : UINT32_MAX;
	o->parent[at] = at == 0 ? UINT32_MAX : o->parent[at];
	for ( uint32_t k = 0; n->opened && k < n->children; ++k )
	{
		o->parent[c->nodes[n->first_child + k].place] = at;
	}
	o->first[at] = info->first_triangle;
	o->triangles[at] = info->triangles;
	o->children[at] = info->children;
	o->level[at] = (uint8_t)info->level;
	o->type[at] = (uint8_t)info->volume.type;
	o->surface[at] = info->surface_upper;
	o->solid[at] = info->solid_upper;
	o->has_errors = info->has_errors;
	bv_file_errors root;
	if ( at == 0 && info->has_errors && bv_file_get_errors( c->view->file, &root ) )
	{
		// Of single nodes the file holds bounds in fewer bits, rounded up.
		o->surface[0] = root.surface.upper;
		o->solid[0] = root.solid.upper;
	}
	if ( at == 0 )
	{
		o->diagonal = bvb_diameter_of( &info->volume );
	}
	add_shape( o->shape + (size_t)most_floats * at, c->view, &info->volume );
	return true;
}

static bool allocate_columns( const bvhtml_view_data* v, uint32_t count, tree_columns* o )
{
	uint32_t** words[] = { &o->number, &o->parent, &o->first_child, &o->first, &o->triangles, &o->children };
	bool good = true;
	for ( size_t i = 0; i < sizeof words / sizeof *words; ++i )
	{
		*words[i] = bvb_arena_allocate( v->arena, count, sizeof **words[i] );
		good = good && *words[i];
	}
	o->level = bvb_arena_allocate( v->arena, count, sizeof *o->level );
	o->type = bvb_arena_allocate( v->arena, count, sizeof *o->type );
	o->surface = bvb_arena_allocate( v->arena, count, sizeof *o->surface );
	o->solid = bvb_arena_allocate( v->arena, count, sizeof *o->solid );
	o->shape = bvb_arena_allocate( v->arena, (size_t)count * most_floats, sizeof *o->shape );
	return good && o->level && o->type && o->surface && o->solid && o->shape;
}

static void put_directions( bvhtml_view_data* v )
{
	bvhtml_view_open( v, "directions", '[' );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		bvhtml_view_open( v, NULL, '[' );
		bvhtml_view_number( v, NULL, d.x );
		bvhtml_view_number( v, NULL, d.y );
		bvhtml_view_number( v, NULL, d.z );
		bvhtml_view_close( v, ']' );
	}
	bvhtml_view_close( v, ']' );
}

// Each type by its name, with how many numbers its shape has and the directions of a k-DOP.
static void put_types( bvhtml_view_data* v )
{
	bvhtml_view_open( v, "types", '[' );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		const bvvol_kind* kind = bvvol_kind_of( (bv_volume_type)i );
		bvhtml_view_open( v, NULL, '{' );
		bvhtml_view_text( v, "name", kind->name, strlen( kind->name ) );
		bvhtml_view_count( v, "numbers", floats_of( (bv_volume_type)i ) );
		bvhtml_view_open( v, "directions", '[' );
		for ( uint32_t d = 0; kind->form == bvvol_form_slabs && d < BV_KDOP_DIRECTIONS; ++d )
		{
			if ( bv_kdop_uses( kind->planes, d ) )
			{
				bvhtml_view_count( v, NULL, d );
			}
		}
		bvhtml_view_close( v, ']' );
		bvhtml_view_close( v, '}' );
	}
	bvhtml_view_close( v, ']' );
}

static void put_levels( bvhtml_view_data* v, const tree_choice* c )
{
	bvhtml_view_open( v, "levels", '[' );
	for ( uint32_t i = 0; i <= c->info->depth; ++i )
	{
		bvhtml_view_open( v, NULL, '{' );
		bvhtml_view_count( v, "nodes", c->level_size[i] );
		bvhtml_view_count( v, "leaves", c->level_leaves[i] );
		bvhtml_view_close( v, '}' );
	}
	bvhtml_view_close( v, ']' );
}

static void put_columns( bvhtml_view_data* v, const tree_choice* c, tree_columns* o )
{
	size_t count = c->count;
	bvhtml_view_open( v, "tree", '{' );
	bvhtml_view_count( v, "nodes_in_file", c->info->nodes );
	bvhtml_view_count( v, "nodes", count );
	bvhtml_view_count( v, "whole_levels", c->whole );
	bvhtml_view_number( v, "diagonal", o->diagonal );
	put_levels( v, c );
	put_types( v );
	put_directions( v );
	bvhtml_view_array( v, "number", "u32", o->number, count * sizeof *o->number );
	bvhtml_view_array( v, "parent", "u32", o->parent, count * sizeof *o->parent );
	bvhtml_view_array( v, "first_child", "u32", o->first_child, count * sizeof *o->first_child );
	bvhtml_view_array( v, "children", "u32", o->children, count * sizeof *o->children );
	bvhtml_view_array( v, "first", "u32", o->first, count * sizeof *o->first );
	bvhtml_view_array( v, "triangles", "u32", o->triangles, count * sizeof *o->triangles );
	bvhtml_view_array( v, "level", "u8", o->level, count * sizeof *o->level );
	bvhtml_view_array( v, "type", "u8", o->type, count * sizeof *o->type );
	if ( o->has_errors )
	{
		bvhtml_view_array( v, "surface", "f64", o->surface, count * sizeof *o->surface );
		bvhtml_view_array( v, "solid", "f64", o->solid, count * sizeof *o->solid );
	}
	else
	{
		bvhtml_view_null( v, "surface" );
		bvhtml_view_null( v, "solid" );
	}
	size_t length = 0;
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		uint32_t floats = floats_of( (bv_volume_type)o->type[i] );
		memmove( o->shape + length, o->shape + (size_t)most_floats * i, floats * sizeof *o->shape );
		length += floats;
	}
	bvhtml_view_array( v, "shapes", "f32", o->shape, length * sizeof *o->shape );
	bvhtml_view_close( v, '}' );
}

bv_status bvhtml_view_put_tree( bvhtml_view_data* v )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( v->file );
	if ( info.nodes == 0 )
	{
		bvhtml_view_null( v, "tree" );
		return bv_ok;
	}
	tree_choice c = {
		.view = v,
		.info = &info,
		.nodes = bvb_arena_allocate( v->arena, info.nodes, sizeof *c.nodes ),
		.level_size = bvb_arena_allocate( v->arena, (size_t)info.depth + 1, sizeof *c.level_size ),
		.level_leaves = bvb_arena_allocate( v->arena, (size_t)info.depth + 1, sizeof *c.level_leaves ),
		.frontier.heap = bvb_arena_allocate( v->arena, info.nodes, sizeof *c.frontier.heap ),
		.order = bvb_arena_allocate( v->arena, info.nodes < most_nodes ? info.nodes : most_nodes,
		                             sizeof *c.order ),
	};
	tree_columns o = { .number = NULL };
	if ( !c.nodes || !c.level_size || !c.level_leaves || !c.frontier.heap || !c.order )
	{
		return bvbase_fail_memory( v->error );
	}
	bvfile_local_visit_nodes( v->file, gather_node, &c );
	choose( &c );
	line_up( &c );
	if ( !allocate_columns( v, c.count, &o ) )
	{
		return bvbase_fail_memory( v->error );
	}
	bvfile_local_visit_nodes( v->file, fill_node, &( tree_filling ){ &c, &o } );
	put_columns( v, &c, &o );
	return bv_ok;
}
