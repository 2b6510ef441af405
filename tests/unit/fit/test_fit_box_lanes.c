// Boxes of eight sets at once. What is expected comes from the points themselves: extremal points found one by one, moments
// integrated in binary64, projections in 113-bit arithmetic on axes as a file decodes them, and areas of boxes that are
// fitted one by one.

#include "point_sets.h"

#include "offline/fit/box_lanes.h"
#include "offline/fit/obb_node.h"

__extension__ typedef __float128 wide;

// Eight sets, with coordinates as they are handed over.
typedef struct eight
{
	bvfit_box_sets sets;
	uint32_t count[bvfit_box_lanes];
	bool unseen; // whether frames are found without the points
} eight;

// What takes part: sets of so few points that no principal axes are asked for, of so many that all are searched through, larger ones,
// and those whose points are not at hand.
static const uint32_t most_faces[] = { 2, 4, bvfit_box_faces, bvfit_box_faces };

enum
{
	ways = sizeof most_faces / sizeof *most_faces,
	unseen_way = ways - 1,
};

static bv_vec3 corner_of( const eight* e, uint32_t lane, uint32_t k )
{
	return ( bv_vec3 ){ e->sets.corner[k][0][lane], e->sets.corner[k][1][lane], e->sets.corner[k][2][lane] };
}

// Every kind of set of point_sets.h, brought into [-1, 1] from its first point. The points are the corners from last to first.
static void make_eight( fixture* f, unsigned round, unsigned way, eight* out )
{
	memset( out, 0, sizeof *out );
	out->unseen = way == unseen_way;
	bv_vec3 points[bvfit_box_lanes][3 * bvfit_box_faces];
	for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		uint32_t count = 1 + (uint32_t)( random_bits( f ) % most_faces[way] );
		out->count[lane] = count;
		out->sets.count[lane] = (float)count;
		out->sets.most = count > out->sets.most ? count : out->sets.most;
		make_set( f, ( round + lane ) % set_kinds, points[lane], 3 * count );
	}
	for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		double size = 0;
		for ( uint32_t k = 0; k < 3 * out->count[lane]; ++k )
		{
			bv_vec3 d = bv_sub( points[lane][k], points[lane][0] );
			size = fmax( size, fmax( fabs( d.x ), fmax( fabs( d.y ), fabs( d.z ) ) ) );
		}
		for ( uint32_t k = 0; k < 3 * out->sets.most; ++k )
		{
			bv_vec3 d = bv_sub( points[lane][k < 3 * out->count[lane] ? k : k % 3], points[lane][0] );
			out->sets.corner[k][0][lane] = (float)( size > 0 ? d.x / size : 0 );
			out->sets.corner[k][1][lane] = (float)( size > 0 ? d.y / size : 0 );
			out->sets.corner[k][2][lane] = (float)( size > 0 ? d.z / size : 0 );
		}
	}
	out->sets.points = 3 * out->sets.most;
	for ( uint32_t k = 0; k < out->sets.points; ++k )
	{
		memcpy( out->sets.point[k], out->sets.corner[out->sets.points - 1 - k], sizeof out->sets.point[k] );
	}
}

// All that a level makes of sets.
typedef struct made
{
	bvfit_box_sums sums;
	bvfit_box_turns turns;
	bvfit_box_spans spans;
} made;

static void make_all( const bvfit_box_level* level, const eight* e, made* out )
{
	memset( out, 0, sizeof *out );
	level->add( &e->sets, &out->sums );
	level->turn( e->unseen ? NULL : &e->sets, &out->sums, &out->turns );
	level->choose( &e->sets, &out->sums, &out->turns, &out->spans );
}

static bool is_same( float a, float b )
{
	return memcmp( &a, &b, sizeof a ) == 0 || ( a == 0 && b == 0 );
}

static void all_levels_give_the_same_numbers( void** state )
{
	fixture* f = *state;
	assert_non_null( bvfit_box_level_at( 0 ) );
	assert_string_equal( bvfit_box_level_at( 0 )->name, "scalar" );
	for ( unsigned round = 0; round < 40 * set_kinds; ++round )
	{
		eight e;
		made expected;
		make_eight( f, round, round / set_kinds % ways, &e );
		make_all( bvfit_box_level_at( 0 ), &e, &expected );
		for ( uint32_t i = 1; bvfit_box_level_at( i ); ++i )
		{
			made found;
			make_all( bvfit_box_level_at( i ), &e, &found );
			const float* a = (const float*)&expected;
			const float* b = (const float*)&found;
			for ( size_t k = 0; k < sizeof found / sizeof *b; ++k )
			{
				assert_true( is_same( a[k], b[k] ) );
			}
		}
	}
}

