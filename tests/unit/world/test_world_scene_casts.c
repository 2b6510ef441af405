// Rays and moving shapes through objects made of files, in every method: against all triangles of all objects, and times of rays in
// rational arithmetic.

#include "scenes.h"

enum
{
	most_hits = scene_objects,
};

// The first hit of the line with a mesh, by all its triangles.
typedef struct first_hit
{
	double time; // infinite without a hit
	uint32_t triangle;
	bool is_in_doubt; // a triangle is met or missed by little
} first_hit;

// T. Moeller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
static first_hit hit_of( const bv_file* file, const bv_transform* t, const bv_ray* ray )
{
	first_hit out = { .time = INFINITY };
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		bv_vec3 c[3];
		get_placed( file, i, t, c );
		bv_vec3 u = minus( c[1], c[0] );
		bv_vec3 v = minus( c[2], c[0] );
		bv_vec3 p = bv_cross( ray->direction, v );
		bv_vec3 from = minus( ray->origin, c[0] );
		bv_vec3 q = bv_cross( from, u );
		double whole = dot( u, p );
		double a = dot( from, p ) / whole;
		double b = dot( ray->direction, q ) / whole;
		double time = dot( v, q ) / whole;
		double least = fmin( fmin( a, b ), 1 - a - b );
		double end = ray->to > 0 ? ray->to : (double)INFINITY;
		bool is_near_end = fabs( time - ray->from ) < 1e-6 || fabs( time - end ) < 1e-6;
		out.is_in_doubt = out.is_in_doubt || !( fabs( least ) > 1e-6 ) || ( least > 0 && is_near_end );
		if ( least > 0 && time >= ray->from && time <= end && time < out.time )
		{
			out.time = time;
			out.triangle = i;
		}
	}
	return out;
}

static void set_difference( const bv_transform* t, bv_vec3 a, bv_vec3 b, mpq_t out[3] )
{
	mpq_t other;
	mpq_init( other );
	for ( int k = 0; k < 3; ++k )
	{
		place_exactly( t, a, k, out[k] );
		place_exactly( t, b, k, other );
		mpq_sub( out[k], out[k], other );
	}
	mpq_clear( other );
}

// a * b - c * d
static void minor( const mpq_t a, const mpq_t b, const mpq_t c, const mpq_t d, mpq_t out )
{
	mpq_t product;
	mpq_init( product );
	mpq_mul( out, a, b );
	mpq_mul( product, c, d );
	mpq_sub( out, out, product );
	mpq_clear( product );
}

// When the line of a ray meets the plane of a triangle.
// @return false if it is parallel to it, to rounding
static bool get_exact_time( const bv_file* file, const bv_transform* t, uint32_t triangle, const bv_ray* ray,
                            mpq_t out )
{
	uint32_t vertex[3];
	bv_vec3 corner[3];
	bv_file_get_triangle( file, triangle, vertex );
	const double origin[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
	const double direction[3] = { ray->direction.x, ray->direction.y, ray->direction.z };
	mpq_t u[3];
	mpq_t v[3];
	mpq_t n;
	mpq_t x;
	mpq_t y;
	mpq_t along;
	mpq_inits( n, x, y, along, NULL );
	for ( int k = 0; k < 3; ++k )
	{
		mpq_inits( u[k], v[k], NULL );
		corner[k] = bv_file_get_vertex( file, vertex[k] );
	}
	set_difference( t, corner[1], corner[0], u );
	set_difference( t, corner[2], corner[0], v );
	mpq_set_ui( out, 0, 1 );
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3;
		int j = ( k + 2 ) % 3;
		minor( u[i], v[j], u[j], v[i], n );
		place_exactly( t, corner[0], k, x );
		mpq_set_d( y, origin[k] );
		mpq_sub( x, x, y );
		mpq_mul( x, x, n );
		mpq_add( out, out, x );
		mpq_set_d( y, direction[k] );
		mpq_mul( y, y, n );
		mpq_add( along, along, y );
	}
	double size = mpq_get_d( u[0] ) + mpq_get_d( u[1] ) + mpq_get_d( u[2] );
	double other = mpq_get_d( v[0] ) + mpq_get_d( v[1] ) + mpq_get_d( v[2] );
	bool is_crossed = fabs( mpq_get_d( along ) ) > 1e-11 * fabs( size * other ) * length( ray->direction );
	if ( is_crossed )
	{
		mpq_div( out, out, along );
	}
	for ( int k = 0; k < 3; ++k )
	{
		mpq_clears( u[k], v[k], NULL );
	}
	mpq_clears( n, x, y, along, NULL );
	return is_crossed;
}

