// Convex hulls: exact checks of convexity and containment in integers, known solids, sets of every dimension.
//
// A hull is right if its faces form a closed surface, if no point is outside of any face, and if each of its
// corners is extreme. On coordinates that are small multiples of one unit, which all generators here give,
// these are decisions about integers of less than 128 bits.

#include "bvbuild/hull.h"

#include "tests/reference/random.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__extension__ typedef __int128 wide;

static const double pi = 3.14159265358979323846;

typedef struct wide3
{
	wide x;
	wide y;
	wide z;
} wide3;

static double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

static void shuffle( bv_vec3* points, uint32_t count, uint64_t* state )
{
	for ( uint32_t i = count - 1; i > 0; --i )
	{
		uint32_t j = next_random( state ) % ( i + 1 );
		bv_vec3 other = points[i];
		points[i] = points[j];
		points[j] = other;
	}
}

static bvb_hull compute( const bv_vec3* points, uint32_t count, bvb_arena* arena )
{
	bvb_hull hull;
	bvb_error error = { "" };
	bv_status status = bvb_hull_compute( points, count, arena, &hull, &error );
	if ( status != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return hull;
}

static wide3 to_units( bv_vec3 p, double unit )
{
	assert_true( p.x == rint( p.x / unit ) * unit && p.y == rint( p.y / unit ) * unit &&
	             p.z == rint( p.z / unit ) * unit );
	return ( wide3 ){ (wide)( p.x / unit ), (wide)( p.y / unit ), (wide)( p.z / unit ) };
}

static wide3 minus( wide3 a, wide3 b )
{
	return ( wide3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static wide3 cross( wide3 a, wide3 b )
{
	return ( wide3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static wide dot( wide3 a, wide3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool is_zero( wide3 a )
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

static uint32_t corner_of( const bvb_hull* hull, uint32_t face, int k )
{
	return hull->vertices[hull->faces[face].corner[k]];
}

static int compare_keys( const void* left, const void* right )
{
	const uint64_t* a = left;
	const uint64_t* b = right;
	return ( *a > *b ) - ( *a < *b );
}

// Every directed edge occurs once and so does its reverse, and Euler's formula holds: a sphere.
static void assert_closed( const bvb_hull* hull )
{
	assert_int_equal( hull->kind, bv_hull_polyhedron );
	assert_int_equal( hull->face_count, 2 * hull->vertex_count - 4 );
	uint32_t count = 3 * hull->face_count;
	uint64_t* keys = malloc( 2 * count * sizeof *keys );
	assert_non_null( keys );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t a = hull->faces[i / 3].corner[i % 3];
		uint64_t b = hull->faces[i / 3].corner[( i + 1 ) % 3];
		assert_true( a < hull->vertex_count && a != b );
		keys[i] = a << 32 | b;
		keys[count + i] = b << 32 | a;
	}
	qsort( keys, count, sizeof *keys, compare_keys );
	qsort( keys + count, count, sizeof *keys, compare_keys );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( keys[i] == keys[count + i] );
		assert_true( i == 0 || keys[i] != keys[i - 1] );
	}
	free( keys );
	for ( uint32_t i = 1; i < hull->vertex_count; ++i )
	{
		assert_true( hull->vertices[i - 1] < hull->vertices[i] );
	}
}

// A corner is extreme when three of its faces' planes meet in nothing but it.
static void assert_corners_extreme( const bvb_hull* hull, const wide3* normal )
{
	wide3* first = calloc( hull->vertex_count, sizeof *first );
	wide3* line = calloc( hull->vertex_count, sizeof *line );
	bool* extreme = calloc( hull->vertex_count, sizeof *extreme );
	assert_true( first && line && extreme );
	for ( int pass = 0; pass < 3; ++pass )
	{
		for ( uint32_t f = 0; f < hull->face_count; ++f )
		{
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t v = hull->faces[f].corner[k];
				if ( pass == 0 )
				{
					first[v] = normal[f];
				}
				if ( pass == 1 && is_zero( line[v] ) )
				{
					line[v] = cross( first[v], normal[f] );
				}
				if ( pass == 2 )
				{
					extreme[v] = extreme[v] || dot( line[v], normal[f] ) != 0;
				}
			}
		}
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		assert_true( extreme[v] );
	}
	free( first );
	free( line );
	free( extreme );
}

// Products of three normals of 2^40 fit 128 bits: `small` sets, of at most 2^19 units. Others skip that test.
static void assert_hull_exact( const bvb_hull* hull, const bv_vec3* points, uint32_t count, double unit,
                               bool small )
{
	assert_closed( hull );
	wide3* p = malloc( count * sizeof *p );
	wide3* normal = malloc( hull->face_count * sizeof *normal );
	assert_true( p && normal );
	for ( uint32_t i = 0; i < count; ++i )
	{
		p[i] = to_units( points[i], unit );
	}
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		wide3 a = p[corner_of( hull, f, 0 )];
		normal[f] = cross( minus( p[corner_of( hull, f, 1 )], a ), minus( p[corner_of( hull, f, 2 )], a ) );
		assert_false( is_zero( normal[f] ) );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_true( dot( normal[f], minus( p[i], a ) ) <= 0 );
		}
	}
	if ( small )
	{
		assert_corners_extreme( hull, normal );
	}
	free( p );
	free( normal );
}

static void check( const bv_vec3* points, uint32_t count, double unit, bool small )
{
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull hull = compute( points, count, arena );
	assert_hull_exact( &hull, points, count, unit, small );
	bvb_arena_destroy( arena );
}

// Of the 27 points only 8 are extreme; the others lie in faces, edges and the middle.
static void a_grid_cube_has_eight_corners_in_each_of_2000_orders( void** state )
{
	(void)state;
	uint64_t seed = 1;
	for ( int order = 0; order < 2000; ++order )
	{
		bv_vec3 points[27];
		for ( int i = 0; i < 27; ++i )
		{
			points[i] = ( bv_vec3 ){ i % 3, i / 3 % 3, i / 9 };
		}
		shuffle( points, 27, &seed );
		bvb_arena* arena = bvb_arena_create();
		assert_non_null( arena );
		bvb_hull hull = compute( points, 27, arena );
		assert_hull_exact( &hull, points, 27, 1, true );
		assert_int_equal( hull.vertex_count, 8 );
		assert_int_equal( hull.face_count, 12 );
		assert_true( hull.volume == 8 && hull.area == 24 );
		bvb_arena_destroy( arena );
	}
}

// From 4 points to 63, from a grid of 2 x 2 x 2 with many coincident and coplanar ones to one of 513^3.
static void hulls_of_random_integer_points_are_exact( void** state )
{
	(void)state;
	uint64_t seed = 2;
	uint32_t solids = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		bv_vec3 points[63];
		uint32_t count = 4 + next_random( &seed ) % 60;
		uint32_t range = ( 1u << ( next_random( &seed ) % 10 ) ) + 1;
		for ( uint32_t k = 0; k < count; ++k )
		{
			points[k] = ( bv_vec3 ){ next_random( &seed ) % range, next_random( &seed ) % range,
				                     next_random( &seed ) % range };
		}
		bvb_arena* arena = bvb_arena_create();
		assert_non_null( arena );
		bvb_hull hull = compute( points, count, arena );
		if ( hull.kind == bv_hull_polyhedron )
		{
			++solids;
			assert_hull_exact( &hull, points, count, 1, true );
		}
		bvb_arena_destroy( arena );
	}
	assert_true( solids > 19000 );
}

