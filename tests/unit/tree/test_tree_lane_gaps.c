// Lower bounds of distances of boxes in lanes. Pairs are made so that their distance is known: the outermost
// points of both along a direction are a gap apart along just that.

#include "lane_shapes.h"

enum
{
	cases = 40000,
};

static float gap_of( const bvtree_lanes* level, const stored* s, const bvtree_lane_box* a, uint32_t lane )
{
	float gap[8];
	( s->aligned ? level->aabb_gap : level->obb_gap )( &s->group, a, gap );
	return gap[lane];
}

typedef struct apart_pair
{
	stored s;
	bvtree_lane_box a;
	bv_obb b;
	uint32_t lane;
	double distance; // not below the true one, and above it only by what rounding moves a sideways
} apart_pair;

// @param kind  as candidate()'s
static bool random_apart_pair( fixture* f, uint32_t kind, apart_pair* p )
{
	random_group( f, random_bits( f ) % 2, 1, &p->s );
	p->a = random_lane_box( f, pow( 10, random_within( f, -2, 1 ) ) );
	p->lane = random_bits( f ) % p->s.group.count;
	p->b = lane_of( &p->s, p->lane );
	bv_vec3 d = candidate( f, &p->a, &p->b, kind );
	if ( bv_dot( d, d ) == 0 )
	{
		return false;
	}
	double gap = lane_extents( &p->a, &p->b ) * pow( 10, random_within( f, -7, 2 ) );
	p->distance = place_apart( f, &p->a, &p->b, d, gap );
	return true;
}

// Along an axis of the boxes, or a product, a gap has nothing to lose but rounding: a bound without it would
// exceed some.
static void no_gap_is_above_the_distance( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int close = 0;
	for ( int i = 0; i < cases; ++i )
	{
		apart_pair p;
		if ( random_apart_pair( f, random_bits( f ) % 16, &p ) )
		{
			float gap = gap_of( level, &p.s, &p.a, p.lane );
			assert_true( gap >= 0 && gap <= p.distance * ( 1 + 1e-12 ) );
			close += gap > 0.9 * p.distance;
		}
	}
	assert_true( close > cases / 4 );
}

// A part in 1e4 along products, which are taken for longer than they are; of what is compared 1e-5 goes for
// rounding.
static void gaps_along_axes_are_nearly_distances( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		apart_pair p;
		if ( random_apart_pair( f, (uint32_t)i % 15, &p ) )
		{
			bv_vec3 offset = bv_sub( p.b.center, row( p.a.center ) );
			double compared = lane_extents( &p.a, &p.b ) + bvmath_norm1( offset );
			double least = p.distance * ( 1 - 1e-4 ) - 2e-5 * compared;
			assert_true( gap_of( level, &p.s, &p.a, p.lane ) >= least );
		}
	}
}

// All products are 0 then. A cube of half extents 4 and a box of 4, 5 and 6, whose centers are 20 apart along each coordinate in turn.
static void parallel_boxes_keep_their_gaps( void** state )
{
	(void)state;
	stored aligned = { .aligned = true, .group = { aligned.data, 1, { 1, 1, 1 }, 0 } };
	memcpy( aligned.data, ( uint8_t[6] ){ 24, 24, 24, 26, 26, 26 }, 6 );
	stored oriented = { .group = { oriented.data, 1, { 1, 1, 1 }, 0x1p-4f } };
	const uint32_t center = 100 | 100 << 10 | 100 << 20;
	const uint32_t rotation = 512 | 512 << 10 | 512u << 20;
	for ( int b = 0; b < 4; ++b )
	{
		oriented.data[b] = (uint8_t)( center >> 8 * b );
		oriented.data[4 + b] = (uint8_t)( rotation >> 8 * b );
	}
	memset( oriented.data + 8, 8, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		bvtree_lane_box a = { .center = { 100, 100, 100 },
			                  .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
			                  .half = { 4, 5, 6 } };
		a.center[i] += 20;
		float expected = 20 - 4 - a.half[i];
		assert_float_equal( gap_of( bvtree_lanes_best(), &aligned, &a, 0 ), expected, 1e-3 );
		assert_float_equal( gap_of( bvtree_lanes_best(), &oriented, &a, 0 ), expected, 1e-3 );
	}
}

