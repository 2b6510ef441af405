// Overlaps of meshes with balls, boxes and convex shapes against all triangles, in arithmetic of 113 bits.

#include "queries.h"

#include "tests/reference/gaps.h"

// What is nearer than this to touching may be decided either way.
static const double doubt = 1e-9;

typedef struct marks
{
	uint8_t seen[256];
	int repeated;
} marks;

static bool mark( void* context, uint32_t triangle )
{
	marks* m = context;
	m->repeated += m->seen[triangle]++;
	return true;
}

// Which triangles meet a shape, by their distances from its hull.
static int assert_marks( const bv_file* file, const bv_transform* t, const bv_convex* shape, const marks* m )
{
	int meeting = 0;
	assert_int_equal( m->repeated, 0 );
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_vec3 corner[3];
		get_placed( file, i, t, corner );
		double gap = gap_of_hull( shape->points, shape->count, corner ) - shape->radius;
		if ( gap <= 0 )
		{
			assert_true( m->seen[i] );
		}
		else if ( gap > doubt )
		{
			assert_false( m->seen[i] );
		}
		meeting += gap <= 0;
	}
	return meeting;
}

typedef struct place
{
	const bv_file* file;
	bv_transform t;
	bv_vec3 at; // the middle of the mesh
	double scale;
} place;

static place make_place( fixture* f, int round, uint32_t triangles )
{
	place p;
	p.scale = round % 3 == 0 ? 1 : pow( 10, 2 * random_unit( f ) - 1 );
	bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
	bvb_mesh soup = random_soup( f, triangles, center );
	p.file = file_of_round( f, &soup, round );
	p.t = random_transform( f, p.scale, round % 2 == 1, random_around( f ) );
	p.t.pose.rotation[0][1] += round % 4 == 3 ? 4e-5 : 0; // rigid only so far
	p.at = placed( &p.t, center );
	return p;
}

static void balls_meet_the_triangles_they_reach( void** state )
{
	fixture* f = *state;
	int meeting = 0;
	for ( int round = 0; round < 32; ++round )
	{
		place p = make_place( f, round, 100 );
		for ( int k = 0; k < 10; ++k )
		{
			bv_sphere ball = { plus( p.at, p.scale, random_around( f ) ),
				               p.scale * ( k == 0 ? 0 : random_unit( f ) ) };
			marks m = { .repeated = 0 };
			bv_overlap_options options = { .callback = mark, .context = &m };
			bv_overlap_result r;
			assert_int_equal( bv_mesh_overlap_sphere( p.file, &p.t, &ball, &options, &r ), bv_ok );
			bv_convex shape = bv_convex_points( &ball.center, 1, ball.radius );
			int expected = assert_marks( p.file, &p.t, &shape, &m );
			assert_in_range( r.triangles, expected, expected + 1 );
			meeting += expected;
		}
	}
	assert_true( meeting > 1000 );
}

// A box of each kind is the hull of its corners.
static void boxes_meet_the_triangles_in_them( void** state )
{
	fixture* f = *state;
	int meeting = 0;
	for ( int round = 0; round < 8; ++round )
	{
		place p = make_place( f, round, 16 );
		for ( int k = 0; k < 4; ++k )
		{
			bv_vec3 center = plus( p.at, 0.7 * p.scale, random_around( f ) );
			bv_vec3 half = plus( ( bv_vec3 ){ 0, 0, 0 }, 0.6 * p.scale, random_point( f ) );
			bv_transform turn =
				k % 2 == 0 ? bv_transform_identity() : random_transform( f, 1, false, center );
			turn.pose.translation = center;
			bv_vec3 corners[8];
			for ( int i = 0; i < 8; ++i )
			{
				corners[i] = placed( &turn, ( bv_vec3 ){ i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
				                                         i & 4 ? half.z : -half.z } );
			}
			marks m = { .repeated = 0 };
			bv_overlap_options options = { .callback = mark, .context = &m };
			bv_overlap_result r;
			if ( k % 2 == 0 )
			{
				bv_aabb box = { minus( center, half ), plus( center, 1, half ) };
				assert_int_equal( bv_mesh_overlap_aabb( p.file, &p.t, &box, &options, &r ), bv_ok );
			}
			else
			{
				// Rows of a box are the axes, columns of a rotation are where it takes them.
				double( *m3 )[3] = turn.pose.rotation;
				bv_obb box = { .center = center, .half_extents = { half.x, half.y, half.z } };
				for ( int i = 0; i < 3; ++i )
				{
					box.axis[i] = ( bv_vec3 ){ m3[0][i], m3[1][i], m3[2][i] };
				}
				assert_int_equal( bv_mesh_overlap_obb( p.file, &p.t, &box, &options, &r ), bv_ok );
			}
			bv_convex shape = bv_convex_points( corners, 8, 0 );
			int expected = assert_marks( p.file, &p.t, &shape, &m );
			assert_in_range( r.triangles, expected, expected + 1 );
			meeting += expected;
		}
	}
	assert_true( meeting > 40 );
}

