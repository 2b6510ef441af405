// Contacts of meshes with meshes: over flat meshes no normal is another than that of the plane; the least separation of meshes that
// are apart is their distance; that of convex meshes is the signed distance of convex shapes.

#include "mesh_riders.h"

static double lowest_of_mesh( const bv_file* file, bv_vec3 up )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		least = fmin( least, dot( bv_file_get_vertex( file, i ), up ) );
	}
	return least;
}

static void step( const flat_surface* s, const void* body, const bv_transform* turn, double x, double y,
                  double height, double speculative, slide_counts* c )
{
	contacts found;
	double lowest = lowest_of_mesh( body, direction_of( turn, ( bv_vec3 ){ 0, 0, 1 } ) );
	slide_place place = slide_to( turn, x, y, height, speculative, lowest );
	bv_mesh_contacts_mesh_options o = { .speculative = speculative, .depth = 0.15 };
	find( s, &place.at, body, &o, &found );
	count_contacts( found.manifold, found.result.count, &place, c );
	c->unresolved += found.result.unresolved > 0;
}

// The L reaches three units from where it is.
static void meshes_that_slide_over_flat_meshes_have_no_other_normals( void** state )
{
	fixture* f = *state;
	uint32_t steps = is_thorough() ? 200000 / 20 : 200;
	for ( int kind = 0; kind < flat_kinds; ++kind )
	{
		flat_surface s = make_flat( f, (flat_kind)kind );
		for ( int k = 0; k < riders; ++k )
		{
			bvb_mesh mesh = make_rider( f, (rider)k );
			slide_counts c = { 0 };
			slide( f, &s, plain_file( f, &mesh ), step, steps, 4, &c );
			expect_no_ghosts( rider_names[k], flat_names[kind], &c );
		}
	}
}

// Soups are open, and each triangle has borders: all kinds of features are nearest.
static void the_least_separation_of_soups_that_are_apart_is_their_distance( void** state )
{
	fixture* f = *state;
	uint32_t wrong = 0;
	uint32_t found = 0;
	for ( int round = 0; round < ( is_thorough() ? 5000 : 300 ); ++round )
	{
		bvb_mesh mesh[2] = { random_soup( f, 1 + (uint32_t)( 30 * random_unit( f ) ), random_around( f ) ),
			                 random_soup( f, 1 + (uint32_t)( 30 * random_unit( f ) ), random_around( f ) ) };
		flat_surface s = { { plain_file( f, mesh ) }, 1 };
		const bv_file* body = plain_file( f, mesh + 1 );
		bv_vec3 far = plus( ( bv_vec3 ){ 0, 0, 0 }, 3, random_around( f ) );
		bv_transform at = random_transform( f, 0.5 + random_unit( f ), random_unit( f ) < 0.5, far );
		bv_distance_result exact;
		assert_int_equal( bv_mesh_distance( body, s.file[0], &at, NULL, &exact ), bv_ok );
		if ( exact.distance < 1e-3 )
		{
			continue;
		}
		contacts c;
		// Needles of soups are 1e-5 wide: wider than the tolerance.
		bv_mesh_contacts_mesh_options o = { 1.01 * exact.distance, 0, 1e-9, bv_mesh_both };
		find( &s, &at, body, &o, &c );
		bv_vec3 normal = { 0, 0, 0 };
		double least = least_of( &c, &normal );
		bv_vec3 way = minus( exact.a.point, exact.b.point );
		wrong += !( fabs( least - exact.distance ) < 1e-9 ) ||
		         !( dot( normal, way ) > ( 1 - 1e-9 ) * exact.distance );
		found += 1;
	}
	printf( "%u of %u wrong\n", wrong, found );
	assert_int_equal( wrong, 0 );
	assert_true( found > 100 );
}

typedef struct polytope
{
	bv_vec3 corner[40];
	const bv_file* file;
	bv_convex shape;
} polytope;

