// The nodes of a file's hierarchy by level, and a choice of them. See nodes.h.

#include "offline/assess/nodes.h"

#include "bvbuild/fit.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"

#include <math.h>

static bool take_node( void* context, const bv_node_info* node )
{
	bvassess_assessed* all = context;
	all->nodes[node->index] = ( bvassess_assessed_node ){
		.level = node->level,
		.type = node->volume.type,
		.children = node->children,
		.first_child = node->first_child,
		.first_triangle = node->first_triangle,
		.triangles = node->triangles,
	};
	return true;
}

// Counting sort, so that nodes of a level stay in the order of their numbers.
static void sort_by_level( bvassess_assessed* all )
{
	uint32_t next[BV_MAX_DEPTH + 2] = { 0 };
	for ( uint32_t i = 0; i < all->count; ++i )
	{
		next[all->nodes[i].level + 1] += 1;
	}
	for ( uint32_t i = 0; i <= BV_MAX_DEPTH; ++i )
	{
		next[i + 1] += next[i];
	}
	for ( uint32_t i = 0; i < BV_MAX_DEPTH + 2; ++i )
	{
		all->first_of_level[i] = next[i];
	}
	for ( uint32_t i = 0; i < all->count; ++i )
	{
		all->by_level[next[all->nodes[i].level]++] = i;
	}
}

bv_status bvassess_nodes( const bv_file* file, bvb_arena* arena, bvassess_assessed* out, bvb_error* error )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	if ( info.nodes == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	*out = ( bvassess_assessed ){
		.nodes = bvb_arena_allocate( arena, info.nodes, sizeof *out->nodes ),
		.by_level = bvb_arena_allocate( arena, info.nodes, sizeof *out->by_level ),
		.count = info.nodes,
		.levels = info.depth + 1,
	};
	if ( !out->nodes || !out->by_level )
	{
		return bvbase_fail_memory( error );
	}
	bvfile_local_visit_nodes( file, take_node, out );
	sort_by_level( out );
	return bv_ok;
}

uint32_t bvassess_choose_nodes( const bvassess_assessed* all, uint32_t level, bool inner, uint32_t most,
                                uint32_t* out )
{
	uint32_t count = 0;
	for ( uint32_t i = all->first_of_level[level]; i < all->first_of_level[level + 1]; ++i )
	{
		uint32_t node = all->by_level[i];
		if ( !inner || all->nodes[node].children > 0 )
		{
			out[count++] = node;
		}
	}
	if ( most == 0 || count <= most )
	{
		return count;
	}
	for ( uint32_t i = 0; i < most; ++i )
	{
		out[i] = out[(uint64_t)i * count / most];
	}
	return most;
}

typedef struct getting
{
	const uint32_t* place;
	bv_volume* out;
} getting;

static bool get_volume( void* context, const bv_node_info* node )
{
	const getting* g = context;
	if ( g->place[node->index] != UINT32_MAX )
	{
		g->out[g->place[node->index]] = node->volume;
	}
	return true;
}

void bvassess_get_volumes( const bv_file* file, const uint32_t* place, bv_volume* out )
{
	getting g = { place, out };
	bvfile_local_visit_nodes( file, get_volume, &g );
}

// Needles are never flat, as their area vanishes with their volume.
bool bvassess_is_flat( const bv_volume* volume, double part )
{
	double area = bvb_area_of( volume );
	return !( bvb_volume_of( volume ) > part * ( area * sqrt( area ) ) );
}
