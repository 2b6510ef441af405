// The mesh of record: welding, cleaning, snapping, limits. Expected values are counted by hand.

#include "support.h"

static bvb_record make_record( fixture* f, const bvb_mesh* source, const bvb_record_options* options )
{
	bvb_record record;
	bvb_error error = { "" };
	bvb_record_options defaults = bvb_record_options_default();
	if ( bvb_mesh_record( source, options ? options : &defaults, f->arena, &record, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return record;
}

static bv_status record_status( fixture* f, const bvb_mesh* source, const bvb_record_options* options,
                                bvb_error* error )
{
	bvb_record record;
	bvb_record_options defaults = bvb_record_options_default();
	return bvb_mesh_record( source, options ? options : &defaults, f->arena, &record, error );
}

static void vertices_are_welded_and_numbered_by_first_use( void** state )
{
	fixture* f = *state;
	// The second triangle repeats two positions under other indices, once with a negative zero; vertex 6 is
	// unused.
	const bv_vec3 p[] = { { 9, 9, 9 },       { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 },
		                  { -0.0, 1, -0.0 }, { 1, 0, 0 }, { 5, 5, 5 }, { 1, 1, 0 } };
	const uint32_t t[][3] = { { 3, 1, 2 }, { 4, 5, 7 } };
	bvb_mesh source = mesh_of( f, p, 8, t, 2 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_int_equal( r.mesh.triangle_count, 2 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 2, 1, 3 } };
	assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
	assert_true( r.mesh.positions[0].x == 0 && r.mesh.positions[3].y == 1 );
	for ( uint32_t i = 0; i < 4; ++i )
	{
		assert_false( signbit( r.mesh.positions[i].x ) || signbit( r.mesh.positions[i].z ) );
	}
	assert_true( r.largest_displacement == 0 );
}

static void degenerate_and_duplicate_triangles_are_dropped_and_twins_kept( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 3, 0, 0 }, { 0, 0, 0 } };
	const uint32_t t[][3] = {
		{ 0, 1, 2 }, { 1, 2, 0 }, // the same, rotated: a duplicate
		{ 2, 1, 0 },              // other winding: a twin
		{ 0, 1, 3 },              // three points of a line
		{ 0, 4, 1 },              // two corners at one place
		{ 1, 1, 2 },              // a corner twice
		{ 0, 1, 2 },              // a duplicate
	};
	bvb_mesh source = mesh_of( f, p, 5, t, 7 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.removed_degenerate, 3 );
	assert_int_equal( r.removed_duplicate, 2 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 2, 1, 0 } };
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 3 );
	assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
}

// 0.1 + 0.2 and 0.3 differ in binary64 and are one binary32 number: the sliver between them vanishes in
// snapping.
static void what_snapping_flattens_or_merges_is_cleaned_again( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0.1 + 0.2, 0, 0 }, { 0.3, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 0, 0, 1 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 2, 3 }, { 2, 3, 4 } };
	bvb_mesh source = mesh_of( f, p, 5, t, 4 );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.removed_degenerate, 1 );
	assert_int_equal( r.removed_duplicate, 1 );
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_true( r.largest_displacement > 0 && r.largest_displacement < 2e-8 );
	for ( uint32_t i = 0; i < r.mesh.vertex_count; ++i )
	{
		assert_true( r.mesh.positions[i].x == (double)(float)r.mesh.positions[i].x );
	}
}

// Collinear with coordinates that no rounded product reveals: (0,0,0), (a,b,0), (3a,3b,0).
static void exactly_collinear_points_have_no_area_at_any_scale( void** state )
{
	fixture* f = *state;
	for ( int e = -90; e <= 90; e += 15 )
	{
		double a = ldexp( 5592405, e );
		double b = ldexp( 3355443, e );
		const bv_vec3 p[] = {
			{ 0, 0, 0 }, { a, b, 0 }, { 3 * a, 3 * b, 0 }, { 3 * a, 3 * b + ldexp( 1, e ), 0 }
		};
		const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 1, 3 } };
		bvb_mesh source = mesh_of( f, p, 4, t, 2 );
		bvb_record r = make_record( f, &source, NULL );
		assert_int_equal( r.removed_degenerate, 1 );
		assert_int_equal( r.mesh.triangle_count, 1 );
	}
}

