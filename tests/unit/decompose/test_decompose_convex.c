// Convex meshes become one part each, which is their hull: as they are, turned, moved away from the origin, with vertices in
// the middle of faces and edges that rounding to binary32 has moved a little to either side.

#include "decomposed.h"

#include "offline/hull/merged.h"

// What comes out for a convex mesh, all caps at their defaults but one.
static void check_one_part( fixture* f, const bvb_mesh* mesh, const char* method, uint32_t max_vertices )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.method = method;
	options.max_vertices = max_vertices;
	bvb_decomposition d = decompose( f, mesh, &options );
	assert_int_equal( d.part_count, 1 );
	assert_true( d.solid );
	assert_false( d.out_of_time );
	check_parts( f, mesh, &options, &d );
	check_cover( f, mesh, &d, 200 );
	check_concavity( mesh, &d, 500 );

	bvb_hull hull;
	const bvb_part* part = &d.parts[0];
	double diagonal = diagonal_of( mesh );
	assert_int_equal( bvhull_compute_merged( mesh->positions, mesh->vertex_count, f->arena, &hull, NULL ),
	                  bv_ok );
	assert_int_equal( part->triangle_count, mesh->triangle_count );
	if ( hull.vertex_count > max_vertices )
	{
		assert_true( part->mass.mass >= hull.volume * ( 1 - 1e-9 ) );
		assert_true( d.concavity.upper <= 0.5 * diagonal );
		return;
	}
	assert_int_equal( part->vertex_count, hull.vertex_count );
	for ( uint32_t i = 0; i < hull.vertex_count; ++i )
	{
		bv_vec3 corner = mesh->positions[hull.vertices[i]];
		bool found = false;
		for ( uint32_t k = 0; k < part->vertex_count && !found; ++k )
		{
			found = length( plus( part->positions[k], -1, corner ) ) == 0;
		}
		assert_true( found );
	}
	assert_true( fabs( part->mass.mass - hull.volume ) <= 1e-9 * hull.volume );

	// Vertices within faces may have been rounded inwards, by half a step of binary32 each; what is certified is as little as
	// what is flat is thick.
	assert_true( d.concavity.lower <= 0x1p-21 * reach_of( mesh ) );
	assert_true( d.concavity.upper <= 0x1p-12 * diagonal + 0x1p-21 * reach_of( mesh ) );
}

// As it is, and turned and moved by no more than its size; coarse, and with its triangles cut into four.
static void check_convex( fixture* f, const bvb_mesh* mesh, uint32_t max_vertices )
{
	bvb_mesh meshes[2] = { record_of( f, mesh ), subdivided( f, mesh, false ) };
	meshes[1] = record_of( f, &meshes[1] );
	for ( int i = 0; i < 2; ++i )
	{
		check_one_part( f, &meshes[i], "planes", max_vertices );
		for ( int k = 0; k < 3; ++k )
		{
			placement place = random_placement( f );
			bvb_mesh turned = combined( f, &meshes[i], &( bvb_mesh ){ .vertex_count = 0 } );
			turned = record_at( f, turned, &place );
			check_one_part( f, &turned, "planes", max_vertices );
		}
	}
}

static void boxes_become_one_part( void** state )
{
	fixture* f = *state;
	const double sizes[][3] = {
		{ 1, 1, 1 }, { 1, 0.5, 0.25 }, { 1, 1, 0.01 }, { 1, 0.01, 0.02 }, { 0.1, 0.3, 0.7 }
	};
	for ( int i = 0; i < 5; ++i )
	{
		bvb_mesh coarse = grid_box( f, sizes[i][0], sizes[i][1], sizes[i][2], 1 );
		check_convex( f, &coarse, BVB_MAX_PART_VERTICES );
		check_convex( f, &coarse, 64 );
	}
}

// Many vertices in every face and every edge: after turning and rounding some hundred of them are corners of the hull.
static void finely_cut_boxes_become_one_part( void** state )
{
	fixture* f = *state;
	for ( uint32_t steps = 2; steps <= 16; steps *= 2 )
	{
		bvb_mesh box = grid_box( f, 1, 0.6, 0.3, steps );
		bvb_mesh upright_box = record_of( f, &box );
		check_one_part( f, &upright_box, "planes", 64 );
		for ( int i = 0; i < 3; ++i )
		{
			placement place = random_placement( f );
			bvb_mesh turned = combined( f, &box, &( bvb_mesh ){ .vertex_count = 0 } );
			turned = record_at( f, turned, &place );
			check_one_part( f, &turned, "planes", 64 );
			check_one_part( f, &turned, "planes", BVB_MAX_PART_VERTICES );
		}
	}
}

