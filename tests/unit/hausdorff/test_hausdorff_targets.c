// Targets of more triangles than a search looks at one by one: their boxes are made while it runs. Against brute force, and
// with little memory.

#include "hausdorff_volumes.h"
#include "runtime/math/vec.h"
#include "shapes.h"

static bvb_mesh soup( fixture* f, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 a = random_point( f );
		bv_vec3 b = bv_add( a, bv_scale( size, random_point( f ) ) );
		set_triangle( &mesh, i, a, b, bv_add( a, bv_scale( size, random_point( f ) ) ) );
	}
	return mesh;
}

static bv_vec3 point_of( fixture* f, const bvb_mesh* mesh, uint32_t triangle )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	double u = random_unit( f );
	double v = random_unit( f );
	u = u + v > 1 ? 1 - u : u;
	v = u + v > 1 ? 1 - v : v;
	bv_vec3 a = mesh->positions[c[0]];
	bv_vec3 p = bv_add( a, bv_scale( u, bv_sub( mesh->positions[c[1]], a ) ) );
	return bv_add( p, bv_scale( v, bv_sub( mesh->positions[c[2]], a ) ) );
}

static void assert_same( const bvb_hausdorff* a, const bvb_hausdorff* b )
{
	assert_memory_equal( a, b, sizeof *a );
}

// No point of the source is farther than the upper bound, by looking at all triangles; the witness is as far as the lower one.
static void meshes_are_as_far_as_their_farthest_points( void** state )
{
	fixture* f = *state;
	for ( int run = 0; run < 60; ++run )
	{
		uint32_t sizes[2] = { 1 + (uint32_t)( random_unit( f ) * 300 ),
			                  1 + (uint32_t)( random_unit( f ) * 300 ) };
		bvb_mesh from = run % 3 == 0 ? bumpy_ball( f, 9 ) : soup( f, sizes[0], run % 3 == 1 ? 0.1 : 1 );
		bvb_mesh to = run % 4 == 0 ? moved( f, &from, ( bv_vec3 ){ 0.01, 0.02, 0 } )
		                           : soup( f, sizes[1], run % 4 == 1 ? 0.05 : 0.6 );
		bvb_hausdorff_options options = { .relative = run % 5 == 0 ? 0 : 0.01,
			                              .absolute = run % 2 ? 1e-4 : 0.02 };
		bvb_hausdorff r;
		assert_int_equal( bvb_hausdorff_mesh( target_of( f, &to ), &from, &options, &r ), bv_ok );
		nearest_faces faces;
		assert_true( nearest_prepare( &to, 0, to.triangle_count, &faces ) );
		for ( uint32_t i = 0; i < from.triangle_count; ++i )
		{
			for ( int k = 0; k < 20; ++k )
			{
				bv_vec3 p = point_of( f, &from, i );
				assert_true( nearest_distance( &faces, p, NULL ) <= r.upper + 1e-12 );
			}
		}
		assert_true( nearest_distance( &faces, r.witness, NULL ) >= r.lower - 1e-12 );
		assert_true( r.upper <= r.lower + bvmath_max( options.relative * r.lower, options.absolute ) + 1e-9 );
		nearest_free( &faces );
	}
}

