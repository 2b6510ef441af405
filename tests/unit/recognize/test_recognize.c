// Recognized primitives. Tessellated primitives of any size and place are found, with the error of their
// tessellation, which is known in closed form. Other shapes are not recognized. Noise adds its own size to
// the error.

#include "primitive_meshes.h"

static void check_best( const recognized* r, bv_primitive_kind kind )
{
	if ( r->best != kind )
	{
		fail_msg( "a %s was taken for %s", bvb_primitive_name( kind ), bvb_primitive_name( r->best ) );
	}
}

static void names_are_those_of_the_report( void** state )
{
	(void)state;
	assert_string_equal( bvb_primitive_name( bv_primitive_box ), "box" );
	assert_string_equal( bvb_primitive_name( bv_primitive_sphere ), "sphere" );
	assert_string_equal( bvb_primitive_name( bv_primitive_capsule ), "capsule" );
	assert_string_equal( bvb_primitive_name( bv_primitive_cylinder ), "cylinder" );
}

static void an_upright_box_is_found_exactly( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 4 );
	recognized r = recognize_well( f, &mesh, 0.01 );
	check_best( &r, bv_primitive_box );
	const bv_obb* box = &r.primitive[bv_primitive_box].box;
	assert_true( box->center.x == 0.5 && box->center.y == 1 && box->center.z == 2 );
	assert_true( box->half_extents[0] * box->half_extents[1] * box->half_extents[2] == 1 );
	assert_true( r.primitive[bv_primitive_box].error.upper < 1e-10 );
}

// Rounding coordinates near 3 to binary32 moves them by up to 1.2e-7.
static void turned_boxes_are_found_to_the_rounding_of_binary32( void** state )
{
	fixture* f = *state;
	const double sizes[][3] = {
		{ 1, 1, 1 }, { 1, 1, 0.1 }, { 1, 0.1, 0.1 }, { 0.3, 0.5, 1 }, { 1, 1, 0.001 }
	};
	for ( int i = 0; i < 5; ++i )
	{
		for ( uint32_t steps = 1; steps <= 16; steps *= 4 )
		{
			bvb_mesh mesh = grid_box( f, sizes[i][0], sizes[i][1], sizes[i][2], steps );
			placement place = random_placement( f );
			put_mesh( &mesh, &place );
			recognized r = recognize_well( f, &mesh, 1e-4 );
			check_best( &r, bv_primitive_box );
			assert_true( r.primitive[bv_primitive_box].error.upper < 2e-6 );
		}
	}
}

// The vertices are on the ball and its faces inside it: the best radius is halfway between, and the error half the
// difference. What is nearest to the center is found by brute force.
static void error_of_a_ball_is_half_its_thickness( void** state )
{
	fixture* f = *state;
	for ( uint32_t columns = 8; columns <= 64; columns *= 2 )
	{
		bvb_mesh mesh = capsule_mesh( f, 1, 0, columns, columns / 4 );
		double expected = ( 1 - mesh_distance( &mesh, ( bv_vec3 ){ 0, 0, 0 } ) ) / 2;
		placement place = random_placement( f );
		put_mesh( &mesh, &place );
		double tolerance = 1.5 * expected;
		recognized r = recognize_well( f, &mesh, tolerance );
		check_best( &r, bv_primitive_sphere );
		const bv_primitive* p = &r.primitive[bv_primitive_sphere];
		assert_true( p->error.lower <= expected * 1.1 + 1e-6 );
		assert_true( p->error.upper >= expected - 1e-6 );
		assert_true( p->error.upper - p->error.lower <= tolerance / 10 );
		assert_true( p->error.upper <= expected * 1.1 + 1e-6 );
		assert_true( fabs( p->sphere.radius - ( 1 - expected ) ) < 0.05 * expected + 1e-6 );
	}
}