static double along_direction( bv_vec3 p, int i )
{
	static const double sign[bvfit_box_directions][3] = { { 1, 0, 0 },  { 0, 1, 0 },  { 0, 0, 1 },
		                                                  { 1, 1, 1 },  { 1, 1, -1 }, { 1, -1, 1 },
		                                                  { 1, -1, -1 } };
	return ( sign[i][0] * p.x + sign[i][1] * p.y ) + sign[i][2] * p.z;
}

static bv_vec3 point_of( bvfit_box_lane from[3], uint32_t lane )
{
	return ( bv_vec3 ){ from[0][lane], from[1][lane], from[2][lane] };
}

static void sums_are_those_of_the_faces( void** state )
{
	fixture* f = *state;
	for ( unsigned round = 0; round < 40 * set_kinds; ++round )
	{
		eight e;
		bvfit_box_sums sums;
		make_eight( f, round, round / set_kinds % ways, &e );
		bvfit_box_level_best()->add( &e.sets, &sums );
		for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
		{
			for ( int i = 0; i < bvfit_box_directions; ++i )
			{
				double low = along_direction( point_of( sums.lowest[i], lane ), i );
				double high = along_direction( point_of( sums.highest[i], lane ), i );
				for ( uint32_t k = 0; k < 3 * e.count[lane]; ++k )
				{
					double at = along_direction( corner_of( &e, lane, k ), i );
					assert_true( low <= at + 1e-6 && at <= high + 1e-6 );
				}
			}
			double area = 0;
			double first = 0;
			double second = 0;
			for ( uint32_t k = 0; k < e.count[lane]; ++k )
			{
				bv_vec3 a = corner_of( &e, lane, 3 * k );
				bv_vec3 b = corner_of( &e, lane, 3 * k + 1 );
				bv_vec3 c = corner_of( &e, lane, 3 * k + 2 );
				bv_vec3 n = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
				double one = sqrt( bv_dot( n, n ) ) / 2;
				area += one;
				first += one * ( a.x + b.x + c.x ) / 3;

				// The mean of xy over a triangle, by its values in the middles of the edges.
				second += one / 3 *
				          ( ( a.x + b.x ) * ( a.y + b.y ) + ( b.x + c.x ) * ( b.y + c.y ) +
				            ( c.x + a.x ) * ( c.y + a.y ) ) /
				          4;
			}
			assert_true( fabs( sums.area[lane] - area ) < 1e-5 );
			assert_true( fabs( sums.first[0][lane] - first ) < 1e-5 );
			assert_true( fabs( sums.second[1][lane] - second ) < 1e-5 );
		}
	}
}

static wide project( bv_vec3 axis, bv_vec3 p )
{
	return (wide)axis.x * p.x + (wide)axis.y * p.y + (wide)axis.z * p.z;
}

static bv_obb decoded( const float code[3] )
{
	bvvol_packed_obb packed = { .rotation = { code[0], code[1], code[2], 1233 } };
	return bvvol_obb_unpack( &packed );
}

static void chosen_boxes_hold_their_faces_within_the_margin( void** state )
{
	fixture* f = *state;
	for ( unsigned round = 0; round < 100 * set_kinds; ++round )
	{
		eight e;
		made m;
		make_eight( f, round, round / set_kinds % ways, &e );
		make_all( bvfit_box_level_best(), &e, &m );
		for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
		{
			const float code[3] = { m.spans.code[0][lane], m.spans.code[1][lane], m.spans.code[2][lane] };
			bv_obb box = decoded( code );
			for ( int i = 0; i < 3; ++i )
			{
				wide farthest = 0;
				wide middle = project( box.axis[i], point_of( m.spans.center, lane ) );
				assert_true( fabsf( code[i] ) <= 511 && code[i] == floorf( code[i] ) );
				for ( uint32_t k = 0; k < 3 * e.count[lane]; ++k )
				{
					wide at = project( box.axis[i], corner_of( &e, lane, k ) ) - middle;
					at = at < 0 ? -at : at;
					farthest = at > farthest ? at : farthest;
				}
				wide spare = m.spans.half[i][lane] - farthest;
				assert_true( spare > -bvfit_box_margin && spare < bvfit_box_margin );
			}
		}
	}
}

