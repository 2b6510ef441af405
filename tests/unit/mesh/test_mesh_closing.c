// What closes open meshes: the closed one against sums over all triangles in long double, at points around the caps.

#include "offline/mesh/closing.h"
#include "runtime/triangle/nearest.h"
#include "winding_numbers.h"

static bvmesh_closing close_mesh( fixture* f, const bvb_mesh* mesh, double width )
{
	bvmesh_closing closing;
	assert_int_equal( bvmesh_close( mesh, width, f->arena, &closing ), bv_ok );
	return closing;
}

static bool reach_within( fixture* f, const bvmesh_closing* closing, double reach )
{
	bool within;
	assert_int_equal( bvmesh_caps_reach_within( closing, reach, NULL, NULL, f->arena, &within ), bv_ok );
	return within;
}

// A ball of radius 0.4, without some triangles.
static bvb_mesh holed_ball( fixture* f, uint32_t every )
{
	bvb_mesh mesh = bumpy_ball( f, 12 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = scaled( 0.4 / length_of( mesh.positions[i] ), mesh.positions[i] );
	}
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		mesh.triangles[kept] = mesh.triangles[i];
		kept += i % every != every / 2;
	}
	mesh.triangle_count = kept;
	return mesh;
}

// Each triangle with corners of its own, which are off by up to `width` along each axis.
static bvb_mesh cracked_ball( fixture* f, double width )
{
	bvb_mesh whole = holed_ball( f, UINT32_MAX );
	bvb_mesh soup = soup_create( f, whole.triangle_count );
	for ( uint32_t i = 0; i < soup.vertex_count; ++i )
	{
		bv_vec3 p = whole.positions[whole.triangles[i / 3].corner[i % 3]];
		bv_vec3 d = random_point_within( f, width );
		soup.positions[i] = ( bv_vec3 ){ p.x + d.x, p.y + d.y, p.z + d.z };
	}
	return soup;
}

// A box as thin as said without the same triangle of both large sides.
static bvb_mesh holed_plate( fixture* f, double thickness )
{
	bvb_mesh mesh = box_mesh( f, 0.5, 0.5, thickness );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		const uint32_t* c = mesh.triangles[i].corner;
		const bv_vec3* p = mesh.positions;
		bool flat = p[c[0]].z == p[c[1]].z && p[c[1]].z == p[c[2]].z;
		mesh.triangles[kept] = mesh.triangles[i];
		kept += !flat;
	}
	assert_int_equal( mesh.triangle_count - kept, 4 );
	mesh.triangle_count = kept;
	return mesh;
}

static void corners_of( const bvb_mesh* mesh, uint32_t triangle, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = mesh->positions[mesh->triangles[triangle].corner[k]];
	}
}

// How far a point is from some triangles of a mesh.
static double distance_from( const bvb_mesh* mesh, uint32_t first, uint32_t end, bv_vec3 p )
{
	double least = INFINITY;
	for ( uint32_t i = first; i < end; ++i )
	{
		bv_vec3 corner[3];
		bvtri_nearest nearest;
		corners_of( mesh, i, corner );
		bvtri_nearest_on_triangle( p, corner, &nearest );
		least = fmin( least, sqrt( nearest.square ) );
	}
	return least;
}

static bv_vec3 point_of_triangle( fixture* f, const bvb_mesh* mesh, uint32_t triangle )
{
	bv_vec3 c[3];
	corners_of( mesh, triangle, c );
	double a = random_unit( f );
	double b = random_unit( f ) * ( 1 - a );
	bv_vec3 p = scaled( 1 - a - b, c[0] );
	p = ( bv_vec3 ){ p.x + a * c[1].x, p.y + a * c[1].y, p.z + a * c[1].z };
	return ( bv_vec3 ){ p.x + b * c[2].x, p.y + b * c[2].y, p.z + b * c[2].z };
}

// The largest winding number of caps, of either sign, at random points that are as far from them as said, and a
// little farther.
static double largest_winding( fixture* f, const bvb_mesh* open, const bvmesh_closing* c, double reach,
                               int samples )
{
	double largest = 0;
	uint32_t caps = c->mesh.triangle_count - c->first_cap;
	for ( int i = 0; i < samples; )
	{
		uint32_t cap = c->first_cap + (uint32_t)( random_unit( f ) * caps );
		bv_vec3 p = point_of_triangle( f, &c->mesh, cap );
		bv_vec3 d = random_point_within( f, 1.2 * reach );
		p = ( bv_vec3 ){ p.x + d.x, p.y + d.y, p.z + d.z };
		if ( distance_from( &c->mesh, c->first_cap, c->mesh.triangle_count, p ) < reach )
		{
			continue;
		}
		double winding = brute_force( &c->mesh, p ) - brute_force( open, p );
		largest = fmax( largest, fabs( winding ) );
		++i;
	}
	return largest;
}