// Of a prism with n sides the vertices are on the cylinder and the middles of the sides are inside by the sagitta.
static void error_of_a_prism_is_half_the_sagitta( void** state )
{
	fixture* f = *state;
	const double heights[] = { 0.05, 0.5, 1.67, 2, 30 };
	uint32_t most = is_thorough() ? 56 : 28;
	for ( uint32_t columns = 6; columns <= most; columns = columns % 2 ? 2 * columns - 2 : columns + 1 )
	{
		for ( int i = 0; i < 5; ++i )
		{
			bvb_mesh mesh = cylinder_mesh( f, 1, heights[i], columns, 1 + columns / 12 );
			placement place = random_placement( f );
			put_mesh( &mesh, &place );
			double expected = ( 1 - cos( pi / columns ) ) / 2;
			double rounding = 1e-6 * ( 1 + heights[i] );
			double tolerance = 1.5 * expected + rounding;
			recognized r = recognize_well( f, &mesh, tolerance );
			check_best( &r, bv_primitive_cylinder );
			const bv_primitive* p = &r.primitive[bv_primitive_cylinder];
			assert_true( p->error.lower <= expected * 1.1 + rounding );
			assert_true( p->error.upper >= expected * 0.95 - rounding );
			assert_true( p->error.upper <= expected * 1.1 + rounding + tolerance / 10 );
			bv_vec3 axis = plus( p->cylinder.ends[1], -1, p->cylinder.ends[0] );
			assert_true( fabs( length( axis ) - heights[i] ) < expected + rounding );
		}
	}
}

// No point of the tessellation is deeper inside than a ball of the same columns and rows is.
static void error_of_a_capsule_is_at_most_that_of_its_balls( void** state )
{
	fixture* f = *state;
	const double heights[] = { 0.3, 1, 10 };
	for ( uint32_t columns = 8; columns <= 32; columns *= 2 )
	{
		bvb_mesh ball = capsule_mesh( f, 1, 0, columns, columns / 4 );
		double expected = ( 1 - mesh_distance( &ball, ( bv_vec3 ){ 0, 0, 0 } ) ) / 2;
		for ( int i = 0; i < 3; ++i )
		{
			bvb_mesh mesh = capsule_mesh( f, 1, heights[i], columns, columns / 4 );
			placement place = random_placement( f );
			put_mesh( &mesh, &place );
			recognized r = recognize_well( f, &mesh, 1.3 * expected );
			check_best( &r, bv_primitive_capsule );
			const bv_primitive* p = &r.primitive[bv_primitive_capsule];
			assert_true( p->error.upper <= 1.15 * expected + 1e-5 );
			bv_vec3 axis = plus( p->capsule.ends[1], -1, p->capsule.ends[0] );
			assert_true( fabs( length( axis ) - heights[i] ) < 2 * expected );
		}
	}
}

// Scaling by a power of two changes exponents only, of the mesh; searches of the surface may take other turns, which counts up
// to a tenth of the tolerance.
static void results_scale_with_the_mesh_from_end_to_end_of_the_range( void** state )
{
	fixture* f = *state;
	for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
	{
		recognized first;
		for ( int i = 0; i < 3; ++i )
		{
			const double scales[] = { 1, 0x1p117, 0x1p-116 };
			bvb_mesh mesh = kind == 0   ? grid_box( f, 1, 0.5, 0.75, 2 )
			                : kind == 3 ? cylinder_mesh( f, 1, 1, 24, 2 )
			                            : capsule_mesh( f, 1, kind - 1, 24, 6 );
			placement place = upright();
			put_mesh( &mesh, &place );
			place.scale = scales[i];
			put_mesh( &mesh, &place );
			recognized r = recognize_well( f, &mesh, 0.05 * scales[i] );
			check_best( &r, (bv_primitive_kind)kind );
			first = i == 0 ? r : first;
			double here = r.primitive[kind].error.upper / scales[i];
			double there = first.primitive[kind].error.upper;
			assert_true( fabs( here - there ) <= 0.05 / 10 );
		}
	}
}

