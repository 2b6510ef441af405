// Depths with memory of the caller for EPA. Depths of points are those of brute force over all faces, those of two hulls of
// exact arithmetic.

#include "convex_shapes.h"

#include "tests/reference/convex_exact.h"
#include "tests/reference/random.h"

#include <float.h>

// Without what follows the last member.
enum
{
	result_bytes = offsetof( bv_convex_result, supports ) + sizeof( uint32_t ),
	cache_bytes = offsetof( bv_convex_cache, face ) + sizeof( ( (bv_convex_cache*)NULL )->face ),
};

typedef struct wide3
{
	long double x;
	long double y;
	long double z;
} wide3;

static wide3 wide_difference( bv_vec3 a, bv_vec3 b )
{
	return ( wide3 ){ (long double)a.x - b.x, (long double)a.y - b.y, (long double)a.z - b.z };
}

// Of random directions, times the axes of an ellipsoid.
static bv_convex hull_on_ellipsoid( fixture* f, uint64_t* seed, uint32_t count, bv_vec3 axes )
{
	bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = random_direction( seed );
		points[i] = ( bv_vec3 ){ axes.x * d.x, axes.y * d.y, axes.z * d.z };
	}
	bv_convex out;
	assert_true( graph_of( f, points, count, &out ) );
	assert_int_equal( out.count, count );
	return out;
}

static long double height_over( wide3 u, wide3 v, wide3 w )
{
	wide3 n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
	return ( n.x * w.x + n.y * w.y + n.z * w.z ) / sqrtl( n.x * n.x + n.y * n.y + n.z * n.z );
}

// A corner and two of its neighbors that follow each other are a face.
static long double depth_of_point( const bv_convex* hull, bv_vec3 at )
{
	long double least = HUGE_VALL;
	for ( uint32_t v = 0; v < hull->count; ++v )
	{
		uint32_t begin = hull->first_neighbor[v];
		uint32_t count = hull->first_neighbor[v + 1] - begin;
		for ( uint32_t i = 0; i < count; ++i )
		{
			wide3 edge[2];
			for ( uint32_t k = 0; k < 2; ++k )
			{
				uint32_t to = hull->neighbors[begin + ( i + k ) % count];
				edge[k] = wide_difference( hull->points[to], hull->points[v] );
			}
			long double height =
				fabsl( height_over( edge[0], edge[1], wide_difference( at, hull->points[v] ) ) );
			least = height < least ? height : least;
		}
	}
	return least;
}

static bv_convex_options with_scratch( fixture* f, size_t bytes )
{
	bv_convex_options out = bv_convex_options_default();
	out.scratch = bvb_arena_allocate( f->arena, bytes, 1 );
	out.scratch_bytes = bytes;
	assert_non_null( out.scratch );
	return out;
}

static bv_convex_result distance_of( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                                     const bv_convex_options* options )
{
	bv_convex_result out;
	assert_int_equal( bv_convex_distance( a, b, at, options, &out ), bv_ok );
	return out;
}

static double unit_of( double size )
{
	return nextafter( size, INFINITY ) - size;
}

// The depth of a point is its distance from the nearest plane of a face.
static void depths_of_points_are_those_of_the_nearest_face( void** state )
{
	fixture* f = *state;
	uint64_t seed = 11;
	bv_convex hull = hull_on_ellipsoid( f, &seed, 500, ( bv_vec3 ){ 1, 1, 1 } );
	bv_convex_options ample = with_scratch( f, BV_CONVEX_SCRATCH_AMPLE );
	bv_vec3 nowhere = { 0, 0, 0 };
	bv_convex point = bv_convex_point( nowhere );
	int wide_without = 0;
	for ( int i = 0; i < 400; ++i )
	{
		double from_center = i % 2 ? 0.9 * i / 400 : 0.05 * i / 400;
		bv_vec3 at = bv_scale( from_center, random_direction( &seed ) );
		bv_transform placement = bv_transform_translation( at.x, at.y, at.z );
		double depth = (double)depth_of_point( &hull, at );
		double slack = 1e-15;
		bv_convex_result with = distance_of( &hull, &point, &placement, &ample );
		bv_convex_result without = distance_of( &hull, &point, &placement, NULL );
		assert_true( with.lower <= -depth + slack && -depth - slack <= with.upper );
		assert_true( without.lower <= -depth + slack && -depth - slack <= without.upper );
		assert_true( with.upper - with.lower <= 1e-5 * depth + 4 * unit_of( 1 ) );
		assert_true( fabs( bv_length( bv_sub( with.point[0], with.point[1] ) ) - depth ) <= 1e-5 * depth );
		wide_without += without.upper - without.lower > 1e-5 * depth;
	}
	assert_true( wide_without > 0 ); // otherwise nothing is tested
}