static bool interval_holds( bv_interval i, const mpq_t time )
{
	mpq_t bound;
	mpq_init( bound );
	bool holds = true;
	if ( isfinite( i.lower ) )
	{
		mpq_set_d( bound, i.lower );
		holds = mpq_cmp( bound, time ) <= 0;
	}
	if ( isfinite( i.upper ) )
	{
		mpq_set_d( bound, i.upper );
		holds = holds && mpq_cmp( bound, time ) >= 0;
	}
	mpq_clear( bound );
	return holds;
}

static bv_ray random_ray( fixture* f, const stage* s, int i )
{
	bv_vec3 from = plus( s->middle, 12, random_around( f ) );
	bv_vec3 to = plus( s->middle, 4, random_around( f ) );
	if ( i % 4 == 0 )
	{
		// At the middle of an object.
		const bvw_instance* in = s->instances + random_bits( f ) % ( scene_objects - 2 );
		to = placed( &in->placement, bv_file_get_offset( s->files[in->file] ) );
	}
	bv_ray ray = { from, minus( to, from ), 0, 0 };
	ray.from = i % 5 == 0 ? 0.5 * random_unit( f ) : 0;
	ray.to = i % 3 == 0 ? 0.6 + random_unit( f ) : i % 3 == 1 ? (double)INFINITY : 0;
	return ray;
}

// Hits of one method, all of them.
static uint32_t cast( const bvw_scene* scene, const bv_ray* ray, bvw_hit hits[most_hits],
                      bv_ray_result surfaces[most_hits] )
{
	bvw_found found;
	assert_int_equal( bvw_scene_cast_ray( scene, ray, NULL, hits, surfaces, most_hits, &found ), bv_ok );
	for ( uint32_t i = 0; i + 1 < found.count; ++i )
	{
		bool is_sorted =
			hits[i].time.lower < hits[i + 1].time.lower ||
			( hits[i].time.lower == hits[i + 1].time.lower && hits[i].number < hits[i + 1].number );
		assert_true( is_sorted );
	}
	return found.count;
}

// Far from the origin the model's coordinates are rounded, and so more rays are in doubt.
static void rays_hit_what_all_triangles_say( void** state )
{
	fixture* f = *state;
	uint32_t met = 0;
	uint32_t passed = 0;
	for ( int round = 0; round < 4; ++round )
	{
		stage s;
		bv_vec3 middle = round == 3 ? ( bv_vec3 ){ 4096, -8192, 1024 } : ( bv_vec3 ){ 0, 0, 0 };
		make_stage( f, 2 * round, 9, middle, &s );
		for ( int i = 0; i < 60; ++i )
		{
			bv_ray ray = random_ray( f, &s, i );
			bvw_scene scene = scene_of( &s, 1 + i % ( bvw_methods - 1 ) );
			bvw_hit hits[most_hits];
			bv_ray_result surfaces[most_hits];
			uint32_t count = cast( &scene, &ray, hits, surfaces );
			const bvw_hit* hit_of_object[scene_objects] = { NULL };
			for ( uint32_t k = 0; k < count; ++k )
			{
				assert_null( hit_of_object[hits[k].number] );
				hit_of_object[hits[k].number] = hits + k;
			}
			for ( uint32_t k = 0; k < scene_objects; ++k )
			{
				const bvw_instance* in = s.instances + k;
				const bvw_hit* hit = hit_of_object[k];
				if ( !is_made_of_file( &s, k ) )
				{
					assert_null( hit );
					continue;
				}
				first_hit own = hit_of( s.files[in->file], &in->placement, &ray );
				if ( own.is_in_doubt )
				{
					continue;
				}
				assert_int_equal( hit != NULL, own.time < (double)INFINITY );
				met += hit != NULL;
				passed += hit == NULL;
				if ( hit )
				{
					assert_int_equal( surfaces[hit - hits].at.triangle, own.triangle );
					assert_true( hit->time.lower <= own.time + 1e-9 && own.time - 1e-9 <= hit->time.upper );
				}
			}
		}
	}
	assert_true( met > 300 && passed > 10000 );
}

