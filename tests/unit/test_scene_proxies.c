// Objects of a scene: what naming conventions make of them, and what is collected for collision.

#include "support.h"

#include <stdio.h>

// A scene of unit boxes, one an object, side by side along x.
static bvb_scene scene_of( fixture* f, const char** names, uint32_t count )
{
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	bvb_scene s = {
		.mesh = soup_create( f, 12 * count ),
		.faces = bvb_arena_allocate( f->arena, 12 * count, sizeof *s.faces ),
		.segments = bvb_arena_allocate( f->arena, count, sizeof *s.segments ),
		.segment_count = count,
		.objects = names,
		.object_count = count,
	};
	for ( uint32_t i = 0; i < 12 * count; ++i )
	{
		s.faces[i] = i;
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = box.positions[box.triangles[i % 12].corner[k]];
			p.x += 10.0 * ( i / 12 );
			s.mesh.positions[3 * i + k] = p;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		s.segments[i] = ( bvb_segment ){ 12 * i, i, BVB_NO_NAME, BVB_NO_NAME };
	}
	return s;
}

static bvb_items sort_out( fixture* f, const bvb_scene* scene, bvb_proxy_use use )
{
	bvb_items items;
	assert_int_equal( bvb_scene_sort_out( scene, use, f->arena, &items, NULL ), bv_ok );
	return items;
}