// Far away a binary32 mesh keeps few digits: here 2^-13 of its size.
static void primitives_far_from_the_origin_are_found( void** state )
{
	fixture* f = *state;
	for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
	{
		bvb_mesh mesh = kind == 0   ? grid_box( f, 1, 0.5, 0.75, 4 )
		                : kind == 3 ? cylinder_mesh( f, 1, 1, 24, 2 )
		                            : capsule_mesh( f, 1, kind - 1, 24, 6 );
		placement place = random_placement( f );
		place.offset = ( bv_vec3 ){ 1500, -1900, 1700 };
		put_mesh( &mesh, &place );
		recognized r = recognize_well( f, &mesh, 0.02 );
		check_best( &r, (bv_primitive_kind)kind );
	}
}

// Each vertex moves by up to 0.01. A mesh that is that rough is as far from any primitive as half of that, nearly.
static void noise_counts_as_much_as_it_is( void** state )
{
	fixture* f = *state;
	for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
	{
		bvb_mesh mesh = kind == 0   ? grid_box( f, 1, 0.5, 0.75, 12 )
		                : kind == 3 ? cylinder_mesh( f, 1, 1, 96, 16 )
		                            : capsule_mesh( f, 1, kind - 1, 96, 24 );
		add_noise( f, &mesh, 0.01 );
		placement place = random_placement( f );
		put_mesh( &mesh, &place );
		recognized r = recognize_well( f, &mesh, 0.013 );
		check_best( &r, (bv_primitive_kind)kind );
		r = recognize_well( f, &mesh, 0.004 );
		check_best( &r, bv_primitive_kinds );
		assert_true( r.primitive[kind].error.lower > 0.004 );
	}
}

// Principal axes of a cube are any, and its hull when it is rough has hundreds of faces.
static void rough_cubes_are_found_however_they_are_turned( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < ( is_thorough() ? 30 : 12 ); ++i )
	{
		bvb_mesh mesh = grid_box( f, 1, 1, 1, 20 );
		add_noise( f, &mesh, 0.01 );
		placement place = random_placement( f );
		put_mesh( &mesh, &place );
		recognized r = recognize_well( f, &mesh, 0.013 );
		check_best( &r, bv_primitive_box );
	}
}

// Only triangles whose corners are all on one side of the plane z = 0.
static bvb_mesh upper_half( const bvb_mesh* mesh )
{
	bvb_mesh m = *mesh;
	m.triangle_count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		if ( mesh->positions[c[0]].z > -1e-9 && mesh->positions[c[1]].z > -1e-9 &&
		     mesh->positions[c[2]].z > -1e-9 )
		{
			m.triangles[m.triangle_count++] = mesh->triangles[i];
		}
	}
	uint32_t used = 0;
	uint32_t* number = calloc( m.vertex_count, sizeof *number );
	for ( uint32_t i = 0; i < 3 * m.triangle_count; ++i )
	{
		uint32_t* c = &m.triangles[i / 3].corner[i % 3];
		if ( number[*c] == 0 )
		{
			number[*c] = ++used;
		}
	}
	bv_vec3* old = malloc( m.vertex_count * sizeof *old );
	memcpy( old, m.positions, m.vertex_count * sizeof *old );
	for ( uint32_t i = 0; i < m.vertex_count; ++i )
	{
		if ( number[i] > 0 )
		{
			m.positions[number[i] - 1] = old[i];
		}
	}
	for ( uint32_t i = 0; i < 3 * m.triangle_count; ++i )
	{
		uint32_t* c = &m.triangles[i / 3].corner[i % 3];
		*c = number[*c] - 1;
	}
	m.vertex_count = used;
	free( number );
	free( old );
	return m;
}

static void check_imposter( fixture* f, bvb_mesh mesh, double tolerance )
{
	placement place = random_placement( f );
	put_mesh( &mesh, &place );
	recognized r = recognize_well( f, &mesh, tolerance );
	check_best( &r, bv_primitive_kinds );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		assert_true( r.primitive[i].error.lower > tolerance );
	}
}

// Every point of it is on the ball, but the lower half of the ball is up to its radius away.
static void half_a_ball_is_none_of_them( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = capsule_mesh( f, 1, 0, 32, 8 );
	check_imposter( f, upper_half( &ball ), 0.1 );
}

// The ends of the cylinder are open.
static void a_tube_is_none_of_them( void** state )
{
	fixture* f = *state;
	double profile[2][2] = { { 1, -1 }, { 1, 1 } };
	check_imposter( f, revolved( f, profile, 2, 0, 0, 48, false ), 0.1 );
}

