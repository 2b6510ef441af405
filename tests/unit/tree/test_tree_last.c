// Queries that begin with what was found in the placement before: along a path into contact and out of it they find the same as
// those that begin anew, and both what brute force finds.

#include "queries.h"

#include "runtime/triangle/gap.h"
#include "runtime/triangle/pair.h"

enum
{
	path_steps = 40,
};

// A way past the other mesh, through it if both are of about size 1: a small step and a small turn at a time.
typedef struct path
{
	bv_transform at;
	bv_vec3 step;
	double turn;
} path;

static path random_path( fixture* f, int round )
{
	double scale = round % 3 == 0 ? 1 : pow( 4, 2 * random_unit( f ) - 1 );
	bv_vec3 miss = plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, random_around( f ) );
	double reach = 1.5 + scale;
	path p = { .at = random_transform( f, scale, round % 2 == 1, miss ), .turn = 0.03 };
	p.at.pose.translation.x -= reach;
	p.step = ( bv_vec3 ){ 2 * reach / path_steps, 0, 0 };
	return p;
}

static void go_on( path* p )
{
	double c = cos( p->turn );
	double s = sin( p->turn );
	double( *r )[3] = p->at.pose.rotation;
	for ( int k = 0; k < 3; ++k )
	{
		double y = r[1][k];
		double z = r[2][k];
		r[1][k] = c * y - s * z;
		r[2][k] = s * y + c * z;
	}
	p->at.pose.translation = plus( p->at.pose.translation, 1, p->step );
}

static bool meets( const bv_file* a, uint32_t i, const bv_file* b, uint32_t k, const bv_transform* t )
{
	bv_transform none = bv_transform_identity();
	bv_vec3 of_a[3];
	bv_vec3 of_b[3];
	get_placed( a, i, &none, of_a );
	get_placed( b, k, t, of_b );
	return bvtri_triangles_intersect( of_a, of_b );
}

static double distance_of_all( const bv_file* a, const bv_file* b, const bv_transform* t, bool* meeting )
{
	bv_transform none = bv_transform_identity();
	double least = INFINITY;
	*meeting = false;
	for ( uint32_t k = 0; k < bv_file_get_mesh( b ).triangles; ++k )
	{
		bv_vec3 moved[3];
		get_placed( b, k, t, moved );
		for ( uint32_t i = 0; i < bv_file_get_mesh( a ).triangles; ++i )
		{
			bv_vec3 corner[3];
			bvtri_gap gap;
			get_placed( a, i, &none, corner );
			least = bvtri_triangles_gap( corner, moved, least, &gap ) ? sqrt( gap.square ) : least;
			*meeting = *meeting || bvtri_triangles_intersect( corner, moved );
		}
	}
	return least;
}

static bv_distance_result distance_from( const bv_file* a, const bv_file* b, const bv_transform* t,
                                         const bv_distance_result* last )
{
	bv_distance_options options = bv_distance_options_default();
	bv_distance_result result;
	options.last = last;
	assert_int_equal( bv_mesh_distance( a, b, t, &options, &result ), bv_ok );
	return result;
}

static bv_collide_result first_from( const bv_file* a, const bv_file* b, const bv_transform* t,
                                     const bv_collide_result* last )
{
	bv_collide_options options = { .first = true, .last = last };
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( a, b, t, &options, &result ), bv_ok );
	return result;
}

static void assert_same_distance( const bv_file* a, const bv_file* b, const bv_transform* t,
                                  const bv_distance_result* got, const bv_distance_result* fresh )
{
	bv_transform none = bv_transform_identity();
	assert_true( got->found && fresh->found );
	if ( memcmp( &got->distance, &fresh->distance, sizeof( double ) ) != 0 )
	{
		fail_msg( "%.17g instead of %.17g", got->distance, fresh->distance );
	}
	assert_surface_point( a, &got->a, &none, 1e-12 );
	assert_surface_point( b, &got->b, t, 1e-12 );
	assert_true( fabs( length( minus( got->a.point, got->b.point ) ) - got->distance ) <= 1e-12 );
}