static void shapes_meet_the_triangles_they_reach( void** state )
{
	fixture* f = *state;
	int meeting = 0;
	for ( int round = 0; round < 16; ++round )
	{
		place p = make_place( f, round, 30 );
		for ( int k = 0; k < 6; ++k )
		{
			bv_vec3 points[5];
			for ( int i = 0; i < 5; ++i )
			{
				points[i] = plus( p.at, p.scale, random_around( f ) );
			}
			bv_convex shape = bv_convex_points( points, 1 + (uint32_t)k % 5,
			                                    k % 2 == 0 ? 0 : 0.3 * p.scale * random_unit( f ) );
			marks m = { .repeated = 0 };
			bv_overlap_options options = { .callback = mark, .context = &m };
			bv_overlap_result r;
			assert_int_equal( bv_mesh_overlap_convex( p.file, &p.t, &shape, &options, &r ), bv_ok );
			int expected = assert_marks( p.file, &p.t, &shape, &m );
			assert_in_range( r.triangles, expected, expected + 1 );
			assert_true( r.triangle_tests <= 30 );
			meeting += expected;
		}
	}
	assert_true( meeting > 150 );
}

// A box, an oriented one and a shape of its corners are the same solid, and no placement is that which moves nothing.
static void the_same_solid_meets_the_same_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bv_transform none = bv_transform_identity();
	uint64_t meeting = 0;
	for ( int round = 0; round < 80; ++round )
	{
		const bv_file* file = file_of_round( f, &ball, round % 8 );
		bv_vec3 center = plus( ( bv_vec3 ){ 0, 0, 0 }, 1, random_around( f ) );
		bv_vec3 half = plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, random_point( f ) );
		bv_aabb box = { minus( center, half ), plus( center, 1, half ) };
		bv_obb turned = {
			.center = center,
			.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
			.half_extents = { half.x, half.y, half.z },
		};
		bv_vec3 corners[8];
		for ( int i = 0; i < 8; ++i )
		{
			corners[i] = ( bv_vec3 ){ i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
				                      i & 4 ? box.upper.z : box.lower.z };
		}
		bv_convex shape = bv_convex_points( corners, 8, 0 );
		bv_overlap_result r[6];
		for ( int i = 0; i < 2; ++i )
		{
			const bv_transform* placement = i == 0 ? NULL : &none;
			assert_int_equal( bv_mesh_overlap_aabb( file, placement, &box, NULL, r + i ), bv_ok );
			assert_int_equal( bv_mesh_overlap_obb( file, placement, &turned, NULL, r + 2 + i ), bv_ok );
			assert_int_equal( bv_mesh_overlap_convex( file, placement, &shape, NULL, r + 4 + i ), bv_ok );
		}
		for ( int i = 1; i < 6; ++i )
		{
			assert_int_equal( r[i].triangles, r[0].triangles );
		}
		meeting += r[0].triangles;
	}
	assert_in_range( meeting, 1000, 80 * ball.triangle_count / 4 );
}

