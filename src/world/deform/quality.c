// How much worse a hierarchy has become by refits. See bvworld/deform.h.
//
// The cost is that of the surface area heuristic (Goldsmith, Salmon 1987): surfaces of volumes by the tests that follow a hit. What it is
// relative to decides what it is good for. Relative to the surface of the root (Lauterbach, Yoon, Tuft, Manocha 2006), a mesh whose parts fly
// apart gets cheaper, because the root grows most. What a new hierarchy would cost is wanted, and two simple quantities are near to it:
//
// - The area of the triangles. On each level of a good hierarchy, volumes are about as large as the pieces of surface in them, so that all of
//   them together are a multiple of that area. The multiple grows when a surface gets rough, and falls when triangles get long.
// - A hierarchy that is cheap to build, of the leaves along a curve. It sees rough surfaces. Leaves that have grown make it too expensive.
//
// These errors have opposite signs. So the geometric mean of both is used. docs/experiments/deform.md has the measurements.

#include "runtime/tree/descent.h"
#include "runtime/tree/leaf.h"
#include "runtime/volume/kinds.h"
#include "world/deform/deform.h"

#include <math.h>
#include <string.h>

// The greatest subtrees that are listed have this part of all triangles.
static const uint32_t listed_part = 16;

// Boxes whose axes stay get thicker when they turn, which costs more than the surface shows. Volumes without axes were not much thinner.
static const double limit_of_kept_axes = 1.2;
static const double limit_of_turned_axes = 1.3;
static const double limit_without_axes = 1.5;

// A subtree that costs less than this part of what it did after a rebuild can be rebuilt again.
static const double other_shape = 0.8;

// Sums over a subtree, or over the part of it that was visited.
typedef struct subtree_sums
{
	uint32_t index;
	double cost;
	double area;
	uint32_t first_triangle;
	uint32_t triangles;
} subtree_sums;

typedef struct visit
{
	const bvw_deform* deform;
	bvfile_view view;
	bvtree_leaf_source source;
	bvwdeform_rest* keep;   // null: the quality is not kept
	double* tried;          // likewise
	bvwdeform_worst* worst; // null: the quality is kept
	uint32_t most_listed;   // triangles of a subtree
} visit;

static double surface_of( const double half[3] )
{
	return 8 * ( half[0] * half[1] + half[1] * half[2] + half[2] * half[0] );
}

static double area_of_triangle( const bvtree_leaf_source* source, uint32_t triangle )
{
	bv_vec3 p[3];
	bvtree_leaf_triangle( source, triangle, p );
	bv_vec3 n = bv_cross( bv_sub( p[1], p[0] ), bv_sub( p[2], p[0] ) );
	return sqrt( bv_dot( n, n ) ) / 2;
}

// As if all triangles of the leaf were as large as the first one. Leaves have few triangles, all next to each other, which grow and shrink
// together.
static double area_of_leaf( const bvtree_leaf_source* source, uint32_t first, uint32_t count )
{
	return count * area_of_triangle( source, first );
}

// The volumes of the children of a node, and the triangles of those that are leaves.
static subtree_sums sums_of_node( const visit* v, uint32_t index )
{
	const bvtree_refit* r = &v->deform->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &r->head->grid );
	bvtree_children next = bvtree_children_begin( node );
	subtree_sums out = { .index = index, .first_triangle = node->first_triangle };
	bvfile_group group = bvfile_group_first( node );
	for ( ; group.count > 0; group = bvfile_group_next( node, &group ) )
	{
		double half[BVFILE_LANES][3];
		bvfile_group_half_lengths( &group, &frame, half );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bvtree_child child = bvtree_children_next( &next );
			uint32_t triangles = (uint32_t)( child >> 32 );
			uint32_t tests =
				triangles > 0 ? triangles : bvfile_node_at( &v->view, (uint32_t)child )->children;
			out.cost += surface_of( half[i] ) * tests;
			if ( triangles > 0 )
			{
				out.area += area_of_leaf( &v->source, (uint32_t)child, triangles );
				out.triangles += triangles;
			}
		}
	}
	return out;
}

static double per_area( double cost, double area )
{
	return area > 0 ? cost / area : INFINITY;
}

