// How many boxes queries of a tree compare, and how deep it is. Counts of what is found are those of a comparison with all objects.

#include "tests/unit/world/worlds.h"

#include "world/broadphase/tree.h"

enum
{
	objects = 3000,
	queries = 100,
	log_of_objects = 12, // to base 2, rounded up
};

typedef enum shape
{
	shape_slab,       // infinite along y and z
	shape_slabs,      // infinite along all axes but one, which is x, y or z
	shape_column,     // infinite along z
	shape_half_space, // infinite along y and z, and downward along x
	shape_half_slab,  // infinite along z, and downward along y
	shape_slab_or_cube,
	shape_everything, // infinite along all axes
	shape_cube,       // all the same
	shapes,
} shape;

static bv_aabb box_of( shape kind, uint32_t number, uint64_t* random )
{
	const double inf = (double)INFINITY;
	const bv_aabb all = { { -inf, -inf, -inf }, { inf, inf, inf } };
	bv_vec3 c = draw_point( random, 10.0 * objects );
	bv_aabb b = cube_around( c, 1 );
	uint32_t axis = kind == shape_slabs ? number % 3 : 0;
	switch ( kind )
	{
	case shape_slab:
	case shape_slabs:
		return ( bv_aabb ){
			{ axis == 0 ? b.lower.x : -inf, axis == 1 ? b.lower.y : -inf, axis == 2 ? b.lower.z : -inf },
			{ axis == 0 ? b.upper.x : inf, axis == 1 ? b.upper.y : inf, axis == 2 ? b.upper.z : inf }
		};
	case shape_column: return ( bv_aabb ){ { b.lower.x, b.lower.y, -inf }, { b.upper.x, b.upper.y, inf } };
	case shape_half_space: return ( bv_aabb ){ all.lower, { b.upper.x, inf, inf } };
	case shape_half_slab: return ( bv_aabb ){ { b.lower.x, -inf, -inf }, { b.upper.x, b.upper.y, inf } };
	case shape_slab_or_cube:
		return number % 2 ? b : ( bv_aabb ){ { b.lower.x, -inf, -inf }, { b.upper.x, inf, inf } };
	case shape_everything: return all;
	case shape_cube:
	default: return cube_around( ( bv_vec3 ){ 0, 0, 0 }, 1 );
	}
}