static bvb_scene collect( fixture* f, const bvb_scene* scene, bvb_proxy_use use )
{
	bvb_scene out;
	bvb_error error;
	bvb_items items = sort_out( f, scene, use );
	if ( bvb_scene_collect( scene, &items, NULL, f->arena, &out, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return out;
}

static void names_say_what_a_proxy_is( void** state )
{
	fixture* f = *state;
	static const struct
	{
		const char* name;
		bvb_proxy kind;
		const char* item;
	} cases[] = {
		{ "Rock", bvb_proxy_none, "Rock" },
		{ "UCX_Rock", bvb_proxy_convex, "Rock" },
		{ "UCX_Rock_01", bvb_proxy_convex, "Rock" },
		{ "UCX_Rock.001", bvb_proxy_convex, "Rock" },
		{ "ubx_Rock_2", bvb_proxy_box, "Rock" },
		{ "USP_Rock", bvb_proxy_sphere, "Rock" },
		{ "UCP_Rock_A", bvb_proxy_capsule, "Rock_A" },
		{ "UCXRock", bvb_proxy_none, "UCXRock" },
		{ "UCX", bvb_proxy_none, "UCX" },
		{ "Rock-col", bvb_proxy_mesh, "Rock" },
		{ "Rock-colonly", bvb_proxy_mesh, "Rock" },
		{ "Rock-ConvCol", bvb_proxy_convex, "Rock" },
		{ "Rock_convcolonly.003", bvb_proxy_convex, "Rock" },
		{ "Rock$col", bvb_proxy_mesh, "Rock" },
		{ "protocol", bvb_proxy_none, "protocol" },
		{ "col", bvb_proxy_none, "col" },
		{ "-col", bvb_proxy_mesh, "" },
		{ "", bvb_proxy_none, "" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		const char* names[1] = { cases[i].name };
		bvb_scene scene = scene_of( f, names, 1 );
		bvb_items items = sort_out( f, &scene, bvb_proxies_use );
		assert_int_equal( items.count, 1 );
		assert_int_equal( items.proxy[0], cases[i].kind );
		assert_string_equal( items.items[0].name, cases[i].item );
		assert_int_equal( items.items[0].has_proxies, cases[i].kind != bvb_proxy_none );
	}
}

static void proxies_belong_to_the_object_they_name( void** state )
{
	fixture* f = *state;
	const char* names[] = { "UCX_Rock_01", "Rock",       "Tree_01",   "UCX_Rock_02",
		                    "UBX_Tree_01", "USP_Gone_1", "UCX_Gone_2" };
	bvb_scene scene = scene_of( f, names, 7 );
	bvb_items items = sort_out( f, &scene, bvb_proxies_use );
	assert_int_equal( items.count, 3 );
	assert_string_equal( items.items[0].name, "Rock" );
	assert_string_equal( items.items[1].name, "Tree_01" );
	assert_string_equal( items.items[2].name, "Gone" );
	static const uint32_t expected[7] = { 0, 0, 1, 0, 1, 2, 2 };
	assert_memory_equal( items.item, expected, sizeof expected );
	assert_true( items.items[0].has_object && items.items[1].has_object && !items.items[2].has_object );
	assert_int_equal( items.items[0].triangles, 36 );
}

// A copied model brings objects and proxies of the same names.
static void equal_names_pair_up_in_order( void** state )
{
	fixture* f = *state;
	const char* names[] = { "Rock", "UCX_Rock", "Rock", "UCX_Rock", "UCX_Rock" };
	bvb_scene scene = scene_of( f, names, 5 );
	bvb_items items = sort_out( f, &scene, bvb_proxies_use );
	static const uint32_t expected[5] = { 0, 0, 1, 1, 1 };
	assert_int_equal( items.count, 2 );
	assert_memory_equal( items.item, expected, sizeof expected );
}

static void ignoring_takes_names_for_nothing_and_dropping_leaves_proxies_out( void** state )
{
	fixture* f = *state;
	const char* names[] = { "Rock", "UCX_Rock", "Sky-col" };
	bvb_scene scene = scene_of( f, names, 3 );
	bvb_scene ignored = collect( f, &scene, bvb_proxies_ignore );
	assert_ptr_equal( ignored.mesh.triangles, scene.mesh.triangles );
	bvb_scene dropped = collect( f, &scene, bvb_proxies_drop );
	assert_int_equal( dropped.mesh.triangle_count, 12 );
	assert_int_equal( dropped.segments[0].object, 0 );
	bvb_scene used = collect( f, &scene, bvb_proxies_use );
	assert_int_equal( used.mesh.triangle_count, 24 );
	assert_int_equal( used.segments[0].object, 1 );
	assert_int_equal( used.segments[1].object, 2 );
	assert_int_equal( used.faces[0], 12 );
	assert_int_equal( used.faces[12], 24 );
}

static void what_is_not_wanted_is_left_out( void** state )
{
	fixture* f = *state;
	const char* names[] = { "A", "B", "C" };
	bvb_scene scene = scene_of( f, names, 3 );
	bvb_items items = sort_out( f, &scene, bvb_proxies_use );
	bool wanted[3] = { false, true, false };
	bvb_scene out;
	assert_int_equal( bvb_scene_collect( &scene, &items, wanted, f->arena, &out, NULL ), bv_ok );
	assert_int_equal( out.mesh.triangle_count, 12 );
	assert_int_equal( out.mesh.vertex_count, 36 );
	assert_int_equal( out.segment_count, 1 );
	for ( uint32_t i = 0; i < 36; ++i )
	{
		bv_vec3 p = out.mesh.positions[out.mesh.triangles[i / 3].corner[i % 3]];
		bv_vec3 q = scene.mesh.positions[36 + i];
		assert_memory_equal( &p, &q, sizeof p );
	}
	wanted[1] = false;
	bvb_error error;
	assert_int_equal( bvb_scene_collect( &scene, &items, wanted, f->arena, &out, &error ), bv_error_input );
	assert_string_equal( error.message, "no triangles are left of the objects picked" );
}

// One object made of the points' triangles i, i + 1, i + 2 under a proxy's name.
static bvb_mesh shape_of( fixture* f, const char* name, const bv_vec3* points, uint32_t count )
{
	const char* names[1] = { name };
	bvb_segment segment = { 0, 0, BVB_NO_NAME, BVB_NO_NAME };
	uint32_t faces[1000] = { 0 };
	bvb_triangle triangles[1000];
	for ( uint32_t i = 0; i < count - 2; ++i )
	{
		triangles[i] = ( bvb_triangle ){ { i, i + 1, i + 2 } };
	}
	bvb_scene scene = {
		.mesh = { (bv_vec3*)points, triangles, count, count - 2, NULL },
		.faces = faces,
		.segments = &segment,
		.segment_count = 1,
		.objects = names,
		.object_count = 1,
	};
	return collect( f, &scene, bvb_proxies_use ).mesh;
}

static bvb_topology topology_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_topology t;
	assert_int_equal( bvb_mesh_topology( mesh, f->arena, &t, NULL, NULL ), bv_ok );
	return t;
}

static double volume_of( const bvb_mesh* mesh )
{
	bv_mass mass;
	return bvb_mass_of_solid( mesh, &mass ) ? mass.mass : 0;
}

// A rotation about (1, 2, 2) / 3 by 1 radian or so, then a shift.
static bv_vec3 moved( double x, double y, double z )
{
	const double s = 0.48;
	const double c = 0.8772684879784524; // s^2 + c^2 = 1
	const double u[3] = { 1.0 / 3, 2.0 / 3, 2.0 / 3 };
	const double p[3] = { x, y, z };
	double along = ( u[0] * x + u[1] * y + u[2] * z ) * ( 1 - c );
	double q[3];
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		q[i] = c * p[i] + s * ( u[j] * p[k] - u[k] * p[j] ) + along * u[i];
	}
	return ( bv_vec3 ){ q[0] + 5, q[1] - 7, q[2] + 1 };
}

// A turned cube, of which principal axes know nothing: its eight corners are found again.
static void box_proxy_is_the_box_that_was_modelled( void** state )
{
	fixture* f = *state;
	static const double sizes[3][3] = { { 2, 2, 2 }, { 1, 2, 3 }, { 4, 4, 0.01 } };
	for ( int n = 0; n < 3; ++n )
	{
		bv_vec3 points[8];
		for ( int i = 0; i < 8; ++i )
		{
			points[i] = moved( i & 1 ? sizes[n][0] : 0, i & 2 ? sizes[n][1] : 0, i & 4 ? sizes[n][2] : 0 );
		}
		bvb_mesh box = shape_of( f, "UBX_x", points, 8 );
		bvb_topology t = topology_of( f, &box );
		double volume = sizes[n][0] * sizes[n][1] * sizes[n][2];
		assert_true( t.closed && t.manifold && box.triangle_count == 12 );
		assert_true( fabs( volume_of( &box ) - volume ) < 1e-12 * volume + 1e-13 );
		for ( int i = 0; i < 8; ++i )
		{
			double nearest = 1;
			for ( int k = 0; k < 8; ++k )
			{
				bv_vec3 a = points[i];
				bv_vec3 b = box.positions[k];
				nearest = fmin( nearest, fabs( a.x - b.x ) + fabs( a.y - b.y ) + fabs( a.z - b.z ) );
			}
			assert_true( nearest < 1e-13 );
		}
	}
}

static void convex_proxy_is_the_hull( void** state )
{
	fixture* f = *state;
	bv_vec3 points[9];
	for ( int i = 0; i < 8; ++i )
	{
		points[i] = moved( i & 1, i >> 1 & 1, i >> 2 );
	}
	points[8] = moved( 0.5, 0.5, 0.5 );
	bvb_mesh hull = shape_of( f, "UCX_x", points, 9 );
	bvb_topology t = topology_of( f, &hull );
	assert_true( t.closed && t.manifold && hull.vertex_count == 8 );
	assert_true( fabs( volume_of( &hull ) - 1 ) < 1e-13 );
}

static void flat_convex_proxy_has_two_sides( void** state )
{
	fixture* f = *state;
	static const bv_vec3 points[5] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 }, { 1, 1, 0 } };
	bvb_mesh hull = shape_of( f, "UCX_x", points, 5 );
	bv_mass surface;
	assert_int_equal( hull.triangle_count, 4 );
	assert_int_equal( topology_of( f, &hull ).double_sided, 2 );
	assert_true( bvb_mass_of_surface( &hull, &surface ) && fabs( surface.mass - 8 ) < 1e-13 );
}

