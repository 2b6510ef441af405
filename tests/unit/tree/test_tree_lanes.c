// Boxes in lanes. What is expected is known from how pairs are made, which is apart by a gap along a
// direction, and from separating axes in binary128 of the same numbers.

#include "lane_shapes.h"

enum
{
	cases = 40000,
};

typedef uint32_t box_kernel( const bvtree_lane_group*, const bvtree_lane_box*, float[8] );

static box_kernel* kernel_of( const bvtree_lanes* level, const stored* s )
{
	return s->aligned ? level->aabb : level->obb;
}

static uint32_t near_lanes( const bvtree_lanes* level, const stored* s, const bvtree_lane_box* box )
{
	float size[8];
	return kernel_of( level, s )( &s->group, box, size );
}

static box_kernel* moving_kernel_of( const bvtree_lanes* level, const stored* s )
{
	return s->aligned ? level->aabb_moving : level->obb_moving;
}

// A pair that touches or nearly does, of a node of the size 2^exponent.
static uint32_t random_close_pair( fixture* f, bool aligned, int exponent, stored* s, bvtree_lane_box* a,
                                   bv_obb* b )
{
	double unit = ldexp( 1, exponent );
	random_group( f, aligned, unit, s );
	*a = random_lane_box( f, unit * pow( 10, random_within( f, -2, 1 ) ) );
	if ( random_bits( f ) % 2 )
	{
		skew( f, a );
	}
	uint32_t lane = random_bits( f ) % s->group.count;
	*b = lane_of( s, lane );
	bv_vec3 d = candidate( f, a, b, random_bits( f ) % 16 );
	double gap = lane_extents( a, b ) * random_within( f, -1, 1 ) * pow( 10, random_within( f, -9, -5 ) );
	place_apart( f, a, b, bv_dot( d, d ) > 0 ? d : random_direction( f ), gap );
	return lane;
}

static uint32_t near_now( const stored* s, const bvtree_lane_box* a )
{
	return near_lanes( bvtree_lanes_best(), s, a );
}

// @param near      near_now, or the same in another state of the machine
// @param exponent  the least of sizes, which range over `range` powers of two
static void assert_none_that_touch_are_apart( fixture* f,
                                              uint32_t near( const stored*, const bvtree_lane_box* ),
                                              int exponent, uint32_t range )
{
	int touching = 0;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		bvtree_lane_box a;
		bv_obb b;
		int size = (int)( random_bits( f ) % range ) + exponent;
		uint32_t lane = random_close_pair( f, i % 2 == 0, size, &s, &a, &b );
		solid one = solid_lane_box( &a );
		solid other = solid_obb( &b );
		if ( !truly_apart( &one, &other ) )
		{
			touching += 1;
			assert_true( near( &s, &a ) >> lane & 1 );
		}
	}
	assert_in_range( touching, cases / 4, cases * 3 / 4 );
}

static void no_boxes_that_touch_are_apart( void** state )
{
	assert_none_that_touch_are_apart( *state, near_now, -60, 120 );
}

// A hundred-thousandth of the sum of half extents along an axis of either box, twice that along products.
static void small_gaps_are_found( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int found[15] = { 0 };
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box a = random_lane_box( f, pow( 10, random_within( f, -2, 1 ) ) );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb b = lane_of( &s, lane );
		uint32_t kind = random_bits( f ) % 15;
		bv_vec3 d = candidate( f, &a, &b, kind );
		if ( bv_dot( d, d ) > 0 )
		{
			// Small ones far from the origin have their place rounded by more.
			double gap = ( kind < 6 ? 1e-5 : 2e-5 ) * lane_extents( &a, &b ) + 0x1p-21;
			place_apart( f, &a, &b, d, gap );
			assert_false( near_lanes( level, &s, &a ) >> lane & 1 );
			found[kind] += 1;
		}
	}
	for ( int kind = 0; kind < 15; ++kind )
	{
		assert_true( found[kind] > cases / 50 );
	}
}

