// Welding against the rule itself, carried out by comparing each position with each in 113-bit arithmetic.

#include "support.h"

#include "offline/mesh/hash.h"

#include <float.h>

__extension__ typedef __float128 quad;

static quad squared_distance( bv_vec3 a, bv_vec3 b )
{
	quad x = (quad)a.x - b.x;
	quad y = (quad)a.y - b.y;
	quad z = (quad)a.z - b.z;
	return x * x + y * y + z * z;
}

static int compare_positions( const void* a, const void* b )
{
	const double* p = a;
	const double* q = b;
	for ( int k = 0; k < 3; ++k )
	{
		if ( p[k] != q[k] )
		{
			return p[k] < q[k] ? -1 : 1;
		}
	}
	return 0;
}

// Where the rule moves each position of the source.
static bv_vec3* expected_places( const bvb_mesh* source, double distance )
{
	uint32_t count = source->vertex_count;
	bv_vec3* sorted = malloc( count * sizeof *sorted );
	bv_vec3* kept = malloc( count * sizeof *kept );
	bv_vec3* place = malloc( count * sizeof *place );
	memcpy( sorted, source->positions, count * sizeof *sorted );
	qsort( sorted, count, sizeof *sorted, compare_positions );
	uint32_t kept_count = 0;
	quad limit = (quad)distance * distance;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 target = sorted[i];
		quad least = limit;
		bool found = false;
		for ( uint32_t k = 0; k < kept_count; ++k )
		{
			quad d = squared_distance( sorted[i], kept[k] );
			if ( d < least || ( d == least && !found ) )
			{
				least = d;
				found = true;
				target = kept[k];
			}
		}
		if ( !found )
		{
			kept[kept_count++] = sorted[i];
		}
		for ( uint32_t v = 0; v < count; ++v )
		{
			if ( compare_positions( source->positions + v, sorted + i ) == 0 )
			{
				place[v] = target;
			}
		}
	}
	free( sorted );
	free( kept );
	return place;
}

static bvb_mesh weld( fixture* f, const bvb_mesh* source, double distance )
{
	bvb_mesh out;
	bvb_error error = { "" };
	if ( bvb_mesh_weld( source, distance, f->arena, &out, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return out;
}

static bv_status weld_status( fixture* f, const bvb_mesh* source, double distance, bvb_error* error )
{
	bvb_mesh out;
	return bvb_mesh_weld( source, distance, f->arena, &out, error );
}

// Nothing has moved farther than the distance, no two are within it, and each corner is where the rule puts it.
static uint32_t check_weld( fixture* f, const bvb_mesh* source, double distance )
{
	bvb_mesh out = weld( f, source, distance );
	assert_int_equal( out.triangle_count, source->triangle_count );
	bv_vec3* place = expected_places( source, distance );
	quad limit = (quad)distance * distance;
	uint32_t used = 0;
	for ( uint32_t i = 0; i < 3 * out.triangle_count; ++i )
	{
		uint32_t v = source->triangles[i / 3].corner[i % 3];
		uint32_t w = out.triangles[i / 3].corner[i % 3];
		assert_true( w <= used );
		used += w == used;
		assert_int_equal( compare_positions( out.positions + w, place + v ), 0 );
		assert_true( squared_distance( out.positions[w], source->positions[v] ) <= limit );
	}
	assert_int_equal( used, out.vertex_count );
	for ( uint32_t i = 0; i < out.vertex_count; ++i )
	{
		for ( uint32_t k = 0; k < i; ++k )
		{
			assert_true( squared_distance( out.positions[i], out.positions[k] ) > limit );
		}
		assert_false( signbit( out.positions[i].x ) && out.positions[i].x == 0 );
	}
	free( place );
	return out.vertex_count;
}

// Many points of such a grid are equal, or one and the same distance apart.
static bvb_mesh lattice_soup( fixture* f, uint32_t count, int width, double unit )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		double c[3];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = unit * ( (int)( random_bits( f ) % (unsigned)( 2 * width + 1 ) ) - width );
		}
		mesh.positions[i] = ( bv_vec3 ){ c[0], c[1], c[2] };
	}
	return mesh;
}

