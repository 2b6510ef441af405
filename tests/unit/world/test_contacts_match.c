// bvw_contacts_update_pair matches points as the model does, which sorts all distances: by identity, then by place, each once.

#include "pushes.h"

// Few identities, and places on a lattice, so that several points compete for one.
static bv_manifold draw_manifold( uint64_t* random, const bv_transform* b_in_a )
{
	bv_manifold m = { .lower = -0.1, .upper = -0.1, .normal = { 0, 0, 1 } };
	m.count = draw_below( random, BV_MANIFOLD_CONTACTS + 1 );
	for ( uint32_t i = 0; i < m.count; ++i )
	{
		bv_contact* c = m.contact + i;
		double x = 0.01 * draw_below( random, 4 );
		double y = 0.01 * draw_below( random, 3 );
		c->point[0] = bv_transform_point(
			b_in_a, bv_vec3_make( x, y, draw_below( random, 2 ) ? 0 : 0.001 * draw_unit( random ) ) );
		c->point[1] = bv_add( c->point[0], bv_vec3_make( 0, 0, -0.1 ) );
		c->position = bv_add( c->point[0], bv_vec3_make( 0, 0, -0.05 ) );
		c->separation = -0.1;
		c->identity = draw_below( random, 12 );
	}
	return m;
}

static bvw_contact_key draw_key( uint64_t* random )
{
	uint32_t a = draw_below( random, 3 );
	uint32_t b = a + 1 + draw_below( random, 3 );
	uint32_t part = draw_below( random, 3 );
	return ( bvw_contact_key ){ a, b, { part, draw_below( random, 3 ) } };
}

static bool has_data( const kept_point* points, uint32_t count, double data )
{
	bool has = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		has = has || points[i].data[0] == data;
	}
	return has;
}

static void points_are_matched_as_by_the_model( void** state )
{
	(void)state;
	uint32_t events[4] = { 0 };
	uint32_t by_place = 0;
	uint32_t given_back = 0;
	for ( uint32_t scene = 0; scene < rounds( 20 ); ++scene )
	{
		uint64_t random = 500 + scene;
		bvw_contacts_options options = { .pairs = 100, .keep = scene / 2 % 2 };
		bvw_contacts* contacts = begin_contacts_with( &options, 0xa5 );
		kept_model model = kept_model_of( 100 );
		kept_set_options( &model, &options );
		double next = 0;
		for ( int i = 0; i < 2000; ++i )
		{
			// Objects that turn or slide a little, so that places differ in both.
			// Some do not, so that distances are equal.
			bool moves = draw_below( &random, 3 ) > 0;
			bv_transform b_in_a =
				turned( &random, moves ? 0.2 : 0, draw_vector( &random, moves ? 0.02 : 0 ) );
			b_in_a.scale = scene % 2 ? 3 : 1;
			bv_manifold manifold = draw_manifold( &random, &b_in_a );
			bvw_contact_key key = draw_key( &random );
			const kept_entry* e = kept_find( &model, &key );
			kept_entry before = e ? *e : ( kept_entry ){ .count = 0 };
			bvw_contact_event expected = kept_update_pair( &model, &key, &b_in_a, &manifold );
			bvw_pair_result got;
			assert_int_equal( bvw_contacts_update_pair( contacts, &key, &b_in_a, &manifold, &got ), bv_ok );
			assert_int_equal( got.event, expected );
			++events[expected];
			bvw_contact_pair* pair = bvw_contacts_find( contacts, &key );
			assert_ptr_equal( bvw_contacts_at( contacts, got.index ), pair );
			e = kept_find( &model, &key );
			assert_int_equal( e != NULL, pair != NULL );
			if ( e )
			{
				assert_true( kept_equal_end( &got.ended, e, e->ended, e->ended_count ) );
			}
			else
			{
				assert_true( got.ended.count == before.count &&
				             kept_equal_ended( got.ended.point, before.point, before.count ) );
			}
			for ( uint32_t k = 0; e && k < e->count; ++k )
			{
				bool has_identity = false;
				for ( uint32_t f = 0; f < before.count; ++f )
				{
					has_identity =
						has_identity || before.point[f].contact.identity == e->point[k].contact.identity;
				}
				bool was_kept = has_data( before.old, before.old_count, e->point[k].data[0] );
				by_place += e->point[k].data[0] > 0 && !has_identity && !was_kept;
				given_back += was_kept;
			}
			require_same( kept_compare_all( &model, contacts ) );
			kept_mark_new( &model, contacts, &next );
		}
		free( contacts );
		kept_model_free( &model );
	}
	for ( int i = 0; i < 4; ++i )
	{
		assert_true( events[i] > 1000 );
	}
	assert_true( by_place > 1000 );
	assert_true( given_back > 1000 );
}

