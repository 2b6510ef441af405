// Contacts of convex shapes and meshes: on flat meshes no normal is another than that of the plane, and the deepest contact is as
// deep as the shape's lowest point.

#include "flat_meshes.h"

#include <stdio.h>

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

static bv_vec3 direction_of( const bv_transform* t, bv_vec3 v )
{
	return minus( placed( t, v ), t->pose.translation );
}

typedef struct counts
{
	uint32_t ghosts;
	uint32_t missed;
	uint32_t wrong_depths;
	uint32_t off;
	uint32_t contacts;
} counts;

// One step: the shape is at a place of the plane and has its lowest point at a height.
static void step( const flat_surface* s, const bv_convex* shape, slider kind, const bv_transform* turn,
                  double x, double y, double height, double speculative, counts* c )
{
	contacts found;
	bv_vec3 up = direction_of( turn, ( bv_vec3 ){ 0, 0, 1 } );
	double lowest = lowest_of( shape, kind, up );
	bv_transform at = *turn;
	bv_vec3 corner = direction_of( turn, ( bv_vec3 ){ -x, -y, 0 } );
	// The plane is at the height of the lowest point, less the height.
	at.pose.translation = plus( corner, lowest - height, up );
	bv_mesh_contacts_options o = { .speculative = speculative };
	find( s, &at, shape, &o, &found );
	double least = INFINITY;
	for ( uint32_t i = 0; i < found.result.count; ++i )
	{
		const bv_mesh_manifold* m = found.manifold + i;
		for ( uint32_t k = 0; k < m->count; ++k )
		{
			const bv_mesh_contact* p = m->contact + k;
			bv_vec3 n = p->normal;
			c->contacts += 1;
			c->ghosts +=
				!( dot( n, up ) > 0 &&
			       length( minus( n, plus( ( bv_vec3 ){ 0, 0, 0 }, dot( n, up ), up ) ) ) < 0.00174 );
			least = fmin( least, p->at.separation );
			double gap = dot( minus( p->at.point[1], p->at.point[0] ), n );
			bool on_plane = fabs( dot( minus( p->at.point[0], at.pose.translation ), up ) ) < 1e-6;
			c->off += !on_plane || !( fabs( gap - p->at.separation ) < 1e-6 );
		}
	}
	c->missed += found.result.count == 0 && height <= speculative;
	c->wrong_depths += found.result.count > 0 && !( fabs( least - height ) < 1e-6 );
}

static void shapes_that_slide_over_flat_meshes_have_no_other_normals( void** state )
{
	fixture* f = *state;
	uint32_t steps = is_thorough() ? 1000000 / 20 : 800;
	scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	counts all = { 0 };
	for ( int kind = 0; kind < flat_kinds; ++kind )
	{
		flat_surface s = make_flat( f, (flat_kind)kind );
		for ( int shape_kind = 0; shape_kind < sliders; ++shape_kind )
		{
			bv_vec3 corners[hull_corners];
			bv_convex shape = make_slider( f, (slider)shape_kind, corners );
			counts c = { 0 };
			for ( uint32_t i = 0; i < steps; )
			{
				// Half of the slides are with a shape that lies flat.
				bool is_turned = random_unit( f ) < 0.5;
				bv_transform turn = is_turned ? random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } )
				                              : bv_transform_identity();
				double x = 12 * random_unit( f ) - 6;
				double y = 12 * random_unit( f ) - 6;
				double way[2] = { random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
				// Half of them begin on an edge and go along it.
				if ( random_unit( f ) < 0.25 )
				{
					x = floor( x );
					way[0] = 0;
				}
				double height = -pow( 10, -1 - 5 * random_unit( f ) );
				double speculative = random_unit( f ) < 0.5 ? 0 : 0.02;
				height = speculative > 0 && random_unit( f ) < 0.5 ? -0.1 * height : height;
				for ( int k = 0; k < 100 && i < steps; ++k, ++i )
				{
					step( &s, &shape, (slider)shape_kind, &turn, x, y, height, speculative, &c );
					x += 0.03 * way[0];
					y += 0.03 * way[1];
				}
			}
			printf( "%s over %s: %u contacts, %u ghosts, %u missed, %u wrong depths, %u off\n",
			        slider_names[shape_kind], flat_names[kind], c.contacts, c.ghosts, c.missed,
			        c.wrong_depths, c.off );
			all.ghosts += c.ghosts;
			all.missed += c.missed;
			all.wrong_depths += c.wrong_depths;
			all.off += c.off;
		}
	}
	free( scratch );
	assert_int_equal( all.ghosts, 0 );
	assert_int_equal( all.missed, 0 );
	assert_int_equal( all.wrong_depths, 0 );
	assert_int_equal( all.off, 0 );
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
