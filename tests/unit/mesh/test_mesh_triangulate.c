// Triangulation of polygons: areas against the shoelace formula, orientation of every triangle, and polygons
// that no algorithm can do right but that must still give the right number of triangles.
//
// The signed areas of clipped corners add up to the polygon's whatever was clipped, so the tests add absolute
// areas: these equal the polygon's area only when no two triangles overlap and none lies outside.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	corner_limit = 16384
};

static bv_vec3 positions[corner_limit];
static uint32_t corners[corner_limit];
static uint32_t scratch[2 * corner_limit];
static bvb_triangle triangles[corner_limit + 1];

static uint64_t random_state = 88172645463325252u;

static double random_unit( void )
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)( random_state >> 11 ) * 0x1p-53;
}

static bv_vec3 area_vector( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 u = { b.x - a.x, b.y - a.y, b.z - a.z };
	bv_vec3 v = { c.x - a.x, c.y - a.y, c.z - a.z };
	return ( bv_vec3 ){ ( u.y * v.z - u.z * v.y ) / 2, ( u.z * v.x - u.x * v.z ) / 2,
		                ( u.x * v.y - u.y * v.x ) / 2 };
}

static double length( bv_vec3 a )
{
	return sqrt( a.x * a.x + a.y * a.y + a.z * a.z );
}

static void set( uint32_t i, double x, double y )
{
	positions[i] = ( bv_vec3 ){ x, y, 0 };
}

// A frame that is not aligned with any axis.
static void tilt( uint32_t count, double scale, bv_vec3 shift )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		double x = positions[i].x;
		double y = positions[i].y;
		positions[i] = ( bv_vec3 ){ scale * ( 0.48 * x - 0.6 * y + shift.x ), scale * ( 0.64 * x + shift.y ),
			                        scale * ( 0.36 * x + 0.8 * y + shift.z ) };
	}
}

// Runs the triangulation and checks what holds for any polygon: count - 2 triangles and no more, of given
// corners.
static void triangulate( uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		corners[i] = i;
	}
	memset( triangles, 0xff, sizeof triangles );
	bvb_triangulate( positions, corners, count, scratch, triangles );
	for ( uint32_t i = 0; i + 2 < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( triangles[i].corner[k] < count );
			assert_int_not_equal( triangles[i].corner[k], triangles[i].corner[( k + 1 ) % 3] );
		}
	}
	assert_int_equal( triangles[count - 2].corner[0], UINT32_MAX );
}

// The shoelace formula gives `normal` and its length. Every triangle must face the same way.
static void expect_exact_cover( uint32_t count, bool no_empty_triangle )
{
	triangulate( count );
	bv_vec3 whole = { 0 };
	for ( uint32_t i = 1; i + 1 < count; ++i )
	{
		bv_vec3 part = area_vector( positions[0], positions[i], positions[i + 1] );
		whole = ( bv_vec3 ){ whole.x + part.x, whole.y + part.y, whole.z + part.z };
	}
	double area = length( whole );
	double sum = 0;
	for ( uint32_t i = 0; i + 2 < count; ++i )
	{
		const uint32_t* c = triangles[i].corner;
		bv_vec3 part = area_vector( positions[c[0]], positions[c[1]], positions[c[2]] );
		double along = ( part.x * whole.x + part.y * whole.y + part.z * whole.z ) / area;
		assert_true( along > ( no_empty_triangle ? 0 : -1e-12 * area ) );
		sum += length( part );
	}
	assert_true( fabs( sum - area ) <= 1e-9 * area );
}

static void reverse( uint32_t count )
{
	for ( uint32_t i = 0; i < count / 2; ++i )
	{
		bv_vec3 other = positions[i];
		positions[i] = positions[count - 1 - i];
		positions[count - 1 - i] = other;
	}
}

static void rotate_corners( uint32_t count )
{
	bv_vec3 first = positions[0];
	memmove( positions, positions + 1, ( count - 1 ) * sizeof *positions );
	positions[count - 1] = first;
}

static void circle( uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		set( i, cos( 2 * M_PI * i / count ), sin( 2 * M_PI * i / count ) );
	}
}