static uint32_t draw_pairs( uint64_t* random, uint32_t one_in, bvw_pair out[10] )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < 5; ++a )
	{
		for ( uint32_t b = a + 1; b < 5; ++b )
		{
			out[count] = ( bvw_pair ){ a, b };
			count += draw_below( random, one_in ) == 0;
		}
	}
	return count;
}

// Pairs of a broad phase begin that have entries already, and end that have none, and blocks are full.
static void contacts_of_the_caller_and_of_steps_mix_as_in_the_model( void** state )
{
	(void)state;
	uint32_t full[2] = { 0, 0 };
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	for ( uint32_t scene = 0; scene < rounds( 20 ); ++scene )
	{
		uint64_t random = 800 + scene;
		uint32_t pairs = 4 + scene;
		bvw_contacts_options options = { .pairs = pairs, .tolerance = scene % 3 * 0.01, .keep = scene % 2 };
		size_t bytes = bvw_contacts_bytes( &options );
		bvw_contacts* contacts = NULL;
		assert_int_equal( bvw_contacts_begin( malloc( bytes ), bytes, &options, &contacts ), bv_ok );
		kept_model model = kept_model_of( 100 );
		kept_set_options( &model, &options );
		double next = 0;
		for ( int i = 0; i < 1000; ++i )
		{
			bvw_pair begun[10];
			bvw_pair ended[10];
			bvw_changes changes = { .begun = begun, .ended = ended };
			changes.begun_count = draw_pairs( &random, 6, begun );
			changes.ended_count = draw_pairs( &random, 6, ended );
			bvw_body bodies[5];
			for ( uint32_t k = 0; k < 5; ++k )
			{
				bv_vec3 at = draw_vector( &random, 0.6 );
				bodies[k] = ( bvw_body ){ draw_below( &random, 4 ) ? &box : NULL,
					                      bv_transform_translation( at.x, at.y, at.z ) };
			}
			bvw_contacts_step_input input = { .changes = &changes, .bodies = bodies, .body_count = 5 };
			if ( draw_below( &random, 2 ) )
			{
				bool fits = kept_count_after( &model, &changes ) <= pairs;
				bvw_contacts_report report;
				assert_int_equal( bvw_contacts_step( contacts, &input, &report ),
				                  fits ? bv_ok : bv_error_memory );
				full[0] += !fits;
				if ( fits )
				{
					kept_step( &model, &input );
					require_same( kept_compare_report( &model, contacts, &report ) );
				}
			}
			else
			{
				bv_transform b_in_a = turned( &random, 0.2, draw_vector( &random, 0.02 ) );
				bv_manifold manifold = draw_manifold( &random, &b_in_a );
				bvw_contact_key at = draw_key( &random );
				at.b = at.b < 5 ? at.b : 4;
				bool fits = manifold.count == 0 || kept_find( &model, &at ) || model.count < pairs;
				bvw_pair_result result;
				assert_int_equal( bvw_contacts_update_pair( contacts, &at, &b_in_a, &manifold, &result ),
				                  fits ? bv_ok : bv_error_memory );
				full[1] += !fits;
				assert_true( !fits || result.event == kept_update_pair( &model, &at, &b_in_a, &manifold ) );
			}
			require_same( kept_compare_all( &model, contacts ) );
			kept_mark_new( &model, contacts, &next );
		}
		free( contacts );
		kept_model_free( &model );
	}
	assert_true( full[0] > 100 && full[1] > 100 );
}

static bv_manifold manifold_of_one( uint64_t identity, double x )
{
	return ( bv_manifold ){ .normal = { 0, 0, 1 },
		                    .count = 1,
		                    .contact = { { .position = { x, 0, 0 },
		                                   .point = { { x, 0, 0 }, { x, 0, 0 } },
		                                   .identity = identity } } };
}

static const bvw_contact_key key = { 3, 9, { 0, 0 } };

// The point is within the tolerance on a or on b only, by the translation of b.
static void a_point_with_another_identity_must_stay_on_both_objects( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		double on_a = i & 1 ? 0.021 : 0.019;
		double on_b = i & 2 ? 0.021 : -0.019;
		bvw_contacts* contacts = begin_contacts( 1, 0 );
		bv_manifold first = manifold_of_one( 1, 0 );
		bv_manifold second = manifold_of_one( 2, on_a );
		bv_transform moved = bv_transform_translation( on_a - on_b, 0, 0 );
		bvw_pair_result result;
		assert_int_equal( bvw_contacts_update_pair( contacts, &key, NULL, &first, NULL ), bv_ok );
		assert_int_equal( bvw_contacts_update_pair( contacts, &key, &moved, &second, &result ), bv_ok );
		assert_int_equal( result.event, bvw_contact_stays );
		assert_int_equal( result.ended.count, i > 0 );
		// The same identity needs no place.
		bv_manifold far = manifold_of_one( 2, 50 );
		assert_int_equal( bvw_contacts_update_pair( contacts, &key, NULL, &far, &result ), bv_ok );
		assert_int_equal( result.ended.count, 0 );
		free( contacts );
	}
}

