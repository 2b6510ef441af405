// Mass, center of mass, inertia and principal axes of solids and surfaces against closed forms.

#include "bvbuild/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static const bvb_triangle box_triangles[12] = {
	{ { 0, 2, 1 } }, { { 1, 2, 3 } }, { { 4, 5, 6 } }, { { 5, 7, 6 } }, { { 0, 1, 4 } }, { { 1, 5, 4 } },
	{ { 2, 6, 3 } }, { { 3, 6, 7 } }, { { 0, 4, 2 } }, { { 2, 4, 6 } }, { { 1, 3, 5 } }, { { 3, 7, 5 } },
};

// The matrix of a rotation about ( 1, 2, 2 ) / 3 with cosine 0.6 and sine 0.8, by Rodrigues' formula.
static bv_vec3 rotate( bv_vec3 p )
{
	const bv_vec3 a = { 1.0 / 3, 2.0 / 3, 2.0 / 3 };
	double along = 0.4 * ( a.x * p.x + a.y * p.y + a.z * p.z );
	return ( bv_vec3 ){ 0.6 * p.x + 0.8 * ( a.y * p.z - a.z * p.y ) + along * a.x,
		                0.6 * p.y + 0.8 * ( a.z * p.x - a.x * p.z ) + along * a.y,
		                0.6 * p.z + 0.8 * ( a.x * p.y - a.y * p.x ) + along * a.z };
}

static bvb_mesh make_box( bv_vec3 positions[8], bv_vec3 origin, bv_vec3 size )
{
	for ( int i = 0; i < 8; ++i )
	{
		positions[i] = ( bv_vec3 ){ origin.x + ( i & 1 ) * size.x, origin.y + ( i >> 1 & 1 ) * size.y,
			                        origin.z + ( i >> 2 ) * size.z };
	}
	return ( bvb_mesh ){ positions, (bvb_triangle*)box_triangles, 8, 12, NULL };
}

static void assert_near( double value, double expected, double relative )
{
	if ( !( fabs( value - expected ) <= relative * fabs( expected ) ) )
	{
		fail_msg( "%.17g is not %.17g", value, expected );
	}
}

static double area_of( const bvb_mesh* mesh )
{
	bv_mass surface;
	bvb_mass_of_surface( mesh, &surface );
	return surface.mass;
}

// Volume w h d; inertia V / 12 ( h^2 + d^2 ) and so on.
static void assert_box( const bv_mass* mass, bv_vec3 center, bv_vec3 size, double relative )
{
	double volume = size.x * size.y * size.z;
	double largest = volume / 12 * ( size.x * size.x + size.y * size.y + size.z * size.z );
	assert_near( mass->mass, volume, relative );
	assert_true( fabs( mass->center_of_mass.x - center.x ) <=
	             relative * size.x + 0x1p-52 * fabs( center.x ) );
	assert_true( fabs( mass->center_of_mass.y - center.y ) <=
	             relative * size.y + 0x1p-52 * fabs( center.y ) );
	assert_true( fabs( mass->center_of_mass.z - center.z ) <=
	             relative * size.z + 0x1p-52 * fabs( center.z ) );
	assert_near( mass->inertia[0][0], volume / 12 * ( size.y * size.y + size.z * size.z ), relative );
	assert_near( mass->inertia[1][1], volume / 12 * ( size.z * size.z + size.x * size.x ), relative );
	assert_near( mass->inertia[2][2], volume / 12 * ( size.x * size.x + size.y * size.y ), relative );
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		assert_true( fabs( mass->inertia[i][j] ) <= relative * largest );
		assert_true( mass->inertia[i][j] == mass->inertia[j][i] );
	}
}

static void box_at_the_origin( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bv_mass mass;
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 2, 4 } );
	assert_true( bvb_mass_of_solid( &box, &mass ) );
	assert_box( &mass, ( bv_vec3 ){ 0.5, 1, 2 }, ( bv_vec3 ){ 1, 2, 4 }, 1e-15 );
}

// A million sizes away the corners are still exact; nothing is lost.
static void box_far_from_the_origin( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bv_mass mass;
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ 1e6, -2e6, 0x1p30 }, ( bv_vec3 ){ 1, 2, 4 } );
	assert_true( bvb_mass_of_solid( &box, &mass ) );
	assert_box( &mass, ( bv_vec3 ){ 1e6 + 0.5, -2e6 + 1, 0x1p30 + 2 }, ( bv_vec3 ){ 1, 2, 4 }, 1e-15 );
}

