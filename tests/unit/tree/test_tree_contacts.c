// Contacts of convex shapes and meshes: on flat meshes no normal is another than that of the plane, and the deepest contact is as
// deep as the shape's lowest point.

#include "flat_meshes.h"

enum
{
	capacity = 16,
	triangles_near = 6000,
};

typedef struct contacts
{
	bv_mesh_manifold manifold[capacity];
	bv_mesh_contacts_result result;
} contacts;

static void* scratch;

static void find( const flat_surface* s, const bv_transform* at, const bv_convex* shape,
                  const bv_mesh_contacts_options* options, contacts* out )
{
	const bv_placed_mesh meshes[2] = { { s->file[0], at }, { s->file[1], at } };
	const bv_mesh_contacts_room room = { out->manifold, capacity, scratch,
		                                 BV_MESH_CONTACTS_SCRATCH( triangles_near ) };
	assert_int_equal( bv_meshes_contacts_convex( meshes, s->files, shape, options, &room, &out->result ),
	                  bv_ok );
}

// A convex shape and what it is.
typedef struct sliding_shape
{
	bv_convex shape;
	slider kind;
} sliding_shape;

static void step( const flat_surface* s, const void* body, const bv_transform* turn, double x, double y,
                  double height, double speculative, slide_counts* c )
{
	const sliding_shape* b = body;
	contacts found;
	double lowest = lowest_of( &b->shape, b->kind, direction_of( turn, ( bv_vec3 ){ 0, 0, 1 } ) );
	slide_place place = slide_to( turn, x, y, height, speculative, lowest );
	bv_mesh_contacts_options o = { .speculative = speculative };
	find( s, &place.at, &b->shape, &o, &found );
	count_contacts( found.manifold, found.result.count, &place, c );
}

static void shapes_that_slide_over_flat_meshes_have_no_other_normals( void** state )
{
	fixture* f = *state;
	uint32_t steps = is_thorough() ? 1000000 / 20 : 800;
	scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	for ( int kind = 0; kind < flat_kinds; ++kind )
	{
		flat_surface s = make_flat( f, (flat_kind)kind );
		for ( int k = 0; k < sliders; ++k )
		{
			bv_vec3 corners[hull_corners];
			sliding_shape body = { make_slider( f, (slider)k, corners ), (slider)k };
			slide_counts c = { 0 };
			slide( f, &s, &body, step, steps, 6, &c );
			expect_no_ghosts( slider_names[k], flat_names[kind], &c );
		}
	}
	free( scratch );
}

// All of a result that callers see.
static bool are_equal( const contacts* a, const contacts* b )
{
	bool equal = memcmp( &a->result, &b->result, sizeof a->result ) == 0;
	for ( uint32_t i = 0; equal && i < a->result.count; ++i )
	{
		const bv_mesh_manifold* m = a->manifold + i;
		const bv_mesh_manifold* n = b->manifold + i;
		equal = m->count == n->count && memcmp( m->contact, n->contact, m->count * sizeof *m->contact ) == 0;
	}
	return equal;
}

static void memory_of_the_size_promised_is_enough_and_less_changes_nothing( void** state )
{
	fixture* f = *state;
	flat_surface s = make_flat( f, flat_regular );
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0.1, 0.1, 0.4 }, 0.5 );
	contacts first;
	contacts other;
	memset( &first, 0, sizeof first );
	scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	find( &s, NULL, &ball, NULL, &first );
	free( scratch );
	assert_true( first.result.triangles > 4 && first.result.count == 1 );
	size_t enough = BV_MESH_CONTACTS_SCRATCH( first.result.triangles );
	for ( size_t bytes = 0; bytes <= enough; bytes += enough / 16 )
	{
		void* memory = malloc( bytes + 1 );
		memset( &other, 0x5a, sizeof other );
		contacts before = other;
		const bv_mesh_contacts_room room = { other.manifold, capacity, memory, bytes };
		bv_status status = bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, &room, &other.result );
		assert_true( status == bv_ok
		                 ? are_equal( &first, &other )
		                 : status == bv_error_memory && memcmp( &before, &other, sizeof other ) == 0 );
		assert_true( status == bv_ok || bytes < enough );
		free( memory );
	}
}

