// Checking the hierarchy of a .bvh file.
//
// Inner nodes are stored depth first, and leaves take the triangles one after another. Nodes in that order
// need no recursion, no marks and no memory to be recognized as a tree in which each node has one parent and
// each triangle one leaf: running counters do it.

#include "runtime/file/check.h"
#include "runtime/file/node.h"
#include "runtime/file/view.h"
#include "runtime/volume/kinds.h"

#include <string.h>

// Center, extents, radius and rotation.
static bool is_framed( const bvvol_kind* kind, const float* value )
{
	uint32_t lengths = (uint32_t)kind->extents + kind->has_radius;
	bool good = bvfile_all_finite( value, 3 + (size_t)lengths );
	for ( uint32_t i = 0; i < lengths; ++i )
	{
		good = good && value[3 + i] >= 0;
	}
	return good && ( kind->extents == 0 || bvfile_is_rotation( value + 3 + lengths ) );
}

// Lower bounds, then as many upper ones.
static bool are_slabs( const float* bound, uint32_t count )
{
	bool ordered = bvfile_all_finite( bound, 2 * (size_t)count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		ordered = ordered && bound[i] <= bound[count + i];
	}
	return ordered;
}

static bool is_volume( bv_volume_type type, const float* packed )
{
	const bvvol_kind* kind = bvvol_kind_of( type );
	return kind->planes > 0 ? are_slabs( packed, kind->planes / 2u ) : is_framed( kind, packed );
}

static bool are_costs( const bvfile_costs* costs, const bvfile_prism_costs* prisms )
{
	const double steps[] = { costs->triangles, costs->opening, costs->leaf };
	bool good = bvfile_all_finite_double( steps, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		good = good && steps[i] > 0;
	}
	for ( int i = 0; i < bvfile_first_types; ++i )
	{
		good = good && bvfile_all_finite_double( costs->volumes[i], bvfile_first_types );
		for ( int k = 0; k < bvfile_first_types; ++k )
		{
			good = good && costs->volumes[i][k] > 0 && costs->volumes[i][k] == costs->volumes[k][i];
		}
	}
	good = good && ( !prisms || bvfile_all_finite_double( prisms->volumes, bvfile_second_types ) );
	for ( int i = 0; i < bvfile_second_types && prisms; ++i )
	{
		good = good && prisms->volumes[i] > 0;
	}
	return good;
}

// What has been seen of the hierarchy while its nodes are read in their order.
typedef struct nodes_walk
{
	const bvfile_hierarchy* head;
	const uint32_t* words;
	uint32_t all_triangles; // of the mesh
	uint32_t place;         // words so far
	uint32_t nodes;
	uint32_t leaves;
	uint32_t triangles;
	uint32_t of_type[bv_volume_types];
} nodes_walk;

// How many types the section's version knows.
static uint32_t types_of( const bvfile_hierarchy* head )
{
	return head->prisms > 0 ? bvfile_second_types : bvfile_first_types;
}

// The root's volume, and what a hierarchy without an inner node has.
static const char* check_root( const bvfile_hierarchy* head, nodes_walk* w )
{
	uint32_t bytes =
		head->root_type < types_of( head ) ? bvvol_packed_bytes( (bv_volume_type)head->root_type ) : 0;
	if ( bytes == 0 || !is_volume( (bv_volume_type)head->root_type, head->root ) ||
	     !bvfile_all_zero( (const char*)head->root + bytes, sizeof head->root - bytes ) )
	{
		return "the root's volume is invalid for its type";
	}
	w->of_type[head->root_type] += 1;
	w->leaves = head->root_triangles > 0;
	w->triangles = head->root_triangles;
	return head->root_triangles == 0 || head->node_words == 0
	           ? NULL
	           : "the root is a leaf but the file has inner nodes";
}

// 2^-1074 to 2^1023 would be numbers; these keep sums with any code finite as floats and as doubles.
static bool is_grid( const bvfile_node_grid* grid )
{
	return bvfile_all_finite_double( grid->origin, 3 ) && bvfile_all_finite_double( &grid->step, 1 ) &&
	       grid->step >= 0 && grid->step <= 0x1p110 && grid->origin[0] >= -0x1p125 &&
	       grid->origin[0] <= 0x1p125 && grid->origin[1] >= -0x1p125 && grid->origin[1] <= 0x1p125 &&
	       grid->origin[2] >= -0x1p125 && grid->origin[2] <= 0x1p125;
}

// The kinds of a node's children: their order, their triangles, and how many links they need.
static const char* check_kinds( nodes_walk* w, const bvfile_packed_node* node, uint32_t* inner )
{
	const uint8_t* kind = bvfile_node_kinds( node );
	const uint32_t* link = bvfile_node_links( node );
	uint32_t links = 0;
	uint32_t last = 0;
	*inner = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		uint32_t type = kind[i] >> bvfile_kind_shift;
		uint32_t triangles = kind[i] % bvfile_kind_counts;
		if ( type >= types_of( w->head ) || type < last )
		{
			return "a node's children are not ordered by volume type";
		}
		last = type;
		w->of_type[type] += 1;
		if ( triangles == bvfile_kind_inner || triangles == bvfile_kind_linked )
		{
			if ( links == node->links )
			{
				return "a node has the wrong number of links";
			}
			links += 1;
		}
		if ( triangles == bvfile_kind_inner )
		{
			*inner += 1;
			continue;
		}
		triangles = triangles == bvfile_kind_linked ? link[links - 1] : triangles;
		if ( triangles > w->all_triangles - w->triangles || triangles == 0 )
		{
			return "a leaf's triangle count is out of range";
		}
		w->triangles += triangles;
		w->leaves += 1;
	}
	return links == node->links ? NULL : "a node has the wrong number of links";
}