static void a_slack_closes_a_gap( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int closed = 0;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box a = random_lane_box( f, 1 );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb b = lane_of( &s, lane );
		double gap = 0.1 * random_unit( f );
		place_apart( f, &a, &b, random_direction( f ), gap );
		bool apart = !( near_lanes( level, &s, &a ) >> lane & 1 );
		a.slack = (float)( gap + 0x1p-20 );
		assert_true( near_lanes( level, &s, &a ) >> lane & 1 );
		closed += apart;
	}
	assert_true( closed > cases / 2 );
}

// A part of the way of a box.
static solid moved_along( const bvtree_lane_box* box, double part )
{
	solid s = solid_lane_box( box );
	for ( int i = 0; i < 3; ++i )
	{
		s.corner[0].at[i] += (quad)part * box->way[i];
	}
	return s;
}

// Boxes that touch are moved back along their way: by all of it, forth or back, or by a part.
static void no_boxes_that_touch_on_their_way_are_apart( void** state )
{
	fixture* f = *state;
	int touching = 0;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		bvtree_lane_box a;
		bv_obb b;
		int exponent = i % 120 - 60;
		uint32_t lane = random_close_pair( f, i / 2 % 2 == 0, exponent, &s, &a, &b );
		double part = i % 4 == 0 ? 1 : i % 4 == 1 ? -1 : random_within( f, -1, 1 );
		double length = ldexp( pow( 10, random_within( f, -3, 2 ) ), exponent );
		bv_vec3 way = bv_scale( length, random_direction( f ) );
		const double at[3] = { way.x, way.y, way.z };
		for ( int k = 0; k < 3; ++k )
		{
			a.way[k] = (float)at[k];
			a.center[k] = (float)( a.center[k] - part * a.way[k] );
		}
		solid one = moved_along( &a, part );
		solid other = solid_obb( &b );
		if ( !truly_apart( &one, &other ) )
		{
			float size[8];
			touching += 1;
			assert_true( moving_kernel_of( bvtree_lanes_best(), &s )( &s.group, &a, size ) >> lane & 1 );
		}
	}
	assert_in_range( touching, cases / 4, cases * 3 / 4 );
}

// What a box passes at a distance of a hundredth of its size is apart, though it moves by its size to both sides. The gap is along one
// of the fifteen axes, and the way at right angles to that.
static void boxes_pass_each_other( void** state )
{
	fixture* f = *state;
	int found[15] = { 0 };
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box a = random_lane_box( f, 1 );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb b = lane_of( &s, lane );
		uint32_t kind = random_bits( f ) % 15;
		bv_vec3 d = candidate( f, &a, &b, kind );
		if ( bv_dot( d, d ) > 1e-4 )
		{
			place_apart( f, &a, &b, d, 1e-2 * lane_extents( &a, &b ) );
			bv_vec3 across = bv_normalize( bv_cross( d, random_direction( f ) ) );
			bv_vec3 way = bv_scale( lane_extents( &a, &b ), across );
			a.way[0] = (float)way.x;
			a.way[1] = (float)way.y;
			a.way[2] = (float)way.z;
			float size[8];
			assert_false( moving_kernel_of( bvtree_lanes_best(), &s )( &s.group, &a, size ) >> lane & 1 );
			found[kind] += 1;
		}
	}
	for ( int kind = 0; kind < 15; ++kind )
	{
		assert_true( found[kind] > cases / 50 );
	}
}

static void a_box_without_a_way_is_one_that_does_not_move( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		bvtree_lane_box a;
		bv_obb b;
		random_close_pair( f, i % 2 == 0, i % 120 - 60, &s, &a, &b );
		a.way[0] = a.way[1] = a.way[2] = 0;
		float size[2][8];
		uint32_t moving = moving_kernel_of( bvtree_lanes_best(), &s )( &s.group, &a, size[0] );
		assert_int_equal( moving, kernel_of( bvtree_lanes_best(), &s )( &s.group, &a, size[1] ) );
	}
}

#ifdef __SSE2__
static uint32_t near_flushed( const stored* s, const bvtree_lane_box* a )
{
	unsigned before = flush_denormals();
	uint32_t near = near_now( s, a );
	_mm_setcsr( before );
	return near;
}

