// Options, results and bad arguments of bv_mesh_depth.

#include "depths.h"

static void default_options_are_zero( void** state )
{
	(void)state;
	bv_mesh_depth_options zero = { 0 };
	bv_mesh_depth_options usual = bv_mesh_depth_options_default();
	assert_memory_equal( &zero, &usual, sizeof zero );
}

static body unit_box( fixture* f )
{
	bvb_mesh m = box_mesh( f, 1, 1, 1 );
	return body_of( f, &m );
}

static void bad_arguments_leave_the_result( void** state )
{
	fixture* f = *state;
	body box = unit_box( f );
	bv_transform t = bv_transform_translation( 0.5, 0.25, 0.125 );
	bv_transform bad = t;
	bad.scale = 0;
	bv_transform far = bv_transform_translation( 2 * BV_MAX_LENGTH, 0, 0 );
	bv_mesh_depth_result before;
	memset( &before, 0x5a, sizeof before );
	bv_mesh_depth_result r = before;
	size_t bytes = sizeof depth_scratch;
	const bv_mesh_depth_options wrong[] = { { .factor = 0.5 },
		                                    { .factor = -1 },
		                                    { .factor = INFINITY },
		                                    { .factor = NAN },
		                                    { .absolute = -1 },
		                                    { .absolute = NAN },
		                                    { .absolute = 2 * BV_MAX_LENGTH },
		                                    { .direction = { NAN, 0, 0 } },
		                                    { .direction = { 0, INFINITY, 0 } } };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bv_mesh_depth( box.file, box.file, &t, &wrong[i], depth_scratch, bytes, &r ),
		                  bv_error_argument );
	}
	assert_int_equal( bv_mesh_depth( NULL, box.file, &t, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, NULL, &t, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, box.file, &bad, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, box.file, &far, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, box.file, &t, NULL, NULL, bytes, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, box.file, &t, NULL, (char*)depth_scratch + 4, bytes - 8, &r ),
	                  bv_error_argument );
	assert_int_equal(
		bv_mesh_depth( box.file, box.file, &t, NULL, depth_scratch, BV_MESH_DEPTH_SCRATCH_LEAST - 1, &r ),
		bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, box.file, &t, NULL, depth_scratch, bytes, NULL ),
	                  bv_error_argument );
	// A file without a hierarchy.
	bvb_asset_options options = plain_options();
	options.sections = 1u << bvb_section_mesh;
	bvb_mesh m = box_mesh( f, 1, 1, 1 );
	const bv_file* bare = build_file( f, &m, &options );
	assert_int_equal( bv_mesh_depth( bare, box.file, &t, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_depth( box.file, bare, &t, NULL, depth_scratch, bytes, &r ),
	                  bv_error_argument );
	assert_memory_equal( &r, &before, sizeof r );
}

// The answer is that of the last frame, and takes few tests.
static void a_given_direction_is_tried_first( void** state )
{
	fixture* f = *state;
	bvb_mesh m = torus( f, 0.3, 32, 16 );
	body ring = body_of( f, &m );
	bv_transform t = bv_transform_translation( 0.7, 0.1, 0.2 );
	bv_mesh_depth_options options = { .factor = 1.1 };
	bv_mesh_depth_result first = depth_of( &ring, &ring, &t, &options );
	t = bv_transform_translation( 0.701, 0.1, 0.2 );
	options.direction = bv_scale( 100, first.way );
	bv_mesh_depth_result next = depth_of( &ring, &ring, &t, &options );
	assert_sound( f, &ring, &ring, &t, &next, 20 );
	assert_true( dot( bv_normalize( first.way ), bv_normalize( next.way ) ) > 0.99 );
}

// The contact that is reported is between these triangles, where they are after the translation.
static void what_touches_is_near_contact( void** state )
{
	fixture* f = *state;
	bvb_mesh m = bumpy_ball( f, 12 );
	body a = body_of( f, &m );
	m = torus( f, 0.3, 24, 12 );
	body b = body_of( f, &m );
	int touching = 0;
	for ( int i = 0; i < 40; ++i )
	{
		bv_transform t = turned( f, 1, bv_scale( 0.9 * random_unit( f ), random_direction( f ) ) );
		bv_mesh_depth_options options = { .factor = 1.3 };
		bv_mesh_depth_result r = depth_of( &a, &b, &t, &options );
		assert_sound( f, &a, &b, &t, &r, 5 );
		if ( !r.touches )
		{
			continue;
		}
		touching += 1;
		bv_distance_result d;
		assert_int_equal( bv_mesh_distance( a.file, b.file, &r.apart, NULL, &d ), bv_ok );
		assert_true( d.distance < 1e-3 * r.upper );
		assert_true( length( plus( r.point[0], -1, r.point[1] ) ) < 1e-3 * r.upper );
		assert_true( fabs( length( r.normal ) - 1 ) < 1e-9 );
		uint32_t corner[3];
		bv_vec3 at[3];
		for ( int k = 0; k < 2; ++k )
		{
			const body* of = k == 0 ? &a : &b;
			bv_file_get_triangle( of->file, r.triangle[k], corner );
			for ( int j = 0; j < 3; ++j )
			{
				at[j] = of->mesh.positions[corner[j]];
				at[j] = k == 0 ? at[j] : bv_transform_point( &r.apart, at[j] );
			}
			assert_true( triangle_distance( r.point[k], at[0], at[1], at[2] ) < 1e-3 * r.upper );
		}
	}
	assert_true( touching > 30 );
}

// A limit of translations ends the query; the interval is wider.
static void translations_are_limited( void** state )
{
	fixture* f = *state;
	bvb_mesh m = letter_u( f );
	body u = body_of( f, &m );
	bv_transform t = turned( f, 1, ( bv_vec3 ){ 1, 1, 0.5 } );
	bv_mesh_depth_options options = { .factor = 1.01, .most_translations = 10 };
	bv_mesh_depth_result few = depth_of( &u, &u, &t, &options );
	options.most_translations = 2000;
	bv_mesh_depth_result many = depth_of( &u, &u, &t, &options );
	assert_true( few.translations <= 10 && many.translations > 10 && many.translations <= 2000 );
	assert_true( many.lower >= few.lower && many.upper <= few.upper );
	assert_true( many.upper - many.lower < few.upper - few.lower );
}

// Where no translation is in range, only the lower bound is left.
static void translations_out_of_range_are_not_tried( void** state )
{
	fixture* f = *state;
	body box = unit_box( f );
	bv_transform t = bv_transform_translation( 0, 0, 0 );
	t.scale = 0x1p100;
	bv_mesh_depth_result r = depth_of( &box, &box, &t, NULL );
	assert_true( r.lower <= r.upper && r.upper > 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( default_options_are_zero ),
		fixture_test( bad_arguments_leave_the_result ),
		fixture_test( a_given_direction_is_tried_first ),
		fixture_test( what_touches_is_near_contact ),
		fixture_test( translations_are_limited ),
		fixture_test( translations_out_of_range_are_not_tried ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
