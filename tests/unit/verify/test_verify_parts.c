// Verification of convex parts finds every false statement about them in a file.

#include "bvh_damage.h"
#include "decomposed.h"
#include "parts.h"

#include <stdio.h>

static bv_status verify_row( fixture* f, const bvb_decomposition* d, bvb_error* error )
{
	bvb_mesh mesh = row_mesh( f );
	return verify_status( f, bytes_with( f, &mesh, d, all_of_parts ), error );
}

// How far the first part stands off is known: it is a box that ends 1/4 before its mesh begins.
static void concavity_is_measured_again( void** state )
{
	fixture* f = *state;
	static const struct
	{
		bv_interval stored;
		bool right;
	} cases[] = {
		{ { 0.25, 0.25 }, true }, { { 0, 0.25 }, true },     { { 0.2, 0.3 }, true },
		{ { 0, 0.24 }, false },   { { 0.26, 0.27 }, false }, { { 0.1, 0.2 }, false },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_error error;
		bvb_decomposition d = row_decomposition( f );
		d.parts[0].concavity = cases[i].stored;
		d.concavity = cases[i].stored;
		assert_int_equal( verify_row( f, &d, &error ), cases[i].right ? bv_ok : bv_error_damaged );
		assert_true( cases[i].right ||
		             strcmp( error.message, "the stored distance of part 0 from the shape is wrong" ) == 0 );
	}
}

// A box that is larger by 1/8 on all sides than the unit cube.
static bvb_part part_around_cube( fixture* f )
{
	bvb_mesh larger = box_mesh( f, 1.25, 1.25, 1.25 );
	for ( uint32_t k = 0; k < larger.vertex_count; ++k )
	{
		larger.positions[k] = plus( larger.positions[k], -0.125, ( bv_vec3 ){ 1, 1, 1 } );
	}
	return part_of_mesh( larger );
}

// Its corners are the farthest.
static double distance_around_cube( void )
{
	return sqrt( 3 ) / 8;
}

// Of a convex mesh it is known to rounding.
static void concavity_of_a_convex_mesh_is_verified_to_rounding( void** state )
{
	fixture* f = *state;
	static const struct
	{
		double lower; // of the true value
		double upper;
		bool right;
	} cases[] = {
		{ 1, 1, true },           { 0.5, 2, true },       { 1, 1 + 1e-9, true },  { 1 - 1e-9, 1, true },
		{ 0.5, 1 - 1e-9, false }, { 1 + 1e-9, 2, false }, { 0.99, 0.999, false },
	};
	const double distance = distance_around_cube();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_error error;
		bvb_part part = part_around_cube( f );
		part.concavity = ( bv_interval ){ ( cases[i].lower - 0x1p-40 ) * distance,
			                              ( cases[i].upper + 0x1p-40 ) * distance };
		bvb_decomposition d = decomposition_of( f, &part, 1 );
		bvb_bytes bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
		assert_int_equal( verify_status( f, bytes, &error ), cases[i].right ? bv_ok : bv_error_damaged );
		assert_true( cases[i].right ||
		             strcmp( error.message, "the stored distance of part 0 from the shape is wrong" ) == 0 );
	}
}

// Triangles that are apart by a little are joined by caps, which widen what is found by a quarter of the tolerance at most.
static void concavity_of_a_cracked_mesh_is_verified( void** state )
{
	fixture* f = *state;
	static const struct
	{
		double lower; // of the true value
		double upper;
		bool right;
	} cases[] = { { 0.999, 1.001, true }, { 0.5, 2, true }, { 0.5, 0.96, false }, { 1.04, 2, false } };
	const double distance = distance_around_cube();
	bvb_mesh whole = box_mesh( f, 1, 1, 1 );
	bvb_mesh mesh = mesh_create( f, 36, 12 );
	for ( uint32_t i = 0; i < 36; ++i )
	{
		double away = 1e-6 * ( i / 3 % 5 );
		mesh.positions[i] =
			plus( whole.positions[whole.triangles[i / 3].corner[i % 3]], away, ( bv_vec3 ){ 1, 2, 3 } );
		mesh.triangles[i / 3].corner[i % 3] = i;
	}
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_error error;
		bvb_part part = part_around_cube( f );
		part.concavity = ( bv_interval ){ cases[i].lower * distance, cases[i].upper * distance };
		bvb_decomposition d = decomposition_of( f, &part, 1 );
		d.tolerance = 0.01;
		bvb_bytes bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
		assert_int_equal( verify_status( f, bytes, &error ), cases[i].right ? bv_ok : bv_error_damaged );
	}
}

