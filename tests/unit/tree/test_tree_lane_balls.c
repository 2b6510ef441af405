// A ball and a box around boxes in lanes: distances of boxes from a point, and which boxes are inside. Boxes
// are decoded in binary64, where both have closed forms.

#include "lane_shapes.h"

enum
{
	cases = 20000,
};

// Of a point from the nearest and from the farthest point of a box.
static void distances_of( const bv_obb* box, bv_vec3 point, double* least, double* most )
{
	bv_vec3 d = bv_sub( point, box->center );
	double near = 0;
	double far = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double at = fabs( bv_dot( box->axis[i], d ) );
		double beyond = bvmath_max( at - box->half_extents[i], 0 );
		near += beyond * beyond;
		far += ( at + box->half_extents[i] ) * ( at + box->half_extents[i] );
	}
	*least = sqrt( near );
	*most = sqrt( far );
}

static uint32_t compare_ball( const bvtree_lanes* level, const stored* s, const bvtree_lane_ball* ball,
                              float least[8], float most[8] )
{
	return ( s->aligned ? level->aabb_ball : level->obb_ball )( &s->group, ball, least, most );
}

static bvtree_lane_ball random_ball( fixture* f )
{
	bvtree_lane_ball ball = { .radius = (float)random_within( f, 0, 1.5 ) };
	for ( int i = 0; i < 3; ++i )
	{
		ball.center[i] = (float)random_within( f, -0.5, 1.5 );
	}
	ball.slack = random_bits( f ) % 2 ? 0 : 0.01f;
	return ball;
}

// 1e-4 is more than what of numbers up to 2 goes for rounding.
static void distances_from_a_point_are_bounded_closely( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		float least[8];
		float most[8];
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_ball ball = random_ball( f );
		uint32_t near = compare_ball( bvtree_lanes_best(), &s, &ball, least, most );
		for ( uint32_t lane = 0; lane < s.group.count; ++lane )
		{
			double of_nearest;
			double of_farthest;
			bv_obb box = lane_of( &s, lane );
			distances_of( &box, row( ball.center ), &of_nearest, &of_farthest );
			bool is_near = near >> lane & 1;
			of_nearest = bvmath_max( 0, of_nearest - ball.slack );
			of_farthest += ball.slack;
			assert_true( is_near || of_nearest > ball.radius );
			assert_true( !is_near || of_nearest - 1e-4 <= ball.radius );
			assert_true( !is_near || ( least[lane] <= of_nearest && least[lane] >= of_nearest - 1e-4 ) );
			assert_true( is_near || least[lane] == INFINITY );
			assert_true( most[lane] >= of_farthest && most[lane] <= of_farthest + 1e-4 );
		}
	}
}

// Squares of lengths below 2^-75 are 0 in binary32. Those below 2^-63 may be, and have few bits.
static void bounds_of_tiny_boxes_hold( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		float least[8];
		float most[8];
		double size = ldexp( 1, -20 - i % 100 );
		random_group( f, i % 2 == 0, size, &s );
		bvtree_lane_ball ball = { .radius = INFINITY };
		for ( int k = 0; k < 3; ++k )
		{
			ball.center[k] = (float)( size * random_within( f, -0.5, 1.5 ) );
		}
		compare_ball( bvtree_lanes_best(), &s, &ball, least, most );
		for ( uint32_t lane = 0; lane < s.group.count; ++lane )
		{
			double of_nearest;
			double of_farthest;
			bv_obb box = lane_of( &s, lane );
			distances_of( &box, row( ball.center ), &of_nearest, &of_farthest );
			assert_true( least[lane] <= of_nearest && most[lane] >= of_farthest );
		}
	}
}

static void lanes_without_a_box_are_infinitely_far( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level;
	for ( uint32_t index = 0; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		for ( int i = 0; i < cases / 20; ++i )
		{
			stored s;
			float least[8] = { 0 };
			float most[8] = { 0 };
			random_group( f, i % 2 == 0, 1, &s );
			bvtree_lane_ball ball = random_ball( f );
			ball.radius = INFINITY;
			assert_int_equal( compare_ball( level, &s, &ball, least, most ), ( 1 << s.group.count ) - 1 );
			for ( uint32_t lane = 0; lane < 8; ++lane )
			{
				assert_true( ( lane < s.group.count ) == ( least[lane] < INFINITY ) );
				assert_true( ( lane < s.group.count ) == ( most[lane] < INFINITY ) );
			}
		}
	}
}

