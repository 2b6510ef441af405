// Distances to open surfaces of many triangles: the field's distance of a point is the least distance to the triangles that are
// nearest to the corners of its cell, each measured by itself. Distances to all triangles, from the reference, are never larger.

#include "decomposed.h"

#include "offline/decompose/field.h"

static const bvdecomp_unit_frame unit_frame = { { 0, 0, 0 }, 1 };

static bv_vec3 around( fixture* f, bv_vec3 center, double size )
{
	return plus( center, size, plus( random_point( f ), -0.5, ( bv_vec3 ){ 1, 1, 1 } ) );
}

// Triangles of a size anywhere, in a box of these sides about the origin.
static bvb_mesh sheets( fixture* f, uint32_t count, bv_vec3 sides, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		bv_vec3 p = around( f, ( bv_vec3 ){ 0, 0, 0 }, 1 );
		mesh.positions[i] = i % 3 == 0 ? ( bv_vec3 ){ p.x * sides.x, p.y * sides.y, p.z * sides.z }
		                               : around( f, mesh.positions[i - i % 3], size );
	}
	return mesh;
}

// Across one axis, so that boxes around them are flat.
static bvb_mesh upright_sheets( fixture* f, uint32_t count )
{
	bvb_mesh mesh = sheets( f, count, ( bv_vec3 ){ 0.6, 0.6, 0.5 }, 0.05 );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		bv_vec3* first = &mesh.positions[i - i % 3];
		mesh.positions[i].x = i / 3 % 2 ? first->x : mesh.positions[i].x;
		mesh.positions[i].z = i / 3 % 2 ? mesh.positions[i].z : first->z;
	}
	return mesh;
}

// Of the code under test, so that bits can be compared; test_triangle_nearest is about it.
static double distance_to( const bvb_mesh* mesh, uint32_t triangle, bv_vec3 p )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	bv_vec3 corner[3] = { mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] };
	bvtri_nearest found;
	bvtri_nearest_on_triangle( p, corner, &found );
	return sqrt( found.square );
}

// Of the cell's corners, by the grid's own layout; infinite where distances are interpolated or nothing is known.
static double distance_in_cell( const bvdecomp_field* field, const bvb_mesh* mesh, bv_vec3 p )
{
	const double at[3] = { ( p.x - field->origin.x ) / field->step, ( p.y - field->origin.y ) / field->step,
		                   ( p.z - field->origin.z ) / field->step };
	const uint32_t* n = field->count;
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( at[k] >= 0 && at[k] < n[k] - 1.001 ) )
		{
			return INFINITY;
		}
	}
	uint32_t cell = ( (uint32_t)at[2] * n[1] + (uint32_t)at[1] ) * n[0] + (uint32_t)at[0];
	double least = INFINITY;
	for ( uint32_t k = 0; k < 8 && field->value[cell] <= 2 * field->step; ++k )
	{
		uint32_t corner = cell + ( k & 1 ) + ( k >> 1 & 1 ) * n[0] + ( k >> 2 ) * n[0] * n[1];
		least = fmin( least, distance_to( mesh, field->nearest[corner], p ) );
	}
	return least;
}

static void check_field( fixture* f, const bvb_mesh* mesh, uint32_t cells )
{
	enum
	{
		samples = 3001, // no whole number of batches
	};
	bvdecomp_field field = { 0 };
	assert_int_equal( bvdecomp_field_create( mesh, &unit_frame, NULL, 0, cells, 1, f->arena, &field ),
	                  bv_ok );
	bv_vec3* points = bvb_arena_allocate( f->arena, samples, sizeof *points );
	double* found = bvb_arena_allocate( f->arena, samples, sizeof *found );
	for ( uint32_t i = 0; i < samples; ++i )
	{
		points[i] = i % 2
		                ? around( f, mesh->positions[random_bits( f ) % mesh->vertex_count], 3 * field.step )
		                : around( f, ( bv_vec3 ){ 0, 0, 0 }, 1 );
	}
	bvdecomp_field_at_all( &field, points, samples, found );
	nearest_faces reference;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &reference ) );
	uint32_t measured = 0;
	for ( uint32_t i = 0; i < samples; ++i )
	{
		double expected = distance_in_cell( &field, mesh, points[i] );
		assert_true( found[i] == bvdecomp_field_at( &field, points[i] ) );
		if ( expected < INFINITY )
		{
			assert_true( found[i] == expected );
			assert_true( found[i] >= nearest_distance( &reference, points[i], NULL ) - rounding );
			++measured;
		}
	}
	assert_true( measured > samples / 3 );
	nearest_free( &reference );
}

static void distances_to_turned_sheets_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheets( f, 3000, ( bv_vec3 ){ 0.6, 0.5, 0.4 }, 0.06 );
	check_field( f, &mesh, 1 << 15 );
}

static void distances_to_upright_sheets_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = upright_sheets( f, 3000 );
	check_field( f, &mesh, 1 << 15 );
}

// Triangles as long as the mesh are in the lists of many cells.
static void distances_to_large_sheets_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheets( f, 1200, ( bv_vec3 ){ 0.3, 0.3, 0.3 }, 0.6 );
	check_field( f, &mesh, 1 << 12 );
}

// A unit of the boxes is nearly as long as a step then, so that boxes would go beyond the grid.
static void distances_along_a_string_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheets( f, 1200, ( bv_vec3 ){ 1, 1e-5, 1e-5 }, 1e-5 );
	check_field( f, &mesh, 1 << 20 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( distances_to_turned_sheets_are_those_of_brute_force ),
		fixture_test( distances_to_upright_sheets_are_those_of_brute_force ),
		fixture_test( distances_to_large_sheets_are_those_of_brute_force ),
		fixture_test( distances_along_a_string_are_those_of_brute_force ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
