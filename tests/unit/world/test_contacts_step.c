// Steps of contacts do what a model does: which pairs and points begin, stay and end, and whose user data is whose.

#include "pushes.h"

// A step of both.
static void step( bvw_contacts* contacts, kept_model* model, pushes* p, double* next,
                  bvw_contacts_report* report )
{
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_update( p->world, &changes ), bv_ok );
	bvw_contacts_step_input input = input_of( p, &changes );
	assert_int_equal( bvw_contacts_step( contacts, &input, report ), bv_ok );
	kept_step( model, &input );
	require_same( kept_compare_report( model, contacts, report ) );
	require_same( kept_compare_all( model, contacts ) );
	kept_mark_new( model, contacts, next );
}

static void steps_of_random_scenes_are_those_of_the_model( void** state )
{
	(void)state;
	uint32_t begun = 0;
	uint32_t ended = 0;
	uint32_t stayed = 0;
	double points = 0;
	for ( uint32_t scene = 0; scene < rounds( 12 ); ++scene )
	{
		pushes* p = pushes_begin( 4 + scene % 3 * 12, 100 + scene );
		kept_model model = kept_model_of( most_bodies * most_bodies );
		bvw_contacts* contacts = begin_contacts( most_bodies * most_bodies, 0xa5 );
		for ( int i = 0; i < 60; ++i )
		{
			bvw_contacts_report report;
			step( contacts, &model, p, &points, &report );
			begun += report.begun_count;
			ended += report.ended_count;
			stayed += report.touching_count - report.begun_count;
			push( p );
		}
		free( contacts );
		kept_model_free( &model );
		pushes_end( p );
	}
	// All of it happened.
	assert_true( begun > 500 && ended > 500 && stayed > 3000 && points > 4 * begun );
}

static bvw_contacts_report step_two( bvw_contacts* contacts, const bvw_body bodies[2], const uint8_t* awake,
                                     const bvw_changes* changes )
{
	bvw_contacts_step_input input = {
		.changes = changes, .bodies = bodies, .body_count = 2, .awake = awake, .speculative = 0.01
	};
	bvw_contacts_report report;
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_ok );
	return report;
}

static const bvw_pair both = { 0, 1 };
static const bvw_changes begins = { .begun = &both, .begun_count = 1 };
static const bvw_changes ends = { .ended = &both, .ended_count = 1 };

// The four corners of the small box go with it, and their identities with them.
static void a_box_that_slides_keeps_its_four_points( void** state )
{
	(void)state;
	bv_convex large = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 100, 100, 1 ) );
	bv_convex small = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bvw_body bodies[] = { { &large, bv_transform_identity() }, { &small, bv_transform_identity() } };
	bvw_contacts* contacts = begin_contacts( 1, 0 );
	uint64_t identity[4] = { 0 };
	for ( int i = 0; i < 200; ++i )
	{
		bodies[1].placement = bv_transform_translation( 0.3 * i - 30, -0.1 * i, 1.5 );
		bvw_contacts_report report = step_two( contacts, bodies, NULL, i == 0 ? &begins : NULL );
		assert_int_equal( report.touching_count, 1 );
		assert_int_equal( report.begun_count, i == 0 );
		bvw_contact_pair* pair = bvw_contacts_at( contacts, report.touching[0] );
		assert_int_equal( pair->manifold.count, 4 );
		assert_int_equal( pair->ended_count, 0 );
		for ( uint32_t k = 0; k < 4; ++k )
		{
			assert_int_equal( pair->point_since[k], 1 );
			identity[k] = i == 0 ? pair->manifold.contact[k].identity : identity[k];
			pair->data[k][0] = i == 0 ? k + 1 : pair->data[k][0];
			assert_true( identity[(int)pair->data[k][0] - 1] == pair->manifold.contact[k].identity );
		}
	}
	free( contacts );
}

