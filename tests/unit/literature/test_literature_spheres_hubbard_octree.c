// Hubbard's sphere trees of octrees: cells that are known by hand, what annealing gains, his estimate.

#include "spheres.h"

static bvb_mesh square( fixture* f, double side )
{
	const bv_vec3 p[] = { { 0, 0, 0 }, { side, 0, 0 }, { side, side, 0 }, { 0, side, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	return mesh_of( f, p, 4, t, 2 );
}

// A square in the middle of its cube: each level has four times the cells of the one above, and 4^5 are as many as there may be.
static void octants_of_a_square_are_a_quadtree( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = square( f, 8 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_octree_plain, &mesh, &options );
	assert_int_equal( tree.node_count, ( 1024 * 4 - 1 ) / 3 );
	assert_int_equal( check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 64 ), 5 );
	uint32_t first = 0;
	for ( uint32_t level = 0; level <= 5; ++level )
	{
		uint32_t count = 1u << 2 * level;
		double side = 8.0 / ( 1 << level );
		for ( uint32_t i = first; i < first + count; ++i )
		{
			const bvlit_sphere_node* node = tree.nodes + i;
			assert_true( fabs( node->sphere.radius - side * sqrt( 0.75 ) ) < 1e-12 );
			assert_int_equal( node->children, level < 5 ? 4 : 0 );
			assert_true( fabs( node->sphere.center.z + ( level ? side / 2 : 0 ) ) < 1e-12 );
			double x = node->sphere.center.x / side - 0.5;
			assert_true( fabs( x - round( x ) ) < 1e-9 );
		}
		first += count;
	}

	// No deeper than allowed.
	options.max_depth = 3;
	tree = make_spheres( f, bvlit_spheres_hubbard_octree_plain, &mesh, &options );
	assert_int_equal( tree.node_count, 85 );
}

// The greatest distance of a sphere's points from a rectangle in the plane z = 0, by sampling.
static double distance_to_rectangle( const bv_sphere* s, double x0, double x1, double y0, double y1 )
{
	double greatest = 0;
	for ( int i = 0; i <= 90; ++i )
	{
		for ( int j = 0; j < 180; ++j )
		{
			double a = M_PI * i / 90;
			double b = M_PI * j / 90;
			double x = s->center.x + s->radius * sin( a ) * cos( b );
			double y = s->center.y + s->radius * sin( a ) * sin( b );
			double z = s->center.z + s->radius * cos( a );
			double dx = fmax( fmax( x0 - x, x - x1 ), 0 );
			double dy = fmax( fmax( y0 - y, y - y1 ), 0 );
			greatest = fmax( greatest, sqrt( dx * dx + dy * dy + z * z ) );
		}
	}
	return greatest;
}

// A cell of side s has the square patch on its upper side, so that the sphere about its middle that encloses the patch stands off by
// s / 2 + sqrt( 3 ) / 2 s = 1.366 s at the pole below. The best is about the patch's middle: s / sqrt( 2 ) = 0.707 s.
static void annealing_comes_near_the_best_sphere( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = square( f, 8 );
	bvlit_sphere_options options = sphere_options();
	options.max_depth = 4;
	bvlit_sphere_tree plain = make_spheres( f, bvlit_spheres_hubbard_octree_plain, &mesh, &options );
	bvlit_sphere_builder* builders[] = { bvlit_spheres_hubbard_octree,
		                                 bvlit_spheres_hubbard_octree_estimate };
	double mean[2] = { 0, 0 };
	for ( int b = 0; b < 2; ++b )
	{
		bvlit_sphere_tree tree = make_spheres( f, builders[b], &mesh, &options );
		check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 32 );
		assert_int_equal( tree.node_count, plain.node_count );
		for ( uint32_t i = 1; i < tree.node_count; ++i )
		{
			const bv_sphere* cell = &plain.nodes[i].sphere;
			double s = cell->radius / sqrt( 0.75 );
			double x = cell->center.x - s / 2;
			double y = cell->center.y - s / 2;
			double distance = distance_to_rectangle( &tree.nodes[i].sphere, x, x + s, y, y + s ) / s;
			assert_true( distance > 0.707 && distance < 1.366 * 1.05 );
			mean[b] += distance / ( tree.node_count - 1 );
		}
	}
	assert_true( mean[0] < 0.85 && mean[1] < 0.95 );
}

