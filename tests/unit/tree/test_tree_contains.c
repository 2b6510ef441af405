// bv_mesh_contains against winding numbers of the offline library, which counts crossings of rays, and against closed forms.

#include "tests/unit/decomposed_meshes.h"

#include "bv/mesh.h"

// From -1 to 1.
static bv_vec3 random_around( fixture* f )
{
	return plus( ( bv_vec3 ){ -1, -1, -1 }, 2, random_point( f ) );
}

static bv_transform random_transform( fixture* f, double scale, bool mirror )
{
	bv_vec3 v = random_around( f );
	double w = random_unit( f );
	double norm = sqrt( dot( v, v ) + w * w );
	bv_quaternion q = { v.x / norm, v.y / norm, v.z / norm, w / norm };
	bv_transform t;
	assert_int_equal( bv_transform_from_quaternion( q, random_around( f ), &t ), bv_ok );
	t.scale = scale;
	t.mirror = mirror;
	return t;
}

// The round decides on the form of positions, the volumes, and the size of leaves.
static const bv_file* file_of_round( fixture* f, const bvb_mesh* mesh, int round )
{
	bvb_asset_options options = plain_options();
	options.record.positions = round % 2 == 0 ? bvb_positions_float : bvb_positions_quantized;
	options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 3;
	options.hierarchy.volume_types = round % 8 == 7 ? ( 1u << bv_volume_types ) - 1 : 1u << round % 8;
	options.hierarchy.degree = round % 3 == 2 ? BVB_MAX_DEGREE : 2;
	return build_file( f, mesh, &options );
}

// The mesh that a file holds, for the oracle.
static bvb_mesh mesh_in( fixture* f, const bv_file* file )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	bvb_mesh m = mesh_create( f, info.vertices, info.triangles );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		m.positions[i] = bv_file_get_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, m.triangles[i].corner );
	}
	return m;
}

static bv_side side_at( const bv_file* file, bv_vec3 point )
{
	bv_contains_result r;
	assert_int_equal( bv_mesh_contains( file, NULL, point, NULL, &r ), bv_ok );
	return r.side;
}

static const bv_file* plain_file( fixture* f, bvb_mesh mesh )
{
	bvb_asset_options options = plain_options();
	return build_file( f, &mesh, &options );
}

// Closed, from needles to pits: every vertex of a sphere at a distance of its own.
static bvb_mesh spiky_ball( fixture* f, double shortest )
{
	bvb_mesh m = icosphere( f, 2 );
	for ( uint32_t i = 0; i < m.vertex_count; ++i )
	{
		double r = pow( shortest, random_unit( f ) );
		m.positions[i] = plus( ( bv_vec3 ){ 0, 0, 0 }, r, m.positions[i] );
	}
	return m;
}

// A tip at the origin above a regular polygon: its axis is as far from all edges and faces at the tip.
static bvb_mesh cone_of( fixture* f, uint32_t corners, double radius )
{
	bvb_mesh m = mesh_create( f, corners + 2, 2 * corners );
	m.positions[corners] = ( bv_vec3 ){ 0, 0, 0 };
	m.positions[corners + 1] = ( bv_vec3 ){ 0, 0, -1 };
	for ( uint32_t i = 0; i < corners; ++i )
	{
		uint32_t next = ( i + 1 ) % corners;
		double a = 2 * pi * i / corners;
		m.positions[i] = ( bv_vec3 ){ radius * cos( a ), radius * sin( a ), -1 };
		m.triangles[2 * i] = ( bvb_triangle ){ { corners, i, next } };
		m.triangles[2 * i + 1] = ( bvb_triangle ){ { corners + 1, next, i } };
	}
	return m;
}