static void boxes_of_extreme_sizes( void** state )
{
	(void)state;
	const double scales[] = { 1e-30, 0x1p-140, 1e30, 0x1p118 };
	for ( size_t i = 0; i < sizeof scales / sizeof *scales; ++i )
	{
		double s = scales[i];
		bv_vec3 positions[8];
		bv_mass mass;
		bvb_mesh box = make_box( positions, ( bv_vec3 ){ s, 2 * s, -3 * s }, ( bv_vec3 ){ s, 2 * s, s } );
		assert_true( bvb_mass_of_solid( &box, &mass ) );
		assert_box( &mass, ( bv_vec3 ){ 1.5 * s, 3 * s, -2.5 * s }, ( bv_vec3 ){ s, 2 * s, s }, 1e-14 );
	}
}

// A slab of a million to one is thin, not flat.
static void thin_box( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bv_mass mass;
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 0x1p-20 } );
	assert_true( bvb_mass_of_solid( &box, &mass ) );
	assert_box( &mass, ( bv_vec3 ){ 0.5, 0.5, 0x1p-21 }, ( bv_vec3 ){ 1, 1, 0x1p-20 }, 1e-14 );
}

// However long and thin a box along the axes is, no product that makes up its volume is lost.
static void needles_and_sheets_along_the_axes_have_their_volume( void** state )
{
	(void)state;
	const double lengths[] = { 6e7, 1e9, 1e15, 1e22, 1e30 };
	for ( size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i )
	{
		for ( int k = 0; k < 6; ++k )
		{
			double thin = k < 3 ? 1 : lengths[i];
			double other = k < 3 ? lengths[i] : 1;
			bv_vec3 size = { k % 3 == 0 ? other : thin, k % 3 == 1 ? other : thin,
				             k % 3 == 2 ? other : thin };
			bv_vec3 positions[8];
			bv_mass mass;
			bvb_mesh box = make_box( positions, ( bv_vec3 ){ 0, 0, 0 }, size );
			assert_true( bvb_mass_of_solid( &box, &mass ) );
			assert_box( &mass, ( bv_vec3 ){ size.x / 2, size.y / 2, size.z / 2 }, size, 1e-14 );
		}
	}
}

// Three corners beside the origin that are the rows of L U, for two triangular matrices with ones on their
// diagonals: the volume is 1 / 6. All products are whole numbers below 2^53, and together 2^47.6 times as much.
static void oblique_sliver_keeps_its_volume( void** state )
{
	(void)state;
	const double n = 512;
	bv_vec3 positions[4] = {
		{ 0, 0, 0 }, { 1, n, n }, { n, n * n + 1, n * n + n }, { n, n * n + n, 2 * n * n + 1 }
	};
	bvb_triangle triangles[4] = { { { 0, 2, 1 } }, { { 0, 1, 3 } }, { { 1, 2, 3 } }, { { 2, 0, 3 } } };
	bvb_mesh mesh = { positions, triangles, 4, 4, NULL };
	bv_mass mass;
	assert_true( bvb_mass_of_solid( &mesh, &mass ) );
	assert_near( mass.mass, 1.0 / 6, 1e-15 );
}

// I' = R I R^T, with the same R column by column.
static void rotating_a_box_rotates_its_inertia( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bv_mass mass;
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ -0.5, -1, -2 }, ( bv_vec3 ){ 1, 2, 4 } );
	for ( int i = 0; i < 8; ++i )
	{
		positions[i] = rotate( positions[i] );
	}
	assert_true( bvb_mass_of_solid( &box, &mass ) );
	assert_near( mass.mass, 8, 1e-14 );
	const double principal[3] = { 8.0 / 12 * 20, 8.0 / 12 * 17, 8.0 / 12 * 5 };
	const bv_vec3 column[3] = { rotate( ( bv_vec3 ){ 1, 0, 0 } ), rotate( ( bv_vec3 ){ 0, 1, 0 } ),
		                        rotate( ( bv_vec3 ){ 0, 0, 1 } ) };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			double expected = 0;
			for ( int k = 0; k < 3; ++k )
			{
				const double c[3] = { column[k].x, column[k].y, column[k].z };
				expected += principal[k] * c[i] * c[j];
			}
			assert_float_equal( mass.inertia[i][j], expected, 1e-13 );
		}
	}
}

