// Simplified meshes: what is closed only grows, both distances hold, and the bytes are the same for any number of threads.
// Windings and distances are judged by brute force over all triangles, crossings by whole numbers.

#include "shapes.h"

#include "bvbuild/simplify.h"
#include "offline/simplify/cross.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include "tests/reference/nearest.h"

#include <math.h>

enum
{
	samples = 200,
};

static bvb_mesh cleaned( fixture* f, const bvb_mesh* mesh )
{
	bvb_record_options options = bvb_record_options_default();
	bvb_record record;
	bvb_error error = { "" };
	assert_int_equal( bvb_mesh_record( mesh, &options, f->arena, &record, &error ), bv_ok );
	return record.mesh;
}

static double diagonal_of( const bvb_mesh* mesh )
{
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );
	bv_vec3 e = bv_sub( box.upper, box.lower );
	return sqrt( bv_dot( e, e ) );
}

static double largest_of( const bvb_mesh* mesh )
{
	double largest = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		largest = fmax( largest, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
	}
	return largest;
}

static bvb_simplified simplify( fixture* f, const bvb_mesh* mesh, double tolerance, uint32_t threads )
{
	bvb_simplify_options options = bvb_simplify_options_default();
	options.tolerance = tolerance;
	options.threads = threads;
	bvb_simplified out;
	bvb_error error = { "" };
	assert_int_equal( bvb_simplify( mesh, &options, f->arena, &out, &error ), bv_ok );
	return out;
}

static bv_vec3 point_of( fixture* f, const bvb_mesh* mesh )
{
	const uint32_t* c = mesh->triangles[random_bits( f ) % mesh->triangle_count].corner;
	double u = random_unit( f );
	double v = random_unit( f );
	bool fold = u + v > 1;
	u = fold ? 1 - u : u;
	v = fold ? 1 - v : v;
	bv_vec3 a = mesh->positions[c[0]];
	return bv_add( a, bv_add( bv_scale( u, bv_sub( mesh->positions[c[1]], a ) ),
	                          bv_scale( v, bv_sub( mesh->positions[c[2]], a ) ) ) );
}

// No sample is farther than the interval says, which is no farther than was asked for.
static void check_distance( fixture* f, const bvb_mesh* from, const nearest_faces* to,
                            const bv_interval* interval, double tolerance )
{
	assert_true( interval->lower >= 0 && interval->lower <= interval->upper );
	assert_true( interval->upper <= tolerance );
	for ( int i = 0; i < samples; ++i )
	{
		assert_true( nearest_distance( to, point_of( f, from ), NULL ) <=
		             interval->upper * ( 1 + 1e-12 ) + 1e-13 );
	}
	for ( uint32_t i = 0; i < from->vertex_count; i += 1 + from->vertex_count / samples )
	{
		double distance = nearest_distance( to, from->positions[i], NULL );
		assert_true( distance <= interval->upper * ( 1 + 1e-12 ) + 1e-13 );
	}
}

// The proxy winds round no point less often than the mesh does.
static void check_growth( fixture* f, const bvb_mesh* mesh, const nearest_faces* m, const nearest_faces* p )
{
	double diagonal = diagonal_of( mesh );
	for ( int i = 0; i < samples; ++i )
	{
		bv_vec3 shift = random_point( f );
		shift = bv_scale( 0.02 * diagonal, bv_sub( shift, ( bv_vec3 ){ 0.5, 0.5, 0.5 } ) );
		bv_vec3 x = bv_add( point_of( f, mesh ), shift );
		if ( nearest_distance( m, x, NULL ) > 1e-5 * diagonal &&
		     nearest_distance( p, x, NULL ) > 1e-5 * diagonal )
		{
			assert_true( nearest_winding( p, x ) > nearest_winding( m, x ) - 0.1 );
		}
	}
}

static void check_mesh( const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		volatile float x = (float)p.x;
		volatile float y = (float)p.y;
		volatile float z = (float)p.z;
		assert_true( x == p.x && y == p.y && z == p.z );
	}
	for ( uint32_t i = 0; i < 3 * mesh->triangle_count; ++i )
	{
		assert_true( mesh->triangles[i / 3].corner[i % 3] < mesh->vertex_count );
	}
}

