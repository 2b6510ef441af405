// The triangles of a subtree, assigned to its leaves anew. Nodes keep their children and their numbers of triangles.
//
// From the root down, the triangles of a node are divided among its children, in two parts at a time: some of the children get those that come
// first along an axis, the others the rest. Of all axes, and all sets of children, the cheapest division is taken. Its cost is the sum of the
// surfaces of both boxes, each times its number of triangles (Goldsmith, Salmon 1987). Triangles are sorted along each axis once, and divided
// with their order kept (Wald, Havran 2006), by the centers of their boxes.

#include "runtime/simd/floats.h"
#include "runtime/tree/descent.h"
#include "runtime/tree/leaf.h"
#include "world/deform_rebuild/rebuild.h"
#include "world/order/numbers.h"

#include <math.h>
#include <string.h>

enum
{
	most_cuts = 1 << BVFILE_LANES,
};

// How many triangles the first part can have, and children that have so many together.
typedef struct cut
{
	uint32_t count;
	uint32_t lanes;
} cut;

// Children of a node, and the triangles that are theirs: a range of the sorted ones.
typedef struct waiting_part
{
	uint32_t index; // of the node
	uint32_t lanes;
	uint32_t first;
} waiting_part;

typedef struct assigning
{
	const bvw_deform* deform;
	uint32_t first_triangle;
	bvwdeform_rebuild m;
	uint32_t* order;
} assigning;

// The children of a node.
typedef struct node_children
{
	uint32_t triangles[BVFILE_LANES];
	uint32_t first[BVFILE_LANES]; // triangle of a leaf, from the first of the subtree
	uint32_t inner[BVFILE_LANES]; // index; 0 of a leaf
} node_children;

static bvsimd_floats lower_of( const bvtree_refit_box* box )
{
	return bvsimd_floats_load( box->lower );
}

static bvsimd_floats upper_of( const bvtree_refit_box* box )
{
	return bvsimd_floats_load( box->upper );
}

static void make_boxes( const bvw_deform* d, uint32_t first, uint32_t count )
{
	const bvtree_refit* r = &d->refit;
	bvfile_view view = bvfile_view_of( (const bv_file*)d->image );
	bvtree_leaf_source source = bvtree_leaf_source_of( &view );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t vertex[3];
		bvtree_leaf_vertices( &source, first + i, vertex );
		bvsimd_floats lower = bvsimd_floats_load( r->positions[vertex[0]] );
		bvsimd_floats upper = lower;
		for ( int k = 0; k < 3; ++k )
		{
			bvsimd_floats p = bvsimd_floats_load( r->positions[vertex[k]] );
			bvsimd_floats q = r->later ? bvsimd_floats_load( r->later[vertex[k]] ) : p;
			lower = bvsimd_floats_min( lower, bvsimd_floats_min( p, q ) );
			upper = bvsimd_floats_max( upper, bvsimd_floats_max( p, q ) );
		}
		bvsimd_floats_store( d->rebuild.box[i].lower, lower );
		bvsimd_floats_store( d->rebuild.box[i].upper, upper );
	}
}

// In the order of the numbers, which are finite.
static uint32_t key_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits ^ ( bits >> 31 ? UINT32_MAX : UINT32_C( 1 ) << 31 );
}

static void sort_along( const bvwdeform_rebuild* m, int axis, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		// 0, not -0.
		float twice = ( m->box[i].lower[axis] + m->box[i].upper[axis] ) + 0.0f;
		m->work[i] = (uint64_t)key_of( twice ) << 32 | i;
	}
	uint32_t passes;
	const uint64_t* sorted = bvworder_sort_keys( m->work, m->work + count, count, &passes );
	for ( uint32_t i = 0; i < count; ++i )
	{
		m->sorted[axis][i] = (uint32_t)sorted[i];
	}
}

static node_children children_of( const assigning* a, uint32_t index )
{
	const bvtree_refit* r = &a->deform->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	bvtree_children next = bvtree_children_begin( node );
	node_children out = { .triangles = { 0 } };
	uint32_t inner = index + 1;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bvtree_child child = bvtree_children_next( &next );
		out.triangles[i] = (uint32_t)( child >> 32 );
		if ( out.triangles[i] > 0 )
		{
			out.first[i] = (uint32_t)child - a->first_triangle;
			continue;
		}
		out.inner[i] = inner;
		out.triangles[i] = a->deform->rest[inner].triangles;
		inner = r->inner[inner].end;
	}
	return out;
}

// Puts children beside those of each cut, as further cuts. Cuts are in ascending order; of several with one count, the first one stays.
static uint32_t add_cuts( cut* cuts, uint32_t count, uint32_t triangles, uint32_t lane )
{
	cut merged[most_cuts];
	uint32_t total = 0;
	uint32_t i = 0;
	uint32_t k = 0;
	while ( i < count || k < count )
	{
		bool takes_old = i < count && cuts[i].count <= cuts[k].count + triangles;
		cut next = takes_old ? cuts[i++] : ( cut ){ cuts[k].count + triangles, cuts[k].lanes | 1u << lane };
		k += !takes_old;
		if ( total == 0 || merged[total - 1].count != next.count )
		{
			merged[total++] = next;
		}
	}
	memcpy( cuts, merged, total * sizeof *cuts );
	return total;
}