// All points of a solid grid, sheared so that no face is along an axis.
static void a_sheared_grid_has_eight_corners( void** state )
{
	(void)state;
	enum
	{
		n = 12,
	};
	static bv_vec3 points[n * n * n];
	uint64_t seed = 3;
	for ( int i = 0; i < n * n * n; ++i )
	{
		int x = i % n;
		int y = i / n % n;
		int z = i / n / n;
		points[i] = ( bv_vec3 ){ 3 * x + y + 2 * z, 5 * y - x + z, 7 * z - 2 * x + 3 * y };
	}
	shuffle( points, n * n * n, &seed );
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull hull = compute( points, n * n * n, arena );
	assert_hull_exact( &hull, points, n * n * n, 1, true );
	assert_int_equal( hull.vertex_count, 8 );

	// 3 ( 35 - 3 ) - 1 ( -7 + 2 ) + 2 ( -3 + 10 ) = 115 is the determinant of the shear.
	assert_float_equal( hull.volume, 115.0 * 11 * 11 * 11, 1e-8 );
	bvb_arena_destroy( arena );
}

// A flat grid, turned and rounded to floats in [1, 2): thinner than any tolerance, and yet enclosed exactly.
static void a_rotated_sheet_of_floats_is_a_thin_exact_polyhedron( void** state )
{
	(void)state;
	enum
	{
		n = 40,
	};
	static bv_vec3 points[n * n];
	for ( int turn = 1; turn <= 20; ++turn )
	{
		double c = cos( 0.31 * turn );
		double s = sin( 0.31 * turn );
		for ( int i = 0; i < n * n; ++i )
		{
			double u = ( i % n / (double)n - 0.5 ) / 2;
			double v = ( i / n / (double)n - 0.5 ) / 2;
			points[i] = ( bv_vec3 ){ to_float( 1.5 + c * u - 0.6 * s * v ),
				                     to_float( 1.5 + s * u + 0.6 * c * v ), to_float( 1.5 + 0.8 * v ) };
		}
		bvb_arena* arena = bvb_arena_create();
		assert_non_null( arena );
		bvb_hull hull = compute( points, n * n, arena );
		assert_hull_exact( &hull, points, n * n, 0x1p-23, false );

		// Rounding moves a point by 2^-24 per coordinate at most, and the sheet has an area of 39^2 / 80^2.
		double sheet = 39.0 * 39.0 / 6400;
		assert_true( hull.volume > 0 && hull.volume < sheet * 4 * 0x1p-24 );
		assert_float_equal( hull.area, 2 * sheet, 1e-6 );
		bvb_arena_destroy( arena );
	}
}

