// What holds of every depth: the translation separates, no shorter one does, whatever the meshes, their order, their place, their
// scale, and the number of tests.

#include "depths.h"

typedef struct shapes
{
	body of[9];
	uint32_t count;
} shapes;

// Random solids that intersect themselves: boxes in and through each other, some inward.
static bvb_mesh heap_of_boxes( fixture* f, uint32_t count )
{
	bvb_mesh all = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_mesh m = box_mesh( f, 0.2 + random_unit( f ), 0.2 + random_unit( f ), 0.2 + random_unit( f ) );
		placement place = random_placement( f );
		put_mesh( &m, &place );
		m = moved( f, &m, ( bv_vec3 ){ random_unit( f ), random_unit( f ), random_unit( f ) } );
		m = i % 3 == 2 ? turned_over( f, &m ) : m;
		all = i == 0 ? m : joined( f, &all, &m );
	}
	return all;
}

static shapes make_shapes( fixture* f )
{
	shapes s = { .count = 9 };
	bvb_mesh mesh[9] = { box_mesh( f, 1.5, 1, 0.75 ),
		                 torus( f, 0.3, 24, 12 ),
		                 letter_u( f ),
		                 letter_l( f ),
		                 jack( f ),
		                 hollow_box( f ),
		                 bumpy_ball( f, 12 ),
		                 box_mesh( f, 2, 2, 0.03 ),
		                 heap_of_boxes( f, 5 ) };
	for ( uint32_t i = 0; i < s.count; ++i )
	{
		s.of[i] = body_of( f, &mesh[i] );
		assert_true( s.of[i].closed );
	}
	return s;
}

static bv_vec3 middle_of( const body* b )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < b->mesh.vertex_count; ++i )
	{
		sum = plus( sum, 1.0 / b->mesh.vertex_count, b->mesh.positions[i] );
	}
	return sum;
}

// Overlapping more or less.
static bv_transform place_near( fixture* f, const body* a, const body* b, double scale, double distance )
{
	bv_transform t = turned( f, scale, ( bv_vec3 ){ 0, 0, 0 } );
	bv_vec3 from = bv_transform_point( &t, middle_of( b ) );
	bv_vec3 to = plus( middle_of( a ), distance, random_direction( f ) );
	return shifted( &t, plus( to, -1, from ) );
}

static void random_pairs_of_solids( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	int reached = 0;
	int count = 0;
	for ( int round = 0; round < ( is_thorough() ? 20 : 1 ); ++round )
	{
		for ( uint32_t i = 0; i < s.count * s.count; ++i )
		{
			const body* a = s.of + i / s.count;
			const body* b = s.of + i % s.count;
			bv_transform t = place_near( f, a, b, 0.5 + random_unit( f ), 1.5 * random_unit( f ) );
			bv_mesh_depth_options options = { .factor = i % 2 == 0 ? 0 : 1.2, .most_translations = 1024 };
			bv_mesh_depth_result r = depth_of( a, b, &t, &options );
			assert_sound( f, a, b, &t, &r, 30 );
			assert_true( r.reached == ( r.upper <= ( i % 2 == 0 ? 1.5 : 1.2 ) * r.lower ) );
			reached += r.reached;
			count += 1;
		}
	}
	assert_true( 10 * reached >= 8 * count );
}

// The true depth is in both intervals.
static void the_order_of_the_meshes_does_not_matter( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 30; ++i )
	{
		const body* a = s.of + i % s.count;
		const body* b = s.of + i / 3 % s.count;
		bv_transform t = place_near( f, a, b, 1, random_unit( f ) );
		bv_transform back = bv_transform_inverse( &t );
		bv_mesh_depth_options options = { .most_translations = 256 };
		bv_mesh_depth_result r = depth_of( a, b, &t, &options );
		bv_mesh_depth_result other = depth_of( b, a, &back, &options );
		assert_true( r.lower <= other.upper * ( 1 + 1e-9 ) && other.lower <= r.upper * ( 1 + 1e-9 ) );
		assert_true( ( r.upper == 0 ) == ( other.upper == 0 ) );
	}
}