// Of a regular polygon the fan is known but for its center, which all triangles share, and its other sides
// are the polygon's own.
static void convex_polygons_become_fans( void** state )
{
	(void)state;
	for ( uint32_t count = 4; count < 40; ++count )
	{
		circle( count );
		tilt( count, 3, ( bv_vec3 ){ 5, -7, 2 } );
		triangulate( count );
		uint32_t center = triangles[0].corner[0];
		for ( uint32_t i = 0; i + 2 < count; ++i )
		{
			assert_int_equal( triangles[i].corner[0], center );
			assert_int_equal( triangles[i].corner[2], ( triangles[i].corner[1] + 1 ) % count );
		}
	}
}

static int compare_triangles( const void* a, const void* b )
{
	return memcmp( a, b, sizeof( bvb_triangle ) );
}

// The triangles over the polygon's own numbering, each from its least corner on, mirrored if asked for, in
// order.
static void sorted_triangles( uint32_t count, const uint32_t* number, bool mirrored, bvb_triangle* out )
{
	for ( uint32_t i = 0; i + 2 < count; ++i )
	{
		uint32_t c[3];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = number[triangles[i].corner[mirrored ? 2 - k : k]];
		}
		int least = 0;
		for ( int k = 1; k < 3; ++k )
		{
			bool less = c[k] != c[least] ? c[k] < c[least] : c[( k + 1 ) % 3] < c[( least + 1 ) % 3];
			least = less ? k : least;
		}
		out[i] = ( bvb_triangle ){ { c[least], c[( least + 1 ) % 3], c[( least + 2 ) % 3] } };
	}
	qsort( out, count - 2, sizeof *out, compare_triangles );
}

// The other side of a sheet lists the same corners backwards, from anywhere.
static void the_list_s_start_and_direction_do_not_matter( void** state )
{
	(void)state;
	for ( int round = 0; round < 2000; ++round )
	{
		uint32_t count = 4 + (uint32_t)( 12 * random_unit() );
		bv_vec3 original[16];
		for ( uint32_t i = 0; i < count; ++i )
		{
			double angle = 2 * M_PI * ( i + 0.5 * random_unit() ) / count;
			double radius = round % 3 ? 0.2 + random_unit() : 1;
			set( i, radius * cos( angle ), radius * sin( angle ) );
		}
		tilt( count, 2, ( bv_vec3 ){ 1, 2, 3 } );
		memcpy( original, positions, count * sizeof *original );

		uint32_t number[16];
		bvb_triangle expected[14];
		bvb_triangle got[14];
		for ( uint32_t i = 0; i < count; ++i )
		{
			number[i] = i;
		}
		triangulate( count );
		sorted_triangles( count, number, false, expected );
		for ( uint32_t start = 0; start < count; ++start )
		{
			for ( int backwards = 0; backwards < 2; ++backwards )
			{
				for ( uint32_t i = 0; i < count; ++i )
				{
					number[i] = ( start + ( backwards ? count - i : i ) ) % count;
					positions[i] = original[number[i]];
				}
				triangulate( count );
				sorted_triangles( count, number, backwards, got );
				assert_memory_equal( expected, got, ( count - 2 ) * sizeof *got );
			}
		}
	}
}

// An arrow head: only the diagonal through the reflex corner lies inside.
// A polygon that comes to its least position more than once: two squares, one in the other, joined at a corner
// of each; one that runs along a slit and back; one that touches itself there three times; one that goes
// around twice; spikes there and back.
static void corners_that_coincide_do_not_matter_either( void** state )
{
	(void)state;
	const bv_vec3 place[8] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 4, 0 }, { 0, 4, 0 },
		                       { 1, 1, 0 }, { 1, 3, 0 }, { 3, 3, 0 }, { 3, 1, 0 } };
	static const struct
	{
		uint32_t count;
		uint32_t list[12];
	} polygons[] = {
		{ 10, { 0, 1, 2, 3, 0, 4, 5, 6, 7, 4 } },       { 8, { 0, 4, 7, 1, 2, 3, 7, 4 } },
		{ 9, { 0, 1, 7, 0, 4, 6, 0, 5, 3 } },           { 8, { 0, 1, 2, 3, 0, 1, 2, 3 } },
		{ 12, { 0, 4, 0, 1, 7, 2, 0, 5, 6, 0, 5, 3 } },
	};
	for ( size_t i = 0; i < sizeof polygons / sizeof *polygons; ++i )
	{
		uint32_t count = polygons[i].count;
		bvb_triangle expected[10];
		bvb_triangle got[10];
		for ( uint32_t start = 0; start < count; ++start )
		{
			for ( int backwards = 0; backwards < 2; ++backwards )
			{
				uint32_t number[12];
				for ( uint32_t k = 0; k < count; ++k )
				{
					number[k] = polygons[i].list[( start + ( backwards ? count - k : k ) ) % count];
					positions[k] = place[number[k]];
				}
				triangulate( count );
				sorted_triangles( count, number, backwards,
				                  start + (uint32_t)backwards > 0 ? got : expected );
				assert_true( start + (uint32_t)backwards == 0 ||
				             memcmp( expected, got, ( count - 2 ) * sizeof *got ) == 0 );
			}
		}
	}
}