static void flushing_denormal_numbers_parts_nothing_that_touches( void** state )
{
	assert_none_that_touch_are_apart( *state, near_flushed, -130, 60 );
}
#endif

static bool same_bits( const float a[8], const float b[8], uint32_t lanes )
{
	for ( uint32_t i = 0; i < 8; ++i )
	{
		if ( lanes >> i & 1 && memcmp( &a[i], &b[i], sizeof a[i] ) != 0 )
		{
			return false;
		}
	}
	return true;
}

static void assert_levels_agree( const stored* s, const bvtree_lane_box* box )
{
	const bvtree_lanes* scalar = bvtree_lanes_level( 0 );
	float expected_size[8];
	uint32_t expected = kernel_of( scalar, s )( &s->group, box, expected_size );
	assert_int_equal( expected >> s->group.count, 0 );
	const bvtree_lanes* level;
	for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		float size[8];
		assert_int_equal( kernel_of( level, s )( &s->group, box, size ), expected );
		assert_true( same_bits( size, expected_size, expected ) );
	}
	expected = moving_kernel_of( scalar, s )( &s->group, box, expected_size );
	assert_int_equal( expected >> s->group.count, 0 );
	for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		float size[8];
		assert_int_equal( moving_kernel_of( level, s )( &s->group, box, size ), expected );
		assert_true( same_bits( size, expected_size, expected ) );
	}
}

static void all_levels_give_the_same_bits( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		bvtree_lane_box a;
		bv_obb b;
		random_close_pair( f, i % 2 == 0, i % 120 - 60, &s, &a, &b );
		for ( int k = 0; k < 3; ++k )
		{
			a.way[k] = ldexpf( (float)random_within( f, -1, 1 ), i % 120 - 60 );
		}
		assert_levels_agree( &s, &a );
	}
}

// Numbers that arithmetic does not do much good to.
static float special( fixture* f )
{
	static const float values[] = { 0,         -0.0f,   1,        -1,        0x1p-149f,      0x1p-126f,
		                            0x1p-100f, 0x1p64f, 0x1p115f, -0x1p127f, 0x1.fffffep127f };
	return values[random_bits( f ) % ( sizeof values / sizeof *values )];
}

static void levels_agree_on_what_over_and_underflows( void** state )
{
	fixture* f = *state;
	const float none[] = { INFINITY, -INFINITY, NAN };
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		bvtree_lane_box a = random_lane_box( f, 1 );
		for ( int k = 0; k < 3; ++k )
		{
			a.center[k] = special( f );
			a.half[k] = fabsf( special( f ) );
			s.group.step[k] = ldexpf( 1, (int)( random_bits( f ) % 256 ) - 140 );
		}
		a.center[0] = random_bits( f ) % 4 == 0 ? none[random_bits( f ) % 3] : a.center[0];
		a.axis[1][1] = random_bits( f ) % 4 == 0 ? special( f ) : a.axis[1][1];
		s.group.extent = s.aligned ? 0 : ldexpf( 1, (int)( random_bits( f ) % 256 ) - 148 );
		a.slack = fabsf( special( f ) );
		for ( int k = 0; k < 3; ++k )
		{
			a.way[k] = special( f );
		}
		assert_levels_agree( &s, &a );
	}
}

// Of what overflows, or is no number, nothing is certain.
static void nothing_is_apart_of_what_is_not_finite( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	const float none[] = { INFINITY, -INFINITY, NAN };
	for ( int i = 0; i < cases / 10; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		uint32_t all = ( 1u << s.group.count ) - 1;
		bvtree_lane_box a = random_lane_box( f, 1 );
		bvtree_lane_box b = a;
		b.center[random_bits( f ) % 3] = none[i % 3];
		assert_int_equal( near_lanes( level, &s, &b ), all );
		b = a;
		b.center[0] = 4;
		b.half[random_bits( f ) % 3] = i % 2 ? INFINITY : NAN;
		assert_int_equal( near_lanes( level, &s, &b ), all );
		b = a;
		b.center[0] = 4;
		b.slack = i % 2 ? INFINITY : NAN;
		assert_int_equal( near_lanes( level, &s, &b ), all );
	}
}

