// The simulator of tests/bench/simulate: laws of conservation of two bodies, and bodies that rest.

#include "tests/bench/simulate/world.h"
#include "tests/unit/world/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const bv_quaternion straight = { 0, 0, 0, 1 };

static bv_vec3 draw_point( uint64_t* random )
{
	double x = 2 * draw_unit( random ) - 1;
	double y = 2 * draw_unit( random ) - 1;
	return bv_vec3_make( x, y, 2 * draw_unit( random ) - 1 );
}

static bv_vec3 angular_momentum( const sim_body* b )
{
	return bv_add( sim_angular_momentum( b ),
	               bv_scale( 1 / b->inverse_mass, bv_cross( b->position, b->velocity ) ) );
}

static void elastic_impulses_keep_energy_and_momentum( void** state )
{
	(void)state;
	uint64_t random = 1;
	sim_shape shape[] = { sim_box( bv_vec3_make( 0.5, 0.7, 0.9 ) ), sim_capsule( 0.4, 0.6 ),
		                  sim_cylinder( 0.5, 0.3 ) };
	uint32_t bounces = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		sim_body b[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_quaternion turn;
			assert_int_equal( bv_quaternion_from_axis_angle( draw_point( &random ), 1, &turn ), bv_ok );
			b[k] = sim_make_body( shape + ( i + k ) % 3, 0.5 + draw_unit( &random ), draw_point( &random ),
			                      turn );
			b[k].velocity = draw_point( &random );
			b[k].spin = draw_point( &random );
		}
		bv_vec3 at = draw_point( &random );
		double energy = sim_kinetic_energy( b ) + sim_kinetic_energy( b + 1 );
		bv_vec3 momentum[2] = { { 0, 0, 0 }, bv_add( angular_momentum( b ), angular_momentum( b + 1 ) ) };
		for ( int k = 0; k < 2; ++k )
		{
			momentum[0] = bv_add( momentum[0], bv_scale( 1 / b[k].inverse_mass, b[k].velocity ) );
		}
		bv_vec3 normal = bv_normalize( draw_point( &random ) );
		bounces += sim_bounce( b, b + 1, bv_sub( at, b[0].position ), bv_sub( at, b[1].position ), normal );
		bv_vec3 after = bv_add( bv_scale( 1 / b[0].inverse_mass, b[0].velocity ),
		                        bv_scale( 1 / b[1].inverse_mass, b[1].velocity ) );
		assert_true( bv_length( bv_sub( after, momentum[0] ) ) < 1e-12 );
		after = bv_add( angular_momentum( b ), angular_momentum( b + 1 ) );
		assert_true( bv_length( bv_sub( after, momentum[1] ) ) < 1e-12 );
		assert_true( fabs( sim_kinetic_energy( b ) + sim_kinetic_energy( b + 1 ) - energy ) <
		             1e-12 * energy );
	}
	assert_true( bounces > 300 );
}

static sim_options resting_options( sim_contacts_of contacts )
{
	return ( sim_options ){ .contacts = contacts,
		                    .time = 1.0 / 120,
		                    .substeps = 4,
		                    .gravity = { 0, 0, -9.81 },
		                    .friction = 0.5,
		                    .speculative = 0.02,
		                    .most_pairs = 100 };
}

static void a_box_rests_on_a_plane_with_four_contacts( void** state )
{
	(void)state;
	const sim_contacts_of ways[] = { { .stepped = true }, { .method = bv_convex_method_gjk } };
	for ( int way = 0; way < 2; ++way )
	{
		sim_shape plane = sim_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
		sim_shape box = sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) );
		sim_body body[] = { sim_make_body( &plane, 1, bv_vec3_make( 0, 0, 0 ), straight ),
			                sim_make_body( &box, 1, bv_vec3_make( 0, 0, 0.5 ), straight ) };
		sim_options options = resting_options( ways[way] );
		sim_world w = sim_begin( &options, body, 2 );
		for ( int i = 0; i < 600; ++i )
		{
			sim_step( &w );
			assert_int_equal( w.point_count, 4 );
			assert_true( bv_length( bv_sub( body[1].position, bv_vec3_make( 0, 0, 0.5 ) ) ) < 1e-3 );
			assert_true( fabs( body[1].turn.w ) > 1 - 1e-6 );
		}
		assert_true( bv_length( body[1].velocity ) < 1e-6 );
		sim_end( &w );
	}
}

// The first of them is scaled, so that its coordinates have another unit.
static void a_stack_of_five_boxes_stands( void** state )
{
	(void)state;
	const sim_contacts_of ways[] = { { .stepped = true }, { .method = bv_convex_method_gjk } };
	for ( int way = 0; way < 2; ++way )
	{
		sim_shape plane = sim_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
		sim_shape box = sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) );
		sim_shape small = sim_box( bv_vec3_make( 0.05, 0.05, 0.05 ) );
		sim_body body[6] = { sim_make_body( &plane, 1, bv_vec3_make( 0, 0, 0 ), straight ),
			                 sim_make_body( &small, 10, bv_vec3_make( 0, 0, 0.5 ), straight ) };
		for ( int i = 2; i < 6; ++i )
		{
			body[i] = sim_make_body( &box, 1, bv_vec3_make( 0.02 * ( i % 2 ), 0, i - 0.5 ), straight );
		}
		sim_options options = resting_options( ways[way] );
		sim_world w = sim_begin( &options, body, 6 );
		for ( int i = 0; i < 600; ++i )
		{
			sim_step( &w );
		}
		for ( int i = 1; i < 6; ++i )
		{
			bv_vec3 start = { i > 1 ? 0.02 * ( i % 2 ) : 0, 0, i - 0.5 };
			assert_true( bv_length( bv_sub( body[i].position, start ) ) < 5e-3 );
			assert_true( bv_length( body[i].velocity ) < 2e-2 );
			assert_true( fabs( body[i].turn.w ) > 1 - 1e-5 );
		}
		sim_end( &w );
	}
}

// Coulomb's law: it slides where the slope exceeds the friction, and stays otherwise.
static void friction_holds_a_box_up_to_its_coefficient( void** state )
{
	(void)state;
	for ( int slides = 0; slides < 2; ++slides )
	{
		sim_shape plane = sim_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
		sim_shape box = sim_box( bv_vec3_make( 0.5, 0.5, 0.1 ) );
		sim_body body[] = { sim_make_body( &plane, 1, bv_vec3_make( 0, 0, 0 ), straight ),
			                sim_make_body( &box, 1, bv_vec3_make( 0, 0, 0.1 ), straight ) };
		sim_options options = resting_options( ( sim_contacts_of ){ .stepped = true } );
		options.gravity.x = slides ? 5.5 : 4.5; // 0.56 and 0.46 of that along z
		sim_world w = sim_begin( &options, body, 2 );
		for ( int i = 0; i < 120; ++i )
		{
			sim_step( &w );
		}
		double expected = slides ? 5.5 - 0.5 * 9.81 : 0; // after one unit of time
		assert_true( fabs( body[1].velocity.x - expected ) < 0.01 );
		sim_end( &w );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( elastic_impulses_keep_energy_and_momentum ),
		cmocka_unit_test( a_box_rests_on_a_plane_with_four_contacts ),
		cmocka_unit_test( a_stack_of_five_boxes_stands ),
		cmocka_unit_test( friction_holds_a_box_up_to_its_coefficient ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
