// What a refit needs to know of a hierarchy and its triangles. See runtime/tree/refit.h.

#include "runtime/tree/descent.h"
#include "runtime/tree/leaf.h"
#include "world/deform/deform.h"

enum
{
	// A vertex is not looked for farther back in the list of a leaf: large leaves can have vertices twice.
	most_compared = 128,
};

// An inner node that waits for its turn: they come in the order in which they are stored.
typedef struct waiting_node
{
	uint32_t number;
	uint32_t parent; // index
} waiting_node;

typedef struct reading
{
	const bvfile_view* view;
	bvtree_leaf_source source;
	bvwdeform_topology out; // null pointers to count only
	uint32_t leaves;
	uint32_t listed;
} reading;

static bool is_listed( const uint32_t* list, uint32_t count, uint32_t vertex )
{
	uint32_t i = count < most_compared ? 0 : count - most_compared;
	while ( i < count && list[i] != vertex )
	{
		++i;
	}
	return i < count;
}

static void list( reading* r, uint32_t vertex )
{
	if ( r->out.vertices )
	{
		r->out.vertices[r->listed] = vertex;
	}
	r->listed += 1;
}

// The end of the list is kept here, too: lists need not be.
static void read_leaf( reading* r, uint32_t first, uint32_t count )
{
	uint32_t window[2 * most_compared];
	uint32_t in_window = 0;
	uint32_t before = r->listed;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		uint32_t vertex[3];
		bvtree_leaf_vertices( &r->source, i, vertex );
		for ( int k = 0; k < 3; ++k )
		{
			if ( is_listed( window, in_window, vertex[k] ) )
			{
				continue;
			}
			if ( in_window == 2 * most_compared )
			{
				memcpy( window, window + most_compared, most_compared * sizeof *window );
				in_window = most_compared;
			}
			window[in_window++] = vertex[k];
			list( r, vertex[k] );
		}
	}
	if ( ( r->listed - before ) % 2 == 1 )
	{
		list( r, window[in_window - 1] );
	}
}

static void add_leaf( reading* r, uint32_t number, uint32_t first, uint32_t count )
{
	const bvwdeform_topology* out = &r->out;
	if ( out->inner )
	{
		out->first_leaf[number] = r->leaves;
		out->end_leaf[number] = r->leaves + 1;
		out->leaf_begin[r->leaves] = r->listed;
	}
	r->leaves += 1;
	read_leaf( r, first, count );
}

// @param count   of the nodes that wait
// @return how many wait then
static uint32_t read_node( reading* r, const bvfile_packed_node* node, uint32_t index, waiting_node* waiting,
                           uint32_t count )
{
	bvtree_children next = bvtree_children_begin( node );
	uint32_t inner = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bvtree_child child = bvtree_children_next( &next );
		uint32_t triangles = (uint32_t)( child >> 32 );
		if ( triangles > 0 )
		{
			add_leaf( r, node->first_child + i, (uint32_t)child, triangles );
			continue;
		}
		inner += 1;
		waiting[count++] = ( waiting_node ){ node->first_child + i, index };
	}
	// The first one is on top.
	waiting_node* a = waiting + ( count - inner );
	for ( waiting_node* b = waiting + count; a < b && a < --b; ++a )
	{
		waiting_node swapped = *a;
		*a = *b;
		*b = swapped;
	}
	return count;
}

static void set_ends( const bvwdeform_topology* out, uint32_t count, uint32_t leaves )
{
	for ( uint32_t i = count; i-- > 0; )
	{
		bvtree_refit_inner* node = out->inner + i;
		bvtree_refit_inner* parent = out->inner + node->parent;
		node->end = node->end > i ? node->end : i + 1;
		parent->end = node->end > parent->end ? node->end : parent->end;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t end = out->inner[i].end;
		out->end_leaf[out->inner[i].number] = end < count ? out->first_leaf[out->inner[end].number] : leaves;
	}
}

uint32_t bvwdeform_read_topology( const bvfile_view* view, const bvwdeform_topology* out )
{
	reading r = { .view = view, .source = bvtree_leaf_source_of( view ) };
	r.out = out ? *out : ( bvwdeform_topology ){ .inner = NULL };
	const bvfile_hierarchy* head = view->hierarchy;
	waiting_node waiting[bvtree_descent_stack];
	uint32_t count = 0;
	uint32_t place = 0;
	uint32_t index = 0;
	if ( head->root_triangles > 0 )
	{
		add_leaf( &r, 0, 0, head->root_triangles );
	}
	else
	{
		waiting[count++] = ( waiting_node ){ 0, 0 };
	}
	while ( count > 0 )
	{
		waiting_node of = waiting[--count];
		const bvfile_packed_node* node = bvfile_node_at( view, place );
		if ( r.out.inner )
		{
			r.out.inner[index] =
				( bvtree_refit_inner ){ .place = place, .number = of.number, .parent = of.parent };
			r.out.first_leaf[of.number] = r.leaves;
		}
		count = read_node( &r, node, index, waiting, count );
		place += bvfile_node_bytes( node ) / 4;
		index += 1;
	}
	if ( r.out.inner )
	{
		r.out.leaf_begin[r.leaves] = r.listed;
		set_ends( &r.out, index, r.leaves );
	}
	return r.listed;
}