// Also at a great distance, and along faces: a box is seen from points in the planes of its sides.
static void times_of_rays_contain_those_of_rational_arithmetic( void** state )
{
	fixture* f = *state;
	const bv_vec3 middles[3] = { { 0, 0, 0 }, { 1e7, -2e7, 3e6 }, { 1e15, 0, 0 } };
	uint32_t hits_seen = 0;
	uint32_t narrow = 0;
	uint32_t grazed = 0;
	for ( int round = 0; round < 3; ++round )
	{
		stage s;
		make_stage( f, 1 + round, 9, middles[round], &s );
		for ( int i = 0; i < 80; ++i )
		{
			bv_ray ray = random_ray( f, &s, i );
			bvw_scene scene = scene_of( &s, bvw_method_tree );
			if ( i % 2 == 0 )
			{
				// In the plane of a triangle, to rounding.
				const bvw_instance* in = s.instances + 4 * (uint32_t)( i % 14 ) + 1;
				bv_vec3 c[3];
				get_placed( s.files[in->file], (uint32_t)i % 12, &in->placement, c );
				bv_vec3 along = minus( c[0], plus( c[1], 0.37, minus( c[2], c[1] ) ) );
				ray = ( bv_ray ){ plus( c[0], 2, along ), plus( ( bv_vec3 ){ 0, 0, 0 }, -1, along ), 0, 0 };
			}
			bvw_hit hits[most_hits];
			bv_ray_result surfaces[most_hits];
			uint32_t count = cast( &scene, &ray, hits, surfaces );
			for ( uint32_t k = 0; k < count; ++k )
			{
				const bvw_instance* in = s.instances + hits[k].number;
				bv_ray_result own;
				mpq_t time;
				mpq_init( time );
				assert_int_equal( bv_mesh_cast_ray( s.files[in->file], &in->placement, &ray, NULL, &own ),
				                  bv_ok );
				assert_memory_equal( &own.at, &surfaces[k].at, sizeof own.at );
				assert_true( own.back == surfaces[k].back && own.time == surfaces[k].time );
				if ( get_exact_time( s.files[in->file], &in->placement, own.at.triangle, &ray, time ) )
				{
					assert_true( interval_holds( hits[k].time, time ) );
					narrow += hits[k].time.upper - hits[k].time.lower < 1e-12;
				}
				else
				{
					assert_true( hits[k].time.lower <= own.time && own.time <= hits[k].time.upper );
					assert_true( hits[k].time.upper - hits[k].time.lower < 10 );
					++grazed;
				}
				mpq_clear( time );
				++hits_seen;
			}
		}
	}
	assert_true( hits_seen > 400 && narrow > hits_seen / 2 && grazed > 0 );
}

