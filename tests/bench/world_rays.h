// Tables of bench_world about rays and boxes that are cast through many boxes, against Bullet's btDbvtBroadphase::rayTest. In C++.
//
// Bullet calls back for each leaf of its trees that the ray meets, whose boxes have margins, and the callback tests the box itself.
// Boxes are cast as btCollisionWorld::convexSweepTest does: by a ray through enlarged boxes.

#pragma once

#include "tests/bench/peer_bullet_world.h"
#include "tests/bench/peer_bvw_world.h"
#include "tests/bench/world_cells.h"

#include "bvworld/queries.h"

namespace {

struct ray_task
{
	bv_vec3 from, way;
	bv_vec3 half; // of a box; 0 of a ray
};

// What is counted of a set of casts.
struct ray_cost
{
	double seconds = 0;
	uint64_t hits = 0;
	double sum = 0; // of the times of first hits
};

// When a box meets another one, or infinity.
inline double ray_time( const ray_task& t, const bv_aabb& b )
{
	const double from[3] = { t.from.x, t.from.y, t.from.z }, way[3] = { t.way.x, t.way.y, t.way.z };
	const double half[3] = { t.half.x, t.half.y, t.half.z };
	const double low[3] = { b.lower.x, b.lower.y, b.lower.z }, high[3] = { b.upper.x, b.upper.y, b.upper.z };
	double first = 0, last = 1;
	for ( int k = 0; k < 3; ++k )
	{
		double one = ( low[k] - half[k] - from[k] ) / way[k],
			   other = ( high[k] + half[k] - from[k] ) / way[k];
		first = std::fmax( first, std::fmin( one, other ) );
		last = std::fmin( last, std::fmax( one, other ) );
	}
	return first <= last ? first : INFINITY;
}

struct bullet_ray : btBroadphaseRayCallback
{
	const std::vector<bv_aabb>* boxes;
	const ray_task* task;
	bool finds_all;
	double nearest = INFINITY;
	uint64_t hits = 0;

	bullet_ray( const std::vector<bv_aabb>& of, const ray_task& with, bool all )
		: boxes( &of ), task( &with ), finds_all( all )
	{
		// As btSingleRayCallback prepares it.
		btVector3 way = bullet_world::vector( with.way ), direction = way.normalized();
		for ( int k = 0; k < 3; ++k )
		{
			m_rayDirectionInverse[k] = direction[k] == 0 ? BT_LARGE_FLOAT : 1 / direction[k];
			m_signs[k] = m_rayDirectionInverse[k] < 0;
		}
		m_lambda_max = direction.dot( way );
	}

	bool process( const btBroadphaseProxy* proxy ) override
	{
		double time = ray_time( *task, ( *boxes )[(size_t)(uintptr_t)proxy->m_clientObject] );
		hits += time < INFINITY;
		nearest = std::fmin( nearest, time );
		return true;
	}
};

inline ray_cost cast_bullet( const bullet_world& of, const std::vector<bv_aabb>& boxes,
                             const std::vector<ray_task>& tasks, bool all )
{
	ray_cost cost;
	double from = core_now();
	for ( const ray_task& t : tasks )
	{
		bullet_ray ray( boxes, t, all );
		of.broadphase->rayTest( bullet_world::vector( t.from ),
		                        bullet_world::vector( bv_add( t.from, t.way ) ), ray,
		                        bullet_world::vector( bv_negate( t.half ) ), bullet_world::vector( t.half ) );
		cost.hits += all ? ray.hits : ray.hits > 0;
		cost.sum += ray.hits > 0 ? ray.nearest : 0;
	}
	cost.seconds = core_now() - from;
	return cost;
}

inline ray_cost cast_ours( const bvw_broadphase* world, const std::vector<ray_task>& tasks, bool all,
                           std::vector<bvw_hit>& hits )
{
	ray_cost cost;
	double from = core_now();
	for ( const ray_task& t : tasks )
	{
		bvw_found found;
		uint32_t most = all ? (uint32_t)hits.size() : 1;
		bv_status status = bv_ok;
		if ( t.half.x > 0 )
		{
			bv_aabb box = { bv_sub( t.from, t.half ), bv_add( t.from, t.half ) };
			status = bvw_broadphase_cast_box( world, &box, t.way, nullptr, hits.data(), most, &found );
		}
		else
		{
			bv_ray ray = { t.from, t.way, 0, 1 };
			status = bvw_broadphase_cast_ray( world, &ray, nullptr, hits.data(), most, &found );
		}
		if ( status != bv_ok )
		{
			world_fail( "a cast failed" );
		}
		cost.hits += found.count;
		cost.sum += found.count > 0 ? hits[0].time.lower : 0;
	}
	cost.seconds = core_now() - from;
	return cost;
}

inline ray_cost cast_brute_force( const std::vector<bv_aabb>& boxes, const std::vector<ray_task>& tasks,
                                  bool all )
{
	ray_cost cost;
	for ( const ray_task& t : tasks )
	{
		double nearest = INFINITY;
		uint64_t hits = 0;
		for ( const bv_aabb& box : boxes )
		{
			double time = ray_time( t, box );
			hits += time < INFINITY;
			nearest = std::fmin( nearest, time );
		}
		cost.hits += all ? hits : hits > 0;
		cost.sum += hits > 0 ? nearest : 0;
	}
	return cost;
}

inline bool same_hits( const ray_cost& a, const ray_cost& b )
{
	return a.hits == b.hits && std::fabs( a.sum - b.sum ) <= 1e-9 * std::fabs( b.sum );
}

struct ray_set
{
	const char* what;
	double length; // in spans of the scene; 0: ten units
	double half;
};

inline std::vector<ray_task> rays_of( const ray_set& set, double span, uint64_t seed, int count )
{
	world_random random = { seed };
	std::vector<ray_task> tasks;
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 from = { random.between( 0, span ), random.between( 0, span ), random.between( 0, span ) };
		bv_vec3 way = { random.between( -1, 1 ), random.between( -1, 1 ), random.between( -1, 1 ) };
		double length = set.length > 0 ? set.length * span : 10;
		tasks.push_back(
			{ from, bv_scale( length, bv_normalize( way ) ), { set.half, set.half, set.half } } );
	}
	return tasks;
}

