// Rays and moving boxes against boxes in lanes. Rays are made from a point of a box and a time, so that it
// is known what they meet, and from a plane beside a box, so that it is known what they miss.

#include "lane_shapes.h"

enum
{
	cases = 40000,
};

static const double u = 0x1p-24;

// A node of leaves with one triangle each, whose boxes are those of a group.
typedef struct stored_node
{
	bvfile_packed_node head;
	uint8_t kinds[BVFILE_LANES];
	uint32_t rest[8]; // a search may read what is behind the kinds
} stored_node;

static uint8_t exponent_of( float power, int bias )
{
	int exponent = 1;
	frexpf( power, &exponent );
	return (uint8_t)( exponent - 1 + bias );
}

static stored_node node_of( const stored* s )
{
	stored_node node = { .head = { .children = (uint8_t)s->group.count } };
	for ( int i = 0; i < 3; ++i )
	{
		node.head.exponent[i] = exponent_of( s->group.step[i], bvfile_step_bias );
	}
	node.head.extent = s->aligned ? 0 : exponent_of( s->group.extent, bvfile_extent_bias );
	for ( uint32_t i = 0; i < s->group.count; ++i )
	{
		node.kinds[i] = (uint8_t)( ( s->aligned ? bv_volume_aabb : bv_volume_obb ) << bvfile_kind_shift | 1 );
	}
	return node;
}

// @param mover  null for a ray
// @param time   receives the order of each lane that may be met
// @return those lanes
static uint32_t met_by( const bvtree_lanes* level, const stored* s, const bvtree_lane_box* mover,
                        const bvtree_lane_ray* in_lanes, float time[8] )
{
	stored_node node = node_of( s );
	bvfile_group group = { s->aligned ? bv_volume_aabb : bv_volume_obb, 0, s->group.count, s->data };
	bvtree_waiting stack[BVFILE_LANES];
	bvtree_waiting* top = level->sweep( &node.head, &group, mover, in_lanes, stack, stack );
	uint32_t met = 0;
	assert_non_null( top );
	for ( bvtree_waiting* w = stack; w < top; ++w )
	{
		uint32_t lane = (uint32_t)w->child;
		assert_true( w == stack || w->order <= w[-1].order );
		assert_int_equal( w->child >> 32, 1 );
		time[lane] = (float)w->order;
		met |= 1u << lane;
	}
	return met;
}

// A ray in binary64, and what lanes_rays.h calls m.
typedef struct ray
{
	bv_vec3 origin;
	bv_vec3 direction;
	double m;
} ray;

static double magnitude_of( const stored* s, bv_vec3 origin )
{
	const float* step = s->group.step;
	return bvmath_norm1( origin ) + bvfile_code_end * ( (double)step[0] + step[1] + step[2] ) +
	       (double)bvtree_lane_extents * s->group.extent;
}

// What kernels add to the slack of a ray.
static double own_slack_of( const stored* s )
{
	return 64 * u * magnitude_of( s, ( bv_vec3 ){ 0, 0, 0 } );
}

// Directions along an axis of the box or of the grid are among them.
static bv_vec3 random_way( fixture* f, const bv_obb* box )
{
	uint32_t kind = random_bits( f ) % 16;
	bv_vec3 d = kind < 3 ? box->axis[kind] : random_direction( f );
	if ( kind > 12 )
	{
		double sign = random_bits( f ) % 2 ? 1 : -1;
		d = ( bv_vec3 ){ kind == 13 ? sign : 0, kind == 14 ? sign : 0, kind == 15 ? sign : 0 };
	}
	int exponent;
	frexp( bvmath_max( fabs( d.x ), bvmath_max( fabs( d.y ), fabs( d.z ) ) ), &exponent );
	return bv_scale( ldexp( 1, -exponent ), d );
}

// A corner, a point of an edge or a face, or one within.
static bv_vec3 point_of_box( fixture* f, const bv_obb* box )
{
	bv_vec3 p = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		double at = random_bits( f ) % 2 ? random_within( f, -1, 1 ) : random_bits( f ) % 2 ? 1 : -1;
		p = bv_add( p, bv_scale( at * box->half_extents[i], box->axis[i] ) );
	}
	return p;
}

static bvtree_lane_ray lanes_of( const ray* r, double slack, float to )
{
	bvtree_lane_ray in_lanes = {
		.origin = { (float)r->origin.x, (float)r->origin.y, (float)r->origin.z },
		.direction = { (float)r->direction.x, (float)r->direction.y, (float)r->direction.z },
		.slack = (float)( slack * ( 1 + 0x1p-20 ) ),
		.from = 0,
		.to = to,
	};
	bvtree_lane_ray_invert( &in_lanes );
	return in_lanes;
}