// A file of one part, said to stand off a mesh by so much.
static bv_status verify_single( fixture* f, const bvb_mesh* mesh, bvb_mesh hull, bv_interval stored )
{
	bvb_error error;
	bvb_part part = part_of_mesh( hull );
	part.concavity = stored;
	bvb_decomposition d = decomposition_of( f, &part, 1 );
	d.tolerance = 1e3;
	d.uncovered = 0x1p-10;
	return verify_status( f, bytes_with( f, mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts ),
	                      &error );
}

// The middle of one side of a cube is pressed in, by so little that the cube passes for convex. The cube that it was stands off by
// the distance of that middle from the pyramid's faces, although its corners do not.
static void dents_of_next_to_convex_meshes_are_allowed_for( void** state )
{
	fixture* f = *state;
	static const double dent = 0x1p-19;
	const double distance = dent / sqrt( 1 + 4 * dent * dent );
	static const struct
	{
		double lower; // of the true value
		double upper;
		bool right;
	} cases[] = { { 0.999, 1.001, true }, { 0.999, 2, true }, { 4, 5, false } };
	static const uint32_t faces[14][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 8 }, { 5, 7, 8 }, { 7, 6, 8 },
		                                   { 6, 4, 8 }, { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
		                                   { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	bv_vec3 positions[9];
	memcpy( positions, box_mesh( f, 1, 1, 1 ).positions, 8 * sizeof *positions );
	positions[8] = ( bv_vec3 ){ 0.5, 0.5, 1 - dent };
	bvb_mesh mesh = mesh_of( f, positions, 9, faces, 14 );
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bv_interval stored = { cases[i].lower * distance, cases[i].upper * distance };
		assert_int_equal( verify_single( f, &mesh, box_mesh( f, 1, 1, 1 ), stored ),
		                  cases[i].right ? bv_ok : bv_error_damaged );
	}
}

// How far points of a box about the origin are from what is inside of an open mesh, at most: the largest distance of samples, and that
// to the next sample.
static double bound_distance_inside( fixture* f, const bvb_mesh* mesh, bv_vec3 half )
{
	static const double step = 0.125;
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	bv_vec3* points = bvb_arena_allocate( f->arena, 1 << 13, sizeof *points );
	uint32_t outside = 0;
	uint32_t inside = 1 << 13;
	for ( double x = -half.x; x <= half.x; x += step )
	{
		for ( double y = -half.y; y <= half.y; y += step )
		{
			for ( double z = -half.z; z <= half.z; z += step )
			{
				assert_true( outside < inside );
				bv_vec3 p = { x, y, z };
				points[nearest_winding( &faces, p ) >= 0.5 ? --inside : outside++] = p;
			}
		}
	}
	double largest = 0;
	for ( uint32_t i = 0; i < outside; ++i )
	{
		double least = nearest_distance( &faces, points[i], NULL );
		for ( uint32_t k = inside; k < 1 << 13; ++k )
		{
			least = fmin( least, length( plus( points[i], -1, points[k] ) ) );
		}
		largest = fmax( largest, least );
	}
	nearest_free( &faces );
	return largest + 0.5 * sqrt( 3 ) * step;
}

// Each triangle with corners of its own, which are off by a little.
static bvb_mesh cracked( fixture* f, const bvb_mesh* whole, double width )
{
	bvb_mesh mesh = soup_create( f, whole->triangle_count );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		double away = width * ( i / 3 % 5 );
		mesh.positions[i] =
			plus( whole->positions[whole->triangles[i / 3].corner[i % 3]], away, ( bv_vec3 ){ 1, 2, 3 } );
	}
	return mesh;
}