// Each triangle's plane keeps its distance from a segment, and no vertex is far outside.
static void assert_encloses_round( const bvb_mesh* mesh, bv_vec3 a, bv_vec3 b, double radius )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		bv_vec3 p = mesh->positions[c[0]];
		bv_vec3 q = mesh->positions[c[1]];
		bv_vec3 r = mesh->positions[c[2]];
		double n[3] = { ( q.y - p.y ) * ( r.z - p.z ) - ( q.z - p.z ) * ( r.y - p.y ),
			            ( q.z - p.z ) * ( r.x - p.x ) - ( q.x - p.x ) * ( r.z - p.z ),
			            ( q.x - p.x ) * ( r.y - p.y ) - ( q.y - p.y ) * ( r.x - p.x ) };
		double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
		assert_true( length > 0 );
		double to_a = ( n[0] * ( p.x - a.x ) + n[1] * ( p.y - a.y ) + n[2] * ( p.z - a.z ) ) / length;
		double to_b = ( n[0] * ( p.x - b.x ) + n[1] * ( p.y - b.y ) + n[2] * ( p.z - b.z ) ) / length;
		assert_true( to_a >= radius * ( 1 - 1e-6 ) && to_b >= radius * ( 1 - 1e-6 ) );
	}
	bv_vec3 along = { b.x - a.x, b.y - a.y, b.z - a.z };
	double square = along.x * along.x + along.y * along.y + along.z * along.z;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		double s =
			square > 0
				? ( along.x * ( p.x - a.x ) + along.y * ( p.y - a.y ) + along.z * ( p.z - a.z ) ) / square
				: 0;
		s = fmin( 1, fmax( 0, s ) );
		double x = p.x - a.x - s * along.x;
		double y = p.y - a.y - s * along.y;
		double z = p.z - a.z - s * along.z;
		assert_true( sqrt( x * x + y * y + z * z ) <= radius * 1.016 );
	}
}