// @return what is left of the triangles
static uint32_t check( fixture* f, const bvb_mesh* source, double part, bool closed, bool all_enclosed )
{
	bvb_mesh mesh = cleaned( f, source );
	double tolerance = part * diagonal_of( &mesh );
	bvb_simplified s = simplify( f, &mesh, tolerance, 0 );
	nearest_faces m;
	nearest_faces p;
	assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &m ) );
	assert_true( nearest_prepare( &s.mesh, 0, s.mesh.triangle_count, &p ) );
	double allowed = fmax( tolerance, 0x1p-35 * diagonal_of( &mesh ) + 0x1p-32 * largest_of( &mesh ) );
	check_mesh( &s.mesh );
	check_distance( f, &s.mesh, &m, &s.from_proxy, allowed );
	check_distance( f, &mesh, &p, &s.from_mesh, allowed );
	if ( closed )
	{
		check_growth( f, &mesh, &m, &p );
	}
	assert_true( !all_enclosed || s.enclosed == mesh.triangle_count );
	assert_true( s.mesh.triangle_count <= mesh.triangle_count );
	nearest_free( &m );
	nearest_free( &p );
	return s.mesh.triangle_count;
}

static bvb_mesh turned_over( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh out = *mesh;
	out.triangles = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *out.triangles );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		out.triangles[i] = ( bvb_triangle ){ { c[0], c[2], c[1] } };
	}
	return out;
}

static bvb_mesh scaled( fixture* f, const bvb_mesh* mesh, double x, double y, double z )
{
	bvb_mesh out = *mesh;
	out.positions = bvb_arena_allocate( f->arena, mesh->vertex_count, sizeof *out.positions );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		out.positions[i] = ( bv_vec3 ){ x * p.x, y * p.y, z * p.z };
	}
	return out;
}

static bvb_mesh torus( fixture* f, uint32_t rings, uint32_t sides )
{
	const double turn = 6.28318530717958647692;
	bvb_mesh mesh = soup_create( f, 2 * rings * sides );
	for ( uint32_t i = 0; i < rings * sides; ++i )
	{
		bv_vec3 c[4];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			double a = turn * ( ( i / sides + k % 2 ) % rings ) / rings;
			double b = turn * ( ( i % sides + k / 2 ) % sides ) / sides;
			double r = 1 + 0.3 * cos( b );
			c[k] = ( bv_vec3 ){ r * cos( a ), r * sin( a ), 0.3 * sin( b ) };
		}
		set_triangle( &mesh, 2 * i, c[0], c[1], c[3] );
		set_triangle( &mesh, 2 * i + 1, c[0], c[3], c[2] );
	}
	return mesh;
}

static const double parts[] = { 0.002, 0.02, 0.1 };

static void what_is_closed_only_grows( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 16 );
	bvb_mesh small = scaled( f, &ball, 0.5, 0.5, 0.5 );
	bvb_mesh cavity = turned_over( f, &small );
	bvb_mesh beside = moved( f, &ball, ( bv_vec3 ){ 1.1, 0.2, 0.1 } );
	bvb_mesh meshes[] = {
		ball,
		icosahedron( f ),
		torus( f, 30, 16 ),
		scaled( f, &ball, 1, 1, 1e-3 ),
		joined( f, &ball, &cavity ),
		joined( f, &ball, &beside ),
		box_mesh( f, 1, 2, 3 ),
	};
	for ( size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i )
	{
		for ( size_t k = 0; k < sizeof parts / sizeof *parts; ++k )
		{
			check( f, &meshes[i], parts[k], true, true );
		}
	}
}

// Cells of a grid: edges with four triangles, vertices with several fans, cavities, all of it flat.
static void cells_that_touch_only_grow( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 6; ++round )
	{
		cubes c = { 0 };
		for ( int i = 0; i < solid_side * solid_side * solid_side; ++i )
		{
			c.filled[i / ( solid_side * solid_side )][i / solid_side % solid_side][i % solid_side] =
				random_bits( f ) % 4 < (uint64_t)( 1 + round % 3 );
		}
		bvb_mesh mesh = surface_of_cubes( f, &c );
		for ( size_t k = 0; k < sizeof parts / sizeof *parts && mesh.triangle_count > 0; ++k )
		{
			check( f, &mesh, parts[k], true, true );
		}
	}
}