static void equal_positions_become_one_vertex_and_every_triangle_stays( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 9, 9, 9 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 },        { -0.0, 1, -0.0 },
		                  { 1, 0, 0 }, { 5, 5, 5 }, { 1, 1, 0 }, { 1, 0x1p-1074, 0 } };
	const uint32_t t[][3] = { { 3, 1, 2 }, { 4, 5, 7 }, { 5, 1, 5 }, { 3, 1, 2 }, { 7, 8, 1 } };
	bvb_mesh source = mesh_of( f, p, 9, t, 5 );
	bvb_mesh out = weld( f, &source, 0 );
	const uint32_t expected[][3] = { { 0, 1, 2 }, { 2, 1, 3 }, { 1, 1, 1 }, { 0, 1, 2 }, { 3, 4, 1 } };
	assert_int_equal( out.triangle_count, 5 );
	assert_int_equal( out.vertex_count, 5 );
	assert_memory_equal( out.triangles, expected, sizeof expected );
	assert_false( signbit( out.positions[2].x ) || signbit( out.positions[2].z ) );
	assert_null( out.origin );
}

static void triangles_keep_the_numbers_they_had( void** state )
{
	fixture* f = *state;
	bvb_mesh source = box_mesh( f, 1, 2, 3 );
	uint32_t origin[12] = { 7, 9 };
	source.origin = origin;
	assert_ptr_equal( weld( f, &source, 0 ).origin, origin );
	assert_ptr_equal( weld( f, &source, 1.5 ).origin, origin );
}

// More vertices than a closed mesh of as many triangles has, so that the tables must grow; the numbers are those of
// first use.
static void soups_without_common_vertices_stay_whole( void** state )
{
	fixture* f = *state;
	bvb_mesh source = soup_create( f, 3000 );
	for ( uint32_t i = 0; i < 9000; ++i )
	{
		source.positions[i] = random_point( f );
	}
	bvb_mesh out = weld( f, &source, 0 );
	assert_int_equal( out.vertex_count, 9000 );
	assert_memory_equal( out.positions, source.positions, 9000 * sizeof *out.positions );
	assert_memory_equal( out.triangles, source.triangles, 3000 * sizeof *out.triangles );
}

// 3, 4, 5 and its like make many pairs exactly at the distance, and many equally near. Cells are 4 or 8 wide here,
// with borders at lattice points.
static void lattices_follow_the_rule( void** state )
{
	fixture* f = *state;
	const double distance[] = { 0.5, 1, 1.5, 2, 3, 5, 7, 40 };
	for ( int round = 0; round < 160; ++round )
	{
		double unit = ldexp( 1, round % 5 * 60 - 120 );
		bvb_mesh source = lattice_soup( f, 30 + (uint32_t)( round % 3 ) * 30, 3 + round % 10, unit );
		check_weld( f, &source, unit * distance[round % 8] );
	}
}

static void random_positions_follow_the_rule_at_any_scale( void** state )
{
	fixture* f = *state;
	const double scale[] = { 1, 1e-30, 1e30, 0x1p-120, 0x1p120, 1e-5 };
	for ( int round = 0; round < 120; ++round )
	{
		double size = scale[round % 6];
		double far = round % 4 == 0 ? 1e6 * size : 0;
		bvb_mesh source = soup_create( f, 60 );
		for ( uint32_t i = 0; i < 180; ++i )
		{
			bv_vec3 p = random_point( f );
			source.positions[i] = ( bv_vec3 ){ size * ( p.x - 0.5 ) + far, size * ( p.y - 0.5 ),
				                               size * ( round % 3 ? p.z - 0.5 : 0 ) - far };
		}
		check_weld( f, &source, size * pow( 2, -10 * random_unit( f ) ) );
	}
}

