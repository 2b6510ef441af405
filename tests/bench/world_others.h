// Tables of bench_world that are about this library: many boxes that move, a million static boxes, queries after changes, queries
// with masks. In C++.

#pragma once

#include "tests/bench/peer_bullet_world.h"
#include "tests/bench/peer_bvw_world.h"
#include "tests/bench/world_cells.h"

namespace {

const char* const others_head =
	"| what | method | figure | bar | ratio to the bar | met |\n| --- | --- | ---: | ---: | ---: | --- |\n";

// A figure and its bar; a bar of 0: none.
inline void print_other( world_settings& with, const char* what, const char* method, double figure,
                         const char* unit, double bar )
{
	bool met = bar == 0 || figure <= bar;
	char limit[64] = "", ratio[64] = "";
	if ( bar > 0 )
	{
		snprintf( limit, sizeof limit, "%.3g %s", bar, unit );
		snprintf( ratio, sizeof ratio, "%.2f", figure / bar );
	}
	printf( "| %s | %s | %.3g %s | %s | %s | %s |\n", what, method, figure, unit, limit, ratio,
	        bar == 0 ? ""
	        : met    ? "met"
	                 : "**not met**" );
	fflush( stdout );
	const sample of = { what, 0, method, 1, 0 };
	write_sample( with.csv, &of, "figure", unit, figure );
	if ( !met )
	{
		fprintf( stderr, "missed: %s, %s\n", what, method );
		++with.missed;
	}
}

// Boxes that all move, each of which makes one pair on average. The bar is that of the best method.
inline void run_movers( world_settings& with, const std::vector<world_row>& rows )
{
	world_settings whole = with;
	whole.budget = 1;
	whole.limit = 2;
	whole.together = 30;
	std::vector<world_row> some; // ours, and CGAL, which judges
	for ( const world_row& row : rows )
	{
		if ( row.library == world_ours || row.library == world_cgal )
		{
			some.push_back( row );
		}
	}
	const world_cell cell = { world_brownian, 100000, 100 };
	world_cells cells( whole, some );
	cells.run( cell );
	double best = INFINITY;
	const char* method = "none";
	for ( size_t i = 0; i < some.size(); ++i )
	{
		const world_figure& f = cells.figures[cell][i];
		if ( f.state == world_figure::done )
		{
			print_other( with, "100,000 moving unit boxes, a pair each", some[i].name, 1e3 * f.step, "ms",
			             0 );
			bool is_best = some[i].library == world_ours && f.step < best;
			method = is_best ? some[i].name : method;
			best = is_best ? f.step : best;
		}
	}
	with.wrong += whole.wrong;
	print_other( with, "100,000 moving unit boxes, a pair each, best", method, 1e3 * best, "ms", 10 );
}

enum
{
	world_static_boxes = 1000000,
	world_hundred = 100, // movers
	world_static_steps = 200,
};

// The scene of static boxes: one static box of each unit cube on average, in a cube that movers cross.
struct static_scene
{
	world_scene still, moving;

	explicit static_scene( uint64_t seed )
		: still( world_brownian, world_static_boxes, 1, seed ),
		  moving( world_brownian, world_hundred, 100, seed + 1 )
	{
		moving.high = still.high;
		for ( bv_vec3& c : moving.centers )
		{
			c = bv_scale( still.high / 9.3, c ); // into the same cube, which is wider
		}
	}