// A pit in a block, with the tip of the cone at its bottom.
static bvb_mesh pit_of( fixture* f, uint32_t corners, double radius )
{
	bvb_mesh m = cone_of( f, corners, radius );
	m.positions[corners + 1].z = 1;
	for ( uint32_t i = 0; i < 2 * corners; ++i )
	{
		uint32_t second = m.triangles[i].corner[1];
		m.triangles[i].corner[1] = m.triangles[i].corner[2];
		m.triangles[i].corner[2] = second;
	}
	return m;
}

static bvb_mesh shape_of( fixture* f, int round )
{
	switch ( round % 12 )
	{
	case 0: return box_mesh( f, 1, 2, 3 );
	case 1: return bumpy_ball( f, 8 );
	case 2: return spiky_ball( f, 0.5 );
	case 3: return spiky_ball( f, 0.02 );
	case 4: return torus( f, 0.4, 12, 7 );
	case 5: return spring( f, 2, 16, 6 );
	case 6: return jack( f );
	case 7: return hollow_box( f );
	case 8: return pipe_wall( f, 12 );
	case 9: return cone_of( f, 64, 0.01 );
	case 10: return pit_of( f, 9, 0.5 );
	default: return square_ring( f );
	}
}

// A point near a corner, an edge or inside of a random triangle, or anywhere.
static bv_vec3 point_near( fixture* f, const bvb_mesh* m, int kind, double away )
{
	bv_vec3 corner[3];
	double weight[3] = { 1, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = m->positions[m->triangles[random_bits( f ) % m->triangle_count].corner[k]];
	}
	if ( kind < 3 )
	{
		const uint32_t* c = m->triangles[random_bits( f ) % m->triangle_count].corner;
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = m->positions[c[k]];
		}
	}
	if ( kind > 0 )
	{
		weight[1] = random_unit( f );
		weight[2] = kind > 1 ? ( 1 - weight[1] ) * random_unit( f ) : 0;
		weight[0] = 1 - weight[1] - weight[2];
	}
	bv_vec3 at = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		at = plus( at, weight[k], corner[k] );
	}
	return plus( at, away, random_around( f ) );
}

static void sides_are_those_of_winding_numbers( void** state )
{
	fixture* f = *state;
	uint32_t count[bv_sides] = { 0 };
	for ( int round = 0; round < 48; ++round )
	{
		bvb_mesh shape = shape_of( f, round );
		const bv_file* file = file_of_round( f, &shape, round / 12 + round );
		bvb_mesh m = mesh_in( f, file );
		bvb_winding* winding;
		assert_int_equal( bvb_winding_create( &m, f->arena, &winding, NULL ), bv_ok );
		assert_true( bv_file_get_mesh( file ).closed );
		double scale = round % 3 == 0 ? 1 : pow( 10, 2 * random_unit( f ) - 1 );
		bv_transform t = random_transform( f, scale, round % 2 == 1 );
		for ( int i = 0; i < 9 && round % 5 == 2; ++i )
		{
			t.pose.rotation[i / 3][i % 3] += 6e-5 * ( random_unit( f ) - 0.5 );
		}
		for ( int k = 0; k < 600; ++k )
		{
			// Without a placement up to 1e-12 from the surface, else less close to it.
			bool is_placed = k % 2 == 1;
			double away = pow( 10, ( is_placed ? -9 : -12 ) * random_unit( f ) );
			bv_vec3 local = point_near( f, &m, k % 4, away );
			bv_vec3 point = is_placed ? bv_transform_point( &t, local ) : local;
			bool is_inside = bvb_winding_number( winding, local ) > 0.5;
			bv_contains_result r;
			bv_closest_result closest;
			assert_int_equal( bv_mesh_contains( file, is_placed ? &t : NULL, point, NULL, &r ), bv_ok );
			assert_int_equal( bv_mesh_closest_point( file, is_placed ? &t : NULL, point, NULL, &closest ),
			                  bv_ok );
			assert_true( r.found && r.distance == closest.distance );
			assert_memory_equal( &r.at.point, &closest.at.point, sizeof r.at.point );
			assert_true( r.at.triangle == closest.at.triangle && r.triangle_tests >= closest.triangle_tests );
			if ( r.side != bv_side_unknown )
			{
				assert_int_equal( r.side, is_inside ? bv_side_inside : bv_side_outside );
			}
			else
			{
				// Needles of the cone are known from there on, all else from much closer.
				assert_true( r.distance < 1e-7 * scale );
			}
			count[r.side] += 1;
		}
	}
	assert_true( count[bv_side_unknown] < 288 ); // of 28800, most of which are close to the surface
	assert_true( count[bv_side_outside] > 5000 && count[bv_side_inside] > 5000 );
}

