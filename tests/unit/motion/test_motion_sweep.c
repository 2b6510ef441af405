// First contacts of moving objects: closed forms, static queries at many times before, and walls that must not be passed.

#include "queries.h"
#include "turning.h"

#include "bv/convex.h"

static bv_transform between( const bv_motion* a, const bv_motion* b, double time )
{
	bv_transform placed[2];
	assert_int_equal( bv_motion_at( a, time, placed ), bv_ok );
	assert_int_equal( bv_motion_at( b, time, placed + 1 ), bv_ok );
	return bv_transform_between( placed, placed + 1 );
}

static void assert_bracket( const bv_sweep_result* r, double truth )
{
	assert_true( r->found && r->certain && r->complete );
	assert_true( r->lower <= truth * ( 1 + 1e-12 ) && truth <= r->upper );
	assert_true( r->upper - r->lower <= 1e-6 );
}

// The gap of 3 closes at the speed 4.
static void a_box_lands_when_its_gap_is_closed( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.25, 0.1, 4 }, ( bv_vec3 ){ 0.25, 0.1, 0 } );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( &box, &still, &box, &fall, NULL, &r ), bv_ok );
	assert_bracket( &r, 0.75 );
	assert_true( fabs( r.normal.z - 1 ) < 1e-9 && fabs( r.point[0].z - 0.5 ) < 1e-5 );
	assert_true( !r.at_start );

	bv_sweep_options near = { .separation = 1 };
	assert_int_equal( bv_sweep_convexes( &box, &still, &box, &fall, &near, &r ), bv_ok );
	assert_bracket( &r, 0.5 );

	bv_sweep_options early = { .limit = 0.7 };
	assert_int_equal( bv_sweep_convexes( &box, &still, &box, &fall, &early, &r ), bv_ok );
	assert_true( !r.found && r.certain && r.lower == 0.7 && isinf( r.upper ) );
}

// A rod of length 2 that turns about one of its ends by half a turn, from pointing up. A wall is at the distance 1.2 from the
// pivot: the far end's coordinate is 2 sin( pi t ).
static void a_turning_rod_hits_a_wall_with_its_end( void** state )
{
	(void)state;
	static const double pi = 3.14159265358979323846;
	bv_convex rod = bv_convex_segment( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 0, 2 } );
	bv_convex wall = bv_convex_box( ( bv_vec3 ){ 2.2, 0, 0 }, ( bv_vec3 ){ 1, 5, 5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion turn;
	bv_transform start = bv_transform_identity();
	assert_int_equal( bv_motion_screw( &start, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, pi, 0, &turn ),
	                  bv_ok );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( &rod, &turn, &wall, &still, NULL, &r ), bv_ok );
	assert_bracket( &r, asin( 0.6 ) / pi );
	assert_true( fabs( r.point[0].x - 1.2 ) < 1e-5 && fabs( r.point[0].z - 1.6 ) < 1e-5 );

	// A ball at the end makes it touch earlier.
	bv_convex club = bv_convex_capsule( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 0, 2 }, 0.2 );
	assert_int_equal( bv_sweep_convexes( &club, &turn, &wall, &still, NULL, &r ), bv_ok );
	assert_bracket( &r, asin( 0.5 ) / pi );

	// At the distance 2 + 1e-7 it passes.
	bv_convex far = bv_convex_box( ( bv_vec3 ){ 3 + 1e-7, 0, 0 }, ( bv_vec3 ){ 1, 5, 5 } );
	assert_int_equal( bv_sweep_convexes( &rod, &turn, &far, &still, NULL, &r ), bv_ok );
	assert_true( !r.found && r.certain );
}

static void make_shape( fixture* f, int kind, bv_vec3* points, bv_convex* out )
{
	switch ( kind % 5 )
	{
	case 0:
		*out = bv_convex_box( random_around( f ),
		                      ( bv_vec3 ){ 0.1 + random_unit( f ), 0.1, 0.1 + random_unit( f ) } );
		break;
	case 1: *out = bv_convex_capsule( random_around( f ), random_around( f ), 0.2 * random_unit( f ) ); break;
	case 2: *out = bv_convex_triangle( random_around( f ), random_around( f ), random_around( f ) ); break;
	case 3: *out = bv_convex_cone( random_around( f ), random_around( f ), 0.2 + random_unit( f ) ); break;
	default:
		for ( int i = 0; i < 24; ++i )
		{
			points[i] = random_around( f );
		}
		*out = bv_convex_points( points, 24, kind % 2 ? 0.1 : 0 );
		break;
	}
}