static void quantized_positions_lie_on_a_fine_exact_grid( void** state )
{
	fixture* f = *state;
	bvb_record_options options = bvb_record_options_default();
	options.positions = bvb_positions_quantized;
	for ( int round = 0; round < 200; ++round )
	{
		double size = pow( 10, 8 * random_unit( f ) - 4 );
		double shift = pow( 10, 6 * random_unit( f ) - 2 );
		bvb_mesh source = soup_create( f, 20 );
		for ( int i = 0; i < 60; ++i )
		{
			bv_vec3 p = random_point( f );
			source.positions[i] = ( bv_vec3 ){ size * p.x + shift, size * p.y - shift, size * p.z };
		}
		bvb_record r = make_record( f, &source, &options );
		int exponent;
		assert_true( frexp( r.grid.step, &exponent ) == 0.5 );
		assert_true( fmod( r.grid.origin.x, r.grid.step ) == 0 );
		// Twice the extent over 2^21 is the coarsest a power of two can be; half a step in each direction is
		// the error.
		assert_true( r.grid.step <= 2 * size / ( ( 1 << 21 ) - 1 ) || r.grid.step <= shift * 0x1p-48 );
		assert_true( r.largest_displacement <= r.grid.step * 0.8661 );
		for ( uint32_t i = 0; i < r.mesh.vertex_count; ++i )
		{
			double k = ( r.mesh.positions[i].y - r.grid.origin.y ) / r.grid.step;
			assert_true( k == floor( k ) && k >= 0 && k < 1 << 21 );
		}
	}
}

static void normalize_centers_and_scales_after_scale( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 2, 4, 6 );
	bvb_record_options options = bvb_record_options_default();
	options.scale = 0.5;
	bvb_record r = make_record( f, &box, &options );
	assert_true( r.mesh.positions[2].y <= 2 );
	options.normalize = true;
	r = make_record( f, &box, &options );
	double radius = sqrt( 1 + 4 + 9 );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		bv_vec3 p = r.mesh.positions[i];
		assert_true( fabs( fabs( p.x ) - 1 / radius ) < 1e-7 && fabs( fabs( p.y ) - 2 / radius ) < 1e-7 );
		assert_true( fabs( sqrt( p.x * p.x + p.y * p.y + p.z * p.z ) - 1 ) < 1e-7 );
	}
}

// Units as they are defined; a power of two of them, divided by it again, is exact in binary32 where the factor is.
static void units_become_meters( void** state )
{
	fixture* f = *state;
	const double meters[] = { 0.001, 0.01, 1, 0.0254, 0.3048 };
	const char* const names[] = { "mm", "cm", "m", "in", "ft" };
	bvb_record_options options = bvb_record_options_default();
	for ( uint32_t i = 0; i < 5; ++i )
	{
		const bv_vec3 p[] = { { 0, 0, 0 }, { 1000, 0, 0 }, { 0, 10000, 0 } };
		const uint32_t t[][3] = { { 0, 1, 2 } };
		bvb_mesh source = mesh_of( f, p, 3, t, 1 );
		assert_string_equal( bvb_units_name( i ), names[i] );
		options.units = (bvb_units)( i + 1 );
		options.scale = 1;
		bvb_record r = make_record( f, &source, &options );
		assert_true( r.mesh.positions[1].x == (float)( 1000 * meters[i] ) );
		assert_true( r.mesh.positions[2].y == (float)( 10000 * meters[i] ) );
		options.scale = 4;
		r = make_record( f, &source, &options );
		assert_true( r.mesh.positions[2].y == (float)( 40000 * meters[i] ) );
	}
	assert_null( bvb_units_name( 5 ) );
}