// Files with nodes of all types, scaled and mirrored. The result is that of the step before and is filled anew.
static void paths_are_followed( void** state )
{
	fixture* f = *state;
	int met = 0;
	int apart = 0;
	for ( int round = 0; round < 32; ++round )
	{
		bvb_mesh soup_a = random_soup( f, 60, ( bv_vec3 ){ 0, 0, 0 } );
		bvb_mesh soup_b = random_soup( f, 80, ( bv_vec3 ){ 0, 0, 0 } );
		const bv_file* a = file_of_round( f, &soup_a, round );
		const bv_file* b = file_of_round( f, &soup_b, round / 2 );
		path p = random_path( f, round );
		bv_distance_result near = { .found = false };
		bv_collide_result hit = { .pairs = 0 };
		bv_distance_options distance_options = bv_distance_options_default();
		bv_collide_options collide_options = { .first = true, .last = &hit };
		distance_options.last = &near;
		for ( int i = 0; i <= path_steps; ++i, go_on( &p ) )
		{
			bv_distance_result fresh = distance_from( a, b, &p.at, NULL );
			bv_collide_result fresh_hit = first_from( a, b, &p.at, NULL );
			assert_int_equal( bv_mesh_distance( a, b, &p.at, &distance_options, &near ), bv_ok );
			assert_int_equal( bv_mesh_collide( a, b, &p.at, &collide_options, &hit ), bv_ok );
			assert_same_distance( a, b, &p.at, &near, &fresh );
			assert_int_equal( hit.pairs, fresh_hit.pairs );
			assert_true( hit.pairs == 0 || meets( a, hit.triangles[0], b, hit.triangles[1], &p.at ) );
			met += hit.pairs > 0;
			apart += hit.pairs == 0;
			if ( i % 10 == 5 )
			{
				bool meeting;
				double expected = distance_of_all( a, b, &p.at, &meeting );
				assert_true( fabs( near.distance - expected ) < 1e-12 );
				assert_int_equal( hit.pairs, meeting );
			}
		}
	}
	assert_true( met > 200 && apart > 200 );
}

// Of a smooth mesh on a slow way, apart and in contact.
static void what_is_known_saves_tests( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	uint64_t anew[2] = { 0, 0 };
	uint64_t resumed[2] = { 0, 0 };
	path p = { .at = random_transform( f, 1, false, ( bv_vec3 ){ 3, 0.3, 0 } ),
		       .step = { -0.02, 0, 0 },
		       .turn = 0.003 };
	bv_distance_result near = { .found = false };
	bv_collide_result hit = { .pairs = 0 };
	for ( int i = 0; i < 100; ++i, go_on( &p ) )
	{
		bv_distance_result fresh = distance_from( file, file, &p.at, NULL );
		bv_collide_result fresh_hit = first_from( file, file, &p.at, NULL );
		near = distance_from( file, file, &p.at, &near );
		hit = first_from( file, file, &p.at, &hit );
		assert_same_distance( file, file, &p.at, &near, &fresh );
		assert_int_equal( hit.pairs, fresh_hit.pairs );
		anew[0] += fresh.volume_tests + fresh.triangle_tests;
		anew[1] += fresh_hit.volume_tests + fresh_hit.triangle_tests;
		resumed[0] += near.volume_tests + near.triangle_tests;
		resumed[1] += hit.volume_tests + hit.triangle_tests;
	}
	assert_true( hit.pairs == 1 );
	assert_true( resumed[0] < anew[0] && resumed[1] < anew[1] );

	// In the same place one pair of triangles is enough.
	hit = first_from( file, file, &p.at, &hit );
	hit = first_from( file, file, &p.at, &hit );
	assert_int_equal( hit.volume_tests, 0 );
	assert_int_equal( hit.triangle_tests, 1 );
}