// With the slack that lanes_rays.h derives, which is half of what queries and kernels add.
static void a_ray_to_a_point_of_a_box_meets_it( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		double size = ldexp( 1, i % 90 - 45 );
		random_group( f, i % 2 == 0, size, &s );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb box = lane_of( &s, lane );
		ray r = { .direction = random_way( f, &box ) };
		float t = (float)( size * ( i % 7 == 0 ? 0 : random_within( f, 0, i % 3 == 0 ? 0.01 : 4 ) ) );
		r.origin = bv_sub( point_of_box( f, &box ), bv_scale( t, r.direction ) );
		bvtree_lane_ray in_lanes =
			lanes_of( &r, 32 * u * magnitude_of( &s, r.origin ) - own_slack_of( &s ), t );
		float time[8];
		assert_true( met_by( level, &s, NULL, &in_lanes, time ) >> lane & 1 );
		assert_true( time[lane] <= t );
	}
}

// Along a face, farther from it than twice the slack.
static void a_ray_beside_a_box_misses_it( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb box = lane_of( &s, lane );
		int face = i % 3;
		bv_vec3 out = bv_scale( i % 5 < 2 ? 1 : -1, box.axis[face] );
		bv_vec3 along = bv_cross( out, random_direction( f ) );
		double longest = bvmath_max( fabs( along.x ), bvmath_max( fabs( along.y ), fabs( along.z ) ) );
		ray r = { .direction = bv_scale( 0.75 / longest, along ) };
		float t = (float)random_within( f, 0, 2 );
		double slack = 64 * u * magnitude_of( &s, ( bv_vec3 ){ 4, 4, 4 } );
		bv_vec3 beside = bv_add( box.center, bv_scale( box.half_extents[face] + 2 * slack, out ) );
		r.origin = bv_sub( beside, bv_scale( t, r.direction ) );
		bvtree_lane_ray in_lanes = lanes_of( &r, slack - own_slack_of( &s ), 4 );
		float time[8];
		assert_false( met_by( level, &s, NULL, &in_lanes, time ) >> lane & 1 );
	}
}

// The ray enters through a face at a known time. It ends before that in every other case.
static void a_box_is_entered_at_its_face( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int entered = 0;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb box = lane_of( &s, lane );
		int face = (int)( random_bits( f ) % 3 );
		ray r = { .direction = random_way( f, &box ) };
		double speed = bv_dot( box.axis[face], r.direction );
		if ( fabs( speed ) < 0.125 )
		{
			continue;
		}
		bv_vec3 p = point_of_box( f, &box );
		double at = bv_dot( box.axis[face], bv_sub( p, box.center ) );
		double to_face = ( speed < 0 ? 1 : -1 ) * box.half_extents[face] - at;
		p = bv_add( p, bv_scale( to_face, box.axis[face] ) );
		float t = (float)random_within( f, 0.5, 2 );
		r.origin = bv_sub( p, bv_scale( t, r.direction ) );
		double slack = 64 * u * magnitude_of( &s, r.origin );
		double early = 2 * slack / fabs( speed );
		float end = i % 2 ? INFINITY : (float)( t - early );
		bvtree_lane_ray in_lanes = lanes_of( &r, slack - own_slack_of( &s ), end );
		float time[8];
		bool meets = met_by( level, &s, NULL, &in_lanes, time ) >> lane & 1;
		assert_int_equal( meets, i % 2 );
		assert_true( !meets || ( time[lane] <= t && time[lane] >= t - early ) );
		entered += meets;
	}
	assert_true( entered > cases / 4 );
}

// As for rays, with a point of the mover in place of its center.
static void a_box_that_moves_into_a_box_meets_it( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb box = lane_of( &s, lane );
		bvtree_lane_box mover = random_lane_box( f, i % 5 == 0 ? 0.01 : 1 );
		ray r = { .direction = random_way( f, &box ) };
		float t = (float)random_within( f, 0, 2 );
		bv_vec3 in_mover = { 0, 0, 0 };
		double extents = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double at = random_bits( f ) % 2 ? random_within( f, -1, 1 ) : random_bits( f ) % 2 ? 1 : -1;
			in_mover = bv_add( in_mover, bv_scale( at * mover.half[k], row( mover.axis[k] ) ) );
			extents += mover.half[k];
		}
		bv_vec3 center = bv_sub( point_of_box( f, &box ), in_mover );
		r.origin = bv_sub( center, bv_scale( t, r.direction ) );
		double slack = 32 * u * ( magnitude_of( &s, r.origin ) + extents ) + 0x1p-20 * extents;
		bvtree_lane_ray in_lanes = lanes_of( &r, slack - own_slack_of( &s ), t );
		float time[8];
		assert_true( met_by( level, &s, &mover, &in_lanes, time ) >> lane & 1 );
		assert_true( time[lane] <= t );
	}
}