// A right-handed corner stays one: e1 x e2 = e3 of what x, y and z become, and each is as long as it was.
static void turning_is_a_rotation( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 4 } };
	const uint32_t t[][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
	const double up[][3] = { { 0, 2, 0 }, { 0, 4, 0 }, { 0, 0, 2 } }; // what was up
	const double other[][3] = { { 0, 0, 4 }, { 0, 0, -2 }, { 0, -4, 0 } };
	bvb_mesh source = mesh_of( f, p, 4, t, 4 );
	bvb_record_options options = bvb_record_options_default();
	for ( uint32_t i = 0; i < 3; ++i )
	{
		options.up = (bvb_up)i;
		bvb_record r = make_record( f, &source, &options );
		bv_mass mass;
		assert_true( bvb_mass_of_solid( &r.mesh, &mass ) );
		assert_true( fabs( mass.mass - 8.0 / 6 ) < 1e-12 );
		int found = 0;
		for ( uint32_t k = 0; k < 4; ++k )
		{
			bv_vec3 v = r.mesh.positions[k];
			found += v.x == up[i][0] && v.y == up[i][1] && v.z == up[i][2];
			found += v.x == other[i][0] && v.y == other[i][1] && v.z == other[i][2];
			assert_false( ( v.y == 0 && signbit( v.y ) ) || ( v.z == 0 && signbit( v.z ) ) );
		}
		assert_int_equal( found, 2 );
	}
	assert_string_equal( bvb_up_name( bvb_up_y_to_z ), "y-to-z" );
	assert_null( bvb_up_name( 3 ) );
}

// The welding distance is in meters then: two vertices 2 inches apart are 5.08 cm apart.
static void units_come_before_welding( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 100, 0, 0 }, { 0, 100, 0 }, { 2, 0, 0 }, { 100, 100, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 3, 4, 2 } };
	bvb_mesh source = mesh_of( f, p, 5, t, 2 );
	bvb_record_options options = { .up = bvb_up_z, .units = bvb_units_inch, .scale = 1, .weld = 0.0509 };
	assert_int_equal( make_record( f, &source, &options ).mesh.vertex_count, 4 );
	options.weld = 0.0507;
	assert_int_equal( make_record( f, &source, &options ).mesh.vertex_count, 5 );
	bvb_error error;
	options.scale = 0x1p-1074;
	assert_int_equal( record_status( f, &source, &options, &error ), bv_error_argument );
}

static void only_referenced_coordinates_must_be_finite( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { NAN, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { INFINITY, NAN, 0 } };
	const uint32_t good[][3] = { { 1, 2, 3 } };
	const uint32_t bad[][3] = { { 1, 2, 3 }, { 1, 2, 4 }, { 4, 2, 3 } };
	bvb_error error;
	bvb_mesh source = mesh_of( f, p, 5, good, 1 );
	make_record( f, &source, NULL );
	source = mesh_of( f, p, 5, bad, 3 );
	assert_int_equal( record_status( f, &source, NULL, &error ), bv_error_input );
	assert_string_equal( error.message, "2 coordinates are not finite (first: vertex 5)" );
}

static void triangles_that_are_not_finite_can_be_dropped( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { NAN, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },    { INFINITY, NAN, 0 },
		                  { 1, 1, 0 },   { 9, 9, 9 }, { 8, 8, 8 }, { 1e300, 0, 0 } };
	const uint32_t t[][3] = { { 1, 2, 4 }, { 1, 2, 3 }, { 0, 6, 8 }, { 4, 4, 0 }, { 2, 5, 3 } };
	bvb_mesh source = mesh_of( f, p, 9, t, 5 );
	bvb_record_options options = bvb_record_options_default();
	options.drop_non_finite = true;
	bvb_record r = make_record( f, &source, &options );
	assert_int_equal( r.removed_non_finite, 3 );
	assert_int_equal( r.removed_degenerate + r.removed_duplicate, 0 );
	// Vertex 7 alone is in no triangle, and none has become one with another.
	assert_int_equal( r.unused_vertices, 1 );
	assert_int_equal( r.merged_vertices, 0 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
	const uint32_t origin[] = { 1, 4 };
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
	assert_memory_equal( r.mesh.origin, origin, sizeof origin );

	bvb_error error;
	source.triangles[0].corner[2] = 8;
	assert_int_equal( record_status( f, &source, &options, &error ), bv_error_limit );
	source = mesh_of( f, p, 9, t, 1 );
	assert_int_equal( record_status( f, &source, &options, &error ), bv_error_input );
	assert_string_equal( error.message, "no triangle has finite coordinates" );
	source.triangles[0].corner[0] = 9;
	assert_int_equal( record_status( f, &source, &options, &error ), bv_error_input );
	assert_string_equal( error.message, "triangle 0 refers to vertex 9 of 9" );
}