// The example of Tonon 2004: moments and products of inertia (the tensor's entries are minus the products) as
// printed there, which is to about 8 figures; the center is the mean of the corners.
static void tetrahedron_of_the_literature( void** state )
{
	(void)state;
	bv_vec3 positions[4] = { { 8.33220, -11.86875, 0.93355 },
		                     { 0.75523, 5.00000, 16.37072 },
		                     { 52.61236, 5.00000, -5.38580 },
		                     { 2.00000, 5.00000, 3.00000 } };
	bvb_triangle triangles[4] = { { { 0, 1, 2 } }, { { 0, 3, 1 } }, { { 1, 3, 2 } }, { { 2, 3, 0 } } };
	bvb_mesh mesh = { positions, triangles, 4, 4, NULL };
	bv_mass mass;
	assert_true( bvb_mass_of_solid( &mesh, &mass ) );
	double sign = mass.mass < 0 ? -1 : 1;
	assert_float_equal( mass.center_of_mass.x, 15.9249475, 1e-12 );
	assert_float_equal( mass.center_of_mass.y, 0.7828125, 1e-12 );
	assert_float_equal( mass.center_of_mass.z, 3.7296175, 1e-12 );
	assert_near( sign * mass.inertia[0][0], 43520.33257, 1e-7 );
	assert_near( sign * mass.inertia[1][1], 194711.28938, 1e-7 );
	assert_near( sign * mass.inertia[2][2], 191168.76173, 1e-7 );
	assert_near( sign * mass.inertia[1][2], -4417.66150, 1e-7 );
	assert_near( sign * mass.inertia[0][2], 46343.16662, 1e-7 );
	assert_near( sign * mass.inertia[0][1], -11996.20119, 1e-7 );
}

static void turning_a_mesh_inside_out_changes_the_sign( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bvb_triangle inward[12];
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ 1, 1, 1 }, ( bv_vec3 ){ 1, 2, 4 } );
	for ( int i = 0; i < 12; ++i )
	{
		const uint32_t* c = box_triangles[i].corner;
		inward[i] = ( bvb_triangle ){ { c[0], c[2], c[1] } };
	}
	bv_mass outside;
	bv_mass inside;
	assert_true( bvb_mass_of_solid( &box, &outside ) );
	box.triangles = inward;
	assert_true( bvb_mass_of_solid( &box, &inside ) );
	assert_near( inside.mass, -8, 1e-15 );
	assert_near( area_of( &box ), 28, 1e-15 );
	assert_near( inside.center_of_mass.z, 3, 1e-15 );
	assert_near( inside.inertia[2][2], -outside.inertia[2][2], 1e-14 );
}

// Slices of a body of revolution with the profile ( radius, height ), closed by the caller's choice of
// profile.
static bvb_mesh revolve( double ring_radius, double tube_radius, uint32_t n, uint32_t m )
{
	bvb_mesh mesh = { .positions = malloc( n * m * sizeof *mesh.positions ),
		              .triangles = malloc( 2 * n * m * sizeof *mesh.triangles ),
		              .vertex_count = n * m,
		              .triangle_count = 2 * n * m };
	assert_non_null( mesh.positions );
	assert_non_null( mesh.triangles );
	for ( uint32_t i = 0; i < n; ++i )
	{
		for ( uint32_t j = 0; j < m; ++j )
		{
			double r = ring_radius + tube_radius * cos( 2 * pi * j / m );
			uint32_t v = i * m + j;
			mesh.positions[v] = ( bv_vec3 ){ r * cos( 2 * pi * i / n ), r * sin( 2 * pi * i / n ),
				                             tube_radius * sin( 2 * pi * j / m ) };
			uint32_t right = ( i + 1 ) % n * m + j;
			uint32_t up = i * m + ( j + 1 ) % m;
			uint32_t both = ( i + 1 ) % n * m + ( j + 1 ) % m;
			mesh.triangles[2 * v] = ( bvb_triangle ){ { v, right, both } };
			mesh.triangles[2 * v + 1] = ( bvb_triangle ){ { v, both, up } };
		}
	}
	return mesh;
}

// Torus with radii R and r: V = 2 pi^2 R r^2, A = 4 pi^2 R r, Iz = V ( R^2 + 3/4 r^2 ), Ix = V ( R^2 / 2 +
// 5/8 r^2 ). The inscribed mesh differs by O( 1/n^2 ): 4 pi^2 / ( 6 n^2 ) per direction, and twice that for
// moments.
static void torus( void** state )
{
	(void)state;
	bvb_mesh mesh = revolve( 3, 1, 600, 400 );
	bv_mass mass;
	assert_true( bvb_mass_of_solid( &mesh, &mass ) );
	double volume = 2 * pi * pi * 3;
	assert_near( mass.mass, volume, 1e-4 );
	assert_near( area_of( &mesh ), 4 * pi * pi * 3, 1e-4 );
	assert_near( mass.inertia[2][2], volume * 9.75, 2e-4 );
	assert_near( mass.inertia[0][0], volume * 5.125, 2e-4 );
	assert_near( mass.inertia[1][1], volume * 5.125, 2e-4 );
	assert_float_equal( mass.inertia[0][1], 0, 1e-10 );
	assert_float_equal( mass.center_of_mass.x, 0, 1e-14 );
	free( mesh.positions );
	free( mesh.triangles );
}

