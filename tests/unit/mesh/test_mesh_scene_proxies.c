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

static const bvb_record_options as_it_is = { .scale = 1 };

static bvb_scene collect_scaled( fixture* f, const bvb_scene* scene, bvb_proxy_use use, double scale )
{
	bvb_scene out;
	bvb_error error;
	bvb_items items = sort_out( f, scene, use );
	bvb_record_options options = { .scale = scale };
	if ( bvb_scene_collect( scene, &items, NULL, &options, f->arena, &out, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return out;
}

static bvb_scene collect( fixture* f, const bvb_scene* scene, bvb_proxy_use use )
{
	return collect_scaled( f, scene, use, 1 );
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
	assert_int_equal( bvb_scene_collect( &scene, &items, wanted, &as_it_is, f->arena, &out, NULL ), bv_ok );
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
	assert_int_equal( bvb_scene_collect( &scene, &items, wanted, &as_it_is, f->arena, &out, &error ),
	                  bv_error_input );
	assert_string_equal( error.message, "the selected objects have no triangles" );
}

// One object made of the points' triangles i, i + 1, i + 2 under a proxy's name.
static bvb_mesh shape_scaled( fixture* f, const char* name, const bv_vec3* points, uint32_t count,
                              double scale )
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
	return collect_scaled( f, &scene, bvb_proxies_use, scale ).mesh;
}

static bvb_mesh shape_of( fixture* f, const char* name, const bv_vec3* points, uint32_t count )
{
	return shape_scaled( f, name, points, count, 1 );
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
static void box_proxy_is_the_box_that_was_modeled( void** state )
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
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, &as_it_is, f->arena, &out, &error ),
	                  bv_error_input );
	assert_string_equal( error.message, "the collision object 'UCX_x' has a coordinate that is not finite" );

	// Elsewhere it is dropped, and stays for being counted.
	bvb_record_options options = { .scale = 1, .drop_non_finite = true };
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, &options, f->arena, &out, &error ), bv_ok );
	assert_true( fabs( volume_of( &( bvb_mesh ){ out.mesh.positions, out.mesh.triangles, 8, 12, NULL } ) -
	                   1 ) < 1e-13 );
	bvb_record record;
	assert_int_equal( bvb_mesh_record( &out.mesh, &options, f->arena, &record, &error ), bv_ok );
	assert_int_equal( record.removed_non_finite, 1 );
	assert_int_equal( record.mesh.triangle_count, 12 );
}

// As the mesh of record does, for which sizes after scaling count.
static void proxies_have_the_limits_of_plain_objects( void** state )
{
	fixture* f = *state;
	static const char* const kinds[] = { "plain", "UCX_x", "UBX_x", "USP_x", "UCP_x" };
	static const struct
	{
		double size;
		double scale;
		bv_status status;
	} cases[] = { { 1e37, 1e-37, bv_ok },      { 1e300, 1e-300, bv_ok },     { 1e-300, 1e300, bv_ok },
		          { 1e-45, 1e45, bv_ok },      { 1e37, 1, bv_error_limit },  { 1e300, 1, bv_error_limit },
		          { 1, 1e40, bv_error_limit }, { 1e-40, 1, bv_error_limit }, { 1, 1e-300, bv_error_limit } };
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		for ( size_t k = 0; k < sizeof cases / sizeof *cases; ++k )
		{
			const char* names[1] = { kinds[i] };
			bvb_scene scene = scene_of( f, names, 1 );
			for ( uint32_t v = 0; v < scene.mesh.vertex_count; ++v )
			{
				bv_vec3* p = scene.mesh.positions + v;
				*p = ( bv_vec3 ){ p->x * cases[k].size, p->y * cases[k].size, p->z * cases[k].size };
			}
			bvb_scene out = collect_scaled( f, &scene, bvb_proxies_use, cases[k].scale );
			bvb_record record;
			bvb_record_options options = { .scale = cases[k].scale };
			assert_int_equal( bvb_mesh_record( &out.mesh, &options, f->arena, &record, NULL ),
			                  cases[k].status );
		}
	}
}