// bv_convex_overlap is proven against exact arithmetic elsewhere. Shapes without volume are only sampled up to `lower`.
static void convex_shapes_are_apart_before_and_meet_after( void** state )
{
	fixture* f = *state;
	int hits = 0;
	int rounds = is_thorough() ? 100000 : 3000;
	for ( int round = 0; round < rounds; ++round )
	{
		bv_vec3 points[2][24];
		bv_convex a;
		bv_convex b;
		make_shape( f, round, points[0], &a );
		make_shape( f, round / 5, points[1], &b );
		bv_motion m = turning( f, round / 3, 2, 1, false );
		bv_motion n = turning( f, round / 2, 2, 1, false );
		bv_sweep_result r;
		bv_sweep_result swapped;
		assert_int_equal( bv_sweep_convexes( &a, &m, &b, &n, NULL, &r ), bv_ok );
		assert_int_equal( bv_sweep_convexes( &b, &n, &a, &m, NULL, &swapped ), bv_ok );
		assert_int_equal( r.found, swapped.found );
		assert_true( !r.certain || !swapped.certain ||
		             ( r.lower <= swapped.upper && swapped.lower <= r.upper ) );
		for ( int k = 1; k <= 40 && r.lower > 0; ++k )
		{
			bv_convex_overlap_result o;
			bv_transform placed =
				between( &m, &n, r.lower * ( 1 - 1e-10 ) * ( k == 40 ? 1 : ( k - random_unit( f ) ) / 40 ) );
			assert_int_equal( bv_convex_overlap( &a, &b, &placed, NULL, &o ), bv_ok );
			assert_true( !o.overlaps || !o.certain );
		}
		if ( r.found && r.certain )
		{
			bv_convex_overlap_result o;
			bv_transform placed = between( &m, &n, r.upper );
			assert_int_equal( bv_convex_overlap( &a, &b, &placed, NULL, &o ), bv_ok );
			assert_true( o.overlaps && r.upper - r.lower <= 1e-6 );
			++hits;
		}
	}
	assert_true( hits > rounds / 20 );
}

// Rods, plates and needles that fly and turn through a wall. Their middle is on one side before and on the other after, and
// crosses the wall inside of it: there is a contact, and at the latest when the middle is at the wall.
static void nothing_fast_and_thin_passes_a_wall( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 1000000 : 3000;
	for ( int round = 0; round < rounds; ++round )
	{
		double thickness = pow( 10, -4 * random_unit( f ) );
		bv_convex wall = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 10, 10, thickness / 2 } );
		double width = pow( 10, -4 * random_unit( f ) );
		bv_vec3 half = { 1, round % 3 == 1 ? 1 : width, width };
		bv_convex thing = round % 3 == 2
		                      ? bv_convex_capsule( ( bv_vec3 ){ -1, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, width )
		                      : bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, half );
		double height = 2 + 100 * random_unit( f );
		bv_vec3 way = random_around( f );
		bv_transform start = random_transform( f, 1, false, ( bv_vec3 ){ way.x, way.y, height } );
		bv_vec3 axis = random_around( f );
		bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
		bv_motion spin;
		bv_sweep_result r;
		// Through its middle, along z, and turned about any axis at the same time.
		assert_int_equal(
			bv_motion_screw( &start, start.pose.translation, axis, 40 * random_unit( f ), 0, &spin ), bv_ok );
		spin.shift = ( bv_vec3 ){ 0, 0, -2 * height };
		spin.pivot = ( bv_vec3 ){ 0, 0, 0 };
		assert_true( bv_motion_is_valid( &spin ) );
		assert_int_equal( bv_sweep_convexes( &wall, &still, &thing, &spin, NULL, &r ), bv_ok );
		assert_true( r.found && r.lower <= 0.5 );
	}
}

static bool meet_at( const bv_file* a, const bv_motion* m, const bv_file* b, const bv_motion* n, double time )
{
	bv_transform placed = between( m, n, time );
	bv_collide_options first = { .first = true };
	bv_collide_result r;
	assert_int_equal( bv_mesh_collide( a, b, &placed, &first, &r ), bv_ok );
	return r.pairs > 0;
}

// bv_mesh_collide is proven against brute force elsewhere.
static void meshes_are_apart_before_and_meet_after( void** state )
{
	fixture* f = *state;
	int hits = 0;
	int starts = 0;
	int rounds = is_thorough() ? 2000 : 60;
	for ( int round = 0; round < rounds; ++round )
	{
		bvb_mesh balls[2] = { bumpy_ball( f, 6 ), bumpy_ball( f, 5 ) };
		const bv_file* a = file_of_round( f, balls, round );
		const bv_file* b = file_of_round( f, balls + 1, round / 3 );
		bv_motion m = turning( f, round, 2.5, 1, false );
		bv_motion n = turning( f, round / 4, 2.5, 1, false );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_meshes( a, &m, b, &n, NULL, &r ), bv_ok );
		assert_true( r.complete );
		for ( int k = 1; k <= 40 && r.lower > 0; ++k )
		{
			assert_false( meet_at( a, &m, b, &n, r.lower * ( 1 - 1e-9 ) * k / 40 ) );
		}
		bool begins = meet_at( a, &m, b, &n, 0 );
		assert_true( begins == r.at_start );
		starts += begins;
		if ( r.found )
		{
			assert_true( r.upper - r.lower <= 1e-6 && meet_at( a, &m, b, &n, r.upper ) );
			++hits;
		}
		bv_mesh_info info = bv_file_get_mesh( a );
		assert_true( r.triangle[0] < info.triangles && r.feature[0] < bv_features );
	}
	assert_true( hits > rounds / 10 && starts > 0 && hits > starts );
}

