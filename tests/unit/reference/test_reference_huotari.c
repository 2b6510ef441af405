// What is wrong with the GJK ray cast and the swept test as Huotari 2011 prints them, and that they are right once corrected.
// Axis-aligned boxes: they meet while the intervals of time in which their sides overlap along each axis do.

#include "support.h"

#include "tests/reference/huotari.h"

typedef struct two_boxes
{
	bv_vec3 a[8];
	bv_vec3 b[8];
	bv_vec3 apart; // from center to center
	bv_vec3 half;  // half extents of both together
	huotari_pair pair;
} two_boxes;

static void set_box( bv_vec3 center, bv_vec3 half, bv_vec3 corner[8] )
{
	for ( int i = 0; i < 8; ++i )
	{
		corner[i] =
			bv_vec3_make( center.x + ( i & 1 ? half.x : -half.x ), center.y + ( i & 2 ? half.y : -half.y ),
		                  center.z + ( i & 4 ? half.z : -half.z ) );
	}
}

static void set_boxes( two_boxes* t, bv_vec3 apart, bv_vec3 motion )
{
	bv_vec3 half[2] = { { 1, 1, 1 }, { 0.5, 0.75, 1.25 } };
	set_box( bv_vec3_make( 0, 0, 0 ), half[0], t->a );
	set_box( apart, half[1], t->b );
	t->apart = apart;
	t->half = bv_add( half[0], half[1] );
	t->pair = ( huotari_pair ){ t->a, 8, t->b, 8, motion };
}

// @return the part of the motion at which the boxes meet; above 1 if they do not
static double time_of( const two_boxes* t )
{
	const double* apart = &t->apart.x;
	const double* half = &t->half.x;
	const double* motion = &t->pair.motion.x;
	double first = 0;
	double last = 1;
	for ( int k = 0; k < 3; ++k )
	{
		double from = ( -half[k] - apart[k] ) / motion[k];
		double to = ( half[k] - apart[k] ) / motion[k];
		first = fmax( first, fmin( from, to ) );
		last = fmin( last, fmax( from, to ) );
	}
	return first <= last ? first : 2;
}

static bv_vec3 random_vector( fixture* f, double most )
{
	double x = most * ( 2 * random_unit( f ) - 1 );
	double y = most * ( 2 * random_unit( f ) - 1 );
	return bv_vec3_make( x, y, most * ( 2 * random_unit( f ) - 1 ) );
}

// 1,500 casts: with the loop and the plane fixed, the time is that of the slabs. The segment's fault does no harm here.
static void the_corrected_cast_finds_the_time_of_boxes( void** state )
{
	fixture* f = *state;
	static const huotari_fixes fixes[2] = {
		{ .loop = true, .plane = true }, { .loop = true, .plane = true, .beyond = true, .direction = true }
	};
	int met = 0;
	for ( int i = 0; i < 1500; ++i )
	{
		two_boxes t;
		bv_vec3 apart = random_vector( f, 6 );
		set_boxes( &t, apart, bv_sub( random_vector( f, 6 ), apart ) );
		double time = time_of( &t );
		for ( int k = 0; k < 2 && time > 0; ++k )
		{
			int steps;
			double found = huotari_cast( &t.pair, fixes + k, &steps );
			assert_true( time > 1 ? found > 1 : fabs( found - time ) < 1e-5 );
		}
		met += time > 0 && time <= 1;
	}
	assert_true( met > 300 && met < 1400 );
}

// `while |d|^2 < eps`: boxes that are apart are said to collide before anything is computed, also if they never meet.
static void the_printed_loop_reports_a_collision_of_boxes_that_are_apart( void** state )
{
	(void)state;
	two_boxes t;
	int steps;
	set_boxes( &t, bv_vec3_make( 5, 0, 0 ), bv_vec3_make( 1, 0, 0 ) );
	huotari_fixes printed = { .plane = true, .beyond = true };
	assert_true( huotari_cast( &t.pair, &printed, &steps ) == 0 );
	assert_int_equal( steps, 0 );
	huotari_fixes fixed = { .loop = true, .plane = true, .beyond = true };
	assert_true( huotari_cast( &t.pair, &fixed, &steps ) > 1 );
}

// `w . ( x - d ) > 0` does not compare x with the plane through w that is normal to d: it overlooks planes that separate, and
// takes others that do not.
static void the_printed_plane_overlooks_planes( void** state )
{
	fixture* f = *state;
	huotari_fixes printed = { .loop = true, .beyond = true };
	int wrong = 0;
	for ( int i = 0; i < 200; ++i )
	{
		two_boxes t;
		int steps;
		bv_vec3 apart = random_vector( f, 6 );
		set_boxes( &t, apart, bv_sub( random_vector( f, 2 ), bv_scale( 1.5, apart ) ) );
		double time = time_of( &t );
		double found = huotari_cast( &t.pair, &printed, &steps );
		wrong += time > 0 && ( time > 1 ? found <= 1 : !( fabs( found - time ) < 1e-5 ) );
	}
	assert_true( wrong > 20 );
}

// With t = ( x - a ) . ( b - a ) / |b - a|^2 above 1 the nearest point is b, not a.
static void the_printed_segment_takes_the_wrong_end( void** state )
{
	(void)state;
	bv_vec3 a = { 0, 0, 0 };
	bv_vec3 b = { 1, 0, 0 };
	bv_vec3 x = { 3, 1, 0 };
	bv_vec3 printed = huotari_nearest_on_line( a, b, x, false );
	bv_vec3 fixed = huotari_nearest_on_line( a, b, x, true );
	assert_true( printed.x == 0 && fixed.x == 1 && fixed.y == 0 );
	assert_true( bv_length( bv_sub( x, printed ) ) > bv_length( bv_sub( x, fixed ) ) );
}

// A stands still and B comes towards it: A swept by v_B - v_A runs away from B.
static void the_printed_sweep_goes_the_other_way( void** state )
{
	(void)state;
	two_boxes t;
	huotari_fixes printed = { .direction = false };
	huotari_fixes fixed = { .direction = true };
	set_boxes( &t, bv_vec3_make( 5, 0.25, 0.125 ), bv_vec3_make( -8, 0.5, 0.25 ) );
	assert_true( time_of( &t ) < 1 );
	assert_false( huotari_sweep( &t.pair, &printed ) );
	assert_true( huotari_sweep( &t.pair, &fixed ) );
	set_boxes( &t, bv_vec3_make( 5, 0.25, 0.125 ), bv_vec3_make( 8, 0.5, 0.25 ) );
	assert_true( time_of( &t ) > 1 );
	assert_true( huotari_sweep( &t.pair, &printed ) );
	assert_false( huotari_sweep( &t.pair, &fixed ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_corrected_cast_finds_the_time_of_boxes ),
		cmocka_unit_test( the_printed_loop_reports_a_collision_of_boxes_that_are_apart ),
		fixture_test( the_printed_plane_overlooks_planes ),
		cmocka_unit_test( the_printed_segment_takes_the_wrong_end ),
		cmocka_unit_test( the_printed_sweep_goes_the_other_way ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