// Right above the centers of triangles, at the smallest distance that is decided.
static void sides_of_faces_are_found_very_close_to_them( void** state )
{
	fixture* f = *state;
	const bv_file* file = plain_file( f, bumpy_ball( f, 12 ) );
	bvb_mesh m = mesh_in( f, file );
	for ( uint32_t i = 0; i < m.triangle_count; ++i )
	{
		bv_vec3 corner[3];
		bv_vec3 center = { 0, 0, 0 };
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = m.positions[m.triangles[i].corner[k]];
			center = plus( center, 1.0 / 3, corner[k] );
		}
		bv_vec3 normal = bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
		double step = 1e-12 / length( normal );
		assert_int_equal( side_at( file, plus( center, step, normal ) ), bv_side_outside );
		assert_int_equal( side_at( file, plus( center, -step, normal ) ), bv_side_inside );
		assert_int_equal( side_at( file, plus( center, 1e-5 * step, normal ) ), bv_side_unknown );
	}
}

// On the axis of a cone all edges of its tip are equally near.
static void tips_are_decided_on_their_axis( void** state )
{
	fixture* f = *state;
	for ( uint32_t corners = 3; corners < 200; corners = 3 * corners )
	{
		for ( double radius = 1e-5; radius < 1e6; radius *= 100 )
		{
			const bv_file* cone = plain_file( f, cone_of( f, corners, radius ) );
			const bv_file* pit = plain_file( f, pit_of( f, corners, radius ) );
			for ( double z = 1e-6; z < 1e6; z *= 10 )
			{
				assert_int_equal( side_at( cone, ( bv_vec3 ){ 0, 0, z * fmax( 1, radius ) } ),
				                  bv_side_outside );
			}
			assert_int_equal( side_at( pit, ( bv_vec3 ){ 0, 0, 0.001 * fmin( radius, 1 ) } ),
			                  bv_side_inside );
		}
	}
}

static void meshes_that_bound_nothing_have_no_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	box.triangle_count -= 1;
	const bv_vec3 points[] = { { 0.5, 0.5, 0.5 }, { 2, 3, 4 }, { 0.5, 0.5, -0.1 }, { 0.01, 0.5, 0.5 } };
	const bv_file* files[] = { plain_file( f, box ), plain_file( f, flat_sheet( f ) ),
		                       plain_file( f, double_sided_sheet( f ) ) };
	for ( int i = 0; i < 12; ++i )
	{
		assert_int_equal( side_at( files[i / 4], points[i % 4] ), bv_side_unknown );
	}
}

// Four corners, in any order that is closed.
static bvb_mesh tetrahedron( fixture* f, const bv_vec3 corner[4] )
{
	static const uint32_t triangles[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 1, 3, 2 } };
	bvb_mesh m = mesh_of( f, corner, 4, triangles, 4 );
	bv_vec3 n = bv_cross( bv_sub( corner[1], corner[0] ), bv_sub( corner[2], corner[0] ) );
	return bv_dot( n, bv_sub( corner[3], corner[0] ) ) > 0 ? turned_over( f, &m ) : m;
}