// A box of s by 2 s by 3 s, brought to 1 by 2 by 3 after its shape was found.
static void shapes_do_not_depend_on_the_size_they_are_given_in( void** state )
{
	fixture* f = *state;
	static const double sizes[] = { 1e-300, 1e-200, 1e-50, 1e-45, 1e-38, 1e-20, 1, 1e20, 1e38, 1e200, 1e300 };
	static const char* const kinds[] = { "UCX_x", "UBX_x", "USP_x", "UCP_x" };
	for ( size_t n = 0; n < sizeof sizes / sizeof *sizes; ++n )
	{
		bv_vec3 points[8];
		for ( int i = 0; i < 8; ++i )
		{
			points[i] =
				( bv_vec3 ){ i & 1 ? sizes[n] : 0, i & 2 ? 2 * sizes[n] : 0, i & 4 ? 3 * sizes[n] : 0 };
		}
		for ( int kind = 0; kind < 4; ++kind )
		{
			bvb_mesh mesh = shape_scaled( f, kinds[kind], points, 8, 1 / sizes[n] );
			for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
			{
				bv_vec3* p = mesh.positions + i;
				*p = ( bv_vec3 ){ p->x / sizes[n], p->y / sizes[n], p->z / sizes[n] };
			}
			if ( kind < 2 )
			{
				assert_true( fabs( volume_of( &mesh ) - 6 ) < 1e-9 );
			}
			else if ( kind == 2 )
			{
				bv_vec3 center = { 0.5, 1, 1.5 };
				assert_encloses_round( &mesh, center, center, sqrt( 14 ) / 2 );
			}
			else
			{
				// The corners are on the cylinder's rims.
				assert_encloses_round( &mesh, ( bv_vec3 ){ 0.5, 1, 0 }, ( bv_vec3 ){ 0.5, 1, 3 },
				                       sqrt( 5 ) / 2 );
			}
		}
	}
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 along( bv_vec3 a, double t, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + t * b.x, a.y + t * b.y, a.z + t * b.z };
}

static double distance_to_side( bv_vec3 p, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 side = along( b, -1, a );
	double square = dot( side, side );
	double t = square > 0 ? dot( side, along( p, -1, a ) ) / square : 0;
	bv_vec3 d = along( p, -1, along( a, fmin( 1, fmax( 0, t ) ), side ) );
	return sqrt( dot( d, d ) );
}

// By cases: above the triangle's inside the plane counts, elsewhere the nearest side.
static double distance_to_triangle( bv_vec3 p, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 u = along( b, -1, a );
	bv_vec3 v = along( c, -1, a );
	bv_vec3 n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
	double square = dot( n, n );
	double least =
		fmin( distance_to_side( p, a, b ), fmin( distance_to_side( p, b, c ), distance_to_side( p, c, a ) ) );
	if ( square > 0 )
	{
		bv_vec3 w = along( p, -1, a );
		bv_vec3 wv = { w.y * v.z - w.z * v.y, w.z * v.x - w.x * v.z, w.x * v.y - w.y * v.x };
		bv_vec3 uw = { u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x };
		double s = dot( wv, n ) / square;
		double t = dot( uw, n ) / square;
		if ( s >= 0 && t >= 0 && s + t <= 1 )
		{
			least = fmin( least, fabs( dot( w, n ) ) / sqrt( square ) );
		}
	}
	return least;
}

// Boxes far from the origin, where binary32 numbers are up to a sixteenth apart: no triangle of record comes
// nearer to the ball's center, or to points of the capsule's axis, than the radius; and there is more than the
// ball or capsule in them.
static void rounding_does_not_move_triangles_into_balls_and_capsules( void** state )
{
	fixture* f = *state;
	const double pi = 3.14159265358979323846;
	static const double far_away[] = { 0, 100, 1e4, 1e6 };
	for ( int n = 0; n < 40; ++n )
	{
		double distance = far_away[n % 4];
		bv_vec3 o = random_point( f );
		o = ( bv_vec3 ){ o.x + distance, o.y - distance, o.z + distance };
		bv_vec3 points[8];
		for ( int i = 0; i < 8; ++i )
		{
			points[i] = ( bv_vec3 ){ o.x + ( i & 1 ), o.y + ( i & 2 ), o.z + ( i & 4 ? 4 : 0 ) };
		}
		for ( int capsule = 0; capsule < 2; ++capsule )
		{
			bvb_mesh mesh = shape_of( f, capsule ? "UCP_x" : "USP_x", points, 8 );
			bvb_record record;
			assert_int_equal( bvb_mesh_record( &mesh, &as_it_is, f->arena, &record, NULL ), bv_ok );

			// The corners lie on the ball, and on the rims of the capsule's cylinder.
			double half = capsule ? 2 : 0;
			double radius = capsule ? sqrt( 5 ) / 2 : sqrt( 21 ) / 2;
			for ( uint32_t t = 0; t < record.mesh.triangle_count; ++t )
			{
				const uint32_t* c = record.mesh.triangles[t].corner;
				for ( double z = -half; z <= half; z += 0.5 )
				{
					bv_vec3 p = { o.x + 0.5, o.y + 1, o.z + 2 + z };
					assert_true(
						distance_to_triangle( p, record.mesh.positions[c[0]], record.mesh.positions[c[1]],
					                          record.mesh.positions[c[2]] ) > radius * ( 1 - 1e-9 ) );
				}
			}
			double volume = pi * radius * radius * ( 2 * half + radius * 4 / 3 );
			assert_true( volume_of( &record.mesh ) > volume );
			assert_true( volume_of( &record.mesh ) < 1.05 * volume );
		}
	}
}

