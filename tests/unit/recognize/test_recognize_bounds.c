// Recognized primitives: both intervals contain what dense samples find, for shapes of every kind and for what is hardly a
// shape; results are what a file can store, and the same every time.

#include "primitive_meshes.h"

#include "runtime/volume/packed_obb.h"

static void check_interval( bv_interval i, sampled s, double grain )
{
	assert_true( i.lower >= 0 && i.lower <= i.upper && isfinite( i.upper ) );
	assert_true( i.upper >= s.most - grain );
	assert_true( i.lower <= s.most + s.spacing + grain );
}

// `grain` is what the samples' own coordinates are rounded by.
static void check_bounds( fixture* f, const bvb_mesh* mesh, double tolerance, double grain )
{
	recognized r = recognize_well( f, mesh, tolerance );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		const bv_primitive* p = &r.primitive[i];
		assert_int_equal( p->kind, i );
		check_interval( p->from_mesh, sample_mesh( mesh, p, mesh->triangle_count < 500 ? 24 : 4 ), grain );
		check_interval( p->from_surface, sample_surface( mesh, p, mesh->triangle_count < 500 ? 12 : 6 ),
		                grain );
		assert_true( p->error.lower == fmax( p->from_mesh.lower, p->from_surface.lower ) );
		assert_true( p->error.upper == fmax( p->from_mesh.upper, p->from_surface.upper ) );

		// Known well, or known to be too much.
		assert_true( p->error.lower > tolerance || p->error.upper - p->error.lower <= tolerance / 10 );
	}
	if ( r.best < bv_primitive_kinds )
	{
		assert_true( r.primitive[r.best].error.upper <= tolerance );
	}
}

static void check_placed( fixture* f, bvb_mesh mesh, double tolerance )
{
	placement place = random_placement( f );
	put_mesh( &mesh, &place );
	check_bounds( f, &mesh, tolerance, 1e-13 );
}

static void intervals_of_primitives_contain_samples( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3; ++i )
	{
		const double tolerances[] = { 1e-4, 0.05, 1 };
		check_placed( f, grid_box( f, 1, 0.5, 0.3, 2 ), tolerances[i] );
		check_placed( f, capsule_mesh( f, 1, 0, 12, 4 ), tolerances[i] );
		check_placed( f, capsule_mesh( f, 0.5, 1, 12, 3 ), tolerances[i] );
		check_placed( f, cylinder_mesh( f, 0.5, 0.8, 12, 2 ), tolerances[i] );
	}
}

static void intervals_of_other_meshes_contain_samples( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3; ++i )
	{
		const double tolerances[] = { 0.01, 0.1, 1 };
		check_placed( f, bumpy_ball( f, 6 ), tolerances[i] );
		double cone[2][2] = { { 1, 0 }, { 0.2, 1 } };
		check_placed( f, revolved( f, cone, 2, 0, 1, 9, true ), tolerances[i] );
		double tube[2][2] = { { 1, 0 }, { 1, 1 } };
		check_placed( f, revolved( f, tube, 2, 0, 1, 9, false ), tolerances[i] );
	}
}

// Whatever is closed surrounds what is fitted to it within a large enough tolerance: then nothing is searched.
static void intervals_of_closed_meshes_contain_samples_without_a_search( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 8; ++i )
	{
		double cone[2][2] = { { 1, 0 }, { 0.2, 1 } };
		bvb_mesh mesh = i % 4 == 0   ? bumpy_ball( f, 6 )
		                : i % 4 == 1 ? revolved( f, cone, 2, 0, 1, 9, true )
		                : i % 4 == 2 ? grid_box( f, 1, 0.5, 0.3, 3 )
		                             : cylinder_mesh( f, 0.5, 0.8, 12, 3 );
		add_noise( f, &mesh, 0.02 );
		check_placed( f, mesh, 20 );
	}
}

// The parity of what surrounds a point is not all: these surround twice, or have a hole.
static void doubled_and_open_meshes_are_searched( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = capsule_mesh( f, 1, 0, 12, 4 );
	bvb_mesh other = capsule_mesh( f, 0.95, 0, 12, 4 );
	check_placed( f, combined( f, &mesh, &other ), 0.2 );
	mesh.triangle_count -= 1;
	check_placed( f, mesh, 0.2 );
	mesh = box_mesh( f, 1, 1, 1 );
	mesh.triangle_count -= 1;
	check_placed( f, mesh, 3 );
}

// Triangles anywhere, many through the middle of what is fitted to them.
static void intervals_of_soups_contain_samples( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 40; count += 3 )
	{
		bvb_mesh soup = soup_create( f, count );
		for ( uint32_t i = 0; i < soup.vertex_count; ++i )
		{
			soup.positions[i] = random_point( f );
		}
		check_placed( f, soup, count % 2 ? 0.05 : 0.7 );
	}
}

