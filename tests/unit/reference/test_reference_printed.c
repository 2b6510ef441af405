// What the errors of printed algorithms do: each fault shown on pairs whose answer is known from elsewhere, and absent from
// the library's form of the same algorithm.

#include "support.h"

#include "bv/convex.h"
#include "tests/reference/convex_exact.h"
#include "tests/reference/nearest.h"
#include "tests/reference/printed.h"

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = { a.x - b.x, a.y - b.y, a.z - b.z };
	return sqrt( d.x * d.x + d.y * d.y + d.z * d.z );
}

// A ball of radius 1 at height 1.9 over the plane y = 1: its lowest point is at 0.9, 0.1 deep, and the middle of both is at
// 0.95.
static void contact_with_a_plane_is_on_the_wrong_side( void** state )
{
	(void)state;
	const bv_vec3 n = { 0, 1, 0 };
	const bv_vec3 s = { 0, 0.9, 0 };
	assert_true( fabs( printed_plane_contact( n, 1, s, false ).y - 0.85 ) < 1e-12 );
	assert_true( fabs( printed_plane_contact( n, 1, s, true ).y - 0.95 ) < 1e-12 );
}

static void sides_of_obtuse_triangles_hide_nearer_ones( void** state )
{
	fixture* f = *state;
	const int count = 5000;
	int wrong = 0;
	int still_wrong = 0;
	double worst = 1;
	for ( int i = 0; i < count; ++i )
	{
		const bv_vec3 t[3] = { random_point( f ), random_point( f ), random_point( f ) };
		bv_vec3 p = random_point( f );
		nearest_face face = nearest_face_of( t );
		nearest_faces one = { &face, 1 };
		double truth = nearest_distance_exact( &one, p );
		double printed = distance( p, printed_nearest_on_triangle( t, p, false ) );
		double fixed = distance( p, printed_nearest_on_triangle( t, p, true ) );
		wrong += printed > truth * ( 1 + 1e-6 );
		still_wrong += fixed > truth * ( 1 + 1e-6 );
		worst = fmax( worst, printed / truth );
	}
	assert_in_range( wrong, count / 100, count / 25 );
	assert_true( worst > 1.5 );
	assert_int_equal( still_wrong, 0 );
}

static void cube_at( bv_vec3 center, bool turned, bv_vec3 out[8] )
{
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 p = { i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 };
		bv_vec3 r = { 0.6 * p.x - 0.8 * p.y, 0.8 * p.x + 0.6 * p.y, p.z };
		p = turned ? r : p;
		out[i] = ( bv_vec3 ){ center.x + p.x, center.y + p.y, center.z + p.z };
	}
}