// An octahedron whose triangles are cut into four and pushed onto the unit sphere, `levels` times.
static void add_patch( bvb_mesh* mesh, bv_vec3 a, bv_vec3 b, bv_vec3 c, int levels )
{
	if ( levels == 0 )
	{
		uint32_t v = mesh->vertex_count;
		mesh->positions[v] = a;
		mesh->positions[v + 1] = b;
		mesh->positions[v + 2] = c;
		mesh->vertex_count += 3;
		mesh->triangles[mesh->triangle_count++] = ( bvb_triangle ){ { v, v + 1, v + 2 } };
		return;
	}
	bv_vec3 middle[3] = { { a.x + b.x, a.y + b.y, a.z + b.z },
		                  { b.x + c.x, b.y + c.y, b.z + c.z },
		                  { c.x + a.x, c.y + a.y, c.z + a.z } };
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 m = middle[i];
		double s = 1 / sqrt( m.x * m.x + m.y * m.y + m.z * m.z );
		middle[i] = ( bv_vec3 ){ s * m.x, s * m.y, s * m.z };
	}
	add_patch( mesh, a, middle[0], middle[2], levels - 1 );
	add_patch( mesh, middle[0], b, middle[1], levels - 1 );
	add_patch( mesh, middle[2], middle[1], c, levels - 1 );
	add_patch( mesh, middle[0], middle[1], middle[2], levels - 1 );
}

static bvb_mesh make_sphere( int levels )
{
	uint32_t count = 8u << 2 * levels;
	bvb_mesh mesh = { .positions = malloc( 3 * count * sizeof *mesh.positions ),
		              .triangles = malloc( count * sizeof *mesh.triangles ) };
	assert_non_null( mesh.positions );
	assert_non_null( mesh.triangles );
	for ( int octant = 0; octant < 8; ++octant )
	{
		double x = octant & 1 ? -1 : 1;
		double y = octant & 2 ? -1 : 1;
		double z = octant & 4 ? -1 : 1;
		bv_vec3 on_y = { 0, y, 0 };
		bv_vec3 on_z = { 0, 0, z };
		bool even = x * y * z > 0;
		add_patch( &mesh, ( bv_vec3 ){ x, 0, 0 }, even ? on_y : on_z, even ? on_z : on_y, levels );
	}
	return mesh;
}

// Ball: V = 4/3 pi, A = 4 pi, I = 2/5 V. The error falls by four with each level.
static void spheres_converge_to_the_ball( void** state )
{
	(void)state;
	double last = 1;
	for ( int levels = 2; levels <= 6; ++levels )
	{
		bvb_mesh mesh = make_sphere( levels );
		bv_mass mass;
		assert_true( bvb_mass_of_solid( &mesh, &mass ) );
		double error = 1 - mass.mass / ( 4.0 / 3 * pi );
		assert_true( error > 0 && ( levels == 2 || fabs( last / error - 4 ) < 0.3 ) );
		assert_near( area_of( &mesh ), 4 * pi, 1.5 * error );
		for ( int i = 0; i < 3; ++i )
		{
			assert_near( mass.inertia[i][i], 0.4 * 4.0 / 3 * pi, 2.5 * error );
		}
		last = error;
		free( mesh.positions );
		free( mesh.triangles );
	}
	assert_true( last < 1e-3 );
}

// Spherical shell: A = 4 pi, I = 2/3 A. The error falls by four with each level.
static void surfaces_of_spheres_converge_to_the_shell( void** state )
{
	(void)state;
	double last = 1;
	for ( int levels = 2; levels <= 6; ++levels )
	{
		bvb_mesh mesh = make_sphere( levels );
		bv_mass mass;
		assert_true( bvb_mass_of_surface( &mesh, &mass ) );
		double error = 1 - mass.inertia[0][0] / ( 8.0 / 3 * pi );
		assert_true( error > 0 && ( levels == 2 || fabs( last / error - 4 ) < 0.3 ) );
		for ( int i = 0; i < 3; ++i )
		{
			assert_near( mass.inertia[i][i], mass.inertia[0][0], 1e-13 );
			assert_float_equal( mass.inertia[i][( i + 1 ) % 3], 0, 1e-13 );
		}
		assert_float_equal( mass.center_of_mass.x, 0, 1e-15 );
		last = error;
		free( mesh.positions );
		free( mesh.triangles );
	}
	assert_true( last < 2e-3 );
}