// Triangles that both meshes have are no distance away, however their corners are ordered; those beside them still count.
static void triangles_of_both_meshes_do_not_matter( void** state )
{
	fixture* f = *state;
	bvb_mesh both = soup( f, 120, 0.2 );
	bvb_mesh turned = moved( f, &both, ( bv_vec3 ){ 0, 0, 0 } );
	for ( uint32_t i = 0; i < 120; ++i )
	{
		uint32_t* c = turned.triangles[i].corner;
		uint32_t first = c[0];
		c[0] = c[1 + i % 2];
		c[1 + i % 2] = first;
	}
	bvb_hausdorff r;
	assert_int_equal( bvb_hausdorff_mesh( target_of( f, &both ), &turned, NULL, &r ), bv_ok );
	assert_true( r.lower == 0 && r.upper < 1e-12 );
	bvb_mesh far = sheet( f, ( bv_vec3 ){ 0, 0, 4 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 2 );
	bvb_mesh from = joined( f, &turned, &far );
	bvb_hausdorff alone;
	assert_int_equal( bvb_hausdorff_mesh( target_of( f, &both ), &far, NULL, &alone ), bv_ok );
	assert_int_equal( bvb_hausdorff_mesh( target_of( f, &both ), &from, NULL, &r ), bv_ok );
	assert_true( r.lower > 2 && r.lower <= alone.upper && alone.lower <= r.upper );
	assert_true( r.upper <= r.lower * 1.011 );
}

static void a_target_with_other_triangles_is_as_one_made_of_them( void** state )
{
	fixture* f = *state;
	static const uint32_t counts[] = { 1, 33, 5, 32, 200, 2, 34, 700, 100, 1 };
	bvb_mesh mesh = soup( f, 900, 0.2 );
	uint32_t which[900];
	bvb_hausdorff_target* reset = target_of( f, &mesh );
	for ( uint32_t run = 0; run < sizeof counts / sizeof *counts; ++run )
	{
		for ( uint32_t i = 0; i < counts[run]; ++i )
		{
			which[i] = ( run * 31 + i * 7 ) % 900;
		}
		bvb_hausdorff_target* made;
		assert_int_equal( bvb_hausdorff_target_create( &mesh, which, counts[run], f->arena, &made, NULL ),
		                  bv_ok );
		assert_int_equal( bvb_hausdorff_target_reset( reset, &mesh, which, counts[run], NULL ), bv_ok );
		any_volume volumes[2] = { { .kind = any_aabb, .aabb = { { -1, -1, -1 }, { 1, 1, 2 } } },
			                      { .kind = any_sphere, .sphere = { { 0.1, 0, 0 }, 2 } } };
		for ( int i = 0; i < 2; ++i )
		{
			bvb_hausdorff r[2];
			assert_int_equal( any_measure( made, &volumes[i], NULL, &r[0] ), bv_ok );
			assert_int_equal( any_measure( reset, &volumes[i], NULL, &r[1] ), bv_ok );
			assert_same( &r[0], &r[1] );
		}
	}
}

// Grown once, a target needs no more memory for as many triangles or fewer.
static void a_target_keeps_its_memory( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup( f, 400, 0.2 );
	bvb_hausdorff_target* target = target_of( f, &mesh );
	bvb_hausdorff r;
	bv_aabb box = { { -1, -1, -1 }, { 1, 1, 1 } };
	assert_int_equal( bvb_hausdorff_aabb( target, &box, NULL, &r ), bv_ok );
	size_t bytes = bvb_arena_bytes( f->arena );
	for ( uint32_t i = 0; i < 100; ++i )
	{
		uint32_t which[3] = { i, 3 * i, 399 - i };
		assert_int_equal( bvb_hausdorff_target_reset( target, &mesh, which, 3, NULL ), bv_ok );
		assert_int_equal( bvb_hausdorff_target_reset( target, &mesh, NULL, 0, NULL ), bv_ok );
	}
	assert_int_equal( bvb_arena_bytes( f->arena ), bytes );
}

static void a_target_without_triangles_is_refused_and_stays_as_it_was( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup( f, 50, 0.2 );
	bvb_hausdorff_target* target = target_of( f, &mesh );
	bv_aabb box = { { -1, -1, -1 }, { 1, 1, 1 } };
	bvb_hausdorff r[2];
	assert_int_equal( bvb_hausdorff_aabb( target, &box, NULL, &r[0] ), bv_ok );
	uint32_t none = 0;
	assert_int_equal( bvb_hausdorff_target_reset( target, &mesh, &none, 0, NULL ), bv_error_argument );
	assert_int_equal( bvb_hausdorff_aabb( target, &box, NULL, &r[1] ), bv_ok );
	assert_same( &r[0], &r[1] );
}

static void coordinates_whose_squares_are_no_numbers_are_refused( void** state )
{
	fixture* f = *state;
	static const int exponents[] = { -550, -450, 520, 600 };
	for ( int i = 0; i < 4; ++i )
	{
		double scale = ldexp( 1, exponents[i] );
		bvb_mesh mesh = soup( f, 20, 0.2 );
		for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
		{
			bv_vec3* p = mesh.positions + k;
			*p = ( bv_vec3 ){ scale * p->x, scale * p->y, scale * p->z };
		}
		bv_aabb box = { { -scale, -scale, -scale }, { scale, scale, scale } };
		bvb_hausdorff r;
		bvb_hausdorff_target* target;
		bv_status status = bvb_hausdorff_target_create( &mesh, NULL, 0, f->arena, &target, NULL );
		status = status == bv_ok ? bvb_hausdorff_aabb( target, &box, NULL, &r ) : status;
		assert_int_equal( status, bv_error_argument );
	}
}

// With less memory than a search would take its interval is wider, but still holds what one with enough memory finds.
static void intervals_hold_where_memory_ends( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup( f, 300, 0.1 );
	any_volume volumes[] = {
		{ .kind = any_aabb, .aabb = { { -1, -1, -1 }, { 1, 1, 1 } } },
		{ .kind = any_sphere, .sphere = { { 0.1, 0, 0 }, 2 } },
		{ .kind = any_capsule, .capsule = { { { 0, 0, 0 }, { 1, 0, 0 } }, 1 } },
		{ .kind = any_mesh },
	};
	volumes[3].mesh = soup( f, 90, 1 );
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.relative = 1e-7;
	bvb_hausdorff_target* enough = target_of( f, &mesh );
	int short_of_memory = 0;
	int wider = 0;
	for ( int what = 0; what < 4; ++what )
	{
		for ( int surface = 0; surface < 2; ++surface )
		{
			options.measure = surface ? bvb_hausdorff_surface : bvb_hausdorff_solid;
			bvb_hausdorff expected;
			assert_int_equal( any_measure( enough, &volumes[what], &options, &expected ), bv_ok );
			for ( size_t limit = 0; limit < 400000; limit += 4001 )
			{
				bvb_arena* small = bvb_arena_create_limited( limit );
				bvb_hausdorff_target* target;
				bvb_hausdorff r;
				bv_status status = bvb_hausdorff_target_create( &mesh, NULL, 0, small, &target, NULL );
				status = status == bv_ok ? any_measure( target, &volumes[what], &options, &r ) : status;
				assert_true( status == bv_ok || status == bv_error_memory );
				short_of_memory += status != bv_ok;
				if ( status == bv_ok )
				{
					assert_true( r.lower <= expected.upper && expected.lower <= r.upper );
					wider += r.upper > r.lower * 1.0001;
				}
				bvb_arena_destroy( small );
			}
		}
	}
	assert_true( short_of_memory > 0 && wider > 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( meshes_are_as_far_as_their_farthest_points ),
		fixture_test( triangles_of_both_meshes_do_not_matter ),
		fixture_test( a_target_with_other_triangles_is_as_one_made_of_them ),
		fixture_test( a_target_keeps_its_memory ),
		fixture_test( a_target_without_triangles_is_refused_and_stays_as_it_was ),
		fixture_test( coordinates_whose_squares_are_no_numbers_are_refused ),
		fixture_test( intervals_hold_where_memory_ends ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