// Clouds that are a million times longer, or flatter, than thick.
static void slivers_are_exact( void** state )
{
	(void)state;
	uint64_t seed = 4;
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 points[200];
		double y = i % 2 ? 0x1p-20 : 1;
		for ( int k = 0; k < 200; ++k )
		{
			points[k] = ( bv_vec3 ){ rint( 0x1p30 * random_coordinate( &seed ) ),
				                     rint( 0x1p30 * y * random_coordinate( &seed ) ),
				                     rint( 0x1p10 * random_coordinate( &seed ) ) };
		}
		check( points, 200, 1, false );
	}
}

// Spheres, where every point is a corner but for rounding, and cylinders, whose caps have many coplanar
// corners.
static void round_bodies_of_floats_are_exact( void** state )
{
	(void)state;
	enum
	{
		count = 600,
	};
	static bv_vec3 points[count];
	uint64_t seed = 5;
	for ( int body = 0; body < 6; ++body )
	{
		for ( int i = 0; i < count; ++i )
		{
			double angle = 2 * pi * ( i / 2 ) / ( count / 2 );
			bv_vec3 p = { cos( angle ), sin( angle ), i % 2 };
			if ( body % 2 )
			{
				p = ( bv_vec3 ){ random_coordinate( &seed ), random_coordinate( &seed ),
					             random_coordinate( &seed ) };
				double length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
				p = ( bv_vec3 ){ p.x / length, p.y / length, p.z / length };
			}

			// Multiples of 2^-20: coarse enough that neighbors on the sphere become coplanar now and then.
			points[i] = ( bv_vec3 ){ rint( p.x * 0x1p20 ) * 0x1p-20, rint( p.y * 0x1p20 ) * 0x1p-20,
				                     rint( p.z * 0x1p20 ) * 0x1p-20 };
		}
		check( points, count, 0x1p-20, false );
	}
}