// Of a box without a lid the middle of the lid is 0.5 from the nearest edge.
static void an_open_box_is_none_of_them( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_sides( f, 1, 1, 1, 4 );
	mesh.triangle_count -= 2 * 4 * 4;
	mesh.vertex_count -= 5 * 5;
	check_imposter( f, mesh, 0.1 );
}

// Seen from outside they are what they seem.
static bool at_once( void* context )
{
	return !context;
}

// Of a box whose lid is missing only a search of the surface tells how far that is from the mesh.
static void stopping_makes_errors_wider_only( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_sides( f, 1, 1, 1, 4 );
	mesh.triangle_count -= 2 * 4 * 4;
	mesh.vertex_count -= 5 * 5;
	recognized full = recognize_until( f, &mesh, 1, NULL );
	recognized few = recognize_until( f, &mesh, 1, at_once );
	assert_int_equal( full.status, bv_ok );
	assert_int_equal( few.status, bv_ok );
	int wider = 0;
	for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
	{
		bv_interval a = full.primitive[kind].error;
		bv_interval b = few.primitive[kind].error;
		assert_true( b.lower <= a.upper && a.lower <= b.upper );
		wider += b.upper - b.lower > a.upper - a.lower;
	}
	assert_true( wider > 0 );
}

static void hollow_bodies_with_something_inside_are_none_of_them( void** state )
{
	fixture* f = *state;
	bvb_mesh inner = capsule_mesh( f, 0.2, 0, 16, 4 );
	bvb_mesh outer = grid_box( f, 1, 1, 1, 2 );
	check_imposter( f, combined( f, &outer, &inner ), 0.05 );
	outer = capsule_mesh( f, 1, 0, 32, 8 );
	check_imposter( f, combined( f, &outer, &inner ), 0.05 );
	outer = cylinder_mesh( f, 1, 2, 32, 1 );
	check_imposter( f, combined( f, &outer, &inner ), 0.05 );
}

// A needle that reaches to the middle of a fine ball: of a hundred thousand triangles only these are far.
static void a_single_triangle_inside_counts( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = capsule_mesh( f, 1, 0, 300, 80 );
	bvb_mesh needle = soup_create( f, 1 );
	needle.positions[0] = ball.positions[1000];
	needle.positions[1] = ball.positions[1001];
	needle.positions[2] = ( bv_vec3 ){ 0, 0, 0.1 };
	check_imposter( f, combined( f, &ball, &needle ), 0.05 );
}

static void similar_bodies_are_none_of_them( void** state )
{
	fixture* f = *state;

	// An ellipsoid of 1 : 1 : 0.8 is 0.1 from the best ball; so are its flat sides from a cylinder's.
	bvb_mesh mesh = capsule_mesh( f, 1, 0, 48, 12 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].z *= 0.8;
	}
	check_imposter( f, mesh, 0.05 );

	// A cone.
	double cone[2][2] = { { 1, 0 }, { 1e-3, 1 } };
	check_imposter( f, revolved( f, cone, 2, 0, 1, 32, true ), 0.1 );

	// A box with a slanted roof.
	mesh = grid_box( f, 1, 1, 1, 3 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].z *= 1 + 0.4 * mesh.positions[i].x;
	}
	check_imposter( f, mesh, 0.05 );

	// Two boxes, and a bumpy ball.
	bvb_mesh other = grid_box( f, 1, 1, 1, 1 );
	mesh = grid_box( f, 1, 1, 1, 1 );
	for ( uint32_t i = 0; i < other.vertex_count; ++i )
	{
		other.positions[i].x += 1.5;
	}
	check_imposter( f, combined( f, &mesh, &other ), 0.1 );
	check_imposter( f, bumpy_ball( f, 30 ), 0.05 );
}

