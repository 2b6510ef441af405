// Batches of rays and points against single calls, which the tests of these compare with brute force.

#include "queries.h"

#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "tests/reference/nearest.h"

enum
{
	ray_count = 200,
	point_count = 600, // more than a cell of the grid may have without being divided
};

static bv_array doubles( const void* data, ptrdiff_t stride )
{
	return ( bv_array ){ data, stride, bv_number_double };
}

static bv_array floats( const void* data, ptrdiff_t stride )
{
	return ( bv_array ){ data, stride, bv_number_float };
}

static bv_rays arrays_of( const bv_ray* rays, size_t count )
{
	return ( bv_rays ){
		.count = count,
		.origin = doubles( &rays->origin, sizeof *rays ),
		.direction = doubles( &rays->direction, sizeof *rays ),
		.from = doubles( &rays->from, sizeof *rays ),
		.to = doubles( &rays->to, sizeof *rays ),
	};
}

// Small files have no turns otherwise.
static bv_status cast_in_turns( const bv_file* file, const bv_transform* placement, const bv_rays* rays,
                                const bv_ray_options* options, bv_ray_result* results )
{
	size_t invalid = 0;
	bv_transform storage;
	bv_status status =
		bvtree_cast_rays_in( bvtree_lanes_best(), true, file, bvtree_place( NULL, file, placement, &storage ),
	                         rays, options, results, &invalid );
	assert_true( invalid == SIZE_MAX );
	return status;
}

// Small files are not put in order otherwise.
static bv_status find_in_order( const bv_file* file, const bv_transform* placement, const bv_points* points,
                                bv_closest_result* results )
{
	size_t invalid = 0;
	bv_transform storage;
	bv_status status = bvtree_closest_points_in( bvtree_lanes_best(), true, file,
	                                             bvtree_place( NULL, file, placement, &storage ), points,
	                                             NULL, results, &invalid );
	assert_true( invalid == SIZE_MAX );
	return status;
}

static void assert_same_bits( const double* a, const double* b, size_t count )
{
	assert_memory_equal( a, b, count * sizeof *a );
}

static void assert_same_place( const bv_surface_point* a, const bv_surface_point* b )
{
	assert_int_equal( a->triangle, b->triangle );
	assert_int_equal( a->feature, b->feature );
	assert_same_bits( a->weight, b->weight, 3 );
	assert_same_bits( &a->normal.x, &b->normal.x, 3 );
	assert_same_bits( &a->point.x, &b->point.x, 3 );
	assert_same_bits( &a->local.x, &b->local.x, 3 );
}

static void assert_same_ray_result( const bv_ray_result* a, const bv_ray_result* b )
{
	assert_int_equal( a->found, b->found );
	assert_int_equal( a->back, b->back );
	assert_same_bits( &a->time, &b->time, 1 );
	assert_same_place( &a->at, &b->at );
}

static void assert_same_point_result( const bv_closest_result* a, const bv_closest_result* b )
{
	assert_int_equal( a->found, b->found );
	assert_int_equal( a->back, b->back );
	assert_same_bits( &a->distance, &b->distance, 1 );
	assert_same_place( &a->at, &b->at );
}

// None, a turned, a scaled, a mirrored one, and one whose rotation is as far from rigid as is allowed.
static const bv_transform* placement_of_round( fixture* f, int round, bv_transform* out )
{
	*out = random_transform( f, round % 5 == 2 ? 7 : 1, round % 5 == 3, random_around( f ) );
	out->pose.rotation[0][0] += round % 5 == 4 ? 0x1p-16 : 0;
	return round % 5 == 0 ? NULL : out;
}

