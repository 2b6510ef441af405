// What builders call while they work: the calling thread's worker, room for nodes, and the volume of a set.
// See build.h.

#include "offline/hierarchy/build.h"

#include "offline/base/arena.h"

#include <math.h>
#include <omp.h>

bool bvhier_build_make_room( const bvhier_build* build, bvb_arena* arena )
{
	size_t nodes = 2 * (size_t)build->count - 1;
	bvb_tree* tree = build->tree;
	tree->nodes = bvb_arena_allocate( arena, nodes, sizeof *tree->nodes );
	tree->volumes = bvb_arena_allocate( arena, nodes, tree->stride );
	return tree->nodes && tree->volumes;
}

bvhier_worker* bvhier_build_worker( const bvhier_build* build )
{
	return build->workers + omp_get_thread_num();
}

bv_volume bvhier_build_fit( const bvhier_build* build, bvhier_worker* worker, const bvfit_face_list* list,
                            double* quality )
{
	uint32_t types = build->options->volume_types;
	bool choose = types & ( types - 1 );
	bv_volume best = { .type = bv_volume_types };
	double least = INFINITY;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( !( types >> i & 1 ) )
		{
			continue;
		}
		bv_volume volume = bvfit_volume_fit_type( (bv_volume_type)i, list );
		double good = 0;
		if ( ( choose || quality ) &&
		     !bvhier_quality_of( &build->quality, list, &volume, &worker->target, worker->arena, &good ) )
		{
#pragma omp atomic write
			*build->failed = true;
		}
		if ( best.type == bv_volume_types || good < least )
		{
			best = volume;
			least = good;
		}
	}
	if ( quality )
	{
		*quality = least;
	}
	return best;
}