// A ball against the triangles of the same mesh that another query uses.
static void a_shape_meets_a_mesh_as_it_meets_its_triangles( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 40; ++round )
	{
		bvb_mesh soup = random_soup( f, 60, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* file = file_of_round( f, &soup, round );
		bv_vec3 points[24];
		bv_convex shape;
		make_shape( f, round, points, &shape );
		bv_motion m = turning( f, round, 2, 1, false );
		bv_motion n = turning( f, round / 2, 2, 1, false );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convex_mesh( &shape, &m, file, &n, NULL, &r ), bv_ok );
		double least = INFINITY;
		bv_mesh_info info = bv_file_get_mesh( file );
		for ( uint32_t i = 0; i < info.triangles; ++i )
		{
			uint32_t corner[3];
			bv_file_get_triangle( file, i, corner );
			bv_convex triangle = bv_convex_triangle( bv_file_get_vertex( file, corner[0] ),
			                                         bv_file_get_vertex( file, corner[1] ),
			                                         bv_file_get_vertex( file, corner[2] ) );
			bv_sweep_result one;
			assert_int_equal( bv_sweep_convexes( &shape, &m, &triangle, &n, NULL, &one ), bv_ok );
			least = one.found && one.lower < least ? one.lower : least;
		}
		assert_int_equal( r.found, least < INFINITY );
		assert_true( !r.found || fabs( r.lower - least ) <= 1e-6 );
		hits += r.found;
	}
	assert_true( hits > 5 );
}

// A part that begins elsewhere, on the other side of the wall, is a jump: no contact. One that begins in the wall is one.
static void sequences_are_followed_part_by_part( void** state )
{
	(void)state;
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 0.5 );
	bv_convex wall = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 10, 10, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	static const double ends[3] = { 0.25, 0.5, 1 };
	bv_motion parts[3] = { slide( ( bv_vec3 ){ 0, 0, 5 }, ( bv_vec3 ){ 0, 0, 2 } ),
		                   slide( ( bv_vec3 ){ 0, 0, -2 }, ( bv_vec3 ){ 0, 0, -3 } ),
		                   slide( ( bv_vec3 ){ 0, 0, -3 }, ( bv_vec3 ){ 0, 0, 1 } ) };
	bv_motion all = bv_motion_sequence( parts, ends, 3 );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( &wall, &still, &ball, &all, NULL, &r ), bv_ok );
	assert_bracket( &r, 0.5 + 0.5 * 2 / 4 ); // from -3 to -1 at the speed 4 / 0.5

	parts[1] = slide( ( bv_vec3 ){ 0, 0, 0.9 }, ( bv_vec3 ){ 0, 0, -3 } );
	assert_int_equal( bv_sweep_convexes( &wall, &still, &ball, &all, NULL, &r ), bv_ok );
	assert_bracket( &r, 0.25 );
}

// A plate rests for a part, passes another one within two units in the last place of time, and rests again. A step of 0.7 units
// was rounded to one back, into the first part, and so on until 65,536 steps.
static void a_part_of_two_roundings_does_not_lead_back( void** state )
{
	(void)state;
	bv_convex plate = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.05, 1, 1 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	const double begin = 0.247;
	const double ends[3] = { begin, begin + 0x1p-54, 1 };
	for ( int i = 1; i <= 20; ++i )
	{
		double gap = 0.05 * i; // of a way of 1
		bv_vec3 from = { 0.1 + 2 * gap, 0, 0 };
		bv_vec3 to = { from.x - 2, 0, 0 };
		const bv_motion parts[3] = { stay( from ), slide( from, to ), stay( to ) };
		bv_motion passes = bv_motion_sequence( parts, ends, 3 );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convexes( &plate, &still, &plate, &passes, NULL, &r ), bv_ok );
		assert_true( r.found && r.lower <= ends[1] && r.lower >= begin );
		assert_true( r.steps < 4096 );
	}
}

// Faces touch at the last time of the range and not before, at speeds up to 2^55.
static void contact_at_the_end_of_the_range_counts( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < 60 * 4; ++i )
	{
		bv_motion fall = slide( ( bv_vec3 ){ 0.1, 0.2, 1 + ldexp( 1 + i % 4 * 0.25, i / 4 - 4 ) },
		                        ( bv_vec3 ){ 0.1, 0.2, 1 } );
		bv_transform placed = between( &still, &fall, 1 );
		bv_convex_overlap_result o;
		bv_sweep_result r;
		assert_int_equal( bv_convex_overlap( &box, &box, &placed, NULL, &o ), bv_ok );
		assert_int_equal( bv_sweep_convexes( &box, &still, &box, &fall, NULL, &r ), bv_ok );
		assert_true( r.found || !o.overlaps );
	}
}