// Of all kinds: to corners, along axes, in the plane of a triangle, from the surface, twice the same, and far
// away.
static bv_ray random_ray( fixture* f, const bv_file* file, const bv_transform* t, int kind )
{
	bv_vec3 corner[3];
	bv_transform none = bv_transform_identity();
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	get_placed( file, (uint32_t)( random_bits( f ) % triangles ), t ? t : &none, corner );
	bv_vec3 from = plus( corner[0], kind % 7 == 6 ? 1000 : 2, random_around( f ) );
	bv_vec3 to = plus( corner[1], kind % 3 == 0 ? 0 : 0.1, random_around( f ) );
	bv_ray ray = { from, minus( to, from ), kind % 5 == 0 ? 0.5 : 0, kind % 4 == 0 ? 1 : INFINITY };
	if ( kind % 6 == 1 )
	{
		ray.direction = ( bv_vec3 ){ 0, kind % 4 < 2 ? -1 : 2, 0 };
	}
	if ( kind % 6 == 2 )
	{
		ray.origin = corner[0];
		ray.direction = kind % 4 == 2 ? minus( corner[2], corner[1] ) : random_around( f );
	}
	return ray;
}

// With `any`: a first hit in the time range that is this hit's own has its time.
static void assert_is_hit( const bv_file* file, const bv_transform* t, const bv_ray* ray,
                           const bv_ray_options* options, const bv_ray_result* hit )
{
	bv_ray there = { ray->origin, ray->direction, hit->time, hit->time };
	bv_ray_options first = { .no_fronts = options->no_fronts, .no_backs = options->no_backs };
	bv_ray_result same;
	assert_true( hit->time >= ray->from && hit->time <= ray->to );
	assert_int_equal( bv_mesh_cast_ray( file, t, &there, &first, &same ), bv_ok );
	assert_true( same.found && same.at.triangle <= hit->at.triangle );
	assert_same_bits( &same.time, &hit->time, 1 );
	uint32_t corner[3];
	bv_vec3 at = { 0, 0, 0 };
	bv_file_get_triangle( file, hit->at.triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		at = plus( at, hit->at.weight[k], bv_file_get_vertex( file, corner[k] ) );
	}
	assert_true( length( minus( at, hit->at.local ) ) <= 1e-12 * ( 1 + length( at ) ) );
}

static void rays_have_the_results_of_single_calls( void** state )
{
	fixture* f = *state;
	int hits = 0;
	for ( int round = 0; round < 40; ++round )
	{
		bvb_mesh soup = random_soup( f, round == 0 ? 1 : 150, ( bv_vec3 ){ round % 7 == 6 ? 100 : 0, 0, 0 } );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup;
		const bv_file* file = file_of_round( f, &soup, round );
		bv_transform storage;
		const bv_transform* t = placement_of_round( f, round, &storage );
		bv_ray_options options = { .any = round % 8 == 7,
			                       .no_fronts = round % 4 == 1,
			                       .no_backs = round % 4 == 2 };
		bv_ray rays[ray_count];
		bv_ray_result results[ray_count];
		bv_ray_result in_turns[ray_count];
		for ( int i = 0; i < ray_count; ++i )
		{
			rays[i] = i % 10 == 9 ? rays[i - 1] : random_ray( f, file, t, i );
		}
		bv_rays batch = arrays_of( rays, ray_count );
		size_t invalid = 0;
		assert_int_equal( bv_mesh_cast_rays( file, t, &batch, &options, results, &invalid ), bv_ok );
		assert_true( invalid == SIZE_MAX );
		assert_int_equal( cast_in_turns( file, t, &batch, &options, in_turns ), bv_ok );
		for ( int i = 0; i < ray_count; ++i )
		{
			bv_ray_result single;
			assert_int_equal( bv_mesh_cast_ray( file, t, rays + i, &options, &single ), bv_ok );
			assert_int_equal( results[i].found, single.found );
			assert_int_equal( in_turns[i].found, single.found );
			assert_int_equal( results[i].volume_tests > 0, 1 );
			assert_true( !in_turns[i].found ||
			             ( in_turns[i].volume_tests > 0 && in_turns[i].triangle_tests > 0 ) );
			if ( !options.any )
			{
				assert_same_ray_result( results + i, &single );
				assert_same_ray_result( in_turns + i, &single );
			}
			else if ( single.found )
			{
				assert_is_hit( file, t, rays + i, &options, results + i );
				assert_is_hit( file, t, rays + i, &options, in_turns + i );
			}
			hits += single.found;
		}
	}
	assert_true( hits > 1000 );
}