static void pairs_asleep_keep_their_contacts_and_are_not_computed( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bvw_body bodies[] = { { &box, bv_transform_identity() },
		                  { &box, bv_transform_translation( 0.5, 0, 2 ) } };
	const uint8_t asleep[] = { 0, 0 };
	const uint8_t one_awake[] = { 0, 1 };
	bvw_contacts* contacts = begin_contacts( 1, 0 );
	// New pairs are computed, asleep or not.
	bvw_contacts_report report = step_two( contacts, bodies, asleep, &begins );
	assert_int_equal( report.begun_count, 1 );
	bvw_contact_pair* pair = bvw_contacts_at( contacts, report.touching[0] );
	pair->data[2][1] = 5;
	// Nothing looks at the placement.
	bodies[1].placement = bv_transform_translation( 10, 0, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		report = step_two( contacts, bodies, asleep, NULL );
		assert_int_equal( report.computed + report.touching_count + report.ended_count, 0 );
		assert_int_equal( pair->manifold.count, 4 );
		assert_true( pair->data[2][1] == 5 );
	}
	report = step_two( contacts, bodies, one_awake, NULL );
	assert_int_equal( report.computed, 1 );
	assert_int_equal( report.ended_count, 1 );
	assert_true( report.ended[0].count == 4 && report.ended[0].since == 1 &&
	             report.ended[0].point[2].data[1] == 5 );
	// The entry is still there: the broad phase has not ended it.
	assert_ptr_equal( bvw_contacts_find( contacts, &( bvw_contact_key ){ 0, 1, { 0, 0 } } ), pair );
	bodies[1].placement = bv_transform_translation( 0.5, 0, 2 );
	report = step_two( contacts, bodies, one_awake, NULL );
	assert_int_equal( report.begun_count, 1 );
	assert_true( pair->data[2][1] == 0 );
	report = step_two( contacts, bodies, asleep, &ends );
	assert_int_equal( report.ended_count, 1 );
	assert_null( bvw_contacts_find( contacts, &( bvw_contact_key ){ 0, 1, { 0, 0 } } ) );
	free( contacts );
}

// As many as bv_convex_manifold counts with a cache of its own, in each step anew.
static void support_points_of_a_step_are_those_of_its_queries( void** state )
{
	(void)state;
	const bv_vec3 corners[] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	bv_convex hull = bv_convex_points( corners, 4, 0 );
	bvw_body bodies[] = { { &hull, bv_transform_identity() }, { &hull, bv_transform_identity() } };
	const uint8_t asleep[] = { 0, 0 };
	bvw_contacts* contacts = begin_contacts( 1, 0 );
	bv_convex_cache cache = { .count = 0 };
	uint64_t all = 0;
	for ( int i = 0; i < 20; ++i )
	{
		bodies[1].placement = bv_transform_translation( 0.2 * i, 0.3, 0.1 );
		bvw_contacts_report report = step_two( contacts, bodies, NULL, i == 0 ? &begins : NULL );
		bv_transform b_in_a = bv_transform_between( &bodies[0].placement, &bodies[1].placement );
		bv_manifold_options options = { .distance.cache = &cache };
		bv_manifold m;
		assert_int_equal( bv_convex_manifold( &hull, &hull, &b_in_a, &options, &m ), bv_ok );
		assert_true( report.supports == m.supports );
		all += m.supports;
		assert_true( step_two( contacts, bodies, asleep, NULL ).supports == 0 );
	}
	assert_true( all > 0 );
	free( contacts );
}

// The pair ends and begins in one step, and nothing of the former object is there for the new one.
static void a_number_that_is_used_again_gets_new_contacts( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bvw_body bodies[] = { { &box, bv_transform_identity() }, { &box, bv_transform_translation( 0, 0, 2 ) } };
	bvw_contacts* contacts = begin_contacts( 1, 0 );
	bvw_contacts_report report = step_two( contacts, bodies, NULL, &begins );
	bvw_contacts_at( contacts, report.touching[0] )->data[0][0] = 7;
	const bvw_changes again = { .begun = &both, .begun_count = 1, .ended = &both, .ended_count = 1 };
	report = step_two( contacts, bodies, NULL, &again );
	assert_int_equal( report.begun_count, 1 );
	assert_int_equal( report.ended_count, 1 );
	assert_true( report.ended[0].point[0].data[0] == 7 );
	const bvw_contact_pair* pair = bvw_contacts_at( contacts, report.begun[0] );
	assert_true( pair->data[0][0] == 0 && pair->since == 2 && pair->point_since[0] == 2 );
	free( contacts );
}