// A point comes within 1e-8 of a triangle, and is on its other side when the next part begins. It has not touched it.
static void what_jumps_past_a_face_does_not_touch_it( void** state )
{
	(void)state;
	bv_convex point = bv_convex_point( ( bv_vec3 ){ 0, 0, 0 } );
	bv_convex face =
		bv_convex_triangle( ( bv_vec3 ){ -5, -5, 0 }, ( bv_vec3 ){ 5, -5, 0 }, ( bv_vec3 ){ 0, 5, 0 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	static const double ends[2] = { 0.5, 1 };
	for ( int i = 0; i < 20; ++i )
	{
		bv_motion parts[2] = { slide( ( bv_vec3 ){ 0, 0, 1 }, ( bv_vec3 ){ 0, 0, ldexp( 1, -i - 10 ) } ),
			                   stay( ( bv_vec3 ){ 0, 0, -1 } ) };
		bv_motion jump = bv_motion_sequence( parts, ends, 2 );
		bv_sweep_options options = { .limit = i % 2 ? 0.5 : 0 };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convexes( &face, &still, &point, &jump, &options, &r ), bv_ok );
		assert_true( !r.found && r.certain );
	}
}

// A point falls along the normal of a face, and an edge along that of two. The last step before the contact ends within rounding
// errors of it.
static void features_that_meet_head_on_are_certain( void** state )
{
	fixture* f = *state;
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < 500; ++i )
	{
		bv_vec3 at = { random_unit( f ), random_unit( f ), 0 };
		bv_vec3 end[2] = { { at.x, -6, 0 }, { at.y, 6, 0 } };
		bv_vec3 corner[3] = { { -3, -4, 0 }, { 4, -4, 0 }, { 0, 5, 0 } };
		bv_convex falling = i % 2 ? bv_convex_point( at ) : bv_convex_segment( end[0], end[1] );
		bv_convex below = i % 2 ? bv_convex_triangle( corner[0], corner[1], corner[2] )
		                        : bv_convex_segment( corner[0], ( bv_vec3 ){ 4, 3, 0 } );
		double height = 0.1 + 10 * random_unit( f );
		double depth = height * random_unit( f ) + 0.01;
		bv_motion fall = slide( ( bv_vec3 ){ 0.1, 0.2, height }, ( bv_vec3 ){ 0.1, 0.2, -depth } );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convexes( &below, &still, &falling, &fall, NULL, &r ), bv_ok );
		assert_bracket( &r, height / ( height + depth ) );
		assert_true( r.steps < 100 );
	}
}

static void swing( const void* context, double time, bv_pose* out )
{
	const double* height = context;
	*out = bv_pose_identity();
	out->translation = ( bv_vec3 ){ 0, 0, *height * ( 1 - time * time ) };
}

// z = 4 ( 1 - t^2 ) reaches 1 at t = sqrt( 3 / 4 ).
static void a_callback_is_followed_within_its_speed( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	double height = 4;
	bv_motion fall = bv_motion_callback( swing, &height, ( bv_vec3 ){ 0, 0, 0 }, 8, 0 );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( &box, &still, &box, &fall, NULL, &r ), bv_ok );
	assert_bracket( &r, sqrt( 0.75 ) );
}

// Falls as above until a time, and has no pose afterwards.
typedef struct broken
{
	double height;
	double until;
} broken;

static void fall_and_break( const void* context, double time, bv_pose* out )
{
	const broken* b = context;
	if ( time < b->until )
	{
		swing( &b->height, time, out );
	}
}

// Leaves bytes that are no bool where the next call has its variables.
static void fill_stack( void )
{
	volatile unsigned char bytes[16384];
	for ( size_t i = 0; i < sizeof bytes; ++i )
	{
		bytes[i] = 0x5a;
	}
}

// It touches at sqrt( 3 / 4 ) as above, so that no later pose counts. An uninitialized variable was read where the first pose
// fails, which UBSan notices.
static void a_callback_without_a_pose_is_an_error_until_the_contact( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i <= 16; ++i )
	{
		broken b = { 4, i / 16.0 };
		bv_motion fall = bv_motion_callback( fall_and_break, &b, ( bv_vec3 ){ 0, 0, 0 }, 8, 0 );
		bv_sweep_result before;
		bv_sweep_result r;
		memset( &before, 0x5a, sizeof before );
		memcpy( &r, &before, sizeof r );
		fill_stack();
		bv_status status = bv_sweep_convexes( &box, &fall, &box, &still, NULL, &r );
		assert_int_equal( status, b.until > sqrt( 0.75 ) ? bv_ok : bv_error_argument );
		assert_true( status == bv_ok || memcmp( &r, &before, sizeof r ) == 0 );
	}
}

// A fast ball is on both sides of the wall at the ends and at both samples.
static void modes_that_sample_miss_what_is_between( void** state )
{
	(void)state;
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 0.1 );
	bv_convex wall = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 10, 10, 0.1 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion fast = slide( ( bv_vec3 ){ 0, 0, 5 }, ( bv_vec3 ){ 0, 0, -3 } );
	bv_sweep_result r;
	for ( int mode = 0; mode < bv_sweep_modes; ++mode )
	{
		bv_sweep_options options = { .mode = (bv_sweep_mode)mode, .samples = 4 };
		bv_status status = bv_sweep_convexes( &wall, &still, &ball, &fast, &options, &r );
		if ( mode == bv_sweep_mode_mixed )
		{
			assert_int_equal( status, bv_error_unsupported );
			continue;
		}
		assert_int_equal( status, bv_ok );
		assert_true( mode == bv_sweep_mode_dynamic ? r.found && r.certain : !r.found && !r.certain );
	}
	bv_motion stop = slide( ( bv_vec3 ){ 0, 0, 5 }, ( bv_vec3 ){ 0, 0, 0 } );
	bv_sweep_options end = { .mode = bv_sweep_mode_end };
	assert_int_equal( bv_sweep_convexes( &wall, &still, &ball, &stop, &end, &r ), bv_ok );
	assert_true( r.found && r.lower == 0 && r.upper == 1 );
	bv_sweep_options sampled = { .mode = bv_sweep_mode_sampled, .samples = 11 };
	assert_int_equal( bv_sweep_convexes( &wall, &still, &ball, &stop, &sampled, &r ), bv_ok );
	assert_true( r.found && !r.certain && fabs( r.lower - 0.9 ) < 1e-12 && r.upper == 1 );
}