// A file so large that rays take turns: hits of a bumpy ball, each of which leaves it.
static void rays_of_a_large_file_take_turns( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 182 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	assert_true( bv_file_get_mesh( file ).triangles >= 1 << 17 );
	bv_ray rays[ray_count];
	bv_ray_result results[ray_count];
	for ( int i = 0; i < ray_count; ++i )
	{
		bv_vec3 from = plus( ( bv_vec3 ){ 0, 0, 0 }, 0.3, random_around( f ) );
		rays[i] = ( bv_ray ){ from, random_around( f ), 0, INFINITY };
	}
	bv_rays batch = arrays_of( rays, ray_count );
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &batch, NULL, results, NULL ), bv_ok );
	for ( int i = 0; i < ray_count; ++i )
	{
		bv_ray_result single;
		assert_int_equal( bv_mesh_cast_ray( file, NULL, rays + i, NULL, &single ), bv_ok );
		assert_true( results[i].found && results[i].back );
		assert_same_ray_result( results + i, &single );
	}
}

// A ray through all of a chain of triangles, each twice as large as the one before, has more nodes to wait
// for than a search among others has room for.
static void rays_with_many_nodes_to_visit_are_finished( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 120
	};
	bvb_mesh chain = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double size = ldexp( 1, (int)i / 2 );
		chain.positions[3 * i] = ( bv_vec3 ){ size, -size, size + i % 2 };
		chain.positions[3 * i + 1] = ( bv_vec3 ){ 0, size, size + i % 2 };
		chain.positions[3 * i + 2] = ( bv_vec3 ){ -size, -size, size + i % 2 };
	}
	for ( int round = 0; round < 24; ++round )
	{
		const bv_file* file = file_of_round( f, &chain, round );
		bv_ray rays[ray_count];
		bv_ray_result results[ray_count];
		for ( int i = 0; i < ray_count; ++i )
		{
			bv_vec3 from = { 0, 0, i % 2 == 0 ? -1 : 0x1p70 };
			rays[i] = ( bv_ray ){ from, { 0, 0, i % 2 == 0 ? 1 : -1 }, i % 4 < 2 ? 0 : 0x1p40, INFINITY };
		}
		bv_rays batch = arrays_of( rays, ray_count );
		assert_int_equal( cast_in_turns( file, NULL, &batch, NULL, results ), bv_ok );
		for ( int i = 0; i < ray_count; ++i )
		{
			bv_ray_result single;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, rays + i, NULL, &single ), bv_ok );
			assert_true( results[i].found );
			assert_same_ray_result( results + i, &single );
		}
	}
}

// A record of a vertex buffer: 29 bytes, so that no record but every fourth is aligned.
typedef struct record
{
	uint8_t bytes[29];
} record;

static void set_floats( record* r, size_t at, bv_vec3 v )
{
	float numbers[3] = { (float)v.x, (float)v.y, (float)v.z };
	memcpy( r->bytes + at, numbers, sizeof numbers );
}

static bv_vec3 get_floats( const record* r, size_t at )
{
	float numbers[3];
	memcpy( numbers, r->bytes + at, sizeof numbers );
	return ( bv_vec3 ){ numbers[0], numbers[1], numbers[2] };
}

// Rays in order, backwards, and all from the first origin.
static void arrays_of_rays_may_have_any_layout( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	record records[ray_count];
	double ends[ray_count];
	const float start = 0.25f;
	for ( int i = 0; i < ray_count; ++i )
	{
		bv_ray ray = random_ray( f, file, NULL, i );
		set_floats( records + i, 1, ray.origin );
		set_floats( records + i, 16, ray.direction );
		ends[i] = i % 3 == 0 ? INFINITY : 1 + random_unit( f );
	}
	for ( int layout = 0; layout < 3; ++layout )
	{
		bool is_backwards = layout == 1;
		ptrdiff_t stride = is_backwards ? -(ptrdiff_t)sizeof( record ) : (ptrdiff_t)sizeof( record );
		const record* first = is_backwards ? records + ray_count - 1 : records;
		bv_rays batch = {
			.count = ray_count,
			.origin = floats( first->bytes + 1, layout == 2 ? 0 : stride ),
			.direction = floats( first->bytes + 16, stride ),
			.from = floats( &start, 0 ),
			.to = doubles( ends, sizeof *ends ),
		};
		bv_ray_result results[ray_count];
		assert_int_equal( bv_mesh_cast_rays( file, NULL, &batch, NULL, results, NULL ), bv_ok );
		int hits = 0;
		for ( int i = 0; i < ray_count; ++i )
		{
			const record* r = is_backwards ? first - i : first + i;
			bv_ray ray = { get_floats( layout == 2 ? records : r, 1 ), get_floats( r, 16 ), 0.25, ends[i] };
			bv_ray_result single;
			assert_int_equal( bv_mesh_cast_ray( file, NULL, &ray, NULL, &single ), bv_ok );
			assert_same_ray_result( results + i, &single );
			hits += single.found;
		}
		assert_true( hits > 10 );
	}
}