// Exact arithmetic, about 0.2 s a pair.
static void large_hulls_deep_in_each_other_are_measured_to_a_hundred_thousandth( void** state )
{
	fixture* f = *state;
	uint64_t seed = 5;
	convex_exact* memory = convex_exact_create();
	bv_convex_options ample = with_scratch( f, BV_CONVEX_SCRATCH_AMPLE );
	int wide_without = 0;
	for ( int i = 0; i < ( is_thorough() ? 40 : 4 ); ++i )
	{
		double flat = i % 2 ? 1 : 0.5;
		bv_convex a = hull_on_ellipsoid( f, &seed, 1000, ( bv_vec3 ){ 1, 1, flat } );
		bv_convex b = hull_on_ellipsoid( f, &seed, 1000, ( bv_vec3 ){ flat, 1, 1 } );
		bv_vec3 by = bv_scale( 0.01 * i, random_direction( &seed ) );
		bv_transform at = bv_transform_translation( by.x, by.y, by.z );
		convex_exact_result truth;
		assert_true( convex_exact_compare( memory, &a, NULL, &b, &at, &truth ) );
		bv_convex_result with = distance_of( &a, &b, &at, &ample );
		bv_convex_result without = distance_of( &a, &b, &at, NULL );
		assert_true( with.lower <= truth.lower && truth.upper <= with.upper );
		assert_true( without.lower <= truth.lower && truth.upper <= without.upper );
		assert_true( with.upper - with.lower <= 1e-5 * -truth.lower + 4 * unit_of( truth.size ) );
		wide_without += without.upper - without.lower > 1e-5 * -truth.lower;
	}
	convex_exact_destroy( memory );
	assert_true( wide_without > 0 );
}

// The same polytope expanded in either memory.
static void what_fits_on_the_stack_is_the_same_in_other_memory( void** state )
{
	fixture* f = *state;
	bv_convex_options least = with_scratch( f, BV_CONVEX_SCRATCH_LEAST );
	bv_convex_options ample = with_scratch( f, BV_CONVEX_SCRATCH_AMPLE );
	for ( int i = 0; i < 2000; ++i )
	{
		bv_transform placement;
		bv_convex a = random_polytope( f, 30 );
		bv_convex b = random_polytope( f, 30 );
		const bv_transform* at = random_placement( f, &placement ) ? &placement : NULL;
		bv_convex_cache cache[3] = { { .count = 0 } };
		bv_convex_options options[3] = { { .cache = cache }, least, ample };
		options[1].cache = cache + 1;
		options[2].cache = cache + 2;
		for ( int frame = 0; frame < 2; ++frame )
		{
			bv_convex_result r[3];
			for ( int k = 0; k < 3; ++k )
			{
				r[k] = distance_of( &a, &b, at, options + k );
			}
			assert_memory_equal( r, r + 1, result_bytes );
			assert_memory_equal( r, r + 2, result_bytes );
			assert_memory_equal( cache, cache + 1, cache_bytes );
			assert_memory_equal( cache, cache + 2, cache_bytes );
			placement.pose.translation.x += 0.03125;
		}
	}
}

// A larger polytope has a higher lowest face, and it does not matter what was in its memory.
static void memory_of_any_size_and_content_gives_true_intervals( void** state )
{
	fixture* f = *state;
	uint64_t seed = 3;
	bv_convex hull = hull_on_ellipsoid( f, &seed, 400, ( bv_vec3 ){ 1, 1, 1 } );
	bv_convex point = bv_convex_point( ( bv_vec3 ){ 0.01, 0.02, -0.01 } );
	double depth = (double)depth_of_point( &hull, point.corner[0] );
	enum
	{
		guard = 64,
		most = 65536,
	};
	unsigned char* memory = bvb_arena_allocate( f->arena, most + guard, 1 );
	double widest = INFINITY;
	for ( size_t bytes = BV_CONVEX_SCRATCH_LEAST; bytes <= most; bytes += 808 )
	{
		bv_convex_options options = { .scratch = memory, .scratch_bytes = bytes };
		bv_convex_result r[2];
		for ( int k = 0; k < 2; ++k )
		{
			memset( memory, k ? 0xff : 0, bytes );
			memset( memory + bytes, 0xa5, guard );
			r[k] = distance_of( &hull, &point, NULL, &options );
			for ( int i = 0; i < guard; ++i )
			{
				assert_int_equal( memory[bytes + i], 0xa5 );
			}
		}
		assert_memory_equal( r, r + 1, result_bytes );
		assert_true( r->lower <= -depth + 1e-15 && -depth - 1e-15 <= r->upper );
		double width = r->upper - r->lower;
		assert_true( width <= 1.001 * widest );
		widest = width;
	}
	assert_true( widest <= 1e-5 * depth );
}