static void known_solids( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	const bv_vec3 tetrahedron[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.1, 0.1, 0.1 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bvb_hull hull = compute( tetrahedron, 5, arena );
	assert_closed( &hull );
	assert_float_equal( hull.volume, 1.0 / 6, 1e-16 );
	assert_float_equal( hull.area, 1.5 + sqrt( 3 ) / 2, 1e-15 );
	const uint32_t corners[4] = { 0, 1, 3, 4 };
	assert_memory_equal( hull.vertices, corners, sizeof corners );

	const bv_vec3 octahedron[7] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 },
		                            { 0, 0, 1 }, { 0, 0, -1 }, { 0, 0, 0 } };
	hull = compute( octahedron, 7, arena );
	assert_closed( &hull );
	assert_int_equal( hull.vertex_count, 6 );
	assert_float_equal( hull.volume, 4.0 / 3, 1e-15 );
	assert_float_equal( hull.area, 4 * sqrt( 3 ), 1e-14 );

	// An icosahedron of edge 2: V = 5/12 ( 3 + sqrt 5 ) 8, A = 5 sqrt( 3 ) 4.
	double g = ( 1 + sqrt( 5 ) ) / 2;
	bv_vec3 icosahedron[12];
	for ( int i = 0; i < 4; ++i )
	{
		double a = i & 1 ? -1 : 1;
		double b = i & 2 ? -g : g;
		icosahedron[3 * i] = ( bv_vec3 ){ 0, a, b };
		icosahedron[3 * i + 1] = ( bv_vec3 ){ a, b, 0 };
		icosahedron[3 * i + 2] = ( bv_vec3 ){ b, 0, a };
	}
	hull = compute( icosahedron, 12, arena );
	assert_closed( &hull );
	assert_float_equal( hull.volume, 5.0 / 12 * ( 3 + sqrt( 5 ) ) * 8, 1e-13 );
	assert_float_equal( hull.area, 20 * sqrt( 3 ), 1e-13 );
	bvb_arena_destroy( arena );
}

// Boxes L x 1 x 1 and L x L x 1 have eight corners, volume L or L^2, and areas 4 L + 2 or 2 L^2 + 4 L.
static void needles_and_sheets_have_their_eight_corners( void** state )
{
	(void)state;
	const double lengths[] = { 2000, 1e9, 1e15, 1e16, 1e30 };
	for ( size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i )
	{
		double length = lengths[i];
		for ( int shape = 0; shape < 6; ++shape )
		{
			double size[3] = { shape < 3 ? 1 : length, shape < 3 ? 1 : length, shape < 3 ? 1 : length };
			size[shape % 3] = shape < 3 ? length : 1;
			bv_vec3 points[8];
			for ( int k = 0; k < 8; ++k )
			{
				points[k] =
					( bv_vec3 ){ ( k & 1 ) * size[0], ( k >> 1 & 1 ) * size[1], ( k >> 2 ) * size[2] };
			}
			bvb_arena* arena = bvb_arena_create();
			assert_non_null( arena );
			bvb_hull hull = compute( points, 8, arena );
			assert_closed( &hull );
			assert_int_equal( hull.vertex_count, 8 );
			double volume = size[0] * size[1] * size[2];
			double area = 2 * ( size[0] * size[1] + size[1] * size[2] + size[2] * size[0] );
			assert_true( fabs( hull.volume - volume ) <= 1e-15 * volume );
			assert_true( fabs( hull.area - area ) <= 1e-15 * area );
			bvb_arena_destroy( arena );
		}
	}
}

// The area within x, x^2 for x from 0 to n - 1, under the chord of its ends, is a polygon of n corners and of twice the area
// (n - 1)^3 / 3 - (n - 1) / 3. Its prism takes a minute where each corner cuts a whole polygon anew.
static void a_prism_has_all_its_16000_sides( void** state )
{
	(void)state;
	enum
	{
		n = 16000,
	};
	bv_vec3* points = malloc( 2 * n * sizeof *points );
	assert_non_null( points );
	for ( uint32_t i = 0; i < 2 * n; ++i )
	{
		double x = i / 2;
		points[i] = ( bv_vec3 ){ x, x * x, i % 2 };
	}
	uint64_t random = 16000;
	shuffle( points, 2 * n, &random );
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull hull = compute( points, 2 * n, arena );
	assert_closed( &hull );
	assert_int_equal( hull.vertex_count, 2 * n );
	assert_int_equal( hull.face_count, 4 * n - 4 );
	double last = n - 1;
	double area = ( last * last * last - last ) / 6;
	assert_true( fabs( hull.volume - area ) <= 1e-12 * area );
	bvb_arena_destroy( arena );
	free( points );
}