// In a cube, in a small part of it, on a line, all the same, on corners of the mesh, or over many orders of
// magnitude.
static bv_vec3 random_query_point( fixture* f, const bv_file* file, int round, int i )
{
	bv_vec3 p = plus( ( bv_vec3 ){ 0, 0, 0 }, 2, random_around( f ) );
	uint32_t vertex = (uint32_t)( random_bits( f ) % bv_file_get_mesh( file ).vertices );
	switch ( round % 6 )
	{
	case 0: return p;
	case 1: return i == 0 ? ( bv_vec3 ){ 1000, 1000, -1000 } : plus( ( bv_vec3 ){ 1, 1, 1 }, 0x1p-10, p );
	case 2: return ( bv_vec3 ){ p.x, 0.5, -0.0 };
	case 3: return ( bv_vec3 ){ 0.25, 0.5, 0.75 };
	case 4: return bv_file_get_vertex( file, vertex );
	default: return plus( ( bv_vec3 ){ 0, 0, 0 }, ldexp( 1, i % 380 - 190 ), p );
	}
}

static void points_have_the_results_of_single_calls( void** state )
{
	fixture* f = *state;
	int found = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bvb_mesh soup = random_soup( f, round == 0 ? 1 : 150, ( bv_vec3 ){ 0, 0, 0 } );
		soup = round % 3 == 0 ? with_twins( f, &soup ) : soup;
		const bv_file* file = file_of_round( f, &soup, round );
		bv_transform storage;
		const bv_transform* t = placement_of_round( f, round, &storage );
		bv_vec3 points[point_count];
		double limits[point_count];
		bv_closest_result results[point_count];
		for ( int i = 0; i < point_count; ++i )
		{
			points[i] = random_query_point( f, file, round, i );
			limits[i] = i % 4 == 0 ? INFINITY : i % 4 == 1 ? 0 : random_unit( f );
		}
		bool is_limited = round % 2 == 1;
		size_t count = round % 10 == 9 ? 5 : point_count;
		bv_points batch = { count, doubles( points, sizeof *points ), { 0 } };
		batch.limit = is_limited ? doubles( limits, sizeof *limits ) : batch.limit;
		size_t invalid = 0;
		bv_closest_result in_order[point_count];
		assert_int_equal( bv_mesh_closest_points( file, t, &batch, NULL, results, &invalid ), bv_ok );
		assert_true( invalid == SIZE_MAX );
		assert_int_equal( find_in_order( file, t, &batch, in_order ), bv_ok );
		for ( size_t i = 0; i < count; ++i )
		{
			bv_closest_result single;
			double limit = is_limited ? limits[i] : INFINITY;
			assert_int_equal(
				bv_mesh_closest_point( file, t, points[i], &( bv_closest_options ){ limit }, &single ),
				bv_ok );
			assert_same_point_result( results + i, &single );
			assert_same_point_result( in_order + i, &single );
			found += single.found;
		}
	}
	assert_true( found > 10000 );
}