static void icospheres_become_one_part( void** state )
{
	fixture* f = *state;
	for ( int steps = 0; steps <= 3; ++steps )
	{
		bvb_mesh ball = icosphere( f, steps );
		check_convex( f, &ball, steps < 3 ? 64 : BVB_MAX_PART_VERTICES );
	}
}

// Their ends are flat, with a vertex in the middle.
static void cylinders_become_one_part( void** state )
{
	fixture* f = *state;
	for ( uint32_t columns = 3; columns <= ( is_thorough() ? 48u : 24u ); columns *= 2 )
	{
		bvb_mesh cylinder = cylinder_mesh( f, 1, 0.2 * columns, columns, 1 + columns / 12 );
		check_convex( f, &cylinder, 64 );
		check_convex( f, &cylinder, BVB_MAX_PART_VERTICES );
	}
}

static void random_hulls_become_one_part( void** state )
{
	fixture* f = *state;
	for ( uint32_t i = 0; i < 12; ++i )
	{
		bv_vec3 points[100];
		uint32_t count = 4 + i * i / 2;
		for ( uint32_t k = 0; k < count; ++k )
		{
			points[k] = random_point( f );
		}
		bvb_mesh mesh = hull_mesh( f, points, count );
		check_convex( f, &mesh, 64 );
	}
}

// Where steps of binary32 are 2^-11 of the mesh, what is flat is so no more.
static void convex_meshes_far_from_the_origin_become_one_part( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { grid_box( f, 1, 0.6, 0.3, 2 ), icosphere( f, 1 ), cylinder_mesh( f, 1, 1, 12, 1 ) };
	for ( int i = 0; i < 3; ++i )
	{
		placement place = random_placement( f );
		place.offset = ( bv_vec3 ){ 1500, -1900, 1700 };
		put_mesh( &meshes[i], &place ); // and not into a record, which has an offset
		check_one_part( f, &meshes[i], "planes", BVB_MAX_PART_VERTICES );
	}
}

// Of no method is there a reason to cut them.
static void every_method_leaves_convex_meshes_whole( void** state )
{
	fixture* f = *state;
	for ( uint32_t i = 0; bvb_decomposer_name( i, NULL ); ++i )
	{
		bvb_mesh box = grid_box( f, 1, 0.6, 0.3, 3 );
		bvb_mesh ball = icosphere( f, 1 );
		placement place = random_placement( f );
		bvb_mesh meshes[] = { record_of( f, &box ), record_of( f, &ball ), record_at( f, ball, &place ) };
		for ( int k = 0; k < 3; ++k )
		{
			check_one_part( f, &meshes[k], bvb_decomposer_name( i, NULL ), 64 );
		}
	}
}

// Whatever the number of parts, and whatever the tolerance if the hull has as many corners as it needs.
static void options_do_not_cut_convex_meshes( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, 2 );
	ball = record_of( f, &ball );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.threads = 1;
		options.tolerance = i & 1 ? 1e-9 : 0;
		options.max_parts = i & 2 ? 1 : 32;
		options.max_vertices = ( i & 4 ) && i != 5 ? 8 : BVB_MAX_PART_VERTICES;
		bvb_decomposition d = decompose( f, &ball, &options );
		assert_int_equal( d.part_count, 1 );
		check_parts( f, &ball, &options, &d );
		check_cover( f, &ball, &d, 200 );
		check_concavity( &ball, &d, 500 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_become_one_part ),
		fixture_test( finely_cut_boxes_become_one_part ),
		fixture_test( icospheres_become_one_part ),
		fixture_test( cylinders_become_one_part ),
		fixture_test( random_hulls_become_one_part ),
		fixture_test( convex_meshes_far_from_the_origin_become_one_part ),
		fixture_test( every_method_leaves_convex_meshes_whole ),
		fixture_test( options_do_not_cut_convex_meshes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