// The first ones, any one, and those of a category, in every method, are some of all.
static void all_methods_report_the_same_hits( void** state )
{
	fixture* f = *state;
	stage s;
	uint32_t filtered = 0;
	make_stage( f, 5, 7, ( bv_vec3 ){ 0, 0, 0 }, &s );
	for ( int i = 0; i < 60; ++i )
	{
		bv_ray ray = random_ray( f, &s, i );
		bvw_hit all[most_hits];
		bv_ray_result at[most_hits];
		bvw_scene reference = scene_of( &s, bvw_method_all_pairs );
		uint32_t count = cast( &reference, &ray, all, at );
		for ( int m = bvw_method_all_pairs; m < bvw_methods; ++m )
		{
			bvw_scene scene = scene_of( &s, m );
			bvw_hit hits[most_hits];
			bv_ray_result surfaces[most_hits];
			assert_int_equal( cast( &scene, &ray, hits, surfaces ), count );
			bvw_hit first[2];
			bvw_found found;
			assert_int_equal( bvw_scene_cast_ray( &scene, &ray, NULL, first, NULL, 2, &found ), bv_ok );
			assert_int_equal( found.count, count < 2 ? count : 2 );
			for ( uint32_t k = 0; k < count; ++k )
			{
				const bvw_hit* h = k < 2 ? first + k : hits + k;
				assert_true( hits[k].number == all[k].number && hits[k].time.lower == all[k].time.lower &&
				             hits[k].time.upper == all[k].time.upper && h->number == all[k].number &&
				             surfaces[k].at.triangle == at[k].at.triangle );
			}
			bvw_cast_options options = { .any = true };
			bvw_hit any;
			assert_int_equal( bvw_scene_cast_ray( &scene, &ray, &options, &any, NULL, 1, &found ), bv_ok );
			assert_int_equal( found.count, count > 0 );
			options = ( bvw_cast_options ){ .filter.mask = 2 };
			assert_int_equal( bvw_scene_cast_ray( &scene, &ray, &options, hits, NULL, most_hits, &found ),
			                  bv_ok );
			uint32_t odd = 0;
			for ( uint32_t k = 0; k < count; ++k )
			{
				odd += all[k].number % 2;
			}
			assert_int_equal( found.count, odd );
			filtered += odd;
		}
	}
	assert_true( filtered > 100 );
}

// By each triangle of each object with bv_convex_cast, which has no part in a cast at a mesh.
static bool first_contact( const stage* s, const bv_convex* shape, bv_vec3 motion, uint64_t mask,
                           bv_interval* out )
{
	*out = ( bv_interval ){ INFINITY, INFINITY };
	for ( uint32_t i = 0; i + 1 < scene_objects; ++i )
	{
		const bvw_instance* in = s->instances + i;
		for ( uint32_t k = 0; is_made_of_file( s, i ) && ( ( 1 + i % 2 ) & mask ) &&
		                      k < bv_file_get_mesh( s->files[in->file] ).triangles;
		      ++k )
		{
			bv_vec3 corner[3];
			get_placed( s->files[in->file], k, &in->placement, corner );
			bv_convex triangle = bv_convex_points( corner, 3, 0 );
			bv_convex_cast_result r;
			assert_int_equal(
				bv_convex_cast( shape, &triangle, NULL, motion, ( bv_vec3 ){ 0, 0, 0 }, NULL, &r ), bv_ok );
			if ( r.found )
			{
				out->lower = fmin( out->lower, r.lower );
				out->upper = fmin( out->upper, r.upper );
			}
		}
	}
	return out->lower < (double)INFINITY;
}