static uint32_t compare_faces( const bvtree_lanes* level, const stored* s, const bvtree_lane_box* box,
                               uint32_t* inside )
{
	return ( s->aligned ? level->aabb_faces : level->obb_faces )( &s->group, box, inside );
}

// How far the corners of a box are beyond the faces of another one.
static double beyond_faces( const bvtree_lane_box* a, const bv_obb* b )
{
	double most = -INFINITY;
	bv_vec3 d = bv_sub( b->center, row( a->center ) );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis = row( a->axis[i] );
		double reach = fabs( bv_dot( axis, d ) ) - a->half[i];
		for ( int j = 0; j < 3; ++j )
		{
			reach += b->half_extents[j] * fabs( bv_dot( axis, b->axis[j] ) );
		}
		most = bvmath_max( most, reach );
	}
	return most;
}

// Extents are such that some boxes are inside, some are apart, and some are neither. 2e-4 is more than what
// goes for rounding.
static void boxes_within_a_box_are_found( void** state )
{
	fixture* f = *state;
	int count[2] = { 0 };
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		uint32_t inside;
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box box = random_lane_box( f, 2 );
		for ( int k = 0; k < 3; ++k )
		{
			box.center[k] = (float)random_within( f, 0, 1 );
		}
		box.slack = random_bits( f ) % 2 ? 0 : 0.01f;
		uint32_t near = compare_faces( bvtree_lanes_best(), &s, &box, &inside );
		assert_int_equal( inside & ~near, 0 );
		for ( uint32_t lane = 0; lane < s.group.count; ++lane )
		{
			bv_obb b = lane_of( &s, lane );
			double beyond = beyond_faces( &box, &b ) + box.slack;
			bool is_inside = inside >> lane & 1;
			assert_true( !is_inside || beyond <= 0 );
			assert_true( is_inside || beyond > -2e-4 );
			count[is_inside] += 1;
		}
	}
	assert_true( count[0] > cases / 10 && count[1] > cases / 10 );
}

// The thirteen other axes only tell more boxes apart.
static void faces_tell_no_boxes_apart_that_meet( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int apart = 0;
	int missed = 0;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		uint32_t inside;
		float size[8];
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box box = random_lane_box( f, 1 );
		bv_vec3 d = random_direction( f );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb b = lane_of( &s, lane );
		double gap = random_within( f, -0.3, 0.3 );
		place_apart( f, &box, &b, d, gap );
		uint32_t faces = compare_faces( level, &s, &box, &inside );
		uint32_t all = ( s.aligned ? level->aabb : level->obb )( &s.group, &box, size );
		assert_int_equal( all & ~faces, 0 );
		apart += !( all >> lane & 1 );
		missed += faces >> lane & ~( all >> lane ) & 1;
	}
	assert_true( apart > cases / 5 && missed < apart / 4 );
}

static void all_levels_agree( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases / 4; ++i )
	{
		stored s;
		uint32_t inside[2];
		float least[2][8];
		float most[2][8];
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_ball ball = random_ball( f );
		bvtree_lane_box box = random_lane_box( f, 1 );
		box.center[0] = i % 7 == 0 ? INFINITY : i % 7 == 1 ? NAN : 0.5f;
		uint32_t near = compare_ball( bvtree_lanes_level( 0 ), &s, &ball, least[0], most[0] );
		uint32_t faces = compare_faces( bvtree_lanes_level( 0 ), &s, &box, inside );
		assert_true( i % 7 > 1 || inside[0] == 0 );
		const bvtree_lanes* level;
		for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			assert_int_equal( compare_ball( level, &s, &ball, least[1], most[1] ), near );
			assert_memory_equal( least[0], least[1], sizeof least[0] );
			assert_memory_equal( most[0], most[1], sizeof most[0] );
			assert_int_equal( compare_ball( level, &s, &ball, least[1], NULL ), near );
			assert_memory_equal( least[0], least[1], sizeof least[0] );
			assert_int_equal( compare_faces( level, &s, &box, inside + 1 ), faces );
			assert_int_equal( inside[1], inside[0] );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( distances_from_a_point_are_bounded_closely ),
		fixture_test( bounds_of_tiny_boxes_hold ),
		fixture_test( lanes_without_a_box_are_infinitely_far ),
		fixture_test( boxes_within_a_box_are_found ),
		fixture_test( faces_tell_no_boxes_apart_that_meet ),
		fixture_test( all_levels_agree ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
