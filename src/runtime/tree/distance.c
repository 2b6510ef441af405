// Distance of two meshes: a search by gap without interruption. See pair_search.h.

#include "bv/mesh.h"

#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/pair_search.h"
#include "runtime/tree/place.h"

#include <math.h>

enum
{
	room_on_stack = 160,
};

bv_distance_options bv_distance_options_default( void )
{
	return ( bv_distance_options ){ 0 };
}

// @param pairs  memory for one more than `room` pairs
static bv_status find_distance( const bvtree_lanes* lanes, bvtree_node_pair* pairs, uint32_t room,
                                const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                                const bv_distance_options* options, bv_distance_result* result )
{
	bv_distance_options asked = options ? *options : bv_distance_options_default();
	if ( !result )
	{
		return bv_error_argument;
	}

	// This may be the result itself.
	bool knows_last = asked.last && asked.last->found;
	uint32_t last[2] = { knows_last ? asked.last->a.triangle : 0, knows_last ? asked.last->b.triangle : 0 };
	const bvtree_search_setup setup = { .lanes = lanes,
		                                .a = a,
		                                .b = b,
		                                .b_in_a = b_in_a,
		                                .order = bv_search_by_gap,
		                                .limit = asked.limit,
		                                .relative = asked.relative,
		                                .absolute = asked.absolute,
		                                .last = knows_last ? last : NULL,
		                                .pairs = pairs,
		                                .room = room };
	bvtree_pair_search search;
	bv_status status = bvtree_search_begin( &setup, &search );
	if ( status != bv_ok )
	{
		return status;
	}
	uint64_t done = search.volume_tests + search.triangle_tests;
	if ( asked.most_tests == 0 || asked.most_tests >= done )
	{
		bvtree_search_run(
			&search, &( bv_budget ){ .tests = asked.most_tests > 0 ? asked.most_tests + 1 - done : 0 } );
	}
	*result = ( bv_distance_result ){ .found = search.found,
		                              .distance = search.found ? search.best : INFINITY,
		                              .volume_tests = search.volume_tests,
		                              .triangle_tests = search.triangle_tests };
	if ( search.found )
	{
		result->a = bvtree_search_point( &search, 0 );
		result->b = bvtree_search_point( &search, 1 );
	}
	return bv_ok;
}

// Apart from the rest, which takes so much less of the stack with memory of the caller.
BVSIMD_NOINLINE bv_status find_on_stack( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                         const bv_transform* b_in_a, const bv_distance_options* options,
                                         bv_distance_result* result )
{
	bvtree_node_pair pairs[room_on_stack + 1];
	return find_distance( lanes, pairs, room_on_stack, a, b, b_in_a, options, result );
}

bv_status bvtree_distance_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                              const bv_transform* b_in_a, const bv_distance_options* options,
                              bv_distance_result* result )
{
	if ( !options || !options->scratch )
	{
		return find_on_stack( lanes, a, b, b_in_a, options, result );
	}
	if ( options->scratch_bytes < BV_DISTANCE_SCRATCH_LEAST || (uintptr_t)options->scratch % 8 != 0 )
	{
		return bv_error_argument;
	}
	size_t pairs = options->scratch_bytes / bvtree_node_pair_bytes;
	uint32_t room = pairs > bvtree_search_most_room ? bvtree_search_most_room : (uint32_t)pairs - 1;
	return find_distance( lanes, options->scratch, room, a, b, b_in_a, options, result );
}

bv_status bv_mesh_distance( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                            const bv_distance_options* options, bv_distance_result* result )
{
	bv_transform storage;
	bv_status status = bvtree_distance_in( bvtree_lanes_best(), a, b, bvtree_place( a, b, b_in_a, &storage ),
	                                       options, result );
	if ( status == bv_ok && result->found )
	{
		const bv_vec3* offset = bvfile_offset_of( (const bvfile_header*)a );
		result->a.point = bvfile_with_offset( result->a.point, offset );
		result->a.local = bvfile_with_offset( result->a.local, offset );
		result->b.point = bvfile_with_offset( result->b.point, offset );
		result->b.local = bvfile_with_offset( result->b.local, bvfile_offset_of( (const bvfile_header*)b ) );
	}
	return status;
}