static void concave_quads_are_cut_at_the_reflex_corner( void** state )
{
	(void)state;
	for ( uint32_t turn = 0; turn < 8; ++turn )
	{
		set( 0, 0, 0 );
		set( 1, 4, 3 );
		set( 2, 1, 0 );
		set( 3, 4, -3 );
		for ( uint32_t i = 0; i < turn % 4; ++i )
		{
			rotate_corners( 4 );
		}
		if ( turn >= 4 )
		{
			reverse( 4 );
		}
		tilt( 4, 1, ( bv_vec3 ){ 0 } );
		expect_exact_cover( 4, true );
	}
}

static void star_shaped_polygons_are_covered_exactly( void** state )
{
	(void)state;
	for ( int round = 0; round < 2000; ++round )
	{
		uint32_t count = 4 + (uint32_t)( 60 * random_unit() );
		for ( uint32_t i = 0; i < count; ++i )
		{
			double radius = 0.05 + random_unit();
			set( i, radius * cos( 2 * M_PI * i / count ), radius * sin( 2 * M_PI * i / count ) );
		}
		if ( round % 2 )
		{
			reverse( count );
		}
		tilt( count, 1, ( bv_vec3 ){ random_unit(), random_unit(), random_unit() } );
		expect_exact_cover( count, true );
	}
}

static bool segments_cross( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	return area_vector( a, b, c ).z * area_vector( a, b, d ).z <= 0 &&
	       area_vector( c, d, a ).z * area_vector( c, d, b ).z <= 0;
}

// Random corners, untangled by reversing what lies between two sides that cross, each of which shortens the
// polygon.
static void random_simple_polygons_are_covered_exactly( void** state )
{
	(void)state;
	for ( int round = 0; round < 500; ++round )
	{
		uint32_t count = 4 + (uint32_t)( 26 * random_unit() );
		for ( uint32_t i = 0; i < count; ++i )
		{
			set( i, random_unit(), random_unit() );
		}
		for ( bool tangled = true; tangled; )
		{
			tangled = false;
			for ( uint32_t i = 0; i < count; ++i )
			{
				for ( uint32_t j = i + 2; j < count && !( i == 0 && j == count - 1 ); ++j )
				{
					if ( segments_cross( positions[i], positions[i + 1], positions[j],
					                     positions[( j + 1 ) % count] ) )
					{
						for ( uint32_t low = i + 1, high = j; low < high; ++low, --high )
						{
							bv_vec3 other = positions[low];
							positions[low] = positions[high];
							positions[high] = other;
						}
						tangled = true;
					}
				}
			}
		}
		tilt( count, 1, ( bv_vec3 ){ 3, 2, 1 } );
		expect_exact_cover( count, true );
	}
}

static uint32_t comb( uint32_t teeth )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < teeth; ++i )
	{
		set( count++, 2 * i, 0.125 );
		set( count++, 2 * i + 1, 10 );
	}
	set( count++, 2 * teeth, 0.125 );
	set( count++, 2 * teeth, 0 );
	set( count++, 0, 0 );
	return count;
}