// Between two boxes the middle of the gap is farthest, 1/4 from both. Closing cracks widens what is found by 1/8 of 1/50 of the size,
// below 0.05, so that lower ends above 0.3 are wrong, also next to it.
static void lower_ends_beyond_what_closing_adds_are_found( void** state )
{
	fixture* f = *state;
	bvb_mesh left = moved_box( f, ( bv_vec3 ){ -8, 0, 0 }, ( bv_vec3 ){ 0, 8, 8 } );
	bvb_mesh right = moved_box( f, ( bv_vec3 ){ 0.5, 0, 0 }, ( bv_vec3 ){ 8.5, 8, 8 } );
	bvb_mesh both = joined( f, &left, &right );
	bvb_mesh mesh = cracked( f, &both, 1e-6 );
	bvb_mesh hull = moved_box( f, ( bv_vec3 ){ -8, 0, 0 }, ( bv_vec3 ){ 8.5, 8, 8 } );
	static const struct
	{
		double lower;
		bool right;
	} cases[] = { { 0.1, true },  { 0.249, true }, { 0.32, false }, { 0.35, false },
		          { 0.4, false }, { 0.45, false }, { 0.5, false },  { 0.6, false } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		assert_int_equal( verify_single( f, &mesh, hull, ( bv_interval ){ cases[i].lower, 1 } ),
		                  cases[i].right ? bv_ok : bv_error_damaged );
	}
}

// Around the middle of a hole through a plate nothing is inside. Caps make the plate convex, and a part that is its box stands off
// by nothing: the open plate is farther away than the closed one.
static void parts_may_be_farther_than_the_closed_mesh_says( void** state )
{
	fixture* f = *state;
	static const double size = 500;
	static const struct
	{
		bv_interval stored;
		bool right;
	} cases[] = { { { 0.75, 1.6 }, true }, { { 0, 1.6 }, true }, { { 4, 5 }, false } };
	bvb_mesh mesh = plate_with_hole( f, size, 3, 1 );
	nearest_faces faces;
	assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &faces ) );
	for ( int i = 0; i < 2000; ++i )
	{
		bv_vec3 p = random_point( f );
		p = ( bv_vec3 ){ 1.5 * p.x - 0.75, 1.5 * p.y - 0.75, 1.5 * p.z - 0.75 };
		assert_true( length( p ) > 0.75 || nearest_winding( &faces, p ) < 0.5 );
	}
	assert_true( nearest_distance( &faces, ( bv_vec3 ){ 0, 0, 0 }, NULL ) < 1.6 );
	nearest_free( &faces );
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_mesh hull = moved_box( f, ( bv_vec3 ){ -0.5 * size, -0.5 * size, -0.5 },
		                           ( bv_vec3 ){ 0.5 * size, 0.5 * size, 0.5 } );
		assert_int_equal( verify_single( f, &mesh, hull, cases[i].stored ),
		                  cases[i].right ? bv_ok : bv_error_damaged );
	}
}

// A block is nearly full if its slot has neither floor nor ceiling. Caps make the slot a room, whose middle is 1/2 from both of them: the
// closed block is farther away than the open one.
static void parts_may_be_nearer_than_the_closed_mesh_says( void** state )
{
	fixture* f = *state;
	static const double size = 400;
	bvb_mesh mesh = block_with_slot( f, size, 3, 1 );
	double distance = bound_distance_inside( f, &mesh, ( bv_vec3 ){ 1.5, 1.5, 0.5 } );
	assert_true( distance < 0.4 );
	bvb_mesh hull = moved_box( f, ( bv_vec3 ){ -0.5 * size, -0.5 * size, -0.5 * size },
	                           ( bv_vec3 ){ 0.5 * size, 0.5 * size, 0.5 * size } );
	assert_int_equal( verify_single( f, &mesh, hull, ( bv_interval ){ 0, distance } ), bv_ok );
}

// The middle of a unit cube is 1/2 from its faces.
static void shells_are_measured_to_the_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	for ( int solid = 0; solid < 2; ++solid )
	{
		bvb_error error;
		bvb_part part = part_of_mesh( box_mesh( f, 1, 1, 1 ) );
		part.concavity = ( bv_interval ){ 0.5, 0.5 };
		bvb_decomposition d = decomposition_of( f, &part, 1 );
		d.solid = solid;
		bvb_bytes bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
		assert_int_equal( verify_status( f, bytes, &error ), solid ? bv_error_damaged : bv_ok );
	}
}

static void verify_finds_another_mass( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_decomposition d = row_decomposition( f );
	assert_int_equal( verify_row( f, &d, &error ), bv_ok );
	d.parts[2].mass.inertia[1][1] = nextafter( d.parts[2].mass.inertia[1][1], 0 );
	assert_int_equal( verify_row( f, &d, &error ), bv_error_damaged );
	assert_string_equal( error.message,
	                     "the stored mass properties of part 2 differ from those of its faces" );
}

