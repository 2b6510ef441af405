// Contacts of compounds that last: all entries of two bodies are updated at once, as if one by one with the model.

#include "../compound/compounds.h"

#include "tests/contacts_model.h"

enum
{
	objects = 3,
	most_entries = 4096,
};

typedef struct scene
{
	fixture* f;
	bv_compound compound[objects];
	bv_transform placement[objects];
	bvw_contacts* contacts;
	bvw_contacts_options options;
	size_t bytes;
	kept_model model;
	double next; // user data
} scene;

static void begin_contacts( scene* s, uint32_t pairs )
{
	s->options = ( bvw_contacts_options ){ .pairs = pairs };
	s->bytes = bvw_contacts_bytes( &s->options );
	void* memory = bvb_arena_allocate( s->f->arena, s->bytes, 1 );
	assert_int_equal( bvw_contacts_begin( memory, s->bytes, &s->options, &s->contacts ), bv_ok );
	s->model = kept_model_of( most_entries );
}

static bv_compound_room room_of( fixture* f, const bv_compound* a, const bv_compound* b, uint32_t pairs,
                                 uint32_t capacity )
{
	size_t bytes = bvw_contacts_compounds_bytes( a, b, pairs );
	return ( bv_compound_room ){ .contacts =
		                             bvb_arena_allocate( f->arena, capacity, sizeof( bv_compound_contact ) ),
		                         .capacity = capacity,
		                         .scratch = bvb_arena_allocate( f->arena, bytes, 1 ),
		                         .scratch_bytes = bytes };
}

static kept_events update_model( scene* s, uint32_t a, uint32_t b, const bv_transform* b_in_a,
                                 const bv_compound_contacts_options* options )
{
	kept_caches caches = kept_caches_of( &s->model, a, b, most_entries );
	bv_compound_contacts_options o = *options;
	o.cache = kept_give_cache;
	o.context = &caches;
	bv_compound_room room = room_for( s->f, s->compound + a, s->compound + b );
	bv_compound_contacts_result r = find_contacts( s->compound + a, s->compound + b, b_in_a, &o, &room );
	kept_events out = kept_update_compounds( &s->model, &caches, b_in_a, room.contacts, r.count );
	kept_caches_free( &caches );
	return out;
}

static void check_keys( scene* s, const uint32_t* list, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		assert_true( kept_compare_keys( &bvw_contacts_at( s->contacts, list[i - 1] )->key,
		                                &bvw_contacts_at( s->contacts, list[i] )->key ) < 0 );
	}
}

static void check_caches( scene* s )
{
	for ( uint32_t i = 0; i < s->model.count; ++i )
	{
		const kept_entry* e = s->model.entry + i;
		const bvw_contact_pair* pair = bvw_contacts_find( s->contacts, &e->key );
		assert_non_null( pair );
		if ( e->count > 0 )
		{
			assert_memory_equal( pair->cache.axis, e->cache.axis, sizeof e->cache.axis );
			assert_int_equal( pair->cache.count, e->cache.count );
		}
	}
}

// @return pairs of leaves that touch
static uint32_t update( scene* s, uint32_t a, uint32_t b, const bv_compound_contacts_options* options )
{
	bv_transform b_in_a = bv_transform_between( s->placement + a, s->placement + b );
	bvw_compounds pair = { a, b, { s->compound + a, s->compound + b }, b_in_a, options };
	uint32_t pairs = s->compound[a].leaves * s->compound[b].leaves;
	bv_compound_room room = room_of( s->f, s->compound + a, s->compound + b, pairs, pairs );
	bvw_compounds_report r;
	assert_int_equal( bvw_contacts_update_compounds( s->contacts, &pair, &room, &r ), bv_ok );
	kept_events expected = update_model( s, a, b, &b_in_a, options );
	assert_int_equal( r.touching_count, expected.begun + expected.stays );
	assert_int_equal( r.begun_count, expected.begun );
	assert_int_equal( r.ended_count, s->model.gone_count );
	for ( uint32_t i = 0; i < r.ended_count; ++i )
	{
		const kept_entry* e = s->model.gone + i;
		assert_true( kept_equal_end( r.ended + i, e, e->point, e->count ) );
	}
	check_keys( s, r.touching, r.touching_count );
	check_keys( s, r.begun, r.begun_count );
	assert_int_equal( r.found.count, r.touching_count );
	const char* what = kept_compare_all( &s->model, s->contacts );
	if ( what )
	{
		fail_msg( "against the model: %s", what );
	}
	check_caches( s );
	kept_mark_new( &s->model, s->contacts, &s->next );
	return r.touching_count;
}