static void sphere_proxy_encloses_the_ball_and_stands_off_little( void** state )
{
	fixture* f = *state;
	bv_vec3 points[6];
	for ( int i = 0; i < 6; ++i )
	{
		double x[3] = { 0 };
		x[i / 2] = i % 2 ? 3 : -3;
		points[i] = moved( x[0], x[1], x[2] );
	}
	bvb_mesh ball = shape_of( f, "USP_x", points, 6 );
	bvb_topology t = topology_of( f, &ball );
	assert_true( t.closed && t.manifold && t.components == 1 && volume_of( &ball ) > 0 );
	assert_encloses_round( &ball, moved( 0, 0, 0 ), moved( 0, 0, 0 ), 3 );
}

// Rings of vertices of a capsule of radius 1 whose ends are 6 apart, poles included.
static void capsule_proxy_encloses_the_capsule_and_stands_off_little( void** state )
{
	fixture* f = *state;
	bv_vec3 points[98];
	uint32_t count = 0;
	const double pi = 3.14159265358979323846;
	for ( int ring = 0; ring < 6; ++ring )
	{
		double angle = pi / 2 * ( ring % 3 ) / 3;
		for ( int i = 0; i < 16; ++i )
		{
			double z = 2 + sin( angle );
			points[count++] = moved( cos( angle ) * cos( pi / 8 * i ), cos( angle ) * sin( pi / 8 * i ),
			                         ring < 3 ? z : -z );
		}
	}
	points[count++] = moved( 0, 0, 3 );
	points[count++] = moved( 0, 0, -3 );
	bvb_mesh capsule = shape_of( f, "UCP_x", points, count );
	bvb_topology t = topology_of( f, &capsule );
	assert_true( t.closed && t.manifold && t.components == 1 && volume_of( &capsule ) > 0 );
	assert_encloses_round( &capsule, moved( 0, 0, 2 ), moved( 0, 0, -2 ), 1 );
}