// A box falls through a plate: they touch from 3.75 / 8 to 5.25 / 8. Before and after, the start of the range decides.
// @param r  the answer for a range that starts at `from`
static void assert_falls_through( const bv_sweep_result* r, double from )
{
	const double begin = 3.75 / 8;
	const double end = 5.25 / 8;
	if ( from < begin )
	{
		assert_bracket( r, begin );
		assert_true( !r->at_start && r->lower > from );
	}
	else if ( from < end )
	{
		assert_true( r->found && r->certain && r->at_start && r->lower == from );
		assert_true( r->upper >= from && r->upper <= from + 1e-6 );
	}
	else
	{
		assert_true( !r->found && r->certain && r->complete && r->lower == 1 && isinf( r->upper ) );
	}
}

static void nothing_before_the_start_of_the_range_counts( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_convex plates = bv_convex_box( ( bv_vec3 ){ 2, 2, 0.25 }, ( bv_vec3 ){ 2, 2, 0.25 } );
	bv_convex boxes = bv_convex_box( ( bv_vec3 ){ 0.5, 0.5, 0.5 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.3, 0.2, 4 }, ( bv_vec3 ){ 0.3, 0.2, -4 } );
	static _Alignas( 8 ) char memory[BV_SWEEP_AMPLE];
	for ( int i = 0; i < 200; ++i )
	{
		double from = i == 0 ? 0 : i == 1 ? 1 : random_unit( f );
		bv_sweep_options options = { .from = from };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &options, &r ), bv_ok );
		assert_falls_through( &r, from );
		assert_int_equal( bv_sweep_convexes( &plates, &still, &boxes, &fall, &options, &r ), bv_ok );
		assert_falls_through( &r, from );
		assert_int_equal( bv_sweep_convex_mesh( &plates, &still, box, &fall, &options, &r ), bv_ok );
		assert_falls_through( &r, from );
		bv_sweep* sweep;
		bool done = false;
		assert_int_equal(
			bv_sweep_begin( plate, &still, box, &fall, &options, memory, sizeof memory, &sweep ), bv_ok );
		assert_int_equal( bv_sweep_look( sweep, NULL, &r ), bv_ok );
		assert_true( r.lower == from );
		assert_int_equal( bv_sweep_run( sweep, NULL, &done, &r ), bv_ok );
		assert_true( done );
		assert_falls_through( &r, from );
	}
}

// In the other modes the start of the range takes the place of time 0.
static void other_modes_start_with_the_range( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[2] = { box_mesh( f, 4, 4, 0.5 ), box_mesh( f, 1, 1, 1 ) };
	const bv_file* plate = file_of_round( f, meshes, 0 );
	const bv_file* box = file_of_round( f, meshes + 1, 0 );
	bv_motion still = stay( ( bv_vec3 ){ -2, -2, -0.25 } );
	bv_motion fall = slide( ( bv_vec3 ){ 0.3, 0.2, 4 }, ( bv_vec3 ){ 0.3, 0.2, -4 } );
	bv_sweep_result r;
	bv_sweep_options end = { .mode = bv_sweep_mode_end, .from = 0.25, .limit = 0.5 };
	assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &end, &r ), bv_ok );
	assert_true( r.found && !r.certain && r.lower == 0.25 && r.upper == 0.5 );
	end.from = 0.5;
	assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &end, &r ), bv_ok );
	assert_true( r.found && r.certain && r.at_start && r.lower == 0.5 );

	// Samples at .25, .375, .5, .625 and .75.
	bv_sweep_options sampled = { .mode = bv_sweep_mode_sampled, .samples = 5, .from = 0.25, .limit = 0.75 };
	assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &sampled, &r ), bv_ok );
	assert_true( r.found && r.lower == 0.375 && r.upper == 0.5 );

	bv_sweep_options mixed = { .mode = bv_sweep_mode_mixed, .from = 0.4, .limit = 0.5 };
	assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &mixed, &r ), bv_ok );
	assert_true( r.found && r.lower <= 3.75 / 8 && r.upper >= 3.75 / 8 && r.upper - r.lower < 1e-5 );
	mixed.from = 0.48;
	assert_int_equal( bv_sweep_meshes( plate, &still, box, &fall, &mixed, &r ), bv_ok );
	assert_true( r.found && r.certain && r.at_start && r.lower == 0.48 );
}