static uint32_t spiral( uint32_t steps )
{
	for ( uint32_t i = 0; i < steps; ++i )
	{
		double angle = 0.3 * i;
		set( i, ( 1 + angle ) * cos( angle ), ( 1 + angle ) * sin( angle ) );
		set( 2 * steps - 1 - i, ( 2 + angle ) * cos( angle ), ( 2 + angle ) * sin( angle ) );
	}
	return 2 * steps;
}

static void combs_are_covered_exactly( void** state )
{
	(void)state;
	for ( uint32_t teeth = 1; teeth < 60; ++teeth )
	{
		uint32_t count = comb( teeth );
		if ( teeth % 2 )
		{
			reverse( count );
		}
		tilt( count, 1, ( bv_vec3 ){ 0 } );
		expect_exact_cover( count, true );
	}
}

static void spirals_are_covered_exactly( void** state )
{
	(void)state;
	for ( uint32_t steps = 4; steps < 200; steps += 7 )
	{
		uint32_t count = spiral( steps );
		tilt( count, 1, ( bv_vec3 ){ 0 } );
		expect_exact_cover( count, true );
	}
}

// A corner in the middle of a side belongs to a neighboring face: an empty triangle there would be dropped
// as degenerate and leave a crack.
static void corners_on_straight_sides_give_no_empty_triangle( void** state )
{
	(void)state;
	for ( uint32_t per_side = 2; per_side < 8; ++per_side )
	{
		for ( uint32_t turn = 0; turn < 4 * per_side; ++turn )
		{
			for ( uint32_t i = 0; i < per_side; ++i )
			{
				set( i, i, 0 );
				set( per_side + i, per_side, i );
				set( 2 * per_side + i, per_side - i, per_side );
				set( 3 * per_side + i, 0, per_side - i );
			}
			for ( uint32_t i = 0; i < turn; ++i )
			{
				rotate_corners( 4 * per_side );
			}
			expect_exact_cover( 4 * per_side, true );
		}
	}
}

// A square ring cut open along a bridge, whose two corners appear twice. Area 16 - 4.
static void polygons_with_a_bridge_to_a_hole_are_covered_exactly( void** state )
{
	(void)state;
	const double ring[10][2] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 0, 4 }, { 0, 0 },
		                         { 1, 1 }, { 1, 3 }, { 3, 3 }, { 3, 1 }, { 1, 1 } };
	for ( uint32_t turn = 0; turn < 20; ++turn )
	{
		for ( uint32_t i = 0; i < 10; ++i )
		{
			set( i, ring[i][0], ring[i][1] );
		}
		for ( uint32_t i = 0; i < turn % 10; ++i )
		{
			rotate_corners( 10 );
		}
		if ( turn >= 10 )
		{
			reverse( 10 );
		}
		tilt( 10, 1, ( bv_vec3 ){ 0 } );
		expect_exact_cover( 10, true );
	}
}

// Both boundaries are star-shaped around the origin, and the bridge is a part of a ray from there.
static void random_polygons_with_a_random_hole_are_covered_exactly( void** state )
{
	(void)state;
	for ( int round = 0; round < 2000; ++round )
	{
		uint32_t sides = 3 + (uint32_t)( 20 * random_unit() );
		uint32_t count = 0;
		for ( uint32_t i = 0; i <= sides; ++i )
		{
			double angle = 2 * M_PI * ( i % sides ) / sides;
			double radius = 1.001 / cos( M_PI / sides ) + random_unit();
			set( count++, radius * cos( angle ), radius * sin( angle ) );
		}
		positions[sides] = positions[0];
		for ( uint32_t i = sides + 1; i-- > 0; )
		{
			double angle = 2 * M_PI * ( i % sides ) / sides;
			double radius = 0.1 + 0.9 * random_unit();
			set( count++, radius * cos( angle ), radius * sin( angle ) );
		}
		positions[count - 1] = positions[sides + 1];
		for ( uint32_t i = 0; i < (uint32_t)round % count; ++i )
		{
			rotate_corners( count );
		}
		if ( round % 2 )
		{
			reverse( count );
		}
		expect_exact_cover( count, true );
	}
}

static void expect_exact_cover_from_every_corner( const double ( *outline )[2], uint32_t count,
                                                  bool no_empty_triangle )
{
	for ( uint32_t turn = 0; turn < 2 * count; ++turn )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			set( i, outline[i][0], outline[i][1] );
		}
		for ( uint32_t i = 0; i < turn % count; ++i )
		{
			rotate_corners( count );
		}
		if ( turn >= count )
		{
			reverse( count );
		}
		expect_exact_cover( count, no_empty_triangle );
	}
}