// Both meshes moved together, and all lengths multiplied.
static void place_and_scale_do_not_matter( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 1e-3, 0.1, 1, 30, 1e3 };
	bvb_mesh mesh[2] = { letter_u( f ), bumpy_ball( f, 8 ) };
	body plain[2] = { body_of( f, &mesh[0] ), body_of( f, &mesh[1] ) };
	bv_transform t = place_near( f, &plain[0], &plain[1], 1, 0.5 );
	bv_mesh_depth_result first = depth_of( &plain[0], &plain[1], &t, NULL );
	assert_true( first.reached && first.lower > 0.1 );
	for ( size_t i = 0; i < sizeof scales / sizeof *scales; ++i )
	{
		// The first mesh is moved and scaled before it is stored: with an offset, where it is far.
		double far = i % 2 == 0 ? 0 : 1000 * scales[i];
		bvb_mesh m = combined( f, &mesh[0], &( bvb_mesh ){ .vertex_count = 0 } );
		for ( uint32_t k = 0; k < m.vertex_count; ++k )
		{
			m.positions[k] = plus( ( bv_vec3 ){ far, far, -far }, scales[i], m.positions[k] );
		}
		body a = body_of( f, &m );
		bv_transform at = t;
		at.scale = scales[i];
		at.pose.translation = plus( ( bv_vec3 ){ far, far, -far }, scales[i], t.pose.translation );
		bv_mesh_depth_result r = depth_of( &a, &plain[1], &at, NULL );
		double tolerance = 1e-3 * first.upper;
		assert_sound( f, &a, &plain[1], &at, &r, 20 );
		assert_true( r.lower / scales[i] <= first.upper + tolerance &&
		             first.lower <= r.upper / scales[i] + tolerance );
		assert_true( r.reached );
	}
}

// A mirrored pair has the same depth.
static void reflections_do_not_matter( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 20; ++i )
	{
		const body* a = s.of + i % s.count;
		const body* b = s.of + ( 2 * i + 1 ) % s.count;
		bv_transform t = place_near( f, a, b, 1, random_unit( f ) );
		t.mirror = true;
		bv_mesh_depth_options options = { .most_translations = 256 };
		bv_mesh_depth_result r = depth_of( a, b, &t, &options );
		assert_sound( f, a, b, &t, &r, 20 );
	}
}

// Rotations that are off by almost as much as is allowed.
static void rotations_that_are_not_quite_rigid( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 20; ++i )
	{
		const body* a = s.of + i % s.count;
		const body* b = s.of + ( 2 * i + 3 ) % s.count;
		bv_transform t = place_near( f, a, b, 1, random_unit( f ) );
		for ( int k = 0; k < 9; ++k )
		{
			t.pose.rotation[k / 3][k % 3] *= 1 + 2e-5 * ( random_unit( f ) - 0.5 );
		}
		assert_true( bv_transform_is_valid( &t ) );
		bv_mesh_depth_options options = { .most_translations = 256 };
		bv_mesh_depth_result r = depth_of( a, b, &t, &options );
		assert_sound( f, a, b, &t, &r, 20 );
	}
}

static bool same_depth( const bv_mesh_depth_result* a, const bv_mesh_depth_result* b )
{
	return a->lower == b->lower && a->upper == b->upper && same_transform( &a->apart, &b->apart ) &&
	       memcmp( &a->way, &b->way, sizeof a->way ) == 0 &&
	       memcmp( a->point, b->point, sizeof a->point ) == 0 &&
	       memcmp( &a->normal, &b->normal, sizeof a->normal ) == 0 && a->reached == b->reached &&
	       a->touches == b->touches && memcmp( a->triangle, b->triangle, sizeof a->triangle ) == 0 &&
	       memcmp( a->feature, b->feature, sizeof a->feature ) == 0 && a->volume_tests == b->volume_tests &&
	       a->triangle_tests == b->triangle_tests && a->translations == b->translations;
}

