// Intervals that must hold to the last digits: next to one triangle, whose distance is convex, so that what is farthest is
// known; of thin volumes, at all tolerances, and after any number of regions.

#include "hausdorff_volumes.h"
#include "point_sets.h"
#include "shapes.h"

static const double tolerances[] = { 1, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12 };

enum
{
	tolerance_count = sizeof tolerances / sizeof *tolerances,
};

static bv_vec3 point_along( bv_vec3 a, bv_vec3 d, double t )
{
	return ( bv_vec3 ){ a.x + t * d.x, a.y + t * d.y, a.z + t * d.z };
}

static bvb_mesh random_triangle( fixture* f, nearest_faces* faces )
{
	bvb_mesh mesh = soup_create( f, 1 );
	set_triangle( &mesh, 0, random_point( f ), random_point( f ), random_point( f ) );
	assert_true( nearest_prepare( &mesh, 0, 1, faces ) );
	return mesh;
}

// Whatever is asked for and wherever a search stops. An expected value of -1 is not known: then both measures must agree.
static void assert_holds( fixture* f, bvb_hausdorff_target* target, const any_volume* v, double expected )
{
	for ( int i = 0; i < tolerance_count; ++i )
	{
		bvb_hausdorff r[2];
		for ( int what = 0; what < 2; ++what )
		{
			bvb_hausdorff_options options = bvb_hausdorff_options_default();
			options.measure = what ? bvb_hausdorff_surface : bvb_hausdorff_solid;
			options.relative = tolerances[i];
			options.max_regions = random_bits( f ) % 2 ? 1 + random_bits( f ) % 50 : 3000;
			assert_int_equal( any_measure( target, v, &options, &r[what] ), bv_ok );
			if ( expected >= 0 && !( r[what].lower <= expected && expected <= r[what].upper ) )
			{
				fail_msg( "%s, measure %d, to %g, %d regions: [%.17g, %.17g], expected %.17g",
				          any_names[v->kind], what, tolerances[i], (int)options.max_regions, r[what].lower,
				          r[what].upper, expected );
			}
		}

		// With one triangle the farthest point of all is on the surface.
		assert_true( r[1].lower <= r[0].upper && r[0].lower <= r[1].upper );
	}
}

// Radii from a hundred thousandth of the length on.
static void capsules_and_balls( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 500; ++round )
	{
		nearest_faces faces;
		bvb_mesh mesh = random_triangle( f, &faces );
		bvb_hausdorff_target* target = target_of( f, &mesh );
		bv_vec3 from = random_point( f );
		bv_vec3 to = point_along( from, random_point( f ), round % 3 == 0 ? 30 : 1 );
		double radius = round % 2 ? random_unit( f ) : ldexp( random_unit( f ), -16 );
		double near = nearest_distance_exact( &faces, from );
		double far = fmax( near, nearest_distance_exact( &faces, to ) );
		any_volume ball = { .kind = any_sphere, .sphere = { from, radius } };
		any_volume capsule = { .kind = any_capsule, .capsule = { { from, to }, radius } };
		assert_holds( f, target, &ball, near + radius );
		assert_holds( f, target, &capsule, far + radius );
		nearest_free( &faces );
	}
}

// A half ball's cell has a corner at the ball's center, which has no direction from there.
static void a_capsule_whose_end_is_measured_in_regions( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 1 );
	set_triangle( &mesh, 0, ( bv_vec3 ){ 0.81786624528667429, -0.14055412420808344, 0.82158625854959988 },
	              ( bv_vec3 ){ -0.011032322586139509, 0.76861510184972337, 0.69460630644987709 },
	              ( bv_vec3 ){ 0.2089032494653047, -0.67656639646377581, 0.77501857728477574 } );
	any_volume capsule = { .kind = any_capsule,
		                   .capsule = { { { -1.8748315828438198, 1.9582354866389635, 1.0319387521682568 },
		                                  { -14.019890951983029, 16.067364204732868, -18.749625741510378 } },
		                                6.8892354094616796e-06 } };
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = 1e-12;
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, &mesh ), &capsule, &options, &r ), bv_ok );
	assert_true( r.lower <= 28.4319959885988266 && 28.4319959885988266 <= r.upper );
}