// Any triangles may be given as the last ones: what is found is the same.
static void what_is_not_true_does_no_harm( void** state )
{
	fixture* f = *state;
	bvb_mesh soup_a = random_soup( f, 50, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_mesh soup_b = random_soup( f, 70, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* a = file_of_round( f, &soup_a, 0 );
	const bv_file* b = file_of_round( f, &soup_b, 3 );
	for ( int i = 0; i < 400; ++i )
	{
		bv_transform t = random_transform( f, 1, i % 2 == 1, random_around( f ) );
		t.pose.translation.x += i % 4;
		uint32_t of_a = (uint32_t)( 49.9 * random_unit( f ) );
		uint32_t of_b = (uint32_t)( 69.9 * random_unit( f ) );
		bv_distance_result near = { .found = true, .distance = 1e-9 };
		near.a.triangle = of_a;
		near.b.triangle = of_b;
		bv_collide_result hit = { .pairs = 1, .triangles = { of_a, of_b } };
		bv_distance_result fresh = distance_from( a, b, &t, NULL );
		bv_collide_result fresh_hit = first_from( a, b, &t, NULL );
		near = distance_from( a, b, &t, &near );
		hit = first_from( a, b, &t, &hit );
		assert_same_distance( a, b, &t, &near, &fresh );
		assert_int_equal( hit.pairs, fresh_hit.pairs );
	}
}

// A level triangle with a corner at (x, 0, z).
static void set_level( bvb_mesh* mesh, uint32_t index, double x, double z )
{
	const bv_vec3 corner[3] = { { x, 0, z }, { x + 1, 0, z }, { x, 1, z } };
	memcpy( mesh->positions + 3 * index, corner, sizeof corner );
}

// Eight triangles in a leaf, one high above the other, and the one of number `out` reaching out at a side.
static const bv_file* file_of_stack( fixture* f, double x, uint32_t out, double x_out )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	bvb_mesh mesh = soup_create( f, 8 );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		set_level( &mesh, i, i == out ? x_out : x, 100 * i );
	}
	return build_file( f, &mesh, &options );
}

// Of each file one triangle is known, the first one of a leaf, and these two are apart: the others of the leaves are looked at all the
// same. One pair meets, 500 above the ground: a's of number 5 and b's of number 3. A query of other leaves comes before, so that nothing
// of this one is in memory by chance.
static void leaves_that_begin_with_a_known_triangle_are_looked_at( void** state )
{
	fixture* f = *state;
	const bv_file* a = file_of_stack( f, 0, 5, 10 );
	const bv_file* b = file_of_stack( f, 20, 3, 10 );
	const bv_file* other = file_of_stack( f, 0, 8, 0 );
	bv_transform aside = bv_transform_identity();
	bv_transform t = bv_transform_identity();
	aside.pose.translation.z = 50;
	t.pose.translation.z = 200;
	for ( int known = 0; known < 2; ++known )
	{
		bv_collide_result hit = { .pairs = (uint64_t)known };
		assert_int_equal( first_from( other, other, &aside, NULL ).pairs, 0 );
		hit = first_from( a, b, &t, &hit );
		assert_int_equal( hit.pairs, 1 );
		assert_int_equal( hit.triangles[0], 5 );
		assert_int_equal( hit.triangles[1], 3 );
		assert_int_equal( hit.triangle_tests, known + 8 * 8 );
	}
}