static void invalid_manifolds_change_nothing( void** state )
{
	(void)state;
	bvw_contacts_options options = { .pairs = 2 };
	size_t bytes = bvw_contacts_bytes( &options );
	bvw_contacts* contacts = begin_contacts( 2, 0 );
	bv_manifold good = manifold_of_one( 1, 0 );
	assert_int_equal( bvw_contacts_update_pair( contacts, &key, NULL, &good, NULL ), bv_ok );
	char* before = malloc( bytes );
	memcpy( before, contacts, bytes );
	bvw_pair_result result;
	memset( &result, 0x5a, sizeof result );
	bvw_pair_result untouched = result;
	for ( int i = 0; i < 12; ++i )
	{
		bv_manifold m = good;
		bv_transform t = bv_transform_identity();
		bvw_contact_key k = key;
		switch ( i )
		{
		case 0: m.count = 5; break;
		case 1: m.lower = NAN; break;
		case 2: m.upper = NAN; break;
		case 3: m.normal.x = NAN; break;
		case 4: m.contact[0].position.y = NAN; break;
		case 5: m.contact[0].point[0].z = INFINITY; break;
		case 6: m.contact[0].point[1].z = 2 * BV_MAX_LENGTH; break;
		case 7: m.contact[0].separation = NAN; break;
		case 8: t.scale = 0; break;
		case 9: t.pose.translation.x = 2 * BV_MAX_LENGTH; break;
		case 10: k.a = k.b; break;
		default: k.a = 10; break;
		}
		assert_int_equal( bvw_contacts_update_pair( contacts, &k, &t, &m, &result ), bv_error_argument );
	}
	assert_int_equal( bvw_contacts_update_pair( NULL, &key, NULL, &good, &result ), bv_error_argument );
	assert_int_equal( bvw_contacts_update_pair( contacts, NULL, NULL, &good, &result ), bv_error_argument );
	assert_memory_equal( &result, &untouched, sizeof result );
	assert_memory_equal( contacts, before, bytes );
	free( before );
	free( contacts );
}

// Both parts of two compounds have contacts of their own, and lose them with the pair of objects.
static void a_pair_that_the_broad_phase_ends_takes_its_parts_with_it( void** state )
{
	(void)state;
	bvw_contacts* contacts = begin_contacts( 5, 0 );
	const bvw_pair pair = { 3, 9 };
	const bvw_changes begins = { .begun = &pair, .begun_count = 1 };
	const bvw_changes ends = { .ended = &pair, .ended_count = 1 };
	bvw_contacts_step_input input = { .changes = &begins };
	bvw_contacts_report report;
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_ok );
	assert_int_equal( report.computed, 0 );
	const bvw_contact_key keys[] = {
		{ 3, 9, { 1, 2 } }, { 3, 9, { 1, 0 } }, { 2, 9, { 0, 0 } }, { 3, 10, { 0, 1 } }
	};
	for ( uint32_t i = 0; i < 4; ++i )
	{
		bv_manifold m = manifold_of_one( i, i );
		assert_int_equal( bvw_contacts_update_pair( contacts, keys + i, NULL, &m, NULL ), bv_ok );
		bvw_contacts_find( contacts, keys + i )->data[0][2] = i + 1;
	}
	bv_manifold more = manifold_of_one( 0, 0 );
	const bvw_contact_key one_more = { 5, 6, { 0, 0 } };
	assert_int_equal( bvw_contacts_update_pair( contacts, &one_more, NULL, &more, NULL ), bv_error_memory );
	input.changes = &ends;
	assert_int_equal( bvw_contacts_step( contacts, &input, &report ), bv_ok );
	assert_int_equal( report.ended_count, 2 );
	assert_memory_equal( &report.ended[0].key, keys + 1, sizeof *keys );
	assert_memory_equal( &report.ended[1].key, keys, sizeof *keys );
	assert_true( report.ended[0].point[0].data[2] == 2 && report.ended[1].point[0].data[2] == 1 );
	uint32_t indices[2];
	uint32_t count = 0;
	assert_int_equal( bvw_contacts_list( contacts, indices, 2, &count ), bv_ok );
	assert_int_equal( count, 2 );
	assert_memory_equal( &bvw_contacts_at( contacts, indices[0] )->key, keys + 2, sizeof *keys );
	assert_memory_equal( &bvw_contacts_at( contacts, indices[1] )->key, keys + 3, sizeof *keys );
	free( contacts );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( points_are_matched_as_by_the_model ),
		cmocka_unit_test( contacts_of_the_caller_and_of_steps_mix_as_in_the_model ),
		cmocka_unit_test( a_point_with_another_identity_must_stay_on_both_objects ),
		cmocka_unit_test( invalid_manifolds_change_nothing ),
		cmocka_unit_test( a_pair_that_the_broad_phase_ends_takes_its_parts_with_it ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