// The depth of a ball in a ball is the sum of their radii less the distance of their centers. Of ellipsoids that are balls nothing
// is known but supports.
static void curved_shapes_have_narrower_depths_with_more_memory( void** state )
{
	fixture* f = *state;
	bv_obb ball = {
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { 1, 1, 1 },
		.rotation = { 0, 0, 0, 1 },
	};
	bv_convex shape = bv_convex_ellipsoid( &ball );
	bv_transform at = bv_transform_translation( 0.25, 0.5, 0.125 );
	double depth = 2 - sqrt( 0.25 * 0.25 + 0.5 * 0.5 + 0.125 * 0.125 );
	bv_convex_options options = with_scratch( f, BV_CONVEX_SCRATCH_AMPLE );
	options.tolerance = 1e-12;
	for ( bv_convex_method m = 0; m < bv_convex_methods; ++m )
	{
		bv_convex_options plain = { .method = m, .tolerance = options.tolerance };
		options.method = m;
		bv_convex_result r;
		bv_convex_result less;
		if ( bv_convex_distance( &shape, &shape, &at, &options, &r ) == bv_ok )
		{
			less = distance_of( &shape, &shape, &at, &plain );
			assert_true( r.lower <= -depth + 1e-14 && -depth - 1e-14 <= r.upper );
			assert_true( r.upper - r.lower <= 1.001 * ( less.upper - less.lower ) );
		}
	}
	options.method = bv_convex_method_gjk;
	const bv_convex_options plain = { .method = bv_convex_method_gjk, .tolerance = options.tolerance };
	bv_convex_result r = distance_of( &shape, &shape, &at, &options );
	bv_convex_result less = distance_of( &shape, &shape, &at, &plain );
	assert_true( r.upper - r.lower < 0.1 * ( less.upper - less.lower ) );
}

static void memory_that_cannot_be_used_is_an_error( void** state )
{
	fixture* f = *state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } );
	const bv_convex_options good = with_scratch( f, BV_CONVEX_SCRATCH_AMPLE );
	bv_convex_options bad[] = { good, good, good, good };
	bad[0].scratch_bytes = BV_CONVEX_SCRATCH_LEAST - 1;
	bad[1].scratch_bytes = 0;
	bad[2].scratch = (char*)good.scratch + 4;
	bad[3].scratch = (char*)good.scratch + 1;
	bv_convex_result r = { .lower = 7, .supports = 3 };
	bv_convex_overlap_result o = { .supports = 7 };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		assert_int_equal( bv_convex_distance( &box, &box, NULL, bad + i, &r ), bv_error_argument );
		assert_int_equal( bv_convex_overlap( &box, &box, NULL, bad + i, &o ), bv_error_argument );
	}
	assert_true( r.lower == 7 && r.supports == 3 && o.supports == 7 );
	const bv_convex_options none = { .scratch_bytes = 1 };
	assert_int_equal( bv_convex_distance( &box, &box, NULL, &none, &r ), bv_ok );
	assert_int_equal( bv_convex_overlap( &box, &box, NULL, &none, &o ), bv_ok );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( depths_of_points_are_those_of_the_nearest_face ),
		fixture_test( large_hulls_deep_in_each_other_are_measured_to_a_hundred_thousandth ),
		fixture_test( what_fits_on_the_stack_is_the_same_in_other_memory ),
		fixture_test( memory_of_any_size_and_content_gives_true_intervals ),
		fixture_test( curved_shapes_have_narrower_depths_with_more_memory ),
		fixture_test( memory_that_cannot_be_used_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