// Visits the vertices of the leaves among the children of an inner node.
// @param seen  by vertex: index of the last node that was visited with it, and 1
// @param list  false to count only
static void list_node( const bvw_deform* deform, uint32_t index, uint32_t* seen, bool list )
{
	const bvtree_refit* r = &deform->refit;
	const bvwdeform_lists* lists = &deform->lists;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	const uint8_t* kind = bvfile_node_kinds( node );
	for ( uint32_t lane = 0; lane < node->children; ++lane )
	{
		uint32_t leaf = r->first_leaf[node->first_child + lane];
		bool is_leaf = kind[lane] % bvfile_kind_counts != bvfile_kind_inner;
		for ( uint32_t i = r->leaf_begin[leaf]; is_leaf && i < r->leaf_begin[leaf + 1]; ++i )
		{
			uint32_t vertex = r->vertices[i];
			bool is_new = seen[vertex] != index + 1;
			seen[vertex] = index + 1;
			if ( !list )
			{
				lists->first[vertex] += is_new;
				continue;
			}
			lists->first[vertex] -= is_new;
			uint32_t at = lists->first[vertex];
			lists->node[at] = index;
			lists->node_lanes[at] = (uint8_t)( ( is_new ? 0 : lists->node_lanes[at] ) | 1u << lane );
		}
	}
}

void bvwdeform_list_nodes( bvw_deform* deform, uint32_t* seen )
{
	uint32_t* first = deform->lists.first;
	uint32_t vertices = deform->counts.vertices;
	memset( first, 0, ( (size_t)vertices + 1 ) * sizeof *first );
	// First counts, then ends, which move down to where lists begin.
	for ( int pass = 0; pass < 2; ++pass )
	{
		memset( seen, 0, vertices * sizeof *seen );
		for ( uint32_t i = deform->counts.inner; i-- > 0; )
		{
			list_node( deform, i, seen, pass == 1 );
		}
		for ( uint32_t i = 0; i < vertices && pass == 0; ++i )
		{
			first[i + 1] += first[i];
		}
	}
}

// @param list  null to count only
// @return the length of all lists up to the end of the subtree
static uint32_t list_subtree( bvw_deform* deform, uint32_t index, uint32_t* list )
{
	const bvtree_refit* r = &deform->refit;
	bvfile_view view = bvfile_view_of( (const bv_file*)deform->image );
	uint32_t* begin = (uint32_t*)r->leaf_begin;
	uint32_t leaf = r->first_leaf[r->inner[index].number];
	reading reads = { .view = &view, .source = bvtree_leaf_source_of( &view ), .listed = begin[leaf] };
	reads.out.vertices = list;
	for ( uint32_t i = index; i < r->inner[index].end; ++i )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		bvtree_children next = bvtree_children_begin( node );
		for ( uint32_t lane = 0; lane < node->children; ++lane )
		{
			bvtree_child child = bvtree_children_next( &next );
			uint32_t triangles = (uint32_t)( child >> 32 );
			if ( triangles > 0 )
			{
				begin[leaf] = list ? reads.listed : begin[leaf];
				read_leaf( &reads, (uint32_t)child, triangles );
				leaf += 1;
			}
		}
	}
	return reads.listed;
}

void bvwdeform_list_subtree( bvw_deform* deform, uint32_t index )
{
	const bvtree_refit* r = &deform->refit;
	uint32_t* begin = (uint32_t*)r->leaf_begin;
	uint32_t* list = (uint32_t*)r->vertices;
	uint32_t leaves = deform->counts.leaves;
	uint32_t behind = r->end_leaf[r->inner[index].number];
	uint32_t from = begin[behind];
	uint32_t to = list_subtree( deform, index, NULL );
	memmove( list + to, list + from, ( begin[leaves] - from ) * sizeof *list );
	for ( uint32_t i = behind; i <= leaves && to != from; ++i )
	{
		begin[i] += to - from;
	}
	list_subtree( deform, index, list );
}