static void verify_finds_a_part_that_is_not_convex( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_part ball = part_of_mesh( bumpy_ball( f, 6 ) );
	bvb_decomposition d = decomposition_of( f, &ball, 1 );
	bvb_error error;
	bvb_bytes bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_parts );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_string_equal( error.message, "part 0 is not convex" );

	// A dent of a thousandth in one face of a cube.
	static const uint32_t faces[14][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 8 }, { 5, 7, 8 }, { 7, 6, 8 },
		                                   { 6, 4, 8 }, { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
		                                   { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	bv_vec3 positions[9];
	memcpy( positions, mesh.positions, 8 * sizeof *positions );
	for ( int dented = 0; dented < 2; ++dented )
	{
		positions[8] = ( bv_vec3 ){ 0.5, 1, dented ? 2.999 : 3 };
		bvb_part part = part_of_mesh( mesh_of( f, positions, 9, faces, 14 ) );
		d = decomposition_of( f, &part, 1 );
		bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_parts );
		assert_int_equal( verify_status( f, bytes, &error ), dented ? bv_error_damaged : bv_ok );
	}
}

// Round ones, needles and plates, also far from the origin, where binary32 leaves few places to corners.
static void verify_takes_hulls_for_convex( void** state )
{
	fixture* f = *state;
	static const double sizes[][3] = {
		{ 1, 1, 1 }, { 1, 1e-3, 1e-3 }, { 1, 1, 1e-4 }, { 1e-20, 1e-20, 1e-20 }
	};
	uint32_t checked = 0;
	for ( int round = 0; round < 200; ++round )
	{
		const double* size = sizes[round % 4];
		double shift = round % 8 < 4 ? 0 : 100 * size[0];
		bv_vec3 points[100];
		uint32_t count = 4 + (uint32_t)( random_bits( f ) % 96 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = ( bv_vec3 ){ (float)( size[0] * p.x + shift ), (float)( size[1] * p.y ),
				                     (float)( size[2] * p.z - shift ) };
		}
		bvb_hull hull;
		bvb_error error;
		assert_int_equal( bvb_hull_compute( points, count, f->arena, &hull, &error ), bv_ok );
		if ( hull.kind != bv_hull_polyhedron )
		{
			continue;
		}
		bvb_mesh mesh = { .positions =
			                  bvb_arena_allocate( f->arena, hull.vertex_count, sizeof *mesh.positions ),
			              .triangles = hull.faces,
			              .vertex_count = hull.vertex_count,
			              .triangle_count = hull.face_count };
		for ( uint32_t i = 0; i < hull.vertex_count; ++i )
		{
			mesh.positions[i] = points[hull.vertices[i]];
		}
		bvb_mesh box = box_mesh( f, 1, 2, 3 );
		bvb_part part = part_of_mesh( mesh );
		bvb_decomposition d = decomposition_of( f, &part, 1 );
		bvb_bytes bytes = bytes_with( f, &box, &d, 1u << bvb_section_parts );
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		checked += 1;
	}
	assert_true( checked > 150 );
}

static void verify_finds_a_triangle_that_no_part_was_made_for( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_decomposition d = row_decomposition( f );
	d.parts[3].triangle_count -= 1;
	assert_int_equal( verify_row( f, &d, &error ), bv_error_damaged );
	assert_string_equal( error.message, "triangle 47 is in no part's list" );
}

// The same with another distance.
static bvb_decomposition decomposition_with( fixture* f, const bvb_decomposition* of, double uncovered )
{
	bvb_decomposition d = decomposition_of( f, of->parts, of->part_count );
	d.uncovered = uncovered;
	return d;
}

// Turned by a third round the diagonal.
static void turn_points( bv_vec3* points, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = ( bv_vec3 ){ points[i].z, points[i].x, points[i].y };
	}
}

static void swap_axes( bvb_mesh* mesh, bvb_part parts[2] )
{
	turn_points( mesh->positions, mesh->vertex_count );
	for ( int i = 0; i < 2; ++i )
	{
		turn_points( parts[i].positions, parts[i].vertex_count );
		finish_part( parts + i );
	}
}

static bvb_mesh inside_out( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh result = combined( f, mesh, &( bvb_mesh ){ .vertex_count = 0 } );
	for ( uint32_t i = 0; i < result.triangle_count; ++i )
	{
		uint32_t* c = result.triangles[i].corner;
		uint32_t last = c[2];
		c[2] = c[1];
		c[1] = last;
	}
	return result;
}

