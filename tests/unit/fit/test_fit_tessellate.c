// Volumes as meshes: closed as bvb_mesh_topology counts, of the volumes and areas of closed forms, around round volumes by their
// support functions, and no farther from them than is said.

#include "support.h"

#include "bvbuild/tessellate.h"

static double dot( bv_vec3 a, bv_vec3 b )
{
	return ( a.x * b.x + a.y * b.y ) + a.z * b.z;
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bvb_tessellation tessellate( fixture* f, const bv_volume* volume, uint32_t sides )
{
	bvb_tessellation t;
	bvb_error error = { "" };
	assert_int_equal( bvb_tessellate( volume, sides, f->arena, &t, &error ), bv_ok );
	return t;
}

// Euler's formula holds for one surface without a handle.
static void check_closed( fixture* f, const bvb_mesh* mesh )
{
	bvb_topology topology;
	assert_int_equal( bvb_mesh_topology( mesh, f->arena, &topology, NULL, NULL ), bv_ok );
	assert_true( topology.closed );
	assert_true( topology.manifold );
	assert_int_equal( topology.components, 1 );
	assert_int_equal( mesh->vertex_count + mesh->triangle_count, topology.edges + 2 );
}

// Of the tetrahedra between the triangles and the first vertex.
static double volume_of( const bvb_mesh* mesh )
{
	double volume = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		bv_vec3 o = mesh->positions[0];
		volume += dot( minus( mesh->positions[c[0]], o ),
		               cross( minus( mesh->positions[c[1]], o ), minus( mesh->positions[c[2]], o ) ) );
	}
	return volume / 6;
}

static double area_of( const bvb_mesh* mesh )
{
	double area = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		bv_vec3 n = cross( minus( mesh->positions[c[1]], mesh->positions[c[0]] ),
		                   minus( mesh->positions[c[2]], mesh->positions[c[0]] ) );
		area += sqrt( dot( n, n ) ) / 2;
	}
	return area;
}

static void check_close( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g is not %.17g", value, expected );
	}
}

// Coordinates that are multiples of a quarter make planes meet in common corners and lines, and points in planes of one of the
// directions make flat ones.
static bv_kdop random_kdop( fixture* f, uint32_t k )
{
	bv_vec3 points[12];
	uint64_t kind = random_bits( f ) % 4;
	uint32_t count = 3 + (uint32_t)( random_bits( f ) % 9 );
	bv_vec3 normal = bv_kdop_direction( (uint32_t)( random_bits( f ) % BV_KDOP_DIRECTIONS ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = random_point( f );
		if ( kind > 0 )
		{
			p = ( bv_vec3 ){ floor( 4 * p.x ), floor( 4 * p.y ), floor( 4 * p.z ) };
		}
		if ( kind == 2 )
		{
			// Six times a point of the grid, moved into the plane through the origin: of whole numbers again.
			double along = dot( normal, p ) * 6 / dot( normal, normal );
			p = ( bv_vec3 ){ 6 * p.x - along * normal.x, 6 * p.y - along * normal.y,
				             6 * p.z - along * normal.z };
		}
		points[i] = p;
	}
	bv_kdop dop;
	assert_int_equal( bvb_fit_kdop( points, count, k, &dop ), bv_ok );
	return dop;
}

// bvb_kdop_volume and bvb_kdop_area cut a polygon for each plane and know nothing of corners.
static void kdops_are_closed_and_have_their_volumes_and_areas( void** state )
{
	fixture* f = *state;
	static const uint32_t ks[] = { 14, 18, 26 };
	int solid = 0;
	int flat = 0;
	for ( int round = 0; round < 3000; ++round )
	{
		bv_volume volume = { .type = (bv_volume_type)( bv_volume_kdop14 + round % 3 ) };
		volume.kdop = random_kdop( f, ks[round % 3] );
		bvb_tessellation t = tessellate( f, &volume, 0 );
		double expected = bvb_kdop_volume( &volume.kdop );
		double area = bvb_kdop_area( &volume.kdop );
		assert_true( t.standoff == 0 );
		check_close( volume_of( &t.mesh ), expected, 1e-9 * ( 1 + expected ) );
		check_close( area_of( &t.mesh ), area, 1e-9 * ( 1 + area ) );
		if ( area > 1e-9 )
		{
			check_closed( f, &t.mesh );
			solid += expected > 1e-9;
			flat += expected <= 1e-9;
		}
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			for ( uint32_t v = 0; bv_kdop_uses( ks[round % 3], i ) && v < t.mesh.vertex_count; ++v )
			{
				double at = dot( bv_kdop_direction( i ), t.mesh.positions[v] );
				assert_true( at >= volume.kdop.lower[i] - 1e-12 && at <= volume.kdop.upper[i] + 1e-12 );
			}
		}
	}
	assert_true( solid > 1500 && flat > 100 );
}