static void coincident_points_are_a_point( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	const bv_vec3 points[4] = { { 1e-30, 0.0, 7 }, { 1e-30, -0.0, 7 }, { 1e-30, 0, 7 }, { 1e-30, 0, 7 } };
	for ( uint32_t count = 1; count <= 4; ++count )
	{
		bvb_hull hull = compute( points, count, arena );
		assert_int_equal( hull.kind, bv_hull_point );
		assert_int_equal( hull.vertex_count, 1 );
		assert_int_equal( hull.vertices[0], 0 );
		assert_true( hull.volume == 0 && hull.area == 0 && hull.face_count == 0 );
	}
	const bv_vec3 origin[2] = { { 0, 0, 0 }, { -0.0, 0, 0 } };
	assert_int_equal( compute( origin, 2, arena ).kind, bv_hull_point );
	bvb_arena_destroy( arena );
}

static void collinear_points_are_a_segment( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	uint64_t seed = 6;
	bv_vec3 points[1000];
	for ( int i = 0; i < 1000; ++i )
	{
		double t = next_random( &seed ) % 5000;
		points[i] = ( bv_vec3 ){ 17 - 3 * t, 5 * t, 1e6 + 7 * t };
	}
	points[123] = ( bv_vec3 ){ 17 - 3 * 6000.0, 5 * 6000.0, 1e6 + 7 * 6000.0 };
	points[777] = ( bv_vec3 ){ 17 + 3, -5, 1e6 - 7 };
	points[778] = points[777];
	bvb_hull hull = compute( points, 1000, arena );
	assert_int_equal( hull.kind, bv_hull_segment );
	assert_int_equal( hull.vertex_count, 2 );
	assert_int_equal( hull.vertices[0], 123 );
	assert_int_equal( hull.vertices[1], 777 );
	assert_true( hull.volume == 0 && hull.area == 0 );

	const bv_vec3 two[2] = { { 0, 0, 1e30 }, { 0, 1e-30, 1e30 } };
	assert_int_equal( compute( two, 2, arena ).kind, bv_hull_segment );
	bvb_arena_destroy( arena );
}

// The corners of a rotated square in the plane x + 2 y + 3 z = 0 among points inside and on its sides.
static void coplanar_points_are_a_polygon_in_order( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	uint64_t seed = 7;
	for ( int order = 0; order < 500; ++order )
	{
		bv_vec3 points[49];
		for ( int i = 0; i < 49; ++i )
		{
			int u = i % 7;
			int v = i / 7;
			points[i] = ( bv_vec3 ){ 3 * u + 2 * v, -v, -u };
		}
		shuffle( points, 49, &seed );
		bvb_hull hull = compute( points, 49, arena );
		assert_int_equal( hull.kind, bv_hull_polygon );
		assert_int_equal( hull.vertex_count, 4 );
		assert_int_equal( hull.face_count, 0 );
		for ( int k = 0; k < 4; ++k )
		{
			// Neighbors along the polygon differ in one of the two grid directions.
			bv_vec3 a = points[hull.vertices[k]];
			bv_vec3 b = points[hull.vertices[( k + 1 ) % 4]];
			assert_true( ( a.y == 0 || a.y == -6 ) && ( a.z == 0 || a.z == -6 ) );
			assert_true( ( a.y == b.y ) != ( a.z == b.z ) );
		}

		// | ( 3, 0, -1 ) x ( 2, -1, 0 ) | = sqrt 14 per cell, both sides.
		assert_float_equal( hull.area, 2 * 36 * sqrt( 14 ), 1e-11 );
		assert_true( hull.volume == 0 );
	}
	bvb_arena_destroy( arena );
}

static void small_flat_sets( void** state )
{
	(void)state;
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	const bv_vec3 points[4] = {
		{ 0.1, 0.2, 0.3 }, { 0.7, -0.2, 0.9 }, { 0.4, 0.8, -0.1 }, { 0.1, 0.2, 0.3 }
	};
	bvb_hull hull = compute( points, 4, arena );
	assert_int_equal( hull.kind, bv_hull_polygon );
	assert_int_equal( hull.vertex_count, 3 );

	// Perpendicular to each axis in turn; the fourth point is inside, on a side, or the fourth corner.
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( int fourth = 0; fourth < 3; ++fourth )
		{
			const double u[4] = { 0, 4, 0, fourth + 1 };
			const double v[4] = { 0, 0, 4, fourth + 1 };
			bv_vec3 p[4];
			for ( int i = 0; i < 4; ++i )
			{
				const double at[3] = { 1e30, 1e30 * u[i], 1e30 * v[i] };
				p[i] = ( bv_vec3 ){ at[( 3 - axis ) % 3], at[( 4 - axis ) % 3], at[( 5 - axis ) % 3] };
			}
			hull = compute( p, 4, arena );
			assert_int_equal( hull.kind, bv_hull_polygon );
			assert_int_equal( hull.vertex_count, fourth < 2 ? 3 : 4 );
			assert_float_equal( hull.area / 1e60, fourth < 2 ? 16 : 24, 1e-13 );
		}
	}
	bvb_arena_destroy( arena );
}

