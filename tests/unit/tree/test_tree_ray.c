// bv_mesh_cast_ray against all triangles; that of one triangle is proved in test_triangle_ray.

#include "queries.h"

#include "runtime/tree/levels.h"
#include "runtime/triangle/ray.h"

// In the file's own coordinates, where times are the same.
typedef struct expected
{
	bool found;
	double time;
	uint32_t triangle;
} expected;

static expected cast_at_all( const bv_file* file, const bv_ray* ray, const bv_ray_options* options )
{
	bv_transform none = bv_transform_identity();
	expected best = { .time = INFINITY };
	bvtri_ray_frame frame;
	bvtri_ray_begin( ray->origin, ray->direction, &frame );
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_vec3 corner[3];
		bvtri_ray_triangle hit;
		get_placed( file, i, &none, corner );
		if ( bvtri_ray_meets_triangle( &frame, corner, &hit ) && hit.time >= ray->from &&
		     hit.time <= ray->to && ( hit.back ? !options->no_backs : !options->no_fronts ) &&
		     hit.time < best.time )
		{
			best = ( expected ){ true, hit.time, i };
		}
	}
	return best;
}

// Without a transform both compute the same numbers.
static void hits_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 32; ++round )
	{
		bv_vec3 center = { round % 5 == 4 ? 100 : 0, round % 7 == 6 ? -1000 : 0, 0 };
		bvb_mesh soup = random_soup( f, 150, center );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup; // two at once: the lesser index
		const bv_file* file = file_of_round( f, &soup, round );
		uint64_t tests = 0;
		uint64_t tests_of_any = 0;
		for ( int k = 0; k < 60; ++k )
		{
			bv_vec3 from = plus( center, 2, random_around( f ) );
			bv_vec3 to = k % 3 == 0 ? bv_file_get_vertex( file, (uint32_t)k )
			                        : plus( center, 0.5, random_around( f ) );
			bv_ray ray = { from, minus( to, from ), k % 5 == 0 ? 0.5 : 0, k % 7 == 0 ? 1 : INFINITY };
			bv_ray_options options = bv_ray_options_default();
			options.no_backs = k % 4 == 1;
			options.no_fronts = k % 4 == 2;
			expected e = cast_at_all( file, &ray, &options );
			bv_ray_result result;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
			assert_int_equal( result.found, e.found );
			tests += result.triangle_tests;
			if ( e.found )
			{
				hits += 1;
				assert_true( result.time == e.time );
				assert_int_equal( result.at.triangle, e.triangle );
				bv_transform none = bv_transform_identity();
				double error = 1e-12 * ( 1 + length( center ) );
				assert_surface_point( file, &result.at, &none, error );
				bv_vec3 at = plus( ray.origin, result.time, ray.direction );
				assert_true( length( minus( at, result.at.point ) ) <= 100 * error );
			}
			options.any = true;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
			assert_int_equal( result.found, e.found );
			tests_of_any += result.triangle_tests;
		}
		assert_true( tests_of_any < tests );
		assert_true( tests < 60 * soup.triangle_count / 3 );
	}
	assert_true( hits > 300 );
}

// The same ray and mesh, both placed: the same time and triangle, the point placed, fronts still fronts.
static void transforms_move_hits_along( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	for ( int i = 0; i < 300; ++i )
	{
		bv_transform t =
			random_transform( f, pow( 10, 2 * random_unit( f ) - 1 ), i % 2 == 0, random_around( f ) );
		bv_vec3 from = random_around( f );
		bv_vec3 to = random_around( f );
		bv_ray ray = { from, minus( to, from ), 0, INFINITY };
		bv_ray moved = { placed( &t, from ), minus( placed( &t, to ), placed( &t, from ) ), 0, INFINITY };
		bv_ray_result r;
		bv_ray_result m;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
		assert_int_equal( bv_mesh_cast_ray( file, &t, &moved, NULL, &m ), bv_ok );
		assert_int_equal( r.found, m.found );
		if ( r.found )
		{
			assert_true( fabs( r.time - m.time ) < 1e-10 );
			assert_int_equal( r.at.triangle, m.at.triangle );
			assert_int_equal( r.back, m.back );
			assert_true( length( minus( placed( &t, r.at.point ), m.at.point ) ) < 1e-10 );
			assert_true( length( minus( r.at.local, m.at.local ) ) < 1e-10 );
		}
	}
}