// Whatever the number of tests, the interval holds; what a query with a limit finds, it finds again.
static void interrupted_queries_are_sound( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 6; ++i )
	{
		const body* a = s.of + i;
		const body* b = s.of + ( i + 2 ) % s.count;
		bv_transform t = place_near( f, a, b, 1, 0.3 );
		bv_mesh_depth_options options = { .factor = 1.1, .most_translations = 200 };
		bv_mesh_depth_result full = depth_of( a, b, &t, &options );
		double lower = 0;
		for ( uint64_t tests = 1; tests < 200000; tests += 1 + tests / 5 )
		{
			options.most_tests = tests;
			bv_mesh_depth_result r = depth_of( a, b, &t, &options );
			bv_mesh_depth_result again = depth_of( a, b, &t, &options );
			assert_true( same_depth( &r, &again ) );
			assert_sound( f, a, b, &t, &r, 4 );
			assert_true( r.lower <= full.upper && full.lower <= r.upper );
			lower = fmax( lower, r.lower );
		}
		assert_true( lower > 0 && full.upper > 0 );
	}
}

// Little memory makes the interval wider, but not wrong.
static void little_memory_is_enough( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 12; ++i )
	{
		const body* a = s.of + i % s.count;
		const body* b = s.of + ( i + 4 ) % s.count;
		bv_transform t = place_near( f, a, b, 1, 0.5 );
		bv_mesh_depth_options options = { .factor = 1.05, .most_translations = 512 };
		bv_mesh_depth_result r;
		uint64_t* memory = bvb_arena_allocate( f->arena, BV_MESH_DEPTH_SCRATCH_LEAST / 8, sizeof *memory );
		assert_int_equal(
			bv_mesh_depth( a->file, b->file, &t, &options, memory, BV_MESH_DEPTH_SCRATCH_LEAST, &r ), bv_ok );
		assert_sound( f, a, b, &t, &r, 20 );
	}
}

// Triangles without order and without an inside: only the way is proven, by brute force over all pairs.
static void soups_get_apart( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20; ++i )
	{
		bvb_mesh mesh[2];
		body of[2];
		for ( int k = 0; k < 2; ++k )
		{
			mesh[k] = soup_create( f, 30 );
			for ( uint32_t j = 0; j < 90; ++j )
			{
				bv_vec3 around = random_direction( f );
				mesh[k].positions[j] = plus( around, 0.3, random_direction( f ) );
			}
			of[k] = body_of( f, &mesh[k] );
		}
		bv_transform t = turned( f, 1, bv_scale( random_unit( f ), random_direction( f ) ) );
		bv_mesh_depth_result r = depth_of( &of[0], &of[1], &t, NULL );
		assert_true( r.lower == 0 );
		assert_sound( f, &of[0], &of[1], &t, &r, 0 );
	}
}

// All of the directions that a search samples are ways out: none of them is shorter than `lower`, and the best of them not much
// shorter than `upper`.
static void sampled_directions_find_nothing_shorter( void** state )
{
	fixture* f = *state;
	shapes s = make_shapes( f );
	for ( uint32_t i = 0; i < 4; ++i )
	{
		const body* a = s.of + ( i + 1 ) % s.count;
		const body* b = s.of + ( 3 * i + 2 ) % s.count;
		bv_transform t = place_near( f, a, b, 1, 0.6 );
		bv_mesh_depth_options options = { .factor = 1.25, .most_translations = 2048 };
		bv_mesh_depth_result r = depth_of( a, b, &t, &options );
		for ( int k = 0; k < 200; ++k )
		{
			bv_vec3 direction = random_direction( f );
			for ( int step = 1; step < 40; ++step )
			{
				double distance = r.upper * step / 40;
				bv_transform at = shifted( &t, bv_scale( distance, direction ) );
				bv_collide_options first = { .first = true };
				bv_collide_result c;
				assert_int_equal( bv_mesh_collide( a->file, b->file, &at, &first, &c ), bv_ok );
				if ( c.pairs == 0 && are_apart( a, b, &at ) )
				{
					assert_true( distance >= r.lower );
					break;
				}
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( random_pairs_of_solids ),
		fixture_test( the_order_of_the_meshes_does_not_matter ),
		fixture_test( place_and_scale_do_not_matter ),
		fixture_test( reflections_do_not_matter ),
		fixture_test( rotations_that_are_not_quite_rigid ),
		fixture_test( interrupted_queries_are_sound ),
		fixture_test( little_memory_is_enough ),
		fixture_test( soups_get_apart ),
		fixture_test( sampled_directions_find_nothing_shorter ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