static void the_result_does_not_depend_on_the_order( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		bvb_mesh a = lattice_soup( f, 80, 6, 1 );
		bvb_mesh b = soup_create( f, 80 );
		uint32_t vertex[240];
		uint32_t triangle[80];
		for ( uint32_t i = 0; i < 240; ++i )
		{
			uint32_t other = (uint32_t)( random_bits( f ) % ( i + 1 ) );
			vertex[i] = vertex[other];
			vertex[other] = i;
		}
		for ( uint32_t i = 0; i < 80; ++i )
		{
			uint32_t other = (uint32_t)( random_bits( f ) % ( i + 1 ) );
			triangle[i] = triangle[other];
			triangle[other] = i;
		}
		for ( uint32_t i = 0; i < 240; ++i )
		{
			b.positions[vertex[i]] = a.positions[i];
			b.triangles[triangle[i / 3]].corner[i % 3] = vertex[i];
		}
		bvb_mesh p = weld( f, &a, 1.5 );
		bvb_mesh q = weld( f, &b, 1.5 );
		assert_int_equal( p.vertex_count, q.vertex_count );
		for ( uint32_t i = 0; i < 240; ++i )
		{
			const bv_vec3* from = p.positions + p.triangles[i / 3].corner[i % 3];
			const bv_vec3* to = q.positions + q.triangles[triangle[i / 3]].corner[i % 3];
			assert_memory_equal( from, to, sizeof *from );
		}
	}
}

// (3, 4, 0) is 5 long.
static void the_distance_itself_is_within_it( void** state )
{
	fixture* f = *state;
	const uint32_t t[][3] = { { 0, 1, 0 } };
	for ( int e = -1000; e <= 1000; e += 40 )
	{
		double unit = ldexp( 1, e );
		const bv_vec3 p[] = { { -unit, -unit, -unit }, { 2 * unit, 3 * unit, -unit } };
		bvb_mesh source = mesh_of( f, p, 2, t, 1 );
		assert_int_equal( weld( f, &source, 5 * unit ).vertex_count, 1 );
		assert_int_equal( weld( f, &source, nextafter( 5 * unit, 0 ) ).vertex_count, 2 );
	}
}

// 1 + 2^-60 rounds to 1 in binary64, and 25 + 2^-60 to 25.
static void distances_are_compared_without_rounding( void** state )
{
	fixture* f = *state;
	const uint32_t t[][3] = { { 0, 1, 2 } };
	const bv_vec3 pair[] = { { 0, 0, 0 }, { 1, 0x1p-30, 0 }, { 0, 0, 0 } };
	bvb_mesh source = mesh_of( f, pair, 3, t, 1 );
	assert_int_equal( weld( f, &source, 1 ).vertex_count, 2 );
	assert_int_equal( check_weld( f, &source, 1 ), 2 );

	// The last one is between two that are kept: by a hair nearer to the second, then exactly in the middle.
	bv_vec3 triple[] = { { -3, -4, 0x1p-30 }, { -3, 4, 0 }, { 0, 0, 0 } };
	source = mesh_of( f, triple, 3, t, 1 );
	assert_int_equal( weld( f, &source, 5.5 ).triangles[0].corner[2], 1 );
	source.positions[0].z = 0;
	assert_int_equal( weld( f, &source, 5.5 ).triangles[0].corner[2], 0 );
}

// Each is within the distance of the one before it; the rule keeps every other one and does not draw all together.
static void chains_do_not_collapse( void** state )
{
	fixture* f = *state;
	bvb_mesh source = soup_create( f, 4 );
	for ( int i = 0; i < 12; ++i )
	{
		source.positions[i] = ( bv_vec3 ){ -3.0 + i, 0, 0 };
	}
	assert_int_equal( check_weld( f, &source, 1 ), 6 );
	assert_int_equal( check_weld( f, &source, 0.999 ), 12 );
	assert_int_equal( check_weld( f, &source, DBL_MAX ), 1 );
}

