// The worst that sets can be, for every splitter and builder of the tables: all triangles identical, all midpoints equal, one giant among
// tiny ones, slivers, a line. Trees must be whole, no deeper than allowed, and made in about n log n steps: in processor time that is
// far above what any of them takes, and far below what hanging is.

#include "support.h"

#include <stdio.h>
#include <time.h>

enum
{
	small_count = 1000,
	large_count = 1000000,
};

// What a builder or splitter is given.
typedef void maker( bvb_mesh* mesh );

static void set( bvb_mesh* mesh, uint32_t i, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 corner[3] = { a, b, c };
	for ( int k = 0; k < 3; ++k )
	{
		mesh->positions[3 * (size_t)i + (size_t)k] =
			( bv_vec3 ){ (float)corner[k].x, (float)corner[k].y, (float)corner[k].z };
	}
}

static void make_identical( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		set( mesh, i, ( bv_vec3 ){ 1, 2, 3 }, ( bv_vec3 ){ 2, 2, 3 }, ( bv_vec3 ){ 1, 3, 4 } );
	}
}

// Each around the origin, twice as large as another; turned, too.
static void make_concentric( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double s = 1 + i % 1000;
		double t = i / 1000 % 3;
		set( mesh, i, ( bv_vec3 ){ -3 * s, -s, -t }, ( bv_vec3 ){ 3 * s, -s, -t },
		     ( bv_vec3 ){ 0, 2 * s, 2 * t } );
	}
}

static void make_small( bvb_mesh* mesh, uint32_t i, bv_vec3 p )
{
	set( mesh, i, p, ( bv_vec3 ){ p.x + 1, p.y, p.z }, ( bv_vec3 ){ p.x, p.y + 1, p.z + 1 } );
}

static void make_giant( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		make_small( mesh, i, ( bv_vec3 ){ i % 100 * 2, i / 100 % 100 * 2, i / 10000 * 2 } );
	}
	set( mesh, mesh->triangle_count / 2, ( bv_vec3 ){ -1e6, -1e6, -1e6 }, ( bv_vec3 ){ 1e6, -1e6, 0 },
	     ( bv_vec3 ){ 0, 1e6, 1e6 } );
}

// As long as all together, each across the others.
static void make_slivers( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double a = i % 1000;
		double b = i / 1000;
		set( mesh, i, ( bv_vec3 ){ a, b, 0 }, ( bv_vec3 ){ 1000 - a, 1000 - b, 1000 },
		     ( bv_vec3 ){ 1000 - a + 0.01, 1000 - b, 1000 } );
	}
}

static void make_line( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		make_small( mesh, i, ( bv_vec3 ){ 2.0 * i, 0, 0 } );
	}
}

// Each twice as far as the one before: the worst for means and for bins.
static void make_powers( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double s = ldexp( 1 + 1e-4 * ( i / 100 % 1000 ), (int)( i % 100 ) );
		set( mesh, i, ( bv_vec3 ){ s, 0, 0 }, ( bv_vec3 ){ s * 1.001, 0, s * 0.001 },
		     ( bv_vec3 ){ s, s * 0.001, 0 } );
	}
}

static maker* const makers[] = { make_identical, make_concentric, make_giant,
	                             make_slivers,   make_line,       make_powers };

static double seconds_now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Whether every triangle is in one leaf, and no leaf too deep.
static void check_tree( const bvb_tree* tree, const bvb_mesh* mesh, uint32_t max_depth )
{
	uint32_t count = bvb_tree_node_count( tree );
	uint8_t* level = calloc( count, 1 );
	uint32_t next = 0;
	uint64_t in_leaves = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		assert_true( level[i] <= max_depth );
		next = node.first_triangle;
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			assert_true( node.first_child > i && node.first_child + k < count );
			level[node.first_child + k] = (uint8_t)( level[i] + 1 );
			bvb_node child = bvb_tree_node( tree, node.first_child + k );
			assert_int_equal( child.first_triangle, next );
			next += child.triangles;
		}
		assert_true( node.children == 0 || next == node.first_triangle + node.triangles );
		in_leaves += node.children == 0 ? node.triangles : 0;
	}
	assert_int_equal( in_leaves, mesh->triangle_count );
	free( level );
}

// @return seconds of processor time
static double build_worst( maker* make, uint32_t count, const bvb_hierarchy_options* options )
{
	fixture* f;
	fixture_setup( (void**)&f );
	bvb_mesh mesh = soup_create( f, count );
	make( &mesh );
	bvb_tree* tree;
	bvb_error error = { "" };
	double start = seconds_now();
	if ( bvb_hierarchy_build( &mesh, options, f->arena, &tree, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	double seconds = seconds_now() - start;
	check_tree( tree, &mesh, options->max_depth );
	fixture_teardown( (void**)&f );
	return seconds;
}

static void build_all( const char* builder, const char* splitter, bv_volume_type type, uint32_t count,
                       double most_seconds )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.splitter = splitter;
	options.volume_types = 1u << type;
	for ( size_t i = 0; i < sizeof makers / sizeof makers[0]; ++i )
	{
		double seconds = build_worst( makers[i], count, &options );
		printf( "%s, %s, %s, set %zu: %.3f s\n", builder, splitter, bv_volume_type_name( type ), i, seconds );
		assert_true( seconds < most_seconds );
	}
}

static void every_splitter_builds_the_worst_sets( void** state )
{
	(void)state;
	for ( uint32_t i = 0; bvb_splitter_name( i, NULL ); ++i )
	{
		build_all( "topdown", bvb_splitter_name( i, NULL ), bv_volume_obb, small_count, 20 );
		build_all( "topdown", bvb_splitter_name( i, NULL ), bv_volume_aabb, small_count, 20 );
	}
}

static void every_builder_builds_the_worst_sets( void** state )
{
	(void)state;
	for ( uint32_t i = 0; bvb_builder_name( i, NULL ); ++i )
	{
		build_all( bvb_builder_name( i, NULL ), "gottschalk", bv_volume_obb, small_count, 20 );
		build_all( bvb_builder_name( i, NULL ), "gottschalk", bv_volume_aabb, small_count, 20 );
	}
}

// Squared, a million would take hours.
static void a_million_of_the_worst_take_seconds_in_the_fast_builder( void** state )
{
	(void)state;
	build_all( "sah", "sah", bv_volume_aabb, large_count, 60 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( every_splitter_builds_the_worst_sets ),
		cmocka_unit_test( every_builder_builds_the_worst_sets ),
		cmocka_unit_test( a_million_of_the_worst_take_seconds_in_the_fast_builder ),
	};
	return cmocka_run_group_tests_name( "hierarchy_worst", tests, NULL, NULL );
}
