// Convex meshes whose hull has to be simplified to few corners become as many parts as the tolerance needs, or as many as are
// allowed.

#include "decomposed.h"

// The smallest distance from the origin to the plane of a triangle: a ball of this radius is inside.
static double inradius_of( const bvb_mesh* mesh )
{
	double least = INFINITY;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		bv_vec3 a = mesh->positions[c[0]];
		bv_vec3 n = bv_cross( plus( mesh->positions[c[1]], -1, a ), plus( mesh->positions[c[2]], -1, a ) );
		least = fmin( least, dot( n, a ) / length( n ) );
	}
	return least;
}

static bvb_decomposition decompose_capped( fixture* f, const bvb_mesh* mesh, uint32_t max_vertices,
                                           double percent, uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.max_vertices = max_vertices;
	options.max_parts = max_parts;
	options.tolerance = 0.01 * percent * diagonal_of( mesh );
	bvb_decomposition d = decompose( f, mesh, &options );
	check_parts( f, mesh, &options, &d );
	check_cover( f, mesh, &d, 20 );
	check_concavity( mesh, &d, 20 );
	assert_true( d.concavity.upper <= d.tolerance || d.part_count == max_parts );
	return d;
}

// A cap and a tolerance, in percent of the diagonal, that can be reached with 64 parts.
typedef struct reachable
{
	uint32_t max_vertices;
	double percent;
} reachable;

// Those that take a sphere few parts; with more time all that are reached with 512.
static const reachable few_parts[] = { { 8, 5 }, { 32, 1.5 } };
static const reachable many_parts[] = {
	{ 8, 5 },  { 8, 2 },    { 8, 1 },  { 16, 5 }, { 16, 2 }, { 16, 1 },   { 16, 0.5 }, { 32, 5 },   { 32, 2 },
	{ 32, 1 }, { 32, 0.5 }, { 64, 5 }, { 64, 2 }, { 64, 1 }, { 64, 0.5 }, { 64, 0.2 }, { 64, 0.1 },
};

static void check_reached( fixture* f, const bvb_mesh* mesh )
{
	const reachable* cases = is_thorough() ? many_parts : few_parts;
	size_t count =
		is_thorough() ? sizeof many_parts / sizeof *many_parts : sizeof few_parts / sizeof *few_parts;
	for ( size_t i = 0; i < count; ++i )
	{
		uint32_t max_parts = is_thorough() ? 512 : 64;
		bvb_decomposition d = decompose_capped( f, mesh, cases[i].max_vertices, cases[i].percent, max_parts );
		assert_true( d.concavity.upper <= d.tolerance );
	}
}

static bvb_mesh scaled( fixture* f, bvb_mesh mesh, double x, double y, double z )
{
	for ( uint32_t v = 0; v < mesh.vertex_count; ++v )
	{
		bv_vec3* p = mesh.positions + v;
		*p = ( bv_vec3 ){ x * p->x, y * p->y, z * p->z };
	}
	return record_of( f, &mesh );
}

// A point outside of the sphere is |p| - 1 from it; the mesh is between the unit sphere and its inscribed ball.
static void parts_of_a_sphere_stand_off_as_their_corners_do( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, is_thorough() ? 3 : 2 );
	ball = record_of( f, &ball );
	double inner = inradius_of( &ball );
	for ( size_t i = 0; i < sizeof few_parts / sizeof *few_parts; ++i )
	{
		bvb_decomposition d =
			decompose_capped( f, &ball, few_parts[i].max_vertices, few_parts[i].percent, 64 );
		assert_true( d.part_count > 1 );
		for ( uint32_t p = 0; p < d.part_count; ++p )
		{
			double farthest = 0;
			for ( uint32_t v = 0; v < d.parts[p].vertex_count; ++v )
			{
				farthest = fmax( farthest, length( d.parts[p].positions[v] ) );
			}
			assert_true( farthest - 1 <= d.parts[p].concavity.upper + 0x1p-20 );
			assert_true( d.parts[p].concavity.lower <= fmax( farthest - inner, 0 ) + 0x1p-20 );
			assert_true( farthest <= 1 + d.tolerance + 0x1p-20 );
		}
	}
}

