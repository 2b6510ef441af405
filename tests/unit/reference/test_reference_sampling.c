// What the distances of the library are judged by, judged itself: nearest points, points of volumes, and the search for the
// farthest.

#include "point_sets.h"
#include "shapes.h"

#include "tests/reference/sampling.h"

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double distance_between( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = { a.x - b.x, a.y - b.y, a.z - b.z };
	return sqrt( dot( d, d ) );
}

static void assert_close( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g is not %.17g", value, expected );
	}
}

static nearest_faces faces_of( const bvb_mesh* mesh )
{
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	return faces;
}

// A point of a triangle plus a step that no other point of it is nearer along: both ways along the normal inside, from a
// side or a corner away from everything that the others span.
static void nearest_points_are_those_that_points_were_made_from( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20000; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		double width = round % 4 == 0 ? pow( 10, -8 * random_unit( f ) ) : 0.2 + random_unit( f );
		double base = 1 + random_unit( f );
		double corner[3][2] = { { 0, 0 }, { base, 0 }, { 2 * random_unit( f ), width } };
		double s = random_unit( f );
		double t = random_unit( f ) * ( 1 - s );
		double at[3] = { s * corner[1][0] + t * corner[2][0], t * width, 0 };
		double height = 2 * random_unit( f ) - 1;
		double away = random_unit( f );
		double expected = fabs( height );
		if ( round % 3 == 1 )
		{
			// From the side along the first axis.
			at[0] = s * corner[1][0];
			at[1] = -away;
			expected = sqrt( away * away + height * height );
		}
		if ( round % 3 == 2 )
		{
			// From the first corner, whose angle is not obtuse.
			at[0] = -away;
			at[1] = -away * random_unit( f );
			expected = sqrt( at[0] * at[0] + at[1] * at[1] + height * height );
		}
		bv_vec3 p[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = in_frame( axis, corner[k][0], corner[k][1], 0 );
		}
		bv_vec3 x = in_frame( axis, at[0], at[1], height );
		nearest_face face = nearest_face_of( p );
		bv_vec3 nearest;
		// Sines of the needles' angles lose as many digits as they are thin.
		double rounding = 1e-15 + 1e-15 / width;
		double distance = sqrt( nearest_on_face( &face, x, &nearest ) );
		assert_close( distance, expected, rounding );
		assert_close( distance_between( x, nearest ), distance, 1e-15 );
		nearest_faces faces = { .face = &face, .count = 1 };
		assert_close( nearest_distance_exact( &faces, x ), expected, rounding );
	}
}

// Coordinates in which nothing is rounded: a needle 2^-40 high, and a point 3 over it or just beside it.
static void needles_have_exact_distances( void** state )
{
	fixture* f = *state;
	const double high = 0x1p-40;
	bv_vec3 corner[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.5, high, 0 } };
	nearest_face face = nearest_face_of( corner );
	nearest_faces faces = { .face = &face, .count = 1 };
	for ( int round = 0; round < 100; ++round )
	{
		double x = ( 1 + (double)( random_bits( f ) % 1022 ) ) / 1024;
		double y = high * fmin( x, 1 - x );
		assert_true( nearest_distance_exact( &faces, ( bv_vec3 ){ x, y, 3 } ) == 3 );
		assert_true( nearest_distance_exact( &faces, ( bv_vec3 ){ x, y, high } ) == high );
		assert_true( nearest_distance_exact( &faces, ( bv_vec3 ){ x, -high, 0 } ) == high );
		assert_true( nearest_distance_exact( &faces, ( bv_vec3 ){ -4, 3 + y, 0 } ) >= 5 );
	}
}

// Turned, so that everything is rounded: the foot of the perpendicular may be anywhere, but a side is near.
static void needles_have_nearly_exact_distances_quickly( void** state )
{
	fixture* f = *state;
	const double high = 1e-12;
	for ( int round = 0; round < 1000; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bv_vec3 corner[3] = { { 0, 0, 0 }, in_frame( axis, 1, 0, 0 ), in_frame( axis, 0.5, high, 0 ) };
		nearest_face face = nearest_face_of( corner );
		nearest_faces faces = { .face = &face, .count = 1 };
		bv_vec3 p = random_point( f );
		bv_vec3 x = in_frame( axis, p.x, high * p.y, high * p.z );
		assert_close( nearest_distance( &faces, x, NULL ), nearest_distance_exact( &faces, x ), 2 * high );
	}
}