// The 26-DOP of a ball of radius 1, a rhombicuboctahedron's relative: 48 corners in threes. That of a cube cut only where all touch
// it, in corners and edges, is the cube.
static void a_cube_is_a_cube_whatever_planes_touch_it( void** state )
{
	fixture* f = *state;
	bv_vec3 corner[8];
	for ( int i = 0; i < 8; ++i )
	{
		corner[i] = ( bv_vec3 ){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 };
	}
	bv_volume volume = { .type = bv_volume_kdop26 };
	assert_int_equal( bvb_fit_kdop( corner, 8, 26, &volume.kdop ), bv_ok );
	bvb_tessellation t = tessellate( f, &volume, 0 );
	assert_int_equal( t.mesh.vertex_count, 8 );
	assert_int_equal( t.mesh.triangle_count, 12 );
	assert_true( volume_of( &t.mesh ) == 8 );

	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bv_vec3 d = bv_kdop_direction( i );
		volume.kdop.upper[i] = sqrt( dot( d, d ) );
		volume.kdop.lower[i] = -volume.kdop.upper[i];
	}
	t = tessellate( f, &volume, 0 );
	assert_int_equal( t.mesh.vertex_count, 48 );
	assert_int_equal( t.mesh.triangle_count, 92 );
	check_closed( f, &t.mesh );
}

// What no points have been enclosed by is empty, and numbers that are none are no reason to fail.
static void empty_and_impossible_kdops_have_no_triangles( void** state )
{
	fixture* f = *state;
	bv_volume volume = { .type = bv_volume_kdop14, .kdop.k = 14 };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		volume.kdop.lower[i] = 1;
		volume.kdop.upper[i] = -1;
	}
	assert_int_equal( tessellate( f, &volume, 0 ).mesh.triangle_count, 0 );
	volume.kdop = ( bv_kdop ){ .k = 14 };
	assert_int_equal( tessellate( f, &volume, 0 ).mesh.triangle_count, 0 );
	for ( int round = 0; round < 1000; ++round )
	{
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			static const double odd[] = { 0, 1, -1, 2, INFINITY, -INFINITY, NAN, 1e308, -1e308, 0x1p-1074 };
			volume.kdop.lower[i] = odd[random_bits( f ) % 10];
			volume.kdop.upper[i] = odd[random_bits( f ) % 10];
		}
		bvb_tessellation t = tessellate( f, &volume, 0 );
		for ( uint32_t i = 0; i < t.mesh.triangle_count; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( t.mesh.triangles[i].corner[k] < t.mesh.vertex_count );
			}
		}
	}
}

