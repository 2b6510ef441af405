// Invalid input of compounds: documented statuses, and results unchanged. Memory that is too small by one byte or one pair.

#include "compounds.h"

typedef struct bodies
{
	bv_convex box;
	bv_convex bad;
	bv_compound a; // a union of eight boxes
	bv_compound b; // a box
	bv_compound of_bad;
	bv_compound none;
	bv_transform at;
} bodies;

static bodies make( fixture* f )
{
	bodies* o = bvb_arena_allocate( f->arena, 1, sizeof *o );
	bv_compound members[8];
	bv_transform places[8];
	o->box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	o->bad = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), -1 );
	for ( int i = 0; i < 8; ++i )
	{
		members[i] = bv_compound_of_shape( &o->box );
		places[i] = bv_transform_translation( 2 * i, 0, 0 );
	}
	o->a = join( f, members, places, 8 );
	o->b = members[0];
	o->of_bad = bv_compound_of_shape( &o->bad );
	o->none = bv_compound_of_parts( NULL );
	o->at = bv_transform_translation( 7, 0, 1.9 );
	return *o;
}

static void joining_checks_what_it_gets( void** state )
{
	fixture* f = *state;
	bodies o = make( f );
	size_t bytes = bv_compound_bytes( &o.a, 1 );
	char* memory = bvb_arena_allocate( f->arena, bytes + 8, 1 );
	const bv_compound before = { .leaves = 1234 };
	bv_compound out = before;
	bv_transform bad[3] = { bv_transform_translation( NAN, 0, 0 ),
		                    bv_transform_translation( 2 * BV_MAX_LENGTH, 0, 0 ),
		                    { .pose = bv_pose_identity(), .scale = 0 } };
	bv_transform far = bv_transform_translation( 0.75 * BV_MAX_LENGTH, 0, 0 );
	bv_compound many = o.a;
	many.leaves = BV_COMPOUND_MAX_LEAVES;
	const bv_compound too_many[2] = { many, o.b };
	assert_int_equal( bv_compound_join( NULL, NULL, 1, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.a, NULL, 0, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.a, NULL, 1, NULL, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.a, NULL, 1, memory + 4, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.a, NULL, 1, memory, bytes, NULL ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.of_bad, NULL, 1, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.none, NULL, 1, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_join( &o.a, NULL, 1, memory, bytes - 1, &out ), bv_error_memory );
	assert_int_equal( bv_compound_join( too_many, NULL, 2, memory, bytes, &out ), bv_error_limit );
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bv_compound_join( &o.b, bad + i, 1, memory, bytes, &out ), bv_error_argument );
	}
	assert_int_equal( bv_compound_bytes( NULL, 1 ), 0 );
	assert_int_equal( bv_compound_bytes( &o.none, 1 ), 0 );
	assert_int_equal( bv_compound_bytes( &o.a, 0 ), 0 );
	assert_int_equal( bv_compound_bytes( too_many, 2 ), 0 );
	assert_memory_equal( &out, &before, sizeof out );

	// Two translations, each of which is in range.
	bv_compound once = join( f, &o.b, &far, 1 );
	assert_int_equal( bv_compound_join( &once, &far, 1, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bv_compound_of_shape( NULL ).leaves, 0 );
	assert_int_equal( bv_compound_join( &o.a, NULL, 1, memory, bytes, &out ), bv_ok );
	assert_int_equal( out.leaves, 8 );
}