// The row's parts in other places and with other neighbors, as a file says what is not so.
static void expect_row( fixture* f, const bvb_decomposition* d, const char* message )
{
	bvb_error error = { "" };
	assert_int_equal( verify_row( f, d, &error ), message ? bv_error_damaged : bv_ok );
	assert_true( !message || strcmp( error.message, message ) == 0 );
}

static void remove_neighbor( bvb_part* part, uint32_t other )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < part->neighbor_count; ++i )
	{
		part->neighbors[kept] = part->neighbors[i];
		kept += part->neighbors[i] != other;
	}
	part->neighbor_count = kept;
}

static void verify_finds_neighbors_that_are_missing( void** state )
{
	fixture* f = *state;
	for ( uint32_t i = 0; i + 1 < row_parts; ++i )
	{
		bvb_decomposition d = row_decomposition( f );
		remove_neighbor( d.parts + i, i + 1 );
		remove_neighbor( d.parts + i + 1, i );
		char message[100];
		snprintf( message, sizeof message,
		          "parts %u and %u have a point in common but are not listed as neighbors", i, i + 1 );
		expect_row( f, &d, message );
	}
}

static void verify_finds_neighbors_that_are_apart( void** state )
{
	fixture* f = *state;
	static uint32_t to_both[] = { 1, 4 };
	static uint32_t back[] = { 0, 3 };
	bvb_decomposition d = row_decomposition( f );
	d.parts[0].neighbors = to_both;
	d.parts[0].neighbor_count = 2;
	d.parts[4].neighbors = back;
	d.parts[4].neighbor_count = 2;
	expect_row( f, &d, "parts 0 and 4 are listed as neighbors but have no point in common" );
}

static void make_neighbors( fixture* f, bvb_part* parts, bool neighbors )
{
	for ( uint32_t i = 0; i < 2; ++i )
	{
		parts[i].neighbors = bvb_arena_allocate( f->arena, 1, sizeof *parts[i].neighbors );
		parts[i].neighbors[0] = 1 - i;
		parts[i].neighbor_count = neighbors;
	}
}

// A file of no more than these two, which are neighbors or not.
static bv_status verify_pair( fixture* f, bvb_part* parts, bool neighbors )
{
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	make_neighbors( f, parts, neighbors );
	bvb_decomposition d = decomposition_of( f, parts, 2 );
	bvb_error error;
	return verify_status( f, bytes_with( f, &mesh, &d, 1u << bvb_section_parts ), &error );
}

// Boxes that share a face, an edge or a corner, or that cross, have it all within binary32 numbers; a step of these between them,
// or of less than what faces are known to, does not count as apart where they are called neighbors.
static void touching_is_having_a_common_point( void** state )
{
	fixture* f = *state;
	static const struct
	{
		bv_vec3 lower;
		bv_vec3 upper;
		bool neighbors;
		bool others;
	} cases[] = {
		{ { 1, 0, 0 }, { 2, 1, 1 }, true, false },
		{ { 1, 1, 0 }, { 2, 2, 1 }, true, false },
		{ { 1, 1, 1 }, { 2, 2, 2 }, true, false },
		{ { 0.25, 0.25, -1 }, { 0.75, 0.75, 2 }, true, false },
		{ { 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.75 }, true, false },
		{ { 1, 0.25, 0.25 }, { 2, 0.75, 0.75 }, true, false },
		{ { 1 + 0x1p-23, 0, 0 }, { 2, 1, 1 }, false, true },
		{ { 1 + 0x1p-10, 1, 1 }, { 2, 2, 2 }, false, true },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_part parts[2] = { part_of_mesh( moved_box( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } ) ),
			                  part_of_mesh( moved_box( f, cases[i].lower, cases[i].upper ) ) };
		assert_int_equal( verify_pair( f, parts, true ), cases[i].neighbors ? bv_ok : bv_error_damaged );
		assert_int_equal( verify_pair( f, parts, false ), cases[i].others ? bv_ok : bv_error_damaged );
	}
}

// Two edges that cross in one point, with no corner of one in the other: wedges over the diagonals of a square, back to back.
static void edges_that_cross_are_a_common_point( void** state )
{
	fixture* f = *state;
	for ( int apart = 0; apart < 2; ++apart )
	{
		double z = apart ? 0x1p-20 : 0;
		bv_vec3 below[] = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, 1, -1 }, { 0, -1, -1 } };
		bv_vec3 above[] = { { 0, -1, z }, { 0, 1, z }, { 1, 0, 1 + z }, { -1, 0, 1 + z } };
		bvb_part parts[2] = { part_of_mesh( hull_mesh( f, below, 4 ) ),
			                  part_of_mesh( hull_mesh( f, above, 4 ) ) };
		assert_int_equal( verify_pair( f, parts, true ), apart ? bv_error_damaged : bv_ok );
		assert_int_equal( verify_pair( f, parts, false ), apart ? bv_ok : bv_error_damaged );
	}
}

