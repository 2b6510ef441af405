// What is outside of a solid, judged by another description of it: the cubes that it is made of. Distances from those need neither
// triangles nor winding numbers.

#include "hausdorff_volumes.h"
#include "shapes.h"

// The distance from a solid made of cubes.
static double distance_to_cubes( const cubes* c, bv_vec3 p )
{
	double least = INFINITY;
	for ( int i = 0; i < solid_side * solid_side * solid_side; ++i )
	{
		int at[3] = { i % solid_side, i / solid_side % solid_side, i / solid_side / solid_side };
		if ( cube_at( c, at ) )
		{
			double x = fmax( fmax( at[0] - p.x, p.x - at[0] - 1 ), 0 );
			double y = fmax( fmax( at[1] - p.y, p.y - at[1] - 1 ), 0 );
			double z = fmax( fmax( at[2] - p.z, p.z - at[2] - 1 ), 0 );
			least = fmin( least, sqrt( x * x + y * y + z * z ) );
		}
	}
	return least;
}

// Grown from one cube, with holes, notches and cavities.
static cubes random_solid( fixture* f )
{
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 1, 1, 1 }, ( int[3] ){ 5, 5, 5 }, true );
	for ( int i = 0; i < 4; ++i )
	{
		int lower[3];
		int upper[3];
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = (int)( random_bits( f ) % 5 );
			upper[k] = lower[k] + 1 + (int)( random_bits( f ) % 3 );
		}
		fill_cubes( &c, lower, upper, i == 3 );
	}
	return c;
}

static bv_vec3 point_in( const bv_aabb* box, bv_vec3 share )
{
	return ( bv_vec3 ){ box->lower.x + share.x * ( box->upper.x - box->lower.x ),
		                box->lower.y + share.y * ( box->upper.y - box->lower.y ),
		                box->lower.z + share.z * ( box->upper.z - box->lower.z ) };
}

// Triangles that are small beside the boxes, on surfaces with notches, cavities, and edges shared by four.
static void boxes_about_solids_of_cubes( void** state )
{
	fixture* f = *state;
	static const double relative[] = { 0.5, 0.1, 0.01 };
	int farther = 0;
	for ( int round = 0; round < 150; ++round )
	{
		cubes c = random_solid( f );
		bvb_mesh mesh = surface_of_cubes( f, &c );
		bvb_hausdorff_target* target = target_of( f, &mesh );
		bv_vec3 a = random_point( f );
		bv_vec3 b = random_point( f );
		bv_aabb box = { { 4 * a.x, 4 * a.y, 4 * a.z },
			            { 4 * a.x + 0.2 + 3 * b.x, 4 * a.y + 0.2 + 3 * b.y, 4 * a.z + 0.2 + 3 * b.z } };
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.measure = bvb_hausdorff_outside;
		options.inside = winding_of( f, &mesh );
		options.relative = relative[round % 3];
		options.absolute = 0.01;
		options.sufficient = round % 2 ? random_unit( f ) : 0;
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_aabb( target, &box, &options, &r ), bv_ok );
		for ( int i = 0; i < 1000; ++i )
		{
			bv_vec3 share = { i & 1, i >> 1 & 1, i >> 2 & 1 };
			assert_true( distance_to_cubes( &c, point_in( &box, i < 8 ? share : random_point( f ) ) ) <=
			             r.upper );
		}
		assert_true( r.lower <= 0 || distance_to_cubes( &c, r.witness ) >= r.lower - 1e-12 );
		double allowed = fmax( r.lower * ( 1 + options.relative ), r.lower + options.absolute );
		assert_true( r.upper <= fmax( allowed, options.sufficient ) + 1e-9 );
		farther += r.lower > 0.2;
	}
	assert_in_range( farther, 30, 149 );
}