static void make_polytope( fixture* f, uint32_t count, polytope* out )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = random_around( f );
		p = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( p ), p );
		out->corner[i] = ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
	}
	bvb_hull hull;
	assert_int_equal( bvb_hull_compute( out->corner, count, f->arena, &hull, NULL ), bv_ok );
	assert_int_equal( hull.vertex_count, count ); // points of a sphere
	bvb_mesh mesh = { out->corner, hull.faces, count, hull.face_count, NULL };
	out->file = plain_file( f, &mesh );
	out->shape = bv_convex_points( out->corner, count, 0 );
}

// Where two convex meshes overlap a little or not at all, the contact that is least separated is that of the convex shapes.
static void the_least_separation_of_convex_meshes_is_their_signed_distance( void** state )
{
	fixture* f = *state;
	uint32_t wrong = 0;
	uint32_t turned = 0;
	uint32_t found = 0;
	for ( int round = 0; round < ( is_thorough() ? 20000 : 400 ); ++round )
	{
		polytope p[2];
		make_polytope( f, 4 + (uint32_t)( 30 * random_unit( f ) ), p );
		make_polytope( f, 4 + (uint32_t)( 30 * random_unit( f ) ), p + 1 );
		flat_surface s = { { p[0].file }, 1 };
		double scale = 0.5 + random_unit( f );
		bv_transform at = random_transform( f, scale, random_unit( f ) < 0.5,
		                                    plus( ( bv_vec3 ){ 0, 0, 0 }, 4, random_around( f ) ) );
		bv_convex_result r;
		assert_int_equal( bv_convex_distance( &p[1].shape, &p[0].shape, &at, NULL, &r ), bv_ok );
		if ( r.lower < 1e-3 )
		{
			continue;
		}
		double target = ( random_unit( f ) - 0.6 ) * pow( 10, -2 - 4 * random_unit( f ) );
		at.pose.translation = plus( at.pose.translation, target - r.lower, r.normal );
		assert_int_equal( bv_convex_distance( &p[1].shape, &p[0].shape, &at, NULL, &r ), bv_ok );
		contacts c;
		// Features nearer to each other than the tolerance are not told apart: then depths and normals are those of a neighbor.
		bool is_fine = round % 2 == 0;
		bv_mesh_contacts_mesh_options o = { .speculative = 0.01, .depth = 0.05 };
		o.tolerance = is_fine ? 1e-9 : 0;
		find( &s, &at, p[1].file, &o, &c );
		bv_vec3 normal = { 0, 0, 0 };
		double least = least_of( &c, &normal );
		bool is_equal = fabs( least - r.lower ) < ( is_fine ? 1e-6 : 2e-4 );
		wrong += !is_equal;
		turned += is_equal && is_fine && fabs( r.lower ) > 1e-5 && !( dot( normal, r.normal ) < -1 + 1e-6 );
		found += 1;
	}
	printf( "%u of %u wrong, %u turned\n", wrong, found, turned );
	assert_int_equal( wrong, 0 );
	assert_int_equal( turned, 0 );
	assert_true( found > 100 );
}

static const bv_file* file_of_cubes( fixture* f, const int lower[3], const int upper[3] )
{
	cubes c = { 0 };
	fill_cubes( &c, lower, upper, true );
	bvb_mesh mesh = surface_of_cubes( f, &c );
	return plain_file( f, &mesh );
}

// @return how many contacts have a normal and a separation. Positions are stored in binary32
static uint32_t count_along( const contacts* c, bv_vec3 normal, double separation )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < c->result.count; ++i )
	{
		for ( uint32_t k = 0; k < c->manifold[i].count; ++k )
		{
			const bv_mesh_contact* p = c->manifold[i].contact + k;
			count +=
				length( minus( p->normal, normal ) ) < 2e-5 && fabs( p->at.separation - separation ) < 1e-7;
		}
	}
	return count;
}