static const uint32_t cube_faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
	                                        { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
	                                        { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };

static bool truly_overlaps( convex_exact* memory, printed_hull a, printed_hull b )
{
	bv_convex one = bv_convex_points( a.points, a.count, 0 );
	bv_convex two = bv_convex_points( b.points, b.count, 0 );
	convex_exact_result truth;
	assert_true( convex_exact_compare( memory, &one, NULL, &two, NULL, &truth ) );
	return truth.sign <= 0;
}

static bool overlaps_by( bv_convex_method method, printed_hull a, printed_hull b )
{
	bv_convex one = bv_convex_points( a.points, a.count, 0 );
	bv_convex two = bv_convex_points( b.points, b.count, 0 );
	bv_convex_options options = { .method = method };
	bv_convex_overlap_result out;
	assert_int_equal( bv_convex_overlap( &one, &two, NULL, &options, &out ), bv_ok );
	return out.overlaps;
}

// Beside a cube's vertical edge, a cube turned about it: a face of the turned one is between them, none of the other's.
static void faces_of_one_shape_do_not_decide( void** state )
{
	(void)state;
	bv_vec3 a[8];
	bv_vec3 b[8];
	cube_at( ( bv_vec3 ){ 0, 0, 0 }, false, a );
	cube_at( ( bv_vec3 ){ 1.6, 1.9, 0 }, true, b );
	printed_hull one = { a, 8 };
	printed_hull two = { b, 8 };
	convex_exact* memory = convex_exact_create();
	assert_false( truly_overlaps( memory, one, two ) );
	assert_int_equal( printed_separating_face( one, cube_faces, 12, two ), printed_collides );
	assert_int_equal( printed_separating_face( two, cube_faces, 12, one ), printed_apart );
	bv_convex box[2] = { bv_convex_points( a, 8, 0 ), bv_convex_points( b, 8, 0 ) };
	bv_convex_overlap_result out;
	assert_int_equal( bv_convex_overlap( box, box + 1, NULL, NULL, &out ), bv_ok );
	assert_false( out.overlaps );
	convex_exact_destroy( memory );
}

// Squares in one plane that is turned by 3 : 4 : 5 twice; the shapes are what is rounded of that. One is the other one moved
// along its sides by less than their length, so that they overlap by more than rounding.
static void squares_in_one_plane( fixture* f, bv_vec3 a[4], bv_vec3 b[4] )
{
	double x = 1.8 * random_unit( f ) - 0.9;
	double y = 1.8 * random_unit( f ) - 0.9;
	for ( int i = 0; i < 4; ++i )
	{
		double s = i & 1;
		double t = i >> 1;
		a[i] = ( bv_vec3 ){ 0.6 * s - 0.48 * t, 0.8 * s + 0.36 * t, 0.8 * t };
		s += x;
		t += y;
		b[i] = ( bv_vec3 ){ 0.6 * s - 0.48 * t, 0.8 * s + 0.36 * t, 0.8 * t };
	}
}

static void printed_gjk_fails_on_squares_in_one_plane( void** state )
{
	fixture* f = *state;
	convex_exact* memory = convex_exact_create();
	int overlapping = 0;
	int wrong = 0;
	int endless = 0;
	for ( int i = 0; i < 800; ++i )
	{
		bv_vec3 a[4];
		bv_vec3 b[4];
		squares_in_one_plane( f, a, b );
		printed_hull one = { a, 4 };
		printed_hull two = { b, 4 };
		bool truth = truly_overlaps( memory, one, two );
		printed_answer answer = printed_gjk( one, two );
		overlapping += truth;
		wrong += truth && answer == printed_apart;
		endless += answer == printed_endless;
		assert_true( overlaps_by( bv_convex_method_gjk, one, two ) == truth );
	}
	convex_exact_destroy( memory );
	assert_true( overlapping > 100 && wrong > 0 && endless > 0 );
}

// Supports of axis-aligned cubes are along the axes, where the printed plane has no basis.
static void printed_chung_wang_calls_separate_cubes_colliding( void** state )
{
	fixture* f = *state;
	convex_exact* memory = convex_exact_create();
	int apart = 0;
	int wrong = 0;
	for ( int i = 0; i < 400; ++i )
	{
		bv_vec3 p = random_point( f );
		bv_vec3 a[8];
		bv_vec3 b[8];
		cube_at( ( bv_vec3 ){ 0, 0, 0 }, false, a );
		cube_at( ( bv_vec3 ){ 5 * p.x - 2.5, 5 * p.y - 2.5, 5 * p.z - 2.5 }, false, b );
		printed_hull one = { a, 8 };
		printed_hull two = { b, 8 };
		bool truth = truly_overlaps( memory, one, two );
		apart += !truth;
		wrong += !truth && printed_chung_wang( one, two ) == printed_collides;
		assert_true( overlaps_by( bv_convex_method_chung_wang, one, two ) == truth );
	}
	convex_exact_destroy( memory );
	assert_true( apart > 50 && wrong > apart / 10 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( contact_with_a_plane_is_on_the_wrong_side ),
		fixture_test( sides_of_obtuse_triangles_hide_nearer_ones ),
		fixture_test( faces_of_one_shape_do_not_decide ),
		fixture_test( printed_gjk_fails_on_squares_in_one_plane ),
		fixture_test( printed_chung_wang_calls_separate_cubes_colliding ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