// Along a face of either box, farther from the other one than twice the slack.
static void a_box_that_moves_beside_a_box_misses_it( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		uint32_t lane = random_bits( f ) % s.group.count;
		bv_obb box = lane_of( &s, lane );
		bvtree_lane_box mover = random_lane_box( f, 1 );
		bv_vec3 out = i % 4 < 2 ? box.axis[i % 3] : row( mover.axis[i % 3] );
		double reach = 0;
		for ( int k = 0; k < 3; ++k )
		{
			reach += mover.half[k] * fabs( bv_dot( row( mover.axis[k] ), out ) ) +
			         box.half_extents[k] * fabs( bv_dot( box.axis[k], out ) );
		}
		bv_vec3 along = bv_cross( out, random_direction( f ) );
		double longest = bvmath_max( fabs( along.x ), bvmath_max( fabs( along.y ), fabs( along.z ) ) );
		ray r = { .direction = bv_scale( 0.75 / longest, along ) };
		double slack = 64 * u * magnitude_of( &s, ( bv_vec3 ){ 4, 4, 4 } );
		bv_vec3 beside = bv_add( box.center, bv_scale( reach + 2 * slack, out ) );
		r.origin = bv_sub( beside, bv_scale( random_within( f, 0, 2 ), r.direction ) );
		bvtree_lane_ray in_lanes = lanes_of( &r, slack - own_slack_of( &s ), 4 );
		float time[8];
		assert_false( met_by( level, &s, &mover, &in_lanes, time ) >> lane & 1 );
	}
}

static void assert_levels_agree( const stored* s, const bvtree_lane_box* mover,
                                 const bvtree_lane_ray* in_lanes )
{
	float expected_time[8];
	uint32_t expected = met_by( bvtree_lanes_level( 0 ), s, mover, in_lanes, expected_time );
	assert_int_equal( expected >> s->group.count, 0 );
	const bvtree_lanes* level;
	for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		float time[8];
		assert_int_equal( met_by( level, s, mover, in_lanes, time ), expected );
		for ( uint32_t i = 0; i < s->group.count; ++i )
		{
			assert_true( !( expected >> i & 1 ) || memcmp( time + i, expected_time + i, sizeof *time ) == 0 );
		}
	}
}

static void all_levels_give_the_same_bits( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		stored s;
		random_group( f, i % 2 == 0, 1, &s );
		bv_obb box = lane_of( &s, random_bits( f ) % s.group.count );
		ray r = { .direction = random_way( f, &box ) };
		r.origin = bv_sub( point_of_box( f, &box ), bv_scale( random_within( f, 0, 2 ), r.direction ) );
		bvtree_lane_ray in_lanes =
			lanes_of( &r, 64 * u * magnitude_of( &s, r.origin ), i % 3 ? INFINITY : 1 );
		bvtree_lane_box mover = random_lane_box( f, 1 );
		assert_levels_agree( &s, NULL, &in_lanes );
		assert_levels_agree( &s, &mover, &in_lanes );
		in_lanes.origin[i % 3] = i % 2 ? INFINITY : NAN;
		assert_levels_agree( &s, NULL, &in_lanes );
		assert_levels_agree( &s, &mover, &in_lanes );
	}
}

// Nothing is put on the stack then, not even a box that the ray meets.
static void a_node_too_small_for_the_ray_is_not_compared( void** state )
{
	fixture* f = *state;
	stored s;
	random_group( f, false, 1, &s );
	stored_node node = node_of( &s );
	bvfile_group group = { bv_volume_obb, 0, s.group.count, s.data };
	float size = (float)( own_slack_of( &s ) / ( 64 * u ) );
	const struct
	{
		float least_size;
		float slack;
		bool compared;
	} cases_of[] = {
		{ size / 2, 1, true },  { 2 * size, 1, false }, { 0, 0x1p41f, false },
		{ 0, -0x1p40f, false }, { 0, NAN, false },
	};
	for ( size_t i = 0; i < sizeof cases_of / sizeof *cases_of; ++i )
	{
		const bvtree_lanes* level;
		for ( uint32_t index = 0; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			bvtree_waiting stack[BVFILE_LANES];
			bvtree_lane_ray in_lanes = {
				.direction = { 1, 0, 0 },
				.slack = cases_of[i].slack,
				.to = INFINITY,
				.least_size = cases_of[i].least_size,
			};
			stack[0].child = 77;
			bvtree_waiting* top = level->sweep( &node.head, &group, NULL, &in_lanes, stack, stack );
			assert_int_equal( top != NULL, cases_of[i].compared );
			assert_true( top || stack[0].child == 77 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_ray_to_a_point_of_a_box_meets_it ),
		fixture_test( a_ray_beside_a_box_misses_it ),
		fixture_test( a_box_is_entered_at_its_face ),
		fixture_test( a_box_that_moves_into_a_box_meets_it ),
		fixture_test( a_box_that_moves_beside_a_box_misses_it ),
		fixture_test( all_levels_give_the_same_bits ),
		fixture_test( a_node_too_small_for_the_ray_is_not_compared ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