// All corners of the upper cube are above those of the lower one, so that each is on two more planes of the other cube.
static void cubes_whose_sides_are_in_line_touch_at_four_corners( void** state )
{
	fixture* f = *state;
	const bv_file* cube = file_of_cubes( f, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 1, 1, 1 } );
	flat_surface s = { { cube }, 1 };
	static const double aside[5] = { 0, 1e-12, -1e-12, 1e-8, -1e-8 };
	static const double apart[4] = { 0, 1e-3, -1e-3, -0.01 };
	for ( int i = 0; i < 5 * 5 * 4; ++i )
	{
		double height = apart[i % 4];
		bv_transform at = bv_transform_translation( aside[i / 4 % 5], aside[i / 20], -1 - height );
		bv_mesh_contacts_mesh_options o = { .speculative = 0.01, .depth = 0.1 };
		contacts c;
		find( &s, &at, cube, &o, &c );
		assert_int_equal( c.result.count, 1 );
		assert_int_equal( c.manifold[0].count, 4 );
		assert_int_equal( count_along( &c, ( bv_vec3 ){ 0, 0, 1 }, height ), 4 );
		double area = 0;
		for ( int k = 0; k < 4; ++k )
		{
			area +=
				length( minus( c.manifold[0].contact[k].at.position, c.manifold[0].contact[0].at.position ) );
		}
		assert_true( fabs( area - 2 - sqrt( 2 ) ) < 1e-6 );
	}
}

// A cube in the corner between a floor and two walls has one manifold for each of them.
static void cubes_in_a_corner_touch_all_of_its_faces( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 4, 4, 4 }, true );
	fill_cubes( &c, ( int[3] ){ 1, 1, 1 }, ( int[3] ){ 4, 4, 4 }, false );
	bvb_mesh mesh = surface_of_cubes( f, &c );
	flat_surface s = { { plain_file( f, &mesh ) }, 1 };
	const bv_file* cube = file_of_cubes( f, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 1, 1, 1 } );
	bv_mesh_contacts_mesh_options o = { .speculative = 0.02, .depth = 0.1 };
	for ( int i = 0; i < 27; ++i )
	{
		static const double apart[3] = { 0.01, -0.01, -0.02 };
		bv_vec3 d = { apart[i % 3], apart[i / 3 % 3], apart[i / 9] };
		bv_transform at = bv_transform_translation( -1 - d.x, -1 - d.y, -1 - d.z );
		contacts found;
		find( &s, &at, cube, &o, &found );
		assert_int_equal( found.result.count, 3 );
		assert_true( count_along( &found, ( bv_vec3 ){ 1, 0, 0 }, d.x ) >= 3 );
		assert_true( count_along( &found, ( bv_vec3 ){ 0, 1, 0 }, d.y ) >= 3 );
		assert_true( count_along( &found, ( bv_vec3 ){ 0, 0, 1 }, d.z ) >= 3 );
		assert_int_equal( found.result.unresolved, 0 );
	}
}

// Between two shelves a cube is behind the upper one's top, but it only touches the lower one.
static void what_is_behind_another_surface_has_no_contacts( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 6, 6, 1 }, true );
	fill_cubes( &c, ( int[3] ){ 0, 0, 2 }, ( int[3] ){ 6, 6, 3 }, true );
	fill_cubes( &c, ( int[3] ){ 0, 0, 1 }, ( int[3] ){ 1, 6, 2 }, true );
	bvb_mesh mesh = surface_of_cubes( f, &c );
	flat_surface s = { { plain_file( f, &mesh ) }, 1 };
	bvb_mesh small = box_mesh( f, 0.5, 0.5, 0.5 );
	const bv_file* box = plain_file( f, &small );
	bv_transform at = bv_transform_translation( -3, -3, -0.99 );
	bv_mesh_contacts_mesh_options o = { .depth = 2 };
	contacts found;
	find( &s, &at, box, &o, &found );
	assert_int_equal( count_all( &found ), 4 );
	assert_int_equal( count_along( &found, ( bv_vec3 ){ 0, 0, 1 }, -0.01 ), 4 );
}

