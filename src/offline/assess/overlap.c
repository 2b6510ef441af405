// Overlaps of siblings. The less of a volume is in another one, the better the two tell their triangles
// apart.

#include "bvbuild/assess.h"
#include "offline/assess/common.h"
#include "offline/assess/nodes.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"

enum
{
	parallel_pairs = 1024,
};

typedef struct overlap_pair
{
	uint32_t node[2];
	uint32_t level;
	double overlap;
} overlap_pair;

typedef struct overlap_work
{
	bvassess_assessed all;
	uint32_t* parents; // chosen
	uint32_t parent_count;
	uint32_t* place; // of each node, its volume
	bv_volume* volumes;
	bvassess_sized_volume* sized; // the same
	uint32_t volume_count;
	overlap_pair* pairs; // level by level
	uint64_t pair_count;
} overlap_work;

static uint64_t pairs_of( uint64_t children )
{
	return children * ( children - 1 ) / 2;
}

// Also counts all pairs.
static bv_status choose_parents( overlap_work* k, const bvb_overlap_options* options, bvb_arena* scratch,
                                 bvb_overlaps* out )
{
	k->parents = bvb_arena_allocate( scratch, k->all.count, sizeof *k->parents );
	k->place = bvb_arena_allocate( scratch, k->all.count, sizeof *k->place );
	if ( !k->parents || !k->place )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < k->all.count; ++i )
	{
		const bvassess_assessed_node* node = k->all.nodes + i;
		k->place[i] = UINT32_MAX;
		if ( node->children > 0 )
		{
			out->level[node->level + 1].pairs += pairs_of( node->children );
			out->all.pairs += pairs_of( node->children );
		}
	}
	for ( uint32_t level = 0; level + 1 < k->all.levels; ++level )
	{
		uint32_t* to = k->parents + k->parent_count;
		uint32_t count = bvassess_choose_nodes( &k->all, level, true, options->parents, to );
		k->parent_count += count;
		for ( uint32_t i = 0; i < count; ++i )
		{
			const bvassess_assessed_node* parent = k->all.nodes + to[i];
			k->pair_count += pairs_of( parent->children );
			for ( uint32_t child = 0; child < parent->children; ++child )
			{
				k->place[parent->first_child + child] = k->volume_count++;
			}
		}
	}
	return bv_ok;
}

static bv_status list_pairs( overlap_work* k, bvb_arena* scratch )
{
	k->volumes = bvb_arena_allocate( scratch, k->volume_count, sizeof *k->volumes );
	k->sized = bvb_arena_allocate( scratch, k->volume_count, sizeof *k->sized );
	k->pairs = bvb_arena_allocate( scratch, k->pair_count, sizeof *k->pairs );
	if ( !k->volumes || !k->sized || !k->pairs )
	{
		return bv_error_memory;
	}
	overlap_pair* to = k->pairs;
	for ( uint32_t i = 0; i < k->parent_count; ++i )
	{
		const bvassess_assessed_node* parent = k->all.nodes + k->parents[i];
		for ( uint32_t a = 0; a < parent->children; ++a )
		{
			for ( uint32_t b = a + 1; b < parent->children; ++b )
			{
				*to++ = ( overlap_pair ){ { parent->first_child + a, parent->first_child + b },
					                      parent->level + 1,
					                      0 };
			}
		}
	}
	return bv_ok;
}

static void measure( overlap_work* k, int threads )
{
#pragma omp parallel num_threads( threads )
	{
#pragma omp for schedule( dynamic, 256 )
		for ( uint32_t i = 0; i < k->volume_count; ++i )
		{
			k->sized[i] = ( bvassess_sized_volume ){ k->volumes[i], bvassess_size_of( k->volumes + i ) };
		}
#pragma omp for schedule( dynamic, 256 )
		for ( uint64_t i = 0; i < k->pair_count; ++i )
		{
			overlap_pair* p = k->pairs + i;
			p->overlap =
				bvassess_overlap_of_sized( k->sized + k->place[p->node[0]], k->sized + k->place[p->node[1]] );
		}
	}
}

// Sums up in `mean` and `share`.
static void add( bvb_overlap* to, const overlap_pair* p )
{
	if ( p->overlap < 0 )
	{
		to->flat += 1;
		return;
	}
	if ( to->measured == 0 || p->overlap > to->max )
	{
		to->max = p->overlap;
		to->worst[0] = p->node[0];
		to->worst[1] = p->node[1];
	}
	to->measured += 1;
	to->mean += p->overlap;
	to->share += p->overlap > 0;
}

// A level counts as if all of its pairs had been looked at.
static void sum_up( bvb_overlaps* out, uint32_t levels )
{
	bvb_overlap* all = &out->all;
	double weights = 0;
	for ( uint32_t i = 0; i < levels; ++i )
	{
		bvb_overlap* level = out->level + i;
		all->flat += level->flat;
		if ( level->measured == 0 )
		{
			continue;
		}
		level->mean /= (double)level->measured;
		level->share /= (double)level->measured;
		double looked_at = (double)( level->measured + level->flat );
		double weight = (double)level->pairs * ( (double)level->measured / looked_at );
		all->mean += weight * level->mean;
		all->share += weight * level->share;
		weights += weight;
		if ( all->measured == 0 || level->max > all->max )
		{
			all->max = level->max;
			all->worst[0] = level->worst[0];
			all->worst[1] = level->worst[1];
		}
		all->measured += level->measured;
	}
	all->mean = weights > 0 ? all->mean / weights : 0;
	all->share = weights > 0 ? all->share / weights : 0;
}

static bv_status assess( const bv_file* file, const bvb_overlap_options* options, bvb_arena* scratch,
                         bvb_overlaps* out, bvb_error* error )
{
	overlap_work k = { 0 };
	bv_status status = bvassess_nodes( file, scratch, &k.all, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( choose_parents( &k, options, scratch, out ) != bv_ok || list_pairs( &k, scratch ) != bv_ok )
	{
		return bvbase_fail_memory( error );
	}
	bvassess_get_volumes( file, k.place, k.volumes );
	measure( &k, bvbase_thread_team_for( scratch, options->threads, k.pair_count, parallel_pairs ) );
	for ( uint64_t i = 0; i < k.pair_count; ++i )
	{
		add( &out->level[k.pairs[i].level], k.pairs + i );
	}
	sum_up( out, k.all.levels );
	return bv_ok;
}

bvb_overlap_options bvb_overlap_options_default( void )
{
	return ( bvb_overlap_options ){ .parents = 2048 };
}

bv_status bvb_assess_overlap( const bv_file* file, const bvb_overlap_options* options, bvb_arena* arena,
                              bvb_overlaps* out, bvb_error* error )
{
	bvb_overlap_options defaults = bvb_overlap_options_default();
	*out = ( bvb_overlaps ){ 0 };
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status = scratch ? assess( file, options ? options : &defaults, scratch, out, error )
	                           : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	return status;
}