static void shapes_meet_what_all_triangles_say( void** state )
{
	fixture* f = *state;
	uint32_t met = 0;
	uint32_t passed = 0;
	stage s;
	make_stage( f, 6, 12, ( bv_vec3 ){ 0, 0, 0 }, &s );
	for ( int i = 0; i < 40; ++i )
	{
		bv_vec3 center = plus( s.middle, 9, random_around( f ) );
		bv_vec3 motion = plus( minus( s.middle, center ), 8, random_around( f ) );
		bv_convex ball = bv_convex_sphere( center, 0.2 );
		bv_convex box = bv_convex_box( center, ( bv_vec3 ){ 0.1, 0.3, 0.2 } );
		const bv_convex* shape = i % 2 == 0 ? &ball : &box;
		bvw_filter filter = { 0, i % 4 == 0 ? 2 : 3 };
		bv_interval expected;
		bool meets = first_contact( &s, shape, motion, filter.mask, &expected );
		for ( int m = bvw_method_all_pairs; m < bvw_methods; ++m )
		{
			bvw_scene scene = scene_of( &s, m );
			bvw_hit first = { { -1, -1 }, UINT32_MAX };
			bv_cast_result at = { .found = false };
			bvw_found found;
			assert_int_equal( bvw_scene_cast_convex( &scene, shape, motion, &filter, &first, &at, &found ),
			                  bv_ok );
			assert_int_equal( found.count, meets );
			assert_int_equal( at.found, meets );
			if ( !meets )
			{
				assert_true( first.number == UINT32_MAX && first.time.lower == -1 );
				continue;
			}
			assert_true( first.time.lower <= expected.upper + 1e-9 && expected.lower <= first.time.upper );
			assert_true( first.time.upper - first.time.lower < 1e-5 );
			bv_vec3 corner[3];
			const bvw_instance* in = s.instances + first.number;
			get_placed( s.files[in->file], at.at.triangle, &in->placement, corner );
			bv_convex triangle = bv_convex_points( corner, 3, 0 );
			bv_convex_cast_result r;
			assert_int_equal(
				bv_convex_cast( shape, &triangle, NULL, motion, ( bv_vec3 ){ 0, 0, 0 }, NULL, &r ), bv_ok );
			assert_true( r.found && r.lower <= expected.upper + 1e-6 );
			bvw_hit alone;
			assert_int_equal( bvw_scene_cast_convex( &scene, shape, motion, &filter, &alone, NULL, &found ),
			                  bv_ok );
			assert_true( alone.number == first.number && alone.time.lower == first.time.lower );
		}
		met += meets;
		passed += !meets;
	}
	assert_true( met > 10 && passed > 4 );
}

// Of objects at the same place, the one with the smallest number that is made of a file.
static void numbers_decide_between_equal_times( void** state )
{
	fixture* f = *state;
	stage s;
	make_stage( f, 1, 9, ( bv_vec3 ){ 0, 0, 0 }, &s );
	for ( int m = bvw_method_all_pairs; m < bvw_methods; ++m )
	{
		bvw_scene scene = scene_of( &s, m );
		for ( uint32_t i = 0; i < 8; ++i )
		{
			s.instances[i] =
				( bvw_instance ){ i < 3 ? BVW_NO_FILE : 1, bv_transform_translation( 50, 50, 50 ) };
			bv_aabb box;
			assert_int_equal( bvw_file_box( s.files[1], &s.instances[i].placement, &box ), bv_ok );
			assert_int_equal( bvw_broadphase_move( s.worlds[m], i, &box ), bv_ok );
		}
		bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 60, 50.2, 50.3 }, 0.25 );
		bv_ray ray = { { 60, 50.2, 50.3 }, { -1, 0, 0 }, 0, 0 };
		bvw_hit hits[2];
		bvw_found found;
		assert_int_equal(
			bvw_scene_cast_convex( &scene, &ball, ( bv_vec3 ){ -12, 0, 0 }, NULL, hits, NULL, &found ),
			bv_ok );
		assert_int_equal( found.count, 1 );
		assert_int_equal( hits[0].number, 3 );
		assert_int_equal( bvw_scene_cast_ray( &scene, &ray, NULL, hits, NULL, 2, &found ), bv_ok );
		assert_int_equal( found.count, 2 );
		assert_true( hits[0].number == 3 && hits[1].number == 4 );
	}
}

static bool yes( void* context, double end, bvw_hit* hit )
{
	(void)context;
	return hit->time.lower <= end;
}

