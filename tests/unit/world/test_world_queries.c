// Rays and moving boxes of every method against rational arithmetic.

#include "casts.h"

#include "tests/world_exact.h"

static void rays_and_boxes_meet_what_exact_arithmetic_says( void** state )
{
	(void)state;
	uint32_t met = 0;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 31 + (uint32_t)kind );
		for ( uint32_t round = 0; round < rounds( 10 ); ++round )
		{
			shuffle_objects( &f, (scene)kind, 60 );
			if ( round % 3 != 1 )
			{
				fleet_update( &f );
			}
			for ( uint32_t i = 0; i < 20; ++i )
			{
				question q = draw_question( &f, (scene)kind );
				bvw_cast_options options = { .filter = draw_cast_filter( &f.random ) };
				bvw_hit all[objects];
				uint32_t count = ask_all( &f, &q, &options, all );
				exact_cast c = q.is_ray ? exact_cast_of_ray( &q.ray ) : exact_cast_of_box( &q.box, q.motion );
				if ( !exact_equals( &f.model, &c, &options.filter, all, count ) )
				{
					fail_msg( "scene %d: %s", kind, q.is_ray ? "ray" : "box" );
				}
				check_first( &f, &q, &options, all, count );
				met += count;
			}
		}
		fleet_free( &f );
	}
	assert_true( met > 5000 );
}

// Every direction of -1, 0 and 1 and more from every point of a lattice past touching boxes: corners, edges and faces are grazed.
static void grazing_rays_on_a_lattice_meet_what_they_touch( void** state )
{
	(void)state;
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 5 );
	for ( uint32_t i = 0; i < 60; ++i )
	{
		bv_vec3 c = { draw_below( &f.random, 5 ), draw_below( &f.random, 5 ), draw_below( &f.random, 5 ) };
		bv_vec3 to = { c.x + draw_below( &f.random, 3 ), c.y + draw_below( &f.random, 3 ),
			           c.z + draw_below( &f.random, 3 ) };
		bvw_object o = { .box = { c, to } };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	for ( uint32_t i = 0; i < rounds( 400 ); ++i )
	{
		question q = { .is_ray = true };
		q.ray.origin = ( bv_vec3 ){ draw_below( &f.random, 9 ) - 1.0, draw_below( &f.random, 9 ) - 1.0,
			                        draw_below( &f.random, 9 ) - 1.0 };
		q.ray.direction = ( bv_vec3 ){ draw_below( &f.random, 7 ) - 3.0, draw_below( &f.random, 7 ) - 3.0,
			                           draw_below( &f.random, 7 ) - 3.0 };
		q.ray.to = draw_below( &f.random, 3 );
		if ( !ray_is_valid( &q.ray ) )
		{
			continue;
		}
		bvw_hit all[objects];
		uint32_t count = ask_all( &f, &q, NULL, all );
		exact_cast c = exact_cast_of_ray( &q.ray );
		assert_true( exact_equals( &f.model, &c, NULL, all, count ) );
		check_first( &f, &q, NULL, all, count ); // many are met at the same time, such as 1/3
	}
	fleet_free( &f );
}

// Known answers: faces, edges and corners count, and so does the end of the range.
static void touching_counts( void** state )
{
	(void)state;
	fleet f = fleet_of( 2, 1, 1 );
	bvw_object o = { .box = { { 1, 1, 1 }, { 2, 2, 2 } } };
	bvw_object floor_of_world = { .box = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, -5 } },
		                          .category = 2 };
	fleet_add( &f, 0, &o );
	fleet_add( &f, 1, &floor_of_world );
	const struct
	{
		bv_ray ray;
		int number; // -1: none
		double time;
	} cases[] = {
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 0 }, 0, 1 },
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 1 }, 0, 1 },
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 0x1.fffffffffffffp-1 }, -1, 0 },
		{ { { 0, 1.5, 1.5 }, { -1, 0, 0 }, 0, 0 }, -1, 0 },
		{ { { 0, 1, 1 }, { 2, 0, 0 }, 0, 0 }, 0, 0.5 },  // along an edge
		{ { { 0, 2, 1.5 }, { 1, 0, 0 }, 0, 0 }, 0, 1 },  // in the plane of a face
		{ { { 0, 0, 0 }, { 1, 1, 1 }, 0, 0 }, 0, 1 },    // into a corner
		{ { { 0, 2, 1.5 }, { 1, -1, 0 }, 0, 0 }, 0, 1 }, // into an edge
		{ { { 0, 2, 1.5 }, { 1, 1, 0 }, 0, 0 }, -1, 0 },
		{ { { 0, 3, 1.5 }, { 1, -1, 0 }, 0, 0 }, 0, 1 },                     // only through an edge
		{ { { 0, 3, 1.5 }, { 1, -0x1.fffffffffffffp-2, 0 }, 0, 0 }, -1, 0 }, // just above it
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0, 0 }, 0, 0 },                  // from inside
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.25, 0 }, 0, 0.25 },
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.5, 0 }, 0, 0.5 }, // its last point
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.75, 0 }, -1, 0 },
		{ { { 1.5, 1.5, 0 }, { 0, 0, 1 }, 1.75, 1.25 }, -1, 0 }, // an empty range
		{ { { 9, 9, 0 }, { 0, 0, -2 }, 0, 0 }, 1, 2.5 },         // the floor
		{ { { 9, 9, -9 }, { 0, 0, 1 }, 0, 0 }, 1, 0 },
		{ { { 9, 9, 0 }, { 1, 1, -1e-300 }, 0, 0 }, 1, 5e300 },
		{ { { 9, 9, -5 }, { 1, 1, 0 }, 0, 0 }, 1, 0 },
	};
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		for ( uint32_t k = 0; k < sizeof cases / sizeof *cases; ++k )
		{
			bvw_hit hit = { .number = 7 };
			bvw_found found;
			assert_int_equal( bvw_broadphase_cast_ray( f.world[i], &cases[k].ray, NULL, &hit, 1, &found ),
			                  bv_ok );
			if ( (int)found.count != ( cases[k].number >= 0 ) )
			{
				fail_msg( "%s, case %u: %u hits", world_name( &f, i ), (unsigned)k, (unsigned)found.count );
			}
			if ( found.count > 0 )
			{
				assert_int_equal( hit.number, cases[k].number );
				assert_true( hit.time.lower <= cases[k].time && cases[k].time <= hit.time.upper );
				assert_true( hit.time.upper - hit.time.lower <= 0x1p-48 * cases[k].time );
			}
		}
	}
	fleet_free( &f );
}

