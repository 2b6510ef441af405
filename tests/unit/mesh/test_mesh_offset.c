// The offset of a mesh: when there is one, that it costs nothing, and that it saves the shape of meshes far from 0.

#include "bvbuild/mesh.h"

#include "offline/mesh/offset.h"
#include "runtime/math/vec.h"
#include "support.h"

#include <math.h>

static bv_vec3 offset_of( double lower, double size, double k )
{
	// Far along x, near along y and z.
	bv_aabb e = { { lower, -size, 0 }, { lower + size, k * size - size, size / 2 } };
	return bvmesh_choose_offset( &e );
}

static void meshes_up_to_eight_sizes_away_have_none( void** state )
{
	(void)state;
	const double sizes[] = { 1e-20, 0.001, 0.7, 1, 3, 1000, 1e17, 1e30 };
	for ( size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i )
	{
		double s = sizes[i];
		assert_true( offset_of( 6.9 * s, s, 1 ).x == 0 );
		assert_true( offset_of( -7.9 * s, s, 1 ).x == 0 );
		assert_true( offset_of( 7.1 * s, s, 1 ).x > 0 );
		assert_true( offset_of( -8.1 * s, s, 1 ).x < 0 );
		bv_vec3 o = offset_of( 1e6 * s, s, 1 );
		assert_true( o.x > 0 && o.y == 0 && o.z == 0 );
	}
}

// Expected values: multiples of the smallest of 1, 2, 5, 10, ... above 4 sizes, near the middle.
static void offsets_are_round_numbers( void** state )
{
	(void)state;
	assert_true( offset_of( 1e6, 2, 1 ).x == 1e6 );
	assert_true( offset_of( 1e6 - 1, 2, 1 ).x == 1e6 );
	assert_true( offset_of( 451234.5, 100, 1 ).x == 451500 );
	assert_true( offset_of( -5412345, 1000, 1 ).x == -5410000 );
	assert_true( offset_of( 1e9, 0.003, 1 ).x == 1e9 );
	assert_true( offset_of( 100, 0.2, 1 ).x == 100 );
	assert_true( offset_of( 100.9, 0.2, 1 ).x == 101 );
}

// The sum of a number and an offset is exact if its rounding error is 0 (Knuth 1969).
static bool is_exact_difference( double p, double o )
{
	double d = p - o;
	double part = d - p;
	return ( p - ( d - part ) ) + ( -o - part ) == 0;
}

static void differences_are_exact( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200000; ++i )
	{
		double size = pow( 10, 40 * random_unit( f ) - 20 );
		double sign = i % 2 ? 1 : -1;
		double lower = sign * size * pow( 10, 1 + 14 * random_unit( f ) );
		double o = offset_of( lower, size, 1 ).x;
		assert_true( o != 0 );
		assert_true( is_exact_difference( lower, o ) );
		assert_true( is_exact_difference( lower + size, o ) );
		double p = lower + random_unit( f ) * size;
		assert_true( is_exact_difference( p, o ) );
		assert_true( fabs( p - o ) <= 5.5 * size + 2 * fabs( lower ) * 0x1p-52 );
	}
}