// The boxes have moved a few steps, so that the trees are those of a game, and rest for two updates.
inline void run_rays( world_settings& with )
{
	const uint32_t count = with.quick ? 10000 : 100000;
	const int steps = 20, rounds = 7;
	world_scene scene( world_brownian, count, 20, with.seed );
	bullet_world theirs( true );
	theirs.begin( scene );
	bvw_world ours( count, bvw_method_tree );
	for ( uint32_t i = 0; i < count; ++i )
	{
		ours.add( i, scene.boxes[i] );
	}
	ours.update();
	for ( int step = 0; step < steps; ++step )
	{
		scene.advance();
		for ( uint32_t i : scene.movers )
		{
			theirs.move( i, scene.boxes[i] );
			ours.move( i, scene.boxes[i] );
		}
		theirs.update();
		ours.update();
	}
	theirs.update();
	theirs.update();
	const ray_set sets[] = { { "rays across the scene", 1, 0 },
		                     { "rays of 10 units", 0, 0 },
		                     { "boxes of 2 cast across the scene", 1, 1 },
		                     { "boxes of 2 cast by 10 units", 0, 1 } };
	std::vector<bvw_hit> hits( count );
	for ( const ray_set& set : sets )
	{
		std::vector<ray_task> tasks = rays_of( set, scene.high, with.seed, 2000 ),
							  some( tasks.begin(), tasks.begin() + 100 );
		for ( bool all : { false, true } )
		{
			ray_cost expected = cast_brute_force( scene.boxes, some, all );
			bool is_right = same_hits( cast_ours( ours.world, some, all, hits ), expected ) &&
			                same_hits( cast_bullet( theirs, scene.boxes, some, all ), expected );
			std::vector<double> own, other, ratio;
			for ( int round = 0; round < rounds; ++round )
			{
				ray_cost a = cast_ours( ours.world, tasks, all, hits );
				ray_cost b = cast_bullet( theirs, scene.boxes, tasks, all );
				is_right = is_right && same_hits( a, b );
				own.push_back( 1e6 * a.seconds / (double)tasks.size() );
				other.push_back( 1e6 * b.seconds / (double)tasks.size() );
				ratio.push_back( a.seconds / b.seconds );
			}
			if ( !is_right )
			{
				fprintf( stderr, "wrong: %s\n", set.what );
				++with.wrong;
			}
			std::string what =
				std::to_string( count ) + " boxes, " + set.what + ( all ? ", all hits" : ", first hit" );
			print_other( with, what.c_str(), "tree", world_cells::middle( own ), "us", 0 );
			print_other( with, what.c_str(), "Bullet btDbvtBroadphase", world_cells::middle( other ), "us",
			             0 );
			print_other( with, ( what + ", tree in times of Bullet" ).c_str(), "tree",
			             world_cells::middle( ratio ), "", 0.5 );
		}
	}
}

} // namespace