// Balls and boxes from those that meet nothing to those that hold the whole mesh, in files of all kinds, one
// of them a single large leaf. Volumes that are within them are not looked into: then triangles are only
// counted.
static void triangles_are_counted_as_they_are_reported( void** state )
{
	fixture* f = *state;
	uint64_t meeting = 0;
	for ( int round = 0; round < 200; ++round )
	{
		place p = make_place( f, round, round % 4 == 0 ? 3 : 200 );
		double radius = p.scale * pow( 10, 3 * random_unit( f ) - 2 );
		bv_vec3 center = plus( p.at, p.scale, random_around( f ) );
		bv_sphere ball = { center, radius };
		bv_aabb box = { plus( center, -radius, random_point( f ) ),
			            plus( center, radius, random_point( f ) ) };
		bv_convex shape = bv_convex_points( &center, 1, radius );
		for ( int kind = 0; kind < 3; ++kind )
		{
			marks m = { .repeated = 0 };
			const bv_overlap_options options[3] = { { .callback = mark, .context = &m },
				                                    { .first = false },
				                                    { .first = true } };
			bv_overlap_result r[3];
			for ( int i = 0; i < 3; ++i )
			{
				bv_status status =
					kind == 0   ? bv_mesh_overlap_sphere( p.file, &p.t, &ball, options + i, r + i )
					: kind == 1 ? bv_mesh_overlap_aabb( p.file, &p.t, &box, options + i, r + i )
								: bv_mesh_overlap_convex( p.file, &p.t, &shape, options + i, r + i );
				assert_int_equal( status, bv_ok );
			}
			uint64_t seen = 0;
			for ( int i = 0; i < 256; ++i )
			{
				seen += m.seen[i];
			}
			assert_int_equal( m.repeated, 0 );
			assert_int_equal( r[0].triangles, seen );
			assert_int_equal( r[1].triangles, seen );
			assert_int_equal( r[2].triangles, seen > 0 );
			meeting += seen;
		}
	}
	assert_true( meeting > 10000 );
}

static bool stop( void* context, uint32_t triangle )
{
	(void)triangle;
	return ++*(int*)context < 3;
}

// Of a cube of side 1 a ball round a corner touches the triangles of that corner and of no other side: four to six of the twelve.
// Tiny boxes at the ends of long, thin triangles that lie between two axes, whose angle is not quite right: along the product of the
// third axis with a node's this moves the node's far end.
static void axes_need_not_be_orthonormal( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		enum
		{
			strips = 64
		};
		bvb_mesh mesh = soup_create( f, strips );
		for ( uint32_t i = 0; i < strips; ++i )
		{
			bv_vec3 wide = { -0.01 * random_unit( f ), 0.001 * random_unit( f ), 0.01 * random_unit( f ) };
			bv_vec3 at = { 0.01 * random_unit( f ), 0.3 * i, 0.01 * random_unit( f ) };
			mesh.positions[3 * i] = at;
			mesh.positions[3 * i + 1] = plus( at, 1 + random_unit( f ), ( bv_vec3 ){ 1, 0, 1 } );
			mesh.positions[3 * i + 2] = plus( mesh.positions[3 * i + 1], 1, wide );
		}
		const bv_file* file = file_of_round( f, &mesh, 0 );
		bv_transform none = bv_transform_identity();
		for ( uint32_t i = 0; i < 4 * strips; ++i )
		{
			bv_vec3 corner[3];
			double half = pow( 10, -7 * random_unit( f ) ) * 1e-2;
			get_placed( file, i % strips, &none, corner );
			bv_obb box = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
				           .half_extents = { half, half, half } };
			box.axis[i % 2 * 2] = i % 2 ? ( bv_vec3 ){ 9e-5, 0, 1 } : ( bv_vec3 ){ 1, 0, -9e-5 };
			for ( int k = 0; k < 3; ++k )
			{
				bv_overlap_result found;
				box.center = corner[k];
				assert_int_equal( bv_mesh_overlap_obb( file, NULL, &box, NULL, &found ), bv_ok );
				assert_true( found.triangles > 0 );
			}
		}
	}
}