// Coordinates and extents at the far ends of what a file can hold: the boxes share a point, whatever is lost.
static void the_far_ends_of_the_range_hold( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		int exponent =
			( i / 2 ) % 2 ? 115 - (int)( random_bits( f ) % 30 ) : (int)( random_bits( f ) % 60 ) - 140;
		double unit = ldexp( 1, exponent );
		for ( int k = 0; k < 3; ++k )
		{
			s.group.step[k] = (float)unit;
		}
		s.group.extent = s.aligned ? 0 : (float)ldexp( 1, exponent - 8 );
		bvtree_lane_box a = random_lane_box( f, 200 * unit );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb b = lane_of( &s, lane );
		a.center[0] = (float)b.center.x;
		a.center[1] = (float)b.center.y;
		a.center[2] = (float)b.center.z;
		assert_true( near_lanes( level, &s, &a ) >> lane & 1 );
	}
}

// The grid's axes and whole numbers: products are 0, gaps exact.
static void parallel_boxes_are_apart_only_along_their_axes( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases / 10; ++i )
	{
		stored s = { .aligned = true, .group = { s.data, 1, { 1, 1, 1 }, 0 } };
		memcpy( s.data, ( uint8_t[6] ){ 10, 20, 30, 20, 40, 60 }, 6 );
		bvtree_lane_box a = { .axis = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, .half = { 20, 30, 10 } };
		const float reach[3] = { 30, 60, 90 };
		for ( int k = 0; k < 3; ++k )
		{
			a.center[k] = ( float[3] ){ 60, 120, 180 }[k] + (float)random_within( f, -1, 1 ) * reach[k];
		}
		int k = (int)( random_bits( f ) % 3 );
		float side = random_bits( f ) % 2 ? 1 : -1;
		a.center[k] = ( float[3] ){ 60, 120, 180 }[k] + side * reach[k];
		assert_int_equal( near_lanes( level, &s, &a ), 1 );
		a.center[k] += side * 0.01f;
		assert_int_equal( near_lanes( level, &s, &a ), 0 );
	}
}

// Half extents 1, 2 and 3: 3 * 2 * (1 + 0.01 * 2).
static void the_measure_is_nearly_the_volume( void** state )
{
	(void)state;
	stored s = { .group = { s.data, 1, { 1, 1, 1 }, 0x1p-4f } };
	memset( s.data + 4, 0, 4 );
	memcpy( s.data + 8, ( uint8_t[3] ){ 4, 8, 12 }, 3 );
	bvtree_lane_box a = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half = { 1, 1, 1 } };
	float size[8];
	assert_int_equal( bvtree_lanes_best()->obb( &s.group, &a, size ), 1 );
	assert_float_equal( size[0], 9 * 4 * ( 1 + 0.01 * 4 ), 1e-4 );
}

static void the_best_level_is_the_last( void** state )
{
	(void)state;
	const bvtree_lanes* last = NULL;
	for ( uint32_t i = 0; bvtree_lanes_level( i ); ++i )
	{
		last = bvtree_lanes_level( i );
	}
	assert_string_equal( bvtree_lanes_level( 0 )->name, "scalar" );
	assert_ptr_equal( bvtree_lanes_best(), last );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_boxes_that_touch_are_apart ),
		fixture_test( small_gaps_are_found ),
		fixture_test( no_boxes_that_touch_on_their_way_are_apart ),
		fixture_test( boxes_pass_each_other ),
		fixture_test( a_box_without_a_way_is_one_that_does_not_move ),
		fixture_test( a_slack_closes_a_gap ),
#ifdef __SSE2__
		fixture_test( flushing_denormal_numbers_parts_nothing_that_touches ),
#endif
		fixture_test( all_levels_give_the_same_bits ),
		fixture_test( levels_agree_on_what_over_and_underflows ),
		fixture_test( nothing_is_apart_of_what_is_not_finite ),
		fixture_test( the_far_ends_of_the_range_hold ),
		fixture_test( parallel_boxes_are_apart_only_along_their_axes ),
		fixture_test( the_measure_is_nearly_the_volume ),
		fixture_test( the_best_level_is_the_last ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