// Random polyhedra, thin and thick, somewhere near each other, against all separating axes in 113 bits.
static void verify_knows_which_random_parts_meet( void** state )
{
	fixture* f = *state;
	uint32_t meeting = 0;
	uint32_t apart = 0;
	for ( int round = 0; round < 100; ++round )
	{
		bvb_part parts[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 points[12];
			double shift = k == 1 ? 0.3 + random_unit( f ) : 0;
			double thickness = round % 3 == 0 ? 0.01 : 1;
			for ( uint32_t i = 0; i < 12; ++i )
			{
				bv_vec3 p = random_point( f );
				points[i] = ( bv_vec3 ){ (float)( p.x + shift ), (float)( p.y + 0.5 * shift ),
					                     (float)( thickness * p.z ) };
			}
			parts[k] = part_of_mesh( hull_mesh( f, points, 12 ) );
		}
		double gap = gap_of_parts( f, &parts[0], &parts[1], 4 );
		if ( fabs( gap ) > 1e-6 )
		{
			assert_int_equal( verify_pair( f, parts, true ), gap > 0 ? bv_error_damaged : bv_ok );
			assert_int_equal( verify_pair( f, parts, false ), gap > 0 ? bv_ok : bv_error_damaged );
			meeting += gap < 0;
			apart += gap > 0;
		}
	}
	print_message( "%u meet, %u are apart\n", meeting, apart );
	assert_true( meeting > 20 && apart > 20 );
}

// The top of one of the boxes is 2^-8 above its part.
static void verify_finds_what_is_farther_from_parts_than_is_said( void** state )
{
	fixture* f = *state;
	static const struct
	{
		double uncovered;
		bool right;
	} cases[] = { { 0, false },
		          { 0x1p-9, false },
		          { 0x1p-8 * ( 1 - 0x1p-20 ), false },
		          { 0x1p-8, true },
		          { 0x1p-7, true } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_decomposition d = row_decomposition( f );
		d.parts[4].positions =
			moved_box( f, ( bv_vec3 ){ 4, 0, 0 }, ( bv_vec3 ){ 5, 1, 5 - 0x1p-8 } ).positions;
		finish_part( d.parts + 4 );
		d = decomposition_with( f, &d, cases[i].uncovered );
		bvb_error error = { "" };
		assert_int_equal( verify_row( f, &d, &error ), cases[i].right ? bv_ok : bv_error_damaged );
		assert_true( cases[i].right ||
		             strncmp( error.message, "the parts do not cover all of triangle ", 39 ) == 0 );
	}
}

// A square between two plates: the middle of the gap is half as far from either as the gap is wide.
static void gaps_between_parts_are_found( void** state )
{
	fixture* f = *state;
	static const uint32_t faces[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bv_vec3 corners[] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 3, 0 }, { 0, 3, 0 } };
	bvb_mesh square = mesh_of( f, corners, 4, faces, 2 );
	for ( int turned = 0; turned < 2; ++turned )
	{
		for ( int wide = 0; wide < 2; ++wide )
		{
			bvb_part parts[2] = {
				part_of_mesh( moved_box( f, ( bv_vec3 ){ 0, 0, -1 }, ( bv_vec3 ){ 2 - 0x1p-6, 3, 1 } ) ),
				part_of_mesh( moved_box( f, ( bv_vec3 ){ 2 + 0x1p-6, 0, -1 }, ( bv_vec3 ){ 4, 3, 1 } ) ),
			};
			if ( turned )
			{
				swap_axes( &square, parts );
			}
			parts[0].concavity = parts[1].concavity = ( bv_interval ){ 1, 1 };
			bvb_decomposition d = decomposition_of( f, parts, 2 );
			d.solid = false;
			d.uncovered = wide ? 0x1p-6 * ( 1 - 0x1p-20 ) : 0x1p-6;
			bvb_bytes bytes = bytes_with( f, &square, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
			bvb_error error;
			assert_int_equal( verify_status( f, bytes, &error ), wide ? bv_error_damaged : bv_ok );
		}
	}
}