// A rectangle in the plane z = 0.
typedef struct rectangle
{
	double x0, x1, y0, y1;
} rectangle;

static double distance_of_point( void* context, bv_vec3 p )
{
	const rectangle* r = context;
	double dx = fmax( fmax( r->x0 - p.x, p.x - r->x1 ), 0 );
	double dy = fmax( fmax( r->y0 - p.y, p.y - r->y1 ), 0 );
	return sqrt( dx * dx + dy * dy + p.z * p.z );
}

// Of the same cells the builder that goes by estimates has less of them, in the mean of 340 spheres, than the one that goes by distances; the
// estimates are made of exact distances here. By distances the two differ by less than chance does: of a flat patch both are least about
// its middle.
static void estimates_are_less_where_they_are_annealed( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = square( f, 8 );
	bvlit_sphere_options options = sphere_options();
	options.max_depth = 4;
	bvlit_sphere_tree plain = make_spheres( f, bvlit_spheres_hubbard_octree_plain, &mesh, &options );
	bvlit_sphere_builder* builders[] = { bvlit_spheres_hubbard_octree,
		                                 bvlit_spheres_hubbard_octree_estimate };
	double estimate[2] = { 0, 0 };
	for ( int b = 0; b < 2; ++b )
	{
		bvlit_sphere_tree tree = make_spheres( f, builders[b], &mesh, &options );
		for ( uint32_t i = 1; i < tree.node_count; ++i )
		{
			const bv_sphere* sphere = &tree.nodes[i].sphere;
			double s = plain.nodes[i].sphere.radius / sqrt( 0.75 );
			double x = plain.nodes[i].sphere.center.x - s / 2;
			double y = plain.nodes[i].sphere.center.y - s / 2;
			rectangle cell = { x, x + s, y, y + s };
			estimate[b] += bvlit_dodecahedron_estimate( distance_of_point, &cell, sphere ) / s;
		}
	}
	assert_true( estimate[1] < 0.998 * estimate[0] );
}

// Metropolis's rule, by frequencies: of 100,000 tries a share of e^-x is taken, to five standard deviations and what is left of e^-x by a power of
// 1024, x^2 / 2048 of it.
static void worse_states_are_taken_by_their_probability( void** state )
{
	(void)state;
	const uint32_t tries = 100000;
	uint64_t random = 1;
	for ( double x = 0.125; x <= 4; x *= 2 )
	{
		uint32_t taken = 0;
		for ( uint32_t i = 0; i < tries; ++i )
		{
			taken += bvlit_annealing_takes( 3, 3 + 0.5 * x, 0.5, &random );
		}
		double expected = exp( -x );
		double slack = 5 * sqrt( expected * ( 1 - expected ) / tries ) + expected * x * x / 1024;
		assert_true( fabs( (double)taken / tries - expected ) < slack );
	}
	uint64_t before = random;
	for ( int i = 0; i < 100; ++i )
	{
		assert_true( bvlit_annealing_takes( 3, 3, 0.5, &random ) );
		assert_true( bvlit_annealing_takes( 3, 2, 0, &random ) );
		assert_false( bvlit_annealing_takes( 3, 3.001, 0, &random ) );
	}
	assert_true( random == before );
}