// Triangles that cross a shape from wall to wall are deepest where the nearest wall changes.
static void sheets_inside_are_measured_between_their_corners( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20; ++i )
	{
		bvb_mesh box = box_sides( f, 1, 1, 1, 1 );
		bvb_mesh m = mesh_create( f, box.vertex_count, box.triangle_count + 1 );
		memcpy( m.positions, box.positions, box.vertex_count * sizeof *m.positions );
		memcpy( m.triangles, box.triangles, box.triangle_count * sizeof *m.triangles );
		uint32_t* c = m.triangles[box.triangle_count].corner;
		do
		{
			c[0] = (uint32_t)( random_bits( f ) % 4 );
			c[1] = 4 + (uint32_t)( random_bits( f ) % 4 );
			c[2] = 8 + (uint32_t)( random_bits( f ) % 16 );
		} while ( length( plus( m.positions[c[0]], -1, m.positions[c[1]] ) ) == 0 ||
		          length( plus( m.positions[c[1]], -1, m.positions[c[2]] ) ) == 0 ||
		          length( plus( m.positions[c[2]], -1, m.positions[c[0]] ) ) == 0 );
		check_placed( f, m, 0.6 );
	}
}

static void flat_meshes_are_boxes_or_discs( void** state )
{
	fixture* f = *state;
	bvb_mesh sheet = box_sides( f, 1, 2, 1, 3 );

	// Two sides of a box, both moved to z = 0, are a rectangle.
	bvb_mesh rectangle = mesh_create( f, 16, 18 );
	for ( uint32_t i = 0; i < 16; ++i )
	{
		rectangle.positions[i] = sheet.positions[64 + i];
		rectangle.positions[i].z = 0;
	}
	for ( uint32_t i = 0; i < 18; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			rectangle.triangles[i].corner[k] = sheet.triangles[72 + i].corner[k] - 64;
		}
	}
	placement place = random_placement( f );
	put_mesh( &rectangle, &place );
	recognized r = recognize_well( f, &rectangle, 1e-3 );
	assert_int_equal( r.best, bv_primitive_box );
	assert_true( r.primitive[r.best].error.upper < 1e-4 );
	check_bounds( f, &rectangle, 1e-3, 1e-13 );

	// A disc of 24 sides, sagitta 0.0086.
	bvb_mesh disc = soup_create( f, 24 );
	for ( uint32_t i = 0; i < 24; ++i )
	{
		for ( uint32_t k = 0; k < 2; ++k )
		{
			double a = 2 * pi * ( i + k ) / 24;
			disc.positions[3 * i + k + 1] = ( bv_vec3 ){ cos( a ), sin( a ), 0 };
		}
	}
	put_mesh( &disc, &place );
	r = recognize_well( f, &disc, 0.01 );
	assert_int_equal( r.best, bv_primitive_cylinder );
	check_bounds( f, &disc, 0.01, 1e-13 );
}

static void needles_are_thin_primitives( void** state )
{
	fixture* f = *state;
	bvb_mesh needle = soup_create( f, 2 );
	const bv_vec3 corners[6] = { { 0, 0, 0 }, { 1, 0, 0 },         { 0.5, 1e-5, 0 },
		                         { 0, 0, 0 }, { 0.5, 1e-5, 1e-5 }, { 1, 0, 0 } };
	memcpy( needle.positions, corners, sizeof corners );
	placement place = random_placement( f );
	put_mesh( &needle, &place );
	recognized r = recognize_well( f, &needle, 1e-3 );
	assert_true( r.best < bv_primitive_kinds && r.best != bv_primitive_sphere );
	check_bounds( f, &needle, 1e-3, 1e-13 );
}

static void one_triangle_is_measured( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 20; ++i )
	{
		bvb_mesh triangle = soup_create( f, 1 );
		triangle.positions[0] = random_point( f );
		triangle.positions[1] = random_point( f );
		triangle.positions[2] = random_point( f );
		check_placed( f, triangle, i % 2 ? 0.01 : 1 );
	}
}

// From the largest coordinates that a mesh of record has to its smallest extent, and both at once.
static void huge_tiny_and_remote_meshes_are_measured( void** state )
{
	fixture* f = *state;
	const double scales[] = { 0x1p119, 0x1p-119, 1, 0x1p97 };
	const double offsets[] = { 0, 0, 0x1p18, 0x1p119 };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int kind = 0; kind < 3; ++kind )
		{
			bvb_mesh mesh = kind == 0   ? bumpy_ball( f, 5 )
			                : kind == 1 ? cylinder_mesh( f, 0.4, 0.8, 8, 1 )
			                            : grid_box( f, 0.7, 0.5, 0.2, 1 );
			placement place = random_placement( f );
			place.scale = scales[i];
			place.offset = ( bv_vec3 ){ offsets[i], -offsets[i], 0 };
			put_mesh( &mesh, &place );
			check_bounds( f, &mesh, 0.1 * scales[i], 1e-13 * scales[i] + 1e-15 * offsets[i] );
		}
	}
}

