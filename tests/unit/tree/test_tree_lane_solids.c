// A point, a box and moving boxes against triangles in lanes. Bounds are compared with distances in binary64,
// with triangles that are made to touch, and with triangles beside a plane.

#include "lane_shapes.h"

#include <stdio.h>

#include "runtime/triangle/box.h"
#include "runtime/triangle/nearest.h"

enum
{
	cases = 20000,
};

static const double u = 0x1p-24;

static void set_corner( bvtree_lane_triangles* t, uint32_t lane, int k, bv_vec3 p )
{
	t->corner[k][0][lane] = (float)p.x;
	t->corner[k][1][lane] = (float)p.y;
	t->corner[k][2][lane] = (float)p.z;
}

static bv_vec3 corner_of( const bvtree_lane_triangles* t, uint32_t lane, int k )
{
	return ( bv_vec3 ){ t->corner[k][0][lane], t->corner[k][1][lane], t->corner[k][2][lane] };
}

static void corners_of( const bvtree_lane_triangles* t, uint32_t lane, bv_vec3 corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = corner_of( t, lane, k );
	}
}

static double largest_of( const bvtree_lane_triangles* t, uint32_t lane )
{
	double largest = 0;
	for ( int k = 0; k < 9; ++k )
	{
		largest = bvmath_max( largest, fabs( t->corner[k / 3][k % 3][lane] ) );
	}
	return largest;
}

// Eight triangles about the origin, slivers and points among them. No coordinate is above `size`.
static void random_triangles( fixture* f, double size, bvtree_lane_triangles* out )
{
	for ( uint32_t lane = 0; lane < 8; ++lane )
	{
		bv_vec3 a = bv_scale( size * random_within( f, 0, 0.4 ), random_direction( f ) );
		double length = size * 0.25 * pow( 10, random_within( f, -4, 0 ) );
		bv_vec3 u_way = bv_scale( length, random_direction( f ) );
		bv_vec3 v_way = bv_scale( length, random_direction( f ) );
		uint32_t kind = random_bits( f ) % 8;
		v_way = kind == 0   ? bv_scale( 0.5, u_way )
		        : kind == 1 ? bv_add( u_way, bv_scale( 1e-5, v_way ) )
		                    : v_way;
		set_corner( out, lane, 0, a );
		set_corner( out, lane, 1, bv_add( a, u_way ) );
		set_corner( out, lane, 2, kind == 2 ? bv_add( a, u_way ) : bv_add( a, v_way ) );
	}
}

static const bvtree_lane_place as_stored = { .scale = 1 };

static bvtree_lane_box straight_box( const float half[3] )
{
	return ( bvtree_lane_box ){ .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		                        .half = { half[0], half[1], half[2] } };
}

// Of triangles whose coordinates are below 1 nothing is farther than 4 then.
static bvtree_lane_place random_place( fixture* f )
{
	bvtree_lane_place place = { .scale = 0.25f, .tolerance = 0x1p-40f };
	for ( int i = 0; i < 3; ++i )
	{
		double center = random_within( f, -1, 1 );
		place.origin[i] = (float)center;
		place.rest[i] = (float)( center - place.origin[i] );
	}
	return place;
}

// nearest.h is right to 2^-48.
static void bounds_of_distances_hold_and_are_near( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	double worst = 0;
	int near = 0;
	int near_above = 0;
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		float lower[8];
		float upper[8];
		random_triangles( f, ldexp( 1, -( i % 21 ) ), &t );
		level->point_triangles( &t, 8, &as_stored, lower, upper );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			bvtri_nearest nearest;
			corners_of( &t, lane, corner );
			bvtri_nearest_on_triangle( ( bv_vec3 ){ 0, 0, 0 }, corner, &nearest );
			double distance = sqrt( nearest.square );
			double unit = largest_of( &t, lane );
			assert_true( lower[lane] <= distance && distance <= upper[lane] );
			worst = bvmath_max( worst, ( distance - lower[lane] ) / unit );
			near += distance - lower[lane] <= 128 * u * unit;
			near_above += upper[lane] - distance <= 128 * u * unit;
		}
	}
	printf( "of %d, %d lower and %d upper bounds within 128 u, the worst lower one %.2g\n", 2 * cases, near,
	        near_above, worst );
	assert_true( near_above > 2 * cases * 9 / 10 );
	assert_true( near > 2 * cases * 9 / 10 );
}