static void proxy_that_is_not_finite_is_refused( void** state )
{
	fixture* f = *state;
	const char* names[] = { "UCX_x" };
	bvb_scene scene = scene_of( f, names, 1 );
	bvb_items items = sort_out( f, &scene, bvb_proxies_use );
	bvb_scene out;
	bvb_error error;
	scene.mesh.positions[7].y = NAN;
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, f->arena, &out, &error ), bv_error_input );
	assert_string_equal( error.message, "the proxy 'UCX_x' has a coordinate that is not finite" );
	scene.mesh.positions[7].y = -1e300;
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, f->arena, &out, &error ), bv_error_limit );
	assert_string_equal( error.message, "the proxy 'UCX_x' has a coordinate larger than 1.3e36" );
}

// Points, lines and nothing at all have no shape with an area, but may stand beside others.
static void proxies_without_extent_do_no_harm( void** state )
{
	fixture* f = *state;
	static const char* const kinds[] = { "UCX_x", "UBX_x", "USP_x", "UCP_x" };
	bv_vec3 points[4] = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } };
	for ( int line = 0; line < 2; ++line )
	{
		points[3].x += line;
		for ( int i = 0; i < 4; ++i )
		{
			const char* names[2] = { kinds[i], "plain" };
			bvb_scene scene = scene_of( f, names, 2 );
			for ( uint32_t k = 0; k < 36; ++k )
			{
				scene.mesh.positions[k] = points[k % 4];
			}
			bvb_scene out = collect( f, &scene, bvb_proxies_use );
			for ( uint32_t k = 0; k < out.mesh.vertex_count; ++k )
			{
				assert_true( isfinite( out.mesh.positions[k].x + out.mesh.positions[k].y ) );
			}
			bvb_record record;
			bvb_record_options options = bvb_record_options_default();
			assert_int_equal( bvb_mesh_record( &out.mesh, &options, f->arena, &record, NULL ), bv_ok );
			assert_true( record.mesh.triangle_count >= 12 );
		}
	}
}

static void no_memory_is_an_error( void** state )
{
	fixture* f = *state;
	const char* names[] = { "Rock", "UCX_Rock", "USP_Ball", "UCP_Ball", "UBX_Ball" };
	bvb_scene scene = scene_of( f, names, 5 );
	bool done = false;
	for ( size_t limit = 0; !done; limit += 4096 )
	{
		bvb_arena* arena = bvb_arena_create_limited( limit );
		bvb_items items;
		bvb_scene out;
		bvb_error error;
		bv_status status = bvb_scene_sort_out( &scene, bvb_proxies_use, arena, &items, &error );
		if ( status == bv_ok )
		{
			status = bvb_scene_collect( &scene, &items, NULL, arena, &out, &error );
		}
		assert_true( status == bv_ok || status == bv_error_memory );
		done = status == bv_ok;
		bvb_arena_destroy( arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( names_say_what_a_proxy_is ),
		fixture_test( proxies_belong_to_the_object_they_name ),
		fixture_test( equal_names_pair_up_in_order ),
		fixture_test( ignoring_takes_names_for_nothing_and_dropping_leaves_proxies_out ),
		fixture_test( what_is_not_wanted_is_left_out ),
		fixture_test( box_proxy_is_the_box_that_was_modelled ),
		fixture_test( convex_proxy_is_the_hull ),
		fixture_test( flat_convex_proxy_has_two_sides ),
		fixture_test( sphere_proxy_encloses_the_ball_and_stands_off_little ),
		fixture_test( capsule_proxy_encloses_the_capsule_and_stands_off_little ),
		fixture_test( proxy_that_is_not_finite_is_refused ),
		fixture_test( proxies_without_extent_do_no_harm ),
		fixture_test( no_memory_is_an_error ),
	};
	return cmocka_run_group_tests_name( "scene_proxies", tests, NULL, NULL );
}