static void no_sphere_is_worse_than_before( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvlit_sphere_options options = sphere_options();
	options.max_depth = 2;
	bvlit_sphere_tree plain = make_spheres( f, bvlit_spheres_hubbard_octree_plain, &mesh, &options );
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_hubbard_octree, &mesh, &options );
	bvb_hausdorff_target* target;
	bvb_error error;
	assert_int_equal( bvb_hausdorff_target_create( &mesh, NULL, 0, f->arena, &target, &error ), bv_ok );
	assert_int_equal( tree.node_count, plain.node_count );

	// The root's surface is the whole mesh. The sphere about the cube's middle encloses it.
	bvb_hausdorff before;
	bvb_hausdorff after;
	bvb_hausdorff_options measure = bvb_hausdorff_options_default();
	measure.measure = bvb_hausdorff_surface;
	bv_sphere start = { plain.nodes[0].sphere.center, 0 };
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		start.radius = fmax( start.radius, distance_between( start.center, mesh.positions[i] ) );
	}
	assert_int_equal( bvb_hausdorff_sphere( target, &start, &measure, &before ), bv_ok );
	assert_int_equal( bvb_hausdorff_sphere( target, &tree.nodes[0].sphere, &measure, &after ), bv_ok );
	assert_true( after.lower <= before.upper * 1.05 );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		assert_true( tree.nodes[i].sphere.radius <= 2.2 * plain.nodes[i].sphere.radius );
	}
}

typedef struct points
{
	bv_vec3 at[32];
	uint32_t count;
} points;

static double distance_from_origin( void* context, bv_vec3 p )
{
	points* all = context;
	assert_true( all->count < 20 );
	all->at[all->count++] = p;
	return sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
}

// Twenty points on the sphere, each with three neighbors at 4 r / ( sqrt( 3 ) ( 1 + sqrt( 5 ) ) ), the side of a regular dodecahedron.
static void the_estimate_is_that_of_a_dodecahedron( void** state )
{
	(void)state;
	points all = { .count = 0 };
	bv_sphere s = { { 3, 0, 0 }, 2 };
	double side = 4 * s.radius / ( sqrt( 3 ) * ( 1 + sqrt( 5 ) ) );
	double estimate = bvlit_dodecahedron_estimate( distance_from_origin, &all, &s );
	double greatest = 0;
	assert_int_equal( all.count, 20 );
	for ( uint32_t i = 0; i < 20; ++i )
	{
		uint32_t neighbors = 0;
		assert_true( fabs( distance_between( all.at[i], s.center ) - 2 ) < 1e-12 );
		for ( uint32_t k = 0; k < 20; ++k )
		{
			double apart = distance_between( all.at[i], all.at[k] );
			assert_true( i == k || apart > side - 1e-12 );
			neighbors += i != k && apart < side + 1e-12;
		}
		assert_int_equal( neighbors, 3 );
		greatest = fmax( greatest, distance_between( all.at[i], ( bv_vec3 ){ 0, 0, 0 } ) );
	}
	assert_true( fabs( estimate - greatest - side ) < 1e-12 );
	assert_true( estimate > 5 ); // which is the truth
}

static void seeds_make_other_trees( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree one = make_spheres( f, bvlit_spheres_hubbard_octree, &mesh, &options );
	options.seed = 2;
	bvlit_sphere_tree two = make_spheres( f, bvlit_spheres_hubbard_octree, &mesh, &options );
	assert_int_equal( one.node_count, two.node_count );
	assert_true( memcmp( one.nodes, two.nodes, one.node_count * sizeof *one.nodes ) != 0 );
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_hubbard_octree_plain, "hubbard-octree-plain", 200,
	                   BV_MAX_DEPTH );
	check_hard_meshes( *state, bvlit_spheres_hubbard_octree, "hubbard-octree", 100, 4 );
	check_hard_meshes( *state, bvlit_spheres_hubbard_octree_estimate, "hubbard-octree-estimate", 50, 3 );
}

static void threads_change_nothing( void** state )
{
	check_threads( *state, bvlit_spheres_hubbard_octree );
	check_threads( *state, bvlit_spheres_hubbard_octree_estimate );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( octants_of_a_square_are_a_quadtree ),
		fixture_test( annealing_comes_near_the_best_sphere ),
		fixture_test( estimates_are_less_where_they_are_annealed ),
		fixture_test( worse_states_are_taken_by_their_probability ),
		fixture_test( no_sphere_is_worse_than_before ),
		fixture_test( the_estimate_is_that_of_a_dodecahedron ),
		fixture_test( seeds_make_other_trees ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