// Sheet of w by h: m = w h, about its center m h^2 / 12, m w^2 / 12 and their sum.
static void rectangle( void** state )
{
	(void)state;
	bv_vec3 corner[4] = { { 1, 2, 5 }, { 4, 2, 5 }, { 4, 9, 5 }, { 1, 9, 5 } };
	bvb_triangle triangles[2] = { { { 0, 1, 2 } }, { { 2, 3, 0 } } };
	bvb_mesh mesh = { corner, triangles, 4, 2, NULL };
	bv_mass mass;
	assert_true( bvb_mass_of_surface( &mesh, &mass ) );
	assert_near( mass.mass, 21, 1e-15 );
	assert_near( mass.center_of_mass.x, 2.5, 1e-15 );
	assert_near( mass.center_of_mass.y, 5.5, 1e-15 );
	assert_near( mass.center_of_mass.z, 5, 1e-15 );
	assert_near( mass.inertia[0][0], 21.0 * 49 / 12, 1e-15 );
	assert_near( mass.inertia[1][1], 21.0 * 9 / 12, 1e-15 );
	assert_near( mass.inertia[2][2], 21.0 * 58 / 12, 1e-15 );
	assert_float_equal( mass.inertia[0][1], 0, 1e-14 );
	assert_float_equal( mass.inertia[1][2], 0, 1e-14 );
	assert_float_equal( mass.inertia[2][0], 0, 1e-14 );
}

// The integral of x^2 over the six faces of a box about its center: two lie at half of `along`, four run
// along it.
static double second_moment_of_faces( double along, double b, double c )
{
	return b * c * along * along / 2 + ( b + c ) * along * along * along / 6;
}

static void assert_box_shell( const bv_mass* mass, bv_vec3 center, bv_vec3 size, double relative )
{
	double area = 2 * ( size.x * size.y + size.y * size.z + size.z * size.x );
	double x = second_moment_of_faces( size.x, size.y, size.z );
	double y = second_moment_of_faces( size.y, size.z, size.x );
	double z = second_moment_of_faces( size.z, size.x, size.y );
	assert_near( mass->mass, area, relative );
	assert_near( mass->center_of_mass.x, center.x, relative );
	assert_near( mass->center_of_mass.y, center.y, relative );
	assert_near( mass->center_of_mass.z, center.z, relative );
	assert_near( mass->inertia[0][0], y + z, relative );
	assert_near( mass->inertia[1][1], z + x, relative );
	assert_near( mass->inertia[2][2], x + y, relative );
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		assert_true( fabs( mass->inertia[i][j] ) <= relative * ( x + y + z ) );
		assert_true( mass->inertia[i][j] == mass->inertia[j][i] );
	}
}

static void hollow_boxes_of_all_sizes_and_places( void** state )
{
	(void)state;
	const double scales[] = { 1, 1e-30, 0x1p-140, 1e30, 0x1p118 };
	bv_vec3 positions[8];
	bv_mass mass;
	for ( size_t i = 0; i < sizeof scales / sizeof *scales; ++i )
	{
		double s = scales[i];
		bvb_mesh box = make_box( positions, ( bv_vec3 ){ s, 2 * s, -3 * s }, ( bv_vec3 ){ s, 2 * s, s } );
		assert_true( bvb_mass_of_surface( &box, &mass ) );
		assert_box_shell( &mass, ( bv_vec3 ){ 1.5 * s, 3 * s, -2.5 * s }, ( bv_vec3 ){ s, 2 * s, s }, 1e-14 );
	}
	bvb_mesh far = make_box( positions, ( bv_vec3 ){ 1e6, -2e6, 0x1p30 }, ( bv_vec3 ){ 1, 2, 4 } );
	assert_true( bvb_mass_of_surface( &far, &mass ) );
	assert_box_shell( &mass, ( bv_vec3 ){ 1e6 + 0.5, -2e6 + 1, 0x1p30 + 2 }, ( bv_vec3 ){ 1, 2, 4 }, 1e-14 );
}