static uint32_t depth_of( const bvw_broadphase* world )
{
	uint32_t deepest = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		uint32_t depth = 0;
		for ( uint32_t node = bvwphase_tree_leaves( world )[i].parent; node != BVWPHASE_NONE;
		      node = bvwphase_tree_nodes( world )[node].parent )
		{
			++depth;
		}
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

static void update( bvw_broadphase* world )
{
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
}

// @param is_at_once  the tree is built, instead of extended by one after the other
static bvw_broadphase* begin_scene( shape kind, bool is_at_once, uint64_t* random )
{
	bvw_broadphase_options o = { .objects = objects, .pairs = 1000, .method = bvw_method_tree };
	bvw_broadphase* world = begin_world( &o );
	for ( uint32_t i = 0; i < objects; ++i )
	{
		bvw_object object = { .box = box_of( kind, i, random ), .group = 1 };
		assert_int_equal( bvw_broadphase_add( world, i, &object ), bv_ok );
		if ( !is_at_once && i % 60 == 0 )
		{
			update( world );
		}
	}
	update( world );
	return world;
}

// Of small boxes near the upper end, where few half-spaces are.
static void check_queries( const bvw_broadphase* world, shape kind, uint64_t* random )
{
	static uint32_t numbers[objects];
	uint64_t tests = 0;
	uint64_t count = 0;
	for ( uint32_t q = 0; q < queries; ++q )
	{
		bv_vec3 c = draw_point( random, 10.0 * objects );
		c.x = 10.0 * objects - 1e-3 * c.x;
		bv_aabb box = cube_around( c, 1 );
		bvw_found found;
		assert_int_equal( bvw_broadphase_overlap( world, &box, NULL, numbers, objects, &found ), bv_ok );
		uint32_t expected = 0;
		for ( uint32_t i = 0; i < objects; ++i )
		{
			bvw_object o;
			assert_true( bvw_broadphase_get( world, i, &o ) );
			expected += o.box.lower.x <= box.upper.x && box.lower.x <= o.box.upper.x &&
			            o.box.lower.y <= box.upper.y && box.lower.y <= o.box.upper.y &&
			            o.box.lower.z <= box.upper.z && box.lower.z <= o.box.upper.z;
		}
		assert_int_equal( found.count, expected );
		tests += found.tests;
		count += expected;
	}
	// For each object found, a way down through the tree, and some in vain. A chain takes 2 * objects for each query.
	uint64_t most = 8 * log_of_objects * ( count + queries );
	if ( tests > most )
	{
		fail_msg( "shape %d: %g tests, %g found", (int)kind, (double)tests, (double)count );
	}
}

static void check_depth( const bvw_broadphase* world, shape kind )
{
	if ( depth_of( world ) > 3 * log_of_objects )
	{
		fail_msg( "shape %d: %u levels", (int)kind, (unsigned)depth_of( world ) );
	}
}

// However the objects came into the tree.
static void infinite_boxes_make_no_chain( void** state )
{
	(void)state;
	uint64_t random = 3;
	for ( int kind = 0; kind < shapes; ++kind )
	{
		for ( int is_at_once = 0; is_at_once < 2; ++is_at_once )
		{
			bvw_broadphase* world = begin_scene( (shape)kind, is_at_once, &random );
			check_depth( world, (shape)kind );
			check_queries( world, (shape)kind, &random );
			for ( uint32_t k = 0; k < 2 * objects; ++k )
			{
				uint32_t number = draw_below( &random, objects );
				bv_aabb box = box_of( (shape)kind, number, &random );
				assert_int_equal( bvw_broadphase_move( world, number, &box ), bv_ok );
				if ( k % 200 == 0 )
				{
					update( world );
				}
			}
			update( world );
			check_depth( world, (shape)kind );
			check_queries( world, (shape)kind, &random );
			free( world );
		}
	}
}

// @return tests of queries at random, of cubes that touch few others
static uint64_t tests_of_queries( const bvw_broadphase* world, double edge, uint64_t* random )
{
	uint64_t tests = 0;
	for ( uint32_t q = 0; q < queries; ++q )
	{
		bv_aabb box = cube_around( draw_point( random, edge ), 1 );
		bv_ray ray = { box.lower, { 1, 0.5, 0.25 }, 0, 0 };
		static uint32_t numbers[objects];
		bvw_found found;
		bvw_hit hit;
		assert_int_equal( bvw_broadphase_overlap( world, &box, NULL, numbers, objects, &found ), bv_ok );
		tests += found.tests;
		assert_int_equal( bvw_broadphase_cast_ray( world, &ray, NULL, &hit, 1, &found ), bv_ok );
		tests += found.tests;
	}
	return tests;
}

// As many new objects as there were, and fewer: queries before the update take little more than after it.
static void new_objects_are_not_compared_one_by_one( void** state )
{
	(void)state;
	uint64_t random = 8;
	const uint32_t counts[] = { 100, objects / 2 };
	for ( int k = 0; k < 2; ++k )
	{
		bvw_broadphase_options o = { .objects = objects, .pairs = 1000, .method = bvw_method_tree };
		bvw_broadphase* world = begin_world( &o );
		double edge = 10 * cbrt( objects );
		for ( uint32_t i = 0; i < objects / 2 + counts[k]; ++i )
		{
			if ( i == objects / 2 )
			{
				update( world );
			}
			bvw_object object = { .box = cube_around( draw_point( &random, edge ), 1 ), .group = 1 };
			assert_int_equal( bvw_broadphase_add( world, i, &object ), bv_ok );
		}
		uint64_t before = tests_of_queries( world, edge, &( uint64_t ){ 5 } );
		update( world );
		uint64_t after = tests_of_queries( world, edge, &( uint64_t ){ 5 } );
		assert_true( 2 * before < 3 * after );
		free( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( new_objects_are_not_compared_one_by_one ),
		cmocka_unit_test( infinite_boxes_make_no_chain ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
