// CGAL's box_self_intersection_d as an entrant of bench_world: all pairs from scratch in each step, closed boxes, with its default
// cutoff. Boxes are passed by pointers, which is the faster way. In C++.

#pragma once

#include "tests/bench/world_scenes.h"

#include <CGAL/box_intersection_d.h>

namespace {

struct cgal_world : world_entrant
{
	using box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const uint32_t*>;
	std::vector<uint32_t> numbers;
	std::vector<box> boxes;
	std::vector<box*> order;
	world_collector found;

	static box make( const bv_aabb& b, const uint32_t* number )
	{
		double lower[3] = { b.lower.x, b.lower.y, b.lower.z }, upper[3] = { b.upper.x, b.upper.y, b.upper.z };
		return box( lower, upper, number );
	}

	void begin( const world_scene& scene ) override
	{
		numbers.resize( scene.count );
		boxes.reserve( scene.count );
		for ( uint32_t i = 0; i < scene.count; ++i )
		{
			numbers[i] = i;
			boxes.push_back( make( scene.boxes[i], &numbers[i] ) );
		}
		for ( box& b : boxes )
		{
			order.push_back( &b );
		}
		update();
	}

	void move( uint32_t number, const bv_aabb& b ) override
	{
		boxes[number] = make( b, &numbers[number] );
	}

	void update() override
	{
		CGAL::box_self_intersection_d( order.begin(), order.end(), [this]( const box* a, const box* b ) {
			found.take( *a->handle(), *b->handle() );
		} );
	}

	void list( const world_scene&, world_pairs& pairs ) override
	{
		for ( bvw_pair p : found.list( [this] { update(); } ) )
		{
			pairs.add( p.a, p.b );
		}
	}
};

inline world_entrant* make_cgal_world()
{
	return new cgal_world();
}

} // namespace