static void pairs_with_nan_are_refused_and_keep_their_contacts( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex broken = box;
	broken.radius = NAN;
	bvw_body good[] = { { &box, bv_transform_identity() }, { &box, bv_transform_translation( 0, 0, 2 ) } };
	bvw_contacts* contacts = begin_contacts( 1, 0 );
	bvw_contacts_report report = step_two( contacts, good, NULL, &begins );
	bvw_contact_pair* pair = bvw_contacts_at( contacts, report.touching[0] );
	pair->data[0][0] = 7;
	const bvw_contact_pair before = *pair;
	for ( int i = 0; i < 4; ++i )
	{
		bvw_body bad[] = { good[0], good[1] };
		switch ( i )
		{
		case 0: bad[0].shape = &broken; break;
		case 1: bad[1].placement.pose.translation.y = NAN; break;
		case 2: bad[0].placement.pose.rotation[1][2] = NAN; break;
		default: bad[1].placement.scale = 0; break;
		}
		report = step_two( contacts, bad, NULL, NULL );
		assert_true( report.refused_count == 1 && report.computed == 0 && report.ended_count == 0 );
		assert_ptr_equal( bvw_contacts_at( contacts, report.refused[0] ), pair );
		assert_memory_equal( pair, &before, sizeof before );
	}
	const uint8_t asleep[] = { 0, 0 };
	report = step_two( contacts, good, asleep, NULL );
	assert_true( report.computed == 1 && report.touching_count == 1 && pair->data[0][0] == 7 );
	free( contacts );
}

// Numbers the other way around: the same points are new, stay and end, and their data goes the same way.
static void exchanging_objects_exchanges_points( void** state )
{
	(void)state;
	bv_vec3 half = { 0.5, 0.5, 0.5 };
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), half );
	uint64_t random = 7;
	for ( int scene = 0; scene < 50; ++scene )
	{
		bvw_contacts* contacts[2] = { begin_contacts( 1, 0 ), begin_contacts( 1, 0 ) };
		bv_transform turn = turned( &random, 3, bv_vec3_make( 0, 0, 0 ) );
		bv_transform at = bv_transform_translation( 0.2, 0.1, 0.98 );
		for ( int i = 0; i < 40; ++i )
		{
			bv_transform by = turned( &random, 0.03, bv_vec3_make( 0, 0, 0 ) );
			bv_vec3 to = bv_add( at.pose.translation, draw_vector( &random, 0.01 ) );
			at = bv_transform_compose( &by, &at );
			at.pose.translation = to;
			bv_transform world = bv_transform_compose( &turn, &at );
			bvw_body bodies[2][2] = { { { &box, turn }, { &box, world } },
				                      { { &box, world }, { &box, turn } } };
			bvw_contact_pair* pair[2];
			for ( int w = 0; w < 2; ++w )
			{
				(void)step_two( contacts[w], bodies[w], NULL, i == 0 ? &begins : NULL );
				pair[w] = bvw_contacts_find( contacts[w], &( bvw_contact_key ){ 0, 1, { 0, 0 } } );
			}
			assert_int_equal( pair[0]->manifold.count, pair[1]->manifold.count );
			assert_int_equal( pair[0]->ended_count, pair[1]->ended_count );
			for ( uint32_t k = 0; k < pair[0]->manifold.count; ++k )
			{
				uint64_t identity = pair[0]->manifold.contact[k].identity;
				uint32_t other = 0;
				while ( other < 4 &&
				        pair[1]->manifold.contact[other].identity != ( identity << 32 | identity >> 32 ) )
				{
					++other;
				}
				assert_true( other < pair[1]->manifold.count );
				assert_int_equal( pair[0]->point_since[k], pair[1]->point_since[other] );
				if ( pair[0]->point_since[k] == (uint64_t)i + 1 )
				{
					pair[0]->data[k][0] = pair[1]->data[other][0] = 10 * i + k + 1;
				}
				assert_true( pair[0]->data[k][0] == pair[1]->data[other][0] );
			}
		}
		free( contacts[0] );
		free( contacts[1] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( steps_of_random_scenes_are_those_of_the_model ),
		cmocka_unit_test( a_box_that_slides_keeps_its_four_points ),
		cmocka_unit_test( pairs_asleep_keep_their_contacts_and_are_not_computed ),
		cmocka_unit_test( support_points_of_a_step_are_those_of_its_queries ),
		cmocka_unit_test( a_number_that_is_used_again_gets_new_contacts ),
		cmocka_unit_test( pairs_with_nan_are_refused_and_keep_their_contacts ),
		cmocka_unit_test( exchanging_objects_exchanges_points ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