// So many that they are ordered in two parts. The point (x, y, 3 + z) above the unit cube is at a distance of
// 2 + z from it. Every third point has a limit below that.
static void many_points_have_their_own_results( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	uint32_t count = ( 1 << 18 ) + 1000;
	bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
	bv_closest_result* results = bvb_arena_allocate( f->arena, count, sizeof *results );
	double* limits = bvb_arena_allocate( f->arena, count, sizeof *limits );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = plus( ( bv_vec3 ){ 0, 0, 3 }, 1, random_point( f ) );
		limits[i] = ( points[i].z - 1 ) * ( i % 3 == 0 ? 0.9 : 1.1 );
	}
	bv_points batch = { count, doubles( points, sizeof *points ), doubles( limits, sizeof *limits ) };
	assert_int_equal( find_in_order( file, NULL, &batch, results ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_int_equal( results[i].found, i % 3 != 0 );
		if ( !results[i].found )
		{
			continue;
		}
		assert_true( results[i].found && fabs( results[i].distance - ( points[i].z - 1 ) ) < 1e-12 );
		assert_true( length( minus( results[i].at.point, ( bv_vec3 ){ points[i].x, points[i].y, 1 } ) ) <
		             1e-12 );
	}
}

// Such a placement moves points by more than its scale tells when it also moves them far: triangles are
// measured where they are placed. The result is the least of all triangles measured one by one. Points are on
// the surface, where all of a distance is rounding, and close to each other, so that the triangle of one
// bounds the search for the next.
static void far_placements_that_are_not_quite_rigid_lose_no_point( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 40 );
	for ( int round = 0; round < 4; ++round )
	{
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = round % 2 == 0 ? 1u << bv_volume_aabb : 1u << bv_volume_obb;
		options.hierarchy.collapse = 8;
		const bv_file* file = build_file( f, &ball, &options );
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } );
		t.pose.rotation[0][1] += 1e-8;
		t.pose.translation = plus( ( bv_vec3 ){ 0, 0, 0 }, round < 2 ? 1e10 : 1e11, random_around( f ) );
		bv_vec3 points[point_count];
		bv_closest_result results[point_count];
		for ( int i = 0; i < point_count; ++i )
		{
			bv_vec3 corner[3];
			get_placed( file, (uint32_t)i % 50, &t, corner );
			points[i] = corner[i % 3];
		}
		double error = 0x1p-48 * length( t.pose.translation );
		bv_points batch = { point_count, doubles( points, sizeof *points ), { 0 } };
		assert_int_equal( find_in_order( file, &t, &batch, results ), bv_ok );
		for ( int i = 0; i < point_count; ++i )
		{
			bv_closest_result single;
			assert_int_equal( bv_mesh_closest_point( file, &t, points[i], NULL, &single ), bv_ok );
			assert_same_point_result( results + i, &single );
			double least = INFINITY;
			for ( uint32_t k = 0; i % 20 == 0 && k < bv_file_get_mesh( file ).triangles; ++k )
			{
				bv_vec3 corner[3];
				get_placed( file, k, &t, corner );
				nearest_face face = nearest_face_of( corner );
				least = fmin( least, sqrt( nearest_on_face( &face, points[i], NULL ) ) );
			}
			assert_true( single.found && ( i % 20 != 0 || fabs( single.distance - least ) <= error ) );
		}
	}
}

// Floats in records, backwards, with one limit for all.
static void arrays_of_points_may_have_any_layout( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	record records[point_count];
	const float limit = 0.5f;
	for ( int i = 0; i < point_count; ++i )
	{
		set_floats( records + i, 3, plus( ( bv_vec3 ){ 0, 0, 0 }, 2, random_around( f ) ) );
	}
	const record* last = records + point_count - 1;
	bv_points batch = { point_count, floats( last->bytes + 3, -(ptrdiff_t)sizeof( record ) ),
		                floats( &limit, 0 ) };
	bv_closest_result results[point_count];
	assert_int_equal( bv_mesh_closest_points( file, NULL, &batch, NULL, results, NULL ), bv_ok );
	int found = 0;
	for ( int i = 0; i < point_count; ++i )
	{
		bv_closest_result single;
		bv_vec3 point = get_floats( last - i, 3 );
		assert_int_equal( bv_mesh_closest_point( file, NULL, point, &( bv_closest_options ){ 0.5 }, &single ),
		                  bv_ok );
		assert_same_point_result( results + i, &single );
		found += single.found;
	}
	assert_true( found > point_count / 8 && found < point_count );
}