// Two tetrahedra have an edge in common, and points beyond it are nearest to it. The surface has two sides everywhere else.
static void edges_of_four_triangles_have_no_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh a =
		tetrahedron( f, ( bv_vec3[] ){ { 0, 0, 0 }, { 0, 0, 1 }, { -1, 0.125, 0.5 }, { -1, -0.125, 0.5 } } );
	bvb_mesh b =
		tetrahedron( f, ( bv_vec3[] ){ { 0, 0, 0 }, { 0, 0, 1 }, { 0.125, -1, 0.5 }, { -0.125, -1, 0.5 } } );
	const bv_file* file = plain_file( f, joined( f, &a, &b ) );
	assert_true( bv_file_get_mesh( file ).closed && bv_file_get_mesh( file ).oriented );
	assert_true( !bv_file_get_mesh( file ).manifold );
	assert_int_equal( side_at( file, ( bv_vec3 ){ 1, 1, 0.5 } ), bv_side_unknown );
	assert_int_equal( side_at( file, ( bv_vec3 ){ 0.5, 0.5, 2 } ), bv_side_outside ); // from a common corner
	assert_int_equal( side_at( file, ( bv_vec3 ){ -2, 0, 0.5 } ), bv_side_outside );
	assert_int_equal( side_at( file, ( bv_vec3 ){ -0.5, 0, 0.5 } ), bv_side_inside );
	assert_int_equal( side_at( file, ( bv_vec3 ){ 0, -0.75, 0.5 } ), bv_side_inside );
}

// A vertex with two fans, of two tetrahedra side by side or one inside of a pit of the other body.
static void corners_with_several_fans_have_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh a =
		tetrahedron( f, ( bv_vec3[] ){ { 0, 0, 0 }, { -1, 0, 0 }, { -1, 0.125, 0 }, { -1, 0, 0.125 } } );
	bvb_mesh b =
		tetrahedron( f, ( bv_vec3[] ){ { 0, 0, 0 }, { 0, -1, 0 }, { 0.125, -1, 0 }, { 0, -1, 0.125 } } );
	bvb_mesh thin = cone_of( f, 5, 0.125 );
	bvb_mesh pit = pit_of( f, 7, 4 );
	for ( uint32_t i = 0; i < pit.vertex_count; ++i )
	{
		pit.positions[i].z = -pit.positions[i].z;
	}
	bvb_mesh turned = turned_over( f, &pit );
	for ( uint32_t i = 0; i < thin.vertex_count; ++i )
	{
		thin.positions[i].z *= -0.5;
	}
	bvb_mesh up = turned_over( f, &thin );
	const bv_file* beside = plain_file( f, joined( f, &a, &b ) );
	const bv_file* within = plain_file( f, joined( f, &turned, &up ) );
	assert_true( bv_file_get_mesh( beside ).closed && !bv_file_get_mesh( beside ).manifold );
	assert_true( bv_file_get_mesh( within ).closed && !bv_file_get_mesh( within ).manifold );
	assert_int_equal( side_at( beside, ( bv_vec3 ){ 1, 1, -0.5 } ), bv_side_outside );
	assert_int_equal( side_at( within, ( bv_vec3 ){ 0, 0, -0.125 } ), bv_side_inside );
	assert_int_equal( side_at( within, ( bv_vec3 ){ 0, 0, 0.25 } ), bv_side_inside );
	assert_int_equal( side_at( within, ( bv_vec3 ){ 0.25, 0, 0.25 } ), bv_side_outside );
}

// Closer than about 2^-45 of the coordinates, where what is nearest is not certain. Beyond it is decided.
static void points_on_the_surface_have_no_sides( void** state )
{
	fixture* f = *state;
	const bv_file* file = plain_file( f, box_mesh( f, 1, 1, 1 ) );
	const bv_vec3 points[] = { { 1, 1, 1 }, { 0, 0, 0 }, { 0.5, 0, 0 }, { 0.5, 0.25, 1 } };
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 away = i == 0 ? ( bv_vec3 ){ 1, 1, 1 } : ( bv_vec3 ){ 0, -1, i < 3 ? -1 : 2 };
		assert_int_equal( side_at( file, plus( points[i], 0, away ) ), bv_side_unknown );
		assert_int_equal( side_at( file, plus( points[i], 5e-14, away ) ), bv_side_unknown );
		assert_int_equal( side_at( file, plus( points[i], 1e-12, away ) ), bv_side_outside );
	}
}