// A separation makes more pairs near, but hardly more of them have to be searched. Balls fly at each other, turning or not.
static void separations_cost_little( void** state )
{
	fixture* f = *state;
	bvb_mesh balls[2] = { bumpy_ball( f, 40 ), bumpy_ball( f, 40 ) };
	const bv_file* a = file_of_round( f, balls, 0 );
	const bv_file* b = file_of_round( f, balls + 1, 1 );
	static _Alignas( 8 ) char memory[BV_SWEEP_SCRATCH_AMPLE];
	for ( int turns = 0; turns < 2; ++turns )
	{
		bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
		bv_motion fly = slide( ( bv_vec3 ){ 6, 0.1, 0 }, ( bv_vec3 ){ -6, 0, 0.1 } );
		fly.axis = ( bv_vec3 ){ 0, 0.6, 0.8 };
		fly.angle = turns;
		fly.kind = bv_motion_of_turn;
		uint64_t without = 0;
		for ( double separation = 0; separation<0.1; separation = separation> 0 ? 100 * separation : 1e-12 )
		{
			bv_sweep_options options = { .separation = separation,
				                         .scratch = memory,
				                         .scratch_bytes = sizeof memory };
			bv_sweep_result r;
			assert_int_equal( bv_sweep_meshes( a, &still, b, &fly, &options, &r ), bv_ok );
			assert_true( r.found && r.certain && r.complete );
			uint64_t tests = r.volume_tests + r.triangle_tests + r.steps;
			without = separation > 0 ? without : tests;
			assert_true( tests < 20 * without );
		}
	}
}

static void bad_arguments_are_refused( void** state )
{
	fixture* f = *state;
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 0.1 );
	bv_convex none = { .count = 0 };
	bv_convex half_space = bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, 0 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion invalid = still;
	invalid.start.rotation[0][0] = NAN;
	bv_sweep_result r = { .lower = 17 };
	const bv_sweep_options bad[] = { { .limit = NAN },
		                             { .limit = -1 },
		                             { .limit = 1.5 },
		                             { .tolerance = 2 },
		                             { .tolerance = NAN },
		                             { .separation = -1 },
		                             { .samples = 1 },
		                             { .mode = bv_sweep_modes },
		                             { .from = NAN },
		                             { .from = -1 },
		                             { .from = 0.6, .limit = 0.5 } };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		assert_int_equal( bv_sweep_convexes( &ball, &still, &ball, &still, bad + i, &r ), bv_error_argument );
	}
	assert_int_equal( bv_sweep_convexes( NULL, &still, &ball, &still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convexes( &ball, NULL, &ball, &still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convexes( &ball, &still, &ball, &invalid, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convexes( &ball, &still, &none, &still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convexes( &ball, &still, &half_space, &still, NULL, &r ),
	                  bv_error_unsupported );
	assert_int_equal( bv_sweep_convexes( &ball, &still, &ball, &still, NULL, NULL ), bv_error_argument );
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &mesh, 0 );
	assert_int_equal( bv_sweep_meshes( file, &still, NULL, &still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_meshes( file, &invalid, file, &still, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_sweep_convex_mesh( &half_space, &still, file, &still, NULL, &r ),
	                  bv_error_unsupported );
	assert_int_equal( bv_sweep_convex_mesh( &none, &still, file, &still, NULL, &r ), bv_error_argument );
	assert_true( r.lower == 17 );
}

// Two boxes inside of each other have no surfaces in common. A limit of tests makes the answer incomplete, never wrong.
static void a_limit_of_tests_leaves_a_sound_answer( void** state )
{
	fixture* f = *state;
	bvb_mesh balls[2] = { bumpy_ball( f, 8 ), bumpy_ball( f, 8 ) };
	const bv_file* a = file_of_round( f, balls, 0 );
	const bv_file* b = file_of_round( f, balls + 1, 1 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion fly = slide( ( bv_vec3 ){ 0, 0, 6 }, ( bv_vec3 ){ 0, 0, 0 } );
	bv_sweep_result whole;
	assert_int_equal( bv_sweep_meshes( a, &still, b, &fly, NULL, &whole ), bv_ok );
	assert_true( whole.found && whole.complete );
	int incomplete = 0;
	for ( uint64_t most = 1; most < 2 * ( whole.volume_tests + whole.triangle_tests ); most += 1 + most / 50 )
	{
		bv_sweep_options options = { .most_tests = most };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_meshes( a, &still, b, &fly, &options, &r ), bv_ok );
		assert_true( r.lower <= whole.upper );
		assert_true( r.complete ? r.found : !r.certain || r.found );
		options.mode = bv_sweep_mode_sampled;
		assert_int_equal( bv_sweep_meshes( a, &still, b, &fly, &options, &r ), bv_ok );
		assert_true( r.complete || r.volume_tests + r.triangle_tests < 2 * most + 5000 );
		incomplete += !r.complete;
	}
	assert_true( incomplete > 0 );
}

// Wherever the tests end, nothing touches before `lower`, and nothing is found that is not.
static void no_limit_of_tests_makes_an_answer_late( void** state )
{
	fixture* f = *state;
	int incomplete = 0;
	int rounds = is_thorough() ? 500 : 20;
	for ( int round = 0; round < rounds; ++round )
	{
		bvb_mesh balls[2] = { bumpy_ball( f, 6 ), bumpy_ball( f, 7 ) };
		const bv_file* a = file_of_round( f, balls, round );
		const bv_file* b = file_of_round( f, balls + 1, round / 3 );
		bv_motion m = turning( f, round, 2.5, 1, false );
		bv_motion n = turning( f, round / 4, 2.5, 1, false );
		bv_sweep_result whole;
		assert_int_equal( bv_sweep_meshes( a, &m, b, &n, NULL, &whole ), bv_ok );
		uint64_t all = whole.volume_tests + whole.triangle_tests + whole.steps;
		for ( uint64_t most = 1; most < 2 * all; most += 1 + most / 20 )
		{
			bv_sweep_options options = { .most_tests = most };
			bv_sweep_result r;
			assert_int_equal( bv_sweep_meshes( a, &m, b, &n, &options, &r ), bv_ok );
			assert_true( !whole.found || r.lower <= whole.upper );
			assert_true( r.complete || !r.certain || r.found );
			assert_true( whole.found || !r.found );
			assert_true( r.complete ? r.found == whole.found : most < 2 * all );
			incomplete += !r.complete;
		}
		bv_sweep_options options = { .mode = bv_sweep_mode_sampled };
		assert_int_equal( bv_sweep_meshes( a, &m, b, &n, &options, &whole ), bv_ok );
		for ( uint64_t most = 1; most < all; most += 1 + most / 5 )
		{
			bv_sweep_result r;
			options.most_tests = most;
			assert_int_equal( bv_sweep_meshes( a, &m, b, &n, &options, &r ), bv_ok );
			assert_true( !whole.found || r.lower < whole.upper || whole.upper == 0 );
		}
	}
	assert_true( incomplete > rounds );
}

// Stretched and mirrored meshes, and a separation: at `lower` they are as far apart as it says, to what they move in 1e-6.
static void meshes_come_as_near_as_the_separation( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bvb_mesh balls[2] = { bumpy_ball( f, 6 ), bumpy_ball( f, 5 ) };
		const bv_file* a = file_of_round( f, balls, round );
		const bv_file* b = file_of_round( f, balls + 1, round / 3 );
		bv_motion m = turning( f, round, 2.5, 1, false );
		bv_motion n = turning( f, round / 4, 2.5, 1, false );
		m.scale = 0.5 + random_unit( f );
		n.scale = 0.5 + random_unit( f );
		m.mirror = round % 2;
		n.mirror = round / 2 % 2;
		bv_sweep_options options = { .separation = round % 3 * 0.1 };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_meshes( a, &m, b, &n, &options, &r ), bv_ok );
		bv_transform placed = between( &m, &n, r.lower );
		bv_distance_result d;
		assert_int_equal( bv_mesh_distance( a, b, &placed, NULL, &d ), bv_ok );
		double distance = d.distance * m.scale;
		assert_true( r.lower == 0 || distance >= options.separation * ( 1 - 1e-9 ) );
		if ( r.found && r.lower > 0 )
		{
			assert_true( r.certain && r.upper - r.lower <= 1e-6 );
			assert_true( distance <= options.separation + 1e-6 * 100 );
			assert_true( fabs( bv_length( bv_sub( r.point[0], r.point[1] ) ) - distance ) < 1e-3 );
			++hits;
		}
	}
	assert_true( hits > 5 );
}

// Curved shapes, for which the distance is known to a part of itself only.
static void curved_shapes_come_as_near_as_the_separation( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 500; ++round )
	{
		bv_convex a = bv_convex_cone( random_around( f ), random_around( f ), 0.2 + random_unit( f ) );
		bv_convex b = bv_convex_cylinder( random_around( f ), random_around( f ), 0.2 + random_unit( f ) );
		bv_motion m = turning( f, round, 2, 1, false );
		bv_motion n = turning( f, round / 4, 2, 1, false );
		bv_sweep_options options = { .separation = 0.3 * random_unit( f ) };
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convexes( &a, &m, &b, &n, &options, &r ), bv_ok );
		assert_true( !r.found || ( r.certain && r.upper - r.lower <= 1e-6 ) );
		hits += r.found;
	}
	assert_true( hits > 50 );
}