static bool is_float( double x )
{
	return x == to_float( x );
}

static bool are_floats( bv_vec3 p )
{
	return is_float( p.x ) && is_float( p.y ) && is_float( p.z );
}

static void primitives_are_what_a_file_stores( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 10; ++i )
	{
		bvb_mesh mesh = bumpy_ball( f, 5 );
		placement place = random_placement( f );
		put_mesh( &mesh, &place );
		recognized r = recognize_well( f, &mesh, i % 2 ? 0.001 : 0.5 );
		const bv_primitive* p = r.primitive;
		bvvol_packed_obb packed = bvvol_obb_pack( &p[bv_primitive_box].box );
		bv_obb unpacked = bvvol_obb_unpack( &packed );
		assert_memory_equal( &unpacked, &p[bv_primitive_box].box, sizeof unpacked );
		const bv_sphere* sphere = &p[bv_primitive_sphere].sphere;
		assert_true( are_floats( sphere->center ) && is_float( sphere->radius ) );
		const bv_capsule* capsule = &p[bv_primitive_capsule].capsule;
		assert_true( are_floats( capsule->ends[0] ) && are_floats( capsule->ends[1] ) );
		assert_true( is_float( capsule->radius ) );
		const bv_cylinder* cylinder = &p[bv_primitive_cylinder].cylinder;
		assert_true( are_floats( cylinder->ends[0] ) && are_floats( cylinder->ends[1] ) );
		assert_true( is_float( cylinder->radius ) && cylinder->radius > 0 );
		assert_true( length( plus( cylinder->ends[0], -1, cylinder->ends[1] ) ) > 0 );
	}
}

static void results_are_the_same_every_time( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = i ? bumpy_ball( f, 20 ) : cylinder_mesh( f, 1, 1, 32, 3 );
		recognized first = recognize_well( f, &mesh, 0.1 );
		bvb_arena_allocate( f->arena, 12345, 1 );
		recognized second = recognize_well( f, &mesh, 0.1 );
		assert_int_equal( first.best, second.best );
		for ( int kind = 0; kind < bv_primitive_kinds; ++kind )
		{
			assert_memory_equal( &first.primitive[kind].box, &second.primitive[kind].box, sizeof( bv_obb ) );
			assert_memory_equal( &first.primitive[kind].sphere, &second.primitive[kind].sphere,
			                     sizeof( bv_sphere ) );
			assert_memory_equal( &first.primitive[kind].capsule, &second.primitive[kind].capsule,
			                     sizeof( bv_capsule ) );
			assert_memory_equal( &first.primitive[kind].cylinder, &second.primitive[kind].cylinder,
			                     sizeof( bv_cylinder ) );
			assert_memory_equal( &first.primitive[kind].from_surface, &second.primitive[kind].from_surface,
			                     3 * sizeof( bv_interval ) );
		}
	}
}

static void tolerances_must_be_above_0( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const double wrong[] = { 0, -1, NAN, INFINITY };
	for ( int i = 0; i < 4; ++i )
	{
		recognized r = recognize( f, &mesh, wrong[i] );
		assert_int_equal( r.status, bv_error_argument );
		assert_int_equal( r.best, bv_primitive_kinds );
	}
}

// A tolerance that no arithmetic can meet ends all the same.
static void tiny_tolerances_are_possible( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = cylinder_mesh( f, 1, 1, 8, 1 );
	placement place = random_placement( f );
	put_mesh( &mesh, &place );
	recognized r = recognize_well( f, &mesh, 1e-300 );
	assert_int_equal( r.best, bv_primitive_kinds );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_of_primitives_contain_samples ),
		fixture_test( intervals_of_other_meshes_contain_samples ),
		fixture_test( intervals_of_closed_meshes_contain_samples_without_a_search ),
		fixture_test( doubled_and_open_meshes_are_searched ),
		fixture_test( intervals_of_soups_contain_samples ),
		fixture_test( sheets_inside_are_measured_between_their_corners ),
		fixture_test( flat_meshes_are_boxes_or_discs ),
		fixture_test( needles_are_thin_primitives ),
		fixture_test( one_triangle_is_measured ),
		fixture_test( huge_tiny_and_remote_meshes_are_measured ),
		fixture_test( primitives_are_what_a_file_stores ),
		fixture_test( results_are_the_same_every_time ),
		fixture_test( tolerances_must_be_above_0 ),
		fixture_test( tiny_tolerances_are_possible ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
