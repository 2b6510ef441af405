// Vertices, faces and edges of objects that turn and shift, against bisection of time in arithmetic of 113 bits.

#include "queries.h"

#include "bv/motion.h"

#include "tests/reference/moving_rigid.h"

static bv_motion random_motion( fixture* f, int kind )
{
	bv_motion out;
	bv_vec3 from = random_around( f );
	bv_vec3 to = random_around( f );
	bv_transform start = random_transform( f, 1, false, from );
	bv_transform end = random_transform( f, 1, false, to );
	bv_status status = bv_error_internal;
	switch ( kind )
	{
	case 0: status = bv_motion_slerp( &start, &end, random_around( f ), &out ); break;
	case 1: status = bv_motion_nlerp( &start, &end, random_around( f ), &out ); break;
	default:
		status = bv_motion_screw( &start, random_around( f ), random_around( f ), 6 * random_unit( f ) - 3,
		                          2 * random_unit( f ), &out );
		break;
	}
	assert_int_equal( status, bv_ok );
	return out;
}

// What the header of bv_motion says, in the form of the reference: the pivot is at R pivot + translation at time 0.
static rigid_motion reference_of( const bv_motion* m )
{
	rigid_motion out = { .pivot = m->pivot, .shift = m->shift, .axis = m->axis, .angle = m->angle };
	const double( *r )[3] = m->start.rotation;
	const double p[3] = { m->pivot.x, m->pivot.y, m->pivot.z };
	double place[3];
	memcpy( out.rotation, m->start.rotation, sizeof out.rotation );
	const double t[3] = { m->start.translation.x, m->start.translation.y, m->start.translation.z };
	for ( int i = 0; i < 3; ++i )
	{
		place[i] = ( r[i][0] * p[0] + r[i][1] * p[1] + r[i][2] * p[2] ) + t[i];
	}
	out.place = ( bv_vec3 ){ place[0], place[1], place[2] };
	out.nlerp = m->kind == bv_motion_of_nlerp;
	return out;
}

// The place of the pivot above rounds to 1e-15, and so does the reference's time.
static void features_of_turning_objects_touch_when_bisection_says( void** state )
{
	fixture* f = *state;
	const char* cases = getenv( "BV_RIGID_CASES" );
	int rounds = cases ? atoi( cases ) : is_thorough() ? 20000 : 400;
	int hits = 0;
	int certain = 0;
	for ( int round = 0; round < rounds; ++round )
	{
		bool is_edges = round % 2;
		bv_vec3 p[4] = { random_around( f ), random_around( f ), random_around( f ), random_around( f ) };
		bv_convex a = is_edges ? bv_convex_segment( p[0], p[1] ) : bv_convex_point( p[0] );
		bv_convex b = is_edges ? bv_convex_segment( p[2], p[3] ) : bv_convex_triangle( p[1], p[2], p[3] );
		bv_motion m[2] = { random_motion( f, round / 2 % 3 ), random_motion( f, round / 6 % 3 ) };
		rigid_motion r[2] = { reference_of( m ), reference_of( m + 1 ) };
		double truth = INFINITY;
		bool meets = rigid_contact( r, is_edges, p, &truth );
		bv_sweep_result got;
		assert_int_equal( bv_sweep_convexes( &a, m, &b, m + 1, NULL, &got ), bv_ok );
		assert_int_equal( got.found, meets );
		hits += meets;
		if ( meets )
		{
			assert_true( got.lower <= truth + 1e-12 && truth - got.lower <= 1e-6 );
			assert_true( got.upper >= truth - 1e-12 );
			assert_true( !got.certain || got.upper - got.lower <= 1e-6 );
			certain += got.certain;
		}
	}
	// Contacts within some 1e-5 of a border are not proven.
	assert_true( hits > rounds / 50 && certain >= hits - 2 - hits / 200 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( features_of_turning_objects_touch_when_bisection_says, fixture_setup,
		                                 fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