static void a_slack_comes_off_a_gap( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases / 10; ++i )
	{
		apart_pair p;
		if ( random_apart_pair( f, random_bits( f ) % 6, &p ) )
		{
			double before = gap_of( level, &p.s, &p.a, p.lane );
			p.a.slack = (float)( before * random_within( f, 0, 1.2 ) );
			double after = gap_of( level, &p.s, &p.a, p.lane );
			double expected = fmax( before - p.a.slack, 0 );
			assert_true( after <= expected + 1e-7 * before && after >= expected - 1e-4 * before );
		}
	}
}

// How far a point is from a box, in binary64: along each of its axes by itself.
static double distance_of_point( const bv_obb* box, bv_vec3 point )
{
	bv_vec3 offset = bv_sub( point, box->center );
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double beyond = fmax( fabs( bv_dot( box->axis[i], offset ) ) - box->half_extents[i], 0 );
		square += beyond * beyond;
	}
	return sqrt( square );
}

// From all sides, so that faces, edges and corners are nearest.
static void gaps_of_points_are_distances( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases / 4; ++i )
	{
		stored s;
		random_group( f, i % 2, 1, &s );
		bvtree_lane_box a = random_lane_box( f, pow( 10, random_within( f, -2, 1 ) ) );
		memset( a.half, 0, sizeof a.half );
		for ( uint32_t lane = 0; lane < s.group.count; ++lane )
		{
			bv_obb b = lane_of( &s, lane );
			double expected = distance_of_point( &b, row( a.center ) );
			double compared = lane_extents( &a, &b ) + bvmath_norm1( bv_sub( b.center, row( a.center ) ) );
			const bvtree_lanes* level;
			for ( uint32_t k = 0; ( level = bvtree_lanes_level( k ) ) != NULL; ++k )
			{
				double gap = gap_of( level, &s, &a, lane );
				assert_true( gap <= expected * ( 1 + 1e-12 ) );
				assert_true( gap >= expected * ( 1 - 1e-4 ) - 2e-5 * compared );
				assert_true( gap == gap_of( bvtree_lanes_level( 0 ), &s, &a, lane ) );
			}
		}
	}
}

static void assert_gaps_agree( const stored* s, const bvtree_lane_box* a )
{
	const bvtree_lanes* level;
	for ( uint32_t lane = 0; lane < s->group.count; ++lane )
	{
		float expected = gap_of( bvtree_lanes_level( 0 ), s, a, lane );
		assert_true( expected >= 0 );
		for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			float gap = gap_of( level, s, a, lane );
			assert_memory_equal( &gap, &expected, sizeof gap );
		}
	}
}

static void all_levels_give_the_same_gaps( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases / 4; ++i )
	{
		apart_pair p;
		if ( random_apart_pair( f, random_bits( f ) % 16, &p ) )
		{
			assert_gaps_agree( &p.s, &p.a );
		}
	}
}

// What is infinite, no number, or so large that it overflows has no gap.
static void nothing_is_known_of_what_overflows( void** state )
{
	fixture* f = *state;
	const float none[] = { INFINITY, -INFINITY, NAN, 0x1p126f };
	for ( int i = 0; i < cases / 10; ++i )
	{
		apart_pair p;
		if ( random_apart_pair( f, random_bits( f ) % 16, &p ) )
		{
			p.a.center[random_bits( f ) % 3] = none[i % 4];
			assert_gaps_agree( &p.s, &p.a );
			assert_true( gap_of( bvtree_lanes_best(), &p.s, &p.a, p.lane ) == 0 );
		}
	}
}

// Off by 2^90 in two coordinates, which makes sqrt 2 2^90 in all: the square of that does not fit.
static void large_gaps_do_not_overflow( void** state )
{
	(void)state;
	stored s = { .aligned = true, .group = { s.data, 1, { 1, 1, 1 }, 0 } };
	bvtree_lane_box a = { .center = { 0x1p90f, 0x1p90f, 0 },
		                  .axis = { { 0.6f, 0.8f, 0 }, { -0.8f, 0.6f, 0 }, { 0, 0, 1 } },
		                  .half = { 1, 1, 1 } };
	float gap = gap_of( bvtree_lanes_best(), &s, &a, 0 );
	assert_true( gap > 0x1p90 && gap < 0x1.6a09e7p90 );
}