// A cube of cells is twelve triangles, a sheet of squares two, with one side or with both.
static void without_tolerance_only_flat_triangles_become_fewer( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 4, 4, 4 }, true );
	bvb_mesh cube = surface_of_cubes( f, &c );
	assert_int_equal( check( f, &cube, 0, true, true ), 12 );
	bvb_mesh flat = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 8 );
	assert_int_equal( check( f, &flat, 0, false, false ), 2 );
	bvb_mesh other = turned_over( f, &flat );
	bvb_mesh both = joined( f, &flat, &other );
	assert_int_equal( check( f, &both, 0, false, false ), 4 );

	// Where rows of vertices are only nearly straight, but in a plane, pieces are thin: that must not take long.
	bvb_mesh ninths = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 24 );
	for ( uint32_t i = 0; i < ninths.vertex_count; ++i )
	{
		bv_vec3 p = ninths.positions[i];
		ninths.positions[i] = ( bv_vec3 ){ (float)( p.x / 9 ), (float)( p.y / 9 ), 0 };
	}
	assert_true( check( f, &ninths, 0, false, false ) < 20 );
	bvb_mesh ball = icosahedron( f );
	assert_int_equal( check( f, &ball, 0, true, true ), 20 );
}

// Half a ball, a double-sided one, and triangles at random: distances hold, whatever it is.
static void distances_hold_for_any_soup( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 16 );
	bvb_mesh half = ball;
	half.triangle_count /= 2;
	bvb_mesh back = turned_over( f, &half );
	bvb_mesh both = joined( f, &half, &back );
	for ( size_t k = 0; k < sizeof parts / sizeof *parts; ++k )
	{
		uint32_t left = check( f, &half, parts[k], false, false );
		assert_true( left < half.triangle_count );
		assert_true( check( f, &both, parts[k], false, false ) < both.triangle_count );
	}
	for ( int round = 0; round < 40; ++round )
	{
		// Vertices on a coarse grid, so that triangles share many of them.
		uint32_t count = 1 + (uint32_t)( random_bits( f ) % 80 );
		bvb_mesh soup = soup_create( f, count + 1 );
		for ( uint32_t i = 0; i < 3 * count; ++i )
		{
			bv_vec3 p = random_point( f );
			soup.positions[i] = ( bv_vec3 ){ floor( 3 * p.x ), floor( 3 * p.y ), floor( 3 * p.z ) };
		}
		set_triangle( &soup, count, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 } );
		check( f, &soup, parts[round % 3], false, false );
	}
}

static void the_result_does_not_depend_on_threads( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	bvb_mesh mesh = cleaned( f, &ball );
	bvb_simplified one = simplify( f, &mesh, 0.02, 1 );
	for ( uint32_t threads = 2; threads <= 8; threads *= 2 )
	{
		bvb_simplified other = simplify( f, &mesh, 0.02, threads );
		assert_int_equal( other.mesh.triangle_count, one.mesh.triangle_count );
		assert_int_equal( other.mesh.vertex_count, one.mesh.vertex_count );
		assert_memory_equal( other.mesh.positions, one.mesh.positions,
		                     one.mesh.vertex_count * sizeof *one.mesh.positions );
		assert_memory_equal( other.mesh.triangles, one.mesh.triangles,
		                     one.mesh.triangle_count * sizeof *one.mesh.triangles );
		assert_memory_equal( &other.from_mesh, &one.from_mesh, sizeof one.from_mesh );
		assert_memory_equal( &other.from_proxy, &one.from_proxy, sizeof one.from_proxy );
		assert_int_equal( other.enclosed, one.enclosed );
	}
}

// Nothing is rounded where all lengths become others by a power of two, so nothing else may change, near either end of binary32.
static void scaling_by_powers_of_two_changes_nothing_else( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_mesh mesh = cleaned( f, &ball );
	bvb_simplified plain = simplify( f, &mesh, 0x1p-5, 1 );
	assert_true( plain.mesh.triangle_count < mesh.triangle_count );
	static const double scales[] = { 0x1p100, 0x1p-60 };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh other = scaled( f, &mesh, scales[i], scales[i], scales[i] );
		bvb_simplified s = simplify( f, &other, scales[i] * 0x1p-5, 1 );
		bvb_mesh expected = scaled( f, &plain.mesh, scales[i], scales[i], scales[i] );
		assert_int_equal( s.mesh.triangle_count, expected.triangle_count );
		assert_memory_equal( s.mesh.triangles, expected.triangles,
		                     expected.triangle_count * sizeof *expected.triangles );
		assert_memory_equal( s.mesh.positions, expected.positions,
		                     expected.vertex_count * sizeof *expected.positions );
		assert_int_equal( s.enclosed, mesh.triangle_count );
	}
}

typedef struct told
{
	double done;
	int times;
} told;

static void listen( void* context, double done )
{
	told* t = context;
	assert_true( done >= t->done && done <= 1 );
	t->done = done;
	t->times += 1;
}

