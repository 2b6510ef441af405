// Updates of bench_world by one thread and by several, in turns. In C++.

#pragma once

#include "tests/bench/pool.h"
#include "tests/bench/world_others.h"

#include <chrono>
#include <cstring>

namespace {

// A step takes the moves, which are of one thread, and the update, whose time is taken.
inline void run_threads( world_settings& with )
{
	const uint32_t count = 100000, workers = 2;
	const int steps = with.quick ? 15 : 51;
	world_scene scene( world_brownian, count, 100, with.seed );
	bvw_broadphase_options options = bvw_broadphase_options_default();
	options.objects = count;
	options.method = bvw_method_rows;
	options.workers = workers;
	size_t bytes = bvw_broadphase_bytes( &options );
	bvw_broadphase* world[2];
	for ( bvw_broadphase*& one : world )
	{
		void* memory = malloc( bytes );
		if ( !memory || bvw_broadphase_begin( memory, bytes, &options, &one ) != bv_ok )
		{
			world_fail( "bvw_broadphase_begin failed" );
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			bvw_object object = { scene.boxes[i], 0, 0, 0 };
			if ( bvw_broadphase_add( one, i, &object ) != bv_ok )
			{
				world_fail( "bvw_broadphase_add failed" );
			}
		}
	}
	std::vector<double> spent[2];
	{
		bench_pool pool( workers );
		pool.wake();
		for ( int step = 0; step < steps; ++step )
		{
			scene.advance();
			for ( int turn = 0; turn < 2; ++turn )
			{
				int k = ( step + turn ) % 2;
				for ( uint32_t i = 0; i < count; ++i )
				{
					bvw_broadphase_move( world[k], i, &scene.boxes[i] );
				}
				bvw_changes changes;
				auto from = std::chrono::steady_clock::now();
				if ( bvw_broadphase_update_on( world[k], k == 1 ? &pool.tasks : nullptr, &changes ) != bv_ok )
				{
					world_fail( "bvw_broadphase_update_on failed" );
				}
				std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
				spent[k].push_back( took.count() );
			}
			with.wrong += memcmp( world[0], world[1], bytes ) != 0;
		}
	}
	double one = world_cells::middle( spent[0] ), two = world_cells::middle( spent[1] );
	print_other( with, "100,000 moving unit boxes, an update by one thread", "rows", 1e3 * one, "ms", 0 );
	print_other( with, "the same by two threads, time on a clock", "rows", 1e3 * two, "ms", 0 );
	// As a share of the time of one, which is to be 1 / 1.6 at most.
	print_other( with, "two threads, times the time of one", "rows", two / one, "", 1 / 1.6 );
	free( world[0] );
	free( world[1] );
}

} // namespace