static void levels_agree( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	const bv_file* file = file_of_round( f, &ball, 0 );
	bv_ray rays[ray_count];
	for ( int i = 0; i < ray_count; ++i )
	{
		rays[i] = random_ray( f, file, NULL, i );
	}
	bv_rays batch = arrays_of( rays, ray_count );
	bv_points points = { ray_count, batch.origin, { 0 } };
	bv_ray_result hits[ray_count];
	bv_closest_result nearest[ray_count];
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &batch, NULL, hits, NULL ), bv_ok );
	assert_int_equal( bv_mesh_closest_points( file, NULL, &points, NULL, nearest, NULL ), bv_ok );
	const bvtree_lanes* level;
	for ( uint32_t k = 0; ( level = bvtree_lanes_level( k ) ) != NULL; ++k )
	{
		bv_ray_result same_hits[ray_count];
		bv_closest_result same_nearest[ray_count];
		bool in_turns = k % 2 == 0;
		assert_int_equal( bvtree_cast_rays_in( level, in_turns, file, NULL, &batch, NULL, same_hits, NULL ),
		                  bv_ok );
		assert_int_equal(
			bvtree_closest_points_in( level, in_turns, file, NULL, &points, NULL, same_nearest, NULL ),
			bv_ok );
		for ( int i = 0; i < ray_count; ++i )
		{
			assert_same_ray_result( same_hits + i, hits + i );
			assert_same_point_result( same_nearest + i, nearest + i );
		}
	}
}

// What bv_ray excludes, in the ray of this index and in a later one.
static void invalid_rays_are_named_and_nothing_is_changed( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	const bv_ray good = { { 0.5, 0.25, 5 }, { 0, 0, -2 }, 0, INFINITY };
	bv_ray bad[8];
	for ( int i = 0; i < 8; ++i )
	{
		bad[i] = good;
	}
	bad[0].origin.y = NAN;
	bad[1].origin.x = INFINITY;
	bad[2].direction.z = 0;
	bad[3].direction.x = NAN;
	bad[4].from = -1;
	bad[5].from = INFINITY;
	bad[6].to = NAN;
	bad[7].direction.y = 0x1p201;
	for ( size_t i = 0; i < 8; ++i )
	{
		bv_ray rays[40];
		bv_ray_result results[40];
		bv_ray_result before[40];
		memset( results, 0x5A, sizeof results );
		memset( before, 0x5A, sizeof before );
		for ( size_t k = 0; k < 40; ++k )
		{
			rays[k] = k == 5 * i + 2 || k == 39 ? bad[i] : good;
		}
		size_t invalid = 0;
		bv_rays batch = arrays_of( rays, 40 );
		assert_int_equal( bv_mesh_cast_rays( file, NULL, &batch, NULL, results, &invalid ),
		                  bv_error_argument );
		assert_true( invalid == 5 * i + 2 );
		assert_int_equal( bv_mesh_cast_rays( file, NULL, &batch, NULL, results, NULL ), bv_error_argument );
		assert_memory_equal( results, before, sizeof results );
	}
}

static void invalid_points_are_named_and_nothing_is_changed( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	static const double bad[][4] = {
		{ NAN, 0, 0, 1 }, { 0, -INFINITY, 0, 1 }, { 0, 0, 0x1p201, 1 }, { 0, 0, 0, -1 }, { 0, 0, 0, NAN }
	};
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		double numbers[20][4] = { { 0 } };
		bv_closest_result results[20];
		bv_closest_result before[20];
		memset( results, 0x5A, sizeof results );
		memset( before, 0x5A, sizeof before );
		memcpy( numbers[i + 12], bad[i], sizeof bad[i] );
		memcpy( numbers[19], bad[i], sizeof bad[i] );
		bv_points batch = { 20, doubles( numbers, sizeof *numbers ),
			                doubles( numbers[0] + 3, sizeof *numbers ) };
		size_t invalid = 0;
		assert_int_equal( bv_mesh_closest_points( file, NULL, &batch, NULL, results, &invalid ),
		                  bv_error_argument );
		assert_true( invalid == i + 12 );
		assert_int_equal( bv_mesh_closest_points( file, NULL, &batch, NULL, results, NULL ),
		                  bv_error_argument );
		assert_memory_equal( results, before, sizeof results );
	}
}