static void contacts_check_what_they_get( void** state )
{
	fixture* f = *state;
	bodies o = make( f );
	bv_compound_room good = room_for( f, &o.a, &o.b );
	const bv_compound_contacts_result before = { .count = 1234 };
	bv_compound_contacts_result r = before;
	bv_transform bad[2] = { bv_transform_translation( 0, NAN, 0 ),
		                    bv_transform_translation( 0, 0, -2 * BV_MAX_LENGTH ) };
	const bv_compound_contacts_options wrong[] = {
		{ .speculative = -1 }, { .speculative = NAN }, { .tolerance = -1 }, { .tolerance = INFINITY }
	};
	bv_compound_room rooms[] = { good, good, good, good };
	rooms[0].contacts = NULL;
	rooms[1].capacity = 0;
	rooms[2].scratch = NULL;
	rooms[3].scratch = (char*)good.scratch + 4;
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bv_compound_contacts( &o.a, &o.b, &o.at, NULL, rooms + i, &r ), bv_error_argument );
		assert_int_equal( bv_compound_contacts( &o.a, &o.b, &o.at, wrong + i, &good, &r ),
		                  bv_error_argument );
	}
	assert_int_equal( bv_compound_contacts( NULL, &o.b, &o.at, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, NULL, &o.at, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.none, &o.at, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.of_bad, &o.b, &o.at, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.of_bad, &o.at, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.b, bad, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.b, bad + 1, NULL, &good, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.b, &o.at, NULL, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_compound_contacts( &o.a, &o.b, &o.at, NULL, &good, NULL ), bv_error_argument );
	assert_int_equal( bv_compound_contacts_bytes( &o.none, &o.b, 1 ), 0 );
	assert_int_equal( bv_compound_contacts_bytes( NULL, &o.b, 1 ), 0 );
	assert_memory_equal( &r, &before, sizeof r );
}

static void too_little_scratch_is_told( void** state )
{
	fixture* f = *state;
	bodies o = make( f );
	bv_compound_room room = room_for( f, &o.a, &o.b );
	bv_compound_contacts_result all = find_contacts( &o.a, &o.b, &o.at, NULL, &room );
	assert_int_equal( all.count, 2 );
	for ( uint32_t pairs = 0; pairs <= all.pairs; ++pairs )
	{
		bv_compound_contacts_result r = { .count = 1234 };
		room.scratch_bytes = bv_compound_contacts_bytes( &o.a, &o.b, pairs );
		// Of exactly that size, so that a sanitizer sees what is beyond.
		room.scratch = malloc( room.scratch_bytes );
		bv_status status = bv_compound_contacts( &o.a, &o.b, &o.at, NULL, &room, &r );
		assert_int_equal( status, pairs < all.pairs ? bv_error_memory : bv_ok );
		assert_int_equal( r.count, pairs < all.pairs ? 1234 : 2 );
		room.scratch_bytes -= 1;
		r.count = 1234;
		assert_int_equal( bv_compound_contacts( &o.a, &o.b, &o.at, NULL, &room, &r ), bv_error_memory );
		assert_int_equal( r.count, 1234 );
		free( room.scratch );
	}
}

static void distances_check_what_they_get( void** state )
{
	fixture* f = *state;
	bodies o = make( f );
	size_t bytes = bv_compound_distance_bytes( &o.a, &o.b );
	char* memory = malloc( bytes );
	const bv_compound_distance_result before = { .pair_tests = 1234 };
	bv_compound_distance_result r = before;
	bv_transform bad = bv_transform_translation( 0, NAN, 0 );
	bv_convex_cache cache = { .count = 0 };
	bv_convex_options wrong[] = { { .cache = &cache }, { .tolerance = -1 } };
	assert_int_equal( bv_compound_distance( NULL, &o.b, NULL, NULL, memory, bytes, &r ), bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.none, NULL, NULL, memory, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.of_bad, &o.b, NULL, NULL, memory, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, &bad, NULL, memory, bytes, &r ), bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, NULL, NULL, bytes, &r ), bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, NULL, memory + 4, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, NULL, memory, bytes, NULL ),
	                  bv_error_argument );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, NULL, memory, bytes - 1, &r ),
	                  bv_error_memory );
	for ( int i = 0; i < 2; ++i )
	{
		assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, wrong + i, memory, bytes, &r ),
		                  bv_error_argument );
	}
	assert_memory_equal( &r, &before, sizeof r );
	assert_int_equal( bv_compound_distance( &o.a, &o.b, NULL, NULL, memory, bytes, &r ), bv_ok );
	free( memory );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( joining_checks_what_it_gets ),
		fixture_test( contacts_check_what_they_get ),
		fixture_test( too_little_scratch_is_told ),
		fixture_test( distances_check_what_they_get ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