// Checks the node at the current place and steps behind it.
// @param inner  receives how many of its children are inner nodes
static const char* check_node( nodes_walk* w, uint32_t* inner )
{
	static const uint32_t head_words = sizeof( bvfile_packed_node ) / 4;
	uint32_t left = w->head->node_words - w->place;
	const bvfile_packed_node* node = (const bvfile_packed_node*)( w->words + w->place );
	if ( left < head_words )
	{
		return "the node section ends within a node";
	}
	if ( node->children < 2 || node->children > BVFILE_LANES || node->links > node->children )
	{
		return "a node's number of children is out of range";
	}
	// Behind the last node there are BVFILE_LANES_SLACK bytes: the kinds may be looked at before they are
	// known to be there.
	uint32_t before_groups = head_words + ( node->children + 3u ) / 4 + node->links;
	if ( left < before_groups || node->first_child != w->nodes ||
	     node->children > w->head->nodes - w->nodes || node->first_triangle != w->triangles )
	{
		return left < before_groups ? "the node section ends within a node"
		                            : "a node refers to children or triangles of another node";
	}
	if ( !bvfile_all_zero( (const char*)bvfile_node_kinds( node ) + node->children,
	                       ( 4 - node->children % 4 ) % 4 ) )
	{
		return "padding within a node is not zero";
	}
	const char* wrong = check_kinds( w, node, inner );
	if ( wrong )
	{
		return wrong;
	}
	w->nodes += node->children;
	left -= before_groups;
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		uint32_t words = bvfile_group_bytes( group.type, group.count ) / 4;
		if ( words > left )
		{
			return "the node section ends within a node";
		}
		if ( !bvfile_group_is_valid( &group ) )
		{
			return "a node's volume is invalid for its type";
		}
		left -= words;
	}
	w->place = w->head->node_words - left;
	return NULL;
}

// The links of the inner nodes that the walk is below: where the next child is said to be, and how many more
// there are.
typedef struct open_node
{
	const uint8_t* kind;
	const uint32_t* link;
	uint32_t inner;
} open_node;

static const char* check_inner_nodes( nodes_walk* w, uint32_t* depth )
{
	open_node open[BV_MAX_DEPTH + 1];
	uint32_t level = 0;
	for ( ;; )
	{
		const bvfile_packed_node* node = (const bvfile_packed_node*)( w->words + w->place );
		open_node* at = open + level;
		const char* wrong = check_node( w, &at->inner );
		if ( wrong )
		{
			return wrong;
		}
		*depth = level + 1 > *depth ? level + 1 : *depth;
		at->kind = bvfile_node_kinds( node );
		at->link = bvfile_node_links( node );
		while ( at->inner == 0 )
		{
			if ( level == 0 )
			{
				return NULL;
			}
			at = open + --level;
		}
		for ( ; *at->kind % bvfile_kind_counts != bvfile_kind_inner; ++at->kind )
		{
			at->link += *at->kind % bvfile_kind_counts == bvfile_kind_linked;
		}
		at->kind += 1;
		at->inner -= 1;
		if ( *at->link++ != w->place )
		{
			return "a node refers to children or triangles of another node";
		}
		if ( ++level >= BV_MAX_DEPTH )
		{
			return "the hierarchy is deeper than the limit";
		}
	}
}

const char* bvfile_check_nodes( const char* section, uint64_t bytes, const bvfile_content* content )
{
	uint32_t triangles = content->mesh->triangles;
	const bvfile_hierarchy* head = (const bvfile_hierarchy*)section;
	bool later = content->version > 1;
	uint64_t more = later ? sizeof( bvfile_prism_costs ) : 0;
	if ( bytes < sizeof *head ||
	     bytes != sizeof *head + more + 4 * (uint64_t)head->node_words + BVFILE_LANES_SLACK ||
	     !bvfile_all_zero( section + bytes - BVFILE_LANES_SLACK, BVFILE_LANES_SLACK ) )
	{
		return "the node section has the wrong size";
	}
	if ( ( head->prisms > 0 ) != later )
	{
		return "the version of the node section does not match its volume types";
	}
	if ( !is_grid( &head->grid ) )
	{
		return "the nodes' grid is out of range";
	}
	if ( !are_costs( &head->costs, bvfile_prism_costs_of( head ) ) )
	{
		return "a cost is not positive, or depends on the order of two volume types";
	}
	nodes_walk w = {
		.head = head, .words = bvfile_node_words( head ), .all_triangles = triangles, .nodes = 1
	};
	uint32_t depth = 0;
	const char* wrong = check_root( head, &w );
	wrong = wrong || head->root_triangles > 0 ? wrong : check_inner_nodes( &w, &depth );
	if ( wrong )
	{
		return wrong;
	}
	if ( w.nodes != head->nodes || w.triangles != triangles || w.place != head->node_words )
	{
		return "the hierarchy does not contain every node and triangle exactly once";
	}
	bool as_said = w.leaves == head->leaves && depth == head->depth;
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		as_said = as_said && w.of_type[i] == bvfile_count_of_type( head, i );
	}
	return as_said ? NULL : "the hierarchy's counts differ from those in its header";
}
