// The worst that sets can be, for every splitter and builder of the tables: all triangles identical, all midpoints equal, one
// giant among tiny ones, slivers, a line, distances that double. Trees must be whole, no deeper than allowed, and made in about
// n log n steps: in processor time that is far above what any of them takes, and far below what hanging is.

#include "offline/base/clock.h"
#include "trees.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
	small_count = 300,
	spheres_count = 24,
	many_spheres_count = 60, // in `make thorough` and `make worst`
	large_count = 100000,
	most_scale = 3,   // of the small counts in `make worst`
	plain_depth = 12, // of trees of spheres that are made in a tenth of the time
};

// Seconds of processor time that no set takes unless it hangs.
static const double most_seconds = 20;

static uint32_t scaled( uint32_t count )
{
	return getenv( "BV_WORST_TRIANGLES" ) ? count * most_scale : count;
}

static bool takes_all( void )
{
	return is_thorough() || getenv( "BV_WORST_TRIANGLES" );
}

// @return seconds of processor time
static double build_worst( hard_set set, uint32_t count, const bvb_hierarchy_options* options )
{
	fixture* f;
	fixture_setup( (void**)&f );
	bvb_mesh mesh = hard_mesh( f, set, count );
	double start = bvbase_cpu_clock();
	bvb_tree* tree = build_tree( f, &mesh, options );
	double seconds = bvbase_cpu_clock() - start;
	check_nodes( &mesh, tree, options->max_depth );
	fixture_teardown( (void**)&f );
	return seconds;
}

// Whether a tree of spheres has as many levels as any may: of 8192 leaves it takes seconds. Identical triangles are the worst for what is
// compared there, the giant and doubled distances for what is divided. `make thorough` and `make worst` build all sets so.
static bool is_deep( hard_set set )
{
	return set == identical_triangles || set == giant_among_tiny || set == doubled_distances || takes_all();
}

static void build_all( const char* builder, const char* splitter, bv_volume_type type, uint32_t count,
                       double limit )
{
	bvb_hierarchy_options options = box_tree_options();
	options.builder = builder;
	options.splitter = splitter;
	options.volume_types = 1u << type;
	const uint32_t most_depth = options.max_depth;
	bool spheres = bvb_builder_traits_of( builder )->own_degree;
	for ( int i = 0; i < hard_sets; ++i )
	{
		options.max_depth = spheres && !is_deep( (hard_set)i ) ? plain_depth : most_depth;
		double seconds = build_worst( (hard_set)i, count, &options );
		printf( "%s, %s, %s, set %d: %.3f s\n", builder, splitter, bv_volume_type_name( type ), i, seconds );
		assert_true( seconds < limit );
	}
}

static void every_splitter_builds_the_worst_sets( void** state )
{
	(void)state;
	for ( uint32_t i = 0; bvb_splitter_name( i, NULL ); ++i )
	{
		build_all( "topdown", bvb_splitter_name( i, NULL ), bv_volume_obb, scaled( small_count ),
		           most_seconds );
		build_all( "topdown", bvb_splitter_name( i, NULL ), bv_volume_aabb, scaled( small_count ),
		           most_seconds );
	}
}

static void every_builder_builds_the_worst_sets( void** state )
{
	(void)state;
	uint32_t triangles = scaled( takes_all() ? many_spheres_count : spheres_count );
	for ( uint32_t i = 0; bvb_builder_name( i, NULL ); ++i )
	{
		const char* name = bvb_builder_name( i, NULL );
		if ( bvb_builder_traits_of( name )->own_degree )
		{
			build_all( name, "gottschalk", bv_volume_sphere, triangles, most_seconds );
			continue;
		}
		build_all( name, "gottschalk", bv_volume_obb, scaled( small_count ), most_seconds );
		build_all( name, "gottschalk", bv_volume_aabb, scaled( small_count ), most_seconds );
	}
}

// Squared, they would take an hour; the million of `make worst` a day. Seconds are allowed by the million.
static void many_of_the_worst_take_seconds_in_the_fast_builder( void** state )
{
	(void)state;
	const char* given = getenv( "BV_WORST_TRIANGLES" );
	uint32_t count = given ? (uint32_t)strtoul( given, NULL, 10 ) : large_count;
	assert_true( count > 0 );
	build_all( "sah", "sah", bv_volume_aabb, count, 60e-6 * count );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( every_splitter_builds_the_worst_sets ),
		cmocka_unit_test( every_builder_builds_the_worst_sets ),
		cmocka_unit_test( many_of_the_worst_take_seconds_in_the_fast_builder ),
	};
	return cmocka_run_group_tests_name( "hierarchy_worst", tests, NULL, NULL );
}