// From inside a closed mesh every ray to a corner or the middle of a side leaves through it, in any volumes.
static void no_ray_leaves_a_closed_mesh_unseen( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 10 );
	for ( int round = 0; round < 16; ++round )
	{
		const bv_file* file = file_of_round( f, &ball, round );
		bv_transform t = random_transform( f, 3, round % 4 == 0, ( bv_vec3 ){ 10, 0, 0 } );
		for ( int i = 0; i < 400; ++i )
		{
			bv_vec3 corner[3];
			get_placed( file, (uint32_t)( random_bits( f ) % ball.triangle_count ), &t, corner );
			bv_vec3 to = plus( corner[0], i % 3 == 0 ? 0 : 0.5 * ( i % 3 ), minus( corner[1], corner[0] ) );
			bv_vec3 from = placed( &t, plus( ( bv_vec3 ){ 0, 0, 0 }, 0.3, random_around( f ) ) );
			bv_ray ray = { from, minus( to, from ), 0, INFINITY };
			bv_ray_result result;
			assert_int_equal( bv_mesh_cast_ray( file, &t, &ray, NULL, &result ), bv_ok );
			assert_true( result.found && result.back );
		}
	}
}

// In 113 bits: the sides on which a ray passes the three lines through the corners of a triangle, and the time.
__extension__ typedef __float128 quad;

static quad side_of( bv_vec3 o, bv_vec3 d, bv_vec3 a, bv_vec3 b )
{
	quad ax = (quad)a.x - o.x, ay = (quad)a.y - o.y, az = (quad)a.z - o.z;
	quad bx = (quad)b.x - o.x, by = (quad)b.y - o.y, bz = (quad)b.z - o.z;
	return d.x * ( ay * bz - az * by ) + d.y * ( az * bx - ax * bz ) + d.z * ( ax * by - ay * bx );
}

// @return 1 if the ray certainly hits the triangle, from the front (-1 from the back) in its time range; 0 if it
// certainly does not; 2 if it is too close for binary64
static int hits_exactly( const bv_ray* ray, const bv_vec3 corner[3] )
{
	double side[3];
	double least = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		side[k] =
			(double)side_of( ray->origin, ray->direction, corner[( k + 1 ) % 3], corner[( k + 2 ) % 3] );
		least = fmin( least, fabs( side[k] ) );
	}
	if ( least < 1e-12 )
	{
		return 2;
	}
	bool back = side[0] > 0 && side[1] > 0 && side[2] > 0;
	bool front = side[0] < 0 && side[1] < 0 && side[2] < 0;
	double sum = side[0] + side[1] + side[2];
	bv_vec3 at = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		at = plus( at, side[k] / sum, corner[k] );
	}
	double time = dot( minus( at, ray->origin ), ray->direction ) / dot( ray->direction, ray->direction );
	double to = ray->to > 0 ? ray->to : INFINITY;
	if ( ( back || front ) && ( fabs( time - ray->from ) < 1e-9 || fabs( time - to ) < 1e-9 ) )
	{
		return 2;
	}
	return ( back || front ) && time > ray->from && time < to ? ( front ? 1 : -1 ) : 0;
}

enum
{
	most_seen = 600, // triangles of a mesh
	seen_rays = 40,
};

// The hits of several rays, as callbacks tell them.
typedef struct seen
{
	size_t first;  // index of the ray with the index 0
	uint32_t most; // of each ray, then false is returned
	uint32_t count[seen_rays];
	bool hit[seen_rays][most_seen];
	double time[seen_rays][most_seen];
	bv_ray_result of[most_seen]; // of the last ray that hit the triangle
} seen;

static bool see( void* context, size_t ray, const bv_ray_result* hit )
{
	seen* s = context;
	uint32_t triangle = hit->at.triangle;
	ray += s->first;
	assert_true( ray < seen_rays && hit->found && triangle < most_seen );
	assert_true( s->count[ray] < s->most );
	assert_false( s->hit[ray][triangle] );
	s->hit[ray][triangle] = true;
	s->time[ray][triangle] = hit->time;
	s->of[triangle] = *hit;
	s->count[ray] += 1;
	return s->count[ray] < s->most;
}

static bv_ray seen_ray( fixture* f, const bv_file* file, int k )
{
	bv_vec3 from = plus( ( bv_vec3 ){ 0, 0, 0 }, 2, random_around( f ) );
	bv_vec3 to = k % 3 == 0 ? bv_file_get_vertex( file, (uint32_t)k )
	                        : plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, random_around( f ) );
	return ( bv_ray ){ from, minus( to, from ), k % 5 == 0 ? 0.9 : 0, k % 7 == 0 ? 1.125 : 0 };
}