static void vertices_and_triangles_are_accounted_for( void** state )
{
	fixture* f = *state;
	// 0, 4 and 6 are one place, 1 and 5 are one within 0.1, 7 and 8 are in no triangle, 3 is only in a triangle
	// that is flat.
	const bv_vec3 p[] = { { 0, 0, 0 },   { 1, 0, 0 },    { 0, 1, 0 }, { 2, 0, 0 },  { 0, 0, 0 },
		                  { 1, 0, 0.1 }, { -0.0, 0, 0 }, { 7, 7, 7 }, { NAN, 0, 0 } };
	const uint32_t t[][3] = { { 0, 1, 3 }, { 0, 1, 2 }, { 2, 4, 5 }, { 1, 5, 2 }, { 1, 6, 2 }, { 5, 2, 6 } };
	bvb_mesh source = mesh_of( f, p, 9, t, 6 );
	bvb_record r = make_record( f, &source, NULL );
	const uint32_t origin[] = { 1, 2, 3, 4 };
	assert_int_equal( r.unused_vertices, 2 );
	assert_int_equal( r.merged_vertices, 2 );
	assert_int_equal( r.removed_degenerate, 1 );
	assert_int_equal( r.removed_duplicate, 1 );
	assert_int_equal( r.mesh.triangle_count, 4 );
	assert_int_equal( r.mesh.vertex_count, 4 );
	assert_memory_equal( r.mesh.origin, origin, sizeof origin );

	bvb_record_options options = bvb_record_options_default();
	options.weld = 0.1;
	r = make_record( f, &source, &options );
	const uint32_t left[] = { 1, 4 };
	assert_int_equal( r.unused_vertices, 2 );
	assert_int_equal( r.merged_vertices, 3 );
	assert_int_equal( r.removed_degenerate, 2 );
	assert_int_equal( r.removed_duplicate, 2 );
	assert_int_equal( r.mesh.triangle_count, 2 );
	assert_int_equal( r.mesh.vertex_count, 3 );
	assert_memory_equal( r.mesh.origin, left, sizeof left );
	assert_true( r.largest_displacement >= 0.1 && r.largest_displacement < 0.1 + 1e-15 );
}

// A hub with more triangles than are compared with each other one by one, each three times, twice in another
// rotation; then all once more with the other winding.
static void of_repeated_triangles_the_first_stays( void** state )
{
	fixture* f = *state;
	enum
	{
		rim = 100,
	};
	bv_vec3 p[rim + 1] = { { 0, 0, 0 } };
	for ( int i = 0; i < rim; ++i )
	{
		p[1 + i] = ( bv_vec3 ){ i, i * i, 1 };
	}
	uint32_t t[4 * ( rim - 1 )][3];
	for ( uint32_t i = 0; i < rim - 1; ++i )
	{
		const uint32_t corner[3] = { 0, 1 + i, 2 + i };
		for ( uint32_t k = 0; k < 3; ++k )
		{
			t[i][k] = corner[k];
			t[2 * ( rim - 1 ) - 1 - i][k] = corner[( k + 1 ) % 3];
			t[2 * ( rim - 1 ) + i][k] = corner[( k + 2 ) % 3];
			t[3 * ( rim - 1 ) + i][k] = corner[2 - k];
		}
	}
	bvb_mesh source = mesh_of( f, p, rim + 1, (const uint32_t( * )[3])t, 4 * ( rim - 1 ) );
	bvb_record r = make_record( f, &source, NULL );
	assert_int_equal( r.removed_duplicate, 2 * ( rim - 1 ) );
	assert_int_equal( r.mesh.triangle_count, 2 * ( rim - 1 ) );
	for ( uint32_t i = 0; i < rim - 1; ++i )
	{
		assert_int_equal( r.mesh.origin[i], i );
		assert_int_equal( r.mesh.origin[rim - 1 + i], 3 * ( rim - 1 ) + i );
	}
}