// With all coordinates off by the tolerance, in either direction.
static void tolerances_of_distances_are_allowed_for( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		bvtree_lane_triangles moved;
		float lower[8];
		float upper[8];
		random_triangles( f, 1, &t );
		moved = t;
		float tolerance = (float)pow( 10, random_within( f, -5, -1 ) );
		for ( int k = 0; k < 9; ++k )
		{
			for ( uint32_t lane = 0; lane < 8; ++lane )
			{
				moved.corner[k / 3][k % 3][lane] += random_bits( f ) % 2 ? tolerance : -tolerance;
			}
		}
		bvtree_lane_place place = { .scale = 1, .tolerance = tolerance };
		level->point_triangles( &moved, 8, &place, lower, upper );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			bvtri_nearest nearest;
			corners_of( &t, lane, corner );
			bvtri_nearest_on_triangle( ( bv_vec3 ){ 0, 0, 0 }, corner, &nearest );
			assert_true( lower[lane] <= sqrt( nearest.square ) && sqrt( nearest.square ) <= upper[lane] );
		}
	}
}

// Triangles in coordinates of 2^k, about a center that binary32 does not have: next to it bounds keep the
// precision of binary32, although its coordinates are 2^12 times as large as the distances.
static void placed_distances_hold_and_are_near( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int near = 0;
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		float lower[8];
		float upper[8];
		double size = ldexp( 1, i % 121 - 40 );
		bv_vec3 center = bv_scale( size, random_direction( f ) );
		const double c[3] = { center.x, center.y, center.z };
		bvtree_lane_place place = { .scale = (float)( 0.25 / size ), .tolerance = 0x1p-45f };
		random_triangles( f, ldexp( size, -( i % 13 ) ), &t );
		for ( int k = 0; k < 3; ++k )
		{
			place.origin[k] = (float)c[k];
			place.rest[k] = (float)( c[k] - place.origin[k] );
			for ( int j = 0; j < 24; ++j )
			{
				t.corner[j / 8][k][j % 8] += (float)c[k];
			}
		}
		level->point_triangles( &t, 8, &place, lower, upper );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			bvtri_nearest nearest;
			corners_of( &t, lane, corner );
			bvtri_nearest_on_triangle( center, corner, &nearest );
			double distance = sqrt( nearest.square ) * place.scale;
			double away = 0;
			for ( int k = 0; k < 3; ++k )
			{
				away = bvmath_max( away, bvmath_norm1( bv_sub( corner[k], center ) ) * place.scale );
			}
			assert_true( lower[lane] <= distance && distance <= upper[lane] );
			near += upper[lane] - lower[lane] <= 256 * u * away + 0x1p-40;
		}
	}
	printf( "placed: %d of %d bounds within 256 u\n", near, 2 * cases );
	assert_true( near > 2 * cases * 8 / 10 );
}

// Nothing is certain of coordinates so large that products may overflow. The distance is known to be that of
// corner 0.
static void large_coordinates_are_not_certain( void** state )
{
	(void)state;
	bvtree_lane_triangles t = { 0 };
	float lower[8];
	float upper[8];
	uint32_t certain;
	const float large[2] = { 0x1p30f, 0x1p80f };
	bvtree_lane_box box = straight_box( ( float[3] ){ 2, 2, 2 } );
	for ( uint32_t i = 0; bvtree_lanes_level( i ); ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			t.corner[0][0][0] = t.corner[1][0][0] = t.corner[2][0][0] = 0.5f;
			t.corner[1][1][0] = t.corner[2][2][0] = large[k];
			bvtree_lanes_level( i )->point_triangles( &t, 1, &as_stored, lower, upper );
			assert_true( lower[0] <= 0.5f && upper[0] >= 0.5f );
			assert_true( lower[0] == 0 && upper[0] == INFINITY );
			assert_int_equal( bvtree_lanes_level( i )->box_triangles( &t, 1, &as_stored, &box, &certain ),
			                  1 );
			assert_int_equal( certain, 0 );
		}
	}
}

// A turned box about any point: the same as the triangle in the box's coordinates.
static void placed_boxes_are_apart_only_from_what_is( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int decided = 0;
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		uint32_t certain;
		random_triangles( f, 1, &t );
		bvtree_lane_place place = random_place( f );
		bvtree_lane_box lane_box = random_lane_box( f, 0.1 );
		bv_obb box;
		box.center =
			( bv_vec3 ){ (double)place.origin[0] + place.rest[0], (double)place.origin[1] + place.rest[1],
			             (double)place.origin[2] + place.rest[2] };
		for ( int k = 0; k < 3; ++k )
		{
			box.axis[k] = row( lane_box.axis[k] );
			box.half_extents[k] = lane_box.half[k] / place.scale;
		}
		uint32_t mask = level->box_triangles( &t, 8, &place, &lane_box, &certain );
		assert_int_equal( certain & ~mask, 0 );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			corners_of( &t, lane, corner );
			bool meets = bvtri_overlaps_box( corner, &box, 0 );
			assert_true( !meets || mask >> lane & 1 );
			assert_true( meets || !( certain >> lane & 1 ) );
			decided += meets ? certain >> lane & 1 : !( mask >> lane & 1 );
		}
	}
	printf( "placed boxes: %d of %d decided\n", decided, 2 * cases );
	assert_true( decided > 2 * cases * 9 / 10 );
}

