// Options of casts: callbacks and filters. Invalid arguments change nothing.

#include "casts.h"

// A callback: shapes that are met later than their boxes, or not at all.
typedef struct shapes
{
	uint32_t calls;
	double end; // of the last call
	bool is_monotonous;
} shapes;

static bool meet_shape( void* context, double end, bvw_hit* hit )
{
	shapes* s = context;
	s->is_monotonous = s->is_monotonous && end <= s->end && hit->time.lower <= end;
	s->end = end;
	++s->calls;
	uint32_t kind = hit->number * 2654435761u >> 20;
	hit->time.lower = kind % 7 == 0   ? NAN
	                  : kind % 7 == 1 ? hit->time.lower - 1
	                                  : hit->time.lower + ldexp( kind % 64, -6 ) * ( hit->time.lower + 1 );
	hit->time.upper = hit->time.lower;
	hit->number = 12345;
	return kind % 5 != 0;
}

static int compare_hits( const void* left, const void* right )
{
	const bvw_hit* a = left;
	const bvw_hit* b = right;
	int by_time = ( a->time.lower > b->time.lower ) - ( a->time.lower < b->time.lower );
	return by_time ? by_time : ( a->number > b->number ) - ( a->number < b->number );
}

static void callbacks_decide_when_shapes_are_met( void** state )
{
	(void)state;
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 77 );
	shuffle_objects( &f, scene_uniform, 300 );
	fleet_update( &f );
	uint32_t met = 0;
	uint32_t called_for_first = 0;
	uint32_t called_for_all = 0;
	for ( uint32_t i = 0; i < 100; ++i )
	{
		question q = draw_question( &f, scene_uniform );
		double to = q.is_ray ? q.ray.to > 0 ? q.ray.to : (double)INFINITY : 1;
		bvw_hit boxes[objects];
		uint32_t count = ask_all( &f, &q, NULL, boxes );
		bvw_hit expected[objects];
		memset( expected, 0, sizeof expected );
		uint32_t kept = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			shapes one = { .end = INFINITY, .is_monotonous = true };
			bvw_hit hit = boxes[k];
			if ( meet_shape( &one, to, &hit ) && hit.time.lower <= to )
			{
				double lower = fmax( hit.time.lower, boxes[k].time.lower );
				expected[kept++] = ( bvw_hit ){ { lower, fmax( lower, hit.time.upper ) }, boxes[k].number };
			}
		}
		qsort( expected, kept, sizeof *expected, compare_hits );
		shapes s = { .end = INFINITY, .is_monotonous = true };
		bvw_cast_options options = { .callback = meet_shape, .context = &s };
		for ( uint32_t w = 0; w < f.worlds; ++w )
		{
			bvw_hit hits[objects];
			memset( hits, 0, sizeof hits );
			bvw_found found;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, objects, &found ), bv_ok );
			assert_int_equal( found.count, kept );
			assert_true( are_equal( hits, expected, kept ) );
			assert_int_equal( s.calls, count );
			assert_true( s.is_monotonous );
			called_for_all += s.calls;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, 1, &found ), bv_ok );
			assert_int_equal( found.count, kept > 0 );
			assert_true( are_equal( hits, expected, found.count ) );
			assert_true( s.is_monotonous );
			called_for_first += s.calls;
			// Without an array: a visitor.
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, NULL, 0, &found ), bv_ok );
			assert_int_equal( found.count, 0 );
			assert_int_equal( s.calls, count );
			// Any hit.
			options.any = true;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, objects, &found ), bv_ok );
			assert_int_equal( found.count, kept > 0 );
			options.any = false;
		}
		met += kept;
	}
	assert_true( met > 300 && called_for_first < called_for_all );
	fleet_free( &f );
}

// Nodes without a wanted category are left out, and what is found is the same.
static void masks_prune( void** state )
{
	(void)state;
	enum
	{
		many = 4096,
	};
	bvw_broadphase_options options = { .objects = many };
	bvw_broadphase* world = begin_world( &options );
	uint64_t random = 3;
	for ( uint32_t i = 0; i < many; ++i )
	{
		bvw_object o = { .box = draw_box( &random, scene_uniform, 40 ), .category = i % 64 == 0 ? 2 : 1 };
		assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
	}
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
	bvw_hit hits[many];
	bvw_found all;
	bvw_found some;
	bv_aabb box = { { 0, 0, 0 }, { 8, 8, 8 } };
	bvw_cast_options masked = { .filter = { .mask = 2 } };
	assert_int_equal(
		bvw_broadphase_cast_box( world, &box, ( bv_vec3 ){ 32, 32, 32 }, NULL, hits, many, &all ), bv_ok );
	uint32_t expected = 0;
	for ( uint32_t i = 0; i < all.count; ++i )
	{
		expected += hits[i].number % 64 == 0;
	}
	assert_int_equal(
		bvw_broadphase_cast_box( world, &box, ( bv_vec3 ){ 32, 32, 32 }, &masked, hits, many, &some ),
		bv_ok );
	assert_int_equal( some.count, expected );
	assert_true( expected > 0 && some.tests * 4 < all.tests );
	free( world );
}

static void invalid_arguments_change_nothing( void** state )
{
	(void)state;
	fleet f = fleet_of( 2, 1, 1 );
	bvw_object o = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } };
	fleet_add( &f, 0, &o );
	const bv_ray rays[] = {
		{ { NAN, 0, 0 }, { 1, 0, 0 }, 0, 0 },
		{ { 0, 0, INFINITY }, { 1, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, NAN, 1 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, -INFINITY, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, -1, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, NAN, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, INFINITY, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, 0, -1 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, 0, NAN },
		{ { 0, 0, 0 }, { 2 * BV_MAX_LENGTH, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, 0x1p-201, 0 }, 0, 0 },
		{ { 2 * BV_MAX_LENGTH, 0, 0 }, { 1, 0, 0 }, 0, 0 },
	};
	const bv_ray good = { { 0, 0, 0 }, { 1, 0, 0 }, 0, 0 };
	const bv_aabb bad = { { 1, 0, 0 }, { 0, 1, 1 } };
	const bv_vec3 still = { 0, 0, 0 };
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		const bvw_broadphase* w = f.world[i];
		bvw_hit hit = { .number = 77 };
		bvw_found found = { 78, 79 };
		for ( uint32_t k = 0; k < sizeof rays / sizeof *rays; ++k )
		{
			assert_int_equal( bvw_broadphase_cast_ray( w, rays + k, NULL, &hit, 1, &found ),
			                  bv_error_argument );
		}
		assert_int_equal( bvw_broadphase_cast_ray( NULL, &good, NULL, &hit, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, NULL, NULL, &hit, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, NULL, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, &hit, 1, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_box( w, &bad, still, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_box( w, NULL, still, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		assert_int_equal(
			bvw_broadphase_cast_box( w, &o.box, ( bv_vec3 ){ NAN, 0, 0 }, NULL, &hit, 1, &found ),
			bv_error_argument );
		assert_int_equal(
			bvw_broadphase_cast_box( w, &o.box, ( bv_vec3 ){ 0, INFINITY, 0 }, NULL, &hit, 1, &found ),
			bv_error_argument );
		assert_true( hit.number == 77 && found.count == 78 && found.tests == 79 );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, &hit, 1, &found ), bv_ok );
		assert_int_equal( found.count, 1 );
	}
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( callbacks_decide_when_shapes_are_met ),
		cmocka_unit_test( masks_prune ),
		cmocka_unit_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