// Coordinates below 2 have steps of 2^-52: a distance of 2^-50 of the largest is four of them.
static void distances_near_the_limit_follow_the_rule_and_smaller_ones_are_refused( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		int e = round % 4 * 60 - 90;
		bvb_mesh source = lattice_soup( f, 40, 9, ldexp( 1, e - 52 ) );
		for ( int i = 0; i < 120; ++i )
		{
			source.positions[i].x += i % 2 ? ldexp( 1, e ) : -ldexp( 1, e );
			source.positions[i].y += ldexp( 1, e );
		}
		double largest = 0;
		for ( int i = 0; i < 120; ++i )
		{
			largest = fmax( largest, fmax( fabs( source.positions[i].x ), fabs( source.positions[i].y ) ) );
		}
		check_weld( f, &source, largest * 0x1p-50 );
		bvb_error error;
		double less = nextafter( largest * 0x1p-50, 0 );
		assert_int_equal( weld_status( f, &source, less, &error ), bv_error_limit );
		assert_non_null( strstr( error.message, "too small" ) );
	}
}

static void what_is_no_distance_or_no_mesh_is_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh source = box_mesh( f, 1, 1, 1 );
	bvb_error error;
	assert_int_equal( weld_status( f, &source, -1, &error ), bv_error_argument );
	assert_int_equal( weld_status( f, &source, NAN, &error ), bv_error_argument );
	assert_int_equal( weld_status( f, &source, INFINITY, &error ), bv_error_argument );
	source.positions[3].y = NAN;
	assert_int_equal( weld_status( f, &source, 0, &error ), bv_error_input );
	assert_string_equal( error.message, "1 coordinate is not finite (vertex 4)" );
	source.positions[3].y = -INFINITY;
	assert_int_equal( weld_status( f, &source, 1, &error ), bv_error_input );
	source.triangles[11].corner[2] = 8;
	assert_int_equal( weld_status( f, &source, 1, &error ), bv_error_input );
	assert_string_equal( error.message, "triangle 11 refers to vertex 8 of 8" );
	source.triangle_count = BVB_MAX_TRIANGLES + 1;
	assert_int_equal( weld_status( f, &source, 0, &error ), bv_error_limit );
	source.triangle_count = 0;
	assert_int_equal( weld( f, &source, 0 ).vertex_count, 0 );
	assert_int_equal( weld( f, &source, 1 ).vertex_count, 0 );
}

// Squares of these numbers, and some of their differences, are no binary64 numbers.
static void extreme_numbers_are_numbers( void** state )
{
	fixture* f = *state;
	const uint32_t t[][3] = { { 0, 1, 2 } };
	const bv_vec3 huge[] = { { 0x1p1023, 0, 0 }, { -0x1p1023, 0, 0 }, { 0x1p1021, 0, 0 } };
	bvb_mesh source = mesh_of( f, huge, 3, t, 1 );
	assert_int_equal( weld( f, &source, 0 ).vertex_count, 3 );
	assert_int_equal( weld( f, &source, 0x1p1022 ).vertex_count, 3 );
	assert_int_equal( weld( f, &source, 1.5 * 0x1p1022 ).vertex_count, 2 );
	const bv_vec3 tiny[] = { { 0x1p-1074, 0, 0 }, { -0x1p-1074, 0, 0 }, { 0x1p-1072, 0, 0 } };
	source = mesh_of( f, tiny, 3, t, 1 );
	assert_int_equal( weld( f, &source, 0 ).vertex_count, 3 );
	assert_int_equal( weld( f, &source, 0x1p-1074 ).vertex_count, 3 );
	assert_int_equal( weld( f, &source, 0x1p-1073 ).vertex_count, 2 );
}

// A hash as every table begins with it, and keys that it sends to one 256th of any table.
static bool collides( uint64_t a, uint64_t b, uint64_t c )
{
	bvmesh_hash first = { .patience = 0 };
	bvmesh_hash_renew( &first );
	return bvmesh_hash_of( &first, a, b, c ) >> 56 == 0;
}