// Of soups: each triangle once, those that exact arithmetic finds, each with the numbers of the first hit of a mesh
// in which it is alone. The result is the first of them.
static void callbacks_receive_all_hits( void** state )
{
	fixture* f = *state;
	static seen single;
	static seen batched;
	int hits = 0;
	for ( int round = 0; round < 24; ++round )
	{
		bvb_mesh soup = random_soup( f, 150, ( bv_vec3 ){ 0, 0, 0 } );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup;
		const bv_file* file = file_of_round( f, &soup, round );
		uint32_t triangles = bv_file_get_mesh( file ).triangles;
		bv_ray rays[seen_rays];
		memset( &single, 0, sizeof single );
		memset( &batched, 0, sizeof batched );
		single.most = batched.most = UINT32_MAX;
		bv_ray_options options = { .no_fronts = round % 4 == 1, .no_backs = round % 4 == 2, .callback = see };
		for ( int k = 0; k < seen_rays; ++k )
		{
			rays[k] = seen_ray( f, file, k );
			single.first = (size_t)k;
			options.context = &single;
			bv_ray_result first;
			bv_ray_result result;
			bv_ray_options plain = { .no_fronts = options.no_fronts, .no_backs = options.no_backs };
			assert_int_equal( bv_mesh_cast_ray( file, NULL, rays + k, &plain, &first ), bv_ok );
			assert_int_equal( bv_mesh_cast_ray( file, NULL, rays + k, &options, &result ), bv_ok );
			assert_int_equal( result.found, first.found );
			assert_true( result.time == first.time && result.at.triangle == first.at.triangle );
			bvtri_ray_frame frame;
			bvtri_ray_begin( rays[k].origin, rays[k].direction, &frame );
			for ( uint32_t i = 0; i < triangles; ++i )
			{
				bv_transform none = bv_transform_identity();
				bv_vec3 corner[3];
				bvtri_ray_triangle hit;
				get_placed( file, i, &none, corner );
				int exact = hits_exactly( rays + k, corner );
				bool wanted = exact == 1 ? !options.no_fronts : exact == -1 ? !options.no_backs : false;
				assert_true( exact == 2 || single.hit[k][i] == wanted );
				if ( single.hit[k][i] )
				{
					assert_true( bvtri_ray_meets_triangle( &frame, corner, &hit ) );
					assert_true( single.of[i].time == hit.time && single.of[i].back == hit.back );
					assert_memory_equal( single.of[i].at.weight, hit.weight, sizeof hit.weight );
					assert_true( hit.time >= first.time );
				}
			}
			hits += (int)single.count[k];
		}
		options.context = &batched;
		bv_ray_result results[seen_rays];
		bv_rays arrays = {
			.count = seen_rays,
			.origin = { &rays->origin, sizeof *rays, bv_number_double },
			.direction = { &rays->direction, sizeof *rays, bv_number_double },
			.from = { &rays->from, sizeof *rays, bv_number_double },
			.to = { &rays->to, sizeof *rays, bv_number_double },
		};
		assert_int_equal( bvtree_cast_rays_in( bvtree_lanes_best(), round % 2, file, NULL, &arrays, &options,
		                                       results, NULL ),
		                  bv_ok );
		assert_memory_equal( single.hit, batched.hit, sizeof single.hit );
		assert_memory_equal( single.time, batched.time, sizeof single.time );
		assert_memory_equal( single.count, batched.count, sizeof single.count );
	}
	assert_true( hits > 500 );
}