// A limit, or a result without anything in it, and queries for all pairs.
static void other_options_mean_the_same( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 4, 1, 0 } );
	bv_distance_result near = distance_from( file, file, &t, NULL );
	bv_distance_result none = { .found = false, .a = { .triangle = UINT32_MAX } };
	bv_distance_result same = distance_from( file, file, &t, &none );
	assert_int_equal( same.triangle_tests, near.triangle_tests );
	bv_distance_options options = bv_distance_options_default();
	options.last = &near;
	options.limit = near.distance * ( 1 - 1e-9 );
	assert_int_equal( bv_mesh_distance( file, file, &t, &options, &same ), bv_ok );
	assert_true( !same.found && isinf( same.distance ) );

	t = random_transform( f, 1, false, ( bv_vec3 ){ 1, 0.5, 0 } );
	bv_collide_result all;
	bv_collide_result again;
	bv_collide_result unlike = { .pairs = 1, .triangles = { UINT32_MAX, UINT32_MAX } };
	bv_collide_options every = { .last = &unlike };
	assert_int_equal( bv_mesh_collide( file, file, &t, NULL, &all ), bv_ok );
	assert_int_equal( bv_mesh_collide( file, file, &t, &every, &again ), bv_ok );
	assert_memory_equal( &again, &all, sizeof all );
	assert_true( all.pairs > 1 && meets( file, all.triangles[0], file, all.triangles[1], &t ) );
}

typedef struct last_pair
{
	int calls;
	uint32_t triangles[2];
} last_pair;

static bool remember( void* context, uint32_t a, uint32_t b )
{
	last_pair* p = context;
	p->calls += 1;
	p->triangles[0] = a;
	p->triangles[1] = b;
	return true;
}

static void callbacks_receive_the_pair_of_the_result( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 1, 0.5, 0 } );
	last_pair seen = { .calls = 0 };
	bv_collide_options options = { .callback = remember, .context = &seen };
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( file, file, &t, &options, &result ), bv_ok );
	assert_int_equal( seen.calls, result.pairs );
	assert_memory_equal( seen.triangles, result.triangles, sizeof seen.triangles );

	seen.calls = 0;
	options.first = true;
	options.last = &result;
	uint32_t before[2] = { result.triangles[0], result.triangles[1] };
	assert_int_equal( bv_mesh_collide( file, file, &t, &options, &result ), bv_ok );
	assert_int_equal( seen.calls, 1 );
	assert_memory_equal( seen.triangles, before, sizeof before );
	assert_memory_equal( result.triangles, before, sizeof before );
	assert_int_equal( result.triangle_tests, 1 );
}

// And what was known before is known still.
static void triangles_that_are_none_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh small = random_soup( f, 5, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_mesh large = random_soup( f, 9, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* a = file_of_round( f, &small, 0 );
	const bv_file* b = file_of_round( f, &large, 0 );
	static const uint32_t of[][2] = { { 4, 8 }, { 5, 8 }, { 4, 9 }, { UINT32_MAX, 0 }, { 0, UINT32_MAX } };
	for ( int i = 0; i < 5; ++i )
	{
		bv_distance_options options = bv_distance_options_default();
		bv_distance_result near = { .found = true };
		near.a.triangle = of[i][0];
		near.b.triangle = of[i][1];
		options.last = &near;
		bv_status expected = i == 0 ? bv_ok : bv_error_argument;
		assert_int_equal( bv_mesh_distance( a, b, NULL, &options, &near ), expected );
		bv_collide_result hit = { .pairs = 1, .triangles = { of[i][0], of[i][1] } };
		bv_collide_options first = { .first = true, .last = &hit };
		assert_int_equal( bv_mesh_collide( a, b, NULL, &first, &hit ), expected );
		if ( i > 0 )
		{
			assert_true( near.found && near.a.triangle == of[i][0] && near.b.triangle == of[i][1] );
			assert_true( hit.pairs == 1 && hit.triangles[0] == of[i][0] && hit.triangles[1] == of[i][1] );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( paths_are_followed ),
		fixture_test( what_is_known_saves_tests ),
		fixture_test( what_is_not_true_does_no_harm ),
		fixture_test( leaves_that_begin_with_a_known_triangle_are_looked_at ),
		fixture_test( other_options_mean_the_same ),
		fixture_test( callbacks_receive_the_pair_of_the_result ),
		fixture_test( triangles_that_are_none_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