static void random_frame( fixture* f, bv_vec3 axis[3] )
{
	bv_vec3 a = minus( random_point( f ), ( bv_vec3 ){ 0.5, 0.5, 0.501 } );
	bv_vec3 b = minus( random_point( f ), ( bv_vec3 ){ 0.5, 0.5, 0.499 } );
	bv_vec3 c = cross( a, b );
	b = cross( c, a );
	bv_vec3* all[3] = { &a, &b, &c };
	for ( int k = 0; k < 3; ++k )
	{
		double length = sqrt( dot( *all[k], *all[k] ) );
		axis[k] = ( bv_vec3 ){ all[k]->x / length, all[k]->y / length, all[k]->z / length };
	}
}

static void boxes_are_exact_and_flat_ones_have_two_sides( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bv_volume volume = { .type = bv_volume_obb, .obb.center = random_point( f ) };
		random_frame( f, volume.obb.axis );
		int thin = 0;
		for ( int k = 0; k < 3; ++k )
		{
			volume.obb.half_extents[k] = round >> k & 1 ? 0 : 0.1 + random_unit( f );
			thin += round >> k & 1;
		}
		bvb_tessellation t = tessellate( f, &volume, 0 );
		assert_int_equal( t.mesh.vertex_count, 8 >> thin );
		assert_int_equal( t.mesh.triangle_count, thin == 0 ? 12 : thin == 1 ? 4 : 0 );
		check_close( volume_of( &t.mesh ), bv_obb_volume( &volume.obb ), 1e-12 );
		check_close( area_of( &t.mesh ), bvb_area_of( &volume ), 1e-12 );
		if ( thin < 2 )
		{
			check_closed( f, &t.mesh );
		}
	}
	bv_volume volume = { .type = bv_volume_aabb, .aabb = { { 0.1, 0.2, 0.3 }, { 0.7, 1e-30, 1e30 } } };
	bvb_tessellation t = tessellate( f, &volume, 0 );
	for ( int i = 0; i < 8; ++i )
	{
		assert_true( t.mesh.positions[i].x == ( i & 1 ? 0.7 : 0.1 ) );
		assert_true( t.mesh.positions[i].y == ( i & 2 ? 1e-30 : 0.2 ) );
		assert_true( t.mesh.positions[i].z == ( i & 4 ? 1e30 : 0.3 ) );
	}
}

// A box with a radius in the test's own words.
typedef struct swept
{
	bv_vec3 center;
	bv_vec3 axis[3];
	double half[3];
	double radius;
} swept;

static double clamped( double x, double half )
{
	return x < -half ? -half : x > half ? half : x;
}

// How far a point is from the box without the radius.
static double distance_to( const swept* s, bv_vec3 p )
{
	bv_vec3 away = minus( p, s->center );
	double square = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double along = dot( s->axis[k], away );
		double rest = along - clamped( along, s->half[k] );
		square += rest * rest;
	}
	return sqrt( square );
}

// A triangle's plane leaves the body on its inner side when it is no nearer than the farthest point in its direction; of all
// triangles of a closed mesh that is enclosure.
static void check_swept( fixture* f, const swept* s, const bvb_tessellation* t )
{
	double largest = 0;
	check_closed( f, &t->mesh );
	for ( uint32_t i = 0; i < t->mesh.vertex_count; ++i )
	{
		largest = fmax( largest, distance_to( s, t->mesh.positions[i] ) - s->radius );
	}
	assert_true( largest <= t->standoff );
	assert_true( largest >= 0.99 * t->standoff );
	for ( uint32_t i = 0; i < t->mesh.triangle_count; ++i )
	{
		const uint32_t* c = t->mesh.triangles[i].corner;
		bv_vec3 a = t->mesh.positions[c[0]];
		bv_vec3 n = cross( minus( t->mesh.positions[c[1]], a ), minus( t->mesh.positions[c[2]], a ) );
		double length = sqrt( dot( n, n ) );
		double support = s->radius;
		for ( int k = 0; k < 3; ++k )
		{
			support += s->half[k] * fabs( dot( s->axis[k], n ) ) / length;
		}
		double plane = dot( n, minus( a, s->center ) ) / length;
		if ( !( plane >= support ) )
		{
			fail_msg( "a triangle is %.3g inside of the volume", support - plane );
		}
	}
}

