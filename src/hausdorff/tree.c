// Errors of every node of a tree, bottom up. See bvbuild/hausdorff.h.

#include "base/core/round.h"
#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "base/offline/threads.h"
#include "hausdorff/search.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <stdio.h>

unsigned bvb_debug_bounds = bvb_bounds_all;
uint64_t bvb_debug_regions[40];
uint64_t bvb_debug_nodes[40];
double bvb_debug_time[40];
#include <time.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return (double)t.tv_sec+1e-9*(double)t.tv_nsec;}

static void measure_node( bvb_search* s, bvb_index* index, const bvb_stored_node* node, bvb_index_ref ref,
                          const bvb_tree_errors_options* options, bvb_node_error* out )
{
	bv_obb box = bv_obb_unpack( &node->box );
	double diagonal = 2 * sqrt( box.half_extents[0] * box.half_extents[0] + box.half_extents[1] * box.half_extents[1] +
	                            box.half_extents[2] * box.half_extents[2] );
	bvb_goal goal = { .relative = options->relative, .absolute = options->floor * diagonal, .bounds = bvb_debug_bounds };
	double size = bv_norm1( box.center ) + diagonal;
	double t0 = now();
	bvb_search_begin( s, index, ref, box.axis, size, &goal );
	bvb_cell cell = bvb_cell_of_box( box.center, box.axis, box.half_extents );
	bvb_search_add( s, &cell, INFINITY );
	bvb_hausdorff solid;
	bvb_search_run( s, &solid );
	uint64_t regions = solid.regions;
	bvb_hausdorff surface = solid;
	if ( cell.dimension == 3 )
	{
		bool on = false;
		bv_vec3 w = bv_sub( solid.witness, box.center );
		for ( int i = 0; i < 3; ++i )
		{
			on = on || fabs( bv_dot( w, box.axis[i] ) ) >= box.half_extents[i] - 0x1p-44 * size;
		}
		if ( !on )
		{
			bvb_search_begin( s, index, ref, box.axis, size, &goal );
			for ( int i = 0; i < 6; ++i )
			{
				double half[3] = { box.half_extents[0], box.half_extents[1], box.half_extents[2] };
				half[i / 2] = 0;
				bv_vec3 c = bv_add( box.center, bv_scale( i & 1 ? box.half_extents[i / 2] : -box.half_extents[i / 2], box.axis[i / 2] ) );
				cell = bvb_cell_of_box( c, box.axis, half );
				bvb_search_add( s, &cell, solid.upper );
			}
			bvb_search_run( s, &surface );
			regions += surface.regions;
		}
	}
	int bin = 0;
	while ( node->triangles >> bin > 1 ) bin++;
	bvb_debug_regions[bin] += regions;
	bvb_debug_nodes[bin] += 1;
	bvb_debug_time[bin] += now() - t0;
	*out = ( bvb_node_error ){ bv_float_down( surface.lower ), bv_float_up( surface.upper ), bv_float_down( solid.lower ), bv_float_up( solid.upper ) };
	if ( !bvb_ref_is_triangle( ref ) )
	{
		index->nodes[ref].error = bv_min( index->nodes[ref].error, solid.upper );
	}
}

bvb_tree_errors_options bvb_tree_errors_options_default( void )
{
	return ( bvb_tree_errors_options ){ .relative = 0.1, .floor = 0.01 };
}

bv_status bvb_hausdorff_tree( const bvb_mesh* mesh, const bvb_tree* tree, const bvb_tree_errors_options* options,
                              bvb_arena* arena, bvb_tree_errors* out, bvb_error* error )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	bvb_index* index = bvb_index_of_tree( mesh, tree, scratch );
	bvb_search* s = bvb_search_create( scratch );
	out->nodes = bvb_arena_allocate( arena, tree->node_count, sizeof *out->nodes );
	out->node_count = tree->node_count;
	if ( !index || !s || !out->nodes ) return bvb_fail_memory( error );
	for ( uint32_t i = tree->node_count; i-- > 0; )
	{
		measure_node( s, index, tree->nodes + i, index->tree[i], options, out->nodes + i );
	}
	bvb_arena_destroy( scratch );
	return bv_ok;
}