// Two triangles with a corner in common, from one box to another. A bridge between both boxes covers the gap below the first triangle,
// and nothing the gap below the second. Boxes are listed in either order.
static void parts_near_a_vertex_are_not_near_all_its_triangles( void** state )
{
	fixture* f = *state;
	const bv_vec3 corners[] = { { 0, 1.5, 0 }, { 0, 1, 0 }, { 4, 1.25, 0 }, { 0, -1.5, 0 }, { 0, -1, 0 } };
	static const uint32_t faces[][3] = { { 0, 1, 2 }, { 4, 3, 2 } };
	bvb_mesh mesh = mesh_of( f, corners, 5, faces, 2 );
	for ( uint32_t order = 0; order < 2; ++order )
	{
		for ( uint32_t count = 3; count <= 4; ++count )
		{
			const bv_vec3 left[2] = { { -1, -2, -1 }, { 1, 2, 1 } };
			const bv_vec3 right[2] = { { 3, -2, -1 }, { 5, 2, 1 } };
			bvb_part parts[4];
			parts[order] = part_of_mesh( moved_box( f, left[0], left[1] ) );
			parts[1 - order] = part_of_mesh( moved_box( f, right[0], right[1] ) );
			parts[2] = part_of_mesh( moved_box( f, ( bv_vec3 ){ 1, 1, -1 }, ( bv_vec3 ){ 3, 1.5, 1 } ) );
			parts[3] = part_of_mesh( moved_box( f, ( bv_vec3 ){ 1, -2, -1 }, ( bv_vec3 ){ 3, 0.9375, 1 } ) );
			uint32_t neighbors[4][2] = { { 2, 3 }, { 2, 3 }, { 0, 1 }, { 0, 1 } };
			for ( uint32_t i = 0; i < count; ++i )
			{
				parts[i].concavity = ( bv_interval ){ 0, 8 };
				parts[i].neighbors = neighbors[i];
				parts[i].neighbor_count = i < 2 ? count - 2 : 2;
			}
			bvb_decomposition d = decomposition_of( f, parts, count );
			d.solid = false;
			bvb_bytes bytes = bytes_with( f, &mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
			bvb_error error = { "" };
			assert_int_equal( verify_status( f, bytes, &error ), count == 4 ? bv_ok : bv_error_damaged );
			assert_true( count == 4 ||
			             strcmp( error.message, "the parts do not cover all of triangle 1" ) == 0 );
		}
	}
}

// Two corners of a triangle are in the only part, and the third is 1/64 beyond it, in each of the three places.
static void a_corner_beyond_all_parts_is_found( void** state )
{
	fixture* f = *state;
	const bv_vec3 corners[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1 + 0x1p-6, 0 } };
	for ( uint32_t place = 0; place < 3; ++place )
	{
		const uint32_t face[][3] = { { place, ( place + 1 ) % 3, ( place + 2 ) % 3 } };
		bvb_mesh triangle = mesh_of( f, corners, 3, face, 1 );
		for ( int wide = 0; wide < 2; ++wide )
		{
			bvb_part part = part_of_mesh( box_mesh( f, 1, 1, 1 ) );
			part.concavity = ( bv_interval ){ 0, 2 };
			bvb_decomposition d = decomposition_of( f, &part, 1 );
			d.solid = false;
			d.uncovered = wide ? 0x1p-7 : 0x1p-6;
			bvb_bytes bytes =
				bytes_with( f, &triangle, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
			bvb_error error;
			assert_int_equal( verify_status( f, bytes, &error ), wide ? bv_error_damaged : bv_ok );
			assert_true( !wide || strcmp( error.message, "the parts do not cover all of triangle 0" ) == 0 );
		}
	}
}

// Six walls cover the surface of a solid box but not its middle; of a box with a room in it they cover all.
static void verify_finds_what_is_left_out_inside( void** state )
{
	fixture* f = *state;
	bvb_mesh full = moved_box( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 4, 4, 4 } );
	bvb_mesh meshes[] = { full, hollow_box( f ), inside_out( f, &full ) };
	const bv_vec3 walls[6][2] = { { { 0, 0, 0 }, { 4, 4, 1 } }, { { 0, 0, 3 }, { 4, 4, 4 } },
		                          { { 0, 0, 1 }, { 4, 1, 3 } }, { { 0, 3, 1 }, { 4, 4, 3 } },
		                          { { 0, 1, 1 }, { 1, 3, 3 } }, { { 3, 1, 1 }, { 4, 3, 3 } } };
	for ( int hollow = 0; hollow < 3; ++hollow )
	{
		for ( uint32_t count = 6; count <= 7; ++count )
		{
			bvb_part parts[7];
			for ( uint32_t i = 0; i < count; ++i )
			{
				bv_vec3 lower = i < 6 ? walls[i][0] : ( bv_vec3 ){ 1, 1, 1 };
				bv_vec3 upper = i < 6 ? walls[i][1] : ( bv_vec3 ){ 3, 3, 3 };
				parts[i] = part_of_mesh( moved_box( f, lower, upper ) );
				parts[i].concavity.upper = 1;
				parts[i].neighbors = bvb_arena_allocate( f->arena, 6, sizeof *parts[i].neighbors );
			}
			for ( uint32_t i = 0; i < count; ++i )
			{
				for ( uint32_t k = 0; k < count; ++k )
				{
					if ( i != k && boxes_meet( &parts[i].box, &parts[k].box ) )
					{
						parts[i].neighbors[parts[i].neighbor_count++] = k;
					}
				}
			}
			bvb_decomposition d = decomposition_of( f, parts, count );
			bvb_bytes bytes =
				bytes_with( f, &meshes[hollow], &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
			bvb_error error = { "" };
			bool right = hollow == 1 || count == 7;
			assert_int_equal( verify_status( f, bytes, &error ), right ? bv_ok : bv_error_damaged );
			assert_true( right ||
			             strncmp( error.message, "the parts do not cover all of the interior", 42 ) == 0 );
		}
	}
}

// Shells meet in slivers and at shallow angles, which was once beyond proof.
static void verify_proves_what_is_decomposed( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	bvb_mesh ring = torus( f, 0.3, 16, 8 );
	const struct
	{
		bvb_mesh mesh;
		const char* method;
		double tolerance;
		uint32_t max_parts;
		uint32_t max_vertices;
	} cases[] = { { record_of( f, &box ), "planes", 0, 12, 12 },
		          { record_of( f, &ring ), "notch", 0.05, 64, 64 },
		          { record_of( f, &ring ), "notch", 0.08, 64, 64 } };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.method = cases[i].method;
		options.mode = bvb_decompose_surface;
		options.tolerance = cases[i].tolerance;
		options.max_parts = cases[i].max_parts;
		options.max_vertices = cases[i].max_vertices;
		bvb_decomposition d = decompose( f, &cases[i].mesh, &options );
		bvb_bytes bytes =
			bytes_with( f, &cases[i].mesh, &d, 1u << bvb_section_mesh | 1u << bvb_section_parts );
		bvb_error error = { "" };
		bv_status status = verify_status( f, bytes, &error );
		assert_string_equal( error.message, "" );
		assert_int_equal( status, bv_ok );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( concavity_is_measured_again ),
		fixture_test( concavity_of_a_convex_mesh_is_verified_to_rounding ),
		fixture_test( concavity_of_a_cracked_mesh_is_verified ),
		fixture_test( dents_of_next_to_convex_meshes_are_allowed_for ),
		fixture_test( lower_ends_beyond_what_closing_adds_are_found ),
		fixture_test( parts_may_be_farther_than_the_closed_mesh_says ),
		fixture_test( parts_may_be_nearer_than_the_closed_mesh_says ),
		fixture_test( shells_are_measured_to_the_triangles ),
		fixture_test( verify_finds_another_mass ),
		fixture_test( verify_finds_a_part_that_is_not_convex ),
		fixture_test( verify_takes_hulls_for_convex ),
		fixture_test( verify_finds_a_triangle_that_no_part_was_made_for ),
		fixture_test( verify_finds_neighbors_that_are_missing ),
		fixture_test( verify_finds_neighbors_that_are_apart ),
		fixture_test( touching_is_having_a_common_point ),
		fixture_test( edges_that_cross_are_a_common_point ),
		fixture_test( verify_knows_which_random_parts_meet ),
		fixture_test( verify_finds_what_is_farther_from_parts_than_is_said ),
		fixture_test( gaps_between_parts_are_found ),
		fixture_test( parts_near_a_vertex_are_not_near_all_its_triangles ),
		fixture_test( a_corner_beyond_all_parts_is_found ),
		fixture_test( verify_finds_what_is_left_out_inside ),
		fixture_test( verify_proves_what_is_decomposed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