// Scaling by a power of two is exact, so nothing may change but the unit.
static void the_hull_does_not_depend_on_the_scale( void** state )
{
	(void)state;
	enum
	{
		count = 300,
	};
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	uint64_t seed = 8;
	bv_vec3 points[count];
	bv_vec3 scaled[count];
	for ( int i = 0; i < count; ++i )
	{
		points[i] =
			( bv_vec3 ){ to_float( 5 + random_coordinate( &seed ) ), to_float( random_coordinate( &seed ) ),
			             to_float( 9 + 1e-6 * random_coordinate( &seed ) ) };
	}
	bvb_hull hull = compute( points, count, arena );
	const int exponents[] = { -100, 100, -300, 300 };
	for ( int e = 0; e < 4; ++e )
	{
		for ( int i = 0; i < count; ++i )
		{
			scaled[i] = ( bv_vec3 ){ ldexp( points[i].x, exponents[e] ), ldexp( points[i].y, exponents[e] ),
				                     ldexp( points[i].z, exponents[e] ) };
		}
		bvb_hull other = compute( scaled, count, arena );
		assert_int_equal( other.vertex_count, hull.vertex_count );
		assert_memory_equal( other.vertices, hull.vertices, hull.vertex_count * sizeof *hull.vertices );
		assert_memory_equal( other.faces, hull.faces, hull.face_count * sizeof *hull.faces );
		assert_true( other.volume == ldexp( hull.volume, 3 * exponents[e] ) );
		assert_true( other.area == ldexp( hull.area, 2 * exponents[e] ) );
	}
	bvb_arena_destroy( arena );
}

// From the least to the largest numbers at once: nothing to compare with but the surface must be closed.
static void numbers_of_all_magnitudes_make_a_closed_hull( void** state )
{
	(void)state;
	uint64_t seed = 9;
	for ( int i = 0; i < 1000; ++i )
	{
		bvb_arena* arena = bvb_arena_create();
		assert_non_null( arena );
		int span = i % 2 ? 1000 : 120;
		bv_vec3 points[50];
		for ( int k = 0; k < 50; ++k )
		{
			double at[3];
			for ( int c = 0; c < 3; ++c )
			{
				int exponent = (int)( next_random( &seed ) % ( 2 * (uint32_t)span ) ) - span;
				at[c] = ldexp( random_coordinate( &seed ), exponent );
			}
			points[k] = ( bv_vec3 ){ at[0], at[1], at[2] };
		}
		bvb_hull hull = compute( points, 50, arena );
		if ( hull.kind == bv_hull_polyhedron )
		{
			assert_closed( &hull );
		}
		bvb_arena_destroy( arena );
	}
}

// Our polyhedra come from qhull. Called directly it has the same corners, and its own sums of volume and area.
static void nothing_that_qhull_finds_is_lost_on_the_way( void** state )
{
	(void)state;
	enum
	{
		count = 2000,
	};
	static bv_vec3 points[count];
	static double copy[3 * count];
	uint64_t seed = 10;
	FILE* silent = fopen( "/dev/null", "w" );
	assert_non_null( silent );
	for ( int i = 0; i < 20; ++i )
	{
		for ( int k = 0; k < count; ++k )
		{
			points[k] = ( bv_vec3 ){ random_coordinate( &seed ), random_coordinate( &seed ),
				                     random_coordinate( &seed ) };
			copy[3 * k] = points[k].x;
			copy[3 * k + 1] = points[k].y;
			copy[3 * k + 2] = points[k].z;
		}
		bvb_arena* arena = bvb_arena_create();
		assert_non_null( arena );
		bvb_hull hull = compute( points, count, arena );

		qhT peer;
		char command[] = "qhull Qt";
		qh_zero( &peer, silent );
		assert_int_equal( qh_new_qhull( &peer, 3, count, copy, False, command, NULL, silent ), 0 );
		qh_getarea( &peer, peer.facet_list );
		assert_int_equal( hull.vertex_count, peer.num_vertices );
		for ( const vertexT* v = peer.vertex_list; v && v->next; v = v->next )
		{
			uint32_t index = (uint32_t)( ( v->point - copy ) / 3 );
			bool found = false;
			for ( uint32_t k = 0; k < hull.vertex_count; ++k )
			{
				found = found || hull.vertices[k] == index;
			}
			assert_true( found );
		}
		assert_float_equal( hull.volume, peer.totvol, 1e-13 * peer.totvol );
		assert_float_equal( hull.area, peer.totarea, 1e-13 * peer.totarea );
		int current;
		int total;
		qh_freeqhull( &peer, !qh_ALL );
		qh_memfreeshort( &peer, &current, &total );
		bvb_arena_destroy( arena );
	}
	fclose( silent );
}