static void no_edge_is_open( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { holed_ball( f, 7 ), holed_ball( f, 2 ), cracked_ball( f, 1e-4 ),
		                  make_dome( f, 16, 5 ), holed_plate( f, 0.1 ) };
	for ( size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i )
	{
		for ( double width = 0; width < 0.5; width = 4 * width + 1e-4 )
		{
			bvmesh_closing closing = close_mesh( f, meshes + i, width );
			assert_true( bvb_winding_open_edges( create( f, meshes + i ) ) > 0 );
			assert_true( bvb_winding_is_closed( create( f, &closing.mesh ) ) );
			assert_memory_equal( closing.mesh.triangles, meshes[i].triangles,
			                     meshes[i].triangle_count * sizeof *meshes[i].triangles );
		}
	}
}

// Of a loop of three edges the cap is the triangle that was removed.
static void a_removed_triangle_comes_back( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = holed_ball( f, 200 );
	bvb_mesh whole = holed_ball( f, UINT32_MAX );
	bvmesh_closing closing = close_mesh( f, &mesh, 0 );
	assert_int_equal( closing.mesh.triangle_count, whole.triangle_count );
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 p = random_point_within( f, 0.6 );
		assert_true( fabs( brute_force( &closing.mesh, p ) - brute_force( &whole, p ) ) < 1e-12 );
	}
}

static void beyond_their_reach_caps_are_below_a_half( void** state )
{
	fixture* f = *state;
	const struct
	{
		bvb_mesh mesh;
		double width;
		double reach;
	} cases[] = {
		{ holed_ball( f, 200 ), 0, 0x1p-8 },       // single triangles
		{ holed_ball( f, 9 ), 0, 0x1p-6 },         // side by side
		{ holed_ball( f, 5 ), 0, 0x1p-5 },         // loops of many edges
		{ cracked_ball( f, 2e-5 ), 2e-4, 0x1p-8 }, // strips
		{ make_dome( f, 16, 5 ), 0, 0x1p-5 },      // one in a plane
		{ holed_plate( f, 0.2 ), 0, 0.18 },        // opposite ones
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvmesh_closing closing = close_mesh( f, &cases[i].mesh, cases[i].width );
		assert_true( reach_within( f, &closing, cases[i].reach ) );
		double largest =
			largest_winding( f, &cases[i].mesh, &closing, cases[i].reach, is_thorough() ? 3000 : 300 );
		print_message( "%u caps: %.4f at %g\n", closing.mesh.triangle_count - closing.first_cap, largest,
		               cases[i].reach );
		assert_true( largest < 0.5 );
	}
}

// Between opposite caps of a thin plate the winding number of both is nearly 1, farther away than that.
static void caps_of_a_thin_plate_reach_far( void** state )
{
	fixture* f = *state;
	bvb_mesh plate = holed_plate( f, 0.02 );
	bvmesh_closing closing = close_mesh( f, &plate, 0 );
	assert_true( largest_winding( f, &plate, &closing, 0x1p-8, 300 ) > 0.5 );
	assert_false( reach_within( f, &closing, 0x1p-8 ) );
}

// Squares of many small caps each. Above the middle of one the winding number is less than 1/2, because of what is
// missing beyond its sides; another one behind it adds more than that. No cap makes up much of either.
static void many_small_caps_add_up( void** state )
{
	enum
	{
		side = 5
	};
	fixture* f = *state;
	for ( uint32_t squares = 1; squares <= 2; ++squares )
	{
		bvmesh_closing closing = { .mesh.vertex_count = 2 * ( side + 1 ) * ( side + 1 ),
			                       .mesh.triangle_count = squares * 2 * side * side };
		bvb_mesh* m = &closing.mesh;
		m->positions = bvb_arena_allocate( f->arena, m->vertex_count, sizeof *m->positions );
		m->triangles = bvb_arena_allocate( f->arena, m->triangle_count, sizeof *m->triangles );
		uint32_t triangles = 0;
		for ( uint32_t z = 0; z < 2; ++z )
		{
			uint32_t first = z * ( side + 1 ) * ( side + 1 );
			for ( uint32_t i = 0; i < ( side + 1 ) * ( side + 1 ); ++i )
			{
				m->positions[first + i] = ( bv_vec3 ){ (double)( i % ( side + 1 ) ) / side - 0.5,
					                                   (double)( i / ( side + 1 ) ) / side - 0.5, -0.3 * z };
			}
			for ( uint32_t i = 0; i < side * side && z < squares; ++i )
			{
				uint32_t a = first + i / side * ( side + 1 ) + i % side;
				m->triangles[triangles++] = ( bvb_triangle ){ { a, a + 1, a + side + 2 } };
				m->triangles[triangles++] = ( bvb_triangle ){ { a, a + side + 2, a + side + 1 } };
			}
		}
		assert_int_equal( triangles, m->triangle_count );

		// Seen from above its middle, a square fills atan( 1 / (4 h sqrt( h^2 + 1/2 )) ) / pi of the sphere.
		double reach = 0.1;
		double seen = 0;
		for ( uint32_t z = 0; z < squares; ++z )
		{
			double h = reach + 0.3 * z;
			seen += atan( 1 / ( 4 * h * sqrt( h * h + 0.5 ) ) ) / acos( -1 );
		}
		assert_true( squares == 1 ? seen < 0.45 : seen > 0.55 );
		assert_true( reach_within( f, &closing, reach ) == ( squares == 1 ) );
	}
}