static void thin_cylinders( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		nearest_faces faces;
		bvb_mesh mesh = random_triangle( f, &faces );
		bv_vec3 from = random_point( f );
		bv_vec3 to = point_along( from, random_point( f ), 50 );
		double radius = ldexp( 1, -4 - (int)( random_bits( f ) % 30 ) );
		any_volume cylinder = { .kind = any_cylinder, .cylinder = { { from, to }, radius } };
		assert_holds( f, target_of( f, &mesh ), &cylinder, -1 );
		nearest_free( &faces );
	}
}

// As far as their farthest vertex.
static void hulls_that_are_plates_or_needles( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 400; ++round )
	{
		uint32_t count = round % 4 ? 4 : 9;
		nearest_faces faces;
		bvb_mesh mesh = random_triangle( f, &faces );
		bv_vec3 axis[3];
		random_frame( f, axis );
		double thin = ldexp( random_unit( f ), round % 4 ? -34 - (int)( random_bits( f ) % 8 )
		                                                 : -(int)( random_bits( f ) % 40 ) );
		bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
		bv_vec3 at = random_point( f );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			double y = round % 2 ? thin * p.y : p.y;
			points[i] = point_along( point_along( point_along( at, axis[0], p.x ), axis[1], y ), axis[2],
			                         thin * p.z );
		}
		any_volume hull = any_of_hull( f, points, count );
		double expected = 0;
		for ( uint32_t i = 0; i < hull.hull.vertex_count; ++i )
		{
			expected = fmax( expected, nearest_distance_exact( &faces, points[hull.hull.vertices[i]] ) );
		}
		assert_holds( f, target_of( f, &mesh ), &hull, expected );
		nearest_free( &faces );
	}
}

// A cube without its lid. From all places in the plane of the opening half of all directions are covered, so that what is inside ends there,
// as that of the whole cube does.
static void boxes_about_the_opening_of_an_open_cube( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		const uint32_t* c = mesh.triangles[i].corner;
		const bv_vec3* p = mesh.positions;
		if ( !( p[c[0]].z == 2 && p[c[1]].z == 2 && p[c[2]].z == 2 ) )
		{
			mesh.triangles[kept++] = mesh.triangles[i];
		}
	}
	mesh.triangle_count = kept;
	bvb_hausdorff_target* target = target_of( f, &mesh );
	const bvb_winding* winding = winding_of( f, &mesh );
	assert_false( bvb_winding_is_closed( winding ) );
	int beyond = 0;
	for ( int round = 0; round < 80; ++round )
	{
		bv_vec3 lower = { 1.9 * random_unit( f ), 1.9 * random_unit( f ), 0.1 + 2 * random_unit( f ) };
		bv_vec3 upper = { fmin( 1.99, lower.x + random_unit( f ) ), fmin( 1.99, lower.y + random_unit( f ) ),
			              lower.z + random_unit( f ) };
		bv_aabb box = { lower, upper };
		bvb_hausdorff_options options = bvb_hausdorff_options_default();
		options.measure = bvb_hausdorff_outside;
		options.inside = winding;
		options.relative = 0.1;
		options.absolute = 0.01;
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_aabb( target, &box, &options, &r ), bv_ok );
		double expected = fmax( 0, upper.z - 2 );
		assert_true( r.lower <= expected + 1e-9 && r.upper >= expected - 1e-9 );
		assert_true( r.upper <= r.lower * 1.1 + 1e-9 || r.upper <= r.lower + 0.01 + 1e-9 );
		beyond += expected > 0;
	}
	assert_in_range( beyond, 20, 60 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( capsules_and_balls ),
		fixture_test( a_capsule_whose_end_is_measured_in_regions ),
		fixture_test( thin_cylinders ),
		fixture_test( hulls_that_are_plates_or_needles ),
		fixture_test( boxes_about_the_opening_of_an_open_cube ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
