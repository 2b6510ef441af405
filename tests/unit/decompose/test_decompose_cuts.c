// How many parts come out where that is known, and that holes stay holes.

#include "decomposed.h"

static bvb_decomposition within( fixture* f, const bvb_mesh* mesh, double tolerance, uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.tolerance = tolerance;
	options.max_parts = max_parts;
	bvb_decomposition d = decompose( f, mesh, &options );
	print_message( "tolerance %g: %u parts, [%g, %g]\n", tolerance, d.part_count, d.concavity.lower,
	               d.concavity.upper );
	check_parts( f, mesh, &options, &d );
	check_cover( f, mesh, &d, 500 );
	check_concavity( mesh, &d, 500 );

	// With parts to spare it went on until all were near enough, or as near as binary32 corners can be.
	double least = 0x1p-21 * reach_of( mesh );
	assert_true( d.part_count == max_parts || d.concavity.upper <= fmax( tolerance, least ) );
	return d;
}

// How many of the random places a shape is looked at in: all of them in `make thorough`.
static int places_of( int all )
{
	return is_thorough() ? all : 1;
}

// As it is drawn, and in three random places, or one of them.
static void check_count( fixture* f, const bvb_mesh* mesh, double tolerance, uint32_t fewest, uint32_t most )
{
	bvb_mesh at = *mesh;
	for ( int i = 0; i <= places_of( 3 ); ++i )
	{
		bvb_decomposition d = within( f, &at, tolerance, 32 );
		assert_in_range( d.part_count, fewest, most );
		placement place = random_placement( f );
		at = record_at( f, combined( f, mesh, &( bvb_mesh ){ .vertex_count = 0 } ), &place );
	}
}

// No two of the cubes at the ends are in one convex part.
static void an_l_is_two_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh l = letter_l( f );
	check_count( f, &l, 0.01, 2, 2 );
}

static void a_u_is_three_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh u = letter_u( f );
	check_count( f, &u, 0.01, 3, 3 );
}

// As it is drawn. Turned, it may take more.
static void a_square_ring_is_four_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh ring = square_ring( f );
	check_count( f, &ring, 0.01, 4, 4 );
}

// A room inside of a solid is not filled.
static void a_cavity_is_six_walls( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = hollow_box( f );
	check_count( f, &mesh, 0.01, 6, 6 );
}

// Two bars that cross would do, but without overlap it takes three.
static void a_plus_is_three_parts_or_up_to_five( void** state )
{
	fixture* f = *state;
	bvb_mesh plus_mesh = plus_sign( f );
	check_count( f, &plus_mesh, 0.01, 2, 5 );
}

// One bar and four cubes, three bars that overlap, or seven cubes.
static void a_jack_is_three_to_seven_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = jack( f );
	check_count( f, &mesh, 0.01, 3, 7 );
}

static void two_boxes_are_two_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = two_boxes( f, 0.5 );
	check_count( f, &mesh, 0.01, 2, 2 );
}

// The notch of the L is 1 deep, the gap of the U 0.5, that between the boxes 0.25.
static void what_is_less_deep_than_the_tolerance_is_one_part( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { letter_l( f ), letter_u( f ), two_boxes( f, 0.5 ) };
	const double depths[] = { 1, 0.5, 0.25 };
	for ( int i = 0; i < 3; ++i )
	{
		check_count( f, &meshes[i], 1.1 * depths[i], 1, 1 );
		check_count( f, &meshes[i], 0.9 * depths[i], 2, 3 );
	}
}

// Always within the tolerance when there are parts to spare, and never many more parts for a larger one.
static void smaller_tolerances_take_more_parts( void** state )
{
	fixture* f = *state;
	uint32_t columns = is_thorough() ? 16 : 10;
	bvb_mesh meshes[] = { torus( f, 0.3, columns, 6 ), pipe_wall( f, columns ) };
	for ( int i = 0; i < 2; ++i )
	{
		uint32_t last = 0;
		for ( double tolerance = 0.4; tolerance > 0.03; tolerance /= 2 )
		{
			bvb_decomposition d = within( f, &meshes[i], tolerance, 256 );
			assert_true( d.part_count >= last );
			last = d.part_count;
		}
		assert_true( last > 4 && last < 256 );
	}
}

// Through a pipe, a ring and a spring something may pass along the axis.
static void a_hole_is_kept( void** state )
{
	fixture* f = *state;
	bool all = is_thorough();
	bvb_mesh meshes[] = { pipe_wall( f, all ? 24 : 16 ), torus( f, 0.3, all ? 24 : 16, all ? 8 : 5 ),
		                  spring( f, 2, all ? 16 : 12, all ? 6 : 4 ) };
	const uint32_t parts[] = { 12, 12, 24 };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_decomposition d = within( f, &meshes[i], 0, parts[i] );
		cover c = cover_create( f, &d );
		for ( double z = -2; z <= 4; z += 0.125 )
		{
			assert_true( distance_to_parts( &c, ( bv_vec3 ){ 0, 0, z } ) > 0.2 );
		}
		cover_free( &c );
		assert_true( d.concavity.upper < 0.4 );
	}
}