// Caps without a mesh.
static bvmesh_closing begin_caps( fixture* f, uint32_t most )
{
	bvmesh_closing c = { .first_cap = 0 };
	c.mesh.positions = bvb_arena_allocate( f->arena, 3 * (size_t)most, sizeof *c.mesh.positions );
	c.mesh.triangles = bvb_arena_allocate( f->arena, most, sizeof *c.mesh.triangles );
	return c;
}

// Equal triangles at one place.
// @param share  part of a sphere of radius 1 around a point that all of them would fill together, if they were small
static void add_stack( bvmesh_closing* c, bv_vec3 center, bv_vec3 normal, uint32_t count, double share )
{
	// The area of an equilateral triangle is 3 sqrt( 3 ) / 4 of the square of its radius.
	double radius = sqrt( 4 * pi * share / count / ( 0.75 * sqrt( 3 ) ) );
	bv_vec3 n = normal;
	bv_vec3 u = fabs( n.z ) < 0.9 ? ( bv_vec3 ){ n.y, -n.x, 0 } : ( bv_vec3 ){ 0, n.z, -n.y };
	u = scaled( 1 / length_of( u ), u );
	bv_vec3 v = { n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x };
	uint32_t first = c->mesh.vertex_count;
	for ( int k = 0; k < 3; ++k )
	{
		double x = radius * cos( 2 * pi * k / 3 );
		double y = radius * sin( 2 * pi * k / 3 );
		c->mesh.positions[c->mesh.vertex_count++] =
			( bv_vec3 ){ center.x + x * u.x + y * v.x, center.y + x * u.y + y * v.y,
			             center.z + x * u.z + y * v.z };
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		c->mesh.triangles[c->mesh.triangle_count++] = ( bvb_triangle ){ { first, first + 1, first + 2 } };
	}
}

// Shrinks caps to coordinates below 1, and asks whether their reach is within what the distance 1 becomes.
// @param p        no nearer than that to any of them
// @param winding  receives the winding number there, without its sign
static bool is_within_one( fixture* f, bvmesh_closing* c, double shrink, bv_vec3 p, double* winding )
{
	for ( uint32_t i = 0; i < c->mesh.vertex_count; ++i )
	{
		c->mesh.positions[i] = scaled( shrink, c->mesh.positions[i] );
	}
	p = scaled( shrink, p );
	assert_true( distance_from( &c->mesh, 0, c->mesh.triangle_count, p ) >= shrink * ( 1 - 1e-12 ) );
	*winding = fabs( brute_force( &c->mesh, p ) );
	return reach_within( f, c, shrink );
}

// Caps on a sphere around a stack add to the winding number of the stack. Small ones do so by their vector area.
static void caps_that_are_far_add_up( void** state )
{
	fixture* f = *state;
	static const struct
	{
		uint32_t caps;
		double stack;
		double seen;
		bool within;
	} cases[] = { { 200, 0.43, 0.1, false }, { 600, 0.43, 0.1, false }, { 600, 0.36, 0.1, true } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		static const double radius = 10;
		bvmesh_closing c = begin_caps( f, cases[i].caps + 32 );
		add_stack( &c, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 0, 1 }, 32, cases[i].stack );
		for ( uint32_t k = 0; k < cases[i].caps; ++k )
		{
			// A spiral with equal steps in height.
			double z = ( 2.0 * k + 1 ) / cases[i].caps - 1;
			double around = pi * ( 3 - sqrt( 5 ) ) * k;
			double r = sqrt( 1 - z * z );
			bv_vec3 to = { r * cos( around ), r * sin( around ), z };
			add_stack( &c, scaled( radius, to ), scaled( -1, to ), 1,
			           cases[i].seen * radius * radius / cases[i].caps );
		}
		double winding;
		bool within = is_within_one( f, &c, 1 / ( radius + 2 ), ( bv_vec3 ){ 0, 0, 1 }, &winding );
		assert_true( cases[i].within ? winding < 0.48 : winding > 0.5 );
		assert_true( within == cases[i].within );
	}
}