static void equal_inputs_give_equal_hulls( void** state )
{
	(void)state;
	enum
	{
		count = 500,
	};
	bv_vec3 points[count];
	uint64_t seed = 11;
	for ( int i = 0; i < count; ++i )
	{
		points[i] =
			( bv_vec3 ){ next_random( &seed ) % 20, next_random( &seed ) % 20, next_random( &seed ) % 20 };
	}
	bvb_arena* arena = bvb_arena_create();
	assert_non_null( arena );
	bvb_hull first = compute( points, count, arena );
	bvb_hull second = compute( points, count, arena );
	assert_int_equal( first.face_count, second.face_count );
	assert_memory_equal( first.vertices, second.vertices, first.vertex_count * sizeof *first.vertices );
	assert_memory_equal( first.faces, second.faces, first.face_count * sizeof *first.faces );
	bvb_arena_destroy( arena );
}

static void errors_are_reported( void** state )
{
	(void)state;
	bvb_error error;
	bvb_hull hull;
	bv_vec3 points[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { NAN, 0, 0 } };
	bvb_arena* arena = bvb_arena_create();
	assert_int_equal( bvb_hull_compute( points, 0, arena, &hull, &error ), bv_error_argument );
	assert_int_equal( bvb_hull_compute( points, 5, arena, &hull, &error ), bv_error_argument );
	assert_string_equal( error.message, "a point of the hull is not finite" );
	points[4].x = INFINITY;
	assert_int_equal( bvb_hull_compute( points, 5, arena, &hull, &error ), bv_error_argument );
	bvb_arena_destroy( arena );

	bvb_arena* full = bvb_arena_create_limited( 0 );
	for ( uint32_t count = 1; count <= 4; ++count )
	{
		assert_int_equal( bvb_hull_compute( points, count, full, &hull, &error ), bv_error_memory );
		assert_int_equal( hull.vertex_count, 0 );
	}
	bvb_arena_destroy( full );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_grid_cube_has_eight_corners_in_each_of_2000_orders ),
		cmocka_unit_test( hulls_of_random_integer_points_are_exact ),
		cmocka_unit_test( a_sheared_grid_has_eight_corners ),
		cmocka_unit_test( a_rotated_sheet_of_floats_is_a_thin_exact_polyhedron ),
		cmocka_unit_test( slivers_are_exact ),
		cmocka_unit_test( round_bodies_of_floats_are_exact ),
		cmocka_unit_test( known_solids ),
		cmocka_unit_test( needles_and_sheets_have_their_eight_corners ),
		cmocka_unit_test( a_prism_has_all_its_16000_sides ),
		cmocka_unit_test( coincident_points_are_a_point ),
		cmocka_unit_test( collinear_points_are_a_segment ),
		cmocka_unit_test( coplanar_points_are_a_polygon_in_order ),
		cmocka_unit_test( small_flat_sets ),
		cmocka_unit_test( the_hull_does_not_depend_on_the_scale ),
		cmocka_unit_test( numbers_of_all_magnitudes_make_a_closed_hull ),
		cmocka_unit_test( nothing_that_qhull_finds_is_lost_on_the_way ),
		cmocka_unit_test( equal_inputs_give_equal_hulls ),
		cmocka_unit_test( errors_are_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