static void first_and_callback_end_the_query( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_sphere ball = { { -3, 0, -4 }, 5 };
	bv_overlap_result r;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_ok );
	assert_in_range( r.triangles, 4, 8 );
	assert_int_equal(
		bv_mesh_overlap_sphere( file, NULL, &ball, &( bv_overlap_options ){ .first = true }, &r ), bv_ok );
	assert_int_equal( r.triangles, 1 );
	int calls = 0;
	bv_overlap_options options = { .callback = stop, .context = &calls };
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &options, &r ), bv_ok );
	assert_int_equal( calls, 3 );
	assert_int_equal( r.triangles, 3 );

	// Touching is meeting: at 3-4-5 distance. A little less is not.
	ball.radius = 4.9999999;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_ok );
	assert_int_equal( r.triangles, 0 );

	// Inside of a closed mesh nothing is met.
	ball = ( bv_sphere ){ { 0.5, 0.5, 0.5 }, 0.49 };
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_ok );
	assert_int_equal( r.triangles, 0 );
}

static void what_makes_no_sense_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_overlap_result r;
	bv_sphere ball = { { 0, 0, 0 }, -1 };
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, NULL, NULL, &r ), bv_error_argument );
	ball.radius = NAN;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_error_argument );
	ball.radius = 2 * BV_MAX_LENGTH;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_error_argument );
	ball = ( bv_sphere ){ { BV_MAX_LENGTH, -BV_MAX_LENGTH, 0 }, BV_MAX_LENGTH };
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_ok );
	assert_int_equal( r.triangles, 0 );
	ball.center.y = 0;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_ok );
	assert_int_equal( r.triangles, bv_file_get_mesh( file ).triangles );
	ball.center.x = 2 * BV_MAX_LENGTH;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, NULL, &r ), bv_error_argument );
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &r ), bv_ok );
	assert_int_equal( bv_mesh_overlap_aabb( NULL, NULL, &box, NULL, &r ), bv_error_argument );
	box.upper.y = -1;
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &r ), bv_error_argument );
	box.upper.y = INFINITY;
	assert_int_equal( bv_mesh_overlap_aabb( file, NULL, &box, NULL, &r ), bv_error_argument );
	bv_obb turned = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { 1, 1, 1 } };
	assert_int_equal( bv_mesh_overlap_obb( file, NULL, &turned, NULL, &r ), bv_ok );
	turned.axis[2].z = 2;
	assert_int_equal( bv_mesh_overlap_obb( file, NULL, &turned, NULL, &r ), bv_error_argument );
	bv_convex none = bv_convex_points( NULL, 0, 1 );
	assert_int_equal( bv_mesh_overlap_convex( file, NULL, &none, NULL, &r ), bv_error_argument );
}

// The first triangles of a large leaf are tested, and no others once one of them is found.
static void the_first_hit_ends_the_search_of_a_large_leaf( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = random_soup( f, 200, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	const bv_file* file = build_file( f, &soup, &options );
	uint32_t corner[3];
	bv_file_get_triangle( file, 0, corner );
	bv_sphere ball = { bv_file_get_vertex( file, corner[0] ), 0.01 };
	bv_overlap_options first = { .first = true };
	bv_overlap_result result;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &first, &result ), bv_ok );
	assert_true( result.triangles == 1 && result.triangle_tests <= 8 );
	first.first = false;
	assert_int_equal( bv_mesh_overlap_sphere( file, NULL, &ball, &first, &result ), bv_ok );
	assert_true( result.triangle_tests == 200 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( balls_meet_the_triangles_they_reach ),
		fixture_test( boxes_meet_the_triangles_in_them ),
		fixture_test( shapes_meet_the_triangles_they_reach ),
		fixture_test( the_same_solid_meets_the_same_triangles ),
		fixture_test( axes_need_not_be_orthonormal ),
		fixture_test( triangles_are_counted_as_they_are_reported ),
		fixture_test( first_and_callback_end_the_query ),
		fixture_test( the_first_hit_ends_the_search_of_a_large_leaf ),
		fixture_test( what_makes_no_sense_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