static void invalid_arguments_are_rejected( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bvb_asset_options without = plain_options();
	without.sections = 1u << bvb_section_mesh;
	const bv_file* no_hierarchy = build_file( f, &cube, &without );
	bv_transform bent = bv_transform_identity();
	bent.scale = 0;
	const bv_ray ray = { { 0.5, 0.25, 5 }, { 0, 0, -2 }, 0, INFINITY };
	bv_rays rays = arrays_of( &ray, 1 );
	bv_points points = { 1, rays.origin, { 0 } };
	bv_ray_result hit;
	bv_closest_result near;
	size_t invalid = 0;
	assert_int_equal( bv_mesh_cast_rays( NULL, NULL, &rays, NULL, &hit, &invalid ), bv_error_argument );
	assert_true( invalid == SIZE_MAX );
	assert_int_equal( bv_mesh_cast_rays( no_hierarchy, NULL, &rays, NULL, &hit, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_rays( file, &bent, &rays, NULL, &hit, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_rays( file, NULL, NULL, NULL, &hit, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, NULL, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_points( NULL, NULL, &points, NULL, &near, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_points( no_hierarchy, NULL, &points, NULL, &near, NULL ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_closest_points( file, &bent, &points, NULL, &near, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_points( file, NULL, NULL, NULL, &near, NULL ), bv_error_argument );
	assert_int_equal( bv_mesh_closest_points( file, NULL, &points, NULL, NULL, NULL ), bv_error_argument );
	bv_array* const arrays[] = { &rays.origin, &rays.direction, &rays.from, &rays.to };
	for ( int i = 0; i < 4; ++i )
	{
		bv_array before = *arrays[i];
		arrays[i]->type = bv_numbers;
		assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, &hit, NULL ), bv_error_argument );
		*arrays[i] = before;
		arrays[i]->data = NULL;
		bool is_optional = i >= 2;
		assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, &hit, NULL ),
		                  is_optional ? bv_ok : bv_error_argument );
		*arrays[i] = before;
	}
	points.limit.type = bv_numbers;
	assert_int_equal( bv_mesh_closest_points( file, NULL, &points, NULL, &near, NULL ), bv_error_argument );
	points = ( bv_points ){ .count = 1 };
	assert_int_equal( bv_mesh_closest_points( file, NULL, &points, NULL, &near, NULL ), bv_error_argument );
}

// The ray meets the cube's face z = 1 after 2 units of time, and not at all when it ends before.
static void missing_arrays_mean_the_whole_half_line( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	const bv_ray ray = { { 0.5, 0.25, 5 }, { 0, 0, -2 }, 1, 1.5 };
	bv_rays rays = arrays_of( &ray, 1 );
	bv_ray_result hit;
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, &hit, NULL ), bv_ok );
	assert_true( !hit.found );
	rays.to = ( bv_array ){ 0 };
	rays.from = ( bv_array ){ 0 };
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, &hit, NULL ), bv_ok );
	assert_true( hit.found && hit.time == 2 );
}

static void empty_batches_are_valid( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_of_round( f, &cube, 0 );
	bv_rays rays = { 0 };
	bv_points points = { 0 };
	size_t invalid = 0;
	assert_int_equal( bv_mesh_cast_rays( file, NULL, &rays, NULL, NULL, &invalid ), bv_ok );
	assert_true( invalid == SIZE_MAX );
	assert_int_equal( bv_mesh_closest_points( file, NULL, &points, NULL, NULL, NULL ), bv_ok );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( rays_have_the_results_of_single_calls ),
		fixture_test( rays_of_a_large_file_take_turns ),
		fixture_test( rays_with_many_nodes_to_visit_are_finished ),
		fixture_test( arrays_of_rays_may_have_any_layout ),
		fixture_test( points_have_the_results_of_single_calls ),
		fixture_test( many_points_have_their_own_results ),
		fixture_test( far_placements_that_are_not_quite_rigid_lose_no_point ),
		fixture_test( arrays_of_points_may_have_any_layout ),
		fixture_test( levels_agree ),
		fixture_test( invalid_rays_are_named_and_nothing_is_changed ),
		fixture_test( invalid_points_are_named_and_nothing_is_changed ),
		fixture_test( invalid_arguments_are_rejected ),
		fixture_test( missing_arrays_mean_the_whole_half_line ),
		fixture_test( empty_batches_are_valid ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