	uint64_t brute_force() const
	{
		uint64_t pairs = 0;
		for ( uint32_t a = 0; a < world_hundred; ++a )
		{
			for ( uint32_t b = a + 1; b < world_hundred; ++b )
			{
				pairs += world_touch( moving.boxes[a], moving.boxes[b] );
			}
			for ( const bv_aabb& box : still.boxes )
			{
				pairs += world_touch( moving.boxes[a], box );
			}
		}
		return pairs;
	}
};

struct static_task
{
	bvw_method method; // bvw_methods: Bullet
	uint64_t seed;
};

struct static_result
{
	double build;
	double step;
	bool is_right;
};

inline void run_static( const void* input, void* output )
{
	const static_task& task = *(const static_task*)input;
	static_result& result = *(static_result*)output;
	static_scene scene( task.seed );
	scene.moving.advance();
	double from = core_now();
	bvw_world* ours = nullptr;
	btDbvtBroadphase* theirs = nullptr;
	std::vector<btBroadphaseProxy*> proxies;
	if ( task.method != bvw_methods )
	{
		ours = new bvw_world( world_static_boxes + world_hundred, task.method );
		for ( uint32_t i = 0; i < world_static_boxes; ++i )
		{
			ours->add( world_hundred + i, scene.still.boxes[i], 1 );
		}
		for ( uint32_t i = 0; i < world_hundred; ++i )
		{
			ours->add( i, scene.moving.boxes[i] );
		}
		ours->update();
	}
	else
	{
		// Bullet filters by masks instead of groups: static boxes are of category 2 and look for 1.
		theirs = new btDbvtBroadphase();
		for ( uint32_t i = 0; i < world_hundred + world_static_boxes; ++i )
		{
			bool moves = i < world_hundred;
			const bv_aabb& b = moves ? scene.moving.boxes[i] : scene.still.boxes[i - world_hundred];
			proxies.push_back( theirs->createProxy( bullet_world::vector( b.lower ),
			                                        bullet_world::vector( b.upper ), 0, (void*)(uintptr_t)i,
			                                        moves ? 1 : 2, moves ? 3 : 1, nullptr ) );
		}
		theirs->calculateOverlappingPairs( nullptr );
	}
	result.build = core_now() - from;
	double spent = 0;
	const int warm_up = 10;
	for ( int step = -warm_up; step < world_static_steps; ++step )
	{
		scene.moving.advance();
		from = core_now();
		for ( uint32_t i = 0; i < world_hundred; ++i )
		{
			const bv_aabb& b = scene.moving.boxes[i];
			if ( ours )
			{
				ours->move( i, b );
			}
			else
			{
				theirs->setAabb( proxies[i], bullet_world::vector( b.lower ), bullet_world::vector( b.upper ),
				                 nullptr );
			}
		}
		if ( ours )
		{
			ours->update();
		}
		else
		{
			theirs->calculateOverlappingPairs( nullptr );
		}
		spent += step >= 0 ? core_now() - from : 0;
		if ( spent > 10 )
		{
			world_fail( "too slow with a million static boxes" );
		}
	}
	result.step = spent / world_static_steps;
	result.is_right = !ours || ours->known == scene.brute_force();
}

// The bar is that of the tree, which is the default.
inline void run_static_boxes( world_settings& with )
{
	const bvw_method methods[] = { bvw_method_tree, bvw_method_sweep, bvw_method_sort, bvw_methods };
	for ( bvw_method method : methods )
	{
		bool is_tree = method == bvw_method_tree;
		if ( with.quick && !is_tree )
		{
			continue;
		}
		static_task task = { method, with.seed };
		static_result r;
		const char* name = method == bvw_methods ? "Bullet btDbvtBroadphase" : bvw_method_name( method );
		outcome end = run_in_child( 60, run_static, &task, &r, sizeof r );
		if ( end == outcome_done && r.is_right )
		{
			print_other( with, "1,000,000 static boxes, 100 movers, a step", name, 1e6 * r.step, "us",
			             is_tree ? 50 : 0 );
			print_other( with, "1,000,000 static boxes, 100 movers, to begin", name, r.build, "s", 0 );
			continue;
		}
		const char* why = end == outcome_done          ? "wrong pairs"
		                  : end == outcome_out_of_time ? "skipped, too slow"
		                                               : "failed";
		printf( "| 1,000,000 static boxes, 100 movers | %s | %s | | | %s |\n", name, why,
		        is_tree ? "**not met**" : "" );
		with.missed += is_tree;
		with.wrong += end == outcome_done;
	}
}

inline bv_aabb cube_at( world_random& random, double span, double half )
{
	bv_vec3 c = { random.between( 0, span ), random.between( 0, span ), random.between( 0, span ) };
	return { { c.x - half, c.y - half, c.z - half }, { c.x + half, c.y + half, c.z + half } };
}

struct query_cost
{
	double seconds = 0;
	uint64_t tests = 0;
	uint64_t found = 0;
};

inline query_cost run_queries( const bvw_world& of, const std::vector<bv_aabb>& boxes, uint64_t mask )
{
	std::vector<uint32_t> numbers( of.options.objects );
	query_cost cost;
	const bvw_filter filter = { 0, mask };
	double from = core_now();
	for ( const bv_aabb& box : boxes )
	{
		bvw_found found;
		if ( bvw_broadphase_overlap( of.world, &box, &filter, numbers.data(), (uint32_t)numbers.size(),
		                             &found ) != bv_ok )
		{
			world_fail( "bvw_broadphase_overlap failed" );
		}
		cost.tests += found.tests;
		cost.found += found.count;
	}
	cost.seconds = core_now() - from;
	return cost;
}

// Removes, adds, moves far and moves near at random, a million times, then compares queries with those of a copy, which is built anew.
inline void run_changes( world_settings& with, bvw_method method )
{
	const uint32_t count = with.quick ? 10000 : 100000;
	const int changes = 1000000, between_updates = 1000, rounds = 9;
	world_scene scene( world_brownian, count, 100, with.seed );
	bvw_world of( count, method );
	std::vector<bool> is_live( count, true );
	for ( uint32_t i = 0; i < count; ++i )
	{
		of.add( i, scene.boxes[i] );
	}
	of.update();
	world_random random = { with.seed };
	double spent = core_now();
	for ( int i = 0; i < changes; ++i )
	{
		uint32_t k = (uint32_t)( random.next() % count );
		uint64_t what = random.next() % 3;
		bv_aabb far = cube_at( random, scene.high, 0.5 );
		if ( !is_live[k] )
		{
			of.add( k, far );
			is_live[k] = true;
		}
		else if ( what == 0 )
		{
			of.remove( k );
			is_live[k] = false;
			continue;
		}
		else if ( what == 1 )
		{
			of.move( k, far );
		}
		else
		{
			bvw_object at;
			bvw_broadphase_get( of.world, k, &at );
			bv_vec3 by = { random.between( -0.2, 0.2 ), random.between( -0.2, 0.2 ),
				           random.between( -0.2, 0.2 ) };
			of.move( k, { bv_add( at.box.lower, by ), bv_add( at.box.upper, by ) } );
		}
		if ( i % between_updates == 0 )
		{
			of.update();
		}
	}
	of.update();
	spent = core_now() - spent;
	bvw_world fresh( count, method );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_object at;
		if ( bvw_broadphase_get( of.world, i, &at ) )
		{
			fresh.add( i, at.box );
		}
	}
	fresh.update();
	std::vector<bv_aabb> boxes;
	for ( int i = 0; i < 10000; ++i )
	{
		boxes.push_back( cube_at( random, scene.high, i % 2 ? 0.5 : 3 ) );
	}
	std::vector<double> ratios;
	query_cost old, anew;
	for ( int round = 0; round < rounds; ++round )
	{
		old = run_queries( of, boxes, 0 );
		anew = run_queries( fresh, boxes, 0 );
		ratios.push_back( old.seconds / anew.seconds );
	}
	if ( old.found != anew.found )
	{
		fprintf( stderr, "wrong: queries after changes, %s\n", bvw_method_name( method ) );
		++with.wrong;
	}
	const char* name = bvw_method_name( method );
	print_other( with, "queries after 1,000,000 changes, times those of a fresh build", name,
	             world_cells::middle( ratios ), "", 1.2 );
	print_other( with, "their tests, times those of a fresh build", name,
	             (double)old.tests / (double)anew.tests, "", 0 );
	print_other( with, "a change, with an update after each 1,000", name, 1e6 * spent / changes, "us", 0 );
}