// A rod through a plate has no vertex inside of it and overlaps none of its edges.
static void what_goes_through_is_reported_as_unresolved( void** state )
{
	fixture* f = *state;
	bvb_mesh plate_mesh = box_mesh( f, 4, 4, 0.1 );
	bvb_mesh rod_mesh = box_mesh( f, 0.2, 0.2, 4 );
	flat_surface s = { { plain_file( f, &plate_mesh ) }, 1 };
	const bv_file* rod = plain_file( f, &rod_mesh );
	bv_transform at = bv_transform_translation( -2, -2, 2 );
	contacts found;
	find( &s, &at, rod, NULL, &found );
	assert_true( found.result.unresolved > 0 );
	assert_int_equal( count_all( &found ), 0 );
	at.pose.translation.z = 6;
	find( &s, &at, rod, NULL, &found );
	assert_int_equal( found.result.unresolved, 0 );
	// The tip is 0.05 below the plate: deeper than the plate is thick, but it crosses the plate's face.
	at.pose.translation.z = -0.1 + 0.15;
	bv_mesh_contacts_mesh_options o = { .depth = 0.2 };
	find( &s, &at, rod, &o, &found );
	assert_int_equal( found.result.unresolved, 0 );
	assert_int_equal( count_along( &found, ( bv_vec3 ){ 0, 0, 1 }, -0.15 ), 4 );
}

// The same contacts with the roles of both meshes exchanged, and when both are moved.
static void contacts_do_not_depend_on_the_order_or_the_place_of_meshes( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < ( is_thorough() ? 2000 : 60 ); ++round )
	{
		bvb_mesh mesh[2] = { make_rider( f, (rider)( random_bits( f ) % riders ) ),
			                 make_rider( f, (rider)( random_bits( f ) % riders ) ) };
		const bv_file* file[2] = { plain_file( f, mesh ), plain_file( f, mesh + 1 ) };
		bv_transform at =
			random_transform( f, 1, false, plus( ( bv_vec3 ){ 0, 0, 0 }, 6, random_around( f ) ) );
		bv_distance_result d;
		assert_int_equal( bv_mesh_distance( file[1], file[0], &at, NULL, &d ), bv_ok );
		if ( d.distance < 0.01 )
		{
			continue;
		}
		bv_vec3 way = minus( d.a.point, d.b.point );
		at.pose.translation =
			plus( at.pose.translation, 1 + ( random_unit( f ) - 0.5 ) * 0.02 / d.distance, way );
		bv_mesh_contacts_mesh_options o = { .speculative = 0.02, .depth = 0.03, .tolerance = 1e-6 };
		bv_transform back = bv_transform_inverse( &at );
		flat_surface s = { { file[0] }, 1 };
		flat_surface exchanged = { { file[1] }, 1 };
		contacts one;
		contacts other;
		find( &s, &at, file[1], &o, &one );
		find( &exchanged, &back, file[0], &o, &other );
		bv_vec3 normal[2];
		double least = least_of( &one, normal );
		double same = least_of( &other, normal + 1 );
		assert_true( fabs( least - same ) < 1e-9 || least == same );
		assert_int_equal( one.result.unresolved, other.result.unresolved );
	}
}

static void memory_that_is_not_enough_changes_nothing( void** state )
{
	fixture* f = *state;
	flat_surface s = make_flat( f, flat_regular );
	bvb_mesh mesh = bumpy_ball( f, 9 );
	const bv_file* body = plain_file( f, &mesh );
	double lowest = lowest_of_mesh( body, ( bv_vec3 ){ 0, 0, 1 } );
	bv_transform at = bv_transform_translation( 0, 0, lowest + 0.01 );
	contacts first;
	contacts other;
	memset( &first, 0, sizeof first );
	find( &s, &at, body, NULL, &first );
	assert_true( first.result.pairs > 4 && first.result.count == 1 );
	size_t enough = BV_MESH_CONTACTS_MESH_SCRATCH( first.result.pairs );
	for ( size_t bytes = 0; bytes <= enough; bytes += 8 + enough / 999 )
	{
		void* memory = malloc( bytes + 1 );
		memset( &other, 0x5a, sizeof other );
		contacts before = other;
		const bv_mesh_contacts_room room = { other.manifold, capacity, memory, bytes };
		bv_status status = bv_mesh_contacts_mesh( s.file[0], &at, body, NULL, &room, &other.result );
		assert_true( status == bv_ok
		                 ? memcmp( first.manifold[0].contact, other.manifold[0].contact,
		                           first.manifold[0].count * sizeof *first.manifold[0].contact ) == 0
		                 : status == bv_error_memory && memcmp( &before, &other, sizeof other ) == 0 );
		assert_true( status == bv_ok || bytes < enough );
		free( memory );
	}
}