// In the middle of a cavity of one cube the distance is 1/2. Around it much is inside.
static void small_cavities_in_large_solids_are_found( void** state )
{
	fixture* f = *state;
	int holding = 0;
	for ( int round = 0; round < 200; ++round )
	{
		cubes c = { 0 };
		fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ solid_side, solid_side, solid_side }, true );
		bv_vec3 a = random_point( f );
		bv_vec3 b = random_point( f );
		bv_aabb box = { { 3 * a.x, 3 * a.y, 3 * a.z },
			            { 3 * a.x + 2 + 3 * b.x, 3 * a.y + 2 + 3 * b.y, 3 * a.z + 2 + 3 * b.z } };
		double farthest = 0;
		for ( int i = 0; i < 6; ++i )
		{
			int at[3] = { 1 + (int)( random_bits( f ) % 6 ), 1 + (int)( random_bits( f ) % 6 ),
				          1 + (int)( random_bits( f ) % 6 ) };
			fill_cubes( &c, at, ( int[3] ){ at[0] + 1, at[1] + 1, at[2] + 1 }, false );
			bv_vec3 p = { at[0] + 0.5, at[1] + 0.5, at[2] + 0.5 };
			bool in = p.x >= box.lower.x && p.y >= box.lower.y && p.z >= box.lower.z && p.x <= box.upper.x &&
			          p.y <= box.upper.y && p.z <= box.upper.z;
			farthest = in ? 0.5 : farthest;
		}
		bvb_mesh mesh = surface_of_cubes( f, &c );
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.measure = bvb_hausdorff_outside;
		options.inside = winding_of( f, &mesh );
		options.relative = 0.05;
		options.sufficient = 0.5 - ldexp( random_unit( f ), -1 - round % 8 );
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_aabb( target_of( f, &mesh ), &box, &options, &r ), bv_ok );
		assert_true( r.upper >= farthest );
		assert_true( r.lower <= 0 || distance_to_cubes( &c, r.witness ) >= r.lower - 1e-12 );
		holding += farthest > 0;
	}
	assert_in_range( holding, 20, 190 );
}

// A parallelogram is convex, so that the distance from it is, and its maximum over the box is at one of its eight corners.
static void what_is_sufficient_ends_the_search( void** state )
{
	fixture* f = *state;
	uint64_t regions[2] = { 0, 0 };
	for ( int round = 0; round < 200; ++round )
	{
		bvb_mesh mesh = sheet( f, random_point( f ), random_point( f ), random_point( f ), 12 );
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
		bv_vec3 lower = random_point( f );
		bv_vec3 size = random_point( f );
		bv_aabb box = { lower, { lower.x + size.x, lower.y + size.y, lower.z + size.z } };
		double expected = 0;
		for ( int i = 0; i < 8; ++i )
		{
			bv_vec3 share = { i & 1, i >> 1 & 1, i >> 2 & 1 };
			expected = fmax( expected, nearest_distance_exact( &faces, point_in( &box, share ) ) );
		}
		bvb_hausdorff_target* target = target_of( f, &mesh );
		for ( int k = 0; k < 2; ++k )
		{
			bvb_hausdorff_options options = bvb_hausdorff_options_default();
			options.relative = 1e-6;
			options.sufficient = k == 0 ? 0 : expected * ( 0.5 + random_unit( f ) );
			bvb_hausdorff r;
			assert_int_equal( bvb_hausdorff_aabb( target, &box, &options, &r ), bv_ok );
			assert_true( r.lower <= expected && expected <= r.upper );
			assert_true( r.upper <= fmax( r.lower * ( 1 + 1e-6 ), options.sufficient ) + 1e-9 );
			regions[k] += r.regions;
		}
		nearest_free( &faces );
	}
	assert_true( regions[1] < regions[0] );
}

static void what_is_no_sufficient_distance_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bv_aabb box = { { 0, 0, 0 }, { 2, 1, 1 } };
	const double wrong[] = { -1, INFINITY, NAN };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.sufficient = wrong[i];
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_aabb( target_of( f, &mesh ), &box, &options, &r ),
		                  bv_error_argument );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_about_solids_of_cubes ),
		fixture_test( small_cavities_in_large_solids_are_found ),
		fixture_test( what_is_sufficient_ends_the_search ),
		fixture_test( what_is_no_sufficient_distance_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
