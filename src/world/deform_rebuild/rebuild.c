// Rebuilds subtrees that have got bad by refits. See bvworld/deform.h.
//
// The nodes of a subtree stay as they are: their children, their numbers of triangles, and where they are stored. So nothing else of a file has
// to move. Two changes are tried: new axes for the volumes, and other leaves for the triangles with new axes as well. The one with the least
// sum of surfaces times tests is kept, if it is less than before.

#include "world/deform_rebuild/rebuild.h"
#include "runtime/tree/descent.h"
#include "runtime/volume/kinds.h"

#include <string.h>

static bool has_axes( const bvw_deform* d )
{
	bool has = false;
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		has = has || ( bvfile_count_of_type( d->refit.head, i ) > 0 &&
		               bvvol_kind_of( (bv_volume_type)i )->extents > 0 );
	}
	return has;
}

// An inner node among the children of its parent. The root has none.
typedef struct place_in_parent
{
	uint32_t parent; // index
	uint32_t lanes;  // 1 << lane
} place_in_parent;

static place_in_parent place_of( const bvw_deform* d, uint32_t index )
{
	const bvtree_refit_inner* inner = d->refit.inner;
	uint32_t parent = inner[index].parent;
	const bvfile_packed_node* node = (const bvfile_packed_node*)( d->refit.words + inner[parent].place );
	return ( place_in_parent ){ parent, 1u << ( inner[index].number - node->first_child ) };
}

static void fit_axes( bvw_deform* d, uint32_t index )
{
	for ( uint32_t i = index; i < d->refit.inner[index].end; ++i )
	{
		bvwrebuild_fit_axes( d, i, UINT32_MAX );
	}
	if ( index == 0 )
	{
		bvwrebuild_fit_root_axes( d );
		return;
	}
	place_in_parent at = place_of( d, index );
	bvwrebuild_fit_axes( d, at.parent, at.lanes );
}

static void refit_children( bvw_deform* d, uint32_t index, uint32_t lanes )
{
	if ( !bvtree_refit_turns( &d->refit ) )
	{
		bvwrebuild_write_axes( d, index, lanes );
	}
	bool all = lanes == UINT32_MAX;
	bvwdeform_fit_children( d, index, ( bvtree_refit_what ){ .all = all, .moved = lanes } );
}

static void refit_subtree( bvw_deform* d, uint32_t index )
{
	for ( uint32_t i = index; i < d->refit.inner[index].end; ++i )
	{
		refit_children( d, i, UINT32_MAX );
	}
	if ( index == 0 )
	{
		bvtree_refit_root( &d->refit, true );
		return;
	}
	place_in_parent at = place_of( d, index );
	refit_children( d, at.parent, at.lanes );
}

static void box_subtree( const bvw_deform* d, uint32_t index )
{
	for ( uint32_t i = d->refit.inner[index].end; i-- > index; )
	{
		bvwdeform_box_node( &d->refit, i, UINT32_MAX );
	}
}

// Words of consecutive nodes.
static void copy_words( const bvtree_refit* r, uint32_t first, uint32_t last, const uint32_t* from,
                        uint32_t* to )
{
	uint32_t begin = r->inner[first].place;
	const uint32_t* words = r->words + r->inner[last].place;
	uint32_t end = r->inner[last].place + bvfile_node_bytes( (const bvfile_packed_node*)words ) / 4;
	memcpy( to + begin, from + begin, ( end - begin ) * sizeof *to );
}

// Axes of a subtree.
static void copy_axes( const bvtree_refit* r, uint32_t index, const bvwdeform_axes* from, bvwdeform_axes* to )
{
	*to->head = *from->head;
	copy_words( r, r->inner[index].parent, r->inner[index].parent, from->words, to->words );
	copy_words( r, index, r->inner[index].end - 1, from->words, to->words );
}

