// The vertices of inner nodes, each once. See runtime/tree/refit.h.

#include "runtime/tree/refit_points.h"
#include "world/deform/deform.h"

enum
{
	few_listed = 16, // vertices of a node's leaves; fewer are measured by the leaves' lists
};

typedef struct finding
{
	const bvtree_refit* refit;
	bvtree_refit_distinct* distinct;
	uint32_t* seen; // by vertex: index of the last node that listed it, and 1
	uint32_t* shared;
	uint32_t count; // of what is in `shared`
	uint32_t room;
} finding;

// @return how many vertices occur in leaves up to this one, if as many as `before` do in those before it; UINT32_MAX if they are not numbered
//         by first use
static uint32_t count_first( const bvtree_refit* r, uint32_t leaf, uint32_t before )
{
	uint32_t next = before;
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[leaf + 1] && next != UINT32_MAX; ++i )
	{
		next = r->vertices[i] > next ? UINT32_MAX : r->vertices[i] == next ? next + 1 : next;
	}
	return next;
}

static bool find_own( finding* f, uint32_t leaves )
{
	const bvtree_refit* r = f->refit;
	uint32_t leaf = 0;
	uint32_t next = 0;
	for ( uint32_t i = 0; i < r->inner_count; ++i )
	{
		for ( ; leaf < r->first_leaf[r->inner[i].number] && next != UINT32_MAX; ++leaf )
		{
			next = count_first( r, leaf, next );
		}
		f->distinct[i].own = next;
	}
	for ( ; leaf < leaves && next != UINT32_MAX; ++leaf )
	{
		next = count_first( r, leaf, next );
	}
	for ( uint32_t i = 0; i < r->inner_count; ++i )
	{
		uint32_t end = r->inner[i].end;
		f->distinct[i].own_end = end < r->inner_count ? f->distinct[end].own : next;
	}
	return next != UINT32_MAX;
}

typedef struct vertex_list
{
	const uint32_t* at;
	uint32_t count;
} vertex_list;

static vertex_list list_of( const finding* f, uint32_t number, uint32_t inner )
{
	const bvtree_refit* r = f->refit;
	if ( inner != BVTREE_REFIT_LEAF && f->distinct[inner].shared != BVTREE_REFIT_UNLISTED )
	{
		const bvtree_refit_distinct* of = f->distinct + inner;
		return ( vertex_list ){ f->shared + of->shared, of->shared_end - of->shared };
	}
	uint32_t first = r->leaf_begin[r->first_leaf[number]];
	return ( vertex_list ){ r->vertices + first, r->leaf_begin[r->end_leaf[number]] - first };
}

// @return false if there is no room
static bool share( finding* f, uint32_t index, vertex_list list )
{
	for ( uint32_t i = 0; i < list.count; ++i )
	{
		uint32_t vertex = list.at[i];
		if ( vertex >= f->distinct[index].own || f->seen[vertex] == index + 1 )
		{
			continue;
		}
		if ( f->count == f->room )
		{
			return false;
		}
		f->seen[vertex] = index + 1;
		f->shared[f->count++] = vertex;
	}
	return true;
}

// Those of a node are among those of its children, which must have been found.
static bool share_all( finding* f, uint32_t index )
{
	const bvtree_refit* r = f->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	uint32_t first = f->count;
	uint32_t next = index + 1;
	bool has_room = true;
	for ( uint32_t i = 0; i < node->children && has_room; ++i )
	{
		uint32_t inner = bvtree_refit_next_inner( r, node, i, &next );
		has_room = share( f, index, list_of( f, node->first_child + i, inner ) );
	}
	if ( has_room && ( f->count - first ) % 2 == 1 )
	{
		has_room = f->count < f->room;
		f->shared[f->count - !has_room] = f->shared[f->count - 1];
		f->count += has_room;
	}
	return has_room;
}

static void find_shared( finding* f, uint32_t index )
{
	const bvtree_refit* r = f->refit;
	uint32_t number = r->inner[index].number;
	uint32_t first = f->count;
	bool is_small = r->leaf_begin[r->end_leaf[number]] - r->leaf_begin[r->first_leaf[number]] <= few_listed;
	bool is_listed = !is_small && share_all( f, index );
	f->count = is_listed ? f->count : first;
	f->distinct[index].shared = is_listed ? first : BVTREE_REFIT_UNLISTED;
	f->distinct[index].shared_end = f->count;
}

void bvwdeform_find_distinct( bvw_deform* deform, uint32_t* seen )
{
	const bvtree_refit* r = &deform->refit;
	if ( !deform->counts.measured )
	{
		return;
	}
	finding f = { .refit = r,
		          .distinct = (bvtree_refit_distinct*)r->distinct,
		          .seen = seen,
		          .shared = (uint32_t*)r->shared,
		          .room = (uint32_t)deform->counts.listed };
	if ( !find_own( &f, deform->counts.leaves ) )
	{
		for ( uint32_t i = 0; i < r->inner_count; ++i )
		{
			f.distinct[i].own = UINT32_MAX;
			f.distinct[i].own_end = UINT32_MAX;
		}
	}
	memset( seen, 0, deform->counts.vertices * sizeof *seen );
	for ( uint32_t i = r->inner_count; i-- > 0; )
	{
		find_shared( &f, i );
	}
	deform->refit.skips = true;
}

void bvwdeform_forget_distinct( bvw_deform* deform, uint32_t index )
{
	bvtree_refit_distinct* distinct = (bvtree_refit_distinct*)deform->refit.distinct;
	for ( uint32_t i = index; i < deform->refit.inner[index].end && deform->counts.measured; ++i )
	{
		distinct[i].shared = BVTREE_REFIT_UNLISTED;
	}
	deform->refit.skips = false;
}