// What the cost of a subtree per area of its triangles is compared with: that at the beginning or, after a rebuild, that which it had then. A
// mesh that was hard to enclose at the rebuild can have another shape since: a subtree that costs much less without a rebuild is compared
// with the beginning again.
static double reference_of( const visit* v, uint32_t index, double now )
{
	const bvwdeform_rest* rest = v->deform->rest + index;
	const double* tried = v->deform->rebuild.tried;
	double begin = per_area( rest->cost, rest->area );
	if ( !tried )
	{
		return begin;
	}
	if ( now >= other_shape * tried[index] )
	{
		return tried[index];
	}
	// Of triangles that had no area nothing is known.
	return begin < INFINITY ? begin : 0;
}

static void list( bvwdeform_worst* worst, uint32_t index, const bvw_deform_subtree* subtree )
{
	uint32_t at = worst->count;
	if ( at == BVW_DEFORM_WORST )
	{
		if ( !( worst->subtree[at - 1].excess < subtree->excess ) )
		{
			return;
		}
		at -= 1;
	}
	else
	{
		worst->count += 1;
	}
	for ( ; at > 0 && worst->subtree[at - 1].excess < subtree->excess; --at )
	{
		worst->subtree[at] = worst->subtree[at - 1];
		worst->index[at] = worst->index[at - 1];
	}
	worst->subtree[at] = *subtree;
	worst->index[at] = index;
}

static bool is_listed( const visit* v, uint32_t index )
{
	const bvtree_refit_inner* inner = v->deform->refit.inner;
	const bvwdeform_rest* rest = v->deform->rest;
	return rest[index].triangles <= v->most_listed &&
	       ( index == 0 || rest[inner[index].parent].triangles > v->most_listed );
}

// All nodes of a subtree were visited.
static void close_subtree( const visit* v, const subtree_sums* sums )
{
	uint32_t index = sums->index;
	double now = per_area( sums->cost, sums->area );
	if ( v->tried )
	{
		v->tried[index] = now;
	}
	if ( v->keep )
	{
		v->keep[index] = ( bvwdeform_rest ){ sums->cost, sums->area, sums->first_triangle, sums->triangles };
	}
	if ( v->worst && is_listed( v, index ) )
	{
		const bvwdeform_rest* rest = v->deform->rest + index;
		double reference = reference_of( v, index, now );
		bvw_deform_subtree subtree = {
			.node = v->deform->refit.inner[index].number,
			.first_triangle = rest->first_triangle,
			.triangles = rest->triangles,
			// Exactly 1 if nothing has changed.
			.ratio = now == reference ? 1 : now / reference,
			// As if the subtree's volumes had grown as its triangles.
			.excess = sums->cost - reference * sums->area,
		};
		// Only a rebuild of all triangles lists the root, whatever its area is.
		const double* tried = v->deform->rebuild.tried;
		bool is_another = index == 0 && tried && now != tried[0] && sums->cost > 0;
		if ( is_another || ( subtree.ratio > 1 && subtree.excess > 0 ) )
		{
			list( v->worst, index, &subtree );
		}
	}
}

static void add_to( subtree_sums* parent, const subtree_sums* child )
{
	parent->cost += child->cost;
	parent->area += child->area;
	parent->first_triangle =
		child->first_triangle < parent->first_triangle ? child->first_triangle : parent->first_triangle;
	parent->triangles += child->triangles;
}

static double cost_of_root( const visit* v )
{
	const bvfile_hierarchy* head = v->deform->refit.head;
	bv_volume volume = bvvol_unpack( (bv_volume_type)head->root_type, head->root );
	double half[3];
	bvvol_half_lengths( &volume, half );
	uint32_t tests =
		head->root_triangles > 0 ? head->root_triangles : bvfile_node_at( &v->view, 0 )->children;
	return surface_of( half ) * tests;
}

// Inner nodes are stored depth first, each before those of its subtree.
// @param all  the sums of the nodes below are added
static void visit_subtree( const visit* v, uint32_t index, subtree_sums* all )
{
	const bvtree_refit* r = &v->deform->refit;
	subtree_sums open[BV_MAX_DEPTH + 1];
	uint32_t count = 0;
	uint32_t end = r->inner[index].end;
	for ( uint32_t i = index; i < end; ++i )
	{
		open[count++] = sums_of_node( v, i );
		for ( ; count > 0 && r->inner[open[count - 1].index].end == i + 1; --count )
		{
			close_subtree( v, open + ( count - 1 ) );
			add_to( count > 1 ? open + ( count - 2 ) : all, open + ( count - 1 ) );
		}
	}
}