// A corner that is about 1e-8 of a side away from a face, an edge or a corner: the way is known to 1e-8 of itself.
static void normals_of_what_nearly_touches_have_length_1( void** state )
{
	fixture* f = *state;
	uint32_t count = 0;
	for ( int round = 0; round < 2000; ++round )
	{
		bvb_mesh mesh[2] = { soup_create( f, 1 ), soup_create( f, 1 ) };
		for ( int k = 0; k < 3; ++k )
		{
			mesh[0].positions[k] = random_around( f );
			mesh[1].positions[k] = random_around( f );
		}
		// Float positions, so that the corner is where it is to the last bit.
		bv_vec3 corner = mesh[0].positions[round % 3];
		bv_vec3 start = { (float)corner.x, (float)corner.y, (float)corner.z };
		mesh[1].positions[0] = start;
		flat_surface s = { { plain_file( f, mesh ) }, 1 };
		bv_vec3 way = bv_scale( 1e-8, random_around( f ) );
		bv_transform at = bv_transform_translation( way.x, way.y, way.z );
		bv_mesh_contacts_mesh_options o = { .speculative = 0.1, .tolerance = 1e-12 };
		contacts c;
		find( &s, &at, plain_file( f, mesh + 1 ), &o, &c );
		for ( uint32_t i = 0; i < c.result.count; ++i )
		{
			for ( uint32_t k = 0; k < c.manifold[i].count; ++k )
			{
				assert_true( fabs( length( c.manifold[i].contact[k].normal ) - 1 ) < 1e-12 );
				++count;
			}
		}
	}
	assert_true( count > 100 );
}

static void errors_are_reported( void** state )
{
	fixture* f = *state;
	flat_surface s = make_flat( f, flat_regular );
	bvb_mesh mesh = icosahedron( f );
	const bv_file* body = plain_file( f, &mesh );
	static double memory[1 << 20];
	contacts c;
	const bv_mesh_contacts_room room = { c.manifold, capacity, memory, sizeof memory };
	const bv_mesh_contacts_room none = { c.manifold, 0, memory, sizeof memory };
	const bv_mesh_contacts_room odd = { c.manifold, capacity, (char*)memory + 4, sizeof memory - 4 };
	const bv_mesh_contacts_mesh_options wrong[4] = {
		{ .speculative = -1 }, { .tolerance = NAN }, { .depth = INFINITY }, { .sides = bv_mesh_side_kinds }
	};
	bv_transform invalid = bv_transform_translation( NAN, 0, 0 );
	const bv_file* mesh_file = s.file[0];
	memset( &c, 0x5a, sizeof c );
	contacts before = c;
	assert_int_equal( bv_mesh_contacts_mesh( NULL, NULL, body, NULL, &room, &c.result ), bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, NULL, NULL, &room, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, body, NULL, NULL, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, body, NULL, &none, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, body, NULL, &odd, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, body, NULL, &room, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_contacts_mesh( mesh_file, &invalid, body, NULL, &room, &c.result ),
	                  bv_error_argument );
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( bv_mesh_contacts_mesh( mesh_file, NULL, body, wrong + i, &room, &c.result ),
		                  bv_error_argument );
	}
	assert_memory_equal( &before, &c, sizeof c );
	assert_int_equal( bv_meshes_contacts_mesh( NULL, 0, body, NULL, &room, &c.result ), bv_ok );
	assert_int_equal( c.result.count + c.result.pairs, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( meshes_that_slide_over_flat_meshes_have_no_other_normals,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( the_least_separation_of_soups_that_are_apart_is_their_distance,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( the_least_separation_of_convex_meshes_is_their_signed_distance,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( cubes_whose_sides_are_in_line_touch_at_four_corners, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( cubes_in_a_corner_touch_all_of_its_faces, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_is_behind_another_surface_has_no_contacts, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_goes_through_is_reported_as_unresolved, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( contacts_do_not_depend_on_the_order_or_the_place_of_meshes,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( memory_that_is_not_enough_changes_nothing, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( normals_of_what_nearly_touches_have_length_1, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( errors_are_reported, fixture_setup, fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