// The triangles that are not in the plane of the largest z.
static bvb_mesh without_top( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh open = *mesh;
	open.triangles = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *open.triangles );
	assert_non_null( open.triangles );
	double top = box_of( mesh->positions, mesh->vertex_count ).upper.z;
	open.triangle_count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		const bv_vec3* p = mesh->positions;
		if ( !( p[c[0]].z == top && p[c[1]].z == top && p[c[2]].z == top ) )
		{
			open.triangles[open.triangle_count++] = mesh->triangles[i];
		}
	}
	assert_true( open.triangle_count < mesh->triangle_count );
	return open;
}

static void turn( fixture* f, const bvb_mesh* closed, bvb_mesh* whole, bvb_mesh* open )
{
	placement place = random_placement( f );
	bvb_mesh nothing = { .vertex_count = 0 };
	*whole = record_at( f, combined( f, closed, &nothing ), &place );
	bvb_mesh open_as_drawn = without_top( f, closed );
	*open = record_at( f, combined( f, &open_as_drawn, &nothing ), &place );
}

// Seen from the plane of an opening the rest covers half of all directions: what is inside is what the closed mesh has.
// @param turned  whether the mesh is looked at in a random place; in `make thorough` it is in two of them and as it is drawn
static void check_open( fixture* f, const bvb_mesh* closed, bool turned, uint32_t fewest, uint32_t most )
{
	bvb_mesh whole = *closed;
	bvb_mesh open = without_top( f, closed );
	if ( turned && !is_thorough() )
	{
		turn( f, closed, &whole, &open );
	}
	for ( int round = 0; round < ( is_thorough() ? 3 : 1 ); ++round )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.threads = 1;
		options.mode = bvb_decompose_solid;
		options.tolerance = 0.02 * diagonal_of( &whole );
		bvb_decomposition d = decompose( f, &open, &options );
		print_message( "%u parts, [%g, %g]\n", d.part_count, d.concavity.lower, d.concavity.upper );
		assert_in_range( d.part_count, fewest, most );
		assert_true( d.concavity.upper <= options.tolerance );
		check_parts( f, &open, &options, &d );
		check_cover( f, &open, &d, 500 );
		check_concavity( &whole, &d, 500 );

		// Where cells of parts meet the opening is found on a grid.
		double missed = 0x1p-12 * diagonal_of( &whole );
		cover c = cover_create( f, &d );
		nearest_faces faces;
		assert_true( nearest_prepare( &whole, 0, whole.triangle_count, &faces ) );
		bv_aabb box = box_of( whole.positions, whole.vertex_count );
		int inside = 0;
		for ( int i = 0; i < 2000; ++i )
		{
			bv_vec3 u = random_point( f );
			bv_vec3 p = { box.lower.x + u.x * ( box.upper.x - box.lower.x ),
				          box.lower.y + u.y * ( box.upper.y - box.lower.y ),
				          box.lower.z + u.z * ( box.upper.z - box.lower.z ) };
			if ( is_inside( &faces, p ) )
			{
				assert_true( distance_to_parts( &c, p ) <= missed );
				inside += 1;
			}
		}
		assert_true( inside > 100 );
		nearest_free( &faces );
		cover_free( &c );
		turn( f, closed, &whole, &open );
	}
}

static void what_is_inside_of_open_meshes_is_in_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	bvb_mesh box_of_record = record_of( f, &box );
	bvb_mesh l = letter_l( f );
	bvb_mesh u = letter_u( f );
	check_open( f, &box_of_record, false, 1, 1 );
	check_open( f, &l, true, 2, 2 );
	check_open( f, &u, true, 3, 3 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( an_l_is_two_parts ),
		fixture_test( a_u_is_three_parts ),
		fixture_test( a_square_ring_is_four_parts ),
		fixture_test( a_cavity_is_six_walls ),
		fixture_test( a_plus_is_three_parts_or_up_to_five ),
		fixture_test( a_jack_is_three_to_seven_parts ),
		fixture_test( two_boxes_are_two_parts ),
		fixture_test( what_is_less_deep_than_the_tolerance_is_one_part ),
		fixture_test( smaller_tolerances_take_more_parts ),
		fixture_test( a_hole_is_kept ),
		fixture_test( what_is_inside_of_open_meshes_is_in_parts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