// Points, lines and triangles without an area would delete what they stand for.
static void proxies_without_extent_are_refused( void** state )
{
	fixture* f = *state;
	static const char* const kinds[] = { "UCX_plain", "UBX_plain", "UCP_plain", "plain-col", "USP_plain" };
	bv_vec3 points[4] = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } };
	for ( int line = 0; line < 2; ++line )
	{
		points[3].x += line;
		for ( int i = 0; i < 5; ++i )
		{
			for ( uint32_t count = 1; count <= 2; ++count )
			{
				const char* names[2] = { kinds[i], "plain" };
				bvb_scene scene = scene_of( f, names, count );
				for ( uint32_t k = 0; k < 36; ++k )
				{
					scene.mesh.positions[k] = points[k % 4];
				}
				bvb_items items = sort_out( f, &scene, bvb_proxies_use );
				bvb_scene out;
				bvb_error error;
				bv_status status =
					bvb_scene_collect( &scene, &items, NULL, &as_it_is, f->arena, &out, &error );
				if ( line == 1 && i == 4 )
				{
					// The ball around a line is one.
					assert_int_equal( status, bv_ok );
					assert_true( volume_of( &out.mesh ) > 0.52 );
					continue;
				}
				char expected[100];
				snprintf( expected, sizeof expected, "the collision object '%s' has no triangle with an area",
				          kinds[i] );
				assert_int_equal( status, bv_error_input );
				assert_string_equal( error.message, expected );
			}
		}
	}
}

// Too small where it is for binary32; a mesh of record has nothing of it.
static void proxies_that_rounding_makes_nothing_of_are_refused( void** state )
{
	fixture* f = *state;
	const char* names[] = { "UCX_Rock", "Rock", "Other-col" };
	bvb_scene scene = scene_of( f, names, 3 );
	bvb_items items = sort_out( f, &scene, bvb_proxies_use );
	for ( int k = 0; k < 36; ++k )
	{
		scene.mesh.positions[k].x = 1e6 + 1e-3 * scene.mesh.positions[k].x;
	}
	bvb_scene out;
	bvb_error error;
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, &as_it_is, f->arena, &out, &error ), bv_ok );
	for ( int k = 0; k < 36; ++k )
	{
		scene.mesh.positions[k].y = 1e6 + 1e-3 * scene.mesh.positions[k].y;
	}
	assert_int_equal( bvb_scene_collect( &scene, &items, NULL, &as_it_is, f->arena, &out, &error ),
	                  bv_error_input );
	assert_string_equal( error.message, "the collision object 'UCX_Rock' has no triangle with an area" );
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
			status = bvb_scene_collect( &scene, &items, NULL, &as_it_is, arena, &out, &error );
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
		fixture_test( box_proxy_is_the_box_that_was_modeled ),
		fixture_test( convex_proxy_is_the_hull ),
		fixture_test( flat_convex_proxy_has_two_sides ),
		fixture_test( sphere_proxy_encloses_the_ball_and_stands_off_little ),
		fixture_test( capsule_proxy_encloses_the_capsule_and_stands_off_little ),
		fixture_test( proxy_that_is_not_finite_is_refused ),
		fixture_test( proxies_have_the_limits_of_plain_objects ),
		fixture_test( shapes_do_not_depend_on_the_size_they_are_given_in ),
		fixture_test( rounding_does_not_move_triangles_into_balls_and_capsules ),
		fixture_test( proxies_without_extent_are_refused ),
		fixture_test( proxies_that_rounding_makes_nothing_of_are_refused ),
		fixture_test( no_memory_is_an_error ),
	};
	return cmocka_run_group_tests_name( "scene_proxies", tests, NULL, NULL );
}