// Through a closed mesh, also through its sides and corners: as many triangles are entered as left, up to those with
// a common side or corner that the ray hits.
static void rays_through_closed_meshes_leave_as_often_as_they_enter( void** state )
{
	fixture* f = *state;
	static seen s;
	int through = 0;
	bvb_mesh ball = bumpy_ball( f, 12 );
	assert_true( ball.triangle_count <= most_seen );
	for ( int i = 0; i < 400; ++i )
	{
		const bv_file* file = i % 50 == 0 ? file_of_round( f, &ball, i / 50 * 2 ) : NULL;
		static const bv_file* last;
		last = file ? file : last;
		bv_transform t = random_transform( f, 2, i % 2 == 0, random_around( f ) );
		bv_vec3 from = placed( &t, plus( ( bv_vec3 ){ 3, 3, 3 }, 1, random_around( f ) ) );
		bv_vec3 to = placed( &t, plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, random_around( f ) ) );
		bv_ray ray = { from, minus( to, from ), 0, 0 };
		memset( &s, 0, sizeof s );
		s.most = UINT32_MAX;
		bv_ray_options options = { .callback = see, .context = &s };
		bv_ray_result result;
		assert_int_equal( bv_mesh_cast_ray( last, &t, &ray, &options, &result ), bv_ok );
		int balance = 0;
		bool on_face = true;
		for ( uint32_t k = 0; k < most_seen; ++k )
		{
			balance += s.hit[0][k] ? ( s.of[k].back ? -1 : 1 ) : 0;
			on_face = on_face && ( !s.hit[0][k] || s.of[k].at.feature == bv_feature_face );
			if ( s.hit[0][k] )
			{
				bv_vec3 at = plus( from, s.of[k].time, ray.direction );
				assert_true( length( minus( at, s.of[k].at.point ) ) < 1e-11 );
			}
		}
		assert_true( !on_face || ( balance == 0 && s.count[0] % 2 == 0 ) );
		through += s.count[0] > 0;
	}
	assert_true( through > 300 );
}

static void callbacks_end_the_query( void** state )
{
	fixture* f = *state;
	static seen s;
	bvb_mesh soup = random_soup( f, 150, ( bv_vec3 ){ 0, 0, 0 } );
	const bv_file* file = file_of_round( f, &soup, 0 );
	int ended = 0;
	for ( int k = 0; k < 100; ++k )
	{
		bv_ray ray = seen_ray( f, file, k );
		memset( &s, 0, sizeof s );
		s.most = UINT32_MAX;
		bv_ray_options options = { .callback = see, .context = &s };
		bv_ray_result all;
		bv_ray_result result;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &all ), bv_ok );
		uint32_t count = s.count[0];
		memset( &s, 0, sizeof s );
		s.most = 2;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
		assert_int_equal( s.count[0], count < 2 ? count : 2 );
		assert_int_equal( result.found, count > 0 );
		assert_true( !result.found || s.hit[0][result.at.triangle] );
		assert_true( result.triangle_tests <= all.triangle_tests );
		ended += result.triangle_tests < all.triangle_tests;
		memset( &s, 0, sizeof s );
		s.most = UINT32_MAX;
		options.any = true;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, &options, &result ), bv_ok );
		assert_int_equal( s.count[0], count > 0 );
	}
	assert_true( ended > 5 );
}

// Straight to a corner of a cube, which all triangles there have at the same time, to the last bit.
static void of_equals_the_first_is_found( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bv_transform none = bv_transform_identity();
	for ( int round = 0; round < 64; ++round )
	{
		const bv_file* file = file_of_round( f, &cube, round / 8 * 2 );
		bv_vec3 corner = { round & 1, round >> 1 & 1, round >> 2 & 1 };
		bv_vec3 inwards = { corner.x > 0 ? -1 : 1, corner.y > 0 ? -1 : 1, corner.z > 0 ? -1 : 1 };
		bv_ray ray = { plus( corner, -2, inwards ), inwards, 0, INFINITY };
		bv_ray_result r;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
		uint32_t first = UINT32_MAX;
		for ( uint32_t i = 12; i-- > 0; )
		{
			bv_vec3 t[3];
			get_placed( file, i, &none, t );
			for ( int k = 0; k < 3; ++k )
			{
				first = length( minus( t[k], corner ) ) == 0 ? i : first;
			}
		}
		assert_true( r.found && r.time == 2 );
		assert_int_equal( r.at.triangle, first );
	}
}

static void what_makes_no_sense_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_ray_result r;
	bv_ray ray = { { 0.5, 0.25, 5 }, { 0, 0, -2 }, 0, INFINITY };
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_ok );
	assert_true( r.found && !r.back && r.time == 2 );
	assert_int_equal( bv_mesh_cast_ray( NULL, NULL, &ray, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_ray( file, NULL, NULL, NULL, &r ), bv_error_argument );
	ray.direction.z = 0;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
	ray.direction.z = NAN;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
	ray.direction.z = 1;
	ray.from = -1;
	assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &r ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( hits_are_those_of_brute_force ),
		fixture_test( transforms_move_hits_along ),
		fixture_test( no_ray_leaves_a_closed_mesh_unseen ),
		fixture_test( of_equals_the_first_is_found ),
		fixture_test( callbacks_receive_all_hits ),
		fixture_test( rays_through_closed_meshes_leave_as_often_as_they_enter ),
		fixture_test( callbacks_end_the_query ),
		fixture_test( what_makes_no_sense_is_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