// In 113 bits over all triangles; the other is never less but for rounding.
static void quick_distances_are_the_exact_ones_but_for_rounding( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		bvb_mesh mesh = soup_create( f, 60 );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[i] = round % 2 ? ( bv_vec3 ){ p.x, 1e-7 * p.y, 1e-3 * p.z } : p;
		}
		nearest_faces faces = faces_of( &mesh );
		for ( int i = 0; i < 20; ++i )
		{
			bv_vec3 p = random_point( f );
			bv_vec3 x = { 2 * p.x - 0.5, p.y, p.z };
			double exact = nearest_distance_exact( &faces, x );
			double quick = nearest_distance( &faces, x, NULL );
			assert_true( quick >= exact - 1e-15 );
			assert_true( quick <= exact * ( 1 + 1e-12 ) + 1e-8 );
		}
		nearest_free( &faces );
	}
}

static void winding_counts_insides( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	nearest_faces faces = faces_of( &mesh );
	for ( int i = 0; i < 1000; ++i )
	{
		bv_vec3 p = random_point( f );
		bv_vec3 x = { 3 * p.x - 1, 4 * p.y - 1, 5 * p.z - 1 };
		bool inside = x.x > 0 && x.x < 1 && x.y > 0 && x.y < 2 && x.z > 0 && x.z < 3;
		assert_close( nearest_winding( &faces, x ), inside, 1e-13 );
	}
	nearest_free( &faces );
}

// The different ones of a volume's corners.
static uint32_t distinct_corners( const volume* v, bv_vec3* out )
{
	uint32_t all;
	uint32_t count = 0;
	const bv_vec3* corner = volume_corners( v, &all );
	for ( uint32_t i = 0; i < all; ++i )
	{
		bool known = false;
		for ( uint32_t k = 0; k < count; ++k )
		{
			known = known || distance_between( corner[i], out[k] ) == 0;
		}
		if ( !known )
		{
			out[count++] = corner[i];
		}
	}
	return count;
}

static bv_kdop kdop_of( uint32_t k, double boxes, double diagonals, double edges )
{
	bv_kdop kdop = { .k = k };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		double half = i < 3 ? boxes : i < 7 ? diagonals : edges;
		kdop.lower[i] = bv_kdop_uses( k, i ) ? -half : 0;
		kdop.upper[i] = bv_kdop_uses( k, i ) ? half : 0;
	}
	return kdop;
}