// All at 1/3, which no number is: what is found first must not hide those with smaller numbers, which are of another size.
static void smaller_numbers_come_first_at_equal_times( void** state )
{
	(void)state;
	enum
	{
		large = 40,
		all = 100,
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 1 );
	for ( uint32_t i = 0; i < all; ++i )
	{
		uint32_t number = ( i + large ) % all; // large ones last
		double half = number < large ? 10 : 0.5;
		bvw_object o = { .box = { { 32, -half, -half }, { 32 + 2 * half, half, half } } };
		fleet_add( &f, number, &o );
	}
	fleet_update( &f );
	question q = { .is_ray = true, .ray = { .direction = { 96, 0, 0 } } };
	for ( uint32_t w = 0; w < f.worlds; ++w )
	{
		const uint32_t lengths[] = { 1, large + 5 };
		for ( int k = 0; k < 2; ++k )
		{
			bvw_hit hits[objects];
			bvw_found found;
			assert_int_equal( ask( f.world[w], &q, NULL, hits, lengths[k], &found ), bv_ok );
			assert_int_equal( found.count, lengths[k] );
			for ( uint32_t i = 0; i < found.count; ++i )
			{
				assert_int_equal( hits[i].number, i );
			}
		}
	}
	fleet_free( &f );
}

// Groups of boxes at scales of 2^k along a ray that begins at the finest ones: at each level of the tree what is farther away waits.
static void deep_trees_are_walked_through( void** state )
{
	(void)state;
	enum
	{
		scales = 50,
		of_scale = 2,
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 1 );
	for ( int down = 0; down < 2; ++down )
	{
		for ( uint32_t k = 0; k < scales; ++k )
		{
			uint32_t scale = down ? scales - 1 - k : k;
			for ( uint32_t n = 0; n < of_scale; ++n )
			{
				double at = ldexp( 1 + 0.25 * n, 2 * (int)scale );
				bvw_object o = { .box = { { at, -at, -at }, { 1.125 * at, at, at } } };
				fleet_add( &f, scale * of_scale + n, &o );
			}
			fleet_update( &f );
		}
		question q = { .is_ray = true, .ray = { .direction = { 1, 0, 0 } } };
		bvw_hit all[objects];
		uint32_t count = ask_all( &f, &q, NULL, all );
		assert_int_equal( count, scales * of_scale );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( all[i].number, i );
		}
		check_first( &f, &q, NULL, all, count );
		q.ray = ( bv_ray ){ .origin = { 0x1p110, 0, 0 }, .direction = { -1, 0x1p-40, 0 } };
		count = ask_all( &f, &q, NULL, all );
		check_first( &f, &q, NULL, all, count );
		for ( uint32_t i = 0; i < scales * of_scale; ++i )
		{
			fleet_remove( &f, i );
		}
		fleet_update( &f );
	}
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rays_and_boxes_meet_what_exact_arithmetic_says ),
		cmocka_unit_test( grazing_rays_on_a_lattice_meet_what_they_touch ),
		cmocka_unit_test( touching_counts ),
		cmocka_unit_test( smaller_numbers_come_first_at_equal_times ),
		cmocka_unit_test( deep_trees_are_walked_through ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
