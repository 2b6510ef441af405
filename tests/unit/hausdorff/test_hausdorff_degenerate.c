// Distances where volumes, meshes or tolerances have no extent: what is flat, flush, far away or exactly 0.

#include "hausdorff_volumes.h"
#include "shapes.h"

// Two boxes of unit cubes with a gap of one cube between them.
static bvb_mesh two_boxes( fixture* f )
{
	cubes c = { 0 };
	fill_cubes( &c, ( const int[] ){ 0, 0, 0 }, ( const int[] ){ 1, 2, 1 }, true );
	fill_cubes( &c, ( const int[] ){ 2, 0, 0 }, ( const int[] ){ 3, 2, 1 }, true );
	return surface_of_cubes( f, &c );
}

static bvb_hausdorff measure( fixture* f, const bvb_mesh* mesh, const any_volume* from,
                              bvb_hausdorff_measure what, uint64_t max_regions )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = what;
	options.max_regions = max_regions;
	options.inside = what == bvb_hausdorff_outside ? winding_of( f, mesh ) : NULL;
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, mesh ), from, &options, &r ), bv_ok );
	return r;
}

static void assert_holds( const bvb_hausdorff* r, double expected )
{
	if ( !( r->lower <= expected * ( 1 + 1e-12 ) && expected * ( 1 - 1e-12 ) <= r->upper &&
	        r->upper <= r->lower * 1.01 + 1e-9 ) )
	{
		fail_msg( "[%.17g, %.17g], expected %.17g", r->lower, r->upper, expected );
	}
}