static void invalid_arguments_are_refused( void** state )
{
	fixture* f = *state;
	stage s;
	make_stage( f, 0, 9, ( bv_vec3 ){ 0, 0, 0 }, &s );
	bvw_scene good = scene_of( &s, bvw_method_tree );
	bvw_scene bad[5] = { good, good, good, good, good };
	bad[0].world = NULL;
	bad[1].files = NULL;
	bad[2].instances = NULL;
	bad[3].file_count = 0;
	bvw_instance others[scene_objects];
	memcpy( others, s.instances, sizeof others );
	for ( int i = 0; i < scene_objects; ++i )
	{
		others[i].placement.scale = NAN;
	}
	bad[4].instances = others;
	const bvw_instance* target = s.instances + 4;
	bv_vec3 middle = target->placement.pose.translation;
	bv_ray ray = { plus( middle, 1, ( bv_vec3 ){ 20, 0, 0 } ), { -1, 0, 0 }, 0, 0 };
	bv_vec3 motion = { -30, 0, 0 };
	bv_convex ball = bv_convex_sphere( ray.origin, 0.1 );
	bv_convex half_space = bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, 0 );
	bvw_hit hit;
	bv_ray_result surface = { .time = 7 };
	bv_cast_result at = { .time = 7 };
	bvw_found found = { 78, 79 };
	for ( int i = 0; i < 5; ++i )
	{
		assert_int_equal( bvw_scene_cast_ray( bad + i, &ray, NULL, &hit, &surface, 1, &found ),
		                  bv_error_argument );
		hit = ( bvw_hit ){ { 3, 4 }, 5 };
		assert_int_equal( bvw_scene_cast_convex( bad + i, &ball, motion, NULL, &hit, &at, &found ),
		                  bv_error_argument );
		assert_true( hit.number == 5 && hit.time.lower == 3 && hit.time.upper == 4 );
	}
	bvw_cast_options with_callback = { .callback = yes };
	bv_ray nowhere = ray;
	nowhere.origin.x = NAN;
	assert_int_equal( bvw_scene_cast_ray( NULL, &ray, NULL, &hit, NULL, 1, &found ), bv_error_argument );
	assert_int_equal( bvw_scene_cast_ray( &good, NULL, NULL, &hit, NULL, 1, &found ), bv_error_argument );
	assert_int_equal( bvw_scene_cast_ray( &good, &nowhere, NULL, &hit, NULL, 1, &found ), bv_error_argument );
	assert_int_equal( bvw_scene_cast_ray( &good, &ray, NULL, NULL, NULL, 1, &found ), bv_error_argument );
	assert_int_equal( bvw_scene_cast_ray( &good, &ray, NULL, &hit, NULL, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_cast_ray( &good, &ray, &with_callback, &hit, NULL, 1, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( NULL, &ball, motion, NULL, &hit, &at, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( &good, NULL, motion, NULL, &hit, &at, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( &good, &half_space, motion, NULL, &hit, &at, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( &good, &ball, nowhere.origin, NULL, &hit, &at, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( &good, &ball, motion, NULL, NULL, &at, &found ),
	                  bv_error_argument );
	assert_int_equal( bvw_scene_cast_convex( &good, &ball, motion, NULL, &hit, &at, NULL ),
	                  bv_error_argument );
	assert_true( found.count == 78 && found.tests == 79 && surface.time == 7 && at.time == 7 );
	assert_int_equal( bvw_scene_cast_ray( &good, &ray, NULL, NULL, NULL, 0, &found ), bv_ok );
	assert_int_equal( found.count, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( rays_hit_what_all_triangles_say ),
		fixture_test( times_of_rays_contain_those_of_rational_arithmetic ),
		fixture_test( all_methods_report_the_same_hits ),
		fixture_test( shapes_meet_what_all_triangles_say ),
		fixture_test( numbers_decide_between_equal_times ),
		fixture_test( invalid_arguments_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