// @return the sums of all nodes
static subtree_sums visit_all( const visit* v )
{
	const bvtree_refit* r = &v->deform->refit;
	subtree_sums all = { .cost = cost_of_root( v ) };
	if ( r->inner_count == 0 )
	{
		all.triangles = r->head->root_triangles;
		all.area = area_of_leaf( &v->source, 0, all.triangles );
		close_subtree( v, &all );
		return all;
	}
	visit_subtree( v, 0, &all );
	return all;
}

static visit begin_visit( const bvw_deform* deform )
{
	visit v = { .deform = deform, .view = bvfile_view_of( (const bv_file*)deform->image ) };
	v.source = bvtree_leaf_source_of( &v.view );
	return v;
}

static double cost_of( const bvw_deform* deform, const subtree_sums* all )
{
	double new_cost = sqrt( all->area * bvwdeform_curve_cost( deform, all->area ) );
	return new_cost > 0 ? all->cost / new_cost : all->cost > 0 ? INFINITY : 0;
}

static double limit_of( const bvw_deform* deform )
{
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		// Balls have no extents, and no axes.
		if ( bvfile_count_of_type( deform->refit.head, i ) > 0 &&
		     bvvol_kind_of( (bv_volume_type)i )->extents > 0 )
		{
			return deform->options.frames == bvw_deform_keep ? limit_of_kept_axes : limit_of_turned_axes;
		}
	}
	return limit_without_axes;
}

void bvwdeform_keep_quality( bvw_deform* deform )
{
	visit v = begin_visit( deform );
	v.keep = deform->rest;
	v.tried = deform->rebuild.tried;
	subtree_sums all = visit_all( &v );
	deform->cost_at_begin = cost_of( deform, &all );
}

void bvwdeform_keep_subtree( bvw_deform* deform, uint32_t index )
{
	visit v = begin_visit( deform );
	v.tried = deform->rebuild.tried;
	subtree_sums all = { .cost = 0 };
	visit_subtree( &v, index, &all );
}

double bvwdeform_subtree_cost( const bvw_deform* deform, uint32_t index )
{
	visit v = begin_visit( deform );
	const bvtree_refit_inner* inner = deform->refit.inner;
	double cost = index > 0 ? sums_of_node( &v, inner[index].parent ).cost : cost_of_root( &v );
	for ( uint32_t i = index; i < inner[index].end; ++i )
	{
		cost += sums_of_node( &v, i ).cost;
	}
	return cost;
}

// @return the sums of all nodes
static subtree_sums find_worst( const bvw_deform* deform, uint32_t most, bvwdeform_worst* out )
{
	visit v = begin_visit( deform );
	*out = ( bvwdeform_worst ){ .count = 0 };
	v.worst = out;
	v.most_listed = most;
	subtree_sums all = visit_all( &v );
	out->cost = all.cost;
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		out->subtree[i].excess /= all.cost;
	}
	return all;
}

void bvwdeform_find_worst( const bvw_deform* deform, uint32_t most, bvwdeform_worst* out )
{
	find_worst( deform, most, out );
}

bv_status bvw_deform_quality( bvw_deform* deform, bvw_deform_quality_result* result )
{
	if ( !deform || deform->refit.by_boxes || !result )
	{
		return bv_error_argument;
	}
	bvw_deform_quality_result out = { .cost_at_begin = deform->cost_at_begin, .limit = limit_of( deform ) };
	bvwdeform_worst worst;
	subtree_sums all = find_worst( deform, deform->rest->triangles / listed_part, &worst );
	out.cost = cost_of( deform, &all );
	// Both can be 0, or infinite.
	out.ratio = out.cost == out.cost_at_begin ? 1 : out.cost / out.cost_at_begin;
	out.rebuild = out.ratio >= out.limit;
	out.worst_count = worst.count;
	memcpy( out.worst, worst.subtree, sizeof out.worst );
	*result = out;
	return bv_ok;
}
