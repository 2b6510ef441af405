// ODE's four spaces as entrants of bench_world. In C++.

#pragma once

#include "tests/bench/world_scenes.h"

#include <ode/ode.h>

#include <algorithm>

namespace {

struct ode_world : world_entrant
{
	using maker = dSpaceID ( * )( const world_scene& );
	maker make;
	dSpaceID space = nullptr;
	std::vector<dGeomID> geometries;
	world_collector found;

	explicit ode_world( maker with ) : make( with )
	{
	}

	void begin( const world_scene& scene ) override
	{
		dInitODE2( 0 );
		dAllocateODEDataForThread( dAllocateMaskAll );
		space = make( scene );
		for ( uint32_t i = 0; i < scene.count; ++i )
		{
			double side = 2 * scene.halves[i];
			const bv_vec3& c = scene.centers[i];
			dGeomID geometry = dCreateBox( nullptr, side, side, side );
			dGeomSetData( geometry, (void*)(uintptr_t)i );
			dGeomSetPosition( geometry, c.x, c.y, c.z );
			dSpaceAdd( space, geometry );
			geometries.push_back( geometry );
		}
		update();
	}

	void move( uint32_t number, const bv_aabb& box ) override
	{
		dGeomSetPosition( geometries[number], 0.5 * ( box.lower.x + box.upper.x ),
		                  0.5 * ( box.lower.y + box.upper.y ), 0.5 * ( box.lower.z + box.upper.z ) );
	}

	// Spaces call back for pairs whose boxes touch.
	static void callback( void* data, dGeomID a, dGeomID b )
	{
		( (world_collector*)data )
			->take( (uint32_t)(uintptr_t)dGeomGetData( a ), (uint32_t)(uintptr_t)dGeomGetData( b ) );
	}

	void update() override
	{
		dSpaceCollide( space, &found, callback );
	}

	void list( const world_scene& scene, world_pairs& pairs ) override
	{
		for ( bvw_pair p : found.list( [this] { update(); } ) )
		{
			if ( world_touch( scene.boxes[p.a], scene.boxes[p.b] ) )
			{
				pairs.add( p.a, p.b );
			}
		}
	}
};

inline world_entrant* make_ode_simple()
{
	return new ode_world( []( const world_scene& ) { return dSimpleSpaceCreate( nullptr ); } );
}

// Levels are powers of two: from sides of 1 to those of 2^14.
inline world_entrant* make_ode_hash()
{
	return new ode_world( []( const world_scene& scene ) {
		dSpaceID space = dHashSpaceCreate( nullptr );
		dHashSpaceSetLevels( space, 0, scene.kind == world_sizes ? 14 : 1 );
		return space;
	} );
}

inline world_entrant* make_ode_sweep()
{
	return new ode_world(
		[]( const world_scene& ) { return dSweepAndPruneSpaceCreate( nullptr, dSAP_AXES_XYZ ); } );
}

// Blocks of the lowest level are about two sides of unit boxes. Its axes are x and z.
inline world_entrant* make_ode_quadtree()
{
	return new ode_world( []( const world_scene& scene ) {
		double low = scene.lowest(), high = scene.highest();
		dVector3 center = { 0.5 * ( low + high ), 0.5 * ( low + high ), 0.5 * ( low + high ), 0 };
		dVector3 extents = { 0.5 * ( high - low ), 0.5 * ( high - low ), 0.5 * ( high - low ), 0 };
		int depth = (int)std::log2( ( high - low ) / 2 );
		return dQuadTreeSpaceCreate( nullptr, center, extents, std::max( 1, std::min( depth, 8 ) ) );
	} );
}

} // namespace