static void progress_only_grows( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 16 );
	bvb_mesh mesh = cleaned( f, &ball );
	told t = { 0, 0 };
	bvb_simplify_options options = bvb_simplify_options_default();
	options.tolerance = 0.05;
	options.progress = listen;
	options.progress_context = &t;
	bvb_simplified out;
	assert_int_equal( bvb_simplify( &mesh, &options, f->arena, &out, NULL ), bv_ok );
	assert_true( t.times > 10 && t.done > 0.8 );
}

static uint32_t enclosed( fixture* f, const bvb_mesh* mesh, const bvb_mesh* proxy )
{
	uint32_t count = 0;
	assert_int_equal( bvb_count_enclosed( mesh, proxy, 0, f->arena, &count, NULL ), bv_ok );
	return count;
}

// Boxes, where it is plain which sides are inside of which.
static void only_what_is_inside_is_enclosed( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	bvb_mesh soup = moved( f, &box, ( bv_vec3 ){ -0.5, -0.5, -0.5 } );
	bvb_mesh inside = cleaned( f, &soup );
	bvb_mesh around = scaled( f, &inside, 2, 2, 2 );
	bvb_mesh facing_inwards = turned_over( f, &around );
	bvb_mesh open = around;
	open.triangle_count -= 1;
	soup = moved( f, &around, ( bv_vec3 ){ 5, 0, 0 } );
	bvb_mesh far = cleaned( f, &soup );
	soup = joined( f, &far, &around );
	bvb_mesh both = cleaned( f, &soup );
	assert_int_equal( enclosed( f, &inside, &around ), 12 );
	assert_int_equal( enclosed( f, &inside, &inside ), 12 );
	assert_int_equal( enclosed( f, &around, &inside ), 0 );
	assert_int_equal( enclosed( f, &inside, &facing_inwards ), 0 );
	assert_int_equal( enclosed( f, &inside, &open ), 0 );
	assert_int_equal( enclosed( f, &inside, &far ), 0 );
	assert_int_equal( enclosed( f, &inside, &both ), 12 );

	// Half of it leaves through one side: the side within, of two triangles, is all that is wholly inside.
	bvb_mesh out = moved( f, &inside, ( bv_vec3 ){ 1, 0.01, 0.02 } );
	assert_int_equal( enclosed( f, &out, &around ), 2 );

	// A hair wider than the proxy on one side.
	bvb_mesh wider = scaled( f, &inside, 1, 1, 1 );
	for ( uint32_t i = 0; i < wider.vertex_count; ++i )
	{
		wider.positions[i].x += wider.positions[i].x > 0 ? 0x1p-40 : 0;
	}
	assert_int_equal( enclosed( f, &wider, &inside ), 2 );
	assert_int_equal( enclosed( f, &inside, &wider ), 12 );
}

typedef int64_t whole;

static void whole_cross( const whole a[3], const whole b[3], whole out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = a[( k + 1 ) % 3] * b[( k + 2 ) % 3] - a[( k + 2 ) % 3] * b[( k + 1 ) % 3];
	}
}

static void whole_difference( const int a[3], const int b[3], whole out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = a[k] - b[k];
	}
}