// Puts the triangles of a subtree into another order.
static void reorder( bvw_deform* d, uint32_t index, const uint32_t* order )
{
	uint32_t first = d->rest[index].first_triangle;
	uint32_t count = d->rest[index].triangles;
	uint32_t( *corner )[3] = (uint32_t( * )[3])d->rebuild.work;
	uint32_t* number = d->rebuild.number + first;
	bvfile_view view = bvfile_view_of( (const bv_file*)d->image );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfile_triangle( &view, first + order[i], corner[i] );
		d->rebuild.spare[i] = number[order[i]];
	}
	memcpy( number, d->rebuild.spare, count * sizeof *number );
	bvwdeform_set_triangles( d, first, count, corner );
	bvwdeform_list_subtree( d, index );
	bvwdeform_forget_distinct( d, index );
}

static void invert( const uint32_t* order, uint32_t* inverse, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		inverse[order[i]] = i;
	}
}

// The errors in the file are those of other triangles.
static void forget_errors( bvw_deform* d, uint32_t index )
{
	const bvtree_refit* r = &d->refit;
	for ( uint32_t i = index; i < r->inner[index].end && d->errors.anew; ++i )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		memset( d->errors.anew + node->first_child, 1, node->children );
		bvwdeform_set_errors( d, i, UINT32_MAX );
	}
}

// As bvwdeform_subtree_cost, of the axis-aligned boxes of the nodes.
static double cost_of_boxes( const bvw_deform* d, uint32_t index )
{
	const bvtree_refit* r = &d->refit;
	double cost = 0;
	for ( uint32_t i = index; i < r->inner[index].end; ++i )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		bvtree_children next = bvtree_children_begin( node );
		uint32_t inner = i + 1;
		for ( uint32_t lane = 0; lane < node->children; ++lane )
		{
			const bvtree_refit_box* box = r->boxes + node->first_child + lane;
			uint32_t tests = (uint32_t)( bvtree_children_next( &next ) >> 32 );
			if ( tests == 0 )
			{
				tests = bvtree_refit_inner_at( r, inner )->children;
				inner = r->inner[inner].end;
			}
			double x = (double)box->upper[0] - box->lower[0];
			double y = (double)box->upper[1] - box->lower[1];
			double z = (double)box->upper[2] - box->lower[2];
			cost += tests * ( x * y + y * z + z * x );
		}
	}
	return cost;
}

// Refits a subtree with new axes.
// @param cost  of the subtree before its triangles changed; receives what it is now if that is less
// @return whether it is. If not, axes are what they were
static bool improve( bvw_deform* d, uint32_t index, double* cost )
{
	copy_axes( &d->refit, index, &d->rebuild.axes, &d->rebuild.saved );
	if ( has_axes( d ) )
	{
		fit_axes( d, index );
	}
	refit_subtree( d, index );
	double now = bvwdeform_subtree_cost( d, index );
	if ( now < *cost )
	{
		*cost = now;
		return true;
	}
	copy_axes( &d->refit, index, &d->rebuild.saved, &d->rebuild.axes );
	return false;
}

static void put_in_order( bvw_deform* d, uint32_t index, const uint32_t* order )
{
	reorder( d, index, order );
	box_subtree( d, index );
}

static void rebuild_subtree( bvw_deform* d, uint32_t index, double all, bvw_deform_rebuild_report* report )
{
	uint32_t count = d->rest[index].triangles;
	// Behind the corners of triangles, see reorder.
	uint32_t* order = (uint32_t*)d->rebuild.work + 3 * (size_t)count;
	double before = bvwdeform_subtree_cost( d, index );
	double boxes = cost_of_boxes( d, index );
	double cost = before;
	bool turned = has_axes( d ) && improve( d, index, &cost );
	bvwrebuild_sort( d, index );
	bvwrebuild_assign( d, index, order );
	put_in_order( d, index, order );
	// Axes take most of the time. Where boxes get no better, they are not tried.
	bool assigned = cost_of_boxes( d, index ) < boxes && improve( d, index, &cost );
	if ( assigned )
	{
		forget_errors( d, index );
	}
	else
	{
		invert( order, d->rebuild.sorted[0], count );
		put_in_order( d, index, d->rebuild.sorted[0] );
		refit_subtree( d, index );
	}
	bvwdeform_keep_subtree( d, index );
	report->subtrees += 1;
	report->triangles += count;
	report->assigned += assigned;
	report->turned += turned && !assigned;
	report->gain += ( before - cost ) / all;
}