static void sequences_of_many_parts_are_followed_to_the_end( void** state )
{
	(void)state;
	enum
	{
		parts = 300,
	};
	static bv_motion part[parts];
	static double ends[2][parts];
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < parts; ++i )
	{
		part[i] = stay( ( bv_vec3 ){ 0, 0, 9 } );
		ends[0][i] = ( i + 1.0 ) / parts;
		ends[1][i] = i < parts - 1 ? 0.5 + 1e-9 * i : 1;
	}
	for ( int kind = 0; kind < 2; ++kind )
	{
		bv_motion all = bv_motion_sequence( part, ends[kind], parts );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_convexes( &box, &still, &box, &all, NULL, &r ), bv_ok );
		assert_true( !r.found && r.certain );
	}
	// The last part overlaps, and begins at the end of the range.
	part[parts - 1] = still;
	bv_motion all = bv_motion_sequence( part, ends[0], parts );
	bv_sweep_options until = { .limit = ends[0][parts - 2] };
	bv_sweep_result r;
	assert_int_equal( bv_sweep_convexes( &box, &still, &box, &all, &until, &r ), bv_ok );
	assert_true( r.found && r.certain && r.lower == until.limit );
}

// Faces of boxes that come to lie on each other have no triangles that cross; sides do, a little later.
static void boxes_land_flush( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &box, 0 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < 3; ++i )
	{
		double from = i == 0 ? 4 : 4.1 + i;
		bv_motion fall = slide( ( bv_vec3 ){ from, 0.25, 0.125 }, ( bv_vec3 ){ 0, 0.25, 0.125 } );
		bv_sweep_result r;
		assert_int_equal( bv_sweep_meshes( file, &still, file, &fall, NULL, &r ), bv_ok );
		assert_bracket( &r, ( from - 1 ) / from );
	}
	bv_motion part = slide( ( bv_vec3 ){ 0.5, 0.5, 0.5 }, ( bv_vec3 ){ 4, 0, 0 } );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_meshes( file, &still, file, &part, NULL, &r ), bv_ok );
	assert_true( r.found && r.certain && r.at_start && r.lower == 0 );
}