// The diagonal that cuts off the second corner touches the fourth.
static void a_reflex_corner_on_a_diagonal_blocks_it( void** state )
{
	(void)state;
	const double outline[5][2] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 2, 2 }, { 0, 4 } };
	expect_exact_cover_from_every_corner( outline, 5, true );
}

// A square with a wedge cut out of its top that reaches down to the corner (0, 0): no corner lies in the
// triangle there, but two sides run through it. The two parts have 2 triangles and 1, so 2 of the 5 are
// empty.
static void a_cut_that_touches_a_corner_from_inside_blocks_it( void** state )
{
	(void)state;
	const double outline[7][2] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 3, 4 }, { 0, 0 }, { 1, 4 }, { 0, 4 } };
	expect_exact_cover_from_every_corner( outline, 7, false );
}

// Holes above one another, each bridged from the outer boundary's left side.
static void many_bridged_holes_are_covered_exactly( void** state )
{
	(void)state;
	for ( uint32_t holes = 1; holes < 20; ++holes )
	{
		uint32_t count = 0;
		set( count++, 0, 0 );
		set( count++, 3, 0 );
		set( count++, 3, holes );
		set( count++, 0, holes );
		for ( uint32_t i = holes; i-- > 0; )
		{
			set( count++, 0, i + 0.5 );
			set( count++, 1, i + 0.5 );
			set( count++, 1.5, i + 0.75 );
			set( count++, 2, i + 0.5 );
			set( count++, 1.5, i + 0.25 );
			set( count++, 1, i + 0.5 );
			set( count++, 0, i + 0.5 );
		}
		expect_exact_cover( count, false );
	}
}

// Powers of two and of ten: the areas' squares would leave the range of binary64 by far.
static void scale_does_not_change_the_triangles( void** state )
{
	(void)state;
	const double scales[] = { 1e-30, 1e30, 0x1p-300, 0x1p300, 0x1p-1000, 0x1p1000 };
	static bvb_triangle expected[corner_limit];
	for ( size_t k = 0; k < sizeof scales / sizeof scales[0]; ++k )
	{
		uint32_t count = spiral( 40 );
		triangulate( count );
		memcpy( expected, triangles, ( count - 2 ) * sizeof *expected );
		for ( uint32_t i = 0; i < count; ++i )
		{
			positions[i].x *= scales[k];
			positions[i].y *= scales[k];
		}
		triangulate( count );
		assert_memory_equal( triangles, expected, ( count - 2 ) * sizeof *expected );
	}
}

// A quad of size 1e-3 at a distance of 1e9, concave: float would not tell its corners apart.
static void small_polygons_far_from_the_origin_are_covered_exactly( void** state )
{
	(void)state;
	set( 0, 1e9, 1e9 );
	set( 1, 1e9 + 0x1p-10, 1e9 + 0x1p-10 );
	set( 2, 1e9, 1e9 + 0x1p-12 );
	set( 3, 1e9 - 0x1p-10, 1e9 + 0x1p-10 );
	expect_exact_cover( 4, true );
}

static void polygons_without_area_still_give_count_minus_two_triangles( void** state )
{
	(void)state;
	for ( uint32_t count = 3; count < 50; ++count )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			set( i, 1, 2 );
		}
		triangulate( count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			set( i, i, 2.0 * i );
		}
		triangulate( count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			set( i, i % 3, i % 2 );
		}
		triangulate( count );
	}
}

static void self_intersecting_polygons_still_give_count_minus_two_triangles( void** state )
{
	(void)state;
	for ( int round = 0; round < 3000; ++round )
	{
		uint32_t count = 3 + (uint32_t)( 30 * random_unit() );
		double grid = round % 3 ? 4 : 1e9;
		for ( uint32_t i = 0; i < count; ++i )
		{
			positions[i] = ( bv_vec3 ){ floor( grid * random_unit() ), floor( grid * random_unit() ),
				                        floor( grid * random_unit() ) };
		}
		triangulate( count );
	}
	for ( uint32_t i = 0; i < 5; ++i )
	{
		set( i, cos( 4 * M_PI * i / 5 ), sin( 4 * M_PI * i / 5 ) );
	}
	triangulate( 5 );
}

