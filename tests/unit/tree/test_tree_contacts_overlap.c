// Contacts of meshes in random placements against whether their triangles meet: what overlaps has contacts that lead out, or is
// reported as unresolved; what is apart has no depth.

#include "mesh_riders.h"

// Moves a mesh so that it is this far from another one, or in it if the distance is negative.
static bool bring_near( const bv_file* mesh, const bv_file* body, double distance, bv_transform* at )
{
	bv_distance_result d;
	assert_int_equal( bv_mesh_distance( body, mesh, at, NULL, &d ), bv_ok );
	bv_vec3 way = minus( d.a.point, d.b.point );
	at->pose.translation = plus( at->pose.translation, 1 - distance / d.distance, way );
	return d.distance > 0.01;
}

static void find_random( fixture* f, bool turned, double reach, double distance, double depth, contacts* out,
                         uint64_t* crossing )
{
	bvb_mesh mesh[2] = { make_rider( f, (rider)( random_bits( f ) % riders ) ),
		                 make_rider( f, (rider)( random_bits( f ) % riders ) ) };
	const bv_file* file[2] = { plain_file( f, mesh ), plain_file( f, mesh + 1 ) };
	flat_surface s = { { file[0] }, 1 };
	bv_mesh_contacts_mesh_options o = { .speculative = 0.02, .depth = depth };
	bv_collide_result c;
	bv_transform at;
	do
	{
		bv_vec3 d = plus( ( bv_vec3 ){ 0, 0, 0 }, reach, random_around( f ) );
		at = turned ? random_transform( f, 1, false, d ) : bv_transform_translation( d.x, d.y, d.z );
	} while ( distance < 0.01 && !bring_near( file[0], file[1], distance, &at ) );
	assert_int_equal( bv_mesh_collide( file[1], file[0], &at, NULL, &c ), bv_ok );
	find( &s, &at, file[1], &o, out );
	*crossing = c.pairs;
}

// A corner that is not deep says nothing of those beside it that are deeper.
static void what_no_contact_leads_out_is_reported_as_unresolved( void** state )
{
	fixture* f = *state;
	uint32_t deep = 0;
	for ( int round = 0; round < ( is_thorough() ? 5000 : 200 ); ++round )
	{
		contacts found;
		uint64_t crossing;
		find_random( f, true, 1.5, INFINITY, 0.03, &found, &crossing );
		deep += crossing > 0 && count_all( &found ) == 0;
		assert_true( crossing == 0 || count_all( &found ) > 0 || found.result.unresolved > 0 );
	}
	assert_true( deep > 20 );
}

// One translation by less than the depth separates them.
static void what_contacts_lead_out_is_resolved( void** state )
{
	fixture* f = *state;
	uint32_t unresolved = 0;
	int rounds = is_thorough() ? 5000 : 200;
	for ( int round = 0; round < rounds; ++round )
	{
		contacts found;
		uint64_t crossing;
		find_random( f, true, 6, -0.02, 0.1, &found, &crossing );
		assert_true( crossing > 0 && count_all( &found ) > 0 );
		unresolved += found.result.unresolved > 0;
	}
	assert_true( 50 * unresolved <= (uint32_t)rounds );
}

// At a gap below the millionth part of the size, too, where edges and faces of both are parallel.
static void meshes_that_are_apart_have_no_depth( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < ( is_thorough() ? 5000 : 200 ); ++round )
	{
		static const double gaps[3] = { 1e-8, 1e-7, 4e-7 };
		contacts found;
		uint64_t crossing;
		bv_vec3 normal = { 0, 0, 0 };
		find_random( f, round % 4 == 0, 6, gaps[round % 3], 1, &found, &crossing );
		assert_int_equal( crossing, 0 );
		assert_true( least_of( &found, &normal ) > -1e-9 );
	}
}

// A box is 0.2 in the top of another one. The contact's way is longer than the triangles of two balls elsewhere, which are deep in
// each other: it only moves these triangles deeper.
static void contacts_elsewhere_resolve_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 48 );
	bvb_mesh other_ball = moved( f, &ball, ( bv_vec3 ){ 0.4, 0, 0.4 } );
	bvb_mesh floor_box = box_mesh( f, 2, 2, 1 );
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	floor_box = moved( f, &floor_box, ( bv_vec3 ){ 8, -1, -1 } );
	box = moved( f, &box, ( bv_vec3 ){ 8.5, -0.5, -0.2 } );
	bvb_mesh fixed = joined( f, &ball, &floor_box );
	bvb_mesh body = joined( f, &other_ball, &box );
	flat_surface s = { { plain_file( f, &fixed ) }, 1 };
	bv_transform at = bv_transform_identity();
	bv_mesh_contacts_mesh_options o = { .depth = 0.25 };
	contacts found;
	find( &s, &at, plain_file( f, &body ), &o, &found );
	bv_vec3 normal = { 0, 0, 0 };
	double least = least_of( &found, &normal );
	assert_true( found.result.count > 0 && least > -0.2 - 1e-6 && least < -0.2 + 1e-6 );
	assert_true( found.result.unresolved > 0 );
}

// The lower side of a box beside the border of an open surface is below it, but not behind it.
static void beside_a_border_is_not_behind_it( void** state )
{
	fixture* f = *state;
	bvb_mesh open = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 2, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 4 );
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	flat_surface s = { { plain_file( f, &open ) }, 1 };
	const bv_file* body = plain_file( f, &box );
	bv_mesh_contacts_mesh_options o = { .speculative = 0.02, .depth = 0.1 };
	for ( int i = 0; i < 10; ++i )
	{
		contacts found;
		bv_transform at = bv_transform_translation( -2.01, -0.5, 0.001 * ( i + 1 ) );
		find( &s, &at, body, &o, &found );
		bv_vec3 normal = { 0, 0, 0 };
		double least = least_of( &found, &normal );
		assert_true( fabs( least - 0.01 ) < 1e-6 && normal.x > 0.999999 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( what_no_contact_leads_out_is_reported_as_unresolved, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_contacts_lead_out_is_resolved, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( meshes_that_are_apart_have_no_depth, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( contacts_elsewhere_resolve_nothing, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( beside_a_border_is_not_behind_it, fixture_setup, fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
