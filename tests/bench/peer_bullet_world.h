// Bullet's broad phases as entrants of bench_world: btDbvtBroadphase, and btAxisSweep3 up to its limit of 16,383 boxes, beyond that
// bt32BitAxisSweep3. In double precision. Both keep a cache of pairs whose boxes with margins, or quantized boxes, overlap. In C++.

#pragma once

#include "tests/bench/world_scenes.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

namespace {

struct bullet_world : world_entrant
{
	bool is_dbvt;
	btBroadphaseInterface* broadphase = nullptr;
	std::vector<btBroadphaseProxy*> proxies;

	explicit bullet_world( bool dbvt ) : is_dbvt( dbvt )
	{
	}

	static btVector3 vector( const bv_vec3& v )
	{
		return btVector3( v.x, v.y, v.z );
	}

	static btBroadphaseInterface* make( const world_scene& scene, bool dbvt )
	{
		if ( dbvt )
		{
			return new btDbvtBroadphase();
		}
		btVector3 lower( scene.lowest(), scene.lowest(), scene.lowest() );
		btVector3 upper( scene.highest(), scene.highest(), scene.highest() );
		// Without the tree for rays, which is not needed.
		if ( scene.count < 16384 )
		{
			return new btAxisSweep3( lower, upper, (unsigned short)( scene.count + 1 ), nullptr, true );
		}
		return new bt32BitAxisSweep3( lower, upper, scene.count + 1, nullptr, true );
	}

	void begin( const world_scene& scene ) override
	{
		broadphase = make( scene, is_dbvt );
		for ( uint32_t i = 0; i < scene.count; ++i )
		{
			proxies.push_back( broadphase->createProxy( vector( scene.boxes[i].lower ),
			                                            vector( scene.boxes[i].upper ), 0,
			                                            (void*)(uintptr_t)i, 1, -1, nullptr ) );
		}
		update();
	}

	void move( uint32_t number, const bv_aabb& box ) override
	{
		broadphase->setAabb( proxies[number], vector( box.lower ), vector( box.upper ), nullptr );
	}

	void update() override
	{
		broadphase->calculateOverlappingPairs( nullptr );
	}

	void list( const world_scene& scene, world_pairs& pairs ) override
	{
		const btBroadphasePairArray& all = broadphase->getOverlappingPairCache()->getOverlappingPairArray();
		for ( int i = 0; i < all.size(); ++i )
		{
			uint32_t a = (uint32_t)(uintptr_t)all[i].m_pProxy0->m_clientObject;
			uint32_t b = (uint32_t)(uintptr_t)all[i].m_pProxy1->m_clientObject;
			if ( world_touch( scene.boxes[a], scene.boxes[b] ) )
			{
				pairs.add( a, b );
			}
		}
	}
};

template <bool dbvt> world_entrant* make_bullet_world()
{
	return new bullet_world( dbvt );
}

} // namespace