static void non_finite_polygons_still_give_count_minus_two_triangles( void** state )
{
	(void)state;
	const double values[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324 };
	for ( uint32_t count = 3; count < 12; ++count )
	{
		for ( int round = 0; round < 200; ++round )
		{
			for ( uint32_t i = 0; i < count; ++i )
			{
				set( i, random_unit(), random_unit() );
				if ( random_unit() < 0.5 )
				{
					positions[i].x = values[(int)( 6 * random_unit() )];
					positions[i].z = values[(int)( 6 * random_unit() )];
				}
			}
			triangulate( count );
		}
	}
}

// Hardly an ear anywhere: the worst case for the fallback. Cubic time would be many minutes.
static void large_tangled_polygons_end_in_quadratic_time( void** state )
{
	(void)state;
	clock_t start = clock();
	for ( uint32_t i = 0; i < corner_limit / 2; ++i )
	{
		set( i, random_unit(), random_unit() );
	}
	triangulate( corner_limit / 2 );
	assert_true( (double)( clock() - start ) / CLOCKS_PER_SEC < 60 );
}

static void large_concave_polygons_are_covered_exactly( void** state )
{
	(void)state;
	uint32_t count = comb( 4000 );
	expect_exact_cover( count, true );
	count = spiral( 4000 );
	expect_exact_cover( count, true );
}

static void corners_may_be_any_indices( void** state )
{
	(void)state;
	positions[7] = ( bv_vec3 ){ 0, 0, 0 };
	positions[3] = ( bv_vec3 ){ 4, 3, 0 };
	positions[9] = ( bv_vec3 ){ 1, 0, 0 };
	positions[1] = ( bv_vec3 ){ 4, -3, 0 };
	const uint32_t corner[] = { 3, 7, 1, 9 };
	bvb_triangulate( positions, corner, 4, scratch, triangles );

	// Both triangles use the diagonal between vertices 7 and 9.
	for ( int i = 0; i < 2; ++i )
	{
		int ends = 0;
		for ( int k = 0; k < 3; ++k )
		{
			ends += triangles[i].corner[k] == 7 || triangles[i].corner[k] == 9;
		}
		assert_int_equal( ends, 2 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( convex_polygons_become_fans ),
		cmocka_unit_test( the_list_s_start_and_direction_do_not_matter ),
		cmocka_unit_test( corners_that_coincide_do_not_matter_either ),
		cmocka_unit_test( concave_quads_are_cut_at_the_reflex_corner ),
		cmocka_unit_test( star_shaped_polygons_are_covered_exactly ),
		cmocka_unit_test( random_simple_polygons_are_covered_exactly ),
		cmocka_unit_test( combs_are_covered_exactly ),
		cmocka_unit_test( spirals_are_covered_exactly ),
		cmocka_unit_test( corners_on_straight_sides_give_no_empty_triangle ),
		cmocka_unit_test( polygons_with_a_bridge_to_a_hole_are_covered_exactly ),
		cmocka_unit_test( random_polygons_with_a_random_hole_are_covered_exactly ),
		cmocka_unit_test( a_reflex_corner_on_a_diagonal_blocks_it ),
		cmocka_unit_test( a_cut_that_touches_a_corner_from_inside_blocks_it ),
		cmocka_unit_test( many_bridged_holes_are_covered_exactly ),
		cmocka_unit_test( scale_does_not_change_the_triangles ),
		cmocka_unit_test( small_polygons_far_from_the_origin_are_covered_exactly ),
		cmocka_unit_test( polygons_without_area_still_give_count_minus_two_triangles ),
		cmocka_unit_test( self_intersecting_polygons_still_give_count_minus_two_triangles ),
		cmocka_unit_test( non_finite_polygons_still_give_count_minus_two_triangles ),
		cmocka_unit_test( large_tangled_polygons_end_in_quadratic_time ),
		cmocka_unit_test( large_concave_polygons_are_covered_exactly ),
		cmocka_unit_test( corners_may_be_any_indices ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