// The first triangle's vertices come first and go with it; what is left is numbered anew, with floats, which
// snapping does not move, and with numbers that it flattens.
static void dropped_triangles_leave_no_vertices( void** state )
{
	fixture* f = *state;
	const bv_vec3 exact[] = { { 5, 0, 0 }, { 6, 0, 0 }, { 7, 0, 0 }, { 0, 0, 0 }, { 0, 1, 0 } };
	const bv_vec3 rounded[] = { { 5, 0, 0 }, { 6, 0x1p-40, 1 }, { 7, 0, 2 }, { 0, 0, 0 }, { 0, 1, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 3, 2, 4 } };
	const uint32_t expected[3] = { 0, 1, 2 };
	for ( int round = 0; round < 2; ++round )
	{
		bvb_mesh source = mesh_of( f, round ? rounded : exact, 5, t, 2 );
		if ( round )
		{
			source.positions[0].x += 1;
			source.positions[1].x += 1 + 0x1p-30;
			source.positions[1].y = 0;
			source.positions[2].x += 1;
		}
		bvb_record r = make_record( f, &source, NULL );
		assert_int_equal( r.removed_degenerate, 1 );
		assert_int_equal( r.mesh.triangle_count, 1 );
		assert_int_equal( r.mesh.vertex_count, 3 );
		assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
		assert_true( r.mesh.positions[1].z == source.positions[2].z );
		assert_int_equal( r.mesh.origin[0], 1 );
	}
}

// A distance of 1 after halving is 2 before it; normalizing comes later and does not change what is welded.
static void the_welding_distance_is_measured_after_scaling( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 20, 0, 0 }, { 0, 20, 0 }, { 22, 0, 0 }, { 0, 22.5, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 3, 4 } };
	bvb_record_options options = bvb_record_options_default();
	options.scale = 0.5;
	options.weld = 1;
	for ( int round = 0; round < 2; ++round )
	{
		bvb_mesh source = mesh_of( f, p, 5, t, 2 );
		options.normalize = round;
		bvb_record r = make_record( f, &source, &options );
		assert_int_equal( r.merged_vertices, 1 );
		assert_int_equal( r.mesh.vertex_count, 4 );
		const uint32_t expected[][3] = { { 0, 1, 2 }, { 0, 1, 3 } };
		assert_memory_equal( r.mesh.triangles, expected, sizeof expected );
	}
}

__extension__ typedef __float128 quad;

// The greatest distance of a corner from its scaled, normalized source, found through the triangles' origin. The
// meshes have their center in the origin and a half diagonal of 96.
static double measured_displacement( const bvb_mesh* source, const bvb_record_options* options,
                                     const bvb_record* r )
{
	double radius = options->normalize ? 96 : 1;
	quad largest = 0;
	for ( uint32_t i = 0; i < 3 * r->mesh.triangle_count; ++i )
	{
		bv_vec3 p = source->positions[source->triangles[r->mesh.origin[i / 3]].corner[i % 3]];
		bv_vec3 q = r->mesh.positions[r->mesh.triangles[i / 3].corner[i % 3]];
		quad x = (quad)q.x - options->scale * p.x / radius;
		quad y = (quad)q.y - options->scale * p.y / radius;
		quad z = (quad)q.z - options->scale * p.z / radius;
		quad d = x * x + y * y + z * z;
		largest = d > largest ? d : largest;
	}
	// Rounded down, so that a bound is never taken for too small.
	return sqrt( (double)largest ) * ( 1 - 0x1p-50 );
}

// Where no triangle is lost all vertices count, and the bound is hardly more than the greatest distance. Six vertices
// span the box: (128, 128, 64) is 192 long. They are too far from the others to be welded.
static void no_vertex_is_farther_from_its_source_than_is_said( void** state )
{
	fixture* f = *state;
	int whole = 0;
	for ( int round = 0; round < 120; ++round )
	{
		bvb_mesh source = soup_create( f, 60 );
		for ( int i = 0; i < 180; ++i )
		{
			bv_vec3 p = random_point( f );
			source.positions[i] = ( bv_vec3 ){ 400 * p.x - 200, 400 * p.y - 200, 200 * p.z - 100 };
		}
		for ( int i = 0; i < 6; ++i )
		{
			source.positions[3 * i] =
				( bv_vec3 ){ i % 2 ? 256 : -256, i / 2 % 2 ? 256 : -256, i % 3 ? 128 : -128 };
		}
		bvb_record_options options = bvb_record_options_default();
		options.scale = 0.25;
		options.weld = round % 3 * 3.0;
		options.normalize = round / 3 % 2;
		options.positions = round / 6 % 2 ? bvb_positions_quantized : bvb_positions_float;
		bvb_record r = make_record( f, &source, &options );
		double measured = measured_displacement( &source, &options, &r );
		assert_true( r.largest_displacement >= measured );
		assert_true( options.weld == 0 || r.merged_vertices > 0 );
		if ( r.removed_degenerate == 0 )
		{
			assert_true( r.largest_displacement <= measured * ( 1 + 0x1p-40 ) );
			whole += options.weld > 0;
		}
	}
	assert_true( whole > 20 );
}