static void ellipsoids_keep_to_the_tolerance( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = scaled( f, icosphere( f, is_thorough() ? 3 : 2 ), 3, 2, 1 );
	check_reached( f, &ball );
	if ( is_thorough() )
	{
		bvb_mesh needle = scaled( f, icosphere( f, is_thorough() ? 3 : 2 ), 10, 1, 1 );
		check_reached( f, &needle );
	}
}

static void cylinders_keep_to_the_tolerance( void** state )
{
	fixture* f = *state;
	bvb_mesh pillar = cylinder_mesh( f, 1, 3, 200, 1 );
	bvb_mesh disk = cylinder_mesh( f, 1, 0.1, 200, 1 );
	pillar = record_of( f, &pillar );
	disk = record_of( f, &disk );
	check_reached( f, &pillar );
	check_reached( f, &disk );
}

static void cones_keep_to_the_tolerance( void** state )
{
	fixture* f = *state;
	bv_vec3 points[201] = { { 0, 0, 2 } };
	for ( int k = 0; k < 200; ++k )
	{
		// Points of the unit circle with rational coordinates.
		double t = ( k % 100 - 49.5 ) / 50;
		double sign = k < 100 ? 1 : -1;
		points[1 + k] = ( bv_vec3 ){ sign * ( 1 - t * t ) / ( 1 + t * t ), sign * 2 * t / ( 1 + t * t ), 0 };
	}
	bvb_mesh cone = hull_mesh( f, points, 201 );
	cone = record_of( f, &cone );
	check_reached( f, &cone );
}

static void random_polytopes_keep_to_the_tolerance( void** state )
{
	fixture* f = *state;
	bv_vec3 points[400];
	for ( int k = 0; k < 400; ++k )
	{
		bv_vec3 p = random_point( f );
		points[k] = plus( ( bv_vec3 ){ 0 }, 1 / length( p ), p );
	}
	bvb_mesh mesh = hull_mesh( f, points, 400 );
	mesh = record_of( f, &mesh );
	check_reached( f, &mesh );
}

static void all_parts_are_used_before_the_tolerance_is_missed( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, is_thorough() ? 3 : 2 );
	ball = record_of( f, &ball );
	for ( uint32_t max_parts = 2; max_parts <= ( is_thorough() ? 64u : 4u ); max_parts *= 2 )
	{
		bvb_decomposition d = decompose_capped( f, &ball, 8, 0.1, max_parts );
		assert_int_equal( d.part_count, max_parts );
		assert_true( d.concavity.lower > d.tolerance );
	}
}

static void a_tolerance_that_the_hull_keeps_to_does_not_cut( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, is_thorough() ? 3 : 2 );
	ball = record_of( f, &ball );
	bvb_decomposition whole = decompose_capped( f, &ball, 32, 100, 64 );
	assert_int_equal( whole.part_count, 1 );
	double percent = 100 * whole.concavity.upper / diagonal_of( &ball );
	assert_int_equal( decompose_capped( f, &ball, 32, percent * 1.001, 64 ).part_count, 1 );
	assert_true( decompose_capped( f, &ball, 32, percent * 0.7, 64 ).part_count > 1 );
}

static void any_number_of_threads_gives_the_same_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = icosphere( f, 2 );
	ball = record_of( f, &ball );
	bvb_decomposition first = { 0 };
	for ( uint32_t threads = 1; threads <= 3; ++threads )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.max_vertices = 8;
		options.tolerance = 0.05 * diagonal_of( &ball );
		options.threads = threads;
		bvb_decomposition d = decompose( f, &ball, &options );
		assert_true( d.part_count > 1 );
		if ( threads == 1 )
		{
			first = d;
		}
		check_same( &first, &d );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( parts_of_a_sphere_stand_off_as_their_corners_do ),
		fixture_test( ellipsoids_keep_to_the_tolerance ),
		fixture_test( cylinders_keep_to_the_tolerance ),
		fixture_test( cones_keep_to_the_tolerance ),
		fixture_test( random_polytopes_keep_to_the_tolerance ),
		fixture_test( all_parts_are_used_before_the_tolerance_is_missed ),
		fixture_test( a_tolerance_that_the_hull_keeps_to_does_not_cut ),
		fixture_test( any_number_of_threads_gives_the_same_parts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