// Between two stacks of caps the winding number is 1/2, although it is less by its value and slope at either of them.
static void slopes_of_caps_that_are_far_change( void** state )
{
	fixture* f = *state;
	static const struct
	{
		uint32_t caps;
		double seen;
		double apart;
	} cases[] = { { 100, 0.4, 2.9 }, { 240, 0.34, 2.4 } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		const bv_vec3 up = { 0, 0, 1 };
		bvmesh_closing c = begin_caps( f, 2 * cases[i].caps );
		add_stack( &c, ( bv_vec3 ){ 0, 0, 0 }, up, cases[i].caps, cases[i].seen );
		add_stack( &c, scaled( cases[i].apart, up ), scaled( -1, up ), cases[i].caps, cases[i].seen );
		double winding;
		bool within = is_within_one( f, &c, 0.3, up, &winding );
		assert_true( winding > 0.5 );
		assert_false( within );
	}
}

// The winding number of two stacks of caps side by side is largest above the middle between both, and below 1/2 above each of them.
static void caps_are_measured_between_the_middles_of_patches( void** state )
{
	fixture* f = *state;
	static const double aside = 0.45;
	static const double shrink = 0.5;
	bvmesh_closing c = begin_caps( f, 128 );
	add_stack( &c, ( bv_vec3 ){ -aside, 0, 0 }, ( bv_vec3 ){ 0, 0, 1 }, 64, 0.325 );
	add_stack( &c, ( bv_vec3 ){ aside, 0, 0 }, ( bv_vec3 ){ 0, 0, 1 }, 64, 0.325 );
	double winding;
	bool within = is_within_one( f, &c, shrink, ( bv_vec3 ){ 0, 0, 0.97 }, &winding );
	double above = fabs( brute_force( &c.mesh, ( bv_vec3 ){ shrink * aside, 0, shrink } ) );
	assert_true( above < 0.49 && winding > 0.5 );
	assert_false( within );
}

static void points_of_caps_are_as_near_as_said( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { cracked_ball( f, 1e-4 ), cracked_ball( f, 1e-3 ), holed_ball( f, 5 ) };
	const double widths[] = { 1e-3, 1e-2, 0 };
	const double most[] = { 4e-4, 4e-3, INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		bvmesh_closing closing = close_mesh( f, meshes + i, widths[i] );
		uint32_t caps = closing.mesh.triangle_count - closing.first_cap;
		for ( uint32_t k = 0; k < caps; ++k )
		{
			double known = bvmesh_cap_distance( &closing, k );
			bv_vec3 p = point_of_triangle( f, &closing.mesh, closing.first_cap + k );
			assert_true( known <= most[i] );
			assert_true( distance_from( &closing.mesh, 0, closing.first_cap, p ) <= known + 1e-15 );
		}
	}
}

static void too_little_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = holed_ball( f, 9 );
	int failures = 0;
	bool good = false;
	for ( size_t bytes = 1 << 10; !good; bytes += bytes / 8 )
	{
		bvb_arena* arena = bvb_arena_create_limited( bytes );
		bvmesh_closing closing;
		bool within;
		bv_status status = bvmesh_close( &mesh, 0, arena, &closing );
		status = status == bv_ok ? bvmesh_caps_reach_within( &closing, 0x1p-5, NULL, NULL, arena, &within )
		                         : status;
		good = status == bv_ok;
		failures += !good;
		assert_true( good || status == bv_error_memory );
		bvb_arena_destroy( arena );
	}
	assert_true( failures > 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_edge_is_open ),
		fixture_test( a_removed_triangle_comes_back ),
		fixture_test( beyond_their_reach_caps_are_below_a_half ),
		fixture_test( caps_of_a_thin_plate_reach_far ),
		fixture_test( many_small_caps_add_up ),
		fixture_test( caps_that_are_far_add_up ),
		fixture_test( slopes_of_caps_that_are_far_change ),
		fixture_test( caps_are_measured_between_the_middles_of_patches ),
		fixture_test( points_of_caps_are_as_near_as_said ),
		fixture_test( too_little_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