// Each triangle and the three that its centroid cuts it into are the same sheet; so are both sides of it,
// with twice the mass.
static void cutting_triangles_leaves_the_surface_as_it_is( void** state )
{
	(void)state;
	bvb_mesh torus_mesh = revolve( 3, 1, 7, 5 );
	uint32_t count = torus_mesh.triangle_count;
	bvb_mesh cut = { .positions = malloc( ( 35 + count ) * sizeof *cut.positions ),
		             .triangles = malloc( 6 * count * sizeof *cut.triangles ) };
	assert_non_null( cut.positions );
	assert_non_null( cut.triangles );
	for ( uint32_t v = 0; v < 35; ++v )
	{
		bv_vec3 p = rotate( torus_mesh.positions[v] );
		torus_mesh.positions[v] = ( bv_vec3 ){ p.x + 10, p.y * 3, p.z - p.x };
		cut.positions[v] = torus_mesh.positions[v];
	}
	for ( uint32_t t = 0; t < count; ++t )
	{
		const uint32_t* corner = torus_mesh.triangles[t].corner;
		const bv_vec3* p = torus_mesh.positions;
		cut.positions[35 + t] = ( bv_vec3 ){ ( p[corner[0]].x + p[corner[1]].x + p[corner[2]].x ) / 3,
			                                 ( p[corner[0]].y + p[corner[1]].y + p[corner[2]].y ) / 3,
			                                 ( p[corner[0]].z + p[corner[1]].z + p[corner[2]].z ) / 3 };
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t next = corner[( k + 1 ) % 3];
			cut.triangles[3 * t + k] = ( bvb_triangle ){ { corner[k], next, 35 + t } };
			cut.triangles[3 * count + 3 * t + k] = ( bvb_triangle ){ { next, corner[k], 35 + t } };
		}
	}
	bv_mass whole;
	assert_true( bvb_mass_of_surface( &torus_mesh, &whole ) );
	cut.vertex_count = 35 + count;
	for ( uint32_t sides = 1; sides <= 2; ++sides )
	{
		bv_mass parts;
		cut.triangle_count = 3 * sides * count;
		assert_true( bvb_mass_of_surface( &cut, &parts ) );
		assert_near( parts.mass, sides * whole.mass, 1e-14 );
		assert_near( parts.center_of_mass.x, whole.center_of_mass.x, 1e-14 );
		for ( int i = 0; i < 9; ++i )
		{
			assert_float_equal( parts.inertia[i / 3][i % 3], sides * whole.inertia[i / 3][i % 3],
			                    1e-13 * fabs( whole.inertia[0][0] ) );
		}
	}
	free( cut.positions );
	free( cut.triangles );
	free( torus_mesh.positions );
	free( torus_mesh.triangles );
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void assert_right_handed( const bv_vec3 axes[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		assert_float_equal( dot( axes[i], axes[i] ), 1, 1e-14 );
		assert_float_equal( dot( axes[i], axes[( i + 1 ) % 3] ), 0, 1e-14 );
	}
	bv_vec3 cross = { axes[0].y * axes[1].z - axes[0].z * axes[1].y,
		              axes[0].z * axes[1].x - axes[0].x * axes[1].z,
		              axes[0].x * axes[1].y - axes[0].y * axes[1].x };
	assert_float_equal( dot( cross, axes[2] ), 1, 1e-14 );
}

// The rotation takes ( 0, 0, 1 ), ( 0, 1, 0 ) and ( 1, 0, 0 ) to ( 28, -4, 35 ) / 45, ( -20, 35, 20 ) / 45
// and ( 29, 28, -20 ) / 45: the first two have their largest component positive already, and their cross
// product is minus the third.
static void assert_axes_of_rotated_box( const bv_vec3 axes[3] )
{
	const double expected[3][3] = { { 28, -4, 35 }, { -20, 35, 20 }, { -29, -28, 20 } };
	for ( int i = 0; i < 3; ++i )
	{
		assert_float_equal( axes[i].x, expected[i][0] / 45, 1e-12 );
		assert_float_equal( axes[i].y, expected[i][1] / 45, 1e-12 );
		assert_float_equal( axes[i].z, expected[i][2] / 45, 1e-12 );
	}
	assert_right_handed( axes );
}

// Moments V / 12 ( h^2 + d^2 ) and so on; inwards they are negative, with the same axes in the same order.
static void principal_axes_of_a_rotated_box_are_its_sides( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bvb_triangle inward[12];
	bvb_mesh box = make_box( positions, ( bv_vec3 ){ 5, 6, 7 }, ( bv_vec3 ){ 1, 2, 4 } );
	for ( int i = 0; i < 12; ++i )
	{
		const uint32_t* c = box_triangles[i].corner;
		inward[i] = ( bvb_triangle ){ { c[0], c[2], c[1] } };
	}
	for ( int i = 0; i < 8; ++i )
	{
		positions[i] = rotate( positions[i] );
	}
	for ( int side = 0; side < 2; ++side )
	{
		bv_mass mass;
		double moments[3];
		bv_vec3 axes[3];
		assert_true( bvb_mass_of_solid( &box, &mass ) );
		bvb_principal_axes( &mass, moments, axes );
		double sign = side == 0 ? 1 : -1;
		assert_near( moments[0], sign * 8.0 / 12 * 5, 1e-13 );
		assert_near( moments[1], sign * 8.0 / 12 * 17, 1e-13 );
		assert_near( moments[2], sign * 8.0 / 12 * 20, 1e-13 );
		assert_axes_of_rotated_box( axes );
		box.triangles = inward;
	}
}