// Volume of the body less that of the mesh is between none and a shell as thick as the mesh stands off.
static void round_volumes_are_enclosed_as_closely_as_is_said( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		uint32_t sides = (uint32_t)( round % 9 );
		bv_volume volume = { .type = bv_volume_sphere,
			                 .sphere = { random_point( f ), 0.01 + random_unit( f ) } };
		bvb_tessellation t = tessellate( f, &volume, sides );
		swept s = {
			volume.sphere.center, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 }, volume.sphere.radius
		};
		check_swept( f, &s, &t );
		assert_int_equal( t.mesh.triangle_count, 8 * ( sides ? sides * sides : 64 ) );
		assert_true( sides != 0 || t.standoff < 0.0156 * s.radius );

		// As rectangles, segments and points.
		volume.type = bv_volume_rss;
		volume.rss = ( bv_rss ){ .center = random_point( f ), .radius = s.radius };
		random_frame( f, volume.rss.axis );
		volume.rss.half_extents[0] = round % 4 & 1 ? 0 : random_unit( f );
		volume.rss.half_extents[1] = round % 4 & 2 ? 0 : random_unit( f );
		s = ( swept ){ volume.rss.center,
			           { volume.rss.axis[0], volume.rss.axis[1], volume.rss.axis[2] },
			           { volume.rss.half_extents[0], volume.rss.half_extents[1], 0 },
			           s.radius };
		t = tessellate( f, &volume, sides );
		check_swept( f, &s, &t );
		double spare = volume_of( &t.mesh ) - bv_rss_volume( &volume.rss );
		volume.rss.radius += t.standoff;
		assert_true( spare >= 0 && spare <= bvb_area_of( &volume ) * t.standoff );
	}
}

static void capsules_and_cylinders_are_enclosed( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 60; ++round )
	{
		bvb_tessellation t;
		bv_capsule capsule = { { random_point( f ), random_point( f ) }, 0.01 + random_unit( f ) };
		if ( round % 10 == 0 )
		{
			capsule.ends[1] = capsule.ends[0];
		}
		bv_vec3 along = minus( capsule.ends[1], capsule.ends[0] );
		double length = sqrt( dot( along, along ) );
		swept s = { .center = { ( capsule.ends[0].x + capsule.ends[1].x ) / 2,
			                    ( capsule.ends[0].y + capsule.ends[1].y ) / 2,
			                    ( capsule.ends[0].z + capsule.ends[1].z ) / 2 },
			        .half = { length / 2, 0, 0 },
			        .radius = capsule.radius };
		s.axis[0] = ( bv_vec3 ){ 1, 0, 0 };
		s.axis[1] = ( bv_vec3 ){ 0, 1, 0 };
		s.axis[2] = ( bv_vec3 ){ 0, 0, 1 };
		if ( length > 0 )
		{
			s.axis[0] = ( bv_vec3 ){ along.x / length, along.y / length, along.z / length };
			bv_vec3 other = cross( s.axis[0], ( bv_vec3 ){ 0.3, -0.2, 0.9 } );
			double norm = sqrt( dot( other, other ) );
			s.axis[1] = ( bv_vec3 ){ other.x / norm, other.y / norm, other.z / norm };
			s.axis[2] = cross( s.axis[0], s.axis[1] );
		}
		assert_int_equal( bvb_tessellate_capsule( &capsule, 0, f->arena, &t, NULL ), bv_ok );
		check_swept( f, &s, &t );

		bv_cylinder cylinder = { { capsule.ends[0], random_point( f ) }, capsule.radius };
		assert_int_equal( bvb_tessellate_cylinder( &cylinder, 1 + (uint32_t)round % 9, f->arena, &t, NULL ),
		                  bv_ok );
		check_closed( f, &t.mesh );
		along = minus( cylinder.ends[1], cylinder.ends[0] );
		length = sqrt( dot( along, along ) );
		for ( uint32_t i = 0; i < t.mesh.triangle_count; ++i )
		{
			const uint32_t* c = t.mesh.triangles[i].corner;
			bv_vec3 a = t.mesh.positions[c[0]];
			bv_vec3 n = cross( minus( t.mesh.positions[c[1]], a ), minus( t.mesh.positions[c[2]], a ) );
			double norm = sqrt( dot( n, n ) );
			double slope = dot( n, along ) / norm / length;
			double across = sqrt( fmax( 0, 1 - slope * slope ) );
			bv_vec3 end = cylinder.ends[slope > 0];
			assert_true( dot( n, minus( a, end ) ) / norm >=
			             cylinder.radius * across - 1e-7 * fabs( slope ) );
		}
		for ( uint32_t i = 0; i < t.mesh.vertex_count; ++i )
		{
			bv_vec3 away = minus( t.mesh.positions[i], cylinder.ends[0] );
			double on = dot( away, along ) / length;
			double outside = sqrt( fmax( 0, dot( away, away ) - on * on ) ) - cylinder.radius;
			assert_true( on <= length + t.standoff && on >= -t.standoff && outside <= t.standoff );
		}
	}
}