// Points as a node's are measured: in any number.
static void points_are_measured_as_far_as_they_reach( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = bvfit_box_lanes; count < 100; ++count )
	{
		float x[3][100];
		bv_vec3 frame[2][3];
		float axes[3 * bvfit_box_measures];
		random_frame( f, frame[0] );
		random_frame( f, frame[1] );
		for ( int i = 0; i < bvfit_box_measures; ++i )
		{
			bv_vec3 a = frame[i / 3][i % 3];
			axes[3 * i] = (float)a.x;
			axes[3 * i + 1] = (float)a.y;
			axes[3 * i + 2] = (float)a.z;
		}
		for ( uint32_t k = 0; k < count; ++k )
		{
			bv_vec3 p = random_point( f );
			x[0][k] = (float)p.x, x[1][k] = (float)p.y, x[2][k] = (float)p.z;
		}
		for ( uint32_t level = 0; bvfit_box_level_at( level ); ++level )
		{
			float lower[bvfit_box_measures];
			float upper[bvfit_box_measures];
			for ( int i = 0; i < bvfit_box_measures; ++i )
			{
				lower[i] = INFINITY;
				upper[i] = -INFINITY;
			}
			const float* const points[3] = { x[0], x[1], x[2] };
			bvfit_box_level_at( level )->measure( points, count, axes, lower, upper );
			for ( int i = 0; i < bvfit_box_measures; ++i )
			{
				double low = INFINITY;
				double high = -INFINITY;
				for ( uint32_t k = 0; k < count; ++k )
				{
					double at = (double)axes[3 * i] * x[0][k] + (double)axes[3 * i + 1] * x[1][k] +
					            (double)axes[3 * i + 2] * x[2][k];
					low = fmin( low, at );
					high = fmax( high, at );
				}
				assert_true( fabs( lower[i] - low ) < 1e-6 && fabs( upper[i] - high ) < 1e-6 );
			}
		}
	}
}

static double area_of( const double length[3] )
{
	return ( length[0] * length[1] + length[1] * length[2] ) + length[2] * length[0];
}

// Rounding of frames included, which the boxes that are fitted one by one do not know.
static void boxes_are_as_small_as_those_fitted_one_by_one( void** state )
{
	fixture* f = *state;
	const bvfit_node_box* one = bvfit_node_box_find( "dito-area" );
	double sum[2] = { 0, 0 };
	double worst = 0;
	for ( unsigned round = 0; round < 400; ++round )
	{
		eight e;
		made m;
		make_eight( f, 0, round % ways, &e );
		make_all( bvfit_box_level_best(), &e, &m );
		for ( uint32_t lane = 0; lane < 2; ++lane )
		{
			bvfit_face faces[bvfit_box_faces];
			uint32_t order[bvfit_box_faces];
			for ( uint32_t k = 0; k < e.count[lane]; ++k )
			{
				bv_vec3 corner[3] = { corner_of( &e, lane, 3 * k ), corner_of( &e, lane, 3 * k + 1 ),
					                  corner_of( &e, lane, 3 * k + 2 ) };
				faces[k] = bvfit_face_of( corner );
				order[k] = k;
			}
			bvvol_packed_obb box = one->fit( faces, order, e.count[lane] );
			double expected[3];
			double found[3];
			for ( int i = 0; i < 3; ++i )
			{
				expected[i] = 2 * box.half_extents[i];
				found[i] = 2 * m.spans.half[i][lane];
			}
			sum[0] += area_of( found );
			sum[1] += area_of( expected );
			worst =
				area_of( expected ) > 0.01 ? fmax( worst, area_of( found ) / area_of( expected ) ) : worst;
		}
	}
	print_message( "%g of their area, at most %g\n", sum[0] / sum[1], worst );
	assert_true( sum[0] < 1.005 * sum[1] );
	assert_true( worst < 2 ); // on a grid, where others of many extremal points are taken
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( all_levels_give_the_same_numbers ),
		fixture_test( sums_are_those_of_the_faces ),
		fixture_test( chosen_boxes_hold_their_faces_within_the_margin ),
		fixture_test( points_are_measured_as_far_as_they_reach ),
		fixture_test( boxes_are_as_small_as_those_fitted_one_by_one ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