// A box; a cube whose corners are just not cut off, and just so, into three each; |x| + |y| + |z| <= 1, the octahedron; |x| + |y|, |y| + |z|, |z| + |x| <= 1, the rhombic dodecahedron, whose
// corners are the octahedron's and those of the cube of half the size; a point.
static void corners_of_k_dops_are_those_of_the_solids_they_are( void** state )
{
	(void)state;
	const struct
	{
		bv_kdop kdop;
		uint32_t corners;
		double sum; // of a corner's absolute coordinates
		double other_sum;
	} cases[] = {
		{ kdop_of( 6, 2, 0, 0 ), 8, 6, 6 },
		{ kdop_of( 14, 2, 1, 0 ), 6, 1, 1 },
		{ kdop_of( 14, 1, 3.0 + 1e-9, 0 ), 8, 3, 3 },
		{ kdop_of( 14, 1, 3.0 - 1e-9, 0 ), 24, 3.0 - 1e-9, 3.0 - 1e-9 },
		{ kdop_of( 18, 3, 0, 1 ), 14, 1, 1.5 },
		{ kdop_of( 26, 3, 9, 1 ), 14, 1, 1.5 },
		{ kdop_of( 26, 0, 0, 0 ), 1, 0, 0 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		bv_vec3 corner[2000];
		volume* v = volume_of_kdop( &cases[i].kdop );
		assert_non_null( v );
		uint32_t count = distinct_corners( v, corner );
		assert_int_equal( count, cases[i].corners );
		for ( uint32_t k = 0; k < count; ++k )
		{
			double sum = fabs( corner[k].x ) + fabs( corner[k].y ) + fabs( corner[k].z );
			assert_true( fabs( sum - cases[i].sum ) < 1e-15 || fabs( sum - cases[i].other_sum ) < 1e-15 );
		}
		volume_free( v );
	}
}

enum
{
	volume_cases = 8,
};

// One volume of each type, about as large as 1, and its extent along z about the origin.
static volume* make_volume( fixture* f, int kind )
{
	bv_obb obb = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { 0.5, 0.25, 1 } };
	bv_vec3 tip[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	bvb_hull hull;
	bvb_error error;
	bvb_mesh mesh;
	bv_kdop octahedron = kdop_of( 14, 2, 1, 0 );
	switch ( kind )
	{
	case 0: return volume_of_aabb( &( bv_aabb ){ { -0.5, -0.25, -1 }, { 0.5, 0.25, 1 } } );
	case 1: return volume_of_obb( &obb );
	case 2: return volume_of_sphere( &( bv_sphere ){ { 0, 0, 0 }, 2 } );
	case 3: return volume_of_kdop( &octahedron );
	case 4:
		assert_int_equal( bvb_hull_compute( tip, 4, f->arena, &hull, &error ), bv_ok );
		return volume_of_hull( tip, &hull );
	case 5: return volume_of_capsule( &( bv_capsule ){ { { 0, 0, -1 }, { 0, 0, 1 } }, 0.5 } );
	case 6: return volume_of_cylinder( &( bv_cylinder ){ { { 0, 0, -1 }, { 0, 0, 1 } }, 0.5 } );
	default: mesh = icosahedron( f ); return volume_of_mesh( &mesh );
	}
}

static bv_vec3 draw( fixture* f, const volume* v, bool surface )
{
	double u[4];
	for ( int k = 0; k < 4; ++k )
	{
		u[k] = random_unit( f );
	}
	return volume_point( v, surface, u );
}

static void points_that_are_drawn_are_of_the_volume( void** state )
{
	fixture* f = *state;
	for ( int kind = 0; kind < volume_cases; ++kind )
	{
		volume* v = make_volume( f, kind );
		bv_aabb bounds = volume_bounds( v );
		for ( int i = 0; i < 2000; ++i )
		{
			bool surface = i % 2;
			bv_vec3 p = draw( f, v, surface );
			assert_true( volume_contains( v, surface, p, 1e-14 ) );
			assert_true( volume_contains( v, false, p, 1e-14 ) );
			assert_true( p.x >= bounds.lower.x - 1e-14 && p.y >= bounds.lower.y - 1e-14 &&
			             p.z >= bounds.lower.z - 1e-14 );
			assert_true( p.x <= bounds.upper.x + 1e-14 && p.y <= bounds.upper.y + 1e-14 &&
			             p.z <= bounds.upper.z + 1e-14 );
		}
		volume_free( v );
	}
}

// The octahedron's and the tetrahedron's are integrals over their sections; of surfaces the mean over the parts by area.
static void points_that_are_drawn_are_spread_evenly( void** state )
{
	fixture* f = *state;
	const double sphere_and_side = 2 * 0.5;
	const struct
	{
		double solid; // mean of z^2
		double surface;
	} expected[volume_cases] = {
		{ 1.0 / 3, ( 1 + 6 / 3.0 ) / 7 },
		{ 1.0 / 3, ( 1 + 6 / 3.0 ) / 7 },
		{ 4.0 / 5, 4.0 / 3 },
		{ 1.0 / 10, 1.0 / 6 },
		{ 1.0 / 5, 1.0 / 3 },
		{ ( 2 / 3.0 + ( 4 * 0.5 / 3 ) * ( 1 + 2 * 0.1875 + 0.05 ) ) / ( 2 + 4 * 0.5 / 3 ),
		  ( 2 / 3.0 + sphere_and_side * ( 1 + 2 * 0.25 + 0.25 / 3 ) ) / ( 2 + sphere_and_side ) },
		{ 1.0 / 3, ( 2 / 3.0 + 0.5 ) / 2.5 },
		{ -1, -1 },
	};
	for ( int kind = 0; kind < volume_cases; ++kind )
	{
		volume* v = make_volume( f, kind );
		for ( int surface = 0; surface < 2; ++surface )
		{
			const int count = 200000;
			double squares = 0;
			bv_vec3 sum = { 0, 0, 0 };
			double other = 0;
			for ( int i = 0; i < count; ++i )
			{
				bv_vec3 p = draw( f, v, surface );
				squares += p.z * p.z / count;
				other += p.x * p.x / count;
				sum = ( bv_vec3 ){ sum.x + p.x / count, sum.y + p.y / count, sum.z + p.z / count };
			}
			assert_close( sum.x, 0, 0.02 );
			assert_close( sum.y, 0, 0.02 );
			assert_close( sum.z, 0, 0.02 );
			double wanted = surface ? expected[kind].surface : expected[kind].solid;
			// An icosahedron looks the same along x and z.
			assert_close( squares, wanted >= 0 ? wanted : other, 0.01 );
		}
		volume_free( v );
	}
}

// Its sides have areas of 1/2, 1 and 1/4, each twice.
static void sides_of_a_box_get_points_by_their_areas( void** state )
{
	fixture* f = *state;
	volume* v = make_volume( f, 0 );
	const int count = 100000;
	int on[3] = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 p = draw( f, v, true );
		on[0] += fabs( p.x ) == 0.5;
		on[1] += fabs( p.y ) == 0.25;
		on[2] += fabs( p.z ) == 1;
	}
	assert_close( on[0] / (double)count, 2 / 7.0, 0.01 );
	assert_close( on[1] / (double)count, 4 / 7.0, 0.01 );
	assert_close( on[2] / (double)count, 1 / 7.0, 0.01 );
	volume_free( v );
}