// The rule is local. For comparison: all these points but the first have the winding numbers 0, 2, 0 and -1.
static void sides_are_those_of_the_surface_that_is_nearest( void** state )
{
	fixture* f = *state;
	bvb_mesh outer = box_mesh( f, 4, 4, 4 );
	bvb_mesh unit = box_mesh( f, 2, 2, 2 );
	bvb_mesh inner = moved( f, &unit, ( bv_vec3 ){ 1, 1, 1 } );
	const bv_file* nested = plain_file( f, joined( f, &outer, &inner ) );
	const bv_file* inverted = plain_file( f, turned_over( f, &outer ) );
	assert_int_equal( side_at( nested, ( bv_vec3 ){ 2, 2, 0.25 } ), bv_side_inside );
	assert_int_equal( side_at( nested, ( bv_vec3 ){ 2, 2, 0.75 } ), bv_side_outside );
	assert_int_equal( side_at( nested, ( bv_vec3 ){ 2, 2, -1 } ), bv_side_outside );
	assert_int_equal( side_at( nested, ( bv_vec3 ){ 2, 2, 2 } ), bv_side_inside );
	assert_int_equal( side_at( inverted, ( bv_vec3 ){ 5, 5, 5 } ), bv_side_inside );
	assert_int_equal( side_at( inverted, ( bv_vec3 ){ 1, 2, 2 } ), bv_side_outside );
}

static void limits_and_errors( void** state )
{
	fixture* f = *state;
	const bv_file* file = plain_file( f, box_mesh( f, 1, 1, 1 ) );
	bv_transform t = bv_transform_identity();
	t.scale = 2;
	bv_vec3 x = { 1, 0.5, 5 };
	bv_contains_options none = bv_contains_options_default();
	bv_contains_result r;
	assert_true( none.limit == 0 );
	assert_int_equal( bv_mesh_contains( file, &t, x, &( bv_contains_options ){ 3.001 }, &r ), bv_ok );
	assert_true( r.found && r.distance == 3 && r.side == bv_side_outside );
	assert_int_equal( bv_mesh_contains( file, &t, x, &( bv_contains_options ){ 2.999 }, &r ), bv_ok );
	assert_true( !r.found && isinf( r.distance ) && r.side == bv_side_unknown );
	bv_contains_result before;
	memset( &r, 0x5a, sizeof r );
	before = r;
	bv_transform bad = t;
	bad.scale = 0;
	bv_vec3 nowhere = { NAN, 0, 0 };
	assert_int_equal( bv_mesh_contains( file, &t, x, &( bv_contains_options ){ NAN }, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contains( file, &t, x, &( bv_contains_options ){ -1 }, &r ),
	                  bv_error_argument );
	assert_int_equal( bv_mesh_contains( NULL, &t, x, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_contains( file, &bad, x, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_contains( file, &t, nowhere, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_mesh_contains( file, &t, x, NULL, NULL ), bv_error_argument );
	assert_memory_equal( &r, &before, sizeof r );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( sides_are_those_of_winding_numbers ),
		fixture_test( sides_of_faces_are_found_very_close_to_them ),
		fixture_test( tips_are_decided_on_their_axis ),
		fixture_test( meshes_that_bound_nothing_have_no_sides ),
		fixture_test( edges_of_four_triangles_have_no_sides ),
		fixture_test( corners_with_several_fans_have_sides ),
		fixture_test( points_on_the_surface_have_no_sides ),
		fixture_test( sides_are_those_of_the_surface_that_is_nearest ),
		fixture_test( limits_and_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