static void far_and_large_volumes_are_enclosed_too( void** state )
{
	fixture* f = *state;
	static const double sizes[] = { 0x1p-119, 1e-20, 1, 1e20, 0x1p119 };
	for ( int i = 0; i < 5; ++i )
	{
		bv_volume volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, sizes[i] } };
		bvb_tessellation t = tessellate( f, &volume, 4 );
		swept s = {
			{ 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 }, volume.sphere.radius
		};
		check_swept( f, &s, &t );
	}
}

static void arguments_and_memory_are_checked( void** state )
{
	fixture* f = *state;
	bv_volume volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 1 } };
	bvb_tessellation t;
	bvb_error error;
	assert_int_equal( bvb_tessellate( &volume, BVB_TESSELLATION_MAX_SIDES + 1, f->arena, &t, &error ),
	                  bv_error_argument );
	assert_string_equal( error.message, "a round volume can have at most 128 sides, not 129" );
	assert_int_equal( tessellate( f, &volume, BVB_TESSELLATION_MAX_SIDES ).mesh.triangle_count,
	                  8 * 128 * 128 );
	volume.type = bv_volume_types;
	assert_int_equal( bvb_tessellate( &volume, 0, f->arena, &t, &error ), bv_error_argument );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		volume = ( bv_volume ){ .type = (bv_volume_type)type };
		bv_vec3 points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
		if ( type >= bv_volume_kdop14 && type <= bv_volume_kdop26 )
		{
			static const uint32_t ks[] = { 14, 18, 26 };
			bvb_fit_kdop( points, 4, ks[type - bv_volume_kdop14], &volume.kdop );
		}
		bvb_arena* arena = bvb_arena_create_limited( 64 );
		assert_non_null( arena );
		assert_int_equal( bvb_tessellate( &volume, 0, arena, &t, &error ), bv_error_memory );
		bvb_arena_destroy( arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( kdops_are_closed_and_have_their_volumes_and_areas ),
		fixture_test( a_cube_is_a_cube_whatever_planes_touch_it ),
		fixture_test( empty_and_impossible_kdops_have_no_triangles ),
		fixture_test( boxes_are_exact_and_flat_ones_have_two_sides ),
		fixture_test( round_volumes_are_enclosed_as_closely_as_is_said ),
		fixture_test( capsules_and_cylinders_are_enclosed ),
		fixture_test( far_and_large_volumes_are_enclosed_too ),
		fixture_test( arguments_and_memory_are_checked ),
	};
	return cmocka_run_group_tests_name( "fit_tessellate", tests, NULL, NULL );
}