// bvtri_overlaps_box is proved in test_triangle_box. Extents are such that about half of all
// triangles meet the box.
static void boxes_are_apart_only_from_what_is( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int met = 0;
	int decided = 0;
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		uint32_t certain;
		double size = ldexp( 1, -( i % 21 ) );
		random_triangles( f, size, &t );
		bv_obb box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
		float half[3];
		for ( int k = 0; k < 3; ++k )
		{
			half[k] = i % 13 == k ? 0 : (float)( size * random_within( f, 0, 0.35 ) );
			box.half_extents[k] = half[k];
		}
		bvtree_lane_box lane_box = straight_box( half );
		uint32_t mask = level->box_triangles( &t, 8, &as_stored, &lane_box, &certain );
		assert_int_equal( certain & ~mask, 0 );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			corners_of( &t, lane, corner );
			bool meets = bvtri_overlaps_box( corner, &box, 0 );
			assert_true( !meets || mask >> lane & 1 );
			assert_true( meets || !( certain >> lane & 1 ) );
			met += meets;
			decided += meets ? certain >> lane & 1 : !( mask >> lane & 1 );
		}
	}
	printf( "boxes: %d of %d triangles meet, %d decided\n", met, 2 * cases, decided );
	assert_in_range( met, cases / 4, cases * 7 / 4 );
	assert_true( decided > 2 * cases * 8 / 10 );
}

// A motion, normalized as lanes take it, and a box.
typedef struct mover
{
	bvtree_lane_ray ray;
	float half[3];
} mover;

static mover random_mover( fixture* f, bool is_ball, double size )
{
	mover m = { .ray = { .slack = (float)( size * random_within( f, 0, 0.2 ) ), .from = -4, .to = 4 } };
	bv_vec3 d = random_direction( f );
	bool along_axis = random_bits( f ) % 8 == 0;
	for ( int i = 0; i < 3; ++i )
	{
		m.ray.direction[i] = along_axis ? ( i == 0 ? 0.75f : 0 ) : (float)( 0.9 * bvmath_component( d, i ) );
		m.half[i] = is_ball ? 0 : (float)( size * random_within( f, 0, 0.2 ) );
	}
	return m;
}

// The triangle is moved to where the box is at a known time, so that a point of it is in the box.
static void a_box_that_moves_into_a_triangle_meets_it( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles t;
		float time[8];
		random_triangles( f, 0.25, &t );
		mover m = random_mover( f, i % 2 == 0, i % 5 == 0 ? 0.001 : 1 );
		uint32_t lane = random_bits( f ) % 8;
		double at = random_within( f, -0.3, 0.3 );
		double a = random_unit( f );
		double b = random_unit( f ) * ( 1 - a );
		bv_vec3 p = bv_add(
			bv_scale( 1 - a - b, corner_of( &t, lane, 0 ) ),
			bv_add( bv_scale( a, corner_of( &t, lane, 1 ) ), bv_scale( b, corner_of( &t, lane, 2 ) ) ) );
		bv_vec3 in_box = bv_scale( m.ray.slack, random_direction( f ) );
		bv_vec3 to = { in_box.x + m.half[0] * random_within( f, -1, 1 ) + at * m.ray.direction[0],
			           in_box.y + m.half[1] * random_within( f, -1, 1 ) + at * m.ray.direction[1],
			           in_box.z + m.half[2] * random_within( f, -1, 1 ) + at * m.ray.direction[2] };
		for ( int k = 0; k < 3; ++k )
		{
			set_corner( &t, lane, k, bv_add( corner_of( &t, lane, k ), bv_sub( to, p ) ) );
		}
		m.ray.slack += (float)( 32 * u * ( largest_of( &t, lane ) + m.half[0] + m.half[1] + m.half[2] + 1 ) );
		assert_true( level->moved_triangles( &t, 8, m.half, &m.ray, time ) >> lane & 1 );
		assert_true( time[lane] <= at );
	}
}