static void keys_made_to_collide_are_welded_like_others( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 2000,
	};
	bvb_mesh source = soup_create( f, 2 * count );
	for ( uint32_t i = 0; i < 3 * count; )
	{
		bv_vec3 p = random_point( f );
		if ( collides( bvmesh_hash_bits( p.x ), bvmesh_hash_bits( p.y ), bvmesh_hash_bits( p.z ) ) )
		{
			source.positions[i] = p;
			source.positions[i++ + 3 * count] = p;
		}
	}
	bvb_mesh out = weld( f, &source, 0 );
	assert_int_equal( out.vertex_count, 3 * count );
	assert_memory_equal( out.triangles, out.triangles + count, count * sizeof *out.triangles );
	assert_memory_equal( out.triangles, source.triangles, count * sizeof *out.triangles );
}

// With a distance of 3/8 a cell is 1 wide: midpoints of cells stay apart, and the second half is 1/4 beside them.
static void cells_made_to_collide_are_welded_like_others( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 1000,
	};
	bvb_mesh source = soup_create( f, 2 * count );
	for ( uint32_t i = 0; i < 3 * count; )
	{
		uint64_t x = i;
		uint64_t y = random_bits( f ) >> 40;
		uint64_t z = random_bits( f ) >> 40;
		if ( collides( x, y, z ) )
		{
			bv_vec3 p = { (double)x + 0.5, (double)y + 0.5, (double)z + 0.5 };
			source.positions[i] = p;
			source.positions[i++ + 3 * count] = ( bv_vec3 ){ p.x + 0.25, p.y, p.z };
		}
	}
	bvb_mesh out = weld( f, &source, 0.375 );
	assert_int_equal( out.vertex_count, 3 * count );
	assert_memory_equal( out.positions, source.positions, 3 * count * sizeof *out.positions );
	assert_memory_equal( out.triangles, out.triangles + count, count * sizeof *out.triangles );
}

// Every limit of memory ends in a mesh or in bv_error_memory.
static void running_out_of_memory_is_an_error_like_any_other( void** state )
{
	fixture* f = *state;
	bvb_mesh source = lattice_soup( f, 3000, 40, 1 );
	for ( int round = 0; round < 2; ++round )
	{
		int failures = 0;
		bool done = false;
		for ( size_t limit = 0; !done; limit += 3000 )
		{
			bvb_arena* arena = bvb_arena_create_limited( limit );
			bvb_mesh out;
			bvb_error error = { "" };
			bv_status status = bvb_mesh_weld( &source, round, arena, &out, &error );
			done = status == bv_ok;
			assert_true( done || status == bv_error_memory );
			assert_string_equal( error.message, done ? "" : "out of memory" );
			failures += !done;
			bvb_arena_destroy( arena );
		}
		assert_true( failures > 20 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( equal_positions_become_one_vertex_and_every_triangle_stays ),
		fixture_test( triangles_keep_the_numbers_they_had ),
		fixture_test( soups_without_common_vertices_stay_whole ),
		fixture_test( lattices_follow_the_rule ),
		fixture_test( random_positions_follow_the_rule_at_any_scale ),
		fixture_test( the_result_does_not_depend_on_the_order ),
		fixture_test( the_distance_itself_is_within_it ),
		fixture_test( distances_are_compared_without_rounding ),
		fixture_test( chains_do_not_collapse ),
		fixture_test( distances_near_the_limit_follow_the_rule_and_smaller_ones_are_refused ),
		fixture_test( what_is_no_distance_or_no_mesh_is_refused ),
		fixture_test( extreme_numbers_are_numbers ),
		fixture_test( keys_made_to_collide_are_welded_like_others ),
		fixture_test( cells_made_to_collide_are_welded_like_others ),
		fixture_test( running_out_of_memory_is_an_error_like_any_other ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