// What says yes above must be able to say no.
static void points_beside_a_volume_are_not_of_it( void** state )
{
	fixture* f = *state;
	for ( int kind = 0; kind < volume_cases; ++kind )
	{
		volume* v = make_volume( f, kind );
		for ( int i = 0; i < 1000; ++i )
		{
			bv_vec3 p = draw( f, v, true );
			// All of them are convex and have the origin inside.
			bv_vec3 beyond = { 1.001 * p.x, 1.001 * p.y, 1.001 * p.z };
			bv_vec3 within = { 0.999 * p.x, 0.999 * p.y, 0.999 * p.z };
			assert_false( volume_contains( v, false, beyond, 1e-5 ) );
			assert_false( volume_contains( v, true, beyond, 1e-5 ) );
			assert_false( volume_contains( v, true, within, 1e-5 ) );
			assert_int_equal( volume_contains( v, false, within, 1e-5 ), kind != volume_cases - 1 );
		}
		volume_free( v );
	}
}

static void flat_volumes_have_points( void** state )
{
	(void)state;
	bv_aabb box = { { 1, 2, 3 }, { 1, 2, 5 } };
	volume* v = volume_of_aabb( &box );
	for ( int i = 0; i <= 10; ++i )
	{
		double u[4] = { i / 10.0, i / 10.0, i / 10.0, 1 - i / 10.0 };
		for ( int surface = 0; surface < 2; ++surface )
		{
			bv_vec3 p = volume_point( v, surface, u );
			assert_true( p.x == 1 && p.y == 2 && p.z >= 3 && p.z <= 5 );
			assert_true( volume_contains( v, surface, p, 0 ) );
		}
	}
	volume_free( v );
}

// Two specks, so that cells have their nearest face far on either side.
static bvb_mesh two_specks( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 2 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3 p = random_point( f );
		bv_vec3 at = i % 3 ? mesh.positions[i - i % 3] : ( bv_vec3 ){ 4 * p.x - 2, 4 * p.y - 2, 4 * p.z - 2 };
		mesh.positions[i] = ( bv_vec3 ){ at.x + ( i % 3 == 1 ) * 1e-3, at.y + ( i % 3 == 2 ) * 1e-3, at.z };
	}
	return mesh;
}

// Soups beside, within and far from the volume, small and large.
static bvb_mesh random_soup( fixture* f, int round )
{
	if ( round % 4 == 3 )
	{
		return two_specks( f );
	}
	bvb_mesh mesh = soup_create( f, 1 + (uint32_t)( random_bits( f ) % 100 ) );
	double size = round % 3 == 0 ? 0.05 : 1;
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3 at = i % 3 ? mesh.positions[i - 1] : random_point( f );
		bv_vec3 p = random_point( f );
		bv_vec3 step = { size * ( p.x - 0.5 ), size * ( p.y - 0.5 ), size * ( p.z - 0.5 ) };
		mesh.positions[i] =
			( bv_vec3 ){ at.x + step.x + ( round % 5 == 4 ? 10 : 0 ), at.y + step.y, at.z + step.z };
	}
	return mesh;
}

