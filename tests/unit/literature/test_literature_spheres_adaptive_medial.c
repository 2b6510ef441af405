// Bradshaw's and O'Sullivan's sphere trees of the adaptive medial axis: what the children of cubes, of a ball and of a sheet are, what spheres
// protrude by, what is covered, hard sets.

#include "bvbuild/hausdorff.h"
#include "runtime/math/vec.h"
#include "spheres.h"

static double length_of( bv_vec3 v )
{
	return sqrt( bv_dot( v, v ) );
}

// Cubes of side 1, one in each octant of a cube of side 8.
static bvb_mesh eight_cubes( fixture* f )
{
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bv_vec3 p[64];
	uint32_t t[96][3];
	for ( uint32_t c = 0; c < 8; ++c )
	{
		bv_vec3 to = { c & 1 ? 7 : 0, c & 2 ? 7 : 0, c & 4 ? 7 : 0 };
		for ( uint32_t i = 0; i < 8; ++i )
		{
			p[8 * c + i] = bv_add( cube.positions[i], to );
		}
		for ( uint32_t i = 0; i < 12; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				t[12 * c + i][k] = cube.triangles[i].corner[k] + 8 * c;
			}
		}
	}
	return mesh_of( f, p, 64, (const uint32_t( * )[3])t, 96 );
}

// Sets a bit for each cube of which a face is below a node.
static uint32_t cubes_below( const bvlit_sphere_tree* tree, uint32_t index )
{
	const bvlit_sphere_node* node = tree->nodes + index;
	uint32_t cubes = 0;
	for ( uint32_t k = 0; k < node->faces; ++k )
	{
		cubes |= 1u << tree->face[node->first_face + k] / 12;
	}
	for ( uint32_t k = 0; k < node->children; ++k )
	{
		cubes |= cubes_below( tree, node->first_child + k );
	}
	return cubes;
}

// A sphere of two cubes would protrude far between them: eight children, one for each. The sphere of a cube that protrudes least is about its
// middle: by half of sqrt( 3 ) - 1. Centers of medial spheres are not quite there.
static void each_of_eight_cubes_is_a_child( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = eight_cubes( f );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_adaptive_medial, &mesh, &options );
	uint32_t all = 0;
	assert_int_equal( tree.nodes[0].children, 8 );
	assert_true( fabs( tree.nodes[0].sphere.radius - 4 * sqrt( 3 ) ) < 1e-9 );
	for ( uint32_t k = 0; k < 8; ++k )
	{
		uint32_t child = tree.nodes[0].first_child + k;
		const bv_sphere* s = &tree.nodes[child].sphere;
		uint32_t cubes = cubes_below( &tree, child );
		assert_int_equal( cubes & ( cubes - 1 ), 0 );
		all |= cubes;
		bv_vec3 middle = { s->center.x < 4 ? 0.5 : 7.5, s->center.y < 4 ? 0.5 : 7.5,
			               s->center.z < 4 ? 0.5 : 7.5 };
		assert_true( distance_between( s->center, middle ) < 0.1 );
		assert_true( s->radius >= 0.5 * sqrt( 3 ) && s->radius < 0.5 * sqrt( 3 ) + 0.1 );
	}
	assert_int_equal( all, 0xff );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// A box 4 by 1 by 1, whose distances are known. How far a sphere is out of it at the farthest point: its points that are farthest are
// where it reaches beyond sides, edges and corners.
static double out_of_box( const bv_sphere* s )
{
	double greatest = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		// Points all over the sphere, along a spiral.
		double z = 1 - ( 2 * i + 1 ) / 20000.0;
		double turn = 2.399963229728653 * i;
		bv_vec3 d = { sqrt( 1 - z * z ) * cos( turn ), sqrt( 1 - z * z ) * sin( turn ), z };
		bv_vec3 p = bv_add( s->center, bv_scale( s->radius, d ) );
		bv_vec3 off = { fmax( fmax( -p.x, p.x - 4 ), 0 ), fmax( fmax( -p.y, p.y - 1 ), 0 ),
			            fmax( fmax( -p.z, p.z - 1 ), 0 ) };
		greatest = fmax( greatest, length_of( off ) );
	}
	return greatest;
}

static double worst_of_level( const bvlit_sphere_tree* tree, uint32_t* begin, uint32_t* end )
{
	double worst = 0;
	uint32_t next = *end;
	for ( uint32_t i = *begin; i < *end; ++i )
	{
		worst = fmax( worst, out_of_box( &tree->nodes[i].sphere ) );
		next = tree->nodes[i].children > 0 ? tree->nodes[i].first_child + tree->nodes[i].children : next;
	}
	*begin = *end;
	*end = next;
	return worst;
}