// Two sheets of 800 triangles that slide over each other, next to each other everywhere; and a jump past the other mesh.
static void what_is_near_everywhere_takes_no_time( void** state )
{
	fixture* f = *state;
	enum
	{
		side = 20,
	};
	bvb_mesh sheet = soup_create( f, 2 * side * side );
	for ( uint32_t i = 0; i < side * side; ++i )
	{
		double x = (double)( i % side ) / side;
		double y = (double)( i / side ) / side;
		double d = 1.0 / side;
		const bv_vec3 corner[4] = { { x, y, 0 }, { x + d, y, 0 }, { x + d, y + d, 0 }, { x, y + d, 0 } };
		for ( uint32_t k = 0; k < 3; ++k )
		{
			sheet.positions[6 * i + k] = corner[k];
			sheet.positions[6 * i + 3 + k] = corner[( k + 2 ) % 4];
		}
	}
	const bv_file* file = file_of_round( f, &sheet, 0 );
	bv_motion still = stay( ( bv_vec3 ){ 0, 0, 0 } );
	bv_motion along = slide( ( bv_vec3 ){ 0, 0, 0.01 }, ( bv_vec3 ){ 1, 0, 0.01 } );
	bv_sweep_result r;
	assert_int_equal( bv_sweep_meshes( file, &still, file, &along, NULL, &r ), bv_ok );
	assert_true( !r.found && r.certain && r.volume_tests + r.triangle_tests < 100000 );

	static const double ends[2] = { 0.3, 1 };
	bv_motion parts[2] = { stay( ( bv_vec3 ){ 0, 0, 5 } ), stay( ( bv_vec3 ){ 0, 0, -5 } ) };
	bv_motion jump = bv_motion_sequence( parts, ends, 2 );
	assert_int_equal( bv_sweep_meshes( file, &still, file, &jump, NULL, &r ), bv_ok );
	assert_true( !r.found && r.certain && r.volume_tests + r.triangle_tests < 1000 );

	// At a gap of 1e-5 there is no room for all pairs on the stack: the answer is sound without memory, and complete with it.
	static uint64_t memory[BV_SWEEP_SCRATCH_AMPLE / 8];
	bv_motion close = slide( ( bv_vec3 ){ 0, 0, 1e-5 }, ( bv_vec3 ){ 0.02, 0, 1e-5 } );
	bv_sweep_options options = { .scratch = memory, .scratch_bytes = sizeof memory };
	assert_int_equal( bv_sweep_meshes( file, &still, file, &close, &options, &r ), bv_ok );
	assert_true( !r.found && r.certain && r.complete );
	assert_int_equal( bv_sweep_meshes( file, &still, file, &close, NULL, &r ), bv_ok );
	assert_true( !r.found && r.certain == r.complete );
	options.scratch_bytes = BV_SWEEP_SCRATCH_LEAST - 1;
	assert_int_equal( bv_sweep_meshes( file, &still, file, &close, &options, &r ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_box_lands_when_its_gap_is_closed ),
		cmocka_unit_test( a_turning_rod_hits_a_wall_with_its_end ),
		cmocka_unit_test_setup_teardown( convex_shapes_are_apart_before_and_meet_after, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( nothing_fast_and_thin_passes_a_wall, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( meshes_are_apart_before_and_meet_after, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( a_shape_meets_a_mesh_as_it_meets_its_triangles, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( meshes_come_as_near_as_the_separation, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( curved_shapes_come_as_near_as_the_separation, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test( sequences_of_many_parts_are_followed_to_the_end ),
		cmocka_unit_test_setup_teardown( boxes_land_flush, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( what_is_near_everywhere_takes_no_time, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( features_that_meet_head_on_are_certain, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test( sequences_are_followed_part_by_part ),
		cmocka_unit_test( a_part_of_two_roundings_does_not_lead_back ),
		cmocka_unit_test( contact_at_the_end_of_the_range_counts ),
		cmocka_unit_test( what_jumps_past_a_face_does_not_touch_it ),
		cmocka_unit_test( a_callback_is_followed_within_its_speed ),
		cmocka_unit_test( a_callback_without_a_pose_is_an_error_until_the_contact ),
		cmocka_unit_test( modes_that_sample_miss_what_is_between ),
		cmocka_unit_test_setup_teardown( nothing_before_the_start_of_the_range_counts, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( other_modes_start_with_the_range, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( separations_cost_little, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( bad_arguments_are_refused, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( a_limit_of_tests_leaves_a_sound_answer, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( no_limit_of_tests_makes_an_answer_late, fixture_setup,
		                                 fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
