// The side of points by crossings of a half line, against the sum of solid angles. The points are chosen so that the half lines
// pass exactly through edges and corners.

#include "runtime/depth/solid.h"

#include "depths.h"

static bv_side side_at( const bvdepth_solid* solid, bv_vec3 p )
{
	bvdepth_look look;
	bvdepth_tests tests = { 0, 0 };
	bvdepth_measure( solid, p, 0, 0, &look, &tests );
	bvdepth_find_side( solid, p, &look, &tests );
	return look.side;
}

// @return how many points were inside
static int compare( const body* b, const bv_vec3* points, uint32_t count )
{
	bvdepth_solid solid;
	int inside = 0;
	assert_true( bvdepth_solid_begin( b->file, &solid ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double winding = bvb_winding_number( b->winding, points[i] );
		double whole = floor( winding + 0.5 );
		bv_side side = side_at( &solid, points[i] );
		if ( mesh_distance( &b->mesh, points[i] ) < 1e-9 )
		{
			assert_true( side == bv_side_unknown || b->closed );
			continue;
		}
		assert_true( fabs( winding - whole ) < 1e-6 );
		assert_int_equal( side, whole != 0 ? bv_side_inside : bv_side_outside );
		inside += side == bv_side_inside;
	}
	return inside;
}

// The cubes of letters and of the jack have corners at whole numbers.
static void points_in_line_with_edges_and_corners( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { letter_u( f ), jack( f ), hollow_box( f ), square_ring( f ),
		                  grid_box( f, 3, 3, 3, 6 ) };
	for ( size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i )
	{
		body b = body_of( f, &meshes[i] );
		bv_vec3 points[9 * 9 * 9];
		for ( int k = 0; k < 9 * 9 * 9; ++k )
		{
			points[k] = ( bv_vec3 ){ 0.5 * ( k % 9 ), 0.5 * ( k / 9 % 9 ), 0.5 * ( k / 81 ) };
		}
		assert_true( compare( &b, points, 9 * 9 * 9 ) > 0 );
	}
}

static void random_points_of_meshes_that_intersect_themselves( void** state )
{
	fixture* f = *state;
	bvb_mesh a = bumpy_ball( f, 10 );
	bvb_mesh b = moved( f, &a, ( bv_vec3 ){ 0.7, 0.2, 0.1 } );
	bvb_mesh c = turned_over( f, &b );
	bvb_mesh both = joined( f, &a, &b );
	bvb_mesh less = joined( f, &a, &c );
	bvb_mesh meshes[] = { a, c, both, less };
	for ( size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i )
	{
		body of = body_of( f, &meshes[i] );
		bv_vec3 points[400];
		for ( int k = 0; k < 400; ++k )
		{
			points[k] = bv_scale( 1.8 * random_unit( f ), random_direction( f ) );
			// In line with a corner, along one axis or two.
			bv_vec3 corner = of.mesh.positions[random_bits( f ) % of.mesh.vertex_count];
			points[k].x = k % 2 == 0 ? corner.x : points[k].x;
			points[k].y = k % 4 == 0 ? corner.y : points[k].y;
			points[k].z = k % 3 == 0 ? corner.z : points[k].z;
		}
		assert_true( compare( &of, points, 400 ) > 20 );
	}
}

// With an offset, positions are stored near 0.
static void stored_positions_are_relative_to_the_offset( void** state )
{
	fixture* f = *state;
	bvb_mesh a = bumpy_ball( f, 8 );
	bvb_mesh far = moved( f, &a, ( bv_vec3 ){ 1e5, -2e5, 3e5 } );
	body b = body_of( f, &far );
	bv_vec3 offset = bv_file_get_offset( b.file );
	bvdepth_solid solid;
	assert_true( length( offset ) > 1e5 );
	assert_true( bvdepth_solid_begin( b.file, &solid ) );
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 p = plus( ( bv_vec3 ){ 1e5, -2e5, 3e5 }, 1.5 * random_unit( f ), random_direction( f ) );
		bool is_inside = bvb_winding_number( b.winding, p ) > 0.5;
		assert_int_equal( side_at( &solid, plus( p, -1, offset ) ),
		                  is_inside ? bv_side_inside : bv_side_outside );
	}
}

static void meshes_that_are_not_closed_have_no_inside( void** state )
{
	fixture* f = *state;
	bvb_mesh m = open_box( f );
	body b = body_of( f, &m );
	bvdepth_solid solid;
	assert_true( bvdepth_solid_begin( b.file, &solid ) && !solid.closed && solid.thickness == 0 );
	assert_int_equal( side_at( &solid, ( bv_vec3 ){ 0.1, 0.2, 0.15 } ), bv_side_outside );
}

// The greatest depth of a point of a cube is half of its width. The certified error of the root's volume is not less.
static void errors_bound_how_thick_a_solid_is( void** state )
{
	fixture* f = *state;
	bvb_mesh m = box_mesh( f, 1, 1, 1 );
	bvb_asset_options options = plain_options();
	options.errors = bvb_asset_options_default().errors;
	body b = body_with( f, &m, &options );
	bvdepth_solid solid;
	assert_true( bvdepth_solid_begin( b.file, &solid ) );
	assert_true( solid.thickness >= 0.5 && solid.thickness < 0.6 );
	bv_transform t = bv_transform_translation( 0.3, 0.2, 0.1 );
	bv_mesh_depth_options narrow = { .factor = 1.1 };
	bv_mesh_depth_result r = depth_of( &b, &b, &t, &narrow );
	assert_true( r.reached && r.lower <= 0.7 && r.upper >= 0.7 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( points_in_line_with_edges_and_corners ),
		fixture_test( random_points_of_meshes_that_intersect_themselves ),
		fixture_test( stored_positions_are_relative_to_the_offset ),
		fixture_test( meshes_that_are_not_closed_have_no_inside ),
		fixture_test( errors_bound_how_thick_a_solid_is ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