// The corners of a cube are 0.73 farther from its middle than those of its sides are: 0.37 halfway.
static void a_cube_is_a_ball_within_a_large_tolerance_but_a_box_first( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = grid_box( f, 2, 2, 2, 8 );
	recognized r = recognize_well( f, &mesh, 0.4 );
	check_best( &r, bv_primitive_box );
	const bv_primitive* ball = &r.primitive[bv_primitive_sphere];
	double expected = ( sqrt( 3 ) - 1 ) / 2;
	assert_true( ball->error.lower > 0.95 * expected && ball->error.upper < 1.05 * expected );
}

// A capsule of no length is as near, or nearer by what the tessellation leaves free.
static void a_ball_is_a_ball_rather_than_a_capsule( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = capsule_mesh( f, 1, 0, 48, 12 );
	recognized r = recognize_well( f, &mesh, 0.02 );
	check_best( &r, bv_primitive_sphere );
	assert_true( r.primitive[bv_primitive_capsule].error.upper <= 0.02 );
}

// With the edges of a unit cube cut off by c = 0.06 along both sides: sides and corners of the best box are in between, so
// that it is nearer than the cube itself, from whose corners the mesh is farther.
static void a_box_with_cut_corners_is_nearer_than_the_box_around_it( void** state )
{
	fixture* f = *state;
	const double c = 0.06;
	bvb_mesh mesh = box_sides( f, 1, 1, 1, 1 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = &mesh.positions[i];
		int side = (int)( i / 4 ) / 2;
		p->x *= side == 0 ? 1 : 1 - 2 * c;
		p->y *= side == 1 ? 1 : 1 - 2 * c;
		p->z *= side == 2 ? 1 : 1 - 2 * c;
	}
	bvb_hull hull;
	assert_int_equal( bvb_hull_compute( mesh.positions, mesh.vertex_count, f->arena, &hull, NULL ), bv_ok );
	bvb_mesh cut = mesh_create( f, hull.vertex_count, hull.face_count );
	memcpy( cut.triangles, hull.faces, hull.face_count * sizeof *hull.faces );
	for ( uint32_t i = 0; i < hull.vertex_count; ++i )
	{
		cut.positions[i] = mesh.positions[hull.vertices[i]];
	}
	placement place = random_placement( f );
	put_mesh( &cut, &place );
	recognized r = recognize_well( f, &cut, 0.06 );
	check_best( &r, bv_primitive_box );

	// A corner of the cube is 2 c / sqrt( 3 ) from the triangle that cuts it off; shrunk by d it is nearer by
	// sqrt( 3 ) d, and the sides are d away.
	double expected = 2 * c / sqrt( 3 ) / ( 1 + sqrt( 3 ) );
	assert_true( r.primitive[bv_primitive_box].error.lower < 1.1 * expected );
	assert_true( r.primitive[bv_primitive_box].error.upper > 0.95 * expected );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( names_are_those_of_the_report ),
		fixture_test( an_upright_box_is_found_exactly ),
		fixture_test( turned_boxes_are_found_to_the_rounding_of_binary32 ),
		fixture_test( error_of_a_ball_is_half_its_thickness ),
		fixture_test( error_of_a_prism_is_half_the_sagitta ),
		fixture_test( error_of_a_capsule_is_at_most_that_of_its_balls ),
		fixture_test( results_scale_with_the_mesh_from_end_to_end_of_the_range ),
		fixture_test( primitives_far_from_the_origin_are_found ),
		fixture_test( noise_counts_as_much_as_it_is ),
		fixture_test( rough_cubes_are_found_however_they_are_turned ),
		fixture_test( half_a_ball_is_none_of_them ),
		fixture_test( a_tube_is_none_of_them ),
		fixture_test( an_open_box_is_none_of_them ),
		fixture_test( stopping_makes_errors_wider_only ),
		fixture_test( hollow_bodies_with_something_inside_are_none_of_them ),
		fixture_test( a_single_triangle_inside_counts ),
		fixture_test( similar_bodies_are_none_of_them ),
		fixture_test( a_cube_is_a_ball_within_a_large_tolerance_but_a_box_first ),
		fixture_test( a_ball_is_a_ball_rather_than_a_capsule ),
		fixture_test( a_box_with_cut_corners_is_nearer_than_the_box_around_it ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