static whole whole_dot( const whole a[3], const whole b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The segment in which q meets t's plane, clipped by t's sides: whether a point of it is inside of all three. Ends are q's sides
// divided where they cross, times what makes whole numbers of them.
static bool crosses( int t[3][3], int q[3][3] )
{
	whole u[3];
	whole v[3];
	whole normal[3];
	whole height[3];
	whole_difference( t[1], t[0], u );
	whole_difference( t[2], t[0], v );
	whole_cross( u, v, normal );
	bool behind = false;
	for ( int i = 0; i < 3; ++i )
	{
		whole d[3];
		whole_difference( q[i], t[0], d );
		height[i] = whole_dot( normal, d );
		behind = behind || height[i] < 0;
	}
	whole point[6][3];
	whole divisor[6];
	int points = 0;
	for ( int i = 0; i < 3; ++i )
	{
		int k = ( i + 1 ) % 3;
		if ( height[i] == 0 )
		{
			for ( int x = 0; x < 3; ++x )
			{
				point[points][x] = q[i][x];
			}
			divisor[points++] = 1;
		}
		else if ( ( height[i] < 0 && height[k] > 0 ) || ( height[i] > 0 && height[k] < 0 ) )
		{
			whole sign = height[k] > height[i] ? 1 : -1;
			for ( int x = 0; x < 3; ++x )
			{
				point[points][x] = sign * ( q[i][x] * height[k] - q[k][x] * height[i] );
			}
			divisor[points++] = sign * ( height[k] - height[i] );
		}
	}
	if ( !behind || points == 0 )
	{
		return false;
	}

	// Where on the segment, from 0 to 1, a side's function is above 0.
	double low = 0;
	double high = 1;
	bool low_open = false;
	bool high_open = false;
	int last = points - 1;
	for ( int i = 0; i < 3; ++i )
	{
		whole side[3];
		whole inwards[3];
		whole value[2];
		whole_difference( t[( i + 1 ) % 3], t[i], side );
		whole_cross( normal, side, inwards );
		for ( int end = 0; end < 2; ++end )
		{
			int at = end ? last : 0;
			whole d[3];
			for ( int x = 0; x < 3; ++x )
			{
				d[x] = point[at][x] - divisor[at] * t[i][x];
			}
			// Both in units of the product of the divisors.
			value[end] = whole_dot( inwards, d ) * divisor[end ? 0 : last];
		}
		if ( value[0] <= 0 && value[1] <= 0 )
		{
			return false;
		}
		double zero = (double)value[0] / (double)( value[0] - value[1] );
		if ( value[0] <= 0 && zero >= low )
		{
			low = zero;
			low_open = true;
		}
		if ( value[1] <= 0 && zero <= high )
		{
			high = zero;
			high_open = true;
		}
	}
	return low < high || ( low == high && !low_open && !high_open );
}

static bool is_flat( int t[3][3] )
{
	whole u[3];
	whole v[3];
	whole n[3];
	whole_difference( t[1], t[0], u );
	whole_difference( t[2], t[0], v );
	whole_cross( u, v, n );
	return n[0] == 0 && n[1] == 0 && n[2] == 0;
}

// On a coarse grid, where every way of touching happens.
static void crossings_are_those_of_whole_numbers( void** state )
{
	fixture* f = *state;
	int found = 0;
	for ( int round = 0; round < 200000; ++round )
	{
		int corner[2][3][3];
		bv_vec3 place[2][3];
		for ( int i = 0; i < 18; ++i )
		{
			corner[i / 9][i / 3 % 3][i % 3] = (int)( random_bits( f ) % 4 );
		}
		for ( int i = 0; i < 6; ++i )
		{
			const int* c = corner[i / 3][i % 3];
			place[i / 3][i % 3] = ( bv_vec3 ){ c[0] / 8.0, c[1] / 8.0, c[2] / 8.0 };
		}
		if ( !is_flat( corner[0] ) && !is_flat( corner[1] ) )
		{
			bool expected = crosses( corner[0], corner[1] );
			assert_int_equal( bvsimplify_reaches_behind( place[0], place[1] ), expected );
			found += expected;
		}
	}
	assert_true( found > 1000 );
}

static void impossible_tolerances_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	bvb_simplify_options options = bvb_simplify_options_default();
	bvb_simplified out;
	bvb_error error = { "" };
	options.tolerance = -1;
	assert_int_equal( bvb_simplify( &box, &options, f->arena, &out, &error ), bv_error_argument );
	options.tolerance = NAN;
	assert_int_equal( bvb_simplify( &box, &options, f->arena, &out, &error ), bv_error_argument );
	options.tolerance = INFINITY;
	assert_int_equal( bvb_simplify( &box, &options, f->arena, &out, &error ), bv_error_argument );
}

// However little there is of it, running out of memory is an error and nothing else.
static void running_out_of_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_mesh mesh = cleaned( f, &ball );
	bool done = false;
	for ( size_t bytes = 1 << 12; !done; bytes += bytes / 4 )
	{
		bvb_arena* arena = bvb_arena_create_limited( bytes );
		bvb_simplify_options options = bvb_simplify_options_default();
		options.tolerance = 0.05;
		bvb_simplified out;
		bvb_error error = { "" };
		bv_status status = bvb_simplify( &mesh, &options, arena, &out, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		done = status == bv_ok;
		bvb_arena_destroy( arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_is_closed_only_grows ),
		fixture_test( cells_that_touch_only_grow ),
		fixture_test( without_tolerance_only_flat_triangles_become_fewer ),
		fixture_test( distances_hold_for_any_soup ),
		fixture_test( the_result_does_not_depend_on_threads ),
		fixture_test( scaling_by_powers_of_two_changes_nothing_else ),
		fixture_test( progress_only_grows ),
		fixture_test( only_what_is_inside_is_enclosed ),
		fixture_test( crossings_are_those_of_whole_numbers ),
		fixture_test( impossible_tolerances_are_refused ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