// Triangles have other numbers: what is known of them by number is out of date. The hash follows from their order, so that meshes of one file
// that were rebuilt differently have different ones.
static void renumber( bvw_deform* d )
{
	bvfile_entry* entry = (bvfile_entry*)bvfile_entry_of( d->image, bvfile_section_triangles );
	bvfile_view view = bvfile_view_of( d->source );
	uint64_t hash = bvfile_entry_of( view.header, bvfile_section_triangles )->hash;
	for ( uint32_t i = 0; i < view.mesh->triangles; ++i )
	{
		hash = ( hash + d->rebuild.number[i] ) * UINT64_C( 6364136223846793005 ) +
		       UINT64_C( 1442695040888963407 );
	}
	entry->hash = hash;
	if ( d->lists.first )
	{
		bvwdeform_list_nodes( d, d->rebuild.seen );
	}
}

// Measuring is faster with lists of distinct vertices, but finding these takes as long as to rebuild some thousand triangles.
static void find_distinct( bvw_deform* d, uint32_t rebuilt )
{
	d->rebuild.forgot += rebuilt;
	if ( d->rebuild.forgot > d->rest->triangles / 4 )
	{
		bvwdeform_find_distinct( d, d->rebuild.seen );
		d->rebuild.forgot = 0;
	}
}

bv_status bvw_deform_rebuild( bvw_deform* deform, uint32_t triangles, bvw_deform_rebuild_report* report )
{
	if ( !bvwdeform_is_valid( deform ) || !deform->rebuild.number ||
	     triangles > deform->options.rebuild_triangles )
	{
		return bv_error_argument;
	}
	bvw_deform_rebuild_report done = { .subtrees = 0 };
	uint32_t most = triangles > 0 ? triangles : deform->options.rebuild_triangles;
	bvwdeform_worst worst = { .count = 0 };
	if ( deform->refit.inner_count > 0 )
	{
		bvwdeform_find_worst( deform, most, &worst );
	}
	uint32_t assigned[BVW_DEFORM_WORST];
	for ( uint32_t i = 0; i < worst.count; ++i )
	{
		if ( worst.subtree[i].triangles <= most - done.triangles )
		{
			assigned[done.assigned] = worst.index[i];
			rebuild_subtree( deform, worst.index[i], worst.cost, &done );
		}
	}
	find_distinct( deform, done.triangles );
	if ( done.assigned > 0 )
	{
		renumber( deform );
	}
	if ( done.assigned > 0 && ( bvtree_refit_turns( &deform->refit ) || deform->errors.head ) )
	{
		// A refit of listed vertices would leave the nodes above as they are; one of all would not.
		bvwdeform_fit_ancestors( deform, assigned, done.assigned );
	}
	if ( done.subtrees > 0 && deform->errors.head )
	{
		bvwdeform_set_root_error( deform );
		bvwdeform_sum_errors( deform );
	}
	if ( report )
	{
		*report = done;
	}
	return bv_ok;
}

uint32_t bvw_deform_triangle( const bvw_deform* deform, uint32_t triangle )
{
	if ( !bvwdeform_is_valid( deform ) ||
	     triangle >= bvfile_view_of( (const bv_file*)deform->image ).mesh->triangles )
	{
		return UINT32_MAX;
	}
	return deform->rebuild.number ? deform->rebuild.number[triangle] : triangle;
}