static void move( scene* s, uint32_t i )
{
	fixture* f = s->f;
	if ( random_bits( f ) % 8 == 0 )
	{
		s->placement[i] = random_place( f, 1 );
		return;
	}
	bv_vec3* at = &s->placement[i].pose.translation;
	*at = plus( *at, 0.03, random_around( f ) );
}

static void step( scene* s, const bvw_changes* changes )
{
	bvw_body none[objects] = { { .shape = NULL } };
	bvw_contacts_step_input input = { .changes = changes, .bodies = none, .body_count = objects };
	bvw_contacts_report report;
	assert_int_equal( bvw_contacts_step( s->contacts, &input, &report ), bv_ok );
	kept_step( &s->model, &input );
	const char* what = kept_compare_report( &s->model, s->contacts, &report );
	if ( what )
	{
		fail_msg( "report against the model: %s", what );
	}
}

// The broad phase lists the pair of the first two objects from time to time. Contacts of the caller are between.
static void updates_are_those_of_the_model( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 300 : 12;
	uint32_t touching = 0;
	for ( int round = 0; round < rounds; ++round )
	{
		scene s = { .f = f };
		begin_contacts( &s, most_entries );
		for ( uint32_t i = 0; i < objects; ++i )
		{
			s.compound[i] = random_compound( f, 1 + round % 3 );
			s.placement[i] = random_place( f, 0.5 );
		}
		for ( int k = 0; k < 30; ++k )
		{
			bvw_pair listed = { 0, 1 };
			bvw_changes begin = { .begun = &listed, .begun_count = 1 };
			bvw_changes end = { .ended = &listed, .ended_count = 1 };
			step( &s, k % 10 == 3 ? &begin : k % 10 == 8 ? &end : NULL );
			bv_compound_contacts_options o = { .speculative = k % 3 * 0.02, .no_ghost_test = round % 2 };
			for ( uint32_t a = 0; a < objects; ++a )
			{
				for ( uint32_t b = a + 1; b < objects; ++b )
				{
					touching += update( &s, a, b, &o );
				}
			}
			move( &s, (uint32_t)( random_bits( f ) % objects ) );
		}
		kept_model_free( &s.model );
	}
	assert_true( touching > 200 );
}