// The sphere about the middle of a cube protrudes by half of sqrt( 3 ) - 1 of its side, so that four of them are enough for 0.366 all over the box, and
// 32 about cubes of half the size for 0.183. Here are eight and 64, of spheres that are not placed as well.
static void a_box_is_covered_about_as_well_as_by_cubes( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 4, 1, 1 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_adaptive_medial, &mesh, &options );
	uint32_t begin = 0;
	uint32_t end = 1;
	double root = worst_of_level( &tree, &begin, &end );
	double first = worst_of_level( &tree, &begin, &end );
	double second = worst_of_level( &tree, &begin, &end );
	assert_true( fabs( root - ( sqrt( 18 ) / 2 - 0.5 ) ) < 1e-3 );
	double cube = 0.5 * ( sqrt( 3 ) - 1 );
	assert_true( first <= 1.1 * cube );
	assert_true( second <= 1.3 * 0.5 * cube );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 32 );
}

// Nothing protrudes less from a ball than the ball: however pieces are divided, spheres are about its middle.
static void spheres_of_a_ball_are_about_its_middle( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 16 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = bv_scale( 1 / length_of( mesh.positions[i] ), mesh.positions[i] );
	}
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_adaptive_medial, &mesh, &options );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bv_sphere* s = &tree.nodes[i].sphere;
		assert_true( length_of( s->center ) + s->radius < 1.05 );
	}
	assert_true( tree.nodes[0].children >= 2 );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// What has no inside has no medial axis: spheres are in the sheet. Four would do with a radius of 2 sqrt( 2 ), round its quarters.
static void open_meshes_have_spheres_about_their_surface( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 8, 0 }, { 0, 8, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 2 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_adaptive_medial, &mesh, &options );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		assert_true( fabs( tree.nodes[i].sphere.center.z ) < 1e-12 );
	}
	assert_true( fabs( tree.nodes[0].sphere.radius - 4 * sqrt( 2 ) ) < 1e-9 );
	assert_int_equal( tree.nodes[0].children, 8 );
	for ( uint32_t k = 0; k < 8; ++k )
	{
		assert_true( tree.nodes[tree.nodes[0].first_child + k].sphere.radius < 1.1 * 2 * sqrt( 2 ) );
	}
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 64 );
}

typedef struct subject
{
	bvb_hausdorff_target* target;
	bvb_winding* winding;
} subject;

static subject subject_of( fixture* f, const bvb_mesh* mesh )
{
	subject s;
	bvb_error error;
	assert_int_equal( bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &s.target, &error ), bv_ok );
	assert_int_equal( bvb_winding_create( mesh, f->arena, &s.winding, &error ), bv_ok );
	return s;
}

// The radius less the center's depth, by certified distances of the center alone.
static double bound_of( const subject* s, const bv_sphere* sphere )
{
	bvb_hausdorff found;
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.relative = 0;
	bv_sphere point = { sphere->center, 0 };
	assert_int_equal( bvb_hausdorff_sphere( s->target, &point, &options, &found ), bv_ok );
	bool inside = bvb_winding_number( s->winding, sphere->center ) >= 0.5;
	return sphere->radius - ( inside ? found.lower : -found.upper );
}

// No node has one child, each leaf has one piece, and no sphere protrudes by more than its parent's, which could have been taken in its place.
static void nodes_have_two_to_eight_children( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	subject probe = subject_of( f, &mesh );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_adaptive_medial, &mesh, &options );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		assert_true( tree.nodes[i].children <= 8 && tree.nodes[i].children != 1 );
		assert_int_equal( tree.nodes[i].faces, tree.nodes[i].children == 0 );
		for ( uint32_t k = 0; k < tree.nodes[i].children; ++k )
		{
			assert_true( bound_of( &probe, &tree.nodes[tree.nodes[i].first_child + k].sphere ) <=
			             bound_of( &probe, &tree.nodes[i].sphere ) + 1e-9 );
		}
	}
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_adaptive_medial, "adaptive-medial", 20, 6 );
}

static void threads_change_nothing( void** state )
{
	check_threads( *state, bvlit_spheres_adaptive_medial );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( each_of_eight_cubes_is_a_child ),
		fixture_test( a_box_is_covered_about_as_well_as_by_cubes ),
		fixture_test( spheres_of_a_ball_are_about_its_middle ),
		fixture_test( open_meshes_have_spheres_about_their_surface ),
		fixture_test( nodes_have_two_to_eight_children ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