static void errors_are_reported( void** state )
{
	fixture* f = *state;
	flat_surface s = make_flat( f, flat_regular );
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 0.5 );
	bv_convex floor = bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, 0 );
	contacts c;
	double memory[BV_MESH_CONTACTS_SCRATCH( 100 ) / sizeof( double )];
	const bv_mesh_contacts_room room = { c.manifold, capacity, memory, sizeof memory };
	const bv_mesh_contacts_room none = { c.manifold, 0, memory, sizeof memory };
	const bv_mesh_contacts_room odd = { c.manifold, capacity, (char*)memory + 4, sizeof memory - 4 };
	const bv_mesh_contacts_options wrong[3] = { { .speculative = -1 },
		                                        { .tolerance = NAN },
		                                        { .sides = bv_mesh_side_kinds } };
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, &room, &c.result ), bv_ok );
	assert_int_equal( bv_mesh_contacts_convex( NULL, NULL, &ball, NULL, &room, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, NULL, NULL, &room, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &floor, NULL, &room, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, NULL, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, &none, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, &odd, &c.result ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, NULL, &room, NULL ),
	                  bv_error_argument );
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bv_mesh_contacts_convex( s.file[0], NULL, &ball, wrong + i, &room, &c.result ),
		                  bv_error_argument );
	}
	assert_int_equal( bv_meshes_contacts_convex( NULL, 0, &ball, NULL, &room, &c.result ), bv_ok );
	assert_int_equal( c.result.count, 0 );
}

// A ball whose middle is below the plane: pushed up, ignored, and pushed down.
static void shapes_behind_are_pushed_to_the_side_of_the_option( void** state )
{
	fixture* f = *state;
	flat_surface s = make_flat( f, flat_regular );
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0.1, 0.2, -0.3 }, 0.5 );
	const double expected[bv_mesh_side_kinds] = { -0.8, 0, -0.2 };
	scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	for ( int sides = 0; sides < bv_mesh_side_kinds; ++sides )
	{
		contacts c;
		bv_mesh_contacts_options o = { .sides = (bv_mesh_sides)sides };
		find( &s, NULL, &ball, &o, &c );
		assert_int_equal( c.result.count, sides == bv_mesh_front_only ? 0 : 1 );
		for ( uint32_t i = 0; i < c.result.count; ++i )
		{
			assert_true( fabs( c.manifold[0].normal.z - ( sides == bv_mesh_both ? -1 : 1 ) ) < 1e-12 );
			assert_true( fabs( c.manifold[0].contact[0].at.separation - expected[sides] ) < 1e-9 );
		}
	}
	free( scratch );
}

// Two balls in the corner between a floor and a wall have both normals; on the outer edge of a block the one between them.
static void edges_have_the_normals_of_their_faces_or_those_between_them( void** state )
{
	fixture* f = *state;
	flat_builder b = begin_flat( f );
	add_block( &b, -1, -1, 2, 2, 1, 1 );
	const bv_file* block = file_of_flat( f, &b );
	flat_surface s = { { block, NULL }, 1 };
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 1.3, 0, 0.3 }, 0.5 );
	contacts c;
	scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	find( &s, NULL, &ball, NULL, &c );
	assert_int_equal( c.result.count, 1 );
	assert_true( fabs( c.manifold[0].normal.x - sqrt( 0.5 ) ) < 1e-9 &&
	             fabs( c.manifold[0].normal.z - sqrt( 0.5 ) ) < 1e-9 );
	assert_true( fabs( c.manifold[0].contact[0].at.separation - ( 0.3 * sqrt( 2 ) - 0.5 ) ) < 1e-9 );
	bvb_asset_options options = plain_options();
	// The inside of a block that is turned inside out is a room with a floor and walls.
	for ( uint32_t i = 0; i < b.count; ++i )
	{
		uint32_t moved = b.mesh.triangles[i].corner[1];
		b.mesh.triangles[i].corner[1] = b.mesh.triangles[i].corner[2];
		b.mesh.triangles[i].corner[2] = moved;
	}
	s.file[0] = build_file( f, &b.mesh, &options );
	ball = bv_convex_sphere( ( bv_vec3 ){ 0.6, 0, -0.55 }, 0.48 );
	find( &s, NULL, &ball, NULL, &c );
	assert_int_equal( c.result.count, 2 );
	assert_true( fabs( c.manifold[0].normal.x + 1 ) < 1e-9 &&
	             fabs( c.manifold[0].contact[0].at.separation + 0.08 ) < 1e-9 );
	assert_true( fabs( c.manifold[1].normal.z - 1 ) < 1e-9 &&
	             fabs( c.manifold[1].contact[0].at.separation + 0.03 ) < 1e-9 );
	free( scratch );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( shapes_that_slide_over_flat_meshes_have_no_other_normals,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( memory_of_the_size_promised_is_enough_and_less_changes_nothing,
		                                 fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( errors_are_reported, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( shapes_behind_are_pushed_to_the_side_of_the_option, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( edges_have_the_normals_of_their_faces_or_those_between_them,
		                                 fixture_setup, fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