// A ball is met when the distance of its center is its radius, which bisection finds: the distance is a
// convex function of time.
static void a_ball_is_met_about_when_it_touches( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	double late = 0;
	int count = 0;
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		float time[8];
		random_triangles( f, 0.5, &t );
		mover m = random_mover( f, true, 1 );
		bv_vec3 d = { m.ray.direction[0], m.ray.direction[1], m.ray.direction[2] };
		double slack = m.ray.slack;
		m.ray.slack += (float)( 64 * u * 2 );
		uint32_t mask = level->moved_triangles( &t, 8, m.half, &m.ray, time );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bv_vec3 corner[3];
			bvtri_nearest nearest;
			corners_of( &t, lane, corner );
			double first = -4;
			double last = bv_dot( corner[0], d ) / bv_dot( d, d );
			bvtri_nearest_on_triangle( bv_scale( last, d ), corner, &nearest );
			if ( sqrt( nearest.square ) > slack )
			{
				continue;
			}
			for ( int step = 0; step < 50; ++step )
			{
				double middle = 0.5 * ( first + last );
				bvtri_nearest_on_triangle( bv_scale( middle, d ), corner, &nearest );
				*( sqrt( nearest.square ) > slack ? &first : &last ) = middle;
			}
			assert_true( mask >> lane & 1 );
			assert_true( time[lane] <= last );
			late += last - time[lane];
			count += 1;
		}
	}
	printf( "balls: %d met, the bound is early by %.4f on average\n", count, late / count );
	assert_true( count > cases / 4 );
	assert_true( late / count < 0.01 );
}

static void assert_same( const float a[8], const float b[8] )
{
	for ( int i = 0; i < 8; ++i )
	{
		assert_true( memcmp( a + i, b + i, sizeof *a ) == 0 );
	}
}

// Numbers that are infinite or none are among the corners.
static void all_levels_give_the_same_bits( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* scalar = bvtree_lanes_level( 0 );
	for ( int i = 0; i < cases / 4; ++i )
	{
		bvtree_lane_triangles t;
		random_triangles( f, 1, &t );
		if ( i % 4 == 0 )
		{
			t.corner[i / 4 % 3][i / 16 % 3][i % 8] = i % 8 == 0 ? NAN : i % 16 < 8 ? INFINITY : -0x1p100f;
		}
		mover m = random_mover( f, i % 2 == 0, 1 );
		uint32_t count = 1 + random_bits( f ) % 8;
		uint32_t all = ( 1u << count ) - 1;
		float expected[3][8];
		uint32_t certain;
		bvtree_lane_place place = random_place( f );
		bvtree_lane_box box = random_lane_box( f, 0.3 );
		scalar->point_triangles( &t, count, &place, expected[0], expected[1] );
		uint32_t met = scalar->moved_triangles( &t, count, m.half, &m.ray, expected[2] );
		uint32_t near = scalar->box_triangles( &t, count, &place, &box, &certain );
		assert_int_equal( ( met | near | certain ) & ~all, 0 );
		const bvtree_lanes* level;
		for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			float found[2][8];
			uint32_t also;
			level->point_triangles( &t, count, &place, found[0], found[1] );
			for ( uint32_t lane = 0; lane < count; ++lane )
			{
				assert_true( memcmp( found[0] + lane, expected[0] + lane, sizeof **found ) == 0 );
			}
			assert_same( found[1], expected[1] );
			assert_int_equal( level->moved_triangles( &t, count, m.half, &m.ray, found[0] ), met );
			for ( uint32_t lane = 0; lane < count; ++lane )
			{
				bool is_met = met >> lane & 1;
				assert_true( !is_met || memcmp( found[0] + lane, expected[2] + lane, sizeof **found ) == 0 );
			}
			assert_int_equal( level->box_triangles( &t, count, &place, &box, &also ), near );
			assert_int_equal( also, certain );
		}
	}
}

static void nothing_is_certain_of_what_is_not_finite( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	const float none[] = { INFINITY, -INFINITY, NAN };
	for ( int i = 0; i < cases / 10; ++i )
	{
		bvtree_lane_triangles t;
		float lower[8];
		float upper[8];
		uint32_t certain;
		random_triangles( f, 1, &t );
		uint32_t lane = (uint32_t)i % 8;
		t.corner[random_bits( f ) % 3][random_bits( f ) % 3][lane] = none[i % 3];
		level->point_triangles( &t, 8, &as_stored, lower, upper );
		assert_true( lower[lane] == 0 && upper[lane] == INFINITY );
		bvtree_lane_box box = straight_box( ( float[3] ){ 2, 2, 2 } );
		level->box_triangles( &t, 8, &as_stored, &box, &certain );
		assert_int_equal( certain >> lane & 1, 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bounds_of_distances_hold_and_are_near ),
		fixture_test( tolerances_of_distances_are_allowed_for ),
		fixture_test( placed_distances_hold_and_are_near ),
		fixture_test( large_coordinates_are_not_certain ),
		fixture_test( boxes_are_apart_only_from_what_is ),
		fixture_test( placed_boxes_are_apart_only_from_what_is ),
		fixture_test( a_box_that_moves_into_a_triangle_meets_it ),
		fixture_test( a_ball_is_met_about_when_it_touches ),
		fixture_test( all_levels_give_the_same_bits ),
		fixture_test( nothing_is_certain_of_what_is_not_finite ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