static void errors_change_nothing( void** state )
{
	fixture* f = *state;
	scene s = { .f = f };
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex bad = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), NAN );
	bv_compound members[6];
	bv_transform places[6];
	for ( int i = 0; i < 6; ++i )
	{
		members[i] = bv_compound_of_shape( &box );
		places[i] = bv_transform_translation( 2 * i, 0, 0 );
	}
	s.compound[0] = join( f, members, places, 6 );
	s.compound[1] = join( f, members, places, 6 );
	bv_compound of_bad = bv_compound_of_shape( &bad );
	begin_contacts( &s, 8 );
	bv_transform at = bv_transform_translation( 1, 1.99, 0 );    // 11 pairs of leaves
	bv_transform apart = bv_transform_translation( 9, 1.99, 0 ); // 3 of them
	bv_transform no_place = bv_transform_translation( NAN, 0, 0 );
	const bv_compound_contacts_options wrong[] = { { .speculative = -1 }, { .cache = kept_give_cache } };
	bv_compound_room room = room_of( f, s.compound, s.compound + 1, 36, 36 );
	const bvw_compounds good = { 0, 1, { s.compound, s.compound + 1 }, apart, NULL };
	bvw_compounds_report r;
	assert_int_equal( bvw_contacts_update_compounds( s.contacts, &good, &room, &r ), bv_ok );
	assert_int_equal( r.touching_count, 3 );
	bvw_compounds cases[] = { good, good, good, good, good, good, good };
	cases[0].b = 0;
	cases[1].compound[1] = &of_bad;
	cases[2].compound[0] = NULL;
	cases[3].b_in_a = no_place;
	cases[4].options = wrong;
	cases[5].options = wrong + 1;
	cases[6].b_in_a = at;
	void* before = malloc( s.bytes );
	memcpy( before, s.contacts, s.bytes );
	r = ( bvw_compounds_report ){ .touching_count = 1234 };
	for ( int i = 0; i < 7; ++i )
	{
		// The last one would have more entries than there is room for.
		assert_int_equal( bvw_contacts_update_compounds( s.contacts, cases + i, &room, &r ),
		                  i < 6 ? bv_error_argument : bv_error_memory );
	}
	bv_compound_room rooms[] = { room, room, room, room };
	rooms[0].scratch_bytes =
		bvw_contacts_compounds_bytes( s.compound, s.compound + 1, 2 ); // 3 pairs are near
	rooms[1].scratch_bytes = bvw_contacts_compounds_bytes( s.compound, s.compound + 1, 0 ) - 1;
	rooms[2].capacity = 2;
	rooms[3].scratch = NULL;
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bvw_contacts_update_compounds( s.contacts, &good, rooms + i, &r ),
		                  i < 3 ? bv_error_memory : bv_error_argument );
	}
	assert_int_equal( bvw_contacts_update_compounds( NULL, &good, &room, &r ), bv_error_argument );
	assert_int_equal( bvw_contacts_update_compounds( s.contacts, NULL, &room, &r ), bv_error_argument );
	assert_int_equal( bvw_contacts_update_compounds( s.contacts, &good, NULL, &r ), bv_error_argument );
	assert_int_equal( bvw_contacts_update_compounds( s.contacts, &good, &room, NULL ), bv_error_argument );
	assert_int_equal( bvw_contacts_compounds_bytes( NULL, s.compound, 1 ), 0 );
	assert_int_equal( r.touching_count, 1234 );
	assert_memory_equal( before, s.contacts, s.bytes );
	free( before );

	// With a larger block it does.
	bvw_contacts_options larger = { .pairs = 11 };
	size_t bytes = bvw_contacts_bytes( &larger );
	bvw_contacts* copied;
	assert_int_equal(
		bvw_contacts_copy( s.contacts, bvb_arena_allocate( f->arena, bytes, 1 ), bytes, &larger, &copied ),
		bv_ok );
	assert_int_equal( bvw_contacts_update_compounds( copied, cases + 6, &room, &r ), bv_ok );
	assert_int_equal( r.touching_count, 11 );
	kept_model_free( &s.model );
}

// A body of boards slides over a floor of tiles: impulses stay with the points whose tile and board remain.
static void a_body_that_slides_keeps_its_points( void** state )
{
	fixture* f = *state;
	scene s = { .f = f };
	bv_aabb tile[64];
	bv_aabb foot[4];
	for ( int i = 0; i < 64; ++i )
	{
		tile[i] = ( bv_aabb ){ { i % 8, i / 8, -1 }, { i % 8 + 1, i / 8 + 1, 0 } };
	}
	for ( int i = 0; i < 4; ++i )
	{
		double x = 0.125 + 2 * ( i % 2 );
		double y = 0.125 + 2 * ( i / 2 );
		foot[i] = ( bv_aabb ){ { x, y, 0 }, { x + 0.25, y + 0.25, 1 } };
	}
	s.compound[0] = bv_compound_of_parts( file_of_boxes( f, tile, 64 ) );
	s.compound[1] = bv_compound_of_parts( file_of_boxes( f, foot, 4 ) );
	begin_contacts( &s, 64 );
	bv_compound_room room = room_of( f, s.compound, s.compound + 1, 64, 64 );
	for ( int k = 0; k < 8; ++k )
	{
		step( &s, NULL );
		// All feet are within tiles until they are at the next one.
		bvw_compounds pair = {
			0, 1, { s.compound, s.compound + 1 }, bv_transform_translation( k / 16.0, 0.25, -0.001 ), NULL
		};
		bvw_compounds_report r;
		assert_int_equal( bvw_contacts_update_compounds( s.contacts, &pair, &room, &r ), bv_ok );
		assert_int_equal( r.touching_count, 4 );
		assert_int_equal( r.begun_count, k == 0 ? 4 : 0 );
		assert_int_equal( r.ended_count, 0 );
		for ( uint32_t i = 0; i < 4; ++i )
		{
			bvw_contact_pair* c = bvw_contacts_at( s.contacts, r.touching[i] );
			assert_int_equal( c->manifold.count, 4 );
			for ( int n = 0; n < 4; ++n )
			{
				assert_true( c->data[n][0] == k );
				assert_true( c->point_since[n] == 1 );
				c->data[n][0] += 1;
			}
		}
	}
	kept_model_free( &s.model );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( updates_are_those_of_the_model ),
		fixture_test( errors_change_nothing ),
		fixture_test( a_body_that_slides_keeps_its_points ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