// @return how many cuts there are, with none and all of the triangles at the ends
static uint32_t list_cuts( const node_children* children, uint32_t lanes, cut* cuts )
{
	uint32_t count = 1;
	cuts[0] = ( cut ){ 0, 0 };
	for ( uint32_t i = 0; i < BVFILE_LANES; ++i )
	{
		count = lanes >> i & 1 ? add_cuts( cuts, count, children->triangles[i], i ) : count;
	}
	return count;
}

static double surface_of( bvsimd_floats lower, bvsimd_floats upper )
{
	float a[4];
	float b[4];
	bvsimd_floats_store( a, lower );
	bvsimd_floats_store( b, upper );
	double x = (double)b[0] - a[0];
	double y = (double)b[1] - a[1];
	double z = (double)b[2] - a[2];
	return x * y + y * z + z * x;
}

// A division of triangles.
typedef struct division
{
	double cost;
	int axis;
	cut first; // of the sorted triangles
} division;

// Both parts of each cut, along one axis.
static void try_axis( const bvwdeform_rebuild* m, int axis, uint32_t first, const cut* cuts, uint32_t count,
                      division* best )
{
	double surface[most_cuts];
	const uint32_t* sorted = m->sorted[axis] + first;
	bvsimd_floats lower = lower_of( m->box + sorted[0] );
	bvsimd_floats upper = upper_of( m->box + sorted[0] );
	uint32_t i = 0;
	for ( uint32_t k = 1; k + 1 < count; ++k )
	{
		for ( ; i < cuts[k].count; ++i )
		{
			lower = bvsimd_floats_min( lower, lower_of( m->box + sorted[i] ) );
			upper = bvsimd_floats_max( upper, upper_of( m->box + sorted[i] ) );
		}
		surface[k] = surface_of( lower, upper );
	}
	uint32_t all = cuts[count - 1].count;
	lower = lower_of( m->box + sorted[all - 1] );
	upper = upper_of( m->box + sorted[all - 1] );
	i = all;
	for ( uint32_t k = count - 1; k-- > 1; )
	{
		for ( ; i > cuts[k].count; --i )
		{
			lower = bvsimd_floats_min( lower, lower_of( m->box + sorted[i - 1] ) );
			upper = bvsimd_floats_max( upper, upper_of( m->box + sorted[i - 1] ) );
		}
		double cost = surface[k] * cuts[k].count + surface_of( lower, upper ) * ( all - cuts[k].count );
		if ( cost < best->cost )
		{
			*best = ( division ){ cost, axis, cuts[k] };
		}
	}
}

// Those of the first part come first along the other axes, too.
static void divide( const bvwdeform_rebuild* m, const division* by, uint32_t first, uint32_t count )
{
	const uint32_t* sorted = m->sorted[by->axis] + first;
	for ( uint32_t i = 0; i < count; ++i )
	{
		m->side[sorted[i]] = i >= by->first.count;
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		if ( axis == by->axis )
		{
			continue;
		}
		uint32_t* list = m->sorted[axis] + first;
		uint32_t before = 0;
		uint32_t behind = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t item = list[i];
			bool is_behind = m->side[item];
			list[before] = item;
			m->spare[behind] = item;
			before += !is_behind;
			behind += is_behind;
		}
		memcpy( list + before, m->spare, behind * sizeof *list );
	}
}

// @return how many parts wait then
static uint32_t assign_part( const assigning* a, waiting_part part, waiting_part* waiting, uint32_t count )
{
	node_children children = children_of( a, part.index );
	uint32_t lane = 0;
	while ( !( part.lanes >> lane & 1 ) )
	{
		++lane;
	}
	if ( part.lanes >> lane == 1 && children.inner[lane] > 0 )
	{
		const bvtree_refit* r = &a->deform->refit;
		uint32_t index = children.inner[lane];
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
		waiting[count++] = ( waiting_part ){ index, ( 1u << node->children ) - 1, part.first };
		return count;
	}
	if ( part.lanes >> lane == 1 )
	{
		memcpy( a->order + children.first[lane], a->m.sorted[0] + part.first,
		        children.triangles[lane] * sizeof *a->order );
		return count;
	}
	cut cuts[most_cuts];
	uint32_t cut_count = list_cuts( &children, part.lanes, cuts );
	// Surfaces are finite.
	division best = { .cost = INFINITY };
	for ( int axis = 0; axis < 3; ++axis )
	{
		try_axis( &a->m, axis, part.first, cuts, cut_count, &best );
	}
	divide( &a->m, &best, part.first, cuts[cut_count - 1].count );
	waiting[count++] = ( waiting_part ){ part.index, best.first.lanes, part.first };
	waiting[count++] =
		( waiting_part ){ part.index, part.lanes & ~best.first.lanes, part.first + best.first.count };
	return count;
}

void bvwrebuild_sort( bvw_deform* deform, uint32_t index )
{
	const bvwdeform_rest* rest = deform->rest + index;
	make_boxes( deform, rest->first_triangle, rest->triangles );
	for ( int axis = 0; axis < 3; ++axis )
	{
		sort_along( &deform->rebuild, axis, rest->triangles );
	}
}

void bvwrebuild_assign( bvw_deform* deform, uint32_t index, uint32_t* order )
{
	const bvwdeform_rest* rest = deform->rest + index;
	const bvtree_refit* r = &deform->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	assigning a = { deform, rest->first_triangle, deform->rebuild, order };
	waiting_part waiting[bvtree_descent_stack];
	uint32_t count = 1;
	waiting[0] = ( waiting_part ){ index, ( 1u << node->children ) - 1, 0 };
	while ( count > 0 )
	{
		count -= 1;
		count = assign_part( &a, waiting[count], waiting, count );
	}
}