// One object of a hundred has category 2, at random or those that are first along x. Queries that look for it, in large and small boxes.
inline void run_masks( world_settings& with, bvw_method method )
{
	const uint32_t count = with.quick ? 10000 : 100000;
	for ( bool at_random : { true, false } )
	{
		world_scene scene( world_brownian, count, 100, with.seed );
		world_random random = { with.seed };
		bvw_world of( count, method );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool matches = at_random ? random.next() % 100 == 0 : scene.centers[i].x < 0.01 * scene.high;
			of.add( i, scene.boxes[i], 0, matches ? 2 : 1 );
		}
		of.update();
		for ( bool is_large : { true, false } )
		{
			std::vector<bv_aabb> boxes;
			for ( int i = 0; i < 200; ++i )
			{
				boxes.push_back( cube_at( random, scene.high, is_large ? 0.25 * scene.high : 4 ) );
			}
			query_cost all = run_queries( of, boxes, 0 ), some = run_queries( of, boxes, 2 );
			std::string what =
				std::string( "tests of masked queries, times those of unmasked ones: 1 % match, " ) +
				( at_random ? "at random" : "side by side" ) +
				( is_large ? ", boxes of half the scene" : ", boxes of 8" );
			print_other( with, what.c_str(), bvw_method_name( method ),
			             (double)some.tests / (double)all.tests, "", 0.05 );
		}
	}
}

inline void run_others( world_settings& with, const std::vector<world_row>& rows )
{
	printf( "\n%s", others_head );
	run_movers( with, rows );
	run_static_boxes( with );
	run_changes( with, bvw_method_tree );
	run_masks( with, bvw_method_tree );
}

} // namespace
