// Triangles and boxes: the test by separating axes against clipping the triangle with the box's six planes, which is another
// way to the same answer. Where the box grown, or shrunk, by a hair gives another one there is nothing to expect.

#include "runtime/triangle/box.h"
#include "support.h"

enum
{
	cases = 200000,
	most_corners = 16,
};

static const double hair = 1e-9;

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 between( bv_vec3 a, bv_vec3 b, double t )
{
	return ( bv_vec3 ){ a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) };
}

// Keeps what is below a plane (Sutherland, Hodgman 1974). Returns how many corners are left.
static int clip( bv_vec3* polygon, int count, bv_vec3 normal, double offset )
{
	bv_vec3 kept[most_corners];
	int n = 0;
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 here = polygon[i];
		bv_vec3 next = polygon[( i + 1 ) % count];
		double h = dot( normal, here ) - offset;
		double k = dot( normal, next ) - offset;
		if ( h <= 0 )
		{
			kept[n++] = here;
		}
		if ( ( h < 0 && k > 0 ) || ( h > 0 && k < 0 ) )
		{
			kept[n++] = between( here, next, h / ( h - k ) );
		}
	}
	memcpy( polygon, kept, (size_t)n * sizeof *kept );
	return n;
}

static bool meets_by_clipping( const bv_vec3 corner[3], const bv_obb* box, double grown )
{
	bv_vec3 polygon[most_corners] = { corner[0], corner[1], corner[2] };
	int count = 3;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 n = box->axis[i];
		double middle = dot( n, box->center );
		double half = box->half_extents[i] + grown;
		count = half < 0 ? 0 : clip( polygon, count, n, middle + half );
		count = count == 0 ? 0 : clip( polygon, count, ( bv_vec3 ){ -n.x, -n.y, -n.z }, half - middle );
		if ( count == 0 )
		{
			return false;
		}
	}
	return true;
}

static bv_obb random_box( fixture* f )
{
	double q[4];
	double squared = 0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = random_unit( f ) - 0.5;
		squared += q[i] * q[i];
	}
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double s = 2 / squared;
	bv_vec3 c = random_point( f );
	return ( bv_obb ){
		.center = c,
		.axis = { { 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) },
		          { s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) },
		          { s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) } },
		.half_extents = { 0.4 * random_unit( f ), 0.3 * random_unit( f ),
		                  random_unit( f ) < 0.2 ? 0 : 0.2 * random_unit( f ) },
	};
}

// Large, small and thin ones, and single points.
static void random_triangle( fixture* f, bv_vec3 corner[3] )
{
	static const double sizes[] = { 1, 0.2, 0.01, 0 };
	bv_vec3 p = random_point( f );
	double size = sizes[random_bits( f ) % 4];
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = between( p, random_point( f ), size );
	}
	if ( random_bits( f ) % 8 == 0 )
	{
		corner[2] = between( corner[0], corner[1], random_unit( f ) );
	}
}

static void triangles_and_boxes_meet_as_clipping_says( void** state )
{
	fixture* f = *state;
	int met = 0;
	int missed = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bv_obb box = random_box( f );
		bv_vec3 corner[3];
		random_triangle( f, corner );
		bool meets = bvtri_overlaps_box( corner, &box, 0 );
		if ( meets_by_clipping( corner, &box, -hair ) )
		{
			assert_true( meets );
			met += 1;
		}
		else if ( !meets_by_clipping( corner, &box, hair ) )
		{
			assert_false( meets );
			missed += 1;
		}
	}
	assert_true( met > cases / 100 && missed > cases / 4 );
}

// What touches only, in numbers that are exact, is never apart.
static void touching_is_meeting( void** state )
{
	(void)state;
	bv_obb box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { 1, 2, 3 } };
	assert_true( bvtri_overlaps_box( ( bv_vec3[3] ){ { 1, 0, 0 }, { 2, 1, 0 }, { 2, -1, 0 } }, &box, 0 ) );
	assert_true( bvtri_overlaps_box( ( bv_vec3[3] ){ { 1, 2, 9 }, { 1, 2, -9 }, { 9, 9, 0 } }, &box, 0 ) );
	assert_true( bvtri_overlaps_box( ( bv_vec3[3] ){ { 1, 2, 3 }, { 2, 3, 4 }, { 2, 4, 4 } }, &box, 0 ) );
	assert_false(
		bvtri_overlaps_box( ( bv_vec3[3] ){ { 1.001, 0, 0 }, { 2, 1, 0 }, { 2, -1, 0 } }, &box, 0 ) );
}

// A slack as large as the gap closes it, along the axes of the box, the normal and edges alike.
static void a_slack_closes_a_gap( void** state )
{
	fixture* f = *state;
	int closed = 0;
	for ( int i = 0; i < cases / 10; ++i )
	{
		bv_obb box = random_box( f );
		bv_vec3 corner[3];
		random_triangle( f, corner );
		double gap = 0.05 * random_unit( f );
		if ( meets_by_clipping( corner, &box, gap - hair ) )
		{
			assert_true( bvtri_overlaps_box( corner, &box, gap ) );
			closed += !bvtri_overlaps_box( corner, &box, 0 );
		}
	}
	assert_true( closed > 100 );
}

// Coordinates of a million, where binary64 has ten digits left behind the point.
static void far_away_nothing_that_meets_is_missed( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases / 10; ++i )
	{
		bv_obb box = random_box( f );
		bv_vec3 corner[3];
		random_triangle( f, corner );
		if ( meets_by_clipping( corner, &box, -hair ) )
		{
			double far = 1048576;
			box.center.x += far;
			for ( int k = 0; k < 3; ++k )
			{
				corner[k].x += far;
			}
			assert_true( bvtri_overlaps_box( corner, &box, 0 ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( triangles_and_boxes_meet_as_clipping_says ),
		fixture_test( touching_is_meeting ),
		fixture_test( a_slack_closes_a_gap ),
		fixture_test( far_away_nothing_that_meets_is_missed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
