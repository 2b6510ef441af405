// What the middles of an open mesh's cells say about the points around them, against the sum over all triangles.

#include "winding_numbers.h"

#include "offline/decompose/field.h"

// Half a ball, open below, in a box with a diagonal of about 1.
static bvb_mesh small_dome( fixture* f )
{
	bvb_mesh mesh = make_dome( f, 40, 4 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = scaled( 1.0 / 3, mesh.positions[i] );
	}
	return mesh;
}

static bvdecomp_field field_with_sides( fixture* f, const bvb_mesh* mesh )
{
	static const bvdecomp_unit_frame unit_frame = { { 0, 0, 0 }, 1 };
	bvdecomp_field field = { 0 };
	assert_int_equal(
		bvdecomp_field_create( mesh, &unit_frame, create( f, mesh ), 0, 1 << 14, 1, f->arena, &field ),
		bv_ok );
	assert_non_null( field.side );
	return field;
}

// By the grid's own layout.
static bv_vec3 place_in_cell( const bvdecomp_field* field, uint32_t cell, bv_vec3 at )
{
	const uint32_t* n = field->count;
	return ( bv_vec3 ){ field->origin.x + field->step * ( cell % n[0] + at.x ),
		                field->origin.y + field->step * ( cell / n[0] % n[1] + at.y ),
		                field->origin.z + field->step * ( cell / n[0] / n[1] + at.z ) };
}

static void what_a_middle_reaches_is_on_its_side( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = small_dome( f );
	bvdecomp_field field = field_with_sides( f, &mesh );
	int count[2] = { 0, 0 };
	uint32_t cells = field.count[0] * field.count[1] * field.count[2];
	for ( uint32_t i = 0; i < 20 * cells; ++i )
	{
		bv_vec3 p = place_in_cell( &field, i / 20, random_point( f ) );
		bv_vec3 middle = place_in_cell( &field, i / 20, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
		uint8_t side = field.side[i / 20];
		if ( side != bvdecomp_cell_unknown && !passes_a_triangle( &mesh, middle, p ) )
		{
			bool inside = side == bvdecomp_cell_inside;
			assert_int_equal( inside, brute_force( &mesh, p ) > 0.5 );
			++count[inside];
		}
	}
	assert_true( count[0] > 500 && count[1] > 500 );
}

// The field without sides asks for the winding number wherever it is in doubt.
static void sides_change_no_sign( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = small_dome( f );
	bvdecomp_field field = field_with_sides( f, &mesh );
	bvdecomp_field plain = field;
	plain.side = NULL;
	int inside = 0;
	uint32_t cells = field.count[0] * field.count[1] * field.count[2];
	for ( uint32_t i = 0; i < 4 * cells; ++i )
	{
		bv_vec3 p = place_in_cell( &field, i / 4, random_point( f ) );
		double distance = bvdecomp_field_at( &field, p );
		assert_true( distance == bvdecomp_field_at( &plain, p ) );
		inside += distance < 0;
	}
	assert_true( inside > 500 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_a_middle_reaches_is_on_its_side ),
		fixture_test( sides_change_no_sign ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