// The same points in the same order, none abandoned and every triangle looked at.
static void abandoning_points_loses_nothing( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 315; ++round )
	{
		bvb_mesh mesh = random_soup( f, round );
		nearest_faces faces = faces_of( &mesh );
		volume* v = make_volume( f, round / 3 % volume_cases );
		sampling_options options = sampling_options_default();
		options.samples = 2000;
		options.seed = (uint64_t)round;
		options.measure = round % 3 == 0   ? bvb_hausdorff_solid
		                  : round % 3 == 1 ? bvb_hausdorff_surface
		                                   : bvb_hausdorff_outside;
		sampling_result quick;
		sampling_result plain;
		assert_true( sampling_farthest( v, &faces, &options, &quick ) );
		options.everything = true;
		assert_true( sampling_farthest( v, &faces, &options, &plain ) );
		assert_true( quick.abandoned > 1000 && plain.abandoned == 0 );
		assert_memory_equal( &quick.point, &plain.point, sizeof quick.point );
		assert_true( quick.distance == plain.distance );
		assert_true( volume_contains( v, options.measure == bvb_hausdorff_surface, quick.point, 1e-14 ) );
		volume_free( v );
		nearest_free( &faces );
	}
}

// Convex in the point, so that the farthest of a ball is r beyond the center's distance.
static void the_farthest_point_of_a_ball_from_a_triangle_is_found( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		bvb_mesh mesh = soup_create( f, 1 );
		for ( uint32_t i = 0; i < 3; ++i )
		{
			mesh.positions[i] = random_point( f );
		}
		nearest_faces faces = faces_of( &mesh );
		double radius = 0.1 + random_unit( f );
		bv_sphere ball = { random_point( f ), radius };
		volume* v = volume_of_sphere( &ball );
		double expected = ball.radius + nearest_distance_exact( &faces, ball.center );
		for ( int surface = 0; surface < 2; ++surface )
		{
			sampling_options options = sampling_options_default();
			options.measure = surface ? bvb_hausdorff_surface : bvb_hausdorff_solid;
			sampling_result found;
			assert_true( sampling_farthest( v, &faces, &options, &found ) );
			assert_true( found.distance <= expected * ( 1 + 1e-14 ) );
			assert_true( found.distance >= expected * ( 1 - 1e-3 ) );
			assert_close( found.distance, nearest_distance_exact( &faces, found.point ), 0 );
		}
		volume_free( v );
		nearest_free( &faces );
	}
}

// A cube of side 4 whose top has a pit of 2 x 2 x 2. Below the pit nothing is more than 1 from the cube's floor or the
// pit's; in the middle of the pit all walls are 1 away.
static void what_is_inside_a_closed_mesh_is_no_distance_outside( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 4, 4, 4 }, true );
	fill_cubes( &c, ( int[3] ){ 1, 1, 2 }, ( int[3] ){ 3, 3, 4 }, false );
	bvb_mesh mesh = surface_of_cubes( f, &c );
	nearest_faces faces = faces_of( &mesh );
	volume* v = volume_of_aabb( &( bv_aabb ){ { 0, 0, 0 }, { 4, 4, 1 } } );
	sampling_options options = sampling_options_default();
	sampling_result found;
	options.measure = bvb_hausdorff_outside;
	assert_true( sampling_farthest( v, &faces, &options, &found ) );
	assert_true( found.distance == 0 );
	options.measure = bvb_hausdorff_solid;
	assert_true( sampling_farthest( v, &faces, &options, &found ) );
	assert_close( found.distance, 1, 1e-3 );
	assert_true( found.distance <= 1 );
	volume_free( v );

	v = volume_of_aabb( &( bv_aabb ){ { 0, 0, 0 }, { 4, 4, 4 } } );
	options.measure = bvb_hausdorff_outside;
	assert_true( sampling_farthest( v, &faces, &options, &found ) );
	assert_close( found.distance, 1, 1e-3 );
	assert_true( found.distance <= 1 );
	volume_free( v );
	nearest_free( &faces );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nearest_points_are_those_that_points_were_made_from ),
		fixture_test( needles_have_exact_distances ),
		fixture_test( needles_have_nearly_exact_distances_quickly ),
		fixture_test( quick_distances_are_the_exact_ones_but_for_rounding ),
		fixture_test( winding_counts_insides ),
		fixture_test( corners_of_k_dops_are_those_of_the_solids_they_are ),
		fixture_test( points_that_are_drawn_are_of_the_volume ),
		fixture_test( points_that_are_drawn_are_spread_evenly ),
		fixture_test( sides_of_a_box_get_points_by_their_areas ),
		fixture_test( points_beside_a_volume_are_not_of_it ),
		fixture_test( flat_volumes_have_points ),
		fixture_test( abandoning_points_loses_nothing ),
		fixture_test( the_farthest_point_of_a_ball_from_a_triangle_is_found ),
		fixture_test( what_is_inside_a_closed_mesh_is_no_distance_outside ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
