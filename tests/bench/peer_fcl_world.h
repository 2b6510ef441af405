// FCL's seven broad-phase managers as entrants of bench_world. Objects that moved are given to update( list ) where that exists and
// not all move, which is faster than updating all. Pairs that the callback gets are compared exactly. In C++.

#pragma once

#include "tests/bench/world_scenes.h"

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_bruteforce.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>
#include <fcl/fcl.h>

#include <algorithm>
#include <memory>

namespace {

struct fcl_world : world_entrant
{
	using maker = fcl::BroadPhaseCollisionManagerd* (*)( const world_scene& );
	maker make;
	bool takes_lists;
	std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager;
	std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
	std::vector<fcl::CollisionObjectd*> moved;
	bool all_move = false;
	world_collector found;

	fcl_world( maker with, bool lists ) : make( with ), takes_lists( lists )
	{
	}

	void begin( const world_scene& scene ) override
	{
		manager.reset( make( scene ) );
		std::vector<fcl::CollisionObjectd*> all;
		for ( uint32_t i = 0; i < scene.count; ++i )
		{
			double side = 2 * scene.halves[i];
			const bv_vec3& c = scene.centers[i];
			auto shape = std::make_shared<fcl::Boxd>( side, side, side );
			objects.emplace_back( new fcl::CollisionObjectd( shape, fcl::Matrix3d::Identity(),
			                                                 fcl::Vector3d( c.x, c.y, c.z ) ) );
			objects[i]->setUserData( (void*)(uintptr_t)i );
			objects[i]->computeAABB();
			all.push_back( objects[i].get() );
		}
		all_move = scene.movers.size() == scene.count;
		manager->registerObjects( all );
		manager->setup();
		collide();
	}

	void move( uint32_t number, const bv_aabb& box ) override
	{
		fcl::CollisionObjectd* object = objects[number].get();
		object->setTranslation( fcl::Vector3d( 0.5 * ( box.lower.x + box.upper.x ),
		                                       0.5 * ( box.lower.y + box.upper.y ),
		                                       0.5 * ( box.lower.z + box.upper.z ) ) );
		object->computeAABB();
		moved.push_back( object );
	}

	static bool callback( fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data )
	{
		if ( a->getAABB().overlap( b->getAABB() ) )
		{
			( (world_collector*)data )
				->take( (uint32_t)(uintptr_t)a->getUserData(), (uint32_t)(uintptr_t)b->getUserData() );
		}
		return false;
	}

	void collide()
	{
		manager->collide( &found, callback );
	}

	void update() override
	{
		if ( takes_lists && !all_move )
		{
			manager->update( moved );
		}
		else
		{
			manager->update();
		}
		moved.clear();
		collide();
	}

	void list( const world_scene&, world_pairs& pairs ) override
	{
		for ( bvw_pair p : found.list( [this] { collide(); } ) )
		{
			pairs.add( p.a, p.b );
		}
	}
};

template <typename manager, bool takes_lists> world_entrant* make_fcl_world()
{
	return new fcl_world(
		[]( const world_scene& ) -> fcl::BroadPhaseCollisionManagerd* { return new manager(); },
		takes_lists );
}

// Cells of two sides of unit boxes; where sizes differ, of a 20th of the scene, as FCL's own benchmark has them.
inline world_entrant* make_fcl_hash_world()
{
	auto make = []( const world_scene& scene ) -> fcl::BroadPhaseCollisionManagerd* {
		double low = scene.lowest(), high = scene.highest();
		double cell = scene.kind == world_sizes ? ( high - low ) / 20 : 2;
		return new fcl::SpatialHashingCollisionManagerd<>( cell, fcl::Vector3d( low, low, low ),
		                                                   fcl::Vector3d( high, high, high ),
		                                                   std::max( 1000u, scene.count ) );
	};
	return new fcl_world( make, true );
}

} // namespace