// Squares of gaps below 2^-63 are denormal, and rounded up they would be more than the distance.
static void tiny_gaps_are_not_above_the_distance( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases / 4; ++i )
	{
		stored s;
		random_group( f, i % 2, ldexp( 1, -60 - i / 2 % 20 ), &s );
		bvtree_lane_box a = random_lane_box( f, 1 );
		memset( a.half, 0, sizeof a.half );
		for ( uint32_t lane = 0; lane < s.group.count; ++lane )
		{
			bv_obb b = lane_of( &s, lane );
			double expected = distance_of_point( &b, row( a.center ) );
			assert_true( gap_of( bvtree_lanes_best(), &s, &a, lane ) <= expected * ( 1 + 1e-12 ) );
		}
	}
}

// Along the product of two nearly parallel axes, 0.01 long, the square of a gap of 2^70 would be divided by 0.0001. The distance is
// 2^70, less than a step of binary32 above what is left of it.
static void large_gaps_along_nearly_parallel_axes_do_not_overflow( void** state )
{
	(void)state;
	float c = (float)sqrt( 1 - 1e-4 );
	bvtree_lane_box a = { .center = { 0, 0, 0x1p70f },
		                  .axis = { { c, 0.01f, 0 }, { -0.01f, c, 0 }, { 0, 0, 1 } },
		                  .half = { 1, 1, 1 } };
	stored s = { .aligned = true, .group = { s.data, 1, { 1, 1, 1 }, 0 } };
	for ( uint32_t i = 0; bvtree_lanes_level( i ); ++i )
	{
		float gap = gap_of( bvtree_lanes_level( i ), &s, &a, 0 );
		assert_true( gap > 0x1.fffp69 && gap <= 0x1p70 );
	}
}

// Of the box from 0 to 1, stored turned (by nothing) and aligned, the corner (1, 1, 1) is nearest to a corner 3, 4 and 12 away: 13.
// Along no single axis are the two more than 12 apart.
static void gaps_of_corners_are_distances( void** state )
{
	(void)state;
	static const uint8_t aligned[6 + BVFILE_LANES_SLACK] = { 0, 0, 0, 1, 1, 1 };
	uint8_t turned[11 + BVFILE_LANES_SLACK] = { 0 };
	uint32_t center = 2 | 2 << 10 | 2 << 20;
	uint32_t rotation = bvfile_rotation_bias | bvfile_rotation_bias << 10 | bvfile_rotation_bias << 20;
	memcpy( turned, &center, 4 );
	memcpy( turned + 4, &rotation, 4 );
	memset( turned + 8, 1, 3 );
	const bvtree_lane_group groups[2] = {
		{ .data = aligned, .count = 1, .step = { 0.25f, 0.25f, 0.25f } },
		{ .data = turned, .count = 1, .step = { 0.25f, 0.25f, 0.25f }, .extent = 0.5f },
	};
	const bvtree_lanes* level;
	for ( uint32_t i = 0; ( level = bvtree_lanes_level( i ) ) != NULL; ++i )
	{
		for ( int half = 0; half < 2; ++half )
		{
			float h = (float)half;
			bvtree_lane_box box = { .center = { 4 + h, 5 + h, 13 + h },
				                    .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
				                    .half = { h, h, h } };
			float of_aligned[8];
			float of_turned[8];
			level->aabb_gap( groups, &box, of_aligned );
			level->obb_gap( groups + 1, &box, of_turned );
			assert_true( of_aligned[0] <= 13 && of_aligned[0] > 12.999f );
			assert_true( of_turned[0] <= 13 && of_turned[0] > 12.999f );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_gap_is_above_the_distance ),
		fixture_test( gaps_along_axes_are_nearly_distances ),
		fixture_test( parallel_boxes_keep_their_gaps ),
		fixture_test( a_slack_comes_off_a_gap ),
		fixture_test( all_levels_give_the_same_gaps ),
		fixture_test( nothing_is_known_of_what_overflows ),
		fixture_test( large_gaps_do_not_overflow ),
		fixture_test( tiny_gaps_are_not_above_the_distance ),
		fixture_test( gaps_of_corners_are_distances ),
		fixture_test( gaps_of_points_are_distances ),
		fixture_test( large_gaps_along_nearly_parallel_axes_do_not_overflow ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