// Where moments are equal any frame will do, but a frame it must be.
static void equal_moments_have_a_frame( void** state )
{
	(void)state;
	bv_vec3 positions[8];
	bvb_mesh cube = make_box( positions, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } );
	bvb_mesh sphere = make_sphere( 3 );
	bvb_mesh ring = revolve( 3, 1, 16, 8 );
	bvb_mesh* meshes[] = { &cube, &sphere, &ring };
	for ( size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i )
	{
		for ( int turned = 0; turned < 2; ++turned )
		{
			bv_mass mass;
			double moments[3];
			bv_vec3 axes[3];
			assert_true( bvb_mass_of_solid( meshes[i], &mass ) );
			bvb_principal_axes( &mass, moments, axes );
			assert_right_handed( axes );
			double trace = mass.inertia[0][0] + mass.inertia[1][1] + mass.inertia[2][2];
			assert_near( moments[0] + moments[1] + moments[2], trace, 1e-14 );
			assert_near( moments[0], moments[1], 1e-12 );
			for ( uint32_t v = 0; v < meshes[i]->vertex_count; ++v )
			{
				meshes[i]->positions[v] = rotate( meshes[i]->positions[v] );
			}
		}
	}
	free( sphere.positions );
	free( sphere.triangles );
	free( ring.positions );
	free( ring.triangles );
}

// Of 1, -2 and 3, which a mesh that is partly inside out may have, the order is by magnitude.
static void moments_of_either_sign_ascend_by_magnitude( void** state )
{
	(void)state;
	const bv_mass mass = { 1, { 0, 0, 0 }, { { -2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 1 } } };
	double moments[3];
	bv_vec3 axes[3];
	bvb_principal_axes( &mass, moments, axes );
	assert_true( moments[0] == 1 && moments[1] == -2 && moments[2] == 3 );
	assert_true( axes[0].z == 1 && axes[1].x == 1 && axes[2].y == 1 );
}

// Powers of two leave every bit but those of the exponent; no inertia at all leaves a frame.
static void principal_axes_do_not_depend_on_the_unit( void** state )
{
	(void)state;
	const double entries[3][3] = { { 9, 1, 2 }, { 1, 7, -0.5 }, { 2, -0.5, 5 } };
	double reference[3];
	bv_vec3 frame[3];
	const int exponents[] = { 0, -900, -600, -100, 100, 600, 900 };
	for ( size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i )
	{
		bv_mass mass = { .mass = 1 };
		for ( int k = 0; k < 9; ++k )
		{
			mass.inertia[k / 3][k % 3] = ldexp( entries[k / 3][k % 3], exponents[i] );
		}
		double moments[3];
		bv_vec3 axes[3];
		bvb_principal_axes( &mass, moments, axes );
		for ( int k = 0; k < 3; ++k )
		{
			reference[k] = i == 0 ? moments[k] : reference[k];
			frame[k] = i == 0 ? axes[k] : frame[k];
			assert_true( moments[k] == ldexp( reference[k], exponents[i] ) );
			assert_memory_equal( &axes[k], &frame[k], sizeof *axes );
		}
	}
	bv_mass none = { .mass = 1 };
	bvb_principal_axes( &none, reference, frame );
	assert_true( reference[0] == 0 && reference[1] == 0 && reference[2] == 0 );
	assert_right_handed( frame );
}

// A sheet and its back: the area counts twice, the volume is a rounding error and is not taken for more.
static void double_sided_sheet_has_no_volume( void** state )
{
	(void)state;
	bv_vec3 corner[4] = { { 0.1, 0.2, 0.3 }, { 1.1, 0.3, 0.7 }, { 0.9, 1.7, 0.1 }, { 0.3, 1.1, 0.9 } };
	bvb_triangle triangles[4] = { { { 0, 1, 2 } }, { { 0, 2, 3 } }, { { 1, 0, 2 } }, { { 3, 2, 0 } } };
	bvb_mesh mesh = { corner, triangles, 4, 4, NULL };
	bv_mass mass;
	assert_false( bvb_mass_of_solid( &mesh, &mass ) );
	assert_true( mass.mass == 0 && area_of( &mesh ) > 0 );
	assert_true( mass.center_of_mass.x == 0 && mass.inertia[0][0] == 0 );
}

// The same triangle from two of its corners and in two directions: what rounding makes of it differs, by more
// than one unit of 2^-53 of its products in the worst of these.
static void random_double_sided_triangles_have_no_volume( void** state )
{
	(void)state;
	uint64_t random = 1;
	for ( int i = 0; i < 100000; ++i )
	{
		double coordinate[9];
		for ( int k = 0; k < 9; ++k )
		{
			random = random * 6364136223846793005u + 1442695040888963407u;
			coordinate[k] = (double)( random >> 11 ) * 0x1p-53;
		}
		bv_vec3 corner[3];
		memcpy( corner, coordinate, sizeof corner );
		bvb_triangle triangles[2] = { { { 0, 1, 2 } }, { { 0, 2, 1 } } };
		triangles[1] = i % 2 ? ( bvb_triangle ){ { 1, 0, 2 } } : triangles[1];
		bvb_mesh mesh = { corner, triangles, 3, 2, NULL };
		bv_mass mass;
		assert_false( bvb_mass_of_solid( &mesh, &mass ) );
	}
}