static void impossible_meshes_are_refused_with_the_reason( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 0, 1e37, 0 }, { 0, 1, 0 } };
	const uint32_t out_of_range[][3] = { { 0, 1, 5 } };
	const uint32_t flat[][3] = { { 0, 1, 2 } };
	const uint32_t huge[][3] = { { 0, 1, 3 } };
	const uint32_t small[][3] = { { 0, 1, 4 } };
	bvb_error error;
	bvb_mesh mesh = mesh_of( f, p, 5, out_of_range, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "vertex 5 of 5" ) );
	mesh = mesh_of( f, p, 5, flat, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "no triangle has an area" ) );
	mesh = mesh_of( f, p, 5, huge, 1 );
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_limit );
	mesh = mesh_of( f, p, 5, small, 1 );
	mesh.triangle_count = 0;
	assert_int_equal( record_status( f, &mesh, NULL, &error ), bv_error_input );
	mesh.triangle_count = 1;
	bvb_record_options options = bvb_record_options_default();
	options.scale = 1e-40;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_limit );
	options.positions = bvb_positions_quantized;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_limit );
	options.scale = NAN;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_argument );
	options.scale = 0;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_argument );
}

static void impossible_welding_is_refused_with_the_reason( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_record_options options = bvb_record_options_default();
	bvb_error error;
	const double no_distance[] = { -1, NAN, INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		options.weld = no_distance[i];
		assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_argument );
	}
	options.weld = 1e-16;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_limit );
	options.weld = 5;
	assert_int_equal( record_status( f, &mesh, &options, &error ), bv_error_input );
	assert_string_equal( error.message, "no triangle has an area (after --weld 5)" );
}

// Every limit of memory ends in a record or in bv_error_memory.
static void running_out_of_memory_is_an_error_like_any_other( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvb_record_options options = bvb_record_options_default();
	for ( int round = 0; round < 2; ++round )
	{
		options.weld = 0.02 * round;
		options.normalize = round;
		int failures = 0;
		bool done = false;
		for ( size_t limit = 0; !done; limit += 2000 )
		{
			bvb_arena* arena = bvb_arena_create_limited( limit );
			bvb_record record;
			bvb_error error = { "" };
			bv_status status = bvb_mesh_record( &mesh, &options, arena, &record, &error );
			done = status == bv_ok;
			assert_true( done || status == bv_error_memory );
			assert_string_equal( error.message, done ? "" : "out of memory" );
			failures += !done;
			bvb_arena_destroy( arena );
		}
		assert_true( failures > 20 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( vertices_are_welded_and_numbered_by_first_use ),
		fixture_test( degenerate_and_duplicate_triangles_are_dropped_and_twins_kept ),
		fixture_test( what_snapping_flattens_or_merges_is_cleaned_again ),
		fixture_test( exactly_collinear_points_have_no_area_at_any_scale ),
		fixture_test( quantized_positions_lie_on_a_fine_exact_grid ),
		fixture_test( normalize_centers_and_scales_after_scale ),
		fixture_test( units_become_meters ),
		fixture_test( turning_is_a_rotation ),
		fixture_test( units_come_before_welding ),
		fixture_test( only_referenced_coordinates_must_be_finite ),
		fixture_test( triangles_that_are_not_finite_can_be_dropped ),
		fixture_test( vertices_and_triangles_are_accounted_for ),
		fixture_test( of_repeated_triangles_the_first_stays ),
		fixture_test( dropped_triangles_leave_no_vertices ),
		fixture_test( the_welding_distance_is_measured_after_scaling ),
		fixture_test( no_vertex_is_farther_from_its_source_than_is_said ),
		fixture_test( impossible_meshes_are_refused_with_the_reason ),
		fixture_test( impossible_welding_is_refused_with_the_reason ),
		fixture_test( running_out_of_memory_is_an_error_like_any_other ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