static bvb_record record_of( fixture* f, const bvb_mesh* mesh, bvb_position_form form, double weld )
{
	bvb_record_options options = bvb_record_options_default();
	options.positions = form;
	options.weld = weld;
	bvb_record record;
	bvb_error error;
	if ( bvb_mesh_record( mesh, &options, f->arena, &record, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return record;
}

// On a grid of 2^-12, so that moving is exact.
static bvb_mesh ball_at( fixture* f, double x, double y, double z )
{
	bvb_mesh mesh = bumpy_ball( f, 8 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		*p = ( bv_vec3 ){ rint( 4096 * p->x ) / 4096 + x, rint( 4096 * p->y ) / 4096 + y,
			              rint( 4096 * p->z ) / 4096 + z };
	}
	return mesh;
}

// Of a mesh that is moved by a round number nothing changes, in either form of positions, welded or not.
static void far_meshes_are_stored_as_near_ones( void** state )
{
	fixture* f = *state;
	const double shifts[][3] = { { 1e6, 0, 0 }, { 1e9, -1e9, 1e6 }, { 0, 1e12, 15 }, { 100, 0, -1e7 } };
	for ( size_t i = 0; i < sizeof shifts / sizeof *shifts; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			const double* s = shifts[i];
			bvb_position_form form = k % 2 ? bvb_positions_quantized : bvb_positions_float;
			double weld = k / 2 ? 1e-3 : 0;
			bvb_mesh near = ball_at( f, 0, 0, s[2] == 15 ? 15 : 0 );
			bvb_mesh far = ball_at( f, s[0], s[1], s[2] );
			bvb_record a = record_of( f, &near, form, weld );
			bvb_record b = record_of( f, &far, form, weld );
			bv_vec3 o = { s[0], s[1], s[2] == 15 ? 0 : s[2] };
			assert_memory_equal( &b.offset, &o, sizeof o );
			assert_int_equal( a.mesh.vertex_count, b.mesh.vertex_count );
			assert_int_equal( a.mesh.triangle_count, b.mesh.triangle_count );
			assert_memory_equal( a.mesh.positions, b.mesh.positions,
			                     a.mesh.vertex_count * sizeof *a.mesh.positions );
			assert_memory_equal( a.mesh.triangles, b.mesh.triangles,
			                     a.mesh.triangle_count * sizeof *a.mesh.triangles );
			assert_true( a.largest_displacement == b.largest_displacement );
			assert_true( bvmath_is_zero( a.offset ) );
		}
	}
}

// A triangle without an area, at 0, is not part of the mesh: neither the offset nor the displacement depends on it.
static void what_is_dropped_does_not_count( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = ball_at( f, 1e6, 1e6, 1e6 );
	bvb_mesh mesh = ball;
	mesh.positions = bvb_arena_allocate( f->arena, ball.vertex_count + (size_t)2, sizeof *mesh.positions );
	mesh.triangles = bvb_arena_allocate( f->arena, ball.triangle_count + (size_t)1, sizeof *mesh.triangles );
	memcpy( mesh.positions, ball.positions, ball.vertex_count * sizeof *mesh.positions );
	memcpy( mesh.triangles, ball.triangles, ball.triangle_count * sizeof *mesh.triangles );
	mesh.positions[mesh.vertex_count++] = ( bv_vec3 ){ 0.1, 0.1, 0.1 };
	mesh.positions[mesh.vertex_count++] = ( bv_vec3 ){ 0.3, 0.3, 0.3 };
	mesh.triangles[mesh.triangle_count++] =
		( bvb_triangle ){ { ball.vertex_count, ball.vertex_count + 1, ball.vertex_count } };
	for ( int form = 0; form < 2; ++form )
	{
		for ( int welds = 0; welds < 2; ++welds )
		{
			bvb_record a = record_of( f, &ball, (bvb_position_form)form, welds ? 1e-9 : 0 );
			bvb_record b = record_of( f, &mesh, (bvb_position_form)form, welds ? 1e-9 : 0 );
			assert_int_equal( b.removed_degenerate, a.removed_degenerate + 1 );
			assert_memory_equal( &a.offset, &b.offset, sizeof a.offset );
			assert_true( a.offset.x == 1e6 && a.largest_displacement == b.largest_displacement );
			assert_int_equal( a.mesh.vertex_count, b.mesh.vertex_count );
			assert_memory_equal( a.mesh.positions, b.mesh.positions,
			                     a.mesh.vertex_count * sizeof *a.mesh.positions );
		}
	}
}

// Normalized meshes are around 0.
static void normalized_meshes_have_none( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = ball_at( f, 1e6, 0, 0 );
	bvb_record_options options = bvb_record_options_default();
	options.normalize = true;
	bvb_record record;
	bvb_error error;
	assert_int_equal( bvb_mesh_record( &mesh, &options, f->arena, &record, &error ), bv_ok );
	assert_true( bvmath_is_zero( record.offset ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( meshes_up_to_eight_sizes_away_have_none ),
		fixture_test( offsets_are_round_numbers ),
		fixture_test( differences_are_exact ),
		fixture_test( far_meshes_are_stored_as_near_ones ),
		fixture_test( what_is_dropped_does_not_count ),
		fixture_test( normalized_meshes_have_none ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