// Right triangles with legs s: area s^2 / 2, however small the triangle or the mesh.
static void tiny_triangles_have_an_area( void** state )
{
	(void)state;
	const double legs[] = { 1, 1e-30, 0x1p-149, 1e-100, 1e30 };
	for ( size_t i = 0; i < sizeof legs / sizeof *legs; ++i )
	{
		bv_vec3 corner[3] = { { 0, 0, 0 }, { legs[i], 0, 0 }, { 0, 0, legs[i] } };
		bvb_triangle triangle = { { 0, 1, 2 } };
		bvb_mesh mesh = { corner, &triangle, 3, 1, NULL };
		bv_mass mass;
		assert_false( bvb_mass_of_solid( &mesh, &mass ) );
		assert_near( area_of( &mesh ), 0.5 * legs[i] * legs[i], 1e-15 );
	}
}

// 2^53 and 1,024 times 1 / 2: twice the area is 2^54 + 1024, to which no single one of the small triangles makes
// a difference.
static void many_small_triangles_beside_a_large_one_count( void** state )
{
	(void)state;
	bv_vec3 corner[5] = { { 0, 0, 0 }, { 0x1p27, 0, 0 }, { 0, 0x1p27, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	bvb_triangle triangles[1025] = { { { 0, 1, 2 } } };
	for ( int i = 1; i <= 1024; ++i )
	{
		triangles[i] = ( bvb_triangle ){ { 0, 3, 4 } };
	}
	bvb_mesh mesh = { corner, triangles, 5, 1025, NULL };
	assert_true( area_of( &mesh ) == 0x1p53 + 512 );
}

// The same for volumes: a box with faces at 2^18 and, listed after it, 1,024 times the box of size 1.
static void many_small_boxes_beside_a_large_one_count( void** state )
{
	(void)state;
	bv_vec3 positions[16];
	bvb_triangle triangles[12 * 1025];
	make_box( positions, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0x1p18, 0x1p18, 0x1p18 } );
	make_box( positions + 8, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 1, 1 } );
	for ( uint32_t i = 0; i < 12 * 1025; ++i )
	{
		triangles[i] = box_triangles[i % 12];
		for ( int k = 0; k < 3 && i >= 12; ++k )
		{
			triangles[i].corner[k] += 8;
		}
	}
	bvb_mesh mesh = { positions, triangles, 16, 12 * 1025, NULL };
	bv_mass mass;
	assert_true( bvb_mass_of_solid( &mesh, &mass ) );
	assert_true( mass.mass == 0x1p54 + 1024 );
}

static void no_triangles_have_no_mass( void** state )
{
	(void)state;
	bvb_mesh mesh = { 0 };
	bv_mass mass;
	assert_false( bvb_mass_of_solid( &mesh, &mass ) );
	assert_true( area_of( &mesh ) == 0 && mass.mass == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( box_at_the_origin ),
		cmocka_unit_test( box_far_from_the_origin ),
		cmocka_unit_test( boxes_of_extreme_sizes ),
		cmocka_unit_test( thin_box ),
		cmocka_unit_test( needles_and_sheets_along_the_axes_have_their_volume ),
		cmocka_unit_test( oblique_sliver_keeps_its_volume ),
		cmocka_unit_test( rotating_a_box_rotates_its_inertia ),
		cmocka_unit_test( tetrahedron_of_the_literature ),
		cmocka_unit_test( turning_a_mesh_inside_out_changes_the_sign ),
		cmocka_unit_test( torus ),
		cmocka_unit_test( spheres_converge_to_the_ball ),
		cmocka_unit_test( surfaces_of_spheres_converge_to_the_shell ),
		cmocka_unit_test( rectangle ),
		cmocka_unit_test( hollow_boxes_of_all_sizes_and_places ),
		cmocka_unit_test( cutting_triangles_leaves_the_surface_as_it_is ),
		cmocka_unit_test( principal_axes_of_a_rotated_box_are_its_sides ),
		cmocka_unit_test( equal_moments_have_a_frame ),
		cmocka_unit_test( moments_of_either_sign_ascend_by_magnitude ),
		cmocka_unit_test( principal_axes_do_not_depend_on_the_unit ),
		cmocka_unit_test( double_sided_sheet_has_no_volume ),
		cmocka_unit_test( random_double_sided_triangles_have_no_volume ),
		cmocka_unit_test( tiny_triangles_have_an_area ),
		cmocka_unit_test( many_small_triangles_beside_a_large_one_count ),
		cmocka_unit_test( many_small_boxes_beside_a_large_one_count ),
		cmocka_unit_test( no_triangles_have_no_mass ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
