// The broad phases of this library as entrants of bench_world. In C++.

#pragma once

#include "tests/bench/world_scenes.h"

#include <cstdlib>

namespace {

// A broad phase that moves into a greater block when there are too many pairs.
struct bvw_world
{
	bvw_broadphase_options options;
	void* memory = nullptr;
	size_t bytes = 0;
	bvw_broadphase* world = nullptr;
	uint64_t known = 0; // pairs, as changes tell

	bvw_world( uint32_t objects, bvw_method method, bvw_pair_store store = bvw_pair_store_default )
		: options( bvw_broadphase_options_default() )
	{
		options.objects = objects;
		options.method = method;
		options.store = store;
		options.pairs = 4 * objects + 64;
		bytes = bvw_broadphase_bytes( &options );
		memory = malloc( bytes );
		if ( !memory || bvw_broadphase_begin( memory, bytes, &options, &world ) != bv_ok )
		{
			world_fail( "bvw_broadphase_begin failed" );
		}
	}

	bvw_world( const bvw_world& ) = delete;

	~bvw_world()
	{
		free( memory );
	}

	void copy_with( const bvw_broadphase_options& other )
	{
		size_t needed = bvw_broadphase_bytes( &other );
		void* room = malloc( needed );
		bvw_broadphase* moved = nullptr;
		if ( !room || bvw_broadphase_copy( world, room, needed, &other, &moved ) != bv_ok )
		{
			world_fail( "bvw_broadphase_copy failed" );
		}
		free( memory );
		memory = room;
		bytes = needed;
		world = moved;
		options = other;
	}

	void add( uint32_t number, const bv_aabb& box, uint32_t group = 0, uint64_t category = 0 )
	{
		bvw_object object = { box, category, 0, group };
		if ( bvw_broadphase_add( world, number, &object ) != bv_ok )
		{
			world_fail( "bvw_broadphase_add failed" );
		}
	}

	void move( uint32_t number, const bv_aabb& box )
	{
		if ( bvw_broadphase_move( world, number, &box ) != bv_ok )
		{
			world_fail( "bvw_broadphase_move failed" );
		}
	}

	void remove( uint32_t number )
	{
		if ( bvw_broadphase_remove( world, number ) != bv_ok )
		{
			world_fail( "bvw_broadphase_remove failed" );
		}
	}

	void update()
	{
		bvw_changes changes;
		bv_status status = bvw_broadphase_update( world, &changes );
		while ( status == bv_error_memory && options.pairs < BVW_MAX_PAIRS / 2 )
		{
			bvw_broadphase_options greater = options;
			greater.pairs *= 2;
			copy_with( greater );
			status = bvw_broadphase_update( world, &changes );
		}
		if ( status != bv_ok )
		{
			world_fail( "bvw_broadphase_update failed" );
		}
		known += changes.begun_count;
		known -= changes.ended_count;
	}
};

struct bvw_entrant : world_entrant
{
	bvw_method method;
	bvw_pair_store store;
	bvw_world* of = nullptr;

	explicit bvw_entrant( bvw_method with, bvw_pair_store keeping = bvw_pair_store_default )
		: method( with ), store( keeping )
	{
	}

	~bvw_entrant() override
	{
		delete of;
	}

	void begin( const world_scene& scene ) override
	{
		of = new bvw_world( scene.count, method, store );
		for ( uint32_t i = 0; i < scene.count; ++i )
		{
			of->add( i, scene.boxes[i] );
		}
		of->update();
	}

	void move( uint32_t number, const bv_aabb& box ) override
	{
		of->move( number, box );
	}

	void update() override
	{
		of->update();
	}

	// Order and changes are checked as well: a list that is not sorted, or has another number of pairs than the changes, is wrong.
	void list( const world_scene&, world_pairs& pairs ) override
	{
		std::vector<bvw_pair> all( of->known );
		uint32_t count = 0;
		if ( bvw_broadphase_pairs( of->world, all.data(), (uint32_t)all.size(), &count ) != bv_ok ||
		     count != all.size() )
		{
			world_fail( "the changes do not add up to the pairs" );
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			pairs.add( all[i].a, all[i].b );
			bool is_sorted =
				i == 0 || all[i - 1].a < all[i].a || ( all[i - 1].a == all[i].a && all[i - 1].b < all[i].b );
			if ( !is_sorted || all[i].a >= all[i].b )
			{
				world_fail( "the pairs are not sorted" );
			}
		}
	}
};

template <bvw_method method, bvw_pair_store store = bvw_pair_store_default> world_entrant* make_bvw()
{
	return new bvw_entrant( method, store );
}

} // namespace