// A sheet over both boxes, flush with their tops: only what is over the gap is outside, half a unit from either box.
static void a_sheet_flush_with_the_tops_of_two_boxes_is_outside_over_the_gap( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = two_boxes( f );
	for ( int top = 0; top < 2; ++top )
	{
		any_volume flat = { .kind = any_aabb, .aabb = { { 0, 0.5, top }, { 3, 1.5, top } } };
		bvb_hausdorff r = measure( f, &mesh, &flat, bvb_hausdorff_outside, 100000 );
		assert_holds( &r, 0.5 );
		any_volume mesh_flat = { .kind = any_mesh };
		mesh_flat.mesh =
			sheet( f, ( bv_vec3 ){ 0, 0.5, top }, ( bv_vec3 ){ 3, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
		r = measure( f, &mesh, &mesh_flat, bvb_hausdorff_outside, 100000 );
		assert_holds( &r, 0.5 );
	}
}

// Corners of the volume inside of the boxes do not count, points between them do.
static void a_box_from_inside_of_one_box_to_inside_of_the_other_is_outside_between( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = two_boxes( f );
	any_volume box = { .kind = any_aabb, .aabb = { { 0.1, 0.1, 0.1 }, { 2.6, 1.9, 0.9 } } };
	bvb_hausdorff r = measure( f, &mesh, &box, bvb_hausdorff_outside, 100000 );
	assert_holds( &r, 0.5 );
}

static void assert_nothing( const bvb_hausdorff* r )
{
	if ( !( r->lower == 0 && r->upper < 1e-11 && r->regions < 100000 ) )
	{
		fail_msg( "[%g, %g] after %d regions", r->lower, r->upper, (int)r->regions );
	}
}

static void volumes_that_triangles_cover_are_no_distance_away_whatever_the_tolerance( void** state )
{
	fixture* f = *state;
	any_volume same = { .kind = any_mesh };
	same.mesh =
		sheet( f, ( bv_vec3 ){ 0, 0, 0.1 }, ( bv_vec3 ){ 1, 0.2, 0 }, ( bv_vec3 ){ -0.1, 1, 0.3 }, 1 );
	any_volume flat = { .kind = any_aabb, .aabb = { { 0, 0, 0.1 }, { 1, 1, 0.1 } } };
	for ( uint32_t steps = 1; steps < 14; ++steps )
	{
		bvb_mesh mesh = sheet( f, ( bv_vec3 ){ 0, 0, 0.1 }, ( bv_vec3 ){ 1, 0.2, 0 },
		                       ( bv_vec3 ){ -0.1, 1, 0.3 }, steps );
		bvb_hausdorff r = measure( f, &mesh, &same, bvb_hausdorff_solid, 100000 );
		assert_nothing( &r );
		bvb_mesh level =
			sheet( f, ( bv_vec3 ){ 0, 0, 0.1 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, steps );
		r = measure( f, &level, &flat, bvb_hausdorff_surface, 100000 );
		assert_nothing( &r );
	}
}

// Fitted to one to three points, in binary64, where limits of different directions need not agree: as far from a triangle as
// those points.
static void k_dops_of_points_segments_and_triangles_are_as_far_as_their_points( void** state )
{
	fixture* f = *state;
	static const uint32_t planes[] = { 6, 14, 18, 26 };
	bvb_mesh mesh = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
	nearest_faces faces;
	assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
	for ( int run = 0; run < 400; ++run )
	{
		double offset = run % 3 == 0 ? 0 : run % 3 == 1 ? 10 : 1e5;
		bv_vec3 p = { offset + random_unit( f ), random_unit( f ) - 2 * offset, 1 + random_unit( f ) };
		any_volume v = { .kind = any_kdop, .kdop = { .k = planes[run % 4] } };
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			bv_vec3 d = bv_kdop_direction( i );
			double along = ( d.x * p.x + d.y * p.y ) + d.z * p.z;
			v.kdop.lower[i] = v.kdop.upper[i] = bv_kdop_uses( v.kdop.k, i ) ? along : 0;
		}
		for ( int what = 0; what < 2; ++what )
		{
			bvb_hausdorff_options options = bvb_hausdorff_options_default();
			options.measure = (bvb_hausdorff_measure)what;
			options.max_regions = 10000;
			bvb_hausdorff r;
			bv_status status = any_measure( target_of( f, &mesh ), &v, &options, &r );
			double expected = nearest_distance( &faces, p, NULL );
			double rounding = 1e-12 * ( 1 + offset );
			assert_true( status == bv_error_argument ||
			             ( r.lower <= expected + rounding && expected <= r.upper + rounding &&
			               r.upper <= r.lower + 1e-9 * ( 1 + offset ) ) );
		}
	}
	nearest_free( &faces );
}

// qhull makes solids of points that are flat but for rounding; the normals of their slivers are worth nothing.
static void hulls_that_are_nearly_flat_and_far_away_reach_all_their_corners( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh =
		sheet( f, ( bv_vec3 ){ 1e6, -1e6, 3 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 );
	nearest_faces faces;
	assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
	for ( int run = 0; run < 60; ++run )
	{
		enum
		{
			count = 40,
		};
		bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
		double farthest = 0;
		double tilt = random_unit( f );
		for ( int i = 0; i < count; ++i )
		{
			double u = (int)( 8 * random_unit( f ) ) / 8.0;
			double v = (int)( 8 * random_unit( f ) ) / 8.0;
			points[i] = ( bv_vec3 ){ 1e6 + u, -1e6 + v, tilt * u + 0.3 * v + 1e-9 * random_unit( f ) };
			farthest = fmax( farthest, nearest_distance( &faces, points[i], NULL ) );
		}
		any_volume hull = any_of_hull( f, points, count );
		for ( int what = 0; what < 2; ++what )
		{
			bvb_hausdorff r = measure( f, &mesh, &hull, (bvb_hausdorff_measure)what, 20000 );
			assert_true( r.upper >= farthest * ( 1 - 1e-9 ) );
			assert_true( r.lower <= r.upper );
		}
	}
	nearest_free( &faces );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_sheet_flush_with_the_tops_of_two_boxes_is_outside_over_the_gap ),
		fixture_test( a_box_from_inside_of_one_box_to_inside_of_the_other_is_outside_between ),
		fixture_test( volumes_that_triangles_cover_are_no_distance_away_whatever_the_tolerance ),
		fixture_test( k_dops_of_points_segments_and_triangles_are_as_far_as_their_points ),
		fixture_test( hulls_that_are_nearly_flat_and_far_away_reach_all_their_corners ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
